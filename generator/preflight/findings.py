"""What a preflight says: findings with their weight, and the figures of the file."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

Level = Literal["error", "warning", "note"]
LEVELS: tuple[Level, ...] = ("error", "warning", "note")


class Finding(Struct, frozen=True):
    """One fault, or one thing worth knowing. `page` counts from 1; None stands for the file as a whole."""

    level: Level
    check: str
    page: int | None
    message: str

    def __str__(self) -> str:
        where = "" if self.page is None else f"page {self.page}: "
        weight = "" if self.level == "error" else f"{self.level}: "
        return f"{weight}{where}{self.message}"


class Report(Struct, frozen=True):
    """All findings, errors first and then page by page, and the figures that they rest on."""

    target: str
    pages: int
    findings: tuple[Finding, ...]
    figures: dict[str, Any]

    @property
    def sound(self) -> bool:
        """Whether nothing speaks against printing the file; warnings and notes may stand."""
        return not self.errors

    @property
    def errors(self) -> tuple[Finding, ...]:
        """What must be mended."""
        return tuple(finding for finding in self.findings if finding.level == "error")


def in_order(findings: list[Finding]) -> tuple[Finding, ...]:
    """Errors before warnings before notes, and each of them page by page."""
    return tuple(sorted(dict.fromkeys(findings), key=lambda one: (LEVELS.index(one.level), one.page or 0)))
