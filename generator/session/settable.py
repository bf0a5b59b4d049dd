"""What can be put right of somebody, for a form: each value with its kind, and what a list may take in.

Nothing here knows a game. The values are those of its plain states; what a list takes in is found by trying, with
`set` itself, so that the form offers what `set` does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, get_args, get_origin, get_type_hints

from msgspec import Struct

from generator.base.errors import HackjackError
from generator.model.procedures import Steps
from generator.model.rules import Suffer, System
from generator.play.piles import card_of
from generator.session.corrections import ELEMENTS, NotSetError, corrected
from generator.session.deeds import Deed
from generator.session.party import TABLE, Party, Table

SAMPLES = 3
"""So many cards are tried before a list is taken for one that holds none."""
MOST_ENTRIES = 60
MOST_TRIED = 8
"""After so many conditions that a list does not take, it is taken for one that holds none."""
MOST_ENDS = 5
"""So many ends of each condition are tried."""
NONSENSE = "zzz"
"""A list that takes this in takes any word."""
Plain = dict[str, Any]


class Entry(Struct, frozen=True):
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
    entries: tuple[Entry, ...] = ()
    adds: tuple[Entry, ...] = ()
    free: bool = False
    asks: str = ""


def settable(table: Table, party: Party, name: str) -> tuple[Settable, ...]:
    """What can be put right of somebody; with the name TABLE, of what the whole table shares."""
    game = table.game
    whole = game.plain_state(party.state(TABLE if game.SHARED else name))
    seats = game.seats(whole) if game.SHARED else {}
    seat = name if name in seats else ""
    kept = {key: value for key, value in (seats[seat] if seat else whole).items() if value is not whole}
    types = {} if game.SHARED else _words(type(party.state(name)), table)
    form = _Form(table, party, "" if game.SHARED else name, (seat,) if seat else ())
    people = {key for key, value in whole.items() if _names(value) & set(seats)}
    fields = (form.field(key, value, types.get(key, ())) for key, value in kept.items() if key != "name")
    return tuple(found for found in fields if found and (seat or found.name not in people))


def _names(value: Any) -> set[str]:
    """Whom the entries of a list name."""
    entries = value if isinstance(value, list | tuple) else ()
    return {str(each["name"]) for each in entries if isinstance(each, Mapping) and "name" in each}


def _words(state: type[Any], table: Table) -> Mapping[str, tuple[str, ...]]:
    """The words that a value may be, where it is one of several."""
    hints = {key: hint for key, hint in get_type_hints(state).items() if get_origin(hint) is Literal}
    procedure = table.system.head.procedure
    named = procedure.words if isinstance(procedure, Steps) else {}
    return {key: get_args(hint) for key, hint in hints.items()} | {key: each.of for key, each in named.items()}


def _ends(system: System) -> Mapping[str, tuple[tuple[str, ...], ...]]:
    """What may have to be said of each condition: nothing, until when it mostly lasts in the content, or for good."""
    found: dict[str, dict[str, None]] = {name: {} for name in system.head.conditions}
    for suffer in _suffered((system.head, system.tables, system.cards)):
        if suffer.until.word not in _OF_OTHERS:
            found.setdefault(suffer.condition, {})[f"until={suffer.until.text}"] = None
    return {
        name: ((), *((until,) for until in [*untils][:MOST_ENDS]), ("permanent=yes",), ("until=permanent",))
        for name, untils in found.items()
    }


_OF_OTHERS = ("now", "same")
"""Lasting words that say something only beside what else happens."""


def _suffered(content: Any) -> Iterator[Suffer]:
    """Every effect of a content that brings a condition."""
    if isinstance(content, Suffer):
        yield content
    if isinstance(content, Struct):
        content = [getattr(content, name) for name in content.__struct_fields__]
    elif isinstance(content, Mapping):
        content = [*content.values()]
    for inside in content if isinstance(content, list | tuple) else ():
        yield from _suffered(inside)


class _Form:
    """The fields of one form, found by trying corrections on a party."""

    def __init__(self, table: Table, party: Party, who: str, front: tuple[str, ...]) -> None:
        self._table, self._party, self._who, self._front = table, party, who, front

    def field(self, name: str, value: Any, words: tuple[str, ...]) -> Settable | None:
        """A value as a field; None for what no form can put right."""
        title = self._table.game.called(name)
        match value:
            case bool():
                return Settable(name, title, "tick", value)
            case int():
                return Settable(name, title, "number", value)
            case str():
                return Settable(name, title, "word" if words else "text", value, words)
            case None:
                return Settable(name, title, "number") if self._takes(name, "1") else None
            case list() | tuple():
                return self._list(name, title, value)
        return None

    def _list(self, name: str, title: str, held: Sequence[Any]) -> Settable | None:
        if len(held) > MOST_ENTRIES or any(isinstance(each, list | tuple) for each in held):
            return None
        entries = tuple(self._entries(held))
        if self._takes(name, f"+{NONSENSE}"):
            return Settable(name, title, "list", entries=entries, free=True)
        deck = tuple(dict.fromkeys(self._table.deck))
        for card in [card for card in deck if card not in str(held)][:SAMPLES]:
            takes = self._takes(name, f"+{card}")
            if takes is not False:
                return Settable(name, title, "cards", entries=entries, asks=takes if isinstance(takes, str) else "")
        adds = tuple(self._conditions(name))
        return Settable(name, title, "list", entries=entries, adds=adds) if entries or adds else None

    def _conditions(self, name: str) -> Iterator[Entry]:
        """The conditions that may come into a list, each with what has to be said of it."""
        found = False
        for place, (key, ends) in enumerate(_ends(self._table.system).items()):
            if place == MOST_TRIED and not found:
                return
            more = next((more for more in ends if self._takes(name, f"+{key}", *more) is True), None)
            if more is not None:
                found = True
                said = "for good" if "permanent" in "".join(more) else more[0].replace("=", " ") if more else ""
                yield Entry(_with(self._says(key), said), (f"+{key}", *more))

    def _takes(self, name: str, *value: str) -> bool | str:
        """Whether `set` takes a value; where it lacks but a number beside it, the name of that."""
        words = (*self._front, name, *value)
        try:
            corrected(self._table, self._party, Deed("set", self._who, words))
        except NotSetError as error:
            more = (*words, f"{error.lacks}=1")
            try:
                corrected(self._table, self._party, Deed("set", self._who, more))
            except HackjackError:
                return False
            return error.lacks
        except HackjackError:
            return False
        return True

    def _entries(self, held: Sequence[Any]) -> Iterator[Entry]:
        """The entries of a list, each with the words that take it and no other one out."""
        for each in held:
            if isinstance(each, str | int):
                yield Entry(self._says(str(each)), (f"-{each}",))
                continue
            if not isinstance(each, Mapping):
                continue
            key = next((key for key in ELEMENTS if isinstance(each.get(key), str | int)), None)
            if key is None:
                continue
            more = {name: value for name, value in each.items() if name != key and _scalar(value)}
            alike = sum(isinstance(one, Mapping) and one.get(key) == each[key] for one in held) > 1
            apart = tuple(f"{name}={value}" for name, value in more.items()) if alike else ()
            said = ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in more.items() if value is not True)
            yield Entry(_with(self._says(str(each[key])), said), (f"-{each[key]}", *apart))

    def _says(self, word: str) -> str:
        """What a card or a condition is called."""
        if found := card_of(word, self._table.system):
            return f"{word}: {found[1].name}"
        condition = self._table.system.head.conditions.get(word)
        return (condition.name or condition.brief or condition.says) if condition else word


def _with(says: str, more: str) -> str:
    return f"{says} ({more})" if more else says


def _scalar(value: Any) -> bool:
    return isinstance(value, str | int) and value not in ("", False)
