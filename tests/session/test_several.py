"""Many at once, and time for all: one command, one undo, everybody or nobody."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from helpers import ROOT, done, run

MINUS = "\u2212"


pytestmark = pytest.mark.usefixtures("home")


def refused(line: str, *options: str) -> str:
    """What is said of a command that cannot be done."""
    ran = run("play", *options, *line.split())
    assert ran.code in (1, 2)
    assert ran.out == ""
    return ran.err.strip()


def journal(home: Path, name: str = "table") -> bytes:
    return (home / f"{name}.hackjack").read_bytes()


# --- many at once ----------------------------------------------------------------------------------------------------


def test_a_hit_befalls_all_who_are_named_and_cards_are_dealt_in_that_order() -> None:
    assert done("add bryn,cara,dora hp 2") == [
        f"{name}: 2 HP, death-score 0, Blood 0, Trauma 0" for name in ("bryn", "cara", "dora")
    ]
    assert done("hit c,bryn 4 KH 2S") == [
        "cara:",
        "    A hit for 4.",
        f"    HP would be {MINUS}2: a card is drawn.",
        "    Drawn: KH, Ruin within.",
        "    The death-score rises by 10: it is 10 now.",
        "    6 Blood into the pool: it holds 6.",
        "    Trauma is 6 now.",
        "bryn:",
        "    A hit for 4.",
        f"    HP would be {MINUS}2: a card is drawn.",
        "    Drawn: 2S, Ugly spill.",
        "    The death-score rises by 2: it is 2 now.",
        "    1 Blood into the pool: it holds 1.",
        "      You fall prone until you stand up.",
        "cara: death-score 10, Blood 6, Trauma 6",
        "bryn: death-score 2, Blood 1, Trauma 0",
    ]
    assert done("log 1")[:3] == ["2. hit cara,bryn 4 KH 2S", "    cara:", "        A hit for 4."]
    assert done("undo") == [
        "Undone: hit cara,bryn 4 KH 2S",
        "Back into the deck: KH 2S",
        "cara: 2 HP, death-score 0, Blood 0, Trauma 0",
        "bryn: 2 HP, death-score 0, Blood 0, Trauma 0",
    ]
    assert done("redo")[-1] == "bryn: death-score 2, Blood 1, Trauma 0"


def test_all_are_those_who_live_in_the_order_in_which_they_joined() -> None:
    done("add dora,bryn,cara hp 9")
    done("drain bryn 40")
    lines = done("hit all 1")
    assert [line for line in lines if not line.startswith(" ")] == [
        "dora:",
        "cara:",
        "dora: 8 HP, death-score 0, Blood 0, Trauma 0",
        "cara: 8 HP, death-score 0, Blood 0, Trauma 0",
    ]
    done("remove dora,cara")
    assert refused("hit all 1") == "nobody at the table is alive"
    done("remove bryn")
    assert refused("round") == "nobody is at the table yet"


def test_names_may_stand_apart_and_hold_spaces() -> None:
    run("play", "add", "Old Bryn, Cara", "hp", "9")
    ran = run("play", "hit", "old bryn,", "cara", "3")
    assert ran.out.splitlines()[-2].startswith("Old Bryn: 6 HP")
    assert done("log 1")[0] == '2. hit "Old Bryn,Cara" 3'


def test_if_one_cannot_be_done_none_is_and_all_who_hold_it_up_are_named(home: Path) -> None:
    done("add bryn,cara,dora hp 1")
    done("drain bryn 40")
    done("drain dora 40")
    before = journal(home)
    said = refused("hit bryn,cara,dora 4 KH")
    assert said == (
        "hit happens to nobody: bryn is dead: nothing more happens to them; dora is dead: nothing more happens to them"
    )
    assert refused("hit cara,frida 4") == 'nobody here is called "frida"; known: bryn, cara, dora'
    assert refused("hit cara,cara 4") == "cara is named twice: name everybody once"
    assert refused("hit cara 4 KH QS") == "nothing needs the last card given (QS): leave it out"
    assert journal(home) == before


def test_a_script_is_told_whose_luck_is_missing_and_where_it_goes(home: Path) -> None:
    done("add bryn,cara hp 1")
    before = journal(home)
    assert refused("hit all 4") == ("bryn: needs a card: write the card after the command, as in hit bryn,cara 4 QS")
    assert refused("hit all 4 KH") == (
        "cara: needs a card: write the card after the command, as in hit bryn,cara 4 KH QS"
    )
    assert journal(home) == before


def test_json_of_many_has_everybody() -> None:
    done("add bryn,cara hp 5")
    (value,) = [json.loads(line) for line in [run("play", "--json", "hit", "all", "2").out]]
    assert [(each["who"], each["state"]["hp"]) for each in value["done"]] == [("bryn", 3), ("cara", 3)]


def test_questions_say_for_whom_and_nothing_is_written_until_the_last_is_answered(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done("add bryn,cara hp 1")
    before = journal(home)
    asked: list[str] = []

    def answers(*given: str) -> None:
        left = list(given)

        def answer(question: str = "") -> str:
            asked.append(question)
            if question != "> ":
                assert journal(home) == before
            if not left:
                raise EOFError
            return left.pop(0)

        monkeypatch.setattr("builtins.input", answer)
        monkeypatch.setattr(sys.stdin, "isatty", lambda: True)

    answers("hit all 4", "KH", "", "show")
    assert "Nothing happened." in run("play").out
    assert journal(home) == before
    assert asked[1:3] == ["bryn: which card was drawn? (QS) ", "cara: which card was drawn? (QS) "]
    answers("hit all 4", "KH", "2S")
    lines = run("play").out.splitlines()
    assert done("log 1")[0] == "2. hit bryn,cara 4 KH 2S"
    assert sum("Drawn: KH" in line for line in lines) == 1


def test_virtual_cards_are_drawn_in_the_order_of_the_names() -> None:
    options = ("--deck", "virtual", "--seed", "3")
    done("add bryn,cara", *options)
    together = done("hit cara,bryn 4")
    done("undo")
    apart = [*done("hit cara 4"), *done("hit bryn 4")]
    drawn = [line.strip() for line in together if "Drawn" in line]
    assert drawn == [line for line in apart if "Drawn" in line]


def test_at_a_shared_table_many_are_named_too() -> None:
    options = ("--campaign", "cards")
    run("play", *options, "jackrealms", "sit", "bryn", "6")
    done("sit cara 6", *options)
    assert refused("bet all 2", *options).startswith("bet happens to nobody: ")
    done("scene 2", *options)
    lines = done("bet all 2", *options)
    assert [line for line in lines if line.endswith(":")] == ["bet bryn 2:", "bet cara 2:"]
    assert done("undo", *options)[0] == "Undone: bet bryn 2; bet cara 2"


# --- time for all ----------------------------------------------------------------------------------------------------


def test_time_without_a_name_passes_for_everybody_and_tells_what_ends() -> None:
    done("add bryn,cara hp 5")
    done("hit bryn 9 AS")
    lines = done("hour 2")
    assert [line for line in lines if not line.startswith(" ")][:2] == ["bryn:", "cara:"]
    assert "    2 hours pass." in lines
    assert done("undo")[0] == "Undone: hour bryn,cara 2"
    assert done("day bryn 2")[:2] == ["Floored has passed (prone).", "2 days pass."]
    assert refused("week brom") == 'nobody here is called "brom"; known: bryn, cara'


def test_time_that_one_cannot_spend_passes_for_nobody() -> None:
    pack = ROOT / "docs" / "examples" / "criticals"
    options = ("--pack", str(pack), "--campaign", "crit")
    done("add bryn,cara,dora", *options)
    for name in ("bryn", "dora"):
        done(f"set {name} conditions +bleeding until=bandage", *options)
    said = refused("day", *options)
    assert said == ("day happens to nobody: bryn bleeds and has no day left; dora bleeds and has no day left")
    assert [line for line in done("round 2", *options) if line.endswith(":")] == ["bryn:", "cara:", "dora:"]


def test_which_events_are_time_is_said_by_the_game() -> None:
    found = {}
    others = ("show", "set", "note")
    for system in ("hackjack", "glog", "deadlands", "fiftytwo", "jackrealms"):
        value = json.loads(run("play", "--json", system, "help").out)
        bare = [name for name, each in value.items() if each["usage"].startswith(f"{name} [NAME]")]
        found[system] = [name for name in bare if name not in others]
    assert found == {
        "hackjack": ["round", "hour", "day", "week"],
        "glog": ["round", "minute", "hour", "day", "week"],
        "deadlands": ["round", "hour", "day"],
        "fiftytwo": [],
        "jackrealms": [],
    }
    keen = json.loads(run("play", "--json", "--pack", ROOT / "docs/examples/keen", "help").out)
    assert keen["round"]["usage"].startswith("round [NAME]")
    assert keen["rest"]["usage"].startswith("rest [NAME]")
    assert keen["stand"]["usage"].startswith("stand NAME")


def test_a_round_of_the_52_engine_keeps_its_meaning() -> None:
    options = ("--campaign", "fight")
    run("play", *options, "fiftytwo", "initiative", str(ROOT / "content/fiftytwo/fighters.yaml"))
    assert "NAME" not in json.loads(run("play", "--json", "fiftytwo", "help", "round").out)["round"]["usage"]
