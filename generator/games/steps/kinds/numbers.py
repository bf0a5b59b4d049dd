"""Steps that change numbers or name values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from generator.base.dice import Dice
from generator.base.errors import HackjackError
from generator.base.sealed import Hidden
from generator.games.content_face import Fault
from generator.games.steps import log as said
from generator.games.steps.definitions import Definitions, event_of
from generator.games.steps.formula_faults import constant_number
from generator.games.steps.kinds import faults, plays, riddles
from generator.games.steps.lines import signed_figure
from generator.model.formulas import MAX_VALUE, UNKNOWN, Formula, Node, Result, as_number
from generator.model.rules import Happening, Let, Lower, Raise, Reveal, SetTo
from generator.pack.strict_yaml import Trail

if TYPE_CHECKING:
    from generator.games.steps.engine import EventRun
    from generator.model.procedures import OwnNumber
    from generator.play.apply_effects import EffectApplier


@plays(Raise)
def raise_number(run: EventRun, step: Raise, _: EffectApplier) -> None:
    """Raise a number; `over` is what its bounds cut off."""
    _change(run, step, step.most)


@plays(Lower)
def lower_number(run: EventRun, step: Lower, _: EffectApplier) -> None:
    """Lower a number; `over` is what its bounds cut off."""
    _change(run, step, step.least)


def _change(run: EventRun, step: Raise | Lower, bound: Formula | None) -> None:
    name = run.number_of(step.number)
    own, current = run.system.steps.numbers[name], run.value(name)
    by, hidden = _under_cup(run, step.by, own, run.values[name])
    by = int(as_number(step.by, by))
    up = isinstance(step, Raise)
    changed = current + by if up else current - by
    bounds = bound, own.most if up else own.least
    limits = [limit for each in bounds if each and isinstance(limit := run.figure(each), int)]
    new = min([changed, *limits]) if up else max([changed, *limits])
    # A bound never cuts what is held.
    new = max(new, min(current, changed)) if up else min(new, max(current, changed))
    new = int(min(max(new, -MAX_VALUE), MAX_VALUE))
    run.values[name] = Hidden(new) if hidden else new
    run.names["over"] = abs(changed - new)
    if by and hidden:
        run.note(said.Concealed(name, run.rolled_hidden), step.ruling or "")
    elif by and not own.temporary:
        # What a bound cuts off is neither gained nor lost. The step's own words say how much is lost, with no sign.
        by = current - new if run.telling and not up else new - current
        run.note(said.Number(name, by, new), step.ruling or "")


def _under_cup(run: EventRun, formula: Formula, own: OwnNumber | None, current: Result) -> tuple[Result, bool]:
    """Return what a formula comes to for a number, and whether the number is hidden from then on."""
    run.cup, run.rolled_hidden = own is not None and own.hidden, False
    value = run.figure(formula)
    hides, run.cup = run.cup, False
    return value, hides and run.logs and (run.rolled_hidden or isinstance(current, Hidden) or run.tells(formula))


@plays(SetTo)
def set_to(run: EventRun, step: SetTo, _: EffectApplier) -> None:
    """Set a number or a word. Raises HackjackError for a value that it cannot have."""
    procedure = run.system.steps
    name = step.number if step.number in procedure.words else run.number_of(step.number)
    value, hidden = _under_cup(run, step.to, procedure.numbers.get(name), None)
    if name in procedure.words:
        if value not in procedure.words[name].of:
            raise HackjackError(f"{name} cannot be {signed_figure(value)}")
    elif isinstance(value, str):
        as_number(step.to, value)
    elif value is None and procedure.numbers[name].start is not None:
        raise HackjackError(f'"{step.to}" is unknown, and {name} is always known: it starts as a number')
    value = int(value) if isinstance(value, Hidden) else value
    run.values[name] = Hidden(value) if hidden and isinstance(value, int) else value
    if hidden and isinstance(value, int):
        run.note(said.Concealed(name, run.rolled_hidden), step.ruling or "")
    elif name in procedure.words or not procedure.numbers[name].temporary:
        run.note(said.Set(name, value), step.ruling or "")


@plays(Let)
def let(run: EventRun, step: Let, _: EffectApplier) -> None:
    """Name the value of a formula."""
    run.names[step.name] = run.figure_for(step.be, step.asks or step.title or step.name)


@plays(Reveal)
def reveal(run: EventRun, step: Reveal, _: EffectApplier) -> None:
    """Lift the cup from a number."""
    value = run.values[step.number]
    if isinstance(value, Hidden):
        run.values[step.number] = int(value)
        run.note(said.Revealed(step.number, int(value)), step.ruling or "")


# --- what types cannot say -------------------------------------------------------------------------------------------


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
