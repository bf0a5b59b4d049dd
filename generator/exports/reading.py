"""Cards and panels as a text to be read, or to be read aloud: headings, paragraphs, lists and tables.

Made from the same faces and pieces as the PDFs, whose pages have no structure that a screen reader could follow.
Signs are said in words, charts are tables of their numbers, and fields say what they hold.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import assert_never

from msgspec import Struct
from msgspec.structs import replace

from generator.base.cards import SUIT_NAMES, is_code, is_joker, name_of
from generator.base.emblem_names import EMBLEMS
from generator.layout.card_elements import (
    Art,
    Badge,
    Blank,
    Effect,
    Emblem,
    Face,
    Flavour,
    Index,
    Rule,
    Scale,
    Short,
    Sketch,
    Title,
    Track,
    counted_form,
    emblem_shown,
    sentences_of,
)
from generator.layout.panel_elements import (
    Bars,
    BodyFigure,
    Box,
    BoxRow,
    FieldCell,
    FieldGrid,
    FieldLine,
    FieldLines,
    Framed,
    Heading,
    Ladder,
    Matrix,
    Note,
    Page,
    Paragraph,
    Picture,
    Piece,
    Series,
    Ticks,
    Wound,
)
from generator.layout.panel_elements import Table as TablePiece
from generator.model.rules import System
from generator.words.wording import DAGGER, capital, product_line

BLANK = "______"
"""A place to write on."""

_FIGURES = {"B": "Blood", "T": "Trauma"}


class Head(Struct, frozen=True):
    """A heading of level 2 or 3; the document's title is the only one of level 1."""

    level: int
    text: str


class Say(Struct, frozen=True):
    """A paragraph, begun by a few strong words; `aside` for a line of colour that is no rule."""

    text: str
    strong: str = ""
    aside: bool = False


class Items(Struct, frozen=True):
    """A list, numbered where the order matters."""

    items: tuple[str, ...]
    numbered: bool = False


class Table(Struct, frozen=True):
    """A table with its caption. `head` is empty where the first cell of each row is what the others belong to."""

    caption: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class Sign(Struct, frozen=True):
    """One of our emblems, by its name, and what it shows in words."""

    name: str
    says: str


Node = Head | Say | Items | Table | Sign


class Reading(Struct, frozen=True):
    """A whole text: its title, the product's line, and what stands in it, in order."""

    title: str
    line: str
    nodes: tuple[Node, ...]


def cards(system: System, product: str, faces: Iterable[Face]) -> Reading:
    """A set of cards, suit by suit, a heading each; of several copies one."""
    chosen = Counter(faces)
    characters: dict[str, str] = {suit.id: suit.character for suit in system.head.suits}
    nodes: list[Node] = []
    group = ""
    for face, copies in chosen.items():
        name = _group(face, characters)
        if name and name != group:
            group = name
            nodes.append(Head(2, name))
        nodes += _card(face, 3 if group else 2)
        nodes += [Say(f"{copies} of this card are in the deck.")] if copies > 1 else []
    return _whole(f"{system.head.title} {product}", system, nodes)


def panels(system: System, title: str, pages: Iterable[Page]) -> Reading:
    """Panels one after the other, a heading each."""
    nodes: list[Node] = []
    for page in pages:
        nodes += [Head(2, page.title), *_joined(page)]
    return _whole(f"{system.head.title} {title}", system, nodes)


def _whole(title: str, system: System, nodes: Sequence[Node]) -> Reading:
    if any(DAGGER in text for node in nodes for text in _texts(node)):
        nodes = [*nodes, Say(f"{DAGGER} reconstructed: no source gives it.")]
    return Reading(title, product_line(system), tuple(nodes))


def _texts(node: Node) -> Iterator[str]:
    match node:
        case Head() | Say():
            yield node.text
        case Items():
            yield from node.items
        case Table():
            yield from (cell for row in node.rows for cell in row)
        case Sign():
            yield node.says
        case _:
            assert_never(node)


# --- cards -----------------------------------------------------------------------------------------------------------


def _group(face: Face, characters: Mapping[str, str]) -> str:
    """What the cards of a suit stand under."""
    if is_joker(face.code):
        return "Jokers"
    if not is_code(face.code):
        return ""
    suit, character = SUIT_NAMES[face.suit].capitalize(), characters.get(face.suit)
    return f"{suit}: {character}" if character else suit


def _card(face: Face, level: int) -> Iterator[Node]:
    """One card: its name, what it does, what has to be counted, and its line of colour."""
    titles = [part.text for part in face.parts if isinstance(part, Title)]
    called = name_of(face.code) if is_code(face.code) else ""
    heading = ": ".join([part for part in (capital(called), *titles) if part])
    yield Head(level, heading or face.code)
    names = (emblem_shown(part) for part in face.parts if isinstance(part, Emblem))
    yield from (Sign(name, EMBLEMS[name]) for name in names if name in EMBLEMS)
    index = next((part.rank for part in face.parts if isinstance(part, Index)), "")
    badges, asides = list(filter(None, [counted_form(face)])), []
    for part in face.parts:
        match part:
            case Flavour():
                asides.append(Say(part.text, aside=True))
            case Blank():
                badges.append(f"{part.label}: {part.value or BLANK}")
            case Track():
                badges.append(", ".join(f"[{step}]" if step == part.reached else step for step in part.steps))
            case Sketch():
                asides.append(Say(part.says))
            case Rule() if not _group(face, {}):
                # Of a playing card the suit says it, and the heading over its suit.
                yield Say(f"{capital(part.word)} {index}".strip() + ".")
            case Index() | Badge() | Emblem() | Title() | Rule() | Effect() | Scale() | Short() | Art():
                continue
            case _:
                assert_never(part)
    if said := sentences_of(face):
        yield Items(said)
    if badges:
        line = "; ".join(badges)
        yield Say(f"{line[0].upper()}{line[1:]}.")
    yield from asides


# --- panels ----------------------------------------------------------------------------------------------------------


def _joined(page: Page) -> Iterator[Node]:
    """The pieces of a page, with cards that follow each other as one table, and numbered lines as one list."""
    caption = page.title
    waiting: list[Piece] = []
    for piece in (piece for block in page.blocks for piece in block.pieces):
        if waiting and not _belongs(piece, waiting):
            yield _gathered(waiting, caption)
            waiting = []
        if isinstance(piece, Wound) or (isinstance(piece, Paragraph) and piece.label.isdigit()):
            waiting.append(piece)
            continue
        if isinstance(piece, Heading):
            caption = piece.text
        yield from _alone(piece, caption)
    if waiting:
        yield _gathered(waiting, caption)


def _alone(piece: Piece, caption: str) -> Iterator[Node]:
    """A piece that is a node by itself."""
    match piece:
        case Heading():
            yield Head(3, piece.text)
            if piece.source:
                yield Say(f"Source: {piece.source}", aside=True)
        case Paragraph():
            strong = " ".join(part for part in (piece.label, f"{piece.strong}:" if piece.strong else "") if part)
            yield Say(piece.text, strong)
        case Note():
            yield Say(piece.text)
        case TablePiece():
            yield Table(caption, piece.heads if any(piece.heads) else (), piece.rows)
        case Framed():
            yield _figures(piece.picture, caption)
            yield from _key(piece.picture)
        case FieldLine():
            yield Say(piece.value or BLANK, f"{piece.label}:")
        case FieldLines():
            for cell in piece.fields:
                yield Say(_field(replace(cell, label="")) or BLANK, f"{cell.label}:")
        case FieldGrid():
            yield Table(caption, piece.heads, tuple(tuple(map(_field, row)) for row in piece.rows))
        case BoxRow():
            ticked = sum(box.ticked for box in piece.boxes)
            says = f"{ticked} of {len(piece.boxes)} boxes ticked" if ticked else f"{len(piece.boxes)} boxes"
            yield Say(f"{says}.", f"{piece.label}:")
        case Ladder():
            yield Say("each step leads to the next.", f"{piece.label}:")
            yield Items(tuple(map(_box, piece.boxes)), numbered=True)
        case Ticks():
            yield Items(tuple(map(_box, piece.boxes)))
        case BodyFigure():
            yield Say("The printed sheet has the outline of a body here, to mark where it hurts.")
        case Wound():
            yield _gathered([piece], caption)
        case _:
            assert_never(piece)


def _belongs(piece: Piece, waiting: Sequence[Piece]) -> bool:
    """Whether a piece goes on with the table or the list before it."""
    if isinstance(piece, Wound):
        return isinstance(waiting[0], Wound)
    return isinstance(piece, Paragraph) and piece.label == str(len(waiting) + 1) and isinstance(waiting[0], Paragraph)


def _gathered(pieces: Sequence[Piece], caption: str) -> Node:
    lines = tuple(piece.text for piece in pieces if isinstance(piece, Paragraph))
    if lines:
        return Items(lines, numbered=True)
    wounds = tuple(_wound(piece) for piece in pieces if isinstance(piece, Wound))
    return Table(caption, ("Card", "Wound", "Figures", "What it does"), wounds)


def _field(cell: FieldCell) -> str:
    if cell.tick:
        return "ticked" if cell.value else "not ticked"
    return cell.value or cell.label.strip()


def _box(box: Box) -> str:
    return f"{box.text} (ticked)" if box.ticked else box.text


def _wound(piece: Wound) -> tuple[str, ...]:
    code = f"{piece.rank}{piece.suit}"
    figures = re.sub(r"\b([BT])(?=\d|d\d)", lambda found: f"{_FIGURES[found[1]]} ", piece.figures)
    return (name_of(code) if is_code(code) else code, piece.name, figures, piece.text)


def _figures(picture: Picture, caption: str) -> Table:
    """A chart as the table of its numbers."""
    title = f"{caption} ({picture.note})" if picture.note else caption
    match picture:
        case Bars():
            pairs = zip(picture.labels, picture.values, strict=True)
            rows = [(label, _number(value, picture.percent)) for label, value in pairs]
            return Table(title, (picture.across, "per cent" if picture.percent else "value"), tuple(rows))
        case Series():
            columns = [values for _, values in picture.series]
            unit = " (per cent)" if picture.percent else ""
            names = tuple(f"{name}{unit}".strip() or "value" for name, _ in picture.series)
            lines = [
                (label, *(_number(values[at], picture.percent) for values in columns))
                for at, label in enumerate(picture.labels)
            ]
            return Table(title, (picture.across, *names), tuple(lines))
        case Matrix():
            corner = " by ".join(part for part in (picture.down, picture.across) if part)
            cells = tuple((name, *(cell.text for cell in row)) for name, row in picture.rows)
            return Table(title, (corner, *picture.columns), cells)
        case _:
            assert_never(picture)


def _key(picture: Picture) -> Iterator[Node]:
    """What the letters in a matrix mean."""
    if isinstance(picture, Matrix) and picture.key:
        yield Items(tuple(f"{cell.text}: {means}" for cell, means in picture.key if cell.text))


def _number(value: float, percent: bool) -> str:
    """Two decimals; of per cent never 0 for what can happen nor 100 for what can fail."""
    if not percent:
        return f"{value:.2f}"
    share = value * 100
    if 0 < share < 0.01:
        return "less than 0.01"
    return "more than 99.99" if 99.99 < share < 100 else f"{share:.2f}"
