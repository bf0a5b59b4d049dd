"""Log entries and states under steps of the author's as sentences."""

from __future__ import annotations

from typing import Any, assert_never

from generator.games.steps import log as said
from generator.games.steps.log import StepsFact
from generator.games.steps.state import parsed
from generator.model.rules import System
from generator.play import log as effects
from generator.words.effects import condition_telegraph, wound_says
from generator.words.event_wording import until_words
from generator.words.wording import MINUS, dropped, filled, joined, measured

Facts = dict[str, Any]


def name_of(condition: str, system: System) -> str:
    """A condition's name, or what it says."""
    known = system.head.conditions[condition]
    return known.name or known.says


def figure(value: int | str | None) -> str:
    """A number with a real minus sign; a word as it is."""
    return "unknown" if value is None else str(value).replace("-", MINUS)


def held_text(held: Facts, system: System) -> str:
    """A condition in few words: `Bleeding 2 (left arm) 12 days`."""
    level = f" {held['level']}" if held.get("level", 1) > 1 else ""
    place = f" ({held['place']})" if held.get("place") else ""
    row = f" ({held['row']})" if held.get("row") else ""
    ends = ends_text(held)
    ends = f"({ends})" if ends and level else ends
    return f"{name_of(held['condition'], system)}{level}{row}{place} {ends}".rstrip()


def ends_text(held: Facts) -> str:
    """How much longer, where it is counted: `12 days`, `for good`, `saves in 3 and 21 days`."""
    until = held.get("until", "permanent")
    if until == "permanent":
        return "for good"
    if until != "save":
        return until if parsed(until).amount else ""
    days = [str(day) for day in held.get("chances", ())]
    if not days:
        return "until a save"
    return f"{'save' if len(days) == 1 else 'saves'} in {joined(days)} {'day' if days == ['1'] else 'days'}"


def state_line(plain: Facts, system: System) -> str:
    """A state in one line: `HP 3, Strength 9, Bleeding (arm), a save owed (Ruined)`."""
    if plain["dead"]:
        return "dead"
    procedure = system.steps
    parts = [f"{own.name} {figure(plain[name])}" for name, own in procedure.numbers.items() if plain[name] is not None]
    parts += [plain[name] for name, own in procedure.words.items() if plain[name] != own.of[0]]
    parts += [f"{name_of(each['condition'], system)} in {each['after']}" for each in plain["coming"]]
    parts += [held_text(held, system) for held in plain["conditions"]]
    parts += [f"{MINUS}{lost['by']} {system.head.statistics[lost['statistic']].name}" for lost in plain["lost"]]
    parts += [f"a save owed ({owed_text(owed, system)})" for owed in plain["saves"]]
    return ", ".join(parts) or "unhurt"


def owed_text(owed: Facts, system: System) -> str:
    """What a save is owed for."""
    return name_of(owed["of"], system) + (", to recover" if owed.get("chance") else "")


def does(condition: str, system: System) -> str:
    """What a condition does, as a sticker says it."""
    return condition_telegraph(system.head.conditions[condition], system)


def sheet(plain: Facts, system: System) -> Facts:
    """What fills a sheet: the numbers, and lists that hold what a person reads."""
    conditions = [
        {
            "name": name_of(held["condition"], system) + (f" {held['level']}" if held.get("level", 1) > 1 else ""),
            "place": held.get("place", ""),
            "until": until_words(held.get("until", "permanent"), system),
            "does": does(held["condition"], system),
        }
        for held in plain["conditions"]
    ]
    conditions += [
        {
            "name": name_of(each["condition"], system),
            "until": f"comes in {each['after']}",
            "does": does(each["condition"], system),
        }
        for each in plain["coming"]
    ]
    return {
        **{key: value for key, value in plain.items() if value is not None},
        "conditions": conditions,
        "injuries": conditions,
        "lost": [
            {"name": system.head.statistics[lost["statistic"]].name, "by": f"{MINUS}{lost['by']}"}
            for lost in plain["lost"]
        ],
        "saves": [{"name": owed_text(owed, system), "place": owed.get("place", "")} for owed in plain["saves"]],
    }


# --- entries ---------------------------------------------------------------------------------------------------------


def line(fact: StepsFact, system: System) -> str:
    """A fact as a sentence; what a row or a condition does is set in below it."""
    match fact:
        case effects.CheckPassed() | effects.CheckFailed() | effects.Maybe() | effects.Grip() | effects.Peek():
            return effects.effect_line(fact, system)
        case effects.Locate(_, place):
            return f"It hits the {place}."
        case effects.Drop(what):
            return f"    You drop {dropped(what)}."
        case effects.Wound():
            return _wound(fact, system)
        case _:
            return _own_line(fact, system)


def _own_line(fact: said.OwnFact, system: System) -> str:
    match fact:
        case said.Said(_, says):
            return says
        case said.Number(name, by, left):
            return f"{system.steps.numbers[name].name} {'+' if by > 0 else MINUS}{abs(by)}: {figure(left)}."
        case said.Set(name, to):
            procedure = system.steps
            known = procedure.numbers[name].name if name in procedure.numbers else procedure.words[name].name
            return f"{known}: {figure(to)}."
        case said.Row():
            return _row(fact, system)
        case said.Drawn(card, deck, face, name):
            pile, code = system.piles[deck], card.rpartition(":")[2]
            read = f" ({pile.faces.get(face, face)})" if face else ""
            return f"{pile.title}, {code}{read}: {name}."
        case said.LaidAside(card, deck, name):
            return f"{system.piles[deck].title}, {card.rpartition(':')[2]}: {name}. It is laid aside."
        case said.Shuffled(deck, asked):
            why = "all its cards" if asked else "no card is left, so all of them"
            return f"{system.piles[deck].title}: {why} are shuffled again."
        case said.Nothing(says):
            return f"  {filled(says, system)}."
        case said.Remark(says):
            return f"  {filled(says, system)}"
        case said.Rolled(dice, shown):
            return f"{dice} comes to {shown}."
        case said.Tested(name, die, rolled, target, under, passed):
            against = f"{figure(target)} or less" if under else f"over {figure(target)}"
            verdict = "passed" if passed else "failed"
            return f"{name or 'Check'}: {die} shows {rolled}, {against} is wanted: {verdict}."
        case said.Later(condition, after):
            return f"  {name_of(condition, system)} in {after}, unless it is stopped."
        case said.Stopped(condition, after):
            return f"In time: no {name_of(condition, system)} in {after}."
        case said.Owed(of):
            return f"    A save is owed for {name_of(of, system)}."
        case said.Due(of):
            return f"A save is owed to recover from {name_of(of, system)}."
        case said.Saved(of, passed):
            return f"The save for {name_of(of, system)} is {'passed' if passed else 'failed'}."
        case said.ChanceLost(condition, left):
            stays = f"stays; {measured(left, 'chance')} left" if left else "stays for good"
            return f"{name_of(condition, system)} {stays}."
        case said.Ends(condition, place):
            return f"{name_of(condition, system)}{_placed(place)} is over."
        case said.Eased(condition, level):
            return f"{name_of(condition, system)} eases: {level} left."
        case said.Shortened(condition, place, off, left, unit):
            rest = f"{measured(left, unit)} left" if left else "over"
            return f"{name_of(condition, system)}{_placed(place)}: {measured(off, unit)} off, {rest}."
        case said.Passes(unit, times):
            return f"{measured(times, unit)} {'passes' if times == 1 else 'pass'}."
        case said.Dies():
            return "Dead."
        case _:
            assert_never(fact)


def _row(fact: said.Row, system: System) -> str:
    table = system.table(fact.table)
    column = f", {table.columns[fact.column].title}" if table and fact.column in table.columns else ""
    name = f" {fact.name}." if fact.name and fact.name != fact.at else ""
    return f"{table.title if table else fact.table}, {fact.at}{column}:{name}"


def _wound(fact: effects.Wound, system: System) -> str:
    lasts = "" if fact.until == "now" or fact.same else until_words(fact.until, system)
    if fact.chances:
        lasts = f"until a save after {joined(fact.chances)}"
    return f"{'    ' if fact.of else '  '}{wound_says(fact._asdict(), system)} {lasts}".rstrip() + "."


def _placed(place: str) -> str:
    return f" ({place})" if place else ""
