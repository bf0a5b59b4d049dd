"""What a printed face is made of: plain values between the templates that choose them and the paper that draws them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Index:
    """Rank over suit, in two corners. `suit` is C, S, D or H; a joker has none and its rank is its code."""

    rank: str
    suit: str


@dataclass(frozen=True, slots=True)
class Emblem:
    """The pale picture behind the text: pips, a crown or a jester's cap."""

    rank: str
    suit: str


@dataclass(frozen=True, slots=True)
class Title:
    """The name at the top."""

    text: str


@dataclass(frozen=True, slots=True)
class Rule:
    """A thin line in the suit's colour, with a word in small capitals."""

    word: str


@dataclass(frozen=True, slots=True)
class Effect:
    """One sentence without its full stop: what happens, and until when."""

    says: str
    until: str


@dataclass(frozen=True, slots=True)
class Flavour:
    """A line of colour that is no rule."""

    text: str


@dataclass(frozen=True, slots=True)
class Badge:
    """A figure in the band at the foot: score, blood, trauma or permanent, its number and its caption."""

    kind: str
    number: str
    caption: str


Part = Index | Emblem | Title | Rule | Effect | Flavour | Badge


@dataclass(frozen=True, slots=True)
class Face:
    """One card's face: its code and its parts from top to bottom."""

    code: str
    suit: str
    parts: tuple[Part, ...]
