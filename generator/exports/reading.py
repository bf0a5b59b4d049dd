"""Cards and panels as a text to be read, or to be read aloud: headings, paragraphs, lists and tables.

Made from the same faces and pieces as the PDFs, whose pages have no structure that a screen reader could follow.
Signs are said in words, charts are tables of their numbers, and fields say what they hold.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import assert_never

from generator.cards import SUIT_NAMES, is_code, is_joker, name_of
from generator.parts import Badge, Effect, Emblem, Face, Flavour, Index, Rule, Title
from generator.pieces import (
    Bars,
    BodyFigure,
    BoxRow,
    FieldLine,
    FieldRow,
    Heading,
    Page,
    Paragraph,
    Piece,
    TableRow,
    Wound,
)
from generator.rules import System
from generator.wording import DAGGER, product_line

BLANK = "______"
"""A place to write on."""

_FIGURES = {"B": "Blood", "T": "Trauma"}


@dataclass(frozen=True, slots=True)
class Head:
    """A heading of level 2 or 3; the document's title is the only one of level 1."""

    level: int
    text: str


@dataclass(frozen=True, slots=True)
class Say:
    """A paragraph, begun by a few strong words; `aside` for a line of colour that is no rule."""

    text: str
    strong: str = ""
    aside: bool = False


@dataclass(frozen=True, slots=True)
class Items:
    """A list, numbered where the order matters."""

    items: tuple[str, ...]
    numbered: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """A table with its caption. `head` is empty where the first cell of each row is what the others belong to."""

    caption: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


Node = Head | Say | Items | Table


@dataclass(frozen=True, slots=True)
class Reading:
    """A whole text: its title, the product's line, and what stands in it, in order."""

    title: str
    line: str
    nodes: tuple[Node, ...]


def cards(system: System, product: str, faces: Iterable[Face]) -> Reading:
    """A set of cards, suit by suit, a heading each."""
    chosen = tuple(faces)
    characters: dict[str, str] = {suit.id: suit.character for suit in system.head.suits}
    nodes: list[Node] = []
    group = ""
    for face in chosen:
        name = _group(face, characters)
        if name and name != group:
            group = name
            nodes.append(Head(2, name))
        nodes += _card(face, 3 if group else 2)
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
    heading = ": ".join([part for part in (called[:1].upper() + called[1:], *titles) if part])
    yield Head(level, heading or face.code)
    effects, badges, asides = [], [], []
    for part in face.parts:
        match part:
            case Effect():
                effects.append(f"{part.says} {part.until}.".replace(" .", "."))
            case Badge():
                badges.append(f"{part.caption}: {part.number}" if part.number else part.caption)
            case Flavour():
                asides.append(Say(part.text, aside=True))
            case Index() | Emblem() | Title() | Rule():
                continue
            case _:
                assert_never(part)
    if effects:
        yield Items(tuple(effects))
    if badges:
        line = "; ".join(badges)
        yield Say(f"{line[0].upper()}{line[1:]}.")
    yield from asides


# --- panels ----------------------------------------------------------------------------------------------------------


def _joined(page: Page) -> Iterator[Node]:
    """The pieces of a page, with rows that follow each other as one table, and numbered lines as one list."""
    caption = page.title
    waiting: list[Piece] = []
    for piece in page.pieces:
        if waiting and not _belongs(piece, waiting):
            yield _gathered(waiting, caption)
            waiting = []
        match piece:
            case Heading():
                caption = piece.text
                yield Head(3, piece.text)
            case TableRow() | FieldRow() | Wound():
                waiting.append(piece)
            case Paragraph():
                if piece.label.isdigit():
                    waiting.append(piece)
                else:
                    strong = " ".join(
                        part for part in (piece.label, f"{piece.strong}:" if piece.strong else "") if part
                    )
                    yield Say(piece.text, strong)
            case Bars():
                yield _figures(piece, caption)
            case FieldLine():
                yield Say(piece.value or BLANK, f"{piece.label}:")
            case BoxRow():
                ticked = f"{piece.ticked} of {piece.count} boxes ticked" if piece.ticked else f"{piece.count} boxes"
                yield Say(f"{ticked}.", f"{piece.label}:")
            case BodyFigure():
                yield Say("The printed sheet has the outline of a body here, to mark where it hurts.")
            case _:
                assert_never(piece)
    if waiting:
        yield _gathered(waiting, caption)


def _belongs(piece: Piece, waiting: Sequence[Piece]) -> bool:
    """Whether a piece goes on with the table or the list before it."""
    first = waiting[0]
    match piece:
        case TableRow():
            return isinstance(first, TableRow | FieldRow) and not piece.header
        case FieldRow():
            return isinstance(first, TableRow | FieldRow)
        case Wound():
            return isinstance(first, Wound)
        case Paragraph():
            return isinstance(first, Paragraph) and piece.label == str(len(waiting) + 1)
        case _:
            return False


def _gathered(pieces: Sequence[Piece], caption: str) -> Node:
    if isinstance(pieces[0], Paragraph):
        return Items(tuple(piece.text for piece in pieces if isinstance(piece, Paragraph)), numbered=True)
    if isinstance(pieces[0], Wound):
        return Table(caption, ("Card", "Wound", "Figures", "What it does"), tuple(map(_wound, pieces)))
    head = pieces[0].cells if isinstance(pieces[0], TableRow) and pieces[0].header else ()
    rows = [_row(piece) for piece in pieces[1 if head else 0 :]]
    return Table(caption, head, tuple(rows))


def _row(piece: Piece) -> tuple[str, ...]:
    if isinstance(piece, FieldRow):
        return piece.values
    return piece.cells if isinstance(piece, TableRow) else ()


def _wound(piece: Piece) -> tuple[str, ...]:
    if not isinstance(piece, Wound):
        return ()
    code = f"{piece.rank}{piece.suit}"
    figures = re.sub(r"\b([BT])(?=\d|d\d)", lambda found: f"{_FIGURES[found[1]]} ", piece.figures)
    return (name_of(code) if is_code(code) else code, piece.name, figures, piece.text)


def _figures(piece: Bars, caption: str) -> Table:
    """A chart as the table of its numbers."""
    unit = f"{caption} ({piece.note})" if piece.note else caption
    values = (_percent(value) if piece.percent else f"{value:.2f}" for value in piece.values)
    return Table(
        unit, (piece.across, "per cent" if piece.percent else "value"), tuple(zip(piece.labels, values, strict=True))
    )


def _percent(value: float) -> str:
    """Two decimals, but never 0 for what can happen nor 100 for what can fail."""
    share = value * 100
    if 0 < share < 0.01:
        return "less than 0.01"
    return "more than 99.99" if 99.99 < share < 100 else f"{share:.2f}"
