"""The nouns of a system of injuries, as frozen values without behaviour.

A card's rules are a list of effects from the closed vocabulary below; each has one meaning in the engine and one
sentence in `wording`. The descriptions given here become the hover texts of the JSON Schema that editors read.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import product
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

import msgspec
from msgspec import Meta, Struct, inspect

from generator.base.cards import order_of, rank_of, suit_of
from generator.base.dice import MAX_NUMBER, Dice
from generator.base.emblem_names import is_picture
from generator.base.errors import HackjackError, did_you_mean, shown
from generator.base.fields import (
    CardCode,
    Code,
    Colour,
    ColumnName,
    ConditionName,
    CountedName,
    CsvPath,
    DeckName,
    EmblemName,
    EventName,
    Id,
    Line,
    Names,
    Number,
    NumberName,
    Option,
    PartName,
    PicturePath,
    PileName,
    Positive,
    QuotingLine,
    QuotingText,
    RulingName,
    Shown,
    SignName,
    Small,
    StatisticName,
    TableName,
    Text,
    ThemeName,
    TrackName,
    UnitName,
    Value,
    Word,
)
from generator.base.sentences import plural, unit_of
from generator.model import procedures
from generator.model.blocks import ChancesBlock, HowChosen, OddsBlock, Panel, PanelsFile, ProductOf, Which
from generator.model.blocks import Rulings as RulingsBlock
from generator.model.combatants import Combatant, CombatantsFile
from generator.model.formulas import Formula
from generator.model.page import EMPTY, PageFile
from generator.model.procedures import Aim, AnyProcedure, Field, Need, Retelling, Telling
from generator.model.procedures import Steps as StepsProcedure
from generator.model.themes import PLAIN, BackPattern, Theme

# --- how long something lasts --------------------------------------------------------------------------------------

LASTING = {
    "now": "it happens and is over",
    "stand": "until you stand up",
    "cleared": "until it is cleaned away",
    "woken": "until someone wakes you",
    "breath": "until you have spent a round catching your breath",
    "stable": "until someone stabilises you, or something heals you",
    "save": "until a later save succeeds; permanent if none does",
    "check": "until a later roll of the same check succeeds",
    "rest": "until you have rested",
    "good_rest": "until you have rested in comfort",
    "recovery": "until recovery is complete",
    "permanent": "permanently: only a quest or great magic ends it",
    "gm": "until the GM ends it, because the source does not say",
    "eases": "until it eases: nobody counts, the GM says when",
    "again": "as long again as the same condition lasted from its start",
    "same": "as long as the effect before it, or the condition that implies it",
}
UNITS = ("round", "minute", "hour", "day", "week", "month")
_MINUTES = {"minute": 1, "hour": 60, "day": 1440, "week": 10_080, "month": 43_200}
_OWN = re.compile(r"[a-z][a-z0-9_]{0,39}")


class Until(Value):
    """How long an effect lasts: a word of `LASTING`, or a span of time such as `1d12 hours`.

    Under steps of the author's a formula may say how much time: `d10 - grit rounds`, at least one.
    """

    __slots__ = ("amount", "formula", "text", "word")
    word: str
    amount: Dice | None
    formula: Formula | None
    text: str

    def __init__(self, word: str, amount: Dice | None = None, formula: Formula | None = None) -> None:
        many = amount if formula is None else formula
        text = word if many is None else f"{many} {word if str(many) == '1' else plural(word)}"
        self._fill(word=word, amount=amount, formula=formula, text=text)

    def _parts(self) -> tuple[Dice | Formula | None, str]:
        return (self.amount or self.formula, self.word)

    @property
    def is_span(self) -> bool:
        """Whether it is a span of time, by dice or by a formula."""
        return self.amount is not None or self.formula is not None

    @classmethod
    def parse(cls, written: str, *, own: bool = False, units: Collection[str] | None = UNITS) -> "Until":
        """Read `recovery` or `1d12 hours`; with `own`, an event of the author's too. Raises ValueError.

        A span is in one of these `units`, or in any that somebody may have named where none are given.
        """
        if not isinstance(written, str):
            if own:
                raise ValueError(_no_span(shown(written)))
            raise ValueError(
                f'"{shown(written)}" is not a duration: write recovery, rest, permanent or a span like 1d12 hours'
            )
        if written in LASTING:
            return cls(written)
        many, _, word = written.rpartition(" ")
        unit = unit_of(word)
        if many and (unit in units if units is not None else _OWN.fullmatch(unit)):
            try:
                amount = Dice.parse(many)
            except ValueError:
                if not own:
                    raise
                return cls(unit, formula=Formula.parse(many))
            if own and amount.count and amount.least < 1:
                return cls(unit, formula=Formula.parse(many))
            if amount.least < 1:
                raise ValueError(f'"{written}" can be less than one {unit}')
            if amount.most > MAX_NUMBER:
                raise ValueError(f'"{written}" can be more than {MAX_NUMBER:,} {plural(unit)}')
            return cls(unit, amount)
        if own and _OWN.fullmatch(written):
            return cls(written)
        if own:
            raise ValueError(_no_span(written))
        hint = did_you_mean(written, LASTING)
        raise ValueError(f'"{written[:40]}" is not a duration{hint} (or a span such as 1d12 hours)')

    @staticmethod
    @lru_cache(maxsize=4096)
    def span(amount: int, unit: str) -> "Until":
        """So much time, in whole units: 7 and `week`."""
        return Until(unit, Dice(0, 0, amount))

    @property
    def days(self) -> Fraction | None:
        """How many days a span is on average; None for rounds and for what is not a span."""
        if self.amount is None or self.word not in _MINUTES:
            return None
        mean = Fraction(self.amount.least + self.amount.most, 2)
        return mean * _MINUTES[self.word] / _MINUTES["day"]

    def less(self, amount: int, unit: str) -> "Until | None":
        """Return the rest of a span, its dice rolled, after so much time; None when it is over (H31).

        Any other time ends rounds, and rounds touch nothing else; hours that pass do not count towards days.
        """
        assert self.amount is not None
        own, left = self.word, self.amount.plus
        if own == unit:
            return Until.span(left - amount, own) if left > amount else None
        if "round" in (own, unit):
            return None if own == "round" else self
        if unit in ("minute", "hour") and own not in ("minute", "hour"):
            return self
        minutes = left * _MINUTES[own] - amount * _MINUTES[unit]
        if minutes <= 0:
            return None
        units = (word for word in (own, *reversed(_MINUTES)) if minutes % _MINUTES[word] == 0)
        word = next(word for word in units if word == own or _MINUTES[word] < _MINUTES[own])
        if minutes // _MINUTES[word] > MAX_NUMBER:
            return Until.span(-(-minutes // _MINUTES[own]), own)
        return Until.span(minutes // _MINUTES[word], word)

    def __str__(self) -> str:
        return self.text


MAX_ENDS_NAMED = 24
"""So many words that end something are named in a message."""


def _no_span(written: str) -> str:
    """Return why a text is not a duration under steps: with the units of time, and the author's events."""
    amount, _, unit = written[:40].rpartition(" ")
    words = [*ENDS_OF_STEPS, *(OWN_ENDS.get() or ())][:MAX_ENDS_NAMED]
    *shorter, longest = map(plural, OWN_UNITS.get())
    units = f"{', '.join(shorter)} or {longest}"
    if amount:
        return f'"{written[:40]}": {unit} is not a unit of time. Write {units}, or what ends it: {", ".join(words)}'
    return f'"{written[:40]}" is not a duration: write a span of {units}, or what ends it: {", ".join(words)}'


class Span(Value):
    """The results of a roll that one row covers: `3`, `1-4` or `13+` (no upper end)."""

    __slots__ = ("high", "low")
    low: int
    high: int | None

    def __init__(self, low: int, high: int | None) -> None:
        self._fill(low=low, high=high)

    @classmethod
    def parse(cls, written: str | int) -> "Span":
        """Read `3`, `"1-4"`, `"13+"`. Raises ValueError with a sentence."""
        match = re.fullmatch(r"(-?\d{1,4})(?:(\+)|-(\d{1,4}))?", str(written))
        if isinstance(written, bool) or not match:
            raise ValueError(f'"{shown(written)}" is not a range of results: write 3, 1-4 or 13+')
        low = int(match[1])
        high = None if match[2] else int(match[3]) if match[3] else low
        if high is not None and high < low:
            raise ValueError(f'"{written}" runs backwards: write {high}-{low}')
        return cls(low, high)

    def __contains__(self, result: int) -> bool:
        return self.low <= result and (self.high is None or result <= self.high)

    def __str__(self) -> str:
        if self.high is None:
            return f"{self.low}+"
        return str(self.low) if self.high == self.low else f"{self.low}-{self.high}"


# --- effects -------------------------------------------------------------------------------------------------------


class Effect(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="do"):
    """What a card or a table row does. The key `do` names the kind."""

    @property
    def do(self) -> str:
        """The name of its kind, as content has it: `suffer`."""
        return str(self.__struct_config__.tag)


Start = Annotated[
    Literal["now", "recovery", "survival"],
    Meta(description="when it begins: at once, after recovery, or if you survive"),
]


Where = Annotated[PartName, Meta(description="a part: only if that part is hurt")]
Reconstructed = Annotated[bool, Meta(description="no source gives this detail; it is printed with a dagger")]
Upto = Annotated[int, Meta(ge=1, le=999, description="it happens if the die shows this or less")]


class Suffer(Effect, frozen=True, tag="suffer"):
    """The character gets a condition."""

    condition: Annotated[ConditionName, Meta(description="one of the system's conditions")]
    until: Until
    begins: Start = "now"
    after: Annotated[Until, Meta(description="it begins after this time, unless you are treated first")] | None = None
    where: Where | None = None
    reconstructed: Reconstructed = False
    levels: Annotated[Formula, Meta(description="how many levels, if the condition has levels")] | None = None
    times: Annotated[Formula, Meta(description="multiplies the time: 1 round, times the damage")] | None = None
    asks: Annotated[Line, Meta(description="the question for the dice of its duration")] | None = None
    detail: (
        Annotated[Formula, Meta(description="a detail, such as who did it; each detail is a separate condition")] | None
    ) = None


class Penalty(Effect, frozen=True, tag="penalty"):
    """Lowers statistics or rolls."""

    to: Annotated[tuple[StatisticName, ...], Meta(min_length=1, max_length=10, description="the system's statistics")]
    by: Annotated[Dice, Meta(description="how much: a number or dice")]
    until: Until
    each: Annotated[bool, Meta(description="dice are rolled for each statistic separately")] = False
    begins: Start = "now"
    per: (
        Annotated[
            CountedName, Meta(description="once per point of this statistic, or per level of the condition: level")
        ]
        | None
    ) = None
    where: Where | None = None
    reconstructed: Reconstructed = False

    @property
    def sign(self) -> int:
        """What it does to a statistic: -1, it takes from it."""
        return -1


class Bonus(Penalty, frozen=True, tag="bonus"):
    """Raises statistics or rolls."""

    @property
    def sign(self) -> int:
        """What it does to a statistic: 1, it adds to it."""
        return 1


class Halve(Effect, frozen=True, tag="halve"):
    """Halves a statistic."""

    statistic: StatisticName
    until: Until
    unless: Annotated[ConditionName, Meta(description="not while you have this condition")] | None = None
    where: Where | None = None


class Locate(Effect, frozen=True, tag="locate"):
    """Rolls which part of the body is hurt."""

    part: Annotated[PartName, Meta(description="one of the system's parts")]


class Lose(Effect, frozen=True, tag="lose"):
    """A part of the body is lost permanently. Rolls which part, and how much of it."""

    part: Annotated[PartName, Meta(description="one of the system's parts")]


class Drop(Effect, frozen=True, tag="drop"):
    """The character drops something. With a die, a thing held in both hands falls only on `upto` or less."""

    what: Literal["weapons", "item", "hand"]
    die: Dice | None = None
    upto: Upto | None = None


class Check(Effect, frozen=True, tag="check"):
    """Rolls dice against a number."""

    die: Dice
    over: Annotated[Formula, Meta(description="the die must show more; score is the death-score")] | None = None
    fail: Annotated[
        tuple[Suffer | Penalty, ...], Meta(max_length=4, description="what a failure brings, on cards")
    ] = ()
    begins: Start = "now"
    name: Annotated[Line, Meta(description="what is checked: Strength")] | None = None
    at_most: Annotated[Formula, Meta(description="the die must show this or less")] | None = None
    at_least: Annotated[Formula, Meta(description="the die must show this or more")] | None = None
    always: Annotated[Span, Meta(description="results that always succeed: 1, or 1-5")] | None = None
    never: Annotated[Span, Meta(description="results that always fail: 20, or 96-100")] | None = None
    degrees: (
        Annotated[Formula, Meta(description="points of difference per degree: 10; or a formula of rolled and target")]
        | None
    ) = None
    passes: Annotated[tuple["AnyEffect", ...], Meta(max_length=12, description="steps after a success")] = ()
    fails: Annotated[tuple["AnyEffect", ...], Meta(max_length=12, description="steps after a failure")] = ()
    ruling: Annotated[RulingName, Meta(description="the ruling that it follows")] | None = None


class Cure(Effect, frozen=True, tag="cure"):
    """Ends a condition."""

    condition: Annotated[ConditionName, Meta(description="one of the system's conditions")]


class Risk(Effect, frozen=True, tag="risk"):
    """Attempts of one kind may fail: roll each time."""

    of: Annotated[StatisticName, Meta(description="the statistic whose use may fail")]
    die: Dice
    upto: Upto
    until: Until


class OneOf(Effect, frozen=True, tag="one_of"):
    """One of several effects, all equally likely."""

    effects: Annotated[tuple["AnyEffect", ...], Meta(min_length=2, max_length=20)]


class Maybe(Effect, frozen=True, tag="maybe"):
    """Effects that happen only if a die shows `upto` or less."""

    die: Dice
    upto: Upto
    effects: Annotated[tuple["AnyEffect", ...], Meta(min_length=1, max_length=6)]


class Save(Effect, frozen=True, tag="save"):
    """The character makes a save."""

    passes: Annotated[tuple["AnyEffect", ...], Meta(max_length=6)] = ()
    fails: Annotated[tuple["AnyEffect", ...], Meta(max_length=6)] = ()
    permanent: Annotated[bool, Meta(description="only if the condition that brings it is permanent")] = False


class Draw(Effect, frozen=True, tag="draw"):
    """Draws more cards at once."""

    cards: Annotated[int, Meta(ge=1, le=5)]
    keep: Annotated[Literal["all", "choose_one"], Meta(description="which wounds count")]
    score: Annotated[bool, Meta(description="whether the scores of the drawn cards count")]
    pools: Annotated[
        Literal["all", "lowest", "none"], Meta(description="which Blood and Trauma of the drawn cards count")
    ]


class Repeat(Effect, frozen=True, tag="repeat"):
    """Applies the previous wound again. If there is none, draws a card and applies it several times."""

    draw: Annotated[int, Meta(ge=1, le=3, description="cards to draw if there is no previous wound")]
    times: Annotated[int, Meta(ge=1, le=3, description="how often that card is applied")]


class Whenever(Effect, frozen=True, tag="whenever"):
    """From now on, something happens each time an event occurs."""

    event: Literal["below_zero", "first_card", "red_card", "near_cause"]
    until: Until
    blood: Annotated[int, Meta(ge=1, le=100, description="Blood added to the pool")] | None = None
    score: Annotated[int, Meta(ge=1, le=21, description="death-score added to the card's own")] | None = None
    penalty: Penalty | None = None
    reconstructed: Reconstructed = False


WHENEVER = ("below_zero", "first_card", "red_card", "near_cause")
"""What may happen again and again."""


class Peek(Effect, frozen=True, tag="peek"):
    """The player looks at the next card and leaves it there."""


class Reroll(Effect, frozen=True, tag="reroll"):
    """A roll with the highest total is repeated."""

    roll: Literal["rest"]
    until: Until


class Spare(Effect, frozen=True, tag="spare"):
    """A lucky break: no wound and no death-score."""


class Again(Effect, frozen=True, tag="again"):
    """Draws other injuries in place of this one (in systems that draw from a full deck)."""

    cards: Annotated[int, Meta(ge=1, le=3, description="how many")] = 1
    permanent: Annotated[bool, Meta(description="they are permanent")] = False


# --- steps of a procedure that is content ---------------------------------------------------------------------------


class Step(Effect, frozen=True, kw_only=True):
    """What only the kind `steps` plays: it works on numbers, events and times that the author names."""

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


Does = Annotated[tuple["AnyEffect", ...], Meta(max_length=30)]
"""Steps in order."""
OwnNumber = Annotated[Id, Meta(description="a number, or an argument whose words are names of numbers")]


class Raise(Step, frozen=True, kw_only=True, tag="raise"):
    """Raises a number. `over` is what its bound cut off."""

    number: OwnNumber
    by: Formula
    most: Annotated[Formula, Meta(description="the limit")] | None = None


class Lower(Step, frozen=True, kw_only=True, tag="lower"):
    """Lowers a number. `over` is what its bound cut off."""

    number: OwnNumber
    by: Formula
    least: Annotated[Formula, Meta(description="the limit")] | None = None


class SetTo(Step, frozen=True, kw_only=True, tag="set"):
    """Sets a number or a word to the value of a formula."""

    number: Annotated[Id, Meta(description="one of the procedure's numbers or words")]
    to: Formula


class Let(Step, frozen=True, kw_only=True, tag="let"):
    """Names the value of a formula for the steps that follow; its dice are rolled once."""

    name: Id
    be: Formula
    title: Annotated[Line, Meta(description="its name on paper; without one it is not printed")] | None = None
    asks: Annotated[Line, Meta(description="the question for its dice; the title or name by default")] | None = None


class When(Step, frozen=True, kw_only=True, tag="when"):
    """Runs steps if something holds, others if not."""

    holds: Formula
    then: Does = ()
    otherwise: Does = msgspec.field(default=(), name="else")


class LookUp(Step, frozen=True, kw_only=True, tag="look_up"):
    """Looks up a row of a table: by a number, a word, or the table's own die."""

    table: Annotated[TableName, Meta(description="a table; optional with aimed")] | None = None
    by: Annotated[Formula, Meta(description="the result or the row's name; the table's die by default")] | None = None
    column: Annotated[Formula, Meta(description="the column's name; the table's column die by default")] | None = None
    aimed: Annotated[Id, Meta(description="an argument whose kind names the table and column")] | None = None
    asks: Annotated[Line, Meta(description="the question for its dice")] | None = None
    times: Annotated[Formula, Meta(description="how many times (once by default)")] | None = None
    but: Annotated[tuple[Span, ...], Meta(max_length=10, description="the `at` of rows that are rerolled")] = ()
    lasts: Annotated[ConditionName, Meta(description="a condition that lasts as long as the row says")] | None = None
    part_of: (
        Annotated[ConditionName, Meta(description="the row belongs to this condition, and its place is the detail")]
        | None
    ) = None


class CardStep(Step, frozen=True, kw_only=True):
    """A step with cards and decks."""


class DrawCard(CardStep, frozen=True, kw_only=True, tag="draw_card"):
    """Draws from a deck and applies the cards. An empty deck is shuffled."""

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

    face: Annotated[Formula, Meta(description="the face of the deck that counts")] | None = None
    only: Annotated[
        tuple[Id, ...], Meta(max_length=20, description="only these of its effects: [suffer, penalty]")
    ] = ()
    but: Annotated[tuple[Id, ...], Meta(max_length=20, description="all of its effects except these: [raise]")] = ()


class Keep(CardStep, frozen=True, kw_only=True, tag="keep"):
    """Puts the current card on a pile of the character."""

    pile: Annotated[PileName, Meta(description="a pile")]
    counts: Annotated[Formula, Meta(description="its value there (none by default)")] | None = None


class TakeUp(CardStep, frozen=True, kw_only=True, tag="take_up"):
    """Goes through a pile, the oldest card first; the cards stay in the pile."""

    pile: Annotated[PileName, Meta(description="a pile")]
    then: Annotated[Does, Meta(description="steps for each card")] = ()


class PutAway(CardStep, frozen=True, kw_only=True, tag="put_away"):
    """Discards cards of a pile, the newest first."""

    pile: Annotated[PileName, Meta(description="a pile")]
    by: Annotated[Formula, Meta(description="cards worth this much (all by default)")] | None = None


class Shuffle(CardStep, frozen=True, kw_only=True, tag="shuffle"):
    """Shuffles all cards of a deck back into it, for the whole table."""

    deck: Annotated[DeckName, Meta(description="a deck of decks.yaml, or deck for deck.yaml")]


class Recur(CardStep, frozen=True, kw_only=True, tag="recur"):
    """Triggers what waits with `whenever`; its penalty adds up."""

    event: Annotated[
        Literal["below_zero", "first_card", "red_card", "near_cause"], Meta(description="the event that occurred")
    ]
    times: Annotated[Formula, Meta(description="how often (once by default)")] | None = None


AnyCardStep = DrawCard | Read | Keep | TakeUp | PutAway | Shuffle | Recur


class RollFor(Step, frozen=True, kw_only=True, tag="roll"):
    """Rolls dice; the result decides which steps follow."""

    dice: Formula
    results: Annotated[
        dict[Annotated[str, Meta(pattern=r"^-?[0-9]{1,4}(\+|-[0-9]{1,4})?$(?!\n)")], Does],
        Meta(min_length=1, max_length=30, description="steps by result: 1, 2-5 or 6+"),
    ]
    asks: Annotated[Line, Meta(description="the question for the dice")] | None = None


class Call(Step, frozen=True, kw_only=True, tag="call"):
    """Runs the steps of another event."""

    event: Annotated[EventName, Meta(description="one of the system's events")]
    takes: Annotated[
        dict[Id, Formula], Meta(max_length=12, description="its arguments by name", extra_json_schema={})
    ] = msgspec.field(default_factory=dict, name="with")


class Befall(Step, frozen=True, kw_only=True, tag="befall"):
    """An event happens to others, each with their own dice and cards. The table is asked who."""

    whom: Annotated[Literal["one", "others"], Meta(description="one other character, or everybody close")]
    event: Annotated[EventName, Meta(description="one of the system's events")]
    takes: Annotated[
        dict[Id, Formula], Meta(max_length=12, description="its arguments by name", extra_json_schema={})
    ] = msgspec.field(default_factory=dict, name="with")


class End(Step, frozen=True, kw_only=True, tag="end"):
    """Ends conditions: one, a group, or all that last until this event."""

    condition: Annotated[ConditionName, Meta(description="one of the system's conditions")] | None = None
    group: Annotated[Id, Meta(description="all conditions of this group")] | None = None
    ending: (
        Annotated[
            Word | Annotated[tuple[Word, ...], Meta(min_length=1, max_length=20)],
            Meta(description="all that last until this, or until one of these"),
        ]
        | None
    ) = msgspec.field(default=None, name="until")
    card: Annotated[Formula, Meta(description="only what this card left; refused if there is nothing")] | None = None
    coming: (
        Annotated[ConditionName, Meta(description="a condition that has not begun yet, and now will not")] | None
    ) = None
    cause: Annotated[Id, Meta(description="the cause, for its `ends` (by default the event)")] | None = None
    levels: Annotated[Formula, Meta(description="how many levels (all by default)")] | None = None
    chosen: Annotated[Formula, Meta(description="only one, by its number; all if unknown")] | None = None
    here: Annotated[bool, Meta(description="only those at the part that is hurt")] = False


class Shorten(Step, frozen=True, kw_only=True, tag="shorten"):
    """Takes time off conditions."""

    of: Annotated[Id, Meta(description="a condition or a group")]
    by: Formula
    unit: UnitName = "day"
    which: Annotated[
        Literal["longest", "chosen", "all"], Meta(description="the longest, the one numbered by `chosen`, or all")
    ] = "longest"
    chosen: Annotated[Formula, Meta(description="its number; the longest if unknown")] | None = None
    rest: Annotated[Literal["next", "lost"], Meta(description="what happens to leftover time")] = "lost"


class Pass(Step, frozen=True, kw_only=True, tag="pass"):
    """Time passes: conditions act and run down, others begin."""

    unit: UnitName
    times: Annotated[Formula, Meta(description="how many (one by default)")] | None = None


class Place(Step, frozen=True, kw_only=True, tag="place"):
    """Sets the part of the body that is hurt, for the steps that follow."""

    part: Annotated[Formula, Meta(description="a part, or unknown for none")]


class Say(Step, frozen=True, kw_only=True, tag="say"):
    """Your own sentence. Its steps run, and only this sentence is printed for them."""

    do_: Does = msgspec.field(default=(), name="steps")


class Die(Step, frozen=True, kw_only=True, tag="die"):
    """The character dies; nothing more happens."""


class Revive(Step, frozen=True, kw_only=True, tag="revive"):
    """Brings a dead character back, in an event with `dead: true`."""


class Reveal(Step, frozen=True, kw_only=True, tag="reveal"):
    """Reveals a hidden number to everybody."""

    number: Annotated[Id, Meta(description="a hidden number")]


class Answer(Step, frozen=True, kw_only=True, tag="answer"):
    """Resolves the oldest pending save."""

    passed: Annotated[Formula, Meta(description="whether it succeeds")]


FIRST = "_first"
"""After the name of a die that is thrown: its first face."""


class Throw(Step, frozen=True, kw_only=True, tag="throw"):
    """Rolls named dice. Each name is their total; with `_first` it is the first face of a single die."""

    dice: Annotated[
        dict[Id, Formula],
        Meta(min_length=1, max_length=6, description="names, each with the faces of its die; 0 means no die"),
    ]
    many: Annotated[Formula, Meta(description="dice per name (one by default)")] | None = None
    keep: Annotated[Formula, Meta(description="how many count, the highest first (all by default)")] | None = None
    lowest: Annotated[bool, Meta(description="the lowest count instead")] = False
    aces: Annotated[bool, Meta(description="a die on its highest face is rolled again and added")] = False
    most: Annotated[Formula, Meta(description="the maximum total, at which aces stop (100 by default)")] | None = None
    counts: Annotated[
        dict[Id, Annotated[int, Meta(ge=1, le=100)]],
        Meta(max_length=3, description="names that count the dice on a face, in place of a total"),
    ] = {}
    titles: Annotated[
        dict[Id, Line], Meta(max_length=6, description="names of the dice in questions and on paper")
    ] = {}

    def title(self, name: str) -> str:
        """Return what the dice of a name are called."""
        return self.titles.get(name) or name.replace("_", " ")


MAX_AGAIN = 100
"""So often steps are repeated."""


class AsLong(Step, frozen=True, kw_only=True, tag="as_long"):
    """Runs steps once, and again as long as something holds."""

    holds: Formula
    do_: Annotated[Does, Meta(min_length=1)] = msgspec.field(name="steps")
    most: Annotated[Formula, Meta(description="the maximum number of times (100 by default)")] | None = None


class Choose(Step, frozen=True, kw_only=True, tag="choose"):
    """The player chooses. With only one option left, nobody is asked."""

    options: Annotated[
        dict[Line, Does], Meta(min_length=2, max_length=12, description="the options, each with its steps")
    ]
    only: Annotated[
        dict[Line, Formula], Meta(max_length=12, description="options that are offered only if this holds")
    ] = {}


AnyStep = (
    Raise | Lower | SetTo | Let | When | LookUp | AnyCardStep | RollFor | Call | Befall | End | Shorten | Pass | Place
    | Say | Die | Revive | Reveal | Answer | Throw | AsLong | Choose
)  # fmt: skip

Scoring = Check | Draw | Repeat | Whenever | Peek | Reroll
"""Only on cards with a death-score."""

AnyEffect = (
    Suffer | Penalty | Bonus | Halve | Locate | Drop | Cure | Risk | OneOf | Maybe | Save | Lose | Scoring | Spare
    | Again | AnyStep
)  # fmt: skip

_STEP = "this is a step of one's own: only procedures of the kind steps play it"
_UNPLAYED: tuple[tuple[str, Any, str], ...] = (
    *((kind, AnyStep, _STEP) for kind in ("blackjack", "traits", "field")),
    ("traits", Scoring, "this belongs on cards with a death-score: an injury deck cannot do it"),
    ("traits", Save, "nobody rolls saves here: leave it out"),
)
UNPLAYED: dict[tuple[Any, Any], str] = {
    (kind, each.__struct_config__.tag): says
    for kind, effects, says in _UNPLAYED
    for each in get_args(effects) or (effects,)
}
"""What a kind of procedure does not play: by its name and that of the effect, what is said to authors."""


def not_played(do: str, plays: Collection[str]) -> str:
    """Return why steps do not play an effect that only an event of the pack can play; empty if one does."""
    if do not in ("draw", "repeat", "spare", "again") or do in plays:
        return ""
    cure = "write do: draw_card, and the deck to draw from" if do == "draw" else "write steps of your own"
    return f"no event here plays {do}: {cure}, or plays: {{{do}: EVENT}} under procedure"


ENDED_BY_GM = ("gm", "eases")
"""The ends that the GM decides where no event does: `set bryn conditions -sore`."""
ENDS_OF_STEPS = ("now", "same", "permanent", "save", "again", *ENDED_BY_GM)
"""The ends that need no event in the kind steps."""


def missing_end(kind: str, do: str, until: object, enders: Collection[str], *, by_card: bool = False) -> str:
    """Return why an effect that lasts until this word has no end in a kind of procedure; empty where it has one.

    `enders` are what steps and the clock end, and the names of events; `by_card` what the procedure says of effects.
    """
    if not isinstance(until, str):
        return ""
    if kind != "steps":
        return ""
    kept = until == "same" or (until == "permanent" and do in ("penalty", "bonus"))
    if do in ("penalty", "bonus", "halve", "risk") and not (kept or by_card):
        cure = "write this into the implies of a condition of yours, with until: same, and let somebody suffer that"
        return f"only conditions last so long here: {cure}"
    lasts = do == "suffer" or (by_card and do in LEFT)
    if lasts and until in LASTING and until not in ENDS_OF_STEPS and until not in enders:
        return f'nothing here ends it: for "{until}" write an event of that name, permanent, or a span of time'
    return ""


Drawing = Draw | Repeat | Spare | Again
"""Those that are settled while cards are drawn, before any wound is applied."""

Lasting = Suffer | Penalty | Bonus | Halve | Lose | Risk | Whenever | Reroll
"""Those that may stay with a character, as a wound in the state."""
DRAWING: dict[str, type[Effect]] = {str(each.__struct_config__.tag): each for each in get_args(Drawing)}
"""The same by their names."""
LEFT = ("penalty", "bonus", "halve", "lose", "risk", "whenever", "reroll")
"""The names of those that are no conditions."""

# --- cards and tables ----------------------------------------------------------------------------------------------


Placement = Annotated[
    Literal["window", "ground", "bleed"],
    Meta(description="where its picture stands: under the text, pale behind all of it, or over the whole card"),
]


class CardFace(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One of several things that a card may mean, such as what it does to those whom a sword hits."""

    name: Annotated[Line, Meta(description="what it is called here")] | None = None
    effects: Annotated[tuple[AnyEffect, ...], Meta(max_length=12)] = ()
    note: QuotingText | None = None
    art: Annotated[PicturePath, Meta(description="a picture under the text, in the pack's folder")] | None = None


class Card(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One card of a deck and what it does."""

    code: Code
    name: Annotated[Line, Meta(description="what it is called")]
    flavour: Annotated[Line, Meta(description="one line of colour, not a rule")] | None = None
    score: Annotated[int, Meta(ge=0, le=100, description="only for a house rule; normally by rank")] | None = None
    score_on_purpose: Annotated[bool, Meta(description="the score differs from the rank's on purpose")] = False
    blood: Dice | None = None
    trauma: Annotated[int, Meta(ge=1, le=100)] | None = None
    effects: Annotated[tuple[AnyEffect, ...], Meta(max_length=12)] = ()
    for_good: Annotated[
        tuple[AnyEffect, ...], Meta(max_length=12, description="what it does instead as a permanent injury")
    ] = ()
    rulings: Annotated[tuple[RulingName, ...], Meta(max_length=8, description="the rulings about it")] = ()
    art: Annotated[PicturePath, Meta(description="a picture under its text, in the pack's folder")] | None = None
    placed: Placement = "window"
    emblem: (
        Annotated[EmblemName, Meta(description="the emblem under its text (by default of its first condition or part)")]
        | None
    ) = None
    copies: Annotated[int, Meta(ge=1, le=60, description="the number of copies in the deck")] = 1
    note: Annotated[QuotingText, Meta(description="a sentence after its effects")] | None = None
    lines: Annotated[dict[Id, Number | Line], Meta(max_length=12, description="its values for the deck's lines")] = {}
    faces: Annotated[dict[Id, CardFace], Meta(max_length=8, description="its content per face of the deck")] = {}

    @property
    def pictures(self) -> tuple[str, ...]:
        """Its pictures: its own, then those of its faces."""
        return tuple(art for art in (self.art, *(face.art for face in self.faces.values())) if art)

    def does(self, face: str = "") -> tuple[AnyEffect, ...]:
        """Return its effects for one of the deck's faces: its own, then those of the face."""
        return (*self.effects, *(self.faces[face].effects if face in self.faces else ()))

    @property
    def permanent(self) -> bool:
        """Whether anything of it stays for good."""
        return any(is_permanent(effect) for effect in self.effects)


def is_permanent(effect: AnyEffect) -> bool:
    """Return whether an effect stays for good."""
    until: Until | None = getattr(effect, "until", None)
    return isinstance(effect, Lose) or (until is not None and until.word == "permanent")


class Deck(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A deck of cards, in any order."""

    title: Line
    reconstructed: Annotated[bool, Meta(description="no source gives these cards; printed with a dagger")] = False
    returns: Annotated[bool, Meta(description="a card that is drawn goes back at once")] = False
    back: Annotated[PicturePath, Meta(description="the back of its cards, in place of the system's")] | None = None
    faces: Annotated[
        dict[Id, Line], Meta(max_length=8, description="the faces of its cards, such as kinds of damage, with titles")
    ] = {}
    lines: Annotated[
        dict[Id, Line], Meta(max_length=12, description="values printed line by line, each with its label")
    ] = {}
    csv: Annotated[CsvPath, Meta(description="cards from a spreadsheet, besides those here")] | None = None
    headings: Annotated[
        dict[Line, Line | None], Meta(max_length=60, description="other names of that file's columns; null skips one")
    ] = {}
    cards: Annotated[tuple[Card, ...], Meta(max_length=200)] = ()

    @property
    def in_order(self) -> tuple[Card, ...]:
        """The cards as in a new deck: suit by suit, ace to king, jokers last."""
        return tuple(sorted(self.cards, key=lambda card: order_of(card.code)))


class OwnDeck(Deck, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One of several decks: its cards have codes of their own."""

    id: Id


Cell = Number | QuotingLine | Annotated[tuple[AnyEffect, ...], Meta(max_length=12)]
"""What stands in a column of a row: a number, a word, or what happens."""


class NamedCell(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A cell that is a result of its own: its name, and what happens."""

    name: Annotated[Line, Meta(description="what it is called on cards and in the log")]
    emblem: Annotated[EmblemName, Meta(description="its emblem where it is printed as a card")] | None = None
    effects: Annotated[tuple[AnyEffect, ...], Meta(max_length=12)] = ()


class Column(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One column of a table."""

    title: Line
    at: Annotated[Span, Meta(description="the faces of the table's column die that lead here")] | None = None


class Row(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One row of a table: looked up by a number (`at`) or by its name."""

    at: Annotated[Span, Meta(description="the results that it covers: 3, 1-4 or 13+")] | None = None
    name: Annotated[Line, Meta(description="its name, in a word or two")] | None = None
    lasts: Annotated[Until, Meta(description="a span of time, dice allowed: 2d6 weeks")] | None = None
    written_cells: Annotated[
        dict[ColumnName, Cell | NamedCell], Meta(max_length=20, description="the content of each column")
    ] = msgspec.field(default_factory=dict, name="cells")
    effects: Annotated[
        tuple[AnyEffect, ...], Meta(max_length=12, description="effects in each column without a cell")
    ] = ()
    note: QuotingText | None = None
    reconstructed: Annotated[bool, Meta(description="no source gives it; printed with a dagger")] = False
    art: Annotated[PicturePath, Meta(description="a picture where it is printed as a card")] | None = None
    placed: Placement = "window"
    emblem: Annotated[EmblemName, Meta(description="its emblem where it is printed as a card")] | None = None

    @property
    def cells(self) -> dict[str, Cell]:
        """What stands in each column, without its name."""
        return {name: self.cell(name) for name in self.written_cells}

    def cell(self, column: str) -> Cell:
        """Return the effects in a column: the cell of its own, or else what the row does in all of them."""
        cell = self.written_cells.get(column, self.effects)
        return cell.effects if isinstance(cell, NamedCell) else cell

    def named_cell(self, column: str) -> NamedCell | None:
        """Return the cell of a column if it has a name of its own."""
        cell = self.written_cells.get(column)
        return cell if isinstance(cell, NamedCell) else None

    @property
    def named_cells(self) -> Iterator[NamedCell]:
        """The cells that have names of their own."""
        return (cell for cell in self.written_cells.values() if isinstance(cell, NamedCell))


DIGITS: Mapping[Span, str] = {Span(11, 66): "10 * d6 + d6", Span(111, 666): "100 * d6 + 10 * d6 + d6"}
"""The results of two or three six-sided dice read as digits, and their formula; no other digit occurs in a table."""


class Table(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Results, looked up by a number or by a name."""

    id: Id
    title: Line
    by: Annotated[TrackName, Meta(description="the track for looking up rows")] | None = None
    roll: Annotated[Dice, Meta(description="the die for a row")] | None = None
    column_roll: Annotated[Dice, Meta(description="the die that chooses the column")] | None = None
    covers: (
        Annotated[Span, Meta(description="all the results that the rows must cover, without gap or overlap")] | None
    ) = None
    names: Annotated[Line, Meta(description="the heading above the names of its rows")] | None = None
    columns: Annotated[dict[Id, Column], Meta(max_length=20)] = {}
    every: Annotated[
        tuple[AnyEffect, ...], Meta(max_length=12, description="effects that come first on every row")
    ] = ()
    rows: Annotated[tuple[Row, ...], Meta(min_length=1, max_length=200)]
    note: QuotingText | None = None
    rulings: Annotated[tuple[RulingName, ...], Meta(max_length=8, description="the rulings about it")] = ()

    def row(self, result: int) -> Row | None:
        """Return the row that covers a result."""
        return next((row for row in self.rows if row.at is not None and result in row.at), None)

    def named(self, name: str) -> Row | None:
        """Return the row of that name, ignoring case."""
        return next((row for row in self.rows if row.name and row.name.casefold() == name.casefold()), None)

    def result_named(self, name: str) -> Row | NamedCell | None:
        """Return the row of that name, or else the cell."""
        named = (cell for row in self.rows for cell in row.named_cells if cell.name.casefold() == name.casefold())
        return self.named(name) or next(named, None)

    def chances(self) -> dict[int, Fraction]:
        """Return every total that is rolled for a row, with its exact chance; nothing if no dice decide."""
        if self.roll is not None:
            return self.roll.chances()
        dice = self.digits.count("d6")
        totals = [int("".join(shown)) for shown in product("123456", repeat=dice) if dice]
        return dict.fromkeys(totals, Fraction(1, max(1, len(totals))))

    @property
    def digits(self) -> str:
        """The formula of the dice that choose a row where they are read as digits, otherwise an empty text."""
        return "" if self.roll or self.by or self.covers is None else DIGITS.get(self.covers, "")

    @property
    def key(self) -> str:
        """What a row is looked up by: the track, or `roll` where dice decide, or `name`."""
        return self.by or ("roll" if self.covers else "name")


# --- the system ----------------------------------------------------------------------------------------------------


class Source(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Where the rules come from."""

    title: Line
    author: Line
    licence: Text
    inspired_by: Line | None = None


class Suit(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One suit and its character."""

    id: Literal["C", "S", "D", "H"]
    name: Line
    character: Annotated[Line, Meta(description="one word, printed in small capitals")]
    means: Text
    pattern: (
        Annotated[
            Literal["earth", "blow", "facets", "vessels"],
            Meta(description="of the windows of its cards; the pattern of their back if left out"),
        ]
        | None
    ) = None


class Art(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Pictures of the pack's own, in place of ours: PNG, JPEG or WebP files in its folder."""

    back: Annotated[PicturePath, Meta(description="the back of all cards, cut to their shape with bleed")] | None = None
    medallion: (
        Annotated[
            PicturePath, Meta(description="in the middle of the backs that are ours, twice: the second is turned")
        ]
        | None
    ) = None
    suits: Annotated[
        dict[Literal["C", "S", "D", "H"], PicturePath],
        Meta(max_length=4, description="the suits' signs on the cards, by their letters"),
    ] = {}


class BackDesign(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What tells the back of a set of cards from others, where no picture covers it. What is left out is chosen."""

    pattern: Annotated[BackPattern, Meta(description="the pattern")] | None = None
    colour: (
        Annotated[Colour, Meta(description="of its ground, in themes that do not choose one; dark, for light lines")]
        | None
    ) = None
    title: Annotated[Word, Meta(description="in its medallion; the system's title if left out")] | None = None
    emblem: Annotated[SignName, Meta(description="in its medallion, twice; a knife and a bone if left out")] | None = (
        None
    )


class Track(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A number that the table keeps for each character."""

    name: Line
    means: QuotingText
    tokens: (
        Annotated[Line, Meta(description="the tokens that count it; red, black, blue or green are printed as chips")]
        | None
    ) = None
    most: Annotated[Positive | Id, Meta(description="the maximum on a sheet, or a number of the procedure")] | None = (
        None
    )


class Statistic(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Something that a penalty lowers: an ability, a kind of roll, or a group of abilities."""

    name: Line
    brief: Annotated[Line, Meta(description="the short form: Str")] | None = None
    stands_for: Annotated[tuple[StatisticName, ...], Meta(max_length=10, description="the members of a group")] = ()
    also: Annotated[tuple[Id, ...], Meta(max_length=10, description="other names that people type for it")] = ()


Again_ = Literal["apart", "longest", "latest", "level", "here", "keep"]


class Condition(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A state that a character can be in."""

    says: Annotated[Line, Meta(description='a sentence about "you" without a full stop: You cannot see')]
    brief: Annotated[Line, Meta(description="the short form: blind")] | None = None
    fails: Annotated[Line, Meta(description='the price of a failed check, after "or": pass out')] | None = None
    whole: Annotated[bool, Meta(description="it concerns the whole body; no part is named")] = False
    name: Annotated[Line, Meta(description="its name on cards and in tables: Gored")] | None = None
    runs: Annotated[Formula, Meta(description="its time passes only while this holds")] | None = None
    waits: Annotated[bool, Meta(description="the dice of its duration can be rolled later")] = False
    implies: Annotated[
        tuple[AnyEffect, ...], Meta(max_length=12, description="effects that come with it, in order")
    ] = ()
    chances: Annotated[
        tuple[Until, ...],
        Meta(max_length=6, description="times after which a save may end it; permanent after the last failure"),
    ] = ()
    notes: Annotated[tuple[QuotingText, ...], Meta(max_length=6, description="more sentences about it")] = ()
    short: Annotated[
        QuotingLine | None, Meta(description="the part that a sticker must have: a round's breath ends it")
    ] = None
    levels: Annotated[Positive, Meta(description="the maximum level")] | None = None
    row: Annotated[
        bool | TableName,
        Meta(description="it keeps the name of the row that brought it: true, or the table whose rows these are"),
    ] = False
    again: (
        Annotated[
            Again_,
            Meta(
                description="when it comes a second time: both, the longest, the latest, one level more, one level more"
                " at the same place and else both (here), or as it was"
            ),
        ]
        | None
    ) = None
    each: Annotated[dict[UnitName, Does], Meta(max_length=12, description="steps for each round, hour or day")] = {}
    ends: Annotated[
        dict[Id, Does], Meta(max_length=8, description="steps at its end, by cause: time, an event, or any")
    ] = {}
    group: Annotated[Id, Meta(description="the group that it belongs to")] | None = None
    art: Annotated[PicturePath, Meta(description="a picture where it is printed as a card")] | None = None
    placed: Placement = "window"
    emblem: Annotated[EmblemName, Meta(description="its emblem (by default the one of its name)")] | None = None


class Extent(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How much of a part is lost: one step for each face of the die."""

    die: Dice
    steps: Annotated[tuple[Line, ...], Meta(min_length=2, max_length=20)]
    reconstructed: Annotated[tuple[Shown, ...], Meta(max_length=20, description="faces that no source names")] = ()


Area = Literal["head", "torso", "arm", "leg", "hand"]
"""What the figure of a sheet tells apart."""


class Part(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A part of the body. With a die, roll which one: `sides`, and in each side every one of `members`."""

    name: Line
    die: Dice | None = None
    sides: Annotated[tuple[Line, ...], Meta(max_length=20)] = ()
    members: Annotated[tuple[Line, ...], Meta(max_length=20)] = ()
    extent: Extent | None = None
    figure: Annotated[Area | None, Meta(description="its place on a sheet's figure (by default by its name)")] = None
    emblem: Annotated[EmblemName, Meta(description="its emblem (by default the one of its name)")] | None = None
    reconstructed: Annotated[bool, Meta(description="no source says which face means which; printed with a dagger")] = (
        False
    )

    @property
    def places(self) -> tuple[str, ...]:
        """One name for each face of the die."""
        if not self.members:
            return self.sides
        return tuple(f"{side} {member}" for side in self.sides for member in self.members)


class Switch(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A choice between readings of a rule. The first line of each option says what it does."""

    name: Id
    default: Option
    options: Annotated[dict[Option, QuotingText], Meta(min_length=2, max_length=6)]


class Ruling(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How the project reads one point of the source."""

    id: Annotated[str, Meta(pattern=r"^[A-Z]{1,2}[0-9]{1,3}$(?!\n)")]
    point: QuotingLine
    source: Text
    ours: QuotingText
    switch: Switch | None = None


# --- events of a procedure that is content ---------------------------------------------------------------------------


class Fewer(Struct, frozen=True, forbid_unknown_fields=True):
    """Where something holds of what was said before, fewer words are possible."""

    when: Formula
    of: Annotated[tuple[Option, ...], Meta(min_length=1, max_length=60)]


class Argument(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What an event takes: one of some words, a name, or a number."""

    says: Annotated[Line, Meta(description="a description in a few words")] | None = None
    sample: Annotated[Word, Meta(description="the example in the help: N, or one of its words")] | None = None
    fewer: Annotated[tuple[Fewer, ...], Meta(max_length=12, description="when fewer of its words are offered")] = ()
    of: Annotated[
        tuple[Option, ...], Meta(max_length=60, description="the words to choose from; without them it is a number")
    ] = ()
    one_of: Annotated[Id, Meta(description="or a kind of the procedure's aims")] | None = None
    name: Annotated[bool, Meta(description="any name, such as a helper's")] = False
    flag: Annotated[bool, Meta(description="a word that is typed or not: 1 or 0 in formulas")] = False
    die: Annotated[bool, Meta(description="a die such as d8, rolled wherever a formula names it")] = False
    card: Annotated[bool, Meta(description="a card, or one of its words")] = False
    least: Number = 1
    most: Number = 10_000
    default: (
        Annotated[Formula, Meta(description="the default; for words, the number of a word: d4 rolls among four")] | None
    ) = None
    optional: Annotated[bool, Meta(description="it can be left out and is then unknown")] = False
    when: Annotated[Formula, Meta(description="it is asked only if this holds")] | None = None


class Happening(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An event of the author's: what it takes, what it needs, and what happens, in order."""

    says: Annotated[Line, Meta(description="its text in the help: somebody binds the wound")]
    title: Annotated[Line, Meta(description="its name on paper (by default what it says)")] | None = None
    takes: Annotated[dict[Id, Argument], Meta(max_length=12)] = {}
    needs: Annotated[tuple[Need, ...], Meta(max_length=12)] = ()
    do_: Does = msgspec.field(default=(), name="do")
    until: (
        Annotated[Line, Meta(description="the end of a condition that lasts until it: until you are bandaged")] | None
    ) = None
    odds: Annotated[
        dict[Id, Formula], Meta(max_length=20, description="chances for `odds`: a name, and when it holds")
    ] = {}
    aside: Annotated[
        dict[Id, Formula], Meta(max_length=20, description="chances for the text of `odds` only, not for JSON")
    ] = {}
    labels: Annotated[dict[Id, Line], Meta(max_length=20, description="their labels in the text of `odds`")] = {}
    better: (
        Annotated[Formula, Meta(description="the value that `--policy best` maximises and `worst` minimises")] | None
    ) = None
    lists: Annotated[
        tuple[Literal["rows", "names", "conditions", "numbers", "cards", "left"], ...],
        Meta(max_length=6, description="what odds show: names are rows by name, left is the number of cards left"),
    ] = ("rows", "conditions", "numbers", "cards")
    spreads: Annotated[
        tuple[Id, ...], Meta(max_length=6, description="numbers whose values odds show for survivors")
    ] = ()
    table: Annotated[TableName, Meta(description="the only table whose rows odds show")] | None = None
    spared: Annotated[Formula, Meta(description="how many times in a hundred nothing happens")] | None = None
    alone: Annotated[bool, Meta(description="it exists for odds only")] = False
    dead: Annotated[bool, Meta(description="it can happen to the dead")] = False
    helper: Annotated[bool, Meta(description="only other events call it")] = False
    gives: Annotated[
        tuple[Id, ...], Meta(max_length=12, description="names from its `let` that the calling event knows afterwards")
    ] = ()


class Question(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What only odds are asked: that something befalls at least one of so many, by such events one after the other."""

    says: Annotated[Line, Meta(description="its text in the help")]
    event: Annotated[EventName, Meta(description="the event that happens to each")]
    each: Annotated[Id, Meta(description="the number that differs each time: 2,1")]
    counts: Annotated[Formula, Meta(description="what is counted, after the event: suffered(breakdown)")]
    name: Annotated[Id, Meta(description="the key of the answer")] = "at_least_one"
    gain: Annotated[Line, Meta(description="the label of each value: a gain of")] | None = None
    means: Annotated[Line, Meta(description="the label of the result: has broken down")] | None = None


class Watch(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """After every event: when something holds, something follows."""

    holds: Formula
    do_: Does = msgspec.field(name="do")
    says: Annotated[Text, Meta(description="your own text on paper")] | None = None


# --- claims --------------------------------------------------------------------------------------------------------


CellName = Annotated[Id, Names("column", also=("effects", "note"))]
Details = Annotated[dict[Id, Line], Meta(max_length=20)]
Facts = Annotated[dict[Word, Any], Meta(max_length=60)]


class Claim(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag_field="about"):
    """Something that the source states and that can be recomputed."""

    id: Id
    says: Annotated[Text, Meta(description="what the source says, in our own words")]
    where: Annotated[Line, Meta(description="the section of the source")]
    differs: Annotated[Text, Meta(description="why the claim is known to fail")] | None = None
    computes: Annotated[Any, Meta(description="the actual result, if the claim fails")] = None


class EventClaim(Claim, frozen=True, kw_only=True, tag="event"):
    """An event on a state leads to a state."""

    event: Line
    at: Details = {}
    state: Facts = {}
    cards: Annotated[tuple[CardCode, ...], Meta(max_length=200)] = ()
    dice: Annotated[tuple[Shown, ...], Meta(max_length=400)] = ()
    choices: Annotated[tuple[Shown, ...], Meta(max_length=200)] = ()
    expect: Annotated[Facts, Meta(description="keys of the resulting state")] = {}
    log: Annotated[Facts, Meta(description="facts of the log: the last entry that has such a key")] = {}
    then: Annotated[tuple[Line, ...], Meta(max_length=12, description="events that follow, with the luck left")] = ()
    rolls: Annotated[
        tuple[Dice, ...], Meta(max_length=40, description="the dice that must be rolled, in order: [d20]")
    ] = ()


class CardClaim(Claim, frozen=True, tag="card"):
    """Cards have a value in common, as `hackjack card --json` shows it."""

    cards: Annotated[tuple[CardCode, ...], Meta(min_length=1, max_length=54)]
    expect: Facts


class TableClaim(Claim, frozen=True, tag="table"):
    """A table row holds a value: how long it lasts or its name, or what stands in a column, or its effects or note."""

    table: TableName
    at: Annotated[Number | Line, Meta(description="the number of the row, or its name")]
    expect: Text
    column: Annotated[CellName, Meta(description="one of the columns, or effects or note")] | None = None


class ConditionClaim(Claim, frozen=True, tag="condition"):
    """A condition says these sentences, word for word, among others."""

    condition: ConditionName
    expect: Annotated[tuple[Text, ...], Meta(min_length=1, max_length=12)]


class PanelClaim(Claim, frozen=True, kw_only=True, tag="panel"):
    """A block of a panel prints these words, among others: figures that no `{number}` fills in."""

    of: Annotated[Id, Meta(description="the product: screen, reference or sheet, or one of your own")]
    panel: Annotated[Which, Meta(description="the title of its panel, or the number")]
    block: Annotated[Which, Meta(description="the title of the block, or its number on the panel")]
    expect: Annotated[tuple[Text, ...], Meta(min_length=1, max_length=12, description="as printed, with its numbers")]


class OddsClaim(Claim, frozen=True, kw_only=True, tag="odds"):
    """A chance as `hackjack odds --json` counts it, rounded to so many decimals: 0.33 for 33 %.

    What is no chance there is given as it stands (`cards_left: 52`, `best: stand`), and of a group the chances by name:
    `score: {12: 0.08}`.
    """

    event: Line
    at: Details = {}
    state: Facts = {}
    policy: HowChosen | None = None
    expect: Annotated[dict[Word, float | Line | Annotated[dict[Word, float], Meta(max_length=60)]], Meta(max_length=60)]
    decimals: Annotated[int, Meta(ge=0, le=12)] = 2


class NumberClaim(Claim, frozen=True, tag="number"):
    """One of the procedure's numbers, or its dice."""

    number: NumberName
    expect: Number | Line


class DeckClaim(Claim, frozen=True, tag="deck"):
    """A count over the deck: how many cards, and the scores from lowest to highest."""

    cards: Small
    lowest: Small
    highest: Small


AnyClaim = EventClaim | OddsClaim | CardClaim | TableClaim | ConditionClaim | PanelClaim | NumberClaim | DeckClaim

# --- cards of anything ---------------------------------------------------------------------------------------------


ALL = "all"
"""Instead of a group of conditions: every one that has a name."""
TAKEN = (
    "calibration",
    "combatants",
    "deck",
    "mat",
    "mixed",
    "reference",
    "reference-cards",
    "screen",
    "sheet",
    "tokens",
)
"""Names of products that no set of cards may have."""


class CardSource(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The source of cards: a table's rows, the cells of tables, conditions, or a deck's cards. One of these four."""

    table: TableName | None = None
    cells: (
        Annotated[
            Id | Annotated[tuple[Id, ...], Meta(min_length=1, max_length=12)],
            Meta(description="a card per result of these tables, or of the tables of these kinds"),
        ]
        | None
    ) = None
    conditions: (
        Annotated[
            Id | Annotated[tuple[Id, ...], Meta(min_length=1, max_length=200)],
            Meta(description="a list, a group, or all (those with a name)"),
        ]
        | None
    ) = None
    deck: Annotated[Id, Meta(description="a deck of decks.yaml, or deck for deck.yaml")] | None = None
    face: Annotated[Id, Meta(description="the only face of a deck to print")] | None = None


class CardBadge(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a formula comes to with what a card brings, whatever dice and saves decide: `+2 severity`."""

    number: Annotated[Formula, Meta(description="per_injury * count(injury)")]
    caption: Annotated[Line, Meta(description="the caption below the number")]


MAX_BOXES = 20
"""A card of a condition has room for so many boxes."""


class CardBoxes(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Boxes to cross off on the card of a condition."""

    label: Line
    says: Annotated[Line, Meta(description="when one is crossed off")] = "cross one off each time"
    count: Annotated[Annotated[int, Meta(ge=1, le=MAX_BOXES)] | TrackName, Meta(description="how many, or a track")]
    short: Annotated[QuotingText, Meta(description="the text of a sticker")] | None = None


class CardsOf(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A set of cards to print from other content of the system."""

    name: Annotated[Id, Meta(description="the product's name: hackjack print SYSTEM NAME")]
    from_: CardSource = msgspec.field(name="from")
    word: (
        Annotated[Line, Meta(description="the small line above the text (by default the name or the group)")] | None
    ) = None
    emblem: Annotated[EmblemName, Meta(description="the emblem of cards that have none")] | None = None
    also: Annotated[tuple[QuotingText, ...], Meta(max_length=6, description="sentences on all of them")] = ()
    brief: Annotated[QuotingLine, Meta(description="the short form for stickers")] | None = None
    blanks: Annotated[tuple[Line, ...], Meta(max_length=4, description="lines to write on")] = ()
    for_good: Annotated[bool, Meta(description="the foot says that everything on it is permanent")] = False
    emblems: Annotated[
        dict[Id, EmblemName],
        Meta(max_length=40, description="emblems of columns that are no parts of the body: {fire: burn}"),
    ] = {}
    deadly: Annotated[
        tuple[ConditionName, ...],
        Meta(max_length=20, description="conditions with a red card, besides those that kill"),
    ] = ()
    lasting: (
        Annotated[Line, Meta(description="in place of the word, for conditions that last for days or are permanent")]
        | None
    ) = None
    badge: CardBadge | None = None
    boxes: Annotated[dict[ConditionName, CardBoxes], Meta(max_length=8)] = {}
    back: Annotated[PicturePath, Meta(description="the back of these cards, in place of the system's")] | None = None


# --- files and the whole -------------------------------------------------------------------------------------------


VERSION = r"^[0-9]{1,6}(\.[0-9]{1,6}){1,2}$(?!\n)"
"""Of content, and of the program: two or three numbers."""


class SystemFile(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`system.yaml`: what a system is, apart from its cards, tables and claims."""

    id: Id
    extends: Annotated[Id, Meta(description="the system that it changes; everything else stays as there")] | None = None
    title: Annotated[Line, Meta(description="its title")]
    version: Annotated[str, Meta(pattern=VERSION, description="the content's own version")]
    needs: (
        Annotated[str, Meta(pattern=VERSION, description="the oldest version of Hackjack that can read it")] | None
    ) = None
    about: Annotated[QuotingText, Meta(description="a description in a sentence or two")]
    source: Source
    procedure: AnyProcedure
    suits: Annotated[tuple[Suit, ...], Meta(max_length=4)] = ()
    tracks: Annotated[dict[Id, Track], Meta(max_length=20)] = {}
    statistics: Annotated[dict[Id, Statistic], Meta(max_length=60)] = {}
    conditions: Annotated[dict[Id, Condition], Meta(max_length=200)] = {}
    parts: Annotated[dict[Id, Part], Meta(max_length=60)] = {}
    rulings: Annotated[tuple[Ruling, ...], Meta(max_length=100)] = ()
    art: Art | None = None
    theme: Annotated[ThemeName, Meta(description="the theme of everything printed")] | None = None
    backs: Annotated[
        dict[Word, BackDesign], Meta(max_length=40, description="backs of sets of cards, by name, such as deck")
    ] = {}
    events: Annotated[dict[Id, Happening], Meta(max_length=60, description="events, for the kind steps")] = {}
    watches: Annotated[tuple[Watch, ...], Meta(max_length=20)] = ()
    questions: Annotated[
        dict[Id, Question], Meta(max_length=20, description="questions for odds only, for the kind steps")
    ] = {}
    cards: Annotated[
        tuple[CardsOf, ...], Meta(max_length=20, description="tables, conditions and decks to print as cards")
    ] = ()


class DeckFile(Deck, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`deck.yaml`: the cards."""


class DecksFile(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`decks.yaml`: decks of any cards."""

    decks: Annotated[
        tuple[OwnDeck, ...], Meta(min_length=1, max_length=12, description="a list of decks, each with an id")
    ]


class TablesFile(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`tables.yaml`: the tables."""

    tables: Annotated[tuple[Table, ...], Meta(max_length=60)]


class ClaimsFile(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`claims.yaml`: what the source states and the engine recomputes."""

    claims: Annotated[tuple[AnyClaim, ...], Meta(max_length=300)]


class HandOut(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A token to print for a player: a luck charm, burn card, hole card, kicker or connection marker."""

    kind: Literal["charm", "burn", "hole", "kicker", "marker"]
    name: Annotated[Line, Meta(description="its name; for a marker, who owes the favour")] | None = None
    die: Annotated[Dice, Meta(description="of a hole card or a marker")] | None = None
    bonus: Annotated[int, Meta(ge=1, le=20, description="of a kicker")] | None = None
    trait: Annotated[Line, Meta(description="the only trait it can be used for")] | None = None
    card: Annotated[str, Meta(min_length=2, max_length=3, description="of a burn card: KH")] | None = None
    says: Annotated[Line, Meta(description="a further rule, or where it came from")] | None = None
    copies: Annotated[int, Meta(ge=1, le=20)] = 1


class TokensFile(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`tokens.yaml`: tokens to hand out; without it they are printed blank."""

    tokens: Annotated[tuple[HandOut, ...], Meta(min_length=1, max_length=200)]


class TakenCard(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A card of another system, with the back that it has there."""

    from_: ProductOf = msgspec.field(name="from")
    card: Annotated[Word, Meta(description="its code")]
    copies: Annotated[int, Meta(ge=1, le=1000)] = 1


MIXED = "mixed"
"""The product of `mixed.yaml`."""


class MixedFile(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`mixed.yaml`: cards of any systems, to print on the same sheets."""

    title: Line = "Mixed cards"
    cards: Annotated[tuple[TakenCard, ...], Meta(min_length=1, max_length=400)]


PANELS = ("screen", "sheet", "reference")
"""Products of panels that have a page of their own kind: each is a YAML file of that name."""
PANELS_ENDING = ".panels.yaml"
"""Ending of the files of other products of panels: "handout.panels.yaml" is the product "handout"."""

FILE_KINDS: dict[str, type[Struct]] = {
    "system.yaml": SystemFile,
    "deck.yaml": DeckFile,
    "decks.yaml": DecksFile,
    "tables.yaml": TablesFile,
    "claims.yaml": ClaimsFile,
    "combatants.yaml": CombatantsFile,
    "tokens.yaml": TokensFile,
    "screen.yaml": PanelsFile,
    "sheet.yaml": PanelsFile,
    "reference.yaml": PanelsFile,
    "theme.yaml": Theme,
    "page.yaml": PageFile,
    "mixed.yaml": MixedFile,
}


@dataclass(frozen=True)
class System:
    """A whole system: its files put together, and the house rules in force (`settings`, by switch name).

    `others` are the systems, by name, that it takes cards and blocks from.
    `usual` is the procedure of the lowest system that it extends, against which changed numbers are told.
    `folder` is where its pictures lie, `below` are the folders of the systems that it extends, the nearest first.
    `inherited` are the claims, by id, of the system that it extends: they speak of that one's source.
    If it is `mended`, stand-ins take the place of what is wrong in it, and nothing tells what it uses.
    `at_table` is the state of a session, as plain data, whose cards are printed with what is written on them.
    `played` is what its files say of play, whatever settings are in force, as JSON; empty for what is no pack.
    """

    head: SystemFile
    deck: Deck | None
    tables: tuple[Table, ...]
    claims: tuple[AnyClaim, ...]
    panels: tuple[tuple[str, PanelsFile], ...] = ()
    settings: tuple[tuple[str, str], ...] = ()
    usual: AnyProcedure | None = None
    combatants: tuple[Combatant, ...] = ()
    tokens: tuple[HandOut, ...] = ()
    folder: Path | None = None
    below: tuple[Path, ...] = ()
    inherited: frozenset[str] = frozenset()
    mended: bool = False
    decks: tuple[OwnDeck, ...] = ()
    played: bytes = b""
    theme: Theme = PLAIN
    page: PageFile = EMPTY
    mixed: MixedFile | None = None
    others: Mapping[str, "System"] = field(default_factory=dict, hash=False)
    at_table: Mapping[str, Any] = field(default_factory=dict, hash=False)

    @cached_property
    def checksum(self) -> str:
        """A checksum of what is played; empty for what is no pack."""
        # Only here, because most commands keep no journal and should start fast.
        from hashlib import sha256

        return sha256(self.played).hexdigest()[:16] if self.played else ""

    def all_effects(self) -> Iterator[AnyEffect]:
        """Yield every effect in the content, those inside others last, so that whole entries come first."""
        entries: list[tuple[AnyEffect, ...]] = []
        for deck in self.piles.values():
            for card in deck.cards:
                entries += [card.effects, card.for_good, *(face.effects for face in card.faces.values())]
        for condition in self.head.conditions.values():
            entries += [condition.implies, *condition.each.values(), *condition.ends.values()]
        entries += [event.do_ for event in self.head.events.values()]
        entries += [watch.do_ for watch in self.head.watches]
        for table in self.tables:
            entries.append(table.every)
            for row in table.rows:
                entries += [row.effects, *(cell for cell in row.cells.values() if isinstance(cell, tuple))]
        yield from (effect for entry in entries for effect in entry)
        yield from (effect for entry in entries for trail, effect in walk_effects(entry) if len(trail) > 1)

    @cached_property
    def ready(self) -> dict[Any, Any]:
        """Return what has been made ready for questions about this system, each by its maker's key."""
        return {}

    @cached_property
    def switches(self) -> dict[str, Switch]:
        """Every switch by its name."""
        return {ruling.switch.name: ruling.switch for ruling in self.head.rulings if ruling.switch}

    @cached_property
    def cards(self) -> dict[str, Card]:
        """The deck's cards by code."""
        return {card.code: card for card in self.deck.cards} if self.deck else {}

    @cached_property
    def piles(self) -> dict[str, Deck]:
        """Every deck by its name; that of `deck.yaml` is called deck."""
        return ({"deck": self.deck} if self.deck else {}) | {deck.id: deck for deck in self.decks}

    @cached_property
    def figures(self) -> dict[str, int | Dice]:
        """The procedure's numbers and dice by name; those of the kind `steps` are the author's constants."""
        procedure = self.head.procedure
        if isinstance(procedure, StepsProcedure):
            return {name: dice.plus if dice.is_number else dice for name, dice in procedure.constants.items()}
        values = {name: getattr(procedure, name) for name in procedure.__struct_fields__}
        return {name: value for name, value in values.items() if isinstance(value, int | Dice)}

    @cached_property
    def numbers(self) -> dict[str, str]:
        """The procedure's numbers by name, as texts of the content may quote them: `{limit}`."""
        return {name: value.spoken if isinstance(value, Dice) else str(value) for name, value in self.figures.items()}

    @cached_property
    def question_sizes(self) -> tuple[int, ...]:
        """How many chances each of its charts asks for, then 1 for each quoted chance and each claim about odds."""
        blocks = [block for _, file in self.panels for panel in file.panels for block in panel.blocks]
        fields = (block.size for block in blocks if isinstance(block, OddsBlock))
        quotes = sum(len(block.chances) for block in blocks if isinstance(block, ChancesBlock))
        return (*fields, *(1,) * (quotes + sum(isinstance(claim, OddsClaim) for claim in self.claims)))

    def tables_of(self, names: str | tuple[str, ...]) -> tuple[str, ...]:
        """Return the tables of a list, or those in which kinds of something are looked up."""
        if not isinstance(names, str):
            return names
        procedure = self.head.procedure
        kinds = procedure.aims.get(names, {}) if isinstance(procedure, StepsProcedure) else {}
        return tuple(dict.fromkeys(aim.table for aim in kinds.values()))

    @cached_property
    def aims(self) -> dict[str, Mapping[str, Aim]]:
        """The kinds that arguments of events may be of, each with its table, by the argument's name."""
        there = self.head.procedure.aims if isinstance(self.head.procedure, StepsProcedure) else {}
        takes = [item for event in self.head.events.values() for item in event.takes.items()]
        return {name: there[argument.one_of] for name, argument in takes if argument.one_of in there}

    def tables_met(self, step: LookUp) -> tuple[str, ...]:
        """Return the tables that a step may look up: its own, and those of the kinds of its argument."""
        kinds = self.aims.get(step.aimed, {}).values() if step.aimed else ()
        return tuple(dict.fromkeys([*([step.table] if step.table else []), *(aim.table for aim in kinds)]))

    @cached_property
    def readings(self) -> dict[str, str]:
        """The reading in force of each ruling that has a switch, by its number, as texts may quote it: `{H6}`."""
        switched = [(ruling.id, ruling.switch) for ruling in self.head.rulings if ruling.switch]
        return {name: switch.options.get(self.setting(switch.name) or "", "") for name, switch in switched}

    @cached_property
    def _chosen(self) -> dict[str, str]:
        return dict(self.settings)

    def setting(self, switch: str) -> str | None:
        """Return the option in force for a switch; None where the system has no such switch."""
        chosen = self._chosen.get(switch)
        return chosen or (self.switches[switch].default if switch in self.switches else None)

    @cached_property
    def house_rules(self) -> tuple[tuple[str, str], ...]:
        """The switches that stand elsewhere than by default, as (name, option)."""
        return tuple((name, value) for name, value in self.settings if value != self.switches[name].default)

    def laid_out(self, product: str, *, rulings: bool = True) -> PanelsFile | None:
        """Return the panels of a product; with `rulings`, those that no panel of a screen lists stand on a last one."""
        file = dict(self.panels).get(product)
        if file is None or product != "screen" or not rulings:
            return file
        listed = [block for panel in file.panels for block in panel.blocks if isinstance(block, RulingsBlock)]
        listed_rulings = {
            ruling for block in listed for ruling in block.only or (each.id for each in self.head.rulings)
        }
        left = tuple(ruling.id for ruling in self.head.rulings if ruling.id not in listed_rulings)
        if not left:
            return file
        last = Panel(title="What we ruled", columns=3, emblem="lock", blocks=(RulingsBlock(only=left),))
        return msgspec.structs.replace(file, panels=(*file.panels, last))

    @cached_property
    def changed_numbers(self) -> tuple[tuple[str, str], ...]:
        """The numbers of the procedure that are not as usual, as (name, value); an entry of a list as `scores J`."""
        usual, comparable = self.usual_numbers, type(self.usual) is type(self.head.procedure)
        figures = _figures(self.head.procedure) if comparable else ()
        return tuple((name, value) for name, value in figures if usual.get(name) != value)

    @cached_property
    def usual_numbers(self) -> dict[str, str]:
        """The procedure's numbers as the lowest system that it extends has them; none where that is of another kind."""
        return dict(_figures(self.usual)) if type(self.usual) is type(self.head.procedure) else {}

    def departs(self, ruling: Ruling) -> bool:
        """Return whether a ruling is read otherwise than by default."""
        return ruling.switch is not None and ruling.switch.name in dict(self.house_rules)

    @cached_property
    def brought(self) -> dict[str, frozenset[str]]:
        """By each condition, those that it brings for as long as it lasts, and what these bring."""

        def reached(name: str, seen: frozenset[str]) -> frozenset[str]:
            condition = self.head.conditions.get(name)
            for effect in condition.implies if condition else ():
                if isinstance(effect, Suffer) and effect.until.word == "same" and effect.condition not in seen:
                    seen = reached(effect.condition, seen | {effect.condition})
            return seen

        return {name: reached(name, frozenset()) for name in self.head.conditions}

    @cached_property
    def units(self) -> tuple[str, ...]:
        """Every unit of time, ours and the author's, the shortest first."""
        return tuple(sorted((*UNITS, *self._own_units), key=self.unit_length))

    @property
    def _own_units(self) -> Mapping[str, str]:
        return self.head.procedure.units if isinstance(self.head.procedure, StepsProcedure) else {}

    def unit_length(self, unit: str) -> tuple[int, int]:
        """Return how long a unit of time is: so many rounds, or after these so many minutes."""
        many, _, word = self._own_units.get(unit, f"1 {unit}").partition(" ")
        minutes = _MINUTES.get(unit_of(word), 0)
        return (1, int(many) * minutes) if minutes else (0, int(many))

    @cached_property
    def unit_days(self) -> dict[str, int]:
        """Units that are counted down in days, and how many each is."""
        lengths = {unit: self.unit_length(unit)[1] for unit in self.units if self.unit_length(unit)[0]}
        day = _MINUTES["day"]
        return {unit: length // day for unit, length in lengths.items() if length > day and length % day == 0}

    @cached_property
    def renewed(self) -> frozenset[str]:
        """The conditions that may come again for as long as they lasted from their start."""
        return frozenset(
            effect.condition
            for effect in self.all_effects()
            if isinstance(effect, Suffer) and effect.until.word == "again"
        )

    @cached_property
    def steps(self) -> StepsProcedure:
        """What a system of steps counts with. Raises HackjackError for any other."""
        if not isinstance(self.head.procedure, StepsProcedure):
            raise HackjackError(f"{self.head.id} does not define its own events (only packs of kind steps do)")
        return self.head.procedure

    @cached_property
    def kept_numbers(self) -> dict[str, procedures.OwnNumber]:
        """The author's numbers that a state has: all but those for one event."""
        return {name: own for name, own in self.steps.numbers.items() if not own.temporary}

    @cached_property
    def kept_piles(self) -> dict[str, procedures.OwnPile]:
        """The author's piles that a state has: all but those for one event."""
        return {name: own for name, own in self.steps.piles.items() if not own.temporary}

    @cached_property
    def titles(self) -> dict[str, str]:
        """The titles of names that events and tables give with `let`."""
        lists = [event.do_ for event in self.head.events.values()]
        cells = (cell for table in self.tables for row in table.rows for cell in (row.effects, *row.cells.values()))
        lists += [table.every for table in self.tables]
        lists += [cell for cell in cells if isinstance(cell, tuple)]
        steps = (effect for effects in lists for _, effect in walk_effects(effects))
        return {step.name: step.title for step in steps if isinstance(step, Let) and step.title}

    @cached_property
    def held_conditions(self) -> dict[str, Condition]:
        """All that a character may hold by name: the conditions, and what effects leave beside their cards."""
        left = {name: Condition(says=name.capitalize(), again="apart") for name in LEFT} if self.steps.by_card else {}
        return left | self.head.conditions

    @cached_property
    def retold(self) -> dict[str, list[Retelling]]:
        """What the log tells in words of the author's, by what JSON calls it."""
        tellings: dict[str, list[Retelling]] = {}
        for telling in self.steps.log:
            tellings.setdefault(telling.of, []).append(telling)
        return tellings

    @cached_property
    def state_keys(self) -> dict[str, str]:
        """Where conditions stand in a written state: the key of a condition, a group, `long` or `any`."""
        return {key.of: key.key for key in self.steps.state if key.of}

    @cached_property
    def field(self) -> Field:
        """The numbers of a system that fights over a field of cards. Raises HackjackError for any other."""
        if not isinstance(self.head.procedure, Field):
            raise HackjackError(f"{self.head.id} has no field of cards (its procedure is of a different kind)")
        return self.head.procedure

    @property
    def kind(self) -> str:
        """The kind of its procedure: `steps`, for one."""
        return str(self.head.procedure.__struct_config__.tag)

    @cached_property
    def pictures(self) -> tuple[str, ...]:
        """The names of all pictures that it shows, each once."""
        art, piles = self.head.art or Art(), self.piles.values()
        backs = (art.back, art.medallion, *(block.back for block in self.head.cards), *(pile.back for pile in piles))
        rows = (row.art for table in self.tables for row in table.rows)
        drawn = (*(condition.art for condition in self.head.conditions.values()), *rows)
        on_cards = (picture for pile in piles for card in pile.cards for picture in card.pictures)
        emblems = (name for name in self.emblems if is_picture(name))
        return tuple(dict.fromkeys(filter(None, (*backs, *art.suits.values(), *drawn, *on_cards, *emblems))))

    @property
    def emblems(self) -> Iterator[str]:
        """Every emblem that the content names, however often."""
        head, cards = self.head, (card for pile in self.piles.values() for card in pile.cards)
        rows = (row for table in self.tables for row in table.rows)
        of_people = (
            *(each.emblem for each in head.conditions.values()),
            *(each.emblem for each in head.parts.values()),
        )
        of_cells = (cell.emblem for table in self.tables for row in table.rows for cell in row.named_cells)
        of_cards = (*(row.emblem for row in rows), *of_cells, *(card.emblem for card in cards))
        of_blocks = (name for block in head.cards for name in (block.emblem, *block.emblems.values()))
        yield from filter(None, (*of_people, *of_cards, *of_blocks))

    def conditions_of(self, names: str | tuple[str, ...]) -> tuple[str, ...]:
        """Return the conditions that a list, a group or `all` means, in the order of the list or of the content."""
        conditions = self.head.conditions
        if not isinstance(names, str):
            return names
        return tuple(name for name, each in conditions.items() if each.group == names or (names == ALL and each.name))

    @cached_property
    def beside(self) -> tuple[str, ...]:
        """The names of all files besides YAML that it is made of: pictures, CSV files of cards, and fonts."""
        return (*self.pictures, *(deck.csv for deck in self.piles.values() if deck.csv), *self.theme.fonts.own)

    def most_of(self, track: str) -> int | None:
        """Return how much of a track fits on a sheet."""
        most = self.head.tracks[track].most
        if not isinstance(most, str):
            return most
        number = self.numbers.get(most, "")
        return int(number) if number.isdigit() else None

    def score_of(self, card: Card) -> int:
        """Return the death-score of a card: its own where it says so, otherwise its rank's."""
        return card.score if card.score is not None else self.rank_score(card.code)

    def rank_score(self, code: str) -> int:
        """Return the death-score that a card has by its rank; jokers and codes of their own have none."""
        rank, procedure = rank_of(code), self.head.procedure
        scores = procedure.scores if isinstance(procedure, StepsProcedure) else {}
        if not suit_of(code) or not scores:
            return 0
        return scores[rank] if rank in scores else int(rank) if rank.isdigit() else 0

    def table(self, name: str) -> Table | None:
        """Return a table by its id."""
        return self._tables.get(name)

    def part_at(self, place: str) -> str:
        """Return the part of the body at a place, such as `arm` for `left arm`; empty if there is none."""
        words, fitting = f" {place.partition(' (')[0]}", dict[str, tuple[bool, int]]()
        for name, part in self.head.parts.items():
            # A limb is where its members are, if they are no parts themselves.
            for each in (part.name, *part.members):
                if words.endswith(f" {each}"):
                    fitting[name] = max(fitting.get(name, (False, 0)), (each == part.name, len(each)))
        return max(fitting, key=lambda name: fitting[name], default="")

    @cached_property
    def _tables(self) -> dict[str, Table]:
        return {table.id: table for table in reversed(self.tables)}


def _figures(procedure: AnyProcedure | None) -> Iterator[tuple[str, str]]:
    """Yield all the numbers and dice of a procedure as a person reads them, by name."""
    if isinstance(procedure, StepsProcedure):
        yield from ((name, dice.spoken) for name, dice in procedure.constants.items())
    for name in procedure.__struct_fields__ if procedure else ():
        value = getattr(procedure, name)
        match value:
            case int():
                yield name, str(value)
            case Dice():
                yield name, value.spoken
            case dict():
                yield from ((f"{name} {key}", str(number)) for key, number in value.items() if isinstance(number, int))
            case tuple() if all(isinstance(die, Dice) for die in value):
                yield name, " ".join(die.spoken for die in value)


def walk_effects(effects: tuple[AnyEffect, ...]) -> Iterator[tuple[tuple[str | int, ...], AnyEffect]]:
    """Yield every effect with the trail to it, those inside checks and triggers too."""
    for place, effect in enumerate(effects):
        yield (place,), effect
        if isinstance(effect, Check):
            for inner, failure in enumerate(effect.fail):
                yield (place, "fail", inner), failure
        if isinstance(effect, Whenever) and effect.penalty:
            yield (place, "penalty"), effect.penalty
        for key, effects_inside in nested_effects(effect):
            for trail, inside in walk_effects(effects_inside):
                yield (place, *key, *trail), inside


def nested_effects(effect: AnyEffect) -> Iterator[tuple[tuple[str, ...], tuple[AnyEffect, ...]]]:
    """Yield the lists of effects inside an effect, each with the keys that lead to it."""
    match effect:
        case When():
            yield from ((("then",), effect.then), (("else",), effect.otherwise))
        case Say() | AsLong():
            yield ("steps",), effect.do_
        case DrawCard():
            yield from ((("each",), effect.each), (("then",), effect.then))
        case TakeUp():
            yield ("then",), effect.then
        case Choose():
            yield from ((("options", option), inner) for option, inner in effect.options.items())
        case RollFor():
            yield from ((("results", written), inner) for written, inner in effect.results.items())
        case OneOf() | Maybe():
            yield ("effects",), effect.effects
        case Save() | Check():
            yield from ((("passes",), effect.passes), (("fails",), effect.fails))
        case _:
            return


def given_names(effect: AnyEffect) -> tuple[str, ...]:
    """Return the names that a step gives to what it comes to."""
    match effect:
        case Let():
            return (effect.name,)
        case Throw():
            return tuple(each for name in effect.dice for each in (name, name + FIRST)) + tuple(effect.counts)
        case _:
            return ()


def effect_formulas(effect: Effect) -> Iterator[tuple[tuple[str, ...], Formula]]:
    """Yield every formula of an effect itself, those of its spans too, each with the keys that lead to it."""
    for field_name in effect.__struct_fields__:
        value = getattr(effect, field_name)
        if isinstance(value, dict):
            yield from (((field_name, key), each) for key, each in value.items() if isinstance(each, Formula))
        elif isinstance(value, Formula):
            yield (field_name,), value
        elif isinstance(value, Until) and value.formula is not None:
            yield (field_name,), value.formula


OWN_ENDS: ContextVar[tuple[str, ...] | None] = ContextVar("OWN_ENDS", default=None)
"""The events of a pack of the kind `steps`: what is read may name them as ends. None for other kinds."""


OWN_UNITS: ContextVar[tuple[str, ...]] = ContextVar("OWN_UNITS", default=UNITS)
"""The units of time that what is read may count spans in."""


@lru_cache(maxsize=100)
def type_of(kind: type) -> inspect.Type:
    """Return what a type is made of. To make this out takes longer than to read many a file or state."""
    return inspect.type_info(kind)


def read_custom(kind: type, written: Any) -> Any:
    """msgspec's hook for the types that are written as short text."""
    if kind is Until:
        return Until.parse(written, own=OWN_ENDS.get() is not None, units=OWN_UNITS.get())
    if kind in (Dice, Formula, Span):
        return kind.parse(written)
    raise NotImplementedError(kind)


def write_custom(value: Any) -> Any:
    """Return the way back, for JSON."""
    if isinstance(value, Dice | Formula):
        return value.plain
    if isinstance(value, Until | Span):
        return str(value)
    raise NotImplementedError(type(value))


def plain_value(value: Any) -> Any:
    """Return a noun as plain data for JSON."""
    return msgspec.to_builtins(value, enc_hook=write_custom)
