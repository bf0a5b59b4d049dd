"""Effects as sentences: what is printed on paper and shown on the screen is worded here and nowhere else.

A sentence has two parts, because paper sets the second apart: what happens, and until when. The voice is the table's:
"you", short, present tense. Nothing here decides a rule; it says what `rules` holds and the engine runs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple, assert_never

from msgspec.structs import replace

from generator.base.dice import Dice
from generator.model.procedures import Harm
from generator.model.rules import (
    Again,
    AnyEffect,
    AnyStep,
    Card,
    Check,
    Condition,
    Cure,
    Draw,
    Drop,
    Extent,
    Halve,
    Locate,
    Lose,
    Maybe,
    OneOf,
    Part,
    Peek,
    Penalty,
    Repeat,
    Reroll,
    Risk,
    Ruling,
    Save,
    Spare,
    Start,
    Step,
    Suffer,
    System,
    Until,
    Whenever,
)
from generator.words.steps_wording import StepWords

MINUS = "\N{MINUS SIGN}"
DASH = "\N{EN DASH}"
DAGGER = "\N{DAGGER}"

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_TIMES = {1: "once", 2: "twice"}
_MOST_CHANGED = 12
"""So many changed numbers are named in a margin."""
_LASTING = {
    "now": "",
    "stand": "until you stand up",
    "cleared": "until your eyes are clear",
    "woken": "until someone wakes you",
    "breath": "until you take a round to get your breath back",
    "stable": "until you are stabilised or healed",
    "save": "until a later save succeeds",
    "check": "until a later roll succeeds",
    "rest": "until you have rested",
    "good_rest": "until you have rested in comfort",
    "recovery": "until you recover",
    "permanent": "for good",
    "gm": "until the GM says it is over",
    "same": "for as long",
}
_BEGINS: dict[Start, str] = {"now": "", "recovery": "After you recover", "survival": "If you live"}
_EVENTS = {
    "below_zero": "Each time you fall below 0 HP",
    "first_card": "Each time you fall to 0 HP or below",
    "red_card": "With each red card you draw",
    "near_cause": "Each round you face what did this",
}
_SCORERS = {
    "below_zero": "your first card scores {} more",
    "first_card": "your first card scores {} more",
    "red_card": "it scores {} more",
    "near_cause": "your death-score grows by {}",
}
_DROPPED = {"weapons": "the weapons you hold", "item": "the item you hold", "hand": "what that hand holds"}


class Sentence(NamedTuple):
    """`says` and `until`, both without the full stop; `until` may be empty."""

    says: str
    until: str = ""

    def __str__(self) -> str:
        return f"{self.says} {self.until}".rstrip() + "."


def card_sentences(card: Card, system: System, *, for_good: bool = False) -> tuple[Sentence, ...]:
    """What a card does, one sentence an effect; a card of Blood and Trauma alone says what these do.

    `for_good`: what it does as a permanent injury, where it has such a reading.
    """
    effects = card.for_good if for_good and card.for_good else card.effects
    worded = tuple(sentence for effect in effects for sentence in effect_sentences(effect, system))
    return worded or tuple(_pools(card))


_READINGS = (("For a while", "recovery"), ("For good", "permanent"))


def card_readings(card: Card, system: System) -> tuple[tuple[str, tuple[Sentence, ...]], ...]:
    """What a card does, by its readings: one without a name, or what it does for a while and what for good.

    Where a reading is named, its sentences need not say how long: only what differs from the reading is left.
    """
    if not card.for_good or card.for_good == card.effects:
        return (("", card_sentences(card, system)),)
    found = []
    for (name, word), for_good in zip(_READINGS, (False, True), strict=True):
        sentences = card_sentences(card, system, for_good=for_good)
        own = _LASTING[word]
        found.append((name, tuple(each._replace(until="") if each.until == own else each for each in sentences)))
    return tuple(found)


def effect_sentences(effect: AnyEffect, system: System) -> tuple[Sentence, ...]:
    """The sentence of one effect; a second one where a second roll is asked for."""
    match effect:
        case Suffer():
            condition = system.head.conditions[effect.condition]
            says = condition.name or condition.says
            if effect.after:
                dagger = DAGGER if effect.reconstructed else ""
                says = f"After {span(effect.after)}{dagger}, unless you are treated before: {_lower(says)}"
            levels = f" ({effect.levels} levels)" if effect.levels is not None else ""
            levels += f", {step_words(system).said(effect.times)} times" if effect.times is not None else ""
            says = _where(effect, says, system) + levels
            return (_begun(effect.begins, Sentence(says, lasting(effect.until, system))),)
        case Penalty():
            says = _where(effect, _penalty(effect, system), system)
            return (_begun(effect.begins, Sentence(says, lasting(effect.until, system))),)
        case Halve():
            says = f"Your {system.head.statistics[effect.statistic].name} is halved"
            if effect.unless:
                says = f"Unless {_lower(system.head.conditions[effect.unless].says)}, {_lower(says)}"
            return (Sentence(says, lasting(effect.until)),)
        case Locate():
            part = system.head.parts[effect.part]
            return (Sentence(f"Roll {_die(part.die)} for which {part.name}: {places(part)}"),)
        case Lose():
            return tuple(_lost(system.head.parts[effect.part]))
        case Drop():
            both = ""
            if effect.die and effect.upto:
                both = f"; held in both hands, it falls only on {showing(effect.upto)} of {effect.die.spoken}"
            return (Sentence(f"You drop {dropped(effect.what)}{both}"),)
        case Check() | Step():
            return (_step(effect, system),)
        case Cure():
            return (Sentence(f"You are no longer {_named(system.head.conditions[effect.condition])}"),)
        case Risk():
            name = system.head.statistics[effect.of].name
            says = f"Each of your {name} fails on {showing(effect.upto)} of {effect.die.spoken}"
            return (Sentence(says, lasting(effect.until)),)
        case OneOf():
            return (_one_of(effect, system),)
        case Maybe():
            follows = _clauses(effect.effects, system)
            return (Sentence(f"{percent(effect.die, effect.upto)} chance ({_faces(effect)}): {follows}"),)
        case Save():
            return (Sentence(_save(effect, system)),)
        case Draw():
            return (Sentence(_draw(effect)),)
        case Repeat():
            times = _TIMES.get(effect.times, f"{counted(effect.times, 'time')}")
            scores = "its score" if effect.draw == 1 else "their scores"
            once = f", {scores} once" if effect.times > 1 else ""
            cards = f"draw {counted(effect.draw, 'card')} and apply {_it(effect.draw)} {times}{once}"
            return (
                Sentence("Your last wound strikes again, with its Blood and Trauma"),
                Sentence(f"With no wound before it, {cards}"),
            )
        case Whenever():
            return (_whenever(effect, system),)
        case Peek():
            cards = "the next card" if effect.cards == 1 else f"the next {number(effect.cards)} cards"
            return (Sentence(f"Look at {cards} of the deck and leave {_it(effect.cards)} there"),)
        case Reroll():
            says = "When rest heals you, reroll any die that shows its highest face"
            return (Sentence(says, _onward(effect.until)),)
        case Spare():
            scored = " and no death-score" if isinstance(system.head.procedure, Harm) else ""
            return (Sentence(f"A lucky break: no wound{scored}"),)
        case Again():
            drawn = "that injury is" if effect.cards == 1 else "those injuries are"
            stays = f"; {drawn} for good" if effect.permanent else ""
            return (Sentence(f"Draw {_others(effect.cards)} in its place{stays}"),)
        case _:
            assert_never(effect)


def condition_sentences(condition: Condition, system: System) -> tuple[Sentence, ...]:
    """A condition in full: what it is, what comes with it, when saves may end it, and what else there is to say."""
    found = [Sentence(condition.says), *implied_sentences(condition, system)]
    if condition.each or condition.ends:
        found += [Sentence(said) for said in step_words(system).condition_does(condition)]
    if condition.chances:
        after = ", and again after ".join(span(chance) for chance in condition.chances)
        fail = "it fails" if len(condition.chances) == 1 else "all fail"
        found.append(Sentence(f"Save after {after}, to be rid of it; when {fail}, it stays for good"))
    found += [Sentence(filled(note, system).removesuffix(".")) for note in condition.notes]
    return tuple(found)


def implied_sentences(
    condition: Condition, system: System, part: str = "", until: Until | None = None
) -> Iterator[Sentence]:
    """What comes with a condition; with a part of the body that is hurt, only what befalls that part.

    `until`: how long the condition lasts, where that is known. Then a save that is made only when it is for good is
    left out, or asked for without that condition.
    """
    for effect in condition.implies:
        if isinstance(effect, Save) and effect.permanent and until is not None:
            if until.word != "permanent":
                continue
            effect = replace(effect, permanent=False)
        if part and isinstance(effect, Suffer | Penalty) and effect.where:
            if effect.where != part:
                continue
            effect = replace(effect, where=None)
        for sentence in effect_sentences(effect, system):
            yield sentence._replace(until="") if sentence.until == _LASTING["same"] else sentence


def showing(upto: int) -> str:
    """The faces of a die from 1 up to a number: `1`, `1-3`."""
    return "1" if upto == 1 else f"1{DASH}{upto}"


def percent(die: Dice, upto: int) -> str:
    """The chance that a die shows a number or less: `30 %`, or `1 in 6` where that is no whole per cent."""
    share = 100 * upto / die.faces
    return f"{share:.0f} %" if share == round(share) else f"{upto} in {die.faces}"


def lasting(until: Until, system: System | None = None) -> str:
    """How long, as the end of a sentence: `until you recover`, `for d12 hours`; an event of the system in its words."""
    if until.amount is None:
        happening = system.head.events.get(until.word) if system else None
        if happening is not None and happening.until:
            return happening.until
        return _LASTING.get(until.word, f"until {until.word.replace('_', ' ')}")
    return f"for {span(until)}"


def _onward(until: Until) -> str:
    """The same for what comes back again and again: it does not last, it recurs."""
    return "from now on" if until.word == "permanent" else lasting(until)


def span(until: Until) -> str:
    """A span of time: `2d6 weeks`, `one round`."""
    if until.amount is None:
        raise ValueError(f"{until} is no span of time")
    if until.amount.is_number:
        return counted(until.amount.plus, until.word)
    return f"{until.amount.spoken} {until.word}s"


def places(part: Part) -> str:
    """Which face of the die means which place: `1 left, 2 right`, or by sides where there are several on each."""
    if not part.members:
        return ", ".join(f"{face} {side}" for face, side in enumerate(part.sides, 1))
    wide = len(part.members)
    sides = [f"{at * wide + 1}{DASH}{(at + 1) * wide} {side}" for at, side in enumerate(part.sides)]
    return f"{', '.join(sides)}, {part.members[0]} first"


def filled(text: str, system: System) -> str:
    """A text of the content with the procedure's numbers in it: `over {limit}` becomes `over 21`.

    `{H6}` becomes the reading in force of that ruling, which may quote numbers in its turn. Raises KeyError with the
    name of a number that the procedure does not have.
    """
    readings, numbers = system.readings, system.numbers
    read = re.sub(r"\{(\w+)\}", lambda match: readings.get(match[1], match[0]), text)
    return re.sub(r"\{(\w+)\}", lambda match: numbers[match[1]], read)


def in_force(ruling: Ruling, system: System) -> str:
    """What is played by a ruling: as we read it, and the reading of its switch that is in force."""
    said = filled(ruling.ours, system)
    if ruling.switch is None:
        return said
    return f"{said} {'House rule: ' if system.departs(ruling) else ''}{filled(system.readings[ruling.id], system)}"


def product_line(system: System) -> str:
    """The small line of every product: system, content version, and the switches and numbers that are not as usual."""
    if system.both:
        return " + ".join(map(product_line, system.both))
    changed = system.changed_numbers
    told = [f"{name}: {value}" for name, value in (*system.house_rules, *changed[:_MOST_CHANGED])]
    more = len(changed) - _MOST_CHANGED
    told += [f"and {counted(more, 'number')} more"] if more > 0 else []
    return ", ".join([f"{system.head.title} {system.head.version}", *told])


def number(value: int) -> str:
    """Small numbers as words, as running text has them."""
    return _NUMBERS[value] if 0 <= value < len(_NUMBERS) else str(value)


def counted(value: int, noun: str) -> str:
    """`one card`, `two cards`, `no cards`."""
    return f"{number(value)} {noun}" + ("" if value == 1 else "s")


def article(noun: str) -> str:
    """`a` or `an`."""
    return "an" if noun[:1].lower() in "aeiou" else "a"


def measured(value: int, unit: str) -> str:
    """A result in figures: `9 weeks`, `1 day`."""
    return f"{value} {unit}" + ("" if value == 1 else "s")


def joined(parts: Iterable[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    *first, last = parts
    return f"{', '.join(first)} and {last}" if first else last


def signed(amount: Dice) -> str:
    """An amount that is taken away, with a real minus sign."""
    return f"{MINUS}{amount.spoken}" if amount.count == 0 or amount.plus == 0 else f"{MINUS}({amount.spoken})"


def dropped(what: str) -> str:
    """What falls, for a sentence: `the weapons you hold`."""
    return _DROPPED[what]


def _step(effect: Check | AnyStep, system: System) -> Sentence:
    """A step of the author's, or a check: on a card, over the death-score and with a price."""
    if isinstance(effect, Step):
        return Sentence(step_words(system).step_says(effect))
    if effect.name or effect.at_most or effect.passes or effect.fails:
        return Sentence(step_words(system).check_says(effect))
    price = joined([_price(failure, system) for failure in effect.fail])
    says = f"Roll {effect.die.spoken} over your death-score or {price}"
    return _begun(effect.begins, Sentence(says, lasting(effect.fail[-1].until)))


def step_words(system: System) -> StepWords:
    """What words the steps of a system."""
    return StepWords(
        system,
        lambda effect: map(str, effect_sentences(effect, system)),
        lambda text: filled(text, system),
        lambda until: lasting(until, system),
    )


def _pools(card: Card) -> Iterable[Sentence]:
    if card.blood:
        yield Sentence(f"Add {card.blood.spoken} Blood to your pool")
    if card.trauma:
        yield Sentence(f"Your Trauma becomes {card.trauma} unless it is higher")


def _others(many: int) -> str:
    return "another card" if many == 1 else f"{number(many)} other cards"


def _begun(begins: Start, sentence: Sentence) -> Sentence:
    if begins == "now":
        return sentence
    return sentence._replace(says=f"{_BEGINS[begins]}, {_lower(sentence.says)}")


def _lower(says: str) -> str:
    """A sentence as a clause; what begins with two capitals keeps them."""
    return says if says[1:2].isupper() else says[:1].lower() + says[1:]


def _it(many: int) -> str:
    return "it" if many == 1 else "them"


def _die(die: Dice | None) -> str:
    return die.spoken if die else ""


def _penalty(effect: Penalty, system: System) -> str:
    names = joined([system.head.statistics[name].name for name in effect.to])
    apart = " each" if effect.each else ""
    per = f" for each {system.head.statistics[effect.per].name}" if effect.per else ""
    return f"{signed(effect.by)}{apart} to {names}{per}"


def _where(effect: Suffer | Penalty, says: str, system: System) -> str:
    """What happens only to one part of the body says so."""
    if effect.where is None:
        return says
    name = system.head.parts[effect.where].name
    return f"If it is {article(name)} {name}, {_lower(says)}"


def _named(condition: Condition) -> str:
    return condition.brief or _lower(condition.name or condition.says)


def _faces(effect: Maybe) -> str:
    return f"{showing(effect.upto)} on {effect.die.spoken}"


def _one_of(effect: OneOf, system: System) -> Sentence:
    """The alternatives in one sentence, their common end once, and before them: it is for all."""
    sentences = [effect_sentences(option, system)[0] for option in effect.effects]
    ends = {sentence.until for sentence in sentences}
    says = [_lower(sentence.says if len(ends) == 1 else f"{sentence.says} {sentence.until}") for sentence in sentences]
    options = f"{'; '.join(says[:-1])}; or {says[-1]}"
    end = f" {ends.pop()}".rstrip() if len(ends) == 1 else ""
    return Sentence(f"One of these{end}, by d{len(sentences)}: {options}")


def _clauses(effects: Iterable[AnyEffect], system: System) -> str:
    """Effects as the end of a sentence: what one is no longer, and what one is instead."""
    told = [(effect, sentence) for effect in effects for sentence in effect_sentences(effect, system)]
    clauses = [_lower(str(sentence).removesuffix(".")) for _, sentence in told]
    if len(told) > 1 and isinstance(told[0][0], Cure):
        return f"{clauses[0]}, but {', '.join(clauses[1:])}"
    return ", ".join(clauses)


def _save(effect: Save, system: System) -> str:
    """What a save decides."""
    start = "If it is for good, make a save" if effect.permanent else "Make a save"
    ends = [f"if it {how}, {_clauses(effects, system)}" for how, effects in _outcomes(effect) if effects]
    return f"{start}: {'; '.join(ends)}"


def _outcomes(effect: Save) -> Iterable[tuple[str, tuple[AnyEffect, ...]]]:
    return (("succeeds", effect.passes), ("fails", effect.fails))


def _price(failure: Suffer | Penalty, system: System) -> str:
    if isinstance(failure, Penalty):
        return f"take {_penalty(failure, system)}"
    condition = system.head.conditions[failure.condition]
    return condition.fails or f"suffer this: {_lower(condition.says)}"


def _lost(part: Part) -> Iterable[Sentence]:
    yield Sentence(f"You lose {article(part.name)} {part.name}", _LASTING["permanent"])
    if part.die:
        yield Sentence(f"Roll {part.die.spoken} for which: {places(part)}")
    if part.extent:
        yield Sentence(f"Roll {part.extent.die.spoken} for how much: {steps(part.extent)}")


def steps(extent: Extent) -> str:
    """Which face of the die means how much: `1 hand or foot, 2 below the joint`."""
    return ", ".join(
        f"{face}{DAGGER if face in extent.reconstructed else ''} {step}" for face, step in enumerate(extent.steps, 1)
    )


def _draw(effect: Draw) -> str:
    many = effect.cards
    if effect.keep == "choose_one" and many > 1:
        return f"Draw {number(many)} more cards and choose the wound you take: {_choice_counts(effect)}"
    if many == 1:
        return f"Draw one more card and take its wound: {_choice_counts(effect)}"
    both = "both" if many == 2 else f"all {number(many)}"
    scores = "their scores count" if effect.score else "their scores do not count"
    lowest = "lower" if many == 2 else "lowest"
    pools = {
        "all": "but their Blood and Trauma do" if not effect.score else "and so do their Blood and Trauma",
        "lowest": f"and of Blood and Trauma only the {lowest}",
        "none": "and no Blood or Trauma" if not effect.score else "but their Blood and Trauma do not",
    }[effect.pools]
    return f"Draw {number(many)} more cards and take {both} wounds: {scores}, {pools}"


def _choice_counts(effect: Draw) -> str:
    """What of a single card counts besides its wound."""
    pools = effect.pools != "none"
    if effect.score and pools:
        return "its score, Blood and Trauma count"
    if effect.score:
        return "its score counts, its Blood and Trauma do not"
    if pools:
        return "its Blood and Trauma count, its score does not"
    return "nothing else of it counts"


def _whenever(effect: Whenever, system: System) -> Sentence:
    follows = []
    if effect.blood:
        join = "joins" if effect.blood == 1 else "join"
        follows.append(f"{effect.blood} Blood {join} your pool")
    if effect.score:
        follows.append(_SCORERS[effect.event].format(effect.score))
    if effect.penalty:
        follows.append(f"take {_penalty(effect.penalty, system)}")
    return Sentence(f"{_EVENTS[effect.event]}, {joined(follows)}", _onward(effect.until))
