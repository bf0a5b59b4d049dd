"""The events of Deadlands 1876 as people type them: `trait d8 mod=+2`, `soak vigor 2`, `award charm horseshoe`."""

import re
from collections.abc import Collection, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from generator.base.cards import is_code
from generator.base.errors import UsageError
from generator.games.deadlands.fortune import read_range
from generator.games.deadlands.state import KINDS_OF_TOKEN, MAX_NAME_LENGTH, MAX_SAYING_LENGTH
from generator.model.rules import UNITS
from generator.play.event_spec import (
    ArgumentSpec,
    EventSpec,
    Readers,
    by_name,
    event_spec,
    option_argument,
    read_values,
)

MAX_TARGET = 100
MAX_TRIES = 1000
COIN = "coin"
"""What is rolled in place of a die by those who do not have the skill (D5)."""
MAX_POINTS = 10_000


class TraitsEvent(Struct, frozen=True):
    """Something that happens to a character: a name, its words in order, and what it is about by name."""

    name: str
    words: tuple[str, ...] = ()
    at: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        return " ".join((self.name, *self.words, *(f"{name}={value}" for name, value in self.at)))

    def get(self, name: str) -> str | None:
        """Return an option's text, or None."""
        return dict(self.at).get(name)

    def number(self, name: str, otherwise: int) -> int:
        """Return an option's number."""
        written = self.get(name)
        return otherwise if written is None else int(written)

    def says(self, name: str, otherwise: bool = False) -> bool:
        """Tell whether an option says yes."""
        written = self.get(name)
        return otherwise if written is None else written == "yes"


_KINDS = {"wild": "wild_card", "face": "face_card", "extra": "extra"}
_DIE = ArgumentSpec("die", "trait_die", sample="DIE", called="a die or a trait")
_TOSSED = ArgumentSpec("die", "roll", sample="DIE", called="a die or a trait")
"""Where a skill may be rolled, with coins by those who lack it; the others roll attributes, which everybody has."""
_NUMBER = ArgumentSpec("number", "signed", least=0, most=MAX_POINTS)
_TRAIT = ArgumentSpec("trait", "trait", called="the name of a trait")
_NAME = ArgumentSpec("name", "token", sample="NAME", called="a name")


def _number(name: str, sample: str, least: int, most: int) -> ArgumentSpec:
    return option_argument(name, "signed", least=least, most=most, sample=sample)


_OPTIONS = {
    argument.name: argument
    for argument in (
        _number("mod", "+2", -100, 100),
        _number("tn", "6", 1, MAX_TARGET),
        option_argument("wild", "die", ("none",), sample="d6|none"),
        *(
            option_argument(name, words=("yes", "no"), sample="yes")
            for name in ("joker", "free", "raised", "hard", "reflexes", "power", "chip", "critical")
        ),
        *(option_argument(name, "token", sample="NAME") for name in ("kicker", "charm", "healer")),
        *(_number(name, "5", 1, MAX_TRIES) for name in ("tries", "rounds")),
        _number("needs", "5", 1, 100),
        _number("levels", "6", 1, 100),
        _number("steps", "1", 1, 10),
        option_argument("harm", "dice", sample="1d10"),
        *(option_argument(name, "die", sample="d8") for name in ("medicine", "die", "least")),
        _number("bonus", "1", 1, 20),
        option_argument("trait", "trait", sample="shooting"),
        option_argument("card", "card", sample="KH"),
        option_argument("says", "saying", sample="for a deuce"),
        option_argument("skill", "trait", sample="chemistry"),
        option_argument("unit", "word", (*UNITS, *(f"{unit}s" for unit in UNITS)), sample="weeks"),
        option_argument("language", "token", sample="English"),
        option_argument("prerequisite", "trait", sample="analytics"),
        option_argument("related", "trait", sample="voodoo"),
    )
}


def _event(name: str, says: str, *takes: ArgumentSpec | str, luck: str = "", time: bool = False) -> EventSpec:
    """Return an event; options come by name, those of every roll as `roll`, which meets dice and choices."""
    arguments: list[ArgumentSpec] = []
    for one in takes:
        names = one.replace("roll", "mod wild joker kicker").split() if isinstance(one, str) else []
        arguments += [_OPTIONS[option_name] for option_name in names] if isinstance(one, str) else [one]
        luck = luck or ("dice choose" if "kicker" in names else "")
    return event_spec(name, says, *arguments, luck=luck, time=time)


_ALL = "cards dice choose"
_MAYBE = replace(_DIE, optional=True)
_FIXED = ArgumentSpec("die", "die")
_RANGE = ArgumentSpec("cards", "range", sample="CARD", called="a card", many=True)
_WOUNDS = replace(_NUMBER, sample="WOUNDS", optional=True)
_LASTING = ArgumentSpec("lasting", words=("temporary", "permanent"), optional=True)
_NEW = replace(_NAME, kind="new")
_FAVOUR = ArgumentSpec("marker", "die_or_token", sample="DIE", called="a die or a name")
_TASK = ArgumentSpec("kind", words=("serial", "compound", "attempts", "actions"), sample="KIND")
_KIND = ArgumentSpec("kind", words=(*_KINDS, *_KINDS.values()), sample="wild|face|extra")
_TOKEN = ArgumentSpec("token", words=tuple(KINDS_OF_TOKEN))
EVENTS = by_name(
    _event(
        "trait",
        "a trait roll against TN 4; dice: trait die, wild die, the trait die's aces, the wild die's aces",
        _TOSSED,
        "tn roll",
    ),
    _event("unskilled", "coins for a trait that one does not have", "tn mod joker kicker"),
    _event("grant", "after a raise with coins, the skill for good", replace(_TRAIT, sample="SKILL")),
    _event("contested", "the other's die is the target number", _TOSSED, replace(_TOSSED, name="other"), "roll"),
    _event("serial", "again and again until it succeeds", _TOSSED, "tn tries roll"),
    _event("compound", "the same, harder each time, up to the last chance", _TOSSED, "tn roll"),
    _event("attempts", "a dramatic task of so many successes, played out", _TOSSED, "needs tn rounds harm roll"),
    _event("luck", "a luck draw; or a range, Q+ hearts 5-9 red", _RANGE, luck="cards"),
    _event("fate", "a trait roll against the card that is drawn", _TOSSED, "roll", luck=_ALL),
    _event("damage", "damage dice, which ace", ArgumentSpec("dice", "dice"), "critical joker mod", luck="dice"),
    _event("action", "an action card for this round", luck="cards"),
    _event(
        "round",
        "a new round begins, for everybody with all",
        ArgumentSpec("all", words=("all",), optional=True),
        time=True,
    ),
    _event("hour", "the golden hour is over", time=True),
    _event("day", "a day begins; the wounded roll Vigor", _MAYBE, "medicine mod wild kicker", time=True),
    _event("guts", "Spirit, with Grit", _DIE, "tn roll"),
    _event("fear", "Spirit, without Grit", _DIE, "tn roll"),
    _event("recover", "Spirit, to be Shaken no more", _DIE, "reflexes roll"),
    _event("wound", "so many wound levels are taken", _NUMBER),
    _event("wounds", "the current wound level, such as from an earlier session", _NUMBER),
    _event("shaken", "Shaken without a wound, or no more", ArgumentSpec("shaken", words=("yes", "no"), optional=True)),
    _event(
        "soak",
        "a chip, then Vigor: so many wounds about to be taken, or those just taken",
        _DIE,
        _WOUNDS,
        "charm free roll",
    ),
    _event("incapacitation", "Vigor, when all wound levels are gone", _DIE, "hard roll", luck=_ALL),
    _event("wake", "the Marshal lets the unconscious come to"),
    _event("survive", "the bleeding has stopped; the injury stays for good"),
    _event("die", "it is over"),
    _event("injury", "a card of the injury deck", _LASTING, _MAYBE, luck=_ALL),
    _event("lift", "greater healing lifts an injury", ArgumentSpec("injury", "card")),
    _event(
        "heal",
        "first aid, or the power with power=yes; healer=NAME where another treats them",
        _TOSSED,
        "healer chip power tn roll",
    ),
    _event(
        "chips", "the character's Fate Chips", _NUMBER, ArgumentSpec("change", words=("given", "taken"), optional=True)
    ),
    _event("award", "a token of fortune", _TOKEN, _NEW, "die bonus trait card says"),
    _event("hole", "a hole card in place of a skill", replace(_NAME, name="hole"), "tn roll"),
    _event("burn", "a burn card in place of the action card", replace(_NAME, name="burn")),
    _event("marker", "a favour is called in; or the marker's name", _FAVOUR, luck="dice"),
    _event("task", "a serial, compound, attempts or actions task begins", _NEW, _TASK, "tn needs rounds"),
    _event("attempt", "one roll for a task", replace(_NAME, name="task"), _TOSSED, "tn harm roll", luck=_ALL),
    _event("drop", "a task or token is put away", replace(_NAME, name="drop")),
    _event(
        "book",
        "hours of study, less a roll of Smarts",
        replace(_NUMBER, sample="TIME"),
        _DIE,
        "unit language prerequisite least bonus trait skill",
        luck="dice",
    ),
    _event("knowledge", "a field nearby, at a lower die", _DIE, "steps tn roll"),
    _event("learn", "a new skill; related=OLD for a Knowledge near it", replace(_TRAIT, sample="SKILL"), "related"),
    _event("improve", "an advance raises an attribute by a die", _TRAIT),
    _event("spend", "an advance for something of the rulebook, such as an Edge", replace(_NEW, sample="WHAT")),
    _event(
        "spent", "advances spent before; raised=yes where one went for an attribute at this rank", _NUMBER, "raised"
    ),
    _event("xp", "experience points are given", _NUMBER),
    _event("has", "what the character has", _TRAIT, _FIXED),
    _event("is", "what the character is", _KIND, "levels"),
)
_ROLLED = ("roll", "trait_die", "die", "die_or_token")
"""The kinds of arguments that may be a trait die."""


def read_event(
    words: Sequence[str], at: Mapping[str, str], names: Mapping[str, str], dice: Collection[str]
) -> TraitsEvent:
    """Return an event as typed; options stand among the words as `mod=+2`, or come from `--at`. Raises UsageError.

    `names` has the first name of each trait that has others; `dice` are the trait dice that there are.
    """
    for what, written in (*(("a word", word) for word in words), *at.items()):
        if not written.isprintable():
            raise UsageError(f"{ascii(what)[1:-1][:40]} holds a line break or the like: use plain characters")
    values = read_values(EVENTS, words, at, READERS)
    typed: list[str] = []
    about: list[tuple[str, str]] = []
    for argument in EVENTS[words[0]].takes:
        if argument.name not in values:
            continue
        value = values[argument.name]
        for text in value if argument.many else [str(value)]:
            if argument.kind in _ROLLED and _IS_DIE.fullmatch(text) and text not in dice:
                raise UsageError(f'{words[0]}: there is no trait die "{text}": the dice are {", ".join(dice)}')
            if argument.kind in ("roll", "trait_die", "trait"):
                text = names.get(text, text)
            elif argument.name == "unit":
                text = text.removesuffix("s")
            elif argument.name == "kind":
                text = _KINDS.get(text, text)
            typed += [] if argument.option else [text]
            about += [(argument.name, text)] if argument.option else []
    return TraitsEvent(words[0], tuple(typed), tuple(about))


_IS_TRAIT = re.compile(r"[a-z][a-z0-9_'-]{0,39}")
_IS_DIE = re.compile(r"1?d[0-9]{1,3}")


def _trait_die(what: str, written: str) -> str:
    """Return a die, or the name of a trait that the character has. Dice of other shapes are refused here."""
    if written.lower() == COIN:
        raise UsageError(f"{what}: a coin is only for a skill that the character does not have")
    return _rolled(what, written)


def _rolled(what: str, written: str) -> str:
    word = written.lower()
    if _IS_DIE.fullmatch(word):
        return word.removeprefix("1")
    if _is_trait(word) or word == COIN:
        return word
    raise UsageError(f'{what} needs a die such as d8, or the name of a trait, not "{written[:40]}"')


def _is_trait(word: str) -> bool:
    """Tell whether a word may be a trait's name: no die, nor the code of a card that follows an event."""
    return (
        bool(_IS_TRAIT.fullmatch(word)) and word != COIN and not re.match(r"d[0-9]", word) and not is_code(word.upper())
    )


def _die_or_name(what: str, written: str) -> str:
    word = written.lower()
    return word.removeprefix("1") if _IS_DIE.fullmatch(word) else _name(what, written)


def _trait(what: str, written: str) -> str:
    word = written.lower()
    if not _is_trait(word):
        raise UsageError(f'{what}: "{written[:40]}" is not the name of a trait: write one word, such as shooting')
    return word


def _name(what: str, written: str) -> str:
    name = written.strip()
    if not name or len(name) > MAX_NAME_LENGTH or not name.isprintable() or "=" in name:
        raise UsageError(f'{what}: "{written[:40]}" is no name: write 1 to {MAX_NAME_LENGTH} characters')
    return name


def _saying(what: str, written: str) -> str:
    text = written.strip()
    if not text or len(text) > MAX_SAYING_LENGTH or not text.isprintable():
        raise UsageError(f"{what}: write 1 to {MAX_SAYING_LENGTH} plain characters")
    return text


READERS: Readers = {
    "roll": _rolled,
    "trait_die": _trait_die,
    "trait": _trait,
    "die_or_token": _die_or_name,
    "token": _name,
    "new": _name,
    "saying": _saying,
    "range": read_range,
}
