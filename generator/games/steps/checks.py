"""What types cannot say of events that are content, as `check` asks for it."""

from collections.abc import Collection, Iterator, Mapping
from functools import cached_property
from itertools import pairwise

from generator.games.content_face import Content, Fault
from generator.games.steps.cycles import first_cycle
from generator.games.steps.definitions import Definitions, event_of
from generator.games.steps.formula_faults import step_formula_faults, text_faults
from generator.games.steps.head_faults import head_faults
from generator.games.steps.kinds import FAULTS, RIDDLES
from generator.games.steps.leads import led_to
from generator.games.steps.system_views import argument_aims, kept_piles
from generator.model import rules
from generator.model.procedures import Telling
from generator.model.taken_names import LISTS, VALUES, taken_by
from generator.pack.strict_yaml import Trail
from generator.words.formula_wording import FormulaWords, needs_words
from generator.words.quoting import quoted_names


class StepsContent(Content):
    """The content of one pack of events."""

    @cached_property
    def pack(self) -> Definitions:
        """What the pack defines."""
        return Definitions(self.system)

    @property
    def CARD_SETS(self) -> tuple[str, ...]:  # type: ignore[override]  # noqa: N802 - a constant of the others
        """Return `conditions` if a condition has a name to put on a card."""
        return ("conditions",) if any(each.name for each in self.system.head.conditions.values()) else ()

    def table_events(self) -> tuple[str, ...]:
        """Return the names of the pack's events that happen at a table."""
        return tuple(name for name, event in self.system.head.events.items() if not (event.alone or event.helper))

    def card_fields(self) -> Collection[str]:
        """Return what formulas ask of every card."""
        return self.pack.card_fields

    def page_names(self) -> Collection[str]:
        """Return the numbers, words and piles of a state, and the keys under which it is written."""
        procedure = self.system.steps
        keys = [key.key for key in procedure.state]
        return (*self.system.kept_numbers, *procedure.words, *kept_piles(self.system), *keys, *LISTS)

    def names(self) -> Mapping[str, Collection[str]]:
        """Return what the fields of steps may name."""
        numbers = self.system.steps.numbers
        return {
            "own number": self.pack.numbers,
            "number or word": (*self.pack.numbers, *self.system.steps.words),
            "hidden number": [name for name, own in numbers.items() if own.hidden],
            "argument of a kind": argument_aims(self.system),
            "condition or group": self.pack.groups,
            "group": self.pack.groups,
        }

    def told_facts(self) -> Mapping[str, Collection[str]]:
        """Return the kinds of entries that steps and effects bring, and those that the author names."""
        fields = {**super().told_facts()}
        tellings: list[tuple[Telling, str]] = [(telling, telling.of) for telling in self.system.steps.log]
        for _, trail, effects in self.pack.lists:
            of = event_of(trail) or "said"
            steps = (effect for _, effect in rules.walk_effects(effects) if isinstance(effect, rules.Step))
            for step in steps:
                log = step.log or step.says
                tellings += [(log if isinstance(log, Telling) else Telling(says=log), of)] if log else []
        for telling, of in tellings:
            names = {*fields.get(of, ()), *quoted_names(telling.says or ""), "by", "left", "to", "card"}
            kind = telling.kind or of
            fields[kind] = {*fields.get(kind, ()), *names}
        return fields

    def riddles(self) -> Iterator[tuple[str, Trail, str]]:
        """Yield the steps that print as a formula, for their authors to word, and choices that compare too little."""
        words = FormulaWords(self.system)
        for file, trail, effects in self.pack.lists:
            worded: list[Trail] = []
            for place, effect in rules.walk_effects(effects):
                if find := RIDDLES.get(type(effect)):
                    yield from ((file, *riddle) for riddle in find(self.pack, effect, (*trail, *place)))
                if any(place[: len(outer)] == outer for outer in worded):
                    continue
                if isinstance(effect, rules.Step) and effect.says is not None:
                    worded.append(place)
                    continue
                for _, formula in rules.effect_formulas(effect):
                    if needs_words(node := words.folded(formula.tree)):
                        message = f'this prints as "{words.spoken(node)}": write print, and a sentence, below it'
                        yield file, (*trail, *place), message

    def head_faults(self) -> Iterator[Fault]:
        """Yield faults of numbers, words, the clock, events and watches."""
        return head_faults(self.pack, self.table_events())

    def file_faults(self, file: str) -> Iterator[Fault]:
        """Yield the circle whose first step stands in a file."""
        if self._cycle is not None and self._cycle[0] == file:
            yield self._cycle[1:]

    @cached_property
    def _cycle(self) -> tuple[str, Trail, str] | None:
        return first_cycle(self.pack.lists, self.system)

    def effect_faults(self, effect: rules.Effect, trail: Trail, *, implied: bool) -> Iterator[Fault]:
        """Yield what is wrong with one step."""
        del implied
        pack, until = self.pack, getattr(effect, "until", None)
        # What brings a condition says more of its end.
        if isinstance(until, rules.Until) and not led_to(effect, "condition", self.system):
            by_card = self.system.steps.by_card
            if says := rules.missing_end("steps", effect.do, str(until), pack.enders, by_card=by_card):
                yield (*trail, "until"), says
        if says := rules.not_played(effect.do, self.system.steps.plays):
            yield trail, says
        for name in rules.given_names(effect):
            if says := taken_by(name, VALUES) or pack.own_name(name):
                yield (*trail, effect.gives[0][1:].partition("}")[0]), says
        yield from step_formula_faults(pack, effect, trail)
        if isinstance(effect, rules.Step):
            yield from text_faults(pack, effect, trail)
        if find := FAULTS.get(type(effect)):
            yield from find(pack, effect, trail)

    def list_faults(self, effects: tuple[rules.Effect, ...], trail: Trail) -> Iterator[Fault]:
        """Yield the first step that stands after a death, and so never runs."""
        for place, (effect, after) in enumerate(pairwise(effects)):
            if "death" in effect.changes and not {"death", "life"} & {*after.changes}:
                yield (*trail, place + 1), "this never runs, since the character is dead: write it before the death"
                return


CONTENT = StepsContent
