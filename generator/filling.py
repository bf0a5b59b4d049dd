"""What a sheet is filled with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Filling:
    """A character's name and state as plain data; both empty for a blank sheet."""

    name: str = ""
    state: Mapping[str, Any] = field(default_factory=dict)
