"""Deadlands 1876 at the table: one step from a state to the next (rulings D1-D26).

The parts: `traits_state` is a character, `traits_events` what is typed, `traits_dice` and `traits_fortune` judge dice
and cards, `traits_table` is a step in the making; the others hold the events.
"""

from __future__ import annotations

from collections.abc import Callable

from generator.chance import Chance
from generator.engine import (
    traits_draws,
    traits_growth,
    traits_rolls,
    traits_tasks,
    traits_tokens,
    traits_wounds,
)
from generator.engine.traits_events import Event
from generator.engine.traits_state import State
from generator.engine.traits_table import Table
from generator.errors import HackjackError
from generator.log import Log
from generator.rules import System

_EVENTS: dict[str, Callable[[Table], None]] = {
    "trait": traits_rolls.trait,
    "unskilled": traits_rolls.unskilled,
    "contested": traits_rolls.contested,
    "damage": traits_rolls.damage,
    "guts": traits_rolls.check,
    "fear": traits_rolls.check,
    "recover": traits_rolls.recover,
    "knowledge": traits_rolls.knowledge,
    "luck": traits_draws.luck,
    "fate": traits_draws.fate,
    "action": traits_draws.draw_action,
    "burn": traits_draws.burn,
    "round": traits_draws.new_round,
    "serial": traits_tasks.played_out,
    "compound": traits_tasks.played_out,
    "attempts": traits_tasks.played_out,
    "task": traits_tasks.begin,
    "attempt": traits_tasks.attempt,
    "drop": traits_tasks.drop,
    "wound": traits_wounds.wound,
    "soak": traits_wounds.soak,
    "incapacitation": traits_wounds.incapacitation,
    "survive": traits_wounds.survive,
    "die": traits_wounds.die,
    "injury": traits_wounds.injury,
    "mend": traits_wounds.mend,
    "heal": traits_wounds.heal,
    "hour": traits_wounds.hour,
    "day": traits_wounds.day,
    "wake": traits_wounds.wake,
    "chips": traits_tokens.chips,
    "award": traits_tokens.award,
    "hole": traits_tokens.hole,
    "marker": traits_tokens.marker,
    "book": traits_growth.study,
    "xp": traits_growth.experience,
    "improve": traits_growth.improve,
    "learn": traits_growth.learn,
    "grant": traits_growth.grant,
    "spend": traits_growth.spend,
    "has": traits_growth.has,
    "is": traits_growth.become,
}
_FOR_THE_DEAD = ("is", "drop", "die")
"""What may still happen when a character is dead; `die` says so itself."""


def refuse_the_dead(state: State, event: Event) -> None:
    """Raises HackjackError for an event that the dead take no part in."""
    if state.standing == "dead" and event.name not in _FOR_THE_DEAD:
        raise HackjackError("the character is dead: nothing more happens to them")


def step(system: System, state: State, event: Event, chance: Chance) -> tuple[State, Log]:
    """One event. Raises HackjackError for one that cannot happen, NeedsError when luck is missing."""
    refuse_the_dead(state, event)
    table = Table(system, state, event, chance)
    _EVENTS[event.name](table)
    return table.state, tuple(table.log)
