"""A character of Deadlands 1876 as a sheet shows it: the state in the words and rows of its fields."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from generator.base.cards import is_joker, name_of
from generator.games.deadlands.lines import Facts, card_name, injury_says, injury_until, token_value
from generator.games.deadlands.state import KINDS, KINDS_OF_TOKEN, STANDINGS, numbers_of
from generator.model.rules import System

TASKS = {"serial": "serial roll", "compound": "compound serial", "attempts": "attempt-based", "actions": "action-based"}
SKILL_COLUMNS = 3
"""Skills beside each other in one row of the sheet."""


def sheet(plain: Facts, system: System) -> Mapping[str, Any]:
    """What fills a sheet from a state as plain data: everything that the state holds, and nothing else."""
    markers = [token for token in plain["tokens"] if token["kind"] == "marker"]
    return {
        "kind": [KINDS[plain["kind"]].split(maxsplit=1)[1]],
        "levels": plain["levels"],
        "wounds": plain["wounds"],
        "states": list(_states(plain)),
        "healers": ", ".join(plain["healers"]),
        "chips": plain["chips"],
        "action": name_of(plain["action"]) if plain["action"] else "",
        "xp": plain["xp"],
        "rank": plain["rank"],
        "grit": plain["grit"],
        "spent": plain["spent"],
        "raised": list(plain["raised"]),
        "attributes": [{"die": plain["traits"].get(name, "")} for name in numbers_of(system).attributes],
        "skills": list(_skills(plain, system)),
        "injuries": [_injury(injury, system) for injury in plain["injuries"]],
        "tokens": [_token(token) for token in plain["tokens"] if token["kind"] != "marker"],
        "markers": [_marker(token, system) for token in markers],
        "tasks": [_task(task) for task in plain["tasks"]],
    }


def _states(plain: Facts) -> Iterator[str]:
    """The boxes that are ticked, by their labels."""
    yield from ["Shaken"] if plain["shaken"] else []
    yield from [STANDINGS[plain["standing"]].capitalize()] if plain["standing"] != "up" else []
    yield from ["Joker"] if plain["action"] and is_joker(plain["action"]) else []
    yield from ["Tried this round"] if plain["tended"] else []
    yield from ["Treated"] if plain["healed"] else []
    yield from ["Golden hour over"] if plain["late"] else []
    yield from ["Skill earned"] if plain["earned"] else []


def _skills(plain: Facts, system: System) -> Iterator[dict[str, str]]:
    """Traits that are no attributes, so many in a row."""
    attributes = numbers_of(system).attributes
    skills = [(name, die) for name, die in plain["traits"].items() if name not in attributes]
    for first in range(0, len(skills), SKILL_COLUMNS):
        row: dict[str, str] = {}
        for place, (name, die) in enumerate(skills[first : first + SKILL_COLUMNS], 1):
            row |= {f"name_{place}": name, f"die_{place}": die}
        yield row


def _injury(injury: Facts, system: System) -> dict[str, str]:
    until = injury_until(injury, system)
    return {
        "card": injury["card"],
        "name": card_name(injury["card"], system),
        "does": injury_says(injury, system),
        "until": str(injury["days"]) if injury["days"] is not None else until,
    }


def _token(token: Facts) -> dict[str, str]:
    return {
        "kind": KINDS_OF_TOKEN[token["kind"]],
        "name": token["name"],
        "value": token_value(token),
        "for": token["trait"],
        "says": token["says"],
    }


def _marker(token: Facts, system: System) -> dict[str, Any]:
    """The dice above a marker's own are crossed off."""
    own = next(die for die in numbers_of(system).ladder if die.spoken == token["die"])
    crossed = {die.spoken: True for die in numbers_of(system).ladder if die.faces > own.faces}
    return {"name": "; ".join(filter(None, (token["name"], token["trait"], token["says"]))), **crossed}


def _task(task: Facts) -> dict[str, Any]:
    """A task as the tracker has it; what a kind of task does not count stays empty."""
    return {
        "name": task["name"],
        "kind": TASKS[task["kind"]],
        "target": task["target"],
        "needs": task["needs"],
        "successes": task["successes"],
        "tries": task["tries"],
        "rounds": task["rounds"] or "",
        "harm": task["harm"] or "",
        "ends": task["ends"],
    }
