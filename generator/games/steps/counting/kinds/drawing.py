"""Cards of a deck that are drawn, one after the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import combinations
from typing import Any

from generator.base.errors import HackjackError
from generator.games.steps.counting.card_sets import DealtCards, next_shares
from generator.games.steps.counting.compile import CompiledEvent, counts
from generator.games.steps.counting.distribution import (
    Cases,
    Distribution,
    Draft,
    State,
    StateChange,
    StepSeries,
    changed_by,
    joined,
    with_value,
)
from generator.games.steps.counting.formulas import ready
from generator.games.steps.counting.keys import (
    CARD,
    CARDS,
    IN_PLAY,
    ITS_NAME,
    NONE,
    ROW,
    WAITING,
    Deck,
    Drawn,
    KeySet,
    Line,
    StepContext,
    WaitingLine,
    lines_at_hand,
    waiting_lines,
    without_card,
)
from generator.games.steps.counting.kinds.cards import Hands, Reading
from generator.games.steps.counting.liveness import Plan
from generator.games.steps.counting.run import Dealt
from generator.games.steps.kinds.cards import MAX_DRAWN
from generator.games.steps.luck_asked import ranked, weighs
from generator.model import rules
from generator.play.chance import OpenChoiceError


class CountedDraw:
    """Cards of a deck, drawn one after the other."""

    def __init__(
        self,
        compiled: CompiledEvent,
        step: rules.DrawCard,
        context: StepContext,
        live: Mapping[str, Any],
        after: KeySet,
        items: KeySet,
    ) -> None:
        self.compiled, self.step, self.context, self.after = compiled, step, context, after
        self.reading, self.each, self.then, self.entry = live["reading"], live["each"], live["then"], live["entry"]
        self.pile, self.index = compiled.piles[step.deck], compiled.slots.index.get(Deck(step.deck))
        self.inner: KeySet = live["inner"]
        counted = self.then.before if step.then else self.reading.before | {Line(self.reading.line)}
        self.hands = Hands(compiled, context, self.inner, counted) if WAITING in self.inner else None
        self.figures = compiled.figures([step.cards, step.face, step.keep], context)
        self.flagged, self.counted = live["flagged"], self.pile.bits(key.name for key in items - live["flagged"])
        self.best = live["best"]
        self.value = ready(self.best, compiled.names, context, compiled.slots) if self.best is not None else None

    @property
    def series(self) -> StepSeries:
        """What it makes of a distribution, from the first card to the last."""
        if self.hands is None:
            return StepSeries([self.play])
        return StepSeries([StateChange(self.hands.open), self.play, StateChange(self.hands.closed(self.after))])

    def play(self, states: Distribution) -> Distribution:
        """Return a distribution after so many cards."""
        compiled, step, hands = self.compiled, self.step, self.hands
        ends = []
        for (times, face, keep), part in self.figures(states).items():
            times, face = 1 if step.cards is None else times, str(face or "")
            wrong = not isinstance(times, int) or not 0 <= times <= MAX_DRAWN
            if wrong or (step.keep is not None and (not isinstance(keep, int) or keep < 0)):
                compiled.refuse(next(iter(part.ways)), step, self.context)
            for _ in range(times):
                part = self._one(part, face)
            if step.keep is not None and hands is not None:
                part = self._kept(part, face, keep, hands)
            ends.append(part)
        return joined(ends)

    def _one(self, states: Distribution, face: str) -> Distribution:
        """A card is dealt; where all count, it counts at once."""
        empty = Distribution({})
        if any(map(self._is_empty, states.ways)):
            over, states = states.halves(self._is_empty)
            empty, anew = self._shuffled(over).halves(self._is_empty)
            states = joined([states, anew])
        if self.counted and states.ways:
            self._tally(states)
        states = states.changed(self._dealt)
        if self.hands is None:
            return joined([empty, self.reading.play(states, self.step.deck, face)])
        hands = self.hands
        states = self._told_apart(states, hands) if self.flagged else states
        if self.each.alive:
            states = self.compiled.play(self.each, hands.taken(states, -1))
        return joined([empty, self._count(states, -1, face, hands) if self.step.keep is None else states])

    def _dealt(self, draft: Draft) -> None:
        """Deal one more card."""
        if self.index is not None:
            draft[self.index] = draft[self.index].with_next()
        if self.hands is not None:
            self.hands.added(draft, self.compiled.cards.dealt(draft, self.step.deck))

    def _count(self, states: Distribution, place: int, face: str, hands: Hands) -> Distribution:
        """A card counts: it does what it says, or what the step says."""
        states = hands.taken(states, place, last=True)
        if self.step.then:
            return self.compiled.play(self.then, states)
        there: Distribution = self.reading.play(states, self.step.deck, face, lambda state: state[hands.card])
        return there

    def _is_empty(self, state: State) -> bool:
        out: DealtCards | None = None if self.index is None else state[self.index]
        return out is not None and out.dealt >= out.base.bit_count()

    def _shuffled(self, states: Distribution) -> Distribution:
        """A deck in which nothing is left is shuffled; what this event has drawn stays out, as long as others are left.

        Where all of it was drawn in this event, and it is read, nothing is left.
        """
        slot, everything, reads = self.compiled.slots.index[Deck(self.step.deck)], self.pile.all, self.context.reading
        ends = []
        for spent, part in states.parts(lambda state: state[slot].spent | state[slot].base).items():
            if spent == everything and self.step.deck in reads:
                ends.append(part)
                continue
            self.compiled.run.shuffles()
            anew = self.compiled.cards.shuffled(part, self.step.deck, 0 if spent == everything else spent)
            if self.step.deck not in reads and any(map(self._is_empty, anew.ways)):
                title = self.compiled.system.piles[self.step.deck].title
                raise HackjackError(f"no card of {title} can be drawn: all of them are held")
            ends.append(anew)
        return joined(ends)

    def _tally(self, states: Distribution) -> None:
        """Count which card the next may be, for cards that come only once."""
        slot = self.compiled.slots.index[Deck(self.step.deck)]
        for out, part in states.parts(lambda state: state[slot]).items():
            shares = next_shares(out)
            total = states.total * sum(bits.bit_count() * ways for bits, ways in shares)
            for bits, ways in shares:
                self.compiled.run.tally(
                    Dealt(self.step.deck, bits & self.counted), sum(part.ways.values()) * ways, total
                )

    def _told_apart(self, states: Distribution, hands: Hands) -> Distribution:
        """It is known which card it is that was dealt, where it may come again."""
        names = [name if Drawn(name) in self.flagged else "" for name in self.pile.names]
        sets = self.pile.sets(names)

        def cases_of(state: State) -> Cases:
            index = hands.waiting(state).cards[-1]
            # Whoever has to be told apart is in play.
            assert index is not None
            return self.compiled.cards.cut(state, index, tuple(sets.values()))

        def with_name(state: State, case: Any) -> tuple[State, str]:
            index = hands.waiting(state).cards[-1]
            assert index is not None
            return self.compiled.cards.with_card(state, index, case), [*sets][case[0]]

        later = self.inner | self.after
        return joined(
            self.compiled.run.mark(part, Drawn(name), later) if name else part
            for name, part in states.labelled(cases_of, with_name).items()
        )

    def _kept(self, states: Distribution, face: str, keep: int, hands: Hands) -> Distribution:
        """Of cards that were drawn, some count: the best, or those that somebody chooses."""
        step, place = self.step, 0
        formulas, (there, states) = [self.best] if self.best else [], states.halves(hands.more_than(0))
        while there.ways and formulas:
            at_hand = there.changed(partial(hands.at_hand, place=place))
            there, place = self.compiled.cards.known_lines(at_hand, formulas), place + 1
            there, over = there.halves(hands.more_than(place))
            states = joined([states, over])
        states = joined([states, there])

        def mark(state: State, place: int) -> int:
            at_hand = with_value(state, hands.card, hands.waiting(state).cards[place])
            there = self.value(at_hand) if self.value else 0
            if not isinstance(there, int):
                self.compiled.refuse(state, step, self.context)
            return int(there or 0)

        def only(state: State, kept: Sequence[int]) -> State:
            return changed_by(state, partial(hands.only, kept=kept))

        def chosen(state: State) -> Cases:
            places = range(len(hands.waiting(state).cards))
            if keep >= len(places) or self.best is not None:
                worths = [mark(state, place) for place in places]
                kept = ranked(worths, "best" if step.best is not None else self.compiled.policy)[:keep]
                return ((only(state, sorted(kept)), 1),), 1
            if self.compiled.policy != "even" and keep:
                raise OpenChoiceError("among cards", policy=self.compiled.policy)
            ways = [(only(state, each), 1) for each in combinations(places, keep)]
            return ways, len(ways)

        # Which of them it was that is kept, nobody can tell any more.
        states, gone = states.branched(chosen), list[Distribution]()
        for place in range(keep):
            states, done = states.halves(hands.more_than(place))
            gone.append(done)
            if not states.ways:
                break
            states = self._count(states, place, face, hands)
        return joined([*gone, states])


@counts(rules.DrawCard)
def count_draw(compiled: CompiledEvent, step: rules.DrawCard, after: KeySet, context: StepContext) -> Plan | None:
    """Return cards that are drawn, for what is asked after them."""
    pile, inner = compiled.piles[step.deck], context._replace(reading=context.reading | {step.deck}, at_hand=True)
    items = frozenset(key for key in compiled.tallied if isinstance(key, Drawn) and key.name in pile.copies)
    twice = pile.returns or compiled.apart
    maybe = frozenset(key for key in items if twice or pile.copies[key.name] > 1)
    own: KeySet = NONE if pile.returns else frozenset({Deck(step.deck)})
    chosen = step.keep is not None and step.best is None and weighs(compiled.policy, context.better)
    best = context.better if chosen else step.best
    formulas = [step.cards, step.face, step.keep]
    asked = own | compiled.names.reads(formulas, context) | without_card(compiled.names.reads([best], inner))
    # What somebody holds is not shuffled back.
    asked |= compiled.cards.holding if compiled.apart and own else NONE
    # A card may have come already, which the steps before this one know.
    live: dict[str, Any] = {"flagged": maybe, "best": best}

    outer = waiting_lines(lines_at_hand(after) if context.at_hand else ())
    marked = lines_at_hand(compiled.names.reads([best], inner))

    def before(now: KeySet) -> KeySet:
        later = (without_card(now) if context.at_hand else now) | outer
        lines: set[str] = set()
        while True:
            following = later | waiting_lines(lines if step.cards is not None else ())
            reading = None if step.then else Reading.of(compiled, [step.deck], step, following, context)
            live["reading"], live["then"] = reading, compiled.live.block(step.then, following, inner)
            counted = reading.before if reading else live["then"].before
            asks = lines_at_hand(counted) | marked | ({ITS_NAME} if ROW in counted else set())
            asks |= {reading.line} if reading and reading.alive else set()
            if asks <= lines:
                break
            lines |= asks
        live["each"] = compiled.live.block(step.each, without_card(following | counted) | waiting_lines(lines), inner)
        there: KeySet = now | counted | live["each"].before
        in_play = step.keep is not None or maybe or there & {CARD, CARDS} or step.each or step.then
        live["inner"] = there | maybe | (IN_PLAY if in_play else NONE)
        entry = without_card(live["inner"]) | asked | (after if context.at_hand else NONE)
        live["entry"] = frozenset(key for key in entry if not isinstance(key, WaitingLine) or key in now)
        return live["entry"]  # type: ignore[no-any-return]

    if step.cards is not None:
        compiled.live.looped(after | maybe, before)
    else:
        before(after)
    blocks = [live["each"], live["then"]] if step.then else [live["each"], live["reading"]]
    if not (items or after & {ROW, CARD, *own} or any(block.alive for block in blocks)):
        return None
    there = dict(live)
    return Plan(live["entry"], lambda: CountedDraw(compiled, step, context, there, after, items).series)
