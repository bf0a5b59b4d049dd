"""What happened, as data: the engine writes entries, `wording` says them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that happened: its kind, the ruling it follows (`H7`, may be empty), and the facts of the matter."""

    kind: str
    why: str = ""
    facts: dict[str, Any] = field(default_factory=dict)


Log = tuple[Entry, ...]
