"""Formulas made ready: their values in states."""

from collections.abc import Callable
from typing import Any

from generator.games.steps.counting.distribution import AnyState
from generator.games.steps.counting.formulas import EventNames
from generator.games.steps.counting.keys import CARD, UNSET, Name, StepContext
from generator.games.steps.counting.state_slots import StateSlots
from generator.model.formulas import HERE, NAMING, Formula, Node, Result, made_by


def _of_card(node: Node, names: EventNames, slots: StateSlots) -> Callable[[AnyState], Result]:
    """Return what gives something of the card at hand, without a bench: it is asked more often than all else."""
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
        """Return what asks a bench made from the state, once for all states that are alike for it."""
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
