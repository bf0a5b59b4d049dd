"""Procedures whose events are content: numbers, events, conditions and times that a pack names."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from msgspec import Struct, structs

from generator.base.dice import Dice
from generator.base.errors import HackjackError, UsageError
from generator.base.sealed import Hidden
from generator.games.face import Asked, Befalling, Game, Gauge, Left, Lying, OddsAnswer, SetMaker, Suffering
from generator.games.in_a_row import DEFAULT_PLAYS, exact_answer, played_answer, played_line, standard_error
from generator.games.steps.borne import wounds_told
from generator.games.steps.checks import CONTENT
from generator.games.steps.definitions import cards_of
from generator.games.steps.engine import Bench, check_sound, step
from generator.games.steps.events import Asking, StepsEvent, events_of, question_of, read_asking, read_event, readers_of
from generator.games.steps.lines import fact_sentence, name_of, signed_figure
from generator.games.steps.log import Befalls, Dies, Drawn, StepsFact
from generator.games.steps.luck_asked import chooses
from generator.games.steps.shape import plain_shape, read_shape, shape_of
from generator.games.steps.shown_state import details, hurts, sheet_values, state_line
from generator.games.steps.state import (
    MAX_ENTRIES,
    HeldCondition,
    Owed,
    PiledCard,
    RefusedError,
    StepsState,
    fresh_values,
    plain_state,
    read_state,
)
from generator.model.formulas import MAX_VALUE, Formula, Result, formula_number
from generator.model.log import Entry, Log, Told
from generator.model.rules import (
    AnyEffect,
    Call,
    Card,
    Choose,
    Die,
    DrawCard,
    Happening,
    LookUp,
    Revive,
    Save,
    given_names,
    walk_effects,
)
from generator.pack.strict_yaml import Trail
from generator.play.apply_effects import Hurt, Pen
from generator.play.chance import Chance, Given, Policy, Seeded
from generator.play.event_spec import EventSpec, Readers, labelled_argument
from generator.play.every_way import MAX_WORK, TooMuchWorkError, spend_work, work_budget
from generator.play.piles import all_names, card_of, codes_without, names_in
from generator.words.chances import plain_chance, plain_estimate, spoken_chance, spoken_estimate
from generator.words.quoting import Quote, parsed_text
from generator.words.wording import counted_noun

MAX_IN_A_ROW = 1_000
"""So many events in a row are played at most."""
MAX_PLAYED_WORK = 300_000
"""So many dice, cards and steps of the engine one question may take that is played out: some five seconds."""

if TYPE_CHECKING:
    # An event is resolved without what counts odds, and should be resolved fast.
    from generator.games.in_a_row import Found, Shares
    from generator.games.steps.tally import Unseen
    from generator.layout.panel_elements import ChartMaker


MAX_CHOICES = 100
"""So often the same is chosen where events are tried; afterwards by luck."""


_A_DIE = Dice(1, 6)
"""A die that is typed in a rehearsal."""


MAX_TALLIED = 20_000
"""So much work is spent on trying each unseen card."""


class StepsGame(Game[StepsState, StepsEvent, StepsEvent | Asking]):
    """Events of the author's, one character a state."""

    DEATHS = (Dies,)
    DRAWS = (Drawn,)
    CHARTS = CONTENT.CHARTS

    @cached_property
    def EVENTS(self) -> Mapping[str, EventSpec]:  # noqa: N802 - a constant of the game
        """The events of the content that may happen."""
        there = self.system.head.events
        return {name: spec for name, spec in self._specs.items() if not there[name].alone}

    @cached_property
    def _specs(self) -> Mapping[str, EventSpec]:
        helpers = {name for name, event in self.system.head.events.items() if event.helper}
        return {name: spec for name, spec in events_of(self.system).items() if name not in helpers}

    def untyped_event(self, name: str) -> str:
        """Return why nobody types an event; empty where there is none of that name."""
        event = self.system.head.events.get(name)
        if event is None or not (event.helper or event.alone):
            return ""
        return f"{name} happens only as part of other events" if event.helper else f"{name} never happens: ask its odds"

    @cached_property
    def QUESTIONS(self) -> Mapping[str, EventSpec]:  # noqa: N802 - a constant of the game
        """Every event has odds, and so have the questions of the content; or those that it lists."""
        specs = {name: spec.asked(in_a_row=True) for name, spec in self._specs.items()}
        questions = self.system.head.questions
        specs |= {name: question_of(name, each, self.system) for name, each in questions.items()}
        listed = self.system.steps.asks
        return {name: specs[name] for name in listed if name in specs} if listed else specs

    @cached_property
    def FOLLOWS(self) -> Mapping[str, Collection[str]]:  # type: ignore[override]  # noqa: N802 - a constant of the game
        """What is worked out of a number, or decides it: to set the one forgets the other."""
        keys = [key for key in self.system.steps.state if key.be is not None]
        follows: dict[str, Collection[str]] = {key.sets: (key.key,) for key in keys if key.sets}
        for key in keys:
            asked = {str(node.about) for node in key.be.walk()} & {*self.system.kept_piles} if key.be else set()
            follows |= dict.fromkeys((key.key, *asked), (key.sets,) if key.sets else ())
        return follows

    @cached_property
    def READERS(self) -> Readers:  # type: ignore[override]  # noqa: N802 - a constant of the game
        """How cards are read."""
        return readers_of(self.system)

    @cached_property
    def NEWCOMER(self) -> EventSpec:  # type: ignore[override]  # noqa: N802 - a constant of the game
        """The numbers and words that somebody who joins may bring."""
        procedure = self.system.steps
        joins = procedure.joins or {name: name for name in (*self.system.kept_numbers, *procedure.words)}
        takes = [
            labelled_argument(label, words=procedure.words[name].of, name=name)
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

    def deck(self) -> tuple[str, ...]:
        """Return the cards of all decks by name."""
        return all_names(self.system)

    def newcomer(self, words: Sequence[str]) -> StepsState:
        """Return the state of somebody who joins, once the watches have acted. Raise UsageError."""
        bench = Bench(self.system, super().newcomer(words), Given())
        state = bench.state()
        # What needs dice or cards, or a number that is unknown yet, acts with the next event.
        with suppress(HackjackError):
            bench.watch()
            state = bench.state()
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
        bench = Bench(self.system, state, Given())
        if card and (there := card_of(card, self.system)):
            bench.card = there[1]
        return bench.figure(formula)

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
        state, asked = self._made_ready(state, event, asked)
        answer = self._by_policy(self._answered(state, event, asked), state, event, asked.policy)
        unseen = self._unseen(state, event) if isinstance(event, StepsEvent) and not asked.only else None
        if unseen is None:
            return answer
        cards = {"kill": unseen.kill, "draw_more": unseen.may, "left": len(self._left(event.name, state))}
        return replace(answer, counts=str(unseen), cards=cards)

    def odds_of_each(
        self, states: Sequence[StepsState], event: StepsEvent | Asking, asked: Asked
    ) -> Sequence[OddsAnswer]:
        """Return the same for each of some states; several in a row are played together."""
        if asked.hits is None or asked.plays is None or isinstance(event, Asking):
            return super().odds_of_each(states, event, asked)
        each = [self._made_ready(state, event, asked) for state in states]
        return self._played_in_a_row([state for state, _ in each], event, each[0][1])

    def _made_ready(self, state: StepsState, event: StepsEvent | Asking, asked: Asked) -> tuple[StepsState, Asked]:
        """Return the state of which chances are asked, and how. Raises HackjackError for what cannot be asked."""
        if state.dead and not (isinstance(event, StepsEvent) and self.system.head.events[event.name].dead):
            raise HackjackError("the character is dead: there is nothing left to count")
        state = self._without_hidden(state, event)
        if asked.hits is not None:
            if isinstance(event, Asking):
                raise HackjackError(f"--hits is for events, and {event.name} is a question: leave it out")
            if not 1 <= asked.hits <= MAX_IN_A_ROW:
                raise HackjackError(f"--hits {asked.hits}: ask for 1 to {MAX_IN_A_ROW:,} in a row")
            effects = self._effects(state, event.name)
            if not any(isinstance(effect, Die) for effect in effects):
                raise HackjackError(f"--hits counts deaths, and {event.name} kills nobody: leave it out")
            if state.dead or any(isinstance(effect, Revive) for effect in effects):
                raise HackjackError(f"--hits counts until death, and {event.name} revives: leave it out")
        return state, replace(asked, policy=asked.policy or self._usual_policy(state, event))

    def _answered(self, state: StepsState, event: StepsEvent | Asking, asked: Asked) -> OddsAnswer:
        if asked.plays is not None:
            return self._played(state, event, asked)
        try:
            with work_budget(MAX_WORK):
                return self._exact(state, event, asked)
        except TooMuchWorkError:
            if asked.exact:
                raise
        with work_budget(MAX_PLAYED_WORK):
            return self._played(state, event, replace(asked, plays=DEFAULT_PLAYS))

    def _usual_policy(self, state: StepsState, event: StepsEvent | Asking) -> Policy:
        """Return how choices fall where nobody says: best, where the events say what is better."""
        return "best" if self._better(self._chosen_in(state, event)) else ""

    def _chosen_in(self, state: StepsState, event: StepsEvent | Asking) -> tuple[str, Sequence[AnyEffect]]:
        """Return the event that is counted, and the steps that it may come to."""
        name = self.system.head.questions[event.name].event if isinstance(event, Asking) else event.name
        return name, self._effects(state, name)

    def _better(self, chosen_in: tuple[str, Sequence[AnyEffect]]) -> dict[Formula, str]:
        """Return what an event, and those that it calls, say is better, and the one that says so."""
        name, effects = chosen_in
        events = dict.fromkeys((name, *(effect.event for effect in effects if isinstance(effect, Call))))
        said: dict[Formula, str] = {}
        for each in events:
            if (formula := self.system.head.events[each].better) is not None:
                said.setdefault(formula, each)
        return said

    def _by_policy(
        self, answer: OddsAnswer, state: StepsState, event: StepsEvent | Asking, policy: Policy
    ) -> OddsAnswer:
        """Return an answer that says how choices fell, where somebody chooses."""
        chosen_in = self._chosen_in(state, event)
        if not policy or not any(map(chooses, chosen_in[1])):
            return answer
        better = self._better(chosen_in) if policy != "even" else {}
        looks = f"the odds assume the choice that looks {policy} at that moment"
        line = f"Where a card lets you choose, {looks if better else 'every choice is equally likely'}."
        plain = {**answer.plain, "policy": policy} | ({"better": [*map(str, better)]} if better else {})
        return replace(answer, plain=plain, lines=[*answer.lines, line])

    def _effects(self, state: StepsState, event: str) -> Sequence[AnyEffect]:
        """Return the steps that an event may come to."""
        from generator.games.steps.counter import deadly_course

        return deadly_course(self.system, state, event).effects

    def _left(self, event: str, state: StepsState) -> list[str]:
        """Return the cards that are left in the decks from which an event may draw, or in all where it draws none."""
        decks = dict.fromkeys(each.deck for each in self._effects(state, event) if isinstance(each, DrawCard))
        names = (names_in(deck, self.system) for deck in decks or self.system.piles)
        return [card for each in names for card in codes_without(each, state.drawn)]

    def _unseen(self, state: StepsState, event: StepsEvent) -> Unseen | None:
        """Return what each unseen card does on its own where one may kill, or the event tells how many cards are left.

        None where that is too much to count.
        """
        from generator.games.steps.tally import unseen_cards

        effects, told = self._effects(state, event.name), "left" in self.system.head.events[event.name].lists
        draws = all(any(isinstance(each, kind) for each in effects) for kind in (Die, DrawCard))
        if state.dead or not (draws or told):
            return None
        with suppress(TooMuchWorkError), work_budget(MAX_TALLIED):
            return unseen_cards(self.system, state, event)
        return None

    def _without_hidden(self, state: StepsState, event: StepsEvent | Asking) -> StepsState:
        """Return a state whose hidden numbers are unknown. Raises HackjackError where chances would tell one."""
        hidden = {name: None for name, value in state.values.items() if isinstance(value, Hidden)}
        if not hidden:
            return state
        from generator.games.steps.counter import telling_number

        name = self.system.head.questions[event.name].event if isinstance(event, Asking) else event.name
        if told := telling_number(self.system, state, name, hidden):
            raise HackjackError(f"{self.system.steps.numbers[told].name} is hidden: the odds of {name} would tell it")
        return structs.replace(state, values=state.values | hidden)

    def _exact(self, state: StepsState, event: StepsEvent | Asking, asked: Asked) -> OddsAnswer:
        from generator.games.steps import counter

        if isinstance(event, Asking):
            shares = [
                1 - (1 - share) ** event.people for share in counter.in_turn(self.system, state, event, asked.policy)
            ]
            return self._asked(event, [(plain_chance(share), spoken_chance(share)) for share in shares])
        if asked.hits is not None:
            (deaths,) = counter.die_by(self.system, [state], event, asked.hits, asked.policy)
            return exact_answer(deaths, event.name)
        formulas = counter.named_formulas(self.system, state, event.name)
        alone = {name: formula for name, formula in formulas.items() if name == asked.only}
        outcome = counter.count_event(self.system, state, event, alone or formulas, asked.policy, alone=bool(alone))
        return self._with_left(self._counted(event.name, self._less_spared(outcome, state, event)), state, event)

    def _with_left(self, answer: OddsAnswer, state: StepsState, event: StepsEvent) -> OddsAnswer:
        """Return an answer with how many cards are left, where the event tells it."""
        if "left" not in self.system.head.events[event.name].lists:
            return answer
        left = len(self._left(event.name, state))
        line = f"{counted_noun(left, 'card')} {'is' if left == 1 else 'are'} left in the deck"
        return replace(answer, plain={**answer.plain, "cards_left": left}, lines=[*answer.lines, line])

    def _played(self, state: StepsState, event: StepsEvent | Asking, asked: Asked) -> OddsAnswer:
        """Play so often, or as often as the budget pays for."""
        from generator.games.steps import counter
        from generator.games.steps.counter_ways import Sample

        how, sample = (self.system, state), Sample(asked.plays or 1, asked.seed)
        if isinstance(event, Asking):
            ones, plays = counter.played(lambda sample: counter.in_turn(*how, event, asked.policy, sample), sample)
            answer = self._asked(event, [_of_people(float(one), plays, event.people) for one in ones])
        elif asked.hits is not None:
            return self._played_in_a_row([state], event, asked)[0]
        else:
            with work_budget(own=True):
                formulas = counter.named_formulas(*how, event.name)
            alone = {name: formula for name, formula in formulas.items() if name == asked.only}
            count = partial(counter.count_event, *how, event, alone or formulas, asked.policy, alone=bool(alone))
            outcome, plays = counter.played(lambda sample: count(sample=sample), sample)
            counted = self._counted(event.name, self._less_spared(outcome, state, event), plays)
            answer = self._with_left(counted, state, event)
        plain = {"method": "played", **answer.plain, "plays": plays, "seed": asked.seed}
        return replace(answer, plain=plain, lines=[*answer.lines, played_line(plays, asked.seed)])

    def _played_in_a_row(self, states: Sequence[StepsState], event: StepsEvent, asked: Asked) -> list[OddsAnswer]:
        from generator.games.steps import counter
        from generator.games.steps.counter_ways import Sample

        hits, sample = asked.hits or 1, Sample(asked.plays or 1, asked.seed)
        shares, plays = counter.played(
            lambda sample: counter.die_by(self.system, states, event, hits, asked.policy, sample), sample
        )
        estimates = [[(float(share), standard_error(share, plays)) for share in each] for each in shares]
        return [played_answer(each, replace(asked, plays=plays), event.name) for each in estimates]

    def _less_spared(self, outcome: Found, state: StepsState, event: StepsEvent) -> Found:
        """Return the outcome where nothing of it comes about in the share of cases that the event spares."""
        spared = self.system.head.events[event.name].spared
        if spared is None:
            return outcome
        bench = Bench(self.system, state, Seeded(0))
        bench.takes(event)
        return outcome.less(Fraction(formula_number(spared, bench), 100))

    def _asked(self, asking: Asking, shares: Sequence[tuple[dict[str, Any], str]]) -> OddsAnswer:
        """Return the answer to a question, from each share as plain data and in words."""
        question = self.system.head.questions[asking.name]
        each = zip(asking.values, shares, strict=True)
        gain = question.gain or question.each.replace("_", " ")
        lines = [f"after {gain} {value:>2}  {spoken}" for value, (_, spoken) in each]
        of = f"{question.name.replace('_', ' ')} of {asking.people}"
        if question.means:
            of = f"that at least one of {asking.people} {question.means}"
        return OddsAnswer({question.name: shares[-1][0]}, [*lines, of])

    @cached_property
    def _kills(self) -> bool:
        """Whether a step of this system kills: where none does, nobody asks how likely it is to be dead."""
        return any(isinstance(effect, Die) for effect in CONTENT(self.system).effects)

    def _row(self, table: str, label: str) -> str:
        """A row by its result and its name: `1-3 A scratch`; of a table without names by what it is looked up by."""
        known_table = self.system.table(table)
        names = {str(row.at): row.name for row in known_table.rows if row.at and row.name} if known_table else {}
        by = f"{known_table.by.replace('_', ' ')} " if known_table and known_table.by and not names else ""
        return f"{label} {names[label]}" if label in names else f"{by}{label:>5}" if by else label

    def _counted(self, event: str, outcome: Found, plays: int = 0) -> OddsAnswer:
        """Return the answer of an event; exact, or estimated from so many plays."""

        def plain_share(share: Fraction) -> dict[str, Any]:
            return plain_estimate(share, standard_error(share, plays)) if plays else plain_chance(share)

        def spoken(share: Fraction) -> str:
            return spoken_estimate(share, standard_error(share, plays)) if plays else spoken_chance(share)

        happening = self.system.head.events[event]
        listed = happening.lists
        tables = {name: shares for name, shares in outcome.rows.items() if name == (happening.table or name)}
        plain: dict[str, Any] = {
            name: plain_share(share) for name, share in outcome.named.items() if name not in happening.aside
        }
        first = next(iter(tables), "")
        if "names" in listed:
            tables = {name: self._by_name(name, shares) for name, shares in tables.items()}
        elif "rows" not in listed:
            tables = {}
        if "rows" in listed or "names" in listed:
            plain["rows"] = {}
        for table, shares in tables.items():
            key = "rows" if table == first else f"rows_{table}"
            plain[key] = {row: plain_share(share) for row, share in shares.items()}
        if outcome.cards and "cards" in listed:
            plain["cards"] = {name: plain_share(share) for name, share in outcome.cards.items()}
        if "conditions" in listed:
            plain["conditions"] = {name: plain_share(share) for name, share in outcome.conditions.items()}
        numbers = outcome.numbers if "numbers" in listed else {}
        if "numbers" in listed:
            plain["numbers"] = {
                name: {str(value): plain_share(share) for value, share in values.items()}
                for name, values in numbers.items()
            }
        for name, values in outcome.spreads.items():
            plain[name] = {str(value): plain_share(share) for value, share in values.items()}
        named = outcome.named if self._kills or happening.odds else {}
        labels = {name: name.replace("_", " ") for name in named} | happening.labels
        lines = [f"{labels[name]:<14}  {spoken(share)}" for name, share in named.items()]
        for table, shares in tables.items():
            full = [self._row(table, label) for label in shares]
            width = max(14, *map(len, full))
            if len(tables) > 1 and (met := self.system.table(table)):
                lines.append(f"{met.title}:")
            lines += [f"  {row:<{width}}  {spoken(share)}" for row, share in zip(full, shares.values(), strict=True)]
        for name, values in outcome.spreads.items():
            title = self.system.steps.numbers[name].name.lower()
            lines += [f"  {title} {signed_figure(value):>2}  {spoken(share)}" for value, share in values.items()]
        if "conditions" in listed:
            lines += [
                f"{name_of(name, self.system):<14}  {spoken(share)}" for name, share in outcome.conditions.items()
            ]
        for name, values in numbers.items():
            title = self.system.steps.numbers[name].name
            lines += [f"{f'{title} {signed_figure(value)}':<14}  {spoken(share)}" for value, share in values.items()]
        dead = next(
            (share for name, share in outcome.named.items() if str(happening.odds.get(name, name)) == "dead"), None
        )
        return OddsAnswer(plain, lines, death=dead if self._kills else None)

    def _by_name(self, table: str, shares: Shares) -> Shares:
        """The shares of a table's rows by their names."""
        known_table = self.system.table(table)
        names = {str(row.at) if row.at else row.name: row.name for row in known_table.rows} if known_table else {}
        return {names.get(label) or label: share for label, share in shares.items()}

    # --- rehearsal ---------------------------------------------------------------------------------------------------

    def rehearse(self) -> Iterator[tuple[str, Trail, str]]:
        """Every event, every cell, every condition with its times and ends, once."""
        # A card may lead to a table, and what is called alone may be called with a card at hand.
        cards = [card for deck in self.system.piles.values() for card in deck.cards]
        any_card = next((card for card in cards if card.lines), cards[0] if cards else None)
        for name, happening in self.system.head.events.items():
            if fault := self._fault(
                happening.do_, name, card=any_card if happening.alone or happening.helper else None
            ):
                yield "system.yaml", ("events", name), fault
            bench = Bench(self.system, self._trial(), Seeded(0))
            bench.names |= self._likely(name)
            for at, need in enumerate(happening.needs):
                try:
                    bench.figure(need.holds or Formula("1"))
                except RefusedError:
                    continue
                except HackjackError as error:
                    written: Trail = ("events", name, "needs", at, "holds")
                    yield "system.yaml", written, f"{error}. Ask first whether it is known"
        for place, table in enumerate(self.system.tables):
            if fault := self._fault(table.every, table.id, card=any_card):
                yield "tables.yaml", ("tables", place, "every"), fault
            for at, row in enumerate(table.rows):
                cells = {("cells", column): cell for column, cell in row.cells.items()} | {("effects",): row.effects}
                for trail, cell in cells.items():
                    # What looks further up is played where an event reaches it.
                    if not isinstance(cell, tuple) or any(isinstance(each, LookUp) for _, each in walk_effects(cell)):
                        continue
                    if fault := self._fault(cell, table.id, card=any_card):
                        yield "tables.yaml", ("tables", place, "rows", at, *trail), fault
        for file, where, effects, card in cards_of(self.system):
            if fault := self._fault(effects, "a card", card=card):
                yield file, where, fault
        for name, condition in self.system.head.conditions.items():
            for key, lists in (("each", condition.each), ("ends", condition.ends)):
                for word, effects in lists.items():
                    if fault := self._fault(effects, name, of=name):
                        yield "system.yaml", ("conditions", name, key, word), fault
            for _, effect in walk_effects(condition.implies):
                if isinstance(effect, Save):
                    for effects in (effect.passes, effect.fails):
                        if fault := self._fault(effects, name, of=name):
                            yield "system.yaml", ("conditions", name, "implies"), fault

    @cached_property
    def _cards(self) -> list[tuple[str, Card]]:
        """All cards by name, those that are left out of play too."""
        piles = self.system.piles
        return [
            (code if len(piles) == 1 else f"{deck}:{code}", card)
            for deck in piles
            for code, card in ((each.code, each) for each in piles[deck].cards)
        ]

    def _fault(self, effects: tuple[AnyEffect, ...], source: str, of: str = "", card: Card | None = None) -> str:
        """Why steps cannot be played on a fresh character, whatever is chosen; empty where they can."""
        choices = (effect for _, effect in walk_effects(effects) if isinstance(effect, Choose))
        most = max((len(choice.options) for choice in choices), default=1)
        tried = (self._fault_by(effects, source, of, card, choice) for choice in range(1, most + 1))
        return next(filter(None, tried), "")

    def _fault_by(self, effects: tuple[AnyEffect, ...], source: str, of: str, card: Card | None, choice: int) -> str:
        """The same where that option is chosen."""
        bench = Bench(self.system, self._trial(), Seeded(0, [choice] * MAX_CHOICES))
        bench.event = source if source in self.system.head.events else next(iter(self.system.head.events), "")
        pen, bench.card = Pen(bench, source, Hurt()), card
        if card is not None:
            bench.at_hand = next((name for name, each in self._cards if each is card), "")
            # Steps with the cards of a pile are tried with one that leads to nothing.
            quiet = next((name for name, each in self._cards if not (each.effects or each.faces)), "")
            bench.piles = {name: [PiledCard(quiet)] if quiet else [] for name in bench.piles}
        pen.of = of
        try:
            bench.names |= self._likely(source)
            takes = (item for each in self.system.head.events.values() for item in each.takes.items())
            bench.dice = {name: _A_DIE for name, each in takes if each.die}
            bench.run(effects, pen)
            for entry in bench.log:
                self.line(entry)
        except RecursionError:
            return "this cannot be played: it leads too deep, or has no end"
        except (RefusedError, UsageError):
            # It is refused to a fresh character, or there are not so many options.
            return ""
        except HackjackError as error:
            # Whoever it is refused to would not have come so far.
            needs = self.system.head.events[source].needs if source in self.system.head.events and not of else ()
            with suppress(HackjackError):
                if all(bench.figure(need.holds) for need in needs if need.holds):
                    return f"this cannot be played: {error}"
            return ""
        finally:
            spend_work(1 + bench.steps_taken)
        return ""

    def _likely(self, source: str) -> dict[str, int | str | None]:
        """A value for whatever an event takes or names, for steps that are tried without it.

        The event's own arguments come last. One that another event may leave out is known where any must be given it.
        """
        own = self.system.head.events.get(source)
        known = self._likely_anywhere
        return {**known, **self._taken(own), **_unknown(own)} if own else {**known}

    @cached_property
    def _likely_anywhere(self) -> dict[str, int | str | None]:
        """The same where no event has begun."""
        values: dict[str, int | str | None] = {}
        for happening in self.system.head.events.values():
            values |= self._taken(happening)
            values = _unknown(happening) | values
        return values

    def _taken(self, happening: Happening) -> dict[str, int | str | None]:
        """A value for whatever an event names, and must be given."""
        values: dict[str, int | str | None] = {
            name: 1 for _, effect in walk_effects(happening.do_) for name in given_names(effect)
        }
        for name, takes in happening.takes.items():
            samples = {takes.name: "Mira", takes.die: str(_A_DIE), takes.card: next(iter(all_names(self.system)), "")}
            if not takes.optional:
                values[name] = takes.of[0] if takes.of else samples.get(True) or max(takes.least, 1)
        return values

    def _trial(self) -> StepsState:
        """A fresh character of whom a save is owed, where there is any."""
        conditions = self.system.head.conditions
        saving = next((name for name, each in conditions.items() if any(isinstance(e, Save) for e in each.implies)), "")
        late = next((name for name, each in conditions.items() if each.chances), "")
        values = fresh_values(self.system)
        if saving or not late:
            return StepsState(values=values, saves=(Owed(saving),) if saving else ())
        held = (HeldCondition(late, "save"),)
        return StepsState(values=values, conditions=held, saves=(Owed(late, chance=True),))

    # --- at the table ------------------------------------------------------------------------------------------------

    def held(self, state: StepsState) -> Collection[str]:
        """Return the cards in held piles of the living: they are not shuffled back."""
        piles = self.system.steps.piles
        held = [each.card for name, pile in state.piles.items() if piles[name].held for each in pile]
        held += [each.card for each in state.conditions if each.card and each.card not in held]
        return () if state.dead else tuple(held)

    def lying(self, plain: Mapping[str, Any]) -> Sequence[Lying]:
        """Return the cards of the held piles, with what each counts there."""
        piles = {name: own for name, own in self.system.kept_piles.items() if own.held}
        return [Lying(each["card"], each[own.worth]) for name, own in piles.items() for each in plain.get(name, ())]

    def hurts(self, plain: Mapping[str, Any]) -> Sequence[Suffering]:
        """Return the conditions that somebody is in, and those that are coming."""
        return [*hurts(self.told_state(plain), self.system)]

    def page_values(self, plain: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the state as it is written, with the numbers and words that it does not write."""
        return {**self.told_state(plain).values, **plain}

    def check_bounds(self, state: StepsState) -> None:
        """Raise HackjackError for lists that grew too long."""
        if len(state.conditions) > MAX_ENTRIES:
            raise HackjackError(f"the character has more than {MAX_ENTRIES} conditions: that is over the limit")

    def details(self, plain: Mapping[str, Any]) -> Sequence[str]:
        """The conditions that somebody is in, in full."""
        return details(self.told_state(plain), self.system)

    def gauges(self, plain: Mapping[str, Any]) -> Sequence[Gauge]:
        """Return the author's numbers as far as they are known, those of the state's line where there is one."""
        steps, state = self.system.steps, self.told_state(plain)

        def gauge(name: str, value: int) -> Gauge:
            own = steps.numbers[name]
            most = own.most.plain if own.most else None
            if own.most and not isinstance(most, int):
                bench = Bench(self.system, state, Seeded(0))
                most = None if bench.tells(own.most) else bench.figure(own.most)
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
        bench, sums = Bench(self.system, state, Seeded(0)), dict[str, int]()
        for name in self.system.head.statistics:
            with suppress(HackjackError):  # a number that nobody knows
                sums[name] = -bench.lowered(name)
        return {"sums": sums, **sheet_values(state, plain, self._figures(state), self.system)}

    def _figures(self, state: StepsState) -> dict[str, int]:
        """Return the numbers that the author has worked out for sheets, as far as they are known."""
        bench = Bench(self.system, state, Seeded(0))
        sheet = {name: figure.be for name, figure in self.system.steps.sheet.items() if not bench.tells(figure.be)}
        return {name: value for name, be in sheet.items() if isinstance(value := bench.figure(be), int)}

    def left_by(
        self, effects: Sequence[AnyEffect], part: str = "", counts: Formula | None = None, *, only: str = ""
    ) -> Left:
        """Return what effects leave behind, and what a formula comes to on the way. Raises HackjackError."""
        from generator.games.steps.left_behind import left_by

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


def _unknown(happening: Happening) -> dict[str, int | str | None]:
    """What an event may be told, and nobody has."""
    return {name: None for name, takes in happening.takes.items() if takes.optional}


def _of_people(one: float, plays: int, people: int) -> tuple[dict[str, Any], str]:
    """Return the estimated chance that at least one of so many meets something, from that of one: plain, in words."""
    spared = 1 - one
    share, error = 1 - spared**people, people * spared ** (people - 1) * standard_error(one, plays)
    return plain_estimate(share, error), spoken_estimate(share, error)


GAME: type[Game[StepsState, StepsEvent, StepsEvent | Asking]] = StepsGame
