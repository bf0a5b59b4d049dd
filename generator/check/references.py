"""Names in content: a field that holds the name of something says so in its type, and the thing must be there."""

from collections.abc import Collection, Iterable, Iterator
from typing import Any

from msgspec import Struct

from generator.base.cards import ALL_CODES
from generator.base.emblem_names import EMBLEMS, is_picture
from generator.base.errors import HackjackError, did_you_mean
from generator.base.fields import Names
from generator.base.files import file_inside
from generator.base.naming import naming, texts
from generator.games.content_face import Content, Fault, known
from generator.model.procedures import Steps
from generator.model.rules import Effect, System, Table
from generator.model.themes import FORMER_NAME, FORMER_NAME_TOLD
from generator.pack import themes
from generator.pack.pack_locations import holder
from generator.pack.strict_yaml import Trail
from generator.play.piles import all_names

StructAt = tuple[Trail, Struct, tuple[Struct, ...]]
"""A struct, with the trail to it and all that it stands in, from the outermost inwards."""


def nodes(value: Any, trail: Trail = (), around: tuple[Struct, ...] = ()) -> Iterator[StructAt]:
    """Every struct in a file of content, that which holds others before them."""
    inner: Iterable[tuple[str | int, Any]] = ()
    if isinstance(value, Struct):
        yield trail, value, around
        names = zip(value.__struct_encode_fields__, value.__struct_fields__, strict=True)
        inner, around = [(written, getattr(value, name)) for written, name in names], (*around, value)
    elif isinstance(value, tuple):
        inner = enumerate(value)
    elif isinstance(value, dict):
        inner = value.items()
    for key, item in inner:
        if isinstance(item, Struct | tuple | dict):
            yield from nodes(item, (*trail, key), around)


def effect_lists(node: StructAt) -> Iterator[tuple[Trail, tuple[Effect, ...]]]:
    """Yield every list of effects in the fields of a struct, with the trail to it."""
    trail, value, _ = node
    names = zip(value.__struct_encode_fields__, value.__struct_fields__, strict=True)
    for written, name in names:
        field = getattr(value, name)
        for key, inner in field.items() if isinstance(field, dict) else ((None, field),):
            if isinstance(inner, tuple) and inner and isinstance(inner[0], Effect):
                yield (*trail, written, *((key,) if key is not None else ())), inner


class References:
    """What the content of one system may name."""

    def __init__(self, system: System, content: Content) -> None:
        head = system.head
        self.system = system
        self.known: dict[str, Collection[str]] = {
            "card": (*ALL_CODES, *(name for full in all_names(system) for name in (full, full.rpartition(":")[2]))),
            "chart": content.CHARTS,
            "condition": head.conditions,
            "deck": system.piles,
            "emblem": EMBLEMS,
            "event": head.events,
            "number": system.numbers,
            "part": head.parts,
            "pile": head.procedure.piles if isinstance(head.procedure, Steps) else (),
            "ruling": [ruling.id for ruling in head.rulings],
            "statistic": head.statistics,
            "table": [table.id for table in system.tables],
            "theme": themes.shipped(),
            "track": head.tracks,
            "unit of time": system.units,
            **content.names(),
        }

    def faults(self, node: StructAt) -> Iterator[Fault]:
        """Yield the names in the fields of one struct that nothing has; of structs inside it those stand there."""
        trail, struct, around = node
        written = dict(zip(struct.__struct_fields__, struct.__struct_encode_fields__, strict=True))
        for field, keys, names in naming(type(struct)):
            value, where = getattr(struct, field), (*trail, written[field])
            for key in value if keys else ():
                yield from self._faults(keys, key, struct, around, (*where, key))
            for place, text in texts(value, where) if names else ():
                yield from self._faults(names, text, struct, around, place)

    def _faults(
        self, marks: Iterable[Names], text: str, struct: Struct, around: tuple[Struct, ...], trail: Trail
    ) -> Iterator[Fault]:
        for mark in marks:
            for name in [text] if mark.within is None else mark.within.findall(text):
                match mark.noun:
                    case "picture":
                        yield from self._picture(name, trail)
                    case "emblem" if is_picture(name):
                        yield from self._picture(name, trail)
                    case "font":
                        yield from self._font(name, trail)
                    case "quoted number":
                        yield from self._quoted(name, trail)
                    case "column":
                        if (table := self._table(struct, around)) is not None:
                            yield from known(name, (*table.columns, *mark.also), "column", trail)
                    case "theme" if name.casefold() == FORMER_NAME:
                        yield trail, FORMER_NAME_TOLD
                    case noun if noun in self.known:
                        yield from known(name, (*self.known[noun], *mark.also), noun.removeprefix("own "), trail)

    def _table(self, struct: Struct, around: tuple[Struct, ...]) -> Table | None:
        """The table whose columns a struct speaks of: the one that it names, or the one that it stands in."""
        if named := getattr(struct, "table", None):
            return self.system.table(named)
        return next((above for above in around if isinstance(above, Table)), None)

    def _picture(self, path: str, trail: Trail) -> Iterator[Fault]:
        """A picture lies in the pack's folder; whether it can be printed is seen where it is opened."""
        if (folder := holder(self.system, path)) is not None:
            try:
                file_inside(folder, path)
            except HackjackError as error:
                yield trail, str(error)

    def _font(self, name: str, trail: Trail) -> Iterator[Fault]:
        """A font of ours, or one in the pack's folder that may be embedded."""
        # Only here, because few packs name fonts and most commands draw nothing.
        from generator.paper.themed import font_of

        try:
            font_of(name, self.system)
        except HackjackError as error:
            yield trail, str(error)

    def _quoted(self, name: str, trail: Trail) -> Iterator[Fault]:
        if name in self.system.readings and trail[0] == "rulings":
            yield trail, f"a ruling cannot quote another: write out what {{{name}}} says"
        elif name not in self.system.numbers and name not in self.system.readings:
            hint = did_you_mean(name, self.system.numbers)
            yield trail, f'there is no number "{{{name}}}" in the procedure{hint}'
