"""Events of a pack as text: what is wrong on which line while somebody types, and what is printed of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec

from generator.base.errors import HackjackError
from generator.base.files import limited_text
from generator.check import content_checks
from generator.language.event_writer import write_event
from generator.language.forms import statements
from generator.language.headings import read_event
from generator.language.names import Names
from generator.language.writer import UnwritableError
from generator.model.durations import OWN_ENDS, OWN_UNITS
from generator.model.rules import Happening, System, read_custom
from generator.pack import schema
from generator.pack.strict_yaml import Trail, read_text
from generator.studio.grid import GridLine, GridPart
from generator.words.event_wording import event_sentences
from generator.words.wording import capitalised

FILE = "system.yaml"


def know_ends(system: System | None) -> None:
    """Let what is read from here on end with the events of a system, and last for its units of time."""
    if system is not None and system.kind == "steps":
        OWN_ENDS.set(tuple(system.head.events))
        OWN_UNITS.set(tuple(system.units))


def shown(line: GridLine) -> dict[str, str]:
    """Return an event as the page lists it: its id, its name, and its text."""
    name = line.value.get("title") or line.value.get("says")
    return {"id": str(line.value["id"]), "name": capitalised(str(name or "")), "text": _text_of(line)}


def _text_of(line: GridLine) -> str:
    """Return the text of an event as its file has it; empty where it has none that can be written."""
    try:
        written: Any = read_text(limited_text(Path(line.marks.file), FILE, larger=""), FILE)[0]
        for key in line.trail:
            written = written[key]
        if isinstance(written, str):
            return written
        return "\n".join(write_event({key: value for key, value in line.value.items() if key != "id"}))
    except (HackjackError, UnwritableError, LookupError, TypeError):
        return ""


def new_event(title: str) -> str:
    """Return the text of an event to begin with."""
    return "\n".join(write_event({"says": title, "do": [{"do": "say", "says": "What happens."}]})) + "\n"


def shapes() -> list[str]:
    """Return the form of every statement that an event may have."""
    return sorted(each.example for each in statements().values() if each.example.strip())


def draft(name: str, text: str, part: GridPart, system: System | None, names: Names) -> dict[str, Any]:
    """Return what is wrong with the text of an event, each with its line (from 0), and what is printed of it."""
    know_ends(system)
    others = part.written.value.get("events")
    event, reader = read_event(text, others if isinstance(others, dict) else {}, names)
    faults = [(each.line, each.message) for each in reader.errors]
    says: list[str] = []
    if not faults:
        found = [*_faults(name, event, system)]
        faults = [(_line(trail, reader.places), message) for trail, message in found]
        if system and not found:
            says = event_sentences(name, _with_event(name, event, system))
    return {"faults": [{"line": line, "says": message} for line, message in sorted({*faults})], "says": says}


def _with_event(name: str, event: Mapping[str, Any], system: System) -> System:
    known = msgspec.convert(event, Happening, dec_hook=read_custom)
    return replace(system, head=msgspec.structs.replace(system.head, events={**system.head.events, name: known}))


def _faults(name: str, event: Mapping[str, Any], system: System | None) -> Iterator[tuple[Trail, str]]:
    """Yield what the types do not allow; of a text that they allow, what its pack does not know."""
    found = [(each.trail, each.message) for each in schema.faults(event, Happening)]
    yield from found
    if system is None or found:
        return
    for file, trail, message in content_checks.placed(_with_event(name, event, system), (FILE,)):
        if file == FILE and trail[:2] == ("events", name):
            yield trail[2:], message


def _line(trail: Trail, places: Mapping[Trail, tuple[int, int]]) -> int:
    """Return the line of what stands at a place of an event, or of what it stands in."""
    return next((places[trail[:end]][0] for end in range(len(trail), 0, -1) if trail[:end] in places), 0)
