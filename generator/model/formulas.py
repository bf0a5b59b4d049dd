"""Formulas as authors write them: `d12 + over + 2 * count(injury)`. Parsed once, bounded, never evaluated as Python.

Numbers, dice, names, words in single quotes, `+ - * //`, comparisons, `and or not`, `A if C else B`, and functions.
A formula is short and shallow; what it names is looked up in a scope that whoever evaluates it brings along.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from operator import add, floordiv, ge, gt, le, lt, mod, mul, neg, sub
from typing import NamedTuple, Protocol

from generator.base.dice import MAX_DICE, Dice, DiceValue
from generator.base.errors import HackjackError, did_you_mean, shown
from generator.base.fields import Value

MAX_LENGTH = 120
"""So many signs a formula may have."""
MAX_DEPTH = 12
"""So many parentheses, functions and signs may stand inside each other."""
MAX_VALUE = 1_000_000
"""No number that a formula comes to is further from 0."""

Result = int | str | None
"""What a formula comes to: a number (1 for true, 0 for false), a word, or nothing where a number is unknown."""

_TOKEN = re.compile(
    r"\s*(?:(?P<dice>\d{0,3}[dD]\d{1,4}(?![a-z0-9_]))|(?P<number>\d{1,7}(?![a-zA-Z_]))|(?P<name>(?:card\.)?[a-z][a-z0-9_]{0,39})"
    r"|'(?P<word>[^'\n]{1,40})'|(?P<sign>//|<=|>=|==|!=|[-+*<>(),]))"
)
_WORDS = ("and", "or", "not", "if", "else")
NAMING = (
    "count",
    "has",
    "level",
    "left",
    "lasting",
    "owed",
    "coming",
    "setting",
    "met",
    "suffered",
    "known",
    "value",
    "lowered",
    "worst",
    "column",
    "faces",
    "cards",
    "total",
    "does",
    "waits",
    "extra_blood",
    "extra_score",
)
"""Functions of a name: a group or condition, a switch, a table, a number, an argument's kind, or a pile."""
OF_HELD = ("count", "has", "level", "left", "lasting")
"""Those of conditions that are held: they may ask for such as are `here` alone, `has(crippled, here)`."""
DETAILED = (*OF_HELD, "lowered")
"""Those that may ask for what was noted with a name alone, or is left by that card: `lowered(wisdom, 'QD')`."""
HERE = "here"
"""The place that is being hurt."""
FIGURING = ("min", "max", "mod")
ROLLING: Mapping[str, DiceValue] = {"sixes": "sixes", "dice": "sum", "highest": "highest"}
"""Functions of a number of dice, `sixes(n)`, `dice(n, 8)` (n d8 added up), `highest(n, 6)`, and their nodes' kinds."""
ROLLING_NODES = ("dice", *ROLLING.values())
"""The kinds of nodes that roll dice."""
MAX_POOL_FACES = 100
"""So many faces the dice of `throw`, `dice( )` and `highest( )` may have."""
UNKNOWN = "unknown"
"""The word for what has no value: a number is set to it, and compared with it."""
OF_CARD = "card."
"""Before what the card at hand has, or the one that was drawn last: `card.weight`, `card.score`."""
CARD_FIELDS = ("score", "blood", "trauma", "red", "suit", "code")
"""What every card has by these names, unless its deck has a line of that name."""
OF_CHECK = ("rolled", "target")
"""Names that have a value in the degrees of a check alone."""
_MAX_PARTS = 6
_COMPARE: dict[str, Callable[[int, int], bool]] = {"<": lt, "<=": le, ">": gt, ">=": ge}
_FIGURE: dict[str, Callable[..., int]] = {
    "+": add,
    "-": sub,
    "*": mul,
    "//": floordiv,
    "minus": neg,
    "min": min,
    "max": max,
    "mod": mod,
}


class Node(NamedTuple):
    """A part of a formula: what it does (`+`, `name`, `dice` ...), what it is about, and its parts."""

    kind: str
    about: int | str | Dice | None = None
    parts: "tuple[Node, ...]" = ()

    def walk(self) -> "Iterator[Node]":
        """Yield it and every part of it."""
        open_parts = [self]
        while open_parts:
            node = open_parts.pop()
            yield node
            open_parts += node.parts


class Scope(Protocol):
    """What a formula may ask whoever evaluates it."""

    def named(self, name: str) -> Result:
        """Return a name's value. Raises HackjackError for an unknown name."""

    def call(self, function: str, name: str, which: str = "", detail: str | None = None) -> Result:
        """Return the value of one of NAMING for a name.

        With `which` = "here", count only conditions held at this place; with a detail, only those noted with it.
        """

    def rolled(self, dice: Dice, value: DiceValue = "sum") -> int:
        """Return what the dice come to."""


Run = Callable[[Scope], Result]
"""A formula made ready: what it comes to in a scope."""


class Formula(Value):
    """A formula: its text, and the parsed tree. Raises ValueError for an invalid formula."""

    __slots__ = ("run", "text")
    run: Run
    text: str

    def __init__(self, text: str) -> None:
        self._fill(text=text, run=made_by(_parsed(text), text))

    def _parts(self) -> tuple[str, ...]:
        return (self.text,)

    @classmethod
    def parse(cls, written: str | int) -> "Formula":
        """Read `3`, `"hp - 2"`, `"d6 + over"`. Raises ValueError with a sentence."""
        if isinstance(written, bool) or not isinstance(written, str | int):
            raise ValueError(f"{shown(written)} is not a formula: write a number, a name or a sum such as d6 + over")
        return cls(str(written).strip())

    @property
    def tree(self) -> Node:
        """What was parsed."""
        return _parsed(self.text)

    @property
    def plain(self) -> int | str:
        """As YAML has it: a number as a number."""
        return int(self.text) if re.fullmatch(r"-?\d{1,7}", self.text) else self.text

    def walk(self) -> Iterator[Node]:
        """Yield every part of it."""
        return self.tree.walk()

    @property
    def rolls(self) -> bool:
        """Whether dice stand in it; a name may stand for dice too."""
        return any(isinstance(node.about, Dice) for node in self.walk())

    def __str__(self) -> str:
        return self.text


@cache
def _parsed(text: str) -> Node:
    if len(text) > MAX_LENGTH:
        raise ValueError(
            f'"{text[:30]}..." has {len(text)} signs: a formula has {MAX_LENGTH} at most; use let for a part'
        )
    return _Reader(text).whole()


class _Reader:
    """Reads a formula from its first sign to its last."""

    def __init__(self, text: str) -> None:
        self._text, self._tokens, self._depth = text, list(_tokens(text)), 0

    def whole(self) -> Node:
        """Return all of it."""
        if not self._tokens:
            raise ValueError("a formula is missing: write a number, a name or a sum such as d6 + over")
        node = self._chosen()
        if self._tokens:
            raise self._wrong(f'"{self._tokens[0][1]}" cannot follow there')
        return node

    def _wrong(self, why: str) -> ValueError:
        return ValueError(f'"{self._text}": {why}')

    def _next(self, *signs: str) -> str:
        """Return the next sign or word if it is one of those; empty otherwise."""
        if self._tokens and self._tokens[0][0] in ("sign", "name") and self._tokens[0][1] in signs:
            return self._tokens.pop(0)[1]
        return ""

    def _chosen(self) -> Node:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise self._wrong(f"it is nested more than {MAX_DEPTH} deep: use let for a part of it")
        node = self._either()
        if self._next("if"):
            holds = self._either()
            if not self._next("else"):
                raise self._wrong("else and another value are missing: 2 if prone else 1")
            node = Node("if", None, (holds, node, self._chosen()))
        self._depth -= 1
        return node

    def _either(self) -> Node:
        node = self._both()
        while self._next("or"):
            node = Node("or", None, (node, self._both()))
        return node

    def _both(self) -> Node:
        node = self._negated()
        while self._next("and"):
            node = Node("and", None, (node, self._negated()))
        return node

    def _negated(self) -> Node:
        nots = 0
        while self._next("not"):
            nots += 1
        node = self._compared()
        return Node("not", None, (node,)) if nots % 2 else node

    def _compared(self) -> Node:
        node = self._sum()
        if sign := self._next("==", "!=", *_COMPARE):
            node = Node(sign, None, (node, self._sum()))
            if self._next("==", "!=", *_COMPARE):
                raise self._wrong("one comparison cannot follow another: join two with and")
        return node

    def _sum(self) -> Node:
        node = self._product()
        while sign := self._next("+", "-"):
            node = Node(sign, None, (node, self._product()))
        return node

    def _product(self) -> Node:
        node = self._signed()
        while sign := self._next("*", "//"):
            node = Node(sign, None, (node, self._signed()))
        return node

    def _signed(self) -> Node:
        minus = 0
        while self._next("-"):
            minus += 1
        node = self._atom()
        return Node("minus", None, (node,)) if minus % 2 else node

    def _atom(self) -> Node:
        if not self._tokens:
            raise self._wrong("something is missing at its end")
        kind, text = self._tokens.pop(0)
        if kind == "number":
            return Node("number", int(text))
        if kind == "dice":
            return Node("dice", Dice.parse(text))
        if kind == "word":
            return Node("word", text)
        if kind == "name" and text == UNKNOWN:
            return Node("unknown")
        if kind == "name" and text not in _WORDS:
            return self._call(text) if self._next("(") else Node("name", text)
        if text == "(":
            node = self._chosen()
            self._close()
            return node
        raise self._wrong(f'"{text}" cannot stand there')

    def _call(self, function: str) -> Node:
        if function in NAMING:
            kind, name = self._tokens.pop(0) if self._tokens else ("", "")
            if kind not in ("name", "word"):
                raise self._wrong(f"{function}( ) wants a name")
            which = (self._detail(function),) if self._next(",") else ()
            self._close()
            return Node(function, name, which)
        if function not in (*FIGURING, *ROLLING):
            raise self._wrong(f"there is no {function}( ){did_you_mean(function, (*NAMING, *FIGURING, *ROLLING))}")
        parts = [self._chosen()]
        while self._next(","):
            parts.append(self._chosen())
        self._close()
        if function in ROLLING:
            return Node(ROLLING[function], self._die(function, parts), (parts[0],))
        if function == "mod" and len(parts) != 2:
            raise self._wrong("mod( ) takes 2 parts: mod(7, 3) is 1")
        if not 2 <= len(parts) <= _MAX_PARTS:
            raise self._wrong(f"{function}( ) takes 2 to {_MAX_PARTS} parts")
        return Node(function, None, tuple(parts))

    def _detail(self, function: str) -> Node:
        """Return which of them counts: what is held here, or what was noted with a name."""
        if function not in DETAILED:
            raise self._wrong(f"{function}( ) takes one name: only {', '.join(OF_HELD)} may end with , {HERE})")
        kind, name = self._tokens.pop(0) if self._tokens else ("", "")
        if kind not in ("name", "word"):
            raise self._wrong(f"{function}( ) takes {HERE} or a name after the comma: {function}(tended, healer)")
        return Node(HERE) if (kind, name) == ("name", HERE) else Node(kind, name)

    def _die(self, function: str, parts: list[Node]) -> Dice:
        """Return the die of which a function rolls a number."""
        if function == "sixes" and len(parts) == 1:
            return Dice(1, 6)
        if function == "sixes":
            raise self._wrong("sixes( ) takes the number of dice: sixes(strength)")
        faces = parts[1].about if len(parts) == 2 and parts[1].kind == "number" else None
        if not isinstance(faces, int) or not 2 <= faces <= MAX_POOL_FACES:
            says = f"takes the number of dice and their faces, 2 to {MAX_POOL_FACES}: {function}(burning, 6)"
            raise self._wrong(f"{function}( ) {says}")
        return Dice(1, faces)

    def _close(self) -> None:
        if not self._next(")"):
            raise self._wrong("a parenthesis is not closed")


def _tokens(text: str) -> Iterator[tuple[str, str]]:
    place, text = 0, text.rstrip()
    while place < len(text):
        match = _TOKEN.match(text, place)
        if match is None:
            stray = text[place:].lstrip()[:1]
            hint = {
                "=": ": write == to compare",
                "/": ": write // to divide, which rounds down",
                '"': ": put words into single quotes",
            }.get(stray, ": write names in lower case" if stray.isupper() else "")
            raise ValueError(f'"{text}": {stray!a} is not allowed in a formula{hint}')
        kind = match.lastgroup or ""
        yield kind, match[kind]
        place = match.end()


# --- evaluating ------------------------------------------------------------------------------------------------------


def evaluate(formula: Formula, scope: Scope) -> Result:
    """Return a formula's value. Raises HackjackError, with the formula, if it cannot be calculated."""
    return formula.run(scope)


def formula_number(formula: Formula, scope: Scope) -> int:
    """Return the number that a formula comes to. Raises HackjackError where it is a word or unknown."""
    return as_number(formula, evaluate(formula, scope))


def as_number(formula: Formula, value: object) -> int:
    """Return a formula's value if it is a number. Raises HackjackError where it is a word or unknown."""
    if not isinstance(value, int):
        now = "unknown" if value is None else "a word" if str(value) == str(formula) else str(value)
        raise HackjackError(f'"{formula}" is {now}, not a number')
    return value


def names_roll(formula: Formula) -> bool:
    """Return whether the degrees of a check are a formula of its roll, and not points for each degree."""
    return any(node.kind == "name" and node.about in OF_CHECK for node in formula.walk())


def made_by(node: Node, whole: str, leaf: Callable[[Node], Run | None] | None = None) -> Run:
    """Return a part of a whole formula made ready: closures, since odds ask the same formula many thousand times.

    For a scope of one's own, `leaf` makes what asks it for anything.
    """
    if leaf is not None and (own := leaf(node)) is not None:
        return own
    kind, about = node.kind, node.about
    parts = tuple(made_by(part, whole, leaf) for part in node.parts)
    match kind:
        case "number" | "word":
            assert not isinstance(about, Dice)
            return lambda _: about
        case "unknown" | "here":
            return lambda _: None
        case "name":
            name = str(about)
            return lambda scope: scope.named(name)
        case "dice":
            assert isinstance(about, Dice)
            return lambda scope: scope.rolled(about)
        case "not":
            return lambda scope: int(not parts[0](scope))
        case "if":
            holds, one, other = parts
            return lambda scope: one(scope) if holds(scope) else other(scope)
    if kind in NAMING:
        called, which = str(about), node.parts[0].kind if parts else ""
        if which in ("name", "word"):
            return lambda scope: scope.call(kind, called, "", str(parts[0](scope) or ""))
        return lambda scope: scope.call(kind, called, which)
    if value := next((each for each in ROLLING.values() if each == kind), None):
        return _pooled(node, parts[0], whole, value)
    if kind in ("and", "or", "==", "!="):
        return (_is_word(node) if kind == "==" and leaf is None else None) or _joined(kind, *parts)
    return _figuring(node, parts, whole)


def _joined(kind: str, one: Run, other: Run) -> Run:
    match kind:
        case "and":
            return lambda scope: 1 if one(scope) and other(scope) else 0
        case "or":
            return lambda scope: 1 if one(scope) or other(scope) else 0
        case "==":
            return lambda scope: 1 if one(scope) == other(scope) else 0
    return lambda scope: 1 if one(scope) != other(scope) else 0


def _is_word(node: Node) -> Run | None:
    """Whether a name stands for a word, the commonest question of all, with nothing in between; None for others."""
    if [part.kind for part in node.parts] != ["name", "word"]:
        return None
    name, word = (str(part.about) for part in node.parts)
    return lambda scope: 1 if scope.named(name) == word else 0


def _figuring(node: Node, parts: tuple[Run, ...], whole: str) -> Run:
    compare, figure = _COMPARE.get(node.kind), _FIGURE.get(node.kind, max)
    divides = node.kind in ("//", "mod")

    def run(scope: Scope) -> Result:
        values = [part(scope) for part in parts]
        for figured in values:
            if not isinstance(figured, int):
                return _unfigured(node, values, whole)
        if compare:
            return 1 if compare(*values) else 0  # type: ignore[arg-type]
        if divides and not values[1]:
            raise _wrong(whole, "it divides by 0")
        total = figure(*values)
        if not -MAX_VALUE <= total <= MAX_VALUE:
            raise _wrong(whole, f"{total:,} is too much: {MAX_VALUE:,} at most")
        return total

    return run


def _pooled(node: Node, count: Run, whole: str, value: DiceValue) -> Run:
    """Roll as many dice as a part comes to, all at once; fewer than one are none."""
    die = node.about
    assert isinstance(die, Dice)

    def run(scope: Scope) -> Result:
        many = count(scope)
        if not isinstance(many, int):
            return _unfigured(node, [many], whole)
        if many > MAX_DICE:
            raise _wrong(whole, f"{many:,} dice are too many: {MAX_DICE} at most")
        return scope.rolled(Dice(many, die.faces), value) if many > 0 else 0

    return run


def _unfigured(node: Node, values: list[Result], whole: str) -> Result:
    """What is figured from something unknown is unknown. Raises HackjackError for words and for what is compared."""
    part, wrong = next(pair for pair in zip(node.parts, values, strict=True) if not isinstance(pair[1], int))
    if wrong is not None or node.kind in _COMPARE:
        raise _wrong(whole, f"{_written(part)} is {'unknown' if wrong is None else wrong}, not a number")
    return None


def _wrong(whole: str, why: str) -> HackjackError:
    return HackjackError(f'"{whole}" cannot be calculated: {why}')


def _written(node: Node) -> str:
    """Return a part of a formula as its author may have written it, for messages."""
    kind, about, parts = node.kind, node.about, [_written(part) for part in node.parts]
    if kind in NAMING:
        return f"{kind}({', '.join((str(about), *parts))})"
    if kind in ROLLING.values() or kind in FIGURING:
        name = next((function for function, each in ROLLING.items() if each == kind), kind)
        return f"{name}({', '.join(parts)})"
    if kind == "if":
        return f"{parts[1]} if {parts[0]} else {parts[2]}"
    if len(parts) == 2:
        return f"{parts[0]} {kind} {parts[1]}"
    if parts:
        return f"{'-' if kind == 'minus' else 'not '}{parts[0]}"
    return str(about) if about is not None else kind
