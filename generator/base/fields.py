"""The kinds of text and number that content files hold, with their limits.

`$` alone would let a line break follow in Python, though not in the editors that read the same pattern.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

Id = Annotated[str, Meta(pattern=r"^[a-z][a-z0-9_]{0,39}$(?!\n)", description="a short name: a-z, 0-9 and _")]
Option = Annotated[
    str, Meta(pattern=r"^[a-z0-9][a-z0-9_]{0,39}$(?!\n)", description="an option's name: a-z, 0-9 and _")
]
Line = Annotated[str, Meta(min_length=1, max_length=80, pattern=r"^[^\n]*$(?!\n)")]
TITLE = (
    r"^(?=[^\n]*[^\s\u00ad\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u200b-\u200f\u2060"
    r"\u20d0-\u20ff\ufe00-\ufe0f\ufe20-\ufe2f])[^\n]*$(?!\n)"
)
Title = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=80,
        pattern=TITLE,
    ),
]
"""A line that room is made for: there is something to be seen in it, and not accents alone."""
Text = Annotated[str, Meta(min_length=1, max_length=400)]
Small = Annotated[int, Meta(ge=0, le=1000)]
Word = Annotated[str, Meta(min_length=1, max_length=40)]
Number = Annotated[int, Meta(ge=-1_000_000, le=1_000_000)]
Shown = Annotated[int, Meta(ge=1, le=1000)]
"""What a die shows, or which choice is taken."""
Positive = Annotated[int, Meta(ge=1, le=1000)]
CardCode = Annotated[
    str,
    Meta(
        pattern=r"^[^\W_][\w-]{0,11}$(?!\n)",
        description="AC, 10H, QS, RJ or BJ; in a deck of its own up to 12 letters, digits, _ and -",
    ),
]
CsvPath = Annotated[
    str,
    Meta(
        pattern=r"^[A-Za-z0-9_][A-Za-z0-9_./ -]{0,110}\.csv$(?!\n)",
        description="a CSV file in the pack's folder: cards.csv",
    ),
]
PicturePath = Annotated[
    str,
    Meta(
        pattern=r"^[A-Za-z0-9_][A-Za-z0-9_./ -]{0,110}\.(png|jpg|jpeg|webp)$(?!\n)",
        description="a picture in the pack's folder: art/back.png",
    ),
]
