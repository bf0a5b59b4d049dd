"""`hackjack play`: the session at the table, at a prompt, from a script, or one command at a time."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import click
import msgspec
from click.core import ParameterSource

from generator.base.errors import HackjackError, UsageError, did_you_mean
from generator.base.files import written_whole
from generator.base.text_input import composed, in_any_case, split_words
from generator.check import content_checks as checks
from generator.cli import QUIET, asking, completion, echo, lines_of, note
from generator.cli.luck import read_at
from generator.cli.options import json_option, one_of, open_pack, pack_options, print_json, quiet_option
from generator.cli.terminal import busy, tell
from generator.games import game_of
from generator.games.face import AnyGame
from generator.model.rules import System
from generator.pack.pack_locations import USUAL_SYSTEM, installed, lying_here, shipped
from generator.pack.settings import read_settings, with_settings
from generator.session import campaigns, chronicle, prompt, replies, session, several, short_forms
from generator.session.deeds import MAX_SEED, Campaign, Command, DeckKind
from generator.session.doing import as_sent
from generator.session.history_edits import read_mend
from generator.session.importing import Exported, read_export
from generator.session.journal import Journal, content_difference, read_file
from generator.session.journal_file import JournalFile
from generator.session.party import TABLE
from generator.session.questions import do_with_given_luck
from generator.session.replies import Reply
from generator.session.session import Session, TableStep

MAX_GREETED = 8
"""The other campaigns that the prompt names when it begins."""
FORMATS = ("text", "md", "html", "pdf")
"""Of the chronicle."""


@dataclass(frozen=True)
class CampaignOptions:
    """What the call asks of a campaign; None where it leaves it open."""

    name: str
    system: System
    settings: tuple[tuple[str, str], ...]
    deck: DeckKind | None
    seed: int | None
    accept_content: bool = False
    dice: DeckKind | None = None
    usual: bool = False
    """Whether the call names no campaign."""

    @property
    def path(self) -> Path:
        """The journal."""
        return campaigns.campaign_file(self.name)

    @property
    def begun(self) -> bool:
        """Whether there is such a campaign. Raises HackjackError."""
        return JournalFile(self.path).exists()

    @property
    def game(self) -> AnyGame:
        """What is played."""
        return game_of(self.system)


@click.command("play", context_settings={"ignore_unknown_options": True})
@click.argument("words", nargs=-1, metavar="[SYSTEM] [COMMAND]...")
@click.option(
    "--campaign", "name", default="table", show_default=True, metavar="NAME", help="The name of the campaign."
)
@click.option("--at", multiple=True, metavar="NAME=VALUE", help="An argument of the command: --at location=arm.")
@click.option("--deck", type=one_of("real", "virtual"), help="Your cards and dice, or the program's.")
@click.option("--dice", type=one_of("real", "virtual"), help="Your dice, or the program's.  [default: as --deck]")
@click.option("--seed", type=click.IntRange(0, MAX_SEED), help="The seed of the virtual deck and dice.")
@click.option("--accept-content", is_flag=True, help="Continue although the content has changed.")
@click.option("--format", "kind", type=one_of(*FORMATS), default="text", help="The format of the chronicle.")
@click.option("--output", type=click.Path(path_type=Path), metavar="FILE", help="The file for the chronicle.")
@click.option("--paper", metavar="a4|letter", help="The paper of the PDF.  [default: a4]")
@pack_options
@quiet_option
@json_option
def command(
    words: tuple[str, ...],
    name: str,
    at: tuple[str, ...],
    deck: DeckKind | None,
    dice: DeckKind | None,
    seed: int | None,
    accept_content: bool,
    kind: str,
    output: Path | None,
    paper: str | None,
    pack: Sequence[Path],
    settings: tuple[str, ...],
    as_json: bool,
) -> int:
    """Play a session: a whole party, one deck, undo, and a journal.

    A campaign plays one SYSTEM, which need only be named to begin it; without one it is hackjack.
    Without a command it asks for commands until quit; help lists them. With one it does that and ends:
    hackjack play --campaign red-keep hit bryn 9 QS
    """
    system, rest = split_call(words, pack, campaigns.campaign_file(name))
    named = click.get_current_context().get_parameter_source("name") is not ParameterSource.DEFAULT
    chosen = read_settings(settings)
    options = CampaignOptions(name, system, chosen, deck, seed, accept_content, dice, usual=not named)
    checks.under(options.system, options.settings)
    about = read_at(at)
    if kind != "text" or output or paper:
        if list(rest) != ["chronicle"]:
            raise UsageError("--format, --output and --paper are for the chronicle: write chronicle, and nothing else")
        return _chronicled(options, kind, output, paper)
    if rest:
        return _once(options, prompt.read_command(rest[0], options.game), prompt.with_pairs(rest[1:], about), as_json)
    if about:
        raise UsageError("--at belongs to a command: write it after one, as in hit bryn 9 --at NAME=VALUE")
    return _in_a_row(options, as_json)


def split_call(words: Sequence[str], pack: Sequence[Path], path: Path) -> tuple[System, Sequence[str]]:
    """Return the system, which may be left out, and the command."""
    for word in words:
        if word.startswith("--"):
            option_names = (
                "--help",
                *(name for param in command.params for name in param.opts if name.startswith("--")),
            )
            raise UsageError(f'there is no option "{word[:40]}"{did_you_mean(word, option_names)}')
    first = in_any_case(words[0], (*shipped(), *installed())) if words else ""
    if first in shipped() or (not pack and first in installed()):
        return open_pack(first, pack, ()).system, words[1:]
    if pack:
        system = open_pack(None, pack, ()).system
        return system, words[1:] if in_any_case(first, (system.head.id,)) == system.head.id else words
    default = campaigns.system_of(path) or USUAL_SYSTEM
    if default not in (*shipped(), *installed()):
        hint = lying_here(default) or ": name its folder or its zip file with --pack"
        raise HackjackError(f'the campaign plays "{default}", which is not a system here{hint}')
    system = open_pack(default, (), ()).system
    known_commands = prompt.commands(game_of(system))
    if words and first.lower() not in (*known_commands, *prompt.WORDS, "set"):
        hint = lying_here(first) or did_you_mean(first, [*known_commands, *shipped(), *installed()])
        if first in campaigns.campaigns() or (words[1:] and words[1].lower() in known_commands):
            hint = hint or f": did you mean --campaign {first}?"
        hint = hint or "; try help"
        raise UsageError(f'there is no command and no system "{first[:40]}"{hint}')
    return system, words


# --- opening a campaign ----------------------------------------------------------------------------------------------


def _new(options: CampaignOptions) -> Campaign:
    """Return the campaign that would begin now."""
    system = checks.under(options.system, options.settings)
    return session.new_campaign(system, options.deck or "real", options.seed, options.dice)


def _agreed(options: CampaignOptions, opened: Session) -> None:
    """What a campaign has settled stays so. Raises UsageError when the call wants it otherwise."""
    campaign, system = opened.table.campaign, opened.table.system
    pairs: list[tuple[str, Any, Any]] = [
        ("--deck", options.deck, campaign.deck),
        ("--dice", options.dice, campaign.dice or campaign.deck),
        ("--seed", options.seed, campaign.seed),
    ]
    for name, value in options.settings:
        wished = with_settings(system, [(name, value)])
        if (wished.settings, wished.head.procedure) != (system.settings, system.head.procedure):
            switched = wished.settings != system.settings
            pairs.append((f"--set {name}", value, system.setting(name) if switched else system.numbers[name]))
    for option, asked, settled in pairs:
        if asked is not None and asked != settled:
            was = "none" if settled is None else settled
            message = f'the campaign "{options.name}" was begun with another {option} ({was})'
            raise UsageError(f"{message}: leave it out, or begin a new one")


def _told_notices(options: CampaignOptions, opened: Session, notices: Sequence[str]) -> None:
    for notice in notices:
        echo(notice, err=True)
    made, head = opened.since.content, opened.table.system.head
    if made != head.version:
        note(f"{options.name} was begun with {head.id} {made} and continues with {head.version}", err=True)


def _looked(options: CampaignOptions) -> Session:
    """Return a campaign to read from. Raises UsageError when there is none."""
    with busy(f"reading {options.name}"):
        session = read_file(options.path, options.system)
    if session is None:
        raise _no_campaign(options)
    _agreed(options, session)
    difference = content_difference(session, options.system)
    _told_notices(options, session, [f"{options.path.name}: {difference}"] if difference else [])
    return session


def _no_campaign(options: CampaignOptions) -> UsageError:
    hint = did_you_mean(options.name, campaigns.campaigns()) or ""
    begins = next(iter(options.game.EVENTS)) if options.game.SHARED else "add NAME"
    return UsageError(f'there is no campaign "{options.name}"{hint or f"; {begins} begins it"}')


# --- ways to play ----------------------------------------------------------------------------------------------------


def _once(options: CampaignOptions, name: str, words: Sequence[str], as_json: bool) -> int:
    """Do one command, as scripts give it."""
    if name in ("help", "quit"):
        _print(replies.help_on(words, options.game) if name == "help" else Reply(()), as_json)
        return 0
    if prompt.only_looks(name, options.game):
        _print(replies.read_only_reply(name, words, _looked(options)), as_json or name == "export")
        return 0
    prompt.check_no_setting(name, words)
    beginning = (*options.game.EVENTS, "import") if options.game.SHARED else ("add", "import")
    exported = None
    if not options.begun:
        if name not in beginning:
            raise _no_campaign(options)
        if name == "import":
            exported = _read_export(options, words)
            options = _as_exported(options, exported)
    journal = open_campaign(options, exported.campaign if exported else None)
    if exported and exported.campaign:
        journal.restore(exported.commands)
        _print(replies.read_only_reply("show", (), journal.session), as_json)
        return 0
    words = short_forms.read_line((name, *words), journal.session).words
    answer = _answer(journal, name, words, None, None)
    try:
        _print(answer, as_json)
    except OSError as error:
        why = error.strerror or error
        raise HackjackError(f"{name} is done and saved, but its answer cannot be written: {why}") from error
    return 0


def _chronicled(options: CampaignOptions, kind: str, output: Path | None, paper: str | None) -> int:
    """Write the chronicle into a file, or on standard output; a PDF only into a file."""
    now = _looked(options)
    if kind == "pdf" and output is None:
        raise UsageError("a PDF is written into a file: add --output chronicle.pdf")
    if kind != "pdf" and paper:
        raise UsageError("--paper is for a PDF: add --format pdf")
    chapters = chronicle.chronicle(now)
    if kind == "text":
        data = "\n".join([*chronicle.chronicle_lines(chapters)[0], ""]).encode()
    else:
        from generator.layout import sheets
        from generator.orders import chronicle as pages

        size = sheets.named_item(sheets.paper_sizes(), paper or "a4", "paper")
        data = pages.chronicle_file(options.name, now.table.system, chapters, kind, size)
    if output is None:
        click.echo(data.decode(), nl=False)
        return 0
    with written_whole(output) as stream:
        stream.write(data)
    note(str(output))
    return 0


def open_campaign(options: CampaignOptions, new: Campaign | None = None) -> Journal:
    """Open a campaign, or begin one that settles on `new`, or else on what the call asks for. Raises HackjackError."""
    agreed = partial(_agreed, options)
    new, accept = new or _new(options), options.accept_content
    with busy(f"reading {options.name}"):
        journal = Journal(options.path, options.system, new, agreed=agreed, accept_content=accept)
    if not journal.begun and options.seed is not None and "virtual" not in (options.deck, options.dice):
        raise UsageError("--seed shuffles a virtual deck: add --deck virtual")
    if not journal.begun:
        campaigns.keep_title(options.name)
    _told_notices(options, journal.session, journal.notices)
    journal.notices.clear()
    return journal


def _in_a_row(options: CampaignOptions, as_json: bool) -> int:
    """Do command after command: at a prompt, or line by line from a script."""
    journal = open_campaign(options)
    if sys.stdin is not None and sys.stdin.isatty():
        return _prompted(options, journal, as_json)
    return _scripted(journal, as_json)


def _read_export(options: CampaignOptions, words: Sequence[str]) -> Exported:
    """Read an export that is to begin a campaign. Raises HackjackError."""
    prompt.usage("import", words, 1, 1, options.game)
    exported = read_export(Path(words[0]))
    if exported.system != options.system.head.id:
        raise UsageError(
            f"{words[0]} is of {exported.system[:40]}: name the system, as in hackjack play {exported.system[:40]} "
            f"--campaign {options.name} import {words[0]}"
        )
    return exported


def _as_exported(options: CampaignOptions, exported: Exported) -> CampaignOptions:
    """Return what a new campaign settles on that begins with an export: its rulings, and whose luck it is."""
    if exported.campaign:
        return options
    settings = (*exported.settings, *options.settings)
    deck, dice = options.deck or exported.deck.kind, options.dice or exported.deck.dice
    return replace(options, settings=settings, deck=deck, dice=dice)


def _tell_news(journal: Journal, as_json: bool) -> None:
    """Say what others did since it was last said; beside JSON, as what is not an answer."""
    for step in journal.catch_up():
        echo(f"{step.command.sent_by}: {replies.numbered_command(step.command, step.before)}", err=as_json)
        echo(*"\n".join(f"    {line}" for line in replies.describe_step(step).lines).split("\n"), err=as_json)
    for notice in journal.notices:
        echo(notice, err=True)
    journal.notices.clear()


def _scripted(journal: Journal, as_json: bool) -> int:
    """Play a script. A line that fails is reported with its number, changes nothing, and sets the exit status."""
    code = 0
    for number, line in enumerate(sys.stdin or (), 1):
        typed = composed(line.removeprefix("\ufeff"))
        if not typed.strip() or typed.lstrip().startswith("#"):
            continue
        try:
            _tell_news(journal, as_json)
            name, answer = _answer_line(journal, split_words(typed), None, None)
            if name == "quit":
                return code
            _print(answer, as_json or name == "export", short=True)
        except HackjackError as error:
            echo(*(f"line {number}: {fault}" for fault in lines_of(error)), err=True)
            code = code or error.exit_code
    return code


def _prompted(options: CampaignOptions, journal: Journal, as_json: bool) -> int:
    """Play at a terminal, with completion if the system has readline."""
    ask = asker_at_terminal(journal)
    if not QUIET.get():
        tell(_greeting(options, journal))
    while True:
        try:
            _tell_news(journal, as_json)
            on = journal.lines
            words = split_words(input("> "))
            if words:
                _tell_news(journal, as_json)
            if do_line(journal, words, on, ask, as_json) == "quit":
                return 0
        except EOFError:
            echo()
            return 0
        except KeyboardInterrupt:
            echo()
        except HackjackError as error:
            echo(*lines_of(error), err=True)


def do_line(journal: Journal, words: Sequence[str], on: int | None, ask: asking.Ask | None, as_json: bool) -> str:
    """Do what was typed at the prompt, print the answer, and return the command in full. Raises HackjackError."""
    name, answer = _answer_line(journal, words, on, ask) if words else ("", Reply(()))
    if words and name != "quit":
        shown = answer if as_json else replace(answer, lines=[*answer.head, *answer.lines])
        _print(shown, as_json or name == "export", short=as_json)
    return name


def asker_at_terminal(journal: Journal) -> asking.Ask:
    """Return the function that asks for luck and choices at the prompt, with Tab completion."""
    tab = completion.TabKey(lambda: journal.session)
    tab.switch_on()
    return asking.asker(
        lambda: replies.read_only_reply("show", (), journal.session).lines,
        lambda: session.left_in(journal.session),
        tab,
    )


def _greeting(options: CampaignOptions, journal: Journal) -> str:
    others = campaigns.campaigns()
    if options.usual and (rest := [name for name in others if name != options.name]):
        named = "; ".join(map(str, campaigns.summaries(rest[:MAX_GREETED])))
        more = f"; {len(rest) - MAX_GREETED} more: hackjack list campaigns" if len(rest) > MAX_GREETED else ""
        echo(f"Other campaigns, for --campaign NAME: {named}{more}")
    if not journal.begun:
        joining = "" if options.game.SHARED else f"{prompt.commands(options.game)['add'][0]} lets somebody join; "
        return f'A new campaign, "{options.name}". {joining.replace("[", "").replace("]", "")}help lists the commands.'
    now = journal.session
    if options.game.SHARED:
        return f'"{options.name}": {replies.state_line(now, TABLE)}. help lists the commands.'
    return f'"{options.name}": {", ".join(now.party.names) or "nobody is here"}. help lists the commands.'


def _answer_line(journal: Journal, typed: Sequence[str], on: int | None, ask: asking.Ask | None) -> tuple[str, Reply]:
    """Do the command of a line, which may be short; return its name and the answer. Raises HackjackError.

    `on` is the line of the journal on which it was made.
    """
    name, words = short_forms.read_line(typed, journal.session)
    return name, Reply(()) if name == "quit" else _answer(journal, name, words, on, ask)


def _answer(journal: Journal, name: str, words: Sequence[str], on: int | None, ask: asking.Ask | None) -> Reply:
    """Do a command in a session that is open for play, made on a line of its journal. Raises HackjackError."""
    now = journal.session
    with busy(f"looking up {name}"):
        if (reply := replies.reply_at_once(name, words, now)) is not None:
            return reply
    if name == "mend" and name not in now.table.game.EVENTS:
        return _mended(journal, words, on, ask)
    command = Command(several.read_deeds(name, words, now))
    if ask is None:
        return replies.headed_reply(do_with_given_luck(journal.do, command, now.table))
    seen = [on]

    def do(command: Command, **options: Any) -> TableStep:
        return journal.do(command, seen[0], **options)

    def renew() -> None:
        _tell_news(journal, as_json=False)
        seen[0] = journal.lines

    answer = asking.do_with_luck(command, do, ask, now.table, renew)
    return Reply(["Nothing happened."]) if answer is None else answer.reply


def _mended(journal: Journal, words: Sequence[str], on: int | None, ask: asking.Ask | None) -> Reply:
    """Put another command in the place of one far back, once it was told what comes out differently."""
    now = journal.session
    line, replacing, kept, keeps = read_mend(words, now)
    if replacing is None:
        return replies.entry_reply(line, now)
    command = Command(replacing, mends=line)
    if ask is None:
        do = journal.do if kept else partial(session.advance, now)
        reply = replies.describe_step(do_with_given_luck(do, command, now.table))
        if not kept:
            _print(reply, as_json=False)
            raise UsageError(f"nothing is saved yet: write {keeps} to save this")
        return replace(reply, lines=[*reply.lines, "Mended."])
    answer = asking.do_with_luck(command, partial(session.advance, now), ask, now.table)
    if answer is None:
        return Reply(["Nothing happened."])
    if not kept:
        _print(answer.reply, as_json=False)
        if not _agreed_to("Keep this? (yes or no) "):
            return Reply(["Nothing is changed."])
    deeds = tuple(as_sent(deed, now.table) for deed in answer.step.command.deeds)
    reply = replies.describe_step(
        journal.do(msgspec.structs.replace(command, deeds=deeds), now.lines if on is None else on)
    )
    return replace(reply, lines=[*(reply.lines if kept else ()), "Mended."])


def _agreed_to(question: str) -> bool:
    """Return whether somebody says yes."""
    try:
        return input(question).strip().casefold() in ("y", "yes")
    except (EOFError, KeyboardInterrupt):
        echo()
        return False


def _print(answer: Reply, as_json: bool, *, short: bool = False) -> None:
    if as_json:
        print_json(answer.value, short=short)
    elif answer.lines:
        tell(*"\n".join(answer.lines).split("\n"), marks=answer.marks)
