"""Events under severity tables, as they are typed: `hit 9` with `--at type=fire`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from generator.games.glog.state import MOST_ENTRIES
from generator.model.rules import Locate, System, walk
from generator.play.event_spec import Argument, EventSpec, by_name, event, option, read

MOST = 10_000
"""The largest number that an event may hold."""
MOST_DAYS = 3650
"""The most days that pass in one event."""


@dataclass(frozen=True, slots=True)
class Event:
    """What happens: a name, a number or a word where it takes one, and what it is about.

    `kept`: a journal has it, so it has happened, and no condition bars it any more.
    """

    name: str
    amount: int = 0
    word: str = ""
    at: tuple[tuple[str, str], ...] = ()
    kept: bool = False

    def about(self, name: str, default: str = "") -> str:
        """What `--at NAME=VALUE` said."""
        return dict(self.at).get(name, default)

    def __str__(self) -> str:
        about = [f"{name}={value}" for name, value in self.at]
        return " ".join(str(part) for part in (self.name, self.amount, self.word, *about) if part)


def _number(most: int = MOST, *, sample: str = "", default: int | None = None) -> Argument:
    return Argument("amount", "number", most=most, sample=sample, default=default, optional=default is not None)


def _sides(system: System, *places: str) -> tuple[str, ...]:
    return _SIDES if any(has_sides(system, place) for place in places) else ()


_SIDES = ("left", "right")


def events_of(system: System) -> dict[str, EventSpec]:
    """The events by name. A hit knows the system's kinds of damage, and where each may hit."""
    places = {f"type={kind}": places_of(system, kind) for kind in system.injuries.damage}
    places[""] = next(iter(places.values()))
    sides = {key: _sides(system, *known) for key, known in places.items()}
    sides |= {f"location={place}": _sides(system, place) for known in places.values() for place in known}
    kinds = option("type", words=tuple(system.injuries.damage), sample="fire")
    where = option("location", depends=("type",), by=places, sample="arm")
    side = option("side", depends=("location", "type"), by=sides, sample="left")
    hands = option("hands", words=("one", "both"), sample="both")
    return by_name(event("hit", "damage", _number(), kinds, where, side, hands, luck="dice"), *_OTHERS)


_INJURY = option("injury", "number", most=MOST_ENTRIES, sample="1")
_MEANS = option("by", words=("magic", "rest"), sample="rest")
_WIL = option("wil", words=("pass", "fail"), sample="pass")
_SEEN = option("seen", words=("yes", "no"), sample="yes")
_OTHERS = (
    event("round", "rounds pass", _number(default=1), luck="dice", time=True),
    event("breathe", "a round spent on getting one's breath back"),
    event("stand", "a round spent on getting up"),
    event("treat", "the wound is treated before it brings Dying"),
    event("minute", "minutes pass", _number(default=1), time=True),
    event("stabilise", "somebody with that ability tries to save the Dying", _number(sample="TAL"), luck="dice"),
    event("hour", "an hour passes; whoever is Dying lives or dies", luck="dice", time=True),
    event("heal", "HP by magic, which heals an injury too", _number(), _INJURY, _MEANS),
    event("day", "days pass, and injuries heal", _number(MOST_DAYS, default=1), time=True),
    event("week", "restful weeks pass; injuries and trauma heal", _number(MOST_DAYS // 7, default=1), time=True),
    event("save", "the first save that is owed", Argument("word", words=("pass", "fail")), luck="dice"),
    event("trauma", "horror seen, in points", _number(), _WIL, _SEEN, luck="dice"),
    event("calm", "somebody spends a round calming a breakdown"),
)


def read_event(specs: Mapping[str, EventSpec], words: Sequence[str], at: Mapping[str, str]) -> Event:
    """An event as typed: `hit 9` with `{"type": "fire"}`. Raises UsageError."""
    values = read(specs, words, at, {})
    said = {name: values.pop(name) for name in ("amount", "word") if name in values}
    return Event(words[0], **said, at=tuple(sorted((name, str(value)) for name, value in values.items())))


def has_sides(system: System, part: str) -> bool:
    """Whether there is a left and a right one of a part."""
    return part in system.head.parts and set(_SIDES) == set(system.head.parts[part].sides)


def places_of(system: System, kind: str) -> tuple[str, ...]:
    """Where damage of a kind may hit: the columns of its table, or what its cells roll for; none where those lack."""
    aim = system.injuries.damage[kind]
    table = system.table(aim.table)
    if table is None:
        return ()
    if aim.column is None:
        return tuple(table.columns)
    cells = (row.cell(aim.column) for row in table.rows)
    asked = (
        effect.part
        for cell in cells
        if isinstance(cell, tuple)
        for _, effect in walk(cell)
        if isinstance(effect, Locate)
    )
    parts = system.head.parts
    return tuple(dict.fromkeys(place for part in asked if part in parts for place in parts[part].places))
