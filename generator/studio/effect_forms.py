"""Forms for effects: every kind that a system plays as a sentence to choose, and the fields that such an effect has.

Nothing of it is written by hand: fields come from the types, sentences from an effect of the kind that the system has,
or else from the plainest one that is possible in it.
"""

from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from typing import Any

import msgspec
from msgspec import Struct, inspect

from generator.base.dice import Dice
from generator.base.emblem_names import EMBLEMS
from generator.base.errors import HackjackError
from generator.base.naming import naming
from generator.base.sentences import plural
from generator.check.content_checks import judge
from generator.model.formulas import Formula
from generator.model.procedures import Steps
from generator.model.rules import (
    KINDS,
    LASTING,
    UNPLAYED,
    AnyEffect,
    Effect,
    Step,
    System,
    Until,
    missing_end,
    not_played,
    plain_value,
    read_custom,
    walk_effects,
)
from generator.pack.schema import wanted
from generator.paper.art import emblem_path
from generator.words.effect_words import effect_sentences
from generator.words.wording import capitalised

_TEXTS: Mapping[type, tuple[str, Any]] = {Dice: ("dice", "d6"), Until: ("until", "1 day"), Formula: ("dice", 1)}
_OWN_KEYS = ("says", "log", "ruling", "reconstructed")
"""What no form asks for, as long as it is not there."""


class FormField(Struct, frozen=True):
    """A field of a form. `kind` is text, number, dice, tick, one, name, names, until, effects, or else plain."""

    name: str
    title: str
    says: str
    kind: str
    needed: bool
    of: str = ""
    values: tuple[str, ...] = ()
    sample: Any = None


class EffectForm(Struct, frozen=True):
    """A kind of effect: a sentence to choose it by, an effect to begin with (None if the system plays none), fields."""

    do: str
    says: str
    begins: dict[str, Any] | None
    fields: tuple[FormField, ...]


class Forms(Struct, frozen=True):
    """All kinds of effects, and the names that a system has of each kind of thing, with what they say."""

    kinds: tuple[EffectForm, ...]
    names: dict[str, dict[str, str]]


def forms(system: System) -> Forms:
    """Return the forms of a system's effects."""
    head = system.head
    names = {
        "condition": {name: each.name or each.brief or each.says for name, each in head.conditions.items()},
        "statistic": {name: each.name for name, each in head.statistics.items()},
        "part": {name: each.name for name, each in head.parts.items()},
        "table": {table.id: table.title for table in system.tables},
        "event": {name: each.says for name, each in head.events.items()},
        "deck": {name: deck.title for name, deck in system.piles.items()},
        "ruling": {each.id: each.point for each in head.rulings},
        "unit of time": {unit: plural(unit) for unit in system.units},
        "until": dict(LASTING),
    }
    making = _Making(system, names)
    return Forms(tuple(making.form(kind) for kind in KINDS), names)


def emblems() -> dict[str, tuple[str, str]]:
    """Return what each emblem shows, and its drawing as an SVG path."""
    return {name: (says, emblem_path(name, ".0f")) for name, says in EMBLEMS.items()}


@cache
def _shapes() -> Mapping[type[Effect], inspect.StructType]:
    """Return the fields of every kind of effect: read together, because effects contain each other."""
    return {
        kind: shape
        for kind, shape in zip(KINDS, inspect.multi_type_info(KINDS), strict=True)
        if isinstance(shape, inspect.StructType)
    }


class _Making:
    """Makes the forms of one system."""

    def __init__(self, system: System, names: Mapping[str, Mapping[str, str]]) -> None:
        self._system, self._names, self._judge = system, names, judge(system)
        cards = (card for pile in system.piles.values() for card in pile.cards)
        rows = (row for table in system.tables for row in table.rows)
        lists = (*(card.effects for card in cards), *(effects for row in rows for _, effects in row.lists))
        self._used = [effect for effects in lists for _, effect in walk_effects(effects)]

    def form(self, kind: type[Effect]) -> EffectForm:
        """Return the form of a kind of effect."""
        shape = _shapes()[kind]
        nouns = {name: values[0].noun for name, _, values in naming(kind) if values}
        fields = tuple(_field(each, nouns.get(each.name, ""), self._names) for each in shape.fields)
        begins, says = self._beginning(kind, str(shape.tag), fields)
        shown = tuple(each for each in fields if each.name not in _OWN_KEYS)
        return EffectForm(str(shape.tag), says or capitalised(str(kind.__doc__)), begins, shown)

    def _beginning(
        self, kind: type[Effect], do: str, fields: tuple[FormField, ...]
    ) -> tuple[dict[str, Any] | None, str]:
        """Return an effect of the kind to begin with, and its sentence; None if the system does not play it.

        Of steps, which belong to events, only those are offered that some row or card does.
        """
        system, procedure = self._system, self._system.head.procedure
        own = isinstance(procedure, Steps)
        if (system.kind, do) in UNPLAYED or (own and not_played(do, getattr(procedure, "plays", ()))):
            return None, ""
        used = [plain_value(each) for each in self._used if type(each) is kind and getattr(each, "says", None) is None]
        plainest = {"do": do} | {each.name: each.sample for each in fields if each.needed}
        lasting = [plainest | {"until": "permanent"}] if "until" in plainest else []
        for written in (*used[:1], *(() if issubclass(kind, Step) else (plainest, *lasting))):
            with suppress(msgspec.ValidationError, HackjackError, LookupError, ValueError):
                effect = msgspec.convert(written, AnyEffect, dec_hook=read_custom)
                by_card = bool(getattr(procedure, "by_card", False))
                endless = missing_end(system.kind, do, written.get("until"), (), by_card=by_card)
                says = " ".join(map(str, effect_sentences(effect, system)))
                if says and (written in used or not (endless or any(self._judge(effect)))):
                    return {"do": do, **written}, says
        return None, ""


def _field(field: inspect.Field, noun: str, names: Mapping[str, Mapping[str, str]]) -> FormField:
    kind, of, values, sample = _shape(_bare(field.type), noun, names)
    title = capitalised(field.encode_name.replace("_", " "))
    says = wanted(field.type) if field.encode_name not in ("until",) else "how long it lasts"
    return FormField(field.encode_name, title, says, kind, field.required, of, values, sample)


def _shape(
    kind: inspect.Type, noun: str, names: Mapping[str, Mapping[str, str]]
) -> tuple[str, str, tuple[str, ...], Any]:
    """Return how a field is edited, of which names, with which words, and a value to begin with."""
    first = next(iter(names.get(noun, ())), "x")
    match kind:
        case inspect.CustomType():
            how, sample = _TEXTS.get(kind.cls, ("dice", 1))
            return how, "until" if how == "until" else "", (), sample
        case inspect.LiteralType():
            return "one", "", tuple(map(str, kind.values)), kind.values[0]
        case inspect.BoolType():
            return "tick", "", (), True
        case inspect.IntType():
            return "number", "", (), max(1, kind.ge or 1)
        case inspect.StrType():
            return ("name", noun, (), first) if noun in names else ("text", "", (), "x")
        case inspect.VarTupleType():
            item = _bare(kind.item_type)
            if isinstance(item, inspect.StrType) and noun in names:
                return "names", noun, (), [first]
            inner = item.types if isinstance(item, inspect.UnionType) else (item,)
            if all(isinstance(each, inspect.StructType) and each.tag_field == "do" for each in inner):
                return "effects", "", (), []
    return "plain", "", (), {}


def _bare(kind: inspect.Type) -> inspect.Type:
    """Return a type without its limits, and without the possibility that it is left out."""
    if isinstance(kind, inspect.Metadata):
        return _bare(kind.type)
    if isinstance(kind, inspect.UnionType):
        options = [option for option in kind.types if not isinstance(option, inspect.NoneType)]
        return _bare(options[0]) if len(options) == 1 else kind
    return kind
