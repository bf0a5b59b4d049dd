"""States as plain data, whatever the game: a mapping of known keys, whose values have the right shapes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import msgspec

from generator.base.errors import HackjackError, did_you_mean
from generator.model.rules import read_custom

State = TypeVar("State", bound=msgspec.Struct)
Mapped = dict[str, Any]


def _as_given(value: Mapped) -> Mapped:
    return value


def read_struct(value: Any, kind: type[State], fresh: str, shaped: Callable[[Mapped], Mapped] = _as_given) -> State:
    """A state of that kind. `fresh` says what an empty one stands for; `shaped` puts short forms into full ones.

    Raises HackjackError for anything but a mapping, for an unknown key, and for a value of the wrong shape.
    """
    if not isinstance(value, dict):
        raise HackjackError(f"the state is not a JSON object: write {{}} for {fresh}")
    known = kind.__struct_fields__
    for key in value:
        if key not in known:
            raise HackjackError(f'the state has an unknown key "{str(key)[:40]}"{did_you_mean(str(key), known)}')
    try:
        return msgspec.convert(shaped(value), kind, dec_hook=read_custom)
    except msgspec.ValidationError as error:
        raise HackjackError(f"the state cannot be read: {error}") from error
