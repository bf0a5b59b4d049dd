"""What an event may lead to, and what the next one can tell of a state: what is alike for it is counted once.

The steps that an event reaches are looked through before anything is played. What none of their formulas asks for, and
nothing changes, can be left out of a state, and cards that differ in nothing else are as good as copies of one card.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cached_property

from msgspec.structs import replace

from generator.base.dice import Dice
from generator.base.errors import HackjackError
from generator.games.steps.engine import Bench, is_certain, play_counted, usual_repeat
from generator.games.steps.events import StepsEvent
from generator.games.steps.shape import state_key_of
from generator.games.steps.state import LONG, HeldCondition, Owed, StepsState
from generator.model import rules
from generator.model.formulas import HERE, NAMING, OF_CARD, Formula, Result
from generator.play.chance import Chance, Policy
from generator.play.every_way import every_way
from generator.play.piles import card_value, cards_in, names_in

Effects = tuple[rules.AnyEffect, ...]


class Reach:
    """What an event may lead to: all steps, those of events, tables, cards, conditions and watches among them, and what
    their formulas ask; `asked` are formulas besides.

    `fixed` are names with values that nothing here changes: sides of a `when` that they rule out are not reached.
    """

    def __init__(
        self, system: rules.System, name: str, extra: Iterable[Formula] = (), fixed: Mapping[str, Result] | None = None
    ) -> None:
        self.system = system
        self._fixed = _Fixed(system, fixed or {})
        self.effects = list(self._reached(name))
        formulas = [*self._formulas(name), *extra]
        self.asked = {(node.kind, str(node.about)) for each in formulas for node in each.walk() if node.kind in NAMING}
        self._details = any(node.kind in NAMING and node.parts for each in formulas for node in each.walk())
        """Whether a formula asks for what a condition was noted with."""
        self._names = {str(node.about) for each in formulas for node in each.walk() if node.kind == "name"}
        self.timed = (
            any(isinstance(effect, rules.Pass | rules.Shorten) for effect in self.effects) or "left" in self._kinds
        )
        """Whether time passes, is taken off or is looked at: then a span that begins has to be rolled."""
        self.kills = any(isinstance(effect, rules.Die) for effect in self.effects)
        self._cured = {
            effect.condition
            for effect in self.effects
            if isinstance(effect, rules.Cure) or (isinstance(effect, rules.Suffer) and effect.until.word == "again")
        }
        self._brought = {effect.condition for effect in self.effects if isinstance(effect, rules.Suffer)}
        self._known: dict[HeldCondition | Owed, HeldCondition | Owed | None] = {}
        self.moved = self.timed or any(isinstance(effect, rules.End | rules.Answer) for effect in self.effects)
        self.moved = self.moved or system.steps.by_card
        self.moved |= any(node.kind == HERE for formula in formulas for node in formula.walk())
        """Whether it matters which conditions there are, and in which order."""

    @cached_property
    def numbers(self) -> set[str]:
        """The names that formulas here ask for, and the numbers that steps raise and lower."""
        changed = {effect.number for effect in self.effects if isinstance(effect, rules.Raise | rules.Lower)}
        return self._names | changed

    @cached_property
    def _kinds(self) -> set[str]:
        return {kind for kind, _ in self.asked}

    # --- what is reached ---------------------------------------------------------------------------------------------

    def _reached(self, name: str) -> Iterator[rules.AnyEffect]:
        head = self.system.head
        lists = {("event", name): head.events[name].do_}
        lists |= {("watch", str(at)): watch.do_ for at, watch in self._watches()}
        waiting, seen = [*lists.items()], set(lists)
        while waiting:
            _, effects = waiting.pop()
            for effect in self._inside(effects):
                yield effect
                for key, following in self._leads(effect):
                    if key not in seen:
                        seen.add(key)
                        waiting.append((key, following))

    def _watches(self) -> list[tuple[int, rules.Watch]]:
        """The watches that may ever hold."""
        return [
            (at, watch)
            for at, watch in enumerate(self.system.head.watches)
            if self._fixed.decided(watch.holds) in (None, True)
        ]

    def _inside(self, effects: Effects) -> Iterator[rules.AnyEffect]:
        """Yield the effects and those inside them; of a `when` that is decided, the side that follows."""
        for effect in effects:
            decided = self._fixed.decided(effect.holds) if isinstance(effect, rules.When) else None
            if isinstance(effect, rules.When) and decided is not None:
                yield from self._inside(effect.then if decided else effect.otherwise)
                continue
            yield effect
            if isinstance(effect, rules.Check):
                yield from effect.fail
            for _, inner in rules.nested_effects(effect):
                yield from self._inside(inner)

    def _leads(self, effect: rules.AnyEffect) -> Iterator[tuple[tuple[str, str], Effects]]:
        head = self.system.head
        match effect:
            case rules.Call():
                yield ("event", effect.event), head.events[effect.event].do_
            case rules.Draw() | rules.Repeat() | rules.Spare() | rules.Again():
                if event := self.system.steps.plays.get(effect.do):  # type: ignore[call-overload]
                    yield ("event", event), head.events[event].do_
            case rules.LookUp():
                for name in self.system.tables_met(effect):
                    table = self.system.table(name)
                    if table:
                        yield ("row", f"{name} every"), table.every
                    for row in table.rows if table else ():
                        cells = [row.effects, *(cell for cell in row.cells.values() if isinstance(cell, tuple))]
                        yield from ((("row", f"{name} {id(cell)}"), cell) for cell in cells)
            case rules.DrawCard():
                for card in self.system.piles[effect.deck].cards:
                    lists = self._sides(effect, card)
                    yield from ((("card", f"{effect.deck} {id(does)}"), does) for does in lists)
            case rules.Read():
                for name, pile in self.system.piles.items():
                    for card in pile.cards:
                        lists = self._sides(effect, card)
                        yield from ((("card", f"{name} {id(does)}"), does) for does in lists)
            case rules.Suffer():
                condition = head.conditions[effect.condition]
                yield ("condition", effect.condition), condition.implies
            case rules.Pass() | rules.End() | rules.Shorten():
                for name, condition in head.conditions.items():
                    lists = (*condition.each.values(), *condition.ends.values())
                    yield from ((("later", f"{name} {id(does)}"), does) for does in lists)
            case _:
                return

    def _sides(self, step: rules.DrawCard | rules.Read, card: rules.Card) -> tuple[Effects, ...]:
        """What a card may do when it is drawn so: what it does anyway, and for each face that may be read."""
        face = self._fixed.value(step.face) if step.face is not None else ""
        faces = card.faces if face is None else [face] if face in card.faces else []
        return (card.effects, *(card.faces[str(each)].effects for each in faces))

    def _formulas(self, name: str) -> Iterator[Formula]:
        """Whatever is figured on the way."""
        head, numbers = self.system.head, self.system.steps.numbers.values()
        yield from formulas_in(self.effects)
        called = {effect.event for effect in self.effects if isinstance(effect, rules.Call)}
        for happening in (head.events[each] for each in {name, *called}):
            yield from (need.holds for need in happening.needs if need.holds is not None)
            yield from [happening.better] if happening.better else []
            takes = (formula for argument in happening.takes.values() for formula in (argument.default, argument.when))
            yield from (formula for formula in takes if formula is not None)
        yield from (watch.holds for _, watch in self._watches())
        yield from (tick.stops for tick in self.system.steps.clock.values() if tick.stops)
        if any(isinstance(effect, rules.Raise) for effect in self.effects):
            yield from (own.most for own in numbers if own.most)
        if any(isinstance(effect, rules.Lower) for effect in self.effects):
            yield from (own.least for own in numbers if own.least)

    # --- outcomes ----------------------------------------------------------------------------------------------------

    def outcomes(
        self, state: StepsState, event: StepsEvent, policy: Policy = "", *, merged: bool = False
    ) -> Iterator[tuple[Fraction, Bench]]:
        """Yield every outcome of the event with its chance; how long things last only where that matters.

        With `merged`, one card stands for all that matter equally.
        """

        def run(chance: Chance) -> Bench:
            return play_counted(self.system, state, event, chance, timeless=not self.timed, policy=policy)

        return every_way(run, equals=self.equals if merged else None, steps=lambda bench: bench.steps_taken)

    # --- what the next such event can tell apart ---------------------------------------------------------------------

    def alike(self, state: StepsState) -> StepsState:
        """A state as the next such event sees it: what nothing asks for is left out, and what is alike is the same."""
        drawn = tuple(self._out(state.drawn)) if self.equals else ()
        if self.moved:
            return replace(state, drawn=drawn)
        there: tuple[HeldCondition | Owed, ...] = (*state.conditions, *state.saves)
        for each in there:
            if each not in self._known:
                self._known[each] = self._seen(each) if isinstance(each, HeldCondition) else self._awaited(each)
        left = [seen for each in there if (seen := self._known[each])]
        return StepsState(
            values=state.values,
            conditions=tuple(sorted((each for each in left if isinstance(each, HeldCondition)), key=str)),
            coming=state.coming if "coming" in self._kinds else (),
            lost=state.lost if "lowered" in self._kinds else (),
            saves=tuple(sorted((each for each in left if isinstance(each, Owed)), key=str)),
            drawn=drawn,
            piles=state.piles if self._piling else {},
        )

    @cached_property
    def _piling(self) -> bool:
        """Whether anything here asks what lies in piles."""
        steps = (rules.TakeUp, rules.PutAway, rules.DrawCard, rules.Shuffle)
        return bool(self.system.kept_piles) and (
            not self._kinds.isdisjoint(("cards", "total")) or any(isinstance(each, steps) for each in self.effects)
        )

    def _awaited(self, owed: Owed) -> HeldCondition | Owed | None:
        """A save that is owed as formulas see it: as the condition that it brings whichever way it goes, where that is
        only counted; None where nothing asks for it."""
        if "owed" in self._kinds:
            return Owed(owed.of, chance=owed.chance)
        names = frozenset(name for kind, name in self.asked if kind == "count" and is_certain(owed, name, self.system))
        if not names:
            return None
        if not any(name in names and kind in ("has", "level", "left") for kind, name in self.asked):
            for name in self.system.head.conditions:
                if self._answers(name, "day") == names and not self._itself(day := HeldCondition(name, "1 day")):
                    return self._seen(day)
        return Owed(owed.of)

    def _seen(self, held: HeldCondition) -> HeldCondition | None:
        """A condition as formulas see it: the first that answers to the same names; None where nothing asks for it."""
        detail = held.detail if self._details else ""
        level = held.level if "level" in self._kinds or self._lowers(held.condition) else 1
        until = "1 day" if held.word == "day" else held.until
        if self._itself(held):
            return HeldCondition(held.condition, until, level=level, detail=detail)
        if held.word in LONG and not (until == "permanent" and "lasting" in self._kinds):
            until = "1 day"
        answers = self._answers(held.condition, held.word)
        if not answers:
            return None
        alike = (
            name
            for name in self.system.head.conditions
            if self._answers(name, held.word) == answers and not self._itself(HeldCondition(name, held.until))
        )
        return HeldCondition(next(alike, held.condition), until, level=level, detail=detail)

    def _answers(self, condition: str, word: str) -> frozenset[str]:
        """Return the names in formulas that a condition answers to."""
        known_condition = self.system.held_conditions[condition]
        return frozenset(
            name
            for kind, name in self.asked
            if name in (condition, known_condition.group)
            or (name == "long" and word in LONG)
            or name == state_key_of(condition, word, self.system)
            or (kind == "has" and name in self.system.brought[condition])
        )

    def _itself(self, held: HeldCondition) -> bool:
        """Return whether no other can stand for a condition: something lowers, cures or brings that very one again."""
        again = usual_repeat(self.system.held_conditions[held.condition], held)
        merges = again != "apart" and held.condition in self._brought and bool(self._answers(held.condition, held.word))
        return held.condition in self._cured or merges or (self._weighs and self._lowers(held.condition))

    @property
    def _weighs(self) -> bool:
        """Whether a formula asks by how much a statistic is lowered."""
        return not self._kinds.isdisjoint(("lowered", "worst"))

    def _lowers(self, condition: str) -> bool:
        return any(isinstance(effect, rules.Penalty) for effect in self.system.held_conditions[condition].implies)

    # --- cards that matter equally -----------------------------------------------------------------------------------

    @cached_property
    def equals(self) -> Mapping[str, str]:
        """Every card that may be drawn, by name, with the first one of its deck that matters as much."""
        equals: dict[str, str] = {}
        draws = [effect for effect in self.effects if isinstance(effect, rules.DrawCard | rules.Read)]
        # What stays as it is keeps the name of the card that it came from.
        named = "row" in self._names or (self.moved and any(each.row for each in self.system.head.conditions.values()))
        for deck in dict.fromkeys(step.deck for step in draws if isinstance(step, rules.DrawCard)):
            first: dict[str, str] = {}
            for name, card in cards_in(deck, self.system):
                reads = [step for step in draws if isinstance(step, rules.Read) or step.deck == deck]
                sides = [side for step in reads for side in self._sides(step, card)]
                titles = [card.name, *(face.name for face in card.faces.values())] if named else []
                lines = [str(card_value(card, key, self.system)) for key in self._lines]
                matters = repr(([self._mattering(side) for side in sides], titles, lines))
                equals[name] = first.setdefault(matters, name)
        return equals

    @property
    def _lines(self) -> list[str]:
        """The lines of cards that formulas ask for."""
        return sorted(name.removeprefix(OF_CARD) for name in self._names if name.startswith(OF_CARD))

    @cached_property
    def _lots(self) -> dict[str, list[str]]:
        """Equal cards, each as often as it has copies, by the first of them."""
        lots: dict[str, list[str]] = {}
        for deck in dict.fromkeys(effect.deck for effect in self.effects if isinstance(effect, rules.DrawCard)):
            for name in names_in(deck, self.system):
                lots.setdefault(self.equals[name], []).append(name)
        return lots

    def _out(self, drawn: Iterable[str]) -> Iterator[str]:
        """The cards that are out: of equal ones the first are, as many as it may be."""
        many = Counter(self.equals[name] for name in drawn if name in self.equals)
        for first, lot in self._lots.items():
            yield from lot[: many[first]]

    def _mattering(self, effects: Effects) -> Effects:
        """Return a card's effects without those that nothing can tell the absence of."""
        left = tuple(effect for effect in effects if not self._idle(effect))
        # Some last as long as what came before them.
        backwards = any(getattr(effect, "until", None) == rules.Until("same") for effect in self._inside(left))
        return effects if backwards or "permanent" in self._names else left

    def _idle(self, effect: rules.AnyEffect) -> bool:
        """Return whether no event here can tell that an effect has happened."""
        if self.moved:
            return False
        match effect:
            case rules.Suffer():
                name = effect.condition
                tells = self._answers(name, "day") or name in self._cured or (self._weighs and self._lowers(name))
                implies = self.system.head.conditions[name].implies
                begins = effect.after is None or "coming" not in self._kinds
                return not tells and begins and all(map(self._idle, implies))
            case rules.Penalty():
                return not self._weighs
            case rules.Save():
                return self._kinds.isdisjoint(("owed", "count"))
            case rules.Maybe() | rules.OneOf():
                return all(map(self._idle, effect.effects))
            case rules.Drop() | rules.Halve() | rules.Risk() | rules.Whenever() | rules.Reroll() | rules.Peek():
                return True
            case _:
                return False


class _OpenError(HackjackError):
    """Something is not known before it is played."""


class _Fixed:
    """What formulas come to wherever they ask only for names with these values, and for settings."""

    def __init__(self, system: rules.System, values: Mapping[str, Result]) -> None:
        self._system, self._values = system, values

    def value(self, formula: Formula) -> Result:
        """Return its value; None where that is not known beforehand."""
        try:
            return formula.run(self)
        except HackjackError:
            return None

    def decided(self, formula: Formula) -> bool | None:
        """Return whether it holds; None where that is not known beforehand."""
        value = self.value(formula)
        return None if value is None else bool(value)

    def named(self, name: str) -> Result:
        """Return a value, or a constant that is a number. Raises HackjackError for anything else."""
        constant = self._system.steps.constants.get(name)
        if constant is not None and constant.is_number:
            return constant.plus
        if name not in self._values:
            raise _OpenError(name)
        return self._values[name]

    def call(self, function: str, name: str, which: str = "", detail: str | None = None) -> Result:
        """Return an option of a switch. Raises HackjackError for anything else."""
        del which, detail
        if function != "setting":
            raise _OpenError(function)
        return self._system.setting(name)

    def rolled(self, dice: Dice, face: int = 0) -> int:
        """Raise HackjackError: dice are never known beforehand."""
        del face
        raise _OpenError(str(dice))


def unchanged_values(system: rules.System, state: StepsState, event: StepsEvent) -> dict[str, Result]:
    """What stays as it is however often an event happens: numbers and words that no step touches, and what was told."""
    procedure, effects = system.steps, Reach(system, event.name).effects
    touched = {effect.number for effect in effects if isinstance(effect, rules.Raise | rules.Lower | rules.SetTo)}
    touched |= {tick.counts for tick in procedure.clock.values() if tick.counts}
    if not touched <= {*procedure.numbers, *procedure.words}:
        # An argument names the number.
        touched |= {*procedure.numbers}
    values = {name: value for name, value in state.values.items() if name not in touched}
    if any(isinstance(effect, rules.Call) for effect in effects):
        # An event that is called has arguments of its own, which may have the same names.
        return values
    lets = {name for effect in effects for name in rules.given_names(effect)}
    return values | {name: value for name, value in event.said if name not in lets}


def formulas_in(effects: Iterable[rules.AnyEffect]) -> Iterator[Formula]:
    """Yield every formula of some steps."""
    for effect in effects:
        yield from (formula for _, formula in rules.effect_formulas(effect))
