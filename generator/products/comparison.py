"""Two variants of a system side by side: what its charts and quoted chances count under both, and where they differ."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import partial
from typing import Any, TypeVar, assert_never

from msgspec import Struct
from msgspec.structs import replace

from generator.base.errors import HackjackError
from generator.check.quoted_odds import chances_of, lived_through, quoted, shares_of
from generator.games import game_of
from generator.games.face import Asked
from generator.layout.panel_elements import (
    Bars,
    Cell,
    Framed,
    Heading,
    Matrix,
    Page,
    Paragraph,
    Picture,
    Piece,
    Quantity,
    Series,
    Worded,
)
from generator.model.blocks import ChancesBlock, Chart, OddsBlock
from generator.model.rules import System
from generator.products.odds_pictures import picture
from generator.words.chances import chance_percent, plain_chance
from generator.words.wording import fill_placeholders, key_in_words

NAMES = ("A", "B")
"""What the two variants are called beside their figures."""

_HEIGHT, _MATRIX_HEAD, _MATRIX_ROW = 52, 16, 4.4
"""The height of bars on paper, and of a matrix without its rows and for each row, mm."""
_ABOVE, _LINE = 15, 7
"""The room for a heading above a chart, and for a line of text, mm."""
_ROOM = 148
"""The room for all of it on a page, mm."""

At = tuple[str, str]
"""Where a figure stands: its row, which is empty where there is but one, and its column."""
Result = TypeVar("Result")


class ComparedFigure(Struct, frozen=True):
    """A figure of a chart: as it is told, and the number that this rounds, where there is one.

    A chance has `in_per_cent`: it is a fraction unless it was played out. `error` is then one standard error.
    """

    text: str
    number: Quantity | None = None
    in_per_cent: bool = False
    error: float | None = None


class Compared(Struct, frozen=True):
    """A chart under both variants, by its title."""

    title: str
    first: Picture
    second: Picture

    @property
    def differ(self) -> tuple[At, ...]:
        """Where figures differ, in the order of the chart; what only one of them shows differs too."""
        first, second = figures(self.first), figures(self.second)
        return tuple(at for at in {**first, **second} if first.get(at) != second.get(at))


class Comparison(Struct, frozen=True):
    """What differs: charts, and sentences that quote chances; then what is the same, and what cannot be counted."""

    charts: tuple[Compared, ...] = ()
    sentences: tuple[tuple[str, str], ...] = ()
    same: tuple[str, ...] = ()
    uncounted: tuple[str, ...] = ()


class Counted(Struct, frozen=True):
    """A chart that was counted under both variants: how it differs, or why not; neither where it is the same."""

    title: str
    differs: Compared | None = None
    uncounted: str = ""


def compare_systems(first: System, second: System) -> Comparison:
    """Count everything that both variants count, under both."""
    counted = [*compared_charts(first, second)]
    return Comparison(
        tuple(each.differs for each in counted if each.differs),
        tuple(compared_sentences(first, second)),
        tuple(each.title for each in counted if not (each.differs or each.uncounted)),
        tuple(f"{each.title}: {each.uncounted}" for each in counted if each.uncounted),
    )


def compared_charts(first: System, second: System) -> Iterator[Counted]:
    """Yield each chart that both variants have, as soon as it is counted under both."""
    ours, theirs = pictures_of(first), pictures_of(second)
    for key, (title, draw) in ours.items():
        if key not in theirs:
            continue
        try:
            both = Compared(title, draw(), theirs[key][1]())
        except HackjackError as error:
            yield Counted(title, uncounted=str(error))
            continue
        yield Counted(title, both if both.differ else None)


def compared_sentences(first: System, second: System) -> Iterator[tuple[str, str]]:
    """Yield the sentences that quote other chances under the second variant."""
    said, told = sentences_of(first), sentences_of(second)
    yield from ((said[key], told[key]) for key in said if key in told and said[key] != told[key])


def compared_in(
    first: System, second: System, question: Sequence[str], at: Mapping[str, str], state: Any, asked: Asked
) -> Comparison:
    """Count one event under both variants, on the same state of the first. Raises HackjackError as odds do."""
    title, plain = " ".join(question), game_of(first).plain_state(state)
    answers = [_answer(each, question, at, plain, asked) for each in (first, second)]
    if any("die_by" in answer for answer in answers):
        deaths, lived = ([draw(answer) for answer in answers] for draw in (_by_hits, _hits_lived_through))
        drawn = [Compared(title, *deaths), Compared(f"{title}: hits lived through", *lived)]
    else:
        names = dict.fromkeys(name for answer in answers for name, _ in shares_of(answer))
        found = [_by_name(names, answer) for answer in answers]
        drawn = [Compared(title, *found)]
    same = tuple(each.title for each in drawn if not each.differ)
    return Comparison(tuple(each for each in drawn if each.differ), same=same)


def _answer(
    system: System, question: Sequence[str], at: Mapping[str, str], state: dict[str, Any], asked: Asked
) -> dict[str, Any]:
    """The odds of an event as `hackjack odds --json` has them."""
    game = game_of(system)
    return game.odds(game.read_state(state), game.read_question(question, at), asked).plain


def _by_name(names: Iterable[str], answer: Mapping[str, Any]) -> Bars:
    """Return the chances of one event; one that cannot come about is in no answer."""
    chances, shares = dict(chances_of(answer)), dict(shares_of(answer))
    labels = tuple(name.replace(".", " ").replace("_", " ") for name in names)
    played = "plays" in answer
    errors = tuple(chances[name]["error"] if name in chances else 0.0 for name in names) if played else ()
    note = f"per cent; {answer['plays']:,} plays" if played else "per cent"
    return Bars(labels, tuple(shares.get(name, Fraction(0)) for name in names), True, "what comes about", note, errors)


def _by_hits(answer: Mapping[str, Any]) -> Bars:
    """The chance to be dead after each of several hits."""
    found = answer["die_by"]
    values = tuple(Fraction(each["fraction"]) if "fraction" in each else each["p"] for each in found)
    errors = tuple(each["error"] for each in found if "error" in each)
    note = f"per cent; {answer['plays']:,} plays" if errors else "per cent"
    return Bars(tuple(map(str, range(1, len(found) + 1))), values, True, "dead after so many hits", note, errors)


def _hits_lived_through(answer: Mapping[str, Any]) -> Bars:
    """How many of several hits one lives through on average."""
    mean = lived_through(answer)
    value: Quantity = Fraction(mean["fraction"]) if "fraction" in mean else mean["p"]
    errors = (mean["error"],) if "error" in mean else ()
    return Bars(("on average",), (value,), False, f"of {len(answer['die_by'])} hits", errors=errors)


def figures(drawn: Picture) -> dict[At, ComparedFigure]:
    """The figures of a chart by where they stand, row by row."""
    match drawn:
        case Bars():
            errors = drawn.errors or (None,) * len(drawn.values)
            found = zip(drawn.labels, drawn.values, errors, strict=True)
            return {("", label): _figure(value, drawn.percent, error) for label, value, error in found}
        case Series():
            return {
                (name, label): _figure(value, drawn.percent)
                for name, values in drawn.series
                for label, value in zip(drawn.labels, values, strict=True)
            }
        case Matrix():
            return {
                (name, column): _of_cell(cell)
                for name, cells in drawn.rows
                for column, cell in zip(drawn.columns, cells, strict=True)
            }
        case _:
            assert_never(drawn)


def places_of(both: Sequence[Mapping[At, ComparedFigure]]) -> tuple[At, ...]:
    """Return where the figures of two charts stand, in the order of the first."""
    first, second = both
    return tuple({**first, **second})


def axes_of(drawn: Picture) -> str:
    """Return what a chart goes by."""
    return f"{drawn.down} by {drawn.across}" if isinstance(drawn, Matrix) and drawn.down else drawn.across


def plain_chart(each: Compared) -> dict[str, Any]:
    """Return a chart under both variants as plain data for JSON."""
    found = [figures(drawn) for drawn in (each.first, each.second)]
    rows: list[dict[str, Any]] = []
    for at in places_of(found):
        row, column = at
        before, after = (_plain(by_key.get(at)) for by_key in found)
        rows.append({**({"row": row} if row else {}), "at": column, "first": before, "second": after})
    return {"title": each.title, "about": axes_of(each.first), "note": each.first.note, "figures": rows}


def _plain(figure: ComparedFigure | None) -> dict[str, Any] | None:
    if figure is None:
        return None
    if figure.number is None:
        return {"text": figure.text}
    if figure.in_per_cent and isinstance(figure.number, Fraction):
        return plain_chance(figure.number)
    name = "p" if figure.in_per_cent else "value"
    return {name: float(figure.number)} | ({"error": figure.error} if figure.error is not None else {})


def _figure(value: Quantity, in_per_cent: bool, error: float | None = None) -> ComparedFigure:
    text = chance_percent(Fraction(value), 1) if in_per_cent else f"{float(value):.2f}"
    if error is not None:
        text += f" ±{error * 100:.1f}" if in_per_cent else f" ±{error:.2f}"
    return ComparedFigure(text, value, in_per_cent, error)


def _of_cell(cell: Cell) -> ComparedFigure:
    """A cell as a figure: a chance with one decimal more than it is printed with."""
    if cell.share is None:
        return ComparedFigure(cell.text)
    return ComparedFigure(
        chance_percent(cell.share, 1) if cell.text == chance_percent(cell.share) else cell.text, cell.share, True
    )


def _blocks(system: System, kind: type[Result]) -> Iterator[Result]:
    """The blocks of a kind on all panels."""
    for _, file in system.panels:
        for panel in file.panels:
            yield from (block for block in panel.blocks if isinstance(block, kind))


def pictures_of(system: System) -> Mapping[str, tuple[str, Callable[[], Picture]]]:
    """What a system counts as pictures, by what stands for it in every variant: its title, and what draws it.

    Those on its panels come first, then the charts of its kind of procedure that no panel shows.
    """
    charts = game_of(system).charts()
    titled = {shown.shows: fill_placeholders(shown.title, system) for shown in _blocks(system, Chart) if shown.title}
    shown = dict.fromkeys((*(block.shows for block in _blocks(system, Chart)), *charts))
    found: dict[str, tuple[str, Callable[[], Picture]]] = {
        name: (titled.get(name) or key_in_words(name), partial(charts[name], system)) for name in shown
    }
    for block in _blocks(system, OddsBlock):
        written = block.title or f"{block.counts}: {block.asks}"
        found.setdefault(
            written, (fill_placeholders(written, system) if block.title else written, partial(picture, block, system))
        )
    return found


def sentences_of(system: System) -> Mapping[str, str]:
    """The sentences that quote chances, by how the content writes them; those that cannot be counted are left out."""
    found = {}
    for block in _blocks(system, ChancesBlock):
        for chance in block.chances:
            with suppress(HackjackError, KeyError):
                found[f"{chance.asks} {chance.at} {chance.state} {chance.says}"] = fill_placeholders(
                    quoted(chance, system), system
                )
    return found


# --- on paper --------------------------------------------------------------------------------------------------------


def comparison_pages(found: Comparison, names: Sequence[str]) -> tuple[Page, ...]:
    """What differs, as pages, none where nothing does: the first variant at the left, the second at the right.

    `names` say what the two are.
    """
    told = tuple(Paragraph(said, strong=name) for name, said in zip(NAMES, names, strict=True))
    first = Worded(0, "the variants", told, wide=True)
    made: list[list[Worded]] = []
    room = 0.0
    for row, high in _rows(found):
        if high > room:
            made.append([first])
            room = float(_ROOM)
        room -= high
        made[-1] += (replace(block, place=len(made[-1]) + at) for at, block in enumerate(row))
    return tuple(Page(at, "Side by side", 2, tuple(blocks)) for at, blocks in enumerate(made))


def _rows(found: Comparison) -> Iterator[tuple[tuple[Worded, ...], float]]:
    """What stands beside each other, and how high it is, mm: both variants of a chart, or a chart of both."""
    for each in found.charts:
        if joined := _beside(each.first, each.second):
            pieces: tuple[Piece, ...] = (Heading(each.title), Framed(joined, _HEIGHT))
            yield (Worded(0, each.title, pieces, wide=True),), _HEIGHT + _ABOVE
            continue
        high = min(max(_height(each.first), _height(each.second)), _ROOM - _ABOVE)
        left, right = (
            (Heading(f"{each.title}: {name}"), Framed(drawn, high))
            for name, drawn in zip(NAMES, (each.first, each.second), strict=True)
        )
        yield (Worded(0, each.title, left, below=True), Worded(0, each.title, right, column=True)), high + _ABOVE
    head: tuple[Piece, ...] = (Heading("In words"),)
    for pair in found.sentences:
        pieces = (*head, *(Paragraph(text, strong=name) for name, text in zip(NAMES, pair, strict=True)))
        yield (Worded(0, "In words", pieces, wide=True),), _LINE * len(pieces)
        head = ()


def _beside(first: Picture, second: Picture) -> Series | None:
    """Bars of both variants beside each other; None where they have not the same labels, or are no bars."""
    if not (isinstance(first, Bars) and isinstance(second, Bars)) or first.labels != second.labels:
        return None
    values = tuple(zip(NAMES, (first.values, second.values), strict=True))
    return Series(first.labels, values, first.percent, first.across, first.note)


def _height(chart: Picture) -> int:
    return round(_MATRIX_HEAD + _MATRIX_ROW * len(chart.rows)) if isinstance(chart, Matrix) else _HEIGHT
