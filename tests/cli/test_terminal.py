"""The prompt on a terminal: colour, wrapped lines, questions in which one may ask back, completion, help."""

from __future__ import annotations

import builtins
import fcntl
import io
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import get_args

import pytest
from helpers import ROOT, Ran, kinds_of, run

from generator.cli import asking, completion, terminal
from generator.games import game_of
from generator.games.face import AnyGame
from generator.pack.load import load_pack
from generator.pack.pack_locations import find, shipped
from generator.play.chance import CardNeed, ChoiceNeed
from generator.session import help_text, prompt
from generator.session.campaigns import campaign_file
from generator.session.journal import read_file

RED, BOLD, RESET = "\x1b[31m", "\x1b[1m", "\x1b[0m"
SHIPPED = shipped()


pytestmark = pytest.mark.usefixtures("home")


def game(name: str) -> AnyGame:
    return game_of(load_pack(find(name)).system)


# --- what a line looks like ------------------------------------------------------------------------------------------


def test_cards_are_bold_and_red_ones_red_and_a_death_is_red_as_a_whole() -> None:
    assert terminal.styled("Drawn: QH, then 10S.", None, coloured=True) == (
        f"Drawn: {RED}{BOLD}QH{RESET}, then {BOLD}10S{RESET}."
    )
    assert terminal.styled("Drawn: QH.", "card", coloured=True).startswith(f"{BOLD}Drawn: {RESET}{RED}")
    assert terminal.styled("dead", "death", coloured=True) == f"\x1b[91m{BOLD}dead{RESET}"
    for mark in (None, "card", "death"):
        assert terminal.styled("Drawn: QH.", mark, coloured=False) == "Drawn: QH."
    assert terminal.styled("H10: ASIDE 3.5 ACE", None, coloured=True) == "H10: ASIDE 3.5 ACE"


def test_lines_are_broken_between_words_and_nothing_is_lost() -> None:
    line = "    7S  The next wound lowers your maximum HP by as much as it has drawn, for good, and nobody can heal it."
    for width in (24, 40, 79, 200):
        lines = terminal.wrapped(line, width)
        assert all(len(part) < width for part in lines)
        assert " ".join(lines).split() == line.split()
        assert lines[0].startswith("    7S")
        assert all(part.startswith("      ") for part in lines[1:])
    assert terminal.wrapped("", 80) == [""]
    table = "   5   QD  7D  3C   .   .  3D  JC"
    assert terminal.wrapped(table, 20) == [table], "a picture stays as it is"
    assert terminal.wrapped("a\x1b[2Jb", 80) == ["a\\x1b[2Jb"]


@pytest.mark.parametrize("name", SHIPPED)
def test_what_stands_out_can_happen(name: str) -> None:
    """The facts that a game marks are facts of its log."""
    played = game(name)
    log = import_module(f"{type(played).__module__.removesuffix('.game')}.log")
    unions = [value for key, value in vars(log).items() if key.endswith("Fact") and get_args(value)]
    assert {*played.DEATHS, *played.DRAWS} <= set().union(*map(kinds_of, unions))


# --- a real terminal -------------------------------------------------------------------------------------------------


class Screen:
    """A terminal of a given width with `hackjack play` in it."""

    def __init__(self, columns: int, **environment: str) -> None:
        self._ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        known = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "COLUMNS", "LINES")}
        self._child = subprocess.Popen(
            [sys.executable, "-m", "generator", "play"],
            cwd=ROOT,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env={**known, "TERM": "xterm-256color", "INPUTRC": os.devnull, **environment},
            start_new_session=True,
        )
        os.close(theirs)

    def until(self, text: str) -> str:
        """What is shown until a text comes."""
        seen, end = "", time.monotonic() + 20
        while text not in seen:
            ready, _, _ = select.select([self._ours], [], [], max(0, end - time.monotonic()))
            assert ready, f"waited for {text!r}, saw {seen!r}"
            seen += os.read(self._ours, 4096).decode("utf-8", "replace")
        return seen

    def typed(self, line: str, until: str) -> str:
        os.write(self._ours, f"{line}\n".encode())
        return self.until(until)

    def close(self) -> None:
        self._child.kill()
        self._child.wait()
        os.close(self._ours)


@pytest.fixture
def screen() -> Iterator[Callable[..., Screen]]:
    opened: list[Screen] = []

    def made(columns: int = 60, **environment: str) -> Screen:
        opened.append(Screen(columns, **environment))
        opened[-1].until("> ")
        return opened[-1]

    yield made
    for each in opened:
        each.close()


def test_a_terminal_shows_weight_and_colour_completes_names_and_breaks_lines(screen: Callable[..., Screen]) -> None:
    shown = screen()
    shown.typed('add "Old Bryn"', "Trauma 0")
    seen = shown.typed("hit ol\t9 9h", "Trauma 2")
    assert f"{RED}{BOLD}9H{RESET}" in seen and f"{BOLD}Drawn: " in seen
    assert "\x1b[91m" in shown.typed('poison "old b\t15', "over 21: dead")
    shown.typed("help day", "days pass")
    text = re.sub(r"\x1b\[[0-9;?]*[a-z]", "", shown.typed("help", "are written"))
    lines = [line.rstrip("\r") for line in text.splitlines()]
    assert max(map(len, lines)) < 60
    assert "    hit draw heal face check round hour day week rest" in lines


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_who_wants_no_colour_gets_none(environment: dict[str, str], screen: Callable[..., Screen]) -> None:
    shown = screen(**environment)
    shown.typed("a bryn", "Trauma 0")
    seen = shown.typed("hit b 50 9h", "dead")
    assert "\x1b[9" not in seen and "\x1b[1m" not in seen and "\x1b[3" not in seen


def test_a_pipe_gets_plain_lines_however_long() -> None:
    run("play", "add", "bryn")
    assert "\x1b" not in run("play", "hit", "bryn", "5", "9H").out
    assert run("play", "help").out.count("\n") < 24


# --- inside a question -----------------------------------------------------------------------------------------------


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def at_prompt(monkeypatch: pytest.MonkeyPatch, *lines: str, options: tuple[str, ...] = ()) -> tuple[Ran, list[str]]:
    """What is shown where these lines are typed, and the questions."""
    asked: list[str] = []
    waiting = iter(lines)

    def answer(question: str = "") -> str:
        asked.append(question)
        return next(waiting, "quit")

    with monkeypatch.context() as patch:
        patch.setattr(builtins, "input", answer)
        patch.setattr(sys, "stdin", Terminal())
        return run("play", *options), [question for question in asked if question != "> "]


def test_a_question_explains_itself_and_shows_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    ran, asked = at_prompt(monkeypatch, "add bryn hp 3", "hit b 5", "?", "show", "10c", "?", "4", "quit")
    assert asked == ["which card was drawn? (QS) "] * 3 + ["roll d4 (Blood of 10C): "] * 2
    assert "A card is drawn. Type the one that the table drew, such as QS." in ran.out
    assert "d4 is rolled for this: Blood of 10C. Type what each die shows, from 1 to 4." in ran.out
    assert "bryn: 3 HP, death-score 0, Blood 0, Trauma 0\n52 of 52 cards" in ran.out
    assert ran.out.count("back takes the last answer back, cancel the whole command") == 2
    assert "bryn: death-score 10, Blood 4, Trauma 0" in ran.out


def test_back_in_a_question_takes_the_last_answer_back(monkeypatch: pytest.MonkeyPatch) -> None:
    ran, asked = at_prompt(monkeypatch, "add bryn", "hit b 5", "10c", "back", "9s", "5 3", "log", "quit")
    assert [question.split(" (")[0] for question in asked] == [
        "which card was drawn?",
        "roll d4",
        "which card was drawn?",
        "roll 2d6",
    ]
    assert "hit bryn 5 9S dice 5 3" in ran.out
    assert "10C" not in ran.out.split("log")[-1].split("hit bryn 5 9S")[-1]
    assert "Drawn: 9S" in ran.out, "what changes is said again"


def test_what_it_comes_to_stands_first_and_next_says_what_follows(monkeypatch: pytest.MonkeyPatch) -> None:
    ran, _ = at_prompt(monkeypatch, "add bryn hp 3", "hit b 5", "6c", "next", "drain b 40", "next", "quit")
    lines = ran.out.splitlines()
    assert lines.index("Bryn draws A hundred nicks.") < lines.index("1 Blood into the pool: it holds 1.")
    assert "    hold bryn        Hold your wounds" in lines and "    round all        The round is over" in lines
    head = lines.index("Bryn dies. The death-score is 46, over 21.")
    assert lines[head + 1].startswith("A death-score of 46 is over 21") or "46" in lines[head + 1]


def test_a_question_says_what_it_is_asked_after_and_makes_other_commands_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    ran, asked = at_prompt(monkeypatch, "add bryn", "hit b 3", "7c", "round", "kh", "3h", "2", "show b", "4", "quit")
    assert asked == [
        "which card was drawn? (QS) ",
        *["after 7C: which card was drawn? (QS) "] * 2,
        "after KH: which card was drawn? (QS) ",
        "choose 1 to 2: ",
        *["roll d12 (Gut punch: how many hours): "] * 2,
    ]
    waits = '"hit bryn 3 7C" waits for a card: answer first, or type back or cancel'
    assert ran.faults == [waits, waits.replace("7C", "7C KH 3H choose 2").replace("a card", "a roll")]
    assert "draws See it coming" not in ran.out, "what was told before the questions is no headline after them"


def test_next_tells_the_moves_of_a_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = ["enter everybody", "initiative", "columns", "3", "deal", "next", "turn", "next", "quit"]
    ran, _ = at_prompt(monkeypatch, *lines, options=("fiftytwo", "--deck", "virtual", "--seed", "5"))
    (before, turn) = ran.out.split("20 seconds a decision.")
    assert "Next: turn       Alan is next: begin the turn\n" in before
    told = [line for line in turn.splitlines() if line.startswith("    act ")]
    assert told[0] == "    act pair 2H 2C   Take the pair 2 of hearts and 2 of clubs: 1 point, opens a critical attack"
    assert len(told) == 7 and turn.count("\n    end ") == 1


@pytest.mark.parametrize("word", ["cancel", "CANCEL", "back", "undo", ""])
def test_a_command_is_taken_back_from_inside_its_question(word: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ran, asked = at_prompt(monkeypatch, "add bryn", "hit b 5", word, "show b", "quit")
    assert len(asked) == 1
    assert "Nothing happened.\nbryn: death-score 0" in ran.out


def test_a_choice_is_numbered_and_may_be_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    ran, asked = at_prompt(monkeypatch, "add bryn", "hit b 3 7c kh 2h", "?", "7", "2", "quit")
    assert asked == ["choose 1 to 2: "] * 3
    options = "  1  Ruin within     Blood 6; Trauma 6\n  2  Crushed throat  mute until rested"
    assert ran.out.count(options) == 3, "and asked again after a fault"
    assert "You choose. Type the number in front of an option, or its name." in ran.out
    assert ran.faults == ["choice 7: write a number from 1 to 2"]
    assert "Chosen: " in ran.out


def test_the_tab_key_answers_questions() -> None:
    tab = completion.TabKey(lambda: pytest.fail("no command is completed in a question"))
    with tab.answering(asking.possible_answers(CardNeed(), ["QS", "QH", "2C"])):
        assert tab.completed("q", "q") == ["QS", "QH"]
        assert tab.completed("QS s", "s") == ["show"]
    with tab.answering(asking.possible_answers(ChoiceNeed(("keep it", "a Fate Chip")), [])):
        assert tab.completed("a", "a") == ["a Fate Chip"]


# --- help ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SHIPPED)
def test_help_fits_a_screen_names_every_command_and_its_examples_can_be_typed(name: str) -> None:
    """Each is read as the event that it is an example of; what stands in capitals is for words of one's own."""
    played = game(name)
    lines = help_text.overview(played)
    assert len(lines) <= 23, "a line is left for the prompt"
    assert max(map(len, lines)) <= 79
    assert set(prompt.commands(played)) <= set(" ".join(lines).split())
    for event, spec in played.EVENTS.items():
        words = help_text.example(spec, played).split()
        said = [word.lower() if re.fullmatch("[A-Z]{3,}", word) else word for word in words]
        assert said[0] == event
        if event != "initiative":
            played.read_event((event, *said[1 if played.SHARED else 2 :]), {})


# --- the tab key -----------------------------------------------------------------------------------------------------


def test_libedit_is_told_in_its_own_words() -> None:
    imported = "Importing this module enables command line editing using {} readline."
    assert completion.binding(imported.format("libedit")) == "bind ^I rl_complete"
    assert completion.binding(imported.format("GNU")) == "tab: complete"


def completed(line: str, system: str = "hackjack", campaign: str = "table") -> list[str]:
    loaded = load_pack(find(system)).system
    now = read_file(campaign_file(campaign), loaded)
    assert now is not None
    return completion.completions(line, re.split("[ ,]", line)[-1], now)


def test_words_are_completed_behind_short_words() -> None:
    for name in ("bryn", "Old Dag"):
        assert run("play", "add", name).code == 0
    lines = {
        "b": ["bleed"],
        "hi ol": ['"Old Dag"'],
        "hi b 9 cr": ["critical"],
        "hi b 9 10": ["10C", "10S", "10D", "10H"],
        "p b": ["bryn"],
    }  # fmt: skip
    assert {line: completed(line) for line in lines} == lines


def test_the_field_and_its_moves_are_completed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT / "tests" / "fights")

    def played(*words: str) -> None:
        assert run("play", "fiftytwo", "--campaign", "field", *words).code == 0

    played("initiative", "ambushers.yaml", "dice", "9", "8", "3", "6")
    played("lay", *["10D", "7D", "3C", "/", "10S", "2H", "9H"])

    lines = {
        "initiative am": ["ambushers.yaml"],
        "tak": ["take"],
        "act take 10": ["10S", "10D"],
        "pair ": ["10S", "10D", "dice"],
        "pair 10s 1": ["10D"],
        "ambush b ": ["10S", "10D", "2H", "7D", "9H", "3C", "1", "2", "3"],
    }
    assert {line: completed(line, "fiftytwo", "field") for line in lines} == lines
