"""Severity tables at the table: one step from a state to the next (rulings G1-G17)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from msgspec.structs import replace

from generator.base.dice import Dice
from generator.base.errors import HackjackError
from generator.games.glog import log as said
from generator.games.glog import trauma as nerves
from generator.games.glog.events import Event
from generator.games.glog.state import (
    BREAKDOWN,
    MOST_HELD,
    SHORT,
    Coming,
    Injury,
    Owed,
    Passing,
    State,
    barring,
    check_entries,
    current_injuries,
    lowered_hp,
    save_of,
    table_of,
)
from generator.games.glog.step import Bench, amount_of
from generator.model.log import Log
from generator.model.rules import Row, Suffer, System, Table, Until
from generator.play.apply_effects import Hurt, apply
from generator.play.chance import Chance, knowing
from generator.play.log import Locate


def step(system: System, state: State, event: Event, chance: Chance, *, timeless: bool = False) -> tuple[State, Log]:
    """One event. With `timeless`, every span of time takes its least length and is not rolled: for counting odds.

    Raises HackjackError for an event that cannot happen, NeedsError when luck is missing.
    """
    if state.dead:
        raise HackjackError("the character is dead: nothing more happens to them")
    table = Bench(system, state, chance, timeless=timeless)
    with knowing(table.log):
        _STEPS[event.name](table, event)
    check_entries(table.state)
    return table.state, tuple(table.log)


# --- a hit -----------------------------------------------------------------------------------------------------------


def _hit(table: Bench, event: Event) -> None:
    state, damage = table.state, event.amount
    if state.kind == "pc":
        lethal = max(damage - state.hp, 0)
        table.change(hp=max(state.hp - damage, 0))
        table.note(said.Hit(damage, table.state.hp, lethal), "G1")
        if lethal:
            _lethal(table, event, lethal)
        return
    left = state.hp - damage if state.kind == "npc" else max(state.hp - damage, 0)
    table.change(hp=left)
    table.note(said.Hit(damage, left, 0), "G10")
    if (state.kind == "monster" and left == 0) or left <= -table.rules.npc_dead:
        table.note(said.Dies(state.kind, left), "G10")
        table.die()
    elif state.kind == "npc" and left <= -table.rules.npc_dying and not state.dying:
        _begin(table, table.rules.dying)


def _begin(table: Bench, condition: str) -> None:
    """A condition that lasts until it is helped begins: Dying."""
    apply(table, (Suffer(condition, Until("stable")),), condition)


def _lethal(table: Bench, event: Event, lethal: int) -> None:
    """Severity, its row, the place where it hit, and what the cell does (G1, G2, G5)."""
    rules, injuries = table.rules, current_injuries(table.state, table.system)
    die = table.roll(rules.severity_die, "severity")
    severity = die + lethal + rules.per_injury * injuries
    table.note(said.Severity(die, lethal, injuries, severity), "G1")
    kind = event.about("type") or next(iter(rules.damage))
    aim = rules.damage[kind]
    found = table_of(table.system, aim.table)
    row = found.row(severity)
    if row is None:
        raise HackjackError(f"the table {found.id} has no row for {severity}: it covers {found.covers}")
    table.sided, table.both_hands = event.about("side"), event.about("hands") == "both"
    hurt, column = _place(table, event, found, row, aim.column)
    table.note(said.Row(found.id, str(row.at), column, row.name or ""), "G5")
    cell = row.cell(column)
    if isinstance(cell, tuple):
        apply(table, cell, f"{found.title} {row.at}", hurt)
    else:
        table.note(said.Nothing(str(cell)))
    if row.note:
        table.note(said.Remark(row.note))


def _place(table: Bench, event: Event, found: Table, row: Row, column: str | None) -> tuple[Hurt, str]:
    """Where it hit, and the column that this leads to. What does the same everywhere asks for no place."""
    place = event.about("location")
    if column is None and not row.cells:
        return Hurt(place, table.spoken(place)) if place else Hurt(), ""
    if column is None and not place:
        if found.column_roll is None:
            raise HackjackError(f"the table {found.id} has no die for its columns: say where with --at location=")
        face = table.roll(found.column_roll, "location")
        place = next((name for name, entry in found.columns.items() if entry.at and face in entry.at), "")
    if not place:
        return Hurt(), column or ""
    hurt = Hurt(place, table.side(place))
    table.note(Locate(table.system.head.parts[place].name, hurt.place), "G2")
    return hurt, column or place


# --- time passes -----------------------------------------------------------------------------------------------------


def _round(table: Bench, event: Event) -> None:
    table.note(said.Rounds(event.amount))
    for _ in range(event.amount):
        if not _running(table.state):
            break
        _one_round(table)
    if table.state.dying:
        table.note(said.DyingRounds(table.state.rounds_dying), "G11")


def _running(state: State) -> bool:
    """Whether anything is counted in rounds."""
    spans = any(passing.until.word == "round" for passing in state.conditions)
    return bool(state.dying or state.coming or state.breakdown or spans)


def _one_round(table: Bench) -> None:
    if table.state.dying:
        table.change(rounds_dying=min(table.state.rounds_dying + 1, MOST_HELD))
    _pass(table, "round", 1)
    due = [coming.condition for coming in table.state.coming if amount_of(coming.after) <= 1]
    left = tuple(
        Coming(coming.condition, _shorter(coming.after, 1))
        for coming in table.state.coming
        if amount_of(coming.after) > 1
    )
    table.change(coming=left)
    for condition in due:
        _begin(table, condition)
    nerves.shorten(table, 1)


def _shorter(until: Until, by: int) -> Until:
    return Until(until.word, Dice(0, 0, amount_of(until) - by))


def _pass(table: Bench, unit: str, amount: int) -> None:
    """So much of a unit passes: spans in it run down, spans in shorter units are over."""
    kept: list[Passing] = []
    for passing in table.state.conditions:
        until = passing.until
        if until.amount is None or SHORT.index(until.word) > SHORT.index(unit):
            kept.append(passing)
        elif until.word == unit and until.amount.plus > amount:
            kept.append(Passing(passing.condition, _shorter(until, amount)))
        else:
            table.note(said.Ends(passing.condition))
    table.change(conditions=tuple(kept))


def _minute(table: Bench, event: Event) -> None:
    _refuse_rounds(table.state, "minutes")
    table.note(said.Minutes(event.amount))
    _pass(table, "minute", event.amount)


def _refuse_rounds(state: State, what: str) -> None:
    """Where every round counts, no longer time passes at once."""
    if state.dying and what != "an hour":
        raise HackjackError(f"the character is Dying: stabilise, heal or let an hour pass before {what} do")
    if state.coming:
        after = state.coming[0].after
        raise HackjackError(f"in {after} the character will be Dying: treat them, or let the rounds pass, first")
    if state.breakdown and what == "minutes":
        raise HackjackError("a breakdown is counted in rounds: let the rounds pass first")


def _hour(table: Bench, event: Event) -> None:
    """An hour of Dying decides (G11)."""
    del event
    _refuse_rounds(table.state, "an hour")
    table.note(said.Hour())
    _pass(table, "hour", 1)
    nerves.shorten(table, MOST_HELD)
    if table.state.dying:
        die, upto = table.rules.hour_die, table.rules.hour_upto
        rolled = table.roll(die, "after an hour of Dying")
        lives = rolled <= upto
        table.note(said.HourDecides(die.spoken, rolled, upto, lives), "G11")
        _stable(table)
        if not lives:
            table.die()


def _day(table: Bench, event: Event) -> None:
    _refuse_rounds(table.state, "days")
    table.note(said.Days(event.amount, min(table.state.day + event.amount, MOST_HELD)), "G8")
    _pass(table, "hour", MOST_HELD)
    ended = [passing for passing in table.state.conditions if passing.until.word in ("stand", "breath")]
    for passing in ended:
        table.note(said.Ends(passing.condition))
    table.change(conditions=tuple(passing for passing in table.state.conditions if passing not in ended))
    nerves.shorten(table, MOST_HELD)
    for _ in range(event.amount):
        _one_day(table)


def _one_day(table: Bench) -> None:
    """Every injury is a day shorter; chances to recover come due (G8, G15)."""
    state = table.state
    day = min(state.day + 1, MOST_HELD)
    kept: list[Injury] = []
    owed: list[Owed] = []
    for injury in state.injuries:
        if injury.days == 1:
            table.note(said.Healed(injury.condition, injury.place, day), "G8")
            continue
        chances = tuple(days - 1 for days in injury.chances)
        for _ in range(chances.count(0)):
            table.note(said.Chance(injury.condition, day), "G15")
            owed.append(Owed(injury.condition, place=injury.place, chance=True))
        left = tuple(days for days in chances if days)
        kept.append(replace(injury, days=max(injury.days - 1, 0), chances=left))
    table.change(injuries=tuple(kept), saves=(*state.saves, *owed), day=day)


def _week(table: Bench, event: Event) -> None:
    """Restful weeks: days pass, and each takes trauma off (G14)."""
    _day(table, Event("day", 7 * event.amount))
    less = min(table.state.trauma, table.rules.week_trauma * event.amount)
    if less:
        table.change(trauma=table.state.trauma - less)
        table.note(said.Relaxed(less, table.state.trauma), "G14")


# --- help ------------------------------------------------------------------------------------------------------------


def _ends(
    event_name: Literal["stand", "breathe"], word: str, does: str, missing: str
) -> Callable[[Bench, Event], None]:
    """An event that takes a round and ends conditions with such an end; other conditions may bar it."""

    def ended(table: Bench, event: Event) -> None:
        over = [passing for passing in table.state.conditions if passing.until.word == word]
        if not over:
            raise HackjackError(missing)
        # What a journal has kept has happened.
        barred = () if event.kept else table.rules.barred.get(event_name, ())
        if why := barring(table.state, table.system, barred):
            condition = table.system.head.conditions[why]
            raise HackjackError(f"the character is {condition.brief or condition.name or why} and cannot {does}")
        for passing in over:
            table.note(said.Ends(passing.condition))
        table.change(conditions=tuple(passing for passing in table.state.conditions if passing not in over))
        _one_round(table)

    return ended


def _treat(table: Bench, event: Event) -> None:
    del event
    if not table.state.coming:
        raise HackjackError("nothing is coming that treatment would stop")
    _treated(table)


def _treated(table: Bench) -> None:
    for coming in table.state.coming:
        table.note(said.Treated(coming.condition, str(coming.after)), "G6")
    table.change(coming=())


def _stable(table: Bench) -> None:
    table.change(dying=False, rounds_dying=0)


def _stabilise(table: Bench, event: Event) -> None:
    """A die of half the helper's ability or less, less for each round spent Dying (G11)."""
    state, rules = table.state, table.rules
    if not state.dying:
        raise HackjackError("the character is not Dying: there is nothing to stabilise")
    target = event.amount // rules.stabilise_part - rules.stabilise_round * state.rounds_dying
    rolled = table.roll(rules.stabilise_die, "to stabilise")
    done = rolled <= target
    table.note(said.Stabilise(rules.stabilise_die.spoken, rolled, target, state.rounds_dying, done), "G11")
    if done:
        _stable(table)


def _heal(table: Bench, event: Event) -> None:
    """HP that come back stop Dying; magic heals as many days of an injury too (G8, G11)."""
    state, magic = table.state, event.about("by", "magic") == "magic"
    hp = state.hp + event.amount
    if state.max_hp is not None:
        hp = max(min(hp, state.max_hp - lowered_hp(state, table.system)), state.hp)
    table.change(hp=min(hp, MOST_HELD))
    table.note(said.Heal(event.amount, table.state.hp), "G8")
    if state.dying and table.state.hp > state.hp:
        table.note(said.HealedDying(), "G11")
        _stable(table)
    _treated(table)
    if magic:
        _mend(table, event)
    elif event.about("injury"):
        raise HackjackError("rest heals no single injury: leave --at injury out, or --at by=rest")


def _mend(table: Bench, event: Event) -> None:
    """Days come off the injury chosen, or else the longest, and what is left over goes on to the next longest; or off
    all of them alike, as the switch of G8 has it."""
    days, chosen = event.amount * table.rules.magic_days, event.about("injury")
    if table.system.setting("magic_heals") == "every_injury":
        if chosen:
            raise HackjackError("magic heals every injury here: leave --at injury out")
        for injury in table.state.injuries:
            if injury.days:
                _mend_one(table, table.state.injuries.index(injury), days)
        return
    if chosen:
        place = int(chosen) - 1
        if place >= len(table.state.injuries) or not table.state.injuries[place].days:
            open_ones = [str(at) for at, injury in enumerate(table.state.injuries, 1) if injury.days]
            known = f": choose {', '.join(open_ones)}" if open_ones else ": there is none"
            raise HackjackError(f"injury {chosen} has no days that magic could heal{known}")
        days = _mend_one(table, place, days)
    longest = _longest(table.state)
    while days and longest is not None:
        days = _mend_one(table, longest, days)
        longest = _longest(table.state)


def _longest(state: State) -> int | None:
    healing = [place for place, injury in enumerate(state.injuries) if injury.days]
    return max(healing, key=lambda place: (state.injuries[place].days, -place), default=None)


def _mend_one(table: Bench, place: int, days: int) -> int:
    """Take days off one injury; gives those that are left over."""
    injuries = list(table.state.injuries)
    injury = injuries[place]
    off = min(days, injury.days)
    table.note(said.Mended(injury.condition, injury.place, off, injury.days - off), "G8")
    if off == injury.days:
        del injuries[place]
    else:
        injuries[place] = replace(injury, days=injury.days - off)
    table.change(injuries=tuple(injuries))
    return days - off


# --- saves -----------------------------------------------------------------------------------------------------------


def _save(table: Bench, event: Event) -> None:
    """The first save that is owed: the player says how it went (G13, G15)."""
    if not table.state.saves:
        raise HackjackError("no save is owed")
    owed, *rest = table.state.saves
    table.change(saves=tuple(rest))
    passed = event.word == "pass"
    table.note(said.Saved(owed.of, passed), "G13" if owed.of == BREAKDOWN else "G15")
    if owed.of == BREAKDOWN:
        if not passed:
            nerves.go_mad(table)
    elif owed.chance:
        _take_chance(table, owed, passed=passed)
    else:
        save = save_of(table.system.head.conditions[owed.of])
        if save:
            effects = save.passes if passed else save.fails
            apply(table, effects, _name(table, owed.of), Hurt(owed.part, owed.place))


def _name(table: Bench, condition: str) -> str:
    return table.system.head.conditions[condition].name or condition


def _take_chance(table: Bench, owed: Owed, *, passed: bool) -> None:
    """One of the chances to recover: the last one that fails makes it permanent."""
    place = next((at for at, entry in enumerate(table.state.injuries) if entry.condition == owed.of), None)
    injury = None if place is None else table.state.injuries[place]
    if injury is None or injury.permanent:
        raise HackjackError(f"the character has no {owed.of} to recover from")
    if passed:
        table.note(said.Recovered(owed.of), "G15")
        table.cure(owed.of)
        return
    left = len(injury.chances) + sum(save.chance and save.of == owed.of for save in table.state.saves)
    table.note(said.ChanceLost(owed.of, left), "G15")
    if not left:
        lasting = replace(injury, permanent=True)
        table.change(injuries=tuple(lasting if entry is injury else entry for entry in table.state.injuries))


_STEPS: dict[str, Callable[[Bench, Event], None]] = {
    "hit": _hit,
    "round": _round,
    "breathe": _ends("breathe", "breath", "get their breath back", "the character has breath enough"),
    "stand": _ends("stand", "stand", "stand up", "the character is on their feet already"),
    "treat": _treat,
    "minute": _minute,
    "stabilise": _stabilise,
    "hour": _hour,
    "heal": _heal,
    "day": _day,
    "week": _week,
    "save": _save,
    "trauma": nerves.horror,
    "calm": nerves.calm,
}
