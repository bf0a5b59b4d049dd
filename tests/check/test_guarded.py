"""Claims guard the content: each number of the rules is changed by one, and some claim of `check` must come out
differently, or the content no longer fits together. What is a ruling of ours has its cases in hackjack_rulings.yaml.

What is changed: every number and die of the procedure, the events, conditions, parts, tables and cards; the
limits between neighbouring rows; and each row and cell, which gets what stands in the next one. What is marked as
reconstructed is left alone: no source gives it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fnmatch import fnmatchcase
from functools import cache
from itertools import pairwise
from typing import Any

import msgspec
import pytest
from check.test_printed import changed_numbers, put
from games.test_engine import CASES, expected, outcome
from games.test_recorded import recorded_of, replayed
from helpers import ROOT

from generator.base.dice import Dice
from generator.base.errors import HackjackError
from generator.check import claims, content_checks
from generator.games import game_of
from generator.model.blocks import LadderBlock
from generator.model.claims import AnyClaim, PanelClaim
from generator.model.formulas import Formula
from generator.model.rules import Card, Deck, Row, Span, System, Until
from generator.pack.load import Pack, load_pack
from generator.pack.settings import with_settings

Trail = tuple[tuple[str, Any], ...]
"""A way into the content: at each step its name for people, and the key or place itself."""
Change = tuple[Trail, str, Any]
"""Where something is changed, to what in words, and the value."""
SYSTEMS = ("deadlands", "fiftytwo", "glog", "hackjack", "jackrealms")
GUARDED = ("procedure", "conditions", "parts", "events", "watches", "questions")
"""Of `system.yaml`: the rest is printed, or says who wrote it."""
UNPLAYED = {
    "art", "asks", "at", "begins", "bounds", "brief", "code", "column", "condition", "do", "emblem", "facts", "flavour",
    "form", "group", "id", "joins", "kind", "line", "log", "mind", "name", "note", "opens", "part", "placed",
    "reconstructed", "ruling", "rulings", "sample", "says", "sheet", "short", "sound", "state", "takes", "title",
    "titles",
}  # fmt: skip
"""Keys of words, of limits of what may be typed, and of what is told or shown and not played."""

UNTOLD: dict[str, dict[str, str]] = {
    "glog": {
        "procedure.numbers.*.start": "the numbers of somebody who is new are ours",
        "events.save.do_.0.otherwise.save_roll.be": "a save is the game's own, and no figure of the source rolls one",
        "procedure.numbers.*.least": "so are bounds that no rule of the source comes to",
    },
    "hackjack": {
        "procedure.numbers.score.start": "a state that lacks it takes it from its pile and its tokens",
        "procedure.numbers.mode.start": "each card sets it anew",
        "procedure.piles.pile.most": "room for more cards than a deck has",
        "procedure.piles.wounds.most": "room for more cards than a deck has",
        "events.hold.do_.0.to": "a flag: any number but 0 is yes",
        "events.poison.do_.2.then.1.then.0.to": "a flag: any number but 0 is yes",
        "events.bleed.odds.reset": "Blood alone is never totalled",
        "events.total.do_.1.then.1.by": "one reset is as good as two",
        "events.more.do_.6.then.2.holds": "no card of the deck is applied three times",
        "events.more.do_.inner.be": "one card draws for the lowest, and never itself",
        "events.more.better": "only the order of what it gives counts",
    },
}
"""By system, trails (with * for any part) of what no figure of the source can tell, each with the reason."""

MAX_WORDS = 2
"""A cell of more words is a sentence of ours, which only has to agree with the numbers in it."""


@cache
def pack(name: str) -> Pack:
    return load_pack(ROOT / "content" / name)


# --- what is changed -------------------------------------------------------------------------------------------------


def changes(system: System) -> dict[str, System]:
    """Every change of a system: where and to what, and the system as it is then."""
    there: Mapping[str, Any] = {
        **{key: getattr(system.head, key) for key in GUARDED},
        "tables": system.tables, "deck": system.deck, "decks": system.decks,
    }  # fmt: skip
    return {
        f"{'.'.join(name for name, _ in trail)} -> {what}": _with(system, tuple(step for _, step in trail), value)
        for key, noun in there.items()
        for trail, what, value in _changed(noun, ((key, key),))
    }


def _with(system: System, way: tuple[Any, ...], value: Any) -> System:
    if way[0] not in GUARDED:
        return replace(system, **{way[0]: put(getattr(system, way[0]), way[1:], value)})
    return replace(system, head=put(system.head, way, value))


def _changed(noun: Any, trail: Trail) -> Iterator[Change]:
    match noun:
        case bool() | None | Span():
            return
        case int() | Dice() | Until() | Formula() | str():
            quoted = trail[0][0] in ("tables", "deck", "decks")
            yield from (
                (trail, str(other), other) for other in changed_numbers(noun, 1) if quoted or not isinstance(noun, str)
            )
            return
        case Deck() | Row() if noun.reconstructed:
            return
        case dict():
            inner = [(str(key), key, value) for key, value in noun.items()]
        case tuple():
            inner = [(_named(at, value), at, value) for at, value in enumerate(noun)]
            yield from _exchanged(noun, trail)
        case _:
            inner = [(name, name, getattr(noun, name)) for name in noun.__struct_fields__]
    for name, step, value in inner:
        if name not in UNPLAYED:
            yield from _changed(value, (*trail, (name, step)))


def _named(at: int, noun: Any) -> str:
    """How something in a list is called: by its id, its code, its results or its name, or by its place."""
    names = (getattr(noun, key, None) for key in ("id", "code", "at", "name"))
    return next((str(name).replace(".", "") for name in names if name is not None), str(at))


def _exchanged(rows: tuple[Any, ...], trail: Trail) -> Iterator[Change]:
    """The limit between two rows moved by one; and what stands in the next row or card in place of its own."""
    for at, (row, after) in enumerate(pairwise(rows)):
        here = (*trail, (_named(at, row), at))
        if isinstance(row, Card) and row.effects != after.effects:
            yield (*here, ("effects", "effects")), f"those of {after.code}", after.effects
        if not isinstance(row, Row) or row.reconstructed or after.reconstructed:
            continue
        if row.at and after.at and row.at.high is not None and after.at.low != after.at.high:
            moved = (Span(row.at.low, row.at.high + 1), Span(after.at.low + 1, after.at.high))
            both = (msgspec.structs.replace(each, at=span) for each, span in zip((row, after), moved, strict=True))
            yield trail, f"limit {moved[0]}", (*rows[:at], *both, *rows[at + 2 :])
        parts: list[tuple[tuple[str, ...], Any, Any]] = [
            ((key,), getattr(row, key), getattr(after, key))
            for key in ("name", "lasts", *(() if row.written_cells else ("effects",)))
        ]
        parts += [
            (("written_cells", key), cell, after.cell(key))
            for key, cell in row.written_cells.items()
            if key not in UNPLAYED
        ]
        for way, own, other in parts:
            if own and own != other and not (isinstance(own, str) and len(own.split()) > MAX_WORDS):
                yield (*here, *((name, name) for name in way)), f"that of {_named(at + 1, after)}", other


# --- what guards it --------------------------------------------------------------------------------------------------


class Guard:
    """Judges changed systems by their claims; a claim that noticed something of the kind before is asked first."""

    def __init__(self, name: str) -> None:
        self.pack = pack(name)
        kinds = ("number", "card", "deck", "table", "condition", "event", "odds", "panel")
        self.claims = sorted(self.pack.system.claims, key=lambda claim: kinds.index(claim.__struct_config__.tag))
        self.before = dict[str, list[AnyClaim]]()

    def notices(self, where: str, system: System) -> bool:
        noticed = self.before.setdefault(".".join(where.split(" -> ")[0].split(".")[:3]), [])
        # A die with a face for which there is no place is refused before anything is played.
        if where.startswith("parts.") and bool(content_checks.problems(system, self.pack.marks)):
            return True
        for claim in (*noticed[-5:], *self.claims):
            if not claims.verdict(claim, system).sound:
                noticed.append(claim)
                return True
        return bool(content_checks.problems(system, self.pack.marks)) or self._breaks_a_ruling(system)

    def _breaks_a_ruling(self, system: System) -> bool:
        """Whether a case of our own rulings comes out otherwise, which no source tells."""
        return system.head.id == "hackjack" and not all(_as_ruled(case, system) for case in CASES.values())


def _as_ruled(case: dict[str, Any], system: System) -> bool:
    try:
        return outcome(case, system) == expected(case)
    except (AssertionError, HackjackError):
        return False


def untold(name: str, where: str) -> bool:
    return any(fnmatchcase(where, f"{pattern}*") for pattern in UNTOLD.get(name, ()))


EACH = [
    *((name, 1) for name in ("fiftytwo", "jackrealms")),
    *(pytest.param(name, 1, marks=pytest.mark.slow) for name in ("deadlands", "glog")),
    pytest.param("hackjack", 7, marks=pytest.mark.slow),
    pytest.param("hackjack", 1, marks=pytest.mark.weekly),
]
"""Of which systems every change is tried, and of which one in so many."""


@pytest.mark.parametrize(("name", "one_in"), EACH)
def test_every_changed_number_is_noticed(name: str, one_in: int) -> None:
    """And no exception stands here that a claim notices."""
    guard, there = Guard(name), [*changes(pack(name).system).items()][::one_in]
    assert not guard.notices("nothing", pack(name).system), "as it ships, every claim holds"
    escaped = [where for where, other in there if not guard.notices(where, other)]
    assert [where for where in escaped if not untold(name, where)] == []
    if one_in > 1:
        return
    patterns = [
        pattern for pattern in UNTOLD.get(name, ()) if not any(fnmatchcase(where, f"{pattern}*") for where in escaped)
    ]
    assert patterns == []


WORDS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
FIGURE = re.compile(rf"(?<![{{\w])(?:\d*d)?\d+\b(?![^{{]*}})|\b(?:half|{'|'.join(WORDS)})\b", re.IGNORECASE)
NO_FIGURES = re.compile(
    r"\[\w+\]|old one|one by one|[Tt]he (?:better |black |red |critical )?one|(?:a|one is) critical(?: one)?|"
    r"one of (?:\{|54)|One related|This is the one|any further one|from one column|^A one$"
)
"""Marks of rulings, and what only looks like a figure."""
PRINTED = ("title", "text", "steps", "fields", "label", "note")


def figures_in_panels(name: str) -> Iterator[tuple[str, System]]:
    """Each figure that a panel prints in words, and the system in which the panel prints another one."""
    system = pack(name).system
    for at, (product, file) in enumerate(system.panels):
        for way, text in _printed_texts(tuple(panel.blocks for panel in file.panels)):
            for match in FIGURE.finditer(NO_FIGURES.sub(lambda idiom: "_" * len(idiom[0]), text)):
                other = text[: match.start()] + _next_figure(match[0]) + text[match.end() :]
                changed = put(file, ("panels", way[0], "blocks", *way[1:]), other)
                panels = (*system.panels[:at], (product, changed), *system.panels[at + 1 :])
                yield f"{product}: {match[0]} in {text}", system.with_side_files(panels=panels)


def _printed_texts(noun: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], str]]:
    if isinstance(noun, str):
        yield way, noun
    elif isinstance(noun, tuple | dict):
        for key, each in noun.items() if isinstance(noun, dict) else enumerate(noun):
            yield from _printed_texts(each, (*way, key))
    elif noun is not None and not isinstance(noun, LadderBlock):
        for key in PRINTED:
            yield from _printed_texts(getattr(noun, key, None), (*way, key))


def _next_figure(figure: str) -> str:
    if figure.lower() in WORDS:
        return WORDS[(WORDS.index(figure.lower()) + 1) % len(WORDS)]
    return "a third of" if figure.lower() == "half" else re.sub(r"\d+$", lambda last: str(int(last[0]) + 1), figure)


@pytest.mark.parametrize("name", SYSTEMS)
def test_every_figure_that_a_panel_prints_in_words_is_guarded(name: str) -> None:
    quotes = [claim for claim in pack(name).system.claims if isinstance(claim, PanelClaim)]
    escaped = [
        where
        for where, other in figures_in_panels(name)
        if all(claims.verdict(claim, other).as_noted for claim in quotes)
    ]
    assert escaped == []


@pytest.mark.weekly
@pytest.mark.parametrize("pattern", UNTOLD["hackjack"])
def test_what_nothing_tells_changes_no_recorded_game(pattern: str) -> None:
    recorded = recorded_of("hackjack")
    for where, system in changes(pack("hackjack").system).items():
        if fnmatchcase(where, f"{pattern}*"):
            games = [game_of(with_settings(system, map(tuple, chosen))) for chosen in recorded["settings"]]
            for before in recorded["games"]:
                assert json.loads(json.dumps(replayed(games[before["settings"]], before))) == before, where
