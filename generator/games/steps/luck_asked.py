"""Luck that an event may ask for, in all steps that it may lead to, and how choices fall while odds are counted."""

from collections.abc import Sequence
from fractions import Fraction

from generator.base.dice import Dice
from generator.games.steps.leads import Lead, lists_of, places_led_to
from generator.model import rules
from generator.model.formulas import OF_CARD, ROLLING_NODES, Formula
from generator.play.chance import Policy
from generator.play.event_spec import LUCK


def luck_of(name: str, system: rules.System) -> tuple[str, ...]:
    """Return what an event may ask for, in order: `cards`, `dice`, `choose`."""
    # Watches see whatever any event has done.
    asked, waiting = set[str](), [("event", name), ("watches", "")]
    met: set[Lead] = set()
    while waiting and len(asked) < len(LUCK):
        if (key := waiting.pop()) not in met:
            met.add(key)
            own, leads = _known(key, system)
            asked |= own
            waiting += leads
    defaults = (takes.default for takes in system.head.events[name].takes.values() if takes.default is not None)
    asked |= {"dice"} if any(_figures(each, system) for each in defaults) else set()
    return tuple(kind for kind in LUCK if kind in asked)


def _known(key: Lead, system: rules.System) -> tuple[set[str], list[Lead]]:
    """Return the luck that something itself may ask for, and what it leads to at once; kept for all events."""
    known: dict[Lead, tuple[set[str], list[Lead]]] = system.ready.setdefault("luck", {})
    if key not in known:
        effects = [effect for each in lists_of(key, system) for _, effect in rules.walk_effects(each)]
        asked = {luck for luck in ("cards", "choose") if any(each.may_ask(luck) for each in effects)}
        asked |= {"dice"} if any(_rolls(each, system) for each in effects) else set()
        known[key] = asked, [*dict.fromkeys(lead for each in effects for lead in places_led_to(each, system))]
    return known[key]


def _rolls(effect: rules.AnyEffect, system: rules.System) -> bool:
    """Return whether an effect itself may roll dice."""
    fields = (getattr(effect, name) for name in effect.__struct_fields__)
    spans = (each.amount if isinstance(each, rules.Until) else each for each in fields)
    return (
        effect.may_ask("dice")
        or any(isinstance(each, Dice) and not each.is_number for each in spans)
        or any(_figures(formula, system) for _, formula in rules.effect_formulas(effect))
    )


@rules.per_system
def _dice_names(system: rules.System) -> set[str]:
    """Return the names that stand for dice in formulas."""
    takes = (each for event in system.head.events.values() for each in event.takes.items())
    names = {name for name, dice in system.steps.constants.items() if not dice.is_number}
    return names | {name for name, each in takes if each.die} | {OF_CARD + "blood"}


def _figures(formula: Formula, system: rules.System) -> bool:
    """Return whether dice may be rolled to figure a formula, those that wait too."""
    names = _dice_names(system)
    return any(
        node.kind in ("left", *ROLLING_NODES) or (node.kind == "name" and node.about in names)
        for node in formula.walk()
    )


def weighs(policy: Policy, better: Formula | None) -> bool:
    """Return whether options are compared, by what an event says is better."""
    return policy in ("best", "worst") and better is not None


def ranked(worths: Sequence[Fraction | int], policy: Policy) -> list[int]:
    """Return the places of options, what the policy takes first; of equals the first as written."""
    return sorted(range(len(worths)), key=lambda at: worths[at] if policy == "worst" else -worths[at])
