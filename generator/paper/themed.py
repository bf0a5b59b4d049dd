"""The fonts of a theme, for as long as something is measured or drawn."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from msgspec.structs import replace

from generator.base.errors import HackjackError
from generator.layout import font_files
from generator.model.rules import System
from generator.model.themes import OWN_FONT, PLAIN, Theme
from generator.pack.pack_locations import holder
from generator.paper import fonts
from generator.paper.card_body import OverfullError
from generator.paper.flow import OverflowError

Made = TypeVar("Made")

_ROLES = {
    "title": fonts.SERIF_BOLD,
    "name": fonts.DISPLAY,
    "index": fonts.INDEX,
    "flavour": fonts.SERIF_ITALIC,
    "text": fonts.SANS,
    "bold": fonts.SANS_BOLD,
    "italic": fonts.SANS_ITALIC,
}
"""What each kind of text is drawn with, unless a theme says otherwise."""


@contextmanager
def fonts_of_theme(theme: Theme, system: System) -> Iterator[None]:
    """Set in a theme's fonts. Raises HackjackError for a font of the pack's own that cannot be had."""
    fonts_by_role = {role: getattr(theme.fonts, role) for role in _ROLES}
    with fonts.fonts_replaced(
        {_ROLES[role]: font_of(name, system) for role, name in fonts_by_role.items() if name != _ROLES[role]}
    ):
        yield


def set_to_fit(system: System, make: Callable[[], Made]) -> Made:
    """Make something in the fonts of the system's theme; where its text does not fit in them, in the narrow ones of
    `plain`, with names in the theme's own. Raises OverfullError or OverflowError where that is too wide, too."""
    theme, plain = system.theme, PLAIN.fonts
    narrow = replace(theme.fonts, text=plain.text, bold=plain.bold, italic=plain.italic)
    try:
        with fonts_of_theme(theme, system):
            return make()
    except (OverfullError, OverflowError):
        if narrow == theme.fonts:
            raise
    with fonts_of_theme(replace(theme, fonts=narrow), system):
        return make()


def font_of(name: str, system: System) -> str:
    """Return a font as drawing code calls it: one of ours, or one that lies in the pack. Raises HackjackError."""
    if not name.endswith(OWN_FONT):
        return fonts.house_font(name)
    folder = holder(system, name)
    if folder is None:
        raise HackjackError(f"{name} is not there: a system without a folder has no fonts")
    return fonts.pack_font(font_files.load_font(folder, name), name)
