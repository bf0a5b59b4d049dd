"""Printed = played: each number, die and end of the content is changed, and then paper says something else or `check`
has something to say. What events do, and what no paper prints, the claims guard (test_guarded.py).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import msgspec
import pytest
from helpers import ROOT, one_in

from generator.base.dice import Dice
from generator.check import claims, content_checks
from generator.games.card_products import card_set, card_set_names
from generator.model.formulas import Formula
from generator.model.rules import System, Until
from generator.pack.load import Pack, load_pack
from generator.products import panels
from generator.products.panel_content import page

Way = tuple[Any, ...]
SHIPPED = ("content/deadlands", "content/fiftytwo", "content/glog", "content/hackjack", "content/jackrealms")
EXAMPLES = ("beasts", "criticals", "keen", "last_hand", "scars")
PRINTED = ("deck", "decks", "tables", "conditions", "parts")
NO_RULE = {
    "code": "a name",
    "copies": "how many are printed",
    "reconstructed": "where a value is from",
    "bounds": "of options",
    "start": "of a newcomer",
    "least": "a bound of a state",
    "most": "a bound of a state",
    "piles": "bounds of a state",
    "sound": "what a state must be",
    "sheet": "room on a sheet",
}
"""Keys whose numbers no paper prints and no rule has, each with the reason."""


def printed(system: System) -> Iterator[str]:
    """What paper says: each set of cards, then each panel; charts are left blank."""
    for name in card_set_names(system):
        yield repr([(face.code, face.parts) for face in card_set(system, name).faces])
    for _, file in system.panels:
        yield from (repr(page(panel, system, panels._empty)) for panel in file.panels)


NUMBER = r"(?<![A-Za-z_{])\d+|(?<=\bd)\d+|(?<=\dd)\d+"
ONE_DIE = r"\b(?=d\d)"
"""The number that a formula leaves out: d6 is 1d6."""


def changed_numbers(value: Any, more_faces: int) -> Iterator[Any]:
    """Every change of a number in a value: dice get so many faces more, all else is one more."""
    match value:
        case int():
            yield value + 1
        case Dice():
            if value.count:
                yield Dice(value.count, value.faces + more_faces, value.plus)
                yield Dice(value.count + 1, value.faces, value.plus)
            if value.plus or not value.count:
                yield Dice(value.count, value.faces, value.plus + 1)
        case Until() if value.amount is not None:
            yield from (Until(value.word, amount) for amount in changed_numbers(value.amount, more_faces))
        case Formula():
            yield from map(Formula, _with_other_numbers(value.text, f"{NUMBER}|{ONE_DIE}"))
        case str():
            yield from _with_other_numbers(value, NUMBER)


def _with_other_numbers(text: str, pattern: str) -> Iterator[str]:
    for match in re.finditer(pattern, text):
        yield f"{text[: match.start()]}{int(match[0] or 1) + 1}{text[match.end() :]}"


def changed_ends(until: Until) -> Iterator[Until]:
    if until.amount is not None:
        yield Until("day" if until.word == "hour" else "hour", until.amount)
    elif until.formula is None:
        yield from (Until(word) for word in ("permanent", "rest") if word != until.word)


def changes(noun: Any, way: Way = ()) -> Iterator[tuple[Way, Any]]:
    """Every change in a noun: the way to it, and the value there."""
    inside: list[tuple[Any, Any]] = []
    match noun:
        case bool():
            return
        case int() | Dice() | Until() | Formula():
            ends = changed_ends(noun) if isinstance(noun, Until) else ()
            yield from ((way, other) for other in (*changed_numbers(noun, 2), *ends))
        case dict():
            inside = [*noun.items()]
        case tuple():
            inside = [*enumerate(noun)]
        case msgspec.Struct():
            inside = [(name, getattr(noun, name)) for name in noun.__struct_fields__]
    for key, value in inside:
        if key not in NO_RULE:
            yield from changes(value, (*way, key))


def put(noun: Any, way: Way, value: Any) -> Any:
    if not way:
        return value
    first, *rest = way
    if isinstance(noun, dict):
        return {key: put(each, tuple(rest), value) if key == first else each for key, each in noun.items()}
    if isinstance(noun, tuple):
        return tuple(put(each, tuple(rest), value) if at == first else each for at, each in enumerate(noun))
    return msgspec.structs.replace(noun, **{first: put(getattr(noun, first), tuple(rest), value)})


def with_changes(system: System, keys: tuple[str, ...]) -> Iterator[tuple[str, System]]:
    for key in keys:
        own = key in ("deck", "decks", "tables")
        for way, value in changes(getattr(system if own else system.head, key)):
            where = ".".join(map(str, (key, *way)))
            if own:
                yield f"{where} -> {value}", replace(system, **{key: put(getattr(system, key), way, value)})
            else:
                yield f"{where} -> {value}", replace(system, head=put(system.head, (key, *way), value))


def is_noticed(system: System, paper: list[str], pack: Pack) -> bool:
    try:
        if any(before != after for before, after in zip(paper, printed(system), strict=True)):
            return True
        if content_checks.problems(system, pack.marks):
            return True
        return any(
            not claims.verdict(claim, system).sound for claim in system.claims if claim.id not in system.inherited
        )
    except Exception:
        # What cannot be printed at all is refused.
        return True


@one_in(2)
@pytest.mark.parametrize(
    ("folder", "keys"),
    [
        *((folder, (*PRINTED, "procedure")) for folder in SHIPPED),
        *((f"docs/examples/{name}", PRINTED) for name in EXAMPLES),
    ],
)
def test_every_number_die_and_end_is_printed_or_checked(folder: str, keys: tuple[str, ...], one_in: int) -> None:
    pack = load_pack(ROOT / folder)
    paper = [*printed(pack.system)]
    tried = [*with_changes(pack.system, keys)][::one_in]
    assert tried
    assert [where for where, other in tried if not is_noticed(other, paper, pack)] == []
