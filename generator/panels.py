"""Blocks of the content as pieces of a page: worded from the system, filled from a character where one is given."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import assert_never

from generator.blocks import (
    AnyBlock,
    Boxes,
    Chart,
    Conditions,
    Field,
    Figure,
    Injuries,
    Options,
    Panel,
    Pile,
    Prose,
    Rulings,
    Steps,
    Suits,
    TableBlock,
    Tracks,
    Wounds,
)
from generator.cards import rank_of, suit_of
from generator.charts import ChartMaker
from generator.filling import Filling
from generator.pieces import (
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
from generator.rules import Card, System, walk
from generator.telegraph import card_telegraph
from generator.telling.harm import wound_cells
from generator.wording import DAGGER, filled, table_cells


def page(panel: Panel, system: System, charts: Mapping[str, ChartMaker], filling: Filling | None = None) -> Page:
    """A panel as the pieces that are laid out. `charts` counts the odds when one is asked for."""
    known = filling or Filling()
    pieces: list[Piece] = []
    blocks: list[str] = []
    for place, block in enumerate(panel.blocks):
        made = [Heading(filled(block.title, system))] if block.title else []
        worded = [*made, *_pieces(block, system, charts, known)]
        pieces += worded
        blocks += [block.title or f"block {place + 1}"] * len(worded)
    return Page(panel.title, panel.columns, tuple(pieces), tuple(blocks))


def _pieces(block: AnyBlock, system: System, charts: Mapping[str, ChartMaker], filling: Filling) -> Iterable[Piece]:
    match block:
        case Prose():
            return [Paragraph(filled(text, system)) for text in block.text]
        case Steps():
            return [Paragraph(filled(text, system), label=f"{at}") for at, text in enumerate(block.steps, 1)]
        case TableBlock():
            return _table(block, system)
        case Wounds():
            return _wounds(block, system)
        case Suits():
            return [Paragraph(suit.means) for suit in system.head.suits]
        case Conditions():
            return _conditions(system)
        case Tracks():
            return [Paragraph(filled(track.means, system), strong=track.name) for track in system.head.tracks.values()]
        case Chart():
            return [charts[block.shows](system)]
        case Rulings():
            return _rulings(block, system)
        case Options():
            return _options(system)
        case Field():
            return [FieldLine(block.label, block.name, _value(block.name, filling), block.lines)]
        case Boxes():
            count = system.head.tracks[block.track].most or block.count
            ticked = filling.state.get(block.track, 0)
            return [BoxRow(filled(block.label, system), block.track, count, min(ticked, count))]
        case Injuries():
            return _injuries(block, system, filling)
        case Pile():
            return _pile(block, filling)
        case Figure():
            return [BodyFigure(block.height)]
        case _:
            assert_never(block)


def _table(block: TableBlock, system: System) -> Iterator[Piece]:
    table = system.table(block.table)
    if table is None:
        return
    heads, rows = table_cells(table, system)
    shares = _shares([heads, *rows])
    yield TableRow(heads, shares, header=True)
    for place, row in enumerate(rows):
        yield TableRow(row, shares, band=place % 2 == 0)
    if table.note:
        yield Paragraph(filled(table.note, system))
    if any(row.reconstructed for row in table.rows):
        yield Paragraph(f"{DAGGER} reconstructed: no source gives it")


def _shares(rows: list[tuple[str, ...]]) -> tuple[float, ...]:
    """Each column's share of the width: by its longest cell, within bounds, so that short columns stay readable."""
    longest = [min(max(len(cell) for cell in column), 40) + 3 for column in zip(*rows, strict=True)]
    return tuple(length / sum(longest) for length in longest)


def _wounds(block: Wounds, system: System) -> Iterator[Piece]:
    suits = {suit.id: suit for suit in system.head.suits}
    for first, suit in enumerate(block.suits):
        yield Heading(f"{suits[suit].name}: {suits[suit].character}", column=first > 0)
        for place, card in enumerate(card for card in _in_order(system) if suit_of(card.code) == suit):
            figures = [f"B{card.blood.spoken}"] if card.blood else []
            figures += [f"T{card.trauma}"] if card.trauma else []
            text = card_telegraph(card, system)
            yield Wound(rank_of(card.code), suit, card.name, " ".join(figures), text, band=place % 2 == 0)


def _in_order(system: System) -> tuple[Card, ...]:
    return system.deck.in_order if system.deck else ()


def _conditions(system: System) -> Iterator[Piece]:
    """Each condition that a card brings, with the cards."""
    shares = (0.62, 0.38)
    brought: dict[str, list[str]] = {}
    for card in _in_order(system):
        for _, effect in walk(card.effects):
            name = getattr(effect, "condition", None)
            if name and card.code not in brought.setdefault(name, []):
                brought[name].append(card.code)
    yield TableRow(("Condition", "Cards"), shares, header=True)
    for place, (name, codes) in enumerate(brought.items()):
        says = system.head.conditions[name].says
        yield TableRow((says, ", ".join(codes)), shares, band=place % 2 == 0)


def _rulings(block: Rulings, system: System) -> Iterator[Piece]:
    for ruling in system.head.rulings:
        if block.only and ruling.id not in block.only:
            continue
        text = filled(ruling.ours, system)
        if ruling.switch:
            option = system.setting(ruling.switch.name) or ruling.switch.default
            changed = "" if option == ruling.switch.default else " (house rule)"
            text += f" In force{changed}: {filled(ruling.switch.options[option], system)}"
        yield Paragraph(text, label=ruling.id, strong=ruling.point)


def _options(system: System) -> Iterator[Piece]:
    shares = (0.36, 0.64)
    place = 0
    for ruling in system.head.rulings:
        if ruling.switch:
            option = system.setting(ruling.switch.name) or ruling.switch.default
            changed = option != ruling.switch.default
            name = f"{ruling.id} {ruling.point}" + (" *" if changed else "")
            yield TableRow((name, filled(ruling.switch.options[option], system)), shares, band=place % 2 == 0)
            place += 1
    if system.house_rules:
        yield Paragraph("* a house rule: not the default")


# --- sheets ----------------------------------------------------------------------------------------------------------

_WOUND_SHARES = (0.14, 0.52, 0.34)


def _value(name: str, filling: Filling) -> str:
    if name == "name":
        return filling.name
    value = filling.state.get(name)
    return "" if value is None or value is False else str(value)


def _injuries(block: Injuries, system: System, filling: Filling) -> Iterator[Piece]:
    key = "permanent" if block.permanent else "wounds"
    heads = ("Card", "Wound", "For good: since when" if block.permanent else "Until when")
    yield TableRow(heads, _WOUND_SHARES, header=True)
    wounds = list(filling.state.get(key, ()))
    for row in range(max(block.rows, len(wounds))):
        values = ("", "", "")
        if row < len(wounds):
            values = wound_cells(wounds[row], system)
        names = tuple(f"{key}_{row + 1}_{part}" for part in ("card", "effect", "until"))
        yield FieldRow(names, tuple(f"{head}, line {row + 1}" for head in heads), values, _WOUND_SHARES)


def _pile(block: Pile, filling: Filling) -> Iterator[Piece]:
    heads, shares = ("Card", "Score", "Card", "Score"), (0.32, 0.18, 0.32, 0.18)
    yield TableRow(heads, shares, header=True)
    pile = [(held["card"], str(held["score"])) for held in filling.state.get("pile", ())]
    if filling.state.get("tokens"):
        pile.append(("tokens", str(filling.state["tokens"])))
    rows = max(block.rows, -(-len(pile) // 2))
    cells = [*pile, *([("", "")] * (2 * rows - len(pile)))]
    for row in range(rows):
        left, right = cells[row], cells[row + rows]
        names = tuple(f"pile_{at}_{part}" for at in (row + 1, row + 1 + rows) for part in ("card", "score"))
        tips = tuple(f"{part} {at}" for at in (row + 1, row + 1 + rows) for part in ("Card", "Score"))
        yield FieldRow(names, tips, (*left, *right), shares)
