"""Names with spaces, words in quotes, and odds of every event that has them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from helpers import Ran, hackjack, run, script
from hypothesis import given
from hypothesis import strategies as st

from generator import games
from generator.base.errors import UsageError
from generator.base.text_input import find_name, quoted_word, read_name, split_words
from generator.cli import completion
from generator.session import prompt
from generator.session.campaigns import campaign_file, campaigns_folder
from generator.session.journal import read_file

pytestmark = pytest.mark.usefixtures("home")


def play(*words: str) -> Ran:
    return run("play", *words)


def done(*words: str) -> list[str]:
    ran = play(*words)
    assert (ran.code, ran.err) == (0, ""), (words, ran)
    return ran.out.splitlines()


# --- words -----------------------------------------------------------------------------------------------------------


LINES = {
    "hit bryn 9": "hit|bryn|9", 'hit "Old Bryn" 9': "hit|Old Bryn|9", '  hit   "Old  Bryn"\t9 ': "hit|Old  Bryn|9",
    "hit D'Artagnan 9": "hit|D'Artagnan|9", 'note="two words" x': "note=two words|x", '"" x': "|x",
}  # fmt: skip


def test_a_line_is_split_into_words() -> None:
    assert {line: "|".join(split_words(line)) for line in LINES} == LINES
    assert split_words("") == []


def test_a_quotation_mark_without_a_partner_is_told() -> None:
    with pytest.raises(UsageError, match='a quotation mark is not closed: hit "Old Bryn 9'):
        split_words('hit "Old Bryn 9')
    ran = script('add bryn\nhit "bryn 9\nshow\n')
    assert ran.code == 2
    assert ran.faults == ['line 2: a quotation mark is not closed: hit "bryn 9']
    assert ran.out.splitlines()[-5].startswith("52 of 52")


NAMES = st.text(st.sampled_from("abcÖé'-. 9"), min_size=1, max_size=20)


@given(st.lists(NAMES, min_size=1, max_size=5))
def test_what_is_quoted_is_read_again(words: list[str]) -> None:
    assert split_words(" ".join(map(quoted_word, words))) == words


@given(NAMES)
def test_a_name_in_good_order_stays_as_it_is(typed: str) -> None:
    try:
        name = read_name(typed)
    except UsageError:
        return
    assert read_name(name) == name
    assert name == " ".join(name.split())
    assert find_name(quoted_word(name).strip('"'), [name]) == name


# --- a name with a space ---------------------------------------------------------------------------------------------


def test_a_name_with_a_space_on_the_command_line() -> None:
    assert done("add", "Old Bryn", "hp", "7")[0].startswith("Old Bryn: 7 HP")
    assert done("odds", "old b", "bleed", "3")[0] == 'bleed "Old Bryn" 3: no card is drawn'
    assert done("add", "Olga")[0].startswith("Olga: ")
    assert done("hit", "Old Bryn", "9", "KH")[-1].startswith("Old Bryn: death-score 10")
    assert done("hold", "old")[-1].endswith("holding"), "the beginning is enough"
    assert done("undo")[0] == 'Undone: hold "Old Bryn"'
    assert done("log", "1")[0] == '3. hit "Old Bryn" 9 KH'
    assert play("hit", "ol", "9").faults == ['"ol" could be Old Bryn or Olga: write more of the name']
    assert play("add", "Old  Bryn").faults == [
        '"Old  Bryn" is not a valid name for a character: single spaces stand between its words, and nowhere else'
    ]
    assert play("add", "OLD BRYN").faults == ["Old Bryn is at the table already: take another name"]


def test_a_name_with_a_space_in_a_script_and_on_a_sheet(tmp_path: Path) -> None:
    ran = script('add "Old Bryn" hp 7\nhit "Old Bryn" 9 KH\nhit "old" 1 2D\n')
    assert (ran.code, ran.err) == (0, "")
    ran = run("print", "hackjack", "sheet", "--from", "table:Old Bryn", "-o", tmp_path)
    assert ran.out.splitlines() == [str(tmp_path / "hackjack-sheet-old-bryn.pdf")]
    assert script('remove "Old Bryn"\n').out.splitlines()[-1] == "Old Bryn leaves the table."
    assert script("add Old Bryn\n").faults == ['line 1: "Bryn" is not understood: write add NAME [hp N] [max N]']


def test_completion_of_names_with_spaces() -> None:
    for name in ("Old Bryn", "Old Cara", "Ötzi the Elder", "Bo"):
        done("add", name)
    now = read_file(campaign_file("table"), hackjack())
    assert now is not None

    def completed(line: str) -> list[str]:
        """The lines that readline would make of it: what follows the last space or comma is replaced."""
        begun = line[max(line.rfind(" "), line.rfind(",")) + 1 :]
        return [line[: len(line) - len(begun)] + found for found in completion.completions(line, begun, now)]

    lines = {
        "hit O": ['hit "Old Bryn"', 'hit "Old Cara"'],
        'hit "O': ['hit "Old Bryn"', 'hit "Old Cara"'],
        'hit "Old B': ['hit "Old Bryn"'],
        'hit "old ': ['hit "old Bryn"', 'hit "old Cara"'],  # What is typed before the space stays.
        'hit "ötzi the e': ['hit "ötzi the Elder"'],
        "hit b": ["hit Bo"],
        'hit "Old Bryn" 9 cr': ['hit "Old Bryn" 9 critical'],
        'show "x': [],
        'hit "Old Bryn" 9 KH,Q': [f'hit "Old Bryn" 9 KH,{code}' for code in ("QC", "QS", "QD", "QH")],
    }
    assert {line: completed(line) for line in lines} == lines


# --- odds at the table -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "head"),
    [
        pytest.param(("9",), "hit bryn 9: ", marks=pytest.mark.slow),
        (("hit", "9"), "hit bryn 9: "),
        pytest.param(("draw",), "draw bryn: ", marks=pytest.mark.slow),
        (("poison", "3"), "poison bryn 3: no card is drawn"),
        (("bleed", "3"), "bleed bryn 3: no card is drawn"),
        (("drain", "30"), "drain bryn 30: death at once, without a card"),
    ],
)
def test_odds_of_every_event_that_has_them(words: tuple[str, ...], head: str) -> None:
    done("add", "bryn")
    done("poison", "bryn", "12")
    lines = done("odds", "bryn", *words)
    assert lines[0].startswith(head)
    assert [line.split()[0] for line in lines[1:4]] == ["die", "reset", "survive"]
    assert all(line.startswith("  death-score ") for line in lines[4:] if line.startswith(" "))
    assert "52 cards are left in the deck" in lines[4:]
    asked = words if len(words) == 2 or words == ("draw",) else ("hit", *words)
    state = json.loads(play("show", "bryn", "--json").out)["state"]
    path = campaigns_folder() / "state.json"
    path.write_text(json.dumps(state), encoding="utf-8")
    alone = run("odds", "hackjack", *asked, "--state", path)
    same = [lines[0].partition(": ")[2], *lines[1:]]
    assert alone.out.splitlines() == same, "hackjack odds says the same, counts and all"
    values = json.loads(run("odds", "hackjack", *asked, "--state", path, "--json").out)
    assert {**values, "cards": None} == {**json.loads(play("odds", "bryn", *words, "--json").out), "cards": None}


def test_every_question_is_one_that_the_table_can_ask() -> None:
    game = games.game_of(hackjack())
    assert set(game.QUESTIONS) == {"hit", "draw", "poison", "bleed", "drain"}
    assert prompt.commands(game)["odds"] == (
        "odds NAME N [critical] [hits K]",
        "the chances of hit; or of draw, poison, bleed, drain, named before the rest",
    )
    done("add", "bryn")
    for words in (("heal", "3"), ("poison",), ("hold",), ("9", "type=fire"), ("draw", "3")):
        ran = play("odds", "bryn", *words)
        assert (ran.code, ran.out, len(ran.faults)) == (2, "", 1), words


@pytest.mark.slow
def test_odds_on_the_command_line_say_which_cards_kill(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    path.write_text(json.dumps({"score": 15, "drawn": ["2C", "KD"]}), encoding="utf-8")
    first = run("odds", "hackjack", "hit", "9", "--state", path).out.splitlines()[0]
    # Every rank from 7 to King, but for the King that is out, and the six that draws another card and its score.
    assert first == "28 of 50 unseen cards kill"
    assert "unseen" not in run("odds", "hackjack", "hit", "9", "--state", path, "--json").out


def test_where_campaigns_lie_on_windows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HACKJACK_HOME")
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "Local"))
    assert campaigns_folder() == tmp_path / "Local" / "hackjack" / "campaigns"
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert campaigns_folder() == tmp_path / "data" / "hackjack" / "campaigns"


def test_a_script_may_begin_with_a_byte_order_mark_and_name_people_with_parted_accents() -> None:
    ran = script("\ufeff# a table\nadd Zoe\u0308 hp 3\nhit zo\u00eb 1\n", "--campaign", "marked")
    assert (ran.code, ran.err) == (0, "")
