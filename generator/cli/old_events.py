"""Events that a game still describes in text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from generator.base.cards import find_code
from generator.base.errors import UsageError
from generator.games.face import AnyGame
from generator.play.event_spec import LUCK
from generator.session.session import Session, Table, left_in

_DIE = re.compile(r"[dD]([2-9]|10)")
_MARK = re.compile(r"(?<![A-Za-z0-9])[a-z][a-z_-]+=?")
_VALUE = re.compile(r"=[^\s\]]+")
MOST_NUMBERS = 400


def text_of(text: str) -> tuple[str, str]:
    """What a game says of an event: what follows its name, as the prompt takes it, and what it is."""
    usage, _, says = text.partition(": ")
    return usage.partition(" ")[2].replace("--at ", "").replace("--hits", "hits"), says


def event_usage(game: Any, name: str) -> tuple[str, str]:
    """How an event is typed at the prompt, and what it is."""
    follows, says = text_of(game.EVENTS[name])
    luck = [LUCK[kind] for kind in getattr(game, "LUCK", {}).get(name, "").split()]
    return " ".join(part for part in (name, "" if game.SHARED else "NAME", follows, *luck) if part), says


def odds_usage(game: AnyGame) -> tuple[str, str]:
    """How odds are asked for, and what they are."""
    first, *others = game.QUESTIONS
    follows, _ = text_of(game.QUESTIONS[first])
    usage = f"odds {first} {follows}" if game.SHARED else f"odds NAME {follows}"
    also = f"; or of {', '.join(others)}, named before the rest" if others else ""
    return usage.strip(), f"the chances of {first}{also}"


def with_cards(
    name: str, words: Sequence[str], at: dict[str, str], table: Table
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The words of an event, as many as it takes, and the cards drawn that follow. Raises UsageError."""
    if len(words) > MOST_NUMBERS:
        raise UsageError(f"{len(words)} words are too many")
    game: Any = table.game
    if "cards" not in game.LUCK.get(name, ""):
        _tried(name, words, at, table)
        return tuple(words), ()
    words = [part for word in words for part in word.split(",") if part]
    fault: UsageError | None = None
    for count in range(len(words), -1, -1):
        try:
            _tried(name, words[:count], at, table)
        except UsageError as error:
            # The words that are surely no cards say best what is wrong.
            fault = error if fault is None or _is_card(words[count]) else fault
        else:
            return tuple(words[:count]), tuple(words[count:])
    raise fault or UsageError(f"{name} is not understood")


def _is_card(word: str) -> bool:
    return find_code(word) is not None and not _DIE.fullmatch(word)


def _tried(name: str, words: Sequence[str], at: dict[str, str], table: Table) -> None:
    """Let the game read an event. Raises UsageError, in the words of the prompt."""
    game = table.game
    try:
        game.read_event((name, *words), at)
    except UsageError as error:
        raise UsageError(prompted(str(error), name, game.EVENTS.get(name, ""), event_usage(game, name)[0])) from error


def prompted(text: str, name: str, written: str, usage: str) -> str:
    """What a game says is wrong with an event, with how that is written at the prompt."""
    for known in (f"write {written}", written, f"write {written.partition(': ')[0]}"):
        if written and known in text:
            return text.replace(known, f"write {usage}")
    return text.replace(f"{name} takes no --at", f"{name} takes no")


def known_later(name: str, words: Sequence[str], session: Session) -> list[str]:
    """Words after the name."""
    table = session.table
    game: Any = table.game
    who = list(game.seats(game.plain_state(session.party.state()))) if game.SHARED else []
    if name == "odds":
        begun = 1 if game.SHARED else 2
        first = list(game.QUESTIONS) if len(words) == begun else []
        asked = words[begun] if len(words) > begun and words[begun] in game.QUESTIONS else next(iter(game.QUESTIONS))
        return [*first, *marks(game.QUESTIONS[asked]), *who]
    if name == "add" and not game.SHARED:
        return [*marks(f"add {game.NEWCOMER}")] if len(words) == 2 else []
    if name not in game.EVENTS:
        return []
    luck = game.LUCK.get(name, "").split()
    cards = left_in(session) if "cards" in luck and not table.virtual else ()
    about_card = not game.SHARED and len(words) == 2 and "CARD" in text_of(game.EVENTS[name])[0]
    own = sorted(game.held(session.party.state(session.party.find(words[1])))) if about_card else []
    first = [] if "dice" in words else [*marks(game.EVENTS[name]), *who, *own]
    return [*first, *(word for word in luck if word != "cards"), *cards]


def marks(written: str) -> tuple[str, ...]:
    """The small words of an event as a game writes it: `critical`, `pass`, `type=`."""
    follows, _ = text_of(written)
    return tuple(dict.fromkeys(_MARK.findall(_VALUE.sub("=", follows))))
