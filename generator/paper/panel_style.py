"""The style of panels: one type size, the look of a product and its inks, with what every piece draws.

All lengths are points.
"""

from collections.abc import Sequence

from msgspec import Struct
from reportlab.pdfgen.canvas import Canvas

from generator.layout import panel_elements
from generator.paper import fonts, pen, text
from generator.paper.art import emblem_outline
from generator.paper.badges import draw_sign
from generator.paper.form import Form
from generator.paper.ink import BLACK, BLUE, GREEN, GREY, OXBLOOD, Inks, Rgb, tint

LEADING = 1.18
HEADING = 1.4
"""The size of a heading in units of the text's: 17 pt over 10 pt can be found from a metre away."""
_OVER_TEXT = 1.15
"""The least size of a heading in the same units."""
_NOTE = 0.72
MIN_TYPE = 6.5
"""No letter is smaller than this, pt, even in smaller text."""
LARGE = 14.0
"""From this size on it is large print, and so is what stands in boxes."""

_ABOUT = {"harm": OXBLOOD, "healing": GREEN, "chance": BLUE, "death": BLACK}
"""The colours of panels by what they are about."""


class PanelLook(Struct, frozen=True):
    """The look of a product's panels: the largest heading and the smallest letter, pt, and the colour of the system.

    Numbered lines with a title or an emblem are boxes where they are `boxed`.
    """

    heading: float
    smallest: float = MIN_TYPE
    hue: Rgb = BLACK
    boxed: bool = False

    def hue_of(self, page: panel_elements.Page) -> Rgb:
        """Return the colour of a panel."""
        return _ABOUT.get(page.about, self.hue)


class PanelStyle(Struct, frozen=True):
    """Type of one size, in the look of a product; `hue` is the colour of the panel.

    No heading is larger than that of the look, but all are larger than the text.
    """

    size: float
    inks: Inks
    form: Form
    look: PanelLook
    hue: Rgb = BLACK

    @property
    def heading(self) -> float:
        """The size of headings, pt."""
        return min(self.size * HEADING, max(self.look.heading, self.size * _OVER_TEXT))

    @property
    def small(self) -> float:
        """The size of notes and labels, pt."""
        return max(self.size * _NOTE, self.look.smallest)

    def draw_emblem(self, canvas: Canvas, name: str, x: float, y: float, side: float) -> None:
        """Draw an emblem round (x, y) in the colour of the panel."""
        draw_sign(canvas, emblem_outline(name), x, y, side, self.hue, solid=self.inks.solid)

    def draw_stripe(self, canvas: Canvas, x: float, y: float, width: float, height: float) -> None:
        """Draw the light ground of every other row, its upper left corner at (x, y); hairlines where ink is saved."""
        if self.inks.solid:
            pen.draw_box(canvas, (x, y - height, width, height), ground=tint(BLACK, 0.08))
        else:
            pen.draw_rules(canvas, GREY, 0.25, (x, y, x + width, y), (x, y - height, x + width, y - height))


@fonts.measured_once(4000)
def sentence_words(written: str, *, bold: bool = False, marks: float = 0.0, strong: str = "") -> tuple[text.Word, ...]:
    """Return a text as words, its figures bold; measured once for all sizes. `marks` is the scale of raised rulings."""
    heavy = fonts.SANS_BOLD
    runs = text.figures_bold(written, heavy if bold else fonts.SANS, heavy)
    runs = text.marks_raised(runs, heavy, marks) if marks else runs
    return text.split_words((text.Run(f"{strong}: ", heavy), *runs) if strong else runs)


def width_fault(words: tuple[text.Word, ...], measure: float) -> str:
    """Return the fault of words that are wider than the line; empty where all fit."""
    for word in words:
        if word.width > measure + 1e-6:
            letters = "".join(run.text for run in word.runs)
            return f'is too narrow for "{letters[:40]}", and does not fit'
    return ""


def draw_text(canvas: Canvas, lines: Sequence[text.Line], x: float, y: float, size: float, colour: Rgb = BLACK) -> None:
    """Draw lines below each other, the first one's top at y."""
    pen.draw_lines(canvas, lines, x, y - size * 0.86, size, LEADING, colour=colour)
