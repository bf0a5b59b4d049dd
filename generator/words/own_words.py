"""An author's own words for effects, and what of the effects these must name: numbers, dice and ends.

`{by}` quotes the value of an effect's key, `{2 * blood}` a formula of such values and of the procedure's numbers,
`{H6}` the reading in force of a ruling. A card's own `blood`, `trauma` and `score` may be quoted too.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from generator.base.dice import Dice
from generator.base.errors import HackjackError
from generator.base.sentences import paragraphs, without_stop
from generator.model.formulas import Formula, Result, evaluate
from generator.model.rules import (
    Card,
    Effect,
    Halve,
    Locate,
    Lose,
    OneOf,
    Part,
    Span,
    System,
    Until,
    effect_formulas,
    walk_effects,
)
from generator.words import wording
from generator.words.wording import Sentence

Effects = Sequence[Any]
"""Effects, as a tuple of them."""
Values = Mapping[str, Dice | Until | int | None]
"""What words may quote, by name; None for a name that stands for several values."""
QUOTE = re.compile(r"\{([^{}]{1,120})\}")


class OwnWordsError(ValueError):
    """A quote that cannot be filled in, as a sentence for the author."""


class Need(NamedTuple):
    """What words must name: one of these numbers, dice or words (`2`, `2d6`, `30 %`); further ones that they may."""

    any_of: tuple[str, ...]
    also: tuple[str, ...] = ()


# --- filling in ------------------------------------------------------------------------------------------------------


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
        for name, value in _own_values(effect):
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

    def rolled(self, dice: Dice, face: int = 0) -> int:
        del face
        raise HackjackError(f"{dice.spoken} is not a whole number")


def _own_values(effect: Effect) -> Iterator[tuple[str, Dice | Until | int]]:
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
        for until in (each for _, each in _own_values(effect) if isinstance(each, Until)):
            end = wording.duration_words(until, system)[0]
            if end and says.endswith(f" {end}") and len(says) > len(end) + 1:
                return Sentence(says.removesuffix(f" {end}").rstrip(","), end)
    return Sentence(says)


# --- what words must name --------------------------------------------------------------------------------------------


def needs(effects: Effects, system: System) -> tuple[Need, ...]:
    """Return the numbers and dice that words of these effects must name."""
    return tuple(need for _, effect in walk_effects(tuple(effects)) for need in _needs_of(effect, system))


def ends(effects: Effects) -> tuple[Until, ...]:
    """Return the ends that words of these effects must name; a span is a number or dice, and its unit."""
    lasting = [value for _, effect in walk_effects(tuple(effects)) for _, value in _own_values(effect)]
    begins = [getattr(effect, "begins", "now") for _, effect in walk_effects(tuple(effects))]
    return (*(each for each in lasting if isinstance(each, Until)), *(Until(word) for word in begins if word != "now"))


def unsaid_ends(effects: Effects) -> Iterator[Until]:
    """Yield ends that words of these effects may name and need not: what is lost is lost for good."""
    for _, effect in walk_effects(tuple(effects)):
        if isinstance(effect, Lose) or getattr(effect, "permanent", False):
            yield Until("permanent")


def _needs_of(effect: Effect, system: System) -> Iterator[Need]:
    die, upto = getattr(effect, "die", None), getattr(effect, "upto", None)
    if isinstance(die, Dice) and isinstance(upto, int):
        share = wording.die_percent(die, upto).removesuffix(" %")
        parts = tuple(re.findall(r"\d+", share))
        half = ("half",) if 2 * upto == die.faces else ()
        yield Need((str(upto), *half, *(parts if len(parts) == 1 else ())), (*parts, "1"))
        yield Need((die.spoken, *half, *(parts if len(parts) == 1 else (str(die.faces),))), parts)
    for name in effect.__struct_fields__:
        value = getattr(effect, name)
        match value:
            case bool() | None:
                continue
            case int() | Dice() if name not in ("die", "upto") or upto is None:
                yield Need((_token(value),))
            case Until() if value.amount is not None:
                yield Need((_token(value.amount),))
            case Span():
                numbers = [value.low, *([value.high] if value.high is not None else [])]
                yield from (Need((str(number),)) for number in dict.fromkeys(numbers))
            case _:
                continue
    for _, formula in effect_formulas(effect):
        for node in formula.walk():
            if node.kind in ("number", "dice", "sum") and isinstance(node.about, int | Dice):
                yield Need((_token(node.about),))
            elif node.kind == "name" and node.about in system.figures:
                yield Need((_token(system.figures[str(node.about)]),))
    match effect:
        case OneOf():
            yield Need((f"d{len(effect.effects)}",), tuple(map(str, range(1, len(effect.effects) + 1))))
        case Halve():
            yield Need(("half",))
        case Locate() | Lose():
            yield from _part_needs(system.head.parts.get(effect.part), whole=isinstance(effect, Lose))


def _part_needs(part: Part | None, *, whole: bool) -> Iterator[Need]:
    """Yield the dice that choose a part, whose faces may be named."""
    if part is None:
        return
    for die in (part.die, part.extent.die if part.extent and whole else None):
        if die is not None:
            yield Need((die.spoken,), tuple(map(str, range(1, die.faces + 1))))


def _token(value: int | Dice) -> str:
    if isinstance(value, Dice):
        return value.spoken if value.count else str(abs(value.plus))
    return str(abs(value))
