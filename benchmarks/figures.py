"""What a benchmark finds: how long we take, and how long something takes that runs beside us."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple


class Figure(NamedTuple):
    """One thing that was timed, in seconds; `beside` names what ran beside it, empty where nothing did."""

    what: str
    ours: float
    beside: str = ""
    theirs: float = 0.0

    @property
    def ratio(self) -> str:
        """How many times as long we take; empty where nothing ran beside us."""
        return f"{self.ours / self.theirs:.3g}" if self.beside else ""


def shown(seconds: float) -> str:
    """A time with a unit that suits it."""
    if seconds >= 2:
        return f"{seconds:.1f} s"
    return f"{seconds * 1000:.0f} ms" if seconds >= 0.1 else f"{seconds * 1000:.2g} ms"


def tell(figures: Iterable[Figure]) -> None:
    """Print a line for each figure when it is known."""
    for each in figures:
        than = f"; {each.beside}: {shown(each.theirs)}; ratio {each.ratio}" if each.beside else ""
        print(f"{each.what}: {shown(each.ours)}{than}", flush=True)


def table(figures: Iterable[Figure]) -> Iterator[str]:
    """The lines of a Markdown table."""
    yield "| what | ours | beside it | takes | ratio |"
    yield "|---|---|---|---|---|"
    for each in figures:
        theirs = shown(each.theirs) if each.beside else ""
        yield f"| {each.what} | {shown(each.ours)} | {each.beside} | {theirs} | {each.ratio} |"
