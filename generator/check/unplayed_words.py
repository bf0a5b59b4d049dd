"""Words of an author's that promise what no step beside them does: *until* where nothing ends, *unless* where nothing
is asked.

These are warnings, for people at the table may well keep such a rule by themselves. The comment `# by hand` at the end
of the line says that they do.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from generator.base.errors import Problem
from generator.check.references import nodes
from generator.model.procedures import Telling
from generator.model.rules import (
    UNPLAYED,
    Again,
    AnyEffect,
    Call,
    Card,
    CardFace,
    Check,
    Condition,
    Cure,
    Draw,
    DrawCard,
    End,
    Halve,
    Happening,
    LookUp,
    Maybe,
    OneOf,
    Pass,
    Penalty,
    Repeat,
    Risk,
    RollFor,
    Row,
    Save,
    Say,
    Shorten,
    Spare,
    Step,
    Suffer,
    System,
    Watch,
    Whenever,
    walk,
)
from generator.pack.strict_yaml import Marks, Trail

_TIMES = r"(?:round|turn|minute|hour|day|night|week|month)s?"


@dataclass(frozen=True)
class _Promise:
    """Words, what keeps them, and what is said where nothing does: `cures` are the steps to write instead."""

    words: re.Pattern[str]
    kept: Callable[[AnyEffect, System], bool]
    says: str
    cures: tuple[str, ...]


def _ends(effect: AnyEffect, system: System) -> bool:
    until = getattr(effect, "until", None)
    if isinstance(effect, Suffer) and (known := system.head.conditions.get(effect.condition)):
        return bool(known.ends or known.chances) or effect.until.word not in ("now", "permanent")
    lasts = until is not None and getattr(until, "word", "") not in ("now", "permanent")
    return lasts or isinstance(effect, End | Cure | Shorten | Save)


def _depends(effect: AnyEffect, system: System) -> bool:
    del system
    asks = effect.do == "when" or isinstance(effect, Check | Save | Maybe | OneOf | RollFor | Risk | Draw | Again)
    told = getattr(effect, "where", None) or getattr(effect, "after", None) or getattr(effect, "unless", None)
    return asks or bool(told) or isinstance(effect, Halve | Spare | Repeat | Whenever)


def _recurs(effect: AnyEffect, system: System) -> bool:
    if isinstance(effect, Suffer):
        known = system.head.conditions.get(effect.condition)
        return bool(effect.times or (known and known.each))
    return isinstance(effect, Pass | Whenever | Risk) or (isinstance(effect, Penalty) and bool(effect.per))


def _doubles(effect: AnyEffect, system: System) -> bool:
    del system
    counted = (getattr(effect, name, None) for name in ("by", "to", "be", "times", "levels", "cards", "upto", "holds"))
    return isinstance(effect, Repeat | Again) or any("2" in str(value) for value in counted if value is not None)


_PROMISES = (
    _Promise(re.compile(r"\buntil\b", re.I), _ends, "nothing here ends", ("suffer", "end")),
    _Promise(
        re.compile(r"\b(?:unless|instead|except|only if)\b", re.I),
        _depends,
        "nothing here is asked or rolled",
        ("when", "check", "save", "maybe"),
    ),
    _Promise(
        re.compile(rf"(?<!\bfor )\b(?:each|every) {_TIMES}\b", re.I),
        _recurs,
        "nothing here comes again",
        ("pass", "whenever"),
    ),
    _Promise(re.compile(r"\btwice\b", re.I), _doubles, "nothing here counts twice", ("repeat", "raise", "lower")),
    _Promise(
        re.compile(rf"\bat the end of\b(?= (?:the|each|every|that|this) {_TIMES})", re.I),
        lambda effect, system: _ends(effect, system) or _recurs(effect, system),
        "nothing here happens later",
        ("suffer", "pass"),
    ),
)


def warnings(system: System, marks: Mapping[str, Marks]) -> Iterator[Problem]:
    """Yield the words that nothing beside them keeps, each at its text."""
    files: dict[str, tuple[Trail, Any]] = {
        "system.yaml": ((), system.head),
        "deck.yaml": ((), system.deck),
        "decks.yaml": (("decks",), system.decks),
        "tables.yaml": (("tables",), system.tables),
    }
    for name, (start, value) in files.items():
        for trail, node, _ in nodes(value, start) if name in marks else ():
            for where, text, effects in _texts(node):
                place = (*trail, *where)
                if not marks[name].by_hand(place):
                    for message in _broken(text, effects, system):
                        yield marks[name].problem(place, message)


def _broken(text: str, effects: tuple[AnyEffect, ...], system: System) -> Iterator[str]:
    """What a text promises and these effects, and whatever they lead to, do not keep."""
    reached = list(_reached(effects, system))
    # What a table or a card says is another text's business.
    if not reached or any(isinstance(effect, LookUp | DrawCard) for effect in reached):
        return
    for promise in _PROMISES:
        if (found := promise.words.search(text)) and not any(promise.kept(each, system) for each in reached):
            can = [f"do: {cure}" for cure in promise.cures if (system.kind, cure) not in UNPLAYED]
            cure = f"write {' or '.join(can)}" if can else "change the steps"
            yield (
                f'the text says "{found[0]}", but {promise.says}: {cure}, or leave the word out; '
                "if people see to it themselves, end the line with # by hand"
            )


def _reached(effects: tuple[AnyEffect, ...], system: System) -> Iterator[AnyEffect]:
    """Effects, those inside them, and those of events that they call and conditions that they bring, each once."""
    waiting, seen = [effects], set()
    while waiting:
        for _, effect in walk(waiting.pop()):
            yield effect
            about = effect.event if isinstance(effect, Call) else effect.condition if isinstance(effect, Suffer) else ""
            if about and (effect.do, about) not in seen:
                seen.add((effect.do, about))
                head = system.head
                if isinstance(effect, Call) and effect.event in head.events:
                    waiting.append(head.events[effect.event].do_)
                elif isinstance(effect, Suffer) and effect.condition in head.conditions:
                    waiting.append(head.conditions[effect.condition].implies)


_Text = tuple[Trail, str, tuple[AnyEffect, ...]]


def _texts(node: Any) -> Iterator[_Text]:
    """The texts of something in the content, each with where it stands and the effects beside it."""
    lists = dict(_lists(node))
    beside = tuple(effect for effects in lists.values() for effect in effects)
    for name in ("says", "note", "name") if isinstance(node, Row | Card | CardFace | Condition | Watch) else ():
        if isinstance(text := getattr(node, name, None), str):
            yield (name,), text, beside
    if isinstance(node, Condition):
        yield from ((("notes", place), text, beside) for place, text in enumerate(node.notes))
    if isinstance(node, Row):
        yield from ((("cells", at), cell, beside) for at, cell in node.cells.items() if isinstance(cell, str))
    for start, effects in lists.items():
        for trail, effect in walk(effects):
            if isinstance(effect, Step):
                own = effects if isinstance(effect, Say) and not effect.do_ else (effect,)
                for name in ("says", "log"):
                    words = getattr(effect, name)
                    if text := words.says if isinstance(words, Telling) else words:
                        yield (*start, *trail, name), text, own


def _lists(node: Any) -> Iterator[tuple[Trail, tuple[AnyEffect, ...]]]:
    """The lists of effects of something in the content, each with the keys that lead to it."""
    match node:
        case Happening() | Watch():
            yield ("do",), node.do_
        case Card():
            yield from ((("effects",), node.effects), (("for_good",), node.for_good))
            # A note of the card may speak of what only its faces do.
            yield from ((("faces", name, "effects"), face.effects) for name, face in node.faces.items())
        case CardFace():
            yield ("effects",), node.effects
        case Row():
            yield ("effects",), node.effects
            yield from ((("cells", name), cell) for name, cell in node.cells.items() if isinstance(cell, tuple))
        case Condition():
            yield ("implies",), node.implies
            yield from ((("each", name), effects) for name, effects in node.each.items())
            yield from ((("ends", name), effects) for name, effects in node.ends.items())
