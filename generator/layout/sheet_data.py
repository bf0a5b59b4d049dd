"""What a sheet is filled with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct, field


class Filling(Struct, frozen=True):
    """A character's name and state as plain data; both empty for a blank sheet.

    Without `spare` there are no rows to write on beyond those that are filled.
    """

    name: str = ""
    state: Mapping[str, Any] = field(default_factory=dict)
    spare: bool = True

    def rows(self, least: int, filled: int) -> int:
        """Return how many rows a list has that should have so many, and of which so many are filled."""
        return max(least if self.spare else 1, filled)
