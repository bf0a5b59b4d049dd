"""Packs of a kind of procedure that is content by now: what would be written is shown, written whole, and sound."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from helpers import ROOT, run

from generator.games.card_products import card_set, card_set_names
from generator.pack import content

WHOLE = ROOT / "tests" / "saved_0_1" / "packs" / "whole_glog"


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A copy of a pack that version 0.1 made of the severity tables."""
    return Path(shutil.copytree(WHOLE, tmp_path / "whole_glog"))


def edited(folder: Path, name: str, *changes: tuple[str, str]) -> None:
    text = (folder / name).read_text(encoding="utf-8")
    for was, now in changes:
        assert text.count(was) == 1, was
        text = text.replace(was, now)
    (folder / name).write_text(text, encoding="utf-8")


def written(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.glob("*.yaml")}


def odds(folder: Path, *words: str) -> Any:
    done = run("odds", folder.name, *words, "--json", "--pack", folder)
    assert (done.code, done.err) == (0, "")
    return json.loads(done.out)


def test_a_pack_of_a_kind_that_is_no_more_names_the_way_out(old: Path) -> None:
    says = f'the kind "injuries" is content now: write hackjack check --upgrade {old}'
    for call in (
        ("check", old),
        ("odds", "whole_glog", "hit", "3", "--pack", old),
        ("print", "whole_glog", "--pack", old),
    ):
        done = run(*call)
        assert done.code == 1 and done.err.startswith(f"{old / 'system.yaml'}:") and says in done.err


def test_one_that_extends_the_system_loses_its_kind_alone(tmp_path: Path) -> None:
    harder = pack(tmp_path, "{kind: injuries, per_injury: 3, slain: slain}")
    assert run("check", "--upgrade", harder, "--yes").code == 0
    assert "procedure: {per_injury: 3}" in (harder / "system.yaml").read_text(encoding="utf-8")


def test_what_would_be_written_is_shown_and_nothing_is_written_unasked(old: Path) -> None:
    before = written(old)
    done = run("check", "--upgrade", old)
    assert done.code == 0 and written(old) == before
    assert done.err.strip() == (
        f"nothing is written: hackjack check --upgrade {old} --yes writes system.yaml, screen.yaml"
    )
    lines = done.out.splitlines()
    assert f"--- {old / 'system.yaml'}" in lines and "-  kind: injuries" in lines and "+  kind: steps" in lines
    assert "+    per_injury: 2" in lines and any("shows: stable_by_rounds" in line for line in lines)


def test_it_is_written_checked_and_plays_as_before(old: Path, tmp_path: Path) -> None:
    done = run("check", "--upgrade", old, "--yes")
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines()[-1] == "whole_glog: sound"
    assert odds(old, "hit", "3") == json.loads(run("odds", "glog", "hit", "3", "--json").out)
    for words in ("hit 5 --at location=leg --dice 4,3,3", "trauma 3 --dice 1,2,9", "stabilise 12"):
        call = [*words.split(), "--seed", "1", "--json"] if "dice" not in words else [*words.split(), "--json"]
        state: list[str | Path] = ["--state", tmp_path / "dying.json"] if "stabilise" in words else []
        (tmp_path / "dying.json").write_text('{"dying": true}', encoding="utf-8")
        ours = json.loads(run("resolve", old.name, *call, *state, "--pack", old).out)
        theirs = json.loads(run("resolve", "glog", *call, *state).out)
        assert ours["state"] == theirs["state"] and ours["log"] == theirs["log"]
    again = run("check", "--upgrade", old, "--yes")
    assert (again.code, again.out, again.err) == (0, f"{old}: nothing is to be written anew\n", "")


def test_it_prints_the_cards_and_panels_of_the_system(old: Path, tmp_path: Path) -> None:
    """A pack from before `cards` printed the sets that its kind had."""
    assert run("check", "--upgrade", old, "--yes").code == 0
    system, glog = content.load(old).system, content.load(content.find("glog")).system
    assert card_set_names(system) == card_set_names(glog)
    for name in card_set_names(glog):
        assert [face.code for face in card_set(system, name).faces] == [
            face.code for face in card_set(glog, name).faces
        ]
    for product in ("screen", "sheet", "severity"):
        assert run("print", "whole_glog", product, "--pack", old, "-o", tmp_path / "out").code == 0


def test_numbers_kinds_and_names_of_its_own_are_kept_and_so_are_comments(old: Path) -> None:
    edited(
        old,
        "system.yaml",
        ("  per_injury: 2\n", "  per_injury: 3\n"),
        (
            "    fall: {table: special, column: fall}\n",
            "    fall: {table: special, column: fall}\n    cold: {table: special, column: fire}\n",
        ),
        ("  slain: slain\n", "  slain: felled\n"),
        ("  dying: dying\n", "  dying: bleeding\n"),
        ("  breakdown_table: breakdowns\n", "  breakdown_table: panics\n"),
        ("  slain:\n", "  felled:  # at once\n"),
        ("    brief: slain\n    implies:\n      - {do: suffer, condition: dead, until: now}\n", "    brief: slain\n"),
        ("  dying:\n    name: Dying\n", "  bleeding:\n    name: Dying\n"),
    )
    tables = (old / "tables.yaml").read_text(encoding="utf-8")
    tables = tables.replace("condition: slain", "condition: felled").replace("condition: dying", "condition: bleeding")
    (old / "tables.yaml").write_text(tables.replace("id: breakdowns", "id: panics"), encoding="utf-8")
    edited(old, "screen.yaml", ("table: breakdowns}", "table: panics}"))
    claims = (old / "claims.yaml").read_text(encoding="utf-8")
    kept = re.sub(r"(?m)^  - \{id: per_injury,.*\n", "", claims).replace("table: breakdowns", "table: panics")
    (old / "claims.yaml").write_text(kept[: kept.index("  # --- at the table")], encoding="utf-8")
    done = run("check", "--upgrade", old, "--yes")
    assert done.code == 0, done.err
    text = (old / "system.yaml").read_text(encoding="utf-8")
    assert "  felled:  # at once\n" in text and "# --- what the severity tables bring ---" in text
    hit = odds(old, "hit", "13")
    assert hit["slain"]["p"] == 1
    assert odds(old, "hit", "4", "--at", "type=cold") == odds(old, "hit", "4", "--at", "type=fire")
    state = old / "state.json"
    state.write_text('{"injuries": [{"condition": "burned", "days": 2}]}', encoding="utf-8")
    low = odds(old, "hit", "1", "--state", str(state))["slain"]["fraction"]
    assert low == "1/3", "a d12, 1 and 3: 13 from 9 on"
    done = run("resolve", "whole_glog", "hit", "9", "--dice", "2,1", "--pack", old, "--json")
    assert json.loads(done.out)["state"]["dying"] is True


def test_what_hinders_standing_up_is_kept(old: Path) -> None:
    edited(old, "system.yaml", ("  madness_table: madness\n", "  madness_table: madness\n  barred: {stand: [coma]}\n"))
    assert run("check", "--upgrade", old, "--yes").code == 0
    for condition, code in (("coma", 1), ("paraplegia", 0)):
        state = {
            "injuries": [{"condition": condition, "permanent": True}],
            "conditions": [{"condition": "prone", "until": "stand"}],
        }
        (old / "state.json").write_text(json.dumps(state), encoding="utf-8")
        done = run("resolve", "whole_glog", "stand", "--state", old / "state.json", "--pack", old)
        assert done.code == code, done


def test_faults_that_are_left_are_told_once_it_is_written(old: Path) -> None:
    edited(old, "system.yaml", ("  winded:\n", "  windless:\n"))
    done = run("check", "--upgrade", old, "--yes")
    assert done.code == 1 and 'unknown condition "winded": did you mean' in done.err
    assert "Traceback" not in done.err


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (["--upgrade", "{}", "glog"], "--upgrade stands alone: name the folder of one pack behind it"),
        (["--yes"], "--yes goes with --upgrade: it writes without asking"),
        (["--upgrade", "{}/nowhere"], "there is no system.yaml, so this is no pack"),
    ],
)
def test_calls_that_cannot_be_followed(call: list[str], says: str, old: Path) -> None:
    done = run("check", *(word.format(old) for word in call))
    assert done.code in (1, 2) and says in done.err


@pytest.mark.parametrize("key", ["conditions", "rulings", "cards", "procedure"])
@pytest.mark.parametrize("value", ["3", "[[]]", "{a: {b: c}}", "[{id: [1]}]"])
def test_a_part_of_another_shape_is_told(key: str, value: str, old: Path) -> None:
    text = (old / "system.yaml").read_text(encoding="utf-8")
    blocks = re.split(r"(?m)^(?=[a-z]+:)", text)
    kept = "".join(block for block in blocks if not block.startswith(f"{key}:"))
    (old / "system.yaml").write_text(f"{kept}{key}: {value}\n", encoding="utf-8")
    done = run("check", "--upgrade", old, "--yes")
    assert done.code in (0, 1) and "unforeseen" not in done.err


def test_a_file_that_is_no_yaml_is_told_at_its_line(old: Path) -> None:
    (old / "system.yaml").write_text("id: [\n", encoding="utf-8")
    done = run("check", "--upgrade", old, "--yes")
    assert done.code == 1 and "system.yaml:" in done.err and "Traceback" not in done.err


def test_keys_of_another_name_are_renamed_where_they_stand(tmp_path: Path) -> None:
    folder = tmp_path / "fools"
    folder.mkdir()
    cards = """\
cards:
  # whom the moon has touched
  - {name: madness, from: {table: madness}, sign: jester, for_good: true}  # for good
  - name: more
    from: {table: madness}
    signs: {madness: head}
    brief: true
"""
    head = "id: fools\nextends: glog\ntitle: 'Fools'\nversion: '1.0'\n"
    (folder / "system.yaml").write_text(head + cards, encoding="utf-8")
    for call in (("check", folder), ("print", "fools", "madness", "--pack", folder)):
        done = run(*call)
        way = f"now: write hackjack check --upgrade {folder}"
        assert [line.rpartition("system.yaml:")[2] for line in done.faults] == [
            f'7:51: the key "sign" is called "emblem" {way}',
            f'10:12: the key "signs" is called "emblems" {way}',
        ]
    assert run("check", "--upgrade", folder, "--yes").code in (0, 1)
    now = cards.replace("sign: jester, for_good: true} ", "emblem: jester, for_good: true}").replace(
        "signs: ", "emblems: "
    )
    assert (folder / "system.yaml").read_text(encoding="utf-8") == head + now
    assert "--upgrade" not in run("check", folder).err
    assert run("check", "--upgrade", folder).out == f"{folder}: nothing is to be written anew\n"


# --- packs that extend the system ------------------------------------------------------------------------------------


def pack(folder: Path, procedure: str) -> Path:
    (folder / "harder").mkdir()
    head = f"id: harder\nextends: glog\ntitle: Harder\nversion: '1.0'\nprocedure: {procedure}\n"
    (folder / "harder" / "system.yaml").write_text(head, encoding="utf-8")
    return folder / "harder"


def test_a_pack_that_extends_it_names_numbers_and_kinds_as_before(tmp_path: Path) -> None:
    harder = pack(tmp_path, "{per_injury: 3, severity_die: d20, damage: {cold: {table: special, column: fire}}}")
    assert run("check", harder).code == 0
    listed = run("resolve", "glog", "hit", "2", "--at", "type=cold", "--dice", "7,1,1,1", "--pack", harder)
    assert "Severity 9: 7 on the d20 + 2 lethal." in listed.out and "Burned" in listed.out
    said = "".join(
        card for face in card_set(content.load(harder).system, "severity").faces for card in map(str, face.parts)
    )
    assert "+3" in said and "+2" not in said


@pytest.mark.parametrize(
    ("procedure", "says"),
    [
        (
            "{per_injry: 3}",
            'the procedure has no "per_injry": did you mean "per_injury"?; conditions, tables and events',
        ),
        ("{npc_dead: x}", '"x" is not dice: write a whole number or dice'),
        ("{damage: {cold: {table: specal}}}", 'unknown table "specal": did you mean "special"?'),
        ("{damage: {cold: {table: special, column: frost}}}", 'unknown column "frost"'),
        ("{damage: 3}", "3 stands where keys and values are wanted"),
    ],
)
def test_what_it_names_wrongly_is_told_at_its_line(procedure: str, says: str, tmp_path: Path) -> None:
    done = run("check", pack(tmp_path, procedure))
    assert done.code == 1 and any(says in line and "system.yaml:5:" in line for line in done.faults), done.err


def test_a_pack_that_extends_it_puts_tables_in_place_of_others_as_before(tmp_path: Path) -> None:
    """As version 0.1 played it: its own breakdowns and madness, and who is paralysed may stand up all the same."""
    folder = tmp_path / "grim"
    folder.mkdir()
    procedure = "breakdown_table: fits, madness_table: follies, barred: {stand: [unconscious]}, per_injury: 3"
    (folder / "system.yaml").write_text(f"id: grim\nextends: glog\nprocedure: {{{procedure}}}\n", encoding="utf-8")
    (folder / "tables.yaml").write_text(
        """\
tables:
  - {id: fits, title: Fits, roll: d2, covers: 1-2, rows: [{at: 1, name: Weeping}, {at: 2, name: Laughing}]}
  - {id: follies, title: Follies, roll: d2, covers: 1-2, rows: [{at: 1, name: Pride}, {at: 2, name: Envy}]}
""",
        encoding="utf-8",
    )
    assert run("check", folder).code == 0

    def resolved(state: str, *words: str) -> list[str]:
        (tmp_path / "state.json").write_text(state, encoding="utf-8")
        done = run("resolve", "grim", *words, "--state", tmp_path / "state.json", "--pack", folder)
        assert (done.code, done.err) == (0, "")
        return done.out.splitlines()

    assert resolved('{"trauma": 9}', "trauma", "3", "--dice", "1,2,7")[2:] == [
        "Breakdown for 7 rounds: Laughing.",
        "0 HP, breakdown (Laughing) for 7 more rounds",
    ]
    owed = '{"saves": [{"of": "breakdown"}]}'
    assert resolved(owed, "save", "fail", "--dice", "1")[1:] == ["Madness for good: Pride.", "0 HP, Pride"]
    down = '{"conditions": [{"condition": "prone", "until": "stand"}], "injuries": [{"condition": "paraplegia", '
    assert resolved(down + '"permanent": true}]}', "stand")[0] == "Prone is over."
