"""`hackjack compare`: two variants of a system side by side, as a table and as charts to print."""

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import click

from generator.base.errors import UsageError
from generator.base.text_input import in_any_case, split_words
from generator.cli import echo, note
from generator.cli.luck import read_at, read_state
from generator.cli.options import json_option, one_of, open_pack, pack_options, print_json, quiet_option
from generator.cli.terminal import busy
from generator.games import game_of
from generator.games.face import Asked
from generator.layout import sheets
from generator.layout.panel_elements import Bars
from generator.model.rules import System
from generator.pack import pack_locations
from generator.play.chance import Policy
from generator.products import comparison
from generator.products.comparison import NAMES, At, Compared, ComparedFigure, Comparison
from generator.words.wording import product_line


@click.command("compare")
@click.argument("system")
@click.argument("other", required=False, type=click.Path(path_type=Path), metavar="[PACK]")
@click.option(
    "--with",
    "against",
    multiple=True,
    metavar="NAME=VALUE",
    help="A house rule of the second variant; --set is for the first.",
)
@click.option("--asks", metavar='"EVENT ARG..."', help="Compare the odds of one event, in place of the charts.")
@click.option("--hits", type=click.IntRange(1), metavar="N", help="With --asks: N such hits in a row.")
@click.option("--policy", type=one_of("best", "worst", "even"), help="With --asks: how choices are made.")
@click.option("--state", metavar="FILE|JSON", help="With --asks: a JSON file, - for standard input, or JSON.")
@click.option("--at", multiple=True, metavar="NAME=VALUE", help="With --asks: an argument of the event, type=fire.")
@click.option("-o", "--output", type=click.Path(path_type=Path), metavar="DIR", help="Also print the charts into DIR.")
@click.option("--paper", default="a4", show_default=True, metavar="a4|letter")
@pack_options
@quiet_option
@json_option
def command(
    system: str,
    other: Path | None,
    against: tuple[str, ...],
    asks: str | None,
    hits: int | None,
    policy: Policy | None,
    state: str | None,
    at: tuple[str, ...],
    output: Path | None,
    paper: str,
    pack: Sequence[Path],
    settings: tuple[str, ...],
    as_json: bool,
) -> None:
    """Show what a house rule, or a PACK, changes: everything that SYSTEM's charts count, under both variants.

    The first variant is SYSTEM under --set. The second is PACK, or else SYSTEM again, under --with. Where only --set is
    given, it is compared with SYSTEM as it is. With --asks the odds of one event are compared.
    """
    if not (settings or against or other):
        raise UsageError("there is nothing to compare: name a PACK, or house rules with --set or --with NAME=VALUE")
    if not (against or other):
        settings, against = (), settings
    size = sheets.named_item(sheets.paper_sizes(), paper, "paper")
    first = open_pack(system, pack, settings).system
    second = _second(system, other, pack, against)
    if first.kind != second.kind:
        raise UsageError(
            f"{first.head.id} and {second.head.id} have different kinds of procedure and cannot be compared"
        )
    if asks is None:
        if hits is not None or policy or state is not None or at:
            raise UsageError('--hits, --policy, --state and --at are about one event: write --asks "EVENT ARG..." too')
        with busy("counting what differs"):
            differences = comparison.compare_systems(first, second)
    else:
        event, *words = split_words(asks) or [""]
        question = (in_any_case(event, game_of(first).QUESTIONS), *words)
        start, asked = read_state(state, first), Asked(hits, policy=policy or "")
        with busy(f"counting {asks}"):
            differences = comparison.compared_in(first, second, question, read_at(at), start, asked)
    if as_json:
        print_json(_shape(first, second, differences))
    else:
        names = tuple(map(product_line, (first, second)))
        echo(*(f"{name}: {title}" for name, title in zip(NAMES, names, strict=True)), *_told(differences))
    if output is not None:
        _print(first, second, differences, output, size, as_json=as_json)


def _second(system: str, other: Path | None, pack: Sequence[Path], against: tuple[str, ...]) -> System:
    """The second variant. Raises ContentError, UsageError."""
    if other is None:
        return open_pack(system, pack, against).system
    packs = (other if other.exists() else pack_locations.find(str(other)),)
    return open_pack(None, packs, against).system


def _told(differences: Comparison) -> Iterator[str]:
    for each in differences.charts:
        yield from ("", _headline(each), *_table(each))
    for first, second in differences.sentences:
        yield from ("", *(f"{name}: {title}" for name, title in zip(NAMES, (first, second), strict=True)))
    yield ""
    if not (differences.charts or differences.sentences):
        yield "nothing that is counted differs: --asks compares the odds of one event"
    if differences.same:
        yield f"the same under both: {', '.join(differences.same)}"
    yield from (f"not counted: {title}" for title in differences.uncounted)


def _headline(each: Compared) -> str:
    notes = dict.fromkeys((comparison.axes_of(each.first), each.first.note, each.second.note))
    return f"{each.title} ({'; '.join(note for note in notes if note)})"


def _table(each: Compared) -> Iterator[str]:
    """The figures of both variants: below each other for bars, and else the rows that differ, a line for each."""
    figures = [comparison.figures(drawn) for drawn in (each.first, each.second)]
    if isinstance(each.first, Bars):
        cells: list[tuple[str, ...]] = [("", *NAMES, "change")]
        cells += [
            (label, *_texts(figures, ("", label)), _change(figures, ("", label)))
            for _, label in comparison.places_of(figures)
        ]
    else:
        columns = dict.fromkeys(column for _, column in comparison.places_of(figures))
        cells = [("", "", *columns)]
        for row in dict.fromkeys(row for row, _ in each.differ):
            lines = zip(*(_texts(figures, (row, column)) for column in columns), strict=True)
            cells += [(row if not at else "", NAMES[at], *line) for at, line in enumerate(lines)]
    wide = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for line in cells:
        yield f"  {'  '.join(f'{cell:>{size}}' for cell, size in zip(line, wide, strict=True))}".rstrip()


def _texts(figures: Sequence[dict[At, ComparedFigure]], at: At) -> tuple[str, ...]:
    return tuple(by_key[at].text if at in by_key else "-" for by_key in figures)


def _change(figures: Sequence[dict[At, ComparedFigure]], at: At) -> str:
    """How much more it is under the second variant, in per cent points for chances; empty where it is the same."""
    before, after = (by_key[at] if at in by_key else ComparedFigure("") for by_key in figures)
    if before.number is None or after.number is None or before.number == after.number:
        return ""
    change = float(after.number) - float(before.number)
    return f"{change * 100:+.1f}" if before.in_per_cent else f"{change:+.2f}"


def _shape(first: System, second: System, differences: Comparison) -> dict[str, Any]:
    return {
        "system": first.head.id,
        "first": _variant(first),
        "second": _variant(second),
        "charts": [comparison.plain_chart(each) for each in differences.charts],
        "sentences": [{"first": before, "second": after} for before, after in differences.sentences],
        "same": differences.same,
        "not_counted": differences.uncounted,
    }


def _variant(system: System) -> dict[str, Any]:
    return {
        "system": system.head.id,
        "title": system.head.title,
        "changed": dict((*system.house_rules, *system.changed_numbers)),
    }


def _print(
    first: System, second: System, differences: Comparison, output: Path, size: sheets.Size, *, as_json: bool
) -> None:
    """The charts that differ as one PDF, none where nothing does. Raises HackjackError where it cannot be printed."""
    from generator.base.files import save_file
    from generator.paper.panel_options import PanelOptions
    from generator.paper.themed import set_to_fit
    from generator.products import panels

    path = output / f"{first.head.id}-comparison.pdf"
    pages = comparison.comparison_pages(differences, tuple(map(product_line, (first, second))))
    if not pages:
        return
    options = PanelOptions(paper=size, theme=first.theme)
    data = set_to_fit(first, partial(panels.comparison, first, pages, options))
    save_file(data, path)
    if not as_json:
        note(str(path))
