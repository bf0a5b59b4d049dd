"""`hackjack preflight`: look a PDF over before it is printed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from generator.base import own_process
from generator.base.errors import HackjackError
from generator.cli import echo, note
from generator.cli import shell_completion as complete
from generator.cli.options import json_option, print_json, quiet_option
from generator.cli.terminal import busy
from generator.layout import sheets
from generator.layout.sheets import Size
from generator.layout.targets import FullLabelTarget, Target, targets

MOST_SECONDS = 60
"""Of processor time, for one file."""
MOST_MEMORY = 2_000_000_000
"""Bytes, for one file."""


@click.command("preflight")
@click.argument("file", type=click.Path(path_type=Path), metavar="FILE.pdf")
@click.option(
    "--target",
    shell_complete=complete.targets,
    metavar="NAME",
    help="What it is printed for: see hackjack list targets.",
)
@click.option(
    "--card",
    shell_complete=complete.card_sizes,
    metavar="NAME|WxH",
    help="The size of the cards on it.  [default: the target's own, or poker]",
)
@quiet_option
@json_option
def command(file: Path, target: str | None, card: str | None, as_json: bool) -> int:
    """Look a PDF over: boxes, fonts, type, safe lines, images, ink, transparency, annotations, PDF/X.

    The exit status is 1 if anything must be mended.
    """
    size = _card(sheets.named(targets(), target, "target"), card) if target is not None else None
    words = (str(file), target or "", [size.width, size.height] if size else None)
    try:
        with busy(f"looking {file.name} over"):
            report = own_process.done("generator.preflight", "asked", words, MOST_SECONDS, MOST_MEMORY)
    except TimeoutError as error:
        limits = f"{MOST_SECONDS} seconds or {MOST_MEMORY / 1e9:g} GB of memory"
        raise HackjackError(f"{file} is too intricate to look at: more than {limits}; flatten it first") from error
    faults = sum(one["level"] == "error" for one in report["findings"])
    if as_json:
        for one in report["findings"]:
            del one["said"]
        print_json({"file": str(file), **report})
    else:
        for one in report["findings"]:
            echo(f"{file}: {one['said']}", err=one["level"] == "error")
        for name, value in _lines(report["figures"]):
            note(f"{name:<14} {value}")
        note(f"{file}: {_faulty(faults) if faults else 'sound'}")
    return int(faults > 0)


def _card(target: Target, written: str | None) -> Size:
    """The size that was asked for, or the target's own."""
    if written is not None:
        return sheets.card_size(written)
    return Size(target.width, target.height) if isinstance(target, FullLabelTarget) else sheets.cards()["poker"]


def _faulty(count: int) -> str:
    return f"{count} {'fault' if count == 1 else 'faults'} to mend"


def _lines(figures: dict[str, Any]) -> list[tuple[str, str]]:
    """The figures for people."""
    type_, dpi = figures["smallest_type"], figures["least_dpi"]
    images = f"{figures['images']}, the coarsest at {dpi} dpi" if figures["images"] else "none"
    covered = figures["coverage"]
    return [
        ("pages", f"{figures['pages']} of {' and '.join(figures['sizes'])} mm, PDF {figures['version']}"),
        ("fonts", ", ".join(figures["fonts"]) or "none"),
        ("smallest type", f"{type_:g} pt" if type_ else "no text"),
        ("images", images),
        ("colours", ", ".join(figures["colours"]) or "none"),
        ("ink", f"{covered['mean']:g} % of the paper, {covered['most']:g} % on the fullest page"),
        ("PDF/X", figures["pdfx"] or "no"),
    ]
