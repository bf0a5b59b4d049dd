"""The card sets of Deadlands 1876: the fate deck, fate and injury on one card, and tokens of fortune."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from msgspec.structs import replace

from generator.base.cards import ALL_CODES, is_joker, name_of, rank_of, suit_of
from generator.base.errors import NamedError
from generator.games.deadlands.fortune import BAD_LUCK, fate_of
from generator.games.deadlands.lines import fate_sentence, joker_sentence, luck_sentence
from generator.games.deadlands.odds import trait_chances
from generator.games.deadlands.state import KINDS_OF_TOKEN, TokenKind, numbers_of
from generator.games.face import SetMaker
from generator.layout.card_elements import (
    Badge,
    Blank,
    CardSet,
    Effect,
    Emblem,
    Face,
    Index,
    Part,
    Rule,
    Scale,
    Short,
    Title,
    Track,
)
from generator.layout.card_layout import card_face
from generator.model.rules import HandOut, System
from generator.words.chances import chance_percent
from generator.words.wording import DAGGER, capitalised

BLANK_SHEET: tuple[tuple[TokenKind, int], ...] = (("charm", 2), ("burn", 1), ("hole", 2), ("kicker", 2), ("marker", 2))
"""The blank tokens: nine, as many as a sheet of poker cards holds."""


_FATES = (
    (Fraction(3, 4), "Kind fate"),
    (Fraction(1, 2), "Fair fate"),
    (Fraction(1, 4), "Hard fate"),
    (Fraction(0), "Cruel fate"),
)
"""What a fate roll is called, by its chance of success."""

# --- fate ------------------------------------------------------------------------------------------------------------


def fate(system: System) -> CardSet:
    """A standard deck with what each card means for a fate roll and a luck draw, and the chances by die."""
    return CardSet(f"the fate deck of {system.head.id}", tuple(_fate_face(code, system) for code in ALL_CODES))


def _fate_face(code: str, system: System) -> Face:
    suit, target = suit_of(code), fate_of(code, system)
    sentences = [luck_sentence(code)]
    if isinstance(target, int):
        title, counted = _fate_name(target, system), [Badge("fate", str(target), "target number")]
    else:
        title, counted = "Fate decides", []
        sentences = [fate_sentence(code, system), *sentences, joker_sentence(code, system)]
    parts: list[Part] = [
        Index(code if is_joker(code) else rank_of(code), suit),
        Emblem(code if is_joker(code) else rank_of(code), suit),
        Title(title),
        Rule("fate and luck"),
        *(Effect(says, "", label) for label, says in sentences),
    ]
    if isinstance(target, int):
        shares = [(die, trait_chances(system, die, target)["success"]) for die in numbers_of(system).ladder]
        parts.append(Effect("chance of success, with the wild die", "", "Fate roll"))
        parts.append(Scale(tuple((die.spoken, float(share), f"{chance_percent(share)} %") for die, share in shares)))
    return Face(code, suit, (*parts, Short(_short(code, system)), *counted))


def _fate_name(target: int, system: System) -> str:
    """What a fate roll is called: by its chance of success with the middle die."""
    ladder = numbers_of(system).ladder
    chance = trait_chances(system, ladder[len(ladder) // 2], target)["success"]
    return next(name for least, name in _FATES if chance >= least)


def _short(code: str, system: System) -> str:
    luck = {"AS": "bad luck"}.get(code) or ("lucky" if is_joker(code) else "if named")
    target = fate_of(code, system)
    return f"Fate: {f'TN {target}' if isinstance(target, int) else target}; luck: {luck}"


def fate_badges(code: str, system: System) -> Iterator[Badge]:
    """What a card means for fate and for luck, as figures for the band at its foot."""
    target = fate_of(code, system)
    yield Badge("fate", str(target) if isinstance(target, int) else target.split()[1], "fate")
    yield Badge("luck", "unlucky" if code == BAD_LUCK else "lucky" if is_joker(code) else "if named", "luck")


def fate_injuries(system: System) -> CardSet:
    """The injury deck with fate and luck at the foot of each card: one deck for all draws."""
    if system.deck is None:
        raise NamedError(f"{system.head.id} has no deck to put fate on")
    places: Mapping[str, tuple[str | int, ...]] = {
        card.code: ("cards", at) for at, card in enumerate(system.deck.cards)
    }
    faces = []
    for card in system.deck.in_order:
        face = card_face(card, system)
        faces.append(replace(face, parts=(*face.parts, *fate_badges(card.code, system))))
    return CardSet(f"the deck of fate and injuries of {system.head.id}", tuple(faces), "deck.yaml", places)


# --- tokens ----------------------------------------------------------------------------------------------------------


def tokens(system: System) -> CardSet:
    """Tokens of fortune: those of the list, or a sheet of blank ones."""
    faces = []
    for at, token in enumerate(system.tokens):
        for copy in range(1, token.copies + 1):
            ending = f"-{copy}" if token.copies > 1 else ""
            faces.append(_token_face(f"{at + 1}-{token.kind}{ending}", token, system))
    if not faces:
        blanks = [(kind, number) for kind, count in BLANK_SHEET for number in range(1, count + 1)]
        faces = [_token_face(f"{kind}-{number}", HandOut(kind=kind), system) for kind, number in blanks]
    trails: dict[str, tuple[str | int, ...]] = {}
    for face in faces:
        number = face.code.partition("-")[0]
        trails[face.code] = ("tokens", int(number) - 1) if number.isdigit() else ()
    return CardSet(f"the tokens of {system.head.id}", tuple(faces), "tokens.yaml", trails)


def _token_face(code: str, token: HandOut, system: System) -> Face:
    name = KINDS_OF_TOKEN[token.kind]
    word = "a favour" if token.kind == "marker" else "used once"
    parts: list[Part] = [Emblem(token.kind, ""), Title(capitalised(name)), Rule(word)]
    parts += [Effect(_does(token, system), ""), *_lines(token, system)]
    return Face(code, "", tuple(parts))


def _does(token: HandOut, system: System) -> str:
    """What such a token does, in a sentence."""
    numbers = numbers_of(system)
    return {
        "charm": "Counts as a Fate Chip, once",
        "burn": "Play it in place of your action card, once",
        "hole": f"Roll it in place of a skill, once, with the wild die{DAGGER}",
        "kicker": "Name it before the roll. A chip's second attempt keeps it",
        "marker": f"Roll it against {numbers.marker_target} without a wild die, then it falls by a die",
    }[token.kind]


def _lines(token: HandOut, system: System) -> Iterator[Part]:
    """The lines of a token, filled as far as the list does."""
    ladder = [die.spoken for die in numbers_of(system).ladder]
    yield Blank("Who" if token.kind == "marker" else "What", token.name or "")
    match token.kind:
        case "charm":
            yield Blank("Only for", token.trait or "")
        case "burn":
            yield Blank("Card", name_of(token.card) if token.card else "")
            yield Blank("Only if", token.says or "")
        case "hole":
            yield Blank("Skill", token.trait or "")
            yield Blank("Die", token.die.spoken) if token.die else Track(tuple(ladder))
        case "kicker":
            yield Blank("Bonus", f"+{token.bonus}" if token.bonus else "")
            yield Blank("On", token.trait or "")
        case "marker":
            yield Track(tuple(reversed(ladder)), token.die.spoken if token.die else "")
    if token.says and token.kind != "burn":
        yield Effect(token.says.rstrip("."), "")


SETS: Mapping[str, SetMaker] = {"fate": fate, "fate-injuries": fate_injuries, "tokens": tokens}
