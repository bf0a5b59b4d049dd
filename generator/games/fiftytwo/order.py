"""Who acts when: initiative and its ties, holding back, going up, the one re-sequencing (F1, F2, F15, F21)."""

from collections.abc import Callable, Sequence
from itertools import count
from typing import Any

from msgspec.structs import replace

from generator.base.dice import Dice
from generator.base.errors import HackjackError
from generator.games.fiftytwo import log as said
from generator.games.fiftytwo.fight import field_rules
from generator.games.fiftytwo.log import FieldEntry
from generator.games.fiftytwo.state import FieldState, Fighter, Roster
from generator.games.fiftytwo.table import Fight
from generator.model.combatants import Combatant
from generator.model.log import Entry
from generator.model.procedures import TieBreaker
from generator.model.rules import System
from generator.play.chance import Chance, RollNeed

Slots = dict[str, int]
"""Everybody's place in the order: who is higher acts earlier."""
MAX_ROLL_OFFS = 1000
"""Nobody rolls the same as somebody else more often than this, unless the dice are broken."""


def initiative_die(system: System) -> Dice:
    """Return the die in play: the switch's, or by default the procedure's if that was changed (F1)."""
    chosen = system.setting("initiative_die")
    die = field_rules(system).initiative_die
    changed = "initiative_die" in dict(system.changed_numbers)
    if changed and chosen == system.switches["initiative_die"].default:
        return die
    return Dice.parse(chosen) if chosen and chosen != str(die) and chosen != die.spoken else die


def readiness(person: Combatant) -> tuple[int, int, int, int]:
    """Return what adds to the die: Dexterity, initiative modifiers, magical attack, circumstances (F1)."""
    line = person.initiative
    dexterity = person.dexterity if line.dexterity is None else line.dexterity
    return dexterity, line.modifier, person.magic if line.magic is None else line.magic, line.circumstance


def roll_initiative(fight: Fight) -> None:
    """Roll everybody's initiative and break ties, so that each has a slot of their own (F1, F2).

    Those who are down roll none (F24).
    """
    up = [one.name for one in fight.state.fighters if one.hp > 0 or fight.system.setting("downed") == "roll_too"]
    rolled = _rolled(fight, up)
    rolling = [_totalled(fight, name, rolled[name]) for name in up]
    if down := [one.name for one in fight.state.fighters if one.name not in up]:
        fight.note(said.NoRoll(down), "F24")
    slots, ties = break_ties(rolling, fight.roster, fight.system, fight.chance)
    fight.log += ties
    for name, slot in slots.items():
        fight.alter(name, initiative=slot)
    fight.change(round=1, turn=None)
    tell_order(fight)


def _rolled(fight: Fight, names: Sequence[str]) -> dict[str, int]:
    """Return the dice rolled by these people at once; a roll that the content gives is taken as it is (F1)."""
    die, roster = initiative_die(fight.system), fight.roster
    rolls = {name: roster[name].initiative.roll or 0 for name in names}
    waiting = [name for name in names if not rolls[name]]
    if not waiting:
        return rolls
    whose = f"{waiting[0]}'s initiative"
    if len(waiting) > 1:
        whose = f"initiative of {', '.join(waiting[:-1])} and {waiting[-1]}, in this order"
    each = tuple(name for name in waiting for _ in range(die.count)) if len(waiting) > 1 else ()
    faces = fight.chance.roll(RollNeed(Dice(die.count * len(waiting), die.faces), whose, whose=each))
    for at, name in enumerate(waiting):
        rolls[name] = sum(faces[at * die.count : (at + 1) * die.count]) + die.plus
    return rolls


def _totalled(fight: Fight, name: str, rolled: int) -> Fighter:
    parts = [*readiness(fight.roster[name]), rolled]
    fight.note(said.Total(name, parts, sum(parts)), "F1")
    return fight.alter(name, roll=rolled, total=sum(parts))


def place_latecomer(fight: Fight, name: str) -> None:
    """Place a fighter in the order of a fight that goes on; without a number they roll for one (F25).

    They take that number or the next free one below it, and act in this round if it is still to come.
    """
    fighter, state = fight.state.find(name), fight.state
    if fighter.total is None:
        fighter = _totalled(fight, name, _rolled(fight, [name])[name])
    slot = fighter.total if fighter.initiative is None else fighter.initiative
    slot = free_slot_below(state, name, slot or 0)
    acting = state.find(state.turn.who) if state.turn else next_up(state)
    acted = fighter.acted or acting is None or slot > (acting.initiative or 0)
    fight.note(said.Late(name, slot, acted), "F25")
    fight.alter(name, initiative=slot, acted=acted)


def free_slot_below(state: FieldState, name: str, slot: int) -> int:
    """Return a number of the order, or the next free one below it; somebody's own is free to them."""
    taken = {fighter.initiative for fighter in state.fighters if fighter.name != name}
    return next(free for free in count(slot, -1) if free not in taken)


def next_up(state: FieldState) -> Fighter | None:
    """Return who acts next in this round, or None if everybody has acted."""
    return next((fighter for fighter in fighters_in_order(state) if not fighter.acted and fighter.hp > 0), None)


def tell_order(fight: Fight) -> None:
    """Log the order."""
    order, roster = (
        [(fighter.name, fighter.initiative or 0) for fighter in fighters_in_order(fight.state)],
        fight.roster,
    )
    fight.note(said.Order(order, [roster[name].side for name, _ in order]), "F2")


def fighters_in_order(state: FieldState) -> list[Fighter]:
    """Return those who have an initiative, the quickest first."""
    placed = [fighter for fighter in state.fighters if fighter.initiative is not None]
    return sorted(placed, key=lambda fighter: -(fighter.initiative or 0))


def break_ties(
    fighters: Sequence[Fighter], roster: Roster, system: System, chance: Chance
) -> tuple[Slots, list[FieldEntry]]:
    """A slot for everybody. Ties are broken from the top: the winner goes up where that slot is free; otherwise those
    who lose go down, and a tie that this makes is broken in its turn (F2)."""
    judge = _Judge(fighters, roster, system, chance)
    slots: dict[int, list[str]] = {}
    for fighter in fighters:
        slots.setdefault(fighter.total or 0, []).append(fighter.name)
    log: list[FieldEntry] = []
    while tied := [slot for slot, names in slots.items() if len(names) > 1]:
        slot = max(tied)
        (winner, *losers), by = judge.rank(slots[slot])
        if slot + 1 not in slots:
            slots[slot + 1], slots[slot] = [winner], losers
            log.append(Entry(said.TieUp(slot, winner, losers, by, slot + 1), "F2"))
        else:
            slots[slot] = [winner]
            slots.setdefault(slot - 1, []).extend(losers)
            log.append(Entry(said.TieDown(slot, winner, losers, by, slot - 1), "F2"))
    return {names[0]: slot for slot, names in slots.items()}, log


class _Judge:
    """Ranks those who are tied by the list of nine. A roll-off between the same people is rolled once."""

    def __init__(self, fighters: Sequence[Fighter], roster: Roster, system: System, chance: Chance) -> None:
        self._fighters = {fighter.name: fighter for fighter in fighters}
        self._roster, self._chance = roster, chance
        self._breakers, self._die = field_rules(system).ties, initiative_die(system)
        self._settled: dict[frozenset[str], list[str]] = {}

    def rank(self, names: list[str], place: int = 0) -> tuple[list[str], TieBreaker]:
        """Rank the names, and return what set the first apart: by the list of tie breakers from `place` on."""
        breaker = self._breakers[place] if place < len(self._breakers) else "roll_off"
        if breaker == "roll_off":
            return self._roll_off(names), breaker
        values = {name: self._value(breaker, name) for name in names}
        if None in values.values():
            # Whose figure nobody knows cannot be compared: the next line of the list decides.
            return self.rank(names, place + 1)
        ranked: list[str] = []
        by: TieBreaker = breaker
        groups = sorted({value for value in values.values() if value is not None}, reverse=True)
        for at, value in enumerate(groups):
            group = [name for name in names if values[name] == value]
            if len(group) > 1:
                group, deeper = self.rank(group, place + 1)
                by = deeper if at == 0 else by
            ranked += group
        return ranked, by

    def _value(self, breaker: TieBreaker, name: str) -> int | None:
        fighter, person = self._fighters[name], self._roster[name]
        values: dict[str, int | None] = dict(zip(("dexterity", "modifier", "magic"), readiness(person), strict=False))
        values |= {"total": fighter.total, "roll": fighter.roll, "surprise": int(person.surprise)}
        return (values | {"intelligence": person.intelligence, "low_strength": -person.strength})[breaker]

    def _roll_off(self, names: list[str]) -> list[str]:
        for settled in self._settled.values():
            if set(names) <= set(settled):
                return [name for name in settled if name in names]
        ranked: list[str] = []
        waiting = [names]
        for _ in range(MAX_ROLL_OFFS):
            group = waiting.pop(0)
            faces = {name: sum(self._chance.roll(RollNeed(self._die, f"{name}'s roll-off"))) for name in group}
            ranks = sorted(set(faces.values()), reverse=True)
            waiting = [[name for name in group if faces[name] == face] for face in ranks] + waiting
            while waiting and len(waiting[0]) == 1:
                ranked += waiting.pop(0)
            if not waiting:
                self._settled[frozenset(names)] = ranked
                return ranked
        raise HackjackError("a roll-off that never ends: the dice always show the same")


def slot_above(state: FieldState, name: str) -> int:
    """Return the slot of somebody who spends a point to go up: the next free one above (F21)."""
    slots = {fighter.initiative for fighter in state.fighters}
    return next(slot for slot in count((state.find(name).initiative or 0) + 1) if slot not in slots)


def resequence(state: FieldState, opposed: Callable[[str, str], bool]) -> tuple[FieldState, list[FieldEntry]]:
    """Move those who were attacked up to just below the opponent who attacked last, once in a fight (F15).

    From the top down; of those whom one opponent attacked, the slowest goes first, so that the quicker end above the
    slower. Where the slot is taken, everybody from the attacker up makes room by one. Nobody goes down.
    """
    slots: Slots = {fighter.name: fighter.initiative or 0 for fighter in fighters_in_order(state)}
    attacker = {fighter.name: fighter.attacked_by for fighter in state.fighters}
    log: list[FieldEntry] = []
    done: set[str] = set()
    while waiting := [name for name in slots if name not in done]:
        above = max(waiting, key=lambda name: slots[name])
        done.add(above)
        victims = [name for name in slots if attacker.get(name) == above and opposed(name, above)]
        for name in sorted(victims, key=lambda name: slots[name]):
            if slots[name] >= slots[above] - 1:
                continue
            before = slots.pop(name)
            if slots[above] - 1 in slots.values():
                start = slots[above]
                slots = {who: slot + 1 if slot >= start else slot for who, slot in slots.items()}
            slots[name] = slots[above] - 1
            log.append(Entry(said.Resequenced(name, before, slots[name], above), "F15"))
    fighters = tuple(replace(fighter, initiative=slots.get(fighter.name)) for fighter in state.fighters)
    return replace(state, fighters=fighters, resequenced=True), log


def fight_values(state: FieldState, who: str = "") -> dict[str, Any]:
    """Return what the turn has left to spend, who has yet to act, and whether it is `mine`.

    `turn` is whose it is, `up` who acts next, `due` whether a spell has to work before anything else.
    """
    turn, up = state.turn, next_up(state)
    waiting = [one for one in state.fighters if one.initiative is not None and not one.acted and one.hp > 0]
    acting = turn.who if turn else ""
    return {
        "turn": acting or None,
        "mine": bool(who) and acting == who,
        "up": up.name if up else None,
        "next_is_mine": bool(who) and turn is None and up is not None and up.name == who,
        "points": turn.purse if turn else 0,
        "normals": turn.normals if turn else 0,
        "criticals": turn.criticals if turn else 0,
        "due": bool(turn) and any(one.casting == "due" for one in state.fighters if one.name == acting),
        "to_act": sum(one.name != acting for one in waiting),
        "ordered": any(one.initiative is not None for one in state.fighters),
    }
