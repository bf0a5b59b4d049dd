"""The events of Deadlands 1876 as people type them: `trait d8 mod=+2`, `soak vigor 2`, `award charm horseshoe`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct

from generator.base.cards import is_code, read_code
from generator.base.dice import Dice
from generator.base.errors import UsageError, did_you_mean
from generator.base.text_input import read_amount
from generator.games.deadlands.fortune import read_range
from generator.games.deadlands.state import KINDS_OF_TOKEN, LONGEST_NAME, LONGEST_SAYING
from generator.model.rules import UNITS

MOST_TARGET = 100
MOST_TRIES = 1000
COIN = "coin"
"""What is rolled in place of a die by those who do not have the skill (D5)."""
_TOSSED = ("trait", "contested", "serial", "compound", "attempts", "attempt", "fate", "heal")
"""The events that a skill may be rolled for; the others roll attributes, which everybody has."""
MOST_POINTS = 10_000


class Event(Struct, frozen=True):
    """Something that happens to a character: a name, its words in order, and what it is about by name."""

    name: str
    words: tuple[str, ...] = ()
    at: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        return " ".join((self.name, *self.words, *(f"{name}={value}" for name, value in self.at)))

    def get(self, name: str) -> str | None:
        """What an option says; None where it is not given."""
        return dict(self.at).get(name)

    def number(self, name: str, otherwise: int) -> int:
        """What an option says, as a number."""
        written = self.get(name)
        return otherwise if written is None else int(written)

    def says(self, name: str, otherwise: bool = False) -> bool:
        """Whether an option says yes."""
        written = self.get(name)
        return otherwise if written is None else written == "yes"


class Spec(NamedTuple):
    """How an event is written: what each word is (`?` may be left out, `+` one or more), and its options."""

    usage: str
    words: tuple[str, ...] = ()
    options: tuple[str, ...] = ()


_ROLL = ("mod", "wild", "joker", "kicker")

SPECS: dict[str, Spec] = {
    "trait": Spec(
        "trait DIE: a trait roll against TN 4; dice: trait die, wild die, the trait die's aces, the wild die's aces",
        ("die",),
        ("tn", *_ROLL),
    ),
    "unskilled": Spec("unskilled: coins for a trait that one does not have", (), ("tn", "mod", "joker", "kicker")),
    "grant": Spec("grant SKILL: after a raise with coins, the skill for good", ("trait",)),
    "contested": Spec("contested DIE DIE: the other's die is the target number", ("die", "die"), _ROLL),
    "serial": Spec("serial DIE: again and again until it succeeds", ("die",), ("tn", "tries", *_ROLL)),
    "compound": Spec("compound DIE: the same, harder each time, up to the last chance", ("die",), ("tn", *_ROLL)),
    "attempts": Spec(
        "attempts DIE: a dramatic task of so many successes, played out",
        ("die",),
        ("needs", "tn", "rounds", "harm", *_ROLL),
    ),
    "luck": Spec("luck CARD: a luck draw; or a range, Q+ hearts 5-9 red", ("cards+",)),
    "fate": Spec("fate DIE: a trait roll against the card that is drawn", ("die",), _ROLL),
    "damage": Spec("damage DICE: damage dice, which ace", ("dice",), ("critical", "joker", "mod")),
    "action": Spec("action: an action card for this round"),
    "round": Spec("round [all]: a new round begins, for everybody with all", ("all?",)),
    "hour": Spec("hour: the golden hour is over"),
    "day": Spec("day [DIE]: a day begins; the wounded roll Vigor", ("die?",), ("medicine", *_ROLL)),
    "guts": Spec("guts DIE: Spirit, with Grit", ("die",), ("tn", *_ROLL)),
    "fear": Spec("fear DIE: Spirit, without Grit", ("die",), ("tn", *_ROLL)),
    "recover": Spec("recover DIE: Spirit, to be Shaken no more", ("die",), ("reflexes", *_ROLL)),
    "wound": Spec("wound N: so many wound levels are taken", ("number",)),
    "wounds": Spec("wounds N: the wound level as it stands, such as from an earlier session", ("number",)),
    "shaken": Spec("shaken [yes|no]: Shaken without a wound, or no more", ("yes?",)),
    "soak": Spec(
        "soak DIE [WOUNDS]: a chip, then Vigor: so many wounds about to be taken, or those just taken",
        ("die", "number?"),
        ("charm", "free", *_ROLL),
    ),
    "incapacitation": Spec("incapacitation DIE: Vigor, when all wound levels are gone", ("die",), ("hard", *_ROLL)),
    "wake": Spec("wake: the Marshal lets the unconscious come to"),
    "survive": Spec("survive: the bleeding has stopped; the injury stays for good"),
    "die": Spec("die: it is over"),
    "injury": Spec("injury [temporary|permanent] [DIE]: a card of the injury deck", ("lasting?", "die?")),
    "mend": Spec("mend CARD: greater healing lifts an injury", ("code",)),
    "heal": Spec(
        "heal DIE: first aid, or the power with power=yes; healer=NAME where another treats them",
        ("die",),
        ("healer", "chip", "power", "tn", *_ROLL),
    ),
    "chips": Spec("chips N [given|taken]: the character's Fate Chips", ("number", "change?")),
    "award": Spec(
        "award charm|burn|hole|kicker|marker NAME: a token of fortune",
        ("token", "name"),
        ("die", "bonus", "trait", "card", "says"),
    ),
    "hole": Spec("hole NAME: a hole card in place of a skill", ("name",), ("tn", *_ROLL)),
    "burn": Spec("burn NAME: a burn card in place of the action card", ("name",)),
    "marker": Spec("marker DIE: a favour is called in; or the marker's name", ("die_or_name",)),
    "task": Spec(
        "task NAME KIND: a serial, compound, attempts or actions task begins",
        ("name", "task"),
        ("tn", "needs", "rounds"),
    ),
    "attempt": Spec("attempt NAME DIE: one roll for a task", ("name", "die"), ("tn", "harm", *_ROLL)),
    "drop": Spec("drop NAME: a task or token is put away", ("name",)),
    "book": Spec(
        "book TIME DIE: hours of study, less a roll of Smarts",
        ("number", "die"),
        ("unit", "language", "prerequisite", "least", "bonus", "trait", "skill"),
    ),
    "knowledge": Spec("knowledge DIE: a field nearby, at a lower die", ("die",), ("steps", "tn", *_ROLL)),
    "learn": Spec("learn SKILL: a new skill; related=OLD for a Knowledge near it", ("trait",), ("related",)),
    "improve": Spec("improve TRAIT: an advance raises an attribute by a die", ("trait",)),
    "spend": Spec("spend WHAT: an advance for something of the rulebook, such as an Edge", ("name",)),
    "spent": Spec(
        "spent N: advances spent before; raised=yes where one went for an attribute at this rank",
        ("number",),
        ("raised",),
    ),
    "xp": Spec("xp N: experience points are given", ("number",)),
    "has": Spec("has TRAIT DIE: what the character has", ("trait", "fixed_die")),
    "is": Spec("is wild|face|extra: what the character is", ("kind",), ("levels",)),
}

_SAMPLES = {
    "mod": "+2",
    "tn": "6",
    "wild": "d6|none",
    "joker": "yes",
    "kicker": "NAME",
    "charm": "NAME",
    "free": "yes",
    "raised": "yes",
    "healer": "NAME",
    "hard": "yes",
    "reflexes": "yes",
    "power": "yes",
    "chip": "yes",
    "critical": "yes",
    "tries": "5",
    "rounds": "5",
    "needs": "5",
    "levels": "6",
    "steps": "1",
    "harm": "1d10",
    "medicine": "d8",
    "die": "d8",
    "bonus": "1",
    "trait": "shooting",
    "card": "KH",
    "says": "for a deuce",
    "skill": "chemistry",
    "unit": "weeks",
    "language": "English",
    "prerequisite": "analytics",
    "least": "d8",
    "related": "voodoo",
}


def _written(spec: Spec) -> str:
    """`trait DIE [--at tn=6]: a trait roll`."""
    form, _, says = spec.usage.partition(": ")
    return " ".join([form, *(f"[--at {name}={_SAMPLES[name]}]" for name in spec.options)]) + f": {says}"


EVENTS: dict[str, str] = {name: _written(spec) for name, spec in SPECS.items()}
"""The events by name: how each is written, and what it is."""

_TRAIT = re.compile(r"[a-z][a-z0-9_'-]{0,39}")
_DIE = re.compile(r"1?d[0-9]{1,3}")


def read_event(words: Sequence[str], at: Mapping[str, str] | None = None) -> Event:
    """An event as typed; options stand among the words as `mod=+2`, or come from `--at`. Raises UsageError."""
    for what, written in (*(("a word", word) for word in words), *(at or {}).items()):
        if not written.isprintable():
            raise UsageError(f"{ascii(what)[1:-1][:40]} holds a line break or the like: plain characters are wanted")
    name, *rest = [*words] or [""]
    if name not in SPECS:
        raise UsageError(f'there is no event "{name[:40]}"{did_you_mean(name, SPECS)}')
    spec, options = SPECS[name], dict(at or {})
    plain = []
    for word in rest:
        key, equals, value = word.partition("=")
        if not equals:
            plain.append(word)
        elif key in options:
            raise UsageError(f"{key[:40]} is given twice")
        else:
            options[key] = value
    chosen = tuple((key, _OPTIONS[key](key, options[key])) for key in spec.options if key in options)
    for key in options:
        if key not in spec.options:
            there = f"; it takes {', '.join(spec.options)}" if spec.options else ": it takes none"
            raise UsageError(f"{name} takes no --at {key[:40]}{there}")
    return Event(name, _read_words(name, spec, plain), chosen)


def dice_of(event: Event) -> Iterator[str]:
    """Every die that an event was typed with, in its words and options."""
    spec = SPECS[event.name]
    typed = list(zip((kind.rstrip("?+") for kind in spec.words), event.words, strict=False))
    typed += [("die", value) for name, value in event.at if name in ("wild", "medicine", "die", "least")]
    for kind, value in typed:
        if kind in ("die", "fixed_die", "die_or_name", "lasting") and _DIE.fullmatch(value):
            yield value


def _read_words(name: str, spec: Spec, given: list[str]) -> tuple[str, ...]:
    found: list[str] = []
    rest = list(given)
    for kind in spec.words:
        read = _WORDS[kind.rstrip("?+")]
        if kind.endswith("?"):
            if rest and _reads(read, rest[0]):
                found.append(read(name, rest.pop(0)))
        elif not rest:
            raise UsageError(f"{name} needs more: {EVENTS[name]}")
        elif kind.endswith("+"):
            found += [read(name, word) for word in rest]
            rest = []
        else:
            found.append(read(name, rest.pop(0)))
    if rest:
        raise UsageError(f'"{rest[0][:40]}" is too much: write {EVENTS[name]}')
    return tuple(found)


Reader = Callable[[str, str], str]


def _reads(read: Reader, word: str) -> bool:
    try:
        read("", word)
    except UsageError:
        return False
    return True


# --- what words and options may be -----------------------------------------------------------------------------------


def _die(what: str, written: str) -> str:
    """A die, or the name of a trait that the character has. Dice of other shapes are refused here."""
    word = written.lower()
    if _DIE.fullmatch(word):
        return word.removeprefix("1")
    if word == COIN and what not in _TOSSED:
        raise UsageError(f"{what}: a coin is thrown for a skill that one does not have; this is something else")
    if _is_trait(word) or word == COIN:
        return word
    raise UsageError(f'{what} needs a die such as d8, or the name of a trait, not "{written[:40]}"')


def _is_trait(word: str) -> bool:
    """Whether a word may be a trait's name: no die, nor the code of a card that follows an event."""
    return bool(_TRAIT.fullmatch(word)) and word != COIN and not re.match(r"d[0-9]", word) and not is_code(word.upper())


def _fixed_die(what: str, written: str) -> str:
    word = written.lower()
    if not _DIE.fullmatch(word):
        raise UsageError(f'{what} needs a die such as d8, not "{written[:40]}"')
    return word.removeprefix("1")


def _die_or_name(what: str, written: str) -> str:
    return _fixed_die(what, written) if _DIE.fullmatch(written.lower()) else _name(what, written)


def _wild(what: str, written: str) -> str:
    return "none" if written == "none" else _fixed_die(what, written)


def _trait(what: str, written: str) -> str:
    word = written.lower()
    if not _is_trait(word):
        raise UsageError(f'{what}: "{written[:40]}" is no name of a trait: write one word, such as shooting')
    return word


def _name(what: str, written: str) -> str:
    name = written.strip()
    if not name or len(name) > LONGEST_NAME or not name.isprintable() or "=" in name:
        raise UsageError(f'{what}: "{written[:40]}" is no name: write 1 to {LONGEST_NAME} characters')
    return name


def _saying(what: str, written: str) -> str:
    text = written.strip()
    if not text or len(text) > LONGEST_SAYING or not text.isprintable():
        raise UsageError(f"{what}: write 1 to {LONGEST_SAYING} plain characters")
    return text


def _between(least: int, most: int) -> Reader:
    def read(what: str, written: str) -> str:
        return str(read_amount(what, written, least, most, plus=True))

    return read


def _one_of(*known: str) -> Reader:
    def read(what: str, written: str) -> str:
        if written not in known:
            raise UsageError(f'{what}: "{written[:40]}" is not known here{did_you_mean(written, known)}')
        return written

    return read


def _dice(what: str, written: str) -> str:
    try:
        dice = Dice.parse(written)
    except ValueError as error:
        raise UsageError(f"{what}: {error}") from error
    if dice.is_number or dice.least < 1:
        raise UsageError(f'{what} needs dice such as 2d6+1, not "{written[:40]}"')
    return str(dice)


def _code(what: str, written: str) -> str:
    try:
        return read_code(written)
    except ValueError as error:
        raise UsageError(f"{what}: {error}") from error


def _unit(what: str, written: str) -> str:
    return _one_of(*UNITS)(what, written.removesuffix("s"))


_KINDS = {"wild": "wild_card", "face": "face_card", "extra": "extra"}


def _kind(what: str, written: str) -> str:
    return _KINDS.get(written) or _one_of(*_KINDS, *_KINDS.values())(what, written)


_YES = _one_of("yes", "no")
_NAMES_OF_TRAITS = ("die", "trait")
_OPTIONS_OF_TRAITS = ("trait", "skill", "prerequisite", "related")


def renamed(event: Event, names: Mapping[str, str]) -> Event:
    """The event with each trait under its first name; `names` has the others."""
    kinds = [*(kind.rstrip("?+") for kind in SPECS[event.name].words), *[""] * len(event.words)]
    words = tuple(
        names.get(word, word) if kind in _NAMES_OF_TRAITS else word
        for kind, word in zip(kinds, event.words, strict=False)
    )
    at = tuple((key, names.get(value, value) if key in _OPTIONS_OF_TRAITS else value) for key, value in event.at)
    return Event(event.name, words, at)


_WORDS: dict[str, Reader] = {
    "die": _die,
    "fixed_die": _fixed_die,
    "die_or_name": _die_or_name,
    "dice": _dice,
    "number": _between(0, MOST_POINTS),
    "name": _name,
    "trait": _trait,
    "code": _code,
    "cards": read_range,
    "change": _one_of("given", "taken"),
    "lasting": _one_of("temporary", "permanent"),
    "all": _one_of("all"),
    "yes": _YES,
    "token": _one_of(*KINDS_OF_TOKEN),
    "task": _one_of("serial", "compound", "attempts", "actions"),
    "kind": _kind,
}
_OPTIONS: dict[str, Reader] = {
    "mod": _between(-100, 100),
    "tn": _between(1, MOST_TARGET),
    "wild": _wild,
    "joker": _YES,
    "kicker": _name,
    "charm": _name,
    "free": _YES,
    "raised": _YES,
    "healer": _name,
    "hard": _YES,
    "reflexes": _YES,
    "power": _YES,
    "chip": _YES,
    "critical": _YES,
    "tries": _between(1, MOST_TRIES),
    "rounds": _between(1, MOST_TRIES),
    "needs": _between(1, 100),
    "levels": _between(1, 100),
    "steps": _between(1, 10),
    "harm": _dice,
    "medicine": _fixed_die,
    "die": _fixed_die,
    "bonus": _between(1, 20),
    "trait": _trait,
    "card": _code,
    "says": _saying,
    "skill": _trait,
    "unit": _unit,
    "language": _name,
    "prerequisite": _trait,
    "least": _fixed_die,
    "related": _trait,
}
