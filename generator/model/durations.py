"""How long something lasts, and the results that a row covers."""

import re
from collections.abc import Collection
from contextvars import ContextVar
from fractions import Fraction
from functools import lru_cache

from generator.base.dice import MAX_NUMBER, Dice
from generator.base.errors import did_you_mean, shown
from generator.base.fields import Value
from generator.base.sentences import plural, unit_of
from generator.model.formulas import Formula

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

MINUTES = {"minute": 1, "hour": 60, "day": 1440, "week": 10_080, "month": 43_200}

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
        if self.amount is None or self.word not in MINUTES:
            return None
        mean = Fraction(self.amount.least + self.amount.most, 2)
        return mean * MINUTES[self.word] / MINUTES["day"]

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
        minutes = left * MINUTES[own] - amount * MINUTES[unit]
        if minutes <= 0:
            return None
        units = (word for word in (own, *reversed(MINUTES)) if minutes % MINUTES[word] == 0)
        word = next(word for word in units if word == own or MINUTES[word] < MINUTES[own])
        if minutes // MINUTES[word] > MAX_NUMBER:
            return Until.span(-(-minutes // MINUTES[own]), own)
        return Until.span(minutes // MINUTES[word], word)

    def __str__(self) -> str:
        return self.text


ENDED_BY_GM = ("gm", "eases")
"""The ends that the GM decides where no event does: `set bryn conditions -sore`."""

ENDS_OF_STEPS = ("now", "same", "permanent", "save", "again", *ENDED_BY_GM)
"""The ends that need no event in the kind steps."""

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


OWN_ENDS: ContextVar[tuple[str, ...] | None] = ContextVar("OWN_ENDS", default=None)
"""The events of a pack of the kind `steps`: what is read may name them as ends. None for other kinds."""

OWN_UNITS: ContextVar[tuple[str, ...]] = ContextVar("OWN_UNITS", default=UNITS)
"""The units of time that what is read may count spans in."""
