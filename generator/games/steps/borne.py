"""What cards have left on a character, as their own cards say it: `Your arms are useless until you recover`."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from generator.base.sentences import joined_sentences
from generator.games.steps.state import HeldCondition
from generator.model.rules import Card, Check, Lose, Penalty, Suffer, System, Until, is_permanent, walk_effects
from generator.play.piles import card_of
from generator.words.effect_words import rolled_over, wound_says
from generator.words.effects import sentence_by_effect
from generator.words.event_wording import until_words
from generator.words.wording import Sentence

Wound = Mapping[str, Any]
"""A wound as plain data: `card`, `effect`, `until`, `to`, `by`, `place`, `begins`."""
Cells = tuple[str, str, str]
"""A line of a list: the card, what it has left, and until when."""


def plain_wound(held: HeldCondition) -> dict[str, Any]:
    """Return what a card has left as plain data."""
    wound = {"card": held.card, "effect": held.condition, "until": held.until, "to": held.to, "by": held.by}
    return wound | {"place": held.place, "begins": held.begins}


def wounds_told(wounds: Iterable[Wound], system: System) -> Iterator[Cells]:
    """Yield the wounds of a character; of several alike on one card each in its own words."""
    seen: Counter[tuple[str, str, str]] = Counter()
    for wound in wounds:
        like = (wound["card"], wound.get("effect", ""), wound.get("until", ""))
        yield wound_cells(wound, system, seen[like])
        seen[like] += 1


def wound_cells(wound: Wound, system: System, nth: int | None = None) -> Cells:
    """Return a wound as a line of a list.

    `nth` says which of several alike on its card it is, from 0, where that is known.
    """
    wound = {"effect": "", "until": "permanent", "to": (), "by": (), "place": "", **wound}
    named = card_of(wound["card"], system)
    card = named[1] if named else None
    if card and (own := _own_words(wound, card, system, nth)):
        return wound["card"], own.says, own.until
    says = wound_says(wound, system) or (card.name if card else wound["card"])
    after = ", from recovery on" if wound.get("begins") == "recovery" else ""
    return wound["card"], says, f"{_ends_by(wound, card, system)}{after}"


def _ends_by(wound: Wound, card: Card | None, system: System) -> str:
    """Return until when; a check that is rolled again says its die."""
    if card and (check := later_check(card, wound["effect"])) and wound["until"] == "check":
        return f"until {check.die.spoken} shows more than {rolled_over(check, system)}"
    return until_words(wound["until"], system)


def later_check(card: Card, effect: str = "") -> Check | None:
    """Return the check of a card whose wound a later roll ends: that of the effect, or its only one."""
    checks = [each for _, each in walk_effects(card.effects) if isinstance(each, Check) and each.over is not None]
    brings = [
        check for check in checks if any(isinstance(each, Suffer) and each.condition == effect for each in check.fails)
    ]
    return next(iter(brings or (checks if len(checks) == 1 else ())), None)


def _own_words(wound: Wound, card: Card, system: System, nth: int | None) -> Sentence | None:
    """Return a wound in its card's own words, with what it costs and what keeps it off.

    An effect that is not named stands for all that the card leaves for good. None where the card has none like it, or
    several that this wound cannot be told from.
    """
    effects, told = card.effects, sentence_by_effect(card, system)
    if not wound["effect"]:
        stays = [sentence for effect, sentence in zip(effects, told, strict=True) if is_permanent(effect)]
        return Sentence(joined_sentences(sentence.says for sentence in stays), stays[-1].until) if stays else None
    until, alike = Until.parse(wound["until"], own=True, units=None), []
    for effect, sentence in zip(effects, told, strict=True):
        own, event = getattr(effect, "until", None), getattr(effect, "event", None)
        # What was rolled, or is gone, the wound knows better than its card.
        if effect.do != wound["effect"] or isinstance(effect, Penalty | Lose) or own is None:
            continue
        named = all(system.head.statistics[name].name in sentence.says for name in wound["to"])
        if named and own.word == until.word and (wound.get("event") or event) == event:
            ends = until_words(wound["until"], system) if until.amount else sentence.until
            alike.append(sentence._replace(until=ends))
    if alike and nth is not None:
        return alike[nth % len(alike)]
    return alike[0] if len(set(alike)) == 1 else None
