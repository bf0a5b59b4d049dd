"""The face of a playing card: where its parts stand, and how they are drawn.

`measure` looks at all faces of a set and finds the largest type size at which every one of them fits; a face with less
to say takes one of a few larger sizes. `draw` puts one face on a canvas. All lengths here are points, the origin is the
lower left corner of the card's trim.

Index, badges and names grow and shrink with the card; the type has a floor. Where that leaves too little room the parts
that the template lets go give way one after the other, on all cards of the set alike.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace
from reportlab.pdfgen.canvas import Canvas

from generator.base.cards import is_joker
from generator.base.errors import FaceError
from generator.base.sentences import sentence_parts
from generator.layout import card_elements
from generator.layout.reading import texts_in
from generator.paper import badges, emblem, fonts, ground, pen, sketch, tags, text
from generator.paper.art import SUITS
from generator.paper.document import MM
from generator.paper.gallery import Gallery
from generator.paper.ink import BLACK, GREY, WHITE, Inks, Rgb, tint

SAFE = 3.2 * MM
"""What the print shops ask for; at home 3 mm would do."""
MAX_TYPE = 9.0
MIN_TYPE = 6.5
LEGIBLE = 10.5
"""The type that a poker card has at least where its words fit at all, pt: it is read at arm's length."""
_OWN_TYPE = tuple(size / 2 for size in range(26, 13, -1))
"""The sizes that one face may have where there is room, pt: in half points, the largest first."""
_UNDER_NAME = 0.93
"""The text is smaller than the name over it: so large at most, beside it, where that is legible."""
LARGE_TYPE = 11.0
"""The smallest type of cards in large print, pt."""
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
_TITLE_SIZES = (14.0, 13.0, 12.0, 11.0, 10.0, 9.0)
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
_JOKER_INK = 12.7 * MM
"""As far as the letters of a joker do."""
_JOKER_STEP = 2.5 * MM
_HEAD = 2.6 * MM
"""From the index to the first sentence: the rule stands here."""
_MIN_PICTURE = 9 * MM
"""The room that pictures of the pack's own have at least, where they have not given way."""
_BETWEEN = 1.5 * MM
_BEHIND_TEXT = 0.14
"""Of a picture on the ground: so pale that all letters have 4.5:1 on the darkest of it."""
_MIN_TITLE = 8.0


class OverfullError(FaceError):
    """A face does not fit its card; says which and by how much."""


class CardSetting(Struct, frozen=True):
    """How a set is set: the card's trim in points, one type size for all faces, what they have and what gave way.

    `scale` says how large index, badges and names are beside those of a poker card. `band` and `joker` are a face's
    own: whether it has badges at its foot, and whether its index is that of a joker, which reaches further down; `line`
    is the height of its lines to write on, in units of the type size.
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
    joker: bool = False
    line: float = _LINE

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
        return max(self.least, min(self.size, self.largest) - 0.75)

    @property
    def largest(self) -> float:
        """The largest type that all faces of a set have alike, pt."""
        return max(MAX_TYPE, MAX_TYPE * self.scale, self.least + 2.5)

    @property
    def index_width(self) -> float:
        """The width that an index takes inside the safe line, pt."""
        return _INDEX_WIDTH * self.scale

    @property
    def foot(self) -> badges.Foot:
        """The room for badges, which ends before the turned index."""
        wide = self.width - 2 * SAFE - (self.index_width + 0.8 * MM * self.scale if self.turned else 0.0)
        return badges.Foot(wide, self.scale, self.least, self.small, "captions" not in self.spared)

    @property
    def turned(self) -> bool:
        """Whether the index stands in the lower corner too."""
        return self.index and "turned" not in self.spared

    @property
    def title_left(self) -> float:
        """From the trim to the name, pt."""
        return SAFE + self.index_width + 0.8 * MM * self.scale if self.index else self.side

    @property
    def title_sizes(self) -> tuple[float, ...]:
        """The sizes a name may have, the largest first, pt."""
        least = max(self.least, _MIN_TITLE)
        return tuple(dict.fromkeys(max(size * self.scale, least) for size in _TITLE_SIZES))

    @property
    def rule_height(self) -> float:
        """The height of the rule over the foot of the trim, pt."""
        return self._head_foot + 0.6 * MM * self.scale

    @property
    def text_top(self) -> float:
        """Where the sentences begin, pt over the foot of the trim."""
        if self.rule and "rule" not in self.spared:
            return self._head_foot - max(_HEAD * self.scale, self.small * 0.9)
        if self.index:
            return self.height - SAFE - self._index_ink - 0.6 * MM
        return self._head_foot

    @property
    def band_foot(self) -> float | None:
        """Where a band for the name ends, pt over the foot of the trim; None where there is no name."""
        if not self.title:
            return None
        return self.text_top + (_HEAD * self.scale * 0.55 if self.rule and "rule" not in self.spared else 0.0)

    @property
    def text_foot(self) -> float:
        """Where text must end, pt over the foot of the trim."""
        ends = [self.foot.height if self.band else 0.0, self._index_ink if self.turned else 0.0]
        return SAFE + max(ends) + (2.2 * MM * self.scale if any(ends) else 0.8 * MM)

    @property
    def _index_ink(self) -> float:
        """How far the index reaches in from the safe line, pt."""
        return (_JOKER_INK if self.joker else _INDEX_INK) * self.scale

    @property
    def _head_foot(self) -> float:
        """The foot of the index and of a name of two lines, pt over the foot of the trim."""
        if self.index or self.title:
            high = max(_INDEX_HEIGHT * self.scale, 2.1 * self.title_sizes[-1] + 1.2 * MM if self.title else 0)
            return self.height - SAFE - high
        return self.height - SAFE - self.small


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
    has = {
        "index": card_elements.Index in kinds,
        "title": card_elements.Title in kinds,
        "rule": card_elements.Rule in kinds,
    }
    unstepped = min(width / _TRIM[0], height / _TRIM[1])
    scale = min(max(unstepped, _MIN_SCALE), _MAX_SCALE)
    return CardSetting(width, height, least, least, spared=spared, scale=scale, **has)


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


_FONTS: Mapping[type, str] = {card_elements.Title: fonts.SERIF_BOLD, card_elements.Flavour: fonts.SERIF_ITALIC}


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
        self.sentences = [
            *(sentence_words(part) for part in self.effects),
            *(short_words(part.says) for part in self.numbered),
        ]
        self.apart = [*(_APART if part.label else _GAP for part in self.effects), *(_NUMBERED for _ in self.numbered)]
        self.flavours = [flavour_words(part) for part in face.parts if isinstance(part, card_elements.Flavour)]
        self.rows = [row for part in face.parts if isinstance(part, card_elements.Scale) for row in part.rows]
        self.forms: list[card_elements.Blank | card_elements.CardTrack] = [
            part for part in face.parts if isinstance(part, card_elements.Blank | card_elements.CardTrack)
        ]
        self.face = face

    def dressed(self, setting: CardSetting) -> CardSetting:
        """Return the setting of a set with what this face has: without badges there is more room for its text."""
        joker = any(isinstance(part, card_elements.Index) and is_joker(part.rank) for part in self.face.parts)
        return replace(setting, band=bool(self.badges), joker=joker)

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
        """Return how high the sentences and the scale stand together, pt."""
        rows = len(self.scale(setting))
        return self.said_height(setting) + rows * setting.size * _SCALE_LEADING

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

    def room(self, setting: CardSetting) -> tuple[float, float]:
        """The foot and the top of what is free between the sentences and the flavour, measured from the trim, pt."""
        lines = len(self.flavour_lines(setting))
        foot = setting.text_foot + (lines * setting.flavour * _LEADING + 1.5 * MM if lines else 0)
        return foot, setting.text_top - self.height(setting) - 2.5 * MM

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
        flavour = len(self.flavour_lines(setting)) * setting.flavour * _LEADING
        high = self.height(setting) + (flavour + setting.size if flavour else 0)
        return max(high - (setting.text_top - setting.text_foot), self._picture_excess(setting))

    def pictures(self, setting: CardSetting) -> list[card_elements.CardArt]:
        """Return the pictures of the pack's own, unless they gave way."""
        return [] if "picture" in setting.spared else self.arts

    def _picture_excess(self, setting: CardSetting) -> float:
        """How many points pictures want more than the text leaves."""
        if not self.pictures(setting):
            return float("-inf")
        foot, top = self.room(setting)
        return _MIN_PICTURE * setting.scale - (top - foot)

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
        own = next((own for form in forms if (own := self._largest(form)).size >= LEGIBLE * setting.scale), None)
        # There is always room for a hand on the lines of a card that is too full.
        full = (self._largest(form) for form in (setting, replace(setting, spared=bare)))
        return own or max(full, key=lambda each: each.size)

    def _largest(self, setting: CardSetting) -> CardSetting:
        """Return the setting in the largest size at which the words fit beside the emblem, or else without it."""
        legible = LEGIBLE * setting.scale
        named = self.title and _title_lines(self.title.text, setting)
        most = max(named[0] * _UNDER_NAME, legible) if named else _OWN_TYPE[0] * setting.scale
        # A field of cards says what the sentences mean: they may be smaller for it than those of the other cards.
        drawn = any(isinstance(part, card_elements.Sketch) for part in self.face.parts)
        least = min(setting.size, legible - TYPE_STEP) if drawn else setting.size
        sizes = [size * setting.scale for size in _OWN_TYPE if least < size * setting.scale <= most]
        larger = [replace(setting, size=size) for size in sizes]
        fitting = [each for each in larger if self.excess(each) <= 0]
        beside_emblem = (each for each in fitting if each.size >= legible and self._leaves_emblem(each))
        return next(beside_emblem, fitting[0] if fitting else setting)

    def _leaves_emblem(self, setting: CardSetting) -> bool:
        """Return whether the text leaves as much room as the face's emblem or sketch needs, if it has one."""
        foot, top = self.room(setting)
        needed = 0.0
        for part in self.face.parts:
            if isinstance(part, card_elements.Sketch):
                needed = sketch.least_room(part, setting.least)
            elif isinstance(part, card_elements.Emblem) and card_elements.emblem_shown(part):
                needed = emblem.least_room(setting.scale)
        return not needed or top - foot >= needed

    def fault(self, setting: CardSetting) -> OverfullError | None:
        """Return why the face does not fit, or None."""
        setting = self.dressed(setting)
        excess = self.excess(setting)
        if not self.captions_fit(setting):
            return OverfullError(self.code, "the badges at the foot are wider than the card: shorten their words")
        if self.title and _title_lines(self.title.text, setting) is None:
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
    """The pack's own pictures on a face, and where each stands: left and foot from the trim, width, height, pt."""
    body = _body_of(face)
    setting = body.own(setting)
    pictures = body.pictures(setting)
    foot, top = body.room(setting)
    step = (setting.measure + _BETWEEN) / max(1, len(pictures))
    return [
        (picture, (setting.side + place * step, foot, step - _BETWEEN, top - foot))
        for place, picture in enumerate(pictures)
    ]


class CardPen:
    """Draws one face, the lower left corner of its trim at (x, y) pt, with the pictures of `gallery`.

    Kept together because every part needs the same place, colour and setting.
    """

    def __init__(
        self,
        canvas: Canvas,
        face: card_elements.Face,
        setting: CardSetting,
        x: float,
        y: float,
        inks: Inks,
        gallery: Gallery | None,
    ) -> None:
        self.canvas, self.face, self.gallery, self.body = canvas, face, gallery, _body_of(face)
        self.setting = self.body.own(setting)
        self.x, self.y, self.inks = x, y, inks
        self.colour = inks.of(face.suit or face.code)
        self.on_band = inks.band and setting.band_foot is not None

    def draw_ground(self, bleed: float, picture: Callable[[], None]) -> None:
        """Draw what lies under the face, with `bleed` pt around its trim; `picture` draws its picture."""
        trim = (self.x, self.y, self.setting.width, self.setting.height)
        band = self.setting.band_foot if self.inks.band else None
        ground.draw_ground(self.canvas, trim, bleed, self.inks, self.colour, band, picture)

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
        """Plain grounds for text on a picture: over the room that the text leaves, and under it."""
        foot, top = self.body.room(self.setting)
        edge = SAFE - 1.2 * MM
        wide, head = self.setting.width - 2 * edge, min(self.setting.text_top, top + 1.0 * MM)
        x, y = self.x + edge, self.y
        places = [(x, y + head, wide, self.setting.height - edge - head)]
        places += [(x, y + edge, wide, foot - edge)] if foot > SAFE + 1.0 * MM else []
        for place in places:
            pen.draw_box(self.canvas, place, ground=WHITE, radius=2 * MM)

    def draw(self) -> None:
        """All parts, the pale ones first so that text stands on top."""
        body = self.body
        foot, top = body.room(self.setting)
        room = self.x + self.setting.side, self.y + foot, self.setting.measure, top - foot
        rooms = [
            (picture, (self.x + left, self.y + low, wide, high))
            for picture, (left, low, wide, high) in picture_rooms(self.face, self.setting)
        ]
        own = card_elements.backdrop_art(self.face)
        covered = own is not None and own.placed == "bleed" and self.gallery is not None and self.gallery.has(own.path)
        pictured = emblem.draw_pictures(self.canvas, rooms, self.gallery)
        for part in self.face.parts:
            if isinstance(part, card_elements.Emblem) and not pictured and not covered:
                scale, solid = self.setting.scale, self.inks.solid
                with tags.tagged_as(self.canvas, part):
                    emblem.draw_suit_or_emblem(self.canvas, part, room, scale, self.colour, self.gallery, solid=solid)
        x, y = self.x + SAFE, self.y + SAFE
        badges.draw_badges(self.canvas, body.badges, self.setting.foot, x, y, self.colour, self.inks)
        for part in self.face.parts:
            self._part(part)
        self._body(body)
        for part in self.face.parts:
            if isinstance(part, card_elements.Sketch):
                with tags.tagged_as(self.canvas, part):
                    sketch.draw_sketch(self.canvas, part, room, self.setting.scale, self.setting.least, self.inks)
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
                    self._title(part)
            case card_elements.Rule() if "rule" not in self.setting.spared:
                with tags.tagged_as(self.canvas, part):
                    self._rule(part)
            case _:
                return

    # The index: rank over suit, as on any playing card, so that a fanned hand can be read.

    def _index(self, index: card_elements.Index, *, turned: bool) -> None:
        setting, scale = self.setting, self.setting.scale
        middle = SAFE + setting.index_width / 2 - 0.4 * MM * scale
        top = setting.height - SAFE
        if is_joker(index.rank):
            size = max(setting.least, 8.6 * scale)
            first = top - max(2.3 * MM * scale, 0.7 * size)
            with tags.tagged_as(self.canvas, index, "rank"), tags.tagged_as(self.canvas, index, "suit"):
                for place, letter in enumerate("JOKER"):
                    # The tail of the J reaches below its line.
                    y = first - (_JOKER_STEP * place + (0.4 * MM if place else 0.0)) * scale
                    self._corner_text(letter, middle, y, size, turned=turned)
            return
        with tags.tagged_as(self.canvas, index, "rank"):
            self._corner_text(index.rank, middle, top - 4.7 * MM * scale, 18.5 * scale, turned=turned)
        if not index.suit and _turns_into_another(index.rank):
            self._underline(middle, top - 5.6 * MM * scale, 3.6 * MM * scale, turned=turned)
        if index.suit:
            x, y = self._corner(middle, top - 8.8 * MM * scale, turned=turned)
            with tags.tagged_as(self.canvas, index, "suit"):
                self._suit(index.suit, x, y, 5.2 * MM * scale, turned=turned)

    def _corner(self, x: float, y: float, *, turned: bool) -> tuple[float, float]:
        """Return a place measured from the card's corner, or from the opposite corner of the turned card."""
        if turned:
            x, y = self.setting.width - x, self.setting.height - y
        return self.x + x, self.y + y

    def _corner_text(self, letters: str, x: float, y: float, size: float, *, turned: bool) -> None:
        """A rank centred at x with its foot at y; a wide one is drawn narrower, as the 10 of real cards is, and smaller
        where that would be too narrow."""
        room = self.setting.index_width - 1.2 * MM * self.setting.scale
        wide = pen.letters_width(letters, fonts.SERIF_BOLD, 1) or 1.0
        size = max(self.setting.least, min(size, room / (_NARROWEST * wide)))
        scale = min(1.0, room / (wide * size))
        place, way = self._corner(x, y, turned=turned), -1 if turned else 1
        turn = (way * scale, 0, 0, way)
        colour = self._head_colour(self.colour, turned=turned)
        pen.draw_line(self.canvas, letters, *place, fonts.SERIF_BOLD, size, align="middle", colour=colour, turn=turn)

    def _underline(self, middle: float, y: float, wide: float, *, turned: bool) -> None:
        """A line under a rank, centred at `middle` with its upper edge at y: it says which way up the number is."""
        high = 0.5 * MM * self.setting.scale
        one = self._corner(middle - wide / 2, y - high, turned=turned)
        other = self._corner(middle + wide / 2, y, turned=turned)
        pen.draw_box(self.canvas, (*min(one, other), wide, high), ground=self._head_colour(self.colour, turned=turned))

    def _head_colour(self, colour: Rgb, *, turned: bool = False) -> Rgb:
        """The colour of what stands at the head of the card, or there on the turned card, where there is no band."""
        return WHITE if self.on_band and not turned else colour

    def _suit(self, suit: str, x: float, y: float, size: float, *, turned: bool) -> None:
        """A suit's sign at its full strength."""
        if self.gallery is None or (own := self.gallery.suit(suit)) is None:
            colour, hatched = self._head_colour(self.colour, turned=turned), self.inks.hatched(suit)
            badges.draw_sign(
                self.canvas, SUITS[suit], x, y, size, colour, solid=self.inks.solid, turned=turned, hatched=hatched
            )
        else:
            self.gallery.sign(self.canvas, own, x, y, size, turned=turned)

    def _title(self, title: card_elements.Title) -> None:
        size, lines = _title_lines(title.text, self.setting) or (self.setting.title_sizes[-1], ())
        first = self._title_base(size, len(lines))
        colour = self._head_colour(BLACK)
        pen.draw_lines(self.canvas, lines, self.x + self.setting.title_left, self.y + first, size, 1.05, colour=colour)

    def _title_base(self, size: float, lines: int) -> float:
        """Return the base of the name's first line over the foot of the trim, pt."""
        scale = self.setting.scale
        top = self.setting.height - SAFE - 1.2 * MM * scale
        return top - size * 0.72 if lines > 1 else top - size * 0.72 - 1.6 * MM * scale

    def _rule(self, rule: card_elements.Rule) -> None:
        """The suit's character in small capitals, then a thin line in the suit's colour to the margin."""
        canvas, setting, small = self.canvas, self.setting, self.setting.small
        y = self.y + setting.rule_height
        left = self.x + setting.title_left
        word = rule.word.upper()
        colour = self._head_colour(self.colour)
        pen.draw_line(canvas, word, left, y - small * 0.33, fonts.SANS_BOLD, small, colour=colour, apart=0.9)
        end = left + pen.letters_width(word, fonts.SANS_BOLD, small) + 0.9 * len(word) + 1.4 * MM
        pen.draw_rules(canvas, colour, 0.6, (end, y, self.x + setting.width - setting.side, y))

    def _body(self, body: _Body) -> None:
        """The effects from the top, the flavour from the foot."""
        setting, size = self.setting, self.setting.size
        y = self.y + setting.text_top - size * 0.76
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
        x, y = edge, setting.rule_height
        if kind == "index":
            x = SAFE + setting.index_width / 2 - 0.4 * MM * setting.scale
            y = setting.height - SAFE - _INDEX_INK * setting.scale - radius - 0.1 * MM
        elif kind == "title" and body.title and (fitted := _title_lines(body.title.text, setting)):
            size, lines = fitted
            x = setting.title_left + text.line_width(lines[-1]) * size + radius + 1 * MM
            y = self._title_base(size, len(lines)) - (len(lines) - 1) * size * 1.05 + size * 0.33
        elif kind == "effect" and (effect_lines := body.lines(setting)):
            x = setting.side + text.line_width(effect_lines[0][-1]) * setting.size + radius + 1 * MM
            y = setting.text_top - setting.size * (0.43 + (len(effect_lines[0]) - 1) * _LEADING)
        elif kind == "scale":
            x, y = setting.width / 2, setting.text_top - body.said_height(setting) - setting.size * 0.4
        elif kind in ("blank", "track"):
            part_type = card_elements.Blank if kind == "blank" else card_elements.CardTrack
            until = next(at for at, each in enumerate(body.written(setting)) if isinstance(each, part_type)) + 1
            high = sum(_written_height(each, setting) for each in body.written(setting)[:until])
            y = setting.text_top - body.printed_height(setting) - high + radius
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
        top = self.y + setting.text_top - body.said_height(setting)
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
        top = self.y + setting.text_top - body.printed_height(setting)
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
        lines = body.flavour_lines(self.setting)
        # From the top, so that who listens to the file hears the words in their order.
        first = self.y + self.setting.text_foot + size * (0.25 + (len(lines) - 1) * _LEADING)
        middle = self.x + self.setting.width / 2
        flavour = next((part for part in self.face.parts if isinstance(part, card_elements.Flavour)), None)
        with tags.tagged_as(self.canvas, flavour):
            pen.draw_lines(self.canvas, lines, middle, first, size, _LEADING, align="middle", colour=GREY)


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


def _title_lines(name: str, setting: CardSetting) -> tuple[float, tuple[text.Line, ...]] | None:
    """Return the name's type size and its one or two lines; None where even the smallest size does not do."""
    room = setting.width - setting.title_left - setting.side
    words = text.split_words((text.Run(name, fonts.SERIF_BOLD),))
    sizes = setting.title_sizes
    for size in sizes:
        lines = text.broken_lines(words, room / size)
        if len(lines) <= (1 if size == sizes[0] and len(sizes) > 1 else 2) and text.widest_word(words) * size <= room:
            return size, lines
    return None


_TURNED = str.maketrans("01689", "01986")


def _turns_into_another(rank: str) -> bool:
    """Return whether a number reads as another one upside down, as 6 and 9 do, and no suit says which way up it is."""
    turned = rank[::-1].translate(_TURNED)
    return set(rank) <= set("01689") and turned != rank and not turned.startswith("0")
