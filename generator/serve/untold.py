"""What players are not told: the names of foes and of hidden characters, in any sentence that goes to their pages.

A player's view is put together without them. Sentences of the rules are not, such as the hint "did you mean Evans?",
and so every sentence for a player passes through here.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from generator.base.errors import HackjackError, UsageError
from generator.base.text_input import name_key
from generator.play.chance import CardNeed, Need, RollNeed
from generator.session.journal import IdTakenError, StaleError

REFUSED = "this cannot be done: ask the game master"
ID_TAKEN = "this id was used for another command: send each one with its own"


def mentions(text: str, names: Collection[str]) -> bool:
    """Return whether a text has one of these names in it, in any case."""
    folded, keys = name_key(text), map(name_key, names)
    # A short search first: most sentences name nobody.
    return any(key in folded and re.search(rf"(?<!\w){re.escape(key)}(?!\w)", folded) for key in keys)


def lines_for_players(lines: Sequence[Mapping[str, Any]], names: Collection[str]) -> list[Mapping[str, Any]]:
    """Return the sentences of a log, with their reasons, that a player may hear."""
    public_lines = [line for line in lines if "secret" not in line]
    return [line for line in public_lines if not mentions(f"{line['text']} {line.get('why', '')}", names)]


def command_for_players(typed: str, names: Collection[str]) -> str:
    """Return a player's own command as typed, cut down to its first word where the rest names somebody."""
    return typed.split(" ", 1)[0] if mentions(typed, names) else typed


def sentence_for_players(text: str, names: Collection[str]) -> str:
    """Return a sentence as a player may hear it: as it is, or one that names nobody."""
    return REFUSED if mentions(text, names) else text


def need_for_players(need: Need, names: Collection[str]) -> Need:
    """Return a need without its reason, and without whose dice they are, where these name a character."""
    if isinstance(need, CardNeed):
        return need._replace(place="") if mentions(need.place, names) else need
    if isinstance(need, RollNeed):
        need = need._replace(reason="") if mentions(need.reason, names) else need
        return need._replace(whose=()) if mentions("\n".join(need.whose), names) else need
    return need


def error_for_players(error: HackjackError, names: Collection[str]) -> HackjackError:
    """Return an error as a player may hear it: the same one, or one of the same kind that names nobody."""
    if isinstance(error, StaleError):
        return StaleError(())
    if isinstance(error, IdTakenError):
        return IdTakenError(ID_TAKEN)
    if not mentions(str(error), names):
        return error
    return type(error)(REFUSED) if isinstance(error, UsageError) else HackjackError(REFUSED)
