"""Conditions on the cards that bring them: what each does, what comes with it, and boxes for its levels."""

from collections.abc import Iterable, Iterator, Sequence

from generator.layout import card_elements as elements
from generator.model.rules import AnyEffect, Condition, Suffer, System, Until, walk_effects
from generator.words.effect_words import effect_sentences, step_words
from generator.words.effects import implied_effects
from generator.words.wording import DURATIONS, Sentence

_MAX_LEVELS = 20
"""So many levels have boxes to cross off."""
_DEEP = 2
"""What comes with a condition that came with another is named and no more."""
_MAX_LETTERS = 180
"""So much stands on a poker card in legible type; where there is more, what conditions bring is named alone."""
_RISING = (None, "level", "here")
"""How a condition comes again that has one level more then."""


def conditions_told(
    effects: Sequence[AnyEffect], part: str, title: str, system: System, own: Sequence[Sentence] = ()
) -> Iterator[elements.Part]:
    """Yield what effects do to that part of the body (empty for no part), each condition once with all that it does.

    A condition is named where the card's `title` does not name it alone. `own`: the author's words for all of it.
    """
    telling = _Telling(system, part, title, _DEEP)
    lines = telling.effects(effects)
    if sum(len(line.label) + len(line.says) + len(line.until) for line in lines) > _MAX_LETTERS:
        telling = _Telling(system, part, title, 1)
        lines = telling.effects(effects)
    yield from told(own) if own else lines
    for name in telling.rising:
        condition = system.head.conditions[name]
        yield from level_boxes(condition, "Level" if condition.name == title else f"{condition.name} level")


def level_boxes(condition: Condition, label: str) -> Iterator[elements.Part]:
    """Yield a box for each level of a condition, if it has levels and not too many."""
    if condition.levels and condition.levels <= _MAX_LEVELS:
        yield elements.CardEffect("cross one off as it rises", "", label)
        yield elements.CardTrack(tuple(map(str, range(1, condition.levels + 1))))


def told(sentences: Iterable[Sentence]) -> Iterator[elements.CardEffect]:
    """Yield sentences as lines of a card."""
    yield from (elements.CardEffect(sentence.says, sentence.until) for sentence in sentences)


class _Telling:
    """Tells of the conditions of one card, `deep` steps from what it brings.

    `rising` are those that the card brings and that may have more levels.
    """

    def __init__(self, system: System, part: str, title: str, deep: int) -> None:
        self.system, self.part, self.title, self.deep = system, part, title, deep
        self.rising: list[str] = []
        self._known: set[str] = set()

    def effects(self, effects: Sequence[AnyEffect]) -> list[elements.CardEffect]:
        """Return effects in order, each as the lines of a card."""
        return [line for effect in effects for line in self._effect(effect)]

    def _effect(self, effect: AnyEffect) -> Iterator[elements.CardEffect]:
        """Yield one effect, then what the conditions that it names do."""
        sentences = effect_sentences(effect, self.system)
        if isinstance(effect, Suffer):
            condition = self.system.head.conditions[effect.condition]
            if condition.name and condition.levels and condition.again in _RISING:
                self.rising += [effect.condition] if effect.condition not in self.rising else []
            if not (effect.after or effect.where or effect.detail or effect.begins != "now"):
                yield from self._condition(effect, sentences[0].until, brought=True)
                return
        yield from told(sentences)
        yield from self._named_in((effect,))

    def _named_in(self, effects: Sequence[AnyEffect]) -> Iterator[elements.CardEffect]:
        """Yield what conditions are that effects bring on some of their ways alone, and that have names."""
        for _, inner in walk_effects(tuple(effects)):
            if isinstance(inner, Suffer) and self.system.head.conditions[inner.condition].name:
                yield from self._condition(inner, "", depth=1)

    def _condition(
        self, effect: Suffer, until: str, *, brought: bool = False, depth: int = 0
    ) -> Iterator[elements.CardEffect]:
        """Yield what a condition is and does; of one that the card has explained, or that is far off, that it comes."""
        condition = self.system.head.conditions[effect.condition]
        name = condition.name or ""
        known = effect.condition in self._known
        distant = depth >= self.deep
        if (known or distant) and not brought:
            return
        levels = _levels_of(effect, self.system) if brought else ""
        if name and (known or distant):
            yield elements.CardEffect(f"{name}{levels}", until)
            return
        self._known.add(effect.condition)
        label = f"{name}{levels}" if name and (levels or name != self.title) else ""
        yield elements.CardEffect(condition.says, until, label)
        yield from self._comes_with(condition, effect.until, depth + 1)
        yield from (elements.CardEffect(sentence, "") for sentence in step_words(self.system).condition_does(condition))
        yield from self._named_in(
            [each for does in (condition.each, condition.ends) for do in does.values() for each in do]
        )

    def _comes_with(self, condition: Condition, until: Until, depth: int) -> Iterator[elements.CardEffect]:
        as_long = DURATIONS["same"][0]
        for effect in implied_effects(condition, self.part, until):
            sentences = effect_sentences(effect, self.system)
            if isinstance(effect, Suffer) and not effect.after and not effect.where:
                lasts = sentences[0].until
                yield from self._condition(effect, "" if lasts == as_long else lasts, brought=True, depth=depth)
            else:
                yield from told(each._replace(until="") if each.until == as_long else each for each in sentences)


def _levels_of(effect: Suffer, system: System) -> str:
    """Return how many levels of a condition come at once, where it is more than one: `, 2 levels`."""
    if effect.levels is None or str(effect.levels) == "1":
        return ""
    return f", {step_words(system).formula_says(effect.levels)} levels"
