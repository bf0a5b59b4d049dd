"""Effects as sentences: what is printed on paper and shown on the screen is worded here and nowhere else.

A sentence has two parts, because paper sets the second apart: what happens, and until when. The voice is the table's:
"you", short, present tense. Nothing here decides a rule; it says what `rules` holds and the engine runs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple, assert_never

from generator.dice import Dice
from generator.rules import (
    AnyEffect,
    Card,
    Cell,
    Check,
    Draw,
    Drop,
    Extent,
    Halve,
    Locate,
    Lose,
    Part,
    Peek,
    Penalty,
    Repeat,
    Reroll,
    Spare,
    Start,
    Suffer,
    System,
    Table,
    Until,
    Whenever,
)

MINUS = "\N{MINUS SIGN}"
DASH = "\N{EN DASH}"
DAGGER = "\N{DAGGER}"

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_TIMES = {1: "once", 2: "twice"}
_LASTING = {
    "now": "",
    "stand": "until you stand up",
    "cleared": "until your eyes are clear",
    "woken": "until someone wakes you",
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
_DROPPED = {"weapons": "the weapons you hold", "item": "the item you hold"}


class Sentence(NamedTuple):
    """`says` and `until`, both without the full stop; `until` may be empty."""

    says: str
    until: str = ""

    def __str__(self) -> str:
        return f"{self.says} {self.until}".rstrip() + "."


def card_sentences(card: Card, system: System) -> tuple[Sentence, ...]:
    """What a card does, one sentence an effect; a card of Blood and Trauma alone says what these do."""
    worded = tuple(sentence for effect in card.effects for sentence in effect_sentences(effect, system))
    return worded or tuple(_pools(card))


def effect_sentences(effect: AnyEffect, system: System) -> tuple[Sentence, ...]:
    """The sentence of one effect; a second one where a second roll is asked for."""
    match effect:
        case Suffer():
            says = system.head.conditions[effect.condition].says
            return (_begun(effect.begins, Sentence(says, lasting(effect.until))),)
        case Penalty():
            return (_begun(effect.begins, Sentence(_penalty(effect, system), lasting(effect.until))),)
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
            return (Sentence(f"You drop {dropped(effect.what)}"),)
        case Check():
            price = joined([_price(failure, system) for failure in effect.fail])
            says = f"Roll {effect.die.spoken} over your death-score or {price}"
            return (_begun(effect.begins, Sentence(says, lasting(effect.fail[-1].until))),)
        case Draw():
            return (Sentence(_draw(effect)),)
        case Repeat():
            times = _TIMES.get(effect.times, f"{counted(effect.times, 'time')}")
            cards = f"draw {counted(effect.draw, 'card')} and apply {_it(effect.draw)} {times}"
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
            return (Sentence("A lucky break: no wound and no death-score"),)
        case _:
            assert_never(effect)


def lasting(until: Until) -> str:
    """How long, as the end of a sentence: `until you recover`, `for d12 hours`, `for one week`."""
    if until.amount is None:
        return _LASTING[until.word]
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

    Raises KeyError with the name of a number that the procedure does not have.
    """
    numbers = system.numbers
    return re.sub(r"\{(\w+)\}", lambda match: numbers[match[1]], text)


def product_line(system: System) -> str:
    """The small line of every product: system, content version, and the switches that differ from the default."""
    rules = "".join(f", {name}: {value}" for name, value in system.house_rules)
    return f"{system.head.title} {system.head.version}{rules}"


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


def _pools(card: Card) -> Iterable[Sentence]:
    if card.blood:
        yield Sentence(f"Add {card.blood.spoken} Blood to your pool")
    if card.trauma:
        yield Sentence(f"Your Trauma becomes {card.trauma} unless it is higher")


def _begun(begins: Start, sentence: Sentence) -> Sentence:
    if begins == "now":
        return sentence
    return sentence._replace(says=f"{_BEGINS[begins]}, {_lower(sentence.says)}")


def _lower(says: str) -> str:
    return says[:1].lower() + says[1:]


def _it(many: int) -> str:
    return "it" if many == 1 else "them"


def _die(die: Dice | None) -> str:
    return die.spoken if die else ""


def _penalty(effect: Penalty, system: System) -> str:
    names = joined([system.head.statistics[name].name for name in effect.to])
    apart = " each" if effect.each else ""
    return f"{signed(effect.by)}{apart} to {names}"


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
        yield Sentence(f"Roll {part.extent.die.spoken} for how much: {_steps(part.extent)}")


def _steps(extent: Extent) -> str:
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
    scores = "their scores count" if effect.score else "no score counts"
    lowest = "lower" if many == 2 else "lowest"
    pools = {
        "all": "but Blood and Trauma do" if not effect.score else "and so do their Blood and Trauma",
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


# --- tables ----------------------------------------------------------------------------------------------------------


def table_cells(table: Table, system: System) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """A table as text: its heads, and the cells of each row. Columns that nothing fills are left out."""
    heads: list[str] = []
    columns: list[list[str]] = []

    def column(head: str, cells: list[str]) -> None:
        if any(cells):
            heads.append(head)
            columns.append(cells)

    by = system.head.tracks[table.by].name if table.by else table.roll.spoken if table.roll else ""
    column(by, [str(row.at) if row.at else "" for row in table.rows])
    column("", [row.name or "" for row in table.rows])
    for name, entry in table.columns.items():
        column(entry.title, [cell_text(row.cells.get(name, ""), system) for row in table.rows])
    column(table.title if not table.columns else "Lasts", [span(row.lasts) if row.lasts else "" for row in table.rows])
    column("", [cell_text(row.effects, system) for row in table.rows])
    column("", [filled(row.note, system) if row.note else "" for row in table.rows])
    rows = [list(row) for row in zip(*columns, strict=True)]
    for row, cells in zip(table.rows, rows, strict=True):
        if row.reconstructed:
            cells[-1] += DAGGER
    return tuple(heads), [tuple(cells) for cells in rows]


def cell_text(cell: Cell, system: System) -> str:
    """One cell of a row: a number, a word, or what its effects say."""
    if isinstance(cell, tuple):
        return " ".join(str(sentence) for effect in cell for sentence in effect_sentences(effect, system))
    return str(cell)
