"""Luck and states on the command line: what `resolve` and `odds` have in common."""

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

import click
import msgspec
from msgspec import Struct

from generator.base.errors import HackjackError, UsageError
from generator.base.files import first_bytes
from generator.base.text_input import decoded, read_number
from generator.cli.options import listed
from generator.games import game_of
from generator.model.rules import System

Command = TypeVar("Command", bound=Callable[..., Any])
MAX_STATE_BYTES = 1_000_000


class Luck(Struct, frozen=True):
    """The state to act on, what the event is about, and where luck comes from, as given on the command line."""

    state: str | None
    at: Mapping[str, str]
    cards: tuple[str, ...]
    dice: tuple[int, ...]
    choices: tuple[int, ...]
    seed: int | None


def luck_options(command: Command) -> Command:
    """`--state --cards --dice --choose --seed`, gathered into one `luck`."""

    @wraps(command)
    def gathered(*args: Any, **values: Any) -> Any:
        luck = Luck(
            values.pop("state"),
            read_at(values.pop("at")),
            listed(values.pop("cards")),
            tuple(read_number("--dice", part) for part in listed(values.pop("dice"))),
            tuple(read_number("--choose", part) for part in listed(values.pop("choose"))),
            values.pop("seed"),
        )
        return command(*args, luck=luck, **values)

    options: tuple[Callable[..., Any], ...] = (
        click.option(
            "--state",
            metavar="FILE|JSON",
            help="The state: a JSON file, - for standard input, or JSON.  [default: fresh]",
        ),
        click.option("--at", multiple=True, metavar="NAME=VALUE", help="An argument of the event: --at type=fire."),
        click.option("--cards", multiple=True, metavar="A,B", help="The cards drawn, in order."),
        click.option("--dice", multiple=True, metavar="4,6", help="The dice rolled, each face, in order."),
        click.option("--choose", multiple=True, metavar="1,2", help="The choices, counted from 1."),
        click.option("--seed", type=int, metavar="N", help="Let a seed draw and roll."),
    )
    wrapped: Any = gathered
    for option in options[::-1]:
        wrapped = option(wrapped)
    result: Command = wrapped
    return result


def read_state(written: str | None, system: System) -> Any:
    """The state that `--state` names or holds; a fresh one without it. Raises HackjackError."""
    if written is None:
        return game_of(system).read_state({})
    if written == "-" and sys.stdin is None:
        raise UsageError("Standard input is closed. Name a file: --state FILE.")
    if written.lstrip().startswith("{"):
        raw, written = written.encode(errors="replace"), "--state"
    else:
        stdin = sys.stdin.buffer if written == "-" else None
        raw = stdin.read(MAX_STATE_BYTES + 1) if stdin else first_bytes(Path(written), f"{written}:", MAX_STATE_BYTES)
    if len(raw) > MAX_STATE_BYTES:
        raise HackjackError(f"{written}: this state is too large; the limit is {MAX_STATE_BYTES:,} bytes.")
    try:
        text = decoded(raw)
        value = msgspec.json.decode(text)
        # The first is strict about letters and numbers, the second sees keys that stand twice.
        import json

        json.loads(text, object_pairs_hook=_each_once)
    except UsageError as error:
        raise HackjackError(f"{written}: {error}") from error
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        raise HackjackError(f"{written}: this is not JSON: {error}") from error
    if isinstance(value, dict) and isinstance(value.get("state"), dict):
        # What `resolve --json` printed can be given back as it is.
        value = value["state"]
    return game_of(system).read_state(value)


def _each_once(pairs: list[tuple[str, Any]]) -> None:
    """Raise HackjackError for a key that an object has twice: a reader of JSON would take the last."""
    if twice := [name for name, count in Counter(name for name, _ in pairs).items() if count > 1]:
        raise HackjackError(f'The state has the key "{twice[0][:40]}" twice. Remove one.')


def read_at(written: Iterable[str]) -> dict[str, str]:
    """`NAME=VALUE` as typed, any number of them. Raises UsageError."""
    pairs: dict[str, str] = {}
    for text in written:
        name, equals, value = (part.strip() for part in text.partition("="))
        if not (name and equals and value):
            raise UsageError(f'--at "{text[:40]}": write NAME=VALUE, such as type=fire')
        if name in pairs:
            raise UsageError(f"--at {name} is given twice")
        pairs[name] = value
    return pairs
