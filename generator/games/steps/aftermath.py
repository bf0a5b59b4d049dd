"""What steps leave behind, whatever dice show and however saves are answered: for cards that say what they add."""

from collections.abc import Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from generator.base.dice import Dice
from generator.games.face import Left
from generator.games.steps.engine import EventRun
from generator.games.steps.kinds.saves import answered
from generator.games.steps.leads import endings
from generator.games.steps.scope import Scope
from generator.games.steps.state import LONG, HeldCondition, StepsState, fresh_values
from generator.model.formulas import Formula
from generator.model.rules import AnyEffect, System
from generator.play.apply_effects import EffectApplier, WoundContext
from generator.play.chance import Chance, RollNeed
from generator.play.every_way import TooMuchWorkError, every_way, work_budget

_EITHER = Dice(1, 2)
"""A save is passed or failed."""


@dataclass(frozen=True, slots=True)
class _Way:
    """One way that it may go: what is held in the end, and what the formula came to before and after every save."""

    held: tuple[HeldCondition, ...]
    numbers: tuple[int, ...]


MAX_LEFT_WORK = 1_000
"""So many dice, cards and steps one card's badge may take: there may be a thousand cards."""


def left_by(
    system: System, effects: Sequence[AnyEffect], part: str = "", counts: Formula | None = None, *, only: str = ""
) -> Left:
    """Return what remains of a fresh character after effects on that part of the body, and the formula's value.

    With `only` that condition alone is kept, and no save is answered. Of what is too much to count, what the effects
    name is what remains. Raises HackjackError for what cannot be played.
    """

    def played(chance: Chance) -> _Way:
        run = EventRun(system, StepsState(values=fresh_values(system)), chance, timeless=True)
        place = run.side(part) if part else ""
        run.play(effects, EffectApplier(system, "", WoundContext(part, place)))
        if only:
            run.conditions.held = [held for held in run.conditions.held if held.condition == only]
            run.conditions.saves = []
        numbers = [_figured(run, counts)]
        while run.conditions.saves and not run.dead:
            run.follow(answered(run, passed=chance.roll(RollNeed(_EITHER, "save"))[0] == 1))
            numbers.append(_figured(run, counts))
        return _Way(tuple(run.conditions.held), tuple(numbers))

    try:
        with work_budget(MAX_LEFT_WORK):
            ways = [way for _, way in every_way(played)]
    except TooMuchWorkError:
        named = [(name, until.word) for name, until in endings(effects, system) if until.word in LONG]
        days = tuple(dict.fromkeys(name for name, word in named if word == "day"))
        return Left((), days, any(word == "save" for _, word in named), len(named), uncounted=True)
    long = [[held for held in way.held if held.word in LONG] for way in ways]
    return Left(
        tuple(sorted({number for way in ways for number in way.numbers})),
        tuple(dict.fromkeys(held.condition for each in long for held in each if held.word == "day")),
        any(held.word == "save" for each in long for held in each),
        max(map(len, long), default=0),
    )


def _figured(run: EventRun, counts: Formula | None) -> int:
    if counts is None or run.dead:
        return 0
    # A state is what it is once the event is over.
    value = Scope(run.system, replace(run.state(), dead=False), run.chance).figure(counts)
    return value if isinstance(value, int) else 0
