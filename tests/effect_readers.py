"""Everything that reads effects, tried with one effect of each kind: who lacks a kind is named."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from msgspec import inspect

import generator
from generator.base.dice import Dice
from generator.check import content_checks
from generator.games import content_of, game_of, plain_entry
from generator.games.steps.engine import EventRun
from generator.model.rules import (
    KINDS,
    UNPLAYED,
    AnyEffect,
    Card,
    Condition,
    Drawing,
    Effect,
    Lasting,
    Save,
    Step,
    Suffer,
    System,
    Until,
    walk_effects,
)
from generator.pack.load import load_pack
from generator.pack.pack_locations import find
from generator.pack.strict_yaml import Marks
from generator.play.apply_effects import EffectApplier, WoundContext
from generator.play.chance import Seeded
from generator.words.effect_words import effect_words
from generator.words.effects import effects_telegraph
from generator.words.rolled_text import rolled_text

ROOT = Path(generator.__file__).parents[1]
NAMED = {"condition": "conditions", "statistic": "statistics", "of": "statistics", "to": "statistics", "part": "parts"}
"""The keys of an effect that name something, and where in `system.yaml` that is."""
LASTING = {str(kind.__struct_config__.tag) for kind in KINDS if issubclass(kind, Lasting)}
TITLE = "Xyzzy"
TWO_DAYS = Until.span(2, "day")


@cache
def system(name: str) -> System:
    examples = ROOT / "docs" / "examples" / name
    return load_pack(examples if examples.is_dir() else find(name)).system


@cache
def written(name: str) -> dict[type[Effect], AnyEffect]:
    """The first effect of each kind in the content of a system, those inside others among them."""
    head, found = system(name).head, []
    for card in system(name).cards.values():
        found += [*card.effects, *card.for_good]
    found += [effect for condition in head.conditions.values() for effect in condition.implies]
    found += [effect for event in head.events.values() for effect in event.do_]
    for row in (row for table in system(name).tables for row in table.rows):
        found += [effect for cell in (row.effects, *row.cells.values()) if isinstance(cell, tuple) for effect in cell]
    return {type(effect): effect for _, effect in reversed([*walk_effects(tuple(found))])}


def built(kind: type[Any], on: System) -> Any:
    """An effect that has no keys but those it must have, with names of that system."""
    described = inspect.type_info(kind)
    assert isinstance(described, inspect.StructType)
    return kind(**{field.name: _value(field.type, field.name, on) for field in described.fields if field.required})


def _value(kind: inspect.Type, name: str, on: System) -> Any:
    match kind:
        case inspect.Metadata():
            return _value(kind.type, name, on)
        case inspect.CustomType():
            # Under severity tables a condition alone lasts; what comes with it lasts as long.
            lasts = Until("same") if on.kind == "steps" else TWO_DAYS
            return lasts if kind.cls is Until else Dice(1, 6)
        case inspect.LiteralType():
            return kind.values[0]
        case inspect.IntType() | inspect.BoolType():
            return 1
        case inspect.StrType():
            return next(iter(getattr(on.head, NAMED[name]))) if name in NAMED else "shield"
        case inspect.VarTupleType():
            return (_value(kind.item_type, name, on),) * (kind.min_length or 1)
        case inspect.UnionType():
            # What stands inside another is a condition wherever any effect may stand.
            suffered = (option for option in kind.types if getattr(option, "cls", None) is Suffer)
            return _value(next(suffered, kind.types[0]), name, on)
        case inspect.StructType():
            return built(kind.cls, on)
        case _:
            raise AssertionError(f"give `{name}` a value here")


def sample(kind: type[Any], name: str) -> AnyEffect:
    effect: AnyEffect = written(name).get(kind) or built(kind, system(name))
    return effect


# --- the readers -----------------------------------------------------------------------------------------------------


class Drawn(Seeded):
    """Seeded luck, but the two of clubs lies on top."""

    def card(self, left: Sequence[str]) -> str:
        return "2C" if "2C" in left else super().card(left)


def _says(effect: AnyEffect, on: System) -> None:
    words = effect_words(effect, on)
    assert all(sentence.says for sentence in words.sentences)
    assert effects_telegraph([effect], on)


def _comes_out(effect: AnyEffect, on: System) -> None:
    rolled_text([effect], on, lambda dice: dice.least)


def _played(effect: AnyEffect, on: System, *, wounds: bool) -> None:
    """A hit draws a card with the effect; or a condition brings it, where there are no cards of wounds.

    A save stands in conditions alone.
    """
    log, says = (_hit if on.deck and not isinstance(effect, Save) else _blow)(effect, on)
    if not wounds:
        return
    left = [entry["effect"] for entry in log if entry["kind"] == "wound"]
    assert all(name in LASTING or name in on.head.conditions for name in left if name != "probe")
    assert isinstance(effect, Lasting) or effect.do not in left
    for line in [entry["text"] for entry in log if entry["kind"] == "wound"] + says:
        assert TITLE not in line, "a wound is told by its card's title"
        assert line.strip(" ."), "a wound is told as nothing"
        assert "halved" not in line or effect.do == "halve"


Told = list[dict[str, Any]]


def _hit(effect: AnyEffect, on: System) -> tuple[Told, list[str]]:
    """The log of a hit that draws the effect, and the wounds that the state lists after it."""
    assert on.deck
    cards = tuple(
        msgspec.structs.replace(card, name=TITLE, effects=(effect,), blood=None) if card.code == "2C" else card
        for card in on.deck.cards
    )
    probed = replace(on, deck=msgspec.structs.replace(on.deck, cards=cards))
    game = game_of(probed)
    after, log = game.step(game.read_state({"hp": 0}), game.read_event(["hit", "2"], {}), Drawn(1, [1] * 9))
    plain = game.plain_state(after)
    wounds = game.wounds([*plain["wounds"], *plain["permanent"]])
    return [plain_entry(entry, probed) for entry in log], [says for _, says, _ in wounds]


def _blow(effect: AnyEffect, on: System) -> tuple[Told, list[str]]:
    """The log of a condition that brings the effect; what a state lists are conditions alone."""
    conditions = {**on.head.conditions, "probe": Condition(says="You are probed", implies=(effect,))}
    probed = replace(on, head=msgspec.structs.replace(on.head, conditions=conditions))
    brings = (Suffer(condition="probe", until=TWO_DAYS),)
    game = game_of(probed)
    event_run = EventRun(probed, game.read_state({}), Seeded(1))
    pen = EffectApplier(probed, "probe", WoundContext())
    event_run.play(brings, pen)
    game.left_by(brings)
    return [plain_entry(entry, probed) for entry in event_run.log], []


def _counted(effect: AnyEffect, on: System) -> None:
    """Only what is settled while cards are drawn draws more of them."""
    if isinstance(effect, Save):
        return
    drawn = sum(entry["kind"] == "draw" for entry in _hit(effect, on)[0])
    assert drawn == 1 or isinstance(effect, Drawing)


def _checked(effect: AnyEffect, on: System) -> None:
    """A name that is not there is a fault, whatever key it stands in."""
    assert on.deck
    for key in {*NAMED, "where", "per", "unless"} & {*effect.__struct_fields__}:
        wrong = ("nosuch",) if isinstance(getattr(effect, key), tuple) else "nosuch"
        card = Card(code="2C", name=TITLE, effects=(msgspec.structs.replace(effect, **{key: wrong}),))
        probed = replace(on, deck=msgspec.structs.replace(on.deck, cards=(card,)))
        found = content_checks.problems(probed, {"deck.yaml": Marks("deck.yaml")})
        assert any("nosuch" in problem.message for problem in found), key


def _walked(effect: AnyEffect, on: System) -> None:
    """Effects inside effects are found, in whatever key they stand."""
    del on

    def inside(held: Any) -> Iterator[Effect]:
        if isinstance(held, Effect):
            yield held
        parts = held if isinstance(held, tuple) else held.values() if isinstance(held, dict) else ()
        for part in map(held.__getattribute__, held.__struct_fields__) if isinstance(held, Effect) else parts:
            yield from inside(part)

    assert [*inside(effect)] == [found for _, found in walk_effects((effect,))]


def _in_reference(effect: AnyEffect, on: System) -> None:
    del on
    assert f"\n### `{effect.do}`\n" in (ROOT / "docs" / "reference.md").read_text(encoding="utf-8")


READERS: dict[str, tuple[tuple[str, ...], Callable[[AnyEffect, System], None]]] = {
    "sentence and short form": (("hackjack", "glog", "deadlands"), _says),
    "words of the wound": (("hackjack", "glog"), lambda effect, on: _played(effect, on, wounds=True)),
    "what came out of a table": (("hackjack", "glog"), _comes_out),
    "play": (("hackjack", "glog"), lambda effect, on: _played(effect, on, wounds=False)),
    "count": (("hackjack",), _counted),
    "check": (("hackjack", "deadlands"), _checked),
    "walk": (("hackjack", "glog"), _walked),
    "reference for authors": (("hackjack",), _in_reference),
}


PLAYED = ("words of the wound", "what came out of a table", "play")
OWN = ("criticals", "scars")
"""Systems with events of their own: steps stand nowhere else, and their rehearsal plays them."""
STEPPED = ("sentence and short form", "what came out of a table", "walk", "reference for authors")


def lacking(kind: type[Any]) -> Iterator[str]:
    """The readers that do not know a kind of effect, with the system where that shows."""
    steps = issubclass(kind, Step)
    for reader, (names, read) in READERS.items():
        for name in names if not steps else OWN if reader in STEPPED else ():
            if steps and kind not in written(name):
                continue
            effect = sample(kind, name)
            if (system(name).kind, effect.do) in UNPLAYED:
                continue
            if any(content_of(system(name)).effect_faults(effect, (), implied=True)):
                continue
            try:
                read(effect, system(name))
            except (KeyError, AssertionError):
                yield f"{name}: {reader}"
