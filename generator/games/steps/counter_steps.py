"""The steps of an event for one question: backwards what has to be known, forwards what becomes of a distribution."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from fractions import Fraction
from functools import cached_property, partial, reduce
from math import lcm
from operator import or_
from sys import intern
from typing import Any

from generator.base.dice import Dice
from generator.base.errors import HackjackError
from generator.games.steps.checks import CONTENT
from generator.games.steps.conditions import usual_repeat
from generator.games.steps.counter_cards import CandidateCard, OutOf, Pile, Sets, cut, found, without_gone
from generator.games.steps.counter_drawing import CountedDraw, Reading, ShuffledError, TakingUp, Waiting, piled
from generator.games.steps.counter_formulas import (
    GOES_ON,
    HURT,
    ITS_CODE,
    ITS_WAITING,
    NONE,
    PEN,
    PLACED,
    WAITING,
    EventNames,
    Key,
    Keys,
    Setting,
    formulas_of,
    name_key,
    number_key,
)
from generator.games.steps.counter_layout import CountedBlock, HeldSight, Layout, Plan, Play, of_held, ready
from generator.games.steps.counter_ways import (
    AnyState,
    Cases,
    Sample,
    SampledSpread,
    Slots,
    Spread,
    State,
    StateChange,
    StepSeries,
    changed_by,
    joined,
    merged_cases,
    put,
    with_value,
)
from generator.games.steps.engine import MAX_DEPTH, EventRun
from generator.games.steps.kinds.dice import pools_of, rolled_results
from generator.games.steps.kinds.saves import passes
from generator.games.steps.kinds.tables import MAX_ROWS, meet_row
from generator.games.steps.kinds.time import is_felt, pass_unit
from generator.games.steps.luck_asked import ranked, weighs
from generator.games.steps.shape import living_alone
from generator.games.steps.state import HeldCondition, RefusedError, fresh_values
from generator.model import rules
from generator.model.formulas import MAX_VALUE, NAMING, OF_HELD, Formula, Result, formula_number
from generator.play.apply_effects import EffectApplier
from generator.play.chance import Chance, ChoiceNeed, Policy, Seeded
from generator.play.every_way import ADDED, TOO_MUCH, TooMuchWorkError, every_way, spend_work, work_budget, work_left
from generator.play.throwing import pool_ways

Own = Callable[[EventRun, EffectApplier], Any]
"""What the engine does of a step; what it returns tells apart what follows."""
Effects = tuple[rules.AnyEffect, ...]
_NEWS = ("met", "suffered", "drawn")
SURE = 200
"""So much work, and one for each play, is spent on all ways of a step where plays are sampled; else it is played."""


class Course:
    """An event made ready for a question: `after` is asked once it is over, `tallied` is counted as it comes about."""

    def __init__(
        self,
        system: rules.System,
        event: str,
        after: Keys,
        tallied: frozenset[Key] = frozenset(),
        told: Sequence[Formula] = (),
        *,
        again: bool = False,
        apart: bool = False,
        policy: Policy = "",
        unknown: Sequence[str] = (),
    ) -> None:
        self.system, self.event, self.tallied, self.policy = system, event, tallied, policy
        # A card that goes back may be drawn twice.
        self.apart = apart or any(isinstance(each, rules.Shuffle) for each in CONTENT(system).effects)
        self.names = EventNames(system, event, unknown)
        self.at = Setting(calls=frozenset({event}) & self.names.recursive, better=system.head.events[event].better)
        self.piles = {deck: Pile(deck, system) for deck in system.piles}
        self.after = self._of_dead = after | self.names.reads(told, self.at)
        self._formulas, self._happening = told, system.head.events[event]
        self._written: dict[Any, tuple[Effects, tuple[str, ...]]] = {}
        self._blocks: dict[Any, CountedBlock] = {}
        self._alike: dict[Any, list[CountedBlock]] = {}
        self._inside: list[CountedBlock] = []
        self._stale: dict[CountedBlock, None] = {}
        self.readings: dict[str, dict[Any, Reading]] = {}
        self._nothing, self._sights = Layout(system, event, NONE, {}, self.line_of), dict[Keys, HeldSight]()
        self._sets: dict[tuple[str, ...], dict[str, Sets]] = {}
        self._asked: set[Key] = {"dead"}
        self.work = 0
        """How much work it took to look through the steps."""
        self._watches: Effects = tuple(rules.When(holds=each.holds, then=each.do_) for each in system.head.watches)
        self._plan()
        while again and not (kept := self._kept()) <= self.after:
            # The next such event asks what this one leaves.
            self.after |= kept
            self._plan()
        self._drop_needless()
        blocks = self._blocks.values()
        keys = frozenset(self._asked).union(self.after, *(block.before for block in blocks))
        keys |= keys.union(*(part[1] | part[2] for block in blocks for part in block.parts))
        self.layout = Layout(system, event, keys, self.piles, self.line_of, policy)
        self._play = self._body.make()
        self.told = [ready(formula, self.names, self.at, self.layout) for formula in told]

    def _plan(self) -> None:
        """Look through the steps backwards until nothing more is asked of any of them."""
        while True:
            for block in self._blocks.values():
                block.users.pop(None, None)
            self.watching = self.block(self._watches, self.after, self.at)
            self._body = self._event(self._happening, self.watching.before, self.at)
            if not self._settle(0):
                return

    def _drop_needless(self) -> None:
        """Drop what was looked through for what turned out to be too little, and nothing leads to."""
        needed, waiting = set[CountedBlock](), [block for block in self._blocks.values() if None in block.users]
        while waiting:
            if (block := waiting.pop()) not in needed:
                needed.add(block)
                waiting += block.uses
        self._blocks = {key: block for key, block in self._blocks.items() if block in needed}
        self.readings = {
            line: {key: reading for key, reading in readings.items() if reading.needs <= needed}
            for line, readings in self.readings.items()
        }
        self._alike.clear()
        for block in needed:
            block.uses, block.users = {}, {}

    def _settle(self, place: int) -> bool:
        """Look through stale blocks, from a place on, until there is none; return whether there was any."""
        there = False
        while stale := [block for block in self._stale if block.place >= place and block.users]:
            # What lies deepest first, for whatever leads to it is looked through for what it asks in the end.
            self._look_through(max(stale, key=lambda block: block.place))
            there = True
        return there

    def _kept(self) -> Keys:
        """Return what an event asks of what the one before it leaves."""
        numbers, piles = self.system.steps.numbers, self.system.steps.piles
        fresh = {*map(number_key, (name for name, own in numbers.items() if own.temporary)), *PEN, "card", "waiting"}
        fresh |= {("pile", name) for name, own in piles.items() if own.temporary}
        gone = ("name", "line", *_NEWS)
        return frozenset(key for key in self._body.before if key[0] not in gone and key not in fresh)

    @property
    def effects(self) -> list[rules.AnyEffect]:
        """All that the event may lead to."""
        return [*{id(effect): effect for effects, _ in self._written.values() for effect in effects}.values()]

    @property
    def asks(self) -> Keys:
        """What has to be known before the event."""
        return self._body.before

    @cached_property
    def alike(self) -> dict[str, str]:
        """Return for each card by name the first of its deck that nothing asked can tell from it."""
        parts = [part[0] for block in self._blocks.values() for part in block.parts]
        lines = self.names.lines([*self._formulas, *(formula for part in parts for formula in formulas_of(part))])
        alike: dict[str, str] = {}
        for deck, pile in self.piles.items():
            first: dict[str, str] = {}
            for place, name in enumerate(pile.names):
                tells = [self.line_of(deck, place, line) for line in (*lines, *self.readings)]
                alike[name] = first.setdefault(repr(tells), name)
        return alike

    # --- running -----------------------------------------------------------------------------------------------------

    def start(self, states: Sequence[Any], said: Mapping[str, Result], sample: Sample | None = None) -> Spread:
        """Return the states before the event, with what was told of it: each in one way, or in so many plays."""
        self.later, self.sampled = False, sample is not None
        for kind in (OutOf, CandidateCard, Waiting):
            kind.forget()
        takes, before, layout = dict.fromkeys(self._happening.takes) | dict(said), self._body.before, self.layout
        tidy = layout.tidied(before)
        firsts = [changed_by(layout.first(each, takes, before, place), tidy) for place, each in enumerate(states)]
        if sample is not None:
            return SampledSpread(dict.fromkeys(firsts, sample.plays), sample.plays, Seeded(sample.seed))
        return Spread(dict.fromkeys(firsts, 1))

    def again(self, spread: Spread, said: Mapping[str, Result], course: "Course") -> Spread:
        """Return the states after an event, which a course has counted, as the next such event finds them here."""
        takes, before, layout = dict.fromkeys(self._happening.takes) | dict(said), self._body.before, self.layout
        self.later, self.sampled = True, course.sampled
        if self.sampled and self.apart:
            spread = course.settled(spread).changed(course._all_before)
        if course is not self:
            slots = [course.layout.slot.get(key) for key in layout.slot]

            def moved(there: Slots) -> None:
                there[:] = [None if slot is None else there[slot] for slot in slots]

            spread = spread.changed(course.layout.forgetting(course.after, before)).changed(moved)
        spread = spread.changed(layout.forgetting(course.after, before)).changed(layout.tidied(before))
        return spread.changed(lambda slots: layout.anew(slots, takes, before))

    def _all_before(self, slots: Slots) -> None:
        """Let no deck know of a card that it was drawn in this event."""
        for key, slot in self.layout.slot.items():
            if key[0] == "deck":
                out = slots[slot]
                slots[slot] = OutOf(out.base, out.dealt, out.cuts)

    def run(self, spread: Spread) -> Spread:
        """Return what is left alive of a distribution after the event; deaths and tallies are kept beside."""
        self.dead: dict[int, dict[State, int]] = {}
        self.tallies: dict[Any, dict[int, int]] = {}
        self._deep, self.refused = 0, Spread({})
        try:
            spread = self.watched(self._play(spread))
        except RecursionError:
            # Cards that draw cards lead deep in few ways of many: plays may still end.
            raise TooMuchWorkError(TOO_MUCH) from None
        return self.known_lines(joined([spread, self.refused]), self._formulas)

    def watched(self, spread: Spread) -> Spread:
        """Return the states after whatever watches what has happened to the living."""
        dead = self.layout.slot["dead"]
        there, others = spread.halves(lambda state: state[dead])
        return joined([there, self.play(self.watching, others)])

    def play(self, block: CountedBlock, spread: Spread) -> Spread:
        """Return what steps in a row make of a distribution."""
        self._deep += 1
        if self._deep > MAX_DEPTH:
            raise HackjackError(
                f"{self.event} leads deeper than {MAX_DEPTH} steps, tables and so on: it is too long, or has no end"
            )
        spread = self._made(block)(spread)
        self._deep -= 1
        return spread

    def _made(self, block: CountedBlock) -> StepSeries:
        """Return what steps in a row do, made ready."""
        if block.play is None:
            block.making = True
            block.play = StepSeries(play for part in reversed(block.parts) for play in self._forgetful(*part))
            block.making = False
        return block.play

    def _forgetful(self, effect: rules.AnyEffect, before: Keys, after: Keys, make: Callable[[], Play]) -> list[Play]:
        """Return a step that first looks at what it asks of the card, and forgets what nobody asks any more."""
        formulas = [each for each in formulas_of(effect) if each is not getattr(effect, "best", None)]
        asks: list[Play] = [partial(self.known_lines, formulas=formulas)] if self.names.lines(formulas) else []
        return [*asks, make(), StateChange(self.layout.forgetting(before, after))]

    def entered(self, block: CountedBlock, before: Keys) -> Play:
        """Return what plays steps for states in which those keys are known: what the steps do not ask goes first."""
        forget = self.layout.forgetting(before, block.before)
        return lambda spread: self.play(block, spread.changed(forget))

    def entered_at_once(self, block: CountedBlock, before: Keys) -> Play:
        """Return the same made ready now: what only changes each state by itself is a change."""
        if not block.making:
            series = StepSeries([StateChange(self.layout.forgetting(before, block.before)), self._made(block)])
            return series.as_change or series
        return self.entered(block, before)

    def known_lines(self, spread: Spread, formulas: Iterable[Formula]) -> Spread:
        """Return the states once it is known what formulas ask of the card at hand."""
        card, lines = self.layout.slot.get("card"), tuple(self.names.lines(formulas))
        if not lines or card is None:
            return spread
        if lines not in self._sets:
            told = {
                deck: [tuple(self.names.of_card(each, line) for line in lines) for each in pile.cards]
                for deck, pile in self.piles.items()
            }
            self._sets[lines] = {deck: Sets(pile.sets(told[deck]).values()) for deck, pile in self.piles.items()}
        cards, sets = self.layout.slot["cards"], self._sets[lines]

        def is_open(state: State) -> bool:
            index = state[card]
            return index is not None and sets[(hand := state[cards][index]).deck].parts(hand.may_be)

        def cut_at_hand(state: State) -> Cases:
            index = state[card]
            return self.cut(state, index, sets[state[cards][index].deck].all)

        if not any(map(is_open, spread.ways)):
            return spread
        open_ones, known = spread.halves(is_open)
        known_ones = open_ones.branched(cut_at_hand, lambda state, case: self.with_card(state, state[card], case))
        return joined([known_ones, known])

    @cached_property
    def holding(self) -> Keys:
        """What somebody may hold when a deck is shuffled."""
        held = self.names.piles(name for name, own in self.system.steps.piles.items() if own.held)
        return held | {"all held", "held cards"} if self.system.steps.by_card else held

    def shuffled(self, spread: Spread, deck: str, spent: int) -> Spread:
        """Return the states with a deck that is shuffled, without what is `spent` and what somebody holds."""
        pile, slots = self.piles[deck], self.layout.slot
        piles = [
            slots["pile", name] for name, own in self.system.steps.piles.items() if own.held and ("pile", name) in slots
        ]

        def anew(state: Slots) -> None:
            held = pile.bits({each.card for each in state[slots["held"]]}) if self.system.steps.by_card else 0
            if "cards" in slots:
                cards = state[slots["cards"]]
                hands = (cards[index] for slot in piles for index, _ in state[slot])
                held |= reduce(or_, (hand.may_be for hand in hands if hand.deck == deck), 0)
                loose = (hand.set_loose() if hand.deck == deck else hand for hand in cards)
                state[slots["cards"]] = tuple(loose)
            state[slots["deck", deck]] = OutOf(pile.all & ~spent & ~held, 0, (), spent)

        return self.known_cards(spread, deck).changed(anew)

    def settled(self, spread: Spread) -> Spread:
        """Return the states once it is known of every card which is out of its deck, and which is in play."""
        for deck, pile in self.piles.items():
            if (slot := self.layout.slot.get(("deck", deck))) is None:
                continue

            def open_set(state: State, slot: int = slot) -> int:
                out = state[slot]
                wide = next((bits for bits in out.cuts if bits.bit_count() > 1), 0)
                return wide or (out.base if out.dealt > len(out.cuts) and out.base.bit_count() > 1 else 0)

            def cut_open(state: State, bits: int, deck: str = deck, singles: tuple[int, ...] = pile.singles) -> Cases:
                cases, total = self.cut_dealt(state, CandidateCard(deck, bits), singles)
                return [(after, count) for (after, _), count in cases], total

            def close(slots: Slots, slot: int = slot, deck: str = deck) -> None:
                out, cards = slots[slot], self.layout.slot.get("cards")
                known = reduce(or_, out.cuts, out.base if out.dealt > len(out.cuts) else 0)
                there = () if cards is None else slots[cards]
                loose = (hand.set_loose() if hand.deck == deck else hand for hand in there)
                put(slots, cards, tuple(loose))
                slots[slot] = OutOf(out.base & ~known, 0, (), out.spent | known)

            spread = self.known_cards(spread, deck)
            while (parts := spread.parts(open_set)).keys() - {0}:
                spread = joined(
                    part.branched(partial(cut_open, bits=bits)) if bits else part for bits, part in parts.items()
                )
            spread = spread.changed(close)
        return spread

    def known_cards(self, spread: Spread, deck: str = "") -> Spread:
        """Return the states once it is known which the cards in play are: those out of one deck, or all of them."""
        cards = self.layout.slot.get("cards", -1)

        def open_card(state: State) -> tuple[int, str] | None:
            there = enumerate(state[cards] if cards >= 0 else ())
            of_deck = ((at, hand) for at, hand in there if not deck or (hand.deck == deck and not hand.loose))
            return next(((at, hand.deck) for at, hand in of_deck if hand.may_be.bit_count() > 1), None)

        while True:
            parts = spread.parts(open_card)
            if not parts.keys() - {None}:
                return spread
            sides = (
                part.branched(
                    partial(self.cut, index=card[0], parts=self.piles[card[1]].singles),
                    lambda state, case, index=card[0]: self.with_card(state, index, case),  # type: ignore[misc]
                )
                if card
                else part
                for card, part in parts.items()
            )
            spread = joined(sides)

    # --- what comes about --------------------------------------------------------------------------------------------

    def mark(self, spread: Spread, item: Key, after: Keys) -> Spread:
        """Return the states once something has come about; it is tallied where it is the first time."""
        slot = self.layout.slot.get(item)
        if item in self.tallied:
            news = sum(count for state, count in spread.ways.items() if slot is None or not state[slot])
            self.tally(item, news, spread.total)
        return spread.changed(partial(put, slot=slot, value=True)) if slot is not None and item in after else spread

    def tally(self, item: Any, ways: int, total: int) -> None:
        """Count in how many ways something has come about, or one card of some was dealt: a deck and which cards."""
        tally = self.tallies.setdefault(item, {})
        tally[total] = tally.get(total, 0) + ways

    def tallied_shares(self) -> dict[Key, Fraction]:
        """Return how likely it is that each thing tallied comes about."""
        shares: dict[Key, Fraction] = {}
        for item, tally in self.tallies.items():
            total = lcm(*tally)
            share = Fraction(sum(ways * (total // of) for of, ways in tally.items()), total)
            if item[0] == "dealt":
                shares |= {
                    ("drawn", name): shares.get(("drawn", name), 0) + share
                    for name in self.piles[item[1]].named(item[2])
                }
            else:
                shares[item] = share
        return shares

    def die(self, spread: Spread, at: Setting) -> Spread:
        """Nothing more happens to the dead."""
        asked = self._of_dead if at.tried is None else at.tried
        spread = self.known_lines(spread, self._formulas) if at.tried is None else spread
        ended = self.dead.setdefault(spread.total, {})
        for state, count in spread.ways.items():
            after = self._dead_as(state, asked)
            ended[after] = ended.get(after, 0) + count
        return Spread({}, spread.total)

    def _dead_as(self, state: State, asked: Keys) -> State:
        """Return what is asked of somebody dead."""
        layout, fresh = self.layout, fresh_values(self.system)
        slots, (over, living) = layout.root(state), living_alone(self.system)
        for key, at in layout.slot.items():
            if key not in asked and key != "held":
                slots[at] = None
            elif key in ("coming", "saves"):
                slots[at] = ()
            elif key[0] == "number" and key[1] in living:
                slots[at] = fresh[str(key[1])]
        slots[layout.slot["dead"]] = True
        if "held" in layout.slot and not any(map(of_held, asked)):
            slots[layout.slot["held"]] = ()
        elif "held" in layout.slot:
            bench, _ = layout.bench(state, self.at)
            if over:
                bench.clear_dead()
            layout.see(slots, asked, bench.conditions.held, ())
        return tuple(slots)

    # --- steps in a row ----------------------------------------------------------------------------------------------

    def block(self, effects: Effects, after: Keys, at: Setting) -> CountedBlock:
        """Return steps in a row for what is asked after them."""
        if not effects:
            return CountedBlock((), after, at)
        # What is asked is told apart again at each of the steps.
        self._look(after)
        key = self.written(effects), after, at
        block = self._blocks.get(key)
        if block is None:
            block = self._blocks[key] = CountedBlock(effects, after, at, len(self._blocks))
            alike = self._alike.setdefault((key[0], at), [])
            # Where less is asked after the same steps, no more is asked before them.
            block.before |= next((other.before for other in reversed(alike) if other.after <= after), NONE)
            alike.append(block)
            self.using(block)
            self._look_through(block)
            # Before anything is built on what it asks, that is sure, as far as it does not hang on what led here.
            self._settle(block.place)
        return self.using(block)

    def _look(self, asked: Keys) -> None:
        """Pay for a look at a step for what is asked."""
        self._pay(1 + len(asked) // 20)

    def look_at_cards(self, deck: str) -> None:
        """Pay for a look at what each card of a deck does."""
        self._pay(len(self.piles[deck].names) // 10)

    def _pay(self, work: int) -> None:
        self.work += work
        spend_work(work)

    def using(self, block: CountedBlock) -> CountedBlock:
        """Return a block that the steps being looked through lead to: they are looked through again if it changes."""
        user = self._inside[-1] if self._inside else None
        block.users[user] = None
        if user is not None:
            user.uses[block] = None
        return block

    def _look_through(self, block: CountedBlock) -> None:
        """Look through steps backwards; what has looked at them before is looked through again where they ask more."""
        self._stale.pop(block, None)
        for used in block.uses:
            used.users.pop(block, None)
        block.uses.clear()
        self._inside.append(block)
        now, parts, does = block.after, [], []
        for effect in reversed(block.effects):
            self._look(now)
            plan = self.plan(effect, now, block.at)
            if plan is not None:
                does.append(plan.does or self.written((effect,))[0])
                parts.append((effect, plan.before, now, plan.make))
                now = plan.before | {GOES_ON}
        self._inside.pop()
        if now != block.before or len(parts) != len(block.parts):
            self._stale |= {user: None for user in block.users if user is not None}
        block.before, block.parts, block.does = now, parts, tuple(does)

    def written(self, effects: Effects) -> tuple[str, ...]:
        """Return effects as they are written: figured once, for the steps are looked through again and again."""
        same = tuple(map(id, effects))
        if same not in self._written:
            self._written[same] = effects, tuple(intern(repr(effect)) for effect in effects)
        return self._written[same][1]

    def looped(self, after: Keys, before: Callable[[Keys], Keys]) -> Keys:
        """Return what has to be known before and after each time of steps that are repeated."""
        after |= {GOES_ON}
        while not (more := before(after)) <= after:
            after |= more
        return after

    def plan(self, effect: rules.AnyEffect, after: Keys, at: Setting) -> Plan | None:
        """Return a step for what is asked after it; None where nothing can tell it."""
        match effect:
            case rules.When():
                return self._when(effect, after, at)
            case rules.Raise() | rules.Lower() | rules.SetTo() | rules.Let():
                return self._change(effect, after, at)
            case rules.Call():
                return self._call(effect, after, at)
            case rules.LookUp():
                return self._look_up(effect, after, at)
            case rules.Choose() if weighs(self.policy, at.better):
                return self._weighed(effect, after, at)
            case rules.RollFor() | rules.Check() | rules.OneOf() | rules.Choose():
                return self._deciding(effect, after, at)
            case rules.AsLong():
                return self._as_long(effect, after, at)
            case rules.Throw():
                return self._throw(effect, after, at)
            case rules.Say():
                block = self.block(effect.do_, after, at)
                return Plan(block.before, lambda: self.entered_at_once(block, block.before)) if block.alive else None
            case rules.Die():
                asked = self._of_dead if at.tried is None else at.tried
                if not (asked or GOES_ON in after):
                    return None
                names = frozenset(key for key in after if key[0] == "name")
                return Plan(names.union(key for key in asked if key[0] != "name"), lambda: partial(self.die, at=at))
            case rules.Suffer():
                return self._suffer(effect, after, at)
            case rules.Pass():
                return self._pass(effect, after, at)
            case rules.DrawCard():
                return CountedDraw.plan(self, effect, after, at)
            case rules.Read():
                return Reading.plan(self, effect, after, at)
            case rules.TakeUp():
                return TakingUp.plan(self, effect, after, at)
        return self._other(effect, after, at)

    # --- what the engine plays ---------------------------------------------------------------------------------------

    def engine(
        self, own: Own, at: Setting, reads: Keys, writes: Keys, after: Keys, *, news: bool = False, opens: bool = False
    ) -> Callable[[Spread], dict[Any, Spread]]:
        """Return what plays something with every way of its luck, once for all states that are alike for it: the states
        that come of it, apart by what it returns. Those who die of it are left out.

        Where it draws cards (`opens`), it is known before of each which it is.
        """
        layout, timeless, memory = self.layout, "spans" not in after, dict[State, Cases]()
        # A save that is owed may be seen as the condition that it brings.
        both = {"held", "saves"} if writes & {"held", "saves", "all held"} else NONE
        keys = {*reads, *writes, *both}
        if hand := None if opens or "card" not in keys else layout.hand_of:
            # Of all cards, only the one at hand is on the bench.
            keys -= {"card", "cards", *self.names.decks}
        asked, changed = layout.slots(keys), layout.slots({*writes, *both, "dead"})

        def ways_of(state: State, spread: Spread) -> Cases:
            def played(chance: Chance) -> Any:
                bench, pen = layout.bench(state, at, chance, timeless=timeless, opens=opens)
                out, drawn = Counter(bench.out), len(bench.drawn)
                label = own(bench, pen)
                if out - Counter(bench.out):
                    self.shuffles()
                items = self._news(bench, bench.drawn[drawn:], after) if news else NONE
                now = layout.taken(bench, pen, state, changed, after, opens=opens)
                return tuple([now[slot] for slot in changed]), (label, bench.stopped, items)

            key, many = (hand(state) if hand else None, *[state[slot] for slot in asked]), spread.ways[state]
            if key not in memory:
                luck = spread.luck if isinstance(spread, SampledSpread) else None
                left = work_left()
                # Where that is too much, enough is left to play it.
                most = SURE + many if left is None else min(SURE + many, left // 4)
                try:
                    with work_budget(most) if luck else nullcontext():
                        ways = [*every_way(played, steps=lambda _: 2)]
                except TooMuchWorkError:
                    if luck is None:
                        raise
                    spend_work(2 * many)
                    return merged_cases((played(luck), 1, many) for _ in range(many))
                memory[key] = merged_cases((done, *share.as_integer_ratio()) for share, done in ways)
            return memory[key]

        def made(state: State, case: Any) -> Any:
            (now, tag), slots = case, [*state]
            for slot, value in zip(changed, now, strict=True):
                slots[slot] = value
            return tuple(slots), tag

        def play(spread: Spread) -> dict[Any, Spread]:
            ends: dict[Any, list[Spread]] = {}
            spread = self.settled(spread) if opens else spread
            for (label, dead, items), part in spread.labelled(partial(ways_of, spread=spread), made).items():
                for item in sorted(items):
                    part = self.mark(part, item, after)
                ends.setdefault(label, []).append(self.die(part, at) if dead else part)
            return {label: joined(parts) for label, parts in ends.items()}

        return play

    def shuffles(self) -> None:
        """A deck is shuffled. Raises ShuffledError where cards have to be told apart, for they may come again."""
        if self.later and not (self.sampled and self.apart):
            if self.sampled:
                raise ShuffledError
            raise TooMuchWorkError("a deck is shuffled, with what was drawn before: that is too much to count in a row")
        if not self.apart and (self.holding or any(key[0] == "drawn" for key in self.tallied)):
            raise ShuffledError

    def _news(self, bench: EventRun, drawn: Iterable[str], after: Keys) -> frozenset[Key]:
        """Return what a bench has met of what anybody asks."""
        items: set[Key] = {("drawn", name) for name in drawn}
        items |= {("met", table) for table in bench.met}
        items |= {("met", table, row) for table, rows in bench.met.items() for row in rows}
        items |= {("suffered", name) for name in bench.suffered}
        return frozenset(item for item in items if item in after or item in self.tallied)

    def by_engine(self, own: Own, after: Keys, at: Setting, reads: Keys, writes: Keys) -> Plan:
        """Return a step that the engine plays; `writes` are the keys that it may change."""

        def make() -> Play:
            play = self.engine(own, at, reads, writes, after)
            return lambda spread: joined(play(spread).values())

        return Plan(after | reads, make)

    def _with_all(self, effect: rules.AnyEffect, after: Keys, at: Setting, reads: Keys) -> Plan:
        """Return a step that the engine plays, with whatever it leads to."""
        reads |= after.union(key for key in self.tallied if key[0] in _NEWS)
        reads |= self.names.all if self._draws_later else NONE

        def make() -> Play:
            opens = self.names.all <= reads
            play = self.engine(
                lambda bench, pen: bench.play((effect,), pen), at, reads, reads, after, news=True, opens=opens
            )
            return lambda spread: joined(play(spread).values())

        return Plan(reads, make)

    @cached_property
    def _draws_later(self) -> bool:
        """Whether conditions draw cards, read them or shuffle as time passes and as they end."""
        return any(isinstance(each, rules.CardStep) for each in self._later)

    @property
    def _later(self) -> list[rules.AnyEffect]:
        """What conditions do as time passes and as they end."""
        conditions = self.system.head.conditions.values()
        lists = [does for each in conditions for does in (*each.each.values(), *each.ends.values())]
        return [effect for effects in lists for _, effect in rules.walk_effects(effects)]

    def refuse(self, state: AnyState, effect: rules.AnyEffect, at: Setting) -> None:
        """Let the engine say why a step cannot be played in a state."""

        def play(chance: Chance) -> None:
            bench, pen = self.layout.bench(state, at, chance)
            bench.play((effect,), pen)

        next(iter(every_way(play)), None)

    def figures(self, formulas: Sequence[Formula | None], at: Setting) -> Callable[[Spread], dict[Any, Spread]]:
        """Return what tells states apart by the values of formulas."""
        if self.names.rolls(formulas):

            def own(bench: EventRun, _: EffectApplier) -> Any:
                return tuple(None if each is None else bench.figure(each) for each in formulas)

            return self.engine(own, at, self.names.reads(formulas, at), NONE, NONE)
        known = [(None,) if each is None else self.names.value(each.tree, at) for each in formulas]
        if all(value is not None for value in known):
            same = tuple(value[0] for value in known if value is not None)
            return lambda spread: {same: spread} if spread.ways else {}
        values = [None if each is None else ready(each, self.names, at, self.layout) for each in formulas]
        return lambda spread: spread.parts(
            lambda state: tuple([None if value is None else value(state) for value in values])
        )

    def _throw(self, step: rules.Throw, after: Keys, at: Setting) -> Plan | None:
        """Return a step that throws dice: name by name, and of each only what is asked."""
        names, formulas = set(map(name_key, rules.given_names(step))) & after, formulas_of(step)
        if not names:
            return None

        def make() -> Play:
            figures, slot = self.figures(formulas, at), self.layout.slot

            def throw(spread: Spread) -> Spread:
                ends = []
                for values, part in figures(spread).items():
                    if not all(isinstance(value, int) for value in values):
                        self.refuse(next(iter(part.ways)), step, at)
                    for name, pool in pools_of(step, dict(zip(formulas, values, strict=True)).__getitem__):
                        given = [name_key(each) for each in (name, name + rules.FIRST, *step.counts)]
                        asked = [(slot[key], place) for place, key in enumerate(given) if key in names]
                        spend_work(pool.sums // ADDED)
                        ways: dict[State, int] = {}
                        for (total, first, counts), count in pool_ways(pool).items():
                            shown = (total, first, *counts)
                            told = tuple([shown[place] for _, place in asked])
                            ways[told] = ways.get(told, 0) + count
                        part = part.branched(partial(_settled, [at for at, _ in asked], ways, sum(ways.values())))
                    ends.append(part)
                return joined(ends)

            return throw

        return Plan(after - names | self.names.reads(formulas, at), make)

    # --- steps that decide -------------------------------------------------------------------------------------------

    def _when(self, step: rules.When, after: Keys, at: Setting) -> Plan | None:
        known = self.names.value(step.holds.tree, at)
        if known is not None:
            block = self.block(step.then if known[0] else step.otherwise, after, at)
            return Plan(block.before, lambda: self.entered_at_once(block, block.before)) if block.alive else None
        sides = [self.block(does, after, at) for does in (step.otherwise, step.then)]
        if not any(side.alive for side in sides):
            return None
        before = sides[0].before | sides[1].before | self.names.reads([step.holds], at)

        def make() -> Play:
            plays = [self.entered_at_once(side, before) for side in sides]
            if self.names.rolls([step.holds]):
                values = self.figures([step.holds], at)
                return lambda spread: joined(plays[bool(value)](part) for (value,), part in values(spread).items())
            holds, (no, yes) = ready(step.holds, self.names, at, self.layout), plays
            if isinstance(no, StateChange) and isinstance(yes, StateChange):
                return StateChange(lambda slots: yes.of(slots) if holds(slots) else no.of(slots))

            def when(spread: Spread) -> Spread:
                then, otherwise = spread.halves(holds)
                return joined([plays[1](then), plays[0](otherwise)])

            return when

        return Plan(before, make)

    def _deciding(
        self, step: rules.RollFor | rules.Check | rules.OneOf | rules.Choose, after: Keys, at: Setting
    ) -> Plan | None:
        """Return a step by which luck or somebody decides what follows."""
        sides: dict[Any, Effects]
        own: Own
        reads, writes = self.names.reads(formulas_of(step), at), NONE
        match step:
            case rules.RollFor():
                sides, own = dict(step.results), lambda bench, pen: rolled_results(bench, step, pen)
            case rules.Check():
                sides, own = ({True: step.passes, False: step.fails}, lambda bench, pen: passes(bench, step, pen))
                writes = frozenset({name_key("degrees"), name_key("rolled")})
                # The degrees are a formula of this roll, not of an earlier one.
                bounds = [each for each in formulas_of(step) if each is not step.degrees]
                reads = self.names.reads(bounds, at) | (reads - writes)
            case rules.Choose():
                sides, own = dict(step.options), self._chosen(step)
            case rules.OneOf():
                sides = {at: (each,) for at, each in enumerate(step.effects)}
                own = lambda bench, _: bench.roll(Dice(1, len(step.effects)), "") - 1  # noqa: E731
        blocks = {label: self.block(does, after, at) for label, does in sides.items()}
        before = after.union(*(block.before for block in blocks.values()))
        if not (any(block.alive for block in blocks.values()) or writes & before):
            return None
        writes &= before

        def make() -> Play:
            play = self.engine(own, at, reads, writes, before)
            plays = {label: self.entered(block, before) for label, block in blocks.items()}
            return lambda spread: joined(
                plays[label](part) if label in plays else part for label, part in play(spread).items()
            )

        return Plan(before - writes | reads, make)

    def _chosen(self, step: rules.Choose) -> Own:
        def own(bench: EventRun, _: EffectApplier) -> Any:
            options = [each for each in step.options if each not in step.only or bench.figure(step.only[each])]
            return options[bench.choose(ChoiceNeed(tuple(options))) if len(options) > 1 else 0] if options else ""

        return own

    def _weighed(self, step: rules.Choose, after: Keys, at: Setting) -> Plan | None:
        """Return a choice that falls by what is better: each option is tried first, for that alone."""
        better, options = at.better, [*step.options]
        blocks = [self.block(does, after, at) for does in step.options.values()]
        if better is None or not any(block.alive for block in blocks):
            return None
        worth = self.names.reads([better], at)
        # What comes about in a trial is tallied nowhere.
        tallied, self.tallied = self.tallied, NONE
        trials = [self.block(does, worth, at._replace(tried=worth)) for does in step.options.values()]
        self.tallied = tallied
        tried = worth.union(*(trial.before for trial in trials))
        tried |= {"cards"} if tried & self.names.decks else NONE
        reads = self.names.reads(formulas_of(step), at)
        before = after.union(tried, reads, *(block.before for block in blocks))

        def make() -> Play:
            plays, tries = (
                [self.entered(each, before) for each in blocks],
                [self.entered(each, tried) for each in trials],
            )
            value, forget = ready(better, self.names, at, self.layout), self.layout.forgetting(before, tried)
            are_open = self.figures([step.only.get(option) for option in options], at)
            memory: dict[tuple[int, State], Fraction] = {}

            def worth_of(place: int, state: State) -> Fraction:
                if (place, state) not in memory:
                    dead, tallies, self.dead, self.tallies = self.dead, self.tallies, {}, {}
                    living = tries[place](Spread({state: 1}))
                    ends = [living, *(Spread(ways, total) for total, ways in self.dead.items())]
                    self.dead, self.tallies, mean = dead, tallies, Fraction(0)
                    for end in ends:
                        ways = self.known_lines(end, [better])
                        mean += Fraction(sum(number(each) * count for each, count in ways.ways.items()), ways.total)
                    memory[place, state] = mean
                return memory[place, state]

            def number(state: State) -> int:
                there = value(state)
                return there if isinstance(there, int) else formula_number(better, self.layout.bench(state, at)[0])

            def taken(state: State, places: Sequence[int]) -> int:
                start = changed_by(state, forget, self.layout.alone)
                return places[ranked([worth_of(place, start) for place in places], self.policy)[0]]

            def choose(spread: Spread) -> Spread:
                ends = []
                # Whoever chooses has seen the cards that are out and in play.
                spread = self.settled(spread) if tried & self.names.decks else spread
                for values, part in are_open(self.known_cards(spread) if "cards" in tried else spread).items():
                    places = [at for at, option in enumerate(options) if option not in step.only or values[at]]
                    if not places:
                        ends.append(part)
                        continue
                    sides = part.parts(partial(taken, places=places)) if len(places) > 1 else {places[0]: part}
                    ends += [plays[place](side) for place, side in sides.items()]
                return joined(ends)

            return choose

        return Plan(before, make)

    def _as_long(self, step: rules.AsLong, after: Keys, at: Setting) -> Plan | None:
        asked = self.names.reads([step.holds, step.most], at)
        now = self.looped(after | asked, lambda now: self.block(step.do_, now, at).before)
        block = self.block(step.do_, now, at)

        def make() -> Play:
            holds, most = self.figures([step.holds], at), self.figures([step.most], at)

            def run(spread: Spread) -> Spread:
                ends = []
                for (times,), part in most(spread).items():
                    times = rules.MAX_AGAIN if step.most is None else times
                    if not isinstance(times, int) or not 0 <= times <= rules.MAX_AGAIN:
                        self.refuse(next(iter(part.ways)), step, at)
                    for _ in range(times):
                        sides = holds(self.known_lines(self.play(block, part), [step.holds]))
                        ends += [side for (value,), side in sides.items() if not value]
                        part = joined(side for (value,), side in sides.items() if value)
                    ends.append(part)
                return joined(ends)

            return run

        return Plan(now, make) if block.alive else None

    # --- names and numbers -------------------------------------------------------------------------------------------

    def _change(
        self, step: rules.Raise | rules.Lower | rules.SetTo | rules.Let, after: Keys, at: Setting
    ) -> Plan | None:
        """Return a step that changes a name or a number."""
        reads, over = self.names.reads(formulas_of(step), at), name_key("over")
        if isinstance(step, rules.Let):
            key, number = name_key(step.name), None
        else:
            number = dict(at.known).get(step.number, step.number)
            if number not in self.names.numbers:
                return self._change_named(step, after, at, reads | {name_key(step.number)})
            key = number_key(str(number))
        own = self.system.steps.numbers.get(str(number))
        changes = isinstance(step, rules.Raise | rules.Lower)
        if key not in after and not (changes and over in after):
            return None
        if isinstance(step, rules.Raise | rules.Lower):
            if over not in after and self.names.value(step.by.tree, at) == (0,):
                return None
            bound = (own.most if isinstance(step, rules.Raise) else own.least) if own else None
            reads |= self.names.reads([bound], at) | {key}
        writes = frozenset({key, over} if changes else {key}) & after | ({key} if changes else NONE)

        def make() -> Play:
            formula = step.to if isinstance(step, rules.SetTo) else step.be if isinstance(step, rules.Let) else step.by
            if self.names.rolls([formula]) or (number is not None and own is None):
                play = self.engine(lambda bench, pen: bench.play((step,), pen), at, reads, writes, after)
                return lambda spread: joined(play(spread).values())
            value, slot = ready(formula, self.names, at, self.layout), self.layout.slot[key]
            if isinstance(step, rules.Raise | rules.Lower):
                return self._moved(step, at, value, slot)

            def assigned(slots: Slots) -> None:
                there = value(slots)
                if own is not None and (isinstance(there, str) or (there is None and own.start is not None)):
                    self.refuse(slots, step, at)
                slots[slot] = there

            return StateChange(assigned)

        return Plan(after - writes | reads, make)

    def _change_named(
        self, step: rules.Raise | rules.Lower | rules.SetTo, after: Keys, at: Setting, reads: Keys
    ) -> Plan:
        """Return a step that changes the number whose name an argument holds."""
        takes = [event.takes.get(step.number) for event in self.system.head.events.values()]
        words = {word for each in takes if each is not None for word in each.of}
        own = [number for name, number in self.system.steps.numbers.items() if name in words]
        bounds = [bound for number in own for bound in (number.least, number.most)]
        changed = frozenset(map(number_key, words))
        reads |= changed | self.names.reads(bounds, at)
        writes = changed & after | {name_key("over")}
        return self.by_engine(lambda bench, pen: bench.play((step,), pen), after, at, reads, writes)

    def _moved(self, step: rules.Raise | rules.Lower, at: Setting, by: Callable[[AnyState], Result], slot: int) -> Play:
        """Return what raises or lowers a number."""
        up, own = (
            isinstance(step, rules.Raise),
            self.system.steps.numbers[str(dict(at.known).get(step.number, step.number))],
        )
        bounds = (step.most, own.most) if isinstance(step, rules.Raise) else (step.least, own.least)
        limits = [ready(bound, self.names, at, self.layout) for bound in bounds if bound is not None]
        over = self.layout.slot.get(name_key("over"))

        def moved(slots: Slots) -> None:
            current, amount = slots[slot], by(slots)
            if not isinstance(amount, int) or not isinstance(current, int):
                self.refuse(slots, step, at)
                raise AssertionError(step)
            wanted = new = current + amount if up else current - amount
            for bound in limits:
                if isinstance(limit := bound(slots), int):
                    new = (
                        max(min(new, limit), min(current, wanted)) if up else min(max(new, limit), max(current, wanted))
                    )
            if not -MAX_VALUE <= new <= MAX_VALUE:
                new = MAX_VALUE if new > 0 else -MAX_VALUE
            slots[slot] = new
            put(slots, over, abs(wanted - new))

        return StateChange(moved)

    # --- events ------------------------------------------------------------------------------------------------------

    def _event(self, happening: rules.Happening, after: Keys, at: Setting) -> Plan:
        """Return an event in the names that it takes: what is figured where nothing is told, its needs, its steps."""
        block = self.block(happening.do_, after, at)
        needed = self.names.reads([need.holds for need in happening.needs], at)
        before = block.before | needed | {("has", name) for need in happening.needs for name in need.free_of}
        figured = []
        for name, argument in reversed(happening.takes.items()):
            formulas = [argument.default, argument.when]
            figures = formulas != [None, None] or argument.flag or argument.die
            if name not in dict(at.known) and figures and (name_key(name) in before or argument.when):
                reads = self.names.reads(formulas, at) | {name_key(name)}
                figured.append((name, argument, reads, before))
                before |= reads
        self._asked |= before

        def make() -> Play:
            takes = [self._taken(*each, at) for each in reversed(figured)]
            checks = [self._needed(need, at) for need in happening.needs]
            play = self.entered_at_once(block, before)
            if not takes and not checks:
                return play
            forget, row = self.layout.forgetting(before, self.after), at is self.at

            def happens(state: State) -> bool:
                try:
                    for check in checks:
                        check(state)
                except RefusedError:
                    if not (row and self.later):
                        raise
                    return False
                return True

            def run(spread: Spread) -> Spread:
                for take in takes:
                    spread = joined(take(spread).values())
                if checks:
                    spread, refused = spread.halves(happens)
                    # Whoever it cannot happen to any more in a row of events stays as they are.
                    self.refused = refused.changed(forget) if row else self.refused
                return play(spread)

            return run

        return Plan(before, make)

    def _needed(self, need: Any, at: Setting) -> Callable[[State], None]:
        """Return what raises RefusedError for a state in which an event cannot happen."""
        holds = ready(need.holds, self.names, at, self.layout) if need.holds is not None else None

        def check(state: State) -> None:
            if need.free_of or (holds is not None and not holds(state)):
                self.layout.bench(state, at)[0].check_need(need)

        return check

    def _taken(
        self, name: str, argument: rules.Argument, reads: Keys, after: Keys, at: Setting
    ) -> Callable[[Spread], dict[Any, Spread]]:
        """Return what figures an argument that was not told."""

        def own(bench: EventRun, _: EffectApplier) -> None:
            bench.bind({name: argument}, {name: bench.names.get(name)})

        return self.engine(own, at, reads, frozenset({name_key(name)}), after | reads)

    def _call(self, step: rules.Call, after: Keys, at: Setting, *, at_place: bool = True) -> Plan | None:
        """Return an event as a part of another, which is hurt at the same place with `at_place`."""
        happening = self.system.head.events[step.event]
        gives = frozenset(map(name_key, happening.gives)) & after
        pens = PLACED if at_place and after & HURT else NONE
        lasting = pens.union(key for key in after if key[0] != "name" and key not in PEN)
        known: dict[str, Result] = {}
        for name, argument in happening.takes.items():
            told = step.takes.get(name)
            formula = told or (None if argument.of or argument.flag or argument.die else argument.default)
            if argument.when is not None or name in self.names.set_in[step.event]:
                continue
            if formula is None:
                known |= {} if argument.flag or argument.default is not None else {name: None}
                continue
            if step.event in at.calls and any(node.kind in ("name", *NAMING) for node in formula.tree.walk()):
                # What calls itself with other numbers each time would have no end.
                continue
            value = self.names.value(formula.tree, at)
            if value is not None and (argument.default is None or value[0] is not None):
                known[name] = value[0]
        side = frozenset({name_key("side")}) if at_place and "side" not in happening.takes else NONE
        if side and "side" in dict(at.known) and "side" not in self.names.set_in[step.event]:
            known["side"] = dict(at.known)["side"]
        calls = at.calls | {step.event} & self.names.recursive
        inner = at._replace(known=tuple(known.items()), of="", calls=calls, inked=False, better=happening.better)
        event = self._event(happening, lasting | gives, inner)
        if not (self.block(happening.do_, lasting | gives, inner).alive or happening.needs or gives):
            return None
        takes = {
            name: each for name, each in step.takes.items() if name_key(name) in event.before and name not in known
        }
        own = after - (lasting - pens) - gives
        side = side & event.before - {*map(name_key, known)}
        reads = self.names.reads(takes.values(), at) | side | (event.before & HURT if at_place else NONE)
        before = own | reads | frozenset(key for key in event.before if key[0] != "name" and key not in PEN)

        def make() -> Play:
            layout, formulas = self.layout, tuple(takes.values())
            given, kept = (tuple(layout.slot[key] for key in keys if key[0] == "name") for keys in (gives, own))
            usual = layout.fresh(dict.fromkeys(happening.takes), event.before)
            places = [layout.slot[name_key(name)] for name in takes]
            sides = [layout.slot[key] for key in side]

            def entered(slots: Slots, figures: Sequence[Result]) -> None:
                names = [*usual]
                for place in sides:
                    names[place] = slots[place]
                for place, value in zip(places, figures, strict=True):
                    names[place] = value
                layout.called(slots, names, kept, given, at_place=at_place)

            def enter(spread: Spread) -> Spread:
                parts = values(spread).items()
                return joined(part.changed(partial(entered, figures=figures)) for figures, part in parts)

            begins: Play = enter
            if self.names.rolls(formulas):
                values = self.figures(formulas, at)
            else:
                each = [ready(formula, self.names, at, layout) for formula in formulas]
                begins = StateChange(lambda slots: entered(slots, [value(slots) for value in each]))
            ends = StateChange(layout.returned)
            series = StepSeries([begins, event.make(), ends] if layout.names or layout.pen else [event.make()])
            return series.as_change or series

        return Plan(before, make)

    # --- tables ------------------------------------------------------------------------------------------------------

    def _look_up(self, step: rules.LookUp, after: Keys, at: Setting) -> Plan | None:
        inner = at._replace(part_of=step.part_of or at.part_of, inked=False)
        known, kinds = dict(at.known), self.system.aims.get(step.aimed or "", {})
        aims = [kinds.get(str(known[step.aimed]))] if step.aimed in known else [None, *kinds.values()]
        tables = [
            each
            for name in {aim.table if aim else step.table for aim in aims}
            if (each := self.system.table(name or ""))
        ]
        reads = self.names.reads(formulas_of(step), at)
        reads |= frozenset({name_key(step.aimed)}) if step.aimed and step.aimed not in known else NONE
        items = frozenset(key for key in self.tallied if key[0] == "met" and key[1] in [table.id for table in tables])
        cells = {
            (table.id, at_row, column): self._cell(step, table, row, cell)
            for table in tables
            for at_row, row in enumerate(table.rows)
            for column, cell in [("", row.effects), *row.cells.items()]
        }
        blocks: dict[Any, CountedBlock] = {}

        def before(now: Keys) -> Keys:
            within = now | PLACED if now & HURT else now
            blocks.update({key: self.block(cell, within, inner) for key, cell in cells.items()})
            return now.union(*(block.before - ({"placed"} - now) for block in blocks.values()))

        now = self.looped(after, lambda now: before(now) | reads | items) if step.times is not None else after
        entry = before(now)
        names = frozenset(map(name_key, ("row", "detail", "note")))
        pens = entry & {"part", "place"}
        flags = frozenset(key for key in after if key[0] == "met" and key[1] in [table.id for table in tables])
        if not (items or flags or names & after or pens & after or any(block.alive for block in blocks.values())):
            return None
        reads |= pens | {"part"} | frozenset({name_key("side")}) if pens else NONE

        def own(bench: EventRun, pen: EffectApplier) -> Any:
            table, row, column = meet_row(bench, step, pen)
            return table.id, table.rows.index(row), column if column in row.written_cells else ""

        def make() -> Play:
            meet = self.engine(own, at, reads, names & entry | pens, entry, news=bool(items or flags))
            times = self.figures([step.times], at)
            alive = {key: block for key, block in blocks.items() if block.alive}
            plays = {key: self.layout.with_pen(self.entered(block, entry), back=True) for key, block in alive.items()}

            def once(spread: Spread) -> Spread:
                return joined(plays[key](part) if key in plays else part for key, part in meet(spread).items())

            def look_up(spread: Spread) -> Spread:
                if step.times is None:
                    return once(spread)
                ends = []
                for (many,), part in times(spread).items():
                    if not isinstance(many, int) or not 0 <= many <= MAX_ROWS:
                        self.refuse(next(iter(part.ways)), step, at)
                    for _ in range(many):
                        part = once(part)
                    ends.append(part)
                return joined(ends)

            return look_up

        return Plan((entry if step.times is not None else entry - names) | reads | items, make)

    def _cell(self, step: rules.LookUp, table: rules.Table, row: rules.Row, cell: Any) -> Effects:
        """Return what a cell does: first what every row does, last a condition for as long as the row says."""
        own = cell if isinstance(cell, tuple) else ()
        lasts = (rules.Suffer(step.lasts, row.lasts),) if step.lasts and row.lasts else ()
        return (*table.every, *own, *lasts)

    # --- conditions --------------------------------------------------------------------------------------------------

    def tells(self, condition: str, after: Keys) -> bool:
        """Return whether anything can tell that a condition is held."""
        if after not in self._sights:
            self._sights[after] = self._nothing.sight(after)
        return self._sights[after].tells(condition)

    def _suffer(self, effect: rules.Suffer, after: Keys, at: Setting) -> Plan | None:
        condition, item = self.system.head.conditions[effect.condition], ("suffered", effect.condition)
        asked = self.names.reads([*formulas_of(effect), *(each.formula for each in condition.chances)], at)
        inner, begin = at._replace(of=effect.condition), lambda bench, pen: pen.begin(bench, effect)
        if effect.after is not None:
            plan = self.by_engine(begin, after, at, asked | {"coming"}, frozenset({"coming"}))
            return self._where(effect, plan, after) if "coming" in after else None
        if effect.until.word == "again":
            implied = self.block(condition.implies, after, inner)
            if not (implied.alive or item in after | self.tallied or self.tells(effect.condition, after)):
                return None
            return self._with_all(effect, after, at, implied.before | asked | {"all held", "spans"})
        now, blocks = after, []
        for each in reversed(condition.implies):
            blocks.append(self.block((each,), now, inner))
            now = blocks[-1].before | (after & {"lasts"})
        same, lasts = effect.until.word == "same", any("lasts" in keys for keys in (after, *(b.before for b in blocks)))
        writes: set[Key] = set()
        if effect.until.word != "now" and not (at.of and same):
            held = not at.part_of and self.tells(effect.condition, now)
            writes |= {"held"} if held else {name_key("detail")} & now if at.part_of else NONE
        writes |= {"lasts"} if lasts and not same else NONE
        if not (any(block.alive for block in blocks) or writes or item in now | self.tallied):
            return None
        own_after, reads = now | ({"lasts"} if lasts else NONE), asked | ({"lasts"} if same else NONE)
        if writes:
            reads |= NONE if condition.whole else now & {"part", "place"}
        if "held" in writes:
            again = usual_repeat(condition, HeldCondition("", effect.until.word, card="any" if at.inked else ""))
            again = "any" if same and not at.inked else again
            reads |= {("very", effect.condition)} if again != "apart" else NONE
            reads |= {"all held", "details"} if effect.detail is not None else NONE
            reads |= self._bearing(now, at) | self._waits_to_begin(effect, at)
        before = (own_after - ({"lasts"} & writes) if writes else own_after) | (reads if writes else NONE)
        before = before | {item} if item in self.tallied else before - {item}

        def make() -> Play:
            start = self.engine(begin, at, reads, frozenset(writes), own_after) if writes else None
            hold = lasts and bool(blocks)

            def suffer(spread: Spread) -> Spread:
                spread = self.mark(spread, item, now)
                spread = joined(start(spread).values()) if start is not None else spread
                spread = spread.changed(self.layout.new_pen) if hold else spread
                for block in reversed(blocks):
                    spread = self.play(block, spread).changed(self.layout.lasting_again if hold else None)
                return spread.changed(partial(self.layout.lasting_again, drop=True)) if hold else spread

            return suffer

        does = "" if writes or effect.where or any(block.alive for block in blocks) else f"suffer {effect.condition}"
        return self._where(effect, Plan(before, make, does), after)

    def _leaves(self, effect: Any, after: Keys) -> bool:
        """Return whether anything can tell what an effect leaves beside its card."""
        if not isinstance(effect, rules.Whenever) or not ({"all held", "spans"}).isdisjoint(after):
            return self.tells(effect.do, after)
        asked = {key[1] for key in after if key[0] in WAITING}
        return (
            effect.event in asked
            or (bool(asked) and effect in self._together)
            or any(key[0] in OF_HELD and self.tells(effect.do, frozenset({key})) for key in after)
        )

    @cached_property
    def _together(self) -> list[rules.Whenever]:
        """What waits beside something else on one card: all of it is told apart by its order."""
        cards = [card for pile in self.piles.values() for card in pile.cards]
        lists = ([each for each in card.effects if isinstance(each, rules.Whenever)] for card in cards)
        return [each for waiting in lists if len(waiting) > 1 for each in waiting]

    def _bearing(self, after: Keys, at: Setting, *, waits: bool = False) -> Keys:
        """Return what has to be known of the card at hand for what is kept with it."""
        if not at.inked or not (waits or "held cards" in after):
            return NONE
        return self.names.of_card_at_hand(ITS_CODE if "held cards" in after else ITS_WAITING)

    def _waits_to_begin(self, effect: Any, at: Setting) -> Keys:
        """Return what tells whether an effect begins only once somebody has recovered."""
        waits = self.system.steps.by_card and getattr(effect, "begins", "") == "recovery"
        return self.names.reads([self.system.steps.recovers], at) if waits else NONE

    def _where(self, effect: rules.Suffer | rules.Penalty | rules.Halve, plan: Plan, after: Keys) -> Plan:
        """Return a step that happens only where a part of the body is hurt."""
        if effect.where is None:
            return plan

        def make() -> Play:
            slot, play = self.layout.slot["part"], plan.make()

            def run(spread: Spread) -> Spread:
                there, others = spread.halves(lambda state: state[slot] == effect.where)
                return joined([play(there), others])

            return run

        return Plan(plan.before | after | {"part"}, make)

    def _other(self, effect: rules.AnyEffect, after: Keys, at: Setting) -> Plan | None:
        """Return a step that the engine plays: for most of them it is known what they ask and change."""
        reads = self.names.reads(formulas_of(effect), at)
        writes: Keys = NONE
        match effect:
            case rules.Draw() | rules.Repeat() | rules.Spare() | rules.Again():
                plays = effect.do in self.system.steps.plays
                return self._call(self._own_event(effect), after, at, at_place=False) if plays else None
            case rules.Drop() | rules.Peek() | rules.Befall():
                return None
            case rules.Revive():
                writes = frozenset({"dead"})
            case rules.Halve() | rules.Risk() | rules.Whenever() | rules.Reroll() | rules.Lose() | rules.Penalty():
                same = getattr(effect, "until", None) == rules.Until("same")
                lost = isinstance(effect, rules.Penalty) and not self.system.steps.by_card
                writes = NONE if same else after & ({"lasts", "lost"} if lost else {"lasts"})
                if self.system.steps.by_card and not (at.of and same) and self._leaves(effect, after):
                    writes |= {"held"}
                    reads |= self._bearing(after, at, waits=isinstance(effect, rules.Whenever))
                    reads |= after & {"part", "place"} | ({"lasts"} if same else NONE)
                    reads |= self._waits_to_begin(effect, at)
                per = getattr(effect, "per", None)
                reads |= {("level", at.of)} if per == "level" else {number_key(per)} if per else NONE
            case rules.Save():
                writes = after & {"saves"}
                reads |= after & {"part", "place"} | ({"lasts"} if effect.permanent else NONE)
            case rules.Locate() | rules.Place():
                writes = after & {*HURT, name_key("detail")}
                reads |= {"part", "place", name_key("side")} | writes
                writes |= after & PLACED if isinstance(effect, rules.Place) else NONE
            case rules.Keep() | rules.PutAway():
                writes = after & {("pile", effect.pile)}
                if isinstance(effect, rules.PutAway) and effect.by is None and writes:
                    return Plan(after - writes - piled(after, effect.pile), partial(self._emptied, effect.pile))
                if isinstance(effect, rules.Keep) and at.at_hand:
                    return self._keep(effect, after, at) if writes else None
            case rules.Shuffle():
                deck = effect.deck
                shuffles = Plan(after | self.holding, lambda: lambda spread: self.shuffled(spread, deck, 0))
                return shuffles if ("deck", deck) in after else None
            case rules.End() | rules.Shorten() | rules.Answer():
                return self._ending(effect, after, at, reads)
            case _:
                return self._with_all(effect, after, at, self.names.all)
        if not writes and not isinstance(effect, rules.Keep):
            # A card is kept by the engine only where none is at hand: it says so.
            return None
        before = writes if isinstance(effect, rules.Penalty | rules.Keep | rules.PutAway) else NONE
        plan = self.by_engine(lambda bench, pen: bench.play((effect,), pen), after, at, reads | before, writes)
        if isinstance(effect, rules.Throw):
            # Whatever its names were before is gone.
            plan = plan._replace(before=plan.before - (writes - reads))
        return self._where(effect, plan, after) if isinstance(effect, rules.Penalty | rules.Halve) else plan

    def _keep(self, step: rules.Keep, after: Keys, at: Setting) -> Plan:
        """Return what puts the card at hand on a pile: who it is, as far as somebody asks that of the pile."""
        key, asked, most = ("pile", step.pile), piled(after, step.pile), self.system.steps.piles[step.pile].most
        reads = self.names.reads([step.counts], at).union(*(self.names.of_card_at_hand(each[2]) for each in asked))

        def make() -> Play:
            values, slot, card = self.figures([step.counts], at), self.layout.slot[key], self.layout.slot.get("card")

            def kept(slots: Slots, counts: int = 0) -> None:
                hand = slots[card] if card is not None and asked else None
                there = slots[slot] if most > 1 else ()
                slots[slot] = (*there, (hand, counts))[-most:]

            if step.counts is None:
                return StateChange(kept)

            def keep(spread: Spread) -> Spread:
                ends = []
                for (value,), part in values(spread).items():
                    counts = 0 if step.counts is None else value
                    if not isinstance(counts, int):
                        self.refuse(next(iter(part.ways)), step, at)
                    ends.append(part.changed(partial(kept, counts=counts)))
                return joined(ends)

            return keep

        return Plan((after - {key} - asked if most == 1 else after) | reads, make)

    def _emptied(self, pile: str) -> Play:
        """Return what takes all cards of a pile away."""
        return StateChange(partial(put, slot=self.layout.slot["pile", pile], value=()))

    def _own_event(self, effect: rules.Drawing) -> rules.Call:
        """Return an effect that is an event of the author's as the call of that event."""
        event = self.system.steps.plays[effect.do]  # type: ignore[index]
        takes = self.system.head.events[event].takes
        values = {name: getattr(effect, name) for name in effect.__struct_fields__}
        named = {name if name in takes else f"{effect.do}_{name}": value for name, value in values.items()}
        written = {
            name: Formula(f"'{value}'" if isinstance(value, str) else str(int(value)))
            for name, value in named.items()
            if name in takes
        }
        return rules.Call(event=event, takes=written)

    def _ending(self, effect: Any, after: Keys, at: Setting, reads: Keys) -> Plan | None:
        """Return a step that ends conditions or answers a save, with what follows."""
        conditions = self.system.head.conditions
        lists: list[tuple[str, Effects]] = []
        for name, condition in conditions.items():
            lists += [(name, does) for does in condition.ends.values()]
            if isinstance(effect, rules.Answer):
                saves = (each for does in (condition.implies, *condition.ends.values()) for each in does)
                lists += [
                    (name, side) for each in saves if isinstance(each, rules.Save) for side in (each.passes, each.fails)
                ]
        blocks = [self.block(does, after, at._replace(of=name, part_of="", inked=False)) for name, does in lists]
        told = after & {"coming", "saves"} or any(self.tells(name, after) for name in conditions)
        if not (told or any(block.alive for block in blocks)):
            return None
        reads = reads.union({"all held", "saves"}, *(block.before for block in blocks))
        reads |= {"coming"} if isinstance(effect, rules.End) else NONE
        reads |= {"spans"} if isinstance(effect, rules.Shorten) else NONE
        reads |= {"held cards"} if isinstance(effect, rules.End) and effect.card is not None else NONE
        return self._with_all(effect, after, at, reads)

    # --- time --------------------------------------------------------------------------------------------------------

    def _pass(self, step: rules.Pass, after: Keys, at: Setting) -> Plan | None:
        tick, conditions = self.system.steps.clock.get(step.unit), self.system.head.conditions
        stops, counts = (tick.stops, tick.counts) if tick else (None, None)
        runs = [each.runs for each in conditions.values()]
        asked = self.names.reads([step.times, stops, *runs], at) | {"all held", "spans", "saves", "coming"}
        asked = asked.union({number_key(counts)} if counts else NONE, (key for key in self.tallied if key[0] in _NEWS))
        inner = at._replace(ticking=True, part_of="", of="", inked=False)
        comes = [each for each in CONTENT(self.system).effects if isinstance(each, rules.Suffer) and each.after]
        later = [(rules.Suffer(each.condition, each.until),) for each in comes]
        lists = [
            (name, does) for name, each in conditions.items() for does in (*each.each.values(), *each.ends.values())
        ]

        def before(now: Keys) -> Keys:
            blocks = [self.block(does, now, inner._replace(of=name)) for name, does in lists]
            blocks += [self.block(does, now, inner) for does in later] + [self.block(self._watches, now, at)]
            return now.union(*(block.before for block in blocks))

        live = self.looped(after | asked | (self.names.all if self._draws_later else NONE), before)

        def make() -> Play:
            layout, watching = self.layout, self.block(self._watches, live, at)
            times, stopping = self.figures([step.times], at), self.figures([stops], at)
            opens = self._draws_later
            ticked = self.engine(
                lambda bench, _: bench.follow(pass_unit(bench, step.unit)),
                inner,
                live,
                live,
                live,
                news=True,
                opens=opens,
            )
            runs: dict[Any, bool] = {}

            def goes_on(state: State) -> bool:
                key = state[layout.slot["held"]], state[layout.slot["coming"]]
                if counts is None and key not in runs:
                    runs[key] = is_felt(layout.bench(state, at)[0], step.unit)
                return counts is not None or runs[key]

            def pass_times(spread: Spread, many: Any) -> Spread:
                if at.ticking or not isinstance(many, int):
                    self.refuse(next(iter(spread.ways)), step, at)
                ends = []
                for _ in range(many):
                    spread, over = spread.halves(goes_on)
                    ends.append(over)
                    spread = self.play(watching, joined(ticked(spread).values()))
                    if stops is not None:
                        sides = stopping(spread)
                        ends += [side for (value,), side in sides.items() if value]
                        spread = joined(side for (value,), side in sides.items() if not value)
                    if not spread.ways:
                        break
                return joined([*ends, spread])

            return lambda spread: joined(
                pass_times(part, 1 if step.times is None else many) for (many,), part in times(spread).items()
            )

        return Plan(live, make)

    # --- cards -------------------------------------------------------------------------------------------------------

    def line_of(self, deck: str, place: int, line: str) -> Any:
        """Return what may be asked of a card of a deck by that name: a line, or what it does where it is read."""
        if line in self.readings:
            return tuple(reading.told(deck, place) for reading in self.readings[line].values())
        pile = self.piles[deck]
        return pile.names[place] if line == ITS_CODE else self.names.of_card(pile.cards[place], line)

    def dealt(self, state: State | Slots, deck: str) -> CandidateCard:
        """Return the card that a deck has dealt last, which nobody has looked at."""
        slot = self.layout.slot.get(("deck", deck))
        return (
            CandidateCard(deck, self.piles[deck].all, True) if slot is None else CandidateCard(deck, state[slot].base)
        )

    def cut(self, state: State, index: int, parts: tuple[int, ...]) -> Cases:
        """Return in which of some sets a card in play may lie, for `with_card`."""
        return cut(*self._of_deck(state, state[self.layout.slot["cards"]][index]), parts)

    def with_card(self, state: State, index: int, case: tuple[int, int]) -> State:
        """Return a state in which it is known where a card in play lies."""
        slot = self.layout.slot["cards"]
        hand, cards = state[slot][index], state[slot]
        return self._known(state, hand, case[1], lambda card: with_value(cards, index, card))

    def _known(
        self, state: State, hand: CandidateCard, piece: int, placed: Callable[[CandidateCard], tuple[Any, ...]] | None
    ) -> State:
        """Return a state in which it is known in which part of a set a card lies, with that card put in its place."""
        card, out, gone = found(*self._of_deck(state, hand), piece)
        slots, cards = [*state], self.layout.slot.get("cards")
        if not hand.loose:
            put(slots, self.layout.slot.get(("deck", hand.deck)), out)
        if cards is not None:
            slots[cards] = without_gone(placed(card) if placed else slots[cards], hand.deck, gone)
        return tuple(slots)

    def cut_dealt(self, state: State, hand: CandidateCard, parts: tuple[int, ...]) -> Cases:
        """Return in which of some sets a card lies that is not in play: the states, each with which set it is."""
        cases, total = cut(*self._of_deck(state, hand), parts)
        spend_work(len(cases) / 2)
        return [((self._known(state, hand, piece, None), at), ways) for (at, piece), ways in cases], total

    def _of_deck(self, state: State, hand: CandidateCard) -> tuple[OutOf, CandidateCard]:
        """Return what a card's deck has dealt, and the card: loose where its deck does not know of it."""
        slot = None if hand.loose else self.layout.slot.get(("deck", hand.deck))
        if slot is None:
            return OutOf(0), hand.set_loose()
        # The more cards are out, the longer each is compared with the others.
        spend_work(len(state[slot].cuts) ** 2 / 100)
        return state[slot], hand


def _settled(slots: Sequence[int], ways: Mapping[State, int], total: int, state: State) -> Cases:
    """Return a state with each of some values in some slots, and the ways of each."""
    cases = []
    for values, count in ways.items():
        after = list(state)
        for slot, value in zip(slots, values, strict=True):
            after[slot] = value
        cases.append((tuple(after), count))
    return cases, total
