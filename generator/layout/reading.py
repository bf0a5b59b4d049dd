"""Cards and panels as a text to be read, or to be read aloud: headings, paragraphs, lists and tables.

Made from the same faces and pieces as the PDFs; every text names what of these is drawn for it, so that a PDF can be
tagged with it. Signs are said in words, charts are tables of their numbers, and fields say what they hold.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any, Literal, assert_never

from msgspec import Struct
from msgspec.structs import replace

from generator.base.cards import SUIT_NAMES, is_code, is_joker, name_of
from generator.base.emblem_names import EMBLEMS
from generator.base.sentences import full_stop
from generator.layout import card_elements, panel_elements
from generator.layout.panel_elements import PanelTable as TablePiece
from generator.model.rules import System
from generator.words.wording import DAGGER, RECONSTRUCTED, capitalised, product_line, product_title

BLANK = "______"
"""A place to write on."""

_FIGURES = {"B": "Blood", "T": "Trauma"}


Drawn = tuple[Any, ...]
"""What is drawn for a text: a part of a face or a piece of a panel, and what of it, as `(index, "rank")`."""


class Head(Struct, frozen=True):
    """A heading of level 2 to 4; the document's title is the only one of level 1."""

    level: int
    text: str
    drawn: tuple[Drawn, ...] = ()


class SpokenLine(Struct, frozen=True):
    """A paragraph, begun by a few strong words; `aside` for a line of colour that is no rule.

    A `picture` is drawn, and this says what it shows.
    """

    text: str
    strong: str = ""
    aside: bool = False
    picture: bool = False
    drawn: tuple[Drawn, ...] = ()


class Items(Struct, frozen=True):
    """A list, numbered where the order matters; of each item, what is drawn for it."""

    items: tuple[str, ...]
    numbered: bool = False
    drawn: tuple[Drawn, ...] = ()


class SpokenTable(Struct, frozen=True):
    """A table with its caption. `head` is empty where the first cell of each row is what the others belong to.

    `drawn` are its lines, the head first; a cell is drawn for its line's name with the cell's number from 0. Of a
    `picture`, whose numbers these are, there is one for the whole. With `merge`, equal cells beside each other are one.
    """

    caption: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    merge: bool = False
    picture: bool = False
    drawn: tuple[Drawn, ...] = ()


class SpokenSign(Struct, frozen=True):
    """One of our emblems, by its name, and what it shows in words."""

    name: str
    says: str
    drawn: tuple[Drawn, ...] = ()


Node = Head | SpokenLine | Items | SpokenTable | SpokenSign


class SpokenText(Struct, frozen=True):
    """A whole text: its title, the product's line, and what stands in it, in order."""

    title: str
    line: str
    nodes: tuple[Node, ...]


def cards_reading(system: System, product: str, faces: Iterable[card_elements.Face]) -> SpokenText:
    """Return a set of cards, suit by suit, a heading each; of several copies one."""
    chosen = Counter(faces)
    nodes: list[Node] = []
    for card, copies in zip(cards_told(system, chosen), chosen.values(), strict=True):
        nodes += card
        nodes += [SpokenLine(f"{copies} of this card are in the deck.")] if copies > 1 else []
    return _whole(product_title(system, product), system, nodes)


Length = Literal["whole", "short", "sticker"]
"""How much of a card is told: whole sentences, or their short form on a small card or on a sticker."""


def cards_told(system: System, faces: Iterable[card_elements.Face], length: Length = "whole") -> Iterator[list[Node]]:
    """Return the accessible text of each face, with a heading over the first of each suit."""
    characters: dict[str, str] = {suit.id: suit.character for suit in system.head.suits}
    group = ""
    for face in faces:
        name = _group(face, characters)
        heads: list[Node] = []
        if name and name != group:
            group = name
            heads = [Head(2, name, _drawn(face, "suit", card_elements.Index))]
        yield [*heads, *_card(face, 3 if group else 2, length)]


def panels_reading(system: System, title: str, pages: Iterable[panel_elements.Page]) -> SpokenText:
    """Panels one after the other, a heading each."""
    return _whole(product_title(system, title), system, [node for page in pages for node in panel_nodes(page)])


def panel_nodes(page: panel_elements.Page) -> list[Node]:
    """Return one panel under its title."""
    head: list[Node] = [] if page.goes_on else [Head(2, page.title, ((page,),))]
    says = [SpokenLine(page.says, drawn=((page, "says"),))] if page.says and not page.goes_on else []
    scale = [] if page.scale is None else [node for piece in page.scale.pieces for node in _alone(piece, page.title)]
    heads = list(_alone(page.heads, page.title)) if page.heads else []
    return [*head, *says, *scale, *heads, *_joined(page)]


def _whole(title: str, system: System, nodes: Sequence[Node]) -> SpokenText:
    if any(DAGGER in text for node in nodes for text in texts_of(node)):
        nodes = [*nodes, SpokenLine(f"{DAGGER} {RECONSTRUCTED}.")]
    return SpokenText(title, product_line(system), tuple(nodes))


def texts_of(node: Node) -> Iterator[str]:
    """Yield every text of a node by itself."""
    match node:
        case Head() | SpokenLine():
            yield node.text
        case Items():
            yield from node.items
        case SpokenTable():
            yield from (cell for row in node.rows for cell in row)
        case SpokenSign():
            yield node.says
        case _:
            assert_never(node)


def texts_in(value: Any) -> Iterator[str]:
    """Yield every text in a part of a face or a piece of a panel, but for what fills a field."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple):
        for each in value:
            yield from texts_in(each)
    elif isinstance(value, Struct):
        for name in value.__struct_fields__:
            if not (isinstance(value, panel_elements.FieldCell) and name == "value"):
                yield from texts_in(getattr(value, name))


# --- cards -----------------------------------------------------------------------------------------------------------


def _group(face: card_elements.Face, characters: Mapping[str, str]) -> str:
    """What the cards of a suit stand under."""
    if is_joker(face.code):
        return "Jokers"
    if not is_code(face.code):
        return ""
    suit, character = SUIT_NAMES[face.suit].capitalize(), characters.get(face.suit)
    return f"{suit}: {character}" if character else suit


def _card(face: card_elements.Face, level: int, length: Length) -> Iterator[Node]:
    """Yield one card: its name, its line of colour, what it does, and what has to be counted."""
    titles = [part.text for part in face.parts if isinstance(part, card_elements.Title)]
    called = name_of(face.code) if is_code(face.code) else ""
    heading = ": ".join([part for part in (capitalised(called), *titles) if part])
    indices = _drawn(face, "rank", card_elements.Index)
    ranked = not is_code(face.code) and any(isinstance(part, card_elements.Rule) for part in face.parts)
    yield Head(level, heading or face.code, (*(() if ranked else indices), *_drawn(face, "", card_elements.Title)))
    emblems = (
        (part, card_elements.emblem_shown(part)) for part in face.parts if isinstance(part, card_elements.Emblem)
    )
    yield from (SpokenSign(name, EMBLEMS[name], ((part,),)) for part, name in emblems if name in EMBLEMS)
    index = next((part.rank for part in face.parts if isinstance(part, card_elements.Index)), "")
    badges = card_elements.badges_of(face)
    written: list[tuple[str, card_elements.Part]] = []
    asides: list[Node] = []
    for part in face.parts:
        match part:
            case card_elements.Flavour():
                if length != "sticker":
                    yield SpokenLine(part.text, aside=True, drawn=((part,),))
            case card_elements.Blank():
                written.append((f"{part.label}: {part.value or BLANK}", part))
            case card_elements.CardTrack():
                written.append((", ".join(f"[{step}]" if step == part.reached else step for step in part.steps), part))
            case card_elements.CardArt():
                name = " ".join(PurePosixPath(part.path).stem.replace("-", " ").replace("_", " ").split())
                asides.append(SpokenLine(f"Picture: {name}.", picture=True, drawn=((part,),)))
            case card_elements.Sketch():
                asides.append(SpokenLine(part.says, picture=True, drawn=((part,),)))
            case card_elements.Rule() if not _group(face, {}):
                # Of a playing card the suit says it, and the heading over its suit.
                yield SpokenLine(full_stop(f"{capitalised(part.word)} {index}"), drawn=((part,), *indices))
            case (
                card_elements.Index()
                | card_elements.Badge()
                | card_elements.Emblem()
                | card_elements.Title()
                | card_elements.Rule()
                | card_elements.CardEffect()
                | card_elements.Callout()
                | card_elements.Scale()
                | card_elements.Short()
            ):
                continue
            case _:
                assert_never(part)
    if length == "sticker":
        sticker = card_elements.sticker_form(face)
        yield SpokenLine(sticker, drawn=((face,),))
        badges, written, asides = card_elements.badges_unsaid(badges, sticker), [], []
    elif length == "short" and (short := card_elements.short_form(face)):
        yield Items((short,), drawn=((face,),))
    elif sentences := card_elements.sentences_of(face):
        yield Items(sentences, drawn=tuple(_sentences_drawn(face)))
    if line := "; ".join(filter(None, (card_elements.counted_form(badges), *(text for text, _ in written)))):
        drawn: list[card_elements.Part] = [*badges, *(part for _, part in written)]
        yield SpokenLine(full_stop(capitalised(line)), drawn=tuple((part,) for part in drawn))
    yield from asides


def _drawn(face: card_elements.Face, what: str, kind: type[card_elements.Part]) -> tuple[Drawn, ...]:
    """Draw the parts of a kind as what is drawn, or only what of them is meant."""
    return tuple((part, what) if what else (part,) for part in face.parts if isinstance(part, kind))


def _sentences_drawn(face: card_elements.Face) -> Iterator[Drawn]:
    """What is drawn for each of a face's sentences."""
    for part in face.parts:
        words = isinstance(part, card_elements.Badge) and part.kind == "words"
        if words or isinstance(part, card_elements.CardEffect | card_elements.Callout):
            yield (part,)
        elif isinstance(part, card_elements.Scale):
            yield from ((part, row) for row in range(len(part.rows)))


# --- panels ----------------------------------------------------------------------------------------------------------


def _joined(page: panel_elements.Page) -> Iterator[Node]:
    """Yield the pieces of a page, with cards that follow each other as one table, and numbered lines as one list."""
    caption = page.title
    waiting: list[panel_elements.Piece] = []
    for piece in (piece for block in page.blocks for piece in block.pieces):
        if waiting and not _belongs(piece, waiting):
            yield _gathered(waiting, caption)
            waiting = []
        if isinstance(piece, panel_elements.WoundBox) or (
            isinstance(piece, panel_elements.Paragraph) and piece.label.isdigit()
        ):
            waiting.append(piece)
            continue
        if isinstance(piece, panel_elements.Heading):
            caption = piece.text
        yield from _alone(piece, caption)
    if waiting:
        yield _gathered(waiting, caption)


def _alone(piece: panel_elements.Piece, caption: str) -> Iterator[Node]:
    """A piece that is a node by itself."""
    whole = ((piece,),)
    match piece:
        case panel_elements.Heading():
            yield Head(4 if piece.below else 3, piece.text, whole)
            if piece.source:
                yield SpokenLine(f"Source: {piece.source}", aside=True, drawn=((piece, "source"),))
        case panel_elements.Paragraph():
            named = f"{piece.strong} ({piece.sign}):" if piece.sign else f"{piece.strong}:"
            strong = " ".join(part for part in (piece.label, named if piece.strong else "") if part)
            yield SpokenLine(piece.text, strong, drawn=whole)
        case panel_elements.Note():
            yield SpokenLine(piece.text, drawn=whole)
        case TablePiece():
            head = piece.heads if any(piece.heads) else ()
            yield SpokenTable(caption, head, piece.rows, piece.merge, drawn=_lines_drawn(piece, len(piece.rows)))
        case panel_elements.Framed():
            yield _figures(piece, caption)
            yield from _key(piece)
        case panel_elements.OddsScale():
            odds = _figures(panel_elements.Framed(piece.picture), caption)
            ends = ((label, says or EMBLEMS.get(emblem, "")) for label, says, emblem in piece.ends)
            yield replace(odds, rows=(*odds.rows, *ends), drawn=whole)
        case panel_elements.FieldLines():
            for cell in piece.fields:
                yield SpokenLine(_field(replace(cell, label="")) or BLANK, f"{cell.label}:", drawn=((cell,),))
        case panel_elements.FieldGrid():
            rows = tuple(tuple(map(_field, row)) for row in piece.rows)
            yield SpokenTable(caption, piece.heads, rows, drawn=_lines_drawn(piece, len(rows)))
        case panel_elements.BoxRow():
            ticked = sum(box.ticked for box in piece.boxes)
            says = f"{ticked} of {len(piece.boxes)} boxes ticked" if ticked else f"{len(piece.boxes)} boxes"
            yield SpokenLine(f"{says}.", f"{piece.label}:", drawn=whole)
        case panel_elements.Ladder():
            yield SpokenLine("each step leads to the next.", f"{piece.label}:", drawn=whole)
            yield Items(tuple(map(_box, piece.boxes)), numbered=True, drawn=tuple((box,) for box in piece.boxes))
        case panel_elements.Ticks():
            yield Items(tuple(map(_box, piece.boxes)), drawn=tuple((box,) for box in piece.boxes))
        case panel_elements.BodyFigure():
            says = "The printed sheet has the outline of a body here, to mark where it hurts."
            yield SpokenLine(says, picture=True, drawn=whole)
        case panel_elements.WoundBox():
            yield _gathered([piece], caption)
        case _:
            assert_never(piece)


def _lines_drawn(piece: panel_elements.Piece, rows: int) -> tuple[Drawn, ...]:
    """What is drawn for the head of a table and for each of its rows."""
    return ((piece, "head"), *((piece, row) for row in range(rows)))


def _belongs(piece: panel_elements.Piece, waiting: Sequence[panel_elements.Piece]) -> bool:
    """Return whether a piece goes on with the table or the list before it."""
    if isinstance(piece, panel_elements.WoundBox):
        return isinstance(waiting[0], panel_elements.WoundBox)
    return (
        isinstance(piece, panel_elements.Paragraph)
        and piece.label == str(len(waiting) + 1)
        and isinstance(waiting[0], panel_elements.Paragraph)
    )


def _gathered(pieces: Sequence[panel_elements.Piece], caption: str) -> Node:
    drawn = tuple((piece,) for piece in pieces)
    steps = (piece for piece in pieces if isinstance(piece, panel_elements.Paragraph))
    lines = tuple(f"{piece.strong}: {piece.text}" if piece.strong else piece.text for piece in steps)
    if lines:
        return Items(lines, numbered=True, drawn=drawn)
    wounds = tuple(_wound(piece) for piece in pieces if isinstance(piece, panel_elements.WoundBox))
    return SpokenTable(caption, ("Card", "Wound", "Figures", "What it does"), wounds, drawn=((), *drawn))


def _field(cell: panel_elements.FieldCell) -> str:
    if cell.tick:
        return "ticked" if cell.value else "not ticked"
    return cell.value or cell.label.strip()


def _box(box: panel_elements.Box) -> str:
    return f"{box.text} (ticked)" if box.ticked else box.text


def _wound(piece: panel_elements.WoundBox) -> tuple[str, ...]:
    code = piece.suit if is_joker(piece.suit) else f"{piece.rank}{piece.suit}"
    figures = re.sub(r"\b([BT])(?=\d|d\d)", lambda match: f"{_FIGURES[match[1]]} ", piece.figures)
    return (name_of(code) if is_code(code) else code, piece.name, figures, piece.text)


def _figures(piece: panel_elements.Framed, caption: str) -> SpokenTable:
    """Return a chart as the table of its numbers."""
    head, rows = _numbers(piece.picture)
    title = f"{caption} ({piece.picture.note})" if piece.picture.note else caption
    return SpokenTable(title, head, rows, picture=True, drawn=((piece,),))


def _numbers(picture: panel_elements.Picture) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """Return the head and the rows of the table that says what a chart shows."""
    match picture:
        case panel_elements.Bars():
            pairs = zip(picture.labels, picture.values, strict=True)
            rows = [(label, _number(value, picture.percent)) for label, value in pairs]
            return (picture.across, "per cent" if picture.percent else "value"), tuple(rows)
        case panel_elements.Series():
            columns = [values for _, values in picture.series]
            unit = " (per cent)" if picture.percent else ""
            names = tuple(f"{name}{unit}".strip() or "value" for name, _ in picture.series)
            lines = [
                (label, *(_number(values[at], picture.percent) for values in columns))
                for at, label in enumerate(picture.labels)
            ]
            return (picture.across, *names), tuple(lines)
        case panel_elements.Matrix():
            corner = " by ".join(part for part in (picture.down, picture.across) if part)
            cells = tuple((name, *(cell.text for cell in row)) for name, row in picture.rows)
            return (corner, *picture.columns), cells
        case _:
            assert_never(picture)


def _key(piece: panel_elements.Framed) -> Iterator[Node]:
    """What the letters in a matrix mean."""
    if isinstance(piece.picture, panel_elements.Matrix) and (
        key := [pair for pair in piece.picture.key if pair[0].text]
    ):
        drawn = tuple((cell,) for cell, _ in key)
        yield Items(tuple(f"{cell.text}: {means}" for cell, means in key), drawn=drawn)


def _number(value: panel_elements.Quantity, percent: bool) -> str:
    """Two decimals; of per cent never 0 for what can happen nor 100 for what can fail."""
    if not percent:
        return f"{float(value):.2f}"
    share = float(value) * 100
    if 0 < share < 0.01:
        return "less than 0.01"
    return "more than 99.99" if 99.99 < share < 100 else f"{share:.2f}"
