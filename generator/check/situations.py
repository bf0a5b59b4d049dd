"""Situations in which a system's events can be tried, made up from nothing but what the game itself says.

A situation is a state and an event with all that it takes. States are found by playing: from a fresh one and from those
of newcomers, whatever brings up something new is kept to go on from. All luck is seeded, so the same content always
gives the same situations.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count, islice
from time import monotonic
from typing import Any

import msgspec

from generator.base.errors import HackjackError
from generator.check.touched import Touch, Touches
from generator.games import game_of
from generator.games.face import AnyGame
from generator.model.log import Log
from generator.model.rules import EventClaim, System
from generator.play.chance import Chance, ChoiceNeed, RollNeed, Seeded
from generator.play.event_spec import Argument, EventSpec

MOST_STATES = 72
"""So many states are tried, those that are reached on the way among them."""
MOST_STARTS = 24
"""So many of them are of somebody who joins."""
MOST_VARIANTS, FEW_VARIANTS = 16, 6
"""So many ways of asking for one event are tried, in the first state and in each that follows."""
MOST_WORDINGS = 100
"""So many of them are made up, of an event that takes many things."""
MOST_SITUATIONS = 16
"""So many situations of one event are kept."""
MOST_SECONDS = 120
"""So long a system's events are tried. Ours take up to 6 seconds."""
PROBES = 4
"""So often something is tried to see whether it brings up anything new."""
_NUMBERS = (1, 2, 4, 8, 16)
_DICE = ("d6", "d8", "2d6")
_NAMES = ("Ann", "Ben")


@dataclass(frozen=True)
class Situation:
    """An event as it is typed, on a state as plain data: what of it differs from a fresh one."""

    event: str
    words: tuple[str, ...] = ()
    at: Mapping[str, str] = field(default_factory=dict)
    state: Mapping[str, Any] = field(default_factory=dict)

    @property
    def typed(self) -> str:
        """The event with its words: `hit 5`."""
        return " ".join((self.event, *self.words))


@dataclass(frozen=True)
class Played:
    """One way that a situation may go: what it touches, the luck that it took, the log and the game's own state."""

    situation: Situation
    touches: frozenset[Touch]
    luck: RecordedLuck
    log: Log
    state: Any


class RecordedLuck:
    """Luck of another kind, written down as claims give it. Nobody looks at the next card, as at a real deck."""

    def __init__(self, luck: Chance) -> None:
        self._luck = luck
        self.cards: list[str] = []
        self.dice: list[int] = []
        self.choices: list[int] = []

    def card(self, left: Sequence[str]) -> str:
        """The card that is drawn."""
        self.cards.append(self._luck.card(left))
        return self.cards[-1]

    def roll(self, need: RollNeed) -> tuple[int, ...]:
        """The faces that are rolled."""
        faces = self._luck.roll(need)
        self.dice += faces
        return faces

    def choose(self, need: ChoiceNeed) -> int:
        """The place of what is chosen, from 0; it is written down from 1."""
        place = self._luck.choose(need)
        self.choices.append(place + 1)
        return place

    def peek(self, left: Sequence[str]) -> str | None:
        """Nothing."""
        del left
        return None

    @property
    def taken(self) -> int:
        """How many cards, dice and choices it took."""
        return len(self.cards) + len(self.dice) + len(self.choices)


class TooLongError(Exception):
    """A system's events take too long to be tried: those of a stranger's pack may go on for very many steps."""


class Trials:
    """Plays situations of one system, for MOST_SECONDS in all."""

    def __init__(self, system: System) -> None:
        self.system, self.game, self.reader = system, game_of(system), Touches(system)
        self._end = monotonic() + MOST_SECONDS

    def play(self, situation: Situation, chance: Chance) -> Played:
        """Play a situation once. Raises HackjackError where it cannot happen, TooLongError when time is over."""
        if monotonic() > self._end:
            raise TooLongError
        game, luck = self.game, RecordedLuck(chance)
        state = game.read_state(dict(situation.state))
        event = game.read_given([situation.event, *situation.words], situation.at, given="")
        after, log = game.step(state, event, luck)
        found = frozenset((Touch("event", situation.event), *(each for entry in log for each in self.reader.of(entry))))
        return Played(situation, found, luck, log, after)


def situations(trials: Trials) -> dict[str, list[Situation]]:
    """Return the situations of each event that can be told apart by what may happen in them.

    Where none can be made up, those of the event's claims stand.
    """
    system, game = trials.system, trials.game
    found: dict[str, list[Situation]] = {name: [] for name in game.EVENTS if name not in game.LOOKS}
    seen: dict[str, set[Touch]] = {name: set() for name in found}
    states = list(_starts(game))
    reached: set[Touch | frozenset[str]] = set()
    seeds = count()
    # States that are reached join the end of the list while it is gone through.
    for place, state in enumerate(states):
        for name in found:
            for situation in islice(_asked(game, game.EVENTS[name], state), FEW_VARIANTS if place else MOST_VARIANTS):
                for played in _probed(trials, situation, seeds):
                    new = played.touches - seen[name]
                    if new and situation not in found[name] and len(found[name]) < MOST_SITUATIONS:
                        found[name].append(situation)
                    seen[name] |= new
                    # A state is worth going on from where something new led to it, or where other things stand in it.
                    after = _beyond(game.plain_state(played.state), game)
                    marks = played.touches | {_shape(after)}
                    if not marks <= reached and len(states) < MOST_STATES and after not in states:
                        states.append(after)
                    reached |= marks
    for claim in system.claims:
        if isinstance(claim, EventClaim) and not found.get(name := claim.event.split()[0], True):
            found[name].append(Situation(name, tuple(claim.event.split()[1:]), claim.at, claim.state))
    return found


def _shape(plain: Mapping[str, Any]) -> frozenset[str]:
    """What stands in a state, whatever its figures are: its keys, and of conditions and the like which there are."""
    named = {
        f"{key} {each[name]}"
        for key, value in plain.items()
        if isinstance(value, list)
        for each in value
        if isinstance(each, dict)
        for name in ("condition", "effect", "of")
        if name in each
    }
    return frozenset((*plain, *named))


def _probed(trials: Trials, situation: Situation, seeds: Iterator[int]) -> Iterator[Played]:
    """A few plays of a situation; none where it cannot happen."""
    for _ in range(PROBES):
        try:
            yield trials.play(situation, Seeded(next(seeds)))
        except HackjackError:
            return


def _starts(game: AnyGame) -> Iterator[Mapping[str, Any]]:
    """The states of people who join: a fresh one, and others with one thing told of them, low numbers first."""
    yield _beyond(game.plain_state(game.read_state(game.OPENING)), game)
    told: list[tuple[str, Any]] = [(each.name, word) for each in game.NEWCOMER.takes for word in each.words]
    told += [(each.name, value) for value in range(1, 13) for each in game.NEWCOMER.takes if each.kind == "number"]
    for name, value in told[:MOST_STARTS]:
        with suppress(HackjackError):
            yield _beyond(game.plain_state(game.read_state({name: value})), game)


def _beyond(plain: Mapping[str, Any], game: AnyGame) -> dict[str, Any]:
    """What of a state is otherwise than in a fresh one, as YAML would hold it."""
    fresh = game.plain_state(game.read_state({}))
    kept = {key: value for key, value in plain.items() if value != fresh.get(key)}
    found: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(kept))
    return found


def _asked(game: AnyGame, spec: EventSpec, plain: Mapping[str, Any]) -> Iterator[Situation]:
    """The ways of asking for an event: all that it must be told, and one thing besides that it may be told."""
    try:
        state = game.read_state(dict(plain))
    except HackjackError:
        # Somebody has come further than a state may be given.
        return
    figures = [value for value in plain.values() if isinstance(value, int) and not isinstance(value, bool)]
    needed = [argument for argument in spec.takes if not argument.optional]
    ways: list[tuple[tuple[str, ...], dict[str, Any]]] = [((), {})]
    for argument in needed:
        longer = (
            ((*words, value), earlier | {argument.name: value})
            for words, earlier in ways
            for value in _values(game, argument, state, earlier, figures)
        )
        ways = list(islice(longer, MOST_WORDINGS))
    for words, _ in ways:
        yield Situation(spec.name, words, {}, plain)
    more = [argument for argument in spec.takes if argument.optional]
    for words, earlier in (*ways[:1], *ways[1:][-1:]):
        for argument in more:
            for value in _values(game, argument, state, earlier, figures):
                if argument.option:
                    yield Situation(spec.name, words, {argument.name: value}, plain)
                else:
                    yield Situation(spec.name, (*words, *filter(None, (argument.label, value))), {}, plain)


def _values(
    game: AnyGame, argument: Argument, state: Any, earlier: Mapping[str, Any], figures: Sequence[int]
) -> tuple[str, ...]:
    """Some values of an argument, as they are typed."""
    if known := game.choices(argument, state, earlier):
        return tuple(known)
    match argument.kind:
        case "number" | "signed":
            most = max(argument.most, argument.least) if argument.most else 10_000
            # What stands on the sheet, and a little more: where numbers run out, something happens.
            told = dict.fromkeys((*_NUMBERS, *(figure + over for figure in figures for over in (0, 2))))
            return tuple(str(value) for value in told if argument.least <= value <= most)
        case "name" | "new":
            return _NAMES
        case "card" | "cards" | "range":
            return game.deck()[:1]
        case "word" | "person" | "token" | "text" | "file":
            return ()
        case _:
            # A kind that the game reads by itself: mostly dice. What it cannot read is left out when it is tried.
            return _DICE
