"""What effects do besides the count: conditions and what comes with them, penalties, rolls on the body, checks, saves.

One reader for every kind of procedure that hurts somebody: cards (H22, H23) and cells of severity tables alike.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from msgspec import Struct

from generator.base.cards import CardName
from generator.base.dice import Dice
from generator.base.errors import HackjackError
from generator.base.sentences import plural
from generator.model import rules
from generator.model.formulas import Formula
from generator.model.rules import AnyEffect, System, Until
from generator.play import log as said
from generator.words.effects import effects_telegraph
from generator.words.wording import joined_words, unit_words

FOR_GOOD = Until("permanent")
_NOW = Until("now")


class BroughtWound(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One lasting effect on a character: which, from which card, and until when.

    `effect` is a condition's name or the kind of effect; an empty one, as a person may type it, stands for all that the
    card leaves for good. `begins` is set while it has not begun yet. `of` names the condition that it came with,
    `chances` when saves may end it.
    """

    card: CardName
    effect: str = ""
    until: Until = FOR_GOOD
    to: tuple[str, ...] = ()
    by: tuple[int, ...] = ()
    place: str = ""
    begins: str | None = None
    of: str = ""
    chances: tuple[Until, ...] = ()


class EffectTable(Protocol):
    """What inflicting needs of the step in the making."""

    system: System

    def note(self, fact: said.EffectFact, why: str = "", /) -> None:
        """Add an entry."""

    def roll(self, dice: Dice, reason: str) -> int:
        """Roll dice."""

    def span(self, dice: Dice, reason: str) -> int:
        """Roll dice for how long something lasts."""

    def peek(self) -> str | None:
        """Return the next card, where it can be seen."""

    def value(self, name: str) -> int:
        """Return a number of the character's that effects look at: the death-score, the hit dice."""

    def mends(self) -> bool:
        """Return whether a recovery is still to come."""

    def side(self, part: str) -> str:
        """Return which of several such parts it is, where that matters: `left arm`."""

    def grips(self) -> bool:
        """Return whether both hands hold what falls."""

    def keep(self, wound: BroughtWound) -> None:
        """Put a wound into the state."""

    def delay(self, condition: str, until: Until) -> None:
        """A condition begins after so long, unless it is treated before."""

    def owe(self, condition: str, hurt: Hurt) -> None:
        """The player has to make the save of a condition."""


class Beginning(NamedTuple):
    """How a condition begins: as an effect says, with a note, at another place than the one that is hurt, and by so
    many levels."""

    effect: rules.Suffer
    detail: str = ""
    place: str | None = None
    levels: int = 1


class Stepping(ABC):
    """A table that plays steps of the author's, too: numbers, look-ups, times, and checks with two branches."""

    @abstractmethod
    def play(self, step: rules.Step | rules.Check, pen: Pen) -> None:
        """Play one, in the hand of a pen."""

    @abstractmethod
    def play_own(self, effect: rules.Drawing) -> None:
        """Play an effect that is an event of the author's."""

    waits = False
    """Whether the dice of the length that comes next may be rolled later."""

    @abstractmethod
    def span_or_wait(self, dice: Dice, reason: str) -> int | None:
        """Roll dice for how long something lasts; None where nobody rolls now."""

    logs = True
    """Whether anybody reads what is noted; odds do not."""

    @abstractmethod
    def begins(self, effect: rules.Suffer) -> Beginning | None:
        """A condition is about to be suffered, at once or later; None where nothing comes of it."""

    @abstractmethod
    def figured_span(self, formula: Formula, reason: str) -> int:
        """Return how many units of time a formula comes to, at least one."""

    @abstractmethod
    def suffers(self, condition: str) -> None:
        """A condition has begun."""


@dataclass(frozen=True, slots=True)
class Hurt:
    """Which part of the body is hurt: its id, and the place as a person says it. Both empty where none is."""

    part: str = ""
    place: str = ""


def passes_check(table: EffectTable, check: rules.Check, source: str) -> bool:
    """Roll a check: whether the die shows more than the number that it is rolled over."""
    over = table.value(str(check.over))
    rolled = table.roll(check.die, f"{source}: over {over}")
    kind = said.CheckPassed if rolled > over else said.CheckFailed
    table.note(kind(source, check.die.spoken, rolled, over))
    return rolled > over


class Pen:
    """Writes down what the effects of one card, or of one cell of a table, do."""

    def __init__(self, table: EffectTable, source: str, hurt: Hurt, lasts: Until = _NOW) -> None:
        self.table, self.source = table, source
        card = table.system.cards.get(source)
        self.card, self.called = (source, card.name) if card else ("", source)
        self.lasts, self.of = lasts, ""
        self.hurt, self.placed = hurt, False
        self._steps = table if isinstance(table, Stepping) else None

    def moved(self, table: EffectTable) -> Pen:
        """Return such a pen in the hand of another table."""
        pen = Pen(table, self.source, self.hurt, self.lasts)
        pen.of, pen.card, pen.called, pen.placed = self.of, self.card, self.called, self.placed
        return pen

    def takes_place_of(self, inner: Pen) -> None:
        """Hurt from now on what a step `place` has named inside."""
        if inner.placed:
            self.hurt, self.placed = inner.hurt, True

    def apply(self, effect: AnyEffect) -> None:
        """One effect."""
        match effect:
            case rules.Suffer():
                if effect.where in (None, self.hurt.part):
                    self._suffer(effect)
            case rules.Penalty():
                if effect.where in (None, self.hurt.part):
                    self._penalty(effect)
            case rules.Check() | rules.Step():
                self._step(effect)
            case rules.Halve():
                if effect.where in (None, self.hurt.part):
                    self._write(effect, to=(effect.statistic,))
            case rules.Locate() | rules.Lose():
                self._locate(effect)
            case rules.Drop():
                self._drop(effect)
            case rules.Risk():
                self._write(effect, to=(effect.of,), die=effect.die.spoken, upto=effect.upto)
            case rules.OneOf():
                asks = self._by_face({str(face): (each,) for face, each in enumerate(effect.effects, 1)})
                self.apply(effect.effects[self.table.roll(Dice(1, len(effect.effects)), asks) - 1])
            case rules.Save():
                if self.lasts.word == "permanent" or not effect.permanent:
                    self.table.owe(self.of, self.hurt)
            case rules.Peek():
                self.table.note(said.Peek(self.source, self.table.peek()), "H22")
            case rules.Whenever():
                to = effect.penalty.to if effect.penalty else ()
                self._write(effect, to=to, event=effect.event)
            case rules.Reroll():
                self._write(effect)
            case rules.Draw() | rules.Repeat() | rules.Spare() | rules.Again():
                # Otherwise settled while cards are drawn, before any wound is applied.
                if self._steps is not None:
                    self._steps.play_own(effect)
            case _:
                raise TypeError(effect.do)

    def _suffer(self, effect: rules.Suffer) -> None:
        """A condition, and what comes with it; or only its beginning in some time."""
        if self.begin(effect):
            lasts, of = self.lasts, self.of
            for implied in self.table.system.head.conditions[effect.condition].implies:
                self.lasts, self.of = lasts, effect.condition
                self.apply(implied)
            self.lasts, self.of = lasts, of

    def begin(self, effect: rules.Suffer) -> bool:
        """A condition, without what comes with it; return whether it has begun. Some are of no one part."""
        beginning = self._steps.begins(effect) if self._steps is not None else Beginning(effect)
        if beginning is None:
            return False
        effect = beginning.effect
        if effect.after is not None:
            self.table.delay(effect.condition, self._rolled(effect.after))
            return False
        condition = self.table.system.head.conditions[effect.condition]
        chances = tuple(map(self._rolled, condition.chances)) if effect.until.word == "save" else ()
        place = "" if condition.whole else self.hurt.place if beginning.place is None else beginning.place
        levels = beginning.levels if condition.levels and beginning.levels > 1 else None
        told: dict[str, Any] = {"detail": beginning.detail, "levels": levels}
        self._write(effect, place=place, begins=effect.begins, chances=chances, **told)
        return True

    def _by_face(self, faces: Mapping[str, Sequence[AnyEffect]]) -> str:
        """Return the reason for a die: what its faces mean. It is built only if somebody reads it."""
        if self._steps is not None and not self._steps.logs:
            return ""
        told = (f"{face} {effects_telegraph(effects, self.table.system)}" for face, effects in faces.items())
        return f"{self.called}: {'; '.join(told)}"

    def _penalty(self, effect: rules.Penalty) -> None:
        amounts = effect.to if effect.each and not effect.by.is_number else ("",)
        times = self.table.value(effect.per) if effect.per else 1
        rolled = tuple(self.table.roll(effect.by, self._how_much(name, effect)) * times for name in amounts)
        self._write(effect, to=effect.to, by=rolled, begins=effect.begins)

    def _how_much(self, name: str, effect: rules.Penalty) -> str:
        """Return the reason for the dice of a penalty; empty without dice."""
        if effect.by.is_number:
            return ""
        known = self.table.system.head.statistics
        names = [known[each].name if each in known else each for each in ([name] if name else effect.to)]
        return f"{self.called}: how much {joined_words(names)}"

    def _locate(self, effect: rules.Locate | rules.Lose) -> None:
        parts = self.table.system.head.parts
        part = parts[effect.part]
        if isinstance(effect, rules.Locate) and self.hurt.part:
            return
        where = ""
        if part.die:
            where = part.places[self.table.roll(part.die, f"{self.called}: which {part.name}") - 1]
        if part.extent:
            face = self.table.roll(part.extent.die, f"{self.called}: how much of it")
            where = f"{where} ({part.extent.steps[face - 1]})"
        if isinstance(effect, rules.Lose):
            self._write(effect, place=where or part.name, part=part.name)
            return
        if where in parts:
            self.hurt = Hurt(where, self.table.side(where))
        elif part.members:
            # A limb is the left arm, and what holds of arms holds of it.
            self.hurt = Hurt(self.table.system.part_at(where), where)
        else:
            self.hurt = Hurt(effect.part, f"{where} {part.name}" if part.name not in where else where)
        self.table.note(said.LocateFact(part.name, self.hurt.place or where, self.card))

    def _drop(self, effect: rules.Drop) -> None:
        """What is held falls; what both hands hold may stay."""
        if effect.die is not None and effect.upto is not None and self.table.grips():
            rolled = self.table.roll(effect.die, f"{self.called}: held in both hands")
            falls = rolled <= effect.upto
            self.table.note(said.Grip(effect.die.spoken, rolled, effect.upto, falls))
            if not falls:
                return
        self.table.note(said.DropFact(effect.what, self.card))

    def chance(self, die: Dice, upto: int, effects: Sequence[AnyEffect]) -> bool:
        """Roll a die on which effects depend, and tell whether they follow."""
        rolled = self.table.roll(die, self._by_face({f"{upto} or less": effects}))
        self.table.note(said.Maybe(die.spoken, rolled, upto, rolled <= upto))
        return rolled <= upto

    def _step(self, effect: rules.Check | rules.Step) -> None:
        if self._steps is not None:
            self._steps.play(effect, self)
        elif isinstance(effect, rules.Step):
            raise HackjackError(f"{effect.do} is a step: only the kind steps plays it")
        elif not passes_check(self.table, effect, self.source):
            for failure in effect.fails:
                self.apply(failure)

    def _write(
        self,
        effect: rules.Lasting,
        *,
        to: tuple[str, ...] = (),
        by: tuple[int, ...] = (),
        place: str = "",
        begins: str = "now",
        chances: tuple[Until, ...] = (),
        **facts: Any,
    ) -> None:
        """Note an effect, and keep it if it lasts."""
        name = effect.condition if isinstance(effect, rules.Suffer) else effect.do
        until: Until = getattr(effect, "until", FOR_GOOD)
        same = until.word == "same"
        if not same:
            self.lasts = self._rolled(until)
        # Whoever reads this has survived the hit, so what waits for survival has begun.
        starts = "recovery" if begins == "recovery" and self.table.mends() else None
        if self._steps is None or self._steps.logs:
            if self._steps is None:
                facts["begins"] = starts
            else:
                facts |= {"of": self.of, "same": same, "chances": list(map(str, chances)), "begins": starts or ""}
            fact = said.WoundFact(name, str(self.lasts), list(to), list(by), place, self.card, **facts)
            self.table.note(fact, "H23" if self._steps is None else "")
        if self._steps is not None and isinstance(effect, rules.Suffer):
            self._steps.suffers(name)
        # What lasts as long as the condition that it came with is a part of that condition.
        if self.lasts.word != "now" and not (self.of and same):
            self.table.keep(BroughtWound(self.card, name, self.lasts, to, by, place, starts, self.of, chances))

    def _rolled(self, until: Until) -> Until:
        """Spans of time are rolled when received."""
        reason = f"{self.called}: how many {plural(unit_words(until.word))}"
        if until.formula is not None and self._steps is not None:
            return Until.span(self._steps.figured_span(until.formula, reason), until.word)
        if until.amount is None:
            return until
        if self._steps is not None and self._steps.waits and not until.amount.is_number:
            rolled = self._steps.span_or_wait(until.amount, reason)
            return until if rolled is None else Until.span(rolled, until.word)
        return Until.span(self.table.span(until.amount, reason), until.word)
