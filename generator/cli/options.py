"""What commands have in common: options, the pack they name, and JSON on standard output."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any, TypeVar

import click
import msgspec

from generator.base.errors import UsageError
from generator.base.late import late_pattern
from generator.base.text_input import in_any_case
from generator.cli import QUIET
from generator.cli.edge import write_utf8
from generator.model.rules import write_custom
from generator.pack import pack_locations
from generator.pack.load import Pack, load_pack
from generator.pack.settings import Setting, read_settings

Step = Callable[[], None]
Command = TypeVar("Command", bound=Callable[..., Any])


def json_option(command: Command) -> Command:
    """`--json`: one document on standard output and nothing else."""
    return click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")(command)


def one_of(*names: str) -> click.Choice[str]:
    """The values that an option may have, in either case."""
    return click.Choice(names, case_sensitive=False)


def pack_options(command: Command) -> Command:
    """`--pack` and `--set`, which every command on a system takes."""
    words = "Use a pack: DIR, FILE.zip, a printed PDF, or the name of an installed pack."
    return pack_option(words)(settings_option(command))


def pack_option(words: str) -> Callable[[Command], Command]:
    """`--pack`, which is given once: no path, or one."""
    return click.option(
        "--pack", type=click.Path(path_type=Path), multiple=True, metavar="DIR", callback=_one_pack, help=words
    )


def _one_pack(context: click.Context, parameter: click.Parameter, value: tuple[Path, ...]) -> tuple[Path, ...]:
    del parameter
    if len(value) > 1 and not context.resilient_parsing:
        way = f"let {value[1]} extend {value[0]}, and give the one on top"
        raise UsageError(f"--pack is given {len(value)} times, but takes one pack: {way}")
    return value


def settings_option(command: Command) -> Command:
    """`--set`: house rules, by the names that `hackjack rules` lists."""
    return click.option(
        "--set", "settings", multiple=True, metavar="NAME=VALUE", help="Change a ruling or a number: limit=18."
    )(command)


def quiet_option(command: Command) -> Command:
    """`--quiet`: faults, warnings and answers are told, and nothing else."""
    return click.option(
        "-q",
        "--quiet",
        is_flag=True,
        expose_value=False,
        callback=_quiet,
        help="Print only errors and answers: no file names, notes or progress.",
    )(command)


def _quiet(context: click.Context, parameter: click.Parameter, value: bool) -> None:
    _for_this_call(context, parameter, QUIET, value)


def _for_this_call(context: click.Context, parameter: click.Parameter, switch: ContextVar[bool], value: bool) -> None:
    """Turn a switch on or off for as long as the command runs."""
    del parameter
    before = switch.set(value)
    context.call_on_close(lambda: switch.reset(before))


def open_pack(system: str | None, pack: Sequence[Path], settings: Iterable[str], *, to_play: bool = False) -> Pack:
    """Return a system, or that of a pack, under house rules. Raises ContentError with every problem, or UsageError.

    What is opened `to_play` an event or to look something up leaves unread what no event reads.
    """
    (folder,) = pack_locations.pack_folders(pack) or (pack_locations.find(system or ""),)
    chosen = (*(_carried_rules(folder) if pack else ()), *read_settings(settings))
    loaded = load_pack(folder, to_play=to_play)
    own = loaded.system.head.id
    if pack and system and in_any_case(system, loaded.names) not in loaded.names:
        raise UsageError(f'{folder} holds the system "{own}", not "{system[:60]}"')
    if not pack and (other := pack_locations.other_name(folder, own)):
        raise UsageError(other)
    if to_play and not chosen and folder.parent == pack_locations.systems_folder():
        # What ships is sound.
        return loaded
    # Only here, because who lists, completes or plays what ships opens packs without judging them.
    from generator.check.content_checks import judged

    return judged(loaded, chosen)


def _carried_rules(pack: Path) -> Iterable[Setting]:
    """Return the house rules of the order that a PDF was printed from."""
    from generator.pack.carried import read_order

    return read_order(pack).rules.items()


_STEERING = late_pattern("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]")
"""What JSON allows in a text and a terminal obeys."""


def print_json(value: Any, *, short: bool = False) -> None:
    """One JSON document in UTF-8, indented for people or, when `short`, on one line."""
    try:
        raw = msgspec.json.encode(value, enc_hook=write_custom)
    except UnicodeEncodeError:
        import json  # A file's name may hold bytes that are no letters.

        plain = msgspec.to_builtins(value, enc_hook=write_custom)
        raw = json.dumps(plain, ensure_ascii=False).encode(errors="replace")
    text = (raw if short else msgspec.json.format(raw, indent=2)).decode()
    write_utf8(_STEERING.sub(lambda sign: f"\\u{ord(sign[0]):04x}", text))


@contextmanager
def progress(name: str, length: int) -> Iterator[Step]:
    """A bar on standard error where that is a terminal; elsewhere, and with --quiet, nothing."""
    if QUIET.get() or not sys.stderr.isatty():
        yield lambda: None
        return
    with click.progressbar(length=length, label=name.rpartition("/")[2], file=sys.stderr) as bar:
        yield lambda: bar.update(1)


def listed(written: Iterable[str]) -> tuple[str, ...]:
    """What stands between commas in an option, which may be given several times: one goes on where another ends."""
    return tuple(part.strip() for text in written for part in text.split(",") if part.strip())
