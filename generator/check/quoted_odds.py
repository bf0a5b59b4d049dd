"""Sentences that quote exact chances: asked of the game when they are printed, never typed in."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from generator.base.dice import Dice
from generator.base.errors import HackjackError, Problem, did_you_mean
from generator.games import game_of
from generator.games.face import Asked
from generator.model.blocks import Axis, ChancesBlock, OddsBlock, QuotedChance
from generator.model.formulas import Formula, evaluate
from generator.model.rules import System
from generator.pack.strict_yaml import Marks, Trail
from generator.play.every_way import work_budget
from generator.words.chances import chance_percent

MAX_PACK_WORK = 1_500_000
"""Dice, cards and steps that all charts, quoted chances and claims of a pack may take together: some ten seconds."""

_QUOTED = re.compile(r"\{([\w.+-]+)\}")
"""A key of the answer in a sentence, `{slain}` or `{rows.13+}`; the procedure's numbers are written alike."""


def answer(system: System, asks: str, at: Mapping[str, str], state: Mapping[str, Any]) -> dict[str, Any]:
    """The odds of a question as `hackjack odds --json` has them. Raises HackjackError, UsageError.

    Every question that the system's content asks has the same share of `MAX_PACK_WORK`, whoever asks it.
    """
    with work_budget(MAX_PACK_WORK // system.question_count):
        return game_of(system).odds(*_read(system, asks, at, state), Asked()).plain


def _read(system: System, asks: str, at: Mapping[str, str], state: Mapping[str, Any]) -> tuple[Any, Any]:
    """A state and a question."""
    game = game_of(system)
    return game.read_state(dict(state)), game.read_question(asks.split(), at)


def quoted(chance: QuotedChance, system: System) -> str:
    """The sentence with its chances in per cent; the procedure's numbers are left as they stand, for `filled`.

    Raises HackjackError, UsageError for a question that cannot be asked, or a name that the answer does not have.
    """
    shares = dict(shares_of(answer(system, chance.asks, chance.at, chance.state)))
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
        return match[0] if share is None else f"{chance_percent(share, chance.decimals)} %"

    return _QUOTED.sub(said, chance.says)


Cell = tuple[str, dict[str, str], dict[str, Any]]
"""A question, its `at` and its state."""

Given = int | str | tuple[int, ...]
"""A value of an axis; several numbers come one after the other."""

_SUM = re.compile(r"\{([^{}]+)\}")
_RANGE = re.compile(r"^(\d+)-(\d+)$")


def values(axis: Axis | None, system: System) -> tuple[Given, ...]:
    """What runs along an axis; one value that is nothing where there is none. Raises HackjackError for too many."""
    if axis is None:
        return ("",)
    numbers = _Values({}, system)
    upto = axis.upto or 1 if axis.below is None else numbers.named(axis.below) - 1
    # One more is one too many already.
    axis_values: tuple[Given, ...] = (
        tuple(axis.states) or axis.values or tuple(range(axis.least, upto + 1)[: MAX_BELOW + 1])
    )
    if axis.most is not None:
        most = numbers.named(axis.most)
        axis_values = tuple(value for value in axis_values if isinstance(value, str) or _largest(value) <= most)
    limit = MAX_VALUES if axis.below is None else MAX_BELOW
    if not 1 <= len(axis_values) <= limit:
        raise HackjackError(f'"{axis.title}" has {len(axis_values)} values: from 1 to {limit} can be printed')
    return axis_values


MAX_VALUES = 24
"""So many values there are along one axis."""
MAX_BELOW = 50
"""The same of an axis that runs up to a number of the procedure."""


def _largest(value: int | tuple[int, ...]) -> int:
    return max(value) if isinstance(value, tuple) else value


def label(axis: Axis | None, value: Given, system: System) -> str:
    """What is printed for a value; of a range from a number to itself that number."""
    if axis is None or axis.label is None:
        return ", then ".join(map(str, value)) if isinstance(value, tuple) else str(value).replace("_", " ")
    text = _put(axis.label, _Values({axis.name: value}, system))
    return match[1] if (match := _RANGE.match(text)) and match[1] == match[2] else text


class _Values:
    """What the names in braces stand for: the values of the axes, and the numbers of the procedure."""

    def __init__(self, known: Mapping[str, Given], system: System) -> None:
        self.known, self.system = known, system

    def named(self, name: str) -> int:
        """A number. Raises HackjackError for what is none."""
        value = self.known.get(name, self.system.numbers.get(name))
        if isinstance(value, int) or (isinstance(value, str) and value.isdigit()):
            return int(value)
        there = ", ".join(self.known)
        raise HackjackError(f'"{name}" is no number here: the axes have {there}')

    def call(self, function: str, name: str, which: str = "", detail: str | None = None) -> int:
        """There is nobody to ask. Raises HackjackError."""
        del which, detail
        raise HackjackError(f"{function}({name}) asks about a character: here numbers alone are known")

    def rolled(self, dice: Dice, face: int = 0) -> int:
        """There is nothing to roll. Raises HackjackError."""
        del face
        raise HackjackError(f"{dice} would be rolled: here numbers alone are known")


def _put(written: str, scope: _Values) -> str:
    """A text with its sums in braces figured."""

    def figured(match: re.Match[str]) -> str:
        value = scope.known.get(match[1])
        if value is not None:
            return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)
        try:
            return str(evaluate(Formula.parse(match[1]), scope))
        except ValueError as error:
            raise HackjackError(f"in braces stands a sum: {error}") from error

    return _SUM.sub(figured, written)


def cell(block: OddsBlock, system: System, across: Given, down: Given) -> Cell:
    """The question of one field of a picture. Raises HackjackError for sums that cannot be figured."""
    cell_values: dict[str, Given] = {}
    state, added = dict(block.state), dict[str, list[Any]]()
    for axis, value in ((block.across, across), (block.down, down)):
        if axis is not None:
            cell_values[axis.name] = value
            state |= axis.states.get(str(value), {})
            for key, entry in axis.adds.items():
                added.setdefault(key, []).extend([entry] * _times(axis, value))
    for key, entries in added.items():
        state[key] = [*state.get(key, ()), *entries]
    scope = _Values(cell_values, system)

    def put(written: Any) -> Any:
        if isinstance(written, str):
            text = _put(written, scope)
            return int(text) if _SUM.fullmatch(written) and text.lstrip("-").isdigit() else text
        if isinstance(written, dict):
            return {key: put(inner) for key, inner in written.items()}
        return [put(inner) for inner in written] if isinstance(written, list | tuple) else written

    return _put(block.asks, scope), {key: _put(value, scope) for key, value in block.at.items()}, put(state)


def _times(axis: Axis, value: Given) -> int:
    if not isinstance(value, int) or value < 0:
        raise HackjackError(f'"{axis.title}" adds so many as its value says: {value} is no number from 0 up')
    return value


def counted(block: OddsBlock, system: System, across: Given, down: Given) -> dict[str, Fraction]:
    """What a picture counts, for one pair of values: of bands each by its name. Raises HackjackError, UsageError."""
    shares = dict(shares_of(answer(system, *cell(block, system, across, down))))
    axes = {axis.name: value for axis, value in ((block.across, across), (block.down, down)) if axis}
    key = _put(block.counts, _Values(axes, system))
    if block.looks == "bands":
        before = f"{key}."
        counts = {name.removeprefix(before): share for name, share in shares.items() if name.startswith(before)}
    else:
        # What cannot come about at all is in no answer.
        group = key.rpartition(".")[0]
        counts = {key: shares.get(key, Fraction(0))} if group or key in shares else {}
    if not counts:
        hint = did_you_mean(key, shares) or f": it has {', '.join([*shares][:12])}"
        raise HackjackError(f'the answer to "{block.asks}" has no "{key}"{hint}')
    return counts


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
                        across, down = values(block.across, system), values(block.down, system)
                        counted(block, system, across[0], down[0])
                        # What an axis adds stands in the last question alone.
                        _read(system, *cell(block, system, across[-1], down[-1]))
                    except HackjackError as error:
                        trail: Trail = ("panels", place, "blocks", at, "asks")
                        yield marks[f"{name}.yaml"].problem(trail, f"these odds cannot be counted: {error}")
                for number, chance in enumerate(block.chances if isinstance(block, ChancesBlock) else ()):
                    try:
                        quoted(chance, system)
                    except HackjackError as error:
                        trail = ("panels", place, "blocks", at, "chances", number)
                        yield marks[f"{name}.yaml"].problem(trail, str(error))


def shares_of(plain: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Fraction]]:
    """Every chance in an answer by its key, those of groups as `rows.13+`."""
    for name, value in plain.items():
        if isinstance(value, Mapping):
            if "fraction" in value:
                yield f"{before}{name}", Fraction(value["fraction"])
            else:
                yield from shares_of(value, f"{before}{name}.")
