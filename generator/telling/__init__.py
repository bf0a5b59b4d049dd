"""What happened, said: one module for each kind of procedure turns log entries into lines; rulings give the reasons."""

from __future__ import annotations

from generator.log import Entry
from generator.rules import System
from generator.wording import filled


def reason(entry: Entry, system: System) -> str:
    """The ruling that an entry follows, as `H7: ...`; empty where it follows none."""
    for ruling in system.head.rulings:
        if ruling.id == entry.why:
            option = system.setting(ruling.switch.name) if ruling.switch else None
            house_rule = ruling.switch is not None and option is not None and option != ruling.switch.default
            text = ruling.switch.options[option] if house_rule and ruling.switch and option else ruling.ours
            return f"{ruling.id}: {filled(text, system)}"
    return ""
