"""The face of a playing card: where its parts stand, and how they are drawn.

`measure` looks at all faces of a set and finds the largest type size at which every one of them fits; a face with less
to say takes one of a few larger sizes; `card_pen` draws it. All lengths here are points, the origin is the
lower left corner of the card's trim.

Index, badges and names grow and shrink with the card; the type has a floor. Where that leaves too little room the parts
that the template lets go give way one after the other, on all cards of the set alike.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from generator.base.cards import is_joker
from generator.base.errors import FaceError
from generator.base.sentences import sentence_parts
from generator.layout import card_elements
from generator.layout.reading import texts_in
from generator.layout.type_sizes import type_sizes
from generator.paper import badges, fonts, pen, sketch, text
from generator.paper.document import MM
from generator.paper.emblem import LEAST_ROOM
from generator.paper.window import TORN
from generator.words.wording import DAGGER

SAFE = 3.2 * MM
"""The safe edge of print shops; at home 3 mm would do."""
_TYPE = type_sizes().cards
MIN_TYPE, LARGE_TYPE = _TYPE.minimum, _TYPE.large_print
"""The smallest type of cards, and in large print, pt."""
_BODY = _TYPE.body
"""The two sizes of a deck's sentences, pt: the smaller is read at arm's length."""
TYPE_STEP = 0.25

Print = Literal["normal", "large"]

LEADING = 1.2
_GAP = 0.42
"""Between two sentences, in units of the type size."""
_APART = 0.95
"""Before a sentence with a label, which begins something else, in units of the type size."""

_HANGING = 1.55
"""Indent of a numbered line, in units of the type size."""
_NUMBERED = 0.3
"""Before a numbered line, in units of the type size."""
_MAX_ENDING_LENGTH = 12.0
"""An until-when that is longer than this is broken like other text, in units of the type size."""
SCALE_LEADING = 1.26
"""From one row of a scale to the next, in units of the type size."""
BOX = 1.9
"""The height of a box to cross off, in units of the type size."""
BOX_STEP = 2.3
"""From one row of boxes to the next, in units of the type size."""

_LINE, _LOW_LINE = 2.3, 1.7
"""The height of a line to write on in units of the type size, and where the words want its room: 6 mm do for a hand."""
VALUE_LEADING = 1.6
"""From one line of what is written to the next, in units of the type size."""
NAME_LEADING = 0.92
_CLOSER_NAMES = 2
"""So many of the largest sizes of a name give way before its window does."""
_LONGEST_TURNED = 16.5 * MM
WORD_APART = 0.9
"""Between the letters of a suit's word, pt."""
_TALLEST = 0.59
"""Of the height of a card: so high is a window at most."""
_MARGIN = 1.7 * MM
"""From the cut to the picture in a window."""
_PICTURE = 21 * MM
"""The height of a picture over the larger type: a smaller picture has the smaller type below it."""
_MIDDLE = 32 * MM
"""The height of the window between two ends of a card at most."""
_FIGURE, _BESIDE = 5 * MM, 9 * MM
"""The width of a figure, and of an emblem, beside a name."""
_APART_FOOT = 1.7 * MM
"""Over badges and turned index, to the edge of the band that they stand on."""
_TRIM = (63.5 * MM, 88.9 * MM)
"""The trim that the measures below are for: a poker card. On other cards they grow or shrink with the card."""
_MIN_SCALE, _MAX_SCALE = 0.6, 1.6
_SIDE = 1.2 * MM
"""From the safe line to the text."""
_INDEX_WIDTH = 8.2 * MM
INDEX_INK = 11.4 * MM
"""As far as rank and suit really reach down."""
_RANK_INK = 5.8 * MM
"""As far as a rank without a suit does, with the line under it; and the widest that it may be."""
_WIDEST_INDEX = 17 * MM
_JOKER_INK = 12.7 * MM
"""As far as the letters of a joker do."""
_TURNED_SHARE = 0.66
"""Of the turned index beside the upright one."""
_HEAD = 2.9 * MM
"""From the foot of the window to the text: its edge hangs down into it."""


class OverfullError(FaceError):
    """A face does not fit its card; says which and by how much."""


class CardSetting(Struct, frozen=True):
    """How a set is set: the card's trim in points, one type size for all faces, what they have and what gave way.

    `scale` says how large index, badges and names are beside those of a poker card. A face's own are `band`, whether it
    has badges at its foot; `index_ink` and `index_room`, how high and wide its index is on a poker card; `line`, the
    height of its lines to write on, in units of the type size; and its `window`, how high that is and the strip in it
    for the name, and whether it is `tall`: with a picture over the name. An `end` of a card is set on half its height.
    `slots` is the width of a set's badges on a poker card.
    """

    width: float
    height: float
    size: float
    least: float = MIN_TYPE
    index: bool = True
    rule: bool = True
    band: bool = True
    spared: frozenset[str] = frozenset()
    scale: float = 1.0
    index_ink: float = INDEX_INK
    index_room: float = _INDEX_WIDTH
    line: float = _LINE
    sign: str = ""
    end: bool = False
    window: float = 0.0
    strip: float = 0.0
    tall: bool = False
    slots: float = badges.slots_width(())

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
        taken = (self.index_width * self.turned_share + 1.2 * MM * self.scale) if self.turned else 0.0
        wide = self.width - 2 * SAFE - taken
        return badges.Foot(
            wide, min(self.scale, wide / self.slots), self.least, self.small, "captions" not in self.spared
        )

    @property
    def turned(self) -> bool:
        """Return True if the index stands in the lower corner too."""
        return self.index and "turned" not in self.spared

    @property
    def turned_share(self) -> float:
        """The size of the turned index beside the upright one: letters that cannot be smaller take more room."""
        least = self.least / (_TYPE.joker * self.scale) if self.index_ink == _JOKER_INK else 0.0
        return max(_TURNED_SHARE, min(1.0, least))

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
        sizes = _TYPE.names[_CLOSER_NAMES if "large name" in self.spared else 0 :] if tall else _TYPE.low_names
        return tuple((max(each.size * self.scale, self.least), each.lines) for each in sizes)

    @property
    def word(self) -> bool:
        """Return True if the word of a suit is printed."""
        return self.rule and "rule" not in self.spared

    @property
    def head(self) -> float:
        """From the foot of the window to the text, pt: an end of a card has less room."""
        return (0.8 * _HEAD if self.end else _HEAD) * self.scale

    @property
    def text_top(self) -> float:
        """Where the text begins, pt over the foot of the trim."""
        return self.height - self.window - self.head

    @property
    def band_top(self) -> float:
        """The upper edge of the band at the foot, pt over the foot of the trim; 0 where there is none."""
        high = max(self.foot.height if self.band else 0.0, self._index_ink * self.turned_share if self.turned else 0.0)
        return SAFE + high + _APART_FOOT * self.scale if high else 0.0

    @property
    def text_foot(self) -> float:
        """Where text must end, pt over the foot of the trim."""
        if self.end:
            return 1.6 * MM * self.scale
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
    bodies = [body_of(face) for face in faces]
    setting = _setting(faces, width, height, text_size, frozenset())
    for dropped_parts in _sparing(faces if yielding else ()):
        setting = _setting(faces, width, height, text_size, dropped_parts)
        if yielding and not all(body.captions_fit(setting) for body in bodies):
            # Words that run into each other are of no use, whatever else there is room for.
            setting = replace(setting, spared=setting.spared | {"captions"})
        for size in _sizes(setting):
            setting = replace(setting, size=size)
            if all(body.fault(setting) is None for body in bodies):
                return setting, ()
    return setting, tuple(fault for body in bodies if (fault := body.fault(setting)))


def _setting(
    faces: tuple[card_elements.Face, ...], width: float, height: float, text_size: Print, dropped_parts: frozenset[str]
) -> CardSetting:
    kinds = {type(part) for face in faces for part in face.parts}
    least = LARGE_TYPE if text_size == "large" else MIN_TYPE
    shown = [[part for part in face.parts if isinstance(part, card_elements.Badge)] for face in faces]
    if not any(face.apart for face in faces) and all(map(badges.self_evident, shown)):
        dropped_parts |= {"captions"}
    has = {"index": card_elements.Index in kinds, "rule": card_elements.Rule in kinds}
    unstepped = min(width / _TRIM[0], height / _TRIM[1])
    scale = min(max(unstepped, _MIN_SCALE), _MAX_SCALE)
    slots = badges.slots_width(badge for each in shown for badge in each if badge.kind != "gauge")
    return CardSetting(width, height, least, least, spared=dropped_parts, scale=scale, slots=slots, **has)  # type: ignore[arg-type]


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


class CardBody:
    """The running text of one face, ready to be broken at any type size."""

    def __init__(self, face: card_elements.Face) -> None:
        self.code = face.code
        shown = [part for part in face.parts if isinstance(part, card_elements.Badge)]
        self.gauge = next((part for part in shown if part.kind == "gauge"), None)
        self.badges = [part for part in shown if part is not self.gauge]
        self.arts = [part for part in face.parts if isinstance(part, card_elements.CardArt) and part.placed == "window"]
        self.title = next((part for part in face.parts if isinstance(part, card_elements.Title)), None)
        self.effects = [part for part in face.parts if isinstance(part, card_elements.CardEffect)]
        self.numbered = [part for part in face.parts if isinstance(part, card_elements.Callout)]
        self.end = len(face.ends) == 1
        # Badges stand at a foot, which a card with two ends does not have.
        two = len(face.ends) > 1 and not face.apart and not shown
        self.ends = [CardBody(each) for each in _ends(face)] if two else []
        self.sentences = [
            *(sentence_words(replace(part, label="") if self.end else part) for part in self.effects),
            *(short_words(part.says) for part in self.numbered),
        ]
        self.apart = [
            *(_APART if part.label and not self.end else _GAP for part in self.effects),
            *(_NUMBERED for _ in self.numbered),
        ]
        self.flavours = [flavour_words(part) for part in face.parts if isinstance(part, card_elements.Flavour)]
        self.word = next((part.word for part in face.parts if isinstance(part, card_elements.Rule)), "")
        self.rows = [row for part in face.parts if isinstance(part, card_elements.Scale) for row in part.rows]
        self.forms: list[card_elements.Blank | card_elements.CardTrack] = [
            part for part in face.parts if isinstance(part, card_elements.Blank | card_elements.CardTrack)
        ]
        self.face = face
        emblem = next((part for part in face.parts if isinstance(part, card_elements.Emblem) and not part.suit), None)
        self.beside = 0.0 if self.end or not emblem else _FIGURE if emblem.figure else _BESIDE
        scores = [part.number for part in self.badges if part.kind == "score" and part.number.isdigit()]
        # Without a score the edge is a little broken, as suits are.
        self.broken = min(1.0, int(scores[0]) / 10) if len(scores) == 1 else 0.35 if face.suit else 0.0
        self._settled: dict[CardSetting, CardSetting] = {}
        self._heads: dict[tuple[float | bool, ...], tuple[float, float]] = {}

    def dressed(self, setting: CardSetting) -> CardSetting:
        """Return the setting of a set with what this face has: without badges there is more room for its text."""
        index = next((part for part in self.face.parts if isinstance(part, card_elements.Index)), None)
        ink, room = INDEX_INK, _INDEX_WIDTH
        if index and is_joker(index.rank):
            ink = _JOKER_INK
        elif index and not index.suit:
            wide = pen.letters_width(index.rank, fonts.INDEX, _TYPE.index)
            ink, room = _RANK_INK, min(max(_INDEX_WIDTH, wide + 2 * MM), _WIDEST_INDEX)
        has = {"band": bool(self.badges or self.gauge), "index": index is not None}
        setting = replace(setting, index_ink=ink, index_room=room, **has)
        if not self.end or setting.end:
            return setting
        high = setting.height / 2 - 1 * MM * setting.scale
        return replace(setting, end=True, height=high, spared=setting.spared | {"turned"})

    def settled_ends(self, setting: CardSetting) -> tuple[list[CardSetting], float, float]:
        """Return the settings of both ends, in one size, and the foot and height of the window that they leave."""
        owns = [each.own(setting) for each in self.ends]
        size = min(own.size for own in owns)
        settled = [each.windowed(replace(own, size=size)) for each, own in zip(self.ends, owns, strict=True)]
        pairs = zip(self.ends, settled, strict=True)
        above, below = (own.window + own.head + each.text_height(own) + own.text_foot for each, own in pairs)
        high = min(left := setting.height - above - below, _MIDDLE * setting.scale)
        return settled, below + (left - high) / 2, high

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
        return self.printed_height(setting) + sum(written_height(part, setting) for part in self.written(setting))

    def printed_height(self, setting: CardSetting) -> float:
        """Return how high the sentences and the scale with its heading stand together, pt."""
        rows = self.scale(setting)
        return self.said_height(setting) + len(rows) * setting.size * SCALE_LEADING + self.heading(setting)

    def heading(self, setting: CardSetting) -> float:
        """Return the height of the word over a scale, which is its heading, pt."""
        return 1.5 * setting.small if self.word and setting.word and self.scale(setting) else 0.0

    def said_height(self, setting: CardSetting) -> float:
        """Return how high the sentences stand, and the gap to a scale below them, pt."""
        lines = self.lines(setting)
        gaps = sum(self.gaps(setting)) + (_GAP if lines and self.scale(setting) else 0)
        return sum(map(len, lines)) * setting.size * LEADING + gaps * setting.size

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
        room -= 0.0 if tall else self.beside * setting.scale
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
        key = (
            setting.width,
            setting.scale,
            setting.least,
            setting.word,
            *setting.notch,
            "large name" in setting.spared,
            tall,
        )
        if key not in self._heads:
            self._heads[key] = self._least_heads(setting, tall=tall)
        return self._heads[key]

    def _least_heads(self, setting: CardSetting, *, tall: bool) -> tuple[float, float]:
        size, lines = self.name(setting, tall=tall) or (0.0, ())
        unit = MM * setting.scale
        strip = name_base(size, setting) + (len(lines) - 1) * NAME_LEADING * size + 0.66 * size if lines else 0.0
        if tall:
            strip += (1.5 * unit if lines else 0.0) + (setting.small * 0.72 + 1.3 * unit if self.flat(setting) else 0.0)
            turned = self.worded(setting) and not self.flat(setting)
            word = self.word_top(replace(setting, tall=True)) + self.word_width(setting) + 0.8 * unit if turned else 0.0
            least = max(setting.notch[1], LEAST_ROOM * setting.scale + _MARGIN, word)
            return least + strip, strip
        word = setting.small * 0.72 + 1.5 * unit if self.worded(setting) else 0.0
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
        return pen.letters_width(word, fonts.SANS_BOLD, setting.small) + WORD_APART * len(word)

    def tab(self, setting: CardSetting) -> tuple[float, float]:
        """Return the width and height of the corner for a turned word, pt from the trim; 0 where none is turned."""
        if not (setting.tall and self.worded(setting)) or self.flat(setting):
            return 0.0, 0.0
        unit = MM * setting.scale
        return SAFE + setting.small * 0.7 + 1.1 * unit, self.word_top(setting) + self.word_width(setting) + 0.9 * unit

    def flat(self, setting: CardSetting) -> bool:
        """Return whether the word of a suit is too long to be turned: then it stands over the name."""
        return self.worded(setting) and self.word_width(setting) > _LONGEST_TURNED * setting.scale

    def worded(self, setting: CardSetting) -> bool:
        """Return whether the word of a suit stands in the window, and not over a scale."""
        return bool(self.word) and setting.word and not self.rows

    def text_height(self, setting: CardSetting) -> float:
        """Return how high flavour, sentences and what is written stand together, pt."""
        lines, high = len(self.flavour_lines(setting)), self.height(setting)
        return high + (lines * setting.flavour * LEADING + (0.45 * setting.size if high else 0.0) if lines else 0.0)

    def left(self, setting: CardSetting) -> float:
        """Return the height that the text leaves to a window, pt."""
        return setting.height - setting.text_foot - self.text_height(setting) - setting.head

    def windowed(self, setting: CardSetting) -> CardSetting:
        """Return the setting of a face with the window that its text leaves."""
        least, strip = self.heads(setting, tall=True)
        left = self.left(setting)
        if self.pictured(setting) and left >= least and self.name(setting, tall=True):
            most = setting.height * _TALLEST if self.text_height(setting) else left
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
        if self.beside and not setting.tall:
            # Beside the name, at the end of the window.
            foot, high = setting.height - setting.window + _MARGIN * 0.6, setting.window - _MARGIN * 1.6
            return setting.width - SAFE - self.beside * setting.scale, foot, self.beside * setting.scale, high
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
        dropped_parts = (low.spared, low.spared | {"flavour"}, bare, bare | {"lines"})
        forms = (setting, *(replace(low, spared=gone) for gone in dropped_parts))
        own = next((own for form in forms if (own := self._largest(form)).size >= _BODY[1] * setting.scale), None)
        if own and self.forms and not self.windowed(own).tall:
            closer = self._largest(replace(low, spared=own.spared | {"large name"}))
            own = closer if closer.size == own.size and self.windowed(closer).tall else own
        # There is always room for a hand on the lines of a card that is too full; it has neither picture nor flavour.
        return own or self._densest(replace(setting, spared=bare))

    def is_legible(self, setting: CardSetting) -> bool:
        """Return True if the sentences are as large as the smaller ones of a deck, on large cards too."""
        return self.own(setting).size >= _BODY[1] * min(1.0, setting.scale)

    def _densest(self, setting: CardSetting) -> CardSetting:
        """Return the setting in the largest type under the deck's sizes at which the words fit, or as it is."""
        sizes = (_BODY[1] - TYPE_STEP * step for step in range(1, int((_BODY[1] - _TYPE.minimum) / TYPE_STEP)))
        larger = (replace(setting, size=size * setting.scale) for size in sizes)
        return next((each for each in larger if each.size <= setting.size or self.excess(each) <= 0), setting)

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
    words = [part.word for part in face.parts if isinstance(part, card_elements.Rule)]
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
        yield replace(face, parts=(*kept, card_elements.Rule(" \u00b7 ".join((*words, end))), *own), ends=(end,))


def body_of(face: card_elements.Face) -> CardBody:
    """Return the text of a face, which is measured, and drawn in more than one layer."""
    body = _measured_body(face)
    # Tags know parts by identity: those of an equal face are others.
    return body if body.face is face else CardBody(face)


@fonts.measured_once(500)
def _measured_body(face: card_elements.Face) -> CardBody:
    return CardBody(face)


def picture_rooms(
    face: card_elements.Face, setting: CardSetting
) -> list[tuple[card_elements.CardArt, tuple[float, float, float, float]]]:
    """Return the pack's own pictures in the window of a face, and where each stands: left and bottom from the trim,
    width, height, pt. Side by side they cover the window over the name."""
    body = body_of(face)
    setting = setting if setting.window else body.settled(setting)
    pictures = body.pictures(setting)
    step, high = setting.width / max(1, len(pictures)), setting.window - setting.strip
    bottom = setting.height - high
    return [(picture, (place * step, bottom, step, high)) for place, picture in enumerate(pictures)]


def name_base(size: float, setting: CardSetting) -> float:
    """Return the height of a name's last line over the foot of its window, pt."""
    return 0.16 * size + 1.5 * MM * setting.scale


def written_height(part: card_elements.Blank | card_elements.CardTrack, setting: CardSetting) -> float:
    """Return the height of a line to write on, or of boxes, with the space over them, pt."""
    if isinstance(part, card_elements.CardTrack):
        rows, _ = track_shape(part, setting)
        return setting.size * (1.1 + BOX + (rows - 1) * BOX_STEP)
    return setting.size * (setting.line + VALUE_LEADING * (max(1, len(value_lines(part, setting))) - 1))


def _written_width(part: card_elements.Blank | card_elements.CardTrack, setting: CardSetting) -> float:
    """Return the least width of a line to write on, or of boxes, pt."""
    size = setting.size
    if isinstance(part, card_elements.Blank):
        value = text.widest_word(_value_words(part)) * size if part.value else 14 * MM * setting.scale
        return label_width(part) * size + value
    return _box_width(part) * size


def _box_width(track: card_elements.CardTrack) -> float:
    """Return the least width of a box with the space after it, in units of the type size."""
    return max(fonts.text_width(step, fonts.SANS_BOLD) for step in track.steps) + 0.8


def track_shape(track: card_elements.CardTrack, setting: CardSetting) -> tuple[int, int]:
    """Return in how many rows the boxes stand, and how many in a row, all rows as long as can be."""
    count = len(track.steps)
    most = max(1, int(setting.measure / (_box_width(track) * setting.size)))
    rows = -(-count // most)
    return rows, -(-count // rows)


def label_width(blank: card_elements.Blank) -> float:
    """Return the width of a label with the space after it, per point of size."""
    return fonts.text_width(f"{blank.label}  ", fonts.SANS)


def _value_words(blank: card_elements.Blank) -> tuple[text.Word, ...]:
    return text.split_words((text.Run(blank.value, fonts.SANS_BOLD),))


def value_lines(blank: card_elements.Blank, setting: CardSetting) -> tuple[text.Line, ...]:
    """Return the lines beside a label."""
    return text.broken_lines(_value_words(blank), setting.measure / setting.size - label_width(blank))
