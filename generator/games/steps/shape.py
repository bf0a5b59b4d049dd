"""How a state is written where the author says so: under which keys the conditions stand, and in which fields.

Inside, whatever somebody is in is one list of conditions. Outside, `injuries`, `dying: true` or `breakdown: {name,
rounds}` may be what people know and what their programs have stored. Reading and writing go by the same declaration.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any, Literal, Protocol, TypeVar

import msgspec
from msgspec import Meta, Struct

from generator.base.cards import CardName
from generator.base.errors import HackjackError
from generator.base.sealed import PATTERN
from generator.base.sentences import plural, unit_of
from generator.games.steps.definitions import Definitions
from generator.games.steps.state import (
    LONG,
    MAX_ENTRIES,
    Coming,
    HeldCondition,
    Lost,
    Owed,
    PiledCard,
    Short,
    StepsState,
    beginning_later,
    check_entries,
    check_words,
    lay_out,
    sealed_state,
    unsealed,
    written_pile,
)
from generator.games.steps.system_views import condition_types, kept_piles, state_keys
from generator.model.formulas import MAX_VALUE, Formula, Result
from generator.model.procedures import HeldField, OwnNumber, OwnPile, StateKey
from generator.model.rules import ENDED_BY_GM, ENDS_OF_STEPS, Bonus, Lose, Penalty, Suffer, System, Until
from generator.play.piles import known_card
from generator.play.state_reading import read_struct

_Item = TypeVar("_Item")
_Many = Annotated[tuple[_Item, ...], Meta(max_length=MAX_ENTRIES)]
_TYPES: dict[HeldField, Any] = {
    "condition": Short,
    "row": Short,
    "detail": Short,
    "span": Short,
    "until": Short,
    "left": int,
    "place": Short,
    "level": Annotated[int, Meta(ge=1, le=1000)],
    "permanent": bool,
    "chances": Annotated[tuple[int, ...], Meta(max_length=6)],
    "card": Annotated[Short, Meta(title="card")],
    "to": Annotated[tuple[Short, ...], Meta(max_length=10)],
    "by": Annotated[tuple[int, ...], Meta(max_length=10)],
    "begins": Short,
}
_UNSAID: dict[HeldField, Any] = {
    "detail": "", "span": "", "place": "", "level": 1, "permanent": False, "chances": (),
    "card": "", "to": (), "by": (), "begins": "",
}  # fmt: skip
"""What a field holds that is left out; the others are needed."""


class FigureFormula(Protocol):
    """What works a formula out for a state, and for a card at hand."""

    def __call__(self, formula: Formula, state: StepsState, card: str = "") -> Result:
        """Return the value of the formula."""
        ...


class Later(Struct, frozen=True, forbid_unknown_fields=True):
    """A condition that begins after so long; `until` is said only where the content knows another end."""

    condition: Short
    after: Short
    until: Short = ""


def state_key_of(condition: str, word: str, system: System) -> str:
    """The key under which a condition stands that lasts until, or is counted down in, that; empty where none is said.

    Its own key comes first, then that of its group, then `long` and `any`.
    """
    keys = state_keys(system)
    if not keys:
        return ""
    if condition in keys:
        return keys[condition]
    known_condition = system.head.conditions.get(condition)
    if known_condition is not None and known_condition.group in keys:
        return keys[known_condition.group]
    if word == "permanent" and word in keys:
        return keys[word]
    return keys["long"] if word in LONG and "long" in keys else keys.get("any", "")


def written_alone(held: HeldCondition, system: System) -> HeldCondition:
    """A condition with what is written of it alone, where the author says so: nothing else is known of it later."""
    name = state_key_of(held.condition, held.word, system) if state_keys(system) else ""
    key = next((each for each in system.steps.state if each.key == name), None) if name else None
    if key is None:
        return held
    unsaid = {field: value for field, value in _UNSAID.items() if field not in ("permanent", *key.fields.values())}
    return msgspec.structs.replace(held, **unsaid)


def ordered_conditions(conditions: Iterable[HeldCondition], system: System) -> tuple[HeldCondition, ...]:
    """Conditions in the order of the keys under which they are written, as they come back from there."""
    if not system.steps.state:
        return tuple(conditions)
    places = {key.key: place for place, key in enumerate(system.steps.state)}
    return tuple(sorted(conditions, key=lambda held: places.get(state_key_of(held.condition, held.word, system), 0)))


def plain_shape(state: StepsState, system: System, figure: FigureFormula) -> dict[str, Any]:
    """A state as plain data under the author's keys, in their order; `figure` works formulas out."""
    later = beginning_later(system) if state.coming else {}
    values = sealed_state(state).values | {
        "coming": [
            {"condition": each.condition, "after": each.after} | ({} if _usual(each, later) else {"until": each.until})
            for each in state.coming
        ],
        "lost": [*msgspec.to_builtins(state.lost)],
        "saves": [*msgspec.to_builtins(state.saves)],
        "dead": state.dead,
    }
    values |= {name: bool(values[name]) for name, own in system.kept_numbers.items() if own.flag}
    for name, own in kept_piles(system).items():
        values[name] = _top(state, name) if own.usual else written_pile(state, name, system)
    values |= {key.key: figure(key.be, state) for key in system.steps.state if key.be is not None}
    if system.piles:
        values["drawn"] = list(state.drawn)
    plain: dict[str, Any] = {}
    for key in system.steps.state:
        if key.of is None:
            plain[key.key] = values.pop(key.key)
            continue
        held = [each for each in state.conditions if state_key_of(each.condition, each.word, system) == key.key]
        if key.form == "span":
            plain[key.key] = next((each.until for each in held), None)
            continue
        items = [_written(each, key, system) for each in held]
        plain[key.key] = bool(held) if key.form == "flag" else items if key.form == "list" else next(iter(items), None)
    # What the author's keys leave out is written only where a fresh character differs.
    fresh: dict[str, Any] = {name: own.start for name, own in system.kept_numbers.items()}
    fresh |= {name: own.first for name, own in system.steps.words.items()}
    fresh |= {name: [] for name in ("coming", "lost", "saves", *kept_piles(system))}
    fresh |= {name: _usual_top(state, name, system, figure) for name, own in kept_piles(system).items() if own.usual}
    return plain | {name: value for name, value in values.items() if name not in fresh or value != fresh[name]}


def _top(state: StepsState, name: str) -> str | None:
    """Return the card that lies on a pile."""
    return next((each.card for each in reversed(state.piles.get(name, ()))), None)


def _usual_top(state: StepsState, name: str, system: System, figure: FigureFormula) -> str | None:
    """Return the card of a pile whose newest card is usually that of another one."""
    own = system.steps.piles[name]
    newest = (each.card for each in reversed(state.piles.get(own.usual or "", ())))
    return next((card for card in newest if own.unless is None or not figure(own.unless, state, card)), None)


def _written(held: HeldCondition, key: StateKey, system: System) -> dict[str, Any]:
    """Return a condition under its key; of what a card has left without what goes without saying."""
    fields = {name: _field(held, field) for name, field in key.fields.items()}
    if not system.steps.by_card:
        return fields
    usual = (_UNSAID.get(key.fields[name], "") for name in fields)
    return {name: each for (name, each), unsaid in zip(fields.items(), usual, strict=True) if each not in (unsaid, [])}


def _field(held: HeldCondition, field: HeldField) -> Any:
    if field == "permanent":
        return held.until == "permanent"
    value = getattr(held, field)
    return list(value) if isinstance(value, tuple) else value


# --- reading ---------------------------------------------------------------------------------------------------------


def read_shape(value: Any, shape: type[Struct], system: System, figure: FigureFormula) -> StepsState:
    """A state from plain data under the author's keys; `shape` is that of `shape_of`. Raises HackjackError."""
    procedure = system.steps

    def full(state: dict[str, Any]) -> dict[str, Any]:
        check_words(state, system)
        names = {key.key: next(iter(key.fields)) for key in procedure.state if key.of and key.form == "list"}
        return {
            key: [{names[key]: each} if isinstance(each, str) else each for each in item]
            if key in names and isinstance(item, list)
            else item
            for key, item in state.items()
        }

    written: Any = read_struct(value, shape, "a fresh character", full)
    _check_dead(written, system)
    state = StepsState(
        values={name: getattr(written, name) for name in procedure.words}
        | {name: _unsealed(getattr(written, name)) for name in system.kept_numbers}
        | {name: int(getattr(written, name)) for name, own in system.kept_numbers.items() if own.flag},
        conditions=tuple(held for key in procedure.state if key.of for held in _held(key, written, system)),
        coming=tuple(_coming(each, system) for each in written.coming),
        lost=written.lost,
        saves=written.saves,
        dead=written.dead,
        drawn=written.drawn if system.piles else (),
        piles={
            name: tuple(PiledCard(each.card, getattr(each, own.worth)) for each in pile)
            for name, own in kept_piles(system).items()
            if not own.usual and (pile := getattr(written, name))
        },
    )
    for name, own in kept_piles(system).items():
        if own.usual:
            card = getattr(written, name)
            if name not in value or (card and own.unless and figure(own.unless, state, card)):
                card = _usual_top(state, name, system, figure)
            state = msgspec.structs.replace(state, piles=state.piles | ({name: (PiledCard(card),)} if card else {}))
    for key in procedure.state:
        if key.be is not None:
            state = _decided(key, getattr(written, key.key), state, value, system, figure)
    state = lay_out(state, value, system)
    check_entries(state, system)
    for key in procedure.state:
        for held in _held(key, written, system) if key.of else ():
            _check_held(held, key, state, system)
    return state


def _decided(
    key: StateKey, told: int | None, state: StepsState, given: Mapping[str, Any], system: System, figure: FigureFormula
) -> StepsState:
    """A value that is worked out decides its number where that is not given. Raises HackjackError where both differ, or
    where the number comes out below its least.
    """
    assert key.be is not None
    if key.sets is not None and key.sets not in given:
        without = msgspec.structs.replace(state, values=state.values | {key.sets: 0})
        rest = figure(key.be, without)
        number, least = (told or 0) - formula_value(rest), system.kept_numbers[key.sets].least
        if least is not None and isinstance(least.plain, int) and number < least.plain:
            raise HackjackError(f"invalid state: its {key.sets} comes to {number}, and must be {least.plain} or more")
        return msgspec.structs.replace(state, values=state.values | {key.sets: number})
    worked_out = figure(key.be, state)
    if told is not None and told != worked_out:
        raise HackjackError(f"invalid state: its {key.key} is {told}, and the rest makes it {worked_out}")
    return state


def formula_value(value: Result) -> int:
    """Return a number; 0 for what is unknown."""
    return value if isinstance(value, int) else 0


def shape_of(system: System) -> type[Struct]:
    """Return the type of a whole state as plain data."""
    procedure = system.steps
    fields: dict[str, tuple[Any, Any]] = {name: _number(own) for name, own in system.kept_numbers.items()}
    fields |= {name: (Literal[tuple(own.of)], own.first) for name, own in procedure.words.items()}
    fields |= {
        "coming": (_Many[Later], ()),
        "lost": (_Many[Lost], ()),
        "saves": (_Many[Owed], ()),
        "dead": (bool, False),
    }
    fields |= {
        name: (Short | None, None) if own.usual else (_Many[_pile_type(own)], ())  # type: ignore[misc]
        for name, own in kept_piles(system).items()
    }
    fields |= {key.key: (int | None, None) for key in procedure.state if key.be is not None}
    if system.piles:
        fields["drawn"] = (tuple[CardName, ...], ())
    if not procedure.state:
        fields["conditions"] = (_Many[HeldCondition], ())
    for key in procedure.state:
        if key.of is not None:
            item = _item_type(key)
            fields[key.key] = {
                "flag": (bool, False),
                "one": (item | None, None),
                "span": (Short | None, None),
                "list": (_Many[item], ()),  # type: ignore[valid-type]
            }[key.form]
    order = dict.fromkeys([key.key for key in procedure.state]) | dict.fromkeys(fields)
    return msgspec.defstruct(
        "State", [(name, *fields[name]) for name in order], frozen=True, forbid_unknown_fields=True, kw_only=True
    )


def _unsealed(value: int | str | None) -> int | None:
    """Return a number, also one that is hidden, as it is written."""
    return unsealed(value) if isinstance(value, str) else value


def _number(own: OwnNumber) -> tuple[Any, Any]:
    """The type of a number and what it begins with; a bound that is a plain number bounds what is read too."""
    least = own.least.plain if own.least is not None else None
    bounded = Annotated[int, Meta(ge=least if isinstance(least, int) else -MAX_VALUE, le=MAX_VALUE)]
    kind: Any = bounded | None if own.start is None else bool if own.flag else bounded
    return (kind | Annotated[str, Meta(pattern=PATTERN)] if own.hidden else kind), bool(
        own.start
    ) if own.flag else own.start


def _pile_type(own: OwnPile) -> type[Struct]:
    """The type of a card in a pile."""
    counts = Annotated[int, Meta(ge=-MAX_VALUE, le=MAX_VALUE)]
    fields: list[Any] = [("card", _TYPES["card"]), (own.worth, counts, 0)]
    return msgspec.defstruct("Piled", fields, frozen=True, forbid_unknown_fields=True, kw_only=True)


def _item_type(key: StateKey) -> type[Struct]:
    """The type of one condition under a key."""
    unsaid = _UNSAID | ({"until": key.until} if "card" in key.fields.values() else {})
    unsaid |= {"left": 0} if {"permanent", "chances"} & {*key.fields.values()} else {}
    # A card alone stands for all that it leaves for good.
    unsaid |= {"condition": ""} if "card" in key.fields.values() else {}
    fields = [(name, _TYPES[field], unsaid.get(field, msgspec.NODEFAULT)) for name, field in key.fields.items()]
    return msgspec.defstruct("Item", fields, frozen=True, forbid_unknown_fields=True, kw_only=True)


def _held(key: StateKey, written: Any, system: System) -> Iterator[HeldCondition]:
    """The conditions that stand under a key."""
    entries = getattr(written, key.key)
    if key.form == "span":
        yield from [HeldCondition(str(key.of), entries)] if entries else []
        return
    if key.form != "list":
        entries = (entries,) if entries else ()
    names = {field: name for name, field in key.fields.items()}
    for item in entries:
        fields: dict[str, Any] = {field: getattr(item, name) for field, name in names.items()} if key.fields else {}
        condition = fields.get("condition", key.of)
        if not condition:
            yield from _left_here(fields["card"], key, system)
            continue
        for days in (fields.get("left", 0), *fields.get("chances", ())):
            if not 0 <= days <= MAX_VALUE:
                limits = f"they must be from 0 to {MAX_VALUE:,}"
                raise HackjackError(f"the state's {condition} has {days:,} {key.unit}s: {limits}")
        permanent, left = fields.pop("permanent", None), fields.pop("left", None)
        if permanent and (left or fields.get("chances")):
            raise HackjackError(f"invalid state: {condition} is permanent, and has {key.unit}s or chances left")
        if 0 in fields.get("chances", ()):
            raise HackjackError(f"the state's {condition} has a chance in 0 days: a save is owed for that")
        if left == 0 and "chances" not in names and "permanent" not in names:
            raise HackjackError(f"the state's {condition} has 0 {key.unit}s: write 1 or more")
        until = str(Until.span(left, key.unit)) if left else "permanent" if permanent else key.until
        whole: dict[str, Any] = {"condition": condition, "until": until, **fields}
        yield HeldCondition(**whole)


def _left_here(card: str, key: StateKey, system: System) -> Iterator[HeldCondition]:
    """Yield what a card leaves that stands under a key; what it rolls for is the least. Raises HackjackError where that
    is nothing.
    """
    nothing = True
    for effect in known_card(card, f"the state's {key.key} names", system).effects:
        name = effect.condition if isinstance(effect, Suffer) else effect.do
        until: Until | None = Until("permanent") if isinstance(effect, Lose) else getattr(effect, "until", None)
        if name not in condition_types(system) or until is None or state_key_of(name, until.word, system) != key.key:
            continue
        nothing = False
        to: tuple[str, ...] = effect.to if isinstance(effect, Penalty | Bonus) else ()
        by = (effect.by.least,) if isinstance(effect, Penalty | Bonus) else ()
        place = system.head.parts[effect.part].name if isinstance(effect, Lose) else ""
        lasts = until if until.amount is None else Until.span(until.amount.least, until.word)
        yield HeldCondition(name, str(lasts), card=card, to=to, by=by, place=place)
    if nothing:
        raise HackjackError(f"{card} leaves nothing here: say what is in {key.key}, such as effect: prone")


def _usual(each: Coming, later: Mapping[str, Suffer]) -> bool:
    return each.condition in later and each.until == str(later[each.condition].until)


def _coming(each: Later, system: System) -> Coming:
    usual = beginning_later(system).get(each.condition)
    if usual is None or usual.after is None:
        if each.condition in system.head.conditions:
            raise HackjackError(f"the state cannot be read: {each.condition} cannot begin later")
        return Coming(each.condition, each.after, each.until)
    unit = usual.after.word
    if unit_of(each.after.rpartition(" ")[2]) != unit:
        raise HackjackError(f'the state\'s {each.condition} comes after "{each.after}": write 3 {plural(unit)}')
    return Coming(each.condition, each.after, each.until or str(usual.until))


def _check_dead(written: Any, system: System) -> None:
    """The dead have nothing of what is the living's."""
    keys = [key.key for key in system.steps.state if key.living]
    fresh = type(written)()
    if written.dead and any(getattr(written, key) != getattr(fresh, key) for key in ("coming", "saves", *keys)):
        raise HackjackError("invalid state: dead, and something is still to come")


def _check_held(held: HeldCondition, key: StateKey, state: StepsState, system: System) -> None:
    """A condition stands where it belongs, and ends somewhere."""
    name = held.condition
    right = state_key_of(name, held.word, system)
    if right != key.key:
        flag = any(each.key == right and each.form == "flag" for each in system.steps.state)
        cure = f"write {right}: true" if flag else f"it belongs under {right}"
        lasts = f" for {held.until}" if held.left and not flag else ""
        raise HackjackError(f"the state cannot be read: {name}{lasts} is not an entry of {key.key}: {cure}")
    if key.form == "span" and not (held.left or held.waits):
        raise HackjackError(f'the state\'s {key.key} is "{held.until}": write a span such as 3 days')
    if not (held.left or held.waits) and held.until not in ("permanent", "save"):
        pack = Definitions(system)
        if held.until not in pack.enders | pack.awaited:
            words = ", ".join(sorted(pack.awaited - {*ENDS_OF_STEPS, key.until} | ({*ENDED_BY_GM} & pack.awaited)))
            raise HackjackError(
                f'the state\'s {name} lasts until "{held.until}": write {words} or a span such as 3 rounds'
            )
    owed = any(each.chance and each.of == name for each in state.saves)
    if held.until == "save" and not held.chances and not owed:
        fields = {field: each for each, field in key.fields.items()}
        cures = [fields["left"]] if "left" in fields else []
        cures += [f"{fields['permanent']}: true"] if "permanent" in fields else []
        raise HackjackError(f"the state's {name} has no end: give it {', or '.join(cures)}")


def living_alone(system: System) -> tuple[set[str], set[str]]:
    """What the dead have none of: keys of conditions, and numbers and words."""
    keys = [key for key in system.steps.state if key.living]
    return {key.key for key in keys if key.of}, {key.key for key in keys if not key.of}
