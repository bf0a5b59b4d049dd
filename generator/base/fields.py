"""The kinds of text and number that content files hold, with their limits.

`$` alone would let a line break follow in Python, though not in the editors that read the same pattern.
"""

import re
from typing import Annotated, Any, NamedTuple

from msgspec import Meta

from generator.base.emblem_names import EMBLEMS, NO_EMBLEM


class Value:
    """An immutable value: equal, hashed and shown by its slots."""

    __slots__: tuple[str, ...] = ()

    def _parts(self) -> tuple[Any, ...]:
        return tuple([getattr(self, name) for name in self.__slots__])

    def _fill(self, **parts: Any) -> None:
        for name, part in parts.items():
            object.__setattr__(self, name, part)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"{type(self).__name__} does not change")

    def __deepcopy__(self, memo: dict[int, Any]) -> "Value":
        return self

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and isinstance(other, Value) and self._parts() == other._parts()

    def __hash__(self) -> int:
        return hash((type(self), self._parts()))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(map(repr, self._parts()))})"


RULING = re.compile(r"\[([A-Z]{1,2}[0-9]{1,3})\]")
"""How a sentence names the ruling that it follows: `[H7]`, printed small and raised."""
QUOTED = re.compile(r"\{(\w+)\}")
"""How a text quotes one of the procedure's numbers: `{limit}`."""


class Names(NamedTuple):
    """In the type of a text: it is the name of such a thing, or it holds such names, each where `within` matches.

    `also` are words that may stand there instead. `check.references` looks whether the thing is there.
    """

    noun: str
    within: re.Pattern[str] | None = None
    also: tuple[str, ...] = ()


Id = Annotated[str, Meta(pattern=r"^[a-z][a-z0-9_]{0,39}$(?!\n)", description="a short name: a-z, 0-9 and _")]
Option = Annotated[
    str, Meta(pattern=r"^[a-z0-9][a-z0-9_]{0,39}$(?!\n)", description="an option's name: a-z, 0-9 and _")
]
Line = Annotated[str, Meta(min_length=1, max_length=80, pattern=r"^[^\n]*$(?!\n)")]
TITLE = (
    r"^(?=[^\n]*[^\s\u00ad\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u200b-\u200f\u2060"
    r"\u20d0-\u20ff\ufe00-\ufe0f\ufe20-\ufe2f])[^\n]*$(?!\n)"
)
Title = Annotated[str, Meta(min_length=1, max_length=80, pattern=TITLE)]
"""A line that room is made for: there is something to be seen in it, and not accents alone."""
Text = Annotated[str, Meta(min_length=1, max_length=400)]
Small = Annotated[int, Meta(ge=0, le=1000)]
Word = Annotated[str, Meta(min_length=1, max_length=40)]
MAX_HELD = 1_000_000
"""The largest number that a state may hold: what an event led to can always be given back."""
Amount = Annotated[int, Meta(ge=0, le=MAX_HELD)]
AtLeastOne = Annotated[int, Meta(ge=1, le=MAX_HELD)]
Number = Annotated[int, Meta(ge=-1_000_000, le=1_000_000)]
Shown = Annotated[int, Meta(ge=1, le=1000)]
"""What a die shows, or which choice is taken."""
Positive = Annotated[int, Meta(ge=1, le=1000)]
Code = Annotated[
    str,
    Meta(
        pattern=r"^[^\W_][\w-]{0,11}$(?!\n)",
        description="AC, 10H, QS, RJ or BJ; in a deck of its own up to 12 letters, digits, _ and -",
    ),
]
CsvPath = Annotated[
    str,
    Meta(
        pattern=r"^[A-Za-z0-9_][A-Za-z0-9_./ -]{0,110}\.[cC][sS][vV]$(?!\n)",
        description="a CSV file in the pack's folder: cards.csv",
    ),
]
_ENDING = "([sS][vV][gG]|[pP][nN][gG]|[jJ][pP][eE]?[gG]|[wW][eE][bB][pP])"
"""Cameras and Windows write it in capitals. Editors read the same pattern, and cannot ignore case in one."""
_PICTURE = r"[^\x00-\x20\x7f!-/:-@[-^`{-~][^\x00-\x1f\x7f\\:*?<>|\"]{0,110}\." + _ENDING
PICTURE = rf"^{_PICTURE}$(?!\n)"
"""A path in letters of any script, which neither begins with a dot nor a slash nor is none on Windows."""
PicturePath = Annotated[
    str, Meta(pattern=PICTURE, description="a picture in the pack's folder: art/back.png"), Names("picture")
]

EMBLEM = rf"^([a-z][a-z0-9_]{{0,39}}|{_PICTURE})$(?!\n)"
EmblemName = Annotated[
    str,
    Meta(
        pattern=EMBLEM,
        description="one of our emblems, such as eye; a picture in the pack's folder, art/eye.svg; or none",
        extra_json_schema={"examples": [*EMBLEMS, NO_EMBLEM]},
    ),
    Names("emblem", also=(NO_EMBLEM,)),
]

COLOUR = r"^#[0-9a-fA-F]{6}$(?!\n)"
Colour = Annotated[str, Meta(pattern=COLOUR, description="red, green and blue in two figures each")]

FONT = r"^(Source(Sans|Serif)Pro|Grenze)-[A-Za-z]{2,14}$(?!\n)|^[A-Za-z0-9_][A-Za-z0-9_./ -]{0,110}\.ttf$(?!\n)"
FontName = Annotated[
    str,
    Meta(
        pattern=FONT,
        description="a weight of ours, such as SourceSansPro-Black, or a TrueType file in the pack's folder",
    ),
    Names("font"),
]

CardCode = Annotated[Word, Names("card")]
ChartName = Annotated[Id, Names("chart")]
ColumnName = Annotated[Id, Names("column")]
"""A column of the table that the same thing names in its `table`, or else of the table that it stands in."""
ConditionName = Annotated[Id, Names("condition")]
EndedName = Annotated[ConditionName, Names("ended condition")]
DeckName = Annotated[Id, Names("deck")]
EventName = Annotated[Id, Names("event")]
SignName = Annotated[Id, Names("emblem")]
"""An emblem of ours."""
NumberName = Annotated[Id, Names("number")]
OwnNumber = Annotated[
    Id, Meta(description="a number, or an argument whose words are names of numbers"), Names("own number")
]
"""A number of the character; `NumberName` is one of the procedure, that texts may quote."""
PartName = Annotated[Id, Names("part")]
PileName = Annotated[Id, Names("pile")]
RulingName = Annotated[Word, Names("ruling")]
StatisticName = Annotated[Id, Names("statistic")]
CountedName = Annotated[Id, Names("statistic", also=("level",))]
"""A statistic, or the level of the condition that it stands in."""
ThemeName = Annotated[Id, Names("theme")]
TableName = Annotated[Id, Names("table")]
TrackName = Annotated[Id, Names("track")]
OWN_UNIT = r"^(?!.*(s|x|z|che|she|ie)$)[a-z][a-z0-9_]{0,39}$(?!\n)"
"""Names whose plural leads back to them: see `base.sentences.unit_of`."""
OwnUnit = Annotated[str, Meta(pattern=OWN_UNIT, description="a unit of time, in the singular: watch")]
UNIT_LENGTH = r"^[1-9][0-9]{0,3} (round|minute|hour|day|week|month)s?$(?!\n)"
UnitLength = Annotated[str, Meta(pattern=UNIT_LENGTH, description="so many of our units: 15 minutes, or 10 rounds")]
UnitName = Annotated[
    Id,
    Meta(
        description="round, minute, hour, day, week, month, or one of the procedure's units",
        extra_json_schema={"examples": ["round", "minute", "hour", "day", "week", "month"]},
    ),
    Names("unit of time"),
]
QuotingLine = Annotated[Line, Names("quoted number", QUOTED)]
QuotingText = Annotated[Text, Names("quoted number", QUOTED)]
QuotingTitle = Annotated[Title, Names("quoted number", QUOTED)]
CitingText = Annotated[Text, Names("ruling", RULING)]
AuthorText = Annotated[QuotingText, Names("ruling", RULING)]
"""It may quote numbers, `{limit}`, and name the rulings that it follows, `[H7]`."""
