"""Hints for statements that cannot be read: the fault, and the words to write."""

from __future__ import annotations

from generator.base.errors import guess
from generator.language.cursor import SPOKEN_TIMES, Cursor
from generator.language.forms import TAILS, Statement, by_first_word
from generator.language.tokens import END, TextError, Token
from generator.model.durations import LASTING

HEADING = ("takes", "refuse", "odds")
"""The lines about an event itself that begin with words of their own; they come before its first step."""
CASES = ("passes", "fails", "each", "then")
"""The branches below checks, saves and draws, each with its steps."""
_CHANGES = {
    "if": ("when", "If", "wenn"),
    "else if": ("elif", "elseif", "elsif"),
    "suffer CONDITION until EVENT": ("gain", "get", "gets", "gains", "suffers", "inflict", "add", "apply"),
    "end": ("cure", "remove", "stop", "finish"),
    "if d10 <= 3:": ("maybe",),
    "let": ("var", "define"),
    "look up TABLE": ("lookup", "table", "consult"),
    "die": ("dies", "kill", "death"),
    "log, print or say": ("write", "echo", "tell", "show"),
    "as long as": ("while", "loop"),
    "for each of": ("foreach",),
    "hp -= 1": ("lower", "reduce", "subtract", "decrease"),
    "hp += 1": ("raise", "increase"),
    "hp = 1": ("set",),
}
"""The right words, by those that others write for them."""


def unknown_statement(cursor: Cursor, several: list[Statement]) -> TextError:
    """Return the error for what no statement begins with."""
    message, token = _unknown(cursor, several)
    return TextError(token.line, token.column, message)


def _unknown(cursor: Cursor, several: list[Statement]) -> tuple[str, Token]:
    """Return why no statement begins so, and the token that is wrong."""
    token, following = cursor.next, cursor.ahead()
    if following.text == ":" and cursor.ahead(2).text == "=":
        return "write = to set a number", following
    if several:
        return f"{token.text} goes on differently: {' or '.join(each.example for each in several)}", token
    if token.text in CASES:
        return f'"{token.text}" belongs below a line that asks for it, deeper than that line', token
    if token.text in HEADING:
        return f'"{token.text}" is about the event: write it above the first step of the event', token
    if token.kind in ("number", "text"):
        return "results stand below roll, options below choose, deeper than that line", token
    if token.kind == "other" and token.text.lower() in (*by_first_word(), *TAILS, "else"):
        return f"write {token.text.lower()} in lower case", token
    if token.kind == "other" and following.text in ("+=", "-=", "=", "("):
        return f"write names in lower case: {token.text.lower()}", token
    if token.kind == "name" and following.text in ("-", "+"):
        word = "take off" if following.text == "-" else "add"
        return f"this is a value: to {word}, write {token.text} {following.text}= ...", token
    for right, wrongs in _CHANGES.items():
        if token.text in wrongs:
            return f"there is no {token.text}: write {right}", token
    message = f"no statement begins with {token.text[:40]}"
    if close := guess(token.text, [*by_first_word(), *TAILS, "else", "nothing"]):
        return message + close, token
    if following is END and token.kind == "name":
        return f"{message}: for an event of that name write {token.text[:40]}()", token
    return f"{message}: write hp -= 1, suffer prone until stand, if hp == 0:, or an event such as hit(damage: 1)", token


_BOUNDS = {"raise": ("at", "most"), "lower": ("at", "least")}


_FORMER = {
    ("suffer", "times"): "write the number before the unit of time: for d6 rounds",
    ("shorten", "longest"): "leave out longest: without all or chosen, it is the longest",
}
"""The right words in place of those that a statement had."""


def cannot_follow(cursor: Cursor, statement: Statement | None) -> str:
    """Return why the next token cannot follow a statement."""
    token = cursor.next
    if token.text == ":":
        return "nothing goes below this statement: leave out the colon"
    if statement is None:
        return f"{token.text[:40]} cannot follow here"
    if (token.kind == "ruling" or token.text in TAILS) and not statement.is_step:
        what = "a ruling" if token.kind == "ruling" else token.text
        if statement.do == "when":
            return f"{what} does not stand on an if: write it behind a step below, or say and a colon above the if"
        return f"{statement.do} prints a sentence of its own: write {what} on a line before it"
    if cursor.ahead(-2).text == "until" and token.kind == "name":
        there = {*LASTING} - {*SPOKEN_TIMES} | cursor.known.events
        meant = next((each.text for each in cursor.line.tokens[cursor.at :] if each.text in there), "")
        return "until takes the name of one event" + (f": write until {meant}" if meant else "")
    if former := _FORMER.get((statement.do, token.text)):
        return former
    if cursor.begins(_BOUNDS.get(statement.do, ("\0",))):
        return "write no further than, and the number where it stops"
    if token.text == "if":
        return "write the condition first, if hp == 0: and the step, or else and another value"
    if token.text == "else":
        return "else stands on a line of its own, below an if"
    if token.kind == "name" and (token.text in by_first_word() or cursor.ahead().text in ("+=", "-=", "(", "=")):
        return "one statement stands on a line: write this on a line of its own"
    able = [" ".join(each.words) for each in statement.clauses] + (sorted(TAILS) if statement.is_step else [])
    close = guess(token.text, able)
    return f"{token.text[:40]} cannot follow here" + (close or (f". Possible: {', '.join(able)}" if able else ""))
