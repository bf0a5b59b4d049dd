"""Steps of the author's as sentences: numbers, look-ups, conditions and times that the content names."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import assert_never

from generator.model import rules
from generator.model.formulas import OF_CARD, Formula, names_roll, spoken_formula, spoken_node
from generator.words.wording import capitalised, joined_words, lowered_clause


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
        elif check.at_least is not None:
            aim = f"{self.said(check.at_least)} or more"
        else:
            aim = f"over {self.said(check.over)}" if check.over else ""
        for span, how in ((check.always, "succeeds"), (check.never, "fails")):
            aim += f"; {span_figures(span)} always {how}" if span else ""
        if check.degrees is not None:
            by = self.said(check.degrees)
            one = "point" if by == "1" else f"{by} points"
            aim += (
                f"; the degrees are {by}"
                if names_roll(check.degrees)
                else f"; count a degree for each {one} of difference"
            )
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
                return f"{lowered_clause(step.title)} is {self.said(step.be)}" if step.title else ""
            case rules.When():
                clause = f"if {self.said(step.holds)}: {self.clauses(step.then)}"
                return f"{clause}. Otherwise: {self.clauses(step.otherwise)}" if step.otherwise else clause
            case rules.LookUp():
                return self._look_up(step)
            case rules.DrawCard():
                return self._draws(step)
            case rules.Shuffle():
                return f"shuffle all the cards again: {self.system.piles[step.deck].title}"
            case rules.RollFor():
                ways = (f"on {span_figures(at)}, {self.clauses(does)}" for at, does in step.results.items())
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
            case rules.Revive():
                return "you live again"
            case rules.Answer():
                return "make the save that you have owed longest; what hangs on it follows"
            case rules.Throw():
                return self._throws(step)
            case rules.AsLong():
                most = f", {self.said(step.most)} times in all at the most" if step.most else ""
                return f"{self.clauses(step.do_)}. Do this again as long as {self.said(step.holds)}{most}"
            case rules.Choose():
                return f"choose: {'; or '.join(self._option(step, option) for option in step.options)}"
        assert_never(step)

    def _throws(self, step: rules.Throw) -> str:
        many = self.said(step.many) if step.many else ""
        dice = [f"{self._die(faces, many)} for {self._titled(step.title(name))}" for name, faces in step.dice.items()]
        which = "lowest" if step.lowest else "highest"
        kept = self.said(step.keep) if step.keep else ""
        counts = f"; the {which} counts" if kept == "1" else f"; the {kept} {which} count" if kept else ""
        aces = "; a die that shows its highest face is rolled again and added" if step.aces else ""
        most = f", to {self.said(step.most)} at the most" if step.most else ""
        return f"roll {joined_words(dice)}{counts}{aces}{most}"

    def _die(self, faces: Formula, many: str) -> str:
        """Return a die with its faces, or so many of them."""
        node = faces.tree
        if node.kind == "number":
            return f"{many if many.isdigit() or not many else f'{many} '}d{node.about}"
        about = self._named("name", str(node.about)) if node.kind == "faces" else self.said(faces)
        if about.removeprefix("d").isdigit():
            return f"{many} {about}".strip()
        die = f"a die with the faces of {about}" if node.kind == "faces" else f"a die of {about} faces"
        return f"{many} times {die}" if many else die

    def _option(self, step: rules.Choose, option: str) -> str:
        only = f", if {self.said(step.only[option])}" if option in step.only else ""
        does = self.clauses(step.options[option])
        return f"{option}{only}{f' ({does})' if step.options[option] and does else ''}"

    def _dice(self, dice: Formula) -> str:
        """Return what is rolled; of a pool, how many dice, whose sixes count."""
        pool = dice.tree.kind == "sixes"
        return f"{spoken_node(dice.tree.parts[0], self._named)} dice and count the sixes" if pool else self.said(dice)

    def _look_up(self, step: rules.LookUp) -> str:
        table = self.system.table(step.table) if step.table else None
        title = table.title if table else step.table or f"the table of the {_plain(step.aimed or '')}"
        column = f", in the column of {self.said(step.column)}" if step.column else ""
        if step.aimed and step.table:
            column += f", unless the {_plain(step.aimed)} has a table or column of its own"
        if step.times is not None:
            many = self.said(step.times)
            column += ", twice" if many == "2" else f", {many} times"
        if step.but:
            column += f"; roll again on {' or '.join(map(span_figures, step.but))}"
        if step.by is not None:
            return f"look up {self.said(step.by)}: {title}{column}"
        if table is None:
            return f"roll on {title}{column}"
        die = table.roll.spoken if table.roll else "for it"
        return f"roll {die}: {title}{column}"

    def _draws(self, step: rules.DrawCard) -> str:
        many = "1" if step.cards is None else self.said(step.cards)
        cards = "a card" if many == "1" else f"{'so many' if many.startswith('the ') else many} cards"
        face = f", read for {self.said(step.face)}" if step.face else ""
        return f"draw {cards}: {self.system.piles[step.deck].title}{face}{self._keeps(step)}"

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
        there = " there" if step.here else ""
        if step.condition:
            return f"{self._condition(step.condition)}{there} {'eases' if levels else 'ends'}{levels}"
        if step.group:
            if step.chosen:
                return f"one of the {self._group(step.group)}{there} {'eases' if levels else 'ends'}{levels}"
            return f"{self._group(step.group)}{there} {'ease' if levels else 'end'}{levels}"
        lasts = self.lasting(rules.Until.parse(step.ending, own=True)) if step.ending else "until this"
        return f"what lasts {lasts}{there} ends"

    def _number(self, name: str) -> str:
        procedure = self.system.steps
        if name in procedure.numbers:
            return procedure.numbers[name].name
        return procedure.words[name].name if name in procedure.words else f"the {_plain(name)}'s number"

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
            if name in self.system.titles:
                return self._titled(self.system.titles[name])
            if name.startswith(OF_CARD):
                key = name.removeprefix(OF_CARD)
                return _OF_THE_CARD + next((d.lines[key] for d in self.system.piles.values() if key in d.lines), key)
            special = {
                "side": "the side",
                "level": "its level",
                "over": "the excess",
                "degrees": "the degrees",
                "rolled": "the roll",
                "target": "the target",
                "dead": "you are dead",
                "permanent": "it is for good",
            }
            taken = any(name in event.takes for event in self.system.head.events.values())
            if name.endswith(rules.FIRST):
                return f"the first face of {self._named(kind, name.removesuffix(rules.FIRST))}"
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
        if kind == "faces":
            return f"the faces of {self._named('name', name)}"
        if kind == "known":
            return f"{self._named('name', name)} is known"
        if kind in ("worst", "lowered"):
            of = self.system.head.statistics[name].name
            return f"the most that lowers {of}" if kind == "worst" else f"what lowers {of}"
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
        }[kind]

    def _titled(self, title: str) -> str:
        """Return what an author has titled, with an article that it does not have."""
        title = lowered_clause(title)
        return title if title.startswith("the ") else f"the {title}"

    def _table(self, name: str) -> str:
        table = self.system.table(name)
        return table.title if table else name


_OF_THE_CARD = "the card\N{RIGHT SINGLE QUOTATION MARK}s "


def span_figures(span: rules.Span | str) -> str:
    """Return results in figures, with a dash between them."""
    return str(span).replace("-", "\N{EN DASH}")


def _plain(name: str) -> str:
    return name.replace("_", " ")
