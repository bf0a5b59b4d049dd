"""Steps that roll dice with names, or for steps."""

from collections.abc import Iterator

from generator.games.content_face import Fault, known
from generator.games.steps.definitions import Definitions
from generator.games.steps.kinds import faults
from generator.model.durations import Span
from generator.model.steps.dice import RollFor, Throw
from generator.pack.strict_yaml import Trail

_ENDLESS = 10**6


@faults(Throw)
def throw_faults(pack: Definitions, step: Throw, trail: Trail) -> Iterator[Fault]:
    """Yield names that nothing uses, and keys of dice that do not go together."""
    yield from pack.idle((*(() if step.counts and step.keep is None else step.dice), *step.counts), trail)
    for name in step.titles:
        yield from known(name, step.dice, "name among its dice", (*trail, "titles", name))
    if step.counts and (len(step.dice) > 1 or step.most or step.aces):
        yield (*trail, "counts"), "dice of one name are counted as they first fall: leave out at most and aces"
    if step.lowest and step.keep is None:
        yield (*trail, "lowest"), "all of them count: say how many are kept, such as keep 1"


@faults(RollFor)
def roll_faults(pack: Definitions, step: RollFor, trail: Trail) -> Iterator[Fault]:
    """Yield results that are covered twice."""
    covered: list[tuple[int, int]] = []
    for written in step.results:
        span = Span.parse(written)
        low, top = span.low, _ENDLESS if span.high is None else span.high
        if any(low <= end and start <= top for start, end in covered):
            yield (*trail, "results", written), f"{written} is covered already"
        covered.append((low, top))
