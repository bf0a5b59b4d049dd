"""Sentences that quote exact chances: asked of the game when they are printed, never typed in."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from generator.base.errors import HackjackError, Problem, did_you_mean
from generator.games import game_of
from generator.games.face import Asked
from generator.model.blocks import Axis, ChancesBlock, OddsBlock, QuotedChance
from generator.model.rules import System
from generator.pack.strict_yaml import Marks, Trail
from generator.words.chances import percent

_QUOTED = re.compile(r"\{([\w.+-]+)\}")
"""A key of the answer in a sentence, `{slain}` or `{rows.13+}`; the procedure's numbers are written alike."""


def answer(system: System, asks: str, at: Mapping[str, str], state: Mapping[str, Any]) -> dict[str, Any]:
    """The odds of a question as `hackjack odds --json` has them. Raises HackjackError, UsageError."""
    return game_of(system).odds(*_read(system, asks, at, state), Asked()).plain


def _read(system: System, asks: str, at: Mapping[str, str], state: Mapping[str, Any]) -> tuple[Any, Any]:
    """A state and a question."""
    game = game_of(system)
    return game.read_state(dict(state)), game.read_question(asks.split(), at)


def quoted(chance: QuotedChance, system: System) -> str:
    """The sentence with its chances in per cent; the procedure's numbers are left as they stand, for `filled`.

    Raises HackjackError, UsageError for a question that cannot be asked, or a name that the answer does not have.
    """
    shares = dict(_shares(answer(system, chance.asks, chance.at, chance.state)))
    names = _QUOTED.findall(chance.says)
    for name in names:
        if name not in shares and name not in system.numbers:
            hint = did_you_mean(name, [*shares, *system.numbers]) or f": it has {', '.join([*shares][:12])}"
            raise HackjackError(f'the answer to "{chance.asks}" has no "{{{name}}}"{hint}')
    if shares.keys().isdisjoint(names):
        raise HackjackError(
            f'the sentence quotes no chance: the answer to "{chance.asks}" has {", ".join([*shares][:12])}'
        )

    def said(match: re.Match[str]) -> str:
        share = shares.get(match[1])
        return match[0] if share is None else f"{percent(share, chance.decimals)} %"

    return _QUOTED.sub(said, chance.says)


Cell = tuple[str, dict[str, str], dict[str, Any]]
"""A question, its `at` and its state."""


def values(axis: Axis | None) -> tuple[int | str, ...]:
    """What runs along an axis; one value that is nothing where there is none."""
    if axis is None:
        return ("",)
    return tuple(axis.states) or axis.values or tuple(range(1, (axis.upto or 1) + 1))


def cell(block: OddsBlock, across: int | str, down: int | str) -> Cell:
    """The question of one field of a picture."""
    known: dict[str, int | str] = {}
    state = dict(block.state)
    for axis, value in ((block.across, across), (block.down, down)):
        if axis is not None:
            known[axis.name] = value
            state |= axis.states.get(str(value), {})

    def put(written: Any) -> Any:
        if isinstance(written, str):
            if (whole := _QUOTED.fullmatch(written)) and whole[1] in known:
                return known[whole[1]]
            return _QUOTED.sub(lambda match: str(known.get(match[1], match[0])), written)
        if isinstance(written, dict):
            return {key: put(inner) for key, inner in written.items()}
        return [put(inner) for inner in written] if isinstance(written, list | tuple) else written

    return str(put(block.asks)), {key: str(put(value)) for key, value in block.at.items()}, put(state)


def counted(block: OddsBlock, system: System, across: int | str, down: int | str) -> dict[str, Fraction]:
    """What a picture counts, for one pair of values: of bands each by its name. Raises HackjackError, UsageError."""
    shares = dict(_shares(answer(system, *cell(block, across, down))))
    if block.looks == "bands":
        before = f"{block.counts}."
        found = {name.removeprefix(before): share for name, share in shares.items() if name.startswith(before)}
    else:
        # What cannot come about at all is in no answer.
        group = block.counts.rpartition(".")[0]
        found = {block.counts: shares.get(block.counts, Fraction(0))} if group or block.counts in shares else {}
    if not found:
        hint = did_you_mean(block.counts, shares) or f": it has {', '.join([*shares][:12])}"
        raise HackjackError(f'the answer to "{block.asks}" has no "{block.counts}"{hint}')
    return found


def fault(chance: QuotedChance, system: System) -> str:
    """Why a question cannot be read, without counting anything; empty where it can."""
    try:
        _read(system, chance.asks, chance.at, chance.state)
    except HackjackError as error:
        return f"these odds cannot be asked for: {error}"
    return ""


def problems(system: System, marks: Mapping[str, Marks]) -> Iterator[Problem]:
    """Sentences whose chances cannot be counted, or that quote what is not in the answer."""
    for name, file in system.panels:
        for place, panel in enumerate(file.panels):
            for at, block in enumerate(panel.blocks):
                if isinstance(block, OddsBlock):
                    try:
                        counted(block, system, values(block.across)[0], values(block.down)[0])
                    except HackjackError as error:
                        trail: Trail = ("panels", place, "blocks", at, "asks")
                        yield marks[f"{name}.yaml"].problem(trail, f"these odds cannot be counted: {error}")
                for number, chance in enumerate(block.chances if isinstance(block, ChancesBlock) else ()):
                    try:
                        quoted(chance, system)
                    except HackjackError as error:
                        trail = ("panels", place, "blocks", at, "chances", number)
                        yield marks[f"{name}.yaml"].problem(trail, str(error))


def _shares(plain: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Fraction]]:
    """Every chance in an answer by its key, those of groups as `rows.13+`."""
    for name, value in plain.items():
        if isinstance(value, Mapping):
            if "fraction" in value:
                yield f"{before}{name}", Fraction(value["fraction"])
            else:
                yield from _shares(value, f"{before}{name}.")
