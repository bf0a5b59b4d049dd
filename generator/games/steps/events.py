"""Events of the author's, as they are typed: `hit 7 type=slash`. What they take stands in the content."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from generator.base.dice import Dice, DiceValue
from generator.base.errors import HackjackError, UsageError
from generator.base.late import LateMapping
from generator.games.steps.leads import leads
from generator.games.steps.luck_asked import luck_of
from generator.games.steps.system_views import argument_aims
from generator.model import rules
from generator.model.formulas import Result, evaluate
from generator.model.rules import Happening, Question, System
from generator.play.event_spec import ArgumentSpec, EventSpec, Readers, option_argument, read_values
from generator.play.piles import all_names, find_name, meant_name

Given = int | str


class StepsEvent(Struct, frozen=True):
    """What happens: its name, and what was said of what it takes. The rest is figured when it happens."""

    name: str
    said: tuple[tuple[str, Given], ...] = ()

    def __str__(self) -> str:
        return " ".join((self.name, *(f"{name}={value}" for name, value in self.said)))


class Asking(Struct, frozen=True):
    """A question of the author's: the values that the event takes one after the other, and how many it befalls."""

    name: str
    values: tuple[int, ...]
    people: int


MAX_PEOPLE = 1000
MAX_VALUES = 20


def question_of(name: str, question: Question, system: System) -> EventSpec:
    """Return how a question is typed: `breakdown [--at characters=5] [--at points=2,1]`."""
    takes = system.head.events[question.event].takes[question.each]
    each = option_argument(
        question.each, "number", least=takes.least, most=takes.most, sample="2,1", default=(1,), many=True
    )
    return EventSpec(
        name, question.says, (option_argument("characters", "number", most=MAX_PEOPLE, sample="5", default=1), each)
    )


def read_asking(specs: Mapping[str, EventSpec], words: Sequence[str], at: Mapping[str, str], each: str) -> Asking:
    """Return a question as typed. Raises UsageError."""
    values = read_values(specs, words, at, {})
    if len(values[each]) > MAX_VALUES:
        raise UsageError(f"--at {each}: {len(values[each])} are too many, {MAX_VALUES} at most")
    return Asking(words[0], tuple(values[each]), values["characters"])


class _Said:
    """What formulas may ask before an event: the words that were said, and what the system has."""

    def __init__(self, system: System, takes: Mapping[str, rules.Argument], typed: Mapping[str, str]) -> None:
        self._system = system
        default = {name: each.of[0] for name, each in takes.items() if each.of and str(each.default) == "1"}
        self._values: dict[str, Result] = {**dict.fromkeys(takes), **default, **typed}

    def named(self, name: str) -> Result:
        """Return the argument of that name, or the word itself."""
        return self._values.get(name, name)

    def call(self, function: str, name: str, which: str = "", detail: str | None = None) -> Result:
        """Return the values known before anything happens. Raises HackjackError for the rest."""
        del which, detail
        match function:
            case "setting":
                return self._system.setting(name)
            case "known":
                return int(self.named(name) is not None)
            case "column":
                aim = argument_aims(self._system).get(name, {}).get(str(self.named(name)))
                return (aim.column if aim else None) or "none"
        raise HackjackError(f"{function} is known only when it happens")

    def rolled(self, dice: Dice, value: DiceValue = "sum") -> int:
        """Nothing is rolled yet. Raises HackjackError."""
        del value
        raise HackjackError(f"{dice} is rolled only when it happens")


def _possible(
    takes: Mapping[str, rules.Argument], name: str, system: System, typed: Mapping[str, str]
) -> tuple[str, ...]:
    """Return the words that an argument may be after what was said. Raises HackjackError where only the event knows."""
    argument, scope = takes[name], _Said(system, takes, typed)
    if argument.when is not None and not evaluate(argument.when, scope):
        return ()
    return next((fewer.of for fewer in argument.fewer if evaluate(fewer.when, scope)), argument.of)


def _depending(takes: Mapping[str, rules.Argument], name: str, system: System) -> Mapping[str, Any]:
    """How the words of an argument depend on those before it; empty where they do not, or nobody can say before."""
    formulas = [fewer.when for fewer in takes[name].fewer]
    if when := takes[name].when:
        formulas.append(when)
    names = {str(node.about) for formula in formulas for node in formula.walk()}
    earlier = [*takes][: [*takes].index(name)]
    depends = tuple(key for key in reversed(earlier) if key in names and takes[key].of)
    if not depends or not takes[name].of:
        return {}
    try:
        by = {f"{key}={word}": _possible(takes, name, system, {key: word}) for key in depends for word in takes[key].of}
        return {"depends": depends, "by": {**by, "": _possible(takes, name, system, {})}}
    except HackjackError:
        return {}


def spec_of(name: str, happening: Happening, system: System) -> EventSpec:
    """How an event is typed: what must be said, and a number that comes first, in its place; the rest by its name."""
    first = next(iter(happening.takes), "")
    takes = [
        _argument(key, takes, first=key == first, **_depending(happening.takes, key, system))
        for key, takes in happening.takes.items()
    ]
    time = passes_time(name, system)
    return EventSpec(name, happening.says, tuple(takes), luck_of(name, system), time=time, dead=happening.dead)


def passes_time(name: str, system: System, calling: tuple[str, ...] = ()) -> bool:
    """Whether an event is the passing of time: that is its first step, or that of the event which it calls first.

    Helpers that are called before, such as for what ends with time, are passed over.
    """
    happening = system.head.events.get(name)
    for step in happening.do_ if happening and name not in calling else ():
        if "clock" in step.changes:
            return True
        called = next((event for kind, event in leads(step, system) if kind == "event"), "")
        if passes_time(called, system, (*calling, name)):
            return True
        if called not in system.head.events or not system.head.events[called].helper:
            return False
    return False


def _argument(name: str, takes: rules.Argument, *, first: bool, **depending: Any) -> ArgumentSpec:
    needed = takes.default is None and not takes.optional
    if takes.flag:
        return ArgumentSpec(name, "word", (name,), optional=True)
    kind = "word" if takes.of else "name" if takes.name else "number"
    kind = "card" if takes.card else "die" if takes.die else kind
    apart = not needed and not (first and kind in ("number", "card", "die"))
    return ArgumentSpec(
        name,
        kind,
        takes.of,
        takes.least,
        takes.most,
        sample=takes.sample or _sample(name, kind, takes, apart=apart),
        called=takes.says or {"name": "a name", "number": "a number", "card": "a card", "die": "a die"}.get(kind, ""),
        optional=not needed,
        option=apart,
        **depending,
    )


def _sample(name: str, kind: str, takes: rules.Argument, *, apart: bool) -> str:
    """Return what stands for an argument in the help: N, CARD, DIE, or of two words the one that is no default."""
    if takes.of:
        default = takes.default.plain if takes.default else None
        return takes.of[2 - default] if apart and len(takes.of) == 2 and isinstance(default, int) else ""
    if kind == "number":
        return str(max(takes.least, 1)) if apart else "N"
    return kind.upper() if kind in ("card", "die") else name.upper().replace("_", "-")


def events_of(system: System) -> Mapping[str, EventSpec]:
    """Return every event of the content that does not happen only as part of others, by its name."""
    events = system.head.events
    names = (name for name, event in events.items() if not event.helper)
    return LateMapping(names, lambda name: spec_of(name, events[name], system))


def read_event(
    specs: Mapping[str, EventSpec], words: Sequence[str], at: Mapping[str, str], readers: Readers
) -> StepsEvent:
    """Return an event as typed: `hit 9` with `{"type": "fire"}`. Raises UsageError."""
    values = read_values(specs, words, at, readers)
    return StepsEvent(words[0], tuple(values.items()))


def readers_of(system: System) -> Readers:
    """Return how cards of the system's decks are read."""

    def card(what: str, text: str) -> str:
        name = find_name(text, all_names(system))
        if name is None:
            raise UsageError(f'{what}: "{text[:40]}" is not a card of one deck{meant_name(text, system)}')
        return name

    return {"card": card}
