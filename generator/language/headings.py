"""The lines about an event itself, above its first step: what it takes, what refuses it, and its odds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from generator.base.errors import guess
from generator.language.cursor import Cursor
from generator.language.forms import statements
from generator.language.hints import HEADING
from generator.language.names import Names
from generator.language.reader import Reader
from generator.language.tokens import END, Line, TextError, lines_of
from generator.language.values import Trail

Event = dict[str, Any]
FLAGS: Mapping[str, tuple[str, ...]] = {
    "alone": ("for", "odds", "only"),
    "dead": ("for", "the", "dead", "too"),
    "helper": ("for", "other", "events", "only"),
}
"""Lines that set a key of the event."""
UNPRINTED = ("print", "only", "what", "is", "written")
"""The line of an event whose steps without words of the author's are not printed."""
LISTS: Mapping[str, tuple[str, ...]] = {"lists": ("lists",), "spreads": ("spreads",), "gives": ("gives",)}
"""Lines with several names."""
VALUES: Mapping[str, tuple[tuple[str, ...], str]] = {
    "better": (("better", "with"), "formula"),
    "spared": (("spares",), "formula"),
    "table": (("shows", "rows", "of"), "name"),
    "until": (("until",), "text"),
}
"""Lines with one value, by its key: how they begin, and the type of the value."""
ODDS_KEYS = ("odds", "aside", "labels", "lists", "spreads", "table", "better")
"""The parts that `odds as` takes from another event."""
_KINDS = ("flag", "die", "card", "name", "optional")
_BEGINS = (*((word,) for word in HEADING), *FLAGS.values(), *LISTS.values(), *(words for words, _ in VALUES.values()))


class HeadingReader:
    """Reads what stands above the steps of an event."""

    def __init__(self, reader: Reader, events: Mapping[str, Any]) -> None:
        self.reader, self.places = reader, reader.places
        self.events = events
        """The other events of the pack, as plain values: `odds as` names one."""
        self.event: Event = {}
        self.unprinted = False

    def read(self, lines: list[Line]) -> list[Line]:
        """Read the lines about the event; return those of its steps."""
        for number, line in enumerate(lines):
            cursor = Cursor(line, self.reader.names)
            if line.tokens and not self._is_heading(cursor):
                return lines[number:]
            try:
                self._line(cursor)
            except TextError as error:
                self.reader.errors.append(error)
        return []

    def _is_heading(self, cursor: Cursor) -> bool:
        if cursor.next.kind == "text" or cursor.begins(UNPRINTED):
            return True
        named = cursor.ahead().text in ("=", "+=", "-=", "(")
        return not named and any(map(cursor.begins, _BEGINS))

    def _line(self, cursor: Cursor) -> None:
        if cursor.next is END:
            return
        place = cursor.where
        if cursor.next.kind == "text":
            self._put("says", cursor.text(), place, cursor)
            if cursor.takes("titled"):
                self._put("title", cursor.text(), place, cursor)
        elif cursor.takes_all(UNPRINTED):
            self.unprinted = True
        elif key := next((key for key, words in FLAGS.items() if cursor.takes_all(words)), ""):
            self._put(key, True, place, cursor)
        elif key := next((key for key, words in LISTS.items() if cursor.takes_all(words)), ""):
            listed = [] if cursor.takes("nothing") else cursor.names()
            self._put(key, [name for name, _ in listed], place, cursor)
            self.places.update({(key, number): where for number, (_, where) in enumerate(listed)})
        elif key := next((key for key, (words, _) in VALUES.items() if cursor.takes_all(words)), ""):
            place = cursor.where
            value = {"formula": cursor.formula, "name": cursor.name, "text": cursor.text}[VALUES[key][1]]()
            self._put(key, f"until {value}" if key == "until" else value, place, cursor)
        else:
            {"takes": self._takes, "refuse": self._refuse, "odds": self._odds}[cursor.take().text](cursor)
        if cursor.next is not END:
            cursor.wrong(f"{cursor.next.text[:40]} cannot follow here: write one line for each")

    def _put(self, key: str, value: Any, place: tuple[int, int], cursor: Cursor) -> None:
        if key in self.event:
            cursor.wrong("this stands above already", cursor.line.tokens[0])
        self.event[key], self.places[(key,)] = value, place

    # --- what it takes -----------------------------------------------------------------------------------------------

    def _takes(self, cursor: Cursor) -> None:
        taken = self.event.setdefault("takes", {})
        self.places.setdefault(("takes",), cursor.where)
        while True:
            token = cursor.next
            name = cursor.name("what the event takes")
            if name in taken:
                cursor.wrong(f"the event takes {name} already", token)
            at = ("takes", name)
            self.places[at] = (token.line, token.column)
            argument: dict[str, Any] = {}
            taken[name] = argument
            if cursor.takes("("):
                self._trait(cursor, argument, at)
                while not cursor.takes(")"):
                    if not cursor.takes(","):
                        cursor.wrong(f"a comma or ) is missing here{cursor.before}")
                    self._trait(cursor, argument, at)
            if cursor.next.kind == "text":
                self.places[(*at, "says")] = cursor.where
                argument["says"] = cursor.text()
            if not cursor.takes(","):
                return

    def _trait(self, cursor: Cursor, argument: dict[str, Any], at: Trail) -> None:
        """Read a trait of an argument: its bounds, its words, its default."""
        token, place = cursor.next, cursor.where
        traits: dict[str, Any] = {}
        if cursor.takes("if"):
            traits["when"] = cursor.formula()
        elif cursor.takes("else"):
            traits["default"] = cursor.formula()
        elif cursor.takes("usually"):
            traits["default"] = self._usual(cursor, argument)
        elif cursor.takes("like"):
            traits["sample"] = cursor.text() if cursor.next.kind == "text" else cursor.take().text
        elif cursor.takes("from"):
            traits["least"] = cursor.number()
            traits |= {"most": cursor.number()} if cursor.takes("to") else {}
        elif cursor.takes("to"):
            traits["most"] = cursor.number()
        elif (token.kind == "number" and cursor.ahead().text == "to") or token.text == "-":
            traits["least"] = cursor.number()
            if not cursor.takes("to"):
                cursor.wrong(f'"to" is missing here{cursor.before}: 1 to 6')
            traits["most"] = cursor.number()
        elif cursor.takes_all(("one", "of")):
            traits["one_of"] = cursor.name()
        else:
            traits = self._words(cursor, argument, at)
        for key, value in traits.items():
            if key in argument:
                cursor.wrong("this is said twice of the argument", token)
            argument[key], self.places[(*at, key)] = value, place

    @staticmethod
    def _usual(cursor: Cursor, argument: dict[str, Any]) -> str:
        """Return the default as the number of one of the argument's words."""
        words = argument.get("of", [])
        if cursor.next.text not in words:
            cursor.wrong(
                f"usually names one of the words before it: {', '.join(words) or 'fail or pass, usually pass'}"
            )
        return str(words.index(cursor.take().text) + 1)

    def _words(self, cursor: Cursor, argument: dict[str, Any], at: Trail) -> dict[str, Any]:
        """Read the words that an argument may be, or its kind: `arm or leg`, `flag`."""
        token, place = cursor.next, cursor.where
        plain = cursor.takes("of")
        words = [self._word(cursor)]
        while cursor.takes("or"):
            words.append(self._word(cursor))
        if cursor.takes("if"):
            fewer = argument.setdefault("fewer", [])
            self.places[(*at, "fewer", len(fewer))] = self.places[(*at, "fewer")] = place
            fewer.append({"when": cursor.formula(), "of": words})
            return {}
        kinds = () if plain else tuple(word for word in words if word in _KINDS)
        rest = [word for word in words if word not in kinds]
        if len(words) == 1 and rest and not plain:
            if token.kind == "number":
                cursor.wrong(
                    f"write to {token.text} for the highest number, or from {token.text} for the lowest", token
                )
            able = (*_KINDS, "from", "to", "else", "usually", "like", "if", "one of")
            hint = guess(token.text, able) or f": write {', '.join(able)}, or words: arm or leg"
            cursor.wrong(f"{token.text[:40]} says nothing about what an event takes{hint}", token)
        return dict.fromkeys(kinds, True) | ({"of": rest} if rest else {})

    @staticmethod
    def _word(cursor: Cursor) -> str:
        if cursor.next.kind not in ("name", "number", "other", "dice"):
            cursor.wrong(f"a word is missing here{cursor.before}")
        return cursor.take().text

    # --- what refuses it, and its odds -------------------------------------------------------------------------------

    def _refuse(self, cursor: Cursor) -> None:
        needs = self.event.setdefault("needs", [])
        trail = ("needs", len(needs))
        self.places[trail] = cursor.where
        self.places.setdefault(("needs",), cursor.where)
        need: dict[str, Any] = {}
        if cursor.takes("unless"):
            self.places[(*trail, "holds")] = cursor.where
            need["holds"] = cursor.formula()
        elif cursor.takes("if"):
            self.places[(*trail, "holds")] = cursor.where
            first = cursor.at
            written = cursor.formula()
            tokens = cursor.line.tokens[first : cursor.at]
            is_call = len(tokens) > 2 and tokens[1].text == "(" and _closing(tokens) == len(tokens) - 1
            need["holds"] = f"not {written}" if len(tokens) == 1 or is_call else f"not ({written})"
        if cursor.takes("while"):
            listed = cursor.names()
            need["free_of"] = [name for name, _ in listed]
            self.places.update({(*trail, "free_of", number): where for number, (_, where) in enumerate(listed)})
        if not need:
            cursor.wrong(
                'write refuse if hp == 0: "why", refuse unless has(prone): "why", or refuse while stunned: "why"'
            )
        if not cursor.takes(":"):
            cursor.wrong(f"a colon and the reason are missing here{cursor.before}")
        self.places[(*trail, "says")] = cursor.where
        needs.append(need | {"says": cursor.text()})

    def _odds(self, cursor: Cursor) -> None:
        if cursor.takes("as"):
            token = cursor.next
            other = self.events.get(cursor.name("the name of an event"))
            if not isinstance(other, dict):
                cursor.wrong(f"there is no event {token.text} with odds{guess(token.text, self.events)}", token)
            taken = {key: other[key] for key in ODDS_KEYS if key in other}
            self.event = taken | self.event
            self.places.update({(key,): (token.line, token.column) for key in taken})
            return
        self._chance(cursor)
        while cursor.takes(","):
            self._chance(cursor)

    def _chance(self, cursor: Cursor) -> None:
        token = cursor.next
        name = cursor.name("the name of a chance")
        if cursor.next.kind == "text":
            self.places[("labels", name)] = cursor.where
            self.event.setdefault("labels", {})[name] = cursor.text()
        key = "aside" if cursor.takes("aside") else "odds"
        if not cursor.takes(":"):
            cursor.wrong(f"a colon is missing here{cursor.before}: odds death: dead")
        chances = self.event.setdefault(key, {})
        if name in chances:
            cursor.wrong(f"the chance {name} stands above already", token)
        self.places[(key, name)] = (token.line, token.column)
        chances[name] = cursor.formula()


def _closing(tokens: list[Any]) -> int:
    """Return the place of the parenthesis that closes the first one."""
    depth = 0
    for number, token in enumerate(tokens):
        depth += {"(": 1, ")": -1}.get(token.text, 0)
        if token.text == ")" and depth == 0:
            return number
    return -1


def read_event(text: str, events: Mapping[str, Any], names: Names | None = None) -> tuple[Event, Reader]:
    """Read an event: what is said above its steps, and these under `do`. `events` are those that it may name."""
    reader = Reader(names, in_event=True)
    heading = HeadingReader(reader, events)
    steps = heading.read(lines_of(text, reader.errors))
    event = heading.event
    event["do"] = reader.block(steps, ("do",))
    if heading.unprinted:
        leave_unprinted(event["do"])
    return event, reader


def leave_unprinted(steps: list[dict[str, Any]]) -> None:
    """Give every step without words of its author's none on paper, in place; those below it too."""
    waiting: list[Any] = list(steps)
    while waiting:
        value = waiting.pop()
        if isinstance(value, list):
            waiting += value
        elif isinstance(value, dict):
            do = value.get("do")
            if isinstance(do, str) and (statements()[do].is_step or do == "when"):
                value.setdefault("says", "")
            waiting += value.values()
