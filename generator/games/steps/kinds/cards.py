"""Steps with decks and piles: which cards are drawn, which of them count, and what each does."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from generator.base.errors import HackjackError
from generator.games.steps import log as said
from generator.games.steps.kinds import plays
from generator.games.steps.luck_asked import ranked, weighs
from generator.games.steps.state import HeldCondition, PiledCard, RefusedError
from generator.model.formulas import MAX_VALUE, Formula, formula_number
from generator.model.rules import AnyEffect, Card, DrawCard, Keep, PutAway, Read, Recur, Shuffle, TakeUp
from generator.play.apply_effects import EffectApplier
from generator.play.chance import ChoiceNeed
from generator.play.log import WoundFact
from generator.play.piles import card_of, codes_without, deck_of, names_in

if TYPE_CHECKING:
    from generator.games.steps.engine import EventRun
    from generator.play.apply_effects import Leads

MAX_RECURRED = 100
"""Maximum times that what waits takes its price at once."""
MAX_DRAWN = 20
"""Maximum cards that one step draws."""


@plays(DrawCard)
def draw_cards(run: EventRun, step: DrawCard, applier: EffectApplier) -> Leads:
    """Draw cards, one after the other: each does what it says. Where only some are kept, all are drawn first.

    Raises HackjackError for too many, and for a face that the deck does not have.
    """
    deck = run.system.piles[step.deck]
    times = 1 if step.cards is None else formula_number(step.cards, run)
    if not 0 <= times <= MAX_DRAWN:
        raise HackjackError(f"draw 0 to {MAX_DRAWN} cards at a time, not {times}")
    face = str(run.figure(step.face)) if step.face is not None else ""
    if not step.then and face not in (deck.faces or ("",)):
        raise HackjackError(f"{deck.title} has no face {face or 'where none is said'}: say {', '.join(deck.faces)}")
    drawn: list[str] = []
    for _ in range(times):
        if run.stopped or not (name := _next(run, step.deck)):
            continue
        drawn.append(name)
        if step.each or step.then:
            _note_drawn(run, name, step, face)
        yield from _with_card(run, name, step.deck, step.each, applier)
        if step.keep is None:
            yield from _count(run, name, step, face, applier)
    if step.keep is None or run.stopped:
        return
    kept = _kept(run, drawn, step, face)
    for at, name in enumerate(drawn):
        if at not in kept:
            run.note(said.LaidAside(name, step.deck, _title(_card(run, name), face)), step.ruling or "")
    for at in sorted(kept):
        yield from _count(run, drawn[at], step, face, applier)


def _count(run: EventRun, name: str, step: DrawCard, face: str, applier: EffectApplier) -> Leads:
    """Let a card count that was drawn: it does what it says, or what the step says instead."""
    if run.stopped:
        return
    if step.then:
        yield from _with_card(run, name, step.deck, step.then, applier)
        return
    if not step.each:
        _note_drawn(run, name, step, face)
    outer = run.card, run.names.get("row")
    run.card, run.names["row"] = _card(run, name), _title(_card(run, name), face)
    yield from _read(run, name, face, applier)
    if run.at_hand:
        run.card, run.names["row"] = outer


def _note_drawn(run: EventRun, name: str, step: DrawCard, face: str) -> None:
    run.note(said.Drawn(name, step.deck, face, _title(_card(run, name), face)), step.ruling or "")


def _with_card(run: EventRun, name: str, deck: str, steps: Iterable[AnyEffect], applier: EffectApplier) -> Leads:
    """Run steps with a card at hand; then the one before is at hand again."""
    if not steps:
        return
    card, at_hand, row = run.card, run.at_hand, run.names.get("row")
    run.card, run.at_hand = _card(run, name), name
    run.names["row"] = run.card.name
    run.reading.append(deck)
    yield run.steps(steps, applier)
    run.reading.pop()
    run.at_hand = at_hand
    if at_hand:
        run.card, run.names["row"] = card, row


@plays(Read)
def read_card(run: EventRun, step: Read, applier: EffectApplier) -> Leads:
    """Let the card at hand do what it says. Raises HackjackError where there is none."""
    if run.card is None or not run.at_hand:
        raise HackjackError("no card is at hand to be read")
    face = str(run.figure(step.face)) if step.face is not None else ""
    return _read(run, run.at_hand, face, applier, step)


@plays(Keep)
def keep_card(run: EventRun, step: Keep, _: EffectApplier) -> None:
    """Put the card at hand on a pile; the oldest leaves a full one. Raises HackjackError where none is at hand."""
    if not run.at_hand:
        raise HackjackError("no card is at hand to be kept")
    own, pile = run.system.steps.piles[step.pile], run.piles[step.pile]
    pile.append(PiledCard(run.at_hand, 0 if step.counts is None else formula_number(step.counts, run)))
    if not own.temporary:
        run.note(said.Piled(run.at_hand, step.pile, pile[-1].counts), step.ruling or "")
    del pile[: -own.most]


@plays(TakeUp)
def take_up(run: EventRun, step: TakeUp, applier: EffectApplier) -> Leads:
    """Take the cards that a pile has now to hand, one after the other."""
    for each in tuple(run.piles[step.pile]):
        if not run.stopped:
            yield from _with_card(run, each.card, _deck_of(run, each.card), step.then, applier)


@plays(PutAway)
def put_away(run: EventRun, step: PutAway, _: EffectApplier) -> None:
    """Take cards off a pile, the newest first; of the last that has to, the rest of what it counts is gone too."""
    pile = run.piles[step.pile]
    left = sum(each.counts for each in pile) if step.by is None else formula_number(step.by, run)
    while pile and (step.by is None or left > 0):
        left -= pile[-1].counts
        if not run.system.steps.piles[step.pile].temporary:
            run.note(said.Unpiled(pile[-1].card, step.pile, max(-left, 0)), step.ruling or "")
        pile.pop()


@plays(Recur)
def recur(run: EventRun, step: Recur, _: EffectApplier) -> None:
    """Pay the prices of what waits: of each card one wound, that grows. Raises RefusedError where none does."""
    times = 1 if step.times is None else formula_number(step.times, run)
    if not 0 <= times <= MAX_RECURRED:
        raise HackjackError(f"wounds can recur 0 to {MAX_RECURRED} times at once, not {times}")
    prices = [(card, effect.penalty) for card, effect in run.conditions.waiting_for(step.event) if effect.penalty]
    if not prices:
        raise RefusedError("the character has no wound that costs anything here")
    for card, price in prices:
        lost = sum(run.roll(price.by, f"{card}: penalty") for _ in range(times))
        run.note(WoundFact(price.do, str(price.until), list(price.to), [lost], "", card), step.ruling or "")
        like = HeldCondition(price.do, str(price.until), card=card, to=price.to)
        before = [held for held in run.conditions.held if replace(held, by=()) == like]
        total = min(lost + sum(sum(held.by) for held in before), MAX_VALUE)
        run.conditions.held = [
            *(held for held in run.conditions.held if held not in before),
            replace(like, by=(total,)),
        ]


@plays(Shuffle)
def shuffle(run: EventRun, step: Shuffle, _: EffectApplier) -> None:
    """Shuffle the cards of a deck back into it."""
    shuffle_deck(run, step.deck, step.ruling or "", asked=True)


def shuffle_deck(run: EventRun, deck: str, why: str = "", *, asked: bool = False, kept: Collection[str] = ()) -> None:
    """Put the cards of a deck back into it: since a step says so (`asked`), or since none was left.

    Those in held piles stay out, those that others hold, and `kept`.
    """
    run.note(said.Shuffled(deck, asked), why)
    own, piles = set(names_in(deck, run.system)), run.system.steps.piles
    held = Counter(each.card for name, pile in run.piles.items() if piles[name].held for each in pile)
    held |= Counter(each.card for each in run.conditions.held if each.card)
    stays = (held | Counter(run.beside)) | Counter(kept)
    out, run.out = run.out, []
    for name in out:
        if name not in own or stays[name]:
            run.out.append(name)
            stays[name] -= name in own


def _next(run: EventRun, deck: str) -> str | None:
    """Return the next card of a deck, out of it from now on unless it goes back at once.

    What this event has drawn is not shuffled back as long as another card is left. None where luck gives none, or where
    a card draws from its own deck and nothing is left: to shuffle it then could go on without an end.
    """
    cards = names_in(deck, run.system)
    left = codes_without(cards, run.out)
    if not left:
        others = Counter(run.out) - Counter(run.drawn)
        if deck not in run.reading or any(others[name] for name in cards):
            shuffle_deck(run, deck, kept=run.drawn if any(others[name] for name in cards) else ())
        left = codes_without(cards, run.out)
    if not left and deck in run.reading:
        run.note(said.Said("draw_card", f"{run.system.piles[deck].title}: no card is left to draw.", {}))
        return None
    if not left:
        raise HackjackError(f"no card of {run.system.piles[deck].title} can be drawn: all of them are held")
    if not (name := run.chance.card(left)):
        return None
    run.drawn.append(name)
    if not run.system.piles[deck].returns:
        run.out.append(name)
    return name


def _kept(run: EventRun, drawn: Sequence[str], step: DrawCard, face: str) -> set[int]:
    """Return the places of the cards that count among those drawn: the best, of equals the first, or those chosen."""
    many = len(drawn) if step.keep is None else formula_number(step.keep, run)
    if many < 0:
        raise HackjackError(f"{many} cards cannot be kept: keep 0 or more")
    places = list(range(len(drawn)))
    if many >= len(drawn):
        return set(places)
    weighed = step.best is None and weighs(run.policy, run.better)
    if (better := run.better if weighed else step.best) is not None:
        return set(ranked([_mark(run, name, better) for name in drawn], run.policy if weighed else "best")[:many])
    left = places.copy()
    for _ in range(many):
        titles = tuple(_title(_card(run, drawn[at]), face) for at in left)
        chosen = run.choose(ChoiceNeed(titles))
        if step.each or step.then:
            # They have been told already, as they were drawn.
            run.note(said.Chosen(titles[chosen]))
        del left[chosen]
    return set(places) - set(left)


def _mark(run: EventRun, name: str, best: Formula) -> int:
    """Return how good a card is."""
    run.card = _card(run, name)
    return formula_number(best, run)


def _read(run: EventRun, name: str, face: str, applier: EffectApplier, step: Read | None = None) -> Leads:
    """Let a card do what it says, or the part of it that a step names."""
    deck, card = _deck_of(run, name), _card(run, name)
    read, at_hand = card.faces.get(face), run.at_hand
    only_deck = len(run.system.piles) == 1 and run.system.steps.by_card
    source = card.code if only_deck else f"{run.system.piles[deck].title} {card.code}"
    inner = EffectApplier(run.system, source, applier.hurt, applier.lasts)
    inner.of, inner.card = applier.of, name if run.system.steps.by_card else ""
    only, but = (step.only, step.but) if step else ((), ())
    if effects := [each for each in card.does(face) if (not only or each.do in only) and each.do not in but]:
        run.reading.append(deck)
        run.at_hand = name
        yield run.steps(effects, inner)
        run.at_hand = at_hand
        run.reading.pop()
    for note in (card.note, read.note if read else None) if not (only or but) else ():
        if note:
            run.note(said.Remark(note))


def _deck_of(run: EventRun, name: str) -> str:
    return deck_of(name) or next(iter(run.system.piles))


def _card(run: EventRun, name: str) -> Card:
    card = card_of(name, run.system)
    assert card is not None
    return card[1]


def _title(card: Card, face: str) -> str:
    """What a card is called when it is read for a face."""
    read = card.faces.get(face)
    return (read.name if read else None) or card.name
