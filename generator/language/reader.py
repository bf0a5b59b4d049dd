"""From text to the plain values that YAML would give, with the place of each of them."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from generator.language.cursor import Cursor
from generator.language.forms import TAILS, Part, Statement, by_first_word, statements
from generator.language.hints import CASES, cannot_follow, unknown_statement
from generator.language.names import Names
from generator.language.tokens import END, MAX_ERRORS, Line, TextError, Token, lines_of
from generator.language.values import READERS, Places, Trail, refuse_second_name
from generator.model.durations import Span

_PLAIN = frozenset(["formula", "dice", "number", "range", "ranges", "text", "span", "time"])
"""Types of values that a cursor reads by itself."""
MAX_DEPTH = 20
"""Maximum nesting of statements."""


class Reader:
    """Reads one text. `places` gets where each value stands, `errors` all that is wrong."""

    def __init__(self, names: Names | None = None, *, in_event: bool = False) -> None:
        self.names = names or Names()
        self.errors: list[TextError] = []
        self.places: Places = {}
        self.in_event = in_event
        self._depth = 0

    def block(self, lines: list[Line], trail: Trail) -> list[dict[str, Any]]:
        """Read lines that stand below each other."""
        steps: list[dict[str, Any]] = []
        chain: list[tuple[dict[str, Any], Trail]] = []  # the if that an else would belong to, and its else if
        for line in lines:
            if len(self.errors) >= MAX_ERRORS:
                break
            if not line.tokens:
                self._rest(line)
                continue
            cursor, first = Cursor(line, self.names), line.tokens[0]
            if first.text == "else" and first.kind == "name":
                self._else(cursor, chain)
                continue
            chain = []
            if first.text == "nothing" and len(line.tokens) == 1:
                continue
            at = (*trail, len(steps))
            step = self._kept(cursor, at)
            if step is not None:
                steps.append(step)
            if first.text == "if":
                # The else of an if with an error is read all the same.
                chain = [(step if step is not None else {"do": "when"}, at)]
        return steps

    def _kept(self, cursor: Cursor, trail: Trail) -> dict[str, Any] | None:
        try:
            return self.statement(cursor, trail)
        except TextError as error:
            self.errors.append(error)
            self._rest(cursor.line)
            return None

    def _rest(self, line: Line) -> None:
        """Read what stands below a line with an error, for errors of its own."""
        if line.inside and not all(_is_case(each) for each in line.inside):
            inner = Reader(self.names, in_event=self.in_event)
            inner._depth = self._depth
            inner.block(line.inside, ())
            self.errors += inner.errors

    def _else(self, cursor: Cursor, chain: list[tuple[dict[str, Any], Trail]]) -> None:
        word = cursor.take()
        if not chain:
            self.errors.append(TextError(word.line, word.column, "no if stands above this else, in the same column"))
            self._rest(cursor.line)
            return
        when, trail = chain[-1]
        at = (*trail, "else")
        self.places[at] = (word.line, word.column)
        if cursor.next.text == "if":
            if len(chain) >= MAX_DEPTH:
                self.errors.append(
                    TextError(word.line, word.column, f"more than {MAX_DEPTH} else if: use roll or choose")
                )
                chain.clear()
                return
            first = cursor.at
            inner = self._kept(cursor, (*at, 0))
            when["else"] = [inner] if inner is not None else []
            self._rolled_twice(cursor.line.tokens[first:], [each["holds"] for each, _ in chain if "holds" in each])
            chain.append((inner if inner is not None else {"do": "when"}, (*at, 0)))
            return
        chain.clear()
        try:
            if steps := self.body(cursor, at):
                when["else"] = steps
            self._end(cursor, None)
        except TextError as error:
            self.errors.append(error)
            self._rest(cursor.line)

    def _rolled_twice(self, tokens: list[Token], above: list[str]) -> None:
        """Say that dice of an `if` above are rolled again in an `else if`."""
        for token in tokens:
            if token.text == ":":
                return
            if token.kind == "dice" and any(token.text in held.split() for held in above):
                message = f"{token.text} is rolled again here: write roll {token.text}: and the results below it"
                self.errors.append(TextError(token.line, token.column, message))
                return

    # --- statements --------------------------------------------------------------------------------------------------

    def statement(self, cursor: Cursor, trail: Trail) -> dict[str, Any]:
        """Read a statement. Raises TextError."""
        first = cursor.next
        self.places[trail] = (first.line, first.column)
        if self._depth >= MAX_DEPTH:
            cursor.wrong(f"more than {MAX_DEPTH} steps stand below each other: make an event of a part")
        self._depth += 1
        try:
            is_set = cursor.ahead().text in ("+=", "-=", "=") or _is_call(cursor)
            is_long = cursor.ahead().text == "long"
            if first.kind == "ruling" or (first.text in TAILS and first.kind == "name" and not is_set and not is_long):
                return self._say(cursor, trail)
            return self._step(cursor, trail)
        finally:
            self._depth -= 1

    def _step(self, cursor: Cursor, trail: Trail) -> dict[str, Any]:
        statement = self._which(cursor)
        step: dict[str, Any] = {"do": statement.do}
        for part in statement.head:
            self._part(cursor, part, step, trail, statement)
        self._clauses(cursor, statement, step, trail)
        if statement.block:
            self._block(cursor, statement, step, trail)
        self._end(cursor, statement)
        if step == {"do": "end"} and not self.in_event:
            cursor.wrong("what ends is missing here: write end CONDITION, or end all until EVENT")
        if statement.do == "draw":
            step = {"keep": "all", "pools": "all", "score": False} | step
        return step

    def _which(self, cursor: Cursor) -> Statement:
        known, token, following = statements(), cursor.next, cursor.ahead()
        if _is_call(cursor):
            return known["call"]
        is_set = following.text in ("=", "+=", "-=") and following.kind == "sign"
        several = by_first_word().get(token.text, []) if token.kind == "name" and not is_set else []
        for each in several:
            if cursor.begins(each.words) and _fits(each, cursor):
                return each
        if token.kind == "name" and is_set:
            return known[{"+=": "raise", "-=": "lower", "=": "set"}[following.text]]
        if token.kind == "name" and following.text == "(":
            return known["call"]
        raise unknown_statement(cursor, several)

    def _part(self, cursor: Cursor, part: Part, step: dict[str, Any], trail: Trail, statement: Statement) -> None:
        if part.word:
            self._word(cursor, part, statement)
            return
        place = cursor.where
        if part.words:
            if cursor.takes_all(part.words):
                step[part.key], self.places[(*trail, part.key)] = part.value, place
            return
        if part.optional and not self._is_there(cursor, part):
            return
        while part.type == "time" and self._clause(cursor, statement, step, trail):
            place = cursor.where
        if part.type == "time" and cursor.next.text in ("for", "until"):
            place = (cursor.ahead().line, cursor.ahead().column)
        self.places[(*trail, part.key)] = place
        self._value(cursor, part, step, trail, statement)

    @staticmethod
    def _word(cursor: Cursor, part: Part, statement: Statement) -> None:
        """Step over a word of a form."""
        if cursor.takes(part.word):
            return
        if part.word == "=" and cursor.next.text == "==":
            cursor.wrong("write = here: == compares")
        if (part.word, cursor.next.text) == ("look", "lookup"):
            cursor.wrong("write look up")
        cursor.wrong(f'"{part.word}" is missing here{cursor.before}: {statement.example}')

    @staticmethod
    def _is_there(cursor: Cursor, part: Part) -> bool:
        if part.type == "text":
            return cursor.next.kind == "text"
        return cursor.next.text != "from"

    def _value(self, cursor: Cursor, part: Part, step: dict[str, Any], trail: Trail, statement: Statement) -> None:
        if part.type in _PLAIN:
            step[part.key] = getattr(cursor, part.type)()
        elif part.type == "name":
            step[part.key] = cursor.name(f"the {part.key}" if part.key not in ("of", "to", "what") else "a name")
            refuse_second_name(cursor, statement)
        elif part.type == "names":
            found = cursor.names(statement.stops)
            step[part.key] = [name for name, _ in found]
            self.places |= {(*trail, part.key, number): place for number, (_, place) in enumerate(found)}
        else:
            READERS[part.type](cursor, step, self.places, trail)

    def _clauses(self, cursor: Cursor, statement: Statement, step: dict[str, Any], trail: Trail) -> None:
        while cursor.next is not END and cursor.next.text != ":":
            comma = cursor.next.text == "," and cursor.next.kind == "sign"
            if comma:
                cursor.take()
            if self._clause(cursor, statement, step, trail):
                continue
            if statement.is_step and self._tail(cursor, step, trail):
                continue
            if statement.do == "check" and self._ruling(cursor, step, trail):
                continue
            cursor.move_to(cursor.at - comma)
            return

    def _clause(self, cursor: Cursor, statement: Statement, step: dict[str, Any], trail: Trail) -> bool:
        token, place = cursor.next, cursor.where
        if token.text not in statement.stops:
            return False
        clause = next((each for each in statement.clauses if cursor.takes_all(each.words)), None)
        if clause is None:
            return False
        if clause.key in step:
            cursor.wrong(f'"{" ".join(clause.words)}" stands here a second time', token)
        for part in clause.parts:
            self._part(cursor, part, step, trail, statement)
        if clause.sets:
            step[clause.sets[0]] = clause.sets[1]
            self.places[(*trail, clause.sets[0])] = place
        return True

    @staticmethod
    def _end(cursor: Cursor, statement: Statement | None) -> None:
        """Refuse what is left of a line. Raises TextError."""
        if cursor.next is not END:
            cursor.wrong(cannot_follow(cursor, statement))

    # --- what a step says --------------------------------------------------------------------------------------------

    def _tail(self, cursor: Cursor, step: dict[str, Any], trail: Trail) -> bool:
        token = cursor.next
        if token.kind == "ruling":
            return self._ruling(cursor, step, trail)
        if token.kind != "name" or token.text not in TAILS:
            return False
        cursor.take()
        log: dict[str, Any] = step.get("log") or {}
        place = (token.line, token.column)
        if token.text in ("print", "say", "unprinted") and "says" in step:
            cursor.wrong("its words on paper stand here a second time", token)
        match token.text:
            case "print" | "say":
                self.places[(*trail, "says")] = cursor.where
                step["says"] = cursor.text()
                if token.text == "print":
                    step["log"] = log
            case "unprinted":
                step["says"], self.places[(*trail, "says")] = "", place
            case "log":
                if "says" in log:
                    cursor.wrong("its words in the log stand here a second time", token)
                self.places[(*trail, "log", "says")] = cursor.where
                step["log"] = log | {"says": cursor.text()}
            case "quietly":
                step["log"] = log | {"quiet": True}
            case "as":
                self.places[(*trail, "log", "kind")] = cursor.where
                step["log"] = log | {"kind": cursor.name("the kind of the entry")}
                if cursor.next.text == "(":
                    cursor.wrong("an entry holds the values that its sentence quotes: write only its kind here")
        self.places[(*trail, "log")] = place
        return True

    def _ruling(self, cursor: Cursor, step: dict[str, Any], trail: Trail) -> bool:
        token = cursor.next
        if token.kind != "ruling":
            return False
        cursor.take()
        if "ruling" in step:
            cursor.wrong("a second ruling: one stands behind a step", token)
        self.places[(*trail, "ruling")] = (token.line, token.column + 1)
        step["ruling"] = token.text[1:-1]
        return True

    def _say(self, cursor: Cursor, trail: Trail) -> dict[str, Any]:
        step: dict[str, Any] = {"do": "say"}
        while self._tail(cursor, step, trail):
            pass
        if cursor.next.text == ":":
            step["steps"] = self.body(cursor, (*trail, "steps"))
        self._end(cursor, statements()["say"])
        return step

    # --- what stands below a line ------------------------------------------------------------------------------------

    def body(self, cursor: Cursor, trail: Trail) -> list[dict[str, Any]]:
        """Read what follows a colon: the rest of the line, or the lines below it. Raises TextError."""
        if not cursor.takes(":"):
            last = cursor.line.tokens[cursor.at - 1]
            if cursor.next.line != last.line or not cursor.next.text:
                raise TextError(
                    last.line, last.column + len(last.text), "a colon is missing here, at the end of the line"
                )
            cursor.wrong(f"a colon is missing here{cursor.before}")
        if cursor.next is END:
            return self.block(cursor.line.inside, trail)
        if cursor.next.text == "nothing" and cursor.ahead() is END:
            cursor.take()
            return []
        return [self.statement(cursor, (*trail, 0))]

    def _block(self, cursor: Cursor, statement: Statement, step: dict[str, Any], trail: Trail) -> None:
        if statement.do == "check" and cursor.next.text == "else":
            cursor.take()
            self.places[(*trail, "fails")] = cursor.where
            step["fails"] = [self.statement(cursor, (*trail, "fails", 0))]
            return
        if statement.block_optional and cursor.next.text != ":":
            return
        if statement.do == "when" and (cursor.next.kind == "ruling" or cursor.next.text in TAILS):
            cursor.wrong(cannot_follow(cursor, statement))
        key = statement.block[0]
        if key in ("results", "options"):
            self._cases(cursor, key, step, trail)
        elif key == "penalty":
            self._only_step(cursor, step, trail)
        elif statement.do in ("check", "save", "draw_card") and self._has_cases(cursor, statement):
            cursor.take()
            for line in filter(lambda each: each.tokens, cursor.line.inside):
                self._labelled(Cursor(line, self.names), statement, step, trail)
        elif key == "passes":
            cursor.wrong("passes: and fails: stand below this line, each with its steps")
        else:
            key = "then" if "then" in statement.block else key
            step[key] = self.body(cursor, (*trail, key))

    @staticmethod
    def _has_cases(cursor: Cursor, statement: Statement) -> bool:
        first = next((line.tokens[0].text for line in cursor.line.inside if line.tokens), "")
        return cursor.ahead() is END and first in statement.block

    def _only_step(self, cursor: Cursor, step: dict[str, Any], trail: Trail) -> None:
        """Read the one step of `whenever`."""
        inner = Reader(self.names)
        steps = inner.body(cursor, ())
        self.errors += inner.errors
        if len(steps) != 1:
            cursor.wrong("one penalty stands below whenever")
        self.places |= {(*trail, "penalty", *at[1:]): place for at, place in inner.places.items()}
        step["penalty"] = steps[0]

    def _labelled(self, cursor: Cursor, statement: Statement, step: dict[str, Any], trail: Trail) -> None:
        """Read `passes:` or `fails:` with its steps."""
        token = cursor.next
        try:
            if token.text == "else":
                cursor.wrong("write fails:")
            if token.text not in statement.block:
                cursor.wrong(f"only {' and '.join(f'{each}:' for each in statement.block)} stand here")
            cursor.take()
            key = token.text
            if key in step:
                cursor.wrong(f"{token.text}: stands here a second time", token)
            self.places[(*trail, key)] = (token.line, token.column)
            step[key] = self.body(cursor, (*trail, key))
            self._end(cursor, None)
        except TextError as error:
            self.errors.append(error)
            self._rest(cursor.line)

    def _cases(self, cursor: Cursor, key: str, step: dict[str, Any], trail: Trail) -> None:
        """Read the results of a roll, or the options of a choice."""
        noun = "results" if key == "results" else "options"
        if step.get("dice") == "on" and cursor.next.kind == "name":
            cursor.wrong(f"write look up {cursor.next.text}, for a table", cursor.line.tokens[0])
        if not cursor.takes(":") or cursor.next is not END:
            example = "1-2: and 3+:" if key == "results" else '"walk on":'
            cursor.wrong(f"the {noun} stand below this line, each with its steps: {example}")
        step[key] = {}
        for line in filter(lambda each: each.tokens, cursor.line.inside):
            self._case(Cursor(line, self.names), key, step, trail)
        if key == "results" and step[key]:
            self._gap(cursor, list(step[key]))

    def _case(self, cursor: Cursor, key: str, step: dict[str, Any], trail: Trail) -> None:
        token = cursor.next
        try:
            if key == "results":
                written = cursor.range()
                _check_range(written, cursor, token)
            else:
                written = cursor.text()
                if cursor.takes("if"):
                    self.places[(*trail, "only", written)] = cursor.where
                    step.setdefault("only", {})[written] = cursor.formula()
            if written in step[key]:
                cursor.wrong(f"{written} stands here a second time", token)
            self.places[(*trail, key, written)] = (token.line, token.column)
            step[key][written] = []
            step[key][written] = self.body(cursor, (*trail, key, written))
            self._end(cursor, None)
        except TextError as error:
            self.errors.append(error)
            self._rest(cursor.line)

    @staticmethod
    def _gap(cursor: Cursor, written: list[str]) -> None:
        """Refuse results between two others for which nothing is written."""
        spans = sorted(map(Span.parse, written), key=lambda each: each.low)
        for one, other in pairwise(spans):
            if one.high is not None and other.low > one.high + 1:
                gap = Span(one.high + 1, other.low - 1)
                message = f"nothing is written for {gap}: add {gap}: nothing, if nothing happens"
                cursor.wrong(message, cursor.line.tokens[0])


def _check_range(written: str, cursor: Cursor, token: Token) -> None:
    try:
        Span.parse(written)
    except ValueError as error:
        cursor.wrong(str(error), token)


def _fits(statement: Statement, cursor: Cursor) -> bool:
    """Return whether a statement is meant, where several begin with one word."""
    if statement.do in ("draw_card", "draw"):
        drawn_from = any(token.text == "from" for token in cursor.line.tokens[cursor.at :])
        return drawn_from == (statement.do == "draw_card")
    if statement.do == "befall":
        return cursor.ahead().text in ("one", "others") or cursor.ahead(2).kind == "name"
    return True


def _is_call(cursor: Cursor) -> bool:
    """Return whether an event is called, though a statement begins with its name too: `draw(miss: 1)`."""
    token, opening = cursor.next, cursor.ahead()
    if opening.text != "(":
        return False
    first, second = cursor.ahead(2), cursor.ahead(3)
    if token.kind != "name" or token.end != opening.start or token.text == "if":
        return False
    return first.text == ")" or (first.kind == "name" and second.text in (":", ",", ")"))


def _is_case(line: Line) -> bool:
    return bool(line.tokens) and (line.tokens[0].kind in ("number", "text") or line.tokens[0].text in CASES)


def read_steps(text: str, names: Names | None = None, *, in_event: bool = False) -> tuple[list[dict[str, Any]], Reader]:
    """Read steps or effects. The reader has the places of all values, and what is wrong."""
    reader = Reader(names, in_event=in_event)
    steps = reader.block(lines_of(text, reader.errors), ())
    return steps, reader
