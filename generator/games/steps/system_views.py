"""Views of a system that the kind `steps` asks for, each made once for a system."""

from collections.abc import Mapping

from generator.model.procedures import Aim, OwnPile, Retelling
from generator.model.rules import LEFT, Condition, Suffer, System, per_system


@per_system
def argument_aims(system: System) -> dict[str, Mapping[str, Aim]]:
    """Return the kinds that arguments of events may be of, each with its table, by the argument's name."""
    aims = system.steps.aims
    takes = [item for event in system.head.events.values() for item in event.takes.items()]
    return {name: aims[argument.one_of] for name, argument in takes if argument.one_of in aims}


@per_system
def condition_types(system: System) -> dict[str, Condition]:
    """Return everything that a character may hold by name: conditions, and what effects leave beside their cards."""
    left = {name: Condition(says=name.capitalize(), again="apart") for name in LEFT} if system.steps.by_card else {}
    return left | system.head.conditions


def named_conditions(name: str, system: System) -> tuple[str, ...]:
    """Return the conditions that a name in a formula means: that one, or those of the group."""
    return tuple(own for own, each in system.head.conditions.items() if name in (own, each.group))


@per_system
def implied_conditions(system: System) -> dict[str, frozenset[str]]:
    """Return by each condition those that it brings for as long as it lasts, and what these bring."""

    def reached(name: str, seen: frozenset[str]) -> frozenset[str]:
        condition = system.head.conditions.get(name)
        for effect in condition.implies if condition else ():
            if isinstance(effect, Suffer) and effect.until.word == "same" and effect.condition not in seen:
                seen = reached(effect.condition, seen | {effect.condition})
        return seen

    return {name: reached(name, frozenset()) for name in system.head.conditions}


@per_system
def renewable_conditions(system: System) -> frozenset[str]:
    """Return the conditions that may come again for as long as they lasted from their start."""
    effects = (effect for effect in system.all_effects() if isinstance(effect, Suffer))
    return frozenset(effect.condition for effect in effects if effect.until.word == "again")


@per_system
def log_wordings(system: System) -> dict[str, list[Retelling]]:
    """Return the author's words for entries of the log, by what JSON calls these."""
    wordings: dict[str, list[Retelling]] = {}
    for wording in system.steps.log:
        wordings.setdefault(wording.of, []).append(wording)
    return wordings


@per_system
def state_keys(system: System) -> dict[str, str]:
    """Return where conditions stand in a written state: the key of a condition, a group, `long` or `any`."""
    return {key.of: key.key for key in system.steps.state if key.of}


@per_system
def kept_piles(system: System) -> dict[str, OwnPile]:
    """Return the author's piles that a state has: all but those for one event."""
    return {name: own for name, own in system.steps.piles.items() if not own.temporary}


@per_system
def has_cup(system: System) -> bool:
    """Return whether any number is hidden under a cup."""
    return any(own.hidden for own in system.steps.numbers.values())
