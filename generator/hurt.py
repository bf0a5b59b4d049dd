"""Where on the figure of a sheet a character is hurt, as the state says it in words: `left arm`, `right hand thumb`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, get_args

from generator.rules import Area, System

SIDES = ("left", "right")

Spot = tuple[Area, str]
"""An area of the figure, and the side it is on where that is known."""


def spots(state: Mapping[str, Any], system: System) -> tuple[Spot, ...]:
    """The spots of all that a state lists with a place, each once. What the figure does not show is left out."""
    found = {
        spot: None
        for listed in state.values()
        if isinstance(listed, list | tuple)
        for entry in listed
        if isinstance(entry, Mapping)
        for spot in _spots(str(entry.get("place") or ""), system)
    }
    return tuple(found)


def _spots(place: str, system: System) -> Iterator[Spot]:
    """A place as an area: one that it names, or where the part of the body that it names is shown."""
    words = re.findall(r"[^\W\d_]+", place.lower())
    side = next((word for word in words if word in SIDES), "")
    areas = [area for area in get_args(Area) if area in words]
    for part in system.head.parts.values():
        if part.figure and not areas and (part.name.lower() in words or place.startswith(part.sides or "\n")):
            areas.append(part.figure)
    for area in areas[:1]:
        yield area, side
