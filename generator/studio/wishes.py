"""What a page wants printed or written, and what became of it: plain values that the server and its helpers share."""

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from generator.base.fields import Line
from generator.layout.sheets import Size
from generator.model.blocks import Prose, Taken
from generator.model.printed_files import TakenCard
from generator.prose.post import MAX_POST

PAGE_DPI, ZOOM_DPI = 110, 200
MAX_COUNT = 1000
"""So many of one card are printed at most."""
MAX_SMALL = 200
"""The cards of a print that does not hold others up."""
MAX_FILE = 400_000_000
"""Bytes of a file that is printed."""

Word = Annotated[str, Meta(max_length=200)]
Rules = Annotated[dict[Word, Word], Meta(max_length=100)]
Count = Annotated[int, Meta(ge=1, le=MAX_COUNT)]


class ScreenPage(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A page of a screen that is made of blocks of any systems, and of one's own words."""

    title: Line
    columns: Annotated[int, Meta(ge=1, le=5)] = 2
    blocks: Annotated[tuple[Taken | Prose, ...], Meta(min_length=1, max_length=60)]


class Wish(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a page wants printed: a product under house rules, with options as typed, or some of its cards alone.

    With `cards` it is their mixed sheet, with `panels` the screen that they make; `title` is that of both.
    """

    system: Word
    product: Word
    rules: Rules = {}
    counts: Annotated[dict[Word, Count], Meta(max_length=1000)] = {}
    options: Annotated[dict[Word, Word], Meta(max_length=40)] = {}
    cards: Annotated[tuple[TakenCard, ...], Meta(max_length=400)] = ()
    panels: Annotated[tuple[ScreenPage, ...], Meta(max_length=8)] = ()
    title: Line = "Mixed"


class Ruled(Struct, frozen=True, forbid_unknown_fields=True):
    """A system under house rules; `pack` is the name to save them by."""

    system: Word
    rules: Rules = {}
    pack: Word = ""


class OddsWish(Struct, frozen=True, forbid_unknown_fields=True):
    """Odds of an event, as typed."""

    system: Word
    words: Annotated[tuple[Word, ...], Meta(max_length=60)]
    rules: Rules = {}


class PartAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """A pack, or a table or deck of it."""

    pack: Word
    part: Word = ""


class EffectsAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """Effects of a pack, to be worded while somebody fills in their forms."""

    pack: Word
    effects: Annotated[list[dict[str, Any]], Meta(max_length=60)]


class Keeping(Struct, frozen=True, forbid_unknown_fields=True):
    """A mixed sheet or a screen to keep in a pack of the user's: one on the shelf, or a new one."""

    wish: Wish
    pack: Word
    replace: bool = False


class MadeFile(Struct, frozen=True):
    """A file of a print: its name, bytes, pages, and the size of a page, mm."""

    name: str
    bytes: int
    pages: int
    size: Size | None


class KeptPrint(Struct, frozen=True):
    """What became of a wish: the number of the print, its files, and what to know before they are printed."""

    job: str
    files: tuple[MadeFile, ...]
    advice: tuple[str, ...]
    warnings: tuple[str, ...]
    left_out: tuple[str, ...]
    seconds: float

    @property
    def bytes(self) -> int:
        """The bytes of all files."""
        return sum(file.bytes for file in self.files)


class CellChange(Struct, frozen=True, forbid_unknown_fields=True):
    """A cell and what it becomes: what somebody typed, or a list of effects."""

    path: Annotated[tuple[Word, ...], Meta(max_length=4)]
    value: str | list[dict[str, Any]]
    row: int = 0


class GridChange(Struct, frozen=True, forbid_unknown_fields=True):
    """What is done: cells of rows that are there, a new row before the one at `row`, a row less or elsewhere, pasted
    tables, a spreadsheet of cards for a deck in place of the one that it may have, a deck more, an event that
    is new or says something else, another title of a table, a deck or the pack, a table or a deck less, or the
    last undone.
    """

    do: Literal["cells", "add", "drop", "move", "paste", "csv", "deck", "event", "title", "pack", "remove", "undo"]
    cells: Annotated[tuple[CellChange, ...], Meta(max_length=2000)] = ()
    row: int = -1
    to: int = -1
    text: Annotated[str, Meta(max_length=MAX_POST)] = ""


class PackChange(Struct, frozen=True, forbid_unknown_fields=True):
    """A change to a pack, as somebody saw it: `seen` stands for what its files said."""

    pack: Word
    part: Word
    seen: Word
    change: GridChange


class NewPack(Struct, frozen=True, forbid_unknown_fields=True):
    """A new pack: that changes the system `base`, or blank."""

    pack: Word
    base: Word = ""


def card_count(wish: Wish) -> int:
    """Return about how many cards a wish has printed, as far as it says so itself."""
    copies = wish.options.get("copies", "1")
    return (sum(wish.counts.values()) or sum(card.copies for card in wish.cards) or 60) * (
        int(copies) if copies.isdecimal() and len(copies) < 5 else 1
    )
