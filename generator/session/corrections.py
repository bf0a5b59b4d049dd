"""What was told wrong, put right: a value of a state, or a name. A note changes nothing.

A correction goes through plain data: the state is written out, the value is put in, and the game reads it again. So
whatever the game says of its states holds for corrections too.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import product
from typing import Any

from generator.base.cards import is_code, read_code
from generator.base.errors import HackjackError, UsageError, did_you_mean
from generator.base.text_input import check_free_name, find_name, plain_text, read_name
from generator.games import drawn_of, with_drawn
from generator.games.face import AnyGame
from generator.play.event_spec import is_pair
from generator.session.deeds import Deed
from generator.session.party import MOST_CHARACTERS, TABLE, Party, Table, held_by

CORRECTIONS = ("set", "rename", "note", "session", "import")
"""What the table may do to its own record, whatever it plays. An event of the game that is called so goes first."""
MOST_WAYS = 200
"""So many ways to read what was typed are tried."""
ELEMENTS = ("card", "condition", "injury", "name", "of")
"""Under which keys the entries of lists have what they are called by."""
_NOTHING = ("none", "null")
_TRUTHS = {"yes": True, "true": True, "no": False, "false": False}
Plain = dict[str, Any]
Path = tuple[str | int, ...]


class NotSetError(HackjackError):
    """A value that a state does not take. `lacks` names what must be said beside it, as the score of a card."""

    def __init__(self, text: str, lacks: str = "") -> None:
        self.lacks = lacks
        super().__init__(text)


def corrects(deed: Deed, game: AnyGame) -> bool:
    """Whether a deed is a correction or a note, and no event of the game."""
    return deed.do in CORRECTIONS and deed.do not in game.EVENTS


def corrected(table: Table, party: Party, deed: Deed) -> Party:
    """The party after a correction. Raises HackjackError."""
    match deed.do:
        case "set":
            return _set(table, party, deed.who, deed.words)
        case "rename":
            return _renamed(table, party, deed.words)
        case "import":
            return _imported(table, party, deed)
        case _ if not "".join(deed.words).strip():
            raise UsageError(f"{deed.do} needs some words behind it")
        case _ if any(plain_text(word) != " ".join(word.split()) for word in deed.words):
            raise UsageError(f"{deed.do} takes no control characters")
    if deed.who and deed.who not in people(table, party):
        raise UsageError(f'nobody here is called "{deed.who}"{did_you_mean(deed.who, people(table, party))}')
    return party


def people(table: Table, party: Party) -> tuple[str, ...]:
    """Those at the table, in the order in which they joined; at a shared table those whom its state knows."""
    if not table.game.SHARED:
        return party.names
    return tuple(table.game.seats(table.game.plain_state(party.state(TABLE))))


def _imported(table: Table, party: Party, deed: Deed) -> Party:
    """Somebody, or the table, as an export has them; the cards that were out of the deck there leave it here too."""
    game = table.game
    try:
        state = game.read_state(json.loads(deed.given))
    except (ValueError, RecursionError) as error:
        raise HackjackError(f"the state of {deed.who or 'the table'} is no JSON") from error
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
    if len(party.characters) >= MOST_CHARACTERS:
        raise HackjackError(f"{MOST_CHARACTERS} characters are at the table: remove one first")
    if taken := next((card for card in game.held(state) if card in held_by(game, party)), None):
        raise HackjackError(f"{taken} lies before somebody else")
    characters = {**party.characters, name: with_drawn(state, ())}
    return replace(party, characters=characters, drawn=tuple(dict.fromkeys((*party.drawn, *drawn))))


# --- names -----------------------------------------------------------------------------------------------------------


def _renamed(table: Table, party: Party, words: Sequence[str]) -> Party:
    """Somebody under another name, in the same place."""
    if len(words) != 2:
        raise UsageError("write rename, the old name and the new one: rename bryn Brynhild")
    known = people(table, party)
    old, new = find_name(words[0], known), read_name(words[1])
    if new == old:
        raise UsageError(f"{old} is called so already")
    check_free_name(new, [name for name in known if name != old])
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
    """Plain data with a name in place of another one, wherever it stands."""
    if isinstance(value, Mapping):
        return {_named(key, old, new): _named(each, old, new) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_named(each, old, new) for each in value]
    return new if value == old else value


# --- values ----------------------------------------------------------------------------------------------------------


def _set(table: Table, party: Party, who: str, words: Sequence[str]) -> Party:
    """The party with values of a state put right: `hp 12`, `conditions +burned place=arm`, `pile -QS`."""
    game, before = table.game, party.state(who)
    plain = _plain(game.plain_state(before))
    changes = list(_changes(words, plain, game, _example(who, plain)))
    faults: list[HackjackError] = []
    ways = product(*(list(change) for change in changes))
    for _, way in zip(range(MOST_WAYS), ways, strict=False):
        value = json.loads(json.dumps(plain))
        try:
            for path, given in way:
                _put(value, path, given)
            state, drawn = _read(table, party, who, value, [str(path[0]) for path, _ in way])
            game.check_bounds(state)
        except HackjackError as error:
            faults.append(error)
            continue
        if _plain(game.plain_state(with_drawn(state, drawn))) == plain:
            raise UsageError(f"{' '.join(words)}: that is how it stands already")
        characters = {**party.characters, who: with_drawn(state, ())}
        return replace(party, characters=characters, drawn=drawn)
    lacks = next((found[1] for fault in faults if (found := _LACKING.search(str(fault)))), "")
    # What was put under a key that no entry has says nothing of the value.
    fault = next((fault for fault in faults if "unknown field" not in str(fault)), faults[0])
    raise NotSetError(f"{' '.join(words)} cannot be set: {_wanted(str(fault))}", lacks) from fault


_LACKING = re.compile(r"Object missing required field `(.+?)`")


_SHAPES = {
    "int": "a whole number is wanted",
    "bool": "write yes or no",
    "str": "a word is wanted",
    "array": "this is a list: write + before what is to come in, - before what is to go",
    "object": "more must be said of it, as in pile +QS score=10",
}
"""What is to be written, by the name that a reader of JSON has for it."""


def _wanted(fault: str) -> str:
    """A fault of a state in terms of what was typed."""
    expected = re.search(r"Expected `([a-z]+)[^`]*`, got", fault)
    if lacking := _LACKING.search(fault):
        return f"{lacking[1]} must be said too, as in {lacking[1]}=..."
    return _SHAPES.get(expected[1], fault) if expected else fault


def _example(who: str, plain: Plain) -> str:
    """A correction that could be typed."""
    key = next((key for key, value in plain.items() if isinstance(value, int)), next(iter(plain), "hp"))
    return " ".join(word for word in ("set", who, key, "2") if word)


def _plain(value: Any) -> Any:
    """Plain data as JSON has it: lists, and keys that are words."""
    return json.loads(json.dumps(value))


def _read(table: Table, party: Party, who: str, value: Plain, keys: Sequence[str]) -> tuple[Any, tuple[str, ...]]:
    """A state from plain data in which these keys were changed, and the cards that are out of the deck then.

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
    others = held_by(game, replace(party, characters={n: s for n, s in party.characters.items() if n != who}))
    if taken := next((card for card in held - lay if card in others), None):
        raise HackjackError(f"{taken} lies before somebody else")
    back = lay - held
    drawn = [card for card in party.drawn if not back[card]]
    drawn += [card for card in held if card not in drawn]
    # A state that is written in the words of its content need not name the deck.
    return game.read_state({**value, "drawn": drawn} if "drawn" in value else value), tuple(drawn)


# --- what was typed --------------------------------------------------------------------------------------------------

Change = tuple[Path, Any]


def _changes(words: Sequence[str], plain: Plain, game: AnyGame, example: str) -> Iterator[list[Change]]:
    """The changes that words ask for, each in all the ways in which it may be meant, the likeliest first."""
    rest = list(words)
    seat: Path = ()
    if game.SHARED and rest and rest[0].split(".")[0].casefold() not in map(str.casefold, plain):
        seat = _seat(rest.pop(0), plain, game)
    if len(rest) < 2:
        raise UsageError(f"what is to be what? write {example}")
    known: list[Path] = []
    while rest:
        path = (*seat, *_path(rest.pop(0), _at(plain, seat)))
        if path in known:
            raise UsageError(f"{'.'.join(map(str, path))} is changed twice: do one after the other")
        known.append(path)
        if not rest:
            raise UsageError(f"{'.'.join(map(str, path))} needs a value: write {example}")
        typed, fields = rest.pop(0), []
        while rest and is_pair(rest[0]):
            fields.append(rest.pop(0).split("=", 1))
        held = _at(plain, path)
        if isinstance(held, list) and typed[:1] in ("+", "-"):
            yield [(path, each) for each in _listed(held, typed, fields, ".".join(map(str, path)))]
        elif fields:
            raise UsageError(f"{fields[0][0]}={fields[0][1]} belongs to an entry of a list, as in conditions +burned")
        elif isinstance(held, int) and not isinstance(held, bool) and typed.startswith("+"):
            raise UsageError(f"{typed}: write the number as it is to be, such as {held + 1}")
        else:
            yield [(path, each) for each in _meanings(typed)]


def _seat(typed: str, plain: Plain, game: AnyGame) -> Path:
    """Where somebody's part of a shared state stands. Raises UsageError."""
    seats = game.seats(plain)
    try:
        name = find_name(typed, seats)
    except UsageError as error:
        raise UsageError(f"{error}; or one of {', '.join(plain)}") from error
    part = _plain(seats[name])
    for key, held in plain.items():
        for place, each in enumerate(held if isinstance(held, list) else ()):
            if (
                isinstance(each, dict)
                and each.get("name") == name
                and all(part.get(own) == value for own, value in each.items())
            ):
                return key, place
    raise UsageError(f"nothing is kept of {name} that could be set")


def _path(typed: str, plain: Plain) -> Path:
    """Where a value stands: `hp`, `pile.1.score`. Entries of lists are counted from 1, or named. Raises UsageError."""
    steps: list[str | int] = []
    held: Any = plain
    for part in typed.split("."):
        if isinstance(held, dict):
            known = {key.casefold(): key for key in held}
            if part.casefold() not in known:
                where = f" in {'.'.join(map(str, steps))}" if steps else ""
                shown = ", ".join(list(held)[:20])
                raise UsageError(f'there is no "{part[:40]}"{where}{did_you_mean(part, held) or f": {shown}"}')
            steps.append(known[part.casefold()])
        elif isinstance(held, list):
            steps.append(_entry(part, held, typed))
        else:
            raise UsageError(f"{'.'.join(map(str, steps))} is one value: nothing is inside it")
        held = held[steps[-1]]
    return tuple(steps)


def _entry(part: str, held: list[Any], typed: str) -> int:
    """The place of an entry of a list, from 0: by its number, counted from 1, or by what it is called."""
    if re.fullmatch(r"[0-9]{1,4}", part):
        if not 1 <= int(part) <= len(held):
            raise UsageError(f"{typed}: there {'is' if len(held) == 1 else 'are'} {len(held)} of them")
        return int(part) - 1
    found = [place for place, each in enumerate(held) if _is_called(each, part)]
    if len(found) != 1:
        raise UsageError(f'{typed}: {"nothing" if not found else "more than one"} there is called "{part[:40]}"')
    return found[0]


def _is_called(entry: Any, typed: str) -> bool:
    called = [entry.get(key) for key in ELEMENTS] if isinstance(entry, dict) else [entry]
    meant = {typed.casefold(), *(code.casefold() for code in _codes(typed))}
    return any(isinstance(each, str | int) and str(each).casefold() in meant for each in called)


def _at(plain: Any, path: Path) -> Any:
    for step in path:
        plain = plain[step]
    return plain


def _put(plain: Any, path: Path, given: Any) -> None:
    _at(plain, path[:-1])[path[-1]] = given


def _listed(held: list[Any], typed: str, fields: list[list[str]], where: str) -> Iterator[list[Any]]:
    """A list with an entry more, `+burned place=arm`, or one less, `-burned`."""
    what = typed[1:]
    if typed.startswith("-"):
        found = [each for each in held if _is_called(each, what) and _has(each, fields)]
        if not found:
            raise UsageError(f'{where}: "{what[:40]}" is not there to be taken away')
        if len({json.dumps(each, sort_keys=True) for each in found}) > 1:
            raise UsageError(f"{where}: more than one is called {what}: say which, as in {typed} {_telling(found)}")
        place = held.index(found[0])
        yield [*held[:place], *held[place + 1 :]]
        return
    for values in product(*(list(_meanings(value)) for _, value in fields)):
        more = dict(zip((name for name, _ in fields), values, strict=True))
        for each in _meanings(what):
            if not more:
                yield [*held, each]
            for key in ELEMENTS:
                yield [*held, {key: each, **more}]


def _has(entry: Any, fields: list[list[str]]) -> bool:
    return all(
        isinstance(entry, dict) and str(entry.get(name)).casefold() == value.casefold() for name, value in fields
    )


def _telling(entries: list[Any]) -> str:
    """A field by which entries that are called alike can be told apart."""
    for key, value in entries[0].items() if isinstance(entries[0], dict) else ():
        if any(other.get(key) != value for other in entries[1:]):
            return f"{key}={value}"
    return "NAME=VALUE"


def _meanings(typed: str) -> Iterator[Any]:
    """What a typed value may mean, the likeliest first: a number, yes or no, nothing, a card, words, or JSON."""
    if re.fullmatch(r"-?[0-9]{1,18}", typed):
        yield int(typed)
    word = typed.casefold()
    if word in _TRUTHS:
        yield _TRUTHS[word]
    if word in _NOTHING:
        yield None
    if typed[:1] in ("[", "{"):
        with suppress(ValueError, RecursionError):
            yield json.loads(typed)
    yield from (code for code in _codes(typed) if code != typed)
    yield typed
    if word != typed:
        yield word


def _codes(typed: str) -> tuple[str, ...]:
    """The code of a card that is typed in another way, such as `10♣`."""
    with suppress(ValueError):
        return (code,) if is_code(code := read_code(typed)) else ()
    return ()
