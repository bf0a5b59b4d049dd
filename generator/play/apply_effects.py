"""Effects on a character, one function for each kind: conditions, penalties, rolls on the body, saves.

Cards, rows of tables and conditions have effects. Steps, and checks, are registered by `games/steps/kinds`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol, TypeVar

from msgspec import Struct

from generator.base.dice import Dice
from generator.base.errors import HackjackError
from generator.base.registry import Registrar
from generator.base.sentences import plural
from generator.model import rules
from generator.model.formulas import Result
from generator.model.rules import AnyEffect, System, Until
from generator.play import log as said
from generator.words.effects import effects_telegraph
from generator.words.wording import joined_words, unit_words

NOW = Until("now")
_FOR_GOOD = Until("permanent")

Leads = Iterator["Leads"]
"""Lists of effects, each of which has to be through before whatever leads to it goes on."""


class WoundContext(Struct, frozen=True):
    """The part of the body that is hurt: its id, and the place as a person says it. Both empty where none is."""

    part: str = ""
    place: str = ""


_NOWHERE = WoundContext()


class Beginning(NamedTuple):
    """How a condition begins: as an effect says; by so many levels; with a detail, where one is given; as another was
    that it `renews`, at its place."""

    effect: rules.Suffer
    levels: int = 1
    detail: str | None = None
    renews: Any = None

    @property
    def noted(self) -> str:
        """Return what the condition is noted with."""
        return self.detail if self.detail is not None else self.renews.detail if self.renews is not None else ""


class NewWound(NamedTuple):
    """One lasting effect on a character: which, from which card, and until when.

    `effect` is a condition's name or the kind of effect. `begins` is set while it has not begun yet, `chances` when
    saves may end it.
    """

    card: str
    effect: str
    until: Until
    to: tuple[str, ...] = ()
    by: tuple[int, ...] = ()
    place: str = ""
    begins: str = ""
    chances: tuple[Until, ...] = ()
    beginning: Beginning | None = None


class EffectHost(Protocol):
    """What effects need of the event that they happen in."""

    system: System
    logs: bool
    """True if entries are read; odds read none."""
    suffered: set[str]
    """The conditions that have begun."""

    def steps(self, effects: Sequence[AnyEffect], applier: EffectApplier) -> Leads:
        """Yield what effects lead to, one after the other."""

    def note(self, fact: said.EffectFact, why: str = "", /) -> None:
        """Add an entry."""

    def roll(self, dice: Dice, reason: str) -> int:
        """Roll dice."""

    def duration(self, until: Until, reason: str, *, waits: bool = False) -> Until:
        """Return how long something lasts, with its dice rolled; those that may wait can be rolled later."""

    def peek(self) -> str | None:
        """Return the next card, where it can be seen."""

    def value(self, name: str) -> int:
        """Return a number of the character's that effects look at."""

    def mends(self) -> bool:
        """Return whether a recovery is still to come."""

    def side(self, part: str) -> str:
        """Return which of several such parts it is, where that matters: `left arm`."""

    def grips(self) -> bool:
        """Return whether both hands hold what falls."""

    def begins(self, effect: rules.Suffer) -> Beginning | None:
        """Return how a condition begins, at once or later; None where nothing comes of it."""

    def keep(self, wound: NewWound) -> None:
        """Put a wound into the state."""

    def delay(self, effect: rules.Suffer, after: Until) -> None:
        """Let a condition begin after so long, unless it is treated before."""

    def owe(self, condition: str, hurt: WoundContext) -> None:
        """Let the player owe the save of a condition."""

    def inside(self, event: str, arguments: Mapping[str, Result]) -> Leads:
        """Yield what an event of the author's leads to as a part of this one."""


H = TypeVar("H", bound=EffectHost)
E = TypeVar("E", bound=rules.Effect)
Play = Callable[[H, E, "EffectApplier"], Leads | None]

PLAYS: dict[type[Any], Play[Any, Any]] = {}
"""What an effect or a step does, by its type: None if that is all, otherwise what it leads to."""
plays = Registrar(PLAYS)


class EffectApplier:
    """The card, the cell of a table or the condition whose effects are applied, and what they have hurt so far."""

    def __init__(self, system: System, source: str, hurt: WoundContext = _NOWHERE, lasts: Until = NOW) -> None:
        self.source = source
        card = system.cards.get(source)
        self.card, self.called = (source, card.name) if card else ("", source)
        self.lasts, self.of = lasts, ""
        self.hurt, self.placed = hurt, False

    def takes_place_of(self, inner: EffectApplier) -> None:
        """Hurt from now on what a step `place` has named inside."""
        if inner.placed:
            self.hurt, self.placed = inner.hurt, True

    def apply(self, host: EffectHost, effect: AnyEffect) -> Leads | None:
        """Apply one effect; a step is one of the host's."""
        if isinstance(effect, rules.Step):
            return host.steps((effect,), self)
        return PLAYS[type(effect)](host, effect, self)

    def begin(self, host: EffectHost, effect: rules.Suffer) -> bool:
        """Let a condition begin, without what comes with it, and return whether it has begun."""
        beginning = host.begins(effect)
        if beginning is None:
            return False
        effect = beginning.effect
        if effect.after is not None:
            host.delay(effect, self._rolled(host, effect.after, effect.asks))
            return False
        condition = host.system.head.conditions[effect.condition]
        spans = condition.chances if effect.until.word == "save" else ()
        chances = tuple(self._rolled(host, each, effect.asks) for each in spans)
        # Some conditions are of no one part.
        place = "" if condition.whole else self.hurt.place if beginning.renews is None else beginning.renews.place
        levels = beginning.levels if condition.levels and beginning.levels > 1 else None
        self.write(host, effect, place=place, begins=effect.begins, chances=chances, beginning=beginning, levels=levels)
        return True

    def rolls_for(self, host: EffectHost, faces: Mapping[str, Sequence[AnyEffect]]) -> str:
        """Return the reason for a die: what its faces mean. It is built only if somebody reads it."""
        if not host.logs:
            return ""
        told = (f"{face} {effects_telegraph(effects, host.system)}" for face, effects in faces.items())
        return f"{self.called}: {'; '.join(told)}"

    def write(
        self,
        host: EffectHost,
        effect: rules.Lasting,
        *,
        to: tuple[str, ...] = (),
        by: tuple[int, ...] = (),
        place: str = "",
        begins: str = "now",
        chances: tuple[Until, ...] = (),
        beginning: Beginning | None = None,
        **facts: Any,
    ) -> None:
        """Note an effect, and keep it if it lasts."""
        name, asks, waits = effect.do, None, False
        if isinstance(effect, rules.Suffer):
            name, asks = effect.condition, effect.asks
            waits = host.system.head.conditions[name].waits
        until: Until = getattr(effect, "until", _FOR_GOOD)
        same = until.word == "same"
        if not same:
            self.lasts = self._rolled(host, until, asks, waits=waits)
        # Whoever reads this has survived the hit, so what waits for survival has begun.
        starts = "recovery" if begins == "recovery" and host.mends() else ""
        if host.logs:
            if beginning is not None:
                facts["detail"] = beginning.noted
            facts |= {"of": self.of, "same": same, "chances": list(map(str, chances)), "begins": starts}
            host.note(said.WoundFact(name, str(self.lasts), list(to), list(by), place, self.card, **facts))
        if beginning is not None:
            host.suffered.add(name)
        # What lasts as long as the condition that it came with is a part of that condition.
        if self.lasts.word != "now" and not (self.of and same):
            host.keep(NewWound(self.card, name, self.lasts, to, by, place, starts, chances, beginning))

    def _rolled(self, host: EffectHost, until: Until, asks: str | None = None, *, waits: bool = False) -> Until:
        """Roll the dice of a span of time."""
        if until.formula is None and until.amount is None:
            return until
        return host.duration(until, asks or f"{self.called}: how many {plural(unit_words(until.word))}", waits=waits)


# --- one function for each kind --------------------------------------------------------------------------------------


@plays(rules.Suffer)
def suffer(host: EffectHost, effect: rules.Suffer, applier: EffectApplier) -> Leads | None:
    """Let a condition begin, and what comes with it; or only announce its beginning in some time."""
    if effect.where not in (None, applier.hurt.part) or not applier.begin(host, effect):
        return None
    implies = host.system.head.conditions[effect.condition].implies
    return _implied(host, implies, effect.condition, applier) if implies else None


def _implied(host: EffectHost, effects: Sequence[AnyEffect], condition: str, applier: EffectApplier) -> Leads:
    lasts, of = applier.lasts, applier.of
    for effect in effects:
        applier.lasts, applier.of = lasts, condition
        if leads := applier.apply(host, effect):
            yield leads
    applier.lasts, applier.of = lasts, of


@plays(rules.Penalty, rules.Bonus)
def penalise(host: EffectHost, effect: rules.Penalty, applier: EffectApplier) -> None:
    """Lower statistics, or raise them."""
    if effect.where not in (None, applier.hurt.part):
        return
    amounts = effect.to if effect.each and not effect.by.is_number else ("",)
    times = host.value(effect.per) if effect.per else 1
    rolled = tuple(host.roll(effect.by, _how_much(host, name, effect, applier)) * times for name in amounts)
    applier.write(host, effect, to=effect.to, by=rolled, begins=effect.begins)


def _how_much(host: EffectHost, name: str, effect: rules.Penalty, applier: EffectApplier) -> str:
    """Return the reason for the dice of a penalty; empty without dice."""
    if effect.by.is_number:
        return ""
    statistics = host.system.head.statistics
    names = [statistics[each].name if each in statistics else each for each in ([name] if name else effect.to)]
    return f"{applier.called}: how much {joined_words(names)}"


@plays(rules.Halve)
def halve(host: EffectHost, effect: rules.Halve, applier: EffectApplier) -> None:
    """Halve a statistic."""
    if effect.where in (None, applier.hurt.part):
        applier.write(host, effect, to=(effect.statistic,))


@plays(rules.Risk)
def risk(host: EffectHost, effect: rules.Risk, applier: EffectApplier) -> None:
    """Let attempts of one kind fail from now on, as a die decides."""
    applier.write(host, effect, to=(effect.of,), die=effect.die.spoken, upto=effect.upto)


@plays(rules.Whenever)
def whenever(host: EffectHost, effect: rules.Whenever, applier: EffectApplier) -> None:
    """Let something happen from now on each time an event occurs."""
    applier.write(host, effect, to=effect.penalty.to if effect.penalty else (), event=effect.event)


@plays(rules.Reroll)
def reroll(host: EffectHost, effect: rules.Reroll, applier: EffectApplier) -> None:
    """Let rolls with the highest total be repeated from now on."""
    applier.write(host, effect)


@plays(rules.Locate)
def locate(host: EffectHost, effect: rules.Locate, applier: EffectApplier) -> None:
    """Roll which part of the body is hurt."""
    if applier.hurt.part:
        return
    parts, part = host.system.head.parts, host.system.head.parts[effect.part]
    where = _rolled_place(host, part, applier)
    if where in parts:
        applier.hurt = WoundContext(where, host.side(where))
    elif part.members:
        # A limb is the left arm, and what holds of arms holds of it.
        applier.hurt = WoundContext(host.system.part_at(where), where)
    else:
        applier.hurt = WoundContext(effect.part, f"{where} {part.name}" if part.name not in where else where)
    host.note(said.LocateFact(part.name, applier.hurt.place or where, applier.card))


@plays(rules.Lose)
def lose(host: EffectHost, effect: rules.Lose, applier: EffectApplier) -> None:
    """Take a part of the body away for good."""
    part = host.system.head.parts[effect.part]
    applier.write(host, effect, place=_rolled_place(host, part, applier) or part.name, part=part.name)


def _rolled_place(host: EffectHost, part: rules.Part, applier: EffectApplier) -> str:
    """Return which part of the body it is, and how much of it, as dice decide."""
    where = ""
    if part.die:
        where = part.places[host.roll(part.die, f"{applier.called}: which {part.name}") - 1]
    if part.extent:
        face = host.roll(part.extent.die, f"{applier.called}: how much of it")
        where = f"{where} ({part.extent.steps[face - 1]})"
    return where


@plays(rules.Drop)
def drop(host: EffectHost, effect: rules.Drop, applier: EffectApplier) -> None:
    """Let fall what is held; what both hands hold may stay."""
    if effect.die is not None and effect.upto is not None and host.grips():
        rolled = host.roll(effect.die, f"{applier.called}: held in both hands")
        falls = rolled <= effect.upto
        host.note(said.Grip(effect.die.spoken, rolled, effect.upto, falls))
        if not falls:
            return
    host.note(said.DropFact(effect.what, applier.card))


@plays(rules.OneOf)
def one_of(host: EffectHost, effect: rules.OneOf, applier: EffectApplier) -> Leads:
    """Apply one of several effects, as a die decides."""
    reason = applier.rolls_for(host, {str(face): (each,) for face, each in enumerate(effect.effects, 1)})
    chosen = effect.effects[host.roll(Dice(1, len(effect.effects)), reason) - 1]
    # It may be one of several again, and so on: each only once this one has returned.
    if leads := applier.apply(host, chosen):
        yield leads


@plays(rules.Save)
def save(host: EffectHost, effect: rules.Save, applier: EffectApplier) -> None:
    """Let the player owe a save."""
    if applier.lasts.word == "permanent" or not effect.permanent:
        host.owe(applier.of, applier.hurt)


@plays(rules.Peek)
def peek(host: EffectHost, _: rules.Peek, applier: EffectApplier) -> None:
    """Let the player see the next card."""
    host.note(said.Peek(applier.source, host.peek()), "H22")


@plays(rules.Draw, rules.Repeat, rules.Spare, rules.Again)
def own_event(host: EffectHost, effect: rules.Drawing, _: EffectApplier) -> Leads:
    """Run the event of the author's that plays such an effect. Raises HackjackError where there is none."""
    event = {str(do): name for do, name in host.system.steps.plays.items()}.get(effect.do)
    if event is None:
        raise HackjackError(f"{effect.do} is not an event here: write plays: {{{effect.do}: EVENT}}")
    takes, arguments = host.system.head.events[event].takes, dict[str, Result]()
    for name in effect.__struct_fields__:
        key, value = name if name in takes else f"{effect.do}_{name}", getattr(effect, name)
        arguments |= {key: int(value) if isinstance(value, bool) else value} if key in takes else {}
    return host.inside(event, arguments)
