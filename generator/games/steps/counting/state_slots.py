"""States of the counter: the slot of each key, and the engine's run made from a state and read back into one."""

from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any

from generator.base.dice import Dice
from generator.games.steps.counting.card_sets import CandidateCard, DealtCards, DeckCards
from generator.games.steps.counting.distribution import AnyState, Change, Distribution, Draft, State, put
from generator.games.steps.counting.keys import (
    CALLING,
    CARD,
    CARDS,
    COMING,
    DEAD,
    DETAILS,
    GOES_ON,
    HELD,
    HELD_CARDS,
    LASTS,
    LOST,
    ORIGIN,
    OUTER_PENS,
    OWED,
    PART,
    PEN,
    PLACE,
    PLACED,
    PLACED_HURT,
    SAVES,
    SEEN,
    SPANS,
    UNSET,
    WAITING,
    Deck,
    Fact,
    Key,
    KeySet,
    Met,
    Name,
    News,
    Number,
    OfCard,
    Pile,
    StepContext,
    Suffered,
    WaitingLine,
    lines_at_hand,
    of_held,
    piled_lines,
)
from generator.games.steps.counting.seen_conditions import SeenConditions
from generator.games.steps.engine import EventRun
from generator.games.steps.scope import FRESH_NAMES
from generator.games.steps.shape import ordered_conditions
from generator.games.steps.state import HeldCondition, Owed, PiledCard, StepsState, fresh_values
from generator.model import rules
from generator.model.formulas import Result
from generator.play.apply_effects import NOW, EffectApplier, WoundContext
from generator.play.chance import Chance, Given, Policy
from generator.play.piles import all_names

Play = Callable[[Distribution], Distribution]
"""A step made ready: what it makes of a distribution."""
LineOf = Callable[[str, int, str], Any]
"""What may be asked of a card: its deck, its place there, and the name of what is asked."""
_MARKS: KeySet = frozenset({SPANS, OWED, DETAILS, HELD_CARDS, GOES_ON})
"""Keys that have no slot: they say what is seen of conditions and saves, or that something follows."""
_KEPT: KeySet = frozenset({CALLING, OUTER_PENS, WAITING, CARDS, DEAD})
"""Slots that steps clear themselves, and who is dead, which every run asks."""
_FRESH_PEN: Mapping[Key, Any] = {PART: "", PLACE: "", LASTS: NOW, PLACED: False}


class StateSlots:
    """The slots of states for a set of keys: the names of the event first, then the pen, then all the rest."""

    def __init__(
        self,
        system: rules.System,
        event: str,
        keys: KeySet,
        piles: Mapping[str, DeckCards],
        line_of: LineOf,
        policy: Policy = "",
    ) -> None:
        self.system, self.event, self.piles, self.policy = system, event, piles, policy
        self.line_of, self._likes = line_of, dict[Any, list[int]]()
        self.names = sorted(key.name for key in keys if isinstance(key, Name))
        self.pen = [key for key in PEN if key in keys]
        order: list[Key] = [*map(Name, self.names), *([CALLING] if self.names else [])]
        self.frame, self.first_pen = len(self.names), len(order)
        order += [*self.pen, OUTER_PENS] if self.pen else []
        self.last_pen = len(order) - 1
        rest = {key for key in keys if not (of_held(key) or key in _MARKS or isinstance(key, OfCard))} - {*order}
        more = {CARD, WAITING} if CARDS in keys else set()
        order += sorted({*rest, *more, DEAD}, key=str)
        order += [HELD] if any(map(of_held, keys)) else []
        self.index: dict[Key, int] = {key: slot for slot, key in enumerate(order)}
        self.numbers = {key.name: slot for key, slot in self.index.items() if isinstance(key, Number)}
        self.decks = {key.name: slot for key, slot in self.index.items() if isinstance(key, Deck)}
        self.piled = {key.name: slot for key, slot in self.index.items() if isinstance(key, Pile)}
        self._news = {key: slot for key, slot in self.index.items() if isinstance(key, News)}
        self._facts = {key: slot for key, slot in self.index.items() if isinstance(key, Fact)}
        self._fresh = fresh_values(system)
        takes = (item for happening in system.head.events.values() for item in happening.takes.items())
        self._dice = {name for name, argument in takes if argument.die} & {*self.names}
        self._seen: dict[KeySet, SeenConditions] = {}
        self._frames: list[tuple[State, tuple[int, ...]]] = []
        self._places: dict[tuple[State, tuple[int, ...]], int] = {}

    def indices(self, keys: Iterable[Key]) -> tuple[int, ...]:
        """Return the slots that some keys ask, in order."""
        slots = {self.index.get(HELD if of_held(key) else key, -1) for key in keys}
        return tuple(sorted(slots - {-1}))

    # --- states ------------------------------------------------------------------------------------------------------

    def first(self, state: StepsState, said: Mapping[str, Result], live: KeySet, origin: int = 0) -> State:
        """Return a character's state before the event, with its arguments; `origin` is which of several it is."""
        draft: Draft = [None] * len(self.index)
        for name, slot in self.numbers.items():
            draft[slot] = state.values.get(name) if Number(name) in live else None
        for name, slot in self.decks.items():
            pile = self.piles[name]
            draft[slot] = DealtCards(pile.all & ~pile.bits(state.drawn))
        for name, slot in self.piled.items():
            draft[slot] = tuple((None, each.counts) for each in state.piles.get(name, ()))
        for key, value in ((COMING, state.coming), (LOST, state.lost), (ORIGIN, origin), (DEAD, state.dead)):
            put(draft, self.index.get(key), value)
        if CARDS in self.index:
            self._put_in_play(draft, state)
        self.see(draft, live, state.conditions, state.saves)
        self.anew(draft, said, live)
        return tuple(draft)

    def _put_in_play(self, draft: Draft, state: StepsState) -> None:
        """Cards that lie in piles from before are known."""
        cards: list[CandidateCard] = []
        for name, slot in self.piled.items():
            entries = []
            for each in state.piles.get(name, ()):
                deck = next(deck for deck, pile in self.piles.items() if each.card in pile.names)
                entries.append((len(cards), each.counts))
                cards.append(CandidateCard(deck, self.piles[deck].bits([each.card]), True))
            draft[slot] = tuple(entries)
        draft[self.index[CARDS]] = tuple(cards)

    def anew(self, draft: Draft, said: Mapping[str, Result], live: KeySet) -> None:
        """Let an event begin, with its arguments."""
        numbers, piles = self.system.steps.numbers, self.system.steps.piles
        draft[: self.frame] = self.fresh(said, live)
        for slot in self._news.values():
            draft[slot] = False
        for name, slot in self.numbers.items():
            if name in numbers and numbers[name].temporary:
                draft[slot] = numbers[name].start
        for name, slot in self.piled.items():
            if piles[name].temporary:
                draft[slot] = ()
        for key in self.pen:
            draft[self.index[key]] = _FRESH_PEN[key]
        put(draft, self.index.get(CARD), None)

    def fresh(self, said: Mapping[str, Result], live: KeySet) -> tuple[Any, ...]:
        """Return the names of an event before its first step."""
        given = {**FRESH_NAMES, **said}
        return tuple(given.get(name, UNSET) if Name(name) in live else None for name in self.names)

    def called(
        self, draft: Draft, names: Iterable[Any], kept: Iterable[int], gives: tuple[int, ...], *, at_place: bool
    ) -> None:
        """Call an event with names and a pen of its own, at the place or nowhere; of the names before some are kept.

        The slots in `gives` are what the event gives back, however it ends.
        """
        if self.names:
            own: list[Any] = [None] * self.frame
            for slot in kept:
                own[slot] = draft[slot]
            names_before = (*own, draft[self.frame]), gives
            draft[: self.frame + 1] = *names, self._framed(names_before)
        self.new_pen(draft, fresh=(LASTS, PLACED) if at_place else PEN)

    def _framed(self, names: tuple[State, tuple[int, ...]]) -> int:
        """Return the number of the names of an event that called another: states that hold them are shorter so."""
        if names not in self._places:
            self._places[names] = len(self._frames)
            self._frames.append(names)
        return self._places[names]

    def returned(self, draft: Draft) -> None:
        """End the event that was called, with what it gave."""
        if self.names:
            self._named_again(draft)
        self.old_pen(draft, back=True)

    def _named_again(self, draft: Draft) -> None:
        before, gives = self._frames[draft[self.frame]]
        given = [None if draft[slot] is UNSET else draft[slot] for slot in gives]
        draft[: self.frame + 1] = before
        for slot, value in zip(gives, given, strict=True):
            draft[slot] = value

    def new_pen(self, draft: Draft, *, fresh: Collection[Key] = (PLACED,)) -> None:
        """Take a pen of its own: as the one before, but for what is fresh."""
        if self.pen:
            first, last = self.first_pen, self.last_pen
            draft[last] = tuple(draft[first : last + 1])
            for slot, key in enumerate(self.pen, first):
                if key in fresh:
                    draft[slot] = _FRESH_PEN[key]

    def old_pen(self, draft: Draft, *, back: bool = False) -> None:
        """Take the pen again that was there before, at the place (`back`) that a step has named meanwhile."""
        if self.pen:
            placed = self.index.get(PLACED)
            back = back and placed is not None and draft[placed]
            hurt = [self.index[key] for key in PLACED_HURT & {*self.pen}] if back else []
            named = [draft[slot] for slot in hurt]
            draft[self.first_pen : self.last_pen + 1] = draft[self.last_pen]
            for slot, value in zip(hurt, named, strict=True):
                draft[slot] = value

    def with_pen(self, play: "Play", *, back: bool = False) -> "Play":
        """Return what plays steps with a pen of their own, and gives a place `back`."""
        old = partial(self.old_pen, back=back)
        return (lambda states: play(states.changed(self.new_pen)).changed(old)) if self.pen else play

    def lasting_again(self, draft: Draft, *, drop: bool = False) -> None:
        """Let the pen have as long a time as the one before; or make one of both."""
        slot, outer = self.index[LASTS], draft[self.last_pen]
        draft[slot] = outer[slot - self.first_pen]
        if drop:
            draft[self.last_pen] = outer[-1]

    def root(self, state: State) -> Draft:
        """Return a state with the names and the pen of the event that was asked about, however deep it is in others."""
        draft = [*state]
        while self.names and draft[self.frame] is not None:
            self._named_again(draft)
        while self.pen and draft[self.last_pen] is not None:
            self.old_pen(draft)
        return draft

    def alone(self, draft: Draft) -> None:
        """Let the event in hand, with the pen in hand, be the one that was asked about."""
        put(draft, self.frame if self.names else None, None)
        put(draft, self.last_pen if self.pen else None, None)

    def seen(self, keys: KeySet) -> SeenConditions:
        """Return what those keys see of conditions."""
        if keys not in self._seen:
            asked = frozenset(key for key in keys if of_held(key) or key in SEEN)
            self._seen[keys] = self._seen.get(asked) or self._seen.setdefault(asked, SeenConditions(self.system, asked))
        return self._seen[keys]

    def see(self, draft: Draft, keys: KeySet, held: Iterable[HeldCondition], saves: Iterable[Owed]) -> None:
        """Put conditions and saves into slots as some keys see them."""
        for key, there in zip((HELD, SAVES), self.seen(keys).of(held, saves), strict=True):
            put(draft, self.index.get(key), there)

    def forgetting(self, before: KeySet, after: KeySet) -> Change | None:
        """Return what takes out of a state what nobody asks any more; None where there is nothing."""
        gone = self.indices(key for key in before - after if not of_held(key) and key not in _KEPT)
        sees = any(of_held(key) or key in SEEN for key in before - after) and self.indices((HELD, SAVES))
        if not gone and not sees:
            return None

        def forget(draft: Draft) -> None:
            if sees:
                held, saves = (draft[self.index[key]] if key in self.index else () for key in (HELD, SAVES))
                self.see(draft, after, held or (), saves or ())
            for slot in gone:
                draft[slot] = None

        return forget

    # --- cards in play -----------------------------------------------------------------------------------------------

    def tidied(self, after: KeySet) -> Change:
        """Return what leaves of the cards in play those of which something is still asked, each one of all that are
        like it, by what asks: the card at hand, those that wait, and piles."""
        if CARDS not in self.index:
            return lambda _: None
        waiting_lines = frozenset(key.line for key in after if isinstance(key, WaitingLine))
        piles = {slot: frozenset(each.line for each in piled_lines(after, name)) for name, slot in self.piled.items()}
        at_hand, cards = self.index[CARD], self.index[CARDS]
        waits, asks, memory = self.index.get(WAITING), frozenset(lines_at_hand(after)), dict[Any, Any]()
        draft = [at_hand, cards, *([] if waits is None else [waits]), *piles]

        def tidy(state: Draft) -> None:
            if not state[cards]:
                return
            key = tuple([state[slot] for slot in draft])
            if key not in memory:
                memory[key] = made(state)
            for slot, value in zip(draft, memory[key], strict=True):
                state[slot] = value

        def made(state: Draft) -> list[Any]:
            asked: dict[int, frozenset[str]] = {}

            def ask(index: int | None, lines: frozenset[str]) -> int | None:
                if index is None or not lines:
                    return None
                asked[index] = asked.get(index, frozenset()) | lines
                return index

            now = list(state)
            for slot, piled in piles.items():
                if now[slot]:
                    now[slot] = tuple((ask(index, piled), counts) for index, counts in now[slot])
            now[at_hand] = ask(state[at_hand], asks)
            waiting = None if waits is None else state[waits]
            while waiting is not None:
                for index in (*waiting.cards, waiting.card):
                    ask(index, waiting_lines)
                waiting = waiting.outer
            places = {index: place for place, index in enumerate(asked)}
            now[cards] = tuple(self._like(state[cards][index], each) for index, each in asked.items())
            for slot in piles:
                if now[slot]:
                    now[slot] = tuple((None if index is None else places[index], counts) for index, counts in now[slot])
            now[at_hand] = None if now[at_hand] is None else places[now[at_hand]]
            if waits is not None and state[waits] is not None:
                now[waits] = state[waits].moved(places)
            return [now[slot] for slot in draft]

        return tidy

    def _like(self, hand: CandidateCard, lines: frozenset[str]) -> CandidateCard:
        """Return a card as one of all that are like it in what is asked; itself where that is not known yet."""
        if (hand.deck, lines) not in self._likes:
            pile, asked = self.piles[hand.deck], sorted(lines)
            by = [tuple(self.line_of(hand.deck, place, line) for line in asked) for place in range(len(pile.names))]
            self._likes[hand.deck, lines] = list(pile.sets(by).values())
        like = next((bits for bits in self._likes[hand.deck, lines] if not hand.may_be & ~bits), 0)
        return CandidateCard(hand.deck, like, True) if like else hand

    # --- the engine --------------------------------------------------------------------------------------------------

    def event_run(
        self,
        state: AnyState,
        context: StepContext,
        chance: Chance | None = None,
        *,
        timeless: bool = False,
        opens: bool = False,
    ) -> tuple[EventRun, EffectApplier]:
        """Return the engine's run in that state, and the pen that writes; what nobody asks has its default there.

        Where it is known of every card whether it is out (`opens`), the run has its decks and piles.
        """
        there = {key: state[slot] for key, slot in self._facts.items() if state[slot] is not None}
        now = StepsState(
            values=self._fresh | {name: state[slot] for name, slot in self.numbers.items()},
            conditions=there.get(HELD, ()),
            coming=there.get(COMING, ()),
            lost=there.get(LOST, ()),
            saves=there.get(SAVES, ()),
            dead=there[DEAD],
        )
        run = EventRun(self.system, now, chance or Given(), timeless=timeless)
        run.values |= now.values
        run.logs, run.event, run.stopped = False, self.event, False
        run.policy, run.better = self.policy, context.better
        run.reading, run.part_of, run.ticking = list(context.reading), context.part_of, context.ticking
        run.names |= {name: state[place] for place, name in enumerate(self.names) if state[place] is not UNSET}
        run.names |= dict(context.known)
        for name in self._dice:
            # Another event may take any word by that name.
            with suppress(ValueError):
                run.dice[name] = Dice.parse(str(run.names.get(name)))
        for key, slot in self._news.items():
            if isinstance(key, Met) and state[slot]:
                run.met[key.table] = [""]
            elif isinstance(key, Suffered) and state[slot]:
                run.suffered.add(key.name)
        run.at_hand = str(there.get(CARD, "")) if context.at_hand else ""
        if CARD in there:
            deck, place = self._first_of(there[CARDS][there[CARD]])
            run.card = self.piles[deck].cards[place]
        for name, slot in self.piled.items():
            value = state[slot] or ()
            cards = (self._name(there[CARDS][card]) if opens else str(card) for card, _ in value)
            run.piles[name] = [PiledCard(card, each[1]) for card, each in zip(cards, value, strict=True)]
        for name, slot in self.decks.items():
            if opens and state[slot] is not None:
                run.out += self.piles[name].named(self.piles[name].all & ~state[slot].base)
                run.drawn += self.piles[name].named(state[slot].spent)
        if opens and run.at_hand:
            run.at_hand = self._name_at_hand(there)
        pen = EffectApplier(
            self.system, "", WoundContext(there.get(PART, ""), there.get(PLACE, "")), there.get(LASTS, NOW)
        )
        pen.of, pen.placed = context.of, bool(there.get(PLACED))
        if context.inked:
            pen.card = self._name_at_hand(there)
        run.applier = pen
        return run, pen

    def hand_of(self, state: AnyState) -> tuple[str, int] | None:
        """Return the card at hand: its deck, and the place of the first card there that it may be."""
        index = state[self.index[CARD]]
        return None if index is None else self._first_of(state[self.index[CARDS]][index])

    def _first_of(self, hand: CandidateCard) -> tuple[str, int]:
        return hand.deck, self.piles[hand.deck].first(hand.may_be)

    def _name_at_hand(self, there: Mapping[Fact, Any]) -> str:
        """Return the name of the card at hand; where nobody asks which it is, of any."""
        if there.get(CARD) is None:
            return next(iter(all_names(self.system)), "")
        return self._name(there[CARDS][there[CARD]])

    def _name(self, hand: CandidateCard) -> str:
        deck, place = self._first_of(hand)
        return self.piles[deck].names[place]

    def _placed(self, name: str, cards: list[CandidateCard]) -> int:
        """Return the place of a card among those in play."""
        deck = next(deck for deck, pile in self.piles.items() if name in pile.names)
        hand = CandidateCard(deck, self.piles[deck].bits([name]), True)
        if hand not in cards:
            cards.append(hand)
        return cards.index(hand)

    def taken(
        self,
        run: EventRun,
        pen: EffectApplier,
        state: State,
        changed: Iterable[int],
        live: KeySet,
        *,
        opens: bool = False,
    ) -> State:
        """Return a state with what the engine's run has made of it in some slots."""
        now, made = list(state), list(state)
        cards = list(state[self.index[CARDS]]) if opens else []
        self.see(made, live, ordered_conditions(run.conditions.held, self.system), run.conditions.saves)
        for key, value in (
            *((PART, pen.hurt.part), (PLACE, pen.hurt.place), (LASTS, pen.lasts), (PLACED, pen.placed)),
            *((COMING, tuple(run.conditions.coming)), (LOST, tuple(run.conditions.lost)), (DEAD, run.dead)),
        ):
            put(made, self.index.get(key), value)
        for name, slot in self.numbers.items():
            made[slot] = run.values[name]
        for slot, name in enumerate(self.names):
            made[slot] = run.names.get(name, UNSET)
        for name, slot in self.piled.items():
            made[slot] = tuple(
                (self._placed(each.card, cards) if opens else _index(each.card), each.counts)
                for each in run.piles[name]
            )
        if opens:
            for name, slot in self.decks.items():
                pile = self.piles[name]
                made[slot] = DealtCards(pile.all & ~pile.bits(run.out), 0, (), pile.bits(run.drawn))
            for pile in self.piles.values():
                names = (name for name, card in zip(pile.names, pile.cards, strict=True) if card is run.card)
                made[self.index[CARD]] = next((self._placed(name, cards) for name in names), made[self.index[CARD]])
            made[self.index[CARDS]] = tuple(cards)
        for slot in (*changed, self.index[DEAD]):
            now[slot] = made[slot]
        return tuple(now)


def _index(card: str) -> int | None:
    return int(card) if card.isdigit() else None
