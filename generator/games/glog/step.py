"""One step under severity tables in the making: the state so far, its log, the luck that is asked, what effects do."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from msgspec.structs import replace

from generator.base.dice import Dice
from generator.base.errors import HackjackError
from generator.games.glog import log as said
from generator.games.glog.events import has_sides
from generator.games.glog.state import LONG, SHORT, Coming, Injury, Lost, Owed, Passing, State
from generator.model.log import Entry
from generator.model.procedures import Injuries
from generator.model.rules import System, Until
from generator.play import log as effect_log
from generator.play.apply_effects import Hurt, Wound
from generator.play.chance import Chance, RollNeed


@dataclass
class Bench:
    """One step in the making: the state so far, its log, and the luck that is asked."""

    system: System
    state: State
    chance: Chance
    timeless: bool = False
    log: list[Entry[said.GlogFact]] = field(default_factory=list)
    sided: str = ""
    both_hands: bool = False
    going_mad: bool = False
    detail: str = ""

    @property
    def rules(self) -> Injuries:
        """The procedure's numbers."""
        return self.system.injuries

    def note(self, fact: said.GlogFact, why: str = "", /) -> None:
        """Add an entry; whoever is slain is dead."""
        self.log.append(Entry(fact, why))
        if isinstance(fact, effect_log.Wound) and fact.effect == self.rules.slain:
            self.die()
        if isinstance(fact, effect_log.Locate) and self.going_mad:
            self.detail = fact.place

    def change(self, **values: Any) -> None:
        """Change the state."""
        self.state = replace(self.state, **values)

    def die(self) -> None:
        """Nothing comes any more for whoever is dead."""
        self.change(dead=True, dying=False, rounds_dying=0, coming=(), saves=(), breakdown=None)

    def roll(self, dice: Dice, reason: str) -> int:
        """Roll dice; a plain number needs no luck."""
        if dice.is_number:
            return dice.plus
        return sum(self.chance.roll(RollNeed(dice, reason))) + dice.plus

    def span(self, dice: Dice, reason: str) -> int:
        """How long something lasts."""
        return dice.least if self.timeless else self.roll(dice, reason)

    def peek(self) -> str | None:
        """There are no cards."""
        return None

    def value(self, name: str) -> int:
        """The hit dice. Raises HackjackError for a number that nobody keeps."""
        if name != "hd":
            raise HackjackError(f"{self.system.head.id} keeps no number {name} for a character")
        return self.state.hd

    def mends(self) -> bool:
        """Nothing waits for a recovery."""
        return False

    def side(self, part: str) -> str:
        """Left or right where the ruling asks for it, or where it was said (G2)."""
        found = self.system.head.parts[part]
        asked = self.system.setting("sides") == "on" or self.going_mad
        if asked and not self.sided and found.die and has_sides(self.system, part):
            return f"{found.places[self.roll(found.die, f'which {found.name}') - 1]} {found.name}"
        return self.spoken(part)

    def spoken(self, part: str) -> str:
        """A part as it was said: `left arm` where a side was named, otherwise `arm`."""
        side = self.sided if has_sides(self.system, part) else ""
        return f"{side} {self.system.head.parts[part].name}".strip()

    def grips(self) -> bool:
        """Whether both hands hold what falls."""
        return self.both_hands

    def keep(self, wound: Wound) -> None:
        """A condition becomes an injury or passes, points are lost for good."""
        if self.going_mad:
            self._detail(wound)
        elif wound.effect == self.rules.dying:
            self.change(dying=True, rounds_dying=self.state.rounds_dying if self.state.dying else 0)
        elif wound.effect in self.system.head.conditions:
            self._suffer(wound)
        elif wound.effect == "penalty" and wound.until.word == "permanent":
            lost = tuple(Lost(name, wound.by[0]) for name in wound.to)
            self.change(lost=(*self.state.lost, *lost))
        else:
            raise HackjackError(f"{wound.effect} for {wound.until} belongs into a condition: nothing keeps it here")

    def _detail(self, wound: Wound) -> None:
        """What a madness is about."""
        condition = self.system.head.conditions.get(wound.effect)
        if condition:
            self.detail = condition.brief or condition.says

    def _suffer(self, wound: Wound) -> None:
        until, amount = wound.until, amount_of(wound.until)
        if until.word in LONG:
            self._injure(Injury(wound.effect, LONG[until.word] * amount, wound.place))
        elif until.word == "permanent":
            self._injure(Injury(wound.effect, 0, wound.place, permanent=True))
        elif until.word == "save":
            self._risk(wound)
        else:
            others = [passing for passing in self.state.conditions if passing.condition != wound.effect]
            alike = [passing for passing in self.state.conditions if passing.condition == wound.effect]
            longest = max([*alike, Passing(wound.effect, wound.until)], key=_length)
            self.change(conditions=(*others, longest))

    def _injure(self, injury: Injury) -> None:
        self.change(injuries=(*self.state.injuries, injury))

    def _risk(self, wound: Wound) -> None:
        """Later saves may end it; of the same condition, the chances of the latest blow count (G15)."""
        if any(injury.condition == wound.effect and injury.permanent for injury in self.state.injuries):
            return
        chances = tuple(LONG[span.word] * amount_of(span) for span in wound.chances)
        self.cure(wound.effect)
        self._injure(Injury(wound.effect, 0, wound.place, chances=tuple(sorted(chances))))

    def delay(self, condition: str, until: Until) -> None:
        """Dying begins after so many rounds, unless it is treated before (G6). Raises HackjackError for others."""
        if condition != self.rules.dying:
            raise HackjackError(f"{condition} cannot begin later: only {self.rules.dying} can")
        self.note(said.Later(condition, str(until)), "G6")
        self.change(coming=(*self.state.coming, Coming(condition, until)))

    def cure(self, condition: str) -> None:
        """A condition ends, and the saves that are owed for its chances with it."""
        self.change(
            injuries=tuple(injury for injury in self.state.injuries if injury.condition != condition),
            conditions=tuple(passing for passing in self.state.conditions if passing.condition != condition),
            saves=tuple(owed for owed in self.state.saves if not (owed.chance and owed.of == condition)),
        )

    def owe(self, condition: str, hurt: Hurt) -> None:
        """The player has to make a save."""
        self.note(said.Owed(condition, hurt.place), "G15")
        self.change(saves=(*self.state.saves, Owed(condition, hurt.part, hurt.place)))


def amount_of(until: Until) -> int:
    """How many rounds, days ... a span that has been rolled holds; 0 where it is none."""
    return until.amount.plus if until.amount else 0


def _length(passing: Passing) -> tuple[int, int]:
    """For comparing how long two conditions last; what has no span lasts longest."""
    until = passing.until
    return (len(SHORT), 0) if until.amount is None else (SHORT.index(until.word), until.amount.plus)
