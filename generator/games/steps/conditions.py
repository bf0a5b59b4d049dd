"""Conditions of a character: those held, those still to come, saves that are owed, and what is lost for good."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from copy import copy

from msgspec.structs import replace

from generator.games.steps.shape import living_alone, state_key_of
from generator.games.steps.state import LONG, HeldCondition, Owed, StepsState, save_of
from generator.games.steps.system_views import condition_types, implied_conditions, state_keys
from generator.model import rules
from generator.play.piles import card_of


class Conditions:
    """The conditions of one character, while an event happens."""

    def __init__(self, system: rules.System, state: StepsState) -> None:
        self.system, self._keys = system, state_keys(system)
        self.held, self.coming = list(state.conditions), list(state.coming)
        self.lost, self.saves = list(state.lost), list(state.saves)
        self.running: dict[int, HeldCondition] = {}
        """Those that were held when the unit of time began that passes now, by their ids."""

    def copy(self) -> Conditions:
        """Return the same conditions, to be changed apart."""
        twin = copy(self)
        twin.held, twin.coming, twin.lost, twin.saves = [*self.held], [*self.coming], [*self.lost], [*self.saves]
        twin.running = {**self.running}
        return twin

    def of(
        self, name: str, *, inside: bool = False, place: str | None = None, detail: str | None = None
    ) -> Iterator[HeldCondition]:
        """Yield those of a name or group; with `inside`, those too that bring it as long as they last.

        With a place, only those there; with a detail, only those that are noted with it.
        """
        conditions, by_card = condition_types(self.system), self.system.steps.by_card
        for held in self.held:
            if (place is not None and not place == held.place != "") or not is_noted(held, detail):
                continue
            if (
                held.condition == name
                or conditions[held.condition].group == name
                or (name == "long" and held.word in LONG)
                or (by_card and held.until == name)
                or (self._keys and state_key_of(held.condition, held.word, self.system) == name)
                or (inside and name in implied_conditions(self.system).get(held.condition, ()))
            ):
                yield held

    def holds(self, held: HeldCondition) -> bool:
        """Return whether this very one is still held."""
        return any(each is held for each in self.held)

    def certain(self, name: str, place: str | None) -> int:
        """Return how many saves are owed that bring such a condition whichever way they go: it counts before."""
        saves = (each for each in self.saves if place is None or each.place == place)
        return sum(is_certain(each, name, self.system) for each in saves)

    def waiting_for(self, event: str) -> Iterator[tuple[str, rules.Whenever]]:
        """Yield what is held that follows each time something happens, with its card, in the order of that card."""
        seen: Counter[tuple[str, str]] = Counter()
        for condition_held in self.held:
            named = card_of(condition_held.card, self.system) if condition_held.condition == "whenever" else None
            every = [effect for effect in named[1].effects if isinstance(effect, rules.Whenever)] if named else []
            alike = [effect for effect in every if str(effect.until) == condition_held.until] or every
            if alike:
                effect = alike[seen[condition_held.card, condition_held.until] % len(alike)]
                seen[condition_held.card, condition_held.until] += 1
                if effect.event == event:
                    yield condition_held.card, effect

    def lowered(self, statistic: str, value: Callable[[str], int], detail: str | None = None) -> int:
        """Return by how much conditions and losses lower a statistic; with a detail, what was noted with it alone."""
        lost = sum(lost.by for lost in self.lost if lost.statistic == statistic and detail is None)
        return lost + sum(self.lowers(each, statistic, value) for each in self.held if is_noted(each, detail))

    def lowers(self, held: HeldCondition, statistic: str, value: Callable[[str], int]) -> int:
        """Return what a condition takes off a statistic for as long as it lasts, with what it brings for as long."""
        amount, statistics = 0, self.system.head.statistics
        if held.by and not held.begins:
            each = held.by if len(held.by) > 1 else held.by * len(held.to)
            off = (by for to, by in zip(held.to, each, strict=False) if statistic in (to, *statistics[to].stands_for))
            amount += -sum(off) if held.condition == "bonus" else sum(off)
        for effect in condition_types(self.system)[held.condition].implies:
            if isinstance(effect, rules.Suffer) and effect.until.word == "same":
                amount += self.lowers(HeldCondition(effect.condition, place=held.place), statistic, value)
            elif (
                isinstance(effect, rules.Penalty)
                and effect.until.word == "same"
                and (effect.where is None or effect.where == self.system.part_at(held.place))
                and any(statistic == to or statistic in statistics[to].stands_for for to in effect.to)
            ):
                times = held.level if effect.per == "level" else value(effect.per) if effect.per else 1
                amount -= effect.sign * effect.by.least * times
        return amount

    def add(self, new: HeldCondition, levels: int, detail: str | None) -> None:
        """Add a condition to those held, or to one that it adds up with; a detail tells those apart that do."""
        condition = condition_types(self.system)[new.condition]
        alike = [held for held in self.held if held.condition == new.condition and is_noted(held, detail)]
        if condition.again == "here":
            alike = [held for held in alike if held.place == new.place]
        match usual_repeat(condition, new) if alike else "apart":
            case "apart":
                self.held.append(new)
            case "level" | "here":
                last = alike[-1]
                longest = max((last, new), key=self._length)
                self.swap(last, replace(longest, level=min(last.level + levels, condition.levels or 1)))
            case "latest":
                # What has become permanent stays so.
                if not any(held.until == "permanent" for held in alike):
                    self.held = [*(held for held in self.held if held not in alike), new]
            case "longest":
                longest = max([new, *alike], key=self._length)
                self.held = [*(held for held in self.held if held not in alike), longest]

    def _length(self, held: HeldCondition) -> tuple[int, int]:
        """Return how long a condition lasts, for comparing; what has no span lasts longest."""
        units = self.system.units
        return (units.index(held.word), held.left) if held.left else (len(units), 0)

    def swap(self, old: HeldCondition, new: HeldCondition | None) -> None:
        """Replace one condition by another, or by none."""
        # One that is gone has been ended by what others led to.
        place = next((index for index, held in enumerate(self.held) if held is old), len(self.held))
        self.held[place : place + 1] = [] if new is None or place == len(self.held) else [new]
        if new is not None and id(old) in self.running:
            self.running[id(new)] = new

    def clear_dead(self) -> None:
        """Drop what only the living have."""
        self.coming, self.saves = [], []
        over, _ = living_alone(self.system)
        self.held = [
            condition_held
            for condition_held in self.held
            if state_key_of(condition_held.condition, condition_held.word, self.system) not in over
        ]


def is_noted(held: HeldCondition, detail: str | None) -> bool:
    """Return whether a condition is noted with that detail, in either case; None asks for none."""
    return detail is None or detail.casefold() in (
        held.detail.casefold(),
        held.card.casefold() or held.detail.casefold(),
    )


def usual_repeat(condition: rules.Condition, held: HeldCondition) -> str:
    """Return the effect of a second one, as the content says; else levels add up, and days stand side by side."""
    if condition.again:
        return condition.again
    if held.card:
        return "apart"
    if condition.levels:
        return "level"
    if held.word == "save":
        return "latest"
    return "apart" if held.word in LONG else "longest"


def is_certain(owed: Owed, name: str, system: rules.System) -> bool:
    """Return whether a save that is owed brings such a condition whichever way it goes."""
    save = None if owed.chance else save_of(system.head.conditions[owed.of])
    return save is not None and _injures(save.passes, name, system) and _injures(save.fails, name, system)


def _injures(effects: Sequence[rules.AnyEffect], name: str, system: rules.System) -> bool:
    new = [
        effect
        for effect in effects
        if isinstance(effect, rules.Suffer)
        and (
            name in (effect.condition, system.head.conditions[effect.condition].group)
            or (name == "long" and _counted_in(effect.until.word, system) in LONG)
            or state_key_of(effect.condition, _counted_in(effect.until.word, system), system) == name
        )
    ]
    return bool(new) and not any("conditions" in effect.leads_to for effect in effects)


def _counted_in(word: str, system: rules.System) -> str:
    """Return what a span of that unit is counted down in; any other word as it is."""
    return "day" if word in system.unit_days else word
