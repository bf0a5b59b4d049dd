"""Names that an author of events cannot give, and by what each is taken. docs/reference.md lists them."""

import re
from collections.abc import Mapping

COMMANDS = (
    *("add", "remove", "show", "next", "odds", "set", "rename", "note", "undo", "redo", "mend", "log", "session"),
    *("chronicle", "why", "import", "export", "help", "quit", "exit", "u", "r", "s", "b"),
)
EVENTS: Mapping[str, str] = {
    **dict.fromkeys(COMMANDS, "a command at the table"),
    **dict.fromkeys(("now", "same", "permanent", "again", "gm", "eases"), "an end that needs no event"),
}
"""What no event may be called."""

_WORDS: Mapping[str, str] = {
    **dict.fromkeys(("and", "or", "not", "if", "else"), "a word of formulas"),
    "here": "the part that is hurt, as in has(x, here)",
}
MOMENT: Mapping[str, str] = {
    "over": "the part cut off by a bound",
    "degrees": "the degrees of a check",
    "rolled": "the dice of a check",
    "dead": "whether the character is dead",
    "level": "the level of the condition whose steps run",
    "permanent": "whether the condition is permanent",
    "place": "the part that is hurt",
    "event": "the event that happens",
    "row": "the row that was looked up",
    "detail": "the detail of a condition",
    "note": "the note of a row",
    "unknown": "an unknown value",
}
"""What a formula may name besides what the author has named."""

LISTS: Mapping[str, str] = dict.fromkeys(
    ("conditions", "coming", "lost", "saves", "dead", "drawn"), "a list of the state"
)
"""What a state holds besides numbers and words."""

VALUES: Mapping[str, str] = {**_WORDS, **LISTS, **MOMENT, "side": "the side that is hit"}
"""What no number, word, constant or pile may be called, and nothing that `let` names."""

ARGUMENTS: Mapping[str, str] = {**MOMENT, **_WORDS}
"""What no argument of an event may be called."""

CONDITIONS: Mapping[str, str] = {
    "any": "all conditions together",
    "long": "everything that lasts for days or permanently",
    "none": "no word",
    "unknown": "an unknown value",
}
"""What no condition may be called."""

_DICE = re.compile(r"d[0-9]+")


def taken_by(name: str, names: Mapping[str, str]) -> str:
    """Return the sentence that says what a name is taken by, or an empty text."""
    by = "a die" if names is not EVENTS and names is not CONDITIONS and _DICE.fullmatch(name) else names.get(name)
    return f'"{name}" is taken already, by {by}: choose another name' if by else ""
