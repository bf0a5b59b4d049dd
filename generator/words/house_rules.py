"""What may be set otherwise at a table: the switches and numbers of a system, with what each does."""

import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from msgspec import Struct

from generator.model.procedures import Steps
from generator.model.rules import System, plain_value
from generator.pack.schema import bounds, meanings
from generator.words.wording import fill_placeholders


class HouseRule(Struct, frozen=True, omit_defaults=True):
    """A switch or a number: its value in force, the default, the values that it may have, and what it does.

    `values` names every option of a switch, and `readings` says what each means; for a number it says the bounds.
    """

    name: str
    value: str
    default: str
    values: tuple[str, ...]
    does: str
    ruling: str = ""
    readings: dict[str, str] = {}

    @property
    def changed(self) -> bool:
        """Whether it is not at its default."""
        return self.value != self.default


def switch_rules(system: System) -> tuple[HouseRule, ...]:
    """Return the switches of a system in the order of its rulings; each does what the reading in force says."""
    rows = []
    for ruling in system.head.rulings:
        if (switch := ruling.switch) is not None:
            value = system.setting(switch.name) or switch.default
            readings = {option: fill_placeholders(says, system) for option, says in switch.options.items()}
            about = f"{ruling.id}: {fill_placeholders(ruling.point, system)}"
            options = tuple(switch.options)
            rows.append(HouseRule(switch.name, value, switch.default, options, readings[value], about, readings))
    return tuple(rows)


def number_rules(system: System) -> tuple[HouseRule, ...]:
    """Return the numbers and dice of a system's procedure, as `system.yaml` lists them.

    What a number does stands with its kind of procedure; one that an author has named does what a text says that
    quotes it.
    """
    procedure = system.head.procedure
    kind, own = type(procedure), procedure.bounds if isinstance(procedure, Steps) else None
    says = {} if own is not None else meanings(kind)
    texts = tuple(_texts(system)) if own is not None else ()
    defaults = system.usual_numbers
    return tuple(
        HouseRule(
            name,
            value,
            defaults.get(name, value),
            (bounds(kind, name) if own is None else str(own.get(name, "a whole number or dice")),),
            says.get(name) or _quoting(name, texts, system),
        )
        for name, value in system.numbers.items()
    )


def _texts(system: System) -> Iterator[str]:
    """Every text of the content that may quote a number: tracks and rulings first, then events and panels."""
    yield from (track.means for track in system.head.tracks.values())
    yield from (ruling.ours for ruling in system.head.rulings)
    waiting: list[Any] = [plain_value(system.head), *(plain_value(file) for _, file in system.panels)]
    while waiting:
        value = waiting.pop(0)
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict | list | tuple):
            # What the log says has values of the moment in it, which are not known here.
            inside = (each for key, each in value.items() if key != "log") if isinstance(value, dict) else value
            waiting[:0] = inside


def _quoting(name: str, texts: tuple[str, ...], system: System) -> str:
    """Return the first sentence that quotes a number, with the numbers in it; empty where none can be found."""
    for text in texts:
        for sentence in re.split(r"(?<=[.!?]) ", text):
            if f"{{{name}}}" in sentence:
                with suppress(KeyError):
                    return fill_placeholders(sentence, system)
    return ""
