"""How a fight stands, in names that `page.yaml` may ask."""

from __future__ import annotations

from typing import Any

from generator.games.fiftytwo.order import next_up
from generator.games.fiftytwo.state import FieldState


def fight_values(state: FieldState, who: str = "") -> dict[str, Any]:
    """Return what the turn has left to spend, who has yet to act, and whether it is `mine`.

    `turn` is whose it is, `up` who acts next, `due` whether a spell has to work before anything else.
    """
    turn, up = state.turn, next_up(state)
    waiting = [one for one in state.fighters if one.initiative is not None and not one.acted and one.hp > 0]
    acting = turn.who if turn else ""
    return {
        "turn": acting or None,
        "mine": bool(who) and acting == who,
        "up": up.name if up else None,
        "next_is_mine": bool(who) and turn is None and up is not None and up.name == who,
        "points": turn.purse if turn else 0,
        "normals": turn.normals if turn else 0,
        "criticals": turn.criticals if turn else 0,
        "due": bool(turn) and any(one.casting == "due" for one in state.fighters if one.name == acting),
        "to_act": sum(one.name != acting for one in waiting),
        "ordered": any(one.initiative is not None for one in state.fighters),
    }
