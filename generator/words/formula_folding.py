"""Formulas made simpler before they are said: tree in, tree out, and what trees are made of.

What stands for something else becomes that, what is fixed is worked out, and what is decided is left out.
"""

import operator as op
from collections.abc import Callable, Iterator

from generator.base.dice import Dice
from generator.model.formulas import Node

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
    many = value_of(parts[0]) if parts and parts[0].kind == "number" else None
    is_plain = node.kind == "sum" or (node.kind, many) == ("highest", 1)
    if many is not None and is_plain and isinstance(node.about, Dice):
        return Node("dice", Dice(max(many, 0), node.about.faces))
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
    if kind == "if" and parts[0].kind == "number":
        return parts[1 if parts[0].about else 2]
    if kind == "not" and parts[0].kind == "number":
        return number_node(int(not parts[0].about))
    if kind in FLIPPED and parts[0].kind == parts[1].kind and parts[0].kind in ("number", "word"):
        return number_node(int(_COMPARE[kind](parts[0].about, parts[1].about)))
    return node


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
    else:
        yield sign, node


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
    if inner.kind in ("and", "or"):
        parts = tuple(without_not(Node("not", None, (part,))) for part in inner.parts)
        return Node("or" if inner.kind == "and" else "and", None, parts)
    return inner._replace(kind=OPPOSITE[inner.kind]) if inner.kind in OPPOSITE else node


def multiplied(node: Node) -> tuple[int, Node]:
    """Return n and X of `n * X`, in either order; 1 and the node for another one."""
    if node.kind == "*":
        one, other = node.parts
        for by, each in ((one, other), (other, one)):
            if by.kind == "number":
                return value_of(by), each
    return 1, node


def other_part(node: Node, part: Node) -> Node | None:
    """Return the other one of two parts, or None where that part is not there."""
    if len(node.parts) != 2 or part not in node.parts:
        return None
    return node.parts[1] if node.parts[0] == part else node.parts[0]
