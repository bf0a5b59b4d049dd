"""Decisions about a post: the file that a pack keeps of it, and answers from a command line."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

from generator.base.errors import HackjackError, UsageError
from generator.base.files import limited_text
from generator.prose.packing import ANSWERS, POST
from generator.prose.post import Answers

_CHOICES: dict[str, tuple[str, ...]] = {
    "numbers": (),
    "no_numbers": (),
    "lasts": ("recovery", "permanent", "gm"),
    "turn": ("1 round", "10 minutes"),
    "scores": ("rank", "none"),
    "plays": ("alone", "hackjack"),
    "author": (),
}
"""The answers that concern a whole post, with the values of those that are a choice."""
_MAX_WORD, _MAX_ANSWER, _MAX_WORDS = 40, 80, 20


def decisions_beside(post: Path) -> Path | None:
    """Return the file of decisions beside the post of a pack, or None."""
    beside = post.with_name(ANSWERS)
    return beside if post.name == POST and beside.is_file() else None


def read_answers(file: Path | None, options: Iterable[str]) -> Answers:
    """Return the answers of a file, changed by options such as `lasts=recovery`. Raises HackjackError, UsageError."""
    matched: dict[str, Any] = {}
    if file:
        text = limited_text(file, str(file), larger="name the post.json of a pack")
        try:
            matched = msgspec.to_builtins(msgspec.json.decode(text, type=Answers))
        except (msgspec.DecodeError, RecursionError) as error:
            raise HackjackError(f"{file}: {error}. Name the {ANSWERS} of a pack that was made from a post.") from error
    for option in options:
        name, _, value = (part.strip() for part in option.partition("="))
        choices = _CHOICES.get(name)
        if choices is None or not value:
            raise UsageError(
                f"--answer {option[:_MAX_WORD]}: write NAME=VALUE with {' or '.join(_CHOICES)} as the NAME"
            )
        if choices and value not in choices:
            raise UsageError(f'--answer {name}: "{value[:_MAX_WORD]}" is not one of {", ".join(choices)}')
        words = [word.strip().lower() for word in value.split(",")]
        if len(value) > _MAX_ANSWER or len(words) > _MAX_WORDS:
            raise UsageError(f"--answer {name}: write {_MAX_ANSWER} letters and {_MAX_WORDS} words at most")
        matched[name] = words if name.endswith("numbers") else value
    return msgspec.convert(matched, Answers)
