"""What a print has made and what it has left out: a line for each file, or one manifest for other programs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from generator.cli import echo, note

if TYPE_CHECKING:
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
        empty = {"size": None, "pages": None, "ink": None, "findings": ()}
        self.files.append(
            {"file": str(path), "product": product, "target": target, "bytes": path.stat().st_size} | empty | known
        )

    def wrote_pdf(self, path: Path, product: str, target: str, data: bytes, demands: Demands) -> None:
        """Tell of a PDF: its pages, the ink on them in per cent of their area, and what preflight has found."""
        known: dict[str, Any] = {}
        if self.as_json:
            from generator.preflight import thorough

            # Only what a pen has noted is cheaper to look over than the file, and it does not know the ink.
            report = thorough(bytes(data), demands, path.name)
            figures = report.figures
            known = {
                "size": [float(side) for side in figures["sizes"][0].split(" x ")],
                "pages": figures["pages"],
                "ink": figures["coverage"]["mean"],
                "findings": tuple(map(str, report.findings)),
            }
        self.wrote(path, product, target, **known)

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
