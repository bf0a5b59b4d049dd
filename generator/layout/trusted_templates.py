"""Templates that a pack brings along: used when somebody trusts them, and even then with nothing in reach.

They are written in Jinja and filled in its sandbox. Beyond that only the small part of the language is read that a face
needs: values, conditions, loops over what there is, and a few filters. No call, no import, no arithmetic: what cannot
be written cannot run for ever or fill the memory.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from jinja2 import StrictUndefined, Template, TemplateSyntaxError, nodes
from jinja2.sandbox import ImmutableSandboxedEnvironment

from generator.base.errors import ContentError, HackjackError, Problem, did_you_mean

MAX_LOOPS = 2
"""Loops inside each other."""
MAX_LETTERS = 20_000
"""Of a filled template."""
FILTERS = ("capitalize", "default", "first", "int", "last", "length", "lower", "string", "title", "trim", "upper")

_READ = (
    nodes.Template,
    nodes.Output,
    nodes.TemplateData,
    nodes.For,
    nodes.If,
    nodes.Name,
    nodes.Const,
    nodes.Getattr,
    nodes.Getitem,
    nodes.Compare,
    nodes.Operand,
    nodes.And,
    nodes.Or,
    nodes.Not,
    nodes.CondExpr,
    nodes.Filter,
    nodes.Test,
)


@cache
def parse_template(text: str, file_name: str) -> Template:
    """A pack's template, fit to be filled. Raises HackjackError with file and line."""
    sandbox = ImmutableSandboxedEnvironment(
        undefined=StrictUndefined,
        finalize=_one_line,
        autoescape=False,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    try:
        tree = sandbox.parse(text)
        for line, what in _faults(tree, 0):
            raise ContentError([Problem(file_name, line, 1, what)])
        return sandbox.from_string(tree)
    except TemplateSyntaxError as error:
        raise ContentError([Problem(file_name, error.lineno, 1, str(error.message))]) from error
    except RecursionError as error:
        raise ContentError([Problem(file_name, 1, 1, "the template is nested too deeply")]) from error


def fill_template(parsed: Template, file_name: str, values: Mapping[str, Any]) -> str:
    """Return the template's text. Raises HackjackError for any error while filling it."""
    text = ""
    try:
        for piece in parsed.generate(**values):
            text += piece
            if len(text) > MAX_LETTERS:
                raise HackjackError(f"{file_name}: it produces more than {MAX_LETTERS:,} characters")
    except HackjackError:
        raise
    except Exception as error:
        # A template can do whatever its values do not bear: compare a word with a number, name what is not there.
        raise HackjackError(f"{file_name}: it cannot be filled: {str(error)[:200] or type(error).__name__}") from error
    return text


def _faults(node: nodes.Node, loops: int) -> Iterator[tuple[int, str]]:
    """What a template may not say, with its line."""
    if not isinstance(node, _READ):
        yield node.lineno, f"{type(node).__name__.lower()} is not allowed here: values, if, for and a few filters are"
        return
    if isinstance(node, nodes.Filter) and node.name not in FILTERS:
        yield node.lineno, f'unknown filter "{node.name}"{did_you_mean(node.name, FILTERS)}'
    if isinstance(node, nodes.For):
        loops += 1
        if loops > MAX_LOOPS or node.recursive:
            yield node.lineno, f"loops can be nested at most {MAX_LOOPS} deep"
    for child in node.iter_child_nodes():
        yield from _faults(child, loops)


def _one_line(value: Any) -> Any:
    """Values keep to their line and field, with any content."""
    return " ".join(value.split()) if isinstance(value, str) else value
