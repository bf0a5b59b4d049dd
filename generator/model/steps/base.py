"""What all effects and steps have in common.

A type says beside its keys how it is written as text and what its kind is to everything that plays and counts: what it
`reads` and `changes`, what it `leads_to`, the `luck` that it asks for, and its log entries. These are words:

* `{key}`, the number, word or name of the moment whose name stands in that key, or whose names are the keys of its
  dictionary; a number stands for its bounds too, and an argument for every number that it may name;
* `pile {key}`, `deck {key}`, `event {key}`, `table {key}`, `condition {key}`: that of this name; `aims {key}`: the
  tables of the kinds of an argument; `gives {key}`: what an event gives to the one that calls it; `hidden {key}`:
  whether a number is under the cup; `event plays` and `gives plays`: the event that plays an effect here;
  `others {key}`: an event that happens to others;
* a name of the moment, or a part of the state: those in `NAMES_OF_MOMENT` and `PARTS_OF_STATE`.

What the steps inside a step do, and what it leads to, is theirs to say. Formulas are found without words.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

from msgspec import Meta, Struct

from generator.base.fields import PartName, RulingName, Text
from generator.model.procedures import Telling

if TYPE_CHECKING:
    from generator.model.steps import AnyEffect


NAMES_OF_MOMENT = ("over", "degrees", "rolled", "row", "detail", "note", "side", "hands")
"""Names that some kinds read or change in every event."""

PARTS_OF_STATE = {
    "conditions": "conditions that are held, with their spans and levels",
    "coming": "conditions that begin later",
    "lost": "points that are lost for good",
    "saves": "saves that are owed",
    "death": "whether somebody has died, and all that the dead no longer have",
    "life": "whether somebody dead lives again",
    "place": "the part of the body that is hurt, and where",
    "span": "how long what was written last lasts",
    "clock": "numbers that the clock counts",
    "decks": "the cards that are in decks and out of them",
    "piles": "all piles",
    "card": "the card at hand",
    "met": "rows that were looked up",
    "suffered": "conditions that have begun in this event",
}
"""What a step may read or change besides numbers and names, and what each word means."""

LEADS = ("event", "others", "table", "aims", "deck", "pile", "condition", "conditions", "card")
"""What steps may lead to: `conditions` is whatever conditions do as time passes and as they end, `card` what the card
at hand does, `pile` what the cards of a pile do."""

_STEP = "this is a step of one's own: only procedures of the kind steps play it"

NO_SCORE = {"traits": "this belongs on cards with a death-score: an injury deck cannot do it"}
NO_SAVE = {"traits": "nobody rolls saves here: leave it out"}


class Effect(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="do"):
    """What a card or a table row does. The key `do` names the kind."""

    form: ClassVar[str] = ""
    """How it begins in rules as text: words and `{key:type}`; `?` before what may be missing."""
    clauses: ClassVar[str] = ""
    """Words that may follow, parted by |: `for {by:formula}`; words without a value set one: `openly =how:open`."""
    block: ClassVar[str] = ""
    """The keys of the steps below its colon; `?` before those that may be missing."""

    prints: ClassVar[str] = ""
    """Its sentence in print where the author wrote none: `{key}` is a number's name, a formula in words or a plain
    word, and `[...]` stands only with its keys."""
    tells: ClassVar[str] = ""
    """The sentence of its log entry, written as `prints`, of a kind that has no facts of its own in the log."""

    brief: ClassVar[str] = ""
    """Its short form, for tables and stickers; what is printed by default."""

    reads: ClassVar[tuple[str, ...]] = ()
    """What it reads itself, besides its formulas."""
    changes: ClassVar[tuple[str, ...]] = ()
    """What it changes itself."""
    gives: ClassVar[tuple[str, ...]] = ()
    """The names that it gives to what it comes to: `{name}`, `{dice}_first`."""
    leads_to: ClassVar[tuple[str, ...]] = ()
    """What it leads to."""
    luck: ClassVar[tuple[str, ...]] = ()
    """What it may ask for though no dice stand in it: `cards`, `dice`, `choose`."""
    unplayed: ClassVar[Mapping[str, str]] = {}
    """Kinds of procedure that do not play it, each with what is said to authors."""

    entries: ClassVar[tuple[str, ...]] = ()
    """Its log entries, as JSON calls them, that a `log` of its own tells otherwise."""
    hides: ClassVar[tuple[str, ...]] = ()
    """Those of them that a sentence takes the place of: its own, or that of steps which it stands in."""
    position: ClassVar[Literal["instead", "alone", "before", "after", "entry"]] = "instead"
    """Where its own sentence stands: in place of entries that are hidden, or of its own too (`alone`); before what it
    led to; after what it came to; or as its own entry."""

    @property
    def kills(self) -> bool:
        """Whether somebody dies of it."""
        return "death" in self.changes

    @property
    def later(self) -> bool:
        """Whether it leads on only in some time."""
        return False

    def may_ask(self, luck: str) -> bool:
        """Return whether it may ask for luck of a kind, though no dice stand in it."""
        return luck in self.luck

    @property
    def do(self) -> str:
        """The name of its kind, as content has it: `suffer`."""
        return str(self.__struct_config__.tag)


# None of these is a key. Without annotations msgspec need not see that again for each kind, at every start.
Effect.__annotations__.clear()


class Lasting(Effect, frozen=True):
    """What may stay with a character, as a wound in the state."""

    reads: ClassVar[tuple[str, ...]] = ("place", "span", "conditions", "card")
    changes: ClassVar[tuple[str, ...]] = ("span", "conditions", "lost", "detail")


class Step(Effect, frozen=True, kw_only=True):
    """What only the kind `steps` plays: it works on numbers, events and times that the author names."""

    unplayed = dict.fromkeys(("blackjack", "traits", "field"), _STEP)

    says: (
        Annotated[
            str, Meta(max_length=400, description='your own text, on paper and in the log; "" leaves it off the paper')
        ]
        | None
    ) = None
    log: Annotated[Text | Telling, Meta(description="your own text in the log; {name} is a current value")] | None = (
        None
    )
    ruling: Annotated[RulingName, Meta(description="the ruling that it follows")] | None = None


Start = Annotated[
    Literal["now", "recovery", "survival"],
    Meta(description="when it begins: at once, after recovery, or if you survive"),
]

Where = Annotated[PartName, Meta(description="a part: only if that part is hurt")]

Reconstructed = Annotated[bool, Meta(description="no source gives this detail; --rulings prints a dagger")]

Upto = Annotated[int, Meta(ge=1, le=999, description="it happens if the die shows this or less")]

Does = Annotated[tuple["AnyEffect", ...], Meta(max_length=30)]
"""Steps in order. Where it stands in a type, `AnyEffect` is known by name."""
