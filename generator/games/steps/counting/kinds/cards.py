"""Cards that are read, taken up, kept and shuffled: which they are comes out only as far as a step asks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from generator.base.errors import HackjackError
from generator.games.steps.counting.card_sets import CandidateCard, WaitingCards
from generator.games.steps.counting.compile import CompiledEvent, counts, whole
from generator.games.steps.counting.distribution import (
    AnyState,
    Change,
    Distribution,
    Draft,
    State,
    StateChange,
    StepSeries,
    joined,
    put,
)
from generator.games.steps.counting.keys import (
    CARD,
    CARDS,
    IN_PLAY,
    ITS_CODE,
    ITS_NAME,
    NONE,
    ROW,
    WAITING,
    Deck,
    KeySet,
    Line,
    Pile,
    PiledLine,
    StepContext,
    WaitingLine,
    lines_at_hand,
    piled_lines,
    waiting_lines,
    without_card,
)
from generator.games.steps.counting.liveness import Block, Plan
from generator.games.steps.counting.state_slots import Play
from generator.model import rules


class Reading:
    """What the card at hand says, or one that is dealt: each of a deck's cards does something for each face."""

    def __init__(
        self,
        compiled: CompiledEvent,
        decks: Sequence[str],
        step: rules.Read | rules.DrawCard,
        after: KeySet,
        context: StepContext,
    ) -> None:
        self.compiled, self.context, self.after = compiled, context, after
        told = compiled.names.value(step.face.tree, context) if step.face is not None else ("",)
        only, but = (step.only, step.but) if isinstance(step, rules.Read) else ((), ())
        self.line, self.before, self.alive = "", after, False
        self.blocks: dict[tuple[str, str], list[tuple[Block, str]]] = {}
        for deck in decks:
            compiled.live.pay(len(compiled.piles[deck].names) // 10)
            inner = context._replace(
                reading=context.reading | {deck}, at_hand=True, inked=compiled.system.steps.by_card
            )
            blocks: dict[Any, Block] = {}
            for face in [str(told[0])] if told else ["", *compiled.system.piles[deck].faces]:
                for card in compiled.piles[deck].cards:
                    effects = card.does(face)
                    if only or but:
                        effects = tuple(e for e in effects if (not only or e.do in only) and e.do not in but)
                    written = compiled.live.written(effects)
                    if written not in blocks:
                        blocks[written] = compiled.live.block(effects, after, inner)
                    read = card.faces.get(face)
                    title = ((read.name if read else None) or card.name) if ROW in after else ""
                    self.blocks.setdefault((deck, face), []).append((blocks[written], title))
        self._different = dict.fromkeys(block for blocks in self.blocks.values() for block, _ in blocks)
        self.needs = {block for block in self._different if block.effects}
        self._made: dict[tuple[str, str], tuple[tuple[int, ...], list[Play]]] = {}
        self._apart: dict[tuple[str, str], list[tuple[Any, ...]]] = {}

    @staticmethod
    def of(
        compiled: CompiledEvent,
        decks: Sequence[str],
        step: rules.Read | rules.DrawCard,
        after: KeySet,
        context: StepContext,
    ) -> Reading:
        """Return the reading for what is asked after it, with what its cards ask by now."""
        line = f"reading {compiled.live.written((step,))[0]}"
        there: dict[Any, Any] = compiled.cards.readings.setdefault(line, {})
        reading: Reading = there.get((after, context)) or there.setdefault(
            (after, context), Reading(compiled, decks, step, after, context)
        )
        for block in reading._different:
            compiled.live.using(block)
        reading.line, reading.alive = line, any(block.alive for block in reading._different)
        reading.before = after.union(*(block.before for block in reading._different))
        return reading

    def _sets(self, deck: str, face: str) -> tuple[tuple[int, ...], list[Play]]:
        """Return the sets of cards that do the same, and what each set does."""
        if (deck, face) not in self._made:
            told = self._told(deck, face)
            sets = self.compiled.piles[deck].sets(told)
            first = {mine: block for mine, (block, _) in zip(told, self.blocks[deck, face], strict=True)}
            self._made[deck, face] = tuple(sets.values()), [self._does(first[mine], mine[1]) for mine in sets]
        return self._made[deck, face]

    def _told(self, deck: str, face: str) -> list[tuple[Any, ...]]:
        """Return by what the cards of a deck are told apart: what they do, their names, and which they are."""
        if (deck, face) not in self._apart:
            blocks, names = self.blocks.get((deck, face), ()), self.compiled.piles[deck].names
            self._apart[deck, face] = [
                (block.does, title, name if Line(ITS_CODE) in block.before else "")
                for (block, title), name in zip(blocks, names, strict=False)
            ]
        return self._apart[deck, face]

    def told(self, deck: str, place: int) -> tuple[Any, ...]:
        """Return by what a card is told from others of its deck, whichever face is read."""
        return tuple(self._told(deck, face)[place] for of, face in self.blocks if of == deck)

    def _does(self, block: Block, title: str) -> Play:
        compiled, row = self.compiled, self.compiled.slots.index.get(ROW) if ROW in self.after else None
        enter = compiled.slots.with_pen(compiled.entered(block, self.before))

        def does(states: Distribution) -> Distribution:
            states = states.changed(lambda draft: put(draft, row, title)) if row is not None else states
            return enter(states) if block.alive else states

        return does

    def play(
        self, states: Distribution, deck: str, face: str, index_of: Callable[[State], int] | None = None
    ) -> Distribution:
        """Return what the cards of one deck do: those in play at some places, or else those that were dealt last."""
        if (deck, face) not in self.blocks:
            raise HackjackError(f"{self.compiled.system.piles[deck].title} has no face {face or 'where none is said'}")
        (sets, plays), cards = self._sets(deck, face), self.compiled.cards
        if len(sets) == 1:
            return plays[0](states)
        if index_of is None:
            parts = states.labelled(lambda state: cards.cut_dealt(state, cards.dealt(state, deck), sets))
        else:
            parts = states.labelled(
                lambda state: cards.cut(state, index_of(state), sets),
                lambda state, case: (cards.with_card(state, index_of(state), case), case[0]),
            )
        return joined(plays[which](part) for which, part in parts.items())


class Hands:
    """Cards in play that a step is busy with."""

    def __init__(self, compiled: CompiledEvent, context: StepContext, live: KeySet, counted: KeySet) -> None:
        slot = compiled.slots.index
        self._tidy = compiled.slots.tidied(counted | {Line(ITS_NAME)} if ROW in live else counted)
        self.compiled, self.context, self._slot = compiled, context, slot[WAITING]
        self.cards, self.card, self.row = slot[CARDS], slot[CARD], slot.get(ROW) if ROW in live else None

    def waiting(self, state: AnyState) -> WaitingCards:
        """Return the cards that wait."""
        there: WaitingCards = state[self._slot]
        return there

    def more_than(self, many: int) -> Callable[[State], bool]:
        """Return whether more cards wait than so many."""
        return lambda state: len(self.waiting(state).cards) > many

    def open(self, draft: Draft, cards: tuple[int, ...] = ()) -> None:
        """Let some cards wait."""
        row = None if self.row is None else draft[self.row]
        draft[self._slot] = WaitingCards(cards, draft[self.card], row, draft[self._slot])

    def added(self, draft: Draft, hand: CandidateCard) -> None:
        """Let one more card wait."""
        cards, waiting = draft[self.cards], self.waiting(draft)
        draft[self.cards] = (*cards, hand)
        draft[self._slot] = waiting.with_cards((*waiting.cards, len(cards)))

    def at_hand(self, draft: Draft, place: int) -> None:
        """Take one of the cards that wait to hand."""
        draft[self.card] = self.waiting(draft).cards[place]

    def only(self, draft: Draft, kept: Sequence[int]) -> None:
        """Let only some of the cards wait."""
        waiting = self.waiting(draft)
        draft[self._slot] = waiting.with_cards(tuple([waiting.cards[place] for place in kept]))
        self._tidy(draft)

    def last(self, draft: Draft, place: int) -> None:
        """Take one of the cards that wait to hand: it waits no longer."""
        waiting = self.waiting(draft)
        self.at_hand(draft, place)
        cards = [*waiting.cards]
        cards[place] = None
        draft[self._slot] = waiting.with_cards(tuple(cards))
        self._tidy(draft)

    def taken(self, states: Distribution, place: int, *, last: bool = False) -> Distribution:
        """Return the states with one of the cards that wait at hand, and named where somebody asks for its name; if
        this is the `last` time, it waits no longer."""
        states = states.changed(partial(self.last if last else self.at_hand, place=place))
        if self.row is None:
            return states
        ends = []
        for deck, part in states.parts(lambda state: state[self.cards][state[self.card]].deck).items():
            pile = self.compiled.piles[deck]
            sets = tuple(pile.sets([card.name for card in pile.cards]).values())
            cut = part.branched(
                lambda state, sets=sets: self.compiled.cards.cut(state, state[self.card], sets),  # type: ignore[misc]
                lambda state, case: self.compiled.cards.with_card(state, state[self.card], case),
            )
            ends.append(cut.changed(lambda draft, pile=pile: put(draft, self.row, self._title(draft, pile))))  # type: ignore[misc]
        return joined(ends)

    def _title(self, draft: Draft, pile: Any) -> str:
        name: str = pile.cards[pile.first(draft[self.cards][draft[self.card]].may_be)].name
        return name

    def closed(self, after: KeySet) -> Change:
        """Return what makes an end of it: cards of which nothing is asked any more are out of play."""
        tidy: Change = self.compiled.slots.tidied(after)

        def close(draft: Draft) -> None:
            waiting = self.waiting(draft)
            if self.context.at_hand:
                put(draft, self.row, waiting.row)
                draft[self.card] = waiting.card
            draft[self._slot] = waiting.outer
            tidy(draft)

        return close


@counts(rules.Read)
def count_read(compiled: CompiledEvent, step: rules.Read, after: KeySet, context: StepContext) -> Plan | None:
    """Return the reading of the card at hand, for what is asked after it."""
    reading = Reading.of(compiled, list(compiled.piles), step, after, context)
    if not reading.alive:
        return None
    asked = compiled.names.of_card_at_hand(reading.line)
    before = reading.before.union(asked, compiled.names.reads([step.face], context))

    def make() -> Play:
        faces = compiled.figures([step.face], context)
        card, cards = compiled.slots.index[CARD], compiled.slots.index[CARDS]
        only = next(iter(compiled.piles)) if len(compiled.piles) == 1 else ""

        def read(states: Distribution) -> Distribution:
            ends = []
            if not context.at_hand and states.ways:
                compiled.refuse(next(iter(states.ways)), step, context)
            for (face,), part in faces(states).items():
                decks = {only: part} if only else part.parts(lambda state: state[cards][state[card]].deck)
                for deck, side in decks.items():
                    ends.append(reading.play(side, deck, str(face or ""), lambda state: state[card]))
            return joined(ends)

        return read

    return Plan(before, make)


@counts(rules.TakeUp)
def count_take_up(compiled: CompiledEvent, step: rules.TakeUp, after: KeySet, context: StepContext) -> Plan | None:
    """Return the cards of a pile, which come to hand one after the other."""
    inner, own = context._replace(at_hand=True), frozenset({Pile(step.pile), *IN_PLAY})
    outer = waiting_lines(lines_at_hand(after) if context.at_hand else ())

    def before(now: KeySet) -> KeySet:
        then: KeySet = compiled.live.block(step.then, now, inner).before
        asked = lines_at_hand(then) | ({ITS_NAME} if ROW in then else set())
        return without_card(then) | waiting_lines(asked) | {PiledLine(step.pile, line) for line in asked}

    now: KeySet = compiled.live.looped((without_card(after) if context.at_hand else after) | own | outer, before)
    block = compiled.live.block(step.then, now, inner)
    if not block.alive:
        return None
    entry = without_card(before(now)) | after if context.at_hand else without_card(before(now))
    entry = frozenset(key for key in entry if not isinstance(key, WaitingLine) or key in after)

    def make() -> Play:
        hands, pile = Hands(compiled, context, now | own, block.before), compiled.slots.index[Pile(step.pile)]

        def opened(draft: Draft) -> None:
            hands.open(draft, tuple(index for index, _ in draft[pile]))

        def take_up(states: Distribution) -> Distribution:
            place, over = 0, []
            while states.ways:
                states, done = states.halves(hands.more_than(place))
                over.append(done)
                states, place = compiled.play(block, hands.taken(states, place, last=True)), place + 1
            return joined(over)

        return StepSeries([StateChange(opened), take_up, StateChange(hands.closed(after))])

    return Plan(entry | own, make)


@counts(rules.Keep)
def count_keep(compiled: CompiledEvent, step: rules.Keep, after: KeySet, context: StepContext) -> Plan | None:
    """Return what puts the card at hand on a pile: who it is, as far as somebody asks that of the pile."""
    if not context.at_hand:
        # The engine says that no card is at hand.
        return compiled.by_engine(whole(step), after, context, NONE, NONE)
    if Pile(step.pile) not in after:
        return None
    key, asked, most = Pile(step.pile), piled_lines(after, step.pile), compiled.system.steps.piles[step.pile].most
    reads = compiled.names.reads([step.counts], context).union(
        *(compiled.names.of_card_at_hand(each.line) for each in asked)
    )

    def make() -> Play:
        slot, card = compiled.slots.index[key], compiled.slots.index.get(CARD)

        def kept(draft: Draft, counts: int = 0) -> None:
            hand = draft[card] if card is not None and asked else None
            there = draft[slot] if most > 1 else ()
            draft[slot] = (*there, (hand, counts))[-most:]

        if step.counts is None:
            return StateChange(kept)
        values = compiled.figures([step.counts], context)

        def keep(states: Distribution) -> Distribution:
            ends = []
            for (value,), part in values(states).items():
                if not isinstance(value, int):
                    compiled.refuse(next(iter(part.ways)), step, context)
                ends.append(part.changed(partial(kept, counts=value)))
            return joined(ends)

        return keep

    return Plan((after - {key} - asked if most == 1 else after) | reads, make)


@counts(rules.PutAway)
def count_put_away(compiled: CompiledEvent, step: rules.PutAway, after: KeySet, context: StepContext) -> Plan | None:
    """Return what takes cards of a pile away: all of them, or as many as a formula says."""
    key = Pile(step.pile)
    if key not in after:
        return None
    if step.by is None:
        before = after - {key} - piled_lines(after, step.pile)
        return Plan(before, lambda: StateChange(partial(put, slot=compiled.slots.index[key], value=())))
    reads, own = compiled.names.reads([step.by], context) | {key}, frozenset({key})
    return compiled.by_engine(whole(step), after, context, reads, own)


@counts(rules.Shuffle)
def count_shuffle(compiled: CompiledEvent, step: rules.Shuffle, after: KeySet, _: StepContext) -> Plan | None:
    """Return the shuffling of a deck, without what somebody holds."""
    if Deck(step.deck) not in after:
        return None
    return Plan(after | compiled.cards.holding, lambda: partial(compiled.cards.shuffled, deck=step.deck, spent=0))
