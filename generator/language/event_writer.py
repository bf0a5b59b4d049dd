"""From an event's plain values to its text: the lines above its steps, then these."""

from __future__ import annotations

import re
from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from generator.language.headings import FLAGS, LISTS, UNPRINTED, VALUES, leave_unprinted
from generator.language.names import Names
from generator.language.writer import (
    MAX_WIDTH,
    FormulaText,
    UnwritableError,
    Writer,
    formula_text,
    joined,
    plain,
    quoted,
)


def _heading(event: Mapping[str, Any], width: int, f: FormulaText) -> list[str]:
    """Return the lines above the steps of an event."""
    lines: list[str] = []
    if "says" in event:
        lines.append(quoted(event["says"]) + (f" titled {quoted(event['title'])}" if "title" in event else ""))
    lines += [" ".join(words) for key, words in FLAGS.items() if event.get(key) is True]
    lines += _taken(event.get("takes") or {}, width, f)
    for need in event.get("needs") or ():
        lines.append(_refusal(need, f))
    labels = event.get("labels") or {}
    named = {name: f"{name} {quoted(label)}" for name, label in labels.items()}
    chances = [
        f"{named.get(name, name)}{' aside' if key == 'aside' else ''}: {f(each)}"
        for key in ("odds", "aside")
        for name, each in (event.get(key) or {}).items()
    ]
    if set(labels) - set(event.get("odds") or {}) - set(event.get("aside") or {}):
        raise UnwritableError("a label of no chance")
    return [*lines, *(_filled("odds", chances, width) if chances else []), *_values(event, f)]


def _values(event: Mapping[str, Any], f: FormulaText) -> list[str]:
    lines = []
    for key, words in LISTS.items():
        if key in event:
            lines.append(" ".join((*words, joined(event[key]) if event[key] else "nothing")))
    for key, (words, kind) in VALUES.items():
        if key in event:
            value = event[key]
            if key == "until" and not str(value).startswith("until "):
                raise UnwritableError(f"an end that does not begin with until: {value}")
            text = quoted(value.removeprefix("until ")) if kind == "text" else f(value)
            lines.append(" ".join((*words, text)))
    return lines


def _refusal(need: Mapping[str, Any], f: FormulaText) -> str:
    words = ["refuse"]
    if "holds" in need:
        holds = plain(need["holds"])
        atom = re.fullmatch(r"not ([a-z_]+(?:\([^()]*\))?)", holds)
        group = re.fullmatch(r"not \(((?:[^()]|\([^()]*\))*)\)", holds)
        match = atom or group
        words.append(f"if {f(match[1])}" if match else f"unless {f(holds)}")
    if need.get("free_of"):
        words.append(f"while {joined(need['free_of'], 'or')}")
    return f"{' '.join(words)}: {quoted(need['says'])}"


def _filled(head: str, parts: list[str], width: int) -> list[str]:
    """Return a list on as few lines as it takes, the further ones deeper."""
    lines, now = [], head
    for number, part in enumerate(parts):
        text = part + ("," if number < len(parts) - 1 else "")
        if len(f"{now} {text}") > width and now.strip() != head:
            lines.append(now)
            now = f"    {text}"
        else:
            now = f"{now} {text}"
    return [*lines, now]


def _taken(takes: Mapping[str, Any], width: int, f: FormulaText) -> list[str]:
    """Return the lines of what an event takes; an argument with much to say has a line of its own."""
    lines: list[str] = []
    simple: list[str] = []
    for name, argument in takes.items():
        traits, text = _traits(argument or {}, f)
        written = name + (f" ({', '.join(traits)})" if traits else "") + text
        if len(written) > width - 6:
            lines += _filled("takes", simple, width) if simple else []
            simple = []
            traits[-1] += ")" + text
            lines += _filled(f"takes {name}", [f"({traits[0]}", *traits[1:]], width)
        else:
            simple.append(written)
    return [*lines, *(_filled("takes", simple, width) if simple else [])]


_PLAIN_WORD = re.compile(r"[A-Za-z0-9_]+")


def _traits(argument: Mapping[str, Any], f: FormulaText) -> tuple[list[str], str]:
    """Return the traits of an argument, and what it is in words."""
    traits: list[str] = []
    kinds = [key for key in ("flag", "die", "card", "name") if argument.get(key)]
    words = [str(each) for each in argument.get("of") or ()]
    both = " or ".join([*kinds, *words])
    if both:
        bare = kinds or (
            len(words) > 1 and words[0] not in ("one", "from", "to", "if", "else", "like", "usually", "of")
        )
        bare = bare and not (words and not kinds and words[0].isdigit())
        if set(words) & {"flag", "die", "card", "name", "optional", "or"} or not all(map(_PLAIN_WORD.fullmatch, words)):
            raise UnwritableError(f"words that mean something else in a text: {words}")
        traits.append(both if bare else f"of {both}")
    if "one_of" in argument:
        traits.append(f"one of {argument['one_of']}")
    minimum, maximum = argument.get("least"), argument.get("most")
    if minimum is not None and maximum is not None:
        traits.append(f"{minimum} to {maximum}")
    elif minimum is not None or maximum is not None:
        traits.append(f"from {minimum}" if maximum is None else f"to {maximum}")
    if argument.get("optional"):
        traits.append("optional")
    if "default" in argument:
        default = plain(argument["default"])
        default_word = words[int(default) - 1] if default.isdigit() and 0 < int(default) <= len(words) else ""
        traits.append(f"usually {default_word}" if default_word else f"else {f(argument['default'])}")
    if "when" in argument:
        traits.append(f"if {f(argument['when'])}")
    for fewer in argument.get("fewer") or ():
        of = list(map(str, fewer["of"]))
        traits.append(f"{'of ' if len(of) == 1 else ''}{' or '.join(of)} if {f(fewer['when'])}")
    if "sample" in argument:
        sample = str(argument["sample"])
        traits.append(f"like {sample if _PLAIN_WORD.fullmatch(sample) else quoted(sample)}")
    known = {"flag", "die", "card", "name", "of", "one_of", "least", "most", "optional", "default", "when", "fewer"}
    if set(argument) - known - {"sample", "says"}:
        raise UnwritableError(f"an argument that is {argument}")
    return traits, f" {quoted(argument['says'])}" if "says" in argument else ""


EVENT_KEYS = ("says", "title", "takes", "needs", "do", "odds", "aside", "labels", *FLAGS, *LISTS, *VALUES)


def write_event(event: Mapping[str, Any], names: Names | None = None, *, width: int = MAX_WIDTH) -> list[str]:
    """Return the lines of an event, all that is said of it included. Raises UnwritableError."""
    if set(event) - set(EVENT_KEYS) or ("title" in event and "says" not in event):
        raise UnwritableError(f"keys that no line has: {set(event) - set(EVENT_KEYS)}")
    steps = list(event.get("do") or ())
    lines = _heading(event, width, formula_text(names))
    bare = _without_blanks(steps)
    again = deepcopy(bare)
    leave_unprinted(again)
    if again == steps and str(steps).count("'says': ''") > 1:
        lines.append(" ".join(UNPRINTED))
        steps = bare
    return [*lines, *(Writer(names, width=width).block(steps, 0) if steps or not lines else [])]


def _without_blanks(value: Any) -> Any:
    """Return steps without `says: ""`."""
    if isinstance(value, Mapping):
        return {key: _without_blanks(inner) for key, inner in value.items() if (key, inner) != ("says", "")}
    return [_without_blanks(inner) for inner in value] if isinstance(value, list) else value
