"""The annotated deck: playing cards with their effects on them, nine to a sheet with backs, or one to a page."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from reportlab.pdfgen.canvas import Canvas

from generator.cards import SUIT_NAMES, is_joker, suit_of
from generator.errors import HackjackError, Problem, UsageError
from generator.faces import card_face
from generator.paper import card as paper_card
from generator.paper import fonts, sheet
from generator.paper.back import draw_back
from generator.paper.document import MM, close_document, open_document
from generator.paper.ink import Inks
from generator.parts import Face
from generator.rules import Card, System
from generator.sheets import Size, batches, grid
from generator.source import Marks
from generator.wording import DAGGER, card_sentences, product_line

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


def cards(system: System, only: Collection[str] = (), jokers: bool = False) -> tuple[Card, ...]:
    """The cards to print, in the order of a new deck. Raises HackjackError, or UsageError for a card not there."""
    if system.deck is None:
        raise HackjackError(f"{system.head.id} has no deck to print")
    for code in only:
        if code not in system.cards:
            raise UsageError(f"the deck of {system.head.id} has no card {code}")
    jokers = jokers or system.setting("jokers") == "lucky_break"
    return tuple(
        card for card in system.deck.in_order if (card.code in only if only else jokers or not is_joker(card.code))
    )


def sheet_count(system: System, options: Options) -> int:
    """How many sheets the deck takes."""
    per_sheet = len(grid(options.paper, options.card).places)
    return -(-len(cards(system, options.only, options.jokers)) // per_sheet)


def sheets(system: System, options: Options, step: Step = lambda: None) -> bytes:
    """The deck as a PDF for home printing: a page of fronts, then the page of their backs. `step` follows each sheet.

    Raises OverfullError when a card's text does not fit.
    """
    setting, faces = _set(system, options.card)
    chosen = cards(system, options.only, options.jokers)
    layout = grid(options.paper, options.card)
    duplex = options.backs == "duplex"
    canvas = open_document(
        options.paper.width * MM,
        options.paper.height * MM,
        title=f"{system.head.title} deck",
        subject=product_line(system),
        duplex=duplex,
        compressed=options.compressed,
    )
    if duplex:
        _make_back(canvas, setting, options.inks)
    marked: set[str] = set()
    for number, batch in enumerate(batches(chosen, len(layout.places))):
        _bookmark(canvas, batch, marked)
        drawers = [_drawer(faces[card.code], setting, options.inks) for card in batch]
        sheet.fronts(canvas, layout, drawers, options.marks)
        if number == 0:
            sheet.margin(canvas, layout, _margin_line(system))
        canvas.showPage()
        if duplex:
            sheet.backs(canvas, layout, len(batch), _BACK, options.nudge)
            canvas.showPage()
        step()
    return close_document(canvas)


def singles(system: System, options: Options) -> bytes:
    """The deck as a PDF of the trimmed cards alone, one to a page, and their back on a page of its own at the end."""
    setting, faces = _set(system, options.card)
    canvas = open_document(
        setting.width,
        setting.height,
        title=f"{system.head.title} deck",
        subject=product_line(system),
        compressed=options.compressed,
    )
    for card in cards(system, options.only, options.jokers):
        paper_card.draw(canvas, faces[card.code], setting, 0, 0, options.inks)
        canvas.showPage()
    if options.backs != "none":
        draw_back(canvas, setting.width, setting.height, 0, solid=options.inks.solid)
        canvas.showPage()
    return close_document(canvas)


def problems(system: System, marks: Mapping[str, Marks], card: Size) -> tuple[Problem, ...]:
    """Cards that cannot be printed at that size: text that does not fit, characters that the fonts do not have."""
    if system.deck is None or "deck.yaml" not in marks:
        return ()
    places = {entry.code: ("cards", place) for place, entry in enumerate(system.deck.cards)}
    faces = _faces(system)
    _, overfull = paper_card.measure(faces, card.width * MM, card.height * MM)
    found = [(fault.code, fault.reason) for fault in overfull]
    found += _missing_glyphs(faces)
    return tuple(marks["deck.yaml"].problem(places[code], message) for code, message in dict.fromkeys(found))


def _missing_glyphs(faces: tuple[Face, ...]) -> Iterator[tuple[str, str]]:
    """The codes of the cards that hold characters the fonts do not have, and a sentence for each."""
    for face in faces:
        for text, font in paper_card.texts(face):
            if letters := fonts.missing(text, font):
                shown = " ".join(f"{letter} (U+{ord(letter):04X})" for letter in letters[:5])
                message = f'the printed font has no {shown}, as in "{text[:40]}": write it in another way'
                yield face.code, message


def _faces(system: System) -> tuple[Face, ...]:
    """All faces of the deck, jokers too, so that every print of it is set in one size."""
    return tuple(card_face(card, system) for card in cards(system, jokers=True))


def _set(system: System, card: Size) -> tuple[paper_card.Setting, dict[str, Face]]:
    faces = _faces(system)
    setting, overfull = paper_card.measure(faces, card.width * MM, card.height * MM)
    if overfull:
        raise overfull[0]
    for code, message in _missing_glyphs(faces):
        raise HackjackError(f"{code}: {message}")
    return setting, {face.code: face for face in faces}


def _drawer(face: Face, setting: paper_card.Setting, inks: Inks) -> sheet.Drawer:
    return lambda canvas, x, y: paper_card.draw(canvas, face, setting, x, y, inks)


def _make_back(canvas: Canvas, setting: paper_card.Setting, inks: Inks) -> None:
    """Draw the back once, as a form that every sheet of backs repeats."""
    bleed = BLEED * MM
    canvas.beginForm(_BACK, -bleed, -bleed, setting.width + bleed, setting.height + bleed)
    draw_back(canvas, setting.width, setting.height, bleed, solid=inks.solid)
    canvas.endForm()


def _bookmark(canvas: Canvas, batch: tuple[Card, ...], marked: set[str]) -> None:
    """A bookmark for every suit that begins on this sheet, and one for the jokers."""
    for card in batch:
        name = SUIT_NAMES.get(suit_of(card.code), "jokers").capitalize()
        if name not in marked:
            marked.add(name)
            canvas.bookmarkPage(name)
            canvas.addOutlineEntry(name, name, level=0)


def _margin_line(system: System) -> str:
    """The product's line, and what the dagger on some cards means."""
    worded = (str(sentence) for card in system.cards.values() for sentence in card_sentences(card, system))
    note = f" ({DAGGER} reconstructed, no source gives it)" if any(DAGGER in sentence for sentence in worded) else ""
    return f"{product_line(system)}{note}"
