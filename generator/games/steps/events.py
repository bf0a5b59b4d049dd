"""Events of the author's, as they are typed: `hit 7 type=slash`. What they take stands in the content."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from generator.model import rules
from generator.model.rules import Happening, System
from generator.play.event_spec import Argument, EventSpec, read

Given = int | str


@dataclass(frozen=True, slots=True)
class Event:
    """What happens: its name, and what was said of what it takes. The rest is figured when it happens."""

    name: str
    said: tuple[tuple[str, Given], ...] = ()

    def __str__(self) -> str:
        return " ".join((self.name, *(f"{name}={value}" for name, value in self.said)))


def spec_of(name: str, happening: Happening) -> EventSpec:
    """How an event is typed: what must be said, and a number that comes first, in its place; the rest by its name."""
    first = next(iter(happening.takes), "")
    takes = [_argument(key, takes, first=key == first) for key, takes in happening.takes.items()]
    return EventSpec(name, happening.says, tuple(takes), ("dice",))


def _argument(name: str, takes: rules.Argument, *, first: bool) -> Argument:
    needed = takes.default is None and not takes.optional
    apart = not needed and not (first and not takes.of)
    return Argument(
        name,
        "word" if takes.of else "number",
        takes.of,
        takes.least,
        takes.most,
        sample="" if takes.of else str(max(takes.least, 1)) if apart else name.upper().replace("_", "-"),
        called=takes.says or ("" if takes.of else "a number"),
        optional=not needed,
        option=apart,
    )


def events_of(system: System) -> dict[str, EventSpec]:
    """Every event of the content by its name."""
    return {name: spec_of(name, happening) for name, happening in system.head.events.items()}


def read_event(specs: Mapping[str, EventSpec], words: Sequence[str], at: Mapping[str, str]) -> Event:
    """An event as typed: `hit 9` with `{"type": "fire"}`. Raises UsageError."""
    values = read(specs, words, at, {})
    return Event(words[0], tuple(values.items()))
