"""Cards that steps draw: from which deck, which of them count, and what each does."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from generator.base.errors import HackjackError
from generator.games.steps import log as said
from generator.games.steps.luck_asked import ranked, weighs
from generator.games.steps.state import HeldCondition, PiledCard, RefusedError
from generator.model.formulas import MAX_VALUE, Formula, formula_number
from generator.model.rules import AnyEffect, Card, CardStep, DrawCard, Keep, PutAway, Read, Recur, Shuffle, TakeUp
from generator.play.apply_effects import Pen
from generator.play.chance import ChoiceNeed
from generator.play.log import WoundFact
from generator.play.piles import card_of, codes_without, deck_of, names_in

if TYPE_CHECKING:
    from generator.games.steps.engine import Bench

MAX_RECURRED = 100
"""So often at once what waits may take its price."""
MAX_DRAWN = 20
"""So many cards one step may draw."""


def play_card_step(bench: Bench, step: CardStep, pen: Pen) -> None:
    """Play a step with cards. Raises HackjackError where it cannot be played."""
    match step:
        case DrawCard():
            draw_cards(bench, step, pen)
        case Read():
            read_card(bench, step, pen)
        case Keep():
            keep_card(bench, step)
        case TakeUp():
            take_up(bench, step, pen)
        case PutAway():
            put_away(bench, step)
        case Shuffle():
            shuffle_deck(bench, step.deck, step.ruling or "", asked=True)
        case Recur():
            _recur(bench, step)
        case _:
            raise TypeError(step.do)


def draw_cards(bench: Bench, step: DrawCard, pen: Pen) -> None:
    """Cards of a deck, one after the other: each does what it says. Where only some are kept, all are drawn first.

    Raises HackjackError for too many, and for a face that the deck does not have.
    """
    deck = bench.system.piles[step.deck]
    times = 1 if step.cards is None else formula_number(step.cards, bench)
    if not 0 <= times <= MAX_DRAWN:
        raise HackjackError(f"draw 0 to {MAX_DRAWN} cards at a time, not {times}")
    face = str(bench.figure(step.face)) if step.face is not None else ""
    if not step.then and face not in (deck.faces or ("",)):
        raise HackjackError(f"{deck.title} has no face {face or 'where none is said'}: say {', '.join(deck.faces)}")
    drawn: list[str] = []
    for _ in range(times):
        if bench.stopped or not (name := _next(bench, step.deck)):
            continue
        drawn.append(name)
        if step.each or step.then:
            _note_drawn(bench, name, step, face)
        _with_card(bench, name, step.deck, step.each, pen)
        if step.keep is None:
            _count(bench, name, step, face, pen)
    if step.keep is None or bench.stopped:
        return
    kept = _kept(bench, drawn, step, face)
    for at, name in enumerate(drawn):
        if at not in kept:
            bench.note(said.LaidAside(name, step.deck, _title(_card(bench, name), face)), step.ruling or "")
    for at in sorted(kept):
        _count(bench, drawn[at], step, face, pen)


def _count(bench: Bench, name: str, step: DrawCard, face: str, pen: Pen) -> None:
    """A card that was drawn counts: it does what it says, or what the step says instead."""
    if bench.stopped:
        return
    if step.then:
        _with_card(bench, name, step.deck, step.then, pen)
        return
    if not step.each:
        _note_drawn(bench, name, step, face)
    outer = bench.card, bench.names.get("row")
    bench.card, bench.names["row"] = _card(bench, name), _title(_card(bench, name), face)
    _read(bench, name, face, pen)
    if bench.at_hand:
        bench.card, bench.names["row"] = outer


def _note_drawn(bench: Bench, name: str, step: DrawCard, face: str) -> None:
    bench.note(said.Drawn(name, step.deck, face, _title(_card(bench, name), face)), step.ruling or "")


def _with_card(bench: Bench, name: str, deck: str, steps: Iterable[AnyEffect], pen: Pen) -> None:
    """Steps run with a card at hand; then the one before is at hand again."""
    if not steps:
        return
    card, at_hand, row = bench.card, bench.at_hand, bench.names.get("row")
    bench.card, bench.at_hand = _card(bench, name), name
    bench.names["row"] = bench.card.name
    bench.reading.append(deck)
    bench.run(steps, pen)
    bench.reading.pop()
    bench.at_hand = at_hand
    if at_hand:
        bench.card, bench.names["row"] = card, row


def read_card(bench: Bench, step: Read, pen: Pen) -> None:
    """The card at hand does what it says. Raises HackjackError where there is none."""
    if bench.card is None or not bench.at_hand:
        raise HackjackError("no card is at hand to be read")
    face = str(bench.figure(step.face)) if step.face is not None else ""
    _read(bench, bench.at_hand, face, pen, step)


def keep_card(bench: Bench, step: Keep) -> None:
    """The card at hand joins a pile; the oldest leaves where it is full. Raises HackjackError where none is at hand."""
    if not bench.at_hand:
        raise HackjackError("no card is at hand to be kept")
    own, pile = bench.system.steps.piles[step.pile], bench.piles[step.pile]
    pile.append(PiledCard(bench.at_hand, 0 if step.counts is None else formula_number(step.counts, bench)))
    if not own.temporary:
        bench.note(said.Piled(bench.at_hand, step.pile, pile[-1].counts), step.ruling or "")
    del pile[: -own.most]


def take_up(bench: Bench, step: TakeUp, pen: Pen) -> None:
    """The cards that a pile has now come to hand, one after the other."""
    for each in tuple(bench.piles[step.pile]):
        if not bench.stopped:
            _with_card(bench, each.card, _deck_of(bench, each.card), step.then, pen)


def put_away(bench: Bench, step: PutAway) -> None:
    """Cards leave a pile, the newest first; of the last that has to, the rest of what it counts is gone too."""
    pile = bench.piles[step.pile]
    left = sum(each.counts for each in pile) if step.by is None else formula_number(step.by, bench)
    while pile and (step.by is None or left > 0):
        left -= pile[-1].counts
        if not bench.system.steps.piles[step.pile].temporary:
            bench.note(said.Unpiled(pile[-1].card, step.pile, max(-left, 0)), step.ruling or "")
        pile.pop()


def _recur(bench: Bench, step: Recur) -> None:
    """The prices of what waits are paid: of each card one wound, that grows. Raises RefusedError where none does."""
    times = 1 if step.times is None else formula_number(step.times, bench)
    if not 0 <= times <= MAX_RECURRED:
        raise HackjackError(f"wounds can recur 0 to {MAX_RECURRED} times at once, not {times}")
    prices = [(card, effect.penalty) for card, effect in bench.waiting_for(step.event) if effect.penalty]
    if not prices:
        raise RefusedError("the character has no wound that costs anything here")
    for card, price in prices:
        lost = sum(bench.roll(price.by, f"{card}: penalty") for _ in range(times))
        bench.note(WoundFact(price.do, str(price.until), list(price.to), [lost], "", card), step.ruling or "")
        like = HeldCondition(price.do, str(price.until), card=card, to=price.to)
        before = [held for held in bench.held if replace(held, by=()) == like]
        total = min(lost + sum(sum(held.by) for held in before), MAX_VALUE)
        bench.held = [*(held for held in bench.held if held not in before), replace(like, by=(total,))]


def shuffle_deck(bench: Bench, deck: str, why: str = "", *, asked: bool = False, kept: Collection[str] = ()) -> None:
    """The cards of a deck are in it again: since a step says so (`asked`), or since none was left.

    Those in held piles stay out, those that others hold, and `kept`.
    """
    bench.note(said.Shuffled(deck, asked), why)
    own, piles = set(names_in(deck, bench.system)), bench.system.steps.piles
    held = Counter(each.card for name, pile in bench.piles.items() if piles[name].held for each in pile)
    held |= Counter(each.card for each in bench.held if each.card)
    stays = (held | Counter(bench.beside)) | Counter(kept)
    out, bench.out = bench.out, []
    for name in out:
        if name not in own or stays[name]:
            bench.out.append(name)
            stays[name] -= name in own


def _next(bench: Bench, deck: str) -> str | None:
    """Return the next card of a deck, out of it from now on unless it goes back at once.

    What this event has drawn is not shuffled back as long as another card is left. None where luck gives none, or where
    a card draws from its own deck and nothing is left: to shuffle it then could go on without an end.
    """
    cards = names_in(deck, bench.system)
    left = codes_without(cards, bench.out)
    if not left:
        others = Counter(bench.out) - Counter(bench.drawn)
        if deck not in bench.reading or any(others[name] for name in cards):
            shuffle_deck(bench, deck, kept=bench.drawn if any(others[name] for name in cards) else ())
        left = codes_without(cards, bench.out)
    if not left and deck in bench.reading:
        bench.note(said.Said("draw_card", f"{bench.system.piles[deck].title}: no card is left to draw.", {}))
        return None
    if not left:
        raise HackjackError(f"no card of {bench.system.piles[deck].title} can be drawn: all of them are held")
    if not (name := bench.chance.card(left)):
        return None
    bench.drawn.append(name)
    if not bench.system.piles[deck].returns:
        bench.out.append(name)
    return name


def _kept(bench: Bench, drawn: Sequence[str], step: DrawCard, face: str) -> set[int]:
    """Return the places of the cards that count among those drawn: the best, of equals the first, or those chosen."""
    many = len(drawn) if step.keep is None else formula_number(step.keep, bench)
    if many < 0:
        raise HackjackError(f"{many} cards cannot be kept: keep 0 or more")
    places = list(range(len(drawn)))
    if many >= len(drawn):
        return set(places)
    weighed = step.best is None and weighs(bench.policy, bench.better)
    if (better := bench.better if weighed else step.best) is not None:
        return set(ranked([_mark(bench, name, better) for name in drawn], bench.policy if weighed else "best")[:many])
    left = places.copy()
    for _ in range(many):
        titles = tuple(_title(_card(bench, drawn[at]), face) for at in left)
        chosen = bench.choose(ChoiceNeed(titles))
        if step.each or step.then:
            # They have been told already, as they were drawn.
            bench.note(said.Chosen(titles[chosen]))
        del left[chosen]
    return set(places) - set(left)


def _mark(bench: Bench, name: str, best: Formula) -> int:
    """Return how good a card is."""
    bench.card = _card(bench, name)
    return formula_number(best, bench)


def _read(bench: Bench, name: str, face: str, pen: Pen, step: Read | None = None) -> None:
    """A card does what it says, or the part of it that a step names."""
    deck, card = _deck_of(bench, name), _card(bench, name)
    read, at_hand = card.faces.get(face), bench.at_hand
    only_deck = len(bench.system.piles) == 1 and bench.system.steps.by_card
    source = card.code if only_deck else f"{bench.system.piles[deck].title} {card.code}"
    inner = Pen(bench, source, pen.hurt, pen.lasts)
    inner.of, inner.card = pen.of, name if bench.system.steps.by_card else ""
    only, but = (step.only, step.but) if step else ((), ())
    if effects := [each for each in card.does(face) if (not only or each.do in only) and each.do not in but]:
        bench.reading.append(deck)
        bench.at_hand = name
        bench.run(effects, inner)
        bench.at_hand = at_hand
        bench.reading.pop()
    for note in (card.note, read.note if read else None) if not (only or but) else ():
        if note:
            bench.note(said.Remark(note))


def _deck_of(bench: Bench, name: str) -> str:
    return deck_of(name) or next(iter(bench.system.piles))


def _card(bench: Bench, name: str) -> Card:
    card = card_of(name, bench.system)
    assert card is not None
    return card[1]


def _title(card: Card, face: str) -> str:
    """What a card is called when it is read for a face."""
    read = card.faces.get(face)
    return (read.name if read else None) or card.name
