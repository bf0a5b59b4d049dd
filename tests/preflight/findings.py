"""What a preflight says."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Level = Literal["error", "warning", "note"]


class Finding(Struct, frozen=True):
    """One fault, or one thing worth knowing. `page` counts from 1."""

    level: Level
    check: str
    page: int
    message: str

    def __str__(self) -> str:
        weight = "" if self.level == "error" else f"{self.level}: "
        return f"{weight}page {self.page}: {self.message}"
