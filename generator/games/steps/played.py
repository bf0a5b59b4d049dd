"""Events played out: what is too large to count is played many times, and the answer says how far off it may be.

A play walks a tree of what luck was asked: dice, cards and choices, in the order in which the engine asked for them.
Only a path that is new runs the engine, and its leaf keeps what the event met and the state that it left. So every rule
is played by the engine, and most plays cost little more than their random numbers. Several events in a row walk one
tree for each state as the next event can tell it.

Which cards are out is no part of a state here, or hardly any tree would be walked twice: each play has its own decks. A
branch knows a card by what it does, and whether the deck was shuffled before. Where a deck runs out, which changes what
the engine asks, a play is left to the engine.
"""

from __future__ import annotations

from bisect import bisect
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import accumulate
from random import Random
from typing import Any

from msgspec.structs import replace

from generator.games.in_a_row import standard_error
from generator.games.steps.answers import MAX_VALUES, Found, Shares
from generator.games.steps.counter import deadly_course, named_formulas, repeated_course, told_apart
from generator.games.steps.counter_drawing import ShuffledError
from generator.games.steps.counter_steps import Course
from generator.games.steps.counter_ways import State
from generator.games.steps.engine import Bench, play_counted
from generator.games.steps.events import Asking, StepsEvent
from generator.games.steps.state import StepsState
from generator.model.rules import Choose, DrawCard, System
from generator.play.chance import ChoiceNeed, OpenChoiceError, Policy, RollNeed
from generator.play.every_way import TooMuchWorkError, Ways, spend_work, work_budget, work_left
from generator.play.piles import all_names, names_in

MAX_NODES = 100_000
"""So many places of trees are kept; beyond it paths that are new are played and forgotten."""
STEP = 20
"""A step of the engine takes as long as so many steps through a tree."""

Met = tuple[Any, ...]
"""What an outcome has met: its kind, and what it is of."""
Estimates = tuple[list[tuple[float, float]], int]
"""Shares, each with one standard error, and how many plays they are of."""


# --- decks and trees -------------------------------------------------------------------------------------------------


class _Deck:
    """A deck: its cards by number, each with the number of the first card that matters as much."""

    def __init__(self, names: Sequence[str], returns: bool, equals: Mapping[str, str]) -> None:
        self.names, self.returns, self.size = names, returns, len(names)
        first: dict[str, int] = {}
        self.like = [first.setdefault(equals.get(name, name), at) for at, name in enumerate(names)]

    def numbers(self, names: Iterable[str], among: Iterable[int]) -> list[int] | None:
        """Return the numbers of cards by name, copies apart; None where one is not among those."""
        rest, numbers = Counter(names), []
        for number in among:
            if rest[self.names[number]]:
                rest[self.names[number]] -= 1
                numbers.append(number)
        return None if any(rest.values()) else numbers


class _Place:
    """A place in a tree: what luck is asked there, dice, one of some `cases`, or a card of a deck, and what follows.

    Of dice either their sum counts or how many of them show one `face`. `cases` are the chances of each case or one
    before it. `kept` is what is out of the deck since it was shuffled, as places among the cards drawn; None where it
    was not.
    """

    __slots__ = ("cases", "count", "deck", "face", "faces", "kept", "kids")

    def __init__(
        self,
        count: int = 0,
        faces: int = 0,
        face: int = 0,
        *,
        cases: Sequence[float] = (),
        deck: str = "",
        kept: tuple[int, ...] | None = None,
    ) -> None:
        self.count, self.faces, self.face, self.cases, self.deck, self.kept = count, faces, face, cases, deck, kept
        self.kids: dict[int, _Place | _Leaf] = {}


class _Leaf:
    """The end of an event: what it met, how many plays came here, and the state after it; None where a play ends.

    `kept` is as in a place, for each deck that was shuffled after its last card.
    """

    __slots__ = ("after", "count", "kept", "met")

    def __init__(self, met: tuple[Met, ...], after: _State | None, kept: Mapping[str, tuple[int, ...]]) -> None:
        self.met, self.after, self.kept, self.count = met, after, kept, 0


class _State:
    """A state as the next event can tell it, without the cards that are out, and the tree of each event on it."""

    __slots__ = ("state", "trees")

    def __init__(self, state: StepsState) -> None:
        self.state = state
        self.trees: dict[StepsEvent, _Place | _Leaf] = {}


# --- the player ------------------------------------------------------------------------------------------------------


class RepeatedPlay:
    """Plays events again and again: `meets` says what an outcome has met, `ends` whether a play ends with it.

    Where nothing is met, one card stands for all that matter as much.
    """

    def __init__(
        self,
        course: Course,
        seed: int,
        policy: Policy = "",
        *,
        meets: Callable[[Bench], Iterable[Met]] | None = None,
        ends: Callable[[Bench], object] = lambda bench: bench.dead,
    ) -> None:
        self._course, self._meets, self._ends, self._policy = course, meets, ends, policy
        # What is better may hang on which cards are out, which no path tells.
        self._looks_ahead = policy in ("best", "worst") and any(isinstance(each, Choose) for each in course.effects)
        self._random, equals = Random(seed).random, {} if meets else course.alike()
        draws = dict.fromkeys(step.deck for step in course.effects if isinstance(step, DrawCard))
        piles = ((name, course.system.piles[name]) for name in draws)
        self.decks = {name: _Deck(names_in(name, course.system), pile.returns, equals) for name, pile in piles}
        self._timeless = not course.takes_time
        self.deck_of = {card: name for name, deck in self.decks.items() for card in deck.names}
        self.out: dict[str, set[int]] = {}
        self._states: dict[State, _State] = {}
        self._leaves: list[_Leaf] = []
        self._lost = Counter[Met]()
        self._kept, self._work = 0, 0
        self._most: int | None = None

    def plays(self, most: int, state: StepsState) -> Iterator[_State]:
        """Begin so many plays, or as many as the budget of work pays for."""
        left, first, begin = work_left(), _State(replace(state, drawn=())), {}
        self._most = None if left is None else STEP * left
        for name, deck in self.decks.items():
            names = [card for card in state.drawn if self.deck_of.get(card) == name]
            begin[name] = set(deck.numbers(names, range(deck.size)) or ())
        for number in range(most):
            if number and self._most is not None and self._work > self._most:
                break
            self.out = {name: out.copy() for name, out in begin.items()}
            yield first
        spend_work(min(self._work // STEP, work_left() or 0))

    def met(self) -> Counter[Met]:
        """Return how often each was met."""
        met = self._lost.copy()
        for leaf in self._leaves:
            for each in leaf.met:
                met[each] += leaf.count
        return met

    def play(self, state: _State, event: StepsEvent) -> _State | None:
        """Return the state after an event, None where it ends a play: through its tree, or by the engine where it is
        new.
        """
        place, path, decks, out = state.trees.get(event), list[int](), self.decks, self.out
        drawn: dict[str, list[int]] = {}
        before = {name: numbers.copy() for name, numbers in out.items()} if out else {}
        while isinstance(place, _Place):
            if place.deck:
                deck, away = decks[place.deck], out[place.deck]
                before_it = drawn.setdefault(place.deck, [])
                if place.kept is not None:
                    away.clear()
                    away.update(before_it[at] for at in place.kept)
                answer = self.drawn_from(deck, away)
                before_it.append(answer)
                branch = deck.like[answer]
                if not deck.returns:
                    away.add(answer)
            else:
                answer = branch = self.answer(place)
            path.append(answer)
            place = place.kids.get(branch)
        if place is None or (out and self._empty()):
            self.out = before
            return self._run(state, event, path)
        self._work += 1 + len(path)
        for name, kept in place.kept.items():
            out[name] = {drawn[name][at] for at in kept}
        place.count += 1
        return place.after

    def _empty(self) -> bool:
        """Whether a deck has no card left."""
        return any(len(out) == self.decks[name].size for name, out in self.out.items())

    def _run(self, state: _State, event: StepsEvent, path: Sequence[int]) -> _State | None:
        """Play an event by the engine, and keep the path that it takes."""
        empty = self._empty()
        same = not (empty or (self.decks and self._looks_ahead))
        names = [self.decks[name].names[number] for name, out in self.out.items() for number in sorted(out)]
        luck, course = _Luck(self, path), self._course
        state_now = replace(state.state, drawn=tuple(names))
        bench = play_counted(course.system, state_now, event, luck, timeless=self._timeless, policy=self._policy)
        self._work += STEP * (1 + len(luck.asked) + bench.steps_taken) + luck.looked_at
        if self._most is not None and self._work > 2 * self._most:
            raise TooMuchWorkError(
                "this takes more dice, cards and steps than can be played: ask about fewer at a time"
            )
        kept = {name: kept for name in self.decks if (kept := luck.shuffled(name, bench.out)) is not None}
        if (empty or not luck.same) and self._meets is None and course.holding and not course.apart:
            # What somebody holds is not shuffled back: states that are alike so far differ in that.
            raise ShuffledError
        met, full = tuple(self._meets(bench)) if self._meets else (), self._kept >= MAX_NODES
        after = None if self._ends(bench) else self._state(bench.state(), full=full)
        if full or not (same and luck.same):
            self._lost.update(met)
            return after
        leaf = _Leaf(met, after, kept)
        leaf.count = 1
        self._leaves.append(leaf)
        kids: dict[StepsEvent, _Place | _Leaf] | dict[int, _Place | _Leaf] = state.trees
        branch: StepsEvent | int = event
        for place, answer in luck.asked:
            # A path that has been walked is there already.
            there = kids.setdefault(branch, place)  # type: ignore[arg-type]
            assert isinstance(there, _Place)
            self._kept += there is place
            kids, branch = there.kids, self.decks[place.deck].like[answer] if place.deck else answer
        kids[branch] = leaf  # type: ignore[index]
        self._kept += 1
        return after

    def _state(self, state: StepsState, *, full: bool) -> _State:
        key = self._course.seen(state)
        there = self._states.get(key)
        if there is None:
            there = _State(replace(state, drawn=()))
            if not full:
                self._states[key] = there
                self._kept += 1
        return there

    # --- luck --------------------------------------------------------------------------------------------------------

    def answer(self, place: _Place) -> int:
        """Return a new answer: a sum counted from 0, how many dice show a face, or which case it is."""
        luck, faces = self._random, place.faces
        self._work += place.count // 3
        if place.cases:
            return min(bisect(place.cases, luck()), len(place.cases) - 1)
        if place.face:
            return sum(not int(luck() * faces) for _ in range(place.count))
        return int(luck() * faces) if place.count == 1 else sum(int(luck() * faces) for _ in range(place.count))

    def drawn_from(self, deck: _Deck, out: set[int]) -> int:
        """Return the number of a card that is not out."""
        if 2 * len(out) > deck.size:
            left = [number for number in range(deck.size) if number not in out]
            return left[int(self._random() * len(left))]
        while (number := int(self._random() * deck.size)) in out:
            pass
        return number


class _Luck:
    """Luck for one run of the engine: the answers of a path, and then new ones. It notes what was asked.

    `same`: whether every play with these answers goes this way, whatever is out of its decks.
    """

    def __init__(self, player: RepeatedPlay, path: Sequence[int]) -> None:
        self._player, self._path = player, path
        self.asked: list[tuple[_Place, int]] = []
        self.same = True
        self.looked_at = 0
        self._drawn: dict[str, list[int]] = {}

    def _answer(self, place: _Place, new: Callable[[], int] | None = None) -> int:
        at = len(self.asked)
        answer = self._path[at] if at < len(self._path) else new() if new else self._player.answer(place)
        self.asked.append((place, answer))
        return answer

    def roll(self, need: RollNeed) -> tuple[int, ...]:
        """Return faces with the result rolled."""
        count, faces = need.dice.count, need.dice.faces
        if need.apart:
            return tuple(self._answer(_Place(1, faces)) + 1 for _ in range(count))
        answer = self._answer(_Place(count, faces, need.face))
        if need.face:
            return (need.face,) * answer + (0,) * (count - answer)
        low, rest = divmod(count + answer, count)
        return (*(low + 1,) * rest, *(low,) * (count - rest))

    def one_of(self, ways: Callable[[], Ways]) -> Any:
        """Return one of some results, as often as it has ways."""
        cases, total = ways()
        return cases[self._answer(_Place(cases=[sum_ / total for sum_ in accumulate(many for _, many in cases)]))][0]

    def card(self, left: Sequence[str]) -> str:
        """Return one of the cards left."""
        name = self._player.deck_of[left[0]]
        self.looked_at += len(left)
        deck, out = self._player.decks[name], self._player.out[name]
        kept = None
        if [card for number, card in enumerate(deck.names) if number not in out] != [*left]:
            kept = self.shuffled(name, (Counter(deck.names) - Counter(left)).elements())
        number = self._answer(_Place(deck=name, kept=kept), lambda: self._player.drawn_from(deck, out))
        self._drawn.setdefault(name, []).append(number)
        if not deck.returns:
            out.add(number)
            self.same = self.same and len(out) < deck.size
        return deck.names[number]

    def shuffled(self, name: str, away: Iterable[str]) -> tuple[int, ...] | None:
        """Return which of the cards drawn are out of a deck that was shuffled; None where it was not."""
        deck, out = self._player.decks[name], self._player.out[name]
        names = [card for card in away if self._player.deck_of.get(card) == name]
        if Counter(names) == Counter(deck.names[number] for number in out):
            return None
        drawn = self._drawn.get(name, [])
        numbers = deck.numbers(names, reversed(drawn))
        # Where cards stay out that were out before, a path alone does not know which.
        self.same = self.same and numbers is not None
        out.clear()
        out.update(numbers if numbers is not None else deck.numbers(names, range(deck.size)) or ())
        return None if numbers is None else tuple(map(drawn.index, numbers))

    def choose(self, need: ChoiceNeed) -> int:
        """Raise OpenChoiceError: nobody is there who would choose."""
        raise OpenChoiceError(*need.options)

    def peek(self, left: Sequence[str]) -> str | None:
        """There are no cards that anybody looks at."""
        del left
        return None


# --- questions -------------------------------------------------------------------------------------------------------


def play_event(
    system: System, state: StepsState, event: StepsEvent, plays: int, seed: int, policy: Policy
) -> tuple[Found, int]:
    """Return the shares of so many plays of an event, or of as many as the budget pays for, and how many they were."""
    with work_budget(own=True):
        formulas, course = named_formulas(system, state, event.name), deadly_course(system, state, event.name)
    tables: dict[str, None] = {}
    spreads = system.head.events[event.name].spreads

    def meets(bench: Bench) -> Iterator[Met]:
        yield from (("named", name) for name, formula in formulas.items() if bench.figure(formula))
        yield from {("row", table, row) for table, met in bench.met.items() for row in met}
        yield from (("card", name) for name in dict.fromkeys(bench.drawn))
        yield from (("condition", name) for name in sorted(bench.suffered))
        yield from (("number", *item) for item in bench.values.items())
        if not bench.dead:
            yield from (("spread", name, bench.values[name]) for name in spreads)
        tables.update(dict.fromkeys(bench.met))

    player, number = RepeatedPlay(course, seed, policy, meets=meets, ends=lambda _: True), 0
    for start in player.plays(plays, state):
        player.play(start, event)
        number += 1
    met = player.met()

    def shares(kind: str, names: Iterable[str]) -> Shares:
        return {name: Fraction(met[kind, name], number) for name in names if met[kind, name]}

    outcome = Found(dict.fromkeys(formulas, Fraction(0)) | shares("named", formulas))
    for table in (table for table in system.tables if table.id in tables):
        labels = [str(row.at) if row.at else row.name or "" for row in table.rows]
        outcome.rows[table.id] = {label: Fraction(met["row", table.id, label], number) for label in labels}
    outcome.cards = shares("card", dict.fromkeys(all_names(system)))
    outcome.conditions = shares("condition", system.head.conditions)
    numbers = sorted(
        key[1:] for key in met if isinstance(key, tuple) and key[0] == "number" and isinstance(key[2], int)
    )
    of_living = sorted(key[1:] for key in met if key[0] == "spread" and isinstance(key[2], int))
    for name in spreads:
        outcome.spreads[name] = {v: Fraction(met["spread", of, v], number) for of, v in of_living if of == name}
    for name in system.kept_numbers:
        values = {value: Fraction(met["number", of, value], number) for of, value in numbers if of == name}
        if values.keys() != {state.values[name]} and len(values) <= MAX_VALUES:
            outcome.numbers[name] = values
    return outcome, number


def play_in_a_row(
    system: System, state: StepsState, event: StepsEvent, times: int, plays: int, seed: int, policy: Policy
) -> Estimates:
    """Return the share of plays that are dead after 1, 2 ... such events."""

    def played(*, apart: bool) -> tuple[list[int], int]:
        with work_budget(own=True):
            course = repeated_course(system, state, event.name, apart=apart, policy=policy)
        return _ended(RepeatedPlay(course, seed, policy), state, [event] * times, plays)

    ended, number = told_apart(played)
    return [_estimate(dead, number) for dead in ended], number


def play_in_turn(system: System, state: StepsState, asking: Asking, plays: int, seed: int, policy: Policy) -> Estimates:
    """Return the chance that it has come about for at least one of so many such characters, after each event in turn.

    One character is played: that none of so many meets it is as often as that one does not, to the power of so many.
    """
    question = system.head.questions[asking.name]
    events = [StepsEvent(question.event, ((question.each, value),)) for value in asking.values]

    def played(*, apart: bool) -> tuple[list[int], int]:
        with work_budget(own=True):
            course = repeated_course(system, state, question.event, (question.counts,), apart=apart, policy=policy)
        player = RepeatedPlay(course, seed, policy, ends=lambda bench: bench.dead or bench.figure(question.counts))
        return _ended(player, state, events, plays)

    ended, number = told_apart(played)
    shares = []
    for each in ended:
        share, error = _estimate(each, number)
        spared = 1 - share
        shares.append((1 - spared**asking.people, asking.people * spared ** (asking.people - 1) * error))
    return shares, number


def _ended(player: RepeatedPlay, state: StepsState, events: Sequence[StepsEvent], plays: int) -> tuple[list[int], int]:
    """Return how many plays have ended with each event or before, and how many there were."""
    ended, number = [0] * len(events), 0
    for start in player.plays(plays, state):
        now, number = start, number + 1
        for place, event in enumerate(events):
            after = player.play(now, event)
            if after is None:
                ended[place] += 1
                break
            now = after
    return [sum(ended[: place + 1]) for place in range(len(events))], number


def _estimate(times: int, plays: int) -> tuple[float, float]:
    return times / plays, standard_error(times / plays, plays)
