"""Draws: luck and fate from the full deck, action cards from the deck of the round (rulings D8-D11, D27)."""

from __future__ import annotations

from msgspec.structs import replace

from generator.base.cards import is_joker
from generator.games.deadlands import log as said
from generator.games.deadlands.fortune import fate_of, fortune_of
from generator.games.deadlands.state import State
from generator.games.deadlands.table import Table


def luck(table: Table) -> None:
    """A luck draw (D9)."""
    words, code = table.event.words, table.card()
    fortune = fortune_of(code, words)
    table.note(said.Luck(code, list(words), fortune), "D9")
    table.ended(fortune)


def fate(table: Table) -> None:
    """A trait roll against a card; a joker decides by itself (D10)."""
    code = table.card()
    fate = fate_of(code, table.system)
    table.note(said.Fate(code, fate), "D10")
    if isinstance(fate, int):
        table.roll(table.plan(table.event.words[0], fate))
    elif fate == "critical success":
        table.note(said.Plain.BOXCARS, "D10")
        table.ended("critical_success")
    else:
        table.note(said.Plain.SNAKE_EYES, "D10")
        table.ended("critical_failure")


def draw_action(table: Table) -> None:
    """The action card of this round; a joker adds to everything until the round is over (D8)."""
    code = table.chance.card(table.action_deck())
    table.change(action=code, dealt=() if table.plays("action_cards", "full_deck") else (*table.state.dealt, code))
    table.note(said.Action(code), "D8" if is_joker(code) else "")
    if is_joker(code):
        table.note(said.Joker(table.numbers.joker, code == "BJ"), "D8")


def burn(table: Table) -> None:
    """A burn card takes the place of the action card (D11)."""
    token = table.token("burn", table.event.words[0])
    table.note(said.Burn(token.name, token.card, token.says, table.state.action), "D11")
    table.spend_token(token)
    table.change(action=token.card)


def new_round(table: Table) -> None:
    """The action card is put away, and the wounded may be treated again (D8, D17)."""
    table.note(said.Round(bool(table.event.words)), "D8")
    table.state = in_new_round(table.state)


def in_new_round(state: State) -> State:
    """A character when a new round begins: fresh wounds are soaked at once or not at all (D8, D16, D17, D27)."""
    return replace(state, action=None, dealt=(), tended=False, fresh=None)
