"""Blocks of the content as pieces of a page: worded from the system, filled from a character where one is given."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, assert_never

from msgspec.structs import replace

from generator.base.cards import SUIT_NAMES, is_joker, name_of, printed_code, rank_of, suit_of
from generator.base.emblem_names import is_picture
from generator.base.errors import HackjackError
from generator.base.fields import RULING
from generator.base.sentences import full_stop, stopped_alike
from generator.check.quoted_odds import blank_quote, quoted
from generator.games import game_of
from generator.games.card_products import SIGNS, signs_of
from generator.layout.emblems import emblem_of
from generator.layout.panel_elements import (
    Bars,
    BodyFigure,
    Box,
    BoxRow,
    ChartMaker,
    FieldCell,
    FieldGrid,
    FieldLines,
    Framed,
    Heading,
    Ladder,
    Note,
    OddsScale,
    Page,
    PanelTable,
    Paragraph,
    Piece,
    Ticks,
    Worded,
    WoundBox,
)
from generator.layout.sheet_data import Filling, spots_of_state
from generator.model.blocks import (
    AnyBlock,
    Boxes,
    ChancesBlock,
    Chart,
    ChoicesBlock,
    Conditions,
    EventBlock,
    FieldBlock,
    FieldPart,
    Fields,
    Figure,
    GridBlock,
    GridColumn,
    InjuriesBlock,
    LadderBlock,
    OddsBlock,
    OptionsBlock,
    OrderBlock,
    OrderPart,
    Panel,
    Prose,
    Rulings,
    ScaleBlock,
    Signs,
    StateBlock,
    StepPart,
    StepsBlock,
    Suits,
    TableBlock,
    Taken,
    TicksBlock,
    TotalsBlock,
    Tracks,
    Wounds,
)
from generator.model.procedures import Steps as StepsProcedure
from generator.model.rules import Card, System, walk_effects
from generator.model.taken import taken_block
from generator.play.every_way import spend_work
from generator.products.odds_pictures import picture
from generator.words.effects import card_telegraph, condition_sentences
from generator.words.event_wording import event_sentences, events_in_order, watch_sentences
from generator.words.table_text import table_cells, table_note
from generator.words.wording import (
    DAGGER,
    RECONSTRUCTED,
    capitalised,
    dagger,
    fill_placeholders,
    in_force,
    is_house_rule,
    key_in_words,
    signed_change,
)

BLANK = "blank"
"""Among the charts where nothing is to be counted: whether a page fits is all that is asked."""


LETTERS = 40
"""So many letters of a panel are worded and laid out in the time of one step."""
Charts = Callable[[System], Mapping[str, ChartMaker]]
"""What counts the odds of a system when a chart asks for them."""


def charts_of(system: System) -> Mapping[str, ChartMaker]:
    """Return the charts of the kind of procedure that a system has."""
    return game_of(system).charts()


def page(
    panel: Panel, system: System, charts: Charts = charts_of, filling: Filling | None = None, number: int = 0
) -> Page:
    """A panel, by its number in the file, as the pieces that are laid out."""
    campaign = filling or Filling()
    blocks = []
    for place, block in enumerate(panel.blocks):
        whose, content = taken_block(block, system) if isinstance(block, Taken) else (system, block)
        inside = tuple(_pieces(content, whose, charts(whose), campaign))
        # Words are work: whoever checks a pack pays for all that its panels say.
        spend_work(len(repr(inside)) // LETTERS)
        if isinstance(content, Conditions) and not inside:
            # The index of conditions serves whoever writes rules: without rulings it is left out, and so is its panel.
            continue
        content = replace(content, title=block.title or content.title, source=block.source or content.source)
        pieces = tuple(_titled(content, whose, inside))
        title = fill_placeholders(content.title, whose) if content.title else ""
        wide = block.wide or isinstance(content, ScaleBlock)
        blocks.append(Worded(place, title or f"block {place + 1}", pieces, wide, block.column, block.below))
    return Page(
        number,
        fill_placeholders(panel.title, system),
        panel.columns,
        tuple(blocks),
        panel.emblem or "",
        says=_MARKS.sub("", _said(panel.says, system)) if panel.says else "",
        about=panel.about or "",
        players=panel.players,
    )


def screen_pages(pages: Sequence[Page], *, players: bool) -> list[Page]:
    """Return the panels of a screen, a scale that is first at the upper edge of its panel.

    The players' side is left out unless it is printed or is all there is.
    """
    fronts = [item for item in pages if not item.players]
    return [_scale_on_top(item) for item in (pages if players or not fronts else fronts)]


def _scale_on_top(item: Page) -> Page:
    """Return a page with the scale that is its first block at its upper edge."""
    pieces = tuple(piece for block in item.blocks[:1] for piece in block.pieces if isinstance(piece, OddsScale))
    if not pieces or not item.blocks[1:]:
        return item
    return replace(item, scale=replace(item.blocks[0], pieces=pieces), blocks=item.blocks[1:])


_MARKS = re.compile(r" ?\[[A-Z]{1,2}\d{1,3}\*?\]")


_LARGE_COLUMNS = 2


def enlarged(item: Page) -> Page:
    """Return a page for large print: in two columns at most, without the breaks that were meant for more, and with
    pictures across both, as a half is too narrow for their letters."""
    pictured = (replace(block, wide=block.wide or _is_picture(block)) for block in item.blocks)
    if item.columns <= _LARGE_COLUMNS:
        return replace(item, blocks=tuple(pictured))
    blocks = tuple(replace(block, column=False) for block in pictured)
    return replace(item, columns=_LARGE_COLUMNS, blocks=blocks)


def _is_picture(block: Worded) -> bool:
    return any(isinstance(piece, Framed) for piece in block.pieces)


def _titled(block: AnyBlock, system: System, pieces: Iterable[Piece]) -> Iterator[Piece]:
    """A block under its heading; with rulings, the section of the source beside it, or else below the block."""
    source = (block.source or "") if system.shows_rulings else ""
    if block.title:
        yield Heading(fill_placeholders(block.title, system), source=source, emblem=block.emblem or "")
    yield from pieces
    if source and not block.title:
        yield Note(source)


def _events(block: EventBlock, system: System) -> Iterator[Piece]:
    """The steps of an event, numbered; of several each after its name, and what is watched at the end."""
    names = (block.event,) if isinstance(block.event, str) else block.event
    watched = watch_sentences(system) if block.watches else []
    worded = []
    for name in names:
        happening = system.head.events[name]
        worded.append((capitalised(happening.title or happening.says), event_sentences(name, system)))
    if len(names) == 1:
        worded = [("", [*worded[0][1], *watched])]
    elif watched:
        worded.append(("At any time", watched))
    for called, sentences in worded:
        if len(sentences) == 1:
            yield Paragraph(_said(sentences[0], system), strong=called)
            continue
        if called:
            yield Heading(called, below=True)
        yield from _steps(sentences, system)


def _pieces(block: AnyBlock, system: System, charts: Mapping[str, ChartMaker], filling: Filling) -> Iterable[Piece]:  # noqa: C901 - a case a block
    match block:
        case Prose():
            return [Paragraph(_said(text, system)) for text in block.text]
        case StepsBlock():
            return _steps(block.steps, system)
        case OrderBlock():
            order = events_in_order(block.event, system)
            called = [part for part in block.steps if not set(order).isdisjoint(part.events)]
            called.sort(key=lambda part: min(map(order.index, {*part.events} & {*order})))
            return _steps(called, system)
        case ChoicesBlock():
            rows = ((fill_placeholders(case, system), _said(then, system)) for case, then in block.choices.items())
            return [PanelTable((), tuple(rows), choices=True)]
        case EventBlock():
            return _events(block, system)
        case ScaleBlock():
            return _scale(block, system, blank=BLANK in charts)
        case OddsBlock():
            return [Framed(picture(block, system, blank=BLANK in charts), block.height)]
        case TableBlock():
            return _table(block, system)
        case Wounds():
            return _wounds(block, system)
        case Suits() | Signs():
            return _legend(block, system)
        case Conditions():
            if system.deck and not block.only:
                return _brought(system) if system.shows_rulings else ()
            return _conditions(block, system)
        case Tracks():
            return [
                Paragraph(fill_placeholders(track.means, system), strong=track.name)
                for track in system.head.tracks.values()
            ]
        case Chart():
            return [Framed(charts[block.shows](system), block.height)]
        case ChancesBlock():
            in_words = blank_quote if BLANK in charts else quoted
            return [Paragraph(_said(in_words(chance, system), system)) for chance in block.chances]
        case Rulings():
            return _rulings(block, system)
        case OptionsBlock():
            return _options(system)
        case FieldBlock():
            label = _quoted(block.label, system)
            tip = label or _quoted(block.title, system) or capitalised(key_in_words(block.name))
            return [FieldLines((FieldCell(block.name, tip, _value(block.name, filling), label),), lines=block.lines)]
        case Fields():
            return [_fields(block, system, filling)]
        case Boxes():
            return [_boxes(block, system, filling)]
        case LadderBlock():
            return [_ladder(block, system, filling)]
        case TicksBlock():
            return [_ticks(block, filling)]
        case GridBlock():
            return [_grid(block, filling)]
        case InjuriesBlock():
            return [_injuries(block, system, filling)]
        case TotalsBlock():
            return [_totals(block, system, filling)]
        case StateBlock():
            return _state(block, system, filling)
        case Figure():
            return _figure(block, system, filling)
        case Taken():
            raise HackjackError(f"{block.from_} is a block of another system's panel")
        case _:
            assert_never(block)


def _steps(steps: Sequence[str | StepPart] | Sequence[OrderPart], system: System) -> list[Piece]:
    last, parts = str(len(steps)), (StepPart(says=step) if isinstance(step, str) else step for step in steps)
    return [
        Paragraph(_said(step.says, system), str(number), _quoted(step.title, system), last, emblem=step.emblem or "")
        for number, step in enumerate(parts, 1)
    ]


def _quoted(text: str | None, system: System) -> str:
    return fill_placeholders(text, system) if text else ""


def _scale(block: ScaleBlock, system: System, *, blank: bool) -> Iterator[Piece]:
    bars = picture(block, system, blank=blank)
    # A blank one has no cells where `check` says what is wrong with its axis.
    if isinstance(bars, Bars) and bars.labels:
        ends = tuple((_quoted(end.label, system), _quoted(end.says, system), end.emblem or "") for end in block.ends)
        yield OddsScale(bars, ends)


def _said(text: str, system: System) -> str:
    """An author's sentence with its numbers; rulings that are shown are marked, house rules with a star: `[H7*]`."""
    if not system.shows_rulings:
        return _MARKS.sub("", fill_placeholders(text, system))
    changed = {ruling.id for ruling in system.head.rulings if is_house_rule(ruling, system)}
    marked = RULING.sub(
        lambda mark: f"[{mark[1]}*]" if mark[1] in changed else mark[0], fill_placeholders(text, system)
    )
    # What is quoted ends with its own full stop, and the mark belongs before that.
    return _STOPPED.sub(r" \2\1", marked)


_STOPPED = re.compile(r"([.!?]) ?(\[[A-Z]{1,2}\d{1,3}\*?\])(?=\s|$)")
"""A ruling's mark behind the end of a sentence."""


_FIRST = 0.1
"""The share of the first column of an even table: it holds the numbers of the rows."""


def _table(block: TableBlock, system: System) -> Iterator[Piece]:
    table = system.table(block.table)
    if table is None:
        return
    if block.columns:
        table = replace(table, columns={name: table.columns[name] for name in block.columns})
    heads, rows = sparse_merged(*table_cells(table, system)) if not block.merge else table_cells(table, system)
    shares = (_FIRST, *[(1 - _FIRST) / (len(heads) - 1)] * (len(heads) - 1)) if block.even and heads[1:] else ()
    yield PanelTable(heads, tuple(rows), shares, merge=block.merge)
    if note := table_note(table, system):
        yield Note(note)
    if any(DAGGER in cell for row in rows for cell in row):
        yield Note(f"{DAGGER} {RECONSTRUCTED}")


_SPARSE = 0.4
"""A last column of which no more cells are filled is said in the one before it."""


def sparse_merged(heads: tuple[str, ...], rows: list[tuple[str, ...]]) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Return a table whose last column, if few rows fill it, stands as a sentence in the column before it."""
    if len(heads) < 3 or sum(bool(row[-1]) for row in rows) > _SPARSE * len(rows):
        return heads, rows
    lead = "" if heads[-1] in ("Note", "Effect") else f"{heads[-1]}: "

    def joined(row: tuple[str, ...]) -> str:
        added = f"{lead}{row[-1]}" if row[-1] else ""
        return f"{full_stop(row[-2])} {capitalised(added)}" if added and row[-2] else row[-2] or added

    return heads[:-1], [(*row[:-2], last) for row, last in zip(rows, stopped_alike([*map(joined, rows)]), strict=True)]


def _wounds(block: Wounds, system: System) -> Iterator[Piece]:
    titles = {suit.id: f"{suit.name}: {suit.character}" for suit in system.head.suits}
    pieces: list[Heading | WoundBox] = []
    for first, suit in enumerate(block.suits):
        cards = [card for card in _in_order(system) if suit_of(card.code) == suit]
        if block.ace == "high":
            cards.sort(key=lambda card: rank_of(card.code) == "A")
        pieces.append(Heading(titles.get(suit, SUIT_NAMES[suit].capitalize()), column=first > 0))
        pieces += _wound_rows(cards, system)
    if jokers := [card for card in _in_order(system) if is_joker(card.code)] if block.jokers else []:
        pieces += [Heading("Jokers"), *_wound_rows(jokers, system)]
    yield from pieces
    if any(isinstance(piece, WoundBox) and DAGGER in piece.name + piece.text for piece in pieces):
        yield Note(f"{DAGGER} {RECONSTRUCTED}")


def _wound_rows(cards: Iterable[Card], system: System) -> Iterator[WoundBox]:
    """Yield a row for each card; instead of a rank a joker has its colour, under the heading of jokers."""
    doubt = dagger(system, reconstructed=bool(system.deck and system.deck.reconstructed))
    for place, card in enumerate(cards):
        figures = [f"B{card.blood.spoken}"] if card.blood else []
        figures += [f"T{card.trauma}"] if card.trauma else []
        joker = name_of(card.code).split()[0].capitalize() if is_joker(card.code) else ""
        rank, suit = (joker, card.code) if joker else (rank_of(card.code), suit_of(card.code))
        text = card_telegraph(card, system)
        emblem = emblem_of(card.emblem, (*card.effects, *card.for_good), system)
        emblem = "" if is_picture(emblem) else emblem
        yield WoundBox(rank, suit, card.name + doubt, " ".join(figures), text, place % 2 == 0, emblem)


def _in_order(system: System) -> tuple[Card, ...]:
    return system.deck.in_order if system.deck else ()


def _conditions(block: Conditions, system: System) -> Iterator[Piece]:
    """Those conditions, or all that have a name, with all that comes with them."""
    conditions = system.head.conditions
    named = sorted(
        (name for name in conditions if conditions[name].name),
        key=lambda name: (conditions[name].name or "").casefold(),
    )
    for name in block.only or named:
        text = " ".join(map(str, condition_sentences(conditions[name], system)))
        yield Paragraph(text, strong=conditions[name].name or conditions[name].brief or "")


def _legend(block: Suits | Signs, system: System) -> Iterator[Piece]:
    """The suits alone in words, or all signs of the cards."""
    if isinstance(block, Suits):
        yield from (Paragraph(suit.means, sign=suit.id) for suit in system.head.suits)
        return
    for sign in signs_of(system):
        yield Paragraph(sign.says, strong=sign.name, sign=SIGNS.get(sign.kind, sign.kind))


def _brought(system: System) -> Iterator[Piece]:
    """Each condition that a card brings, with the cards."""
    brought: dict[str, list[str]] = {}
    for card in _in_order(system):
        for _, effect in walk_effects(card.effects):
            name = getattr(effect, "condition", None)
            if name and card.code not in brought.setdefault(name, []):
                brought[name].append(card.code)
    rows = tuple(
        (system.head.conditions[name].says, ", ".join(map(printed_code, codes))) for name, codes in brought.items()
    )
    yield PanelTable(("Condition", "Cards"), rows)


def _rulings(block: Rulings, system: System) -> Iterator[Piece]:
    chosen = [ruling for ruling in system.head.rulings if not block.only or ruling.id in block.only]
    widest = max((ruling.id for ruling in chosen), key=len, default="")
    for ruling in chosen:
        yield Paragraph(in_force(ruling, system), ruling.id, fill_placeholders(ruling.point, system), widest)


def _options(system: System) -> Iterator[Piece]:
    rows = []
    for ruling in system.head.rulings:
        if ruling.switch:
            name = f"{ruling.id} {fill_placeholders(ruling.point, system)}" + (
                " *" if is_house_rule(ruling, system) else ""
            )
            rows.append((name, fill_placeholders(system.readings[ruling.id], system)))
    yield PanelTable(("Ruling", "Reading"), tuple(rows))
    if system.house_rules:
        yield Note("* a house rule: not the default")


# --- sheets ----------------------------------------------------------------------------------------------------------

_DIGITS = 6
"""The room for a sum, in letters."""
_MAX_BOXES, _USUAL_BOXES, _MAX_TOTALS = 30, 10, 20
"""So high a number is printed as boxes, and so many statistics are added up, where the author says nothing."""
_HELD = tuple(
    GridColumn(head=head, id=name, share=share)
    for head, name, share in (
        ("Condition", "name", 4),
        ("Where", "place", 3),
        ("From", "from", 3),
        ("What it does", "does", 7),
        ("Until", "until", 4),
    )
)
"""The columns of a list of conditions: `from` is the table or the card that brought it."""
_WOUND_HEADS = ("Card", "Score", "What it does", "Until", "For good")
_WOUND_PARTS = ("card", "score", "effect", "until", "stays")
_WOUND_SHARES = (0.10, 0.10, 0.46, 0.25, 0.09)


def _value(name: str, filling: Filling) -> str:
    return filling.name if name == "name" else _plain(filling.state.get(name))


def _fields(block: Fields, system: System, filling: Filling) -> FieldLines:
    cells = [
        FieldCell(
            part.name,
            fill_placeholders(part.label, system),
            _value(part.name, filling),
            fill_placeholders(part.label, system),
            part.tick,
        )
        for part in block.fields
    ]
    shares = [part.share for part in block.fields]
    return FieldLines(tuple(cells), tuple(share / sum(shares) for share in shares))


def _boxes(block: Boxes, system: System, filling: Filling) -> BoxRow:
    ticked = filling.state.get(block.track, 0)
    own = filling.state.get(block.upto, 0) if block.upto else 0
    # More than there is room for usually is shown all the same.
    track = system.head.tracks.get(block.track)
    most = system.most_of(block.track) if track else None
    count = max(own or most or block.count or _end_of(block.track, system) or _USUAL_BOXES, ticked)
    name = track.name if track else block.label
    boxes = [
        Box(f"{block.track}_{number}", f"{name} {number}", str(number), number <= ticked)
        for number in range(1, count + 1)
    ]
    table = system.table(block.under) if block.under else None
    rows = table_cells(table, system)[1] if table else ()
    under = tuple(next(iter(row[1:]), "") for row in rows[:count])
    return BoxRow(fill_placeholders(block.label, system), tuple(boxes), block.sign or "", under)


def _end_of(name: str, system: System) -> int | None:
    """Return the most that a number of the procedure can be, where that is a figure."""
    own = system.kept_numbers.get(name) if isinstance(system.head.procedure, StepsProcedure) else None
    end = system.numbers.get(str(own.most), str(own.most)) if own else ""
    return int(end) if end.isdigit() else None


def _ladder(block: LadderBlock, system: System, filling: Filling) -> Ladder:
    """One of the words ticks that step, a number the first so many."""
    value = filling.state.get(block.name)
    reached = value if isinstance(value, int) else 0
    boxes = [
        Box(f"{block.name}_{number}", f"{block.label}: {step}", step, number <= reached or step == value)
        for number, step in enumerate(block.steps, 1)
    ]
    return Ladder(fill_placeholders(block.label, system), tuple(boxes))


def _ticks(block: TicksBlock, filling: Filling) -> Ticks:
    ticked = filling.state.get(block.name) or ()
    boxes = [
        Box(f"{block.name}_{number}", label, label, label in ticked) for number, label in enumerate(block.labels, 1)
    ]
    return Ticks(tuple(boxes), block.columns)


def _grid(block: GridBlock, filling: Filling) -> FieldGrid:
    """So many rows, or one for each label, and as many more as the state has."""
    lines = list(filling.state.get(block.name) or ())
    count = filling.rows(block.rows, len(lines)) if block.rows else max(len(block.labels), len(lines))
    rows = []
    for index in range(count):
        label = block.labels[index] if index < len(block.labels) else ""
        values = lines[index] if index < len(lines) else {}
        cells = [FieldCell(label=label)] if block.labels else []
        cells += [
            FieldCell(
                f"{block.name}_{index + 1}_{column.id}",
                f"{column.head}, {label or f'line {index + 1}'}",
                _plain(values.get(column.id)),
                tick=column.tick,
            )
            for column in block.columns
        ]
        rows.append(tuple(cells))
    heads = [column.head for column in block.columns]
    shares = [column.share for column in block.columns]
    if block.labels:
        heads, shares = [block.labels_head or "", *heads], [block.labels_share, *shares]
    return FieldGrid(tuple(heads), tuple(rows), tuple(share / sum(shares) for share in shares))


def _figure(block: Figure, system: System, filling: Filling) -> Iterator[Piece]:
    """A body, crossed where the character is hurt, with the faces of a table's column die where they hit, and what they
    mean below it."""
    hurt = spots_of_state(filling.state, system)
    table = system.table(block.table) if block.table else None
    if table is None or table.column_roll is None:
        yield BodyFigure(block.height, hurt=hurt)
        return
    faces = {name: str(column.at) for name, column in table.columns.items() if column.at}
    yield BodyFigure(block.height, tuple(faces.items()), hurt)
    means = ", ".join(f"{face} {table.columns[name].title.lower()}" for name, face in faces.items())
    yield Note(f"{table.column_roll.spoken}: {means}")


def _plain(value: Any) -> str:
    """What stands in a field; nothing for what is not there or not so."""
    return "" if value is None or value is False else str(value)


def _injuries(block: InjuriesBlock, system: System, filling: Filling) -> FieldGrid:
    """A row for each wound, with the score of its card in the first; then cards that count without one, and tokens."""
    state, words = filling.state, game_of(system).wounds
    rows = [[*wound, key] for key in ("wounds", "permanent") for wound in words(state.get(key, ()))]
    values = [[card, "", effect, until, "x" if key == "permanent" else ""] for card, effect, until, key in rows]
    tokens = [{"card": "tokens", "score": state["tokens"]}] if state.get("tokens") else []
    for entry in (*state.get("pile", ()), *tokens):
        row = next((each for each in values if each[0] == entry["card"] and not each[1]), None)
        if row is None:
            values.append(row := [entry["card"], "", "", "", ""])
        row[1] = str(entry["score"])
    for row in values:
        row[0] = printed_code(row[0])
    values += [[""] * len(_WOUND_HEADS)] * (filling.rows(block.rows, len(values)) - len(values))
    cells = (
        tuple(
            FieldCell(f"wounds_{number}_{part}", f"{head}, line {number}", value, tick=part == "stays")
            for part, head, value in zip(_WOUND_PARTS, _WOUND_HEADS, row, strict=True)
        )
        for number, row in enumerate(values, 1)
    )
    return FieldGrid(_WOUND_HEADS, tuple(cells), _WOUND_SHARES)


def _totals(block: TotalsBlock, system: System, filling: Filling) -> FieldLines:
    """Return a field for each statistic, filled with the sum of what all that is in force adds to it."""
    sums = filling.state.get("sums") or {}
    cells = []
    for name in block.statistics:
        statistic = system.head.statistics[name]
        label = capitalised(statistic.brief or statistic.name)
        cells.append(FieldCell(f"sum_{name}", label, signed_change(sums[name]) if sums.get(name) else "", label))
    widths = [len(cell.label) + _DIGITS for cell in cells]
    return FieldLines(tuple(cells), tuple(width / sum(widths) for width in widths), boxed=True)


def _state(block: StateBlock, system: System, filling: Filling) -> Iterator[Piece]:
    """Numbers with an end as boxes, all else that is kept as fields; then the sums, and a row for each condition."""
    steps = system.head.procedure if isinstance(system.head.procedure, StepsProcedure) else None
    fields = [FieldPart(label="Name", name="name", share=20)]
    boxes: list[Boxes] = []
    numbers = {name: (own.name, own.flag) for name, own in system.kept_numbers.items()} if steps else {}
    kept = {name: (track.name, False) for name, track in system.head.tracks.items()} | numbers
    for name, (called, flag) in kept.items():
        maximum = system.most_of(name) if name in system.head.tracks else None
        end = maximum or _end_of(name, system) or 0
        if 1 < end <= _MAX_BOXES:
            boxes.append(Boxes(label=capitalised(called), track=name, count=end))
        else:
            fields.append(FieldPart(label=capitalised(called), name=name, share=4 + len(called) // 2, tick=flag))
    lists = {"conditions": "Conditions"}
    if steps:
        fields += [FieldPart(label=capitalised(word.name), name=name, share=8) for name, word in steps.words.items()]
    if steps and steps.state:
        keys = [key for key in steps.state if key.of and key.form != "span"]
        fields += [
            FieldPart(label=capitalised(key_in_words(key.key)), name=key.key, share=8, tick=key.form == "flag")
            for key in keys
            if key.form != "list"
        ]
        lists = {key.key: capitalised(key_in_words(key.key)) for key in keys if key.form == "list"}
    yield _fields(Fields(fields=tuple(fields)), system, filling)
    yield from (_boxes(each, system, filling) for each in boxes)
    if statistics := tuple(system.head.statistics)[:_MAX_TOTALS]:
        yield Heading("Sums now")
        yield _totals(TotalsBlock(statistics=statistics), system, filling)
    for name, title in lists.items() if steps else ():
        yield Heading(title)
        yield _grid(GridBlock(name=name, columns=_HELD, rows=max(3, block.rows // len(lists))), filling)
