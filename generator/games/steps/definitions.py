"""What a pack of events defines: its steps, their formulas, and the names that those may use."""

from collections.abc import Collection, Iterable, Iterator
from functools import cached_property

from generator.base.naming import fields_naming, named
from generator.games.steps.leads import endings, items, led_to
from generator.games.steps.system_views import state_keys
from generator.model import rules
from generator.model.formulas import CARD_FIELDS, OF_CARD, Formula, Node
from generator.model.procedures import Telling
from generator.model.taken_names import MOMENT
from generator.pack.strict_yaml import Trail
from generator.words.quoting import quoted_names

Effects = tuple[rules.AnyEffect, ...]
StepList = tuple[str, Trail, Effects]
"""A file, the place of a list of steps in it, and the steps."""


class Definitions:
    """What one pack defines, derived from its steps once it is needed."""

    def __init__(self, system: rules.System) -> None:
        self.system = system

    # --- steps and formulas ------------------------------------------------------------------------------------------

    @cached_property
    def lists(self) -> list[StepList]:
        """Every list of steps outside others."""
        head = self.system.head
        lists: list[StepList] = []
        lists += [("system.yaml", ("events", name, "do"), each.do_) for name, each in head.events.items()]
        lists += [("system.yaml", ("watches", at, "do"), each.do_) for at, each in enumerate(head.watches)]
        for name, condition in head.conditions.items():
            lists.append(("system.yaml", ("conditions", name, "implies"), condition.implies))
            for key, by_word in (("each", condition.each), ("ends", condition.ends)):
                lists += [("system.yaml", ("conditions", name, key, word), does) for word, does in by_word.items()]
        for place, table in enumerate(self.system.tables):
            lists.append(("tables.yaml", ("tables", place, "every"), table.every))
            for row_place, row in enumerate(table.rows):
                trail: Trail = ("tables", place, "rows", row_place)
                lists += [("tables.yaml", (*trail, *keys), effects) for keys, effects in row.lists]
        return [*lists, *((file, trail, effects) for file, trail, effects, _ in cards_of(self.system))]

    @cached_property
    def effects(self) -> list[rules.AnyEffect]:
        """Every effect that the pack may play, those inside others too."""
        return [effect for _, _, effects in self.lists for _, effect in rules.walk_effects(effects)]

    @cached_property
    def nodes(self) -> list[Node]:
        """The nodes of every formula of the pack."""
        return [node for formula in self._formulas() for node in formula.walk()]

    def _formulas(self) -> Iterator[Formula]:
        head, procedure = self.system.head, self.system.steps
        for effect in self.effects:
            yield from (formula for _, formula in rules.effect_formulas(effect))
        yield from (telling.when for telling in procedure.log if telling.when)
        yield from (need.holds for need in procedure.sound if need.holds)
        yield from (figure.be for figure in procedure.sheet.values())
        for event in head.events.values():
            takes = (formula for each in event.takes.values() for formula in (each.default, each.when))
            yield from (formula for formula in takes if formula)
            yield from (need.holds for need in event.needs if need.holds)
            yield from (*event.odds.values(), *event.aside.values(), *([event.better] if event.better else []))
        yield from (watch.holds for watch in head.watches)
        yield from (question.counts for question in head.questions.values())
        yield from (tick.stops for tick in procedure.clock.values() if tick.stops)
        asked = (each for condition in head.conditions.values() for each in (condition.runs, condition.while_))
        yield from (formula for formula in asked if formula)
        yield from (bound for own in procedure.numbers.values() for bound in (own.least, own.most) if bound)
        yield from [procedure.recovers] if procedure.recovers else []

    def named(self, *nouns: str) -> set[str]:
        """Return the names of some things in the fields of all effects."""
        return {name for effect in self.effects for name in named(effect, *nouns)}

    def changes(self, name: str) -> bool:
        """Return whether a step changes a name of the moment; one with a key of that name only if the key is given."""
        return any(name in effect.changes and getattr(effect, name, 1) is not None for effect in self.effects)

    def called_with(self, *functions: str) -> set[str]:
        """Return the names that formulas call a function with, and the words that these may be: `lowered(hp)`."""
        names = {str(node.about) for node in self.nodes if node.kind in functions}
        return names.union(*(self.word_values.get(name, set()) for name in names))

    @cached_property
    def card_fields(self) -> set[str]:
        """What formulas ask of every card."""
        names = {str(node.about) for node in self.nodes if node.kind != "word"}
        return {key for key in CARD_FIELDS if OF_CARD + key in names}

    # --- names of the author -----------------------------------------------------------------------------------------

    def own_name(self, name: str, but: str = "piles") -> str:
        """Return why a name is taken by something that stands before a key of the procedure; empty for a free one."""
        keys = ("constants", "numbers", "words", "piles")
        by = next((key for key in keys[: keys.index(but)] if name in getattr(self.system.steps, key)), "")
        return f'"{name}" is taken already, by one of your {by}: choose another name' if by else ""

    @cached_property
    def names(self) -> set[str]:
        """Every name that an event may give to something."""
        given = {name for effect in self.effects for name in rules.given_names(effect)}
        return given | {name for event in self.system.head.events.values() for name in event.takes}

    @cached_property
    def words(self) -> set[str]:
        """Every word that something may be."""
        head, procedure = self.system.head, self.system.steps
        words = {word for own in procedure.words.values() for word in own.of}
        words |= {word for event in head.events.values() for takes in event.takes.values() for word in takes.of}
        words |= {face for deck in self.system.piles.values() for face in deck.faces}
        words |= {column for table in self.system.tables for column in table.columns}
        return words | self.sides | set(head.parts) | set(head.conditions) | set(head.events) | {"unknown", "none"}

    @cached_property
    def word_values(self) -> dict[str, set[str]]:
        """The words that a name may be, for each name that is a word rather than a number."""
        words_by_name = {name: {*own.of} for name, own in self.system.steps.words.items()}
        for event in self.system.head.events.values():
            for name, takes in event.takes.items():
                if takes.of:
                    words_by_name.setdefault(name, set()).update(takes.of)
        if self.sides:
            words_by_name.setdefault("side", set()).update(self.sides)
        return words_by_name

    def names_holding(self, words: Collection[str], *, alone: bool = False) -> list[str]:
        """Return the names that may be one of some words; or, with `alone`, nothing else."""
        return [
            name for name, of in self.word_values.items() if (of <= {*words} if alone else not of.isdisjoint(words))
        ]

    @cached_property
    def numbers(self) -> list[str]:
        """The numbers, and what holds the name of one."""
        numbers = self.system.steps.numbers
        return [*numbers, *self.names_holding(numbers, alone=True)]

    @cached_property
    def sides(self) -> set[str]:
        """The sides of parts of the body: what `side` may be."""
        return {side for part in self.system.head.parts.values() for side in part.sides}

    @cached_property
    def card_lines(self) -> set[str]:
        """What formulas may ask of a card: its lines, and what every card has."""
        piles = self.system.piles.values()
        return {OF_CARD + key for deck in piles for key in (*deck.lines, *CARD_FIELDS)}

    @property
    def own_groups(self) -> set[str]:
        """The conditions and their groups."""
        conditions = self.system.head.conditions
        return {*conditions, *(each.group for each in conditions.values() if each.group), "long"}

    @cached_property
    def groups(self) -> set[str]:
        """What formulas and steps may name of what somebody bears."""
        words = {*rules.LEFT, *rules.LASTING} | (self.awaited - {"now", "same"}) if self.system.steps.by_card else set()
        return self.own_groups | {*state_keys(self.system).values()} | words

    # --- names that have a value -------------------------------------------------------------------------------------

    @cached_property
    def valued(self) -> set[str]:
        """Every name that has a value."""
        return self._valued_everywhere | self.names

    @cached_property
    def _valued_everywhere(self) -> set[str]:
        """Every name that has a value in any event."""
        procedure = self.system.steps
        own = {*procedure.constants, *procedure.numbers, *procedure.words, *self.card_lines}
        return own | {*MOMENT, *(["side"] if self.sides else [])}

    @cached_property
    def quotable(self) -> set[str]:
        """What words in the log may quote."""
        return {*self.system.numbers, *self.system.readings, *self.valued, *self.system.head.conditions}

    def is_unknown(self, name: str) -> bool:
        """Return True for a name that is neither a value nor a word."""
        return name not in self.valued and name not in self.words

    @cached_property
    def _reach(self) -> dict[str, set[str]]:
        """The names that steps of each event know, and under "" those that steps of any event may know."""
        events = self.system.head.events
        names = {name: {*event.takes} for name, event in events.items()} | {"": self._valued_everywhere | self.words}
        for _, trail, effects in self.lists:
            own = names[event_of(trail)]
            own.update(name for _, effect in rules.walk_effects(effects) for name in rules.given_names(effect))
            own.update(name for event in self.called_by(effects) for name in event.gives)
        names[""].update(*(events[each].gives for each in self.system.steps.plays.values() if each in events))
        return names

    def called_by(self, effects: Effects) -> list[rules.Happening]:
        """Return the events that steps call."""
        events = self.system.head.events
        calls = (name for _, effect in rules.walk_effects(effects) for name in led_to(effect, "event", self.system))
        return [events[name] for name in calls if name in events]

    def unreached(self, name: str, trail: Trail) -> str:
        """Return why an event does not know a name that another event has; empty if it may know it."""
        own = event_of(trail)
        if not own or name in self._reach[""] | self._reach[own]:
            return ""
        events = self.system.head.events
        if not (owners := [event for event in events if name in self._reach[event]]):
            return ""
        called = self.called_by(events[own].do_)
        if giving := next((each for each in owners if events[each] in called and name not in events[each].takes), ""):
            return f"{name} is a name of {giving}: write gives {name} there"
        return f"{name} is a name of {owners[0]} and unknown here: write takes {name}, or let {name} = ..."

    # --- what is used ------------------------------------------------------------------------------------------------

    @cached_property
    def used(self) -> set[str] | None:
        """Every name that something uses; None while there are names that nothing has: one may be a misspelt one."""
        names = {str(node.about) for node in self.nodes if node.kind == "name"}
        if self.system.mended or any(map(self.is_unknown, names)):
            return None
        steps = (each for each in self.effects if isinstance(each, rules.Step))
        logs = [*(step.log for step in steps if step.log), *self.system.steps.log]
        texts = (log.says or "" if isinstance(log, Telling) else log for log in logs)
        used = {str(node.about) for node in self.nodes}
        used |= self.named("own number", "number or word", "argument of a kind")
        used |= {name for text in texts for name in quoted_names(text)}
        return used | {name for event in self.system.head.events.values() for name in event.gives}

    def idle(self, names: Iterable[str], trail: Trail) -> Iterator[tuple[Trail, str]]:
        """Yield a fault for each name that a step of an event, a condition or a watch gives and nothing uses."""
        for name in names if trail[:1] in (("events",), ("conditions",), ("watches",)) else ():
            if self.used is not None and self.used.isdisjoint((name, name + rules.FIRST)):
                yield trail, f"nothing uses {name}: take it out, or name it in a formula"

    def changed_names(self, step: rules.AnyEffect) -> set[str]:
        """Return the numbers, words, conditions and names of the moment that a step itself changes."""
        changed = {"dead" if kind == "death" else name for kind, name in items(step, step.changes, self.system)}
        conditions = {*led_to(step, "condition", self.system), *named(step, "ended condition")}
        return changed | conditions | {*rules.given_names(step)}

    @cached_property
    def called(self) -> set[str]:
        """The events that steps call, and effects that are events."""
        called = {name for effect in self.effects for name in led_to(effect, "event", self.system)}
        return called | {*self.system.steps.plays.values()}

    # --- how conditions end ------------------------------------------------------------------------------------------

    @cached_property
    def endings(self) -> list[tuple[str, rules.Until]]:
        """The conditions that effects bring, each with how long it lasts."""
        return [ending for _, _, effects in self.lists for ending in endings(effects, self.system)]

    @cached_property
    def awaited(self) -> set[str]:
        """The words that conditions last until."""
        return {until.word for _, until in self.endings if not until.is_span}

    @cached_property
    def enders(self) -> set[str]:
        """What a condition may last until: an event, or what a step or a unit of time ends."""
        return {*self.typed, *self.named("end"), *self.ended_by_clock}

    @property
    def typed(self) -> list[str]:
        """The events that somebody may type."""
        return [name for name, event in self.system.head.events.items() if not event.helper]

    @cached_property
    def ended_by_clock(self) -> set[str]:
        """The words that units of time end."""
        return {word for tick in self.system.steps.clock.values() for word in tick.ends}

    @cached_property
    def unended(self) -> set[str]:
        """The words that conditions last until and that nothing ends but an event of that name."""
        watched = (each for watch in self.system.head.watches for _, each in rules.walk_effects(watch.do_))
        spared = {name for effect in watched for name in named(effect, "ended condition")}
        words = {until.word for name, until in self.endings if name not in spared and not until.is_span}
        words -= self.ended_by_clock | self.named("end")
        return words - ({*rules.ENDS_OF_STEPS} - {*rules.ENDED_BY_GM})


def ends_conditions(effects: Effects) -> bool:
    """Return whether one of some steps may end what lasts until something."""
    return any(fields_naming(type(effect), "end") for _, effect in rules.walk_effects(effects))


def event_of(trail: Trail) -> str:
    """Return the name of the event in which something stands; empty outside of events."""
    return str(trail[1]) if trail[:1] == ("events",) and len(trail) > 1 else ""


def cards_of(system: rules.System) -> Iterator[tuple[str, Trail, Effects, rules.Card]]:
    """Yield the effects on the cards of all decks, by their faces: file, place, effects and card."""
    piles = [("decks.yaml", ("decks", place), deck) for place, deck in enumerate(system.decks)]
    start: list[tuple[str, Trail, rules.Deck]] = [("deck.yaml", (), system.deck)] if system.deck else []
    for file, trail, deck in (*start, *piles):
        for place, card in enumerate(deck.cards):
            yield file, (*trail, "cards", place, "effects"), card.effects, card
            for name, face in card.faces.items():
                yield file, (*trail, "cards", place, "faces", name, "effects"), face.effects, card
