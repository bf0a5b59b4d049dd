"""Pages that do not fit at a type size go on over several: block by block, and within a block only where it must be."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from msgspec.structs import replace

from generator.layout.panel_elements import FieldGrid, FieldLines, Heading, Page, PanelTable, Piece, Worded
from generator.paper.columns import Frame, fits
from generator.paper.flow import page_slices, without_narrow_columns
from generator.paper.panel_style import PanelStyle

_NEAR = 0.5
"""Bonus of a break of the author's where a page becomes two."""
_MOST = 0.6
"""A page is filled so far at least where a block is cut at a heading."""
_FILLED = 0.6
"""A page that is filled less begins a table to write in, the other half of which stands on the next."""


def split_page(page: Page, frame: Frame, style: PanelStyle) -> list[Page]:
    """Return a page as one or several, each with as many of its blocks as fit at the size of a style.

    The last two pages share their blocks evenly. A block that fits on no page is cut between pieces or rows of a
    table; one that cannot be cut stands alone, for the caller to refuse.
    """
    parts: list[Page] = []
    waiting = list(page.blocks)
    many, cut = len(waiting), False
    while waiting:
        many = _row_kept(waiting, _fitting(page, waiting, frame, style, many))
        if many < len(waiting) and not _fits(page, waiting[many : many + 1], frame, style):
            # No page holds the next block whole: it begins on this one, if anything of it fits.
            first, rest = _cut(page, waiting[:many], waiting[many], frame, style)
            if rest or not many:
                waiting[many : many + 1] = [first, *rest]
                many += 1
        elif many < len(waiting) and sum(_heights(page, waiting[:many], frame, style)) < _FILLED * frame.height:
            written = any(isinstance(piece, FieldGrid) for piece in waiting[many].pieces)
            halves = _halves(waiting[many], frame, style) if written else []
            if halves and _fits(page, [*waiting[:many], halves[0]], frame, style):
                waiting[many : many + 1], cut = halves, True
                many += 1
        parts.append(_part(page, waiting[:many]))
        del waiting[:many]
    if len(parts) == 2 and len(page.blocks) == 1:
        halves = _halves(page.blocks[0], frame, style)
        if halves and all(_fits(page, [side], frame, style) for side in halves):
            parts = [_part(page, [side]) for side in halves]
    elif len(parts) > 1 and not cut:
        parts[-2:] = _even(page, [*parts[-2].blocks, *parts[-1].blocks], frame, style) or parts[-2:]
    more = enumerate(parts[1:], 2)
    return [parts[0], *(replace(part, goes_on=True, heads=_name_again(page.heads, at)) for at, part in more)]


def _name_again(heads: FieldLines | None, page: int) -> FieldLines | None:
    """Return the first field in the band of a sheet for a further page, under a name of its own."""
    if heads is None:
        return None
    first = replace(heads.fields[0], name=f"{heads.fields[0].name} {page}")
    return replace(heads, fields=(first,), shares=(1.0,))


def _part(page: Page, blocks: Sequence[Worded]) -> Page:
    # What begins a new column or row begins the page as well.
    return replace(page, blocks=(replace(blocks[0], column=False, below=False), *blocks[1:]))


def _fits(page: Page, blocks: Sequence[Worded], frame: Frame, style: PanelStyle) -> bool:
    return fits(page_slices(_part(page, blocks), frame, style), frame)


def _fitting(page: Page, blocks: Sequence[Worded], frame: Frame, style: PanelStyle, likely: int) -> int:
    """Return how many of the first blocks fit on one page, found soon where that is about `likely`."""
    low, high = 0, min(likely, len(blocks))
    while _fits(page, blocks[:high], frame, style):
        if high == len(blocks):
            return high
        low, high = high, min(2 * high, len(blocks))
    while high - low > 1:
        middle = (low + high) // 2
        if _fits(page, blocks[:middle], frame, style):
            low = middle
        else:
            high = middle
    return low


def _row_kept(blocks: Sequence[Worded], many: int) -> int:
    """Return how many of the first blocks to take: none of a row of which one block alone would go on, and none without
    the block that has no heading of its own and goes with it."""
    many = next((at for at in range(many, 0, -1) if at == len(blocks) or _begins(blocks[at])), many)
    after = blocks[many + 1 : many + 2]
    if many == len(blocks) or not blocks[many].column or not all(block.wide or block.below for block in after):
        return many
    first = max((at + blocks[at].wide for at in range(many) if blocks[at].wide or blocks[at].below), default=0)
    return first or many


def _begins(block: Worded) -> bool:
    """Return whether a block has a heading of its own."""
    return any(isinstance(piece, Heading) for piece in block.pieces[:1])


def _even(page: Page, blocks: Sequence[Worded], frame: Frame, style: PanelStyle) -> list[Page] | None:
    """Return two pages that are about as full as each other, parted at a break of the author's if one is near the
    middle; None where no place to part them leaves both fitting."""
    heights = _heights(page, blocks, frame, style)

    def unevenness(at: int) -> float:
        breaks = blocks[at].column or blocks[at].below or blocks[at].wide
        return abs(2 * sum(heights[:at]) - sum(heights)) * (_NEAR if breaks else 1)

    for at in sorted(range(1, len(blocks)), key=unevenness):
        if _row_kept(blocks, at) == at and all(_fits(page, side, frame, style) for side in (blocks[:at], blocks[at:])):
            return [_part(page, blocks[:at]), _part(page, blocks[at:])]
    return None


def _heights(page: Page, blocks: Sequence[Worded], frame: Frame, style: PanelStyle) -> list[float]:
    """Return the height that each block takes of a page, pt: in a column it shares it with others."""
    return [
        sum((each.height + each.before) / (1 if each.wide else frame.columns) for each in slices)
        for slices in (page_slices(_part(page, [block]), frame, style) for block in blocks)
    ]


def _cut(
    page: Page, before: Sequence[Worded], block: Worded, frame: Frame, style: PanelStyle
) -> tuple[Worded, list[Worded]]:
    """Return as much of a block as fits on a page after others, up to its last heading if that is most of it, and the
    rest of it; all of it where nothing fits."""
    atoms = [*_atoms(without_narrow_columns(block, frame, style))]
    headings = [at for at, piece in enumerate(atoms) if isinstance(piece, Heading)]
    for many in range(len(atoms) - 1, 0, -1):
        first, rest = _sides(block, atoms, many)
        if many - 1 not in headings and _fits(page, [*before, first], frame, style):
            last = max((at for at in headings if at < many), default=0)
            if last > many * _MOST:
                first, rest = _sides(block, atoms, last)
            return first, [rest]
    return block, []


def _halves(block: Worded, frame: Frame, style: PanelStyle) -> list[Worded]:
    """Return a block as two, with half of its pieces each; none where it cannot be parted in the middle."""
    atoms = [*_atoms(without_narrow_columns(block, frame, style))]
    many = (len(atoms) + 1) // 2
    return [] if many == len(atoms) or isinstance(atoms[many - 1], Heading) else [*_sides(block, atoms, many)]


def _sides(block: Worded, atoms: Sequence[Piece], many: int) -> tuple[Worded, Worded]:
    """Return a block with so many of its pieces, and with the others under the last heading of these."""
    again = (
        [] if isinstance(atoms[many], Heading) else [each for each in atoms[:many] if isinstance(each, Heading)][-1:]
    )
    first, rest = tuple(_joined(atoms[:many])), (*again, *_joined(atoms[many:]))
    return replace(block, pieces=first), replace(block, pieces=rest)


def _atoms(block: Worded) -> Iterator[Piece]:
    """Yield the pieces of a block, of a table a row at a time."""
    for piece in block.pieces:
        if isinstance(piece, PanelTable | FieldGrid):
            yield from (replace(piece, rows=(row,)) for row in piece.rows)
        else:
            yield piece


def _joined(atoms: Sequence[Piece]) -> Iterator[Piece]:
    """Yield the pieces with rows of one table together again."""
    for _, run in groupby(atoms, lambda piece: (type(piece), getattr(piece, "heads", id(piece)))):
        pieces = list(run)
        tables = [piece for piece in pieces if isinstance(piece, PanelTable | FieldGrid)]
        yield replace(pieces[0], rows=sum((table.rows for table in tables), ())) if tables else pieces[0]
