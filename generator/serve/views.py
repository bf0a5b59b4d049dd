"""What a page is told, as plain data: all of it for the game master, their own and little else for a player.

A player's view is put together from what they may know, never made by leaving things out of the game master's.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict
from itertools import islice
from typing import Any

import msgspec
from msgspec.structs import replace

from generator import games
from generator.base.cards import is_code, name_of
from generator.games.face import AnyGame
from generator.model.log import Entry, Log
from generator.model.rules import System
from generator.play.chance import CardNeed, Need, RollNeed
from generator.play.event_spec import ArgumentReading, ArgumentSpec, EventSpec, read_pairs
from generator.play.log import Peek
from generator.play.piles import card_of, codes_without
from generator.serve.untold import command_for_players, lines_for_players, mentions
from generator.session import prompt, replies, session
from generator.session.corrections import is_correction
from generator.session.party import TABLE, Party, PartyTable, plain_people
from generator.session.session import Moment, Session
from generator.words.card_text import card_text_readings
from generator.words.effects import card_told
from generator.words.wording import capitalised, key_in_words

MAX_TOLD = 40
"""So many commands of the log are shown."""
MAX_SHEET = 80
"""So many characters of a line of a sheet are shown."""
Plain = dict[str, Any]


# --- who is at the table ---------------------------------------------------------------------------------------------


def players(now: Session) -> tuple[str, ...]:
    """Return those who may have a link of their own: everybody but the foes of a shared table."""
    if not now.table.game.SHARED:
        return now.party.names
    others = foes(now)
    return tuple(name for name in plain_people(now.table.game, now.party) if name not in others)


def foes(now: Session) -> Collection[str]:
    """Return the names of the game master's characters, if the game tells them."""
    return _foes(now.table, now.party)


def _foes(table: PartyTable, party: Party) -> Collection[str]:
    return table.game.foes(table.game.plain_state(party.state(TABLE))) if table.game.SHARED else ()


def untold_names(now: Session, who: str, hidden: Collection[str]) -> frozenset[str]:
    """Return the names that the player `who` is not told: those of foes, and of others who are hidden."""
    return frozenset({*foes(now), *hidden} - {who})


# --- the game master -------------------------------------------------------------------------------------------------


def gm_view(now: Session, log: LogInWords) -> Plain:
    """Return the game master's view: `show --json`, and more that the page needs."""
    game = now.table.game
    shared = replies.plain_state(now, TABLE) if game.SHARED else {}
    return {
        **replies.plain_table(now),
        "role": "gm",
        "people": [_person(name, plain, now) for name, plain in plain_people(now.table.game, now.party).items()],
        **(_shared(game, shared) if game.SHARED else {"table": None, "board": None}),
        "acting": game.acting(shared) if game.SHARED else "",
        "undo": _turning(now, now.now, "undo"),
        "redo": _turning(now, now.undone.moment, "redo") if now.undone else None,
        "log": log.of(now),
    }


def _shared(game: AnyGame, plain: Plain) -> Plain:
    """Return a shared table: how it stands, and the board that lies there."""
    board = game.board(plain)
    details = game.details(plain) if board is None else board.lines
    return {"table": {"line": game.state_line(plain), "details": details}, "board": board}


def _person(name: str, plain: Mapping[str, Any], now: Session) -> Plain:
    """Return a character on the board."""
    game = now.table.game
    own = {} if game.SHARED else {"line": game.state_line(dict(plain)), "details": game.details(dict(plain))}
    return {"name": name, **_glance(game, plain), **own, "marks": _marks(plain)}


def _glance(game: AnyGame, plain: Mapping[str, Any]) -> Plain:
    return {"alive": game.is_alive(plain), "gauges": [asdict(gauge) for gauge in game.gauges(plain)]}


def _marks(plain: Mapping[str, Any]) -> list[str]:
    """Return the flags of a character: `holding`, `shaken`."""
    return [key.replace("_", " ") for key, value in plain.items() if value is True and key != "dead"]


def _turning(now: Session, moment: Moment, way: str) -> Plain | None:
    """Return the command that undo or redo would move, and its cards."""
    if moment.before is None:
        return None
    cards = codes_without(moment.party.drawn, moment.before.party.drawn)
    shuffled = codes_without(moment.before.party.drawn, moment.party.drawn)
    back, out = (cards, shuffled) if way == "undo" else (shuffled, cards)
    return {"typed": prompt.typed_command(moment.command, now.table), "back": back, "out": out}


class LogInWords:
    """The log in words. Each command is put into words once, for the log is shown again after each of them."""

    def __init__(self) -> None:
        self._kept: dict[int, tuple[Moment, Plain]] = {}

    def of(self, now: Session, *, who: str = "", untold: Collection[str] = ()) -> list[Plain]:
        """Return the last commands, oldest first; for `who`, without secrets and the names `untold`."""
        whole = now.now.number
        seat = now.party.seat(who)
        numbered = ((whole - place, moment) for place, moment in enumerate(islice(now.moments(), MAX_TOLD)))
        entries = [(moment, {"number": number, **self._moment(moment, now.table)}) for number, moment in numbered]
        seen = [_for_player(each, moment.party.in_seat(seat), untold) if who else each for moment, each in entries]
        kept = [each for each in seen[::-1] if each["parts"] or each["lines"]]
        return [{key: value for key, value in each.items() if key not in ("parts", "foes", "lost")} for each in kept]

    def _moment(self, moment: Moment, table: PartyTable) -> Plain:
        kept = self._kept.get(id(moment))
        if kept is None or kept[0] is not moment:
            if len(self._kept) > 4 * MAX_TOLD:
                self._kept.clear()
            kept = self._kept[id(moment)] = (moment, _in_words(moment, table))
        return kept[1]


def _in_words(moment: Moment, table: PartyTable) -> Plain:
    command = moment.command
    logs = session.logs_of(table, moment)
    parts = [
        {
            "typed": prompt.typed_command(replace(command, deeds=(deed,)), table),
            "who": [deed.who],
            "lines": log_sentences(log, table.system),
            "cards": [card(name, table.system) for name in deed.cards],
            "noted": is_correction(deed, table.game),
        }
        for deed, log in zip(command.deeds, logs, strict=True)
    ]
    sent = {"sender": command.sender, "by": command.by, "time": command.time}
    command_in_words = {**_joined(parts), "typed": prompt.typed_command(command, table), **sent}
    # Somebody may have been called otherwise then.
    before = _foes(table, moment.before.party) if moment.before else ()
    return {**command_in_words, "foes": {*before, *_foes(table, moment.party)}, "lost": _hp_lost(moment, table)}


def _hp_lost(moment: Moment, table: PartyTable) -> Mapping[str, int]:
    """Return the HP that a command took from each of those at a shared table, whose players are told no more of it."""
    if not table.game.SHARED or moment.before is None or moment.command.mends:
        return {}
    if all(is_correction(deed, table.game) for deed in moment.command.deeds):
        return {}
    before, after = (_hp(party, table) for party in (moment.before.party, moment.party))
    return {name: hp - after[name] for name, hp in before.items() if hp > after.get(name, hp)}


def _hp(party: Party, table: PartyTable) -> Mapping[str, int]:
    seats = table.game.seats(table.game.plain_state(party.state(TABLE)))
    return {name: seat["hp"] for name, seat in seats.items() if "hp" in seat}


def _joined(parts: list[Plain]) -> Plain:
    """Return the log lines of several deeds together."""
    together = {key: [each for part in parts for each in part[key]] for key in ("lines", "cards")}
    typed = "; ".join(part["typed"] for part in parts)
    names = list(dict.fromkeys(who for part in parts for who in part["who"]))
    return {"typed": typed, "who": names, **together, "parts": parts}


def log_sentences(log: Log, system: System) -> list[Plain]:
    """Return a log in sentences with their reasons, and whether each is the game master's alone."""
    marks = games.marks_of(log, system)
    return [_line(entry, marks, system) for entry in log]


def _line(entry: Entry[Any], marks: Mapping[str, games.Mark], system: System) -> Plain:
    text, reason = games.game_of(system).line(entry), games.ruling_line(entry, system)
    more = {"why": reason, "mark": marks.get(text), "secret": isinstance(entry.fact, Peek)}
    return {"text": text, "kind": entry.kind, **{key: value for key, value in more.items() if value}}


def _for_player(each: Plain, who: str | None, untold: Collection[str]) -> Plain:
    """Return a command as its target or sender may see it, without others' events and notes.

    Who struck them may be nobody they know of: then they are told what they take, and no more.
    """
    names, sent = {*untold, *each["foes"]}, each["sender"] == "player" and each["by"] == who
    parts = [part for part in each["parts"] if not part["noted"] and (sent or who in part["who"])]
    own = {**each, **_joined(parts), "by": each["by"] if sent else ""}
    lines = lines_for_players(own["lines"], names)
    if (lost := each["lost"].get(who, 0)) and (not parts or len(lines) < len(own["lines"])):
        lines.append({"text": f"You take {lost}.", "kind": "lost"})
    return {**own, "typed": command_for_players(own["typed"], names), "lines": lines}


# --- a player --------------------------------------------------------------------------------------------------------


def player_view(now: Session, name: str, hidden: Collection[str], log: LogInWords) -> Plain:
    """Return a player's view: their own character; of others the name and whether they live."""
    game, everybody, untold = now.table.game, plain_people(now.table.game, now.party), untold_names(now, name, hidden)
    plain = everybody[name]
    own = {} if game.SHARED else _own_state(game, dict(plain), untold)
    board = game.board(replies.plain_state(now, TABLE), name) if game.SHARED else None
    others = [each for each in players(now) if each != name and each not in hidden]
    return {
        "role": "player",
        "system": now.table.system.head.id,
        "name": name,
        **_glance(game, plain),
        **own,
        **({} if board is None else {"board": board}),
        "marks": _marks(plain),
        "sheet": _sheet(game, plain, untold),
        "others": [{"name": each, "alive": game.is_alive(everybody[each])} for each in others],
        "log": log.of(now, who=name, untold=untold),
    }


def _own_state(game: AnyGame, plain: Plain, untold: Collection[str]) -> Plain:
    """Return a player's state in words, without what names somebody untold: a condition may keep who did it."""
    parts = (part for part in game.state_line(plain).split(", ") if not mentions(part, untold))
    return {"line": ", ".join(parts), "details": [each for each in game.details(plain) if not mentions(each, untold)]}


def _sheet(game: AnyGame, plain: Mapping[str, Any], untold: Collection[str]) -> list[tuple[str, str]]:
    """Return the label and text of each sheet line. Gauges are shown already, untold names never."""
    shown = {gauge.key for gauge in game.gauges(plain)} | {"drawn", "name", "fight", "dead"}
    filled = {key: value for key, value in game.sheet(dict(plain)).items() if key not in shown}
    return [
        (game.called(key), str(value)[:MAX_SHEET])
        for key, value in filled.items()
        if isinstance(value, str | int) and not isinstance(value, bool) and value != ""
        if not mentions(str(value), untold)
    ]


# --- the game, once --------------------------------------------------------------------------------------------------


def plain_game(table: PartyTable, events: Collection[str] | None = None) -> Plain:
    """Return the game's fixed data: the events with their arguments, and the cards of the deck.

    `events` are those that a player may do; None tells all.
    """
    game, head = table.game, table.system.head
    events_told = {name: spec for name, spec in game.EVENTS.items() if events is None or name in events}
    plain: Plain = {
        "title": head.title,
        "system": head.id,
        "shared": game.SHARED,
        "virtual": table.virtual,
        "events": [_spec(spec, game) for spec in events_told.values()],
        "deck": [_in_deck(name, table.system) for name in dict.fromkeys(table.deck)],
    }
    if events is None:
        plain |= {"questions": list(game.QUESTIONS), "looks": list(game.LOOKS)}
        plain |= {} if game.SHARED else {"newcomer": _spec(game.NEWCOMER, game)}
    return plain


def _spec(spec: EventSpec, game: AnyGame) -> Plain:
    plain_spec: Plain = msgspec.to_builtins(spec)
    return {**plain_spec, "takes": [_argument(argument, game) for argument in spec.takes]}


_ANY = ("a number", "a card", "a name", "a die", "")
"""What an argument is called where nothing is said of it: its name says more then."""


def _argument(argument: ArgumentSpec, game: AnyGame) -> Plain:
    """Return an argument with the `title` that stands above its field."""
    plain_argument: Plain = msgspec.to_builtins(argument)
    then = {word: [_argument(each, game) for each in more] for word, more in argument.then.items()}
    return {**plain_argument, "then": then, "title": _title(argument, game)}


def _title(argument: ArgumentSpec, game: AnyGame) -> str:
    if argument.called not in _ANY:
        return capitalised(argument.called)
    if argument.name == "word":
        return "Also" if argument.kind == "word" else key_in_words(argument.kind)
    return game.called(argument.name)


def _in_deck(name: str, system: System) -> Plain:
    """Return a card as the pad shows it: its name, and what it is called."""
    code = name.rpartition(":")[2]
    card = card_of(name, system)
    called = card[1].name if card else name_of(code) if is_code(code) else code
    return {"name": name, "title": called}


def card(name: str, system: System) -> Plain:
    """Return the face of a card: what it is called and what it does, by each of its readings and faces."""
    found = card_of(name, system)
    if found is None:
        return {**_in_deck(name, system), "text": []}
    deck, known = found
    text = [
        f"{label}: {said}" if label and not place else str(said)
        for label, sentences in card_text_readings(known, deck, system)
        for place, said in enumerate(sentences)
    ]
    return {"name": name, **card_told(known, system), "text": text}


# --- what is asked ---------------------------------------------------------------------------------------------------


def plain_need(need: Need, table: PartyTable, untold: Collection[str] = ()) -> Plain:
    """A question: its kind, its reason unless that names somebody `untold`, and what may be answered; cards with what
    they do.
    """
    if isinstance(need, CardNeed):
        return {"kind": "card", "cards": list(dict.fromkeys(need.left)), "reason": need.place}
    if isinstance(need, RollNeed):
        dice = {"count": need.dice.count, "faces": need.dice.faces}
        return {
            "kind": "roll",
            **dice,
            "reason": "" if mentions(need.reason, untold) else need.reason,
            "can_wait": need.can_wait,
        }
    says = need.says or tuple(map(table.game.option_says, need.options))
    return {"kind": "choice", "options": [_option(*each, table) for each in zip(need.options, says, strict=True)]}


def _option(option: str, says: str, table: PartyTable) -> Plain:
    shown = {"card": card(option, table.system)} if option in table.deck else {}
    return {"text": option, **({"says": says} if says else {}), **shown}


def choices(now: Session, name: str, who: str, words: Sequence[str], at: Mapping[str, str]) -> dict[str, list[str]]:
    """Return the values that each argument of an event may have now, after what has been said. Raises UsageError."""
    game = now.table.game
    joining = name == "add" and not game.SHARED
    spec = game.NEWCOMER if joining else game.EVENTS[prompt.read_command(name, game)]
    state = game.read_state({}) if joining else now.party.state(TABLE if game.SHARED else now.party.find(who))
    pairs, said = read_pairs(list(words), at)
    taken = ArgumentReading(spec, said, pairs, game.READERS, "")
    return {each.name: [*game.choices(each, state, taken.values)] for each in _all(spec.takes, taken.values)}


def _all(takes: Sequence[ArgumentSpec], values: Mapping[str, Any]) -> list[ArgumentSpec]:
    """Return the arguments, and those that follow from the words that were said."""
    arguments: list[ArgumentSpec] = []
    for argument in takes:
        arguments += [argument, *_all(argument.then.get(values.get(argument.name, ""), ()), values)]
    return arguments
