"""Writing in the studio: what is typed into a cell stands in the pack's YAML at its place, and nothing else changes."""

from __future__ import annotations

import asyncio
import io
import json
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec
import pytest
from helpers import pack_head, run
from PIL import Image
from served import Device, studying

from generator.base.errors import DiskError, HackjackError
from generator.base.files import save_file
from generator.pack.load import Pack, ParsedPack, load_pack, parse_pack
from generator.pack.strict_yaml import read_text
from generator.studio import uploads
from generator.studio.app import Studio
from generator.studio.shelf import Shelf
from generator.studio.wishes import PackChange
from generator.studio.writing import Writing

PACKS = {
    "own": ("--blank",),
    "mine": ("--extends",),
    "glogs": ("--from", "glog", "--extends"),
    "whole": ("--from", "hackjack"),
}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A home whose packs each test finds as they were made."""
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HACKJACK_HOME", str(home))
        for name, words in PACKS.items():
            assert run("new", name, home / "made" / name, *words).code == 0
        yield home


@pytest.fixture(scope="module")
def served(home: Path) -> Iterator[tuple[Studio, Device]]:
    with studying() as served:
        assert home.is_dir()
        yield served


@pytest.fixture
def device(served: tuple[Studio, Device]) -> Device:
    return served[1]


@pytest.fixture(autouse=True)
def packs(home: Path) -> Path:
    """The packs folder."""
    shutil.rmtree(home / "packs", ignore_errors=True)
    shutil.copytree(home / "made", home / "packs")
    return home / "packs"


def grid(device: Device, pack: str, part: str = "") -> Any:
    status, told, _ = device.ask(f"/api/grid?of={pack}&part={part}")
    assert status == 200, told
    return told


def write(device: Device, pack: str, part: str, change: dict[str, Any], *, seen: str = "", status: int = 200) -> Any:
    seen = seen or grid(device, pack, part)["seen"]
    found, told, _ = device.ask("/api/write", {"pack": pack, "part": part, "seen": seen, "change": change})
    assert found == status, told
    return told


def typed(row: int, path: str, value: Any) -> dict[str, Any]:
    return {"do": "cells", "cells": [{"row": row, "path": path.split("."), "value": value}]}


def names(told: Any) -> list[str]:
    return [row["value"].get("name") for row in told["rows"]]


def beside(told: Any) -> list[tuple[int, str, str]]:
    return [(each["row"], each["path"], each["says"]) for each in told["faults"]]


# --- cells -----------------------------------------------------------------------------------------------------------


def test_a_cell_is_written_at_its_place_and_nothing_else_changes(device: Device, packs: Path) -> None:
    file = packs / "own" / "tables.yaml"
    before = file.read_text(encoding="utf-8").replace("  title: Results", "  title: Results  # mine\n  # below")
    file.write_text(before, encoding="utf-8")
    told = write(device, "own", "tables/results", typed(1, "name", "  A cut:  deep "))
    assert names(told) == ["A scratch", "A cut: deep", "A break"]
    after = file.read_text(encoding="utf-8")
    assert after == before.replace("name: A gash", 'name: "A cut: deep"')
    write(device, "own", "tables/results", typed(1, "note", ""))
    assert file.read_text(encoding="utf-8") == after.replace(", note: It bleeds through the first bandage.", "")
    assert write(device, "own", "tables/results", typed(2, "name", "7"))["sound"], "a name may be a number"
    assert told["rows"][0]["chance"] == "50.0 %" and told["columns"][0]["title"] == "d6"


def test_an_error_stands_beside_its_cell_until_it_is_mended(device: Device) -> None:
    told = write(device, "own", "tables/results", typed(1, "at", "5"))
    says = "no row covers 4: let this row begin at 4, or add one before it"
    assert beside(told) == [(1, "at", says)] and not told["sound"]
    told = write(device, "own", "tables/results", typed(0, "emblem", "eyes"))
    assert beside(told)[0][:2] == (0, "emblem") and "eye" in beside(told)[0][2]
    told = write(device, "own", "tables/results", typed(1, "at", "often"))
    assert [each[:2] for each in beside(told)] == [(0, "emblem"), (1, "at")]
    assert told["rows"][1]["value"]["at"] == "often", "what was typed stays"
    write(device, "own", "tables/results", typed(0, "emblem", ""))
    assert write(device, "own", "tables/results", typed(1, "at", "4-5"))["sound"]


def test_effects_are_chosen_by_sentences_and_written_as_a_list(device: Device, packs: Path) -> None:
    forms = device.ask("/api/effects?of=whole")[1]
    offered = {form["do"]: form for form in forms["kinds"] if form["begins"]}
    assert {"suffer", "penalty", "check", "spare"} <= {*offered} and not {"raise", "look_up", "again"} & {*offered}
    assert offered["drop"]["says"] == "You drop the weapons you hold."
    fields = {field["name"]: field for field in offered["suffer"]["fields"]}
    assert (fields["condition"]["kind"], fields["until"]["kind"], fields["begins"]["values"][0]) == (
        "name",
        "until",
        "now",
    )
    assert "dazed" in forms["names"]["condition"] and "recovery" in forms["names"]["until"]
    before = (packs / "whole" / "deck.yaml").read_text(encoding="utf-8")
    effects = [*grid(device, "whole", "deck")["rows"][0]["value"]["effects"], offered["drop"]["begins"]]
    told = write(device, "whole", "deck", typed(0, "effects", effects))
    assert told["rows"][0]["says"]["effects"] == ["You are knocked back.", "You drop the weapons you hold."]
    line = "suffer knocked_back at once"
    after = (packs / "whole" / "deck.yaml").read_text(encoding="utf-8")
    assert after == before.replace(line, f"[{line}, drop weapons]", 1)
    words = device.ask("/api/words", {"pack": "whole", "effects": [{"do": "spare"}, {"do": "sufer"}]})[1]
    assert words[0] == "A lucky break: no wound and no death-score." and "sufer" in words[1]
    told = write(device, "whole", "deck", typed(0, "effects", [{"do": "suffer", "condition": "nope", "until": "now"}]))
    assert beside(told)[0][:2] == (0, "effects") and 'unknown condition "nope"' in beside(told)[0][2]


def test_effects_that_are_text_are_written_as_text_and_the_others_stay_to_the_byte(device: Device, packs: Path) -> None:
    file = packs / "whole" / "deck.yaml"
    line = "    effects: suffer knocked_back at once\n"
    text = file.read_text(encoding="utf-8")
    assert line in text
    rules = "    effects: |\n      # thrown\n      suffer   knocked_back at once  # far\n      drop weapons\n"
    text = text.replace(line, rules, 1)
    file.write_text(text, encoding="utf-8")
    effects = grid(device, "whole", "deck")["rows"][0]["value"]["effects"]
    assert effects == [{"do": "suffer", "condition": "knocked_back", "until": "now"}, {"do": "drop", "what": "weapons"}]
    effects[1] = {"do": "suffer", "condition": "blinded", "until": "2d6 days"}
    assert write(device, "whole", "deck", typed(0, "effects", effects))["sound"]
    text = text.replace("      drop weapons\n", "      suffer blinded for 2d6 days\n", 1)
    assert file.read_text(encoding="utf-8") == text
    blinded = next(at for at, row in enumerate(grid(device, "whole", "deck")["rows"]) if row["value"]["code"] == "3C")
    effects = [{"do": "suffer", "condition": "blinded", "until": "rest"}, {"do": "drop", "what": "hand"}]
    assert write(device, "whole", "deck", typed(blinded, "effects", effects))["sound"]
    assert file.read_text(encoding="utf-8") == text.replace(
        "effects: suffer blinded until rest", "effects: [suffer blinded until rest, drop hand]"
    )
    file.write_text(text.replace("blinded until rest", "blinded untl rest"), encoding="utf-8")
    told = grid(device, "whole", "deck")
    assert "how long is missing here" in str(told["others"]) + str(told["faults"])


@pytest.mark.parametrize(
    ("pack", "part"),
    [
        ("own", "tables/results"),
        pytest.param("whole", "deck", marks=pytest.mark.slow),
        pytest.param("glogs", "tables/madness", marks=pytest.mark.slow),
    ],
)
def test_every_kind_that_is_offered_is_sound(device: Device, pack: str, part: str) -> None:
    forms = device.ask(f"/api/effects?of={pack}")[1]
    # Words that the author wrote say what the effects beside them do.
    plain = next(at for at, row in enumerate(grid(device, pack, part)["rows"]) if not row["value"].get("says"))
    for form in [form for form in forms["kinds"] if form["begins"]]:
        told = write(device, pack, part, typed(plain, "effects", [form["begins"]]))
        assert told["sound"], (pack, form["do"], told["faults"], told["others"])


# --- rows ------------------------------------------------------------------------------------------------------------


def test_rows_come_go_and_move(device: Device) -> None:
    cells = [{"path": ["at"], "value": "7"}, {"path": ["name"], "value": "Worse"}]
    told = write(device, "own", "tables/results", {"do": "add", "row": 3, "cells": cells})
    assert names(told)[3] == "Worse" and not told["sound"]
    told = write(device, "own", "tables/results", {"do": "move", "row": 3, "to": 0})
    assert names(told) == ["Worse", "A scratch", "A gash", "A break"]
    told = write(device, "own", "tables/results", {"do": "drop", "row": 0})
    assert names(told) == ["A scratch", "A gash", "A break"] and told["sound"]
    for _ in range(2):
        write(device, "own", "tables/results", {"do": "drop", "row": 0})
    refused = write(device, "own", "tables/results", {"do": "drop", "row": 0}, status=400)
    assert "a table has one at least" in refused["error"]
    empty = {"do": "add", "row": 0, "cells": [{"path": ["name"], "value": " "}]}
    assert "Write something" in write(device, "own", "tables/results", empty, status=400)["error"]


def test_cells_of_a_spreadsheet_are_written_at_once(device: Device) -> None:
    cells = [{"row": row, "path": [key], "value": f"{key} {row}"} for row in range(3) for key in ("name", "note")]
    told = write(device, "own", "tables/results", {"do": "cells", "cells": cells})
    assert names(told) == ["name 0", "name 1", "name 2"] and told["rows"][2]["value"]["note"] == "note 2"
    assert names(write(device, "own", "tables/results", {"do": "undo"})) == ["A scratch", "A gash", "A break"]


@pytest.mark.slow
def test_the_change_of_an_inherited_card_goes_into_the_own_file(device: Device, packs: Path) -> None:
    told = grid(device, "mine", "deck")
    assert [row["from"] for row in told["rows"][:2]] == ["", "hackjack"]
    file = packs / "mine" / "deck.yaml"
    before = file.read_text(encoding="utf-8")
    told = write(device, "mine", "deck", typed(4, "name", "Felled"))
    assert told["rows"][4]["from"] == "" and names(told)[4] == "Felled"
    assert file.read_text(encoding="utf-8").startswith(before), "what was there stays"
    assert told["rows"][4]["value"]["effects"], "the card stands for itself, with all that it does"
    assert "6C" not in file.read_text(encoding="utf-8") and run("check", "mine").code == 0
    refused = write(device, "mine", "deck", {"do": "drop", "row": 5}, status=400)["error"]
    assert "This row is from hackjack" in refused
    refused = write(device, "mine", "deck", typed(5, "code", "X1"), status=400)["error"]
    assert "hackjack keeps this code for its own" in refused
    assert names(write(device, "mine", "deck", {"do": "drop", "row": 4}))[4] == "Cut from under", "the old one is back"
    write(device, "mine", "deck", {"do": "undo"})
    write(device, "mine", "deck", {"do": "undo"})
    assert file.read_text(encoding="utf-8") == before


def test_the_row_of_a_table_that_only_the_other_has(device: Device, packs: Path) -> None:
    assert "madness" not in (packs / "glogs" / "tables.yaml").read_text(encoding="utf-8")
    told = write(device, "glogs", "tables/madness", typed(3, "name", "Voices"))
    assert names(told)[3] == "Voices" and told["sound"]
    own = read_text((packs / "glogs" / "tables.yaml").read_text(encoding="utf-8"), "")[0]["tables"]
    assert [(table["id"], len(table["rows"])) for table in own] == [("body", 1), ("madness", 1)]
    (packs / "glogs" / "tables.yaml").unlink()
    told = write(device, "glogs", "tables/body", typed(2, "at", "7"))
    assert beside(told) == [(2, "at", "this takes a part of the row 7-8: give rows for the rest of 7-8 too")]
    more = {"do": "add", "row": 3, "cells": [{"path": ["at"], "value": "8"}, {"path": ["note"], "value": "Ow."}]}
    told = write(device, "glogs", "tables/body", more)
    assert told["sound"] and [row["value"]["at"] for row in told["rows"]][1:5] == ["5-6", 7, 8, "9-10"]


# --- tables and spreadsheets -----------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_condition_is_written_like_a_row(device: Device, packs: Path) -> None:
    file = packs / "glogs" / "system.yaml"
    told = grid(device, "glogs", "conditions")
    ids = [row["value"]["id"] for row in told["rows"]]
    new = [{"path": ["name"], "value": "Frost-bitten"}, {"path": ["says"], "value": "Your fingers are numb"}]
    told = write(device, "glogs", "conditions", {"do": "add", "row": 1000, "cells": new})
    at = len(ids)
    assert told["rows"][at]["value"] == {"id": "frost_bitten", "name": "Frost-bitten", "says": "Your fingers are numb"}
    effect = {"do": "penalty", "to": ["dexterity"], "by": 2, "until": "same"}
    told = write(device, "glogs", "conditions", typed(at, "implies", [effect]))
    assert not told["faults"] and "Dexterity" in told["rows"][at]["says"]["implies"][0]
    assert "frost_bitten: {says: Your fingers are numb, name: Frost-bitten" in " ".join(
        file.read_text(encoding="utf-8").split()
    )
    assert run("check", "glogs").code == 0
    status, found, _ = device.ask(f"/api/beside?of=glogs&part=conditions&row={at}")
    assert status == 200 and found["cards"][0]["title"] == "Frost-bitten" and found["panels"]
    told = write(device, "glogs", "conditions", typed(0, "says", "Nothing goes right"))
    assert told["rows"][0]["from"] == "" and told["rows"][1]["from"] == "glog"
    assert told["rows"][0]["value"]["id"] == ids[0]
    for change, says in (
        ({"do": "add", "row": 0, "cells": new}, 'There is a condition "frost_bitten" already'),
        (typed(0, "id", "other"), "Effects call a condition by its id"),
        (
            {"do": "move", "row": 0, "to": 1},
            "neither moved nor removed" if told["rows"][0]["from"] else "cannot be moved",
        ),
        ({"do": "drop", "row": 1}, "neither moved nor removed"),
    ):
        assert says in write(device, "glogs", "conditions", change, status=400)["error"]
    told = write(device, "glogs", "conditions", {"do": "drop", "row": at})
    assert len(told["rows"]) == at and "frost_bitten" not in file.read_text(encoding="utf-8")


def test_a_pasted_table_is_rolled_and_stands_on_the_screen(device: Device, packs: Path) -> None:
    page = "<h2>Wild magic</h2><table><tr><th>d4<th>What<tr><td>1-3<td>Frogs<tr><td>4<td>Fire</table><script>x</script>"
    says = write(device, "own", "tables/results", {"do": "remove"}, status=400)["error"]
    assert "only table of the pack" in says
    told = write(device, "own", "tables/results", {"do": "paste", "text": page})
    assert [part["title"] for part in told["parts"]] == ["Results", "Wild magic", "Conditions", "Events"]
    assert told["sound"]
    rolled = device.ask("/api/roll", {"pack": "own", "part": "tables/wild_magic"})[1]
    assert rolled["shows"].startswith("d4 shows ") and rolled["says"] in ("Frogs.", "Fire.")
    assert "table: wild_magic" in (packs / "own" / "screen.yaml").read_text(encoding="utf-8")
    assert run("check", "own").code == 0
    again = write(device, "own", "tables/results", {"do": "paste", "text": page})
    assert again["parts"][2]["id"] == "tables/wild_magic_2"
    nothing = write(device, "own", "tables/results", {"do": "paste", "text": "no table"}, status=422)
    assert "no table in it" in nothing["error"]


def test_a_row_is_rolled_without_what_only_some_columns_do(device: Device, packs: Path) -> None:
    (packs / "falls").mkdir()
    steps = (
        "procedure: {kind: steps, numbers: {hp: {name: HP, start: 9}}}\nparts: {arm: {name: arm}, leg: {name: leg}}\n"
    )
    (packs / "falls" / "system.yaml").write_text(pack_head("falls") + steps, encoding="utf-8")
    row = "{at: 1-4, name: Bad, first: [hp -= 1], cells: {leg: a bruise}, effects: [hp -= 5]}"
    columns = "columns: {arm: {title: Arm}, leg: {title: Leg}}"
    table = f"tables: [{{id: falls, title: Falls, roll: d4, covers: 1-4, {columns}, rows: [{row}]}}]\n"
    (packs / "falls" / "tables.yaml").write_text(table, encoding="utf-8")
    assert device.ask("/api/roll", {"pack": "falls", "part": "tables/falls"})[1]["says"] == "Bad: Lose 1 HP."


def test_a_spreadsheet_joins_a_deck_and_is_refreshed(device: Device, packs: Path) -> None:
    told = write(device, "own", "", {"do": "deck", "text": "My tricks"})
    assert told["parts"][0]["id"] == "decks/my_tricks" and told["sound"]
    assert "Write a title" in write(device, "own", "", {"do": "deck", "text": "  "}, status=400)["error"]
    write(device, "own", "decks/my_tricks", typed(0, "name", "First"))
    sheet = {"do": "csv", "text": 'code,name,note\r\nB1,Second,"It says, so."\r\nB2,Third,\r\n'}
    told = write(device, "own", "decks/my_tricks", sheet)
    assert names(told) == ["First", "Second", "Third"] and told["csv"] == "my_tricks.csv"
    assert [row["from"] for row in told["rows"]] == ["", "my_tricks.csv", "my_tricks.csv"]
    refused = write(device, "own", "decks/my_tricks", typed(1, "name", "Else"), status=400)["error"]
    assert "This card is from my_tricks.csv" in refused
    told = write(device, "own", "decks/my_tricks", {"do": "csv", "text": "code,name\nB1,Newer\n"})
    assert names(told) == ["First", "Newer"]
    wrong = write(device, "own", "decks/my_tricks", {"do": "csv", "text": "code,nmae\nB1,x\n"}, status=422)
    assert 'did you mean "name"' in wrong["error"]
    (packs / "own" / "my_tricks.csv").write_text("code,name\nB1,Changed outside\n", encoding="utf-8")
    assert names(grid(device, "own", "decks/my_tricks")) == ["First", "Changed outside"]
    drawn = device.ask("/api/roll", {"pack": "own", "part": "decks/my_tricks"})[1]
    assert drawn["shows"] == "A card is drawn"


def test_the_columns_of_anybodys_spreadsheet_are_guessed_chosen_and_kept(device: Device) -> None:
    told = write(device, "own", "", {"do": "deck", "text": "Tricks"})
    text = "Title;Rules text;Qty;Mana\nBolt;Burns.;2;R\n"
    change = {"do": "csv", "text": text}

    def columns() -> Any:
        seen = grid(device, "own", "decks/tricks")["seen"]
        body = {"pack": "own", "part": "decks/tricks", "seen": seen, "change": change}
        return device.ask("/api/columns", body)[1]["columns"]

    meant = [(each["title"], each["sample"], each["meant"]) for each in columns()]
    assert meant == [
        ("Title", "Bolt", "name"),
        ("Rules text", "Burns.", "note"),
        ("Qty", "2", "copies"),
        ("Mana", "R", ""),
    ]
    chosen = {"Title": "name", "Rules text": "flavour", "Qty": "copies", "Mana": ""}
    cells = [{"path": [title], "value": word} for title, word in chosen.items()]
    told = write(device, "own", "decks/tricks", {**change, "cells": cells})
    assert [row["value"] for row in told["rows"]] == [{"name": "Bolt", "flavour": "Burns.", "copies": 2, "code": "1"}]
    assert all(each["is_known"] for each in columns()), "a refresh asks nothing"
    assert write(device, "own", "decks/tricks", change)["sound"]


# --- events and backs ------------------------------------------------------------------------------------------------


def drafted(device: Device, pack: str, row: int, text: str) -> Any:
    change = {"do": "event", "row": row, "text": text}
    told = device.ask("/api/draft", {"pack": pack, "part": "events", "seen": "", "change": change})[1]
    return [(each["line"], each["says"]) for each in told["faults"]], told["says"]


def test_an_event_is_judged_line_by_line_while_it_is_typed_and_written_as_text(device: Device, packs: Path) -> None:
    file = packs / "own" / "system.yaml"
    assert drafted(device, "own", 0, grid(device, "own", "events")["rows"][0]["value"]["text"]) == (
        [],
        ["Roll d6 on Results."],
    )
    faults, says = drafted(device, "own", 0, '"Roll"\nlook up results\nfoo bar\nsuffer nope until gm\n')
    assert faults == [(2, 'no statement begins with foo: did you mean "for"?')] and not says
    faults, _ = drafted(device, "own", 0, '"Roll"\nlook up resalts\n\nsuffer nope until gm\n')
    assert [line for line, _ in faults] == [1, 3] and 'did you mean "results"' in faults[0][1]
    told = write(device, "own", "events", {"do": "event", "row": 0, "text": '"Roll"\n# as ever\nlook up results  \n\n'})
    assert told["sound"] and '    "Roll"\n    # as ever\n    look up results\n' in file.read_text(encoding="utf-8")
    told = write(device, "own", "events", {"do": "event", "text": 'A "new" one'})
    assert [row["value"]["id"] for row in told["rows"]] == ["roll", "a_new_one"] and told["sound"]
    assert names(write(device, "own", "events", {"do": "drop", "row": 1})) == ["Roll"]
    assert [part["id"] for part in grid(device, "mine")["parts"]][-1] == "events"


@pytest.mark.slow
def test_what_is_inherited_is_copied_when_it_is_touched_and_that_is_said_once(device: Device, packs: Path) -> None:
    pack = device.ask("/api/begin", {"pack": "Nights", "base": "glog"})[1]["pack"]
    rows = grid(device, pack, "events")["rows"]
    at = next(at for at, row in enumerate(rows) if row["value"]["id"] == "round")
    assert rows[at]["from"] == "glog"
    text = f'{rows[at]["value"]["text"]}\nsay "The night is young."\n'
    assert drafted(device, pack, at, text)[1][-1] == "The night is young."
    told = write(device, pack, "events", {"do": "event", "row": at, "text": text})
    assert told["rows"][at]["from"] == "" and told["sound"] and "copied into your pack" in told["notes"][0]
    assert '    say "The night is young."\n' in (packs / pack / "system.yaml").read_text(encoding="utf-8")
    assert write(device, pack, "tables/madness", typed(3, "name", "Voices"))["notes"] == []


def test_a_deck_has_the_back_that_is_chosen(device: Device, packs: Path) -> None:
    write(device, "own", "", {"do": "deck", "text": "Tricks"})
    cells = [
        {"row": -1, "path": ["back", key], "value": value} for key, value in (("pattern", "stars"), ("title", "Ha"))
    ]
    told = write(device, "own", "decks/tricks", {"do": "cells", "cells": cells})
    assert told["back"]["value"]["back"] == {"pattern": "stars", "title": "Ha", "art": ""} and told["sound"]
    assert "backs: {tricks: {pattern: stars, title: Ha}}" in (packs / "own" / "system.yaml").read_text(encoding="utf-8")
    (back,) = device.ask("/api/beside?of=own&part=decks/tricks&row=-1")[1]["cards"]
    first = device.ask(f"/api/picture?system=own&of={back['id']}&stamp=1")[1]
    told = write(device, "own", "decks/tricks", {"do": "cells", "cells": [{**cells[0], "value": ""}]})
    assert told["back"]["value"]["back"] == {"title": "Ha", "art": ""}
    assert device.ask(f"/api/picture?system=own&of={back['id']}&stamp=2")[1] != first
    own = {"do": "cells", "cells": [{"row": -1, "path": ["back", "art"], "value": ""}]}
    body = {"pack": "own", "part": "decks/tricks", "seen": told["seen"], "change": own}
    status, told, _ = device.ask(f"/api/upload?change={quote(json.dumps(body))}", picture())
    assert status == 200 and told["sound"] and told["back"]["value"]["back"]["art"].startswith("art/decks-tricks-")
    assert "\n    back: art/" in (packs / "own" / "decks.yaml").read_text(encoding="utf-8")


# --- undo, copies, and others who write ------------------------------------------------------------------------------


def test_changes_are_undone_one_after_the_other(device: Device, packs: Path) -> None:
    file = packs / "own" / "tables.yaml"
    texts = [file.read_bytes()]
    for name in ("One", "Two", "Three"):
        told = write(device, "own", "tables/results", typed(0, "name", name))
        texts.append(file.read_bytes())
    for text in reversed(texts[:-1]):
        assert told["undo"]
        told = write(device, "own", "tables/results", {"do": "undo"})
        assert file.read_bytes() == text


def test_what_somebody_else_has_changed_is_not_written_over(device: Device, packs: Path) -> None:
    seen = grid(device, "own")["seen"]
    write(device, "own", "tables/results", typed(0, "name", "First tab"))
    stale = write(device, "own", "tables/results", typed(1, "name", "Second tab"), seen=seen, status=400)["error"]
    assert stale.startswith("This pack was changed elsewhere in the meantime.")
    file = packs / "own" / "tables.yaml"
    file.write_text(file.read_text(encoding="utf-8").replace("First tab", "An editor"), encoding="utf-8")
    assert not grid(device, "own")["undo"], "what an editor wrote is not undone from here"
    assert "nothing to undo" in write(device, "own", "tables/results", {"do": "undo"}, status=400)["error"]
    assert names(grid(device, "own"))[0] == "An editor"


def test_before_the_first_change_of_a_day_a_pack_is_copied(device: Device, home: Path) -> None:
    shutil.rmtree(home / "copies", ignore_errors=True)
    before = (home / "packs" / "own" / "tables.yaml").read_bytes()
    for name in ("One", "Two"):
        write(device, "own", "tables/results", typed(0, "name", name))
    (day,) = (home / "copies" / "own").iterdir()
    assert (day / "tables.yaml").read_bytes() == before and (day / "system.yaml").exists()


def test_a_file_that_is_no_yaml_is_told_and_left_alone(device: Device, packs: Path) -> None:
    file = packs / "own" / "tables.yaml"
    file.write_text("tables: [\n", encoding="utf-8")
    told = grid(device, "own", "tables/results")
    assert "tables.yaml:2:1: this is not YAML" in told["others"][0] and not told["sound"]
    write(device, "own", "tables/results", typed(0, "name", "x"), status=400)
    write(device, "own", "", {"do": "paste", "text": "1 | a\n2 | b\n"}, status=422)
    assert file.read_text(encoding="utf-8") == "tables: [\n"


def test_a_full_disk_leaves_the_file_as_it_was(packs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    writing, before = Writing(), (packs / "own" / "tables.yaml").read_bytes()
    change = {
        "pack": "own",
        "part": "tables/results",
        "seen": writing.grid("own", "")["seen"],
        "change": typed(0, "name", "x"),
    }

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(Exception, match="No space left"):
        writing.write(msgspec.convert(change, PackChange))
    assert (packs / "own" / "tables.yaml").read_bytes() == before
    monkeypatch.undo()
    written: list[Path] = []

    def third_fails(data: bytes, path: Path) -> None:
        written.append(path)
        if len(written) == 3:
            raise DiskError("No space left")
        save_file(data, path)

    monkeypatch.setattr("generator.studio.writing.save_file", third_fails)
    change["change"] = {"do": "paste", "text": "Moods d4\n1-2 | Glad\n3-4 | Sad\n"}
    files = {path: path.read_bytes() for path in (packs / "own").glob("*.yaml")}
    with pytest.raises(DiskError):
        writing.write(msgspec.convert(change, PackChange))
    assert {path: path.read_bytes() for path in (packs / "own").glob("*.yaml")} == files, "all files or none"


# --- a pack to start -------------------------------------------------------------------------------------------------


def test_a_pack_is_started_from_a_system_or_nothing(device: Device) -> None:
    for name, more in (("based", {"base": "glog"}), ("empty", {})):
        status, told, _ = device.ask("/api/begin", {"pack": name, **more})
        assert (status, told["pack"]) == (200, name)
        assert grid(device, name)["sound"] and name in device.ask("/api/shelf")[1]
    assert all(row["from"] == "glog" for row in grid(device, "based", "tables/body")["rows"]), "a new pack is empty"
    for name, more, says in (
        ("based", {}, "is on your shelf already"),
        (" ", {}, "Write a name for the pack"),
        ("hackjack", {}, "a system that ships"),
        ("fine", {"base": "nobody"}, 'there is no system "nobody"'),
        ("fine", {"base": "../../etc"}, "there is no system"),
    ):
        status, told, _ = device.ask("/api/begin", {"pack": name, **more})
        assert status in (400, 422) and says in told["error"]


def test_the_card_and_the_panel_of_a_row_are_found(device: Device) -> None:
    found = device.ask("/api/beside?of=own&part=tables/results&row=1")[1]
    assert [card["title"] for card in found["cards"]] == ["A gash"]
    assert found["panels"] == [{"product": "screen", "panel": 0, "panels": 1}]
    assert device.ask(f"/api/picture?system=own&of={found['cards'][0]['id']}&stamp=1")[0] == 200
    found = device.ask("/api/beside?of=mine&part=deck&row=3")[1]
    assert [card["id"] for card in found["cards"]] == ["deck/4C"]


@pytest.mark.slow
def test_the_cards_of_all_that_a_row_brings_are_found(device: Device) -> None:
    arms = device.ask("/api/beside?of=glogs&part=tables/body&row=0")[1]
    assert {card["title"] for card in arms["cards"]} == {"Disarmed", "Prone", "Winded", "Dazed"}


# --- pictures --------------------------------------------------------------------------------------------------------


def picture(kind: str = "PNG", size: tuple[int, int] = (40, 60), mode: str = "RGB", **more: Any) -> bytes:
    stream = io.BytesIO()
    Image.new(mode, size, "#a03050").save(stream, kind, **more)
    return stream.getvalue()


def upload(
    device: Device, data: bytes, *, path: str = "art", pack: str = "own", headers: Any = None
) -> tuple[int, Any]:
    seen = grid(device, pack)["seen"] if pack == "own" else "x"
    change = {"pack": pack, "part": "tables/results", "seen": seen, "change": typed(0, path, "evil/../name.png")}
    status, told, _ = device.ask(f"/api/upload?change={quote(json.dumps(change))}", data, headers=headers)
    return status, told


@pytest.mark.parametrize(
    ("kind", "mode", "ending"),
    [
        ("JPEG", "RGB", "jpg"),
        pytest.param("PNG", "RGB", "png", marks=pytest.mark.slow),
        pytest.param("WEBP", "RGBA", "png", marks=pytest.mark.slow),
    ],
)
def test_a_picture_is_read_apart_written_again_and_named_by_us(
    device: Device, packs: Path, kind: str, mode: str, ending: str
) -> None:
    exif = Image.Exif()
    exif[0x010E] = "where I live"
    status, told = upload(device, picture(kind, mode=mode, exif=exif))
    name = told["rows"][0]["value"]["art"]
    assert status == 200 and told["sound"] and name.startswith("art/tables-results-") and name.endswith(ending)
    raw = (packs / "own" / name).read_bytes()
    assert b"where I live" not in raw
    with Image.open(io.BytesIO(raw)) as opened:
        assert opened.size == (40, 60) and not opened.getexif()


@pytest.mark.slow
def test_a_large_picture_is_made_small_and_an_undone_one_is_gone(device: Device, packs: Path) -> None:
    assert upload(device, picture(size=(4000, 3000)))[0] == 200
    name = grid(device, "own")["rows"][0]["value"]["art"]
    with Image.open(packs / "own" / name) as opened:
        assert opened.width == uploads.MAX_SIDE
    assert run("check", "own").code == 0
    write(device, "own", "tables/results", {"do": "undo"})
    assert not (packs / "own" / name).exists(), "an undone picture is gone"


def _bomb() -> bytes:
    stream = io.BytesIO()
    Image.new("1", (6000, 6000)).save(stream, "PNG")
    return stream.getvalue()


def _archive() -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as file:
        file.writestr("art.png", "x")
    return stream.getvalue()


def test_many_uploads_at_once_are_read_one_at_a_time(
    served: tuple[Studio, Device], monkeypatch: pytest.MonkeyPatch
) -> None:
    studio, device = served
    reading, most = 0, 0

    async def slowly(data: bytes, folder: Path) -> Path:
        nonlocal reading, most
        assert folder.is_dir()
        reading, most = reading + 1, max(most, reading + 1)
        await asyncio.sleep(0.02)
        reading -= 1
        raise HackjackError(f"{len(data)} bytes are read.")

    monkeypatch.setattr(studio, "reread", slowly)
    with ThreadPoolExecutor(4) as pool:
        replies = [*pool.map(lambda size: upload(device, b"x" * size), range(1, 5))]
    assert [told["error"] for _, told in replies] == [f"{size} bytes are read." for size in range(1, 5)]
    assert most == 1


LIES: dict[str, tuple[Callable[[], bytes], str]] = {
    "drawing": (lambda: b"<svg xmlns='http://www.w3.org/2000/svg'><script/></svg>", "is not a valid picture"),
    "damaged": (lambda: picture()[:60], "is damaged"),
    "nothing": (lambda: b"", "is not a valid picture"),
    "zeros": (lambda: b"\x89PNG\r\n\x1a\n" + b"\0" * 200, "the picture"),
    "moving": (lambda: picture("GIF"), "is not a valid picture"),
    "archive": (_archive, "is not a valid picture"),
    "bomb": (_bomb, "the limit is"),
    "tiny": (lambda: picture(size=(3, 3)), "the minimum is"),
}


@pytest.mark.parametrize(
    "lie", [*list(LIES)[:2], *(pytest.param(name, marks=pytest.mark.slow) for name in list(LIES)[2:])]
)
def test_uploads_that_lie_are_refused(device: Device, packs: Path, lie: str) -> None:
    data, says = LIES[lie]
    status, told = upload(device, data())
    assert status in (400, 422) and says in told["error"], told
    assert not (packs / "own" / "art").exists()


@pytest.mark.slow
def test_uploads_that_belong_nowhere_are_refused(device: Device, packs: Path) -> None:
    assert upload(device, picture(), path="name")[0] == 400, "a name is no picture"
    assert upload(device, picture(), pack="hackjack")[0] == 400
    status, told = upload(device, b"\0" * (uploads.MAX_UPLOAD + 1))
    assert status == 413 and "20 MB at most" in told["error"]
    assert not (packs / "own" / "art").exists()


def test_a_picture_that_takes_too_long_is_given_up(device: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads, "PATIENCE", 0.01)
    status, told = upload(device, picture())
    assert status == 422 and "takes too long" in told["error"]


# --- strangers -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "pack", ["hackjack", "../made/own", "../../etc", "/etc", "nobody", "OWN", "", "linked", "packed"]
)
def test_nothing_else_is_written(device: Device, packs: Path, home: Path, pack: str) -> None:
    (packs / "linked").symlink_to(home / "made" / "own")
    run("pack", packs / "own", packs / "packed.zip")
    change = {"pack": pack, "part": "tables/results", "seen": "x", "change": typed(0, "name", "x")}
    before = {path: path.read_bytes() for path in home.rglob("*.yaml")}
    status, told, _ = device.ask("/api/write", change)
    assert status in (400, 422) and told["error"] and "unforeseen" not in told["error"]
    assert device.ask(f"/api/grid?of={quote(pack)}&part=")[0] in (400, 422)
    assert {path: path.read_bytes() for path in home.rglob("*.yaml")} == before


def test_a_pack_that_is_deleted_while_it_is_open_is_missed_by_its_path(
    packs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HACKJACK_BESIDE", str(packs / "beside"))
    for _ in range(2):
        with pytest.raises(HackjackError, match="beside: folder not found"):
            Writing().grid("beside", "")
        (packs / "beside").touch()


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (typed(77, "name", "x"), "no longer there"),
        (typed(-1, "name", "x"), "no longer there"),
        (typed(0, "id", "x"), "There is no column"),
        (typed(0, "/x", "x"), "There is no column"),
        (typed(0, "name", [{"do": "spare"}]), "is a text, not a list"),
        ({"do": "move", "row": 0, "to": 99}, "cannot be moved there"),
        ({"do": "drop", "row": 99}, "no longer there"),
        ({"do": "burn"}, "cannot be read"),
        ({"do": "csv", "text": "code\nA1\n"}, "belongs to a deck"),
        (typed(0, "name", 3), "cannot be read"),
    ],
)
def test_changes_that_cannot_be_made_are_refused(device: Device, packs: Path, change: Any, says: str) -> None:
    before = (packs / "own" / "tables.yaml").read_bytes()
    assert says in write(device, "own", "tables/results", change, status=400)["error"]
    assert (packs / "own" / "tables.yaml").read_bytes() == before


def test_what_is_typed_cannot_become_more_than_a_text(device: Device) -> None:
    for text in (
        "x\n  - {at: 9}",
        "{a: b}",
        "*x",
        "!!python/object:x",
        "&a",
        "# no",
        "a\u202eb\u0000",
        "'\"\\",
        "- a: b",
    ):
        told = write(device, "own", "tables/results", typed(0, "name", text))
        assert len(told["rows"]) == 3 and {*told["rows"][0]["value"]} == {"at", "name", "note"}
    deep: Any = []
    for _ in range(400):
        deep = [{"do": "one_of", "effects": deep}]
    assert write(device, "own", "tables/results", typed(0, "effects", deep), status=400)["error"]


def test_strangers_write_nothing(device: Device) -> None:
    change = {"pack": "own", "part": "tables/results", "seen": "x", "change": typed(0, "name", "x")}
    calls = (("write", change), ("begin", {"pack": "x"}), ("folder", {"pack": "own"}), ("upload?change={}", b"x"))
    for path, body in calls:
        assert Device(device.port, "guess").ask(f"/api/{path}", body)[0] == 401
        for headers in ({"Origin": "http://evil.example"}, {"Host": "evil.example"}, {"Sec-Fetch-Site": "cross-site"}):
            assert device.ask(f"/api/{path}", body, headers=headers)[0] == 403
    assert device.ask("/api/write", b"[" * 300_000)[0] in (400, 413)
    assert device.ask("/api/folder", {"pack": "../.."})[0] == 400


@pytest.mark.slow
def test_a_picture_is_read_with_little_memory(tmp_path: Path) -> None:
    source = tmp_path / "upload"
    source.write_bytes(picture(size=(3000, 3000)))
    subprocess.run([sys.executable, "-m", "generator.studio.uploads", str(source)], check=True)
    with Image.open(source) as opened:
        assert opened.size == (3000, 3000)


# --- names -----------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_packs_tables_and_decks_take_any_title_and_are_renamed_and_removed(device: Device, packs: Path) -> None:
    titles = {
        "Nick's Keep": "nicks_keep",
        "Élan: the 2nd “table” \\ {": "elan_the_2nd_table",
        "冒険": "",
        "All": "all_",
    }
    for title, name in titles.items():
        for more in ({"base": "glog"}, {}):
            begun = device.ask("/api/begin", {"pack": title, **more})[1]
            assert begun["title"] == title and begun["pack"].startswith(name)
            told = grid(device, begun["pack"])
            assert (told["title"], told["others"]) == (title, [])
    told = write(device, "own", "", {"do": "deck", "text": "2nd: it's ours"})
    assert told["part"] == "decks/n2nd_its_ours" and told["parts"][0]["title"] == "2nd: it's ours"
    assert write(device, "own", told["part"], {"do": "title", "text": "Ours"})["parts"][0]["title"] == "Ours"
    told = write(device, "own", told["part"], {"do": "remove"})
    assert told["part"] == "tables/results" and not (packs / "own" / "decks.yaml").exists()
    says = write(device, "own", "tables/results", {"do": "remove"}, status=400)["error"]
    assert "only table of the pack" in says
    told = write(device, "own", "tables/results", {"do": "paste", "text": "Élan: the 2nd table d6\n1-3 Up\n4-6 Down"})
    added = next(part for part in told["parts"] if part["id"] != "tables/results")
    told = write(device, "own", added["id"], {"do": "remove"})
    assert told["sound"], "its event, its cards and its block on the screen went with it"
    told = write(device, "own", "", {"do": "undo"})
    assert added in told["parts"] and told["sound"]
    assert write(device, "own", "tables/results", {"do": "pack", "text": "Nick's: “own”"})["title"] == "Nick's: “own”"
    assert "title" in write(device, "own", "tables/results", {"do": "pack", "text": " "}, status=400)["error"]
    says = write(device, "glogs", "tables/special", {"do": "title", "text": "x"}, status=400)["error"]
    assert "belongs to the system below" in says


def test_a_pack_is_removed_and_kept_aside(device: Device, packs: Path, home: Path) -> None:
    status, told, _ = device.ask("/api/remove", {"pack": "own"})
    assert status == 200 and (Path(told["kept"]) / "tables.yaml").is_file()
    assert not (packs / "own").exists() and "own" not in device.ask("/api/shelf")[1]
    (packs / "linked").symlink_to(home / "made" / "own")
    (packs / "mine" / "system.yaml").write_text("id: mine\nextends: glogs\ntitle: Mine\n", encoding="utf-8")
    for pack, says in (
        ("own", "There is no pack"),
        ("hackjack", "There is no pack"),
        ("../made/own", "There is no pack"),
        ("linked", "Delete it there"),
        ("glogs", "mine builds on glogs"),
    ):
        status, told, _ = device.ask("/api/remove", {"pack": pack})
        assert status == 400 and says in told["error"], pack
    assert (home / "made" / "own").is_dir() and (packs / "glogs").is_dir()


# --- faults of our own -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("judge", ["looking_over.judged_faults", "parse_pack", "grid.effect_sentences"])
def test_a_pack_whose_judge_fails_stays_open_and_can_be_undone(
    packs: Path, monkeypatch: pytest.MonkeyPatch, judge: str
) -> None:
    file, writing = packs / "own" / "tables.yaml", Writing()
    before = file.read_text(encoding="utf-8")

    def fails(*_: Any) -> None:
        raise KeyError("dazed")

    monkeypatch.setattr(f"generator.studio.book.{judge}", fails)
    seen = writing.grid("own", "tables/results")["seen"]
    for change in (typed(0, "name", "Else"), {"do": "undo"}):
        asked = {"pack": "own", "part": "tables/results", "seen": seen, "change": change}
        told = writing.write(msgspec.convert(asked, PackChange))
        seen = told["seen"]
        if not judge.startswith("grid"):
            assert "a fault of hackjack itself" in str(told["others"]) and not told["sound"]
        assert len(told["rows"]) == 3 and told["undo"] == (change["do"] == "cells")
    assert file.read_text(encoding="utf-8") == before


def test_what_is_kept_in_a_pack_is_undone_like_what_is_typed(packs: Path) -> None:
    writing = Writing()
    seen = writing.grid("own", "")["seen"]
    change = {"pack": "own", "part": "tables/results", "seen": seen, "change": typed(0, "name", "Else")}
    writing.write(msgspec.convert(change, PackChange))
    assert writing.put("own", {"mixed.yaml": b"title: Tonight\n"}) == "Own"
    for _ in range(2):
        told = writing.grid("own", "tables/results")
        assert told["undo"], "the studio wrote it itself"
        change = {"pack": "own", "part": "tables/results", "seen": told["seen"], "change": {"do": "undo"}}
        told = writing.write(msgspec.convert(change, PackChange))
    assert names(told)[0] == "A scratch" and not (packs / "own" / "mixed.yaml").exists()


def test_a_file_that_changes_while_it_is_read_is_read_again(packs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, writing, shelf = packs / "own" / "system.yaml", Writing(), Shelf()
    text = file.read_text(encoding="utf-8")
    other = text.replace('"Own"', '"Else"')

    def changed_before(folder: Path) -> ParsedPack:
        file.write_text(other, encoding="utf-8")
        return parse_pack(folder)

    def changed_after(folder: Path) -> Pack:
        pack = load_pack(folder)
        file.write_text(other, encoding="utf-8")
        return pack

    monkeypatch.setattr("generator.studio.book.parse_pack", changed_before)
    assert writing.grid("own", "")["title"] == "Else"
    monkeypatch.undo()
    file.write_text(text, encoding="utf-8")
    assert writing.grid("own", "")["title"] == "Own"
    monkeypatch.setattr("generator.studio.shelf.load_pack", changed_after)
    assert [shelf.spine("own")["title"] for _ in range(2)] == ["Own", "Else"]


@pytest.mark.slow
def test_other_effects_do_not_keep_the_rulings_of_the_old_ones(device: Device) -> None:
    told = grid(device, "whole", "deck")
    row = next(at for at, each in enumerate(told["rows"]) if each["value"].get("rulings") and each["says"]["effects"])
    effects = told["rows"][row]["value"]["effects"]
    assert write(device, "whole", "deck", typed(row, "effects", effects))["rows"][row]["value"]["rulings"]
    told = write(device, "whole", "deck", typed(row, "effects", [{"do": "say", "says": "You howl."}]))
    assert "rulings" not in told["rows"][row]["value"] and "rulings" in told["notes"][0]


def test_numbers_that_are_none_are_told_so(device: Device) -> None:
    status, told, _ = device.ask("/api/roll", {"pack": "glogs", "part": "conditions"})
    assert (status, told["error"]) == (400, "Choose a table or a deck to roll on.")
    for row in ("9" * 5000, "²", "-1", "x"):
        status, told, _ = device.ask(f"/api/beside?of=own&part=tables/results&row={quote(row)}")
        assert (status, told["cards"]) == (200, [])


@pytest.mark.slow
def test_a_printed_pdf_is_opened_with_its_pack_and_printed_again(
    device: Device, packs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once: opened again it is the same pack, until somebody changes that. A system that ships stays where it is."""
    monkeypatch.chdir(tmp_path)
    assert run("new", "lent", "--blank", "-q").code == 0
    assert run("print", "lent", "screen", "--pack", "lent", "--paper", "letter", "-q").code == 0
    assert run("print", "hackjack", "box", "--set", "limit=19", "--ink", "saver", "-q").code == 0

    def sent(name: str, status: int = 200) -> Any:
        answer, told, _ = device.ask("/api/open_pdf", (tmp_path / "output" / name).read_bytes())
        assert answer == status, told
        return told

    first = sent("lent-screen.pdf")
    assert first == {"system": "lent", "product": "screen", "options": {"paper": "letter"}, "rules": {}, "counts": {}}
    wish = {name: first[name] for name in ("system", "product", "options")}
    job = device.ask("/api/print", wish)[1]["job"]
    pdf = device.ask(f"/api/file?job={job}&name=lent-screen.pdf")[1]
    assert pdf == (tmp_path / "output" / "lent-screen.pdf").read_bytes()
    assert sent("lent-screen.pdf") == first
    (packs / "lent" / "sheet.yaml").unlink()
    assert sent("lent-screen.pdf")["system"] == "lent_2"
    assert run("check", packs / "lent_2").code == 0
    shipped = sent("hackjack-box.pdf")
    assert (shipped["system"], shipped["options"], shipped["rules"]) == ("hackjack", {"ink": "saver"}, {"limit": "19"})
    (tmp_path / "output" / "letter.pdf").write_bytes(b"%PDF-1.4 Dear all")
    assert "print.pdf: this PDF cannot be read" in sent("letter.pdf", 422)["error"]
