"""The sizes of type (pt), read from `templates/type.yaml`."""

from functools import cache

from msgspec import Struct

from generator.layout.sheets import read_data_file


class NameSize(Struct, frozen=True, forbid_unknown_fields=True):
    """A size of a card's name, with the most lines that it may take."""

    size: float
    lines: int


class CardType(Struct, frozen=True, forbid_unknown_fields=True):
    """The sizes on a poker card."""

    names: tuple[NameSize, ...]
    low_names: tuple[NameSize, ...]
    body: tuple[float, float]
    dense: float
    flavour: float
    figures: float
    words: float
    captions: float
    index: float
    joker: float
    minimum: float
    large_print: float


class StickerType(Struct, frozen=True, forbid_unknown_fields=True):
    """The largest and smallest type of stickers."""

    maximum: float
    minimum: float


class TypeSizes(Struct, frozen=True, forbid_unknown_fields=True):
    """All sizes by product."""

    cards: CardType
    stickers: StickerType


@cache
def type_sizes() -> TypeSizes:
    """Return the sizes of type. Raises HackjackError if the file is damaged."""
    return read_data_file("type.yaml", TypeSizes)
