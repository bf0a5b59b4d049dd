"""Sentences that quote exact chances: asked of the game when they are printed, never typed in."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from generator.blocks import Chance
from generator.errors import HackjackError, did_you_mean
from generator.games import Asked, game_of
from generator.odds import percent
from generator.rules import System

_QUOTED = re.compile(r"\{([\w.+-]+)\}")
"""A key of the answer in a sentence, `{slain}` or `{rows.13+}`; the procedure's numbers are written alike."""


def answer(system: System, asks: str, at: Mapping[str, str], state: Mapping[str, Any]) -> dict[str, Any]:
    """The odds of a question as `hackjack odds --json` has them. Raises HackjackError, UsageError."""
    game = game_of(system)
    known = game.read_state(dict(state), system)
    return game.odds(system, known, game.read_question(asks.split(), at, system), Asked()).plain


def quoted(chance: Chance, system: System) -> str:
    """The sentence with its chances in per cent; what is no key of the answer is left for the procedure's numbers.

    Raises HackjackError, UsageError for a question that cannot be asked.
    """
    shares = dict(_shares(answer(system, chance.asks, chance.at, chance.state)))

    def said(match: re.Match[str]) -> str:
        share = shares.get(match[1])
        return match[0] if share is None else f"{percent(share, chance.decimals)} %"

    return _QUOTED.sub(said, chance.says)


def faults(chance: Chance, system: System) -> Iterator[tuple[str, str]]:
    """The key of the sentence where something is wrong, and what."""
    try:
        shares = dict(_shares(answer(system, chance.asks, chance.at, chance.state)))
    except HackjackError as error:
        yield "asks", f"these odds cannot be asked for: {error}"
        return
    for name in _QUOTED.findall(chance.says):
        if name not in shares and name not in system.numbers:
            known = [*shares, *system.numbers]
            yield "says", f'the answer has no "{{{name}}}"{did_you_mean(name, known)}'
    if not any(name in shares for name in _QUOTED.findall(chance.says)):
        yield "says", f"the sentence quotes no chance of its answer: it has {', '.join(list(shares)[:8])}"


def _shares(plain: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Fraction]]:
    """Every chance in an answer by its key, those of groups as `rows.13+`."""
    for name, value in plain.items():
        if isinstance(value, Mapping):
            if "fraction" in value:
                yield f"{before}{name}", Fraction(value["fraction"])
            else:
                yield from _shares(value, f"{before}{name}.")
