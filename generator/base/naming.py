"""Names in content: fields whose types say that they hold the name of something, and the names in them."""

from collections.abc import Iterator
from functools import cache
from typing import Any, get_args, get_origin

from msgspec import Struct
from msgspec.structs import fields

from generator.base.fields import Names

Trail = tuple[str | int, ...]


def texts(value: Any, trail: Trail) -> Iterator[tuple[Trail, str]]:
    """Yield every text in the value of a field, outside other structs."""
    if isinstance(value, str):
        yield trail, value
    elif isinstance(value, tuple | dict):
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            yield from texts(item, (*trail, key))


@cache
def naming(kind: type[Struct]) -> tuple[tuple[str, list[Names], list[Names]], ...]:
    """Return the fields of a struct whose keys or values name something, each with what those name."""
    named_fields: list[tuple[str, list[Names], list[Names]]] = []
    for field in fields(kind):
        keys, values = (list(_marks(part)) for part in _key_and_value(field.type))
        named_fields += [(field.name, keys, values)] if keys or values else []
    return tuple(named_fields)


@cache
def fields_naming(kind: type[Struct], *nouns: str) -> tuple[str, ...]:
    """Return the fields of a struct whose values name one of some things."""
    return tuple(field for field, _, values in naming(kind) if any(mark.noun in nouns for mark in values))


def named(struct: Struct, *nouns: str) -> Iterator[str]:
    """Yield the names of some things that stand in the fields of a struct."""
    for field in fields_naming(type(struct), *nouns):
        yield from (text for _, text in texts(getattr(struct, field), ()))


def _key_and_value(hint: Any) -> tuple[Any, Any]:
    """Return the types of the keys and of the values of a field with a mapping; None and its type for another."""
    bare = hint.__origin__ if hasattr(hint, "__metadata__") else hint
    return get_args(bare) if get_origin(bare) is dict else (None, hint)


def _marks(hint: Any) -> Iterator[Names]:
    """Yield what the texts of a type name."""
    yield from (mark for mark in getattr(hint, "__metadata__", ()) if isinstance(mark, Names))
    for part in get_args(hint):
        yield from _marks(part)
