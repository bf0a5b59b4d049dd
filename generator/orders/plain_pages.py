"""Headings, lines and lists as plain pages of a PDF, to be read rather than cut. All lengths are points."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from generator.layout.reading import Head, Items, SpokenLine, SpokenText
from generator.layout.sheets import MM, Size
from generator.paper import fonts, pen, tags, text
from generator.paper.document import close_document, open_document
from generator.products.deck import SmallFace

_MARGIN = 25 * MM
_TITLE, _TEXT = 20.0, 11.0
_HEADS = {2: 14.0, 3: 17.0}
"""A session's name is smaller than what weighs heavily in it."""
_STRONG = 13.0
_LEADING = 1.35
_GAP = 3.0
"""Between two entries of a list."""
_BESIDE = 4 * MM
"""From a picture to the text beside it."""
_COLUMN = 64 * MM * 0.4 + _BESIDE
"""Room for pictures at the right."""
_MAX_LINES = 40
"""An entry that is longer goes on as another: it would not fit on a page."""


def reading_pdf(reading: SpokenText, paper: Size, pictures: Mapping[int, SmallFace] = MappingProxyType({})) -> bytes:
    """Return a text of headings, lines and lists on pages of that paper.

    `pictures` are drawn at the right of some of its texts, by their `id`.
    """
    pages = _Pages(reading, paper)
    with tags.tagged_alone(pages.canvas, SpokenLine(reading.title)):
        pages.write(pages.broken(reading.title, fonts.SANS_BOLD, _TITLE), _TITLE)
    for node in reading.nodes:
        if isinstance(node, Head):
            size = _HEADS[node.level]
            lines = pages.broken(node.text, fonts.SANS_BOLD, size)
            pages.begin(len(lines) * size * _LEADING, size, pictures.get(id(node)))
            with tags.tagged_alone(pages.canvas, node):
                pages.write(lines, size)
        elif isinstance(node, SpokenLine):
            size = _STRONG if not node.text else _TEXT
            runs = (text.Run(node.strong, fonts.SANS_BOLD), text.Run(f" {node.text}".rstrip(), fonts.SANS))
            lines = pages.run(runs, size)
            pages.begin(len(lines) * size * _LEADING, _GAP, pictures.get(id(node)))
            with tags.tagged_alone(pages.canvas, node):
                pages.write(lines, size)
        elif isinstance(node, Items):
            pages.entries(node)
    pages.canvas.showPage()
    return close_document(pages.canvas)


class _Pages:
    """Writes from the top of a page down, and goes on to the next."""

    def __init__(self, reading: SpokenText, paper: Size) -> None:
        self.wide, self.high = paper.width * MM, paper.height * MM
        self.canvas = open_document(self.wide, self.high, title=reading.title, subject=reading.line)
        self.y = self.high - _MARGIN
        self._beside = self.y
        """Above this height a picture stands at the right."""

    def broken(self, words: str, font: str, size: float) -> tuple[text.Line, ...]:
        """Return a text in lines of the page's width, less a picture's."""
        return self.run((text.Run(words, font),), size)

    def run(self, runs: Sequence[text.Run], size: float) -> tuple[text.Line, ...]:
        """Return runs of text in such lines."""
        return text.broken_lines(text.split_words(tuple(runs)), (self.wide - 2 * _MARGIN - _COLUMN) / size)

    def begin(self, high: float, gap: float, picture: SmallFace | None) -> None:
        """Begin a text that is so high, and the picture beside it; not at the foot of a page, where little follows."""
        if picture and self.y - gap > self._beside:
            # Two pictures do not stand over each other.
            self.y = self._beside + gap
        self.make_room(gap + max(high + 2 * _TEXT * _LEADING, picture.height if picture else 0))
        self.y -= gap
        if picture:
            self._beside = self.y - picture.height - _GAP
            picture.draw(self.canvas, self.wide - _MARGIN - picture.width, self.y - picture.height)

    def make_room(self, high: float) -> None:
        """Begin a new page where so much does not fit on this one."""
        if self.y - high < _MARGIN:
            self.canvas.showPage()
            self.y = self._beside = self.high - _MARGIN

    def write(self, lines: Sequence[text.Line], size: float) -> None:
        """Write lines under the last ones."""
        pen.draw_lines(self.canvas, lines, _MARGIN, self.y - size, size, _LEADING)
        self.y -= len(lines) * size * _LEADING

    def entries(self, node: Items) -> None:
        """Write the entries of a list, none torn apart."""
        broken = [self.broken(item, fonts.SANS, _TEXT) for item in node.items]
        pieces = [lines[at : at + _MAX_LINES] for lines in broken for at in range(0, len(lines), _MAX_LINES)]
        # What is read is what stands there.
        items = Items(("",) * len(pieces), drawn=tuple((node, at) for at in range(len(pieces))))
        with tags.tagged_texts(self.canvas, (items,)):
            for at, lines in enumerate(pieces):
                self.make_room(len(lines) * _TEXT * _LEADING)
                with tags.tagged_as(self.canvas, node, at):
                    self.write(lines, _TEXT)
                self.y -= _GAP
