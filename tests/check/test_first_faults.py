"""The first faults of somebody who has the guide for authors and nothing else, and what `check` says about steps of
one's own: each fault is answered in one line that says where it is and names the cure."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import pytest
import yaml
from helpers import run

from generator.games import game_of
from generator.model import taken_names
from generator.pack.load import load_pack
from generator.pack.pack_locations import find, shipped
from generator.session import prompt
from generator.words.wording import counted_figure

FILES = {
    "system.yaml": """\
id: nicks
title: Nicks
version: "1.0"
about: Every blow leaves something.
source: {title: Nicks, author: you, licence: yours}
procedure:
  kind: steps
  numbers: {hp: {name: HP, start: 6, least: 0}}
conditions:
  limping: {name: Limping, says: You drag a leg, brief: limping}
events:
  hit: |
    "points of damage"
    takes damage (to 99)
    hp -= damage
    if hp == 0: look up scars
  day: |
    "a day passes"
    pass a day
""",
    "tables.yaml": """\
tables:
  - id: scars
    title: Scars
    roll: d6
    covers: 1-6
    rows:
      - {at: 1-3, name: Scratch, note: Gone by morning.}
      - at: 4-5
        name: Lame
        effects:
          - suffer limping for 2d6 days
      - {at: 6, name: Ear, note: Lost.}
""",
}


pytestmark = pytest.mark.usefixtures("here")


class Slip(NamedTuple):
    """What somebody writes instead of what the file has, and how the answer ends, from its line on."""

    file: str
    right: str
    wrong: str
    answer: str


LASTS = "suffer limping for 2d6 days"
_SLIPS = r"""
tables.yaml|         name: Lame|       name: Lame|
    9:7: this is not YAML: did not find expected '-' indicator (begin the keys of an entry in the same column, and
    the dashes of a list)
tables.yaml|         name: Lame|          name: Lame|
    9:14: this is not YAML: mapping values are not allowed in this context (put quotes around a text that holds a
    colon, and begin the keys of an entry in the same column)
tables.yaml|         name: Lame| 	name: Lame|
    9:1: this is not YAML: found a tab character that violates indentation (use spaces, not tabs)
tables.yaml| note: Lost.| note: Lost: no more.|
    12:38: this is not YAML: did not find expected ',' or '}' (a comma or a bracket is missing, or a text with a
    colon or comma has no quotes)
system.yaml| says: You drag a leg, | |
    10:12: the key "says" is missing: a sentence about "you" without a full stop: You cannot see
tables.yaml|  for 2d6 days| |
    11:27: how long is missing here: write for 2d6 days, for good, or until and an event that ends it
tables.yaml|     covers: 1-6\n| |
    2:5: the key "covers" is missing: write covers: 1-6, all results that the rows cover
tables.yaml| effects:| effect:|
    10:9: unknown key "effect": did you mean "effects"?
tables.yaml| limping for| limpin for|
    11:20: unknown condition "limpin": did you mean "limping"?
system.yaml| start: 6| start: "6"|
    8:35: expected a whole number, not 6: take the quotes off
system.yaml| "1.0"| 1.0|
    3:10: expected text, not 1.0: write "1.0" in quotes
tables.yaml| at: 4-5| at: 3-5|
    8:13: the row 3-5 overlaps the row before it: let it begin at 4
tables.yaml| at: 4-5| at: 5|
    8:13: no row covers 4: let this row begin at 4, or add one before it
tables.yaml|       - {at: 6, name: Ear, note: Lost.}\n| |
    5:13: the rows end at 5, but the table covers 1-6: add a row, or write covers: 1-5
tables.yaml| roll: d6| roll: d8|
    4:11: d8 shows 1-8, but the table covers 1-6: give rows for all of it
tables.yaml| roll: d6| roll: 6|
    4:11: 6 is not a die: write d6, or leave it out where nothing is rolled
tables.yaml| LASTS| again|
    11:13: no event here plays again: write steps of your own, or plays: {again: EVENT} under procedure
system.yaml| conditions:\n| statistics: {strength: Strength}\nconditions:\n|
    9:24: expected keys and values, not Strength: write {name: Strength}
tables.yaml|     rows:\n|     columns: [slash, crush]\n    rows:\n|
    6:14: expected keys and values, not a list: give each a name with a colon after it, without dashes or
    [ ]
tables.yaml| LASTS| draw 2|
    11:13: no event here plays draw: write draw from, and a deck, or plays: {draw: EVENT} under
    procedure
system.yaml| -= damage| -= damge|
    15:11: "damge": nothing is called damge: did you mean "damage"?
system.yaml| hp == 0| hp = 0|
    16:11: write == to compare: = sets a number
tables.yaml| for 2d6 days| until bandaged|
    11:34: "bandaged" is neither an event (hit, day) nor a span such as 1d6 rounds nor for good; known: hit, day,
    now, same, permanent, save, again, gm, eases
tables.yaml| for 2d6 days| until woken|
    11:34: nothing here ends it: for "woken" write an event of that name, for good, or a span of time
system.yaml| up scars| up wounds|
    16:25: unknown table "wounds"; known: scars
tables.yaml| LASTS| penalty 1 to strength for good|
    11:26: unknown statistic "strength": there is none yet, write it under "statistics" in system.yaml
system.yaml|     pass a day\n| |
    17:8: the event has no steps: write what happens, such as pass a round
"""


def slips() -> list[Slip]:
    """The table above: a file, what is right, what is wrong, and below it the answer."""
    found = []
    for slip in re.finditer(r"^(\S+?)\| (.*?)\| (.*?)\|\n((?: {4}.+\n)+)", _SLIPS, re.MULTILINE):
        right, wrong = slip[2], slip[3]
        for sign, text in (("LASTS", LASTS), ("\\n", "\n")):
            right, wrong = right.replace(sign, text), wrong.replace(sign, text)
        found.append(Slip(slip[1], right, wrong, " ".join(slip[4].split())))
    return found


def slip_of(wrong: str) -> Slip:
    return next(slip for slip in slips() if slip.wrong == wrong)


MISSING = next(slip for slip in slips() if "says" in slip.right)


def written(tmp_path: Path, *slips: Slip) -> Path:
    """The pack with the faults in it."""
    pack, texts = tmp_path / "nicks", dict(FILES)
    pack.mkdir()
    for slip in slips:
        assert texts[slip.file].count(slip.right) == 1
        texts[slip.file] = texts[slip.file].replace(slip.right, slip.wrong)
    for name, text in texts.items():
        (pack / name).write_text(text, encoding="utf-8")
    return pack


@pytest.mark.parametrize("slip", slips(), ids=lambda slip: slip.answer[:60])
def test_a_first_fault_is_answered_in_one_line_that_names_the_cure(tmp_path: Path, slip: Slip) -> None:
    checked = run("check", written(tmp_path, slip).name)
    assert (checked.code, checked.out.splitlines()[-1]) == (1, f"nicks: {counted_figure(len(checked.faults), 'error')}")
    assert checked.err.splitlines() == [f"nicks/{slip.file}:{slip.answer}"]


def test_without_faults_the_pack_is_sound(tmp_path: Path) -> None:
    assert run("check", written(tmp_path)).out == "nicks: sound\n"


def test_what_the_kind_does_not_play_is_told_with_the_first_faults(tmp_path: Path) -> None:
    """Keys that are missing elsewhere do not hide it, and those of the effect itself are not asked for."""
    wrong = [MISSING, slip_of("draw 2")]
    lines = [f"nicks/{slip.file}:{slip.answer}" for slip in wrong]
    assert run("check", written(tmp_path, *wrong).name).err.splitlines() == lines
    head = FILES["system.yaml"].replace("kind: steps", "kind: traits")
    (tmp_path / "nicks" / "system.yaml").write_text(head, encoding="utf-8")
    told = run("check", "nicks").err.splitlines()
    assert "nicks/system.yaml:15:5: this is a step of one's own: only procedures of the kind steps play it" in told
    assert any("these keys are missing: ladder" in line for line in told)


def test_a_lasting_penalty_is_sent_into_a_condition(tmp_path: Path) -> None:
    head = FILES["system.yaml"].replace("conditions:\n", "statistics: {strength: {name: Strength}}\nconditions:\n")
    pack = written(tmp_path, Slip("tables.yaml", LASTS, "penalty 1 to strength for 2 days", ""))
    (pack / "system.yaml").write_text(head, encoding="utf-8")
    assert run("check", pack.name).err == (
        "nicks/tables.yaml:11:39: only conditions last so long here: write this into the implies of a condition of "
        "yours, with as long, and let somebody suffer that\n"
    )


def test_two_dice_read_as_tens_and_ones(tmp_path: Path) -> None:
    """A table for 11 to 66 has no rows for 17 to 20, is rolled by a formula, and is counted out of 36."""
    pack, rows = written(tmp_path), "[{at: 11-16, name: Nick}, {at: 21-65, name: Cut}, {at: 66, name: Ear}]"
    table = f"tables: [{{id: scars, title: Scars, covers: 11-66, rows: {rows}}}]\n"
    (pack / "tables.yaml").write_text(table, encoding="utf-8")
    head = FILES["system.yaml"].replace("look up scars", "look up 10 * d6 + d6 on scars")
    (pack / "system.yaml").write_text(head, encoding="utf-8")
    assert run("check", pack.name).out == "nicks: sound\n"
    assert "Scars, 11-16: Nick" in run("resolve", "nicks", "hit", "9", "--dice", "1,4", "--pack", pack.name).out
    odds = run("odds", "nicks", "hit", "9", "--pack", pack.name).out
    assert "1/36" in odds and "1/6" in odds and "29/36" in odds
    (pack / "tables.yaml").write_text(table.replace("covers", "roll: d66, covers"), encoding="utf-8")
    assert run("check", pack.name).err == (
        "nicks/tables.yaml:1:42: d66 shows 1-66: for d6 read as digits leave roll out, and look the table "
        "up by: 10 * d6 + d6\n"
    )
    (pack / "tables.yaml").write_text(table.replace("21-65", "22-65"), encoding="utf-8")
    assert "no row covers 21: let this row begin at 21" in run("check", pack.name).err


def test_faces_and_lines_that_no_card_has_are_told(tmp_path: Path) -> None:
    deck = (
        "decks:\n- {id: blows, title: Blows, faces: {cut: Cut}, lines: {place: Place}, cards: [{code: a, name: A}]}\n"
    )
    (written(tmp_path) / "decks.yaml").write_text(deck, encoding="utf-8")
    checked = run("check", "nicks")
    assert checked.out == "nicks: sound\n"
    assert checked.err.splitlines() == [
        "nicks/decks.yaml:2:42: warning: no card has this face: write it on the cards, or take it out",
        "nicks/decks.yaml:2:63: warning: no card has this line: write it on the cards, or take it out",
    ]


@pytest.mark.parametrize(
    ("step", "told"),
    [
        ("hp -= 2", ""),
        (
            "hp -= d6 * (hp - 1) + 2",
            "nicks/tables.yaml:12:38: warning: this step is printed as "
            '"Take d6 \xd7 (HP \u2212 1) plus 2 off HP.": write print, and a sentence of your own, below it\n',
        ),
        (
            '"hp -= d6 - min(hp, 3)"',
            "nicks/tables.yaml:12:39: warning: this step is printed as "
            '"Take d6 minus (HP, at most 3), off HP.": write print, and a sentence of your own, below it\n',
        ),
        ('hp -= d6 * (hp - 1) + 2 say "It hurts"', ""),
        (
            "let on = hp + d6 unprinted, hp -= on",
            'nicks/tables.yaml:12:66: warning: this step is printed as "Take “on” off HP.": '
            "write print, and a sentence of your own, below it\n",
        ),
    ],
)
def test_a_printed_step_that_needs_words_of_its_own_is_told(tmp_path: Path, step: str, told: str) -> None:
    pack = written(tmp_path)
    table = (pack / "tables.yaml").read_text(encoding="utf-8")
    row = table.replace("note: Lost.", f"effects: [{step}]")
    (pack / "tables.yaml").write_text(row, encoding="utf-8")
    checked = run("check", "nicks")
    assert (checked.code, checked.out) == (0, "nicks: sound\n")
    assert checked.err == told


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (
            {
                "least: 0}}": "least: 0}}\n  words: {hand: {name: Hand, of: [d6, d8]}}",
                "hp -= damage": "throw soak: d(faces(hand))\n    hp -= soak + damage",
            },
            '"faces(hand)": faces( ) knows no hand, a word of the character: make it a number and write d(hand)',
        ),
        (
            {"pass a day": 'suffer limping until day\n    say "It hurts."'},
            "and no step of it ends them: add end all until day, or end NAME for each, here or in a watch",
        ),
        (
            {
                "pass a day": 'suffer limping until day\n    say "It hurts."',
                "\nevents:": "\nwatches:\n- {holds: hp == 6, do: [end limping]}\nevents:",
            },
            "",
        ),
    ],
)
def test_what_was_meant_otherwise_is_told_with_its_cure(tmp_path: Path, change: dict[str, str], told: str) -> None:
    pack = written(tmp_path)
    text = (pack / "system.yaml").read_text(encoding="utf-8")
    for old, new in change.items():
        assert old in text
        text = text.replace(old, new)
    (pack / "system.yaml").write_text(text, encoding="utf-8")
    faults = run("check", "nicks").err.splitlines()
    assert any(line.endswith(told) for line in faults) if told else not faults


def test_what_an_event_takes_in_turn_may_be_said_by_name(tmp_path: Path) -> None:
    pack = written(tmp_path)
    for words in (["hit", "2"], ["hit", "damage=2"], ["hit", "--at", "damage=2"]):
        assert "HP 4" in run("resolve", "nicks", *words, "--pack", pack.name).out
    asked = run("resolve", "nicks", "hit", "--at", "damge=2", "--pack", pack.name)
    assert 'did you mean "damage"?' in asked.err


def test_ends_that_the_kind_does_not_know_are_told_with_the_first_faults(tmp_path: Path) -> None:
    """Keys that are missing elsewhere do not hide them; an end that an event brings is none of them."""
    wrong = [MISSING, slip_of("until woken")]
    pack = written(tmp_path, *wrong)
    assert run("check", pack.name).err.splitlines() == [f"nicks/{slip.file}:{slip.answer}" for slip in wrong]
    head = (pack / "system.yaml").read_text(encoding="utf-8")
    (pack / "system.yaml").write_text(head + '  woken: |\n    "over"\n    end all until woken\n', encoding="utf-8")
    assert run("check", pack.name).err.splitlines() == [f"nicks/system.yaml:{wrong[0].answer}"]


def test_odds_of_several_tables_name_them(tmp_path: Path) -> None:
    pack = written(tmp_path)
    asked = ("odds", "nicks", "hit", "9", "--pack", pack.name)
    assert "Scars:" not in run(*asked).out
    table = "  - {id: luck, title: Luck, roll: d2, covers: 1-2, rows: [{at: 1, name: Foul}, {at: 2, name: Fair}]}\n"
    for file, more in (("tables.yaml", table), ("system.yaml", "")):
        text = (pack / file).read_text(encoding="utf-8") + more
        text = text.replace("look up scars", "look up scars\n    look up luck")
        (pack / file).write_text(text, encoding="utf-8")
    lines = [line.split("  ")[0] or line.split("  ")[1] for line in run(*asked).out.splitlines()]
    assert lines == ["Scars:", "1-3 Scratch", "4-5 Lame", "6 Ear", "Luck:", "1 Foul", "2 Fair", "Limping", "HP 0"]


def test_odds_at_the_prompt_of_an_event_that_takes_nothing(tmp_path: Path) -> None:
    pack = written(tmp_path)
    text = (pack / "system.yaml").read_text(encoding="utf-8")
    text = text.replace("    takes damage (to 99)\n", "").replace("-= damage", "-= d4")
    text = text.replace("look up scars", "look up scars\n    die")
    (pack / "system.yaml").write_text(text, encoding="utf-8")
    play = ("play", "nicks", "--pack", pack.name)
    assert run(*play, "add", "bryn").code == 0
    assert "HP 5" in run(*play, "odds", "bryn").out
    assert "dead after 2 hits" in run(*play, "odds", "bryn", "hits", "2").out


def test_cards_of_a_pack_with_codes_of_playing_cards_bear_the_name_of_their_deck(tmp_path: Path) -> None:
    deck = "decks:\n- {id: blows, title: Blows, cards: [{code: 3C, name: Graze}]}\n"
    (written(tmp_path) / "decks.yaml").write_text(deck, encoding="utf-8")
    printed = run("print", "nicks", "blows", "--pack", "nicks", "--format", "md", "-o", tmp_path / "out")
    assert printed.code == 0, printed.err
    (page,) = (tmp_path / "out").glob("*.md")
    text = page.read_text(encoding="utf-8")
    assert "Graze" in text and "joker" not in text.casefold()


def test_what_is_asked_for_and_not_there_is_answered_with_what_there_is(tmp_path: Path) -> None:
    pack = written(tmp_path)
    with (pack / "system.yaml").open("a", encoding="utf-8") as head:
        head.write("cards: [{name: wounds, from: {table: scars}}]\n")
    beside = ("--pack", pack.name)
    assert "Ear" in run("card", "nicks", "wounds-6", *beside).out
    assert run("card", "nicks", "wound:6", *beside).err == 'nicks has no card "wound:6": did you mean "wounds-6"?\n'
    assert run("print", "nicks", "sheet", *beside).err == (
        'nicks has no product "sheet": there is conditions, wounds, box, sets, starter, all; '
        "for a sheet write sheet.yaml, as docs/panels.md says\n"
    )


# --- steps of one's own ----------------------------------------------------------------------------------------------

HEAD = FILES["system.yaml"].partition("conditions:")[0]


def told(tmp_path: Path, head: str, *tables: str) -> list[str]:
    """What is said of a pack with this beneath its numbers, and with tables of two rows: `ID COLUMNS | ROW | ROW`."""
    pack = tmp_path / "nicks"
    pack.mkdir(exist_ok=True)
    (pack / "system.yaml").write_text(HEAD + head, encoding="utf-8")
    listed = []
    for table in tables:
        (name, *columns), rows = table.split("|")[0].split(), table.split("|")[1:]
        cells = {column: {"title": column.title()} for column in columns}
        entries = [{"at": at, **yaml.safe_load(f"{{{row}}}")} for at, row in enumerate(rows, 1)]
        listed.append({"id": name, "title": name, "roll": "d2", "covers": "1-2", "columns": cells, "rows": entries})
    if tables:
        (pack / "tables.yaml").write_text(yaml.safe_dump({"tables": listed}, width=500), encoding="utf-8")
    return [line.removeprefix("nicks/") for line in run("check", pack).faults]


HIT = "events:\n  hit: {says: a hit, do: [look up a]}\n"
A_TO_B = "a | name: x, effects: [look up b] | name: y"
A_TO_REST_OF_B = A_TO_B.replace("up b", "up b but not 1")
B_TO_A = "b | name: p, effects: [look up a] | name: q"
A_TO_HIT = "a | name: x, effects: [hit()] | name: y"
HIT_AGAIN = HIT.replace("look up a", "hit()")
EACH_OTHER = """\
conditions:
  a: {says: You are a, implies: [suffer b as long]}
  b: {says: You are b, implies: [suffer a as long]}
events:
  hit: {says: a hit, do: [suffer a for good]}
"""
CIRCLES = [
    (HIT, (A_TO_B, B_TO_A), r"tables.yaml:\d+:\d+: .*: table (a -> table b -> table a|b -> table a -> table b)"),
    (HIT, (A_TO_HIT,), "system.yaml:10:27: .*: event hit -> table a -> event hit"),
    (HIT_AGAIN, (), "system.yaml:10:27: .*: event hit -> event hit"),
    (EACH_OTHER, (), "system.yaml:10:33: .*: a -> b -> a"),
    (HIT, (A_TO_REST_OF_B, B_TO_A), ""),
]


@pytest.mark.parametrize(("head", "tables", "says"), CIRCLES, ids=["tables", "event", "itself", "conditions", "but"])
def test_a_circle_is_told_once_with_its_line(head: str, tables: tuple[str, ...], says: str, tmp_path: Path) -> None:
    lines = told(tmp_path, head, *tables)
    assert len(lines) == (1 if says else 0), lines
    assert not says or re.fullmatch(says, lines[0]), lines


def test_steps_after_a_death_never_run(tmp_path: Path) -> None:
    head = """\
events:
  hit: {says: a hit, do: [die, hp -= 1]}
  cut: |
    "a cut"
    if hp == 0:
      die
      say "Dust."
"""
    never = "this never runs, since the character is dead: write it before the death"
    assert told(tmp_path, head) == [f"system.yaml:10:32: {never}", f"system.yaml:15:7: {never}"]


@pytest.mark.parametrize(
    ("words", "columns", "cells", "says"),
    [
        ("[axe, bow]", "axe club", "cells: {axe: x, club: y}", "the table a has no column bow; it has axe, club"),
        ("[axe, club]", "", "note: x", "the table a has no columns: take this out"),
    ],
    ids=["lacks one", "has none"],
)
def test_a_column_that_no_table_has_is_told_at_the_step(
    words: str, columns: str, cells: str, says: str, tmp_path: Path
) -> None:
    step = "[look up a column weapon]"
    head = f"events:\n  hit: {{says: a hit, takes: {{weapon: {{of: {words}}}}}, do: {step}}}\n"
    (line,) = told(tmp_path, head, f"a {columns} | {cells} | {cells}")
    assert line.startswith("system.yaml:10:") and line.endswith(says)


def test_a_comma_between_brackets_hides_no_other_fault(tmp_path: Path) -> None:
    """Nor do cells without words, dice that begin at 1, and what is not known to any table."""
    head = """\
events:
  hit: {says: a hit, torn, do: [hp -= max(d6, 2), hq -= 1]}
  cut: {says: a cut, do: [look up a column 'x' coloumn y]}
"""
    lines = told(tmp_path, head, "a x y | cells: {x, y: fine} | cells: {x: fine, y: fine}")
    says = [
        '"torn" has no value. If the comma belongs to the text, put it in quotes: says: "a hit, torn"',
        "a comma or a colon has torn this text: write it below |, a statement on each line",
        'coloumn cannot follow here: did you mean "column"?',
        "expected text, not nothing",
    ]
    assert len(lines) == len(says), lines
    for sentence in says:
        assert sum(sentence in line for line in lines) == 1, lines


def test_a_table_from_0_names_its_dice(tmp_path: Path) -> None:
    pack = tmp_path / "nicks"
    assert told(tmp_path, HIT, "a | name: x | name: y") == []
    tables = (pack / "tables.yaml").read_text(encoding="utf-8").replace("covers: 1-2", "covers: 0-1")
    for at in (1, 2):
        tables = tables.replace(f"at: {at}\n", f"at: {at - 1}\n")
    (pack / "tables.yaml").write_text(tables, encoding="utf-8")
    assert "d2 shows 1-2, but the table covers 0-1: write 1d2-1, or give rows for all of it" in run("check", pack).err


# --- names -----------------------------------------------------------------------------------------------------------


def test_no_command_at_the_table_may_be_an_event() -> None:
    for system in map(load_pack, map(find, shipped())):
        game = game_of(system.system)
        assert {*prompt.commands(game)} - {*game.EVENTS} <= {*taken_names.COMMANDS}
        if system.system.kind == "steps":
            assert {*game.EVENTS}.isdisjoint(taken_names.EVENTS)
    assert {*prompt.WORDS} - {"?"} <= {*taken_names.COMMANDS}


@pytest.mark.parametrize("kind", ["event", "number", "argument", "condition"])
def test_a_name_that_is_taken_is_refused_and_says_by_what(kind: str, tmp_path: Path) -> None:
    names = {
        "event": taken_names.EVENTS,
        "number": taken_names.VALUES,
        "argument": taken_names.ARGUMENTS,
        "condition": taken_names.CONDITIONS,
    }[kind]
    for name, by in names.items():
        step = "hp -= 1"
        head = {
            "event": f"events:\n  {name}: {{says: x, do: [{step}]}}\n",
            "number": f"  words: {{{name}: {{name: X, of: [one, two]}}}}\nevents:\n  hit: {{says: x, do: [{step}]}}\n",
            "argument": f"events:\n  hit: {{says: x, takes: {{{name}: {{most: 3}}}}, do: [{step}]}}\n",
            "condition": f"conditions: {{{name}: {{says: You are x}}}}\nevents:\n  hit: {{says: x, do: [{step}]}}\n",
        }[kind]
        assert any(
            f'"{name}" is taken already, by {by}: choose another name' in line for line in told(tmp_path, head)
        ), name
