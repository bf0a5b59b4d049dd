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
from generator.model.durations import Span
from generator.model.formulas import Formula


class Procedure(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag_field="kind"):
    """What happens at the table, in numbers."""


Count = Annotated[int, Meta(ge=1, le=30)]


class Blackjack(Procedure, frozen=True, tag="blackjack"):
    """The numbers of a procedure that settles an action with a hand of blackjack; number cards count their number."""

    target: Annotated[Count, Meta(description="over it a hand is bust; who is closer to it wins")]
    dealer_stands: Annotated[Count, Meta(description="the dealer hits below this total and stands at it")]
    court: Annotated[Count, Meta(description="the value of a jack, queen or king")]
    ace_low: Annotated[Count, Meta(description="the low value of an ace")]
    ace_high: Annotated[Count, Meta(description="the high value of an ace")]
    least_bet: Annotated[Positive, Meta(description="the smallest bet")]
    payout: Annotated[Positive, Meta(description="chips that a winner gains per chip of the bet")]


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

    initiative_die: Annotated[Dice, Meta(description="the die for initiative")]
    ties: Annotated[tuple[TieBreaker, ...], Meta(min_length=1, max_length=9, description="what breaks a tie, in order")]
    columns: Annotated[FieldRows, Meta(description="columns before any combatant is counted")]
    surprise_column: Annotated[Positive, Meta(description="columns that surprise takes or gives")]
    choice_column: Annotated[Positive, Meta(description="columns that the quicker side may add or take")]
    one_deck: Annotated[FieldRows, Meta(description="the columns that one deck can fill")]
    padding: Annotated[Positive, Meta(description="cards of a second deck per further column")]
    depth: Annotated[FieldRows, Meta(description="rows of the field")]
    shallow: Annotated[FieldRows, Meta(description="rows of the field for a slower fight")]
    deepened: Annotated[Positive, Meta(description="the round in which a shallow field may become deep")]
    deepened_late: Annotated[Positive, Meta(description="the round in which it may become deep instead")]
    free_points: Annotated[Positive, Meta(description="free points per round for everybody conscious")]
    challenge_share: Annotated[Positive, Meta(description="the divisor of the challenge rating: 3 means a third")]
    row_attack: Annotated[Positive, Meta(description="cards taken across that open an attack")]
    row_critical: Annotated[Positive, Meta(description="cards taken across that open a critical attack")]
    column_critical: Annotated[Positive, Meta(description="cards added to a column that open a critical attack")]
    critical_hits: Annotated[Positive, Meta(description="hits that a critical attack counts for")]
    shield_rating: Annotated[Positive, Meta(description="what a shield adds to a rating")]
    magic_cap: Annotated[Positive, Meta(description="the maximum that magic adds to a rating")]
    vulnerable: Annotated[Positive, Meta(description="points that an attack costs less on weak armour")]
    reflex: Annotated[Positive, Meta(description="points that a reflex save costs")]
    reflex_success: Annotated[Positive, Meta(description="points more where it succeeds")]
    cover: Annotated[Positive, Meta(description="points less with cover a step away")]
    dive: Annotated[Positive, Meta(description="feet of a dive for cover, before Strength")]
    dive_least: Annotated[Positive, Meta(description="feet that everybody can dive")]
    dive_size: Annotated[Positive, Meta(description="feet less for the small, more for the large")]
    seconds: Annotated[Positive, Meta(description="the time for a decision")]
    seconds_more: Annotated[Positive, Meta(description="more time for each enemy too many or ally too few")]
    enemies_from: Annotated[Positive, Meta(description="each enemy above this number gives the enemies time")]
    allies_below: Annotated[Positive, Meta(description="each ally below this number gives the allies time")]


class Traits(Procedure, frozen=True, tag="traits"):
    """The numbers of a procedure that rolls a trait die and a wild die against a target number."""

    ladder: Annotated[tuple[Dice, ...], Meta(min_length=2, max_length=12, description="the trait dice, lowest first")]
    attributes: Annotated[
        tuple[Id, ...],
        Meta(min_length=1, max_length=12, description="the traits that everybody has, and that advances raise"),
    ]
    wild: Annotated[Dice, Meta(description="the die that a Wild Card rolls beside the trait die")]
    coin: Annotated[Dice, Meta(description="the coin for a trait that the character lacks: 2 is heads")]
    target: Annotated[Positive, Meta(description="the default target number")]
    raise_step: Annotated[Positive, Meta(description="points over the target number per raise")]
    harder: Annotated[
        Positive, Meta(description="added to the target number of a compound serial roll after a failure")
    ]
    last_chance: Annotated[Positive, Meta(description="the target number at which a compound serial roll ends")]
    joker: Annotated[Positive, Meta(description="the bonus of an initiative joker in its round")]
    hard_to_kill: Annotated[Positive, Meta(description="the bonus of the Edge Hard to Kill to incapacitation rolls")]
    levels: Annotated[Positive, Meta(description="the wound levels of most characters")]
    soak_target: Annotated[Positive, Meta(description="the target number of a soak roll")]
    soak_free: Annotated[Positive, Meta(description="wounds that the chip alone soaks")]
    injury_days: Annotated[Positive, Meta(description="days of a temporary injury, less a Vigor die")]
    marker_target: Annotated[Positive, Meta(description="the target number of a connection marker")]
    advance_points: Annotated[Positive, Meta(description="experience points to an advance")]
    saved_advances: Annotated[Positive, Meta(description="advances that buy one more step of an attribute")]
    new_skill: Annotated[Dice, Meta(description="the die of a skill newly bought")]
    related_skill: Annotated[Dice, Meta(description="the die of a new Knowledge that is related to an old one")]
    related_from: Annotated[Dice, Meta(description="the least die of the old one")]


class Bounds(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The whole numbers that a constant may be."""

    least: Annotated[WholeNumber, Meta(description="the lower bound")] = 1
    most: Annotated[WholeNumber, Meta(description="the upper bound")]

    def __contains__(self, constant: Dice) -> bool:
        return constant.is_number and self.least <= constant.plus <= self.most

    def __str__(self) -> str:
        return f"from {self.least:,} to {self.most:,}"


Shared = Annotated[bool, Meta(description="the whole table has one: it is the same for every character")]


class OwnNumber(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A number that is kept for each character. Bounds stop what raises or lowers it, and never cut what is held."""

    name: Line
    temporary: Annotated[bool, Meta(description="it is reset in each event and not part of the state")] = False
    flag: Annotated[bool, Meta(description="it is 0 or 1, false or true in a state")] = False
    start: Annotated[WholeNumber | None, Meta(description="the initial value; null: unknown until set")] = 0
    least: Annotated[Formula, Meta(description="the lower bound")] | None = None
    most: Annotated[Formula, Meta(description="the upper bound; an unknown formula is no bound")] | None = None
    hidden: Annotated[bool, Meta(description="nobody sees it, once dice have set it, until a step reveals it")] = False
    shared: Shared = False


class OwnWord(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A word that is kept for each character: one of some."""

    name: Line
    of: (
        Annotated[tuple[Option, ...], Meta(min_length=2, max_length=40)]
        | Annotated[
            dict[Option, Line],
            Meta(
                min_length=2,
                max_length=40,
                description="the words, or each with its name: {left_arm: left arm}; the first is the initial one",
            ),
        ]
    )
    shared: Shared = False

    @property
    def first(self) -> str:
        """The initial word."""
        return next(iter(self.of))


class OwnPile(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A pile of cards before each character."""

    name: Line
    held: Annotated[bool, Meta(description="its cards stay out when their deck is shuffled again")] = False
    shared: Shared = False
    most: Annotated[
        Annotated[int, Meta(ge=1, le=200)], Meta(description="the maximum number of cards: the oldest leaves")
    ] = 200
    temporary: Annotated[bool, Meta(description="it is empty at the start of each event and not part of the state")] = (
        False
    )
    worth: Annotated[Id, Meta(description="the field of a written state for a card's value")] = "counts"
    usual: Annotated[Id, Meta(description="with `most: 1`: the pile whose newest card is the default")] | None = None
    unless: Annotated[Formula, Meta(description="not a card for which this holds: does(repeat)")] | None = None


class Telling(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The words of a log entry; a missing key keeps the default."""

    kind: Annotated[Id, Meta(description="its name in JSON")] | None = None
    says: Annotated[Text, Meta(description="the sentence; {name} is a current value")] | None = None
    quiet: Annotated[bool, Meta(description="no log line")] = False


class Retelling(Telling, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The words of log entries for things that happen by themselves: a wound, an end, time that passes."""

    of: Annotated[Id, Meta(description="the log entry by its JSON name: wound, ends, passes")]
    when: Annotated[Formula, Meta(description="only if this holds; it can use the entry's fields")] | None = None
    ruling: Annotated[RulingName, Meta(description="the ruling that it follows")] | None = None


class Tick(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a unit of time does besides running spans down."""

    ends: Annotated[
        tuple[Word, ...], Meta(max_length=20, description="conditions that last until these words end with it")
    ] = ()
    counts: Annotated[Id, Meta(description="the number that counts the units")] | None = None
    stops: Annotated[Formula, Meta(description="no more units pass while this holds: owed(any) > 0")] | None = None
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
        Annotated[Id, Meta(description="the conditions in it: one, a group, permanent, long, or any for all others")]
        | None
    ) = None
    be: Annotated[Formula, Meta(description="a calculated value: score - total(pile)")] | None = None
    sets: Annotated[Id, Meta(description="the number that this value sets if the state lacks it")] | None = None
    form: Annotated[
        Literal["list", "one", "flag", "span"],
        Meta(description="a list, one or null, true or false, or the time of the only one"),
    ] = msgspec.field(default="list", name="as")
    fields: Annotated[dict[Id, HeldField], Meta(max_length=10, description="the fields, each with its content")] = {}
    unit: Annotated[UnitName, Meta(description="the unit of `left`")] = "day"
    until: Annotated[Word, Meta(description="the end of a condition if no field gives it")] = "permanent"
    living: Annotated[bool, Meta(description="the dead do not have it")] = False
    says: Annotated[Text, Meta(description="one condition in the state's line: {name} for {rounds round}")] | None = (
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
        Meta(max_length=20, description="refused in these conditions; {held} in the sentence names it"),
    ] = ()


class AutomaticResults(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Results that succeed or fail whatever a check is rolled against. What a check says itself leads."""

    die: Annotated[Dice, Meta(description="only of checks with these dice (all by default)")] | None = None
    always: Annotated[Span, Meta(description="results that always succeed: 20, or 1-5")] | None = None
    never: Annotated[Span, Meta(description="results that always fail: 1, or 96-100")] | None = None


class Steps(Procedure, frozen=True, tag="steps"):
    """What a procedure counts with whose events are content: see `events` in the same file."""

    constants: Annotated[
        dict[Id, Dice],
        Meta(max_length=60, description="numbers and dice with names; texts quote them, --set changes them"),
    ] = {}
    bounds: Annotated[dict[Id, Bounds], Meta(max_length=60, description="between which numbers a constant may be")] = {}
    numbers: Annotated[dict[Id, OwnNumber], Meta(max_length=40, description="numbers of each character")] = {}
    words: Annotated[dict[Id, OwnWord], Meta(max_length=20, description="words of each character")] = {}
    piles: Annotated[dict[Id, OwnPile], Meta(max_length=12, description="piles of cards of each character")] = {}
    by_card: Annotated[bool, Meta(description="effects of cards last separately, each with its card and its end")] = (
        False
    )
    recovers: Annotated[Formula, Meta(description="effects that begin after recovery wait while this holds")] | None = (
        None
    )
    plays: Annotated[
        dict[Literal["draw", "repeat", "spare", "again"], EventName],
        Meta(max_length=4, description="effects that are your own events, with their keys as arguments"),
    ] = {}
    scores: Annotated[
        dict[Word, Small], Meta(max_length=20, description="card.score by rank; other ranks score their number")
    ] = {}
    units: Annotated[
        dict[OwnUnit, UnitLength], Meta(max_length=6, description="units of time of your own: turn: 15 minutes")
    ] = {}
    clock: Annotated[dict[UnitName, Tick], Meta(max_length=12, description="what units of time also do")] = {}
    aims: Annotated[
        dict[Id, Annotated[dict[Id, Aim], Meta(min_length=1, max_length=40)]],
        Meta(max_length=12, description="kinds of something, such as damage, each with its table"),
    ] = {}
    checks: (
        Annotated[AutomaticResults, Meta(description="results of all checks that always succeed or fail")] | None
    ) = None
    log: Annotated[
        tuple[Retelling, ...],
        Meta(max_length=60, description="log lines for what happens by itself; the first that fits is used"),
    ] = ()
    asks: Annotated[
        tuple[Id, ...], Meta(max_length=60, description="the events and questions for odds, in order (all by default)")
    ] = ()
    joins: Annotated[
        dict[Id, Id],
        Meta(max_length=20, description="what `add NAME` takes, each with its number or word (all by default)"),
    ] = {}
    newcomer: Annotated[Line, Meta(description="the help for `add`")] | None = None
    line: Annotated[
        tuple[Text, ...],
        Meta(max_length=40, description="a state in one line: keys of the state, or words such as {hp} HP"),
    ] = ()
    sheet: Annotated[
        dict[Id, SheetFigure], Meta(max_length=20, description="values of the sheet besides the state")
    ] = {}
    state: Annotated[
        tuple[StateKey, ...], Meta(max_length=80, description="the keys of a written state, in order")
    ] = ()
    sound: Annotated[tuple[Need, ...], Meta(max_length=20, description="conditions that every state must meet")] = ()

    @property
    def shared(self) -> tuple[str, ...]:
        """The numbers and words of which the whole table has one."""
        numbers = (name for name, own in self.numbers.items() if own.shared)
        return (*numbers, *(name for name, own in self.words.items() if own.shared))


AnyProcedure = Blackjack | Field | Traits | Steps
