"""The face of a playing card: where its parts stand, and how they are drawn.

`measure` looks at all faces of a set and finds the largest type size at which every one of them fits; a face with less
to say takes one of a few larger sizes. `draw` puts one face on a canvas. All lengths here are points, the origin is the
lower left corner of the card's trim.

Index, badges and names grow and shrink with the card; the type has a floor. Where that leaves too little room the parts
that the template lets go give way one after the other, on all cards of the set alike.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace
from reportlab.pdfgen.canvas import Canvas

from generator.base.cards import is_joker
from generator.base.errors import FaceError
from generator.base.sentences import sentence_parts
from generator.layout import card_elements
from generator.layout.reading import texts_in
from generator.layout.type_sizes import type_sizes
from generator.model.rules import BackDesign
from generator.model.themes import Palette
from generator.paper import badges, emblem, fonts, pen, sketch, tags, text
from generator.paper.art import ICONS, SUITS
from generator.paper.document import MM
from generator.paper.emblem import LEAST_ROOM
from generator.paper.gallery import Gallery
from generator.paper.ground import draw_ground
from generator.paper.ink import BLACK, GREY, OXBLOOD, WHITE, Inks, Rgb, rgb, tint
from generator.paper.window import TORN, Style, Window, draw_window
from generator.words.wording import DAGGER

SAFE = 3.2 * MM
"""What the print shops ask for; at home 3 mm would do."""
_TYPE = type_sizes().cards
MIN_TYPE, LARGE_TYPE = _TYPE.minimum, _TYPE.large_print
"""The smallest type of cards, and in large print, pt."""
_BODY = _TYPE.body
"""The two sizes of a deck's sentences, pt: the smaller is read at arm's length."""
TYPE_STEP = 0.25

Print = Literal["normal", "large"]

_LEADING = 1.2
_GAP = 0.42
"""Between two sentences, in units of the type size."""
_APART = 0.95
"""Before a sentence with a label, which begins something else, in units of the type size."""

_HANGING = 1.55
"""What a numbered line is indented by, in units of the type size."""
_NUMBERED = 0.3
"""Before a numbered line, in units of the type size."""
_DISC = 0.66
"""The radius of the disc round a number, in units of the number's size."""
_MAX_ENDING_LENGTH = 12.0
"""An until-when that is longer than this is broken like other text, in units of the type size."""
_SCALE_LEADING = 1.26
"""From one row of a scale to the next, in units of the type size."""
_BOX = 1.9
"""The height of a box to cross off, in units of the type size."""
_BOX_STEP = 2.3
"""From one row of boxes to the next, in units of the type size."""

_LINE, _LOW_LINE = 2.3, 1.7
"""The height of a line to write on in units of the type size, and where the words want its room: 6 mm do for a hand."""
_VALUE_LEADING = 1.6
"""From one line of what is written to the next, in units of the type size."""
_NAME_LEADING = 0.92
_LONGEST_TURNED = 18 * MM
_WORD_APART = 0.9
"""Between the letters of a suit's word, pt."""
_TALLEST = 0.59
"""Of the height of a card: so high is a window at most."""
_MARGIN = 1.7 * MM
"""From the cut to the picture in a window."""
_PICTURE = 21 * MM
"""The height of a picture over the larger type: a smaller picture has the smaller type below it."""
_MIDDLE = 32 * MM
"""The height of the window between two ends of a card at most."""
_FIGURE = 5 * MM
"""The width of a figure beside a name."""
_APART_FOOT = 1.7 * MM
"""Over badges and turned index, to the edge of the band that they stand on."""
_TRIM = (63.5 * MM, 88.9 * MM)
"""The trim that the measures below are for: a poker card. On other cards they grow or shrink with the card."""
_MIN_SCALE, _MAX_SCALE = 0.6, 1.6
_SIDE = 1.2 * MM
"""From the safe line to the text."""
_INDEX_WIDTH = 8.2 * MM
_NARROWEST = 0.64
"""So narrow may the figures of an index be, beside their own width."""
_INDEX_HEIGHT = 12.6 * MM
_INDEX_INK = 11.4 * MM
"""As far as rank and suit really reach down."""
_RANK_INK = 5.8 * MM
"""As far as a rank without a suit does, with the line under it; and the widest that it may be."""
_WIDEST_INDEX = 17 * MM
_JOKER_INK = 12.7 * MM
"""As far as the letters of a joker do."""
_JOKER_STEP = 2.5 * MM
_TURNED_SHARE = 0.66
"""Of the turned index beside the upright one."""
_HEAD = 2.9 * MM
"""From the foot of the window to the text: its edge hangs down into it."""
_BETWEEN = 1.5 * MM
_BEHIND_TEXT = 0.14
"""Of a picture on the ground: so pale that all letters have 4.5:1 on the darkest of it."""


class OverfullError(FaceError):
    """A face does not fit its card; says which and by how much."""


class CardSetting(Struct, frozen=True):
    """How a set is set: the card's trim in points, one type size for all faces, what they have and what gave way.

    `scale` says how large index, badges and names are beside those of a poker card. A face's own are `band`, whether it
    has badges at its foot; `index_ink` and `index_room`, how high and wide its index is on a poker card; `line`, the
    height of its lines to write on, in units of the type size; and its `window`, how high that is and the strip in it
    for the name, and whether it is `tall`: with a picture over the name. An `end` of a card is set on half its height.
    """

    width: float
    height: float
    size: float
    least: float = MIN_TYPE
    index: bool = True
    title: bool = True
    rule: bool = True
    band: bool = True
    spared: frozenset[str] = frozenset()
    scale: float = 1.0
    index_ink: float = _INDEX_INK
    index_room: float = _INDEX_WIDTH
    line: float = _LINE
    sign: str = ""
    end: bool = False
    window: float = 0.0
    strip: float = 0.0
    tall: bool = False

    @property
    def side(self) -> float:
        """From the trim to the text, pt."""
        return SAFE + _SIDE * self.scale

    @property
    def measure(self) -> float:
        """The width of the text column, pt."""
        return self.width - 2 * self.side

    @property
    def small(self) -> float:
        """The size of captions and of the word in the rule, pt."""
        return max(self.least, badges.SMALL * self.scale)

    @property
    def flavour(self) -> float:
        """The size of the flavour, pt."""
        return max(self.least, _TYPE.flavour * self.scale)

    @property
    def largest(self) -> float:
        """The largest type that all faces of a set have alike, pt."""
        return max(_TYPE.dense, _TYPE.dense * self.scale, self.least + 2.5)

    @property
    def index_width(self) -> float:
        """The width that an index takes inside the safe line, pt."""
        return self.index_room * self.scale

    @property
    def foot(self) -> badges.Foot:
        """The room for badges, which ends before the turned index."""
        taken = (self.index_width * _TURNED_SHARE + 1.2 * MM * self.scale) if self.turned else 0.0
        wide = self.width - 2 * SAFE - taken
        return badges.Foot(wide, self.scale, self.least, self.small, "captions" not in self.spared)

    @property
    def turned(self) -> bool:
        """Whether the index stands in the lower corner too."""
        return self.index and "turned" not in self.spared

    @property
    def notch(self) -> tuple[float, float]:
        """The width and height of the corner of a window that the index stands in, pt from the trim."""
        if not self.index:
            return 0.0, 0.0
        return SAFE + self.index_width + 0.2 * MM * self.scale, SAFE + self._index_ink + 1.6 * MM * self.scale

    @property
    def title_left(self) -> float:
        """From the trim to a name beside the index, pt."""
        return self.notch[0] + 1.6 * MM * self.scale if self.index else self.side

    def names(self, *, tall: bool) -> tuple[tuple[float, int], ...]:
        """The sizes a name may have, the largest first, pt, each with the most lines."""
        sizes = _TYPE.names if tall else _TYPE.low_names
        return tuple((max(each.size * self.scale, self.least), each.lines) for each in sizes)

    @property
    def word(self) -> bool:
        """Whether the word of a suit is printed."""
        return self.rule and "rule" not in self.spared

    @property
    def text_top(self) -> float:
        """Where the text begins, pt over the foot of the trim."""
        return self.height - self.window - _HEAD * self.scale

    @property
    def band_top(self) -> float:
        """The upper edge of the band at the foot, pt over the foot of the trim; 0 where there is none."""
        high = max(self.foot.height if self.band else 0.0, self._index_ink * _TURNED_SHARE if self.turned else 0.0)
        return SAFE + high + _APART_FOOT * self.scale if high else 0.0

    @property
    def text_foot(self) -> float:
        """Where text must end, pt over the foot of the trim."""
        if self.end:
            return 1.2 * MM * self.scale
        return self.band_top + 1.6 * MM * self.scale if self.band_top else SAFE + 0.8 * MM

    @property
    def _index_ink(self) -> float:
        """How far the index reaches in from the safe line, pt."""
        return self.index_ink * self.scale


def sentence_words(effect: card_elements.CardEffect) -> tuple[text.Word, ...]:
    """A sentence as words: numbers bold, a full stop at its end; until-when in italics, on one line if it is short."""
    says, ending = sentence_parts(effect.says, effect.until)
    label = (text.Run(f"{effect.label}: ", fonts.SANS_BOLD),) if effect.label else ()
    plain = text.split_words((*label, *text.figures_bold(says, fonts.SANS, fonts.SANS_BOLD)))
    if not ending:
        return plain
    until = text.figures_bold(ending, fonts.SANS_ITALIC, fonts.SANS_BOLD)
    whole = text.unbroken_word(until)
    return (*plain, *((whole,) if whole.width <= _MAX_ENDING_LENGTH else text.split_words(until)))


def short_words(short: str) -> tuple[text.Word, ...]:
    """Return a short form as words: numbers bold."""
    return text.split_words(text.figures_bold(short, fonts.SANS, fonts.SANS_BOLD))


def flavour_words(flavour: card_elements.Flavour) -> tuple[text.Word, ...]:
    """Return a line of colour as words."""
    return text.split_words((text.Run(flavour.text, fonts.SERIF_ITALIC),))


def measure_card(
    faces: tuple[card_elements.Face, ...],
    width: float,
    height: float,
    text_size: Print = "normal",
    *,
    yielding: bool = False,
) -> tuple[CardSetting, tuple[OverfullError, ...]]:
    """Return the setting with the largest type at which every face fits a card of that trim (pt).

    If `yielding`, what the faces let go gives way, one thing after the other, until everything fits. Faces that do not
    fit at the smallest size are given back too, each as an error that has not been raised.
    """
    bodies = [_body_of(face) for face in faces]
    setting = _setting(faces, width, height, text_size, frozenset())
    for spared in _sparing(faces if yielding else ()):
        setting = _setting(faces, width, height, text_size, spared)
        if yielding and not all(body.captions_fit(setting) for body in bodies):
            # Words that run into each other are of no use, whatever else there is room for.
            setting = replace(setting, spared=setting.spared | {"captions"})
        for size in _sizes(setting):
            setting = replace(setting, size=size)
            if all(body.fault(setting) is None for body in bodies):
                return setting, ()
    return setting, tuple(fault for body in bodies if (fault := body.fault(setting)))


def _setting(
    faces: tuple[card_elements.Face, ...], width: float, height: float, text_size: Print, spared: frozenset[str]
) -> CardSetting:
    kinds = {type(part) for face in faces for part in face.parts}
    least = LARGE_TYPE if text_size == "large" else MIN_TYPE
    shown = [part for face in faces for part in face.parts if isinstance(part, card_elements.Badge)]
    if all(map(badges.self_evident, shown)):
        spared |= {"captions"}
    has = {
        "index": card_elements.Index in kinds,
        "title": card_elements.Title in kinds,
        "rule": card_elements.Rule in kinds,
    }
    unstepped = min(width / _TRIM[0], height / _TRIM[1])
    scale = min(max(unstepped, _MIN_SCALE), _MAX_SCALE)
    return CardSetting(width, height, least, least, spared=spared, scale=scale, **has)  # type: ignore[arg-type]


def _sparing(faces: tuple[card_elements.Face, ...]) -> Iterator[frozenset[str]]:
    """Nothing, then what gives way first, then that and the second, and so on."""
    yields = faces[0].yields if faces else ()
    for count in range(len(yields) + 1):
        yield frozenset(yields[:count])


def _sizes(setting: CardSetting) -> Iterator[float]:
    """Yield the type sizes to try, the largest first, pt."""
    steps = int((setting.largest - setting.least) / TYPE_STEP)
    for step in range(steps, -1, -1):
        yield setting.least + step * TYPE_STEP


_FONTS: Mapping[type, str] = {card_elements.Title: fonts.DISPLAY, card_elements.Flavour: fonts.SERIF_ITALIC}


def card_texts(face: card_elements.Face) -> Iterator[tuple[str, str]]:
    """Yield every text of a face with the font that it is set in: what must have glyphs."""
    for part in face.parts:
        if not isinstance(part, card_elements.CardArt | card_elements.Emblem | card_elements.Sketch):
            yield from ((words, _FONTS.get(type(part), fonts.SANS)) for words in texts_in(part))


class _Body:
    """The running text of one face, ready to be broken at any type size."""

    def __init__(self, face: card_elements.Face) -> None:
        self.code = face.code
        self.badges = [part for part in face.parts if isinstance(part, card_elements.Badge)]
        self.arts = [part for part in face.parts if isinstance(part, card_elements.CardArt) and part.placed == "window"]
        self.title = next((part for part in face.parts if isinstance(part, card_elements.Title)), None)
        self.effects = [part for part in face.parts if isinstance(part, card_elements.CardEffect)]
        self.numbered = [part for part in face.parts if isinstance(part, card_elements.Callout)]
        self.end = len(face.ends) == 1
        self.ends = [_Body(each) for each in _ends(face)] if len(face.ends) > 1 and not face.apart else []
        self.sentences = [
            *(sentence_words(replace(part, label="") if self.end else part) for part in self.effects),
            *(short_words(part.says) for part in self.numbered),
        ]
        self.apart = [
            *(_APART if part.label and not self.end else _GAP for part in self.effects),
            *(_NUMBERED for _ in self.numbered),
        ]
        self.flavours = [flavour_words(part) for part in face.parts if isinstance(part, card_elements.Flavour)]
        word = next((part.word for part in face.parts if isinstance(part, card_elements.Rule)), "")
        self.word, self.rows = (
            word,
            [row for part in face.parts if isinstance(part, card_elements.Scale) for row in part.rows],
        )
        self.forms: list[card_elements.Blank | card_elements.CardTrack] = [
            part for part in face.parts if isinstance(part, card_elements.Blank | card_elements.CardTrack)
        ]
        self.face = face
        self.figure = any(isinstance(part, card_elements.Emblem) and part.figure for part in face.parts)
        scores = [part.number for part in self.badges if part.kind == "score" and part.number.isdigit()]
        # Without a score the edge is a little broken, as suits are.
        self.broken = min(1.0, int(scores[0]) / 10) if len(scores) == 1 else 0.35 if face.suit else 0.0
        self._settled: dict[CardSetting, CardSetting] = {}
        self._heads: dict[tuple[float | bool, ...], tuple[float, float]] = {}

    def dressed(self, setting: CardSetting) -> CardSetting:
        """Return the setting of a set with what this face has: without badges there is more room for its text."""
        index = next((part for part in self.face.parts if isinstance(part, card_elements.Index)), None)
        ink, room = _INDEX_INK, _INDEX_WIDTH
        if index and is_joker(index.rank):
            ink = _JOKER_INK
        elif index and not index.suit:
            wide = pen.letters_width(index.rank, fonts.INDEX, _TYPE.index)
            ink, room = _RANK_INK, min(max(_INDEX_WIDTH, wide + 2 * MM), _WIDEST_INDEX)
        setting = replace(setting, band=bool(self.badges), index_ink=ink, index_room=room)
        if not self.end or setting.end:
            return setting
        high = setting.height / 2 - 1 * MM * setting.scale
        return replace(setting, end=True, height=high, spared=setting.spared | {"turned"})

    def settled_ends(self, setting: CardSetting) -> tuple[list[CardSetting], float]:
        """Return the settings of both ends, in one size, and the height of the window that they leave between them."""
        size = min(each.own(setting).size for each in self.ends)
        settled = [each.windowed(replace(each.own(setting), size=size)) for each in self.ends]
        pairs = zip(self.ends, settled, strict=True)
        need = max(own.window + _HEAD * own.scale + each.text_height(own) + own.text_foot for each, own in pairs)
        return settled, min(setting.height - 2 * need, _MIDDLE * setting.scale)

    def captions_fit(self, setting: CardSetting) -> bool:
        """Return whether the badges keep apart, and the words under them if they are there at all."""
        return badges.badges_fit(self.badges, setting.foot)

    def said(self, setting: CardSetting) -> list[tuple[text.Word, ...]]:
        """Return the sentences, or their short form where they gave way."""
        if "sentences" not in setting.spared:
            return self.sentences
        short = card_elements.short_form(self.face)
        return [short_words(short)] if short else []

    def told(
        self, setting: CardSetting
    ) -> Sequence[card_elements.CardEffect | card_elements.Callout | card_elements.Face]:
        """Return the parts that the sentences tell: a part each, or the whole face in short."""
        return [self.face] if "sentences" in setting.spared else [*self.effects, *self.numbered]

    def coloured(self, setting: CardSetting) -> list[tuple[text.Word, ...]]:
        """Return the flavour, unless it gave way."""
        return [] if "flavour" in setting.spared else self.flavours

    def lines(self, setting: CardSetting) -> list[tuple[text.Line, ...]]:
        """Return the sentences in lines."""
        return [
            text.broken_lines(words, setting.measure / setting.size - hanging)
            for words, hanging in zip(self.said(setting), self.hanging(setting), strict=True)
        ]

    def hanging(self, setting: CardSetting) -> list[float]:
        """Return the indent of each sentence, in units of the type size."""
        line_count = len(self.said(setting))
        return [_HANGING if at >= line_count - len(self.numbered) else 0.0 for at in range(line_count)]

    def flavour_lines(self, setting: CardSetting) -> tuple[text.Line, ...]:
        """Return the flavour in lines."""
        measure = setting.measure / setting.flavour
        return tuple(line for words in self.coloured(setting) for line in text.broken_lines(words, measure))

    def height(self, setting: CardSetting) -> float:
        """Return how high the sentences, the scale and what is written under them stand together, pt."""
        return self.printed_height(setting) + sum(_written_height(part, setting) for part in self.written(setting))

    def printed_height(self, setting: CardSetting) -> float:
        """Return how high the sentences and the scale with its heading stand together, pt."""
        rows = self.scale(setting)
        return self.said_height(setting) + len(rows) * setting.size * _SCALE_LEADING + self.heading(setting)

    def heading(self, setting: CardSetting) -> float:
        """Return the height of the word over a scale, which is its heading, pt."""
        return 1.5 * setting.small if self.word and setting.word and self.scale(setting) else 0.0

    def said_height(self, setting: CardSetting) -> float:
        """Return how high the sentences stand, and the gap to a scale below them, pt."""
        lines = self.lines(setting)
        gaps = sum(self.gaps(setting)) + (_GAP if lines and self.scale(setting) else 0)
        return sum(map(len, lines)) * setting.size * _LEADING + gaps * setting.size

    def gaps(self, setting: CardSetting) -> list[float]:
        """Return the gap before each sentence but the first, in units of the type size."""
        return [] if "sentences" in setting.spared else self.apart[1:]

    def scale(self, setting: CardSetting) -> list[tuple[str, float, str]]:
        """Return the chances to look up, unless they gave way."""
        return [] if "scale" in setting.spared else self.rows

    def settled(self, setting: CardSetting) -> CardSetting:
        """Return the setting of a set as it is for this face: its own size, and the window that its text leaves."""
        if setting not in self._settled:
            self._settled[setting] = self.windowed(self.own(setting))
        return self._settled[setting]

    def name(self, setting: CardSetting, *, tall: bool) -> tuple[float, tuple[text.Line, ...]] | None:
        """Return the name's size and its lines; None where even the smallest size does not do."""
        if self.title is None:
            return 0.0, ()
        room = setting.width - setting.side - (setting.side if tall else setting.title_left)
        room -= _FIGURE * setting.scale if self.figure and not tall else 0.0
        plain, dagger, _ = self.title.text.partition(DAGGER)
        words = text.split_words(
            [text.Run(plain, fonts.DISPLAY), *([text.Run(dagger, fonts.SANS, 0.6)] if dagger else [])]
        )
        for size, most in setting.names(tall=tall):
            if text.widest_word(words) * size <= room and text.line_count(words, room / size) <= most:
                return size, text.broken_lines(words, room / size)
        return None

    def heads(self, setting: CardSetting, *, tall: bool) -> tuple[float, float]:
        """Return the least height of a window, and of the strip at its foot on which the name stands, pt."""
        key = setting.width, setting.scale, setting.least, setting.word, *setting.notch, tall
        if key not in self._heads:
            self._heads[key] = self._least_heads(setting, tall=tall)
        return self._heads[key]

    def _least_heads(self, setting: CardSetting, *, tall: bool) -> tuple[float, float]:
        size, lines = self.name(setting, tall=tall) or (0.0, ())
        unit = MM * setting.scale
        strip = name_base(size, setting) + (len(lines) - 1) * _NAME_LEADING * size + 0.66 * size if lines else 0.0
        if tall:
            strip += (1.5 * unit if lines else 0.0) + (setting.small * 0.72 + 1.3 * unit if self.flat(setting) else 0.0)
            turned = self.word and setting.word and not self.rows and not self.flat(setting)
            word = self.word_top(replace(setting, tall=True)) + self.word_width(setting) + 0.8 * unit if turned else 0.0
            least = max(setting.notch[1], LEAST_ROOM * setting.scale + _MARGIN, word)
            return least + strip, strip
        word = setting.small * 0.72 + 1.5 * unit if self.word and setting.word and not self.rows else 0.0
        high = max(setting.notch[1], SAFE + word + strip if lines else 0.0)
        return high, high

    def torn(self, setting: CardSetting) -> bool:
        """Return whether the card is one to keep: then its corner is torn, which shows in a pile."""
        return setting.tall and any(part.kind == "permanent" for part in self.badges)

    def word_top(self, setting: CardSetting) -> float:
        """Return the way from the upper trim to a turned word, pt."""
        return (TORN + 0.6) * MM * setting.scale if self.torn(setting) else SAFE

    def word_width(self, setting: CardSetting) -> float:
        """Return how wide the word of a suit is, pt."""
        word = self.word.upper()
        return pen.letters_width(word, fonts.SANS_BOLD, setting.small) + _WORD_APART * len(word)

    def tab(self, setting: CardSetting) -> tuple[float, float]:
        """Return the width and height of the corner for a turned word, pt from the trim; 0 where none is turned."""
        if not (setting.tall and self.word and setting.word) or self.rows or self.flat(setting):
            return 0.0, 0.0
        unit = MM * setting.scale
        return SAFE + setting.small * 0.7 + 1.1 * unit, self.word_top(setting) + self.word_width(setting) + 0.9 * unit

    def flat(self, setting: CardSetting) -> bool:
        """Return whether the word of a suit is too long to be turned: then it stands over the name."""
        return setting.word and not self.rows and self.word_width(setting) > _LONGEST_TURNED * setting.scale

    def text_height(self, setting: CardSetting) -> float:
        """Return how high flavour, sentences and what is written stand together, pt."""
        lines, high = len(self.flavour_lines(setting)), self.height(setting)
        return high + (lines * setting.flavour * _LEADING + (0.45 * setting.size if high else 0.0) if lines else 0.0)

    def left(self, setting: CardSetting) -> float:
        """Return the height that the text leaves to a window, pt."""
        return setting.height - setting.text_foot - self.text_height(setting) - _HEAD * setting.scale

    def windowed(self, setting: CardSetting) -> CardSetting:
        """Return the setting of a face with the window that its text leaves."""
        least, strip = self.heads(setting, tall=True)
        left = self.left(setting)
        if self.pictured(setting) and left >= least and self.name(setting, tall=True):
            most = setting.height * (_TALLEST if self.title else 1)
            return replace(setting, tall=True, strip=strip, window=min(left, max(least, most)))
        least, strip = self.heads(setting, tall=False)
        return replace(setting, tall=False, strip=strip, window=least)

    def pictured(self, setting: CardSetting) -> bool:
        """Return whether a face has a picture to show in its window."""
        kinds = card_elements.Emblem | card_elements.Sketch
        shown = bool(setting.sign or self.pictures(setting)) or any(isinstance(each, kinds) for each in self.face.parts)
        return shown and not self.end

    def room(self, setting: CardSetting) -> tuple[float, float, float, float]:
        """The room for a picture in the window: left and foot from the trim, width and height, pt."""
        unit = MM * setting.scale
        left, right = (
            setting.notch[0] + 0.6 * unit,
            setting.width - SAFE - (setting.small + 0.8 * MM if setting.word else 0),
        )
        if not setting.index:
            left = setting.width - right
        elif not self.title:
            right = setting.width - left
        if self.figure and not setting.tall:
            # Beside the name, at the end of the window.
            foot, high = setting.height - setting.window + _MARGIN * 0.6, setting.window - _MARGIN * 1.6
            return setting.width - SAFE - _FIGURE * setting.scale, foot, _FIGURE * setting.scale, high
        foot, top = setting.height - setting.window + setting.strip, setting.height - _MARGIN
        return left, foot, right - left, max(0.0, top - foot) if setting.tall else 0.0

    def written(self, setting: CardSetting) -> list[card_elements.Blank | card_elements.CardTrack]:
        """Return the boxes, and the lines to write on unless they gave way."""
        return [
            part for part in self.forms if isinstance(part, card_elements.CardTrack) or "lines" not in setting.spared
        ]

    def written_over(self, setting: CardSetting) -> bool:
        """Return whether what is written on a line, or a row of boxes, is wider than the card."""
        return any(_written_width(part, setting) > setting.measure for part in self.written(setting))

    def excess(self, setting: CardSetting) -> float:
        """How many points the text is too high; negative where there is room. Infinite for a word that is too wide."""
        words = [
            *zip(self.said(setting), self.hanging(setting), strict=True),
            *((each, 0.0) for each in self.coloured(setting)),
        ]
        if any((text.widest_word(each) + hanging) * setting.size > setting.measure for each, hanging in words):
            return float("inf")
        if self.written_over(setting):
            return float("inf")
        return max(self.heads(setting, tall=False)[0] - self.left(setting), self._picture_excess(setting))

    def pictures(self, setting: CardSetting) -> list[card_elements.CardArt]:
        """Return the pictures of the pack's own, unless they gave way."""
        return [] if "picture" in setting.spared else self.arts

    def _picture_excess(self, setting: CardSetting) -> float:
        """How many points pictures want more than the text leaves."""
        if not self.pictures(setting):
            return float("-inf")
        return self.heads(setting, tall=True)[0] - self.left(setting)

    def own(self, setting: CardSetting) -> CardSetting:
        """Return the setting of a set in the size of this face, the largest at which its words fit.

        The text stays smaller than the name and leaves the room of the emblem, as long as it is legible all the same;
        otherwise the emblem gives way before the type does, then the height of lines to write on, the flavour, a
        picture of the pack's own, and those lines.
        """
        setting = self.dressed(setting)
        low = replace(setting, line=_LOW_LINE)
        bare = low.spared | {"flavour", "picture"}
        # A line that a callout explains stays.
        spared = (low.spared, low.spared | {"flavour"}, bare, bare if self.numbered else bare | {"lines"})
        forms = (setting, *(replace(low, spared=gone) for gone in spared))
        own = next((own for form in forms if (own := self._largest(form)).size >= _BODY[1] * setting.scale), None)
        # There is always room for a hand on the lines of a card that is too full.
        full = (self._largest(form) for form in (setting, replace(setting, spared=bare)))
        return own or max(full, key=lambda each: each.size)

    def _largest(self, setting: CardSetting) -> CardSetting:
        """Return the setting in the larger size of the deck beside a picture, in the smaller one, or as it is."""
        larger, smaller = (replace(setting, size=max(size * setting.scale, setting.least)) for size in _BODY)
        if self.excess(larger) <= 0 and self._leaves_picture(larger):
            return larger
        return smaller if self.excess(smaller) <= 0 else setting

    def _leaves_picture(self, setting: CardSetting) -> bool:
        """Return whether the text leaves as much room as the face's emblem or sketch needs, if it has one."""
        needed = _PICTURE * setting.scale
        if self.end:
            return self.left(setting) - self.heads(setting, tall=False)[0] >= needed / 2
        for part in self.face.parts:
            if isinstance(part, card_elements.Sketch):
                needed = sketch.least_room(part, setting.least) + 2 * MM
        least, strip = self.heads(setting, tall=True)
        return not self.pictured(setting) or self.left(setting) >= max(least, strip + _MARGIN + needed)

    def fault(self, setting: CardSetting) -> OverfullError | None:
        """Return why the face does not fit, or None."""
        if self.ends:
            return next((fault for each in self.ends if (fault := each.fault(setting))), None)
        setting = self.dressed(setting)
        excess = self.excess(setting)
        if not self.captions_fit(setting):
            return OverfullError(self.code, "the badges at the foot are wider than the card: shorten their words")
        if self.name(setting, tall=False) is None:
            return OverfullError(self.code, "the name does not fit in two lines: shorten it")
        if self.written_over(setting):
            return OverfullError(self.code, "a word is wider than the line to write on: break it or shorten it")
        if excess == float("inf"):
            return OverfullError(self.code, "a word is wider than the card: break it or shorten it")
        if excess > 0:
            return OverfullError(
                self.code,
                f"the text does not fit its card: at {setting.size:g} pt, the smallest type, it needs "
                f"{excess / MM:.1f} mm more; shorten the name, the flavour or the list of effects",
            )
        return None


def _ends(face: card_elements.Face) -> Iterator[card_elements.Face]:
    """Yield the two ends of a face as faces of their own, the upright one first."""
    effects: tuple[list[card_elements.CardEffect], ...] = ([], [])
    said = effects
    for part in face.parts:
        if isinstance(part, card_elements.CardEffect):
            if part.label:
                named = [end.lower() in part.label.lower() for end in face.ends]
                said = tuple(each for each, meant in zip(effects, named, strict=True) if meant) or effects
            for each in said:
                each.append(part)
    for end, own in zip(face.ends, effects, strict=True):
        kinds = card_elements.Index | card_elements.Title | card_elements.Flavour
        kept = (part for part in face.parts if isinstance(part, kinds))
        kept = (part for part in kept if own is effects[0] or not isinstance(part, card_elements.Flavour))
        yield replace(face, parts=(*kept, card_elements.Rule(end), *own), ends=(end,))


# --- drawing -------------------------------------------------------------------------------------------------------


def _body_of(face: card_elements.Face) -> _Body:
    """Return the text of a face, which is measured, and drawn in more than one layer."""
    body = _measured_body(face)
    # Tags know parts by identity: those of an equal face are others.
    return body if body.face is face else _Body(face)


@fonts.measured_once(500)
def _measured_body(face: card_elements.Face) -> _Body:
    return _Body(face)


def picture_rooms(
    face: card_elements.Face, setting: CardSetting
) -> list[tuple[card_elements.CardArt, tuple[float, float, float, float]]]:
    """Return the pack's own pictures in the window of a face, and where each stands: left and bottom from the trim,
    width, height, pt. Side by side they cover the window over the name."""
    body = _body_of(face)
    setting = setting if setting.window else body.settled(setting)
    pictures = body.pictures(setting)
    step, high = setting.width / max(1, len(pictures)), setting.window - setting.strip
    bottom = setting.height - high
    return [(picture, (place * step, bottom, step, high)) for place, picture in enumerate(pictures)]


class CardPen:
    """Draws one face, the lower left corner of its trim at (x, y) pt, with the pictures of `gallery`.

    Kept together because every part needs the same place, colour and setting.
    """

    window: Window

    def __init__(
        self,
        canvas: Canvas,
        face: card_elements.Face,
        setting: CardSetting,
        x: float,
        y: float,
        inks: Inks,
        gallery: Gallery | None,
        body: _Body | None = None,
    ) -> None:
        self.canvas, self.face, self.gallery, self.body = canvas, face, gallery, body or _body_of(face)
        self.ends: list[CardPen] = []
        if self.body.ends:
            settled, middle = self.body.settled_ends(setting)
            tops = (y + setting.height - each.height for each in settled)
            self.ends = [
                CardPen(canvas, each.face, own, x, top, inks, gallery, each)
                for each, own, top in zip(self.body.ends, settled, tops, strict=True)
            ]
            for end, turned in zip(self.ends, (False, True), strict=True):
                filled = turned and inks.filled
                end.window = replace(end.window, filled=filled, locked=turned, style="number" if filled else "ace")
        self.setting = setting = setting if setting.end else self.body.settled(setting)
        self.x, self.y, self.inks = x, y, inks
        self.colour = inks.of(face.suit or face.code)
        design = gallery.design if gallery else BackDesign()
        chosen = design.colour is None or getattr(canvas, "palette", Palette()).back != Palette().back
        left, foot, wide, high = self.body.room(setting)
        style = _style(face)
        self.window = Window(
            place=(x, y + setting.height - setting.window, setting.width, setting.window),
            strip=setting.strip,
            notch=setting.notch,
            tab=self.body.tab(setting),
            heart=(x + left + wide / 2, y + foot + high / 2),
            pattern=(gallery.patterns.get(face.suit) if gallery else None) or design.pattern or "lozenges",
            colour=inks.window(face.suit or face.code, OXBLOOD if chosen else rgb(design.colour or "")),
            ink=self.colour,
            filled=(inks.filled and (style != "ace" or self._pictured())) or self.covered,
            dark=inks.filled or self.covered,
            foot=setting.band_top,
            scale=setting.scale,
            seed=face.code,
            style=style,
            broken=self.body.broken,
            torn=self.body.torn(setting),
            solid=inks.solid,
        )
        if self.ends:
            foot = y + (setting.height - middle) / 2
            self.window = replace(
                self.window,
                place=(x, foot, setting.width, middle),
                strip=0.0,
                notch=(0.0, 0.0),
                tab=(0.0, 0.0),
                heart=(x + setting.width / 2, foot + middle / 2),
                foot=0.0,
                torn=False,
            )

    def _turns(self) -> Iterator["CardPen"]:
        """Yield the pens of the ends, with the page turned for the second."""
        upright, turned = self.ends
        yield upright
        with pen.placed(self.canvas, (2 * self.x + self.setting.width, 2 * self.y + self.setting.height), turn=180):
            yield turned

    def draw_ground(self, bleed: float, *, ground: bool) -> None:
        """Draw the ground of the face, if there is a `ground`, with `bleed` pt around its trim."""
        if ground:
            trim = (self.x, self.y, self.setting.width, self.setting.height)
            draw_ground(self.canvas, trim, bleed, self.inks)

    def draw_window(self, bleed: float) -> None:
        """Draw the window, with a picture of the pack's own in it, and the band at the foot, with `bleed` pt around."""
        patterned = self.inks.solid and (self.gallery is None or self.gallery.pale) and not self.covered
        left, foot, wide, high = self.window.place
        for end in self._turns() if self.ends else ():
            end.draw_window(bleed)
            half = replace(self.window, place=(left, foot, wide, high / 2))
            draw_window(self.canvas, half, self.y, bleed, patterned=patterned)
        if self.ends:
            return
        picture = self._draw_pictures if self._pictured() else None
        draw_window(self.canvas, self.window, self.y, bleed, patterned=patterned, picture=picture, bare=self.covered)

    def _pictured(self) -> bool:
        """Return whether pictures of the pack's own cover the window."""
        shown = self.body.pictures(self.setting) if self.setting.tall else []
        return bool(shown) and self.gallery is not None and all(self.gallery.has(each.path) for each in shown)

    def _draw_pictures(self, x: float, y: float, width: float, height: float) -> None:
        """Cover a part of the window with the pack's own pictures, side by side."""
        shown = self.body.pictures(self.setting)
        step = width / len(shown)
        for place, picture in enumerate(shown):
            if self.gallery:
                self.gallery.cover(self.canvas, picture.path, x + place * step, y, step, height)

    @property
    def covered(self) -> bool:
        """Whether a picture of the pack's own lies over the whole card."""
        own = card_elements.backdrop_art(self.face)
        return own is not None and own.placed == "bleed" and self.gallery is not None and self.gallery.has(own.path)

    def draw_backdrop(self, bleed: float, paper: Rgb, *, cut: bool) -> None:
        """Draw the picture on the ground of the face, with `bleed` pt around its trim or `cut` to that.

        `paper` is the colour of the ground, with which a picture behind text is mixed.
        """
        picture = card_elements.backdrop_art(self.face)
        if picture is None or self.gallery is None or not self.gallery.has(picture.path):
            return
        behind = picture.placed == "ground"
        if behind and not self.gallery.pale:
            return
        wide, high = self.setting.width, self.setting.height
        clip, whole = (
            (self.x - beyond, self.y - beyond, wide + 2 * beyond, high + 2 * beyond)
            for beyond in (0.0 if cut else bleed, bleed)
        )
        with pen.placed(self.canvas, clip=clip):
            self.gallery.cover(self.canvas, picture.path, *whole, _BEHIND_TEXT if behind else 1.0, paper)
        if not behind:
            self._text_grounds()

    def _text_grounds(self) -> None:
        """A plain ground for the text on a picture."""
        setting, edge = self.setting, SAFE - 1.2 * MM
        foot = setting.band_top or edge
        place = (self.x + edge, self.y + foot, setting.width - 2 * edge, setting.height - setting.window - foot)
        pen.draw_box(self.canvas, place, ground=WHITE)

    def draw(self) -> None:
        """All parts, the pale ones first so that text stands on top."""
        body, setting = self.body, self.setting
        if self.ends:
            left, foot, wide, high = self.window.place
            room = left + setting.side, foot + _MARGIN, wide - 2 * setting.side, high - 2 * _MARGIN
            for sign in (part for part in self.face.parts if isinstance(part, card_elements.Emblem)):
                with tags.tagged_as(self.canvas, sign):
                    emblem.draw_suit_or_emblem(self.canvas, sign, room, self.window, self.gallery)
            for end in self._turns():
                end.draw()
            return
        left, foot, wide, high = body.room(setting)
        room = self.x + left, self.y + foot, wide, high
        pictured = self._pictured() or self.covered
        for picture in body.pictures(setting) if pictured else ():
            # It lies there already: this is its place in the order of reading.
            with tags.tagged_as(self.canvas, picture):
                pass
        shown = [part for part in self.face.parts if isinstance(part, card_elements.Emblem)]
        drawn = any(isinstance(part, card_elements.Sketch) for part in self.face.parts)
        if setting.sign and setting.tall and not shown and not drawn:
            shown = [card_elements.Emblem("", "", setting.sign)]
        for sign in () if pictured else shown:
            with tags.tagged_as(self.canvas, sign):
                emblem.draw_suit_or_emblem(self.canvas, sign, room, self.window, self.gallery)
        for part in self.face.parts:
            self._part(part)
        self._body(body)
        for part in self.face.parts:
            if isinstance(part, card_elements.Sketch):
                with tags.tagged_as(self.canvas, part):
                    sketch.draw_sketch(self.canvas, part, room, setting.scale, setting.least, self.inks)
        # At the foot: first what stands at its left.
        badges.draw_badges(self.canvas, body.badges, setting.foot, self.x + SAFE, self.y + SAFE, self.window, self.inks)
        for numbered in body.numbered:
            if numbered.at:
                self._numbered_disc(numbered.number, *self._beside(numbered.at))

    def _part(self, part: card_elements.Part) -> None:
        match part:
            case card_elements.Index():
                self._index(part, turned=False)
                if self.setting.turned:
                    self._index(part, turned=True)
            case card_elements.Title():
                with tags.tagged_as(self.canvas, part):
                    self._title()
            case card_elements.Rule() if "rule" not in self.setting.spared:
                with tags.tagged_as(self.canvas, part):
                    self._rule(part)
            case _:
                return

    # The index: rank over suit, as on any playing card, so that a fanned hand can be read.

    def _index(self, index: card_elements.Index, *, turned: bool) -> None:
        setting, share = self.setting, _TURNED_SHARE if turned else 1.0
        scale = setting.scale * share
        middle = SAFE + setting.index_width * share / 2 - 0.2 * MM * scale
        top = setting.height - SAFE
        if is_joker(index.rank):
            size = max(setting.least, _TYPE.joker * scale)
            first = top - max(2.3 * MM * scale, 0.7 * size)
            with tags.tagged_as(self.canvas, index, "rank"), tags.tagged_as(self.canvas, index, "suit"):
                for place, letter in enumerate("JOKER"):
                    # The tail of the J reaches below its line.
                    y = first - (_JOKER_STEP * place + (0.4 * MM if place else 0.0)) * scale
                    self._corner_text(letter, middle, y, size, turned=turned)
            return
        with tags.tagged_as(self.canvas, index, "rank"):
            self._corner_text(index.rank, middle, top - 4.9 * MM * scale, _TYPE.index * scale, turned=turned)
        if not index.suit and _turns_into_another(index.rank):
            self._underline(middle, top - 5.6 * MM * scale, 3.6 * MM * scale, turned=turned)
        if index.suit:
            x, y = self._corner(middle, top - 8.8 * MM * scale, turned=turned)
            with tags.tagged_as(self.canvas, index, "suit"):
                self._suit(index.suit, x, y, 5.4 * MM * scale, turned=turned)

    def _corner(self, x: float, y: float, *, turned: bool) -> tuple[float, float]:
        """Return a place measured from the card's corner, or from the opposite corner of the turned card."""
        if turned:
            x, y = self.setting.width - x, self.setting.height - y
        return self.x + x, self.y + y

    def _corner_text(self, letters: str, x: float, y: float, size: float, *, turned: bool) -> None:
        """A rank centred at x with its foot at y; a wide one is drawn narrower, as the 10 of real cards is, and smaller
        where that would be too narrow."""
        room = (self.setting.index_width - 1.2 * MM * self.setting.scale) * (_TURNED_SHARE if turned else 1.0)
        wide = pen.letters_width(letters, fonts.INDEX, 1) or 1.0
        size = max(self.setting.least, min(size, room / (_NARROWEST * wide)))
        scale = min(1.0, room / (wide * size))
        place, way = self._corner(x, y, turned=turned), -1 if turned else 1
        turn = (way * scale, 0, 0, way)
        colour = self._head_colour(self.colour, turned=turned)
        pen.draw_line(self.canvas, letters, *place, fonts.INDEX, size, align="middle", colour=colour, turn=turn)

    def _underline(self, middle: float, y: float, wide: float, *, turned: bool) -> None:
        """A line under a rank, centred at `middle` with its upper edge at y: it says which way up the number is."""
        high = 0.5 * MM * self.setting.scale
        one = self._corner(middle - wide / 2, y - high, turned=turned)
        other = self._corner(middle + wide / 2, y, turned=turned)
        pen.draw_box(self.canvas, (*min(one, other), wide, high), ground=self._head_colour(self.colour, turned=turned))

    def _head_colour(self, colour: Rgb, *, turned: bool = False) -> Rgb:
        """The colour of what stands in the corner for the index, or on the band at the foot."""
        return self.window.on_foot if turned else colour

    def _suit(self, suit: str, x: float, y: float, size: float, *, turned: bool) -> None:
        """A suit's sign at its full strength."""
        if self.gallery is None or (own := self.gallery.suit(suit)) is None:
            colour, hatched = self._head_colour(self.colour, turned=turned), self.inks.hatched(suit)
            badges.draw_sign(
                self.canvas, SUITS[suit], x, y, size, colour, solid=self.inks.solid, turned=turned, hatched=hatched
            )
        else:
            self.gallery.sign(self.canvas, own, x, y, size, turned=turned)

    def _title(self) -> None:
        size, lines = self.body.name(self.setting, tall=self.setting.tall) or (0.0, ())
        left = self.setting.side if self.setting.tall else self.setting.title_left
        pen.draw_lines(
            self.canvas,
            lines,
            self.x + left,
            self.y + self._title_base(size, len(lines)),
            size,
            _NAME_LEADING,
            colour=self.window.light,
        )

    def _title_base(self, size: float, lines: int) -> float:
        """Return the base of the name's first line over the foot of the trim, pt."""
        setting = self.setting
        return setting.height - setting.window + name_base(size, setting) + (lines - 1) * _NAME_LEADING * size

    def _rule(self, rule: card_elements.Rule) -> None:
        """The suit's character in small capitals: turned at the edge of the window, or beside the index."""
        canvas, setting, small = self.canvas, self.setting, self.setting.small
        word, x, y = rule.word.upper(), self.x, self.y + setting.height - SAFE
        if self.body.scale(setting):
            x, y = x + setting.side, self.y + setting.text_top - self.body.said_height(setting) - small * 0.8
            pen.draw_line(canvas, word, x, y, fonts.SANS_BOLD, small, colour=self.colour, apart=_WORD_APART)
            return
        if not setting.tall:
            x, y = x + setting.title_left, y - small * 0.72
            if self.window.locked:
                middle = (x + small * 0.45, y + small * 0.36)
                badges.draw_sign(canvas, ICONS["lock"], *middle, small * 1.25, self.window.light, solid=self.inks.solid)
                x += small * 1.4
            pen.draw_line(canvas, word, x, y, fonts.SANS_BOLD, small, colour=self.window.light, apart=_WORD_APART)
        elif self.body.flat(setting):
            x += setting.side
            y = self.y + setting.height - setting.window + setting.strip - 1.1 * MM * setting.scale - small * 0.72
            pen.draw_line(canvas, word, x, y, fonts.SANS_BOLD, small, colour=self.window.light, apart=_WORD_APART)
        else:
            x += setting.width - SAFE - small * 0.7
            y = self.y + setting.height - self.body.word_top(setting)
            turn = (0, -1, 1, 0)
            pen.draw_line(
                canvas, word, x, y, fonts.SANS_BOLD, small, colour=self.window.light, apart=_WORD_APART, turn=turn
            )

    def _body(self, body: _Body) -> None:
        """The flavour under the name, then the effects."""
        setting, size = self.setting, self.setting.size
        self._flavour(body)
        y = self.y + setting.text_top - self._flavour_height(body) - size * 0.76
        hanging = (0.0, *body.gaps(setting)), body.hanging(setting), body.told(setting)
        for lines, gap, indent, part in zip(body.lines(setting), *hanging, strict=False):
            y -= size * gap
            left = self.x + setting.side
            with tags.tagged_as(self.canvas, part):
                if isinstance(part, card_elements.Callout):
                    self._numbered_disc(part.number, left + 0.55 * size, y + size * 0.33)
                pen.draw_lines(self.canvas, lines, left + indent * size, y, size, _LEADING)
            y -= len(lines) * size * _LEADING
        self._scale(body)
        self._written(body)
        self._flavour(body)

    def _beside(self, part: str) -> tuple[float, float]:
        """Where the number of a callout stands beside the part that it explains: after its last word, or over it."""
        setting, body, radius = self.setting, self.body, self.setting.least * _DISC
        kind, _, place = part.partition(" ")
        edge = setting.width - SAFE - radius
        wide = body.word_width(setting)
        x, y = edge, setting.height - SAFE - wide - 1 * MM - radius
        if not setting.tall:
            x, y = setting.title_left + wide + 1 * MM + radius, setting.height - SAFE - radius
        if kind == "index":
            x = SAFE + setting.index_width / 2 - 0.4 * MM * setting.scale
            y = setting.height - SAFE - _INDEX_INK * setting.scale - radius - 0.1 * MM
        elif kind == "title" and body.title and (fitted := body.name(setting, tall=setting.tall)):
            size, lines = fitted
            x = (
                (setting.side if setting.tall else setting.title_left)
                + text.line_width(lines[-1]) * size
                + radius
                + 1 * MM
            )
            y = self._title_base(size, len(lines)) - (len(lines) - 1) * size * 1.05 + size * 0.33
        elif kind == "effect" and (effect_lines := body.lines(setting)):
            x = setting.side + text.line_width(effect_lines[0][-1]) * setting.size + radius + 1 * MM
            y = (
                setting.text_top
                - self._flavour_height(body)
                - setting.size * (0.43 + (len(effect_lines[0]) - 1) * _LEADING)
            )
        elif kind == "scale":
            x, y = (
                setting.width / 2,
                setting.text_top - self._flavour_height(body) - body.said_height(setting) - setting.size * 0.4,
            )
        elif kind in ("blank", "track"):
            part_type = card_elements.Blank if kind == "blank" else card_elements.CardTrack
            until = next(at for at, each in enumerate(body.written(setting)) if isinstance(each, part_type)) + 1
            high = sum(_written_height(each, setting) for each in body.written(setting)[:until])
            y = setting.text_top - self._flavour_height(body) - body.printed_height(setting) - high + radius
        elif kind == "badge":
            x, y = SAFE + badges.badge_middles(body.badges, setting.foot)[int(place)], SAFE + setting.foot.height
        return self.x + min(x, edge), self.y + y

    def _numbered_disc(self, number: int, x: float, y: float) -> None:
        """A number in a black disc round (x, y); in a ring where ink is saved."""
        canvas, size, solid = self.canvas, self.setting.least, self.inks.solid
        canvas.setLineWidth(0.6)
        canvas.setStrokeColorRGB(*(WHITE if solid else BLACK))
        canvas.setFillColorRGB(*(BLACK if solid else WHITE))
        canvas.circle(x, y, size * _DISC, stroke=1, fill=1)
        colour = WHITE if solid else BLACK
        pen.draw_line(canvas, str(number), x, y - size * 0.33, fonts.SANS_BOLD, size, align="middle", colour=colour)

    def _scale(self, body: _Body) -> None:
        """Rows of a label, a bar and a figure; a thin line ends the bars where they would be certain."""
        setting, size, canvas = self.setting, self.setting.size, self.canvas
        rows = body.scale(setting)
        if not rows:
            return
        scale_rows = [
            (part, row)
            for part in self.face.parts
            if isinstance(part, card_elements.Scale)
            for row in range(len(part.rows))
        ]
        left, right = self.x + setting.side, self.x + setting.width - setting.side
        begin = left + (max(fonts.text_width(label, fonts.SANS_BOLD) for label, _, _ in rows) + 0.5) * size
        end = right - (max(fonts.text_width(figure, fonts.SANS) for _, _, figure in rows) + 0.5) * size
        top = self.y + setting.text_top - self._flavour_height(body) - body.said_height(setting) - body.heading(setting)
        for at, (label, share, figure) in enumerate(rows):
            base = top - (at + 0.76) * size * _SCALE_LEADING
            bar = (begin, base - 0.06 * size, (end - begin) * share, 0.72 * size)
            ground = tint(self.colour, 0.55 if self.inks.solid else 0)
            with tags.tagged_as(canvas, *scale_rows[at]):
                pen.draw_line(canvas, label, begin - 0.5 * size, base, fonts.SANS_BOLD, size, align="right")
                pen.draw_line(canvas, figure, right, base, fonts.SANS, size, align="right")
                pen.draw_box(canvas, bar, ground=ground, edge=self.colour, wide=0.4)
        canvas.line(end, top - 0.1 * size, end, top - len(rows) * size * _SCALE_LEADING + 0.1 * size)

    # What is written by hand: lines, and boxes to cross off.

    def _written(self, body: _Body) -> None:
        setting = self.setting
        top = self.y + setting.text_top - self._flavour_height(body) - body.printed_height(setting)
        for part in body.written(setting):
            high = _written_height(part, setting)
            with tags.tagged_as(self.canvas, part):
                if isinstance(part, card_elements.Blank):
                    self._blank(part, top - high)
                else:
                    self._track(part, top - high)
            top -= high

    def _blank(self, blank: card_elements.Blank, foot: float) -> None:
        """A label and a line to write on, with what stands there already; a long value takes more lines."""
        setting, size, canvas = self.setting, self.setting.size, self.canvas
        left, right = self.x + setting.side, self.x + setting.width - setting.side
        wide = _label_width(blank) * size
        lines = _value_lines(blank, setting)
        feet = [foot + at * size * _VALUE_LEADING for at in range(max(1, len(lines)) - 1, -1, -1)]
        pen.draw_line(canvas, blank.label, left, feet[0] + size * 0.3, fonts.SANS, size)
        pen.draw_lines(canvas, lines, left + wide, feet[0] + size * 0.3, size, _VALUE_LEADING)
        pen.draw_rules(canvas, GREY, 0.5, *((left + wide, under, right, under) for under in feet))

    def _track(self, track: card_elements.CardTrack, foot: float) -> None:
        """Boxes from left to right and down; those before the step that is reached are crossed off."""
        setting, size, canvas = self.setting, self.setting.size, self.canvas
        rows, columns = _track_shape(track, setting)
        step = setting.measure / columns
        wide, high = step - size * 0.4, size * _BOX
        reached = track.steps.index(track.reached) if track.reached in track.steps else 0
        for place, word in enumerate(track.steps):
            row, column = divmod(place, columns)
            x = self.x + setting.side + column * step
            y = foot + (rows - 1 - row) * size * _BOX_STEP
            pen.draw_box(canvas, (x, y, wide, high), edge=BLACK, wide=1.6 if word == track.reached else 0.7)
            middle, base, colour = x + wide / 2, y + high / 2 - size * 0.34, GREY if place < reached else BLACK
            pen.draw_line(canvas, word, middle, base, fonts.SANS_BOLD, size, align="middle", colour=colour)
            if place < reached:
                canvas.line(x, y, x + wide, y + high)

    def _flavour(self, body: _Body) -> None:
        size = self.setting.flavour
        first = self.y + self.setting.text_top - size * 0.74
        flavour = next((part for part in self.face.parts if isinstance(part, card_elements.Flavour)), None)
        with tags.tagged_as(self.canvas, flavour):
            pen.draw_lines(
                self.canvas,
                body.flavour_lines(self.setting),
                self.x + self.setting.side,
                first,
                size,
                _LEADING,
                colour=self.colour,
            )

    def _flavour_height(self, body: _Body) -> float:
        """Return the height of the flavour with what keeps it apart from the sentences, pt."""
        return body.text_height(self.setting) - body.height(self.setting)


def _style(face: card_elements.Face) -> Style:
    """Return how grave a playing card is at a glance."""
    rank = next((part.rank for part in face.parts if isinstance(part, card_elements.Index)), "")
    if (
        is_joker(face.code)
        or (face.suit and rank == "A")
        or not any(isinstance(p, card_elements.Title) for p in face.parts)
    ):
        return "ace"
    return "court" if face.suit and rank in ("J", "Q", "K") else "number"


def name_base(size: float, setting: CardSetting) -> float:
    """Return the height of a name's last line over the foot of its window, pt."""
    return 0.16 * size + 1.5 * MM * setting.scale


def _written_height(part: card_elements.Blank | card_elements.CardTrack, setting: CardSetting) -> float:
    """Return the height of a line to write on, or of boxes, with the space over them, pt."""
    if isinstance(part, card_elements.CardTrack):
        rows, _ = _track_shape(part, setting)
        return setting.size * (1.1 + _BOX + (rows - 1) * _BOX_STEP)
    return setting.size * (setting.line + _VALUE_LEADING * (max(1, len(_value_lines(part, setting))) - 1))


def _written_width(part: card_elements.Blank | card_elements.CardTrack, setting: CardSetting) -> float:
    """Return the least width of a line to write on, or of boxes, pt."""
    size = setting.size
    if isinstance(part, card_elements.Blank):
        value = text.widest_word(_value_words(part)) * size if part.value else 14 * MM * setting.scale
        return _label_width(part) * size + value
    return _box_width(part) * size


def _box_width(track: card_elements.CardTrack) -> float:
    """Return the least width of a box with the space after it, in units of the type size."""
    return max(fonts.text_width(step, fonts.SANS_BOLD) for step in track.steps) + 0.8


def _track_shape(track: card_elements.CardTrack, setting: CardSetting) -> tuple[int, int]:
    """Return in how many rows the boxes stand, and how many in a row, all rows as long as can be."""
    count = len(track.steps)
    most = max(1, int(setting.measure / (_box_width(track) * setting.size)))
    rows = -(-count // most)
    return rows, -(-count // rows)


def _label_width(blank: card_elements.Blank) -> float:
    """Return the width of a label with the space after it, per point of size."""
    return fonts.text_width(f"{blank.label}  ", fonts.SANS)


def _value_words(blank: card_elements.Blank) -> tuple[text.Word, ...]:
    return text.split_words((text.Run(blank.value, fonts.SANS_BOLD),))


def _value_lines(blank: card_elements.Blank, setting: CardSetting) -> tuple[text.Line, ...]:
    """What is written beside a label, in lines."""
    return text.broken_lines(_value_words(blank), setting.measure / setting.size - _label_width(blank))


_TURNED = str.maketrans("01689", "01986")


def _turns_into_another(rank: str) -> bool:
    """Return whether a number reads as another one upside down, as 6 and 9 do, and no suit says which way up it is."""
    turned = rank[::-1].translate(_TURNED)
    return set(rank) <= set("01689") and turned != rank and not turned.startswith("0")
