"""Decks of any cards, from YAML or a spreadsheet, and cards from tables, conditions and decks."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml
from helpers import ROOT, chars, page_texts, pictures, reader, run, squeezed
from PIL import Image

from generator.games.card_products import card_set, card_set_names
from generator.layout.card_elements import Badge, Blank, CardArt, CardEffect, Emblem, Face, Index, Rule, Short, Title
from generator.model.rules import FILE_KINDS
from generator.pack import sharing
from generator.pack.load import Pack, load_pack
from generator.pack.pack_locations import picture_names
from generator.products import deck as printing
from generator.words.wording import DASH, MINUS

KEEN = ROOT / "docs" / "examples" / "keen"
HEAD: dict[str, Any] = {"id": "trial", "extends": "hackjack", "title": "Trial", "version": "0.1"}
DECK: dict[str, Any] = {
    "id": "crits",
    "title": "Crits",
    "faces": {"slash": "Slash", "burn": "Burn"},
    "lines": {"reach": "Reach"},
}
CHEAP = {"extends": "jackrealms"}
"""A head whose pack is soon checked: no card of Jackrealms is counted in odds."""
CARDS: list[dict[str, Any]] = [
    {
        "code": "1",
        "name": "Opened vein",
        "copies": 3,
        "note": "Deep. {limit} is near",
        "lines": {"reach": "5 feet"},
        "faces": {
            "burn": {"note": "Nothing catches fire"},
            "slash": {"name": "Red", "effects": ["penalty 2 to strength until rest"]},
        },
    },
    {"code": "Skull-9", "name": "Rattled", "effects": ["suffer dazed for 1 round"]},
]


def pack(folder: Path, *cards: dict[str, Any], csv: str | None = None, head: Any = None, **changes: Any) -> Path:
    """A pack with one deck besides Hackjack's: its cards, or a CSV; `head` for more of `system.yaml`."""
    made = folder / "pack"
    made.mkdir(exist_ok=True)
    deck = (
        DECK | ({"cards": list(cards)} if cards else {}) | ({"csv": "crits.csv"} if csv is not None else {}) | changes
    )
    (made / "system.yaml").write_text(yaml.safe_dump(HEAD | (head or {})), encoding="utf-8")
    (made / "decks.yaml").write_text(yaml.safe_dump({"decks": [deck]}, sort_keys=False), encoding="utf-8")
    if csv is not None:
        (made / "crits.csv").write_bytes(csv.encode())
    return made


def decks(folder: Path, *changes: dict[str, Any], head: Any = None) -> Path:
    """A pack with many decks, each with changes of its own."""
    made = pack(folder, head=head)
    written = [DECK | {"id": f"deck{at}"} | changed for at, changed in enumerate(changes)]
    (made / "decks.yaml").write_text(json.dumps({"decks": written}), encoding="utf-8")
    return made


def parts(face: Face, kind: type) -> list[Any]:
    return [part for part in face.parts if isinstance(part, kind)]


def told(face: Face) -> list[str]:
    return [f"{part.label}: {part.says} {part.until}".strip(": ") for part in parts(face, CardEffect)]


def faults(folder: Path) -> list[str]:
    ran = run("check", folder)
    assert (ran.code, "sound" in ran.out) == (1, False), ran.out
    return [line.rpartition("pack/")[2] for line in ran.faults]


# --- the example -----------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_example_is_sound_and_holds_what_it_promises() -> None:
    assert run("check", KEEN).out.endswith("keen: sound\n")
    listed = json.loads(run("list", "--pack", KEEN, "--json").out)["systems"][0]
    assert listed["products"][:4] == ["conditions", "criticals", "states", "slashes"]
    assert listed["decks"] == [{"title": "Criticals", "cards": 77, "id": "criticals"}]
    found = card_set(load_pack(KEEN).system, "criticals")
    assert len(found.faces) == 44
    assert all([len(told(face)), len(parts(face, CardArt))] == [5, 1] for face in found.faces)
    assert sorted(set(found.copies.values())) == [1, 2, 3]


def test_each_copy_is_printed_on_a_back_of_its_own_with_pictures_that_give_way_to_words(tmp_path: Path) -> None:
    """The fullest card has no room for its picture, but letters of 8.5 pt; shorter ones have a picture."""
    ran = run("print", "keen", "criticals", "--pack", KEEN, "-o", tmp_path)
    assert (ran.code, ran.err) == (0, "")
    pdf = (tmp_path / "keen-criticals.pdf").read_bytes()
    pages = page_texts(pdf)
    assert len(pages) == 2 * 9
    text = squeezed("".join(pages))
    assert text.count("CRITICALS1Place") == 3 and text.count("CRITICALS44Place") == 1
    red, green, blue = pictures(pdf, 20)[1].resize((1, 1)).convert("RGB").getpixel((0, 0))  # type: ignore[misc]
    assert blue > red and green > red
    # Smaller letters are those over the text and in the margin.
    sizes = [char.size for page in range(0, 18, 2) for char in chars(pdf, page) if char.size > 7.6]
    assert min(sizes) >= 8.4 and sum(size >= 10.4 for size in sizes) > len(sizes) / 2
    assert any(page.images for page in reader(pdf).pages[::2])


def test_its_cards_can_be_read_one_each(tmp_path: Path) -> None:
    assert run("print", "keen", "criticals", "--pack", KEEN, "--format", "md", "-o", tmp_path).code == 0
    said = (tmp_path / "keen-criticals.md").read_text(encoding="utf-8")
    assert said.count("\n## ") == 44
    assert (said.count("\n3 of this card are in the deck.\n"), said.count("\n2 of this")) == (11, 11)
    assert f"- Pierce {DASH} Notched brow: Poor aim (2 levels) until you have rested.\n" in said


@pytest.mark.parametrize(("typed", "name"), [("16", "Heart"), ("criticals:16", "Heart"), ("CRITICALS:2", "Brow")])
def test_a_card_is_looked_up_by_its_code(typed: str, name: str) -> None:
    ran = run("card", "keen", typed, "--pack", KEEN)
    assert ran.out.startswith(f"{typed.rpartition(':')[2]}  {name}\n    Place: ")


def test_files_of_copies_have_names_of_their_own(tmp_path: Path) -> None:
    ran = run(
        "print",
        "keen",
        "criticals",
        "--pack",
        KEEN,
        "--target",
        "png",
        "--dpi",
        "40",
        "--only",
        "1,3,4",
        "-o",
        tmp_path,
    )
    names = [Path(line).name for line in ran.out.splitlines()]
    assert names == ["1.png", "1-copy2.png", "1-copy3.png", "3.png", "4.png", "back.png"]
    assert len({(tmp_path / "keen-criticals-png" / name).read_bytes() for name in names[:3]}) == 1


def test_a_card_may_be_called_what_no_file_can(tmp_path: Path) -> None:
    made = pack(tmp_path, *({"code": code, "name": f"Card {code}"} for code in ("Nul", "com1", "back")))
    ran = run("print", "trial", "crits", "--pack", made, "--target", "png", "--dpi", "40", "-o", tmp_path)
    names = [Path(line).name for line in ran.out.splitlines()]
    assert names == ["Nul-card.png", "com1-card.png", "back-card.png", "back.png"]
    found = [*(tmp_path / "trial-crits-png").iterdir()]
    assert len({path.read_bytes() for path in found}) == len(found) == 4


@pytest.mark.parametrize(
    "asked",
    [("--target", "l7651"), pytest.param(("--card", "mini"), marks=pytest.mark.slow)],
    ids=["stickers", "small cards"],
)
def test_where_there_is_little_room_the_code_still_says_which_card_it_is(
    asked: tuple[str, str], tmp_path: Path
) -> None:
    ran = run("print", "keen", "criticals", "--pack", KEEN, *asked, "-o", tmp_path)
    assert (ran.code, ran.err) == (0, "")
    text = squeezed("".join(page_texts(Path(ran.out.strip()).read_bytes())))
    assert "28.Slash:thatarmuselessuntilrecovered;openwounduntilbound;Pierce:" in text


def test_a_copied_pack_has_the_spreadsheet_and_the_pictures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(KEEN, tmp_path / "packs" / "keen")
    monkeypatch.setenv("HACKJACK_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    assert run("new", "mine", "--from", "keen").code == 0
    assert {"decks.yaml", "criticals.csv"} <= {path.name for path in (tmp_path / "mine").iterdir()}
    assert (tmp_path / "mine" / "art" / "spine.png").is_file()


# --- what stands on a card -------------------------------------------------------------------------------------------


def test_a_card_says_its_note_its_lines_and_its_faces(tmp_path: Path) -> None:
    system = load_pack(pack(tmp_path, *CARDS)).system
    vein, skull = card_set(system, "crits").faces
    assert told(vein) == [
        "Deep. 21 is near",
        "Reach: 5 feet",
        f"Slash {DASH} Red: {MINUS}2 to Strength until you have rested",
        "Burn: Nothing catches fire",
    ]
    assert told(skull) == ["You are dazed and lost for one round"]
    assert [parts(face, Rule)[0].word for face in (vein, skull)] == ["Crits 1", "Crits Skull-9"]
    assert parts(vein, Short)[0].text == f"1. Slash: {MINUS}2 Str until rested; Burn: Nothing catches fire"
    assert not parts(vein, Index) and not parts(vein, Emblem) and not parts(vein, Badge)
    assert [face.code for face in printing.faces(card_set(system, "crits"))] == ["1"] * 3 + ["Skull-9"]


def test_short_codes_stand_in_the_corners_where_there_is_one_face(tmp_path: Path) -> None:
    cards = [{"code": code, "name": "A"} for code in ("1", "H7", "QS")]
    faces = card_set(load_pack(pack(tmp_path, *cards, faces={})).system, "crits").faces
    assert [(index.rank, index.suit) for face in faces for index in parts(face, Index)] == [
        ("Q", "S"),
        ("1", ""),
        ("H7", ""),
    ]


def test_pictures_of_faces_stand_side_by_side(tmp_path: Path) -> None:
    folder = pack(
        tmp_path,
        {"code": "1", "name": "A", "faces": {key: {"name": key, "art": f"{key}.png"} for key in ("slash", "burn")}},
    )
    for key, colour in (("slash", (255, 0, 0)), ("burn", (0, 0, 255))):
        Image.new("RGB", (700, 700), colour).save(folder / f"{key}.png")
    assert run("print", "trial", "crits", "--pack", folder, "--target", "png", "--dpi", "60", "-o", tmp_path).code == 0
    with Image.open(tmp_path / "trial-crits-png" / "1.png") as card:
        wide, high = card.size
        across = [card.convert("RGB").getpixel((wide * part // 4, high // 8)) for part in (1, 3)]
    assert across == [(255, 0, 0), (0, 0, 255)]


def test_a_pack_on_top_changes_a_card_and_takes_a_face_out(tmp_path: Path) -> None:
    below = pack(tmp_path, *CARDS)
    below.rename(tmp_path / "trial")
    own = {"decks": [{"id": "crits", "faces": {"burn": None}, "cards": [{"code": "1", "name": "Scratch"}]}]}
    above = tmp_path / "pack"
    above.mkdir()
    (above / "system.yaml").write_text("id: above\nextends: trial\ntitle: Above\n", encoding="utf-8")
    (above / "decks.yaml").write_text(yaml.safe_dump(own), encoding="utf-8")
    system = load_pack(above).system
    assert [card.name for card in system.decks[0].cards] == ["Scratch", "Rattled"]
    assert system.decks[0].faces == {"slash": "Slash"} and system.decks[0].title == "Crits"


@pytest.mark.parametrize(
    ("named", "lies"),
    [
        pytest.param("art/IMG_0001.PNG", "art/IMG_0001.PNG", marks=pytest.mark.slow),
        pytest.param("art/IMG_0001.Jpeg", "art/IMG_0001.JPEG", marks=pytest.mark.slow),
        pytest.param("art\\plain.png", "art/plain.png", marks=pytest.mark.slow),
        pytest.param("./art/plain.png", "art/plain.png", marks=pytest.mark.slow),
        (".\\art\\plain.png", "art/plain.PNG"),
    ],
)
def test_names_of_files_are_read_as_cameras_and_windows_write_them(named: str, lies: str, tmp_path: Path) -> None:
    folder = pack(tmp_path, {"code": "2", "name": "B", "art": named}, csv=f"code,name,art\n1,A,{named}\n", head=CHEAP)
    (folder / "art").mkdir()
    Image.new("RGB", (700, 700)).save(folder / lies, "PNG" if lies.lower().endswith("png") else "JPEG")
    (folder / "crits.csv").rename(folder / "CRITS.CSV")
    decks = (folder / "decks.yaml").read_text(encoding="utf-8")
    (folder / "decks.yaml").write_text(decks.replace("crits.csv", ".\\CRITS.csv"), encoding="utf-8")
    assert (run("check", folder).code, len(picture_names(load_pack(folder).system))) == (0, 1)
    names = {name.casefold() for name in sharing.gathered(load_pack(folder)).files}
    assert {lies.casefold(), "crits.csv"} <= names


# --- a spreadsheet ---------------------------------------------------------------------------------------------------

SHEET = """code,copies,name,Reach,Slash,slash name,BURN effects
1,3,Vein,2,"Says ""ouch"", loudly.",Red,"suffer dazed until rest"
Skull-9,,Rattled,,,,
"""
SHEET_OF_SEMICOLONS = """"code";copies;name;Reach;Slash;slash name;BURN effects
1;3;Vein;2;"Says ""ouch"", loudly.";Red;suffer dazed until rest
Skull-9;;Rattled
"""


@pytest.mark.parametrize(
    "text",
    [
        SHEET,
        "\ufeff" + SHEET.replace("\n", "\r\n"),
        SHEET.replace("\n", "\r"),
        SHEET_OF_SEMICOLONS,
        SHEET + ",,,,,,\n\n",
        SHEET.replace("Reach,", "Reach,,").replace("2,", "2,,").replace("Rattled,", "Rattled,,"),
        "sep=;\r\n" + SHEET_OF_SEMICOLONS,
        '"sep=|"\n' + SHEET_OF_SEMICOLONS.replace(";", "|"),
        SHEET.replace(",3,", ",3.0,").replace("Skull-9,,", 'Skull-9,"1,0",'),
        SHEET + "9,0,Parked,,,,unfinished\n",
    ],
    ids=[
        *("commas", "windows", "old mac", "semicolons", "empty rows", "an empty column"),
        *("sep=;", "sep=|", "decimals", "0 copies"),
    ],
)  # fmt: skip
def test_a_spreadsheet_is_read_however_it_was_saved(text: str, tmp_path: Path) -> None:
    vein, skull = load_pack(pack(tmp_path, csv=text)).system.decks[0].cards
    assert (vein.code, vein.copies, vein.name, vein.lines) == ("1", 3, "Vein", {"reach": 2})
    assert vein.faces["slash"].name == "Red" and len(vein.faces["burn"].effects) == 1
    assert str(vein.faces["slash"].note).startswith('Says "ouch"')
    assert (skull.code, skull.copies, skull.faces) == ("Skull-9", 1, {})


def test_a_sheet_saved_as_unicode_text_is_read_too(tmp_path: Path) -> None:
    folder = pack(tmp_path, csv="")
    (folder / "crits.csv").write_bytes(SHEET_OF_SEMICOLONS.replace(";", "\t").encode("utf-16"))
    assert len(load_pack(folder).system.decks[0].cards) == 2


def test_cards_without_a_code_are_numbered_by_their_rows(tmp_path: Path) -> None:
    text = "Name,Effect,Score,Copies,Code\nKnee,ouch,2.0,2.0,\nShin,ouch,,0,\nElbow,ouch,1,1,4\nToe,,,,\nEar,,,,"
    cards = load_pack(pack(tmp_path, csv=text, headings={"Effect": "note"})).system.decks[0].cards
    assert [(card.code, card.name, card.copies) for card in cards] == [
        ("1", "Knee", 2),
        ("4", "Elbow", 1),
        ("5", "Toe", 1),
        ("6", "Ear", 1),
    ]


def test_headings_say_what_a_column_is(tmp_path: Path) -> None:
    text = "Nr.\tAnzahl\tWunde\tHinweis\n1\t2\tSchnitt\tx\n"
    headings = {"Nr.": "code", "anzahl": "copies", "Wunde": "name", "Hinweis": None}
    (card,) = load_pack(pack(tmp_path, csv=text, headings=headings)).system.decks[0].cards
    assert (card.code, card.copies, card.name, card.note) == ("1", 2, "Schnitt", None)


def test_cards_in_yaml_stand_before_those_of_the_spreadsheet(tmp_path: Path) -> None:
    system = load_pack(pack(tmp_path, {"code": "Z", "name": "First"}, csv=SHEET)).system
    assert [card.code for card in system.decks[0].cards] == ["Z", "1", "Skull-9"]


FAULTS = {
    "code,nmae\n1,A\n": 'crits.csv:1:6: nothing reads the column "nmae": did you mean "name"?',
    "code,name,zzz\n1,A,\n": 'crits.csv:1:11: nothing reads the column "zzz": say under headings what it is, or null',
    "code,name,Name\n1,A,B\n": "crits.csv:1:11: a second column of name: keep one",
    "Name,Effect,Score,Copies\nA,B,1,2\n": (
        'crits.csv:1:6: nothing reads the column "Effect": did you mean "note" for words, or "effects" for steps as in '
        "YAML? Or say under headings what it is"
    ),
    "1,Head\n2,Arm\n": (
        "crits.csv:1:1: the first row names no column that is known: put code, name, copies and so on over the cards, "
        'or say under headings what each of them is: "1", "Head"'
    ),
    "code,name,copies\n1,A,x3\n": "crits.csv:2:5: expected a whole number, not x3 (C2)",
    "sep=;\ncode;name;zzz\n1;A;\n": 'crits.csv:2:11: nothing reads the column "zzz"',
    "": "crits.csv:1:1: the file is empty: its first row names the columns",
    'code,name\n1,"A\n2,B\n': 'crits.csv:2:3: the cell begins with " and never ends: close it',
    'code,name\n1,"A" b\n': 'crits.csv:2:6: a cell in quotation marks ends here, and more follows: write "" for',
    "code,name\n1,A,B\n": "crits.csv:2:5: this cell has no heading (C2)",
    "code,name\n1,A\u202eb\n": "crits.csv:2:3: the character U+202E in it is unseen and may mislead: take it out",
    f"code,name\n1,{'x' * 4001}\n": "crits.csv:2:3: more than 4,000 signs in one cell: shorten it",
    "code,name,copies\n1,A,many\n": "crits.csv:2:5: expected a whole number, not many (C2)",
    "code,name,copies\n1,A,61\n": "crits.csv:2:5: 61 is out of range: from 1 to 60 (C2)",
    "code,name\na b,A\n": "crits.csv:2:1: \"a b\" is not a card's code: up to 12 letters, digits",
    "code,name\n-1,A\n": (
        "crits.csv:2:1: \"-1\" is not a card's code: up to 12 letters, digits, _ and -; it begins with a letter"
    ),
    "code,name\n1,A\n\n1,B\n": "crits.csv:4:1: the code 1 appears twice: card 1 has it already, so write",
    "code,name\n1,\n": 'crits.csv:2:1: the key "name" is missing: what it is called',
    "code,name,effects\n1,A,dazed\n": (
        "crits.csv:2:5: no statement begins with dazed: for an event of that name write dazed(); "
        "words belong in note (C2)"
    ),
    'code,name,effects\n1,A,"suffer dazde until rest"\n': (
        'crits.csv:2:5: unknown condition "dazde": did you mean "dazed"? (C2)'
    ),
    'code,name,burn effects\n1,"A\nb","suffer dazed"\n': "crits.csv:3:4: how long is missing here: write for 2d6 days",
    "code,name,slash note\n1,A,{massive_damge}\n": 'crits.csv:2:5: there is no number "{massive_damge}"',
    "code,name,art\n1,A,art/a.png\n": "crits.csv:2:5: art/a.png is not there: name a file in the pack's folder (C2)",
    "code,name,slash art\n1,A,art/a.png\n": "crits.csv:2:5: the face is empty: give it a name, effects",
}  # fmt: skip


def are_told(says: Sequence[str], told: Callable[[list[int]], list[str]]) -> None:
    """Each of many faults is told: at once, or when those are mended that keep a file from being read."""
    left = [*range(len(says))]
    for _ in range(3):
        found = told(left) if left else []
        left = [at for at in left if not any(says[at] in line for line in found)]
    assert not left, ([says[at] for at in left], found)


def test_every_fault_of_every_spreadsheet_is_told_with_its_place(tmp_path: Path) -> None:
    names = [f"c{at:02}.csv" for at in range(len(FAULTS))]
    says = [sentence.replace("crits.csv", name) for sentence, name in zip(FAULTS.values(), names, strict=True)]
    for name, text in zip(names, FAULTS, strict=True):
        (decks(tmp_path) / name).write_bytes(text.encode())
    are_told(says, lambda left: faults(decks(tmp_path, *({"csv": names[at]} for at in left))))


def test_a_spreadsheet_has_limits(tmp_path: Path) -> None:
    folder = pack(tmp_path, csv="code,name\n" + "".join(f"{number},A\n" for number in range(300)))
    assert faults(folder) == ["crits.csv:202:1: more than 200 cards: split the deck"]
    (folder / "crits.csv").write_bytes(b"code,name\n" + b"," * 900_000)
    assert faults(folder) == ["crits.csv:2:1000: more than 1,000 cells in a row: is this a CSV?"]
    (folder / "crits.csv").write_bytes(b"x" * 1_000_001)
    assert faults(folder) == ["crits.csv: the file is larger than 1,000,000 bytes: split the deck"]
    (folder / "crits.csv").write_bytes("code,name\n1,Schn\u00e4tt\n".encode("cp1252"))
    assert faults(folder) == ["crits.csv:2:1: this is not UTF-8 text: save the sheet as CSV UTF-8"]


def test_a_spreadsheet_lies_in_its_pack(tmp_path: Path) -> None:
    folder = pack(tmp_path, csv="")
    (tmp_path / "secret.csv").write_text("password\n", encoding="utf-8")
    (folder / "crits.csv").unlink()
    assert faults(folder)[0].endswith("crits.csv is not there: name a file in the pack's folder")
    (folder / "crits.csv").symlink_to(tmp_path / "secret.csv")
    (said,) = faults(folder)
    assert "crits.csv is outside the pack" in said and "password" not in said
    text = (folder / "decks.yaml").read_text(encoding="utf-8")
    (folder / "decks.yaml").write_text(text.replace("csv: crits", "csv: ../secret"), encoding="utf-8")
    said = " ".join(faults(folder))
    assert "../secret.csv is outside the pack" in said and "password" not in said


# --- decks that do not fit together ----------------------------------------------------------------------------------

LONG = "WWWW " * 79 + "long"
A = {"code": "1", "name": "A"}
BROKEN: list[tuple[dict[str, Any], str]] = [
    ({}, "the deck has no cards: list them under cards, or name a spreadsheet's file under csv"),
    ({"cards": [A | {"faces": {"slsh": {"name": "B"}}}]}, 'unknown face of this deck "slsh": did you mean'),
    ({"cards": [A | {"lines": {"depth": 1}}]}, 'unknown line of this deck "depth"; known: reach'),
    ({"cards": [A | {"rulings": ["H99"]}]}, 'unknown ruling "H99"'),
    (
        {"cards": [A | {"score": 2}, A | {"code": "2"}]},
        "2 has no score, and 1 has: write score: 0 if it counts nothing",
    ),
    ({"cards": [A, A | {"code": "1"}]}, "the code 1 appears twice: card 1 has it already"),
    ({"id": "sheet", "cards": [A]}, '"sheet" is a product already: choose another name'),
    ({"back": "b.png", "cards": [A]}, "b.png is not there"),
    ({"cards": [A | {"effects": ["end x"]}]}, 'unknown condition "x"'),
    ({"cards": [A | {"code": str(n), "copies": 60} for n in range(17)]}, "cards are too many"),
]


def test_decks_that_do_not_fit_together_are_told(tmp_path: Path) -> None:
    says = [sentence for _, sentence in BROKEN]
    are_told(says, lambda left: faults(decks(tmp_path, *(BROKEN[at][0] for at in left))))
    other = decks(tmp_path, {"cards": [A | {"blood": 2}]}, head={"extends": "glog"})
    assert [line for line in faults(other) if "no formula asks for card.blood: take blood out" in line]


def test_playing_cards_are_there_once_with_one_meaning(tmp_path: Path) -> None:
    card = {"code": "AC", "name": "A", "copies": 2, "note": "B", "lines": {"x": 1}, "faces": {"y": {"name": "C"}}}
    folder = pack(tmp_path, A, head={"extends": "deadlands"})
    (folder / "deck.yaml").write_text(yaml.safe_dump({"returns": True, "cards": [card]}), encoding="utf-8")
    found = [line for line in faults(folder) if line.startswith("deck.yaml")]
    assert [line.partition(": ")[2].partition(":")[0] for line in found] == [
        "playing cards have no copies",
        "playing cards have no faces",
        "playing cards have no lines",
        "playing cards have no note",
        "returns is for decks of decks.yaml",
    ]


# --- cards of anything -----------------------------------------------------------------------------------------------


def of(folder: Path, *blocks: dict[str, Any], **more: Any) -> Pack:
    return load_pack(pack(folder, *CARDS, head={"cards": list(blocks), **more}))


def test_a_table_is_printed_as_cards(tmp_path: Path) -> None:
    table = {
        "id": "falls",
        "title": "Falls",
        "roll": "d6",
        "covers": "1-6",
        "columns": {"ice": {"title": "On ice"}, "stairs": {"title": "Down stairs"}},
        "rows": [
            {
                "at": "1-3",
                "name": "Sprain",
                "cells": {"ice": "slide on", "stairs": ["drop weapons"]},
                "note": "Over {limit} feet twice as bad.",
            },
            {"at": "4-6", "effects": ["suffer prone until stand"], "lasts": "2 weeks"},
        ],
    }
    block = {
        "name": "falls",
        "from": {"table": "falls"},
        "blanks": ["Days"],
        "also": ["Ask for d{limit}."],
        "brief": "ask",
    }
    pack(tmp_path, *CARDS, head={"cards": [block]})
    (tmp_path / "pack" / "tables.yaml").write_text(yaml.safe_dump({"tables": [table]}), encoding="utf-8")
    found = card_set(load_pack(tmp_path / "pack").system, "falls")
    sprain, other = found.faces
    assert [face.code for face in found.faces] == ["falls-1-3", "falls-4-6"]
    assert told(sprain) == [
        "On ice: slide on",
        "Down stairs: You drop the weapons you hold",
        "Over 21 feet twice as bad",
        "Ask for d21",
    ]
    assert told(other) == ["You fall prone until you stand up", "Lasts two weeks", "Ask for d21"]
    assert [parts(face, Title)[0].text for face in found.faces] == ["Sprain", "Prone"]
    assert [parts(face, Index)[0].rank for face in found.faces] == ["1-3", "4-6"]
    assert parts(sprain, Short)[0].text == "On ice: slide on. Down stairs: drop weapons. Over 21 feet twice as bad. ask"
    assert [blank.label for blank in parts(sprain, Blank)] == ["Days"]
    assert found.trails == {"falls-1-3": ("tables", 1, "rows", 0), "falls-4-6": ("tables", 1, "rows", 1)}
    assert run("print", "trial", "falls", "--pack", tmp_path / "pack", "-o", tmp_path).code == 0


def test_conditions_are_printed_as_cards_by_a_list_a_group_or_all_with_a_name(tmp_path: Path) -> None:
    conditions = {
        "cold": {"says": "You shiver", "name": "Cold", "group": "weather"},
        "wet": {"says": "You drip", "brief": "wet", "group": "weather", "notes": ["Warm yourself."]},
    }
    asked: list[Any] = [["wet", "prone"], "weather", "all"]
    blocks = [{"name": f"states{at}", "from": {"conditions": each}, "emblem": "star"} for at, each in enumerate(asked)]
    system = of(tmp_path, *blocks, conditions=conditions).system
    sets = [card_set(system, f"states{at}") for at in range(3)]
    assert [[face.code for face in found.faces] for found in sets] == [["wet", "prone"], ["cold", "wet"], ["cold"]]
    wet = sets[0].faces[0]
    assert parts(wet, Title)[0].text == "Wet" and told(wet) == ["You drip", "Warm yourself"]
    assert parts(wet, Emblem)[0].name == "star" and parts(wet, Rule)[0].word == "weather"
    assert card_set_names(system)[-3:] == ("states0", "states1", "states2")


def test_one_face_of_a_deck_is_printed_alone(tmp_path: Path) -> None:
    system = of(tmp_path, {"name": "burns", "from": {"deck": "crits", "face": "burn"}, "word": "fire"}).system
    vein, skull = card_set(system, "burns").faces
    assert told(vein) == ["Deep. 21 is near", "Reach: 5 feet", "Burn: Nothing catches fire"]
    assert parts(vein, Rule)[0].word == "fire 1" and skull.code == "Skull-9"
    assert card_set(system, "burns").copies["1"] == 3
    assert parts(vein, Title)[0].text == "Opened vein"


def test_a_card_of_one_face_bears_the_name_that_it_has_there(tmp_path: Path) -> None:
    system = of(tmp_path, {"name": "cuts", "from": {"deck": "crits", "face": "slash"}}).system
    red, _ = card_set(system, "cuts").faces
    assert parts(red, Title)[0].text == "Red" and told(red)[2].startswith("Slash: ")


BLOCKS: list[tuple[dict[str, Any], str]] = [
    ({"from": {}}, "cards come from one thing: write a table, cells of tables, conditions or a deck"),
    ({"from": {"table": "recovery", "deck": "crits"}}, "cards come from one thing"),
    ({"from": {"table": "recvery"}}, 'unknown table "recvery": did you mean "recovery"?'),
    ({"from": {"cells": ["recvery"]}}, 'unknown table "recvery": did you mean "recovery"?'),
    ({"from": {"cells": "damage"}}, 'unknown list of kinds "damage"'),
    ({"from": {"table": "recovery"}, "emblems": {"arn": "arm"}}, 'unknown column "arn"'),
    ({"from": {"deck": "crit"}}, 'unknown deck "crit": did you mean "crits"?'),
    ({"from": {"deck": "crits", "face": "cut"}}, 'unknown face of this deck "cut"; known: slash, burn'),
    ({"from": {"table": "recovery", "face": "x"}}, "only cards of a deck have faces"),
    ({"from": {"conditions": ["prnoe"]}}, 'unknown condition "prnoe": did you mean "prone"?'),
    ({"from": {"conditions": "x"}}, 'no condition is in a group "x": write a list of them'),
    ({"name": "screen", "from": {"deck": "crits"}}, '"screen" is a product already: choose another name'),
    ({"name": "crits", "from": {"deck": "crits"}}, 'the product "crits" appears twice'),
    ({"also": ["{limt}"], "from": {"deck": "crits"}}, 'there is no number "{limt}" in the procedure'),
    ({"emblem": "skul", "from": {"deck": "crits"}}, 'unknown emblem "skul": did you mean "skull"?'),
    ({"back": "b.png", "from": {"deck": "crits"}}, "b.png is not there"),
    ({"from": {"tabel": "recovery"}}, 'unknown key "tabel": did you mean "table"?'),
]


def test_cards_of_what_is_not_there_are_told(tmp_path: Path) -> None:
    def told(left: list[int]) -> list[str]:
        blocks = [{"name": f"mine{at}"} | BLOCKS[at][0] for at in left]
        found = faults(pack(tmp_path, *CARDS, head={"cards": blocks}))
        return [line for line in found if line.startswith("system.yaml:")]

    are_told([says for _, says in BLOCKS], told)


def test_badges_are_counted_by_events_only(tmp_path: Path) -> None:
    block = {"name": "mine", "from": {"deck": "crits"}, "badge": {"number": "3", "caption": "worse"}}
    (found,) = faults(pack(tmp_path, A, head={"extends": "deadlands", "cards": [block]}))
    says = "a badge is counted by events of your own: take it out, or make the kind steps"
    assert found.startswith("system.yaml:") and found.endswith(says)


@pytest.mark.slow
def test_what_does_not_fit_is_told_where_it_stands(tmp_path: Path) -> None:
    rows = [{"name": "Short"}, {"name": "Long", "note": LONG}]
    block = {"name": "notes", "from": {"table": "notes"}, "also": [LONG, LONG[:200]]}
    folder = pack(tmp_path, *CARDS, head={"cards": [block]})
    written = {"tables": [{"id": "notes", "title": "Notes", "rows": rows}]}
    (folder / "tables.yaml").write_text(json.dumps(written, indent=1), encoding="utf-8")
    (first, *_) = faults(folder)
    line = (
        next(at for at, text in enumerate((folder / "tables.yaml").read_text().splitlines(), 1) if "Long" in text) - 1
    )
    assert first.startswith(f"tables.yaml:{line}:") and "the text does not fit its card" in first
    (folder / "tables.yaml").unlink()
    sheets = ["code,name\n1,\u4e00\n", f"code,name,note,slash,burn\n1,A{(',' + 'WWWW ' * 79) * 3}\n2,B,,,\n"]
    for at, text in enumerate(sheets):
        (folder / f"{at}.csv").write_text(text, encoding="utf-8")
    found = faults(decks(tmp_path, {"csv": "0.csv"}, {"csv": "1.csv"}))
    for says in ("0.csv:2:3: the printed font has no \u4e00 (U+4E00)", "1.csv:2:1: the text does not fit"):
        assert any(line.startswith(says) for line in found), found


@pytest.mark.slow
def test_the_guide_shows_what_can_be_printed(tmp_path: Path) -> None:
    guide = (ROOT / "docs" / "decks_and_cards.md").read_text(encoding="utf-8")
    decks, _, blocks = (part.partition("```")[0] for part in guide.split("```yaml\n")[1:4])
    folder = Path(shutil.copytree(KEEN, tmp_path / "pack"))
    (folder / "decks.yaml").write_text(decks, encoding="utf-8")
    (folder / "system.yaml").write_text(yaml.safe_dump(HEAD) + blocks, encoding="utf-8")
    scars = {"tables": [{"id": "scars", "title": "Scars", "rows": [{"name": "A line"}]}]}
    (folder / "tables.yaml").write_text(yaml.safe_dump(scars), encoding="utf-8")
    assert run("check", folder).out.endswith("sound\n")
    for name in ("criticals", "scars", "states", "slashes"):
        assert run("print", "trial", name, "--pack", folder, "-o", tmp_path).code == 0
    assert told(card_set(load_pack(folder).system, "criticals").faces[0])[1:] == [
        "Place: Arm",
        f"Slash {DASH} Cut elbow: You drop what that hand holds",
        f"Crush {DASH} Funny bone: {MINUS}2 to all rolls to hit for d4 rounds. It is not",
    ]


# --- what was there before -------------------------------------------------------------------------------------------


def test_the_files_of_decks_have_schemas() -> None:
    assert "decks.yaml" in FILE_KINDS
    assert (ROOT / "content" / "schemas" / "decks.schema.json").is_file()
