"""The rehearsal of a pack: every event, cell, card and condition is played once, and what cannot be is a fault."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from generator.base.dice import Dice
from generator.base.errors import HackjackError, UsageError
from generator.games.steps.definitions import cards_of
from generator.games.steps.engine import EventRun
from generator.games.steps.leads import led_to
from generator.games.steps.lines import fact_sentence
from generator.games.steps.scope import Scope
from generator.games.steps.state import HeldCondition, Owed, PiledCard, RefusedError, StepsState, fresh_values
from generator.model.formulas import Formula
from generator.model.rules import AnyEffect, Card, Happening, Save, System, given_names, per_system, walk_effects
from generator.pack.strict_yaml import Trail
from generator.play.apply_effects import EffectApplier
from generator.play.chance import Seeded
from generator.play.every_way import spend_work
from generator.play.piles import all_names

MAX_CHOICES = 100
"""So often the same is chosen where events are tried; afterwards by luck."""
_A_DIE = Dice(1, 6)
"""A die that is typed in a rehearsal."""


def rehearse(system: System) -> Iterator[tuple[str, Trail, str]]:
    """Play every event, cell, card and condition once; yield the file, the place and the fault of each that fails."""
    # A card may lead to a table, and what is called alone may be called with a card at hand.
    cards = [card for deck in system.piles.values() for card in deck.cards]
    any_card = next((card for card in cards if card.lines), cards[0] if cards else None)
    for name, happening in system.head.events.items():
        if fault := _fault(system, happening.do_, name, card=any_card if happening.alone or happening.helper else None):
            yield "system.yaml", ("events", name), fault
        scope = Scope(system, _trial_state(system), Seeded(0))
        scope.names |= _trial_values(system, name)
        for at, need in enumerate(happening.needs):
            try:
                scope.figure(need.holds or Formula("1"))
            except RefusedError:
                continue
            except HackjackError as error:
                written: Trail = ("events", name, "needs", at, "holds")
                yield "system.yaml", written, f"{error}. Ask first whether it is known"
    for place, table in enumerate(system.tables):
        if fault := _fault(system, table.every, table.id, card=any_card):
            yield "tables.yaml", ("tables", place, "every"), fault
        for at, row in enumerate(table.rows):
            for trail, cell in row.lists:
                # What looks further up is played where an event reaches it.
                if any(led_to(each, "table", system) for _, each in walk_effects(cell)):
                    continue
                if fault := _fault(system, cell, table.id, card=any_card):
                    yield "tables.yaml", ("tables", place, "rows", at, *trail), fault
    for file, where, effects, card in cards_of(system):
        if fault := _fault(system, effects, "a card", card=card):
            yield file, where, fault
    for name, condition in system.head.conditions.items():
        for key, lists in (("each", condition.each), ("ends", condition.ends)):
            for word, effects in lists.items():
                if fault := _fault(system, effects, name, of=name):
                    yield "system.yaml", ("conditions", name, key, word), fault
        for _, effect in walk_effects(condition.implies):
            if isinstance(effect, Save):
                for effects in (effect.passes, effect.fails):
                    if fault := _fault(system, effects, name, of=name):
                        yield "system.yaml", ("conditions", name, "implies"), fault


@per_system
def _all_cards(system: System) -> list[tuple[str, Card]]:
    """Return all cards by name, those that are left out of play too."""
    alone = len(system.piles) == 1
    decks = system.piles.items()
    return [(card.code if alone else f"{name}:{card.code}", card) for name, deck in decks for card in deck.cards]


def _fault(system: System, effects: tuple[AnyEffect, ...], source: str, of: str = "", card: Card | None = None) -> str:
    """Return why steps cannot be played on a fresh character, for any choice; empty if they can."""
    choices = (getattr(effect, "options", ()) for _, effect in walk_effects(effects) if effect.may_ask("choose"))
    most = max(map(len, choices), default=1)
    tried = (_fault_with(system, effects, source, of, card, choice) for choice in range(1, most + 1))
    return next(filter(None, tried), "")


def _fault_with(
    system: System, effects: tuple[AnyEffect, ...], source: str, of: str, card: Card | None, choice: int
) -> str:
    """Return why steps cannot be played if each choice is that option; empty if they can."""
    run = EventRun(system, _trial_state(system), Seeded(0, [choice] * MAX_CHOICES))
    run.event = source if source in system.head.events else next(iter(system.head.events), "")
    applier, run.card = EffectApplier(system, source), card
    if card is not None:
        run.at_hand = next((name for name, each in _all_cards(system) if each is card), "")
        # Steps with the cards of a pile are tried with one that leads to nothing.
        quiet = next((name for name, each in _all_cards(system) if not (each.effects or each.faces)), "")
        run.piles = {name: [PiledCard(quiet)] if quiet else [] for name in run.piles}
    applier.of = of
    try:
        run.names |= _trial_values(system, source)
        takes = (item for each in system.head.events.values() for item in each.takes.items())
        run.dice = {name: _A_DIE for name, each in takes if each.die}
        run.play(effects, applier)
        for entry in run.log:
            fact_sentence(entry.fact, system)
    except (RefusedError, UsageError):
        # It is refused to a fresh character, or there are not so many options.
        return ""
    except HackjackError as error:
        # Whoever it is refused to would not have come so far.
        needs = system.head.events[source].needs if source in system.head.events and not of else ()
        with suppress(HackjackError):
            if all(run.figure(need.holds) for need in needs if need.holds):
                return f"this cannot be played: {error}"
        return ""
    finally:
        spend_work(1 + run.steps_taken)
    return ""


def _trial_values(system: System, source: str) -> dict[str, int | str | None]:
    """Return a value for each name that an event takes or gives, for steps that are tried without it.

    The event's own arguments come last. One that another event may leave out is known where any must be given it.
    """
    own = system.head.events.get(source)
    known = _common_values(system)
    return {**known, **_sample_values(system, own), **_unknown_values(own)} if own else {**known}


@per_system
def _common_values(system: System) -> dict[str, int | str | None]:
    """Return such values where no event has begun."""
    values: dict[str, int | str | None] = {}
    for happening in system.head.events.values():
        values |= _sample_values(system, happening)
        values = _unknown_values(happening) | values
    return values


def _sample_values(system: System, happening: Happening) -> dict[str, int | str | None]:
    """Return a value for each name that an event gives, and for each argument that must be typed."""
    values: dict[str, int | str | None] = {
        name: 1 for _, effect in walk_effects(happening.do_) for name in given_names(effect)
    }
    for name, takes in happening.takes.items():
        samples = {takes.name: "Mira", takes.die: str(_A_DIE), takes.card: next(iter(all_names(system)), "")}
        if not takes.optional:
            values[name] = takes.of[0] if takes.of else samples.get(True) or max(takes.least, 1)
    return values


def _trial_state(system: System) -> StepsState:
    """Return a fresh character who owes a save, if the system has any."""
    conditions = system.head.conditions
    saving = next((name for name, each in conditions.items() if any(isinstance(e, Save) for e in each.implies)), "")
    late = next((name for name, each in conditions.items() if each.chances), "")
    values = fresh_values(system)
    if saving or not late:
        return StepsState(values=values, saves=(Owed(saving),) if saving else ())
    held = (HeldCondition(late, "save"),)
    return StepsState(values=values, conditions=held, saves=(Owed(late, chance=True),))


def _unknown_values(happening: Happening) -> dict[str, int | str | None]:
    """Return the arguments that may be left out, as unknown."""
    return {name: None for name, takes in happening.takes.items() if takes.optional}
