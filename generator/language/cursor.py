"""A logical line, read from left to right: the values that any statement may have."""

from __future__ import annotations

from collections.abc import Collection
from typing import NoReturn

from generator.base.sentences import unit_of
from generator.language.names import Names
from generator.language.tokens import END, Line, TextError, Token
from generator.model.durations import UNITS

SPOKEN_TIMES = {
    "now": "at once",
    "permanent": "for good",
    "same": "as long",
    "again": "as long again",
    "eases": "until it eases",
    "gm": "until the GM says",
}
"""Durations that are spoken in words of their own; the others are `for 3 rounds` and `until rest`."""
_SPOKEN = [(word, tuple(SPOKEN_TIMES[word].split())) for word in sorted(SPOKEN_TIMES, key=lambda each: each != "again")]
_BINARY = frozenset(["+", "-", "*", "//", "==", "!=", "<", "<=", ">", ">=", "and", "or"])
_IN_FORMULAS = {
    "is": "write == to compare: kind == 'monster'",
    "in": "write == for each of them, with or between: kind == 'npc' or kind == 'monster'",
    "under": "write < to compare",
    "below": "write < to compare",
    "above": "write > to compare",
    "equals": "write == to compare",
}
"""English for what formulas write otherwise."""
HOW_LONG = "write for 2d6 days, for good, or until and an event that ends it"


class Cursor:
    """A place in a logical line."""

    __slots__ = ("at", "known", "line", "next")
    next: Token
    """The token that comes next; one without text at the end."""

    def __init__(self, line: Line, known: Names) -> None:
        self.line, self.known = line, known
        self.move_to(0)

    def move_to(self, position: int) -> None:
        """Go to a token of the line."""
        self.at, tokens = position, self.line.tokens
        self.next = tokens[position] if position < len(tokens) else END

    def ahead(self, many: int = 1) -> Token:
        """Return a token that comes later."""
        position, tokens = self.at + many, self.line.tokens
        return tokens[position] if position < len(tokens) else END

    def take(self) -> Token:
        """Return the next token and step over it."""
        token = self.next
        self.move_to(self.at + 1)
        return token

    def takes(self, *texts: str) -> bool:
        """Step over the next token if it is one of these words or signs."""
        if self.next.text in texts and self.next.kind in ("name", "sign", "other"):
            self.move_to(self.at + 1)
            return True
        return False

    def begins(self, words: tuple[str, ...]) -> bool:
        """Return whether these words come next."""
        if self.next.text != words[0]:
            return False
        return len(words) == 1 or [each.text for each in self.line.tokens[self.at : self.at + len(words)]] == [*words]

    def takes_all(self, words: tuple[str, ...]) -> bool:
        """Step over these words if they come next."""
        if not self.begins(words):
            return False
        self.move_to(self.at + len(words))
        return True

    @property
    def where(self) -> tuple[int, int]:
        """The line and column of the next token, or behind the last one."""
        return (self.next.line, self.next.column) if self.next is not END else self.line.end

    def wrong(self, message: str, token: Token | None = None) -> NoReturn:
        """Raise TextError here, or at a token."""
        raise TextError(*((token.line, token.column) if token else self.where), message)

    @property
    def before(self) -> str:
        """Return the words at this place, for messages: `, before until`."""
        text = "the colon" if self.next.text == ":" else self.next.text[:40]
        return f", before {text}" if text else ""

    # --- values ------------------------------------------------------------------------------------------------------

    def slice(self, first: int) -> str:
        """Return what stands from a token up to here, as it was written."""
        written = self.line.source[self.line.tokens[first].start : self.line.tokens[self.at - 1].end]
        return " ".join(written.split()) if "  " in written else written

    def formula(self, what: str = "a formula") -> str:
        """Return the formula that comes next: behind an operand only an operator goes on."""
        first = self.at
        self._operand(what)
        while self.next.text in _BINARY and self.next.kind in ("sign", "name"):
            self.move_to(self.at + 1)
            self._operand(f"something after {self.line.tokens[self.at - 1].text}")
        self._choice()
        if self.next.text == "=" and self.next.kind == "sign":
            self.wrong("write == to compare: = sets a number")
        if self.next.text in ("+=", "-="):
            self.wrong(f"{self.next.text} changes a number: only its name stands before it")
        if self.next.kind == "name" and self.next.text in _IN_FORMULAS:
            self.wrong(_IN_FORMULAS[self.next.text])
        return self.known.formula(self.slice(first))

    def _choice(self) -> None:
        """Step over `if C else B`, if that goes on a formula; without else, or with alive, it is a clause."""
        start = self.at
        if self.next.kind == "name" and self.next.text == "if" and self.ahead().text != "alive":
            self.take()
            self.formula("what decides")
            if self.takes("else"):
                self.formula("another value")
            else:
                self.move_to(start)

    def _operand(self, what: str) -> None:
        while self.next.text in ("-", "not") and self.next.kind in ("sign", "name"):
            self.move_to(self.at + 1)
        token = self.next
        if token.kind in ("number", "dice", "word"):
            self.move_to(self.at + 1)
        elif token.kind == "name" and token.text not in ("and", "or", "if", "else"):
            self.move_to(self.at + 1)
            if self.next.text == "(":
                self.group()
        elif token.kind == "text":
            self.wrong("words in a formula take single quotes: 'pc'")
        elif token.text == "(":
            self.group()
        elif token.kind == "other":
            self.wrong(f'"{token.text[:40]}": write names in lower case')
        else:
            self.wrong(f"{what} is missing here{self.before}")

    def group(self) -> None:
        """Step from a parenthesis over the one that closes it."""
        start, depth = self.next, 0
        while self.next is not END:
            token = self.take()
            depth += {"(": 1, ")": -1}.get(token.text, 0) if token.kind == "sign" else 0
            if token.text == "=" and token.kind == "sign":
                self.wrong("write == to compare: = sets a number", token)
            if token.kind == "text":
                self.wrong("words in a formula take single quotes: 'pc'", token)
            if depth == 0:
                return
        self.wrong("this parenthesis is not closed", start)

    def name(self, what: str = "a name") -> str:
        """Return the name that comes next."""
        if self.next.kind != "name":
            hint = ": write names in lower case, with _ for spaces" if self.next.kind == "other" else ""
            self.wrong(f"{what} is missing here{self.before}{hint}")
        return self.take().text

    def text(self) -> str:
        """Return the text in quotation marks that comes next."""
        if self.next.kind != "text":
            self.wrong('a text in "quotation marks" is missing here')
        return self.take().text[1:-1].replace('\\"', '"').replace("\\\\", "\\")

    def dice(self, signs: tuple[str, ...] = ("+", "-")) -> str:
        """Return dice or a number, and the number behind one of some signs: `2d6 + 1`."""
        first = self.at
        self.takes("-")
        if self.next.kind not in ("dice", "number"):
            self.wrong(f"dice or a number, such as 1d4 or 2, are missing here{self.before}")
        self.take()
        if self.next.text in signs and self.ahead().kind == "number" and self.ahead(2).text not in ("*", "//"):
            self.move_to(self.at + 2)
        return self.slice(first)

    def number(self) -> int:
        """Return the whole number that comes next."""
        minus = self.takes("-")
        if self.next.kind != "number":
            self.wrong(f"a whole number is missing here{self.before}")
        if len(self.next.text) > 9:
            self.wrong("this number is too large")
        return int(self.take().text) * (-1 if minus else 1)

    def range(self) -> str:
        """Return a range of results: `3`, `1-5` or `13+`."""
        first = self.at
        self.number()
        if not self.takes("+") and self.takes("-"):
            self.number()
        return self.slice(first).replace(" ", "")

    def names(self, stops: Collection[str] = ()) -> list[tuple[str, tuple[int, int]]]:
        """Return names, `a, b and c`, each with its place; behind a comma a word of `stops` is no name."""
        listed = [(self.name(), (self.line.tokens[self.at - 1].line, self.line.tokens[self.at - 1].column))]
        while self.next.text in (",", "and", "or") and self.ahead().kind == "name":
            if self.next.text == "," and self.ahead().text in stops:
                break
            self.take()
            place = self.where
            listed.append((self.name(), place))
        return listed

    def ranges(self) -> list[str]:
        """Return ranges of results: `3, 5-6 and 9`."""
        listed = [self.range()]
        while self.next.text in (",", "and", "or") and self.ahead().kind in ("number", "sign"):
            self.take()
            listed.append(self.range())
        return listed

    # --- time --------------------------------------------------------------------------------------------------------

    def span(self) -> str:
        """Return a span of time: `2d6 days`."""
        first = self.at
        self.formula("how much time")
        if self.next.kind != "name":
            self.wrong(f"the unit of time is missing here{self.before}: 3 rounds")
        self.take()
        return self.slice(first)

    def time(self) -> str:
        """Return how long something lasts, as `until` has it: `for 2d6 days`, `for good`, `at once`, `until rest`."""
        for word, spoken in _SPOKEN:
            if self.begins(spoken) and not (word == "permanent" and _is_unit(self.ahead(len(spoken)))):
                self.move_to(self.at + len(spoken))
                return word
        if self.takes("for"):
            return self.span()
        if not self.takes("until"):
            if self.next.text == "in":
                self.wrong("write after 3 rounds for what begins later")
            self.wrong(f"how long is missing here{self.before}: {HOW_LONG}")
        token = self.next
        if token.kind in ("number", "dice") or token.text == "(" or _is_unit(self.ahead()):
            first = self.at
            self.formula()
            self.move_to(self.at + (self.next.kind == "name"))
            self.wrong(f"until is for events: write for {self.slice(first)}", token)
        if token.text in SPOKEN_TIMES and token.text not in ("eases", "gm"):
            self.wrong(f"until is for events: write {SPOKEN_TIMES[token.text]}")
        return self.name("an event that ends it")


def _is_unit(token: Token) -> bool:
    return token.kind == "name" and unit_of(token.text) in UNITS
