"""Which emblem a card shows: its own, or that of the first condition or part of the body that its effects name."""

from collections.abc import Iterable

from generator.base.emblem_names import EMBLEMS, NO_EMBLEM
from generator.model.rules import AnyEffect, Locate, Lose, Suffer, System, walk_effects


def emblem_of(own: str | None, effects: Iterable[AnyEffect], system: System, otherwise: str | None = None) -> str:
    """Return the name of the emblem for something that says `own` and does `effects`; empty for none.

    `otherwise` stands where neither has one.
    """
    if own is None:
        named = (_named(effect, system) for _, effect in walk_effects(tuple(effects)))
        own = next((name for name in named if name), otherwise)
    return "" if own in (None, NO_EMBLEM) else str(own)


def condition_emblem(name: str, system: System) -> str:
    """Return the emblem of a condition: the one that it says, that of its own name, or that of what it brings."""
    condition = system.head.conditions.get(name)
    own = (condition.emblem if condition else None) or _same_name(name)
    brought = [each for each in condition.implies if not isinstance(each, Suffer)] if condition else []
    return emblem_of(own, brought, system)


def _named(effect: AnyEffect, system: System) -> str:
    """Return the emblem of what one effect names."""
    if effect.kills:
        return "death"
    if isinstance(effect, Suffer):
        return condition_emblem(effect.condition, system)
    if isinstance(effect, Locate | Lose):
        part = system.head.parts.get(effect.part)
        return emblem_of((part.emblem if part else None) or _same_name(effect.part), (), system)
    return ""


def _same_name(name: str) -> str | None:
    return name if name in EMBLEMS else None
