"""A fight over a field of cards as a value: who stands where in the order, what lies on the table, whose turn it is.

The whole table has one state. It is plain JSON when written: columns from the bottom card up, the pool and the discards
as lists of codes, everybody with their initiative, HP and what the fight has left on them.
"""

from collections import Counter
from itertools import chain
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from generator.base.cards import FULL_DECK, meant_card, order_of
from generator.base.errors import HackjackError, UsageError, did_you_mean
from generator.base.fields import MAX_HELD, Amount
from generator.base.text_input import find_name
from generator.games.fiftytwo.fight import field_rules
from generator.model.combatants import MAX_COMBATANTS, Combatant, Name, Side
from generator.model.rules import System, plain_value
from generator.play.state_reading import read_struct

MAX_COLUMNS = 19
"""A second deck has cards for no more (F4)."""

Total = Annotated[int, Meta(ge=-MAX_HELD, le=MAX_HELD)]
SIDES: tuple[Side, Side] = ("allies", "enemies")
Code = Annotated[str, Meta(min_length=2, max_length=3, title="card")]
Pile = Annotated[tuple[Code, ...], Meta(max_length=104)]
Columns = Annotated[tuple[Amount, ...], Meta(max_length=MAX_COLUMNS)]
Casting = Literal["", "casting", "suspended", "done", "due"]
"""A spell that is `done` works before the caster's next turn; once that has begun it is `due`."""


class Fighter(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Where somebody stands in the fight; their figures stand in the roster or in the content."""

    name: Name
    hp: Total
    initiative: Total | None = None
    total: Annotated[Total, Meta(description="what the initiative was before ties were broken")] | None = None
    roll: Amount | None = None
    hits: Annotated[Amount, Meta(description="hits that the armour has taken since it last gave way")] = 0
    owed: Annotated[Amount, Meta(description="points that reflex saves take from the next turn")] = 0
    acted: Annotated[bool, Meta(description="has had the turn of this round")] = False
    attacked_by: Annotated[str, Meta(max_length=40, description="the opponent who attacked last")] = ""
    casting: Casting = ""
    struck: Annotated[bool, Meta(description="has made the surprise attack")] = False
    ambushed: Annotated[bool, Meta(description="has used the card that surprise gives")] = False


class Turn(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Whose turn it is, what is left to spend, and what has been opened."""

    who: Name
    points: Amount = 0
    free: Annotated[Amount, Meta(description="what is left of the free action")] = 0
    acting: Annotated[Side, Meta(description="an enemy who attacks another enemy acts as an ally")] = "allies"
    normals: Annotated[Amount, Meta(description="attacks that may be made")] = 0
    criticals: Amount = 0
    spent: Annotated[Amount, Meta(description="actions taken, attacks that cost nothing among them")] = 0
    paid: Annotated[Amount, Meta(description="points that reflex saves took before it began")] = 0
    aims: Annotated[
        Literal["", "attack", "critical"], Meta(description="an attack whose target the game master has yet to name")
    ] = ""
    moved: bool = False
    placed: Annotated[dict[str, Amount], Meta(max_length=MAX_COLUMNS, description="cards added, by column")] = {}
    filled: Columns = ()

    @property
    def purse(self) -> int:
        """Everything that can be spent."""
        return self.points + self.free


class FieldState(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The fight. A fresh one has the fighters of the content, none of them in order, and no field yet."""

    roster: Annotated[tuple[Combatant, ...], Meta(max_length=MAX_COMBATANTS)] = ()
    fighters: Annotated[tuple[Fighter, ...], Meta(max_length=MAX_COMBATANTS)] = ()
    away: Annotated[
        tuple[Fighter, ...],
        Meta(max_length=MAX_COMBATANTS, description="who has left a fight that goes on, as they were"),
    ] = ()
    round: Amount = 0
    width: Annotated[int, Meta(ge=0, le=MAX_COLUMNS, description="columns to deal")] = 0
    columns: Annotated[tuple[Pile, ...], Meta(max_length=MAX_COLUMNS)] = ()
    reserve: Pile = ()
    discard: Pile = ()
    padding: Annotated[Pile, Meta(description="the cards of the second deck")] = ()
    topped: Annotated[tuple[Amount, ...], Meta(max_length=MAX_COLUMNS, description="columns that surprise topped")] = ()
    turn: Turn | None = None
    resequenced: bool = False
    drawn: Annotated[Pile, Meta(description="what is not in the pool; it follows from the rest")] = ()

    def find(self, name: str) -> Fighter:
        """Return the fighter whose name this is or begins with. Raises HackjackError."""
        try:
            whole_name = find_name(name, [fighter.name for fighter in self.fighters])
        except UsageError as error:
            raise HackjackError(str(error)) from error
        return next(fighter for fighter in self.fighters if fighter.name == whole_name)

    def with_fighter(self, changed: Fighter) -> "FieldState":
        """Return the same state with one fighter changed."""
        return replace(self, fighters=tuple(changed if one.name == changed.name else one for one in self.fighters))


class Roster:
    """Everybody's figures by name: from the state where it brings its own, otherwise from the content."""

    def __init__(self, system: System, state: FieldState) -> None:
        self.people = {person.name: person for person in state.roster or system.combatants}
        self._fighters = state.fighters

    def __getitem__(self, name: str) -> Combatant:
        return self.people[name]

    def side(self, side: Side) -> list[Fighter]:
        """Return the fighters of one side who can still act."""
        return [fighter for fighter in self._fighters if self[fighter.name].side == side and fighter.hp > 0]

    def surprised(self) -> set[Side]:
        """Return the sides that were surprised: somebody of the other side attacked first."""
        people = (self.people.get(fighter.name) for fighter in self._fighters)
        return {other_side(person.side) for person in people if person and person.surprise}


def fighters_by_initiative(state: FieldState) -> list[Fighter]:
    """Return those who fight, in the order of initiative; who has none yet comes last."""
    return sorted(state.fighters, key=lambda one: (one.initiative is None, -(one.initiative or 0)))


def other_side(side: Side) -> Side:
    """Return the other side."""
    return "enemies" if side == "allies" else "allies"


def column_depth(system: System, state: FieldState) -> int:
    """Return how deep a column is: five rows, four under the switch, or four that become five (F5)."""
    rules = field_rules(system)
    chosen = system.setting("depth")
    deepened = {"4_then_5": rules.deepened, "4_then_5_late": rules.deepened_late}.get(chosen or "")
    if deepened is not None:
        return rules.depth if state.round >= deepened else rules.shallow
    return rules.shallow if chosen == "4" else rules.depth


def sorted_cards(codes: Any) -> tuple[str, ...]:
    """Return cards as in a new deck: a pool whose order nobody knows is written so."""
    return tuple(sorted(codes, key=order_of))


def read_state(value: Any, system: System) -> FieldState:
    """Return a state from plain data, put in order: cards that are not named are in the pool. Raises HackjackError."""
    state = read_struct(value, FieldState, "a fresh fight")
    state = _with_people(state, value, system)
    return with_cards_out(with_cards(state, system, whole="reserve" in value))


def plain_state(state: FieldState) -> dict[str, Any]:
    """Return a state as plain data; the roster only where it is the state's own, and who is away where somebody is."""
    value: dict[str, Any] = plain_value(state)
    del value["drawn"]
    for key in ("roster", "away"):
        if not value[key]:
            del value[key]
    return value


def with_cards_out(state: FieldState) -> FieldState:
    """Return the same state, knowing which cards are out of the pool: on the field or discarded."""
    return replace(state, drawn=(*chain(*state.columns), *state.discard))


def fresh_fighters(people: tuple[Combatant, ...]) -> tuple[Fighter, ...]:
    """Return everybody before the fight."""
    return tuple(Fighter(name=person.name, hp=person.hp) for person in people)


def _with_people(state: FieldState, value: dict[str, Any], system: System) -> FieldState:
    people = state.roster or system.combatants
    check_people(people, "the state")
    people_names = [person.name for person in people]
    if "fighters" not in value:
        state = replace(state, fighters=fresh_fighters(people))
    names = [fighter.name for fighter in (*state.fighters, *state.away)]
    for name in (*names, *([state.turn.who] if state.turn else [])):
        if name not in people_names:
            raise HackjackError(f'the state names somebody unknown, "{name}"{did_you_mean(name, people_names)}')
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise HackjackError(f"the state has {twice} twice among its fighters")
    if state.turn and state.turn.who not in [fighter.name for fighter in state.fighters]:
        raise HackjackError(f"invalid state: it is the turn of {state.turn.who}, who does not fight")
    slots = [fighter.initiative for fighter in state.fighters if fighter.initiative is not None]
    if len(set(slots)) < len(slots):
        raise HackjackError("invalid state: two fighters have one initiative; initiative breaks ties")
    numbers = {str(at) for at in range(1, len(state.columns) + 1)}
    for written in (*state.turn.placed, *map(str, state.turn.filled)) if state.turn else ():
        if written not in numbers:
            width = len(state.columns)
            raise HackjackError(f'the state\'s turn speaks of a column "{written[:20]}", and the field has {width}')
    return state


def check_people(people: tuple[Combatant, ...], where: str) -> None:
    """Raise HackjackError if two combatants have the same name, in any case of letters."""
    seen: set[str] = set()
    for person in people:
        if person.name.casefold() in seen:
            raise HackjackError(f"{where} has two combatants called {person.name}: give each a name of their own")
        seen.add(person.name.casefold())


def with_cards(state: FieldState, system: System, *, whole: bool = False) -> FieldState:
    """Return the state with each card in one place: in the pool where it is nowhere else, unless that is `whole`.

    Raises HackjackError.
    """
    deck, lying = Counter((*FULL_DECK, *state.padding)), (*chain(*state.columns), *state.discard, *state.reserve)
    for code in (*state.padding, *lying):
        if code not in FULL_DECK:
            raise HackjackError(f'the state names an unknown card "{code[:20]}"{meant_card(code, FULL_DECK)}')
    if max(Counter(state.padding).values(), default=0) > 1:
        raise HackjackError("the state's padding names a card twice: the second deck has each card once")
    placed = Counter(lying)
    if over := next((code for code in placed if placed[code] > deck[code]), None):
        hint = "" if state.padding else ": name the cards of a second deck as padding"
        raise HackjackError(f"{over} lies there {placed[over]} times, and the deck has {deck[over]}{hint}")
    rest = deck - placed
    if whole and rest:
        lost = ", ".join(sorted_cards(rest.elements())[:8])
        raise HackjackError(f"the state has lost cards: {lost} are neither on the field nor in a pile")
    deepest = column_depth(system, state) + 1
    if at := next((at for at, column in enumerate(state.columns, 1) if len(column) > deepest), 0):
        raise HackjackError(f"column {at} is too deep; the limit is {deepest} cards, with one of surprise")
    reserve = sorted_cards((*state.reserve, *rest.elements()))
    return replace(state, reserve=reserve, discard=tuple(state.discard))
