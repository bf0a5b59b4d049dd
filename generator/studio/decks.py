"""What belongs to a deck as a whole: its back, and what the columns of its spreadsheet mean."""

from collections.abc import Iterable, Mapping
from typing import Any, get_args

from generator.model.rules import BackDesign
from generator.model.themes import BackPattern
from generator.pack.schema import meanings
from generator.studio.grid import CellColumn, GridPart

BACK = "back"
_KINDS = {"pattern": "one", "colour": "colour", "emblem": "emblem"}
_FIELDS = BackDesign.__struct_fields__


def back_row(part: GridPart, head: Mapping[str, Any]) -> dict[str, Any]:
    """Return the back of a deck as a row of its own: its columns, and what is written of it; `head` is the system's."""
    says = meanings(BackDesign)
    columns = [
        CellColumn((BACK, key), key.capitalize(), _KINDS.get(key, "text"), says[key], _values(key)) for key in _FIELDS
    ]
    picture = CellColumn((BACK, "art"), "Picture", "picture", "a picture of yours, in place of all this")
    value = written_back(part, head) | {"art": part.written.value.get("back", "")}
    return {"value": {BACK: value}, "columns": [*columns, picture], "says": {}, "from": ""}


def _values(key: str) -> tuple[str, ...]:
    return get_args(BackPattern) if key == "pattern" else ()


def back_name(part: GridPart) -> str:
    """Return the name by which a pack calls the back of a deck."""
    return part.name or part.id


def written_back(part: GridPart, head: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the files of a pack say of a deck's back."""
    backs = head.get("backs")
    found = backs.get(back_name(part)) if isinstance(backs, dict) else None
    return dict(found) if isinstance(found, dict) else {}


def changed_back(before: Mapping[str, Any], cells: Iterable[tuple[str, str]]) -> dict[str, Any]:
    """Return the design of a back with other values; an empty one is left to us."""
    after = {**before, **dict(cells)}
    return {key: after[key] for key in _FIELDS if after.get(key)}
