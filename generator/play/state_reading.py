"""States as plain data, whatever the game: a mapping of known keys, whose values have the right shapes."""

import re
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import msgspec
from msgspec import inspect

from generator.base.errors import HackjackError, did_you_mean
from generator.model.rules import read_custom, type_of

State = TypeVar("State", bound=msgspec.Struct)
Mapped = dict[str, Any]


def _as_given(value: Mapped) -> Mapped:
    return value


def read_struct(value: Any, kind: type[State], fresh: str, shaped: Callable[[Mapped], Mapped] = _as_given) -> State:
    """Return a state of that kind. `fresh` says what an empty one stands for; `shaped` puts short forms into full ones.

    Raises HackjackError for anything but a mapping, for an unknown key, and for a value of the wrong shape or beyond
    the limits of its type.
    """
    if not isinstance(value, dict):
        raise HackjackError(f"the state is not a JSON object: write {{}} for {fresh}")
    fields = kind.__struct_fields__
    for key in value:
        if key not in fields:
            raise HackjackError(f'the state has an unknown key "{str(key)[:40]}"{did_you_mean(str(key), fields)}')
    value = shaped(value)
    try:
        return msgspec.convert(value, kind, dec_hook=read_custom)
    except msgspec.ValidationError as error:
        beyond = _beyond(value, type_of(kind), "")
        fault = f"{_holder(value, str(error))}: {error.__cause__}" if error.__cause__ else error
        raise HackjackError(next(beyond, f"the state cannot be read: {fault}")) from error


def _holder(value: Mapped, error: str) -> str:
    """Whose text cannot be read, where the error ends with the path to it: a condition, the wound of a card, a key."""
    inner: Any = value
    holder, key = value, ""
    for step in re.findall(r"[^.\[\]]+", error.rpartition("`$.")[2].removesuffix("`")):
        if isinstance(inner, dict):
            holder, key, inner = inner, step, inner.get(step)
        elif isinstance(inner, list):
            inner = inner[int(step)]
    if card := holder.get("card"):
        return f"the wound of {card}"
    return str(holder.get("condition", key))


def _beyond(value: Any, kind: inspect.Type, name: str) -> Iterator[str]:
    """Sentences on what is beyond the limits of its type: numbers and lists; `name` is where it stands."""
    match kind:
        case inspect.Metadata():
            hint = (kind.extra_json_schema or {}).get("description")
            below = hint is not None and isinstance(value, int) and value < 0
            yield from (f"{problem}; {hint}" if below else problem for problem in _beyond(value, kind.type, name))
        case inspect.UnionType():
            for option in kind.types if value is not None else ():
                yield from _beyond(value, option, name)
        case inspect.StructType() if isinstance(value, dict):
            fields = {field.encode_name: field.type for field in kind.fields}
            if kind.cls.__struct_config__.forbid_unknown_fields and kind.tag_field not in value:
                for key in value.keys() - fields.keys():
                    hint = did_you_mean(key, fields) or f"; known: {', '.join(fields)}"
                    yield f'the state\'s {name} has an unknown key "{key[:40]}"{hint}'
            for field in kind.fields:
                yield from _beyond(value.get(field.name), field.type, f"{name}.{field.name}" if name else field.name)
        case inspect.VarTupleType(max_length=int() as most) if isinstance(value, list) and len(value) > most:
            yield f"the state's {name} are more than {most:,}"
        case inspect.VarTupleType() if isinstance(value, list):
            for place, item in enumerate(value):
                yield from _beyond(item, kind.item_type, f"{name}[{place}]")
        case inspect.DictType(max_length=int() as most) if isinstance(value, dict) and len(value) > most:
            yield f"the state's {name} are more than {most:,}"
        case inspect.IntType(ge=int() as least, le=int() as most) if type(value) is int and not least <= value <= most:
            yield f"the state's {name} is {value:,}: it must be from {least:,} to {most:,}"
