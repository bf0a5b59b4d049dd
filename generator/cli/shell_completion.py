"""What the tab key of the shell completes behind a command: systems, products, targets, events and the like.

Each of the public names is given to click as `shell_complete`. Everything is loaded on first use.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from generator.base.errors import HackjackError
from generator.model.rules import System

Complete = Callable[[click.Context, click.Parameter, str], list[str]]
Known = Callable[[System, click.Context, str], Iterable[str]]
"""What a system knows, for a call and the word that was begun."""


def _offered(*sources: str) -> Complete:
    """Names that are the same for every call: where each lies, `module:name`, or a word that is one itself."""

    def complete(context: click.Context, parameter: click.Parameter, begun: str) -> list[str]:
        del context, parameter
        words: list[str] = []
        for source in sources:
            module, _, name = source.rpartition(":")
            with suppress(HackjackError):
                known: Any = getattr(import_module(f"generator.{module}"), name) if module else [name]
                words += known() if callable(known) else known
        return _beginning(begun, words)

    return complete


def _of_system(known: Known) -> Complete:
    """Names that belong to the system which was typed before; none where its content cannot be read."""

    def complete(context: click.Context, parameter: click.Parameter, begun: str) -> list[str]:
        del parameter
        # While the value of an option is typed, click has not yet given the arguments their names.
        system = context.params.get("system") or next(iter(context.args), None)
        return _known_by(system, known, context, begun)

    return complete


def _known_by(system: str | None, known: Known, context: click.Context, begun: str) -> list[str]:
    from generator.pack import content, pack_locations

    packs: Iterable[Path] = context.params.get("pack") or ()
    with suppress(HackjackError):
        folders = tuple(packs) or ((pack_locations.find(system),) if system else ())
        return _beginning(begun, known(content.load_named(folders).system, context, begun)) if folders else []
    return []


def _beginning(begun: str, known: Iterable[str]) -> list[str]:
    return [word for word in known if word.casefold().startswith(begun.casefold())]


def _products(system: System, _: click.Context, __: str) -> Iterable[str]:
    from generator.products import bundles_of, products_of

    return (*products_of(system), *bundles_of(system))


def _events(system: System, context: click.Context, _: str) -> Iterable[str]:
    from generator.games import game_of

    if context.params.get("event"):
        return ()
    return game_of(system).QUESTIONS if context.command.name == "odds" else game_of(system).EVENTS


def _house_rules(system: System, _: click.Context, begun: str) -> Iterable[str]:
    """The switches and numbers; behind `NAME=` the options of that switch."""
    name, equals, _rest = begun.partition("=")
    if not equals:
        return (f"{each}=" for each in (*system.switches, *system.numbers))
    return (f"{name}={option}" for option in (system.switches[name].options if name in system.switches else ()))


def _prompt(system: System, _: click.Context, __: str) -> Iterable[str]:
    from generator.games import game_of
    from generator.session import prompt

    return prompt.commands(game_of(system))


commands = _offered("cli:COMMANDS")
systems = _offered("pack.content:shipped", "pack.pack_locations:installed")
targets = _offered("layout.targets:targets_by_name", "all")
themes = _offered("pack.themes:shipped")
card_sizes = _offered("layout.sheets:card_sizes")
papers = _offered("layout.sheets:paper_sizes")
campaigns = _offered("session.campaigns:campaigns")
products = _of_system(_products)
events = _of_system(_events)
tables = _of_system(lambda system, _, __: (table.id for table in system.tables))
cards = _of_system(lambda system, _, __: system.cards)
house_rules = _of_system(_house_rules)


def words(context: click.Context, parameter: click.Parameter, begun: str) -> list[str]:
    """Behind `play`: systems and commands first, then the commands of the system."""
    typed = context.params.get("words") or ()
    if typed:
        return _known_by(typed[0], _prompt, context, begun) if len(typed) == 1 else []
    from generator.pack.pack_locations import USUAL_SYSTEM

    return [*systems(context, parameter, begun), *_known_by(USUAL_SYSTEM, _prompt, context, begun)]
