"""The events of hackjack, as they are typed."""

from __future__ import annotations

from generator.play.event_spec import ArgumentSpec, by_name, event_spec

MAX_AMOUNT = 10_000
"""The largest number that an event may hold."""
_AMOUNT = ArgumentSpec("amount", "number", most=MAX_AMOUNT)
_ALL = "cards dice choose"
_LIFTED = ArgumentSpec("word", "card", ("trauma",), sample="trauma/CARD")
_DIE = ArgumentSpec("word", "hit_die", sample="DIE", optional=True)


def _flag(word: str) -> ArgumentSpec:
    return ArgumentSpec("word", words=(word,), optional=True)


def _time(most: int) -> ArgumentSpec:
    """How much time may pass in one event; more hours are days, which have nights."""
    return ArgumentSpec("amount", "number", most=most, default=1, optional=True)


_MISS = "draw a card outside a hit; miss applies the critical_draw ruling"
_LIFTS = "great magic takes Trauma away; it, a quest or the GM ends what a card left for good"
EVENTS = by_name(
    event_spec("hit", "damage; at or below 0 HP it draws a card", _AMOUNT, _flag("critical"), luck=_ALL),
    event_spec("draw", _MISS, _flag("miss"), luck=_ALL),
    event_spec("heal", "the pool first, then the death-score, then HP", _AMOUNT, luck="dice"),
    event_spec("hold", "keep the Blood pool in for this round; walk or defend and nothing else"),
    event_spec("release", "stop holding"),
    event_spec("poison", "death-score, no card", _AMOUNT),
    event_spec("bleed", "Blood, no card", _AMOUNT),
    event_spec("drain", "a direct attack on the death-score", _AMOUNT),
    event_spec("face", "rounds near what a wound made you fear", _time(100), luck="dice"),
    event_spec("stand", "get up"),
    event_spec("clear", "what was in the way of eyes or mouth is cleaned away"),
    event_spec("wake", "somebody wakes the unconscious"),
    event_spec("check", "the later roll that ends what the card did", ArgumentSpec("word", "card"), luck="dice"),
    event_spec("round", "rounds pass; who held must say so again", _time(MAX_AMOUNT), time=True),
    event_spec("hour", "hours pass", _time(24), luck="dice", time=True),
    event_spec("day", "days pass, with their nights", _time(3650), luck="dice", time=True),
    event_spec("week", "weeks pass", _time(520), luck="dice", time=True),
    event_spec("rest", "a night; in comfort where the wound asks for it", _flag("comfort"), luck="dice"),
    event_spec("recover", "the rest of the recovery time passes", luck="dice"),
    event_spec("lift", _LIFTS, _LIFTED),
    event_spec("act", "do more than walk, where the pass_out ruling is on", _DIE, luck="dice"),
)
