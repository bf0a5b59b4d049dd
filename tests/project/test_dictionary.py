"""The words of the code: names that say little and docstrings nobody would say, counted; their number only falls."""

from __future__ import annotations

import ast
import keyword
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
import yaml
from helpers import ROOT

pytestmark = pytest.mark.slow

FILES = sorted((ROOT / "generator").rglob("*.py"))
COUNTED = Path(__file__).with_name("dictionary.yaml")
"""How many of each there are. Whoever removes one lowers its number; nobody raises one."""
BANNED = (
    *("asked", "found", "given", "held", "here", "known", "said", "shown", "there", "told", "wanted", "laid", "fitted"),
    *("usual", "least", "most", "wide", "high", "foot", "says", "at", "judged", "opened", "spared"),
)
OPENINGS = ("What", "How", "So many", "The same", "Whether")
"""How a docstring must not begin: it begins with a verb and names the result."""
SOMEBODY = re.compile(r"\b([Ss]omebody|[Nn]obody|[Ww]hoever|[Ww]hatever)\b")
WORD = re.compile(r"[A-Za-z_]\w*")
Documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def bindings(tree: ast.AST) -> Iterator[str]:
    """Yield every name that is bound: arguments, variables, fields."""
    for node in ast.walk(tree):
        if isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id


def docstrings(tree: ast.Module) -> Iterator[tuple[Documented, str]]:
    """Yield what is documented, with its docstring; texts below a name belong to the module or class around them."""
    for node in ast.walk(tree):
        if isinstance(node, Documented):
            for each in node.body:
                match each:
                    case ast.Expr(ast.Constant(str(text))):
                        yield node, text


def test_names_that_say_little_only_become_fewer() -> None:
    counts = Counter(name for path in FILES for name in bindings(tree_of(path)) if name in BANNED)
    texts = [text for path in FILES for _, text in docstrings(tree_of(path))]
    counts |= Counter(
        {f'"{opening} ..."': sum(text.startswith(f"{opening} ") for text in texts) for opening in OPENINGS}
    )
    counts['"somebody"'] = sum(bool(SOMEBODY.search(text)) for text in texts)
    expected = yaml.safe_load(COUNTED.read_text(encoding="utf-8"))
    more = {name: count for name, count in counts.items() if count > expected.get(name, 0)}
    assert not more, (
        f"use a better name, or begin with a verb: {more}, at most { {name: expected[name] for name in more} }"
    )
    # Work that goes on side by side takes away the same name twice: a few less is a matter of the next count.
    fewer = {name: counts[name] for name in expected if counts[name] < expected[name] - 3}
    assert not fewer, f"lower these numbers in {COUNTED.name}: {fewer}"


def test_names_in_docstrings_exist() -> None:
    """Each name in backticks is in the code or in content; a name that says little is one of the function itself."""
    words = {word for path in (ROOT / "content").rglob("*.yaml") for word in WORD.findall(path.read_text("utf-8"))}
    words |= {path.stem for path in FILES} | {path.name for path in ROOT.iterdir()}
    for node in (node for path in FILES for node in ast.walk(tree_of(path))):
        match node:
            case ast.ClassDef() | ast.FunctionDef() | ast.AsyncFunctionDef():
                words.add(node.name)
            case ast.Constant(str(text)) if len(text) < 20:
                words |= {*WORD.findall(text)}
            case ast.Attribute(attr=name) | ast.arg(arg=name) | ast.Name(id=name):
                words.add(name)
    missing = []
    for path in FILES:
        for node, text in docstrings(tree_of(path)):
            own = {each.arg for each in ast.walk(node) if isinstance(each, ast.arg)} | {*bindings(node)}
            for name in re.findall(r"`([A-Za-z_]\w*)`", text):
                vague = isinstance(node, ast.FunctionDef) and name in BANNED
                if name not in (own if vague else words) and not keyword.iskeyword(name):
                    missing.append(f"{path.relative_to(ROOT)}: {getattr(node, 'name', '')}: {name}")
    assert not missing, "\n".join(missing)
