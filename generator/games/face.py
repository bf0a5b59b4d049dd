"""The face of a game: what a kind of procedure offers to the commands, the session and the press.

A game is a folder of this package with a class that fills the face in, and one line of the registry in
`generator.games`. Where a game has nothing of its own to say, the answer here holds.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from importlib import import_module
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar, cast

import msgspec
from msgspec import Struct

from generator.base.errors import HackjackError, UsageError, did_you_mean
from generator.games.board import Board
from generator.model.formulas import Formula
from generator.model.log import Entry, Log
from generator.model.rules import AnyEffect, System, plain_value
from generator.pack.strict_yaml import Trail
from generator.play.chance import Chance, Given, Policy
from generator.play.event_spec import ArgumentReading, ArgumentSpec, EventSpec
from generator.words.effects import card_telegraph
from generator.words.wording import key_in_words

if TYPE_CHECKING:
    # A resolver command need not load what cards and pictures are made of.
    from generator.layout.card_elements import CardSet
    from generator.layout.panel_elements import ChartMaker
    from generator.layout.sheets import Printed
    from generator.paper.panel_options import PanelOptions

SetMaker: TypeAlias = "Callable[[System], CardSet]"
PageMaker: TypeAlias = "Callable[[System, PanelOptions], Printed]"

State = TypeVar("State", bound=msgspec.Struct)
Event = TypeVar("Event")
Question = TypeVar("Question")


class Asked(Struct, frozen=True):
    """How odds are asked for: so many events in a row (None: one), played out so often, how choices
    fall ("" where nobody said).

    `exact`: what is too large to count is refused instead of played out. `held` are the cards that lie before everybody
    at the table. `only` is the one chance that is looked at: an answer may leave out the rest.
    """

    hits: int | None = None
    plays: int | None = None
    seed: int = 0
    exact: bool = False
    policy: Policy = ""
    held: Collection[str] = ()
    only: str = ""


class OddsAnswer(Struct, frozen=True):
    """Odds, as `--json` prints them and as lines for people.

    `counts` says them in counts, where that can be done: `34 of 50 unseen cards kill`; `cards` are the cards counted,
    for JSON. `brief` are fewer lines for the middle of a fight; None where all of them are wanted.
    """

    plain: dict[str, Any]
    lines: Sequence[str]
    counts: str = ""
    cards: dict[str, Any] | None = None
    brief: Sequence[str] | None = None
    death: Fraction | None = None
    """How likely the event kills, where that was counted."""


class Gauge(Struct, frozen=True):
    """A number to be seen at a glance: `score`, called `Death-score`, at 12 of 21 (`most` None: no end is known)."""

    key: str
    name: str
    value: int
    most: int | None = None


class Lying(Struct, frozen=True):
    """A card before somebody, and what it counts there, if anything; `title` where it is a playing card and no more."""

    card: str
    counts: int | None = None
    title: str = ""


class Suffering(Struct, frozen=True):
    """What somebody suffers: the condition, what it is in words and until when, and the card that brought it.

    `level` is how bad it is, where it has levels; one that is `coming` begins later.
    """

    condition: str
    says: str
    until: str = ""
    card: str = ""
    level: int = 1
    coming: bool = False


class Left(Struct, frozen=True):
    """What effects leave behind, whatever dice show and however saves are answered.

    `numbers` is all that a formula comes to on the way, the least first; `days` the conditions that are counted in
    days; `saved` whether one waits for saves; `most` how many of those and of such for good there are at once.
    What is too much to count is `uncounted`: then nothing is known of numbers.
    """

    numbers: tuple[int, ...] = ()
    days: tuple[str, ...] = ()
    saved: bool = False
    most: int = 0
    uncounted: bool = False


class Befalling(Struct, frozen=True):
    """An event that happens to others: to `one` of them or to several, with what it takes."""

    whom: str
    event: str
    at: Mapping[str, str]


class PlainState(dict[str, Any]):
    """A state as plain data that knows which state it tells: nobody reads again what was just written down."""

    __slots__ = ("state",)

    def __init__(self, plain: Mapping[str, Any], state: msgspec.Struct) -> None:
        super().__init__(plain)
        self.state = state


class Game(ABC, Generic[State, Event, Question]):
    """One system at the table. States and events are frozen values of the game's own.

    A state is a frozen Struct. One that has a field `drawn` knows which cards are out of the deck: at the table that is
    the one deck of the whole party. Everything that `step` needs to remember is in the state, for undo is an older one.
    """

    READERS: Mapping[str, Callable[[str, str], Any]] = {}
    """How kinds of arguments are read that only this game has."""

    DEATHS: Collection[Any] = ()
    """The facts of the log with which somebody dies or is out of the fight: a screen makes them stand out."""

    DRAWS: Collection[Any] = ()
    """The facts of the log that say which card was drawn."""

    LOOKS: Collection[str] = ()
    """The events that only look. A session asks `look` for them, keeps no record of them and changes nothing."""

    OPENING: Mapping[str, Any] = {}
    """The plain state with which a shared table begins; `{}` is a fresh one."""

    ON_TABLE: str = ""
    """Whose the cards are that `lying` finds in the state of a shared table: `The dealer`."""

    SHARED: bool = False
    """Whether one state is for the whole table.

    The state then knows who plays, joining is an event like any other, and events are written without a name in front:
    `bet bryn 2` has the words `bet`, `bryn` and `2`. Otherwise each character has a state, whom `add NAME` brings in,
    and an event is written with the name of the one whom it befalls: `hit bryn 9`.
    """

    USUAL: tuple[str, ...] = ()
    """The words of what is done most, which pages offer where content names nothing; the first event without more."""

    CARDS_MEAN: tuple[tuple[str, ...], ...] = ()
    """What cards alone mean at the prompt: the words in front of them, the first of these that can be done now."""

    NEWCOMER: EventSpec = EventSpec("add", "add a character")
    """What `add NAME` takes: keys of a state, unless `newcomer` says otherwise. Not for a shared table."""

    DECK: tuple[str, ...] = ()
    """The codes of the full deck, where no house rule changes it; none where the game is played with dice alone."""

    FOLLOWS: Mapping[str, Collection[str]] = {}
    """The keys of a plain state that follow from another one, by that one: they are left out where it is corrected."""

    CHARTS: tuple[str, ...] = ()
    """The names of `charts`: what a block may show. Known without loading anything that draws."""

    CARD_SETS: tuple[str, ...] = ()
    """The names of `card_sets`, as the game's `Content` has them."""

    FILLED: tuple[str, ...] = ("sheet",)
    """The products that may be filled with a session as it stands."""

    def __init__(self, system: System) -> None:
        self.system = system

    def at_table(self, plain: Mapping[str, Any]) -> System:
        """Return the system with those at a table, by its state, in place of its own people, for what is printed."""
        return replace(self.system, at_table=plain)

    # --- events and states -------------------------------------------------------------------------------------------

    @property
    @abstractmethod
    def EVENTS(self) -> Mapping[str, EventSpec]:  # noqa: N802 - a constant of the game
        """The events that `resolve` and a session take, by name."""

    @property
    def QUESTIONS(self) -> Mapping[str, EventSpec]:  # noqa: N802 - a constant of the game
        """Return what `odds` can be asked, by name; the first is asked most."""
        return {}

    @property
    def usual(self) -> tuple[str, ...]:
        """Return the words of what is done most; none where the game has no events."""
        return self.USUAL or tuple(self.EVENTS)[:1]

    @abstractmethod
    def read_event(self, words: Sequence[str], at: Mapping[str, str]) -> Event:
        """Return an event as typed, `at` from `--at NAME=VALUE`. Raise UsageError."""

    def read_given(self, words: Sequence[str], at: Mapping[str, str], given: str | None) -> Event:
        """Return the same where words may name a file. Raise UsageError.

        `given` is what that file held, as a journal has kept it; empty where none may be read, since the words come
        from a stranger's pack. Only where it is None has a person typed them, who may name any file.
        """
        return self.read_event(words, at)

    def read_question(self, words: Sequence[str], at: Mapping[str, str]) -> Question:
        """Return an event as typed that odds are asked of. Raise UsageError."""
        self.check_question(words)
        return cast(Question, self.read_event(words, at))

    def untyped_event(self, name: str) -> str:
        """Return why nobody types an event; empty where there is none of that name."""
        del name
        return ""

    def check_question(self, words: Sequence[str]) -> None:
        """Raise UsageError where the first word is nothing that has odds."""
        name = words[0] if words else ""
        if name not in self.QUESTIONS:
            ask = f": ask for {', '.join(self.QUESTIONS)}"
            hint = did_you_mean(name, self.QUESTIONS) if name not in self.EVENTS else ask
            raise UsageError(f"{name[:40] or 'this'} has no odds{hint}")

    def choices(self, argument: ArgumentSpec, state: State, earlier: Mapping[str, Any]) -> tuple[str, ...]:
        """Return the values that an argument may have now, as they are typed; none where they cannot be listed.

        `earlier` are the values of the arguments before it. The bounds of a number stand in the argument.
        """
        words = argument.known(earlier)
        if argument.kind == "person":
            return (*self.seats(self.plain_state(state)), *words)
        return (*sorted(self.held(state)), *words) if argument.kind == "card" else words

    @abstractmethod
    def read_state(self, value: Any) -> State:
        """Return a state from plain data, put in order; `{}` is a fresh one. Raise HackjackError."""

    def told_state(self, plain: Mapping[str, Any]) -> State:
        """Return the state that plain data tell. Raise HackjackError."""
        return cast(State, plain.state) if isinstance(plain, PlainState) else self.read_state(plain)

    @property
    def shape(self) -> type[msgspec.Struct]:
        """The type of a plain state: its keys, and the values that each may have."""
        return type(self.read_state(self.OPENING))

    def plain_state(self, state: State) -> dict[str, Any]:
        """Return a state as plain data for JSON."""
        value: dict[str, Any] = plain_value(state)
        return value

    @abstractmethod
    def state_line(self, plain: Mapping[str, Any]) -> str:
        """Return a state, given as plain data, in one line for people."""

    @abstractmethod
    def step(self, state: State, event: Event, chance: Chance) -> tuple[State, Log]:
        """Return the state after an event, and the log. Raise HackjackError, NeedsError when luck is missing.

        An error that begins with "the character" is told at the table with the name.
        """

    def step_beside(self, state: State, event: Event, chance: Chance, held: Collection[str]) -> tuple[State, Log]:
        """Return the same beside others who hold these cards, which stay out when the deck is shuffled again."""
        return self.step(state, event, chance)

    def look(self, state: State, event: Event) -> Log:
        """Return what an event of LOOKS says of a state. Raise HackjackError where there is nothing to look at."""
        return self.step(state, event, Given())[1]

    def recalled(self, log: Log, plain: Mapping[str, Any], *, undone: bool) -> Sequence[str]:
        """Return what undo, or else redo, says besides of an event that had this log; `plain` is the state after it."""
        return ()

    def together(self, states: Mapping[str, State], who: str, event: Event) -> Mapping[str, State]:
        """Return everybody's state after an event that befell one of them: what it means for the others too.

        Raise HackjackError where another's state forbids it. Not for a shared table.
        """
        return states

    def sharing(self, states: Mapping[str, State], of: str) -> Mapping[str, State]:
        """Return everybody's state with what one of them has of what is the whole table's."""
        return states

    def befalls(self, log: Log) -> Sequence[Befalling]:
        """Return what happens to others by an event that had this log, in order: the table says to whom."""
        return ()

    def option_says(self, option: str) -> str:
        """Return what an option of a choice does, where it is a card of the content; empty where there is nothing."""
        card = self.system.cards.get(option)
        if card:
            return f"{card.name}: {card_telegraph(card, self.system)}".removesuffix(": ")
        named = [each for each in self.system.cards.values() if each.name == option]
        if len(named) != 1:
            return ""
        facts = [f"Blood {named[0].blood.spoken}"] if named[0].blood else []
        facts += [f"Trauma {named[0].trauma}"] if named[0].trauma else []
        return "; ".join(filter(None, (*facts, card_telegraph(named[0], self.system))))

    @abstractmethod
    def line(self, entry: Entry[Any]) -> str:
        """Return a log entry as a sentence."""

    @abstractmethod
    def odds(self, state: State, event: Question, asked: Asked) -> OddsAnswer:
        """Return the chances of an event. Raise HackjackError where it has none or they are too large to count; as in
        `step`, the table tells it with the name.
        """

    def odds_of_each(self, states: Sequence[State], event: Question, asked: Asked) -> Sequence[OddsAnswer]:
        """Return the chances of an event for each of some states."""
        return [self.odds(state, event, asked) for state in states]

    @abstractmethod
    def rehearse(self) -> Iterator[tuple[str, Trail, str]]:
        """Play everything in the content once: file, trail and a sentence for each thing that cannot be played."""

    # --- at the table ------------------------------------------------------------------------------------------------

    def deck(self) -> tuple[str, ...]:
        """Return the codes of the full deck in play."""
        return self.DECK

    def newcomer(self, words: Sequence[str]) -> State:
        """Return the state of somebody who joins: the words after `add NAME`. Raise UsageError."""
        head = "add NAME"
        values = ArgumentReading(self.NEWCOMER, words, {}, self.READERS, head).whole()
        try:
            return self.read_state(values)
        except HackjackError as error:
            raise UsageError(f"{error}: write {self.NEWCOMER.usage(head)}") from error

    def details(self, plain: Mapping[str, Any]) -> Sequence[str]:
        """Return what `show` says of a state, as plain data, below its line: wounds and the like, a line each."""
        return ()

    def held(self, state: State) -> Collection[str]:
        """Return the cards before a character, which stay out when the deck is shuffled again."""
        return ()

    def check_bounds(self, state: State) -> None:
        """Raise HackjackError for numbers that grew further than a session should carry."""

    def seats(self, plain: Mapping[str, Any]) -> Mapping[str, Mapping[str, Any]]:
        """Return who sits at a shared table, each with what fills a sheet."""
        return {}

    def gauges(self, plain: Mapping[str, Any]) -> Sequence[Gauge]:
        """Return the numbers that a glance looks for: HP, then the tracks of the content that the state keeps.

        `plain` is a state as plain data or, at a shared table, what `seats` says of somebody.
        """
        system = self.system
        hp = [Gauge("hp", "HP", plain["hp"], plain.get("max_hp"))] if isinstance(plain.get("hp"), int) else []
        tracks = ((key, track.name, plain.get(key)) for key, track in system.head.tracks.items() if key != "hp")
        return (*hp, *(Gauge(k, name, v, system.most_of(k)) for k, name, v in tracks if isinstance(v, int)))

    def lying(self, plain: Mapping[str, Any]) -> Sequence[Lying]:
        """Return the cards that lie before somebody, the oldest first; at a shared table those of nobody's seat too.

        `plain` is a state as plain data or, at a shared table, what `seats` says of somebody.
        """
        return ()

    def hurts(self, plain: Mapping[str, Any]) -> Sequence[Suffering]:
        """Return what somebody suffers; `plain` is as in `lying`."""
        return ()

    def page_values(self, plain: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return what formulas of `page.yaml` may ask by name; `plain` is as in `lying`, or a shared table's state.

        `page_names` of the game's content names them all.
        """
        return plain

    def called(self, key: str) -> str:
        """Return what the content calls a value of a state, or an argument of an event, such as `hp`."""
        track = self.system.head.tracks.get(key)
        return track.name if track else key_in_words(key)

    def words_called(self) -> Mapping[str, str]:
        """Return the words of arguments and states that the content gives names, each with its name."""
        return {}

    def is_alive(self, plain: Mapping[str, Any]) -> bool:
        """Return whether somebody lives, by their plain state or what `seats` says of them."""
        return not plain.get("dead", False)

    def acting(self, plain: Mapping[str, Any]) -> str:
        """Return whose turn it is at a shared table; empty where it is nobody's."""
        return ""

    def foes(self, plain: Mapping[str, Any]) -> Collection[str]:
        """Return those at a shared table whom the game master plays: players are told nothing of them."""
        return ()

    def board(self, plain: Mapping[str, Any], who: str = "") -> Board | None:
        """Return what lies on a shared table for all to see, None where nothing does.

        It is what the player `who` may see and do there; without a name, what the game master may.
        """
        return None

    def sheet(self, plain: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return what fills the sheet of a state, given as plain data: the state, with what the sheet needs spelt out.

        `sums` is what all that is in force adds to each statistic, by its name.

        At a shared table it is given what `seats` says of somebody.
        """
        return plain

    def wounds(self, wounds: Iterable[dict[str, Any]]) -> Iterable[tuple[str, str, str]]:
        """Return wounds, given as plain data, as lines of a sheet: the card, what it does, and until when."""
        return ()

    # --- on paper ----------------------------------------------------------------------------------------------------

    def charts(self) -> Mapping[str, ChartMaker]:
        """Return pictures of the odds, counted by the engine and never typed in, by name."""
        return self._beside("charts", "CHARTS") if self.CHARTS else {}

    def blank_charts(self) -> Mapping[str, ChartMaker]:
        """Return pictures without figures, for those charts whose size depends on what they show."""
        return self._beside("charts", "BLANKS") if self.CHARTS else {}

    def left_by(
        self, effects: Sequence[AnyEffect], part: str = "", counts: Formula | None = None, *, only: str = ""
    ) -> Left:
        """Return what effects leave behind that hit that part of the body, and what a formula comes to on the way.

        With `only` that condition alone is kept, and no save is answered.
        """
        return Left()

    def card_sets(self) -> Mapping[str, SetMaker]:
        """Return the sets of cards to print besides the deck of `deck.yaml`, by name."""
        return self._beside("card_products", "SETS") if self.CARD_SETS else {}

    def _beside(self, module: str, name: str) -> Mapping[str, Any]:
        """Return a name of a module beside the game's, loaded only now, since only printing needs it."""
        folder = type(self).__module__.rpartition(".")[0]
        return cast(Mapping[str, Any], getattr(import_module(f"{folder}.{module}"), name, {}))

    def pages(self) -> Mapping[str, PageMaker]:
        """Return what is printed besides cards and panels, by name."""
        return {}


AnyGame: TypeAlias = Game[Any, Any, Any]
