"""What each kind of step does, and what is wrong with it that its type cannot say: files named as in `model/steps`.

A file registers functions for the types of its steps. Nobody lists the files: they are found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any, TypeVar

from generator.model.rules import Effect

if TYPE_CHECKING:
    from generator.games.content_face import Fault
    from generator.games.steps.definitions import Definitions
    from generator.games.steps.engine import Bench
    from generator.pack.strict_yaml import Trail
    from generator.play.apply_effects import Pen

    E = TypeVar("E", bound=Effect)
    Play = Callable[[Bench, E, Pen], "Leads | None"]
    Faults = Callable[[Definitions, E, Trail], Iterator[Fault]]
    F = TypeVar("F", bound=Faults[Any])

Leads = Iterator["Leads"]
"""What a step leads to: each has to be through before the step goes on."""
PLAYS: dict[type[Effect], Play[Any]] = {}
"""What a step does, by its type: None if it is done at once, otherwise what it leads to."""
FAULTS: dict[type[Effect], list[Faults[Any]]] = {}
"""What is wrong with a step that its type cannot say, by its type."""
RIDDLES: dict[type[Effect], list[Faults[Any]]] = {}
"""What a step may not mean as it is written, by its type: `check` warns of it."""


def plays(*kinds: type[E]) -> Callable[[Play[E]], Play[E]]:
    """Register what a step of these kinds does at the table."""

    def register(play: Play[E]) -> Play[E]:
        PLAYS.update(dict.fromkeys(kinds, play))
        return play

    return register


def faults(*kinds: type[Effect]) -> Callable[[F], F]:
    """Register what is wrong with a step of these kinds; the trail is where it stands."""
    return _added_to(FAULTS, kinds)


def riddles(*kinds: type[Effect]) -> Callable[[F], F]:
    """Register what a step of these kinds may not mean as it is written."""
    return _added_to(RIDDLES, kinds)


def _added_to(functions: dict[type[Effect], list[Faults[Any]]], kinds: tuple[type[Effect], ...]) -> Callable[[F], F]:
    def register(find: F) -> F:
        for kind in kinds:
            functions.setdefault(kind, []).append(find)
        return find

    return register


for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")
