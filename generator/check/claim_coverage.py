"""How much of what may happen is touched by no claim: for each event, by probability.

An outcome counts as touched where all that it brings up (cards, rows, conditions, rulings, branches) is brought up by
some claim. Cards, rows and conditions are the same everywhere; a ruling or a branch is looked for in the event itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from math import sqrt
from typing import Any

from generator.base.errors import HackjackError
from generator.check.situations import MOST_SECONDS, Played, Situation, TooLongError, Trials, situations
from generator.check.touched import Touch, Touches
from generator.games import game_of
from generator.model.rules import AnyClaim, CardClaim, ConditionClaim, EventClaim, OddsClaim, System, TableClaim
from generator.play.chance import Chance, Given, Seeded
from generator.play.every_way import every

MOST_WAYS = 1_500
"""A situation that may go in more ways is played out instead of counted."""
MOST_LUCK = 12
"""Nor is one counted that takes more cards and dice: dice that ace have no end."""
PLAYS = 100
"""So often it is played then."""


@dataclass(frozen=True)
class Outcome:
    """What comes out alike: how likely it is in its event, and the way there that took the least luck."""

    share: float
    example: Played


@dataclass(frozen=True)
class EventCoverage:
    """One event: how likely it is that something comes up that no claim touches; `tried`: whether a claim is of it.

    `untouched` is that chance, over its situations alike; None where no situation was found. `plays` are how often it
    was played out, 0 where all was counted, and `error` is the standard error then. `missing` are the things that no
    claim touches, each with its chance and an outcome with it, most probable first; what always comes up together is
    told by its first.
    """

    event: str
    tried: bool
    situations: int
    untouched: float | None
    plays: int
    error: float
    missing: tuple[tuple[Touch, float, Played], ...]
    outcomes: tuple[Outcome, ...]


def coverage(system: System) -> tuple[EventCoverage, ...]:
    """Return how each event of a system is covered, in the order of the events.

    Raises HackjackError where trying them takes too long.
    """
    trials = Trials(system)
    try:
        claimed = _claimed(trials)
        return tuple(_event(trials, name, asked, claimed) for name, asked in situations(trials).items())
    except TooLongError as error:
        why = f"its events take more than {MOST_SECONDS} seconds to try: let what they repeat end sooner"
        raise HackjackError(f"{system.head.id}: {why}") from error


def total(found: Iterable[EventCoverage]) -> float:
    """The chance that something untouched comes up, over all events alike that could be tried."""
    shares = [each.untouched for each in found if each.untouched is not None]
    return sum(shares) / len(shares) if shares else 0.0


def touched_by(claimed: Iterable[tuple[str, Touch]], event: str) -> frozenset[Touch]:
    """What claims touch for one event: `claimed` has the event of each touch, empty for what a claim says itself."""
    return frozenset(touch for of, touch in claimed if touch.shared or of == event)


def _event(trials: Trials, name: str, asked: list[Situation], claimed: set[tuple[str, Touch]]) -> EventCoverage:
    groups: dict[frozenset[Touch], tuple[float, Played]] = {}
    plays, exact = 0, True
    for situation in asked:
        found, exact = ways(trials, situation, exact)
        plays += 0 if exact else PLAYS
        for share, played in found:
            share /= len(asked)
            before, example = groups.get(played.touches, (0.0, played))
            groups[played.touches] = before + share, min(example, played, key=length)
    outcomes = tuple(Outcome(share, example) for share, example in groups.values())
    touched = touched_by(claimed, name)
    weight = sum(outcome.share for outcome in outcomes)
    open_ = sum(outcome.share for outcome in outcomes if not outcome.example.touches <= touched)
    untouched = round(open_ / weight, 9) if weight else None
    error = sqrt((untouched or 0) * (1 - (untouched or 0)) / plays) if plays else 0.0
    tried = Touch("event", name) in touched
    return EventCoverage(name, tried, len(asked), untouched, plays, error, tuple(_missing(outcomes, touched)), outcomes)


def ways(trials: Trials, situation: Situation, exact: bool) -> tuple[list[tuple[float, Played]], bool]:
    """Return the ways that a situation may go, each with its share, and whether they are counted.

    They are where `exact` asks for it and it can be done; otherwise the situation is played out, by seeded luck.
    """

    def counted(chance: Chance) -> Played:
        played = trials.play(situation, chance)
        if played.luck.taken > MOST_LUCK:
            raise HackjackError("dice that are rolled again and again are not counted")
        return played

    if exact:
        with suppress(HackjackError):
            return [(float(share), played) for share, played in every(counted, MOST_WAYS)], True
    found = []
    for seed in range(PLAYS):
        with suppress(HackjackError):
            found.append((1 / PLAYS, trials.play(situation, Seeded(seed))))
    return found, False


def _missing(outcomes: Iterable[Outcome], touched: frozenset[Touch]) -> Iterator[tuple[Touch, float, Played]]:
    """What no claim touches, most probable first; of what always comes up together, the first in order of kinds."""
    shares: dict[Touch, float] = {}
    within: dict[Touch, list[Played]] = {}
    for outcome in outcomes:
        for touch in outcome.example.touches - touched:
            shares[touch] = shares.get(touch, 0.0) + outcome.share
            within.setdefault(touch, []).append(outcome.example)
    told: set[tuple[int, ...]] = set()
    for touch in sorted(shares, key=lambda each: (-round(shares[each], 9), _KINDS.index(each.kind), each.name)):
        together = tuple(sorted(id(example) for example in within[touch]))
        if together not in told:
            told.add(together)
            yield touch, shares[touch], min(within[touch], key=length)


_KINDS = ("event", "card", "row", "condition", "branch", "ruling")


def length(played: Played) -> tuple[int, int, str]:
    """How long a way is to read and to check: its luck, then all that has to be typed. The shortest is shown."""
    plain = f"{dict(played.situation.state)}{played.situation.typed}{dict(played.situation.at)}"
    return played.luck.taken, len(plain), plain


# --- what claims touch -----------------------------------------------------------------------------------------------


def _claimed(trials: Trials) -> set[tuple[str, Touch]]:
    """What each claim touches, with its event; empty where it speaks of the content itself."""
    return {each for claim in trials.system.claims for each in _touched(claim, trials)}


def _touched(claim: AnyClaim, trials: Trials) -> Iterator[tuple[str, Touch]]:
    """What a claim touches."""
    system, reader = trials.system, trials.reader
    match claim:
        case EventClaim():
            name, *words = claim.event.split()
            situation = Situation(name, tuple(words), claim.at, claim.state)
            with suppress(HackjackError):
                luck = Given(claim.cards, claim.dice, claim.choices)
                yield from ((name, touch) for touch in trials.play(situation, luck).touches)
        case CardClaim():
            yield from (("", Touch("card", code)) for code in claim.cards)
        case TableClaim():
            table = system.table(claim.table)
            row = None if table is None else table.named(at) if isinstance(at := claim.at, str) else table.row(at)
            if table and row:
                label = str(row.at) if row.at else row.name or ""
                columns = [claim.column] if claim.column in table.columns else ["", *table.columns]
                yield from (("", reader.row(table.id, label, column or "")) for column in columns)
        case ConditionClaim():
            yield "", Touch("condition", claim.condition)
        case OddsClaim():
            yield from (("", touch) for touch in _counted(claim.expect, system))


def _counted(expected: Mapping[str, Any], system: System) -> Iterator[Touch]:
    """The cards and conditions whose chances a claim states."""
    for name, value in expected.items():
        if isinstance(value, Mapping):
            yield from _counted(value, system)
        elif name in system.head.conditions:
            yield Touch("condition", name)
        elif name in system.cards:
            yield Touch("card", name)


def spoken(touch: Touch, played: Played, system: System) -> str:
    """What is untouched, in words: `card 7S`, `row body 5-6 arm`; of a branch the sentence that the log has for it."""
    if touch.kind != "branch":
        return "no claim tries this event" if touch.kind == "event" else f"{touch.kind} {touch.name}"
    reader, game = Touches(system), game_of(system)
    says = next((game.line(entry).strip() for entry in played.log if touch in reader.of(entry)), "")
    return f"such as: {says}"
