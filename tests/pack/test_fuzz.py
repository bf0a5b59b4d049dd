"""Whatever strangers wrote, reading it ends in success or in an error of our own.

The targets are those of `fuzz/`; hypothesis feeds them here with what is nearly right, atheris with what it finds.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Sequence
from functools import partial
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import pytest
from fuzz_targets import SYSTEMS, TARGETS, system
from helpers import ROOT, any_text
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.base.cards import ALL_CODES
from generator.games import game_of

RAW = st.binary(max_size=200) | any_text(max_size=120).map(lambda text: text.encode("utf-8", "replace"))


def joined(pieces: Sequence[str], most: int = 14) -> st.SearchStrategy[bytes]:
    """Pieces of a notation, one after the other."""
    return st.lists(st.sampled_from(pieces), max_size=most).map("".join).map(str.encode)


@st.composite
def spoilt(draw: st.DrawFn, sound: bytes, pieces: Sequence[bytes], times: int) -> bytes:
    """A sound file with pieces exchanged."""
    for _ in range(draw(st.integers(0, times))):
        place = draw(st.integers(0, len(sound)))
        instead = draw(st.sampled_from(pieces) | st.binary(max_size=4) | st.just(sound[place : place + 60]))
        sound = sound[:place] + instead + sound[place + draw(st.integers(0, 12)) :]
    return sound


# --- content: files with pieces cut out, doubled or put elsewhere ----------------------------------------------------

FILES = [path.read_bytes() for path in sorted((ROOT / "content").glob("*/*.yaml"))]
SIGNS = [b": ", b"- ", b"\n", b"\t", b"&a ", b"*a", b"!t ", b"{", b"}", b"[", b"]", b'"', b"\xff", b"\\e", b"~", b"1e9"]
PIECES = st.sampled_from(FILES).flatmap(
    lambda raw: st.integers(0, len(raw) - 1).map(lambda begin: raw[begin : begin + 1500])
)
SHEET = (ROOT / "docs" / "examples" / "keen" / "criticals.csv").read_bytes()[:1500]
CSV_SIGNS = [*(bytes([sign]) for sign in b',;\t\n\r"[\xff\x00'), b'""', b"suffer x "]
CSV_SIGNS += [b"code", b"Slash name", b"999999"]
DICE = [*"0123456789dD+- ", "days", "hour", " rounds", "\N{MINUS SIGN}", "\u0663"]
MARKUP = [*"<>&\"'/\\`*_[]|~#!{}()-+=.;: \n", "<b>", "</b>", "<!--", "-->", "<![CDATA[", "&lt;", "&#60;", "&amp", "<?x"]
MARKUP += ["2d6", "a", "\u202e"]
FORMULA = ["hp", "d6", "2", " + ", " - ", "*", " // ", "(", ")", "min(", ", ", " and ", " == ", "'x'", "count(", "not "]
STEPS = [*"0{}[]9,\n", ": ", "hp", "holds", "do: ", "when", "suffer", "bleeding", "over", "end"]
TEXT = b"""\
"a blow" titled "Blows"
takes n (0 to 9, like N), by (a or b, usually b) "x", f (flag)
refuse if dead: "no"
odds out "o": has(out)
let left = max(hp - n, 0) asks "q"
if hp == 0 and not (n > 2):
  hp -= 1 no further than 0 [H2]
    log "{by} off."
    as hit
  suffer out for 2d6 days levels 2
else if n > 3: end all until stand or rest
else:
  roll d6:
    1-2: die
    3+: nothing
look up n on wounds, column by, but not 3 and 5-6
throw x: highest of 3d6
choose:
  "a": pass a day
  "b" if hp > 0: hit(n, f: 1)
check "Grit" d20 at most n never 20:
  passes: die
"""
TEXT_PIECES = b"\n|\n  |:|\"|'|(|)|,| and | for | until |[H2]|#|=|else|if |\t|{|;|\xff".split(b"|")
TEXT_PIECES += [b'say "x"', b"print only what is written\n"]
POST = b"""\
# Falls

Woes last until you have recovered. **Gored:** You bleed, and suffer 1d4 damage each round.

| d6 | Fall | What it does |
|---|---|---|
| 1-3 | **Knee** -2 to Dexterity for 1d6 days. | Woe 1 |
| 4-5 | Gored. Make a save. On a failure, you die. | Woe 2 |
| 6 | Neck | You die in 1d4 hours unless healed. |

Clubs
Ace. Winded. You are knocked back. 2 Woe
2. Roll d6: 1-2 leg, 3-4 arm, 5-6 nothing.
Jack: lose an eye. If you wear a helmet, you are stunned.

Roll a d4
1: You are blinded until you have rested.
2:
3-4 Up to you.
"""
POST_PIECES = (
    b"\n|\n\n|- |1. |<table>|<tr><td>|</td>|<ol start=3><li>|**|__|[[a|]]|^|---\n|title: x\n|d66|11-16 |30%".split(b"|")
)
POST_PIECES += [b"|", "\u2663".encode(), "\U0001f480".encode(), b" unless ", b" or ", b"as above", b"\xff", b"\x02\x03"]
SVG = (
    b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100"><title>x</title>'
    b'<g transform="translate(1 2) rotate(30 5 5)" fill="#a01020" style="stroke:gold">'
    b'<path d="M5 40a8,8 0 0,1 16,0q4-8 8 0t8 0zM1 1l2 2" fill-rule="evenodd"/><rect width="9" height="9" rx="2"/>'
    b'<polyline points="1,2 3,4 5 6"/><circle cx="5" cy="5" r="4" opacity="1"/></g></svg>'
)
SVG_PIECES = b"<g>|</g>|<!--|-->|<![CDATA[|]]>|<?x?>|&#1;|&amp;|1e99|-|nan|%|\"|'|/>|<defs>|A|\xff|\x00".split(b"|")
SVG_PIECES += [b"<path d='M0 0A0 0 0 0 0 0 0z'/>", b"matrix(1e6 0 0 1e6 0 0)"]


def archive() -> bytes:
    """A sound ZIP file."""
    stream = BytesIO()
    with ZipFile(stream, "w", ZIP_DEFLATED) as made:
        for name in ("a/system.yaml", "a/art/b.png"):
            made.writestr(ZipInfo(name), b"id: a\n" * 20)
    return stream.getvalue()


# --- states: every key that a fresh or a grown state has, with anything in it; deeds that nearly are ------------------

LEAF: st.SearchStrategy[Any] = (
    st.none()
    | st.booleans()
    | st.integers(-3, 30)
    | st.sampled_from([10**6, 10**6 + 1, -(10**6), 2**53, 10**18, 1.5, 1e300])
    | st.sampled_from([*ALL_CODES[::9], "AS", "RJ", "", "d6", "2d6+1", "none", "up", "x" * 300, "a\nb", "\x1b[2J"])
)
KEYS = st.sampled_from(["card", "score", "name", "id", "who", "days", "die", "kind", "x"])
ANY = st.recursive(LEAF, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner), max_leaves=8)


@st.composite
def states(draw: st.DrawFn, place: int) -> bytes:
    game = game_of(system(place))
    fresh = game.plain_state(game.read_state({}))
    keys = draw(st.lists(st.sampled_from([*fresh, "more"]), max_size=4, unique=True))
    value = {key: draw(st.just(fresh.get(key)) | ANY) for key in keys}
    return bytes([place, draw(st.integers(0, 255))]) + json.dumps(value).encode()


@st.composite
def journals(draw: st.DrawFn, place: int) -> bytes:
    doing = st.sampled_from([*game_of(system(place)).EVENTS, "add", "remove", "undo", "redo", "", "nothing"])
    words = st.lists(st.sampled_from(["1", "3", "d6", "hp", "7", "bryn", "AS", "", "x" * 201, "a\nb"]), max_size=3)
    optional = {
        "who": st.sampled_from(["bryn", "", "Bryn", "x" * 41, "\x1b"]),
        "words": words,
        "cards": st.lists(st.sampled_from([*ALL_CODES[::5], "ZZ"]), max_size=3),
        "dice": st.lists(st.integers(0, 1001), max_size=3),
        "choices": st.lists(st.integers(0, 4), max_size=2),
        "at": st.dictionaries(st.sampled_from(["type", "mod", "x"]), st.sampled_from(["fire", "1", ""])),
    }
    deed = st.fixed_dictionaries({"do": doing}, optional=optional)
    deeds = draw(st.lists(deed | st.dictionaries(st.sampled_from(["do", "who", "crc"]), LEAF), max_size=4))
    known = [{"do": "add", "who": "bryn"}] if draw(st.booleans()) else []
    lines = ({"line": "command", "deeds": [deed]} for deed in (*known, *deeds))
    return bytes([place]) + b"\n".join(json.dumps(line).encode() for line in lines)


# --- all of them -----------------------------------------------------------------------------------------------------

WRITTEN: dict[str, tuple[str, int, st.SearchStrategy[bytes]]] = {
    "yaml": ("yaml", 30, RAW | PIECES.flatmap(lambda piece: spoilt(piece, SIGNS, 3))),
    "csv": ("csv", 80, RAW | spoilt(SHEET, CSV_SIGNS, 5)),
    "dice": ("dice", 200, RAW | joined(DICE, 9)),
    "paragraphs": ("paragraph", 100, RAW | joined(MARKUP)),
    "formulas": ("formula", 150, RAW | joined([*FORMULA, "\u0663"])),
    "steps": ("steps", 15, st.tuples(st.binary(min_size=3, max_size=3), joined(STEPS, 4)).map(b"".join)),
    "rules as text": ("text", 120, RAW | spoilt(TEXT, TEXT_PIECES, 5)),
    "posts": ("post", 10, RAW | spoilt(POST, POST_PIECES, 6)),
    "campaign files": ("campaign", 30, st.binary(max_size=300)),
    "archives": ("zip", 80, spoilt(archive(), [b"PK", b"\x00", b"../"], 5)),
    "drawings": ("svg", 100, st.binary(max_size=60) | spoilt(SVG, SVG_PIECES, 6)),
    **{
        f"states of {name}": ("state", 40, states(place) | RAW.map(partial(bytes.__add__, bytes([place, 0]))))
        for place, name in enumerate(SYSTEMS)
    },
    **{
        f"journals of {name}": ("journal", 25, journals(place) | RAW.map(partial(bytes.__add__, bytes([place]))))
        for place, name in enumerate(SYSTEMS)
    },
}


@pytest.mark.parametrize(
    "times",
    [1, pytest.param(4, marks=pytest.mark.slow), pytest.param(8, marks=pytest.mark.weekly)],
    ids=["some", "many", "most"],
)
@pytest.mark.parametrize("name", WRITTEN)
def test_whatever_is_written_ends_in_success_or_in_a_sentence(name: str, times: int) -> None:
    target, examples, data = WRITTEN[name]
    settings(max_examples=min(20, examples) if times == 1 else times * examples)(
        given(data)(lambda data: TARGETS[target](data))
    )()


# --- atheris ---------------------------------------------------------------------------------------------------------


def fuzz(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "fuzz/run.py", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.mark.weekly
@pytest.mark.skipif(find_spec("atheris") is None, reason="atheris is not made for this Python")
def test_atheris_finds_nothing_in_a_second(tmp_path: Path) -> None:
    done = fuzz(*TARGETS, "-max_total_time=1", "-seed=1", "-rss_limit_mb=2048", f"-artifact_prefix={tmp_path}/")
    assert done.returncode == 0, done.stderr[-3000:]
    head, *each = re.split(r"^fuzzing ", done.stderr, flags=re.MULTILINE)
    assert [said.splitlines()[0] for said in each] == [*TARGETS], head
    for said in each:
        assert "DONE" in said or "Done" in said, said[-500:]


@pytest.mark.slow
@pytest.mark.parametrize("arguments", [[], pytest.param(["nothing"], marks=pytest.mark.weekly)])
def test_the_fuzzer_says_what_it_needs(arguments: list[str]) -> None:
    done = fuzz(*arguments)
    assert done.returncode == 1
    assert ("name what to fuzz: " if find_spec("atheris") else "atheris is not installed") in done.stderr
