"""Cards that explain a deck: one of its own with its parts numbered, and what happens upon a hit."""

import re
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from generator.base.cards import is_code, is_joker
from generator.base.errors import FaceError
from generator.base.fields import RULING
from generator.base.sentences import full_stop, without_stop
from generator.games import game_of
from generator.games.card_products import SIGNS
from generator.layout.card_elements import (
    Badge,
    Blank,
    Callout,
    CardEffect,
    CardSet,
    CardTrack,
    Face,
    Flavour,
    Index,
    Part,
    Rule,
    Scale,
    Title,
    title_of,
)
from generator.layout.panel_elements import Heading, Page, Paragraph
from generator.layout.sheets import Size
from generator.model.blocks import EventBlock, OrderBlock, Panel, StepsBlock
from generator.model.rules import System
from generator.paper import card as paper_card
from generator.paper.card import CardSetting, Print
from generator.paper.document import MM
from generator.products.panel_content import page
from generator.words.wording import capitalised, fill_placeholders

HOW_TO_READ, RULES = "how-to-read", "rules"
"""The codes of the cards; further ones of the rules are `rules-2`, `rules-3`."""
_WISHED_TYPE = 7.5
"""Rather than in smaller type a part is told in fewer words, and the rules go on on another card, pt."""
_ASIDE = "Not part of the deck: keep it beside the cards."
_HEADING = "How to read a card"
_MARK = re.compile(rf" ?{RULING.pattern}")
"""A ruling's mark, which nobody needs who holds the card in the hand."""
_YIELDS = ("flavour", "captions", "turned")
_IN_WORDS = {"words": "what it counts, and what that does", "gauge": "how far up it is"}
_ANNOTATED = (Index, Title, Rule, CardEffect, Scale, Blank, CardTrack, Badge)
_RANGE = ("or", "to")
"""The captions of a number that goes on in the next one."""


def extra_faces(system: System, printed: CardSet, card: Size, text: Print) -> tuple[Face, ...]:
    """The cards that explain a set at that size; without rules where the content tells no steps."""
    return (_how_to_read(system, printed, card, text), *rule_cards(system, card, text))


def guide_faces(system: System, printed: CardSet, card: Size, text: Print) -> tuple[Face, ...]:
    """Return the card that tells how to read a deck, if it fits at that size."""
    face = _how_to_read(system, printed, card, text)
    return () if _measured(face, card, text)[1] else (face,)


def setting_of(face: Face, card: Size, text: Print) -> CardSetting:
    """How such a card is set. Raises FaceError where it does not fit."""
    setting, overfull = _measured(face, card, text)
    if overfull:
        raise FaceError(face.code, "this help card does not fit: choose larger cards, or leave --extras out")
    return setting


def _measured(face: Face, card: Size, text: Print) -> tuple[CardSetting, tuple[paper_card.OverfullError, ...]]:
    return paper_card.measure_card((face,), card.width * MM, card.height * MM, text, yielding=True)


def _fits(face: Face, card: Size, text: Print, least: float) -> bool:
    """Whether a card fits in type of `least` pt, or in large print at all."""
    setting, overfull = _measured(face, card, text)
    return not overfull and setting.size >= min(least, setting.largest)


def _how_to_read(system: System, printed: CardSet, card: Size, text: Print) -> Face:
    """The card with the most kinds of parts and the fewest words, its parts numbered and explained.

    It is explained in few words, or another card is, or with its first sentence alone, where there is too little room.
    """
    known = [face for face in printed.faces if not is_joker(face.code)] or list(printed.faces)
    known.sort(key=lambda face: (-len(_kinds(face)), len(title_of(face)) > _SHORT_NAME, _length(face)))
    told = [_annotated(face, system, brief=brief) for face in known[:_TRIED] for brief in (False, True)]
    lean = [_annotated(_lean(face), system, brief=True) for face in known[:_TRIED]]
    for faces, least in ((told, _WISHED_TYPE), (lean, _WISHED_TYPE), (told, 0.0)):
        for face in faces:
            if _fits(face, card, text, least):
                return face
    return min(lean, key=_length)


def _lean(face: Face) -> Face:
    """A card with the first of its sentences and of its lines, and the first few of its chances."""
    firsts: dict[object, Part] = {
        type(part): part for part in reversed(face.parts) if isinstance(part, CardEffect | Blank | CardTrack)
    }
    kept = (part for part in face.parts if firsts.get(type(part), part) is part)
    return replace(
        face, parts=tuple(replace(part, rows=part.rows[:_FEW]) if isinstance(part, Scale) else part for part in kept)
    )


_TRIED = 12
"""So many cards are tried: the others have fewer parts or more words."""
_FEW = 3
_SHORT_NAME = 14
"""The letters of a name that leaves room for a number beside it."""


def _kinds(face: Face) -> set[object]:
    return {part.kind if isinstance(part, Badge) else type(part) for part in face.parts if isinstance(part, _ANNOTATED)}


def _length(face: Face) -> int:
    return sum(len(said) for said, _ in paper_card.card_texts(face))


def _annotated(face: Face, system: System, *, brief: bool) -> Face:
    """A card of the set with numbers beside its parts, and below its sentences what these are."""
    kept = tuple(part for part in face.parts if isinstance(part, _ANNOTATED))
    explained = _explained(face, kept, system, brief=brief)
    callouts = tuple(Callout(number, says, at) for number, (at, says) in enumerate(explained, 1))
    heading = CardEffect("its parts by number", "", _HEADING)
    return Face(HOW_TO_READ, face.suit, (*kept, heading, *callouts, Flavour(_ASIDE)), _YIELDS, apart=True)


def _explained(face: Face, parts: Sequence[Part], system: System, *, brief: bool) -> Iterator[tuple[str, str]]:
    """Each part that is explained, as a callout names it, with what it is."""
    playing, told = is_code(face.code), {type(part) for part in parts}
    if Index in told and not playing:
        yield "index", "its number"
    if Rule in told:
        suited = playing and Scale not in told and any(suit.id == face.suit for suit in system.head.suits)
        other = "what the rows below show" if Scale in told else "its kind"
        yield "rule", "what its suit stands for" if suited else other
    if effects := [part for part in parts if isinstance(part, CardEffect)]:
        until = ", in italics until when" if any(part.until for part in effects) else ""
        yield "effect", f"what it does, from the top{until}"
    if Scale in told:
        chances = all(row[2].endswith("%") for part in parts if isinstance(part, Scale) for row in part.rows)
        yield (
            "scale",
            "how likely that is: a longer bar, a better chance" if chances else "what each row becomes with this card",
        )
    if Blank in told:
        yield "blank", "a line to write on"
    if CardTrack in told:
        yield "track", "boxes to cross off"
    badges = [part for part in parts if isinstance(part, Badge)]
    for place, badge in enumerate(badges):
        if badge.caption not in _RANGE:
            yield f"badge {place}", _badge(badge, system, brief=brief)


def _badge(badge: Badge, system: System, *, brief: bool) -> str:
    """A figure at the foot: the track that it counts for, or what stands under it."""
    if badge.kind == "permanent":
        return f"{badge.caption}: it does not end by itself"
    if badge.kind in _IN_WORDS:
        return _IN_WORDS[badge.kind]
    track = system.head.tracks.get(badge.kind) if badge.kind in SIGNS else None
    if track is None:
        return f"its {badge.caption}"
    return track.name if brief else f"{track.name}: {without_stop(fill_placeholders(track.means, system))}"


def rule_cards(system: System, card: Size, text: Print) -> tuple[Face, ...]:
    """What happens upon a hit, in the order and the words of the screen, on as many cards as it takes."""
    title, lines = _told(system)
    cards: list[list[Part]] = []
    for line in lines:
        if cards and _fits(_rules_card(title, [*cards[-1], line], 9, 9), card, text, _WISHED_TYPE):
            cards[-1].append(line)
        else:
            cards.append([line])
    return tuple(_rules_card(title, parts, at, len(cards)) for at, parts in enumerate(cards, 1))


def _rules_card(title: str, parts: Sequence[Part], number: int, count: int) -> Face:
    more = f", {number} of {count}" if count > 1 else ""
    code = f"{RULES}-{number}" if number > 1 else RULES
    return Face(code, "", (Title(f"{title}{more}"), Rule("the rules"), *parts), _YIELDS, apart=True)


def _told(system: System) -> tuple[str, list[Part]]:
    """The title and the lines of the rules; none where neither reference nor screen has numbered steps."""
    found = _rules_panel(system)
    if found is None:
        return "", []
    extra_faces = page(found, system)
    return extra_faces.title, list(_lines(extra_faces))


def _lines(extra_faces: Page) -> Iterator[Part]:
    """A page's paragraphs: numbered ones under their numbers, others after the heading that they stand under."""
    heading, pieces = "", [piece for block in extra_faces.blocks for piece in block.pieces]
    for piece in pieces:
        if isinstance(piece, Heading):
            heading = piece.text
        elif isinstance(piece, Paragraph):
            says = without_stop(_MARK.sub("", piece.text))
            if piece.label.isdigit():
                yield Callout(int(piece.label), full_stop(says))
            else:
                yield CardEffect(says, "", piece.strong or heading)
                heading = ""


def _rules_panel(system: System) -> Panel | None:
    """A panel of those blocks that are marked as the rules, or else of the first one with steps."""
    files = dict(system.panels)
    panels = [panel for name in ("reference", "screen") if name in files for panel in files[name].panels]
    for panel in panels:
        if marked := tuple(block for block in panel.blocks if block.rules):
            return replace(panel, blocks=marked)
    usual = next(iter(game_of(system).usual), "") if system.kind == "steps" else ""
    for panel in panels:
        for block in panel.blocks:
            if not isinstance(block, EventBlock | OrderBlock | StepsBlock):
                continue
            if not usual if isinstance(block, StepsBlock) else usual in (block.event, *block.event):
                return _panel(block.title or panel.title, block)
    return _panel(capitalised(usual), EventBlock(event=usual, watches=True)) if usual else None


def _panel(title: str, block: EventBlock | OrderBlock | StepsBlock) -> Panel:
    return Panel(title=title, blocks=(replace(block, title=None, source=None),))
