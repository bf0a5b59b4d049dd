"""Events of the author's, as they are typed: `hit 7 type=slash`. What they take stands in the content."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from generator.base.errors import UsageError, did_you_mean
from generator.base.text_input import read_amount
from generator.model.rules import Argument, Happening, System

Given = int | str


@dataclass(frozen=True, slots=True)
class Event:
    """What happens: its name, and what was said of what it takes. The rest is figured when it happens."""

    name: str
    said: tuple[tuple[str, Given], ...] = ()

    def __str__(self) -> str:
        return " ".join((self.name, *(f"{name}={value}" for name, value in self.said)))


def typed(happening: Happening) -> dict[str, Argument]:
    """What is typed without its name, in order: whatever must be said, and the number that comes first."""
    first = next(iter(happening.takes), "")
    return {
        name: takes
        for name, takes in happening.takes.items()
        if (takes.default is None and not takes.optional) or (name == first and not takes.of)
    }


def usage(name: str, happening: Happening) -> str:
    """How an event is written: `hit N [--at type=slash|blunt]`."""
    bare = typed(happening)
    parts = [name]
    for key, takes in happening.takes.items():
        if key in bare:
            word = "|".join(takes.of) or key.upper().replace("_", "-")
            parts.append(word if takes.default is None and not takes.optional else f"[{word}]")
        else:
            parts.append(f"[--at {key}={takes.of[0] if takes.of else max(takes.least, 1)}]")
    return " ".join(parts)


def help_of(system: System) -> dict[str, str]:
    """Every event with how it is written, and what it is."""
    return {name: f"{usage(name, each)}: {each.says}" for name, each in system.head.events.items()}


def read_event(words: Sequence[str], at: Mapping[str, str], system: System) -> Event:
    """An event as typed: `hit 9` with `{"type": "fire"}`. Raises UsageError."""
    name, *rest = [*words] or [""]
    happening = system.head.events.get(name)
    if happening is None:
        raise UsageError(f'there is no event "{name[:40]}"{did_you_mean(name, system.head.events)}')
    written, given = usage(name, happening), dict[str, Given]()
    for key, takes in typed(happening).items():
        if key in at:
            continue
        if rest:
            given[key] = _read(name if not takes.of else key, rest.pop(0), takes)
        elif takes.default is None and not takes.optional:
            wanted = " or ".join(takes.of) if takes.of else "a number"
            raise UsageError(f"{name} needs {wanted}{f' ({takes.says})' if takes.says else ''}: {written}")
    if rest:
        raise UsageError(f'"{rest[0][:40]}" is too much: write {written}')
    for key, value in at.items():
        if key not in happening.takes:
            there = f": it takes {', '.join(happening.takes)}" if happening.takes else ""
            raise UsageError(f"{name} takes no --at {key[:40]}{there}")
        given[key] = _read(f"--at {key}", value, happening.takes[key])
    return Event(name, tuple((key, given[key]) for key in happening.takes if key in given))


def _read(what: str, text: str, takes: Argument) -> Given:
    if not takes.of:
        return read_amount(what, text, takes.least, takes.most)
    if text not in takes.of:
        raise UsageError(f'{what} cannot be "{text[:40]}": write {" or ".join(takes.of)}')
    return text
