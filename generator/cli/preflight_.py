"""`hackjack preflight`: look a PDF over before it is printed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from generator import preflight, sheets
from generator.cli.options import json_option, print_json
from generator.preflight.opening import read_pdf
from generator.sheets import Size
from generator.targets import FullLabelTarget, Target, targets


@click.command("preflight")
@click.argument("file", type=click.Path(path_type=Path), metavar="FILE.pdf")
@click.option("--target", metavar="NAME", help="What it is printed for: see hackjack list targets.")
@click.option("--card", metavar="NAME|WxH", help="The size of the cards on it.  [default: the target's own, or poker]")
@json_option
def command(file: Path, target: str | None, card: str | None, as_json: bool) -> int:
    """Look a PDF over: boxes, fonts, type, safe lines, images, ink, transparency, annotations, PDF/X.

    The exit status is 1 if anything must be mended.
    """
    data = read_pdf(file)
    demands = preflight.Demands()
    if target is not None:
        known = sheets.named(targets(), target, "target")
        size = _card(known, card)
        demands = preflight.demands_of(target, known, size, preflight.first_page(data, str(file)))
    report = preflight.thorough(data, demands, str(file))
    if as_json:
        print_json(_shape(file, report))
    else:
        for finding in report.findings:
            click.echo(f"{file}: {finding}", err=finding.level == "error")
        click.echo("\n".join(f"{name:<14} {value}" for name, value in _lines(report)))
        click.echo(f"{file}: {'sound' if report.sound else _faulty(report)}")
    return int(not report.sound)


def _card(target: Target, written: str | None) -> Size:
    """The size that was asked for, or the target's own."""
    if written is not None:
        return sheets.card_size(written)
    return Size(target.width, target.height) if isinstance(target, FullLabelTarget) else sheets.cards()["poker"]


def _faulty(report: preflight.Report) -> str:
    count = len(report.errors)
    return f"{count} {'fault' if count == 1 else 'faults'} to mend"


def _shape(file: Path, report: preflight.Report) -> dict[str, Any]:
    findings = [
        {"level": one.level, "check": one.check, "page": one.page, "message": one.message} for one in report.findings
    ]
    return {
        "file": str(file),
        "target": report.target or None,
        "sound": report.sound,
        "findings": findings,
        "figures": report.figures,
    }


def _lines(report: preflight.Report) -> list[tuple[str, str]]:
    """The figures for people."""
    figures = report.figures
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
