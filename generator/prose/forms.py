"""The forms of `forms.yaml`, made into patterns."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from generator.pack.strict_yaml import read_file

DICE = r"(?:\d{0,2}d(?:\d{1,3}|%)(?: ?[+-] ?\d{1,3})?|\d{1,4})"
NUMBERS = {"a": "1", "an": "1", "no": "0"} | {
    word: str(index)
    for index, word in enumerate(
        ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"], 1
    )
}
_N = rf"(?:{DICE}|{'|'.join(NUMBERS)})"
_FREE = r"[^.;:]{2,70}?"
_SLOTS = {
    "n": _N,
    "mod": rf"[+-] ?{DICE}",
    "stats": _FREE,
    "any_stat": _FREE,
    "stat": r"[^.,;:]{2,44}?",
    "stat_words": r"[a-z][a-z' /-]{2,60}?",
    "part": r"[a-z]{3,14}",
    "span": rf"{_N}[ -]?[a-z ]{{1,14}}?\.?\*?",
    "number": r"[a-z][a-z -]{1,24}?",
    "table": r"[a-z][a-z -]{1,40}?",
    "words": r"[a-z][a-z0-9' /,()-]{2,130}?",
    "scar": r"[a-z'-]{2,14}(?: [a-z'-]{2,14}){0,2}",
    "d": r"\d{1,3}|%",
    "x": r"1[-\u2013]\d{1,2}|\d{1,2}",
    "score": r"\d{1,2}",
    "percent": r"\d{1,3}",
    "until": r"(?:until|for) [^.;:]{2,50}?",
    "over": r"[a-z][a-z-]{2,24}(?: [a-z]{2,14})?",
    "aim": r"[a-z ]{3,40}?",
    "aid": r"[a-z][a-z' ]{3,50}?",
    "unless": r"[a-z ]{3,30}?",
    "faces": r"[^.]{1,160}?",
    "options": r"[^.]{3,240}?",
    "fail": r"[^.;]{3,90}?",
    "condition": r"[a-z][a-z -]{2,40}",
    "effects": r"[^.]{3,200}?",
}
"""The pattern of each slot; `clauses` gives its meaning."""
_TOKEN = re.compile(r"\[[^\]]*\]|\([a-z0-9' |,./-]*\)(?::[a-z]+)?|\S+")
_SLOT = re.compile(r"\{(\w+)(?::(\w+))?\}")


@dataclass(frozen=True)
class Form:
    """A pattern, words of which it needs one, what it means, and its slots: name -> kind."""

    pattern: re.Pattern[str]
    anchors: tuple[str, ...]
    means: Any
    slots: dict[str, str]


def compiled(says: str, means: Any = None) -> Form:
    """Return the form of a text in the small language of `forms.yaml`; it matches a text with a blank before it."""
    slots: dict[str, str] = {}
    parts = list[str]()
    anchors: tuple[str, ...] = ("",)
    for token in _TOKEN.findall(says):
        if token.startswith("["):
            parts.append(f"(?:{_either(token[1:-1], slots)})?")
        elif token.startswith("(") and "|" in token:
            body, _, name = token[1:].partition(")")
            slots |= {name[1:]: "text"} if name else {}
            inner = _either(body, slots)
            anchors = max(anchors, _anchors(body), key=_shortest)
            parts.append(
                f"(?:{inner})" if not name else f" (?P<{name[1:]}>{inner.replace(' ', '', 1).replace('| ', '|')})"
            )
        else:
            anchors = max(anchors, _anchors("" if "{" in token else token), key=_shortest)
            parts.append(_spaced(token, slots))
    return Form(re.compile("".join(parts)), anchors, means, slots)


def _anchors(text: str) -> tuple[str, ...]:
    return tuple("" if "?" in each or "{" in each else each.strip(" (),.:;%") for each in text.split("|"))


def _shortest(anchors: tuple[str, ...]) -> int:
    return min(map(len, anchors))


def _either(text: str, slots: dict[str, str]) -> str:
    return "|".join(_spaced(each.strip(), slots) for each in text.split("|"))


def _spaced(text: str, slots: dict[str, str]) -> str:
    """Return a pattern for words and slots, with a blank before it where one stands."""
    parts, end = list[str](), 0
    for match in _SLOT.finditer(text):
        name, kind = match[2] or match[1], match[1]
        slots[name] = kind
        parts += [_escaped(text[end : match.start()]), f"(?P<{name}>{_SLOTS[kind]})"]
        end = match.end()
    gap = " ?" if text[0] == "%" else "" if text[0] in ",.;:" else " "
    return gap + "".join([*parts, _escaped(text[end:])])


def _escaped(text: str) -> str:
    return re.sub(" (?=[,.;:])", "", re.escape(text).replace(r"\?", "?").replace(r"\ ", " ").replace(r" \.", r"\."))


@dataclass(frozen=True)
class Common:
    """A condition that many posts share."""

    id: str
    says: str
    brief: str
    ends: str
    fails: str
    is_loose: bool
    patterns: tuple[Form, ...]


@dataclass(frozen=True)
class Forms:
    """All that `forms.yaml` says."""

    subject: re.Pattern[str]
    statistics: dict[str, tuple[str, str]]
    parts: dict[str, str]
    units: dict[str, str]
    ends: dict[str, Form]
    lasting: dict[str, re.Pattern[str]]
    conditions: tuple[Common, ...]
    clauses: tuple[Form, ...]
    sentences: tuple[Form, ...]
    deck: tuple[Form, ...]
    nothing: tuple[Form, ...]
    which: re.Pattern[str]
    no_numbers: frozenset[str]
    how_much: re.Pattern[str]
    binding: re.Pattern[str]
    phrase: re.Pattern[str]
    wound: re.Pattern[str]
    limit: re.Pattern[str]
    colour: re.Pattern[str]


@cache
def forms() -> Forms:
    """Return the forms, which are read once."""
    path = Path(__file__).with_name("forms.yaml")
    data, _ = read_file(path, path.name)
    helper = f"(?: ?(?:{_joined(data['helpers'])}))"
    starts = f"(?:{_joined(data['subjects'])})(?:{helper}(?= |$)){{0,3}}"
    starts = f"{starts}|(?:{_joined(data['helpers'])})(?:{helper}(?= |$)){{0,2}}"
    statistics = {
        word: (key, each["name"]) for key, each in data["statistics"].items() for word in each["words"].split("|")
    }
    return Forms(
        subject=re.compile(rf"(?:{starts}) +"),
        statistics=statistics,
        parts={word: part for part, words in data["parts"].items() for word in _plurals(words)},
        units={word: unit for unit, words in data["units"].items() for word in words.split("|")},
        ends={word: compiled(says) for word, says in data["ends"].items()},
        lasting={word: re.compile(rf"{compiled(says).pattern.pattern}\b") for word, says in data["lasting"].items()},
        conditions=tuple(
            Common(
                key, each["says"], each["brief"], each.get("ends", "gm"), each.get("fails", ""),
                bool(each.get("loose")), tuple(map(compiled, each["words"].split(";"))),
            )
            for key, each in data["conditions"].items()
        ) + tuple(
            Common(each.replace(" ", "_"), f"You are {each}", each, "gm", "", False, (compiled(each),))
            for each in data["states"].replace(" |", "|").split("|")
        ),
        clauses=tuple(compiled(each["says"], each["means"]) for each in data["clauses"]),
        sentences=tuple(compiled(each["says"], each["means"]) for each in data["sentences"]),
        deck=tuple(compiled(each["says"], each["means"]) for each in data["deck"]),
        nothing=tuple(map(compiled, data["nothing"].split(";"))),
        which=compiled(data["which"]).pattern,
        how_much=compiled(data["how_much"]).pattern,
        limit=re.compile(rf"\b(?:{_joined(data['limits'])})\b"),
        phrase=re.compile(rf"(?:{_joined(data['phrases'])})\b"),
        wound=re.compile(rf"(?<!-)\b(?:{_joined(data['wounds'])})\b"),
        no_numbers=frozenset(data["no_numbers"].split("|")),
        binding=re.compile(rf"\b(?:{_joined(data['binding'])})\b|\d"),
        colour=re.compile(rf"(?:{_joined(data['colour'])})\W*"),
    )  # fmt: skip


def _joined(words: str) -> str:
    return words.replace(" |", "|").replace("(", "(?:")


def _plurals(words: str) -> list[str]:
    each = words.split("|")
    return [word.replace("s?", "") for word in each] + [word.replace("?", "") for word in each if "?" in word]
