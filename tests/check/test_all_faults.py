"""What `check` says about an author's own steps: circles, steps that never run, columns, and names that are taken."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml
from helpers import run

from generator.games import game_of
from generator.model import taken_names
from generator.pack import content
from generator.session import prompt

HEAD = """\
id: nicks
title: Nicks
version: "1.0"
about: Every blow leaves something.
source: {title: Nicks, author: you, licence: yours}
procedure:
  kind: steps
  numbers: {hp: {name: HP, start: 6, least: 0}}
"""


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
    return [line.replace(f"{pack}/", "") for line in run("check", pack).faults]


HIT = "events:\n  hit: {says: a hit, do: [{do: look_up, table: a}]}\n"
A_TO_B = "a | name: x, effects: [{do: look_up, table: b}] | name: y"
A_TO_REST_OF_B = A_TO_B.replace("table: b", "table: b, but: [1]")
B_TO_A = "b | name: p, effects: [{do: look_up, table: a}] | name: q"
A_TO_HIT = "a | name: x, effects: [{do: call, event: hit}] | name: y"
HIT_AGAIN = HIT.replace("look_up, table: a", "call, event: hit")
EACH_OTHER = """\
conditions:
  a: {says: You are a, implies: [{do: suffer, condition: b, until: same}]}
  b: {says: You are b, implies: [{do: suffer, condition: a, until: same}]}
events:
  hit: {says: a hit, do: [{do: suffer, condition: a, until: permanent}]}
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
    head = (
        "events:\n  hit: {says: a hit, do: [{do: die}, {do: lower, number: hp, by: 1}]}\n"
        "  cut: {says: a cut, do: [{do: when, holds: hp == 0, then: [{do: die}, {do: say, says: Dust.}]}]}\n"
    )
    never = "this never runs, since the character is dead: write it before the death"
    assert told(tmp_path, head) == [f"system.yaml:10:38: {never}", f"system.yaml:11:72: {never}"]


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
    step = "[{do: look_up, table: a, column: weapon}]"
    head = f"events:\n  hit: {{says: a hit, takes: {{weapon: {{of: {words}}}}}, do: {step}}}\n"
    (line,) = told(tmp_path, head, f"a {columns} | {cells} | {cells}")
    assert line.startswith("system.yaml:10:") and line.endswith(says)


def test_a_comma_between_braces_hides_no_other_fault(tmp_path: Path) -> None:
    """Nor do cells without words, dice that begin at 1, and what is not known to any table."""
    head = """\
events:
  hit: {says: a hit, torn, do: [{do: lower, number: hp, by: max(d6, 2)}, {do: lower, number: hq, by: 1}]}
  cut: {says: a cut, do: [{do: look_up, table: a, column: 'x', coloumn: y}]}
  fall: {says: a fall, do: [{do: suffer, condition: dazzed, until: 1 hour}]}
"""
    lines = told(tmp_path, head, "a x y | cells: {x, y: fine} | cells: {x: fine, y: fine}")
    says = [
        '"torn" has no value. If the comma belongs to the text, put it in quotes: says: "a hit, torn"',
        'a comma ends max(d6, 2) between braces: put it in quotes, by: "max(d6, 2)"',
        'unknown number "hq"',
        'unknown key "coloumn": did you mean "column"?',
        'unknown condition "dazzed": there is none yet, so write it first',
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
    for system in map(content.load, map(content.find, content.shipped())):
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
        step = "{do: lower, number: hp, by: 1}"
        head = {
            "event": f"events:\n  {name}: {{says: x, do: [{step}]}}\n",
            "number": f"  words: {{{name}: {{name: X, of: [one, two]}}}}\nevents:\n  hit: {{says: x, do: [{step}]}}\n",
            "argument": f"events:\n  hit: {{says: x, takes: {{{name}: {{most: 3}}}}, do: [{step}]}}\n",
            "condition": f"conditions: {{{name}: {{says: You are x}}}}\nevents:\n  hit: {{says: x, do: [{step}]}}\n",
        }[kind]
        assert any(
            f'"{name}" is taken already, by {by}: choose another name' in line for line in told(tmp_path, head)
        ), name
