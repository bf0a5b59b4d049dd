"""The arithmetic of a fight: action points, prices, armour and its threshold, time (rulings F7, F12-F14, F17)."""

from collections.abc import Sequence
from typing import NamedTuple

from generator.base.errors import HackjackError
from generator.model.combatants import Combatant, Side
from generator.model.procedures import Field
from generator.model.rules import Row, System

ARMOUR = "armour"
ACTIONS = "actions"
"""The tables that the engine reads its ratings and prices from."""

ACTION_ROWS = {
    "bottom": "Bottom card",
    "higher": "Card higher up",
    "pair": "Matching pair",
    "add": "Add a card",
    "attack": "Attack",
    "critical": "Critical attack",
    "move": "Move",
    "step": "Five-foot step",
    "spell": "Spell",
    "suspend": "Suspend a spell",
    "item": "Magic item",
    "ability": "Ability",
    "raise": "Raise initiative",
    "other": "Anything else",
}
"""Each action and the row of the table that prices it."""


class Points(NamedTuple):
    """Action points and what they are made of."""

    base: int
    magic: int
    attack: int
    class_bonus: int
    circumstance: int
    defence: int
    """What the magical defence of opponents in reach takes away."""

    @property
    def total(self) -> int:
        """Never below 0."""
        gained = self.base + self.magic + self.attack + self.class_bonus + self.circumstance
        return max(gained - self.defence, 0)


class Threshold(NamedTuple):
    """How many hits an armour takes before one does harm, and what that is made of."""

    base: int
    shield: int
    magic: int
    """Defence less attack, not yet capped."""
    total: int


def field_rules(system: System) -> Field:
    """Return the numbers of a system that fights over a field of cards. Raises HackjackError for any other."""
    if not isinstance(system.head.procedure, Field):
        raise HackjackError(f"{system.head.id} has no field of cards (its procedure is of a different kind)")
    return system.head.procedure


def action_points(person: Combatant, reach: Sequence[Combatant], circumstance: int, system: System) -> Points:
    """Return a combatant's points, without the free action (F7)."""
    bases = {
        "strength": person.strength,
        "dexterity": person.dexterity,
        "bonus": person.bonus,
        "challenge": person.challenge // field_rules(system).challenge_share,
    }
    defence = sum(opponent.defence for opponent in reach)
    return Points(bases[person.uses], person.magic, person.attack, person.class_bonus, circumstance, defence)


def hit_threshold(target: Combatant, bonus: int, system: System) -> Threshold:
    """Return the hits that a target's armour takes from a weapon of that magical bonus (F13, F14)."""
    rules = field_rules(system)
    base = _number(armour_row(target.armour.type, system), "rating")
    shield = 0 if target.armour.shield is None else rules.shield_rating
    magic = target.defence - bonus
    if system.setting("shield") == "in_the_magic":
        # A shield's own point has the cap of magic then.
        shield, magic = 0, magic + shield
    return Threshold(base, shield, magic, max(base + shield + min(magic, rules.magic_cap), 0))


def weak_against(target: Combatant, system: System) -> str:
    """Return the kind of damage that the target's armour is weak against; `all` without armour (F13)."""
    row = armour_row(target.armour.type, system)
    return str(row.cells.get("weak" if target.armour.shield is None else "weak_with_shield", ""))


def attack_cost(action: str, target: Combatant, attacker: Combatant, system: System) -> int:
    """Return an attack's price in points: less if the armour is weak against it (F12)."""
    weak = weak_against(target, system) in ("all", attacker.weapon.damage)
    return max(action_cost(action, system) - (field_rules(system).vulnerable if weak else 0), 0)


def gives_way(hits: int, needed: int, system: System) -> bool:
    """Tell whether so many hits, the last one among them, get through (F20)."""
    if system.setting("threshold") == "hits_before":
        return hits > needed
    return hits >= needed


def action_cost(action: str, system: System) -> int:
    """Return an action's price in points, from the table of actions (F12)."""
    return _number(table_row(ACTIONS, ACTION_ROWS[action], system), "cost")


def decision_seconds(side: Side, allies: int, enemies: int, system: System) -> int:
    """Return the time for one decision of that side (F17)."""
    rules = field_rules(system)
    more = max(enemies - rules.enemies_from, 0) if side == "enemies" else max(rules.allies_below - allies, 0)
    return rules.seconds + rules.seconds_more * more


def armour_row(name: str, system: System) -> Row:
    """Return the row of an armour. Raises HackjackError."""
    return table_row(ARMOUR, name, system)


def table_row(table: str, name: str, system: System) -> Row:
    """Return a row of one of the engine's tables. Raises HackjackError where the content lacks it."""
    content = system.table(table)
    row = content.named(name) if content else None
    if row is None:
        rows = f": write {', '.join(str(row.name) for row in content.rows)}" if content else ""
        raise HackjackError(f'the table {table} has no row "{name}"{rows}')
    return row


def _number(row: Row, column: str) -> int:
    cell = row.cells.get(column)
    if not isinstance(cell, int):
        raise HackjackError(f'the row "{row.name}" has no number in the column {column}')
    return cell
