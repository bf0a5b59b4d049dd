"""Trait dice, wild dice and wounds that are shrugged off: Deadlands 1876."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from generator.base.cards import ALL_CODES
from generator.base.errors import HackjackError, UsageError
from generator.base.text_input import read_number
from generator.games.deadlands import engine as traits
from generator.games.deadlands import odds as odds_of
from generator.games.deadlands.checks import CONTENT
from generator.games.deadlands.dice import RESULTS
from generator.games.deadlands.engine import together
from generator.games.deadlands.events import EVENTS as _EVENTS
from generator.games.deadlands.events import Event, dice_of, renamed
from generator.games.deadlands.events import read_event as _read_event
from generator.games.deadlands.fortune import fate_of
from generator.games.deadlands.lines import injury_brief, injury_says, line, state_line, task_brief, token_brief
from generator.games.deadlands.log import DeadlandsFact
from generator.games.deadlands.rolls import check_row
from generator.games.deadlands.sheet_lines import sheet
from generator.games.deadlands.state import State, first_names, grit_of, numbers_of, plain_state, read_state, with_xp
from generator.games.deadlands.table import deck_of
from generator.games.deadlands.wounds import incapacitation_row
from generator.games.face import Answer, Asked, Game, SetMaker
from generator.model.log import Entry, Log
from generator.model.rules import System
from generator.pack.strict_yaml import Trail
from generator.play.chance import Chance, Given

if TYPE_CHECKING:
    # Only printing needs what pictures are made of.
    from generator.layout.panel_elements import ChartMaker


_ROLL = "dice choose"


def _place(name: str, system: System) -> tuple[str, Trail]:
    """Where a table stands; where it is missing, the system's head."""
    for place, table in enumerate(system.tables):
        if table.id == name:
            return "tables.yaml", ("tables", place)
    return "system.yaml", ()


class Deadlands(Game[State, Event, Event]):
    """Trait dice, wild dice and wounds that are shrugged off: Deadlands 1876."""

    EVENTS: Mapping[str, str] = _EVENTS

    QUESTIONS: Mapping[str, str] = {name: _EVENTS[name] for name in odds_of.QUESTIONS}

    LUCK: Mapping[str, str] = {
        **dict.fromkeys(
            (
                *("trait", "unskilled", "contested", "serial", "compound", "attempts", "guts", "fear", "recover"),
                *("soak", "heal", "day", "hole", "knowledge"),
            ),
            _ROLL,
        ),
        **dict.fromkeys(("fate", "attempt", "incapacitation", "injury"), "cards dice choose"),
        **dict.fromkeys(("luck", "action"), "cards"),
        **dict.fromkeys(("damage", "marker", "book"), "dice"),
    }

    NEWCOMER = (
        "[wild|face|extra] [TRAIT DIE ...] [chips N] [xp N] [spent N] [wounds N]: somebody joins, with these traits"
    )

    CHARTS = CONTENT.CHARTS
    CARD_SETS = ("fate", "fate-injuries", "tokens")

    def read_event(self, words: Sequence[str], at: Mapping[str, str]) -> Event:
        """An event as typed: `trait d8 mod=+2`. Raises UsageError."""
        event = renamed(_read_event(words, at), first_names(self.system))
        ladder = [die.spoken for die in numbers_of(self.system).ladder]
        for die in dice_of(event):
            if die not in ladder:
                raise UsageError(f'{event.name}: there is no trait die "{die}": the dice are {", ".join(ladder)}')
        return event

    def read_question(self, words: Sequence[str], at: Mapping[str, str]) -> Event:
        """An event as typed that odds are asked of. Raises UsageError."""
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
        """Return the state after an event, and the log. Raise HackjackError, NeedsError."""
        return traits.step(self.system, state, event, chance)

    def step_beside(self, state: State, event: Event, chance: Chance, held: Collection[str]) -> tuple[State, Log]:
        """The same beside others who hold these cards (D27)."""
        return traits.step(self.system, state, event, chance, held)

    def line(self, entry: Entry[DeadlandsFact]) -> str:
        """Return a log entry as a sentence."""
        return line(entry.fact, self.system)

    def odds(self, state: State, event: Event, asked: Asked) -> Answer:
        """The exact chances of an event."""
        if asked.hits is not None or asked.plays is not None:
            raise UsageError("these odds are of one event, and exact: leave out --hits and --simulate")
        plain, lines = odds_of.answer(self.system, state, event, asked.policy, asked.held)
        return Answer(plain, lines)

    def rehearse(self) -> Iterator[tuple[str, Trail, str]]:
        """Whether the tables that the engine reads say what it can do."""
        checks: list[tuple[str, Callable[[], object]]] = []
        checks += [("incapacitation", partial(incapacitation_row, result, self.system)) for result in RESULTS]
        checks += [("fate", partial(fate_of, code, self.system)) for code in ALL_CODES]
        checks += [("checks", partial(check_row, name, self.system)) for name in ("guts", "fear")]
        ranks = self.system.table("ranks")
        checks += [
            ("ranks", partial(grit_of, row.at.low if row.at else 0, self.system))
            for row in (ranks.rows if ranks else ())
        ]
        checks += [] if ranks else [("ranks", partial(grit_of, 0, self.system))]
        said = set()
        for table, check in checks:
            try:
                check()
            except HackjackError as error:
                if str(error) not in said:
                    said.add(str(error))
                    yield (*_place(table, self.system), str(error))

    def deck(self) -> tuple[str, ...]:
        """Return the codes of the full deck in play."""
        return deck_of(self.system)

    def _after(self, state: State, *words: str) -> State:
        """The state after an event that needs no luck."""
        return self.step(state, self.read_event(words, {}), Given())[0]

    def newcomer(self, words: Sequence[str]) -> State:
        """Somebody who joins: `face vigor d8`, `spirit d6 chips 3`. Raises UsageError."""
        usage = f"add NAME {self.NEWCOMER.partition(':')[0]}"
        state: State = read_state({}, self.system)
        rest, spent = list(words), ""
        if rest and rest[0] in ("wild", "face", "extra"):
            state = self._after(state, "is", rest.pop(0))
        while rest:
            if len(rest) < 2:
                raise UsageError(f'"{rest[0][:40]}" is not understood: write {usage}')
            name, value, *rest = rest
            if name == "chips":
                state = replace(state, chips=read_number(value, 0, 1000, "chips"))
            elif name == "xp":
                state = with_xp(state, read_number(value, 0, 10_000, "xp"), self.system)
            elif name == "wounds":
                state = self._after(state, "wounds", value)
            elif name == "spent":
                spent = value
            else:
                state = self._after(state, "has", name, value)
        # What has been spent is counted against all XP, wherever they were named.
        return self._after(state, "spent", spent) if spent else state

    def details(self, plain: dict[str, Any]) -> Sequence[str]:
        """Traits, injuries with what they do, tokens and tasks, a line each."""
        traits_held = ", ".join(f"{name} {die}" for name, die in plain["traits"].items())
        return [
            *([traits_held] if traits_held else []),
            *(
                f"{injury_brief(injury, self.system)}: {injury_says(injury, self.system)}"
                for injury in plain["injuries"]
            ),
            *(token_brief(token) for token in plain["tokens"]),
            *(task_brief(task) for task in plain["tasks"]),
        ]

    def held(self, state: State) -> Collection[str]:
        """The action cards that were dealt to somebody this round; the dead have given theirs back."""
        return () if state.standing == "dead" else state.dealt

    def sheet(self, plain: dict[str, Any]) -> Mapping[str, Any]:
        """Return what fills the sheet of a state."""
        return sheet(plain, self.system)

    def together(self, states: Mapping[str, State], who: str, event: Event) -> Mapping[str, State]:
        """Return what an event means for everybody."""
        return together(self.system, states, who, event)

    def charts(self) -> Mapping[str, ChartMaker]:
        """Return the charts by name."""
        from generator.games.deadlands.charts import CHARTS

        return CHARTS

    def blank_charts(self) -> Mapping[str, ChartMaker]:
        """Return the charts without figures whose size depends on what they show."""
        from generator.games.deadlands.charts import BLANKS

        return BLANKS

    def card_sets(self) -> Mapping[str, SetMaker]:
        """Return the sets of cards by name."""
        from generator.games.deadlands.card_products import SETS

        return SETS


GAME: type[Game[State, Event, Event]] = Deadlands
