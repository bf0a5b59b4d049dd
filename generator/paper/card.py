"""The face of a playing card: where its parts stand, and how they are drawn.

`measure` looks at all faces of a deck and finds the largest type size at which every one of them fits; `draw` puts one
face on a canvas. All lengths here are points, the origin is the lower left corner of the card's trim.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from reportlab.pdfgen.canvas import Canvas

from generator.errors import HackjackError
from generator.paper import fonts, text
from generator.paper.art import ICONS, SUITS, pips
from generator.paper.document import MM
from generator.paper.ink import BLACK, GREY, WHITE, Inks, Rgb, tint
from generator.parts import Badge, Effect, Emblem, Face, Flavour, Index, Part, Rule, Title

SAFE = 3 * MM
LARGEST_TYPE = 9.0
SMALLEST_TYPE = 6.5
TYPE_STEP = 0.25

_LEADING = 1.2
_GAP = 0.42
"""Between two sentences, in units of the type size."""

_CROWNS = {"J": "jack", "Q": "queen", "K": "king"}
_TITLE_SIZES = (14.0, 13.0, 12.0, 11.0, 10.0, 9.0)
_SMALL = 6.75
_SIDE = 4.4 * MM
"""From the trim to the text."""
_INDEX_WIDTH = 8.2 * MM
_INDEX_HEIGHT = 12.6 * MM
_BAND = 12.4 * MM
_EMBLEM_STRENGTH = 0.11
_LEAST_EMBLEM = 14 * MM
"""Where less room than this is left under the text, there is no picture."""


class OverfullError(HackjackError):
    """A face does not fit its card; says which and by how much."""

    def __init__(self, code: str, reason: str) -> None:
        self.code, self.reason = code, reason
        super().__init__(f"{code}: {reason}")


@dataclass(frozen=True, slots=True)
class Setting:
    """How a deck is set: the card's trim in points and one type size for all faces."""

    width: float
    height: float
    size: float

    @property
    def measure(self) -> float:
        """The width of the text column, pt."""
        return self.width - 2 * _SIDE


def sentence_words(effect: Effect) -> tuple[text.Word, ...]:
    """A sentence as words: numbers bold, a full stop at its end; until-when in italics and kept on one line."""
    says = effect.says if effect.until else f"{effect.says}."
    plain = text.words(text.figures_bold(says, fonts.SANS, fonts.SANS_BOLD))
    if not effect.until:
        return plain
    until = text.figures_bold(f"{effect.until}.", fonts.SANS_ITALIC, fonts.SANS_BOLD)
    return (*plain, text.unbroken(until))


def flavour_words(flavour: Flavour) -> tuple[text.Word, ...]:
    """A line of colour as words."""
    return text.words((text.Run(flavour.text, fonts.SERIF_ITALIC),))


def measure(faces: tuple[Face, ...], width: float, height: float) -> tuple[Setting, tuple[OverfullError, ...]]:
    """The setting with the largest type at which every face fits a card of that trim (pt).

    Faces that do not fit at the smallest size are given back too, each as an error that has not been raised.
    """
    bodies = {face.code: _Body(face) for face in faces}
    setting = Setting(width, height, SMALLEST_TYPE)
    steps = int((LARGEST_TYPE - SMALLEST_TYPE) / TYPE_STEP)
    for step in range(steps + 1):
        setting = Setting(width, height, LARGEST_TYPE - step * TYPE_STEP)
        if all(body.fault(setting) is None for body in bodies.values()):
            return setting, ()
    return setting, tuple(fault for body in bodies.values() if (fault := body.fault(setting)))


def texts(face: Face) -> tuple[tuple[str, str], ...]:
    """Every text of a face with the font that it is set in: what must have glyphs."""
    found: list[tuple[str, str]] = []
    for part in face.parts:
        match part:
            case Title():
                found.append((part.text, fonts.SERIF_BOLD))
            case Rule():
                found.append((part.word.upper(), fonts.SANS_BOLD))
            case Effect():
                found += [(run.text, run.font) for word in sentence_words(part) for run in word.runs]
            case Flavour():
                found.append((part.text, fonts.SERIF_ITALIC))
            case _:
                continue
    return tuple(found)


class _Body:
    """The running text of one face, ready to be broken at any type size."""

    def __init__(self, face: Face) -> None:
        self.code = face.code
        self.title = next((part for part in face.parts if isinstance(part, Title)), None)
        self.sentences = [sentence_words(part) for part in face.parts if isinstance(part, Effect)]
        self.flavours = [flavour_words(part) for part in face.parts if isinstance(part, Flavour)]

    def lines(self, setting: Setting) -> list[tuple[text.Line, ...]]:
        """The sentences in lines."""
        return [text.broken(words, setting.measure / setting.size) for words in self.sentences]

    def flavour_lines(self, setting: Setting) -> tuple[text.Line, ...]:
        """The flavour in lines."""
        measure = setting.measure / _flavour_size(setting)
        return tuple(line for words in self.flavours for line in text.broken(words, measure))

    def height(self, setting: Setting) -> float:
        """How high the sentences stand together, pt."""
        lines = self.lines(setting)
        return sum(map(len, lines)) * setting.size * _LEADING + max(len(lines) - 1, 0) * setting.size * _GAP

    def room(self, setting: Setting) -> tuple[float, float]:
        """The foot and the top of what is free between the sentences and the flavour, measured from the trim, pt."""
        lines = len(self.flavour_lines(setting))
        foot = _text_foot() + (lines * _flavour_size(setting) * _LEADING + 1.5 * MM if lines else 0)
        return foot, _text_top(setting) - self.height(setting) - 2.5 * MM

    def excess(self, setting: Setting) -> float:
        """How many points the text is too high; negative where there is room. Infinite for a word that is too wide."""
        if any(text.widest(words) * setting.size > setting.measure for words in self.sentences + self.flavours):
            return float("inf")
        flavour = len(self.flavour_lines(setting)) * _flavour_size(setting) * _LEADING
        high = self.height(setting) + (flavour + setting.size if flavour else 0)
        return high - (_text_top(setting) - _text_foot())

    def fault(self, setting: Setting) -> OverfullError | None:
        """Why the face does not fit, or None."""
        excess = self.excess(setting)
        if self.title and _title_lines(self.title.text, setting) is None:
            return OverfullError(self.code, "the name does not fit in two lines: shorten it")
        if excess == float("inf"):
            return OverfullError(self.code, "a word is wider than the card: break it or shorten it")
        if excess > 0:
            return OverfullError(
                self.code,
                f"the text does not fit its card: at {setting.size:g} pt, the smallest type, it needs "
                f"{excess / MM:.1f} mm more; shorten the name, the flavour or the list of effects",
            )
        return None


# --- drawing -------------------------------------------------------------------------------------------------------


def draw(canvas: Canvas, face: Face, setting: Setting, x: float, y: float, inks: Inks) -> None:
    """Draw one face with the lower left corner of its trim at (x, y) pt."""
    _Pen(canvas, face, setting, x, y, inks).draw()


class _Pen:
    """Draws one face. Kept together because every part needs the same place, colour and setting."""

    def __init__(self, canvas: Canvas, face: Face, setting: Setting, x: float, y: float, inks: Inks) -> None:
        self.canvas, self.face, self.setting = canvas, face, setting
        self.x, self.y, self.inks = x, y, inks
        self.colour = inks.of(face.suit or face.code)

    def draw(self) -> None:
        """All parts, the pale ones first so that text stands on top."""
        body = _Body(self.face)
        for part in self.face.parts:
            if isinstance(part, Emblem) and self.inks.solid:
                self._emblem(part, *body.room(self.setting))
        self._band([part for part in self.face.parts if isinstance(part, Badge)])
        for part in self.face.parts:
            self._part(part)
        self._body(body)

    def _part(self, part: Part) -> None:
        match part:
            case Index():
                self._index(part, turned=False)
                self._index(part, turned=True)
            case Title():
                self._title(part)
            case Rule():
                self._rule(part)
            case _:
                return

    # The index: rank over suit, as on any playing card, so that a fanned hand can be read.

    def _index(self, index: Index, *, turned: bool) -> None:
        setting = self.setting
        middle = SAFE + _INDEX_WIDTH / 2 - 0.4 * MM
        if index.suit:
            self._corner_text(index.rank, middle, setting.height - SAFE - 4.7 * MM, 18.5, turned=turned)
            suit_y = setting.height - SAFE - 8.8 * MM
            size = 5.2 * MM
            x, y = self._corner(middle, suit_y, turned=turned)
            self._shape(SUITS[index.suit], x, y, size, turned=turned)
            return
        for place, letter in enumerate("JOKER"):
            self._corner_text(letter, middle, setting.height - SAFE - (2.6 + 2.75 * place) * MM, 9.5, turned=turned)

    def _corner(self, x: float, y: float, *, turned: bool) -> tuple[float, float]:
        """A place measured from the card's corner, or from the opposite corner of the turned card."""
        if turned:
            x, y = self.setting.width - x, self.setting.height - y
        return self.x + x, self.y + y

    def _corner_text(self, letters: str, x: float, y: float, size: float, *, turned: bool) -> None:
        """A rank centred at x with its foot at y; a wide one is drawn narrower, as the 10 of real cards is."""
        wide = fonts.width(letters, fonts.use(fonts.SERIF_BOLD)) * size
        scale = min(1.0, (_INDEX_WIDTH - 1.2 * MM) / wide)
        x, y = self._corner(x - wide * scale / 2, y, turned=turned)
        way = -1 if turned else 1
        line = self.canvas.beginText()
        line.setFont(fonts.SERIF_BOLD, size)
        line.setFillColorRGB(*self.colour)
        line.setTextTransform(way * scale, 0, 0, way, x, y)
        line.textOut(letters)
        self.canvas.drawText(line)

    def _emblem(self, emblem: Emblem, foot: float, top: float) -> None:
        """Pale pips for number cards, a crown for court cards, a cap for jokers, in the room the text leaves (pt)."""
        high = top - foot
        if high < _LEAST_EMBLEM:
            return
        canvas, wide = self.canvas, self.setting.measure
        canvas.setFillColorRGB(*tint(self.colour, _EMBLEM_STRENGTH))
        x, y = self.x + self.setting.width / 2, self.y + (top + foot) / 2
        if not emblem.suit:
            ICONS["jester"].draw(canvas, x, y, min(high, wide) * 0.9)
        elif emblem.rank in _CROWNS:
            # The crown and the suit under it make one figure, half as wide as it is high.
            size = min(high, wide * 1.5, 62 * MM)
            ICONS[_CROWNS[emblem.rank]].draw(canvas, x, y + size * 0.20, size * 0.56)
            SUITS[emblem.suit].draw(canvas, x, y - size * 0.29, size * 0.40)
        else:
            count = 1 if emblem.rank == "A" else int(emblem.rank)
            size = min(high, wide, 38 * MM) if count == 1 else min(high * 0.19, 10 * MM)
            wide = min(wide - 3 * size, high)
            for column, row, turned in pips(count):
                place = x + column * wide, y + row * (high - size)
                SUITS[emblem.suit].draw(canvas, *place, size, turned=turned)

    def _title(self, title: Title) -> None:
        size, lines = _title_lines(title.text, self.setting) or (_TITLE_SIZES[-1], (title.text,))
        top = self.setting.height - SAFE - 1.2 * MM
        first = top - size * 0.72 if len(lines) > 1 else top - size * 0.72 - 1.6 * MM
        block = self.canvas.beginText(self.x + _title_left(), self.y + first)
        block.setFont(fonts.use(fonts.SERIF_BOLD), size, size * 1.05)
        block.setFillColorRGB(*BLACK)
        for line in lines:
            block.textLine(line)
        self.canvas.drawText(block)

    def _rule(self, rule: Rule) -> None:
        """The suit's character in small capitals, then a thin line in the suit's colour to the margin."""
        canvas, setting = self.canvas, self.setting
        y = self.y + _rule_height(setting)
        left = self.x + _title_left()
        label = canvas.beginText(left, y - _SMALL * 0.33)
        label.setFont(fonts.use(fonts.SANS_BOLD), _SMALL)
        label.setFillColorRGB(*self.colour)
        label.setCharSpace(0.9)
        word = rule.word.upper()
        label.textOut(word)
        label.setCharSpace(0)
        canvas.drawText(label)
        wide = fonts.width(word, fonts.SANS_BOLD) * _SMALL + 0.9 * len(word)
        canvas.setStrokeColorRGB(*self.colour)
        canvas.setLineWidth(0.6)
        canvas.line(left + wide + 1.4 * MM, y, self.x + setting.width - _SIDE, y)

    def _body(self, body: _Body) -> None:
        """The effects from the top, the flavour from the foot."""
        setting, size = self.setting, self.setting.size
        block = self.canvas.beginText(self.x + _SIDE, self.y + _text_top(setting) - size * 0.76)
        block.setFillColorRGB(*BLACK)
        for place, lines in enumerate(body.lines(setting)):
            if place:
                block.moveCursor(0, size * _GAP)
            _write(block, lines, size)
        self.canvas.drawText(block)
        self._flavour(body)

    def _flavour(self, body: _Body) -> None:
        size = _flavour_size(self.setting)
        lines = body.flavour_lines(self.setting)
        if not lines:
            return
        lowest = self.y + _text_foot() + size * 0.25
        block = self.canvas.beginText()
        block.setFillColorRGB(*GREY)
        block.setFont(fonts.use(fonts.SERIF_ITALIC), size)
        for above, line in enumerate(reversed(lines)):
            wide = text.line_width(line) * size
            left = self.x + (self.setting.width - wide) / 2
            block.setTextOrigin(left, lowest + above * size * _LEADING)
            block.textOut("".join(run.text for run in line))
        self.canvas.drawText(block)

    # The band at the foot: what has to be counted.

    def _band(self, badges: list[Badge]) -> None:
        if not badges:
            return
        canvas, setting = self.canvas, self.setting
        left, foot = self.x + SAFE, self.y + SAFE
        wide = setting.width - 2 * SAFE - _INDEX_WIDTH - 0.8 * MM
        if self.inks.solid:
            canvas.setFillColorRGB(*tint(self.colour, 0.10))
            canvas.roundRect(left, foot, wide, _BAND, 2 * MM, stroke=0, fill=1)
        else:
            canvas.setStrokeColorRGB(*self.colour)
            canvas.setLineWidth(0.5)
            canvas.roundRect(left, foot, wide, _BAND, 2 * MM, stroke=1, fill=0)
        step = wide / 4
        for place, badge in enumerate(badges):
            self._badge(badge, left + (place + 0.5) * step, foot)

    def _badge(self, badge: Badge, x: float, foot: float) -> None:
        middle = foot + 7.5 * MM
        reversed_out = WHITE if self.inks.solid else self.colour
        if badge.kind == "score":
            self._disc(x, middle, 4.15 * MM)
            self._number(badge.number, x, middle, 16, reversed_out)
        elif badge.kind == "blood":
            self._shape(ICONS["drop"], x, middle + 0.1 * MM, 9.0 * MM)
            self._number(badge.number, x, middle - 1.3 * MM, 9.5, reversed_out, room=5.2 * MM)
        elif badge.kind == "trauma":
            self._shape(ICONS["bone"], x - 2.2 * MM, middle, 7.0 * MM)
            self._number(badge.number, x + 3.4 * MM, middle, 15, self.colour)
        else:
            self._shape(ICONS["lock"], x, middle, 7.0 * MM)
        self._caption(badge.caption, x, foot + 1.25 * MM)

    def _disc(self, x: float, y: float, radius: float) -> None:
        canvas = self.canvas
        canvas.setFillColorRGB(*self.colour)
        canvas.setStrokeColorRGB(*self.colour)
        canvas.setLineWidth(0.9)
        canvas.circle(x, y, radius, stroke=1, fill=int(self.inks.solid))

    def _number(self, number: str, x: float, y: float, size: float, colour: Rgb, *, room: float = 99.0) -> None:
        """A number centred at (x, y), smaller where it would leave its `room` (pt)."""
        font = fonts.use(fonts.SANS_BOLD)
        size = max(SMALLEST_TYPE, min(size, room / fonts.width(number, font)))
        line = self.canvas.beginText(x - fonts.width(number, font) * size / 2, y - size * 0.33)
        line.setFont(font, size)
        line.setFillColorRGB(*colour)
        line.textOut(number)
        self.canvas.drawText(line)

    def _caption(self, caption: str, x: float, y: float) -> None:
        font = fonts.use(fonts.SANS)
        line = self.canvas.beginText(x - fonts.width(caption, font) * _SMALL / 2, y)
        line.setFont(font, _SMALL)
        line.setFillColorRGB(*BLACK)
        line.textOut(caption)
        self.canvas.drawText(line)

    def _shape(self, shape: Any, x: float, y: float, size: float, *, turned: bool = False) -> None:
        """A suit or sign in the suit's colour: filled, or in outline where ink is saved."""
        canvas = self.canvas
        canvas.setFillColorRGB(*self.colour)
        canvas.setStrokeColorRGB(*self.colour)
        canvas.setLineWidth(0.7)
        shape.draw(canvas, x, y, size, fill=self.inks.solid, stroke=not self.inks.solid, turned=turned)


def _write(block: Any, lines: tuple[text.Line, ...], size: float) -> None:
    """Lines of runs into a text object, each one leading below the one before."""
    for line in lines:
        for run in line:
            block.setFont(fonts.use(run.font), size, size * _LEADING)
            block.textOut(run.text)
        block.moveCursor(0, size * _LEADING)


def _title_lines(name: str, setting: Setting) -> tuple[float, tuple[str, ...]] | None:
    """The name's type size and its one or two lines; None where even the smallest size does not do."""
    room = setting.width - _title_left() - _SIDE
    words = text.words((text.Run(name, fonts.use(fonts.SERIF_BOLD)),))
    for size in _TITLE_SIZES:
        lines = text.broken(words, room / size)
        if len(lines) <= (1 if size > 13 else 2) and text.widest(words) * size <= room:
            return size, tuple("".join(run.text for run in line) for line in lines)
    return None


def _title_left() -> float:
    return SAFE + _INDEX_WIDTH + 0.8 * MM


def _rule_height(setting: Setting) -> float:
    return setting.height - SAFE - _INDEX_HEIGHT + 0.6 * MM


def _text_top(setting: Setting) -> float:
    return setting.height - SAFE - _INDEX_HEIGHT - 2.6 * MM


def _text_foot() -> float:
    return SAFE + _BAND + 2.2 * MM


def _flavour_size(setting: Setting) -> float:
    return max(SMALLEST_TYPE, setting.size - 0.75)
