"""Types of content as plain data, for YAML and JSON."""

from functools import lru_cache
from typing import Any

import msgspec
from msgspec import inspect

from generator.base.dice import Dice
from generator.model.durations import OWN_ENDS, OWN_UNITS, Span, Until
from generator.model.formulas import Formula


@lru_cache(maxsize=100)
def type_of(kind: type) -> inspect.Type:
    """Return what a type is made of. To make this out takes longer than to read many a file or state."""
    return inspect.type_info(kind)


def read_custom(kind: type, written: Any) -> Any:
    """msgspec's hook for the types that are written as short text."""
    if kind is Until:
        return Until.parse(written, own=OWN_ENDS.get() is not None, units=OWN_UNITS.get())
    if kind in (Dice, Formula, Span):
        return kind.parse(written)
    raise NotImplementedError(kind)


def write_custom(value: Any) -> Any:
    """Return the way back, for JSON."""
    if isinstance(value, Dice | Formula):
        return value.plain
    if isinstance(value, Until | Span):
        return str(value)
    raise NotImplementedError(type(value))


def plain_value(value: Any) -> Any:
    """Return a noun as plain data for JSON."""
    return msgspec.to_builtins(value, enc_hook=write_custom)
