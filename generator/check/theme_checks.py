"""What is wrong with a theme: a name that is taken, letters that cannot be told from their ground."""

from collections.abc import Iterator

from msgspec.structs import replace

from generator.games.content_face import Fault
from generator.model.rules import System
from generator.model.themes import Palette, Theme
from generator.pack import themes
from generator.paper.ink import LIGHTEST, READABLE, WINDOWS, Rgb, contrast, mixed, rgb

_ON_GROUND = ("ink", "grey", "red", "blue", "green")
_APART = 1.8
_UNDER_TEXT = 0.11
"""The strongest tint that text stands on, as in the rows of a table."""


def faults(system: System) -> Iterator[Fault]:
    """Yield what is wrong with the `theme.yaml` of a system."""
    theme = system.theme
    ours = themes.shipped().get(theme.id)
    if ours is not None and replace(theme, like=ours.like, about=ours.about) != ours:
        own = f"id: {system.head.id}"
        yield ("id",), f'"{theme.id}" is a built-in theme: give this one another name, such as {own}'
    yield from too_faint(theme.palette)
    yield from _windows(theme)


def too_faint(palette: Palette) -> Iterator[Fault]:
    """Yield each colour of letters that misses the contrast of 4.5:1 to a ground that they stand on, and what it has.

    A name on a band and a number on a badge have the colour of the ground, and stand on colours that others stand out
    from it with: where these pass, so do those.
    """
    for over in _ON_GROUND:
        yield from _pair(palette, over, "ground")
    yield from _pair(palette, "pattern", "back")
    if contrast(rgb(palette.ink), rgb(palette.ground)) >= READABLE:
        ground, ink = rgb(palette.ground), rgb(palette.ink)
        tints = {under: mixed(rgb(getattr(palette, under)), _UNDER_TEXT, ground) for under in _ON_GROUND}
        worst = min(tints, key=lambda under: contrast(ink, tints[under]))
        yield from _pair(palette, "ink", f"a tint of {worst}", tints[worst])


def _windows(theme: Theme) -> Iterator[Fault]:
    """Yield each window whose letters are too faint, on the lightest lines of its ground too, and suits too alike."""
    palette = theme.palette
    for suit in WINDOWS if theme.window == "filled" else ():
        ground = mixed(rgb(getattr(palette, suit)), 1 - LIGHTEST, rgb(palette.ground))
        yield from _pair(
            palette,
            "bone",
            f"{suit} {getattr(palette, suit)} or its pattern",
            min((rgb(getattr(palette, suit)), ground), key=lambda under: contrast(rgb(palette.bone), under)),
        )
    apart = contrast(rgb(palette.clubs), rgb(palette.spades))
    if theme.window == "filled" and apart < _APART:
        yield (
            ("palette", "clubs"),
            f"clubs {palette.clubs} and spades {palette.spades} have a contrast of {int(apart * 10) / 10}:1, and "
            f"{_APART:g}:1 is the minimum in filled windows: choose colours that differ more",
        )


def _pair(palette: Palette, over: str, under: str, ground: Rgb | None = None) -> Iterator[Fault]:
    colour = getattr(palette, over)
    below = "" if ground else f" {getattr(palette, under)}"
    ratio = contrast(rgb(colour), ground or rgb(getattr(palette, under)))
    if ratio < READABLE:
        # Cut, not rounded: 4.48 would read as enough.
        message = f"{over} {colour} on {under}{below} has a contrast of {int(ratio * 10) / 10}:1, and {READABLE:g}:1"
        yield ("palette", over), f"{message} is the minimum: choose colours that differ more"
