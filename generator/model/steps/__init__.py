"""The vocabulary of rules: effects that any card or row may have, and steps of events, by what they are about.

Each type carries how it is written as text: its `form`, its `clauses` and the `block` of steps below it.
"""

from collections.abc import Collection, Iterator
from typing import Any, get_args

from generator.model.durations import ENDS_OF_STEPS, LASTING, Until
from generator.model.formulas import Formula
from generator.model.steps import cards, dice, flow, saves
from generator.model.steps.base import Effect
from generator.model.steps.cards import (
    Again,
    AnyCardStep,
    Draw,
    DrawCard,
    Peek,
    Repeat,
    Reroll,
    Spare,
    TakeUp,
    Whenever,
)
from generator.model.steps.conditions import Bonus, Die, Drop, End, Halve, Lose, Penalty, Revive, Risk, Suffer
from generator.model.steps.dice import FIRST, RollFor, Throw
from generator.model.steps.flow import AsLong, Befall, Call, Choose, OneOf, Say, When
from generator.model.steps.numbers import Let, Lower, Raise, Reveal, SetTo
from generator.model.steps.saves import Answer, Check, Save
from generator.model.steps.tables import Locate, LookUp, Place
from generator.model.steps.time import Pass, Shorten

AnyStep = (
    Raise | Lower | SetTo | Let | When | LookUp | AnyCardStep | RollFor | Call | Befall | End | Shorten | Pass | Place
    | Say | Die | Revive | Reveal | Answer | Throw | AsLong | Choose
)  # fmt: skip

Scoring = Check | Draw | Repeat | Whenever | Peek | Reroll
"""Only on cards with a death-score."""

AnyEffect = (
    Suffer | Penalty | Bonus | Halve | Locate | Drop | Risk | OneOf | Save | Lose | Scoring | Spare
    | Again | AnyStep
)  # fmt: skip

for _module in (cards, dice, flow, saves):
    # What stands inside a step may be any of them.
    vars(_module)["AnyEffect"] = AnyEffect

_STEP = "this is a step of one's own: only procedures of the kind steps play it"
_UNPLAYED: tuple[tuple[str, Any, str], ...] = (
    *((kind, AnyStep, _STEP) for kind in ("blackjack", "traits", "field")),
    ("traits", Scoring, "this belongs on cards with a death-score: an injury deck cannot do it"),
    ("traits", Save, "nobody rolls saves here: leave it out"),
)
UNPLAYED: dict[tuple[Any, Any], str] = {
    (kind, each.__struct_config__.tag): says
    for kind, effects, says in _UNPLAYED
    for each in get_args(effects) or (effects,)
}
"""What a kind of procedure does not play: by its name and that of the effect, what is said to authors."""


def not_played(do: str, plays: Collection[str]) -> str:
    """Return why steps do not play an effect that only an event of the pack can play; empty if one does."""
    if do not in ("draw", "repeat", "spare", "again") or do in plays:
        return ""
    cure = "write draw from, and a deck" if do == "draw" else "write steps of your own"
    return f"no event here plays {do}: {cure}, or plays: {{{do}: EVENT}} under procedure"


def missing_end(kind: str, do: str, until: object, enders: Collection[str], *, by_card: bool = False) -> str:
    """Return why an effect that lasts until this word has no end in a kind of procedure; empty where it has one.

    `enders` are what steps and the clock end, and the names of events; `by_card` what the procedure says of effects.
    """
    if not isinstance(until, str):
        return ""
    if kind != "steps":
        return ""
    kept = until == "same" or (until == "permanent" and do in ("penalty", "bonus"))
    if do in ("penalty", "bonus", "halve", "risk") and not (kept or by_card):
        cure = "write this into the implies of a condition of yours, with as long, and let somebody suffer that"
        return f"only conditions last so long here: {cure}"
    lasts = do == "suffer" or (by_card and do in LEFT)
    if lasts and until in LASTING and until not in ENDS_OF_STEPS and until not in enders:
        return f'nothing here ends it: for "{until}" write an event of that name, for good, or a span of time'
    return ""


Drawing = Draw | Repeat | Spare | Again
"""Those that are settled while cards are drawn, before any wound is applied."""
Lasting = Suffer | Penalty | Bonus | Halve | Lose | Risk | Whenever | Reroll
"""Those that may stay with a character, as a wound in the state."""
DRAWING: dict[str, type[Effect]] = {str(each.__struct_config__.tag): each for each in get_args(Drawing)}
"""The same by their names."""
LEFT = ("penalty", "bonus", "halve", "lose", "risk", "whenever", "reroll")
"""The names of those that are no conditions."""


def walk_effects(effects: tuple[AnyEffect, ...]) -> Iterator[tuple[tuple[str | int, ...], AnyEffect]]:
    """Yield every effect with the trail to it, those inside checks and triggers too."""
    for place, effect in enumerate(effects):
        yield (place,), effect
        if isinstance(effect, Whenever) and effect.penalty:
            yield (place, "penalty"), effect.penalty
        for key, effects_inside in nested_effects(effect):
            for trail, inside in walk_effects(effects_inside):
                yield (place, *key, *trail), inside


def nested_effects(effect: AnyEffect) -> Iterator[tuple[tuple[str, ...], tuple[AnyEffect, ...]]]:
    """Yield the lists of effects inside an effect, each with the keys that lead to it."""
    match effect:
        case When():
            yield from ((("then",), effect.then), (("else",), effect.otherwise))
        case Say() | AsLong():
            yield ("steps",), effect.do_
        case DrawCard():
            yield from ((("each",), effect.each), (("then",), effect.then))
        case TakeUp():
            yield ("then",), effect.then
        case Choose():
            yield from ((("options", option), inner) for option, inner in effect.options.items())
        case RollFor():
            yield from ((("results", written), inner) for written, inner in effect.results.items())
        case OneOf():
            yield ("effects",), effect.effects
        case Save() | Check():
            yield from ((("passes",), effect.passes), (("fails",), effect.fails))
        case _:
            return


def given_names(effect: AnyEffect) -> tuple[str, ...]:
    """Return the names that a step gives to what it comes to."""
    match effect:
        case Let():
            return (effect.name,)
        case Throw():
            return tuple(each for name in effect.dice for each in (name, name + FIRST)) + tuple(effect.counts)
        case _:
            return ()


def effect_formulas(effect: Effect) -> Iterator[tuple[tuple[str, ...], Formula]]:
    """Yield every formula of an effect itself, those of its spans too, each with the keys that lead to it."""
    for field_name in effect.__struct_fields__:
        value = getattr(effect, field_name)
        if isinstance(value, dict):
            yield from (((field_name, key), each) for key, each in value.items() if isinstance(each, Formula))
        elif isinstance(value, Formula):
            yield (field_name,), value
        elif isinstance(value, Until) and value.formula is not None:
            yield (field_name,), value.formula
