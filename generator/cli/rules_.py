"""`hackjack rules`: the switches and numbers of a system, what they do, and house rules as a pack."""

import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from generator.base.errors import ContentError, UsageError
from generator.cli import echo, note
from generator.cli.options import json_option, open_pack, pack_options, print_json, quiet_option
from generator.model.rules import System
from generator.pack import founding, pack_locations, scaffold
from generator.pack.load import load_pack
from generator.pack.pack_locations import find, shipped
from generator.words.house_rules import HouseRule, number_rules, switch_rules


@click.command("rules")
@click.argument("system", required=False)
@click.option("--save", "name", metavar="NAME", help="Save what --set changes as a pack in ./NAME.")
@pack_options
@quiet_option
@json_option
def command(
    system: str | None, name: str | None, pack: Sequence[Path], settings: tuple[str, ...], as_json: bool
) -> None:
    """List the switches and numbers of a system: what each does, its options, and what is not at its default.

    Without SYSTEM every system is listed in short. With --save what --set says becomes a pack of yours that extends the
    system, or the pack that --pack names: it is printed, played and shared like any other.
    """
    if system is None and not pack:
        if settings or name:
            raise UsageError("house rules belong to one system: write hackjack rules SYSTEM --set NAME=VALUE")
        _tell_all(as_json=as_json)
        return
    loaded = open_pack(system, pack, settings).system
    if name is not None:
        _save(name, system, pack, loaded)
        return
    if as_json:
        print_json(_shape(loaded))
        return
    echo(f"{loaded.head.id}: {loaded.head.title} {loaded.head.version}", *_told(loaded))


def _tell_all(*, as_json: bool) -> None:
    """Every system that ships and every pack of the user's that can be read."""
    rows = []
    for each in (*shipped(), *pack_locations.installed()):
        try:
            rows.append(load_pack(find(each)).system)
        except ContentError:
            echo(f"{each}: has faults, which hackjack check {each} lists", err=True)
    if as_json:
        print_json({"systems": [_shape(system) for system in rows]})
        return
    for system in rows:
        echo(f"{system.head.id}: {system.head.title} {system.head.version}")
        for rule in switch_rules(system):
            others = ", ".join(value for value in rule.values if value != rule.value)
            echo(f"  {rule.name} = {rule.value} (or {others})")
        if listed := [f"{rule.name} = {rule.value}" for rule in number_rules(system)]:
            echo(*textwrap.wrap(", ".join(listed), 100, initial_indent="  ", subsequent_indent="  "))
    echo("", "hackjack rules SYSTEM says what each does")


def _shape(system: System) -> dict[str, Any]:
    return {"system": system.head.id, "switches": switch_rules(system), "numbers": number_rules(system)}


def _told(system: System) -> list[str]:
    """The switches with their options, then the numbers, then what is not at its default."""
    lines, rules = [], (*switch_rules(system), *number_rules(system))
    for rule in switch_rules(system):
        lines += ["", f"{rule.name} = {rule.value}{_otherwise(rule)}   {rule.ruling}"]
        wide = max(map(len, rule.values))
        lines += [f"  {option:<{wide}}  {sentence}" for option, sentence in rule.readings.items()]
    listed = [(f"{rule.name} = {rule.value}{_otherwise(rule)}", rule) for rule in number_rules(system)]
    wide = max((len(head) for head, _ in listed), default=0)
    lines += [""] if listed else []
    lines += [f"{head:<{wide}}  {rule.does} ({', '.join(rule.values)})" for head, rule in listed]
    changed = [f"{rule.name} = {rule.value}" for rule in rules if rule.changed]
    return [*lines, "", f"not at the default: {', '.join(changed)}" if changed else "everything is at its default"]


def _otherwise(rule: HouseRule) -> str:
    return f" (default: {rule.default})" if rule.changed else ""


def _save(name: str, system: str | None, pack: Sequence[Path], changed: System) -> None:
    """Make a pack of house rules. Raises UsageError, HackjackError."""
    called = founding.pack_name(name)
    target = founding.free_folder(Path(called.id))
    base = open_pack(system, pack, ())
    files = scaffold.house_rules(called, base, changed)
    own = base.system.head.id
    if pack_locations.base_of(target, own) is None:
        raise UsageError(
            f"{name} would extend {own}, which is not found from here: change to the folder that {own} lies in"
        )
    founding.write_pack(target, files)
    note(f"{target}: house rules for {own}")
    note(f"next: hackjack check {target}, then hackjack play {called.id} --pack {target}")
