"""Events under severity tables, as they are typed: `hit 9` with `--at type=fire`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from generator.base.errors import UsageError, did_you_mean
from generator.base.text_input import read_amount
from generator.games.glog.state import MOST_ENTRIES, table_of
from generator.model.rules import Locate, System, walk

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


@dataclass(frozen=True, slots=True)
class _Form:
    """How an event is written: whether it needs a number, may have one, or needs one of some words."""

    says: str
    number: Literal["needed", "allowed", "none"] = "none"
    words: tuple[str, ...] = ()
    at: tuple[str, ...] = ()
    most: int = MOST


_FORMS: dict[str, _Form] = {
    "hit": _Form(
        "hit N [--at type=fire] [--at location=arm] [--at side=left] [--at hands=both]: damage",
        "needed",
        at=("type", "location", "side", "hands"),
    ),
    "round": _Form("round [N]: rounds pass", "allowed"),
    "breathe": _Form("breathe: a round spent on getting one's breath back"),
    "stand": _Form("stand: a round spent on getting up"),
    "treat": _Form("treat: the wound is treated before it brings Dying"),
    "minute": _Form("minute [N]: minutes pass", "allowed"),
    "stabilise": _Form("stabilise TAL: somebody with that ability tries to save the Dying", "needed"),
    "hour": _Form("hour: an hour passes; whoever is Dying lives or dies"),
    "heal": _Form(
        "heal N [--at injury=1] [--at by=rest]: HP by magic, which heals an injury too", "needed", at=("injury", "by")
    ),
    "day": _Form("day [N]: days pass, and injuries heal", "allowed", most=MOST_DAYS),
    "week": _Form("week [N]: restful weeks pass; injuries and trauma heal", "allowed", most=MOST_DAYS // 7),
    "save": _Form("save pass|fail: the first save that is owed", words=("pass", "fail")),
    "trauma": _Form("trauma N [--at wil=pass] [--at seen=yes]: horror seen, in points", "needed", at=("wil", "seen")),
    "calm": _Form("calm: somebody spends a round calming a breakdown"),
}
EVENTS: dict[str, str] = {name: form.says for name, form in _FORMS.items()}

_SIDES = ("left", "right")
_ABOUT: dict[str, tuple[str, ...]] = {
    "side": _SIDES,
    "hands": ("one", "both"),
    "by": ("magic", "rest"),
    "wil": ("pass", "fail"),
    "seen": ("yes", "no"),
}


def read_event(words: Sequence[str], at: Mapping[str, str], system: System) -> Event:
    """An event as typed: `hit 9` with `{"type": "fire"}`. Raises UsageError."""
    name, *rest = [*words] or [""]
    form = _FORMS.get(name)
    if form is None:
        raise UsageError(f'there is no event "{name[:40]}"{did_you_mean(name, EVENTS)}')
    amount, word = 1 if form.number == "allowed" else 0, ""
    if form.number != "none" and rest:
        amount = read_amount(name, rest.pop(0), 1, form.most)
    elif form.number == "needed":
        raise UsageError(f"{name} needs a number: {form.says}")
    if form.words:
        if not rest or rest[0] not in form.words:
            raise UsageError(f"{name} needs {' or '.join(form.words)}: {form.says}")
        word = rest.pop(0)
    if rest:
        raise UsageError(f'"{rest[0][:40]}" is too much: write {form.says}')
    return Event(name, amount, word, _read_at(name, form, at, system))


def _read_at(name: str, form: _Form, at: Mapping[str, str], system: System) -> tuple[tuple[str, str], ...]:
    for key, value in at.items():
        if key not in form.at:
            takes = f": it takes {', '.join(form.at)}" if form.at else ""
            raise UsageError(f"{name} takes no --at {key[:40]}{takes}")
        known = _ABOUT.get(key)
        if known and value not in known:
            raise UsageError(f'--at {key} cannot be "{value[:40]}": write {" or ".join(known)}')
        if key == "injury":
            read_amount("--at injury", value, 1, MOST_ENTRIES)
    if form.at and name == "hit":
        _check_aim(at, system)
    return tuple(sorted(at.items()))


def _check_aim(at: Mapping[str, str], system: System) -> None:
    """The kind of damage is known, and the place is one that it asks for."""
    kinds = system.injuries.damage
    kind = at.get("type", next(iter(kinds)))
    if kind not in kinds:
        raise UsageError(f'there is no damage of type "{kind[:40]}"{did_you_mean(kind, kinds)}')
    places = places_of(system, kind)
    place = at.get("location")
    if place is not None and place not in places:
        if not places:
            raise UsageError(f"{kind} does not ask where it hits: leave --at location out")
        raise UsageError(f'{kind} cannot hit "{place[:40]}": write {", ".join(places)}')
    if "side" in at and not any(has_sides(system, known) for known in ([place] if place else places)):
        raise UsageError(f"{place or kind} has no left and right: leave --at side out")


def has_sides(system: System, part: str) -> bool:
    """Whether there is a left and a right one of a part."""
    return part in system.head.parts and set(_SIDES) == set(system.head.parts[part].sides)


def places_of(system: System, kind: str) -> tuple[str, ...]:
    """Where damage of a kind may hit: the columns of its table, or what its cells roll for."""
    aim = system.injuries.damage[kind]
    table = table_of(system, aim.table)
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
    return tuple(dict.fromkeys(place for part in asked for place in system.head.parts[part].places))
