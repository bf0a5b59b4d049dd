"""Screens, sheets and references: the content's panels, one a page, at one type size chosen by fit."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace
from reportlab.pdfgen.canvas import Canvas

from generator.base.errors import HackjackError, NamedError, Problem
from generator.games import game_of
from generator.games.card_products import back_design, card_set_names
from generator.layout.panel_elements import Bars, ChartMaker, FieldLines, Heading, Page, Piece, Worded
from generator.layout.reading import panel_nodes
from generator.layout.sheet_data import Filling
from generator.layout.sheets import Printed, Size, card_sizes, packed_grid
from generator.model.blocks import PanelsFile
from generator.model.rules import System
from generator.model.taken import takings
from generator.pack.strict_yaml import Key, Marks
from generator.paper import columns, flow, fonts, pen, tags, tokens
from generator.paper import sheet as sheet_marks
from generator.paper.bands import band_size, called, draw_band, fields_in_band, first_fields, panel_frame, sheet_frame
from generator.paper.card import Print
from generator.paper.columns import Frame, Slice
from generator.paper.document import MM, close_document, open_document, open_product
from generator.paper.form import Form, names_twice
from generator.paper.ink import BLACK, GREY, Inks, Rgb, rgb
from generator.paper.page_splitting import split_page
from generator.paper.panel_options import PanelOptions
from generator.paper.panel_style import PanelLook, PanelStyle
from generator.play.every_way import TooMuchWorkError, work_budget
from generator.products import boxes, panels_file
from generator.products.panel_content import BLANK, Charts, charts_of, enlarged, page, screen_pages
from generator.words.wording import panel_line, product_line, product_title

LARGE_TYPE = (20.0, 14.0)
"""The most and the least of everything but cards in large print, pt."""
_TYPE = {"screen": (16.0, 13.0), "sheet": (11.0, 9.5)}
"""The same of a screen, all of whose panels have one size, and of other pages."""
_SMALLEST = {"screen": 11.0, "sheet": 9.5}
"""The smallest letter on them; in large print none is smaller than the text."""
_QUARTER_TYPE = (12.0, 9.0)
_UPRIGHT_COLUMNS = 0.7
"""An upright panel has so many of the columns that one on its side has."""
_CARD_TYPE: Mapping[Print, tuple[float, float]] = {"normal": (10.5, 9.0), "large": (12.5, 11.0)}
_TITLE, _CARD_TITLE = 26.0, 12.0
"""The size of a panel's title, and of a reference card's."""
_QUARTER_HEADING, _CARD_HEADING = 13.5, 9.6
"""The largest heading on a quarter of a page, and on a reference card."""
_BESIDE_TITLE = 0.3
"""So much of the width the name of the system takes beside a panel's title, unless its type would be too small."""
_MIN_BESIDE = 6.5
"""The smallest type of that name, pt."""
_UNDER_TITLE = 0.58
"""The largest heading under a title, in units of that, unless the text is nearly as large."""
_MARGIN = 10 * MM
_HEAD = 11 * MM
"""The room for a panel's title at the top."""
_SAFE = 3.0
"""The safe line of a card, mm inside its trim."""
_CARD_HEAD = 17.0
"""The room for a reference card's title, pt."""


class _Run(Struct, frozen=True):
    """Pages that share one type size, with their frames and the largest and smallest size allowed.

    Where they do not fit at the smallest, those that `split` go on over more pages.
    """

    framed: tuple[tuple[Page, Frame], ...]
    most: float
    least: float
    look: PanelLook
    split: bool = True

    def fitted(self, inks: Inks, form: Form) -> list[tuple[Page, Frame, PanelStyle]]:
        """Return the pages with what sets them at the largest type at which all fit. Raises OverflowError."""
        blank = Form(fillable=False)
        framed = self.parted()
        size = flow.fit_pages(framed, self.most, self.least, lambda size: self.style(size, inks, blank))
        style = self.style(size, inks, form)
        return [(item, frame, style) for item, frame in framed]

    def parted(self) -> list[tuple[Page, Frame]]:
        """Return the pages with their frames, those that do not fit at the smallest type as several."""
        if not self.split:
            return list(self.framed)
        style = self.style(self.least, Inks(), Form(fillable=False))
        return [(part, frame) for item, frame in self.framed for part in split_page(item, frame, style)]

    def style(self, size: float, inks: Inks, form: Form) -> PanelStyle:
        """Return what sets them at one type size."""
        return PanelStyle(size, inks, form, self.look)


def _charts(system: System, options: PanelOptions) -> Charts:
    own = options.charts
    return charts_of if own is None else lambda other: own if other is system else charts_of(other)


def _empty(system: System) -> Mapping[str, ChartMaker]:
    """Charts without figures, to see whether a page fits: most take the same room, whatever they show."""
    game = game_of(system)
    bare: dict[str, ChartMaker] = {
        name: lambda system: Bars(("0",), (0.0,), False, system.head.title) for name in game.CHARTS
    }
    bare[BLANK] = bare.get(BLANK, lambda system: Bars(("0",), (0.0,), False, system.head.title))
    return {**bare, **game.blank_charts()}


def panel_pages(system: System, product: str, options: PanelOptions) -> Printed:
    """Any product of a system that is no set of cards, as a PDF. Raises HackjackError where it cannot be printed."""
    ours = {
        "screen": screen,
        "sheet": sheet,
        "reference": reference,
        "reference-cards": reference_cards,
        "tokens": tokens.token_pages,
        "box": boxes.box_pages,
    }
    drawn = {**ours, **game_of(system).pages()}.get(product)
    return drawn(system, options) if drawn else _printed(system, product, options)


def screen(system: System, options: PanelOptions) -> Printed:
    """The GM screen: landscape panels."""
    return _printed(system, "screen", options)


def sheet(system: System, options: PanelOptions) -> Printed:
    """The injury sheet: one upright page, with form fields if `fillable`."""
    return _printed(system, "sheet", options)


def reference(system: System, options: PanelOptions) -> Printed:
    """The player reference: four quarters to a page, two panels at a time to be folded back to back.

    The last of an odd number stands there four times. In large print each panel has a page of its own.
    """
    if options.text == "large":
        return _printed(system, "reference", options)
    panel_file = _found(system, "reference")
    width, height = options.paper.width * MM, options.paper.height * MM
    panel_pages = _pages(panel_file, system, _charts(system, options))
    _check_glyphs(panel_pages)
    line = panel_line(system)
    canvas = open_product(system, options.paper, product_title(system, panel_file.title), options)
    quarters = _quarters(panel_pages, options.paper, _hue(system)).fitted(options.inks, Form(fillable=False))
    size = min(_title_size(item, system, frame, 0.0) for item, frame, _ in quarters)
    for front in range(0, len(quarters), 2):
        leaf = quarters[front : front + 2]
        for (item, frame, style), x in zip((leaf[0], leaf[-1]), (0, width / 2), strict=True):
            slices = flow.page_slices(item, frame, style)
            for bottom in (height / 2, 0):
                placed = replace(frame, x=x + _MARGIN, y=bottom + _MARGIN)
                # What stands here again is read once.
                first = bottom and (not x or len(leaf) > 1)
                with tags.tagged_texts(canvas, panel_nodes(item) if first else ()):
                    _head(canvas, item, system, placed, line, 0.0, size)
                    columns.draw_columns(canvas, slices, placed)
        sheet_marks.draw_quarter_lines(canvas, width, height, fold=len(leaf) > 1)
        canvas.showPage()
    printed = close_document(canvas)
    printed.panels = tuple(item.place for item, _, _ in quarters[::2])
    return printed


def reference_cards(system: System, options: PanelOptions) -> Printed:
    """The player reference as cards for the top of the deck, as many as its words need; in large print larger ones."""
    panel_file = _found(system, "reference")
    panel_pages = _pages(panel_file, system, _charts(system, options))
    _check_glyphs(panel_pages)
    layout = packed_grid(options.paper, card_sizes()["tarot" if options.text == "large" else "poker"])
    canvas = open_product(system, layout.paper, f"{product_title(system, panel_file.title)} cards", options)
    cards = _on_cards(panel_pages, layout.card, options.text, _hue(system)).fitted(options.inks, Form(fillable=False))
    for first in range(0, len(cards), len(layout.places)):
        drawers = [
            _reference_card(item, flow.page_slices(item, frame, style), frame)
            for item, frame, style in cards[first : first + len(layout.places)]
        ]
        sheet_marks.draw_fronts(canvas, layout, drawers, "cut")
        sheet_marks.draw_margins(canvas, layout, product_line(system), "cut")
        canvas.showPage()
    return close_document(canvas)


def _reference_card(item: Page, slices: list[Slice], frame: Frame) -> sheet_marks.Drawer:
    """Draws one reference card with the lower left corner of its trim at (x, y) pt."""

    def drawn(canvas: Canvas, x: float, y: float) -> None:
        left, bottom = x + _SAFE * MM, y + _SAFE * MM
        size = min(_CARD_TITLE, frame.width / fonts.text_width(item.title, fonts.display_font(item.title)))
        pen.draw_line(
            canvas, item.title, left, bottom + frame.height + _CARD_HEAD - 11, fonts.display_font(item.title), size
        )
        columns.draw_columns(canvas, slices, replace(frame, x=left, y=bottom))

    return drawn


def panel_problems(
    system: System, marks: Mapping[str, Marks], papers: Mapping[str, Size], but: Collection[tuple[str, Key]] = ()
) -> tuple[Problem, ...]:
    """Panels that cannot be printed on one of the papers: characters that the fonts do not have, fields of one name,
    blocks that do not fit. Each stands at its block; none is said twice. `but`: files and panels left out."""
    problems: dict[tuple[str, tuple[str | int, ...]], Problem] = {}
    with work_budget(MAX_SAID):
        for name, _ in system.panels:
            try:
                for number, block, message in _faults(system, name, _found(system, name), papers):
                    if (f"{name}.yaml", number) in but:
                        continue
                    trail = ("panels", number, "blocks", block)
                    problems.setdefault((name, trail), marks[f"{name}.yaml"].problem(trail, message))
            except TooMuchWorkError:
                problems[name, ()] = marks[f"{name}.yaml"].problem(("panels",), _TOO_LONG)
                break
    return tuple(problems.values())


MAX_SAID = 60_000
"""So much work all panels of a pack may take: some two million letters."""
_TOO_LONG = "the panels of this pack say too much to be laid out: leave out blocks, or print shorter tables"


def _faults(system: System, name: str, file: PanelsFile, papers: Mapping[str, Size]) -> Iterator[tuple[int, int, str]]:
    """The numbers of panel and block, and what is wrong with it."""
    panel_pages = _pages(file, system, _empty)
    if name == "screen":
        panel_pages = screen_pages(panel_pages, players=True)
    for item in panel_pages:
        yield from ((item.place, block, message) for block, message in flow.glyph_faults(item))
    panel_pages = [item for item in panel_pages if item.blocks]
    if name == "sheet":
        yield from names_twice(panel_pages)
    for paper_name, paper in papers.items():
        for run in _runs(name, panel_pages, _turned(paper) if name == "screen" else paper, _hue(system)):
            for error in flow.overflow_errors(run.parted(), run.style(run.least, Inks(), Form(fillable=False))):
                yield error.page, error.block, f"{error} (paper: {paper_name})"


def _turned(paper: Size) -> Size:
    """A paper on its side."""
    return Size(paper.height, paper.width)


def _found(system: System, name: str) -> PanelsFile:
    panels = panels_file(system, name)
    if panels is None:
        raise NamedError(f"{system.head.id} has no {name} to print: write it in {name}.yaml")
    return panels


def _pages(file: PanelsFile, system: System, charts: Charts, filling: Filling | None = None) -> list[Page]:
    pages = [page(written, system, charts, filling, place) for place, written in enumerate(file.panels)]
    return [item for item in pages if item.blocks] or pages


def _check_glyphs(panel_pages: Iterable[Page]) -> None:
    for item in panel_pages:
        for _, message in flow.glyph_faults(item):
            raise HackjackError(message)


def _runs(
    name: str, panel_pages: list[Page], paper: Size, hue: Rgb, text: Print = "normal", *, full: bool = False
) -> list[_Run]:
    """Return the pages of a product by the type size that they share; a sheet is one page, unless it is `full`."""
    if name == "reference" and text == "normal":
        return [_quarters(panel_pages, paper, hue)]
    smallest = LARGE_TYPE[1] if text == "large" else _SMALLEST.get(name, _SMALLEST["sheet"])
    look = PanelLook(_TITLE * _UNDER_TITLE, smallest, hue, boxed=name == "screen")
    if name != "screen":
        bare = PanelStyle(smallest, Inks(), Form(fillable=False), look)
        panel_pages = [_with_heads(item, bare, paper) for item in panel_pages]
    framed = tuple((item, (panel_frame if name == "screen" else sheet_frame)(item, paper)) for item in panel_pages)
    if text == "large":
        return [_Run(framed, *LARGE_TYPE, look)]
    kind = _TYPE.get(name, _TYPE["sheet"])
    return [_Run(framed, *kind, look, split=full or name != "sheet")]


def _in_one(title: str, pages: Sequence[Page]) -> Page:
    """Return panels as a single one that goes on from page to page, each under its title."""
    blocks: list[Worded] = []
    for item in pages:
        inner = [
            replace(block, column=False, below=False, pieces=tuple(map(_lower, block.pieces))) for block in item.blocks
        ]
        blocks += [replace(inner[0], pieces=(Heading(item.title), *inner[0].pieces)), *inner[1:]]
    # Each block is one of its own, though its panel numbers it.
    own = tuple(replace(block, place=place) for place, block in enumerate(blocks))
    return replace(pages[0], title=title, columns=1, blocks=own)


def _lower(piece: Piece) -> Piece:
    return replace(piece, below=True, column=False) if isinstance(piece, Heading) else piece


def _with_heads(item: Page, style: PanelStyle, paper: Size) -> Page:
    """Return the page of a sheet with the first of the fields that it begins with in its band."""
    first = next((piece for block in item.blocks[:1] for piece in block.pieces[:1]), None)
    if not isinstance(first, FieldLines) or first.fields[0].name != "name":
        return item
    many = fields_in_band(first, style, paper)
    left = len(first.fields) - many
    shares = tuple(share / sum(first.shares[many:]) for share in first.shares[many:])
    rest = (replace(first, fields=first.fields[many:], shares=shares),) if left else ()
    block = replace(item.blocks[0], pieces=(*rest, *item.blocks[0].pieces[1:]))
    blocks = (*((block,) if block.pieces else ()), *item.blocks[1:])
    return replace(item, heads=first_fields(first, many), blocks=blocks) if many and blocks else item


def _hue(system: System) -> Rgb:
    """Return the colour of a system: that of its cards' backs."""
    sets = card_set_names(system)
    return rgb(back_design(system, sets[0]).colour or "#000000") if sets else BLACK


def _quarters(panel_pages: list[Page], paper: Size, hue: Rgb) -> _Run:
    """Return the pages of a reference as quarters of the paper."""
    width, height = paper.width * MM, paper.height * MM
    quarter = Frame(0, 0, width / 2 - 2 * _MARGIN, height / 2 - 2 * _MARGIN - _HEAD, 1, 0)
    alone = [replace(item, columns=1) for item in panel_pages]
    return _Run(
        tuple((item, quarter) for item in alone), *_QUARTER_TYPE, PanelLook(_QUARTER_HEADING, _QUARTER_TYPE[1], hue)
    )


def _on_cards(panel_pages: list[Page], card: Size, text: Print, hue: Rgb) -> _Run:
    """Return the pages of a reference as cards of that size."""
    inside = Frame(0, 0, (card.width - 2 * _SAFE) * MM, (card.height - 2 * _SAFE) * MM - _CARD_HEAD, 1, 0)
    alone = [replace(item, columns=1) for item in panel_pages]
    return _Run(
        tuple((item, inside) for item in alone), *_CARD_TYPE[text], PanelLook(_CARD_HEADING, _CARD_TYPE[text][1], hue)
    )


def _printed(system: System, name: str, options: PanelOptions) -> Printed:
    """A panels file as a PDF. Raises HackjackError where there is none, OverflowError where it does not fit.

    A sheet so full that it does not fit goes without its empty rows, and then on over another page.
    """
    try:
        return _set(system, name, options)
    except flow.OverflowError:
        if options.filling is None:
            raise
        return _set(system, name, replace(options, filling=replace(options.filling, spare=False)))


def laid(system: System, name: str, options: PanelOptions) -> tuple[Size, Sequence[tuple[Page, Frame, PanelStyle]]]:
    """The paper as it lies, and each page of a panels file with its frame and what sets it, with all rows of a filling.

    Raises HackjackError, OverflowError.
    """
    file = _found(system, name)
    try:
        with work_budget(MAX_SAID):
            _pages(file, system, lambda other: {**_empty(other), **(options.charts or {})})
    except TooMuchWorkError as error:
        raise HackjackError(_TOO_LONG) from error
    panel_pages = _pages(file, system, _charts(system, options), options.filling)
    if name == "screen":
        panel_pages = screen_pages(panel_pages, players=options.players)
    if name == "reference" and options.text == "large":
        panel_pages = [_in_one(file.title, panel_pages)]
    _check_glyphs(panel_pages)
    paper = options.paper
    if name != "sheet" and options.text == "large":
        panel_pages = [enlarged(item) for item in panel_pages]
    if name == "screen" and options.panels == "portrait":
        panel_pages = [replace(item, columns=max(1, round(item.columns * _UPRIGHT_COLUMNS))) for item in panel_pages]
    elif name == "screen":
        paper = _turned(paper)
    form = Form(fillable=options.fillable)
    full = options.filling is not None and not options.filling.spare
    # What we ruled is for reading: it does not make the type of the panels smaller.
    last = len(dict(system.panels)[name].panels)
    own, ruled = ([item for item in panel_pages if (item.place < last) == ours] for ours in (True, False))
    groups = [group for group in (own, ruled) if group]
    runs = [run for group in groups for run in _runs(name, group, paper, _hue(system), options.text, full=full)]
    parts = [part for run in runs for part in run.fitted(options.inks, form)]
    backs = [part for part in parts if part[0].players]
    if name != "screen" or not options.players:
        return paper, parts
    if not backs:
        raise NamedError(f"{system.head.id} has no players' side: write `players: true` into a panel of screen.yaml")
    fronts = [part for part in parts if not part[0].players]
    return paper, [side for index, front in enumerate(fronts) for side in (front, backs[index % len(backs)])]


def comparison(system: System, panel_pages: Sequence[Page], options: PanelOptions) -> Printed:
    """Pages with charts of two variants of a system as a PDF, on paper on its side. Raises HackjackError."""
    _check_glyphs(panel_pages)
    paper = _turned(options.paper)
    form = Form(fillable=False)
    look = PanelLook(_TITLE * _UNDER_TITLE, _SMALLEST["screen"], _hue(system))
    run = _Run(tuple((item, panel_frame(item, paper)) for item in panel_pages), *_TYPE["screen"], look)
    parts = run.fitted(options.inks, form)
    return _drawn(system, f"{system.head.title} side by side", paper, parts, options)


def _set(system: System, name: str, options: PanelOptions) -> Printed:
    """A panels file as a PDF with the rows that its filling has. Raises HackjackError, OverflowError."""
    paper, parts = laid(system, name, options)
    title = product_title(system, _found(system, name).title)
    from_ = {place.partition("/")[0]: None for file, _, place, _ in takings(system) if file == f"{name}.yaml"}
    systems = (system, *(system.others[each] for each in from_))
    line, subject = (" + ".join(filter(None, dict.fromkeys(map(said, systems)))) for said in (panel_line, product_line))
    return _drawn(system, title, paper, parts, options, lines=(line, subject))


def _drawn(
    system: System,
    title: str,
    paper: Size,
    parts: Sequence[tuple[Page, Frame, PanelStyle]],
    options: PanelOptions,
    *,
    lines: tuple[str, str] | None = None,
) -> Printed:
    """Return pages as a PDF; a panel of a screen with a band."""
    line, subject = lines or (panel_line(system), product_line(system))
    canvas = open_document(paper.width * MM, paper.height * MM, title=title, subject=subject, looks=options)
    band = min(band_size(item, frame) for item, frame, _ in parts)
    for index, (item, frame, style) in enumerate(parts):
        # A players' side stands on several backs, and is read once.
        again = item.players and any(item is before for before, _, _ in parts[:index])
        with tags.tagged_texts(canvas, () if again else panel_nodes(item)):
            draw_band(canvas, item, paper, style, band)
            _foot(canvas, frame, line)
            columns.draw_columns(canvas, flow.page_slices(item, frame, style), frame)
        canvas.showPage()
    printed = close_document(canvas)
    printed.panels = tuple(item.place for item, _, _ in parts)
    return printed


def _beside(item: Page, system: System, frame: Frame) -> tuple[str, float]:
    """Return the system's title as it stands beside a panel's , or an empty text, and its size (pt)."""
    title, width = system.head.title, fonts.text_width(system.head.title, fonts.SANS)
    size = max(_MIN_BESIDE, min(12.0, frame.width * _BESIDE_TITLE / width))
    # The line at the foot names the system too.
    return ("" if width * size > frame.width / 2 or item.title == title else title), size


def _title_size(item: Page, system: System, frame: Frame, left: float) -> float:
    """Return the size (pt) at which a panel's title fits beside the system's, so far from the left edge."""
    beside, small = _beside(item, system, frame)
    room = frame.width - left - fonts.text_width(beside, fonts.SANS) * small - 12
    return min(_TITLE, room / fonts.text_width(called(item), fonts.display_font(called(item))))


def _head(canvas: Canvas, item: Page, system: System, frame: Frame, line: str, left: float, size: float) -> None:
    """The panel's title over the columns, so far from their left edge; the product's line under them."""
    top = frame.y + frame.height + _HEAD
    title, small = _beside(item, system, frame)
    with tags.tagged_as(canvas, item):
        pen.draw_line(canvas, called(item), frame.x + left, top - 20, fonts.display_font(called(item)), size)
    pen.draw_line(canvas, title, frame.x + frame.width, top - 20, fonts.SANS, small, align="right", colour=GREY)
    _foot(canvas, frame, line)


def _foot(canvas: Canvas, frame: Frame, line: str) -> None:
    """The product's line under the columns, if there is one."""
    if not line:
        return
    size = min(6.5, frame.width / fonts.text_width(line, fonts.SANS))
    pen.draw_line(canvas, line, frame.x + frame.width, frame.y - 12, fonts.SANS, size, align="right", colour=GREY)
