"""What a page is told, as plain data: all of it for the game master, their own and little else for a player.

A player's view is put together from what they may know, never made by leaving things out of the game master's.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from generator import games
from generator.base.cards import is_code, name_of
from generator.base.emblem_names import EMBLEMS
from generator.games.board import Board
from generator.games.face import AnyGame
from generator.layout.emblems import condition_emblem
from generator.layout.reading import panels_reading
from generator.model.rules import System
from generator.paper.art import emblem_path
from generator.play.event_spec import ArgumentReading, ArgumentSpec, EventSpec, read_pairs
from generator.play.piles import card_of, codes_without
from generator.products import panels_file
from generator.products.panel_content import page, screen_pages
from generator.serve.log_words import LogInWords, foes_of
from generator.serve.untold import REFUSED, mentions
from generator.session import page as pages
from generator.session import prompt, replies
from generator.session.page import Likely, Phone
from generator.session.party import TABLE, PartyTable, plain_people, shared_state
from generator.session.session import Moment, Session
from generator.words.card_text import card_text_readings
from generator.words.effects import card_told
from generator.words.house_rules import HouseRule, number_rules, switch_rules
from generator.words.wording import capitalised, in_force, key_in_words

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
    return foes_of(now.table, now.party)


def untold_names(now: Session, who: str, hidden: Collection[str]) -> frozenset[str]:
    """Return the names that the player `who` is not told: those of foes, and of others who are hidden."""
    return frozenset({*foes(now), *hidden} - {who})


class Shown:
    """A table as it stands, for all who look: what is the same for several of them is worked out once."""

    def __init__(self, now: Session, log: LogInWords, before: "Shown | None" = None) -> None:
        self.now, self.game, self.log = now, now.table.game, log
        self.people = plain_people(self.game, now.party)
        self.shared = shared_state(self.game, now.party)
        self.likely = Likely(now)
        self.acting = self.game.acting(self.shared) if self.game.SHARED else ""
        self._glances: dict[str, Plain] = {}
        self._sheets: dict[str, list[tuple[str, str]]] = {}
        self._from_afar: dict[tuple[str, ...], Plain] = {}
        if before:
            same = {who for who, plain in self.people.items() if before.people.get(who) is plain}
            self._glances |= {who: seen for who, seen in before._glances.items() if who in same}
            self._sheets |= {who: lines for who, lines in before._sheets.items() if who in same}

    def glance(self, name: str) -> Plain:
        """Return what a glance at somebody shows; at their own table also how they are in words."""
        if name not in self._glances:
            game, plain = self.game, self.people[name]
            seen = {
                "alive": not pages.is_gone(game, plain),
                **pages.tile(game, plain),
                "marks": pages.marks(game, plain),
            }
            own = {} if game.SHARED else {"line": game.state_line(plain), "details": [*game.details(plain)]}
            self._glances[name] = seen | own
        return self._glances[name]

    def sheet(self, name: str) -> list[tuple[str, str]]:
        """Return the label and text of each line of somebody's sheet that no gauge shows already."""
        if name not in self._sheets:
            elsewhere = {gauge.key for gauge in self.glance(name)["gauges"]} | {"drawn", "name", "fight", "dead"}
            self._sheets[name] = [
                (self.game.called(key), str(value)[:MAX_SHEET])
                for key, value in self.game.sheet(self.people[name]).items()
                if isinstance(value, str | int) and not isinstance(value, bool) and value != ""
                if key not in elsewhere
            ]
        return self._sheets[name]

    def from_afar(self, name: str, phone: Phone) -> Plain:
        """Return a player's character for another's phone: whether they live, and what one may do for them."""
        key = (name, *phone.events)
        if key not in self._from_afar:
            helps = [] if self.game.SHARED else self.likely.of(name, phone)
            alive = self.game.is_alive(self.people[name])
            seen = {"name": name, "alive": alive, **({"likely": helps} if helps else {})}
            if not alive:
                looks = (each for each in self.glance(name)["states"] if each.get("look") in ("dead", "out"))
                seen["says"] = next((each["says"].lower() for each in looks), "dead")
            self._from_afar[key] = seen
        return self._from_afar[key]


# --- the game master -------------------------------------------------------------------------------------------------


def gm_view(shown: Shown) -> Plain:
    """Return the game master's view: `show --json`, and more that the page needs."""
    now, game, likely, others = shown.now, shown.game, shown.likely, foes(shown.now)
    shared = _shared(game, shown.shared) if game.SHARED else {"table": None, "board": None}
    step, board = _next_of(likely.next(), shared["board"])
    return {
        **replies.plain_table(now),
        "role": "gm",
        "people": [_person(name, shown, foe=name in others) for name in likely.order],
        **shared,
        "board": board,
        "acting": shown.acting,
        "likely": likely.of(TABLE) if game.SHARED else [],
        "next": step,
        "phase": likely.phase,
        "undo": _turning(shown, now.now, "undo"),
        "redo": _turning(shown, now.undone.moment, "redo") if now.undone else None,
        "log": shown.log.of(now),
    }


def _shared(game: AnyGame, plain: Mapping[str, Any]) -> Plain:
    """Return a shared table: how it stands, the board that lies there, and what a player waits for.

    A player who attacks names nobody: the game master does, by one of the commands that are open.
    """
    board = game.board(plain)
    details = game.details(plain) if board is None else board.lines
    wish = {"who": game.acting(plain), "says": board.awaits, "can": board.granting} if board and board.awaits else None
    line = {"line": game.state_line(plain), "details": details}
    return {"table": line | _on_table(game, plain), "board": board, "wishes": [wish] if wish else []}


def _next_of(step: Plain | None, board: Board | None) -> tuple[Plain | None, Board | None]:
    """Return the next step, with the words of the one button of a board that does it, and the board without that one.

    Where a board has several buttons for it, they are the next step.
    """
    taps = [tap for tap in board.commands if tap.words[0] == step["do"]] if step and board else []
    if not (step and board and taps):
        return step, board
    if len(taps) > 1:
        return None, board
    rest = tuple(tap for tap in board.commands if tap is not taps[0])
    return {**step, "words": taps[0].words[1:]}, replace(board, commands=rest)


def _on_table(game: AnyGame, plain: Mapping[str, Any]) -> Plain:
    """Return the cards on a shared table that lie before nobody."""
    pile = pages.pile(game, plain)
    return {"pile": pile, "pile_of": game.ON_TABLE} if pile else {}


def _person(name: str, shown: Shown, *, foe: bool) -> Plain:
    """Return a character on the board."""
    seat = {"name": name, **({"side": "foe"} if foe else {}), **shown.glance(name)}
    if shown.game.SHARED:
        return seat
    text = [hurt["says"] for hurt in seat["hurts"]]
    details = [line for line in seat["details"] if not any(each in line for each in text)]
    return {**seat, "details": details, "likely": shown.likely.of(name)}


def _turning(shown: Shown, moment: Moment, way: str) -> Plain | None:
    """Return the command that undo or redo would move, in a few words, and its cards."""
    now = shown.now
    if moment.before is None:
        return None
    typed, mends = replies.numbered_command(moment.command, now), moment.command.mends
    entry = f"the correction of entry {replies.entry_number(now, mends)}" if mends else ""
    cards = codes_without(moment.party.drawn, moment.before.party.drawn)
    shuffled = codes_without(moment.before.party.drawn, moment.party.drawn)
    back, out = (cards, shuffled) if way == "undo" else (shuffled, cards)
    return {"typed": typed, "says": entry or shown.log.headline(moment, now.table), "back": back, "out": out}


# --- a player --------------------------------------------------------------------------------------------------------


def player_view(shown: Shown, name: str, hidden: Collection[str], events: Collection[str] = ()) -> Plain:
    """Return a player's view: their own character; of others the name, whether they live, and what would help them.

    `events` are those that players may do.
    """
    now, game, untold = shown.now, shown.game, untold_names(shown.now, name, hidden)
    likely, phone = shown.likely, Phone(name, events)
    board = game.board(shown.shared, name) if game.SHARED else None
    on_table = _on_table(game, shown.shared) if game.SHARED else {}
    seated = players(now)
    others = [each for each in likely.order if each in seated and each != name and each not in hidden]
    coming = likely.next(phone)
    step, board = _next_of(next(iter(_offered([coming] if coming else [], untold)), None), board)
    return {
        "role": "player",
        "system": now.table.system.head.id,
        "name": name,
        **_own(shown.glance(name), untold),
        **({} if board is None else {"board": board}),
        **({"table": on_table} if on_table else {}),
        "sheet": [(label, text) for label, text in shown.sheet(name) if not mentions(text, untold)],
        "acting": _acting(shown.acting, name, untold),
        "likely": _offered(likely.of(name, phone), untold),
        "next": step,
        "phase": likely.phase,
        "others": [_other(shown.from_afar(each, phone), untold) for each in others],
        "log": shown.log.of(now, who=name, untold=untold),
    }


def _other(seen: Plain, untold: Collection[str]) -> Plain:
    """Return another player's character, without what names somebody untold."""
    helps = {"likely": _offered(seen["likely"], untold)} if "likely" in seen else {}
    text = {"says": "dead"} if mentions(seen.get("says", ""), untold) else {}
    return {**seen, **helps, **text}


def _acting(acting: str, name: str, untold: Collection[str]) -> Plain | None:
    """Return whose turn it is, as far as a player may know; None where it is nobody's."""
    if not acting:
        return None
    return {"mine": True} if acting == name else {} if acting in untold else {"who": acting}


def _offered(actions: Sequence[Plain], untold: Collection[str]) -> list[Plain]:
    """Return what is offered to a player, without what names somebody untold."""
    offered = (each for each in actions if not mentions(f"{each.get('says', '')} {each.get('words', '')}", untold))
    return [{**each, "reason": REFUSED} if mentions(each.get("reason", ""), untold) else each for each in offered]


def may_help(now: Session, who: str, whom: str, event: str, hidden: Collection[str], events: Collection[str]) -> bool:
    """Return whether a player may do an event to another's character: their page offers it now."""
    game = now.table.game
    if game.SHARED or whom in hidden or whom not in players(now):
        return False
    offered = Likely(now).of(whom, Phone(who, events))
    return any(each["do"] == event and "reason" not in each for each in offered)


def _own(glance: Plain, untold: Collection[str]) -> Plain:
    """Return how a player's character is, without what names somebody untold: a condition may keep who did it."""
    lists: Plain = {key: glance[key] for key in ("states", "hurts", "details") if key in glance}
    own = {key: [each for each in listed if not mentions(str(each), untold)] for key, listed in lists.items()}
    parts = [part for part in glance.get("line", "").split(", ") if not mentions(part, untold)]
    return {**glance, **own, **({"line": ", ".join(parts)} if "line" in glance else {})}


# --- the game, once --------------------------------------------------------------------------------------------------


def plain_game(table: PartyTable, events: Collection[str] | None = None) -> Plain:
    """Return the game's fixed data: the events with their arguments, and the cards of the deck.

    `events` are those that a player may do; None tells all.
    """
    game, head = table.game, table.system.head
    changed = [rule for rule in (*switch_rules(table.system), *number_rules(table.system)) if rule.changed]
    events_told = {name: spec for name, spec in game.EVENTS.items() if events is None or name in events}
    plain: Plain = {
        "title": head.title,
        "system": head.id,
        "shared": game.SHARED,
        "virtual": table.virtual,
        "names": {**game.words_called()},
        "events": [_spec(spec, game) for spec in events_told.values()],
        "deck": [card(name, table.system) for name in dict.fromkeys(table.deck)],
        "emblems": emblems(table.system),
        "rulings": {each.id: f"{each.id}: {in_force(each, table.system)}" for each in head.rulings},
        "groups": [[name, listed] for name, listed in table.system.page.groups.items()],
        "phases": bool(table.system.page.fight and table.system.page.after),
        "house_rules": [{"name": _house_rule(rule), "says": _house_rule(rule, rule.does)} for rule in changed],
    }
    if events is None:
        plain |= {"questions": list(game.QUESTIONS), "looks": list(game.LOOKS)}
        plain |= {} if game.SHARED else {"newcomer": _spec(game.NEWCOMER, game)}
    return plain


def _house_rule(rule: HouseRule, does: str = "") -> str:
    """Return a house rule by its name and value; with what it `does`, as a sentence."""
    name = f"{capitalised(key_in_words(rule.name))}: {key_in_words(rule.value)}"
    return f"{name} instead of {key_in_words(rule.default)}. {does}".rstrip() if does else name


def rules(system: System, products: Sequence[str]) -> Plain:
    """Return panels of a system as text: `pages`, each with its `title` and the nodes of its text."""
    pages = []
    for name in products:
        if (file := panels_file(system, name)) is not None:
            panels = [each for each in (page(panel, system) for panel in file.panels) if each.blocks]
            read = panels_reading(system, file.title, screen_pages(panels, players=False))
            nodes = [{**msgspec.to_builtins(replace(node, drawn=()))} for node in read.nodes]
            pages.append({"title": file.title, "nodes": [each for each in nodes if "name" not in each]})
    return {"pages": pages}


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


def card(name: str, system: System) -> Plain:
    """Return the face of a card: what it is called and what it does, by each of its readings and faces."""
    match = card_of(name, system)
    if match is None:
        code = name.rpartition(":")[2]
        return {"name": name, "title": name_of(code) if is_code(code) else code, "text": []}
    deck, printed = match
    text = [
        f"{label}: {sentence}" if label and not place else str(sentence)
        for label, sentences in card_text_readings(printed, deck, system)
        for place, sentence in enumerate(sentences)
    ]
    face = card_told(printed, system)
    kept = {key: face[key] for key in ("title", "score", "blood", "trauma", "permanent") if face[key]}
    emblem = pages.card_emblem(name, system)
    return {"name": name, **kept, **({"emblem": emblem} if emblem else {}), "text": text}


def emblems(system: System) -> dict[str, str]:
    """Return the drawings that a system's page may show, as paths: y up, 50 units from the middle to an edge."""
    page = system.page
    names = {each.emblem for each in page.states.values()}
    names |= {one.emblem for each in page.moments.values() for one in (each if isinstance(each, tuple) else (each,))}
    names |= {*page.tokens.values(), "death"}
    names |= {pages.card_emblem(name, system) for name in dict.fromkeys(games.game_of(system).deck())}
    names |= {condition_emblem(name, system) for name in system.head.conditions}
    return {name: emblem_path(name, ".0f") for name in sorted(filter(None, names)) if name in EMBLEMS}


# --- what is asked ---------------------------------------------------------------------------------------------------


def choices(now: Session, name: str, who: str, words: Sequence[str], at: Mapping[str, str]) -> dict[str, list[str]]:
    """Return the values that each argument of an event may have now, after what has been said. Raises UsageError."""
    game = now.table.game
    joining = name == "add" and not game.SHARED
    spec = game.NEWCOMER if joining else game.EVENTS[prompt.read_command(name, game)]
    state = game.read_state({}) if joining else now.party.state(TABLE if game.SHARED else now.party.find(who))
    pairs, typed = read_pairs(list(words), at)
    taken = ArgumentReading(spec, typed, pairs, game.READERS, "")
    return {each.name: [*game.choices(each, state, taken.values)] for each in _all(spec.takes, taken.values)}


def _all(takes: Sequence[ArgumentSpec], values: Mapping[str, Any]) -> list[ArgumentSpec]:
    """Return the arguments, and those that follow from the words that were said."""
    arguments: list[ArgumentSpec] = []
    for argument in takes:
        arguments += [argument, *_all(argument.then.get(values.get(argument.name, ""), ()), values)]
    return arguments
