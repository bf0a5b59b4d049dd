"""Steps that change numbers or name values."""

from collections.abc import Iterator

from generator.base.dice import Dice
from generator.games.content_face import Fault
from generator.games.steps.definitions import Definitions, event_of
from generator.games.steps.formula_faults import constant_number
from generator.games.steps.kinds import faults, riddles
from generator.model.formulas import UNKNOWN, Node
from generator.model.rules import Happening
from generator.model.steps.numbers import Let, Lower, Raise, SetTo
from generator.pack.strict_yaml import Trail


@faults(SetTo)
def set_faults(pack: Definitions, step: SetTo, trail: Trail) -> Iterator[Fault]:
    """Yield what becomes unknown though it never begins so."""
    own = pack.system.steps.numbers.get(step.number)
    if step.to.tree.kind != UNKNOWN:
        return
    if step.number in pack.system.steps.words:
        yield (*trail, "to"), f"{step.number} is always one of its words: leave unknown to numbers"
    elif own is not None and own.start is not None:
        yield (*trail, "to"), f"{step.number} is never unknown: write start: null where it is defined"


@faults(Let)
def let_faults(pack: Definitions, step: Let, trail: Trail) -> Iterator[Fault]:
    """Yield a name that nothing uses."""
    return pack.idle((step.name,), trail)


@riddles(Raise, Lower)
def change_riddles(pack: Definitions, step: Raise | Lower, trail: Trail) -> Iterator[Fault]:
    """Yield a loss that may be a gain, or the other way round."""
    least, _ = _span_of(pack, step.by.tree, pack.system.head.events.get(event_of(trail)))
    if least is not None and least < 0:
        turn = "rises" if isinstance(step, Lower) else "falls"
        says = f'"{step.by}" can be less than 0, and then {step.number} {turn}: write max({step.by}, 0)'
        yield (*trail, "by"), says


def _span_of(pack: Definitions, node: Node, event: Happening | None) -> tuple[int | None, int | None]:
    """Return the least and the most that a formula can come to, from numbers, dice and arguments; None if unknown."""
    number = constant_number(pack, node, {})
    if isinstance(number, int):
        return number, number
    if node.kind == "dice" and isinstance(node.about, Dice):
        return node.about.least, node.about.most
    takes = event.takes.get(str(node.about)) if event and node.kind == "name" else None
    if takes and not (takes.of or takes.one_of or takes.name or takes.card or takes.die or takes.default):
        return (0, 1) if takes.flag else (takes.least, takes.most)
    if node.kind not in ("+", "-") or len(node.parts) != 2:
        return None, None
    (low, top), (less, more) = (_span_of(pack, part, event) for part in node.parts)
    if node.kind == "-":
        less, more = (None if more is None else -more), (None if less is None else -less)
    return (None if low is None or less is None else low + less, None if top is None or more is None else top + more)
