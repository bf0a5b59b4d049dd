"""The events of hackjack, as they are typed."""

from __future__ import annotations

from generator.play.event_spec import Argument, by_name, event

MOST = 10_000
"""The largest number that an event may hold."""
_AMOUNT = Argument("amount", "number", most=MOST)
_ALL = "cards dice choose"
_LIFTED = Argument("word", "card", ("trauma",), sample="trauma/CARD")
_DIE = Argument("word", "hit_die", sample="DIE", optional=True)


def _flag(word: str) -> Argument:
    return Argument("word", words=(word,), optional=True)


def _time(most: int) -> Argument:
    """How much time may pass in one event; more hours are days, which have nights."""
    return Argument("amount", "number", most=most, default=1, optional=True)


_MISS = "a card, for whatever reason; miss: for a critical miss, by the critical_draw ruling"
_LIFTS = "great magic takes Trauma away; it, a quest or the GM ends what a card left for good"
EVENTS = by_name(
    event("hit", "damage; at or below 0 HP it draws a card", _AMOUNT, _flag("critical"), luck=_ALL),
    event("draw", _MISS, _flag("miss"), luck=_ALL),
    event("heal", "the pool first, then the death-score, then HP", _AMOUNT, luck="dice"),
    event("hold", "keep the Blood pool in for this round; walk or defend and nothing else"),
    event("release", "stop holding"),
    event("poison", "death-score, no card", _AMOUNT),
    event("bleed", "Blood, no card", _AMOUNT),
    event("drain", "a direct attack on the death-score", _AMOUNT),
    event("face", "rounds near what a wound made you fear", _time(100), luck="dice"),
    event("stand", "get up"),
    event("clear", "what was in the way of eyes or mouth is cleaned away"),
    event("wake", "somebody wakes the unconscious"),
    event("check", "the later roll that ends what the card did", Argument("word", "card"), luck="dice"),
    event("round", "rounds pass; who held must say so again", _time(MOST), time=True),
    event("hour", "hours pass", _time(24), luck="dice", time=True),
    event("day", "days pass, with their nights", _time(3650), luck="dice", time=True),
    event("week", "weeks pass", _time(520), luck="dice", time=True),
    event("rest", "a night; in comfort where the wound asks for it", _flag("comfort"), luck="dice"),
    event("recover", "the rest of the recovery time passes", luck="dice"),
    event("lift", _LIFTS, _LIFTED),
    event("act", "do more than walk, where the pass_out ruling is on", _DIE, luck="dice"),
)
