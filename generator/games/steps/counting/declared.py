"""Steps that are counted by what stands on their types: what they read, change and lead to."""

from collections.abc import Iterable, Iterator
from typing import Any

from generator.games.steps.counting.compile import CompiledEvent, counts, whole
from generator.games.steps.counting.formulas import formulas_of
from generator.games.steps.counting.keys import (
    ALL_HELD,
    CARDS,
    COMING,
    DEAD,
    DETAILS,
    HELD,
    HELD_CARDS,
    ITS_CODE,
    LASTS,
    LOST,
    NONE,
    OWED,
    PLACED_HURT,
    SAVES,
    SPANS,
    Drawn,
    Key,
    KeySet,
    Met,
    Name,
    News,
    Number,
    StepContext,
    Suffered,
)
from generator.games.steps.counting.liveness import Effects, Plan
from generator.games.steps.leads import items, lists_of, places_led_to
from generator.model import rules
from generator.model.formulas import Formula

_OF_STATE: dict[str, KeySet] = {
    "conditions": frozenset({HELD, ALL_HELD, SPANS, DETAILS, HELD_CARDS}),
    "coming": frozenset({COMING}),
    "lost": frozenset({LOST}),
    "saves": frozenset({SAVES, OWED}),
    "death": frozenset({DEAD}),
    "life": frozenset({DEAD}),
    "place": PLACED_HURT,
    "span": frozenset({LASTS}),
}
"""The keys of parts of the state, by their words."""
_NEWS: dict[str, type[News]] = {"met": Met, "suffered": Suffered, "decks": Drawn}
"""What an answer may list of a change of these."""


@counts(rules.Effect)
def count_declared(compiled: CompiledEvent, step: Any, after: KeySet, context: StepContext) -> Plan | None:
    """Return a step that the engine plays, with what it leads to, as far as anything can tell it."""
    changes = _keys_of(compiled, step, step.changes, context).union(map(Name, rules.given_names(step)))
    reads = _keys_of(compiled, step, step.reads, context) | compiled.names.reads(formulas_of(step), context)
    lists = [] if step.later else [*_lists(compiled, step, context)]
    now, alive = after, False

    def before(now: KeySet) -> KeySet:
        nonlocal alive
        blocks = [compiled.live.block(effects, now, where) for effects, where in lists]
        alive = any(block.alive for block in blocks)
        return now.union(*(block.before for block in blocks))

    if lists:
        now = compiled.live.looped(after, before)
    writes = changes & (now | {DEAD})
    if HELD in changes and any(compiled.tells(each, now) for each in compiled.system.head.conditions):
        writes |= {HELD}
    listed = tuple(kind for word, kind in _NEWS.items() if word in step.changes)
    news = any(isinstance(key, listed) for key in now | compiled.tallied)
    if not (writes or alive or news):
        return None
    if "death" in step.changes:
        reads |= frozenset(key for key in compiled.asked_of_dead(context) if not isinstance(key, Name))
    if "decks" in step.changes or writes & compiled.names.of_cards or (alive and now & compiled.names.of_cards):
        # Where cards may be drawn, read or put back, it is known of each which it is.
        return compiled.with_all(step, after, context, now | reads | compiled.names.all)
    if alive or news:
        return compiled.with_all(step, after, context, now | reads | writes)
    reads |= _OF_STATE["conditions"] - {HELD} if HELD in writes else NONE
    return compiled.by_engine(whole(step), after, context, reads, writes)


def _lists(compiled: CompiledEvent, step: rules.Effect, context: StepContext) -> Iterator[tuple[Effects, StepContext]]:
    """Yield the lists of steps that stand in a step, and those that it leads to, each with where it stands."""
    yield from ((effects, context) for _, effects in rules.nested_effects(step))
    system, inner = compiled.system, context._replace(known=(), of="", part_of="", inked=False)
    at_hand = (("deck", deck) for deck in system.piles if "card" in step.leads_to)
    for kind, name in (*places_led_to(step, system), *at_hand):
        where = inner._replace(of=name if kind == "condition" else "")
        for effects in lists_of((kind, name), system) if kind != "others" else ():
            yield effects, where
            later = (each for _, each in rules.walk_effects(effects) if each.later)
            # What was put off may come about now.
            yield from ((below, where) for each in later for _, below in rules.nested_effects(each))


def _keys_of(compiled: CompiledEvent, step: rules.Effect, words: Iterable[str], context: StepContext) -> KeySet:
    """Return the keys of what words on a step's type stand for."""
    names, system, keys = compiled.names, compiled.system, set[Key]()
    for kind, name in items(step, words, system):
        match kind:
            case "number":
                own = system.steps.numbers.get(name)
                bounds: list[Formula | None] = [own.least, own.most] if own else []
                keys |= {Number(name)} | names.reads(bounds, context)
            case "name":
                keys |= {Name(name)}
            case "pile":
                keys |= names.piles([name])
            case "piles":
                keys |= names.piles(system.steps.piles)
            case "card":
                keys |= names.of_card_at_hand(ITS_CODE)
            case "decks":
                keys |= names.decks | {CARDS}
            case "clock":
                keys |= {Number(tick.counts) for tick in system.steps.clock.values() if tick.counts}
            case "met":
                keys |= {Met(table.id) for table in system.tables}
            case "suffered":
                keys |= set(map(Suffered, system.head.conditions))
            case _:
                keys |= _OF_STATE.get(kind, NONE)
    return frozenset(keys)
