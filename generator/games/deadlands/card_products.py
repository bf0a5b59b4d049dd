"""The card sets of Deadlands 1876: the fate deck, fate and injury on one card, and tokens of fortune."""

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
from generator.layout import card_elements as elements
from generator.layout.card_layout import card_face
from generator.model.printed_files import HandOut
from generator.model.rules import System
from generator.words.chances import chance_percent
from generator.words.wording import capitalised, dagger

BLANK_SHEET: tuple[tuple[TokenKind, int], ...] = (("charm", 2), ("burn", 1), ("hole", 2), ("kicker", 2), ("marker", 2))
"""The blank tokens: nine, as many as a sheet of poker cards holds."""


_FATES = (
    (Fraction(3, 4), "Kind fate"),
    (Fraction(1, 2), "Fair fate"),
    (Fraction(1, 4), "Hard fate"),
    (Fraction(0), "Cruel fate"),
)
"""What a fate roll is called, by its chance of success."""


def fate_deck(system: System) -> elements.CardSet:
    """Return a standard deck with the chances of a fate roll by die; what a luck draw is stands on the help card."""
    return elements.CardSet(f"the fate deck of {system.head.id}", tuple(_fate_face(code, system) for code in ALL_CODES))


def _fate_face(code: str, system: System) -> elements.Face:
    suit, target = suit_of(code), fate_of(code, system)
    # An ordinary card is lucky if it was named: the help card says so once.
    sentences = [luck_sentence(code)] if is_joker(code) or code == BAD_LUCK else []
    if isinstance(target, int):
        title, counted = _fate_name(target, system), [elements.Badge("fate", str(target), "target number")]
    else:
        title, counted = "Fate decides", []
        sentences = [fate_sentence(code, system), *sentences, joker_sentence(code, system)]
    parts: list[elements.Part] = [
        elements.Index(code if is_joker(code) else rank_of(code), suit),
        elements.Emblem(code if is_joker(code) else rank_of(code), suit),
        elements.Title(title),
        elements.Rule("success by die" if isinstance(target, int) else "fate and luck"),
        *(elements.CardEffect(says, "", label) for label, says in sentences),
    ]
    if isinstance(target, int):
        shares = [(die, trait_chances(system, die, target)["success"]) for die in numbers_of(system).ladder]
        parts.append(
            elements.Scale(tuple((die.spoken, float(share), f"{chance_percent(share)} %") for die, share in shares))
        )
    return elements.Face(code, suit, (*parts, elements.Short(_short(code, system)), *counted))


def _fate_name(target: int, system: System) -> str:
    """Name a fate roll by its chance of success with the middle die."""
    ladder = numbers_of(system).ladder
    chance = trait_chances(system, ladder[len(ladder) // 2], target)["success"]
    return next(name for least, name in _FATES if chance >= least)


def _short(code: str, system: System) -> str:
    luck = {"AS": "bad luck"}.get(code) or ("lucky" if is_joker(code) else "if named")
    target = fate_of(code, system)
    return f"Fate: {f'TN {target}' if isinstance(target, int) else target}; luck: {luck}"


def fate_badges(code: str, system: System) -> Iterator[elements.Badge]:
    """Yield a card's figures for fate and luck, for the band at its foot."""
    target = fate_of(code, system)
    yield elements.Badge("fate", str(target) if isinstance(target, int) else target.split()[1], "fate")
    # An ordinary card is lucky if it was named: the help card says so once.
    if code == BAD_LUCK or is_joker(code):
        yield elements.Badge("luck", "unlucky" if code == BAD_LUCK else "lucky", "luck")


def fate_injuries(system: System) -> elements.CardSet:
    """Return the injury deck with fate and luck at the foot of each card: one deck for all draws."""
    if system.deck is None:
        raise NamedError(f"{system.head.id} has no deck to put fate on")
    places: Mapping[str, tuple[str | int, ...]] = {
        card.code: ("cards", at) for at, card in enumerate(system.deck.cards)
    }
    faces = []
    for card in system.deck.in_order:
        face = card_face(card, system)
        faces.append(replace(face, parts=(*face.parts, *fate_badges(card.code, system))))
    return elements.CardSet(f"the deck of fate and injuries of {system.head.id}", tuple(faces), "deck.yaml", places)


def token_cards(system: System) -> elements.CardSet:
    """Return tokens of fortune: those of the list, or a sheet of blank ones."""
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
    return elements.CardSet(f"the tokens of {system.head.id}", tuple(faces), "tokens.yaml", trails)


def _token_face(code: str, token: HandOut, system: System) -> elements.Face:
    name = KINDS_OF_TOKEN[token.kind]
    word = "a favour" if token.kind == "marker" else "used once"
    parts: list[elements.Part] = [
        elements.Emblem(token.kind, ""),
        elements.Title(capitalised(name)),
        elements.Rule(word),
    ]
    parts += [elements.CardEffect(_does(token, system), ""), *_lines(token, system)]
    return elements.Face(code, "", tuple(parts))


def _does(token: HandOut, system: System) -> str:
    numbers = numbers_of(system)
    return {
        "charm": "Counts as a Fate Chip, once",
        "burn": "Play it in place of your action card, once",
        "hole": f"Roll it in place of a skill, once, with the wild die{dagger(system)}",
        "kicker": "Announce it before the roll. If a chip buys another roll, it counts again",
        "marker": f"Roll it for the favour: {numbers.marker_target} or more, no wild die. Then cross off that die",
    }[token.kind]


def _lines(token: HandOut, system: System) -> Iterator[elements.Part]:
    """Yield the lines of a token, filled as far as the list does."""
    ladder = [die.spoken for die in numbers_of(system).ladder]
    yield elements.Blank("Who" if token.kind == "marker" else "What", token.name or "")
    match token.kind:
        case "charm":
            yield elements.Blank("Only for", token.trait or "")
        case "burn":
            yield elements.Blank("Card", name_of(token.card) if token.card else "")
            yield elements.Blank("Only if", token.says or "")
        case "hole":
            yield elements.Blank("Skill", token.trait or "")
            yield elements.Blank("Die", token.die.spoken) if token.die else elements.CardTrack(tuple(ladder))
        case "kicker":
            yield elements.Blank("Bonus", f"+{token.bonus}" if token.bonus else "")
            yield elements.Blank("On", token.trait or "")
        case "marker":
            yield elements.CardTrack(tuple(reversed(ladder)), token.die.spoken if token.die else "")
    if token.says and token.kind != "burn":
        yield elements.CardEffect(token.says.rstrip("."), "")


SETS: Mapping[str, SetMaker] = {"fate": fate_deck, "fate-injuries": fate_injuries, "tokens": token_cards}
