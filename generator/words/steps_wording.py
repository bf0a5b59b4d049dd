"""Steps of the author's in words: what the author says of them, and else one plain clause for each kind.

Each step is said by itself. One that needs more than a plain clause is worded by its author, with `says`; `check` asks
for that.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from generator.base.late import late_pattern
from generator.base.naming import fields_naming
from generator.base.sentences import full_stop, joined_sentences, plural, without_stop
from generator.model import rules
from generator.model.formulas import Formula, Node
from generator.words.formula_folding import HOLDING, other_part, value_of
from generator.words.formula_wording import FormulaWords, is_plural, plain_name, quoted
from generator.words.wording import article, capitalised, counted_figure, joined_words, lowered_clause


class Said(NamedTuple):
    """A step in words: a clause, and the sentences that follow it. An `otherwise` belongs to the clause."""

    clause: str
    more: tuple[str, ...] = ()
    has_otherwise: bool = False

    def __str__(self) -> str:
        return joined_sentences((capitalised(self.clause), *self.more))


_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_UNCLEAR = late_pattern(
    r"(?:^|[ (])\([a-z]\) |"
    r"\([^()]*(?:\b(?:minus|plus|times|divided by|smaller of|larger of)\b| [\u2212+\xd7] |, at (?:mo|lea)st )[^()]*\)|"
    r"(?<!the effect )(?<!\bresolve )“(?-i:[a-z0-9 ]+)”",
    re.IGNORECASE,
)


def needs_own_words(sentence: str) -> bool:
    """Return True if a step prints no good rule: lettered branches, a formula in brackets, a name that is no noun."""
    return bool(_UNCLEAR.search(sentence))


class StepWords:
    """Words the steps of one system.

    `clauses` are for steps that need more than a template; `effect_says` are the sentences of other effects; `fill`
    puts numbers into texts; `lasting` says until when.
    """

    def __init__(
        self,
        system: rules.System,
        clauses: "Clauses",
        effect_says: Callable[[rules.AnyEffect], Iterable[str]],
        fill: Callable[[str], str],
        lasting: Callable[[rules.Until], str],
        event: str = "",
    ) -> None:
        self.system, self._clauses, self._effect_says = system, clauses, effect_says
        self.fill, self.lasting = fill, lasting
        self.formulas, self.event = FormulaWords(system, event), event

    # --- whole things ------------------------------------------------------------------------------------------------

    def steps_say(self, steps: Iterable[rules.AnyEffect], event: str = "") -> list[tuple[rules.AnyEffect, str]]:
        """Return those of some steps that need words, each with its sentences; `event` has the names in them."""
        words = StepWords(self.system, self._clauses, self._effect_says, self.fill, self.lasting, event)
        clauses = ((each, words.effect_as_clause(each)) for each in words.in_force(steps))
        return [(effect, full_stop(str(sentence))) for effect, sentence in clauses if sentence.clause]

    def step_says(self, step: rules.AnyEffect) -> str:
        """Return one step as sentences, without the last full stop."""
        return joined_sentences([*filter(None, map(str, map(self.effect_as_clause, self.in_force((step,)))))])

    def formula_says(self, formula: Formula) -> str:
        """Return what a formula comes to, in words."""
        return self.formulas.noun(self.folded(formula))

    def condition_says(self, formula: Formula) -> str:
        """Return what holds where a formula does, in words."""
        return self.formulas.condition(self.folded(formula))

    def span_says(self, formula: Formula, unit: str) -> str:
        """Return a span of time that a formula gives: `d10 minus Grit rounds, at least 1`."""
        amount = self.folded(formula)
        amount = (other_part(amount, Node("number", 1)) if amount.kind == "max" else None) or amount
        least = amount != self.folded(formula) or any(node.kind in ("-", "minus") for node in amount.walk())
        return self.amount(amount, unit) + (", at least 1" if least else "")

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
        return f"As soon as {self.condition_says(watch.holds)}, {self.body(watch.do_)}"

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
            holds = self.folded(effect.holds) if isinstance(effect, rules.When) and effect.says is None else None
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
        return "; ".join(f"({_letter(at)}) {_MARK.sub(_deeper, whole(each))}" for at, each in enumerate(said))

    # --- one step ----------------------------------------------------------------------------------------------------

    def effect_as_clause(self, effect: rules.AnyEffect) -> Said:
        """Return one effect as a clause that may stand in a sentence."""
        if isinstance(effect, rules.Step) and effect.says is not None:
            return Said(lowered_clause(without_stop(self.fill(effect.says))))
        find = self._clauses.get(type(effect))
        if find is not None and (clause := find(self, effect)) is not None:
            return clause if isinstance(clause, Said) else Said(clause)
        if effect.prints or isinstance(effect, rules.Step):
            return Said(self.filled(effect, effect.prints))
        first, *more = [without_stop(each) for each in self._effect_says(effect)] or [""]
        return Said(lowered_clause(first), tuple(more))

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
            case "event" if fields_naming(step.__class__, "event"):
                return self._call(step)
            case "pile" | "deck" | "number" | "event":
                return self.formulas.called(key, given)
            case "whom":
                return "somebody" if given == "one" else "everybody"
            case "options":
                return "; or ".join(self._option(step, option) for option in given)
            case "only" | "but":
                return joined_words([*map(plain_name, given)])
            case "then" | "do_":
                return self.body(given)
            case "unit":
                times = self.folded(step.times) if step.times else ONE
                return f"{article(given)} {plain_name(given)}" if times == ONE else self.amount(times, given)
            case "times":
                return self.often(self.folded(given))
        if not isinstance(given, str):
            return self.formula_says(given)
        names = fields_naming(step.__class__, "own number", "number or word")
        return self.formulas.called("number", given) if key in names else plain_name(given)

    def folded(self, formula: Formula) -> Node:
        """Return a formula with its constants and settings in place."""
        return self.formulas.folded(formula.tree)

    def _call(self, step: rules.Call | rules.Befall) -> str:
        happening = self.system.head.events[step.event]
        arguments = []
        for name, formula in step.takes.items():
            value = self.folded(formula)
            if value in (Node("name", name), Node("word", "nothing")):
                continue
            if happening.takes[name].flag and value.kind in HOLDING:
                arguments.append(f"{plain_name(name)} if {self.formulas.condition(value)}")
            elif happening.takes[name].flag and value.kind == "number":
                arguments += [plain_name(name)] if value.about else []
            elif is_plural(name) and value.kind == "dice":
                arguments.append(f"{self.formulas.noun(value)} {plain_name(name)}")
            else:
                arguments.append(f"{plain_name(name)}: {self.formulas.noun(value)}")
        spoken = f" ({'; '.join(arguments)})" if arguments else ""
        return f"{quoted(happening.title or self.fill(happening.says))}{spoken}"

    def _option(self, step: rules.Choose, option: str) -> str:
        only = f", if {self.formulas.condition(self.folded(step.only[option]))}" if option in step.only else ""
        does = self.body(step.options[option])
        return f"{option}{only}{f' ({does})' if does else ''}"

    def often(self, times: Node) -> str:
        """Return how often: ` twice`, or after a comma."""
        if times.kind == "number":
            return " twice" if times.about == 2 else f", {times.about} times"
        if times.kind == "dice":
            return f", {self.formulas.noun(times)} times"
        return f", as many times as {self.formulas.noun(times)}"

    def amount(self, amount: Node, unit: str, of: str = "") -> str:
        """Return so much of a unit of time, or so many levels: `8 hours`, `as many levels of Fever as Time limit`."""
        unit, units = plain_name(unit), f"{plural(plain_name(unit))}{of}"
        if amount.kind == "number":
            return f"{counted_figure(value_of(amount), unit)}{of}"
        first = amount.parts[0] if amount.kind in ("+", "-") else amount
        phrase = self.formulas.noun(amount)
        if first.kind in ("dice", "number") and ", " not in phrase:
            return f"{phrase} {units}"
        if amount.kind == "name" and str(amount.about) not in self.system.steps.numbers:
            return f"that many {units}"
        return f"as many {units} as {phrase}"


_IF = ("if ", "unless ")
ZERO, ONE = Node("number", 0), Node("number", 1)
_VALUE = late_pattern(r"\{(\w+)\}")
_OPTIONAL = late_pattern(r"\[([^\[\]]*\{(\w+)\}[^\[\]]*)\]")
_QUOTED = late_pattern("\N{LEFT DOUBLE QUOTATION MARK}[^\N{RIGHT DOUBLE QUOTATION MARK}]*|[(][^)]*")
_MARK = late_pattern(r"(?<![^ (])[(]([a-z])[)] ")


def _deeper(mark: re.Match[str]) -> str:
    """Return a mark of a list in a list: it has figures for its letters."""
    return f"({_LETTERS.index(mark[1]) + 1}) "


def led(lead: str, body: str) -> str:
    """Return what follows a condition or a result: `if you are Prone, you die`."""
    return f"{lead}: {body}" if body.startswith(("(a) ", *_IF)) else f"{lead}, {body}"


def in_one(body: str) -> str:
    """Return a branch in one sentence: an `otherwise` in it belongs to that branch."""
    return body.replace(". Otherwise, ", "; otherwise, ")


def whole(said: Said) -> str:
    """Return a clause of a list with what follows it; an `otherwise` stays in the sentence of its `if`."""
    return in_one(joined_sentences((said.clause, *said.more)))


def _letter(place: int) -> str:
    """Return the mark of a clause in a list: a to z, then aa, ab and so on."""
    before, letter = divmod(place, len(_LETTERS))
    return (_letter(before - 1) if before else "") + _LETTERS[letter]


Clauses = Mapping[type[Any], Callable[[StepWords, Any], Said | str | None]]
