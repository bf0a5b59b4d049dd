"""What types cannot say of severity tables."""

from __future__ import annotations

from collections.abc import Iterator

from generator.base.errors import did_you_mean
from generator.games.content_face import Content
from generator.model.procedures import Injuries
from generator.model.rules import Effect, Penalty, Suffer, System, Table
from generator.pack.faults import Fault, threshold
from generator.pack.strict_yaml import Trail

_ENDED = ("now", "same", "permanent", "save", "stable", "stand", "breath")
"""The ends that severity tables know, besides spans of time."""


def _unending(effect: Suffer, procedure: Injuries) -> str:
    """Why nothing at the table would end a condition; empty where something does."""
    word, dying = effect.until.word, effect.condition == procedure.dying
    if effect.after and not dying:
        return f"only {procedure.dying} may begin later"
    if word == "stable" and not dying:
        return f"only {procedure.dying} lasts until somebody is stable"
    if effect.until.amount is None and word not in _ENDED:
        return f'nothing here ends it: "{word}" belongs on cards; write permanent, save, or a span such as 1d6 days'
    return ""


def _aim_faults(table: Table, column: str | None, system: System, trail: Trail) -> Iterator[Fault]:
    """A column that is named, or a die whose every face leads to the column of a part."""
    if table.covers is None or table.covers.high is not None:
        yield (*trail, "table"), f"severity has no upper end: the table {table.id} must cover 1+"
    if column is not None:
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


class GlogContent(Content):
    """What types cannot say of severity tables."""

    CHARTS = (
        "severity_by_damage",
        "severity_by_injuries",
        "slain_by_damage",
        "breakdown_by_characters",
        "stable_by_rounds",
    )

    def head_faults(self) -> Iterator[Fault]:
        """Yield faults of the tables and dice that the procedure names."""
        procedure, system = self.system.injuries, self.system
        trail = ("procedure",)
        tables = {table.id: table for table in system.tables}
        for kind, aim in procedure.damage.items():
            where: Trail = (*trail, "damage", kind)
            if aim.table in tables:
                yield from _aim_faults(tables[aim.table], aim.column, system, where)
        for key in ("breakdown_table", "madness_table"):
            name = getattr(procedure, key)
            if name in tables and (tables[name].roll is None or not all(row.name for row in tables[name].rows)):
                yield (*trail, key), f"the table {name} needs a die to roll and a name for every row"
        yield from threshold(procedure.hour_die, procedure.hour_upto, trail, "hour_die")

    def effect_faults(self, effect: Effect, trail: Trail, *, implied: bool) -> Iterator[Fault]:
        """Yield what a severity table cannot do."""
        procedure = self.system.injuries
        if isinstance(effect, Suffer) and (fault := _unending(effect, procedure)):
            yield (*trail, "until"), fault
        if isinstance(effect, Penalty) and effect.per not in (None, "hd"):
            yield (*trail, "per"), f"nobody counts {effect.per}: only hd is kept for a character"
        if isinstance(effect, Penalty) and implied and "max_hp" in effect.to and not effect.by.is_number:
            yield (*trail, "by"), "maximum HP fall by a number: what dice show here is not kept"


CONTENT = GlogContent
