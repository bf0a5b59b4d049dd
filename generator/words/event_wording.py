"""Events of the author's as numbered sentences, made from the steps that run."""

from __future__ import annotations

from generator.model.rules import System, Until
from generator.words.effects import step_words
from generator.words.wording import duration_words, fill_placeholders


def event_sentences(name: str, system: System) -> list[str]:
    """Return the steps of an event in sentences, as a screen prints it; with the rulings that the steps follow.

    A `when` that its author left out on paper is not said, but what is in it is.
    """
    sentences = []
    for effect, words in step_words(system).event_says(name):
        ruling = getattr(effect, "ruling", None)
        sentences.append(f"{words.removesuffix('.')} [{ruling}]." if ruling else words)
    return sentences


def watch_sentences(system: System) -> list[str]:
    """Return the sentences of watches: their conditions and consequences."""
    return [
        fill_placeholders(watch.says, system) if watch.says else f"{step_words(system).watch_says(watch)}."
        for watch in system.head.watches
    ]


def until_words(written: str, system: System) -> str:
    """Return how long, as the end of a sentence: an event of the author's has words of its own."""
    return duration_words(Until.parse(written, own=True, units=None), system)[0]
