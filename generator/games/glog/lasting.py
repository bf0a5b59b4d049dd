"""What effects leave behind in the end: which injuries, and how many of them count for the next blow (G7)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import assert_never

from generator.games.glog.state import lasting_counts
from generator.model import rules
from generator.model.rules import AnyEffect, Cure, Penalty, Save, Suffer, System

DAYS = ("day", "week", "month", "save", "permanent")
"""Whatever lasts so is an injury (G7); only the last of them is never over."""


@dataclass(frozen=True, slots=True)
class Left:
    """So many injuries that count, at the least and at the most, by the rolls and saves on the way; the conditions that
    are counted in days; and whether there may be one that later saves end."""

    least: int = 0
    most: int = 0
    counted: tuple[str, ...] = ()
    saved: bool = False


def left_by(effects: Iterable[AnyEffect], system: System, part: str = "") -> Left:
    """What a cell leaves behind where it hits that part of the body; without one, wherever it may hit."""
    return _all(_left(effect, system, part, "", "now") for effect in effects)


def _left(effect: AnyEffect, system: System, part: str, of: str, lasts: str) -> Left:
    """What one effect leaves, of a condition or of none, which lasts that long."""

    def each(effects: Iterable[AnyEffect]) -> Iterator[Left]:
        return (_left(inner, system, part, of, lasts) for inner in effects)

    if isinstance(effect, rules.Halve | rules.Locate | rules.Drop | rules.Risk | rules.CardsOnly | rules.Step):
        return Left()
    match effect:
        case Suffer() | Penalty() if part and effect.where not in (None, part):
            return Left()
        case Suffer(after=None):
            suffered = _suffered(effect, system, part, of, lasts)
            return suffered if part or not effect.where else _one([suffered, Left()])
        case Cure() if effect.condition == of:
            # It takes away what it comes with.
            return Left(-_counts(lasts, system), -_counts(lasts, system))
        case rules.OneOf():
            return _one(each(effect.effects))
        case rules.Maybe():
            return _one([_all(each(effect.effects)), Left()])
        case Save() if lasts == "permanent" or not effect.permanent:
            return _one([_all(each(effect.passes)), _all(each(effect.fails))])
        case Suffer() | Penalty() | Cure() | Save():
            return Left()
        case _:
            assert_never(effect)


def _suffered(effect: Suffer, system: System, part: str, of: str, lasts: str) -> Left:
    """A condition and what comes with it; what lasts as long as the condition that it comes with is a part of that."""
    same, name = effect.until.word == "same", effect.condition
    word = lasts if same else effect.until.word
    own = Left()
    if word in DAYS and not (same and of):
        counted = (name,) if word in DAYS[:3] else ()
        own = Left(_counts(word, system), _counts(word, system), counted, word == "save")
    return _all([own, *(_left(each, system, part, name, word) for each in system.head.conditions[name].implies)])


def _counts(word: str, system: System) -> int:
    """1 for what counts as an injury where it lasts so long, otherwise 0."""
    return int(word in DAYS and (word != "permanent" or lasting_counts(system)))


def _all(found: Iterable[Left]) -> Left:
    """One after the other."""
    ways = [*found]
    return Left(sum(way.least for way in ways), sum(way.most for way in ways), *_lines(ways))


def _one(found: Iterable[Left]) -> Left:
    """One or the other."""
    ways = [*found]
    return Left(min(way.least for way in ways), max(way.most for way in ways), *_lines(ways))


def _lines(ways: list[Left]) -> tuple[tuple[str, ...], bool]:
    """What there must be a line for, of any of them."""
    return tuple(dict.fromkeys(name for way in ways for name in way.counted)), any(way.saved for way in ways)
