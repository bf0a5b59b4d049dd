"""What a player's link must never be told: foes, notes, cards that were looked at, what befell others."""

from __future__ import annotations

import http.client
import json
import random
import re
import socket
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from helpers import fiftytwo, hackjack, lines_of_campaign, write_campaign
from served import Device, Served, serving

from generator.base.errors import HackjackError
from generator.base.text_input import split_words
from generator.games import game_of
from generator.pack.load import load_pack
from generator.pack.pack_locations import find
from generator.serve.log_words import LogInWords
from generator.serve.table import encode_json
from generator.serve.untold import mentions
from generator.serve.views import Shown, gm_view, player_view
from generator.session import prompt
from generator.session.party import TABLE, PartyTable, plain_people
from generator.session.session import Session, advance, new_campaign, new_session


@dataclass
class Ears:
    """A player's device that keeps everything it is ever told, by its stream and by its answers."""

    device: Device
    heard: list[str] = field(default_factory=list)

    def ask(self, path: str, body: Any = None) -> tuple[int, Any]:
        """A request whose answer is kept."""
        status, told, headers = self.device.ask(path, body)
        self.heard.append(f"{json.dumps(told, ensure_ascii=False)} {headers}")
        return status, told

    def send(self, **body: Any) -> tuple[int, Any]:
        """A command whose answer is kept."""
        return self.ask("/api/do", {"id": f"probe-{len(self.heard)}", **body})

    @contextmanager
    def listening(self) -> Iterator[None]:
        """The stream is kept too, for as long as the block runs."""
        connection = http.client.HTTPConnection("127.0.0.1", self.device.port, timeout=20)
        connection.request("GET", f"/api/events?key={self.device.key}")
        line, answer = connection.sock, connection.getresponse()

        def read() -> None:
            for told in answer:
                self.heard.append(json.dumps(json.loads(told[6:]), ensure_ascii=False) if told[:5] == b"data:" else "")

        reader = threading.Thread(target=read, daemon=True)
        reader.start()
        try:
            yield
        finally:
            on = self.device.state()["on"]
            until = time.monotonic() + 5
            while not any(f'"on": {on},' in text for text in self.heard[-5:]) and time.monotonic() < until:
                time.sleep(0.01)
            line.shutdown(socket.SHUT_RDWR)
            reader.join()
            answer.close()
            connection.close()

    def said(self, secrets: tuple[str, ...]) -> list[str]:
        """What of it has one of these words."""
        return [text[:400] for text in self.heard if any(word.casefold() in text.casefold() for word in secrets)]


FOES = ("Zorblax", "O'Grim the 2nd", "Ümlaut-Kin", "Evans", "Enda")
SECRETS = (*FOES, "plum-coloured", "Alice")
PROBES = ((), ("Zorblak",), ("Ümlaut", "4"), ("Alphonse", "Zorblak"), ("attack", "zo"), ("attack", "O'Grim"))
FIELD = "3D 2S 9C 4H 7D / 6C 7C 7H JS 5D / QS 2H 8S 10H 5C"


@pytest.fixture
def fight(tmp_path: Path) -> Iterator[Served]:
    """A fight of allies with foes of odd names, in which players may do whatever there is; Alice is hidden."""
    with serving(tmp_path, fiftytwo()) as served:
        foes = (f'join "{name}" hp=20 side=enemies armour=chain damage=slashing' for name in FOES[:3])
        order = "initiative dice 6 10 4 8 5 8 5 7 7 1 3 9"
        note = "note Alphonse is watched by Evans with a plum-coloured key"
        for typed in ("enter everybody", *foes, order, f"lay {FIELD}", note):
            status, told = served.gm.do(*split_words(typed))
            assert status == 200, told
        events = [*game_of(fiftytwo()).EVENTS]
        assert served.gm.ask("/api/settings", {"events": events, "hidden": ["Alice"]})[0] == 200
        yield served


def test_whatever_a_player_sends_no_foe_is_named(fight: Served) -> None:
    ears = Ears(fight.player("Alphonse"))
    with ears.listening():
        for path in ("state", "game", "links", "odds", "nothing"):
            ears.ask(f"/api/{path}")
        refused: set[int] = set()
        for event in game_of(fiftytwo()).EVENTS:
            for words in PROBES:
                refused.add(ears.ask("/api/choices", {"do": event, "words": words})[0])
                refused.add(ears.send(deed={"do": event, "words": words}, asking=True)[0])
            refused.add(ears.send(words=[event, "Zorblak"])[0])
        for typed in ("zor", "evan", "alis", "log", "chronicle", "note x", "set Evan hp 2", "why", "undo", "mend 3"):
            assert ears.send(words=typed.split())[0] in (400, 403), typed
    assert {200, 400, 403, 422} <= refused, "the rules have been asked, and have answered"
    assert ears.said(SECRETS) == []
    fight.told("show")


def test_a_players_turn_among_foes_is_told_without_them(fight: Served) -> None:
    ears = Ears(fight.player("Alphonse"))
    with ears.listening():
        assert ears.send(deed={"do": "turn", "words": ["Alphonse"]})[0] == 200
        assert ears.send(deed={"do": "act", "words": ["pair", "7C", "7H"]})[0] == 200
        status, asked = ears.send(deed={"do": "act", "words": ["critical", "Evans"]}, asking=True)
        while status == 202:
            answer = {"need": asked["need"], "dice": [1] * asked["need"]["count"]}
            status, asked = ears.send(deed=asked["deed"], asking=True, on=asked["on"], answer=answer)
        assert status == 200
        assert ears.send(deed={"do": "end"})[0] == 200
        state = fight.gm.state()
        assert "Evans" in json.dumps(state["log"]), "the game master hears of it"
        own = ears.ask("/api/state")[1]
        assert any(line["text"].startswith("7 of clubs") for each in own["log"] for line in each["lines"])
        assert [each["typed"] for each in own["log"]][-2:] == ["act", "end"]
        assert own["undo"] == "end"
    heard = [text for text in ears.said(SECRETS) if '"critical", "Evans"' not in text]
    assert heard == [], "but for the deed that the player sent"


def test_a_foe_under_a_new_name_is_still_not_told(fight: Served) -> None:
    ears = Ears(fight.player("Alphonse"))
    for deed in ({"do": "turn", "words": ["Alphonse"]}, {"do": "end"}):
        assert ears.send(deed=deed)[0] == 200
    fight.told("rename Evans Quibble")
    ears.ask("/api/state")
    assert ears.said((*SECRETS, "Quibble")) == []


def test_others_are_not_told_by_what_comes_too_late_or_twice(tmp_path: Path) -> None:
    with serving(tmp_path, hackjack(), ["Bryn hp 7", "Cara hp 5"]) as served:
        ears = Ears(served.player("Bryn"))
        on = served.gm.state()["on"]
        assert served.gm.do("poison", "cara", "2", id="first")[0] == 200
        served.told("note Bryn owes the smith")
        assert served.gm.ask("/api/settings", {"events": ["hit", "hold"], "hidden": ["Cara"]})[0] == 200
        hit = {"do": "hit", "who": "Bryn", "words": ["9"], "cards": ["2S"]}
        status, told = ears.send(deed=hit, on=on)
        assert (status, told["error"].split(":")[0]) == (409, "others have played in the meantime")
        status, told = ears.send(deed={"do": "hold", "who": "Bryn"}, id="first")
        assert status == 422 and "used for another command" in told["error"]
        for who in ("Cara", "Cora", "all"):
            assert ears.send(deed={"do": "hold", "who": who})[0] == 403
            assert ears.send(words=["hold", who])[0] in (400, 403)
        assert ears.said(("Cara", "poison", "smith")) == []


def test_a_card_that_was_looked_at_is_not_asked_for_nor_told(tmp_path: Path) -> None:
    seed = next(seed for seed in range(500) if new_campaign(hackjack(), "virtual", seed).order[0] == "AH")
    following = new_campaign(hackjack(), "virtual", seed).order[1]
    with serving(tmp_path, hackjack(), ["Bryn hp 1"], deck="virtual", seed=seed) as served:
        assert served.gm.ask("/api/settings", {"events": ["hit"]})[0] == 200
        ears = Ears(served.player("Bryn"))
        with ears.listening():
            status, done = ears.send(deed={"do": "hit", "who": "Bryn", "words": ["3"]}, asking=True)
            assert status == 200 and done["lines"]
            state = ears.ask("/api/state")[1]
        assert "AH" in json.dumps(state)
        for device in (served.gm, served.player("Bryn")):
            for path in ("state", "game"):
                told = json.dumps(device.ask(f"/api/{path}")[1])
                assert not {"order", "seed"} & {*re.findall(r'"(\w+)":', told)}
        assert hackjack().cards[following].name in json.dumps(served.gm.state()["log"])
        assert ears.said((hackjack().cards[following].name, f'"{following}"')) == [
            text for text in ears.heard if '"deck"' in text
        ]


def test_trouble_with_the_journal_is_told_to_players_without_its_lines(fight: Served) -> None:
    ears = Ears(fight.player("Alphonse"))
    lines = [json.dumps(line).encode() for line in lines_of_campaign(fight.path)]
    write_campaign(fight.path, *lines[:3], b'{"Evans": "plum-coloured"}', *lines[4:])
    with ears.listening():
        assert ears.send(deed={"do": "turn", "words": ["Alphonse"]})[0] == 422
        ears.ask("/api/state")
    assert str(fight.path.parent) not in "".join(ears.heard)
    assert ears.said(SECRETS) == []


def test_a_name_is_found_as_a_word_and_in_any_case() -> None:
    names = {"O'Grim the 2nd", "Ed", "Ümlaut-Kin"}
    for text in ('did you mean "ed"?', "Ed's turn", "the o'grim the 2nd", "ÜMLAUT-KIN"):
        assert mentions(text, names), text
    for text in ("moved", "Edda", "nobody here", ""):
        assert not mentions(text, names), text


# --- what is likely, what has happened, and whose turn it is ----------------------------------------------------------


def in_play(seed: int) -> Iterator[Session]:
    """A fight of the 52 engine, with whatever may happen by whomever, a foe among them: after each command."""
    luck, table = random.Random(seed), PartyTable(fiftytwo(), new_campaign(fiftytwo(), "virtual", seed))
    now = new_session(table)
    for typed in ("enter everybody", "initiative", "columns choose 3", "deal"):
        now = advance(now, prompt.read_deed(typed.split()[0], typed.split()[1:], table, now.party)).session
    names = [name for name in people(now) if name != "Alice"]
    for _ in range(80):
        acting = table.game.acting(table.game.plain_state(now.party.state(TABLE)))
        who, whom = acting or luck.choice(names), luck.choice(names)
        board = table.game.board(table.game.plain_state(now.party.state(TABLE)))
        taps = [tap.words for tap in (*board.commands, *board.moves) if not tap.strikes] if board else []
        deeds: list[Sequence[str]] = [
            *luck.sample(taps, min(6, len(taps))), ("act", "attack", "somebody"), ("hurt", whom, "3", f"by={who}"),
            ("act", "spell"), ("reflex", whom), ("opportunity", who, whom), ("heal", whom, "5"), ("end",), ("turn",),
        ]  # fmt: skip
        for words in luck.sample(deeds, len(deeds)):
            try:
                now = advance(now, prompt.read_deed(words[0], words[1:], table, now.party)).session
            except HackjackError:
                continue
            break
        yield now


def people(now: Session) -> Any:
    """Everybody by name."""
    return plain_people(now.table.game, now.party)


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (1, 2, 3))])
def test_with_foes_in_every_place_no_field_of_a_phone_names_one(seed: int) -> None:
    hidden, log, heard = ("Alice",), LogInWords(), set[str]()
    foes = {name for name in people(next(in_play(seed))) if name.startswith("E")}
    for now in in_play(seed):
        shown = Shown(now, log)
        told = encode_json(gm_view(shown)).decode()
        heard |= {name for name in foes if name in told}
        for name in ("Alphonse", "Alan", "Able"):
            events = [*now.table.game.EVENTS]
            view = encode_json(player_view(shown, name, hidden, events)).decode()
            assert not mentions(view, {*foes, "Alice"}), (name, view)
    assert heard == foes, "the game master hears of all of them"


def test_what_is_asked_of_one_is_told_to_the_game_master_alone(fight: Served) -> None:
    alphonse, alan = fight.player("Alphonse"), fight.player("Alan")
    assert alphonse.deed("turn", "", "Alphonse")[0] == 200
    assert alphonse.deed("act", "", "pair", "7C", "7H")[0] == 200
    status, _ = alphonse.send(id="aim", deed={"do": "act", "words": ["critical", "somebody"]}, asking=True)
    assert status == 200
    (wish,) = fight.gm.state()["wishes"]
    assert wish["who"] == "Alphonse" and {tap["words"][2] for tap in wish["can"]} >= {"Evans"}
    for player in (alphonse, alan):
        state = player.state()
        assert not {"asking", "wishes", "people", "characters", "state"} & state.keys()
        assert not mentions(json.dumps(state), set(FOES))
    assert fight.gm.deed(*wish["can"][0]["words"][:1], "", *wish["can"][0]["words"][1:])[0] == 200, "one touch"
    assert fight.gm.state()["wishes"] == []


def test_an_open_question_is_seen_by_the_game_master_until_it_is_answered_or_given_up(tmp_path: Path) -> None:
    with serving(tmp_path, hackjack(), ["Bryn hp 2", "Cara hp 5"]) as served:
        bryn = served.player("Bryn")
        assert served.gm.ask("/api/settings", {"events": ["hit"]})[0] == 200
        hit = {"do": "hit", "who": "Bryn", "words": ["9"]}
        status, asked = bryn.send(id="q1", deed=hit, asking=True)
        assert status == 202
        (seen,) = served.gm.state()["asking"]
        assert seen == {"id": "q1", "who": "Bryn", "do": "hit", "says": "Bryn draws a card"}
        assert "asking" not in served.player("Cara").state()
        assert served.player("Cara").ask("/api/cancel", {"id": "q1"})[0] == 200
        assert served.gm.state()["asking"], "only who was asked gives it up"
        answer = {"need": asked["need"], "cards": ["6C"]}
        assert bryn.send(id="q1", deed=asked["deed"], asking=True, on=asked["on"], answer=answer)[0] == 200
        assert served.gm.state()["asking"] == []
        assert bryn.send(id="q2", deed=hit, asking=True)[0] == 202
        assert bryn.ask("/api/cancel", {"id": "q2"})[0] == 200 and served.gm.state()["asking"] == []


def test_the_dead_leave_one_note_and_nobody_else_does(tmp_path: Path) -> None:
    with serving(tmp_path, hackjack(), ["Bryn hp 7", "Cara hp 5"]) as served:
        bryn, cara = served.player("Bryn"), served.player("Cara")
        assert bryn.state()["last_words"] == "" and bryn.do("note", "I live")[0] == 403
        served.told("drain bryn 40")
        assert (bryn.state()["last_words"], cara.state()["last_words"]) == ("open", "")
        assert cara.do("note", "For Bryn")[0] == 403
        assert bryn.do("note", "Cara Tell my brother", id="last")[0] == 200
        assert bryn.state()["last_words"] == "said" and bryn.do("note", "More")[0] == 403
        assert bryn.do("note", "Cara Tell my brother", id="last")[0] == 200, "sent again it is not done again"
        (said,) = [one for each in served.gm.state()["log"] for one in each["moments"] if "last words" in one["says"]]
        assert said["says"] == "The last words of Bryn: “Cara Tell my brother”"
        assert "brother" in json.dumps(bryn.state()) and "brother" not in json.dumps(cara.state())


def test_who_is_down_is_not_dead_and_the_others_are_told_so(fight: Served) -> None:
    fight.told("hurt Able 500")
    able, alphonse = fight.player("Able").state(), fight.player("Alphonse").state()
    assert able["alive"] and able["last_words"] == "", "healing brings them back"
    assert [each["says"] for each in alphonse["others"] if not each["alive"]] == ["down"]


def test_whoever_helps_reads_what_came_of_it_and_nobody_else_does(tmp_path: Path) -> None:
    with serving(tmp_path, load_pack(find("deadlands")).system, ["Ada vigor d6", "Webb", "Cole"]) as served:
        served.told("wound ada 4", "incapacitation ada vigor 8S dice 2 3")
        webb, cole = served.player("Webb"), served.player("Cole")
        assert webb.send(id="aid", deed={"do": "heal", "who": "Ada", "words": ["d6"], "dice": [4, 2]})[0] == 200
        (last,) = (each for each in webb.state()["log"] if each["moments"][0]["says"] != "You join")
        assert [one["says"] for one in last["moments"]] == ["Ada bleeds no more", "Ada rolls 4 against 4: a success"]
        assert "bleeds" not in json.dumps(cole.state())
