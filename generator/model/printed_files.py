"""The files of a pack that are printed, besides panels: tokens to hand out, and mixed cards."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from generator.base.dice import Dice
from generator.base.fields import Line, Word
from generator.model.blocks import ProductOf


class HandOut(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A token to print for a player: a luck charm, burn card, hole card, kicker or connection marker."""

    kind: Literal["charm", "burn", "hole", "kicker", "marker"]
    name: Annotated[Line, Meta(description="its name; for a marker, who owes the favour")] | None = None
    die: Annotated[Dice, Meta(description="of a hole card or a marker")] | None = None
    bonus: Annotated[int, Meta(ge=1, le=20, description="of a kicker")] | None = None
    trait: Annotated[Line, Meta(description="the only trait it can be used for")] | None = None
    card: Annotated[str, Meta(min_length=2, max_length=3, description="of a burn card: KH")] | None = None
    says: Annotated[Line, Meta(description="a further rule, or where it came from")] | None = None
    copies: Annotated[int, Meta(ge=1, le=20)] = 1


class TokensFile(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`tokens.yaml`: tokens to hand out; without it they are printed blank."""

    tokens: Annotated[tuple[HandOut, ...], Meta(min_length=1, max_length=200)]


class TakenCard(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A card of another system, with the back that it has there."""

    from_: ProductOf = msgspec.field(name="from")
    card: Annotated[Word, Meta(description="its code")]
    copies: Annotated[int, Meta(ge=1, le=1000)] = 1


class MixedFile(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`mixed.yaml`: cards of any systems, to print on the same sheets."""

    title: Line = "Mixed cards"
    cards: Annotated[tuple[TakenCard, ...], Meta(min_length=1, max_length=400)]
