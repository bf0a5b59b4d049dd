"""What happened, as data: the engine writes entries, each game's `lines` says them.

A fact is a named tuple: its type says what happened, its fields what is known of it; or, where nothing is, a member of
an enumeration, which holds the sentence. The facts that a game knows are a closed union in its `log.py`; those of
effects stand in `play/log.py`.
"""

import re
from enum import Enum
from functools import cache
from typing import Any, Generic, NamedTuple, TypeVar

from msgspec import Struct

Fact = TypeVar("Fact", bound=tuple[Any, ...] | Enum, covariant=True)


@cache
def kind_of(fact: type[Any]) -> str:
    """Return what JSON calls a type of fact: `dealer_hits` for `DealerHits`, `wound` for `WoundFact`."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", fact.__name__.removesuffix("Fact")).lower()


class Told(NamedTuple):
    """Something that content tells in words of its own: what it is called in JSON, the sentence, and its fields.

    `usual` is the fact that it tells, which says it where no sentence is given.
    """

    kind: str
    text: str
    facts: dict[str, Any]
    usual: Any = None


class Entry(Struct, Generic[Fact], frozen=True):
    """One thing that happened, and the ruling that it follows (`H7`, may be empty)."""

    fact: Fact
    why: str = ""

    @property
    def kind(self) -> str:
        """What it is called in JSON: `dealer_hits` for a `DealerHits`, "at_zero" for "AT_ZERO"."""
        if isinstance(self.fact, Told):
            return self.fact.kind
        if isinstance(self.fact, Enum):
            return self.fact.name.lower()
        return kind_of(type(self.fact))

    @property
    def facts(self) -> dict[str, Any]:
        """Its fields for JSON; one that has a default is left out where it holds that, and `from_` is `from`."""
        if isinstance(self.fact, Told):
            return self.fact.facts
        if isinstance(self.fact, Enum):
            return {}
        fact: Any = self.fact
        unsaid = fact._field_defaults
        fields = {name: value for name, value in fact._asdict().items() if name not in unsaid or value != unsaid[name]}
        return {name.rstrip("_"): value for name, value in fields.items()}


Log = tuple[Entry[Any], ...]
