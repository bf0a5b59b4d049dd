"""Short commands at the prompt: what they stand for, what is refused, and how much typing they save."""

from __future__ import annotations

import io
import json
import re
import shutil
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from helpers import ROOT, hackjack, run, script
from hypothesis import example, given, settings
from hypothesis import strategies as st

from generator.base.errors import HackjackError
from generator.cli import completion
from generator.pack.load import load_pack
from generator.pack.pack_locations import find
from generator.session import prompt, short_forms
from generator.session.campaigns import campaign_file
from generator.session.deeds import Deed
from generator.session.journal import Journal
from generator.session.party import PartyTable
from generator.session.session import Session, advance, new_campaign, new_session

NAMES = {
    "Bryn": "Bryn Oakhart",
    "Cara": "Cara Winters",
    "Old Dag": "Old Dagobert",
    "Orc": "Orcish raider",
    "Warg": "Warg of the moor",
    "Ghoul": "Ghoul of the mill",
    "Webb": "Webb Harrison",
    "Ruth": "Ruth McAllister",
    "Bandit": "Bandit leader",
    "Ann": "Ann Merryweather",
    "Bea": "Bea Longbottom",
}
"""Who fights in the recorded fights, and what they are called here: people whose whole names are long to type."""

SHORT = {
    "hackjack": """
a "Bryn Oakhart" h 7
a "Cara Winters" h 5
a "Old Dagobert"
hi b 3
hi b 9 10c di 3
hi c 8 9h
hol b
hi b 4 7ckh2s ch 2
u
r
rel b
he b 2
hi o 5 6d
u
hi o 6 3s di 2
p c 2
b b 1
dr c 3
hi b 3 5s
s
l 3
hi c 4 8c
""",
    "fiftytwo": """
i a\tdi 9 8 3 6
c ch 1
l qd7d3c2skh3djc/5hac9s10s10d6c8d/4hjs2hqc8c10hah/3h9dqs7cks8s4s/6s2c5c4d6djd9c
t o b
f
p
m
10s10d
cr o di 5 5
9c
at w di 4
u
r
f
en
""",
    "glog": """
a "Bryn Oakhart" hp 6 m 9 hd 2
a "Cara Winters" hp 4 m 8 hd 3
a "Ghoul of the mill" k m hp 7
hi g 3
hi b 4
hi b 7 l=t di 2 3 4 5
tre b
hi c 6 l=a s=l di 4
u
r
ro b
b b
t c 2 di 15
hi g 4
da b 2
w c
hea b 3
s
""",
    "deadlands": """
a "Webb Harrison" wi v d8 spi d6 shooting d10 c 3 x 47
a "Ruth McAllister" wi v d6 spi d8 c 2
a "Bandit leader" e v d6
tra w sh t=5 di 7 3
tra w sh m=-2 di 4 2 ch 1
d w 2d6 di 6 3 2
wo r 1
u
r
r r d8 di 5 2
wo w 2
r w d6 di 6 2 3
i w t d8 5c di 5
a r m Bohannon d=d8
m r b di 6
g r d8 di 7 2
lu r q+ cards kd
f w d6 8d di 5 3 ch 1
c r 1 g
day w d8 di 5 2
x r 5
s
""",
    "jackrealms": """
s "Ann Merryweather" 6
s "Bea Longbottom" 4
s 4
bet a 2
bet b 1
10d8s6s6h9h
4h
st
u
r
3c
st
9s
s 3
bet b 2
qs5s7d
u
qs9d7d
st
kc
l a
e b 5
s
""",
}
"""The recorded fights in their short forms, each line as it is typed; a tab is the tab key."""
FIGHTS = ROOT / "tests" / "fights"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HACKJACK_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    return tmp_path / "home" / "campaigns"


def done(text: str, *options: str) -> list[str]:
    ran = script(text, *options)
    assert (ran.code, ran.err) == (0, "")
    return ran.out.splitlines()


def fault(text: str, *options: str) -> str:
    """The one thing that is wrong with the last line."""
    ran = script(text, *options)
    assert ran.code in (1, 2)
    (line,) = ran.faults
    return line.split(": ", 1)[1]


def events(campaign: str = "table") -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(run("play", "--campaign", campaign, "export").out)["events"]
    return found


def logged() -> list[str]:
    return [line.split(". ", 1)[1] for line in run("play", "log", "99").out.splitlines() if line[0].isdigit()]


# --- what is saved ---------------------------------------------------------------------------------------------------


def renamed(text: str) -> str:
    """A recorded fight with long names, without its comments; a name with a space stands in quotes."""
    lines = [line for line in text.splitlines(keepends=True) if not line.startswith("#")]
    found = "".join(lines).replace('"Old Dag"', "Old Dag")
    for name, long in NAMES.items():
        found = re.sub(rf"\b{name}\b", f'"{long}"', found, flags=re.IGNORECASE)
    return found


def with_long_names(value: Any) -> Any:
    text = json.dumps(value)
    for name, long in NAMES.items():
        text = re.sub(rf'"{name}"', f'"{long}"', text)
    return json.loads(text)


@pytest.fixture
def fights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The recorded fights, where the people of the fight over cards have their long names."""
    folder = Path(shutil.copytree(FIGHTS, tmp_path / "fights"))
    people = folder / "ambushers.yaml"
    text = people.read_text(encoding="utf-8")
    for name, long in NAMES.items():
        text = re.sub(rf"(name: |\[){name}\b", rf"\1{long}", text)
    people.write_text(text, encoding="utf-8")
    monkeypatch.chdir(folder)
    return folder


@pytest.mark.parametrize("system", SHORT)
def test_a_recorded_fight_in_short_forms_ends_as_it_did(system: str, fights: Path) -> None:
    """Word for word what the full words do, and what was recorded."""
    full = renamed((fights / f"{system}.txt").read_text(encoding="utf-8"))
    # A script has no tab key: what the key completes is understood without it too.
    shorts = SHORT[system].lstrip().replace("\t", " ")
    done(full, system, "--campaign", "full")
    done(shorts, system, "--campaign", "short")
    both = [json.loads(run("play", "--campaign", name, "export").out) for name in ("full", "short")]
    for export in both:
        for event in export["events"]:
            event["words"] = [word.casefold() for word in event.get("words", ())]
        for command in export.pop("commands"):
            assert command.keys() - {"deeds"} == {"line", "id", "time"}
    assert both[0] == both[1], "journals hold full words alone"
    recorded = json.loads((fights / f"{system}.json").read_text(encoding="utf-8"))
    assert with_long_names(recorded) == {key: both[1][key] for key in recorded}


# --- what short forms stand for --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "means"),
    [
        ("hi b 9", "hit bryn 9"),
        ("b b 2", "bleed bryn 2"),
        ("ch c 4d", "check"),
        ("ho b 2", "hour bryn 2"),
        ("pois cara 2", "poison cara 2"),
        ("POIS CARA 2", "poison cara 2"),
        ("d 5", "day bryn,cara 5"),
        ("dr c 3", "drain cara 3"),
        ("a dora h 4 m 9", "add dora hp 4 max 9"),
        ("rem c", "remove cara"),
    ],
)
def test_a_beginning_is_enough_where_what_follows_tells_the_command(typed: str, means: str) -> None:
    done("add bryn hp 17\nadd cara hp 17\n")
    ran = script(f"{typed}\n")
    if means == "check":
        assert ran.faults == ["line 1: cara has no wound of 4D that a later roll ends"]
    else:
        assert logged()[-1] == means


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("hti b 9", 'there is no command "hti": did you mean "hit"?'),
        ("h br 9", '"h" may be hit, heal or hour: write more of it'),
        ("h br", '"h" may be hold or hour: write more of it'),
        ("s br", '"s" may be stand or show: write more of it'),
        ("hi br 9 4q", '"4q" is not a card'),
        ("c br 4d", "bryn has no wound of 4D that a later roll ends"),
        ("hi b 9", '"b" could be bryn or bella: write more of the name'),
        ("bryn 9", 'there is no command "bryn"; try help'),
        ("hi br 9 10c 3", '"3" is not a card'),
        ("x", 'there is no command "x"; try help'),
        ("4c", 'there is no command "4c"; try help'),
    ],
)
def test_what_can_mean_several_things_or_none_is_refused(typed: str, says: str) -> None:
    done("add bryn\nadd bella\n")
    assert fault(f"{typed}\n").startswith(says)
    assert len(events()) == 2


def test_u_r_and_s_alone_are_undo_redo_and_show_in_every_game() -> None:
    done("add bryn\nhi br 3 4c\nu\n")
    assert len(events()) == 1
    done("r\n")
    assert done("s\n")[0] == "bryn: death-score 4, Blood 0, Trauma 1"
    assert done("round br\n")


def test_nobody_is_called_what_introduces_luck() -> None:
    done("add bryn\n")
    assert fault("add Dice\n") == '"Dice" would be taken for the word dice: take another name'
    done("add Hit\nhi hit 2 4c\n")
    assert logged()[-1] == "hit Hit 2 4C"


def test_a_journal_in_which_somebody_has_the_name_of_a_command_is_replayed() -> None:
    Journal(campaign_file("table"), hackjack(), new_campaign(hackjack())).do(Deed("add", "Hit"))
    assert done("hit hit 3 4c\n")[-1] == "Hit: death-score 4, Blood 0, Trauma 1"
    assert done("undo\nhi hi 3 4c\n")[-1] == "Hit: death-score 4, Blood 0, Trauma 1"


def test_single_commands_take_their_words_short_too() -> None:
    done("add bryn hp 7\n")
    assert run("play", "hit", "b", "3", "crit").code == 0
    assert logged()[-1] == "hit bryn 3 critical"


@pytest.mark.parametrize("typed", ["10\u2663", "c10", "10c", "\u266310", "C10"])
def test_a_card_may_be_typed_in_any_way(typed: str) -> None:
    done("add bryn\n")
    done(f"hi b 9 {typed} di 3\n")
    assert logged()[-1] == "hit bryn 9 10C dice 3"


def test_a_card_a_die_and_a_name_stay_what_they_are() -> None:
    done("add c\nadd c9\nadd dag\n")
    done("hi c9 1 4c\n")
    assert logged()[-1] == "hit c9 1 4C", "the whole is somebody's name"
    assert fault("hi dag 2 d6\n").startswith('"d6" is a die: write dice and the face that it shows')
    done("hi dag 2 c6\n")
    assert logged()[-1] == "hit dag 2 6C"
    done("add Webb wild vigor d8\ntra w v di 5 1\nd w 2d6 di 3 4\n", "deadlands", "--campaign", "west")
    said = [(each["do"], each["words"]) for each in events("west")]
    assert said[1:] == [("trait", ["vigor"]), ("damage", ["2d6"])]


def test_a_word_that_is_the_beginning_of_another_wins() -> None:
    done("add Webb\nwo w 1\n", "deadlands")
    assert logged()[-1] == "wound Webb 1"


def test_a_line_without_end_is_refused_at_once() -> None:
    done("add bryn\n")
    assert fault("hi b 9 " + "4c " * 500 + "\n") == "503 words are too many"
    assert fault("hi b 9 " + "4c" * 500 + "\n").endswith("is not a card: write AC, 10H, QS, RJ")
    assert fault("hi b 9 4c di " + "9" * 5000 + "\n").startswith("dice takes ")


# --- moves of the 52-card engine -------------------------------------------------------------------------------------


@pytest.fixture
def fight(fights: Path) -> None:  # noqa: ARG001 - the file of the combatants lies there
    """A fight in which Bryn is the next to act."""
    done("".join(SHORT["fiftytwo"].lstrip().splitlines(keepends=True)[:3]).replace("\t", " "), "fiftytwo")


@pytest.mark.usefixtures("fight")
def test_cards_alone_are_taken_from_the_field() -> None:
    done("9c\n")
    assert logged()[-1] == "act take 9C"
    assert fault("9d qs\n") == "9D and QS are not a pair: choose two cards of one rank"


@pytest.mark.usefixtures("fight")
def test_a_field_may_be_typed_without_spaces() -> None:
    assert events()[-1]["words"][:9] == ["QD", "7D", "3C", "2S", "KH", "3D", "JC", "/", "5H"]


# --- whatever is typed -----------------------------------------------------------------------------------------------

_TYPED = st.sampled_from([
    "a", "ad", "act", "b", "bryn", "c", "choose", "critical", "dice", "d", "e", "h", "hit",
    "hol", "l", "m", "o", "pair", "p", "r", "s", "sh", "t", "u", "x", "3",
    "55", "-1", "0", "4c", "7ckh2s", "10♣", "10s10d", "d6", "/", "=", "t=5", "type=", "cards",
    "help", "log", "odds", "orc", "add", "2d6", "q+", "💀", "999999999999",
])  # fmt: skip


@pytest.mark.parametrize("system", SHORT)
@given(typed=st.lists(_TYPED, min_size=1, max_size=7))
@example(typed=["odds", "c", "a", "a"])
@example(typed=["act", "attack", "t=5", "t=5", "a"])
@settings(max_examples=60, deadline=None)
def test_whatever_is_typed_is_read_or_refused_in_a_sentence(system: str, typed: list[str]) -> None:
    now = _tables()[system]
    try:
        line = short_forms.read_line(typed, now)
        assert line.name in prompt.commands(now.table.game)
    except HackjackError as error:
        assert str(error)
    for begun in ("", typed[-1]):
        assert all(completion.completions(f"{' '.join(typed[:-1])} {begun}", begun, now))


@cache
def _tables() -> dict[str, Session]:
    """A table of each system with somebody at it."""
    found = {}
    for system in SHORT:
        loaded = load_pack(find(system)).system
        now = new_session(PartyTable(loaded, new_campaign(loaded)))
        joining = {
            "fiftytwo": [f"initiative {ROOT}/content/fiftytwo/combatants.yaml dice" + " 5" * 9, "lay 10S 10D / 4C 5H"],
            "jackrealms": ["sit Orcan 6", "sit Bryn 4", "scene 4"],
        }.get(system, ["add Bryn", "add Orcan"])
        for text in joining:
            line = short_forms.read_line(text.split(), now)
            now = advance(now, prompt.read_deed(line.name, line.words, now.table, now.party)).session
        found[system] = now
    return found


# --- the guide -------------------------------------------------------------------------------------------------------


def test_the_guide_shows_what_short_forms_do() -> None:
    guide = (ROOT / "docs" / "play.md").read_text(encoding="utf-8").partition("## Fewer keys")[2].partition("\n## ")[0]
    blocks = re.findall(r"^```text\n(> .*?)^```", guide, re.M | re.S)
    assert blocks
    for block in blocks:
        for part in re.split(r"^> ", block, flags=re.M)[1:]:
            typed, *shown = part.splitlines()
            ran = script(f"{typed}\n")
            assert [*ran.out.splitlines(), *(line.removeprefix("line 1: ") for line in ran.faults)] == shown
