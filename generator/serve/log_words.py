"""The log in words, for the game master and for players, and what a correction of it would change."""

import dataclasses
from collections.abc import Collection, Sequence
from itertools import islice
from typing import Any, TypeAlias

from msgspec.structs import replace

from generator import games
from generator.model.log import Entry, Log
from generator.model.rules import System
from generator.play.log import Peek
from generator.serve.untold import command_for_players, lines_for_players, mentions
from generator.session import moments, prompt, session
from generator.session.corrections import is_correction
from generator.session.deeds import Deed, sent_deeds
from generator.session.moments import MomentTold
from generator.session.party import Party, PartyTable, shared_state
from generator.session.session import Moment, Session, TableStep
from generator.words.wording import capitalised, key_in_words

MAX_TOLD = 12
"""So many commands of the log are shown."""
Plain = dict[str, Any]


def foes_of(table: PartyTable, party: Party) -> Collection[str]:
    """Return the names of the game master's characters, if the game tells them."""
    return table.game.foes(shared_state(table.game, party)) if table.game.SHARED else ()


class LogInWords:
    """The log in words. Each command is put into words once, for the log is shown again after each of them.

    What was just done has its log, and is told with it (`hear`); of others it is played again.
    """

    def __init__(self) -> None:
        self._kept: dict[int, _Kept] = {}

    def of(self, now: Session, *, who: str = "", untold: Collection[str] = frozenset()) -> list[Plain]:
        """Return the last commands, oldest first; for `who`, without secrets and the names `untold`."""
        whole, seat = now.now.number, now.party.seat(who) if who else ""
        entries = [self._seen(moment, now.table, seat, untold) for moment in islice(now.moments(), MAX_TOLD)]
        return [{"number": whole - place, **each} for place, each in enumerate(entries) if each][::-1]

    def hear(self, step: TableStep) -> None:
        """Put a command into words that was just done."""
        if not step.command.turns and not step.command.mends:
            self._keep(step.session.now, step.logs, step.session.table)

    def _keep(self, moment: Moment, logs: Sequence[Log], table: PartyTable) -> "_Kept":
        if len(self._kept) > 4 * MAX_TOLD:
            self._kept.clear()
        kept: _Kept = (moment, _in_words(moment, logs, table), {})
        self._kept[id(moment)] = kept
        return kept

    def _seen(self, moment: Moment, table: PartyTable, seat: str, untold: Collection[str]) -> Plain:
        """Return a command as the game master or a seat sees it; empty where there is nothing."""
        kept = self._kept.get(id(moment))
        if kept is None or kept[0] is not moment:
            kept = self._keep(moment, session.logs_of(table, moment), table)
        _, each, seen = kept
        whose = (seat, frozenset(untold))
        if whose not in seen:
            entry = _for_player(each, moment.party.in_seat(seat), untold) if seat else _for_gm(each)
            is_seen = any(entry[key] for key in ("parts", "lines", "moments", "changes"))
            seen[whose] = _visible(entry) if is_seen else {}
        return seen[whose]

    def headline(self, moment: Moment, table: PartyTable) -> str:
        """Return a command in a few words."""
        return str(self._seen(moment, table, "", ()).get("says", ""))


_Kept: TypeAlias = tuple[Moment, Plain, dict[tuple[str, Collection[str]], Plain]]
"""A command in words, and as those have seen it who looked: by seat, and by the names that they are not told."""


def _in_words(moment: Moment, logs: Sequence[Log], table: PartyTable) -> Plain:
    command = moment.command
    parts = [
        {
            "typed": prompt.typed_command(replace(command, deeds=(deed,)), table),
            "who": [deed.who],
            "lines": log_sentences(log, table.system),
            "cards": deed.cards,
            "noted": _noted(deed) if is_correction(deed, table.game) else "",
        }
        for deed, log in zip(command.deeds, logs, strict=True)
    ]
    sent = {"sender": command.sender, "by": command.by, "time": command.time}
    command_in_words = {**_joined(parts), "typed": prompt.typed_command(command, table), **sent}
    changes = moments.changes_of(moment, table)
    headlines = moments.moments_of(moment, logs, table, changes)
    # Somebody may have been called otherwise then.
    before = foes_of(table, moment.before.party) if moment.before else ()
    # Without the order of a virtual deck, which nobody sees.
    deeds = [
        {name: given for name in _SHOWN if (given := getattr(deed, name)) or name != "dice"}
        for deed in sent_deeds(command.deeds)
    ]
    return {
        **command_in_words,
        "line": moment.line,
        "deeds": deeds,
        "foes": {*before, *foes_of(table, moment.party)},
        "told": headlines,
        "changes": changes,
    }


_SHOWN = ("do", "who", "words", "at", "cards", "dice", "choices")
"""What the game master's page is told of a deed, to correct it."""


def _noted(deed: Deed) -> str:
    """Return a correction or a note in words."""
    text = " ".join(deed.words)
    match deed.do:
        case "note":
            return f"Note on {deed.who}: {text}" if deed.who else f"Note: {text}"
        case "session":
            return f"A session begins: {text}"
        case "rename":
            return f"{deed.words[0]} is called {deed.words[-1]} now"
        case _:
            whose = deed.who or "the table"
            return f"The values of {whose} are set" if deed.do == "set" else f"{capitalised(whose)} comes from a file"


def _visible(entry: Plain) -> Plain:
    """Return an entry of the log as a page shows it, with its headline."""
    seen = {key: value for key, value in entry.items() if key not in ("parts", "foes", "told", "by")}
    return {**seen, "says": _headline(entry)}


def _headline(entry: Plain) -> str:
    if entry["moments"]:
        return str(entry["moments"][0]["says"])
    noted = [part["noted"] for part in entry["parts"] if part["noted"]]
    lines = [line["text"].rstrip(".") for line in entry["lines"] if "\n" not in line["text"]]
    return next(iter((*_numbers(entry), *noted, *lines)), capitalised(key_in_words(entry["typed"])))


def _numbers(entry: Plain) -> list[str]:
    """Return the numbers that an entry changed."""
    listed = [each if isinstance(each, dict) else dataclasses.asdict(each) for each in entry["changes"]]
    return [f"{each['name']} {each['was']} → {each['now']}".replace("-", "\u2212") for each in listed]


def corrected(step: TableStep) -> Plain:
    """Return what another command in the place of an entry changes.

    That is the entry `before` and `after` (None if it is taken out), in short each `later` one that comes out
    differently, and the numbers that differ in the end.
    """
    table, mends = step.session.table, step.command.mends
    old, new = ({moment.line: moment for moment in each.moments()} for each in (step.before, step.session))
    numbers = {line: number for number, line in enumerate(sorted(old), 1)}

    def entry(moment: Moment | None) -> Plain | None:
        return _visible(_for_gm(_in_words(moment, session.logs_of(table, moment), table))) if moment else None

    def in_short(told: Plain | None) -> str:
        return "; ".join([told["says"], *(each for each in _numbers(told) if each != told["says"])]) if told else ""

    later = []
    for line in (line for line in numbers if line > mends):
        was, now = in_short(entry(old[line])), in_short(entry(new.get(line)))
        if was != now:
            why = {"why": step.left_out.get(line, "")} if line not in new else {}
            later.append({"number": numbers[line], "was": was, "now": now, **why})
    changes = moments.party_changes(step.before.party, step.session.party, table)
    return {"before": entry(old[mends]), "after": entry(new.get(mends)), "later": later, "changes": changes}


def _joined(parts: list[Plain]) -> Plain:
    """Return the log lines of several deeds together."""
    together = {key: [each for part in parts for each in part[key]] for key in ("lines", "cards")}
    typed = "; ".join(part["typed"] for part in parts)
    names = list(dict.fromkeys(who for part in parts for who in part["who"]))
    return {"typed": typed, "who": names, **together, "parts": parts}


def log_sentences(log: Log, system: System) -> list[Plain]:
    """Return a log in sentences with their reasons, and whether each is the game master's alone."""
    return [_line(entry, system) for entry in log]


def _line(entry: Entry[Any], system: System) -> Plain:
    more = {"why": entry.why, "mark": games.mark_of(entry, system), "secret": isinstance(entry.fact, Peek)}
    return {"text": games.game_of(system).line(entry), **{key: value for key, value in more.items() if value}}


def _for_gm(each: Plain) -> Plain:
    """Return a command with its moments in the words for everybody."""
    headlines = moments.by_weight(each["told"])
    # Whose it is goes without saying where the command befell nobody else.
    shown = [
        _moment(one, one.they) | ({"whom": one.whom} if one.whom and [one.whom] != each["who"] else {})
        for one in headlines
    ]
    return {**each, "moments": shown}


def _moment(one: MomentTold, text: str) -> Plain:
    more = {"emblem": one.emblem, "look": one.look, "card": one.card, "title": one.title, "then": one.then}
    weight = {"weight": one.weight} if one.weight > 1 else {}
    return {"says": text, **weight, **{key: value for key, value in more.items() if value}}


def _for_player(each: Plain, who: str | None, untold: Collection[str]) -> Plain:
    """Return a command as its target or sender may see it, without others' events and notes.

    Of what others did to them they read the moments and the numbers, in words that name nobody they know nothing of.
    """
    names, sent = {*untold, *each["foes"]}, each["sender"] == "player" and each["by"] == who
    parts = [part for part in each["parts"] if not part["noted"] and (sent or who in part["who"])]
    own = {**each, **_joined(parts)}
    # Who helps somebody reads of it what everybody does, where the table has no foes.
    open_words = sent and not each["foes"]
    headlines = [
        (one, text)
        for one in each["told"]
        if (text := one.said_to(who or "\n") or (one.they if open_words and not one.secret else ""))
    ]
    headlines = [(one, text) for one, text in headlines if not mentions(f"{text} {one.then}", names)]
    head = moments.by_weight([one for one, _ in headlines])
    sentence = {id(one): text for one, text in headlines}
    return {
        **own,
        "typed": command_for_players(own["typed"], names),
        "lines": lines_for_players(own["lines"], names),
        "deeds": (),
        "cards": own["cards"] if parts else _cards_for(who, head),
        "moments": [_moment(one, sentence[id(one)]) for one in head],
        "changes": [
            {"key": change.key, "name": change.name, "was": change.was, "now": change.now}
            for change in each["changes"]
            if change.who == who
        ],
    }


def _cards_for(who: str | None, told: Sequence[MomentTold]) -> list[str]:
    """Return the cards of moments: those that fell to a player, or else those that fell to the table."""
    own = dict.fromkeys(one.card for one in told if one.card and one.whom == who)
    return [*(own or dict.fromkeys(one.card for one in told if one.card))]
