"""An author's own words for effects, and the values that they quote.

`{by}` quotes the value of an effect's key, `{2 * blood}` a formula of such values and of the procedure's numbers,
`{H6}` the reading in force of a ruling. A card's own `blood`, `trauma` and `score` may be quoted too.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from generator.base.dice import Dice, DiceValue
from generator.base.errors import HackjackError
from generator.base.sentences import paragraphs, without_stop
from generator.model.formulas import Formula, Result, evaluate
from generator.model.rules import Card, Effect, System, Until, walk_effects
from generator.words import wording
from generator.words.wording import Sentence

Effects = Sequence[Any]
"""Effects, as a tuple of them."""
Values = Mapping[str, Dice | Until | int | None]
"""What words may quote, by name; None for a name that stands for several values."""
QUOTE = re.compile(r"\{([^{}]{1,120})\}")


class OwnWordsError(ValueError):
    """A quote that cannot be filled in, as a sentence for the author."""


def own_sentences(text: str, effects: Effects, system: System, card: Card | None = None) -> tuple[Sentence, ...]:
    """Return own words as sentences, one a paragraph; an end that closes it stands apart, as `until`."""
    filled = fill_own_words(text, effects, system, card)
    return tuple(_with_end(each, effects, system) for each in paragraphs(filled))


def fill_own_words(text: str, effects: Effects, system: System, card: Card | None = None) -> str:
    """Return own words with their quotes filled in. A quote that says nothing stays as it is written."""
    values = quotable(effects, system, card)

    def filled(match: re.Match[str]) -> str:
        try:
            return quoted_value(match[1], values, system)
        except OwnWordsError:
            return match[0]

    return QUOTE.sub(filled, text)


def quotable(effects: Effects, system: System, card: Card | None = None) -> Values:
    """Return what own words may quote: keys of effects, of the card where no effect has them, and the numbers."""
    values: dict[str, Dice | Until | int | None] = {}
    for _, effect in walk_effects(tuple(effects)):
        for name, value in own_values(effect):
            values[name] = value if values.get(name, value) == value else None
    of_card = {"blood": card.blood, "trauma": card.trauma, "score": system.score_of(card)} if card else {}
    named = {name: value for name, value in of_card.items() if value is not None}
    return {**system.figures, **{name: _plain(value) for name, value in named.items()}, **values}


def quoted_value(quote: str, values: Values, system: System) -> str:
    """Return what a quote comes to. Raises OwnWordsError."""
    if quote in system.readings:
        return wording.fill_placeholders(system.readings[quote], system)
    if quote in values:
        match values[quote]:
            case None:
                raise OwnWordsError(f'"{quote}" has several values here: write the number itself')
            case Until() as until:
                return wording.duration_words(until, system)[0]
            case Dice() as dice:
                return dice.spoken
            case number:
                return wording.figure_words(number)
    try:
        result = evaluate(Formula.parse(quote), _Scope(values))
    except (HackjackError, ValueError) as error:
        raise OwnWordsError(str(error)) from error
    if not isinstance(result, int):
        raise OwnWordsError(f'"{{{quote}}}" is not a number')
    return wording.figure_words(result)


class _Scope:
    """Whole numbers by name; dice and the state of a character have no value on paper."""

    def __init__(self, values: Values) -> None:
        self._values = values

    def named(self, name: str) -> Result:
        value = self._values.get(name)
        if not isinstance(value, int):
            raise HackjackError(f'"{name}" is not a whole number here')
        return value

    def call(self, function: str, name: str, which: str = "", detail: str | None = None) -> Result:
        del name, which, detail
        raise HackjackError(f"{function}( ) has no value on paper")

    def rolled(self, dice: Dice, value: DiceValue = "sum") -> int:
        del value
        raise HackjackError(f"{dice.spoken} is not a whole number")


def own_values(effect: Effect) -> Iterator[tuple[str, Dice | Until | int]]:
    """Yield the values of an effect by their keys: numbers, dice and ends."""
    for name in effect.__struct_fields__:
        value = getattr(effect, name)
        if isinstance(value, Formula) and value.tree.kind in ("number", "dice"):
            value = value.tree.about
        if isinstance(value, Dice | Until | int) and not isinstance(value, bool):
            yield name, _plain(value) if isinstance(value, Dice) else value


def _plain(value: Dice | int) -> Dice | int:
    return value.plus if isinstance(value, Dice) and value.is_number else value


def _with_end(text: str, effects: Effects, system: System) -> Sentence:
    says = without_stop(text)
    for _, effect in walk_effects(tuple(effects)):
        for until in (each for _, each in own_values(effect) if isinstance(each, Until)):
            end = wording.duration_words(until, system)[0]
            if end and says.endswith(f" {end}") and len(says) > len(end) + 1:
                return Sentence(says.removesuffix(f" {end}").rstrip(","), end)
    return Sentence(says)
