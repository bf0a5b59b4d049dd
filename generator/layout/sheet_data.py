"""The filling of a sheet, and where on its figure a character is hurt: `left arm`, `right hand thumb`."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, get_args

from msgspec import Struct, field

from generator.model.rules import Area, Part, System

SIDES = ("left", "right")

Spot = tuple[Area, str]
"""An area of the figure, and the side it is on where that is known."""


def spots_of_state(state: Mapping[str, Any], system: System) -> tuple[Spot, ...]:
    """Return the spots of all that a state lists with a place, each once. What the figure does not show is left out."""
    places = [
        str(entry.get("place") or "")
        for listed in state.values()
        if isinstance(listed, list | tuple)
        for entry in listed
        if isinstance(entry, Mapping)
    ]
    return tuple(dict.fromkeys(spot for place in places if (spot := _spot(place.lower(), system))))


def _spot(place: str, system: System) -> Spot | None:
    """Return a place as an area: one that it names, or where the part of the body that it names is shown."""
    words = re.findall(r"[^\W\d_]+", place)
    side = next((word for word in words if word in SIDES), "")
    named = [area for area in get_args(Area) if area in words]
    figures = [part.figure for part in system.head.parts.values() if part.figure and _names(place, words, part)]
    area = next(iter((*named, *figures)), None)
    return (area, side) if area else None


def _names(place: str, words: Sequence[str], part: Part) -> bool:
    """Return whether a place names a part of the body, or one of its sides."""
    return part.name.lower() in words or any(place.startswith(side.lower()) for side in part.sides)


class Filling(Struct, frozen=True):
    """A character's name and state as plain data; both empty for a blank sheet.

    Without `spare` there are no rows to write on beyond those that are filled.
    """

    name: str = ""
    state: Mapping[str, Any] = field(default_factory=dict)
    spare: bool = True

    def rows(self, least: int, filled: int) -> int:
        """Return how many rows a list has that should have so many, and of which so many are filled."""
        return max(least if self.spare else 1, filled)
