"""Files with pieces changed at random: packs, journals, PDFs and archives as accidents and strangers leave them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from io import BytesIO
from pathlib import Path
from random import Random
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile

_TOKEN = re.compile(rb"[A-Za-z_][A-Za-z0-9_]*|-?\d+|\"[^\"\n]*\"|[^\sA-Za-z0-9]")
_NASTY = [
    *(
        b"999999999999",
        b"-1",
        b"0",
        b"0.5",
        b"1e400",
        b"true",
        b"null",
        b"~",
        b"[]",
        b"{}",
        b"''",
        b"100d1000",
        b"1dd4",
    ),
    *(b"d1", b"&a x", b"*a", b"!!python/name:os.system x", b"<<: *a", b"[[[[", b'"\\e[2J"', b"a\\nb", b"\xff\xfe"),
    *(b"\x00", b"\xe2\x80\xae", b"../../etc/passwd", b"/dev/zero", b"file:///etc/passwd", b"x" * 5000, b"- " * 500),
    *(b"draw 52", b"again times 9", b"die", b"suffer x until", b"(hp + 9) ** 9", b"hp // 0"),
]


def spoilt_text(chance: Random, text: bytes) -> bytes:
    """A text with one to four pieces changed: tokens, lines, indents and bytes."""
    for _ in range(chance.choice((1, 1, 1, 2, 4))):
        text = chance.choice(_WAYS)(chance, text)
    return text


def _other_token(chance: Random, text: bytes) -> bytes:
    """A token gives way to one from elsewhere in the same file, or to a nasty one."""
    tokens = list(_TOKEN.finditer(text))
    if not tokens:
        return text
    place = chance.choice(tokens)
    instead = chance.choice(tokens)[0] if chance.random() < 0.6 else chance.choice(_NASTY)
    return text[: place.start()] + instead + text[place.end() :]


def _other_lines(chance: Random, text: bytes) -> bytes:
    """Lines are left out, doubled, moved, or indented otherwise."""
    lines = text.splitlines(keepends=True)
    if not lines:
        return text
    begin = chance.randrange(len(lines))
    end = min(len(lines), begin + chance.choice((1, 1, 3, 20)))
    piece, kept = lines[begin:end], lines[:begin] + lines[end:]
    match chance.randrange(4):
        case 0:
            return b"".join(kept)
        case 1:
            return b"".join(lines[:end] + piece * chance.choice((1, 1, 200)) + lines[end:])
        case 2:
            place = chance.randrange(len(kept) + 1)
            return b"".join(kept[:place] + piece + kept[place:])
        case _:
            return b"".join(lines[:begin] + [b"  " + line for line in piece] + lines[end:])


def spoilt_bytes(chance: Random, data: bytes) -> bytes:
    """Any bytes: some are cut out, put in, or others."""
    at, long = chance.randrange(len(data) + 1), chance.choice((1, 4, 40, 1000))
    match chance.randrange(4):
        case 0:
            return data[:at] + data[at + long :]
        case 1:
            return data[:at] + chance.randbytes(min(long, 40)) + data[at:]
        case 2:
            return data[:at] + chance.randbytes(min(long, 40)) + data[at + min(long, 40) :]
        case _:
            return data[:at] if chance.random() < 0.3 else data[:at] + data[max(0, at - long) : at] + data[at:]


_WAYS: Sequence[Callable[[Random, bytes], bytes]] = (
    *(_other_token, _other_token, _other_token, _other_token),
    *(_other_lines, _other_lines, spoilt_bytes),
)


def spoil_pack(chance: Random, folder: Path) -> str:
    """Change one or two files of a pack. Gives their names."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    texts = [path for path in files if path.suffix in (".yaml", ".csv", ".svg")]
    spoilt = chance.sample(texts, min(len(texts), chance.choice((1, 1, 2))))
    if len(files) > len(texts) and chance.random() < 0.15:
        spoilt = [chance.choice([path for path in files if path not in texts])]
    for path in spoilt:
        change = spoilt_text if path in texts else spoilt_bytes
        path.write_bytes(change(chance, path.read_bytes()))
    return ", ".join(path.name for path in spoilt)


def archived(chance: Random, folder: Path) -> bytes:
    """A pack as an archive."""
    stream = BytesIO()
    with ZipFile(stream, "w", chance.choice((ZIP_STORED, ZIP_DEFLATED))) as made:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                made.write(path, f"{folder.name}/{path.relative_to(folder)}")
    return stream.getvalue()


def spoilt_pages(chance: Random, raw: bytes) -> bytes:
    """A SQLite file that was cut, of which pages are missing, doubled or moved, or in which bytes are others."""
    pages = [raw[start : start + 4096] for start in range(0, len(raw), 4096)]
    at = chance.randrange(len(pages))
    match chance.randrange(5):
        case 0:
            return raw[: chance.randrange(1, len(raw))]
        case 1 if len(pages) > 1:
            return b"".join(pages[:at] + pages[at + 1 :])
        case 2:
            return b"".join([*pages[:at], chance.choice(pages), *pages[at:]])
        case 3:
            end = chance.randrange(len(raw))
            return raw[:end] + bytes(chance.choice((1, 100, 4096))) + raw[end:]
        case _:
            return spoilt_bytes(chance, raw)
