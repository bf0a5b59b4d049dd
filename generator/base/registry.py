"""Functions that are registered by types."""

from collections.abc import Callable
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


class Registrar:
    """A decorator that registers a function for the types that it names: `@plays(Raise, Lower)`."""

    def __init__(self, functions: dict[type[Any], Any]) -> None:
        self._functions = functions

    def __call__(self, *kinds: type[Any]) -> Callable[[F], F]:
        """Return what registers a function for some types."""

        def register(function: F) -> F:
            self._functions.update(dict.fromkeys(kinds, function))
            return function

        return register
