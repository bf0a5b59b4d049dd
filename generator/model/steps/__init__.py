"""The vocabulary of rules: effects that any card or row may have, and steps of events, by what they are about.

Every type of the modules in this folder is a kind: what it is stands on the type (`base`), what it does in the module
of the same name in `games/steps/kinds/`. Nothing lists them.
"""

from collections.abc import Collection, Iterator
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, TypeAlias, Union

from generator.model.durations import ENDS_OF_STEPS, LASTING, Until
from generator.model.formulas import Formula
from generator.model.steps.base import Effect, Lasting, Step

_MODULES = [import_module(f"{__name__}.{name}") for name in sorted(each.name for each in iter_modules(__path__))]


def _kinds(kind: type[Effect]) -> Iterator[type[Effect]]:
    if kind.__struct_config__.tag != kind.__name__:
        yield kind
    for below in kind.__subclasses__():
        yield from _kinds(below)


KINDS = tuple(sorted(_kinds(Effect), key=lambda kind: issubclass(kind, Step)))
"""Every kind: effects first, as their modules have them."""

if TYPE_CHECKING:
    AnyEffect: TypeAlias = Effect
else:
    AnyEffect = Union[KINDS]  # noqa: UP007 - there is no other way to join what was found
    for _module in _MODULES:
        # What stands inside a step may be any of them.
        vars(_module)["AnyEffect"] = AnyEffect

UNPLAYED = {
    (procedure, str(kind.__struct_config__.tag)): says for kind in KINDS for procedure, says in kind.unplayed.items()
}
"""What a kind of procedure does not play: by its name and that of the effect, what is said to authors."""
LEFT = tuple(str(kind.__struct_config__.tag) for kind in KINDS if issubclass(kind, Lasting) and not kind.leads_to)
"""The names of those that stay with a character and are no conditions."""
DRAWING = {str(kind.__struct_config__.tag): kind for kind in KINDS if "event plays" in kind.leads_to}
"""Those that an event of the author's may play, by their names."""


def not_played(do: str, plays: Collection[str]) -> str:
    """Return why steps do not play an effect that only an event of the pack can play; empty if one does."""
    if do not in DRAWING or do in plays:
        return ""
    cure = "write draw from, and a deck" if do == "draw" else "write steps of your own"
    return f"no event here plays {do}: {cure}, or plays: {{{do}: EVENT}} under procedure"


def missing_end(kind: str, do: str, until: object, enders: Collection[str], *, by_card: bool = False) -> str:
    """Return why an effect that lasts until this word has no end in a kind of procedure; empty where it has one.

    `enders` are what steps and the clock end, and the names of events; `by_card` what the procedure says of effects.
    """
    if not isinstance(until, str) or kind != "steps":
        return ""
    kept = until == "same" or (until == "permanent" and do in ("penalty", "bonus"))
    if do in ("penalty", "bonus", "halve", "risk") and not (kept or by_card):
        cure = "write this into the implies of a condition of yours, with as long, and let somebody suffer that"
        return f"only conditions last so long here: {cure}"
    lasts = do == "suffer" or (by_card and do in LEFT)
    if lasts and until in LASTING and until not in ENDS_OF_STEPS and until not in enders:
        return f'nothing here ends it: for "{until}" write an event of that name, for good, or a span of time'
    return ""


def walk_effects(effects: tuple[AnyEffect, ...]) -> Iterator[tuple[tuple[str | int, ...], AnyEffect]]:
    """Yield every effect with the trail to it, those inside checks and triggers too."""
    for place, effect in enumerate(effects):
        yield (place,), effect
        for name, key in _below(type(effect)):
            inside = getattr(effect, name)
            if isinstance(inside, Effect):
                yield (place, key), inside
        for keys, effects_inside in nested_effects(effect):
            for trail, inside in walk_effects(effects_inside):
                yield (place, *keys, *trail), inside


@cache
def _below(kind: type[Effect]) -> list[tuple[str, str]]:
    """Return the fields of a kind that hold steps, each with its key."""
    names = dict(zip(kind.__struct_encode_fields__, kind.__struct_fields__, strict=True))
    return [(names[key], key) for key in kind.block.replace("?", "").split()]


def nested_effects(effect: AnyEffect) -> Iterator[tuple[tuple[str, ...], tuple[AnyEffect, ...]]]:
    """Yield the lists of effects inside an effect, each with the keys that lead to it."""
    for name, key in _below(type(effect)):
        inside = getattr(effect, name)
        if isinstance(inside, tuple):
            yield (key,), inside
        elif isinstance(inside, dict):
            yield from (((key, each), below) for each, below in inside.items())


def given_names(effect: AnyEffect) -> tuple[str, ...]:
    """Return the names that a step gives to what it comes to."""
    return tuple(name for word in effect.gives for name in names_in_word(effect, word))


def names_in_word(effect: AnyEffect, word: str) -> Iterator[str]:
    """Yield the names that a word of a kind's data stands for in one of it: `{name}`, `{dice}_first`, `over`."""
    field, brace, after = word.removeprefix("{").partition("}")
    if not brace:
        yield word
        return
    written = getattr(effect, field) or ()
    yield from (each + after for each in ((written,) if isinstance(written, str) else written))


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
