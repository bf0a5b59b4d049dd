"""The luck that deeds meet: what the table says, or what the program draws and rolls from a seed."""

from collections import Counter
from collections.abc import Sequence
from hashlib import sha256
from itertools import chain
from secrets import randbits, token_bytes

from generator.base.cards import ALL_CODES, is_code
from generator.base.errors import HackjackError, UsageError
from generator.base.sealed import seal, unseal
from generator.model.log import Log
from generator.play.chance import ChoiceNeed, Given, Need, NeedsError, RollNeed
from generator.play.piles import deck_of, goes_back
from generator.session.deeds import Deed
from generator.session.party import Party, PartyTable

Spare = tuple[tuple[str, ...], tuple[int, ...], tuple[int, ...]]
"""Cards, dice and choices that were given and that no deed has used yet."""


class MissingError(NeedsError):
    """Luck or a choice is missing; `need` says which, and `place` for which deed of the command, from 0.

    `deeds` are those so far with what they caused, the last of which lacks luck, and `logs` what each has brought.
    `whose` is named where a command befalls several people.
    """

    def __init__(
        self, need: Need, text: str, place: int, logs: tuple[Log, ...], deeds: tuple[Deed, ...], whose: str
    ) -> None:
        super().__init__(text, need)
        self.place, self.logs, self.deeds, self.whose = place, logs, deeds, whose
        self.so_far = tuple(chain.from_iterable(logs))


class TableLuck:
    """The luck of a table, written down as it is used: what the deed says, or what the program draws and rolls.

    A virtual deck gives the card on top, virtual dice fall from the seed. Choices are the player's all the same.
    """

    def __init__(
        self, table: PartyTable, party: Party, deed: Deed, *, replaying: bool = False, asking: bool = False
    ) -> None:
        self._draws, self._rolls, self._replaying = table.virtual, table.rolls, replaying
        if deed.order and not self._draws:
            raise HackjackError("a real deck has no order to write down")
        if not replaying and ((self._draws and (deed.cards or deed.order)) or (self._rolls and deed.dice)):
            raise UsageError(_by_itself(table))
        self._deck, self._system = table.deck, table.system
        self._given = Given(deed.cards, deed.dice, deed.choices, asks=asking)
        # Real dice under a cup are rolled by the program, and as the same ones while a command is asked for more.
        self._seed = table.campaign.seed or 0
        self._cup = self._seed if table.rolls else _CUP
        self._sealed, self._kept, self.hidden = deed.hidden, _unsealed(deed.hidden), list[int]()
        self.order, self.met, self._new_order = party.order, party.met, deed.order
        self.shuffled: list[str] = []
        self.cards: list[str] = []
        self.dice: list[int] = []
        self.choices: list[int] = []

    def card(self, left: Sequence[str]) -> str:
        """Return the card that the table drew; of a virtual deck the top one, or any of one whose cards go back."""
        if not self._draws:
            code = self._drawn(left)
        elif left and goes_back(left[0], self._system):
            code = self._drawn(left) if self._replaying else left[_number(self._seed, self.met, len(left))]
            self.met += 1
        else:
            code = self._top(left)
            if self._replaying and (drawn := self._drawn(left)) != code:
                raise HackjackError(f"{drawn} is drawn, but {code} lies on top of the deck")
            place = self.order.index(code)
            self.order = self.order[:place] + self.order[place + 1 :]
        self.cards.append(code)
        return code

    def _drawn(self, left: Sequence[str]) -> str:
        """Return the next card that the deed names."""
        own = [name for name in self._deck if not is_code(name) and deck_of(name) == deck_of(left[0])] if left else []
        # A card that is not in the deck is told apart from one that is no card.
        code = self._given.card((own or ALL_CODES) if self._given.left[0] else left)
        if code not in self._deck:
            raise HackjackError(f"{code} is not used in this campaign: its deck has {len(self._deck)} cards")
        if code not in left:
            raise HackjackError(f"{code} has been drawn already and is not in the deck")
        return code

    def peek(self, left: Sequence[str]) -> str | None:
        """Return the card on top, or None for a real deck. If cards came back, the deck is shuffled first."""
        return self._top(left) if self._draws else self._given.peek(left)

    def _top(self, left: Sequence[str]) -> str:
        """Return the card on top. Where the deck is not what it was, cards came back, and it is shuffled first."""
        if not left:
            raise HackjackError("no card is left in the deck")
        if goes_back(left[0], self._system):
            return left[_number(self._seed, self.met, len(left))]
        deck = deck_of(left[0])
        own = tuple(name for name in self.order if deck_of(name) == deck)
        if not own or Counter(own) != Counter(left):
            own = self._next_order(left) if self._replaying else shuffled(left, self._seed, self.met)
            self.met += numbers_for(own)
            self.order = (*(name for name in self.order if deck_of(name) != deck), *own)
            self.shuffled.extend(own)
        return own[0]

    def _next_order(self, left: Sequence[str]) -> tuple[str, ...]:
        order, self._new_order = self._new_order[: len(left)], self._new_order[len(left) :]
        if Counter(order) != Counter(left):
            raise HackjackError(f"the deck is shuffled here, but the order given is not one of its {len(left)} cards")
        return order

    def roll(self, need: RollNeed) -> tuple[int, ...]:
        """Return the dice that the table rolled, or virtual dice as they fall, or fell before; hidden ones apart."""
        if need.hidden:
            return self._under_cup(need)
        falls = self._rolls and not self._replaying
        rolled = self._from_seed(self._seed, need) if falls else self._given.roll(need)
        self.met += len(rolled) if self._rolls else 0
        self.dice.extend(rolled)
        return rolled

    def _from_seed(self, seed: int, need: RollNeed) -> tuple[int, ...]:
        return tuple(_number(seed, self.met + place, need.dice.faces) + 1 for place in range(need.dice.count))

    def _under_cup(self, need: RollNeed) -> tuple[int, ...]:
        """Return dice that nobody is told: as they fell before, or as the program rolls them."""
        count, faces = need.dice.count, need.dice.faces
        rolled = self._kept[len(self.hidden) : len(self.hidden) + count]
        if len(rolled) < count and not self._replaying:
            rolled = self._from_seed(self._cup, need)
        if len(rolled) < count or not all(1 <= face <= faces for face in rolled):
            raise HackjackError("this line has other hidden dice than the content rolls now")
        self.met += count
        self.hidden.extend(rolled)
        return rolled

    @property
    def sealed(self) -> str:
        """The hidden dice as a journal keeps them."""
        if not self.hidden or tuple(self.hidden) == self._kept:
            return self._sealed if self.hidden else ""
        return seal(self.hidden, token_bytes(8))

    def choose(self, need: ChoiceNeed) -> int:
        """Return the player's choice."""
        place = self._given.choose(need)
        self.choices.append(place + 1)
        return place

    @property
    def left(self) -> Spare:
        """The luck that was given and not used."""
        return self._given.left

    def finish(self, surplus: str = "") -> None:
        """Everything given must have been used, an order too; `surplus` says what to do with what was not."""
        self._given.finish(surplus)
        if self._replaying and self._new_order:
            raise HackjackError("an order is given, but the deck did not run out")


_CUP = randbits(48)
"""Seed of the real dice under a cup, as long as this program runs."""


def _unsealed(text: str) -> tuple[int, ...]:
    try:
        return unseal(text) if text else ()
    except ValueError as error:
        raise HackjackError(f"the hidden dice cannot be read: {error}") from error


def _by_itself(table: PartyTable) -> str:
    """Return the error for luck that the program draws or rolls itself."""
    if not table.virtual:
        return "this campaign's dice are virtual and roll by themselves: leave dice out"
    if not table.rolls:
        return "this campaign's deck is virtual and draws by itself: leave cards out"
    what, does, leave = ("deck", "draws and rolls", "cards and dice") if table.deck else ("luck", "rolls", "dice")
    return f"this campaign's {what} is virtual and {does} by itself: leave {leave} out"


def _number(seed: int, place: int, below: int) -> int:
    """Return the random number at a place of the seed's stream, from 0: the same on every machine."""
    digest = sha256(f"hackjack {seed} {place}".encode()).digest()
    return int.from_bytes(digest[:8], "big") * below >> 64


def shuffled(codes: Sequence[str], seed: int, place: int) -> tuple[str, ...]:
    """Return cards in the order that the seed gives them, from a place of its stream on; the first card lies on top."""
    order = list(codes)
    for step, last in enumerate(range(len(order) - 1, 0, -1)):
        other = _number(seed, place + step, last + 1)
        order[last], order[other] = order[other], order[last]
    return tuple(order)


def numbers_for(order: Sequence[str]) -> int:
    """Return how many random numbers it takes to shuffle so many cards."""
    return max(len(order) - 1, 0)
