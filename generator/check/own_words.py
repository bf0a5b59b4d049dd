"""Whether an author's own words name every number, die and end of the effects that they stand for, and no other."""

import re
from collections.abc import Collection, Iterator
from typing import NamedTuple

from generator.base.dice import Dice
from generator.base.errors import FREE_TEXT
from generator.check.references import nodes
from generator.model.blocks import EventBlock
from generator.model.formulas import Formula
from generator.model.rules import (
    Card,
    CardFace,
    Condition,
    Effect,
    Halve,
    Locate,
    Lose,
    NamedCell,
    OneOf,
    Part,
    Row,
    Span,
    Step,
    System,
    Until,
    effect_formulas,
    walk_effects,
)
from generator.pack.strict_yaml import Trail
from generator.words.effect_words import step_words
from generator.words.own_words import (
    QUOTE,
    Effects,
    OwnWordsError,
    Values,
    fill_own_words,
    own_values,
    quotable,
    quoted_value,
)
from generator.words.steps_wording import needs_own_words
from generator.words.wording import DURATIONS, die_percent, duration_words, fill_placeholders, joined_words, unit_words

_DIE = re.compile(r"\b\d{0,3}d\d{1,4}(?: ?[+-] ?\d{1,4})?\b", re.IGNORECASE)
_NUMBER = re.compile(r"\d{1,3}(?:,\d{3})+|\d+")
_WORD = re.compile(r"[a-z]+")
_SHORT = 80
"""The longest quotation of a sentence in a message, in letters."""
_COUNTS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_NUMBER_WORDS = {word: str(number) for number, word in enumerate(_COUNTS, 2)} | {"twice": "2", "thrice": "3"}
_ALSO_NUMBERS = {
    **dict.fromkeys(("a", "an", "one", "once", "another", "each", "every"), "1"),
    **dict.fromkeys(("both", "double", "second"), "2"),
    **dict.fromkeys(("half", "halved", "halve", "halves"), "half"),
}
"""Words that may name a number, and may as well mean none."""
_ENDS = {
    "stand": r"\bst(?:and|ood)|\b(?:get|got) up|on your feet",
    "cleared": r"\bclear|\bwash|\bwipe",
    "woken": r"\bw[ao]ke",
    "breath": r"\bbreath",
    "stable": r"\bstabili|\bheal",
    "save": r"\bsav(?:e|ing)\b",
    "check": r"\broll",
    "rest": r"\brest",
    "good_rest": r"\bcomfort|\bwell rested|\bgood (?:rest|night)",
    "recovery": r"\brecover",
    "permanent": r"\bfor good\b|\bpermanent|\bfor life\b|\bfor ever\b|\bforever\b|\bnever\b",
    "gm": r"\bGM\b|\bGM\N{RIGHT SINGLE QUOTATION MARK}s\b",
    "eases": r"\bease",
    "again": r"\bagain\b",
    "survival": r"\bliv(?:e|es|ed|ing)\b|\bsurviv|\balive\b",
}
"""By the word for an end, what names it."""
_UNSAID = ("now", "same")
NO_EFFECTS = f"these words stand for no effects; {FREE_TEXT}"


class Need(NamedTuple):
    """What words must name: one of these numbers, dice or words (`2`, `2d6`, `30 %`); further ones that they may."""

    any_of: tuple[str, ...]
    also: tuple[str, ...] = ()


def struct_faults(struct: Card | CardFace | Row | NamedCell, system: System) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield the faults of own words on a card, a row or the like, each with its key."""
    card = struct if isinstance(struct, Card) else None
    readings: list[tuple[str, str | None, Effects, tuple[str, ...]]]
    readings = [("says", struct.says, struct.effects, ("recovery",) if card and card.for_good else ())]
    if card is not None:
        readings.append(("for_good_says", card.for_good_says, card.for_good, ("permanent",)))
    for key, text, effects, known_ends in readings:
        if text and not effects:
            yield (key,), NO_EFFECTS
        elif text:
            told = faults(text, effects, system, card=card, known_ends=known_ends)
            yield from (((key,), fault) for fault in told)


def condition_faults(condition: Condition, system: System) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield the numbers that a condition's words leave out: those of its steps that print nothing themselves."""
    lists = (*condition.each.values(), *condition.ends.values())
    steps = (effect for effects in lists for _, effect in walk_effects(effects))
    hidden = [step for step in steps if isinstance(step, Step) and step.says == "" and "{number}" in step.reads]
    text = fill_placeholders(" ".join((condition.says, *condition.notes)), system)
    named = {*_tokens(text), *_hints(text)}
    if missing := [need.any_of[0] for need in needs(hidden, system) if named.isdisjoint(need.any_of)]:
        yield ("says",), f"these words leave out {joined_words(dict.fromkeys(missing))} of steps that print nothing"


def unclear_steps(system: System) -> Iterator[tuple[str, Trail, str]]:
    """Yield the file, the place and a sentence for each printed step that has no words of its own and needs them."""
    words = step_words(system)
    for file, trail, event, steps in _printed_steps(system):
        for place, step in enumerate(steps):
            for effect, text in words.steps_say((step,), event):
                if getattr(effect, "says", None) is None and needs_own_words(text):
                    start = f"{text[:_SHORT]} ..." if len(text) > _SHORT else text
                    of = f"a step of {trail[1]}" if file == "system.yaml" else "this step"
                    where = "below it" if isinstance(effect, Step) else "and a colon above it"
                    message = f'{of} is printed as "{start}": write print, and a sentence of your own, {where}'
                    yield file, (*trail, place), message


def _printed_steps(system: System) -> Iterator[tuple[str, Trail, str, Effects]]:
    """Yield the steps that panels, conditions, cards and tables print: file, place, event and the steps."""
    blocks = [each for _, each, _ in nodes(tuple(each for _, each in system.panels)) if isinstance(each, EventBlock)]
    listed = ((block.event,) if isinstance(block.event, str) else block.event for block in blocks)
    for name in dict.fromkeys(name for names in listed for name in names):
        yield "system.yaml", ("events", name, "do"), name, system.head.events[name].do_
    for name, condition in system.head.conditions.items():
        for key, lists in (("each", condition.each), ("ends", condition.ends)):
            for cause, effects in lists.items():
                yield "system.yaml", ("conditions", name, key, cause), "", effects
    contents = (("deck.yaml", (), system.deck), ("decks.yaml", ("decks",), system.decks))
    for file, start, value in (*contents, ("tables.yaml", ("tables",), system.tables)):
        for trail, struct, _ in nodes(value, start):
            if isinstance(struct, Card | CardFace | Row | NamedCell) and not struct.says:
                yield file, (*trail, "effects"), "", struct.effects
            if isinstance(struct, Row):
                yield file, (*trail, "first"), "", struct.first


def faults(
    text: str, effects: Effects, system: System, *, card: Card | None = None, known_ends: Collection[str] = ()
) -> Iterator[str]:
    """Yield what own words leave out of their effects, and the numbers and ends in them that are no effect's.

    `known_ends`: words of ends that the paper says beside them.
    """
    values = quotable(effects, system, card)
    for quote in QUOTE.findall(text):
        try:
            quoted_value(quote, values, system)
        except OwnWordsError as error:
            yield f"{{{quote}}} cannot be filled in: {error}"
            return
    written = QUOTE.sub(" ", text)
    filled = fill_own_words(text, effects, system, card)
    quoted = {token for quote in QUOTE.findall(text) for token in _tokens_of_quote(quote, values)}
    named = {*_tokens(filled), *_hints(filled), *quoted}
    required, lasting = needs(effects, system), ends(effects)
    missing = [need.any_of[0] for need in required if named.isdisjoint(need.any_of)]
    missing += [_end_words(end, system) for end in lasting if not _names_end(filled, end, system, known_ends)]
    if missing:
        listed = joined_words(dict.fromkeys(missing))
        yield f"these words leave out {listed} of their effects: name each number, die and end"
    known = {token for need in required for token in (*need.any_of, *need.also)}
    if strange := [token for token in _tokens(written) if token not in {*known, "0", "1"}]:
        listed = joined_words(dict.fromkeys(strange))
        yield f"these words say {listed}, which no effect here has: correct it, or write a formula such as {{2 * by}}"
    said_ends = [says for word, (says, _) in DURATIONS.items() if word not in _UNSAID and says in written.casefold()]
    possible = (*lasting, *unsaid_ends(effects))
    if strange_ends := [end for end in said_ends if not _is_one_of(end, possible, system)]:
        yield f'these words say "{strange_ends[0]}", and no effect here lasts so: correct one of them'


def _is_one_of(end: str, lasting: Collection[Until], system: System) -> bool:
    """Tell whether words say one of the ends, as an event of the author's may say it, too."""
    return any(end in duration_words(each, system)[0] for each in lasting if not each.is_span)


def _end_words(end: Until, system: System) -> str:
    if end.is_span:
        return str(end)
    if end.word == "survival":
        return '"if you live"'
    return f'"{duration_words(end, system)[0]}"'


def _names_end(text: str, end: Until, system: System, known_ends: Collection[str]) -> bool:
    if end.is_span:
        return re.search(rf"\b{re.escape(unit_words(end.word))}", text, re.IGNORECASE) is not None
    if end.word in _UNSAID or end.word in known_ends:
        return True
    event = system.head.events.get(end.word)
    own = (event.until, event.says, unit_words(end.word)) if event else (unit_words(end.word),)
    if any(words and words.casefold() in text.casefold() for words in own):
        return True
    return end.word in _ENDS and re.search(_ENDS[end.word], text, re.IGNORECASE) is not None


def _tokens(text: str) -> Iterator[str]:
    """Yield the dice and numbers of a text: `2d6`, `12`; number words as figures."""
    plain = text.replace("\N{MINUS SIGN}", "-")
    for match in _DIE.finditer(plain):
        yield Dice.parse(match[0].replace(" ", "").lower()).spoken
    rest = _DIE.sub(" ", plain)
    yield from (match[0].replace(",", "").lstrip("0") or "0" for match in _NUMBER.finditer(rest))
    yield from (_NUMBER_WORDS[word] for word in _WORD.findall(rest.casefold()) if word in _NUMBER_WORDS)


def _hints(text: str) -> Iterator[str]:
    """Yield the numbers that words of a text may mean, besides those that they say."""
    yield from (_ALSO_NUMBERS[word] for word in _WORD.findall(text.casefold()) if word in _ALSO_NUMBERS)


def _tokens_of_quote(quote: str, values: Values) -> Iterator[str]:
    """Yield the values that a quote is made of."""
    names = [quote] if quote in values else []
    if not names:
        try:
            names = [str(node.about) for node in Formula.parse(quote).walk() if node.kind == "name"]
        except ValueError:
            return
    for name in names:
        value = values.get(name)
        if isinstance(value, int | Dice):
            yield _token(value)


# --- what words must name --------------------------------------------------------------------------------------------


def needs(effects: Effects, system: System) -> tuple[Need, ...]:
    """Return the numbers and dice that words of these effects must name."""
    return tuple(need for _, effect in walk_effects(tuple(effects)) for need in _needs_of(effect, system))


def ends(effects: Effects) -> tuple[Until, ...]:
    """Return the ends that words of these effects must name; a span is a number or dice, and its unit."""
    lasting = [value for _, effect in walk_effects(tuple(effects)) for _, value in own_values(effect)]
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
        share = die_percent(die, upto).removesuffix(" %")
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
            if node.kind in ("number", "dice", "sum", "highest") and isinstance(node.about, int | Dice):
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
