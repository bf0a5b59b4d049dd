"""Short commands, such as `hi b 9 10c`, in full words: `hit Bryn 9 10C`. Journals hold nothing but full words.

A word may be cut to its beginning if only one word begins so. Cards may be typed in one word.
"""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from generator.base.cards import find_code, find_codes, is_code
from generator.base.errors import HackjackError, UsageError
from generator.base.text_input import read_number
from generator.games.face import AnyGame
from generator.session import prompt, several
from generator.session.corrections import names_at_table
from generator.session.expected import known_at, specified
from generator.session.luck import MissingError
from generator.session.session import Session, advance

AS_TYPED = ("note", "session", "mend", "import")
"""Commands with free text: their words are never expanded."""
LETTERS = {"u": "undo", "r": "redo", "s": "show"}
"""Commands of single letters, in every game."""


class Line(NamedTuple):
    """A command in full words."""

    name: str
    words: tuple[str, ...] = ()


def read_line(typed: Sequence[str], session: Session) -> Line:
    """Return a line in full words. Raises UsageError where none or more than one command can be meant."""
    if len(typed) > prompt.MAX_NUMBERS:
        raise UsageError(f"{len(typed)} words are too many")
    name, rest = _command(typed, session)
    return Line(name, _in_full(name, several.with_names(name, rest, session), session))


def expand_line(typed: Sequence[str], session: Session) -> list[str]:
    """Return the beginning of a line in full words, or as it was typed if no one command can be meant."""
    try:
        name, rest = _command(typed, session)
        return [name, *_in_full(name, rest, session)]
    except UsageError:
        return list(typed)


def line_beginnings(begun: str, session: Session) -> list[str]:
    """Return what a line may begin with besides a command, once something is typed: a move."""
    return [*_ways(session.table.game)] if begun else []


def _command(typed: Sequence[str], session: Session) -> tuple[str, Sequence[str]]:
    """Return the command that a line begins with, and the words behind it."""
    game = session.table.game
    first, rest = typed[0].casefold(), typed[1:]
    first = prompt.WORDS.get(first, first) if rest else {**prompt.WORDS, **LETTERS}.get(first, first)
    ways = _ways(game)
    if first in ways:
        name, *more = ways[first]
        return name, (*more, *rest)
    begun = [way for name, way in ways.items() if first and name.startswith(first)]
    fitting = [way for way in begun if _fits(way[0], (*way[1:], *rest), session)]
    # A command wins over a move, and a word over one that goes on (wound over wounds).
    fitting = [way for way in fitting if len(way) == 1] or fitting
    fitting = [way for way in fitting if not any(way != other and way[-1].startswith(other[-1]) for other in fitting)]
    if len(fitting) == 1 or len(begun) == 1:
        name, *more = (fitting or begun)[0]
        return name, (*more, *rest)
    if not begun and find_codes(typed[0]) and game.CARDS_MEAN:
        name, *more = _for_cards(typed, session)
        return name, (*more, *typed)
    if begun:
        *others, last = [way[-1] for way in (fitting or begun)[:8]]
        raise UsageError(f'"{typed[0][:40]}" may be {", ".join(others)} or {last}: write more of it')
    return prompt.read_command(typed[0], game), rest


def _fits(name: str, rest: Sequence[str], session: Session) -> bool:
    """Return whether what follows can be read as what a command takes."""
    table, party, game = session.table, session.party, session.table.game
    try:
        words = _in_full(name, several.with_names(name, rest, session), session)
        match name:
            case "odds":
                prompt.usage(name, words, 1 if game.SHARED else 2, prompt.MAX_NUMBERS, game)
                if not game.SHARED:
                    party.find(words[0])
                prompt.read_question(words if game.SHARED else words[1:], table)
            case "log":
                prompt.usage(name, rest, 0, 1, game)
                return not rest or read_number(name, rest[0]) > 0
            case "show":
                prompt.usage(name, rest, 0, 0 if game.SHARED else 1, game)
                return not rest or bool(party.find(rest[0]))
            case "help":
                return not rest or (len(rest) == 1 and bool(_beginning(rest[0], prompt.commands(game))))
            case "set":
                advance(session, prompt.read_deed(name, rest, table, party))
            case "note" | "session" | "import" | "mend":
                # Any words may follow, so these are meant where nothing else can be.
                return name == "mend" and bool(rest) and rest[0].isdigit()
            case _ if name in game.EVENTS or name not in prompt.READING:
                several.read_deeds(name, words, session)
            case _:
                return not rest
    except HackjackError:
        return False
    return True


def _for_cards(typed: Sequence[str], session: Session) -> tuple[str, ...]:
    """Return the event that a line of cards stands for: the first possible one, or the first that takes so many."""
    ways = [way for way in session.table.game.CARDS_MEAN if _fits(way[0], (*way[1:], *typed), session)]
    for name, *more in ways:
        words = _in_full(name, (*more, *typed), session)
        try:
            advance(session, prompt.read_deed(name, words, session.table, session.party))
        except MissingError:
            return name, *more
        except HackjackError:
            continue
        return name, *more
    if not ways:
        raise UsageError(f'cards alone are not understood here: write what is done with "{typed[0][:40]}"')
    return ways[0]


def _ways(game: AnyGame) -> dict[str, tuple[str, ...]]:
    """Return the words that a line may begin with, in full: a move may do without the event in front of it."""
    moves = {
        move: (name, move) for name, spec in game.EVENTS.items() for first in spec.takes[:1] for move in first.then
    }
    return moves | {name: (name,) for name in prompt.commands(game)}


def _beginning(typed: str, candidates: Iterable[str]) -> list[str]:
    """Return the words that begin so, each once; only the one that is just that, where it is known."""
    folded = typed.casefold()
    matches = [word for word in dict.fromkeys(candidates) if folded and word.casefold().startswith(folded)]
    return [word for word in matches if word.casefold() == folded] or matches


def _in_full(name: str, rest: Sequence[str], session: Session) -> tuple[str, ...]:
    """Return the words behind a command in full."""
    if name in AS_TYPED and name not in session.table.game.EVENTS:
        return tuple(rest)
    full_words: list[str] = []
    for word in (part for each in rest for part in _apart(each, session)):
        full_words.append(_full(word, (name, *full_words), session))
    return tuple(full_words)


def _apart(word: str, session: Session) -> list[str]:
    """Return cards that were typed without spaces, and rows of them, one by one; any other word as it is."""
    rows = [find_codes(row) for row in word.split("/") if row]
    if len(word) < 4 or not all(rows) or not all(map(is_code, session.table.deck)):
        return [word]
    return [part for row in re.split("(/)", word) for part in (find_codes(row) or [row]) if part]


def _full(word: str, before: Sequence[str], session: Session) -> str:
    """Return a word in full where only one is known that begins so; otherwise as it was typed."""
    if word.lstrip("+-").isdigit():
        return word
    if len(before) == 1 and not session.table.game.SHARED and before[0] not in ("add", "help"):
        if "," in word or (word.casefold() == several.ALL and before[0] in session.table.game.EVENTS):
            return word
        return _only(word, _beginning(word, names_at_table(session.table, session.party)))
    if "=" in word:
        return _full_option(word, before, session)
    if _anything(before, session):
        return word
    about, deck = specified(before, session), session.table.deck
    expected = [*known_at(before, word, session), *(about.spec.luck if about else ())]
    if code := find_code(word):
        return code if code in expected and not prompt.DIE.fullmatch(word) else word
    return _only(
        word, _beginning(word, (expected for expected in expected if expected[-1] != "=" and expected not in deck))
    )


def _full_option(word: str, before: Sequence[str], session: Session) -> str:
    """Return `t=5` as `tn=5`, and the value in full too if it is one of several words."""
    begun, _, value = word.partition("=")
    options = [expected[:-1] for expected in known_at(before, "", session) if expected.endswith("=")]
    option = _only(begun, _beginning(begun, options))
    expected = [expected for expected in known_at(before, f"{option}=", session) if expected.startswith(f"{option}=")]
    return _only(f"{option}={value}", _beginning(f"{option}={value}", expected) if value else [])


def _only(typed: str, matches: Sequence[str]) -> str:
    return matches[0] if len(matches) == 1 else typed


def _anything(before: Sequence[str], session: Session) -> bool:
    """Return whether the next word may be anything, such as the name of something new."""
    if (about := specified(before, session)) is None:
        return False
    first = next((argument for argument in about.taken.waiting if not (argument.option or argument.label)), None)
    return bool(first and not (first.optional or about.luck or about.choices(first)))
