"""Exact chances under steps of the author's: the engine run once for every way the dice may fall.

Spans of time are not rolled where nothing in the same event looks at them: their chances would only be multiplied out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import sqrt

import msgspec
from msgspec.structs import replace

from generator.base.errors import HackjackError
from generator.games.steps.engine import Bench, brings, played, usual
from generator.games.steps.events import Asking, Event
from generator.games.steps.shape import key_of
from generator.games.steps.state import LONG, Held, Owed, State, save_of
from generator.model.formulas import NAMING, Formula, Result
from generator.model.rules import (
    Answer,
    AnyEffect,
    Call,
    Cure,
    DrawCard,
    End,
    LookUp,
    Lower,
    Pass,
    Penalty,
    Raise,
    Shorten,
    Suffer,
    System,
    walk,
)
from generator.play.chance import Seeded
from generator.play.every_way import every
from generator.play.piles import all_names

MOST_IN_A_ROW = 20
"""So many events in a row are counted at most."""
MOST_PLAYED = 1_000
"""So many are played at most."""
MOST_SITUATIONS = 2_000
"""Beyond so many an exact answer is refused rather than cut short."""
MOST_WAYS = 50_000
"""So many ways of single events are walked at the most for several in a row: a few seconds."""
MOST_VALUES = 200
"""So many values of a number are told apart in an answer."""

Shares = dict[str, Fraction]


@dataclass(slots=True)
class Found:
    """What an event may lead to: what the author named, the rows met, the conditions suffered, and each number."""

    named: Shares = field(default_factory=dict)
    rows: dict[str, Shares] = field(default_factory=dict)
    conditions: Shares = field(default_factory=dict)
    cards: Shares = field(default_factory=dict)
    numbers: dict[str, dict[int, Fraction]] = field(default_factory=dict)

    def less(self, spared: Fraction) -> Found:
        """The same where nothing of it comes about in that share of cases."""

        def lessened(shares: Shares) -> Shares:
            return {name: share * (1 - spared) for name, share in shares.items()}

        rows = {table: lessened(shares) for table, shares in self.rows.items()}
        return Found(lessened(self.named), rows, lessened(self.conditions), lessened(self.cards))


class Reach:
    """What an event may lead to: all steps, those of events, tables, conditions and watches among them, and what their
    formulas ask."""

    def __init__(self, system: System, name: str, *more: Formula) -> None:
        self.system = system
        self.effects = list(self._reached(name))
        happening = system.head.events[name]
        formulas = [*formulas_in(self.effects), *happening.odds.values(), *happening.aside.values(), *more]
        formulas += [watch.holds for watch in system.head.watches] + [
            need.holds for need in happening.needs if need.holds
        ]
        rises = any(isinstance(effect, Raise) for effect in self.effects)
        falls = any(isinstance(effect, Lower) for effect in self.effects)
        for own in system.steps.numbers.values():
            formulas += [own.most] if own.most and rises else []
            formulas += [own.least] if own.least and falls else []
        self.asked = {(node.kind, str(node.about)) for each in formulas for node in each.walk() if node.kind in NAMING}
        self.timed = any(isinstance(effect, Pass | Shorten) for effect in self.effects) or "left" in self._kinds
        """Whether time passes, is taken off or is looked at: then a span that begins has to be rolled."""
        self._cured = {effect.condition for effect in self.effects if isinstance(effect, Cure)}
        self._brought = {effect.condition for effect in self.effects if isinstance(effect, Suffer)}
        self._known: dict[Held, Held | None] = {}
        self.moved = self.timed or any(isinstance(effect, End | Answer) for effect in self.effects)
        """Whether it matters which conditions there are, and in which order."""
        self._draws = any(isinstance(effect, DrawCard) for effect in self.effects)

    @cached_property
    def _kinds(self) -> set[str]:
        return {kind for kind, _ in self.asked}

    def _reached(self, name: str) -> Iterator[AnyEffect]:
        head = self.system.head
        lists = {("event", name): head.events[name].do_}
        lists |= {("watch", str(at)): watch.do_ for at, watch in enumerate(head.watches)}
        waiting, seen = [*lists.items()], set(lists)
        while waiting:
            _, effects = waiting.pop()
            for _, effect in walk(effects):
                yield effect
                for key, following in self._leads(effect):
                    if key not in seen:
                        seen.add(key)
                        waiting.append((key, following))

    def _leads(self, effect: AnyEffect) -> Iterator[tuple[tuple[str, str], tuple[AnyEffect, ...]]]:
        head = self.system.head
        match effect:
            case Call():
                yield ("event", effect.event), head.events[effect.event].do_
            case LookUp():
                kinds = self.system.aims.get(effect.aimed or "", {}).values()
                for name in dict.fromkeys((effect.table, *(aim.table for aim in kinds))):
                    table = self.system.table(name)
                    for row in table.rows if table else ():
                        cells = [row.effects, *(cell for cell in row.cells.values() if isinstance(cell, tuple))]
                        yield from ((("row", f"{name} {id(cell)}"), cell) for cell in cells)
            case DrawCard():
                for card in self.system.piles[effect.deck].cards:
                    lists = (card.effects, *(face.effects for face in card.faces.values()))
                    yield from ((("card", f"{effect.deck} {id(does)}"), does) for does in lists)
            case Suffer():
                condition = head.conditions[effect.condition]
                yield ("condition", effect.condition), condition.implies
            case Pass() | End() | Shorten():
                for name, condition in head.conditions.items():
                    lists = (*condition.each.values(), *condition.ends.values())
                    yield from ((("later", f"{name} {id(does)}"), does) for does in lists)
            case _:
                return

    def outcomes(self, state: State, event: Event) -> Iterator[tuple[Fraction, Bench]]:
        """Every outcome of the event with its chance; how long things last only where that matters."""
        return every(lambda chance: played(self.system, state, event, chance, timeless=not self.timed))

    # --- what the next such event can tell apart ---------------------------------------------------------------------

    def alike(self, state: State) -> State:
        """A state as the next such event sees it: what nothing asks for is left out, and what is alike is the same."""
        drawn = tuple(sorted(state.drawn)) if self._draws else ()
        if self.moved:
            return replace(state, drawn=drawn)
        for each in state.conditions:
            if each not in self._known:
                self._known[each] = self._seen(each)
        held = sorted((seen for each in state.conditions if (seen := self._known[each])), key=str)
        counted = {name for kind, name in self.asked if kind == "count"}
        # A save that brings something whichever way it goes is counted before it is made.
        saves = [
            Owed(owed.of, chance=owed.chance)
            for owed in state.saves
            if "owed" in self._kinds or (counted and not owed.chance and self._decides(owed.of))
        ]
        return State(
            values=state.values,
            conditions=tuple(held),
            coming=state.coming if "coming" in self._kinds else (),
            lost=state.lost if "lowered" in self._kinds else (),
            saves=tuple(sorted(saves, key=str)),
            drawn=drawn,
        )

    def _seen(self, held: Held) -> Held | None:
        """A condition as formulas see it: the first that answers to the same names; None where nothing asks for it."""
        level = held.level if "level" in self._kinds else 1
        until = "1 day" if held.word == "day" else held.until
        if self._itself(held):
            return Held(held.condition, until, level=level)
        if held.word in LONG and not (until == "permanent" and "lasting" in self._kinds):
            until = "1 day"
        answers = self._answers(held.condition, held.word)
        if not answers:
            return None
        alike = (
            name
            for name in self.system.head.conditions
            if self._answers(name, held.word) == answers and not self._itself(Held(name, held.until))
        )
        return Held(next(alike, held.condition), until, level=level)

    def _answers(self, condition: str, word: str) -> frozenset[str]:
        """The names in formulas that a condition answers to."""
        known = self.system.head.conditions[condition]
        return frozenset(
            name
            for kind, name in self.asked
            if name in (condition, known.group)
            or (name == "long" and word in LONG)
            or name == key_of(condition, word, self.system)
            or (kind == "has" and brings(condition, name, self.system))
        )

    def _itself(self, held: Held) -> bool:
        """Whether no other can stand for a condition: something lowers, cures or brings that very one again."""
        again = usual(self.system.head.conditions[held.condition], held)
        lowers = not self._kinds.isdisjoint(("lowered", "worst"))
        merges = again != "apart" and held.condition in self._brought and bool(self._answers(held.condition, held.word))
        return held.condition in self._cured or merges or (lowers and self._lowers(held.condition))

    def _decides(self, condition: str) -> bool:
        save = save_of(self.system.head.conditions[condition])
        return bool(save and save.passes and save.fails)

    def _lowers(self, condition: str) -> bool:
        return any(isinstance(effect, Penalty) for effect in self.system.head.conditions[condition].implies)


def formulas_in(effects: Iterable[AnyEffect]) -> Iterator[Formula]:
    """Every formula of some steps."""
    for effect in effects:
        for name in effect.__struct_fields__:
            value = getattr(effect, name)
            inside = value.values() if isinstance(value, dict) else (value,)
            yield from (each for each in inside if isinstance(each, Formula))


def count(reach: Reach, state: State, event: Event) -> Found:
    """The chances of an event."""
    found, system = Found(), reach.system
    head, happening = system.head, system.head.events[event.name]
    asked = happening.odds | happening.aside
    found.named = dict.fromkeys(asked or ("dead",), Fraction(0))
    met: dict[tuple[str, str], Fraction] = {}
    ended: list[tuple[Fraction, dict[str, Result]]] = []
    for weight, bench in reach.outcomes(state, event):
        ended.append((weight, bench.values))
        for name, formula in asked.items():
            if bench.figure(formula):
                found.named[name] += weight
        if bench.dead and not asked:
            found.named["dead"] += weight
        for table, rows in bench.met.items():
            for row in dict.fromkeys(rows):
                met[table, row] = met.get((table, row), Fraction(0)) + weight
        for name in dict.fromkeys(bench.drawn):
            found.cards[name] = found.cards.get(name, Fraction(0)) + weight
        for name in bench.suffered & head.conditions.keys():
            found.conditions[name] = found.conditions.get(name, Fraction(0)) + weight
    for name in system.steps.numbers:
        if any(values[name] != state.values[name] for _, values in ended):
            found.numbers[name] = _shares((weight, values[name]) for weight, values in ended)
    found.numbers = {name: shares for name, shares in found.numbers.items() if len(shares) <= MOST_VALUES}
    found.rows = _in_order(system, met)
    found.cards = {name: found.cards[name] for name in dict.fromkeys(all_names(system)) if name in found.cards}
    found.conditions = {name: found.conditions[name] for name in system.head.conditions if name in found.conditions}
    return found


def _shares(ended: Iterable[tuple[Fraction, Result]]) -> dict[int, Fraction]:
    """How likely each value of a number is, the lowest first."""
    shares: dict[int, Fraction] = {}
    for weight, value in ended:
        if isinstance(value, int):
            shares[value] = shares.get(value, Fraction(0)) + weight
    return dict(sorted(shares.items()))


def _in_order(system: System, met: dict[tuple[str, str], Fraction]) -> dict[str, Shares]:
    """The rows of the tables that were met, as these have them, those that cannot come up too."""
    found: dict[str, Shares] = {}
    for name in dict.fromkeys(table for table, _ in met):
        table = system.table(name)
        labels = [str(row.at) if row.at else row.name or "" for row in table.rows] if table else []
        found[name] = {label: met.get((name, label), Fraction(0)) for label in labels}
    return found


# --- several in a row ------------------------------------------------------------------------------------------------


def die_by(reach: Reach, state: State, event: Event, times: int) -> tuple[Fraction, ...]:
    """The chance to be dead after 1, 2 ... such events. Raises HackjackError for what is too large to count.

    No time passes between them but what passes in them.
    """
    if not 1 <= times <= MOST_IN_A_ROW:
        raise HackjackError(f"--hits {times}: from 1 to {MOST_IN_A_ROW} are counted; --simulate N plays more")
    alive: dict[bytes, tuple[Fraction, State]] = {b"": (Fraction(1), state)}
    dead, seen, walked, found = Fraction(0), 0, 0, []
    ways: dict[bytes, list[tuple[Fraction, bytes, State]]] = {}
    for _ in range(times):
        later: dict[bytes, tuple[Fraction, State]] = {}
        for key, (share, before) in alive.items():
            if key not in ways:
                seen += 1
                if seen > MOST_SITUATIONS:
                    many = f"more than {MOST_SITUATIONS:,} situations"
                    raise HackjackError(f"{many}: too many to count; try --simulate N")
                ways[key], count = _after(reach, before, event)
                walked += count
                if walked > MOST_WAYS:
                    raise HackjackError(f"more than {MOST_WAYS:,} ways: too many to count; try --simulate N")
            for weight, name, after in ways[key]:
                if after.dead:
                    dead += share * weight
                else:
                    later[name] = (later[name][0] + share * weight if name in later else share * weight, after)
        alive = later
        found.append(dead)
    return tuple(found)


def in_turn(system: System, state: State, asking: Asking) -> tuple[Fraction, ...]:
    """The chance that it has come about for at least one of so many such characters, after each event in turn.

    Raises HackjackError for what is too large to count.
    """
    question = system.head.questions[asking.name]
    reach = Reach(system, question.event, question.counts)
    spared: dict[bytes, tuple[Fraction, State]] = {b"": (Fraction(1), state)}
    found = []
    for value in asking.values:
        later: dict[bytes, tuple[Fraction, State]] = {}
        for share, before in spared.values():
            for weight, bench in reach.outcomes(before, Event(question.event, ((question.each, value),))):
                if bench.dead or bench.figure(question.counts):
                    continue
                after = reach.alike(bench.state())
                key = msgspec.json.encode(after)
                later[key] = ((later[key][0] if key in later else Fraction(0)) + share * weight, after)
        if len(later) > MOST_SITUATIONS:
            raise HackjackError(f"more than {MOST_SITUATIONS:,} situations: too many to count")
        spared = later
        kept = sum((share for share, _ in spared.values()), Fraction(0))
        found.append(1 - kept**asking.people)
    return tuple(found)


def _after(reach: Reach, state: State, event: Event) -> tuple[list[tuple[Fraction, bytes, State]], int]:
    """What one such event makes of somebody, each outcome once, and how many ways lead there."""
    merged: dict[bytes, tuple[Fraction, State]] = {}
    count = 0
    for weight, bench in reach.outcomes(state, event):
        count += 1
        after = State(dead=True) if bench.dead else reach.alike(bench.state())
        key = msgspec.json.encode(after)
        merged[key] = (merged[key][0] + weight if key in merged else weight, after)
    return [(weight, key, after) for key, (weight, after) in merged.items()], count


def play(
    system: System, state: State, event: Event, times: int, plays: int, seed: int
) -> Sequence[tuple[float, float]]:
    """The share of plays that are dead after 1, 2 ... such events, each with its standard error.

    Raises HackjackError for too many.
    """
    if not 1 <= times <= MOST_PLAYED:
        raise HackjackError(f"--hits {times}: from 1 to {MOST_PLAYED:,} are played")
    luck, died = Seeded(seed), [0] * times
    for _ in range(plays):
        now = state
        for place in range(times):
            bench = played(system, now, event, luck)
            if bench.dead:
                died[place] += 1
                break
            now = bench.state()
    shares = [sum(died[: place + 1]) / plays for place in range(times)]
    return tuple((share, sqrt(share * (1 - share) / plays)) for share in shares)
