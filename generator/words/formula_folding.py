"""Formulas made simpler before they are said: tree in, tree out, and what trees are made of.

What stands for something else becomes that, what is fixed is worked out, and what is decided is left out.
"""

from __future__ import annotations

import operator as op
from collections.abc import Callable, Iterable, Iterator

from generator.base.dice import Dice
from generator.model.formulas import Node
from generator.words.wording import DASH, figure_words

FLIPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}
HOLDING = (*FLIPPED, "and", "or", "not", "has", "known", "met", "suffered", "coming", "does", "waits")
"""Kinds of nodes that hold or do not hold, rather than come to a number."""
_TURNED = {"+": "-", "-": "+"}
_FIGURE: dict[str, Callable[..., int]] = {"+": op.add, "-": op.sub, "*": op.mul, "minus": op.neg}
_COMPARE: dict[str, Callable[..., bool]] = {
    "<": op.lt, "<=": op.le, ">": op.gt, ">=": op.ge, "==": op.eq, "!=": op.ne,
}  # fmt: skip
_NAMED = ("name", "setting", "faces")
"""Kinds of nodes that may stand for something else."""


def fold(node: Node, stands_for: Callable[[Node], Node]) -> Node:
    """Return a formula with what is fixed worked out; `stands_for` gives what a name, setting or die stands for."""
    if node.kind in _NAMED:
        return stands_for(node)
    parts = tuple(fold(part, stands_for) for part in node.parts)
    node = node._replace(parts=parts)
    if node.kind in ("+", "-", "*", "minus"):
        return _figured(node)
    if node.kind == "sum" and parts[0].kind == "number" and isinstance(node.about, Dice):
        return Node("dice", Dice(max(value_of(parts[0]), 0), node.about.faces))
    if node.kind in ("min", "max"):
        flat = [*flat_parts(node)]
        if all(part.kind == "number" for part in flat):
            return number_node((min if node.kind == "min" else max)(map(value_of, flat)))
        return node._replace(parts=tuple(flat))
    return _decided(node)


def _figured(node: Node) -> Node:
    """Return a sum or product without what adds nothing."""
    parts = node.parts
    if all(part.kind == "number" for part in parts):
        return number_node(_FIGURE[node.kind](*map(value_of, parts)))
    zero, one = number_node(0), number_node(1)
    if node.kind == "*":
        if zero in parts:
            return zero
        return next((other for part, other in (parts, parts[::-1]) if part == one), node)
    if node.kind in ("+", "-") and parts[1] == zero:
        return parts[0]
    return parts[1] if node.kind == "+" and parts[0] == zero else node


def _decided(node: Node) -> Node:
    """Return a condition with what is decided left out."""
    kind, parts = node.kind, node.parts
    if kind in ("and", "or"):
        decides = kind == "or"
        open_parts = [part for part in parts if part.kind != "number" or bool(part.about) == decides]
        if any(part.kind == "number" for part in open_parts):
            return number_node(int(decides))
        return node if len(open_parts) == len(parts) else (*open_parts, number_node(int(not decides)))[0]
    if kind == "not" and parts[0].kind == "number":
        return number_node(int(not parts[0].about))
    if kind in FLIPPED and parts[0].kind == parts[1].kind and parts[0].kind in ("number", "word"):
        return number_node(int(_COMPARE[kind](parts[0].about, parts[1].about)))
    return node


# --- parts of formulas ---------------------------------------------------------------------------------------------


def value_of(node: Node) -> int:
    """Return the value of a number."""
    assert isinstance(node.about, int)
    return node.about


def number_node(value: int) -> Node:
    """Return a number as a formula."""
    return Node("number", value)


def terms_of(node: Node, sign: str = "+") -> Iterator[tuple[str, Node]]:
    """Yield the parts of a sum with their signs."""
    if node.kind in ("+", "-"):
        yield from terms_of(node.parts[0], sign)
        yield from terms_of(node.parts[1], _TURNED[sign] if node.kind == "-" else sign)
    elif node.kind == "minus":
        yield from terms_of(node.parts[0], _TURNED[sign])
    elif node.kind == "number" and value_of(node) < 0:
        yield _TURNED[sign], number_node(-value_of(node))
    else:
        yield sign, node


def depth_of(node: Node) -> int:
    """Return how deep functions stand inside each other."""
    inside = max(map(depth_of, node.parts), default=0)
    return inside + (node.kind in ("min", "max", "//", "mod", "sixes", "sum"))


def flat_parts(node: Node) -> Iterator[Node]:
    """Yield the parts of a chain of the same sign: all of `a and b and c`."""
    for part in node.parts:
        yield from flat_parts(part) if part.kind == node.kind else (part,)


def without_not(node: Node) -> Node:
    """Return a condition with `not` only before what has no opposite of its own."""
    if node.kind != "not":
        return node
    inner = node.parts[0]
    if inner.kind == "not":
        return without_not(inner.parts[0])
    if inner.kind == "or":
        one, other = (Node("not", None, (part,)) for part in inner.parts)
        return Node("and", None, (without_not(one), without_not(other)))
    if inner.kind in OPPOSITE:
        return inner._replace(kind=OPPOSITE[inner.kind])
    return node


def counted_condition(node: Node) -> tuple[int, Node] | None:
    """Return how much a condition counts in a sum: `2 * (self == 'yes')`, `has(dying)`; None for other parts."""
    if node.kind in HOLDING:
        return 1, node
    times = multiplied(node)
    return times if times and times[1].kind in HOLDING else None


def multiplied(node: Node) -> tuple[int, Node] | None:
    """Return n and X of `n * X`, in either order."""
    return next(((value_of(by), each) for by, each in either_way(node, "*") if by.kind == "number"), None)


def either_way(node: Node, kind: str) -> tuple[tuple[Node, ...], ...]:
    """Return the two parts of a node of that kind in both orders; nothing for another node."""
    return (node.parts, node.parts[::-1]) if node.kind == kind and len(node.parts) == 2 else ()


def times_ten(node: Node) -> Node | None:
    """Return X of `X * 10`, in either order."""
    return other_part(node, number_node(10)) if node.kind == "*" else None


def other_part(node: Node, part: Node) -> Node | None:
    """Return the other one of two parts, or None where that part is not there."""
    return next((other for one, other in either_way(node, node.kind) if one == part), None)


def tens_node(of: Node) -> Node:
    """Return `of // 10`."""
    return Node("//", None, (of, Node("number", 10)))


def is_tens(node: Node, of: Node) -> bool:
    """Whether something is `of // 10`, or no more than its last digit: both digits of 100 are 0."""
    tens = tens_node(of)
    return node in (tens, Node("mod", None, (tens, Node("number", 10))))


def units_of(node: Node) -> Node | None:
    """Return X of `X - X // 10 * 10` or `mod(X, 10)`."""
    parts = left_of_division(node)
    return parts[0] if parts and parts[1] == Node("number", 10) else None


def left_of_division(node: Node) -> tuple[Node, Node] | None:
    """Return X and n of `X - X // n * n`, in either order of the product, or of `mod(X, n)`."""
    if node.kind == "mod":
        return node.parts[0], node.parts[1]
    if node.kind != "-":
        return None
    whole, taken = node.parts
    for division, by in either_way(taken, "*"):
        if division == Node("//", None, (whole, by)):
            return whole, by
    return None


def grown_to(one: Node, other: Node) -> tuple[Node, Node] | None:
    """Return X + a and b of `max(X, min(X + a, b))`."""
    for start, least in ((one, other), (other, one)):
        for more, limit in either_way(least, "min"):
            if more.kind == "+" and start in more.parts:
                return more, limit
    return None


def merged_ranges(parts: Iterable[Node]) -> Iterator[Node]:
    """Yield conditions with `X >= a and X <= b` as one: X is a range."""
    waiting: list[Node] = []
    for part in parts:
        last = waiting[-1] if waiting else None
        if last and (last.kind, part.kind) == (">=", "<=") and last.parts[0] == part.parts[0]:
            low, high = last.parts[1], part.parts[1]
            if low.kind == high.kind == "number":
                span = f"{figure_words(value_of(low))}{DASH}{figure_words(value_of(high))}"
                waiting[-1] = Node("==", None, (last.parts[0], Node("word", span)))
                continue
        waiting.append(part)
    yield from waiting
