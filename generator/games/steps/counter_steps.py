"""The steps of an event for one question: backwards what has to be known, forwards what becomes of a distribution."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import combinations
from typing import Any, NamedTuple

from generator.base.errors import HackjackError
from generator.games.steps.checks import CONTENT
from generator.games.steps.counter_cards import Hand, OutOf, Pile, cut, next_shares, shuffled
from generator.games.steps.counter_formulas import (
    NONE,
    Key,
    Keys,
    Names,
    Reckoning,
    Setting,
    dice_cases,
    formulas_of,
    name_key,
    number_key,
)
from generator.games.steps.counter_layout import Layout, Sight, is_temporary, may_merge
from generator.games.steps.counter_ways import CHEAP, Cases, Spread, State, joined, merged_cases, put
from generator.games.steps.drawing import MAX_DRAWN
from generator.games.steps.engine import MAX_DEPTH, MAX_ROWS, Bench
from generator.games.steps.shape import living_alone
from generator.games.steps.state import fresh_values
from generator.model import rules
from generator.model.formulas import MAX_VALUE, Formula, Result
from generator.play.apply_effects import Pen
from generator.play.chance import Chance
from generator.play.every_way import every_way, spend_work
from generator.play.piles import card_value

_PEN = ("part", "place", "lasts")
Play = Callable[[Spread], Spread]
"""A step made ready: what it makes of a distribution."""
Effects = tuple[rules.AnyEffect, ...]


class Plan(NamedTuple):
    """A step that something can tell: what has to be known before it, and what makes it ready."""

    before: Keys
    make: Callable[[], Play]


class Block:
    """Steps in a row: what has to be known before them for what is asked after them, and those that can be told."""

    def __init__(self, after: Keys) -> None:
        self.before = self.after = after
        self.parts: list[tuple[rules.AnyEffect | None, Keys, Keys, Callable[[], Play]]] = []
        self.plays: list[Play] | None = None

    @property
    def alive(self) -> bool:
        """Whether anything can tell that these steps happen."""
        return bool(self.parts)


class Course:
    """An event made ready for a question: `after` is what is asked once it is over, `tallied` what of it is counted."""

    def __init__(
        self,
        system: rules.System,
        event: str,
        after: Keys,
        tallied: frozenset[Key] = frozenset(),
        fixed: Mapping[str, Result] | None = None,
        *,
        told: Iterable[Formula] = (),
        again: bool = False,
        policy: str = "",
        apart: bool = False,
    ) -> None:
        # A card that goes back may be drawn twice.
        self.apart = apart or any(isinstance(each, rules.Shuffle) for each in CONTENT(system).effects)
        self.system, self.event, self.tallied, self.policy = system, event, tallied, policy
        self.names = Names(system, event, fixed or {})
        self.at = Setting(calls=frozenset({event}))
        self.piles = {deck: Pile(deck, system) for deck in system.piles}
        self._formulas = list(told)
        self.after = after | self.names.reads(self._formulas, self.at)
        self._singles: dict[Any, tuple[Any, Effects]] = {}
        self._blocks: dict[Any, Block] = {}
        self._keep: list[Any] = []
        self._told: dict[tuple[str, Keys], bool] = {}
        self._cells: dict[tuple[int, int], Effects] = {}
        self._told_keys: set[Key] = set()
        self._lines: dict[tuple[str, str], tuple[int, ...]] = {}
        self._effects: dict[str, Effects] = {}
        self._happening = system.head.events[event]
        watches = [rules.When(holds=watch.holds, then=watch.do_) for watch in system.head.watches]
        self._watches = tuple(watches)
        while True:
            self._plan()
            before = frozenset(
                key
                for key in self.before
                if key[0] != "name" and key not in (*_PEN, "card", "waiting") and not is_temporary(system, str(key[1]))
            )
            if not again or before <= self.after:
                break
            # The next such event asks what this one leaves.
            self.after |= before
        keys = frozenset().union(self.after, self._told_keys, *(block.before for block in self._blocks.values()))
        keys |= frozenset().union(*(part[1] | part[2] for block in self._blocks.values() for part in block.parts))
        self.layout = Layout(system, event, keys, self.piles)
        self.repeated: set[Key] = set()
        self._play = self._body.make()
        self.told = [Reckoning(formula, self.names, self.at, self.layout) for formula in self._formulas]

    def _plan(self) -> None:
        """Look through the steps backwards until nothing more is asked of any of them."""
        while True:
            self._changed, self._seen = False, set[Any]()
            self.watching = self.block(self._watches, self.after, Setting(calls=self.at.calls))
            body = self._event(self._happening, self.watching.before, self.at)
            if not self._changed:
                break
        self.before = body.before
        self._body = body

    # --- running -----------------------------------------------------------------------------------------------------

    def start(self, state: Any, said: Mapping[str, Result]) -> Spread:
        """Return the one state before the event, with what was told of it."""
        takes = dict.fromkeys(self._happening.takes) | dict(said)
        return Spread({self.layout.first(state, takes, self.before): 1}, 1)

    def again(self, spread: Spread, said: Mapping[str, Result]) -> Spread:
        """Return the states after an event as the next such event finds them."""
        takes = dict.fromkeys(self._happening.takes) | dict(said)
        return spread.changed(lambda state: self.layout.anew(state, takes, self.before, self.after))

    def run(self, spread: Spread) -> Spread:
        """Return what is left alive of a distribution after the event; deaths and tallies are kept beside."""
        self.dead: dict[int, dict[State, int]] = {}
        self.tallies: dict[Key, dict[int, int]] = {}
        self._deep = 0
        spread = self._play(spread)
        spread = self._watched(spread)
        return self.known_lines(spread, self._formulas)

    def _watched(self, spread: Spread) -> Spread:
        dead = self.layout.slot["dead"]
        sides = spread.sorted_by(lambda state: state[dead])
        return joined([self.play(self.watching, sides.get(False, Spread({}, 1))), sides.get(True, Spread({}, 1))])

    def play(self, block: Block, spread: Spread) -> Spread:
        """Return what steps in a row make of a distribution."""
        if block.plays is None:
            block.plays = []
            for effect, before, after, make in reversed(block.parts):
                block.plays.append(self._forgetful(effect, before, after, make()))
        self._deep += 1
        if self._deep > MAX_DEPTH:
            raise HackjackError(
                f"{self.event} leads deeper than {MAX_DEPTH} events, tables and conditions: it has no end"
            )
        for step in block.plays:
            if not spread.ways:
                break
            spend_work(1 + len(spread.ways) // CHEAP)
            spread = step(spread)
        self._deep -= 1
        return spread

    def _forgetful(self, effect: rules.AnyEffect | None, before: Keys, after: Keys, play: Play) -> Play:
        """Return a step that first looks at what it asks of the card, and forgets what nobody asks any more."""
        forget, formulas = self.layout.forgetting(before, after), formulas_of(effect)
        lines = self.names.lines(formulas) if not isinstance(effect, rules.DrawCard) else []
        if forget is None and not lines:
            return play

        def run(spread: Spread) -> Spread:
            spread = play(self.known_lines(spread, formulas) if lines else spread)
            return spread.changed(forget) if forget is not None else spread

        return run

    def entered(self, block: Block, before: Keys) -> Play:
        """Return what plays steps for states in which those keys are known: what the steps do not ask goes first."""
        forget = self.layout.forgetting(before, block.before)
        if forget is None:
            return partial(self.play, block)
        return lambda spread: self.play(block, spread.changed(forget))

    def mark(self, spread: Spread, item: Key, after: Keys) -> Spread:
        """Return the states once something has come about; it is tallied where it is the first time."""
        slot = self.layout.slot.get(item)
        if item in self.tallied:
            if item in after and item not in self.after:
                self.repeated.add(item)
            news = sum(count for state, count in spread.ways.items() if slot is None or not state[slot])
            tally = self.tallies.setdefault(item, {})
            tally[spread.total] = tally.get(spread.total, 0) + news
        if slot is None or item not in after:
            return spread
        return spread.changed(lambda state: put(state, slot, True))

    def marks(self, item: Key, after: Keys) -> Keys | None:
        """Return what has to be known before something that may come about; None where nobody asks for it."""
        if item in self.tallied:
            return after | {item}
        return after - {item} if item in after else None

    def die(self, spread: Spread) -> Spread:
        """Nothing more happens to the dead."""
        ended = self.dead.setdefault(spread.total, {})
        for state, count in spread.ways.items():
            after = self._dead_as(state)
            ended[after] = ended.get(after, 0) + count
        return Spread({}, spread.total)

    def _dead_as(self, state: State) -> State:
        """Return what the question asks of somebody dead."""
        layout = self.layout
        slots = list(layout.root(state))
        over, living = living_alone(self.system)
        slots[layout.slot["dead"]] = True
        fresh = fresh_values(self.system)
        for key, at in layout.slot.items():
            if key not in self.after and key not in ("dead", "held"):
                slots[at] = None
            elif key == "coming" or key == "saves":
                slots[at] = ()
            elif key[0] == "number" and key[1] in living:
                slots[at] = fresh[str(key[1])]
        if "held" in layout.slot:
            bench, _ = layout.bench(state, self.at)
            if over:
                bench._clear_dead()
            layout.see(slots, layout.sight(self.after), bench.held, [])
        return tuple(slots)

    def _revived(self) -> Play:
        dead = self.layout.slot["dead"]
        return lambda spread: spread.changed(lambda state: put(state, dead, False))

    # --- steps in a row ----------------------------------------------------------------------------------------------

    def block(self, effects: Sequence[rules.AnyEffect], after: Keys, at: Setting) -> Block:
        """Return steps in a row for what is asked after them."""
        # What is asked is told apart again at each of the steps.
        spend_work(1 + len(after) // 20)
        key = id(effects), after, at
        block = self._blocks.get(key)
        if block is None:
            self._keep.append(effects)
            block = self._blocks[key] = Block(after)
        if key in self._seen:
            return block
        self._seen.add(key)
        now, parts = after, list[Any]()
        for effect in reversed(effects):
            spend_work(1 + len(now) // 20)
            plan = self.plan(effect, now, at)
            if plan is not None:
                parts.append((effect, plan.before, now, plan.make))
                now = plan.before
        if now != block.before or len(parts) != len(block.parts):
            self._changed = True
        block.before, block.parts = now, parts
        return block

    def single(self, effect: rules.AnyEffect, after: Keys, at: Setting) -> Block:
        """Return a step by itself."""
        if id(effect) not in self._singles:
            self._singles[id(effect)] = effect, (effect,)
        return self.block(self._singles[id(effect)][1], after, at)

    def ready(self, formula: Formula, at: Setting) -> Reckoning:
        """Return a formula made ready."""
        return Reckoning(formula, self.names, at, self.layout)

    def plan(self, effect: rules.AnyEffect, after: Keys, at: Setting) -> Plan | None:
        """Return a step for what is asked after it; None where nothing can tell it."""
        match effect:
            case rules.When():
                return self._when(effect, after, at)
            case rules.Raise() | rules.Lower():
                return self._change(effect, after, at)
            case rules.SetTo():
                return self._set(effect, after, at)
            case rules.Let():
                return self._let(effect, after, at)
            case rules.Call():
                return self._call(effect, after, at)
            case rules.LookUp():
                return self._look_up(effect, after, at)
            case rules.DrawCard():
                return self._draw(effect, after, at)
            case rules.RollFor():
                return self._roll(effect, after, at)
            case rules.Check():
                return self._check(effect, after, at)
            case rules.OneOf() | rules.Maybe():
                return self._by_die(effect, after, at)
            case rules.Say():
                block = self.block(effect.do_, after, at)
                return Plan(block.before, lambda: partial(self.play, block)) if block.alive else None
            case rules.Die():
                names = frozenset(key for key in after if key[0] == "name")
                lasting = frozenset(key for key in self.after if key[0] != "name")
                return Plan(lasting | names, lambda: self.die)
            case rules.Suffer():
                return self._suffer(effect, after, at)
            case rules.Pass():
                return self._pass(effect, after, at)
            case rules.Throw():
                return self._throw(effect, after, at)
            case rules.AsLong():
                return self._as_long(effect, after, at)
            case rules.Choose():
                return self._choose(effect, after, at)
            case rules.Read() | rules.Keep() | rules.TakeUp() | rules.PutAway():
                raise UncountedError
            case rules.Befall():
                return None
            case rules.Revive():
                return Plan(after, self._revived)
        return self._other(effect, after, at)

    # --- steps that decide -------------------------------------------------------------------------------------------

    def _when(self, step: rules.When, after: Keys, at: Setting) -> Plan | None:
        known = self.names.value(step.holds.tree, at)
        if known is not None:
            block = self.block(step.then if known[0] else step.otherwise, after, at)
            return Plan(block.before, lambda: partial(self.play, block)) if block.alive else None
        sides = self.block(step.otherwise, after, at), self.block(step.then, after, at)
        if not any(side.alive for side in sides):
            return None
        before = sides[0].before | sides[1].before | self.names.reads([step.holds], at)

        def make() -> Play:
            holds = self.ready(step.holds, at)
            plays = [self.entered(side, before) for side in sides]

            def when(spread: Spread) -> Spread:
                if holds.rolls:
                    parts = spread.parted(lambda state: _yes_or_no(holds.ways(state)))
                else:
                    parts = spread.sorted_by(lambda state: 1 if holds.value(state) else 0)
                return joined([plays[side](part) for side, part in sorted(parts.items())])

            return when

        return Plan(before, make)

    def _roll(self, step: rules.RollFor, after: Keys, at: Setting) -> Plan | None:
        spans = [rules.Span.parse(span) for span in step.results]
        blocks = [self.block(effects, after, at) for effects in step.results.values()]
        if not any(block.alive for block in blocks):
            return None
        before = after.union(*(block.before for block in blocks), self.names.reads([step.dice], at))

        def make() -> Play:
            dice = self.ready(step.dice, at)
            plays = [self.entered(block, before) for block in blocks]

            def part_of(state: State, result: Result) -> int:
                if not isinstance(result, int):
                    self.refuse(state, step, at)
                return next((place for place, span in enumerate(spans) if result in span), -1)  # type: ignore[operator]

            def roll(spread: Spread) -> Spread:
                parts = spread.parted(lambda state: _renamed(dice.ways(state), lambda shown: part_of(state, shown)))
                return joined([plays[place](part) if place >= 0 else part for place, part in parts.items()])

            return roll

        return Plan(before, make)

    def _by_die(self, effect: rules.OneOf | rules.Maybe, after: Keys, at: Setting) -> Plan | None:
        if isinstance(effect, rules.OneOf):
            blocks = [self.single(each, after, at) for each in effect.effects]
            faces: dict[int, int] = dict.fromkeys(range(len(blocks)), 1)
        else:
            # Each is applied by itself, as the pen does.
            blocks = [self.block((), after, at), self.block(effect.effects, after, at)]
            lucky = sum(ways for shown, ways in dice_cases(effect.die)[0] if shown <= effect.upto)
            faces = {0: dice_cases(effect.die)[1] - lucky, 1: lucky}
        if not any(block.alive for block in blocks):
            return None
        before = after.union(*(block.before for block in blocks))
        cases = tuple((place, ways) for place, ways in faces.items() if ways), sum(faces.values())

        def make() -> Play:
            plays = [self.entered(block, before) for block in blocks]
            return lambda spread: joined([plays[place](part) for place, part in spread.parted(lambda _: cases).items()])

        return Plan(before, make)

    def _check(self, check: rules.Check, after: Keys, at: Setting) -> Plan | None:
        bound = check.at_most or check.at_least or check.over
        key = id(check), "fails"
        if key not in self._singles:
            self._singles[key] = check, (*check.fail, *check.fails)
        sides = self.block(self._singles[key][1], after, at), self.block(check.passes, after, at)
        degrees = name_key("degrees")
        told = check.degrees is not None and any(degrees in side.before for side in sides)
        if bound is None or not (told or any(side.alive for side in sides)):
            return None
        formulas = [bound, check.degrees] if told else [bound]
        before = sides[0].before | sides[1].before | self.names.reads(formulas, at)
        if told:
            before = before - {degrees} | self.names.reads(formulas, at)

        def make() -> Play:
            target_of = self.ready(bound, at)
            plays = [self.entered(side, before | {degrees} if told else before) for side in sides]
            slot = self.layout.slot.get(degrees)
            cases, total = dice_cases(check.die)

            def results(state: State) -> Cases:
                targets, of = target_of.ways(state)
                ways: dict[tuple[int, int], int] = {}
                for target, count in targets:
                    if not isinstance(target, int):
                        self.refuse(state, check, at)
                    for rolled, faces in cases:
                        result = self._tested(check, state, at, rolled, target, told=told)
                        ways[result] = ways.get(result, 0) + count * faces
                return ways.items(), total * of

            def run(spread: Spread) -> Spread:
                ends = []
                for (passed, by), part in spread.parted(results).items():
                    if told and slot is not None:
                        part = part.changed(lambda state, by=by: put(state, slot, by))  # type: ignore[misc]
                    ends.append(plays[passed](part))
                return joined(ends)

            return run

        return Plan(before, make)

    def _tested(
        self, check: rules.Check, state: State, at: Setting, rolled: int, target: int, *, told: bool
    ) -> tuple[int, int]:
        """Return whether a check passes, and by how many degrees where that is asked."""
        meets = rolled <= target if check.at_most else rolled >= target if check.at_least else rolled > target
        always, never = (span is not None and rolled in span for span in (check.always, check.never))
        passed = always or (meets and not never)
        if not told or check.degrees is None:
            return int(passed), 0
        bench, _ = self.layout.bench(state, at)
        return int(passed), bench._degrees(check.degrees, rolled, target, abs(rolled - target) * (passed == meets))

    def _throw(self, step: rules.Throw, after: Keys, at: Setting) -> Plan | None:
        given = frozenset(map(name_key, rules.given_names(step)))
        if not given & after:
            return None
        reads = self.names.reads(formulas_of(step), at)
        return self._narrow(lambda bench, pen: bench.run((step,), pen), after, at, reads, given & after)

    def _as_long(self, step: rules.AsLong, after: Keys, at: Setting) -> Plan | None:
        asked, now = self.names.reads([step.holds, step.most], at), after
        while True:
            block = self.block(step.do_, now | asked, at)
            if not block.alive:
                return None
            if block.before | asked <= now:
                break
            now = now | block.before | asked

        def make() -> Play:
            holds = self.ready(step.holds, at)
            most = self.ready(step.most, at) if step.most is not None else None

            def run(spread: Spread) -> Spread:
                ends = []
                for times, part in spread.parted(most.ways if most is not None else _as_often).items():
                    if not isinstance(times, int) or not 0 <= times <= rules.MAX_AGAIN:
                        self.refuse(next(iter(part.ways)), step, at)
                    for _ in range(times):
                        sides = self.play(block, part).parted(lambda state: _yes_or_no(holds.ways(state)))
                        ends.append(sides.get(0, Spread({}, 1)))
                        part = sides.get(1, Spread({}, 1))
                        if not part.ways:
                            break
                    ends.append(part)
                return joined(ends)

            return run

        return Plan(now, make)

    def _choose(self, step: rules.Choose, after: Keys, at: Setting) -> Plan | None:
        blocks = {option: self.block(does, after, at) for option, does in step.options.items()}
        if not any(block.alive for block in blocks.values()):
            return None
        before = after.union(*(block.before for block in blocks.values()), self.names.reads(step.only.values(), at))

        def make() -> Play:
            only = {option: self.ready(formula, at) for option, formula in step.only.items()}
            plays = {option: self.entered(block, before) for option, block in blocks.items()}

            def options(state: State) -> Cases:
                there = [each for each in blocks if each not in only or only[each].value(state)]
                if len(there) > 1 and self.policy != "even":
                    self.refuse(state, step, at)
                return [(each, 1) for each in there] or [("", 1)], len(there) or 1

            return lambda spread: joined(
                [plays[option](part) if option else part for option, part in spread.parted(options).items()]
            )

        return Plan(before, make)

    # --- steps that change names and numbers -------------------------------------------------------------------------

    def _let(self, step: rules.Let, after: Keys, at: Setting) -> Plan | None:
        key = name_key(step.name)
        if key not in after:
            return None

        def make() -> Play:
            return self._put(self.layout.slot[key], self.ready(step.be, at), lambda _, value: value)

        return Plan(after - {key} | self.names.reads([step.be], at), make)

    def _put(self, slot: int, value: Reckoning, checked: Callable[[State, Result], Result]) -> Play:
        if not value.rolls:
            return lambda spread: spread.changed(lambda state: put(state, slot, checked(state, value.value(state))))

        return lambda spread: spread.branched(
            lambda state: _renamed(value.ways(state), lambda each: put(state, slot, checked(state, each)))
        )

    def _set(self, step: rules.SetTo, after: Keys, at: Setting) -> Plan | None:
        number = self._number(step.number, at)
        if number is None:
            return self._bench_plan(step, after, at, self.names.all, self.names.all)
        key = number_key(number)
        if key not in after:
            return None
        of = self.system.steps.words[number].of if number in self.system.steps.words else None
        own = self.system.steps.numbers.get(number)

        def make() -> Play:
            def checked(state: State, value: Result) -> Result:
                wrong = (
                    value not in of
                    if of
                    else isinstance(value, str) or (value is None and own and own.start is not None)
                )
                if wrong:
                    self.refuse(state, step, at)
                return value

            return self._put(self.layout.slot[key], self.ready(step.to, at), checked)

        return Plan(after - {key} | self.names.reads([step.to], at), make)

    def _number(self, name: str, at: Setting) -> str | None:
        """Return the number that is meant; None where only the moment says."""
        if name in self.names.numbers:
            return name
        known = dict(at.known).get(name)
        return str(known) if known in self.system.steps.numbers else None

    def _change(self, step: rules.Raise | rules.Lower, after: Keys, at: Setting) -> Plan | None:
        number = self._number(step.number, at)
        if number is None:
            return self._bench_plan(step, after, at, self.names.all, self.names.all)
        key, over = number_key(number), name_key("over")
        if key not in after and over not in after:
            return None
        own, up = self.system.steps.numbers[number], isinstance(step, rules.Raise)
        bounds = (step.most, own.most) if isinstance(step, rules.Raise) else (step.least, own.least)
        limits = [bound for bound in bounds if bound is not None]

        def make() -> Play:
            by, ready = self.ready(step.by, at), [self.ready(bound, at) for bound in limits]
            slot, rest = self.layout.slot[key], self.layout.slot.get(over) if over in after else None

            def changed(state: State, amount: Result) -> State:
                current = state[slot]
                if not isinstance(amount, int) or not isinstance(current, int):
                    self.refuse(state, step, at)
                    raise AssertionError
                wanted = new = current + amount if up else current - amount
                for bound in ready:
                    limit = bound.value(state)
                    if isinstance(limit, int):
                        new = min(new, limit) if up else max(new, limit)
                new = max(new, min(current, wanted)) if up else min(new, max(current, wanted))
                new = min(max(new, -MAX_VALUE), MAX_VALUE)
                state = put(state, slot, new)
                return state if rest is None else put(state, rest, abs(wanted - new))

            if not by.rolls:
                return lambda spread: spread.changed(lambda state: changed(state, by.value(state)))
            return lambda spread: spread.branched(
                lambda state: _renamed(by.ways(state), lambda amount: changed(state, amount))
            )

        return Plan(after - {over} | {key} | self.names.reads([step.by, *limits], at), make)

    # --- events ------------------------------------------------------------------------------------------------------

    def _event(self, happening: rules.Happening, after: Keys, at: Setting) -> Plan:
        """Return an event in the names that it takes: what is figured where nothing is told, its needs, its steps."""
        block = self.block(happening.do_, after, at)
        needs = [need.holds for need in happening.needs]
        free = {("has", name) for need in happening.needs for name in need.free_of}
        before = block.before | self.names.reads(needs, at) | free
        figured = []
        for name, argument in reversed(happening.takes.items()):
            if name in dict(at.known) or (argument.default is None and argument.when is None):
                continue
            if name_key(name) in before or argument.when is not None:
                figured.append((name, argument))
                before |= {name_key(name)} | self.names.reads([argument.default, argument.when], at)
        figured.reverse()
        self._told_keys |= before

        def make() -> Play:
            takes = [self._taken(name, argument, at) for name, argument in figured]
            checks = [self._needed(need, at) for need in happening.needs]
            play = self.entered(block, before)

            def run(spread: Spread) -> Spread:
                for take in takes:
                    spread = take(spread)
                for check in checks:
                    for state in spread.ways:
                        check(state)
                return play(spread)

            return run

        return Plan(before, make)

    def _needed(self, need: Any, at: Setting) -> Callable[[State], None]:
        """Return what raises RefusedError for a state in which an event cannot happen."""
        holds = self.ready(need.holds, at) if need.holds is not None else None

        def check(state: State) -> None:
            if need.free_of or (holds is not None and not holds.value(state)):
                self.layout.bench(state, at)[0].check_need(need)

        return check

    def _taken(self, name: str, argument: rules.Argument, at: Setting) -> Play:
        """Return what figures an argument that was not told."""
        slot = self.layout.slot[name_key(name)]
        when = self.ready(argument.when, at) if argument.when is not None else None
        default = self.ready(argument.default, at) if argument.default is not None else None

        def take(state: State) -> Cases:
            if when is not None and not when.value(state):
                if state[slot] is not None:
                    raise HackjackError(f"{name} is not asked for here: leave it out")
                return ((state, 1),), 1
            if state[slot] is not None or default is None:
                return ((state, 1),), 1
            cases, total = default.ways(state)
            return [(put(state, slot, chosen(value)), count) for value, count in cases], total

        def chosen(value: Result) -> Result:
            if argument.of and isinstance(value, int):
                return argument.of[min(max(value, 1), len(argument.of)) - 1]
            return value

        return lambda spread: spread.branched(take)

    def _call(self, step: rules.Call, after: Keys, at: Setting) -> Plan | None:
        happening = self.system.head.events[step.event]
        gives = happening.gives
        inner_after = frozenset(key for key in after if (key[0] != "name" or key[1] in gives) and key not in _PEN)
        known: tuple[tuple[str, Result], ...] = ()
        if step.event not in at.calls:
            lets = {each.name for each in CONTENT(self.system).effects if isinstance(each, rules.Let)}
            constants = {name: self.names.value(formula.tree, at) for name, formula in step.takes.items()}
            known = tuple(
                (name, value[0])
                for name, value in constants.items()
                if value is not None
                and name in happening.takes
                and name not in lets
                and (value[0] is not None or happening.takes[name].default is None)
                and happening.takes[name].when is None
            )
        inner = Setting(known, "", at.reading, at.part_of, at.calls | {step.event}, at.ticking)
        event = self._event(happening, inner_after, inner)
        alive = self.block(happening.do_, inner_after, inner).alive
        told = [key for key in inner_after if key[0] == "name"]
        if not (alive or happening.needs or told):
            return None
        arguments = {
            name: formula
            for name, formula in step.takes.items()
            if name_key(name) in event.before and name in happening.takes
        }
        own = frozenset(key for key in after if key[0] == "name" and key[1] not in gives)
        lasting = frozenset(key for key in event.before if key[0] != "name" and key not in _PEN)
        pen = frozenset(key for key in after if key in _PEN)
        before = lasting | own | pen | self.names.reads(arguments.values(), at)

        def make() -> Play:
            play, layout = event.make(), self.layout
            ready = {name: self.ready(formula, at) for name, formula in arguments.items()}
            slots = [layout.slot[name_key(name)] for name in gives if name_key(name) in after]
            nothing = dict.fromkeys(happening.takes)

            def enter(state: State) -> Cases:
                cases: list[tuple[dict[str, Result], int, int]] = [({}, 1, 1)]
                for name, value in ready.items():
                    there, total = value.ways(state)
                    cases = [
                        (said | {name: each}, count * ways, of * total)
                        for said, count, of in cases
                        for each, ways in there
                    ]
                if len(cases) == 1:
                    return ((layout.called(state, layout.fresh(nothing | cases[0][0], event.before)), 1),), 1
                return merged_cases(
                    (layout.called(state, layout.fresh(nothing | said, event.before)), count, of)
                    for said, count, of in cases
                )

            def call(spread: Spread) -> Spread:
                return play(spread.branched(enter)).changed(lambda state: layout.returned(state, slots))

            return call

        return Plan(before, make)

    # --- tables ------------------------------------------------------------------------------------------------------

    def _look_up(self, step: rules.LookUp, after: Keys, at: Setting) -> Plan | None:
        inner = at._replace(part_of=step.part_of or at.part_of)
        names = frozenset(map(name_key, ("row", "detail", "note")))
        aims: list[Any] = [None]
        if step.aimed:
            known = dict(at.known)
            kinds = self.system.aims.get(step.aimed, {})
            aims = [kinds.get(str(known[step.aimed]))] if step.aimed in known else [None, *kinds.values()]
        tables = {aim.table if aim else step.table for aim in aims} - {None}
        columns = [Formula(aim.column) if aim and aim.column else step.column for aim in aims]
        asked = self.names.reads([step.by, step.times, *columns], at)
        if step.aimed and step.aimed not in dict(at.known):
            asked |= {name_key(step.aimed)}
        pens = {"part", "place"} & after
        now, again = after, step.times is not None
        while True:
            cells = {
                (name, at_row, column): self.block(self._cell(table, cell), now, inner)
                for name in tables
                if (table := self.system.table(str(name)))
                for at_row, row in enumerate(table.rows)
                for column, cell in [("", row.effects), *row.cells.items()]
            }
            items: set[Key] = {key for key in after if key[0] == "met" and len(key) == 2 and key[1] in tables}
            items |= {key for key in self.tallied if key[0] == "met" and key[1] in tables}
            before = now.union(*(cell.before for cell in cells.values()), asked, items & self.tallied)
            alive = bool(items or names & after or pens or any(cell.alive for cell in cells.values()))
            if not alive:
                return None
            if any(key in before for key in ("part", "place")):
                before |= {"part"} | ({"place", name_key("side")} if "place" in before else set())
            before -= names - after if again else names
            if not again or before <= now:
                break
            now |= before

        def make() -> Play:
            return Lookup(self, step, at, inner, now, before, cells).play

        return Plan(before, make)

    def _cell(self, table: rules.Table, cell: Any) -> Effects:
        """Return what a cell does, after what every row of the table does."""
        own = cell if isinstance(cell, tuple) else ()
        key = id(table.every), id(own)
        if key not in self._cells:
            self._cells[key] = (*table.every, *own) if table.every else own
        return self._cells[key]

    # --- conditions --------------------------------------------------------------------------------------------------

    def _suffer(self, effect: rules.Suffer, after: Keys, at: Setting) -> Plan | None:
        condition, item = self.system.head.conditions[effect.condition], ("suffered", effect.condition)
        asked = self.names.reads([*formulas_of(effect), *(each.formula for each in condition.chances)], at)
        if effect.until.word == "again":
            implied = self.block(condition.implies, after, at._replace(of=effect.condition))
            plan = self._bench_plan(effect, after, at, implied.before | asked | {"all held", "spans"}, implied.before)
            news = self.marks(item, after) is not None
            return plan if news or implied.alive or self._tells(effect.condition, after) else None
        where: Keys = frozenset({"part"}) if effect.where else NONE
        if effect.after is not None:
            if "coming" not in after:
                return None
            own: Callable[[Bench, Pen], Any] = lambda _, pen: pen.begin(effect)  # noqa: E731
            return self._where(effect, self._narrow(own, after, at, asked, frozenset({"coming"})), after)
        inner = at._replace(of=effect.condition)
        now, blocks = after, list[Block]()
        for brought in reversed(condition.implies):
            # A condition that brings itself has no end: the engine says so.
            block = self.single(brought, now, inner)
            now = block.before | (after & {"lasts"})
            blocks.append(block)
        blocks.reverse()
        alive, lasts = (
            any(block.alive for block in blocks),
            any("lasts" in each.before for each in blocks) or "lasts" in after,
        )
        marks = self.marks(item, now)
        same = effect.until.word == "same"
        kept = effect.until.word != "now" and not (at.of and same)
        writes: set[Key] = set()
        if kept and at.part_of:
            writes |= frozenset({name_key("detail")}) & now
        elif kept and self._tells(effect.condition, now):
            writes.add("held")
        writes |= {"lasts"} if lasts and not same else set()
        if not (alive or writes or marks is not None):
            return None
        live = now if marks is None else marks
        own_after = now | {"lasts"} if lasts else now
        begin = None
        if writes:
            reads = asked | ({"lasts"} if same else NONE) | (NONE if condition.whole else {"part", "place"} & now)
            if effect.detail is not None and "held" in writes:
                reads |= {"all held", "details"}
            elif "held" in writes and may_merge(condition, effect.until):
                reads |= {("very", effect.condition)}
            begin = self._narrow(lambda _, pen: pen.begin(effect), own_after, at, frozenset(reads), frozenset(writes))
            live |= begin.before - ({"lasts"} if "lasts" in writes else NONE)

        def make() -> Play:
            start = begin.make() if begin is not None else None
            plays = [partial(self.play, block) for block in blocks if block.alive]
            hold = lasts and "lasts" in self.layout.slot

            def suffer(spread: Spread) -> Spread:
                if marks is not None:
                    spread = self.mark(spread, item, now)
                if start is not None:
                    spread = start(spread)
                if hold:
                    spread = spread.changed(self.layout.new_pen)
                for play in plays:
                    spread = play(spread)
                    spread = spread.changed(self.layout.lasting_again) if hold else spread
                return spread.changed(self.layout.pen_kept) if hold else spread

            return suffer

        plan = Plan(live | where, make)
        return self._where(effect, plan, after)

    def _where(self, effect: rules.Suffer | rules.Penalty, plan: Plan, after: Keys) -> Plan:
        """Return a step that happens only where a part of the body is hurt."""
        if effect.where is None:
            return plan
        before = plan.before | after | {"part"}

        def make() -> Play:
            slot, play = self.layout.slot["part"], plan.make()

            def run(spread: Spread) -> Spread:
                parts = spread.sorted_by(lambda state: state[slot] == effect.where)
                return joined([play(part) if there else part for there, part in parts.items()])

            return run

        return Plan(before, make)

    def _tells(self, condition: str, after: Keys) -> bool:
        key = condition, after
        if key not in self._told:
            self._told[key] = Sight(self.system, after).tells(condition)
        return self._told[key]

    # --- steps that a bench plays ------------------------------------------------------------------------------------

    def _narrow(
        self,
        own: Callable[[Bench, Pen], Any],
        after: Keys,
        at: Setting,
        reads: Keys,
        writes: Keys,
        *,
        whole: bool = False,
    ) -> Plan:
        """Return a step that the engine plays with every way of its luck, which asks and changes only some keys."""

        def make() -> Play:
            layout, timeless = self.layout, "spans" not in after
            # A save that is owed may be seen as the condition that it brings.
            both = frozenset({"held", "saves"}) if writes & {"held", "saves", "all held"} else NONE
            asked, changed = layout.slots(reads | writes | both), layout.slots(writes | both)
            memory: dict[State, Cases] = {}

            def cases_of(state: State) -> Cases:
                key = tuple([state[slot] for slot in asked])
                if key not in memory:

                    def played(chance: Chance) -> Any:
                        bench, pen = layout.bench(state, at, chance, timeless=timeless)
                        own(bench, pen)
                        now = layout.taken(bench, pen, state, changed, after)
                        return (
                            tuple([now[slot] for slot in changed]),
                            bench.dead,
                            self._news(bench, after) if whole else NONE,
                        )

                    ways = every_way(played, steps=lambda _: 2)
                    memory[key] = merged_cases((result, *share.as_integer_ratio()) for share, result in ways)
                return memory[key]

            def benched(state: State) -> Cases:
                cases, total = cases_of(state)
                afters = []
                for (values, *ends), count in cases:
                    now = list(state)
                    for slot, value in zip(changed, values, strict=True):
                        now[slot] = value
                    afters.append(((tuple(now), *ends), count))
                return afters, total

            def run(spread: Spread) -> Spread:
                ends = []
                for (dead, news), part in spread.branched(benched).sorted_by(lambda each: each[1:]).items():
                    part = part.changed(lambda each: each[0])
                    for item in sorted(news):
                        part = self.mark(part, item, after)
                    ends.append(self.die(part) if dead else part)
                return joined(ends)

            return run

        return Plan(after | reads, make)

    def _news(self, bench: Bench, after: Keys) -> frozenset[Key]:
        """Return what a bench has met of what anybody asks."""
        items: set[Key] = {("met", table) for table in bench.met}
        items |= {("met", table, row) for table, rows in bench.met.items() for row in rows}
        items |= {("suffered", name) for name in bench.suffered} | {("drawn", name) for name in bench.drawn}
        return frozenset(item for item in items if item in after or item in self.tallied)

    def _bench_plan(self, effect: rules.AnyEffect, after: Keys, at: Setting, reads: Keys, writes: Keys) -> Plan:
        """Return a step that the engine plays, with whatever it leads to."""
        marks = frozenset(key for key in (*after, *self.tallied) if key[0] in ("met", "suffered", "drawn"))
        return self._narrow(
            lambda bench, pen: bench.run((effect,), pen), after, at, reads | after | marks, writes | after, whole=True
        )

    def refuse(self, state: State, effect: rules.AnyEffect, at: Setting) -> None:
        """Let the engine say why a step cannot be played in a state."""
        for _ in every_way(lambda chance: _run(self.layout.bench(state, at, chance), effect)):
            pass

    def _other(self, effect: rules.AnyEffect, after: Keys, at: Setting) -> Plan | None:
        reads = self.names.reads(formulas_of(effect), at)
        held = frozenset({"all held"})
        match effect:
            case rules.Drop() | rules.Peek() | rules.Draw() | rules.Repeat() | rules.Spare() | rules.Again():
                return None
            case rules.Halve() | rules.Risk() | rules.Whenever() | rules.Reroll() | rules.Lose():
                if "lasts" not in after or effect.until.word == "same":  # type: ignore[union-attr]
                    return None
                return self._narrow(lambda _, pen: pen.apply(effect), after, at, NONE, frozenset({"lasts"}))
            case rules.Penalty():
                writes = after & {"lasts", "lost"}
                if not writes or effect.until.word == "same":
                    return None
                asks = frozenset({"part", number_key(effect.per or "")} & self.names.all)
                asks |= {("level", at.of)} if effect.per == "level" else NONE
                return self._narrow(lambda _, pen: pen.apply(effect), after, at, asks, writes)
            case rules.Cure():
                if "saves" not in after and not self._tells(effect.condition, after):
                    return None
                very = frozenset({("very", effect.condition)})
                return self._narrow(
                    lambda _, pen: pen.apply(effect), after, at, very, frozenset({"held"}) | (after & {"saves"})
                )
            case rules.Save():
                if "saves" not in after:
                    return None
                asks = after & {"part", "place"} | ({"lasts"} if effect.permanent else NONE)
                return self._narrow(lambda _, pen: pen.apply(effect), after, at, frozenset(asks), frozenset({"saves"}))
            case rules.Locate() | rules.Place():
                writes = after & {"part", "place", name_key("detail")}
                if not writes:
                    return None
                asks = reads | {"part", "place", name_key("side"), *writes} & self.names.all
                return self._narrow(
                    lambda bench, pen: bench.run((effect,), pen), after, at, frozenset(asks), writes | {"part"}
                )
            case rules.Shuffle():
                key = ("deck", effect.deck)
                return Plan(after - {key}, lambda: self._shuffled(effect.deck)) if key in after else None
            case rules.End() | rules.Shorten() | rules.Answer():
                return self._ending(effect, after, at, reads | held)
        lists = [inner for _, inner in rules.nested_effects(effect)]
        del lists
        return self._bench_plan(effect, after, at, self.names.all, self.names.all)

    def _ending(self, effect: Any, after: Keys, at: Setting, reads: Keys) -> Plan | None:
        """Return a step that ends conditions or answers a save, with what follows the end."""
        conditions = self.system.head.conditions
        lists = []
        for name, condition in conditions.items():
            if isinstance(effect, rules.End) and effect.condition not in (None, name):
                continue
            lists += [(name, does) for does in condition.ends.values()]
            if isinstance(effect, rules.Answer):
                lists += [
                    (name, inner)
                    for each in (*condition.implies, *(e for d in condition.ends.values() for e in d))
                    if isinstance(each, rules.Save)
                    for inner in (each.passes, each.fails)
                ]
        blocks = [self.block(does, after, at._replace(of=name, part_of="")) for name, does in lists]
        tells = any(self._tells(name, after) for name in conditions)
        if not (tells or after & {"coming", "saves"} or any(block.alive for block in blocks)):
            return None
        reads = reads.union(after, *(block.before for block in blocks))
        reads |= {"saves"} | ({"coming"} if isinstance(effect, rules.End) else NONE)
        reads |= frozenset({"spans"}) if isinstance(effect, rules.Shorten) else NONE
        return self._bench_plan(effect, after, at, reads, reads)

    def _shuffled(self, deck: str) -> Play:
        slot, fresh = self.layout.slot["deck", deck], OutOf(self.piles[deck].all)
        return lambda spread: spread.changed(lambda state: put(state, slot, fresh))

    # --- time --------------------------------------------------------------------------------------------------------

    def _pass(self, step: rules.Pass, after: Keys, at: Setting) -> Plan | None:
        tick = self.system.steps.clock.get(step.unit)
        asked = self.names.reads([step.times, tick.stops if tick else None], at)
        inner = at._replace(ticking=True, part_of="", of="")
        now = after | {"all held", "spans", "saves", "coming", *self.tallied}
        while True:
            blocks = {
                (key, name): self.block(does, now, inner._replace(of=name))
                for name, condition in self.system.head.conditions.items()
                for key, does in (
                    ("each", condition.each.get(step.unit, ())),
                    ("time", condition.ends.get("time", condition.ends.get("any", ()))),
                )
            }
            arrivals = [self.single(each, now, inner) for each in self._coming()]
            watching = self.block(self._watches, now, at)
            before = now.union(asked, watching.before, *(block.before for block in (*blocks.values(), *arrivals)))
            before |= {number_key(tick.counts)} if tick and tick.counts else NONE
            if before <= now:
                break
            now |= before
        return Plan(before, lambda: Passing(self, step, at, inner, before, blocks, watching).play)

    def _coming(self) -> list[rules.Suffer]:
        """Return what may come later, as it does when it is due."""
        if not hasattr(self, "_later"):
            effects = [each for each in CONTENT(self.system).effects if isinstance(each, rules.Suffer) and each.after]
            names = {each.condition: each.until for each in effects}
            self._later = [rules.Suffer(name, until) for name, until in names.items()]
        return self._later

    # --- cards -------------------------------------------------------------------------------------------------------

    def known_lines(self, spread: Spread, formulas: Iterable[Formula]) -> Spread:
        """Return the states once it is known what stands on some lines of the card at hand."""
        for line in self.names.lines(formulas):
            spread = spread.branched(lambda state, line=line: self._cut_by(state, line))  # type: ignore[misc]
        return spread

    def _cut_by(self, state: State, line: str) -> Cases:
        slot = self.layout.slot.get("card")
        hand: Hand | None = state[slot] if slot is not None else None
        if hand is None:
            return ((state, 1),), 1
        pile = self.piles[hand.deck]
        key = hand.deck, line
        if key not in self._lines:
            self._lines[key] = tuple(pile.sets([card_value(card, line, self.system) for card in pile.cards]).values())
        return self.cut_hand(state, hand, self._lines[key], lambda after, _, now: put(after, slot, now))

    def cut_hand(
        self, state: State, hand: Hand, parts: tuple[int, ...], placed: Callable[[State, int, Hand], Any]
    ) -> Cases:
        """Return what comes of it when a card turns out to lie in one of some sets."""
        slot = self.layout.slot.get(("deck", hand.deck))
        out = OutOf(0) if slot is None else state[slot]
        if slot is None or out is None:
            hand = hand._replace(loose=True)
        cases = []
        for (at, now, dealt), count in cut(out or OutOf(0), hand, parts):
            after = state if hand.loose else put(state, slot, dealt)
            cases.append((placed(after, at, now), count))
        return cases, sum(count for _, count in cases)

    def _draw(self, step: rules.DrawCard, after: Keys, at: Setting) -> Plan | None:
        if step.each or step.then or self.system.steps.piles:
            raise UncountedError
        pile, deck = self.piles[step.deck], self.system.piles[step.deck]
        inner = at._replace(reading=at.reading | {step.deck})
        told = self.names.value(step.face.tree, at) if step.face is not None else ("",)
        faces = [str(told[0])] if told is not None else list(deck.faces)
        rows = {name_key("row")} & after
        items = frozenset(key for key in (*self.tallied, *after) if key[0] == "drawn" and key[1] in pile.names)
        many = step.cards is not None
        own = frozenset() if pile.returns else frozenset({("deck", step.deck)})
        now = after
        while True:
            blocks = {
                (face, card.code): self.block(self._does(card, face), now, inner)
                for face in faces
                for card in deck.cards
            }
            alive = bool(items or rows or "card" in after or any(block.alive for block in blocks.values()))
            if not (alive or own & after):
                return None
            before = now.union(*(block.before for block in blocks.values()))
            before |= own | self.names.reads([step.cards, step.face, step.keep], at) | (items - after)
            if step.keep is not None:
                before |= {"card", "waiting"} | self.names.reads([step.best], at)
            if items & self.tallied:
                before |= {"waiting"}
            if not many:
                before -= rows
            if not many or before <= now:
                break
            now |= before
        return Plan(before, lambda: Drawing(self, step, at, inner, now, before, blocks, faces).play)

    def _does(self, card: rules.Card, face: str) -> Effects:
        """Return what a card does, equal cards the same tuple."""
        effects = card.does(face)
        return self._effects.setdefault(repr(effects), effects)


class Lookup:
    """A row of a table, made ready."""

    def __init__(
        self,
        course: Course,
        step: rules.LookUp,
        at: Setting,
        inner: Setting,
        after: Keys,
        before: Keys,
        cells: Mapping[Any, Block],
    ) -> None:
        self.course, self.step, self.at, self.after = course, step, at, after
        layout = self.layout = course.layout
        self.times = course.ready(step.times, at) if step.times is not None else None
        self.by = course.ready(step.by, at) if step.by is not None else None
        self.column = course.ready(step.column, at) if step.column is not None else None
        self.aims = course.system.aims.get(step.aimed or "", {})
        self.columns = {aim.column: course.ready(Formula(aim.column), at) for aim in self.aims.values() if aim.column}
        self.inner, self.cells, self.before = inner, cells, before
        self.names = [
            (slot, name)
            for name in ("row", "detail", "note")
            if name_key(name) in after and (slot := layout.slot.get(name_key(name))) is not None
        ]
        self.part, self.place = layout.slot.get("part"), layout.slot.get("place")
        self.plays: dict[Any, Play] = {}

    def play(self, spread: Spread) -> Spread:
        """Return a distribution after so many rows."""
        if self.times is None:
            return self._once(spread)
        ends = []
        for times, part in spread.parted(self.times.ways).items():
            if not isinstance(times, int) or not 0 <= times <= MAX_ROWS:
                self.course.refuse(next(iter(part.ways)), self.step, self.at)
            for _ in range(times):
                part = self._once(part)
            ends.append(part)
        return joined(ends)

    def _once(self, spread: Spread) -> Spread:
        ends = []
        for key, part in spread.parted(self._cases).items():
            if key is None:
                ends.append(part)
                continue
            if key not in self.plays:
                self.plays[key] = self._cell(*key)
            ends.append(self.plays[key](part))
        return joined(ends)

    def _cases(self, state: State) -> Cases:
        """Return which row and column are met."""
        course, step = self.course, self.step
        aim = None
        if step.aimed:
            known = dict(self.at.known)
            value = known[step.aimed] if step.aimed in known else state[self.layout.slot[name_key(step.aimed)]]
            aim = self.aims.get(str(value))
        table = course.system.table((aim.table if aim else step.table) or "")
        if table is None or (self.by is None and table.roll is None):
            course.refuse(state, step, self.at)
            raise AssertionError
        results, total = self.by.ways(state) if self.by is not None else dice_cases(table.roll)  # type: ignore[arg-type]
        rows: dict[int, int] = {}
        kept = 0
        for result, count in results:
            at = (
                next((at for at, row in enumerate(table.rows) if row.at is not None and result in row.at), None)
                if isinstance(result, int)
                else None
            )
            if at is None and isinstance(result, str) and result:
                named = table.named(result)
                at = table.rows.index(named) if named is not None else None
            if at is None:
                course.refuse(state, step, self.at)
                raise AssertionError
            if table.rows[at].at not in step.but or not step.but:
                rows[at] = rows.get(at, 0) + count
                kept += count
        if not kept:
            course.refuse(state, step, self.at)
        columns = self._columns(state, table, self.columns[aim.column] if aim and aim.column else self.column, rows)
        cases: list[tuple[Any, int, int]] = []
        for at, count in rows.items():
            there, of = columns if table.rows[at].written_cells or self.part is not None else ((("", 1),), 1)
            for column, ways in there:
                if table.rows[at].written_cells and column not in table.columns:
                    course.refuse(state, step, self.at)
                cases.append(((table.id, at, column), count * ways, kept * of))
        del total
        return merged_cases(cases)

    def _columns(self, state: State, table: rules.Table, column: Reckoning | None, rows: Mapping[int, int]) -> Cases:
        """Return the columns that may be met; what the row does in all of them asks for none."""
        if not table.columns:
            return (("", 1),), 1
        cases, total = column.ways(state) if column is not None else (((None, 1),), 1)
        there = []
        for name, count in cases:
            if name is not None:
                there.append((str(name), count, total))
                continue
            if not any(table.rows[at].written_cells for at in rows):
                there.append(("", count, total))
                continue
            if table.column_roll is None:
                self.course.refuse(state, self.step, self.at)
                raise AssertionError
            faces, of = dice_cases(table.column_roll)
            for face, ways in faces:
                met = next((name for name, entry in table.columns.items() if entry.at and face in entry.at), "")
                there.append((met, count * ways, total * of))
        return merged_cases(there)

    def _cell(self, name: str, at: int, column: str) -> Play:
        """Return what a cell does."""
        course, layout = self.course, self.layout
        table = course.system.table(name)
        assert table is not None
        row = table.rows[at]
        label = str(row.at) if row.at else row.name or ""
        block = self.cells.get((name, at, column if column in row.written_cells else ""))
        items: list[Key] = [
            item for item in (("met", name), ("met", name, label)) if item in self.after or item in course.tallied
        ]
        named = row.named_cell(column)
        values = {"row": (named.name if named else row.name) or label, "detail": "", "note": row.note or ""}
        hits = self._hit(row, column)
        enter = course.entered(block, self.before | self.after) if block is not None and block.alive else None

        def play(spread: Spread) -> Spread:
            for slot, key in self.names:
                spread = spread.changed(partial(put, slot=slot, value=values[key]))
            if hits is not None:
                spread = spread.branched(hits)
            for item in items:
                spread = course.mark(spread, item, self.after)
            if enter is not None:
                spread = enter(spread.changed(layout.new_pen) if layout.pen else spread)
                spread = spread.changed(layout.old_pen) if layout.pen else spread
            return spread

        return play

    def _hit(self, row: rules.Row, column: str) -> Callable[[State], Cases] | None:
        """Return what puts a part of the body into the pen."""
        if self.part is None or column not in self.course.system.head.parts:
            return None
        part, place = self.part, self.place

        def hits(state: State) -> Cases:
            if state[part] == column or (not row.written_cells and state[part]):
                return ((state, 1),), 1
            if place is None:
                return ((put(state, part, column), 1),), 1
            ways = every_way(lambda chance: self._side(state, column, chance, rolls=bool(row.written_cells)))
            cases = []
            for share, spoken in ways:
                now = list(state)
                now[part], now[place] = column, spoken
                cases.append((tuple(now), *share.as_integer_ratio()))
            return merged_cases(cases)

        return hits

    def _side(self, state: State, part: str, chance: Chance, *, rolls: bool) -> str:
        bench, _ = self.layout.bench(state, self.at, chance)
        return bench.side(part) if rolls else bench.spoken(part)


class Drawing:
    """Cards from a deck, made ready."""

    def __init__(
        self,
        course: Course,
        step: rules.DrawCard,
        at: Setting,
        inner: Setting,
        after: Keys,
        before: Keys,
        blocks: Mapping[Any, Block],
        faces: Sequence[str],
    ) -> None:
        self.course, self.step, self.at, self.after = course, step, at, after
        layout = self.layout = course.layout
        self.pile, self.deck = course.piles[step.deck], course.system.piles[step.deck]
        self.cards = course.ready(step.cards, at) if step.cards is not None else None
        self.face = course.ready(step.face, at) if step.face is not None else None
        self.keep = course.ready(step.keep, at) if step.keep is not None else None
        self.best = course.ready(step.best, at) if step.best is not None else None
        self.slot = None if self.pile.returns else layout.slot[("deck", step.deck)]
        self.hand, self.row = layout.slot.get("card"), layout.slot.get(name_key("row"))
        self.inner, self.blocks, self.before = inner, blocks, before
        self.waiting = layout.slot.get("waiting", 0)
        self.tallied = {key for key in course.tallied if key[0] == "drawn" and key[1] in self.pile.names}
        all_twice = self.pile.returns or course.apart
        twice = {name for name in self.pile.names if all_twice or self.pile.names.count(name) > 1}
        self.later = after.union(*(block.before for block in blocks.values()))
        self.flagged = {key for key in self.tallied if key in self.later and key[1] in twice}
        self.sides = {face: self._side(face) for face in faces}

    def _side(self, face: str) -> tuple[tuple[int, ...], list[Play | None]]:
        """Return the sets of cards that do the same as they are read for a face, and what each set does."""
        names = self.row is not None and name_key("row") in self.after
        groups: dict[Any, tuple[int, Block, str]] = {}
        for card_at, card in enumerate(self.pile.cards):
            block = self.blocks[face, card.code]
            read = card.faces.get(face)
            title = ((read.name if read else None) or card.name) if names else ""
            mine = tuple(repr(effect) for effect, *_ in block.parts)
            bits, kept, _ = groups.get((mine, title), (0, block, title))
            groups[mine, title] = bits | 1 << card_at, kept, title
        plays = [self._read(block, title) for _, block, title in groups.values()]
        return tuple(bits for bits, *_ in groups.values()), plays

    def _read(self, block: Block, title: str) -> Play | None:
        """Return what a card does that is read."""
        course, layout = self.course, self.layout
        names = self.row is not None and name_key("row") in self.after
        enter = course.entered(block, self.before | self.after) if block.alive else None
        if enter is None and not names:
            return None

        def read(spread: Spread) -> Spread:
            if names:
                row = self.row
                spread = spread.changed(lambda state: put(state, row, title))
            if enter is not None:
                spread = enter(spread.changed(layout.new_pen) if layout.pen else spread)
                spread = spread.changed(layout.old_pen) if layout.pen else spread
            return spread

        return read

    def play(self, spread: Spread) -> Spread:
        """Return a distribution after so many cards."""
        ends = []
        for (times, face, keep), part in spread.parted(self._asks).items():
            first = next(iter(part.ways))
            if not isinstance(times, int) or not 0 <= times <= MAX_DRAWN or face not in self.sides:
                self.course.refuse(first, self.step, self.at)
            if keep is not None:
                part = self._several(part, times, face, keep)
            else:
                for _ in range(times):
                    part = self._several(part, 1, face, 1) if self.flagged else self._one(part, face)
            ends.append(part)
        return joined(ends)

    def _asks(self, state: State) -> Cases:
        cases: list[tuple[Any, int, int]] = [((), 1, 1)]
        for value, usual in ((self.cards, 1), (self.face, ""), (self.keep, None)):
            there, total = value.ways(state) if value is not None else (((usual, 1),), 1)
            cases = [((*so_far, each), count * ways, of * total) for so_far, count, of in cases for each, ways in there]
        return merged_cases(cases)

    def _one(self, spread: Spread, face: str) -> Spread:
        """A card is drawn and read."""
        dealt = self._dealt(spread)
        ends = []
        parts, plays = self.sides[face]
        for empty, part in dealt.sorted_by(lambda state: self._is_empty(state)).items():
            if empty:
                ends.append(part)
                continue
            part = self._deal(part)
            ends += self._turned(part, parts, plays)
        return joined(ends)

    def _is_empty(self, state: State) -> bool:
        if self.slot is None:
            return False
        out: OutOf = state[self.slot]
        return out.dealt >= out.base.bit_count()

    def _dealt(self, spread: Spread) -> Spread:
        """Return the states with a deck from which a card can be dealt, unless it is being read."""
        if self.slot is None:
            return spread
        return spread.branched(self._shuffled)

    def _shuffled(self, state: State) -> Cases:
        if not self._is_empty(state):
            return ((state, 1),), 1
        assert self.slot is not None
        reading = self.step.deck in self.at.reading
        fresh, states = shuffled(state[self.slot], self.pile.all, reading=reading), [(state, 1)]
        if not fresh.base:
            return ((state, 1),), 1
        hand: Hand | None = state[self.hand] if self.hand is not None else None
        if self.tallied - self.flagged:
            raise ShuffledError
        if hand is not None and hand.deck == self.step.deck and not hand.loose:
            singles = tuple(self.pile.singles().values())
            cases, _ = self.course.cut_hand(
                state, hand, singles, lambda after, _, now: self._held(after, now._replace(loose=True))
            )
            states = list(cases)
        slot = self.slot
        cases = [(put(each, slot, fresh), count) for each, count in states]
        return cases, sum(count for _, count in cases)

    def _held(self, state: State, hand: Hand | None) -> State:
        return state if self.hand is None else (*state[: self.hand], hand, *state[self.hand + 1 :])

    def _deal(self, spread: Spread) -> Spread:
        """The next card of the deck comes to hand, and nobody has looked at it."""
        slot = self.slot
        if self.tallied - self.flagged:
            self._tally(spread, {str(key[1]) for key in self.tallied - self.flagged})
        if slot is None:
            return spread
        return spread.changed(lambda state: put(state, slot, state[slot]._replace(dealt=state[slot].dealt + 1)))

    def _tally(self, spread: Spread, names: set[str]) -> None:
        """Count which card the next may be, for cards that come only once."""
        tallies = self.course.tallies
        for state, count in spread.ways.items():
            shares = list(next_shares(state[self.slot] if self.slot is not None else OutOf(self.pile.all)))
            total = sum(bits.bit_count() * ways for bits, ways in shares)
            for at, name in enumerate(self.pile.names):
                ways = next((ways for bits, ways in shares if bits >> at & 1), 0) if name in names else 0
                if ways:
                    tally = tallies.setdefault(("drawn", name), {})
                    tally[spread.total * total] = tally.get(spread.total * total, 0) + count * ways

    def _turned(
        self, spread: Spread, parts: tuple[int, ...], plays: Sequence[Play | None], at: int | None = None
    ) -> list[Spread]:
        """A card is turned up, as far as anybody looks at it, and does what it says: the next, or one that waits."""
        if len(parts) == 1 and self.hand is None:
            return [plays[0](spread) if plays[0] is not None else spread]

        def cases_of(state: State) -> Cases:
            hand = self._fresh(state) if at is None else state[self.waiting][0][at][0]
            return self.course.cut_hand(state, hand, parts, lambda after, part, now: (self._held(after, now), part))

        met = spread.branched(cases_of).sorted_by(lambda each: each[1])
        turned = [(part.changed(lambda each: each[0]), plays[which]) for which, part in met.items()]
        return [play(part) if play is not None else part for part, play in turned]

    def _fresh(self, state: State) -> Hand:
        """Return the card that was dealt last, which nobody has looked at."""
        out = state[self.slot] if self.slot is not None else None
        return Hand(self.step.deck, self.pile.all if out is None else out.base, out is None)

    def _several(self, spread: Spread, times: int, face: str, keep: Any) -> Spread:
        """Cards are drawn that wait until it is known which of them count; these are read in the order drawn."""
        wait, course = self.waiting, self.course
        if not isinstance(keep, int) or keep < 0:
            course.refuse(next(iter(spread.ways)), self.step, self.at)

        def waiting(state: State, hands: Any) -> State:
            return put(state, wait, hands)

        def dealt(state: State) -> State:
            hands, outer = state[wait]
            return waiting(state, ((*hands, (self._fresh(state), None)), outer))

        spread = spread.changed(lambda state: waiting(state, ((), state[wait])))
        for _ in range(times):
            sides = self._dealt(spread).sorted_by(self._is_empty)
            some = self._deal(sides[False]).changed(dealt) if False in sides else Spread({}, 1)
            spread = joined([some, sides.get(True, Spread({}, 1))])
        for at in range(times):
            spread = self._told_apart(spread, at) if self.flagged else spread
            spread = self._marked(spread, at)
        ends = []
        for kept, part in spread.parted(lambda state: self._chosen(state, keep)).items():
            for at in kept:
                part = joined(self._turned(part, *self.sides[face], at))
            ends.append(part)
        return joined(ends).changed(lambda state: waiting(state, state[wait][1]))

    def _told_apart(self, spread: Spread, at: int) -> Spread:
        """It is known which card it is that waits, where it may have come before."""
        wait = self.waiting
        sets = self.pile.sets([name if ("drawn", name) in self.flagged else "" for name in self.pile.names])

        def cases_of(state: State) -> Cases:
            hands, outer = state[wait]
            if len(hands) <= at:
                return (((state, None), 1),), 1

            def placed(after: State, part: int, now: Hand) -> Any:
                return put(after, wait, ((*hands[:at], (now, None), *hands[at + 1 :]), outer)), part

            return self.course.cut_hand(state, hands[at][0], tuple(sets.values()), placed)

        ends = []
        for which, part in spread.branched(cases_of).sorted_by(lambda each: each[1]).items():
            part = part.changed(lambda each: each[0])
            name = None if which is None else list(sets)[which]
            ends.append(self.course.mark(part, ("drawn", name), self.later) if name else part)
        return joined(ends)

    def _marked(self, spread: Spread, at: int) -> Spread:
        """One of the cards that wait is looked at: how good it is."""
        best, wait = self.best, self.waiting
        if best is None or self.step.best is None:
            return spread
        there = spread.sorted_by(lambda state: len(state[wait][0]) > at)
        if True not in there:
            return spread
        hand = self.hand or 0
        held = there[True].changed(lambda state: self._held(state, state[wait][0][at][0]))
        held = self.course.known_lines(held, [self.step.best])

        def marked(state: State) -> State:
            hands, outer = state[wait]
            mark = best.value(state)
            if not isinstance(mark, int):
                self.course.refuse(state, self.step, self.at)
            hands = put(hands, at, (state[hand], mark))
            return put(state, wait, (hands, outer))

        return joined([held.changed(marked), there.get(False, Spread({}, 1))])

    def _chosen(self, state: State, keep: int) -> Cases:
        """Return the places of the cards that count."""
        hands = state[self.waiting][0]
        places = range(len(hands))
        if keep >= len(hands) or not keep:
            return ((tuple(places) if keep else (), 1),), 1
        if self.best is not None:
            return ((tuple(sorted(sorted(places, key=lambda at: -hands[at][1])[:keep])), 1),), 1
        if self.course.policy == "even":
            sets = list(combinations(places, keep))
            return [(each, 1) for each in sets], len(sets)
        raise HackjackError("somebody chooses among cards here: say how with --policy best, worst or even")


class UncountedError(Exception):
    """A step that is not counted so yet."""


class ShuffledError(Exception):
    """A deck was shuffled, so cards may come twice: they have to be told apart."""


class Passing:
    """Time, made ready: one unit after the other."""

    def __init__(
        self,
        course: Course,
        step: rules.Pass,
        at: Setting,
        inner: Setting,
        live: Keys,
        blocks: Mapping[Any, Block],
        watching: Block,
    ) -> None:
        self.course, self.step, self.at, self.live = course, step, at, live
        self.layout, self.inner, self.watching = course.layout, inner, watching
        self.tick = course.system.steps.clock.get(step.unit)
        self.times = course.ready(step.times, at) if step.times is not None else None
        self.stops = course.ready(self.tick.stops, at) if self.tick and self.tick.stops else None
        self.held, self.coming = self.layout.slot["held"], self.layout.slot["coming"]
        self.counted = self.layout.slot[number_key(self.tick.counts)] if self.tick and self.tick.counts else None
        self.blocks = blocks
        self.runs: dict[Any, bool] = {}
        own: Callable[[Bench, Pen], Any] = lambda bench, _: bench._tick(step.unit)  # noqa: E731
        marks = frozenset(key for key in course.tallied if key[0] in ("met", "suffered", "drawn"))
        self.whole = course._narrow(own, live, inner, live | marks, live, whole=True).make()

    def play(self, spread: Spread) -> Spread:
        """Return a distribution after so much time."""
        if self.at.ticking:
            self.course.refuse(next(iter(spread.ways)), self.step, self.at)
        ends = []
        parts = {1: spread} if self.times is None else spread.parted(self.times.ways)
        for times, part in parts.items():
            if not isinstance(times, int):
                self.course.refuse(next(iter(part.ways)), self.step, self.at)
            for _ in range(times):
                sides = part.sorted_by(self._goes_on)
                if False in sides:
                    ends.append(sides[False])
                if True not in sides:
                    break
                part = self._watched(self._ticked(sides[True]))
                if self.stops is not None:
                    stopped = part.sorted_by(lambda state: bool(self.stops.value(state)))  # type: ignore[union-attr]
                    ends.append(stopped.get(True, Spread({}, 1)))
                    part = stopped.get(False, Spread({}, 1))
            else:
                ends.append(part)
        return joined(ends)

    def _watched(self, spread: Spread) -> Spread:
        return self.course.play(self.watching, spread) if self.watching.alive else spread

    def _goes_on(self, state: State) -> bool:
        if self.counted is not None:
            return True
        key = state[self.held], state[self.coming]
        if key not in self.runs:
            self.runs[key] = self.layout.bench(state, self.at)[0]._runs(self.step.unit)
        return self.runs[key]

    def _ticked(self, spread: Spread) -> Spread:
        return self.whole(spread)


def _as_often(_: State) -> Cases:
    return ((rules.MAX_AGAIN, 1),), 1


def _run(there: tuple[Bench, Pen], effect: rules.AnyEffect) -> None:
    bench, pen = there
    bench.run((effect,), pen)


def _yes_or_no(cases: Cases) -> Cases:
    return _renamed(cases, lambda value: 1 if value else 0)


def _renamed(cases: Cases, name: Callable[[Any], Any]) -> Cases:
    there, total = cases
    return [(name(value), count) for value, count in there], total
