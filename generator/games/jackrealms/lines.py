"""What happened in a round of blackjack, said."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from generator.base.cards import name_of
from generator.games.jackrealms.engine import State
from generator.games.jackrealms.hands import Count
from generator.model.log import OldEntry
from generator.model.rules import System
from generator.words.wording import counted

Facts = dict[str, Any]


def line(entry: OldEntry, system: System) -> str:
    """One entry as a sentence. Raises KeyError for a kind that nothing says."""
    del system
    if entry.kind == "face_down":
        return "The dealer's first card lies face down."
    return _LINES[entry.kind](entry.facts)


def state_line(state: Facts) -> str:
    """A table in one line, as plain data; the dealer's first card stays hidden."""
    parts = [f"stakes {state['stakes']}"]
    for player in state["players"]:
        part = f"{player['name']} {player['effort']} effort"
        part += f" (bet {player['bet']})" if player.get("bet") else ""
        part += f": {' '.join(player['cards'])}" if player.get("cards") else ""
        parts.append(part + (", stands" if player.get("stands") else ""))
    if state["dealer"]:
        parts.append(f"dealer ? {' '.join(state['dealer'][1:])}")
    return "; ".join(parts)


def hand_lines(state: State, counts: Mapping[str, Count], turn: str) -> list[str]:
    """The hands of a round, one a line, as they lie open."""
    lines = []
    for player in state.betting:
        now = "to hit or stand" if player.name == turn else "stands" if player.stands else "waits"
        hand = f"{' '.join(player.cards)} ({total(counts[player.name])})"
        lines.append(f"{player.name}: {hand}, bet {player.bet}, {now}")
    return [*lines, f"the dealer shows {' '.join(state.dealer[1:])}"]


def total(count: Count) -> str:
    """What a hand counts: `17`, or `soft 17` while an ace counts high."""
    return f"soft {count.total}" if count.soft else f"{count.total}"


def _total(facts: Facts) -> str:
    return total(Count(facts["total"], facts["soft"]))


def _drawn(facts: Facts) -> str:
    return f"{facts['card']}, {name_of(facts['card'])}"


def _lose(facts: Facts) -> str:
    total, dealer = facts["total"], facts["dealer"]
    why = f"bust with {total}" if facts["bust"] else f"{total} ties" if facts["tie"] else f"{total} against {dealer}"
    return f"{facts['who']} loses: {why}. The bet of {facts['bet']} goes to the bank, {facts['effort']} effort is left."


def _win(facts: Facts) -> str:
    against = f"{facts['total']} against {facts['dealer']}"
    gain = f"The bet of {facts['bet']} comes back with {facts['payout']} more"
    potency = f" The success has a potency of {facts['potency']}." if "potency" in facts else ""
    return f"{facts['who']} wins: {against}. {gain}: {facts['effort']} effort.{potency}"


_LINES: dict[str, Callable[[Facts], str]] = {
    "sit": lambda facts: f"{facts['who']} sits down with {facts['effort']} effort.",
    "leave": lambda facts: f"{facts['who']} leaves with {facts['effort']} effort.",
    "effort": lambda facts: f"{facts['who']} holds {facts['effort']} effort.",
    "scene": lambda facts: f"A scene with stakes of {facts['stakes']}.",
    "bet": lambda facts: f"{facts['who']} bets {facts['bet']}; {facts['effort']} effort is left.",
    "unbet": lambda facts: f"{facts['who']} takes the bet back: {facts['effort']} effort.",
    "shuffle": lambda facts: f"The deck is shuffled for {counted(facts['hands'], 'hand')} and the dealer.",
    "deal": lambda facts: f"{facts['who']} is dealt {_drawn(facts)}: {_total(facts)}.",
    "up": lambda facts: f"The dealer shows {_drawn(facts)}.",
    "hit": lambda facts: f"{facts['who']} hits: {_drawn(facts)}, {_total(facts)}.",
    "bust": lambda facts: f"{facts['who']} is bust with {facts['total']}.",
    "stand": lambda facts: f"{facts['who']} stands on {_total(facts)}.",
    "turned": lambda facts: f"The dealer turns up {_drawn(facts)}: {_total(facts)}.",
    "dealer_hits": lambda facts: f"The dealer hits: {_drawn(facts)}, {_total(facts)}.",
    "dealer_bust": lambda facts: f"The dealer is bust with {facts['total']}.",
    "dealer_stands": lambda facts: f"The dealer stands on {_total(facts)}.",
    "win": _win,
    "lose": _lose,
    "stakes": lambda facts: f"The stakes fall by {facts['paid']} to {facts['stakes']}.",
}
