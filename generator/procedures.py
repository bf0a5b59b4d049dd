"""The numbers of each kind of procedure, as `system.yaml` gives them under `procedure`; `kind` names it.

A kind has its engine in `engine/`, its lines in `telling/`, its odds in `odds/`; `games` puts them together.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from generator.dice import Dice
from generator.fields import Positive, Small


class Procedure(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag_field="kind"):
    """What happens at the table, in numbers."""


class Harm(Procedure, frozen=True, tag="harm"):
    """The numbers of a procedure that draws wounds and counts a death-score."""

    limit: Annotated[Positive, Meta(description="over it a character dies; exactly on it the score starts anew")]
    massive: Annotated[Positive, Meta(description="damage over it takes the place of the card's score")]
    instant: Annotated[Positive, Meta(description="further below 0 HP than this kills without a draw")]
    rest_hours: Annotated[Positive, Meta(description="the length of a night's rest")]
    pass_out_trauma: Annotated[Positive, Meta(description="the Trauma from which passing out is checked for")]
    pass_out_die: Dice
    scores: Annotated[dict[str, Small], Meta(description="death-score by rank; other ranks score their number")]


Count = Annotated[int, Meta(ge=1, le=30)]


class Blackjack(Procedure, frozen=True, tag="blackjack"):
    """The numbers of a procedure that settles an action with a hand of blackjack; number cards count their number."""

    target: Annotated[Count, Meta(description="over it a hand is bust; who is closer to it wins")]
    dealer_stands: Annotated[Count, Meta(description="the dealer hits below this total and stands from it on")]
    court: Annotated[Count, Meta(description="what a jack, queen or king counts")]
    ace_low: Annotated[Count, Meta(description="what an ace counts at the least")]
    ace_high: Annotated[Count, Meta(description="what an ace may count instead")]
    least_bet: Annotated[Positive, Meta(description="the smallest bet")]
    payout: Annotated[Positive, Meta(description="what a winner gains for each chip of the bet, which comes back")]


AnyProcedure = Harm | Blackjack
