"""A base for small values that are written as one word in content, such as `2d6+1`.

They are no dataclasses, because msgspec reads dataclasses as mappings; these are read from and written as text.
"""

from __future__ import annotations

from typing import Any


class Value:
    """An immutable value: equal, hashed and shown by its slots."""

    __slots__: tuple[str, ...] = ()

    def _parts(self) -> tuple[Any, ...]:
        return tuple([getattr(self, name) for name in self.__slots__])

    def _fill(self, **parts: Any) -> None:
        for name, part in parts.items():
            object.__setattr__(self, name, part)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"{type(self).__name__} does not change")

    def __deepcopy__(self, memo: dict[int, Any]) -> Value:
        return self

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and isinstance(other, Value) and self._parts() == other._parts()

    def __hash__(self) -> int:
        return hash((type(self), self._parts()))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(map(repr, self._parts()))})"
