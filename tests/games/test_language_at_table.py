"""Packs of the kind `steps` at a table: others are hurt too, the dead live again, a die lies under a cup."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from games.test_language import write_pack
from helpers import ROOT, run
from served import serving

from generator.base.sealed import seal, unseal
from generator.games import game_of
from generator.pack.load import load_pack
from generator.session import luck
from generator.session.party import Party, plain_people

MINUS = "\u2212"
LANGUAGE = ROOT / "tests" / "language"


pytestmark = pytest.mark.usefixtures("home")


Play = Callable[..., list[str]]


@pytest.fixture
def at_table(tmp_path: Path) -> Callable[..., Play]:
    """A campaign with a pack of `language/`: each command in a call of its own."""

    def begin(name: str, *first: str) -> Play:
        pack = write_pack(LANGUAGE / f"{name}.yaml", tmp_path)

        def done(line: str, *options: str, refused: bool = False) -> list[str]:
            ran = run("play", "--pack", pack, *options, *line.split())
            assert (ran.code == 0) != refused, ran.err
            return (ran.err if refused else ran.out).splitlines()

        for line in first:
            done(line)
        return done

    return begin


def test_somebody_dead_lives_again(at_table: Callable[..., Play]) -> None:
    done = at_table("resurrection", "add bryn", "hit bryn 5")
    assert done("day bryn")[-1] == "bryn: dead"
    assert done("raise_dead bryn dice 9")[-1] == "bryn: HP 1, Luck 9, Day 1, Days dead 1, Scarred 9 days"
    told = [line.strip().split(" ", 1)[1] for line in done("chronicle")[1:]]
    assert told == ["Bryn joins.", "Bryn dies.", "Bryn is alive again.", "Bryn: Scarred 9 days."]
    done("undo 2")
    assert done("show bryn") == ["bryn: dead"]
    # Time that may pass for the dead passes for them, too, where nobody is named.
    done("add cara")
    assert done("day")[-2:] == ["bryn: dead", "cara: HP 5, Luck 10, Day 1, Days dead 0"]
    assert done("raise_dead bryn dice 9")[0].endswith("9 or less is needed: passed.")


def test_what_is_shared_is_the_same_for_everybody(at_table: Callable[..., Play]) -> None:
    done = at_table("shared", "add bryn,cara", "set cara hp 5", "rise bryn", "omen bryn cards A")
    assert done("storm cara")[-1] == "cara: HP 5, Escalation 1, foul, Dread 1 card (2)"
    assert "add NAME [hp N]" in done("add dorn escalation 4", refused=True)[0]
    # It outlives whoever leaves, and whoever joins finds it there.
    done("remove bryn")
    assert done("add dorn") == ["dorn: HP 9, Escalation 1, foul, Dread 1 card (2)"]
    # What is put right of one, taken away by one or undone is so for all; what each has of their own stays.
    done("set dorn escalation 5")
    assert done("relief cara")[-1] == "cara: HP 5, Escalation 5, foul"
    done("undo 2")
    assert done("show dorn")[0] == "dorn: HP 9, Escalation 1, foul, Dread 1 card (2)"


def test_what_is_shared_changes_on_every_phone(tmp_path: Path) -> None:
    system = load_pack(write_pack(LANGUAGE / "shared.yaml", tmp_path)).system
    with serving(tmp_path, system, ["bryn", "cara"]) as table:
        assert table.gm.do("rise", "bryn")[0] == 200
        assert table.player("cara").state()["line"] == "HP 9, Escalation 1"
        assert [each["line"] for each in table.gm.state()["people"]] == ["HP 9, Escalation 1"] * 2


def test_others_are_hurt_in_the_same_command(at_table: Callable[..., Play]) -> None:
    done = at_table("bystanders", "add bryn,cara,dorn")
    [question] = [line for line in done("fumble bryn dice 2 3", refused=True) if line]
    assert question.startswith("d6 comes to 2. Somebody close: hit 3. needs a choice: 1 cara 2 dorn 3 nobody")
    told = ["d6 comes to 2.", "Somebody close: hit 3.", "dorn:", f"    HP {MINUS}3: 5."]
    states = ["bryn: HP 8, Stress 0", "dorn: HP 5, Stress 0"]
    assert done("fumble bryn dice 2 3 choose 2") == [*told, *states]
    # It stands in the log as it can be typed again, and undo and redo move both.
    assert done("log 1") == ["2. fumble bryn dice 2 3 choose 2", *(f"    {line}" for line in told)]
    assert done("undo")[1:] == ["bryn: HP 8, Stress 0", "dorn: HP 8, Stress 0"]
    assert done("redo")[1:] == states
    assert done("fumble bryn dice 2 1 choose 3") == ["d6 comes to 2.", "Somebody close: hit 1.", states[0]]
    # What befalls others may befall others again, each with luck of their own; dead bryn is asked of no more.
    assert done("hit bryn 8 dice 2 1 6 choose 3 1") == [
        f"HP {MINUS}8: 0.", "Everybody close: stress 2 death.", "Dead.",
        "cara:", "    Stress +2, for death: 2.", "    d6 comes to 1.", "      Shaken for good.",
        "    Somebody close: stress 1.",
        "dorn:", "    Stress +1, for fear: 1.",
        "dorn:", "    Stress +2, for death: 3.", "    d6 comes to 6.",
        "bryn: dead", "cara: HP 8, Stress 2, Shaken for good", "dorn: HP 5, Stress 3",
    ]  # fmt: skip


def test_an_entry_that_hurt_others_is_mended(at_table: Callable[..., Play]) -> None:
    done = at_table("bystanders", "add bryn,cara,dorn", "fumble bryn dice 2 3 choose 1", "hit cara 4")
    lines = done("mend 2 yes fumble bryn dice 2 3 choose 2")
    assert [line for line in lines if line.startswith(("cara", "dorn"))] == [
        "cara: HP 4, Stress 0",
        "dorn: HP 5, Stress 0",
    ]


def test_only_the_game_master_says_who_is_hurt_besides(tmp_path: Path) -> None:
    """A player is told nothing of others, and hurts nobody; whoever is hurt sees that alone."""
    system = load_pack(write_pack(LANGUAGE / "bystanders.yaml", tmp_path)).system
    with serving(tmp_path, system, ["bryn", "cara", "dorn"]) as table:
        gm, bryn, cara = table.gm, table.player("bryn"), table.player("cara")
        gm.ask("/api/settings", {"events": ["fumble"], "hidden": ["dorn"]})
        status, told = bryn.send(deed={"do": "fumble", "who": "bryn", "dice": [5]})
        assert (status, told["error"]) == (422, "This also happens to others. Ask the game master to enter it.")
        assert bryn.send(deed={"do": "fumble", "who": "bryn", "dice": [5], "choices": [1]})[0] == 422
        status, told = gm.deed("fumble", "bryn")
        asked = gm.send(deed=told["deed"], asking=True, answer={"need": told["need"], "dice": [5]})[1]
        assert [option["text"] for option in asked["need"]["options"]] == ["cara", "dorn", "nobody"]
        assert [line["text"] for line in asked["so_far"]] == ["d6 comes to 5.", "A cry goes up."]
        status, told = gm.send(deed=asked["deed"], asking=True, answer={"need": asked["need"], "choice": 2})
        assert (status, told["lines"][-1]) == (200, "dorn: HP 8, Stress 1")
        assert [line["text"] for line in bryn.state()["log"][-1]["lines"]] == ["d6 comes to 5.", "A cry goes up."]
        assert "dorn" not in str(bryn.state())
        assert [entry["typed"] for entry in cara.state()["log"]] == ["add cara"]
        [*_, hurt] = table.player("dorn").state()["log"]
        assert hurt["typed"] == "stress dorn points=1"
        assert [line["text"] for line in hurt["lines"]] == ["Stress +1, for fear: 1."]


def test_a_name_that_a_condition_keeps_is_told_to_no_player_who_may_not_know_it(tmp_path: Path) -> None:
    system = load_pack(write_pack(LANGUAGE / "healers.yaml", tmp_path)).system
    with serving(tmp_path, system, ["bryn", "dorn"]) as table:
        table.gm.ask("/api/settings", {"events": ["tend"], "hidden": ["dorn"]})
        for healer in ("dorn", "Mira"):
            status, told = table.gm.do("tend", "bryn", healer, "dice", "1")
            assert (status, told["lines"][1]) == (200, f"  Tended ({healer}) until dawn.")
        assert table.gm.state()["people"][0]["line"] == "HP 5, Tended (dorn), Tended (Mira)"
        bryn = table.player("bryn").state()
        assert bryn["line"] == "HP 5, Tended (Mira)"
        assert "dorn" not in str(bryn)
        status, told = table.player("bryn").do("tend", "bryn", "dorn")
        assert (status, told["error"]) == (422, "this cannot be done: ask the game master")


def test_a_die_under_a_cup_is_told_to_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither prompt nor page nor export tells a hidden number before it is revealed; the journal knows it."""
    pack = write_pack(LANGUAGE / "under_a_cup.yaml", tmp_path)
    system = load_pack(pack).system
    told: list[str] = []
    monkeypatch.setattr(luck, "_CUP", 7)

    def ask(line: str, *options: str) -> str:
        ran = run("play", "--pack", pack, *options, *line.split())
        told.append(ran.out + ran.err)
        return told[-1]

    ask("add bryn,cara")
    assert "Fate: the program rolls, and keeps it hidden.\nbryn: HP 0, Fate hidden, Down" in ask("hit bryn 9")
    undone = ask("undo") + ask("redo")
    assert "hit bryn 9\n" in undone
    for line in ("show", "log", "chronicle", "why", "export", "hit cara 9", "curse cara", "whisper bryn"):
        ask(line)
        ask(line, "--json") if line in ("show", "log", "why", "export") else None
    assert ask("odds bryn look").strip() == "Fate is hidden: the odds of look would tell it"
    assert "50" not in ask("odds bryn whisper")
    with serving(tmp_path, system, ["bryn", "cara"]) as table:
        for device in (table.gm, table.player("bryn"), table.player("cara")):
            device.send(deed={"do": "hit", "who": "bryn", "words": ["9"]})
            told.append(str(device.state()) + str(device.ask("/api/settable", {"name": "bryn"})[1]))
        assert (
            table.gm.send(deed={"do": "hit", "who": "cara", "words": ["9"], "hidden": "hidden-0000000000000000"})[0]
            == 400
        )
        assert "hidden" in table.gm.do("show")[1]["lines"][0]
    fates = {who: int(re.findall(r"revealed: (\d+)", ask(f"look {who}"))[0]) for who in ("bryn", "cara")}
    assert set(fates.values()) <= set(range(1, 11))
    seen = "".join(told[:-2])
    assert not re.findall(r"[Ff]ate\W{1,4}\d", seen), seen
    assert "'dice'" not in seen
    # What a hidden number was stays what it was: after undo, after an import, and when the journal is read again.
    assert f"revealed: {fates['bryn']}." in ask("undo 2") + ask("look bryn")
    exported = tmp_path / "export.json"
    exported.write_text(ask("export"))
    ran = run("play", "--pack", pack, "--campaign", "second", "import", exported)
    assert ran.code == 0, ran.err
    assert f"revealed: {fates['cara']}." in ask("look cara", "--campaign", "second")


def test_resolve_seals_a_hidden_number_and_reads_it_again(tmp_path: Path) -> None:
    pack, state = write_pack(LANGUAGE / "under_a_cup.yaml", tmp_path), tmp_path / "state.json"
    ran = run("resolve", "under_a_cup", "hit", "9", "--pack", pack, "--seed", "3", "--json")
    value = json.loads(ran.out)["state"]
    assert re.fullmatch(r"hidden-[0-9a-f]{16}", value["fate"])
    assert (
        run("resolve", "under_a_cup", "hit", "9", "--pack", pack).out.splitlines()[-1]
        == "HP 0, Fate hidden, Down for good"
    )
    state.write_text(ran.out)
    told = run("resolve", "under_a_cup", "look", "--pack", pack, "--state", state).out
    assert told.startswith("Fate is revealed: 3." if "Dead" in told else "Fate is revealed: ")
    state.write_text(json.dumps({**value, "fate": "hidden-00"}))
    assert (
        "hidden number that cannot be read"
        in run("resolve", "under_a_cup", "look", "--pack", pack, "--state", state).err
    )


def test_equal_hidden_numbers_of_two_people_look_different(tmp_path: Path) -> None:
    game = game_of(load_pack(write_pack(LANGUAGE / "under_a_cup.yaml", tmp_path)).system)
    same = game.read_state({"fate": seal([7], b"")})
    people = plain_people(game, Party({"bryn": same, "cara": same}))
    assert people["bryn"]["fate"] != people["cara"]["fate"]
    assert {unseal(plain["fate"]) for plain in people.values()} == {(7,)}
