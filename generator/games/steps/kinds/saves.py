"""Checks and saves."""

from collections.abc import Iterator

from generator.games.content_face import Fault
from generator.games.steps.definitions import Definitions
from generator.games.steps.kinds import faults
from generator.model.steps.saves import Check
from generator.pack.strict_yaml import Trail


@faults(Check)
def check_faults(pack: Definitions, step: Check, trail: Trail) -> Iterator[Fault]:
    """Yield a check without one number to reach, without dice, or without a consequence."""
    if sum(bound is not None for bound in (step.at_most, step.at_least, step.over)) != 1:
        yield trail, "a check is rolled against one number: give it at most, at least, or over, and the number"
    if not (step.fails or step.passes or step.degrees):
        yield trail, "this check decides nothing: give it fails or passes"
    if step.die.is_number:
        yield (*trail, "die"), f"{step.die} is a number: write dice, such as d20 or 3d6"
    points = step.degrees.plain if step.degrees else 1
    if isinstance(points, int) and points < 1:
        yield (*trail, "degrees"), f"{points} points cannot be a degree: write 1 or more"


@faults(Check)
def automatic_faults(pack: Definitions, step: Check, trail: Trail) -> Iterator[Fault]:
    """Yield results that count whatever the number is, and that the dice never or always show, or that are both."""
    die, covered = step.die, dict[str, tuple[int, int]]()
    for key, span in (("always", step.always), ("never", step.never)):
        if span is None:
            continue
        low, top = max(span.low, die.least), die.most if span.high is None else min(span.high, die.most)
        covered[key] = (low, top)
        if low > top:
            yield (*trail, key), f"{die.spoken} never shows {span}: write what it can show"
        elif (low, top) == (die.least, die.most):
            yield (*trail, key), f"{die.spoken} always shows {span}: it decides nothing"
    lows, tops = zip(*covered.values(), strict=True) if len(covered) == 2 else ((1,), (0,))
    if max(lows) <= min(tops):
        yield (*trail, "never"), f"{max(lows)} cannot always succeed and always fail: take it out of one"
