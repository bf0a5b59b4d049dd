"""Names as values: `prone` is a truth, and `blood_flows == any_damage` compares a switch with its reading.

YAML has `has(prone)` and `setting(blood_flows) == 'any_damage'`; here one becomes the other. A name that is also a
number, a word, an argument or a `let` anywhere in the pack means that, and nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from generator.base.late import late_pattern
from generator.model import taken_names
from generator.model.formulas import NAMING

_NAME = late_pattern(r"[a-z][a-z0-9_]*")
_PIECE = late_pattern(r"'[^'\n]*'|[A-Za-z0-9_.]+|[=!]=|\S")
_VALUE = late_pattern(r"^ *let ([a-z0-9_]+)|^ *(?:takes|throw|gives) (.*)", re.MULTILINE)
_HAS = late_pattern(r"\bhas\(([a-z][a-z0-9_]*)\)")
_COMPARED = late_pattern(r"\bsetting\(([a-z][a-z0-9_]*)\) ([=!]=) '([a-z][a-z0-9_]*)'")


@dataclass(slots=True)
class Names:
    """The names that formulas of a pack may use as values.

    `conditions` are truths, `switches` are compared with their readings, and `values` are all other names; `events`
    are for hints alone.
    """

    conditions: frozenset[str] = frozenset()
    switches: Mapping[str, frozenset[str]] = field(default_factory=dict)
    values: frozenset[str] = frozenset()
    events: frozenset[str] = frozenset()
    spoken: frozenset[str] = field(init=False)
    """All that has another form in text."""

    def __post_init__(self) -> None:
        self.spoken = (self.conditions | self.switches.keys()) - self.values

    def formula(self, text: str) -> str:
        """Return a formula as YAML has it."""
        if self.spoken.isdisjoint(_NAME.findall(text)):
            return text
        pieces = [(match[0], match.start()) for match in _PIECE.finditer(text)]
        written, end, naming, skipped = "", 0, list[bool](), -1
        for number, (piece, position) in enumerate(pieces):
            before = pieces[number - 1][0] if number else ""
            following = pieces[number + 1][0] if number + 1 < len(pieces) else ""
            written += text[end:position]
            end = position + len(piece)
            if piece == "(":
                naming.append(before in NAMING)
            elif piece == ")" and naming:
                naming.pop()
            if number == skipped:
                written += f"'{piece}'"
            elif any(naming) or following == "(" or not _NAME.fullmatch(piece):
                written += piece
            elif following in ("==", "!=") and self._is_reading(piece, *(each for each, _ in pieces[number + 2 :][:1])):
                skipped = number + 2
                written += f"setting({piece})"
            else:
                is_compared = "==" in (before, following) or "!=" in (before, following)
                is_truth = piece in self.spoken and piece in self.conditions and not is_compared
                written += f"has({piece})" if is_truth else piece
        return written + text[end:]

    def _is_reading(self, name: str, reading: str = "") -> bool:
        """Return whether a switch is compared with one of its readings, and neither is the name of anything else."""
        is_named = name in self.spoken and name not in self.conditions
        return is_named and reading in self.switches[name] and reading not in self.values | self.conditions

    def text(self, formula: str) -> str:
        """Return a formula as text has it."""
        bare = _HAS.sub(lambda match: match[1], formula)
        for each in (bare, formula):
            text = _COMPARED.sub(lambda match: f"{match[1]} {match[2]} {match[3]}", each)
            for text_or_bare in (text, each):
                if self.formula(text_or_bare) == formula:
                    return text_or_bare
        return formula


def names_of(*heads: Any) -> Names:
    """Return the names of a pack and those below it, from what their `system.yaml` says."""
    conditions, values, events = set[str](), set(taken_names.VALUES), set[str]()
    switches: dict[str, frozenset[str]] = {}
    for head in filter(lambda each: isinstance(each, dict), heads):
        conditions |= set(_dict(head, "conditions"))
        events |= set(_dict(head, "events"))
        procedure = _dict(head, "procedure")
        for key in ("numbers", "constants", "piles", "words"):
            values |= set(_dict(procedure, key))
        for ruling in _rulings(head):
            switch = _dict(ruling, "switch")
            name, readings = str(switch.get("name")), frozenset(map(str, _dict(switch, "options")))
            switches[name] = switches.get(name, frozenset()) | readings
        values |= set(_given(head))
    return Names(frozenset(conditions), switches, frozenset(values), frozenset(events))


def _listed(line: str) -> Iterator[str]:
    """Yield the names of a line, without what stands in parentheses and quotation marks behind each."""
    depth, is_next = 0, True
    for piece in re.findall(r'"[^"]*"|[a-z0-9_]+|\S', line):
        depth += {"(": 1, ")": -1}.get(piece, 0)
        if is_next and _NAME.fullmatch(piece):
            yield piece
        is_next = depth == 0 and piece in (",", "and")


def _dict(value: Any, key: str) -> dict[str, Any]:
    inner = value.get(key) if isinstance(value, dict) else None
    return inner if isinstance(inner, dict) else {}


def _rulings(head: Mapping[str, Any]) -> list[Any]:
    rulings = head.get("rulings")
    return list(rulings.values()) if isinstance(rulings, dict) else rulings if isinstance(rulings, list) else []


def _given(head: Mapping[str, Any]) -> Iterator[str]:
    """Yield the names that events take, give or name, in whichever form they are written."""
    waiting: list[Any] = [head.get("events"), head.get("conditions"), head.get("watches")]
    while waiting:
        value = waiting.pop()
        if isinstance(value, str) and "\n" in value:
            for match in _VALUE.finditer(value):
                yield from [match[1]] if match[1] else _listed(match[2])
        elif isinstance(value, dict):
            for key in ("takes", "dice", "counts"):
                yield from map(str, _dict(value, key))
            yield from [str(value.get("name"))] if value.get("do") == "let" else ()
            yield from map(str, value["gives"]) if isinstance(value.get("gives"), list) else ()
            waiting += value.values()
        elif isinstance(value, list):
            waiting += value
