"""The page at the table: what devices see and may do, how they hear of it, and who is kept out."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from games.test_language import write_pack
from helpers import ROOT, commands_of, fiftytwo, hackjack, run
from served import Device, Served, serving

from generator.games import game_of
from generator.pack.load import load_pack
from generator.serve import app, views
from generator.serve.links import links_file, new_links, read_links, write_links
from generator.serve.log_words import LogInWords
from generator.serve.server import listen
from generator.session import journal, journal_file
from generator.session.deeds import Deed
from generator.session.party import PartyTable
from generator.session.session import advance, new_campaign, new_session

SYSTEMS = ("deadlands", "fiftytwo", "glog", "hackjack", "jackrealms")
EXAMPLES = sorted(path.parent for path in (ROOT / "docs" / "examples").glob("*/system.yaml"))


# --- what is done ----------------------------------------------------------------------------------------------------


def test_the_state_is_what_show_tells_and_an_answer_what_play_tells(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HACKJACK_HOME", str(tmp_path / "home"))
    typed = [("add", "Bryn", "hp", "7"), ("hit", "bryn", "9", "10C", "dice", "3"), ("undo",), ("redo",)]
    with serving(tmp_path, hackjack()) as served:
        for words in typed:
            status, answer = served.gm.do(*words)
            assert status == 200
            told = json.loads(run("play", *words, "--json").out)
            assert {key: answer[key] for key in told} == told
        shown = json.loads(run("play", "show", "--json").out)
        state = served.gm.state()
        assert {key: state[key] for key in shown} == shown
        status, odds = served.gm.do("odds", "bryn", "hit", "4")
        told = json.loads(run("play", "odds", "bryn", "hit", "4", "--json").out)
        assert status == 200 and {key: odds[key] for key in told} == told


def test_an_id_is_done_once_and_answered_as_often_as_it_is_sent(party: Served) -> None:
    first = party.gm.do("poison", "cara", "2", id="once")
    lines = party.path.read_bytes()
    assert party.gm.do("poison", "cara", "2", id="once")[1]["state"] == first[1]["state"]
    status, answer = party.gm.do("poison", "cara", "3", id="once")
    assert status == 422 and "once" in answer["error"]
    assert party.path.read_bytes() == lines


def test_a_card_is_asked_for_and_nothing_is_written_until_it_is_there(party: Served) -> None:
    before = party.path.read_bytes()
    status, asked = party.gm.deed("hit", "Bryn", "4")
    assert status == 202 and asked["error"].endswith("needs a card")
    assert (asked["need"]["kind"], asked["need"]["title"]) == ("card", "Which card was drawn?")
    assert len(asked["need"]["cards"]) == 51 and "10C" not in asked["need"]["cards"]
    assert [line["text"] for line in asked["so_far"]] == ["A hit for 4.", "3 Blood flows: the death-score is 13."]
    assert party.path.read_bytes() == before
    answer = {"need": asked["need"], "cards": ["2S"]}
    again = {"deed": asked["deed"], "on": asked["on"], "asking": asked["asking"], "answer": answer, "id": "the-hit"}
    status, done = party.gm.send(**again)
    assert status == 200 and done["state"]["score"] == 15
    assert party.gm.send(**again)[1]["state"] == done["state"], "what was answered twice is done once"
    assert commands_of(party.path)[-1][0]["cards"] == ["2S"] and len(commands_of(party.path)) == 4


def test_short_forms_are_understood_one_at_a_time(party: Served) -> None:
    status, done = party.gm.do("hi", "b", "4", "2s")
    assert status == 200 and party.gm.state()["log"][-1]["typed"] == "hit Bryn 4 2S"
    assert done["state"]["score"] == 15


def test_a_full_journal_is_told_to_all(party: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal_file, "MAX_LINES", party.gm.state()["on"])
    status, refused = party.gm.do("poison", "cara", "1")
    assert status == 422 and "the journal is full" in refused["error"]
    for device in (party.gm, party.player("Cara")):
        assert device.state()["trouble"].startswith("the journal is full")


def test_what_a_player_may_store_is_bounded_and_the_others_go_on(
    party: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal, "MAX_PLAYER_COMMANDS", 2)
    monkeypatch.setattr(journal, "MAX_PLAYER_BYTES", 300)
    bryn = party.player("Bryn")
    assert "at most 300" in bryn.deed("hold", "Bryn", "x" * 200, id="y" * 64)[1]["error"]
    assert [bryn.deed(*words)[0] for words in (("hold", "Bryn"), ("undo",), ("hold", "Bryn"))] == [200, 200, 422]
    assert party.gm.state()["trouble"] == "" and party.player("Cara").deed("hold", "Cara")[0] == 200


def answered(device: Device, asked: dict[str, Any], **luck: Any) -> tuple[int, Any]:
    """The answer to a question."""
    more = {key: asked[key] for key in ("deed", "on", "asking")}
    return device.send(**more, answer={"need": asked["need"], **luck})


def test_a_choice_shows_the_cards_with_what_they_do(party: Served) -> None:
    asked = party.gm.deed("hit", "Bryn", "4")[1]
    for card in ("7C", "KH", "2S"):
        status, asked = answered(party.gm, asked, cards=[card])
        assert status == 202
    first, second = asked["need"]["options"]
    faces = {face["name"]: face for face in party.gm.ask("/api/game")[1]["deck"]}
    assert [faces[each["card"]]["title"] for each in (first, second)] == ["Ruin within", "Ugly spill"]
    assert faces[second["card"]]["text"] == ["You fall prone until you stand up."]
    status, done = answered(party.gm, asked, choice=2)
    assert status == 200 and "Chosen: Ugly spill." in done["lines"]


def test_dice_are_asked_for_with_their_reason_and_some_may_wait(tmp_path: Path) -> None:
    glog = load_pack(ROOT / "content" / "glog").system
    with serving(tmp_path, glog, ["Ada hp 2"]) as served:
        status, asked = served.gm.deed("hit", "Ada", "5")
        assert status == 202 and asked["need"]["kind"] == "roll" and ": " in asked["need"]["title"]
        while status == 202:
            need = asked["need"]
            luck = {"wait": True} if need["can_wait"] else {"dice": [1] * need["count"]}
            status, asked = answered(served.gm, asked, **luck)
        assert status == 200 and asked["who"] == "Ada"


def test_an_answer_to_another_question_is_refused(party: Served) -> None:
    asked = party.gm.deed("hit", "Bryn", "4")[1]
    other = {**asked, "need": {**asked["need"], "cards": asked["need"]["cards"][1:]}}
    status, refused = answered(party.gm, other, cards=["2S"])
    assert status == 409 and "the question has changed" in refused["error"]
    party.told("poison cara 1")
    status, refused = answered(party.gm, asked, cards=["2S"])
    assert status == 409 and "poison Cara 1" in refused["error"]


def test_what_was_meant_for_an_older_table_is_refused_where_luck_is_in_it(party: Served) -> None:
    on = party.gm.state()["on"]
    assert party.gm.do("poison", "cara", "1", on=on)[0] == 200
    assert party.gm.do("poison", "cara", "1", on=on)[0] == 200, "what takes no luck goes on"
    status, refused = party.gm.do("undo", on=on)
    assert status == 409 and "others have played" in refused["error"]


def test_undo_says_which_cards_move(party: Served) -> None:
    state = party.gm.state()
    undo = {"typed": "hit Bryn 9 10C dice 3", "says": "Bryn draws Red flood", "back": ["10C"], "out": []}
    assert state["undo"] == undo and state["redo"] is None
    assert "Back into the deck: 10C" in party.gm.do("undo")[1]["lines"]
    state = party.gm.state()
    assert state["redo"]["out"] == ["10C"] and state["undo"]["typed"] == "add Cara hp 5"


def test_what_cannot_be_done_is_told_in_a_sentence(party: Served) -> None:
    for body, status, said in (
        ({"words": ["hti", "bryn", "9"]}, 400, 'there is no command "hti": did you mean "hit"?'),
        ({"words": ["hit", "bryn", "much"]}, 400, "a whole number"),
        ({"words": []}, 400, "write what to do"),
        ({"words": ["export"]}, 400, "belongs to the terminal"),
        ({"deed": {"do": "hit", "who": "Nobody", "words": ["4"]}}, 422, 'nobody here is called "Nobody"'),
        (
            {"deed": {"do": "stand", "who": "Cara", "words": []}, "answer": {"need": {}}},
            409,
            "this question was answered already",
        ),
        ({"words": ["hold", "bryn"], "id": "no id!"}, 400, "this request cannot be read"),
    ):
        found, answer = party.gm.send(**{"id": "told", **body})
        assert (found, said in answer["error"]) == (status, True), answer
    assert party.gm.ask("/api/do", b"{")[0] == 400
    assert party.gm.ask("/api/do", b"x" * 210_000)[0] == 413


def test_odds_are_counted_for_everybody_who_lives(party: Served) -> None:
    status, odds, _ = party.gm.ask("/api/odds", {"words": ["hit", "9"]})
    bryn, cara = odds
    assert status == 200 and (bryn["who"], cara["who"]) == ("Bryn", "Cara")
    assert bryn["death"]["fraction"] == "19/51" and bryn["counts"].startswith("19 of 51 unseen cards kill")
    assert party.gm.do("odds", "bryn", "9")[1]["die"] == bryn["death"]


def test_the_board_tells_how_likely_a_fall_kills(tmp_path: Path) -> None:
    """The share is that of the result under which the content's table says `dead`."""
    deadlands = load_pack(ROOT / "content" / "deadlands").system
    with serving(tmp_path, deadlands, ["Ada vigor d6"]) as served:
        for words in (["incapacitation", "d6"], ["incapacitation", "vigor"]):
            (ada,) = served.gm.ask("/api/odds", {"words": words})[1]
            falls = served.gm.do("odds", "Ada", *words)[1]
            assert ada["death"] == falls["critical_failure"] and 0 < ada["death"]["p"] < 1
        assert served.gm.ask("/api/odds", {"words": ["fate", "d6"]})[1][0]["death"] is None


def test_arguments_have_the_values_that_they_may_have_now(party: Served) -> None:
    assert party.gm.ask("/api/choices", {"do": "check", "who": "Bryn"})[1] == {"which": ["10C"]}
    glog = load_pack(ROOT / "content" / "glog").system
    now = new_session(PartyTable(glog, new_campaign(glog)))
    joined = game_of(glog).read_state({})
    assert joined is not None
    assert views.choices(now, "add", "", [], {})["kind"] == ["pc", "npc", "monster"]


@pytest.mark.parametrize(
    ("folder", "event", "expected"),
    [
        ("content/hackjack", "add", ["HP", "Maximum HP"]),
        ("content/hackjack", "hit", ["Amount", "Critical"]),
        ("content/glog", "add", ["HP", "Kind", "Hit dice", "Max HP"]),
        ("content/glog", "hit", ["Damage", "Type", "Location", "Side", "Hands"]),
        ("docs/examples/criticals", "hit", ["Points of damage", "The place that is hit"]),
        ("content/deadlands", "add", ["Kind", "Traits", "Fate Chips", "XP", "Spent", "Wounds"]),
        ("content/fiftytwo", "ambush", ["Who", "A card or a column"]),
    ],
)
def test_fields_are_called_what_content_calls_them(folder: str, event: str, expected: list[str]) -> None:
    system = load_pack(ROOT / folder).system
    told = views.plain_game(PartyTable(system, new_campaign(system)))
    spec = told["newcomer"] if event == "add" else next(each for each in told["events"] if each["name"] == event)
    assert [each["title"] for each in spec["takes"]][: len(expected)] == expected


def test_words_are_called_what_content_calls_them(tmp_path: Path) -> None:
    system = load_pack(write_pack(ROOT / "tests" / "language" / "words_with_names.yaml", tmp_path)).system
    told = views.plain_game(PartyTable(system, new_campaign(system)))
    assert told["names"]["left_arm"] == "left arm"
    assert told["names"]["pc"] == "hero"


# --- players ---------------------------------------------------------------------------------------------------------


def test_a_player_sees_their_own_and_of_others_whether_they_live(party: Served) -> None:
    state = party.player("Cara").state()
    assert state["role"] == "player" and state["name"] == "Cara"
    assert state["others"] == [{"name": "Bryn", "alive": True}]
    assert set(state) == {
        *("campaign", "on", "version", "trouble", "events", "undo", "role", "system", "name", "alive", "gauges"),
        *("title", "line", "details", "marks", "sheet", "others", "log", "last_words", "struck"),
        *("pile", "track", "tokens", "states", "hurts", "acting", "likely", "next", "phase"),
    }
    assert "10C" not in json.dumps(state), "what befell Bryn is not told"
    assert "Red flood" in json.dumps(party.player("Bryn").state())


def test_a_player_does_what_is_ticked_and_only_to_themselves(party: Served) -> None:
    bryn = party.player("Bryn")
    assert bryn.deed("hold", "Bryn")[0] == 200
    for do, who in (("hit", "Bryn"), ("hold", "Cara"), ("add", "Dan")):
        status, answer = bryn.deed(do, who)
        assert status == 403, answer
    for path, body in (("odds", {"words": ["hit", "9"]}), ("links", None), ("settings", {"events": []})):
        assert bryn.ask(f"/api/{path}", body)[0] == 403
    assert bryn.do("show")[0] == 403
    assert [each["name"] for each in bryn.ask("/api/game")[1]["events"]] == ["hold", "release", "stand"]
    assert party.gm.ask("/api/settings", {"events": ["hold", "bleed"], "hidden": ["Cara"]})[0] == 200
    status, answer = bryn.deed("bleed", "Bryn", "1")
    assert status == 200 and set(answer) == {"lines", "on"}
    assert bryn.state()["others"] == []


def test_a_player_takes_back_their_own_last_command_alone(party: Served) -> None:
    bryn = party.player("Bryn")
    assert bryn.deed("undo")[0] == 403, "the game master's hit is not theirs"
    assert bryn.deed("hold", "Bryn")[0] == 200
    assert bryn.state()["undo"] == "hold Bryn" and party.player("Cara").state()["undo"] == ""
    assert party.player("Cara").deed("undo")[0] == 403
    assert bryn.deed("undo")[0] == 200
    assert bryn.deed("hold", "Bryn")[0] == 200
    party.told("poison cara 1")
    status, answer = bryn.deed("undo")
    assert status == 403 and "while nobody has acted after it" in answer["error"]
    party.told("undo")
    assert bryn.deed("undo")[0] == 403, "the game master has acted, though nothing is left of it"


@pytest.mark.parametrize(
    "words",
    [
        ["", "4", "line=2"],
        pytest.param(
            ["1", "2", "5", "99", "all", "Bryn", "yes", "id=joins-Bryn", "2S", "hp=3", "redo"], marks=pytest.mark.slow
        ),
    ],
    ids=["some words", "all words"],
)
def test_an_undo_of_a_player_takes_no_words_and_nothing_else_reaches_what_others_did(
    tmp_path: Path, words: list[str]
) -> None:
    """Every command with every further word, typed and as a deed: the game master sees what they saw before."""
    game = game_of(hackjack())
    commands = dict.fromkeys([*game.EVENTS, "undo", "redo", "mend", "set", "add", "remove", "rename", "note", "export"])
    with serving(tmp_path, hackjack(), ["Bryn hp 7", "Cara hp 5"]) as served:
        assert served.gm.ask("/api/settings", {"events": ["hold", "release"]})[0] == 200
        served.told("hit cara 2")
        bryn, seen = served.player("Bryn"), 0
        assert bryn.deed("hold", "Bryn")[0] == 200
        before = served.gm.state()
        for name in commands:
            for word in words:
                if (name, word) == ("undo", "") or (name in ("hold", "release") and word in ("", "Bryn")):
                    continue
                at = dict([word.split("=")]) if "=" in word else {}
                for who in ("", "Bryn", "Cara"):
                    deed = {"do": name, "who": who, "words": [word] if word and not at else [], "at": at}
                    if name in ("hold", "release") and (who, deed["words"], at) == ("Bryn", [], {}):
                        continue
                    seen += bryn.send(deed=deed)[0] == 200
                seen += bryn.send(words=[name, *([word] if word else [])])[0] == 200
        assert seen == 0 and served.gm.state() == before
        assert bryn.deed("undo")[0] == 200 and not served.gm.state()["characters"][0]["state"]["holding"]


def test_a_character_may_be_called_like_a_sender(tmp_path: Path) -> None:
    names = ("gm", "terminal", "player")
    with serving(tmp_path, hackjack(), [*(f"{name} hp 7" for name in names), "Cara hp 5"]) as served:
        served.told("hit cara 2")
        for name in names:
            device = served.player(name)
            assert device.state()["undo"] == "" and device.deed("undo")[0] == 403
            assert [each["typed"] for each in device.state()["log"]] == [f"add {name} hp 7"]
            assert device.deed("hold", name)[0] == 200 and device.state()["undo"] == f"hold {name}"


def test_a_player_is_told_what_they_take_of_a_foe_and_not_of_whom(tmp_path: Path) -> None:
    with serving(tmp_path, fiftytwo()) as served:
        for words in ("enter everybody", "initiative dice 6 10 4 8 5 8 5 7 7", "hurt Alan 13 by=Evans"):
            assert served.gm.do(*words.split())[0] == 200
        alan = served.player("Alan").state()
        struck = alan["log"][-1]
        assert [each["says"] for each in struck["moments"]] == ["You lose 13: 145 HP left"]
        assert struck["changes"] == [{"key": "hp", "name": "HP", "was": 158, "now": 145}]
        assert (struck["typed"], struck["lines"]) == ("", []) and "by" not in struck and "Evans" not in json.dumps(alan)
        assert "You lose" not in json.dumps(served.player("Alice").state())
        served.told("set Alan hp 1")
        assert served.player("Alan").state()["log"] == alan["log"], "what is put right struck nobody"


def test_foes_of_a_fight_are_not_told_to_players(tmp_path: Path) -> None:
    with serving(tmp_path, fiftytwo()) as served:
        served.told("enter everybody")
        assert {link["name"] for link in served.gm.ask("/api/links")[1]} == {
            *("Alan", "Alphonse", "Alice", "Artichoke", "Able")
        }
        assert served.gm.state()["board"] is None and "board" not in served.player("Alan").state()
        state = json.dumps(served.player("Alan").state())
        assert "Alice" in state and "Evans" not in state
        assert served.player("Evans").ask("/api/state")[0] == 401
        asked = {"do": "hold"}
        assert "Evans" in served.gm.ask("/api/choices", asked)[1]["who"]
        assert "Alice" in served.player("Alan").ask("/api/choices", asked)[1]["who"]
        assert "Evans" not in served.player("Alan").ask("/api/choices", asked)[1]["who"]


def test_files_of_the_computer_are_not_read_for_a_device(tmp_path: Path) -> None:
    people = tmp_path / "people.yaml"
    people.write_text("[]")
    with serving(tmp_path, fiftytwo()) as served:
        served.told("enter everybody")
        short = {"words": ["init", str(people), "dice", "3", "4"]}
        for sent in (
            {"words": ["initiative", str(people)]},
            short,
            {"deed": {"do": "initiative", "words": [str(people)]}},
            {"mends": 1, "deed": {"do": "initiative", "words": [str(people)]}},
        ):
            status, answer = served.gm.send(id="file", **sent)
            assert status == 403 and "the page reads no files" in answer["error"]


# --- live ------------------------------------------------------------------------------------------------------------


def test_what_one_device_does_stands_on_all_others(party: Served) -> None:
    with party.player("Cara").following() as cara, party.gm.following() as gm:
        assert next(cara)[1]["gauges"][0]["value"] == 5
        assert next(gm)[1]["role"] == "gm"
        party.told("hit cara 2")
        name, state = next(cara)
        assert name == "state" and state["gauges"][0]["value"] == 3
        assert next(gm)[1]["log"][-1]["typed"] == "hit Cara 2"


def test_what_the_terminal_does_shows_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "home"
    monkeypatch.setenv("HACKJACK_HOME", str(home))
    (home / "campaigns").mkdir(parents=True)
    with serving(home / "campaigns", hackjack(), ["Bryn hp 7"]) as served, served.gm.following() as events:
        next(events)
        assert run("play", "hit", "bryn", "2").code == 0
        since = time.monotonic()
        name, state = next(events)
        assert name == "state" and state["log"][-1]["sender"] == "terminal"
        assert time.monotonic() - since < 0.3
        assert served.gm.do("undo", on=state["on"])[0] == 200
        assert "7 HP" in run("play", "show").out


@pytest.mark.slow
def test_a_stream_ends_for_somebody_who_has_left(party: Served) -> None:
    with party.player("Cara").following() as cara:
        next(cara)
        party.told("remove cara")
        assert next(cara)[0] == "gone"
    assert party.player("Cara").ask("/api/state")[0] == 401


# --- who is kept out -------------------------------------------------------------------------------------------------


def test_without_a_key_nothing_is_told(party: Served) -> None:
    stranger = Device(party.port, "")
    for path in ("/api/state", "/api/events", "/api/game", "/api/links"):
        assert stranger.ask(path)[0] == 401, path
    for path in ("/api/do", "/api/odds", "/api/choices", "/api/settings"):
        assert stranger.ask(path, {})[0] == 401, path
    assert Device(party.port, party.links.key("Nobody")).ask("/api/state")[0] == 401
    assert "Bryn" not in stranger.ask("/")[1], "the page itself is the same for everybody"


def test_wrong_keys_are_tried_a_few_times_only_and_keep_no_right_one_out(party: Served) -> None:
    """What wrong keys may do is counted by address; right ones and the files of the page are not."""
    stranger = Device(party.port, "guess")
    found = [stranger.ask(path)[0] for _ in range(15) for path in ("/api/state", "/api/picture")]
    assert found[0] == 401 and 429 in found
    for device, path in ((party.gm, "/api/state"), (party.player("Cara"), "/api/state"), (Device(party.port, ""), "/")):
        assert device.ask(path)[0] == 200, path


NAVIGATES = {"Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}


def test_other_sites_do_not_speak_through_a_browser(party: Served) -> None:
    elsewhere = {"Sec-Fetch-Site": "cross-site"}
    image = {**elsewhere, "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image"}
    for path, headers, status in (
        ("/api/state", {"Host": "evil.example"}, 403),
        ("/api/state", {"Host": "192.168.7.7"}, 403),
        ("/api/state", {"Host": "evil@127.0.0.1"}, 403),
        ("/api/state", {"Origin": "http://evil.example"}, 403),
        ("/api/state", {"Origin": "null"}, 403),
        ("/api/state", elsewhere, 403),
        ("/api/state", {"Sec-Fetch-Site": "same-site"}, 403),
        ("/api/state", {**elsewhere, **NAVIGATES}, 403),
        ("/", image, 403),
        ("/", {**elsewhere, **NAVIGATES, "Sec-Fetch-Dest": "iframe"}, 403),
        ("/", {**elsewhere, **NAVIGATES}, 200),
        ("/", {"Sec-Fetch-Site": "none", **NAVIGATES}, 200),
        ("/api/state", {"Sec-Fetch-Site": "same-origin"}, 200),
        ("/api/state", {"Host": f"localhost:{party.port}", "Origin": f"http://localhost:{party.port}"}, 200),
    ):
        assert party.gm.ask(path, headers=headers)[0] == status, (path, headers)
    stranger = Device(party.port, "guess")
    assert {stranger.ask("/api/state", headers=image)[0] for _ in range(50)} == {403}
    assert stranger.ask("/api/state")[0] == 401, "what is refused so is not counted"


def test_every_answer_keeps_the_browser_strict(party: Served) -> None:
    for path in ("/", "/main.js", "/page.css", "/base.css", "/api/state", "/nothing"):
        _, _, headers = party.gm.ask(path)
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy and "unsafe" not in policy and "*" not in policy
        assert headers["x-content-type-options"] == "nosniff" and headers["referrer-policy"] == "no-referrer"
        assert headers["set-cookie"] is None and headers["server"] is None
        assert headers["cross-origin-opener-policy"] == "same-origin"
    _, _, headers = party.gm.ask("/", headers={"Host": f"192.168.7.7:{party.port}"})
    assert "cross-origin-opener-policy" not in headers, "browsers log an error for it on a network without TLS"


def test_nothing_of_the_file_system_is_served(party: Served) -> None:
    for path in ("/../pyproject.toml", "/%2e%2e/pyproject.toml", "/index.html", "/page/", "/table.links"):
        assert party.gm.ask(path)[0] == 404, path


@pytest.mark.parametrize(("method", "path", "status"), [("GET", "/api/x", 404), ("GET", "/api/do", 405)])
def test_a_request_that_nobody_knows_is_refused_in_a_sentence(
    party: Served, method: str, path: str, status: int
) -> None:
    found, answer, _ = party.gm.ask(path, method=method)
    assert (found, answer) == (status, {"error": f"Unknown request: {method} {path}"})


@pytest.mark.parametrize(
    ("fault", "says"),
    [
        (PermissionError(13, "Permission denied", "/campaigns/x"), "/campaigns/x cannot be used: Permission denied"),
        (KeyError("x"), "a fault of hackjack itself: KeyError: 'x'"),
    ],
)
def test_what_nobody_foresaw_is_told_in_a_sentence_and_ends_nothing(
    party: Served, monkeypatch: pytest.MonkeyPatch, fault: Exception, says: str
) -> None:
    def fails(*_: Any) -> None:
        raise fault

    with monkeypatch.context() as patch:
        patch.setattr(party.table, "view", fails)
        status, answer, _ = party.gm.ask("/api/state")
    assert status == 422 and says in answer["error"]
    assert party.gm.ask("/api/state")[0] == 200


COMMAND_SPEAK = (
    *(
        "Take it away",
        "Keep in this pack",
        "Begin anew",
        "as usual",
        "How to print it, and",
        "What is in it, and how many",
    ),
    *("Printed for", "being drawn", "Not said.", "is massive already", "ours: we draw", "the program's: it draws"),
    *("Somebody joins", "unless you say more", "does not hold out", "is healed", "The recovery of", "A save is owed"),
    *("takes the blow of", "So many wound levels", "Somebody", "somebody", "has the word", "Before that", "Put right"),
    *("Mend ", "the wrong hands", "there is no command", "is away", "sent as soon as", "whoever", "whatever", "anew"),
)
"""What no page says to a player: the words of commands, and those that nobody would use at the table."""


def test_no_page_speaks_in_commands() -> None:
    texts = []
    for name, (raw, _) in app.assets().items():
        if name.endswith((".js", ".html")):
            code = re.sub(r"(?m)^\s*//.*$", "", raw.decode())
            texts += [(name, text) for text in re.findall(r'"([^"\n]* [^"\n]*)"|>([^<\n]*)<|`([^`\n]* [^`\n]*)`', code)]
    for page in (ROOT / "content").glob("*/page.yaml"):
        texts += [(str(page), (line,)) for line in page.read_text(encoding="utf-8").splitlines() if "#" not in line]
    found = [(name, word, text) for name, parts in texts for text in parts for word in COMMAND_SPEAK if word in text]
    assert not found


def test_a_button_that_renames_or_deletes_says_what() -> None:
    code = {name: raw.decode() for name, (raw, _) in app.assets().items() if name.endswith(".js")}
    verbs = re.compile(
        r'button\("(?:Rename|Delete|Remove)",(?!.*"aria-label")|(?:rename|delete)Dialog\((?!"the |what, )'
    )
    assert not [(name, line) for name, text in code.items() for line in text.splitlines() if verbs.search(line)]


def test_the_page_is_small_and_takes_texts_as_texts() -> None:
    files = {name: file for name, file in app.assets().items() if not name.endswith(".ttf")}
    sizes = {name: len(raw) for name, (raw, _) in files.items()}
    assert {Path(name).suffix for name in files} == {".js", ".css", ".html", ".svg"}, ()
    assert sum(size for name, size in sizes.items() if not name.startswith("studio")) <= 148_000
    posts = sum(size for name, size in sizes.items() if name.startswith("studio-post"))
    assert posts < 32_000, "what is loaded once somebody pastes a post"
    assert sum(size for name, size in sizes.items() if name.startswith("studio")) - posts < 135_000
    for name, (raw, _) in files.items():
        text = raw.decode()
        assert not re.findall(r"innerHTML|outerHTML|insertAdjacent|document\.write|\beval\b|new Function", text), name
        assert set(re.findall(r"https?://[^\s\"'`)]+", text)) <= {"http://www.w3.org/2000/svg"}, name
    page = files["index.html"][0].decode()
    assert not re.findall(r"<script>|style=|\son\w+=", page)
    assert {name for name, _ in re.findall(r'(?:src|href)="/([\w.]+)"()', page)} <= files.keys()


# --- links -----------------------------------------------------------------------------------------------------------


def test_links_are_kept_for_their_owner_alone(tmp_path: Path) -> None:
    links, path = new_links(8052), links_file(tmp_path / "red-keep.hackjack")
    write_links(path, links)
    assert path.name == "red-keep.links" and path.stat().st_mode & 0o777 == 0o600
    assert read_links(path) == links and read_links(tmp_path / "other.links") is None
    keys = [links.key(), links.key("Bryn"), links.key("Cara"), new_links().key()]
    assert len(set(keys)) == 4 and keys[:3] == [links.key(), links.key("Bryn"), links.key("Cara")]
    assert links.secret not in "".join(keys)


def test_one_players_link_is_made_new_and_the_old_one_ends_at_once(party: Served) -> None:
    cara, bryn = party.player("Cara"), party.player("Bryn")
    with cara.following() as stream:
        next(stream)
        assert cara.ask("/api/renew", {"name": "Bryn"})[0] == 403, "this is for the game master"
        status, links, _ = party.gm.ask("/api/renew", {"name": "Cara"})
        assert status == 200 and [link["name"] for link in links] == ["Bryn", "Cara"]
        replaced = {"error": "this link was replaced by a new one: ask the game master for it"}
        assert next(stream) == ("gone", replaced)
    assert cara.ask("/api/state")[:2] == (401, replaced) and bryn.ask("/api/state")[0] == 200
    key = links[1]["url"].partition("key=")[2]
    assert Device(party.port, key).state()["name"] == "Cara"
    kept = read_links(links_file(party.path))
    assert kept and kept.key("Cara") == key, "it stays when the server starts again"
    status, told, _ = party.gm.ask("/api/renew", {"name": "Nobody"})
    assert status == 400 and told["error"] == 'there is no player "Nobody" here'


def test_somebody_who_is_renamed_keeps_their_link_and_what_befell_them(party: Served) -> None:
    bryn = party.player("Bryn")
    assert party.gm.ask("/api/settings", {"events": ["hold"], "hidden": ["Bryn"]})[0] == 200
    with bryn.following() as stream:
        next(stream)
        party.told("rename bryn Brynhild")
        name, state = next(stream)
        assert (name, state["name"]) == ("state", "Brynhild")
    assert state["log"][-1]["typed"].startswith("hit Bryn 9")
    assert party.player("Cara").state()["others"] == [], "still hidden"
    assert bryn.deed("hold", "Brynhild")[0] == 200 and bryn.state()["undo"] == "hold Brynhild"
    party.told("add Bryn")
    keys = {link["name"]: link["url"].partition("key=")[2] for link in party.gm.ask("/api/links")[1]}
    assert keys["Brynhild"] == bryn.key and len(set(keys.values())) == 3
    newcomer = Device(party.port, keys["Bryn"]).state()
    assert [each["typed"] for each in newcomer["log"]] == ["add Bryn"], "this is somebody else"
    party.told("undo 3")
    assert bryn.state()["name"] == "Bryn"


def test_names_that_are_swapped_leave_each_player_their_link(party: Served) -> None:
    bryn, cara = party.player("Bryn"), party.player("Cara")
    for words in ("bryn Xeno", "cara Bryn", "xeno Cara"):
        assert party.gm.do("rename", *words.split())[0] == 200
    assert (bryn.state()["name"], cara.state()["name"]) == ("Cara", "Bryn")


def serve(home: Path, *arguments: str, command: str = "serve") -> tuple[subprocess.Popen[str], Device]:
    """The command itself, and the game master's device."""
    server = subprocess.Popen(
        [sys.executable, "-m", "generator", command, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={**os.environ, "HACKJACK_HOME": str(home)},
    )
    assert server.stdout is not None
    link = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/\?key=([\w-]+)(?:#\w+)?\n", server.stdout.readline())
    assert link, server.stderr.read() if server.stderr else ""
    return server, Device(int(link[1]), link[2])


@pytest.mark.slow
def test_a_killed_server_loses_nothing_and_keeps_its_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HACKJACK_HOME", str(tmp_path))
    server, gm = serve(tmp_path)
    try:
        other = run("play", "glog", "--campaign", "table", "add", "Cara")
        assert 'plays "hackjack", not "glog"' in other.err, "nobody has joined, and the campaign has begun"
        assert gm.do("add", "Bryn", "hp", "7")[0] == 200
        done = gm.do("hit", "bryn", "2", id="the-hit")
    finally:
        server.send_signal(signal.SIGKILL)
        server.communicate()
    server, again = serve(tmp_path)
    try:
        assert (again.port, again.key) == (gm.port, gm.key)
        assert gm.do("hit", "bryn", "2", id="the-hit")[1]["state"] == done[1]["state"]
        assert gm.state()["people"][0]["gauges"][0]["value"] == 5
    finally:
        server.send_signal(signal.SIGTERM)
        _, said = server.communicate(timeout=10)
    assert "Traceback" not in said and server.returncode in (0, 143)
    server, new = serve(tmp_path, "--new-links")
    try:
        assert new.port == gm.port and new.key != gm.key
        assert gm.ask("/api/state")[0] == 401
        old = new.ask("/api/links")[1][0]["url"].partition("key=")[2]
    finally:
        server.send_signal(signal.SIGINT)
        server.communicate(timeout=10)
    assert server.returncode == 0
    server, again = serve(tmp_path, "--new-link", "bryn")
    try:
        assert again.key == new.key and Device(again.port, old).ask("/api/state")[0] == 401
        fresh = again.ask("/api/links")[1][0]["url"].partition("key=")[2]
        assert Device(again.port, fresh).state()["name"] == "Bryn"
    finally:
        server.send_signal(signal.SIGINT)
        server.communicate(timeout=10)


def test_a_port_that_is_taken_is_told_in_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HACKJACK_HOME", str(tmp_path))
    with listen(0, lan=False) as taken:
        port = taken.getsockname()[1]
        done = run("serve", "--port", str(port))
    assert done.code == 1 and done.out == ""
    assert done.err.startswith(f"port {port} cannot be opened")


# --- every system ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "folder", [*(ROOT / "content" / name for name in SYSTEMS), *EXAMPLES], ids=lambda path: path.name
)
def test_every_system_and_pack_has_its_page(folder: Path) -> None:
    system = load_pack(folder).system
    game, now = game_of(system), new_session(PartyTable(system, new_campaign(system)))
    if not game.SHARED:
        now = advance(now, Deed("add", "Ada")).session
    told = views.plain_game(now.table)
    assert [each["name"] for each in told["events"]] == [*game.EVENTS]
    assert [card["name"] for card in told["deck"]] == [*dict.fromkeys(game.deck())]
    shown = views.Shown(now, LogInWords())
    assert views.gm_view(shown)["role"] == "gm"
    for spec in told["events"]:
        found = views.choices(now, spec["name"], "" if game.SHARED else "Ada", [], {})
        assert {argument["name"] for argument in spec["takes"]} <= found.keys()
    if not game.SHARED:
        assert views.player_view(shown, "Ada", (), [*game.EVENTS])["name"] == "Ada"


# --- the guide -------------------------------------------------------------------------------------------------------


def test_the_guide_shows_what_machines_send(party: Served) -> None:
    guide = (ROOT / "docs" / "table.md").read_text(encoding="utf-8")
    typed, parts, asked = (json.loads(block) for block in re.findall(r"```json\n(.*?)```", guide, re.DOTALL))
    assert party.gm.send(**typed)[0] == 200
    assert party.gm.state()["on"] == parts["on"]
    assert party.gm.send(**parts)[0] == 200
    status, missing = party.gm.send(**asked)
    assert status == 202 and missing["need"]["kind"] == "card"
    assert answered(party.gm, missing, cards=["KC"])[0] == 200
    for path in re.findall(r"`(?:GET|POST) (/api/\w+)`", guide):
        assert party.gm.ask(path, method="OPTIONS")[0] == 405, f"{path} is not there"


def test_one_command_for_several_people_asks_for_each_and_is_done_once(party: Served) -> None:
    status, asked = party.gm.send(words=["hit", "all", "6"], asking=True)
    assert (status, asked["who"]) == (202, "Bryn")
    answer = {"need": asked["need"], "cards": ["2H"]}
    status, asked = party.gm.send(deed=asked["deed"], asking=True, on=asked["on"], answer=answer)
    assert (status, asked.get("who")) == (202, "Cara"), asked
    last = {"deed": asked["deed"], "on": asked["on"], "answer": {"need": asked["need"], "cards": ["2S"]}, "id": "all"}
    status, done = party.gm.send(**last)
    assert (status, [each["who"] for each in done["done"]]) == (200, ["Bryn", "Cara"])
    assert party.gm.send(**last)[0] == 200, "a known id is answered as it was"
    assert party.gm.send(words=["undo"])[1]["undone"] == "hit Bryn 6 2H; hit Cara 6 2S"
    assert party.gm.send(words=["round"])[0] == 200
    assert party.gm.send(words=["set", "bryn", "hp", "9"])[1]["state"]["hp"] == 9
    assert "belongs to the terminal" in party.gm.send(words=["export"])[1]["error"]


def test_the_game_master_corrects_an_entry_of_the_log(party: Served) -> None:
    """Without `keep` the page only says what would come out differently; luck is asked for as by the event itself."""
    party.gm.send(words=["hit", "bryn", "6", "2H"])
    party.gm.send(words=["hold", "bryn"])
    entry = party.gm.state()["log"][-2]
    assert entry["deeds"] == [{"do": "hit", "who": "Bryn", "words": ["6"], "at": {}, "cards": ["2H"], "choices": []}]
    before, other = party.gm.state()["on"], {"do": "hit", "who": "Bryn", "words": ["6"]}
    status, asked = party.gm.send(mends=entry["number"], deed=other, asking=True)
    assert (status, asked["need"]["kind"], "2H" in asked["need"]["cards"]) == (202, "card", True)
    assert party.gm.state()["asking"] == [], "a correction is no event of the table"
    sent = {"mends": entry["number"], "deed": asked["deed"], "answer": {"need": asked["need"], "cards": ["6C"]}}
    status, told = party.gm.send(id="mend", asking=True, on=before, **sent)
    assert (status, told["on"]) == (200, before), told
    assert [told[side]["says"] for side in ("before", "after")] == [
        "Bryn draws Crushed throat",
        "Bryn draws A hundred nicks",
    ]
    assert party.gm.state()["log"][-2]["cards"] == ["2H"], "nothing is changed yet"
    status, told = party.gm.send(id="mend", asking=True, on=before, keep=True, **sent)
    assert (status, told["on"]) == (200, before + 1)
    assert party.gm.state()["log"][-2]["cards"] == ["6C"]
    assert party.gm.state()["undo"]["says"] == f"the correction of entry {entry['number']}"
    status, told = party.gm.send(mends=entry["number"])
    assert (status, told["after"], told["changes"][0]["who"]) == (200, None, "Bryn")
    assert party.player("Bryn").send(mends=entry["number"])[0] == 403
    assert party.player("Bryn").state()["log"][-1]["deeds"] == []


def test_the_state_of_four_people_stays_small(tmp_path: Path) -> None:
    """Every device gets all of it after each command: faces of cards and emblems are told once, apart from it."""
    luck = random.Random(1)
    with serving(
        tmp_path, hackjack(), ["Bryn hp 7", "Cara hp 5", "Dag hp 3", "Eli hp 2"], deck="virtual", seed=3
    ) as now:
        for _ in range(40):
            who = luck.choice(["bryn", "cara", "dag", "eli"])
            typed = [f"hit {who} {luck.randint(2, 5)}", f"hold {who}", f"heal {who} 4", f"poison {who} 1", "round bryn"]
            now.gm.do(*luck.choice(typed).split())
            state = json.dumps(now.gm.state(), ensure_ascii=False, separators=(",", ":"))
            assert len(state.encode()) <= 12_000


def test_a_reply_says_whether_something_was_only_looked_up(party: Served) -> None:
    for typed in ("show", "help hit"):
        assert party.gm.do(*typed.split())[1].get("read_only") is True, typed
    status, told = party.gm.do("poison", "cara", "1")
    assert (status, "read_only" in told) == (200, False)


@pytest.mark.slow
def test_who_dies_is_told_dead_and_not_what_the_dead_no_longer_have(tmp_path: Path) -> None:
    glog = load_pack(ROOT / "content" / "glog").system
    with serving(tmp_path, glog, ["bryn hp 7"]) as served:
        for typed in ("hit bryn 12 dice 3 3 4 6 1", "round bryn 2", "hit bryn 9 dice 12"):
            assert served.gm.do(*typed.split())[0] == 200, typed
        last = served.gm.state()["log"][-1]
    assert last["moments"][0]["says"] == "Bryn dies"
    assert last["changes"] == [], "rounds spent Dying"
