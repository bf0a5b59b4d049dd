"""Choices while odds are counted: the counter, plays of the engine, and the walk of every way agree."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from test_language import FILES, write_pack

from generator.base.errors import HackjackError
from generator.games import game_of
from generator.games.face import AnyGame, Asked
from generator.games.steps import counter
from generator.games.steps.counter_steps import UncountedError
from generator.pack import content

PACK = next(path for path in FILES if path.stem == "choices")
EVENTS = ("dare", "steady", "climb", "search")


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> AnyGame:
    return game_of(content.load(write_pack(PACK, tmp_path_factory.mktemp("packs"))).system)


def shares(game: AnyGame, event: str, **how: Any) -> dict[str, Any]:
    plain = game.odds(game.read_state({}), game.read_question(event.split(), {}), Asked(**how)).plain
    found = {key: value for key, value in plain.items() if isinstance(value, dict) and "p" in value}
    for group in ("numbers.loot", "numbers.hp", "cards", "conditions", "die_by"):
        there = plain
        for key in group.split("."):
            there = there.get(key, {})
        each = there.items() if isinstance(there, dict) else enumerate(there)
        found |= {f"{group}.{key}": value for key, value in each}
    return found


@pytest.mark.parametrize("event", EVENTS)
def test_whoever_counts_comes_to_the_same(event: str, game: AnyGame, monkeypatch: pytest.MonkeyPatch) -> None:
    for policy in ("even",):
        kills = event in ("dare", "climb")
        ways: list[dict[str, Any]] = [{"policy": policy}, *([{"policy": policy, "hits": 2}] if kills else [])]
        for how in ways:
            exact = shares(game, event, **how)
            played = shares(game, event, **how, plays=4_000)
            for key, each in exact.items():
                there = played.get(key, {"p": 0, "error": 0.002})
                assert abs(there["p"] - float(Fraction(each["fraction"]))) <= 4.5 * there["error"], (how, key)
            with monkeypatch.context() as patched:
                for name in ("count_event", "die_by"):
                    patched.setattr(counter, name, not_counted)
                assert shares(game, event, **how) == exact


def not_counted(*_: Any) -> None:
    raise UncountedError


@pytest.mark.parametrize("event", EVENTS)
@pytest.mark.parametrize("how", [{}, {"plays": 10}])
def test_nobody_chooses_unasked(event: str, how: dict[str, Any], game: AnyGame) -> None:
    with pytest.raises(HackjackError, match=r"^somebody chooses .* here: say how, with --policy even$"):
        shares(game, event, **how)
