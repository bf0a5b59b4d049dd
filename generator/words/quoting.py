"""Words of the author's with values in them: `{hp} HP`, `{days day}`, `{lethal?, and {lethal} of it is lethal}`.

`{name}` is a value, `{name noun}` the value with its noun, in the plural where there is not one (`{n injury/injuries}`
says how), `{name?words}` are words for where the value is neither 0 nor missing, and `{name?words|others}` has others
for where it is; `{name=1?words|others}` asks for that one value.
"""

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import NamedTuple

from generator.base.late import late_pattern
from generator.base.sealed import Hidden
from generator.model.formulas import Result
from generator.words.wording import MINUS

_PART = late_pattern(r"\{(?P<name>\w+)(?: (?P<noun>[a-z][a-z /]*)|(?:=(?P<like>[\w-]+))?(?P<choice>\?))?")


class Quote(NamedTuple):
    """A value in a text: its name, its noun in the singular and the plural, and the words that depend on it."""

    name: str
    nouns: tuple[str, ...] = ()
    words: "Parts | None" = None
    others: "Parts" = ()
    like: str | None = None


Parts = tuple["str | Quote", ...]


@lru_cache(maxsize=4096)
def parsed_text(text: str) -> Parts:
    """Text and the values in it. Braces that quote nothing are text."""
    parts, at = _parts(text, 0, "")
    return parts if at == len(text) else (text,)


def _parts(text: str, at: int, until: str) -> tuple[Parts, int]:
    """Return the parts up to one of those signs, and where that stands."""
    parts: list[str | Quote] = []
    while at < len(text) and text[at] not in until:
        match = _PART.match(text, at)
        quote = _quote(text, match) if match else None
        if quote is None:
            end = next((place for place in range(at + 1, len(text)) if text[place] in "{|}"), len(text))
            parts.append(text[at:end])
            at = end
        else:
            parts.append(quote[0])
            at = quote[1]
    return tuple(parts), at


def _quote(text: str, match: re.Match[str]) -> tuple[Quote, int] | None:
    name, at = match["name"], match.end()
    words: Parts | None = None
    others: Parts = ()
    if match["choice"]:
        words, at = _parts(text, at, "|}")
        if text[at : at + 1] == "|":
            others, at = _parts(text, at + 1, "}")
    if text[at : at + 1] != "}":
        return None
    return Quote(
        name, tuple((match["noun"] or "").split("/")) if match["noun"] else (), words, others, match["like"]
    ), at + 1


def quoted_names(text: str) -> Iterator[str]:
    """Yield the names of all values in a text, those in words that depend on others too."""
    waiting = [*parsed_text(text)]
    while waiting:
        part = waiting.pop(0)
        if isinstance(part, Quote):
            yield part.name
            waiting += [*(part.words or ()), *part.others]


def fill_quotes(text: str, value: Callable[[str], Result]) -> str:
    """Return a text with its values; words that are left out leave no blank at its end."""
    return _filled(parsed_text(text), value).rstrip()


def _filled(parts: Parts, value: Callable[[str], Result]) -> str:
    return "".join(part if isinstance(part, str) else _said(part, value) for part in parts)


def _said(quote: Quote, value: Callable[[str], Result]) -> str:
    result = value(quote.name)
    if quote.words is not None:
        holds = bool(result) or isinstance(result, Hidden) if quote.like is None else str(result) == quote.like
        return _filled(quote.words if holds else quote.others, value)
    text = "" if result is None else str(result).replace("-", MINUS) if isinstance(result, int) else result
    if quote.nouns:
        one, *more = quote.nouns
        return f"{text} {one if result == 1 else next(iter(more), f'{one}s')}"
    return text
