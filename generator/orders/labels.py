"""What a form calls the options of a print order: a label, a sentence, and a word for each value of a choice."""

from __future__ import annotations

from typing import NamedTuple


class Label(NamedTuple):
    """What a form calls an option and says of it; `words` are those for its values, in their order."""

    name: str
    says: str
    words: tuple[str, ...] = ()


LOOKS = {
    "theme": Label("Theme", "Colours, fonts and ornaments."),
    "ink": Label("Ink", "Outlines save ink: large areas stay white.", ("full", "outlines", "black only")),
    "suits": Label("Suit colours", "With four colours each suit has its own.", ("two", "four")),
    "contrast": Label("Contrast", "High contrast is black on white, with nothing behind the text.", ("normal", "high")),
    "text": Label("Text", "Large text can be read from farther away.", ("normal", "large")),
    "jokers": Label("Jokers", "Print the jokers too, where the game leaves them out."),
    "extras": Label("Cards that explain", "Add cards that show how to read a card, and the rules."),
    "plain": Label("No form fields", "Leave out the fields to fill in on screen. Print shops want that."),
    "panels": Label("Panels", "Which way the paper goes into your screen.", ("landscape", "portrait")),
    "rulings": Label("Mark rulings", "Mark where the source leaves something open, and list what was decided."),
    "columns": Label("Columns", "Columns of the play mat: usually 2, and one for each ally."),
    "rows": Label("Rows", "Rows of the play mat: usually as many as a column can have cards."),
}
"""How it looks."""

LAYING = {
    "target": Label("Printed for", "Your printer, sheets of labels, a print shop, or a virtual table."),
    "paper": Label("Paper", "The paper in your printer."),
    "card": Label("Card size", "The size of a card after it is cut."),
    "backs": Label("Backs", "Where the backs of the cards are printed.", ("none", "other side", "beside, to fold")),
    "marks": Label("Cutting marks", "What you cut along.", ("lines", "in the margin", "none")),
    "nudge": Label("Move the backs", "If the backs miss the fronts: mm to the right and up, such as 0.5,-1."),
    "registration": Label("Registration", "Other marks for the cutter: length, thickness and inset in mm: 15,0.5,12."),
    "start": Label("First place", "On a sheet of labels that is partly used: the first free place."),
    "copies": Label("Copies", "How many times all of these cards are printed."),
    "fill": Label("Fill the last sheet", "Repeat cards until no place of the last sheet is empty."),
    "dpi": Label("Resolution", "Dots per inch of each picture. 300 is enough for printing."),
    "thickness": Label("Card thickness", "In mm, for the depth of the box. 0.3 is usual."),
    "base_url": Label("Web address", "Where you put the pictures on the web, for Tabletop Simulator to load."),
}
"""For what it is printed, and where it lies on the sheet."""

LABELS = LOOKS | LAYING
"""The labels in the order of a form; of two options there is none: cards are chosen otherwise, and text is no print."""
