"""Values that only one statement has: what is looked up, what ends, the dice of a throw, the arguments of a call."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from generator.base.sentences import unit_of
from generator.language.cursor import Cursor
from generator.language.forms import TAILS, Statement, statements
from generator.language.tokens import END

Trail = tuple[str | int, ...]
Places = dict[Trail, tuple[int, int]]
Step = dict[str, Any]

_ONE_NAME = {"suffer": "suffer", "end": "end", "cure": "end", "lose": "lose", "locate": "locate"}


def refuse_second_name(cursor: Cursor, statement: Statement) -> None:
    """Refuse a second name where a statement is about one. Raises TextError."""
    word, other = _ONE_NAME.get(statement.do), cursor.ahead()
    if word is None or cursor.next.text not in ("and", "or", ",") or other.kind != "name":
        return
    if cursor.next.text != "," or other.text not in statement.stops:
        cursor.wrong(f"{word} takes one name: write {word} {other.text} ... on a line of its own")


def read_arguments(cursor: Cursor, places: Places, trail: Trail) -> dict[str, str]:
    """Read what an event is called with: `(damage: 3, type)`."""
    given: dict[str, str] = {}
    opening = cursor.next
    if not cursor.takes("("):
        cursor.wrong("parentheses are missing here, with what the event takes: hit(damage: 3)")
    while not cursor.takes(")"):
        places_name = cursor.where
        name = cursor.name("what the event takes")
        places[(*trail, name)] = places_name
        if cursor.takes(":"):
            places[(*trail, name)] = cursor.where
            given[name] = cursor.formula()
        else:
            given[name] = name
        if cursor.next.text != ")" and not cursor.takes(","):
            if cursor.next is END:
                cursor.wrong("this parenthesis is not closed", opening)
            cursor.wrong(f"a comma or ) is missing here{cursor.before}")
    return given


def _arguments(cursor: Cursor, step: Step, places: Places, trail: Trail) -> None:
    if given := read_arguments(cursor, places, (*trail, "with")):
        step["with"] = given


def _amount(cursor: Cursor, step: Step, places: Places, trail: Trail) -> None:
    """Read how much time: `3 rounds`, `a day`."""
    key = "times" if step["do"] == "pass" else "by"
    del places[(*trail, key)]
    if key == "times" and cursor.next.text in ("a", "an") and cursor.ahead().kind == "name":
        cursor.take()
    else:
        places[(*trail, key)] = cursor.where
        step[key] = cursor.formula("how much time")
    if cursor.next.kind != "name" or cursor.next.text in (*TAILS, "a", "an"):
        cursor.wrong(
            f"the unit of time is missing here{cursor.before}: 3 days" + (", or a day" if key == "times" else "")
        )
    places[(*trail, "unit")] = cursor.where
    step["unit"] = unit_of(cursor.take().text)


def _row(cursor: Cursor, step: Step, places: Places, trail: Trail) -> None:
    """Read what is looked up: `TABLE`, or `FORMULA on TABLE`."""
    del places[(*trail, "table")]
    token, following, stops = cursor.next, cursor.ahead(), statements()["look_up"].stops
    if token.text == "on":
        cursor.wrong("write look up TABLE, or look up NUMBER on TABLE")
    ends = following.kind in ("end", "ruling") or following.text in (":", ",") or following.text in stops
    if token.text in ("by", "aimed") and not ends:
        return
    if not (token.kind == "name" and ends):
        places[(*trail, "by")] = cursor.where
        step["by"] = cursor.formula("a table")
        if not cursor.takes("on"):
            cursor.wrong(f'"on" and a table are missing here{cursor.before}: look up severity on body')
    places[(*trail, "table")] = cursor.where
    step["table"] = cursor.name("the table")


def _ended(cursor: Cursor, step: Step, places: Places, trail: Trail) -> None:
    """Read what ends: a condition, all of a group, all until an event, or what is coming."""
    statement = statements()["end"]
    place = places.pop((*trail, "condition"))
    if cursor.takes("coming"):
        places[(*trail, "coming")] = cursor.where
        step["coming"] = cursor.name("a condition")
    elif cursor.takes_all(("all", "until")):
        places[(*trail, "until")] = cursor.where
        words = [word for word, _ in cursor.names(statement.stops)]
        step["until"] = words[0] if len(words) == 1 else words
    elif cursor.takes("all"):
        places[(*trail, "group")] = cursor.where
        step["group"] = cursor.name("a group, or until and an event,")
    elif cursor.next.text == "until":
        cursor.wrong("write end all until, and an event")
    elif cursor.next.kind == "name" and cursor.next.text not in statement.stops:
        places[(*trail, "condition")] = place
        step["condition"] = cursor.name()
        refuse_second_name(cursor, statement)


def _thrown(cursor: Cursor, step: Step, places: Places, trail: Trail) -> None:
    """Read named dice: `best: highest of 3d6`, `fear: d(courage)`."""
    step["dice"] = {}
    while True:
        name = cursor.name("the name of the dice")
        if not cursor.takes(":"):
            cursor.wrong(f"a colon and a die are missing here{cursor.before}: throw best: highest of 3d6")
        counts = _kept_dice(cursor, step)
        token, places[(*trail, "dice", name)] = cursor.next, cursor.where
        if token.kind == "dice":
            many, _, faces = cursor.take().text.lower().partition("d")
            if many and step.setdefault("many", many) != many:
                cursor.wrong(f"each name of a throw has as many dice: {step['many']}", token)
            step["dice"][name] = faces
        elif token.text == "d" and cursor.ahead().text == "(":
            cursor.take()
            first = cursor.at
            cursor.group()
            step["dice"][name] = cursor.slice(first)[1:-1].strip()
        else:
            cursor.wrong(f"a die is missing here{cursor.before}: d6, or d(strength) for a die of so many faces")
        if counts and "many" not in step:
            cursor.wrong(f"how many dice is missing here: write 3{token.text}", token)
        _title(cursor, step, places, (*trail, "titles", name))
        if cursor.next.text != "," or cursor.ahead(2).text != ":":
            return
        cursor.take()


def _kept_dice(cursor: Cursor, step: Step) -> bool:
    """Read `highest of`, or `lowest 2 of`; return whether it stands there."""
    word = cursor.next.text
    if word not in ("highest", "lowest"):
        return False
    cursor.take()
    step["keep"] = str(cursor.number()) if cursor.next.kind == "number" else "1"
    step |= {"lowest": True} if word == "lowest" else {}
    if not cursor.takes("of"):
        cursor.wrong(f'"of" is missing here{cursor.before}: {word} of 3d6')
    return True


def _counted(cursor: Cursor, step: Step, places: Places, trail: Trail) -> None:
    """Read which faces are counted: `hits on 6, misses on 1`."""
    step["counts"] = {}
    while True:
        name = cursor.name()
        if not cursor.takes("on"):
            cursor.wrong(f'"on" and the face that counts are missing here{cursor.before}: counting hits on 6')
        places[(*trail, "counts", name)] = cursor.where
        step["counts"][name] = cursor.number()
        _title(cursor, step, places, (*trail, "titles", name))
        if cursor.next.text not in (",", "and") or cursor.ahead(2).text != "on":
            return
        cursor.take()


def _title(cursor: Cursor, step: Step, places: Places, trail: Trail) -> None:
    if cursor.next.kind == "text":
        places[trail] = cursor.where
        step.setdefault("titles", {})[trail[-1]] = cursor.text()


def _rolled(cursor: Cursor, step: Step, places: Places, trail: Trail) -> None:
    """Read the dice of a check: `d10 - 1`, a die from 0, or `d20 + grit`, with what is added."""
    step["die"] = cursor.dice(("-",))
    if cursor.next.text in ("+", "-"):
        places[(*trail, "adds")] = cursor.where
        cursor.takes("+")
        step["adds"] = cursor.formula("what is added")


READERS: Mapping[str, Callable[[Cursor, Step, Places, Trail], None]] = {
    "arguments": _arguments,
    "amount": _amount,
    "row": _row,
    "ended": _ended,
    "thrown": _thrown,
    "counted": _counted,
    "rolled": _rolled,
}
"""Readers of values that are more than one key, by the name of their type in a form."""
