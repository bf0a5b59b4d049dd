"""What each kind of step does, and what is wrong with it that its type cannot say: files named as in `model/steps`.

A file registers functions for the types of its steps. Nobody lists the files: they are found.
"""

from collections.abc import Callable, Iterator
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from generator.base.registry import Registrar
from generator.play.apply_effects import PLAYS, plays

__all__ = ["FAULTS", "PLAYS", "RIDDLES", "faults", "plays", "riddles"]

Faults = Callable[[Any, Any, Any], Iterator[Any]]
FAULTS: dict[type[Any], Faults] = {}
"""Yields what is wrong with a step, and its type cannot say, from what the pack defines, the step and its place."""
RIDDLES: dict[type[Any], Faults] = {}
"""Yields what a step may not mean as it is written: `check` warns of it."""
faults, riddles = Registrar(FAULTS), Registrar(RIDDLES)

for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")
