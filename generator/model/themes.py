"""The types of a theme: colours, fonts, and the shapes of a card's parts."""

from typing import Annotated, Literal

from msgspec import Meta, Struct
from msgspec.structs import astuple

from generator.base.fields import Colour, FontName, Id, Text, ThemeName

OWN_FONT = ".ttf"
"""How the name of a font ends that lies in the pack's folder."""


class Palette(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The colours that everything is drawn in. What is paler is mixed of one of them and the ground."""

    ground: Annotated[Colour, Meta(description="of the card")] = "#ffffff"
    ink: Annotated[Colour, Meta(description="of text, and of clubs, spades and what has no suit")] = "#1a1a1c"
    grey: Annotated[Colour, Meta(description="of captions, lines of colour and thin lines")] = "#615e5c"
    red: Annotated[Colour, Meta(description="of hearts, and of diamonds")] = "#ad0d17"
    blue: Annotated[Colour, Meta(description="of diamonds, where the four suits have four colours")] = "#1a4794"
    green: Annotated[Colour, Meta(description="of clubs, where the four suits have four colours")] = "#0d6133"
    back: Annotated[
        Colour, Meta(description="of the card's back; as long as it is that of plain, each set of cards has its own")
    ] = "#5c0e16"
    pattern: Annotated[Colour, Meta(description="of the lines on the back")] = "#ffffff"
    spades: Annotated[Colour, Meta(description="of the window of spades: dark, for light letters")] = "#17171c"
    clubs: Annotated[Colour, Meta(description="of the window of clubs")] = "#57407d"
    diamonds: Annotated[Colour, Meta(description="of the window of diamonds")] = "#a80f1a"
    hearts: Annotated[Colour, Meta(description="of the window of hearts")] = "#5c080f"
    green_clubs: Annotated[
        Colour, Meta(description="of the window of clubs, where the four suits have four colours")
    ] = "#08542b"
    blue_diamonds: Annotated[
        Colour, Meta(description="of the window of diamonds, where the four suits have four colours")
    ] = "#1c4791"
    bone: Annotated[Colour, Meta(description="of what is drawn and written in a window")] = "#f2e6cc"


class Fonts(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The font of each kind of text: one of ours, or a TrueType file in the pack's folder such as `fonts/Mine.ttf`."""

    title: Annotated[FontName, Meta(description="of titles")] = "SourceSerifPro-Bold"
    name: Annotated[FontName, Meta(description="of the names of cards")] = "Grenze-ExtraBold"
    index: Annotated[FontName, Meta(description="of ranks and scores")] = "SourceSerifPro-Black"
    flavour: Annotated[FontName, Meta(description="of lines of colour")] = "SourceSerifPro-It"
    text: Annotated[FontName, Meta(description="of everything else")] = "SourceSansPro-Regular"
    bold: Annotated[FontName, Meta(description="of what stands out in a text")] = "SourceSansPro-Bold"
    italic: Annotated[FontName, Meta(description="of how long something lasts")] = "SourceSansPro-It"

    @property
    def own(self) -> tuple[str, ...]:
        """Those that lie in the pack's folder, each once."""
        return tuple(dict.fromkeys(name for name in astuple(self) if name.endswith(OWN_FONT)))


BackPattern = Literal["lozenges", "waves", "chevrons", "bricks", "petals", "stars", "weave", "honeycomb", "keys"]


class Theme(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`theme.yaml`: the look of what a pack prints. What it does not say is as in the theme that it is like."""

    id: Annotated[Id, Meta(description="what --theme calls it, and the files that are printed with it")]
    like: Annotated[ThemeName, Meta(description="the theme of ours that it begins with")] = "plain"
    about: Annotated[Text, Meta(description="what it looks like, in a sentence")] = ""
    palette: Palette = Palette()
    fonts: Fonts = Fonts()
    window: Annotated[
        Literal["lines", "filled"],
        Meta(description="the window at the head of a card: lines with little ink, or light on a dark ground"),
    ] = "lines"
    texture: Annotated[Literal["none", "fibres"], Meta(description="what is woven into the ground")] = "none"
    suits: Annotated[
        Literal["filled", "hatched"],
        Meta(description="hatched: hearts and diamonds are told from clubs and spades without their colour"),
    ] = "filled"
    back: Annotated[BackPattern, Meta(description="the back's pattern, where a set of cards chooses none")] | None = (
        None
    )


PLAIN = Theme(id="plain", about="Black and red on white.")
"""The look of everything that says nothing else."""

# --- what people write from memory ------------------------------------------------------------------

FORMER_NAME = "bold"
FORMER_NAME_TOLD = f"the theme {FORMER_NAME} is now called poster"
FORMER_KEYS = ("band", "frame", "foot")
FORMER_KEYS_TOLD = "write window: lines or window: filled, which say how the head of a card looks"
