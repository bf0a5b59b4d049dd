"""What is known of the cards of an outline: marks, and lots that count them.

A card that acts is known by name. A card that only scores and bleeds is blank. Drawn for its score it is a `Part` of a
hit, and a `Blank` of all hits; face down it lies under a `Veil`, alone or with others.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache
from math import lcm
from typing import NamedTuple

NO_WOUND = -1
"""The place of a wound that nobody asks for."""


class NotBlankError(Exception):
    """A rule looks at cards in a way for which they cannot be left blank."""


class Part(NamedTuple):
    """A blank drawn for its score: how often that counts and its Blood is poured, and the Blood it brings if red.

    `kind` is its wound's place where that is known; its Blood is then seen to.
    """

    score: int
    pours: int
    reds: int
    kind: int = NO_WOUND


class Acting(NamedTuple):
    """A card that acts, by its wound's place and its colour; with its score where it was drawn for that."""

    place: int
    red: bool
    score: int | None


class Simple(Enum):
    """A mark that says all by itself."""

    AGAIN = "the Blood of the blank whose wound was the last before this hit is poured once more"
    FREE = "a blank of which nothing matters but that it is gone"


class Lying(NamedTuple):
    """A card that lies face down: its kind, and the Blood that it brings if it is red."""

    kind: int
    reds: int


class Laid(NamedTuple):
    """Cards that lie face down, and the Blood poured for them, one number for each time, or none.

    `last` is the place of the wound that is the last one, where that is still asked for.
    """

    cards: tuple[Lying, ...]
    poured: tuple[int, ...]
    last: int = NO_WOUND


@dataclass(frozen=True, eq=False, slots=True)
class Veil:
    """Blanks that lie face down, all that they may be. Weights are shares of `whole`. Equal ones are one."""

    whole: int
    parts: tuple[tuple[Laid, int], ...]

    @property
    def size(self) -> int:
        """How many cards."""
        return len(self.parts[0][0].cards)


Where = tuple[tuple[int, int], ...]
"""How often something is added, by stretch: pairs of the stretch and the number of times."""


class Blank(NamedTuple):
    """A blank drawn for its score: where that, its Blood and its being red are added to the death-score.

    `kind`: its wound's place, where that is known. `afar`: drawn where nobody looks at Blood any more.
    """

    score: Where
    pours: Where
    reds: Where
    kind: int
    afar: bool


class Under(NamedTuple):
    """A veil, and the stretches to which its Blood is added, one for each time that it is poured."""

    veil: Veil
    stretches: tuple[int, ...]


class Veils:
    """All veils that were made. `poured` gives the Blood of a wound by its place: each, its share, and the whole."""

    def __init__(self, poured: Mapping[int, Sequence[tuple[tuple[int, ...], int, int]]]) -> None:
        self._all: dict[tuple[int, tuple[tuple[Laid, int], ...]], Veil] = {}
        self._poured = poured
        self.dry, self.forgotten, self.again = cache(self._dried), cache(self._without_last), cache(self._poured_again)

    def of(self, parts: Iterable[tuple[Laid, int]], whole: int) -> Veil:
        """A veil, what is equal in it added up."""
        sums: dict[Laid, int] = {}
        for laid, weight in parts:
            sums[laid] = sums.get(laid, 0) + weight
        key = (whole, tuple(sorted(sums.items())))
        return self._all.setdefault(key, Veil(*key))

    def _dried(self, veil: Veil) -> Veil:
        """The same cards, and no Blood poured for them."""
        return self.of(((laid._replace(poured=()), weight) for laid, weight in veil.parts), veil.whole)

    def _without_last(self, veil: Veil) -> Veil:
        """The same, when nobody asks for the last wound any more."""
        return self.of(((laid._replace(last=NO_WOUND), weight) for laid, weight in veil.parts), veil.whole)

    def _poured_again(self, veil: Veil) -> Veil:
        """The same after the last wound's Blood was poured once more, rolled anew."""
        whole = lcm(*(self._poured[laid.last][0][2] for laid, _ in veil.parts))
        return self.of(
            (
                (
                    laid._replace(poured=(sum(laid.poured[:1]), *laid.poured[1:], *(blood or (0,)))),
                    weight * share * (whole // of),
                )
                for laid, weight in veil.parts
                for blood, share, of in self._poured[laid.last]
            ),
            veil.whole * whole,
        )

    def together(self, veil: Veil, first: int, second: int) -> Veil:
        """The same with two of the numbers poured added up."""
        return self.of(
            (
                (
                    laid._replace(
                        poured=tuple(
                            blood + (laid.poured[second] if at == first else 0)
                            for at, blood in enumerate(laid.poured)
                            if at != second
                        )
                    ),
                    weight,
                )
                for laid, weight in veil.parts
            ),
            veil.whole,
        )


_WHOLE = 127
_HALF = 64


class Lots:
    """How many there are of each mark, packed into one whole number. Sums of lots are sums of numbers."""

    BITS = 7

    def __init__(self) -> None:
        self._units: dict[object, int] = {}
        self._marks: list[object] = []
        self.marks = cache(self._counted)

    def unit(self, mark: object) -> int:
        """One of a mark."""
        unit = self._units.get(mark)
        if unit is None:
            unit = self._units[mark] = 1 << self.BITS * len(self._marks)
            self._marks.append(mark)
        return unit

    def _counted(self, lot: int) -> tuple[tuple[object, int], ...]:
        """What a lot counts, and how many of each."""
        found, rest = [], lot
        while rest:
            at = ((rest & -rest).bit_length() - 1) // self.BITS
            count = ((rest >> at * self.BITS) + _HALF & _WHOLE) - _HALF
            found.append((self._marks[at], count))
            rest -= count << at * self.BITS
        return tuple(found)
