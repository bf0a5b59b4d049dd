"""What happened in a round of blackjack, said."""

from collections.abc import Mapping
from typing import Any, assert_never

from generator.base.cards import name_of
from generator.games.jackrealms import log as said
from generator.games.jackrealms.engine import HandState
from generator.games.jackrealms.hands import Count
from generator.games.jackrealms.log import JackrealmsFact
from generator.words.wording import counted_noun

Facts = Mapping[str, Any]


def fact_sentence(fact: JackrealmsFact) -> str:
    """Return a fact as a sentence."""
    match fact:
        case said.Sit(who, effort):
            return f"{who} sits down with {effort} effort."
        case said.Leave(who, effort):
            return f"{who} leaves with {effort} effort."
        case said.Effort(who, effort):
            return f"{who} holds {effort} effort."
        case said.Scene(stakes):
            return f"A scene with stakes of {stakes}."
        case said.Bet(who, bet, effort):
            return f"{who} bets {bet}; {effort} effort is left."
        case said.Unbet(who, effort):
            return f"{who} takes the bet back: {effort} effort."
        case said.Shuffle(hands):
            return f"The deck is shuffled for {counted_noun(hands, 'hand')} and the dealer."
        case said.Deal(who, card):
            return f"{who} is dealt {_drawn(card)}: {_total(fact)}."
        case said.Up(card):
            return f"The dealer shows {_drawn(card)}."
        case said.FaceDown():
            return "The dealer's first card lies face down."
        case said.Hit(who, card):
            return f"{who} hits: {_drawn(card)}, {_total(fact)}."
        case said.Bust(who, total):
            return f"{who} is bust with {total}."
        case said.Stand(who):
            return f"{who} stands on {_total(fact)}."
        case said.Turned(card):
            return f"The dealer turns up {_drawn(card)}: {_total(fact)}."
        case said.DealerHits(card):
            return f"The dealer hits: {_drawn(card)}, {_total(fact)}."
        case said.DealerBust(total):
            return f"The dealer is bust with {total}."
        case said.DealerStands():
            return f"The dealer stands on {_total(fact)}."
        case said.Stakes(paid, stakes):
            return f"The stakes fall by {paid} to {stakes}."
        case said.Win(payout, who, total, dealer, bet, effort, potency):
            gain = f"The bet of {bet} comes back with {payout} more: {effort} effort."
            gain += "" if potency is None else f" The success has a potency of {potency}."
            return f"{who} wins: {total} against {dealer}. {gain}"
        case said.Lose(bust, tie, who, total, dealer, bet, effort):
            why = f"bust with {total}" if bust else f"{total} ties" if tie else f"{total} against {dealer}"
            return f"{who} loses: {why}. The bet of {bet} goes to the bank, {effort} effort is left."
        case _:
            assert_never(fact)


def state_line(state: Facts) -> str:
    """Return a table in one line, as plain data; the dealer's first card stays hidden."""
    parts = [f"stakes {state['stakes']}"]
    for player in state["players"]:
        part = f"{player['name']} {player['effort']} effort"
        part += f" (bet {player['bet']})" if player.get("bet") else ""
        part += f": {' '.join(player['cards'])}" if player.get("cards") else ""
        parts.append(part + (", stands" if player.get("stands") else ""))
    if state["dealer"]:
        parts.append(f"dealer ? {' '.join(state['dealer'][1:])}")
    return "; ".join(parts)


def hand_lines(state: HandState, counts: Mapping[str, Count], turn: str) -> list[str]:
    """Return the hands of a round, one a line, as they lie open."""
    lines = []
    for player in state.betting:
        now = "to hit or stand" if player.name == turn else "stands" if player.stands else "waits"
        hand = f"{' '.join(player.cards)} ({total_text(counts[player.name])})"
        lines.append(f"{player.name}: {hand}, bet {player.bet}, {now}")
    return [*lines, f"the dealer shows {' '.join(state.dealer[1:])}"]


def total_text(count: Count) -> str:
    """Return the total of a hand in words: `17`, or `soft 17` while an ace counts high."""
    return f"soft {count.total}" if count.soft else f"{count.total}"


def _total(fact: said.Deal | said.Hit | said.Stand | said.Turned | said.DealerHits | said.DealerStands) -> str:
    return total_text(Count(fact.total, fact.soft))


def _drawn(card: str) -> str:
    return f"{card}, {name_of(card)}"
