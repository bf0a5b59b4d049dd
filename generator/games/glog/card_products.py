"""The cards of severity tables: conditions to hand to a player, results of a blow, breakdowns and madnesses."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

import msgspec

from generator.games import cards_of
from generator.games.face import SetMaker
from generator.games.glog.events import places_of
from generator.games.glog.lasting import DAYS, Left, left_by
from generator.games.glog.state import brings, is_local, lasting_counts
from generator.layout.card_elements import (
    Badge,
    Blank,
    CardSet,
    Effect,
    Emblem,
    Face,
    Flavour,
    Index,
    Part,
    Rule,
    Short,
    Title,
    Track,
)
from generator.model.rules import AnyEffect, CardSource, Cell, Condition, Row, Span, Suffer, System, Table, walk
from generator.pack import content
from generator.words.effects import condition_sentences, condition_telegraph, effect_sentences, implied_sentences
from generator.words.table_text import brief_text
from generator.words.wording import MINUS, capital, filled

_DEADLY, _PLAIN = "H", ""
"""Cards of those who die are red; the words say it too."""
_YIELDS = ("flavour", "captions", "rule", "turned", "sentences")
_SIGNS = {"nonlethal": "star", "fire": "burn"}
"""The signs of damage that has no place, by its kind."""
_SKULL = "skull"
_LIMBS = 2
"""What may be any more parts than that is nowhere in particular."""
_ROUNDS = 8
"""Rounds of Dying to cross off; hardly anybody can still be stabilised then."""


# --- conditions ------------------------------------------------------------------------------------------------------


def conditions(system: System) -> CardSet:
    """One card for each condition that has a name: what it does, what brings it, and lines for where and how long."""
    named = {name: condition for name, condition in system.head.conditions.items() if condition.name}
    brought = _brought(system)
    faces = tuple(_condition(name, condition, brought.get(name, []), system) for name, condition in named.items())
    trails: dict[str, tuple[str | int, ...]] = {name: ("conditions", name) for name in named}
    return CardSet(f"the conditions of {system.head.id}", faces, "system.yaml", trails)


def _condition(name: str, condition: Condition, brought: Sequence[Suffer], system: System) -> Face:
    endings = {effect.until.word for effect in brought}
    injury, counted = not endings.isdisjoint(DAYS), not endings.isdisjoint(DAYS[:-1])
    lines = tuple(Effect(sentence.says, sentence.until) for sentence in condition_sentences(condition, system))
    parts: list[Part] = [*_emblem(_sign(name, system)), Title(condition.name or "")]
    parts += [Rule("injury" if injury else "condition"), *lines]
    short = condition_telegraph(condition, system)
    if name == system.injuries.dying:
        short += f"; {_stabilising(system)}"
        parts += [Effect("cross one off as it ends", "", "Rounds spent so"), Track(_steps(_ROUNDS))]
    parts.append(Short(short))
    if injury and is_local(system, name):
        parts.append(Blank("Where"))
    if condition.chances:
        parts.append(Blank("Saves on day"))
    elif counted:
        parts.append(Blank("Days left"))
    elif any(effect.until.amount for effect in brought):
        parts.append(Blank("Until"))
    parts += [Flavour(text)] if (text := _origin(name, system)) else []
    for_good = injury and not counted and not condition.chances
    parts += [_severity_badge(system)] if injury and (lasting_counts(system) or not for_good) else []
    parts += [Badge("permanent", "", "for good")] if for_good else []
    deadly = name in (system.injuries.dying, *_killing(system))
    return Face(name, _DEADLY if deadly else _PLAIN, tuple(parts), _YIELDS)


def _severity_badge(system: System, injuries: int = 1, caption: str = "severity") -> Badge:
    """What so many injuries add to the severity of the next blow."""
    return Badge("score", f"+{system.injuries.per_injury * injuries}", caption)


def _stabilising(system: System) -> str:
    """How somebody is saved, in telegraph style."""
    rules = system.injuries
    part, less = rules.stabilise_part, f"{MINUS}{rules.stabilise_round}"
    return f"helper's {rules.stabilise_die.spoken}: Tal/{part} or less, {less} a round"


def _steps(most: int) -> tuple[str, ...]:
    return tuple(map(str, range(1, most + 1)))


def _emblem(sign: str) -> tuple[Emblem, ...]:
    return (Emblem(sign, ""),) if sign else ()


def _sign_of(column: str, system: System) -> str:
    """The sign of a column: the parts of the body that are hit, or what does it."""
    if column in system.head.parts:
        return column
    kinds = [kind for kind, aim in system.injuries.damage.items() if aim.column == column]
    places = [place for kind in kinds for place in places_of(system, kind)]
    return " ".join(places) or next((_SIGNS[kind] for kind in kinds if kind in _SIGNS), "")


def _sign(name: str, system: System) -> str:
    """The sign of a condition: where it hurts, if that is one part or a pair of limbs; a skull for death."""
    if name in _killing(system):
        return _SKULL
    columns = {result.column for result in _results(system, _bringing(name)) if result.column}
    parts = [column for column in system.head.parts if column in columns]
    if parts:
        return " ".join(parts) if len(parts) <= _LIMBS else ""
    if columns:
        return _sign_of(columns.pop(), system) if len(columns) == 1 else ""
    conditions = system.head.conditions
    signs = {_sign(other, system) for other, known in conditions.items() if brings(known.implies, name)}
    return signs.pop() if len(signs) == 1 else ""


def _killing(system: System) -> Iterator[str]:
    """The condition that kills, and those that come with it."""
    yield system.injuries.slain
    for _, effect in walk(system.head.conditions[system.injuries.slain].implies):
        if isinstance(effect, Suffer):
            yield effect.condition


def _brought(system: System) -> dict[str, list[Suffer]]:
    """Everything in tables and conditions that brings a condition, by its name."""
    found: dict[str, list[Suffer]] = {}
    everything = [effects for table in system.tables for row in table.rows for effects in _cells(row)]
    everything += [condition.implies for condition in system.head.conditions.values()]
    for effects in everything:
        for _, effect in walk(effects):
            if isinstance(effect, Suffer):
                found.setdefault(effect.condition, []).append(effect)
    return found


def _cells(row: Row) -> Iterator[tuple[AnyEffect, ...]]:
    yield row.effects
    yield from (cell for cell in row.cells.values() if isinstance(cell, tuple))


def _origin(name: str, system: System) -> str:
    """What brings a condition: `Arm 5-10, Leg 5-10; with Ruined`."""
    blows = [f"{result.title} {result.at}" for result in _results(system, _bringing(name))]
    others = [
        condition.name
        for condition in system.head.conditions.values()
        if condition.name and brings(condition.implies, name)
    ]
    said = [", ".join(blows)] if blows else []
    said += [f"with {', '.join(others)}"] if others else []
    return capital("; ".join(said))


# --- results of a blow -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Result:
    """One result of the severity tables: where it stands, and what it does. `column` is empty for all of them."""

    table: Table
    row: int
    column: str
    at: Span
    cell: Cell

    @property
    def title(self) -> str:
        return self.table.columns[self.column].title if self.column else self.table.title

    @property
    def code(self) -> str:
        return f"{self.column or self.table.id}-{self.at.low}"

    @property
    def words(self) -> tuple[str, str]:
        """The name and the note of its row."""
        row = self.table.rows[self.row]
        return row.name or "", row.note or ""


def _results(system: System, alike: Callable[[Row, str], object]) -> Iterator[_Result]:
    """The results of all severity tables, column by column. Rows next to each other that are `alike` there are one;
    those with nothing alike, an empty value, are left out."""
    for name in dict.fromkeys(aim.table for aim in system.injuries.damage.values()):
        table = system.table(name)
        if table is None:
            continue
        apart = [row for row in table.rows if table.columns and not row.cells]
        for column in table.columns or ("",):
            yield from _runs(table, column, [row for row in table.rows if row not in apart], alike)
        yield from _runs(table, "", apart, alike)


def _runs(table: Table, column: str, rows: Sequence[Row], alike: Callable[[Row, str], object]) -> Iterator[_Result]:
    for same, found in groupby(rows, lambda row: alike(row, column)):
        run = list(found)
        first, last = run[0].at, run[-1].at
        if same and first and last:
            place = table.rows.index(run[0])
            yield _Result(table, place, column, Span(first.low, last.high), run[0].cell(column))


def _says(row: Row, column: str) -> tuple[Cell, str | None, str | None] | None:
    """All that a row says in a column; None where it says nothing."""
    said = (row.cell(column), row.name, row.note)
    return said if any(said) else None


def _bringing(name: str) -> Callable[[Row, str], bool]:
    return lambda row, column: brings(row.cell(column), name)


def severity(system: System) -> CardSet:
    """One card for each result of the severity tables, to be looked out and handed to whoever is hit."""
    places = {table.id: at for at, table in enumerate(system.tables)}
    results = list(_results(system, _says))
    faces = tuple(_result(result, system) for result in results)
    trails: dict[str, tuple[str | int, ...]] = {
        result.code: ("tables", places[result.table.id], "rows", result.row) for result in results
    }
    return CardSet(f"the results of {system.head.id}", faces, "tables.yaml", trails)


def _result(result: _Result, system: System) -> Face:
    effects = result.cell if isinstance(result.cell, tuple) else ()
    brought = [effect for effect in effects if isinstance(effect, Suffer)]
    left = left_by(effects, system, result.column if result.column in system.head.parts else "")
    deadly = any(effect.condition in (system.injuries.dying, system.injuries.slain) for effect in brought)
    lines = [line for effect in effects for line in _told(effect, result, system)]
    sign = (
        _SKULL if system.injuries.slain in [effect.condition for effect in brought] else _sign_of(result.column, system)
    )
    name, note = result.words
    brief, keyed = (brief_text(result.cell, system, keys=keys) for keys in (False, True))
    said = filled(note, system).removesuffix(".")
    parts: list[Part] = [
        Index(str(result.at.low), ""),
        *_emblem(sign),
        Title(f"{result.title if result.column else 'Anywhere'} {result.at}"),
        Rule(result.table.title),
        *([Effect(name, "")] if name else []),
        *(lines or ([Effect(brief, "")] if brief else [])),
        *([Effect(said, "")] if said else []),
        Short(". ".join(filter(None, (name, keyed, said)))),
    ]
    parts += [Blank(f"{system.head.conditions[effect.condition].name} in") for effect in brought if effect.after]
    return Face(result.code, _DEADLY if deadly else _PLAIN, (*parts, *_to_keep(left, system)), _YIELDS)


def _to_keep(left: Left, system: System) -> Iterator[Part]:
    """Lines for how long each injury lasts, named where there may be another; and what all of them add (G7)."""
    known = system.head.conditions
    alone = left.most == len(left.counted) == 1
    for name in left.counted:
        yield Blank("Days left" if alone else f"{known[name].name or known[name].says}, days left")
    if left.saved:
        yield Blank("Saves on day")
    if left.least < left.most:
        yield _severity_badge(system, left.least, "or" if left.most == left.least + 1 else "to")
    if left.most:
        yield _severity_badge(system, left.most)


def _told(effect: AnyEffect, result: _Result, system: System) -> Iterator[Effect]:
    """An effect of a cell: a condition by its name and what it is, then what comes with it where the blow hit."""
    sentences = effect_sentences(effect, system)
    if not isinstance(effect, Suffer) or effect.after:
        yield from (Effect(sentence.says, sentence.until) for sentence in sentences)
        return
    condition = system.head.conditions[effect.condition]
    yield Effect(condition.says, sentences[0].until, condition.name or "")
    part = result.column if result.column in system.head.parts else ""
    yield from (Effect(each.says, each.until) for each in implied_sentences(condition, system, part, effect.until))


# --- breakdowns and madness ------------------------------------------------------------------------------------------


def _as_shipped(name: str, table: str) -> SetMaker:
    """The cards of a table that the procedure names, for a pack from before `cards`: as the system that ships has them.

    A pack that says under `cards` what is printed has those instead.
    """

    def made(system: System) -> CardSet:
        head = content.load(content.find("glog")).system.head
        block = next(block for block in head.cards if block.name == name)
        source = CardSource(table=getattr(system.injuries, table))
        return cards_of.made(msgspec.structs.replace(block, from_=source), system)

    return made


SETS: Mapping[str, SetMaker] = {
    "conditions": conditions,
    "severity": severity,
    "breakdowns": _as_shipped("breakdowns", "breakdown_table"),
    "madness": _as_shipped("madness", "madness_table"),
}
