"""What each kind of step does, and what is wrong with it that its type cannot say: files named as in `model/steps`.

A file registers functions for the types of its steps. Nobody lists the files: they are found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any, TypeVar

from generator.model.rules import Effect
from generator.play.apply_effects import PLAYS, plays

if TYPE_CHECKING:
    from generator.games.content_face import Fault
    from generator.games.steps.checks import StepsContent
    from generator.pack.strict_yaml import Trail

    E = TypeVar("E", bound=Effect)
    Faults = Callable[[StepsContent, E, Trail], Iterator[Fault]]

__all__ = ["FAULTS", "PLAYS", "faults", "plays"]

FAULTS: dict[type[Effect], Faults[Any]] = {}
"""What is wrong with a step, by its type."""


def faults(*kinds: type[E]) -> Callable[[Faults[E]], Faults[E]]:
    """Register what is wrong with a step of these kinds; the trail is where it stands."""

    def register(find: Faults[E]) -> Faults[E]:
        FAULTS.update(dict.fromkeys(kinds, find))
        return find

    return register


for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")
