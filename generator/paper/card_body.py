"""The text of a card: how it is broken at any type size, and the window that it leaves.

All lengths here are points, the origin is the lower left corner of the card's trim.
"""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from generator.base.cards import is_joker
from generator.base.errors import FaceError
from generator.base.sentences import sentence_parts
from generator.layout import card_elements
from generator.layout.type_sizes import type_sizes
from generator.paper import badges, fonts, pen, sketch, text
from generator.paper.card_blanks import Written, written_height, written_width
from generator.paper.card_setting import INDEX_INK, INDEX_WIDTH, JOKER_INK, LOW_LINE, SAFE, CardSetting
from generator.paper.document import MM
from generator.paper.emblem import LEAST_ROOM
from generator.paper.window import TORN
from generator.words.wording import DAGGER

_TYPE = type_sizes().cards
_BODY = _TYPE.body
"""The two sizes of a deck's sentences, pt: the smaller is read at arm's length."""
TYPE_STEP = 0.25
LEADING = 1.2
_GAP = 0.42
"""Between two sentences, in units of the type size."""
_APART = 0.95
"""Before a sentence with a label, which begins something else, in units of the type size."""
_CLOSE = 0.6
"""The share of these that stays on a card with hardly any room."""
_HANGING = 1.55
"""Indent of a numbered line, in units of the type size."""
_NUMBERED = 0.3
"""Before a numbered line, in units of the type size."""
_MAX_ENDING_LENGTH = 12.0
"""An until-when that is longer than this is broken like other text, in units of the type size."""
SCALE_LEADING = 1.26
"""From one row of a scale to the next, in units of the type size."""
NAME_LEADING = 0.92
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
_RANK_INK = 5.8 * MM
"""As far as a rank without a suit does, with the line under it; and the widest that it may be."""
_WIDEST_INDEX = 17 * MM


class OverfullError(FaceError):
    """A face does not fit its card; says which and by how much."""


def sentence_words(effect: card_elements.CardEffect) -> tuple[text.Word, ...]:
    """Return a sentence as words: numbers bold, then a full stop; until-when in italics, on one line if it is short."""
    sentence, ending = sentence_parts(effect.says, effect.until)
    label = (text.Run(f"{effect.label}: ", fonts.SANS_BOLD),) if effect.label else ()
    plain = text.split_words((*label, *text.figures_bold(sentence, fonts.SANS, fonts.SANS_BOLD)))
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
        self.forms: list[Written] = [part for part in face.parts if isinstance(part, Written)]
        self.face = face
        emblem = next((part for part in face.parts if isinstance(part, card_elements.Emblem) and not part.suit), None)
        self.beside = 0.0 if self.end or not emblem else _FIGURE if emblem.figure else _BESIDE
        scores = [part.number for part in self.badges if part.kind == "score" and part.number.isdigit()]
        # Without a score the edge is a little broken, as suits are.
        self.broken = min(1.0, int(scores[0]) / 10) if len(scores) == 1 else 0.35 if face.suit else 0.0
        self._settled: dict[CardSetting, CardSetting] = {}
        self._heads: dict[tuple[float | bool, ...], tuple[float, float]] = {}

    def for_face(self, setting: CardSetting) -> CardSetting:
        """Return the setting of a set with what this face has: without badges there is more room for its text."""
        index = next((part for part in self.face.parts if isinstance(part, card_elements.Index)), None)
        ink, room = INDEX_INK, INDEX_WIDTH
        if index and is_joker(index.rank):
            ink = JOKER_INK
        elif index and not index.suit:
            width = pen.letters_width(index.rank, fonts.INDEX, _TYPE.index)
            ink, room = _RANK_INK, min(max(INDEX_WIDTH, width + 2 * MM), _WIDEST_INDEX)
        has = {"band": bool(self.badges or self.gauge), "index": index is not None}
        setting = replace(setting, index_ink=ink, index_room=room, **has)
        if not self.end or setting.end:
            return setting
        half = setting.height / 2 - 1 * MM * setting.scale
        return replace(setting, end=True, height=half, dropped=setting.dropped | {"turned"})

    def settled_ends(self, setting: CardSetting) -> tuple[list[CardSetting], float, float]:
        """Return the settings of both ends, in one size, and the bottom and height of the window that they leave."""
        owns = [each.sized(setting) for each in self.ends]
        size = min(own.size for own in owns)
        settled = [each.with_window(replace(own, size=size)) for each, own in zip(self.ends, owns, strict=True)]
        pairs = zip(self.ends, settled, strict=True)
        above, below = (own.window + own.head + each.text_height(own) + own.text_foot for each, own in pairs)
        height = min(left := setting.height - above - below, _MIDDLE * setting.scale)
        return settled, below + (left - height) / 2, height

    def captions_fit(self, setting: CardSetting) -> bool:
        """Return whether the badges keep apart, and the words under them if they are there at all."""
        return badges.badges_fit(self.badges, setting.foot)

    def printed_sentences(self, setting: CardSetting) -> list[tuple[text.Word, ...]]:
        """Return the sentences, or their short form where they gave way."""
        if "sentences" not in setting.dropped:
            return self.sentences
        short = card_elements.short_form(self.face)
        return [short_words(short)] if short else []

    def printed_parts(
        self, setting: CardSetting
    ) -> Sequence[card_elements.CardEffect | card_elements.Callout | card_elements.Face]:
        """Return the parts that the sentences tell: a part each, or the whole face in short."""
        return [self.face] if "sentences" in setting.dropped else [*self.effects, *self.numbered]

    def printed_flavours(self, setting: CardSetting) -> list[tuple[text.Word, ...]]:
        """Return the flavour, unless it gave way."""
        return [] if "flavour" in setting.dropped else self.flavours

    def lines(self, setting: CardSetting) -> list[tuple[text.Line, ...]]:
        """Return the sentences in lines."""
        return [
            text.broken_lines(words, setting.measure / setting.size - hanging)
            for words, hanging in zip(self.printed_sentences(setting), self.hanging(setting), strict=True)
        ]

    def hanging(self, setting: CardSetting) -> list[float]:
        """Return the indent of each sentence, in units of the type size."""
        line_count = len(self.printed_sentences(setting))
        return [_HANGING if index >= line_count - len(self.numbered) else 0.0 for index in range(line_count)]

    def flavour_lines(self, setting: CardSetting) -> tuple[text.Line, ...]:
        """Return the flavour in lines."""
        measure = setting.measure / setting.flavour
        return tuple(line for words in self.printed_flavours(setting) for line in text.broken_lines(words, measure))

    def height(self, setting: CardSetting) -> float:
        """Return how high the sentences, the scale and what is written under them stand together, pt."""
        return self.printed_height(setting) + sum(written_height(part, setting) for part in self.written(setting))

    def printed_height(self, setting: CardSetting) -> float:
        """Return how high the sentences and the scale with its heading stand together, pt."""
        rows = self.scale(setting)
        return self.words_height(setting) + len(rows) * setting.size * SCALE_LEADING + self.heading(setting)

    def heading(self, setting: CardSetting) -> float:
        """Return the height of the word over a scale, which is its heading, pt."""
        return 1.5 * setting.small if self.word and setting.word and self.scale(setting) else 0.0

    def words_height(self, setting: CardSetting) -> float:
        """Return how high the sentences stand, and the gap to a scale below them, pt."""
        lines = self.lines(setting)
        gaps = sum(self.gaps(setting)) + (_GAP if lines and self.scale(setting) else 0)
        return sum(map(len, lines)) * setting.size * LEADING + gaps * setting.size

    def gaps(self, setting: CardSetting) -> list[float]:
        """Return the gap before each sentence but the first, in units of the type size."""
        return [] if "sentences" in setting.dropped else [gap * setting.gap for gap in self.apart[1:]]

    def scale(self, setting: CardSetting) -> list[tuple[str, float, str]]:
        """Return the chances to look up, unless they gave way."""
        return [] if "scale" in setting.dropped else self.rows

    def settled(self, setting: CardSetting) -> CardSetting:
        """Return the setting of a set as it is for this face: its own size, and the window that its text leaves."""
        if setting not in self._settled:
            self._settled[setting] = self.with_window(self.sized(setting))
        return self._settled[setting]

    def name(self, setting: CardSetting, *, tall: bool) -> tuple[float, tuple[text.Line, ...]] | None:
        """Return the name's size and its lines; None where even the smallest size does not do."""
        if self.title is None:
            return 0.0, ()
        room = setting.width - setting.side - (setting.side if tall else setting.title_left)
        room -= 0.0 if tall else self.beside * setting.scale
        plain, dagger, _ = self.title.text.partition(DAGGER)
        marks = [text.Run(dagger, fonts.SANS, 0.6)] if dagger else []
        words = text.split_words([text.Run(plain, fonts.DISPLAY), *marks])
        for size, line_count in setting.names(tall=tall):
            if text.widest_word(words) * size <= room and text.line_count(words, room / size) <= line_count:
                return size, text.broken_lines(words, room / size)
        return None

    def heads(self, setting: CardSetting, *, tall: bool) -> tuple[float, float]:
        """Return the least height of a window, and of the strip at its foot on which the name stands, pt."""
        large = "large name" in setting.dropped
        key = (setting.width, setting.scale, setting.minimum, setting.word, *setting.notch, large, tall)
        if key not in self._heads:
            self._heads[key] = self._least_heads(setting, tall=tall)
        return self._heads[key]

    def _least_heads(self, setting: CardSetting, *, tall: bool) -> tuple[float, float]:
        size, lines = self.name(setting, tall=tall) or (0.0, ())
        unit = MM * setting.scale
        strip = name_base(size, setting) + (len(lines) - 1) * NAME_LEADING * size + 0.66 * size if lines else 0.0
        if tall:
            word = 0.0
            strip += 1.5 * unit if lines else 0.0
            if self.is_flat(setting):
                strip += setting.small * 0.72 + 1.3 * unit
            elif self.has_word(setting):
                word = self.word_top(replace(setting, tall=True)) + self.word_width(setting) + 0.8 * unit
            return max(setting.notch[1], LEAST_ROOM * setting.scale + _MARGIN, word) + strip, strip
        word = setting.small * 0.72 + 1.5 * unit if self.has_word(setting) else 0.0
        return (max(setting.notch[1], SAFE + word + strip if lines else 0.0),) * 2

    def is_torn(self, setting: CardSetting) -> bool:
        """Return whether the card is one to keep: then its corner is torn, which shows in a pile."""
        return setting.tall and any(part.kind == "permanent" for part in self.badges)

    def word_top(self, setting: CardSetting) -> float:
        """Return the way from the upper trim to a turned word, pt."""
        return (TORN + 0.6) * MM * setting.scale if self.is_torn(setting) else SAFE

    def word_width(self, setting: CardSetting) -> float:
        """Return how wide the word of a suit is, pt."""
        return capitals_width(self.word.upper(), setting.small)

    def tab(self, setting: CardSetting) -> tuple[float, float]:
        """Return the width and height of the corner for a turned word, pt from the trim; 0 where none is turned."""
        if not (setting.tall and self.has_word(setting)) or self.is_flat(setting):
            return 0.0, 0.0
        unit = MM * setting.scale
        return SAFE + setting.small * 0.7 + 1.1 * unit, self.word_top(setting) + self.word_width(setting) + 0.9 * unit

    def is_flat(self, setting: CardSetting) -> bool:
        """Return whether the word of a suit is too long to be turned: then it stands over the name."""
        return self.has_word(setting) and self.word_width(setting) > _LONGEST_TURNED * setting.scale

    def has_word(self, setting: CardSetting) -> bool:
        """Return whether the word of a suit stands in the window, and not over a scale."""
        return bool(self.word) and setting.word and not self.rows

    def text_height(self, setting: CardSetting) -> float:
        """Return how high flavour, sentences and what is written stand together, pt."""
        lines, height = len(self.flavour_lines(setting)), self.height(setting)
        gap = 0.45 * setting.size if height else 0.0
        return height + (lines * setting.flavour * LEADING + gap if lines else 0.0)

    def free_height(self, setting: CardSetting) -> float:
        """Return the height that the text leaves to a window, pt."""
        return setting.height - setting.text_foot - self.text_height(setting) - setting.head

    def with_window(self, setting: CardSetting) -> CardSetting:
        """Return the setting of a face with the window that its text leaves."""
        window, strip = self.heads(setting, tall=True)
        left = self.free_height(setting)
        if self.has_picture(setting) and left >= window and self.name(setting, tall=True):
            window = max(window, setting.height * _TALLEST) if self.text_height(setting) else left
            return replace(setting, tall=True, strip=strip, window=min(left, window))
        window, strip = self.heads(setting, tall=False)
        return replace(setting, tall=False, strip=strip, window=window)

    def has_picture(self, setting: CardSetting) -> bool:
        """Return whether a face has a picture to show in its window."""
        kinds = card_elements.Emblem | card_elements.Sketch
        shown = bool(setting.sign or self.pictures(setting)) or any(isinstance(each, kinds) for each in self.face.parts)
        return shown and not self.end

    def room(self, setting: CardSetting) -> tuple[float, float, float, float]:
        """Return the room for a picture in the window: left and bottom from the trim, width and height, pt."""
        unit = MM * setting.scale
        left = setting.notch[0] + 0.6 * unit
        right = setting.width - SAFE - (setting.small + 0.8 * MM if setting.word else 0)
        if not setting.index:
            left = setting.width - right
        elif not self.title:
            right = setting.width - left
        if self.beside and not setting.tall:
            # Beside the name, at the end of the window.
            bottom, width = setting.height - setting.window + _MARGIN * 0.6, self.beside * setting.scale
            return setting.width - SAFE - width, bottom, width, setting.window - _MARGIN * 1.6
        bottom, top = setting.height - setting.window + setting.strip, setting.height - _MARGIN
        return left, bottom, right - left, max(0.0, top - bottom) if setting.tall else 0.0

    def written(self, setting: CardSetting) -> list[Written]:
        """Return the boxes, and the lines to write on unless they gave way."""
        return [
            part for part in self.forms if isinstance(part, card_elements.CardTrack) or "lines" not in setting.dropped
        ]

    def is_written_over(self, setting: CardSetting) -> bool:
        """Return whether what is written on a line, or a row of boxes, is wider than the card."""
        return any(written_width(part, setting) > setting.measure for part in self.written(setting))

    def excess(self, setting: CardSetting) -> float:
        """How many points the text is too high; negative where there is room. Infinite for a word that is too wide."""
        words = [
            *zip(self.printed_sentences(setting), self.hanging(setting), strict=True),
            *((each, 0.0) for each in self.printed_flavours(setting)),
        ]
        too_wide = ((text.widest_word(each) + hanging) * setting.size > setting.measure for each, hanging in words)
        if any(too_wide) or self.is_written_over(setting):
            return float("inf")
        left = self.free_height(setting)
        excess = self.heads(setting, tall=False)[0] - left
        return max(excess, self.heads(setting, tall=True)[0] - left) if self.pictures(setting) else excess

    def pictures(self, setting: CardSetting) -> list[card_elements.CardArt]:
        """Return the pictures of the pack's own, unless they gave way."""
        return [] if "picture" in setting.dropped else self.arts

    def sized(self, setting: CardSetting) -> CardSetting:
        """Return the setting of a set in the size of this face, the largest at which its words fit.

        The text stays smaller than the name and leaves the room of the emblem, as long as it is legible all the same;
        otherwise the emblem gives way before the type does, then the height of lines to write on, the flavour, a
        picture of the pack's own, the space between sentences, and those lines.
        """
        setting = self.for_face(setting)
        low = replace(setting, line=LOW_LINE)
        bare = low.dropped | {"flavour", "picture"}
        less = (low.dropped | {"flavour"}, 1.0), (bare, 1.0), (bare, _CLOSE), (bare | {"lines"}, 1.0)
        forms = (setting, low, *(replace(low, dropped=gone, gap=gap) for gone, gap in less))
        own = next((own for form in forms if (own := self._largest(form)).size >= _BODY[1] * setting.scale), None)
        if own and self.forms and not self.with_window(own).tall:
            closer = self._largest(replace(low, gap=own.gap, dropped=own.dropped | {"large name"}))
            own = closer if closer.size == own.size and self.with_window(closer).tall else own
        # There is always room for a hand on the lines of a card that is too full; it has neither picture nor flavour.
        return own or self._densest(replace(setting, dropped=bare))

    def is_legible(self, setting: CardSetting) -> bool:
        """Return True if the sentences are as large as the smaller ones of a deck, on large cards too."""
        return self.sized(setting).size >= _BODY[1] * min(1.0, setting.scale)

    def _densest(self, setting: CardSetting) -> CardSetting:
        """Return the setting in the largest type under the deck's sizes at which the words fit, or as it is."""
        sizes = (_BODY[1] - TYPE_STEP * step for step in range(1, int((_BODY[1] - _TYPE.minimum) / TYPE_STEP)))
        larger = (replace(setting, size=size * setting.scale) for size in sizes)
        return next((each for each in larger if each.size <= setting.size or self.excess(each) <= 0), setting)

    def _largest(self, setting: CardSetting) -> CardSetting:
        """Return the setting in the larger size of the deck beside a picture, in the smaller one, or as it is."""
        larger, smaller = (replace(setting, size=max(size * setting.scale, setting.minimum)) for size in _BODY)
        if self.excess(larger) <= 0 and self._leaves_picture(larger):
            return larger
        return smaller if self.excess(smaller) <= 0 else setting

    def _leaves_picture(self, setting: CardSetting) -> bool:
        """Return whether the text leaves as much room as the face's emblem or sketch needs, if it has one."""
        needed = _PICTURE * setting.scale
        if self.end:
            return self.free_height(setting) - self.heads(setting, tall=False)[0] >= needed / 2
        for part in self.face.parts:
            if isinstance(part, card_elements.Sketch):
                needed = sketch.least_room(part, setting.minimum) + 2 * MM
        window, strip = self.heads(setting, tall=True)
        return not self.has_picture(setting) or self.free_height(setting) >= max(window, strip + _MARGIN + needed)

    def fault(self, setting: CardSetting) -> OverfullError | None:
        """Return why the face does not fit, or None."""
        if self.ends:
            return next((fault for each in self.ends if (fault := each.fault(setting))), None)
        setting = self.for_face(setting)
        excess = self.excess(setting)
        if not self.captions_fit(setting):
            return OverfullError(self.code, "the badges at the foot are wider than the card: shorten their words")
        if self.name(setting, tall=False) is None:
            return OverfullError(self.code, "the name does not fit in two lines: shorten it")
        if self.is_written_over(setting):
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
    meant = effects
    words = [part.word for part in face.parts if isinstance(part, card_elements.Rule)]
    for part in face.parts:
        if isinstance(part, card_elements.CardEffect):
            if part.label:
                named = [end.lower() in part.label.lower() for end in face.ends]
                meant = tuple(each for each, is_named in zip(effects, named, strict=True) if is_named) or effects
            for each in meant:
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


def capitals_width(words: str, size: float) -> float:
    """Return the width of words in small capitals, which stand apart, pt."""
    return pen.letters_width(words, fonts.SANS_BOLD, size) + WORD_APART * len(words)


def name_base(size: float, setting: CardSetting) -> float:
    """Return the height of a name's last line over the foot of its window, pt."""
    return 0.16 * size + 1.5 * MM * setting.scale
