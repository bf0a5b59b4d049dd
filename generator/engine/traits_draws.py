"""Draws from the full deck: luck, fate and action cards (rulings D8-D11)."""

from __future__ import annotations

from generator.cards import is_joker
from generator.engine.traits_fortune import fate_of, fortune_of
from generator.engine.traits_table import Table


def luck(table: Table) -> None:
    """A luck draw (D9)."""
    words, code = table.event.words, table.card()
    fortune = fortune_of(code, words)
    table.note("luck", "D9", card=code, named=list(words), result=fortune)
    table.ended(fortune)


def fate(table: Table) -> None:
    """A trait roll against a card; a joker decides by itself (D10)."""
    code = table.card()
    fate = fate_of(code, table.system)
    table.note("fate", "D10", card=code, target=fate)
    if isinstance(fate, int):
        table.roll(table.plan(table.event.words[0], fate))
    elif fate == "critical success":
        table.note("boxcars", "D10")
        table.ended("critical_success")
    else:
        table.note("snake_eyes", "D10")
        table.ended("critical_failure")


def draw_action(table: Table) -> None:
    """The action card of this round; a joker adds to everything until the round is over (D8)."""
    code = table.card()
    table.change(action=code)
    _note_action(table, code)


def burn(table: Table) -> None:
    """A burn card takes the place of the action card (D11)."""
    token = table.token("burn", table.event.words[0])
    table.note("burn", "D11", name=token.name, card=token.card, says=token.says, instead=table.state.action)
    table.spend_token(token)
    table.change(action=token.card)


def new_round(table: Table) -> None:
    """The action card is put away, and the wounded may be treated again (D8, D17)."""
    table.note("round", "D8")
    table.change(action=None, tended=False)


def _note_action(table: Table, code: str) -> None:
    table.note("action", "D8" if is_joker(code) else "", card=code)
    if is_joker(code):
        table.note("joker", "D8", plus=table.numbers.joker, black=code == "BJ")
