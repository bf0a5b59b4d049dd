"""What a helper's process can do for the studio, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from generator.studio.desk import Desk
from generator.studio.grid import Beside
from generator.studio.house import House
from generator.studio.shelf import Shelf
from generator.studio.writing import Writing


class Workshop:
    """The calls of a helper. Both helpers know all of them; which one is asked depends on what it has read."""

    def __init__(self) -> None:
        self._shelf = Shelf()
        self._beside, self._writing = Beside(self._shelf), Writing()
        self._desk, self._house = Desk(self._shelf, self._writing), House(self._shelf)

    def calls(self) -> Mapping[str, Callable[..., Any]]:
        """Return the calls by name."""
        return {
            "spine": self._shelf.spine,
            "system": self._shelf.contents,
            "picture": self._shelf.picture,
            "check": self._shelf.check,
            "controls": self._desk.controls,
            "print": self._desk.print,
            "keep": self._desk.keep,
            "page": self._desk.page,
            "parcel": self._desk.parcel,
            "rules": self._house.rules,
            "compare": self._house.compare,
            "save": self._house.save,
            "odds": self._house.odds,
            "beside": self._beside.row,
            "grid": self._writing.grid,
            "effects": self._writing.effects,
            "steps": self._writing.events,
            "words": self._writing.words,
            "write": self._writing.write,
            "put_picture": self._writing.picture,
            "begin": self._writing.begin,
            "remove": self._writing.remove,
            "roll": self._writing.roll,
        }
