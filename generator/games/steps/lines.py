"""Log entries and states under steps of the author's as sentences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from generator.games.steps.state import parsed
from generator.model.log import Entry
from generator.model.rules import System
from generator.words.effects import condition_telegraph, wound_says
from generator.words.event_wording import until_words
from generator.words.logged_effects import EFFECT_LINES
from generator.words.wording import MINUS, dropped, filled, joined, measured

Facts = dict[str, Any]


def line(entry: Entry, system: System) -> str:
    """One entry as a sentence. Raises KeyError for a kind that nothing says."""
    text = _TEXTS.get(entry.kind)
    return text.format(**entry.facts) if text else _LINES[entry.kind](entry.facts, system)


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
    return f"{name_of(held['condition'], system)}{level}{row}{place} {ends_text(held)}".rstrip()


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


def _number(facts: Facts, system: System) -> str:
    name, by = system.steps.numbers[facts["number"]].name, facts["by"]
    return f"{name} {'+' if by > 0 else MINUS}{abs(by)}: {figure(facts['left'])}."


def _set(facts: Facts, system: System) -> str:
    procedure, name = system.steps, facts["number"]
    known = procedure.numbers[name].name if name in procedure.numbers else procedure.words[name].name
    return f"{known}: {figure(facts['to'])}."


def _row(facts: Facts, system: System) -> str:
    table = system.table(facts["table"])
    title = table.title if table else facts["table"]
    column = table.columns[facts["column"]].title if table and facts["column"] else ""
    name = facts["name"] if facts["name"] != facts["at"] else ""
    return f"{title}, {facts['at']}{f', {column}' if column else ''}:{f' {name}.' if name else ''}"


def _wound(facts: Facts, system: System) -> str:
    until = parsed(facts["until"])
    lasts = "" if until.word == "now" or facts["same"] else until_words(facts["until"], system)
    if facts["chances"]:
        lasts = f"until a save after {joined(facts['chances'])}"
    return f"{'    ' if facts['of'] else '  '}{wound_says(facts, system)} {lasts}".rstrip() + "."


def _tested(facts: Facts, system: System) -> str:
    del system
    verdict = "passed" if facts["passed"] else "failed"
    against = f"{figure(facts['target'])} or less" if facts["under"] else f"over {figure(facts['target'])}"
    return f"{facts['name'] or 'Check'}: {facts['die']} shows {facts['rolled']}, {against} is wanted: {verdict}."


def _place(facts: Facts) -> str:
    return f" ({facts['place']})" if facts.get("place") else ""


def _chance_lost(facts: Facts, system: System) -> str:
    name = name_of(facts["condition"], system)
    return f"{name} stays; {measured(facts['left'], 'chance')} left." if facts["left"] else f"{name} stays for good."


def _shortened(facts: Facts, system: System) -> str:
    unit = facts["unit"]
    left = f"{measured(facts['left'], unit)} left" if facts["left"] else "over"
    return f"{name_of(facts['condition'], system)}{_place(facts)}: {measured(facts['off'], unit)} off, {left}."


def _said(facts: Facts, system: System) -> str:
    return filled(facts["says"], system)


def _named(text: str, key: str = "condition") -> Callable[[Facts, System], str]:
    """A sentence with a condition's name, and where it is, in it."""
    return lambda facts, system: text.format(**{**facts, "name": name_of(facts[key], system), "at": _place(facts)})


def _saved(facts: Facts, system: System) -> str:
    return f"The save for {name_of(facts['of'], system)} is {'passed' if facts['passed'] else 'failed'}."


def _passes(facts: Facts, system: System) -> str:
    del system
    return f"{measured(facts['times'], facts['unit'])} {'passes' if facts['times'] == 1 else 'pass'}."


_TEXTS = {
    "said": "{says}",
    "locate": "It hits the {place}.",
    "rolled": "{dice} comes to {shown}.",
    "dies": "Dead.",
}
_LINES: dict[str, Callable[[Facts, System], str]] = {
    **EFFECT_LINES,
    "number": _number,
    "set": _set,
    "row": _row,
    "nothing": lambda facts, system: f"  {_said(facts, system)}.",
    "remark": lambda facts, system: f"  {_said(facts, system)}",
    "wound": _wound,
    "tested": _tested,
    "drop": lambda facts, _: f"    You drop {dropped(facts['what'])}.",
    "later": _named("  {name} in {after}, unless it is stopped."),
    "stopped": _named("In time: no {name} in {after}."),
    "owed": _named("    A save is owed for {name}.", "of"),
    "chance": _named("A save is owed to recover from {name}.", "of"),
    "chance_lost": _chance_lost,
    "saved": _saved,
    "ends": _named("{name}{at} is over."),
    "eased": _named("{name} eases: {level} left."),
    "shortened": _shortened,
    "passes": _passes,
}
