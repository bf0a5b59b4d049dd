"""The strict YAML reader: what is special, what is refused, and where."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unicodedata import category

import pytest
import yaml
from helpers import ANY_LETTER, any_text
from hypothesis import given
from hypothesis import strategies as st

from generator.base.errors import ContentError
from generator.base.text_input import composed
from generator.pack import strict_yaml
from generator.pack import strict_yaml as source
from generator.pack.pack_locations import find, shipped


@pytest.fixture(scope="module", autouse=True, params=["libyaml", "PyYAML"])
def loader(request: pytest.FixtureRequest) -> Iterator[None]:
    """Both of PyYAML's loaders: its own reads where there is no libyaml."""
    usual = strict_yaml.LOADER
    strict_yaml.LOADER = usual if request.param == "libyaml" else strict_yaml.PythonLoader
    yield
    strict_yaml.LOADER = usual


def value(text: str) -> Any:
    return source.read_text(text, "f.yaml")[0]


def faults(text: str) -> list[str]:
    with pytest.raises(ContentError) as raised:
        source.read_text(text, "f.yaml")
    return [str(problem) for problem in raised.value.problems]


OTHER = "no yes on off y n True FALSE Null 1:30 12:30:45 2026-11-20 017 0o17 0x1F 1_000 1e3 .5 5. .inf .nan = << d20"


@pytest.mark.parametrize("text", OTHER.split())
def test_what_other_readers_turn_into_something_else_stays_text(text: str) -> None:
    assert value(f"key: {text}") == {"key": text}
    assert value(f"{text}: 1") == {text: 1}


SPECIAL: dict[str, object] = {"3": 3, "-12": -12, "+4": 4, "0": 0, "1.50": 1.5, "-0.25": -0.25}
SPECIAL |= {
    "true": True,
    "false": False,
    "null": None,
    "~": None,
    "": None,
    '"3"': "3",
    "'true'": "true",
    '"null"': "null",
    "! 3": 3,
}
SPECIAL |= {"123456789012345678": 123456789012345678, "1234567890123456789": "1234567890123456789"}


@pytest.mark.parametrize("text", SPECIAL)
def test_the_few_special_words(text: str) -> None:
    read = value(f"key: {text}")["key"]
    assert (read, type(read)) == (SPECIAL[text], type(SPECIAL[text]))


def test_keys_are_always_text() -> None:
    assert value("1: a\ntrue: b\nnull: c\n1.5: d") == {"1": "a", "true": "b", "null": "c", "1.5": "d"}


def test_every_value_and_key_knows_where_it_stands() -> None:
    text = "top: 1\ncards:\n  - code: QS\n    effects: [{of: x}, 7]\n  -\n    note: >\n      folded\n"
    _, marks = source.read_text(text, "f.yaml")
    first = {(): (1, 1), ("top",): (1, 6), ("cards",): (3, 3), ("cards", 0): (3, 5), ("cards", 0, "code"): (3, 11)}
    effects = {(): (4, 14), (0,): (4, 15), (0, "of"): (4, 20), (1,): (4, 24)}
    second = {("cards", 1): (6, 5), ("cards", 1, "note"): (6, 11)}
    assert marks.values == first | {("cards", 0, "effects", *at): place for at, place in effects.items()} | second
    assert marks.keys[("cards",)] == (2, 1)
    assert marks.keys[("cards", 0, "effects")] == (4, 5)
    assert marks.keys[("cards", 0, "effects", 0, "of")] == (4, 16)
    assert str(marks.problem(("cards", 0, "effects"), "here", key=True)) == "f.yaml:4:5: here"
    assert str(marks.problem(("cards", 1, "missing", 3), "above")) == "f.yaml:6:5: above"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: 1\nb: 2\n\na: 3\n", ['4:1: the key "a" appears twice: it is on line 1 already']),
        ("x:\n  - {b: 1, b: 2}\n", ['2:12: the key "b" appears twice: it is on line 2 already']),
        ("a: &here 1\n", ["1:4: the anchor &here is not allowed: write the value out where it is used"]),
        ("a: 1\nb: *here\n", ["2:4: the alias *here is not allowed: write the value out"]),
        ("a: !money 1\n", ["1:4: the tag !money is not allowed: plain values only"]),
        ("a: !!python/name:os.system x\n", ["1:4: the tag tag:yaml.org,2002:python/name:os.system is not allowed"]),
        ("a: 1\n---\nb: 2\n", ["2:1: a second document begins here: keep one document in a file"]),
        ("a:\n\tb: 1\n", ["2:1: this is not YAML: found character that cannot start any token (use spaces, not tabs"]),
        ("a:\n  b: 1\n\tc: 2\n", ["3:1: this is not YAML: found a tab character that violates indentation"]),
        ("a: @x\n", ["1:4: this is not YAML: found character that cannot start any token (use spaces, not tabs"]),
        ("a: over: 21\n", ["1:8: this is not YAML: mapping values are not allowed in this context (put quotes"]),
        ("a: [1, 2\nb: 3\n", ["2:2: this is not YAML: "]),
        ("? [a, b]\n: 1\n", ["1:3: a key must be a plain word"]),
        ("a: 1\nb: x\x07y\n", ["2:5: this is not YAML: control characters are not allowed"]),
        ("", ["1:1: the file is empty"]),
        ("# nothing but a comment\n\n", ["1:1: the file is empty"]),
        ("a: " + "[" * 50 + "]" * 50, ["1:53: "]),
        (
            "a: &x 1\nb: *x\nb: !t 2\n",
            ["1:4: the anchor", "2:4: the alias", '3:1: the key "b" appears', "3:4: the tag"],
        ),
    ],
)
def test_faults_stand_where_they_are(text: str, expected: list[str]) -> None:
    found = faults(text)
    assert len(found) == len(expected), found
    for shown, start in zip(found, expected, strict=True):
        if source.LOADER is source.PythonLoader:
            # It has words of its own for what is no YAML.
            start = start.partition("YAML: ")[0]
        assert shown.startswith(f"f.yaml:{start}")


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (b"a: 1\nb: caf\xe9\n", "f.yaml:2:1: this is not UTF-8 text: save the file as UTF-8"),
        ("a: 1\n".encode("utf-16"), "f.yaml:1:1: this is not UTF-8 text: save the file as UTF-8"),
        (b"# " + b"x" * 1_000_000, "f.yaml: the file is larger than 1,000,000 bytes: split it or shorten it"),
        (None, "f.yaml: cannot be read: "),
    ],
)
def test_files_that_cannot_be_read(tmp_path: Path, raw: bytes | None, expected: str) -> None:
    path = tmp_path / "f.yaml"
    if raw is None:
        path.mkdir()
    else:
        path.write_bytes(raw)
    with pytest.raises(ContentError) as raised:
        source.read_file(path, "f.yaml")
    assert str(raised.value).startswith(expected)


def test_a_byte_order_mark_and_a_million_bytes_do_no_harm(tmp_path: Path) -> None:
    # The loader that is written in Python reads so many in half a second: a part of them is enough for it.
    most = 200_000 if strict_yaml.LOADER is strict_yaml.PythonLoader else 1_000_000
    for raw in (b"\xef\xbb\xbfa: 1\r\n", (b"a: 1 #" + b"x" * most)[:most]):
        (tmp_path / "f.yaml").write_bytes(raw)
        assert source.read_file(tmp_path / "f.yaml", "f.yaml")[0] == {"a": 1}


YAML_PIECES = st.sampled_from(
    [*"\n\n\n  -:?[]{},#&*!|>'\"%@`ab1", ": ", "- ", "\t", "---", "...", "&a", "*a", "!!x ", "~"]
)


@given(any_text() | st.lists(YAML_PIECES, max_size=60).map("".join))
def test_any_text_gives_a_value_or_problems(text: str) -> None:
    lines = text.count("\n") + text.count("\r") + text.count("\x85") + text.count("\u2028") + text.count("\u2029") + 2
    try:
        _, marks = source.read_text(text, "f.yaml")
    except ContentError as error:
        assert error.problems
        for problem in error.problems:
            assert 1 <= problem.line <= lines
            assert problem.column >= 1
            assert problem.message
    else:
        assert () in marks.values


class Dumper(yaml.SafeDumper):
    """Plain dumps without anchors."""

    def ignore_aliases(self, data: Any) -> bool:
        del data
        return True


# Letters that are seen; the others are refused, as below.
TEXT = st.text(
    ANY_LETTER.filter(lambda letter: letter == "\n" or category(letter) not in ("Cc", "Cf", "Zl", "Zp"))
).map(composed)
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(10**17), 10**17)
    | st.integers(-(10**6), 10**6).map(lambda hundredths: hundredths / 100)
    | TEXT
    | st.sampled_from(["no", "017", "1:30", "2026-11-20", "true", "~", "- a", "a: b", "# c", "'", '"', "1e5"])
)
NESTED = st.recursive(SCALARS, lambda inner: st.lists(inner) | st.dictionaries(TEXT, inner), max_leaves=8)


@given(NESTED, st.booleans())
def test_what_is_dumped_reads_back(data: Any, flow: bool) -> None:
    text = yaml.dump(data, Dumper=Dumper, default_flow_style=flow, allow_unicode=True)
    assert source.read_text(text, "f.yaml")[0] == data


@pytest.mark.parametrize("text", ['a: "x{}y"\n', '"k{}": 1\n', 'a:\n  - ["x", "{}"]\n'])
def test_what_steers_a_terminal_or_turns_letters_round_is_refused(text: str) -> None:
    for sign in "\t\r\x00\x07\x1b\x7f\x85\x9b\u061c\u200f\u2028\u202e\u2066\ufeff":
        (shown,) = faults(text.format(f"\\u{ord(sign):04x}"))
        assert shown.endswith(f": the character U+{ord(sign):04X} in it is unseen and may mislead: take it out")


@pytest.mark.parametrize("value", ["c", "[c]", "{d: c}"])
def test_a_parenthesis_that_is_never_closed_swallows_no_key(value: str) -> None:
    after = source.read_text(f"a: {{name: b (, note: {value}}}\n", "f.yaml")[0]
    assert after == {"a": {"name": "b (", "note": source.read_text(f"{value}\n", "f.yaml")[0]}}


def test_letters_of_any_script_and_fifty_levels_are_welcome() -> None:
    for text in ("café", "naïve “quoted” …", "½ ♠ †", "傷", "Ελληνικά", "עברית", "a\u200db"):
        assert value(f"a: {text}") == {"a": text}
    assert str(value("[" * 50 + "]" * 50)) == "[" * 50 + "]" * 50


@pytest.mark.parametrize("text", ["{a: Who?, b: is it?}", "[a?, b ?c]", "{a?: b ? c}", "a: {b: so?\n  c, d: e}"])
def test_a_question_mark_between_braces_is_text(text: str) -> None:
    assert value(text) == yaml.load(text, Loader=yaml.CSafeLoader)


SHIPPED = [path for name in shipped() for path in sorted(find(name).glob("*.yaml"))]


@pytest.mark.slow
@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_what_ships_is_read_the_same_by_both_loaders(path: Path) -> None:
    found, marks = source.read_file(path, path.name)
    again = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CBaseLoader)
    assert found.keys() == again.keys() and len(marks.values) > 1
