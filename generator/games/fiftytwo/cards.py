"""The field of cards: what can be taken from it and added to it, and what each move opens (rulings F8-F11).

A column is a tuple of codes from the bottom card up, so that a card's place in it is its row and taking cards out lets
the rest fall. Nothing here knows who moves or what it costs them beyond the numbers in `Play`.
"""

from collections.abc import Collection, Iterator, Mapping
from typing import Literal, NamedTuple

from generator.base.cards import find_code, name_of, rank_of, suit_of
from generator.base.errors import HackjackError

Column = tuple[str, ...]
Columns = tuple[Column, ...]
Kind = Literal["bottom", "higher", "pair", "add"]


class FieldPlace(NamedTuple):
    """A card's place, both counted from 0: its column from the left, its row from the bottom."""

    column: int
    row: int

    def __str__(self) -> str:
        return f"{self.column + 1}.{self.row + 1}"


class Play(NamedTuple):
    """What a mover may do and what it costs: the numbers of the rules, and what the turn has brought so far."""

    depth: int
    costs: Mapping[Kind, int]
    takes: bool
    adds: bool
    row_attack: int
    row_critical: int
    column_critical: int
    clearing_pairs: bool
    """Whether a pair that empties a column opens the column's critical attack too (F18)."""
    first_counts: Literal["turn", "column"]
    """Which first card opens no attack: that of the turn, or that of each column (F19)."""
    placed: tuple[tuple[int, int], ...] = ()
    """How many cards this turn has added, by column."""
    filled: frozenset[int] = frozenset()
    """The columns whose critical attack this turn has had."""


class FieldMove(NamedTuple):
    """A move on the field: the cards that leave (or the places that are filled), its price, and what it opens."""

    kind: Kind
    places: tuple[FieldPlace, ...]
    cost: int
    normals: int
    criticals: int


def run_up(column: Column) -> int:
    """Count the cards from the bottom that have the bottom card's suit, up to the first other suit (F8)."""
    suit = suit_of(column[0])
    return next((height for height, code in enumerate(column) if suit_of(code) != suit), len(column))


def run_across(columns: Columns, place: FieldPlace) -> tuple[FieldPlace, ...]:
    """Return the cards of one suit that lie next to each other in the row, the one at `place` among them (F9)."""
    suit, row = suit_of(columns[place.column][place.row]), place.row

    def same(column: int) -> bool:
        return row < len(columns[column]) and suit_of(columns[column][row]) == suit

    first = last = place.column
    while first > 0 and same(first - 1):
        first -= 1
    while last + 1 < len(columns) and same(last + 1):
        last += 1
    return tuple(FieldPlace(column, row) for column in range(first, last + 1))


def touching_pairs(columns: Columns) -> Iterator[tuple[FieldPlace, FieldPlace]]:
    """Yield every two cards of one rank that touch, one above the other or side by side (F11)."""
    ranks = [[rank_of(code) for code in column] for column in columns]
    for at, column in enumerate(ranks):
        for row in range(len(column) - 1):
            if column[row] == column[row + 1]:
                yield FieldPlace(at, row), FieldPlace(at, row + 1)
        if at + 1 < len(ranks):
            for row, (left, right) in enumerate(zip(column, ranks[at + 1], strict=False)):
                if left == right:
                    yield FieldPlace(at, row), FieldPlace(at + 1, row)


def without_cards(columns: Columns, places: Collection[FieldPlace]) -> Columns:
    """Return the field after cards have left it: those above them fall."""
    gone = set(places)
    touched = {place.column for place in gone}
    return tuple(
        tuple(code for row, code in enumerate(column) if (at, row) not in gone) if at in touched else column
        for at, column in enumerate(columns)
    )


def find_card(columns: Columns, written: str) -> FieldPlace:
    """Return the place of a card by its code, or by `COLUMN.ROW` from 1, rows from the bottom. Raises HackjackError."""
    left, dot, right = written.partition(".")
    if dot and written.isascii() and left.isdigit() and right.isdigit() and len(written) < 8:
        place = FieldPlace(int(left) - 1, int(right) - 1)
        if not (0 <= place.column < len(columns) and 0 <= place.row < len(columns[place.column])):
            raise HackjackError(f"there is no card at {written}: write COLUMN.ROW, the bottom row is 1")
        return place
    code = find_code(written) or written.upper()
    places = [
        FieldPlace(at, row) for at, column in enumerate(columns) for row, card in enumerate(column) if card == code
    ]
    if not places:
        raise HackjackError(f'"{written[:20]}" is not on the field: name a card such as 6S, or its place, 3.1')
    if len(places) > 1:
        listed = " and ".join(map(str, places))
        raise HackjackError(f"the {name_of(code)} is on the field more than once, at {listed}: name the place")
    return places[0]


def all_moves(columns: Columns, play: Play, *, room: int = 1000) -> list[FieldMove]:
    """Return every move, the best first: by critical attacks, attacks and price.

    `room` is how many cards there are to add. Moves that take the same cards away are one move. The work grows with
    the number of cards, not with its square.
    """
    moves = [_pair(pair, columns, play) for pair in touching_pairs(columns)]
    if play.takes:
        moves += [_bottom(at, columns, play) for at, column in enumerate(columns) if column]
        moves += [_higher(run, play) for run in _runs_above(columns)]
    if play.adds:
        for at, column in enumerate(columns):
            moves += [_add(at, count, columns, play) for count in range(1, min(play.depth - len(column), room) + 1)]
    moves.sort(key=lambda move: (-move.criticals, -move.normals, move.cost, move.kind, move.places))
    return moves


def _runs_above(columns: Columns) -> Iterator[tuple[FieldPlace, ...]]:
    """Yield the cards of one suit side by side in every row but the bottom one, each run once."""
    for row in range(1, max(map(len, columns), default=0)):
        run: list[FieldPlace] = []
        suit = ""
        for at, column in enumerate(columns):
            here = column[row][-1] if row < len(column) else ""
            if run and here != suit:
                yield tuple(run)
                run = []
            if here:
                run.append(FieldPlace(at, row))
            suit = here
        if run:
            yield tuple(run)


def _pair(pair: tuple[FieldPlace, FieldPlace], columns: Columns, play: Play) -> FieldMove:
    one, other = pair
    changed = {
        at: [code for row, code in enumerate(columns[at]) if (at, row) not in pair] for at in {one.column, other.column}
    }
    cleared = sum(not column for column in changed.values()) if play.takes and play.clearing_pairs else 0
    return FieldMove("pair", pair, play.costs["pair"], 0, 1 + cleared)


def _bottom(at: int, columns: Columns, play: Play) -> FieldMove:
    height = run_up(columns[at])
    rest = columns[at][height:]
    places = tuple(FieldPlace(at, row) for row in range(height))
    return FieldMove("bottom", places, play.costs["bottom"], int(bool(rest)), int(not rest))


def _higher(run: tuple[FieldPlace, ...], play: Play) -> FieldMove:
    attacks = len(run) // play.row_attack
    # The critical attack takes the place of one of the attacks: the source lifts that attack up.
    criticals = int(len(run) >= play.row_critical)
    normals = max(attacks - criticals, 0)
    return FieldMove("higher", run, play.costs["higher"], normals, criticals)


def _add(at: int, count: int, columns: Columns, play: Play) -> FieldMove:
    height, before = len(columns[at]), dict(play.placed)
    earlier = sum(before.values()) if play.first_counts == "turn" else before.get(at, 0)
    normals = count if earlier else count - 1
    full = height + count >= play.depth or before.get(at, 0) + count >= play.column_critical
    critical = int(full and at not in play.filled)
    places = tuple(FieldPlace(at, height + step) for step in range(count))
    return FieldMove("add", places, play.costs["add"] * count, normals, critical)


def take_move(columns: Columns, place: FieldPlace, play: Play) -> FieldMove:
    """Return the move that takes the card at a place: the bottom card, or one higher up."""
    if place.row == 0:
        return _bottom(place.column, columns, play)
    return _higher(run_across(columns, place), play)


def pair_move(columns: Columns, one: FieldPlace, other: FieldPlace, play: Play) -> FieldMove:
    """Return the move that takes two cards of one rank that touch. Raises HackjackError."""
    first, second = sorted((one, other))
    codes = [columns[place.column][place.row] for place in (first, second)]
    if rank_of(codes[0]) != rank_of(codes[1]) or first == second:
        raise HackjackError(f"{codes[0]} and {codes[1]} are not a pair: choose two cards of one rank")
    touches = abs(first.column - second.column) + abs(first.row - second.row) == 1
    if not touches:
        raise HackjackError(f"{codes[0]} and {codes[1]} are not a pair: a pair is side by side or one above the other")
    return _pair((first, second), columns, play)


def add_move(columns: Columns, at: int, count: int, play: Play) -> FieldMove:
    """Return the move that adds cards on top of a column. Raises HackjackError."""
    if not 0 <= at < len(columns):
        raise HackjackError(f"there is no column {at + 1}: the field has {len(columns)}")
    free = play.depth - len(columns[at])
    if count > free:
        left = f"only {free} more" if free > 0 else "no more"
        raise HackjackError(f"column {at + 1} takes {left}: a column is {play.depth} cards deep")
    return _add(at, count, columns, play)
