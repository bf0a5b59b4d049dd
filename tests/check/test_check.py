"""`hackjack check`: every kind of fault gets its sentence, at its line and column."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec
import pytest
from helpers import CONTENT, copy_pack, hackjack, run

from generator.base.fields import AuthorText, ConditionName, PartName, StatisticName, TrackName
from generator.base.naming import naming
from generator.check.references import References
from generator.games import content_of
from generator.model import rules

HERE = "▶"
"""Stands in a replacement where the problem is to be reported."""


@dataclass(frozen=True)
class Fault:
    """One way to spoil a file of the pack: what is replaced by what, and what the program must say to it.

    It is reported at HERE, or where `at` begins; with None as `at` the line does not matter.
    """

    file: str
    old: str
    new: str
    says: str
    at: str | None = HERE


def of_file(name: str) -> Callable[..., Fault]:
    return lambda *texts, **at: Fault(f"{name}.yaml", *texts, **at)


deck, system, tables, claims = map(of_file, ("deck", "system", "tables", "claims"))
screen, sheet, reference, page = map(of_file, ("screen", "sheet", "reference", "page"))
SHORT = "effects: halve constitution until recovery"
LONG = f"effects: [{', '.join(['suffer marked until recovery'] * 11)}]"

_SYSTEM = CONTENT.joinpath("system.yaml").read_text(encoding="utf-8")
LIMIT = _SYSTEM.partition("procedure:\n")[2].partition("    massive:")[0]
"""All from the kind to the limit, which a misspelt `procedure` above it would hide."""

FORM = [
    screen("block: suits,", "block: ▶suitz,", 'unknown block "suitz"'),
    sheet("rows: 8,", "rows: ▶900,", "900 is out of range"),
    reference("columns: 2", "columns: ▶two", "not two"),
    deck("    trauma: 1", "    ▶truama: 1", 'unknown key "truama": did you mean "trauma"?'),
    system("procedure:", "▶proceedure:\n  kind: steps\nprocedure:", 'unknown key "proceedure"'),
    deck("code: AC\n    name: Winded\n", "▶code: AC\n", 'the key "name" is missing: what it is called'),
    system('name: pass_out\n      default: "off"', "▶name: pass_out", 'the key "default" is'),
    deck("    trauma: 1", '    trauma: ▶"1"', "expected a whole number, not 1"),
    deck("name: Winded", "name: ▶12", 'expected text, not 12: write "12" in quotes'),
    deck("name: Floored", "name:▶", "expected text, not nothing"),
    deck("    trauma: 1", "    trauma: ▶true", "expected a whole number, not true"),
    deck("    trauma: 1", "    trauma: ▶1.5", "expected a whole number, not 1.5"),
    tables(
        "{at: 1, lasts: 1d6 days, reconstructed: true}",
        "{at: 1, lasts: 1d6 days, reconstructed: ▶no}",
        "expected true or false",
    ),
    deck("rulings: [H44]", "rulings: ▶H44", "expected a list, not H44"),
    system("eye: {name: eye, figure: head}", "eye: ▶[eye, head]", "expected keys and values, not a list"),
    deck("    trauma: 1", "    trauma: ▶0", "0 is out of range: from 1 to 100"),
    deck("draw 2 choose one", "draw ▶6 choose one", "6 is out of range: from 1 to 5"),
    deck("name: Ugly spill", f"name: ▶{'x' * 81}", "81 characters are too many: 80 at most"),
    system('version: "1.0"', 'version: ▶"one"', '"one" is not a version such as "1.0"'),
    system('version: "1.0"', "version: ▶1.0", 'expected text, not 1.0: write "1.0" in quotes'),
    system("id: H1\n", "id: ▶h1\n", '"h1" is not a ruling\'s number such as H7'),
    system("knocked_back:\n    says", "▶Knocked Back:\n    says", '"Knocked Back" is not a short name in lower case'),
    deck("blood: 1d4", "blood: ▶1dd4", '"1dd4" is not dice: write a whole number or dice such as 1d4 or 2d6+1'),
    deck("blood: 1d4", "blood: ▶3d1", '"3d1": roll 1 to 100 dice of 2 to 1,000 faces'),
    deck("blood: 1d4", "blood: ▶1d4-2", "1d4-2 can be less than 0"),
    deck("for 1 week", "for ▶1 fortnight", "fortnight is not a unit of time"),
    deck("for 1 week", "for ▶0 weeks", '"0 weeks" can be less than one week'),
    deck("drop weapons", "drop ▶weapon", '"weapon" is not known here: did you mean "weapons"?'),
    deck("whenever red_card", "whenever ▶redcard", '"redcard" is not known here: did you mean "red_card"?'),
    system(
        "options:\n        out: The deck has 52 cards.\n        lucky",
        "options:\n        ▶lucky",
        "one alone is too few: 2 at least",
    ),
    system("eye: {name: eye, figure: head}", "eye: {name: eye, figure: ▶eye}", '"eye" is not known here; known: arm,'),
    system("    name: finger\n    die: d10\n", "    ▶name: finger\n", 'the key "die" is missing: name the die that'),
    system(LIMIT, LIMIT.replace("21", "▶0"), "0 is out of range: write a whole number from 1 to"),
    tables("covers: 1-6", "covers: ▶6-1", '"6-1" runs backwards: write 1-6'),
    tables("covers: 1-6", "covers: ▶one", '"one" is not a range of results: write 3, 1-4 or 13+'),
    tables("lasts: 2d6 weeks", "lasts: ▶recovery", '"recovery" is not a span of time: write 2d6 weeks'),
    claims("event: hit", "event: ▶'' #", "0 characters are too few: 1 at least"),
    claims("about: deck,", "about: ▶decks,", 'unknown about "decks": did you mean "deck"?'),
]
TEXT = [
    deck("[drop weapons, suffer arms", "[drop weapons ▶now, suffer arms", "now cannot follow here"),
    deck("suffer knocked_back at once\n", "suffer knocked_back▶\n", "how long is missing here"),
    deck("effects: peek", "effects: ▶peak", 'no statement begins with peak: did you mean "peek"?'),
    deck("for good once recovered", "for good ▶once recover", "once cannot follow here"),
]
SENSE = [
    system("default: over_13", "default: ▶over_14", '"over_14" is none of the options: did you mean'),
    deck("until stand", "until ▶standing", 'did you mean "stand"?'),
    deck("penalty 1d2", "penalty ▶-2", "a penalty of -2 can be less than 1: write how much is taken away"),
    deck("check d20", "check ▶2d20", "2d20 is not a single die: write d4, d20 or the like"),
    screen(
        '"Over {limit} you die. On',
        '▶"Over {limitt} you die. On',
        'there is no number "{limitt}" in the procedure: did',
    ),
    system("most: limit\n", "most: ▶limmit\n", "limmit is not a number of the procedure from 1"),
    screen("table: recovery,", "table: ▶recovry,", 'unknown table "recovry"'),
    sheet("track: blood,", "track: ▶blod,", 'unknown track "blod"'),
    page("usual: [hold, release,", "usual: [hold, ▶relase,", 'unknown event "relase": did you mean "release"?'),
    deck("suffer knocked_back", "suffer ▶knocked_bak", 'unknown condition "knocked_bak": did you'),
    deck("suffer dazed", "suffer ▶dased", 'unknown condition "dased": did you mean "dazed"?'),
    deck("unless masked", "unless ▶maskd", 'unknown condition "maskd": did you mean "masked"?'),
    deck("to all_rolls", "to ▶all_roles", 'unknown statistic "all_roles": did you mean "all_rolls"?'),
    deck("halve charisma", "halve ▶charm", 'unknown statistic "charm"'),
    deck("suffer knocked_back", "suffer ▶waterlogged", 'unknown condition "waterlogged": to add one of your'),
    deck("lose limb", "lose ▶lim", 'unknown part "lim": did you mean "limb"?'),
    deck("locate arm", "locate ▶eye", 'the part "eye" has no die to roll'),
    deck("rulings: [H15]", "rulings: [▶H51]", 'unknown ruling "H51": did you mean "H'),
    tables("by: trauma", "by: ▶trauna", 'unknown track "trauna": did you mean "trauma"?'),
    tables("rulings: [H13, H14]", "rulings: [H13, ▶H140]", 'unknown ruling "H140": did you'),
    claims("table: recovery", "table: ▶recovry", 'unknown table "recovry": did you mean "recovery"?'),
    claims("number: massive,", "number: ▶masive,", 'unknown number "masive": did you mean "massive"?'),
    claims("cards: [AC, AS,", "cards: [▶1C, AS,", 'unknown card "1C": did you mean '),
    system("stands_for: [intelligence, w", "stands_for: [▶inteligence, w", 'unknown statistic "inteligence"'),
    system(
        "strength: {name: Strength, brief: Str}",
        "strength: {name: Strength, brief: Str, also: [▶wisdom]}",
        '"wisdom" is a name of wisdom already',
    ),
    deck("code: 2C", "code: ▶AC", "the card AC appears twice: entry 1 has it already"),
    deck("code: 3C", "code: ▶0C", '"0C" is not a card: did you mean '),
    deck("code: KH\n", "code: KH\n    score: ▶11\n", "the King of hearts scores 10 by its rank, not 11: take the"),
    deck("draw 2 choose one", "draw ▶1 choose one", "a choice needs two cards or more"),
    deck("whenever red_card until recovery blood 1", "▶whenever red_card until recovery", "nothing follows: give"),
    deck("back at once", "back ▶as long", '"as long" needs an effect before it: say how long it lasts'),
    system("name: jokers", "name: ▶massive_damage", 'the switch "massive_damage" appears twice'),
    system("id: H2\n", "id: ▶H1\n", 'the ruling "H1" appears twice: entry 1 has it already'),
    system("towards {limit}.", "towards {limitt}.", 'there is no number "{limitt}" in the', at="Below 0 HP every hit"),
    system(
        "    brief: dazed\n",
        '    brief: dazed\n    short: ▶"over {limitt}"\n',
        'there is no number "{limitt}" in the procedure: did you',
    ),
    system("name: arm\n    die: d2", "name: arm\n    die: ▶d3", "d3 has 3 faces, but 2 places are named"),
    system("      die: d4\n      steps", "      die: ▶d6\n      steps", "d6 has 6 faces, but 4 steps are named"),
    system("reconstructed: [2, 3]", "reconstructed: [2, ▶5]", "there is no face 5"),
    system("scores: {A: 1,", "scores: {A: 1, ▶B: 2,", 'unknown rank "B"; known: A, 2, 3'),
    system("bounds:\n    limit: ", "bounds:\n    ▶limti: ", 'unknown constant "limti": did you mean "limit"?'),
    page("  hold:\n    says: Hold", "  ▶hodl:\n    says: Hold", 'unknown event "hodl": did you mean "hold"?'),
    system("scores: {A: 1, J: 10,", "scores: ▶{J: 10,", "the score of the rank A is missing"),
    tables("      - {at: 3, lasts: 2d6 weeks}\n      - {at: 4,", "      - {at: ▶4,", "no row covers 3"),
    tables("{at: 3, lasts", "{at: ▶2-3, lasts", "the row 2-3 overlaps the row before it"),
    tables("covers: 1-6", "covers: ▶1-7", "the rows end at 6, but the table covers 1-7"),
    tables("{at: 6,", "{at: 6+,", "the rows end without an end, but the table covers 1-6", at="1-6"),
    claims("id: aces,", "id: ▶deck_of_52,", 'the claim "deck_of_52" appears twice: entry 1 has it'),
]
LAYOUT = [
    screen("title: And if", "title: 傷", 'the block "傷" of the panel', at="block: choices\n        title: 傷"),
    deck(SHORT, LONG, "the text does not fit its card: at 6.5 pt, the smallest type, it needs ", at="code: QH"),
    deck("The breath goes first, then the ground.", "W" * 60, "a word is wider than the card", at="code: AC"),
    deck("name: Dead arms", f"name: {'Wretched wound ' * 5}", "the name does not fit in two lines", at="code: 4C"),
    deck("name: The old wound", "name: ▶貓 wound", "the printed font has no 貓 (U+8C93), as in "),
    deck("name: Red flood", "name: ▶Red flood 💀", "the printed font has no 💀 (U+1F480), as in "),
]
YAML = [
    deck("    trauma: 1\n", "    trauma: 1\n    ▶trauma: 2\n", 'the key "trauma" appears twice: it is on line'),
    deck("flavour: The breath", "flavour: Look▶: the breath", "this is not YAML: mapping values are not"),
    deck("rulings: [H24]\n", "rulings: [H24\n", "this is not YAML: ", at=None),
]
STAGES = [FORM, TEXT, SENSE, LAYOUT, *([fault] for fault in YAML)]
"""Faults of one of these do not hide one another."""
FAULTS = [fault for stage in STAGES for fault in stage]


@pytest.fixture
def pack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the flagship below the working folder, named as people name it."""
    monkeypatch.chdir(tmp_path)
    return copy_pack(tmp_path).relative_to(tmp_path)


def spoil(pack: Path, *faults: Fault) -> list[str]:
    """Write faults into a pack; where each is to be told: its file, line and column."""
    signs = {fault: chr(0xE000 + number) for number, fault in enumerate(faults)}
    texts = {fault.file: (pack / fault.file).read_text(encoding="utf-8") for fault in faults}
    for fault, sign in signs.items():
        text, at = texts[fault.file], fault.at or fault.new
        assert fault.old in text, f"the content has no {fault.old!r} any more"
        before, _, after = text.replace(fault.old, fault.new, 1).partition(at)
        texts[fault.file] = f"{before}{sign}{at.removeprefix(HERE)}{after}"
    places = []
    for fault, sign in signs.items():
        before = re.sub("[\ue000-\uefff]", "", texts[fault.file].partition(sign)[0])
        place = f":{before.count(chr(10)) + 1}:{len(before) - before.rfind(chr(10))}: " if fault.at else ":"
        places.append(f"pack/{fault.file}{place}")
    for file, text in texts.items():
        (pack / file).write_text(re.sub("[\ue000-\uefff]", "", text), encoding="utf-8")
    return places


def groups() -> Iterator[list[Fault]]:
    """The faults, those together that can stand in one pack: no two of them in the same few lines of a file."""
    for stage in STAGES:
        found: list[tuple[list[Fault], set[tuple[str, int]]]] = []
        for fault in stage:
            above = (CONTENT / fault.file).read_text(encoding="utf-8").split(fault.old)
            for faults, taken in [*found, ([], set())]:
                nth = sum(other.old == fault.old for other in faults) + 1
                line = fault.old.join(above[:nth]).count("\n")
                lines = {(fault.file, near) for near in range(line - 3, line + 4)}
                if nth < len(above) and lines.isdisjoint(taken):
                    break
            if not faults:
                found.append((faults, taken))
            faults.append(fault)
            taken |= lines
        yield from (faults for faults, _ in found)


@pytest.mark.parametrize("faults", [*groups()], ids=lambda faults: faults[0].new[:40])
def test_every_fault_of_every_file_is_told_at_once_with_its_place(faults: list[Fault], pack: Path) -> None:
    told = [(where, fault.says) for where, fault in zip(spoil(pack, *faults), faults, strict=True)]
    done = run("check", pack)
    assert done.code == 1 and "pack: sound" not in done.out
    hits = []
    for where, says in told:
        found = [line for line in done.faults if line.startswith(where) and says in line]
        assert len(found) == 1, f"expected {where}{says}\n{done.err}"
        hits += found
    # A spoilt card is missing as well, a claim may stop to hold, and a screen may miss a ruling; that is all.
    usual = re.compile(r"\d+ cards? (is|are) missing: |unknown ruling|the claim .* fails: ")
    assert not [line for line in done.faults if line not in hits and not usual.search(line)], done.err
    places = [(line.split(":")[0], *map(int, line.split(":")[1:3])) for line in done.faults]
    assert places == sorted(places)


def test_there_are_faults_of_every_kind() -> None:
    assert len(FAULTS) >= 80
    assert {fault.file for fault in FAULTS} == {path.name for path in CONTENT.iterdir()} - {"charts.json"}


def test_a_missing_card_is_named(pack: Path) -> None:
    before, _, after = (pack / "deck.yaml").read_text(encoding="utf-8").partition("  - code: KH\n")
    (pack / "deck.yaml").write_text(before + after[after.index("  # --- jokers") :], encoding="utf-8")
    line = before.splitlines().index("cards:") + 3
    assert run("check", "pack").faults == [f"pack/deck.yaml:{line}:3: 1 card is missing: KH"]


def test_a_score_that_differs_on_purpose_is_let_pass(tmp_path: Path) -> None:
    (tmp_path / "system.yaml").write_text("id: mine\nextends: hackjack\n", encoding="utf-8")
    for more, told in ((", score_on_purpose: true", "score 8"), ("", "scores 9 by its rank, not 8")):
        card = f"cards: [{{code: 9H, name: Eight, score: 8{more}}}]\n"
        (tmp_path / "deck.yaml").write_text(card, encoding="utf-8")
        ran = run("card", "mine", "9H", "--pack", tmp_path)
        assert told in (ran.out if more else ran.err)


# --- faults of files, not of lines ---------------------------------------------------------------------------------


def test_files_that_nothing_reads(pack: Path) -> None:
    (pack / "deck.yaml").rename(pack / "dekc.yaml")
    (pack / "tables.yml").write_text("tables: []\n")
    (pack / "zzz.yaml").write_text("a: 1\n")
    for litter in ("system.yaml", "x.panels.yaml", "zzz.yaml"):
        (pack / f"._{litter}").write_bytes(b"\0\5\26\7 of a Mac")
    nothing = "nothing reads this file"
    assert run("check", pack).faults == [
        f'pack/dekc.yaml: {nothing}: did you mean "deck.yaml"?',
        f'pack/tables.yml: {nothing}: did you mean "tables.yaml"?',
        f"pack/zzz.yaml: {nothing}; known: {', '.join(rules.FILE_KINDS)}",
    ]


@pytest.mark.parametrize(
    ("file", "raw", "says"),
    [
        ("claims", b"", ":1:1: the file is empty"),
        ("claims", b"- 1\n", ":1:1: expected keys and values, not a list"),
        ("claims", b"---\n", ":2:1: expected keys and values, not nothing"),
        ("system", None, ": the file is missing: every pack has a system.yaml"),
    ],
    ids=["empty", "list", "nothing", "missing"],
)
def test_files_that_are_no_content(file: str, raw: bytes | None, says: str, pack: Path) -> None:
    (pack / f"{file}.yaml").unlink()
    if raw is not None:
        (pack / f"{file}.yaml").write_bytes(raw)
    done = run("check", pack)
    assert (done.code, done.faults) == (1, [f"pack/{file}.yaml{says}"])


# --- what a good pack gives ----------------------------------------------------------------------------------------


def test_a_sound_pack(pack: Path) -> None:
    for named in (pack, pack / "deck.yaml"):
        done = run("check", named)
        assert (done.code, done.out.splitlines()[-1], done.err) == (0, "pack: sound", "")
    for name in ("claims", "screen", "sheet", "reference", "page"):
        (pack / f"{name}.yaml").unlink()
    head = pack / "system.yaml"
    head.write_text(head.read_text().partition("\nbacks:")[0])
    assert run("check", pack).code == 0, "rules, cards and tables alone are sound"


def test_the_json_of_a_check(pack: Path) -> None:
    (where,) = spoil(pack, next(fault for fault in FAULTS if fault.new == "blood: ▶1dd4"))
    done = run("check", "hackjack", pack, "--json")
    assert (done.code, done.err) == (1, "")
    good, bad = json.loads(done.out)["checked"]
    assert (good["pack"], good["sound"], good["problems"]) == (str(CONTENT), True, [])
    assert (bad["pack"], bad["sound"]) == (str(pack), False)
    (problem,) = bad["problems"]
    assert f"{problem['file']}:{problem['line']}:{problem['column']}: " == where
    assert problem["message"] == '"1dd4" is not dice: write a whole number or dice such as 1d4 or 2d6+1'


# --- whatever happens to a line ------------------------------------------------------------------------------------

JUNK = [*"""~'"%|傷""", "true", "-1", "999999999", "1.5", "[]", "{}", "[[]]", "*a", "2d6", "null", "\\n", "{limit", ""]
JUNK += ["{do: drew}", "x: y: z", "&a 1", "!!int 3", "\t", "- ", "1 week", "\u202e", "\x00", "{{ 7 * 7 }}", "a\tb"]


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


MUTATED = {"deck.yaml": 50, "system.yaml": 30, "tables.yaml": 15, "claims.yaml": 20}
"""So many changes of each file are tried at length, and two of a short file in every run."""


@pytest.mark.parametrize(
    ("file", "many"),
    [
        ("tables.yaml", 2),
        *(pytest.param(file, many // 2, marks=pytest.mark.slow) for file, many in MUTATED.items()),
        *(pytest.param(file, many, marks=pytest.mark.weekly) for file, many in MUTATED.items()),
    ],
)
def test_no_change_of_a_line_brings_it_down(file: str, many: int, pack: Path) -> None:
    verdicts = set()
    for what, text in mutations(file, 1, many):
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
    # What steps end needs no look-up of its own.
    known |= {"cause", "end", "ended condition"}
    kinds, named = [msgspec.Struct], set()
    for kind in kinds:
        kinds += kind.__subclasses__()
        # Side files hold what was read of content, whose own types are gone through.
        if kind.__module__.startswith("generator.model") and not kind.__module__.endswith(".side_files"):
            named |= {mark.noun for _, keys, values in naming(kind) for mark in (*keys, *values)}
    assert named == known
