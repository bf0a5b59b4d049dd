"""Steps with which time passes."""

from collections.abc import Iterator

from generator.games.content_face import Fault
from generator.games.steps.definitions import Definitions
from generator.games.steps.kinds import faults
from generator.model.steps.time import Pass
from generator.pack.strict_yaml import Trail


@faults(Pass)
def pass_faults(pack: Definitions, step: Pass, trail: Trail) -> Iterator[Fault]:
    """Yield time that passes while something else happens."""
    if trail[:1] in (("conditions",), ("watches",)):
        yield trail, "time passes in events alone: nothing that happens meanwhile can make it pass"
