"""Exports for virtual tables and spreadsheets, each read back and compared with what its format's documents say."""

from __future__ import annotations

import csv
import json
import re
import shutil
import subprocess
import zipfile
from io import BytesIO, StringIO
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.request import url2pathname

import jsonschema
import pytest
from helpers import run
from markupsafe import escape
from PIL import Image

from generator.base.errors import HackjackError
from generator.games.card_products import card_set, card_set_names
from generator.layout.card_elements import sentences_of, title_of
from generator.layout.sheets import Size
from generator.model.rules import System
from generator.orders import csv_files, foundry, pcio, roll20
from generator.orders.records import CardRecord, ResultRecord, TableRecord, card_records, table_records
from generator.pack.load import load_pack
from generator.pack.pack_locations import find, shipped

SYSTEMS = shipped()


def loaded(name: str) -> System:
    return load_pack(find(name)).system


def printed(folder: Path, *arguments: str) -> list[Path]:
    """The files that a command says that it wrote."""
    done = run("print", *arguments, "-o", folder)
    assert (done.code, done.err) == (0, ""), done.err
    return [Path(line) for line in done.out.splitlines()]


def card(**values: Any) -> CardRecord:
    usual: dict[str, Any] = {
        "set": "deck",
        "code": "a",
        "place": 1,
        "name": "A",
        "suit": "",
        "rank": "",
        "text": (),
        "until": (),
        "short": "",
        "badges": "",
        "written": "",
        "flavour": "",
        "copies": 1,
    }
    return CardRecord(**usual | values)


# --- records -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SYSTEMS)
def test_every_result_of_every_table_is_told_once(name: str) -> None:
    system = loaded(name)
    records = table_records(system)
    assert len({record.id for record in records}) == len(records)
    for table in system.tables:
        mine = [record for record in records if record.id == table.id or record.id.startswith(f"{table.id}-")]
        for record in mine:
            assert [result.name for result in record.results] == [row.name or "" for row in table.rows]
            for number, (result, row) in enumerate(zip(record.results, table.rows, strict=True), 1):
                assert (result.low, result.high) == ((row.at.low, row.at.high) if row.at else (number, number))
                assert result.one_line
            ends = sorted((result.low, record.top(result)) for result in record.results)
            assert all(low == high + 1 for (_, high), (low, _) in pairwise(ends))


def test_a_table_with_columns_is_one_record_a_column() -> None:
    body = [record for record in table_records(loaded("glog")) if record.id.startswith("body-")]
    assert [record.title for record in body] == [
        f"Weapons and blows: {part}" for part in ("Arm", "Leg", "Torso", "Head")
    ]
    last = body[0].results[-1]
    assert (last.low, last.high, last.at, last.text) == (13, None, "13+", "Slain.")
    assert body[0].formula == ""
    assert body[0].says.startswith("Look up by Severity.")
    says = {record.id: record.says for record in table_records(loaded("glog"))}
    assert says["madness"].startswith("Roll d10.")


@pytest.mark.parametrize(
    ("rolled", "spans", "weights", "formula"),
    [
        ("roll: 2d6, covers: 2-12", ("2-6", "7", "8-12"), (15, 6, 15), "2d6"),
        ("roll: d6-3, covers: '-2-3'", ("-2-0", "1-3"), (3, 3), "1d6-3"),
        ("roll: d100, covers: 1-100", ("1-5", "6-100"), (5, 95), "1d100"),
        ("roll: d6, covers: 1+", ("1-5", "6", "7+"), (5, 1, 0), "1d6"),
        ("covers: 11-66", ("11-26", "31-66"), (12, 24), "10*1d6+1d6"),
        ("covers: 111-666", ("111-266", "311-666"), (72, 144), "100*1d6+10*1d6+1d6"),
        ("covers: 1+", ("1-5", "6+"), (5, 1), ""),
    ],
)
def test_a_table_that_is_rolled_has_the_odds_of_its_dice(
    rolled: str, spans: tuple[str, ...], weights: tuple[int, ...], formula: str, tmp_path: Path
) -> None:
    (tmp_path / "system.yaml").write_text(
        'id: bell\ntitle: Bell\nversion: "1.0"\nabout: Odds.\nsource: {title: T, author: A, licence: L}\n'
        "procedure: {kind: steps}\n"
    )
    rows = ", ".join(f"{{at: '{span}', name: N{at}}}" for at, span in enumerate(spans))
    (tmp_path / "tables.yaml").write_text(f"tables: [{{id: bell, title: Bell, {rolled}, rows: [{rows}]}}]\n")
    records = table_records(load_pack(tmp_path).system)
    assert (records[0].formula, tuple(row.weight for row in records[0].results)) == (formula, weights)
    items = _table_export(roll20.tables_text("bell", records)[0])["bell-bell"]
    assert tuple(weight for _, weight in items) == weights
    cells = csv.DictReader(csv_files.tables_csv(records).decode("utf-8-sig").splitlines())
    assert tuple(int(row["weight"]) for row in cells) == weights


# --- csv -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SYSTEMS)
def test_csv_has_one_row_a_card_and_one_a_result(name: str, tmp_path: Path) -> None:
    system = loaded(name)
    paths = printed(tmp_path, name, "--target", "csv")
    assert [path.name for path in paths] == [f"{name}-{each}-csv.csv" for each in (*card_set_names(system), "tables")]
    for each, path in zip(card_set_names(system), paths, strict=False):
        text = path.read_bytes()
        assert text.startswith(b"\xef\xbb\xbf"), "Excel wants the mark"
        rows = list(csv.DictReader(text.decode("utf-8-sig").splitlines()))
        chosen = [face for face in card_set(system, each).faces if face.code not in card_set(system, each).spare]
        assert [row["code"] for row in rows] == [face.code for face in chosen]
        for row, face in zip(rows, chosen, strict=True):
            assert row["name"] == title_of(face)
            assert row["text"].removeprefix("'") == " ".join(sentences_of(face))
            assert row["copies"] == str(card_set(system, each).copies.get(face.code, 1))
    rows = list(csv.DictReader(paths[-1].read_text("utf-8-sig").splitlines()))
    assert len(rows) == sum(len(record.results) for record in table_records(system))
    # What is looked up says by what, and has no dice; every row ends with a full stop.
    assert all(row["use"].startswith("Roll ") == bool(row["formula"]) for row in rows)
    assert all(row["use"] in (f"Look up by {row['by']}.", "Choose by name.") for row in rows if not row["formula"])
    assert not [row["text"] for row in rows if row["text"] and row["text"][-1] not in ".!?"]


def test_no_cell_is_taken_for_a_formula() -> None:
    evil = ("=1+1", "+1", "-2 to hit", "@SUM(A1)", "\t=1", "\r=1")
    made = csv_files.cards_csv([card(code=each, name=each, text=(each,), flavour=each) for each in evil])
    head, *rows = csv.reader(StringIO(made.decode("utf-8-sig"), newline=""))
    assert head == list(csv_files.CARD_COLUMNS)
    assert len(rows) == len(evil)
    assert not [cell for row in rows for cell in row if cell[:1] in ("=", "+", "-", "@", "\t", "\r")]


@pytest.mark.parametrize("honest", ["2-4", "-2", "-2-0", "-4--1", "-2+", "1d6-3"])
def test_numbers_and_ranges_stay_as_they_are(honest: str) -> None:
    assert csv_files.guarded_cell(honest) == honest


# --- json ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SYSTEMS)
def test_json_keeps_to_the_schema_beside_it(name: str, tmp_path: Path) -> None:
    data, schema = (json.loads(path.read_text("utf-8")) for path in printed(tmp_path, name, "--target", "json"))
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.Draft202012Validator(schema).validate(data)
    system = loaded(name)
    assert {each["set"] for each in data["cards"]} == set(card_set_names(system))
    assert [each["id"] for each in data["tables"]] == [record.id for record in table_records(system)]
    assert {page["product"] for page in data["pages"]} == {product for product, _ in system.panels}
    assert data["rules"]["system.yaml"]["id"] == name
    wrong = data | {"cards": [{"code": 3}]}
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(schema).validate(wrong)


# --- Roll20 --------------------------------------------------------------------------------------------------------

_ITEM = re.compile(r"!import-table-item --(\S+) --(.+) --(\d+) --")


def _table_export(text: str) -> dict[str, list[tuple[str, int]]]:
    """What the script TableExport makes of its commands, which it splits where two dashes follow a space."""
    tables: dict[str, list[tuple[str, int]]] = {}
    for line in text.splitlines():
        command, *parts = re.split(r"\s+--", line)
        if command == "!import-table":
            tables[parts[0]] = []
            assert parts[1:] == ["hide"]
        else:
            assert command == "!import-table-item"
            table, item, weight, avatar = parts
            assert avatar == ""
            tables[table].append((item, int(weight)))
    return tables


def test_roll20_gets_numbered_pictures_tables_and_macros(tmp_path: Path) -> None:
    paths = printed(tmp_path, "glog", "madness", "tables", "--target", "roll20", "--dpi", "40")
    names = [path.name for path in paths if path.parent.name == "glog-madness-roll20"]
    assert names == [*(f"{at:03}-madness-{at}.png" for at in range(1, 11)), "back.png", "tables.txt", "macros.txt"]
    with Image.open(paths[0]) as picture:
        assert (picture.format, picture.mode) == ("PNG", "RGB")
    tables = _table_export((tmp_path / "glog-tables-roll20" / "tables.txt").read_text("utf-8"))
    for record in table_records(loaded("glog")):
        items = tables[f"glog-{record.id}"]
        assert len(items) == len(record.results)
    macros = (tmp_path / "glog-tables-roll20" / "macros.txt").read_text("utf-8").splitlines()
    told = dict(line.split("\t") for line in macros)
    assert told["glog-madness"] == "/roll 1t[glog-madness]"
    assert told["glog-body-arm"].startswith("&{template:default} {{name=Weapons and blows: Arm}} {{1-4=Disarmed.}} ")
    assert "{{13+=Slain.}}" in told["glog-body-arm"]


def test_roll20_reads_no_command_in_content() -> None:
    evil = "x --99 --http://a {{y=1}} [[9999d9999]] @{z|q} ?{ask} #macro\n!kill &{noerror}"
    tables, macros = roll20.deck_text("pack", "deck", [card(name=evil, text=(evil,), copies=3)])
    ((item, weight),) = _table_export(tables)["pack-deck-cards"]
    assert weight == 3
    assert not re.search(r"[{}<>\[\]#|]|--", item)
    assert macros == "pack-deck-cards\t/roll 1t[pack-deck-cards]\n"
    row = ResultRecord(1, 1, "1", "", evil)
    _, macros = roll20.tables_text("pack", [TableRecord("t", evil, "name", "1d1", False, (row,))])
    assert len(re.findall(r"{{", macros)) == 2


# --- Foundry VTT ---------------------------------------------------------------------------------------------------

# The fields that foundryvtt.com/api/v14 lists under foundry.documents.types; v13 has the same.
_CARDS = {
    *("_id", "name", "type", "description", "img", "system", "cards", "width", "height", "rotation", "displayCount"),
    *("folder", "sort", "ownership", "flags"),
}
_CARD = {
    *("_id", "back", "description", "drawn", "face", "faces", "flags", "height", "name", "origin", "rotation", "sort"),
    *("suit", "system", "type", "value", "width"),
}
_TABLE = {
    *("_id", "name", "img", "description", "results", "formula", "replacement", "displayRoll", "folder", "sort"),
    *("ownership", "flags"),
}
_RESULT = {*("_id", "type", "name", "img", "description", "documentUuid", "weight", "range", "drawn", "flags")}
_JOURNAL = {"_id", "name", "pages", "categories", "folder", "sort", "ownership", "flags"}
_PAGE = {
    *("_id", "name", "type", "system", "title", "image", "text", "video", "src", "category", "sort", "ownership"),
    "flags",
}


@pytest.fixture(scope="module")
def module(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("foundry")
    printed(folder, "glog", "--target", "foundry", "--dpi", "36")
    return folder / "glog-all-foundry"


def _documents(module: Path, which: str) -> list[dict[str, Any]]:
    return [json.loads(path.read_text("utf-8")) for path in sorted(module.glob(f"{which}/*.json"))]


def test_foundry_has_every_set_every_table_and_every_panel(module: Path) -> None:
    system = loaded("glog")
    manifest = json.loads((module / "module.json").read_text("utf-8"))
    assert manifest["id"] == module.name, "Foundry wants the folder's name"
    assert manifest["compatibility"] == {"minimum": "13", "verified": "14"}
    assert {pack["name"]: pack["type"] for pack in manifest["packs"]} == {
        "cards": "Cards",
        "tables": "RollTable",
        "journals": "JournalEntry",
    }
    decks = {each["flags"]["hackjack"]["id"]: each for each in _documents(module, "import/cards")}
    assert set(decks) == set(card_set_names(system))
    for name, deck in decks.items():
        faces = card_set(system, name).faces
        assert set(deck) == _CARDS
        assert deck["type"] == "deck"
        assert [each["name"] for each in deck["cards"]] == [title_of(face) for face in faces]
        for each, face in zip(deck["cards"], faces, strict=True):
            assert set(each) == _CARD
            assert each["type"] == "base"
            assert (each["face"], each["drawn"], each["origin"]) == (None, False, deck["_id"])
            for sentence in sentences_of(face):
                assert escape(sentence) in each["faces"][0]["text"]
            for side in (each["back"], *each["faces"]):
                assert set(side) == {"name", "text", "img"}
                assert (module.parent / side["img"].removeprefix("modules/")).is_file()
    journals = _documents(module, "import/journals")
    assert {each["flags"]["hackjack"]["id"] for each in journals} == {product for product, _ in system.panels}
    for journal in journals:
        assert set(journal) == _JOURNAL
        for page in journal["pages"]:
            assert set(page) == _PAGE
            assert (page["type"], page["text"]["format"]) == ("text", 1)
            assert "<script" not in page["text"]["content"]


def test_foundry_rolls_every_row(module: Path) -> None:
    tables = {each["flags"]["hackjack"]["id"]: each for each in _documents(module, "import/tables")}
    records = {record.id: record for record in table_records(loaded("glog"))}
    assert set(tables) == set(records)
    for name, table in tables.items():
        assert set(table) == _TABLE
        lowest = min(result["range"][0] for result in table["results"])
        # Nobody rolls on what is looked up.
        assert re.fullmatch(r"\d+d\d+([+-]\d+)?|" + str(lowest - 1), table["formula"])
        assert ("d" in table["formula"]) == table["description"].startswith("Roll "), table["name"]
        for result, row in zip(table["results"], records[name].results, strict=True):
            assert set(result) == _RESULT
            assert result["type"] == "text", "a number would be read as a document"
            assert result["range"][0] == row.low
            assert result["range"][0] <= result["range"][1]
            assert result["weight"] >= 1
            assert result["description"] or result["name"]


def test_foundry_ids_are_stable_and_keys_stand_in_the_sources_alone(module: Path) -> None:
    inside = {"cards": ("cards", "cards"), "tables": ("tables", "results"), "journals": ("journal", "pages")}
    ids = []
    for folder, (collection, part) in inside.items():
        for source, plain in zip(
            _documents(module, f"src/{folder}"), _documents(module, f"import/{folder}"), strict=True
        ):
            assert source.pop("_key") == f"!{collection}!{source['_id']}"
            for each in source[part]:
                assert each.pop("_key") == f"!{collection}.{part}!{source['_id']}.{each['_id']}"
            assert source == plain
            ids += [source["_id"], *(each["_id"] for each in source[part])]
    assert len(set(ids)) == len(ids)
    assert all(re.fullmatch(r"[A-Za-z0-9]{16}", each) for each in ids)
    assert foundry.document_id("glog", "cards", "madness") == "JMrsftKir9n2pi3B"


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("fvtt") is None, reason="npm install -g @foundryvtt/foundryvtt-cli packs modules")
def test_foundry_tool_packs_and_unpacks_the_module(module: Path, tmp_path: Path) -> None:
    for folder, part in (("cards", "cards"), ("tables", "results"), ("journals", "pages")):
        call = ["fvtt", "package"]
        kind = ["-n", folder, "--type", "Module", "--id", module.name]
        source = str(module / "src" / folder)
        for words in (["pack", "--in", source, "--out", str(tmp_path)], ["unpack", "--in", str(tmp_path), "--out"]):
            out = [str(tmp_path / f"un-{folder}")] if words[-1] == "--out" else []
            subprocess.run([*call, *words, *out, *kind], check=True, capture_output=True, timeout=60)
        before = {each["_id"]: len(each[part]) for each in _documents(module, f"src/{folder}")}
        assert {each["_id"]: len(each[part]) for each in _documents(tmp_path, f"un-{folder}")} == before


# --- Tabletop Simulator --------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_saved_object_finds_every_card_on_its_picture(tmp_path: Path) -> None:
    *pictures, path = printed(tmp_path, "hackjack", "deck", "--target", "tts", "--only", "QS,KH", "--copies", "40")
    saved = json.loads(path.read_text("utf-8"))
    (deck,) = saved["ObjectStates"]
    assert deck["Name"] == "DeckCustom"
    assert len(deck["ContainedObjects"]) == 80
    assert deck["DeckIDs"] == [each["CardID"] for each in deck["ContainedObjects"]]
    assert deck["DeckIDs"] == [*(100 + at for at in range(69)), *(200 + at for at in range(11))]
    records = {each.name: each for each in card_records("deck", card_set(loaded("hackjack"), "deck").faces)}
    for each in deck["ContainedObjects"]:
        for sentence in records[each["Nickname"]].text:
            assert sentence in each["Description"]
        assert each["CustomDeck"] == {str(each["CardID"] // 100): deck["CustomDeck"][str(each["CardID"] // 100)]}
    for number, sheet in deck["CustomDeck"].items():
        assert (sheet["NumWidth"], sheet["NumHeight"], sheet["UniqueBack"]) == (10, 7, False)
        assert Path(url2pathname(sheet["FaceURL"].removeprefix("file://"))) == pictures[int(number) - 1]
        assert Path(url2pathname(sheet["BackURL"].removeprefix("file://"))) == pictures[-1]


def test_the_saved_object_names_the_web(tmp_path: Path) -> None:
    where = "https://example.org/my%20cards/"
    *_, path = printed(tmp_path, "hackjack", "deck", "--target", "tts", "--only", "QS", "--base-url", where)
    (one,) = json.loads(path.read_text("utf-8"))["ObjectStates"]
    assert (one["Name"], one["CardID"]) == ("Card", 100)
    assert one["CustomDeck"]["1"]["FaceURL"] == "https://example.org/my%20cards/hackjack-deck-tts/faces.png"


def test_tables_are_notecards(tmp_path: Path) -> None:
    (path,) = printed(tmp_path, "glog", "tables", "--target", "tts")
    assert path.name == "glog-tables-tts.json"
    cards = json.loads(path.read_text("utf-8"))["ObjectStates"]
    tables = table_records(loaded("glog"))
    assert [(card["Name"], card["Nickname"]) for card in cards] == [("Notecard", table.title) for table in tables]
    assert len({(card["Transform"]["posX"], card["Transform"]["posZ"]) for card in cards}) == len(cards)
    for card, table in zip(cards, tables, strict=True):
        for result in table.results:
            assert result.one_line in card["Description"]


def test_chosen_cards_go_alone(tmp_path: Path) -> None:
    printed(tmp_path, "hackjack", "--target", "json", "--only", "QS")
    whole = json.loads((tmp_path / "hackjack-all-json" / "system.json").read_text("utf-8"))
    assert (len(whole["cards"]), whole["tables"], whole["pages"]) == (1, [], [])


@pytest.mark.parametrize(
    "wrong",
    ["", "example.org", "ftp://example.org", "https://", "https://[", "https://a b", "javascript:x", "http://a?b"],
)
def test_a_faulty_address_is_one_sentence_and_nothing_is_written(wrong: str, tmp_path: Path) -> None:
    done = run("print", "hackjack", "deck", "--target", "tts", "--base-url", wrong, "-o", tmp_path / "out")
    assert (done.code, done.out, len(done.faults)) == (2, "", 1)
    assert "is no address: write one such as https://example.org/cards" in done.err
    assert not (tmp_path / "out").exists()


def test_an_address_is_for_tts_alone() -> None:
    done = run("print", "hackjack", "deck", "--base-url", "https://example.org")
    assert (done.code, done.err) == (2, "--base-url means nothing for home: it is for tts\n")


# --- playingcards.io -----------------------------------------------------------------------------------------------


def test_the_room_holds_deck_hand_counters_and_every_card(tmp_path: Path) -> None:
    (path,) = printed(tmp_path, "glog", "madness", "--target", "pcio", "--dpi", "40")
    assert path.name == "glog-madness-pcio.pcio"
    with zipfile.ZipFile(path) as room:
        assert room.testzip() is None
        files = set(room.namelist())
        widgets = json.loads(room.read("widgets.json"))
        assert Image.open(BytesIO(room.read("userassets/back.png"))).format == "PNG"
    by_id = {each["id"]: each for each in widgets}
    assert len(by_id) == len(widgets)
    kinds = [each["type"] for each in widgets]
    assert (kinds.count("hand"), kinds.count("cardDeck"), kinds.count("card")) == (1, 1, 10)
    assert by_id["hand"]["id"] == "hand"
    system = loaded("glog")
    counters = [each for each in widgets if each["type"] == "counter"]
    assert [each["label"] for each in counters] == [track.name for track in system.head.tracks.values()]
    types = by_id["deck"]["cardTypes"]
    for kind, record in zip(types.values(), card_records("madness", card_set(system, "madness").faces), strict=True):
        assert (kind["label"], kind["text"]) == (record.name, record.one_line)
        for side in ("face", "back"):
            assert kind[side].removeprefix("package://") in files
    for side, template in (("face", "faceTemplate"), ("back", "backTemplate")):
        (picture,) = by_id["deck"][template]["objects"]
        assert (picture["valueType"], picture["value"]) == ("dynamic", side)
    for each in widgets:
        if each["type"] == "card":
            assert each["cardType"] in types
            assert by_id[each["deck"]]["type"] == "cardDeck"
            assert by_id[each["parent"]]["type"] == "cardPile"


def test_copies_share_a_picture_and_a_room_has_an_end() -> None:
    pictures = {"001-a.png": b"", "back.png": b""}
    with zipfile.ZipFile(BytesIO(pcio.room_file([card(copies=3)], pictures, Size(63.5, 88.9)))) as room:
        widgets = json.loads(room.read("widgets.json"))
    assert sum(each["type"] == "card" for each in widgets) == 3
    with pytest.raises(HackjackError, match=r"a room holds 1,200 cards and counters, not 1,303: use --only"):
        pcio.room_file([card(copies=1300)], pictures, Size(63.5, 88.9))


# --- what is asked for ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        (("glog", "screen", "--target", "csv"), "--target means nothing for screen: it is for sets of cards"),
        (("glog", "tables", "--target", "csv", "--only", "prone"), "--only means nothing for tables"),
        (("glog", "box", "--target", "json"), "box has nothing for json: leave it out"),
        (("glog", "tables"), 'glog has no product "tables"'),
        (("glog", "--target", "csv", "--dpi", "90"), "--dpi means nothing for csv"),
    ],
)
def test_what_a_format_has_no_place_for_is_told(asked: tuple[str, ...], says: str, tmp_path: Path) -> None:
    done = run("print", *asked, "-o", tmp_path / "out")
    assert done.code == 2
    assert says in done.err
    assert not (tmp_path / "out").exists()
