"""Stickers for a real deck: the short form of each card, on sheets of labels."""

from collections.abc import Callable, Sequence

from reportlab.pdfgen.canvas import Canvas

from generator.games.card_products import card_set
from generator.layout.card_elements import CardSet, Face
from generator.layout.reading import Node, cards_told
from generator.layout.sheets import Printed, sheet_batches
from generator.model.rules import System
from generator.paper import pen, sheet, sticker, tags
from generator.paper.document import MM, close_document, open_product
from generator.products.deck import Options, check_glyphs, first_place, laid_out, margin_line
from generator.words.wording import product_title


def label_sheets(
    system: System, options: Options, margin: float, step: Callable[[], None] = lambda: None, product: str = "deck"
) -> Printed:
    """A set of cards as stickers, nothing within `margin` mm of their edges. `nudge` moves everything on the sheet.

    `step` follows each sheet. Raises OverfullError when a short form does not fit.
    """
    layout = options.grid
    printed = card_set(system, product)
    setting = _setting(printed, options, margin)
    skip = first_place(options.start, layout)
    canvas = open_product(system, layout.paper, f"{product_title(system, product)}, stickers", options)

    def drawer(face: Face, nodes: Sequence[Node]) -> sheet.Drawer:
        own = sticker.own_setting(face, setting)

        def drawn(canvas: Canvas, x: float, y: float) -> None:
            with tags.tagged_texts(canvas, nodes):
                sticker.draw_sticker(canvas, face, own, x, y, options.inks)

        return drawn

    chosen = laid_out(system, product, options)
    told = iter(cards_told(system, chosen, "sticker"))
    for number, batch in enumerate(sheet_batches(chosen, len(layout.places), skip)):
        with pen.placed(canvas, (options.nudge[0] * MM, options.nudge[1] * MM)):
            sheet.draw_fronts(canvas, layout, [drawer(face, next(told)) for face in batch], options.marks, skip)
            if number == 0:
                sheet.draw_margins(canvas, layout, margin_line(system, printed), options.marks, options.margin_scale)
        canvas.showPage()
        skip = 0
        step()
    return close_document(canvas)


def _setting(printed: CardSet, options: Options, margin: float) -> sticker.StickerSetting:
    cell = options.grid.cell
    setting, overfull = sticker.measure_sticker(
        printed.faces, cell.width * MM, cell.height * MM, margin * MM, options.text
    )
    if overfull:
        raise overfull[0]
    check_glyphs(printed)
    return setting
