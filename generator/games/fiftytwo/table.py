"""What happens to the cards on the table: columns, the deal, a field typed in, surprise, drawing (rulings F3-F6)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

from msgspec.structs import replace

from generator.base.cards import FULL_DECK, read_code
from generator.base.errors import HackjackError, UsageError
from generator.games.fiftytwo import cards as field_cards
from generator.games.fiftytwo import log as said
from generator.games.fiftytwo.cards import Columns, Kind, Move, Play
from generator.games.fiftytwo.fight import cost
from generator.games.fiftytwo.log import FieldEntry
from generator.games.fiftytwo.state import MOST_COLUMNS, Roster, State, Turn, depth, in_order, other
from generator.model.combatants import Side
from generator.model.log import Entry
from generator.model.procedures import Field
from generator.model.rules import System
from generator.play.chance import Chance, ChoiceNeed

EMPTY = ("--", "-", ".", "_")
"""How an empty place is typed in a row of the field."""

Done = tuple[State, list[FieldEntry]]


def picture(state: State) -> FieldEntry:
    """The field as it lies, for the log."""
    return Entry(said.Field(state.columns, len(state.reserve), len(state.discard)))


# --- how many columns ------------------------------------------------------------------------------------------------


def columns(
    system: System, state: State, chance: Chance, allies: int | None, surprised: set[Side] | None, quicker: Side | None
) -> Done:
    """How many columns are dealt; the quicker side may choose one more or one less (F3)."""
    rules, roster = system.field, Roster(system, state)
    allies = len(roster.side(state, "allies")) if allies is None else allies
    surprised = roster.surprised() if surprised is None else surprised
    surprise = surprise_columns(rules, surprised)
    quicker = quicker or _quicker(state, roster)
    choice = 0
    log: list[FieldEntry] = []
    if quicker:
        options = (f"the {quicker} add a column", f"the {quicker} take a column away", "the columns stay")
        chosen = chance.choose(ChoiceNeed(options))
        choice = (rules.choice_column, -rules.choice_column, 0)[chosen]
        log.append(Entry(said.Quicker(quicker, choice), "F3"))
    width = _checked_width(rules.columns + allies + surprise + choice)
    parts = (rules.columns, allies, surprise, choice)
    log.append(Entry(said.Columns(*parts, width, padding_of(system, width)), "F3"))
    return replace(state, width=width), log


def surprise_columns(rules: Field, surprised: Collection[Side]) -> int:
    """The columns that surprise takes from allies who were surprised, or gives them (F3)."""
    return rules.surprise_column * (-1 if "allies" in surprised else 1 if "enemies" in surprised else 0)


def _quicker(state: State, roster: Roster) -> Side | None:
    """The side with the higher sum of initiative; where the sums are equal, that of the quickest."""
    sums: dict[Side, tuple[int, int]] = {}
    sides: tuple[Side, Side] = ("allies", "enemies")
    for side in sides:
        slots = [fighter.initiative for fighter in roster.side(state, side) if fighter.initiative is not None]
        sums[side] = (sum(slots), max(slots, default=-1_000_000))
    if all(fighter.initiative is None for fighter in state.fighters):
        return None
    return max(sides, key=lambda side: sums[side])


def _checked_width(width: int) -> int:
    if not 1 <= width <= MOST_COLUMNS:
        raise HackjackError(f"{width} columns cannot be dealt: 1 to {MOST_COLUMNS} can")
    return width


# --- the deal --------------------------------------------------------------------------------------------------------


def padding_of(system: System, width: int) -> int:
    """How many cards of a second deck so many columns need (F4)."""
    return max(width - system.field.one_deck, 0) * system.field.padding


def deal(system: System, state: State, chance: Chance, width: int) -> Done:
    """Shuffle, pad, and deal row by row from the top and from the left (F4, F5)."""
    width = _checked_width(width or state.width or 0) if width or state.width else 0
    if not width:
        raise HackjackError("how many columns? ask for columns first, or write deal N")
    second, padding = list(FULL_DECK), []
    for _ in range(padding_of(system, width)):
        padding.append(chance.card(second))
        second.remove(padding[-1])
    left = [*FULL_DECK, *padding]
    deep = depth(system, state)
    if width * deep > len(left):
        raise HackjackError(f"{width} columns of {deep} need {width * deep} cards, and there are {len(left)}")
    rows = []
    for _ in range(deep):
        row = []
        for _ in range(width):
            row.append(chance.card(left))
            left.remove(row[-1])
        rows.append(row)
    field = tuple(tuple(rows[deep - 1 - height][at] for height in range(deep)) for at in range(width))
    state = replace(
        state, width=width, columns=field, reserve=in_order(left), discard=(), padding=in_order(padding), topped=()
    )
    padded = [Entry(said.Padding(padding, width), "F4")] if padding else []
    return state, [*padded, Entry(said.Deal(width, deep, len(left)), "F5"), picture(state)]


def lay(system: System, state: State, text: str, padding: Sequence[str], discard: Sequence[str]) -> Done:
    """The field as it lies on a real table, typed in by rows from the top: `QS . 3C / 9H 8S 2D` (F5)."""
    rows = [_read_row(row) for row in text.split("/")]
    width = max(map(len, rows), default=0)
    _checked_width(width)
    if short := next((at for at, row in enumerate(rows, 1) if len(row) != width), 0):
        raise HackjackError(f"row {short} has {len(rows[short - 1])} places and another {width}: write . for no card")
    deepest = depth(system, state) + 1
    field: list[tuple[str, ...]] = []
    for at in range(width):
        upright = [row[at] for row in rows][::-1]
        column = tuple(code for code in upright if code)
        if "" in upright[: len(column)]:
            raise HackjackError(f"column {at + 1} has a gap: cards above an empty place fall down")
        if len(column) > deepest:
            raise HackjackError(
                f"column {at + 1} has {len(column)} cards: {deepest} are the most, with one of surprise"
            )
        field.append(column)
    codes, out = [_code(code) for code in padding], [_code(code) for code in discard]
    whole = Counter((*FULL_DECK, *codes))
    placed = Counter(code for column in field for code in column) + Counter(out)
    if over := next((code for code in placed if placed[code] > whole[code]), None):
        hint = "name the cards of a second deck with --at padding=..."
        raise HackjackError(f"{over} lies there {placed[over]} times, and the deck has {whole[over]}: {hint}")
    rest = whole - placed
    state = replace(
        state,
        width=width,
        columns=tuple(field),
        reserve=in_order(rest.elements()),
        discard=tuple(out),
        padding=in_order(codes),
    )
    return state, [picture(state)]


def _read_row(text: str) -> list[str]:
    return ["" if word in EMPTY else _code(word) for word in text.split()]


def _code(word: str) -> str:
    try:
        code = read_code(word)
    except ValueError as error:
        raise UsageError(str(error)) from error
    if code not in FULL_DECK:
        raise UsageError(f"{code} is not played with: the field has no jokers")
    return code


# --- moving cards ----------------------------------------------------------------------------------------------------


def play_of(system: System, state: State, acting: Side, turn: Turn | None = None) -> Play:
    """The numbers that bind a mover of that side, and what the turn has brought so far."""
    rules = system.field
    kinds: tuple[Kind, ...] = ("bottom", "higher", "pair", "add")
    return Play(
        depth=depth(system, state),
        costs={kind: cost(kind, system) for kind in kinds},
        takes=acting == "allies",
        adds=acting == "enemies",
        row_attack=rules.row_attack,
        row_critical=rules.row_critical,
        column_critical=rules.column_critical,
        clearing_pairs=system.setting("clearing_pair") != "pair_only",
        first_counts="column" if system.setting("first_card") == "column" else "turn",
        placed=tuple((int(at) - 1, count) for at, count in turn.placed.items()) if turn else (),
        filled=frozenset(at - 1 for at in turn.filled) if turn else frozenset(),
    )


def words_of(move: Move, columns: Columns) -> str:
    """A move as it is typed; a card that lies there twice by its place."""
    if move.kind == "add":
        count = len(move.places)
        return f"add {move.places[0].column + 1}" + (f" {count}" if count > 1 else "")
    everything = [code for column in columns for code in column]

    def shown(place: field_cards.Place) -> str:
        code = columns[place.column][place.row]
        return code if everything.count(code) == 1 else str(place)

    if move.kind == "pair":
        return f"pair {shown(move.places[0])} {shown(move.places[1])}"
    return f"take {shown(move.places[0])}"


def cards_of(move: Move, columns: Columns) -> tuple[str, ...]:
    """The cards that a move takes; none for one that adds."""
    return () if move.kind == "add" else tuple(columns[at][row] for at, row in move.places)


def taken(state: State, move: Move) -> State:
    """The state after a move took cards: they go to the discards, and the rest falls."""
    out = cards_of(move, state.columns)
    return replace(state, columns=field_cards.without(state.columns, move.places), discard=(*state.discard, *out))


def add_on_top(state: State, at: int, chance: Chance) -> tuple[State, str, list[FieldEntry]]:
    """A card from the pool on top of a column; when the pool is empty, the discards become the pool (F10)."""
    log: list[FieldEntry] = []
    if not state.reserve:
        if not state.discard:
            raise HackjackError("there is no card left to add: the pool and the discards are empty")
        log.append(Entry(said.Reshuffle(len(state.discard)), "F10"))
        state = replace(state, reserve=in_order(state.discard), discard=())
    code = chance.card(state.reserve)
    place = state.reserve.index(code)
    grown = tuple((*column, code) if number == at else column for number, column in enumerate(state.columns))
    reserve = state.reserve[:place] + state.reserve[place + 1 :]
    return replace(state, columns=grown, reserve=reserve), code, log


def ambush(system: System, state: State, chance: Chance, name: str, where: str) -> Done:
    """The card that surprise gives: allies take one from anywhere, enemies add one to a column (F6)."""
    roster = Roster(system, state)
    fighter = state.find(name)
    side = roster[fighter.name].side
    surprised = roster.surprised()
    if not state.columns:
        raise HackjackError("there is no field yet: deal first")
    if other(side) not in surprised or side in surprised:
        why = "were surprised too" if side in surprised else f"did not surprise the {other(side)}"
        raise HackjackError(f"the {side} have no card to move: they {why}")
    if state.round > 1 or state.turn or any(one.acted for one in state.fighters):
        raise HackjackError("the fight has begun: the cards that surprise gives are moved before the first turn")
    if fighter.ambushed:
        raise HackjackError(f"{fighter.name} has used the card that surprise gives")
    if fighter.hp <= 0:
        raise HackjackError(f"{fighter.name} is down and cannot act")
    state = state.with_fighter(replace(fighter, ambushed=True))
    if side == "allies":
        place = field_cards.find(state.columns, where)
        code = state.columns[place.column][place.row]
        columns = field_cards.without(state.columns, [place])
        state = replace(state, columns=columns, discard=(*state.discard, code))
        return state, [Entry(said.AmbushTake(fighter.name, code, place.column + 1), "F6"), picture(state)]
    return _ambush_add(system, state, chance, fighter.name, where)


def _ambush_add(system: System, state: State, chance: Chance, name: str, where: str) -> Done:
    at = column_number(where, state)
    if at + 1 in state.topped or len(state.columns[at]) > depth(system, state):
        raise HackjackError(f"column {at + 1} has had its card: no column gets two")
    state, code, log = add_on_top(state, at, chance)
    state = replace(state, topped=(*state.topped, at + 1))
    return state, [*log, Entry(said.AmbushAdd(name, code, at + 1), "F6"), picture(state)]


def column_number(text: str, state: State) -> int:
    """A column as typed, counted from 1, as a place from 0. Raises UsageError, or HackjackError."""
    if not (text.isascii() and text.isdigit() and len(text) < 4):
        raise UsageError(f'"{text[:20]}" is no column: write its number from the left, from 1')
    if not 1 <= int(text) <= len(state.columns):
        raise HackjackError(f"there is no column {int(text)}: the field has {len(state.columns)}")
    return int(text) - 1


def deepen(system: System, state: State, chance: Chance) -> Done:
    """A card on top of every column, where a shallow field becomes deep (F5)."""
    log: list[FieldEntry] = []
    count = 0
    for at in range(len(state.columns)):
        if len(state.columns[at]) < depth(system, state):
            state, _, more = add_on_top(state, at, chance)
            log += more
            count += 1
    return state, [*log, Entry(said.Deepened(count), "F5"), picture(state)]
