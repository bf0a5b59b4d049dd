"""Effects of drawn cards, and steps with decks and piles."""

from typing import Annotated, Literal

from msgspec import Meta

from generator.base.fields import DeckName, Id, PileName
from generator.model.durations import Until
from generator.model.formulas import Formula
from generator.model.steps.base import NO_SCORE, Does, Effect, Lasting, Reconstructed, Step
from generator.model.steps.conditions import Penalty


class Drawing(Effect, frozen=True):
    """An effect that is settled while cards are drawn, before any wound is applied; an event of steps may play it."""

    changes = ("gives plays",)
    leads_to = ("event plays",)


class Draw(Drawing, frozen=True, tag="draw"):
    """Draws more cards at once."""

    form = "draw {cards:number}"
    clauses = "choose one =keep:choose_one | keep all =keep:all | pools {pools:name} | with score =score"
    unplayed = NO_SCORE

    cards: Annotated[int, Meta(ge=1, le=5)]
    keep: Annotated[Literal["all", "choose_one"], Meta(description="which wounds count")]
    score: Annotated[bool, Meta(description="whether the scores of the drawn cards count")]
    pools: Annotated[
        Literal["all", "lowest", "none"], Meta(description="which Blood and Trauma of the drawn cards count")
    ]


class Repeat(Drawing, frozen=True, tag="repeat"):
    """Applies the previous wound again. If there is none, draws a card and applies it several times."""

    form = "repeat or draw {draw:number} times {times:number}"
    unplayed = NO_SCORE

    draw: Annotated[int, Meta(ge=1, le=3, description="cards to draw if there is no previous wound")]
    times: Annotated[int, Meta(ge=1, le=3, description="how often that card is applied")]


class Spare(Drawing, frozen=True, tag="spare"):
    """A lucky break: no wound and no death-score."""

    form = "spare"


class Again(Drawing, frozen=True, tag="again"):
    """Draws other injuries in place of this one (in systems that draw from a full deck)."""

    form = "again"
    clauses = "times {cards:number} | for good =permanent"

    cards: Annotated[int, Meta(ge=1, le=3, description="how many")] = 1
    permanent: Annotated[bool, Meta(description="they are permanent")] = False


class Peek(Effect, frozen=True, tag="peek"):
    """The player looks at the next card and leaves it there."""

    form = "peek"
    prints = "look at the next card of the deck and leave it there"
    brief = "see the next card"
    reads = ("decks",)
    unplayed = NO_SCORE


WHENEVER = ("below_zero", "first_card", "red_card", "near_cause")
"""What may happen again and again."""


class Whenever(Lasting, frozen=True, tag="whenever"):
    """From now on, something happens each time an event occurs."""

    form = "whenever {event:name} {until:time}"
    clauses = "blood {blood:number} | score {score:number} | reconstructed =reconstructed"
    block = "?penalty"
    unplayed = NO_SCORE

    event: Literal["below_zero", "first_card", "red_card", "near_cause"]
    until: Until
    blood: Annotated[int, Meta(ge=1, le=100, description="Blood added to the pool")] | None = None
    score: Annotated[int, Meta(ge=1, le=21, description="death-score added to the card's own")] | None = None
    penalty: Penalty | None = None
    reconstructed: Reconstructed = False


class Reroll(Lasting, frozen=True, tag="reroll"):
    """A roll with the highest total is repeated."""

    form = "reroll {roll:name} {until:time}"
    unplayed = NO_SCORE

    roll: Literal["rest"]
    until: Until


class CardStep(Step, frozen=True, kw_only=True):
    """A step with cards and decks."""


class DrawCard(CardStep, frozen=True, kw_only=True, tag="draw_card"):
    """Draws from a deck and applies the cards. An empty deck is shuffled."""

    form = "draw ?{cards:formula} from {deck:name}"
    clauses = "face {face:formula} | keep {keep:formula} | best {best:formula}"
    block = "?each then"
    reads = ("decks", "piles", "conditions", "card")
    changes = ("decks", "card", "row")
    leads_to = ("deck {deck}",)
    luck = ("cards", "choose")
    entries = ("drawn",)
    position = "before"

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

    def may_ask(self, luck: str) -> bool:
        """Return whether it may ask for luck of a kind: for a choice only where cards are chosen."""
        return super().may_ask(luck) and (luck != "choose" or (self.keep is not None and not self.best))


class Read(CardStep, frozen=True, kw_only=True, tag="read"):
    """Applies the current card."""

    form = "read"
    clauses = "face {face:formula} | only {only:names} | but {but:names}"
    prints = "the card does what it says[ for {face}][ ({only} only)][ (all but {but})]"
    reads = ("card",)
    leads_to = ("card",)

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
    reads = ("card", "pile {pile}")
    changes = ("pile {pile}",)
    entries = ("piled",)

    pile: Annotated[PileName, Meta(description="a pile")]
    counts: Annotated[Formula, Meta(description="its value there (none by default)")] | None = None


class TakeUp(CardStep, frozen=True, kw_only=True, tag="take_up"):
    """Goes through a pile, the oldest card first; the cards stay in the pile."""

    form = "for each of {pile:name}"
    block = "then"
    prints = "with each card of {pile}, {then}"
    reads = ("card", "pile {pile}")
    changes = ("card", "row")
    leads_to = ("pile {pile}",)

    pile: Annotated[PileName, Meta(description="a pile")]
    then: Annotated[Does, Meta(description="steps for each card")] = ()


class PutAway(CardStep, frozen=True, kw_only=True, tag="put_away"):
    """Discards cards of a pile, the newest first."""

    form = "put away {pile:name}"
    clauses = "worth {by:formula}"
    prints = "discard the cards of {pile}[ worth {by}, the newest first]"
    reads = ("pile {pile}",)
    changes = ("pile {pile}",)
    entries = ("unpiled",)

    pile: Annotated[PileName, Meta(description="a pile")]
    by: Annotated[Formula, Meta(description="cards worth this much (all by default)")] | None = None


class Shuffle(CardStep, frozen=True, kw_only=True, tag="shuffle"):
    """Shuffles all cards of a deck back into it, for the whole table."""

    form = "shuffle {deck:name}"
    prints = "shuffle all cards back into {deck}"
    reads = ("decks", "piles", "conditions")
    changes = ("decks",)
    entries = hides = ("shuffled",)

    deck: Annotated[DeckName, Meta(description="a deck of decks.yaml, or deck for deck.yaml")]


class Recur(CardStep, frozen=True, kw_only=True, tag="recur"):
    """Triggers what waits with `whenever`; its penalty adds up."""

    form = "recur {event:name}"
    clauses = "times {times:formula}"
    prints = "every wound that waits ({event}) adds its penalty[{times}]"
    reads = ("conditions",)
    changes = ("conditions",)
    luck = ("dice",)

    event: Annotated[
        Literal["below_zero", "first_card", "red_card", "near_cause"], Meta(description="the event that occurred")
    ]
    times: Annotated[Formula, Meta(description="how often (once by default)")] | None = None
