"""The state of a character under severity tables: what it holds, how it is read, and what follows from it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Annotated, Any, Literal, get_args

from msgspec import Meta, Struct

from generator.base.errors import HackjackError, did_you_mean
from generator.base.fields import MOST_HELD as MOST_HELD
from generator.base.fields import Amount, AtLeastOne
from generator.model.rules import (
    AnyEffect,
    Cell,
    Condition,
    Cure,
    Penalty,
    Row,
    Save,
    Suffer,
    System,
    Table,
    Until,
    walk,
)
from generator.play.state_reading import read_struct

MOST_ENTRIES = 200
"""The most injuries, conditions or madnesses of one character."""
BREAKDOWN = "breakdown"
"""What a save is owed for at the end of a breakdown; every other one is owed for a condition."""
SHORT = ("round", "minute", "hour")
"""Units that are no injury's."""
ENDS = ("stand", "breath")
"""What conditions last until that are neither injuries nor measured in time."""
LONG = {"day": 1, "week": 7, "month": 30}
"""Units that injuries are measured in, in days."""

Kind = Literal["pc", "npc", "monster"]
Place = Annotated[str, Meta(max_length=60)]
"""A part of the body or the like as a person says it: `left arm`."""


class Injury(Struct, frozen=True, forbid_unknown_fields=True):
    """A condition measured in days, or for good; `chances` are the days until each save that may end it."""

    condition: str
    days: int = 0
    place: Place = ""
    permanent: bool = False
    chances: tuple[int, ...] = ()


class Passing(Struct, frozen=True, forbid_unknown_fields=True):
    """A condition that is no injury: `until` is a span such as `3 rounds`, or a word such as `stand`."""

    condition: str
    until: Until


class Coming(Struct, frozen=True, forbid_unknown_fields=True):
    """A condition that begins after so long, unless it is treated before (G6)."""

    condition: str
    after: Until


class Lost(Struct, frozen=True, forbid_unknown_fields=True):
    """Points of a statistic that are gone for good."""

    statistic: str
    by: int


class Breakdown(Struct, frozen=True, forbid_unknown_fields=True):
    """A breakdown that runs: the row of the table, and the rounds that are left (G12)."""

    name: str
    rounds: int


class Mad(Struct, frozen=True, forbid_unknown_fields=True):
    """A permanent madness: the row of the table, and what was rolled on top (G13)."""

    name: str
    detail: Place = ""


class Owed(Struct, frozen=True, forbid_unknown_fields=True):
    """A save that the player has to make: for a condition, for one of its later chances, or for a breakdown's end."""

    of: str
    part: str = ""
    place: Place = ""
    chance: bool = False


class State(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One character. `day` counts the days since the first; `rounds_dying` are those spent Dying."""

    kind: Kind = "pc"
    hp: Annotated[int, Meta(ge=-MOST_HELD, le=MOST_HELD)] = 0
    max_hp: AtLeastOne | None = None
    hd: AtLeastOne = 1
    injuries: tuple[Injury, ...] = ()
    conditions: tuple[Passing, ...] = ()
    coming: tuple[Coming, ...] = ()
    lost: tuple[Lost, ...] = ()
    dying: bool = False
    rounds_dying: Amount = 0
    trauma: Amount = 0
    breakdown: Breakdown | None = None
    madness: tuple[Mad, ...] = ()
    saves: tuple[Owed, ...] = ()
    dead: bool = False
    day: Amount = 0


def table_of(system: System, name: str) -> Table:
    """A table that the procedure names. Raises HackjackError where it is missing."""
    table = system.table(name)
    if table is None:
        raise HackjackError(f"{system.head.id} has no table {name}, which its procedure names")
    return table


def read_state(value: Any, system: System) -> State:
    """A state as plain data. Raises HackjackError."""
    state = read_struct(value, State, "a fresh character at 0 HP", _shaped)
    _check_numbers(state, system)
    _check_names(state, system)
    _check_times(state, system)
    return state


def _shaped(value: dict[str, Any]) -> dict[str, Any]:
    """A madness may be given by its name alone. Raises HackjackError for a kind that nobody is of."""
    if (kind := value.get("kind", "pc")) not in get_args(Kind):
        raise HackjackError(f'the state\'s kind is "{str(kind)[:40]}": write {", ".join(get_args(Kind))}')
    given = value.get("madness")
    if not isinstance(given, list):
        return value
    return {**value, "madness": [{"name": item} if isinstance(item, str) else item for item in given]}


def _check_numbers(state: State, system: System) -> None:
    if state.hp < 0 and state.kind != "npc":
        hint = "only an npc goes below 0"
        raise HackjackError(f"the state's hp is {state.hp}: it must be from 0 to {MOST_HELD:,}; {hint}")
    if state.max_hp is not None and state.hp > state.max_hp:
        raise HackjackError(f"the state contradicts itself: {state.hp} HP of {state.max_hp} at most")
    if state.rounds_dying and not state.dying:
        raise HackjackError("the state contradicts itself: rounds_dying without dying")
    if state.dead and (state.dying or state.coming or state.saves or state.breakdown):
        raise HackjackError("the state contradicts itself: dead, and something is still to come")
    if not state.dead and state.kind == "monster" and state.hp == 0:
        raise HackjackError("the state contradicts itself: a monster at 0 HP is dead; give it hp")
    if not state.dead and state.kind == "npc" and state.hp <= -system.injuries.npc_dead:
        raise HackjackError(f"the state contradicts itself: an npc at {state.hp} HP is dead")
    check_entries(state)


def check_entries(state: State) -> None:
    """No list of the state grows without an end. Raises HackjackError."""
    for name in ("injuries", "conditions", "coming", "lost", "madness", "saves"):
        if len(getattr(state, name)) > MOST_ENTRIES:
            raise HackjackError(f"the state's {name} are more than {MOST_ENTRIES}")


def _check_names(state: State, system: System) -> None:
    conditions, statistics = system.head.conditions, system.head.statistics
    suffered = [injury.condition for injury in state.injuries] + [passing.condition for passing in state.conditions]
    for name in suffered:
        _known(name, conditions, "condition")
        if name in (system.injuries.dying, system.injuries.slain):
            raise HackjackError(f"the state cannot be read: {name} is no entry: write dying: true or dead: true")
    for coming in state.coming:
        _known(coming.condition, conditions, "condition")
        if coming.condition != system.injuries.dying:
            raise HackjackError(f"the state cannot be read: {coming.condition} cannot begin later")
    for lost in state.lost:
        _known(lost.statistic, statistics, "statistic")
    for mad in state.madness:
        _row_named(system, system.injuries.madness_table, mad.name)
    if state.breakdown:
        _row_named(system, system.injuries.breakdown_table, state.breakdown.name)
    for owed in state.saves:
        if owed.of != BREAKDOWN:
            _known(owed.of, conditions, "condition")
            condition = conditions[owed.of]
            if not (condition.chances if owed.chance else save_of(condition)):
                raise HackjackError(f"the state cannot be read: nothing asks for a save against {owed.of}")
            if owed.part and owed.part not in system.head.parts:
                _known(owed.part, system.head.parts, "part of the body")


def _known(name: str, known: Mapping[str, Any], noun: str) -> None:
    if name not in known:
        raise HackjackError(f'the state names an unknown {noun} "{name[:40]}"{did_you_mean(name, known)}')


def _row_named(system: System, table: str, name: str) -> Row:
    found = table_of(system, table)
    row = found.named(name)
    if row is None:
        names = [row.name for row in found.rows if row.name]
        raise HackjackError(f'the state cannot be read: {table} has no row "{name[:40]}"{did_you_mean(name, names)}')
    return row


def _check_times(state: State, system: System) -> None:
    waiting = [injury.condition for injury in state.injuries if system.head.conditions[injury.condition].chances]
    for name in set(waiting):
        if waiting.count(name) > 1:
            raise HackjackError(f"the state contradicts itself: {name} twice")
    for injury in state.injuries:
        name = injury.condition
        for days in (injury.days, *injury.chances):
            if not 0 <= days <= MOST_HELD:
                raise HackjackError(f"the state's {name} has {days} days: they must be from 0 to {MOST_HELD:,}")
        if injury.permanent and (injury.days or injury.chances):
            raise HackjackError(f"the state contradicts itself: {name} is permanent, and has days or chances left")
        owed = any(save.chance and save.of == name for save in state.saves)
        if injury.chances and not system.head.conditions[name].chances:
            raise HackjackError(f"the state's {name} has chances: no save ends it")
        if not (injury.permanent or injury.days or injury.chances or owed):
            raise HackjackError(f"the state's {name} ends nowhere: give it days, or permanent: true")
        if 0 in injury.chances:
            raise HackjackError(f"the state's {name} has a chance in 0 days: a save is owed for that")
    for owed_save in state.saves:
        if owed_save.chance and not _waits(state, owed_save.of):
            raise HackjackError(f"the state contradicts itself: a save to recover from {owed_save.of} that nobody has")
    for passing in state.conditions:
        until = _rolled(passing.until, passing.condition)
        if until.amount is None and until.word not in ENDS:
            ends = f"write {', '.join(ENDS)} or a span such as 3 rounds"
            raise HackjackError(f'the state\'s {passing.condition} lasts until "{passing.until}": {ends}')
        if until.amount is not None and until.word not in SHORT:
            raise HackjackError(f"the state's {passing.condition} lasts {passing.until}: days belong to injuries")
    for coming in state.coming:
        if _rolled(coming.after, coming.condition).word != "round":
            raise HackjackError(f'the state\'s {coming.condition} comes after "{coming.after}": write 3 rounds')
    if state.breakdown and not 1 <= state.breakdown.rounds <= MOST_HELD:
        raise HackjackError(f"the state's breakdown has {state.breakdown.rounds} rounds: write 1 or more")
    for lost in state.lost:
        if not 1 <= lost.by <= MOST_HELD:
            raise HackjackError(f"the state's {lost.statistic} is lowered by {lost.by}: write 1 or more")


def _waits(state: State, condition: str) -> bool:
    """Whether somebody may still recover from a condition by a save."""
    return any(injury.condition == condition and not injury.permanent for injury in state.injuries)


def _rolled(until: Until, what: str) -> Until:
    if until.amount is not None and not until.amount.is_number:
        raise HackjackError(f"the state cannot be read: {what}: {until} has not been rolled")
    return until


def save_of(condition: Condition) -> Save | None:
    """The save that a condition asks for, if it does."""
    return next((effect for effect in condition.implies if isinstance(effect, Save)), None)


def current_injuries(state: State, system: System) -> int:
    """The current injuries (G7): all that are measured in days, and those for good unless the switch says otherwise.

    One that a save has still to measure counts too, when it is there whichever way the save goes: a ruined limb.
    """
    saves = (
        save_of(system.head.conditions[owed.of]) for owed in state.saves if not owed.chance and owed.of != BREAKDOWN
    )
    running = sum(lasting_counts(system) or not injury.permanent for injury in state.injuries)
    return running + sum(bool(save and _injures(save.passes) and _injures(save.fails)) for save in saves)


def lasting_counts(system: System) -> bool:
    """Whether injuries for good count as current ones (G7)."""
    return system.setting("permanent_injuries") != "do_not_count"


def _injures(effects: tuple[AnyEffect, ...]) -> bool:
    """Whether effects bring one more injury, and take none away."""
    new = [effect for effect in effects if isinstance(effect, Suffer) and effect.until.word in (*LONG, "permanent")]
    return bool(new) and not any(isinstance(effect, Cure) for effect in effects)


def brings(cell: Cell, name: str) -> bool:
    """Whether a cell, or what comes with a condition, brings another condition."""
    return isinstance(cell, tuple) and any(
        isinstance(effect, Suffer) and effect.condition == name for _, effect in walk(cell)
    )


def is_local(system: System, condition: str, seen: frozenset[str] = frozenset()) -> bool:
    """Whether it matters to a condition which part of the body is hurt: what comes with it depends on the part."""
    for _, effect in walk(system.head.conditions[condition].implies):
        if isinstance(effect, Suffer | Penalty) and effect.where:
            return True
        known = seen | {condition}
        if isinstance(effect, Suffer) and effect.condition not in known and is_local(system, effect.condition, known):
            return True
    return False


def lowered_hp(state: State, system: System) -> int:
    """By how much injuries lower the character's maximum HP: all of them together, or the worst alone (G18)."""
    lowered = [
        sum(
            effect.by.plus * (state.hd if effect.per else 1)
            for _, effect in walk(system.head.conditions[injury.condition].implies)
            if isinstance(effect, Penalty) and "max_hp" in effect.to
        )
        for injury in state.injuries
    ]
    return max(lowered, default=0) if system.setting("lowered_hp") == "once" else sum(lowered)


def barring(state: State, system: System, names: Collection[str]) -> str:
    """The condition of a character that is one of those, or brings one for as long as it lasts; empty if none is."""
    held = [injury.condition for injury in state.injuries] + [passing.condition for passing in state.conditions]
    held += [system.injuries.dying] if state.dying else []
    return next((name for name in held if _amounts(name, system, names)), "")


def _amounts(name: str, system: System, names: Collection[str]) -> bool:
    """Whether a condition is one of those, or brings one for as long as it lasts."""
    implied = (effect for effect in system.head.conditions[name].implies if isinstance(effect, Suffer))
    return name in names or any(
        _amounts(effect.condition, system, names) for effect in implied if effect.until.word == "same"
    )
