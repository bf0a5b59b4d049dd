"""Severity tables, trauma and madness: the death and dismemberment tables."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from generator.base.errors import HackjackError, UsageError, did_you_mean
from generator.base.text_input import read_number
from generator.games.face import Answer, Asked, Game, SetMaker, refuse_at
from generator.games.glog import engine as injuries
from generator.games.glog import events as injury_events
from generator.games.glog import odds as odds_of
from generator.games.glog import odds_hits as injury_hits
from generator.games.glog.checks import CONTENT
from generator.games.glog.events import Event
from generator.games.glog.lines import injury_due, line, sheet, state_line
from generator.games.glog.log import GlogFact
from generator.games.glog.state import BREAKDOWN, MOST_HELD, Owed, State, plain_state, read_state, save_of
from generator.games.glog.step import Bench
from generator.games.in_a_row import counted, played
from generator.model.log import Entry, Log
from generator.model.rules import System
from generator.pack.strict_yaml import Trail
from generator.play.apply_effects import Hurt, apply
from generator.play.chance import Chance, Seeded
from generator.words.chances import chance, spoken
from generator.words.effects import condition_sentences

if TYPE_CHECKING:
    # Only printing needs what pictures are made of.
    from generator.layout.panel_elements import ChartMaker


MOST_CHARACTERS = 1000
MOST_GAINS = 20


@dataclass(frozen=True, slots=True)
class Question:
    """What only odds are asked: how many characters gain which points, and how often a save passes."""

    name: str
    gains: tuple[int, ...]
    characters: int = 1
    save: Fraction = Fraction(0)


def _gains(written: str) -> tuple[int, ...]:
    """Points gained one after the other: `2,1`."""
    parts = [part.strip() for part in written.split(",")]
    if len(parts) > MOST_GAINS:
        raise UsageError(f"--at points: {len(parts)} gains are too many, {MOST_GAINS} at most")
    return tuple(_number("points", part, injury_events.MOST) for part in parts)


def _number(name: str, written: str, most: int, least: int = 1) -> int:
    if not re.fullmatch(r"[0-9]{1,6}", written) or not least <= int(written) <= most:
        raise UsageError(f'{name} "{written[:40]}": a whole number from {least} to {most:,} is wanted')
    return int(written)


def _hit(system: System, state: State, event: Event) -> Answer:
    found = odds_of.hit(system, state, event)
    plain = {
        "slain": chance(found.slain),
        "dying": chance(found.dying),
        "rows": {row: chance(share) for row, share in found.rows.items()},
    }
    lines = [
        f"slain       {spoken(found.slain)}",
        f"dying       {spoken(found.dying)}",
        f"dying soon  {spoken(found.dying_later)}   in some rounds, unless treated",
        *(f"  severity {row:>5}  {spoken(share)}" for row, share in found.rows.items()),
    ]
    return Answer(plain, lines)


def _conditions(system: System, state: State, event: Event) -> Answer:
    found = odds_of.hit(system, state, replace(event, name="hit"))
    plain = {
        "dying_later": chance(found.dying_later),
        "conditions": {name: chance(share) for name, share in found.conditions.items()},
    }
    named = {system.head.conditions[name].name or name: share for name, share in found.conditions.items()}
    lines = [f"{name:<14}  {spoken(share)}" for name, share in named.items()]
    return Answer(plain, [*(lines or ["nothing"]), f"dying soon      {spoken(found.dying_later)}"])


def _hits(system: System, state: State, event: Event, asked: Asked) -> Answer:
    """Such hits in a row, with no time between them: counted, or played out."""
    hits = 1 if asked.hits is None else asked.hits
    if asked.plays is None:
        return counted(injury_hits.die_by(system, state, event, hits))
    return played(injury_hits.play_hits(system, state, event, hits, asked.plays, asked.seed), asked)


def _trauma(system: System, state: State, event: Event) -> Answer:
    found = odds_of.trauma(system, state, event)
    plain = {
        "breakdown": chance(found.breakdown),
        "rows": {name: chance(share) for name, share in found.rows.items()},
    }
    lines = [f"breakdown  {spoken(found.breakdown)}"]
    return Answer(plain, [*lines, *(f"  {name}: {spoken(share).strip()}" for name, share in found.rows.items())])


def _breakdown(system: System, state: State, question: Question) -> Answer:
    found = odds_of.breakdowns(system, state, question.gains, question.characters)
    plain = {"at_least_one": chance(found[-1])}
    lines = [f"after a gain of {gain:>2}  {spoken(share)}" for gain, share in zip(question.gains, found, strict=True)]
    return Answer(plain, [*lines, f"that at least one of {question.characters} has broken down"])


def _madness(system: System, state: State, question: Question) -> Answer:
    event = Event("trauma", question.gains[0])
    mad, rows = odds_of.madness(system, state, event, question.save)
    plain = {"madness": chance(mad), "rows": {name: chance(share) for name, share in rows.items()}}
    lines = [f"  {name}: {spoken(share).strip()}" for name, share in rows.items()]
    return Answer(plain, [f"madness  {spoken(mad)}", *lines])


def _saved(system: System, state: State, event: Event) -> Answer:
    share = odds_of.saved(system, state, event)
    return Answer({"success": chance(share)}, [f"stable and alive  {spoken(share)}"])


def _fault(system: System, effects: tuple[Any, ...], where: str) -> str:
    """Why effects cannot be applied; empty where they can. In a table of madness they stand for what it is about."""
    bench = Bench(system, State(), Seeded(0), going_mad=where == system.injuries.madness_table)
    try:
        apply(bench, effects, where, Hurt())
    except HackjackError as error:
        return f"this cannot be played: {error}"
    return ""


def _played(system: System, state: State, event: Event) -> str:
    try:
        injuries.step(system, state, event, Seeded(0))
    except HackjackError as error:
        return f"this cannot be played: {error}"
    return ""


class Glog(Game[State, Event, Event | Question]):
    """Severity tables, trauma and madness: the death and dismemberment tables."""

    EVENTS: Mapping[str, str] = injury_events.EVENTS

    QUESTIONS: Mapping[str, str] = {
        "hit": EVENTS["hit"].replace(":", " [--hits K]:", 1),
        "conditions": EVENTS["hit"].replace("hit", "conditions", 1).replace(": damage", ": what such a hit brings on"),
        "trauma": EVENTS["trauma"],
        "breakdown": "breakdown [--at characters=5] [--at points=2,1]: somebody breaks down by such gains in turn",
        "madness": "madness N [--at save=50]: such a gain leads to a madness, with so many per cent to save",
        "stabilise": EVENTS["stabilise"],
        "hour": EVENTS["hour"],
    }

    LUCK: Mapping[str, str] = dict.fromkeys(("hit", "round", "stabilise", "hour", "save", "trauma"), "dice")

    NEWCOMER = "[hp N] [kind pc|npc|monster] [hd N] [max N]: somebody joins, a character with 0 HP unless you say more"

    CHARTS = CONTENT.CHARTS
    CARD_SETS = ("conditions", "severity", "breakdowns", "madness")

    def read_event(self, words: Sequence[str], at: Mapping[str, str]) -> Event:
        """Return an event as typed. Raise UsageError."""
        return self.read_given(words, at, None)

    def read_given(self, words: Sequence[str], at: Mapping[str, str], given: str | None) -> Event:
        """An event as typed: `hit 9`, or as a journal has kept it. Raises UsageError."""
        return replace(injury_events.read_event(words, at, self.system), kept=given is not None)

    def read_question(self, words: Sequence[str], at: Mapping[str, str]) -> Event | Question:
        """An event, or a question of its own, as typed. Raises UsageError."""
        name, *rest = [*words] or [""]
        if name not in self.QUESTIONS:
            raise UsageError(f"{name[:40] or 'this'} has no odds{did_you_mean(name, self.QUESTIONS)}")
        if name == "breakdown":
            refuse_at(at, name, ("characters", "points"))
            if rest:
                raise UsageError(f'"{rest[0][:40]}" is too much: write {self.QUESTIONS[name]}')
            characters = _number("characters", at.get("characters", "1"), MOST_CHARACTERS)
            return Question(name, _gains(at.get("points", "1")), characters)
        if name == "madness":
            refuse_at(at, name, ("save",))
            if len(rest) != 1:
                raise UsageError(f"madness needs a number: {self.QUESTIONS[name]}")
            save = _number("save", at.get("save", "0").removesuffix("%"), 100, least=0)
            return Question(name, (_number("madness", rest[0], injury_events.MOST),), 1, Fraction(save, 100))
        if name == "conditions":
            if not rest:
                raise UsageError(f"conditions needs a number: {self.QUESTIONS[name]}")
            return replace(self.read_event(("hit", *rest), at), name=name)
        return self.read_event(words, at)

    def read_state(self, value: Any) -> State:
        """Return a state from plain data. Raise HackjackError."""
        return read_state(value, self.system)

    def plain_state(self, state: State) -> dict[str, Any]:
        """Return a state as plain data for JSON."""
        return plain_state(state)

    def state_line(self, plain: dict[str, Any]) -> str:
        """Return a state in one line."""
        return state_line(plain, self.system)

    def step(self, state: State, event: Event, chance: Chance) -> tuple[State, Log]:
        """One event on a state; there are no cards that anybody holds. Raises HackjackError, NeedsError."""
        return injuries.step(self.system, state, event, chance)

    def line(self, entry: Entry[GlogFact]) -> str:
        """Return a log entry as a sentence."""
        return line(entry.fact, self.system)

    def odds(self, state: State, event: Event | Question, asked: Asked) -> Answer:
        """The exact chances of an event. Raises HackjackError where playing or several hits are asked for."""
        if state.dead:
            raise HackjackError("the character is dead: there is nothing left to count")
        in_a_row = asked.plays is not None or asked.hits is not None
        if in_a_row and not (isinstance(event, Event) and event.name == "hit"):
            raise HackjackError("--hits and --simulate are for hits: leave them out here")
        if isinstance(event, Question):
            return (
                _breakdown(self.system, state, event)
                if event.name == "breakdown"
                else _madness(self.system, state, event)
            )
        if event.name == "hit":
            return _hits(self.system, state, event, asked) if in_a_row else _hit(self.system, state, event)
        if event.name == "conditions":
            return _conditions(self.system, state, event)
        return _trauma(self.system, state, event) if event.name == "trauma" else _saved(self.system, state, event)

    def rehearse(self) -> Iterator[tuple[str, Trail, str]]:
        """Every cell of the severity tables, every condition's save both ways, and every madness, once."""
        for place, table in enumerate(self.system.tables):
            for at, row in enumerate(table.rows):
                cells = {("cells", name): cell for name, cell in row.cells.items()} | {("effects",): row.effects}
                for trail, cell in cells.items():
                    if isinstance(cell, tuple) and (fault := _fault(self.system, cell, table.id)):
                        yield "tables.yaml", ("tables", place, "rows", at, *trail), fault
        for name, condition in self.system.head.conditions.items():
            if save_of(condition):
                for word in ("pass", "fail"):
                    state = State(saves=(Owed(name),))
                    if fault := _played(self.system, state, Event("save", word=word)):
                        yield "system.yaml", ("conditions", name), fault
        if fault := _played(self.system, State(saves=(Owed(BREAKDOWN),)), Event("save", word="fail")):
            yield "system.yaml", ("procedure", "madness_table"), fault
        if fault := _played(self.system, State(trauma=1000), Event("trauma", 1)):
            yield "system.yaml", ("procedure", "breakdown_table"), fault

    def deck(self) -> tuple[str, ...]:
        """There is no deck."""
        return ()

    def newcomer(self, words: Sequence[str]) -> State:
        """Somebody who joins: `hp 7 kind npc`. Raises UsageError."""
        usage = f"add NAME {self.NEWCOMER.partition(':')[0]}"
        keys = {"hp": "hp", "kind": "kind", "hd": "hd", "max": "max_hp"}
        plain: dict[str, Any] = {}
        for key, value in zip_longest(words[::2], words[1::2]):
            if key not in keys or value is None or keys[key] in plain:
                raise UsageError(f'"{key[:40]}" is not understood: write {usage}')
            plain[keys[key]] = value if key == "kind" else read_number(value, 0, MOST_HELD, key)
        try:
            return read_state(plain, self.system)
        except HackjackError as error:
            raise UsageError(f"{error}: write {usage}") from error

    def details(self, plain: dict[str, Any]) -> Sequence[str]:
        """The conditions that somebody is in, in full, and the days on which injuries heal."""
        if plain["dead"]:
            return ()
        names = [entry["condition"] for entry in (*plain["injuries"], *plain["conditions"])]
        names += [self.system.injuries.dying] if plain["dying"] else []
        known = self.system.head.conditions
        worded = {name: " ".join(map(str, condition_sentences(known[name], self.system))) for name in names}
        due = (injury_due(injury, plain["day"], self.system) for injury in plain["injuries"])
        return [*(f"{known[name].name or name}: {text}" for name, text in worded.items()), *filter(None, due)]

    def sheet(self, plain: dict[str, Any]) -> Mapping[str, Any]:
        """Return what fills the sheet of a state."""
        return sheet(plain, self.system)

    def charts(self) -> Mapping[str, ChartMaker]:
        """Return the charts by name."""
        from generator.games.glog.charts import CHARTS

        return CHARTS

    def blank_charts(self) -> Mapping[str, ChartMaker]:
        """Return the charts without figures whose size depends on what they show."""
        from generator.games.glog.charts import BLANKS

        return BLANKS

    def card_sets(self) -> Mapping[str, SetMaker]:
        """Return the sets of cards by name."""
        from generator.games.glog.card_products import SETS

        return SETS


GAME: type[Game[State, Event, Event | Question]] = Glog
