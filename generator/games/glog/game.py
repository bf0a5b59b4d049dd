"""Severity tables, trauma and madness: the death and dismemberment tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from generator.base.errors import HackjackError, UsageError
from generator.base.text_input import read_number
from generator.games.face import Answer, Asked, Game
from generator.games.glog import engine as injuries
from generator.games.glog import events as injury_events
from generator.games.glog import odds as odds_of
from generator.games.glog import odds_hits as injury_hits
from generator.games.glog.checks import CONTENT
from generator.games.glog.events import Event
from generator.games.glog.lines import injury_due, line, sheet, state_line
from generator.games.glog.log import Dies, GlogFact
from generator.games.glog.state import BREAKDOWN, MOST_HELD, Owed, State, read_state, save_of
from generator.games.glog.step import Bench
from generator.games.in_a_row import counted, played
from generator.model.log import Entry, Log
from generator.model.rules import System
from generator.pack.strict_yaml import Trail
from generator.play.apply_effects import Hurt, apply
from generator.play.chance import Chance, Seeded
from generator.play.event_spec import Argument, EventSpec, Readers, by_name, event, labelled, option, read
from generator.words.chances import chance, spoken
from generator.words.effects import condition_sentences

MOST_CHARACTERS = 1000
MOST_GAINS = 20


@dataclass(frozen=True, slots=True)
class Question:
    """What only odds are asked: how many characters gain which points, and how often a save passes."""

    name: str
    gains: tuple[int, ...]
    characters: int = 1
    save: Fraction = Fraction(0)


def _percent(what: str, written: str) -> int:
    return read_number(what, written.removesuffix("%"), 0, 100)


_READERS: Readers = {"percent": _percent}


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

    READERS = _READERS
    DEATHS = (Dies,)

    NEWCOMER = event(
        "add",
        "somebody joins, a character with 0 HP unless you say more",
        labelled("hp", "number", most=MOST_HELD),
        labelled("kind", words=("pc", "npc", "monster")),
        labelled("hd", "number", most=MOST_HELD),
        labelled("max", "number", name="max_hp", most=MOST_HELD),
    )

    CHARTS = CONTENT.CHARTS
    CARD_SETS = ("conditions", "severity", "breakdowns", "madness")

    @cached_property
    def EVENTS(self) -> Mapping[str, EventSpec]:  # noqa: N802 - a constant of the game
        """The events; a hit knows the system's kinds of damage."""
        return injury_events.events_of(self.system)

    @cached_property
    def QUESTIONS(self) -> Mapping[str, EventSpec]:  # noqa: N802 - a constant of the game
        """What odds can be asked."""
        events, most = self.EVENTS, injury_events.MOST
        hit = events["hit"].asked(in_a_row=True)
        characters = option("characters", "number", most=MOST_CHARACTERS, sample="5", default=1)
        points = option("points", "number", most=most, sample="2,1", default=(1,), many=True)
        gain, save = Argument("gain", "number", most=most), option("save", "percent", sample="50", default=0)
        return by_name(
            hit,
            event("conditions", "what such a hit brings on", *hit.takes),
            events["trauma"].asked(),
            event("breakdown", "somebody breaks down by such gains in turn", characters, points),
            event("madness", "such a gain leads to a madness, with so many per cent to save", gain, save),
            events["stabilise"].asked(),
            events["hour"].asked(),
        )

    def read_event(self, words: Sequence[str], at: Mapping[str, str]) -> Event:
        """Return an event as typed. Raise UsageError."""
        return self.read_given(words, at, None)

    def read_given(self, words: Sequence[str], at: Mapping[str, str], given: str | None) -> Event:
        """An event as typed: `hit 9`, or as a journal has kept it. Raises UsageError."""
        return replace(injury_events.read_event(self.EVENTS, words, at), kept=given is not None)

    def read_question(self, words: Sequence[str], at: Mapping[str, str]) -> Event | Question:
        """An event, or a question of its own, as typed. Raises UsageError."""
        self.check_question(words)
        name, specs = words[0], self.QUESTIONS
        if name not in ("breakdown", "madness"):
            return injury_events.read_event(specs, words, at)
        values = read(specs, words, at, self.READERS)
        if name == "madness":
            return Question(name, (values["gain"],), 1, Fraction(values["save"], 100))
        gains = values["points"]
        if len(gains) > MOST_GAINS:
            raise UsageError(f"--at points: {len(gains)} gains are too many, {MOST_GAINS} at most")
        return Question(name, gains, values["characters"])

    def read_state(self, value: Any) -> State:
        """Return a state from plain data. Raise HackjackError."""
        return read_state(value, self.system)

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


GAME: type[Game[State, Event, Event | Question]] = Glog
