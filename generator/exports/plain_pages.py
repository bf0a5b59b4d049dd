"""Headings and lists as plain pages of a PDF, to be read rather than cut. All lengths are points."""

from __future__ import annotations

from collections.abc import Sequence

from generator.layout.reading import Head, Items, SpokenLine, SpokenText
from generator.layout.sheets import MM, Size
from generator.paper import fonts, pen, tags, text
from generator.paper.document import close_document, open_document

_MARGIN = 25 * MM
_TITLE, _HEAD, _TEXT = 20.0, 14.0, 11.0
_LEADING = 1.35
_GAP = 3.0
"""Between two entries of a list."""
_MAX_LINES = 40
"""An entry that is longer goes on as another: it would not fit on a page."""


def reading_pdf(reading: SpokenText, paper: Size) -> bytes:
    """Return a text of headings and lists on pages of that paper."""
    pages = _Pages(reading, paper)
    with tags.tagged_alone(pages.canvas, SpokenLine(reading.title)):
        pages.write(pages.broken(reading.title, fonts.SANS_BOLD, _TITLE), _TITLE)
    for node in reading.nodes:
        if isinstance(node, Head):
            lines = pages.broken(node.text, fonts.SANS_BOLD, _HEAD)
            # A heading is not left behind at the foot of a page.
            pages.make_room(_HEAD + (len(lines) * _HEAD + 2 * _TEXT) * _LEADING)
            pages.y -= _HEAD
            with tags.tagged_alone(pages.canvas, node):
                pages.write(lines, _HEAD)
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

    def broken(self, words: str, font: str, size: float) -> tuple[text.Line, ...]:
        """Return a text in lines of the page's width."""
        return text.broken_lines(text.split_words((text.Run(words, font),)), (self.wide - 2 * _MARGIN) / size)

    def make_room(self, high: float) -> None:
        """Begin a new page where so much does not fit on this one."""
        if self.y - high < _MARGIN:
            self.canvas.showPage()
            self.y = self.high - _MARGIN

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
