"""Options of panels and other pages."""

from collections.abc import Mapping
from typing import Literal

from generator.layout.panel_elements import ChartMaker
from generator.layout.sheet_data import Filling
from generator.layout.sheets import Size
from generator.layout.tuck_box import THICKNESS
from generator.paper.card import Print
from generator.paper.document import Looks


class PanelOptions(Looks, frozen=True):
    """Options of printed panels; `fillable` makes form fields where there are any, `filling` fills them."""

    paper: Size
    fillable: bool = False
    filling: Filling | None = None
    charts: Mapping[str, ChartMaker] | None = None
    columns: int | None = None
    rows: int | None = None
    """Of a play mat."""
    panels: Literal["landscape", "portrait"] = "landscape"
    """Of a screen."""
    players: bool = False
    """Of a screen: with the players' side on the back of each panel."""
    card: Size | None = None
    """Of a box: the size of its cards, where it is not the usual one. Large print has larger ones."""
    text: Print = "normal"
    thickness: float = THICKNESS
    """Of a card, mm."""
    jokers: bool = False
    extras: bool = False
