"""Broken packs: the content of every system, spoilt in hundreds of ways, always meets a sentence with file and line.

The packs are made anew on each run, from fixed seeds: what is spoilt is a place of the real content, found by reading
it with another YAML reader's nodes.
"""

from __future__ import annotations

import random
import re
import shutil
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from helpers import ROOT, one_in, run

from generator.base.errors import ContentError, Problem
from generator.check import content_checks
from generator.pack.pack_locations import find, shipped
from generator.products import looking_over
from generator.products.looking_over import all_faults
from generator.studio import book as studio_book
from generator.studio.writing import Writing

SYSTEMS = shipped()
FREE = {"state", "expect", "log", "at", "computes", "scores", "joins"}
"""Below these keys anything, or any short text, may stand: only YAML itself can be wrong there."""


@dataclass(frozen=True)
class Place:
    """A scalar of a file: where it begins and ends in the text, its line from 1, and the keys that lead to it."""

    start: int
    end: int
    line: int
    keys: tuple[str, ...]
    is_key: bool
    plain: bool
    value: str


@cache
def text_of(system: str, name: str) -> str:
    return (ROOT / "content" / system / name).read_text(encoding="utf-8")


def files_of(system: str) -> list[str]:
    return sorted(path.name for path in (ROOT / "content" / system).glob("*.yaml"))


@cache
def places(system: str, name: str) -> tuple[Place, ...]:
    """Every scalar of a file, keys and values."""
    root = yaml.compose(text_of(system, name), Loader=yaml.CSafeLoader)
    assert root is not None
    return tuple(_places(root, ()))


def _places(node: yaml.Node, keys: tuple[str, ...]) -> Iterator[Place]:
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            yield _place(key, keys, is_key=True)
            yield from _places(value, (*keys, key.value))
    elif isinstance(node, yaml.SequenceNode):
        for value in node.value:
            yield from _places(value, keys)
    else:
        assert isinstance(node, yaml.ScalarNode)
        yield _place(node, keys, is_key=False)


def _place(node: yaml.ScalarNode, keys: tuple[str, ...], *, is_key: bool) -> Place:
    begin, end = node.start_mark, node.end_mark
    return Place(begin.index, end.index, begin.line + 1, keys, is_key, not node.style, node.value)


Spoil = Callable[[Place], str | None]
"""What stands in the place instead; None where this way of spoiling is not for that place."""


def free(place: Place) -> bool:
    return bool(FREE.intersection(place.keys))


def value(new: Callable[[Place], str | None]) -> Spoil:
    """A way to spoil values whose type is fixed."""
    return lambda place: None if place.is_key or free(place) else new(place)


def number(new: str) -> Spoil:
    return value(lambda place: new if place.plain and re.fullmatch(r"\d+", place.value) else None)


def not_in_cells(spoil: Spoil) -> Spoil:
    """Cells and panels hold words of any kind, combatants may have a malus, and formulas may be below 0."""
    anything = {"cells", "combatants", "panels", "constants", "numbers", "events", "each", "ends"}
    return lambda place: None if anything.intersection(place.keys) else spoil(place)


def dice(new: str) -> Spoil:
    return not_in_cells(value(lambda place: new if re.fullmatch(r"\d*d\d+", place.value) else None))


def whole(new: Callable[[Place], str | None]) -> Spoil:
    """A way to spoil that YAML itself forbids, wherever it stands in a plain scalar on one line."""
    return lambda place: new(place) if place.plain and "\n" not in place.value else None


def refers(place: Place) -> bool:
    """Whether a value names something that stands elsewhere; words and what an event takes list values of their own."""
    return bool(place.keys) and place.keys[-1] in REFERENCES and not {"words", "takes"}.intersection(place.keys)


REFERENCES = {"condition", "statistic", "part", "table", "track", "slain", "dying", "rulings", "only", "shows", "of"}
WAYS: dict[str, Spoil] = {
    "anchor": whole(lambda place: f"&here {place.value}"),
    "alias": whole(lambda place: "*here" if not place.is_key else None),
    "tag": whole(lambda place: f"!!python/name:os.system {place.value}"),
    "open bracket": whole(lambda place: "[" if not place.is_key else None),
    "open quote": whole(lambda place: f'"{place.value}'),
    "reserved sign": whole(lambda place: f"@{place.value}"),
    "control sign": whole(lambda place: f"{place.value}\x07"),
    "bell in quotes": whole(lambda place: f'"{place.value}\\a"' if not place.is_key else None),
    "escape in quotes": value(lambda _: r'"\e[2J"'),
    "turned letters": value(lambda _: r'"a\u202eb"'),
    "unknown key": lambda place: f"{place.value}x" if place.is_key and not free(place) and fixed(place) else None,
    "mapping": value(lambda _: "{x: 1}"),
    "endless line": value(lambda place: "x" * 500 if place.plain else None),
    "huge number": number("999999999999"),
    "negative number": not_in_cells(number("-1")),
    "half a number": number("0.5"),
    "yes": number("true"),
    "a hundred thousand dice": dice("100000d6"),
    "dice of a million faces": dice("1d1000000"),
    "no dice": dice("1dd4"),
    "flat die": dice("1d1"),
    "unknown name": value(lambda place: "nobody_knows_it" if refers(place) else None),
}


AUTHORS = {"tracks", "statistics", "conditions", "parts", "columns", "cells", "choices", "damage", "options", "groups"}


def fixed(place: Place) -> bool:
    """Whether the mapping that a key stands in has keys by type, rather than names of the author's."""
    return not place.keys or place.keys[-1] not in AUTHORS


@dataclass(frozen=True)
class Broken:
    """A pack with one spoilt place."""

    system: str
    file: str
    way: str
    place: Place

    @property
    def text(self) -> str:
        text, new = text_of(self.system, self.file), WAYS[self.way](self.place)
        assert new is not None
        return text[: self.place.start] + new + text[self.place.end :]

    def __str__(self) -> str:
        return f"{self.system}-{self.file.removesuffix('.yaml')}-{self.way.replace(' ', '_')}-{self.place.line}"


EACH = 4
"""So many packs for each way and system, as far as there are places for it."""


def corpus(system: str) -> list[Broken]:
    chance = random.Random(f"broken {system}")
    found = []
    for way, spoil in WAYS.items():
        fitting = [
            (name, place) for name in files_of(system) for place in places(system, name) if spoil(place) is not None
        ]
        picked = chance.sample(fitting, min(EACH, len(fitting)))
        found += [Broken(system, name, way, place) for name, place in picked]
    return found + [
        Broken(system, name, "tag", chance.choice([place for place in places(system, name) if place.plain]))
        for name in files_of(system)
    ]


def problems_of(folder: Path) -> tuple[Problem, ...]:
    """Every problem that a check finds."""
    try:
        return all_faults(folder, ()).problems
    except ContentError as error:
        return error.problems


def test_there_are_hundreds() -> None:
    whole = {system: corpus(system) for system in SYSTEMS}
    assert sum(map(len, whole.values())) >= 300
    for system, packs in whole.items():
        assert {pack.way for pack in packs} >= {way for way in WAYS if "di" not in way} - {"unknown name"}, system
        assert {pack.file for pack in packs} == set(files_of(system)), system


@one_in(2)
@pytest.mark.parametrize("system", SYSTEMS)
def test_each_broken_pack_has_a_problem_where_it_is_broken(
    system: str, one_in: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    folder = Path(shutil.copytree(ROOT / "content" / system, tmp_path / "pack"))
    for broken in corpus(system)[::one_in]:
        path = folder / broken.file
        path.write_text(broken.text, encoding="utf-8")
        found = problems_of(folder)
        # A page quotes what the steps of the events write: where a step cannot be read, it may ask in vain.
        if broken.file == "system.yaml":
            # Nor has a card boxes for a track whose size cannot be read.
            in_vain = ("pack/page.yaml", "has 0 boxes")
            found = tuple(problem for problem in found if not any(words in str(problem) for words in in_vain))
        shown = "\n".join(map(str, found))
        assert found, f"{broken}: nobody notices"
        assert len(found) == 1, f"{broken}: one cause is told more than once:\n{shown}"
        there = [problem for problem in found if problem.file == f"pack/{broken.file}" and problem.line >= 1]
        assert there, f"{broken}: no line in the right file:\n{shown}"
        if broken.way not in ("open bracket", "open quote"):
            lines = {problem.line for problem in there}
            assert broken.place.line in lines or min(lines) <= broken.place.line, f"{broken}: {shown}"
        path.write_text(text_of(system, broken.file), encoding="utf-8")
    assert problems_of(folder) == ()


# --- names -----------------------------------------------------------------------------------------------------------

NAMING = {
    "aims", "aside", "bounds", "cells", "clock", "columns", "conditions", "constants", "counts", "damage", "dice",
    "events", "faces", "joins", "lines", "numbers", "odds", "only", "options", "parts", "piles", "plays", "questions",
    "scores", "sheet", "states", "statistics", "takes", "titles", "tracks", "units", "with", "words",
}  # fmt: skip
"""Keys below which every key is a name of the author's."""
TEN_NAMES = {
    "system": """\
id: mine
title: Mine
version: "1.0"
about: Every part that has a name names another.
source: {title: none, author: tests, licence: ours}
parts: {arm: {name: arm}}
procedure: {kind: steps, numbers: {hp: {name: HP, start: 6}}}
conditions:
  sore: {name: Sore, says: It aches, ends: {strike: [hp -= 1]}}
events:
  hit:
    says: a blow
    takes: {harm: {most: 9}}
    do: |
      place 'arm'
      strike(force: harm)
    odds: {sored: has(sore)}
  strike:
    says: a strike
    takes: {force: {default: 1}}
    do: [end sore, hp -= force, look up hurts]
questions: {felled: {says: many, event: hit, each: harm, counts: suffered(sore)}}
""",
    "tables": """\
tables:
- {id: hurts, title: Hurts, roll: d2, covers: 1-2, rows: [
    {at: 1, effects: [suffer sore for good]}, {at: 2, note: None.}]}
""",
    "screen": """\
title: Screen
panels:
- title: Blows
  columns: 2
  blocks:
  - {block: order, event: hit, steps: [{event: hit, says: It lands.}, {event: strike, says: It strikes.}]}
  - {block: chances, chances: [{asks: hit 2, says: 'Sore in {sored}.'}]}
""",
}


def named(value: Any, trail: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], bool]]:
    """Every name in a file: where it stands, and whether it is a key there rather than the value of one."""
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        if isinstance(value, dict) and trail and trail[-1] in NAMING:
            yield (*trail, key), True
        if isinstance(inner, dict):
            own = next((each for each in ("id", "code") if each in inner), "name" if inner.get("do") == "let" else "")
            yield from [((*trail, key, own), False)] if own else []
        yield from named(inner, (*trail, key))


def without(value: Any, trail: tuple[Any, ...], *, is_key: bool) -> Any:
    """A file without what has a name there."""
    value = holder = deepcopy(value)
    *above, last = trail if is_key else trail[:-1]
    for key in above:
        holder = holder[key]
    del holder[last]
    return value


def misspelt(value: Any, trail: tuple[Any, ...], *, is_key: bool) -> Any:
    """A file in which what has a name there has another."""
    value = holder = deepcopy(value)
    for key in trail[:-1]:
        holder = holder[key]
    if is_key:
        entries = [(f"{key}x" if key == trail[-1] else key, inner) for key, inner in holder.items()]
        holder.clear()
        holder.update(entries)
    else:
        holder[trail[-1]] = f"{holder[trail[-1]]}x"
    return value


def unforeseen_names(folder: Path, most: int) -> Iterator[str]:
    """Take names of a pack in the packs folder away and misspell them, so many of all: yield where a judge fails."""
    writing, texts = Writing(), {path: path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.yaml"))}
    values = {path: yaml.load(text, yaml.CSafeLoader) for path, text in texts.items()}
    names: dict[tuple[Path, Any], tuple[tuple[Any, ...], bool]] = {}
    for path, value in values.items():
        for trail, is_key in named(value):
            names.setdefault((path, trail[-1] if is_key else trail), (trail, is_key))
    changes = [(path, *found, change) for (path, _), found in names.items() for change in (without, misspelt)]
    for path, trail, is_key, change in random.Random(folder.name).sample(changes, min(most, len(changes))):
        changed = change(values[path], trail, is_key=is_key)
        path.write_text(yaml.dump(changed, Dumper=yaml.CSafeDumper, sort_keys=False, width=500), encoding="utf-8")
        try:
            told = run("check", folder).err
            book = writing.grid(folder.name, "")
            told += "\n".join([*book["others"], *(each["says"] for each in book.get("faults", ()))])
            told += str([writing.grid(folder.name, part["id"]) for part in book["parts"][-2:]])
        except Exception as error:
            told = f"unforeseen: {error!r}"
        if "unforeseen" in told:
            yield f"{path.name} {change.__name__} {trail}: {told[told.index('unforeseen') :][:200]}"
        path.write_text(texts[path], encoding="utf-8")


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A pack of ten names in the packs folder."""
    monkeypatch.setenv("HACKJACK_HOME", str(tmp_path))
    folder = tmp_path / "packs" / "mine"
    folder.mkdir(parents=True)
    for name, text in TEN_NAMES.items():
        (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
    return folder


def test_no_judge_fails_where_one_of_ten_names_is_lacking(mine: Path) -> None:
    assert run("check", mine).err == ""
    assert [*unforeseen_names(mine, 1000)] == []


def test_a_judge_that_fails_itself_says_so_and_the_pack_stays_open(mine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> Any:
        raise KeyError("sore")

    says = "unforeseen, a fault of hackjack itself: KeyError: 'sore'"
    with monkeypatch.context() as patch:
        patch.setattr(content_checks._Checks, "inside", fail)
        ran = run("check", mine)
        assert (ran.code, ran.err) == (1, f"{mine}/system.yaml:1:1: {says}\n")
        book = Writing().grid("mine", "tables/hurts")
        assert [line["value"]["at"] for line in book["rows"]] == [1, 2]
        assert book["others"] == [f"{mine}/system.yaml:1:1: {says}"]
    with monkeypatch.context() as patch:
        for module in (looking_over, studio_book):
            patch.setattr(module, "parse_pack", fail)
        ran = run("check", mine)
        assert (ran.code, ran.err) == (1, f"{mine}: {says}\n")
        book = Writing().grid("mine", "tables/hurts")
        assert book["others"] == [f"mine: {says}"] and len(book["rows"]) == 2


@pytest.mark.parametrize("title", ["Nothing", "Nothing \N{GRINNING FACE}"])
def test_a_panel_that_prints_nothing_is_an_error(title: str, mine: Path) -> None:
    head = (mine / "system.yaml").read_text(encoding="utf-8").replace("name: Sore, says", "says")
    (mine / "system.yaml").write_text(head, encoding="utf-8")
    panel = f"title: Screen\npanels:\n- title: '{title}'\n  columns: 1\n\n  blocks:\n  - {{block: conditions}}\n"
    (mine / "screen.yaml").write_text(panel, encoding="utf-8")
    says = f'the panel "{title}" prints nothing: give it a block that says something, or take it out'
    ran = run("check", mine)
    assert (ran.code, ran.err) == (1, f"{mine}/screen.yaml:7:5: {says}\n")
    ran = run("print", "mine", "screen", "--output", mine)
    assert (ran.code, says in ran.err) == (1, True)


EXAMPLES = [path for path in sorted((ROOT / "docs" / "examples").iterdir()) if (path / "system.yaml").exists()]


@pytest.mark.parametrize(
    "most", [pytest.param(12, marks=pytest.mark.slow), pytest.param(10**6, marks=pytest.mark.weekly, id="every")]
)
@pytest.mark.parametrize("shipped", [*map(find, SYSTEMS), *EXAMPLES], ids=lambda path: path.name)
def test_no_judge_fails_where_any_name_is_lacking(
    most: int, shipped: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HACKJACK_HOME", str(tmp_path))
    folder = Path(shutil.copytree(shipped, tmp_path / "packs" / "mine"))
    assert [*unforeseen_names(folder, most)] == []
