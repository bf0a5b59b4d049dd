"""Steps with decks and piles: which cards are drawn, which of them count, and what each does."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from generator.base.errors import HackjackError, did_you_mean
from generator.games.content_face import Fault, known
from generator.games.steps import log as said
from generator.games.steps.definitions import Definitions, cards_of, event_of
from generator.games.steps.kinds import faults, plays
from generator.games.steps.luck_asked import ranked, weighs
from generator.games.steps.state import HeldCondition, PiledCard, RefusedError
from generator.model.formulas import CARD_FIELDS, MAX_VALUE, OF_CARD, Formula, formula_number
from generator.model.rules import (
    AnyEffect,
    Card,
    Deck,
    DrawCard,
    Keep,
    Lose,
    PutAway,
    Read,
    Recur,
    Reroll,
    Shuffle,
    TakeUp,
    Whenever,
)
from generator.pack.strict_yaml import Trail
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
        raise HackjackError(f"draw 0 to {MAX_DRAWN} cards at a time, not {times:,}")
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
        raise HackjackError(f"wounds can recur 0 to {MAX_RECURRED} times at once, not {times:,}")
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


# --- what types cannot say -------------------------------------------------------------------------------------------


@faults(Lose, Reroll, Whenever)
def kept_faults(pack: Definitions, effect: Lose | Reroll | Whenever, trail: Trail) -> Iterator[Fault]:
    """Yield what stays with a character where nothing keeps it, and what waits for an event that no step asks for."""
    if not pack.system.steps.by_card:
        yield trail, f"nothing keeps what {effect.do} leaves: write by_card: true under procedure, or use suffer"
    event = getattr(effect, "event", "")
    for key in ("blood", "score") if event else ():
        if getattr(effect, key) and event not in pack.called_with(f"extra_{key}"):
            yield (*trail, key), f"no step here asks for extra_{key}({event}): leave {key} out"


@faults(Keep, TakeUp)
def pile_faults(pack: Definitions, step: Keep | TakeUp, trail: Trail) -> Iterator[Fault]:
    """Yield a pile where there are no cards."""
    if not pack.system.piles:
        yield trail, "no deck is here to draw from: a pile holds cards of a deck"


@faults(DrawCard)
def draw_faults(pack: Definitions, step: DrawCard, trail: Trail) -> Iterator[Fault]:
    """Yield cards that cannot be compared, and faces that the deck lacks."""
    event = pack.system.head.events.get(event_of(trail))
    if event is not None and event.better is not None and step.keep and step.best is None:
        nodes = [*event.better.walk()]
        if not any(node.kind == "does" or str(node.about).startswith(OF_CARD) for node in nodes):
            message = f'"{event.better}" asks nothing of the cards that are chosen here: name one of their lines'
            yield (*trail[:2], "better"), message
    if (deck := pack.system.piles.get(step.deck)) is None:
        return
    if step.best is not None:
        if step.keep is None:
            yield (*trail, "best"), "best says which cards are kept: say how many, such as keep 1"
        yield from _unmarked(pack, step.best, deck, (*trail, "best"))
    if not deck.faces and step.face is not None:
        yield (*trail, "face"), f"the cards of {step.deck} have one face alone: take this out"
    elif step.face is not None:
        yield from _face_faults(pack, step.face, deck, f"face of {step.deck}", (*trail, "face"))
    elif deck.faces and not step.then:
        yield trail, f"the cards of {step.deck} are read for {', '.join(deck.faces)}: say which with face"


def _face_faults(pack: Definitions, face: Formula, deck: Deck, noun: str, trail: Trail) -> Iterator[Fault]:
    """Yield a face that the deck lacks, or a name that may be one that it lacks."""
    if face.tree.kind not in ("name", "word"):
        return
    name = str(face.tree.about)
    own = face.tree.kind == "word" or name not in pack.names | pack.system.steps.words.keys()
    # A name that nothing has is told of where formulas are checked.
    if own and name not in pack.words and not did_you_mean(name, deck.faces).startswith(":"):
        return
    for each in {name} if own else sorted(pack.word_values.get(name, ())):
        yield from known(each, deck.faces, noun, trail)


def _unmarked(pack: Definitions, best: Formula, deck: Deck, trail: Trail) -> Iterator[Fault]:
    """Yield cards of which nobody can tell the best, since they lack the number."""
    for node in best.walk():
        key = str(node.about).removeprefix(OF_CARD)
        if node.kind != "name" or key == node.about:
            continue
        without = [card.code for card in deck.cards if not isinstance(card.lines.get(key), int)]
        if key not in deck.lines and key in CARD_FIELDS:
            continue
        if without and key in deck.lines:
            more = f" and {len(without) - 3} more" if len(without) > 3 else ""
            cards = f"{', '.join(without[:3])}{more} of {deck.title}"
            yield trail, f'"{best}": the line {key} is not a number on {cards}'
        elif key not in deck.lines and not pack.is_unknown(str(node.about)):
            yield trail, f'"{best}": the cards of {deck.title} have no line {key}{did_you_mean(key, deck.lines)}'


@faults(Read)
def read_faults(pack: Definitions, step: Read, trail: Trail) -> Iterator[Fault]:
    """Yield effects that no card has."""
    if not pack.system.piles:
        yield trail, "no deck is here to draw from: a card at hand comes from draw"
    if step.only and step.but:
        yield (*trail, "but"), "give one of only and but"
    names = {str(each.do) for _, _, effects, _ in cards_of(pack.system) for each in effects}
    # If no card does anything, as in a deck that cannot be read, there is nothing to compare with. What an event of the
    # pack plays is known, though no card of this deck may say it.
    for key in ("only", "but") if names else ():
        for place, name in enumerate(getattr(step, key)):
            yield from known(name, names | {*pack.system.steps.plays}, "effect of a card", (*trail, key, place))
