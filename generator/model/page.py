"""`page.yaml`: what a table is shown first. Nothing here changes a rule: states and moments in words, and what is
probably done next.

Formulas use the keys of `show --json`, and a few names that the kind of procedure calculates.
"""

from typing import Annotated, Literal

from msgspec import Meta, Struct, field

from generator.base.fields import Id, Line, SignName, Word
from generator.model.formulas import Formula

Saying = Annotated[str, Meta(min_length=1, max_length=160, pattern=r"^[^\n]*$(?!\n)")]
"""A sentence that may quote values, `{damage}`."""
Look = Literal["dead", "out", "warn", "good", "done"]
"""How something stands out: over, out of it, in danger, well, or done for this round."""
Weight = Annotated[int, Meta(ge=1, le=3, description="1 a line, 2 a headline, 3 the whole card in colour")]
Event = Annotated[Word, Meta(description="an event, as it is typed")]


class TrackShown(Struct, frozen=True, forbid_unknown_fields=True):
    """The number that is drawn as a way to its end, and the cards with it."""

    number: Id
    most: Annotated[Formula, Meta(description="where it ends; as the track says if left out")] | None = None
    waiting: Annotated[Id, Meta(description="a number that will be added to it")] | None = None
    held: Annotated[Formula, Meta(description="whether what waits is held back")] | None = None


class StateShown(Struct, frozen=True, forbid_unknown_fields=True):
    """What holds of somebody, in a word or two."""

    when: Formula
    says: Saying
    look: Look | None = None
    emblem: SignName | None = None


class ActionNeed(Struct, frozen=True, forbid_unknown_fields=True):
    """What has to hold for an action. Without a sentence the rules say why it cannot be done."""

    holds: Formula
    says: Saying | None = None


class LikelyAction(Struct, frozen=True, forbid_unknown_fields=True):
    """Something that is probably done now: `if` says whether it is offered at all, `needs` whether it can be done."""

    do: Annotated[Event, Meta(description="an event; the entry's own name if left out")] | None = None
    words: Annotated[
        tuple[Word, ...],
        Meta(max_length=6, description="what is said already; {person} is whose tile it is, all everybody who lives"),
    ] = ()
    says: Annotated[Saying, Meta(description="the button; the event's name if left out")] | None = None
    for_: (
        Annotated[
            Literal["gm", "self", "ally"],
            Meta(description="who is offered it: the game master, whom it befalls, or on the tile of another"),
        ]
        | None
    ) = field(default=None, name="for")
    if_: Formula | None = field(default=None, name="if")
    needs: Annotated[tuple[ActionNeed, ...], Meta(max_length=6)] = ()


class MomentShown(Struct, frozen=True, forbid_unknown_fields=True):
    """An entry of the log as a moment, in the words of whom it befell, of who did it, and of everybody else.

    Sentences quote the entry's facts, `{damage}`, the name of whom it befell, `{person}`, the name of its card,
    `{title}`, and values of the state that follows.
    """

    when: Annotated[Formula, Meta(description="only where this holds of its facts")] | None = None
    you: Saying | None = None
    they: Annotated[Saying, Meta(description="as `you` if left out")] | None = None
    doer: Saying | None = None
    then: Annotated[Saying, Meta(description="a line of what follows")] | None = None
    weight: Weight = 1
    emblem: SignName | None = None
    look: Look | None = None
    playing: Annotated[bool, Meta(description="its card is a playing card and no card of the deck's")] = False
    befalls: Annotated[Id, Meta(description="the fact or value of a shared table that names whom it befell")] | None = (
        None
    )
    by: Annotated[Id, Meta(description="the fact that names who did it")] | None = None


Actions = Annotated[
    dict[Id, LikelyAction], Meta(max_length=40, description="by names of your own, in the order of the page")
]
Events = Annotated[tuple[Event, ...], Meta(max_length=60)]


class PageFile(Struct, frozen=True, forbid_unknown_fields=True):
    """`page.yaml`: what a table of this system is shown first."""

    track: TrackShown | None = None
    tokens: Annotated[dict[Id, SignName], Meta(max_length=6, description="numbers that lie there as tokens")] = {}
    usual: Annotated[Events, Meta(description="what phones may do until the game master says otherwise")] = ()
    fight: Annotated[Events, Meta(description="events of a fight")] = ()
    after: Annotated[Events, Meta(description="events of the time after it")] = ()
    order: Annotated[Formula, Meta(description="a place in the order of play: the highest stands first")] | None = None
    states: Annotated[dict[Id, StateShown], Meta(max_length=20, description="by names of your own")] = {}
    next: Annotated[Actions, Meta(description="the steps of an order: the first that is offered is the next")] = {}
    likely: Actions = {}
    players: Annotated[Actions, Meta(description="the same for phones at a shared table")] = {}
    groups: Annotated[dict[Line, Events], Meta(max_length=12, description="all events, folded")] = {}
    moments: Annotated[
        dict[Id, MomentShown | Annotated[tuple[MomentShown, ...], Meta(min_length=1, max_length=12)]],
        Meta(max_length=80, description="by the kind of the entry, as JSON calls it; of several the first that holds"),
    ] = {}


EMPTY = PageFile()
"""A page that says nothing: the table is shown what the game itself knows."""
