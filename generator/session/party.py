"""Who is at the table, and what is played there: plain values."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from generator.base.sealed import reseal
from generator.base.text_input import find_name
from generator.games import game_of, with_drawn
from generator.games.face import AnyGame, PlainState
from generator.model.rules import System
from generator.play.piles import goes_back
from generator.session.deeds import Campaign

MAX_CHARACTERS = 50
KEPT = 4
"""So many parties are kept as plain data: as it is now, and as it was just before."""
TABLE = ""
"""Whose state it is that the whole table shares."""


@dataclass(frozen=True)
class PartyTable:
    """A campaign, and its system under the campaign's rulings."""

    system: System
    campaign: Campaign

    @property
    def game(self) -> AnyGame:
        """What is played."""
        return game_of(self.system)

    @property
    def virtual(self) -> bool:
        """Return True if the program draws the cards."""
        return self.campaign.deck == "virtual"

    @property
    def rolls(self) -> bool:
        """Return True if the program rolls the dice."""
        return (self.campaign.dice or self.campaign.deck) == "virtual"

    @property
    def deck(self) -> tuple[str, ...]:
        """The full deck, or all decks together; none where the game has no deck."""
        return self.game.deck()

    @property
    def shuffled(self) -> tuple[str, ...]:
        """What of it has an order: a card that goes back as soon as it is drawn may be any."""
        return shuffled_cards(self.system)


@dataclass(frozen=True, slots=True)
class Party:
    """The characters by name, the cards out of the deck in the order of drawing, and a virtual deck, top first.

    At a shared table there is one state, under the name TABLE. The characters' states here name no drawn cards of
    their own: the deck is the party's. `met` counts the random numbers that virtual luck has used, so that the same
    dice fall after an undo. `seats` has those who were renamed, each with the seat that they keep.
    """

    characters: Mapping[str, Any]
    drawn: tuple[str, ...] = ()
    order: tuple[str, ...] = ()
    met: int = 0
    seats: Mapping[str, str] = field(default_factory=dict)

    def seat(self, name: str) -> str:
        """Return the seat that a renamed character keeps: their first name, or one like it."""
        if name in self.seats:
            return self.seats[name]
        # The first name of somebody else may be free again, but their seat is not.
        while name in self.seats.values():
            name += "+"
        return name

    def in_seat(self, seat: str) -> str | None:
        """Return the name under which somebody sits here; None where the seat is nobody's yet."""
        names = (*self.seats, seat.rstrip("+"))
        return next((name for name in names if self.seat(name) == seat), None)

    def renamed(self, old: str, new: str) -> Mapping[str, str]:
        """Return the seats after somebody was renamed."""
        kept = {name: seat for name, seat in self.seats.items() if name != old}
        return {**kept, new: self.seat(old)}

    @property
    def names(self) -> tuple[str, ...]:
        """The characters, in the order in which they joined."""
        return tuple(name for name in self.characters if name != TABLE)

    def state(self, name: str = TABLE) -> Any:
        """Return a character's state, or the table's, complete: with the cards that are out of the deck."""
        return with_drawn(self.characters[name], self.drawn)

    def find(self, typed: str) -> str:
        """Return the character whom a name or the beginning of one means. Raises UsageError with a suggestion."""
        return find_name(typed, self.names)


def shuffled_cards(system: System) -> tuple[str, ...]:
    """Return the cards of a system that lie in an order: those that do not go back as soon as they are drawn."""
    return tuple(name for name in game_of(system).deck() if not goes_back(name, system))


def cards_held(game: AnyGame, party: Party) -> frozenset[str]:
    """Return the cards that lie before those at the table: they are not shuffled back."""
    return frozenset(code for state in party.characters.values() for code in game.held(state))


def plain_people(game: AnyGame, party: Party) -> Mapping[str, Mapping[str, Any]]:
    """Return everybody by name with their plain state, or with their seat at a shared table."""
    return _plain_party(game, party)[2]


def shared_state(game: AnyGame, party: Party) -> Mapping[str, Any]:
    """Return the plain state that a whole table shares; empty where it shares none."""
    return _plain_party(game, party)[1]


_PlainParty: TypeAlias = tuple[Party, Mapping[str, Any], Mapping[str, Mapping[str, Any]]]


def _plain_party(game: AnyGame, party: Party) -> _PlainParty:
    """Return a party, its table and its people as plain data: a few are kept, for many ask after each command."""
    kept: tuple[_PlainParty, ...] = vars(game).get("_plain_parties", ())
    for each in kept:
        if each[0] is party:
            return each
    told = {name: _told(name, party, game, kept) for name in party.characters}
    table = told[TABLE] if game.SHARED else {}
    made = (party, table, game.seats(table) if game.SHARED else told)
    vars(game)["_plain_parties"] = (made, *kept[: KEPT - 1])
    return made


def _told(name: str, party: Party, game: AnyGame, kept: Iterable[_PlainParty]) -> Mapping[str, Any]:
    """Return the plain state of somebody: that of a party before, where neither they nor the deck have changed."""
    for before, _, people in kept:
        if name in people and before.drawn == party.drawn and before.characters[name] is party.characters[name]:
            return people[name]
    state = party.state(name)
    plain = game.plain_state(state)
    return PlainState({key: reseal(value, name.encode()) for key, value in plain.items()}, state)
