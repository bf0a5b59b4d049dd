"""Effects in telegraph style, for tables and stickers where a sentence has no room: `-2 Dex, Str until rec.`"""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from msgspec.structs import replace

from generator.model.rules import (
    Again,
    AnyEffect,
    Card,
    Check,
    Condition,
    Cure,
    Draw,
    Drop,
    Halve,
    Locate,
    Lose,
    Maybe,
    OneOf,
    Part,
    Peek,
    Penalty,
    Repeat,
    Reroll,
    Risk,
    Save,
    Spare,
    Step,
    Suffer,
    System,
    Until,
    Whenever,
)
from generator.words.wording import (
    DAGGER,
    dropped,
    effect_sentences,
    filled,
    percent,
    places,
    showing,
    signed,
    span,
    steps,
)

_LASTING = {
    "now": "",
    "stand": "until up",
    "cleared": "until clear",
    "woken": "until woken",
    "breath": "until rested a round",
    "stable": "until stable",
    "save": "until a save",
    "check": "until a roll succeeds",
    "rest": "until rested",
    "good_rest": "until well rested",
    "recovery": "until rec.",
    "permanent": "for good",
    "gm": "until the GM ends it",
    "same": "as long",
}
_BEGINS = {"now": "", "recovery": "then ", "survival": "if alive "}
_EVENTS = {
    "below_zero": "each descent below 0 HP",
    "first_card": "each descent to 0 HP or below",
    "red_card": "each red card",
    "near_cause": "each round near the cause",
}
_DESCENTS = ("below_zero", "first_card")
"""The events whose score goes to one card alone: the first one drawn."""


def card_telegraph(card: Card, system: System) -> str:
    """All that a card does besides score, Blood and Trauma, in one line; empty where that is all."""
    if not card.for_good or card.for_good == card.effects:
        return effects_telegraph(card.effects, system, keys=True)
    awhile, always = (
        effects_telegraph(card.effects, system, "recovery", keys=True),
        effects_telegraph(card.for_good, system, "permanent", keys=True),
    )
    return f"{awhile} / for good: {always}"


def effects_telegraph(effects: Iterable[AnyEffect], system: System, known: str = "", *, keys: bool = False) -> str:
    """Effects in one line, as a table's cell has them: `Gored 2d6 days; Dying in d12 rounds`.

    `known` is a word of `rules.LASTING`: how long what the reader knows already, so that it need not be said. With
    `keys`, dice that choose a part of the body say which face means which.
    """
    told = "; ".join(_keyed(effect, system) if keys else _telegraph(effect, system) for effect in effects)
    return told.replace(f" {_LASTING[known]}", "") if known else told


def condition_telegraph(condition: Condition, system: System) -> str:
    """What comes with a condition in one line, and when saves may end it.

    What it is leads where nothing else comes with it for sure.
    """
    told = [effects_telegraph(condition.implies, system, "same")] if condition.implies else []
    if all(isinstance(effect, Save) for effect in condition.implies):
        told.insert(0, condition.says)
    if condition.short:
        told.append(filled(condition.short, system))
    if condition.chances:
        told.append(f"save after {', '.join(map(span, condition.chances))}")
    return "; ".join(told)


def _telegraph(effect: AnyEffect, system: System) -> str:
    match effect:
        case Suffer():
            return _BEGINS[effect.begins] + _suffered(effect, system)
        case Penalty():
            return _spaced(_BEGINS[effect.begins] + _penalty(effect, system), _lasting(effect.until))
        case Halve():
            unless = f" unless {_condition(effect.unless, system)}" if effect.unless else ""
            return _spaced(f"half {_statistics((effect.statistic,), system)}{unless}", _lasting(effect.until))
        case Locate():
            part = system.head.parts[effect.part]
            return f"{part.die.spoken if part.die else ''} which {part.name}".strip()
        case Lose():
            part = system.head.parts[effect.part]
            which = f" ({part.die.spoken})" if part.die else ""
            much = f", how much ({part.extent.die.spoken})" if part.extent else ""
            return f"lose {part.name}{which}{much}"
        case Drop():
            both = f" (both hands: {showing(effect.upto)} on {effect.die.spoken})" if effect.die and effect.upto else ""
            return f"drop {dropped(effect.what) if effect.what == 'hand' else effect.what}{both}"
        case Check() if effect.name or effect.at_most or effect.passes or effect.fails:
            return _briefly(effect, system)
        case Check():
            price = ", ".join(_telegraph(failure, system) for failure in effect.fail)
            return f"{_BEGINS[effect.begins]}{effect.die.spoken} over score or {price}"
        case Cure():
            return f"no longer {_condition(effect.condition, system)}"
        case Risk():
            hazard = f"{_statistics((effect.of,), system)} fail {percent(effect.die, effect.upto)}"
            return _spaced(hazard, _lasting(effect.until))
        case OneOf():
            options = " or ".join(_telegraph(option, system) for option in effect.effects)
            return f"{options} (d{len(effect.effects)})"
        case Maybe():
            return f"{percent(effect.die, effect.upto)}: {effects_telegraph(effect.effects, system)}"
        case Save():
            outcomes = [f"{how}: {effects_telegraph(effects, system)}" for how, effects in _ends(effect) if effects]
            return f"save{' if for good' if effect.permanent else ''} ({'; '.join(outcomes)})"
        case Draw():
            return _draw(effect)
        case Repeat():
            return f"last wound again; none: draw {effect.draw}, apply \N{MULTIPLICATION SIGN}{effect.times}"
        case Whenever():
            always = effect.until.word == "permanent"
            told = f"{_EVENTS[effect.event]}: {', '.join(_follows(effect, system))}"
            return f"from now on {told}" if always else _spaced(told, _lasting(effect.until))
        case Peek():
            return "see the next card" if effect.cards == 1 else f"see the next {effect.cards} cards"
        case Reroll():
            return _spaced("resting: reroll top dice", _lasting(effect.until))
        case Spare():
            return "lucky break"
        case Again():
            return f"draw {effect.cards}{' for good' if effect.permanent else ''} instead"
        case Step():
            return _briefly(effect, system)
        case _:
            assert_never(effect)


def _briefly(effect: AnyEffect, system: System) -> str:
    """What has no shorter form: its sentence as a clause."""
    said = "; ".join(str(sentence).removesuffix(".") for sentence in effect_sentences(effect, system))
    return said[:1].lower() + said[1:]


def _follows(effect: Whenever, system: System) -> Iterable[str]:
    if effect.blood:
        yield f"+{effect.blood} Blood"
    if effect.score:
        yield f"{'first card ' if effect.event in _DESCENTS else ''}+{effect.score} score"
    if effect.penalty:
        yield _penalty(effect.penalty, system)


def _draw(effect: Draw) -> str:
    keep = {1: "take the wound", 2: "take both wounds"}.get(effect.cards, "take all wounds")
    if effect.keep == "choose_one":
        keep = "choose 1 wound"
    score = "score counts" if effect.score else "no score"
    pools = {"all": "", "lowest": ", lower Blood and Trauma", "none": ", no Blood or Trauma"}[effect.pools]
    return f"draw {effect.cards}, {keep} ({score}{pools})"


def _suffered(effect: Suffer, system: System) -> str:
    """A condition and how long; one with a name of its own says elsewhere how it ends, but for a span of time."""
    condition = system.head.conditions[effect.condition]
    where = f"{system.head.parts[effect.where].name}: " if effect.where else ""
    if not condition.name:
        return where + _spaced(_condition(effect.condition, system), _lasting(effect.until))
    until = effect.until
    lasts = f"{until.amount.spoken} {str(until).split(' ')[1]}" if until.amount else ""
    ends = "for good" if until.word == "permanent" else lasts
    dagger = DAGGER if effect.reconstructed else ""
    after = f"in {_lasting(effect.after)}{dagger}" if effect.after else dagger
    return where + _spaced(condition.name, after, ends)


def _ends(effect: Save) -> Iterable[tuple[str, tuple[AnyEffect, ...]]]:
    return (("passed", effect.passes), ("failed", effect.fails))


def _keyed(effect: AnyEffect, system: System) -> str:
    """The same, with the meaning of the faces where dice choose a part of the body."""
    if not isinstance(effect, Locate | Lose):
        return _telegraph(effect, system)
    part = system.head.parts[effect.part]
    if isinstance(effect, Locate):
        return f"{_telegraph(effect, system)} ({_places(part)})"
    which = f" ({part.die.spoken}: {_places(part)})" if part.die else ""
    much = f", how much ({part.extent.die.spoken}: {steps(part.extent)})" if part.extent else ""
    return f"lose {part.name}{which}{much}"


def _places(part: Part) -> str:
    """Which face means which place; left arm, right arm, left leg, right leg are `1-2 arm, 3-4 leg, left first`."""
    found = [side.partition(" ") for side in part.sides]
    ways, limbs = (tuple(dict.fromkeys(side[at] for side in found)) for at in (0, 2))
    if len(ways) > 1 < len(limbs) and part.sides == tuple(f"{way} {limb}" for limb in limbs for way in ways):
        return places(replace(part, sides=limbs, members=ways))
    return places(part)


def _condition(name: str, system: System) -> str:
    condition = system.head.conditions[name]
    return condition.brief or condition.says[:1].lower() + condition.says[1:]


def _penalty(effect: Penalty, system: System) -> str:
    per = f"/{_statistics((effect.per,), system)}" if effect.per else ""
    where = f"{system.head.parts[effect.where].name}: " if effect.where else ""
    return f"{where}{signed(effect.by)} {_statistics(effect.to, system)}{per}"


def _statistics(names: Iterable[str], system: System) -> str:
    known = system.head.statistics
    return ", ".join(known[name].brief or known[name].name for name in names)


def _lasting(until: Until) -> str:
    return _LASTING.get(until.word, f"until {until.word.replace('_', ' ')}") if until.amount is None else span(until)


def _spaced(*parts: str) -> str:
    return " ".join(part for part in parts if part)
