"""Effects of drawn cards, and steps with decks and piles."""

from typing import Annotated, Literal

from msgspec import Meta

from generator.base.fields import DeckName, Id, PileName
from generator.model.durations import Until
from generator.model.formulas import Formula
from generator.model.steps.base import Does, Effect, Reconstructed, Step
from generator.model.steps.conditions import Penalty


class Draw(Effect, frozen=True, tag="draw"):
    """Draws more cards at once."""

    form = "draw {cards:number}"
    clauses = "choose one =keep:choose_one | keep all =keep:all | pools {pools:name} | with score =score"

    cards: Annotated[int, Meta(ge=1, le=5)]
    keep: Annotated[Literal["all", "choose_one"], Meta(description="which wounds count")]
    score: Annotated[bool, Meta(description="whether the scores of the drawn cards count")]
    pools: Annotated[
        Literal["all", "lowest", "none"], Meta(description="which Blood and Trauma of the drawn cards count")
    ]


class Repeat(Effect, frozen=True, tag="repeat"):
    """Applies the previous wound again. If there is none, draws a card and applies it several times."""

    form = "repeat or draw {draw:number} times {times:number}"

    draw: Annotated[int, Meta(ge=1, le=3, description="cards to draw if there is no previous wound")]
    times: Annotated[int, Meta(ge=1, le=3, description="how often that card is applied")]


class Spare(Effect, frozen=True, tag="spare"):
    """A lucky break: no wound and no death-score."""

    form = "spare"


class Again(Effect, frozen=True, tag="again"):
    """Draws other injuries in place of this one (in systems that draw from a full deck)."""

    form = "again"
    clauses = "times {cards:number} | for good =permanent"

    cards: Annotated[int, Meta(ge=1, le=3, description="how many")] = 1
    permanent: Annotated[bool, Meta(description="they are permanent")] = False


class Peek(Effect, frozen=True, tag="peek"):
    """The player looks at the next card and leaves it there."""

    form = "peek"


class Reroll(Effect, frozen=True, tag="reroll"):
    """A roll with the highest total is repeated."""

    form = "reroll {roll:name} {until:time}"

    roll: Literal["rest"]
    until: Until


WHENEVER = ("below_zero", "first_card", "red_card", "near_cause")
"""What may happen again and again."""


class Whenever(Effect, frozen=True, tag="whenever"):
    """From now on, something happens each time an event occurs."""

    form = "whenever {event:name} {until:time}"
    clauses = "blood {blood:number} | score {score:number} | reconstructed =reconstructed"
    block = "?penalty"

    event: Literal["below_zero", "first_card", "red_card", "near_cause"]
    until: Until
    blood: Annotated[int, Meta(ge=1, le=100, description="Blood added to the pool")] | None = None
    score: Annotated[int, Meta(ge=1, le=21, description="death-score added to the card's own")] | None = None
    penalty: Penalty | None = None
    reconstructed: Reconstructed = False


class CardStep(Step, frozen=True, kw_only=True):
    """A step with cards and decks."""


class DrawCard(CardStep, frozen=True, kw_only=True, tag="draw_card"):
    """Draws from a deck and applies the cards. An empty deck is shuffled."""

    form = "draw ?{cards:formula} from {deck:name}"
    clauses = "face {face:formula} | keep {keep:formula} | best {best:formula}"
    block = "?each then"

    deck: Annotated[DeckName, Meta(description="a deck of decks.yaml, or deck for deck.yaml")]
    face: Annotated[Formula, Meta(description="the face of the deck that counts")] | None = None
    cards: Annotated[Formula, Meta(description="how many (one by default)")] | None = None
    keep: Annotated[Formula, Meta(description="how many of them count (all by default)")] | None = None
    best: (
        Annotated[
            Formula, Meta(description="a value for each card: the highest are kept; by default the player chooses")
        ]
        | None
    ) = None
    each: Annotated[Does, Meta(description="steps for each card as it is drawn, before any of them counts")] = ()
    then: Annotated[Does, Meta(description="steps for each card that counts, in place of its effects")] = ()


class Read(CardStep, frozen=True, kw_only=True, tag="read"):
    """Applies the current card."""

    form = "read"
    clauses = "face {face:formula} | only {only:names} | but {but:names}"
    prints = "the card does what it says[ for {face}][ ({only} only)][ (all but {but})]"

    face: Annotated[Formula, Meta(description="the face of the deck that counts")] | None = None
    only: Annotated[
        tuple[Id, ...], Meta(max_length=20, description="only these of its effects: [suffer, penalty]")
    ] = ()
    but: Annotated[tuple[Id, ...], Meta(max_length=20, description="all of its effects except these: [raise]")] = ()


class Keep(CardStep, frozen=True, kw_only=True, tag="keep"):
    """Puts the current card on a pile of the character."""

    form = "keep on {pile:name}"
    clauses = "counting {counts:formula}"
    prints = "add the card to {pile}[, where it counts {counts}]"

    pile: Annotated[PileName, Meta(description="a pile")]
    counts: Annotated[Formula, Meta(description="its value there (none by default)")] | None = None


class TakeUp(CardStep, frozen=True, kw_only=True, tag="take_up"):
    """Goes through a pile, the oldest card first; the cards stay in the pile."""

    form = "for each of {pile:name}"
    block = "then"
    prints = "with each card of {pile}, {then}"

    pile: Annotated[PileName, Meta(description="a pile")]
    then: Annotated[Does, Meta(description="steps for each card")] = ()


class PutAway(CardStep, frozen=True, kw_only=True, tag="put_away"):
    """Discards cards of a pile, the newest first."""

    form = "put away {pile:name}"
    clauses = "worth {by:formula}"
    prints = "discard the cards of {pile}[ worth {by}, the newest first]"

    pile: Annotated[PileName, Meta(description="a pile")]
    by: Annotated[Formula, Meta(description="cards worth this much (all by default)")] | None = None


class Shuffle(CardStep, frozen=True, kw_only=True, tag="shuffle"):
    """Shuffles all cards of a deck back into it, for the whole table."""

    form = "shuffle {deck:name}"
    prints = "shuffle all cards back into {deck}"

    deck: Annotated[DeckName, Meta(description="a deck of decks.yaml, or deck for deck.yaml")]


class Recur(CardStep, frozen=True, kw_only=True, tag="recur"):
    """Triggers what waits with `whenever`; its penalty adds up."""

    form = "recur {event:name}"
    clauses = "times {times:formula}"
    prints = "every wound that waits ({event}) adds its penalty[{times}]"

    event: Annotated[
        Literal["below_zero", "first_card", "red_card", "near_cause"], Meta(description="the event that occurred")
    ]
    times: Annotated[Formula, Meta(description="how often (once by default)")] | None = None


AnyCardStep = DrawCard | Read | Keep | TakeUp | PutAway | Shuffle | Recur
