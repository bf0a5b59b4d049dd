"""Deadlands 1876 at the table: one step from a state to the next (rulings D1-D29).

The parts: `traits_state` is a character, `traits_events` what is typed, `traits_dice` and `traits_fortune` judge dice
and cards, `traits_table` is a step in the making; the others hold the events.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from generator.base.errors import HackjackError
from generator.games.deadlands import (
    draws as traits_draws,
)
from generator.games.deadlands import (
    growth as traits_growth,
)
from generator.games.deadlands import (
    rolls as traits_rolls,
)
from generator.games.deadlands import (
    tasks as traits_tasks,
)
from generator.games.deadlands import (
    tokens as traits_tokens,
)
from generator.games.deadlands import (
    wounds as traits_wounds,
)
from generator.games.deadlands.dice import Rules
from generator.games.deadlands.events import Event
from generator.games.deadlands.state import State
from generator.games.deadlands.table import Table
from generator.model.log import Log
from generator.model.rules import System
from generator.play.chance import Chance, knowing

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
    "wounds": traits_wounds.stand_at,
    "shaken": traits_wounds.shaken,
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
    "spent": traits_growth.spent_before,
    "improve": traits_growth.improve,
    "learn": traits_growth.learn,
    "grant": traits_growth.grant,
    "spend": traits_growth.spend,
    "has": traits_growth.has,
    "is": traits_growth.become,
}
_FOR_THE_DEAD = ("is", "drop", "die")
"""What may still happen when a character is dead; `die` says so itself."""
_ROLLS = ("trait", "fate")
_DOING = (
    *_ROLLS,
    *("unskilled", "contested", "knowledge", "guts", "fear", "recover", "serial", "compound", "attempts", "attempt"),
    *("action", "burn", "hole", "marker", "book"),
)
"""What somebody does who is on their feet (D28)."""


def refuse_the_fallen(system: System, state: State, event: Event) -> None:
    """Raises HackjackError for an event that the dead take no part in, or the fallen, who roll nothing but Vigor."""
    if state.standing == "dead" and event.name not in _FOR_THE_DEAD:
        raise HackjackError("the character is dead: nothing more happens to them")
    if state.standing == "up" or event.name not in _DOING or not Rules.of(system).fallen_lie:
        return
    if event.name not in _ROLLS or event.words[0] != traits_wounds.VIGOR:
        why = f"the character is {traits_wounds.SAID[state.standing]} and does nothing"
        raise HackjackError(f"{why}: of all rolls only Vigor is made, as in trait vigor")


def step(
    system: System, state: State, event: Event, chance: Chance, held: Collection[str] | None = None
) -> tuple[State, Log]:
    """One event. `held` are the action cards of everybody at the table.

    Raises HackjackError for an event that cannot happen, NeedsError when luck is missing.
    """
    refuse_the_fallen(system, state, event)
    table = Table(system, state, event, chance, held)
    with knowing(table.log):
        _EVENTS[event.name](table)
    return table.state, tuple(table.log)


def together(system: System, states: Mapping[str, State], who: str, event: Event) -> Mapping[str, State]:
    """Everybody after an event that befell one of them: a round may be everybody's, and a jammed door is (D6, D8).

    Raises HackjackError for a serial roll that is over before it begins.
    """
    if event.name == "round" and event.words:
        return {name: traits_draws.in_new_round(state) for name, state in states.items()}
    if event.name in ("task", "attempt") and Rules.of(system).jammed_for_all:
        return traits_tasks.jam(states, who, event)
    return states
