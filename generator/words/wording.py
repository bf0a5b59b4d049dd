"""What sentences are made of: numbers, lists, dice, spans of time, and texts of the content with its numbers.

A sentence has two parts, because paper sets the second apart: what happens, and until when. `effects` makes them.
"""

import re
from collections import ChainMap
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from generator.base.dice import Dice
from generator.base.sentences import paragraphs, plural, sentence_parts, without_stop
from generator.model.rules import Extent, Part, Ruling, Span, System, Until, per_system

MINUS = "\N{MINUS SIGN}"
DASH = "\N{EN DASH}"
DAGGER = "\N{DAGGER}"
RECONSTRUCTED = "reconstructed: no source gives it"
"""What the dagger says."""


def dagger(system: System, *, reconstructed: bool = True) -> str:
    """Return the dagger of a value without a source, where paper marks such values."""
    return DAGGER if reconstructed and system.shows_rulings else ""


_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_MAX_CHANGED = 12
"""So many changed numbers are named in a margin."""
DURATIONS = {
    "now": ("", ""),
    "stand": ("until you stand up", "until up"),
    "cleared": ("until your eyes are clear", "until clear"),
    "woken": ("until someone wakes you", "until woken"),
    "breath": ("until you take a round to get your breath back", "until rested a round"),
    "stable": ("until you are stabilised or healed", "until stable"),
    "save": ("until a later save succeeds", "until a save"),
    "check": ("until a later roll succeeds", "until a roll succeeds"),
    "rest": ("until you have rested", "until rested"),
    "good_rest": ("until you have rested in comfort", "until well rested"),
    "recovery": ("until you recover", "until recovered"),
    "permanent": ("for good", "for good"),
    "gm": ("until the GM says it is over", "until the GM ends it"),
    "eases": ("until it eases", "until it eases"),
    "again": ("for as long again", "as long again"),
    "same": ("for as long", "as long"),
}
"""The words of `rules.LASTING` as the end of a sentence, and in short."""
_DROPPED = {"weapons": "the weapons you hold", "item": "the item you hold", "hand": "what that hand holds"}


_SILENT_H = ("hour", "heir", "honest", "honour")
_LONE_VOWELS = ("one", "uni", "eu", "use")
_SPELT = frozenset({"HP", "NPC", "XP", "HD", "AC"})
"""Abbreviations that begin with the sound of a vowel."""


class Sentence(NamedTuple):
    """`says` and `until`, which may be empty; the full stop may be left out."""

    says: str
    until: str = ""

    def __str__(self) -> str:
        return " ".join(filter(None, sentence_parts(*self)))


def note_sentences(note: str | None, system: System) -> tuple[Sentence, ...]:
    """Return the paragraphs of a note, with the system's numbers in them."""
    return tuple(Sentence(without_stop(each)) for each in paragraphs(fill_placeholders(note or "", system)))


def figure_words(value: int) -> str:
    """Return a number with a minus sign as it is printed."""
    return f"{MINUS}{-value}" if value < 0 else str(value)


def die_faces(upto: int) -> str:
    """Return the faces of a die from 1 up to a number: `1`, `1-3`."""
    return "1" if upto == 1 else f"1{DASH}{upto}"


def die_percent(die: Dice, upto: int) -> str:
    """Return the chance that a die shows a number or less: `30 %`, or `1 in 6` where that is no whole per cent."""
    share = 100 * upto / die.faces
    return f"{share:.0f} %" if share == round(share) else f"{upto} in {die.faces}"


def duration_words(until: Until, system: System | None = None) -> tuple[str, str]:
    """Return how long, as the end of a sentence and in short: `until you recover` and `until rec.`, `for d12 hours`."""
    if until.amount is not None:
        return f"for {span_words(until)}", span_words(until)
    happening = system.head.events.get(until.word) if system else None
    if happening is not None and happening.until:
        return happening.until, happening.until
    plain = f"until {happening.says if happening else unit_words(until.word)}"
    return DURATIONS.get(until.word, (plain, plain))


def span_words(until: Until) -> str:
    """Return a span of time: `2d6 weeks`, `one round`."""
    if until.amount is None:
        raise ValueError(f"{until} is not a span of time")
    if until.amount.is_number:
        return counted_noun(until.amount.plus, unit_words(until.word))
    return f"{until.amount.spoken} {plural(unit_words(until.word))}"


def span_figures(span: Span | str) -> str:
    """Return results in figures, with a dash between them: `1-5`."""
    return str(span).replace("-", DASH)


def place_faces(part: Part, system: System) -> str:
    """Which face of the die means which place: `1 left, 2 right`, or by sides where there are several on each."""
    doubt = dagger(system, reconstructed=part.reconstructed)
    if not part.members:
        return ", ".join(f"{face} {side}" for face, side in enumerate(part.sides, 1)) + doubt
    wide = len(part.members)
    sides = [f"{at * wide + 1}{DASH}{(at + 1) * wide} {side}" for at, side in enumerate(part.sides)]
    return f"{', '.join(sides)}, {part.members[0]} first{doubt}"


def fill_placeholders(text: str, system: System) -> str:
    """Return a text of the content with the procedure's numbers in it: `over {limit}` becomes `over 21`.

    `{H6}` becomes the reading in force of that ruling, which may quote numbers in its turn. Raises KeyError with the
    name of a number that the procedure does not have.
    """
    readings, numbers = system.readings, system.numbers
    read = re.sub(r"\{(\w+)\}", lambda match: readings.get(match[1], match[0]), text)
    return re.sub(r"\{(\w+)\}", lambda match: numbers[match[1]], read)


def is_house_rule(ruling: Ruling, system: System) -> bool:
    """Return whether a ruling is read otherwise than by default."""
    return ruling.switch is not None and ruling.switch.name in dict(system.house_rules)


def in_force(ruling: Ruling, system: System) -> str:
    """Return the rule in force by a ruling: as we read it, and the reading of its switch that is in force."""
    text = fill_placeholders(ruling.ours, system)
    if ruling.switch is None:
        return text
    house = "House rule: " if is_house_rule(ruling, system) else ""
    return f"{text} {house}{fill_placeholders(system.readings[ruling.id], system)}"


def product_title(system: System, product: str) -> str:
    """Return the title of a document: the system's and the product's, which is not said twice."""
    title = system.head.title
    return title if f" {title}".casefold().endswith(f" {product}".casefold()) else f"{title} {product}"


def product_line(system: System) -> str:
    """The small line of every product: system, content version, and the switches and numbers that are not as usual."""
    changed = system.changed_numbers
    rules = [f"{name}: {value}" for name, value in (*system.house_rules, *changed[:_MAX_CHANGED])]
    more = len(changed) - _MAX_CHANGED
    rules += [f"and {counted_noun(more, 'number')} more"] if more > 0 else []
    return ", ".join([f"{system.head.title} {system.head.version}", *rules])


def panel_line(system: System) -> str:
    """Return the small line at the foot of a panel: with rulings the product's, else only the house rules in force."""
    return product_line(system) if system.shows_rulings or system.house_rules or system.changed_numbers else ""


def number_word(value: int) -> str:
    """Small numbers as words, as running text has them."""
    return _NUMBERS[value] if 0 <= value < len(_NUMBERS) else str(value)


def counted_noun(value: int, noun: str) -> str:
    """`one card`, `two cards`, `no cards`."""
    return f"{number_word(value)} {noun if value == 1 else plural(noun)}"


def article(noun: str) -> str:
    """Return `a` or `an`, as the word sounds: `an hour`, `a use`, `an HP`, `a STR check`, `an 8`."""
    first = noun.split(" ")[0]
    if first.isupper() and len(first) > 1:
        return "an" if first in _SPELT or first[0] in "AEIOU" else "a"
    number = re.match(r"\d+", first)
    if number:
        return "an" if number[0][0] == "8" or number[0] in ("11", "18") else "a"
    low = first.lower()
    if low.startswith(_SILENT_H):
        return "an"
    return "an" if low[:1] in "aeiou" and not low.startswith(_LONE_VOWELS) else "a"


def measured_unit(value: int, unit: str) -> str:
    """Return a result in figures: `9 weeks`, `1 day`."""
    return counted_figure(value, unit_words(unit))


def counted_figure(value: int, noun: str) -> str:
    """Return a number in figures with its noun: `1 level`, `2 levels`."""
    return f"{value} {noun if value == 1 else plural(noun)}"


def unit_words(written: str) -> str:
    """Return a unit or a span of time as people read it: `3 quarter_days` becomes `3 quarter days`."""
    return written.replace("_", " ")


def capitalised(text: str) -> str:
    """Return the same with a capital letter first: `hide like chain` becomes `Hide like chain`."""
    return text[:1].upper() + text[1:]


ABBREVIATIONS = frozenset({"ac", "dc", "hd", "hp", "tn", "xp"})
"""What is written in capitals, wherever it stands in a key."""


@per_system
def word_names(system: System) -> Mapping[str, str]:
    """Return the names that the author's words and the parts of the body have, by the words."""
    named = (own.of for own in system.steps.words.values() if isinstance(own.of, dict))
    return {key: part.name for key, part in system.head.parts.items()} | dict(ChainMap(*named))


def word_called(word: str, system: System) -> str:
    """Return what a word is called: by its name, or without underscores."""
    return word_names(system).get(word) or word.replace("_", " ")


def key_in_words(key: str) -> str:
    """Return a key as people read it: `max_hp` becomes `Max HP`."""
    words = key.replace("-", "_").split("_")
    return capitalised(" ".join(word.upper() if word in ABBREVIATIONS else word for word in words))


def joined_words(parts: Iterable[str], joint: str = "and") -> str:
    """`a`, `a and b`, `a, b and c`."""
    *first, last = parts
    return f"{', '.join(first)} {joint} {last}" if first else last


def signed_amount(amount: Dice, sign: int) -> str:
    """Return an amount that is added (sign 1) or taken away (-1, with a real minus sign)."""
    mark = "+" if sign > 0 else MINUS
    return f"{mark}{amount.spoken}" if amount.count == 0 or amount.plus == 0 else f"{mark}({amount.spoken})"


def signed_change(value: int) -> str:
    """Return a change with its sign: `+2`, and a real minus sign."""
    return f"{'+' if value > 0 else MINUS}{abs(value)}"


def dropped_words(what: str) -> str:
    """Return the name of things that fall, for a sentence: `the weapons you hold`."""
    return _DROPPED[what]


def lowered_clause(says: str) -> str:
    """Return a sentence as a clause; what begins with two capitals keeps them."""
    return says if says[1:2].isupper() else says[:1].lower() + says[1:]


def extent_faces(extent: Extent, system: System) -> str:
    """Return which face of the die means how much: `1 hand or foot, 2 below the joint`."""
    return ", ".join(
        f"{face}{dagger(system, reconstructed=face in extent.reconstructed)} {step}"
        for face, step in enumerate(extent.steps, 1)
    )
