"""Events of the author's as numbered sentences, made from the steps that run."""

from __future__ import annotations

from collections.abc import Iterator

from generator.model.rules import AnyEffect, System, Until, When
from generator.words.effects import effect_sentences, step_words
from generator.words.wording import duration_words, fill_placeholders


def event_sentences(name: str, system: System) -> list[str]:
    """Return the steps of an event in sentences, as a screen prints it; with the rulings that the steps follow.

    A `when` that its author left out on paper is not said, but what is in it is.
    """
    return [sentence for effect in system.head.events[name].do_ for sentence in _stepped(effect, system)]


def watch_sentences(system: System) -> list[str]:
    """Return the sentences of watches: their conditions and consequences."""
    words, sentences = step_words(system), []
    for watch in system.head.watches:
        follows = words.clauses(watch.do_)
        sentences.append(
            fill_placeholders(watch.says, system) if watch.says else f"Whenever {words.said(watch.holds)}: {follows}."
        )
    return sentences


def _stepped(effect: AnyEffect, system: System) -> Iterator[str]:
    if isinstance(effect, When) and effect.says == "":
        for inner in (*effect.then, *effect.otherwise):
            yield from _stepped(inner, system)
        return
    ruling = getattr(effect, "ruling", None)
    mark = f" [{ruling}]" if ruling else ""
    sentences = [str(sentence) for sentence in effect_sentences(effect, system)]
    for place, words in enumerate(sentences, 1):
        yield f"{words.removesuffix('.')}{mark}." if place == len(sentences) and words else words


def until_words(written: str, system: System) -> str:
    """Return how long, as the end of a sentence: an event of the author's has words of its own."""
    return duration_words(Until.parse(written, own=True), system)[0]
