"""An event in the making, and what happens to the cards: columns, the deal, a field typed in, surprise (F3-F6)."""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

from msgspec.structs import replace

from generator.base.cards import FULL_DECK, read_code
from generator.base.errors import HackjackError, UsageError
from generator.base.fields import MAX_HELD
from generator.games.fiftytwo import log as said
from generator.games.fiftytwo import state as states
from generator.games.fiftytwo.cards import Columns, FieldMove, FieldPlace, Kind, Play, find_card, without_cards
from generator.games.fiftytwo.fight import action_cost, field_rules
from generator.games.fiftytwo.log import FieldEntry, FieldFact
from generator.model.combatants import Side
from generator.model.log import Entry
from generator.model.rules import System
from generator.play.chance import Chance, ChoiceNeed, dealt_to
from generator.play.event_spec import Values

EMPTY = ("--", "-", ".", "_")
"""Ways to type an empty place of the field."""
SURPRISED: dict[str, set[Side]] = {side: {side} for side in states.SIDES} | {"both": {*states.SIDES}, "nobody": set()}
"""The sides that were surprised, as typed."""


class Fight:
    """One event in the making: what was read of it, the fight so far, its log, and the luck that is asked for."""

    def __init__(self, system: System, state: states.FieldState, chance: Chance, values: Values | None = None) -> None:
        self.system, self.state, self.chance, self.values = system, state, chance, values or {}
        self.log: list[FieldEntry] = []

    @property
    def roster(self) -> states.Roster:
        """Everybody's figures as the fight stands."""
        return states.Roster(self.system, self.state)

    def note(self, fact: FieldFact, why: str = "") -> None:
        """Add an entry to the log."""
        self.log.append(Entry(fact, why))

    def change(self, **values: Any) -> None:
        """Change the state."""
        self.state = replace(self.state, **values)

    def alter(self, name: str, **values: Any) -> states.Fighter:
        """Change a fighter, and return them changed."""
        changed = replace(self.state.find(name), **values)
        self.state = self.state.with_fighter(changed)
        return changed

    def named(self, key: str = "who") -> states.Fighter:
        """Return the fighter whom the event names. Raises HackjackError."""
        return self.state.find(self.values[key])

    def show_field(self) -> None:
        """Log the field."""
        self.note(said.Field(self.state.columns, len(self.state.reserve), len(self.state.discard)))


def refuse_the_down(fighter: states.Fighter) -> None:
    """Raise HackjackError for a fighter who is down."""
    if fighter.hp <= 0:
        raise HackjackError(f"{fighter.name} is down and cannot act")


def choose_columns(fight: Fight) -> None:
    """Set the number of columns; the quicker side may choose one more or one less (F3)."""
    rules, roster, values = field_rules(fight.system), fight.roster, fight.values
    allies = values.get("allies", len(roster.side("allies")))
    surprised = SURPRISED[values["surprised"]] if "surprised" in values else roster.surprised()
    surprise = rules.surprise_column * (-1 if "allies" in surprised else 1 if "enemies" in surprised else 0)
    choice = 0
    if quicker := values.get("quicker") or _quicker(fight.state, roster):
        changes, width = (rules.choice_column, -rules.choice_column, 0), rules.columns + allies + surprise
        ways = (f"the {quicker} add one", f"the {quicker} take one away", "none is added or taken away")
        widths = (width + change for change in changes)
        options = tuple(f"{one} column{'s' if one != 1 else ''}: {way}" for one, way in zip(widths, ways, strict=True))
        choice = changes[fight.chance.choose(ChoiceNeed(options))]
        fight.note(said.Quicker(quicker, choice), "F3")
    parts = (rules.columns, allies, surprise, choice)
    width = _checked_width(sum(parts))
    fight.note(said.Columns(*parts, width, padding_of(fight.system, width)), "F3")
    fight.change(width=width)


def _quicker(state: states.FieldState, roster: states.Roster) -> Side | None:
    """Return the side with the higher sum of initiative; where the sums are equal, that of the quickest."""
    if all(fighter.initiative is None for fighter in state.fighters):
        return None

    def quickness(side: Side) -> tuple[int, int]:
        slots = [fighter.initiative for fighter in roster.side(side) if fighter.initiative is not None]
        return sum(slots), max(slots, default=-MAX_HELD)

    return max(states.SIDES, key=quickness)


def _checked_width(width: int) -> int:
    if not 1 <= width <= states.MAX_COLUMNS:
        raise HackjackError(f"deal 1 to {states.MAX_COLUMNS} columns, not {width:,}")
    return width


def padding_of(system: System, width: int) -> int:
    """Return how many cards of a second deck that many columns need (F4)."""
    return max(width - field_rules(system).one_deck, 0) * field_rules(system).padding


def deal_field(fight: Fight) -> None:
    """Shuffle, pad, and deal row by row from the top and from the left (F4, F5)."""
    if not (width := fight.values["columns"] or fight.state.width):
        raise HackjackError("how many columns? ask for columns first, or write deal N")
    _checked_width(width)
    padding = _drawn(fight, list(FULL_DECK), padding_of(fight.system, width))
    left, deep = [*FULL_DECK, *padding], states.column_depth(fight.system, fight.state)
    if width * deep > len(left):
        raise HackjackError(f"{width} columns of {deep} need {width * deep} cards, and there are {len(left)}")
    field = _dealt(fight, left, width, deep)
    fight.change(
        width=width,
        columns=field,
        reserve=states.sorted_cards(left),
        discard=(),
        padding=states.sorted_cards(padding),
        topped=(),
    )
    if padding:
        fight.note(said.Padding(padding, width), "F4")
    fight.note(said.Deal(width, deep, len(left)), "F5")
    fight.show_field()


def _dealt(fight: Fight, left: list[str], width: int, deep: int) -> tuple[tuple[str, ...], ...]:
    """Return columns from the bottom up, whose cards are asked for row by row from the top and from the left."""
    rows = [[""] * width for _ in range(deep)]
    for down, row in enumerate(rows, 1):
        for at in range(width):
            place = f"row {down} of {deep} from the top, column {at + 1} of {width}"
            with dealt_to(place, tuple(zip(*reversed(rows), strict=True))):
                (row[at],) = _drawn(fight, left, 1)
    return tuple(zip(*reversed(rows), strict=True))


def _drawn(fight: Fight, left: list[str], count: int) -> list[str]:
    cards = []
    for _ in range(count):
        cards.append(fight.chance.card(left))
        left.remove(cards[-1])
    return cards


def lay_field(fight: Fight) -> None:
    """Lay the field of a real table, typed in by rows from the top: `QS . 3C / 9H 8S 2D` (F5)."""
    written = " ".join(fight.values["rows"]).split("/")
    rows = [["" if word in EMPTY else _code(word) for word in row.split()] for row in written]
    width = _checked_width(max(map(len, rows), default=0))
    if short := next((at for at, row in enumerate(rows, 1) if len(row) != width), 0):
        raise HackjackError(f"row {short} has {len(rows[short - 1])} places and another {width}: write . for no card")
    field: list[tuple[str, ...]] = []
    for at, upright in enumerate(zip(*reversed(rows), strict=True), 1):
        column = tuple(filter(None, upright))
        if "" in upright[: len(column)]:
            raise HackjackError(f"column {at} has a gap: cards above an empty place fall down")
        field.append(column)
    padding, out = (tuple(map(_code, fight.values.get(name, ()))) for name in ("padding", "discard"))
    padding = states.sorted_cards(padding)
    fight.change(width=width, columns=tuple(field), reserve=(), discard=out, padding=padding)
    fight.state = states.with_cards(fight.state, fight.system)
    fight.show_field()


def _code(word: str) -> str:
    try:
        code = read_code(word)
    except ValueError as error:
        raise UsageError(str(error)) from error
    if code not in FULL_DECK:
        raise UsageError(f"{code} is not played with: the field has no jokers")
    return code


def with_field(state: states.FieldState) -> states.FieldState:
    """Return the state, where cards lie on the table. Raises HackjackError."""
    if not state.columns:
        raise HackjackError("there is no field yet: deal first, or lay one")
    return state


def play_of(system: System, state: states.FieldState, acting: Side, turn: states.Turn | None = None) -> Play:
    """Return the numbers that bind a mover of that side, and what the turn has brought so far."""
    rules = field_rules(system)
    kinds: tuple[Kind, ...] = ("bottom", "higher", "pair", "add")
    return Play(
        depth=states.column_depth(system, state),
        costs={kind: action_cost(kind, system) for kind in kinds},
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


def move_as_typed(move: FieldMove, columns: Columns) -> str:
    """Return a move as it is typed; a card that lies there twice by its place."""
    if move.kind == "add":
        count = len(move.places)
        return f"add {move.places[0].column + 1}" + (f" {count}" if count > 1 else "")
    if move.kind == "pair":
        return f"pair {card_as_typed(move.places[0], columns)} {card_as_typed(move.places[1], columns)}"
    return f"take {card_as_typed(move.places[0], columns)}"


def card_as_typed(place: FieldPlace, columns: Columns) -> str:
    """Return a card on the field as it is typed: one that lies there twice by its place."""
    code = columns[place.column][place.row]
    return code if [*chain(*columns)].count(code) == 1 else str(place)


def cards_taken(move: FieldMove, columns: Columns) -> tuple[str, ...]:
    """Return the cards that a move takes; none for one that adds."""
    return () if move.kind == "add" else tuple(columns[at][row] for at, row in move.places)


def take_out(fight: Fight, places: Sequence[FieldPlace]) -> None:
    """Move cards to the discards; those above them fall."""
    before = fight.state.columns
    out = (before[at][row] for at, row in places)
    fight.change(columns=without_cards(before, places), discard=(*fight.state.discard, *out))


def add_on_top(fight: Fight, at: int) -> str:
    """Return a card from the pool on top of a column; when the pool is empty, the discards become the pool (F10)."""
    state = fight.state
    if not state.reserve:
        if not state.discard:
            raise HackjackError("there is no card left to add: the pool and the discards are empty")
        fight.note(said.Reshuffle(len(state.discard)), "F10")
    pool, discard = [*(state.reserve or states.sorted_cards(state.discard))], state.discard if state.reserve else ()
    (code,) = _drawn(fight, pool, 1)
    grown = tuple((*column, code) if number == at else column for number, column in enumerate(state.columns))
    fight.change(columns=grown, reserve=tuple(pool), discard=discard)
    return code


def move_ambush_card(fight: Fight) -> None:
    """Move the card that surprise gives: allies take one from anywhere, enemies add one to a column (F6)."""
    fighter = fight.named()
    side = _check_ambush(fight.state, fight.roster, fighter)
    fight.alter(fighter.name, ambushed=True)
    state, where = fight.state, fight.values["where"]
    if side == "allies":
        place = find_card(state.columns, where)
        take_out(fight, [place])
        fight.note(said.AmbushTake(fighter.name, fight.state.discard[-1], place.column + 1), "F6")
    else:
        at = column_number(where, state)
        if not _may_be_topped(fight.system, state, at):
            raise HackjackError(f"column {at + 1} has had its card: no column gets two")
        code = add_on_top(fight, at)
        fight.change(topped=(*state.topped, at + 1))
        fight.note(said.AmbushAdd(fighter.name, code, at + 1), "F6")
    fight.show_field()


def _check_ambush(state: states.FieldState, roster: states.Roster, fighter: states.Fighter) -> Side:
    """Return the side of somebody who may use the card that surprise gives. Raises HackjackError where they may not."""
    side, surprised = roster[fighter.name].side, roster.surprised()
    if not state.columns:
        raise HackjackError("there is no field yet: deal first")
    if states.other_side(side) not in surprised or side in surprised:
        why = "were surprised too" if side in surprised else f"did not surprise the {states.other_side(side)}"
        raise HackjackError(f"the {side} have no card to move: they {why}")
    if state.round > 1 or state.turn or any(one.acted for one in state.fighters):
        raise HackjackError("the fight has begun: the cards that surprise gives are moved before the first turn")
    if fighter.ambushed:
        raise HackjackError(f"{fighter.name} has used the card that surprise gives")
    refuse_the_down(fighter)
    return side


def _may_be_topped(system: System, state: states.FieldState, at: int) -> bool:
    return at + 1 not in state.topped and len(state.columns[at]) <= states.column_depth(system, state)


def ambushes(system: System, state: states.FieldState) -> Iterator[tuple[states.Fighter, str, FieldPlace]]:
    """Yield who may use the card that surprise gives, where, as it is typed, and the place that it is or will be at."""
    roster = states.Roster(system, state)
    for fighter in state.fighters:
        try:
            side = _check_ambush(state, roster, fighter)
        except HackjackError:
            continue
        for at, column in enumerate(state.columns):
            if side == "allies":
                places = (FieldPlace(at, row) for row in range(len(column)))
                yield from ((fighter, card_as_typed(place, state.columns), place) for place in places)
            elif _may_be_topped(system, state, at):
                yield fighter, str(at + 1), FieldPlace(at, len(column))


def column_number(text: str, state: states.FieldState) -> int:
    """Return a column as typed, counted from 1, as a place from 0. Raises UsageError, or HackjackError."""
    if not (text.isascii() and text.isdigit() and len(text) < 4):
        raise UsageError(f'"{text[:20]}" is not a column: write its number from the left, from 1')
    if not 1 <= int(text) <= len(state.columns):
        raise HackjackError(f"there is no column {int(text)}: the field has {len(state.columns)}")
    return int(text) - 1


def deepen(fight: Fight) -> None:
    """Add a card on top of every column when a shallow field becomes deep (F5)."""
    deep = states.column_depth(fight.system, fight.state)
    shallow = [at for at, column in enumerate(fight.state.columns) if len(column) < deep]
    for at in shallow:
        add_on_top(fight, at)
    fight.note(said.Deepened(len(shallow)), "F5")
    fight.show_field()
