"""Trait dice, wild dice and wounds that are shrugged off: Deadlands 1876."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from msgspec.structs import replace

from generator.base.cards import ALL_CODES
from generator.base.errors import HackjackError, UsageError
from generator.base.text_input import read_number
from generator.games import Answer, Asked
from generator.games.deadlands import engine as traits
from generator.games.deadlands import odds as odds_of
from generator.games.deadlands.dice import RESULTS
from generator.games.deadlands.engine import together
from generator.games.deadlands.events import EVENTS, Event, dice_of, renamed
from generator.games.deadlands.events import read_event as _read_event
from generator.games.deadlands.fortune import fate_of
from generator.games.deadlands.lines import injury_brief, injury_says, line, state_line, task_brief, token_brief
from generator.games.deadlands.rolls import check_row
from generator.games.deadlands.sheet_lines import sheet
from generator.games.deadlands.state import State, first_names, grit_of, numbers_of, plain_state, read_state, with_xp
from generator.games.deadlands.table import deck_of
from generator.games.deadlands.wounds import incapacitation_row
from generator.games.usual import LOOKS, OPENING, SHARED, check_bounds, look, recalled, seats
from generator.model.log import Log
from generator.model.rules import System
from generator.pack.strict_yaml import Trail
from generator.play.chance import Chance, Given

__all__ = [
    "EVENTS",
    "LOOKS",
    "OPENING",
    "SHARED",
    "check_bounds",
    "deck_of",
    "held",
    "line",
    "look",
    "plain_state",
    "read_state",
    "recalled",
    "seats",
    "sheet",
    "state_line",
    "together",
]

QUESTIONS = {name: EVENTS[name] for name in odds_of.QUESTIONS}
_ROLL = "dice choose"
LUCK = {
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
NEWCOMER = "[wild|face|extra] [TRAIT DIE ...] [chips N] [xp N] [spent N] [wounds N]: somebody joins, with these traits"


def read_event(words: Sequence[str], at: Mapping[str, str], system: System, given: str | None = None) -> Event:
    """An event as typed: `trait d8 mod=+2`. Raises UsageError."""
    del given
    event = renamed(_read_event(words, at), first_names(system))
    ladder = [die.spoken for die in numbers_of(system).ladder]
    for die in dice_of(event):
        if die not in ladder:
            raise UsageError(f'{event.name}: there is no trait die "{die}": the dice are {", ".join(ladder)}')
    return event


def read_question(words: Sequence[str], at: Mapping[str, str], system: System) -> Event:
    """An event as typed that odds are asked of. Raises UsageError."""
    return read_event(words, at, system)


def step(
    system: System, state: State, event: Event, chance: Chance, held: Collection[str] | None = None
) -> tuple[State, Log]:
    """One event on a character. Action cards are dealt from one deck; every other draw is from a full one (D27)."""
    return traits.step(system, state, event, chance, held)


def held(state: State) -> Collection[str]:
    """The action cards that were dealt to somebody this round; the dead have given theirs back."""
    return () if state.standing == "dead" else state.dealt


# --- at the table ----------------------------------------------------------------------------------------------------


def newcomer(words: Sequence[str], system: System) -> State:
    """Somebody who joins: `face vigor d8`, `spirit d6 chips 3`. Raises UsageError."""
    usage = f"add NAME {NEWCOMER.partition(':')[0]}"
    state: State = read_state({}, system)
    rest, spent = list(words), ""
    if rest and rest[0] in ("wild", "face", "extra"):
        state = _told(system, state, "is", rest.pop(0))
    while rest:
        if len(rest) < 2:
            raise UsageError(f'"{rest[0][:40]}" is not understood: write {usage}')
        name, value, *rest = rest
        if name == "chips":
            state = replace(state, chips=read_number(value, 0, 1000, "chips"))
        elif name == "xp":
            state = with_xp(state, read_number(value, 0, 10_000, "xp"), system)
        elif name == "wounds":
            state = _told(system, state, "wounds", value)
        elif name == "spent":
            spent = value
        else:
            state = _told(system, state, "has", name, value)
    # What has been spent is counted against all XP, wherever they were named.
    return _told(system, state, "spent", spent) if spent else state


def _told(system: System, state: State, *words: str) -> State:
    """A state after an event that needs no luck."""
    return traits.step(system, state, read_event(words, {}, system), Given())[0]


def details(plain: dict[str, Any], system: System) -> Sequence[str]:
    """Traits, injuries with what they do, tokens and tasks, a line each."""
    traits_held = ", ".join(f"{name} {die}" for name, die in plain["traits"].items())
    return [
        *([traits_held] if traits_held else []),
        *(f"{injury_brief(injury, system)}: {injury_says(injury, system)}" for injury in plain["injuries"]),
        *(token_brief(token) for token in plain["tokens"]),
        *(task_brief(task) for task in plain["tasks"]),
    ]


# --- odds ------------------------------------------------------------------------------------------------------------


def odds(system: System, state: State, event: Event, asked: Asked) -> Answer:
    """The exact chances of an event."""
    if asked.hits is not None or asked.plays is not None:
        raise UsageError("these odds are of one event, and exact: leave out --hits and --simulate")
    plain, lines = odds_of.answer(system, state, event, asked.policy, asked.held)
    return Answer(plain, lines)


# --- rehearsing ------------------------------------------------------------------------------------------------------


def rehearse(system: System) -> Iterator[tuple[str, Trail, str]]:
    """Whether the tables that the engine reads say what it can do."""
    checks: list[tuple[str, Callable[[], object]]] = []
    checks += [("incapacitation", partial(incapacitation_row, result, system)) for result in RESULTS]
    checks += [("fate", partial(fate_of, code, system)) for code in ALL_CODES]
    checks += [("checks", partial(check_row, name, system)) for name in ("guts", "fear")]
    ranks = system.table("ranks")
    checks += [
        ("ranks", partial(grit_of, row.at.low if row.at else 0, system)) for row in (ranks.rows if ranks else ())
    ]
    checks += [] if ranks else [("ranks", partial(grit_of, 0, system))]
    said = set()
    for table, check in checks:
        try:
            check()
        except HackjackError as error:
            if str(error) not in said:
                said.add(str(error))
                yield (*_place(table, system), str(error))


def _place(name: str, system: System) -> tuple[str, Trail]:
    """Where a table stands; where it is missing, the system's head."""
    for place, table in enumerate(system.tables):
        if table.id == name:
            return "tables.yaml", ("tables", place)
    return "system.yaml", ()
