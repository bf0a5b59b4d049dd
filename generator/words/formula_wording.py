"""Formulas in words: sums as noun phrases, conditions as clauses.

A formula is folded first: settings and constants become their values by the rules in force. A formula that takes more
than a plain phrase is worded by its author, with `says`; `check` asks for that.
"""

import re
from functools import cached_property
from typing import NamedTuple

from generator.base.dice import Dice
from generator.base.sentences import plural
from generator.model import rules
from generator.model.formulas import HERE, OF_CARD, OF_CHECK, UNKNOWN, Node
from generator.words.formula_folding import (
    FLIPPED,
    HOLDING,
    OPPOSITE,
    flat_parts,
    fold,
    number_node,
    other_part,
    terms_of,
    value_of,
    without_not,
)
from generator.words.wording import (
    ABBREVIATIONS,
    MINUS,
    article,
    figure_words,
    joined_words,
    lowered_clause,
    word_called,
)

MAX_PARTS = 11
"""The parts of a formula that a sentence can hold."""
_TIMES = "\N{MULTIPLICATION SIGN}"
_SHARES = {2: "half", 3: "a third of", 4: "a quarter of"}
_LONG = ("//", "min", "max", "if", "sum", "highest")
"""Kinds of nodes whose nouns stand in parentheses where something is added to them."""
_DOWN = ", rounded down"
_STATES = frozenset(
    {"prone", "down", "dead", "deaf", "blind", "mute", "dizzy", "slow", "short", "lame", "mad", "comatose", "catatonic"}
    | {"hungry", "thirsty", "sleepy", "cold", "sick", "ill", "weak", "weary", "drunk", "numb", "wet", "faint", "sore"}
    | {"in", "at", "on", "under", "out"}
)
_PARTICLES = ("out", "up", "off", "over", "apart")
"""Words that may follow a participle: Knocked out."""
_STATE_ENDINGS = ("ed", "ing", "en", "less", "ful", "ous")
_NO_NOUNS = (
    "above", "after", "again", "before", "below", "beyond", "down", "got", "left", "next", "off", "once", "out",
    "over", "past", "still", "then", "through", "twice", "under", "up",
)  # fmt: skip
_MEASURES = {"<=": "{} or less", ">=": "{} or more", "<": "under {}", ">": "over {}"}
_MANY = {">": "more than {}", "<": "fewer than {}", ">=": "{} or more", "<=": "{} or fewer"}
_FUNCTIONS = {
    "level": "your level of {condition}",
    "left": "the time left on {longest}",
    "owed": "the saves you owe{owed}",
    "before": "{number} before",
    "lowered": "your penalties to {statistic}",
    "worst": "your worst penalty to {statistic}",
    "extra_blood": "the Blood that wounds add ({event})",
    "extra_score": "the score that wounds add ({event})",
    "cards": "the number of cards in {pile}",
    "total": "the total of {pile}",
    "faces": "the faces of {name}",
    "column": "the column for {name}",
    "value": "the total of {name}",
}
_CLAUSES = {
    "known": ("{name}", "is", "known"),
    "coming": ("{condition}", "is", "still to come"),
    "met": ("a result of {table}", "came up", ""),
    "suffered": ("it", "brought on", "{one_of}"),
    "waits": ("the length of {condition}", "is", "still to be rolled"),
    "does": ("the card", "has", "the effect \N{LEFT DOUBLE QUOTATION MARK}{event}\N{RIGHT DOUBLE QUOTATION MARK}"),
    "owed": ("you", "owe", "a save{owed}"),
}
_FACTS = {
    "dead": ("you", "are", "dead"),
    "permanent": ("it", "is", "for good"),
    f"{OF_CARD}red": ("the card", "is", "red"),
}
_SLOT = re.compile(r"\{(\w+)\}")
_NOT = {
    "have": "do not have", "owe": "do not owe", "has": "does not have", "brought on": "did not bring on",
    "came up": "did not come up",
}  # fmt: skip
_NONE = {("==", 0): "no", ("<=", 0): "no", ("<", 1): "no", (">", 0): "any", (">=", 1): "any", ("!=", 0): "any"}
"""What a comparison with 0 or 1 asks: whether there is any, or none."""
_UNTRUE = "it is not true that"


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
        if self.negative and self.verb in _NOT:
            return f"{_NOT[self.verb]} {self.rest}".strip()
        return f"{self.verb} {self.complement}".strip()

    @property
    def complement(self) -> str:
        """What is said after the same verb."""
        return f"not {self.rest}" if self.negative else self.rest


def plain_name(key: str) -> str:
    """Return a key as words: `max_hp` becomes `max hp`."""
    return key.replace("_", " ")


def quoted(name: str) -> str:
    """Return a name in quotation marks."""
    return f"\N{LEFT DOUBLE QUOTATION MARK}{name}\N{RIGHT DOUBLE QUOTATION MARK}"


def named_value(key: str) -> str:
    """Return the name of a value: `the damage`, or in quotation marks if it is no noun (through, pushed, sl)."""
    if key in ABBREVIATIONS:
        return f"the {key.upper()}"
    name = plain_name(key)
    is_noun = len(name) > 2 and name not in _NO_NOUNS and not (name.endswith("ed") and not name.endswith("eed"))
    return f"the {name}" if is_noun else quoted(name)


def is_plural(name: str) -> bool:
    """Return whether a name such as Wounds takes `are`."""
    return name.endswith("s") and not name.endswith(("ss", "us", "is"))


def singular(noun: str) -> str:
    """Return the singular of a group's name, which may be plural already: `injuries` becomes `injury`."""
    if noun.endswith("ies"):
        return f"{noun[:-3]}y"
    return noun[:-1] if is_plural(noun) and noun.lower() not in ("wits", "guts") else noun


def is_state(name: str) -> bool:
    """Return whether one is what a condition is called ("Prone"), or has it ("Fever")."""
    words = name.lower().split(" ")
    noun = next((words[at - 1] for at, word in enumerate(words) if at and word in ("for", "of", "on", "in", "at")), "")
    last = noun or next((word for word in reversed(words) if word not in _PARTICLES), words[-1])
    ends = last.endswith(_STATE_ENDINGS) and not last.endswith("eed")
    return ends or not _STATES.isdisjoint((words[0], last))


def needs_words(node: Node) -> bool:
    """Return whether a folded formula is too much for a sentence: its author should write words beside it."""
    if node.kind in ("and", "or", "not", "if"):
        return any(map(needs_words, node.parts))
    divisions = [each for each in node.walk() if each.kind in ("//", "mod")]
    nested = any(inner.kind in ("//", "mod") for each in divisions for part in each.parts for inner in part.walk())
    unknown = any(each.parts[1].kind != "number" for each in divisions)
    return nested or unknown or sum(1 for _ in node.walk()) > MAX_PARTS


@rules.per_system
def _titles_by_let(system: rules.System) -> dict[str, str]:
    """Return the titles of names that steps give with `let`."""
    return {step.name: step.title for step in system.all_effects() if isinstance(step, rules.Let) and step.title}


class FormulaWords:
    """Says the formulas of one system, with the names of the event that they stand in."""

    def __init__(self, system: rules.System, event: str = "") -> None:
        self.system, self.event = system, event

    @cached_property
    def _takes(self) -> dict[str, rules.Argument]:
        """The arguments of the event; those of others stand behind them."""
        events = self.system.head.events
        takes = {name: each for event in events.values() for name, each in event.takes.items()}
        return takes | (events[self.event].takes if self.event else {})

    @cached_property
    def _titles(self) -> dict[str, str]:
        """The titles of what the steps of the event name or throw, or without an event those of all steps."""
        if not self.event:
            return _titles_by_let(self.system)
        titles: dict[str, str] = {}
        for _, step in rules.walk_effects(self.system.head.events[self.event].do_):
            if isinstance(step, rules.Let):
                title = _in_sentence(step.title) if step.title else titles.get(step.name)
                titles[step.name] = title or named_value(step.name)
            elif isinstance(step, rules.Throw):
                for name in step.dice:
                    title = lowered_clause(step.title(name))
                    titles[name] = title if title.startswith("the ") else f"the {title}"
                    titles[name + rules.FIRST] = f"the first face of {titles[name]}"
                titles |= {name: f"the {plain_name(name)}" for name in step.counts}
        return _titles_by_let(self.system) | titles

    def folded(self, node: Node) -> Node:
        """Return a formula with what is fixed worked out."""
        return fold(node, self._stands_for)

    def _stands_for(self, node: Node) -> Node:
        """Return what a setting, a constant or the faces of a die stand for, or the node itself."""
        name = str(node.about)
        constant = self.system.steps.constants.get(name)
        if node.kind == "setting":
            return Node("word", self.system.setting(name))
        if constant is None:
            return node
        if node.kind == "faces":
            return number_node(constant.faces or constant.plus)
        return number_node(constant.plus) if constant.is_number else Node("dice", constant)

    # --- names -------------------------------------------------------------------------------------------------------

    def name(self, name: str) -> str:
        """Return what a number, an argument, a name of a step, a line of a card or a part is called."""
        if title := self._titles.get(name):
            return title
        if name in self._takes and name not in self.system.steps.numbers:
            return self._argument(name, self._takes[name].says or "")
        if name.startswith(OF_CARD):
            key = name.removeprefix(OF_CARD)
            titles = (deck.lines[key] for deck in self.system.piles.values() if key in deck.lines)
            return f"the card\N{RIGHT SINGLE QUOTATION MARK}s {next(titles, plain_name(key))}"
        special = {"over": "what is left over", "rolled": "the roll", "permanent": "how long it lasts"}
        if name in special:
            return special[name]
        part = self.system.head.parts.get(name)
        return f"the {part.name}" if part else self.number_name(name)

    @staticmethod
    def _argument(name: str, says: str) -> str:
        asks = says.split(" ")[0] in ("who", "where", "what", "how", "whether", "which")
        return (
            says
            if says.startswith("the ")
            else f"the {says}"
            if says and " " not in says and not asks
            else named_value(name)
        )

    def number_name(self, name: str) -> str:
        """Return the title of a number or a word; of an argument that names a number what it is called."""
        own = self.system.steps.numbers.get(name) or self.system.steps.words.get(name)
        if own is not None:
            return own.name
        return self._argument(name, self._takes[name].says or "") if name in self._takes else named_value(name)

    def condition_name(self, name: str) -> str:
        """Return what a condition is called where it is a thing: `Bleeding`; of a group what one of it is called."""
        condition = self.system.head.conditions.get(name)
        if condition is not None:
            return condition.name or condition.brief or plain_name(name)
        return "lasting injury" if name == "long" else singular(plain_name(name))

    def called(self, what: str, name: str) -> str:
        """Return what a thing is called in a sentence: the pile `hand` is `your hand`."""
        match what:
            case "pile":
                return f"your {lowered_clause(self.system.steps.piles[name].name)}"
            case "deck":
                return self.system.piles[name].title
            case "table":
                table = self.system.table(name)
                return table.title if table else plain_name(name)
            case "number":
                return self.number_name(name)
            case "statistic":
                statistic = self.system.head.statistics.get(name)
                return statistic.name if statistic else self.number_name(name)
            case "one_of" if name not in self.system.head.conditions:
                return self.having(name).rest
            case "condition" | "one_of":
                return self.condition_name(name)
            case "longest":
                return f"{'the longest ' * (name not in self.system.head.conditions)}{self.condition_name(name)}"
            case "owed":
                return "" if name == "any" else f" for {self.condition_name(name)}"
            case "event":
                return plain_name(name)
        return self.name(name)

    def _filled(self, template: str, name: str) -> str:
        return _SLOT.sub(lambda slot: self.called(slot[1], name), template)

    def _which(self, node: Node) -> str:
        """Say which of the conditions held count: those where somebody is hurt, or those noted with a name."""
        if not node.parts:
            return ""
        return " there" if node.parts[0].kind == HERE else f" ({self.noun(node.parts[0])})"

    # --- noun phrases ------------------------------------------------------------------------------------------------

    def noun(self, node: Node) -> str:
        """Return a folded formula as a noun phrase."""
        kind, parts, about = node.kind, node.parts, str(node.about)
        match kind:
            case "number":
                return figure_words(value_of(node))
            case "dice":
                return getattr(node.about, "spoken", about)
            case "word":
                part = self.system.head.parts.get(about)
                return f"the {part.name}" if part else word_called(about, self.system)
            case "name":
                return self.name(about)
            case "+" | "-":
                return self._sum(node)
            case "minus":
                return f"{MINUS}{self._factor(parts[0])}"
            case "*":
                return self._product(node)
            case "//":
                share = _SHARES.get(value_of(parts[1])) if parts[1].kind == "number" else None
                whole = self._factor(parts[0])
                return f"{share} {whole}{_DOWN}" if share else f"{whole} divided by {self._factor(parts[1])}{_DOWN}"
            case "mod":
                return f"what is left of {self._factor(parts[0])} divided by {self._factor(parts[1])}"
            case "unknown":
                return UNKNOWN
            case "sixes":
                return f"the number of sixes on {self.noun(parts[0])} dice"
            case "sum" | "highest":
                assert isinstance(node.about, Dice)
                many, die = parts[0], f"d{node.about.faces}"
                dice = f"{value_of(many)}{die}" if many.kind == "number" else f"as many {die} as {self.noun(many)}"
                return f"the highest of {dice}" if kind == "highest" else dice
            case "min" | "max":
                return self._bounded(node)
            case "if":
                one, other = (self._branch(part) for part in parts[1:])
                return f"{one} {self.lead(parts[0])}, else {other}"
        return (
            f"1 if {self.condition(node)}, else 0"
            if kind in HOLDING
            else self._function(kind, about) + self._which(node)
        )

    def within(self, node: Node) -> str:
        """Return a noun phrase where the sentence goes on."""
        phrase = self.noun(node)
        return f"{phrase}," if ", " in phrase else phrase

    def _branch(self, node: Node) -> str:
        """Return one of two values, its bound in brackets: it is the bound of this one alone."""
        value, comma, bound = self.noun(node).rpartition(", ")
        return f"{value} ({bound})" if comma and node.kind in ("min", "max") else self.noun(node)

    def _factor(self, node: Node) -> str:
        """Return a noun phrase where it is multiplied or divided."""
        long = node.kind in ("+", "-", *_LONG) or self._counted(node)
        return f"({self.noun(node)})" if long else self.noun(node)

    def _counted(self, node: Node) -> tuple[Node, Node] | None:
        """Return what is counted, and the condition, where it counts only if something holds: `2 * prone`."""
        ways = [(number_node(1), node), *((node.parts, node.parts[::-1]) if node.kind == "*" else ())]
        return next(((many, if_) for many, if_ in ways if if_.kind in HOLDING or self._flag(if_, negative=False)), None)

    def _sum(self, node: Node) -> str:
        terms = sorted(terms_of(node), key=lambda term: (bool(self._counted(term[1])), term[0] == "-"))
        plain = all(each.kind in ("number", "dice", "name") for _, each in terms)
        signs = plain and any(each.kind in ("number", "dice") for _, each in terms)
        names = {"+": "+", "-": MINUS} if signs else {"+": "plus", "-": "minus"}
        text = ""
        for sign, term in terms:
            if counted := self._counted(term):
                many, condition = counted
                joint = f", {'plus' if sign == '+' else 'minus'} " if text else "" if sign == "+" else MINUS
                text += f"{joint}{self._factor(many)} if {self.condition(condition)}"
                continue
            lead = f" {names[sign]} " if text else "" if sign == "+" else MINUS
            if text and sign == "-" and term.kind == "number" and value_of(term) < 0:
                lead, term = f" {names['+']} ", number_node(-value_of(term))
            text += lead + (self.noun(term) if term.kind not in _LONG else self._factor(term))
        return text

    def _product(self, node: Node) -> str:
        if counted := self._counted(node):
            return f"{self._factor(counted[0])} if {self.condition(counted[1])}, else 0"
        return f" {_TIMES} ".join(map(self._factor, node.parts))

    def each_of(self, node: Node) -> str:
        """One of what is counted: `level`, `injury`; empty for what is no count."""
        if node == Node("name", "level"):
            return "level"
        if node.kind != "count":
            return ""
        having = self.having(str(node.about))
        one = f"time {having}" if having.verb == "are" else self.condition_name(str(node.about))
        return one + self._which(node)

    def _bounded(self, node: Node) -> str:
        figure = next((part for part in node.parts if part.kind == "number"), None)
        other = other_part(node, figure) if figure is not None else None
        least = node.kind == "max"
        if figure is not None and other is not None:
            if least and value_of(figure) <= 0 and other.kind in ("count", "level", "left"):
                return self.noun(other)
            return f"{self.noun(other)}, at {'least' if least else 'most'} {self.noun(figure)}"
        word = ("larger", "largest") if least else ("smaller", "smallest")
        return f"the {word[len(node.parts) > 2]} of {joined_words([self._factor(part) for part in node.parts])}"

    def _function(self, kind: str, name: str) -> str:
        if kind in ("count", "lasting"):
            having = self.having(name)
            counted = f"times {having}" if having.verb == "are" else plural(self.condition_name(name))
            return f"the number of {counted}{' for good' if kind == 'lasting' else ''}"
        return self._filled(_FUNCTIONS.get(kind, f"{plain_name(kind)} of {{name}}"), name)

    # --- conditions --------------------------------------------------------------------------------------------------

    def lead(self, node: Node) -> str:
        """Return a folded condition as the beginning of a sentence: `if you are Prone`, `unless you are dead`."""
        if node.kind == "not" and not any(inner.kind in ("not", "and", "or") for inner in node.parts[0].walk()):
            return f"unless {self.condition(node.parts[0])}"
        holds = self.condition(node)
        return f"unless {holds.removeprefix(_UNTRUE)[1:]}" if holds.startswith(_UNTRUE) else f"if {holds}"

    def spoken(self, node: Node) -> str:
        """Return a folded formula on paper: what it comes to, or when it holds."""
        return self.condition(node) if node.kind in HOLDING else self.noun(node)

    def condition(self, node: Node) -> str:
        """Return a folded condition as a clause: `you are at 0 HP or below and not Dying`."""
        node = _open(node)
        if node.kind not in ("and", "or"):
            return str(self._clause(node))
        parts = [*map(_open, flat_parts(node))]
        if any(part.kind in ("and", "or") for part in parts):
            inner = [(part.kind == "or", self.condition(part)) for part in parts]
            return f", {node.kind} ".join(f"either {said}" if either else said for either, said in inner)
        first, *others = (self._clause(part) for part in parts)
        spoken, last = str(first), first
        same = all(each.subject == first.subject for each in others)
        joint = f" {node.kind} " if same else f", {node.kind} "
        for clause in others:
            again = same and clause.verb == last.verb and clause.verb not in _NOT
            spoken += joint + (clause.complement if again else clause.predicate if same else str(clause))
            last = clause
        return spoken

    def _clause(self, node: Node) -> Clause:
        """Return a condition without and, or."""
        negative = node.kind == "not"
        node = node.parts[0] if negative else node
        name = str(node.about)
        match node.kind:
            case "has":
                having = self.having(name, negative=negative)
                return having._replace(rest=having.rest + self._which(node))
            case "name" if name in _FACTS:
                return Clause(*_FACTS[name], negative)
            case kind if kind in _CLAUSES:
                subject, verb, rest = (self._filled(each, name) for each in _CLAUSES[kind])
                return Clause(subject, verb, rest, negative)
            case "name" if name not in (*self.system.steps.numbers, *self._takes, *OF_CHECK, "level", "over"):
                return Clause(self.name(name), "is", "true", negative)
        if node.kind in FLIPPED:
            return self._comparison(node._replace(kind=OPPOSITE[node.kind]) if negative else node)
        return self._comparison(Node("==" if negative else ">", None, (node, number_node(0))))

    def _flag(self, node: Node, *, negative: bool) -> Clause | None:
        """Return that a flag holds: a number that is 0 or 1, or an argument that is typed or not."""
        name = str(node.about)
        number, argument = self.system.steps.numbers.get(name), self._takes.get(name)
        if node.kind == "name" and number is not None and number.flag:
            return Clause(number.name, "is", "marked", negative)
        says = argument.says or plain_name(name) if node.kind == "name" and number is None and argument else ""
        if says.startswith("whether "):
            return Clause(_UNTRUE if negative else "", says.removeprefix("whether "), "")
        return Clause("it", "is", says, negative) if says and argument and argument.flag else None

    def having(self, name: str, *, negative: bool = False) -> Clause:
        """Return that somebody is in a condition, or in one of a group."""
        condition = self.system.head.conditions.get(name)
        if condition is None:
            one = self.condition_name(name)
            return Clause("you", "have", f"{article(one)} {one}", negative)
        title = condition.name or (condition.brief if condition.brief and is_state(condition.brief) else "")
        if not title:
            says = re.fullmatch(r"[Yy]ou (are|have) (.+?)\.?", condition.says)
            if says:
                return Clause("you", says[1], says[2], negative)
            title = condition.brief or plain_name(name)
        return Clause("you", "are" if is_state(title) else "have", title, negative)

    def _comparison(self, node: Node) -> Clause:
        (left, right), sign = node.parts, node.kind
        if left.kind == "number" and right.kind != "number":
            left, right, sign = right, left, FLIPPED[sign]
        value = value_of(right) if right.kind == "number" else None
        quantity, name = _NONE.get((sign, value)) if value is not None else None, str(left.about)
        if right.kind == "unknown":
            return Clause(self.noun(left), "is", "known", sign == "==")
        answer = {"yes": True, "no": False}.get(str(right.about)) if right.kind == "word" else None
        if quantity or (sign, value) == ("==", 1) or answer is not None:
            negative = quantity == "no" if answer is None else answer == (sign != "==")
            if (flag := self._flag(left, negative=negative)) is not None:
                return flag
        if left.kind == "column" and right.kind == "word":
            return Clause(self.name(name), "counts", f"as {plain_name(str(right.about))}", sign == "!=")
        if left.kind == "name" and name in self.system.steps.numbers and value is not None:
            own = self.system.steps.numbers[name]
            if not (own.hidden or own.shared) and not is_plural(own.name):
                lead = {"<": "below", ">": "above"}.get(sign, "at")
                tail = {"<=": " or below", ">=": " or above"}.get(sign, "")
                return Clause("you", "are", f"{lead} {figure_words(value)} {own.name}{tail}", sign == "!=")
            if not (own.hidden or own.shared):
                many = quantity or _MANY.get(sign, "{}").format(figure_words(value))
                return Clause("you", "have", f"{many} {own.name}", sign == "!=" and not quantity)
        if quantity and left.kind in ("count", "level", "lasting"):
            having = self.having(name, negative=quantity == "no")
            return having._replace(rest=having.rest + self._which(left) + " for good" * (left.kind == "lasting"))
        if quantity and left.kind in ("owed", "coming"):
            return self._clause(Node("not", None, (left,)) if quantity == "no" else left)
        if left.kind == "cards" and quantity:
            return Clause(self.called("pile", name), "is", "empty", quantity == "any")
        if left == Node("name", "over") and quantity:
            return Clause("nothing" if quantity == "no" else "anything", "is", "left over")
        word = word_called(str(right.about), self.system) if right.kind in ("name", "word") else ""
        own_word = self.system.steps.words.get(name) if left.kind == "name" and word else None
        if own_word is not None and own_word.name == "Kind":
            return Clause("you", "are", f"{article(word)} {word}", sign == "!=")
        is_number = left.kind == "name" and name in self.system.steps.numbers
        verb = "are" if name == "degrees" or (is_number and is_plural(self.number_name(name))) else "is"
        is_word = right.kind == "name" and not self._is_named(str(right.about))
        measured = word if is_word else _MEASURES.get(sign, "{}").format(self.noun(right))
        return Clause(self.within(left), verb, measured, sign == "!=")

    def _is_named(self, name: str) -> bool:
        """Return whether a name is that of a value, and not a word of the content."""
        own = self.system.steps
        known = (own.numbers, own.words, self._takes, self._titles, self.system.head.parts)
        return any(name in names for names in known) or name in (*OF_CHECK, "over", "level", "degrees")


def _in_sentence(title: str) -> str:
    """Return a title where the sentence goes on: `The roll` begins with a small letter."""
    return lowered_clause(title) if title.split(" ")[0] in ("The", "A", "An", "What") else title


def _open(node: Node) -> Node:
    """Return a condition without the signs around it: `(a and b) == 0` becomes `not (a and b)`, and that what it is."""
    if node.kind in FLIPPED and node.parts[0].kind in HOLDING and node.parts[1].kind == "number":
        quantity = _NONE.get((node.kind, value_of(node.parts[1])))
        if quantity:
            return _open(Node("not", None, (node.parts[0],)) if quantity == "no" else node.parts[0])
    return without_not(node)
