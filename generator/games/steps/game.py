"""Procedures whose events are content: numbers, events, conditions and times that a pack names."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, Any

from msgspec import Struct, structs

from generator.base.errors import HackjackError, UsageError
from generator.base.late import LateMapping
from generator.base.sealed import Hidden
from generator.games.face import Asked, Befalling, Game, Gauge, Left, Lying, OddsAnswer, SetMaker, Suffering
from generator.games.steps.borne import wounds_told
from generator.games.steps.checks import CONTENT
from generator.games.steps.engine import EventRun, check_sound, step
from generator.games.steps.events import Asking, StepsEvent, events_of, question_of, read_asking, read_event, readers_of
from generator.games.steps.lines import fact_sentence
from generator.games.steps.log import Befalls, Dies, Drawn, StepsFact
from generator.games.steps.scope import Scope
from generator.games.steps.shape import plain_shape, read_shape, shape_of
from generator.games.steps.shown_state import details, hurts, sheet_values, state_line
from generator.games.steps.state import MAX_ENTRIES, StepsState, plain_state, read_state
from generator.games.steps.system_views import kept_piles
from generator.model.formulas import MAX_VALUE, Formula, Result
from generator.model.log import Entry, Log, Told
from generator.model.rules import AnyEffect
from generator.pack.strict_yaml import Trail
from generator.play.chance import Chance, Seeded
from generator.play.event_spec import EventSpec, Readers, labelled_argument
from generator.play.piles import all_names, card_of
from generator.words.quoting import Quote, parsed_text
from generator.words.wording import word_names

if TYPE_CHECKING:
    # An event is resolved without what counts odds, and should be resolved fast.
    from generator.layout.panel_elements import ChartMaker


class StepsGame(Game[StepsState, StepsEvent, StepsEvent | Asking]):
    """Events of the author's, one character a state."""

    DEATHS = (Dies,)
    DRAWS = (Drawn,)
    CHARTS = CONTENT.CHARTS

    @cached_property
    def EVENTS(self) -> Mapping[str, EventSpec]:  # noqa: N802 - a constant of the game
        """The events of the content that may happen."""
        there = self.system.head.events
        return LateMapping((name for name in self._specs if not there[name].alone), self._specs.__getitem__)

    @cached_property
    def _specs(self) -> Mapping[str, EventSpec]:
        return events_of(self.system)

    def untyped_event(self, name: str) -> str:
        """Return why an event cannot be typed; empty if there is no event of that name."""
        event = self.system.head.events.get(name)
        if event is None or not (event.helper or event.alone):
            return ""
        return f"{name} happens only as part of other events" if event.helper else f"{name} never happens: ask its odds"

    @cached_property
    def QUESTIONS(self) -> Mapping[str, EventSpec]:  # noqa: N802 - a constant of the game
        """Every event has odds, and so have the questions of the content; or those that it lists."""
        questions = self.system.head.questions

        def asked(name: str) -> EventSpec:
            own = questions.get(name)
            return question_of(name, own, self.system) if own else self._specs[name].asked(in_a_row=True)

        names, listed = dict.fromkeys((*self._specs, *questions)), self.system.steps.asks
        return LateMapping((name for name in listed or names if name in names), asked)

    @cached_property
    def FOLLOWS(self) -> Mapping[str, Collection[str]]:  # type: ignore[override]  # noqa: N802 - a constant of the game
        """What is worked out of a number, or decides it: to set the one forgets the other."""
        keys = [key for key in self.system.steps.state if key.be is not None]
        follows: dict[str, Collection[str]] = {key.sets: (key.key,) for key in keys if key.sets}
        for key in keys:
            asked = {str(node.about) for node in key.be.walk()} & {*kept_piles(self.system)} if key.be else set()
            follows |= dict.fromkeys((key.key, *asked), (key.sets,) if key.sets else ())
        return follows

    @cached_property
    def READERS(self) -> Readers:  # type: ignore[override]  # noqa: N802 - a constant of the game
        """How cards are read."""
        return readers_of(self.system)

    @cached_property
    def NEWCOMER(self) -> EventSpec:  # type: ignore[override]  # noqa: N802 - a constant of the game
        """Return the numbers and words that a new character may bring."""
        procedure = self.system.steps
        own = (name for name in (*self.system.kept_numbers, *procedure.words) if name not in procedure.shared)
        joins = procedure.joins or {name: name for name in own}
        takes = [
            labelled_argument(label, words=tuple(procedure.words[name].of), name=name)
            if name in procedure.words
            else labelled_argument(label, "number", name=name, least=-MAX_VALUE, most=MAX_VALUE)
            for label, name in joins.items()
        ]
        return EventSpec("add", procedure.newcomer or "add a character", tuple(takes))

    def called(self, key: str) -> str:
        """Return the name of a number, a word or a track of the content, or what its key says."""
        procedure = self.system.steps
        named = procedure.numbers.get(key) or procedure.words.get(key)
        return (named.name if named else "") or super().called(key)

    def words_called(self) -> Mapping[str, str]:
        """Return the names of the author's words and of the parts of the body, by the words."""
        return word_names(self.system)

    def deck(self) -> tuple[str, ...]:
        """Return the cards of all decks by name."""
        return all_names(self.system)

    def newcomer(self, words: Sequence[str]) -> StepsState:
        """Return the state of a new character, once the watches have acted. Raise UsageError."""
        run = EventRun(self.system, super().newcomer(words))
        state = run.state()
        # What needs dice or cards, or a number that is unknown yet, acts with the next event.
        with suppress(HackjackError):
            run.watch()
            state = run.state()
        return state

    # --- events and states -------------------------------------------------------------------------------------------

    def read_event(self, words: Sequence[str], at: Mapping[str, str]) -> StepsEvent:
        """Return an event as typed. Raise UsageError."""
        if why := self.untyped_event(words[0] if words else ""):
            raise UsageError(why)
        return read_event(self.EVENTS, words, at, self.READERS)

    def read_question(self, words: Sequence[str], at: Mapping[str, str]) -> StepsEvent | Asking:
        """Return an event, or a question of the content, as typed. Raise UsageError."""
        self.check_question(words)
        question = self.system.head.questions.get(words[0])
        if question:
            return read_asking(self.QUESTIONS, words, at, question.each)
        return read_event(self.QUESTIONS, words, at, self.READERS)

    def read_state(self, value: Any) -> StepsState:
        """Return a state from plain data. Raise HackjackError."""
        state = self._state(value)
        check_sound(self.system, state)
        return state

    def _state(self, value: Any) -> StepsState:
        return (
            read_shape(value, self.shape, self.system, self._figured)
            if self.system.steps.state
            else read_state(value, self.system)
        )

    def _figured(self, formula: Formula, state: StepsState, card: str = "") -> Result:
        scope = Scope(self.system, state)
        if card and (there := card_of(card, self.system)):
            scope.card = there[1]
        return scope.figure(formula)

    @cached_property
    def shape(self) -> type[Struct]:
        """The type of a plain state, with the numbers, words and conditions of the content."""
        return shape_of(self.system)

    def plain_state(self, state: StepsState) -> dict[str, Any]:
        """Return a state as plain data for JSON."""
        written = self.system.steps.state
        return plain_shape(state, self.system, self._figured) if written else plain_state(state, self.system)

    def state_line(self, plain: Mapping[str, Any]) -> str:
        """Return a state in one line."""
        state = self.told_state(plain)
        return state_line(state, {**self._figures(state), **plain}, self.system)

    def step(self, state: StepsState, event: StepsEvent, chance: Chance) -> tuple[StepsState, Log]:
        """One event on a state. Raises HackjackError, NeedsError."""
        return step(self.system, state, event, chance)

    def step_beside(
        self, state: StepsState, event: StepsEvent, chance: Chance, held: Collection[str]
    ) -> tuple[StepsState, Log]:
        """Return the same beside others who hold these cards."""
        return step(self.system, state, event, chance, held)

    def sharing(self, states: Mapping[str, StepsState], of: str) -> Mapping[str, StepsState]:
        """Return everybody's state with the shared numbers, words and piles of one of them."""
        procedure, source = self.system.steps, states[of]
        values = {name: source.values[name] for name in procedure.shared}
        apart = {name for name, pile in procedure.piles.items() if not pile.shared}
        if not values and len(apart) == len(procedure.piles):
            return states
        piles = {name: cards for name, cards in source.piles.items() if name not in apart}

        def with_shared(state: StepsState) -> StepsState:
            kept = {name: cards for name, cards in state.piles.items() if name in apart}
            return structs.replace(state, values={**state.values, **values}, piles={**kept, **piles})

        return {name: with_shared(state) for name, state in states.items()}

    def line(self, entry: Entry[StepsFact]) -> str:
        """Return a log entry as a sentence."""
        return fact_sentence(entry.fact, self.system)

    def befalls(self, log: Log) -> Sequence[Befalling]:
        """Return what happens to others by an event that had this log, in order."""
        facts = (entry.fact.usual if isinstance(entry.fact, Told) else entry.fact for entry in log)
        return [
            Befalling(each.whom, each.event, {name: str(value) for name, value in each.with_.items()})
            for each in facts
            if isinstance(each, Befalls)
        ]

    def odds(self, state: StepsState, event: StepsEvent | Asking, asked: Asked) -> OddsAnswer:
        """Return the chances of an event, of several in a row, or of a question: exact, or else played out.

        Raises HackjackError where it cannot happen, and for what is too much to count where it has to be exact.
        """
        from generator.games.steps.odds_answers import odds

        return odds(self.system, state, event, asked)

    def odds_of_each(
        self, states: Sequence[StepsState], event: StepsEvent | Asking, asked: Asked
    ) -> Sequence[OddsAnswer]:
        """Return the same for each of some states; several in a row are played together."""
        if asked.hits is None or asked.plays is None or isinstance(event, Asking):
            return super().odds_of_each(states, event, asked)
        from generator.games.steps.odds_answers import odds_in_a_row

        return odds_in_a_row(self.system, states, event, asked)

    def rehearse(self) -> Iterator[tuple[str, Trail, str]]:
        """Every event, every cell, every condition with its times and ends, once."""
        from generator.games.steps.rehearsal import rehearse

        return rehearse(self.system)

    # --- at the table ------------------------------------------------------------------------------------------------

    def held(self, state: StepsState) -> Collection[str]:
        """Return the cards in held piles of the living: they are not shuffled back."""
        piles = self.system.steps.piles
        held = [each.card for name, pile in state.piles.items() if piles[name].held for each in pile]
        held += [each.card for each in state.conditions if each.card and each.card not in held]
        return () if state.dead else tuple(held)

    def lying(self, plain: Mapping[str, Any]) -> Sequence[Lying]:
        """Return the cards of the held piles, with what each counts there."""
        piles = {name: own for name, own in kept_piles(self.system).items() if own.held}
        return [Lying(each["card"], each[own.worth]) for name, own in piles.items() for each in plain.get(name, ())]

    def hurts(self, plain: Mapping[str, Any]) -> Sequence[Suffering]:
        """Return the conditions that a character is in, and those that are coming."""
        return [*hurts(self.told_state(plain), self.system)]

    def page_values(self, plain: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the state as it is written, with the numbers and words that it does not write."""
        return {**self.told_state(plain).values, **plain}

    def check_bounds(self, state: StepsState) -> None:
        """Raise HackjackError for lists that grew too long."""
        if len(state.conditions) > MAX_ENTRIES:
            raise HackjackError(f"the character has more than {MAX_ENTRIES} conditions: that is over the limit")

    def details(self, plain: Mapping[str, Any]) -> Sequence[str]:
        """Return the conditions that a character is in, in full."""
        return details(self.told_state(plain), self.system)

    def gauges(self, plain: Mapping[str, Any]) -> Sequence[Gauge]:
        """Return the author's numbers as far as they are known, those of the state's line where there is one."""
        steps, state = self.system.steps, self.told_state(plain)

        def gauge(name: str, value: int) -> Gauge:
            own = steps.numbers[name]
            most = own.most.plain if own.most else None
            if own.most and not isinstance(most, int):
                scope = Scope(self.system, state, Seeded(0))
                most = None if scope.tells(own.most) else scope.figure(own.most)
            if most is None and name in self.system.head.tracks:
                most = self.system.most_of(name)
            if most is None and isinstance(plain.get(f"max_{name}"), int):
                most = plain[f"max_{name}"]
            return Gauge(name, own.name, value, most if isinstance(most, int) else None)

        in_line_values = (
            (name, state.values.get(name))
            for name, own in self.system.kept_numbers.items()
            if not own.flag and (not self._in_line or name in self._in_line)
        )
        shown = ((name, value) for name, value in in_line_values if not isinstance(value, Hidden))
        own = [gauge(name, value) for name, value in shown if isinstance(value, int)]
        return (*own, *(each for each in super().gauges(plain) if each.key not in steps.numbers))

    @cached_property
    def _in_line(self) -> Collection[str]:
        """The values that the author's line of a state tells."""
        line = self.system.steps.line
        return {part.name for text in line for part in parsed_text(text) if isinstance(part, Quote)}

    def sheet(self, plain: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return what fills the sheet of a state."""
        state = self.told_state(plain)
        scope, sums = Scope(self.system, state, Seeded(0)), dict[str, int]()
        for name in self.system.head.statistics:
            with suppress(HackjackError):  # a number that nobody knows
                sums[name] = -scope.lowered(name)
        return {"sums": sums, **sheet_values(state, plain, self._figures(state), self.system)}

    def _figures(self, state: StepsState) -> dict[str, int]:
        """Return the numbers that the author has worked out for sheets, as far as they are known."""
        scope = Scope(self.system, state, Seeded(0))
        sheet = {name: figure.be for name, figure in self.system.steps.sheet.items() if not scope.tells(figure.be)}
        return {name: value for name, be in sheet.items() if isinstance(value := scope.figure(be), int)}

    def left_by(
        self, effects: Sequence[AnyEffect], part: str = "", counts: Formula | None = None, *, only: str = ""
    ) -> Left:
        """Return what effects leave behind, and what a formula comes to on the way. Raises HackjackError."""
        from generator.games.steps.aftermath import left_by

        return left_by(self.system, effects, part, counts, only=only)

    def charts(self) -> Mapping[str, ChartMaker]:
        """There are no charts by name: blocks ask for theirs."""
        return {}

    def wounds(self, wounds: Iterable[dict[str, Any]]) -> Iterable[tuple[str, str, str]]:
        """Return what cards have left as lines of a sheet: the card, what it does, and until when."""
        return wounds_told(wounds, self.system)

    def card_sets(self) -> Mapping[str, SetMaker]:
        """Return the sets of cards by name."""
        from generator.games.steps.card_products import SETS

        return SETS


GAME: type[Game[StepsState, StepsEvent, StepsEvent | Asking]] = StepsGame
