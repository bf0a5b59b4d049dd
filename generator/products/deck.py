"""The annotated deck: playing cards with their effects on them, nine to a sheet with backs, or one to a page."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from reportlab.pdfgen.canvas import Canvas

from generator.cards import SUIT_NAMES, is_code
from generator.cardsets import CardSet, card_set
from generator.errors import HackjackError, Problem, UsageError
from generator.paper import card as paper_card
from generator.paper import fonts, sheet
from generator.paper.back import draw_back
from generator.paper.document import MM, close_document, open_document
from generator.paper.ink import Inks
from generator.parts import Face
from generator.rules import System
from generator.sheets import Size, batches, grid
from generator.source import Marks
from generator.wording import DAGGER, product_line

NAME = "deck"
BLEED = 1.5
"""How far the backs run beyond the trim, mm: as far as printers and scissors are off."""

_BACK = "back"

Step = Callable[[], None]


@dataclass(frozen=True, slots=True)
class Options:
    """How a deck is printed. Sizes in mm; `nudge` moves the backs to the right and up."""

    paper: Size
    card: Size
    backs: Literal["none", "duplex"] = "duplex"
    nudge: tuple[float, float] = (0.0, 0.0)
    marks: sheet.Marks = "cut"
    ink: Literal["full", "saver"] = "full"
    suits: Literal["two", "four"] = "two"
    only: tuple[str, ...] = ()
    jokers: bool = False
    compressed: bool = True

    @property
    def inks(self) -> Inks:
        """The colours to print with."""
        return Inks(self.suits, self.ink == "full")


def faces(chosen: CardSet, only: Collection[str] = (), spare: bool = False) -> tuple[Face, ...]:
    """The faces to print, in order. Raises UsageError for a card that is not there."""
    known = {face.code for face in chosen.faces}
    for code in only:
        if code not in known:
            raise UsageError(f"{chosen.called} has no card {code}")
    return tuple(
        face for face in chosen.faces if (face.code in only if only else spare or face.code not in chosen.spare)
    )


def sheet_count(system: System, options: Options, product: str = NAME) -> int:
    """How many sheets the cards take."""
    per_sheet = len(grid(options.paper, options.card).places)
    return -(-len(faces(card_set(system, product), options.only, options.jokers)) // per_sheet)


def sheets(system: System, options: Options, step: Step = lambda: None, product: str = NAME) -> bytes:
    """A set of cards as a PDF for home printing: a page of fronts, then the page of their backs.

    `step` follows each sheet. Raises OverfullError when a card's text does not fit.
    """
    printed = card_set(system, product)
    setting = _setting(printed, options.card)
    chosen = faces(printed, options.only, options.jokers)
    layout = grid(options.paper, options.card)
    duplex = options.backs == "duplex"
    canvas = open_document(
        options.paper.width * MM,
        options.paper.height * MM,
        title=f"{system.head.title} {product}",
        subject=product_line(system),
        duplex=duplex,
        compressed=options.compressed,
    )
    if duplex:
        _make_back(canvas, setting, options.inks)
    marked: set[str] = set()
    for number, batch in enumerate(batches(chosen, len(layout.places))):
        _bookmark(canvas, batch, marked)
        drawers = [_drawer(face, setting, options.inks) for face in batch]
        sheet.fronts(canvas, layout, drawers, options.marks)
        if number == 0:
            sheet.margin(canvas, layout, _margin_line(system, printed))
        canvas.showPage()
        if duplex:
            sheet.backs(canvas, layout, len(batch), _BACK, options.nudge)
            canvas.showPage()
        step()
    return close_document(canvas)


def singles(system: System, options: Options, product: str = NAME) -> bytes:
    """The trimmed cards alone as a PDF, one to a page, and their back on a page of its own at the end."""
    printed = card_set(system, product)
    setting = _setting(printed, options.card)
    canvas = open_document(
        setting.width,
        setting.height,
        title=f"{system.head.title} {product}",
        subject=product_line(system),
        compressed=options.compressed,
    )
    for face in faces(printed, options.only, options.jokers):
        paper_card.draw(canvas, face, setting, 0, 0, options.inks)
        canvas.showPage()
    if options.backs != "none":
        draw_back(canvas, setting.width, setting.height, 0, solid=options.inks.solid)
        canvas.showPage()
    return close_document(canvas)


def problems(system: System, marks: Mapping[str, Marks], card: Size, product: str = NAME) -> tuple[Problem, ...]:
    """Cards that cannot be printed at that size: text that does not fit, characters that the fonts do not have."""
    printed = card_set(system, product)
    if printed.file not in marks:
        return ()
    _, overfull = paper_card.measure(printed.faces, card.width * MM, card.height * MM)
    found = [(fault.code, fault.reason) for fault in overfull]
    found += _missing_glyphs(printed.faces)
    trails = printed.trails or {}
    return tuple(marks[printed.file].problem(trails.get(code, ()), message) for code, message in dict.fromkeys(found))


def _missing_glyphs(printed: tuple[Face, ...]) -> Iterator[tuple[str, str]]:
    """The codes of the cards that hold characters the fonts do not have, and a sentence for each."""
    for face in printed:
        for text, font in paper_card.texts(face):
            if letters := fonts.missing(text, font):
                shown = " ".join(f"{letter} (U+{ord(letter):04X})" for letter in letters[:5])
                message = f'the printed font has no {shown}, as in "{text[:40]}": write it in another way'
                yield face.code, message


def _setting(printed: CardSet, card: Size) -> paper_card.Setting:
    """The one type size for all faces of a set, so that every print of it looks alike."""
    setting, overfull = paper_card.measure(printed.faces, card.width * MM, card.height * MM)
    if overfull:
        raise overfull[0]
    for code, message in _missing_glyphs(printed.faces):
        raise HackjackError(f"{code}: {message}")
    return setting


def _drawer(face: Face, setting: paper_card.Setting, inks: Inks) -> sheet.Drawer:
    return lambda canvas, x, y: paper_card.draw(canvas, face, setting, x, y, inks)


def _make_back(canvas: Canvas, setting: paper_card.Setting, inks: Inks) -> None:
    """Draw the back once, as a form that every sheet of backs repeats."""
    bleed = BLEED * MM
    canvas.beginForm(_BACK, -bleed, -bleed, setting.width + bleed, setting.height + bleed)
    draw_back(canvas, setting.width, setting.height, bleed, solid=inks.solid)
    canvas.endForm()


def _bookmark(canvas: Canvas, batch: tuple[Face, ...], marked: set[str]) -> None:
    """A bookmark for every suit that begins on this sheet, and one for the jokers; none for cards without suits."""
    for face in batch:
        if not is_code(face.code):
            continue
        name = SUIT_NAMES.get(face.suit, "jokers").capitalize()
        if name not in marked:
            marked.add(name)
            canvas.bookmarkPage(name)
            canvas.addOutlineEntry(name, name, level=0)


def _margin_line(system: System, printed: CardSet) -> str:
    """The product's line, and what the dagger on some cards means."""
    dagger = any(DAGGER in text for face in printed.faces for text, _ in paper_card.texts(face))
    note = f" ({DAGGER} reconstructed, no source gives it)" if dagger else ""
    return f"{product_line(system)}{note}"
