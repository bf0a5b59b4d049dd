"""What the tab key of the shell completes behind a command: systems, products, targets, events and the like.

Each function is given to click as `shell_complete`. Nothing is loaded before it is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

import click

from generator.base.errors import HackjackError
from generator.model.rules import System

Complete = Callable[[click.Context, click.Parameter, str], list[str]]


def commands(context: click.Context, parameter: click.Parameter, begun: str) -> list[str]:
    """The commands of the program."""
    del context, parameter
    from generator.cli import COMMANDS

    return _beginning(begun, COMMANDS)


def systems(context: click.Context, parameter: click.Parameter, begun: str) -> list[str]:
    """The systems that ship, and the packs that are installed."""
    del context, parameter
    from generator.pack import content
    from generator.pack.pack_locations import installed

    with suppress(HackjackError):
        return _beginning(begun, (*content.shipped(), *installed()))
    return []


def targets(context: click.Context, parameter: click.Parameter, begun: str) -> list[str]:
    """The targets of `hackjack list targets`."""
    del context, parameter
    from generator.layout.targets import targets as known

    return _beginning(begun, (*known(), "all"))


def themes(context: click.Context, parameter: click.Parameter, begun: str) -> list[str]:
    """The themes of `hackjack list themes`."""
    del context, parameter
    from generator.pack.themes import shipped

    return _beginning(begun, shipped())


def card_sizes(context: click.Context, parameter: click.Parameter, begun: str) -> list[str]:
    """The sizes of cards that have names."""
    del context, parameter
    from generator.layout.sheets import cards as known

    return _beginning(begun, (*known(), "all"))


def papers(context: click.Context, parameter: click.Parameter, begun: str) -> list[str]:
    """The sizes of paper that have names."""
    del context, parameter
    from generator.layout.sheets import papers as known

    return _beginning(begun, (*known(), "all"))


def campaigns(context: click.Context, parameter: click.Parameter, begun: str) -> list[str]:
    """The campaigns that there are."""
    del context, parameter
    from generator.session.campaigns import campaigns as known

    with suppress(HackjackError):
        return _beginning(begun, (*known(), "all"))
    return []


def products(context: click.Context, parameter: click.Parameter, begun: str) -> list[str]:
    """The products of the system that was typed before."""
    del parameter

    def known(system: System) -> Iterable[str]:
        from generator.products import products_of

        return products_of(system)

    return _of_system(context, begun, known)


def events(context: click.Context, parameter: click.Parameter, begun: str) -> list[str]:
    """The events of the system that was typed before, or what odds are asked of."""
    del parameter

    def known(system: System) -> Iterable[str]:
        from generator.games import game_of

        game = game_of(system)
        return game.QUESTIONS if context.command.name == "odds" else game.EVENTS

    return [] if context.params.get("event") else _of_system(context, begun, known)


def tables(context: click.Context, parameter: click.Parameter, begun: str) -> list[str]:
    """The tables of the system that was typed before."""
    del parameter
    return _of_system(context, begun, lambda system: (table.id for table in system.tables))


def cards(context: click.Context, parameter: click.Parameter, begun: str) -> list[str]:
    """The codes of the cards of the system that was typed before."""
    del parameter
    return _of_system(context, begun, lambda system: system.cards)


def house_rules(context: click.Context, parameter: click.Parameter, begun: str) -> list[str]:
    """The switches and numbers of the system that was typed before; behind `NAME=` the options of that switch."""
    del parameter

    def known(system: System) -> Iterable[str]:
        name, equals, _ = begun.partition("=")
        if not equals:
            return (f"{each}=" for each in (*system.switches, *system.numbers))
        return (f"{name}={option}" for option in (system.switches[name].options if name in system.switches else ()))

    return _of_system(context, begun, known)


def words(context: click.Context, parameter: click.Parameter, begun: str) -> list[str]:
    """Behind `play`: systems and commands first, then the commands of the system."""
    typed = context.params.get("words") or ()
    if len(typed) > 1:
        return []

    def known(system: System) -> Iterable[str]:
        from generator.games import game_of
        from generator.session import prompt

        return prompt.commands(game_of(system))

    if typed:
        return _of_system(context, begun, known, typed[0])
    from generator.pack.pack_locations import USUAL_SYSTEM

    return [*systems(context, parameter, begun), *_of_system(context, begun, known, USUAL_SYSTEM)]


def _of_system(
    context: click.Context, begun: str, known: Callable[[System], Iterable[str]], name: str | None = None
) -> list[str]:
    """What a system knows; nothing where its content cannot be read."""
    from generator.pack import content, pack_locations

    # While the value of an option is typed, click has not yet given the arguments their names.
    system = name or context.params.get("system") or next(iter(context.args), None)
    packs: Iterable[Path] = context.params.get("pack") or ()
    with suppress(HackjackError):
        folders = tuple(packs) or ((pack_locations.find(system),) if system else ())
        return _beginning(begun, known(content.load_named(folders).system)) if folders else []
    return []


def _beginning(begun: str, known: Iterable[str]) -> list[str]:
    return [word for word in known if word.casefold().startswith(begun.casefold())]
