"""A card's short form on a sticker: which card it is, its name, its badges, and what it does in telegraph style.

All lengths here are points, the origin is the lower left corner of the sticker.
"""

from msgspec import Struct
from msgspec.structs import replace
from reportlab.pdfgen.canvas import Canvas

from generator.base.cards import is_joker
from generator.layout import card_elements
from generator.layout.type_sizes import type_sizes
from generator.paper import fonts, pen, tags, text
from generator.paper.art import ICONS, SUITS
from generator.paper.badges import draw_sign
from generator.paper.card import Print
from generator.paper.card_body import TYPE_STEP, OverfullError, short_words
from generator.paper.card_setting import LARGE_TYPE
from generator.paper.document import MM
from generator.paper.emblem import draw_emblem
from generator.paper.ink import BLACK, Inks, Rgb

MAX_TYPE, MIN_TYPE = type_sizes().stickers.maximum, type_sizes().stickers.minimum
_LARGER = 1.25
"""The type of a sticker with little to say is at most so much larger than that of its set."""
_LEADING = 1.1
_HEAD = 1.2
"""The line with the name, in units of its size."""
_NAME = 1.2
"""The name's size, in units of the type size."""
_GAP = 0.5
"""Between signs and words of a line, in units of their size."""
_TAIL = 0.2
"""So far does the tail of a J reach to the left of its place, in units of the type size."""
_HAIR = 0.01
"""What reaches less far makes no difference."""
_OVERHANG = 0.04
"""How far an f reaches over the end of its line, and a j over its beginning, in units of the type size."""
_MIN_EMBLEM, _MAX_EMBLEM = 5 * MM, 14 * MM
"""Smaller emblems could not be told apart, and larger ones would outweigh the words."""
_THIN = 0.35
"""The outline of a sign where ink is saved, pt."""
_SIGNS = {"blood": ("drop", 0.9), "trauma": ("bone", 1.15), "permanent": ("lock", 0.9)}
"""The signs of badges, and how wide they are per point of size."""


class StickerSetting(Struct, frozen=True):
    """The measures of a set of stickers: width and height, the margin inside, one type size, the place of the badges.

    Badges stand at the end of the name's line, or `apart` on a line of their own at the foot.
    """

    width: float
    height: float
    margin: float
    size: float
    apart: bool = False

    @property
    def measure(self) -> float:
        """The width to write on; some letters lean out of theirs."""
        return self.width - 2 * self.margin - 2 * _OVERHANG * self.size


def measure_sticker(
    faces: tuple[card_elements.Face, ...], width: float, height: float, margin: float, text_size: Print = "normal"
) -> tuple[StickerSetting, tuple[OverfullError, ...]]:
    """Return the setting with the largest type at which every short form fits, and those that fit at none."""
    stickers = [_Sticker(face) for face in faces]
    least = LARGE_TYPE if text_size == "large" else MIN_TYPE
    for step in range(int((MAX_TYPE - least) / TYPE_STEP) + 1):
        for apart in (False, True):
            setting = StickerSetting(width, height, margin, MAX_TYPE - step * TYPE_STEP, apart)
            if all(sticker.fits(setting) for sticker in stickers):
                return setting, ()
    ways = [StickerSetting(width, height, margin, least, apart) for apart in (False, True)]
    setting = min(ways, key=lambda way: sum(not sticker.fits(way) for sticker in stickers))
    return setting, tuple(sticker.fault(setting) for sticker in stickers if not sticker.fits(setting))


def own_setting(face: card_elements.Face, setting: StickerSetting) -> StickerSetting:
    """Return the setting of one sticker of a set: with larger type if it has room."""
    sticker, most = _Sticker(face), min(MAX_TYPE, setting.size * _LARGER)
    sizes = [setting.size + step * TYPE_STEP for step in range(int((most - setting.size) / TYPE_STEP), 0, -1)]
    larger = (replace(setting, size=size) for size in sizes)
    return next((own for own in larger if sticker.fits(own)), setting)


def draw_sticker(
    canvas: Canvas, face: card_elements.Face, setting: StickerSetting, x: float, y: float, inks: Inks
) -> None:
    """Draw one sticker with its lower left corner at (x, y) pt."""
    _Sticker(face).draw(canvas, setting, x, y, inks)


class _Sticker:
    """One face's short form, ready to be broken at any size."""

    def __init__(self, face: card_elements.Face) -> None:
        self.face = face
        self.index = next((part for part in face.parts if isinstance(part, card_elements.Index)), None)
        self.title = next((part for part in face.parts if isinstance(part, card_elements.Title)), None)
        self.name = text.typeset(self.title.text) if self.title else ("" if self.index else face.code)
        form = card_elements.sticker_form(face)
        self.badges = card_elements.badges_unsaid(card_elements.badges_of(face), form)
        self.words = short_words(form)
        self.emblem = next(
            (card_elements.emblem_shown(part) for part in face.parts if isinstance(part, card_elements.Emblem)), ""
        )

    def fits(self, setting: StickerSetting) -> bool:
        """Return whether everything fits at that setting."""
        return self._name_size(setting) is not None and self._excess(setting) <= 0

    def fault(self, setting: StickerSetting) -> OverfullError:
        """Return why it does not fit."""
        size = f"{setting.width / MM:.4g} x {setting.height / MM:.4g} mm"
        if self._name_size(setting) is None:
            return OverfullError(
                self.face.code, f"the name does not fit on a sticker of {size}: shorten it, or choose larger stickers"
            )
        if self._excess(setting) == float("inf"):
            return OverfullError(self.face.code, f"a word is wider than a sticker of {size}: break it or shorten it")
        return OverfullError(
            self.face.code,
            f"the short form does not fit on a sticker of {size}: at {setting.size:g} pt, the smallest type, it needs "
            f"{self._excess(setting) / MM:.1f} mm more; choose larger stickers or shorten the list of effects",
        )

    def _excess(self, setting: StickerSetting) -> float:
        if text.widest_word(self.words) * setting.size > setting.measure:
            return float("inf")
        return self._height(setting) - (setting.height - 2 * setting.margin)

    def _height(self, setting: StickerSetting) -> float:
        size = setting.size
        foot = size * _HEAD if setting.apart and self.badges else 0.0
        return size * _NAME * _HEAD + len(self._lines(setting)) * size * _LEADING + foot

    def _lines(self, setting: StickerSetting) -> tuple[text.Line, ...]:
        return text.broken_lines(self.words, setting.measure / setting.size)

    def _name_size(self, setting: StickerSetting) -> float | None:
        """The size at which the name's line is not too long, not under the type size; None where there is none."""
        taken = 0.0 if setting.apart else self._badges_width(setting.size)
        if setting.apart and self._badges_width(setting.size) > setting.measure:
            return None
        for size in (setting.size * _NAME, setting.size * (1 + _NAME) / 2, setting.size):
            room = setting.measure - self._index_width(size) - taken
            if fonts.text_width(self.name, fonts.SERIF_BOLD) * size <= room:
                return size
        return None

    def _index_width(self, size: float) -> float:
        if self.index is None:
            return _TAIL * size if self.name.startswith("J") else 0.0
        return (self._index_ink(self.index) + _GAP) * size

    def _index_ink(self, index: card_elements.Index) -> float:
        rank = _rank(index)
        return _reach(rank) + fonts.text_width(rank, fonts.SANS_BOLD) + (0.85 if index.suit else 0.0)

    def _badges_width(self, size: float) -> float:
        return sum(_badge_width(badge) + _GAP for badge in self.badges) * size

    def draw(self, canvas: Canvas, setting: StickerSetting, x: float, y: float, inks: Inks) -> None:
        """The name's line, the text and the badges from the top, and the emblem where there is room below them."""
        colour = inks.of(self.face.suit or self.face.code)
        left, right = x + setting.margin, x + setting.width - setting.margin
        size = setting.size
        top = y + setting.height - setting.margin
        base = top - size * _NAME * 0.95
        name_size = self._name_size(setting) or size
        self._head(canvas, left, base, name_size, colour, inks)
        foot = top - size * _NAME * _HEAD
        lines = self._lines(setting)
        with tags.tagged_as(canvas, self.face):
            pen.draw_lines(canvas, lines, left + _OVERHANG * size, foot - size * 0.8, size, _LEADING)
        if setting.apart:
            below = foot - len(lines) * size * _LEADING - size * 0.95
            self._badges(canvas, left, below, size, colour, inks)
        else:
            self._badges(canvas, right - self._badges_width(size) + _GAP * size, base, size, colour, inks)
        # Badges at the foot leave the right end of their line.
        under = foot - len(lines) * size * _LEADING - y - setting.margin - 0.3 * size
        beside = setting.measure - (self._badges_width(size) if setting.apart else 0.0)
        side = min(under, beside, _MAX_EMBLEM)
        if self.emblem and side >= _MIN_EMBLEM:
            middle = (right - side / 2, y + setting.margin + side / 2)
            draw_emblem(canvas, self.emblem, *middle, side, colour, None, solid=inks.solid)

    def _head(self, canvas: Canvas, x: float, y: float, size: float, colour: Rgb, inks: Inks) -> None:
        if self.index:
            rank = _rank(self.index)
            start = x + _reach(rank) * size
            with tags.tagged_as(canvas, self.index, "rank"):
                pen.draw_line(canvas, rank, start, y, fonts.SANS_BOLD, size, colour=colour)
            if self.index.suit:
                middle = start + (fonts.text_width(rank, fonts.SANS_BOLD) + 0.45) * size
                with tags.tagged_as(canvas, self.index, "suit"):
                    at = (middle, y + size * 0.33)
                    draw_sign(canvas, SUITS[self.index.suit], *at, size * 0.72, colour, solid=inks.solid, wide=_THIN)
        # Where no index shows the colour of the card, its name does.
        ink = BLACK if self.index else colour
        with tags.tagged_as(canvas, self.title):
            pen.draw_line(canvas, self.name, x + self._index_width(size), y, fonts.SERIF_BOLD, size, colour=ink)

    def _badges(self, canvas: Canvas, x: float, y: float, size: float, colour: Rgb, inks: Inks) -> None:
        for badge in self.badges:
            with tags.tagged_as(canvas, badge):
                _badge(canvas, badge, x, y, size, colour, inks)
            x += (_badge_width(badge) + _GAP) * size


def _rank(index: card_elements.Index) -> str:
    return "Joker" if is_joker(index.rank) else index.rank


def _reach(rank: str) -> float:
    """Return how far a rank reaches to the left of its place, in units of the type size: a J with serifs does."""
    ink = fonts.ink(rank, fonts.SANS_BOLD)
    reach = -ink[0] if ink else 0.0
    return reach if reach > _HAIR else 0.0


def _badge_width(badge: card_elements.Badge) -> float:
    """Return the width of a badge per point of size."""
    number = fonts.text_width(badge.number, fonts.SANS_BOLD)
    if badge.kind == "score":
        return max(1.3, number + 0.5)
    if badge.kind in _SIGNS:
        return _SIGNS[badge.kind][1] + (number + 0.12 if badge.number else 0)
    return number + 0.25 + fonts.text_width(badge.caption, fonts.SANS)


def _badge(
    canvas: Canvas, badge: card_elements.Badge, x: float, y: float, size: float, colour: Rgb, inks: Inks
) -> None:
    """One badge with its left end at x and its number on the line y: the score in a ring, others beside their sign."""
    number = fonts.text_width(badge.number, fonts.SANS_BOLD) * size
    wide = _badge_width(badge) * size
    if badge.kind == "score":
        high = size * 1.12
        pen.draw_box(canvas, (x, y + size * 0.33 - high / 2, wide, high), edge=colour, wide=0.6, radius=high / 2)
        pen.draw_line(canvas, badge.number, x + (wide - number) / 2, y, fonts.SANS_BOLD, size, colour=colour)
    elif badge.kind in _SIGNS:
        sign, width = _SIGNS[badge.kind]
        at = (x + size * width / 2, y + size * 0.35)
        draw_sign(canvas, ICONS[sign], *at, size * width * 1.05, colour, solid=inks.solid, wide=_THIN)
        pen.draw_line(canvas, badge.number, x + wide - number, y, fonts.SANS_BOLD, size, colour=BLACK)
    else:
        pen.draw_line(canvas, badge.number, x, y, fonts.SANS_BOLD, size, colour=colour)
        pen.draw_line(canvas, badge.caption, x + number + 0.25 * size, y, fonts.SANS, size, colour=BLACK)
