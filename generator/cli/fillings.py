"""Filling sheets, and what shows a whole table, from a campaign."""

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from msgspec.structs import replace as replaced

from generator.base.errors import HackjackError, UsageError
from generator.base.text_input import find_name
from generator.games import game_of
from generator.layout.sheet_data import Filling
from generator.model.rules import System
from generator.orders.order import Order

_OF_THE_TABLE = ("combatants", "mat")
"""Products that are filled once for the whole table."""


def filled_orders(order: Order, campaign: str | None) -> Iterator[Order]:
    """Give the order as a campaign fills it: once for each character, or once for the table. Raises HackjackError."""
    if not campaign:
        yield order
        return
    from generator.orders.job import is_for_target

    if order.choices.format == "pdf" and is_for_target(order):
        if ":" in campaign:
            raise UsageError(f"--from CAMPAIGN:NAME fills one sheet: leave :NAME out for {order.product}")
        system, ((ending, filling),) = fillings(order.system, campaign, whole=True)
        seated = replace(game_of(system).at_table(filling.state), theme=order.system.theme)
        yield replaced(order, system=seated, ending=ending)
        return
    system, filled = fillings(order.system, campaign, whole=order.product in _OF_THE_TABLE)
    for ending, filling in filled:
        yield replaced(order, system=system, filling=filling, ending=ending)


def fillings(system: System, campaign: str, *, whole: bool = False) -> tuple[System, list[tuple[str, Filling]]]:
    """Return a campaign's system with its rules, and the characters to fill sheets with, each with a file's ending.

    With `whole` it is the state of the table, of all or of the one that is named. Raises HackjackError.
    """
    from generator.session import campaigns, journal

    name, _, character = campaign.partition(":")
    if name not in campaigns.campaigns():
        for each in campaigns.summaries(campaigns.campaigns()):
            for person in each.people:
                if person.casefold() == name.casefold():
                    raise UsageError(f'"{name}" is a character, not a campaign: write --from {each.name}:{person}')
        path, others = campaigns.campaign_file(name), ", ".join(campaigns.campaigns()) or "none yet"
        raise HackjackError(f'there is no campaign "{path.stem}": there are {others}')
    session = journal.read_file(campaigns.campaign_file(name), system)
    assert session is not None
    game, party = session.table.game, session.party
    if whole:
        state = game.plain_state(party.state())
        who = find_name(character, list(game.seats(state))) if character else ""
        return session.table.system, [(file_endings([who or name])[0], Filling(who, state))]
    states: Mapping[str, Mapping[str, Any]]
    if game.SHARED:
        states = game.seats(game.plain_state(party.state()))
    else:
        states = {who: game.plain_state(party.state(who)) for who in party.names}
    names = [find_name(character, states)] if character else list(states)
    if not names:
        raise HackjackError(f'nobody plays in the campaign "{name}" yet: add somebody with hackjack play')
    endings = dict(zip(states, file_endings(list(states)), strict=True))
    return session.table.system, [(endings[who], Filling(who, game.sheet(dict(states[who])))) for who in names]


def file_endings(names: Sequence[str]) -> list[str]:
    """Return an ending of a file's name for each name, in its own letters; a number tells apart those that look alike.

    File systems do not tell upper from lower case, nor a letter from the same one in two parts.
    """
    endings: dict[str, str] = {}
    for name in names:
        letters = unicodedata.normalize("NFC", name.lower())
        kept = "".join(sign if unicodedata.category(sign)[0] in "LMN" else " " for sign in letters)
        plain = ending = "-" + ("-".join(kept.split()) or "1")
        number = 1
        while ending.casefold() in endings:
            number += 1
            ending = f"{plain}-{number}"
        endings[ending.casefold()] = ending
    return [*endings.values()]
