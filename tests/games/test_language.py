"""Each construct of the kind `steps` in a pack of a few lines: checked, printed, played and counted.

A file of `language/` holds the pack (`system`, and `tables` or `decks` where it has them), and beside it

* `paper`: the sentences of an event, as its panel prints them; `cards`: those of a condition; `blocks`: further blocks
  of the screen; `prints`: texts of a product, as Markdown;
* `played`: events in a row on one character, each with its luck, what the log says, and what differs from a fresh state
  afterwards; or with `refused`, a part of the message;
* `odds`: questions with the state that they are asked of, and the exact fractions at keys of the answer (`a.b.c`),
  and with `counts` what is said of unseen cards;
* `faults`: texts of the pack, what replaces each, and a part of what `check` says then.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from helpers import ROOT, page_texts, run, squeezed, written_yaml

from generator.base.errors import HackjackError, UsageError
from generator.games import game_of, plain_entry
from generator.games.face import Asked, OddsAnswer
from generator.games.steps.counting import compile, odds  # noqa: F401 - all ways to count are registered then
from generator.model.rules import Effect, System
from generator.pack.load import load_pack
from generator.play.chance import Given
from generator.session import prompt
from generator.words.effects import condition_sentences
from generator.words.event_wording import event_sentences

FILES = sorted((ROOT / "tests" / "language").glob("*.yaml"))
HEAD = {
    "version": "1.0",
    "about": "A pack that tests write.",
    "source": {"title": "none", "author": "tests", "licence": "ours"},
}


@cache
def case(path: Path) -> dict[str, Any]:
    """What a file says."""
    loaded: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return loaded


def bare_thousands(message: str) -> list[str]:
    """Return the numbers of a thousand or more that lack their commas, other than in quotations."""
    return re.findall(r"\d{4,}", re.sub('"[^"]*"', "", message))


def rows(key: str) -> list[Any]:
    """Return the entries of a part of every file, each with its file."""
    entries = ((path, at, entry) for path in FILES for at, entry in enumerate(case(path).get(key, ())))
    return [pytest.param(path, entry, id=f"{path.stem}-{at}") for path, at, entry in entries]


def write_pack(path: Path, home: Path, *changes: tuple[str, str]) -> Path:
    """Write the pack of a file, with texts of it replaced, and a screen of the events that `paper` names."""
    folder = home / path.stem
    folder.mkdir()
    parts = case(path)
    head = {"id": path.stem, "title": path.stem.capitalize()} | HEAD | parts["system"]
    blocks = [{"block": "event", "event": name, "title": name} for name in parts.get("paper", ())]
    blocks += parts.get("blocks", ())
    files = {
        "system": head,
        "tables": parts.get("tables") and {"tables": parts["tables"]},
        "decks": parts.get("decks") and {"decks": parts["decks"]},
        "screen": blocks and {"title": "Screen", "panels": [{"title": "Events", "columns": 2, "blocks": blocks}]},
    }
    texts = {name: written_yaml(each) for name, each in files.items() if each}
    for old, new in changes:
        assert any(old in text for text in texts.values()), f"{old!r} is in none of {texts}"
        texts = {name: text.replace(old, new) for name, text in texts.items()}
    for name, text in texts.items():
        (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def system_of(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The system of a file, checked and read once."""

    @cache
    def read(path: Path) -> System:
        folder = write_pack(path, tmp_path_factory.mktemp("packs"))
        ran = run("check", folder)
        assert (ran.code, ran.err) == (0, ""), ran.err
        return load_pack(folder).system

    return read


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_it_is_checked_and_printed(path: Path, tmp_path: Path) -> None:
    folder = write_pack(path, tmp_path)
    ran = run("check", folder)
    assert (ran.code, ran.err) == (0, ""), ran.err
    system, parts = load_pack(folder).system, case(path)
    for name, sentences in parts.get("paper", {}).items():
        assert event_sentences(name, system) == sentences
    for name, sentences in parts.get("cards", {}).items():
        assert [str(each) for each in condition_sentences(system.head.conditions[name], system)] == sentences
    for name, texts in parts.get("prints", {}).items():
        ran = run("print", path.stem, name, "--pack", folder, "--format", "md", "--output", tmp_path)
        assert (ran.code, ran.err) == (0, ""), ran.err
        [file] = tmp_path.glob(f"*-{name}.md")
        for text in texts:
            assert squeezed(text) in squeezed(file.read_text(encoding="utf-8"))
    if "paper" in parts:
        out = tmp_path / "out"
        assert run("print", path.stem, "screen", "--pack", folder, "--output", out).code == 0
        [pdf] = out.rglob("*screen*.pdf")
        text = squeezed("".join(page_texts(pdf.read_bytes())))
        for sentences in parts["paper"].values():
            for sentence in sentences:
                assert squeezed(sentence) in text


@pytest.mark.parametrize(("path", "events"), rows("played"))
def test_it_is_played(path: Path, events: list[dict[str, Any]], system_of: Any) -> None:
    game = game_of(system_of(path))
    fresh = json.loads(json.dumps(game.plain_state(game.read_state({}))))
    state = game.read_state({})
    for row in events:
        if "state" in row:
            state = game.read_state(row["state"])
        words = row["event"].split()
        at = dict(word.split("=") for word in words if "=" in word)
        luck = Given(row.get("cards", ()), row.get("dice", ()), row.get("choices", ()))
        if "refused" in row:
            with pytest.raises(HackjackError) as caught:
                game.step(state, game.read_event([word for word in words if "=" not in word], at), luck)
            assert row["refused"] in str(caught.value)
            assert not bare_thousands(str(caught.value))
            continue
        event = game.read_event([word for word in words if "=" not in word], at)
        state, log = game.step(state, event, luck)
        luck.finish()
        assert [plain_entry(entry, game.system)["text"] for entry in log] == row["log"]
        plain = json.loads(json.dumps(game.plain_state(state)))
        assert game.read_state(plain) == state
        if "after" in row:
            assert {key: value for key, value in plain.items() if value != fresh.get(key)} == row["after"]
        if "line" in row:
            assert game.state_line(plain) == row["line"]


def answered(system: System, row: dict[str, Any], **how: Any) -> OddsAnswer:
    """Return what comes of a question of `odds`."""
    game, words = game_of(system), row["event"].split()
    at = dict(word.split("=") for word in words if "=" in word)
    event = game.read_question([word for word in words if "=" not in word], at)
    asked = Asked(hits=row.get("hits"), policy=row.get("policy", ""), **how)
    return game.odds(game.read_state(row.get("state", {})), event, asked)


def share_at(keys: str, plain: Any) -> dict[str, Any]:
    """Return the chance at keys of an answer; none where it never came about."""
    for key in keys.split("."):
        plain = plain[int(key)] if isinstance(plain, list) else plain.get(key, {})
    return plain or {"fraction": "0/1", "p": 0, "error": 0.002}


@pytest.mark.parametrize(("path", "row"), rows("odds"))
def test_it_is_counted(path: Path, row: dict[str, Any], system_of: Any) -> None:
    answer = answered(system_of(path), row)
    assert answer.counts == row.get("counts", answer.counts)
    for keys, fraction in row["expect"].items():
        assert share_at(keys, answer.plain)["fraction"] == fraction, keys


@pytest.mark.slow
@pytest.mark.parametrize(("path", "row"), [each for each in rows("odds") if each.id != "scopes_within-0"])
def test_it_is_counted_by_what_types_say(
    path: Path, row: dict[str, Any], system_of: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is counted in a way of its own comes to the same by what its type reads and changes.

    Cards are not counted so; and one question would take a minute.
    """
    own = {
        kind: count for kind, count in compile._COUNTS.items() if kind is Effect or {"card", "decks"} & {*kind.changes}
    }
    monkeypatch.setattr(compile, "_COUNTS", own)
    answer = answered(replace(system_of(path)), row)
    for keys, fraction in row["expect"].items():
        assert share_at(keys, answer.plain)["fraction"] == fraction, keys


@pytest.mark.parametrize(("path", "row"), rows("odds"))
def test_what_is_played_out_comes_near_to_that(path: Path, row: dict[str, Any], system_of: Any) -> None:
    played = answered(system_of(path), row, plays=2_000, seed=2)
    assert (played.plain["method"], played.plain["plays"], played.plain["seed"]) == ("played", 2_000, 2)
    for keys, fraction in row["expect"].items():
        found = share_at(keys, played.plain)
        assert abs(found["p"] - float(Fraction(fraction))) <= 4.5 * found["error"] < 0.25, keys


@pytest.mark.parametrize(("path", "row"), rows("faults"))
def test_check_says_what_is_wrong(path: Path, row: list[str], tmp_path: Path) -> None:
    *changes, says = row
    ran = run("check", write_pack(path, tmp_path, *zip(changes[::2], changes[1::2], strict=True)))
    assert (ran.code, says in ran.err) == (1, True), ran.err
    assert not bare_thousands(says)


def test_a_watch_acts_when_somebody_joins(system_of: Any) -> None:
    game = game_of(system_of(next(path for path in FILES if path.stem == "cards_over_time")))
    assert [game.plain_state(game.newcomer(words))["dead"] for words in (("fear", "2"), ("fear", "3"))] == [False, True]


def test_nobody_types_a_helper(system_of: Any) -> None:
    game = game_of(system_of(next(path for path in FILES if path.stem == "calls")))
    assert "soak" not in {*prompt.commands(game), *game.QUESTIONS}
    with pytest.raises(UsageError, match="soak happens only as part of other events"):
        prompt.read_command("soak", game)
