"""Formulas over states: what one asks, what it comes to beforehand, and its value in a state."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property, partial
from typing import Any

from generator.base.errors import HackjackError
from generator.games.steps.counting.distribution import AnyState
from generator.games.steps.counting.keys import (
    ALL_HELD,
    CARD,
    CARDS,
    COMING,
    DEAD,
    DETAILS,
    HELD_CARDS,
    HURT,
    ITS_CODE,
    ITS_NAME,
    ITS_WAITING,
    LASTS,
    LOST,
    LOWERING,
    NONE,
    OWED,
    PART,
    PEN,
    PLACE,
    SAVES,
    SPANS,
    UNSET,
    Deck,
    Held,
    Key,
    KeySet,
    Line,
    Met,
    Name,
    Number,
    Pile,
    PiledLine,
    StepContext,
    Suffered,
)
from generator.games.steps.counting.state_slots import StateSlots
from generator.games.steps.definitions import Definitions
from generator.games.steps.leads import kinds_led_to, led_to
from generator.games.steps.scope import DIE, FRESH_NAMES
from generator.games.steps.system_views import argument_aims, named_conditions
from generator.model import rules
from generator.model.formulas import HERE, NAMING, OF_CARD, OF_HELD, ROLLING, Formula, Node, Result, Run, made_by
from generator.model.rules import per_system
from generator.play.piles import card_value

_PLAIN = frozenset({ALL_HELD, SPANS, COMING, LOST, SAVES, OWED, DETAILS, HELD_CARDS, CARD, CARDS, DEAD, *PEN})
_DOES = "does "
_EVENTS = {"event", "others"}
_MOMENT: Mapping[str, KeySet] = {
    "dead": frozenset({DEAD}),
    "permanent": frozenset({LASTS}),
    "place": frozenset({PART}),
    "side": frozenset({PART, PLACE}),
    "level": NONE,
}


def formulas_of(effect: Any) -> list[Formula]:
    """Return the formulas of a step, those of steps inside it left out."""
    return [formula for _, formula in rules.effect_formulas(effect)]


def _given(effects: Iterable[rules.AnyEffect]) -> Counter[str]:
    return Counter(name for effect in effects for name in rules.given_names(effect))


def _inside(effects: tuple[rules.AnyEffect, ...]) -> list[rules.AnyEffect]:
    return [effect for _, effect in rules.walk_effects(effects)]


@per_system
def _names_set(system: rules.System) -> dict[str, set[str]]:
    """Return the names that steps of each event may set, and in "" those that any may."""
    happenings = system.head.events
    always = {*FRESH_NAMES, "row", "detail", "note", *(name for each in happenings.values() for name in each.gives)}
    lets = _given(Definitions(system).effects)
    own = {name: _given(_inside(each.do_)) for name, each in happenings.items()}
    outside = {*(lets - sum(own.values(), Counter())), *always}
    return {name: outside | {*each} for name, each in own.items()} | {"": {*lets, *always}}


@per_system
def recursive_events(system: rules.System) -> frozenset[str]:
    """Return the events that may lead to themselves, straight or by way of cards, tables and conditions, with other
    numbers each time.
    """

    def called(effects: Iterable[rules.AnyEffect]) -> frozenset[str]:
        return frozenset(name for each in effects for name in led_to(each, "event", system))

    lists = {name: _inside(each.do_) for name, each in system.head.events.items()}
    known = {id(effect) for effects in lists.values() for effect in effects}
    effects = Definitions(system).effects
    elsewhere = called(each for each in effects if id(each) not in known)
    leads = {
        name: called(inside).union(*([elsewhere] if any(kinds_led_to(type(each)) - _EVENTS for each in inside) else []))
        for name, inside in lists.items()
    }
    figured = (
        each
        for each in effects
        if "event" in kinds_led_to(type(each))
        and any(node.kind in ("name", *NAMING) for formula in formulas_of(each) for node in formula.tree.walk())
    )
    found = set[str]()
    for name in called(figured):
        reached, waiting = set[str](), [*leads[name]]
        while waiting:
            if (event := waiting.pop()) not in reached:
                reached.add(event)
                waiting += leads[event]
        found |= {name} & reached
    return frozenset(found)


class EventNames:
    """What names mean in a system, in steps of one event."""

    def __init__(self, system: rules.System, event: str, unknown: Iterable[str] = ()) -> None:
        self.system, self.event, self.unknown = system, event, frozenset(unknown)
        self.numbers = {*system.steps.numbers, *system.steps.words}
        self._effects, names = Definitions(system).effects, _names_set(system)
        arguments = [item for each in system.head.events.values() for item in each.takes.items()]
        self.dice, self.set_in = {name for name, each in arguments if each.die}, names
        """The names of dice that are told, and the names that steps of each event may set."""
        self.given = {*(name for name, _ in arguments), *names[""], "side", "hands"}
        self.decks: KeySet = frozenset(Deck(name) for name, deck in system.piles.items() if not deck.returns)
        self._values: dict[tuple[Node, tuple[tuple[str, Result], ...]], tuple[Result] | None] = {}
        self._lines: dict[Node, str] = {}
        self._figured: dict[str, Run] = {}

    @cached_property
    def all(self) -> KeySet:
        """Every key that a step may ask for of which nobody knows more."""
        named = map(Number, self.numbers), map(Name, self.given)
        return _PLAIN.union(*named, self.decks, self.piles(self.system.steps.piles), [Line(ITS_CODE)])

    @cached_property
    def of_cards(self) -> KeySet:
        """Every key of decks, of the card at hand and of cards in play."""
        return self.decks | {CARD, CARDS}

    def piles(self, names: Iterable[str]) -> KeySet:
        """Return the keys of some piles with each of their cards."""
        return frozenset({key for pile in names for key in (Pile(pile), PiledLine(pile, ITS_CODE), CARDS)})

    # --- what is known beforehand ------------------------------------------------------------------------------------

    def value(self, node: Node, context: StepContext) -> tuple[Result] | None:
        """Return what a part of a formula comes to in every state; None where that differs."""
        key = node, context.known
        if key not in self._values:
            self._values[key] = self._value(node, context)
        return self._values[key]

    def _value(self, node: Node, context: StepContext) -> tuple[Result] | None:
        kind, about = node.kind, str(node.about)
        there = self._name(about, context) if kind in ("name", "column", "known", "faces") else None
        match kind:
            case "name":
                return there
            case "setting":
                return (self.system.setting(about),)
            case "column" if there is not None:
                aim = argument_aims(self.system).get(about, {}).get(str(there[0]))
                return ((aim.column if aim else None) or "none",)
            case "known" if there is not None:
                return (int(there[0] is not None),)
            case "does" if not any(each.do == about for card in self._cards for each in card.effects):
                return (0,)
            case "extra_blood" | "extra_score" if not self._adds(kind.removeprefix("extra_"), about):
                return (0,)
            case "faces":
                constant = self.system.steps.constants.get(about)
                die = DIE.fullmatch(str(there[0])) if there else None
                return (constant.faces or constant.plus,) if constant else (int(die[1]),) if die else None
        if kind in NAMING or self.is_roll(node):
            return None
        parts = [self.value(part, context) for part in node.parts]
        if kind in ("and", "or") and any(part and bool(part[0]) == (kind == "or") for part in parts):
            return (int(kind == "or"),)
        if kind == "if" and parts[0] is not None:
            return parts[1 if parts[0][0] else 2]
        if None in parts:
            return None
        known = {id(part): value for part, value in zip(node.parts, parts, strict=True) if value is not None}
        try:
            made = made_by(node, "", lambda part: (lambda _: known[id(part)][0]) if id(part) in known else None)
            return (made(None),)  # type: ignore[arg-type]
        except HackjackError:
            return None

    def _adds(self, what: str, event: str) -> bool:
        """Return whether a card waits for something and adds Blood or score to it."""
        waiting = (each for card in self._cards for each in card.effects if isinstance(each, rules.Whenever))
        return any(each.event == event and getattr(each, what) for each in waiting)

    @cached_property
    def waiting_together(self) -> list[rules.Whenever]:
        """What waits beside something else on one card: all of it is told apart by its order."""
        lists = ([each for each in card.effects if isinstance(each, rules.Whenever)] for card in self._cards)
        return [each for waiting in lists if len(waiting) > 1 for each in waiting]

    @cached_property
    def _cards(self) -> list[rules.Card]:
        return [card for deck in self.system.piles.values() for card in deck.cards]

    def _name(self, name: str, context: StepContext) -> tuple[Result] | None:
        known = dict(context.known)
        if name in known:
            return (known[name],)
        if name in self.unknown and name not in self.given:
            return (None,)
        if name in self.given or name in self.numbers or name in _MOMENT or name.startswith(OF_CARD):
            return None
        constant = self.system.steps.constants.get(name)
        if constant is not None:
            return (constant.plus,) if constant.is_number else None
        return (self.event if name == "event" else name,)

    def is_roll(self, node: Node) -> bool:
        """Return whether this very part of a formula rolls dice."""
        constant = self.system.steps.constants.get(str(node.about)) if node.kind == "name" else None
        rolls = node.about in (*self.dice, f"{OF_CARD}blood") if constant is None else not constant.is_number
        return node.kind == "dice" or node.kind in ROLLING.values() or (node.kind == "name" and rolls)

    def rolls(self, formulas: Iterable[Formula | None]) -> bool:
        """Return whether any of some formulas rolls dice."""
        return any(self.is_roll(node) for formula in formulas if formula is not None for node in formula.walk())

    # --- what is asked -----------------------------------------------------------------------------------------------

    def reads(self, formulas: Iterable[Formula | None], context: StepContext) -> KeySet:
        """Return the keys that formulas ask."""
        keys: set[Key] = set()
        for formula in formulas:
            waiting = [formula.tree] if formula is not None else []
            while waiting:
                node = waiting.pop()
                if self.value(node, context) is None:
                    line = self.line(node)
                    keys |= self.of_card_at_hand(line) if line else self.node_reads(node, context)
                    decided = self.value(node.parts[0], context) if node.kind == "if" else None
                    waiting += () if line else node.parts if decided is None else [node.parts[1 if decided[0] else 2]]
        return frozenset(keys)

    def node_reads(self, node: Node, context: StepContext) -> KeySet:
        """Return the keys that one part of a formula asks."""
        kind, about = node.kind, str(node.about)
        if kind in OF_HELD:
            more: set[Key] = {SAVES} if kind == "count" else {SPANS} if kind == "left" else set()
            more |= {ALL_HELD, PLACE if node.parts[0].kind == HERE else DETAILS} if node.parts else set()
            more |= {HELD_CARDS} if DETAILS in more else set()
            return frozenset({Held(kind, about), *more})
        match kind:
            case "does":
                return self.of_card_at_hand(f"{_DOES}{about}")
            case "waits":
                return frozenset({Held("has", about), SPANS})
            case "extra_blood" | "extra_score":
                return frozenset({Held(kind, about)})
            case "name" | "known" | "column":
                return self._name_reads(about, context)
            case "value" | "faces":
                there = (about,) if about in self.numbers else self._name(about, context)
                if there is not None:
                    return frozenset({Number(str(there[0]))}) if there[0] in self.numbers else NONE
                return self._name_reads(about, context).union(map(Number, self.numbers))
            case "met":
                return frozenset({Met(about)})
            case "suffered":
                return frozenset(map(Suffered, named_conditions(about, self.system)))
            case "cards" | "total":
                return frozenset({Pile(about)})
            case "owed":
                return frozenset({SAVES, OWED})
            case "coming":
                return frozenset({COMING})
            case "lowered" | "worst":
                per = {each.per for each in self._effects if isinstance(each, rules.Penalty) and each.per}
                asked = map(Number, per & self.numbers)
                noted = (ALL_HELD, DETAILS, HELD_CARDS) if node.parts else ()
                located = any(isinstance(each, rules.Penalty) and each.where for each in self._effects)
                return self._name_reads(about, context).union((LOWERING, LOST), asked, noted, HURT if located else NONE)
        return self.all if kind in NAMING else NONE

    def _name_reads(self, name: str, context: StepContext) -> KeySet:
        keys = _MOMENT.get(name, NONE)
        if name in self.given and name not in dict(context.known):
            keys |= {Name(name)}
        if name in self.numbers:
            keys |= {Number(name)}
        elif name == "level":
            keys |= {Held("level", context.of)}
        elif name.startswith(OF_CARD):
            keys |= self.of_card_at_hand(name.removeprefix(OF_CARD))
        return keys

    def of_card_at_hand(self, line: str) -> KeySet:
        """Return the keys of what the card at hand has of that name."""
        return self.decks | {CARD, CARDS, Line(line)}

    def line(self, node: Node) -> str:
        """Return what a part of a formula asks of the card at hand, by its name; empty where it asks nothing of it, or
        something else besides.

        Whatever is figured from the card alone is asked as a whole, so cards are only told apart by what it comes to.
        """
        if node not in self._lines:
            self._lines[node] = self._leaf(node) or self._figured_line(node)
        return self._lines[node]

    @staticmethod
    def _leaf(node: Node) -> str:
        if node.kind == "does":
            return f"{_DOES}{node.about}"
        asks = node.kind in ("name", "known") and str(node.about).startswith(OF_CARD)
        return str(node.about).removeprefix(OF_CARD) if asks else ""

    def _figured_line(self, node: Node) -> str:
        """Return the name of what is figured from the card at hand alone, and from nothing else."""
        if not node.parts or node.kind in NAMING or any(map(self.is_roll, node.walk())):
            return ""
        known = [self.value(part, StepContext()) for part in node.parts]
        lines = ["" if value else self.line(part) for part, value in zip(node.parts, known, strict=True)]
        if not any(lines) or not all(map(any, zip(lines, known, strict=True))):
            return ""
        line = repr(node)
        self._figured[line] = made_by(node, line, self._of_leaf)  # type: ignore[arg-type]
        try:
            for card in self._cards:
                self.of_card(card, line)
        except HackjackError:
            return ""
        return line

    def _of_leaf(self, node: Node) -> Callable[[rules.Card | None], Result] | None:
        there = self.value(node, StepContext())
        if there is not None:
            return lambda _: there[0]
        return partial(self.figure_of, node) if self._leaf(node) else None

    def figure_of(self, node: Node, card: rules.Card | None) -> Result:
        """Return the value of a part of a formula that asks the card at hand alone; there may be none."""
        line = self.line(node)
        if line in self._figured:
            figured: Result = self._figured[line](card)  # type: ignore[arg-type]
            return figured
        there = None if card is None else self.of_card(card, line)
        if node.kind != "name":
            return int(there not in (None, False))
        return 0 if there is None and card is not None and line in ("blood", "trauma") else there

    def lines(self, formulas: Iterable[Formula]) -> list[str]:
        """Return what formulas ask for of the card at hand, each by its name."""
        lines, waiting = set[str](), [each.tree for each in formulas]
        while waiting:
            node = waiting.pop()
            line = self.line(node)
            lines |= {line} if line else set()
            waiting += () if line else node.parts
        return sorted(lines)

    def of_card(self, card: rules.Card, line: str) -> Any:
        """Return what a card has of that name: a line or field, whether it does something, what is figured from it."""
        if line in self._figured:
            return self._figured[line](card)  # type: ignore[arg-type]
        if line == ITS_NAME:
            return card.name
        if line == ITS_WAITING:
            return tuple(each for each in card.effects if isinstance(each, rules.Whenever))
        if line.startswith(_DOES):
            return any(effect.do == line.removeprefix(_DOES) for effect in card.effects)
        return card_value(card, line, self.system)


def _of_card(node: Node, names: EventNames, slots: StateSlots) -> Callable[[AnyState], Result]:
    """Return what gives something of the card at hand, without a run: it is asked more often than all else."""
    memory: dict[tuple[str, int] | None, Result] = {}

    def value(state: AnyState) -> Result:
        hand = slots.hand_of(state)
        if hand not in memory:
            memory[hand] = names.figure_of(node, slots.piles[hand[0]].cards[hand[1]] if hand else None)
        return memory[hand]

    return value


def ready(formula: Formula, names: EventNames, context: StepContext, slots: StateSlots) -> Callable[[AnyState], Result]:
    """Return what gives a formula's value in a state; it rolls no dice."""

    def leaf(node: Node) -> Callable[[AnyState], Result] | None:
        there = names.value(node, context)
        if there is not None:
            return lambda _: there[0]
        about, given = str(node.about), Name(str(node.about))
        if CARD in slots.index and names.line(node):
            return _of_card(node, names, slots)
        plain = about not in names.given or given not in slots.index
        if node.kind in ("name", "value") and about in names.numbers and plain:
            number = slots.numbers[about]
            return lambda state: state[number]
        if node.kind == "name" and not plain and about != "side":
            name, other = slots.index[given], asked(node)
            return lambda state: other(state) if state[name] is UNSET else state[name]
        return asked(node) if node.kind == "name" or node.kind in NAMING else None

    def asked(node: Node) -> Callable[[AnyState], Result]:
        """Return what asks a run made from the state, once for all states that are alike for it."""
        asks, about = slots.indices(names.node_reads(node, context)), str(node.about)
        which = HERE if node.parts and node.parts[0].kind == HERE else ""
        detail_of = made_by(node.parts[0], about, leaf) if node.parts and not which else None  # type: ignore[arg-type]
        memory: dict[Any, Result] = {}

        def ask(state: AnyState) -> Result:
            detail = None if detail_of is None else str(detail_of(state) or "")  # type: ignore[arg-type]
            key = tuple([state[slot] for slot in asks]), detail
            if key not in memory:
                run, _ = slots.event_run(state, context)
                memory[key] = run.named(about) if node.kind == "name" else run.call(node.kind, about, which, detail)
            return memory[key]

        return ask

    return made_by(formula.tree, str(formula), leaf)  # type: ignore[arg-type,return-value]
