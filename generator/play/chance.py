"""Where luck comes from. The engine never rolls or draws: it says what it needs, and one of these answers.

`Seeded` plays by itself and reproducibly; `Given` takes what lies on the real table and says what is missing. The third
kind, every outcome at once, is `odds`, which walks the engine's needs with their exact chances.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import Any, Literal, NamedTuple, Protocol

from generator.base.cards import is_code, is_joker, read_code
from generator.base.dice import Dice, DiceValue
from generator.base.errors import HackjackError, UsageError, did_you_mean
from generator.model.log import Entry, Log
from generator.play.piles import deck_of, find_name

MAX_SAID = 4
"""So many dice are named before the one that is missing."""

SURPLUS = "surplus"
"""The attribute of an event that says what to do with luck that nothing needs, where a person may well give it."""


ACES = " aces)"
"""How the reason of a die ends that is rolled again after its highest face, as it is told."""


class CardNeed(NamedTuple):
    """A card has to be drawn. `left` are the cards that it may be, where the table knows them; `place` is where it lies
    when it is dealt to a place of its own, and `laid` what lies there already: columns from the bottom up, each card
    that has yet to come empty.
    """

    left: tuple[str, ...] = ()
    place: str = ""
    laid: tuple[tuple[str, ...], ...] = ()


class RollNeed(NamedTuple):
    """Dice have to be rolled; `reason` says what for. Where the roll `can_wait`, no faces at all mean: later.

    `whose` has a name for each die where they are rolled for several people at once.

    Only their `value` matters, unless each die matters `apart`. Dice that are
    `hidden` fall under a cup: at a table the program rolls them, and tells nobody.
    """

    dice: Dice
    reason: str
    can_wait: bool = False
    value: DiceValue = "sum"
    apart: bool = False
    hidden: bool = False
    whose: tuple[str, ...] = ()

    @property
    def typed(self) -> str:
        """The dice as they are typed: `2d6`, `d8`."""
        return Dice(self.dice.count, self.dice.faces).spoken

    def result(self, faces: Sequence[int]) -> int:
        """Return what a roll with these faces comes to."""
        match self.value:
            case "sixes":
                return faces.count(6)
            case "highest":
                return max(faces)
        return sum(faces) + self.dice.plus


class ChoiceNeed(NamedTuple):
    """The player has to choose one of the options; `says` tells of each what it does, where that is not its name."""

    options: tuple[str, ...]
    says: tuple[str, ...] = ()


Need = CardNeed | RollNeed | ChoiceNeed

Policy = Literal["", "best", "worst", "even"]
"""How choices fall while odds are counted: best or worst for the character, all options alike; "" where nobody said."""


class OpenChoiceError(HackjackError):
    """Somebody chooses, and nobody said how; or nothing says which option the policy takes."""

    def __init__(self, *options: str, policy: Policy = "") -> None:
        how = f", and nothing says which is {policy}: write better with FORMULA in the event, or say --policy even"
        here = f"somebody chooses {' or '.join(options)} here"
        super().__init__(here + (how if policy else ": say --policy best, worst or even"))

    @property
    def in_content(self) -> str:
        """The sentence for somebody who writes a chart, a sentence or a claim."""
        return str(self).replace("--policy", "policy:")


class NeedsError(HackjackError):
    """Luck or a choice is missing; the text names it. `so_far` is what has happened in this event until then."""

    so_far: Log = ()

    def __init__(self, text: str, need: Need) -> None:
        super().__init__(text)
        self.need = need


@contextmanager
def log_in_reach(log: Sequence[Entry[Any]]) -> Iterator[None]:
    """Show the log so far to anybody who is asked for luck or a choice in here."""
    try:
        yield
    except NeedsError as missing:
        missing.so_far = tuple(log)
        raise


@contextmanager
def dealt_to(place: str, laid: tuple[tuple[str, ...], ...] = ()) -> Iterator[None]:
    """Tell anybody who is asked for a card in here where it goes, and what is there already."""
    try:
        yield
    except NeedsError as missing:
        if isinstance(missing.need, CardNeed):
            missing.need = missing.need._replace(place=place, laid=laid)
        missing.args = (f"{missing}: {place}",)
        raise


class Chance(Protocol):
    """Answers the engine's needs."""

    def card(self, left: Sequence[str]) -> str:
        """The card that is drawn from those left in the deck: a code, or where there are several decks `DECK:CODE`.

        Of a card with copies as many are named as are left.
        """

    def roll(self, need: RollNeed) -> tuple[int, ...]:
        """Return the face of each die; none where the roll can wait and does."""

    def choose(self, need: ChoiceNeed) -> int:
        """Return the place of the chosen option, from 0."""

    def peek(self, left: Sequence[str]) -> str | None:
        """Return the next card, which stays where it is; None where only the players can see it."""


class Seeded:
    """Luck from a seed: the same on every machine, because only `Random.random` is used, whose sequence is fixed.

    Choices fall evenly too, unless `choices` names them (counted from 1).
    """

    def __init__(self, seed: int, choices: Sequence[int] = ()) -> None:
        self._seed = seed
        self._next: dict[str, str] = {}
        self._choices = list(choices)

    @cached_property
    def _random(self) -> Callable[[], float]:
        """Where the numbers come from: many a seed is never asked, and to sow one takes time and memory."""
        # Only here, because most events are given their luck.
        from random import Random

        return Random(self._seed).random

    def share(self) -> float:
        """Return a number from 0 up to but not 1."""
        return self._random()

    def _below(self, count: int) -> int:
        return int(self._random() * count)

    def card(self, left: Sequence[str]) -> str:
        """Return a card of those left, each equally likely; the one that was looked at before, if any."""
        code = self.peek(left)
        del self._next[deck_of(code)]
        return code

    def peek(self, left: Sequence[str]) -> str:
        """The card that comes next, which stays next. Raises HackjackError where none is left."""
        if not left:
            raise HackjackError("no card is left in the deck")
        deck = deck_of(left[0])
        if self._next.get(deck) not in left:
            self._next[deck] = left[self._below(len(left))]
        return self._next[deck]

    def roll(self, need: RollNeed) -> tuple[int, ...]:
        """Return every die on its own."""
        return tuple(self._below(need.dice.faces) + 1 for _ in range(need.dice.count))

    def choose(self, need: ChoiceNeed) -> int:
        """Return the choice that was named, or an even one."""
        if self._choices:
            return checked_choice(self._choices.pop(0), need)
        return self._below(len(need.options))


class Given:
    """What lies on the real table: cards, dice and choices in the order in which they are needed.

    With `cup`, it rolls the dice that are hidden; with `asks`, no roll waits.
    """

    def __init__(
        self,
        cards: Sequence[str] = (),
        dice: Sequence[int] = (),
        choices: Sequence[int] = (),
        *,
        cup: Chance | None = None,
        asks: bool = False,
    ) -> None:
        self._cup, self._asks = cup, asks
        self._cards, self._dice, self._choices = list(cards), list(dice), list(choices)
        self._rolled: list[str] = []

    def card(self, left: Sequence[str]) -> str:
        """Return the next card given. Raises NeedsError, or HackjackError for a card that is not in the deck."""
        deck = deck_of(left[0]) if left else ""
        if not self._cards:
            raise NeedsError(f"needs a card of {deck}" if deck else "needs a card", CardNeed(tuple(left)))
        typed = self._cards.pop(0)
        if (meant := find_name(typed, left)) is not None:
            return meant
        if not all(map(is_code, left)):
            hint = did_you_mean(typed.rpartition(":")[2], {name.rpartition(":")[2] for name in left})
            why = hint if hint.startswith(":") else ": it is drawn already, or there is no such card"
            raise HackjackError(f'"{typed[:60]}" is not in the deck{f" {deck}" if deck else ""}{why}')
        try:
            code = read_code(typed)
        except ValueError as error:
            raise UsageError(str(error)) from error
        if code not in left:
            why = "jokers are not played with" if is_joker(code) else "it has been drawn already"
            raise HackjackError(f"{code} is not in the deck: {why}")
        return code

    def peek(self, left: Sequence[str]) -> str | None:
        """Only the players see the next card of a real deck."""
        del left
        return None

    def roll(self, need: RollNeed) -> tuple[int, ...]:
        """Return the next dice given; where none are left, a roll that can wait does.

        Raises NeedsError, or UsageError for a face that the die does not have.
        """
        if need.hidden and self._cup is not None:
            return self._cup.roll(need)
        if need.can_wait and not (self._dice or self._asks):
            return ()
        count, faces = need.dice.count, need.dice.faces
        if len(self._dice) < count:
            have = f", and only {len(self._dice)} of {count} dice are given" if self._dice else ""
            after = f", after {', '.join(self._rolled[-MAX_SAID:])}" if self._rolled else ""
            raise NeedsError(f"needs {need.typed} ({need.reason}){have}{after}", need)
        rolled, self._dice = tuple(self._dice[:count]), self._dice[count:]
        self._rolled += [f"{face} ({need.reason})" for face in rolled]
        for face in rolled:
            if not 1 <= face <= faces:
                raise UsageError(f"a d{faces} ({need.reason}) cannot show {face}: give a number from 1 to {faces}")
        return rolled

    def choose(self, need: ChoiceNeed) -> int:
        """Return the next choice given, counted from 1. Raises NeedsError, or UsageError for one that is not there."""
        if not self._choices:
            listed = " ".join(f"{place} {option}" for place, option in enumerate(need.options, 1))
            raise NeedsError(f"needs a choice: {listed}", need)
        return checked_choice(self._choices.pop(0), need)

    @property
    def left(self) -> tuple[tuple[str, ...], tuple[int, ...], tuple[int, ...]]:
        """The cards, dice and choices that nothing has needed yet."""
        return tuple(self._cards), tuple(self._dice), tuple(self._choices)

    def finish(self, surplus: str = "") -> None:
        """Everything given must have been used. Raises UsageError for what is too much; `surplus` says what to do."""
        for rest, noun in ((self._cards, "card"), (self._dice, "die"), (self._choices, "choice")):
            if rest:
                listed, cure = ", ".join(map(str, rest[:8])), surplus or "leave it out"
                if noun == "die" and any(ACES in each for each in self._rolled):
                    cure += ", as nobody rolls on after the highest total that counts"
                raise UsageError(f"nothing needs the last {noun} given ({listed}): {cure}")


def checked_choice(typed: int, need: ChoiceNeed) -> int:
    """Return a choice counted from 1 as a place from 0. Raises UsageError when there is none of that number."""
    if not 1 <= typed <= len(need.options):
        raise UsageError(f"there is no choice {typed}: choose 1 to {len(need.options)}")
    return typed - 1
