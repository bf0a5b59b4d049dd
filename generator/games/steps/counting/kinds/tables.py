"""Tables that are looked up."""

from typing import Any

from generator.games.steps.counting.compile import CompiledEvent, counts
from generator.games.steps.counting.distribution import Distribution, joined
from generator.games.steps.counting.formulas import formulas_of
from generator.games.steps.counting.keys import (
    HURT,
    NONE,
    PART,
    PLACE,
    PLACED,
    PLACED_HURT,
    KeySet,
    Met,
    Name,
    StepContext,
)
from generator.games.steps.counting.liveness import Block, Plan
from generator.games.steps.counting.state_slots import Play
from generator.games.steps.engine import EventRun
from generator.games.steps.kinds.tables import MAX_ROWS, meet_row, row_steps
from generator.games.steps.system_views import argument_aims
from generator.model import rules
from generator.play.apply_effects import EffectApplier


@counts(rules.LookUp)
def count_look_up(compiled: CompiledEvent, step: rules.LookUp, after: KeySet, context: StepContext) -> Plan | None:
    """Return the look at a row of a table, and what each of its cells does."""
    inner = context._replace(part_of=step.part_of or context.part_of, inked=False)
    known, kinds = dict(context.known), argument_aims(compiled.system).get(step.aimed or "", {})
    aims = [kinds.get(str(known[step.aimed]))] if step.aimed in known else [None, *kinds.values()]
    tables = [
        each
        for name in {aim.table if aim else step.table for aim in aims}
        if (each := compiled.system.table(name or ""))
    ]
    reads, ids = compiled.names.reads(formulas_of(step), context), [table.id for table in tables]
    reads |= frozenset({Name(step.aimed)}) if step.aimed and step.aimed not in known else NONE
    items = frozenset(key for key in compiled.tallied if isinstance(key, Met) and key.table in ids)
    cells = {
        (table.id, at_row, column): row_steps(step, table, row, column)
        for table in tables
        for at_row, row in enumerate(table.rows)
        for column in ("", *row.written_cells)
    }
    blocks: dict[Any, Block] = {}

    def before(now: KeySet) -> KeySet:
        within = now | PLACED_HURT if now & HURT else now
        blocks.update({key: compiled.live.block(cell, within, inner) for key, cell in cells.items()})
        return now.union(*(block.before - ({PLACED} - now) for block in blocks.values()))

    now = compiled.live.looped(after, lambda now: before(now) | reads | items) if step.times is not None else after
    entry = before(now)
    names = frozenset(map(Name, ("row", "detail", "note")))
    pens = entry & {PART, PLACE}
    flags = frozenset(key for key in after if isinstance(key, Met) and key.table in ids)
    if not (items or flags or names & after or pens & after or any(block.alive for block in blocks.values())):
        return None
    reads |= pens | {PART} | frozenset({Name("side")}) if pens else NONE

    def own(run: EventRun, pen: EffectApplier) -> Any:
        table, row, column = meet_row(run, step, pen)
        return table.id, table.rows.index(row), column if column in row.written_cells else ""

    def make() -> Play:
        meet = compiled.engine(own, context, reads, names & entry | pens, entry, news=bool(items or flags))
        times = compiled.figures([step.times], context)
        alive = {key: block for key, block in blocks.items() if block.alive}
        plays = {
            key: compiled.slots.with_pen(compiled.entered(block, entry), back=True) for key, block in alive.items()
        }

        def once(states: Distribution) -> Distribution:
            return joined(plays[key](part) if key in plays else part for key, part in meet(states).items())

        def look_up(states: Distribution) -> Distribution:
            if step.times is None:
                return once(states)
            ends = []
            for (many,), part in times(states).items():
                if not isinstance(many, int) or not 0 <= many <= MAX_ROWS:
                    compiled.refuse(next(iter(part.ways)), step, context)
                for _ in range(many):
                    part = once(part)
                ends.append(part)
            return joined(ends)

        return look_up

    return Plan((entry if step.times is not None else entry - names) | reads | items, make)
