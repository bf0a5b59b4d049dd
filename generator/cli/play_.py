"""`hackjack play`: the session at the table, at a prompt, from a script, or one command at a time."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

import click
import msgspec

from generator import content, games, session, telling
from generator.cards import SUIT_NAMES, SUITS, is_joker, rank_of, suit_of
from generator.chance import Need
from generator.cli import prompt
from generator.cli.options import json_option, open_pack, pack_options, print_json
from generator.cli.prompt import COMMANDS, READING
from generator.engine import harm
from generator.errors import HackjackError, UsageError, did_you_mean
from generator.odds import chance, spoken
from generator.odds import harm as odds
from generator.procedures import Harm
from generator.rules import System, write_custom
from generator.session import Campaign, DeckKind, Deed, Journal, MissingError, Moment, Reading, Session, Step
from generator.telling.harm import line, state_line, wound_line

MOST_LISTED = 16
"""Longer lists of cards are told as a number only."""


@dataclass(frozen=True)
class Answer:
    """What a command says: lines for people, and a value for `--json`."""

    lines: Sequence[str]
    value: Any = field(default_factory=dict)


@dataclass(frozen=True)
class Wanted:
    """What the call asks of a campaign; None where it leaves it open."""

    name: str
    system: System
    settings: tuple[tuple[str, str], ...]
    deck: DeckKind | None
    seed: int | None

    @property
    def path(self) -> Path:
        """The journal."""
        return session.campaign_file(self.name)


@click.command("play", context_settings={"ignore_unknown_options": True})
@click.argument("words", nargs=-1, metavar="[SYSTEM] [COMMAND]...")
@click.option("--campaign", "name", default="table", show_default=True, metavar="NAME", help="Which table it is.")
@click.option("--deck", type=click.Choice(["real", "virtual"]), help="Your deck, or one that the program shuffles.")
@click.option("--seed", type=click.IntRange(0, session.LARGEST_SEED), help="Shuffle a virtual deck from this number.")
@pack_options
@json_option
def command(
    words: tuple[str, ...],
    name: str,
    deck: DeckKind | None,
    seed: int | None,
    pack: Path | None,
    settings: tuple[str, ...],
    as_json: bool,
) -> int:
    """Play a session: a whole party, one deck, undo, and a journal that forgets nothing.

    Without a command it asks for commands until quit; help lists them. With one it does that and ends:
    hackjack play --campaign red-keep hit bryn 9 QS
    """
    chosen, rest = _split(words, pack)
    wanted = Wanted(name, _playable(chosen, pack), content.read_settings(settings), deck, seed)
    content.with_settings(wanted.system, wanted.settings)
    if rest:
        return _once(wanted, prompt.read_command(rest[0]), rest[1:], as_json)
    return _in_a_row(wanted, as_json)


def _split(words: Sequence[str], pack: Path | None) -> tuple[str, Sequence[str]]:
    """The system, which may be left out, and the command."""
    for word in words:
        if word.startswith("--"):
            known = ("--campaign", "--deck", "--seed", "--pack", "--set", "--json", "--help")
            raise UsageError(f'there is no option "{word[:40]}"{did_you_mean(word, known)}')
    first = words[0] if words else "hackjack"
    if first in content.shipped() or (pack is not None and first.lower() not in COMMANDS):
        return first, words[1:]
    if words and first.lower() not in (*COMMANDS, *prompt.WORDS, "set"):
        hint = did_you_mean(first, [*COMMANDS, *content.shipped()]) or "; try help"
        raise UsageError(f'there is no command and no system "{first[:40]}"{hint}')
    return "hackjack", words


def _playable(name: str, pack: Path | None) -> System:
    system = open_pack(name, pack, ()).system
    if not isinstance(system.head.procedure, Harm) or system.deck is None:
        raise UsageError(f"{name} has no wounds on cards to play: hackjack play hackjack does")
    return system


# --- opening a campaign ----------------------------------------------------------------------------------------------


def _new(wanted: Wanted) -> Campaign:
    """What a campaign settles on if it begins now."""
    system = content.with_settings(wanted.system, wanted.settings)
    return session.new_campaign(system, wanted.deck or "real", wanted.seed)


def _agreed(wanted: Wanted, opened: Session) -> None:
    """What a campaign has settled stays so. Raises UsageError when the call wants it otherwise."""
    campaign = opened.table.campaign
    pairs: list[tuple[str, Any, Any]] = [("--deck", wanted.deck, campaign.deck), ("--seed", wanted.seed, campaign.seed)]
    pairs += [(f"--set {name}", value, opened.table.system.setting(name)) for name, value in wanted.settings]
    for option, asked, settled in pairs:
        if asked is not None and asked != settled:
            was = "none" if settled is None else settled
            message = f'the campaign "{wanted.name}" was begun with another {option} ({was})'
            raise UsageError(f"{message}: leave it out, or begin a new one")


def _told_notices(wanted: Wanted, opened: Session, notices: Sequence[str]) -> None:
    for notice in notices:
        click.echo(notice, err=True)
    made, head = opened.table.campaign.content, opened.table.system.head
    if made != head.version:
        click.echo(f"{wanted.name} was begun with {head.id} {made}: it goes on with {head.version}", err=True)


def _looked(wanted: Wanted) -> Session:
    """A campaign to read from. Raises UsageError when there is none."""
    reading: Reading = session.look(wanted.path, wanted.system)
    if reading.session is None:
        raise _no_campaign(wanted)
    _agreed(wanted, reading.session)
    _told_notices(wanted, reading.session, [f"{wanted.path.name}: {reading.notice}"] if reading.notice else [])
    return reading.session


def _no_campaign(wanted: Wanted) -> UsageError:
    hint = did_you_mean(wanted.name, session.campaigns()) or ""
    return UsageError(f'there is no campaign "{wanted.name}"{hint or "; add NAME begins it"}')


# --- ways to play ----------------------------------------------------------------------------------------------------


def _once(wanted: Wanted, name: str, words: Sequence[str], as_json: bool) -> int:
    """One command, as scripts give it."""
    if name in ("help", "quit"):
        _print(_help(words) if name == "help" else Answer(()), as_json)
        return 0
    if name in READING:
        _print(_read(name, words, _looked(wanted)), as_json or name == "export")
        return 0
    if name != "add" and not wanted.path.exists():
        raise _no_campaign(wanted)
    with session.open_journal(wanted.path, wanted.system, _new(wanted)) as journal:
        _settle(wanted, journal)
        before = journal.session
        step = _plain(journal, prompt.read_deed(name, words, before.party))
        _print(_done(before, step), as_json)
    return 0


def _settle(wanted: Wanted, journal: Journal) -> None:
    if journal.begun:
        _agreed(wanted, journal.session)
    elif wanted.seed is not None and wanted.deck != "virtual":
        raise UsageError("--seed shuffles a virtual deck: add --deck virtual")
    _told_notices(wanted, journal.session, journal.notices)


def _in_a_row(wanted: Wanted, as_json: bool) -> int:
    """Command after command: at a prompt, or line by line from a script."""
    with session.open_journal(wanted.path, wanted.system, _new(wanted)) as journal:
        _settle(wanted, journal)
        if sys.stdin is not None and sys.stdin.isatty():
            return _prompted(wanted, journal, as_json)
        return _scripted(journal, as_json)


def _scripted(journal: Journal, as_json: bool) -> int:
    """Line by line. A line that fails is told with its number, changes nothing, and makes the exit status."""
    code = 0
    for number, typed in enumerate(_script(), 1):
        words = typed.split()
        if not words or words[0].startswith("#"):
            continue
        try:
            name = prompt.read_command(words[0])
            if name == "quit":
                break
            answer = _answer(journal, name, words[1:], None)
        except HackjackError as error:
            click.echo(f"line {number}: {error}", err=True)
            code = code or error.exit_code
        else:
            _print(answer, as_json or name == "export", short=True)
    return code


def _script() -> Iterator[str]:
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    yield from sys.stdin or ()


def _prompted(wanted: Wanted, journal: Journal, as_json: bool) -> int:
    """At a terminal, with completion where the system has readline."""
    _completing(journal)
    click.echo(_greeting(wanted, journal))
    while True:
        try:
            words = input("> ").split()
            if not words:
                continue
            name = prompt.read_command(words[0])
            if name == "quit":
                return 0
            _print(_answer(journal, name, words[1:], _ask), as_json or name == "export", short=as_json)
        except EOFError:
            click.echo()
            return 0
        except KeyboardInterrupt:
            click.echo()
        except HackjackError as error:
            click.echo(str(error), err=True)


def _greeting(wanted: Wanted, journal: Journal) -> str:
    if not journal.begun:
        return f'A new campaign, "{wanted.name}". add NAME hp N lets somebody join; help lists the commands.'
    party = journal.session.party
    return f'"{wanted.name}": {", ".join(party.characters) or "nobody is here"}. help lists the commands.'


def _completing(journal: Journal) -> None:
    try:
        import readline
    except ImportError:
        return

    def complete(begun: str, number: int) -> str | None:
        found = prompt.completions(readline.get_line_buffer()[: readline.get_endidx()], begun, journal.session)
        return f"{found[number]} " if number < len(found) else None

    readline.set_completer(complete)
    readline.set_completer_delims(" ,")
    readline.parse_and_bind("tab: complete")


Ask = Callable[[Need], str]


def _ask(need: Need) -> str:
    """Ask the table for luck; an empty answer takes the command back."""
    try:
        return input(prompt.question(need)).strip()
    except (EOFError, KeyboardInterrupt):
        click.echo()
        return ""


def _answer(journal: Journal, name: str, words: Sequence[str], ask: Ask | None) -> Answer:
    """Do a command in a session that is open for play. Raises HackjackError."""
    before = journal.session
    if name == "help":
        return _help(words)
    if name in READING:
        return _read(name, words, before)
    deed = prompt.read_deed(name, words, before.party)
    step = _plain(journal, deed) if ask is None else _with_luck(journal, deed, ask)
    return Answer(["Nothing happened."]) if step is None else _done(before, step)


def _plain(journal: Journal, deed: Deed) -> Step:
    """Do a deed with the luck that was given. Raises HackjackError when more is needed."""
    try:
        return journal.do(deed)
    except MissingError as missing:
        raise prompt.wanting(missing) from missing


def _with_luck(journal: Journal, deed: Deed, ask: Ask) -> Step | None:
    """Do a deed, and ask for the luck that it turns out to need. None when the table does not answer."""
    need: Need | None = None
    sound = deed
    while True:
        try:
            return journal.do(deed)
        except MissingError as missing:
            sound, need = deed, missing.need
        except HackjackError as error:
            if need is None:
                raise
            click.echo(str(error), err=True)
        answer = _understood(sound, need, ask)
        if answer is None:
            return None
        deed = answer


def _understood(deed: Deed, need: Need, ask: Ask) -> Deed | None:
    while text := ask(need):
        try:
            return prompt.answered(deed, need, text)
        except UsageError as error:
            click.echo(str(error), err=True)
    return None


def _print(answer: Answer, as_json: bool, *, short: bool = False) -> None:
    if as_json and short:
        click.echo(msgspec.json.encode(answer.value, enc_hook=write_custom).decode())
    elif as_json:
        print_json(answer.value)
    elif answer.lines:
        click.echo("\n".join(answer.lines))


# --- what a deed says ------------------------------------------------------------------------------------------------


def _done(before: Session, step: Step) -> Answer:
    """What a deed brought about."""
    after, deed = step.session, step.deed
    if deed.do in harm.EVENTS:
        lines = [line(entry, after.table.system) for entry in step.log]
        log = [games.told(entry, after.table.system) for entry in step.log]
        state = harm.plain_state(after.party.state(deed.who))
        return Answer([*lines, _standing(after, deed.who)], {"who": deed.who, "state": state, "log": log})
    if deed.do == "add":
        state = harm.plain_state(after.party.state(deed.who))
        return Answer([_standing(after, deed.who)], {"who": deed.who, "state": state, "log": []})
    if deed.do == "remove":
        return Answer([f"{deed.who} leaves the table."], _shape(after))
    return _turned(before, after, deed.do)


def _turned(before: Session, after: Session, way: str) -> Answer:
    """What undo or redo did, to the cards on the table too."""
    moment = before.now if way == "undo" else after.now
    done = moment.deed or Deed(way)
    where = "on top of the deck" if after.table.virtual else "into the deck"
    back = [code for code in before.party.drawn if code not in after.party.drawn]
    out = [code for code in after.party.drawn if code not in before.party.drawn]
    lines = [f"{'Undone' if way == 'undo' else 'Done again'}: {done}"]
    lines += [f"Back {where}: {' '.join(back)}"] if back else []
    lines += [f"Out of the deck again: {' '.join(out)}"] if out else []
    lines += [_standing(after, done.who)] if done.who in after.party.characters else []
    return Answer(lines, {"undone" if way == "undo" else "redone": str(done), **_shape(after)})


def _standing(now: Session, name: str) -> str:
    return f"{name}: {state_line(harm.plain_state(now.party.state(name)))}"


# --- commands that change nothing ------------------------------------------------------------------------------------


def _read(name: str, words: Sequence[str], now: Session) -> Answer:
    return {"show": _show, "odds": _odds, "log": _log, "why": _why, "export": _export}[name](words, now)


def _help(words: Sequence[str]) -> Answer:
    prompt.usage("help", words, 0, 1)
    names = [prompt.read_command(words[0])] if words else list(COMMANDS)
    lines = [f"{COMMANDS[name][0]}\n    {COMMANDS[name][1]}" for name in names]
    if not words:
        lines.append("The beginning of a name is enough. Cards are written AC 10H QS.")
    return Answer(lines, {name: {"usage": COMMANDS[name][0], "says": COMMANDS[name][1]} for name in names})


def _show(words: Sequence[str], now: Session) -> Answer:
    prompt.usage("show", words, 0, 1)
    if words:
        name = now.party.find(words[0])
        return Answer(_character(name, now), {"name": name, "state": harm.plain_state(now.party.state(name))})
    lines = [line for name in now.party.characters for line in _character(name, now)]
    rules = " ".join(f"{name}={value}" for name, value in now.table.system.house_rules)
    return Answer(
        [*(lines or ["Nobody is at the table."]), *([f"rulings: {rules}"] if rules else []), *_deck(now)], _shape(now)
    )


def _character(name: str, now: Session) -> list[str]:
    """Somebody with their wounds, each with its end."""
    state, system = now.party.characters[name], now.table.system
    lines = [_standing(now, name)]
    for wound in () if state.dead else (*state.wounds, *state.permanent):
        says = wound_line(msgspec.structs.asdict(wound), system)
        lines.append(f"    {wound.card:<3} {says}")
    lines += [f"    recovery will take {state.recovery}"] if state.recovery and not state.dead else []
    return lines


def _suits(now: Session) -> dict[str, list[str]]:
    """The ranks that are left in each suit."""
    left = session.left_in(now)
    suits = {SUIT_NAMES[suit]: [rank_of(code) for code in left if suit_of(code) == suit] for suit in SUITS}
    jokers = [code for code in left if is_joker(code)]
    return {**suits, **({"jokers": jokers} if jokers else {})}


def _deck(now: Session) -> list[str]:
    """What is left in the deck, for those who count cards."""
    left, whole = session.left_in(now), harm.deck_of(now.table.system)
    lines = [f"{len(left)} of {len(whole)} cards are in the deck"]
    return lines + [f"    {suit:<8} {len(ranks):>2}  {' '.join(ranks)}".rstrip() for suit, ranks in _suits(now).items()]


def _shape(now: Session) -> dict[str, Any]:
    """Everybody and the deck, for JSON."""
    campaign, left = now.table.campaign, session.left_in(now)
    return {
        "system": campaign.system,
        "content": campaign.content,
        "rulings": campaign.rulings,
        "characters": _characters(now),
        "deck": {"kind": campaign.deck, "left": len(left), "suits": _suits(now), "cards": left},
    }


def _characters(now: Session) -> list[dict[str, Any]]:
    party = now.party
    return [{"name": name, "state": harm.plain_state(party.state(name))} for name in party.characters]


def _export(words: Sequence[str], now: Session) -> Answer:
    """The whole session: what was undone is not part of it."""
    prompt.usage("export", words, 0, 0)
    campaign, party = now.table.campaign, now.party
    deck = {"kind": campaign.deck, **({"seed": campaign.seed, "order": party.order} if now.table.virtual else {})}
    return Answer(
        (),
        {
            "system": campaign.system,
            "content": campaign.content,
            "rulings": campaign.rulings,
            "deck": deck,
            "characters": _characters(now),
            "drawn": party.drawn,
            "events": [moment.deed for moment in now.moments()][::-1],
        },
    )


def _log(words: Sequence[str], now: Session) -> Answer:
    prompt.usage("log", words, 0, 1)
    count = prompt.read_number(words[0], 1, session.MOST_LINES, "log N") if words else 10
    whole = sum(1 for _ in now.moments())
    lines: list[str] = []
    values: list[dict[str, Any]] = []
    for number, moment in [*enumerate(islice(now.moments(), count))][::-1]:
        log = session.log_of(now.table, moment)
        lines.append(f"{whole - number}. {moment.deed}")
        lines += [f"    {line(entry, now.table.system)}" for entry in log]
        values.append({"deed": moment.deed, "log": [games.told(entry, now.table.system) for entry in log]})
    return Answer(lines or ["Nothing has happened yet."], values)


def _why(words: Sequence[str], now: Session) -> Answer:
    prompt.usage("why", words, 0, 0)
    moment: Moment = now.now
    if moment.deed is None:
        return Answer(["Nothing has happened yet."], {"deed": None, "rulings": []})
    reasons = [telling.reason(entry, now.table.system) for entry in session.log_of(now.table, moment)]
    found = list(dict.fromkeys(filter(None, reasons)))
    lines = [f"{moment.deed}", *(f"    {reason}" for reason in found or ["It follows no ruling of ours."])]
    return Answer(lines, {"deed": moment.deed, "rulings": found})


def _odds(words: Sequence[str], now: Session) -> Answer:
    """The chances of a hit, by the engine and with the cards that are really left."""
    prompt.usage("odds", words, 2, 5)
    name, rest = now.party.find(words[0]), list(words[1:])
    hits = None
    if "hits" in rest[1:]:
        place = rest.index("hits", 1)
        if place != len(rest) - 2:
            raise UsageError(f"how many hits? write {COMMANDS['odds'][0]}")
        hits = prompt.read_number(rest[-1], 1, odds.MOST_HITS, "hits")
        rest = rest[:place]
    event, state = harm.read_event(["hit", *rest]), now.party.state(name)
    counts = session.tally(now.table.system, state, event)
    head = [f"hit {name} {event.amount}{' critical' if event.word else ''}: {_counted(counts)}"]
    value: dict[str, Any] = {"cards": {"kill": counts.kill, "draw_more": counts.more, "left": counts.left}}
    if hits is not None:
        shares = odds.die_by(now.table.system, state, event, hits)
        value["die_by"] = [chance(share) for share in shares]
        return Answer([*head, *(f"dead after {at} {spoken(share)}" for at, share in enumerate(shares, 1))], value)
    found = odds.outcome(now.table.system, state, event)
    ends = {"die": found.die, "reset": found.reset, "survive": found.survive}
    value |= {key: chance(share) for key, share in ends.items()}
    value["score"] = {str(score): chance(share) for score, share in found.score.items()}
    value["cards_left"] = found.cards_left
    return Answer([*head, *(f"{key:<8} {spoken(share)}" for key, share in ends.items())], value)


def _counted(counts: session.Tally) -> str:
    """The chances in counts: `34 of 50 unseen cards kill`."""
    if not counts.draws:
        return "death at once, without a card" if counts.outright else "no card is drawn"
    more = f"; {len(counts.more)} more draw on and may{_listed(counts.more)}" if counts.more else ""
    return f"{len(counts.kill)} of {counts.left} unseen cards kill{_listed(counts.kill)}{more}"


def _listed(codes: Sequence[str]) -> str:
    return f" ({' '.join(codes)})" if 0 < len(codes) <= MOST_LISTED else ""
