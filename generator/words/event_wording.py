"""Events of the author's as numbered sentences, made from the steps that run."""

from collections.abc import Sequence

from generator.base.sentences import full_stop
from generator.model.rules import AnyEffect, Call, Suffer, System, Until, nested_effects
from generator.words.effect_words import lasts_words, step_words
from generator.words.wording import fill_placeholders


def event_sentences(name: str, system: System) -> list[str]:
    """Return the steps of an event in sentences, as a screen prints it; with the rulings that the steps follow.

    A `when` that its author left out on paper is not said, but what is in it is.
    """
    sentences = []
    for effect, words in step_words(system).steps_say(system.head.events[name].do_, name):
        ruling = getattr(effect, "ruling", None)
        sentences.append(f"{words.removesuffix('.')} [{ruling}]." if ruling else words)
    return sentences


def events_in_order(name: str, system: System, *, any_rules: bool = False) -> tuple[str, ...]:
    """Return an event and those that it calls, by the rules in force or by any: each where it is first called."""
    words, order = step_words(system), dict[str, None]()

    def walk(name: str) -> None:
        if name not in order and name in system.head.events:
            order[name] = None
            call(system.head.events[name].do_)

    def call(effects: Sequence[AnyEffect]) -> None:
        for effect in effects if any_rules else words.in_force(effects):
            if isinstance(effect, Call):
                walk(effect.event)
            for _, inside in nested_effects(effect):
                call(inside)

    walk(name)
    return tuple(order)


def watch_sentences(system: System) -> list[str]:
    """Return the sentences of watches: their conditions and consequences."""
    while_ones = [name for name, condition in system.head.conditions.items() if condition.while_]
    return [
        *(full_stop(step_words(system).step_says(Suffer(name, Until(name)))) for name in while_ones),
        *(
            full_stop(fill_placeholders(watch.says, system) if watch.says else step_words(system).watch_says(watch))
            for watch in system.head.watches
        ),
    ]


def until_words(written: str, system: System) -> str:
    """Return how long, as the end of a sentence: an event of the author's has words of its own."""
    return lasts_words(Until.parse(written, own=True, units=None), system)[0]
