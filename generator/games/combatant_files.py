"""Combatants from a file in place of those of the content."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from generator.base.errors import ContentError
from generator.games import content_of
from generator.model.rules import System
from generator.pack import content
from generator.pack.pack_locations import example


def with_combatants(system: System, path: Path) -> System:
    """Return the same system with the combatants of a file. Raise ContentError, each fault in its place.

    So a file is looked through as `combatants.yaml` of a pack is: armour, names, opponents in reach. What is no file
    may be the name of an example that ships: "worked_fight".
    """
    people, marks = content.read_combatants(example(str(path)) or path)
    filled = replace(system, combatants=people)
    if faults := [marks.problem(trail, message) for trail, message in content_of(filled).combatant_faults()]:
        raise ContentError(faults)
    return filled
