"""What formulas and texts ask of a character: names, numbers, conditions, and the luck of their dice."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, cast

from generator.base.dice import Dice, DiceValue
from generator.base.errors import HackjackError
from generator.base.sealed import Hidden
from generator.games.steps.borne import plain_wound, wound_cells
from generator.games.steps.conditions import Conditions
from generator.games.steps.lines import name_of, spoken_word
from generator.games.steps.state import HeldCondition, PiledCard, RefusedError, StepsState, parse_span
from generator.games.steps.system_views import argument_aims, condition_types, named_conditions
from generator.model import rules
from generator.model.formulas import OF_CARD, Formula, Result
from generator.model.procedures import Aim, Need
from generator.play.apply_effects import EffectApplier
from generator.play.chance import Chance, Given, RollNeed
from generator.play.piles import card_value
from generator.words.quoting import fill_quotes
from generator.words.wording import lowered_clause, unit_words

FRESH_NAMES: Mapping[str, Result] = {"over": 0, "degrees": 0, "rolled": 0}
"""What every event has names for before its first step."""
DIE = re.compile(r"d([1-9][0-9]{0,3})")
"""A word that names a die."""
_CONDITIONS = ("condition", "of", "effect")
"""The fields of entries that hold the id of a condition: words say its name."""


class Scope:
    """A character, a moment and luck: formulas are figured, and nothing changes."""

    def __init__(self, system: rules.System, state: StepsState, chance: Chance | None = None) -> None:
        self.system, self.chance = system, chance or Given()
        numbers = system.steps.numbers.items()
        self.values = state.values | {name: own.start for name, own in numbers if own.temporary}
        self.piles: dict[str, list[PiledCard]] = {name: [*state.piles.get(name, ())] for name in system.steps.piles}
        self.conditions = Conditions(system, state)
        self.dead = state.dead
        self.card: rules.Card | None = None
        self.names: dict[str, Result] = dict(FRESH_NAMES)
        self.dice: dict[str, Dice] = {}
        self.event = ""
        self.met: dict[str, list[str]] = {}
        self.suffered: set[str] = set()
        self.applier = EffectApplier(system, "")
        self.about: dict[str, Any] = {}
        """What a formula or text may ask besides, as long as it is figured."""
        self._reason = ""

    # --- formulas ----------------------------------------------------------------------------------------------------

    def figure(self, formula: Formula) -> Result:
        """Return a formula's value now."""
        return formula.run(self)

    def figure_for(self, formula: Formula, reason: str) -> Result:
        """Return a formula's value now; its dice are rolled for that reason."""
        before, self._reason = self._reason, reason
        result = formula.run(self)
        self._reason = before
        return result

    def rolled(self, dice: Dice, value: DiceValue = "sum") -> int:
        """Return the result of a formula's dice."""
        return self.roll(dice, self._reason or self.applier.source or self.event, value)

    def roll(self, dice: Dice, reason: str, value: DiceValue = "sum") -> int:
        """Roll dice; a plain number needs no luck."""
        if not dice.count:
            return dice.plus
        need = RollNeed(dice, reason, value=value)
        return need.result(self.chance.roll(need))

    def named(self, name: str) -> Result:
        """Return the value of a name in a formula. Raises HackjackError for an unknown name."""
        if name in self.about:
            return cast(Result, self.about[name])
        if name == "side" and self.names.get("side") is None:
            return self._side_hurt()
        if name in self.dice and self.names.get(name) == str(self.dice[name]):
            return self.rolled(self.dice[name])
        if name in self.names:
            return self.names[name]
        if name in self.values:
            return self.values[name]
        constant = self.system.steps.constants.get(name)
        if constant is not None:
            return self.rolled(constant)
        match name:
            case "dead":
                return int(self.dead)
            case "permanent":
                return int(self.applier.lasts.word == "permanent")
            case "place":
                return self.applier.hurt.part or None
            case "level":
                return self.call("level", self.applier.of)
            case "event":
                return self.event
        if name.startswith(OF_CARD):
            return self._of_card(name.removeprefix(OF_CARD))
        return name

    def _of_card(self, key: str) -> Result:
        """Return what the card at hand has by that name, dice rolled; no Blood and no Trauma are 0."""
        if self.card is None:
            return None
        value = card_value(self.card, key, self.system)
        if isinstance(value, Dice):
            return self.roll(value, f"Blood of {self.card.code}")
        return 0 if value is None and key in ("blood", "trauma") else value

    def _side_hurt(self) -> str | None:
        """Return the side that is being hurt: `left` of the left arm; None where it is not known or has none."""
        hurt = self.applier.hurt
        part = self.system.head.parts.get(hurt.part)
        return next((side for side in part.sides if hurt.place == f"{side} {part.name}"), None) if part else None

    def call(self, function: str, name: str, which: str = "", detail: str | None = None) -> Result:
        """Return the value of a function of a name: of what is held here, or was noted with that detail, alone."""
        conditions = self.conditions
        place = self.applier.hurt.place if which else None
        match function:
            case "setting":
                return self.system.setting(name)
            case "column":
                return (aim.column if (aim := self.aim(name)) else None) or "none"
            case "value":
                return self.values[self.number_of(name)]
            case "faces":
                return self._faces(name)
            case "known":
                if name.startswith(OF_CARD):
                    card = self.card
                    return int(card is not None and card_value(card, name[len(OF_CARD) :], self.system) is not None)
                # A die that was told is known, and is not rolled to see.
                value = self.names.get(name) if name in self.dice else self.named(name)
                return int(value is not None and not isinstance(value, Hidden))
            case "met":
                return int(name in self.met)
            case "suffered":
                return int(not self.suffered.isdisjoint(named_conditions(name, self.system)))
            case "has":
                return int(any(True for _ in conditions.of(name, inside=True, place=place, detail=detail)))
            case "count":
                # A save that is owed may bring one whichever way it goes: a ruined limb counts before its save.
                owed = conditions.certain(name, place) if detail is None else 0
                return len([*conditions.of(name, place=place, detail=detail)]) + owed
            case "lasting":
                return sum(held.until == "permanent" for held in conditions.of(name, place=place, detail=detail))
            case "level":
                return max((held.level for held in conditions.of(name, place=place, detail=detail)), default=0)
            case "left":
                each = [self.with_span(held) for held in [*conditions.of(name, place=place, detail=detail)]]
                return max((held.left * self.system.unit_days.get(held.word, 1) for held in each), default=0)
            case "cards":
                return len(self.piles[name])
            case "waits":
                return int(any(held.waits for held in conditions.of(name, place=place, detail=detail)))
            case "does":
                return int(self.card is not None and any(effect.do == name for effect in self.card.effects))
            case "extra_blood":
                return sum(effect.blood or 0 for _, effect in conditions.waiting_for(name))
            case "extra_score":
                return sum(effect.score or 0 for _, effect in conditions.waiting_for(name))
            case "total":
                return sum(each.counts for each in self.piles[name])
            case "owed":
                return sum(name in (owed.of, "any") for owed in conditions.saves)
            case "coming":
                return sum(name in (each.condition, "any") for each in conditions.coming)
        argument = self.names.get(name)
        name = argument if isinstance(argument, str) and argument in self.system.head.statistics else name
        if function == "worst":
            return max((0, *(conditions.lowers(held, name, self.value) for held in conditions.held)))
        return self.lowered(name, detail)

    def lowered(self, statistic: str, detail: str | None = None) -> int:
        """Return by how much conditions and losses lower a statistic; with a detail, what was noted with it alone."""
        return self.conditions.lowered(statistic, self.value, detail)

    def with_span(self, held: HeldCondition) -> HeldCondition:
        """Return a condition with its length, for which dice that waited are rolled."""
        until = parse_span(held.until)
        if until.amount is None or not held.waits:
            return held
        rolled = self.roll(until.amount, f"{held.condition}, {until.word}s")
        return held.with_left(rolled)

    def aim(self, argument: str) -> Aim | None:
        """Return where what an argument names is looked up."""
        return argument_aims(self.system).get(argument, {}).get(str(self.names.get(argument)))

    def number_of(self, name: str) -> str:
        """Return the number that is meant: that one, or the one whose name an argument holds. Raises HackjackError."""
        if name in self.system.steps.numbers:
            return name
        value = self.named(name)
        if value not in self.system.steps.numbers:
            raise HackjackError(f"{name} is {value}, which is not a number")
        return str(value)

    def value(self, name: str) -> int:
        """Return a number of the character's, or the level at hand. Raises HackjackError for one that nobody keeps."""
        result = self.call("level", self.applier.of) or 1 if name == "level" else self.values.get(name)
        if not isinstance(result, int):
            own = self.system.steps.numbers.get(name)
            raise HackjackError(f"{own.name} is unknown" if own else f"{self.system.head.id} has no number {name}")
        return result

    def _faces(self, name: str) -> int | None:
        """Return how many faces a die has: a constant, what an argument holds (`d8`, or a number's name), a number."""
        constant = self.system.steps.constants.get(name)
        if constant is not None:
            return constant.faces or constant.plus
        if name in self.dice and self.names.get(name) == str(self.dice[name]):
            return self.dice[name].faces
        value = self.named(name)
        if isinstance(value, str) and (die := DIE.fullmatch(value)):
            return int(die[1])
        if isinstance(value, str) and value in self.values:
            if self.values[value] is None:
                raise RefusedError(f"the character's {self.system.steps.numbers[value].name} is unknown")
            value = self.values[value]
        return value if isinstance(value, int) else None

    def tells(self, formula: Formula) -> bool:
        """Return whether a formula asks for a number that is hidden now."""
        return any(
            node.kind == "name" and isinstance(self.values.get(str(node.about)), Hidden) for node in formula.walk()
        )

    # --- words -------------------------------------------------------------------------------------------------------

    def check_need(self, need: Need) -> None:
        """Raise RefusedError where something does not hold."""
        if need.holds is not None and not self.figure(need.holds):
            raise RefusedError(self.filled(need.says)[0])
        barring = [held for name in need.free_of for held in self.conditions.of(name, inside=True)]
        bars = next((held for held in self.conditions.held if held in barring), None)
        if bars is not None:
            condition = condition_types(self.system)[bars.condition]
            held = condition.brief or condition.name or bars.condition
            if bars.card:
                card, says, until = wound_cells(plain_wound(bars), self.system)
                held = f"{lowered_clause(says)} {until}".strip() + f" ({card})"
            self.about = {"held": held}
            raise RefusedError(self.filled(need.says)[0])

    def filled(self, text: str) -> tuple[str, dict[str, Result]]:
        """Return the author's words with the values of this moment in them, and those values by name."""
        constants, readings = self.system.numbers, self.system.readings
        facts: dict[str, Result] = {}

        def value(name: str) -> Result:
            if name not in self.about and (name in constants or name in readings):
                facts.update({name: constants[name]} if name in constants else {})
                return constants.get(name, readings.get(name, ""))
            now = self.named(name)
            if now == name and name in self.system.head.conditions:
                now = next((unit_words(held.until) for held in self.conditions.of(name)), None)
            facts[name] = None if isinstance(now, Hidden) else now
            if isinstance(now, Hidden):
                return str(now)
            if name in _CONDITIONS and facts[name] in self.system.head.conditions:
                return name_of(str(facts[name]), self.system)
            if name == "place" and name not in self.about:
                return self.applier.hurt.place or None
            return spoken_word(facts[name], self.system)

        return fill_quotes(text, value), facts
