"""The band of a panel: its title, the one sentence that matters, its emblem; and the scale over it."""

from contextlib import nullcontext

from msgspec.structs import replace
from reportlab.pdfgen.canvas import Canvas

from generator.layout.panel_elements import FieldLines, OddsScale, Page
from generator.layout.sheets import Size
from generator.paper import badges, fonts, pen, scale, tags, text
from generator.paper.art import emblem_outline
from generator.paper.columns import Frame, Slice
from generator.paper.document import MM
from generator.paper.ink import BLACK, WHITE, Rgb
from generator.paper.panel_fields import boxed_fields
from generator.paper.panel_style import PanelStyle

_EDGE = 5.2 * MM
"""Distance of a band, or of a scale for a paper clip, from the edge of the paper."""
_BAND, _UNDER_BAND = 17.0 * MM, 3.3 * MM
"""The height of the band with a panel's title, and the space under it."""
_BAND_TITLE = 40.0
_NAME, _MAX_FIELDS = 18.0, 5
"""The largest type of a name in the band of a sheet, and the most fields in it."""
_SAYS = 0.62
"""The share of a band that the sentence beside the title may take."""
_MARGIN, _FOOT = 10 * MM, 12.5 * MM
_GUTTER = 6 * MM


def panel_frame(item: Page, paper: Size) -> Frame:
    """Return the frame of a panel of a screen: under its band, and under its scale over that."""
    width, height = paper.width * MM, paper.height * MM
    top = _EDGE + _BAND + _UNDER_BAND + (scale.HEIGHT + _EDGE / 2 if item.scale else 0.0)
    bottom = _FOOT
    return Frame(_MARGIN, bottom, width - 2 * _MARGIN, height - top - bottom, item.columns, _GUTTER)


def sheet_frame(item: Page, paper: Size) -> Frame:
    """Return the frame of a page of a sheet: under its band."""
    width, height = paper.width * MM, paper.height * MM
    bottom = _FOOT - 2 * MM
    return Frame(
        _MARGIN, bottom, width - 2 * _MARGIN, height - _EDGE - _BAND - _UNDER_BAND - bottom, item.columns, _GUTTER
    )


def band_size(item: Page, frame: Frame) -> float:
    """Return the size (pt) of the title in a band of so wide a frame."""
    room = (frame.width - _BAND) * (1 - _SAYS if item.says else 1)
    return min(_BAND_TITLE, room / fonts.text_width(called(item), fonts.display_font(called(item))))


def draw_band(canvas: Canvas, item: Page, paper: Size, style: PanelStyle, size: float) -> None:
    """Draw the scale of a panel along the edge of the paper, and its band: title, sentence, emblem or number."""
    hue, solid = style.look.hue_of(item), style.inks.solid
    width, top = paper.width * MM - 2 * _EDGE, paper.height * MM - _EDGE
    for piece in item.scale.pieces if item.scale else ():
        if isinstance(piece, OddsScale):
            with tags.tagged_as(canvas, piece):
                scale.draw_scale(canvas, piece, (_EDGE, top, width), hue, style.small, solid=solid)
            top -= scale.HEIGHT + _EDGE / 2
    pen.draw_box(canvas, (_EDGE, top - _BAND, width, _BAND), ground=hue if solid else None, edge=hue, radius=1.5 * MM)
    ink, middle = WHITE if solid else BLACK, top - _BAND / 2
    signed = item.emblem or item.heads or style.look.boxed
    left = _EDGE + (_BAND if signed else _GUTTER)
    # The name of the character is the title of a sheet: to those who listen, the emblem is its own.
    with tags.tagged_as(canvas, item) if item.heads else nullcontext():
        if signed:
            _sign(canvas, item, middle, WHITE if solid else hue, solid=solid)
    if item.heads:
        heads = _heads(item.heads, style, width)
        with tags.tagged_as(canvas, item.heads):
            heads.draw(canvas, left, top - (_BAND - heads.height) / 2)
        return
    with tags.tagged_as(canvas, item):
        pen.draw_line(
            canvas, called(item), left, middle - size * 0.3, fonts.display_font(called(item)), size, colour=ink
        )
    if not item.says or item.goes_on:
        return
    left += fonts.text_width(called(item), fonts.display_font(called(item))) * size + _GUTTER
    words = text.split_words(text.figures_bold(item.says, fonts.SANS, fonts.SANS_BOLD))
    sizes = [style.size - index / 2 for index in range(int(2 * (style.size - style.look.smallest)) + 1)]
    small = next((each for each in sizes if text.line_count(words, (width - left) / each) <= 2), sizes[-1])
    lines = text.broken_lines(words, (width - left) / small)
    first = middle + len(lines) * small * 0.59 - small * 0.86
    with tags.tagged_as(canvas, item, "says"):
        pen.draw_lines(canvas, lines, left, first, small, 1.18, colour=ink)


def _sign(canvas: Canvas, item: Page, middle: float, colour: Rgb, *, solid: bool) -> None:
    """The emblem of a panel at the left of its band, or its number."""
    x = _EDGE + _BAND / 2
    if item.emblem:
        badges.draw_sign(canvas, emblem_outline(item.emblem), x, middle, _BAND * 0.74, colour, solid=solid)
    else:
        number = str(item.place + 1)
        pen.draw_line(canvas, number, x, middle - 11, fonts.INDEX, 32, align="middle", colour=colour)


def fields_in_band(fields: FieldLines, style: PanelStyle, paper: Size) -> int:
    """Return how many of the first fields of a sheet its band has room for."""
    width, many = paper.width * MM - 2 * _EDGE, min(len(fields.fields), _MAX_FIELDS)
    while many and _heads(first_fields(fields, many), style, width).fault:
        many -= 1
    return many


def first_fields(fields: FieldLines, many: int) -> FieldLines:
    """Return so many of the first fields beside each other."""
    shares = fields.shares[:many]
    return replace(fields, fields=fields.fields[:many], shares=tuple(share / sum(shares) for share in shares))


def _heads(fields: FieldLines, style: PanelStyle, width: float) -> Slice:
    return boxed_fields(style, fields, width - _BAND - 2 * MM, _BAND - 4 * MM, _NAME)


def called(item: Page) -> str:
    """Return the title of a panel as it is printed."""
    return f"{item.title.rstrip('?!')}, continued" if item.goes_on else item.title
