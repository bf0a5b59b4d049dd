"""How wide the columns of a table are: as it takes the fewest lines.

Widths are measured in units of the type size, so that one choice serves every size. Every column holds its longest
word; what is left over goes where it saves lines.
"""

from __future__ import annotations

from collections.abc import Sequence

from generator.paper import text

Words = tuple[text.Word, ...]
Row = Sequence[Words]

_ROUNDS = 14
_PART = 0.04
"""The share of the table's width that one column gives to another at a time."""


def widths(rows: Sequence[Row], measure: float, pad: float) -> tuple[float, ...]:
    """Widths that add up to `measure`, `pad` on each side of a cell included. All are positive.

    Where not even the longest words fit beside each other, each column gets its share of too little room; `narrow`
    finds that.
    """
    columns = list(zip(*rows, strict=True))
    least = [max(map(text.widest, column)) + 2 * pad for column in columns]
    wanted = [max(map(_unbroken, column)) + 2 * pad for column in columns]
    if sum(wanted) <= measure:
        return _scaled(wanted, measure)
    if sum(least) >= measure:
        return _scaled(least, measure)
    share = (measure - sum(least)) / (sum(wanted) - sum(least))
    start = [low + share * (high - low) for low, high in zip(least, wanted, strict=True)]
    return _improved(columns, start, least, measure * _PART, pad)


def narrow(rows: Sequence[Row], chosen: Sequence[float], pad: float) -> str:
    """A word that is wider than its column; empty where every word fits."""
    for row in rows:
        for words, wide in zip(row, chosen, strict=True):
            for word in words:
                if word.width > wide - 2 * pad + 1e-6:
                    return "".join(run.text for run in word.runs)
    return ""


def _scaled(parts: Sequence[float], measure: float) -> tuple[float, ...]:
    return tuple(part * measure / sum(parts) for part in parts)


def _unbroken(words: Words) -> float:
    return sum(word.width + word.space for word in words)


def _improved(
    columns: Sequence[Sequence[Words]], start: list[float], least: list[float], step: float, pad: float
) -> tuple[float, ...]:
    """Move room from column to column as long as it makes the table lower, or its cells so."""

    def lines(column: int, wide: float) -> list[int]:
        return [text.line_count(words, wide - 2 * pad) for words in columns[column]]

    chosen = list(start)
    counts = [lines(column, wide) for column, wide in enumerate(chosen)]
    cost = _cost(counts)
    for _ in range(_ROUNDS):
        best = None
        narrower = [lines(at, wide - step) if wide - step >= low else None for at, (wide, low) in _each(chosen, least)]
        wider = [lines(at, wide + step) for at, wide in enumerate(chosen)]
        for giver, given in enumerate(narrower):
            for taker, taken in enumerate(wider):
                if given is None or giver == taker:
                    continue
                tried = [*counts]
                tried[giver], tried[taker] = given, taken
                if _cost(tried) < cost:
                    best, cost = (giver, taker, tried), _cost(tried)
        if best is None:
            break
        giver, taker, counts = best
        chosen[giver] -= step
        chosen[taker] += step
    return tuple(chosen)


def _each(chosen: list[float], least: list[float]) -> enumerate[tuple[float, float]]:
    return enumerate(zip(chosen, least, strict=True))


def _cost(counts: Sequence[Sequence[int]]) -> tuple[int, int]:
    """The lines of the table, and those of all its cells."""
    return sum(max(row) for row in zip(*counts, strict=True)), sum(map(sum, counts))
