"""States of the counter: which slots they have, what is seen of conditions, and the bench made from a state."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from generator.games.steps.counter_cards import OutOf, Pile
from generator.games.steps.counter_formulas import UNSET, Key, Keys, Setting, name_key
from generator.games.steps.counter_ways import State
from generator.games.steps.engine import FRESH_NAMES, Bench, is_certain, usual_repeat
from generator.games.steps.shape import ordered_conditions, state_key_of
from generator.games.steps.state import LONG, HeldCondition, Owed, StepsState, fresh_values
from generator.model import rules
from generator.model.formulas import OF_HELD, Result
from generator.play.apply_effects import _NOW, Hurt, Pen
from generator.play.chance import Chance, Given

_PEN = ("part", "place", "lasts")
_MARKS = ("spans", "owed", "details")
"""Keys that have no slot: they say what is seen of conditions and saves."""
_SEEN = (*_MARKS, "saves", "place")


def of_held(key: Key) -> bool:
    """Return whether a key asks for conditions that are held."""
    return key in ("held", "all held", "lowering") or key[0] in OF_HELD or key[0] == "very"


class Layout:
    """The slots of states for a set of keys: the names of the event first, then the pen, then all the rest."""

    def __init__(self, system: rules.System, event: str, keys: Keys, piles: Mapping[str, Pile]) -> None:
        self.system, self.event, self.piles = system, event, piles
        self.names = sorted(str(key[1]) for key in keys if key[0] == "name")
        self.frame = len(self.names)
        """The slot in which the names of the calling event wait, where there are names at all."""
        order: list[Key] = [name_key(name) for name in self.names]
        order += ["calling names"] if order else []
        pen = [key for key in _PEN if key in keys]
        self.pen = range(len(order), len(order) + len(pen))
        order += [*pen, "outer pens"] if pen else []
        rest = {key for key in keys if key not in order and not of_held(key) and key not in _MARKS} | {"dead"}
        order += sorted(rest, key=str)
        order += ["held"] if any(map(of_held, keys)) else []
        self.slot: dict[Key, int] = {key: at for at, key in enumerate(order)}
        self.size = len(order)
        self._fresh = fresh_values(system)
        self._sights: dict[Keys, Sight] = {}
        self._numbers = [(str(key[1]), at) for key, at in self.slot.items() if key[0] == "number"]

    def slots(self, keys: Iterable[Key]) -> tuple[int, ...]:
        """Return the slots that some keys ask, in order."""
        slots = {self.slot.get("held", -1) if of_held(key) else self.slot.get(key, -1) for key in keys}
        return tuple(sorted(slots - {-1}))

    # --- states ------------------------------------------------------------------------------------------------------

    def first(self, state: StepsState, said: Mapping[str, Result], live: Keys) -> State:
        """Return a character's state before the event, with what was told of it."""
        slots: list[Any] = [None] * self.size
        for key in live:
            if key in self.slot:
                slots[self.slot[key]] = self._of(key, state)
        if self.names:
            slots[: self.frame] = self.fresh(said, live)
        for key, value in (("part", ""), ("place", ""), ("lasts", _NOW)):
            if key in self.slot:
                slots[self.slot[key]] = value
        slots[self.slot["dead"]] = state.dead
        if "held" in self.slot or "saves" in self.slot:
            self.see(slots, self.sight(live), list(state.conditions), list(state.saves))
        return tuple(slots)

    def anew(self, state: State, said: Mapping[str, Result], live: Keys, known: Keys) -> State:
        """Return a state after an event as the next one finds it, with what is told of that."""
        forget = self.forgetting(known, live)
        slots = list(forget(state) if forget is not None else state)
        if self.names:
            slots[: self.frame] = self.fresh(said, live)
        for key, value in (("part", ""), ("place", ""), ("lasts", _NOW)):
            if key in self.slot:
                slots[self.slot[key]] = value
        for each, at in self.slot.items():
            if each[0] in ("met", "suffered", "drawn"):
                slots[at] = False
            elif each[0] == "number" and is_temporary(self.system, str(each[1])):
                slots[at] = self.system.steps.numbers[str(each[1])].start
        return tuple(slots)

    def _of(self, key: Key, state: StepsState) -> Any:
        match key:
            case ("number", name):
                return state.values[name] if name in state.values else self.system.steps.numbers[name].start
            case ("deck", name):
                return OutOf(self.piles[name].without(state.drawn))
            case "coming" | "lost":
                return getattr(state, str(key))
        return False if key[0] in ("met", "suffered", "drawn") else None

    def fresh(self, said: Mapping[str, Result], live: Keys) -> tuple[Any, ...]:
        """Return the names of an event before its first step."""
        given = {**FRESH_NAMES, **said}
        return tuple(given.get(name, UNSET) if name_key(name) in live else None for name in self.names)

    def called(self, state: State, names: tuple[Any, ...]) -> State:
        """Return a state in an event that is called: with names and a pen of its own."""
        if self.names:
            state = (*names, state[: self.frame + 1], *state[self.frame + 1 :])
        return self.new_pen(state, "", "", _NOW)

    def returned(self, state: State, gives: Iterable[int] = ()) -> State:
        """Return a state after the event that was called; the slots in `gives` keep what they have now."""
        if self.names:
            outer = state[self.frame]
            for slot in gives:
                outer = (*outer[:slot], state[slot], *outer[slot + 1 :])
            state = (*outer, *state[self.frame + 1 :])
        return self.old_pen(state)

    def new_pen(self, state: State, *hand: Any) -> State:
        """Return a state with a pen of its own: part, place, how long; or as the one before has it."""
        if not self.pen:
            return state
        first, last = self.pen.start, self.pen.stop
        of = dict(zip(_PEN, hand, strict=True)) if hand else {}
        pen = [of.get(key, state[self.slot[key]]) for key in _PEN if key in self.slot]
        return (*state[:first], *pen, state[first : last + 1], *state[last + 1 :])

    def old_pen(self, state: State) -> State:
        """Return a state with the pen that was there before."""
        if not self.pen:
            return state
        first, last = self.pen.start, self.pen.stop
        return (*state[:first], *state[last], *state[last + 1 :])

    def lasting_again(self, state: State) -> State:
        """Return a state with as long a time in its pen as the one before has."""
        slot = self.slot["lasts"]
        return (*state[:slot], state[self.pen.stop][slot - self.pen.start], *state[slot + 1 :])

    def pen_kept(self, state: State) -> State:
        """Return a state without the pen before, but for how long that lasts."""
        state = self.lasting_again(state)
        return (*state[: self.pen.stop], state[self.pen.stop][-1], *state[self.pen.stop + 1 :])

    def root(self, state: State) -> State:
        """Return a state with the names of the event that was asked about, however deep it is in others."""
        while self.names and state[self.frame] is not None:
            state = (*state[self.frame], *state[self.frame + 1 :])
        while self.pen and state[self.pen.stop] is not None:
            state = self.old_pen(state)
        return state

    def sight(self, keys: Keys) -> Sight:
        """Return what those keys see of conditions."""
        asked = frozenset(key for key in keys if of_held(key) or key in _SEEN)
        if asked not in self._sights:
            self._sights[asked] = Sight(self.system, asked)
        return self._sights[asked]

    def see(self, slots: list[Any], sight: Sight, held: list[HeldCondition], saves: list[Owed]) -> None:
        """Put conditions and saves into slots as they are seen."""
        there, owed = sight.of(held, saves)
        if "held" in self.slot:
            slots[self.slot["held"]] = there
        if "saves" in self.slot:
            slots[self.slot["saves"]] = owed

    def forgetting(self, before: Keys, after: Keys) -> Callable[[State], State] | None:
        """Return what takes out of a state what nobody asks any more; None where there is nothing."""
        gone = self.slots(key for key in before - after if not of_held(key) and key != "waiting")
        asked = {key for key in before if of_held(key) or key in _SEEN}
        sight = self.sight(after) if asked - after and ("held" in self.slot or "saves" in self.slot) else None
        if not gone and sight is None:
            return None

        def forget(state: State) -> State:
            slots = list(state)
            if sight is not None:
                held = slots[self.slot["held"]] if "held" in self.slot else None
                self.see(slots, sight, held or (), (slots[self.slot["saves"]] if "saves" in self.slot else None) or ())  # type: ignore[arg-type]
            for slot in gone:
                slots[slot] = None
            return tuple(slots)

        return forget

    # --- benches -----------------------------------------------------------------------------------------------------

    def bench(
        self, state: State, at: Setting, chance: Chance | None = None, *, timeless: bool = False
    ) -> tuple[Bench, Pen]:
        """Return the engine's bench in that state, and the pen in its hand; what nobody asks is as usual there."""
        slot = self.slot

        def there(key: Key, usual: Any) -> Any:
            return (usual if (value := state[slot[key]]) is None else value) if key in slot else usual

        values = self._fresh | {name: state[at] for name, at in self._numbers}
        now = StepsState(
            values=values,
            conditions=there("held", ()),
            coming=there("coming", ()),
            lost=there("lost", ()),
            saves=there("saves", ()),
            dead=bool(state[slot["dead"]]),
        )
        bench = Bench(self.system, now, chance or Given(), timeless=timeless)
        bench.logs, bench.event, bench.stopped = False, self.event, False
        bench.reading, bench._part_of, bench._ticking = list(at.reading), at.part_of, at.ticking
        bench.names |= {name: state[place] for place, name in enumerate(self.names) if state[place] is not UNSET}
        bench.names |= dict(at.known)
        for key, place in slot.items():
            if key[0] == "met" and state[place]:
                bench.met[str(key[1])] = [""]
            elif key[0] == "suffered" and state[place]:
                bench.suffered.add(str(key[1]))
        if hand := there("card", None):
            bench.card = self.piles[hand.deck].first(hand.may_be)
        for deck, pile in self.piles.items():
            if out := there(("deck", deck), None):
                gone = [at for at in range(len(pile.names)) if not out.base >> at & 1]
                gone += [bits.bit_length() - 1 for bits in out.cuts]
                bench.out += [pile.names[at] for at in gone]
        pen = Pen(bench, "", Hurt(there("part", ""), there("place", "")), there("lasts", _NOW))
        pen.of = at.of
        bench._pen = pen
        return bench, pen

    def taken(self, bench: Bench, pen: Pen, state: State, slots: Iterable[int], live: Keys) -> State:
        """Return a state with what a bench has made of it in some slots."""
        now, kept = list(state), set(slots)
        now[self.slot["dead"]] = bench.dead
        for name, place in self._numbers:
            if place in kept:
                now[place] = bench.values[name]
        for place, name in enumerate(self.names):
            if place in kept and name_key(name) in live:
                now[place] = bench.names.get(name, UNSET)
        for key, value in (("part", pen.hurt.part), ("place", pen.hurt.place), ("lasts", pen.lasts)):
            if key in self.slot and self.slot[key] in kept:
                now[self.slot[key]] = value
        for key, entries in (("coming", bench.coming), ("lost", bench.lost)):
            if key in self.slot and self.slot[key] in kept:
                now[self.slot[key]] = tuple(entries)
        if self.slot.get("held") in kept or self.slot.get("saves") in kept:
            self.see(now, self.sight(live), list(ordered_conditions(bench.held, self.system)), bench.saves)
        return tuple(now)


def is_temporary(system: rules.System, name: str) -> bool:
    """Return whether a number is anew with each event."""
    own = system.steps.numbers.get(name)
    return own is not None and own.temporary


class Sight:
    """What some keys see of conditions that are held and of saves: what is alike for them is the same."""

    def __init__(self, system: rules.System, keys: Keys) -> None:
        self._system = system
        self._asked = frozenset((str(key[0]), str(key[1])) for key in keys if key[0] in OF_HELD)
        self._whole = not keys.isdisjoint(("all held", "spans"))
        self._details = "details" in keys
        self._lowering, self._saves, self._owed = "lowering" in keys, "saves" in keys, "owed" in keys
        self._very = {str(key[1]) for key in keys if key[0] == "very"}
        self._kinds = {kind for kind, _ in self._asked}
        self._memory: dict[HeldCondition | Owed, HeldCondition | Owed | None] = {}
        self.any = bool(self._asked or self._whole or self._lowering or self._very)

    def of(self, held: Iterable[HeldCondition], saves: Iterable[Owed]) -> tuple[Any, Any]:
        """Return conditions and saves as they are seen."""
        if self._whole:
            there = tuple(self._remembered(each, self._plain) for each in held)
            return there, tuple(saves)
        seen: list[Any] = [self._remembered(each, self._seen) for each in held] if self.any else []
        owed: list[Any] = []
        if self._saves:
            awaited = [self._remembered(each, self._awaited) for each in saves]
            seen += [each for each in awaited if isinstance(each, HeldCondition)]
            owed = [each for each in awaited if isinstance(each, Owed)]
        seen = sorted((each for each in seen if each is not None), key=str)
        return tuple(seen), tuple(sorted(owed, key=str))

    def _remembered(self, each: Any, see: Callable[[Any], Any]) -> Any:
        if each not in self._memory:
            self._memory[each] = see(each)
        return self._memory[each]

    def tells(self, condition: str) -> bool:
        """Return whether anybody could tell that a condition is held."""
        if self._whole or (self._lowering and self._lowers(condition)):
            return True
        return any(self._answers(condition, word) for word in ("day", "permanent", "round", "save", "now"))

    def _plain(self, held: HeldCondition) -> HeldCondition:
        """A condition without what no rule asks."""
        return replace(held, row="", detail=held.detail if self._details else "")

    def _awaited(self, owed: Owed) -> HeldCondition | Owed | None:
        """A save that is owed, or the condition that it brings whichever way it goes, where that alone is counted."""
        if self._owed:
            return Owed(owed.of, chance=owed.chance)
        names = {name for kind, name in self._asked if kind == "count" and is_certain(owed, name, self._system)}
        if not names:
            return None
        if not any(name in names and kind in ("has", "level", "left") for kind, name in self._asked):
            for name in self._system.head.conditions:
                if self._answers(name, "day") == names and not self._itself(day := HeldCondition(name, "1 day")):
                    return self._seen(day)
        return Owed(owed.of)

    def _seen(self, held: HeldCondition) -> HeldCondition | None:
        """A condition as it is seen: the first that answers to the same names; None where nothing asks for it."""
        level = held.level if "level" in self._kinds or self._lowers(held.condition) else 1
        until = "1 day" if held.word == "day" else held.until
        answers = self._answers(held.condition, held.word)
        if not answers and not (self._lowering and self._lowers(held.condition)):
            return None
        if self._itself(held):
            return HeldCondition(held.condition, until, level=level)
        if held.word in LONG and not (until == "permanent" and "lasting" in self._kinds):
            until = "1 day"
        alike = (
            name
            for name in self._system.head.conditions
            if self._answers(name, held.word) == answers and not self._itself(HeldCondition(name, held.until))
        )
        return HeldCondition(next(alike, held.condition), until, level=level)

    def _itself(self, held: HeldCondition) -> bool:
        return held.condition in self._very or (self._lowering and self._lowers(held.condition))

    def _lowers(self, condition: str) -> bool:
        names = (condition, *self._system.brought[condition])
        implied = (each for name in names for each in self._system.head.conditions[name].implies)
        return any(isinstance(effect, rules.Penalty) for effect in implied)

    def _answers(self, condition: str, word: str) -> frozenset[str]:
        """Return the names in formulas that a condition answers to."""
        group = self._system.head.conditions[condition].group
        return frozenset(
            name
            for kind, name in self._asked
            if name in (condition, group)
            or (name == "long" and word in LONG)
            or name == state_key_of(condition, word, self._system)
            or (kind == "has" and name in self._system.brought[condition])
        )


def may_merge(condition: rules.Condition, until: rules.Until) -> bool:
    """Return whether a second one of a condition may be anything but another beside the first."""
    return until.word == "same" or usual_repeat(condition, HeldCondition("", until.word)) != "apart"
