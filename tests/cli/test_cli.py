"""The command line: exit status, one line an error, and the JSON that other tools rely on."""

from __future__ import annotations

import contextlib
import errno
import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from helpers import CONTENT, ROOT, copy_pack, hackjack, run, run_main

from generator import __version__, cli
from generator.play import every_way

BAD_CALLS = {
    # the words of the call: its exit status, and how its one line begins
    "nosuch": (2, 'there is no command "nosuch"'),
    "--nosuch": (2, "No such option '--nosuch'"),
    "list nothing": (2, '"nothing" cannot be listed; known: targets, themes, campaigns, hackjack'),
    "list targets more": (2, "Got unexpected extra argument (more)"),
    "card": (2, "Missing argument 'SYSTEM'"),
    "card hackjack": (2, "Missing argument 'CODE...'"),
    "card hackjak QS": (2, 'there is no system "hackjak": did you mean "hackjack"?'),
    "card zzz QS": (2, 'there is no system "zzz"; known: hackjack'),
    "card hackjack 1OH": (2, '"1OH" is not a card: did you mean "10H"?'),
    "card hackjack QS 11Z": (2, '"11Z" is not a card'),
    "odds hackjack hit 5 --exact --seed 3": (2, "--seed is for plays, and --exact counts: leave one of them out"),
    "table glog breakdowns --seed 3": (2, "--seed is for --roll: add that, or leave it out"),
    "print hackjack deck --only ,": (2, "--only names no card: write codes, such as QS,KH, or leave it out"),
    "resolve fiftytwo initiative none.yaml --at given=[]": (1, "none.yaml: cannot be read: No such file"),
    "card hackjack QS --set": (2, "Option '--set' requires an argument"),
    "card hackjack QS --set jokers": (2, '"jokers" is not a house rule: write NAME=VALUE'),
    "card hackjack QS --set joker=out": (2, 'hackjack has no ruling switch and no number "joker": '),
    "card hackjack QS --set jokers=maybe": (2, 'jokers cannot be "maybe": choose out or lucky_break'),
    "card hackjack QS --pack nowhere": (1, "nowhere: folder not found. Name one that holds a system.yaml"),
    "card other QS --pack pack": (2, 'pack holds the system "hackjack", not "other"'),
    "card hackjack QS --pack empty": (1, "empty/system.yaml: the file is missing: every pack has a system.yaml"),
    "check nosuch": (2, 'there is no system "nosuch"; known: hackjack'),
    "check hackjak": (2, 'there is no system "hackjak": did you mean "hackjack"?'),
    "check empty": (1, "empty/system.yaml: the file is missing: every pack has a system.yaml"),
    "check --pack nowhere": (1, "nowhere: folder not found"),
    "print hackjak": (2, 'there is no system "hackjak": did you mean "hackjack"?'),
    "print hackjack dek": (2, 'hackjack has no product "dek": there is deck'),
    "print hackjack deck --paper a5": (2, 'there is no paper "a5": choose a4, letter'),
    "print hackjack deck --target mpcc": (2, 'there is no target "mpcc": choose home, '),
    "print hackjack deck --nudge 1": (2, '--nudge "1": write two lengths in mm, such as 0.5,-1'),
    "print hackjack deck --nudge a,b": (2, '--nudge "a,b": write two lengths in mm'),
    "print hackjack deck --nudge 1,2,3": (2, '--nudge "1,2,3": write two lengths in mm'),
    "print hackjack deck --nudge 21,0": (2, "--nudge 21,0: the limit is 20 mm either way"),
    "print hackjack deck --nudge nan,inf": (2, "--nudge nan,inf: the limit is 20 mm either way"),
    "print hackjack deck --set pass_out=on": (2, 'pass_out cannot be "on": choose off or hit_die_over_trauma or d20'),
    "print hackjack deck --only QS,11H": (2, '--only: "11H" is not a card: did you mean "'),
    "print hackjack deck --backs sideways": (2, "Invalid value for '--backs': 'sideways' is not one of "),
    "print hackjack deck --marks lots": (2, "Invalid value for '--marks': 'lots' is not one of "),
    "print hackjack deck --ink none": (2, "Invalid value for '--ink': 'none' is not one of "),
    "print hackjack deck --suits three": (2, "Invalid value for '--suits': 'three' is not one of "),
    "print hackjack deck --target png --dpi 9": (2, "Invalid value for '--dpi': 9 is not in the range 36<=x<=1200."),
    "print hackjack deck --pack nowhere": (1, "nowhere: folder not found"),
    "print hackjack deck -o plain": (1, "plain is a file: name a folder\n"),
    "print hackjack deck -o plain/deeper": (1, "plain is a file: name a folder\n"),
    "print hackjack deck --target png --only QS -o plain": (1, "plain is a file: name a folder\n"),
    "print hackjack -o plain": (1, "plain is a file: name a folder; missing too: hackjack screen for home, "),
    "print --only QS": (2, "--only names cards of one system: write hackjack print SYSTEM --only QS"),
    "print hackjack deck --only fall": (2, '--only: "fall" is not a card: write AC, 10H, QS, RJ'),
    "print fiftytwo piles --only QS": (2, "there is no card QS in the piles of fiftytwo"),
    "print fiftytwo piles initiative --only zz": (
        2,
        "there is no card zz in the piles of fiftytwo or the initiative cards of",
    ),
    "print deck": (2, 'there is no system "deck"; known: hackjack'),
    "resolve nonsense": (2, "Missing argument 'EVENT [ARG]...'"),
    "resolve nonsense 9": (2, 'there is no system "nonsense"; known: hackjack'),
    # No card of another suit is proposed.
    "card hackjack 10": (2, '"10" is not a card: which suit? 10C, 10S, 10D, 10H\n'),
    "card hackjack 10X": (2, '"10X" is not a card: write AC, 10H, QS, RJ\n'),
    "card hackjack 11\u2663": (2, '"11\u2663" is not a card: did you mean "10C"?\n'),
}


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a good pack, an empty one and a plain file, to work in."""
    copy_pack(tmp_path)
    (tmp_path / "empty").mkdir()
    (tmp_path / "plain").write_text("not a folder")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.skipif(sys.platform == "win32", reason="there nobody can delete the folder they are in")
def test_a_folder_that_was_deleted_ends_in_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    tmp_path.rmdir()
    ran = run("list")
    assert (ran.code, ran.err) == (
        1,
        "The current folder no longer exists or cannot be read. Change to another folder.\n",
    )


LONG_CALL = "print hackjack -o plain"
"""It tries every product."""


@pytest.mark.parametrize(
    "call", [pytest.param(call, marks=[pytest.mark.slow] if call == LONG_CALL else []) for call in BAD_CALLS]
)
def test_a_bad_call_ends_in_one_sentence(call: str, desk: Path) -> None:
    code, says = BAD_CALLS[call]
    before = sorted(desk.rglob("*"))
    done = run(*call.split())
    verdict = f"{call.split()[-1]}: 1 error\n" if call.startswith("check") and code == 1 else ""
    assert (done.code, done.out) == (code, verdict)
    assert len(done.faults) == 1
    assert done.err.startswith(says)
    assert sorted(desk.rglob("*")) == before, "a call that fails leaves nothing behind"


def test_a_card_that_a_pack_does_not_have(desk: Path) -> None:
    path = desk / "pack" / "deck.yaml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text[: text.index("  # --- jokers")], encoding="utf-8")
    done = run("card", "hackjack", "RJ", "--pack", "pack")
    assert (done.code, done.err) == (1, "hackjack has no card RJ\n")
    done = run("print", "hackjack", "deck", "--only", "RJ", "--pack", "pack")
    assert (done.code, done.err) == (2, "there is no card RJ in the deck of hackjack\n")


def test_every_problem_of_a_pack_has_a_line_of_its_own(desk: Path) -> None:
    path = desk / "pack" / "deck.yaml"
    text = path.read_text(encoding="utf-8").replace("lose limb", "lose lim").replace("blood: 1d4", "blood: 1d4-2")
    path.write_text(text, encoding="utf-8")
    for command in (["card", "hackjack", "QS"], ["print", "hackjack"], ["print"]):
        done = run(*command, "--pack", "pack")
        assert (done.code, done.out, len(done.faults)) == (1, "", 2)
        assert all(line.startswith("pack/deck.yaml:") for line in done.faults)


# --- the real thing ------------------------------------------------------------------------------------------------

COMMAND = [sys.executable, "-m", "generator"]


def real(*arguments: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the command as a process of its own."""
    return subprocess.run(
        [*COMMAND, *arguments],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        check=False,
    )


@pytest.mark.parametrize(
    ("call", "code", "err"),
    [
        ("card hackjak QS", 2, 'there is no system "hackjak": did you mean "hackjack"?\n'),
        ("card hackjack QS --pack empty", 1, "empty/system.yaml: the file is missing: every pack has a system.yaml\n"),
        ("check jackrealms", 0, ""),
        ("--version", 0, ""),
    ],
)
def test_the_process_ends_with_the_same_status(call: str, code: int, err: str, desk: Path) -> None:
    done = real(*call.split(), cwd=desk)
    assert (done.returncode, done.stderr) == (code, err)
    assert bool(done.stdout) == (code == 0)


OLD = ["ascii", "cp1252", "cp850", "cp437", "latin-1"]
"""What terminals and pipes spoke before UTF-8."""


def said(encoding: str, *arguments: str, stdin: bytes = b"") -> tuple[bytes, bytes]:
    """What the command writes to standard output and error for a reader of that encoding."""
    return run_main(encoding, *arguments, stdin=stdin)[1:]


@pytest.mark.parametrize(
    ("encoding", "words"),
    [("ascii", "card hackjack KC"), ("cp1252", "table hackjack recovery"), ("ascii", "card hackjack KC --json")],
)
def test_a_process_writes_the_same_bytes(encoding: str, words: str) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"}
    done = subprocess.run([*COMMAND, *words.split()], env=environment, capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == run_main(encoding, *words.split())


@pytest.mark.parametrize("encoding", OLD)
def test_an_old_terminal_gets_plain_signs(encoding: str) -> None:
    out, err = said(encoding, "card", "hackjack", "KC")
    assert (out.decode(encoding).splitlines()[1], err) == ("    -3 to all rolls until you recover.", b"")
    out, err = said(encoding, "table", "hackjack", "recovery")
    assert (out.decode(encoding).splitlines()[0], err) == ("trauma 1  d6 days", b"")
    out, err = said(encoding, "card", "hackjack", "Q\u2660\ufe0fx\u2013\u201cJos\u00e9\u201d\u2026")
    shown = err.decode(encoding).partition(" is not")[0].replace("\u2013", "-").replace("\u2026", "...")
    shown = shown.replace("\u201c", '"').replace("\u201d", '"').replace("\u00e9", "e")
    assert (shown, out) == ('"QSx-"Jose"..."', b"")


def test_a_new_terminal_gets_every_sign() -> None:
    out, _ = said("utf-8", "card", "hackjack", "KC")
    assert "    \u22123 to all rolls until you recover." in out.decode().splitlines()


@pytest.mark.parametrize("encoding", OLD)
def test_json_is_utf8_whatever_the_terminal(encoding: str, tmp_path: Path) -> None:
    for call in (("card", "hackjack", "KC", "--json"), ("table", "hackjack", "recovery", "--json")):
        out, err = said(encoding, *call)
        assert (out, err) == said("utf-8", *call)
        assert json.loads(out.decode("utf-8"))
    assert (
        "\u22123 to all rolls until you recover."
        in json.loads(said(encoding, "card", "hackjack", "KC", "--json")[0])["text"]
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HACKJACK_HOME", str(tmp_path))
        out, _ = said(encoding, "play", "--json", "add", "Jos\u00e9\u2019s")
        assert json.loads(out.decode("utf-8"))["who"] == "Jos\u00e9\u2019s"
        lines = said(encoding, "play", "--json", stdin=b"show\nhit jos 5 KC\n")[0].splitlines()
        assert [json.loads(line.decode("utf-8")) for line in lines][1]["who"] == "Jos\u00e9\u2019s"


@pytest.mark.skipif(sys.platform == "win32", reason="names of files are text there")
def test_a_file_whose_name_is_no_text_is_told_all_the_same(tmp_path: Path) -> None:
    name = os.fsencode(tmp_path) + b"/\xff.json"
    Path(os.fsdecode(name)).write_bytes(b"no state")
    done = subprocess.run(
        [*COMMAND, "resolve", "hackjack", "rest", "--state", name], cwd=ROOT, capture_output=True, check=False
    )
    assert done.returncode == 1, done.stderr


def test_a_full_disk_is_told_in_one_sentence() -> None:
    class Full(io.StringIO):
        def write(self, text: str) -> int:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), text[:0])

    errors = io.StringIO()
    with contextlib.redirect_stdout(Full()), contextlib.redirect_stderr(errors):
        code = cli._run(["list"])
    assert code == 1
    assert "No space left on device" in errors.getvalue()
    assert len(errors.getvalue().splitlines()) == 1


def test_a_reader_that_goes_away_is_no_error(desk: Path) -> None:
    with subprocess.Popen(
        [*COMMAND, "list", "--json"], cwd=desk, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as child:
        assert child.stdout is not None
        assert child.stderr is not None
        child.stdout.close()
        assert child.stderr.read() == b""
    assert child.returncode in (0, 1)


def test_ctrl_c_ends_quietly(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(cli.hackjack, "main", interrupted)
    done = run("list")
    assert (done.code, done.faults) == (130, ["stopped"])


@pytest.mark.parametrize("call", ["odds glog hit 9", "odds hackjack hit 9", "check PACK", "print glog --only screen"])
def test_ctrl_c_ends_counting(call: str, desk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Budget:
        set = reset = staticmethod(lambda _: None)

        def get(self) -> None:
            raise KeyboardInterrupt

    monkeypatch.setattr(every_way, "_BUDGET", Budget())
    monkeypatch.chdir(desk)
    done = run(*call.replace("PACK", str(ROOT / "docs" / "examples" / "criticals")).split(" "))
    assert (done.code, [*filter(None, done.faults)]) == (130, ["stopped"])


# --- what is read kindly -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "plain"),
    [
        ("card HackJack Qs", "card hackjack QS"),
        ("card hackjack \u2660Q 10\u2665\ufe0f d4 H10", "card hackjack QS 10H 4D 10H"),
        ("table GLOG Madness", "table glog madness"),
        ("table Glog BODY --at severity=7 --at column=ARM", "table glog body --at severity=7 --at column=arm"),
        ("list TARGETS", "list targets"),
        ("check FIFTYTWO", "check fiftytwo"),
        ("odds Hackjack POISON 3", "odds hackjack poison 3"),
        ("odds hackjack poison 3 --policy WORST", "odds hackjack poison 3 --policy worst"),
        ("resolve Hackjack Hit 5 --cards 4\u2666", "resolve hackjack hit 5 --cards 4D"),
        ("resolve hackjack hit 5 --cards qs --cards d4", "resolve hackjack hit 5 --cards QS,4D"),
        (
            "odds jackrealms hand --at player=\u266610,S6 --at dealer=h9",
            "odds jackrealms hand --at player=10D,6S --at dealer=9H",
        ),
        ("print HACKJACK Deck --paper LETTER --only qs -o out", "print hackjack deck --paper letter --only QS -o out"),
        (
            "print hackjack DECK --target L7651 --paper A4 -o out",
            "print hackjack deck --target l7651 --paper a4 -o out",
        ),
        (
            "print hackjack deck --card Tarot --backs NONE --only qs -o out",
            "print hackjack deck --card tarot --backs none --only QS -o out",
        ),
        ("print CALIBRATION --target L7651 -o out", "print calibration --target l7651 -o out"),
    ],
)
@pytest.mark.usefixtures("desk")
def test_case_and_signs_do_not_matter(call: str, plain: str) -> None:
    kindly, strictly = run(*call.split()), run(*plain.split())
    assert kindly == strictly
    assert kindly.code == 0 or "needs" in kindly.err, kindly.err


def test_options_that_are_lists_go_on_when_they_are_given_again(desk: Path) -> None:
    for again, once in (
        ("--cards QS --cards 4D", "--cards QS,4D"),
        ("--cards JS,4D --dice 3 --dice 2", "--cards JS,4D --dice 3,2"),
    ):
        assert run("resolve", "hackjack", "hit", "5", *again.split()) == run(
            "resolve", "hackjack", "hit", "5", *once.split()
        )
    run("print", "hackjack", "deck", "--only", "QS", "--only", "KH,2C", "--format", "md", "-o", "out")
    text = (desk / "out" / "hackjack-deck.md").read_text(encoding="utf-8")
    assert [name in text for name in ("Queen of spades", "King of hearts", "2 of clubs", "3 of clubs")] == [
        True,
        True,
        True,
        False,
    ]


# --- help ----------------------------------------------------------------------------------------------------------


def test_without_a_command_there_is_what_to_do_first() -> None:
    ran = run()
    assert (ran.code, ran.err) == (0, "")
    for call in ("hackjack print", "hackjack studio", "hackjack play", "hackjack help"):
        assert f"{call} " in ran.out
    assert "Which?" not in ran.out, "nobody is asked where nobody can answer"


def test_without_a_home_nothing_is_kept_anywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("HOME", "XDG_DATA_HOME", "LOCALAPPDATA", "HACKJACK_HOME"):
        monkeypatch.setenv(variable, "")
    ran = run("play", "show")
    assert (ran.code, ran.out) == (1, "")
    assert ran.faults == ["there is no home directory: set HACKJACK_HOME to a folder for campaigns and packs"]


def test_a_product_named_twice_is_printed_once(tmp_path: Path) -> None:
    ran = run("print", "hackjack", "reference", "reference", "-o", tmp_path)
    assert ran.out.splitlines() == [str(tmp_path / "hackjack-reference.pdf")]


def test_a_closed_standard_input_is_told() -> None:
    call = f"{sys.executable} -m generator resolve hackjack hit 3 --state - <&-"
    done = subprocess.run(["sh", "-c", call], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "Standard input is closed. Name a file: --state FILE.\n"


def test_a_number_grows_to_a_million_at_most(tmp_path: Path) -> None:
    state = tmp_path / "state.json"
    state.write_text('{"blood": 999999}', encoding="utf-8")
    ran = run("resolve", "hackjack", "bleed", "3", "--state", state)
    assert (ran.code, ran.out.splitlines()[-1]) == (0, "death-score 0, Blood 1000000, Trauma 0")
    state.write_text('{"blood": 1000001}', encoding="utf-8")
    ran = run("resolve", "hackjack", "bleed", "3", "--state", state)
    assert (ran.code, ran.out) == (1, "")
    assert ran.faults == ["the state's blood is 1,000,001: it must be from 0 to 1,000,000"]


def test_help_names_every_command() -> None:
    done = run("--help")
    assert done.code == 0
    assert run("help").out == done.out
    for name, listed in cli.COMMANDS.items():
        assert name in done.out
        assert listed.does.split()[0] in done.out
        inner = run(name, "-h")
        assert (inner.code, inner.out) == (0, run("help", name).out)
        assert f"hackjack {name}" in inner.out
    assert __version__ in run("--version").out


# --- card ----------------------------------------------------------------------------------------------------------


def test_the_json_of_one_card() -> None:
    done = run("card", "hackjack", "qs", "--json")
    assert (done.code, done.err) == (0, "")
    assert json.loads(done.out) == {
        "system": "hackjack",
        "code": "QS",
        "title": "Carved",
        "score": 10,
        "blood": 0,
        "trauma": 4,
        "permanent": False,
        "text": [
            "Draw one more card. You take its score and its wound, but not its Blood or Trauma. If you live, roll d20 "
            "over your death-score or pass out until someone wakes you."
        ],
        "effects": [
            {"do": "draw", "cards": 1, "keep": "all", "score": True, "pools": "none"},
            {
                "do": "check",
                "die": "1d20",
                "over": "score",
                "fails": [{"do": "suffer", "condition": "unconscious", "until": "woken", "reconstructed": True}],
                "begins": "survival",
            },
        ],
    }


def test_the_json_of_several_cards_is_a_list() -> None:
    done = run("card", "hackjack", "9S", "10H", "3H", "RJ", "--json")
    nine, ten, three, joker = json.loads(done.out)
    assert (nine["blood"], nine["trauma"], nine["score"]) == ("2d6", 4, 9)
    assert (ten["code"], ten["score"], ten["permanent"]) == ("10H", 10, False)
    assert three["effects"][0] == {"do": "suffer", "condition": "fasting", "until": "1d12 hours"}
    assert (joker["score"], joker["blood"], joker["trauma"]) == (0, 0, 0)
    assert {frozenset(card) for card in (nine, ten, three, joker)} == {frozenset(nine)}


@pytest.mark.parametrize("code", hackjack().cards)
def test_every_card_is_said(code: str) -> None:
    shape = json.loads(run("card", "hackjack", code, "--json").out)
    said = run("card", "hackjack", code.lower())
    assert said.code == 0
    head, *lines = said.out.splitlines()
    assert head.startswith(f"{code}  {shape['title']} (")
    assert f"score {shape['score']}" in head
    blood = re.search(r"Blood (\S+?)[,)]", head)
    assert (blood[1] if blood else "0") == re.sub(r"^1d", "d", str(shape["blood"]))
    assert (f"Trauma {shape['trauma']}" in head) == bool(shape["trauma"])
    assert [line.strip() for line in lines] == shape["text"]


def test_a_card_of_another_pack(desk: Path) -> None:
    path = desk / "pack" / "deck.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("name: Carved", "name: Carved anew"), encoding="utf-8")
    assert run("card", "hackjack", "QS", "--pack", path.parent).out.startswith("QS  Carved anew (")


# --- list ----------------------------------------------------------------------------------------------------------


def test_the_json_of_the_list() -> None:
    done = run("list", "--json")
    assert (done.code, done.err) == (0, "")
    systems = json.loads(done.out)["systems"]
    assert systems[0]["system"] == "hackjack"
    assert len({shape["system"] for shape in systems}) == len(list(CONTENT.parent.glob("*/system.yaml")))
    flagship = systems[0]
    assert {"system", "title", "version", "about", "products", "decks", "tables", "events", "rulings"} <= set(flagship)
    assert "deck" in flagship["products"]
    assert flagship["decks"] == [{"title": "Hackjack", "cards": 54}]
    assert flagship["tables"] == [{"id": "recovery", "title": "Recovery time"}]
    assert len(flagship["rulings"]) == 44
    assert flagship["rulings"][0] == {
        "id": "H1",
        "point": "Massive damage",
        "switch": "massive_damage",
        "default": "over_13",
        "options": ["over_13", "from_13"],
    }
    assert flagship["rulings"][1]["switch"] is None


def test_the_list_for_people() -> None:
    done = run("list")
    assert done.out.startswith("hackjack: Hackjack 1.0\n")
    for words in ("deck", "recovery", "H29", "jokers (out | lucky_break)"):
        assert words in done.out


def test_no_listed_text_shows_a_placeholder() -> None:
    assert "{" not in run("list").out
    about = json.loads(run("list", "--json").out)["systems"][0]["about"]
    assert "{" not in about


def test_the_targets() -> None:
    targets = {target["id"] for target in json.loads(run("list", "targets", "--json").out)["targets"]}
    assert {"home", "png"} <= targets
    assert {line.split()[0] for line in run("list", "targets").out.splitlines()} == targets


# --- print ---------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_print_writes_every_product_of_every_system(desk: Path) -> None:
    done = run("print", "-o", "out")
    assert (done.code, done.faults) == (
        0,
        ["next: print out/hackjack-deck.pdf at 100 %, or open the studio: hackjack studio"],
    )
    written = [Path(line) for line in done.out.splitlines()]
    assert Path("out/hackjack-deck.pdf") in written
    assert sorted(path for path in (desk / "out").rglob("*") if path.is_file()) == sorted(
        desk / path for path in written
    )


def test_print_without_a_folder_goes_to_output(desk: Path) -> None:
    assert run("print", "hackjack", "deck", "--only", "QS").out == "output/hackjack-deck.pdf\n"
    assert (desk / "output" / "hackjack-deck.pdf").read_bytes().startswith(b"%PDF-")


EVERY_PRODUCT = ("deck", "screen", "sheet", "reference", "reference-cards", "tokens", "box")


@pytest.mark.parametrize(
    ("names", "products"), [(("mine", "deck"), ("deck",)), pytest.param((), EVERY_PRODUCT, marks=pytest.mark.slow)]
)
def test_print_from_a_pack(names: tuple[str, ...], products: tuple[str, ...], desk: Path) -> None:
    path = desk / "pack" / "system.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("id: hackjack\n", "id: mine\n"), encoding="utf-8")
    for named in (names, names or ("mine",)):
        done = run("print", *named, "--pack", "pack", "-o", "out", "--only", "AC")
        assert (done.code, done.out) == (0, "".join(f"out/mine-{product}.pdf\n" for product in products))


def test_nothing_is_looked_through_at_the_end() -> None:
    """What is frozen is collected no more: types in circles have crashed the interpreter while it took itself apart."""
    asks = "import atexit, gc; atexit.register(lambda: print('frozen:', gc.get_freeze_count() > 10_000))"
    call = "import sys; sys.argv = ['hackjack', 'card', 'hackjack', 'QS']; from generator.cli import main; main()"
    ran = subprocess.run(
        [sys.executable, "-c", f"{asks}; {call}"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (ran.returncode, ran.stdout.splitlines()[-1]) == (0, "frozen: True")
