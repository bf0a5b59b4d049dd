"""Write the colours of rules for VS Code, `docs/editor/hackjack.tmLanguage.json`: `python docs/make_editor.py`.

The words come from the forms of the types, so a new effect has its colours when it has its form.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from generator.language.cursor import SPOKEN_TIMES
from generator.language.forms import TAILS, statements
from generator.language.headings import FLAGS, LISTS, UNPRINTED, VALUES
from generator.language.hints import HEADING
from generator.model.durations import UNITS
from generator.model.formulas import FIGURING, NAMING, ROLLING

FILE = Path(__file__).with_name("editor") / "hackjack.tmLanguage.json"
PROSE = ("about", "flavour", "note", "notes", "ours", "point", "says", "source", "text")
"""Keys of YAML below which a block is words."""
RULES = ("do", "effects", "every", "for_good", "implies")
"""Keys of YAML whose brackets hold statements."""
START = r"(?:(?<=[\[,:])|^)\s*"


def _any(words: Iterable[str]) -> str:
    """Return a pattern of any of these words, the longest first."""
    escaped = sorted({re.escape(each).replace(r"\ ", r"\s+") for each in words}, key=lambda each: (-len(each), each))
    return f"(?:{'|'.join(escaped)})"


def grammar() -> dict[str, Any]:
    """Return the grammar: blocks below a key of YAML, and brackets behind a key of effects."""
    every = statements().values()
    clauses = {word for each in every for clause in each.clauses for word in clause.words}
    inner = {part.word for each in every for part in each.head if part.word.isalpha()}
    inner |= {part.word for each in every for clause in each.clauses for part in clause.parts if part.word.isalpha()}
    labels = {key for each in every for key in each.block if len(each.block) > 1}
    heads = {" ".join(each.words) for each in every if each.words and each.words[0].isalpha()}
    lines = {" ".join(words) for words in (*FLAGS.values(), *LISTS.values(), UNPRINTED)}
    lines |= {" ".join(words) for words, _ in VALUES.values()} | set(HEADING)
    times = [f"{_any(SPOKEN_TIMES.values())}", r"until\s+[a-z_]+", rf"(?:for|after)\s+[^,\"]*?\b{_any(UNITS)}s?"]
    statement = [
        {"name": "comment.line.number-sign.hackjack", "match": r"(?:^|\s)#.*$"},
        {
            "name": "string.quoted.double.hackjack",
            "begin": '"',
            "end": '"|$',
            "patterns": [
                {"name": "constant.character.escape.hackjack", "match": r"\\."},
                {"name": "variable.other.placeholder.hackjack", "match": r"\{[^{}]*\}"},
            ],
        },
        {"name": "string.quoted.single.hackjack", "match": "'[^'\\n]*'"},
        {"name": "entity.name.tag.hackjack", "match": r"\[[A-Z]{1,2}[0-9]{1,3}\]"},
        {"name": "storage.type.hackjack", "match": rf"{START}{_any(lines)}(?![\w(])"},
        {"name": "keyword.control.hackjack", "match": rf"{START}{_any(heads | labels | {'else', 'nothing'})}(?![\w(])"},
        {"name": "constant.language.time.hackjack", "match": rf"\b(?:{'|'.join(times)})\b"},
        {"name": "keyword.other.hackjack", "match": rf"\b{_any(clauses | inner | TAILS)}(?![\w(])"},
        {"name": "support.function.hackjack", "match": rf"\b{_any((*NAMING, *FIGURING, *ROLLING))}(?=\()"},
        {"name": "entity.name.function.hackjack", "match": r"\b[a-z_][a-z0-9_]*(?=\()"},
        {"name": "constant.numeric.hackjack", "match": r"\b[0-9]*d?[0-9]+\b"},
        {"name": "keyword.operator.hackjack", "match": r"\+=|-=|[=!<>]=|//|[-+*<>=]|\b(?:and|or|not)\b"},
    ]
    return {
        "comment": "Written by `python docs/make_editor.py` from the program's types.",
        "scopeName": "source.yaml.hackjack",
        "injectionSelector": "L:source.yaml",
        "patterns": [{"include": "#block"}, {"include": "#brackets"}],
        "repository": {
            "block": {
                "begin": rf"^(\s*)(?:- )?(?!{_any(PROSE)}\b)(?:[a-z_]+): \|\s*$",
                "while": r"^(?=\1\s+|\s*$)",
                "contentName": "meta.embedded.hackjack",
                "patterns": [{"include": "#statement"}],
            },
            "brackets": {
                "begin": rf"\b{_any(RULES)}: \[",
                "end": r"\]",
                "contentName": "meta.embedded.hackjack",
                "patterns": [{"include": "#statement"}],
            },
            "statement": {"patterns": statement},
        },
    }


if __name__ == "__main__":
    FILE.write_text(json.dumps(grammar(), indent=1) + "\n", encoding="utf-8")
