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
    from generator.games.steps.definitions import Definitions
    from generator.pack.strict_yaml import Trail

    Faults = Callable[[Definitions, Any, Trail], Iterator[Fault]]
    F = TypeVar("F", bound=Faults)

__all__ = ["FAULTS", "PLAYS", "RIDDLES", "faults", "plays", "riddles"]

FAULTS: dict[type[Effect], list[Faults]] = {}
"""What is wrong with a step that its type cannot say, by its type."""
RIDDLES: dict[type[Effect], list[Faults]] = {}
"""What a step may not mean as it is written, by its type: `check` warns of it."""


def faults(*kinds: type[Effect]) -> Callable[[F], F]:
    """Register what is wrong with a step of these kinds; the trail is where it stands."""
    return _added_to(FAULTS, kinds)


def riddles(*kinds: type[Effect]) -> Callable[[F], F]:
    """Register what a step of these kinds may not mean as it is written."""
    return _added_to(RIDDLES, kinds)


def _added_to(functions: dict[type[Effect], list[Faults]], kinds: tuple[type[Effect], ...]) -> Callable[[F], F]:
    def register(find: F) -> F:
        for kind in kinds:
            functions.setdefault(kind, []).append(find)
        return find

    return register


for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")
