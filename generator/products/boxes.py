"""Tuck boxes: a flat template for each set of cards of a system, to be cut out, folded and glued."""

from collections.abc import Sequence

from reportlab.pdfgen.canvas import Canvas

from generator.base.errors import HackjackError
from generator.games.card_products import card_set, card_set_names
from generator.layout.card_elements import CardSet
from generator.layout.reading import Head, SpokenLine
from generator.layout.sheets import MM, Printed, Size, card_sizes
from generator.layout.tuck_box import BoxPanel, TuckBox, placed_box, tuck_box
from generator.model.rules import System
from generator.paper import fonts, pen, sheet, tags, text
from generator.paper.document import close_document, open_product
from generator.paper.gallery import Gallery
from generator.paper.ink import BLACK, GREY, WHITE
from generator.paper.panel_options import PanelOptions
from generator.products import DECK, deck, extras
from generator.words.wording import capitalised, product_line

_TITLES = tuple(range(22, 7, -1))
"""The sizes a title may have, the largest first, pt."""
_SMALL = 7.0
_LINE = 3.1 * MM
"""From one line of the instructions to the next."""
_HATCH = 1.6 * MM
_DASH = [3, 2]
_BLEED = 1.5 * MM
"""How far the pictures run over folds and cuts, so that no white shows at a crooked one."""
_SIDE = 6
"""Over a narrow side they run this part of it at most, so that its name has room between them."""
_AROUND = 0.5 * MM
"""What stays free on every side of a name."""


def box_pages(system: System, options: PanelOptions, names: Sequence[str] = ()) -> Printed:
    """A page for the box of each set of cards, or of those named. Raises HackjackError where one is too large."""
    paper = options.paper
    canvas = open_product(system, paper, f"{system.head.title} box", options)
    for name in names or card_set_names(system):
        printed = card_set(system, name)
        card = _card(printed, options)
        count = len(deck.faces(printed, (), options.jokers))
        if options.extras:
            count += len(extras.extra_faces(system, printed, card, options.text))
        try:
            box, way = placed_box(tuck_box(card, count, options.thickness), paper)
        except HackjackError as error:
            raise HackjackError(f"{count} cards of {name}: {error}") from error
        canvas.setPageSize((way.width * MM, way.height * MM))
        title = _subtitle(system, name)
        gallery = Gallery(system, printed, shown=options.ink == "full")
        _pictures(canvas, box, options, gallery)
        with tags.tagged_alone(canvas, Head(2, title or system.head.title)):
            _titles(canvas, box, system.head.title, title, f"{count} cards")
        with tags.tagged_alone(canvas, SpokenLine("A box to cut out, to fold and to glue.", picture=True)):
            _lines(canvas, box)
        _instructions(
            canvas,
            box,
            [f"{count} cards of {card.width:g} x {card.height:g} mm, {options.thickness:g} mm each"],
            system,
        )
        canvas.showPage()
    return close_document(canvas)


def _card(printed: CardSet, options: PanelOptions) -> Size:
    if options.card is None and options.text == "large":
        return deck.large_card(printed, [card_sizes()[size] for size in deck.LARGE_CARDS])
    return options.card or card_sizes()["poker"]


def _subtitle(system: System, name: str) -> str:
    """What a set is called under the name of the system."""
    if name == DECK:
        called = system.deck.title if system.deck else "Deck"
        return "" if called == system.head.title else called
    by_code = next((each.title for each in system.decks if each.id == name), name)
    return capitalised(by_code.replace("_", " ").replace("-", " "))


def _pictures(canvas: Canvas, box: TuckBox, options: PanelOptions, gallery: Gallery) -> None:
    """The back of the cards on the two large sides, and a little beyond."""
    bleed = _bleed(box)
    for name in ("back", "front"):
        left, bottom, width, height = (side * MM for side in box.panel(name).box)
        with pen.placed(canvas, (left, bottom)):
            deck.back_alone(canvas, width, height, options, gallery, bleed)


def _bleed(box: TuckBox) -> float:
    """Return how far the pictures run over the edges of their sides, pt."""
    return min(_BLEED, box.inside[2] * MM / _SIDE)


def _titles(canvas: Canvas, box: TuckBox, title: str, subtitle: str, count: str) -> None:
    """The names on the front, and along the sides and the lid, where there is room for them."""
    left, bottom, width, height = (side * MM for side in box.panel("front").box)
    plate = (left + width * 0.08, bottom + height * 0.8, width * 0.84, height * 0.15)
    pen.draw_box(canvas, plate, ground=WHITE, edge=BLACK, wide=0.8, radius=2 * MM)
    lines = [(title, fonts.SERIF_BOLD, 1.0), (", ".join(filter(None, (subtitle, count))), fonts.SANS, 0.5)]
    _centred(canvas, lines, plate)
    bleed = _bleed(box)
    for name in ("left", "right"):
        left, bottom, width, height = (side * MM for side in box.panel(name).box)
        named = [(", ".join(filter(None, (title, subtitle))), fonts.SERIF_BOLD, 1.0)]
        with pen.placed(canvas, (left + width, bottom), turn=90):
            _centred(canvas, named, (0, bleed, height, width - 2 * bleed))
    left, bottom, width, height = (side * MM for side in box.panel("lid").box)
    # The lid is read from the front, from which it is folded back.
    with pen.placed(canvas, (left + width, bottom + height), turn=180):
        _centred(canvas, [(subtitle or title, fonts.SERIF_BOLD, 1.0)], (0, 0, width, height - bleed))


def _centred(canvas: Canvas, lines: list[tuple[str, str, float]], place: tuple[float, float, float, float]) -> None:
    """Lines in the middle of a place (pt), each with its font and its size beside the first; none in too small type."""
    left, bottom, width, height = place
    for size in _TITLES:
        sizes = [max(size * share, _SMALL) for _, _, share in lines]
        fits = all(
            fonts.text_width(sentence, font) * each <= width - 3 * MM
            for (sentence, font, _), each in zip(lines, sizes, strict=True)
        )
        # The letters of a single line need no leading.
        tall = sum(sizes) * (1.25 if len(sizes) > 1 else 1.0)
        if fits and tall <= height - 2 * _AROUND:
            break
    else:
        return
    y = bottom + height / 2 + sum(sizes) * 1.25 / 2
    for (sentence, font, _), each in zip(lines, sizes, strict=True):
        y -= each * 1.25
        pen.draw_line(canvas, sentence, left + width / 2, y + each * 0.3, font, each, align="middle")


def _lines(canvas: Canvas, box: TuckBox) -> None:
    """Hatching where glue comes, dashes to fold along, and a line to cut along."""
    for panel in box.panels:
        if panel.glued:
            _hatch(canvas, panel)
    canvas.setDash(_DASH)
    pen.draw_rules(canvas, GREY, 0.5, *((x1 * MM, y1 * MM, x2 * MM, y2 * MM) for (x1, y1), (x2, y2) in box.folds))
    canvas.setDash()
    pen.draw_rules(canvas, BLACK, 0.6, *((x1 * MM, y1 * MM, x2 * MM, y2 * MM) for (x1, y1), (x2, y2) in box.cuts))


def _hatch(canvas: Canvas, panel: BoxPanel) -> None:
    left, bottom, width, height = (side * MM for side in panel.box)
    canvas.saveState()
    path = canvas.beginPath()
    (x, y), *others = panel.corners
    path.moveTo(x * MM, y * MM)
    for x, y in others:
        path.lineTo(x * MM, y * MM)
    path.close()
    canvas.clipPath(path, stroke=0, fill=0)
    starts = range(-int(height / _HATCH) - 1, int(width / _HATCH) + 1)
    pen.draw_rules(
        canvas,
        GREY,
        0.4,
        *((left + at * _HATCH, bottom, left + at * _HATCH + height, bottom + height) for at in starts),
    )
    canvas.restoreState()


def _instructions(canvas: Canvas, box: TuckBox, says: list[str], system: System) -> None:
    """What it holds and how to make it, above the front, where nothing of the box is; with a ruler."""
    left, bottom, width, height = (side * MM for side in box.panel("front").box)
    top = bottom + height
    wide_inside, high_inside, deep_inside = box.inside
    said = [
        *says,
        f"inside {wide_inside:g} x {high_inside:g} x {deep_inside:g} mm",
        "solid: cut; dashed: fold back; hatched: glue",
        product_line(system),
    ]
    words = [text.split_words((text.Run(line, fonts.SANS),)) for line in said]
    lines = [line for each in words for line in text.broken_lines(each, (width - 4 * MM) / _SMALL)]
    first = top + 3 * MM + (len(lines) - 1) * _LINE
    with tags.tagged_alone(canvas, SpokenLine("; ".join(said))):
        pen.draw_lines(canvas, lines, left + 2 * MM, first, _SMALL, _LINE / _SMALL, colour=GREY)
    sheet.draw_ruler(canvas, left + 2 * MM, top + 6 * MM + len(lines) * _LINE)
