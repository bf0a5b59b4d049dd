"""Cards that steps draw: from which deck, which of them count, and what each does."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from generator.base.errors import HackjackError
from generator.games.steps import log as said
from generator.games.steps.log import OwnFact
from generator.model.formulas import Formula, Result, Scope, formula_number
from generator.model.rules import AnyEffect, Card, DrawCard
from generator.play.apply_effects import EffectTable, Pen
from generator.play.chance import Chance, ChoiceNeed
from generator.play.log import EffectFact
from generator.play.piles import card_of, codes_without, names_in

MAX_DRAWN = 20
"""So many cards one step may draw."""


class DrawingBench(EffectTable, Scope, Protocol):
    """What drawing needs of an event in the making: `out` are cards out of their decks, `drawn` those of this event,
    `card` is the one that did something last, and `reading` are the decks of those that are doing something."""

    chance: Chance
    stopped: bool
    out: list[str]
    drawn: list[str]
    names: dict[str, Result]
    card: Card | None
    reading: list[str]

    def note(self, fact: OwnFact | EffectFact, why: str = "", /) -> None:
        """Add an entry."""

    def figure(self, formula: Formula) -> Result:
        """Return a formula's value now."""

    def run(self, effects: Iterable[AnyEffect], pen: Pen) -> None:
        """Steps in order."""


def draw_cards(bench: DrawingBench, step: DrawCard, pen: Pen) -> None:
    """Cards of a deck, one after the other: each does what it says. Where only some are kept, all are drawn first.

    Raises HackjackError for too many, and for a face that the deck does not have.
    """
    deck = bench.system.piles[step.deck]
    times = 1 if step.cards is None else formula_number(step.cards, bench)
    if not 0 <= times <= MAX_DRAWN:
        raise HackjackError(f"{times} cards cannot be drawn at once: 0 to {MAX_DRAWN} are possible")
    face = str(bench.figure(step.face)) if step.face is not None else ""
    if face not in (deck.faces or ("",)):
        raise HackjackError(f"{deck.title} has no face {face or 'where none is said'}: say {', '.join(deck.faces)}")
    if step.keep is None:
        for _ in range(times):
            if not bench.stopped and (name := _next(bench, step.deck)):
                _read(bench, name, step, face, pen)
        return
    drawn = [name for _ in range(times) if (name := _next(bench, step.deck))]
    kept = _kept(bench, drawn, step, face)
    for at, name in enumerate(drawn):
        if at not in kept:
            bench.note(said.LaidAside(name, step.deck, _title(_card(bench, name), face)), step.ruling or "")
    for at in sorted(kept):
        if not bench.stopped:
            _read(bench, drawn[at], step, face, pen)


def shuffle_deck(bench: DrawingBench, deck: str, why: str = "", *, asked: bool = False) -> None:
    """All the cards of a deck are in it again: since a step says so (`asked`), or since none was left."""
    bench.note(said.Shuffled(deck, asked), why)
    own = set(names_in(deck, bench.system))
    bench.out = [name for name in bench.out if name not in own]


def _next(bench: DrawingBench, deck: str) -> str | None:
    """Return the next card of a deck, out of it from now on unless it goes back at once.

    None where a card draws from its own deck and nothing is left: to shuffle it then could go on without an end.
    """
    left = codes_without(names_in(deck, bench.system), bench.out)
    if not left and deck in bench.reading:
        bench.note(said.Said("draw_card", f"{bench.system.piles[deck].title}: no card is left to draw.", {}))
        return None
    if not left:
        shuffle_deck(bench, deck)
        left = names_in(deck, bench.system)
    name = bench.chance.card(left)
    bench.drawn.append(name)
    if not bench.system.piles[deck].returns:
        bench.out.append(name)
    return name


def _kept(bench: DrawingBench, drawn: Sequence[str], step: DrawCard, face: str) -> set[int]:
    """Return the places of the cards that count among those drawn: the best, of equals the first, or those chosen."""
    many = len(drawn) if step.keep is None else formula_number(step.keep, bench)
    if many < 0:
        raise HackjackError(f"{many} cards cannot be kept: keep 0 or more")
    places = list(range(len(drawn)))
    if many >= len(drawn):
        return set(places)
    if step.best is not None:
        marks = [_mark(bench, name, step.best) for name in drawn]
        return set(sorted(places, key=lambda at: -marks[at])[:many])
    left = places.copy()
    for _ in range(many):
        titles = tuple(_title(_card(bench, drawn[at]), face) for at in left)
        del left[bench.chance.choose(ChoiceNeed(titles))]
    return set(places) - set(left)


def _mark(bench: DrawingBench, name: str, best: Formula) -> int:
    """Return how good a card is."""
    bench.card = _card(bench, name)
    return formula_number(best, bench)


def _read(bench: DrawingBench, name: str, step: DrawCard, face: str, pen: Pen) -> None:
    """A card that was drawn does what it says."""
    card = bench.card = _card(bench, name)
    read, title = card.faces.get(face), _title(card, face)
    bench.note(said.Drawn(name, step.deck, face, title), step.ruling or "")
    inner = Pen(bench, f"{bench.system.piles[step.deck].title} {card.code}", pen.hurt, pen.lasts)
    inner.of = pen.of
    bench.names["row"] = title
    if effects := card.does(face):
        bench.reading.append(step.deck)
        bench.run(effects, inner)
        bench.reading.pop()
    for note in (card.note, read.note if read else None):
        if note:
            bench.note(said.Remark(note))


def _card(bench: DrawingBench, name: str) -> Card:
    card = card_of(name, bench.system)
    assert card is not None
    return card[1]


def _title(card: Card, face: str) -> str:
    """What a card is called when it is read for a face."""
    read = card.faces.get(face)
    return (read.name if read else None) or card.name
