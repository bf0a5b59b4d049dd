"""What lies on the table for all to see, as a page shows it: cards in columns, and the commands that can be tapped."""

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

Place = tuple[int, int]
"""A column from the left and a row from the bottom, both counted from 0."""


class Tap(Struct, frozen=True):
    """A command that is open now: its words as they are typed, and what it says on its button.

    `detail` tells what it costs and opens. `joins` says how the cards belong together that it takes, and `places` where
    they lie; a command that adds cards has the places that they fill, and one that is about no card has none.
    `free` may be done although the other moves can only be looked at. Where the command strikes people with an amount
    each, `strikes` are those whom it may strike: any of them, or nobody.
    """

    words: Sequence[str]
    says: str
    detail: str = ""
    opens: Literal["", "attack", "critical"] = ""
    joins: Literal["", "pair", "suit", "add"] = ""
    places: Sequence[Place] = ()
    free: bool = False
    strikes: Sequence[str] = ()


class Board(Struct, frozen=True):
    """The cards on the table, each column from the bottom card up, and what can be done with them.

    `depth` is how many rows a column has room for. `head` says whose turn it is and what they have to spend, `lines`
    what else there is to tell of the table. `moves` are about cards, the cheapest first; `commands` are about none.
    Where `acts` is False the moves can only be looked at. `awaits` says what a player waits for, who may not know whom
    it strikes, and `granting` are the commands with which the game master decides that.
    """

    columns: Sequence[Sequence[str]]
    depth: int
    head: str
    lines: Sequence[str]
    moves: Sequence[Tap]
    commands: Sequence[Tap]
    acts: bool
    awaits: str = ""
    granting: Sequence[Tap] = ()
