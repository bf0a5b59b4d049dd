"""What stands in a cell of a table, as it came out: its dice rolled, in few words."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from msgspec.structs import replace

from generator.base.dice import Dice
from generator.model import rules
from generator.model.rules import AnyEffect, Part, Penalty, System, Until
from generator.words.effects import effects_telegraph

Roll = Callable[[Dice], int]
"""Return the sum of the dice."""


def rolled_text(effects: Iterable[AnyEffect], system: System, roll: Roll) -> str:
    """Return the results of effects once their dice are rolled: `leg; Disabled 9 days`. Empty if there are none.

    Dice that fall later, at a check, a save or whenever a spell is cast, are left alone.
    """
    thrown: list[Dice] = []

    def noted(dice: Dice) -> int:
        thrown.append(dice)
        return roll(dice)

    parts = [part for effect in effects for part in _came_out(effect, system, noted)]
    return "; ".join(parts) if thrown else ""


def _came_out(effect: AnyEffect, system: System, roll: Roll) -> Iterator[str]:
    match effect:
        case rules.Locate():
            yield _where(system.head.parts[effect.part], roll)
        case rules.Lose():
            yield f"lose {_where(system.head.parts[effect.part], roll)}"
        case rules.OneOf():
            yield from _came_out(effect.effects[roll(Dice(1, len(effect.effects))) - 1], system, roll)
        case Penalty() if effect.each and not effect.by.is_number:
            until = _span(effect.until, roll)
            apart = [replace(effect, to=(name,), by=_number(effect.by, roll), until=until) for name in effect.to]
            yield effects_telegraph(apart, system)
        case _:
            # What comes about at once has its number and its times; dice that fall later stand in other keys.
            given = {name: getattr(effect, name, None) for name in ("by", "until", "after")}
            rolled: dict[str, Any] = {
                name: _number(each, roll) if isinstance(each, Dice) else _span(each, roll)
                for name, each in given.items()
                if isinstance(each, Dice | Until)
            }
            yield effects_telegraph([replace(effect, **rolled)], system)


def _where(part: Part, roll: Roll) -> str:
    """Return which of a part, and how much of it."""
    which = part.places[roll(part.die) - 1] if part.die else part.name
    much = f" ({part.extent.steps[roll(part.extent.die) - 1]})" if part.extent else ""
    return (f"{which} {part.name}" if which in ("left", "right") else which) + much


def _span(until: Until, roll: Roll) -> Until:
    return until if until.amount is None else Until(until.word, _number(until.amount, roll))


def _number(dice: Dice, roll: Roll) -> Dice:
    return dice if dice.is_number else Dice(0, 0, roll(dice))
