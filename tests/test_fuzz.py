"""Whatever strangers wrote, reading it ends in success or in an error of our own.

The targets are those of `fuzz/`; hypothesis feeds them here with what is nearly right, atheris with what it finds.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import pytest
from fuzz_targets import SYSTEMS, TARGETS, system
from helpers import ROOT
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.base.cards import ALL_CODES
from generator.games import game_of

RAW = st.binary(max_size=200) | st.text(max_size=120).map(lambda text: text.encode("utf-8", "replace"))

# --- YAML: content with pieces cut out, doubled or put elsewhere -----------------------------------------------------

FILES = [path.read_bytes() for path in sorted((ROOT / "content").glob("*/*.yaml"))]
SIGNS = [b": ", b"- ", b"\n", b"\t", b"&a ", b"*a", b"!t ", b"{", b"}", b"[", b"]", b'"', b"\xff", b"\\e", b"~", b"1e9"]


@st.composite
def spoilt_files(draw: st.DrawFn) -> bytes:
    raw = draw(st.sampled_from(FILES))
    begin = draw(st.integers(0, len(raw) - 1))
    piece = raw[begin : begin + draw(st.integers(1, 1500))]
    for _ in range(draw(st.integers(0, 3))):
        place = draw(st.integers(0, len(piece)))
        instead = draw(st.sampled_from(SIGNS) | st.binary(max_size=4) | st.just(piece[place : place + 60]))
        piece = piece[:place] + instead + piece[place + draw(st.integers(0, 12)) :]
    return piece


@pytest.mark.slow
@settings(max_examples=250)
@given(RAW | spoilt_files())
def test_yaml(data: bytes) -> None:
    TARGETS["yaml"](data)


# --- CSV: a sheet with pieces of its own language strewn in ----------------------------------------------------------

SHEET = (ROOT / "docs" / "examples" / "keen" / "criticals.csv").read_bytes()[:1500]
CSV_SIGNS = [
    b",",
    b";",
    b"\t",
    b"\n",
    b"\r",
    b'"',
    b'""',
    b"{do: ",
    b"[",
    b"\xff",
    b"\x00",
    b"code",
    b"Slash name",
    b"999999",
]


@st.composite
def spoilt_sheets(draw: st.DrawFn) -> bytes:
    piece = SHEET[: draw(st.integers(0, len(SHEET)))]
    for _ in range(draw(st.integers(0, 5))):
        place = draw(st.integers(0, len(piece)))
        piece = piece[:place] + draw(st.sampled_from(CSV_SIGNS)) + piece[place + draw(st.integers(0, 6)) :]
    return piece


@settings(max_examples=300)
@given(RAW | spoilt_sheets() | st.lists(st.sampled_from(CSV_SIGNS), max_size=30).map(b"".join))
def test_csv(data: bytes) -> None:
    TARGETS["csv"](data)


# --- dice ------------------------------------------------------------------------------------------------------------

DICE = st.lists(
    st.sampled_from([*"0123456789dD+- ", "days", "hour", " rounds", "\N{MINUS SIGN}", "\u0663"]), max_size=9
)


@settings(max_examples=600)
@given(RAW | DICE.map("".join).map(str.encode))
def test_dice(data: bytes) -> None:
    TARGETS["dice"](data)


# --- states: every key that a fresh or a grown state has, with anything in it ----------------------------------------

LEAF: st.SearchStrategy[Any] = (
    st.none()
    | st.booleans()
    | st.integers(-3, 30)
    | st.sampled_from([10**6, 10**6 + 1, -(10**6), 2**53, 10**18, 1.5, 1e300])
    | st.sampled_from(
        [*ALL_CODES[::9], "AS", "RJ", "", "d6", "2d6+1", "none", "up", "x" * 300, "a\nb", "\x1b[2J", "K\x00"]
    )
)
ANY = st.recursive(
    LEAF,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["card", "score", "name", "id", "who", "days", "die", "kind", "x"]), inner)
    ),
    max_leaves=8,
)


@st.composite
def states(draw: st.DrawFn, place: int) -> bytes:
    known = system(place)
    game = game_of(known)
    fresh = game.plain_state(game.read_state({}))
    keys = draw(st.lists(st.sampled_from([*fresh, "more"]), max_size=4, unique=True))
    value = {key: draw(st.just(fresh.get(key)) | ANY) for key in keys}
    return bytes([place, draw(st.integers(0, 255))]) + json.dumps(value).encode()


@pytest.mark.parametrize("place", range(len(SYSTEMS)), ids=SYSTEMS)
def test_states(place: int) -> None:
    @settings(max_examples=150)
    @given(states(place) | RAW.map(lambda raw: bytes([place, 0]) + raw))
    def fed(data: bytes) -> None:
        TARGETS["state"](data)

    fed()


# --- journals: deeds that nearly are, under true checksums -----------------------------------------------------------


@st.composite
def journals(draw: st.DrawFn, place: int) -> bytes:
    game = game_of(system(place))
    doing = st.sampled_from([*game.EVENTS, "add", "remove", "undo", "redo", "", "nothing"])
    words = st.lists(st.sampled_from(["1", "3", "d6", "hp", "7", "bryn", "AS", "", "x" * 201, "a\nb"]), max_size=3)
    deed = st.fixed_dictionaries(
        {"do": doing},
        optional={
            "who": st.sampled_from(["bryn", "", "Bryn", "x" * 41, "\x1b"]),
            "words": words,
            "cards": st.lists(st.sampled_from([*ALL_CODES[::5], "ZZ"]), max_size=3),
            "dice": st.lists(st.integers(0, 1001), max_size=3),
            "choices": st.lists(st.integers(0, 4), max_size=2),
            "at": st.dictionaries(st.sampled_from(["type", "mod", "x"]), st.sampled_from(["fire", "1", ""])),
        },
    )
    deeds = draw(st.lists(deed | st.dictionaries(st.sampled_from(["do", "who", "crc"]), LEAF), max_size=4))
    known = [{"do": "add", "who": "bryn"}] if draw(st.booleans()) else []
    lines = ({"line": "command", "deeds": [deed]} for deed in (*known, *deeds))
    return bytes([place]) + b"\n".join(json.dumps(line).encode() for line in lines)


@pytest.mark.parametrize("place", range(len(SYSTEMS)), ids=SYSTEMS)
def test_journals(place: int) -> None:
    @settings(max_examples=100)
    @given(journals(place) | RAW.map(lambda raw: bytes([place]) + raw))
    def fed(data: bytes) -> None:
        TARGETS["journal"](data)

    fed()


@settings(max_examples=60)
@given(st.binary(max_size=300))
def test_campaign_files(data: bytes) -> None:
    TARGETS["campaign"](data)


# --- paragraphs ------------------------------------------------------------------------------------------------------

MARKUP = [
    *"<>&\"'/\\`*_[]|~#!{}()-+=.;: \n",
    "<b>",
    "</b>",
    "<!--",
    "-->",
    "<![CDATA[",
    "&lt;",
    "&#60;",
    "&amp",
    "<?x",
    "2d6",
    "a",
    "\u202e",
]


@settings(max_examples=400)
@given(RAW | st.lists(st.sampled_from(MARKUP), max_size=14).map("".join).map(str.encode))
def test_paragraphs(data: bytes) -> None:
    TARGETS["paragraph"](data)


# --- atheris ---------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.skipif(find_spec("atheris") is None, reason="atheris is not made for this Python")
def test_atheris_finds_nothing_in_a_second(tmp_path: Path) -> None:
    options = ("-max_total_time=1", "-seed=1", "-rss_limit_mb=2048", f"-artifact_prefix={tmp_path}/")
    command = [sys.executable, "fuzz/run.py", *TARGETS, *options]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    head, *each = re.split(r"^fuzzing ", done.stderr, flags=re.MULTILINE)
    assert [said.splitlines()[0] for said in each] == [*TARGETS], head
    for said in each:
        assert "DONE" in said or "Done" in said, said[-500:]


@pytest.mark.parametrize("arguments", [[], ["nothing"]])
def test_the_fuzzer_says_what_it_needs(arguments: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "fuzz/run.py", *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    says = "name what to fuzz: " if find_spec("atheris") else "atheris is not installed"
    assert says in done.stderr


# --- archives: a sound one with other bytes here and there ------------------------------------------------------------


def _archive() -> bytes:
    stream = BytesIO()
    with ZipFile(stream, "w", ZIP_DEFLATED) as made:
        for name in ("a/system.yaml", "a/art/b.png"):
            made.writestr(ZipInfo(name), b"id: a\n" * 20)
    return stream.getvalue()


ARCHIVE = _archive()


@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(st.integers(0, len(ARCHIVE) - 1), st.binary(max_size=3)), max_size=5))
def test_archives(changes: list[tuple[int, bytes]]) -> None:
    spoilt = bytearray(ARCHIVE)
    for at, data in changes:
        spoilt[at : at + len(data)] = data
    TARGETS["zip"](bytes(spoilt))


# --- ledgers: a sound one with pieces exchanged --------------------------------------------------------------------

LEDGER = (
    b'{"version":1,"system":"hackjack","sets":{"deck":{"QS":{"name":"Carved","says":["Score: 10."],"copies":2}}},'
    b'"odds":{"A hit":{"score 1":"5 %"}},"counted":"0"}'
)
LEDGER_PIECES = [b"{}", b"[]", b"null", b"-1", b"1e9", b'"', b'"\\ud800"', b"\xff", b'"QS":', b"", b",", b"[" * 3000]


@settings(max_examples=200)
@given(
    st.lists(
        st.tuples(
            st.integers(0, len(LEDGER)), st.integers(0, 12), st.sampled_from(LEDGER_PIECES) | st.binary(max_size=3)
        ),
        max_size=2,
    )
)
def test_ledgers(changes: list[tuple[int, int, bytes]]) -> None:
    spoilt = LEDGER
    for at, length, instead in changes:
        spoilt = spoilt[:at] + instead + spoilt[at + length :]
    TARGETS["ledger"](spoilt)


# --- steps: formulas, and a system of them with a piece changed ------------------------------------------------------

FORMULA = [
    "hp",
    "d6",
    "2",
    " + ",
    " - ",
    "*",
    " // ",
    "(",
    ")",
    "min(",
    ", ",
    " and ",
    " == ",
    "'x'",
    "count(",
    "not ",
    "\u0663",
]


@settings(max_examples=400)
@given(RAW | st.lists(st.sampled_from(FORMULA), max_size=14).map("".join).map(str.encode))
def test_formulas(data: bytes) -> None:
    TARGETS["formula"](data)


PIECES = [*"0{}[]9,\n", ": ", "hp", "holds", "do: ", "when", "suffer", "bleeding", "over", "end"]


@settings(max_examples=60, deadline=None)
@given(st.binary(min_size=3, max_size=3), st.lists(st.sampled_from(PIECES), max_size=4).map("".join).map(str.encode))
def test_steps(place: bytes, piece: bytes) -> None:
    TARGETS["steps"](place + piece)
