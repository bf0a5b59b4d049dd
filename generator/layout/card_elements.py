"""The parts of a printed face: plain values between the templates that choose them and the paper that draws them."""

import re
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from generator.base.cards import is_code, name_of
from generator.base.emblem_names import EMBLEMS
from generator.base.sentences import joined_sentences, sentence_parts
from generator.model.rules import BackDesign, System


class Index(Struct, frozen=True):
    """Rank over suit, in two corners. `suit` is C, S, D, H or nothing; a joker has none and its rank is its code."""

    rank: str
    suit: str


class Emblem(Struct, frozen=True):
    """The picture in the room that the text leaves: the emblem of that name, ours or the pack's own.

    Without a name it is what rank and suit make: pips, a crown, a jester's cap. Without a suit `rank` is a sign, or
    parts of the body such as `arm leg`: a figure on which these are dark, as is one part on a `figure`.
    """

    rank: str
    suit: str
    name: str = ""
    figure: bool = False


def emblem_shown(part: Emblem) -> str:
    """Return the name of the emblem that a part shows, ours or the pack's own; empty for pips, crowns and figures."""
    return part.name or (part.rank if not (part.suit or part.figure) and part.rank in EMBLEMS else "")


class Title(Struct, frozen=True):
    """The name at the top."""

    text: str


class Rule(Struct, frozen=True):
    """A thin line in the suit's colour, with a word in small capitals."""

    word: str


class CardEffect(Struct, frozen=True):
    """One sentence: what happens, and until when; its full stop may be left out. `label` stands before it in bold."""

    says: str
    until: str
    label: str = ""


class Flavour(Struct, frozen=True):
    """A line of colour that is no rule."""

    text: str


class Badge(Struct, frozen=True):
    """A figure in the band at the foot: score, blood, trauma or permanent, its number and its caption.

    Also `words`, which are a sentence without a caption; or a gauge, whose number is as `3 of 6`.
    """

    kind: str
    number: str
    caption: str


BETWEEN = ("or", "to")
"""Captions under the first of two figures that belong together."""


class Short(Struct, frozen=True):
    """The effects in telegraph style: what stands on a sticker, and on a card too small for whole sentences.

    It is empty where the badges say everything.
    """

    text: str


class Scale(Struct, frozen=True):
    """Chances to look up, one a row: a label, the chance from 0 to 1 as the length of a bar, and its figure."""

    rows: tuple[tuple[str, float, str], ...]


class Blank(Struct, frozen=True):
    """A line to write on, or with what is written there already."""

    label: str
    value: str = ""


class CardTrack(Struct, frozen=True):
    """Boxes to cross off one after the other, each with its word; those before `reached` are crossed off already."""

    steps: tuple[str, ...]
    reached: str = ""


class Sketch(Struct, frozen=True):
    """A little field of cards, columns from the bottom card up, in the room that is left; none where there is little.

    `marked` are the cards that are meant, by column and row from 0; `says` tells what the picture shows.
    """

    columns: tuple[tuple[str, ...], ...]
    marked: frozenset[tuple[int, int]]
    says: str


class Callout(Struct, frozen=True):
    """A numbered line."""

    number: int
    says: str


class CardArt(Struct, frozen=True):
    """A picture of the pack's own, by its path in the pack's folder.

    It is `placed` in the window between the sentences and the flavour, pale on the ground of the card, or over all of
    the card with its bleed; there the text has grounds of its own.
    """

    path: str
    placed: str = "window"


Part = (
    Index
    | Emblem
    | Title
    | Rule
    | CardEffect
    | Flavour
    | Badge
    | Short
    | Scale
    | Blank
    | CardTrack
    | Callout
    | CardArt
    | Sketch
)

YIELDS = ("flavour", "picture", "captions", "rule", "turned", "sentences", "scale")
"""What may be left out where space is short: lines of colour, the pack's own picture, the words under the badges, the
rule with its word, the second index, whole sentences (for their short form), and chances to look up."""


class Face(Struct, frozen=True):
    """One card's face: its code and its parts from top to bottom, any of which may be missing.

    `yields` names what gives way where space is short, the first first. It is the same for all faces of a set, but for
    those that stand `apart`: they explain the others, and each is set on its own. Of two `ends`, named as the labels of
    its sentences, one is read upright and the other with the card turned.
    """

    code: str
    suit: str
    parts: tuple[Part, ...]
    yields: tuple[str, ...] = YIELDS
    apart: bool = False
    ends: tuple[str, ...] = ()


def short_form(face: Face) -> str:
    """Return a face's effects as short as possible: its short form, or else its sentences in one line."""
    shorts = [part.text for part in face.parts if isinstance(part, Short)]
    effects = [" ".join(filter(None, (part.says, part.until))) for part in face.parts if isinstance(part, CardEffect)]
    return " ".join(shorts) if shorts else "; ".join(effects)


def sticker_form(face: Face) -> str:
    """Return a face's text for a sticker: its written values and its short form."""
    return joined_sentences((written_form(face), short_form(face)))


def badges_unsaid(badges: Sequence[Badge], text: str) -> list[Badge]:
    """Return the badges to show beside words: figures in rings, several of them, say nothing that the words do not.

    The rank shows what a gauge does.
    """
    badges = [badge for badge in badges if badge.kind != "gauge"]
    rings = [badge.number for badge in badges if badge.kind == "score"]
    if len(rings) < 2 or not set(rings) <= set(re.findall(r"[+\u2212]?\d+", text)):
        return badges
    return [badge for badge in badges if badge.kind != "score"]


def sentences_of(face: Face) -> tuple[str, ...]:
    """Return a face's sentences, one line for each effect and for each chance to look up, in order."""
    sentences: list[str] = []
    word = ""
    for part in face.parts:
        match part:
            case Rule():
                word = part.word
            case CardEffect():
                label = f"{part.label}: " if part.label else ""
                sentences.append(label + " ".join(filter(None, sentence_parts(part.says, part.until))))
            case Badge(kind="words"):
                sentences.append(part.number)
            case Callout():
                sentences.append(f"{part.number}: {part.says}")
            case Scale():
                sentences += [
                    f"{word[:1].upper()}{word[1:]} {label}: {figure}".strip() for label, _, figure in part.rows
                ]
            case _:
                continue
    return tuple(sentences)


def backdrop_art(face: Face) -> CardArt | None:
    """Return the picture on the ground of a face, pale or not; None where its ground is plain."""
    return next((part for part in face.parts if isinstance(part, CardArt) and part.placed != "window"), None)


def title_of(face: Face) -> str:
    """Return the name at the top of a face; what its code says where it has none."""
    named = (part.text for part in face.parts if isinstance(part, Title))
    return next(named, name_of(face.code) if is_code(face.code) else face.code)


def badges_of(face: Face) -> list[Badge]:
    """Return the badges at the foot of a face, but for words."""
    return [part for part in face.parts if isinstance(part, Badge) and part.kind != "words"]


def counted_form(badges: Iterable[Badge]) -> str:
    """Return the text of badges: `score: 9; Blood: 2d6`. A range is one: `value: 1 or 11`."""
    sentences, begun = [], ""
    for part in badges:
        if part.caption in BETWEEN:
            begun += f"{part.number} {part.caption} "
        else:
            sentences.append(": ".join(filter(None, (part.caption, f"{begun}{part.number}"))))
            begun = ""
    return "; ".join(sentences)


def written_form(face: Face) -> str:
    """Return the values on the lines and in the boxes of a face, in one line: `Who: Cullen Bohannon; d8, d6, d4`."""
    lines = (part for part in face.parts if isinstance(part, Blank | CardTrack))
    return "; ".join(filter(None, map(_written, lines)))


def _written(part: Blank | CardTrack) -> str:
    if isinstance(part, Blank):
        return f"{part.label}: {part.value}" if part.value else ""
    if all(step.isdigit() for step in part.steps):
        # A tally to cross off: without its boxes it says nothing.
        return ""
    return ", ".join(part.steps[part.steps.index(part.reached) if part.reached else 0 :])


class Home(Struct, frozen=True):
    """Where a card of a mixed set is from: its system, and the set that it belongs to there, by its name."""

    system: System
    name: str
    cards: "CardSet"


class CardSet(Struct, frozen=True):
    """A set of cards: what messages call it, and every face that may be printed, in order. One size fits all.

    `file` is the content file that the faces come from, `trails` the place in it of each code, for error messages.
    `spare` are the codes that are printed only on request, `copies` says how many there are of a card where that is
    more than one. `back` is the picture on their backs, where they have their own, and `back_at` the place of its name,
    in `back_file` or else in `file`; where there is none, `design` says what they look like. `homes` are, by code, the
    systems that cards of a mixed set are from.
    """

    called: str
    faces: tuple[Face, ...]
    file: str = "system.yaml"
    trails: Mapping[str, tuple[str | int, ...]] | None = None
    spare: frozenset[str] = frozenset()
    copies: Mapping[str, int] = {}
    back: str | None = None
    design: BackDesign = BackDesign()
    back_at: tuple[str | int, ...] = ()
    back_file: str = ""
    homes: Mapping[str, Home] = {}
