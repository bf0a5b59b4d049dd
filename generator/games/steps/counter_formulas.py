"""Formulas over states of the counter: what one asks, what it comes to beforehand, and its value or its ways.

A key is what a formula or a step may ask of a state. A layout gives the keys that anybody asks a slot each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import Any, NamedTuple

from generator.base.dice import Dice
from generator.base.errors import HackjackError
from generator.games.steps.checks import CONTENT
from generator.games.steps.counter_ways import CHEAP, Case, Cases, State, merged_cases
from generator.games.steps.engine import DIE, FRESH_NAMES
from generator.model import rules
from generator.model.formulas import HERE, NAMING, OF_CARD, OF_HELD, ROLLING, Formula, Node, Result, made_by, ways_of
from generator.play.every_way import spend_on_dice, spend_work
from generator.play.piles import card_value

Key = str | tuple[str, ...]
Keys = frozenset[Key]
NONE: Keys = frozenset()
UNSET = object()
"""What stands in the slot of a name that nobody has given yet."""
_NAMED_BY_STEPS = ("row", "detail", "note")
_MOMENT = ("dead", "permanent", "place", "level", "event")
_PEN: Mapping[str, Keys] = {
    "dead": frozenset({"dead"}),
    "permanent": frozenset({"lasts"}),
    "place": frozenset({"part"}),
}


def name_key(name: str) -> Key:
    """Return the key of a name that an event gives."""
    return ("name", name)


def number_key(name: str) -> Key:
    """Return the key of a number or word that a character has."""
    return ("number", name)


class Setting(NamedTuple):
    """Where steps stand: what they know beforehand, whose steps they are, and which decks are being read."""

    known: tuple[tuple[str, Result], ...] = ()
    of: str = ""
    reading: frozenset[str] = frozenset()
    part_of: str = ""
    calls: frozenset[str] = frozenset()
    ticking: bool = False


def formulas_of(effect: Any) -> list[Formula]:
    """Return the formulas of a step, those of steps inside it left out."""
    return [formula for _, formula in rules.effect_formulas(effect)] if effect is not None else []


class Names:
    """What names mean in a system, and which of its numbers stay as they are (`fixed`)."""

    def __init__(self, system: rules.System, event: str, fixed: Mapping[str, Result]) -> None:
        self.system, self.event, self.fixed = system, event, fixed
        self.numbers = {*system.steps.numbers, *system.steps.words}
        effects = CONTENT(system).effects
        takes = (name for event in system.head.events.values() for name in event.takes)
        self.given = {*takes, *FRESH_NAMES, *_NAMED_BY_STEPS, "side"}
        self.given |= {name for effect in effects for name in rules.given_names(effect)}
        self._values: dict[tuple[Node, tuple[tuple[str, Result], ...]], tuple[Result] | None] = {}

    @cached_property
    def all(self) -> Keys:
        """Every key that a step could ask for which nobody has described."""
        system = self.system
        decks = (("deck", name) for name in system.piles)
        held = (
            "all held",
            "spans",
            "coming",
            "lost",
            "saves",
            "owed",
            "details",
            "part",
            "place",
            "lasts",
            "card",
            "dead",
        )
        return frozenset((*map(number_key, self.numbers), *map(name_key, self.given), *decks, *held))

    # --- what is known beforehand ------------------------------------------------------------------------------------

    def value(self, node: Node, at: Setting) -> tuple[Result] | None:
        """Return what a part of a formula comes to in every state; None where that differs."""
        key = node, at.known
        if key not in self._values:
            self._values[key] = self._value(node, at)
        return self._values[key]

    def _value(self, node: Node, at: Setting) -> tuple[Result] | None:
        kind, about = node.kind, str(node.about)
        if kind == "name":
            return self._name(about, at)
        if kind == "setting":
            return (self.system.setting(about),)
        if kind == "faces":
            constant, there = self.system.steps.constants.get(about), self._name(about, at)
            if constant is not None:
                return (constant.faces or constant.plus,)
            die = DIE.fullmatch(str(there[0])) if there else None
            return (int(die[1]),) if die else None
        if kind in ("column", "known") and not about.startswith(OF_CARD):
            there = self._name(about, at)
            if there is None or kind == "known":
                return there and (int(there[0] is not None),)
            aim = self.system.aims.get(about, {}).get(str(there[0]))
            return ((aim.column if aim else None) or "none",)
        if kind in NAMING or self.rolls(node):
            return None
        parts = [self.value(part, at) for part in node.parts]
        if kind in ("and", "or") and any(part and bool(part[0]) == (kind == "or") for part in parts):
            return (int(kind == "or"),)
        if None in parts:
            return None
        try:
            return (made_by(node, "", lambda part: self._constant(part, node, at))(None),)  # type: ignore[arg-type]
        except HackjackError:
            return None

    def _constant(self, part: Node, whole: Node, at: Setting) -> Callable[[Any], Result] | None:
        there = self.value(part, at) if part is not whole else None
        return None if there is None else lambda _: there[0]

    def _name(self, name: str, at: Setting) -> tuple[Result] | None:
        known = dict(at.known)
        if name in known:
            return (known[name],)
        if name in self.given:
            return None
        if name in self.numbers:
            return (self.fixed[name],) if name in self.fixed else None
        constant = self.system.steps.constants.get(name)
        if constant is not None:
            return (constant.plus,) if constant.is_number else None
        if name == "event":
            return (self.event,)
        return None if name in _MOMENT or name.startswith(OF_CARD) else (name,)

    def rolls(self, node: Node) -> bool:
        """Return whether this very part of a formula rolls dice."""
        if node.kind == "name":
            about = str(node.about)
            constant = self.system.steps.constants.get(about)
            return about == OF_CARD + "blood" or (constant is not None and not constant.is_number)
        return node.kind == "dice" or node.kind in ROLLING.values()

    # --- what is asked -----------------------------------------------------------------------------------------------

    def reads(self, formulas: Iterable[Formula | None], at: Setting) -> Keys:
        """Return the keys that formulas ask."""
        keys: set[Key] = set()
        for formula in formulas:
            waiting = [formula.tree] if formula is not None else []
            while waiting:
                node = waiting.pop()
                if self.value(node, at) is None:
                    keys |= self.node_reads(node, at)
                    waiting += node.parts
        return frozenset(keys)

    def node_reads(self, node: Node, at: Setting) -> Keys:
        """Return the keys that one part of a formula asks."""
        kind, about = node.kind, str(node.about)
        if kind in OF_HELD:
            more: set[Key] = {"all held", "place" if node.parts[0].kind == HERE else "details"} if node.parts else set()
            more |= {"saves"} if kind == "count" else {"spans"} if kind == "left" else set()
            return frozenset({(kind, about), *more})
        match kind:
            case "name":
                return self._name_reads(about, at)
            case "known" | "column":
                return self._name_reads(about, at)
            case "value" | "faces":
                there = (about,) if about in self.numbers else self._name(about, at)
                if there is not None:
                    return frozenset({number_key(str(there[0]))}) if there[0] in self.numbers else NONE
                return self._name_reads(about, at).union(map(number_key, self.numbers))
            case "met" | "suffered":
                return frozenset({(kind, about)})
            case "owed":
                return frozenset({"saves", "owed"})
            case "coming":
                return frozenset({"coming"})
            case "lowered" | "worst":
                return self._name_reads(about, at) | {"lowering", "lost", *map(number_key, self._per)}
        return self.all if kind in NAMING else NONE

    @cached_property
    def _per(self) -> set[str]:
        """The numbers that penalties are multiplied by."""
        effects = CONTENT(self.system).effects
        return {each.per for each in effects if isinstance(each, rules.Penalty) and each.per in self.numbers}

    def _name_reads(self, name: str, at: Setting) -> Keys:
        keys: set[Key] = set()
        if name == "side":
            keys |= {"part", "place"}
        if name in self.given and name not in dict(at.known):
            keys.add(name_key(name))
        if name in self.numbers:
            keys.add(number_key(name))
        elif name == "level":
            keys.add(("level", at.of))
        elif name.startswith(OF_CARD):
            keys |= {"card", *(("deck", deck) for deck in self.system.piles)}
        return frozenset(keys | _PEN.get(name, NONE))

    def lines(self, formulas: Iterable[Formula]) -> list[str]:
        """Return the lines of a card that formulas ask for."""
        names = (str(node.about) for each in formulas for node in each.walk() if node.kind == "name")
        return sorted({name.removeprefix(OF_CARD) for name in names if name.startswith(OF_CARD)})


class Reckoning:
    """A formula made ready for a layout: its value in a state, or where it rolls dice its ways."""

    def __init__(self, formula: Formula, names: Names, at: Setting, layout: Any) -> None:
        self._names, self._at, self._layout = names, at, layout
        self._rolls: list[tuple[Node, Callable[[State], Result] | None]] = []
        self._shown: list[Result] = []
        self.value: Callable[[State], Result] = made_by(formula.tree, str(formula), self._leaf)  # type: ignore[assignment]
        self.rolls = bool(self._rolls)

    def ways(self, state: State) -> Cases:
        """Return what it may come to, each with its ways."""
        if not self._rolls:
            return ((self.value(state), 1),), 1
        if len(self._rolls) == 1:
            cases, total = self._faces(0, state)
            shown, value, ways = self._shown, self.value, dict[Result, int]()
            for result, count in cases:
                shown[0] = result
                after = value(state)
                ways[after] = ways.get(after, 0) + count
            return tuple(ways.items()), total
        return merged_cases(self._each(0, state, 1, 1))

    def _each(self, place: int, state: State, count: int, of: int) -> Iterable[tuple[Result, int, int]]:
        if place == len(self._rolls):
            spend_work(1)
            yield self.value(state), count, of
            return
        cases, total = self._faces(place, state)
        spend_work(len(cases) // CHEAP)
        for result, ways in cases:
            self._shown[place] = result
            yield from self._each(place + 1, state, count * ways, of * total)

    def _faces(self, place: int, state: State) -> Cases:
        """What some dice may show."""
        node, many = self._rolls[place]
        if str(node.about).startswith(OF_CARD):
            hand = state[self._layout.slot["card"]]
            value = (
                card_value(self._layout.piles[hand.deck].first(hand.may_be), "blood", self._names.system)
                if hand
                else None
            )
            return dice_cases(value) if isinstance(value, Dice) else (((value or 0 if hand else None, 1),), 1)
        if many is None:
            dice = node.about if node.kind == "dice" else self._names.system.steps.constants[str(node.about)]
            assert isinstance(dice, Dice)
            spend_on_dice(dice)
            return dice_cases(dice)
        count = many(state)
        if not isinstance(count, int):
            return ((None, 1),), 1
        spend_on_dice(Dice(max(count, 0), node.about.faces if isinstance(node.about, Dice) else 1))
        ways = ways_of(node, count)
        return tuple(ways.items()), sum(ways.values())

    def _leaf(self, node: Node) -> Any:
        """Return what asks a state for one part of a formula; None for what is only figured."""
        names, at, layout = self._names, self._at, self._layout
        there = names.value(node, at)
        if there is not None:
            return lambda _: there[0]
        kind, about = node.kind, str(node.about)
        if names.rolls(node) and not (kind == "name" and (about in names.given or about in names.numbers)):
            many = made_by(node.parts[0], about, self._leaf) if node.parts else None
            place = len(self._rolls)
            self._rolls.append((node, many))  # type: ignore[arg-type]
            self._shown.append(None)
            shown = self._shown
            return lambda _: shown[place]
        if kind == "name":
            return self._named(about)
        if kind == "known" and not about.startswith(OF_CARD):
            inner = self._named(about)
            return lambda state: int(inner(state) is not None)
        if kind in ("met", "suffered"):
            slot = layout.slot[kind, about]
            return lambda state: 1 if state[slot] else 0
        if kind == "value" and about in names.numbers:
            return self._named(about)
        return self._asked(node) if kind in NAMING else None

    def _named(self, name: str) -> Callable[[State], Result]:
        names, layout = self._names, self._layout
        if name == "side":
            return self._asked(Node("name", name))
        slot = layout.slot.get(name_key(name)) if name in names.given else None
        other: Callable[[State], Result]
        if name in names.numbers and name not in names.fixed:
            number = layout.slot[number_key(name)]
            if slot is None:
                return lambda state: state[number]
            other = lambda state: state[number]  # noqa: E731
        elif name == "dead":
            dead = layout.slot["dead"]
            other = lambda state: int(state[dead])  # noqa: E731
        elif name in _MOMENT or name.startswith(OF_CARD) or (slot is None and name in names.given):
            return self._asked(Node("name", name))
        else:
            constant = names.system.steps.constants.get(name)
            value = names.fixed.get(name, name if constant is None else constant.plus)
            other = lambda _: value  # noqa: E731
        if slot is None:
            return other
        return lambda state: other(state) if state[slot] is UNSET else state[slot]

    def _asked(self, node: Node) -> Callable[[State], Result]:
        """Return what asks a bench made from the state, once for all states that are alike for it."""
        layout, at, about = self._layout, self._at, str(node.about)
        slots = layout.slots(self._names.node_reads(node, at))
        which = HERE if node.parts and node.parts[0].kind == HERE else ""
        detail_of = made_by(node.parts[0], about, self._leaf) if node.parts and not which else None
        memory: dict[Any, Result] = {}

        def ask(state: State) -> Result:
            detail = None if detail_of is None else str(detail_of(state) or "")  # type: ignore[arg-type]
            key = tuple([state[slot] for slot in slots]), detail
            if key not in memory:
                bench, _ = layout.bench(state, at)
                memory[key] = bench.named(about) if node.kind == "name" else bench.call(node.kind, about, which, detail)
            return memory[key]

        return ask


_CASES: dict[Dice, tuple[tuple[Case, ...], int]] = {}


def dice_cases(dice: Dice) -> tuple[tuple[Case, ...], int]:
    """Return what dice may show, each total with its ways."""
    if dice not in _CASES:
        ways = dice.ways() if dice.count else {dice.plus: 1}
        _CASES[dice] = tuple(ways.items()), sum(ways.values())
    return _CASES[dice]
