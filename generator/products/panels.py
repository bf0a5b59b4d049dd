"""Screens, sheets and references: the content's panels, one a page, at one type size chosen by fit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from reportlab.pdfgen.canvas import Canvas

from generator.blocks import Panel
from generator.charts import NAMES, ChartMaker, charts_of
from generator.errors import HackjackError, Problem
from generator.filling import Filling
from generator.panels import page
from generator.paper import columns, flow, fonts
from generator.paper import sheet as sheet_marks
from generator.paper.columns import Frame, Slice
from generator.paper.document import MM, close_document, open_document, tab_by_rows
from generator.paper.flow import Setter
from generator.paper.form import Form
from generator.paper.ink import BLACK, GREY, Inks
from generator.pieces import Bars, Page
from generator.rules import System
from generator.sheets import Size, cards, grid
from generator.source import Marks
from generator.wording import product_line

LARGEST_TYPE, SMALLEST_TYPE = 10.0, 8.0
_MARGIN = 10 * MM
_GUTTER = 6 * MM
_HEAD = 11 * MM
"""The room for a panel's title at the top."""
_FOOT = 5 * MM
"""The room for the product's line at the foot."""
_SAFE = 3.0
"""The safe line of a card, mm inside its trim."""
_CARD_HEAD = 17.0
"""The room for a reference card's title, pt."""
_CARD_TYPE = 6.5


@dataclass(frozen=True, slots=True)
class Options:
    """How panels are printed; `fillable` makes form fields where there are any, `filling` fills them."""

    paper: Size
    ink: Literal["full", "saver"] = "full"
    suits: Literal["two", "four"] = "two"
    fillable: bool = False
    filling: Filling | None = None
    compressed: bool = True
    charts: Mapping[str, ChartMaker] | None = None


def _charts(system: System, options: Options) -> Mapping[str, ChartMaker]:
    return charts_of(system) if options.charts is None else options.charts


def _empty(system: System) -> Mapping[str, ChartMaker]:
    """Charts without figures, to see whether a page fits: a chart's room does not depend on what it shows."""
    return {name: lambda system: Bars(("0",), (0.0,), False, system.head.title) for name in NAMES[system.kind]}


def screen(system: System, options: Options) -> bytes:
    """The GM screen: landscape panels."""
    return _printed(system, "screen", options, landscape=True)


def sheet(system: System, options: Options) -> bytes:
    """The injury sheet: one upright page, with form fields if `fillable`."""
    return _printed(system, "sheet", options, landscape=False)


def reference(system: System, options: Options) -> bytes:
    """The player reference: twice on a page to be cut in half, then nine times as a card for the top of the deck."""
    panel, title = _found(system, "reference")
    paper = options.paper
    wide, high = paper.width * MM, paper.height * MM
    card = cards()["poker"]
    layout = grid(paper, card)
    inks = Inks(options.suits, options.ink == "full")
    item = page(panel, system, _charts(system, options))
    _check_glyphs(item)
    narrow = Page(item.title, 1, item.blocks)
    half = Frame(_MARGIN, 0, wide - 2 * _MARGIN, high / 2 - 2 * _MARGIN - _HEAD, item.columns, _GUTTER)
    small = Frame(0, 0, (card.width - 2 * _SAFE) * MM, (card.height - 2 * _SAFE) * MM - _CARD_HEAD, 1, 0)
    no_form = Form(fillable=False)
    half_size = flow.fitted([(item, half)], LARGEST_TYPE, SMALLEST_TYPE, lambda size: Setter(size, inks, no_form))
    card_size = flow.fitted([(narrow, small)], SMALLEST_TYPE, _CARD_TYPE, lambda size: Setter(size, inks, no_form))
    canvas = open_document(
        wide, high, title=f"{system.head.title} {title}", subject=product_line(system), compressed=options.compressed
    )
    slices = Setter(half_size, inks, no_form).slices(item, half)
    for foot in (high / 2, 0):
        frame = replace(half, y=foot + _MARGIN)
        _head(canvas, item, system, frame, product_line(system))
        columns.draw(canvas, slices, frame)
    sheet_marks.across(canvas, high / 2, wide)
    canvas.showPage()
    slices = Setter(card_size, inks, no_form).slices(narrow, small)
    drawers = [lambda c, x, y: _reference_card(c, x, y, narrow, slices, small)] * len(layout.places)
    sheet_marks.fronts(canvas, layout, drawers, "cut")
    sheet_marks.margin(canvas, layout, product_line(system), "cut")
    canvas.showPage()
    return close_document(canvas)


def _reference_card(canvas: Canvas, x: float, y: float, item: Page, slices: list[Slice], frame: Frame) -> None:
    """One reference card with the lower left corner of its trim at (x, y) pt."""
    left, foot = x + _SAFE * MM, y + _SAFE * MM
    title = canvas.beginText(left, foot + frame.height + _CARD_HEAD - 11)
    title.setFont(fonts.use(fonts.SERIF_BOLD), 12)
    title.setFillColorRGB(*BLACK)
    title.textOut(item.title)
    canvas.drawText(title)
    columns.draw(canvas, slices, replace(frame, x=left, y=foot))


def problems(system: System, marks: Mapping[str, Marks], paper: Size) -> tuple[Problem, ...]:
    """Panels that cannot be printed on that paper: blocks that do not fit, characters that the fonts do not have."""
    found = []
    for name, make in {"screen": screen, "sheet": sheet, "reference": reference}.items():
        if name in dict(system.panels):
            try:
                make(system, Options(paper, charts=_empty(system)))
            except HackjackError as error:
                found.append(marks[f"{name}.yaml"].problem((), str(error)))
    return tuple(found)


def _found(system: System, name: str) -> tuple[Panel, str]:
    panels = dict(system.panels).get(name)
    if panels is None:
        raise HackjackError(f"{system.head.id} has no {name} to print: it would stand in {name}.yaml")
    return panels.panels[0], panels.title


def _printed(system: System, name: str, options: Options, *, landscape: bool) -> bytes:
    """A panels file as a PDF. Raises HackjackError where there is none, OverflowError where it does not fit."""
    found = dict(system.panels).get(name)
    if found is None:
        raise HackjackError(f"{system.head.id} has no {name} to print: it would stand in {name}.yaml")
    wide, high = options.paper.width * MM, options.paper.height * MM
    if landscape:
        wide, high = high, wide
    inks = Inks(options.suits, options.ink == "full")
    pages = [page(panel, system, _charts(system, options), options.filling) for panel in found.panels]
    for item in pages:
        _check_glyphs(item)
    framed = [(item, _frame(item, wide, high)) for item in pages]
    size = flow.fitted(framed, LARGEST_TYPE, SMALLEST_TYPE, lambda size: Setter(size, inks, Form(fillable=False)))
    line = product_line(system)
    canvas = open_document(
        wide, high, title=f"{system.head.title} {found.title}", subject=line, compressed=options.compressed
    )
    setter = Setter(size, inks, Form(fillable=options.fillable))
    for item, frame in framed:
        canvas.bookmarkPage(item.title)
        canvas.addOutlineEntry(item.title, item.title, level=0)
        _head(canvas, item, system, frame, line)
        columns.draw(canvas, setter.slices(item, frame), frame)
        canvas.showPage()
        if options.fillable:
            tab_by_rows(canvas)
    return close_document(canvas)


def _check_glyphs(item: Page) -> None:
    for _, message in flow.glyph_faults(item):
        raise HackjackError(message)


def _frame(item: Page, wide: float, high: float) -> Frame:
    body = high - 2 * _MARGIN - _HEAD - _FOOT
    return Frame(_MARGIN, _MARGIN + _FOOT, wide - 2 * _MARGIN, body, item.columns, _GUTTER)


def _head(canvas: Canvas, item: Page, system: System, frame: Frame, line: str) -> None:
    """The panel's title over the columns, the product's line under them."""
    top = frame.y + frame.height + _HEAD
    canvas.setFillColorRGB(*BLACK)
    title = canvas.beginText(frame.x, top - 20)
    title.setFont(fonts.use(fonts.SERIF_BOLD), 22)
    title.textOut(item.title)
    canvas.drawText(title)
    for says, y, size in ((system.head.title, top - 20, 12), (line, frame.y - 12, 6.5)):
        wide = fonts.width(says, fonts.use(fonts.SANS)) * size
        canvas.setFillColorRGB(*GREY)
        label = canvas.beginText(frame.x + frame.width - wide, y)
        label.setFont(fonts.SANS, size)
        label.textOut(says)
        canvas.drawText(label)
