"""Sentences: the mark at their end, how they are put together, and plurals of nouns."""

import re
from collections.abc import Iterable

from generator.base.late import late_pattern

_ENDED = late_pattern(r"""[.!?…:][\s"'”’»)\]]*[†‡*§]*$""")  # noqa: RUF001
"""The mark of a sentence that has one, also before closing quotes and brackets."""
_SEVERAL = late_pattern(r"[.!?] +[^\W\d_a-z]")
_STOP = late_pattern(r"(?<!\.)\.$")
_MOVES = late_pattern(r"((?<!\.)\.|(?<![!?:])[!?:]+)\s*$")
"""The mark that stands after the end of time, where a sentence has one."""
_ITEM = late_pattern(r"[ \t]*[*•-][ \t]+")


def full_stop(text: str) -> str:
    """Return a sentence with a full stop, unless it ends in a mark of its own."""
    text = text.rstrip()
    return text if not text or _ENDED.search(text) else f"{text}."


def stopped_alike(texts: list[str]) -> list[str]:
    """Return the texts of a column, each with a full stop if one of them is more than one sentence."""
    return [*map(full_stop, texts)] if any(map(_SEVERAL.search, texts)) else texts


def without_stop(text: str) -> str:
    """Return a sentence without its full stop; other marks stay."""
    return _STOP.sub("", text.rstrip())


def sentence_parts(says: str, until: str = "") -> tuple[str, str]:
    """Return what happens and until when, both as printed; the mark stands after the last."""
    if not until.strip():
        return full_stop(says), ""
    mark = _MOVES.search(says)
    if mark is None:
        return says.rstrip(), full_stop(until)
    return says[: mark.start()], full_stop(until) if mark[1] == "." else f"{until.rstrip()}{mark[1]}"


def joined_sentences(texts: Iterable[str]) -> str:
    """Return texts as sentences in one line; the last keeps the end that it has. Empty ones are left out."""
    *first, last = [text.strip() for text in texts if text.strip()] or [""]
    return " ".join((*map(full_stop, first), last))


def paragraphs(text: str) -> tuple[str, ...]:
    """Return the paragraphs of a text: an empty line or a line that begins with `*` or `-` begins one.

    The entries of a list have a bullet.
    """
    written: list[list[str]] = [[]]
    for line in text.splitlines():
        item = _ITEM.match(line)
        if item or not line.strip():
            written.append(["\N{BULLET}"] if item else [])
        written[-1] += line[item.end() if item else 0 :].split()
    return tuple(" ".join(words) for words in written if words)


_HISSING = ("s", "x", "z", "ch", "sh")


def plural(noun: str) -> str:
    """Return the plural of a noun: `Critical wounds`, `injuries`."""
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith(_HISSING) else f"{noun}s"


def unit_of(word: str) -> str:
    """Return a unit of time from its singular or plural: `watches` becomes `watch`."""
    if word.endswith("ies"):
        return f"{word[:-3]}y"
    return word[:-2] if word.endswith(("ches", "shes")) else word.removesuffix("s")


_SECOND = late_pattern(r"(?:([A-Za-z']+) )?\b(you|your|yours|yourself)\b", re.IGNORECASE)
_THIRD = {"you": "they", "your": "their", "yours": "theirs", "yourself": "themselves"}
_BEFORE_OBJECTS = late_pattern(
    r"about|above|against|around|at|behind|below|beside|by|for|from|give|given|gives|help|helps|in|into|"
    r"keep|let|make|near|of|on|over|to|under|upon|wake|with|costs|does|heals|hits|holds|keeps|kills|"
    r"leaves|lets|makes|puts|saves|sees|stops|strikes|takes|throws|turns|wakes",
    re.IGNORECASE,
)
"""Words after which `you` is whom something befalls, and not who does it."""


def third_person(text: str) -> str:
    """Return a sentence that speaks to somebody as one that speaks of them."""

    def swapped(match: re.Match[str]) -> str:
        before, word = match[1] or "", match[2]
        sentence = _THIRD[word.lower()]
        if sentence == "they" and _BEFORE_OBJECTS.fullmatch(before):
            sentence = "them"
        return f"{before} " * bool(before) + (sentence.capitalize() if word[0].isupper() else sentence)

    return _SECOND.sub(swapped, text)


def one_line(text: str) -> str:
    """Return text with each run of blanks and line breaks as one blank."""
    return " ".join(text.split())
