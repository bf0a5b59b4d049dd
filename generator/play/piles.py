"""Cards of any decks by name: `DECK:CODE`, the deck left out where a system has one. Copies have equal names."""

from collections import Counter
from collections.abc import Iterable, Sequence

from generator.base.cards import find_code, is_code, is_joker, is_red, meant_card, suit_of
from generator.base.dice import Dice
from generator.base.errors import HackjackError, did_you_mean
from generator.model.formulas import Result
from generator.model.rules import Card, Deck, System


def cards_in(deck: str, system: System) -> tuple[tuple[str, Card], ...]:
    """Return the cards of a deck in order, each with its name; jokers only where no switch `jokers` is `out`."""
    before = "" if len(system.piles) == 1 else f"{deck}:"
    cards = system.piles[deck].in_order
    if system.setting("jokers") == "out":
        cards = tuple(card for card in cards if not is_joker(card.code))
    return tuple((f"{before}{card.code}", card) for card in cards)


def names_in(deck: str, system: System) -> tuple[str, ...]:
    """Return all cards of a deck by name, in order, each as often as it has copies."""
    key = "names", deck
    if key not in system.ready:
        system.ready[key] = tuple(name for name, card in cards_in(deck, system) for _ in range(card.copies))
    names: tuple[str, ...] = system.ready[key]
    return names


def all_names(system: System) -> tuple[str, ...]:
    """Return all cards of all decks by name."""
    return tuple(name for deck in system.piles for name in names_in(deck, system))


def card_of(name: str, system: System) -> tuple[Deck, Card] | None:
    """Return the card of that name and its deck; None where there is none."""
    key = "card", name
    if key not in system.ready:
        deck, code = deck_of(name), name.rpartition(":")[2]
        pile = next(iter(system.piles.values())) if len(system.piles) == 1 and not deck else system.piles.get(deck)
        card = next((card for card in pile.cards if card.code == code), None) if pile else None
        if pile is None or card is None:
            return None
        system.ready[key] = pile, card
    there: tuple[Deck, Card] = system.ready[key]
    return there


def known_card(name: str, where: str, system: System) -> Card:
    """Return the card of that name. Raises HackjackError where there is none, with the one that was meant."""
    if (there := card_of(name, system)) is None:
        raise HackjackError(f'{where} the card "{name[:40]}", and no deck has it{meant_name(name, system)}')
    return there[1]


def meant_name(typed: str, system: System) -> str:
    """Return the end of a sentence that says which card was meant, or how cards are written; empty for no idea."""
    names = all_names(system)
    if names and all(map(is_code, names)):
        return meant_card(typed) or ": write AC, 10H, QS, RJ"
    return did_you_mean(typed, names)


def card_value(card: Card, key: str, system: System) -> Result | Dice:
    """Return what formulas call `card.KEY`: what stands on that line, or one of CARD_FIELDS; None where it has none.

    Blood may be dice, to be rolled each time.
    """
    if key in card.lines:
        return card.lines[key]
    match key:
        case "score":
            return system.score_of(card)
        case "blood":
            return card.blood
        case "trauma":
            return card.trauma
        case "red":
            return int(is_red(card.code))
        case "suit":
            return suit_of(card.code) or None
        case "code":
            return card.code
    return None


def deck_of(name: str) -> str:
    """Return the deck that a card's name begins with; empty where it names none."""
    return name.rpartition(":")[0]


def goes_back(name: str, system: System) -> bool:
    """Return whether a card of that name goes back into its deck as soon as it is drawn."""
    card = card_of(name, system)
    return card is not None and card[0].returns


def find_name(typed: str, names: Iterable[str]) -> str | None:
    """The card of these that a person typed, in either case; the deck may be left out where one deck has the code.

    None where there is none, or where it is one of several. Where cards are called by their codes alone, there is one
    deck, and it may be named.
    """
    by_folded = {name.casefold(): name for name in names}
    word = typed.strip().casefold()
    deck, _, code = word.rpartition(":")
    if deck and not any(":" in name or is_code(name) for name in by_folded.values()):
        word, deck = code, ""
    swapped = (find_code(code) or code).casefold()
    for spelling in (word, f"{deck}:{swapped}" if deck else swapped):
        if spelling in by_folded:
            return by_folded[spelling]
    alike = [name for name in by_folded if not deck and name.rpartition(":")[2] in (code, swapped)]
    return by_folded[alike[0]] if len(alike) == 1 else None


def codes_without(codes: Sequence[str], others: Sequence[str]) -> tuple[str, ...]:
    """Cards without those others; of equal cards as many go as there are others."""
    gone, left = Counter(others), []
    for code in codes:
        if gone[code]:
            gone[code] -= 1
        else:
            left.append(code)
    return tuple(left)
