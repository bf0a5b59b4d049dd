"""From plain values to text. What it writes, the reader reads as the same values."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from generator.base.sentences import plural
from generator.language.cursor import SPOKEN_TIMES
from generator.language.forms import Clause, Part, Statement, statements
from generator.language.names import Names

MAX_WIDTH = 116
_LABELLED = ("passes", "fails", "each")
"""Blocks that stand below a statement under words of their own."""


class UnwritableError(ValueError):
    """A value that no text can say."""


def quoted(text: str) -> str:
    """Return a text in quotation marks."""
    if "\n" in text:
        raise UnwritableError("a text of several lines")
    return '"' + str(text).replace("\\", "\\\\").replace('"', '\\"') + '"'


def joined(names: Any, word: str = "and") -> str:
    """Return names as `a, b and c`."""
    *first, last = [names] if isinstance(names, str) else list(map(str, names))
    return f"{', '.join(first)} {word} {last}" if first else last


def plain(value: Any) -> str:
    """Return a formula, dice or a number on one line."""
    if not isinstance(value, str | int) or isinstance(value, bool):
        raise UnwritableError(f"{value!r} is no formula")
    return re.sub(r"\s+", " ", str(value)).strip()


FormulaText = Callable[[Any], str]


def formula_text(names: Names | None) -> FormulaText:
    """Return what writes a formula: with names as values, where these are known."""
    return plain if names is None else lambda value: names.text(plain(value))


def time_of(until: str) -> str:
    """Return how long something lasts, in the words of a text: `for 2d6 days`, `until rest`."""
    written = plain(until)
    return SPOKEN_TIMES.get(written) or (f"for {written}" if " " in written else f"until {written}")


def _arguments(given: Mapping[str, Any], f: FormulaText) -> str:
    return f"({', '.join(name if str(value) == name else f'{name}: {f(value)}' for name, value in given.items())})"


def _ended(step: Mapping[str, Any]) -> str:
    words = {"until": "all until ", "coming": "coming ", "group": "all ", "condition": ""}
    found = [f"{word}{joined(step[key], 'or')}" for key, word in words.items() if key in step]
    if len(found) > 1:
        raise UnwritableError(f"several things that end at once: {step}")
    return "".join(found)


def _rolled(step: Mapping[str, Any], f: FormulaText) -> str:
    if "adds" not in step:
        return plain(step["die"])
    adds = f(step["adds"])
    return f"{plain(step['die'])} {'' if re.match('- *[^- 0-9]', adds) else '+ '}{adds}"


def _row(step: Mapping[str, Any], f: FormulaText) -> str:
    if "table" not in step:
        return f"by {f(step['by'])}" if "by" in step else ""
    return f"{f(step['by'])} on {step['table']}" if "by" in step else str(step["table"])


def _thrown(step: Mapping[str, Any], f: FormulaText) -> str:
    """Return the dice of a throw; how many and which count stand before the die if it is the only one."""
    titles, dice = step.get("titles", {}), step["dice"]
    many, which = ("", "")
    if _is_short(step):
        many = str(step.get("many", ""))
        word = "lowest" if step.get("lowest") else "highest"
        keep = str(step.get("keep", ""))
        which = f"{word} {'of' if keep == '1' else f'{keep} of'} " if keep else ""
    written = []
    for name, faces in dice.items():
        die = f"d{faces}" if str(faces).isdigit() else f"d({f(faces)})"
        title = f" {quoted(titles[name])}" if name in titles else ""
        written.append(f"{name}: {which}{many}{die}{title}")
    return ", ".join(written)


def _is_short(step: Mapping[str, Any]) -> bool:
    """Return whether a throw is written as `highest of 3d6`."""
    many, faces = str(step.get("many", "")), next(iter(step["dice"].values()), "")
    is_counted = bool(re.fullmatch(r"[1-9][0-9]{0,2}", many)) and str(faces).isdigit()
    keeps = "keep" not in step or str(step["keep"]).isdigit()
    return len(step["dice"]) == 1 and is_counted and keeps and ("keep" in step or not step.get("lowest"))


def _counted(step: Mapping[str, Any]) -> str:
    titles = step.get("titles", {})
    return ", ".join(
        f"{name} on {face}" + (f" {quoted(titles[name])}" if name in titles else "")
        for name, face in step["counts"].items()
    )


def _amount(step: Mapping[str, Any], key: str, f: FormulaText) -> str:
    unit = step.get("unit", "day")
    if key not in step:
        return f"{'an' if unit[0] in 'aeiouh' and unit != 'half' else 'a'} {unit}"
    return f"{f(step[key])} {unit if str(step[key]) == '1' else plural(unit)}"


def _value(part: Part, step: Mapping[str, Any], f: FormulaText) -> str:
    value = step.get(part.key)
    match part.type:
        case "text":
            return quoted(str(value))
        case "names" | "ranges":
            return joined(value)
        case "arguments":
            return _arguments(step.get("with", {}), f)
        case "amount":
            return _amount(step, part.key, f)
        case "time":
            return time_of(str(value))
        case "ended":
            return _ended(step)
        case "row":
            return _row(step, f)
        case "rolled":
            return _rolled(step, f)
        case "thrown":
            return _thrown(step, f)
        case "counted":
            return _counted(step)
        case "formula":
            return f(value)
    return plain(value)


_PARTED = ("look_up", "draw", "draw_card")
"""Statements whose clauses are parted by commas, where these do not end the text."""
_ALWAYS = ("ended", "row", "thrown", "arguments", "amount")
"""Types of values that more than one key makes."""


def _head(step: Mapping[str, Any], statement: Statement, f: FormulaText) -> str:
    words: list[str] = []
    for part in statement.head:
        if part.word:
            words.append(part.word)
        elif part.words:
            words += part.words if step.get(part.key) == part.value else ()
        elif part.type in _ALWAYS or part.key in step:
            words.append(_value(part, step, f))
        elif not part.optional:
            raise UnwritableError(f"{part.key} is missing in {step}")
    text = " ".join(word for word in words if word)
    return re.sub(r"(\w) (\(.*\))$", r"\1\2", text) if statement.do in ("call", "befall") else text


def _clauses(step: Mapping[str, Any], statement: Statement, f: FormulaText) -> list[str]:
    written = []
    for clause in statement.clauses:
        if _is_default(clause, step, statement):
            continue
        if clause.sets:
            written += [" ".join(clause.words)] if step.get(clause.key) == clause.sets[1] else []
        elif clause.key in step:
            inner = [part.word or _value(part, step, f) for part in clause.parts]
            written.append(" ".join((*clause.words, *inner)))
    return written


def _is_default(clause: Clause, step: Mapping[str, Any], statement: Statement) -> bool:
    """Return whether a clause says what holds without it, or what stands in the head already."""
    if statement.do == "throw" and clause.key in ("many", "keep", "lowest"):
        return _is_short(step)
    if statement.do == "draw":
        return clause.key in ("keep", "pools") and step[clause.key] == "all"
    return statement.do == "look_up" and clause.key == "by"


def _tails(step: Mapping[str, Any]) -> tuple[list[str], list[str]]:
    """Return the sentences of a step, and what stands on its own line: whether it is quiet, and its ruling."""
    sentences: list[str] = []
    short: list[str] = []
    says, log = step.get("says"), step.get("log")
    log = {"says": log} if isinstance(log, str) else log
    if says == "":
        short.append("unprinted")
    elif says is not None:
        sentences.append(f"{'say' if log is None else 'print'} {quoted(says)}")
    if says == "" and log == {}:
        raise UnwritableError(f"words in the log that say nothing: {step}")
    if log:
        short += ["quietly"] if log.get("quiet") else []
        sentences += [f"log {quoted(log['says'])}"] if "says" in log else []
        sentences += [f"as {log['kind']}"] if "kind" in log else []
    elif log == {} and says is None:
        raise UnwritableError(f"words in the log that say nothing: {step}")
    short += [f"[{step['ruling']}]"] if "ruling" in step else []
    return sentences, short


class Writer:
    """Writes steps on lines of a width. `inline`: each on one line, as in brackets or in a cell."""

    def __init__(self, names: Names | None = None, *, inline: bool = False, width: int = MAX_WIDTH) -> None:
        self.inline, self.width, self.formula = inline, width, formula_text(names)

    def block(self, steps: Sequence[Mapping[str, Any]], indent: int) -> list[str]:
        """Return the lines of steps."""
        lines = [line for step in steps for line in self.statement(step, indent)]
        return lines or [" " * indent + "nothing"]

    def statement(self, step: Mapping[str, Any], indent: int, first: str = "") -> list[str]:
        """Return the lines of a statement; `first` stands before it (`else `)."""
        pad, statement = " " * indent, statements()[step["do"]]
        sentences, short = _tails(step) if statement.is_step or statement.do == "check" else ([], [])
        self._all_written(step, statement)
        between = ", " if statement.do in _PARTED and not self.inline else " "
        clauses = _clauses(step, statement, self.formula)
        head = first + _head(step, statement, self.formula)
        if head.endswith("look up") and clauses:
            head, clauses = f"{head} {clauses[0]}", clauses[1:]
        head = between.join(filter(None, (head, *clauses)))
        body = _bodies(step, statement)
        if not head:
            sentences[-1:] = [" ".join((*sentences[-1:], *short))]
            if self.inline or body or len(sentences) == 1:
                head, sentences, short = " ".join(sentences), [], []
            else:
                head, sentences, short = sentences[0], sentences[1:], []
        top = " ".join((pad + head, *short))
        inline = " ".join((top, *sentences))
        lines = [inline] if self.inline or (body and len(inline) < self.width) else [
            top, *(f"{pad}  {'  ' if body else ''}{each}" for each in sentences)
        ]  # fmt: skip
        return lines if not body else [*lines[:-1], *self._opened(step, statement, lines[-1], body, indent)]

    @staticmethod
    def _all_written(step: Mapping[str, Any], statement: Statement) -> None:
        keys = {part.key for part in statement.head} | {clause.key for clause in statement.clauses}
        keys |= {part.key for clause in statement.clauses for part in clause.parts}
        keys |= {"do", "says", "log", "ruling"} if statement.is_step else {"do"}
        keys |= {*statement.block} | _MORE.get(statement.do, set())
        if set(step) - keys:
            raise UnwritableError(f"{', '.join(set(step) - keys)} of {step}")

    def _opened(
        self, step: Mapping[str, Any], statement: Statement, opening: str, body: list[tuple[str, Any]], indent: int
    ) -> list[str]:
        """Return a statement with the steps below it."""
        pad = " " * indent
        if statement.do == "when":
            lines = self._with_body(opening, step.get("then", []), indent)
            other = step.get("else", [])
            if len(other) == 1 and other[0]["do"] == "when":
                return lines + self.statement(other[0], indent, "else ")
            return lines + (self._with_body(f"{pad}else", other, indent) if other else [])
        key = body[0][0]
        if key in ("results", "options"):
            lines = [f"{opening}:"]
            for name, steps in step[key].items():
                only = step.get("only", {}).get(name)
                label = str(name) if key == "results" else quoted(name)
                case = f"{pad}  {label}" + (f" if {self.formula(only)}" if only is not None else "")
                lines += self._with_body(case, steps, indent + 2)
            return lines
        if [key for key, _ in body] == ["fails"] and statement.do == "check" and len(step["fails"]) == 1:
            inner = self.statement(step["fails"][0], 0)
            if (
                len(inner) == 1
                and ":" not in _without_texts(inner[0])
                and len(f"{opening} else {inner[0]}") <= self.width
            ):
                return [f"{opening} else {inner[0]}"]
        if len(body) == 1 and key not in _LABELLED:
            return self._with_body(opening, body[0][1], indent)
        lines = [f"{opening}:"]
        for key, steps in body:
            lines += self._with_body(f"{pad}  {key}", steps, indent + 2)
        return lines

    def _with_body(self, opening: str, steps: Sequence[Mapping[str, Any]], indent: int) -> list[str]:
        if not steps:
            return [f"{opening}: nothing"]
        if len(steps) == 1:
            inner = self.statement(steps[0], 0)
            fits = len(inner) == 1 and ":" not in _without_texts(inner[0])
            if fits and (self.inline or len(f"{opening}: {inner[0]}") <= self.width):
                return [f"{opening}: {inner[0]}"]
        return [f"{opening}:", *self.block(steps, indent + 2)]


_MORE: dict[str, set[str]] = {
    "pass": {"unit"},
    "shorten": {"unit"},
    "throw": {"titles"},
    "end": {"until", "coming", "group"},
    "check": {"ruling", "adds"},
    "choose": {"only"},
}
"""Keys that are no part of a form."""


def _bodies(step: Mapping[str, Any], statement: Statement) -> list[tuple[str, Any]]:
    """Return the lists of steps below a statement, by their keys."""
    if statement.do == "when":
        return [("then", step.get("then", []))]
    if statement.do == "whenever":
        return [("penalty", [step["penalty"]])] if "penalty" in step else []
    found = [(key, step[key]) for key in statement.block if step.get(key)]
    return found or ([] if statement.block_optional or not statement.block else [(statement.block[0], [])])


def _without_texts(line: str) -> str:
    """Return a line without what stands in quotation marks or parentheses."""
    return re.sub(r'"(?:[^"\\]|\\.)*"|\([^()]*\)', "", line)


def write_steps(
    steps: Sequence[Mapping[str, Any]], names: Names | None = None, *, width: int = MAX_WIDTH, inline: bool = False
) -> list[str]:
    """Return the lines of steps or effects. Raises UnwritableError."""
    return Writer(names, width=width, inline=inline).block(steps, 0)
