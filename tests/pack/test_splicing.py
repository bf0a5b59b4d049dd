"""Changing one place of an author's YAML: what is written there changes, and not a byte of anything else."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.base.errors import ContentError, HackjackError
from generator.pack import strict_yaml
from generator.pack.pack_locations import find, shipped
from generator.pack.splicing import Add, Cut, Edit, Move, Put, spliced
from generator.pack.strict_yaml import Trail, read_text


@pytest.fixture(scope="module", params=["libyaml", "PyYAML"])
def loader(request: pytest.FixtureRequest) -> Iterator[None]:
    """Both of PyYAML's loaders: its own reads where there is no libyaml."""
    usual = strict_yaml.LOADER
    strict_yaml.LOADER = usual if request.param == "libyaml" else strict_yaml.PythonLoader
    yield
    strict_yaml.LOADER = usual


DECK = """\
# Cards of mine.
cards:
  # --- clubs
  - code: AC  # the ace
    name: "Winded: badly"
    rows:
      - {at: 1-3, name: Blind, until: rest}  # dark
      # and more
      - {at: 4-6, name: Empty hands}

  - code: 2C
    name: Ringing skull

    # it hurts
    trauma: 1
  - {code: 3C, name: Dead arms, lines: {a: 1}}
# the end
"""


def cards(text: str) -> Any:
    return read_text(text, "deck.yaml")[0]["cards"]


def comments(text: str) -> list[str]:
    return re.findall(r"(?:^|\s)(# .*)$", text, re.MULTILINE)


@pytest.mark.usefixtures("loader")
@pytest.mark.parametrize(
    ("edit", "gone", "come"),
    [
        (Put(("cards", 0, "name"), "Out of breath"), '    name: "Winded: badly"', '    name: "Out of breath"'),
        (Put(("cards", 1, "name"), "Ow: my head"), "    name: Ringing skull", '    name: "Ow: my head"'),
        (Put(("cards", 1, "name"), "no"), "    name: Ringing skull", '    name: "no"'),
        (Put(("cards", 1, "trauma"), 12), "    trauma: 1", "    trauma: 12"),
        (
            Put(("cards", 0, "rows", 0, "until"), "1 day"),
            "      - {at: 1-3, name: Blind, until: rest}  # dark",
            "      - {at: 1-3, name: Blind, until: 1 day}  # dark",
        ),
        (Put(("cards", 2, "lines", "b"), "x, y"), "lines: {a: 1}}", 'lines: {a: 1, b: "x, y"}}'),
        (Put(("cards", 1, "note"), "See.", ("code", "name", "note")), "", "    note: See.\n"),
        (Put(("cards", 1, "art"), "art/a.png", ("art", "code")), "  - code: 2C", "  - art: art/a.png\n    code: 2C"),
        (Cut(("cards", 1, "trauma")), "    trauma: 1\n", ""),
        (Cut(("cards", 0, "rows", 1)), "      - {at: 4-6, name: Empty hands}\n", ""),
        (Cut(("cards", 2, "lines", "a")), "lines: {a: 1}", "lines: {}"),
        (Cut(("cards", 2)), "  - {code: 3C, name: Dead arms, lines: {a: 1}}\n", ""),
        (Cut(("cards", 2, "code")), "{code: 3C, name: Dead", "{name: Dead"),
        (Cut(("cards", 2, "lines")), ", lines: {a: 1}", ""),
        (Add(("cards", 0, "rows"), 2, {"at": 7}), "", "      - {at: 7}\n"),
        (Add(("cards",), 3, {"code": "4C", "name": "New"}), "", "\n  - {code: 4C, name: New}\n"),
        (Put(("cards", 2, "name"), None), "name: Dead arms", "name: null"),
    ],
)
def test_an_edit_changes_its_own_place(edit: Edit, gone: str, come: str) -> None:
    after = spliced(DECK, "deck.yaml", [edit])
    assert comments(after) == comments(DECK)
    lost = [line for line in DECK.splitlines() if line not in after.splitlines()]
    assert len(lost) <= 1, "one line alone differs"
    assert gone in DECK and come in after
    assert after.replace(come, gone, 1) == DECK or (not gone and after.replace(come, "", 1) == DECK) or not come


def test_what_is_on_the_line_of_a_key_that_leaves_goes_with_it() -> None:
    after = spliced(DECK, "deck.yaml", [Cut(("cards", 0, "code"))])
    assert '  - name: "Winded: badly"\n' in after and "# the ace" not in after and "# --- clubs" in after


def test_entries_move_and_their_own_comments_with_them() -> None:
    after = spliced(DECK, "deck.yaml", [Move(("cards",), 0, 2)])
    assert [card["code"] for card in cards(after)] == ["2C", "3C", "AC"]
    assert sorted(comments(after)) == sorted(comments(DECK)) and "- code: AC  # the ace\n" in after
    back = spliced(after, "deck.yaml", [Move(("cards",), 2, 0)])
    assert cards(back) == cards(DECK)
    flow = spliced("rows: [1, 2, 3]  # few\n", "x", [Move(("rows",), 2, 0)])
    assert flow == "rows: [3, 1, 2]  # few\n"


def test_of_a_list_only_what_differs_is_written() -> None:
    rows = [*cards(DECK)[0]["rows"], {"at": "7+", "name": "Prone"}]
    rows[1] = {"at": "4-6", "name": "Empty hand"}
    after = spliced(DECK, "deck.yaml", [Put(("cards", 0, "rows"), rows)])
    assert after == DECK.replace(
        "      - {at: 4-6, name: Empty hands}\n", "      - {at: 4-6, name: Empty hand}\n      - {at: 7+, name: Prone}\n"
    )


def test_a_long_value_goes_on_lines_of_its_own() -> None:
    rows = [{"at": number, "name": f"Condition number {number}", "until": "1 day"} for number in range(3)]
    after = spliced(DECK, "deck.yaml", [Put(("cards", 1, "rows"), rows)])
    assert "    rows:\n      - {at: 0, name: Condition number 0, until: 1 day}\n" in after
    whole = {"code": "4C", "name": "x" * 60, "note": "y" * 60}
    after = spliced("cards:\n  - code: AC\n    name: A\n", "deck.yaml", [Add(("cards",), 1, whole)])
    assert after.endswith(f"  - code: 4C\n    name: {'x' * 60}\n    note: {'y' * 60}\n")


@pytest.mark.usefixtures("loader")
@pytest.mark.parametrize(
    ("text", "edit", "after"),
    [
        ("a: 1\r\nb: 2\r\n", Put(("c",), 3), "a: 1\r\nb: 2\r\nc: 3\r\n"),
        ("a: 1", Put(("c",), 3), "a: 1\nc: 3"),
        ("a: 1\nb: 2", Cut(("b",)), "a: 1"),
        ("a: 1\r\nb: 2\r\n", Cut(("a",)), "b: 2\r\n"),
        ("a: 1\n", Cut(("a",)), "{}\n"),
        ("a:\nb: 1\n", Put(("a",), "x"), "a: x\nb: 1\n"),
        ("a:\nb: 1\n", Put(("a", "c"), "x"), "a: {c: x}\nb: 1\n"),
        ("a: {}\n", Put(("a", "c"), "x"), "a: {c: x}\n"),
        ("a: []\n", Add(("a",), 0, 1), "a: [1]\n"),
        ("b: 1\n", Add(("a",), 0, 1), "b: 1\na: [1]\n"),
        ("a:\n- 1\n- 2\n", Add(("a",), 1, 3), "a:\n- 1\n- 3\n- 2\n"),
        ("a:\n- 1\n- 2\n", Cut(("a", 0)), "a:\n- 2\n"),
        ("a:\n- - 1\n  - 2\n- 3\n", Cut(("a", 0, 0)), "a:\n- - 2\n- 3\n"),
        ("a: one\n  two\n  three\n", Put(("a",), "one too three"), "a: one\n  too\n  three\n"),
        ('a: "one\n  two three"\n', Put(("a",), "one two"), 'a: "one\n  two"\n'),
        ("a: >-\n  one\n  two\nb: 1\n", Put(("a",), "one two three"), "a: >-\n  one\n  two three\nb: 1\n"),
        ("a: |\n  one\n  two\nb: 1\n", Put(("a",), "else"), "a: else\nb: 1\n"),
        ("a: 'it''s'\n", Put(("a",), "it's ours"), "a: 'it''s ours'\n"),
        ("\ta: 1\n", Put(("a",), 1), None),
        ("a: 1\na: 2\n", Put(("a",), 1), None),
    ],
)
def test_every_style_of_writing(text: str, edit: Edit, after: str | None) -> None:
    if after is None:
        with pytest.raises(ContentError):
            spliced(text, "x.yaml", [edit])
    else:
        assert spliced(text, "x.yaml", [edit]) == after


def test_what_is_not_there_is_refused() -> None:
    for edit in (Cut(("cards", 9)), Cut(("cards", "x")), Move(("cards",), 7, 0), Put(("cards", 9, "name"), "x")):
        with pytest.raises(HackjackError, match="no such place"):
            spliced(DECK, "deck.yaml", [edit])


# --- every cell that ships -------------------------------------------------------------------------------------------

FILES = [
    path
    for name in shipped()
    for path in sorted(find(name).glob("*.yaml"))
    if path.name in ("deck.yaml", "tables.yaml", "system.yaml", "screen.yaml")
]


def places(value: Any, trail: Trail = ()) -> Iterator[tuple[Trail, Any]]:
    yield trail, value
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in inner:
        yield from places(item, (*trail, key))


def other(value: Any) -> Any:
    match value:
        case bool():
            return not value
        case int():
            return value + 1
        case str():
            return f"{value} too"
        case list():
            return [*value, {"at": 7}]
        case dict():
            return {**value, "more": "x"}
    return "x"


LARGE = ("glog-system", "hackjack-deck", "deadlands-deck")


@pytest.mark.parametrize(("path", "many"), [
    pytest.param(path, many, id=f"{name}-{many}", marks=mark or [pytest.mark.slow] * (name in LARGE))
    for many, mark in ((2, None), (25, pytest.mark.slow), (10**6, pytest.mark.weekly))
    for path in FILES
    for name in [f"{path.parent.name}-{path.stem}"]
])  # fmt: skip
def test_every_value_that_ships_is_set_to_another_and_back(path: Any, many: int) -> None:
    text = path.read_text(encoding="utf-8")
    known = comments(text)
    entries = [(trail, value) for trail, value in places(read_text(text, path.name)[0]) if trail]
    for trail, value in entries[:: max(1, len(entries) // many)]:
        changed = spliced(text, path.name, [Put(trail, other(value))])
        assert changed != text and comments(changed) == known, trail
        assert spliced(changed, path.name, [Put(trail, value)]) == text, trail


WORDS = st.text(st.sampled_from("ab :#,-[]{}'\"\\%&*!|>?@`~=\u00e9\u4e2d 012.xX"), max_size=12)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-99, 99) | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS.filter(bool), inner, max_size=3),
    max_leaves=6,
)


@given(value=VALUES, at=st.integers(0, 40))
def test_whatever_is_written_is_read_again(value: Any, at: int) -> None:
    trails = [trail for trail, _ in places(read_text(DECK, "x")[0]) if trail]
    trail = trails[at % len(trails)]
    after = spliced(DECK, "deck.yaml", [Put(trail, value)])
    found = read_text(after, "deck.yaml")[0]
    for key in trail:
        found = found[key]
    assert found == value
