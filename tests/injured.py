"""Severity tables in tests: the content, one event on a state, and entries of a state in few words."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import msgspec
from helpers import ROOT

from generator.games import game_of, plain_entry
from generator.model.rules import System
from generator.pack.load import load_pack
from generator.pack.settings import with_settings
from generator.play.chance import Given

Plain = dict[str, Any]


@cache
def glog(*settings: tuple[str, str]) -> System:
    """The content as it ships, under these rulings."""
    return with_settings(load_pack(ROOT / "content" / "glog").system, settings)


def happen(
    words: str,
    state: Mapping[str, Any] | None = None,
    dice: Sequence[int] = (),
    settings: Sequence[tuple[str, str]] = (),
    **at: str,
) -> tuple[Plain, list[Plain]]:
    """One event with the dice that lie on the table: the state after it, and the log as JSON has it."""
    system = glog(*settings)
    game = game_of(system)
    event = game.read_event(words.split(), at)
    luck = Given((), dice)
    after, log = game.step(game.read_state(dict(state or {})), event, luck)
    luck.finish()
    return plain_of(after), [plain_entry(entry, system) for entry in log]


def plain_of(state: Any) -> Plain:
    """A state as it comes back from JSON."""
    value: Plain = json.loads(msgspec.json.encode(game_of(glog()).plain_state(state)))
    return value


def full(**changes: Any) -> Plain:
    """A whole state as plain data: a fresh character but for the changes."""
    return {**plain_of(game_of(glog()).read_state({})), **changes}


def injury(condition: str, days: int = 0, place: str = "", chances: Sequence[int] = ()) -> Plain:
    """An injury: with days, with chances to recover, or with neither for good."""
    permanent = not days and not chances
    return {"condition": condition, "days": days, "place": place, "permanent": permanent, "chances": list(chances)}


def until(condition: str, ends: str) -> Plain:
    """A condition that passes."""
    return {"condition": condition, "until": ends}


def owed(of: str, part: str = "", *, chance: bool = False) -> Plain:
    """A save that is owed."""
    return {"of": of, "part": part, "place": part, "chance": chance}


def suffered(log: Sequence[Plain]) -> list[str]:
    """The conditions in a log, in order."""
    return [entry["effect"] for entry in log if entry["kind"] == "wound" and entry["effect"] in glog().head.conditions]


def texts(log: Sequence[Plain]) -> list[str]:
    """The sentences of a log."""
    return [entry["text"] for entry in log]
