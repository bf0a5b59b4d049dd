"""Steps of the author's as sentences: numbers, look-ups, conditions and times that the content names."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import assert_never

from generator.model import rules
from generator.model.formulas import OF_CARD, Formula, spoken_formula, spoken_node
from generator.words.wording import capitalised, joined_words


@dataclass(frozen=True)
class StepWords:
    """Words the steps of one system. `told` are the sentences of any effect; `fill` puts numbers into texts."""

    system: rules.System
    told: Callable[[rules.AnyEffect], Iterable[str]]
    fill: Callable[[str], str]
    lasting: Callable[[rules.Until], str]

    def step_says(self, step: rules.AnyStep) -> str:
        """Return one step as a sentence without its full stop."""
        if step.says is not None:
            return self.fill(step.says).removesuffix(".")
        sentence = self._step(step)
        return capitalised(sentence)

    def check_says(self, check: rules.Check) -> str:
        """Return a check with two branches as a sentence without its full stop."""
        if check.at_most is not None:
            aim = f"{self.said(check.at_most)} or less"
        else:
            aim = f"over {self.said(check.over)}" if check.over else ""
        name = f"A {check.name} check: {check.die.spoken}," if check.name else f"Roll {check.die.spoken} for"
        ends = [("If it fails", (*check.fail, *check.fails)), ("If it succeeds", check.passes)]
        endings = [f"{how}, {self.clauses(effects)}" for how, effects in ends if effects]
        return ". ".join([f"{name} {aim}", *endings])

    def condition_does(self, condition: rules.Condition) -> Iterator[str]:
        """Return the effects of a condition as time passes and when it ends, a sentence each."""
        for unit, effects in condition.each.items():
            if clauses := self.clauses(effects):
                yield f"Each {unit}: {clauses}"
        for cause, effects in condition.ends.items():
            how = {"time": "When its time is over", "any": "When it ends"}.get(cause, f"When {_plain(cause)} ends it")
            if clauses := self.clauses(effects):
                yield f"{how}: {clauses}"

    def clauses(self, effects: Collection[rules.AnyEffect]) -> str:
        """Steps as the end of a sentence; empty where the author has no word for any of them."""
        clauses = [clause.removesuffix(".") for effect in effects for clause in self.told(effect)]
        joined = "; ".join(clause if clause[1:2].isupper() else clause[:1].lower() + clause[1:] for clause in clauses)
        return joined if effects else "nothing"

    def _step(self, step: rules.AnyStep) -> str:
        match step:
            case rules.Raise():
                most = f", to {self.said(step.most)} at most" if step.most else ""
                return f"add {self.said(step.by)} to {self._number(step.number)}{most}"
            case rules.Lower():
                least = f", to {self.said(step.least)} at least" if step.least else ""
                return f"take {self.said(step.by)} off {self._number(step.number)}{least}"
            case rules.SetTo():
                return f"{self._number(step.number)} becomes {self.said(step.to)}"
            case rules.Let():
                return f"{_plain(step.name)} is {self.said(step.be)}"
            case rules.When():
                clause = f"if {self.said(step.holds)}: {self.clauses(step.then)}"
                return f"{clause}. Otherwise: {self.clauses(step.otherwise)}" if step.otherwise else clause
            case rules.LookUp():
                return self._look_up(step)
            case rules.DrawCard():
                return self._draws(step)
            case rules.Read():
                face = f", read for {self.said(step.face)}" if step.face else ""
                part = f" ({joined_words([*map(_plain, step.only)])} only)" if step.only else ""
                part += f" (all but {joined_words([*map(_plain, step.but)])})" if step.but else ""
                return f"the card does what it says{face}{part}"
            case rules.Keep():
                worth = f", where it counts {self.said(step.counts)}" if step.counts else ""
                return f"keep the card in the {self._pile(step.pile)}{worth}"
            case rules.TakeUp():
                return f"with each card of the {self._pile(step.pile)}, {self.clauses(step.then)}"
            case rules.PutAway():
                worth = f" that count {self.said(step.by)} together, the newest first" if step.by else ""
                return f"put away {'cards' if step.by else 'all cards'} of the {self._pile(step.pile)}{worth}"
            case rules.Shuffle():
                return f"shuffle all the cards again: {self.system.piles[step.deck].title}"
            case rules.RollFor():
                ways = (f"on {at.replace('-', chr(0x2013))}, {self.clauses(does)}" for at, does in step.results.items())
                return f"roll {self._dice(step.dice)}: {'; '.join(ways)}"
            case rules.Call():
                return f"do as for: {self.system.head.events[step.event].says}"
            case rules.End():
                return self._ends(step)
            case rules.Shorten():
                which = {"longest": "the longest ", "chosen": "the one chosen of ", "all": "all "}[step.which]
                rest = "; what is left over goes to the next" if step.rest == "next" else ""
                return f"take {self.said(step.by)} {step.unit}s off {which}{self._group(step.of)}{rest}"
            case rules.Pass():
                times = self.said(step.times) if step.times else "1"
                if times == "1":
                    return f"a {step.unit} passes"
                return f"{'so many' if times.startswith('the ') else times} {step.unit}s pass"
            case rules.Place():
                part = self.said(step.part)
                return f"it hits {part if part.startswith('the ') else f'the {part}'}"
            case rules.Say():
                return self.clauses(step.do_)
            case rules.Die():
                return "you die"
            case rules.Answer():
                return "make the save that you have owed longest; what hangs on it follows"
        assert_never(step)

    def _dice(self, dice: Formula) -> str:
        """Return what is rolled; of a pool, how many dice, whose sixes count."""
        pool = dice.tree.kind == "sixes"
        return f"{spoken_node(dice.tree.parts[0], self._named)} dice and count the sixes" if pool else self.said(dice)

    def _look_up(self, step: rules.LookUp) -> str:
        table = self.system.table(step.table)
        title = table.title if table else step.table
        column = f", in the column of {self.said(step.column)}" if step.column else ""
        if step.aimed:
            column += f", unless the {_plain(step.aimed)} has a table or column of its own"
        if step.times is not None:
            many = self.said(step.times)
            column += ", twice" if many == "2" else f", {many} times"
        if step.but:
            column += f"; roll again on {' or '.join(str(at).replace('-', chr(0x2013)) for at in step.but)}"
        if step.by is not None:
            return f"look up {self.said(step.by)}: {title}{column}"
        die = table.roll.spoken if table and table.roll else "for it"
        return f"roll {die}: {title}{column}"

    def _draws(self, step: rules.DrawCard) -> str:
        many = "1" if step.cards is None else self.said(step.cards)
        cards = "a card" if many == "1" else f"{'so many' if many.startswith('the ') else many} cards"
        face = f", read for {self.said(step.face)}" if step.face else ""
        each = f"; as {'it' if many == '1' else 'each'} is drawn, {self.clauses(step.each)}" if step.each else ""
        them = "it" if many == "1" else "each that counts" if step.keep else "each"
        then = f"; with {them}, {self.clauses(step.then)}" if step.then else ""
        return f"draw {cards}: {self.system.piles[step.deck].title}{face}{each}{self._keeps(step)}{then}"

    def _keeps(self, step: rules.DrawCard) -> str:
        """Return which of the cards that are drawn count."""
        if step.keep is None:
            return ""
        many = self.said(step.keep)
        if step.best is None:
            return "; choose the one that counts" if many == "1" else f"; choose {many} of them that count"
        lowest = step.best.tree.kind == "minus"
        by = spoken_node(step.best.tree.parts[0], self._named) if lowest else self.said(step.best)
        first = f"with the {'lowest' if lowest else 'highest'} {by.removeprefix(_OF_THE_CARD)}"
        return f"; only the one {first} counts" if many == "1" else f"; only the {many} {first} count"

    def _ends(self, step: rules.End) -> str:
        if step.coming:
            return f"{self._condition(step.coming)} that is still to come does not"
        levels = f" by {self.said(step.levels)}" if step.levels else ""
        if step.condition:
            return f"{self._condition(step.condition)} {'eases' if levels else 'ends'}{levels}"
        if step.group:
            if step.chosen:
                return f"one of the {self._group(step.group)} {'eases' if levels else 'ends'}{levels}"
            return f"{self._group(step.group)} {'ease' if levels else 'end'}{levels}"
        return (
            f"what lasts {self.lasting(rules.Until.parse(step.ending, own=True))} ends"
            if step.ending
            else "what lasts until this ends"
        )

    def _number(self, name: str) -> str:
        procedure = self.system.steps
        if name in procedure.numbers:
            return procedure.numbers[name].name
        return procedure.words[name].name if name in procedure.words else f"the {_plain(name)}'s number"

    def _pile(self, name: str) -> str:
        own = self.system.steps.piles[name].name
        return own[:1].lower() + own[1:]

    def _condition(self, name: str) -> str:
        condition = self.system.head.conditions[name]
        return condition.name or condition.brief or condition.says

    def _group(self, name: str) -> str:
        if name in self.system.head.conditions:
            return self._condition(name)
        return "lasting injuries" if name == "long" else f"{_plain(name)}s"

    def said(self, formula: Formula) -> str:
        """Return a formula on paper."""
        return spoken_formula(formula, self._named)

    def _named(self, kind: str, name: str) -> str:
        """Return a name of a formula on paper."""
        procedure, conditions = self.system.steps, self.system.head.conditions
        if kind == "name":
            if name in procedure.constants:
                return procedure.constants[name].spoken
            if name in procedure.numbers or name in procedure.words:
                return self._number(name)
            if name.startswith(OF_CARD):
                key = name.removeprefix(OF_CARD)
                if key == "red":
                    return "the card is red"
                return _OF_THE_CARD + next((d.lines[key] for d in self.system.piles.values() if key in d.lines), key)
            special = {
                "level": "its level",
                "over": "the excess",
                "dead": "you are dead",
                "permanent": "it is for good",
            }
            taken = any(name in event.takes for event in self.system.head.events.values())
            return special.get(name, f"the {_plain(name)}" if taken else _plain(name))
        if kind in ("has", "not has"):
            condition = conditions.get(name)
            what = (condition.brief or condition.name or condition.says) if condition else _plain(name)
            return f"you are {'' if kind == 'has' else 'not '}{what}"
        if kind == "column":
            return f"the column of the {_plain(name)}"
        if kind == "setting":
            return f"the rule {_plain(name)}"
        if kind == "value":
            return self._number(name)
        if kind in ("cards", "sum"):
            return f"the {'number of cards in' if kind == 'cards' else 'sum of'} the {self._pile(name)}"
        if kind == "known":
            return f"{self._named('name', name)} is known"
        what = self._condition(name) if name in conditions else "lasting injury" if name == "long" else _plain(name)
        return {
            "each": what[:1].lower() + what[1:],
            "count": f"the number of {what}",
            "lasting": f"the number of {what} for good",
            "level": f"the level of {what}",
            "left": f"what is left of {what}",
            "owed": f"the saves owed for {what}",
            "coming": f"{what} still to come",
            "met": f"a result of {self._table(name)}",
            "suffered": f"you suffer {what}",
            "worst": f"the most that lowers {what}",
            "lowered": f"what lowers {what}",
        }[kind]

    def _table(self, name: str) -> str:
        table = self.system.table(name)
        return table.title if table else name


_OF_THE_CARD = "the card\N{RIGHT SINGLE QUOTATION MARK}s "


def _plain(name: str) -> str:
    return name.replace("_", " ")
