"""Whole cards and conditions in words, from those of their effects."""

from collections.abc import Iterable, Iterator
from typing import Any

from msgspec.structs import replace

from generator.model import rules
from generator.model.rules import AnyEffect, Card, Condition, Penalty, Suffer, System, Until, plain_value
from generator.words import wording
from generator.words.effect_words import effect_sentences, effect_words, step_words, while_words
from generator.words.own_words import own_sentences

_READINGS = (("For a while", "recovery"), ("For good", "permanent"))


def card_sentences(card: Card, system: System, *, for_good: bool = False) -> tuple[wording.Sentence, ...]:
    """Return a card's effects, one sentence each, or in its author's words; one of Blood alone says where it goes.

    `for_good`: what it does as a permanent injury, where it has such a reading.
    """
    effects, own = (card.for_good, card.for_good_says) if for_good and card.for_good else (card.effects, card.says)
    if own:
        return own_sentences(own, effects, system, card)
    worded = tuple(sentence for effect in effects for sentence in effect_sentences(effect, system))
    return worded or tuple(_pools(card))


def sentence_by_effect(card: Card, system: System) -> tuple[wording.Sentence, ...]:
    """Return the first sentence of each effect of a card: in its author's words if these have a paragraph for each."""
    own = card_sentences(card, system) if card.says else ()
    if len(own) == len(card.effects):
        return own
    return tuple(next(iter(effect_sentences(effect, system)), wording.Sentence("")) for effect in card.effects)


def card_readings(card: Card, system: System) -> tuple[tuple[str, tuple[wording.Sentence, ...]], ...]:
    """Return a card's effects by reading: one without a name, or what it does for a while and what for good.

    Where a reading is named, its sentences need not say how long: only what differs from the reading is left.
    """
    if not card_ends(card):
        return (("", card_sentences(card, system)),)
    read = []
    for (name, word), for_good in zip(_READINGS, (False, True), strict=True):
        sentences = card_sentences(card, system, for_good=for_good)
        own = wording.DURATIONS[word][0]
        read.append((name, tuple(each._replace(until="") if each.until == own else each for each in sentences)))
    (awhile, alike), (always, others) = read
    return ((f"{awhile} or {always.lower()}", alike),) if alike == others else tuple(read)


def card_ends(card: Card) -> tuple[str, ...]:
    """Return the names of a card's two readings; nothing where it has but one."""
    return tuple(name for name, _ in _READINGS) if card.for_good and card.for_good != card.effects else ()


def card_telegraph(card: Card, system: System) -> str:
    """All that a card does besides score, Blood and Trauma, in one line; empty where that is all."""
    if not card_ends(card):
        return effects_telegraph(card.effects, system, keys=True, tight=True)
    awhile, always = (
        effects_telegraph(effects, system, word, keys=True, tight=True)
        for effects, (_, word) in zip((card.effects, card.for_good), _READINGS, strict=True)
    )
    return awhile if awhile == always else f"{awhile} / for good: {always}"


def effects_telegraph(
    effects: Iterable[AnyEffect], system: System, context: str = "", *, keys: bool = False, tight: bool = False
) -> str:
    """Effects in one line, as a table's cell has them: `Gored 2d6 days; Dying in d12 rounds`.

    `context` is a word of `rules.LASTING`: a duration that the reader knows already and that is left out. With
    `keys`, dice that choose a part of the body say which face means which; `tight` leaves out ends that cards say.
    """
    telegraph = ""
    for effect in effects:
        brief = effect_words(effect, system).brief(keys=keys, tight=tight)
        # What follows a step with sentences of its own hangs on none of them.
        ends = ". " in telegraph.rpartition("; ")[2]
        joint = ". " if ends else "; "
        telegraph = (
            f"{telegraph}{joint}{wording.capitalised(brief) if ends else brief}"
            if telegraph and brief
            else telegraph or brief
        )
    return telegraph.replace(f" {wording.DURATIONS[context][1]}", "") if context else telegraph


def condition_sentences(condition: Condition, system: System) -> tuple[wording.Sentence, ...]:
    """A condition in full: what it is, what comes with it, when saves may end it, and what else there is to say."""
    sentences = [wording.Sentence(condition.says, while_words(condition, system))]
    sentences += _implied_sentences(condition, system)
    sentences += [wording.Sentence(step_sentence) for step_sentence in step_words(system).condition_does(condition)]
    if condition.chances:
        after = ", and again after ".join(wording.span_words(chance) for chance in condition.chances)
        fail = "it fails" if len(condition.chances) == 1 else "all fail"
        sentences.append(wording.Sentence(f"Save after {after}, to be rid of it; when {fail}, it stays for good"))
    return (*sentences, *(each for note in condition.notes for each in wording.note_sentences(note, system)))


def implied_effects(condition: Condition, part: str = "", until: Until | None = None) -> Iterator[AnyEffect]:
    """Yield what comes with a condition; with a part of the body that is hurt, only what befalls that part.

    `until`: how long the condition lasts, where that is known. Then a save that is made only when it is for good is
    left out, or asked for without that condition.
    """
    for effect in condition.implies:
        if isinstance(effect, rules.Save) and effect.permanent and until is not None:
            if until.word != "permanent":
                continue
            effect = replace(effect, permanent=False)
        if part and isinstance(effect, Suffer | Penalty | rules.Halve) and effect.where:
            if effect.where != part:
                continue
            effect = replace(effect, where=None)
        yield effect


def _implied_sentences(condition: Condition, system: System) -> Iterator[wording.Sentence]:
    for effect in implied_effects(condition):
        if isinstance(effect, Suffer) and effect.until.word == "same" and not (effect.where or effect.after):
            yield wording.Sentence(step_words(system).step_says(replace(effect, until=Until("now"))))
            continue
        for sentence in effect_sentences(effect, system):
            yield sentence._replace(until="") if sentence.until == wording.DURATIONS["same"][0] else sentence


def condition_telegraph(condition: Condition, system: System) -> str:
    """Return a condition's effects in one line, and when saves may end it.

    What it is leads where nothing else comes with it for sure.
    """
    clauses = [*filter(None, [effects_telegraph(condition.implies, system, "same")])]
    if not clauses or all(isinstance(effect, rules.Save) for effect in condition.implies):
        clauses.insert(0, condition.says)
    if condition.while_:
        clauses.append(while_words(condition, system))
    if condition.short:
        clauses.append(wording.fill_placeholders(condition.short, system))
    if condition.chances:
        clauses.append(f"save after {', '.join(map(wording.span_words, condition.chances))}")
    return "; ".join(clauses)


def _pools(card: Card) -> Iterable[wording.Sentence]:
    """Yield what the badges of a card do that has nothing else, in words that nobody counts a second time."""
    if card.blood:
        goes = "goes" if str(card.blood) == "1" else "go"
        yield wording.Sentence(f"The drop's {card.blood.spoken} Blood {goes} into your pool")
    elif card.trauma:
        yield wording.Sentence("The bone's Trauma counts unless yours is higher")


def card_told(card: Card, system: System) -> dict[str, Any]:
    """Return a card for JSON: what stands on it, its sentences and its effects."""
    return {
        "system": system.head.id,
        "code": card.code,
        "title": card.name,
        "score": system.score_of(card),
        "blood": card.blood.plain if card.blood else 0,
        "trauma": card.trauma or 0,
        "permanent": card.permanent,
        "text": [str(sentence) for sentence in card_sentences(card, system)],
        "effects": [plain_value(effect) for effect in card.effects],
        **(_for_good(card, system) if card.for_good else {}),
    }


def _for_good(card: Card, system: System) -> dict[str, Any]:
    """Return the other reading of a card that has two: what it does as a permanent injury."""
    return {
        "for_good": {
            "text": [str(sentence) for sentence in card_sentences(card, system, for_good=True)],
            "effects": [plain_value(effect) for effect in card.for_good],
        }
    }
