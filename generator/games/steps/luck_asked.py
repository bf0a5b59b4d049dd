"""Luck that an event may ask for, in all steps that it may lead to, and how choices fall while odds are counted."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from generator.base.dice import Dice
from generator.games.steps.leads import leads
from generator.games.steps.system_views import condition_types
from generator.model import rules
from generator.model.formulas import OF_CARD, ROLLING, Formula
from generator.play.chance import Policy
from generator.play.event_spec import LUCK

_Lists = list[tuple[rules.AnyEffect, ...]]
_Key = tuple[str, str]
"""An event, a deck, a table or a condition."""


def luck_of(name: str, system: rules.System) -> tuple[str, ...]:
    """Return what an event may ask for, in order: `cards`, `dice`, `choose`."""
    # Watches see whatever any event has done.
    asked, waiting = set[str](), [("event", name), ("watches", "")]
    met: set[_Key] = set()
    while waiting and len(asked) < len(LUCK):
        if (key := waiting.pop()) not in met:
            met.add(key)
            own, leads = _known(key, system)
            asked |= own
            waiting += leads
    defaults = (takes.default for takes in system.head.events[name].takes.values() if takes.default is not None)
    asked |= {"dice"} if any(_figures(each, system) for each in defaults) else set()
    return tuple(kind for kind in LUCK if kind in asked)


def _known(key: _Key, system: rules.System) -> tuple[set[str], list[_Key]]:
    """Return the luck that something itself may ask for, and what it leads to at once; kept for all events."""
    known: dict[_Key, tuple[set[str], list[_Key]]] = system.ready.setdefault("luck", {})
    if key not in known:
        effects = [effect for each in _lists(key, system) for _, effect in rules.walk_effects(each)]
        asked = {luck for luck in ("cards", "choose") if any(each.may_ask(luck) for each in effects)}
        asked |= {"dice"} if any(_rolls(each, system) for each in effects) else set()
        known[key] = asked, [*dict.fromkeys(lead for each in effects for lead in _leads(each, system))]
    return known[key]


def _lists(key: _Key, system: rules.System) -> _Lists:
    """Return all lists of effects of an event, a deck, a table, a condition, or of the watches.

    Nothing has judged the content yet: a name may be one that nothing has.
    """
    kind, name = key
    match kind:
        case "event":
            event = system.head.events.get(name)
            return [event.do_] if event else []
        case "watches":
            return [watch.do_ for watch in system.head.watches]
        case "deck":
            cards = system.piles[name].cards if name in system.piles else ()
            return [card.does(face) for card in cards for face in ("", *card.faces)]
        case "table":
            table = system.table(name)
            cells = [cell for row in table.rows for cell in (row.effects, *row.cells.values())] if table else []
            return [*([table.every] if table else []), *(cell for cell in cells if isinstance(cell, tuple))]
    condition = condition_types(system).get(name)
    return [condition.implies, *condition.each.values(), *condition.ends.values()] if condition else []


def _leads(effect: rules.AnyEffect, system: rules.System) -> Iterator[_Key]:
    """Yield what an effect leads to, also in some time."""
    for kind, name in leads(effect, system):
        match kind:
            case "event" | "others":
                yield "event", name
            case "pile":
                yield from (("deck", deck) for deck in system.piles)
            case "conditions":
                # It may end a condition, or let it act.
                yield from (("condition", each) for each in system.head.conditions)
            case "table" | "deck" | "condition":
                yield kind, name


def _rolls(effect: rules.AnyEffect, system: rules.System) -> bool:
    """Return whether an effect itself may roll dice."""
    fields = (getattr(effect, name) for name in effect.__struct_fields__)
    spans = (each.amount if isinstance(each, rules.Until) else each for each in fields)
    return (
        effect.may_ask("dice")
        or any(isinstance(each, Dice) and not each.is_number for each in spans)
        or any(_figures(formula, system) for _, formula in rules.effect_formulas(effect))
    )


def _figures(formula: Formula, system: rules.System) -> bool:
    """Return whether dice may be rolled to figure a formula, those that wait too."""
    if "dice by name" not in system.ready:
        takes = (each for event in system.head.events.values() for each in event.takes.items())
        names = {name for name, dice in system.steps.constants.items() if not dice.is_number}
        system.ready["dice by name"] = names | {name for name, each in takes if each.die} | {OF_CARD + "blood"}
    names = system.ready["dice by name"]
    return any(
        node.kind in ("dice", "left", *ROLLING.values()) or (node.kind == "name" and node.about in names)
        for node in formula.walk()
    )


def weighs(policy: Policy, better: Formula | None) -> bool:
    """Return whether options are compared, by what an event says is better."""
    return policy in ("best", "worst") and better is not None


def ranked(worths: Sequence[Fraction | int], policy: Policy) -> list[int]:
    """Return the places of options, what the policy takes first; of equals the first as written."""
    return sorted(range(len(worths)), key=lambda at: worths[at] if policy == "worst" else -worths[at])
