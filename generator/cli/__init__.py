"""The command `hackjack`. Each command lives in a module of its own, which is imported when it is called."""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
from importlib import import_module
from types import FrameType
from typing import Any
from unicodedata import category

import click

from generator import __version__
from generator.base.errors import ContentError, HackjackError, UsageError, did_you_mean
from generator.cli import edge

COMMANDS = {
    "list": "systems with their products, decks, tables, events and rulings",
    "print": "print decks, screens and sheets into a folder",
    "preflight": "look a PDF over before it is printed",
    "check": "find every problem in content",
    "card": "say what a card does",
    "table": "look a result up, or roll it",
    "rules": "switches and numbers: what they do, and how they stand",
    "resolve": "one event on a given state",
    "odds": "the exact chances of an event",
    "compare": "two variants side by side: what house rules change",
    "play": "a session at the table, with undo and a journal",
    "serve": "the session as a page for every phone at the table",
    "new": "a pack of your own, to be edited",
    "pack": "a pack as one file, to be given to others",
}


# A short command makes hardly any rubbish: looking for it among what is imported would take a twentieth of its time.
gc.set_threshold(50_000)


class _LazyGroup(click.Group):
    """Commands by name; their modules are loaded on demand, so that the resolver starts fast."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        del ctx
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"generator.cli.{cmd_name}_").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is called. Raises UsageError with a suggestion."""
        if args[0] not in COMMANDS:
            raise UsageError(f'there is no command "{args[0][:40]}"{did_you_mean(args[0], COMMANDS)}')
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(__version__, prog_name="hackjack")
def hackjack() -> None:
    """Keep injury rules as data, print them, and play them.

    Cards are written AC 10H QS RJ BJ, dice 2d6+1. Errors go to standard error; the exit status is 1 for faults in
    content or rules and 2 for faults in the call.
    """


_REPORT = "HACKJACK_TRACEBACK=1 shows where"


class _Terminated(BaseException):
    """Somebody asks the program to end: what is half written is taken away first. Nothing takes this for an error."""


def _end(number: int, frame: FrameType | None) -> None:
    del number, frame
    raise _Terminated


def main(arguments: list[str] | None = None) -> None:
    """Run the command line. Every error that a user can mend ends in one sentence, never in a traceback."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, _end)
    edge.prepare()
    try:
        sys.exit(_run(arguments))
    except Exception as error:
        # The last resort. Content comes from strangers, and whatever we overlooked must not look like their program.
        if os.environ.get("HACKJACK_TRACEBACK"):
            raise
        what = printable(str(error))[:200]
        click.echo(f"unforeseen, a fault of hackjack itself: {type(error).__name__}: {what} ({_REPORT})", err=True)
        sys.exit(70)


def _run(arguments: list[str] | None) -> int:
    try:
        result: Any = hackjack.main(args=arguments, prog_name="hackjack", standalone_mode=False)
        return result if isinstance(result, int) else 0
    except HackjackError as error:
        echo(*lines_of(error), err=True)
        return error.exit_code
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        return error.exit_code
    except click.ClickException as error:
        echo(_fault(error), err=True)
        return error.exit_code
    except _Terminated:
        click.echo("stopped", err=True)
        return 143
    except (click.Abort, KeyboardInterrupt):
        click.echo("stopped", err=True)
        return 130
    except OSError as error:
        # The streams of a program have no names.
        what = f"{error.filename} cannot be used" if error.filename else "the output cannot be written"
        echo(f"{what}: {error.strerror or error}", err=True)
        return 1


def printable(text: str) -> str:
    """One line, whatever a person typed or a file held: `a\\nb` instead of a line break."""
    return text if text.isprintable() else "".join(map(_visible, text))


def _visible(sign: str) -> str:
    """A sign as it stands, unless it steers a terminal, breaks lines or turns writing round."""
    return sign if sign.isprintable() or category(sign) == "Zs" or sign in _JOINERS else repr(sign)[1:-1]


_JOINERS = "\u00ad\u200c\u200d"
"""They part and join letters, and do nothing else."""


def lines_of(error: HackjackError) -> list[str]:
    """An error as lines: one for each problem."""
    return [str(problem) for problem in error.problems] if isinstance(error, ContentError) else [str(error)]


def echo(*lines: str, err: bool = False) -> None:
    """Print lines for people: the one way out. Each stays one line, and nothing in it steers a terminal."""
    click.echo("\n".join(map(printable, lines)), err=err)


def _fault(error: click.ClickException) -> str:
    """What is wrong with the call of a command: what was meant, or where help is to be had."""
    context = getattr(error, "ctx", None)
    if context is not None and isinstance(error, click.MissingParameter):
        from generator.cli.meant import with_system

        if said := with_system(context):
            return said
    return error.format_message() + (f" (try: {context.command_path} --help)" if context is not None else "")
