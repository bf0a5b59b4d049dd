"""What some keys see of conditions that are held and of saves: what is alike for them is the same."""

from collections.abc import Callable, Iterable
from typing import Any

from msgspec.structs import replace

from generator.games.steps.conditions import is_certain
from generator.games.steps.counting.keys import (
    ALL_HELD,
    DETAILS,
    EXTRAS,
    HELD_CARDS,
    LOWERING,
    OWED,
    SAVES,
    SPANS,
    VERY,
    Held,
    KeySet,
)
from generator.games.steps.shape import state_key_of
from generator.games.steps.state import LONG, HeldCondition, Owed
from generator.games.steps.system_views import condition_types, implied_conditions
from generator.model import rules
from generator.model.formulas import OF_HELD
from generator.play.piles import all_names, card_of


class SeenConditions:
    """What some keys see of conditions that are held and of saves: what is alike for them is the same."""

    def __init__(self, system: rules.System, keys: KeySet) -> None:
        self._system, self._keys = system, keys
        self._asked = frozenset(
            (key.function, key.name) for key in keys if isinstance(key, Held) and key.function in (*OF_HELD, *EXTRAS)
        )
        self._whole = not keys.isdisjoint((ALL_HELD, SPANS))
        self._kinds = {kind for kind, _ in self._asked}
        self._memory: dict[HeldCondition | Owed, Any] = {}
        self._answered: dict[tuple[str, str], frozenset[str]] = {}
        self._telling: dict[str, bool] = {}

    def of(self, held: Iterable[HeldCondition], saves: Iterable[Owed]) -> tuple[Any, Any]:
        """Return conditions and saves as they are seen."""
        if self._whole:
            return tuple(self._remembered(each, self._plain) for each in held), tuple(saves)
        there = [self._remembered(each, self._seen) for each in held]
        there += [self._remembered(each, self._awaited) for each in saves if SAVES in self._keys]
        kinds = (HeldCondition, Owed)
        conditions, owed = (sorted((each for each in there if isinstance(each, kind)), key=str) for kind in kinds)
        return tuple(conditions), tuple(owed)

    def _remembered(self, each: Any, see: Callable[[Any], Any]) -> Any:
        if each not in self._memory:
            self._memory[each] = see(each)
        return self._memory[each]

    def tells(self, condition: str) -> bool:
        """Return whether anybody could tell that a condition is held."""
        if condition not in self._telling:
            words = ("day", "permanent", "round", "save", "now", *(name for _, name in self._asked))
            waits = condition == "whenever" and not self._kinds.isdisjoint(EXTRAS)
            answers = self._whole or self._lowers(condition) or waits
            self._telling[condition] = answers or any(self._answers(condition, word) for word in words)
        return self._telling[condition]

    def _plain(self, held: HeldCondition) -> HeldCondition:
        """A condition without what no rule asks."""
        return replace(held, row="", detail=held.detail if DETAILS in self._keys else "", card=self._bearer(held))

    def _bearer(self, held: HeldCondition) -> str:
        """Return the card that a condition is seen with: where it waits, the first that waits for the same."""
        if HELD_CARDS in self._keys or not held.card:
            return held.card
        awaits = self._awaits(held.card) if held.condition == "whenever" else ()
        return next(name for name in all_names(self._system) if self._awaits(name) == awaits) if awaits else ""

    def _awaits(self, name: str) -> tuple[Any, ...]:
        """Return what a card waits for, as far as it is asked."""
        there = card_of(name, self._system)
        waiting = [each for each in there[1].effects if isinstance(each, rules.Whenever)] if there else []
        if self._whole or len(waiting) > 1:
            return tuple((each.event, each.blood, each.score, each.until, each.penalty) for each in waiting)
        adds = ((f"extra_{what}", each.event, getattr(each, what)) for each in waiting for what in ("blood", "score"))
        return tuple(each for each in adds if each[2] and each[:2] in self._asked)

    def _awaited(self, owed: Owed) -> HeldCondition | Owed | None:
        """A save that is owed, or the condition that it brings whichever way it goes, where that alone is counted."""
        if OWED in self._keys:
            return Owed(owed.of, chance=owed.chance)
        names = {name for kind, name in self._asked if kind == "count" and is_certain(owed, name, self._system)}
        if names and not any(name in names and kind in ("has", "level", "left") for kind, name in self._asked):
            for name in self._system.head.conditions:
                if self._answers(name, "day") == names and not self._itself(name):
                    return self._seen(HeldCondition(name, "1 day"))
        return Owed(owed.of) if names else None

    def _seen(self, held: HeldCondition) -> HeldCondition | None:
        """A condition as it is seen: the first that answers to the same names; None where nothing asks for it."""
        answers, lowers, card = self._answers(held.condition, held.word), self._lowers(held.condition), ""
        if self._system.steps.by_card:
            lowers, card = lowers and not held.begins, self._bearer(held)
        if not answers and not lowers and not card:
            return None
        level = held.level if "level" in self._kinds or lowers else 1
        until = "1 day" if held.word == "day" else held.until
        if card or self._itself(held.condition):
            until = until if answers else "permanent"
            place = held.place if any(each.where for each in self._penalties(held.condition)) else ""
            return HeldCondition(held.condition, until, place, level, card=card, to=held.to, by=held.by)
        if held.word in LONG and not (until == "permanent" and "lasting" in self._kinds) and held.word not in answers:
            until = "1 day"
        alike = (
            name
            for name in self._system.head.conditions
            if self._answers(name, held.word) == answers and not self._itself(name)
        )
        return HeldCondition(next(alike, held.condition), until, level=level)

    def _itself(self, condition: str) -> bool:
        """Return whether no other condition can stand for one."""
        return Held(VERY, condition) in self._keys or self._lowers(condition)

    def _lowers(self, condition: str) -> bool:
        return LOWERING in self._keys and (condition in ("penalty", "bonus") or bool(self._penalties(condition)))

    def _penalties(self, condition: str) -> list[rules.Penalty]:
        """Return the penalties that a condition brings as long as it lasts."""
        names = (condition, *implied_conditions(self._system).get(condition, ()))
        effects = (each for name in names for each in condition_types(self._system)[name].implies)
        return [each for each in effects if isinstance(each, rules.Penalty)]

    def _answers(self, condition: str, word: str) -> frozenset[str]:
        """Return the names in formulas that a condition answers to."""
        if (condition, word) not in self._answered:
            group, system = condition_types(self._system)[condition].group, self._system
            own = {condition, group, state_key_of(condition, word, system), *(("long",) if word in LONG else ())}
            own |= {word} if system.steps.by_card else set()
            brought = implied_conditions(system).get(condition, ())
            asked = ((kind, name) for kind, name in self._asked if kind not in EXTRAS)
            self._answered[condition, word] = frozenset(
                name for kind, name in asked if name in own or (kind == "has" and name in brought)
            )
        return self._answered[condition, word]
