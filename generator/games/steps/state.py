"""The state of a character under steps of the author's: numbers, words, conditions, and what is still to come."""

import re
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from generator.base.errors import HackjackError, did_you_mean
from generator.base.late import late_pattern
from generator.base.sealed import Hidden, seal, unseal
from generator.base.sentences import plural, unit_of
from generator.games.steps.system_views import condition_types, kept_piles, renewable_conditions
from generator.model.formulas import MAX_VALUE, Result
from generator.model.procedures import OwnPile
from generator.model.rules import Condition, Save, Suffer, System, Until, per_system
from generator.play.piles import goes_back, known_card
from generator.play.state_reading import read_struct

MAX_ENTRIES = 200
"""The most conditions, saves or losses of one character."""
LONG = ("day", "permanent", "save")
"""Whatever lasts so is `long`: a group that every system has."""
KEPT = ("conditions", "coming", "lost", "saves", "dead", "drawn")
"""The keys of a state besides the author's numbers, words and piles."""

_SPAN = late_pattern(r"(\d{1,7}) ([a-z][a-z0-9_]{0,40})", re.ASCII)
Short = Annotated[str, Meta(max_length=60)]


class RefusedError(HackjackError):
    """An event cannot happen to somebody as they are: no fault of the content."""


class HeldCondition(Struct, frozen=True, forbid_unknown_fields=True):
    """A condition of a character. `until` is a span such as `3 rounds`, or a word: an event, permanent, save."""

    condition: Short
    until: Short = "permanent"
    place: Short = ""
    level: Annotated[int, Meta(ge=1, le=1000)] = 1
    chances: Annotated[tuple[Annotated[int, Meta(ge=1, le=MAX_VALUE)], ...], Meta(max_length=6)] = ()
    row: Short = ""
    detail: Short = ""
    span: Annotated[Short, Meta(description="how long it was from its start, where it may come again for as long")] = ""
    card: Short = ""
    to: Annotated[tuple[Short, ...], Meta(max_length=10)] = ()
    by: Annotated[tuple[Annotated[int, Meta(ge=0, le=MAX_VALUE)], ...], Meta(max_length=10)] = ()
    begins: Short = ""

    @property
    def word(self) -> str:
        """The unit that it is counted down in, or what it lasts until."""
        return parse_span(self.until).word

    @property
    def waits(self) -> bool:
        """Whether the dice of its length have not been rolled yet."""
        amount = parse_span(self.until).amount
        return amount is not None and not amount.is_number

    @property
    def left(self) -> int:
        """How many of that unit are left; 0 where it is not counted down."""
        amount = parse_span(self.until).amount
        return amount.plus if amount else 0

    def with_left(self, left: int) -> "HeldCondition":
        """Return the same with so much left."""
        return msgspec.structs.replace(self, until=str(Until.span(left, self.word)))


class Coming(Struct, frozen=True, forbid_unknown_fields=True):
    """A condition that begins after so long, unless something stops it before."""

    condition: Short
    after: Short
    until: Short = "permanent"


class Lost(Struct, frozen=True, forbid_unknown_fields=True):
    """Points of a statistic that are gone for good; fewer than none where they were gained."""

    statistic: Short
    by: int


class Owed(Struct, frozen=True, forbid_unknown_fields=True):
    """A save that the player has to make: for a condition, or for one of its later chances."""

    of: Short
    part: Short = ""
    place: Short = ""
    chance: bool = False


class PiledCard(Struct, frozen=True, forbid_unknown_fields=True):
    """A card in a pile, and what it counts there."""

    card: Short
    counts: Annotated[int, Meta(ge=-MAX_VALUE, le=MAX_VALUE)] = 0


class StepsState(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One character.

    `values` are the author's numbers and words by name, `piles` the author's piles that hold cards, `drawn` the cards
    out of the decks.
    """

    values: dict[str, Result] = {}
    conditions: tuple[HeldCondition, ...] = ()
    coming: tuple[Coming, ...] = ()
    lost: tuple[Lost, ...] = ()
    saves: tuple[Owed, ...] = ()
    dead: bool = False
    drawn: tuple[Short, ...] = ()
    piles: dict[str, tuple[PiledCard, ...]] = {}


@lru_cache(maxsize=4096)
def parse_span(written: str) -> Until:
    """Return how long, as content and states write it; what has been rolled may be longer than content allows. Raises
    ValueError.
    """
    if (match := _SPAN.fullmatch(written)) and 1 <= int(match[1]) <= MAX_VALUE:
        return Until.span(int(match[1]), unit_of(match[2]))
    return Until.parse(written, own=True, units=None)


def fresh_values(system: System) -> dict[str, Result]:
    """Return the numbers and words that a character begins with."""
    values: dict[str, Result] = {name: own.start for name, own in system.kept_numbers.items()}
    return values | {name: own.first for name, own in system.steps.words.items()}


def read_state(value: Any, system: System) -> StepsState:
    """Return a state from plain data: the numbers and words beside the rest. Raises HackjackError."""
    if not isinstance(value, dict):
        raise HackjackError("the state is not a JSON object: write {} for a fresh character")
    values = fresh_values(system)
    keys = (*values, *kept_piles(system), *KEPT)
    for key in value:
        if key not in keys:
            raise HackjackError(f'the state has an unknown key "{str(key)[:40]}"{did_you_mean(str(key), keys)}')
    rest = {key: entry for key, entry in value.items() if key in KEPT}
    rest["piles"] = {name: _counting(value[name], own) for name, own in kept_piles(system).items() if value.get(name)}
    state = lay_out(read_struct(_shaped(rest), StepsState, "a fresh character"), value, system)
    for name in values:
        if name in value:
            values[name] = _own(name, value[name], system)
    check_entries(state, system)
    held = tuple(_spanned(each, system) for each in state.conditions)
    return msgspec.structs.replace(state, values=values, conditions=held)


def _spanned(held: HeldCondition, system: System) -> HeldCondition:
    """Return a condition that may come again for as long with its span: what is left where a state tells none."""
    if held.span or held.condition not in renewable_conditions(system) or not parse_span(held.until).is_span:
        return held
    return msgspec.structs.replace(held, span=held.until)


def _counting(entries: Any, own: OwnPile) -> Any:
    """Return the cards of a pile as written, with what each counts under that name."""
    if not isinstance(entries, list):
        return entries
    names = {own.worth: "counts"}
    return [{names.get(key, key): each[key] for key in each} if isinstance(each, dict) else each for each in entries]


def written_pile(state: StepsState, name: str, system: System) -> list[dict[str, Any]]:
    """Return the cards of a pile as a state is written."""
    worth = system.steps.piles[name].worth
    return [{"card": each.card, worth: each.counts} for each in state.piles.get(name, ())]


def lay_out(state: StepsState, given: dict[str, Any], system: System) -> StepsState:
    """Return a state whose held piles are out of their decks. Raises HackjackError where what is given denies it."""
    held = Counter(each.card for name, pile in state.piles.items() if system.steps.piles[name].held for each in pile)
    if "drawn" not in given:
        held |= Counter({each.card: 1 for each in state.conditions if each.card})
    missing = [name for name in (held - Counter(state.drawn)).elements() if not goes_back(name, system)]
    if missing and "drawn" in given:
        raise HackjackError(f"invalid state: {missing[0]} is in a pile and in the deck too; add it to drawn")
    return msgspec.structs.replace(state, drawn=(*state.drawn, *missing))


def _shaped(value: dict[str, Any]) -> dict[str, Any]:
    """A condition may be given by its name alone."""
    conditions = value.get("conditions")
    if not isinstance(conditions, list):
        return value
    return {**value, "conditions": [{"condition": each} if isinstance(each, str) else each for each in conditions]}


def _own(name: str, written: Any, system: System) -> Result:
    procedure = system.steps
    if name in procedure.words:
        check_words({name: written}, system)
        return str(written)
    if written is None and procedure.numbers[name].start is None:
        return None
    if isinstance(written, str) and procedure.numbers[name].hidden:
        return unsealed(written)
    if procedure.numbers[name].flag and isinstance(written, bool):
        return int(written)
    if isinstance(written, bool) or not isinstance(written, int) or abs(written) > MAX_VALUE:
        raise HackjackError(f"the state's {name} is not a whole number up to {MAX_VALUE:,}")
    return written


def unsealed(written: str) -> Hidden:
    """Return a number that is hidden, as it is written. Raises HackjackError."""
    try:
        [number] = unseal(written)
    except ValueError as error:
        raise HackjackError("the state has a hidden number that cannot be read: write a whole number") from error
    return Hidden(number)


def sealed_state(state: StepsState) -> StepsState:
    """Return a state whose hidden numbers are written as seals."""
    hidden = {name: value for name, value in state.values.items() if isinstance(value, Hidden)}
    if not hidden:
        return state
    rest = msgspec.structs.replace(state, values={name: state.values[name] for name in state.values.keys() - hidden})
    about = msgspec.json.encode(rest, order="sorted")
    sealed = {name: seal([value], about + name.encode()) for name, value in hidden.items()}
    return msgspec.structs.replace(state, values={**state.values, **sealed})


def check_words(written: dict[str, Any], system: System) -> None:
    """Each of the author's words is one of those that it may be. Raises HackjackError."""
    for name, own in system.steps.words.items():
        if name in written and written[name] not in own.of:
            raise HackjackError(f'the state\'s {name} is "{str(written[name])[:40]}": write {", ".join(own.of)}')


@per_system
def beginning_later(system: System) -> dict[str, Suffer]:
    """Return how the content has each condition begin that begins later."""
    effects = (effect for effect in system.all_effects() if isinstance(effect, Suffer))
    return {effect.condition: effect for effect in effects if effect.after is not None}


def save_of(condition: Condition) -> Save | None:
    """Return the save that a condition asks for when it begins or ends, if it does."""
    lists = (condition.implies, *condition.ends.values())
    return next((effect for effects in lists for effect in effects if isinstance(effect, Save)), None)


def check_entries(state: StepsState, system: System) -> None:
    """Whatever a state names is there, and lasts as long as something can. Raises HackjackError."""
    check_sizes(state)
    head = system.head
    for held in state.conditions:
        _known(held.condition, condition_types(system), "condition")
        for name in held.to:
            _known(name, head.statistics, "statistic")
        if held.card:
            known_card(held.card, f"the state's {held.condition} comes from", system)
    for name in (*(each.condition for each in state.coming), *(owed.of for owed in state.saves)):
        _known(name, head.conditions, "condition")
    for lost in state.lost:
        _known(lost.statistic, head.statistics, "statistic")
        if not lost.by:
            raise HackjackError(f"the state's {lost.statistic} is lowered by 0: write how much, or leave it out")
    for held in state.conditions:
        _check_until(held.condition, held.until, system, waits=condition_types(system)[held.condition].waits)
        _check_held(held, system)
    waiting = Counter(held.condition for held in state.conditions if condition_types(system)[held.condition].chances)
    if twice := next((name for name, times in waiting.items() if times > 1), ""):
        raise HackjackError(f"invalid state: {twice} twice")
    for each in state.coming:
        _check_until(each.condition, each.after, system)
    for owed in state.saves:
        _check_owed(owed, state, system)
    for name, pile in state.piles.items():
        for kept in pile:
            known_card(kept.card, f"the state's {name} holds", system)
    for name, times in Counter(state.drawn).items():
        if times > known_card(name, "the state has drawn", system).copies:
            raise HackjackError(f'the state has drawn the card "{name}" more often than its deck has it')
    if state.dead and (state.coming or state.saves):
        raise HackjackError("invalid state: dead, and something is still to come")


def _known(name: str, names: Iterable[str], noun: str) -> None:
    if name not in names:
        raise HackjackError(f'the state names an unknown {noun} "{name[:40]}"{did_you_mean(name, names)}')


def _check_until(name: str, written: str, system: System, *, waits: bool = False) -> None:
    try:
        until = parse_span(written)
    except ValueError as error:
        raise HackjackError(f"the state cannot be read: {name}: {error}") from error
    if until.formula is not None or (until.amount is not None and not until.amount.is_number and not waits):
        raise HackjackError(f"the state cannot be read: {name}: {written} has not been rolled")
    if until.is_span and until.word not in system.units:
        hint = did_you_mean(until.word, system.units)
        raise HackjackError(f"the state cannot be read: {name}: {until.word} is not a unit of time{hint}")
    if until.amount is None and until.word in system.units and until.word not in system.head.events:
        raise HackjackError(f"the state cannot be read: {name}: how many {plural(until.word)}?")


def _check_held(held: HeldCondition, system: System) -> None:
    condition = condition_types(system)[held.condition]
    if held.chances and not condition.chances:
        raise HackjackError(f"the state's {held.condition} has chances: no save ends it")
    table = system.table(condition.row) if isinstance(condition.row, str) else None
    if table is not None and table.result_named(held.row) is None:
        names = [row.name for row in table.rows if row.name]
        hint = did_you_mean(held.row, names)
        raise HackjackError(f'the state cannot be read: {table.id} has no row "{held.row[:40]}"{hint}')


def _check_owed(owed: Owed, state: StepsState, system: System) -> None:
    condition = system.head.conditions[owed.of]
    if not (condition.chances if owed.chance else save_of(condition)):
        raise HackjackError(f"the state cannot be read: nothing asks for a save against {owed.of}")
    if owed.part:
        _known(owed.part, system.head.parts, "part of the body")
    waits = any(held.condition == owed.of and held.until == "save" for held in state.conditions)
    if owed.chance and not waits:
        raise HackjackError(f"invalid state: a save to recover from {owed.of} that nobody has")


def check_sizes(state: StepsState) -> None:
    """Raise HackjackError for a list of more than MAX_ENTRIES entries."""
    lists = {name: getattr(state, name) for name in ("conditions", "coming", "lost", "saves")} | state.piles
    for name, entries in lists.items():
        if len(entries) > MAX_ENTRIES:
            raise HackjackError(f"the character has more than {MAX_ENTRIES} {name}: that is over the limit")


def plain_state(state: StepsState, system: System) -> dict[str, Any]:
    """Return the state as plain data: the author's numbers and words first; cards only where there are decks."""
    plain: dict[str, Any] = msgspec.to_builtins(sealed_state(state))
    if not system.piles:
        del plain["drawn"]
    del plain["piles"]
    flags = {name: bool(state.values[name]) for name, own in system.kept_numbers.items() if own.flag}
    for key in ("conditions", "saves"):
        plain[key] = [{name: value for name, value in each.items() if value != _USUAL.get(name)} for each in plain[key]]
    piles = {name: written_pile(state, name, system) for name in kept_piles(system)}
    return {**plain.pop("values"), **flags, **piles, **plain}


_USUAL: dict[str, Any] = {
    "place": "",
    "level": 1,
    "chances": (),
    "row": "",
    "detail": "",
    "span": "",
    "card": "",
    "to": (),
    "by": (),
    "begins": "",
    "part": "",
    "chance": False,
}
"""What goes without saying of a condition or a save."""
