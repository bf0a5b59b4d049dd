"""What a target demands of a PDF. Lengths in mm, type in pt, ink in per cent."""

from __future__ import annotations

from msgspec import Struct
from pdf_contents import Box

from generator.base.errors import HackjackError
from generator.layout.sheets import GOOD_DPI, MIN_DPI, MIN_MARGIN, Size
from generator.layout.targets import (
    FullLabelTarget,
    LabelTarget,
    PictureTarget,
    PngTarget,
    RecordsTarget,
    ShopTarget,
    SingleTarget,
    TabletopTarget,
    Target,
    VirtualTarget,
    layout_of,
)

MIN_TYPE = 6.5
"""Nothing that we print is smaller, but for what stands on stickers, pt."""
STICKER_TYPE = 6.0
"""Nothing on a sticker is smaller, pt."""
RISKY_TYPE = 5.0
"""Under this a print shop promises nothing, pt."""
SAFE = 3.0
"""How far inside the cut a card's text keeps, mm."""
SHOP_SAFE = 3.2
"""The same where a print shop cuts: an eighth of an inch, rounded up, mm."""


class Demands(Struct, frozen=True):
    """The demands of one target.

    `page` is the size of each page, either way up; `trim` that of its TrimBox, with a BleedBox `bleed` outside it.
    `cards` are the trims of the cards on a sheet: text keeps `safe` inside each, or off all of them. Where there are
    none, text keeps `safe` inside the TrimBox, or `edge` inside the paper. `strict` forbids what merely a home printer
    can do: transparency, form fields and links.
    """

    target: str = ""
    least_type: float = RISKY_TYPE
    page: Size | None = None
    trim: Size | None = None
    bleed: float = 0.0
    safe: float = SAFE
    edge: float = MIN_MARGIN
    cards: tuple[Box, ...] = ()
    good_dpi: float = GOOD_DPI
    least_dpi: float = MIN_DPI
    strict: bool = False


OUR_DEMANDS = Demands(least_type=MIN_TYPE)
"""What everything that we print keeps to, but for stickers."""


def demands_of(name: str, target: Target, card: Size, paper: Size, nudge: tuple[float, float] = (0.0, 0.0)) -> Demands:
    """Return what a target demands of cards of that size; the paper is that of the file's first page.

    `nudge` is by how much labels were moved, mm. Raises HackjackError where no card fits on the paper.
    """
    match target:
        case PngTarget() | PictureTarget() | TabletopTarget() | VirtualTarget() | RecordsTarget():
            return Demands(name, MIN_TYPE, page=card, safe=SAFE, trim=None, edge=SAFE)
        case SingleTarget():
            return Demands(name, MIN_TYPE, trim=card, bleed=target.bleed)
        case ShopTarget():
            page = Size(card.width + 2 * target.bleed, card.height + 2 * target.bleed)
            return Demands(*(name, MIN_TYPE, page, card, target.bleed), safe=SHOP_SAFE, strict=True)
        case _:
            return _sheet(name, target, card, paper, nudge)


def picture_demands(name: str, card: Size, bleed: Size, dpi: float) -> Demands:
    """Return the demands on pages that become pictures of cards, with their bleed (mm) and resolution (dpi)."""
    page = Size(card.width + 2 * bleed.width, card.height + 2 * bleed.height)
    good = min(float(GOOD_DPI), dpi)
    cut = (bleed.width, bleed.height, bleed.width + card.width, bleed.height + card.height)
    return Demands(
        name, MIN_TYPE, page=page, cards=(cut,), safe=SHOP_SAFE, good_dpi=good, least_dpi=good * MIN_DPI / GOOD_DPI
    )


def _sheet(name: str, target: Target, card: Size, paper: Size, nudge: tuple[float, float]) -> Demands:
    """Return the demands on a sheet of cards or labels."""
    try:
        layout = layout_of(target, paper, card)
    except HackjackError as error:
        raise HackjackError(f"the first page is not a sheet for {name}: {error}") from error
    if layout is None:
        return Demands(name, MIN_TYPE)
    sticker = isinstance(target, LabelTarget | FullLabelTarget)
    right, up = nudge if sticker else (0.0, 0.0)
    cell = layout.cell
    cards = tuple((at.x + right, at.y + up, at.x + right + cell.width, at.y + up + cell.height) for at in layout.places)
    if isinstance(target, LabelTarget | FullLabelTarget):
        return Demands(name, STICKER_TYPE, cards=cards, safe=target.margin)
    return Demands(name, MIN_TYPE, cards=cards)
