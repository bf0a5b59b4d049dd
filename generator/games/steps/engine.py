"""Steps of the author's at the table: one event on a state leads to the next state and a log.

Steps are effects. What cards and cells do besides (conditions, penalties, rolls on the body) is applied by the reader
that every kind of procedure shares; this module adds what only the author's own events have.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, assert_never

from msgspec.structs import replace

from generator.base.dice import Dice
from generator.base.errors import HackjackError
from generator.games.steps import drawing
from generator.games.steps import log as said
from generator.games.steps.events import Event
from generator.games.steps.log import StepsFact
from generator.games.steps.state import (
    DAYS,
    LONG,
    Coming,
    Held,
    Lost,
    Owed,
    State,
    check_sizes,
    parsed,
)
from generator.model.formulas import MOST, OF_CARD, Formula, Result, number
from generator.model.log import Entry, Log
from generator.model.rules import (
    UNITS,
    Answer,
    AnyEffect,
    AnyStep,
    Argument,
    Call,
    Card,
    Check,
    Condition,
    Cure,
    Die,
    DrawCard,
    End,
    Happening,
    Let,
    LookUp,
    Lower,
    Pass,
    Penalty,
    Place,
    Raise,
    RollFor,
    Row,
    Save,
    Say,
    SetTo,
    Shorten,
    Shuffle,
    Span,
    Step,
    Suffer,
    System,
    Table,
    Until,
    When,
)
from generator.play.apply_effects import FOR_GOOD, Hurt, Pen, Stepping, Wound
from generator.play.chance import Chance, NeedsError, RollNeed
from generator.play.log import Locate

MOST_TIMES = 1_000
"""So many times as long something may last."""
MOST_STEPS = 20_000
"""So many steps one event may take."""
DEEPEST = 24
"""So deep events, tables and conditions may lead to one another."""
_QUOTE = re.compile(r"\{(\w+)\}")
_NOTHING = Hurt()


def step(system: System, state: State, event: Event, chance: Chance) -> tuple[State, Log]:
    """One event. Raises HackjackError for an event that cannot happen, NeedsError when luck is missing."""
    bench = Bench(system, state, chance)
    try:
        bench.happens(event)
    except NeedsError as missing:
        missing.so_far = tuple(bench.log)
        raise
    return bench.state(), tuple(bench.log)


def counted(system: System, state: State, event: Event, chance: Chance, *, timeless: bool = False) -> Bench:
    """The same for odds: the bench on which it was played, which they ask what it has met; nothing is logged.

    With `timeless`, every span of time takes its least length and is not rolled.
    """
    bench = Bench(system, state, chance, timeless=timeless)
    bench.logs = False
    bench.happens(event)
    return bench


class RefusedError(HackjackError):
    """An event cannot happen to somebody as they are: no fault of the content."""


class _Resting(NamedTuple):
    """What formulas may still ask of the pen that wrote last."""

    source: str
    hurt: Hurt
    lasts: Until
    of: str


class Bench(Stepping):
    """One event in the making: the state so far, its log, and the luck that is asked."""

    def __init__(self, system: System, state: State, chance: Chance, *, timeless: bool = False) -> None:
        self.system, self.chance, self.timeless = system, chance, timeless
        self.values = dict(state.values)
        self.held = list(state.conditions)
        self.coming = list(state.coming)
        self.lost = list(state.lost)
        self.saves = list(state.saves)
        self.dead = state.dead
        self.out = list(state.drawn)
        self.drawn: list[str] = []
        self.card: Card | None = None
        self.log: list[Entry[StepsFact]] = []
        self.names: dict[str, Result] = {"over": 0}
        self.event = ""
        self.met: dict[str, list[str]] = {}
        self.suffered: set[str] = set()
        self._reason, self._levels, self._steps, self._deep = "", 1, 0, 0
        self._times: Formula | None = None
        self._until, self._ticking = FOR_GOOD, False
        self._before: dict[int, Held] = {}
        self._pen: Pen | _Resting = Pen(self, "", _NOTHING)

    def state(self) -> State:
        """The state as it is now."""
        found = State(
            values=self.values,
            conditions=tuple(self.held),
            coming=tuple(self.coming),
            lost=tuple(self.lost),
            saves=tuple(self.saves),
            dead=self.dead,
            drawn=tuple(self.out),
        )
        check_sizes(found)
        return found

    # --- an event ----------------------------------------------------------------------------------------------------

    def happens(self, event: Event) -> None:
        """An event with what was told of it, and then whatever watches. Raises HackjackError for the dead."""
        if self.dead:
            raise HackjackError("the character is dead: nothing more happens to them")
        happening = self.system.head.events[event.name]
        self.event = event.name
        self._take(happening.takes, dict(event.said))
        self._needs(happening)
        self.run(happening.do_, Pen(self, event.name, _NOTHING))
        self.watch()
        # A pen that holds its bench would keep both in memory until somebody looks for such rings.
        self._pen = _Resting(self._pen.source, self._pen.hurt, self._pen.lasts, self._pen.of)

    def _needs(self, happening: Happening) -> None:
        """Raise RefusedError where something that it needs does not hold."""
        for need in happening.needs:
            if not self.figure(need.holds):
                raise RefusedError(self.filled(need.says)[0])

    def _take(self, takes: dict[str, Argument], given: dict[str, Result]) -> None:
        """What is told counts; the rest is figured, its dice rolled, in order."""
        self.names |= {name: given.get(name) for name in takes}
        for name, argument in takes.items():
            if argument.when is None and (argument.default is None or given.get(name) is not None):
                continue
            if argument.when is not None and not self.figure(argument.when):
                if given.get(name) is not None:
                    raise HackjackError(f"{name} is not asked for here: leave it out")
                self.names[name] = None
            elif given.get(name) is None and argument.default is not None:
                found = self._rolled_for(argument.default, name)
                if argument.of and isinstance(found, int):
                    found = argument.of[min(max(found, 1), len(argument.of)) - 1]
                self.names[name] = found

    def watch(self) -> None:
        """What holds after an event has consequences, each watch once."""
        for watch in self.system.head.watches:
            if not self.dead and self.figure(watch.holds):
                self.run(watch.do_, Pen(self, self.event, _NOTHING))

    def run(self, effects: Iterable[AnyEffect], pen: Pen) -> None:
        """Steps in order, until death. Raises HackjackError where there is no end to them."""
        self._deep += 1
        if self._deep > DEEPEST:
            raise HackjackError(
                f"{self.event} leads deeper than {DEEPEST} events, tables and conditions: it has no end"
            )
        for effect in effects:
            if self.dead:
                break
            self._steps += 1
            if self._steps > MOST_STEPS:
                raise HackjackError(f"{self.event} takes more than {MOST_STEPS:,} steps: it has no end")
            self._pen = pen
            if not isinstance(effect, Step):
                pen.apply(effect)
            elif self.logs and (effect.log or effect.says):
                self._in_own_words(effect, pen)
            else:
                self._play(effect, pen)
        self._deep -= 1

    # --- what formulas ask -------------------------------------------------------------------------------------------

    def figure(self, formula: Formula) -> Result:
        """What a formula comes to now."""
        return formula.run(self)

    def _rolled_for(self, formula: Formula, reason: str) -> Result:
        before, self._reason = self._reason, reason
        found = formula.run(self)
        self._reason = before
        return found

    def rolled(self, dice: Dice) -> int:
        """What dice of a formula show."""
        return self.roll(dice, self._reason or self._pen.source or self.event)

    def named(self, name: str) -> Result:
        """What a name in a formula stands for. Raises HackjackError where it stands for nothing."""
        if name in self.names:
            return self.names[name]
        if name in self.values:
            return self.values[name]
        constant = self.system.steps.constants.get(name)
        if constant is not None:
            return self.rolled(constant)
        match name:
            case "dead":
                return int(self.dead)
            case "permanent":
                return int(self._pen.lasts.word == "permanent")
            case "place":
                return self._pen.hurt.part or None
            case "level":
                return self.call("level", self._pen.of)
            case "event":
                return self.event
        if name.startswith(OF_CARD):
            return self.card.lines.get(name.removeprefix(OF_CARD)) if self.card else None
        return name

    def call(self, function: str, name: str) -> Result:
        """What a function of a name says."""
        match function:
            case "setting":
                return self.system.setting(name)
            case "value":
                return self.values[self._number(name)]
            case "known":
                return int(self.named(name) is not None)
            case "met":
                return int(name in self.met)
            case "suffered":
                return int(name in self.suffered)
            case "has":
                return int(any(True for _ in self._of(name, inside=True)))
            case "count":
                return len([*self._of(name)]) + self._about_to(name)
            case "lasting":
                return sum(held.until == "permanent" for held in self._of(name))
            case "level":
                return max((held.level for held in self._of(name)), default=0)
            case "left":
                return max((held.left for held in self._of(name)), default=0)
            case "owed":
                return sum(name in (owed.of, "any") for owed in self.saves)
            case "coming":
                return sum(name in (each.condition, "any") for each in self.coming)
        if function == "worst":
            return max((penalty_of(held.condition, name, self) for held in self.held), default=0)
        return self._lowered(name)

    def _of(self, name: str, *, inside: bool = False) -> Iterator[Held]:
        """The conditions held of that name or group; with `inside`, those too that bring it as long as they last."""
        conditions = self.system.head.conditions
        for held in self.held:
            if (
                held.condition == name
                or conditions[held.condition].group == name
                or (name == "long" and held.word in LONG)
                or (inside and name in self.system.brought.get(held.condition, ()))
            ):
                yield held

    def _about_to(self, name: str) -> int:
        """The saves owed that bring one such condition whichever way they go: a ruined limb before its save."""
        return sum([certain(owed, name, self.system) for owed in self.saves])

    def _lowered(self, statistic: str) -> int:
        """By how much conditions and losses lower a statistic."""
        lost = sum(lost.by for lost in self.lost if lost.statistic == statistic)
        return lost + sum(penalty_of(held.condition, statistic, self) for held in self.held)

    # --- what the shared reader of effects asks ----------------------------------------------------------------------

    def note(self, fact: StepsFact, why: str = "", /) -> None:
        """Add an entry."""
        if self.logs:
            self.log.append(Entry(fact, why))

    def suffers(self, condition: str) -> None:
        """A condition has begun."""
        self.suffered.add(condition)

    def roll(self, dice: Dice, reason: str) -> int:
        """Roll dice; a plain number needs no luck."""
        if not dice.count:
            return dice.plus
        return sum(self.chance.roll(RollNeed(dice, reason))) + dice.plus

    def span(self, dice: Dice, reason: str) -> int:
        """How long something lasts."""
        times, self._times = self._times, None
        if times is None:
            return dice.least if self.timeless else self.roll(dice, reason)
        by = 1 if self.timeless else self._rolled_for(times, reason)
        if not isinstance(by, int) or not 1 <= by <= MOST_TIMES:
            raise HackjackError(f'"{times}" times as long: that is {by}, and 1 to {MOST_TIMES:,} are possible')
        return by * (dice.least if self.timeless else self.roll(dice, reason))

    def peek(self) -> str | None:
        """There are no cards."""
        return None

    def value(self, name: str) -> int:
        """A number of the character's. Raises HackjackError for one that nobody keeps."""
        found = self.values.get(name)
        if not isinstance(found, int):
            raise HackjackError(f"{self.system.head.id} keeps no number {name} for a character")
        return found

    def mends(self) -> bool:
        """Nothing waits for a recovery."""
        return False

    def side(self, part: str) -> str:
        """A part of the body as a person says it, with its side where that was told or is rolled."""
        found = self.system.head.parts[part]
        side = self.names.get("side")
        if found.sides and side is None and self.system.setting("sides") == "on" and found.die:
            return f"{found.places[self.roll(found.die, f'which {found.name}') - 1]} {found.name}"
        return f"{side} {found.name}" if isinstance(side, str) and side in found.sides else found.name

    def grips(self) -> bool:
        """Whether both hands hold what falls."""
        return self.names.get("hands") == "both"

    def begins(self, effect: Suffer) -> None:
        """A condition is about to be suffered: by how many levels."""
        self._levels = 1 if effect.levels is None else max(number(effect.levels, self), 1)
        self._times, self._until = effect.times, effect.until
        self._steps += 1
        if self._steps > MOST_STEPS:
            raise HackjackError(f"{effect.condition} brings itself without an end")

    def keep(self, wound: Wound) -> None:
        """A condition is held from now on, or points are lost for good."""
        condition = self.system.head.conditions.get(wound.effect)
        if condition is not None:
            self._suffer(wound, condition)
        elif wound.effect == "penalty" and wound.until.word == "permanent":
            self.lost += [Lost(name, wound.by[0]) for name in wound.to]
        else:
            raise HackjackError(f"{wound.effect} for {wound.until} belongs into a condition: nothing keeps it here")

    def _suffer(self, wound: Wound, condition: Condition) -> None:
        until = wound.until
        written = str(until)
        if until.amount is not None and until.word in DAYS:
            written = str(Until.span(until.amount.plus * DAYS[until.word], "day"))
        chances = tuple(sorted(map(_in_days, wound.chances))) if wound.chances else ()
        most = condition.levels or 1
        row = str(self.names.get("row", "")) if condition.row else ""
        new = Held(wound.effect, written, wound.place, min(self._levels, most), chances, row)
        alike = [held for held in self.held if held.condition == wound.effect]
        again = usual(condition, new) if alike else "apart"
        if again == "apart":
            self.held.append(new)
        elif again == "level":
            last = alike[-1]
            longest = max((last, new), key=_length)
            self._swap(last, replace(longest, level=min(last.level + self._levels, most)))
        elif again == "latest":
            # What has become permanent stays so.
            if not any(held.until == "permanent" for held in alike):
                self.held = [held for held in self.held if held not in alike]
                self.held.append(new)
        elif again == "longest":
            self.held = [held for held in self.held if held not in alike]
            self.held.append(max([new, *alike], key=_length))

    def _swap(self, old: Held, new: Held | None) -> None:
        """One condition for another, or for none."""
        place = next(at for at, held in enumerate(self.held) if held is old)
        self.held[place : place + 1] = [] if new is None else [new]
        if new is not None and id(old) in self._before:
            self._before[id(new)] = new

    def delay(self, condition: str, until: Until) -> None:
        """A condition begins after so long, unless something stops it before."""
        self.note(said.Later(condition, str(until)))
        self.coming.append(Coming(condition, str(until), str(self._until)))

    def cure(self, condition: str) -> None:
        """A condition ends without a word, and the saves that are owed for its chances with it."""
        self.held = [held for held in self.held if held.condition != condition]
        self.saves = [owed for owed in self.saves if not (owed.chance and owed.of == condition)]

    def owe(self, condition: str, hurt: Hurt) -> None:
        """The player has to make a save."""
        self.note(said.Owed(condition, hurt.place))
        self.saves.append(Owed(condition, hurt.part, hurt.place))

    # --- steps -------------------------------------------------------------------------------------------------------

    def play(self, step: AnyStep | Check, pen: Pen) -> None:
        """One step of the author's, in the hand of a pen."""
        self._pen = pen
        if isinstance(step, Check):
            self._check(step, pen)
        else:
            self.run((step,), pen)

    def _in_own_words(self, step: AnyStep, pen: Pen) -> None:
        """One step with the author's words: in place of ours, before what it led to, or after what it came to."""
        start = len(self.log)
        self._play(step, pen)
        text, values = self.filled(step.log or step.says or "")
        about = step.name if isinstance(step, Let) else step.do
        entry = Entry[StepsFact](said.Said(about, text, values), step.ruling or "")
        if isinstance(step, When | LookUp | DrawCard):
            self.log.insert(start, entry)
        elif isinstance(step, Let):
            self.log.append(entry)
        else:
            self.log[start:] = [entry, *(kept for kept in self.log[start:] if not isinstance(kept.fact, _OURS))]

    def _play(self, step: AnyStep, pen: Pen) -> None:
        match step:
            case When():
                self.run(step.then if self.figure(step.holds) else step.otherwise, pen)
            case Let():
                self.names[step.name] = self._rolled_for(step.be, step.asks or step.name)
            case LookUp():
                self._look_up(step, pen)
            case DrawCard():
                drawing.draw(self, step, pen)
            case Shuffle():
                drawing.shuffle(self, step.deck, step.ruling or "", asked=True)
            case Raise() | Lower():
                self._change(step)
            case SetTo():
                self._set(step)
            case RollFor():
                self._roll_for(step, pen)
            case Call():
                self._call(step)
            case End():
                self._ended(step)
            case Shorten():
                self._shorten(step)
            case Pass():
                self._pass(step)
            case Place():
                self._place(step, pen)
            case Say():
                self.run(step.do_, pen)
            case Die():
                self.die(step.ruling or "")
            case Answer():
                self._answer(step)
            case _:
                assert_never(step)

    def filled(self, text: str) -> tuple[str, dict[str, Result]]:
        """The author's words with the values of this moment in them, and those values by name."""
        constants, readings = self.system.numbers, self.system.readings
        facts: dict[str, Result] = {}

        def quoted(match: re.Match[str]) -> str:
            name = match[1]
            if name in constants or name in readings:
                return constants.get(name, readings.get(name, ""))
            facts[name] = self.named(name)
            return "" if facts[name] is None else str(facts[name])

        return _QUOTE.sub(quoted, text), facts

    def _change(self, step: Raise | Lower) -> None:
        name = self._number(step.number)
        own, held = self.system.steps.numbers[name], self.value(name)
        by = number(step.by, self)
        up = isinstance(step, Raise)
        wanted = held + by if up else held - by
        bounds = (step.most, own.most) if isinstance(step, Raise) else (step.least, own.least)
        limits = [limit for bound in bounds if bound and isinstance(limit := self.figure(bound), int)]
        new = min([wanted, *limits]) if up else max([wanted, *limits])
        # A bound never cuts what is held.
        new = max(new, min(held, wanted)) if up else min(new, max(held, wanted))
        new = min(max(new, -MOST), MOST)
        self.values[name] = new
        self.names["over"] = abs(wanted - new)
        if by:
            self.note(said.Number(name, by if up else -by, new), step.ruling or "")

    def _number(self, name: str) -> str:
        """The number that is meant: that one, or the one whose name an argument holds."""
        if name in self.system.steps.numbers:
            return name
        found = self.named(name)
        if found not in self.system.steps.numbers:
            raise HackjackError(f"{name} is {found}, which is no number")
        return str(found)

    def _set(self, step: SetTo) -> None:
        found = self.figure(step.to)
        procedure = self.system.steps
        name = step.number if step.number in procedure.words else self._number(step.number)
        if name in procedure.words:
            if found not in procedure.words[name].of:
                raise HackjackError(f"{name} cannot be {found}")
        elif found is not None and not isinstance(found, int):
            raise HackjackError(f'"{step.to}" is no number but {found}')
        self.values[name] = found
        self.note(said.Set(name, found), step.ruling or "")

    def _look_up(self, step: LookUp, pen: Pen) -> None:
        table = table_of(self.system, step.table)
        result = self._result(step, table)
        row = table.row(result) if isinstance(result, int) else table.named(result) if result else None
        if row is None:
            there = f": it covers {table.covers}" if table.covers else ""
            raise HackjackError(f"the table {table.id} has no row for {result}{there}")
        column = self._column(step, table, row, pen)
        label = str(row.at) if row.at else row.name or ""
        self.met.setdefault(table.id, []).append(label)
        self.note(said.Row(table.id, label, column, row.name or ""), step.ruling or "")
        cell = row.cell(column)
        if isinstance(cell, tuple):
            inner = Pen(self, f"{table.title} {label}", pen.hurt, pen.lasts)
            inner.of = pen.of
            self.names["row"] = row.name or label
            self.run(cell, inner)
        else:
            self.note(said.Nothing(str(cell)))
        if row.note:
            self.note(said.Remark(row.note))

    def _result(self, step: LookUp, table: Table) -> Result:
        if step.by is not None:
            return self._rolled_for(step.by, step.asks or table.id)
        if table.roll is None:
            raise HackjackError(f"the table {table.id} has no die to roll: say by what it is looked up")
        return self.roll(table.roll, step.asks or table.id)

    def _column(self, step: LookUp, table: Table, row: Row, pen: Pen) -> str:
        """The column: as it is told, or by the table's die; what is a part of the body is where it hits."""
        if not table.columns:
            return ""
        found = self.figure(step.column) if step.column is not None else None
        if not row.cells:
            # What does the same everywhere asks for no place.
            return ""
        if found is None:
            if table.column_roll is None:
                raise HackjackError(f"the table {table.id} has no die for its columns: say which")
            face = self.roll(table.column_roll, "location")
            found = next((name for name, entry in table.columns.items() if entry.at and face in entry.at), "")
        if str(found) not in table.columns:
            raise HackjackError(f"the table {table.id} has no column {found}")
        name = str(found)
        if name in self.system.head.parts and pen.hurt.part != name:
            self._hits(name, pen)
        return name

    def _hits(self, part: str, pen: Pen) -> None:
        pen.hurt = Hurt(part, self.side(part))
        self.note(Locate(self.system.head.parts[part].name, pen.hurt.place))

    def _place(self, step: Place, pen: Pen) -> None:
        found = self.figure(step.part)
        if found is None:
            pen.hurt = _NOTHING
        elif found in self.system.head.parts:
            self._hits(str(found), pen)
        else:
            raise HackjackError(f"{found} is no part of the body")

    def _roll_for(self, step: RollFor, pen: Pen) -> None:
        shown = self._rolled_for(step.dice, step.asks or pen.source)
        if not isinstance(shown, int):
            raise HackjackError(f'"{step.dice}" is no number but {shown}')
        self.note(said.Rolled(str(step.dice), shown), step.ruling or "")
        for span, effects in spans(step):
            if shown in span:
                self.run(effects, pen)
                return

    def _check(self, check: Check, pen: Pen) -> None:
        bound = check.at_most or check.over
        if bound is None:
            raise HackjackError("a check says what it is rolled against: at_most or over")
        target = number(bound, self)
        rolled = self.roll(check.die, check.name or f"{pen.source}: check")
        passed = rolled <= target if check.at_most else rolled > target
        under = check.at_most is not None
        fact = said.Tested(check.name or "", check.die.spoken, rolled, target, under, passed)
        self.note(fact, check.ruling or "")
        self.run(check.passes if passed else (*check.fail, *check.fails), pen)

    def _call(self, step: Call) -> None:
        happening = self.system.head.events[step.event]
        given = {name: self.figure(formula) for name, formula in step.takes.items()}
        before, self.names = self.names, {"over": 0}
        self._take(happening.takes, given)
        self._needs(happening)
        self.run(happening.do_, Pen(self, step.event, _NOTHING))
        self.names = before

    def die(self, why: str = "") -> None:
        """Nothing comes any more for whoever is dead."""
        if not self.dead:
            self.note(said.Dies(), why)
        self.dead, self.coming, self.saves = True, [], []

    # --- ends --------------------------------------------------------------------------------------------------------

    def _ended(self, step: End) -> None:
        cause = step.cause or self.event
        chosen = step.condition or step.group
        for each in self.coming:
            if each.condition in (step.condition, step.coming):
                self.note(said.Stopped(each.condition, each.after), step.ruling or "")
        self.coming = [each for each in self.coming if each.condition not in (step.condition, step.coming)]
        if step.coming:
            return
        if chosen:
            over = list(self._of(chosen))
        else:
            over = [held for held in self.held if held.until == (step.ending or self.event)]
        place = self.figure(step.chosen) if step.chosen is not None else None
        if isinstance(place, int):
            if not 1 <= place <= len(over):
                raise RefusedError(f"there is no number {place}: choose 1 to {len(over)}" if over else "there is none")
            over = [over[place - 1]]
        levels = None if step.levels is None else number(step.levels, self)
        for held in over:
            if levels is not None and levels < held.level:
                self._swap(held, replace(held, level=held.level - levels))
                self.note(said.Eased(held.condition, held.level - levels), step.ruling or "")
            else:
                self.end(held, cause, step.ruling or "")

    def end(self, held: Held, cause: str, why: str = "") -> None:
        """One condition ends, and what follows its end by that cause happens."""
        if not any(each is held for each in self.held):
            return
        self._swap(held, None)
        self.saves = [owed for owed in self.saves if not (owed.chance and owed.of == held.condition)]
        self.note(said.Ends(held.condition, held.place, cause), why)
        ends = self.system.head.conditions[held.condition].ends
        self.run(ends.get(cause, ends.get("any", ())), self._pen_of(held))

    def _pen_of(self, held: Held) -> Pen:
        """A pen for what a condition does: where it is, and how long it lasts."""
        part = next((name for name in self.system.head.parts if held.place.split(" ")[-1:] == [name]), "")
        pen = Pen(
            self,
            self.system.head.conditions[held.condition].name or held.condition,
            Hurt(part, held.place),
            parsed(held.until),
        )
        pen.of = held.condition
        return pen

    def _shorten(self, step: Shorten) -> None:
        left = number(step.by, self)
        counted = [held for held in self._of(step.of) if held.word == step.unit]
        if step.which == "all":
            for held in counted:
                self._take_off(held, left, step)
            return
        if step.which == "chosen" and step.chosen is not None:
            place = self.figure(step.chosen)
            if isinstance(place, int):
                held = self._chosen(step, place)
                left, counted = self._take_off(held, left, step), [each for each in counted if each is not held]
                if step.rest == "lost":
                    return
        while left > 0 and counted:
            longest = max(counted, key=lambda held: held.left)
            counted = [held for held in counted if held is not longest]
            left = self._take_off(longest, left, step)
            if step.rest == "lost":
                return

    def _chosen(self, step: Shorten, place: int) -> Held:
        """One of the conditions held, by its number among them."""
        among = list(self._of(step.of))
        if not 1 <= place <= len(among) or among[place - 1].word != step.unit:
            known = [str(at) for at, held in enumerate(among, 1) if held.word == step.unit]
            hint = f": choose {', '.join(known)}" if known else ": there is none"
            raise RefusedError(f"number {place} has no {step.unit}s that could be taken off{hint}")
        return among[place - 1]

    def _take_off(self, held: Held, by: int, step: Shorten) -> int:
        """Time off one condition; gives what is left over."""
        off = min(by, held.left)
        self.note(said.Shortened(held.condition, held.place, off, held.left - off, step.unit), step.ruling or "")
        if off < held.left:
            self._swap(held, held.with_left(held.left - off))
        else:
            self.end(held, self.event)
        return by - off

    # --- time --------------------------------------------------------------------------------------------------------

    def _pass(self, step: Pass) -> None:
        times = 1 if step.times is None else number(step.times, self)
        if self._ticking:
            raise HackjackError(f"a {step.unit} cannot pass while time passes")
        self.note(said.Passes(step.unit, times), step.ruling or "")
        self._ticking = True
        for _ in range(times):
            if self.dead or not (self._counts(step.unit) or self._runs(step.unit)):
                break
            self._tick(step.unit)
            self.watch()
            tick = self.system.steps.clock.get(step.unit)
            if tick and tick.stops and self.figure(tick.stops):
                break
        self._ticking = False

    def _counts(self, unit: str) -> str | None:
        tick = self.system.steps.clock.get(unit)  # type: ignore[call-overload]
        return tick.counts if tick else None

    def _runs(self, unit: str) -> bool:
        """Whether a unit of time changes anything at all."""
        ended = self._ends_with(unit)
        shorter = UNITS[: UNITS.index(unit) + 1]
        conditions = self.system.head.conditions
        return bool(self.coming) or any(
            held.word in shorter or held.until in ended or held.chances or unit in conditions[held.condition].each
            for held in self.held
        )

    def _ends_with(self, unit: str) -> tuple[str, ...]:
        tick = self.system.steps.clock.get(unit)  # type: ignore[call-overload]
        return tick.ends if tick else ()

    def _tick(self, unit: str) -> None:
        """One unit of time: it is counted, conditions act, spans run down, and what was to come comes."""
        if counted := self._counts(unit):
            self.values[counted] = min(self.value(counted) + 1, MOST)
        # What only begins in this unit does not run down in it.
        self._before = {id(held): held for held in self.held}
        for held in list(self.held):
            does = self.system.head.conditions[held.condition].each.get(unit)  # type: ignore[call-overload]
            if does and not self.dead and any(each is held for each in self.held):
                self.run(does, self._pen_of(held))
        ended, shorter = self._ends_with(unit), UNITS[: UNITS.index(unit)]
        for held in list(self.held):
            if self.dead or id(held) not in self._before or not any(each is held for each in self.held):
                continue
            word, left = held.word, held.left
            if word == unit and left > 1:
                self._swap(held, held.with_left(left - 1))
            elif (word == unit and left) or word in shorter or held.until in ended:
                self.end(held, "time")
            elif unit == "day" and held.chances:
                self._come_due(held)
        if not self.dead:
            self._arrive(unit)

    def _come_due(self, held: Held) -> None:
        """A day nearer to the saves that may end a condition."""
        chances = tuple(days - 1 for days in held.chances)
        for _ in range(chances.count(0)):
            self.note(said.Due(held.condition))
            self.saves.append(Owed(held.condition, place=held.place, chance=True))
        self._swap(held, replace(held, chances=tuple(days for days in chances if days)))

    def _arrive(self, unit: str) -> None:
        """What was to come is one unit nearer, or here."""
        due: list[Coming] = []
        left: list[Coming] = []
        for each in self.coming:
            after = parsed(each.after)
            amount = after.amount.plus if after.amount else 0
            if UNITS.index(after.word) < UNITS.index(unit) or (after.word == unit and amount <= 1):
                due.append(each)
            elif after.word == unit:
                left.append(replace(each, after=str(Until.span(amount - 1, unit))))
            else:
                left.append(each)
        self.coming = left
        for each in due:
            pen = Pen(self, self.system.head.conditions[each.condition].name or each.condition, _NOTHING)
            self.run((Suffer(each.condition, parsed(each.until)),), pen)

    # --- saves -------------------------------------------------------------------------------------------------------

    def _answer(self, step: Answer) -> None:
        if not self.saves:
            raise RefusedError("no save is owed")
        owed, passed = self.saves.pop(0), bool(self.figure(step.passed))
        self.note(said.Saved(owed.of, passed), step.ruling or "")
        if owed.chance:
            self._take_chance(owed, passed=passed)
            return
        condition = self.system.head.conditions[owed.of]
        if save := save_of(condition):
            pen = Pen(self, condition.name or owed.of, Hurt(owed.part, owed.place))
            self.run(save.passes if passed else save.fails, pen)

    def _take_chance(self, owed: Owed, *, passed: bool) -> None:
        """One of the chances to recover: the last one that fails makes it permanent."""
        held = next((each for each in self.held if each.condition == owed.of and each.until == "save"), None)
        if held is None:
            raise RefusedError(f"the character has no {owed.of} to recover from")
        if passed:
            self.end(held, "save")
            return
        left = len(held.chances) + sum(each.chance and each.of == owed.of for each in self.saves)
        self.note(said.ChanceLost(owed.of, left))
        if not left:
            self._swap(held, replace(held, until="permanent"))


_OURS = (said.Number, said.Set, said.Ends, said.Passes, said.Dies, said.Shuffled)
"""Entries whose words the author's own take the place of."""


def table_of(system: System, name: str) -> Table:
    """A table by its id. Raises HackjackError where it is missing."""
    table = system.table(name)
    if table is None:
        raise HackjackError(f"{system.head.id} has no table {name}")
    return table


def spans(step: RollFor) -> Iterator[tuple[Span, tuple[AnyEffect, ...]]]:
    """What dice decide: each span of results with what follows."""
    return ((Span.parse(written), effects) for written, effects in step.results.items())


def save_of(condition: Condition) -> Save | None:
    """The save that a condition asks for when it begins or ends, if it does."""
    lists = (condition.implies, *condition.ends.values())
    return next((effect for effects in lists for effect in effects if isinstance(effect, Save)), None)


def certain(owed: Owed, name: str, system: System) -> bool:
    """Whether a save that is owed brings such a condition whichever way it goes."""
    save = None if owed.chance else save_of(system.head.conditions[owed.of])
    return save is not None and _injures(save.passes, name, system) and _injures(save.fails, name, system)


def _injures(effects: Sequence[AnyEffect], name: str, system: System) -> bool:
    new = [
        effect
        for effect in effects
        if isinstance(effect, Suffer)
        and (
            name in (effect.condition, system.head.conditions[effect.condition].group)
            or (name == "long" and effect.until.word in (*LONG, *DAYS))
        )
    ]
    return bool(new) and not any(isinstance(effect, Cure) for effect in effects)


def penalty_of(condition: str, statistic: str, bench: Bench) -> int:
    """What a condition takes off a statistic for as long as it lasts."""
    found = 0
    for effect in bench.system.head.conditions[condition].implies:
        if isinstance(effect, Suffer) and effect.until.word == "same":
            found += penalty_of(effect.condition, statistic, bench)
        elif isinstance(effect, Penalty) and effect.until.word == "same" and statistic in effect.to:
            found += effect.by.least * (bench.value(effect.per) if effect.per else 1)
    return found


def _in_days(until: Until) -> int:
    amount = until.amount.plus if until.amount else 0
    return amount * DAYS.get(until.word, 1)


def usual(condition: Condition, held: Held) -> str:
    """What a second one does, by the content or else by what it is: levels add up, what takes days is another one."""
    if condition.again:
        return condition.again
    if condition.levels:
        return "level"
    if held.word == "save":
        return "latest"
    return "apart" if held.word in LONG else "longest"


def _length(held: Held) -> tuple[int, int]:
    """For comparing how long two conditions last; what has no span lasts longest."""
    return (UNITS.index(held.word), held.left) if held.left else (len(UNITS), 0)
