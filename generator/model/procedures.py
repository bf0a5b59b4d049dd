"""The numbers of each kind of procedure, as `system.yaml` gives them under `procedure`; `kind` names it.

The folder of `games` that plays a kind has its engine, its lines, its odds and its checks.
"""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from generator.base.dice import Dice
from generator.base.fields import (
    ColumnName,
    ConditionName,
    EventName,
    Id,
    Line,
    Option,
    OwnUnit,
    Positive,
    RulingName,
    Small,
    TableName,
    Text,
    UnitLength,
    UnitName,
    Word,
)
from generator.base.fields import Number as WholeNumber
from generator.model.formulas import Formula


class Procedure(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag_field="kind"):
    """What happens at the table, in numbers."""


Count = Annotated[int, Meta(ge=1, le=30)]


class Blackjack(Procedure, frozen=True, tag="blackjack"):
    """The numbers of a procedure that settles an action with a hand of blackjack; number cards count their number."""

    target: Annotated[Count, Meta(description="over it a hand is bust; who is closer to it wins")]
    dealer_stands: Annotated[Count, Meta(description="the dealer hits below this total and stands from it on")]
    court: Annotated[Count, Meta(description="what a jack, queen or king counts")]
    ace_low: Annotated[Count, Meta(description="what an ace counts at the least")]
    ace_high: Annotated[Count, Meta(description="what an ace may count instead")]
    least_bet: Annotated[Positive, Meta(description="the smallest bet")]
    payout: Annotated[Positive, Meta(description="what a winner gains for each chip of the bet, which comes back")]


class Aim(Struct, frozen=True, forbid_unknown_fields=True):
    """Where a kind of damage is looked up: a table, and one of its columns where the place hit does not choose it."""

    table: TableName
    column: ColumnName | None = None


TieBreaker = Literal[
    "total", "surprise", "roll", "modifier", "magic", "dexterity", "intelligence", "low_strength", "roll_off"
]


FieldRows = Annotated[int, Meta(ge=1, le=19)]


class Field(Procedure, frozen=True, tag="field"):
    """The numbers of a fight over a field of playing cards."""

    initiative_die: Annotated[Dice, Meta(description="what is rolled for initiative")]
    ties: Annotated[tuple[TieBreaker, ...], Meta(min_length=1, max_length=9, description="what breaks a tie, in order")]
    columns: Annotated[FieldRows, Meta(description="columns before any combatant is counted")]
    surprise_column: Annotated[Positive, Meta(description="columns that surprise takes or gives")]
    choice_column: Annotated[Positive, Meta(description="columns that the quicker side may add or take")]
    one_deck: Annotated[FieldRows, Meta(description="columns that one deck is enough for")]
    padding: Annotated[Positive, Meta(description="cards of a second deck for each column more")]
    depth: Annotated[FieldRows, Meta(description="rows of the field")]
    shallow: Annotated[FieldRows, Meta(description="rows of the field for a slower fight")]
    deepened: Annotated[Positive, Meta(description="the round in which a shallow field may become deep")]
    deepened_late: Annotated[Positive, Meta(description="the round in which it may become deep instead")]
    free_points: Annotated[Positive, Meta(description="what everybody conscious gets for nothing each round")]
    challenge_share: Annotated[Positive, Meta(description="which part of the challenge rating counts: 3, a third")]
    row_attack: Annotated[Positive, Meta(description="so many cards taken across open an attack")]
    row_critical: Annotated[Positive, Meta(description="so many cards taken across open a critical attack")]
    column_critical: Annotated[Positive, Meta(description="so many cards added to a column open a critical attack")]
    critical_hits: Annotated[Positive, Meta(description="hits that a critical attack counts for")]
    shield_rating: Annotated[Positive, Meta(description="what a shield adds to a rating")]
    magic_cap: Annotated[Positive, Meta(description="the most that magic adds to a rating")]
    vulnerable: Annotated[Positive, Meta(description="points that an attack costs less on weak armour")]
    reflex: Annotated[Positive, Meta(description="points that a reflex save costs")]
    reflex_success: Annotated[Positive, Meta(description="points more where it succeeds")]
    cover: Annotated[Positive, Meta(description="points less with cover a step away")]
    dive: Annotated[Positive, Meta(description="feet that one may dive for cover, beside the Strength")]
    dive_least: Annotated[Positive, Meta(description="feet that everybody may dive")]
    dive_size: Annotated[Positive, Meta(description="feet less for the small, more for the large")]
    seconds: Annotated[Positive, Meta(description="the time for a decision")]
    seconds_more: Annotated[Positive, Meta(description="more time for each enemy too many or ally too few")]
    enemies_from: Annotated[Positive, Meta(description="each enemy over so many gives the enemies time")]
    allies_below: Annotated[Positive, Meta(description="each ally below so many gives the allies time")]


class Traits(Procedure, frozen=True, tag="traits"):
    """The numbers of a procedure that rolls a trait die and a wild die against a target number."""

    ladder: Annotated[tuple[Dice, ...], Meta(min_length=2, max_length=12, description="the trait dice, lowest first")]
    attributes: Annotated[
        tuple[Id, ...],
        Meta(min_length=1, max_length=12, description="the traits that everybody has, and that advances raise"),
    ]
    wild: Annotated[Dice, Meta(description="the die that a Wild Card rolls beside the trait die")]
    coin: Annotated[Dice, Meta(description="what is thrown for a trait that one does not have: 2 is heads")]
    target: Annotated[Positive, Meta(description="the target number, where none is named")]
    raise_step: Annotated[Positive, Meta(description="every so many points over the target number are a raise")]
    harder: Annotated[Positive, Meta(description="what a failure adds to the target number of a compound serial roll")]
    last_chance: Annotated[Positive, Meta(description="the target number at which that ends")]
    joker: Annotated[Positive, Meta(description="what a joker for initiative adds to everything in its round")]
    hard_to_kill: Annotated[Positive, Meta(description="what that Edge adds to incapacitation rolls")]
    levels: Annotated[Positive, Meta(description="the wound levels of most characters")]
    soak_target: Annotated[Positive, Meta(description="the target number of a soak roll")]
    soak_free: Annotated[Positive, Meta(description="the wound levels that the chip takes off by itself")]
    injury_days: Annotated[Positive, Meta(description="a temporary injury lasts so many days, less a Vigor die")]
    marker_target: Annotated[Positive, Meta(description="the target number of a connection marker")]
    advance_points: Annotated[Positive, Meta(description="experience points to an advance")]
    saved_advances: Annotated[Positive, Meta(description="advances that buy one more step of an attribute")]
    new_skill: Annotated[Dice, Meta(description="the die of a skill newly bought")]
    related_skill: Annotated[Dice, Meta(description="the die of a new Knowledge that is related to an old one")]
    related_from: Annotated[Dice, Meta(description="the least die of the old one")]


class OwnNumber(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A number that is kept for each character. Bounds stop what raises or lowers it, and never cut what is held."""

    name: Line
    temporary: Annotated[bool, Meta(description="it begins anew with each event, and no state has it")] = False
    flag: Annotated[bool, Meta(description="it is 0 or 1, and a state says false or true")] = False
    start: Annotated[WholeNumber | None, Meta(description="what it begins with; null: unknown until somebody says")] = 0
    least: Annotated[Formula, Meta(description="it falls no further")] | None = None
    most: Annotated[Formula, Meta(description="it rises no further; a formula that is unknown is no bound")] | None = (
        None
    )
    hidden: Annotated[bool, Meta(description="nobody is told what dice make of it before a step reveals it")] = False


class OwnWord(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A word that is kept for each character: one of some."""

    name: Line
    of: Annotated[tuple[Option, ...], Meta(min_length=2, max_length=40, description="the first is what it begins with")]


class OwnPile(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A pile of cards before each character."""

    name: Line
    held: Annotated[bool, Meta(description="its cards stay out when their deck is shuffled again")] = False
    most: Annotated[
        Annotated[int, Meta(ge=1, le=200)], Meta(description="so many cards at most: the oldest leaves")
    ] = 200
    temporary: Annotated[bool, Meta(description="it begins empty with each event, and no state has it")] = False
    worth: Annotated[Id, Meta(description="the field of a written state that says what a card counts")] = "counts"
    usual: (
        Annotated[Id, Meta(description="with `most: 1`: a state that does not say has the newest card of that pile")]
        | None
    ) = None
    unless: Annotated[Formula, Meta(description="but not a card of which this holds: does(repeat)")] | None = None


class Telling(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How the log tells of something: what is left out is as usual."""

    kind: Annotated[Id, Meta(description="what it is called in JSON")] | None = None
    says: Annotated[Text, Meta(description="the sentence; {name} is a value of that moment")] | None = None
    facts: Annotated[dict[Id, Formula], Meta(max_length=12, description="what JSON says of it, each a formula")] = {}
    quiet: Annotated[bool, Meta(description="nothing is told")] = False


class Retelling(Telling, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How the log tells of what happens by itself: a wound, an end, time that passes."""

    of: Annotated[Id, Meta(description="what is told, as JSON calls it: wound, ends, passes")]
    when: Annotated[Formula, Meta(description="only where this holds; it may ask the entry's own fields")] | None = None
    ruling: Annotated[RulingName, Meta(description="the ruling that it follows")] | None = None


class Tick(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a unit of time does besides running spans down."""

    ends: Annotated[
        tuple[Word, ...], Meta(max_length=20, description="conditions that last until these end with it")
    ] = ()
    counts: Annotated[Id, Meta(description="the number that counts how many have passed")] | None = None
    stops: Annotated[Formula, Meta(description="no more of them pass once this holds: owed(any) > 0")] | None = None
    due: (
        Annotated[
            Text, Meta(description="when a condition counted in it will be over: {condition} heals on day {day}.")
        ]
        | None
    ) = None


HeldField = Literal[
    "condition", "row", "detail", "span", "until", "left", "place", "level", "permanent", "chances", "card", "to", "by",
    "begins",
]  # fmt: skip
"""What is known of a condition that is held."""


class StateKey(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A key of a state as it is written: a number, a word, `coming` and the like, or conditions that are held."""

    key: Id
    of: (
        Annotated[
            Id,
            Meta(
                description="the conditions that stand here: one, a group, permanent, long, or any for all the others"
            ),
        ]
        | None
    ) = None
    be: Annotated[Formula, Meta(description="a value that is worked out of the others: score - total(pile)")] | None = (
        None
    )
    sets: (
        Annotated[Id, Meta(description="the number that this value decides where a state does not say it itself")]
        | None
    ) = None
    form: Annotated[
        Literal["list", "one", "flag", "span"],
        Meta(description="a list of them, the only one or null, whether there is one, or how long the only one lasts"),
    ] = msgspec.field(default="list", name="as")
    fields: Annotated[
        dict[Id, HeldField], Meta(max_length=10, description="a field's name, and what is written in it")
    ] = {}
    unit: Annotated[UnitName, Meta(description="what `left` is counted in")] = "day"
    until: Annotated[Word, Meta(description="what a condition lasts until where no field says so")] = "permanent"
    living: Annotated[bool, Meta(description="the dead have none of it")] = False
    says: Annotated[Text, Meta(description="one of them in the line of a state: {name} for {rounds round}")] | None = (
        None
    )


class SheetFigure(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A number that is worked out, and how it is written."""

    be: Formula
    says: Annotated[Text, Meta(description="{value} is the number: {value?+{value}}")] = "{value}"


class Need(Struct, frozen=True, forbid_unknown_fields=True):
    """What must hold, and the sentence for where it does not."""

    says: Annotated[Text, Meta(description="why it cannot be: the character is not dying")]
    holds: Formula | None = None
    free_of: Annotated[
        tuple[ConditionName, ...],
        Meta(max_length=20, description="nobody in one of these can do it; {held} in the sentence is which"),
    ] = ()


class Steps(Procedure, frozen=True, tag="steps"):
    """What a procedure counts with whose events are content: see `events` in the same file."""

    constants: Annotated[
        dict[Id, Dice],
        Meta(max_length=60, description="numbers and dice with names; texts quote them, --set changes them"),
    ] = {}
    numbers: Annotated[dict[Id, OwnNumber], Meta(max_length=40, description="what is counted for each character")] = {}
    words: Annotated[dict[Id, OwnWord], Meta(max_length=20, description="what else is known of each character")] = {}
    piles: Annotated[dict[Id, OwnPile], Meta(max_length=12, description="cards that each character keeps")] = {}
    by_card: Annotated[
        bool,
        Meta(description="what an effect leaves lasts by itself, with the card that brought it, until its own end"),
    ] = False
    recovers: Annotated[Formula, Meta(description="whether what begins after recovery has to wait")] | None = None
    plays: Annotated[
        dict[Literal["draw", "repeat", "spare", "again"], EventName],
        Meta(max_length=4, description="effects that are events of yours: their keys are its arguments"),
    ] = {}
    scores: Annotated[
        dict[Word, Small], Meta(max_length=20, description="card.score by rank; other ranks score their number")
    ] = {}
    units: Annotated[
        dict[OwnUnit, UnitLength], Meta(max_length=6, description="units of time of your own: turn: 15 minutes")
    ] = {}
    clock: Annotated[dict[UnitName, Tick], Meta(max_length=12, description="what units of time do")] = {}
    aims: Annotated[
        dict[Id, Annotated[dict[Id, Aim], Meta(min_length=1, max_length=40)]],
        Meta(max_length=12, description="kinds of something, such as damage, each with the table it is looked up in"),
    ] = {}
    log: Annotated[
        tuple[Retelling, ...],
        Meta(max_length=60, description="what the log says of what happens by itself; the first that fits counts"),
    ] = ()
    asks: Annotated[
        tuple[Id, ...],
        Meta(max_length=60, description="the events and questions that odds are asked of, in order; all if left out"),
    ] = ()
    joins: Annotated[
        dict[Id, Id],
        Meta(max_length=20, description="what `add NAME` takes, and the number or word that it is; all if left out"),
    ] = {}
    newcomer: Annotated[Line, Meta(description="what the help says of somebody who joins")] | None = None
    line: Annotated[
        tuple[Text, ...],
        Meta(max_length=40, description="a state in one line: keys of the state, or words such as {hp} HP"),
    ] = ()
    sheet: Annotated[
        dict[Id, SheetFigure], Meta(max_length=20, description="what a sheet shows besides the state")
    ] = {}
    state: Annotated[
        tuple[StateKey, ...],
        Meta(max_length=80, description="the keys of a written state, in order, where it is not written as usual"),
    ] = ()
    sound: Annotated[
        tuple[Need, ...], Meta(max_length=20, description="what holds of every state that somebody may write")
    ] = ()


AnyProcedure = Blackjack | Field | Traits | Steps
