"""What cards are printed for: papers, label sheets and print shops as data, read from `templates/targets.yaml`."""

from functools import cache
from typing import ClassVar, Literal

import msgspec
from msgspec.structs import replace

from generator.base.errors import HackjackError, UsageError
from generator.layout.sheets import (
    CutTemplate,
    Grid,
    Registration,
    Size,
    bleed_grid,
    card_name,
    clear_of_corners,
    fold_grid,
    packed_grid,
    paper_name,
    paper_sizes,
    read_data_file,
    room_in_corners,
)

MM_AN_INCH = 25.4

Marks = Literal["cut", "crop", "none"]

PLACED = frozenset({"nudge", "marks", "start", "copies", "fill"})
"""The options that mean something wherever cards or stickers lie on a sheet."""


class _Target(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", kw_only=True):
    """What every target has: one line about it, where its geometry was found, and when that was checked."""

    takes: ClassVar[frozenset[str]] = frozenset()
    """The options that mean something for the target, besides those that do for all."""
    marks: ClassVar[Marks] = "none"
    """The target's default cut marks."""
    cards_alone: ClassVar[bool] = True
    """Whether it is for cards and nothing else: no screen is printed on stickers or sent to a shop for cards."""
    theme: ClassVar[str] = "plain"
    """The theme of its cards where neither the order nor the system names one: shops print from edge to edge."""

    says: str
    source: str
    checked: str
    after: str = ""
    """What to do with the files of an export."""


class SheetTarget(_Target, frozen=True, tag="sheet"):
    """Cards edge to edge on a paper."""

    takes: ClassVar[frozenset[str]] = PLACED | {"paper", "card", "backs", "extras"}
    marks: ClassVar[Marks] = "cut"
    cards_alone: ClassVar[bool] = False

    def grid(self, paper: Size, card: Size) -> Grid:
        """Return where the cards lie."""
        return packed_grid(paper, card)


class BleedTarget(_Target, frozen=True, tag="bleed"):
    """Cards apart on a paper, each with its own bleed, mm."""

    takes: ClassVar[frozenset[str]] = SheetTarget.takes
    marks: ClassVar[Marks] = "crop"
    cards_alone: ClassVar[bool] = False

    bleed: float
    least_bleed: float

    def grid(self, paper: Size, card: Size) -> Grid:
        """Return where the cards lie."""
        return bleed_grid(paper, card, self.bleed, self.least_bleed)


class FoldTarget(_Target, frozen=True, tag="fold"):
    """Fronts above a fold and their backs below it, `gutter` mm from it."""

    takes: ClassVar[frozenset[str]] = PLACED | {"paper", "card", "extras"}
    marks: ClassVar[Marks] = "cut"
    cards_alone: ClassVar[bool] = False

    gutter: float

    def grid(self, paper: Size, card: Size) -> Grid:
        """Return where the fronts lie."""
        return fold_grid(paper, card, self.gutter)


class Limits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The least and the most of a measure, mm."""

    least: float
    most: float


class CuttingTarget(_Target, frozen=True, tag="cutting"):
    """Cards apart on a paper with the marks that a cutting machine looks for, and a file that it cuts by.

    Lengths in mm. `bleed` is printed around each card, whose corners are cut with that `radius`. Cards keep out of
    squares of `least_room` where the marks lie, or of larger ones where the marks are longer. `limits` are those of the
    program that cuts. Whenever anything else of this changes, `version` does: it is printed on every sheet, which can
    only be cut with a file of the same version.
    """

    takes: ClassVar[frozenset[str]] = (SheetTarget.takes - {"marks"}) | {"registration"}

    version: int
    bleed: float
    radius: float
    least_room: float
    registration: Registration
    limits: dict[Literal["length", "thickness", "inset"], Limits]

    def grid(self, paper: Size, card: Size) -> Grid:
        """Return where the cards lie."""
        marks = self.registration
        return clear_of_corners(paper, card, self.bleed, marks.inset, max(marks.length or 0, self.least_room))

    def marks_on(self, layout: Grid) -> Registration:
        """Return the marks of a sheet: where no length is given, as long as the cards on it leave room for."""
        marks = self.registration
        room = room_in_corners(layout, marks.inset)
        return replace(marks, length=marks.length or round(min(room, self.limits["length"].most), 2))

    def template(self, name: str, layout: Grid) -> CutTemplate:
        """Return the file printed beside the cards of a sheet for the target of that name."""
        marks, paper, card = self.marks_on(layout), layout.paper, layout.card
        lies = "landscape" if paper.width > paper.height else "portrait"
        top = paper.height - layout.bottom - layout.rows * layout.pitch.height + 2 * layout.bleed
        says = (
            f"{name} v{self.version}: {paper_name(paper) or ''} {lies}, "
            f"{card_name(card) or 'cards of'} {card.width:g} x {card.height:g} mm; "
            f"marks: length {marks.length:g}, thickness {marks.thickness:g}, inset {marks.inset:g} mm; "
            f"cuts begin {layout.left:.2f} mm from the left and {top:.2f} mm from the top"
        )
        return CutTemplate(marks.boxes(paper), says)


class SingleTarget(_Target, frozen=True, tag="single"):
    """One card a page, with `bleed` mm around its trim."""

    takes: ClassVar[frozenset[str]] = frozenset({"card", "backs", "marks", "copies", "extras"})
    theme: ClassVar[str] = "poster"

    bleed: float


class LabelSheet(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A sheet of labels or of perforated cards, mm. `left` and `top` lead from the paper's corner to the first."""

    width: float
    height: float
    columns: int
    rows: int
    pitch_x: float
    pitch_y: float
    left: float
    top: float

    def grid(self, paper: Size, *, turned: bool = False) -> Grid:
        """Return where the labels lie; `turned` for cards that lie on their side."""
        card = Size(self.height, self.width) if turned else Size(self.width, self.height)
        bottom = paper.height - self.top - self.height - (self.rows - 1) * self.pitch_y
        pitch = Size(self.pitch_x, self.pitch_y)
        return Grid(paper, card, self.columns, self.rows, self.left, bottom, pitch, turned=turned)


class StockTarget(_Target, frozen=True, tag="stock"):
    """Whole cards on perforated card stock: one sheet for each paper, on which upright cards lie on their side."""

    takes: ClassVar[frozenset[str]] = PLACED | {"paper", "backs", "extras"}

    sheets: dict[str, LabelSheet]


class LabelTarget(_Target, frozen=True, tag="labels"):
    """Stickers on a sheet of labels; nothing is printed within `margin` mm of a label's edge."""

    takes: ClassVar[frozenset[str]] = PLACED

    paper: str
    sheet: LabelSheet
    margin: float = 1.5


class FullLabelTarget(_Target, frozen=True, tag="full-label"):
    """Stickers of that size by default, edge to edge on one large label, mm."""

    takes: ClassVar[frozenset[str]] = PLACED | {"paper", "card"}
    marks: ClassVar[Marks] = "cut"

    width: float
    height: float
    margin: float = 1.5


class Canvas(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A picture's size with bleed, pixels."""

    width: int
    height: int


class Ordering(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What to click at a print shop: the sizes by the names that it has for them, its stock, and the steps.

    `quantities` are the deck sizes that it sells, where it does not sell any number. In the steps stand `{size}`,
    `{stock}`, `{cards}` and `{quantity}`, which is the smallest deck that takes all cards.
    """

    shop: str
    address: str
    sizes: dict[str, str]
    stock: str
    quantities: tuple[int, ...] = ()
    steps: tuple[str, ...]
    checked: str


class PictureTarget(_Target, frozen=True, tag="pictures"):
    """One PNG a card with bleed, of the size that a shop's portal checks."""

    form: ClassVar[str] = "pictures"
    takes: ClassVar[frozenset[str]] = frozenset({"card", "backs", "jobs", "extras"})
    theme: ClassVar[str] = "poster"

    dpi: int
    canvases: dict[str, Canvas]
    order: Ordering


class ShopTarget(_Target, frozen=True, tag="pdfx"):
    """A PDF/X-1a:2003 of back and front in turn, with `bleed` mm; `ink` is the most ink in one place, per cent."""

    takes: ClassVar[frozenset[str]] = frozenset({"card", "copies", "extras"})
    theme: ClassVar[str] = "poster"

    bleed: float
    cards: tuple[str, ...]
    ink: float
    condition: str
    condition_name: str
    order: Ordering


class TabletopTarget(_Target, frozen=True, tag="tabletop"):
    """Cards on one picture of at most so many pixels a side; the last place is the back's."""

    form: ClassVar[str] = "tabletop"
    takes: ClassVar[frozenset[str]] = frozenset({"card", "jobs", "copies", "extras", "base_url"})

    columns: int
    rows: int
    pixels: int


class PngTarget(_Target, frozen=True, tag="png"):
    """One PNG a card, cut to the trim."""

    form: ClassVar[str] = "png"
    takes: ClassVar[frozenset[str]] = frozenset({"card", "backs", "dpi", "jobs", "extras"})

    dpi: int


class RecordsTarget(_Target, frozen=True, tag="records"):
    """Cards and tables as data: `csv` for each set and for all tables, or the whole system as `json`."""

    takes: ClassVar[frozenset[str]] = frozenset({"extras"})

    form: Literal["csv", "json"]


class VirtualTarget(_Target, frozen=True, tag="virtual"):
    """Cards as pictures together with what a virtual table needs to use them."""

    takes: ClassVar[frozenset[str]] = frozenset({"card", "dpi", "jobs", "extras"})

    form: Literal["roll20", "foundry", "pcio"]
    dpi: int


WHOLE, TABLES = "all", "tables"
"""Products of the targets below alone: all that a system has, and all of its tables."""


def products_besides(target: "Target") -> tuple[str, ...]:
    """Return the products of a target besides sets of cards; a target with one product for all is printed alone."""
    match target:
        case RecordsTarget(form="json") | VirtualTarget(form="foundry"):
            return (WHOLE, TABLES)
        case RecordsTarget() | VirtualTarget(form="roll20") | TabletopTarget():
            return (TABLES,)
        case _:
            return ()


Target = (
    SheetTarget
    | BleedTarget
    | FoldTarget
    | CuttingTarget
    | SingleTarget
    | StockTarget
    | LabelTarget
    | FullLabelTarget
    | PictureTarget
    | ShopTarget
    | TabletopTarget
    | PngTarget
    | RecordsTarget
    | VirtualTarget
)

ExportTarget = PictureTarget | TabletopTarget | PngTarget | RecordsTarget | VirtualTarget
"""What takes pictures or data; the `form` names what it is made by."""


@cache
def targets_by_name() -> dict[str, Target]:
    """Targets by name."""
    return read_data_file("targets.yaml", dict[str, Target])


def layout_of(target: Target, paper: Size, card: Size) -> Grid | None:
    """Return where cards of that size lie on the target's sheet; None for targets without sheets.

    Label sheets have paper and labels of their own. Raises HackjackError where nothing fits, or the target has no sheet
    on that paper.
    """
    match target:
        case SheetTarget() | BleedTarget() | FoldTarget() | CuttingTarget():
            return target.grid(paper, card)
        case StockTarget():
            name = paper_name(paper)
            if name not in target.sheets:
                raise HackjackError(f"there are sheets for {' and '.join(target.sheets)} paper alone")
            return target.sheets[name].grid(paper_sizes()[name], turned=True)
        case LabelTarget():
            return target.sheet.grid(paper_sizes()[target.paper])
        case FullLabelTarget():
            return packed_grid(paper, card)
        case _:
            return None


def checked_size(sizes: tuple[str, ...], card: Size, target: str) -> str:
    """Return the name of a card's size if it is one of `sizes`. Raises UsageError: no other size was checked."""
    name = card_name(card)
    if name not in sizes:
        size_name = name or f"{card.width:g} x {card.height:g} mm"
        raise UsageError(
            f"nobody has checked what {target} asks of {size_name} cards: choose --card {' or '.join(sizes)}, "
            f"or print them with --target png or --target single"
        )
    return name
