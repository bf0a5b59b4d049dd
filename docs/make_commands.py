"""Write `docs/commands.md`, every command with its help, and those of the prompt: `python docs/make_commands.py`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from generator import games
from generator.cli import COMMANDS, hackjack
from generator.pack.load import load_pack
from generator.session import prompt

WIDTH = 100
PAGE = Path(__file__).with_name("commands.md")

HEAD = """\
# Commands

Written by `python docs/make_commands.py` from the commands themselves.

## What all commands have in common

Cards are written `AC 10H QS RJ BJ`, dice `2d6+1`. `10♥`, `H10` and `♠q` work too, and names in upper or lower
case. Give a list with commas, `--only QS,KH`, or repeat the option.

Answers go to standard output, one line per file; errors go to standard error, one line each. `-q` drops file
names, notes and progress. `--json` prints one JSON document in UTF-8. On a terminal without minus sign and
dagger you see `-` and `*`.

| exit status | meaning |
|---|---|
| 0 | done |
| 1 | an error in content or rules, something impossible or unknown, a file that cannot be read or written |
| 2 | an error in the call: an unknown command, option, system, card or number |
| 70 | an error in Hackjack itself, in one line; please report it |
| 130, 143 | stopped by Ctrl-C, or by another program (SIGTERM) |

If the status is not 0, existing files are unchanged and nothing half written remains. Two exceptions: `print`
prints what it can and lists the rest, and if only the answer cannot be written, the command itself is done.

| variable | does |
|---|---|
| `HACKJACK_HOME` | the folder for campaigns and packs |
| `HACKJACK_TRACEBACK` | `1`: shows where an error in Hackjack happened |
| `COLUMNS` | the width of help |
| `NO_COLOR` | `1`: no colour |

`python -m generator` is the same program as `hackjack`.

## Completion in the shell

For bash 4.4 or later, zsh and fish, one line each:

```text
echo 'eval "$(_HACKJACK_COMPLETE=bash_source hackjack)"' >> ~/.bashrc
echo 'eval "$(_HACKJACK_COMPLETE=zsh_source hackjack)"' >> ~/.zshrc
_HACKJACK_COMPLETE=fish_source hackjack > ~/.config/fish/completions/hackjack.fish
```

The Tab key then completes commands and options. The prompt of `hackjack play` completes without this.

"""


PROMPT = """\
## Commands of the prompt

`hackjack play` understands these. The events are those of `hackjack`; `help` lists
those of your system. Put a name with a space in quotes: `hit "Old Bryn" 9`.
"""


def page() -> str:
    """The page as it should be."""
    whole = click.Context(hackjack, info_name="hackjack", terminal_width=WIDTH, help_option_names=["-h", "--help"])
    parts = [HEAD, _section("hackjack", hackjack.get_help(whole))]
    for name, listed in COMMANDS.items():
        command = hackjack.get_command(whole, name)
        assert command is not None
        context = click.Context(command, info_name=name, parent=whole, terminal_width=WIDTH)
        # The examples stand in a block of their own, as commands to be run.
        text = command.get_help(context).partition("\n\n  Examples:\n")[0]
        calls = "\n".join(listed.examples)
        parts.append(f"{_section(f'hackjack {name}', text)}\n```sh\n{calls}\n```\n")
    return "\n".join([*parts, _at_the_prompt()])


def _at_the_prompt() -> str:
    """Return the table of the prompt's commands, with the events of the system `hackjack`."""
    game = games.game_of(load_pack(PAGE.parents[1] / "content" / "hackjack").system)
    rows = "".join(f"| `{usage}` | {says} |\n" for usage, says in prompt.commands(game).values())
    return f"{PROMPT}\n| command | does |\n|---|---|\n{rows}"


def _section(title: str, text: str) -> str:
    lines = "\n".join(line.rstrip() for line in text.splitlines())
    return f"## {title}\n\n```text\n{lines}\n```\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
