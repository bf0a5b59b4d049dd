"""Packs of one's own: what extends another, where packs are found, and that every command takes them."""

from __future__ import annotations

import itertools
import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from helpers import CONTENT, ROOT, Ran, run
from hypothesis import given
from hypothesis import strategies as st

from generator.base.errors import ContentError
from generator.pack import inherit as extending
from generator.pack import pack_locations as shelf
from generator.pack.load import load_pack
from generator.pack.pack_locations import shipped
from generator.pack.strict_yaml import Marks, read_text
from generator.session.session import content_checksum

GRIM = """\
id: grim
extends: hackjack
title: Grim
rulings: {massive_damage: from_13}
conditions:
  frozen: {says: You are frozen stiff, brief: frozen}
"""
THREE_WOUNDS = """\
cards:
  - code: KS
    name: Frozen solid
    effects:
      - suffer frozen until rest
  - {code: AC, name: Bruise}
  - {code: 2C, name: Scratch, blood: 1}
"""


def write(folder: Path, **files: str) -> Path:
    """A pack's folder with files by their names without the ending."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def grim(tmp_path: Path) -> Path:
    return write(tmp_path / "grim", system=GRIM, deck=THREE_WOUNDS)


@pytest.fixture(autouse=True)
def shelf_of_packs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where packs are found by name, for every test a place of its own."""
    monkeypatch.setenv("HACKJACK_HOME", str(tmp_path / "home"))
    return tmp_path / "home" / "packs"


def test_one_pack_is_taken_and_house_rules_on_it_are_a_pack(
    grim: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    twice = run("card", "grim", "KS", "--pack", grim, "--pack", "soft")
    way = f"let soft extend {grim}, and give the one on top"
    assert (twice.code, twice.err) == (2, f"--pack is given 2 times, but takes one pack: {way}\n")
    assert run("rules", "hackjack", "--pack", "grim", "--set", "limit=18", "--save", "soft").code == 0
    assert "Frozen solid" in run("card", "soft", "KS", "--pack", "soft").out
    assert "limit = 18" in run("rules", "--pack", "soft").out
    assert run("check", "--pack", "soft", "--pack", "grim").code == 2


def faults_of(pack: Path) -> list[str]:
    """What the check says of a pack, without the path before each file's name."""
    checked = run("check", pack)
    assert checked.code == 1
    assert not any("Traceback" in line for line in checked.faults)
    return [line.replace(f"{pack.parent}/", "") for line in checked.faults]


# --- three changed wounds are three entries --------------------------------------------------------------------------


def test_three_changed_wounds_are_three_entries(grim: Path) -> None:
    system = load_pack(grim).system
    ours = load_pack(CONTENT).system
    changed = {"KS", "AC", "2C"}
    assert [card.code for card in system.deck.cards] == [card.code for card in ours.deck.cards]
    assert all((system.cards[code] == ours.cards[code]) == (code not in changed) for code in ours.cards)
    assert system.cards["KS"].name == "Frozen solid"
    assert system.tables == ours.tables
    assert system.panels == ours.panels
    assert system.head.id == "grim"
    assert system.head.conditions.keys() - ours.head.conditions.keys() == {"frozen"}


def test_an_entry_is_the_whole_card(grim: Path) -> None:
    assert "trauma" in run("card", "hackjack", "KS").out.lower()
    assert run("card", "grim", "KS", "--pack", grim).out == (
        "KS  Frozen solid (King of spades; score 10)\n    You are frozen stiff until you have rested.\n"
    )


def test_numbers_of_the_procedure_are_joined_one_by_one(tmp_path: Path) -> None:
    pack = write(tmp_path / "p", system="id: p\nextends: hackjack\nprocedure: {limit: 18, scores: {A: 11}}\n")
    system = load_pack(pack).system
    assert (system.figures["limit"], system.figures["massive"]) == (18, 13)
    assert [system.rank_score(code) for code in ("AC", "KC")] == [11, 10]


def test_a_name_without_a_value_takes_an_entry_out(tmp_path: Path) -> None:
    pack = write(tmp_path / "p", system="extends: hackjack\nconditions: {masked: null}\n")
    assert "masked" not in load_pack(pack).system.head.conditions
    spoilt = write(tmp_path / "q", system="extends: hackjack\nconditions:\n  maskd: null\n")
    assert faults_of(spoilt) == [
        'q/system.yaml:3:10: there is no condition "maskd" to take out: did you mean "masked"?'
    ]


def test_a_file_of_panels_takes_the_place_of_the_whole(tmp_path: Path) -> None:
    sheet = "title: Mine\npanels: [{title: Only this, blocks: [{block: text, text: [Hello.]}]}]\n"
    ours = (CONTENT / "sheet.yaml").read_text(encoding="utf-8")
    assert "Mine" not in ours
    pack = write(tmp_path / "p", system="extends: hackjack\n", sheet=sheet)
    panels = dict(load_pack(pack).system.panels)
    assert panels["sheet"].title == "Mine"
    assert panels["screen"] == dict(load_pack(CONTENT).system.panels)["screen"]


# --- rows of tables --------------------------------------------------------------------------------------------------


def recovery(tmp_path: Path, rows: str) -> Path:
    table = f"tables:\n  - id: recovery\n    rows:\n{rows}"
    return write(tmp_path / "p", system="id: p\nextends: hackjack\n", tables=table)


def lines(ran: Ran) -> list[str]:
    assert ran.code == 0, ran.err
    return ran.out.splitlines()


def test_a_row_takes_the_place_of_those_whose_results_it_covers(tmp_path: Path) -> None:
    pack = recovery(tmp_path, "      - {at: 2-3, lasts: 1 day}\n")
    table = lines(run("table", "p", "recovery", "--pack", pack))
    assert table[:3] == ["trauma 1  d6 days", "trauma 2-3  one day", "trauma 4  3d6 weeks"]
    assert len(table) == 5


def test_a_row_must_not_cover_a_part_of_another(tmp_path: Path) -> None:
    wide = recovery(tmp_path, "      - {at: 1-6, lasts: 1 day}\n")
    assert lines(run("table", "p", "recovery", "--pack", wide)) == ["trauma 1-6  one day"]
    tables = "tables:\n  - {id: recovery, rows: [{at: 3, lasts: 2 days}]}\n"
    above = write(tmp_path / "q", system="id: q\nextends: p\n", tables=tables)
    assert faults_of(above) == [
        "q/tables.yaml:2:32: this takes a part of the row 1-6: give rows for the rest of 1-6 too"
    ]
    whole = tables.replace("[{", "[{at: 4-6, lasts: 1 week}, {at: 1-2, lasts: 1 day}, {")
    (above / "tables.yaml").write_text(whole)
    shown = lines(run("table", "q", "recovery", "--pack", above))
    assert shown == ["trauma 1-2  one day", "trauma 3  two days", "trauma 4-6  one week"]


def test_rows_beyond_the_table_are_reported_where_they_stand(tmp_path: Path) -> None:
    pack = recovery(tmp_path, "      - {at: 6-8, lasts: 1 day}\n")
    cure = "take out what is beyond, or write covers: 1-8"
    assert faults_of(pack) == [f"p/tables.yaml:4:7: the rows end at 8, but the table covers 1-6: {cure}"]


def test_a_table_of_ones_own_joins_the_others(tmp_path: Path) -> None:
    table = "tables:\n  - {id: mood, title: Mood, roll: d4, covers: 1-4, rows: [{at: 1-4, name: Grim}]}\n"
    pack = write(tmp_path / "p", system="id: p\nextends: hackjack\n", tables=table)
    assert lines(run("table", "p", "mood", "--pack", pack)) == ["roll 1-4  Grim"]
    assert [known.id for known in load_pack(pack).system.tables] == ["recovery", "mood"]


def test_rows_with_names_are_replaced_by_name() -> None:
    base = extending.YamlValue(*read_text("tables: [{id: a, rows: [{name: Axe, note: x}, {name: Bow, note: y}]}]", "a"))
    own = extending.YamlValue(*read_text("tables: [{id: a, rows: [{name: Club, note: z}, {name: axe, note: w}]}]", "b"))
    joined, problems = extending.extended("tables.yaml", base, own)
    assert problems == []
    rows = joined.value["tables"][0]["rows"]
    assert [row["name"] + row["note"] for row in rows] == ["axew", "Bowy", "Clubz"]
    files = [joined.marks.problem(("tables", 0, "rows", place, "note"), "").file for place in range(3)]
    assert files == ["b", "a", "b"]


@st.composite
def parted(draw: st.DrawFn, whole: bool) -> list[tuple[int, int]]:
    """Spans of results in order, without overlap; without gaps too if `whole`."""
    edges = sorted(draw(st.sets(st.integers(1, 19), max_size=8)))
    spans = list(itertools.pairwise([1, *(edge + 1 for edge in edges), 21]))
    found = [(low, high - 1) for low, high in spans if low < high]
    return found if whole else [span for span in found if draw(st.booleans())]


@given(parted(True), parted(False), st.randoms())
def test_rows_are_joined_result_by_result(base: list[tuple[int, int]], own: list[tuple[int, int]], luck: Any) -> None:
    """The slow way: for each result, the pack's row if it has one, otherwise the other's."""

    def rows(spans: list[tuple[int, int]], whose: str) -> extending.YamlValue:
        written = [f"{{at: {low}-{high}, name: {whose} {low}}}" for low, high in spans]
        return extending.YamlValue(*read_text(f"tables: [{{id: a, rows: [{', '.join(written)}]}}]", whose))

    def by_result(spans: list[tuple[int, int]], whose: str) -> dict[int, str]:
        return {result: f"{whose} {low}" for low, high in spans for result in range(low, high + 1)}

    luck.shuffle(own)
    joined, problems = extending.extended("tables.yaml", rows(base, "base"), rows(own, "own"))
    mine = by_result(own, "own")
    torn = [
        (low, high) for low, high in base if 0 < sum(result in mine for result in range(low, high + 1)) < high + 1 - low
    ]
    assert len(problems) == len(torn)
    assert all(problem.file == "own" for problem in problems)
    if not torn:
        found = joined.value["tables"][0]["rows"]
        spans = [tuple(map(int, str(row["at"]).split("-"))) for row in found]
        assert spans == sorted(spans)
        told = {
            result: row["name"]
            for row, (low, high) in zip(found, spans, strict=True)
            for result in range(low, high + 1)
        }
        assert told == by_result(base, "base") | mine
        for place, row in enumerate(found):
            assert joined.marks.problem(("tables", 0, "rows", place, "at"), "").file == row["name"].split()[0]


# --- faults stand where the entry stands -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "old", "new", "fault"),
    [
        ("deck", "suffer frozen", "suffer frozn", 'deck.yaml:5:16: unknown condition "frozn": did you mean '),
        ("deck", "blood: 1", "blod: 1", 'deck.yaml:7:31: unknown key "blod": did you mean "blood"?'),
        ("deck", "code: 2C", "code: AC", 'deck.yaml:7:12: the card "AC" appears twice: it is on line 6 already'),
        ("deck", "code: 2C", "code: XX", 'deck.yaml:7:12: "XX" is not a card'),
        ("deck", "{code: 2C, name: Scratch, blood: 1}", "2C", "deck.yaml:7:5: expected keys and values, not 2C"),
        ("deck", "code: 2C, ", "", 'deck.yaml:7:5: the key "code" is missing'),
        ("system", "from_13", "from_14", 'system.yaml:4:27: massive_damage cannot be "from_14": choose over_13 or '),
        ("system", "massive_damage", "H2", 'system.yaml:4:15: there is no ruling switch "H2": this ruling has no '),
        ("system", "massive_damage", "masive", 'system.yaml:4:19: there is no ruling switch "masive": did you mean '),
        ("system", "says: You", "say: You", 'system.yaml:6:12: unknown key "say": did you mean "says"?'),
        ("system", "extends: hackjack", "extends: hackjak", 'system.yaml:2:10: there is no system "hackjak" to extend'),
        ("system", "extends: hackjack", "extends: ../hackjack", "system.yaml:2:10: a pack extends one other: write "),
        ("system", "extends: hackjack", "extends: [hackjack]", "system.yaml:2:10: a pack extends one other: write "),
        ("system", "extends: hackjack\n", "", "system.yaml:1:1: these keys are missing: version ("),
    ],
)
def test_a_fault_is_reported_at_the_entry(grim: Path, name: str, old: str, new: str, fault: str) -> None:
    path = grim / f"{name}.yaml"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    found = faults_of(grim)
    assert any(line.startswith(f"grim/{fault}") for line in found), found
    assert all(line.startswith("grim/") for line in found)


def test_a_fault_in_the_pack_below_is_reported_there(tmp_path: Path) -> None:
    shutil.copytree(CONTENT, tmp_path / "below")
    deck = tmp_path / "below" / "deck.yaml"
    text = deck.read_text(encoding="utf-8")
    deck.write_text(text.replace("suffer knocked_back", "suffer knocked_bak", 1), encoding="utf-8")
    above = write(tmp_path / "above", system="extends: below\n", deck="cards: [{code: KS, name: Other}]\n")
    (found,) = faults_of(above)
    assert found.startswith("below/deck.yaml:11:") and 'unknown condition "knocked_bak"' in found
    mended = "cards: [{code: AC, name: Other}]\n"
    (above / "deck.yaml").write_text(mended)
    assert run("card", "below", "AC", "--pack", above).code == 0, "the entry that is at fault is no longer used"


def test_marks_lead_to_the_file_that_holds_a_value() -> None:
    base = extending.YamlValue(*read_text("a: 1\nb: 2\n", "base"))
    own = extending.YamlValue(*read_text("\n\nb: 3\nc: 4\n", "own"))
    joined, problems = extending.extended("system.yaml", base, own)
    assert (joined.value, problems) == ({"a": 1, "b": 3, "c": 4}, [])
    places = {key: joined.marks.problem((key,), "", key=True) for key in "abc"}
    assert {key: (place.file, place.line) for key, place in places.items()} == {
        "a": ("base", 1), "b": ("own", 3), "c": ("own", 4),
    }  # fmt: skip
    assert joined.marks.problem((), "").file == "own"
    assert isinstance(joined.marks, Marks)


# --- chains and circles ----------------------------------------------------------------------------------------------


def test_a_chain_takes_the_nearest(tmp_path: Path) -> None:
    write(tmp_path / "one", system="id: one\nextends: hackjack\nprocedure: {limit: 30, massive: 5}\n")
    deck = "cards: [{code: KS, name: Of two}]\n"
    write(tmp_path / "two", system="id: two\nextends: one\nprocedure: {limit: 40}\nrulings: {H1: from_13}\n", deck=deck)
    three = write(tmp_path / "three", system="id: three\nextends: two\nrulings: {first_draw: at_zero}\n")
    pack = load_pack(three)
    assert pack.names == ("three", "two", "one", "hackjack")
    assert [pack.system.figures[name] for name in ("limit", "massive", "instant")] == [40, 5, 21]
    assert pack.system.cards["KS"].name == "Of two"
    assert dict(pack.system.house_rules) == {"massive_damage": "from_13", "first_draw": "at_zero"}
    for name in pack.names:
        assert run("card", name, "KS", "--pack", three).out.startswith("KS  Of two")
    assert run("card", "glog", "KS", "--pack", three).code == 2


def test_packs_that_extend_each_other_are_refused(tmp_path: Path) -> None:
    a = write(tmp_path / "a", system="id: a\nextends: b\n")
    write(tmp_path / "b", system="id: b\nextends: c\n")
    write(tmp_path / "c", system="id: c\nextends: b\n")
    assert faults_of(a) == ["c/system.yaml:2:10: these packs extend each other in a circle: b -> c -> b"]
    itself = write(tmp_path / "me", system="id: me\nextends: me\n")
    assert faults_of(itself) == ["me/system.yaml:2:10: these packs extend each other in a circle: me -> me"]


def test_a_tower_of_packs_has_an_end(tmp_path: Path) -> None:
    write(tmp_path / "p0", system="id: p0\nextends: hackjack\n")
    for number in range(1, 12):
        write(tmp_path / f"p{number}", system=f"id: p{number}\nextends: p{number - 1}\n")
    assert run("check", tmp_path / "p6").code == 0
    (found,) = faults_of(tmp_path / "p11")
    assert "system.yaml:2:10: this is the pack below 7 others" in found


def test_a_pack_of_another_kind_is_refused_in_sentences(tmp_path: Path) -> None:
    pack = write(tmp_path / "p", system="extends: hackjack\nprocedure: {kind: blackjack, target: 21}\n")
    found = faults_of(pack)
    assert any("p/system.yaml:2:12: these keys are missing: dealer_stands (the dealer" in line for line in found)


def test_missing_keys_are_told_once_with_what_they_are_for(grim: Path) -> None:
    cards = "".join(f"  - {{code: {rank}H}}\n" for rank in "23456789AJQK")
    (grim / "deck.yaml").write_text(f"cards:\n{cards}", encoding="utf-8")
    (told,) = faults_of(grim)
    where = "also on lines 3, 4, 5, 6, 7, 8, 9, 10 and 3 more"
    assert told == f'grim/deck.yaml:2:5: the key "name" is missing: what it is called; {where}'


def test_a_new_head_is_told_all_that_it_lacks_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "system.yaml").write_text("id: mine\n", encoding="utf-8")
    (told,) = run("check", tmp_path).err.splitlines()
    assert told.endswith(
        "system.yaml:1:1: these keys are missing: title (its title); version (the content's own version); "
        "about (a description in a sentence or two); source (keys and values: title, author, licence); "
        "procedure (keys and values, kind among them: blackjack, field, traits, steps)"
    )


# --- house rules and claims ------------------------------------------------------------------------------------------


def test_a_pack_chooses_house_rules_and_the_call_has_the_last_word(grim: Path) -> None:
    def hit(*more: str) -> str:
        return run("resolve", "grim", "hit", "13", "--cards", "AC", "--pack", grim, *more).out

    assert "massive" in hit()
    assert "massive" not in hit("--set", "massive_damage=over_13")
    assert "massive_damage" in {name for name, _ in load_pack(grim).system.house_rules}


def test_a_pack_may_write_rulings_beside_its_choices(tmp_path: Path) -> None:
    rulings = (
        (
            "extends: hackjack\nrulings:\n  H28: d20_over_score\n"
            "  H8: {point: On it, source: The same., ours: Nothing happens on {limit}.}\n"
            "  Z1:\n    point: New\n    source: None.\n    ours: Ours.\n"
            "    switch: {name: fresh, default: a, options: {a: A., b: B.}}\n  fresh: b\n"
        )
        .replace("{limit}.}", '{limit}."}')
        .replace("ours: Nothing", 'ours: "Nothing')
    )
    system = load_pack(write(tmp_path / "p", system=rulings)).system
    assert dict(system.house_rules) == {"pass_out": "d20_over_score", "fresh": "b"}
    by_id = {ruling.id: ruling for ruling in system.head.rulings}
    assert by_id["H8"].ours == "Nothing happens on {limit}."
    assert [ruling.id for ruling in system.head.rulings] == [*(f"H{number}" for number in range(1, 45)), "Z1"]
    spoilt = write(tmp_path / "q", system=rulings.replace("source: None.", "sauce: None."))
    assert any(line.startswith("q/system.yaml:7:5: unknown key") for line in faults_of(spoilt))


@pytest.mark.slow
def test_claims_of_the_source_are_told_but_only_ones_own_must_hold(grim: Path) -> None:
    head = GRIM.replace("massive_damage: from_13", "twenty_one: at_every_step") + "procedure: {limit: 18}\n"
    write(grim, system=head)
    checked = run("check", grim, "-v")
    assert checked.code == 0, checked.err
    assert "grim: claim death departs: Past 21 the character dies." in checked.out
    assert "grim: claim massive holds: Damage past 13 is massive." in checked.out
    own = "claims: [{id: death, about: number, where: here, says: Past 19 one dies., number: limit, expect: 19}]\n"
    write(grim, claims=own)
    assert faults_of(grim) == [
        'grim/claims.yaml:1:10: the claim "death" fails: it should come out as 19, but it comes out as 18'
    ]


# --- where packs are found -------------------------------------------------------------------------------------------


def test_a_pack_is_found_by_its_name(grim: Path, shelf_of_packs: Path) -> None:
    assert run("card", "grim", "KS").code == 2
    shutil.move(grim, shelf_of_packs / "grim")
    assert run("card", "grim", "KS").out.startswith("KS  Frozen solid")
    assert run("card", "hackjack", "KS", "--pack", "grim").out.startswith("KS  Frozen solid")
    (shelf_of_packs / "grim" / "tables.yaml").write_text("tables: []\nx: 1\n", encoding="utf-8")
    assert "grim/tables.yaml:2:1: unknown key" in run("card", "grim", "KS").err
    (shelf_of_packs / "grim" / "tables.yaml").unlink()
    assert run("card", "grin", "KS").err == 'there is no system "grin": did you mean "grim"?\n'
    assert "  pack      " + str(shelf_of_packs / "grim") in run("list").out
    shapes = json.loads(run("list", "--json").out)["systems"]
    assert {shape["system"]: shape.get("pack") for shape in shapes} == {
        **dict.fromkeys(shipped()),
        "grim": str(shelf_of_packs / "grim"),
    }
    assert run("play", "grim", "add", "bryn").code == 0
    assert "frozen stiff" in run("play", "hit", "bryn", "3", "KS").out


def test_a_broken_pack_hides_no_other(grim: Path, shelf_of_packs: Path) -> None:
    shutil.copytree(grim, shelf_of_packs / "grim")
    write(shelf_of_packs / "broken", system="id: [\n")
    write(shelf_of_packs / "Not A Name", system=GRIM)
    write(shelf_of_packs / "hackjack", system=GRIM)
    listed = run("list")
    assert listed.code == 0
    assert "broken: has faults, which hackjack check broken lists" in listed.out
    assert "\ngrim: Grim 1.0\n" in listed.out
    assert shelf.installed() == ("broken", "grim")
    assert shelf.find("hackjack") == ROOT / "content" / "hackjack", "nobody can take the name of a system that ships"


def test_the_folder_has_the_name_of_its_system(grim: Path, shelf_of_packs: Path) -> None:
    shutil.copytree(grim, shelf_of_packs / "other")
    ran = run("card", "other", "KS")
    assert ran.code == 2
    assert 'holds the system "grim": name the folder so, or write id: other in system.yaml' in ran.err
    assert run("check", "other").err == ran.err.replace(" holds", ": holds")


def test_where_packs_lie(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HACKJACK_HOME", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert shelf.packs_folder() == tmp_path / "data" / "hackjack" / "packs"
    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "local"))
    assert shelf.packs_folder() == tmp_path / "local" / "hackjack" / "packs"


def test_every_command_takes_a_pack(grim: Path, tmp_path: Path) -> None:
    for call in (
        ["list"],
        ["check"],
        ["card", "grim", "KS"],
        ["table", "grim", "recovery"],
        ["resolve", "grim", "hit", "3", "--cards", "KS"],
        ["odds", "grim", "hit", "3"],
        ["play", "add", "bryn"],
        ["print", "grim", "reference", "-o", tmp_path],
    ):
        done = run(*call, "--pack", grim)
        assert done.code == 0, (call, done.err)
    assert (tmp_path / "grim-reference.pdf").stat().st_size > 1000


def test_what_no_event_reads_is_read_once_somebody_asks(grim: Path) -> None:
    """A card and an event have no time for the screen; what is wrong in it is told by whoever judges or shows it."""
    played = content_checksum(load_pack(grim).system)
    write(grim, screen="title: Screen\npanels:\n  - {titel: Wounds}\n", claims="claims: nothing\n")
    wrong = run("check", grim)
    assert wrong.code == 1 and "screen.yaml:3:6" in wrong.err and "claims.yaml:1:9" in wrong.err
    asks = ["card", "grim", "KS"], ["resolve", "grim", "hit", "9", "--cards", "2C"], ["table", "grim", "recovery"]
    for words in asks:
        assert run(*words, "--pack", grim).code == 0, words
    system = load_pack(grim, to_play=True).system
    assert content_checksum(system) == played and system.panel_names == ("screen", "sheet", "reference")
    with pytest.raises(ContentError) as error:
        assert system.panels
    assert "\n".join(map(str, error.value.problems)) == wrong.err.rstrip()
    for words in (["print", "grim", "deck"], ["odds", "grim", "hit", "9"]):
        assert run(*words, "--pack", grim).err == wrong.err, words


def test_a_card_of_a_pack_is_judged_and_a_panel_that_is_asked_for_is_whole(grim: Path) -> None:
    system = load_pack(grim, to_play=True).system
    assert system.panels == load_pack(grim).system.panels and system.page == load_pack(grim).system.page
    write(grim, deck=THREE_WOUNDS.replace("suffer frozen", "suffer frosen"))
    assert run("card", "grim", "AC", "--pack", grim).err == run("check", grim).err != ""


def test_a_campaign_whose_pack_is_gone_says_so(grim: Path) -> None:
    assert run("play", "add", "bryn", "--pack", grim).code == 0
    gone = run("play", "show")
    assert gone.code == 1
    assert (
        gone.err
        == 'the campaign plays "grim", which is not a system here: name its folder or its zip file with --pack\n'
    )
    assert "bryn" in run("play", "show", "--pack", grim).out


def test_a_pack_in_this_folder_that_is_not_named_as_a_pack_is_pointed_to(
    grim: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(grim.parent)
    hint = ": a pack of that name lies in this folder, so add --pack grim"
    for words in (("print", "grim"), ("odds", "grim", "hit", "9"), ("play", "grim", "show")):
        done = run(*words)
        assert done.code == 2 and done.err.endswith(f'no system "grim"{hint}\n'), words
    assert run("play", "add", "bryn", "--pack", "grim").code == 0
    assert run("play", "show").err == f'the campaign plays "grim", which is not a system here{hint}\n'
    shutil.make_archive(str(tmp_path / "friend" / "grim"), "zip", grim.parent, "grim")
    monkeypatch.chdir(tmp_path / "friend")
    for name in ("grim", "grim.zip"):
        assert run("print", name).err == f'there is no system "{name}"{hint}.zip\n'


def test_a_pack_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ContentError, match="folder not found"):
        load_pack(tmp_path / "nowhere")
    assert run("card", "grim", "KS", "--pack", tmp_path / "nowhere").code == 1


def test_content_that_is_not_read_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody edits `content/` where a copy of it is read: no change would count."""
    monkeypatch.chdir(tmp_path)
    assert run("card", "hackjack", "QS").err == ""
    write(tmp_path / "content" / "hackjack", system=GRIM)
    told = f"the content in this folder is not read, but that in {ROOT / 'content'}: "
    assert run("card", "hackjack", "QS").err == f"{told}add --pack content/NAME, or install with -e\n"
    monkeypatch.chdir(ROOT)
    assert run("card", "hackjack", "QS").err == ""
