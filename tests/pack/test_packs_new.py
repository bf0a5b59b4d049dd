"""`hackjack new`: a pack of one's own that is sound from the first moment, and never written over anything."""

from __future__ import annotations

import io
import json
import re
import shutil
from pathlib import Path

import jsonschema
import pytest
from helpers import page_texts, reader, run
from PIL import Image

from generator.model.rules import System
from generator.pack import schema
from generator.pack import strict_yaml as source
from generator.pack.load import load_pack
from generator.pack.pack_locations import find, shipped


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A place of its own for every test, and a shelf of packs."""
    monkeypatch.setenv("HACKJACK_HOME", str(tmp_path / "home"))
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def rules_of(system: System) -> tuple[object, ...]:
    """All that a system says, without its name."""
    head = {name: getattr(system.head, name) for name in system.head.__struct_fields__}
    told = {key: value for key, value in head.items() if key not in ("id", "title", "version", "extends")}
    return told, system.deck, system.tables, system.claims, system.panels, system.combatants, system.tokens


def obeys_its_schema(path: Path) -> None:
    first = path.read_text(encoding="utf-8").partition("\n")[0]
    modeline = re.fullmatch(r"# yaml-language-server: \$schema=(\S+)", first)
    assert modeline, first
    text = (path.parent / modeline[1]).read_text(encoding="utf-8")
    assert text == schema.all_schemas()[Path(modeline[1]).name]
    jsonschema.Draft202012Validator(json.loads(text)).validate(source.read_file(path, path.name)[0])


@pytest.mark.parametrize("small", [False, True], ids=["copied", "extending"])
@pytest.mark.parametrize("system", shipped())
def test_a_new_pack_is_the_system_under_another_name(system: str, small: bool, here: Path) -> None:
    made = run("new", "red_keep", "--from", system, *(["--extends"] if small else []))
    assert (made.code, made.err) == (0, "")
    pack = load_pack(here / "red_keep").system
    assert (pack.head.id, pack.head.title, pack.head.version) == ("red_keep", "Red keep", "0.1")
    assert rules_of(pack) == rules_of(load_pack(find(system)).system)
    assert pack.house_rules == ()
    files = sorted((here / "red_keep").glob("*.yaml"))
    assert len(files) <= 3 or not small
    named = {path.read_text(encoding="utf-8").partition("$schema=")[2].partition("\n")[0] for path in files}
    assert {f"schemas/{path.name}" for path in (here / "red_keep" / "schemas").iterdir()} == named
    for path in files if small else ():
        obeys_its_schema(path)
    readme = (here / "red_keep" / "README.md").read_text(encoding="utf-8")
    assert {path.name for path in files} == set(re.findall(r"^\| `([a-z]+\.yaml)` \|", readme, re.MULTILINE))


def test_it_checks_and_prints_at_once(here: Path) -> None:
    assert run("new", "mine", "--extends").code == 0
    checked = run("check", "mine")
    assert checked.code == 0 and "mine: sound" in checked.out
    printed = run("print", "mine", "deck", "--only", "AC", "--pack", "mine", "-o", "out")
    assert printed.out.split() == [str(Path("out") / "mine-deck.pdf")]
    assert (here / "out" / "mine-deck.pdf").read_bytes().startswith(b"%PDF")


def test_a_changed_entry_changes_the_card(here: Path) -> None:
    run("new", "mine", "--extends")
    deck = here / "mine" / "deck.yaml"
    text = deck.read_text(encoding="utf-8")
    assert text.splitlines()[2:] == [
        "cards:",
        "- code: AC",
        "  name: Winded",
        "  flavour: The breath goes first, then the ground.",
        "  effects: [suffer knocked_back at once]",
        "  emblem: breath",
    ]
    deck.write_text(text.replace("knocked_back", "prone"), encoding="utf-8")
    assert "You fall prone." in run("card", "mine", "AC", "--pack", "mine").out


@pytest.mark.slow
def test_the_packs_readme_names_commands_that_work(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run("new", "mine", "elsewhere", "--extends")
    monkeypatch.chdir(here / "elsewhere")
    commands = re.findall(r"^hackjack (.+)$", Path("README.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert len(commands) == 6
    for command in commands:
        if "--preview" not in command:
            more = ["add", "bryn"] if command.startswith("play") else ["reference"] if "print" in command else []
            done = run(*command.split(), *more)
            assert done.code == 0, (command, done.err)


def test_house_rules_are_listed_to_choose_from(here: Path) -> None:
    run("new", "mine", "--extends")
    head = here / "mine" / "system.yaml"
    text = head.read_text(encoding="utf-8")
    assert '  critical_draw: "off"  # or on, every_hit, misses_too' in text.splitlines()
    head.write_text(text.replace("massive_damage: over_13", "massive_damage: from_13"), encoding="utf-8")
    assert load_pack(here / "mine").system.house_rules == (("massive_damage", "from_13"),)


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        (" ", "Write a name for the pack."),
        ("hackjack", "is a system that ships: give your pack a name of its own"),
        ("calibration", "means something else"),
        ("null", "means something else"),
        ("all", "means something else"),
        ("nul", "means something else"),
        ("com1", "means something else"),
    ],
)
def test_bad_names_are_refused(name: str, fault: str, here: Path) -> None:
    made = run("new", name)
    assert made.code == 2
    assert fault in made.err
    assert list(here.iterdir()) == []


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Nick's Keep", "nicks_keep"),
        ("Élan: the 2nd “table” {", "elan_the_2nd_table"),
        ("2fast", "n2fast"),
        ("../up \\1", "up_1"),
        ("Hackjack", "hackjack_2"),
        ("x" * 41, "x" * 36),
    ],
)
def test_a_title_has_an_id_made_of_it_and_is_shown_as_typed(title: str, name: str, here: Path) -> None:
    for words in (("--blank",), ("--from", "glog", "--extends")):
        made = run("new", title, *words)
        assert made.code == 0, made.err
        head = load_pack(here / name).system.head
        assert (head.id, head.title) == (name, title) and [path.name for path in here.iterdir()] == [name]
        shutil.rmtree(here / name)


def test_nothing_is_written_over(here: Path) -> None:
    (here / "mine").mkdir()
    (here / "mine" / "deck.yaml").write_text("dear to me")
    (here / "file").write_text("dear to me")
    (here / "link").symlink_to(here / "nowhere")
    for target in ("mine", "file", "link"):
        made = run("new", "mine", target)
        assert made.code == 2
        assert made.err == f"{target} already exists: name a new folder, for files are never overwritten\n"
    assert (here / "mine" / "deck.yaml").read_text() == (here / "file").read_text() == "dear to me"
    assert sorted(path.name for path in here.iterdir()) == ["file", "link", "mine"]
    (here / "empty").mkdir()
    assert run("new", "mine", "empty").code == 0
    assert (here / "empty" / "system.yaml").is_file()


def test_what_cannot_be_begun_with(here: Path) -> None:
    assert run("new", "mine", "--from", "hackjak").err == 'there is no system "hackjak": did you mean "hackjack"?\n'
    (here / "file").write_text("")
    made = run("new", "mine", "file/below")
    assert made.code == 1
    assert made.err.startswith("file/below: cannot be written: ")


@pytest.mark.slow
def test_a_pack_of_a_pack_keeps_its_pictures(here: Path, tmp_path: Path) -> None:
    shelf = tmp_path / "home" / "packs"
    assert run("new", "first", shelf / "first", "--extends").code == 0
    head = shelf / "first" / "system.yaml"
    head.write_text(head.read_text(encoding="utf-8") + "art: {back: art/back.png}\n", encoding="utf-8")
    (shelf / "first" / "art").mkdir()
    Image.new("RGB", (1050, 1350), (20, 90, 60)).save(shelf / "first" / "art" / "back.png")
    assert run("new", "copied", "--from", "first").code == 0
    assert (here / "copied" / "art" / "back.png").read_bytes() == (shelf / "first" / "art" / "back.png").read_bytes()
    assert run("new", "above", "--from", "first", "--extends").code == 0
    for name in ("copied", "above"):
        checked = run("check", name)
        assert checked.code == 0, checked.err
        assert run("print", name, "deck", "--only", "AC", "--pack", name, "-o", name + "-out").code == 0
    plain = run("new", "plain", "--extends")
    assert plain.code == 0
    run("print", "plain", "deck", "--only", "AC", "--pack", "plain", "-o", "plain-out")
    sizes = {name: (here / f"{name}-out" / f"{name}-deck.pdf").stat().st_size for name in ("above", "copied", "plain")}
    assert min(sizes["above"], sizes["copied"]) != sizes["plain"], "the picture is on the back"


def test_a_head_that_cannot_be_renamed_is_refused(here: Path, tmp_path: Path) -> None:
    odd = tmp_path / "home" / "packs" / "odd"
    odd.mkdir(parents=True)
    (odd / "system.yaml").write_text("{id: odd, extends: hackjack}\n")
    made = run("new", "mine", "--from", "odd")
    assert made.code == 1
    assert made.err.endswith(
        "odd/system.yaml: write id, title and version on lines of their own, and it can be copied\n"
    )
    assert not (here / "mine").exists()
    assert run("new", "mine", "--from", "odd", "--extends").code == 0


def test_schemas_for_packs_that_extend_know_what_may_be_left_out() -> None:
    known = {name: json.loads(text) for name, text in schema.all_schemas().items()}
    head = jsonschema.Draft202012Validator(known["extending-system.schema.json"])
    assert head.is_valid({"extends": "hackjack", "procedure": {"limit": 3}, "conditions": {"limp": None}})
    assert head.is_valid({"extends": "hackjack", "rulings": {"massive_damage": "from_13"}})
    assert not head.is_valid({"id": "mine"})
    assert not head.is_valid({"extends": "hackjack", "procedure": {"limits": 3}})
    assert not head.is_valid({"extends": "hackjack", "rulings": {"H1": {"point": "No more"}}})
    tables = jsonschema.Draft202012Validator(known["extending-tables.schema.json"])
    assert tables.is_valid({"tables": [{"id": "recovery", "rows": [{"at": 3}]}]})
    assert not tables.is_valid({"tables": [{"rows": [{"at": 3}]}]})


# --- next to nothing, and tables that one has ------------------------------------------------------------------------


def test_a_blank_pack_prints_plays_counts_and_checks(tmp_path: Path) -> None:
    pack = tmp_path / "nicks"
    assert run("new", "nicks", pack, "--blank").code == 0
    assert len((pack / "system.yaml").read_text(encoding="utf-8").splitlines()) <= 14
    assert run("check", pack).out == "nicks: sound\n"
    assert "Results, 6: A break." in run("resolve", "nicks", "roll", "--dice", "6", "--pack", pack).out
    assert run("odds", "nicks", "roll", "--pack", pack).out.splitlines() == [
        "  1-3 A scratch   50.0000% = 1/2",
        "  4-5 A gash      33.3333% = 1/3",
        "  6 A break       16.6667% = 1/6",
    ]
    done = run("print", "nicks", "--pack", pack, "-o", tmp_path / "out")
    assert (done.code, done.err) == (0, "")
    printed = sorted(path.stem for path in (tmp_path / "out").iterdir())
    assert printed == ["nicks-box", "nicks-results", "nicks-screen", "nicks-sheet"]
    # What conditions mean stands beside the table as soon as there is one.
    assert run("print", "nicks", "screen", "--pack", pack, "--format", "md", "-o", tmp_path).code == 0
    assert "What they mean" not in (tmp_path / "nicks-screen.md").read_text(encoding="utf-8")
    with (pack / "system.yaml").open("a", encoding="utf-8") as head:
        head.write("conditions: {lame: {name: Lame, says: You limp}}\n")
    tables = pack / "tables.yaml"
    brings = "at: 6, effects: [suffer lame for good]"
    tables.write_text(tables.read_text(encoding="utf-8").replace("at: 6", brings), encoding="utf-8")
    assert run("print", "nicks", "screen", "--pack", pack, "--format", "md", "-o", tmp_path).code == 0
    text = (tmp_path / "nicks-screen.md").read_text(encoding="utf-8")
    assert text.index("Lame for good") < text.index("### What they mean") < text.index("**Lame:** You limp.")
    sheet = " ".join(page_texts((tmp_path / "out" / "nicks-sheet.pdf").read_bytes()))
    assert all(head in sheet for head in ("Name", "Condition", "Where", "From", "What it does", "Until"))


def test_the_sheet_of_a_blank_pack_grows_with_what_a_state_holds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A number with an end gets boxes, others and words fields; statistics are summed, conditions have their place."""
    monkeypatch.setenv("HACKJACK_HOME", str(tmp_path / "home"))
    pack = tmp_path / "nicks"
    assert run("new", "nicks", pack, "--blank").code == 0
    head = (pack / "system.yaml").read_text(encoding="utf-8")
    kept = """procedure:
  kind: steps
  constants: {max_nicks: 5}
  numbers:
    hp: {name: HP, start: 8, least: 0}
    nicks: {name: nicks, least: 0, most: max_nicks}
    armed: {name: armed, flag: true}
  words: {stance: {name: stance, of: [standing, prone]}}
statistics: {strength: {name: Strength, brief: Str}}
parts: {arm: {name: arm}}
conditions:
  lame: {name: Lame, says: You limp, row: results, implies: [penalty 2 to strength as long]}
"""
    hit = """events:
  hit:
    says: a hit
    do: [place arm, nicks += 2, look up results]
"""
    head = head.replace("procedure: {kind: steps}\n", kept).replace("events:\n", hit)
    (pack / "system.yaml").write_text(head, encoding="utf-8")
    tables = pack / "tables.yaml"
    brings = "at: 6, effects: [suffer lame for good]"
    tables.write_text(tables.read_text(encoding="utf-8").replace("at: 6", brings), encoding="utf-8")
    assert run("check", pack).out == "nicks: sound\n"
    monkeypatch.setattr("sys.stdin", io.StringIO("add Ann\nhit Ann dice 6\n"))
    assert run("play", "nicks", "--pack", pack, "--campaign", "night").code == 0
    done = run("print", "nicks", "sheet", "--pack", pack, "--from", "night", "-o", tmp_path)
    assert (done.code, done.err) == (0, "")
    fields = reader((tmp_path / "nicks-sheet-ann.pdf").read_bytes()).get_fields() or {}
    filled = {name: field.value for name, field in fields.items() if field.value not in (None, "", "/Off")}
    assert filled == {
        "name": "Ann", "hp": "8", "nicks_1": "/Yes", "nicks_2": "/Yes", "stance": "standing", "sum_strength": "\u22122",
        "conditions_1_name": "A break", "conditions_1_place": "arm", "conditions_1_from": "Results",
        "conditions_1_does": "Something cracks.", "conditions_1_until": "for good",
    }  # fmt: skip
    assert {"nicks_5", "armed"} <= set(fields) and "nicks_6" not in fields


def test_tables_that_cannot_be_cards_are_printed_on_the_screen_alone(tmp_path: Path) -> None:
    page, pack = tmp_path / "page.md", tmp_path / "heap"
    wordy = "Everybody who saw it happen has to look away"
    page.write_text(
        f"## Falls\n\n1. Bruised\n2. Sprained\n\n## Sights\n\n1. {wordy}\n2. Nothing\n\n## Deck\n\n1. A\n2. B\n",
        encoding="utf-8",
    )
    assert run("new", "heap", pack, "--from-table", page).code == 0
    assert source.read_text((pack / "system.yaml").read_text(encoding="utf-8"), "system.yaml")[0]["cards"] == [
        {"name": "falls", "from": {"table": "falls"}}
    ]
    assert run("check", pack).out == "heap: sound\n"


@pytest.mark.parametrize(
    ("kind", "numbers"),
    [("blackjack", ["target", "payout"]), ("field", ["depth", "row_attack"]), ("traits", ["ladder", "wild"])],
)
def test_a_skeleton_names_every_number_of_its_kind(tmp_path: Path, kind: str, numbers: list[str]) -> None:
    pack = tmp_path / "bones"
    assert run("new", "bones", pack, "--blank", "--kind", kind).code == 0
    assert run("check", pack).out == "bones: sound\n"
    written = (pack / "system.yaml").read_text(encoding="utf-8").splitlines()
    procedure = [line for line in written if line.startswith("  ")]
    assert procedure[0] == f"  kind: {kind}"
    for number in numbers:
        (line,) = [line for line in procedure if line.startswith(f"  {number}: ")]
        assert "  # " in line


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--blank", "--kind", "foo"], 'there is no kind "foo": choose blackjack or field or traits or steps'),
        (["--kind", "traits"], "--kind belongs to --blank: write hackjack new mine --blank --kind traits"),
        (["--blank", "--from", "glog"], "--from and --blank do not go together: choose one"),
        (["--blank", "--extends"], "--blank and --extends do not go together: choose one"),
        (["--from-table", "nowhere.md"], "nowhere.md: cannot be read: No such file or directory"),
    ],
)
def test_what_does_not_go_together_is_said(tmp_path: Path, words: list[str], message: str) -> None:
    done = run("new", "mine", tmp_path / "mine", *words)
    assert done.code in (1, 2)
    assert message in done.err
    assert not (tmp_path / "mine").exists()


def test_a_pack_is_made_of_tables_that_one_has(tmp_path: Path) -> None:
    source = tmp_path / "page.md"
    source.write_text(
        "## Falls\n\n| d4 | Fall |\n|---|---|\n| 1-2 | Bruised. Nothing more. |\n| 3 | Sprained |\n| often | Odd |\n"
        "| 4 | Broken |\n\n## Burns\n\n5. Singed\n6-9. Burned: it hurts\n",
        encoding="utf-8",
    )
    pack = tmp_path / "heap"
    done = run("new", "heap", pack, "--from-table", source)
    assert done.code == 0
    assert done.err == f'{source}:7:1: "often" is not a range of results such as 3, 1-4 or 13+: the row is text\n'
    assert "often: Odd" in (pack / "reference.yaml").read_text("utf-8")
    assert run("check", pack).out == "heap: sound\n"
    assert "Falls, 3: Sprained." in run("resolve", "heap", "falls", "--dice", "3", "--pack", pack).out
    assert "Burns, 6-9: Burned." in run("resolve", "heap", "burns", "7", "--pack", pack).out
    assert "50.0000%" in run("odds", "heap", "falls", "--pack", pack).out
    assert run("print", "heap", "screen", "--pack", pack, "-o", tmp_path / "out").code == 0
