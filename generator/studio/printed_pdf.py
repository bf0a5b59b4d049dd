"""A PDF that Hackjack printed, opened in the studio: its pack is put on the shelf, and its print can be changed."""

from pathlib import Path
from typing import Any

from generator.base.errors import HackjackError
from generator.check import content_checks
from generator.orders.options import LABELS
from generator.pack.carried import install_pack, read_order
from generator.pack.load import load_pack


def open_pdf(path: str) -> dict[str, Any]:
    """Put the pack of a PDF on the shelf, unless it is there, and return how it was printed. Raises HackjackError."""
    pdf = Path(path)
    try:
        system, order = content_checks.judged(load_pack(pdf), ()).system, read_order(pdf)
    except HackjackError as error:
        raise HackjackError(str(error).replace(f"{pdf.parent}/", "")) from error
    content_checks.under(system, tuple(order.rules.items()))
    in_force = {**system.numbers, **dict(system.settings)}
    only = [code for code in order.options.get("only", "").split(",") if code]
    return {
        "system": install_pack(pdf, system),
        "product": order.product,
        "options": {name: value for name, value in order.options.items() if name in LABELS},
        "rules": {name: each for name, each in order.rules.items() if in_force.get(name) != each},
        "counts": order.counts or dict.fromkeys(only, 1),
    }
