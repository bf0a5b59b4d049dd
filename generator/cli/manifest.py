"""What a print has made and what it has left out: a line for each file, or one manifest for other programs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from generator.cli import echo, note

if TYPE_CHECKING:
    from generator.layout.printed import Printed
    from generator.preflight import Demands


@dataclass
class Manifest:
    """The files of one call. For people each is told when it is written; for programs (`as_json`) all at the end."""

    as_json: bool = False
    files: list[dict[str, Any]] = field(default_factory=list)
    left_out: list[dict[str, str]] = field(default_factory=list)

    def wrote(self, path: Path, product: str, target: str, **known: Any) -> None:
        """Tell of a file that is written; `known` is its `size` (mm) where it has one."""
        if not self.as_json:
            note(str(path))
        empty = {"size": None, "pages": None, "findings": ()}
        self.files.append(
            {"file": str(path), "product": product, "target": target, "bytes": path.stat().st_size} | empty | known
        )

    def wrote_pdf(self, path: Path, product: str, target: str, data: Printed, demands: Demands) -> None:
        """Tell of a PDF: its pages, and what preflight has found."""
        from generator.preflight import found

        first = data.pages[0]
        size = [round(first.width, 2), round(first.height, 2)]
        findings = tuple(map(str, found(data, demands))) if self.as_json else ()
        self.wrote(path, product, target, size=size, pages=len(data.pages), findings=findings)

    def has(self, product: str, target: str) -> bool:
        """Whether some file of that product is written for that target."""
        return any(file["product"] == product and file["target"] == target for file in self.files)

    def left(self, product: str, target: str, why: Iterable[str]) -> None:
        """Note what is not made, and why."""
        self.left_out += [{"product": product, "target": target, "why": line} for line in why]

    def close(self) -> None:
        """At the end: the manifest, or what was left out."""
        if self.as_json:
            from generator.cli.options import print_json

            print_json({"files": self.files, "left_out": self.left_out})
        for each in self.left_out:
            echo(each["why"], err=True)
