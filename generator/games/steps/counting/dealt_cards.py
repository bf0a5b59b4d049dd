"""Cards in a distribution: which of them may be dealt, at hand or known, and what a shuffle puts back.

Cards in play are those that a step may still look at. The one at hand is one of them, by its place; so are those in
a pile, and those that a draw is busy with: they wait in the order in which they were dealt.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property, partial, reduce
from operator import or_
from typing import Any, Protocol

from generator.games.steps.counting.card_sets import (
    CandidateCard,
    DealtCards,
    DeckCards,
    Sets,
    cut,
    found,
    without_gone,
)
from generator.games.steps.counting.distribution import (
    AnyState,
    Cases,
    Distribution,
    Draft,
    State,
    joined,
    put,
    with_value,
)
from generator.games.steps.counting.formulas import EventNames
from generator.games.steps.counting.keys import ALL_HELD, CARD, CARDS, HELD, HELD_CARDS, ITS_CODE, KeySet
from generator.games.steps.counting.liveness import Block
from generator.games.steps.counting.state_slots import StateSlots
from generator.model import rules
from generator.model.formulas import Formula
from generator.play.every_way import spend_work


class TellsCards(Protocol):
    """A reading that tells cards of a deck apart by what they do; `needs` are the blocks that it looks at."""

    needs: set[Block]

    def told(self, deck: str, place: int) -> tuple[Any, ...]:
        """Return by what a card is told from others of its deck, whichever face is read."""


class CardsInPlay:
    """What is known of cards in the states of one question."""

    slots: StateSlots

    def __init__(self, system: rules.System, names: EventNames, piles: Mapping[str, DeckCards]) -> None:
        self._system, self.names, self.piles = system, names, piles
        self.readings: dict[str, dict[Any, TellsCards]] = {}
        self._sets: dict[tuple[str, ...], dict[str, Sets]] = {}

    def known_lines(self, states: Distribution, formulas: Iterable[Formula]) -> Distribution:
        """Return the states once it is known what formulas ask of the card at hand."""
        card, lines = self.slots.index.get(CARD), tuple(self.names.lines(formulas))
        if not lines or card is None:
            return states
        if lines not in self._sets:
            told = {
                deck: [tuple(self.names.of_card(each, line) for line in lines) for each in pile.cards]
                for deck, pile in self.piles.items()
            }
            self._sets[lines] = {deck: Sets(pile.sets(told[deck]).values()) for deck, pile in self.piles.items()}
        cards, sets = self.slots.index[CARDS], self._sets[lines]

        def is_open(state: State) -> bool:
            index = state[card]
            return index is not None and sets[(hand := state[cards][index]).deck].parts(hand.may_be)

        def cut_at_hand(state: State) -> Cases:
            index = state[card]
            return self.cut(state, index, sets[state[cards][index].deck].all)

        if not any(map(is_open, states.ways)):
            return states
        open_ones, known = states.halves(is_open)
        known_ones = open_ones.branched(cut_at_hand, lambda state, case: self.with_card(state, state[card], case))
        return joined([known_ones, known])

    @cached_property
    def holding(self) -> KeySet:
        """What somebody may hold when a deck is shuffled."""
        held = self.names.piles(name for name, own in self._system.steps.piles.items() if own.held)
        return held | {ALL_HELD, HELD_CARDS} if self._system.steps.by_card else held

    def shuffled(self, states: Distribution, deck: str, spent: int) -> Distribution:
        """Return the states with a deck that is shuffled, without what is `spent` and what somebody holds."""
        pile, index = self.piles[deck], self.slots.index
        piles = [slot for name, slot in self.slots.piled.items() if self._system.steps.piles[name].held]

        def anew(draft: Draft) -> None:
            held = pile.bits({each.card for each in draft[index[HELD]]}) if self._system.steps.by_card else 0
            if CARDS in index:
                cards = draft[index[CARDS]]
                hands = (cards[place] for slot in piles for place, _ in draft[slot])
                held |= reduce(or_, (hand.may_be for hand in hands if hand.deck == deck), 0)
                loose = (hand.set_loose() if hand.deck == deck else hand for hand in cards)
                draft[index[CARDS]] = tuple(loose)
            draft[self.slots.decks[deck]] = DealtCards(pile.all & ~spent & ~held, 0, (), spent)

        return self.known_cards(states, deck).changed(anew)

    def settled(self, states: Distribution) -> Distribution:
        """Return the states once it is known of every card which is out of its deck, and which is in play."""
        for deck, pile in self.piles.items():
            if (slot := self.slots.decks.get(deck)) is None:
                continue

            def open_set(state: State, slot: int = slot) -> int:
                out = state[slot]
                wide = next((bits for bits in out.cuts if bits.bit_count() > 1), 0)
                return wide or (out.base if out.dealt > len(out.cuts) and out.base.bit_count() > 1 else 0)

            def cut_open(state: State, bits: int, deck: str = deck, singles: tuple[int, ...] = pile.singles) -> Cases:
                cases, total = self.cut_dealt(state, CandidateCard(deck, bits), singles)
                return [(after, count) for (after, _), count in cases], total

            def close(draft: Draft, slot: int = slot, deck: str = deck) -> None:
                out, cards = draft[slot], self.slots.index.get(CARDS)
                known = reduce(or_, out.cuts, out.base if out.dealt > len(out.cuts) else 0)
                there = () if cards is None else draft[cards]
                loose = (hand.set_loose() if hand.deck == deck else hand for hand in there)
                put(draft, cards, tuple(loose))
                draft[slot] = DealtCards(out.base & ~known, 0, (), out.spent | known)

            states = self.known_cards(states, deck)
            while (parts := states.parts(open_set)).keys() - {0}:
                states = joined(
                    part.branched(partial(cut_open, bits=bits)) if bits else part for bits, part in parts.items()
                )
            states = states.changed(close)
        return states

    def known_cards(self, states: Distribution, deck: str = "") -> Distribution:
        """Return the states once it is known which the cards in play are: those out of one deck, or all of them."""
        cards = self.slots.index.get(CARDS, -1)

        def open_card(state: State) -> tuple[int, str] | None:
            there = enumerate(state[cards] if cards >= 0 else ())
            of_deck = ((index, hand) for index, hand in there if not deck or (hand.deck == deck and not hand.loose))
            return next(((index, hand.deck) for index, hand in of_deck if hand.may_be.bit_count() > 1), None)

        while True:
            parts = states.parts(open_card)
            if not parts.keys() - {None}:
                return states
            sides = (
                part.branched(
                    partial(self.cut, index=card[0], parts=self.piles[card[1]].singles),
                    lambda state, case, index=card[0]: self.with_card(state, index, case),  # type: ignore[misc]
                )
                if card
                else part
                for card, part in parts.items()
            )
            states = joined(sides)

    def line_of(self, deck: str, place: int, line: str) -> Any:
        """Return what may be asked of a card of a deck by that name: a line, or what it does where it is read."""
        if line in self.readings:
            return tuple(reading.told(deck, place) for reading in self.readings[line].values())
        pile = self.piles[deck]
        return pile.names[place] if line == ITS_CODE else self.names.of_card(pile.cards[place], line)

    def dealt(self, state: AnyState, deck: str) -> CandidateCard:
        """Return the card that a deck has dealt last, which nobody has looked at."""
        slot = self.slots.decks.get(deck)
        return (
            CandidateCard(deck, self.piles[deck].all, True) if slot is None else CandidateCard(deck, state[slot].base)
        )

    def cut(self, state: State, index: int, parts: tuple[int, ...]) -> Cases:
        """Return in which of some sets a card in play may lie, for `with_card`."""
        return cut(*self._of_deck(state, state[self.slots.index[CARDS]][index]), parts)

    def with_card(self, state: State, index: int, case: tuple[int, int]) -> State:
        """Return a state in which it is known where a card in play lies."""
        slot = self.slots.index[CARDS]
        hand, cards = state[slot][index], state[slot]
        return self._known(state, hand, case[1], lambda card: with_value(cards, index, card))

    def _known(
        self, state: State, hand: CandidateCard, piece: int, placed: Callable[[CandidateCard], tuple[Any, ...]] | None
    ) -> State:
        """Return a state in which it is known in which part of a set a card lies, with that card put in its place."""
        card, out, gone = found(*self._of_deck(state, hand), piece)
        draft, cards = [*state], self.slots.index.get(CARDS)
        if not hand.loose:
            put(draft, self.slots.decks.get(hand.deck), out)
        if cards is not None:
            draft[cards] = without_gone(placed(card) if placed else draft[cards], hand.deck, gone)
        return tuple(draft)

    def cut_dealt(self, state: State, hand: CandidateCard, parts: tuple[int, ...]) -> Cases:
        """Return in which of some sets a card lies that is not in play: the states, each with which set it is."""
        cases, total = cut(*self._of_deck(state, hand), parts)
        spend_work(len(cases) / 2)
        return [((self._known(state, hand, piece, None), index), ways) for (index, piece), ways in cases], total

    def _of_deck(self, state: State, hand: CandidateCard) -> tuple[DealtCards, CandidateCard]:
        """Return what a card's deck has dealt, and the card: loose where its deck does not know of it."""
        slot = None if hand.loose else self.slots.decks.get(hand.deck)
        if slot is None:
            return DealtCards(0), hand.set_loose()
        # The more cards are out, the longer each is compared with the others.
        spend_work(len(state[slot].cuts) ** 2 / 100)
        return state[slot], hand
