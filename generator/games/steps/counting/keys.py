"""Keys: what a formula or a step may ask of a state, each a type of its own, and where steps stand that ask."""

from collections.abc import Iterable
from typing import NamedTuple

from generator.model.formulas import Formula, Result


class Fact(NamedTuple):
    """One fact about a state that has no name of its author's: those below."""

    name: str
    kind: str = "fact"


class Number(NamedTuple):
    """A number or word of the character."""

    name: str
    kind: str = "number"


class Name(NamedTuple):
    """A name that an event gives."""

    name: str
    kind: str = "name"


class Held(NamedTuple):
    """A function of formulas about conditions by that name; `very`: which of those alike it is."""

    function: str
    name: str
    kind: str = "held"


class Met(NamedTuple):
    """A row of a table that was met in this event; without a row, any of them."""

    table: str
    row: str = ""
    kind: str = "met"


class Suffered(NamedTuple):
    """A condition that was suffered in this event."""

    name: str
    kind: str = "suffered"


class Drawn(NamedTuple):
    """A card that was drawn in this event."""

    name: str
    kind: str = "drawn"


class Deck(NamedTuple):
    """Which cards a deck has dealt."""

    name: str
    kind: str = "deck"


class Pile(NamedTuple):
    """The cards on a pile, and what each counts there."""

    name: str
    kind: str = "pile"


class Line(NamedTuple):
    """A line or field of the card at hand, or a value that a formula makes of it."""

    line: str
    kind: str = "line"


class WaitingLine(NamedTuple):
    """A line of the cards that a draw is still busy with."""

    line: str
    kind: str = "waiting line"


class PiledLine(NamedTuple):
    """A line of the cards on a pile."""

    pile: str
    line: str
    kind: str = "piled line"


News = Met | Suffered | Drawn
"""The things an answer lists once they have come about."""
OfCard = Line | WaitingLine | PiledLine
"""The keys of cards that have no slot."""
Key = Fact | Number | Name | Held | News | Deck | Pile | OfCard
KeySet = frozenset[Key]
NONE: KeySet = frozenset()

DEAD, COMING, LOST, SAVES, ORIGIN = map(Fact, ("dead", "coming", "lost", "saves", "origin"))
HELD, ALL_HELD, LOWERING = map(Fact, ("held", "all held", "lowering"))
"""Conditions as they are seen, all of them as they are, and by how much they lower a statistic."""
SPANS, OWED, DETAILS, HELD_CARDS = map(Fact, ("spans", "owed", "details", "held cards"))
"""The parts of conditions and saves that are seen: how long, which saves, their notes, their cards."""
CARD, CARDS, WAITING = map(Fact, ("card", "cards", "waiting"))
"""The card at hand, all cards in play, and those that a draw is busy with."""
IN_PLAY: KeySet = frozenset({CARDS, WAITING})
"""Asked by steps that are busy with cards."""
ROW = Name("row")
"""The name of what was met last: a row of a table, or a card."""
PART, PLACE, LASTS, PLACED = map(Fact, ("part", "place", "lasts", "placed"))
CALLING, OUTER_PENS = map(Fact, ("calling", "outer pens"))
"""The events that called this one, and the pens around this one."""
GOES_ON = Fact("goes on")
"""Asked by every step: whether the event goes on, or the character has died."""

PEN = (PART, PLACE, LASTS, PLACED)
"""The keys of a pen: which part of the body is hurt, where that is, how long what it writes lasts, and whether a step
has named the place."""
HURT: KeySet = frozenset({PART, PLACE})
PLACED_HURT: KeySet = HURT | {PLACED}
"""Where the event that called this one goes on."""
EXTRAS = ("extra_blood", "extra_score")
"""Functions of formulas that ask for conditions that wait for something to happen."""
VERY = "very"
SEEN: KeySet = frozenset({SPANS, OWED, DETAILS, HELD_CARDS, SAVES, PLACE})
ITS_NAME, ITS_CODE, ITS_WAITING = "its name", "its code", "its waiting"
"""The questions of steps about a card besides its lines: its name, its code, and what waits once it was read."""
UNSET = object()
"""The value of a name that has not been given yet."""


def of_held(key: Key) -> bool:
    """Return True if a key asks for conditions that are held."""
    return isinstance(key, Held) or key in (HELD, ALL_HELD, LOWERING)


def piled_lines(keys: Iterable[Key], pile: str) -> frozenset[PiledLine]:
    """Return what is asked of the cards on a pile."""
    return frozenset(key for key in keys if isinstance(key, PiledLine) and key.pile == pile)


def lines_at_hand(keys: Iterable[Key]) -> set[str]:
    """Return what is asked of the card at hand."""
    return {key.line for key in keys if isinstance(key, Line)}


def waiting_lines(lines: Iterable[str]) -> KeySet:
    """Return the keys of what is asked of cards that a draw is busy with."""
    return frozenset(map(WaitingLine, lines))


def without_card(keys: Iterable[Key]) -> KeySet:
    """Return what is asked but for what is asked of the card at hand."""
    return frozenset(key for key in keys if not isinstance(key, Line) and key != CARD)


class StepContext(NamedTuple):
    """Where steps stand: what they know beforehand, whose steps they are, which decks are read, what is at hand."""

    known: tuple[tuple[str, Result], ...] = ()
    of: str = ""
    reading: frozenset[str] = frozenset()
    part_of: str = ""
    calls: frozenset[str] = frozenset()
    ticking: bool = False
    at_hand: bool = False
    inked: bool = False
    """True if what the pen writes keeps the card at hand."""
    better: Formula | None = None
    """The formula by which a choice falls."""
    tried: KeySet | None = None
    """What is asked afterwards, where an option is only tried, to see what it is worth."""
