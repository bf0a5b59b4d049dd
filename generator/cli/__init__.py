"""The command `hackjack`. Each command lives in a module of its own, which is imported when it is called."""

import gc
import os
import signal
import sys
import threading
from contextlib import suppress
from contextvars import ContextVar
from functools import cache
from importlib import import_module
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple
from unicodedata import category

import click

from generator import __version__
from generator.base.errors import ContentError, HackjackError, UsageError, did_you_mean, unforeseen
from generator.base.files import data_root
from generator.base.late import late_pattern
from generator.base.text_input import composed
from generator.cli import edge


class Listed(NamedTuple):
    """A command in the list of commands: what it does, and two calls of it that work."""

    does: str
    examples: tuple[str, str]


COMMANDS = {
    "studio": Listed(
        "everything in your browser: systems, printing, house rules, the table",
        ("hackjack studio", "hackjack studio --port 8740 --no-open"),
    ),
    "list": Listed(
        "systems with their products, decks, tables, events and rulings", ("hackjack list", "hackjack list targets")
    ),
    "print": Listed(
        "print decks, screens and sheets into a folder",
        ("hackjack print hackjack deck", "hackjack print hackjack deck --paper letter --only QS,KH -o reprint"),
    ),
    "check": Listed("find every error in content", ("hackjack check hackjack", "hackjack check hackjack --json")),
    "card": Listed("say what a card does", ("hackjack card hackjack QS 10H", "hackjack card deadlands QS --json")),
    "table": Listed(
        "look up a result, or roll it",
        ("hackjack table hackjack recovery", "hackjack table glog madness --roll --seed 7"),
    ),
    "rules": Listed(
        "switches and numbers: what they do, and their values",
        ("hackjack rules hackjack", "hackjack rules hackjack --set limit=18 --save merciless"),
    ),
    "resolve": Listed(
        "resolve one event on a state",
        ("hackjack resolve hackjack hit 17 --cards AS --why", "hackjack resolve glog hit 9 --seed 7"),
    ),
    "odds": Listed(
        "the exact chances of an event", ("hackjack odds hackjack hit 9", "hackjack odds deadlands trait d8 --at tn=6")
    ),
    "compare": Listed(
        "what house rules change",
        (
            "hackjack compare jackrealms --set dealer_soft_17=hit",
            "hackjack compare hackjack --with limit=18 --asks 'hit 9'",
        ),
    ),
    "play": Listed(
        "a session at the table, with undo and a journal",
        ("hackjack play --campaign red-keep add Bryn hp 7", "hackjack play --campaign red-keep hit bryn 9 10C dice 3"),
    ),
    "serve": Listed(
        "the session as a page for every phone at the table",
        ("hackjack serve --campaign red-keep", "hackjack serve deadlands --campaign posse --deck virtual"),
    ),
    "new": Listed(
        "make a pack of your own", ("hackjack new my_rules --from hackjack --extends", "hackjack new scars --blank")
    ),
    "pack": Listed("make one file of a pack, to share", ("hackjack pack my_rules", "hackjack pack my_rules -o shared")),
    "help": Listed("what a command does, with examples", ("hackjack help", "hackjack help odds")),
}


# A short command makes hardly any rubbish: looking for it among what is imported would take a twentieth of its time.
gc.set_threshold(200_000)


PROGRAM = "hackjack"
_COMMAND = late_pattern(rf"(?<![\w./-]){PROGRAM}(?= (?:{'|'.join(COMMANDS)})\b)")
"""A command of ours in a sentence."""


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
        command.epilog = "\n".join(
            ("\b", "Examples:", *(f"  {printable(call)}" for call in COMMANDS[cmd_name].examples))
        )
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is called. Raises UsageError with a suggestion."""
        check_command(args[0])
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl([(name, listed.does) for name, listed in COMMANDS.items()])


def check_command(name: str) -> None:
    """Raises UsageError, with a suggestion, unless there is such a command."""
    if name not in COMMANDS:
        raise UsageError(f'there is no command "{name[:40]}"{did_you_mean(name, COMMANDS)}')


@click.group(
    cls=_LazyGroup,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)
@click.version_option(__version__, prog_name="hackjack")
@click.pass_context
def hackjack(context: click.Context) -> None:
    """Keep injury rules as data, print them, and play them.

    Cards are written AC 10H QS RJ BJ, dice 2d6+1. Errors go to standard error; the exit status is 1 for errors in
    content or rules and 2 for errors in the call.
    """
    own = data_root() / "content"
    if next(Path("content").glob("*/system.yaml"), None) and not Path("content").samefile(own):
        way = "add --pack content/NAME, or install with -e"
        echo(f"the content in this folder is not read, but that in {own}: {way}", err=True)
    if context.invoked_subcommand is None:
        # Loaded by its name, as commands are, for it knows them.
        import_module("generator.cli.studio_").first_steps()


_REPORT = "HACKJACK_TRACEBACK=1 shows where"


class _Terminated(BaseException):
    """Somebody asks the program to end: what is half written is taken away first. Nothing takes this for an error."""


def _end(number: int, frame: FrameType | None) -> None:
    del number, frame
    raise _Terminated


def main(arguments: list[str] | None = None) -> None:
    """Run the command line. Every error that a user can mend ends in one sentence, never in a traceback."""
    if threading.current_thread() is threading.main_thread():
        # A terminal that is closed hangs up, where there is such a signal.
        for number in {signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)}:
            if signal.getsignal(number) != signal.SIG_IGN:  # nohup
                signal.signal(number, _end)
    edge.prepare()
    try:
        sys.exit(_run(arguments))
    except Exception as error:
        # The last resort. Content comes from strangers, and our own mistakes must not show a traceback.
        click.echo(f"{printable(unforeseen(error))[:300]} ({_REPORT})", err=True)
        sys.exit(70)


def _run(arguments: list[str] | None) -> int:
    try:
        Path.cwd()
    except OSError:
        click.echo("The current folder no longer exists or cannot be read. Change to another folder.", err=True)
        return 1
    # A file has the name that it has; all other words are text.
    words = [
        each if os.path.lexists(each) else composed(each) for each in (sys.argv[1:] if arguments is None else arguments)
    ]
    try:
        result: Any = hackjack.main(args=words, prog_name=PROGRAM, standalone_mode=False)
        return result if isinstance(result, int) else 0
    except HackjackError as error:
        echo(*lines_of(error), err=True)
        return error.exit_code
    except click.ClickException as error:
        echo(_fault(error), err=True)
        return error.exit_code
    except UnicodeEncodeError as error:
        # Python reads bytes of the command line that are not UTF-8 as lone surrogates, which nothing can write.
        if error.reason != "surrogates not allowed":
            raise
        echo(f"{error.object[:60]!r} is not UTF-8 text. Type it again, or change the terminal's encoding.", err=True)
        return 2
    except _Terminated:
        click.echo("stopped", err=True)
        return 143
    except (click.Abort, KeyboardInterrupt) as stop:
        # click turns an EOFError into an Abort, too. Outside a prompt that is an error of ours and no Ctrl-C.
        if isinstance(stop.__cause__, EOFError):
            raise stop.__cause__ from None
        click.echo("stopped", err=True)
        return 130
    except OSError as error:
        # The streams of a program have no names.
        output = f"the output cannot be written: {error.strerror or error}"
        echo(unforeseen(error) if error.filename else output, err=True)
        return 1


def printable(text: str) -> str:
    """Return one line of any text, `a\\nb` instead of a line break, whose commands can be typed as they stand."""
    text = text if text.isprintable() else "".join(map(_visible, text))
    return text if program_name() == PROGRAM else _COMMAND.sub(lambda _: program_name(), text)


@cache
def program_name() -> str:
    """Return what to type for the program: `hackjack` if the shell finds that, else the path by which it was called."""
    called = Path(sys.argv[0])
    if called.parts[-2:] == ("generator", "__main__.py"):
        return f"{Path(sys.executable).name} -m generator"
    from shutil import which  # Only here, because most commands name no other.

    found = which(PROGRAM)
    if called.stem != PROGRAM or (found and Path(found).absolute() == called.absolute()):
        return PROGRAM
    with suppress(ValueError):
        return str(called.absolute().relative_to(Path.cwd()).with_suffix(""))
    return str(called)


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


QUIET = ContextVar("QUIET", default=False)
"""Whether the call said --quiet."""


def note(*lines: str, err: bool = False) -> None:
    """Print what is good to know and no answer, such as the name of a file; nothing with --quiet."""
    if not QUIET.get():
        echo(*lines, err=err)


def warn(*lines: str) -> None:
    """Print warnings on standard error."""
    if lines:
        echo(*lines, err=True)


def _fault(error: click.ClickException) -> str:
    """Return what is wrong with the call of a command, and where help is to be had."""
    context = getattr(error, "ctx", None)
    return error.format_message() + (f" (try: {context.command_path} --help)" if context is not None else "")
