"""Formulas as people at the table say them: sums as noun phrases, conditions as clauses.

A formula is folded first: settings and constants become what they are by the rules in force, names that only stand for
something else become that, and what is fixed then is worked out. What is left is matched against idioms (the tens of a
roll, half of something, no further than) before it is said part by part.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from generator.base.dice import Dice
from generator.base.nouns import plural
from generator.model import rules
from generator.model.formulas import HERE, OF_CARD, OF_CHECK, UNKNOWN, Formula, Node
from generator.words.formula_folding import (
    FLIPPED,
    HOLDING,
    OPPOSITE,
    counted_condition,
    depth_of,
    flat_parts,
    fold,
    grown_to,
    is_tens,
    left_of_division,
    merged_ranges,
    number_node,
    other_part,
    terms_of,
    times_ten,
    units_of,
    value_of,
    without_not,
)
from generator.words.wording import ABBREVIATIONS, DASH, MINUS, article, figure_words, joined_words, lowered_clause

_TIMES = "\N{MULTIPLICATION SIGN}"
_SHARES = {2: "half", 3: "a third of", 4: "a quarter of"}
_STATES = frozenset(
    {"prone", "down", "dead", "deaf", "blind", "mute", "dizzy", "slow", "short", "lame", "mad", "comatose", "catatonic"}
    | {"hungry", "thirsty", "sleepy", "cold", "sick", "ill", "weak", "weary", "drunk", "numb", "wet", "faint", "sore"}
)
_PARTICLES = ("out", "up", "off", "over", "apart")
"""What may follow a participle: Knocked out."""
_ALWAYS_PLURAL = ("wits", "guts")
_STATE_ENDINGS = ("ed", "ing", "en", "less", "ful", "ous")
_PLACED = ("in", "at", "on", "under", "out")
_NO_NOUNS = (
    "above", "after", "again", "before", "below", "beyond", "down", "got", "left", "next", "off", "once", "out",
    "over", "past", "still", "then", "through", "twice", "under", "up",
)  # fmt: skip
_ELEVENS = 11
_MAX_FUNCTIONS = 2
"""So deep functions stand inside each other in a sentence that is heard once."""
_MAX_WORDS = 12
"""So many words a number may take between two commas."""


_FLAG_SIGNS = {
    (0, "=="): True, (0, "<="): True, (1, "<"): True, (1, "!="): True,
    (0, "!="): False, (0, ">"): False, (1, ">="): False, (1, "=="): False,
}  # fmt: skip
"""Whether a comparison with 0 or 1 denies a flag."""


class Clause(NamedTuple):
    """Something that holds: `you`, `are`, `Prone`. Clauses with the same subject are joined without repeating it."""

    subject: str
    verb: str
    rest: str
    negative: bool = False

    def __str__(self) -> str:
        return f"{self.subject} {self.predicate}".strip()

    @property
    def predicate(self) -> str:
        """What is said of the subject: `are not Prone`, `do not have Fever`."""
        if not self.negative:
            return f"{self.verb} {self.rest}".strip()
        if self.verb == "have":
            return f"do not have {self.rest}"
        return f"{self.verb} not {self.rest}"

    @property
    def complement(self) -> str:
        """What is said after the same verb."""
        return f"not {self.rest}" if self.negative else self.rest


class Phrase(NamedTuple):
    """A noun phrase; `tail` (`at least 1`, `rounded down`) follows in brackets or between commas."""

    text: str
    is_sum: bool = False
    is_atom: bool = False
    tail: str = ""

    def __str__(self) -> str:
        return f"{self.text}, {self.tail}" if self.tail else self.text

    @property
    def within(self) -> str:
        """The phrase where the sentence goes on."""
        if not self.tail:
            return self.text
        between_commas = self.tail == _DOWN or self.tail.startswith(("plus ", "minus "))
        return f"{self.text}, {self.tail}," if between_commas else f"{self.text} ({self.tail})"

    @property
    def factor(self) -> str:
        """The phrase where it is multiplied, divided or taken apart."""
        return f"({self})" if self.is_sum or self.tail else self.text


_DOWN = "rounded down"


@dataclass
class Sight:
    """What the steps before have left to speak of.

    `stands_for` are names whose own formula stands where they are used. `rolls` are names of rolls, with the highest
    result each may have; `pair` are two equal ones in a row. `flags` are names of what holds or does not hold.
    `excess` is what `over` is left of.
    """

    stands_for: dict[str, Node] = field(default_factory=dict)
    rolls: dict[str, int] = field(default_factory=dict)
    pair: tuple[str, ...] = ()
    titles: dict[str, str] = field(default_factory=dict)
    flags: set[str] = field(default_factory=set)
    excess: str = "damage"
    excess_named: bool = False
    event: str = ""
    takes: Mapping[str, rules.Argument] = field(default_factory=dict)


def plain_name(key: str) -> str:
    """Return a key as words: `max_hp` becomes `max hp`."""
    return key.replace("_", " ")


def named_value(key: str) -> str:
    """Return the name of a value: `the damage`, or in quotation marks if it is no noun (through, pushed, sl)."""
    if key in ABBREVIATIONS:
        return f"the {key.upper()}"
    name = plain_name(key)
    is_noun = len(name) > 2 and name not in _NO_NOUNS and not (name.endswith("ed") and not name.endswith("eed"))
    return f"the {name}" if is_noun else quoted(name)


def quoted(name: str) -> str:
    """Return a name in quotation marks."""
    return f"\N{LEFT DOUBLE QUOTATION MARK}{name}\N{RIGHT DOUBLE QUOTATION MARK}"


def is_plural(name: str) -> bool:
    """Return whether a name such as Wounds takes `are`."""
    return name.endswith("s") and not name.endswith(("ss", "us", "is"))


def singular(noun: str) -> str:
    """Return the singular of a group's name, which may be plural already: `injuries` becomes `injury`."""
    if noun.endswith("ies"):
        return f"{noun[:-3]}y"
    return noun[:-1] if is_plural(noun) and noun.lower() not in _ALWAYS_PLURAL else noun


def is_state(name: str) -> bool:
    """Return whether one is what a condition is called (`Prone`), or has it (`Fever`)."""
    words = name.lower().split(" ")
    if words[0] in (*_STATES, *_PLACED):
        return True
    noun = next((words[at - 1] for at, word in enumerate(words) if at and word in ("for", "of", "on", "in", "at")), "")
    last = noun or next((word for word in reversed(words) if word not in _PARTICLES), words[-1])
    return last in _STATES or (last.endswith(_STATE_ENDINGS) and not last.endswith("eed"))


class FormulaWords:
    """Says the formulas of one system, as far as the steps before them are in sight."""

    def __init__(self, system: rules.System, sight: Sight) -> None:
        self.system, self.sight = system, sight

    def folded(self, node: Node) -> Node:
        """Return a formula with what is fixed worked out, by the names that are in sight."""
        return fold(node, self._stands_for)

    def _stands_for(self, node: Node) -> Node:
        """Return what a name, a setting or the faces of a die stand for, or the node itself."""
        name, sight, constants = str(node.about), self.sight, self.system.steps.constants
        if node.kind == "setting":
            return Node("word", self.system.setting(name))
        constant = constants.get(name)
        if node.kind == "faces":
            return number_node(constant.faces or constant.plus) if constant is not None else node
        if name == "over":
            return Node("over")
        if name in sight.stands_for:
            return sight.stands_for[name]
        if constant is None or name in sight.rolls or name in sight.titles or name in sight.takes:
            return node
        return number_node(constant.plus) if constant.is_number else Node("dice", constant)

    # --- noun phrases ------------------------------------------------------------------------------------------------

    def noun(self, node: Node) -> Phrase:
        """Return a folded formula as a noun phrase."""
        kind, parts = node.kind, node.parts
        match kind:
            case "number":
                return Phrase(figure_words(value_of(node)), is_atom=True)
            case "word":
                return Phrase(self.word(str(node.about)), is_atom=True)
            case "dice":
                assert isinstance(node.about, Dice)
                return Phrase(node.about.spoken, is_atom=not node.about.plus, is_sum=bool(node.about.plus))
            case "name":
                return Phrase(self._name(str(node.about)), is_atom=True)
            case "over":
                return Phrase(f"the {node.about or self.sight.excess} left over", is_atom=True)
            case "before":
                return Phrase(f"{self.number_name(str(node.about))} before", is_atom=True)
            case "+" | "-":
                return self._sum(node)
            case "minus":
                return Phrase(f"{MINUS}{self.noun(parts[0]).factor}", is_atom=True)
            case "*":
                return self._product(node)
            case "//":
                return self._share(node)
            case "mod":
                of = units_of(node)
                return self._units(of) if of and self._two_digits(of) else self._remainder(*parts)
            case "unknown":
                return Phrase(UNKNOWN, is_atom=True)
            case "sixes":
                return Phrase(f"the number of sixes on {self.noun(parts[0])} dice")
            case "sum":
                assert isinstance(node.about, Dice)
                return Phrase(f"as many d{node.about.faces} as {self.noun(parts[0])}")
            case "min" | "max":
                return self._bounded(node)
        if kind in HOLDING:
            return Phrase(f"1 if {self.condition(node)}, else 0", is_sum=True)
        return Phrase(self._function(kind, str(node.about)) + self._which(node))

    def _name(self, name: str) -> str:
        sight, procedure = self.sight, self.system.steps
        if name in sight.titles:
            return sight.titles[name] or named_value(name)
        if name in sight.rolls:
            return f"the {plain_name(name)} roll" if len(sight.rolls) > 1 and name not in sight.pair else "the roll"
        if name in sight.takes:
            return self._argument(name, sight.takes[name])
        if name in self.system.titles:
            return self.system.titles[name]
        if name in procedure.numbers or name in procedure.words:
            return self.number_name(name)
        if name.startswith(OF_CARD):
            return f"the card\N{RIGHT SINGLE QUOTATION MARK}s {self.line_title(name)}"
        if special := self._special(name):
            return special
        if name in self.system.head.parts:
            return f"the {self.system.head.parts[name].name}"
        argument = next((each.takes[name] for each in self.system.head.events.values() if name in each.takes), None)
        return self._argument(name, argument) if argument else named_value(name)

    def line_title(self, name: str) -> str:
        """Return what a card's line is called."""
        key = name.removeprefix(OF_CARD)
        return next((deck.lines[key] for deck in self.system.piles.values() if key in deck.lines), plain_name(key))

    def _argument(self, name: str, argument: rules.Argument) -> str:
        says = argument.says or ""
        if says.startswith("the "):
            return says
        asks = says.split(" ")[0] in ("who", "where", "what", "how", "whether", "which")
        return f"the {says}" if says and " " not in says and not asks else named_value(name)

    def number_name(self, name: str) -> str:
        """Return the title of a number or a word; of an argument that names a number what it is called."""
        procedure = self.system.steps
        if name in procedure.numbers:
            return procedure.numbers[name].name
        return procedure.words[name].name if name in procedure.words else self._name(name)

    def _which(self, node: Node) -> str:
        """Say which of the conditions held count: those where somebody is hurt, or those noted with a name."""
        if not node.parts:
            return ""
        return " there" if node.parts[0].kind == HERE else f" ({self.noun(node.parts[0])})"

    def _special(self, name: str) -> str:
        """Return what a name of ours is called: what a check came to, the side that is hurt."""
        return {"rolled": "the roll", "level": "the level", "permanent": "how long it lasts"}.get(name, "")

    def condition_name(self, name: str) -> str:
        """Return what a condition is called where it is a thing: `Bleeding`."""
        condition = self.system.head.conditions[name]
        return condition.name or condition.brief or plain_name(name)

    def group_name(self, name: str) -> str:
        """Return what one of a group is called: `injury`; of a condition its name."""
        if name in self.system.head.conditions:
            return self.condition_name(name)
        return "lasting injury" if name == "long" else singular(plain_name(name))

    def word(self, word: str) -> str:
        """Return a word of the content as a person says it."""
        parts = self.system.head.parts
        return f"the {parts[word].name}" if word in parts else plain_name(word)

    def _sum(self, node: Node) -> Phrase:
        if idiom := self._digits(node):
            return idiom
        terms = [*terms_of(node)]
        counted = [(sign, term) for sign, term in terms if self._counts(term)]
        plain = [(sign, term) for sign, term in terms if not self._counts(term)]
        if [sign for sign, _ in plain[:1]] == ["-"]:
            plain.sort(key=lambda each: each[0] == "-")
        phrases = [(sign, self.noun(term)) for sign, term in plain]
        figures = any(term.kind in ("number", "dice") or self._is_roll(term) for _, term in plain)
        signs = figures and all(phrase.is_atom for _, phrase in phrases)
        names = {"+": "+", "-": MINUS} if signs else {"+": "plus", "-": "minus"}
        leads = [f"{names[sign]} " if place else MINUS if sign == "-" else "" for place, (sign, _) in enumerate(plain)]
        spoken = [lead + phrase.within for lead, (_, phrase) in zip(leads, phrases, strict=True)]
        if not counted:
            last = phrases[-1][1]
            return Phrase(" ".join([*spoken[:-1], leads[-1] + last.text]), is_sum=True, tail=last.tail)
        text = " ".join(spoken).removesuffix(",")
        tails = []
        for sign, term in counted:
            times, holds = counted_condition(term) or (1, term)
            tails.append(f"{'plus' if sign == '+' else 'minus'} {times} if {self.condition(holds)}")
        return Phrase(text, is_sum=True, tail=", ".join(tails))

    def _counts(self, term: Node) -> bool:
        """Return whether a part of a sum counts only where something holds."""
        return counted_condition(term) is not None or self._flag(term, negative=False) is not None

    def _is_roll(self, node: Node) -> bool:
        return node.kind == "name" and str(node.about) in self.sight.rolls

    def _digits(self, node: Node) -> Phrase | None:
        """What tens and ones are made of, and what is left of a division."""
        one, other = node.parts
        if node.kind == "+" and other.kind == "dice" and times_ten(one) == other and isinstance(other.about, Dice):
            faces = other.about.faces
            both = f"d{faces}{faces}" if faces <= 9 else f"d{faces} for the tens, d{faces} for the ones"
            return Phrase(both, is_atom=True)
        if node.kind == "+" and (units := times_ten(one)) and (of := units_of(units)) and is_tens(other, of):
            return Phrase(f"{self.noun(of).factor} with its digits swapped")
        if node.kind == "-" and (of := units_of(node)) and self._two_digits(of):
            return self._units(of)
        if node.kind == "-" and (left := left_of_division(node)):
            return self._remainder(*left)
        if node.kind == "-" and one.kind == "dice" and other == Node("number", 1) and isinstance(one.about, Dice):
            die = one.about
            if die.count == 1 and not die.plus and die.faces in (10, 100):
                return Phrase(f"{die.spoken} (0{DASH}{die.faces - 1})", is_atom=True)
        return None

    def _units(self, of: Node) -> Phrase:
        return Phrase(f"the units of {self.noun(of).factor}")

    def _remainder(self, whole: Node, by: Node) -> Phrase:
        return Phrase(f"what is left of {self.noun(whole).factor} divided by {self.noun(by)}")

    def _two_digits(self, node: Node) -> bool:
        """Whether something is a d100, or made of numbers that end at 100."""
        sight, numbers = self.sight, self.system.steps.numbers
        names = {str(each.about) for each in node.walk() if each.kind == "name"}
        highest = dict.fromkeys(names & numbers.keys(), 100)
        highest |= {name: sight.takes[name].most for name in names & sight.takes.keys()}
        highest |= {name: sight.rolls[name] for name in names & sight.rolls.keys()}
        return not names <= numbers.keys() and all(highest.get(name, 0) <= 100 for name in names)

    def _product(self, node: Node) -> Phrase:
        parts = sorted(node.parts, key=lambda part: part.kind not in ("number", "dice"))
        if (each := counted_condition(node)) is not None:
            return Phrase(f"{each[0]} if {self.condition(each[1])}")
        one, other = parts
        if one.kind == "number" and (per := self.each_of(other)):
            return Phrase(f"{self.noun(one)} for each {per}")
        return Phrase(f"{self.noun(node.parts[0]).factor} {_TIMES} {self.noun(node.parts[1]).factor}")

    def each_of(self, node: Node) -> str:
        """One of what is counted: `level`, `injury`; empty for what is no count."""
        if node == Node("name", "level"):
            return "level"
        if node.kind != "count":
            return ""
        name = str(node.about)
        return (f"time {self.having(name)}" if self._is_state(name) else self.group_name(name)) + self._which(node)

    def _is_state(self, name: str) -> bool:
        """Return whether somebody is what a condition is called (Maimed), so that its name has no plural."""
        return name in self.system.head.conditions and self.having(name).verb == "are"

    def _share(self, node: Node) -> Phrase:
        whole, by = node.parts
        if by == Node("number", 10) and self._two_digits(whole):
            return Phrase(f"the tens of {self.noun(whole).factor}")
        share = _SHARES.get(value_of(by)) if by.kind == "number" else None
        phrase = self.noun(whole)
        if share:
            return Phrase(f"{share} {phrase.factor}", tail=_DOWN)
        return Phrase(f"{phrase.factor} divided by {self.noun(by).factor}", tail=_DOWN)

    def _bounded(self, node: Node) -> Phrase:
        kind, parts = node.kind, node.parts
        figure = next((part for part in parts if part.kind == "number"), None)
        if figure is not None and len(parts) == 2:
            other = other_part(node, figure) or figure
            if kind == "max" and value_of(figure) <= 0 and other.kind in ("count", "level", "left"):
                return self.noun(other)
            inner = self.noun(other)
            bound = f"at {'least' if kind == 'max' else 'most'} {self.noun(figure)}"
            return inner._replace(tail=f"{inner.tail}, {bound}" if inner.tail else bound, is_atom=False)
        if kind == "max" and len(parts) == 2 and (grown := grown_to(*parts)):
            more, limit = grown
            return self.noun(more)._replace(tail=f"no further than {self.noun(limit)}")
        if len(parts) == 2 and {str(part.about) for part in parts} == {*self.sight.pair} and self.sight.pair:
            return Phrase(f"the {'lower' if kind == 'min' else 'higher'} roll")
        words = ("smaller", "smallest") if kind == "min" else ("larger", "largest")
        word = words[len(parts) > 2]
        return Phrase(f"the {word} of {joined_words([self.noun(part).within for part in parts])}")

    def _function(self, kind: str, name: str) -> str:
        if kind in ("count", "lasting"):
            counted = f"times {self.having(name)}" if self._is_state(name) else plural(self.group_name(name))
            return f"the number of {counted}{' for good' if kind == 'lasting' else ''}"
        if kind == "level":
            return f"your level of {self.condition_name(name)}"
        if kind == "left":
            is_group = name not in self.system.head.conditions
            return f"the time left on {'the longest ' if is_group else ''}{self.group_name(name)}"
        if kind == "owed":
            return "the saves you owe" if name == "any" else f"the saves you owe for {self.condition_name(name)}"
        if kind in ("lowered", "worst"):
            statistic = self.system.head.statistics.get(name)
            what = statistic.name if statistic else self.number_name(name)
            return f"your {'worst penalty' if kind == 'worst' else 'penalties'} to {what}"
        if kind in ("extra_blood", "extra_score"):
            return f"the {'Blood' if kind == 'extra_blood' else 'score'} that wounds add ({plain_name(name)})"
        if kind in ("cards", "total"):
            return f"the {'number of cards in' if kind == 'cards' else 'total of'} {self.pile_name(name)}"
        if kind in ("faces", "column"):
            return f"the {'faces of' if kind == 'faces' else 'column for'} {self._name(name)}"
        if kind == "value":
            if name in self.system.steps.numbers:
                return self.number_name(name)
            argument = self._name(name)
            return f"the total of {argument}" if argument == self._says(name) else f"{argument}\u2019s number"
        return f"{kind} of {plain_name(name)}"

    def pile_name(self, name: str) -> str:
        """Return what a pile is called in a sentence: `your hand`."""
        return f"your {lowered_clause(self.system.steps.piles[name].name)}"

    def _says(self, name: str) -> str:
        every = self.system.head.events.values()
        argument = self.sight.takes.get(name) or next((each.takes[name] for each in every if name in each.takes), None)
        return (argument.says or "") if argument else ""

    # --- conditions --------------------------------------------------------------------------------------------------

    def lead(self, node: Node) -> str:
        """Return a folded condition as the beginning of a sentence: `if you are Prone`, `unless you are dead`."""
        if node.kind == "not" and not any(inner.kind in ("not", "and", "or") for inner in node.parts[0].walk()):
            return f"unless {self.condition(node.parts[0])}"
        if node.kind in ("==", "!="):
            answer = self._answer(node)
            if answer is not None and answer[1]:
                return f"unless {answer[0]}"
        return f"if {self.condition(node)}"

    def spoken(self, formula: Formula) -> str:
        """Return a formula on paper: what it comes to, or when it holds."""
        node = self.folded(formula.tree)
        return self.condition(node) if node.kind in HOLDING else str(self.noun(node))

    def is_riddle(self, node: Node) -> bool:
        """Return whether a folded formula is too much for a sentence: its author should write `says` beside it."""
        divides = any(each.kind == "//" and each.parts[1].kind != "number" for each in node.walk())
        sums = (each for each in node.walk() if each.kind in ("+", "-", "*", "//", "min", "max"))
        compares = any(
            part.kind in HOLDING
            for each in sums
            for part in each.parts
            if not (counted_condition(each) or (each.kind in ("+", "-") and counted_condition(part)))
        )
        if node.kind in HOLDING:
            return divides or compares
        longest = max(len(part.split()) for part in str(self.noun(node)).split(", "))
        return divides or compares or depth_of(node) > _MAX_FUNCTIONS or longest > _MAX_WORDS

    def condition(self, node: Node) -> str:
        """Return a folded condition as a clause: `you are at 0 HP or below and not Dying`."""
        node = without_not(node)
        if node.kind in ("and", "or"):
            return self._joined(node)
        if node.kind == "not":
            inner = node.parts[0]
            if inner.kind == "and":
                return f"not both {joined_words([self.condition(part) for part in flat_parts(inner)])}"
        clause = self._clause(node)
        return str(clause)

    def _joined(self, node: Node) -> str:
        items: list[str | Clause] = []
        parts = [*flat_parts(node)]
        if node.kind == "and":
            parts = [*merged_ranges(parts)]
        for part in parts:
            part = without_not(part)
            joint = part.parts[0] if part.kind == "not" else part
            item = self.condition(part) if joint.kind in ("and", "or") else self._clause(part)
            if item not in items:
                items.append(item)
        if len(items) == 1:
            return str(items[0])
        if all(isinstance(item, Clause) for item in items):
            return _clauses([item for item in items if isinstance(item, Clause)], node.kind)
        return f", {node.kind} ".join(map(str, items))

    def _clause(self, node: Node) -> Clause:
        """Return a condition without and, or."""
        kind, negative = node.kind, False
        if kind == "not":
            node, negative = node.parts[0], True
            kind = node.kind
        match kind:
            case "has":
                having = self.having(str(node.about), negative=negative)
                return having._replace(rest=having.rest + self._which(node))
            case "known":
                return Clause(self._name(str(node.about)), "is", "known", negative)
            case "coming":
                condition = self.condition_name(str(node.about))
                return Clause(f"no {condition}" if negative else condition, "is", "still to come")
            case "met":
                table = self.system.table(str(node.about))
                title = table.title if table else plain_name(str(node.about))
                return Clause(f"{'no' if negative else 'a'} result of {title}", "came up", "")
            case "suffered":
                brought = self.system.head.conditions.get(str(node.about))
                what = brought.name if brought and brought.name else _a(plain_name(str(node.about)))
                return Clause("it", "did not bring on" if negative else "brought on", what)
            case "name" if node.about == "dead":
                return Clause("you", "are", "dead", negative)
            case "name" if node.about == "permanent":
                return Clause("it", "is", "for good", negative)
            case "waits":
                return Clause(f"the length of {self.group_name(str(node.about))}", "is", "still to be rolled", negative)
            case "does":
                what = f"the effect {quoted(plain_name(str(node.about)))}"
                return Clause("the card", "does not have" if negative else "has", what)
            case "name" if node.about == "card.red":
                return Clause("the card", "is", "red", negative)
            case "number":
                return Clause("it", "is", "so", negative != (node.about == 0))
        if kind in FLIPPED:
            return self._comparison(node if not negative else node._replace(kind=OPPOSITE[kind]))
        subject = self.noun(node)
        if node.kind == "owed":
            whose = "" if node.about == "any" else f" for {self.condition_name(str(node.about))}"
            return Clause("you", "owe", f"no save{whose}" if negative else f"a save{whose}")
        if node.kind in ("count", "lasting", "level", "name"):
            return self._comparison(Node("==" if negative else ">", None, (node, number_node(0))))
        return Clause(str(subject), "is", "0" if negative else "more than 0")

    def _flag(self, node: Node, *, negative: bool) -> Clause | None:
        """Return that a flag holds: a number that is 0 or 1, an argument that is typed or not, or a named condition."""
        name = str(node.about)
        if node.kind != "name":
            return None
        if name in self.sight.flags:
            return Clause(self.sight.titles[name] or plain_name(name), "is", "true", negative)
        number, argument = self.system.steps.numbers.get(name), self.sight.takes.get(name)
        if number is not None and number.flag and self._is_own(node):
            return Clause(number.name, "is", "marked", negative)
        if argument is None or not argument.flag:
            return None
        return Clause("it", "is", argument.says or plain_name(name), negative)

    def having(self, name: str, *, negative: bool = False) -> Clause:
        """Return that somebody is in a condition, or in one of a group."""
        condition = self.system.head.conditions.get(name)
        if condition is None:
            return Clause("you", "have", _a(self.group_name(name)), negative)
        title = condition.name or (condition.brief if condition.brief and is_state(condition.brief) else "")
        if not title:
            says = re.fullmatch(r"[Yy]ou (are|have) (.+?)\.?", condition.says)
            if says:
                return Clause("you", says[1], says[2], negative)
            title = condition.brief or plain_name(name)
        return Clause("you", "are" if is_state(title) else "have", title, negative)

    def _answer(self, node: Node) -> tuple[str, bool] | None:
        """Of an argument of yes or no its words as a clause, and whether they are denied."""
        left, right = node.parts
        says = self._says(str(left.about)) if left.kind == "name" else ""
        if right.kind == "number" and says.startswith("whether "):
            denied = _FLAG_SIGNS.get((value_of(right), node.kind))
            return None if denied is None else (says.removeprefix("whether "), denied)
        if not says or right.kind not in ("word", "name") or str(right.about) not in ("yes", "no"):
            return None
        return says.removeprefix("whether "), (str(right.about) == "no") == (node.kind == "==")

    def _comparison(self, node: Node) -> Clause:
        left, right = node.parts
        sign = node.kind
        if left.kind == "number" and right.kind != "number":
            left, right, sign = right, left, FLIPPED[sign]
        answer = self._answer(node)
        if answer is not None:
            return Clause(answer[0] if not answer[1] else f"not {answer[0]}", "", "")
        numbers = self.system.steps.numbers
        if right.kind == "number" and (value_of(right), sign) in _FLAG_SIGNS:
            flag = self._flag(left, negative=_FLAG_SIGNS[value_of(right), sign])
            if flag is not None:
                return flag
        if right.kind == "unknown":
            return Clause(str(self.noun(left)), "is", "known", sign == "==")
        if right.kind == "word" or (right.kind == "name" and _is_word(str(right.about), self)):
            return self._is_word(left, str(right.about), negative=sign == "!=")
        if left.kind == "over" and right == Node("number", 0) and sign in (">", "==", "<=", ">=", "!="):
            any_left = sign in (">", "!=", ">=")
            self.sight.excess_named, excess = any_left, str(left.about or self.sight.excess)
            verb = "are" if is_plural(excess) else "is"
            return Clause(f"{'any' if any_left else 'no'} {excess}", verb, "left over")
        if left.kind == "name" and str(left.about) in numbers and self._is_own(left):
            own = self._against_number(str(left.about), sign, right)
            if own is not None:
                return own
        if left.kind == "before" and right.kind == "number":
            return Clause(
                "you", "were", f"{_at(sign, str(self.noun(right)), self.number_name(str(left.about)))} before"
            )
        if left.kind in ("count", "lasting", "owed", "level", "coming"):
            counted = self._against_count(left, sign, right)
            if counted is not None:
                return counted
        if left.kind == "cards" and right == Node("number", 0) and sign in ("==", ">", "!="):
            return Clause(self.pile_name(str(left.about)), "is", "empty", sign != "==")
        if divided := self._divided(left, sign, right):
            return divided
        subject = self.noun(left)
        verb = "are" if self._is_plural(left) else "is"
        return Clause(str(subject.within).rstrip(","), verb, *self._measure(sign, right))

    def _is_own(self, node: Node) -> bool:
        return str(node.about) not in self.sight.titles and str(node.about) not in self.sight.rolls

    def _is_plural(self, node: Node) -> bool:
        first = next(terms_of(node))[1] if node.kind in ("+", "-") else node
        name = str(first.about)
        if first.kind == "name" and name == "degrees":
            return True
        if first.kind == "name" and name in self.sight.titles:
            return is_plural(self.sight.titles[name] or name)
        return first.kind == "name" and name in self.system.steps.numbers and is_plural(self.number_name(name))

    def _measure(self, sign: str, right: Node) -> tuple[str, bool]:
        value = str(self._in_comparison(right))
        return {
            "==": (value, False),
            "!=": (value, True),
            "<=": (f"{value} or less", False),
            ">=": (f"{value} or more", False),
            "<": (f"under {value}", False),
            ">": (f"over {value}", False),
        }[sign]

    def _in_comparison(self, node: Node) -> Phrase:
        """A noun phrase on the right of a comparison, where `10 for each level` would not fit."""
        if node.kind == "*" and not counted_condition(node):
            one, other = node.parts
            return Phrase(f"{self.noun(one).factor} {_TIMES} {self.noun(other).factor}")
        return self.noun(node)

    def _against_number(self, name: str, sign: str, right: Node) -> Clause | None:
        """One of the character's numbers against a figure, its limit or what it was before."""
        title, own = self.number_name(name), self.system.steps.numbers[name]
        if right == Node("before", name):
            than = {">": "higher than before", "<": "lower than before", "==": "as before"}.get(sign)
            return Clause(title, "are" if is_plural(title) else "is", than) if than else None
        if own.most is not None and sign in (">=", "==") and self.folded(own.most.tree) == right:
            return Clause(title, "reach" if is_plural(title) else "reaches", str(self.noun(right)))
        if right.kind != "number" or own.hidden:
            return None
        value, figure = value_of(right), str(self.noun(right))
        if is_plural(title):
            return _holding(sign, value, figure, title)
        return Clause("you", "are", _at(sign, figure, title), sign == "!=")

    def _against_count(self, left: Node, sign: str, right: Node) -> Clause | None:
        """How many one has of something, or owes, against a figure."""
        name, value = str(left.about), value_of(right) if right.kind == "number" else None
        quantity = _any_or_none(sign, value)
        if left.kind in ("coming", "owed"):
            return self._clause(Node("not", None, (left,)) if quantity == "no" else left) if quantity else None
        if left.kind == "level":
            if quantity:
                return self.having(name, negative=quantity == "no")
            return Clause(self.condition_name(name), "is", *self._measure(sign, right))
        figure, for_good = str(self.noun(right)), " for good" if left.kind == "lasting" else ""
        if self._is_state(name):
            holds = self.having(name, negative=quantity == "no")
            often = (
                ""
                if quantity
                else f" {_holding(sign, value, figure, 'times').rest}".replace("than 1 times", "than once")
            )
            return holds._replace(rest=f"{holds.rest}{often}{for_good}")
        return _holding(sign, value, figure, plural(self.group_name(name)) + for_good)

    def _is_word(self, left: Node, word: str, *, negative: bool) -> Clause:
        """What is one of some words: a kind, a place, the column of an argument."""
        if left.kind == "column":
            subject = self._name(str(left.about))
            if word == "none":
                return Clause(subject, "has", "a column of its own" if negative else "no column of its own")
            return Clause(subject, "does not count" if negative else "counts", f"as {plain_name(word)}")
        name = str(left.about)
        if name in self.system.steps.words and self.system.steps.words[name].name == "Kind":
            return Clause("you", "are", _a(plain_name(word)), negative)
        return Clause(str(self.noun(left)), "is", self.word(word), negative)

    def _divided(self, left: Node, sign: str, right: Node) -> Clause | None:
        """Even, a double, a multiple of something: nothing is left of a division."""
        if sign not in ("==", "!="):
            return None
        zero = right == number_node(0)
        division = left_of_division(left if zero else Node("-", None, (left, right)))
        if division is None or division[1].kind != "number":
            return None
        whole, number = division[0], value_of(division[1])
        what = {2: "even"}.get(number, f"a multiple of {number}")
        if number == _ELEVENS and self._two_digits(whole):
            what = "a double"
        return Clause(str(self.noun(whole)), "is", what, sign == "!=")


# --- parts of formulas -----------------------------------------------------------------------------------------------


def _is_word(name: str, words: FormulaWords) -> bool:
    """Whether a bare name is a word of the content and no number, argument or part of a sum."""
    sight, procedure = words.sight, words.system.steps
    taken = name in sight.takes or name in sight.rolls or name in sight.titles
    return (
        not taken
        and name not in procedure.numbers
        and name not in procedure.words
        and name not in ("over", "level", "degrees", *OF_CHECK)
    )


def _a(noun: str) -> str:
    return f"{article(noun)} {noun}"


def _any_or_none(sign: str, value: int | None) -> str:
    """Return `no` or `any` for a comparison that asks whether there is one at all; empty for another."""
    if (sign, value) in (("==", 0), ("<=", 0), ("<", 1)):
        return "no"
    return "any" if (sign, value) in ((">", 0), (">=", 1), ("!=", 0)) else ""


def _holding(sign: str, value: int | None, figure: str, many: str) -> Clause:
    """Return how many of something one has: `you have 2 or more injuries`, `more Wounds than Grit`."""
    if quantity := _any_or_none(sign, value):
        return Clause("you", "have", f"{quantity} {many}")
    if value is None:
        how = {">": f"more {many} than {figure}", "<": f"fewer {many} than {figure}"}
        how |= {">=": f"at least as many {many} as {figure}", "<=": f"at most as many {many} as {figure}"}
        return Clause("you", "have", how.get(sign, f"as many {many} as {figure}"), sign == "!=")
    how = {">": f"more than {figure} {many}", "<": f"fewer than {figure} {many}"}
    how |= {">=": f"{figure} or more {many}", "<=": f"{figure} or fewer {many}"}
    return Clause("you", "have", how.get(sign, f"{figure} {many}"), sign == "!=")


def _at(sign: str, figure: str, title: str) -> str:
    """Return where somebody stands with a number: `at 0 HP or below`."""
    lead = {"<": "below", ">": "above"}.get(sign, "at")
    return f"{lead} {figure} {title}{ {'<=': ' or below', '>=': ' or above'}.get(sign, '') }"


def _clauses(clauses: list[Clause], joint: str) -> str:
    """Return clauses joined by `and` or `or`, their subject and verb said once."""
    first, *others = clauses
    if len(clauses) == 2 and all(each.negative for each in clauses) and joint == "and":
        other = clauses[1]
        if (first.subject, first.verb) == (other.subject, other.verb):
            return f"{first.subject} {first.verb} neither {first.rest} nor {other.rest}"
    spoken, last = [str(first)], first
    same = True
    for clause in others:
        if clause.subject != last.subject:
            spoken.append(str(clause))
            same = False
        else:
            again = clause.verb == last.verb and clause.verb != "have"
            spoken.append(clause.complement if again else clause.predicate)
        last = clause
    if joint == "or" and not same:
        return ", or ".join(spoken)
    *front, end = spoken
    return f"{', '.join(front)} {joint} {end}"
