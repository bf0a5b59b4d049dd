"""What commands have in common: options, the pack they name, and JSON on standard output."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import click
import msgspec

from generator import checks, content, shelf
from generator.errors import ContentError, UsageError
from generator.rules import write_custom

Command = TypeVar("Command", bound=Callable[..., Any])


def json_option(command: Command) -> Command:
    """`--json`: one document on standard output and nothing else."""
    return click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")(command)


def pack_options(command: Command) -> Command:
    """`--pack` and `--set`, which every command on a system takes."""
    pack = click.option(
        "--pack",
        type=click.Path(path_type=Path),
        metavar="DIR",
        help="Take the content from DIR, or from a pack of yours by its name, instead of ours.",
    )
    settings = click.option(
        "--set",
        "settings",
        multiple=True,
        metavar="NAME=VALUE",
        help="Choose another reading of a ruling, or another number of the procedure: limit=18.",
    )
    return pack(settings(trust_option(command)))


def trust_option(command: Command) -> Command:
    """`--trust`: for as long as the command runs, packs may bring templates of their own."""
    return click.option(
        "--trust",
        is_flag=True,
        expose_value=False,
        callback=_trust,
        help="Use the templates that the pack brings along: you have read them.",
    )(command)


def _trust(context: click.Context, parameter: click.Parameter, value: bool) -> None:
    del parameter
    before = content.TRUSTED.set(value)
    context.call_on_close(lambda: content.TRUSTED.reset(before))


def open_pack(system: str, pack: Path | None, settings: Iterable[str]) -> content.Pack:
    """The system's content, sound. Raises ContentError with every problem, or UsageError."""
    folder = shelf.pack_folder(pack) if pack is not None else shelf.find(system)
    chosen = content.read_settings(settings)
    loaded = content.load(folder)
    own = loaded.system.head.id
    if pack is not None and system not in loaded.names:
        raise UsageError(f'{pack} holds the system "{own}", not "{system[:60]}"')
    if pack is None and system != own:
        raise UsageError(f'{folder} holds the system "{own}": name the folder so, or write id: {system} in system.yaml')
    if found := checks.problems(loaded.system, loaded.marks):
        raise ContentError(found)
    return replace(loaded, system=checks.under(loaded.system, chosen))


def print_json(value: Any) -> None:
    """One JSON document, indented for people."""
    raw = msgspec.json.encode(value, enc_hook=write_custom)
    click.echo(msgspec.json.format(raw, indent=2).decode())
