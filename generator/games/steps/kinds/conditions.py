"""Effects that a character suffers, and steps that end them."""

from collections.abc import Iterator

from generator.base.errors import did_you_mean
from generator.games.content_face import Fault
from generator.games.steps.definitions import Definitions, event_of
from generator.games.steps.kinds import faults
from generator.model import rules
from generator.model.steps.conditions import Bonus, End, Penalty, Revive, Suffer
from generator.pack.strict_yaml import Trail


@faults(Suffer)
def suffer_faults(pack: Definitions, effect: Suffer, trail: Trail) -> Iterator[Fault]:
    """Yield levels that a condition lacks, and ends that nothing brings."""
    condition = pack.system.head.conditions.get(effect.condition)
    if effect.levels is not None and condition and not condition.levels:
        yield (*trail, "levels"), f"{effect.condition} has no levels: say how many it has where it is defined"
    if effect.after is not None and effect.until.formula is not None:
        yield (*trail, "until"), "what begins later lasts until an event, or for a span with dice: 1d6 hours"
    if effect.detail is not None and effect.after is not None:
        yield (*trail, "detail"), "nothing is noted with what begins later: leave detail or after out"
    if effect.begins == "recovery" and pack.system.steps.recovers is None:
        yield (*trail, "begins"), "nothing waits for a recovery here: use after, with a span of time"
    word = effect.until.word
    if not effect.until.is_span and word not in rules.ENDS_OF_STEPS and word not in pack.enders:
        yield (*trail, "until"), _endless(pack, word)


def _endless(pack: Definitions, word: str) -> str:
    if says := rules.missing_end("steps", "suffer", word, pack.enders):
        return says
    if word in pack.system.head.events:
        return f"{word} is for other events only, so nothing can last until it"
    events, hint = ", ".join(pack.typed[:6]) or "none yet", did_you_mean(word, (*pack.typed, *rules.ENDS_OF_STEPS))
    return f'"{word}" is neither an event ({events}) nor a span such as 1d6 rounds nor for good{hint}'


@faults(Penalty, Bonus)
def penalty_faults(pack: Definitions, effect: Penalty, trail: Trail) -> Iterator[Fault]:
    """Yield levels of what has none, and dice of which a formula would have to know the result."""
    if effect.per == "level":
        condition = pack.system.head.conditions.get(str(trail[1])) if trail[:1] == ("conditions",) else None
        if condition is None or not condition.levels:
            yield (*trail, "per"), "only what a condition with levels implies may count them: give it levels"
    rolls = not effect.by.is_number and effect.until.word != "permanent" and not pack.system.steps.by_card
    if rolls and (names := " and ".join(sorted({*effect.to} & pack.lowered))):
        yield (*trail, "by"), f"formulas ask by how much {names} is lowered: what dice take off is not kept"


@faults(End)
def end_faults(pack: Definitions, step: End, trail: Trail) -> Iterator[Fault]:
    """Yield an end of more than one thing, or of what lasts until an event that is not known."""
    if sum(each is not None for each in (step.condition, step.group, step.ending, step.coming)) > 1:
        yield trail, "give one of condition, group, until and coming"
    if step.condition or step.group or step.ending or step.coming:
        return
    name, events = event_of(trail), pack.system.head.events
    if not name or name in pack.called:
        lasting = "until rest" if not name or events[name].helper else f"until {name}"
        where = f"other events call {name}" if name else "these steps are a part of several"
        cure = f"name it, as in end all {lasting}"
        yield trail, f"this ends what lasts until the event that is typed, and {where}: {cure}"
    elif step == End() and pack.used is not None and pack.awaited <= {*pack.enders, *rules.ENDS_OF_STEPS}:
        waited = {str(getattr(each, "until", "")) for each in pack.effects}
        if name not in waited | pack.ended_by_clock:
            yield trail, f"nothing lasts until {name}: write until: {name} where it begins, or name what ends"


@faults(Revive)
def revive_faults(pack: Definitions, step: Revive, trail: Trail) -> Iterator[Fault]:
    """Yield a life that nobody can get back."""
    if not any(event.dead for event in pack.system.head.events.values()):
        yield trail, "no event happens to the dead: write for the dead too in the one that revives them"
