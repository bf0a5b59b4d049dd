"""Steps of the author's as sentences: numbers, look-ups, conditions and times that the content names.

Steps are said in order, each knowing what those before it left to speak of: a roll, what is left of the damage, a name
for what is used once (which is said where it is used, and not before).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from string import ascii_lowercase
from typing import NamedTuple, assert_never

from generator.base.dice import Dice
from generator.base.nouns import plural, unit_of
from generator.base.sentences import full_stop, joined_sentences, without_stop
from generator.model import rules
from generator.model.formulas import Formula, Node, names_roll
from generator.words.formula_folding import HOLDING, counted_condition, either_way, multiplied, other_part, value_of
from generator.words.formula_wording import (
    FormulaWords,
    Sight,
    is_plural,
    is_state,
    named_value,
    plain_name,
    quoted,
    singular,
)
from generator.words.wording import (
    DASH,
    article,
    capitalised,
    counted_figure,
    figure_words,
    joined_words,
    lowered_clause,
    measured_unit,
    span_figures,
)

_MAX_NAMED = 3
"""So many conditions are named that an event ends."""
_MAX_EXCESS = 4
"""So many words may name what is left over."""
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")
_ENDS_WITH_ASKS = ("to", "after", "at", "for", "of", "against", "in", "on")


class Said(NamedTuple):
    """A step in words: a clause, and the sentences that follow it."""

    clause: str
    more: tuple[str, ...] = ()
    is_when: bool = False
    own_words: bool = False

    def __str__(self) -> str:
        return joined_sentences((capitalised(self.clause), *self.more))


class StepWords:
    """Words the steps of one system.

    `effect_says` are the sentences of other effects; `fill` puts numbers into texts; `lasting` says until when.
    """

    def __init__(
        self,
        system: rules.System,
        effect_says: Callable[[rules.AnyEffect], Iterable[str]],
        fill: Callable[[str], str],
        lasting: Callable[[rules.Until], str],
        sight: Sight | None = None,
        *,
        inside: bool = False,
    ) -> None:
        self.system, self._effect_says, self._fill, self._lasting = system, effect_says, fill, lasting
        self.sight, self._inside = sight or Sight(), inside
        self._formulas = FormulaWords(system, self.sight)
        self._silent: dict[int, tuple[Sequence[rules.AnyEffect], bool]] = {}

    def _with(self, sight: Sight, *, inside: bool = False) -> StepWords:
        words = StepWords(self.system, self._effect_says, self._fill, self._lasting, sight, inside=inside)
        words._silent = self._silent
        return words

    def _branch(self) -> StepWords:
        """The same for one side of a step: what is named there is not in sight afterwards."""
        sight = self.sight
        return self._with(
            replace(
                sight,
                stands_for=dict(sight.stands_for),
                rolls=dict(sight.rolls),
                titles=dict(sight.titles),
            ),
            inside=True,
        )

    # --- whole things ------------------------------------------------------------------------------------------------

    def steps_say(self, effects: Sequence[rules.AnyEffect]) -> list[Said]:
        """Return steps in words, in order; those that need no words are left out."""
        return [said for _, said in self._worded(effects)]

    def event_says(self, name: str) -> list[tuple[rules.AnyEffect, str]]:
        """Return the steps of an event, each with its sentences."""
        happening = self.system.head.events[name]
        words = self._with(Sight(event=name, takes=happening.takes))
        return [(effect, full_stop(str(said))) for effect, said in words._worded(happening.do_)]

    def _worded(self, effects: Sequence[rules.AnyEffect]) -> Iterator[tuple[rules.AnyEffect, Said]]:
        """Yield each step that needs words; some are said together with the one before."""
        effects = [*self.in_force(effects)]
        skip = 0
        for place, effect in enumerate(effects):
            if skip:
                skip -= 1
                continue
            self.sight.excess_named &= self._inside
            if isinstance(effect, rules.Let) and effect.says is None:
                clause, skip = self._let(effect, effects[place + 1 :])
                said = Said(clause)
            else:
                said = self.effect_as_clause(effect)
                self._keep_titles(effect)
            if said.clause:
                yield effect, said

    def _keep_titles(self, effect: rules.AnyEffect) -> None:
        """What is thrown or named in a branch is called by its title afterwards, whichever branch was taken."""
        titles = self.sight.titles
        for _, inner in rules.walk_effects((effect,)):
            if isinstance(inner, rules.Throw):
                titles |= {name: _thrown_title(inner, name) for name in inner.dice if name not in titles}
            elif isinstance(inner, rules.Let) and inner.title:
                titles.setdefault(inner.name, _in_sentence(inner.title))

    def step_says(self, step: rules.AnyStep | rules.Check) -> str:
        """Return one step as sentences, without the last full stop."""
        return str(self.effect_as_clause(step))

    def formula_says(self, formula: Formula) -> str:
        """Return a formula on paper."""
        return str(self._noun(formula))

    def times_say(self, until: rules.Until, times: Formula) -> str:
        """Return how long something lasts that lasts so many times as long: `for as many hours as Time limit`."""
        if until.amount is None or str(until.amount) != "1":
            return f"{self._lasting(until)} multiplied by {self.formula_says(times)}"
        return f"for {self._amount(times, until.word)}"

    def span_says(self, formula: Formula, unit: str) -> str:
        """Return a span of time that a formula gives: `d10 minus Grit rounds, at least 1`."""
        amount = self._folded(formula)
        bounded = other_part(amount, Node("number", 1)) if amount.kind == "max" else None
        amount = bounded or amount
        least = bounded or any(node.kind in ("-", "minus") for node in amount.walk())
        return self._amount_in(amount, unit) + (", at least 1" if least else "")

    def condition_does(self, condition: rules.Condition) -> Iterator[str]:
        """Return the effects of a condition as time passes and when it ends, a sentence each."""
        for unit, effects in condition.each.items():
            if body := self._with(Sight()).body(effects):
                yield f"Each {plain_name(unit)}, {body}"
        for cause, effects in condition.ends.items():
            if body := self._with(Sight()).body(effects):
                yield f"{self._ended_by(cause)}, {body}"

    def watch_says(self, watch: rules.Watch) -> str:
        """Return a watch as a sentence without its full stop."""
        holds = self._formulas.folded(watch.holds.tree)
        body = self.body(watch.do_)
        numbers = self.system.steps.numbers
        if holds.kind == "==" and holds.parts[0].kind == "name" and holds.parts[1].kind == "number":
            name = str(holds.parts[0].about)
            if name in numbers:
                return f"At {self._formulas.noun(holds.parts[1])} {numbers[name].name}, {body}"
        return f"As soon as {self._formulas.condition(holds)}, {body}"

    def _ended_by(self, cause: str) -> str:
        if cause in ("time", "save", "any"):
            return {
                "time": "When its time is up",
                "save": "When the save succeeds",
                "any": "When it ends",
            }[cause]
        happening = self.system.head.events.get(cause)
        if happening is None:
            return f"When {plain_name(cause)} ends it"
        if happening.until and happening.until.startswith("until you "):
            return f"When {happening.until.removeprefix('until ')}"
        return f"When {happening.says}"

    # --- lists -------------------------------------------------------------------------------------------------------

    def in_force(self, effects: Iterable[rules.AnyEffect]) -> Iterator[rules.AnyEffect]:
        """Yield steps without those that the rules in force decide: of a `when` that is decided the side that runs."""
        for effect in effects:
            if isinstance(effect, rules.When) and effect.says is None:
                holds = self._formulas.folded(effect.holds.tree)
                if holds.kind == "number":
                    yield from self.in_force(effect.then if holds.about else effect.otherwise)
                    continue
            elif isinstance(effect, rules.When) and effect.says == "":
                yield from self.in_force((*effect.then, *effect.otherwise))
                continue
            yield effect

    def body(self, effects: Sequence[rules.AnyEffect]) -> str:
        """Return steps as the end of a sentence, and the sentences after it; empty where none needs words."""
        return _joined(self._branch().steps_say(effects)) if effects else ""

    # --- one step ----------------------------------------------------------------------------------------------------

    def effect_as_clause(self, effect: rules.AnyEffect) -> Said:
        """Return one effect as a clause that may stand in a sentence."""
        if isinstance(effect, rules.Step) and effect.says is not None:
            own = without_stop(self._fill(effect.says))
            if isinstance(effect, rules.Lower):
                self._leaves(self._folded(effect.by))
            return Said(lowered_clause(own), own_words=True)
        match effect:
            case rules.Suffer() if not effect.after and effect.where is None and effect.begins == "now":
                return Said(self._suffer(effect))
            case rules.Check():
                return self._check(effect)
            case rules.When():
                return self._when(effect)
            case rules.Say():
                return Said(self.body(effect.do_))
            case rules.AsLong():
                return self._as_long(effect)
            case rules.Step():
                return Said(self._step(effect))
        first, *more = [*map(without_stop, self._effect_says(effect))] or [""]
        return Said(lowered_clause(first), tuple(more))

    def _step(self, step: rules.AnyStep) -> str:
        match step:
            case rules.Raise() | rules.Lower():
                return self._change(step)
            case rules.SetTo():
                return self._set(step)
            case rules.Let():
                return self._let(step, ())[0]
            case rules.LookUp():
                return self._look_up(step)
            case rules.CardStep():
                return self._card_step(step)
            case rules.RollFor():
                return self._roll_for(step)
            case rules.Call():
                return self._call(step)
            case rules.Befall():
                who = "somebody" if step.whom == "one" else "everybody"
                return f"{who} close: {self._call(step)}"
            case rules.End():
                return self._ends(step)
            case rules.Shorten():
                return self._shorten(step)
            case rules.Pass():
                one = _one(step.unit)
                times = self._amount(step.times, step.unit) if step.times else one
                return f"{times} {'passes' if times in (one, f'1 {plain_name(step.unit)}') else 'pass'}"
            case rules.Place():
                return f"it hits {self._noun(step.part)}"
            case rules.Die():
                return "you die"
            case rules.Revive():
                return "you live again"
            case rules.Reveal():
                return f"{self.system.steps.numbers[step.number].name} is revealed"
            case rules.Answer():
                return "make the save that you have owed longest; what hangs on it follows"
            case rules.Throw():
                return self._throws(step)
            case rules.Choose():
                return f"choose: {'; or '.join(self._option(step, option) for option in step.options)}"
            case rules.When() | rules.Say() | rules.AsLong():
                return self.effect_as_clause(step).clause
        assert_never(step)

    def _folded(self, formula: Formula) -> Node:
        return self._formulas.folded(formula.tree)

    def _noun(self, formula: Formula) -> str:
        return str(self._formulas.noun(self._folded(formula)))

    # --- numbers -----------------------------------------------------------------------------------------------------

    def _change(self, step: rules.Raise | rules.Lower) -> str:
        number, own = self._formulas.number_name(step.number), self.system.steps.numbers.get(step.number)
        by = self._folded(step.by)
        if isinstance(step, rules.Raise):
            limit = own.most if own is not None else None
            no_further = self._no_further(step.most, limit)
            if limit is not None and self._folded(limit) == by:
                self.sight.excess = number
                return f"regain all {number}"
            bounded = step.most is not None or self._is_number(limit)
            starts_empty = own is not None and own.start == 0
            verb = "regain" if bounded and not starts_empty else "gain"
            amount = self._amount_of(by, number)
            added = self._formulas.noun(by).within
            self.sight.excess = number
            self._leaves(by)
            return f"{verb} {amount}{no_further}" if amount else f"add {added} to {number}{no_further}"
        limit = own.least if own is not None else None
        no_further = self._no_further(step.least, limit)
        capped = other_part(by, Node("name", step.number)) if by.kind == "min" else None
        if capped:
            by = capped
            bounded = limit is not None and self._folded(limit) == Node("number", 0)
            no_further = "" if bounded or self._per_unit(by) else ", no further than 0"
        if amount := self._amount_of(by, number):
            return f"lose {amount}{no_further}"
        self._leaves(by)
        amount = "it" if by.kind == "over" and self.sight.excess_named else self._formulas.noun(by).within
        return f"take {amount} off {number}{no_further}"

    def _leaves(self, by: Node) -> None:
        """What a bound may cut off is spoken of by what was taken: `the damage left over`."""
        spoken = "" if by.kind == "over" else str(self._formulas.noun(by))
        if spoken.startswith("the ") and "," not in spoken and len(spoken.split(" ")) <= _MAX_EXCESS:
            self.sight.excess = spoken.removeprefix("the ").split(" that ")[0]

    def _is_number(self, bound: Formula | None) -> bool:
        tree = bound.tree if bound is not None else None
        return tree is not None and tree.kind == "name" and str(tree.about) in self.system.steps.numbers

    def _no_further(self, bound: Formula | None, own: Formula | None) -> str:
        """Say the bound of a change, but for the one that the number has anyway."""
        if bound is None or (own is not None and self._folded(bound) == self._folded(own)):
            return ""
        return f", no further than {self._noun(bound)}"

    def _per_unit(self, by: Node) -> tuple[int, str] | None:
        """Return how much, and for each of which unit, where an argument counts units: `days`."""
        times, name = multiplied(by) or (1, by)
        unit = unit_of(str(name.about)) if name.kind == "name" else ""
        return (times, unit) if unit in self.system.units and str(name.about) not in self.system.steps.numbers else None

    def _amount_of(self, by: Node, number: str) -> str:
        """Return how much of a number, where that is said before it: `d3 STR`, `6 HP for each level`; or nothing."""
        if number.startswith("the "):
            return ""
        if by.kind in ("number", "dice"):
            phrase = self._formulas.noun(by)
            return "" if phrase.is_sum else f"{phrase} {singular(number) if by.about == 1 else number}"
        if per := self._per_unit(by):
            return f"{per[0]} {number if per[0] != 1 else singular(number)} for each {per[1]}"
        times, counted = multiplied(by) or (1, by)
        if each := self._formulas.each_of(counted):
            return f"{figure_words(times)} {number if times != 1 else singular(number)} for each {each}"
        if by.kind == "name" and str(by.about) in self.sight.rolls:
            return f"that much {number}"
        return ""

    def _set(self, step: rules.SetTo) -> str:
        number, to = self._formulas.number_name(step.number), self._folded(step.to)
        own = self.system.steps.numbers.get(step.number)
        if own is not None and own.most is not None and self._folded(own.most) == to:
            return f"restore {number} to {self._formulas.noun(to)}"
        if own is not None and own.flag and to.kind == "number":
            return f"{'mark' if to.about else 'clear'} {number}"
        if own is not None and own.hidden and any(isinstance(node.about, Dice) for node in to.walk()):
            return f"roll {self._formulas.noun(to).within} for {number}, hidden until it is revealed"
        other = other_part(to, Node("name", step.number)) if to.kind in ("min", "max") else None
        if other:
            which = "higher" if to.kind == "max" else "lower"
            return f"{_becomes(number)} {self._formulas.noun(other)} if that is {which}"
        return f"{_becomes(number)} {self._formulas.noun(to)}"

    def _let(self, step: rules.Let, following: Sequence[rules.AnyEffect]) -> tuple[str, int]:
        """Return the words of a name, and how many of the steps that follow are said with it."""
        sight, be = self.sight, self._folded(step.be)
        if any(isinstance(node.about, Dice) for node in be.walk()):
            return self._rolls(step, be, following)
        touched = {
            effect.number
            for _, effect in rules.walk_effects(tuple(following))
            if isinstance(effect, rules.Raise | rules.Lower | rules.SetTo)
        }
        if step.name in sight.titles:
            # It has been told of already, and is something else from here on.
            title = sight.titles[step.name] or named_value(step.name)
            return f"{_becomes(title)} {self._formulas.noun(be)}", 0
        if step.be.text == "over" and not step.title:
            sight.stands_for[step.name] = Node("over", sight.excess)
            return "", 0
        given = {name for _, effect in rules.walk_effects(tuple(following)) for name in rules.given_names(effect)}
        anew = not given.isdisjoint((step.name, *(str(node.about) for node in step.be.walk() if node.kind == "name")))
        if be.kind in ("name", "number", "word", "over", "before") and not step.title and not anew:
            changes = be.kind == "name" and str(be.about) in touched and str(be.about) in self.system.steps.numbers
            sight.stands_for[step.name] = Node("before", str(be.about)) if changes else be
            return "", 0
        holds = be.kind in HOLDING
        numbers = {str(node.about) for node in step.be.walk() if node.kind == "name"}
        is_short = _uses(step.name, following) == 1 or (holds and be.kind not in ("and", "or"))
        if not step.title and is_short and not anew and not numbers & touched:
            sight.stands_for[step.name] = be
            return "", 0
        name = step.title or named_value(step.name)
        sight.titles[step.name] = _in_sentence(step.title)
        if holds:
            sight.flags.add(step.name)
            return f"note whether {self._formulas.condition(be)} ({step.title or plain_name(step.name)})", 0
        spoken = self._formulas.noun(be)
        if step.title:
            return f"{name}: {spoken}", 0
        if be.kind in ("number", "word"):
            return f"{name} {'are' if is_plural(step.name) else 'is'} {spoken}", 0
        return f"work out {name}: {spoken}", 0

    def _rolls(self, step: rules.Let, be: Node, following: Sequence[rules.AnyEffect]) -> tuple[str, int]:
        sight = self.sight
        phrase = self._rolled(be)
        if step.title or be.kind == "sixes":
            sight.titles[step.name] = _in_sentence(step.title) or "the sixes"
            return f"{f'{step.title}: ' if step.title else ''}roll {phrase}", 0
        highest = be.about.most if be.kind == "dice" else 0  # type: ignore[union-attr]
        sight.rolls[step.name] = highest
        asks = f" {step.asks}" if step.asks and step.asks.split(" ")[0] in _ENDS_WITH_ASKS else ""
        if step.asks and not asks:
            asks = f" for {step.asks}"
        second = following[0] if following else None
        if isinstance(second, rules.Let) and second.be == step.be and second.says is None:
            sight.rolls[second.name] = highest
            sight.pair = (step.name, second.name)
            return f"roll {phrase} twice{asks}", 1
        return f"roll {phrase}{asks}", 0

    def _throws(self, step: rules.Throw) -> str:
        many = self._noun(step.many) if step.many else ""
        dice = []
        for name, faces in step.dice.items():
            title = _thrown_title(step, name)
            self.sight.titles |= {name: title, name + rules.FIRST: f"the first face of {title}"}
            self.sight.stands_for.pop(name, None)
            die, only = self._folded(faces), ""
            if (counted := counted_condition(die)) is not None:
                die, only = Node("number", counted[0]), f" if {self._formulas.condition(counted[1])}"
            dice.append(f"{self._die(die, many)} for {title}{only}")
        if step.counts:
            self.sight.titles |= {name: f"the {plain_name(name)}" for name in step.counts}
            shown = [f"the {face}s ({plain_name(name)})" for name, face in step.counts.items()]
            return f"roll {joined_words(dice)} and count {joined_words(shown)}"
        which = "lowest" if step.lowest else "highest"
        kept = self._noun(step.keep) if step.keep else ""
        counts = f"; the {which} counts" if kept == "1" else f"; the {kept} {which} count" if kept else ""
        aces = "; a die at its highest is rolled again and added" if step.aces else ""
        most = f", no further than {self._noun(step.most)}" if step.most else ""
        return f"roll {joined_words(dice)}{counts}{aces}{most}"

    def _die(self, faces: Node, many: str) -> str:
        """Return a die with its faces, or so many of them."""
        if faces.kind == "number":
            die = f"d{faces.about}"
            return f"{many}{die}" if not many or many.isdigit() else f"as many {die} as {many}"
        named = faces.kind == "faces"
        noun = self._formulas.noun(faces)
        die = self._formulas.number_name(str(faces.about)) if named else f"a die with as many faces as {noun}"
        return f"{many} times {die}" if many else die

    def _as_long(self, step: rules.AsLong) -> Said:
        # What is named in there is in sight afterwards: it is done once at least.
        words = self._with(self.sight, inside=True)
        body, holds = _joined(words.steps_say(step.do_)), self._folded(step.holds)
        most = f", {self._noun(step.most)} times in all" if step.most else ""
        while_so = "" if holds.kind == "number" else f" as long as {self._formulas.condition(holds)}"
        return Said(body, (f"Do this again{while_so}{most}{' at most' if most and while_so else ''}",))

    def _option(self, step: rules.Choose, option: str) -> str:
        only = f", if {self._formulas.condition(self._folded(step.only[option]))}" if option in step.only else ""
        does = self.body(step.options[option])
        return f"{option}{only}{f' ({does})' if does else ''}"

    def _rolled(self, dice: Node) -> str:
        """Return what is rolled, after `roll`."""
        if dice.kind == "sixes":
            return f"{self._formulas.noun(dice.parts[0])} dice and count the sixes"
        return str(self._formulas.noun(dice))

    # --- when, check, roll -------------------------------------------------------------------------------------------

    def _when(self, step: rules.When, *, in_branch: bool = False) -> Said:
        holds = self._folded(step.holds)
        first, second = step.then, step.otherwise
        if self._is_silent(first):
            holds, first, second = self._formulas.folded(Node("not", None, (holds,))), second, ()
        if self._is_silent(first):
            return Said("")
        self.sight.excess_named &= self._inside
        lead = self._rolled_lead(holds) or self._formulas.lead(holds)
        clauses, otherwise = self._branch().steps_say(first), self.body(second)
        if in_branch and len(clauses) == 2 and not any(each.more or each.is_when for each in clauses):
            body = f"{lead}: {clauses[0].clause}, and {clauses[1].clause}"
        else:
            body = _led(lead, _joined(clauses))
        more = (f"Otherwise, {otherwise}",) if otherwise else ()
        return Said(body, more, is_when=True)

    def _is_silent(self, effects: Sequence[rules.AnyEffect]) -> bool:
        """Return whether steps need no words. It is found out once, for steps may be nested deep."""
        if id(effects) not in self._silent:
            # Kept beside the answer, so that no other steps get their place in memory.
            worded = self._branch()._worded(effects)
            self._silent[id(effects)] = effects, next(worded, None) is None
        return self._silent[id(effects)][1]

    def _rolled_lead(self, holds: Node) -> str:
        """Return a condition on dice that are rolled for it: `roll d20: on 15 or more`."""
        if holds.kind not in ("<", "<=", ">", ">=", "==", "!=") or len(holds.parts) != 2:
            return ""
        left, right = holds.parts
        if not any(node.kind == "dice" for node in left.walk()):
            return ""
        spoken = self._formulas.noun(left)
        if left.kind == "dice" and right.kind == "number" and holds.kind in ("<=", ">=", "=="):
            more = {"<=": " or less", ">=": " or more", "==": ""}[holds.kind]
            return f"roll {spoken}: on {self._formulas.noun(right)}{more}"
        sight = Sight(stands_for=dict(self.sight.stands_for), takes=self.sight.takes, rolls=dict(self.sight.rolls))
        words = FormulaWords(self.system, sight)
        sight.titles["it"] = "it"
        return f"roll {spoken}: if {words.condition(holds._replace(parts=(Node('name', 'it'), right)))}"

    def _check(self, check: rules.Check) -> Said:
        bound, clamp = self._check_bound(check)
        less = Node("dice", Dice(check.die.count, check.die.faces)), Node("number", 1)
        die = self._formulas.noun(Node("-", None, less)) if check.die.plus == -1 else check.die.spoken
        if check.degrees is not None:
            degrees, by = self._folded(check.degrees), self._noun(check.degrees)
            if degrees.kind in HOLDING:
                clamp += f"; 1 degree if {self._formulas.condition(degrees)}"
            elif names_roll(check.degrees):
                clamp += f"; the degrees are {by}"
            else:
                clamp += f"; each {'point' if by == '1' else f'{by} points'} of difference is a degree"
        if check.name:
            head = f"make {article(check.name)} {check.name} check: {die}, {bound}{clamp}"
        else:
            head = f"roll {die}, {bound}{clamp}"
        fails = (*check.fail, *check.fails) if check.fail else check.fails
        ends = (("On a success", check.passes), ("On a failure", fails))
        return Said(head, tuple(self._branch_says(how, does) for how, does in ends if not self._is_silent(does)))

    def _branch_says(self, how: str, effects: Sequence[rules.AnyEffect]) -> str:
        """Return one side of a check in one sentence: an `otherwise` in it belongs to that side."""
        effects = [*self.in_force(effects)]
        if len(effects) == 1 and isinstance(effects[0], rules.When) and effects[0].says is None:
            worded = [self._branch()._when(effects[0], in_branch=True)]
        else:
            worded = self._branch().steps_say(effects)
        return _led(how, _joined(worded))

    def _check_bound(self, check: rules.Check) -> tuple[str, str]:
        always, never = (span_figures(span) if span else "" for span in (check.always, check.never))
        if check.at_most is not None:
            bound, faces = self._folded(check.at_most), check.die.faces
            if clamp := _clamp(bound):
                least, most, bound = clamp
                always = "1" if least == 1 else f"1{DASH}{least}"
                never = str(faces) if most + 1 == faces else f"{most + 1}{DASH}{faces}"
            aim = f"{self._formulas.noun(bound).within} or less"
        elif check.at_least is not None:
            aim = f"{self._formulas.noun(self._folded(check.at_least)).within} or more"
        else:
            aim = f"over {self._noun(check.over)}" if check.over else ""
        sure = [f"{span} always {how}" for span, how in ((always, "succeeds"), (never, "fails")) if span]
        return aim, f" ({', '.join(sure)})" if sure else ""

    def _roll_for(self, step: rules.RollFor) -> str:
        ways = []
        for at, effects in step.results.items():
            if body := self.body(effects):
                ways.append(f"on {span_figures(at)}, {body}")
        dice = self._folded(step.dice)
        # What a check has come to is there already.
        begins = "by the degrees" if dice == Node("name", "degrees") else f"roll {self._rolled(dice)}"
        return f"{begins}: {'; '.join(ways)}"

    # --- tables, cards, events ---------------------------------------------------------------------------------------

    def _look_up(self, step: rules.LookUp) -> str:
        table = self.system.table(step.table) if step.table else None
        title = table.title if table else ""
        on = f"on {title}"
        if step.aimed:
            on = f"on the table for {self._formulas.noun(Node('name', step.aimed))}"
            on += f" ({title} if it has none)" if title else ""
        by = self._folded(step.by) if step.by is not None else None
        dice = table.roll.spoken if by is None and table and table.roll else ""
        if by is None or any(node.kind == "dice" for node in by.walk()):
            lead = f"roll {dice or (self._formulas.noun(by).within if by else '')}".rstrip()
        elif by.kind == "number":
            lead, on = f"take row {self._formulas.noun(by)}", f"of {title}" if not step.aimed else on
        else:
            lead = f"look up {self._formulas.noun(by).within.removesuffix(',')}"
        many, commas = "", ""
        if step.times is not None:
            times = self._folded(step.times)
            if times.kind == "number":
                many = " twice" if times.about == 2 else ""
                commas = "" if many else f" {times.about} times"
            else:
                commas = f", {self._often(times)}"
        column = f", column {self._column(step, table)}" if step.column else ""
        but = f", again on {' or '.join(map(span_figures, step.but))}" if step.but else ""
        return f"{lead}{many} {on}{column}{commas}{but}"

    def _often(self, times: Node) -> str:
        noun = str(self._formulas.noun(times))
        return "that many times" if noun == "the times" else f"as many times as {noun}"

    def _column(self, step: rules.LookUp, table: rules.Table | None) -> str:
        assert step.column is not None
        column = self._folded(step.column)
        name = str(column.about)
        if column.kind in ("word", "name") and table and name in table.columns and name not in self.sight.takes:
            return table.columns[name].title
        return f"for {self._formulas.noun(column)}"

    def _card_step(self, step: rules.AnyCardStep) -> str:
        match step:
            case rules.DrawCard():
                return self._draws(step)
            case rules.Read():
                face = f" for {self._noun(step.face)}" if step.face else ""
                part = f" ({joined_words([*map(plain_name, step.only)])} only)" if step.only else ""
                part += f" (all but {joined_words([*map(plain_name, step.but)])})" if step.but else ""
                return f"the card does what it says{face}{part}"
            case rules.Keep():
                worth = f", where it counts {self._noun(step.counts)}" if step.counts else ""
                return f"add the card to {self._formulas.pile_name(step.pile)}{worth}"
            case rules.TakeUp():
                return f"with each card of {self._formulas.pile_name(step.pile)}, {self.body(step.then)}"
            case rules.PutAway():
                worth = f" worth {self._noun(step.by)}, the newest first" if step.by else ""
                return f"discard {'cards' if step.by else 'all cards'} of {self._formulas.pile_name(step.pile)}{worth}"
            case rules.Shuffle():
                return f"shuffle all cards back into {self.system.piles[step.deck].title}"
            case rules.Recur():
                often = f", {self._often(self._folded(step.times))}" if step.times else ""
                return f"every wound that waits ({plain_name(step.event)}) adds its penalty{often}"
        assert_never(step)

    def _draws(self, step: rules.DrawCard) -> str:
        many = "1" if step.cards is None else self._noun(step.cards)
        cards = "a card" if many == "1" else f"{'that many' if many.startswith('the ') else many} cards"
        them = "it" if many == "1" else "them"
        face = f" and read {them} for {self._noun(step.face)}" if step.face else ""
        each = f"; as {'it' if many == '1' else 'each'} is drawn, {self.body(step.each)}" if step.each else ""
        kept = them if step.keep is None or self._noun(step.keep) != "1" else "it"
        then = f"; with {'each' if kept == 'them' else kept}, {self.body(step.then)}" if step.then else ""
        return f"draw {cards} from {self.system.piles[step.deck].title}{face}{each}{self._keeps(step)}{then}"

    def _keeps(self, step: rules.DrawCard) -> str:
        """Return which of the cards that are drawn count."""
        if step.keep is None:
            return ""
        many = self._noun(step.keep)
        ones = "one" if many == "1" else many
        if step.best is None:
            return f"; keep the {ones} you choose"
        best = self._folded(step.best)
        lowest = best.kind == "minus"
        by = str(self._formulas.noun(best.parts[0] if lowest else best))
        by = by.removeprefix("the card\N{RIGHT SINGLE QUOTATION MARK}s ")
        return f"; keep the {ones} with the {'lowest' if lowest else 'highest'} {by}"

    def _call(self, step: rules.Call | rules.Befall) -> str:
        happening = self.system.head.events[step.event]
        arguments = []
        for name, formula in step.takes.items():
            value = self._folded(formula)
            if value in (Node("name", name), Node("word", "nothing")):
                continue
            if happening.takes[name].flag and (value.kind in HOLDING or value.kind == "number"):
                only = f" if {self._formulas.condition(value)}" if value.kind in HOLDING else ""
                arguments += [plain_name(name) + only] if only or value.about else []
                continue
            arguments.append(f"{plain_name(name)}: {self._formulas.noun(value).within.removesuffix(',')}")
        return f"resolve {quoted(happening.title or happening.says)}" + (
            f" ({', '.join(arguments)})" if arguments else ""
        )

    # --- conditions and time -----------------------------------------------------------------------------------------

    def _suffer(self, effect: rules.Suffer) -> str:
        condition = self.system.head.conditions[effect.condition]
        noted = f" ({self._noun(effect.detail)})" if effect.detail is not None else ""
        until = noted + self._until(effect)
        if effect.levels is not None or (condition.levels and condition.again in (None, "level") and condition.name):
            levels = self._folded(effect.levels) if effect.levels is not None else Node("number", 1)
            return self._levels("gain", levels, condition.name or effect.condition) + until
        clause = self._formulas.having(effect.condition)
        plain = f"{clause}"
        if not condition.name and not (condition.brief and is_state(condition.brief)):
            plain = lowered_clause(without_stop(condition.says))
        return plain if plain.endswith(until) and until else f"{plain}{until}"

    def _until(self, effect: rules.Suffer) -> str:
        if effect.until.word == "now":
            return ""
        if effect.times is not None:
            return f" {self.times_say(effect.until, effect.times)}"
        if effect.until.amount is not None and effect.until.amount.is_number:
            return f" for {measured_unit(effect.until.amount.plus, effect.until.word)}"
        return f" {self._lasting(effect.until)}".rstrip()

    def _ends(self, step: rules.End) -> str:
        words = self._formulas
        if step.coming:
            return f"{words.condition_name(step.coming)} does not come after all"
        levels = None if step.levels is None else self._folded(step.levels)
        name = step.condition or step.group
        if name is None:
            endings = step.ending if isinstance(step.ending, tuple) else (step.ending,)
            if step.card is not None:
                lasts = " or ".join(self._lasting(rules.Until.parse(word, own=True)) for word in endings if word)
                return f"what lasts {lasts} and comes from {self._noun(step.card)} ends"
            return "; ".join(self._ends_until(word, levels, here=step.here) for word in endings)
        title = words.condition_name(name) if step.condition else words.group_name(name)
        title += " there" if step.here else ""
        if levels is not None:
            return self._levels("lose", levels, title)
        if step.chosen is not None:
            chosen = self._folded(step.chosen)
            if chosen.kind == "number" and 1 <= int(str(chosen.about)) <= len(_ORDINALS):
                return f"the {_ORDINALS[int(str(chosen.about)) - 1]} {title} ends"
            return f"the {title} you choose ends"
        if step.group and name not in self.system.head.conditions:
            return f"every {title} ends"
        having = words.having(name)
        if having.verb == "are":
            return f"you are no longer {having.rest}{' there' if step.here else ''}"
        return f"{title} ends"

    def _levels(self, verb: str, levels: Node, of: str) -> str:
        """Return that something has more or fewer levels: `lose 1 level of Frightened`."""
        if levels.kind == "number":
            return f"{verb} {counted_figure(value_of(levels), 'level')} of {of}"
        return f"{verb} as many levels of {of} as {self._formulas.noun(levels).within}"

    def _ends_until(self, ending: str | None, levels: Node | None, *, here: bool) -> str:
        """Return that all ends that lasts until an event, or has fewer levels, with the names of what lasts so."""
        word = ending or self.sight.event
        if not word:
            return (
                "what lasts until this ends"
                if levels is None
                else self._levels("lose", levels, "what lasts until this")
            )
        names = [*dict.fromkeys(self._lasting_until(word))]
        spoken = f" ({', '.join(names)})" if 0 < len(names) <= _MAX_NAMED else ""
        there = " there" if here else ""
        lasting = f"what lasts {self._lasting(rules.Until.parse(word, own=True))}{there}"
        return f"{lasting} ends{spoken}" if levels is None else self._levels("lose", levels, f"{lasting}{spoken}")

    def _lasting_until(self, word: str) -> Iterator[str]:
        """Yield the names of the conditions that the content lets last until that."""
        for effect in self.system.all_effects():
            if isinstance(effect, rules.Suffer) and effect.until.word == word:
                yield self._formulas.condition_name(effect.condition)

    def _shorten(self, step: rules.Shorten) -> str:
        name = self._formulas.group_name(step.of)
        alone = step.of in self.system.head.conditions
        which = {"longest": f"the longest {name}", "all": f"every {name}", "chosen": f"the {name} you choose"}[
            step.which
        ]
        if alone and step.which == "longest":
            which = f"the {name}"
        rest = "; carry what is left over to the next" if step.rest == "next" else ""
        by = self._folded(step.by)
        if by.kind == "//" and by.parts[0] == Node("left", step.of) and by.parts[1] == Node("number", 2):
            return f"take half the time left, rounded down, off {which}{rest}"
        amount = self._amount(step.by, step.unit)
        if alone and step.which == "longest" and self.system.head.conditions[step.of].name:
            having = self._formulas.having(step.of)
            return f"{having} for {amount} less" if having.verb == "are" else f"{name} lasts {amount} less"
        return f"take {amount} off {which}{rest}"

    def _amount(self, formula: Formula, unit: str) -> str:
        """Return so much of a unit of time: `8 hours`, `that many rounds`, `as many hours as Time limit`."""
        return self._amount_in(self._folded(formula), unit)

    def _amount_in(self, amount: Node, unit: str) -> str:
        unit = plain_name(unit)
        units = plural(unit)
        if amount.kind == "number":
            return counted_figure(value_of(amount), unit)
        phrase = self._formulas.noun(amount)
        first = amount.parts[0] if amount.kind in ("+", "-") else amount
        if first.kind in ("dice", "number") and not phrase.tail:
            return f"{phrase} {units}"
        if amount.kind == "name" and str(amount.about) in self.system.steps.numbers:
            return f"as many {units} as {phrase}"
        return (
            f"that many {units}" if amount.kind == "name" or self._per_unit(amount) else f"as many {units} as {phrase}"
        )


def _thrown_title(step: rules.Throw, name: str) -> str:
    title = lowered_clause(step.title(name))
    return title if title.startswith("the ") else f"the {title}"


def _in_sentence(title: str | None) -> str:
    """Return a title where the sentence goes on: `The roll` is a name no more."""
    first = title.split(" ")[0] if title else ""
    return lowered_clause(title) if title and first in ("The", "A", "An", "What") else title or ""


def _becomes(name: str) -> str:
    return f"{name} {'become' if is_plural(name) else 'becomes'}"


def _led(lead: str, body: str) -> str:
    """Return what follows a condition or a result: `if you are Prone, you die`."""
    return f"{lead}: {body}" if body.startswith("(a) ") else f"{lead}, {body}"


def _whole(said: Said) -> str:
    """Return a clause with what follows it. An `otherwise` stays in its sentence, unless that ends with a list: it does
    not belong to what the sentence begins with."""
    if said.is_when and "(a) " not in said.clause:
        return "; ".join((said.clause, *map(lowered_clause, said.more)))
    return joined_sentences((said.clause, *said.more))


def _joined(worded: Sequence[Said]) -> str:
    """Return clauses as the end of a sentence, and the sentences after it."""
    if not worded:
        return ""
    if len(worded) == 1:
        return _whole(worded[0])
    if len(worded) == 2:
        one, two = worded
        if not one.more and not one.is_when:
            if two.is_when:
                return f"{one.clause}; then, {_whole(two)}"
            joint = "; " if one.own_words or " and " in one.clause or ": " in one.clause else " and "
            return joined_sentences((f"{one.clause}{joint}{two.clause}", *two.more))
    return "; ".join(f"({_letter(place)}) {_deeper(_whole(said))}" for place, said in enumerate(worded))


_MARK = re.compile(r"(?<![^ (])\(([a-z])\) ")


def _deeper(text: str) -> str:
    """Return a clause that stands in a list: a list in it has figures for its letters."""
    return _MARK.sub(lambda mark: f"({ascii_lowercase.index(mark[1]) + 1}) ", text)


def _letter(place: int) -> str:
    """Return the mark of a clause in a list: a to z, then aa, ab and so on."""
    before, letter = divmod(place, len(ascii_lowercase))
    return (_letter(before - 1) if before else "") + ascii_lowercase[letter]


def _one(unit: str) -> str:
    return f"{article(unit)} {plain_name(unit)}"


def _uses(name: str, effects: Iterable[rules.AnyEffect]) -> int:
    """Return how often steps ask for a name."""
    every = (each for _, effect in rules.walk_effects(tuple(effects)) for _, each in rules.effect_formulas(effect))
    return sum(node.kind in ("name", "known") and node.about == name for formula in every for node in formula.walk())


def _clamp(bound: Node) -> tuple[int, int, Node] | None:
    """Return a, b and X of `max(a, min(b, X))`: what always succeeds, and what always fails."""
    for least, inner in either_way(bound, "max"):
        for most, target in either_way(inner, "min"):
            if least.kind == most.kind == "number":
                return value_of(least), value_of(most), target
    return None
