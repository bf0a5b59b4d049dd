"""What happened, said: one module for each kind of procedure turns log entries into lines; rulings give the reasons."""

from __future__ import annotations

from typing import Any

from generator.model.log import Entry
from generator.model.rules import System
from generator.words.wording import in_force


def reason(entry: Entry[Any], system: System) -> str:
    """The ruling that an entry follows, as `H7: ...`; empty where it follows none."""
    for ruling in system.head.rulings:
        if ruling.id == entry.why:
            return f"{ruling.id}: {in_force(ruling, system)}"
    return ""
