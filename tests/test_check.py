"""`hackjack check`: every kind of fault gets its sentence, at its line and column."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec
import pytest
from helpers import CONTENT, copy_pack, hackjack, run

from generator.base.fields import AuthorText, ConditionName, PartName, StatisticName, TrackName
from generator.check.references import References, naming
from generator.games import content_of
from generator.model import rules

HERE = "▶"
"""Stands in a replacement where the problem is to be reported."""


@dataclass(frozen=True)
class Fault:
    """One way to spoil a file of the pack: what is replaced by what, and what the program must say to it."""

    name: str
    file: str
    old: str
    new: str
    says: str


def deck(name: str, old: str, new: str, says: str) -> Fault:
    return Fault(name, "deck.yaml", old, new, says)


def system(name: str, old: str, new: str, says: str) -> Fault:
    return Fault(name, "system.yaml", old, new, says)


def tables(name: str, old: str, new: str, says: str) -> Fault:
    return Fault(name, "tables.yaml", old, new, says)


def claims(name: str, old: str, new: str, says: str) -> Fault:
    return Fault(name, "claims.yaml", old, new, says)


SHORT = "      - {do: draw, cards: 1, keep: all, score: true, pools: none}\n"
LONG = "      - {do: suffer, condition: marked, until: recovery}\n" * 11

FAULTS = [
    # panels
    Fault(
        "number on a screen",
        "screen.yaml",
        '"{H7} Over {limit}',
        '▶"{H7} Over {limitt}',
        'there is no number "{limitt}" in the procedure: did you mean "limit"?',
    ),
    Fault(
        "glyph on a screen", "screen.yaml", "title: Healing", "title: 傷", 'the block "傷" of the panel "Afterwards"'
    ),
    system("boxes by no number", "most: limit}", "most: ▶limmit}", "limmit is no number of the procedure from 1"),
    Fault("table on a screen", "screen.yaml", "table: recovery}", "table: ▶recovry}", 'unknown table "recovry"'),
    Fault("block of no kind", "screen.yaml", "block: suits,", "block: ▶suitz,", 'unknown block "suitz"'),
    Fault("track on a sheet", "sheet.yaml", "track: blood,", "track: ▶blod,", 'unknown track "blod"'),
    Fault("rows on a sheet", "sheet.yaml", "rows: 9}", "rows: ▶900}", "900 is out of range"),
    Fault("column of a reference", "reference.yaml", "columns: 2", "columns: ▶two", "two stands where"),
    # keys
    deck("unknown key", "    trauma: 1", "    ▶truama: 1", 'unknown key "truama": did you mean "trauma"?'),
    deck(
        "unknown key in an effect",
        "{do: drop, what: weapons}",
        "{do: drop, what: weapons, ▶now: true}",
        'unknown key "now"; known: do, what',
    ),
    system(
        "unknown key at the top", "procedure:", "▶proceedure:\n  kind: harm\nprocedure:", 'unknown key "proceedure"'
    ),
    system(
        "a number beside the procedure",
        "procedure:",
        "▶limit: 18\nprocedure:",
        'key "limit": write it under "procedure"',
    ),
    deck("missing key", "code: AC\n    name: Winded\n", "▶code: AC\n", 'the key "name" is missing: what it is called'),
    deck(
        "missing key in an effect",
        "{do: suffer, condition: knocked_back, until: now}",
        "▶{do: suffer, condition: knocked_back}",
        'the key "until" is missing: how long it lasts',
    ),
    deck("missing do", "{do: drop, what: item}", "▶{what: item}", 'the key "do" is missing; known: suffer, penalty'),
    system("missing number", "  kind: harm\n  limit: 21", "  ▶kind: harm", 'the key "limit" is missing: '),
    system("missing switch default", 'name: pass_out\n      default: "off"', "▶name: pass_out", 'the key "default" is'),
    # types
    deck("text for a number", "    trauma: 1", '    trauma: ▶"1"', "1 stands where a whole number is wanted"),
    deck("number for a text", "name: Winded", "name: ▶12", '12 stands where text is wanted: write "12" in quotes'),
    deck("nothing for a text", "name: Winded", "name:▶", "nothing stands where text is wanted"),
    deck("true for a number", "    trauma: 1", "    trauma: ▶true", "true stands where a whole number is wanted"),
    deck("decimal for a number", "    trauma: 1", "    trauma: ▶1.5", "1.5 stands where a whole number is wanted"),
    deck("text for true or false", "score: false", "score: ▶no", "no stands where true or false is wanted"),
    deck("word for a list", "to: [all_rolls]", "to: ▶all_rolls", "all_rolls stands where a list is wanted"),
    deck(
        "list for a mapping",
        "{do: drop, what: item}",
        "▶[drop, item]",
        "a list stands where keys and values are wanted",
    ),
    deck("an effect as a word", "{do: drop, what: item}", "▶drop", "drop stands where keys and values are wanted"),
    deck("too small", "    trauma: 1", "    trauma: ▶0", "0 is out of range: from 1 to 100"),
    deck("too large", "cards: 2, keep: choose_one", "cards: ▶6, keep: choose_one", "6 is out of range: from 1 to 5"),
    deck("empty list", "to: [all_rolls]", "to: ▶[]", "0 entries are too few: 1 at least"),
    deck("line too long", "name: Winded", "name: ▶" + "x" * 81, "81 characters are too many: 80 at most"),
    system("bad version", 'version: "1.0"', 'version: ▶"one"', '"one" is not a version such as "1.0"'),
    system(
        "version not quoted",
        'version: "1.0"',
        "version: ▶1.0",
        '1.0 stands where text is wanted: write "1.0" in quotes',
    ),
    system("bad ruling number", "id: H1\n", "id: ▶h1\n", '"h1" is not a ruling\'s number such as H7'),
    system(
        "bad short name",
        "knocked_back: {says",
        "▶Knocked Back: {says",
        '"Knocked Back" is not a short name in lower case',
    ),
    # dice, durations, words
    deck(
        "bad dice",
        "blood: 1d4",
        "blood: ▶1dd4",
        '"1dd4" is not dice: write a whole number or dice such as 1d4 or 2d6+1',
    ),
    deck("one-sided die", "blood: 1d4", "blood: ▶3d1", '"3d1": roll 1 to 100 dice of 2 to 1000 faces'),
    deck(
        "not one die",
        "{do: check, die: d20",
        "{do: check, die: ▶2d20",
        "2d20 is not a single die: write d4, d20 or the like",
    ),
    deck("less than no Blood", "blood: 1d4", "blood: ▶1d4-2", "1d4-2 can be less than 0"),
    deck(
        "penalty that helps", "by: 1d2", "by: ▶-2", "a penalty of -2 can be less than 1: write how much is taken away"
    ),
    deck("wrong until", "until: stand", "until: ▶standing", '"standing" is no duration: did you mean "stand"?'),
    deck("wrong unit", "until: 1 week", "until: ▶1 fortnight", '"1 fortnight" is no duration'),
    deck("span of nothing", "until: 1 week", "until: ▶0 weeks", '"0 weeks" can be less than one week'),
    deck("unknown effect", "{do: peek", "{do: ▶peak", 'unknown do "peak": did you mean "peek"?'),
    deck("unknown word", "what: weapons", "what: ▶weapon", '"weapon" is not known here: did you mean "weapons"?'),
    deck(
        "unknown event", "event: red_card", "event: ▶redcard", '"redcard" is not known here: did you mean "red_card"?'
    ),
    deck(
        "unknown beginning",
        "begins: recovery",
        "begins: ▶recover",
        '"recover" is not known here: did you mean "recovery"?',
    ),
    # references
    deck(
        "unknown condition",
        "condition: knocked_back",
        "condition: ▶knocked_bak",
        'unknown condition "knocked_bak": did you',
    ),
    deck(
        "unknown condition in a check",
        "condition: dazed",
        "condition: ▶dased",
        'unknown condition "dased": did you mean "dazed"?',
    ),
    deck("unknown exception", "unless: masked", "unless: ▶maskd", 'unknown condition "maskd": did you mean "masked"?'),
    deck(
        "unknown statistic",
        "to: [all_rolls]",
        "to: [▶all_roles]",
        'unknown statistic "all_roles": did you mean "all_rolls"?',
    ),
    deck("unknown half", "statistic: charisma", "statistic: ▶charm", 'unknown statistic "charm"'),
    deck(
        "a condition that nobody has defined",
        "condition: knocked_back",
        "condition: ▶waterlogged",
        'unknown condition "waterlogged": to add one of your own, write it under "conditions" in system.yaml',
    ),
    deck("unknown part", "part: limb", "part: ▶lim", 'unknown part "lim": did you mean "limb"?'),
    deck("part without a die", "part: arm}", "part: ▶eye}", 'the part "eye" has no die to roll'),
    deck("unknown ruling", "rulings: [H15]", "rulings: [▶H51]", 'unknown ruling "H51": did you mean "H'),
    tables("unknown track", "by: trauma", "by: ▶trauna", 'unknown track "trauna": did you mean "trauma"?'),
    tables(
        "unknown ruling of a table", "rulings: [H13, H14]", "rulings: [H13, ▶H140]", 'unknown ruling "H140": did you'
    ),
    claims("unknown table", "table: recovery", "table: ▶recovry", 'unknown table "recovry": did you mean "recovery"?'),
    claims(
        "unknown number", "number: massive,", "number: ▶masive,", 'unknown number "masive": did you mean "massive"?'
    ),
    claims("unknown card of a claim", "cards: [AC, AS,", "cards: [▶1C, AS,", 'unknown card "1C": did you mean '),
    system(
        "unknown member",
        "stands_for: [intelligence, w",
        "stands_for: [▶inteligence, w",
        'unknown statistic "inteligence"',
    ),
    system(
        "a name that two statistics share",
        "strength: {name: Strength, brief: Str}",
        "strength: {name: Strength, brief: Str, also: [▶wisdom]}",
        '"wisdom" is a name of wisdom already',
    ),
    # the deck as a whole
    deck("duplicate card", "code: 2C", "code: ▶AC", "the card AC stands twice: entry 1 has it already"),
    deck("no card", "code: 2C", "code: ▶1C", '"1C" is no card: did you mean '),
    deck(
        "wrong score",
        "code: KH\n",
        "code: KH\n    score: ▶11\n",
        "the King of hearts scores 10 by its rank, not 11: take the",
    ),
    deck(
        "choice of one", "cards: 2, keep: choose_one", "cards: ▶1, keep: choose_one", "a choice needs two cards or more"
    ),
    deck(
        "nothing follows",
        "{do: whenever, event: red_card, blood: 1,",
        "▶{do: whenever, event: red_card,",
        "nothing follows: give",
    ),
    deck(
        "same without a predecessor",
        "until: now}",
        "until: ▶same}",
        '"same" needs an effect before it: say how long it lasts',
    ),
    # the system as a whole
    system(
        "default that is no option",
        "default: over_13",
        "default: ▶over_14",
        '"over_14" is none of the options: did you mean',
    ),
    system(
        "one option only",
        "options:\n        out: The deck has 52 cards.\n        lucky",
        "options:\n        ▶lucky",
        "1 entries",
    ),
    system(
        "two switches of a name",
        "name: first_draw",
        "name: ▶massive_damage",
        'the switch "massive_damage" stands twice',
    ),
    system("two rulings of a number", "id: H2\n", "id: ▶H1\n", 'the ruling "H1" stands twice: entry 1 has it already'),
    system(
        "bad placeholder",
        "towards {limit}.",
        "towards {limitt}.",
        'there is no number "{limitt}" in the procedure: did you',
    ),
    system(
        "bad placeholder on a sticker",
        "brief: dazed, fails: stay dazed, emblem: stun}",
        'brief: dazed, fails: stay dazed, emblem: stun, short: ▶"over {limitt}"}',
        'there is no number "{limitt}" in the procedure: did you',
    ),
    system(
        "a figure without such an area",
        "eye: {name: eye, figure: head}",
        "eye: {name: eye, figure: ▶eye}",
        '"eye" is not known here; known: arm, hand, head, leg, torso',
    ),
    system(
        "die against places",
        "arm: {name: arm, die: d2",
        "arm: {name: arm, die: ▶d3",
        "d3 has 3 faces, but 2 places are named",
    ),
    system(
        "die against steps",
        "      die: d4\n      steps",
        "      die: ▶d6\n      steps",
        "d6 has 6 faces, but 4 steps are named",
    ),
    system(
        "places without a die",
        "    name: finger\n    die: d10\n",
        "    ▶name: finger\n",
        'the key "die" is missing: name the die that',
    ),
    system("no such face", "reconstructed: [2, 3]", "reconstructed: [2, ▶5]", "there is no face 5"),
    system("unknown rank", "scores: {A: 1,", "scores: {A: 1, B: ▶2,", 'unknown rank "B"; known: A, 2, 3'),
    system("rank without a score", "scores: {A: 1, J: 10,", "scores: ▶{J: 10,", "the score of the rank A is missing"),
    # tables
    tables("gap", "      - {at: 3, lasts: 2d6 weeks}\n      - {at: 4,", "      - {at: ▶4,", "no row covers 3"),
    tables("overlap", "{at: 3, lasts", "{at: ▶2-3, lasts", "the row 2-3 overlaps the row before it"),
    tables("too short", "covers: 1-6", "covers: ▶1-7", "the rows end at 6, but the table covers 1-7"),
    tables("without an end", "{at: 6,", "{at: 6+,", "the rows end without an end, but the table covers 1-6"),
    tables("backwards", "covers: 1-6", "covers: ▶6-1", '"6-1" runs backwards: write 1-6'),
    tables("no range", "covers: 1-6", "covers: ▶one", '"one" is no range of results: write 3, 1-4 or 13+'),
    tables(
        "no span", "lasts: 2d6 weeks", "lasts: ▶recovery", '"recovery" is no span of time: write 2d6 weeks or the like'
    ),
    claims(
        "two claims of a name", "id: aces,", "id: ▶deck_of_52,", 'the claim "deck_of_52" stands twice: entry 1 has it'
    ),
    claims("unknown kind of claim", "about: deck,", "about: ▶decks,", 'unknown about "decks": did you mean "deck"?'),
    # YAML
    deck(
        "duplicate key",
        "    trauma: 1\n",
        "    trauma: 1\n    ▶trauma: 2\n",
        'the key "trauma" stands twice: it is on line',
    ),
    deck(
        "anchor",
        "name: Winded",
        "name: ▶&w Winded",
        "the anchor &w is not allowed: write the value out where it is used",
    ),
    deck("alias", "name: Winded", "name: ▶*w", "the alias *w is not allowed: write the value out"),
    deck(
        "tag", "name: Winded", "name: ▶!!str Winded", "the tag tag:yaml.org,2002:str is not allowed: plain values only"
    ),
    deck(
        "colon in a text",
        "flavour: The breath",
        "flavour: Look▶: the breath",
        "this is not YAML: mapping values are not",
    ),
    deck(
        "tab",
        "    name: Winded",
        "▶\tname: Winded",
        "this is not YAML: found a tab character that violates indentation",
    ),
    deck("open bracket", "rulings: [H24]\n", "rulings: [H24\n", "this is not YAML: "),
    # print
    deck("text too long", SHORT, LONG, "the text does not fit its card: at 6.5 pt, the smallest type, it needs "),
    deck(
        "word too wide",
        "flavour: The breath goes first, then the ground.",
        "flavour: " + "W" * 60,
        "a word is wider than the card",
    ),
    deck(
        "name too long",
        "code: AC\n    name: Winded",
        "▶code: AC\n    name: " + "Wretched wound " * 5,
        "the name does not fit in two lines: shorten it",
    ),
    deck(
        "no such glyph",
        "code: AC\n    name: Winded",
        "▶code: AC\n    name: 傷 Winded",
        "the printed font has no 傷 (U+50B7), as in ",
    ),
    deck(
        "emoji",
        "code: AC\n    name: Winded",
        "▶code: AC\n    name: Winded 💀",
        "the printed font has no 💀 (U+1F480), as in ",
    ),
]
ELSEWHERE = {
    # Where the problem is not reported at a place inside the replacement: found by what stands there.
    "glyph on a screen": "block: steps\n        title: 傷",
    "bad placeholder": "Below 0 HP every hit",
    "without an end": "1-6",
    "open bracket": None,
    "text too long": "code: QS",
    "word too wide": "code: AC",
}


def spoil(folder: Path, fault: Fault) -> tuple[Path, tuple[int, int] | None]:
    """A pack with that fault alone, and the line and column where it is to be found."""
    pack = copy_pack(folder)
    path = pack / fault.file
    text = path.read_text(encoding="utf-8")
    assert fault.old in text, f"the content has no {fault.old!r} any more"
    text = text.replace(fault.old, fault.new, 1)
    at = text.find(HERE)
    if at < 0 and (needle := ELSEWHERE[fault.name]):
        at = text.index(needle)
    text = text.replace(HERE, "")
    path.write_text(text, encoding="utf-8")
    return pack, (text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)) if at >= 0 else None


@pytest.mark.parametrize("fault", FAULTS, ids=[fault.name for fault in FAULTS])
def test_a_fault_is_told_with_its_place(fault: Fault, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    pack, place = spoil(tmp_path, fault)
    done = run("check", pack)
    assert done.code == 1
    assert "pack: sound" not in done.out
    where = f"pack/{fault.file}:" + (f"{place[0]}:{place[1]}: " if place else "")
    hits = [line for line in done.faults if line.startswith(where) and fault.says in line]
    assert len(hits) == 1, f"expected {where}{fault.says}\n{done.err}"
    # A spoilt card is missing as well, a claim may stop to hold, and a screen may miss a ruling; that is all.
    others = [line for line in done.faults if line not in hits]
    assert not [
        line for line in others if not re.search(r"1 card is missing: |unknown ruling|the claim .* fails: ", line)
    ], done.err


def test_there_are_faults_of_every_kind() -> None:
    assert len({fault.name for fault in FAULTS}) == len(FAULTS) >= 80
    assert {fault.file for fault in FAULTS} == {path.name for path in CONTENT.iterdir()}


def test_a_missing_card_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    path = copy_pack(tmp_path) / "deck.yaml"
    before, _, after = path.read_text(encoding="utf-8").partition("  - code: KH\n")
    path.write_text(before + after[after.index("  # --- jokers") :], encoding="utf-8")
    done = run("check", "pack")
    assert done.code == 1
    line = next(number for number, text in enumerate(before.splitlines(), 1) if text == "cards:") + 2
    assert done.faults == [f"pack/deck.yaml:{line}:3: 1 card is missing: KH"]


def test_a_score_that_differs_on_purpose_is_let_pass(tmp_path: Path) -> None:
    path = copy_pack(tmp_path) / "deck.yaml"
    text = path.read_text(encoding="utf-8")
    path.write_text(
        text.replace("code: 9H\n", "code: 9H\n    score: 8\n    score_on_purpose: true\n"), encoding="utf-8"
    )
    (path.parent / "claims.yaml").unlink()
    assert run("check", path.parent).code == 0
    assert "score 8" in run("card", "hackjack", "9H", "--pack", path.parent).out


# --- faults of files, not of lines ---------------------------------------------------------------------------------


def test_a_file_with_a_misspelt_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    pack = copy_pack(tmp_path)
    (pack / "deck.yaml").rename(pack / "dekc.yaml")
    (pack / "tables.yml").write_text("tables: []\n")
    (pack / "zzz.yaml").write_text("a: 1\n")
    assert run("check", pack).faults == [
        'pack/dekc.yaml: nothing reads this file: did you mean "deck.yaml"?',
        'pack/tables.yml: nothing reads this file: did you mean "tables.yaml"?',
        "pack/zzz.yaml: nothing reads this file; known: system.yaml, deck.yaml, decks.yaml, tables.yaml, "
        "claims.yaml, combatants.yaml, tokens.yaml, screen.yaml, sheet.yaml, reference.yaml, theme.yaml",
    ]


def test_a_pack_without_a_system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    pack = copy_pack(tmp_path)
    (pack / "system.yaml").unlink()
    done = run("check", pack)
    assert done.code == 1
    assert done.faults == ["pack/system.yaml: the file is missing: every pack has a system.yaml"]


def test_a_link_out_of_the_pack_is_not_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    pack = copy_pack(tmp_path)
    outside = tmp_path / "secret.yaml"
    outside.write_text("password: hunter2\n")
    (pack / "tables.yaml").unlink()
    (pack / "tables.yaml").symlink_to(outside)
    done = run("check", pack)
    assert done.code == 1
    assert len(done.faults) == 1
    assert "tables.yaml: " in done.err or done.err.startswith("secret.yaml: ")
    assert "the file leads out of its pack: put the file itself here, not a link" in done.err
    assert "hunter2" not in done.err


@pytest.mark.parametrize(
    ("raw", "says"),
    [
        (b"#" * 1_000_001, "pack/claims.yaml: the file is larger than 1,000,000 bytes: split it or shorten it"),
        (b"a: 1\nb: \xff\n", "pack/claims.yaml:2:1: this is not UTF-8 text: save the file as UTF-8"),
        (b"", "pack/claims.yaml:1:1: the file is empty"),
        (b"- 1\n", "pack/claims.yaml:1:1: a list stands where keys and values are wanted"),
        (b"---\n", "pack/claims.yaml:2:1: nothing stands where keys and values are wanted"),
        (b"a: " + b"[" * 60, "pack/claims.yaml:1:53: this is not YAML: nested deeper than 50 levels"),
    ],
)
def test_files_that_are_no_content(raw: bytes, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    pack = copy_pack(tmp_path)
    (pack / "claims.yaml").write_bytes(raw)
    done = run("check", pack)
    assert (done.code, done.faults) == (1, [says])


def test_a_folder_in_the_place_of_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    pack = copy_pack(tmp_path)
    (pack / "claims.yaml").unlink()
    (pack / "claims.yaml").mkdir()
    done = run("check", pack)
    assert done.code == 1
    assert [line.startswith("pack/claims.yaml: cannot be read: ") for line in done.faults] == [True]


# --- one run tells all ---------------------------------------------------------------------------------------------


def test_all_faults_of_all_files_are_told_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    pack = copy_pack(tmp_path)
    chosen = [
        "unknown key",
        "bad dice",
        "wrong until",
        "unknown effect",
        "bad version",
        "no range",
        "unknown kind of claim",
    ]
    for fault in (fault for fault in FAULTS if fault.name in chosen):
        path = pack / fault.file
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace(fault.old, fault.new.replace(HERE, ""), 1), encoding="utf-8")
    done = run("check", pack)
    assert done.code == 1
    assert len(done.faults) == len(chosen)
    for fault in (fault for fault in FAULTS if fault.name in chosen):
        assert sum(fault.says in line and f"pack/{fault.file}:" in line for line in done.faults) == 1
    assert done.faults == sorted(done.faults, key=lambda line: (line.split(":")[0], *map(int, line.split(":")[1:3])))


def test_faults_of_sense_are_told_at_once_too(tmp_path: Path) -> None:
    pack = copy_pack(tmp_path)
    chosen = [
        "unknown condition",
        "unknown part",
        "wrong score",
        "too short",
        "default that is no option",
        "unknown number",
    ]
    for fault in (fault for fault in FAULTS if fault.name in chosen):
        path = pack / fault.file
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace(fault.old, fault.new.replace(HERE, ""), 1), encoding="utf-8")
    done = run("check", pack, "--json")
    assert done.code == 1
    (checked,) = json.loads(done.out)["checked"]
    assert len(checked["problems"]) == len(chosen)


# --- what a good pack gives ----------------------------------------------------------------------------------------


def test_a_sound_pack(tmp_path: Path) -> None:
    pack = copy_pack(tmp_path)
    for named in (pack, pack / "deck.yaml"):
        done = run("check", named)
        assert (done.code, done.err) == (0, "")
        assert done.out.splitlines()[-1] == "pack: sound"


def test_the_json_of_a_check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    pack, place = spoil(tmp_path, next(fault for fault in FAULTS if fault.name == "bad dice"))
    assert place is not None
    done = run("check", "hackjack", pack, "--json")
    assert (done.code, done.err) == (1, "")
    good, bad = json.loads(done.out)["checked"]
    assert {key: good[key] for key in ("pack", "sound", "problems")} == {
        "pack": str(CONTENT),
        "sound": True,
        "problems": [],
    }
    assert (bad["pack"], bad["sound"]) == (str(pack), False)
    assert bad["problems"] == [
        {
            "file": "pack/deck.yaml",
            "line": place[0],
            "column": place[1],
            "message": '"1dd4" is not dice: write a whole number or dice such as 1d4 or 2d6+1',
        }
    ]


def test_a_pack_of_rules_alone_is_sound(tmp_path: Path) -> None:
    pack = copy_pack(tmp_path)
    for name in ("deck", "tables", "claims", "screen", "sheet", "reference"):
        (pack / f"{name}.yaml").unlink()
    head = pack / "system.yaml"
    head.write_text(head.read_text().partition("\nbacks:")[0])
    assert run("check", pack).code == 0


# --- whatever happens to a line ------------------------------------------------------------------------------------

JUNK = ["", "~", "true", "-1", "999999999", "1.5", "[]", "{}", "[[]]", "{do: draw}", "'", '"', "x: y: z", "*a", "&a 1"]
JUNK += [
    "!!int 3",
    "\t",
    "%",
    "- ",
    "傷",
    "2d6",
    "1 week",
    "\u202e",
    "\x00",
    "null",
    "{{ 7 * 7 }}",
    "a\tb",
    "\\n",
    "{limit",
    "|",
]


def mutations(file: str, seed: int, many: int) -> Iterator[tuple[str, str]]:
    """Single lines of a file that are deleted, doubled, cut, moved in, or whose key or value becomes junk."""
    luck = random.Random(f"{file} {seed}")
    lines = (CONTENT / file).read_text(encoding="utf-8").split("\n")
    for _ in range(many):
        at = luck.randrange(len(lines))
        line = lines[at]
        kind = luck.choice(["delete", "double", "key", "value", "value", "cut", "indent", "word"])
        junk = luck.choice(JUNK)
        match kind:
            case "delete":
                new = []
            case "double":
                new = [line, line]
            case "key":
                new = [line.replace(line.partition(":")[0].strip(" -"), junk or "junk", 1)]
            case "value":
                new = [f"{line.partition(':')[0]}: {junk}"]
            case "cut":
                new = [line[: luck.randrange(len(line) + 1)]]
            case "indent":
                new = [" " * luck.randrange(1, 4) + line]
            case _:
                words = line.split(" ")
                words[luck.randrange(len(words))] = junk
                new = [" ".join(words)]
        yield f"{kind} {junk!r} in line {at + 1}: {line}", "\n".join([*lines[:at], *new, *lines[at + 1 :]])


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize(
    ("file", "many"), [("deck.yaml", 50), ("system.yaml", 30), ("tables.yaml", 15), ("claims.yaml", 20)]
)
def test_no_change_of_a_line_brings_it_down(file: str, many: int, seed: int, tmp_path: Path) -> None:
    pack = copy_pack(tmp_path)
    verdicts = set()
    for what, text in mutations(file, seed, many):
        (pack / file).write_text(text, encoding="utf-8")
        try:
            done = run("check", pack, "--json")
        except Exception as error:
            raise AssertionError(f"{file}: {what}") from error
        assert done.err == "", what
        (checked,) = json.loads(done.out)["checked"]
        assert checked["sound"] == (not checked["problems"]) == (done.code == 0), what
        verdicts.add(checked["sound"])
        for problem in checked["problems"]:
            lines = Path(problem["file"]).read_text(encoding="utf-8").count("\n") + 2
            assert problem["file"] in {str(path) for path in pack.iterdir()}, what
            assert 0 <= problem["line"] <= lines, what
            assert problem["message"], what
    assert False in verdicts


FIELDS = [("condition", ConditionName), ("on", PartName), ("lowers", dict[StatisticName, tuple[TrackName, ...]])]
Branded = msgspec.defstruct(
    "Branded", [*FIELDS, ("says", AuthorText)], bases=(rules.Effect,), frozen=True, tag="branded"
)
"""An effect that no file of the checks has heard of."""


def test_a_name_is_looked_up_because_its_type_says_so() -> None:
    loaded = hackjack()
    references = References(loaded, content_of(loaded))
    sound = Branded("prone", "arm", {"strength": ("blood", "trauma")}, "Over {limit} [H1]")
    assert list(references.faults((("effects", 0), sound, ()))) == []
    spoilt = Branded("prne", "arms", {"strenght": ("blod",)}, "Over {limitt} [H111]")
    assert list(references.faults((("effects", 0), spoilt, ()))) == [
        (("effects", 0, "condition"), 'unknown condition "prne": did you mean "prone"?'),
        (("effects", 0, "on"), 'unknown part "arms": did you mean "arm"?'),
        (("effects", 0, "lowers", "strenght"), 'unknown statistic "strenght": did you mean "strength"?'),
        (("effects", 0, "lowers", "strenght", 0), 'unknown track "blod": did you mean "blood"?'),
        (("effects", 0, "says"), 'there is no number "{limitt}" in the procedure: did you mean "limit"?'),
        (("effects", 0, "says"), 'unknown ruling "H111": did you mean "H11"?'),
    ]


def test_whatever_a_type_of_content_names_can_be_looked_up() -> None:
    loaded = hackjack()
    known = {*References(loaded, content_of(loaded)).known, "column", "font", "picture", "quoted number"}
    kinds, named = [msgspec.Struct], set()
    for kind in kinds:
        kinds += kind.__subclasses__()
        if kind.__module__.startswith("generator.model"):
            named |= {mark.noun for _, keys, values in naming(kind) for mark in (*keys, *values)}
    assert named == known
