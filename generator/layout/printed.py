"""A PDF that was drawn."""

from __future__ import annotations

from generator.layout.sheets import Size


class Printed(bytes):
    """A PDF, with the size of each page (mm).

    `panels` are the numbers of the panels that its pages show, or begin with, where it is a file of panels.
    """

    pages: tuple[Size, ...] = ()
    panels: tuple[int, ...] = ()
