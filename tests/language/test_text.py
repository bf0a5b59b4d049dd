"""Rules as text: what is read, what is refused and how, and what is written back."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from helpers import ROOT, docs_script, kinds_of_language_packs, run

from generator.language.event_writer import write_event
from generator.language.forms import statements
from generator.language.headings import read_event
from generator.language.names import Names
from generator.language.reader import read_steps
from generator.language.splice import with_steps
from generator.language.writer import write_steps
from generator.model.rules import plain_value
from generator.pack.load import load_pack

NAMES = Names(frozenset(["prone", "low"]), {"flows": frozenset(["any_damage", "never"])}, frozenset(["low", "hp"]))

READ: tuple[tuple[str, dict[str, Any]], ...] = (
    ("suffer prone until stand", {"do": "suffer", "condition": "prone", "until": "stand"}),
    ("suffer blind for d12 hours named who",
     {"do": "suffer", "condition": "blind", "until": "d12 hours", "detail": "who"}),
    ("suffer out at once", {"do": "suffer", "condition": "out", "until": "now"}),
    ("suffer blind for good", {"do": "suffer", "condition": "blind", "until": "permanent"}),
    ("suffer dying as long", {"do": "suffer", "condition": "dying", "until": "same"}),
    ("suffer mad as long again", {"do": "suffer", "condition": "mad", "until": "again"}),
    ("suffer sore until it eases", {"do": "suffer", "condition": "sore", "until": "eases"}),
    ("suffer lost until the GM says", {"do": "suffer", "condition": "lost", "until": "gm"}),
    ("suffer weak for grit + 1 rounds levels 2 after 1 minute",
     {"do": "suffer", "condition": "weak", "until": "grit + 1 rounds", "levels": "2", "after": "1 minute"}),
    ("penalty 1d4 to each of wisdom and intelligence until recovery once recovered",
     {"do": "penalty", "by": "1d4", "each": True, "to": ["wisdom", "intelligence"],
      "until": "recovery", "begins": "recovery"}),
    ("bonus 2 to a, b and c for 3 rounds", {"do": "bonus", "by": "2", "to": ["a", "b", "c"], "until": "3 rounds"}),
    ("halve speed until rest unless prone", {"do": "halve", "statistic": "speed", "until": "rest", "unless": "prone"}),
    ("risk speech if d6 <= 2 for good", {"do": "risk", "of": "speech", "die": "d6", "upto": 2, "until": "permanent"}),
    ("drop hand if d2 <= 1", {"do": "drop", "what": "hand", "die": "d2", "upto": 1}),
    ("draw 2, choose one", {"do": "draw", "cards": 2, "keep": "choose_one", "pools": "all", "score": False}),
    ("draw 2, pools lowest, with score", {"do": "draw", "cards": 2, "keep": "all", "pools": "lowest", "score": True}),
    ("repeat or draw 1 times 2", {"do": "repeat", "draw": 1, "times": 2}),
    ("whenever red_card until recovery blood 1",
     {"do": "whenever", "event": "red_card", "until": "recovery", "blood": 1}),
    ("check d20 over score else suffer dazed until check",
     {"do": "check", "die": "d20", "over": "score",
      "fails": [{"do": "suffer", "condition": "dazed", "until": "check"}]}),
    ('hp -= max(amount - 1, 0) no further than 0 [H2]\n  log "{by} off."\n  as hit',
     {"do": "lower", "number": "hp", "by": "max(amount - 1, 0)", "least": "0", "ruling": "H2",
      "log": {"says": "{by} off.", "kind": "hit"}}),
    ('hp += 1\n  say "Up."', {"do": "raise", "number": "hp", "by": "1", "says": "Up."}),
    ('hp = 3\n  print "Three."', {"do": "set", "number": "hp", "to": "3", "says": "Three.", "log": {}}),
    ('let grit = 2d6 titled "Grit" unprinted', {"do": "let", "name": "grit", "be": "2d6", "title": "Grit", "says": ""}),
    ('throw best: highest of 3d6', {"do": "throw", "dice": {"best": "6"}, "many": "3", "keep": "1"}),
    ("throw fear: d(grit), hope: d8 times n", {"do": "throw", "dice": {"fear": "grit", "hope": "8"}, "many": "n"}),
    ("throw pool: d6 times n counting hits on 6",
     {"do": "throw", "dice": {"pool": "6"}, "many": "n", "counts": {"hits": 6}}),
    ("look up wounds", {"do": "look_up", "table": "wounds"}),
    ("look up severity on body, column place, but not 3 and 5-6",
     {"do": "look_up", "by": "severity", "table": "body", "column": "place", "but": ["3", "5-6"]}),
    ("look up aimed type, times 2", {"do": "look_up", "aimed": "type", "times": "2"}),
    ("look up by severity, aimed type", {"do": "look_up", "by": "severity", "aimed": "type"}),
    ("end all until stand or rest", {"do": "end", "until": ["stand", "rest"]}),
    ("end all wounds", {"do": "end", "group": "wounds"}),
    ("end coming dying cause heal", {"do": "end", "coming": "dying", "cause": "heal"}),
    ("end prone levels 1 here", {"do": "end", "condition": "prone", "levels": "1", "here": True}),
    ("shorten all wounds by points days",
     {"do": "shorten", "all": True, "of": "wounds", "by": "points", "unit": "day"}),
    ("shorten harm by 1 round chosen n rest next",
     {"do": "shorten", "of": "harm", "by": "1", "unit": "round", "chosen": "n", "rest": "next"}),
    ("pass an hour quietly", {"do": "pass", "unit": "hour", "log": {"quiet": True}}),
    ("pass amount rounds", {"do": "pass", "times": "amount", "unit": "round"}),
    ("draw n from deck, keep 1, best card.score",
     {"do": "draw_card", "cards": "n", "deck": "deck", "keep": "1", "best": "card.score"}),
    ("read but draw and repeat", {"do": "read", "but": ["draw", "repeat"]}),
    ("keep on pile counting card.score", {"do": "keep", "pile": "pile", "counts": "card.score"}),
    ("hit(damage: 3, type)", {"do": "call", "event": "hit", "with": {"damage": "3", "type": "type"}}),
    ("draw(miss: 1)", {"do": "call", "event": "draw", "with": {"miss": "1"}}),
    ("for others fright(points: d3)", {"do": "befall", "whom": "others", "event": "fright", "with": {"points": "d3"}}),
    ("if hp == 0: die\nelse if hp < 3: revive",
     {"do": "when", "holds": "hp == 0", "then": [{"do": "die"}],
      "else": [{"do": "when", "holds": "hp < 3", "then": [{"do": "revive"}]}]}),
    ("roll d6:\n  1-2: die\n  3+: nothing",
     {"do": "roll", "dice": "d6", "results": {"1-2": [{"do": "die"}], "3+": []}}),
    ('choose:\n  "walk on": die\n  "stay" if hp > 0: nothing',
     {"do": "choose", "options": {"walk on": [{"do": "die"}], "stay": []}, "only": {"stay": "hp > 0"}}),
    ('check "Grit" d20 at most grit never 20:\n  passes: die\n  fails:\n    hp -= 1\n    die',
     {"do": "check", "name": "Grit", "die": "d20", "at_most": "grit", "never": "20", "passes": [{"do": "die"}],
      "fails": [{"do": "lower", "number": "hp", "by": "1"}, {"do": "die"}]}),
    ("check d10 - 1 + grit - 2 * hurt at least 8 else die",
     {"do": "check", "die": "d10 - 1", "adds": "grit - 2 * hurt", "at_least": "8", "fails": [{"do": "die"}]}),
    ("check d20 - hurt over 8 else die",
     {"do": "check", "die": "d20", "adds": "- hurt", "over": "8", "fails": [{"do": "die"}]}),
    ("check d20 + 5 over 8 else die",
     {"do": "check", "die": "d20", "adds": "5", "over": "8", "fails": [{"do": "die"}]}),
    ("as long as hp > 0 at most 3 times: hp -= 1",
     {"do": "as_long", "holds": "hp > 0", "most": "3", "steps": [{"do": "lower", "number": "hp", "by": "1"}]}),
    ("repeat d4 + 1 times: die", {"do": "loop", "times": "d4 + 1", "steps": [{"do": "die"}]}),
    ('say "You fall.": die', {"do": "say", "says": "You fall.", "steps": [{"do": "die"}]}),
    ("if prone and flows == any_damage: die",
     {"do": "when", "holds": "has(prone) and setting(flows) == 'any_damage'", "then": [{"do": "die"}]}),
    ("if low and count(prone) > 1 and part == prone: die",
     {"do": "when", "holds": "low and count(prone) > 1 and part == prone", "then": [{"do": "die"}]}),
)  # fmt: skip
"""A statement, and the values that it is read into."""

WRONG: tuple[tuple[str, str], ...] = (
    ("suffer prone and blind until stand", "1:14 suffer takes one name: write suffer blind"),
    ("end prone and blind", "1:11 end takes one name"),
    ("suffer prone", "1:13 how long is missing here: write for 2d6 days, for good, or until and an event"),
    ("suffer prone until 1 round", "1:20 until is for events: write for 1 round"),
    ("suffer prone until d6 + 1 rounds", "1:20 until is for events: write for d6 + 1 rounds"),
    ("suffer prone until they stand up", "1:25 until takes the name of one event: write until stand"),
    ("suffer prone until permanent", "1:20 until is for events: write for good"),
    ("suffer prone until now", "1:20 until is for events: write at once"),
    ("suffer prone for 2d6", "1:21 the unit of time is missing here"),
    ("suffer prone in 3 rounds", "1:14 write after 3 rounds for what begins later"),
    ('suffer prone until stand say "Down."', "1:26 suffer prints a sentence of its own: write say on a line before"),
    ("gain prone", "1:1 there is no gain: write suffer"),
    ('if hp == 0 say "Down.": die', "1:12 say does not stand on an if"),
    ("cure prone", "1:1 there is no cure: write end"),
    ("maybe d10 <= 3: die", "1:1 there is no maybe: write if d10 <= 3:"),
    ("suffer prone for 1 round times d6", "1:26 write the number before the unit of time: for d6 rounds"),
    ("shorten prone by 2 days longest", "1:25 leave out longest"),
    ("check d20 at most hp:\n  passes: die\n  else: die", "3:3 write fails:"),
    ("hp -= damage at least 1", "1:14 write no further than"),
    ("hp += 1 at most 6", "1:9 write no further than"),
    ("hp - damage", "1:1 this is a value: to take off, write hp -="),
    ("hp -= damage let over = 1", "1:14 one statement stands on a line"),
    ("hp -= damage; die", "1:13 write one statement on a line"),
    ("HP -= damage", "1:1 write names in lower case: hp"),
    ("Suffer prone until stand", "1:1 write suffer in lower case"),
    ("if kind is monster: die", "1:9 write == to compare"),
    ("if kind in npc: die", "1:9 write == for each of them"),
    ("if hp under 0: die", "1:7 write < to compare"),
    ("if hp = 0: die", "1:7 write == to compare"),
    ("if hp == 0", "1:11 a colon is missing here, at the end of the line"),
    ("if hp == 0\n  die", "1:11 a colon is missing here, at the end of the line"),
    ("if hp == 0 die", "1:12 a colon is missing here, before die"),
    ("let x == 3", "1:7 write = here: == compares"),
    ("roll on wounds", "1:1 write look up wounds, for a table"),
    ("look up severity wounds", '1:18 "on" and a table are missing here'),
    ("else: die", "1:1 no if stands above this else"),
    ("end", "1:4 what ends is missing here: write end CONDITION, or end all until EVENT"),
    ("if hp == 0:\n  takes damage", '2:3 "takes" is about the event: write it above the first step'),
    ("hp = 1\nodds dead: dead", '2:1 "odds" is about the event'),
    ("if d6 == 1: die\nelse if d6 == 2: revive", "2:9 d6 is rolled again here: write roll d6:"),
    ("roll d6:\n  1-2: die\n  4-6: revive", "1:1 nothing is written for 3: add 3: nothing"),
    ("roll d6:\n  1-2: die\n  1-2: die", "3:3 1-2 stands here a second time"),
    ("log \u201cDown.\u201d", '1:5 \u201c is a curly quotation mark: write "'),
    ('log "Down.', "1:5 this text is not closed"),
    ("log {hp}", "1:5 values in braces belong in a text"),
    ("hp \u2212= 1", "1:4 write - for minus"),
    ("hp -= 1 / 2", "1:9 write // to divide"),
    ('hp -= "3"', "1:7 words in a formula take single quotes"),
    ("if hp == 0:\n\tdie", "2:1 this is a tab: use spaces to indent"),
    ("if hp == 0:\ndie", "1:12 nothing stands below this line"),
    ("if hp == 0:\n    die\n  die", "3:3 this line stands between two steps"),
    ("sufer prone until stand", '1:1 no statement begins with sufer: did you mean "suffer"?'),
    ("fall", "1:1 no statement begins with fall: for an event of that name write fall()"),
    ("draw 2 choos one", '1:8 choos cannot follow here: did you mean "choose one"?'),
    ("hp += max(1, grit", "1:10 this parenthesis is not closed"),
    ("hit(damage 3)", "1:12 a comma or ) is missing here"),
    ('check "Grit" d20 at most grit: die', "1:30 passes: and fails: stand below this line"),
    ("throw best: highest of d6", "1:24 how many dice is missing here: write 3d6"),
    ('say "a" say "b"', "1:9 its words on paper stand here a second time"),
    ("takes damage (99)", "1:15 write to 99 for the highest number"),
    ("takes x (colour)", "1:10 colour says nothing about what an event takes"),
    ("takes x (a or b, usually c)", "1:26 usually names one of the words before it: a, b"),
    ("takes a, a", "1:10 the event takes a already"),
    ("odds as hit", "1:9 there is no event hit with odds"),
    ('refuse hp == 0: "no"', "1:8 write refuse if"),
    ('"one"\n"two"', "2:1 this stands above already"),
)
"""A text, and where it is wrong with the beginning of the sentence."""

EVENT = """\
"a blow" titled "Blows"
takes damage (0 to 99, like N), by (sword or axe, usually axe) "the weapon"
takes hard (flag), who (name, optional), die (die, if by == 'axe')
refuse if dead: "the character is dead"
refuse unless hp > 0: "no HP"
refuse while prone or blind: "the character is {held}"
odds death "dies": dead, out aside: not dead
lists rows and names
spreads hp
gives left
better with hp
spares 20
shows rows of wounds
until "you are hit"
print only what is written
let left = hp
if left > 3:
  hp -= damage
    print "Take it off."
  end all until stand or rest"""


@pytest.mark.parametrize(("text", "value"), READ, ids=[text.split("\n")[0] for text, _ in READ])
def test_a_statement_is_read_and_written_back(text: str, value: dict[str, Any]) -> None:
    steps, reader = read_steps(text, NAMES)
    assert ([error.message for error in reader.errors], steps) == ([], [value])
    lines = write_steps(steps, NAMES)
    assert read_steps("\n".join(lines), NAMES)[0] == steps
    assert "\n".join(lines) == text


def test_every_statement_is_in_the_table() -> None:
    written = "".join(map(str, (value for _, value in READ)))
    missing = {do for do in statements() if f"'do': '{do}'" not in written}
    plain = {"peek", "spare", "locate", "lose", "place", "reveal", "shuffle", "answer", "put_away", "take_up"}
    assert missing <= plain | {"recur", "reroll", "again", "save", "one_of"} | kinds_of_language_packs()


@pytest.mark.parametrize(("text", "sentence"), WRONG, ids=[text.split("\n")[0] for text, _ in WRONG])
def test_what_is_wrong_has_a_place_and_a_sentence(text: str, sentence: str) -> None:
    heading = text.split(" ")[0] in ("takes", "odds", "refuse") or text.startswith('"')
    _, reader = read_event(text, {}) if heading else read_steps(text)
    [error] = reader.errors
    assert f"{error.line + 1}:{error.column + 1} {error.message}".startswith(sentence)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("hp -= 1\n" + "  + 1\n" * 20_000, "this line is longer than 5,000 characters"),
        ("if a: " * 100 + "die", "more than 20 steps stand below each other"),
        ("".join("  " * depth + "if a:\n" for depth in range(60)), "nested deeper than 20 levels"),
        ("die\n" * 50_000, "more than 2,000 lines"),
        ("if a: die\n" + "else if b: die\n" * 100, "more than 20 else if"),
        ("hp -= " + "(" * 800_000, "this line is longer than 5,000 characters"),
        ("sufer\n" * 1_500, "no statement begins with sufer"),
    ],
    ids=["continued", "nested", "deep", "long", "else", "parentheses", "errors"],
)
def test_a_text_has_limits(text: str, sentence: str) -> None:
    _, reader = read_steps(text)
    assert sentence in reader.errors[0].message
    assert len(reader.errors) <= 101


def test_an_event_is_one_text() -> None:
    event, reader = read_event(EVENT, {})
    assert [error.message for error in reader.errors] == []
    assert event["takes"] == {
        "damage": {"least": 0, "most": 99, "sample": "N"},
        "by": {"of": ["sword", "axe"], "default": "2", "says": "the weapon"},
        "hard": {"flag": True},
        "who": {"name": True, "optional": True},
        "die": {"die": True, "when": "by == 'axe'"},
    }
    assert [need.get("holds") for need in event["needs"]] == ["not dead", "hp > 0", None]
    assert (event["odds"], event["aside"], event["labels"]) == (
        {"death": "dead"},
        {"out": "not dead"},
        {"death": "dies"},
    )
    assert (event["until"], event["lists"], event["title"]) == ("until you are hit", ["rows", "names"], "Blows")
    when = event["do"][1]
    assert (event["do"][0]["says"], when["says"], when["then"][0]["says"]) == ("", "", "Take it off.")
    assert when["then"][1] == {"do": "end", "until": ["stand", "rest"], "says": ""}
    again, reader = read_event("\n".join(write_event(event)), {})
    assert (again, reader.errors) == (event, [])
    assert read_event("odds as blow", {"blow": event})[0]["odds"] == {"death": "dead"}


SYSTEM = """\
id: nicks
title: Nicks
version: "1.0"
about: Every blow leaves something.
source: {title: Nicks, author: you, licence: yours}
procedure:
  kind: steps
  numbers: {hp: {name: HP, start: 6, least: 0}, grit: {name: Grit, start: 9}}
conditions:
  limping: {name: Limping, says: You drag a leg, brief: limping}
  bleeding: {name: Bleeding, says: You lose blood, brief: bleeding, implies: [suffer limping until bandage]}
events:
  hit: |
    "points of damage"
    takes damage (to 99)
    hp -= damage
    if hp == 0 and not limping:
      check "Grit" d20 at most grit:
        fails:
          suffer bleeding until bandage
          log "You bleed."
      suffer limping for 2d6 days
  bandage: {says: the blood is stopped, until: until you are bandaged, do: [end]}
  rest:
    says: a night
    do: |
      pass a day
      print "Sleep well."
"""


def pack(folder: Path, *changes: tuple[str, str], **files: str) -> Path:
    text = SYSTEM
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    folder.mkdir(exist_ok=True)
    for name, each in {"system": text, **files}.items():
        (folder / f"{name}.yaml").write_text(each, encoding="utf-8")
    return folder


def test_a_pack_in_text_is_played_and_printed(tmp_path: Path) -> None:
    folder = pack(tmp_path / "nicks")
    ran = run("check", folder)
    assert (ran.code, ran.err) == (0, ""), ran.err
    system = load_pack(folder).system
    assert plain_value(system.head.events["hit"].do_[1])["holds"] == "hp == 0 and not has(limping)"
    ran = run("resolve", "nicks", "hit", "7", "--dice", "12", "--dice", "2", "--dice", "3", "--pack", folder)
    assert "Limping for 5 days." in ran.out
    assert run("resolve", "nicks", "rest", "--pack", folder).out.splitlines()[0] == "1 day passes."


def test_all_slips_of_a_pack_are_told_in_one_run_and_names_only_then(tmp_path: Path) -> None:
    table = (
        "tables:\n- {id: t, title: T, roll: d2, covers: 1-2, rows: [{at: 1-2, effects: [sufer limping until rest]}]}\n"
    )
    slips = [("hp -= damage\n", "hp -= damge +\n"), ("pass a day", "pass dya"), ("until bandage]", "untl bandage]")]
    ran = run("check", pack(tmp_path / "nicks", *slips, tables=table))
    assert [line.partition("nicks/")[2][:40] for line in ran.err.splitlines()] == [
        "system.yaml:11:94: how long is missing h",
        "system.yaml:16:18: something after + is ",
        "system.yaml:27:15: the unit of time is m",
        "tables.yaml:2:71: no statement begins wi",
    ]
    ran = run(
        "check",
        pack(
            tmp_path / "other nicks", ("hp -= damage\n", "hp -= damge\n"), ("suffer limping for", "suffer limpin for")
        ),
    )
    assert [line.partition("nicks/")[2].split(": ")[0] for line in ran.err.splitlines()] == [
        "system.yaml:16:11",
        "system.yaml:22:14",
    ]


def test_a_torn_text_is_told_once(tmp_path: Path) -> None:
    ran = run("check", pack(tmp_path / "nicks", ("[suffer limping until bandage]", "[if hp == 0: die]")))
    assert len(ran.err.splitlines()) == 1
    assert "has torn this text: write it below |" in ran.err


def test_cells_of_a_spreadsheet_are_text(tmp_path: Path) -> None:
    decks = "decks:\n- {id: d, title: D, csv: cards.csv}\n"
    folder = pack(tmp_path / "nicks", decks=decks)
    (folder / "cards.csv").write_text(
        'code,name,effects\na,A,"suffer limping until bandage; hp -= 1"\nb,B,sufer limping\n'
    )
    ran = run("check", folder)
    assert 'cards.csv:3:5: no statement begins with sufer: did you mean "suffer"?; words belong in note (C3)' in ran.err
    (folder / "cards.csv").write_text('code,name,effects\na,A,"suffer limping until bandage; hp -= 1"\n')
    [card] = load_pack(folder).system.decks[0].cards
    assert [effect.do for effect in card.effects] == ["suffer", "lower"]


def test_a_changed_statement_is_replaced_and_the_others_stay_to_the_byte() -> None:
    text = "# first\nsuffer   prone until stand  # here\nif prone: die\nelse:\n  hp -= 1   # less\n# last\nhp -= 2\n"
    steps, _ = read_steps(text, NAMES)
    assert with_steps(text, steps, NAMES) == text
    changed = [steps[0], steps[1], {"do": "drop", "what": "hand"}]
    assert with_steps(text, changed, NAMES) == text.replace("hp -= 2", "drop hand")
    assert with_steps(text, [steps[0], steps[2]], NAMES) == text.replace(
        "if prone: die\nelse:\n  hp -= 1   # less\n", ""
    )
    assert with_steps(text, [steps[2]], NAMES) == "# last\nhp -= 2\n"
    assert with_steps(["suffer   prone until stand", "die"], [steps[0], steps[2]]) == [
        "suffer   prone until stand",
        "hp -= 2",
    ]
    assert with_steps(["die"], [steps[1]], NAMES) == "if prone: die\nelse: hp -= 1\n"
    assert with_steps([{"do": "die"}], [steps[2]]) == ["hp -= 2"]


def test_the_page_of_the_language_is_that_of_the_code() -> None:
    page = (ROOT / "docs" / "rules_as_text.md").read_text(encoding="utf-8")
    assert page == docs_script("make_grammar").page(), "run: python docs/make_grammar.py"


_COLOURS = """
const fs = require("fs"), path = require("path");
const [root, grammar, text] = process.argv.slice(1);
const onig = require(path.join(root, "vscode-oniguruma")), tm = require(path.join(root, "vscode-textmate"));
const wasm = fs.readFileSync(path.join(root, "vscode-oniguruma/release/onig.wasm")).buffer;
const onigLib = onig.loadWASM(wasm).then(() => ({
  createOnigScanner: (patterns) => new onig.OnigScanner(patterns), createOnigString: (s) => new onig.OnigString(s),
}));
const parsed = async () => tm.parseRawGrammar(fs.readFileSync(grammar, "utf8"), grammar);
new tm.Registry({onigLib, loadGrammar: parsed}).loadGrammar("source.yaml.hackjack").then((made) => {
  let stack = tm.INITIAL, found = [];
  for (const line of text.split("\\n")) {
    const line_of = made.tokenizeLine(line, stack);
    for (const each of line_of.tokens) found.push([line.slice(each.startIndex, each.endIndex), each.scopes.at(-1)]);
    stack = line_of.ruleStack;
  }
  console.log(JSON.stringify(found));
});
"""
_COLOURED = """\
about: |
  suffer the cold
events:
  hit: |
    "a blow" titled "Blow"
    takes damage (to 99)
    refuse unless has(prone): "no {held}"
    hp -= max(damage, 2d6)  # hurts
      log "{hp} left." [H2]
    look up 4 on faces, column left
    if hp == 0: suffer prone until stand
    soak(force: 3)
cards:
- {code: A, effects: [suffer mad for 2d6 days, draw 2, choose one], note: roll d6}
"""
_SCOPES = {
    "keyword.control": ["look up", "if", "suffer", "suffer", "draw", "choose"],
    "storage.type": ["takes", "refuse"],
    "constant.language.time": ["until stand", "for 2d6 days"],
    "entity.name.function": ["soak"],
    "support.function": ["has", "max"],
    "entity.name.tag": ["[H2]"],
    "comment.line": ["# hurts"],
    "variable.other.placeholder": ["{held}", "{hp}"],
    "constant.numeric": ["99", "2d6", "4", "0", "3", "2"],
}


@pytest.mark.slow
def test_the_colours_of_editors_are_those_of_the_forms() -> None:
    """VS Code's own reader of grammars finds statements, clauses and values, and leaves prose as it is."""
    made = docs_script("make_editor")
    written = (ROOT / "docs/editor/hackjack.tmLanguage.json").read_text(encoding="utf-8")
    assert json.loads(written) == made.grammar(), "run: python docs/make_editor.py"
    words = re.compile(made.grammar()["repository"]["statement"]["patterns"][5]["match"], re.M)
    assert [each.do for each in statements().values() if each.words and not words.match(" ".join(each.words))] == []
    modules = ROOT / "node_modules"
    if not (modules / "vscode-textmate").is_dir():
        pytest.skip("no vscode-textmate: bash .ci/browser installs it")
    arguments = ["node", "-e", _COLOURS, str(modules), str(made.FILE), _COLOURED]
    ran = subprocess.run(arguments, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    found: dict[str, list[str]] = {}
    for text, scope in json.loads(ran.stdout):
        found.setdefault(scope.removesuffix(".hackjack"), []).append(text.strip())
    for scope, texts in _SCOPES.items():
        (name,) = [each for each in found if each.startswith(scope)]
        assert [text for text in found[name] if text] == texts, scope
    assert {"titled", "to", "on", "column", "log", "one"} <= set(" ".join(found["keyword.other"]).split())
    assert "suffer the cold" in found["source.yaml"]


def test_a_number_is_not_compared_with_less_than_its_least(tmp_path: Path) -> None:
    ran = run("check", pack(tmp_path / "nicks", ("if hp == 0 and", "if hp < 0 and")))
    assert (
        'system.yaml:17:8: "hp < 0 and not has(limping)" never holds: hp stops at 0. What goes beyond is over'
        in ran.err
    )


def test_a_switch_that_is_compared_with_no_reading_of_it_says_what_it_is(tmp_path: Path) -> None:
    switch = "switch: {name: inn, default: a, options: {a: x, b: y}}"
    rulings = ("events:", f"rulings:\n- {{id: N1, point: Inn, source: none, ours: none, {switch}}}\nevents:")
    ran = run("check", pack(tmp_path / "nicks", rulings, ("if hp == 0 and", "if inn == c and")))
    assert [line.partition("system.yaml:")[2] for line in ran.faults] == [
        '19:8: "inn == c and not has(limping)": inn is a or b: write inn == a'
    ]


SAME_NAMES = {
    "a condition and a number": (
        ("numbers: {hp:", "numbers: {limping: {name: Limp}, hp:"),
        '10:12: "limping" is taken already, by one of your numbers: choose another name',
    ),
    "a condition and a constant": (
        ("  numbers:", "  constants: {limping: 2}\n  numbers:"),
        '"limping" is taken already, by one of your constants: choose another name',
    ),
    "a number and a let": (
        ("    hp -= damage\n", "    let grit = damage\n    hp -= grit\n"),
        '16:9: "grit" is taken already, by one of your numbers: choose another name',
    ),
    "a switch and a condition": (
        ("events:", "rulings:\n- {id: N1, point: Limp, source: none, ours: none, switch: {name: limping, default: a, "
         "options: {a: x, b: y}}}\nevents:"),
        '"limping" is taken already, by a condition: choose another name',
    ),
    "an argument and a number": (
        ("takes damage (to 99)", "takes damage (to 99), grit (optional)"),
        '"grit" is taken already, by one of your numbers: choose another name',
    ),
}  # fmt: skip


@pytest.mark.parametrize("change", SAME_NAMES)
def test_two_things_with_one_name_are_refused(change: str, tmp_path: Path) -> None:
    """A formula names conditions, numbers, words, switches and arguments alike: each name means one thing."""
    (old, new), sentence = SAME_NAMES[change]
    assert sentence in run("check", pack(tmp_path / "nicks", (old, new))).err


KEYED = {
    "{do: lower, number: hp, by: 2}": ": hp -= 2",
    "{do: suffer, condition: limping, until: 2d6 days}": ": suffer limping for 2d6 days",
    "{do: when, holds: has(limping), then: [{do: die}, {do: revive}]}": " below |, beginning with if limping:",
    "{do: lower, number: hp, by: 2}, {do: die}": ": hp -= 2, and so on",
    "{do: suffer, condition: [{}], until: 7}": ", such as hp -= 2 or suffer prone until stand",
    "{do: sufer}": ", such as hp -= 2 or suffer prone until stand",
}


@pytest.mark.parametrize("steps", KEYED)
def test_steps_with_keys_are_refused_by_one_sentence_that_shows_the_same_as_text(steps: str, tmp_path: Path) -> None:
    ran = run("check", pack(tmp_path / "nicks", ("do: [end]", f"do: [{steps}]"), ("until you are bandaged", "until x")))
    assert [line.partition("system.yaml:")[2] for line in ran.faults] == [f"23:62: write this as text{KEYED[steps]}"]


@pytest.mark.parametrize("steps", [each for each in KEYED if "has(" not in each][:3])
def test_a_spreadsheet_takes_no_steps_with_keys_either(steps: str, tmp_path: Path) -> None:
    deck = "decks: [{id: fate, title: Fate, csv: fate.csv}]\n"
    folder = pack(tmp_path / "nicks", ("hp -= damage", "draw from fate\n    hp -= damage"), decks=deck)
    (folder / "fate.csv").write_text(f'code,name,effects\n1,A,"{steps}"\n', encoding="utf-8")
    assert [line.partition("fate.csv:")[2] for line in run("check", folder).faults] == [
        f"2:5: write this as text{KEYED[steps]} (C2)"
    ]


def test_no_step_with_keys_is_left() -> None:
    """Neither content nor a guide, an example, a test's pack or a message shows steps as mappings."""
    kinds = "|".join(statements())
    keyed = re.compile(rf"(?:\{{|\[|- )do: (?:{kinds})\b")
    files = [
        *ROOT.glob("*.md"),
        *(file for folder in ("content", "docs", "generator", "tests") for file in (ROOT / folder).rglob("*")),
    ]
    files = [
        file
        for file in files
        if file.suffix in (".md", ".yaml", ".csv", ".py")
        and file not in (Path(__file__), ROOT / "generator" / "prose" / "forms.yaml")
    ]
    assert [str(file) for file in files if keyed.search(file.read_text(encoding="utf-8"))] == []


def test_rules_behind_the_other_sign_of_yaml_are_told_so(tmp_path: Path) -> None:
    ran = run("check", pack(tmp_path / "nicks", ("  hit: |\n", "  hit: >\n")))
    assert [line.partition("system.yaml:")[2] for line in ran.faults] == [
        "13:8: write | in place of >, which makes one line of all: each statement has its own"
    ]


@pytest.mark.parametrize(
    ("loss", "warned"),
    [("damage - 3", True), ("max(damage - 3, 0)", False), ("damage - 1", False), ("damage + d6 - 3", True)],
)
def test_a_loss_that_may_be_a_gain_is_warned_of(loss: str, warned: bool, tmp_path: Path) -> None:
    ran = run("check", pack(tmp_path / "nicks", ("hp -= damage", f"hp -= {loss}")))
    says = f'warning: "{loss}" can be less than 0, and then hp rises: write max({loss}, 0)'
    assert (ran.code, says in ran.err) == (0, warned)
