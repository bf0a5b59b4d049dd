"""What was told wrong, put right: a value of a state, or a name. A note changes nothing.

A correction goes through plain data: the state is written out, the value is put in, and the game reads it again. So
whatever the game says of its states holds for corrections too.
"""

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, NamedTuple

from msgspec import inspect

from generator.base.cards import find_code
from generator.base.errors import HackjackError, UsageError, did_you_mean
from generator.base.text_input import check_free_name, find_name, plain_text, read_name
from generator.games import drawn_of, with_drawn
from generator.games.face import AnyGame
from generator.model.rules import type_of
from generator.play.event_spec import is_pair
from generator.session.deeds import Deed
from generator.session.party import MAX_CHARACTERS, TABLE, Party, PartyTable, cards_held

CORRECTIONS = ("set", "rename", "note", "session", "import")
"""Commands that correct the record, in every game. An event of the same name wins."""
_NOTHING = ("none", "null")
_TRUTHS = {"yes": True, "true": True, "no": False, "false": False}
Plain = dict[str, Any]
Path = tuple[str | int, ...]


def is_correction(deed: Deed, game: AnyGame) -> bool:
    """Return whether a deed is a correction or a note, and no event of the game."""
    return deed.do in CORRECTIONS and deed.do not in game.EVENTS


def apply_correction(table: PartyTable, party: Party, deed: Deed) -> Party:
    """Return the party after a correction. Raises HackjackError."""
    match deed.do:
        case "set":
            return _set(table, party, deed.who, deed.words)
        case "rename":
            return _renamed(table, party, deed.words)
        case "import":
            return _imported(table, party, deed)
        case _ if not "".join(deed.words).strip():
            raise UsageError(f"{deed.do} needs some words after it")
        case _ if any(plain_text(word) != " ".join(word.split()) for word in deed.words):
            raise UsageError(f"{deed.do} must not contain control characters")
    if deed.who and deed.who not in names_at_table(table, party):
        raise UsageError(f'nobody here is called "{deed.who}"{did_you_mean(deed.who, names_at_table(table, party))}')
    return party


def names_at_table(table: PartyTable, party: Party) -> tuple[str, ...]:
    """Return those at the table, in the order in which they joined; at a shared table those whom its state knows."""
    if not table.game.SHARED:
        return party.names
    return tuple(table.game.seats(table.game.plain_state(party.state(TABLE))))


def _imported(table: PartyTable, party: Party, deed: Deed) -> Party:
    """Add a character, or the table, from an export; the cards that they hold leave the deck here too."""
    game = table.game
    try:
        state = game.read_state(json.loads(deed.given))
    except (ValueError, RecursionError) as error:
        raise HackjackError(f"the state of {deed.who or 'the table'} is not valid JSON") from error
    game.check_bounds(state)
    drawn = drawn_of(state) or ()
    if game.SHARED:
        if deed.who:
            raise HackjackError("the export is of characters, and here the whole table has one state")
        return replace(party, characters={TABLE: with_drawn(state, ())}, drawn=drawn)
    if not deed.who:
        raise HackjackError("the export is of a whole table, and here each character has a state")
    name = read_name(deed.who)
    check_free_name(name, party.characters)
    if len(party.characters) >= MAX_CHARACTERS:
        raise HackjackError(f"the table has {MAX_CHARACTERS} characters (the maximum): remove one first")
    own = game.sharing({name: state, "": game.read_state({})}, "")[name]
    if taken := next((card for card in game.held(own) if card in cards_held(game, party)), None):
        raise HackjackError(f"{taken} is held by somebody else")
    characters = {**party.characters, name: with_drawn(state, ())}
    return replace(party, characters=characters, drawn=tuple(dict.fromkeys((*party.drawn, *drawn))))


# --- names -----------------------------------------------------------------------------------------------------------


def _renamed(table: PartyTable, party: Party, words: Sequence[str]) -> Party:
    """Return the party with a character renamed, in the same place."""
    if len(words) != 2:
        raise UsageError("write rename, the old name and the new one: rename bryn Brynhild")
    names = names_at_table(table, party)
    old, new = find_name(words[0], names), read_name(words[1])
    if new == old:
        raise UsageError(f"{old} already has that name")
    check_free_name(new, [name for name in names if name != old])
    if not table.game.SHARED:
        states = {new if name == old else name: state for name, state in party.characters.items()}
        return replace(party, characters=states, seats=party.renamed(old, new))
    plain = table.game.plain_state(party.state(TABLE))
    try:
        state = table.game.read_state(_named(plain, old, new))
    except HackjackError as error:
        raise HackjackError(f"{old} cannot be renamed here: {error}") from error
    return replace(party, characters={TABLE: with_drawn(state, ())}, seats=party.renamed(old, new))


def _named(value: Any, old: str, new: str) -> Any:
    """Return plain data with each use of a name replaced by another one."""
    if isinstance(value, Mapping):
        return {_named(key, old, new): _named(each, old, new) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_named(each, old, new) for each in value]
    return new if value == old else value


# --- values ----------------------------------------------------------------------------------------------------------


def _set(table: PartyTable, party: Party, who: str, words: Sequence[str]) -> Party:
    """Return the party with values of a state put right: `hp 12`, `conditions +burned place=arm`, `pile -QS`."""
    game = table.game
    before = json_data(game.plain_state(party.state(who)))
    value = json_data(before)
    try:
        keys = _change(words, value, game, _example(who, before))
        state, drawn = _read(table, party, who, value, keys)
        game.check_bounds(state)
    except UsageError:
        raise
    except HackjackError as error:
        raise HackjackError(f"{' '.join(words)} cannot be set: {error}") from error
    if json_data(game.plain_state(with_drawn(state, drawn))) == before:
        raise UsageError(f"{' '.join(words)}: nothing would change")
    return replace(party, characters={**party.characters, who: with_drawn(state, ())}, drawn=drawn)


def _example(who: str, plain: Plain) -> str:
    """Return a correction that could be typed."""
    key = next((key for key, value in plain.items() if isinstance(value, int)), next(iter(plain), "hp"))
    return " ".join(word for word in ("set", who, key, "2") if word)


def json_data(value: Any) -> Any:
    """Return a copy of plain data as JSON has it: lists, and keys that are words."""
    return json.loads(json.dumps(value))


def _read(table: PartyTable, party: Party, who: str, value: Plain, keys: Sequence[str]) -> tuple[Any, tuple[str, ...]]:
    """Return a state from plain data in which these keys were changed, and the cards that are out of the deck then.

    A card that comes to lie before somebody leaves the deck; one that no longer does goes back into it.
    """
    game, before = table.game, party.state(who)
    for key in keys:
        for follows in game.FOLLOWS.get(key, ()):
            if follows not in keys:
                value.pop(follows, None)
    if "drawn" in keys or drawn_of(before) is None:
        state = game.read_state(value)
        return state, drawn_of(state) or party.drawn
    loose = game.read_state({key: each for key, each in value.items() if key != "drawn"})
    if game.SHARED:
        return loose, drawn_of(loose) or ()
    held, lay = Counter(game.held(loose)), Counter(game.held(before))
    others = cards_held(game, replace(party, characters={n: s for n, s in party.characters.items() if n != who}))
    if taken := next((card for card in held - lay if card in others), None):
        raise HackjackError(f"{taken} is held by somebody else")
    back = lay - held
    drawn = [card for card in party.drawn if not back[card]]
    drawn += [card for card in held if card not in drawn]
    # A state that is written in the words of its content need not name the deck.
    return game.read_state({**value, "drawn": drawn} if "drawn" in value else value), tuple(drawn)


# --- what was typed --------------------------------------------------------------------------------------------------


class EntryKind(NamedTuple):
    """The type of a value, without its limits."""

    type: inspect.Type
    optional: bool = False
    is_card: bool = False

    @classmethod
    def of(cls, type: inspect.Type) -> "EntryKind":
        """Return the kind of a type."""
        match type:
            case inspect.Metadata():
                is_card = (type.extra_json_schema or {}).get("title") == "card"
                return (inner := cls.of(type.type))._replace(is_card=is_card or inner.is_card)
            case inspect.UnionType():
                return cls.of(next(each for each in type.types if each != inspect.NoneType()))._replace(optional=True)
        return cls(type)

    @property
    def is_number(self) -> bool:
        """Whether it is a whole number."""
        return isinstance(self.type, inspect.IntType)

    @property
    def item(self) -> "EntryKind | None":
        """The kind of a list's entries; None if this is no list."""
        return EntryKind.of(self.type.item_type) if isinstance(self.type, inspect.VarTupleType) else None

    @property
    def fields(self) -> dict[str, inspect.Field]:
        """The fields of an object; empty for anything else."""
        return {each.name: each for each in self.type.fields} if isinstance(self.type, inspect.StructType) else {}

    @property
    def title(self) -> str:
        """The field by which entries of a list are called: their name, or the first field."""
        fields = self.fields
        return "name" if "name" in fields and fields["name"].required else next(iter(fields), "")

    def inside(self, step: str | int) -> "EntryKind":
        """Return the kind of what an object or a list holds."""
        inner = self.type
        if isinstance(inner, inspect.DictType):
            return EntryKind.of(inner.value_type)
        return self.item or EntryKind.of(self.fields[str(step)].type)


def _change(words: Sequence[str], plain: Plain, game: AnyGame, example: str) -> list[str]:
    """Change plain data as the words say, and return the changed keys of the state. Raises HackjackError."""
    rest = list(words)
    seat: Path = ()
    value: Any = plain
    kind = EntryKind.of(type_of(game.shape))
    if game.SHARED and rest and rest[0].split(".")[0].casefold() not in map(str.casefold, plain):
        seat = seat_path(rest.pop(0), plain, game)
        for step in seat:
            value, kind = value[step], kind.inside(step)
    if len(rest) < 2:
        raise UsageError(f"Say which value to set: {example}")
    changed: list[Path] = []
    while rest:
        typed = rest.pop(0)
        holder, path, slot = _slot(typed, value, kind)
        where = ".".join(map(str, (*seat, *path)))
        if path in changed:
            raise UsageError(f"{where} is changed twice: use one set for each change")
        changed.append(path)
        if not rest:
            raise UsageError(f"{where} needs a value: {example}")
        typed, fields = rest.pop(0), []
        while rest and is_pair(rest[0]):
            fields.append(rest.pop(0).split("=", 1))
        before = holder[path[-1]]
        if isinstance(before, list) and typed[:1] in ("+", "-"):
            holder[path[-1]] = _listed(before, typed, fields, where, slot)
        elif fields:
            raise UsageError(f"{'='.join(fields[0])} belongs to an entry of a list, as in conditions +burned")
        elif isinstance(before, int) and not isinstance(before, bool) and typed.startswith("+"):
            raise UsageError(f"{typed}: write the new number, such as {before + 1}")
        else:
            holder[path[-1]] = _value(typed, slot)
    return [str((*seat, *path)[0]) for path in changed]


def seat_path(typed: str, plain: Plain, game: AnyGame) -> Path:
    """Return the path to somebody's part of a shared state. Raises UsageError."""
    seats = game.seats(plain)
    try:
        name = find_name(typed, seats)
    except UsageError as error:
        raise UsageError(f"{error}; or one of {', '.join(plain)}") from error
    part = json_data(seats[name])
    for key, entries in plain.items():
        for place, each in enumerate(entries if isinstance(entries, list) else ()):
            if isinstance(each, dict) and each.get("name") == name and part | each == part:
                return key, place
    raise UsageError(f"{name} has no values that can be set")


def _slot(typed: str, value: Any, kind: EntryKind) -> tuple[Any, Path, EntryKind]:
    """Return the object or list that holds a value, the path to the value, and its kind: `hp`, `pile.1.score`.

    Entries of lists are counted from 1, or named. Raises UsageError.
    """
    path: list[str | int] = []
    holder: Any = None
    for part in typed.split("."):
        where = ".".join(map(str, path))
        if isinstance(value, dict):
            keys = {key.casefold(): key for key in value}
            if part.casefold() not in keys:
                hint = did_you_mean(part, value) or f": {', '.join(list(value)[:20])}"
                raise UsageError(f'there is no "{part[:40]}"{f" in {where}" if where else ""}{hint}')
            path.append(keys[part.casefold()])
        elif isinstance(value, list):
            path.append(_place(part, value, typed, kind))
        else:
            raise UsageError(f"{where} is a single value: nothing is inside it")
        holder, value, kind = value, value[path[-1]], kind.inside(path[-1])
    return holder, tuple(path), kind


def _place(part: str, entries: list[Any], typed: str, kind: EntryKind) -> int:
    """Return the place of an entry of a list, from 0: by its number, counted from 1, or by what it is called."""
    if re.fullmatch(r"[0-9]{1,4}", part):
        if not 1 <= int(part) <= len(entries):
            raise UsageError(f"{typed}: the list has {len(entries)} entries")
        return int(part) - 1
    places = [place for place, each in enumerate(entries) if _is_called(each, part, kind)]
    if len(places) != 1:
        raise UsageError(f'{typed}: {"nothing" if not places else "more than one"} there is called "{part[:40]}"')
    return places[0]


def _is_called(entry: Any, typed: str, kind: EntryKind) -> bool:
    item = kind.item or kind
    name = entry.get(item.title) if isinstance(entry, dict) else entry
    return isinstance(name, str | int) and str(name).casefold() in (typed.casefold(), _card(typed).casefold())


def _listed(entries: list[Any], typed: str, fields: list[list[str]], where: str, kind: EntryKind) -> list[Any]:
    """Return a list with an entry more, `+burned place=arm`, or one less, `-burned`. Raises HackjackError."""
    name, item = typed[1:], kind.inside(0)
    if typed.startswith("+"):
        return [*entries, _entry(name, fields, item, f"{where} {typed}")]
    called = [each for each in entries if _is_called(each, name, kind) and (item.fields or not fields)]
    alike = [each for each in called if all(str(each.get(key)).casefold() == text.casefold() for key, text in fields)]
    if not alike:
        raise UsageError(f'{where}: the list has no "{name[:40]}" to remove')
    if any(each != alike[0] for each in alike):
        apart = next(key for key, value in alike[0].items() if any(each.get(key) != value for each in alike))
        raise UsageError(f"{where}: more than one is called {name}: say which, as in {typed} {apart}={alike[0][apart]}")
    place = entries.index(alike[0])
    return [*entries[:place], *entries[place + 1 :]]


def _entry(name: str, fields: list[list[str]], item: EntryKind, shown: str) -> Any:
    """Return a new entry of a list. Raises HackjackError."""
    if not item.fields:
        if fields:
            raise UsageError(f"{shown} takes no {fields[0][0]}=")
        return _value(name, item)
    entry = {item.title: _value(name, item.inside(item.title))}
    for key, value in fields:
        if key not in item.fields:
            raise UsageError(f'{shown} takes no "{key[:40]}"{did_you_mean(key, item.fields)}')
        entry[key] = _value(value, item.inside(key))
    if missing := next((key for key, field in item.fields.items() if field.required and key not in entry), None):
        raise HackjackError(
            f"add {missing}=, as in {shown} {missing}={10 if item.inside(missing).is_number else '...'}"
        )
    return entry


def _value(typed: str, kind: EntryKind) -> Any:
    """Read a value of that kind. Raises HackjackError."""
    word = typed.casefold()
    if kind.optional and word in _NOTHING:
        return None
    match kind.type:
        case inspect.BoolType():
            if word not in _TRUTHS:
                raise HackjackError("write yes or no")
            return _TRUTHS[word]
        case inspect.IntType():
            if not re.fullmatch(r"-?[0-9]{1,18}", typed):
                raise HackjackError("write a whole number")
            return int(typed)
        case inspect.LiteralType(values=values):
            choices = {str(each).casefold(): each for each in values}
            if word not in choices:
                raise HackjackError(f"write {', '.join(filter(None, choices))}{did_you_mean(word, choices)}")
            return choices[word]
        case inspect.StrType():
            return _card(typed) if kind.is_card else typed
        case inspect.CustomType():
            return typed
    with suppress(ValueError, RecursionError):
        if isinstance(value := json.loads(typed), list | dict):
            return value
    raise HackjackError("this is a list: write + before what to add, - before what to remove")


def _card(typed: str) -> str:
    """Return the code of a card that was typed in another way, such as `10♣`."""
    return find_code(typed) or typed
