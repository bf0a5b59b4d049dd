"""What a print has made and what it has left out: a line for each file, or one manifest for other programs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from generator.cli import echo, note

if TYPE_CHECKING:
    from generator.orders.job import File
    from generator.orders.order import Order


@dataclass
class Manifest:
    """The files of one call. For people each is told when it is written; for programs (`as_json`) all at the end."""

    as_json: bool = False
    files: list[dict[str, Any]] = field(default_factory=list)
    left_out: list[dict[str, str]] = field(default_factory=list)

    def wrote(self, path: Path, product: str, target: str, made: File | None = None) -> None:
        """Tell of a file that is written: its size (mm) and pages where it has any."""
        if not self.as_json:
            note(str(path))
        size = made.size if made else None
        self.files.append(
            {
                "file": str(path),
                "product": product,
                "target": target,
                "bytes": path.stat().st_size,
                "size": [round(size.width, 2), round(size.height, 2)] if size else None,
                "pages": made.pages if made else None,
            }
        )

    def has(self, order: Order) -> bool:
        """Whether some file of that product is written for that target."""
        wanted = (order.product, order.choices.target)
        return any((file["product"], file["target"]) == wanted for file in self.files)

    def left(self, order: Order, why: Iterable[str]) -> None:
        """Note what is not made, and why."""
        self.left_out += [{"product": order.product, "target": order.choices.target, "why": line} for line in why]

    def close(self) -> None:
        """At the end: the manifest, or what was left out."""
        if self.as_json:
            from generator.cli.options import print_json

            print_json({"files": self.files, "left_out": self.left_out})
        for each in self.left_out:
            echo(each["why"], err=True)
