"""House rules: options of switches and numbers of a procedure, chosen by a pack or as somebody typed them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import msgspec

from generator.base.dice import Dice
from generator.base.errors import Problem, UsageError, did_you_mean
from generator.model.procedures import Procedure, Steps
from generator.model.rules import System
from generator.pack.inherit import YamlValue

Setting = tuple[str, str]


def read_settings(written: Iterable[str]) -> tuple[Setting, ...]:
    """Return house rules from `NAME=VALUE` as typed on the command line. Raises UsageError."""
    pairs = []
    for text in written:
        name, equals, value = text.partition("=")
        if not equals:
            raise UsageError(f'"{text[:60]}" is not a house rule: write NAME=VALUE')
        pairs.append((name.strip(), value.strip()))
    return tuple(pairs)


def with_settings(system: System, settings: Iterable[Setting]) -> System:
    """Return a system under house rules: options of switches, and numbers of the procedure.

    Where a switch and a number have one name, the options come first. Raises UsageError for what there is not.
    """
    chosen: dict[str, str] = dict(system.settings)
    numbers: dict[str, str] = {}
    for name, value in settings:
        switch = system.switches.get(name)
        if switch is not None and (value in switch.options or name not in system.numbers):
            if value not in switch.options:
                raise UsageError(f'{name} cannot be "{value[:60]}": choose {" or ".join(switch.options)}')
            chosen[name] = value
        else:
            numbers[name] = value
    return with_numbers(replace(system, settings=tuple(sorted(chosen.items()))), numbers)


def with_numbers(system: System, numbers: Mapping[str, str]) -> System:
    """Return a system with other numbers in its procedure, by name. Raises UsageError for one that cannot be."""
    if not numbers:
        return system
    procedure = system.head.procedure
    changes: dict[str, Any] = {}
    for name, written in numbers.items():
        if name not in system.numbers:
            names = [*system.switches, *system.numbers]
            hint = did_you_mean(name, names) or f": there are {', '.join(names) or 'none'}"
            raise UsageError(f'{system.head.id} has no ruling switch and no number "{name[:60]}"{hint}')
        value = int(written) if re.fullmatch(r"-?[0-9]{1,9}", written, re.ASCII) else written
        if isinstance(procedure, Steps):
            changes[name] = _constant(name, written, procedure)
            continue
        if message := _number_fault(type(procedure), name, value):
            options = " or ".join(system.switches[name].options) if name in system.switches else ""
            either = f": choose {options}, or another number" if options else ""
            raise UsageError(f'{name} cannot be "{written[:60]}"{either}: {message}')
        changes[name] = Dice.parse(value) if isinstance(getattr(procedure, name), Dice) else value
    if isinstance(procedure, Steps):
        changes = {"constants": {**procedure.constants, **changes}}
    changed = msgspec.structs.replace(procedure, **changes)
    return replace(system, head=msgspec.structs.replace(system.head, procedure=changed))


def _constant(name: str, written: str, procedure: Steps) -> Dice:
    """Return a number or dice in place of one of the author's. Raises UsageError."""
    bounds = procedure.bounds.get(name)
    try:
        constant = Dice.parse(written)
    except ValueError as error:
        if bounds is None:
            raise UsageError(f"{name}: {error}") from error
        constant = None
    if constant is None or (bounds is not None and constant not in bounds):
        raise UsageError(f'{name} cannot be "{written[:60]}": write a whole number {bounds}')
    return constant


def _number_fault(kind: type[Procedure], name: str, value: int | str) -> str:
    """Return why a number of a kind of procedure cannot be so; empty where it can."""
    from generator.pack import schema

    return next((fault.message for fault in schema.faults({name: value}, kind) if fault.trail == (name,)), "")


def chosen_options(system: System, choices: Mapping[str, YamlValue]) -> tuple[list[Setting], list[Problem]]:
    """Return the switches that a pack sets, by their names, and the problems of those that there are not."""
    by_number = {ruling.id: ruling.switch.name for ruling in system.head.rulings if ruling.switch}
    chosen, problems = list[Setting](), list[Problem]()
    for written, value in choices.items():
        name = by_number.get(written, written)
        switch = system.switches.get(name)
        if switch is None:
            without = any(ruling.id == written for ruling in system.head.rulings)
            why = ": this ruling has no switch" if without else did_you_mean(written, system.switches)
            problems.append(value.problem(f'there is no ruling switch "{written}"{why}'))
            continue
        option = str(value.value) if isinstance(value.value, str | int) else ""
        if option in switch.options:
            chosen.append((name, option))
        else:
            problems.append(value.problem(f'{name} cannot be "{option[:60]}": choose {" or ".join(switch.options)}'))
    return chosen, problems
