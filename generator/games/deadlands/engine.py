"""Deadlands 1876 at the table: one step from a state to the next (rulings D1-D29)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from generator.base.errors import HackjackError
from generator.games.deadlands import draws, growth, rolls, tasks, tokens, wounds
from generator.games.deadlands.events import Event
from generator.games.deadlands.state import STANDINGS, State
from generator.games.deadlands.table import Table
from generator.model.log import Log
from generator.model.rules import System
from generator.play.chance import Chance, knowing


def _roll(table: Table) -> None:
    """A roll that leaves the character as they are."""
    table.roll(rolls.THROWS[table.event.name](table))


_EVENTS: dict[str, Callable[[Table], None]] = {
    "trait": _roll,
    "unskilled": _roll,
    "contested": _roll,
    "knowledge": _roll,
    "damage": rolls.damage,
    "guts": rolls.check,
    "fear": rolls.check,
    "recover": rolls.recover,
    "luck": draws.luck,
    "fate": draws.fate,
    "action": draws.draw_action,
    "burn": draws.burn,
    "round": draws.new_round,
    "serial": tasks.played_out,
    "compound": tasks.played_out,
    "attempts": tasks.played_out,
    "task": tasks.begin,
    "attempt": tasks.attempt,
    "drop": tasks.drop,
    "wound": wounds.wound,
    "wounds": wounds.stand_at,
    "shaken": wounds.shaken,
    "soak": wounds.soak,
    "incapacitation": wounds.incapacitation,
    "survive": wounds.survive,
    "die": wounds.die,
    "injury": wounds.injury,
    "mend": wounds.mend,
    "heal": wounds.heal,
    "hour": wounds.hour,
    "day": wounds.day,
    "wake": wounds.wake,
    "chips": tokens.chips,
    "award": tokens.award,
    "hole": tokens.hole,
    "marker": tokens.marker,
    "book": growth.study,
    "xp": growth.experience,
    "spent": growth.spent_before,
    "improve": growth.improve,
    "learn": growth.learn,
    "grant": growth.grant,
    "spend": growth.spend,
    "has": growth.has,
    "is": growth.become,
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
    if state.standing == "up" or event.name not in _DOING or system.setting("fallen") == "may_act":
        return
    if event.name not in _ROLLS or event.words[0] != wounds.VIGOR:
        why = f"the character is {STANDINGS[state.standing]} and does nothing"
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
        return {name: draws.in_new_round(state) for name, state in states.items()}
    if event.name in ("task", "attempt") and system.setting("jammed") != "for_one":
        return tasks.jam(states, who, event)
    return states
