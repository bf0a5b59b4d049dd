"""Pictures of the odds that an author asks for: counted or played by the engine, never typed in."""

from collections.abc import Mapping
from fractions import Fraction

from generator.base.errors import HackjackError
from generator.check.quoted_odds import ChartCounts, Given, band_names, chart_counts, label, values
from generator.layout.panel_elements import Bars, Cell, Matrix, Picture, Series
from generator.model.blocks import Axis, OddsBlock
from generator.model.rules import System
from generator.words.chances import Quantity, chance_percent
from generator.words.wording import fill_placeholders

_CERTAIN = {"": Fraction(1)}


def picture(block: OddsBlock, system: System, *, blank: bool = False) -> Picture:
    """What a block asks for. With `blank` everything is certain, and nothing is counted: no figures are wider.

    Raises HackjackError, UsageError for a question that cannot be asked, or what its answer does not have.
    """
    counts = ChartCounts({}) if blank else chart_counts(block, system)

    def shares(across: Given, down: Given) -> Mapping[str, Quantity]:
        return _CERTAIN if blank else counts.fields[across, down]

    across = _values(block.across, system, blank=blank)
    labels = tuple(_label(block.across, value, system, blank=blank) for value in across)
    usual = "mean" if block.in_a_row else "per cent"
    note = fill_placeholders(block.note, system) if block.note else usual
    note = counts.with_note(note, plays=system.shows_rulings)
    title = block.across.title
    if block.looks == "matrix" or block.down is not None:
        rows = tuple(
            (
                _label(block.down, down, system, blank=blank),
                tuple(_cell(next(iter(shares(each, down).values()))) for each in across),
            )
            for down in _values(block.down, system, blank=blank)
        )
        return Matrix(labels, rows, title, block.down.title if block.down else "", note=note)
    found = [shares(each, "") for each in across if blank or (each, "") in counts.fields]
    labels = labels[: len(found)]
    if block.looks == "bands":
        names = band_names(found)
        bands = tuple((name, tuple(each.get(name, Fraction(0)) for each in found)) for name in names)
        return Series(labels, bands, True, title, note, stacked=True)
    return Bars(labels, tuple(next(iter(each.values())) for each in found), block.in_a_row is None, title, note)


def _values(axis: Axis | None, system: System, *, blank: bool) -> tuple[Given, ...]:
    """Return the values along an axis; a blank one has none where `check` says what is wrong."""
    try:
        return values(axis, system)
    except HackjackError:
        if not blank:
            raise
        return ()


def _label(axis: Axis | None, value: Given, system: System, *, blank: bool) -> str:
    """Return what is printed for a value; the value itself on a blank picture where `check` says what is wrong."""
    try:
        return label(axis, value, system)
    except HackjackError:
        if not blank:
            raise
        return str(value)


def _cell(share: Quantity) -> Cell:
    return Cell(chance_percent(share), float(share), share=share)
