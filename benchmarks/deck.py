"""How long a deck takes beside a bare canvas that draws the very same lines with no layout.

The program's own drawing calls are recorded once; the bare canvas plays them back. What is left over is the price of
content, templates and layout. Run: python benchmarks/deck.py
"""

from __future__ import annotations

import pickle
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from io import BytesIO
from operator import attrgetter
from pathlib import Path
from statistics import median
from typing import Any

from figures import Figure, tell
from msgspec.structs import replace
from reportlab.pdfgen import canvas as reportlab_canvas

from generator.layout import sheets
from generator.model.themes import Theme
from generator.pack import themes
from generator.pack.load import load_pack
from generator.pack.pack_locations import find
from generator.paper import document, fonts
from generator.paper.themed import fonts_of_theme
from generator.products import deck

ROUNDS = 9

_Call = tuple[str, tuple[Any, ...], dict[str, Any]]
_MADE_OF = ("beginText", "beginPath")


class _Recorder:
    """A stand-in for a canvas, or for the text and path objects it makes, that writes down what is asked of it."""

    def __init__(self, real: Any, calls: list[Any], prefix: str = "") -> None:
        self._real, self._calls, self._prefix = real, calls, prefix

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._real, name)
        if name == "acroForm":
            return _Recorder(value, self._calls, "acroForm.")
        if not callable(value):
            return value

        def called(*args: Any, **kwargs: Any) -> Any:
            plain = tuple(argument._calls if isinstance(argument, _Recorder) else argument for argument in args)
            if name in _MADE_OF:
                made: list[Any] = [(name, plain, kwargs)]
                return _Recorder(value(*args, **kwargs), made)
            self._calls.append((self._prefix + name, plain, kwargs))
            real = tuple(argument._real if isinstance(argument, _Recorder) else argument for argument in args)
            return value(*real, **kwargs)

        return called


def recorded(make: Callable[[], bytes], product: Any = deck) -> list[_Call]:
    """The drawing calls that making a document of a product's module comes to."""
    calls: list[_Call] = []
    real_open = product.open_document

    def opened(*args: Any, **kwargs: Any) -> Any:
        return _Recorder(real_open(*args, **kwargs), calls)

    product.open_document = opened
    try:
        make()
    finally:
        product.open_document = real_open
    return calls


def replay(calls: list[_Call], width: float, height: float) -> bytes:
    """The same lines on a bare canvas."""
    stream = BytesIO()
    canvas = reportlab_canvas.Canvas(
        stream, pagesize=(width, height), invariant=1, pageCompression=1, initialFontName="SourceSansPro-Regular"
    )
    for name, args, kwargs in calls:
        attrgetter(name)(canvas)(*(_remade(canvas, argument) for argument in args), **kwargs)
    return stream.getvalue()


def _remade(canvas: Any, argument: Any) -> Any:
    """A text or path object drawn anew from its own recorded calls."""
    if not (isinstance(argument, list) and argument and isinstance(argument[0], tuple) and argument[0][0] in _MADE_OF):
        return argument
    (name, args, kwargs), *rest = argument
    made = getattr(canvas, name)(*args, **kwargs)
    for method, arguments, options in rest:
        getattr(made, method)(*arguments, **options)
    return made


def in_turns(first: Callable[[], object], second: Callable[[], object]) -> tuple[float, float]:
    """Both medians, the runs alternating so that a busy machine slows both alike."""
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(ROUNDS):
        for work, taken in zip((first, second), times, strict=True):
            start = time.perf_counter()
            work()
            taken.append(time.perf_counter() - start)
    return median(times[0]), median(times[1])


def decks(times: int) -> tuple[float, int]:
    """How long a process of its own draws so many decks, in ms, and its largest memory, in MB."""
    code = (
        "import resource, time; from generator.layout import sheets\n"
        "from generator.pack.load import load_pack; from generator.pack.pack_locations import find\n"
        "from generator.products import deck\n"
        "system = load_pack(find('hackjack')).system\n"
        "options = deck.Options(sheets.papers()['a4'], sheets.cards()['poker'], jokers=True)\n"
        "begun = time.perf_counter()\n"
        f"for _ in range({times}): deck.sheets(system, options)\n"
        "print((time.perf_counter() - begun) * 1000, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    taken, memory = done.stdout.split()
    return float(taken), int(memory)


def figures() -> Iterator[Figure]:
    """The medians; memory is said in words, for nothing runs beside it."""
    system = load_pack(find("hackjack")).system
    paper = sheets.paper_sizes()["a4"]
    options = deck.Options(paper, sheets.card_sizes()["poker"], jokers=True)

    def ours() -> bytes:
        # The whole way from YAML, as the command goes.
        return deck.sheets(load_pack(find("hackjack")).system, options)

    ours()
    calls = recorded(lambda: deck.sheets(system, options))
    width, height = paper.width * document.MM, paper.height * document.MM
    if len(replay(calls, width, height)) < 100_000:
        raise SystemExit("the bare canvas did not draw the deck")
    mine, bare = in_turns(ours, lambda: replay(calls, width, height))
    canvas = "the same lines on a bare canvas"
    yield Figure("54 cards with backs, from the YAML", mine, canvas, bare)

    for name, theme in themes.shipped().items():

        def dressed(theme: Theme = theme) -> bytes:
            with fonts_of_theme(theme, system):
                return deck.sheets(system, replace(options, theme=theme))

        taken, plain = in_turns(dressed, lambda: deck.sheets(system, options))
        yield Figure(f"54 cards in the theme {name}, {len(dressed()) // 1000} kB", taken, "the theme plain", plain)

    with tempfile.TemporaryDirectory() as folder:
        lines = Path(folder) / "lines"
        lines.write_bytes(pickle.dumps((calls, width, height)))
        command = [sys.executable, "-m", "generator", "print", "hackjack", "deck", "--jokers", "-o", folder]
        bare_command = [sys.executable, __file__, "--bare", str(lines)]
        whole, start = in_turns(
            lambda: subprocess.run(command, check=True, stdout=subprocess.DEVNULL),
            lambda: subprocess.run(bare_command, check=True),
        )
    yield Figure("54 cards with backs, a whole process", whole, canvas, start)

    (one, little), (_, some), (hundred, much) = decks(1), decks(10), decks(100)
    memory = f"peak memory {little} MB, of ten {some} MB, of a hundred {much} MB"
    yield Figure("a hundred decks in one process", hundred / 1000, f"one deck; {memory}", one / 1000)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--bare"]:
        # A process of its own that does nothing but draw the recorded lines.
        for font in (fonts.SANS, fonts.SANS_BOLD, fonts.SANS_ITALIC, fonts.SERIF_BOLD, fonts.SERIF_ITALIC):
            fonts.usable_font(font)
        replay(*pickle.loads(Path(sys.argv[2]).read_bytes()))
    else:
        tell(figures())
