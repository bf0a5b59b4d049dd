"""What a wound does besides the count: conditions, penalties, rolls on the body, checks (H22, H23)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, Protocol, assert_never

from msgspec import Struct

from generator.dice import Dice
from generator.engine.counting import Trigger, counts
from generator.rules import (
    AnyEffect,
    Card,
    Check,
    Draw,
    Drop,
    Halve,
    Locate,
    Lose,
    Part,
    Peek,
    Penalty,
    Repeat,
    Reroll,
    Spare,
    Suffer,
    System,
    Until,
    Whenever,
)


class Wound(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One lasting effect on a character: which, from which card, and until when.

    `effect` is a condition's name or the kind of effect; an empty one, as a person may type it, stands for all that the
    card leaves for good. `begins` is set while it has not begun yet.
    """

    card: str
    effect: str = ""
    until: str = "permanent"
    to: tuple[str, ...] = ()
    by: tuple[int, ...] = ()
    place: str = ""
    begins: str | None = None


class Table(Protocol):
    """What inflicting needs of the step in the making."""

    system: System
    state: Any

    def note(self, kind: str, why: str = "", **facts: Any) -> None:
        """Add an entry."""

    def change(self, **values: Any) -> None:
        """Change the state."""

    def roll(self, dice: Dice, reason: str) -> int:
        """Roll dice."""

    def peek(self) -> str | None:
        """The next card, where it can be seen."""


def triggers_of(wounds: Iterable[Wound], system: System) -> Iterator[Trigger]:
    """The triggers that a character's wounds keep in force: one for each, in the order of the card."""
    seen: Counter[tuple[str, str]] = Counter()
    for wound in wounds:
        if wound.effect not in ("", "whenever"):
            continue
        all_of_it = [effect for effect in system.cards[wound.card].effects if isinstance(effect, Whenever)]
        if wound.effect == "whenever":
            alike = [effect for effect in all_of_it if str(effect.until) == wound.until] or all_of_it
            place = seen[wound.card, wound.until] % len(alike) if alike else 0
            seen[wound.card, wound.until] += 1
            all_of_it = alike[place : place + 1]
        for effect in all_of_it:
            if counts(effect):
                yield Trigger(effect.event, effect.score or 0, effect.blood or 0)


def inflict(table: Table, card: Card) -> None:
    """Apply what a card does besides the count, in order, to a character who lives."""
    pen = _Pen(table, card)
    for effect in card.effects:
        pen.apply(effect)


class _Pen:
    """Writes one card's wounds down."""

    def __init__(self, table: Table, card: Card) -> None:
        self.table, self.card = table, card
        self._lasts = "now"
        self._place = ""

    def apply(self, effect: AnyEffect) -> None:
        """One effect."""
        match effect:
            case Suffer():
                self._write(effect.condition, effect.until, place=self._place, begins=effect.begins)
            case Penalty():
                self._penalty(effect)
            case Halve():
                self._write("halve", effect.until, to=(effect.statistic,))
            case Locate() | Lose():
                self._locate(self.table.system.head.parts[effect.part], lost=isinstance(effect, Lose))
            case Drop():
                self.table.note("drop", "", card=self.card.code, what=effect.what)
            case Check():
                self._check(effect)
            case Peek():
                self.table.note("peek", "H22", card=self.card.code, next=self.table.peek())
            case Whenever():
                to = effect.penalty.to if effect.penalty else ()
                self._write("whenever", effect.until, to=to, event=effect.event)
            case Reroll():
                self._write("reroll", effect.until)
            case Draw() | Repeat() | Spare():
                return
            case _:
                assert_never(effect)

    def _penalty(self, effect: Penalty) -> None:
        amounts = effect.to if effect.each and not effect.by.is_number else ("",)
        rolled = tuple(self.table.roll(effect.by, f"{self.card.code}: penalty {name}".strip()) for name in amounts)
        self._write("penalty", effect.until, to=effect.to, by=rolled, begins=effect.begins)

    def _locate(self, part: Part, *, lost: bool) -> None:
        where = ""
        if part.die:
            where = part.places[self.table.roll(part.die, f"{self.card.code}: which {part.name}") - 1]
        if part.extent:
            face = self.table.roll(part.extent.die, f"{self.card.code}: how much of it")
            where = f"{where} ({part.extent.steps[face - 1]})"
        if lost:
            self._write("lose", Until("permanent"), place=where or part.name, part=part.name)
        else:
            self._place = f"{where} {part.name}" if part.name not in where else where
            self.table.note("locate", "", card=self.card.code, part=part.name, place=self._place)

    def _check(self, effect: Check) -> None:
        over = self.table.state.score
        rolled = self.table.roll(effect.die, f"{self.card.code}: over {over}")
        passed = rolled > over
        kind = "check_passed" if passed else "check_failed"
        self.table.note(kind, "", card=self.card.code, die=effect.die.spoken, rolled=rolled, over=over)
        if not passed:
            for failure in effect.fail:
                self.apply(failure)

    def _write(
        self,
        name: str,
        until: Until,
        *,
        to: tuple[str, ...] = (),
        by: tuple[int, ...] = (),
        place: str = "",
        begins: str = "now",
        **facts: Any,
    ) -> None:
        """Note an effect, and keep it if it lasts."""
        lasts = self._lasting(until)
        # Whoever reads this has survived the hit, so what waits for survival has begun.
        starts = "recovery" if begins == "recovery" and self.table.state.trauma else None
        wound = Wound(self.card.code, name, lasts, to, by, place, starts)
        self.table.note("wound", "H23", **{**_facts(wound), **facts})
        if lasts == "permanent":
            self.table.change(permanent=(*self.table.state.permanent, wound))
        elif lasts != "now":
            self.table.change(wounds=(*self.table.state.wounds, wound))

    def _lasting(self, until: Until) -> str:
        """Spans of time are rolled when received; `same` is what the effect before it got."""
        if until.word != "same":
            self._lasts = str(until)
            if until.amount is not None:
                amount = self.table.roll(until.amount, f"{self.card.code}: {until.word}s")
                self._lasts = str(Until(until.word, Dice(0, 0, amount)))
        return self._lasts


def _facts(wound: Wound) -> dict[str, Any]:
    return {
        "card": wound.card,
        "effect": wound.effect,
        "until": wound.until,
        "to": list(wound.to),
        "by": list(wound.by),
        "place": wound.place,
        "begins": wound.begins,
    }
