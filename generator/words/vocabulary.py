"""The vocabulary of effects as a page for authors: every kind with its keys, and with entries and their sentences.

Nothing of it is written by hand. The keys and what they mean come from the types, the entries from the systems that
ship, the sentences from `wording`. `python -m generator.words.vocabulary docs/authors.md` puts it into the guide.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, get_args

import yaml
from msgspec import inspect

from generator.base.errors import HackjackError
from generator.base.files import written_whole
from generator.model import taken_names
from generator.model.rules import LASTING, UNITS, AnyEffect, Effect, System, Until, plain_value
from generator.pack import content
from generator.pack.schema import wanted
from generator.words.effects import effect_sentences
from generator.words.wording import duration_clause

BEGIN, END = "<!-- effects: written by python -m generator.words.vocabulary -->", "<!-- end of effects -->"
NAMES_BEGIN, NAMES_END = "<!-- names: written by python -m generator.words.vocabulary -->", "<!-- end of names -->"
EXAMPLE_PACKS = Path(__file__).parents[2] / "docs" / "examples"
EXAMPLES = 3
"""So many entries are shown of a kind, at most: the first, and others that use further keys."""

Example = tuple[System, AnyEffect]


def vocabulary_page(systems: Iterable[System]) -> str:
    """Return the whole part of the guide between its marks, without them."""
    used = [(system, effect) for system in systems for effect in system.all_effects()]
    return "\n".join(
        line for lines in (*(_kind(kind, used) for kind in effect_kinds()), _durations()) for line in lines
    )


def effect_kinds() -> tuple[type[Effect], ...]:
    """Return every kind of effect, in the order of the vocabulary."""
    return get_args(AnyEffect)


def renewed_guide(text: str, systems: Iterable[System]) -> str:
    """Return a guide with what stands between its marks as it should be. Raises HackjackError if marks are missing."""
    text = _between(text, NAMES_BEGIN, NAMES_END, taken_names.page())
    return _between(text, BEGIN, END, vocabulary_page(systems))


def _between(text: str, begin: str, end: str, part: str) -> str:
    before, begun, rest = text.partition(begin)
    _, ended, after = rest.partition(end)
    if not begun or not ended:
        raise HackjackError(f"the marks are missing: {begin} and {end}")
    return f"{before}{begin}\n\n{part}\n{end}{after}"


def _kind(kind: type[Effect], used: list[Example]) -> Iterator[str]:
    """Yield one kind: what it is, its keys, and what such entries say."""
    described = inspect.type_info(kind)
    assert isinstance(described, inspect.StructType)
    yield f"### `{described.tag}`"
    yield ""
    yield str(kind.__doc__)
    yield ""
    if described.fields:
        yield "| key | what it is |"
        yield "|---|---|"
        for field in described.fields:
            yield f"| `{field.encode_name}` | {_said(field)} |"
        yield ""
    for system, effect in _chosen(kind, used):
        sentences = " ".join(str(sentence) for sentence in effect_sentences(effect, system))
        yield f"`{_written(effect)}`"
        yield f"({system.head.title})"
        yield ""
        yield f"> {sentences}"
        yield ""


def _said(field: inspect.Field) -> str:
    """What belongs in a key, and what it is where it is left out."""
    kind = field.type
    if isinstance(kind, inspect.UnionType):
        kind = next(option for option in kind.types if not isinstance(option, inspect.NoneType))
    says = _listed(wanted(kind)).replace("|", "\\|")
    if field.required:
        return f"{says}; must be given"
    default = field.default
    is_simple = isinstance(default, str | int) and not isinstance(default, bool)
    return f"{says} (`{default}` if left out)" if is_simple else says


def _listed(says: str) -> str:
    return {"a text": "a word", "a list": "a list of effects", "keys and values": "an effect"}.get(says, says)


def _chosen(kind: type[Effect], used: list[Example]) -> list[Example]:
    """Entries of a kind, each of which shows keys that those before it do not."""
    examples: list[Example] = []
    keys: set[str] = set()
    for system, effect in used:
        # What is told in words of its own, or not at all, shows little of how it is worded.
        has_words = getattr(effect, "log", None) is not None or getattr(effect, "says", None) == ""
        if type(effect) is kind and not has_words and (not examples or set(plain_value(effect)) - keys):
            keys |= set(plain_value(effect))
            examples.append((system, effect))
    return examples[:EXAMPLES]


def _written(effect: AnyEffect) -> str:
    """Return an entry as an author writes it."""
    text: str = yaml.safe_dump(_ordered(plain_value(effect)), default_flow_style=True, sort_keys=False, width=10_000)
    return text.strip()


def _ordered(value: Any) -> Any:
    """Plain data with `do` in front."""
    if isinstance(value, dict):
        return {key: _ordered(value[key]) for key in sorted(value, key=lambda key: key != "do")}
    return [_ordered(item) for item in value] if isinstance(value, list | tuple) else value


def _durations() -> Iterator[str]:
    """Yield the words of `until`, and what is printed for them."""
    yield "### How long it lasts"
    yield ""
    yield f"`until` is one of these words, or a span of time such as `1d12 hours` ({', '.join(UNITS)})."
    yield ""
    yield "| `until` | what it means | what is printed |"
    yield "|---|---|---|"
    for word, means in LASTING.items():
        yield f"| `{word}` | {means} | {duration_clause(Until.parse(word)) or 'nothing'} |"
    yield ""


def main(path: str) -> None:
    """Put the vocabulary into a guide, between its marks."""
    guide = Path(path)
    text = renewed_guide(guide.read_text(encoding="utf-8"), shipped_systems())
    with written_whole(guide) as stream:
        stream.write(text.encode())


def shipped_systems() -> list[System]:
    """Return the systems that ship and those of the guide, from which the entries come."""
    folders = [*map(content.find, content.shipped()), *sorted(EXAMPLE_PACKS.glob("*/"))]
    return [content.load(folder).system for folder in folders]


if __name__ == "__main__":
    main(sys.argv[1])
