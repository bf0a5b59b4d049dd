"""What can be put right of somebody, for a form: each value with its kind, and what a list may take in.

Nothing here knows a game. The values are those of its plain states; what a list takes in is found by trying, with
`set` itself, so that the form offers what `set` does.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from msgspec import Struct, inspect

from generator.base.errors import HackjackError
from generator.model.rules import Suffer, System, type_of
from generator.play.piles import card_of
from generator.session.corrections import EntryKind, apply_correction, json_data, seat_path
from generator.session.deeds import Deed
from generator.session.party import TABLE, Party, PartyTable

MAX_ENTRIES = 60
MAX_ENDS = 5
"""So many ends of each condition are tried."""


class SettableEntry(Struct, frozen=True):
    """An entry of a list: what it says, and the words that take it out or put it in."""

    says: str
    words: tuple[str, ...]


class Settable(Struct, frozen=True):
    """A value: how it is typed, what it is called, and its kind.

    A `number` and a `text` are written anew, a `tick` is yes or no, a `word` is one of `words`. A `list` has `entries`
    that can go and conditions that can come in (`adds`), or words of one's own (`free`); `cards` has cards, each of
    which comes in with the number `asks`, where that is not empty.
    """

    name: str
    title: str
    kind: Literal["number", "tick", "word", "text", "list", "cards"]
    value: int | str | bool | None = None
    words: tuple[str, ...] = ()
    entries: tuple[SettableEntry, ...] = ()
    adds: tuple[SettableEntry, ...] = ()
    free: bool = False
    asks: str = ""


def settable(table: PartyTable, party: Party, name: str) -> tuple[Settable, ...]:
    """Return the values of somebody that can be set; with the name TABLE, of what the whole table shares."""
    game = table.game
    whole = json_data(game.plain_state(party.state(TABLE if game.SHARED else name)))
    seats = game.seats(whole) if game.SHARED else {}
    values, kind = whole, EntryKind.of(type_of(game.shape))
    front = (name,) if name in seats else ()
    if name in seats:
        for step in seat_path(name, whole, game):
            values, kind = values[step], kind.inside(step)
    form = _Form(table, party, "" if game.SHARED else name, front)
    people = {key for key, value in whole.items() if _names(value) & set(seats)}
    fields = (form.field(key, value, kind.inside(key)) for key, value in values.items() if key != "name")
    return tuple(field for field in fields if field and (front or field.name not in people))


def _names(value: Any) -> set[str]:
    """Return the names of a list's entries."""
    entries = value if isinstance(value, list) else ()
    return {str(each["name"]) for each in entries if isinstance(each, Mapping) and "name" in each}


def _ends(system: System) -> Mapping[str, tuple[tuple[str, ...], ...]]:
    """Return the ends to try for each condition: none, those that the content uses, and for good."""
    ends: dict[str, dict[str, None]] = {name: {} for name in system.head.conditions}
    for suffer in _suffered((system.head, system.tables, system.cards)):
        if suffer.until.word not in _OF_OTHERS:
            ends.setdefault(suffer.condition, {})[f"until={suffer.until.text}"] = None
    return {
        name: ((), *((until,) for until in [*untils][:MAX_ENDS]), ("permanent=yes",), ("until=permanent",))
        for name, untils in ends.items()
    }


_OF_OTHERS = ("now", "same", "again")
"""Lasting words that say something only beside what else happens."""


def _suffered(content: Any) -> Iterator[Suffer]:
    """Yield each effect of a content that brings a condition."""
    if isinstance(content, Suffer):
        yield content
    if isinstance(content, Struct):
        content = [getattr(content, name) for name in content.__struct_fields__]
    elif isinstance(content, Mapping):
        content = [*content.values()]
    for inside in content if isinstance(content, list | tuple) else ():
        yield from _suffered(inside)


class _Form:
    """The fields of one form, made from the types of a state."""

    def __init__(self, table: PartyTable, party: Party, who: str, front: tuple[str, ...]) -> None:
        self._table, self._party, self._who, self._front = table, party, who, front

    def field(self, name: str, value: Any, kind: EntryKind) -> Settable | None:
        """Return the field for a value, or None for one that the form cannot show."""
        title = self._table.game.called(name)
        match kind.type:
            case inspect.BoolType():
                return Settable(name, title, "tick", value)
            case inspect.IntType():
                return Settable(name, title, "number", None if isinstance(value, str) else value)
            case inspect.LiteralType(values=words) if "" not in words:
                return Settable(name, title, "word", value, tuple(map(str, words)))
            case inspect.StrType() | inspect.LiteralType() | inspect.CustomType():
                return None if value is None else Settable(name, title, "text", value)
            case inspect.VarTupleType() if len(value) <= MAX_ENTRIES:
                return self._list(name, title, value, kind.inside(0))
        return None

    def _list(self, name: str, title: str, values: Sequence[Any], item: EntryKind) -> Settable | None:
        first = item.inside(item.title) if item.fields else item
        entries = tuple(self._entries(values, item))
        if first.is_card:
            # What a card counts in its pile is asked, also where it could be left out.
            pair = len(item.fields) == 2
            missing = [key for key, each in item.fields.items() if (each.required or pair) and key != item.title]
            return Settable(name, title, "cards", entries=entries, asks="".join(missing)) if self._table.deck else None
        if isinstance(item.type, inspect.StrType):
            return Settable(name, title, "list", entries=entries, free=True)
        adds = tuple(self._conditions(name))
        return Settable(name, title, "list", entries=entries, adds=adds) if entries or adds else None

    def _conditions(self, name: str) -> Iterator[SettableEntry]:
        """Yield the conditions that a list takes, each with the first end that the rules allow it there."""
        for key, ends in _ends(self._table.system).items():
            for end in ends:
                try:
                    apply_correction(
                        self._table, self._party, Deed("set", self._who, (*self._front, name, f"+{key}", *end))
                    )
                except HackjackError:
                    continue
                says = "for good" if "permanent" in "".join(end) else end[0].replace("=", " ") if end else ""
                yield SettableEntry(_with(self._says(key), says), (f"+{key}", *end))
                break

    def _entries(self, values: Sequence[Any], item: EntryKind) -> Iterator[SettableEntry]:
        """Yield the entries of a list, each with the words that remove it and no other one."""
        for each in values:
            if not item.fields:
                yield SettableEntry(self._says(str(each)), (f"-{each}",))
                continue
            called = each[item.title]
            more = {name: value for name, value in each.items() if name != item.title and _scalar(value)}
            alike = sum(other[item.title] == called for other in values) > 1
            apart = tuple(f"{name}={value}" for name, value in more.items()) if alike else ()
            says = ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in more.items() if value is not True)
            yield SettableEntry(_with(self._says(called), says), (f"-{called}", *apart))

    def _says(self, word: str) -> str:
        """Return the printed name of a card or a condition."""
        if card := card_of(word, self._table.system):
            return f"{word}: {card[1].name}"
        condition = self._table.system.head.conditions.get(word)
        return (condition.name or condition.brief or condition.says) if condition else word


def _with(says: str, more: str) -> str:
    return f"{says} ({more})" if more else says


def _scalar(value: Any) -> bool:
    return isinstance(value, str | int) and value not in ("", False)
