"""Events of the author's, as they are typed: `hit 7 type=slash`. What they take stands in the content."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from generator.base.errors import UsageError
from generator.model import rules
from generator.model.rules import Happening, Question, System
from generator.play.event_spec import Argument, EventSpec, option, read

Given = int | str


@dataclass(frozen=True, slots=True)
class Event:
    """What happens: its name, and what was said of what it takes. The rest is figured when it happens."""

    name: str
    said: tuple[tuple[str, Given], ...] = ()

    def __str__(self) -> str:
        return " ".join((self.name, *(f"{name}={value}" for name, value in self.said)))


@dataclass(frozen=True, slots=True)
class Asking:
    """A question of the author's: the values that the event takes one after the other, and how many it befalls."""

    name: str
    values: tuple[int, ...]
    people: int


MOST_PEOPLE = 1000
MOST_VALUES = 20


def question_of(name: str, question: Question, system: System) -> EventSpec:
    """How a question is typed: `breakdown [--at characters=5] [--at points=2,1]`."""
    takes = system.head.events[question.event].takes[question.each]
    each = option(question.each, "number", least=takes.least, most=takes.most, sample="2,1", default=(1,), many=True)
    return EventSpec(
        name, question.says, (option("characters", "number", most=MOST_PEOPLE, sample="5", default=1), each)
    )


def read_asking(specs: Mapping[str, EventSpec], words: Sequence[str], at: Mapping[str, str], each: str) -> Asking:
    """A question as typed. Raises UsageError."""
    values = read(specs, words, at, {})
    if len(values[each]) > MOST_VALUES:
        raise UsageError(f"--at {each}: {len(values[each])} are too many, {MOST_VALUES} at most")
    return Asking(words[0], tuple(values[each]), values["characters"])


def spec_of(name: str, happening: Happening, system: System) -> EventSpec:
    """How an event is typed: what must be said, and a number that comes first, in its place; the rest by its name."""
    first = next(iter(happening.takes), "")
    takes = [_argument(key, takes, first=key == first) for key, takes in happening.takes.items()]
    luck = ("cards", "dice") if system.piles else ("dice",)
    return EventSpec(name, happening.says, tuple(takes), luck, time=_passes_time(name, system))


def _passes_time(name: str, system: System, calling: tuple[str, ...] = ()) -> bool:
    """Whether an event is the passing of time: that is its first step, or that of the event which it calls first."""
    happening = system.head.events.get(name)
    first = next(iter(happening.do_), None) if happening and name not in calling else None
    if isinstance(first, rules.Call):
        return _passes_time(first.event, system, (*calling, name))
    return isinstance(first, rules.Pass)


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
    return {name: spec_of(name, happening, system) for name, happening in system.head.events.items()}


def read_event(specs: Mapping[str, EventSpec], words: Sequence[str], at: Mapping[str, str]) -> Event:
    """An event as typed: `hit 9` with `{"type": "fire"}`. Raises UsageError."""
    values = read(specs, words, at, {})
    return Event(words[0], tuple(values.items()))
