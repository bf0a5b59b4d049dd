"""A pack as one file: what goes into it, that it is read as the folder is, and that no archive can do harm."""

from __future__ import annotations

import json
import os
import stat
import struct
import time
import zlib
from collections.abc import Iterable
from io import BytesIO
from pathlib import Path
from typing import Any, Literal
from unicodedata import normalize
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZipFile, ZipInfo

import pytest
from helpers import ROOT, copy_pack, few_quick, run
from pypdf import PdfReader

from generator import __version__
from generator.base import zip_files
from generator.base.errors import HackjackError
from generator.base.files import file_stamps
from generator.pack.merge import base_folders
from generator.pack.pack_locations import files_of
from generator.paper.document import Looks, close_document, open_document

EXAMPLES = ROOT / "docs" / "examples"
HEAD = b"""\
extends: hackjack
id: grim
title: Grim
version: "1.0"
"""


COLD = b"procedure: {constants: {cold: 3}}\nevents: {freeze: {says: freeze, do: [look up results]}}\n"


pytestmark = pytest.mark.usefixtures("here")


def grim(folder: Path, **files: str) -> Path:
    """A small pack with files of its own, `_` in whose names stands for a full stop."""
    folder.mkdir(parents=True)
    (folder / "system.yaml").write_bytes(HEAD)
    for name, text in files.items():
        (folder / name.replace("_", ".")).write_text(text, encoding="utf-8")
    return folder


def zipped(path: Path, entries: Iterable[tuple[str | ZipInfo, bytes]], how: int = ZIP_DEFLATED) -> Path:
    """An archive with these entries, whatever they are called."""
    with ZipFile(path, "w", how, compresslevel=1) as made:
        for name, data in entries:
            made.writestr(name, data)
    return path


def names_in(path: Path) -> list[str]:
    with ZipFile(path) as opened:
        return opened.namelist()


def below(folder: Path) -> set[str]:
    """All files and folders below a folder."""
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}


# --- packing ---------------------------------------------------------------------------------------------------------


def test_a_pack_is_packed_with_what_belongs_to_it_and_nothing_else(tmp_path: Path) -> None:
    assert run("new", "grim", "--extends").code == 0
    for name in ("LICENSE.txt", "notes.txt", ".secret"):
        (tmp_path / "grim" / name).write_text("Anything goes.", encoding="utf-8")
    made = run("pack", "grim")
    assert (made.code, made.err) == (0, "left out, for nothing reads it: notes.txt\n")
    assert made.out.startswith("grim.zip: ")
    names = names_in(tmp_path / "grim.zip")
    assert names == sorted(names)
    own = {name for name in names if "schemas/" not in name}
    assert own == {f"grim/{name}" for name in ("LICENSE.txt", "README.md", "system.yaml", "deck.yaml", "tables.yaml")}
    assert "grim/schemas/extending-system.schema.json" in names


@pytest.mark.slow
def test_the_same_pack_makes_the_same_bytes_on_another_day(tmp_path: Path) -> None:
    pack = grim(tmp_path / "grim", LICENSE="Anything goes.")
    assert run("pack", pack).code == 0
    os.utime(pack / "system.yaml", (1e9, 1e9))
    (pack / "system.yaml").chmod(0o600)
    assert run("pack", pack, "-o", "again").code == 0
    assert (tmp_path / "grim.zip").read_bytes() == (tmp_path / "again" / "grim.zip").read_bytes()


def test_the_licence_is_missed_and_a_pack_below_is_named(tmp_path: Path) -> None:
    grim(tmp_path / "grim")
    (upper := tmp_path / "grimmer").mkdir()
    text = HEAD.replace(b"grim", b"grimmer").replace(b"extends: hackjack", b"extends: grim")
    (upper / "system.yaml").write_bytes(text)
    ran = run("pack", "grimmer", "--json")
    assert ran.code == 0, ran.err
    extends, licence = json.loads(ran.out)["notes"]
    assert extends == "grimmer is built on grim, not shipped with Hackjack: share that too"
    assert licence.startswith("the pack has no licence")


@pytest.mark.slow
def test_a_pack_that_takes_from_itself_stands_alone(tmp_path: Path) -> None:
    grim(tmp_path / "grim", LICENSE="Anything goes.", mixed_yaml="title: M\ncards: [{from: grim/deck, card: QS}]\n")
    assert run("pack", "grim").err == ""


def test_a_pack_with_faults_is_not_packed(tmp_path: Path) -> None:
    grim(tmp_path / "grim", tables_yaml="tables: 3\n")
    ran = run("pack", "grim")
    assert ran.code == 1
    assert ran.err.startswith("grim/tables.yaml:1:")
    assert not (tmp_path / "grim.zip").exists()


def test_an_archive_is_not_packed_again(tmp_path: Path) -> None:
    zipped(tmp_path / "grim.zip", [("system.yaml", HEAD)])
    again = run("pack", "grim.zip")
    assert (again.code, again.err) == (2, "grim.zip is an archive already: name the folder of a pack\n")


# --- reading ---------------------------------------------------------------------------------------------------------


def with_everything(folder: Path) -> Path:
    """The flagship with a picture, a drawing and a font of its own."""
    import font_source_sans_pro
    from PIL import Image

    pack = copy_pack(folder)
    (pack / "art").mkdir()
    Image.effect_noise((900, 900), 50).convert("RGB").save(pack / "art" / "a.png")
    square = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><rect width="10" height="10"/></svg>'
    (pack / "art" / "b.svg").write_text(square, encoding="utf-8")
    font = Path(font_source_sans_pro.__file__).parent / "files" / "SourceSansPro-Black.ttf"
    (pack / "fonts").mkdir()
    (pack / "fonts" / "black.ttf").write_bytes(font.read_bytes())
    theme = "id: own\nlike: plain\nfonts: {title: fonts/black.ttf}\n"
    (pack / "theme.yaml").write_text(theme, encoding="utf-8")
    head = (pack / "system.yaml").read_text(encoding="utf-8")
    (pack / "system.yaml").write_text(f"{head}\nart: {{suits: {{S: art/a.png, H: art/b.svg}}}}\n", encoding="utf-8")
    return pack


@pytest.mark.slow
def test_an_archive_prints_the_bytes_of_its_folder(tmp_path: Path) -> None:
    pack = with_everything(tmp_path)
    packed = run("pack", pack, "-o", "given")
    assert packed.code == 0, packed.err
    inner = {name.removeprefix("hackjack/") for name in names_in(tmp_path / "given" / "hackjack.zip")}
    assert {"art/a.png", "art/b.svg", "fonts/black.ttf", "theme.yaml"} <= inner
    before = below(tmp_path)
    made = []
    for given in (pack, tmp_path / "given" / "hackjack.zip"):
        ran = run("print", "hackjack", "deck", "--only", "QS,QH", "--pack", given, "-o", "out")
        assert ran.code == 0, ran.err
        made.append(Path(ran.out.strip()).read_bytes())
    assert made[0] == made[1]
    assert below(tmp_path) - before == {"out", "out/hackjack-deck-own.pdf"}, "nothing is unpacked here"


@pytest.mark.slow
def test_a_spreadsheet_is_read_in_an_archive(tmp_path: Path) -> None:
    keen = EXAMPLES / "keen"
    assert run("pack", keen).code == 0
    assert "keen/criticals.csv" in names_in(tmp_path / "keen.zip")
    folder, archive = (json.loads(run("list", "--pack", pack, "--json").out) for pack in (keen, "keen.zip"))
    assert archive["systems"][0]["decks"] == folder["systems"][0]["decks"] != []


def test_an_archive_is_played_checked_and_copied(tmp_path: Path) -> None:
    assert run("pack", grim(tmp_path / "grim")).code == 0
    (tmp_path / "grim" / "system.yaml").unlink()
    (tmp_path / "grim").rmdir()
    assert run("check", "grim.zip").out.endswith("grim.zip: sound\n")
    assert run("resolve", "grim", "hit", "3", "--seed", "1", "--pack", "grim.zip").code == 0
    assert run("play", "--pack", "grim.zip", "--deck", "virtual", "--seed", "1", "grim", "add", "bryn").code == 0
    assert run("play", "--pack", "grim.zip", "hit", "bryn", "3").code == 0


@pytest.mark.slow
def test_archives_in_the_packs_folder_are_found_by_name(tmp_path: Path) -> None:
    assert run("pack", grim(tmp_path / "grim"), "-o", "home/packs").code == 0
    (tmp_path / "grim" / "system.yaml").unlink()
    (tmp_path / "grim").rmdir()
    listed = run("list").out
    assert f"grim: Grim 1.0\n  pack      {tmp_path / 'home' / 'packs' / 'grim.zip'}\n  extends   hackjack\n" in listed
    assert run("card", "grim", "QS").code == 0
    upper = tmp_path / "upper"
    upper.mkdir()
    (upper / "system.yaml").write_text('extends: grim\nid: upper\ntitle: Upper\nversion: "1.0"\n', encoding="utf-8")
    assert run("card", "upper", "QS", "--pack", "upper").code == 0
    assert run("new", "copied", "--from", "grim").code == 0
    assert run("check", "copied").code == 0


def test_faults_in_an_archive_have_their_place(tmp_path: Path) -> None:
    zipped(tmp_path / "a.zip", [("a/system.yaml", HEAD), ("a/tables.yaml", b"tables: 3\n"), ("a/x.yaml", b"")])
    ran = run("check", "a.zip")
    assert ran.code == 1
    assert [line.split(": ")[0] for line in ran.faults] == ["a.zip/tables.yaml:1:9", "a.zip/x.yaml"]


@pytest.mark.parametrize("top", ["", "grim/", "grim-main/"])
def test_archives_made_by_others_are_read(tmp_path: Path, top: str) -> None:
    beside = [("__MACOSX/._x", b"litter"), (f"{top}.DS_Store", b"litter"), (f"{top}._system.yaml", b"\0")]
    zipped(tmp_path / "a.zip", [(f"{top}system.yaml", HEAD), *beside])
    assert run("card", "grim", "QS", "--pack", "a.zip").code == 0


Form = Literal["NFC", "NFD"]


@pytest.mark.parametrize(
    ("lies", "named", "packed"),
    few_quick(1, [("NFD", "NFC", True), ("NFC", "NFD", True), ("NFD", "NFC", False), ("NFC", "NFD", False)]),
)
def test_accents_of_a_mac_are_those_of_others(tmp_path: Path, lies: Form, named: Form, packed: bool) -> None:
    """A Mac parts letters from their accents in the names of files, and nobody sees it."""
    square = b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><rect width="9" height="9"/></svg>'
    head = HEAD.replace(b"hackjack", b"jackrealms")
    head += f"art: {{suits: {{S: {normalize(named, 'Schädel.svg')}}}}}\n".encode()
    files = {"system.yaml": head, normalize(lies, "Schädel.svg"): square}
    (tmp_path / "a").mkdir()
    for name, data in files.items():
        (tmp_path / "a" / name).write_bytes(data)
    pack = zipped(tmp_path / "a.zip", files.items()) if packed else tmp_path / "a"
    assert (run("check", pack).code, run("print", "grim", "deck", "--only", "QS", "--pack", pack, "-o", "out").err) == (
        0,
        "",
    )


def test_another_archive_of_the_same_name_is_read_anew(tmp_path: Path) -> None:
    zipped(tmp_path / "a.zip", [("system.yaml", HEAD)])
    assert run("list", "--pack", "a.zip").out.startswith("grim: Grim 1.0\n")
    zipped(tmp_path / "a.zip", [("system.yaml", HEAD.replace(b"Grim", b"Grimmer"))])
    assert run("list", "--pack", "a.zip").out.startswith("grim: Grimmer 1.0\n")


def test_watching_goes_on_when_an_archive_breaks(tmp_path: Path) -> None:
    archive = zipped(tmp_path / "a.zip", [("system.yaml", HEAD)])
    assert base_folders(archive) == (ROOT / "content" / "hackjack",)
    before = file_stamps(files_of([archive]))
    archive.write_bytes(b"half")
    assert file_stamps(files_of([archive])) != before != {}
    assert base_folders(archive) == ()


# --- hostile archives ------------------------------------------------------------------------------------------------


def entry(name: str, **values: Any) -> ZipInfo:
    info = ZipInfo(name)
    for key, value in values.items():
        setattr(info, key, value)
    return info


LINK = entry("system.yaml", external_attr=(stat.S_IFLNK | 0o777) << 16)
PIPE = entry("system.yaml", external_attr=(stat.S_IFIFO | 0o600) << 16)
PACKED = entry("deck.yaml", compress_type=ZIP_DEFLATED)


@pytest.mark.parametrize(
    ("name", "data", "says"),
    [
        ("../out.yaml", b"", "../out.yaml leads out of the archive"),
        ("/etc/passwd", b"", "/etc/passwd leads out of the archive"),
        ("a/../../b", b"", "a/../../b leads out of the archive"),
        ("C:/x", b"", "C:/x leads out of the archive"),
        ("a//b", b"", "a//b leads out of the archive"),
        ("a\\b", b"", "has an invalid name"),
        ("a\x1bb", b"", "has an invalid name"),
        ("a" * 300, b"", "has an invalid name"),
        (LINK, b"/etc/passwd", "system.yaml is a link or a special file"),
        (PIPE, b"", "system.yaml is a link or a special file"),
        (entry("x", compress_type=ZIP_BZIP2), b"x", "x is packed in an unusual way"),
        (PACKED, bytes(5_000_000), "deck.yaml unpacks to more than 100 times its size"),
        (PACKED, bytes(20_000_001), "deck.yaml unpacks to 20 MB; the limit is 20 MB"),
        ("System.YAML", HEAD, "System.YAML is in this archive twice"),
        ("system.yaml/x", b"", "system.yaml is a file and a folder in this archive"),
    ],
    ids=lambda value: None if isinstance(value, bytes) else str(getattr(value, "filename", value))[:30],
)
def test_no_entry_does_harm(tmp_path: Path, name: str | ZipInfo, data: bytes, says: str) -> None:
    whole = [] if isinstance(name, ZipInfo) and name.filename == "system.yaml" else [("system.yaml", HEAD)]
    zipped(tmp_path / "a.zip", [*whole, (name, data)])
    for ran in (run("check", "a.zip"), run("card", "grim", "QS", "--pack", "a.zip")):
        assert ran.code == 1
        assert says in ran.err
        (line,) = ran.faults
        assert line.startswith("a.zip: ")


def spoilt(tmp_path: Path, raw: bytes) -> str:
    (tmp_path / "a.zip").write_bytes(raw)
    ran = run("check", "a.zip")
    assert ran.code == 1
    (line,) = ran.faults
    return line


def sound() -> bytes:
    stream = BytesIO()
    with ZipFile(stream, "w", ZIP_DEFLATED) as made:
        made.writestr("system.yaml", HEAD)
    return stream.getvalue()


def test_archives_that_are_none_are_told(tmp_path: Path) -> None:
    none = "a.zip: this is not a valid ZIP archive. Pack it again."
    assert spoilt(tmp_path, b"") == none
    assert spoilt(tmp_path, b"PK\x03\x04 and no more") == none
    assert spoilt(tmp_path, sound()[:-30]) == none
    locked = bytearray(sound())
    locked[locked.index(b"PK\x01\x02") + 8] |= 1
    assert "system.yaml is locked with a password" in spoilt(tmp_path, bytes(locked))


def test_a_damaged_file_in_an_archive_is_told(tmp_path: Path) -> None:
    raw = bytearray(sound())
    raw[raw.index(b"system.yaml") + 20] ^= 0xFF
    says = spoilt(tmp_path, bytes(raw))
    assert says == "a.zip: system.yaml is damaged. Pack the archive again."


def test_huge_counts_and_sums_are_refused_before_they_cost_anything(tmp_path: Path) -> None:
    begun = time.monotonic()
    zipped(tmp_path / "many.zip", [(f"{number}.txt", b"") for number in range(501)])
    assert "has 501 entries; the limit is 500" in run("check", "many.zip").err
    claimed = bytearray(sound())
    at = claimed.rindex(b"PK\x05\x06")
    claimed[at + 12 : at + 16] = struct.pack("<L", 40_000_000)
    assert "claims far too many entries" in spoilt(tmp_path, bytes(claimed))
    assert "ZIP64" in spoilt(tmp_path, sound()[:-22] + b"PK\x06\x07" + bytes(16) + sound()[-22:])
    block = os.urandom(1_000_000) + bytes(18_000_000)
    sums = [(f"{number}.bin", block) for number in range(6)]
    stored = zlib.compress(block, 1)
    assert len(stored) * zip_files.MAX_RATIO > len(block), "no single one is refused"
    zipped(tmp_path / "sum.zip", sums)
    assert "this archive unpacks to 114 MB; the limit is 100 MB" in run("check", "sum.zip").err
    with (tmp_path / "long.zip").open("wb") as stream:
        stream.truncate(zip_files.MAX_BYTES + 1)
    assert "the limit is 50 MB" in run("check", "long.zip").err
    assert time.monotonic() - begun < 20


def test_a_lie_about_the_size_of_a_file_gives_no_more_than_that(tmp_path: Path) -> None:
    stream = BytesIO()
    with ZipFile(stream, "w", ZIP_DEFLATED) as made:
        made.writestr("system.yaml", bytes(3_000_000))
    raw = bytearray(stream.getvalue())
    for mark, at in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        place = raw.index(mark) + at
        raw[place : place + 4] = struct.pack("<L", 100)
    assert spoilt(tmp_path, bytes(raw)).startswith("a.zip: system.yaml is damaged")


def test_a_name_in_a_pack_stays_in_its_archive(tmp_path: Path) -> None:
    (tmp_path / "secret.png").write_bytes(b"x")
    head = HEAD + b"art: {suits: {S: ../secret.png}}\n"
    zipped(tmp_path / "a.zip", [("system.yaml", head)])
    ran = run("check", "a.zip")
    assert ran.code == 1
    assert len(ran.faults) == 1


def test_members_name_what_lies_in_the_only_folder() -> None:
    stream = BytesIO()
    with ZipFile(stream, "w") as made:
        made.writestr("grim/", b"")
        made.writestr("grim/system.yaml", HEAD)
        made.writestr("grim/art/a.png", b"x")
    assert list(zip_files.archive_members(stream)) == ["system.yaml", "art/a.png"]
    with pytest.raises(HackjackError):
        zip_files.archive_members(BytesIO(b"nothing"))


# --- the version of the program --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("needs", "reads"), [("0.1", True), (__version__, True), ("0.2", True), ("7.0", False)])
def test_a_pack_says_which_version_it_needs(tmp_path: Path, needs: str, reads: bool) -> None:
    pack = grim(tmp_path / "grim")
    newer = "" if reads else "future: {is: bright}\n"
    (pack / "system.yaml").write_bytes(HEAD + f'needs: "{needs}"\n{newer}'.encode())
    ran = run("list", "--pack", "grim")
    if reads:
        assert f"  needs     Hackjack {needs} or later\n" in ran.out
    else:
        says = f"this pack needs Hackjack {needs} or later, and this is {__version__}: update it"
        assert (ran.code, ran.faults) == (1, [f"grim/system.yaml:5:8: {says}"])


def test_a_version_that_is_none_is_told(tmp_path: Path) -> None:
    pack = grim(tmp_path / "grim")
    for written in ("0.2", '"new"', '"1"', "[1]"):
        (pack / "system.yaml").write_bytes(HEAD + f"needs: {written}\n".encode())
        ran = run("list", "--pack", "grim")
        assert ran.code == 1
        assert ran.faults[0].startswith("grim/system.yaml:5:")


# --- a PDF that carries its pack -------------------------------------------------------------------------------------


def carried(path: Path) -> dict[str, bytes]:
    """The files that a PDF carries, as another reader finds them."""
    return {name: data for name, [data] in PdfReader(path).attachments.items()}


def packed(files: dict[str, bytes]) -> bytes:
    """An archive of files by their paths."""
    stream = BytesIO()
    with ZipFile(stream, "w") as made:
        for name, data in files.items():
            made.writestr(name, data)
    return stream.getvalue()


def pdf_with(path: Path, data: bytes, name: str = "grim.zip") -> Path:
    """A PDF that carries a file, whatever it is called."""
    canvas = open_document(100, 100, title="", subject="", looks=Looks(source=(name, data), tagged=False))
    canvas.showPage()
    path.write_bytes(close_document(canvas))
    return path


def test_a_pdf_is_printed_again_from_itself_alone(tmp_path: Path) -> None:
    """With what was chosen, a pack below that does not ship, and nobody's folder to look into."""
    assert run("new", "base", "--blank", "-q").code == 0
    top = grim(tmp_path / "top", LICENSE_txt="Free.")
    (top / "system.yaml").write_bytes(HEAD.replace(b"hackjack", b"base").replace(b"grim", b"top") + COLD)
    (top / "notes.txt").write_text("secret", encoding="utf-8")
    wish = ("top", "box", "--pack", "top", "--set", "cold=4", "--ink", "saver", "--card", "60x90.5", "-q")
    assert run("print", *wish, "-o", "first").code == 0
    first = tmp_path / "first" / "top-box.pdf"
    with ZipFile(BytesIO(carried(first)["top.zip"])) as files:
        base = ["README.md", "screen.yaml", "sheet.yaml", "system.yaml", "tables.yaml"]
        own = ["order.json", "top/LICENSE.txt", "top/system.yaml"]
        assert files.namelist() == [*(f"base/{name}" for name in base), *own]
        order = {"product": "box", "options": {"card": "60.0x90.5", "ink": "saver"}, "rules": {"cold": "4"}}
        assert json.loads(files.read("order.json")) == order
    for name in ("base", "top"):
        (tmp_path / name).rename(tmp_path / f"gone-{name}")
    assert run("print", "--pack", first, "-o", "again", "-q").code == 0
    assert (tmp_path / "again" / "top-box.pdf").read_bytes() == first.read_bytes()
    # Everything else reads it as a pack, with its house rules; what is typed goes before what it says.
    assert run("rules", "--pack", first, "--json").out.count('"value": "4"') == 1
    assert run("print", "--pack", first, "--ink", "full", "--bare", "-o", "bare", "-q").code == 0
    assert carried(tmp_path / "bare" / "top-box.pdf") == {}


@pytest.mark.slow
def test_print_shops_and_campaigns_get_no_pack(tmp_path: Path) -> None:
    assert run("print", "hackjack", "deck", "--only", "QS", "--target", "mpc", "-q").code == 0
    assert run("print", "hackjack", "deck", "--only", "QS", "--target", "drivethru", "-q").code == 0
    assert run("play", "--campaign", "keep", "add", "Bryn").code == 0
    assert run("print", "hackjack", "sheet", "--from", "keep:Bryn", "-q").code == 0
    pdfs = [*tmp_path.rglob("*.pdf")]
    assert len(pdfs) >= 2
    assert [path for path in pdfs if carried(path)] == []


@pytest.mark.parametrize(
    ("name", "data", "says"),
    [
        ("../grim.zip", b"PK", "a.pdf: this PDF carries no pack. Use one that Hackjack printed without --bare."),
        ("grim.zip", b"PK", "a.pdf: this is not a valid ZIP archive. Pack it again."),
        ("grim.zip", packed({"../x/system.yaml": HEAD}), "a.pdf: ../x/system.yaml leads out of the archive."),
        ("grim.zip", packed({"a/system.yaml": HEAD, "order.json": b""}), "a.pdf: folder not found."),
    ],
)
def test_no_pdf_leads_out_or_lies(tmp_path: Path, name: str, data: bytes, says: str) -> None:
    pdf_with(tmp_path / "a.pdf", data, name)
    ran = run("check", "--pack", "a.pdf")
    assert ran.code == 1
    assert [fault.startswith(says) for fault in ran.faults] == [True], ran.faults
    assert below(tmp_path) == {"a.pdf"}


@pytest.mark.parametrize("said", [b'{"product":"box","options":{"ink":"gold"}}', b'{"counts":{"QS":0}}', b"[" * 9000])
def test_an_order_of_a_stranger_is_judged(tmp_path: Path, said: bytes) -> None:
    pdf_with(tmp_path / "a.pdf", packed({"grim/system.yaml": HEAD, "order.json": said}))
    ran = run("print", "--pack", "a.pdf", "-q")
    assert (ran.code, len(ran.faults)) in ((1, 1), (2, 1))


@pytest.mark.slow
def test_a_pdf_that_is_none_or_unpacks_to_too_much_is_told(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(b"%PDF-1.4 nothing")
    unread = "this PDF cannot be read. Get it again, as Hackjack printed it."
    assert run("check", "--pack", "a.pdf").faults == [f"a.pdf: {unread}"]
    for size, says in ((60_000_000, "this archive has 60 MB; the limit is 50 MB."), (900_000_000, unread)):
        packer = zlib.compressobj(1)
        squeezed = b"".join(packer.compress(bytes(10_000_000)) for _ in range(size // 10_000_000)) + packer.flush()
        path = pdf_with(tmp_path / f"{size}.pdf", squeezed)
        path.write_bytes(path.read_bytes().replace(b"/Type /EmbeddedFile", b"/Filter /FlateDecode /Type /EmbeddedFile"))
        (fault,) = run("check", "--pack", f"{size}.pdf").faults
        assert fault == f"{size}.pdf: {says}"
