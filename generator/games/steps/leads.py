"""What a step leads to, and what it reads and changes, in one system: from the words that stand on its type."""

from collections.abc import Iterable, Iterator
from functools import cache

from generator.games.steps.system_views import argument_aims, condition_types
from generator.model import rules

Lead = tuple[str, str]
"""What a step leads to: a word of `LEADS`, and the name of the event, table, deck, pile or condition."""
Item = tuple[str, str]
"""Something that a step reads or changes: `number`, `name`, `pile`, `hidden` or a part of the state, and its name."""


def leads(effect: rules.AnyEffect, system: rules.System) -> Iterator[Lead]:
    """Yield what an effect leads to. Nothing may have judged the content: a name may be one that nothing has."""
    for word in effect.leads_to:
        kind, _, of = word.partition(" ")
        if kind == "aims":
            arguments = rules.names_in_word(effect, of)
            yield from (
                ("table", aim.table) for name in arguments for aim in argument_aims(system).get(name, {}).values()
            )
        elif of == "plays":
            yield from ((kind, event) for do, event in system.steps.plays.items() if do == effect.do)
        else:
            yield from ((kind, name) for name in (rules.names_in_word(effect, of) if of else ("",)))


def places_led_to(effect: rules.AnyEffect, system: rules.System) -> Iterator[Lead]:
    """Yield the events, tables, decks and conditions that an effect leads to, also in some time."""
    for kind, name in leads(effect, system):
        match kind:
            case "pile":
                yield from (("deck", deck) for deck in system.piles)
            case "conditions":
                # It may end a condition, or let it act.
                yield from (("condition", each) for each in system.head.conditions)
            case "event" | "others" | "table" | "deck" | "condition":
                yield kind, name


def lists_of(lead: Lead, system: rules.System) -> list[tuple[rules.AnyEffect, ...]]:
    """Return all lists of effects of an event, a deck, a table, a condition, or of the watches.

    Nothing has judged the content yet: a name may be one that nothing has.
    """
    kind, name = lead
    match kind:
        case "event" | "others":
            event = system.head.events.get(name)
            return [event.do_] if event else []
        case "watches":
            return [system.watches]
        case "deck":
            cards = system.piles[name].cards if name in system.piles else ()
            return [card.does(face) for card in cards for face in ("", *card.faces)]
        case "table":
            table = system.table(name)
            return [table.every, *(does for row in table.rows for _, does in row.lists)] if table else []
    condition = condition_types(system).get(name)
    return [condition.implies, *condition.each.values(), *condition.ends.values()] if condition else []


def led_to(effect: rules.AnyEffect, kind: str, system: rules.System) -> list[str]:
    """Return the names of the events, tables, decks or conditions that an effect leads to."""
    return [name for each, name in leads(effect, system) if each == kind] if kind in kinds_led_to(type(effect)) else []


@cache
def kinds_led_to(kind: type[rules.Effect]) -> set[str]:
    """Return the kinds of places that a kind of effect leads to."""
    return {"table" if word.startswith("aims") else word.partition(" ")[0] for word in kind.leads_to}


def endings(effects: Iterable[rules.AnyEffect], system: rules.System) -> list[tuple[str, rules.Until]]:
    """Return the conditions that effects and those inside them bring, each with how long it lasts."""
    lasting = ((each, each.until) for _, each in rules.walk_effects(tuple(effects)) if hasattr(each, "until"))
    return [(name, until) for each, until in lasting for name in led_to(each, "condition", system)]


def items(effect: rules.AnyEffect, words: Iterable[str], system: rules.System) -> Iterator[Item]:
    """Yield what words of an effect's type stand for: each number, name and pile, and each part of the state."""
    events = system.head.events
    for word in words:
        kind, _, of = word.rpartition(" ")
        if kind == "gives":
            called = [system.steps.plays.get(effect.do, "")] if of == "plays" else rules.names_in_word(effect, of)  # type: ignore[call-overload]
            yield from (("name", name) for event in called if event in events for name in events[event].gives)
        elif kind:
            yield from ((kind, name) for name in rules.names_in_word(effect, of))
        elif of.startswith("{"):
            yield from (item for name in rules.names_in_word(effect, of) for item in _named(name, system))
        else:
            yield ("name" if of in rules.NAMES_OF_MOMENT else of), of


def _named(name: str, system: rules.System) -> Iterator[Item]:
    """Yield what a name in a step may stand for: itself, and where it is an argument, every number that it may name."""
    numbers = {*system.steps.numbers, *system.steps.words}
    if name in numbers:
        yield "number", name
        return
    yield "name", name
    told = [each for event in system.head.events.values() if (each := event.takes.get(name)) is not None]
    if told:
        words = {word for each in told for word in each.of} or numbers
        yield from (("number", word) for word in words if word in numbers)


def changed_numbers(effects: Iterable[rules.AnyEffect], system: rules.System) -> set[str]:
    """Return the numbers and words that some effects may change themselves, those that the clock counts among them."""
    words = ((effect, word) for effect in effects for word in effect.changes if word == "clock" or word[0] == "{")
    changed = {item for effect, word in words for item in items(effect, (word,), system)}
    ticks = system.steps.clock.values() if ("clock", "clock") in changed else ()
    return {name for kind, name in changed if kind == "number"} | {tick.counts for tick in ticks if tick.counts}
