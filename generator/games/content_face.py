"""The face of a game towards content: what a kind of procedure may say, and what is wrong with what it says.

It loads neither engine nor odds, since every command checks the content that it opens. A game fills it in with the
class that its module `checks` calls CONTENT.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from enum import Enum
from importlib import import_module
from types import ModuleType
from typing import Any

from generator.base.dice import Dice
from generator.base.errors import did_you_mean
from generator.model.log import kind_of
from generator.model.rules import Effect, System
from generator.pack.strict_yaml import Trail, WrongKey

Fault = tuple[Trail, str]

_OWN_WORDS = {"condition": "conditions", "part": "parts", "statistic": "statistics", "track": "tracks"}
"""Words that an author may add, and the key of `system.yaml` that they are written under."""


def known(name: str, choices: Iterable[Any], noun: str, trail: Trail) -> Iterator[Fault]:
    """A name must be one of those that there are."""
    choices = choices if isinstance(choices, Collection) else list(choices)
    if name not in choices:
        hint = did_you_mean(name, choices) if choices else ": there is none yet, so write it first"
        if noun in _OWN_WORDS and (not hint or not choices):
            first = "to add one of your own" if choices else "there is none yet"
            hint = f': {first}, write it under "{_OWN_WORDS[noun]}" in system.yaml'
        yield (*trail[:-1], WrongKey(name)) if trail[-1:] == (name,) else trail, f'unknown {noun} "{name}"{hint}'


def one_die(die: Dice, trail: Trail) -> Iterator[Fault]:
    """Where a single die is wanted."""
    if die.count != 1 or die.plus:
        yield trail, f"{die} is not a single die: write d4, d20 or the like"


def threshold(die: Dice, upto: int, trail: Trail, key: str = "die") -> Iterator[Fault]:
    """A die that has to show a number or less: it can show more, too."""
    yield from one_die(die, (*trail, key))
    if die.count == 1 and upto >= die.faces:
        yield trail, f"{die.spoken} always shows {upto} or less: it decides nothing"


class Content:
    """The content of one system, as a kind of procedure sees it."""

    CHARTS: tuple[str, ...] = ()
    """The charts that a block may show."""

    ONE_DIE: bool = False
    """Whether every die of the procedure is a single one."""

    MAX_FACES: int = 100
    """The most faces that a die of the procedure may have."""

    MAX_NUMBER: int | None = None
    """The largest number of a procedure whose odds are counted step by step."""

    CARD_SETS: tuple[str, ...] = ()
    """The names of the game's `card_sets`."""

    PAGES: tuple[str, ...] = ()
    """The names of the game's `pages`."""

    def __init__(self, system: System) -> None:
        self.system = system

    def table_events(self) -> tuple[str, ...]:
        """Return the names of the events that `resolve` and a session take."""
        return tuple(import_module(f"{type(self).__module__.rpartition('.')[0]}.events").EVENTS)

    PAGE_NAMES: tuple[str, ...] = ()
    """What formulas of `page.yaml` may ask of somebody or of a shared table, by name."""

    def page_names(self) -> Collection[str]:
        """Return the same, with those that the content itself names."""
        return self.PAGE_NAMES

    def names(self) -> Mapping[str, Collection[str]]:
        """Return what fields may name that only this kind of procedure has, by the noun on their types."""
        return {}

    def told_facts(self) -> Mapping[str, Collection[str]]:
        """Return the kinds of entries that a log may have, as JSON calls them, each with its fields."""
        game = f"{type(self).__module__.rpartition('.')[0]}.log"
        return facts_of(import_module("generator.play.log")) | facts_of(import_module(game))

    def card_fields(self) -> Collection[str]:
        """Return the fields of cards with codes of their own that count: score, blood, trauma."""
        return ()

    def riddles(self) -> Iterator[tuple[str, Trail, str]]:
        """Yield the file, the place and a sentence for what prints, but not as a person would say it."""
        yield from ()

    def head_faults(self) -> Iterator[Fault]:
        """Yield faults of `system.yaml`."""
        yield from ()

    def table_faults(self) -> Iterator[Fault]:
        """Yield faults of `tables.yaml` as a whole."""
        yield from ()

    def file_faults(self, file: str) -> Iterator[Fault]:
        """Yield faults that any file may have as a whole."""
        yield from ()

    def list_faults(self, effects: tuple[Effect, ...], trail: Trail) -> Iterator[Fault]:
        """Yield what is wrong with effects that stand one after the other."""
        yield from ()

    def effect_faults(self, effect: Effect, trail: Trail, *, implied: bool) -> Iterator[Fault]:
        """Yield what this kind of procedure cannot do; `implied`: the effect stands in a condition."""
        yield from ()

    def combatant_faults(self) -> Iterator[Fault]:
        """Yield faults of `combatants.yaml`."""
        yield (), f"the procedure of {self.system.head.id} knows no combatants: take the file out"

    def token_faults(self) -> Iterator[Fault]:
        """Yield faults of `tokens.yaml`."""
        if self.system.tokens:
            yield ("tokens", 0), f"{self.system.head.id} hands no tokens out: take this file away"


def facts_of(module: ModuleType) -> dict[str, Collection[str]]:
    """Return the kinds of facts that a game's `log` defines, each with its fields as JSON calls them."""
    kinds: dict[str, Collection[str]] = {}
    for fact in vars(module).values():
        if isinstance(fact, type) and issubclass(fact, tuple) and hasattr(fact, "_fields"):
            kinds[kind_of(fact)] = [name.rstrip("_") for name in fact._fields]
        elif isinstance(fact, type) and issubclass(fact, Enum):
            kinds |= {member.name.lower(): () for member in fact}
    return kinds
