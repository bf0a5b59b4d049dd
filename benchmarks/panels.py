"""How long a screen and a sheet take beside a bare canvas that draws the very same lines with no layout.

As in deck.py: the program's own drawing calls are recorded once, and a bare canvas plays them back. Charts are measured
apart, because what they show is counted by the engine. Run: python benchmarks/panels.py
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from deck import in_turns, recorded, replay
from figures import Figure, tell

from generator.games import game_of
from generator.layout import sheets
from generator.pack.load import load_pack
from generator.pack.pack_locations import find
from generator.paper import document
from generator.paper.panel_options import PanelOptions
from generator.products import panels

PAPER = sheets.paper_sizes()["a4"]


def measured(name: str, make: Callable[..., bytes], *, across: bool, **options: Any) -> Figure:
    """One figure: from the YAML to the bytes, against the same lines on a bare canvas."""
    folder = find("hackjack")
    system = load_pack(folder).system
    chosen = PanelOptions(PAPER, **options)

    def ours() -> bytes:
        return make(load_pack(folder).system, chosen)

    size = ours()
    calls = recorded(lambda: make(system, chosen), panels)
    wide, high = PAPER.width * document.MM, PAPER.height * document.MM
    if across:
        wide, high = high, wide
    if len(replay(calls, wide, high)) < 0.4 * len(size):
        raise SystemExit(f"the bare canvas did not draw the {name}")
    mine, bare = in_turns(ours, lambda: replay(calls, wide, high))
    return Figure(name, mine, "the same lines on a bare canvas", bare)


def figures() -> Iterator[Figure]:
    """The medians."""
    system = load_pack(find("hackjack")).system
    counted = {name: make(system) for name, make in game_of(system).charts().items()}
    known = {name: lambda _, picture=picture: picture for name, picture in counted.items()}
    yield measured("screen, its charts counted before", panels.screen, across=True, charts=known)
    yield measured("screen, printed again after its words were changed", panels.screen, across=True)
    yield measured("sheet with form fields", panels.sheet, across=False, fillable=True)
    yield measured("sheet in plain ink", panels.sheet, across=False)


if __name__ == "__main__":
    tell(figures())
