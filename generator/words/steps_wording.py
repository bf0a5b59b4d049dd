"""Steps of the author's in words: what the author says of them, and else one plain clause for each kind.

Each step is said by itself. One that needs more than a plain clause is worded by its author, with `says`; `check` asks
for that.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from generator.base.dice import Dice
from generator.base.sentences import full_stop, joined_sentences, plural, without_stop
from generator.model import rules
from generator.model.formulas import Formula, Node, names_roll
from generator.words.formula_folding import HOLDING, multiplied, other_part, value_of
from generator.words.formula_wording import FormulaWords, is_plural, is_state, named_value, plain_name, quoted, singular
from generator.words.wording import article, capitalised, counted_figure, joined_words, lowered_clause, span_figures


class Said(NamedTuple):
    """A step in words: a clause, and the sentences that follow it. An `otherwise` belongs to the clause."""

    clause: str
    more: tuple[str, ...] = ()
    has_otherwise: bool = False

    def __str__(self) -> str:
        return joined_sentences((capitalised(self.clause), *self.more))


_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_UNCLEAR = re.compile(
    r"(?:^|[ (])\([a-z]\) |"
    r"\([^()]*(?:\b(?:minus|plus|times|divided by)\b| [\u2212+\xd7] )[^()]*\)|"
    r"\bnote [^;.]* as “",
    re.IGNORECASE,
)


def needs_own_words(sentence: str) -> bool:
    """Return True for the words of a step that print no good rule: lettered branches, a formula in brackets, a note."""
    return bool(_UNCLEAR.search(sentence))


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
        event: str = "",
    ) -> None:
        self.system, self._effect_says, self._fill, self._lasting = system, effect_says, fill, lasting
        self._formulas, self._event = FormulaWords(system, event), event

    # --- whole things ------------------------------------------------------------------------------------------------

    def steps_say(self, steps: Iterable[rules.AnyEffect], event: str = "") -> list[tuple[rules.AnyEffect, str]]:
        """Return those of some steps that need words, each with its sentences; `event` has the names in them."""
        words = StepWords(self.system, self._effect_says, self._fill, self._lasting, event)
        clauses = ((each, words.effect_as_clause(each)) for each in words.in_force(steps))
        return [(effect, full_stop(str(sentence))) for effect, sentence in clauses if sentence.clause]

    def step_says(self, step: rules.AnyEffect) -> str:
        """Return one step as sentences, without the last full stop."""
        return joined_sentences([*filter(None, map(str, map(self.effect_as_clause, self.in_force((step,)))))])

    def formula_says(self, formula: Formula) -> str:
        """Return what a formula comes to, in words."""
        return self._formulas.noun(self._folded(formula))

    def span_says(self, formula: Formula, unit: str) -> str:
        """Return a span of time that a formula gives: `d10 minus Grit rounds, at least 1`."""
        amount = self._folded(formula)
        amount = (other_part(amount, Node("number", 1)) if amount.kind == "max" else None) or amount
        least = amount != self._folded(formula) or any(node.kind in ("-", "minus") for node in amount.walk())
        return self._amount(amount, unit) + (", at least 1" if least else "")

    def condition_does(self, condition: rules.Condition) -> Iterator[str]:
        """Return the effects of a condition as time passes and when it ends, a sentence each."""
        for unit, effects in condition.each.items():
            if body := self.body(effects):
                yield f"Each {plain_name(unit)}, {body}"
        for cause, effects in condition.ends.items():
            if body := self.body(effects):
                yield f"{self._ended_by(cause)}, {body}"

    def watch_says(self, watch: rules.Watch) -> str:
        """Return a watch as a sentence without its full stop."""
        return f"As soon as {self._formulas.condition(self._folded(watch.holds))}, {self.body(watch.do_)}"

    def _ended_by(self, cause: str) -> str:
        known = {"time": "its time is up", "save": "the save succeeds", "any": "it ends"}
        happening = self.system.head.events.get(cause)
        if happening is None:
            return f"When {known.get(cause, f'{plain_name(cause)} ends it')}"
        until = happening.until or ""
        return f"When {until.removeprefix('until ') if until.startswith('until you ') else happening.says}"

    def in_force(self, effects: Iterable[rules.AnyEffect]) -> Iterator[rules.AnyEffect]:
        """Yield steps without those that the rules in force decide: of a `when` that is decided the side that runs."""
        for effect in effects:
            holds = self._folded(effect.holds) if isinstance(effect, rules.When) and effect.says is None else None
            if isinstance(effect, rules.When) and effect.says == "":
                yield from self.in_force((*effect.then, *effect.otherwise))
            elif isinstance(effect, rules.When) and holds is not None and holds.kind == "number":
                yield from self.in_force(effect.then if holds.about else effect.otherwise)
            else:
                yield effect

    def body(self, effects: Sequence[rules.AnyEffect]) -> str:
        """Return steps as the end of a sentence, and the sentences after it; empty where none needs words."""
        said = [each for each in map(self.effect_as_clause, self.in_force(effects)) if each.clause]
        if len(said) < 2:
            return joined_sentences((said[0].clause, *said[0].more)) if said else ""
        first, last = said[0], said[-1]
        if len(said) == 2 and not first.more and not last.has_otherwise and not first.clause.startswith(_IF):
            plain = _QUOTED.sub("", first.clause)
            joint = ", and " if ", " in plain else " and "
            joint = "; " if any(sign in plain for sign in ("; ", ": ", " and ")) else joint
            joint = "; then, " if last.clause.startswith(_IF) else joint
            return joined_sentences((f"{first.clause}{joint}{last.clause}", *last.more))
        return "; ".join(f"({_letter(at)}) {_MARK.sub(_deeper, _whole(each))}" for at, each in enumerate(said))

    # --- one step ----------------------------------------------------------------------------------------------------

    def effect_as_clause(self, effect: rules.AnyEffect) -> Said:
        """Return one effect as a clause that may stand in a sentence."""
        if isinstance(effect, rules.Step) and effect.says is not None:
            return Said(lowered_clause(without_stop(self._fill(effect.says))))
        match effect:
            case rules.Suffer() if not effect.after and effect.where is None and effect.begins == "now":
                return Said(self._suffer(effect))
            case rules.Check():
                return self._check(effect)
            case rules.When():
                return self._when(effect)
            case rules.Raise() | rules.Lower():
                return self._changed(effect, self._folded(effect.by))
            case rules.SetTo():
                return self._changed(effect, self._folded(effect.to))
            case rules.AsLong():
                return self._as_long(effect)
            case rules.Step() if effect.prints:
                return Said(self.filled(effect, effect.prints))
            case rules.DrawCard():
                return Said(self._draws(effect))
            case rules.Step():
                return Said(self._step(effect))
        first, *more = [without_stop(each) for each in self._effect_says(effect)] or [""]
        return Said(lowered_clause(first), tuple(more))

    def _step(self, step: rules.Step) -> str:
        match step:
            case rules.Let():
                return self._let(step)
            case rules.LookUp():
                return self._look_up(step)
            case rules.RollFor():
                ways = ((at, self.body(does)) for at, does in step.results.items())
                results = "; ".join(f"on {span_figures(at)}, {body}" for at, body in ways if body)
                dice = self._folded(step.dice)
                begins = "by the degrees" if dice == Node("name", "degrees") else self._rolls(dice)
                return f"{begins}: {results}" if results else begins
            case rules.Call():
                return self._call(step)
            case rules.Befall():
                return f"{'somebody' if step.whom == 'one' else 'everybody'} close: {self._call(step)}"
            case rules.End():
                return self._ends(step)
            case rules.Shorten():
                name = self._formulas.condition_name(step.of)
                longest = name if step.of in self.system.head.conditions else f"longest {name}"
                which = f"every {name}" if step.every else f"the {name} you choose" if step.chosen else f"the {longest}"
                rest = "; carry what is left over to the next" if step.rest == "next" else ""
                return f"take {self._amount(self._folded(step.by), step.unit)} off {which}{rest}"
            case rules.Throw():
                return self._throws(step)
            case rules.Choose():
                return f"choose: {'; or '.join(self._option(step, option) for option in step.options)}"
        return ""

    def filled(self, step: rules.Effect, template: str) -> str:
        """Return a template with the values of a step; empty where a value is steps without words."""
        values = {key: self._value(step, key) for key in _VALUE.findall(template)}
        kept = _OPTIONAL.sub(lambda part: part[1] if values[part[2]] else "", template)
        return _VALUE.sub(lambda place: values[place[1]], kept) if all(map(values.get, _VALUE.findall(kept))) else ""

    def _value(self, step: Any, key: str) -> str:
        given = getattr(step, key)
        if given in (None, ()):
            return ""
        match key:
            case "pile" | "deck" | "number" | "event":
                return self._formulas.called(key, given)
            case "only" | "but":
                return joined_words([*map(plain_name, given)])
            case "then" | "do_":
                return self.body(given)
            case "unit":
                times = self._folded(step.times) if step.times else _ONE
                return f"{article(given)} {plain_name(given)}" if times == _ONE else self._amount(times, given)
            case "times":
                return self._often(self._folded(given))
        return self._formulas.called("number", given) if isinstance(given, str) else self.formula_says(given)

    def _folded(self, formula: Formula) -> Node:
        return self._formulas.folded(formula.tree)

    # --- numbers -----------------------------------------------------------------------------------------------------

    def _changed(self, step: rules.Raise | rules.Lower | rules.SetTo, to: Node) -> Said:
        """Say how a number changes; of one value or another each is a clause of its own."""
        if to.kind != "if":
            return Said(self._set(step, to) if isinstance(step, rules.SetTo) else self._change(step, to))
        is_set = isinstance(step, rules.SetTo)
        sides = [_whole(self._changed(step, to)) if is_set or to != _ZERO else "" for to in to.parts[1:]]
        return self._either(to.parts[0], *sides)

    def _change(self, step: rules.Raise | rules.Lower, by: Node) -> str:
        number, own = self._formulas.number_name(step.number), self.system.steps.numbers.get(step.number)
        raised = isinstance(step, rules.Raise)
        bound = step.most if isinstance(step, rules.Raise) else step.least
        limit = (own.most if raised else own.least) if own is not None else None
        if raised and limit is not None and self._folded(limit) == by and self._starts_full(step.number):
            return f"regain all {number}"
        no_further = ""
        if bound is not None and (limit is None or self._folded(bound) != self._folded(limit)):
            no_further = f", no further than {self.formula_says(bound)}"
        if amount := "" if number.startswith("the ") else self._amount_of(by, number):
            bounded = bound is not None or (limit is not None and limit.text in self.system.steps.numbers)
            regains = raised and bounded and (own is None or own.start != 0)
            return f"{'regain' if regains else 'gain' if raised else 'lose'} {amount}{no_further}"
        words = ("add", "to") if raised else ("take", "off")
        return f"{words[0]} {self._formulas.within(by)} {words[1]} {number}{no_further}"

    def _starts_full(self, number: str) -> bool:
        """Return whether a number begins at its most: what it loses is regained."""
        numbers = self.system.steps.numbers
        own = numbers[number]
        most = self._folded(own.most) if own.most else None
        end = numbers[str(most.about)].start if most and most.about in numbers else most and most.about
        return own.start == end

    def _amount_of(self, by: Node, number: str) -> str:
        """Return how much of a number, where that is said before it: `d3 STR`, `6 HP for each level`; or nothing."""
        if by.kind == "number" or (by.kind == "dice" and isinstance(by.about, Dice) and not by.about.plus):
            return f"{self._formulas.noun(by)} {singular(number) if by.about == 1 else number}"
        times, counted = multiplied(by)
        if each := self._formulas.each_of(counted):
            return f"{times} {number if times != 1 else singular(number)} for each {each}"
        return ""

    def _set(self, step: rules.SetTo, to: Node) -> str:
        number = self._formulas.number_name(step.number)
        own = self.system.steps.numbers.get(step.number)
        if own is not None and own.flag and to.kind == "number":
            return f"{'mark' if to.about else 'clear'} {number}"
        if own is not None and own.hidden and any(node.kind == "dice" for node in to.walk()):
            return f"roll {self._formulas.within(to)} for {number}, hidden until it is revealed"
        other = other_part(to, Node("name", step.number)) if to.kind in ("min", "max") else None
        becomes = f"{number} {'become' if is_plural(number) else 'becomes'}"
        if other:
            return f"{becomes} {self._formulas.noun(other)} if that is {'higher' if to.kind == 'max' else 'lower'}"
        if to.kind in HOLDING:
            return f"{becomes} 1 if {self._formulas.condition(to)}, and 0 otherwise"
        return f"{becomes} {self._formulas.noun(to)}"

    def _let(self, step: rules.Let) -> str:
        be = self._folded(step.be)
        name = step.title or named_value(step.name)
        if any(node.kind in ("dice", "sixes", "sum") for node in be.walk()):
            rolls, name = self._rolls(be), self._formulas.name(step.name)
            return f"{rolls}{',' * (', ' in rolls)} for {name}"
        if be.kind in HOLDING:
            return f"note whether {self._formulas.condition(be)} ({step.title or plain_name(step.name)})"
        if not step.title and (titled := self._formulas.name(step.name)) != name:
            return f"{titled} {'become' if is_plural(titled) else 'becomes'} {self._formulas.noun(be)}"
        if be.kind in ("name", "number", "word") and not step.title:
            return f"note {self._formulas.noun(be)} as {named_value(step.name)}"
        return f"{name}: {self._formulas.noun(be)}" if step.title else f"work out {name}: {self._formulas.noun(be)}"

    def _rolls(self, dice: Node) -> str:
        if dice.kind == "sixes":
            return f"roll {self._formulas.noun(dice.parts[0])} dice and count the sixes"
        return f"roll {self._formulas.noun(dice)}"

    def _throws(self, step: rules.Throw) -> str:
        many = self.formula_says(step.many) if step.many else ""
        dice = []
        for name, faces in step.dice.items():
            title, (times, die) = lowered_clause(step.title(name)), multiplied(self._folded(faces))
            only = f" if {self._formulas.condition(die)}" if die.kind in HOLDING else ""
            die = Node("number", times) if only else self._folded(faces)
            dice.append(f"{self._die(die, many)} for {title if title.startswith('the ') else f'the {title}'}{only}")
        rolled = f"roll {joined_words(dice)}"
        if step.counts:
            shown = [f"the {face}s ({plain_name(name)})" for name, face in step.counts.items()]
            rolled = f"{rolled} and count {joined_words(shown)}"
        kept, which = self.formula_says(step.keep) if step.keep else "", "lowest" if step.lowest else "highest"
        counts = f"; the {which} counts" if kept == "1" else f"; the {kept} {which} count" if kept else ""
        aces = "; a die at its highest is rolled again and added" if step.aces else ""
        return f"{rolled}{counts}{aces}" + (f", no further than {self.formula_says(step.most)}" if step.most else "")

    def _die(self, faces: Node, many: str) -> str:
        """Return a die with its faces, or so many of them."""
        if faces.kind == "number":
            die = f"d{faces.about}"
            return f"{many}{die}" if not many or many.isdigit() else f"as many {die} as {many}"
        if faces.kind == "faces":
            die = self._formulas.number_name(str(faces.about))
        else:
            die = f"a die with as many faces as {self._formulas.noun(faces)}"
        return f"{many} times {die}" if many else die

    # --- what is decided ---------------------------------------------------------------------------------------------

    def _when(self, step: rules.When) -> Said:
        return self._either(self._folded(step.holds), self.body(step.then), self.body(step.otherwise))

    def _either(self, holds: Node, then: str, otherwise: str) -> Said:
        if not then:
            holds, then, otherwise = self._formulas.folded(Node("not", None, (holds,))), otherwise, ""
        if not then:
            return Said("")
        lead = self._rolled_lead(holds) or self._formulas.lead(holds)
        more = (f"Otherwise, {otherwise}",) if otherwise else ()
        return Said(_led(lead, _in_one(then)), more, has_otherwise=bool(otherwise))

    def _rolled_lead(self, holds: Node) -> str:
        """Return a condition on dice that are rolled for it: `roll d20: on 15 or more`."""
        left = holds.parts[0] if len(holds.parts) == 2 else holds
        if holds.kind not in _ON or not any(node.kind == "dice" for node in left.walk()):
            return ""
        return f"roll {self._formulas.within(left)}: on {_ON[holds.kind].format(self._formulas.noun(holds.parts[1]))}"

    def _check(self, check: rules.Check) -> Said:
        bound, sure = self._check_bound(check)
        less = Node("dice", Dice(check.die.count, check.die.faces)), Node("number", 1)
        die = self._formulas.noun(Node("-", None, less)) if check.die.plus == -1 else check.die.spoken
        if check.degrees is not None:
            degrees, by = self._folded(check.degrees), self.formula_says(check.degrees)
            if degrees.kind in HOLDING:
                sure += f"; 1 degree if {self._formulas.condition(degrees)}"
            elif names_roll(check.degrees):
                sure += f"; the degrees are {by}"
            else:
                sure += f"; each {'point' if by == '1' else f'{by} points'} of difference is a degree"
        head = f"make {article(check.name)} {check.name} check: {die}" if check.name else f"roll {die}"
        sides = (("On a success", self.body(check.passes)), ("On a failure", self.body(check.fails)))
        return Said(f"{head}, {bound}{sure}", tuple(_led(how, _in_one(body)) for how, body in sides if body))

    def _check_bound(self, check: rules.Check) -> tuple[str, str]:
        aims = ((check.at_most, "{} or less"), (check.at_least, "{} or more"), (check.over, "over {}"))
        aim = next((says.format(self._formulas.within(self._folded(to))) for to, says in aims if to is not None), "")
        sure = [
            f"{span_figures(at)} always {how}" for at, how in ((check.always, "succeeds"), (check.never, "fails")) if at
        ]
        return aim.removesuffix(","), f" ({', '.join(sure)})" if sure else ""

    def _as_long(self, step: rules.AsLong) -> Said:
        holds = self._folded(step.holds)
        most = f", {self.formula_says(step.most)} times in all" if step.most else ""
        while_so = "" if holds.kind == "number" else f" as long as {self._formulas.condition(holds)}"
        return Said(self.body(step.do_), (f"Do this again{while_so}{most}{' at most' if most and while_so else ''}",))

    def _option(self, step: rules.Choose, option: str) -> str:
        only = f", if {self._formulas.condition(self._folded(step.only[option]))}" if option in step.only else ""
        does = self.body(step.options[option])
        return f"{option}{only}{f' ({does})' if does else ''}"

    # --- tables, cards, events ---------------------------------------------------------------------------------------

    def _look_up(self, step: rules.LookUp) -> str:
        table = self.system.table(step.table) if step.table else None
        title, on = table.title if table else "", f"on {table.title}" if table else ""
        if step.aimed:
            on = f"on the table for {self._formulas.name(step.aimed)}" + (f" ({title} if it has none)" if title else "")
        by = self._folded(step.by) if step.by is not None else None
        if by is None:
            lead = f"roll {table.roll.spoken}" if table and table.roll else "roll"
        elif any(node.kind == "dice" for node in by.walk()):
            lead = f"roll {self._formulas.within(by)}"
        else:
            row = by.kind == "number"
            lead, on = (
                f"{'take row' if row else 'look up'} {self._formulas.within(by)}",
                f"of {title}" if row and title else on,
            )
        many = self._often(self._folded(step.times)) if step.times is not None else ""
        column = ""
        if step.column:
            node = self._folded(step.column)
            named = table.columns.get(str(node.about)) if table and node.kind in ("word", "name") else None
            column = f", column {named.title if named else f'for {self._formulas.noun(node)}'}"
        but = f", again on {' or '.join(map(span_figures, step.but))}" if step.but else ""
        twice, many = (many, "") if many == " twice" else ("", many)
        return f"{lead}{twice} {on}{column}{many}{but}"

    def _often(self, times: Node) -> str:
        if times.kind == "number":
            return " twice" if times.about == 2 else f", {times.about} times"
        return f", as many times as {self._formulas.noun(times)}"

    def _draws(self, step: rules.DrawCard) -> str:
        many = "1" if step.cards is None else self.formula_says(step.cards)
        cards, them = ("a card", "it") if many == "1" else (f"{'that many' if ' ' in many else many} cards", "them")
        face = f" and read {them} for {self.formula_says(step.face)}" if step.face else ""
        each, then, keeps = self.body(step.each), self.body(step.then), ""
        each = f"; as {'it' if many == '1' else 'each'} is drawn, {each}" if each else ""
        kept = self.formula_says(step.keep) if step.keep is not None else many
        if step.keep is not None:
            ones = "one" if kept == "1" else kept
            keeps = f"; keep the {ones} you choose"
            if step.best is not None:
                best = self._folded(step.best)
                lowest = best.kind == "minus"
                by = self._formulas.noun(best.parts[0] if lowest else best)
                by = by.removeprefix("the card\N{RIGHT SINGLE QUOTATION MARK}s ")
                keeps = f"; keep the {ones} with the {'lowest' if lowest else 'highest'} {by}"
        then = f"; with {'it' if kept == '1' else 'each'}, {then}" if then else ""
        return f"draw {cards} from {self.system.piles[step.deck].title}{face}{each}{keeps}{then}"

    def _call(self, step: rules.Call | rules.Befall) -> str:
        happening = self.system.head.events[step.event]
        arguments = []
        for name, formula in step.takes.items():
            value = self._folded(formula)
            if value in (Node("name", name), Node("word", "nothing")):
                continue
            if happening.takes[name].flag and value.kind in HOLDING:
                arguments.append(f"{plain_name(name)} if {self._formulas.condition(value)}")
            elif happening.takes[name].flag and value.kind == "number":
                arguments += [plain_name(name)] if value.about else []
            else:
                arguments.append(f"{plain_name(name)}: {self._formulas.noun(value)}")
        spoken = f" ({'; '.join(arguments)})" if arguments else ""
        return f"resolve {quoted(happening.title or self._fill(happening.says))}{spoken}"

    # --- conditions and time -----------------------------------------------------------------------------------------

    def _suffer(self, effect: rules.Suffer) -> str:
        condition = self.system.head.conditions[effect.condition]
        detail = f" ({self.formula_says(effect.detail)})" if effect.detail is not None else ""
        until = f"{detail} {self._lasting(effect.until)}".rstrip()
        if effect.levels is not None or (condition.levels and condition.again in (None, "level") and condition.name):
            levels = self._folded(effect.levels) if effect.levels is not None else _ONE
            return f"gain {self._amount(levels, 'level', f' of {condition.name or effect.condition}')}{until}"
        plain = str(self._formulas.having(effect.condition))
        if not condition.name and not (condition.brief and is_state(condition.brief)):
            plain = lowered_clause(without_stop(condition.says))
        return plain if until and plain.endswith(until) else f"{plain}{until}"

    def _ends(self, step: rules.End) -> str:
        words, name, there = self._formulas, step.condition or step.group, " there" if step.here else ""
        if step.coming:
            return f"{words.condition_name(step.coming)} does not come after all"
        if name is None:
            endings = step.ending if isinstance(step.ending, tuple) else (step.ending,)
            words_of_ends = (each or self._event for each in endings)
            lasts = " or ".join(self._lasting(rules.Until.parse(each, own=True)) for each in words_of_ends if each)
            title = f"what lasts {lasts or 'until this'}{there}"
            title += f" and comes from {self.formula_says(step.card)}" if step.card is not None else ""
        else:
            title = words.condition_name(name) + there
        if step.levels is not None:
            return f"lose {self._amount(self._folded(step.levels), 'level', f' of {title}')}"
        if name and step.chosen is not None:
            return f"the {title} you choose ends"
        if name and name not in self.system.head.conditions:
            return f"every {title} ends"
        having = words.having(name) if name else None
        return f"you are no longer {having.rest}{there}" if having and having.verb == "are" else f"{title} ends"

    def _amount(self, amount: Node, unit: str, of: str = "") -> str:
        """Return so much of a unit of time, or so many levels: `8 hours`, `as many levels of Fever as Time limit`."""
        unit, units = plain_name(unit), f"{plural(plain_name(unit))}{of}"
        if amount.kind == "number":
            return f"{counted_figure(value_of(amount), unit)}{of}"
        first = amount.parts[0] if amount.kind in ("+", "-") else amount
        phrase = self._formulas.noun(amount)
        if first.kind in ("dice", "number") and ", " not in phrase:
            return f"{phrase} {units}"
        if amount.kind == "name" and str(amount.about) not in self.system.steps.numbers:
            return f"that many {units}"
        return f"as many {units} as {phrase}"


_ON = {
    "<=": "{} or less", ">=": "{} or more", "==": "{}", "!=": "anything but {}", "<": "less than {}",
    ">": "more than {}",
}  # fmt: skip


_IF = ("if ", "unless ")
_ZERO, _ONE = Node("number", 0), Node("number", 1)
_VALUE = re.compile(r"\{(\w+)\}")
_OPTIONAL = re.compile(r"\[([^\[\]]*\{(\w+)\}[^\[\]]*)\]")
_QUOTED = re.compile("\N{LEFT DOUBLE QUOTATION MARK}[^\N{RIGHT DOUBLE QUOTATION MARK}]*|[(][^)]*")
_MARK = re.compile(r"(?<![^ (])[(]([a-z])[)] ")


def _deeper(mark: re.Match[str]) -> str:
    """Return a mark of a list in a list: it has figures for its letters."""
    return f"({_LETTERS.index(mark[1]) + 1}) "


def _led(lead: str, body: str) -> str:
    """Return what follows a condition or a result: `if you are Prone, you die`."""
    return f"{lead}: {body}" if body.startswith(("(a) ", *_IF)) else f"{lead}, {body}"


def _in_one(body: str) -> str:
    """Return a branch in one sentence: an `otherwise` in it belongs to that branch."""
    return body.replace(". Otherwise, ", "; otherwise, ")


def _whole(said: Said) -> str:
    """Return a clause of a list with what follows it; an `otherwise` stays in the sentence of its `if`."""
    return _in_one(joined_sentences((said.clause, *said.more)))


def _letter(place: int) -> str:
    """Return the mark of a clause in a list: a to z, then aa, ab and so on."""
    before, letter = divmod(place, len(_LETTERS))
    return (_letter(before - 1) if before else "") + _LETTERS[letter]
