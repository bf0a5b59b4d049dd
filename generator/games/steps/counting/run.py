"""One run of a distribution through a compiled event: who has died of it, and what has come about."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from functools import partial
from math import lcm
from typing import NamedTuple

from generator.base.errors import HackjackError
from generator.games.steps.counting.dealt_cards import CardsInPlay
from generator.games.steps.counting.distribution import Distribution, State, put
from generator.games.steps.counting.keys import (
    COMING,
    DEAD,
    HELD,
    SAVES,
    Drawn,
    KeySet,
    News,
    Number,
    StepContext,
    of_held,
)
from generator.games.steps.counting.state_slots import StateSlots
from generator.games.steps.engine import MAX_DEPTH
from generator.games.steps.shape import living_alone
from generator.games.steps.state import fresh_values
from generator.model.formulas import Formula
from generator.play.every_way import TooMuchWorkError


class ShuffledError(Exception):
    """A deck was shuffled, so cards may come twice: they have to be told apart."""


class Dealt(NamedTuple):
    """One card of some of a deck's, as a set, was dealt."""

    deck: str
    cards: int


class Run:
    """The results of a run beside its states: the dead, and in how many ways each thing tallied has come about."""

    def __init__(
        self,
        slots: StateSlots,
        cards: CardsInPlay,
        tallied: KeySet,
        after: KeySet,
        told: Sequence[Formula],
        *,
        apart: bool,
    ) -> None:
        self.slots, self._cards, self._tallied, self._after, self._told = slots, cards, tallied, after, told
        self.later = self.sampled = False
        """True if it follows another event; true if plays are sampled."""
        self.apart = apart
        self.begin()

    def begin(self) -> None:
        """Begin with nobody dead, and nothing that has come about."""
        self.dead: dict[int, dict[State, int]] = {}
        self.tallies: dict[News | Dealt, dict[int, int]] = {}
        self.refused, self._depth = Distribution({}), 0

    def enter(self) -> None:
        """Begin steps inside others. Raises HackjackError where these lead too deep."""
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise HackjackError(
                f"{self.slots.event} leads deeper than {MAX_DEPTH} steps, tables and so on: "
                "it is too long, or has no end"
            )

    def leave(self) -> None:
        """End steps inside others."""
        self._depth -= 1

    @contextmanager
    def trial(self) -> Iterator[dict[int, dict[State, int]]]:
        """Try what is counted nowhere; gives those who die of it."""
        dead, tallies, self.dead, self.tallies = self.dead, self.tallies, {}, {}
        yield self.dead
        self.dead, self.tallies = dead, tallies

    # --- what comes about --------------------------------------------------------------------------------------------

    def mark(self, states: Distribution, item: News, after: KeySet) -> Distribution:
        """Return the states once something has come about; it is tallied where it is the first time."""
        slot = self.slots.index.get(item)
        if item in self._tallied:
            news = sum(count for state, count in states.ways.items() if slot is None or not state[slot])
            self.tally(item, news, states.total)
        return states.changed(partial(put, slot=slot, value=True)) if slot is not None and item in after else states

    def tally(self, item: News | Dealt, ways: int, total: int) -> None:
        """Count in how many ways something has come about, or one card of some was dealt."""
        tally = self.tallies.setdefault(item, {})
        tally[total] = tally.get(total, 0) + ways

    def tallied_shares(self) -> dict[News, Fraction]:
        """Return how likely it is that each thing tallied comes about."""
        shares: dict[News, Fraction] = {}
        for item, tally in self.tallies.items():
            total = lcm(*tally)
            share = Fraction(sum(ways * (total // of) for of, ways in tally.items()), total)
            names = map(Drawn, self.slots.piles[item.deck].named(item.cards)) if isinstance(item, Dealt) else (item,)
            shares |= {name: shares.get(name, 0) + share for name in names}
        return shares

    def shuffles(self) -> None:
        """A deck is shuffled. Raises ShuffledError where cards have to be told apart, for they may come again."""
        if self.later and not (self.sampled and self.apart):
            if self.sampled:
                raise ShuffledError
            raise TooMuchWorkError("a deck is shuffled, with what was drawn before: that is too much to count in a row")
        if not self.apart and (self._cards.holding or any(isinstance(key, Drawn) for key in self._tallied)):
            raise ShuffledError

    # --- death -------------------------------------------------------------------------------------------------------

    def die(self, states: Distribution, context: StepContext) -> Distribution:
        """Keep the dead with what is asked of them, and return a distribution of nobody."""
        if (asked := context.tried) is None:
            asked, states = self._after, self._cards.known_lines(states, self._told)
        ended = self.dead.setdefault(states.total, {})
        for state, count in states.ways.items():
            after = self._dead_as(state, asked)
            ended[after] = ended.get(after, 0) + count
        return Distribution({}, states.total)

    def _dead_as(self, state: State, asked: KeySet) -> State:
        """Return what is asked of somebody dead."""
        slots, fresh = self.slots, fresh_values(self.slots.system)
        draft, (over, living) = slots.root(state), living_alone(slots.system)
        for key, slot in slots.index.items():
            if key not in asked and key != HELD:
                draft[slot] = None
            elif key in (COMING, SAVES):
                draft[slot] = ()
            elif isinstance(key, Number) and key.name in living:
                draft[slot] = fresh[key.name]
        draft[slots.index[DEAD]] = True
        if HELD in slots.index and not any(map(of_held, asked)):
            draft[slots.index[HELD]] = ()
        elif HELD in slots.index:
            run, _ = slots.event_run(state, StepContext())
            if over:
                run.clear_dead()
            slots.see(draft, asked, run.conditions.held, ())
        return tuple(draft)
