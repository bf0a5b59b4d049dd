"""Cards that are drawn, read and taken up, for the counter: who they are comes out only as far as somebody asks.

Cards in play are those that somebody may still look at. The one at hand is one of them, by its place; so are those in
a pile, and those that a draw is busy with: they wait in the order in which they were dealt.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import Any

from generator.base.errors import HackjackError
from generator.games.steps.counter_cards import CandidateCard, OutOf, Shared, next_shares
from generator.games.steps.counter_formulas import ITS_CODE, ITS_NAME, NONE, Keys, Setting, name_key
from generator.games.steps.counter_layout import CountedBlock, Plan, Play, ready
from generator.games.steps.counter_ways import (
    Cases,
    Change,
    Slots,
    Spread,
    State,
    StateChange,
    StepSeries,
    changed_by,
    joined,
    put,
    with_value,
)
from generator.games.steps.kinds.cards import MAX_DRAWN
from generator.games.steps.luck_asked import ranked, weighs
from generator.model import rules
from generator.play.chance import OpenChoiceError

Course = Any
"""The course of an event, whose module imports this one."""
_IN_PLAY: Keys = frozenset({"cards", "waiting"})
_ROW = name_key("row")


class ShuffledError(Exception):
    """A deck was shuffled, so cards may come twice: they have to be told apart."""


@dataclass(eq=False, slots=True)
class Waiting(metaclass=Shared):
    """What a draw is busy with: its cards, what was at hand before, and how many cards were in play."""

    cards: tuple[int | None, ...]
    card: int | None
    row: Any
    outer: Waiting | None

    @property
    def values(self) -> tuple[Any, ...]:
        """Everything by which one is told from another."""
        return self.cards, self.card, self.row, self.outer

    def with_cards(self, cards: tuple[int | None, ...]) -> Waiting:
        """Return the same with other cards."""
        return Waiting(cards, self.card, self.row, self.outer)

    def moved(self, places: Mapping[int, int]) -> Waiting:
        """Return the same with cards at other places; those that nobody asks about are none."""
        cards = tuple(None if index is None else places.get(index) for index in self.cards)
        card = None if self.card is None else places.get(self.card)
        return Waiting(cards, card, self.row, self.outer.moved(places) if self.outer else None)


def piled(keys: Keys, pile: str) -> Keys:
    """Return what is asked of the cards in a pile."""
    return frozenset(key for key in keys if key[:2] == ("piled line", pile))


def _lines(keys: Keys) -> set[str]:
    """Return what is asked of the card at hand."""
    return {str(key[1]) for key in keys if key[0] == "line"}


def _waiting(lines: Iterable[str]) -> Keys:
    return frozenset(("waiting line", line) for line in lines)


def _without_hand(keys: Keys) -> Keys:
    """Return what is asked but for what is asked of the card at hand."""
    return frozenset(key for key in keys if key[0] != "line" and key != "card")


class Reading:
    """What the card at hand says, or one that is dealt: each of a deck's cards does something for each face."""

    def __init__(
        self, course: Course, decks: Sequence[str], step: rules.Read | rules.DrawCard, after: Keys, at: Setting
    ) -> None:
        self.course, self.at, self.after = course, at, after
        told = course.names.value(step.face.tree, at) if step.face is not None else ("",)
        only, but = (step.only, step.but) if isinstance(step, rules.Read) else ((), ())
        self.line, self.before, self.alive = "", after, False
        self.blocks: dict[tuple[str, str], list[tuple[CountedBlock, str]]] = {}
        for deck in decks:
            course.look_at_cards(deck)
            inner = at._replace(reading=at.reading | {deck}, at_hand=True, inked=course.system.steps.by_card)
            blocks: dict[Any, CountedBlock] = {}
            for face in [str(told[0])] if told else ["", *course.system.piles[deck].faces]:
                for card in course.piles[deck].cards:
                    effects = card.does(face)
                    if only or but:
                        effects = tuple(e for e in effects if (not only or e.do in only) and e.do not in but)
                    written = course.written(effects)
                    if written not in blocks:
                        blocks[written] = course.block(effects, after, inner)
                    read = card.faces.get(face)
                    title = ((read.name if read else None) or card.name) if _ROW in after else ""
                    self.blocks.setdefault((deck, face), []).append((blocks[written], title))
        self._different = dict.fromkeys(block for blocks in self.blocks.values() for block, _ in blocks)
        self.needs = {block for block in self._different if block.effects}
        self._made: dict[tuple[str, str], tuple[tuple[int, ...], list[Play]]] = {}
        self._apart: dict[tuple[str, str], list[tuple[Any, ...]]] = {}

    @staticmethod
    def of(
        course: Course, decks: Sequence[str], step: rules.Read | rules.DrawCard, after: Keys, at: Setting
    ) -> Reading:
        """Return the reading for what is asked after it, with what its cards ask by now."""
        line = f"reading {course.written((step,))[0]}"
        there: dict[Any, Reading] = course.readings.setdefault(line, {})
        reading = there.get((after, at)) or there.setdefault((after, at), Reading(course, decks, step, after, at))
        for block in reading._different:
            course.using(block)
        reading.line, reading.alive = line, any(block.alive for block in reading._different)
        reading.before = after.union(*(block.before for block in reading._different))
        return reading

    @staticmethod
    def plan(course: Course, step: rules.Read, after: Keys, at: Setting) -> Plan | None:
        """Return the reading of the card at hand, for what is asked after it."""
        reading = Reading.of(course, list(course.piles), step, after, at)
        if not reading.alive:
            return None
        asked = course.names.of_card_at_hand(reading.line)
        before = reading.before.union(asked, course.names.reads([step.face], at))

        def make() -> Play:
            faces, (card, cards) = (
                course.figures([step.face], at),
                (course.layout.slot[key] for key in ("card", "cards")),
            )
            only = next(iter(course.piles)) if len(course.piles) == 1 else ""

            def read(spread: Spread) -> Spread:
                ends = []
                if not at.at_hand and spread.ways:
                    course.refuse(next(iter(spread.ways)), step, at)
                for (face,), part in faces(spread).items():
                    decks = {only: part} if only else part.parts(lambda state: state[cards][state[card]].deck)
                    for deck, side in decks.items():
                        ends.append(reading.play(side, deck, str(face or ""), lambda state: state[card]))
                return joined(ends)

            return read

        return Plan(before, make)

    def _sets(self, deck: str, face: str) -> tuple[tuple[int, ...], list[Play]]:
        """Return the sets of cards that do the same, and what each set does."""
        if (deck, face) not in self._made:
            told = self._told(deck, face)
            sets = self.course.piles[deck].sets(told)
            first = {mine: block for mine, (block, _) in zip(told, self.blocks[deck, face], strict=True)}
            self._made[deck, face] = tuple(sets.values()), [self._does(first[mine], mine[1]) for mine in sets]
        return self._made[deck, face]

    def _told(self, deck: str, face: str) -> list[tuple[Any, ...]]:
        """Return by what the cards of a deck are told apart: what they do, their names, and which they are."""
        if (deck, face) not in self._apart:
            blocks, names = self.blocks.get((deck, face), ()), self.course.piles[deck].names
            self._apart[deck, face] = [
                (block.does, title, name if ("line", ITS_CODE) in block.before else "")
                for (block, title), name in zip(blocks, names, strict=False)
            ]
        return self._apart[deck, face]

    def told(self, deck: str, place: int) -> tuple[Any, ...]:
        """Return by what a card is told from others of its deck, whichever face is read."""
        return tuple(self._told(deck, face)[place] for of, face in self.blocks if of == deck)

    def _does(self, block: CountedBlock, title: str) -> Play:
        course, row = self.course, self.course.layout.slot.get(_ROW) if _ROW in self.after else None
        enter = course.layout.with_pen(course.entered(block, self.before))

        def does(spread: Spread) -> Spread:
            spread = spread.changed(lambda slots: put(slots, row, title)) if row is not None else spread
            return enter(spread) if block.alive else spread

        return does

    def play(self, spread: Spread, deck: str, face: str, index_of: Callable[[State], int] | None = None) -> Spread:
        """Return what the cards of one deck do: those in play at some places, or else those that were dealt last."""
        if (deck, face) not in self.blocks:
            raise HackjackError(f"{self.course.system.piles[deck].title} has no face {face or 'where none is said'}")
        sets, plays = self._sets(deck, face)

        course = self.course

        def dealt(state: State) -> Cases:
            cases: Cases = course.cut_dealt(state, course.dealt(state, deck), sets)
            return cases

        def at_hand(state: State) -> Cases:
            assert index_of is not None
            cases: Cases = course.cut(state, index_of(state), sets)
            return cases

        def with_card(state: State, case: Any) -> tuple[State, int]:
            assert index_of is not None
            return course.with_card(state, index_of(state), case), case[0]

        if len(sets) == 1:
            return plays[0](spread)
        parts = spread.labelled(dealt) if index_of is None else spread.labelled(at_hand, with_card)
        return joined(plays[which](part) for which, part in parts.items())


class TakingUp:
    """The cards of a pile come to hand, one after the other."""

    @staticmethod
    def plan(course: Course, step: rules.TakeUp, after: Keys, at: Setting) -> Plan | None:
        """Return the step for what is asked after it."""
        inner, own = at._replace(at_hand=True), frozenset({("pile", step.pile), *_IN_PLAY})
        outer = _waiting(_lines(after) if at.at_hand else ())

        def before(now: Keys) -> Keys:
            then: Keys = course.block(step.then, now, inner).before
            asked = _lines(then) | ({ITS_NAME} if _ROW in then else set())
            return _without_hand(then) | _waiting(asked) | {("piled line", step.pile, line) for line in asked}

        now: Keys = course.looped((_without_hand(after) if at.at_hand else after) | own | outer, before)
        block = course.block(step.then, now, inner)
        if not block.alive:
            return None
        entry = _without_hand(before(now)) | after if at.at_hand else _without_hand(before(now))
        entry = frozenset(key for key in entry if key[0] != "waiting line" or key in after)

        def make() -> Play:
            hands, pile = Hands(course, at, now | own, block.before), course.layout.slot["pile", step.pile]

            def opened(slots: Slots) -> None:
                hands.open(slots, tuple(index for index, _ in slots[pile]))

            def take_up(spread: Spread) -> Spread:
                place, over = 0, []
                while spread.ways:
                    spread, done = spread.halves(hands.more_than(place))
                    over.append(done)
                    spread, place = course.play(block, hands.taken(spread, place, last=True)), place + 1
                return joined(over)

            return StepSeries([StateChange(opened), take_up, StateChange(hands.closed(after))])

        return Plan(entry | own, make)


class Hands:
    """Cards in play that a step is busy with."""

    def __init__(self, course: Course, at: Setting, live: Keys, counted: Keys) -> None:
        slot = course.layout.slot
        self._tidy = course.layout.tidied(counted | {("line", ITS_NAME)} if _ROW in live else counted)
        self.course, self.at, self._slot = course, at, slot["waiting"]
        self.cards, self.card, self.row = slot["cards"], slot["card"], slot.get(_ROW) if _ROW in live else None

    def waiting(self, state: State | Slots) -> Waiting:
        """Return the cards that wait."""
        there: Waiting = state[self._slot]
        return there

    def more_than(self, many: int) -> Callable[[State], bool]:
        """Return whether more cards wait than so many."""
        return lambda state: len(self.waiting(state).cards) > many

    def open(self, slots: Slots, cards: tuple[int, ...] = ()) -> None:
        """Let some cards wait."""
        row = None if self.row is None else slots[self.row]
        slots[self._slot] = Waiting(cards, slots[self.card], row, slots[self._slot])

    def added(self, slots: Slots, hand: CandidateCard) -> None:
        """Let one more card wait."""
        cards, waiting = slots[self.cards], self.waiting(slots)
        slots[self.cards] = (*cards, hand)
        slots[self._slot] = waiting.with_cards((*waiting.cards, len(cards)))

    def at_hand(self, slots: Slots, place: int) -> None:
        """Take one of the cards that wait to hand."""
        slots[self.card] = self.waiting(slots).cards[place]

    def only(self, slots: Slots, kept: Sequence[int]) -> None:
        """Let only some of the cards wait."""
        waiting = self.waiting(slots)
        slots[self._slot] = waiting.with_cards(tuple([waiting.cards[at] for at in kept]))
        self._tidy(slots)

    def last(self, slots: Slots, place: int) -> None:
        """Take one of the cards that wait to hand: it waits no longer."""
        waiting = self.waiting(slots)
        self.at_hand(slots, place)
        cards = [*waiting.cards]
        cards[place] = None
        slots[self._slot] = waiting.with_cards(tuple(cards))
        self._tidy(slots)

    def taken(self, spread: Spread, place: int, *, last: bool = False) -> Spread:
        """Return the states with one of the cards that wait at hand, and named where somebody asks for its name; if
        this is the `last` time, it waits no longer."""
        spread = spread.changed(partial(self.last if last else self.at_hand, place=place))
        if self.row is None:
            return spread
        ends = []
        for deck, part in spread.parts(lambda state: state[self.cards][state[self.card]].deck).items():
            pile = self.course.piles[deck]
            sets = tuple(pile.sets([card.name for card in pile.cards]).values())
            cut = part.branched(
                lambda state, sets=sets: self.course.cut(state, state[self.card], sets),  # type: ignore[misc]
                lambda state, case: self.course.with_card(state, state[self.card], case),
            )
            ends.append(cut.changed(lambda slots, pile=pile: put(slots, self.row, self._title(slots, pile))))  # type: ignore[misc]
        return joined(ends)

    def _title(self, slots: Slots, pile: Any) -> str:
        name: str = pile.cards[pile.first(slots[self.cards][slots[self.card]].may_be)].name
        return name

    def closed(self, after: Keys) -> Change:
        """Return what makes an end of it: cards of which nothing is asked any more are out of play."""
        tidy: Change = self.course.layout.tidied(after)

        def close(slots: Slots) -> None:
            waiting = self.waiting(slots)
            if self.at.at_hand:
                put(slots, self.row, waiting.row)
                slots[self.card] = waiting.card
            slots[self._slot] = waiting.outer
            tidy(slots)

        return close


class CountedDraw:
    """Cards of a deck, drawn one after the other."""

    def __init__(
        self, course: Course, step: rules.DrawCard, at: Setting, live: Mapping[str, Any], after: Keys, items: Keys
    ) -> None:
        self.course, self.step, self.at, self.after = course, step, at, after
        self.reading, self.each, self.then, self.entry = live["reading"], live["each"], live["then"], live["entry"]
        self.pile, self.slot = course.piles[step.deck], course.layout.slot.get(("deck", step.deck))
        self.inner: Keys = live["inner"]
        counted = self.then.before if step.then else self.reading.before | {("line", self.reading.line)}
        self.hands = Hands(course, at, self.inner, counted) if "waiting" in self.inner else None
        self.figures = course.figures([step.cards, step.face, step.keep], at)
        self.flagged, self.counted = live["flagged"], self.pile.bits(str(key[1]) for key in items - live["flagged"])
        self.best = live["best"]
        self.value = ready(self.best, course.names, at, course.layout) if self.best is not None else None

    @staticmethod
    def plan(course: Course, step: rules.DrawCard, after: Keys, at: Setting) -> Plan | None:
        """Return the step for what is asked after it."""
        pile, inner = course.piles[step.deck], at._replace(reading=at.reading | {step.deck}, at_hand=True)
        items = frozenset(key for key in course.tallied if key[0] == "drawn" and key[1] in pile.copies)
        twice = pile.returns or course.apart
        maybe = frozenset(key for key in items if twice or pile.copies[str(key[1])] > 1)
        own: Keys = NONE if pile.returns else frozenset({("deck", step.deck)})
        chosen = step.keep is not None and step.best is None and weighs(course.policy, at.better)
        best = at.better if chosen else step.best
        formulas = [step.cards, step.face, step.keep]
        asked = own | course.names.reads(formulas, at) | _without_hand(course.names.reads([best], inner))
        # What somebody holds is not shuffled back.
        asked |= course.holding if course.apart and own else NONE
        # A card may have come already, which the steps before this one know.
        live: dict[str, Any] = {"flagged": maybe, "best": best}

        outer = _waiting(_lines(after) if at.at_hand else ())
        marked = _lines(course.names.reads([best], inner))

        def before(now: Keys) -> Keys:
            later = (_without_hand(now) if at.at_hand else now) | outer
            lines: set[str] = set()
            while True:
                following = later | _waiting(lines if step.cards is not None else ())
                reading = None if step.then else Reading.of(course, [step.deck], step, following, at)
                live["reading"], live["then"] = reading, course.block(step.then, following, inner)
                counted = reading.before if reading else live["then"].before
                asks = _lines(counted) | marked | ({ITS_NAME} if _ROW in counted else set())
                asks |= {reading.line} if reading and reading.alive else set()
                if asks <= lines:
                    break
                lines |= asks
            live["each"] = course.block(step.each, _without_hand(following | counted) | _waiting(lines), inner)
            there: Keys = now | counted | live["each"].before
            in_play = step.keep is not None or maybe or there & {"card", "cards"} or step.each or step.then
            live["inner"] = there | maybe | (_IN_PLAY if in_play else NONE)
            entry = _without_hand(live["inner"]) | asked | (after if at.at_hand else NONE)
            live["entry"] = frozenset(key for key in entry if key[0] != "waiting line" or key in now)
            return live["entry"]  # type: ignore[no-any-return]

        if step.cards is not None:
            course.looped(after | maybe, before)
        else:
            before(after)
        blocks = [live["each"], live["then"]] if step.then else [live["each"], live["reading"]]
        if not (items or after & {_ROW, "card", *own} or any(block.alive for block in blocks)):
            return None
        there = dict(live)
        return Plan(live["entry"], lambda: CountedDraw(course, step, at, there, after, items).series)

    @property
    def series(self) -> StepSeries:
        """What it makes of a distribution, from the first card to the last."""
        if self.hands is None:
            return StepSeries([self.play])
        return StepSeries([StateChange(self.hands.open), self.play, StateChange(self.hands.closed(self.after))])

    def play(self, spread: Spread) -> Spread:
        """Return a distribution after so many cards."""
        course, step, hands = self.course, self.step, self.hands
        ends = []
        for (times, face, keep), part in self.figures(spread).items():
            times, face = 1 if step.cards is None else times, str(face or "")
            wrong = not isinstance(times, int) or not 0 <= times <= MAX_DRAWN
            if wrong or (step.keep is not None and (not isinstance(keep, int) or keep < 0)):
                course.refuse(next(iter(part.ways)), step, self.at)
            for _ in range(times):
                part = self._one(part, face)
            if step.keep is not None and hands is not None:
                part = self._kept(part, face, keep, hands)
            ends.append(part)
        return joined(ends)

    def _one(self, spread: Spread, face: str) -> Spread:
        """A card is dealt; where all count, it counts at once."""
        empty = Spread({})
        if any(map(self._is_empty, spread.ways)):
            over, spread = spread.halves(self._is_empty)
            empty, anew = self._shuffled(over).halves(self._is_empty)
            spread = joined([spread, anew])
        if self.counted and spread.ways:
            self._tally(spread)
        spread = spread.changed(self._dealt)
        if self.hands is None:
            return joined([empty, self.reading.play(spread, self.step.deck, face)])
        hands = self.hands
        spread = self._told_apart(spread, hands) if self.flagged else spread
        if self.each.alive:
            spread = self.course.play(self.each, hands.taken(spread, -1))
        return joined([empty, self._count(spread, -1, face, hands) if self.step.keep is None else spread])

    def _dealt(self, slots: Slots) -> None:
        """Deal one more card."""
        if self.slot is not None:
            slots[self.slot] = slots[self.slot].with_next()
        if self.hands is not None:
            self.hands.added(slots, self.course.dealt(slots, self.step.deck))

    def _count(self, spread: Spread, place: int, face: str, hands: Hands) -> Spread:
        """A card counts: it does what it says, or what the step says."""
        spread = hands.taken(spread, place, last=True)
        if self.step.then:
            then: Spread = self.course.play(self.then, spread)
            return then
        there: Spread = self.reading.play(spread, self.step.deck, face, lambda state: state[hands.card])
        return there

    def _is_empty(self, state: State) -> bool:
        out: OutOf | None = None if self.slot is None else state[self.slot]
        return out is not None and out.dealt >= out.base.bit_count()

    def _shuffled(self, spread: Spread) -> Spread:
        """A deck in which nothing is left is shuffled; what this event has drawn stays out, as long as others are left.

        Where all of it was drawn in this event, and it is read, nothing is left.
        """
        slot, everything, reads = self.course.layout.slot["deck", self.step.deck], self.pile.all, self.at.reading
        ends = []
        for spent, part in spread.parts(lambda state: state[slot].spent | state[slot].base).items():
            if spent == everything and self.step.deck in reads:
                ends.append(part)
                continue
            self.course.shuffles()
            anew = self.course.shuffled(part, self.step.deck, 0 if spent == everything else spent)
            if self.step.deck not in reads and any(map(self._is_empty, anew.ways)):
                title = self.course.system.piles[self.step.deck].title
                raise HackjackError(f"no card of {title} can be drawn: all of them are held")
            ends.append(anew)
        return joined(ends)

    def _tally(self, spread: Spread) -> None:
        """Count which card the next may be, for cards that come only once."""
        slot = self.course.layout.slot["deck", self.step.deck]
        for out, part in spread.parts(lambda state: state[slot]).items():
            shares = next_shares(out)
            total = spread.total * sum(bits.bit_count() * ways for bits, ways in shares)
            for bits, ways in shares:
                self.course.tally(("dealt", self.step.deck, bits & self.counted), sum(part.ways.values()) * ways, total)

    def _told_apart(self, spread: Spread, hands: Hands) -> Spread:
        """It is known which card it is that was dealt, where it may come again."""
        names = [name if ("drawn", name) in self.flagged else "" for name in self.pile.names]
        sets = self.pile.sets(names)

        def cases_of(state: State) -> Cases:
            index = hands.waiting(state).cards[-1]
            # Whoever has to be told apart is in play.
            assert index is not None
            cases: Cases = self.course.cut(state, index, tuple(sets.values()))
            return cases

        def with_name(state: State, case: Any) -> tuple[State, str]:
            return self.course.with_card(state, hands.waiting(state).cards[-1], case), [*sets][case[0]]

        later = self.inner | self.after
        return joined(
            self.course.mark(part, ("drawn", name), later) if name else part
            for name, part in spread.labelled(cases_of, with_name).items()
        )

    def _kept(self, spread: Spread, face: str, keep: int, hands: Hands) -> Spread:
        """Of cards that were drawn, some count: the best, or those that somebody chooses."""
        step, place = self.step, 0
        formulas, (there, spread) = [self.best] if self.best else [], spread.halves(hands.more_than(0))
        while there.ways and formulas:
            at_hand = there.changed(partial(hands.at_hand, place=place))
            there, place = self.course.known_lines(at_hand, formulas), place + 1
            there, over = there.halves(hands.more_than(place))
            spread = joined([spread, over])
        spread = joined([spread, there])

        def mark(state: State, place: int) -> int:
            at_hand = with_value(state, hands.card, hands.waiting(state).cards[place])
            there = self.value(at_hand) if self.value else 0
            if not isinstance(there, int):
                self.course.refuse(state, step, self.at)
            return int(there or 0)

        def only(state: State, kept: Sequence[int]) -> State:
            return changed_by(state, partial(hands.only, kept=kept))

        def chosen(state: State) -> Cases:
            places = range(len(hands.waiting(state).cards))
            if keep >= len(places) or self.best is not None:
                worths = [mark(state, at) for at in places]
                kept = ranked(worths, "best" if step.best is not None else self.course.policy)[:keep]
                return ((only(state, sorted(kept)), 1),), 1
            if self.course.policy != "even" and keep:
                raise OpenChoiceError("among cards", policy=self.course.policy)
            ways = [(only(state, each), 1) for each in combinations(places, keep)]
            return ways, len(ways)

        # Which of them it was that is kept, nobody can tell any more.
        spread, over = spread.branched(chosen), []
        for place in range(keep):
            spread, done = spread.halves(hands.more_than(place))
            over.append(done)
            if not spread.ways:
                break
            spread = self._count(spread, place, face, hands)
        return joined([*over, spread])
