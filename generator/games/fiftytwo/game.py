"""A fight over a field of cards: the 52-card engine. One state is for the whole table."""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import chain
from pathlib import Path
from typing import Any

import msgspec

from generator.base.cards import FULL_DECK, find_code
from generator.base.errors import HackjackError, UsageError
from generator.games import with_combatants
from generator.games.board import Board
from generator.games.face import Asked, Game, OddsAnswer, PageMaker
from generator.games.fiftytwo import engine as field
from generator.games.fiftytwo import figures
from generator.games.fiftytwo import lines as telling
from generator.games.fiftytwo.board import for_allies, for_gm, for_player
from generator.games.fiftytwo.cards import touching_pairs
from generator.games.fiftytwo.checks import CONTENT
from generator.games.fiftytwo.engine import FieldEvent
from generator.games.fiftytwo.log import Add, AmbushAdd, Down, FieldEntry
from generator.games.fiftytwo.odds import attack_odds, chance_to_act_first, next_card_odds
from generator.games.fiftytwo.order import fight_values
from generator.games.fiftytwo.state import FieldState, Fighter, Roster, fighters_by_initiative, plain_state, read_state
from generator.games.fiftytwo.table import column_number, with_field
from generator.games.fiftytwo.turn import open_attacks
from generator.model.combatants import Combatant
from generator.model.log import Log
from generator.model.rules import System, read_custom
from generator.pack.strict_yaml import Trail
from generator.play.chance import Chance, Seeded
from generator.play.event_spec import ArgumentSpec, EventSpec, by_name, event_spec, read_values
from generator.words.chances import plain_chance as share_of
from generator.words.chances import spoken_chance


def _read_people(written: str) -> tuple[Combatant, ...]:
    """Return the combatants that a journal has kept. Raises UsageError."""
    try:
        return msgspec.convert(json.loads(written), tuple[Combatant, ...], dec_hook=read_custom)
    except (ValueError, msgspec.ValidationError, RecursionError) as error:
        raise UsageError(f"the combatants that were given cannot be read: {error}") from error


def _two(state: FieldState, event: FieldEvent) -> tuple[Fighter, Fighter]:
    """Return the two fighters that a question names. Raises HackjackError."""
    one, other = (state.find(event.values[word]) for word in ("one", "other"))
    if one.name == other.name:
        raise HackjackError(f"{one.name} is named twice: name two people")
    return one, other


_COLUMN = ArgumentSpec("column", "text", sample="COLUMN", called="a column")
_ONE, _OTHER = (ArgumentSpec(name, "person", sample=sample) for name, sample in (("one", "WHO"), ("other", "OTHER")))
_TARGET = msgspec.structs.replace(_OTHER, sample="TARGET")
_ATTACKS = "what attacks do, and whether the target is down after so many"


def _attacks(system: System, state: FieldState, event: FieldEvent, count: int | None) -> OddsAnswer:
    """Return the odds of `count` attacks in a row, or of one attack (None)."""
    attacker, target = _two(state, event)
    critical = event.name == "critical"
    blows = attack_odds(system, state, attacker, target, critical=critical, count=1 if count is None else count)
    mean = sum((amount * chance for amount, chance in blows.damage.items()), Fraction(0))
    least, most = min(blows.damage), max(blows.damage)
    plain: dict[str, Any] = {"threshold": blows.threshold, "hits": target.hits, "hp": target.hp}
    plain["damage"] = {"least": least, "most": most, "mean": float(mean)}
    plain |= {"down": share_of(blows.down_by[0])} if count is None else {"down_by": [*map(share_of, blows.down_by)]}
    kind, a_kind = ("critical attack", "a critical attack") if critical else ("attack", "an attack")
    lines = [
        f"{target.name} has {target.hp} HP and {target.hits} of {blows.threshold} hits on the armour",
        f"{a_kind} that gets through does {least} to {most}, {float(mean):.4g} on average",
    ]
    lines += [f"down after {kind} {at:<3}{spoken_chance(share)}" for at, share in enumerate(blows.down_by, 1)]
    return OddsAnswer(plain, lines)


class FiftyTwo(Game[FieldState, FieldEvent, FieldEvent]):
    """A fight over a field of cards: the 52-card engine. One state is for the whole table."""

    EVENTS = field.EVENTS
    READERS = field.READERS
    DEATHS = (Down,)
    DRAWS = (Add, AmbushAdd)

    _waiting: tuple[FieldState, Board] | None = None
    """The field of those who wait, of the state that was asked last: all their phones show it."""

    QUESTIONS: Mapping[str, EventSpec] = by_name(
        event_spec("add", "what the next card on a column brings", _COLUMN),
        event_spec("initiative", "who of the two acts first", _ONE, _OTHER),
        event_spec("attack", _ATTACKS, _ONE, _TARGET).asked(in_a_row=True),
        event_spec("critical", "the same of critical attacks", _ONE, _TARGET).asked(in_a_row=True),
    )

    SHARED = True
    USUAL = ("act", "attack")
    CARDS_MEAN = (("act", "pair"), ("act", "take"))

    LOOKS = field.LOOKS

    OPENING: Mapping[str, Any] = {"fighters": []}

    DECK = FULL_DECK
    CHARTS = CONTENT.CHARTS
    CARD_SETS = CONTENT.CARD_SETS
    FILLED = ("combatants", "initiative", "mat", "sheet")

    def read_event(self, words: Sequence[str], at: Mapping[str, str]) -> FieldEvent:
        """Return an event as typed. Raise UsageError."""
        return self.read_given(words, at, None)

    def read_given(self, words: Sequence[str], at: Mapping[str, str], given: str | None) -> FieldEvent:
        """Return an event as typed; the file of `initiative` is read at once. Raise UsageError, ContentError."""
        people: tuple[Combatant, ...] = ()
        if words and words[0] == "initiative" and len(words) == 2:
            if given == "":
                raise UsageError("initiative names a file: who types it may do that, a pack or a journal may not")
            people = _read_people(given) if given else with_combatants(self.system, Path(words[1])).combatants
        return field.read_event(words, at, people)

    def read_question(self, words: Sequence[str], at: Mapping[str, str]) -> FieldEvent:
        """Return a question as typed: `add 3`, `initiative Alan Evans`, `attack Evans Alan`. Raises UsageError."""
        self.check_question(words)
        return FieldEvent(words[0], read_values(self.QUESTIONS, words, at, self.READERS))

    def choices(self, argument: ArgumentSpec, state: FieldState, earlier: Mapping[str, Any]) -> tuple[str, ...]:
        """Return what an argument may be now; who is known and not in the fight may enter it."""
        if argument.kind == "text" and argument.name in ("card", "other", "where", "column"):
            return self._places(argument.name, state, earlier)
        if argument.name == "target" and state.turn and "move" in earlier:
            named = (name for kind, name, _ in open_attacks(self.system, state) if kind == earlier["move"])
            return (*named, *argument.words)
        if argument.kind != "absent":
            return super().choices(argument, state, earlier)
        here = [fighter.name for fighter in state.fighters]
        names = dict.fromkeys(person.name for person in (*self.system.combatants, *state.roster))
        return (*(name for name in names if name not in here), *argument.words)

    def _places(self, what: str, state: FieldState, earlier: Mapping[str, Any]) -> tuple[str, ...]:
        """Return the cards on the field, those that make a pair with the one named before, or the columns by number."""
        columns = tuple(str(at) for at in range(1, len(state.columns) + 1))
        cards = tuple(dict.fromkeys(chain(*state.columns)))
        if what == "column":
            return columns
        if what == "where":
            return (*cards, *columns)
        if what == "card" and earlier.get("move") != "pair":
            return cards
        pairs = [tuple(state.columns[at][row] for at, row in pair) for pair in touching_pairs(state.columns)]
        if what == "other":
            first = find_code(earlier["card"])
            pairs = [tuple(code for code in pair if code != first) for pair in pairs if first in pair]
        return tuple(dict.fromkeys(chain(*pairs)))

    def read_state(self, value: Any) -> FieldState:
        """Return a state from plain data. Raise HackjackError."""
        return read_state(value, self.system)

    plain_state = staticmethod(plain_state)
    state_line = staticmethod(telling.state_line)
    recalled = staticmethod(telling.recalled_lines)

    def step(self, state: FieldState, event: FieldEvent, chance: Chance) -> tuple[FieldState, Log]:
        """Play one event; nobody else holds cards of the fight."""
        return field.step(self.system, state, event, chance)

    def look(self, state: FieldState, event: FieldEvent) -> Log:
        """Return what an event says of a fight, which it does not change."""
        return field.look(self.system, state, event)

    def line(self, entry: FieldEntry) -> str:
        """Return a log entry as a sentence."""
        return telling.field_sentence(entry.fact)

    def odds(self, state: FieldState, event: FieldEvent, asked: Asked) -> OddsAnswer:
        """Return the chances of the next card, of acting first, or of attacks in a row. Raises HackjackError."""
        in_a_row = event.name in ("attack", "critical")
        if asked.plays or (asked.hits is not None and not in_a_row):
            extra = "--simulate" if in_a_row else "--hits and --simulate"
            raise HackjackError(f"the odds of {event.name} are counted at once: leave {extra} out")
        if in_a_row:
            return _attacks(self.system, state, event, asked.hits)
        if event.name == "initiative":
            one, other = _two(state, event)
            share = chance_to_act_first(self.system, state, one, other)
            order = (one.name, other.name, share), (other.name, one.name, 1 - share)
            lines = [f"{who} acts before {whom}  {spoken_chance(chance)}" for who, whom, chance in order]
            return OddsAnswer({"first": share_of(share)}, lines)
        pair, suit, pairing, cards = next_card_odds(state, column_number(event.values["column"], with_field(state)))
        plain = {"pair": share_of(pair), "suit": share_of(suit), "cards_left": cards, "pairing": list(pairing)}
        lines = [
            f"a pair with its neighbours   {spoken_chance(pair)}   {' '.join(pairing)}".rstrip(),
            f"the suit of the card below   {spoken_chance(suit)}",
            f"{len(pairing)} of {cards} cards that may come make a pair",
        ]
        return OddsAnswer(plain, lines)

    def rehearse(self) -> Iterator[tuple[str, Trail, str]]:
        """Play one round from initiative to its end, if there are combatants."""
        if not self.system.combatants:
            return
        try:
            state, luck = read_state({}, self.system), Seeded(0)
            for words in (("initiative",), ("columns",), ("deal",)):
                state, _ = field.step(self.system, state, field.read_event(words, {}), luck)
            for _ in self.system.combatants:
                for words in (("turn",), ("moves",), ("end",)):
                    state, _ = field.step(self.system, state, field.read_event(words, {}), luck)
            field.step(self.system, state, field.read_event(("later-initiative",), {}), luck)
        except HackjackError as error:
            yield "combatants.yaml", (), f"the fight cannot be played: {error}"

    def details(self, plain: Mapping[str, Any]) -> Sequence[str]:
        """Return the order, who is hurt or owes points, and the field as it lies."""
        return telling.standing_lines(plain, self._sides(plain))

    def _sides(self, plain: Mapping[str, Any]) -> Mapping[str, str]:
        sides = {person.name: person.side for person in self.system.combatants}
        return sides | {person["name"]: person["side"] for person in plain.get("roster", ())}

    def seats(self, plain: Mapping[str, Any]) -> Mapping[str, Mapping[str, Any]]:
        """Return everybody who fights, each with the fight that they are in."""
        return {fighter["name"]: {**fighter, "fight": plain} for fighter in plain["fighters"]}

    def is_alive(self, plain: Mapping[str, Any]) -> bool:
        """Return whether somebody stands: who has no HP left is out of the fight."""
        return bool(plain["hp"] > 0)

    def acting(self, plain: Mapping[str, Any]) -> str:
        """Return whose turn it is."""
        return str(plain["turn"]["who"]) if plain.get("turn") else ""

    def foes(self, plain: Mapping[str, Any]) -> Collection[str]:
        """Return the enemies, whether they have come to the fight or not."""
        return {name for name, side in self._sides(plain).items() if side == "enemies"}

    def board(self, plain: Mapping[str, Any], who: str = "") -> Board | None:
        """Return the field with what can be done there; the game master's has the order and who is hurt beside it."""
        if not plain["columns"]:
            return None
        state = self.told_state(plain)
        if who:
            if self._waiting is None or self._waiting[0] is not state:
                self._waiting = state, for_allies(self.system, state)
            return for_player(self.system, state, who, self._waiting[1])
        return msgspec.structs.replace(for_gm(self.system, state), lines=self.details({**plain, "columns": ()}))

    def page_values(self, plain: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return how the fight stands, and somebody's own standing in it where it is a seat."""
        fight = plain.get("fight", plain)
        return {**fight, **plain, **fight_values(self.told_state(fight), plain.get("name", ""))}

    def at_table(self, plain: Mapping[str, Any]) -> System:
        """Return the system with those who fight, in the order of initiative."""
        state = self.told_state(plain)
        people = Roster(self.system, state)
        return replace(
            self.system, combatants=tuple(people[one.name] for one in fighters_by_initiative(state)), at_table=plain
        )

    def sheet(self, plain: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return a fighter's figures and standing."""
        return figures.sheet_values(self.told_state(plain["fight"]), plain["name"], self.system)

    def pages(self) -> Mapping[str, PageMaker]:
        """Return the other pages by name."""
        from generator.games.fiftytwo import combatant_sheets, mat

        return {"combatants": combatant_sheets.combatant_pages, "mat": mat.mat_pages}


GAME: type[Game[FieldState, FieldEvent, FieldEvent]] = FiftyTwo
