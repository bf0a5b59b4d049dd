"""Commands for several people at once: `hit bryn,cara 4`, `hit all 4`, and `round` for everybody who lives."""

from collections.abc import Sequence
from pathlib import Path

import msgspec

from generator.base.cards import find_codes, is_code, meant_card
from generator.base.errors import UsageError
from generator.base.text_input import find_name
from generator.games.face import AnyGame
from generator.play.event_spec import LUCK, ArgumentReading, EventSpec, read_pairs
from generator.session import prompt
from generator.session.corrections import names_at_table
from generator.session.deeds import MAX_DEEDS, Deed
from generator.session.importing import read_export
from generator.session.party import plain_people
from generator.session.session import Session

ALL = "all"
"""Everybody who lives, in place of a name."""


def with_names(name: str, words: Sequence[str], now: Session) -> tuple[str, ...]:
    """Return the words behind a command with the names of all those whom it befalls, in one word: `bryn,cara 4`.

    They stand in place of `all`, and where time passes for everybody. Raises UsageError.
    """
    game, words = now.table.game, tuple(words)
    place = _place_of_names(name, game)
    if place is None:
        return words
    spec, words = game.EVENTS.get(name), _joined(words, place)
    if spec and spec.time and not game.SHARED and not _names_somebody(words, spec, now):
        return (",".join((spec.dead and now.party.names) or living_names(now)), *words)
    if len(words) > place and (whom := _named(name, words[place], place, now)):
        return (*words[:place], ",".join(whom), *words[place + 1 :])
    return words


def read_deeds(name: str, words: Sequence[str], now: Session) -> tuple[Deed, ...]:
    """Return the deeds of a command: one for each of those whom it befalls, in the order in which they are named.

    All cards, dice and choices stand at the first one: what a deed does not need goes to the next. Raises UsageError.
    """
    if name == "import" and name not in now.table.game.EVENTS:
        prompt.usage(name, words, 1, 1, now.table.game)
        return read_export(Path(words[0])).deeds()
    words, place = with_names(name, words, now), _place_of_names(name, now.table.game)
    if place is None or len(words) <= place or "," not in words[place]:
        return (prompt.read_deed(name, words, now.table, now.party),)
    whom = words[place].split(",")
    if len(whom) > MAX_DEEDS:
        raise UsageError(f"{name} is for {len(whom)} people: {MAX_DEEDS} at once at most")
    typed = [(*words[:place], who, *words[place + 1 :]) for who in whom]
    deeds = [prompt.read_deed(name, each, now.table, now.party) for each in typed]
    return (deeds[0], *(msgspec.structs.replace(deed, cards=(), dice=(), choices=()) for deed in deeds[1:]))


def _place_of_names(name: str, game: AnyGame) -> int | None:
    """Return where a command has its names: among the words behind it; None where it names nobody."""
    if not game.SHARED:
        return 0 if name in (*game.EVENTS, "add", "remove") else None
    takes = game.EVENTS[name].takes if name in game.EVENTS else ()
    return 0 if takes and takes[0].kind == "person" and not takes[0].many and not takes[0].option else None


def _joined(words: Sequence[str], place: int) -> tuple[str, ...]:
    """Return words with names that stand apart after a comma, as in `bryn, cara`, in one word."""
    joined = list(words)
    while len(joined) > place + 1 and joined[place].endswith(","):
        joined[place : place + 2] = ["".join(joined[place : place + 2])]
    return tuple(joined)


def _names_somebody(words: Sequence[str], spec: EventSpec, now: Session) -> bool:
    """Return whether the first word is a name: for an event that needs none, a word that it does not take."""
    if not words or words[0] in LUCK:
        return False
    if words[0].casefold() == ALL or "," in words[0]:
        return True
    try:
        now.party.find(words[0])
    except UsageError:
        at, typed = read_pairs([*words], {})
        typed = typed[: next((place for place, word in enumerate(typed) if word in LUCK), len(typed))]
        taken = ArgumentReading(spec, typed, at, now.table.game.READERS, spec.name)
        if taken.fault or not taken.surplus:
            return taken.fault is not None
        return "cards" not in spec.luck or (taken.rest[:1] == [words[0]] and not _may_be_card(words[0], now.table.deck))
    return True


def _may_be_card(word: str, deck: Sequence[str]) -> bool:
    """Return whether a word is a card, or one that was mistyped; any word may be one where decks name their own."""
    mistyped = not word[:1].isalpha() or (len(word) <= 3 and bool(meant_card(word)))
    return mistyped or not all(map(is_code, deck)) or bool(find_codes(word))


def _named(name: str, word: str, place: int, now: Session) -> tuple[str, ...]:
    """Return the names in `bryn,cara` or `all`; empty for a single name. Raises UsageError."""
    game = now.table.game
    if "," in word:
        typed = [part.strip() for part in word.split(",") if part.strip()]
        everybody = names_at_table(now.table, now.party)
        names = [part if name == "add" else find_name(part, everybody) for part in typed]
        if twice := next((each for each in names if names.count(each) > 1), None):
            raise UsageError(f"{twice} is named twice: name everybody once")
        return tuple(names)
    takes = game.EVENTS[name].takes[place].words if game.SHARED else ()
    if (
        word.casefold() != ALL
        or name == "add"
        or word in (*takes, *map(str.casefold, names_at_table(now.table, now.party)))
    ):
        return ()
    return living_names(now)


def living_names(now: Session) -> tuple[str, ...]:
    """Return the names of those who live, in the order in which they joined. Raises UsageError if there are none."""
    game = now.table.game
    plain = plain_people(game, now.party)
    if names := tuple(name for name, state in plain.items() if game.is_alive(state)):
        return names
    raise UsageError("nobody at the table is alive" if plain else "nobody is at the table yet")
