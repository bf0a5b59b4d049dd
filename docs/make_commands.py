"""Write `docs/commands.md`, every command with its help: `python docs/make_commands.py`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from generator.cli import COMMANDS, hackjack

WIDTH = 100
PAGE = Path(__file__).with_name("commands.md")

HEAD = """\
# Commands

Written by `python docs/make_commands.py` from the commands themselves; a test holds that nothing is out of date.

## What they have in common

Cards are written `AC 10H QS RJ BJ`, dice `2d6+1`. `10♥`, `H10` and `♠q` are read too, and the names of systems,
products, tables, targets and papers in either case. An option that takes a list may be given again: `--only QS --only
KH` is `--only QS,KH`.

Answers go to standard output, one line for each file that is written; errors go to standard error, one line for each
fault. `-q` leaves out names of files, notes and progress; faults, warnings and answers are told. Whatever takes over a
second shows on a terminal what it is doing. `--json` prints one JSON document and nothing else, in UTF-8 always. Text
keeps to the signs of the terminal: where there is no minus sign or dagger, it says `-` and `*`.

| exit status | means |
|---|---|
| 0 | done |
| 1 | a fault in content or rules, something that cannot happen or is not known yet, a file that the disk refuses |
| 2 | a fault in the call: a command, option, system, card or number that there is not |
| 70 | a fault of the program itself, in one line; please report it |
| 130 | stopped by Ctrl-C |
| 143 | stopped by another program (SIGTERM) |

Whenever the status is not 0, files that were there before are as they were, and nothing half written stays behind. Two
things are otherwise: `print` prints what it can and lists what it could not, and when only the answer cannot be written
(a full disk behind `>`), what was done is done.

| variable | does |
|---|---|
| `HACKJACK_HOME` | the folder for campaigns, packs and ledgers of prints, in place of the user's data directory |
| `HACKJACK_TRACEBACK` | `1`: a fault of the program shows where it happened, for a report |
| `COLUMNS` | how wide help is printed |

`python -m generator` is the same program as `hackjack`.

## Completion in the shell

Commands, options and their choices are completed by the tab key, once the shell knows how. In bash 4.4 or later, zsh
and fish, one line each, for good:

```text
echo 'eval "$(_HACKJACK_COMPLETE=bash_source hackjack)"' >> ~/.bashrc
echo 'eval "$(_HACKJACK_COMPLETE=zsh_source hackjack)"' >> ~/.zshrc
_HACKJACK_COMPLETE=fish_source hackjack > ~/.config/fish/completions/hackjack.fish
```

That completes systems, products, tables, cards and events too, targets, papers, sizes of cards and campaigns.

The prompt of `hackjack play` completes by itself, see [play.md](play.md).

## Packs from strangers

A pack is data: nothing in it runs, nothing outside its folder is read, the network is never asked, and everything that
can grow has a limit. The one exception are templates: a pack may bring `templates/card.j2`, its own choice of what
stands on a card and in what order, with our own `templates/card.j2` as the example. Such a pack is refused until the
call says `--trust`. Even then the template is filled in a sandbox, and only values, `if`, `for` (two inside each other)
and the filters `capitalize default first int last length lower string title trim upper` are read.

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
    return "\n".join(parts)


def _section(title: str, text: str) -> str:
    lines = "\n".join(line.rstrip() for line in text.splitlines())
    return f"## {title}\n\n```text\n{lines}\n```\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
