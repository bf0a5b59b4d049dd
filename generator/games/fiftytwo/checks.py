"""What types cannot say of a fight over a field: combatants, and the tables that the engine reads."""

from __future__ import annotations

from collections.abc import Iterator

from generator.base.errors import HackjackError
from generator.games.fiftytwo.fight import ACTION_ROWS, ACTIONS, ARMOUR, cost, threshold
from generator.model.procedures import Field
from generator.model.rules import System
from generator.pack.faults import Fault
from generator.pack.strict_yaml import Trail


def field_faults(system: System) -> Iterator[Fault]:
    """For `system.yaml`: the procedure needs two tables."""
    if isinstance(system.head.procedure, Field):
        for name in (ARMOUR, ACTIONS):
            if system.table(name) is None:
                yield ("procedure",), f"the table {name} is missing: a fight over a field is priced and rated by it"


def action_faults(system: System) -> Iterator[Fault]:
    """For `tables.yaml`: every action has its price."""
    if not isinstance(system.head.procedure, Field) or system.table(ACTIONS) is None:
        return
    place = next(at for at, table in enumerate(system.tables) if table.id == ACTIONS)
    for action in ACTION_ROWS:
        try:
            cost(action, system)
        except HackjackError as error:
            yield ("tables", place), str(error)


def combatant_faults(system: System) -> Iterator[Fault]:
    """For `combatants.yaml`: names of their own, armour that the table rates, and opponents in reach."""
    if not isinstance(system.head.procedure, Field):
        yield (), f"the procedure of {system.head.id} knows no combatants: take the file out"
        return
    sides = {person.name: person.side for person in system.combatants}
    seen: set[str] = set()
    for place, person in enumerate(system.combatants):
        trail: Trail = ("combatants", place)
        if person.name.casefold() in seen:
            yield (*trail, "name"), f"there are two combatants called {person.name}: give each a name of their own"
        seen.add(person.name.casefold())
        if system.table(ARMOUR) is not None:
            try:
                threshold(person, 0, system)
            except HackjackError as error:
                yield (*trail, "armour", "type"), str(error)
        for at, name in enumerate(person.reach):
            if sides.get(name, person.side) == person.side:
                message = f'"{name}" is no opponent of {person.name}: name somebody of the other side'
                yield (*trail, "reach", at), message
