"""Write `docs/reference.md`, every effect, duration, taken name and limit of content: `python docs/make_reference.py`.

The forms, the keys and their meaning come from the types, the examples from the systems in the project, the sentences
from `wording`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from msgspec import inspect

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parent))

from make_grammar import form_of, written_parts

from generator.base.dice import MAX_DICE, MAX_NUMBER
from generator.check import quoted_odds
from generator.games.steps import engine, odds_answers
from generator.games.steps.kinds import cards, tables
from generator.games.steps.state import MAX_ENTRIES
from generator.language import tokens
from generator.language.forms import statements
from generator.language.names import names_of
from generator.language.writer import UnwritableError, write_steps
from generator.model import formulas, taken_names
from generator.model.rules import (
    KINDS,
    LASTING,
    MAX_AGAIN,
    UNITS,
    AnyEffect,
    Effect,
    Step,
    System,
    Throw,
    Until,
    plain_value,
)
from generator.model.steps.base import Does
from generator.pack.load import load_pack
from generator.pack.pack_locations import find, shipped
from generator.pack.schema import wanted
from generator.play import throwing
from generator.play.every_way import MAX_REROLLS
from generator.words.effect_words import effect_sentences
from generator.words.wording import duration_words

PAGE = Path(__file__).with_name("reference.md")
EXAMPLE_PACKS = Path(__file__).with_name("examples")
MAX_EXAMPLES = 3
"""The examples of one effect: the first, and others that use further keys."""
MAX_LINES = 8
"""The lines of an example."""

Example = tuple[System, AnyEffect]

HEAD = """\
# Reference: effects, durations, names, limits

Written by `python docs/make_reference.py` from the program's types. The guides are [your first pack](first_pack.md) and
[events and steps](events.md).

"""
EFFECTS = """\
## Effects

A card, a row, a condition or an event lists effects. Each is shown as it is written, its clauses in brackets; the
capitals are explained in [rules as text](rules_as_text.md#values). Below stand statements from the systems of the
project, and the sentence that is printed for them. The keys name its values in braces, `{by}`, and in the studio.

Effects from `raise` on are *steps*, for the kind `steps` only. Every step also has these:
"""
TAILS = {"says": '`say "TEXT"`, `print "TEXT"`', "log": '`log "TEXT"`', "ruling": "`[H2]`"}
"""How the keys of all steps are written."""


def page() -> str:
    """Return the whole page."""
    systems = project_systems()
    used = [(system, effect) for system in systems for effect in system.all_effects()]
    parts = [*_durations(), *_names(), *_limits(), EFFECTS, *_keys(Step)]
    for kind in effect_kinds():
        parts += _effect(kind, used)
    return HEAD + "\n".join(parts).rstrip() + "\n"


def effect_kinds() -> tuple[type[Effect], ...]:
    """Return every kind of effect, in the order of the vocabulary."""
    return KINDS


def project_systems() -> list[System]:
    """Return the systems that ship and the example packs."""
    folders = [*map(find, shipped()), *sorted(EXAMPLE_PACKS.glob("*/"))]
    return [load_pack(folder).system for folder in folders]


def _durations() -> Iterator[str]:
    """Yield the words of `until`, and what is printed for them."""
    yield "## How long it lasts"
    yield ""
    yield f"`until` is one of these words, or a span of time such as `1d12 hours` ({', '.join(UNITS)})."
    yield ""
    yield "| `until` | meaning | printed |"
    yield "|---|---|---|"
    for word, means in LASTING.items():
        yield f"| `{word}` | {means} | {duration_words(Until.parse(word))[0] or 'nothing'} |"
    yield ""


def _names() -> Iterator[str]:
    """Yield the names that an author cannot give."""
    named = {
        "an event": taken_names.EVENTS,
        "a number, word, constant, pile or `let`": taken_names.VALUES,
        "an argument": taken_names.ARGUMENTS,
        "a condition": taken_names.CONDITIONS,
    }
    yield "## Names that are taken"
    yield ""
    yield "| you name | names that are taken |"
    yield "|---|---|"
    for kind, names in named.items():
        groups: dict[str, list[str]] = {}
        for name, use in names.items():
            groups.setdefault(use, []).append(f"`{name}`")
        taken = "; ".join(f"{', '.join(group)} ({use})" for use, group in groups.items())
        dice = "; `d6` and similar (a die)" if names in (taken_names.VALUES, taken_names.ARGUMENTS) else ""
        yield f"| {kind} | {taken}{dice} |"
    yield ""


def _limits() -> Iterator[str]:
    """Yield what an author can run into, with the figure at which that is refused."""
    in_list = next(each.max_length for each in Does.__metadata__ if each.max_length)  # type: ignore[attr-defined]
    faces = f"{formulas.MAX_POOL_FACES} faces; {_most_keys(Throw, 'counts')} faces counted"
    limits = (
        ("a formula", f"{formulas.MAX_LENGTH} characters; {formulas.MAX_DEPTH} levels of parentheses and functions"),
        ("what a formula comes to", f"{formulas.MAX_VALUE:,} above or below 0"),
        ("`sixes( )`, `dice( )`, `highest( )`", f"{MAX_DICE} dice of {formulas.MAX_POOL_FACES} faces"),
        (
            "`throw`",
            f"{_most_keys(Throw, 'dice')} names; under each {throwing.MAX_POOL} dice of {faces}; "
            f"{throwing.MAX_COUNTED} dice where they are only counted; a total of {throwing.MAX_TOTAL:,} for `at most`",
        ),
        ("`look up`", f"{tables.MAX_ROWS} rows at once; {MAX_REROLLS:,} rolls in a row that do not count"),
        ("`draw` from a deck", f"{cards.MAX_DRAWN} cards at once"),
        ("`repeat`, `as long as`", f"{MAX_AGAIN} times"),
        ("`recur`", f"{cards.MAX_RECURRED} times at once"),
        ("a span of time", f"{MAX_NUMBER:,} units by dice; {engine.MAX_SPAN:,} where a formula gives them"),
        ("a list of steps", f"{in_list} steps"),
        (
            "an event",
            f"{engine.MAX_STEPS:,} steps; {engine.MAX_DEPTH} levels of events, tables and conditions. Loops are errors",
        ),
        ("a character", f"{MAX_ENTRIES} conditions, saves and losses, and cards on each pile"),
        ("rules as text", f"{tokens.MAX_LINES:,} lines; {tokens.MAX_LEVELS} levels of steps below steps"),
        ("`hackjack odds --hits`", f"{odds_answers.MAX_IN_A_ROW:,} in a row"),
        ("a pack", f"{quoted_odds.MAX_QUESTIONS:,} chances in charts, sentences and claims"),
    )
    yield "## Limits"
    yield ""
    yield "Whatever is more is refused with a sentence that names the limit."
    yield ""
    yield "| what | at most |"
    yield "|---|---|"
    for what, most in limits:
        yield f"| {what} | {most} |"
    yield ""


def _most_keys(kind: type[Effect], key: str) -> int:
    """Return how many names a dictionary of a step may have."""
    described = inspect.type_info(kind)
    assert isinstance(described, inspect.StructType)
    kept = next(field.type for field in described.fields if field.encode_name == key)
    inner = kept.type if isinstance(kept, inspect.Metadata) else kept
    assert isinstance(inner, inspect.DictType)
    assert inner.max_length is not None
    return inner.max_length


def _effect(kind: type[Effect], used: list[Example]) -> Iterator[str]:
    """Yield one effect: its meaning, its keys, and entries with their sentences."""
    yield f"### `{tag_of(kind)}`"
    yield ""
    yield f"`{form_of(statements()[tag_of(kind)])}`"
    yield ""
    yield str(kind.__doc__)
    yield ""
    yield from _keys(kind)
    for system, effect in _examples(kind, used):
        lines = _lines(system, effect)
        yield f"`{lines[0]}`" if len(lines) == 1 else "\n".join(["```", *lines, "```"])
        yield f"({system.head.title})"
        yield ""
        yield f"> {_sentences(system, effect)}"
        yield ""


def tag_of(kind: type[Effect]) -> str:
    """Return the value of `do` for a kind of effect."""
    return str(kind.__struct_config__.tag)


def _keys(kind: type[Effect]) -> Iterator[str]:
    """Yield the table of keys. The keys of all steps are listed once, above."""
    described = inspect.type_info(kind)
    assert isinstance(described, inspect.StructType)
    shared = Step.__struct_encode_fields__ if issubclass(kind, Step) and kind is not Step else ()
    fields = [field for field in described.fields if field.encode_name not in shared]
    if fields:
        written = TAILS if kind is Step else written_parts(statements()[tag_of(kind)])
        yield "| key | write | meaning |"
        yield "|---|---|---|"
        for field in fields:
            yield f"| `{field.encode_name}` | {written.get(field.encode_name, '')} | {_meaning(field)} |"
        yield ""


def _meaning(field: inspect.Field) -> str:
    """Return the value of a key, and its default."""
    kind = field.type
    if isinstance(kind, inspect.UnionType):
        kind = next(option for option in kind.types if not isinstance(option, inspect.NoneType))
    plain = {"a text": "a word", "a list": "a list of effects", "keys and values": "an effect"}
    says = plain.get(wanted(kind), wanted(kind)).replace("|", "\\|")
    if field.required:
        return f"{says}; required"
    is_simple = isinstance(field.default, str | int) and not isinstance(field.default, bool)
    return f"{says} (default: `{field.default}`)" if is_simple else says


def _examples(kind: type[Effect], used: list[Example]) -> list[Example]:
    """Return entries of a kind, each with keys that those before it lack."""
    examples: list[Example] = []
    keys: set[str] = set()
    for system, effect in used:
        # An entry with words of its own shows little of the effect's wording.
        has_words = getattr(effect, "log", None) is not None or getattr(effect, "says", None) == ""
        is_new = not examples or set(plain_value(effect)) - keys
        if type(effect) is kind and not has_words and is_new and _sentences(system, effect) and _lines(system, effect):
            keys |= set(plain_value(effect))
            examples.append((system, effect))
    return examples[:MAX_EXAMPLES]


def _sentences(system: System, effect: AnyEffect) -> str:
    return " ".join(str(sentence) for sentence in effect_sentences(effect, system))


def _lines(system: System, effect: AnyEffect) -> list[str]:
    """Return an effect as an author writes it; nothing if it is too long for an example."""
    try:
        lines = write_steps([_plain(plain_value(effect))], names_of(_plain(plain_value(system.head))), width=100)
    except UnwritableError:
        return []
    return [re.sub(r"\b1d(?=\d)", "d", line) for line in lines] if len(lines) <= MAX_LINES else []


def _plain(value: Any) -> Any:
    """Return plain data as an author would write it: without what is missing."""
    if isinstance(value, dict):
        inner = {key: _plain(each) for key, each in value.items() if each is not None}
        if isinstance(log := inner.get("log"), dict):
            inner["log"] = {key: each for key, each in log.items() if each}
        return inner
    return [_plain(item) for item in value] if isinstance(value, list | tuple) else value


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
