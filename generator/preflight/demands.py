"""What a target demands of a PDF. Lengths in mm, type in pt, ink in per cent."""

from __future__ import annotations

from dataclasses import dataclass, field

from generator.errors import HackjackError
from generator.sheets import LEAST_MARGIN, Size, Target, grid

LEAST_TYPE = 6.5
"""Nothing that we print is smaller, pt."""
RISKY_TYPE = 5.0
"""Under this a print shop promises nothing, pt."""
GOOD_DPI, LEAST_DPI = 300, 150
SAFE = 3.0
"""How far inside the cut a card's text keeps, mm."""

Box = tuple[float, float, float, float]
"""Left, foot, right, top, mm from the lower left corner of the page."""


@dataclass(frozen=True, slots=True)
class Demands:
    """The demands of one target.

    `page` is the size of each page, either way up; `trim` that of its TrimBox, with a BleedBox `bleed` outside it.
    `cards` are the trims of the cards on a sheet: text keeps `safe` inside each, or off all of them. Where there are
    none, text keeps `safe` inside the TrimBox, or `edge` inside the paper. `cmyk`, `ink` (the most on one spot) and
    `pdfx` are a print shop's; `strict` forbids what merely a home printer can do: transparency, form fields, links,
    and fonts that are named but not embedded.
    """

    target: str = ""
    least_type: float = RISKY_TYPE
    page: Size | None = None
    trim: Size | None = None
    bleed: float = 0.0
    safe: float = SAFE
    edge: float = LEAST_MARGIN
    cards: tuple[Box, ...] = field(default=())
    good_dpi: float = GOOD_DPI
    least_dpi: float = LEAST_DPI
    cmyk: bool = False
    ink: float | None = None
    pdfx: bool = False
    strict: bool = False


OUR_DEMANDS = Demands(least_type=LEAST_TYPE)
"""What everything that we print keeps to."""


def demands_of(name: str, target: Target, card: Size, paper: Size) -> Demands:
    """The demands of a target on cards of that size; the paper is that of the file's first page.

    Raises HackjackError where no card fits on the paper.
    """
    if target.kind == "png":
        return Demands(name, LEAST_TYPE, page=card, safe=SAFE, trim=None, edge=SAFE)
    try:
        layout = grid(paper, card)
    except HackjackError as error:
        raise HackjackError(f"the first page is no sheet for {name}: {error}") from error
    cards = tuple((at.x, at.y, at.x + card.width, at.y + card.height) for at in layout.places)
    return Demands(name, LEAST_TYPE, cards=cards)
