"""Trauma, breakdowns and madness (rulings G12-G14)."""

from __future__ import annotations

from generator.base.errors import HackjackError
from generator.games.glog import log as said
from generator.games.glog.events import Event
from generator.games.glog.state import BREAKDOWN, MOST_HELD, Breakdown, Mad, Owed, table_of
from generator.games.glog.step import Bench
from generator.model.rules import Row, Table
from generator.play.apply_effects import apply


def horror(table: Bench, event: Event) -> None:
    """Horror: points, unless a check spares them, and the roll for a breakdown (G12)."""
    rules = table.rules
    spared = event.about("wil") == "pass" or event.about("seen") == "yes"
    gained = max(event.amount - (rules.trauma_check if spared else 0), 0)
    points = min(table.state.trauma + gained, MOST_HELD)
    table.note(said.Horror(event.amount, gained, event.about("seen") == "yes", points), "G12")
    if not gained:
        return
    rolled = table.roll(rules.trauma_die, "trauma")
    breaks = rolled <= points
    table.note(said.Nerve(rules.trauma_die.spoken, rolled, points, breaks), "G12")
    table.change(trauma=0 if breaks else points)
    if breaks:
        found = table_of(table.system, rules.breakdown_table)
        row = _rolled_row(table, found, "breakdown")
        rounds = table.span(rules.breakdown_rounds, "rounds of the breakdown")
        table.note(said.Breakdown(row.name or "", rounds, row.note or ""), "G12")
        table.change(breakdown=Breakdown(row.name or "", rounds))


def _rolled_row(table: Bench, found: Table, reason: str) -> Row:
    if found.roll is None:
        raise HackjackError(f"the table {found.id} has no die to roll")
    total = table.roll(found.roll, reason)
    row = found.row(total)
    if row is None:
        raise HackjackError(f"the table {found.id} has no row for {total}: it covers {found.covers}")
    return row


def calm(table: Bench, event: Event) -> None:
    """Somebody spends a round on whoever breaks down (G12)."""
    del event
    running = table.state.breakdown
    if running is None:
        raise HackjackError("there is no breakdown to calm")
    table.note(said.Calm(max(running.rounds - table.rules.calm_rounds, 0)), "G12")
    shorten(table, table.rules.calm_rounds)


def shorten(table: Bench, rounds: int) -> None:
    """So many rounds off a breakdown; at its end a save is owed (G13)."""
    running = table.state.breakdown
    if running is None:
        return
    left = running.rounds - rounds
    if left > 0:
        table.change(breakdown=Breakdown(running.name, left))
        return
    table.note(said.BreakdownOver(running.name), "G13")
    table.change(breakdown=None, saves=(*table.state.saves, Owed(BREAKDOWN)))


def go_mad(table: Bench) -> None:
    """A permanent madness, with what it is about (G13)."""
    row = _rolled_row(table, table_of(table.system, table.rules.madness_table), "madness")
    table.going_mad, table.detail = True, ""
    apply(table, row.effects, row.name or "madness")
    table.going_mad = False
    table.note(said.Mad(row.name or "", table.detail, row.note or ""), "G13")
    table.change(madness=(*table.state.madness, Mad(row.name or "", table.detail)))
