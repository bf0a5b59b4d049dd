"""Steps that change numbers or name values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.base.errors import HackjackError
from generator.base.sealed import Hidden
from generator.games.steps import log as said
from generator.games.steps.kinds import plays
from generator.games.steps.lines import signed_figure
from generator.model.formulas import MAX_VALUE, Formula, Result, as_number
from generator.model.rules import Let, Lower, Raise, Reveal, SetTo

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
        told = current - new if run.telling and not up else new - current
        run.note(said.Number(name, told, new), step.ruling or "")


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
