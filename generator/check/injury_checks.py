"""Whether conditions and severity tables fit together: what checks of the shared vocabulary need to know about them."""

from __future__ import annotations

from collections.abc import Iterator

from generator.base.errors import did_you_mean
from generator.games.hackjack.counting import counts
from generator.model.procedures import Harm, Injuries, Traits
from generator.model.rules import (
    Again,
    AnyEffect,
    Check,
    Cure,
    Draw,
    Drop,
    Lose,
    Maybe,
    Peek,
    Penalty,
    Repeat,
    Reroll,
    Risk,
    Save,
    Spare,
    Suffer,
    System,
    Table,
    Whenever,
    walk,
)
from generator.pack.faults import Fault, known, threshold
from generator.pack.strict_yaml import Trail

_CARDS_ONLY = (Again, Check, Draw, Lose, Peek, Repeat, Reroll, Spare, Whenever)
_SCORES_ONLY = (Check, Draw, Peek, Repeat, Reroll, Whenever)
MOST_BROUGHT = 60
"""So many effects may follow from one condition, those of the conditions that it brings among them."""
_INJURY_UNITS = ("day", "week", "month")
_ENDED = ("now", "same", "permanent", "save", "stable", "stand", "breath")
"""The ends that severity tables know, besides spans of time."""


def condition_faults(system: System) -> Iterator[Fault]:
    """Conditions: one save at most, chances in days, and none that brings itself."""
    for name, condition in system.head.conditions.items():
        trail: Trail = ("conditions", name)
        saves = [place for place, effect in enumerate(condition.implies) if isinstance(effect, Save)]
        for place in saves[1:]:
            yield (*trail, "implies", place), "a condition asks for one save at most"
        for place, chance in enumerate(condition.chances):
            if chance.word not in _INJURY_UNITS:
                yield (*trail, "chances", place), f'"{chance}" is no span in days or weeks'
    circle, brought = _brought(system)
    for name in circle[:1]:
        trail = ("conditions", name, "implies")
        yield trail, f"it would bring itself without an end: {' -> '.join((*circle, name))}"
    for name, number in brought.items():
        if number > MOST_BROUGHT:
            trail = ("conditions", name, "implies")
            yield trail, f"with all that it brings in turn it does {number:,} things: {MOST_BROUGHT} at most"
            return


def _brought(system: System) -> tuple[tuple[str, ...], dict[str, int]]:
    """A circle of conditions that bring each other, empty where there is none; and how much each brings in the end."""
    brings = {
        name: [effect.condition if isinstance(effect, Suffer) else "" for _, effect in walk(condition.implies)]
        for name, condition in system.head.conditions.items()
    }
    known: dict[str, int] = {}
    for first in brings:
        way = [first]
        while way:
            # A condition is done when all that it brings is; until then it lies on the way that led to it.
            waiting = next((name for name in brings[way[-1]] if name in brings and name not in known), None)
            if waiting is None:
                done = way.pop()
                known[done] = sum(1 + known.get(name, 0) for name in brings[done])
            elif waiting in way:
                return tuple(way[way.index(waiting) :]), {}
            else:
                way.append(waiting)
    return (), known


def effect_faults(effect: AnyEffect, system: System, trail: Trail, *, implied: bool) -> Iterator[Fault]:
    """What an effect names must be there, and the procedure must know what to do with it."""
    head = system.head
    if isinstance(effect, Suffer | Penalty) and effect.where:
        yield from known(effect.where, head.parts, "part", (*trail, "where"))
    match effect:
        case Suffer():
            yield from _suffer_faults(effect, system, trail)
        case Penalty():
            if effect.per:
                yield from known(effect.per, head.statistics, "statistic", (*trail, "per"))
        case Cure():
            yield from known(effect.condition, head.conditions, "condition", (*trail, "condition"))
        case Risk():
            yield from known(effect.of, head.statistics, "statistic", (*trail, "of"))
            yield from threshold(effect.die, effect.upto, trail)
        case Maybe():
            yield from threshold(effect.die, effect.upto, trail)
        case Drop():
            if (effect.die is None) != (effect.upto is None):
                yield trail, "die and upto belong together: give both, or neither"
            elif effect.die and effect.upto:
                yield from threshold(effect.die, effect.upto, trail)
        case Save():
            if not implied:
                yield trail, "a save stands in a condition: move it to the condition's implies"
            if not effect.passes and not effect.fails:
                yield trail, "nothing hangs on this save: give it passes or fails"
        case _:
            pass
    yield from _kind_faults(effect, system, trail, implied=implied)


def _suffer_faults(effect: Suffer, system: System, trail: Trail) -> Iterator[Fault]:
    condition = system.head.conditions.get(effect.condition)
    if condition and bool(condition.chances) != (effect.until.word == "save"):
        has = "has chances to recover: write until: save" if condition.chances else "has no chances to recover"
        yield (*trail, "until"), f"{effect.condition} {has}"
    if effect.after and effect.after.word != "round":
        yield (*trail, "after"), f'"{effect.after}" is no span in rounds'


def _kind_faults(effect: AnyEffect, system: System, trail: Trail, *, implied: bool) -> Iterator[Fault]:
    """Not every procedure can do everything."""
    procedure = system.head.procedure
    if isinstance(procedure, Injuries):
        if isinstance(effect, _CARDS_ONLY):
            yield trail, "this belongs on cards: severity tables cannot do it"
        if isinstance(effect, Suffer) and (fault := _unending(effect, procedure)):
            yield (*trail, "until"), fault
        if isinstance(effect, Penalty) and effect.per not in (None, "hd"):
            yield (*trail, "per"), f"nobody counts {effect.per}: only hd is kept for a character"
        if isinstance(effect, Penalty) and implied and "max_hp" in effect.to and not effect.by.is_number:
            yield (*trail, "by"), "maximum HP fall by a number: what dice show here is not kept"
    elif isinstance(procedure, Harm):
        if isinstance(effect, Save):
            yield trail, "cards ask for checks, not for saves: use do: check"
        if isinstance(effect, Suffer) and (effect.after or effect.until.word in ("save", "stable", "breath")):
            yield trail, "cards strike at once and last otherwise: this needs severity tables"
        if isinstance(effect, Penalty) and effect.per:
            yield (*trail, "per"), f"nobody counts {effect.per} here"
        if isinstance(effect, Again):
            yield trail, "a hit keeps its card: use do: draw for more of them"
        if isinstance(effect, Whenever) and effect.event == "near_cause" and counts(effect):
            yield (*trail, "event"), "near the cause of a wound only a penalty can follow: leave blood and score out"
    elif isinstance(procedure, Traits):
        if isinstance(effect, _SCORES_ONLY):
            yield trail, "this belongs on cards with a death-score: an injury deck cannot do it"
        if isinstance(effect, Save):
            yield trail, "nobody rolls saves here: leave it out"
        if isinstance(effect, Penalty) and not effect.by.is_number:
            yield (*trail, "by"), "an injury takes a number from rolls: dice are not kept"
        if isinstance(effect, Penalty) and effect.per:
            yield (*trail, "per"), f"nobody counts {effect.per} here"


def _unending(effect: Suffer, procedure: Injuries) -> str:
    """Why nothing at the table would end a condition; empty where something does."""
    word, dying = effect.until.word, effect.condition == procedure.dying
    if effect.after and not dying:
        return f"only {procedure.dying} may begin later"
    if word == "stable" and not dying:
        return f"only {procedure.dying} lasts until somebody is stable"
    if effect.until.amount is None and word not in _ENDED:
        return f'nothing here ends it: "{word}" belongs on cards'
    return ""


def procedure_faults(system: System) -> Iterator[Fault]:
    """The tables, columns, conditions and dice that a procedure of severity tables names."""
    procedure = system.head.procedure
    if not isinstance(procedure, Injuries):
        return
    head, trail = system.head, ("procedure",)
    tables = {table.id: table for table in system.tables}
    for kind, aim in procedure.damage.items():
        where: Trail = (*trail, "damage", kind)
        yield from known(aim.table, tables, "table", (*where, "table"))
        if aim.table in tables:
            yield from _aim_faults(tables[aim.table], aim.column, system, where)
    for key in ("slain", "dying"):
        yield from known(getattr(procedure, key), head.conditions, "condition", (*trail, key))
    for event, names in procedure.barred.items():
        for place, name in enumerate(names):
            yield from known(name, head.conditions, "condition", (*trail, "barred", event, place))
    for key in ("breakdown_table", "madness_table"):
        name = getattr(procedure, key)
        yield from known(name, tables, "table", (*trail, key))
        if name in tables and (tables[name].roll is None or not all(row.name for row in tables[name].rows)):
            yield (*trail, key), f"the table {name} needs a die to roll and a name for every row"
    yield from threshold(procedure.hour_die, procedure.hour_upto, trail, "hour_die")


def _aim_faults(table: Table, column: str | None, system: System, trail: Trail) -> Iterator[Fault]:
    """A column that is named, or a die whose every face leads to the column of a part."""
    if table.covers is None or table.covers.high is not None:
        yield (*trail, "table"), f"severity has no upper end: the table {table.id} must cover 1+"
    if column is not None:
        yield from known(column, table.columns, "column", (*trail, "column"))
        return
    if table.column_roll is None:
        yield trail, f"the table {table.id} has no column_roll: give one, or name a column"
        return
    for face in range(table.column_roll.least, table.column_roll.most + 1):
        led = [name for name, entry in table.columns.items() if entry.at and face in entry.at]
        if len(led) != 1:
            yield (
                trail,
                f"{table.column_roll.spoken} showing {face} leads to {len(led)} columns of the table {table.id}",
            )
    for name in table.columns:
        if name not in system.head.parts:
            hint = did_you_mean(name, system.head.parts)
            yield trail, f'the column "{name}" of the table {table.id} is no part of the body{hint}'
