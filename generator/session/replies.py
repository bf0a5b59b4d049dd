"""What a command says: sentences for people, and a value for JSON. The prompt and the page at the table share it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice, zip_longest
from typing import Any

import msgspec

from generator import games
from generator.base.cards import SUIT_NAMES, SUITS, is_code, is_joker, rank_of, suit_of
from generator.base.text_input import quoted_word, read_number
from generator.games.face import AnyGame, Asked, OddsAnswer
from generator.model.log import Log
from generator.model.rules import System
from generator.play.piles import codes_without
from generator.session import chronicle, help_text, prompt, session
from generator.session.chronicle import HEADLINE
from generator.session.corrections import is_correction
from generator.session.deeds import Command, Deed
from generator.session.doing import naming_errors
from generator.session.journal_lines import MAX_LINES
from generator.session.moments import moments_in
from generator.session.page import Likely
from generator.session.party import TABLE, PartyTable, cards_held, plain_people, shared_state
from generator.session.session import Moment, Session, TableStep
from generator.session.several import ALL

MAX_MOVES = 6
"""So many moves of a board are told by `next`."""


@dataclass(frozen=True)
class Reply:
    """What a command says: lines for people, which of them stand out, and a value for `--json`.

    `head` is what it comes to in a line, for the prompt; nothing where it was no moment that weighs.
    """

    lines: Sequence[str]
    value: Any = field(default_factory=dict)
    marks: Mapping[str, games.Mark] = field(default_factory=dict)
    head: Sequence[str] = ()


# --- what a deed says ------------------------------------------------------------------------------------------------


def describe_step(step: TableStep) -> Reply:
    """Return the reply to a command."""
    if step.command.turns:
        return _turned(step)
    if step.command.mends:
        return describe_mend(step)
    now, deeds = step.session, step.command.deeds
    parts = [
        _put_right(step, deed) if is_correction(deed, now.table.game) else _happened(now, deed, log)
        for deed, log in zip(deeds, step.logs, strict=True)
    ]
    if len(parts) == 1:
        return parts[0]
    lines = log_lines(deeds, step.logs, now.table)
    for deed, reply in zip(deeds, parts, strict=True):
        lines += reply.lines if is_correction(deed, now.table.game) else []
    events = [deed for deed in deeds if not is_correction(deed, now.table.game)]
    for who in dict.fromkeys(deed.who for deed in events):
        lines += state_lines(now, who) if who in now.party.characters else [f"{who} leaves the table."]
    return Reply(lines, {"done": [reply.value for reply in parts]})


def headed_reply(step: TableStep, said: Sequence[Log] = ()) -> Reply:
    """Return the same with what the command comes to in a line, apart from those logs that were `said` before."""
    reply = describe_step(step)
    logs = [log[len(before) :] for log, before in zip_longest(step.logs, said, fillvalue=())]
    told = [] if step.command.turns or step.command.mends else moments_in(step.session.now, logs, step.session.table)
    if not told or told[0].weight < HEADLINE:
        return reply
    line = f"{told[0].they.rstrip('.')}. {told[0].then}".rstrip()
    return replace(reply, head=[line], marks={**reply.marks, line: "death" if told[0].look == "dead" else "card"})


def log_lines(deeds: Sequence[Deed], logs: Sequence[Log], table: PartyTable) -> list[str]:
    """Return the log lines of deeds; for several deeds, and for what one caused, under the name of each target."""
    if len(deeds) == 1:
        return games.log_lines(tuple(chain.from_iterable(logs)), table.system)
    lines: list[str] = []
    sent = sum(not deed.caused for deed in deeds)
    for deed, log in zip(deeds, logs, strict=False):
        said = "\n".join(games.log_lines(log, table.system)).splitlines()
        if sent == 1 and not deed.caused:
            lines += said
            continue
        lines += [f"{deed.who or deed.typed()}:", *(f"    {line}" for line in said)] if said else []
    return lines


def _happened(now: Session, deed: Deed, log: Log) -> Reply:
    """Return the log of an event and the state after it."""
    who = deed.who
    if who not in now.party.characters:
        return Reply([f"{who} leaves the table."], plain_table(now))
    lines = [*games.log_lines(log, now.table.system), *state_lines(now, who)]
    named = {"who": who} if who else {}
    value = {**named, "state": plain_state(now, who), "log": plain_log(log, now.table.system)}
    return Reply(lines, value, games.marks_of(log, now.table.system))


def _turned(step: TableStep) -> Reply:
    """Return the reply to undo or redo, with the cards that move."""
    before, after, way = step.before, step.session, step.command.deeds[0].do
    moments = session.turned_moments(before, after, way)
    table, said = after.table, "Undone" if way == "undo" else "Done again"
    lines = [f"{said}: {numbered_command(each.command, before if way == 'undo' else after)}" for each in moments]
    lines += moved_cards(before, after, again=True)
    logs = [
        (deed, log)
        for each in moments
        if not each.command.mends
        for deed, log in zip(each.command.deeds, session.logs_of(table, each), strict=True)
    ]
    for deed, log in logs:
        if deed.who in after.party.characters:
            lines += table.game.recalled(log, plain_state(after, deed.who), undone=way == "undo")
    touched = (name for deed, _ in logs for name in (deed.words if deed.do == "rename" else [deed.who]))
    changed = {name for name in after.party.characters if _changed(before, after, name)}
    for who in dict.fromkeys((*touched, *(changed if any(each.command.mends for each in moments) else ()))):
        lines += state_lines(after, who) if who in after.party.characters else ()
    entries = [entry for _, log in logs for entry in plain_log(log, table.system)]
    value = {"undone" if way == "undo" else "redone": "; ".join(str(each.command) for each in moments), "log": entries}
    return Reply(lines, {**value, **plain_table(after)})


def _changed(before: Session, after: Session, name: str) -> bool:
    """Return whether somebody, or the table, is not as before."""
    if name not in before.party.characters:
        return True
    then, now = plain_state(before, name), plain_state(after, name)
    # Which cards are out of the deck is the whole party's affair.
    return {**then, "drawn": ()} != {**now, "drawn": ()}


def entry_number(now: Session, line: int) -> int:
    """Return the number that `log` gives a command on a line of the journal; 0 where it does not count."""
    lines = [moment.line for moment in now.moments()][::-1]
    return lines.index(line) + 1 if line in lines else 0


def numbered_command(command: Command, now: Session) -> str:
    """Return a command as it is typed; one that mends another is told with that one's number in the log."""
    if not command.mends:
        return prompt.typed_command(command, now.table)
    deeds = prompt.typed_command(msgspec.structs.replace(command, mends=0), now.table) if command.deeds else "remove"
    return f"mend {entry_number(now, command.mends) or f'(line {command.mends})'} {deeds}"


def describe_mend(step: TableStep) -> Reply:
    """Return the reply to a mend: the entries that differ since then, and the states that changed."""
    before, now, table = step.before, step.session, step.session.table
    line = step.command.mends
    old = {moment.line: moment for moment in before.moments()}
    new = {moment.line: moment for moment in now.moments()}
    numbers = {each: number for number, each in enumerate(reversed(old), 1)}
    was = prompt.typed_command(old[line].command, table)
    lines = [f"{numbers[line]}. {was}", "    is taken out." if line not in new else "    becomes"]
    differ: list[dict[str, Any]] = []
    lost: list[dict[str, Any]] = []
    for each in sorted(place for place in old if place >= line):
        lines_now = _said_then(new[each], table) if each in new else []
        head = f"{numbers[each]}. {prompt.typed_command((new if each in new else old)[each].command, table)}"
        if each == line:
            lines += [f"{head}", *lines_now] if each in new else []
        elif each not in new:
            why = step.left_out.get(each, "")
            lines.append(f"{head}\n    cannot happen any more{f': {why}' if why else ''}; it is left out.")
            lost.append({"number": numbers[each], **_deeds(old[each].command), "why": why})
        elif lines_now != _said_then(old[each], table) or new[each].command.deeds != old[each].command.deeds:
            lines += [f"{head}\n    comes out differently:", *lines_now]
            differ.append({"number": numbers[each], **_deeds(new[each].command)})
    lines += moved_cards(before, now)
    for name in now.party.characters:
        if _changed(before, now, name):
            lines += state_lines(now, name)
    lines += [
        f"{name} is at the table no more." for name in before.party.characters if name not in now.party.characters
    ]
    deeds = _deeds(new[line].command) if line in new else {"deed": None}
    value = {"mended": {"number": numbers[line], **deeds}, "differ": differ, "left_out": lost}
    return Reply(lines, {**value, **plain_table(now)})


def _said_then(moment: Moment, table: PartyTable) -> list[str]:
    """Return the log lines of a command, indented."""
    lines = "\n".join(log_lines(moment.command.deeds, session.logs_of(table, moment), table))
    return [f"    {line}" for line in lines.splitlines()]


def moved_cards(before: Session, after: Session, *, again: bool = False) -> list[str]:
    """Return which cards go back into the deck, and which come out of it, from one session to another."""
    where = "on top of the deck" if after.table.virtual else "into the deck"
    back = codes_without(before.party.drawn, after.party.drawn)
    out = codes_without(after.party.drawn, before.party.drawn)
    lines = [f"Back {where}: {' '.join(back)}"] if back else []
    return lines + ([f"Out of the deck{' again' if again else ''}: {' '.join(out)}"] if out else [])


def _put_right(step: TableStep, deed: Deed) -> Reply:
    """Return the reply to a correction or a note."""
    now = step.session
    who = deed.words[1] if deed.do == "rename" and not now.table.game.SHARED else deed.who
    named: dict[str, Any] = {"who": who} if who else {}
    text = " ".join(deed.words)
    if deed.do == "import":
        return Reply(_character(who, now), {**named, "state": plain_state(now, who), "log": []})
    if deed.do == "session":
        return Reply([f"A session begins: {text}"], {"session": text})
    if deed.do == "note":
        return Reply([f"Noted{f' of {who}' if who else ''}: {text}"], {"note": text, **named})
    renamed = [f"{deed.words[0]} is called {deed.words[1]} now."] if deed.do == "rename" else []
    lines = renamed or moved_cards(step.before, now)
    if who not in now.party.characters:
        return Reply(lines, named)
    return Reply([*lines, *_character(who, now)], {**named, "state": plain_state(now, who), "log": []})


def state_lines(now: Session, name: str) -> list[str]:
    """Return the state of a character or the table as lines; none if there is nothing to say."""
    line = state_line(now, name)
    return [f"{name}: {line}" if name else line] if line else []


def state_line(now: Session, name: str) -> str:
    """Return the state of somebody, or of the table, in one line."""
    return now.table.game.state_line(plain_state(now, name))


def plain_state(now: Session, name: str) -> Mapping[str, Any]:
    """Return the state of somebody, or of the table, as plain data."""
    game = now.table.game
    return shared_state(game, now.party) if game.SHARED else plain_people(game, now.party)[name]


def plain_log(log: Log, system: System) -> list[dict[str, Any]]:
    """Return a log as plain data."""
    return [games.plain_entry(entry, system) for entry in log]


# --- commands that change nothing ------------------------------------------------------------------------------------


def reply_at_once(name: str, words: Sequence[str], now: Session) -> Reply | None:
    """Return the answer to `help`, or to a command that changes nothing; None for any other. Raises HackjackError."""
    if name == "help":
        return help_on(words, now.table.game)
    return read_only_reply(name, words, now) if prompt.only_looks(name, now.table.game) else None


def read_only_reply(name: str, words: Sequence[str], now: Session) -> Reply:
    """Return the answer to a command that changes nothing. Raises HackjackError."""
    if name in now.table.game.LOOKS:
        return look_reply(now, prompt.read_deed(name, words, now.table, now.party))
    return {
        "show": _show,
        "next": _next,
        "odds": _odds,
        "log": _log,
        "why": _why,
        "chronicle": _chronicle,
        "export": _export,
    }[name](words, now)


def look_reply(now: Session, deed: Deed) -> Reply:
    """Return the reply to an event that changes nothing. Raises HackjackError."""
    return _happened(now, deed, session.look_log(now, deed))


def help_on(words: Sequence[str], game: AnyGame) -> Reply:
    """Return the commands, or one of them: how it is written and what it does. Raises UsageError."""
    prompt.usage("help", words, 0, 1, game)
    known = prompt.commands(game)
    names = [prompt.read_command(words[0], game)] if words else list(known)
    lines = help_text.detail(names[0], game) if words else help_text.overview(game)
    return Reply(lines, {name: {"usage": known[name][0], "says": known[name][1]} for name in names})


def _show(words: Sequence[str], now: Session) -> Reply:
    game = now.table.game
    prompt.usage("show", words, 0, 0 if game.SHARED else 1, game)
    if words:
        name = now.party.find(words[0])
        return Reply(_character(name, now), {"name": name, "state": plain_state(now, name)})
    lines = [line for name in now.party.characters for line in _character(name, now)]
    changed = (*now.table.system.house_rules, *now.table.system.changed_numbers)
    rules = " ".join(f"{name}={value}" for name, value in changed)
    return Reply(
        [*(lines or ["Nobody is at the table."]), *([f"rulings: {rules}"] if rules else []), *_deck(now)],
        plain_table(now),
    )


def _next(words: Sequence[str], now: Session) -> Reply:
    """Return what usually follows: the step of an order, then what is likely for each, and what cannot be done."""
    game, likely = now.table.game, Likely(now)
    prompt.usage("next", words, 0, 0, game)
    step = likely.next()
    people = (TABLE,) if game.SHARED else likely.order
    offered = {name: _in_phase(likely.of(name), likely.phase) for name in people}
    typed, more = _action(step) if step else ("", "")
    lines = [f"Next: {typed:<{max(10, len(typed) + 1)}} {more}".rstrip()] if step else []
    for name, actions in offered.items():
        board = dict(_on_board(now))
        told = dict(_action({**each, "who": name}) for each in actions)
        # What a board says of a command says more.
        told = board | {typed: more for typed, more in told.items() if typed not in board}
        wide = max([16, *map(len, told)])
        lines += [*([name] if name else []), *(f"    {typed:<{wide}} {more}".rstrip() for typed, more in told.items())]
    return Reply(lines or ["Nobody is at the table."], {"next": step, "likely": offered})


def _in_phase(actions: Sequence[dict[str, Any]], phase: str) -> list[dict[str, Any]]:
    """Return the actions of a fight, or of the time after it."""
    return [each for each in actions if each.get("in", phase) == phase]


def _on_board(now: Session) -> Iterator[tuple[str, str]]:
    """Yield the cheapest of what can be done on the board that lies on a shared table: as typed, and what it is."""
    board = now.table.game.board(plain_state(now, TABLE)) if now.table.game.SHARED else None
    moves = [tap for tap in board.moves if not tap.free][:MAX_MOVES] if board else []
    for tap in (*board.commands, *moves) if board and board.acts else ():
        yield " ".join(map(quoted_word, tap.words)), f"{tap.says}: {tap.detail}" if tap.detail else tap.says


def _action(each: Mapping[str, Any]) -> tuple[str, str]:
    """Return something likely: how it is typed, and what it is or why it cannot be done."""
    who = ALL if each.get("everybody") else each.get("who")
    typed = " ".join([each["do"], *map(quoted_word, [*filter(None, [who]), *each.get("words", ())])])
    more = f"not now: {each['reason'].removesuffix('.')}" if "reason" in each else each.get("says", "")
    return typed, more


def _character(name: str, now: Session) -> list[str]:
    """Return the state of a character or the table, with its details below."""
    details = now.table.game.details(plain_state(now, name))
    return [*state_lines(now, name), *(f"    {line}" for line in details)]


def _suits(now: Session) -> dict[str, list[str]]:
    """Return the ranks that are left in each suit; none where the cards have codes of their own."""
    left = session.left_in(now)
    if not all(map(is_code, now.table.deck)):
        return {}
    suits = {SUIT_NAMES[suit]: [rank_of(code) for code in left if suit_of(code) == suit] for suit in SUITS}
    jokers = [code for code in left if is_joker(code)]
    return {**suits, **({"jokers": jokers} if jokers else {})}


def _deck(now: Session) -> list[str]:
    """Return the cards left in the deck, for those who count cards."""
    left, whole = session.left_in(now), now.table.deck
    if not whole:
        return []
    lines = [f"{len(left)} of {len(whole)} cards are in the deck"]
    return lines + [f"    {suit:<8} {len(ranks):>2}  {' '.join(ranks)}".rstrip() for suit, ranks in _suits(now).items()]


def plain_table(now: Session) -> dict[str, Any]:
    """Return everybody and the deck, for JSON."""
    left = session.left_in(now)
    cards = {"left": len(left), "suits": _suits(now), "cards": left} if now.table.deck else {}
    return {**_settled(now), **_states(now), "deck": {**_luck_of(now), **cards}}


def _luck_of(now: Session) -> dict[str, Any]:
    """Return the kind of deck, and of dice if they differ."""
    campaign = now.table.campaign
    return {"kind": campaign.deck, **({"dice": campaign.dice} if campaign.dice else {})}


def _settled(now: Session) -> dict[str, Any]:
    """Return the system, content, rulings and numbers of a campaign."""
    campaign = now.table.campaign
    return {key: getattr(campaign, key) for key in ("system", "content", "rulings", "numbers")}


def _states(now: Session) -> dict[str, Any]:
    """Return the characters, or the state of the table."""
    if now.table.game.SHARED:
        return {"state": plain_state(now, TABLE)}
    return {"characters": [{"name": name, "state": plain_state(now, name)} for name in now.party.names]}


def _export(words: Sequence[str], now: Session) -> Reply:
    """Return the session as data that `import` makes a campaign of; what was undone is not part of it."""
    prompt.usage("export", words, 0, 0, now.table.game)
    party, since = now.party, now.since
    campaign = msgspec.structs.replace(now.table.campaign, content=since.content, checksum=since.checksum)
    deck = {**_luck_of(now), **({"seed": campaign.seed, "order": party.order} if campaign.seed is not None else {})}
    commands = [moment.command for moment in now.moments()][::-1]
    events = [deed for command in commands for deed in command.deeds]
    whole = {"campaign": campaign, "commands": commands}
    return Reply((), {**_settled(now), "deck": deck, **_states(now), "drawn": party.drawn, "events": events, **whole})


def _log(words: Sequence[str], now: Session) -> Reply:
    prompt.usage("log", words, 0, 1, now.table.game)
    count = read_number("log", words[0], 1, MAX_LINES) if words else 10
    whole = now.now.number
    lines: list[str] = []
    values: list[dict[str, Any]] = []
    for number, moment in [*enumerate(islice(now.moments(), count))][::-1]:
        logs = session.logs_of(now.table, moment)
        lines.append(f"{whole - number}. {prompt.typed_command(moment.command, now.table)}")
        text = "\n".join(log_lines(moment.command.deeds, logs, now.table))
        lines += [f"    {line}" for line in text.splitlines()]
        log = [entry for log in logs for entry in plain_log(log, now.table.system)]
        values.append({**_deeds(moment.command), "log": log})
    return Reply(lines or ["Nothing has happened yet."], values)


def entry_reply(line: int, now: Session) -> Reply:
    """Return a command of the log, as it is to be mended."""
    moment = next(moment for moment in now.moments() if moment.line == line)
    number = entry_number(now, line)
    lines = [f"{number}. {prompt.typed_command(moment.command, now.table)}", *_said_then(moment, now.table)]
    how = f"Write what is to stand in its place behind mend {number}, or mend {number} remove."
    return Reply([*lines, how], {"number": number, **_deeds(moment.command)})


def _chronicle(words: Sequence[str], now: Session) -> Reply:
    prompt.usage("chronicle", words, 0, 0, now.table.game)
    chapters = chronicle.chronicle(now)
    lines, marks = chronicle.chronicle_lines(chapters)
    return Reply(lines, chronicle.plain_chronicle(chapters), marks)


def _why(words: Sequence[str], now: Session) -> Reply:
    prompt.usage("why", words, 0, 0, now.table.game)
    moment = next(now.moments(), None)
    if moment is None:
        return Reply(["Nothing has happened yet."], {"deed": None, "rulings": []})
    reasons = [games.ruling_line(entry, now.table.system) for entry in session.log_of(now.table, moment)]
    rulings = list(dict.fromkeys(filter(None, reasons)))
    sentences = rulings or ["It follows no ruling of ours."]
    lines = [prompt.typed_command(moment.command, now.table), *(f"    {reason}" for reason in sentences)]
    return Reply(lines, {**_deeds(moment.command), "rulings": rulings})


def _deeds(command: Command) -> dict[str, Any]:
    """Return the deeds of a command for JSON: mostly there is one."""
    return {"deed": command.deeds[0]} if len(command.deeds) == 1 else {"deeds": command.deeds}


def _odds(words: Sequence[str], now: Session) -> Reply:
    """Count odds with the engine and the cards really left: `odds bryn 9`, `odds bryn draw hits 2`."""
    game = now.table.game
    prompt.usage("odds", words, 1, prompt.MAX_NUMBERS, game)
    who = TABLE if game.SHARED else now.party.find(words[0])
    head, answer = event_odds(who, words if game.SHARED else words[1:], now)
    lines = answer.lines if answer.brief is None else answer.brief
    value = {**({} if answer.cards is None else {"cards": answer.cards}), **answer.plain}
    return Reply([f"{head}: {answer.counts}" if answer.counts else f"{head}:", *lines], value)


def event_odds(who: str, words: Sequence[str], now: Session) -> tuple[str, OddsAnswer]:
    """Return the chances of an event that befalls somebody, with the event as it is typed. Raises HackjackError."""
    table, game = now.table, now.table.game
    question_words, at, hits = prompt.read_question(words, table)
    with naming_errors(who):
        question = Asked(hits, policy="best", held=() if game.SHARED else cards_held(game, now.party))
        answer = game.odds(now.party.state(who), game.read_question(question_words, at), question)
    pairs = (f"{name}={value}" for name, value in at.items())
    return " ".join(
        quoted_word(word) for word in (question_words[0], *([who] if who else []), *question_words[1:], *pairs)
    ), answer
