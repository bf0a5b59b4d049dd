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
    from generator.games.steps.checks import StepsContent
    from generator.games.steps.engine import Bench
    from generator.pack.strict_yaml import Trail
    from generator.play.apply_effects import Pen

    E = TypeVar("E", bound=Effect)
    Play = Callable[[Bench, E, Pen], "Leads | None"]
    Faults = Callable[[StepsContent, E, Trail], Iterator[Fault]]

Leads = Iterator["Leads"]
"""What a step leads to: each has to be through before the step goes on."""
PLAYS: dict[type[Effect], Play[Any]] = {}
"""What a step does, by its type: None if it is done at once, otherwise what it leads to."""
FAULTS: dict[type[Effect], Faults[Any]] = {}
"""What is wrong with a step, by its type."""


def plays(*kinds: type[E]) -> Callable[[Play[E]], Play[E]]:
    """Register what a step of these kinds does at the table."""

    def register(play: Play[E]) -> Play[E]:
        PLAYS.update(dict.fromkeys(kinds, play))
        return play

    return register


def faults(*kinds: type[E]) -> Callable[[Faults[E]], Faults[E]]:
    """Register what is wrong with a step of these kinds; the trail is where it stands."""

    def register(find: Faults[E]) -> Faults[E]:
        FAULTS.update(dict.fromkeys(kinds, find))
        return find

    return register


for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")
