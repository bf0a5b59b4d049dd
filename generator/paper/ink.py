"""Colours and how much of them: the suits' inks, two or four, full or saving.

Drawing code names the colours of the plain theme. A canvas puts those of another theme in their place.
"""

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from generator.model.themes import PLAIN, Palette, Theme

Rgb = tuple[float, float, float]
Cmyk = tuple[float, float, float, float]

BLACK: Rgb = (0.10, 0.10, 0.11)
RED: Rgb = (0.68, 0.05, 0.09)
BLUE: Rgb = (0.10, 0.28, 0.58)
GREEN: Rgb = (0.05, 0.38, 0.20)
GREY: Rgb = (0.38, 0.37, 0.36)
OXBLOOD: Rgb = (0.36, 0.055, 0.085)
WHITE: Rgb = (1.0, 1.0, 1.0)
SPADES, CLUBS, DIAMONDS, HEARTS = (0.09, 0.09, 0.11), (0.34, 0.25, 0.49), (0.66, 0.06, 0.10), (0.36, 0.03, 0.06)
GREEN_CLUBS, BLUE_DIAMONDS = (0.03, 0.33, 0.17), (0.11, 0.28, 0.57)
"""The grounds of windows, in two and in four colours."""
BONE: Rgb = (0.95, 0.90, 0.80)
LIGHTEST = 0.16
"""Contrast of the lightest lines of a window's ground."""
PAPER = "#ffffff"
"""The ground of a card that is not printed."""

_ROLES: Mapping[Rgb, str] = MappingProxyType(
    {BLACK: "ink", RED: "red", BLUE: "blue", GREEN: "green", GREY: "grey", OXBLOOD: "back", WHITE: "ground"}
    | {SPADES: "spades", CLUBS: "clubs", DIAMONDS: "diamonds", HEARTS: "hearts", BONE: "bone"}
    | {GREEN_CLUBS: "green_clubs", BLUE_DIAMONDS: "blue_diamonds"}
)
"""The names of the colours in a theme's palette."""
_MIXED: dict[Rgb, tuple[Rgb, float]] = {}
"""What each paler colour was mixed of. A canvas is told figures alone; so it can mix the same of a theme's colours."""

_TWO = {"C": BLACK, "S": BLACK, "D": RED, "H": RED, "RJ": RED, "BJ": BLACK}
_FOUR = _TWO | {"C": GREEN, "D": BLUE}
WINDOWS = ("spades", "clubs", "diamonds", "hearts", "green_clubs", "blue_diamonds")
_WINDOWS = {"C": CLUBS, "S": SPADES, "D": DIAMONDS, "H": HEARTS, "RJ": DIAMONDS, "BJ": SPADES}

_NEUTRAL, _SOLID = 0.03, 0.85
"""Colours whose parts differ less are grey; greys that are darker print as solid black."""
_MAX_INK = 2.4
"""More wet ink than this, and sheets would stick together: what print shops for cards allow."""

READABLE, SHARP = 4.5, 7.0
"""The contrast that letters have to their ground: always, and with high contrast."""
_PALE = 1.5
"""Grounds that differ less from paper are there to please."""
_MIDDLE = 0.18
"""The luminance between what is dark and what is light."""


class Inks(Struct, frozen=True):
    """The colours of a deck. `solid` is False where filled areas are left out to save ink.

    `theme` says which shapes the parts of a card have.
    """

    suits: Literal["two", "four"] = "two"
    solid: bool = True
    theme: Theme = PLAIN

    @property
    def filled(self) -> bool:
        """Return True if a window is light on a dark ground."""
        return self.solid and self.theme.window == "filled"

    def window(self, suit: str, own: Rgb) -> Rgb:
        """Return the ground of a suit's window (or of a joker's, by its code); `own` for everything else."""
        four = {"C": GREEN_CLUBS, "D": BLUE_DIAMONDS} if self.suits == "four" else {}
        return (_WINDOWS | four).get(suit, own)

    def hatched(self, suit: str) -> bool:
        """Return whether a suit is told from the others by its hatching."""
        return self.theme.suits == "hatched" and self.of(suit) in (RED, BLUE)

    def of(self, suit: str) -> Rgb:
        """Return the colour of a suit (or of a joker, by its code); black for everything else."""
        return (_FOUR if self.suits == "four" else _TWO).get(suit, BLACK)


def tint(colour: Rgb, strength: float) -> Rgb:
    """Return a colour mixed with white; `strength` from 0 (white) to 1. Real transparency would trouble print shops."""
    made = mixed(colour, strength, WHITE)
    _MIXED.setdefault(made, (colour, strength))
    return made


def mixed(colour: Rgb, strength: float, ground: Rgb) -> Rgb:
    """Return a colour mixed with its ground; `strength` from 0 (the ground alone) to 1."""
    red, green, blue = (under - strength * (under - over) for over, under in zip(colour, ground, strict=True))
    return red, green, blue


def in_palette(colour: Rgb, palette: Palette) -> Rgb:
    """Return the colour of a theme for one that is drawn with; what is none of ours, as in a pack's picture, stays."""
    base, strength = _MIXED.get(colour, (colour, 1.0))
    role = _ROLES.get(base)
    return colour if role is None else mixed(rgb(getattr(palette, role)), strength, rgb(palette.ground))


@lru_cache(maxsize=256)
def rgb(written: str) -> Rgb:
    """Return a colour as a theme writes it, `#ad0d17`."""
    red, green, blue = (int(written[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return red, green, blue


def on_paper(palette: Palette) -> Palette:
    """A palette for what is printed on bare paper: its own, or the plain one where its letters are too light for it."""
    light = all(
        contrast(rgb(getattr(palette, role))) >= READABLE for role in _ROLES.values() if role not in ("ground", "bone")
    )
    return replace(palette, ground=PAPER) if light else Palette()


def in_one_ink(palette: Palette) -> Palette:
    """Return a palette in black alone: each colour as dark as it is, or fully black where letters are set in it."""
    dark = _luminance(rgb(palette.ground)) < _MIDDLE
    full, none = ("#ffffff", "#000000") if dark else ("#000000", "#ffffff")
    windows = dict.fromkeys(("back", *WINDOWS), "#000000")
    return Palette(
        ground=none, ink=full, grey=full, red=full, blue=full, green=full, pattern="#ffffff", bone="#ffffff", **windows
    )


def inks_of(colour: Rgb) -> Cmyk:
    """Return a colour in process inks: what is grey in it is black ink, and never more than 240 % stand in one place.

    Greys, and so all text in black, are black ink alone: three more plates would have to meet on every thin stroke.
    """
    black = 1 - max(colour)
    if max(colour) - min(colour) < _NEUTRAL:
        return 0.0, 0.0, 0.0, 1.0 if black > _SOLID else round(black, 4)
    inks = [(1 - part - black) / (1 - black) for part in colour]
    fewer = min(1.0, (_MAX_INK - black) / sum(inks))
    cyan, magenta, yellow = (round(ink * fewer, 4) for ink in inks)
    return cyan, magenta, yellow, round(black, 4)


def sharpened(colour: Rgb) -> Rgb:
    """Return a colour for weak eyes: greys become black, pale grounds white, and everything else at least 7:1 on paper.

    What lies between, a bar of a chart for one, stays: black letters are readable on it.
    """
    against = contrast(colour)
    if against < _PALE:
        return WHITE
    if against < READABLE:
        return colour
    if max(colour) - min(colour) < _NEUTRAL:
        return 0.0, 0.0, 0.0
    while contrast(colour) < SHARP:
        red, green, blue = (0.96 * part for part in colour)
        colour = red, green, blue
    return colour


def contrast(colour: Rgb, ground: Rgb = WHITE) -> float:
    """Return the contrast ratio of two colours as WCAG defines it, from 1 to 21."""
    brighter, darker = sorted((_luminance(colour), _luminance(ground)), reverse=True)
    return (brighter + 0.05) / (darker + 0.05)


def _luminance(colour: Rgb) -> float:
    parts = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
