"""Write `docs/rules_as_text.md`, the page of the language: `python docs/make_grammar.py`.

What each statement looks like comes from the forms of the types, what it does from their descriptions.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from generator.language.cursor import SPOKEN_TIMES
from generator.language.forms import Part, Statement, statements
from generator.language.headings import FLAGS, LISTS, UNPRINTED, VALUES
from generator.model.durations import ENDS_OF_STEPS, LASTING
from generator.model.rules import KINDS

PAGE = Path(__file__).with_name("rules_as_text.md")
HEAD = """\
# Rules as text

Written by `python docs/make_grammar.py` from the program's types.

A pack is YAML. Where effects or steps stand, write text: an event is one text after `|`. A card's effects are one
statement behind the colon, several in brackets, or lines after `|`. In brackets a comma ends a statement. A colon ends
the text in both, so what has one goes below `|`.

```yaml
events:
  poison: |
    "death-score, no card"
    takes amount
    odds as hit
    if blood_flows == any_damage: flow()
    let spent = min(amount, hp)
    if spent > 0:
      hp -= spent [H25]
        log "Poison: {by} HP are lost; {left} are left."
      if hp == 0: low = 1
    total()
conditions:
  crippled: {name: Crippled, says: You crawl, brief: crawling, implies: suffer prone until stand}
```

Text stands for an event, for `do` of a watch, for `effects`, `for_good` and the effects of `faces` of a card, for
`every` of a table, for `effects` and cells of a row (a cell of one line without brackets is words), and for
`implies`, `each` and `ends` of a condition. In a spreadsheet, semicolons part the statements of a cell.

VS Code colours rules once the folder `docs/editor` is copied to `~/.vscode/extensions/hackjack`.

## Lines

* One statement stands on a line. Spaces indent, never tabs. `#` begins a comment.
* Deeper lines belong to a line that ends in a colon. One statement may stand behind the colon: `if hp == 0: die`.
* Without a colon, a deeper line goes on with the line above it.
* `nothing` is a block without steps.
* No word is reserved: `draw()` is an event of that name, and `end -= 1` a number.

## Values

| in capitals | write |
|---|---|
| FORMULA | `3 + d6`, names, `- * //`, `<= == !=`, `and or not`, `A if C else B` and [functions](events.md#formulas) |
| NAMES | `a, b and c` |
| TEXT | words in double quotes; `{hp}` is a current value |
| RANGE | `3`, `1-5` or `13+` |
| SPAN | `3 rounds`, `2d6 days`, `grit + 1 hours` |
| TIME | `for` SPAN, `until` EVENT, or one of the words below |
| (NAME: FORMULA, ...) | what an event takes; `(damage)` is short for `(damage: damage)` |

In a formula, a condition is a truth: `if prone: die`. A switch is compared with its reading, without quotes:
`blood_flows == any_damage`. A number, an argument or a `let` of the same name comes first.

"""
TIME = """\
### How long something lasts

| write | means |
|---|---|
"""
EVENT = """\
## An event

These lines stand above its steps, each on a line of its own.

| write | means |
|---|---|
| `"TEXT"` or `"TEXT" titled "TEXT"` | its text in the help, and its name on paper |
| `takes NAME (TRAIT, ...) "TEXT", ...` | its arguments: a number without traits |
| `refuse if FORMULA: "TEXT"` | it cannot be, and why; `unless` for the opposite |
| `refuse while NAME or NAME: "TEXT"` | refused in these conditions; `{held}` names it |
| `odds NAME "LABEL": FORMULA, ...` | chances for `odds`; `aside` before the colon keeps one out of JSON |
| `odds as EVENT` | the same chances as another event, with what it lists and spreads |
"""
TRAITS = """\

A trait of an argument is one of these:

| write | means |
|---|---|
| `1 to 6`, `to 99`, `from 0` | its bounds |
| `arm or leg` | its words; `of both` for a single word |
| `flag`, `die`, `card`, `name` | its kind |
| `one of AIMS` | one of the procedure's aims |
| `usually leg`, `else FORMULA` | its default |
| `optional` | it can be left out and is then unknown |
| `if FORMULA` | it is asked only then |
| `arm or leg if FORMULA` | fewer words are offered then |
| `like SKILL` | the example in the help, in place of N, CARD or DIE |

## Words

Sentences of your own stand below a step of an event, deeper and each on its own line, or alone.

| write | means |
|---|---|
| `log "TEXT"` | in the log |
| `print "TEXT"` | on paper |
| `say "TEXT"` | both |
| `as KIND` | the entry's kind in JSON, in place of its event's name; its values are those that the sentence quotes |
| `unprinted`, `quietly` | behind the step: not on paper, not in the log |
| `[H2]` | behind the step: the ruling that it follows |

With a colon, `say "You fall.":` is printed for the steps below it. An `if` has no words of its own: write them
so above it, or behind the steps below it.

## Statements

What stands in brackets may be left out, and clauses come in any order, after commas if you like. `[:` marks lines
that may follow below.

"""
SECTIONS = {
    "conditions": "Conditions and harm",
    "numbers": "Numbers and names",
    "flow": "Choices, repetition and other events",
    "dice": "Dice",
    "saves": "Checks and saves",
    "tables": "Tables and places",
    "time": "Time",
    "cards": "Cards",
}
_TYPES = {
    "formula": "FORMULA",
    "names": "NAMES",
    "text": '"TEXT"',
    "number": "N",
    "dice": "DICE",
    "rolled": "DICE [+ FORMULA]",
    "range": "RANGE",
    "ranges": "RANGES",
    "time": "TIME",
    "span": "SPAN",
    "amount": "SPAN",
    "arguments": "(NAME: FORMULA, ...)",
    "ended": "[CONDITION | all GROUP | all until EVENT or EVENT | coming CONDITION]",
    "row": "[FORMULA on] TABLE",
    "thrown": "NAME: [highest N of] 3d6 or d(FORMULA), ...",
    "counted": "NAME on N, ...",
}
_BLOCKS = {
    ("results",): ":  1-2: ...  3+: ...",
    ("options",): ':  "OPTION": ...  "OPTION" if FORMULA: ...',
    ("then", "else"): ":  ...  else if FORMULA:  ...  else:  ...",
}


def _written(part: Part) -> str:
    if part.word:
        return part.word
    if part.words:
        return f"[{' '.join(part.words)}]"
    text = _TYPES.get(part.type, part.key.upper())
    return f"[{text}]" if part.optional else text


def form_of(statement: Statement) -> str:
    """Return how a statement is written, with its clauses."""
    head = " ".join(map(_written, statement.head)).replace(" (NAME", "(NAME")
    clauses = [" ".join((*clause.words, *map(_written, clause.parts))) for clause in statement.clauses]
    block = _BLOCKS.get(statement.block)
    if block is None:
        below = "  ".join(f"{key}: ..." for key in statement.block) if len(statement.block) > 1 else "..."
        block = f":  {below}" if statement.block else ""
    block = f"[{block}]" if statement.block_optional else block
    block = f" [else STATEMENT]{block}" if statement.do == "check" else block
    return " ".join(filter(None, [head or 'say "TEXT"', *(f"[{clause}]" for clause in clauses)])) + block


def written_parts(statement: Statement) -> dict[str, str]:
    """Return how each key of an effect is written, as Markdown."""
    parts = {part.key: _written(part) for part in statement.head if part.key}
    for clause in statement.clauses:
        text = " ".join((*clause.words, *map(_written, clause.parts)))
        for key in {part.key for part in clause.parts if part.key} | {clause.key}:
            parts[key] = f"{parts[key]}`, `{text}" if key in parts else text
    parts |= {key: f"{key}:" if len(statement.block) > 1 else ":" for key in statement.block}
    return {key: f"`{text}`" for key, text in parts.items()}


def page() -> str:
    """Return the whole page."""
    return HEAD + "\n".join([*_times(), *_event(), *_statements()]).rstrip() + "\n"


def _times() -> Iterator[str]:
    yield TIME.rstrip("\n")
    yield "| `for 2d6 days` | a span of time |"
    for word, means in LASTING.items():
        yield f"| `{SPOKEN_TIMES.get(word, f'until {word}')}` | {means} |"
    yield "| `until EVENT` | until an event of yours |"
    yield ""
    words = ", ".join(f"`{word}`" for word in LASTING if word not in ENDS_OF_STEPS)
    yield f"With `kind: steps`, these words need an event of that name, for nothing else ends them: {words}."
    yield ""


def _event() -> Iterator[str]:
    meanings = {
        "alone": "it exists for odds only",
        "dead": "it can happen to the dead",
        "helper": "only other events call it",
        "lists": "what odds show: `rows`, `names`, `conditions`, `numbers`, `cards`, `left`, or `nothing`",
        "spreads": "numbers whose values odds show for survivors",
        "gives": "names from its `let` that the calling event knows afterwards",
        "better": "the value that the best policy maximises",
        "spared": "how many times in a hundred nothing happens",
        "table": "the only table whose rows odds show",
        "until": 'the end of a condition that lasts until this event: `until "you are bandaged"`',
    }
    yield EVENT.rstrip("\n")
    for key, words in FLAGS.items():
        yield f"| `{' '.join(words)}` | {meanings[key]} |"
    for key, words in LISTS.items():
        yield f"| `{' '.join(words)} NAMES` | {meanings[key]} |"
    for key, (words, kind) in VALUES.items():
        yield f"| `{' '.join(words)} {_TYPES.get(kind, key.upper())}` | {meanings[key]} |"
    yield f"| `{' '.join(UNPRINTED)}` | steps without words of yours are not printed |"
    yield TRAITS.rstrip("\n")
    yield ""


def _statements() -> Iterator[str]:
    kinds = {str(kind.__struct_config__.tag): kind for kind in KINDS}
    modules = {kind.__module__: str(sys.modules[kind.__module__].__doc__).strip(". \n") for kind in KINDS}
    named = {module.rpartition(".")[2]: says for module, says in modules.items()}
    for module, title in (SECTIONS | named | SECTIONS).items():
        yield f"### {title}"
        yield ""
        for do, statement in statements().items():
            if kinds[do].__module__.endswith(f".{module}"):
                yield f"* `{form_of(statement)}`  \n  {str(kinds[do].__doc__).splitlines()[0]}"
        yield ""


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
