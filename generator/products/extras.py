"""Cards that explain a deck: what its signs stand for, and what happens upon a hit."""

import re
from collections.abc import Callable, Iterator, Sequence

from msgspec.structs import replace

from generator.base.cards import is_code
from generator.base.errors import FaceError
from generator.base.fields import RULING
from generator.base.sentences import full_stop, without_stop
from generator.games import game_of
from generator.games.card_products import SIGNS
from generator.layout.card_elements import (
    Badge,
    Callout,
    CardEffect,
    CardSet,
    Face,
    Flavour,
    Part,
    Rule,
    Scale,
    Title,
    badges_of,
)
from generator.layout.panel_elements import Heading, Page, Paragraph
from generator.layout.sheets import Size
from generator.model.blocks import EventBlock, OrderBlock, Panel, StepsBlock
from generator.model.rules import System
from generator.paper import fonts
from generator.paper.card import Print, measure_card
from generator.paper.card_body import OverfullError, body_of
from generator.paper.card_setting import CardSetting
from generator.paper.document import MM
from generator.words.wording import capitalised, fill_placeholders

HOW_TO_READ, RULES = "how-to-read", "rules"
"""The codes of the cards; further ones of the rules are `rules-2`, `rules-3`."""
_ASIDE = "Not part of the deck: keep it beside the cards."
_HEADING = "How to read a card"
_MARK = re.compile(rf" ?{RULING.pattern}")
"""A ruling's mark, which nobody needs who holds the card in the hand."""
_YIELDS = ("flavour", "captions", "turned")
_IN_WORDS = {"words": "what the card counts, and which totals it busts", "gauge": "how bad it is"}


def extra_faces(system: System, printed: CardSet, card: Size, text: Print) -> tuple[Face, ...]:
    """The cards that explain a set at that size; without rules where the content tells no steps."""
    face = _how_to_read(system, printed, card, text)
    return (*([face] if face else []), *rule_cards(system, card, text))


def guide_faces(system: System, printed: CardSet, card: Size, text: Print) -> tuple[Face, ...]:
    """Return the card that tells how to read a deck, if it fits at that size."""
    face = _how_to_read(system, printed, card, text)
    return (face,) if face and not _measured(face, card, text)[1] else ()


def setting_of(face: Face, card: Size, text: Print) -> CardSetting:
    """How such a card is set. Raises FaceError where it does not fit."""
    setting, overfull = _measured(face, card, text)
    if overfull:
        raise FaceError(face.code, "this help card does not fit: choose larger cards, or leave --extras out")
    return setting


@fonts.measured_once(200)
def _measured(face: Face, card: Size, text: Print) -> tuple[CardSetting, tuple[OverfullError, ...]]:
    return measure_card((face,), card.width * MM, card.height * MM, text, yielding=True)


def _fits(face: Face, card: Size, text: Print) -> bool:
    """Return True if a card fits in the type of a deck's sentences: else it says less, or goes on on another card."""
    setting, overfull = _measured(face, card, text)
    return not overfull and body_of(face).is_legible(setting)


def _how_to_read(system: System, printed: CardSet, card: Size, text: Print) -> Face | None:
    """Return the card that says what the signs of a set stand for, if it has any; in fewer words with less room."""
    *longer, shortest = (_guide(system, printed, words) for words in (3, 2, 1, 0))
    chosen = next((face for face in longer if _fits(face, card, text)), shortest)
    return chosen if any(isinstance(part, CardEffect) for part in chosen.parts) else None


def _guide(system: System, printed: CardSet, words: int) -> Face:
    """Return that card: what italics and bars mean, and the fullest foot of the set with its words.

    It tells of suits where there is room for more `words`, in sentences from 2, and with 3 of what figures count for.
    """
    parts = [part for face in printed.faces for part in face.parts]
    badges = max(([*map(_named(system), badges_of(face))] for face in printed.faces), key=len, default=[])
    rows: list[CardEffect] = []
    kinds = {type(part) for part in parts}
    if words and Rule in kinds and Scale not in kinds and any(is_code(face.code) for face in printed.faces):
        suits = system.head.suits
        means = [without_stop(suit.means).replace(": ", ", ", 1) for suit in suits] if words > 1 else []
        rows += (CardEffect(each, "", capitalised(suit.character)) for each, suit in zip(means, suits, strict=False))
        if words == 1:
            rows.append(CardEffect(", ".join(f"{suit.name} {suit.character}" for suit in suits), ""))
    if any(isinstance(part, CardEffect) and part.until for part in parts):
        rows.append(CardEffect("how long it lasts", "", "In italics"))
    for part in parts:
        if isinstance(part, Scale):
            chances = all(figure.endswith("%") for _, _, figure in part.rows)
            text = "a longer bar, a better chance" if chances else "what it becomes with this card"
            rows.append(CardEffect(text, "", "Each row"))
            break
    for kind in dict.fromkeys(part.kind for part in parts if isinstance(part, Badge)):
        track = system.head.tracks.get(kind) if kind in SIGNS else None
        if kind == "permanent":
            rows.append(CardEffect("it stays", "", "A lock and a torn corner"))
        elif kind in _IN_WORDS:
            rows.append(CardEffect(_IN_WORDS[kind], "", "At the foot"))
        elif track is not None and words > 2:
            rows.append(CardEffect(without_stop(fill_placeholders(track.means, system)), "", track.name))
    return Face(HOW_TO_READ, "", (Title(_HEADING), Flavour(_ASIDE), *rows, *badges), _YIELDS, apart=True)


def _named(system: System) -> Callable[[Badge], Badge]:
    """Return what puts the name of its track under a figure."""

    def named(badge: Badge) -> Badge:
        track = system.head.tracks.get(badge.kind) if badge.kind in SIGNS else None
        caption = track.name if track else "it stays" if badge.kind == "permanent" else badge.caption
        return replace(badge, caption=caption)

    return named


def rule_cards(system: System, card: Size, text: Print) -> tuple[Face, ...]:
    """What happens upon a hit, in the order and the words of the screen, on as many cards as it takes."""
    title, lines = _told(system)
    groups: list[list[Part]] = []
    for line in lines:
        if groups and isinstance(line, CardEffect) and not line.label:
            groups[-1].append(line)
        else:
            groups.append([line])
    if any(not _fits(_rules_card(title, group, 9, 9), card, text) for group in groups):
        groups = [[line] for line in lines]
    cards = _filled(title, groups, len(groups), card, text)
    # As few cards as it takes, and none of them left almost empty.
    evened = (_filled(title, groups, most, card, text) for most in range(1, len(groups)))
    cards = next((each for each in evened if len(each) == len(cards)), cards)
    return tuple(_rules_card(title, parts, at, len(cards)) for at, parts in enumerate(cards, 1))


def _filled(title: str, groups: Sequence[list[Part]], most: int, card: Size, text: Print) -> list[list[Part]]:
    """Return the lines of the rules in cards, each with as many groups as fit, and at most so many."""
    cards: list[list[list[Part]]] = []
    for group in groups:
        more = [*(line for each in cards[-1] for line in each), *group] if cards else []
        if cards and len(cards[-1]) < most and _fits(_rules_card(title, more, 9, 9), card, text):
            cards[-1].append(group)
        else:
            cards.append([group])
    return [[line for group in each for line in group] for each in cards]


def _rules_card(title: str, parts: Sequence[Part], number: int, count: int) -> Face:
    more = f", {number} of {count}" if count > 1 else ""
    code = f"{RULES}-{number}" if number > 1 else RULES
    return Face(code, "", (Title(f"{title}{more}"), Rule("the rules"), *parts), _YIELDS, apart=True)


def _told(system: System) -> tuple[str, list[Part]]:
    """The title and the lines of the rules; none where neither reference nor screen has numbered steps."""
    panel = _rules_panel(system)
    if panel is None:
        return "", []
    from generator.products.panel_content import page  # only rules need what it loads

    extra_faces = page(panel, system)
    return extra_faces.title, list(_lines(extra_faces))


def _lines(extra_faces: Page) -> Iterator[Part]:
    """A page's paragraphs: numbered ones under their numbers, others after the heading that they stand under."""
    heading, pieces = "", [piece for block in extra_faces.blocks for piece in block.pieces]
    for piece in pieces:
        if isinstance(piece, Heading):
            heading = piece.text
        elif isinstance(piece, Paragraph):
            text = without_stop(_MARK.sub("", piece.text))
            if piece.label.isdigit():
                yield Callout(int(piece.label), full_stop(text))
            else:
                yield CardEffect(text, "", piece.strong or heading)
                heading = ""


def _rules_panel(system: System) -> Panel | None:
    """A panel of those blocks that are marked as the rules, or else of the first one with steps."""
    files = dict(system.panels)
    panels = [panel for name in ("reference", "screen") if name in files for panel in files[name].panels]
    for panel in panels:
        if marked := tuple(block for block in panel.blocks if block.rules):
            return replace(panel, blocks=marked)
    default_event = next(iter(game_of(system).usual), "") if system.kind == "steps" else ""
    for panel in panels:
        for block in panel.blocks:
            if not isinstance(block, EventBlock | OrderBlock | StepsBlock):
                continue
            if not default_event if isinstance(block, StepsBlock) else default_event in (block.event, *block.event):
                return _panel(block.title or panel.title, block)
    return _panel(capitalised(default_event), EventBlock(event=default_event, watches=True)) if default_event else None


def _panel(title: str, block: EventBlock | OrderBlock | StepsBlock) -> Panel:
    return Panel(title=title, blocks=(replace(block, title=None, source=None),))
