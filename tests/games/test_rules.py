"""The rules of Deadlands 1876 and of the severity tables: text files have a line for each promise, played here."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import cache
from typing import Any

import msgspec
import pytest
import yaml
from helpers import ROOT

from generator import games
from generator.base.errors import HackjackError
from generator.games import FOLDERS, game_of, log_lines
from generator.model.rules import System
from generator.pack import pack_locations
from generator.pack.load import load_pack
from generator.play.chance import Given, NeedsError
from generator.play.event_spec import LUCK

GROUPS = [
    (name, group)
    for name in ("deadlands", "glog")
    for group in (ROOT / "tests" / f"{name}_rules.txt").read_text(encoding="utf-8").split("\n== ")[1:]
]
ENDS = "success|failure|raise [0-9]|critical_success|critical_failure|bad_luck|done|failed|jammed"
OUTCOME = re.compile(rf"; (?=line |says |lacks |once |count |(?:{ENDS})(?:;|$)|[a-z_.0-9]+: )")


@cache
def shipped(name: str, *settings: tuple[str, str]) -> System:
    """A system as it ships, under house rules."""
    return load_pack(ROOT / "content" / name, settings).system


def deadlands(*settings: tuple[str, str]) -> System:
    return shipped("deadlands", *settings)


def play(
    event: str,
    *,
    state: dict[str, Any] | None = None,
    dice: Sequence[int] = (),
    cards: Sequence[str] = (),
    choose: Sequence[int] = (),
    rules: tuple[tuple[str, str], ...] = (),
    name: str = "deadlands",
) -> tuple[dict[str, Any], str]:
    """One event on a character: the state after it as plain data, and its lines: first the bare ones, then with why."""
    system = shipped(name, *rules)
    game = game_of(system)
    luck = Given(cards, dice, choose)
    words = [word for word in event.split() if "=" not in word or name == "deadlands"]
    at = {} if name == "deadlands" else dict(word.split("=") for word in event.split() if "=" in word)
    after, log = game.step(game.read_state(state or {}), game.read_event(words, at), luck)
    luck.finish()
    plain = json.loads(msgspec.json.encode(game.plain_state(after)))
    assert game.read_state(plain) == after, "what came out can be given back"
    assert game.state_line(plain)
    return plain, "\n".join(" ".join(log_lines(log, system, why=why)) for why in (False, True))


def refused(
    event: str, *, state: dict[str, Any] | None = None, kind: type[HackjackError] = HackjackError, **more: Any
) -> str:
    with pytest.raises(kind) as raised:
        play(event, state=state, **more)
    return str(raised.value)


def result(plain: dict[str, Any]) -> str:
    """How the last roll came out: success, raise 2."""
    last = plain["last"]
    return f"raise {last['raises']}" if last["result"] == "raise" else str(last["result"])


@pytest.mark.parametrize(("name", "group"), GROUPS, ids=lambda part: part.partition("\n")[0])
def test_rules(name: str, group: str) -> None:
    after: dict[str, Any] = {}
    rules: tuple[tuple[str, str], ...] = ()
    for row in filter(None, group.splitlines()[1:]):
        event, given_state, luck, outcome = (part.strip() for part in row.split("|"))
        if event.startswith("then "):
            event, state = event.removeprefix("then "), after
        else:
            state = yaml.safe_load(given_state) or {}
            rules = tuple(state.pop("set", {}).items())
        dice, cards, choices = (*(part.split() for part in luck.split("/")), [], [])[:3]
        shown: dict[str, Any] = {"dice": [*map(int, dice)], "cards": cards, "choose": [*map(int, choices)]}
        shown |= {"rules": rules, "name": name}
        word, _, message = outcome.partition(" ")
        if word in ("refused", "needs"):
            kind = NeedsError if word == "needs" else HackjackError
            assert message in refused(event, state=state, kind=kind, **shown), row
            continue
        after, lines = play(event, state=state, **shown)
        for wanted in filter(None, OUTCOME.split(outcome)):
            _check(wanted, name, after, lines, row)


def _check(wanted: str, name: str, plain: dict[str, Any], lines: str, row: str) -> None:
    word, _, rest = wanted.partition(" ")
    if word in ("says", "lacks", "once"):
        bare = lines.partition("\n")[2]
        assert (rest in lines) == (word != "lacks") and (word != "once" or bare.count(rest) == 1), (row, lines)
    elif word == "line":
        assert game_of(shipped(name)).state_line(plain) == rest, row
    elif re.fullmatch(ENDS, wanted):
        assert result(plain) == wanted, (row, lines)
    else:
        path, _, written = (rest if word == "count" else wanted).partition(": ")
        value: Any = plain
        for step in path.split("."):
            value = value[int(step)] if step.isdigit() else value[step]
        assert (len(value) if word == "count" else value) == yaml.safe_load(written), (row, lines)


@pytest.mark.parametrize("name", ["deadlands", "glog"])
def test_every_ruling_has_its_lines(name: str) -> None:
    headings = " ".join(group.partition("\n")[0] for system, group in GROUPS if system == name)
    headings += " D10 D18 D19 D25 " if name == "deadlands" else ""
    assert {ruling.id for ruling in shipped(name).head.rulings} <= set(headings.split())


def test_every_game_names_what_it_has() -> None:
    """Names are known without loading what counts and draws; here both are compared."""
    examples = [load_pack(folder.parent).system for folder in (ROOT / "docs/examples").glob("*/system.yaml")]
    systems = {system.kind: system for system in (*examples, *map(shipped, pack_locations.shipped()))}
    assert set(systems) == set(FOLDERS), "each kind of procedure ships a system or an example"
    for kind, system in systems.items():
        game = game_of(system)
        assert set(game.LOOKS) <= set(game.EVENTS), kind
        for name, spec in (*game.EVENTS.items(), *game.QUESTIONS.items()):
            assert name == spec.name and set(spec.luck) <= set(LUCK), (kind, name)
        assert list(game.charts()) == list(game.CHARTS), kind
        assert set(game.blank_charts()) <= set(game.CHARTS), kind
        face = games.content_of(system)
        assert face.table_events() == tuple(game.EVENTS), kind
        assert tuple(game.card_sets()) == face.CARD_SETS, kind
        assert tuple(game.pages()) == face.PAGES, kind
