"""What was meant by a call that names no system: `hackjack print deck`, `hackjack card QS`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import click

from generator.base.cards import find_code
from generator.base.errors import HackjackError
from generator.base.text_input import in_any_case
from generator.games import game_of
from generator.model.rules import System
from generator.pack import content, pack_locations


def with_system(context: click.Context) -> str:
    """A sentence that names the call with a system in front; empty where the words fit no system."""
    command = str(context.info_name)
    words = [word for parameter in context.command.params for word in _words(context, parameter)]
    named = next((word for word in words if in_any_case(word, _names()) in _names()), None)
    words = [word for word in words if word != named]
    pack = context.params.get("pack") or ()
    packs = [word for path in pack for word in ("--pack", str(path))]
    if not words or command not in _HAS:
        return ""
    for system in _systems(pack, named):
        with suppress(HackjackError):
            if _HAS[command](words[0], system):
                call = " ".join(("hackjack", command, system.head.id, *words, *packs))
                return f'{command} wants a system first: did you mean "{call}"?'
    return ""


def _words(context: click.Context, parameter: click.Parameter) -> Iterator[str]:
    """The words of a call that are no options."""
    if isinstance(parameter, click.Argument):
        value = context.params.get(str(parameter.name)) or ()
        yield from [str(value)] if isinstance(value, str | Path) else map(str, value)


def _names() -> tuple[str, ...]:
    return (*pack_locations.shipped(), *pack_locations.installed())


def _systems(pack: Sequence[Path], named: str | None) -> Iterator[System]:
    """The systems that may be meant, ours first; those that cannot be read are left out."""
    for packs in [pack] if pack else [(pack_locations.find(name),) for name in ([named] if named else _names())]:
        with suppress(HackjackError):
            yield content.load_named(packs).system


def _prints(word: str, system: System) -> bool:
    from generator.products import products_of

    return in_any_case(word, products_of(system)) in products_of(system)


def _has_card(word: str, system: System) -> bool:
    from generator.games.card_products import face_of

    return face_of(find_code(word) or word, system) is not None


def _has_table(word: str, system: System) -> bool:
    return system.table(in_any_case(word, [table.id for table in system.tables])) is not None


_HAS: dict[str, Callable[[str, System], bool]] = {
    "print": _prints,
    "card": _has_card,
    "table": _has_table,
    "resolve": lambda word, system: in_any_case(word, game_of(system).EVENTS) in game_of(system).EVENTS,
    "odds": lambda word, system: in_any_case(word, game_of(system).QUESTIONS) in game_of(system).QUESTIONS,
}
"""Whether a command's first word after the system means something to one."""
