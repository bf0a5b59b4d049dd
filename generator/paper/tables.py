"""How wide the columns of a table are: as it takes the fewest lines.

Widths are measured in units of the type size, so that one choice serves every size. Every column holds its longest
word. A column needs only be as wide as its cells take another line for: between these steps room would be wasted, and
goes to where it saves lines.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import accumulate, product
from math import prod
from typing import NamedTuple

from generator.paper import text

Words = tuple[text.Word, ...]
Row = Sequence[Words]

_FEW = 2_000
"""So many ways to choose the widths of all columns are all tried."""
_MAX_STEPS = 16
"""So many widths of a column are tried where there are more ways."""
_LONG = 40
"""A cell of more words is tried on its narrowest and on one line alone."""
_HAIR = 1e-6


class _Step(NamedTuple):
    """A width of a column, without the space beside its cells, and how many lines each cell takes then."""

    wide: float
    lines: tuple[int, ...]


def column_widths(rows: Sequence[Row], measure: float, pad: float) -> tuple[float, ...]:
    """Widths that add up to `measure`, `pad` on each side of a cell included. All are positive.

    Where not even the longest words fit beside each other, each column gets its share of too little room:
    `overflowing_word` finds that.
    """
    columns = [_steps(column) for column in zip(*rows, strict=True)]
    room = measure - 2 * pad * len(columns)
    chosen = [0] * len(columns)
    if _wide(columns, chosen) < room:
        if prod(map(len, columns)) > _FEW:
            columns = [_thinned(steps) for steps in columns]
        search = _best if prod(map(len, columns)) <= _FEW else _improved
        chosen = search(columns, room)
    parts = [steps[at].wide + 2 * pad for steps, at in zip(columns, chosen, strict=True)]
    return tuple(part * measure / sum(parts) for part in parts)


def overflowing_word(rows: Sequence[Row], chosen: Sequence[float], pad: float) -> str:
    """A word that is wider than its column; empty where every word fits."""
    for row in rows:
        for words, wide in zip(row, chosen, strict=True):
            for word in words:
                if word.width > wide - 2 * pad + 1e-6:
                    return "".join(run.text for run in word.runs)
    return ""


@lru_cache(maxsize=1000)
def _steps(column: tuple[Words, ...]) -> tuple[_Step, ...]:
    """From as narrow as its longest word to no cell broken, the widths at which a column takes fewer lines."""
    minimum = max(map(text.widest_word, column))
    widths = {minimum}
    for words in column:
        widths.update(wide for wide in _narrowest(words, minimum) if wide > minimum)
    steps: list[_Step] = []
    for wide in sorted(widths):
        lines = tuple(text.line_count(words, wide + _HAIR) for words in column)
        if not steps or lines != steps[-1].lines:
            steps.append(_Step(wide + _HAIR, lines))
    return tuple(steps)


def _thinned(steps: tuple[_Step, ...]) -> tuple[_Step, ...]:
    """Return a few of the widths, the narrowest and the widest among them."""
    thin = -(-len(steps) // _MAX_STEPS)
    return (*steps[:-1:thin], steps[-1])


def _narrowest(words: Words, minimum: float) -> Iterator[float]:
    """Yield the least width for each number of lines that a cell can take, if it has at least so much."""
    if not words:
        return
    ends = [*accumulate(word.space + word.width for word in words)]
    whole = ends[-1] - words[0].space
    yield whole
    if len(words) > _LONG:
        return
    # A line is a run of words, so the narrowest column is as wide as one of these.
    runs = sorted(
        {
            end - start - words[at].space
            for at, start in enumerate([0.0, *ends[:-1]])
            for end in ends[at:]
            if end - start - words[at].space >= minimum
        }
    )
    for count in range(2, text.line_count(words, minimum + _HAIR)):
        yield runs[bisect_left(runs, True, key=lambda wide: text.line_count(words, wide + _HAIR) <= count)]


def _best(columns: Sequence[Sequence[_Step]], room: float) -> list[int]:
    """Return the step of each column that costs the fewest lines, of all that there is room for."""
    every = map(list, product(*(range(len(steps)) for steps in columns)))
    return min((tried for tried in every if _wide(columns, tried) <= room), key=lambda tried: _cost(columns, tried))


def _improved(columns: Sequence[Sequence[_Step]], room: float) -> list[int]:
    """The same where there are too many ways to try: from the widest down to what there is room for, then up again."""
    chosen = [len(steps) - 1 for steps in columns]
    while _wide(columns, chosen) > room:
        # Whichever column saves the most room for a line.
        lower = [_with(chosen, at, step - 1) for at, step in enumerate(chosen) if step]
        chosen = min(lower, key=lambda tried: _price(columns, tried, _wide(columns, chosen)))
    while True:
        better = min(_moves(columns, chosen, room), key=lambda tried: _cost(columns, tried), default=chosen)
        if _cost(columns, better) >= _cost(columns, chosen):
            return chosen
        chosen = better


def _price(columns: Sequence[Sequence[_Step]], tried: list[int], wide: float) -> float:
    """What each unit of room costs in lines that a narrower column saves."""
    table, cells = _cost(columns, tried)
    return (table + cells / 100) / (wide - _wide(columns, tried))


def _moves(columns: Sequence[Sequence[_Step]], chosen: list[int], room: float) -> Iterator[list[int]]:
    """Yield one column wider, and another narrower where that must pay for it."""
    for taker, steps in enumerate(columns):
        for step in range(chosen[taker] + 1, len(steps)):
            tried = _with(chosen, taker, step)
            if _wide(columns, tried) <= room:
                yield tried
                continue
            for giver, share in enumerate(chosen):
                for less in range(share - 1, -1, -1) if giver != taker else ():
                    paid = _with(tried, giver, less)
                    if _wide(columns, paid) <= room:
                        yield paid
                        break


def _with(chosen: list[int], at: int, step: int) -> list[int]:
    return [*chosen[:at], step, *chosen[at + 1 :]]


def _wide(columns: Sequence[Sequence[_Step]], chosen: list[int]) -> float:
    return sum(steps[at].wide for steps, at in zip(columns, chosen, strict=True))


def _cost(columns: Sequence[Sequence[_Step]], chosen: list[int]) -> tuple[int, int]:
    """Return the lines of the table, and those of all its cells."""
    counts = [steps[at].lines for steps, at in zip(columns, chosen, strict=True)]
    return sum(map(max, zip(*counts, strict=True))), sum(map(sum, counts))
