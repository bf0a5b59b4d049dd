"""Checks and saves."""

from typing import TYPE_CHECKING, Annotated

from msgspec import Meta

from generator.base.dice import Dice
from generator.base.fields import Line, RulingName
from generator.model.durations import Span
from generator.model.formulas import Formula
from generator.model.procedures import Procedure, Steps
from generator.model.steps.base import NO_SAVE, NO_SCORE, Effect, Start, Step
from generator.model.steps.conditions import Penalty, Suffer

if TYPE_CHECKING:
    from generator.model.steps import AnyEffect


class Check(Effect, frozen=True, tag="check"):
    """Rolls dice against a number."""

    form = "check ?{name:text} {die:rolled}"
    clauses = (
        "at most {at_most:formula} | at least {at_least:formula} | over {over:formula} | always {always:range} | "
        "never {never:range} | degrees {degrees:formula} | once recovered =begins:recovery | "
        "if alive =begins:survival"
    )
    block = "?passes fails"
    changes = ("rolled", "degrees")
    luck = ("dice",)
    unplayed = NO_SCORE

    die: Dice
    adds: Annotated[Formula, Meta(description="added to the die; always and never are the die alone")] | None = None
    over: Annotated[Formula, Meta(description="the die must show more; score is the death-score")] | None = None
    begins: Start = "now"
    name: Annotated[Line, Meta(description="what is checked: Strength")] | None = None
    at_most: Annotated[Formula, Meta(description="the die must show this or less")] | None = None
    at_least: Annotated[Formula, Meta(description="the die must show this or more")] | None = None
    always: Annotated[Span, Meta(description="results that always succeed: 1, or 1-5")] | None = None
    never: Annotated[Span, Meta(description="results that always fail: 20, or 96-100")] | None = None
    degrees: (
        Annotated[Formula, Meta(description="points of difference per degree: 10; or a formula of rolled and target")]
        | None
    ) = None
    passes: Annotated[tuple["AnyEffect", ...], Meta(max_length=12, description="steps after a success")] = ()
    fails: Annotated[tuple["AnyEffect", ...], Meta(max_length=12, description="steps after a failure")] = ()
    ruling: Annotated[RulingName, Meta(description="the ruling that it follows")] | None = None

    @property
    def price(self) -> tuple[Suffer | Penalty, ...]:
        """What a failure costs, if the check is no more than that: `check d20 over score else suffer dazed`."""
        more = self.name, self.at_most, self.at_least, self.always, self.never, self.degrees, self.adds, *self.passes
        costs = tuple(each for each in self.fails if isinstance(each, Suffer | Penalty))
        return costs if len(costs) == len(self.fails) and not any(more) else ()


def automatic_results(check: Check, procedure: Procedure) -> tuple[Span | None, Span | None]:
    """Return which results of a check always succeed and which always fail: its own, or the usual ones of its dice."""
    usual, die = procedure.checks if isinstance(procedure, Steps) else None, check.die
    if usual is None or usual.die not in (None, die):
        return check.always, check.never
    always, never = (
        span if span and span.low <= die.most and (span.high is None or span.high >= die.least) else None
        for span in (usual.always, usual.never)
    )
    return check.always or always, check.never or never


class Save(Effect, frozen=True, tag="save"):
    """The character makes a save."""

    form = "save"
    clauses = "if permanent =permanent"
    block = "?passes fails"
    reads = ("place", "span")
    changes = ("saves",)
    unplayed = NO_SAVE

    passes: Annotated[tuple["AnyEffect", ...], Meta(max_length=6)] = ()
    fails: Annotated[tuple["AnyEffect", ...], Meta(max_length=6)] = ()
    permanent: Annotated[bool, Meta(description="only if the condition that brings it is permanent")] = False

    @property
    def later(self) -> bool:
        """Whether it leads on only in some time: once it is answered."""
        return True


class Answer(Step, frozen=True, kw_only=True, tag="answer"):
    """Resolves the oldest pending save."""

    form = "answer {passed:formula}"
    prints = "make the save that you have owed longest; what hangs on it follows"
    reads = ("saves", "conditions")
    changes = ("saves", "conditions")
    leads_to = ("conditions",)
    entries = ("saved",)

    passed: Annotated[Formula, Meta(description="whether it succeeds")]
