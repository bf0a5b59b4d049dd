"""Faults of formulas and of words that quote values: every name in them must have a value there."""

from collections.abc import Collection, Iterator, Mapping

from generator.base.dice import Dice
from generator.base.errors import did_you_mean
from generator.games.content_face import Fault, known
from generator.games.steps.definitions import Definitions
from generator.games.steps.log import FACTS
from generator.games.steps.system_views import argument_aims
from generator.model import rules
from generator.model.formulas import HERE, OF_CHECK, UNKNOWN, Formula, Node
from generator.model.procedures import Need, Retelling, Telling
from generator.pack.strict_yaml import Trail
from generator.words.quoting import quoted_names

_FIELDS = {field for fact in FACTS.values() for field in fact._fields} | {"left", "in_words", "unit", "row", "held"}
_OF_CONDITIONS = ("count", "has", "level", "left", "lasting", "waits", "owed", "coming")
"""Calls that ask for conditions and groups."""
_KNOWN_BESIDES = {"degrees": OF_CHECK}
"""Names that have a value in the formula of one key alone."""


def step_formula_faults(pack: Definitions, step: rules.Effect, trail: Trail) -> Iterator[Fault]:
    """Yield the faults of a step's formulas."""
    for (field, *key), formula in rules.effect_formulas(step):
        where = (*trail, "with" if field == "takes" else field, *key)
        yield from formula_faults(pack, formula, where, _KNOWN_BESIDES.get(field, ()))


def formula_faults(
    pack: Definitions, formula: Formula | None, trail: Trail, more: Collection[str] = ()
) -> Iterator[Fault]:
    """Yield names of a formula without a value, and comparisons that never hold; `more` names have one in it alone."""
    for node in reversed([*formula.walk()] if formula else []):
        name = str(node.about)
        if node.kind == "name":
            if name not in more and pack.is_unknown(name):
                if switch := pack.system.switches.get(name):
                    choices = [*switch.options]
                    yield trail, f'"{formula}": {name} is {" or ".join(choices)}: write {name} == {choices[0]}'
                    return
                hint = did_you_mean(name, names := sorted(pack.valued)) or f": there are {', '.join(names[:12])}"
                yield trail, f'"{formula}": nothing is called {name}{hint}'
            elif name not in more and (reason := pack.unreached(name, trail)):
                yield trail, f'"{formula}": {reason}'
            elif name == "degrees" and not pack.changes(name):
                yield trail, f'"{formula}": no check counts degrees. Give one its degrees, such as degrees 10'
            elif name == "rolled" and name not in more and not pack.changes(name):
                yield trail, f'"{formula}": what a check showed, and there is no check'
        elif node.kind in ("==", "!="):
            yield from _comparison_faults(pack, node, formula, trail)
        elif isinstance(node.about, str) and node.kind != "word":
            yield from _call_faults(pack, node, formula, trail)


def _comparison_faults(pack: Definitions, node: Node, formula: Formula | None, trail: Trail) -> Iterator[Fault]:
    """Yield comparisons of a word with what it never is, or with a number of the name of a word."""
    procedure = pack.system.steps
    names = [str(part.about) if part.kind == "name" else "" for part in node.parts]
    written = [str(part.about) for part in node.parts if part.kind == "word"]
    for name, other in (names, names[::-1]):
        if not (of := pack.word_values.get(name)):
            continue
        if other in of and (other in procedure.numbers or other in procedure.constants):
            yield trail, f"\"{formula}\": {other} is a number too: write '{other}' in quotes for the word"
        if UNKNOWN in of and UNKNOWN in (part.kind for part in node.parts):
            yield trail, f"\"{formula}\": write '{UNKNOWN}' in quotes for the word"
        for word in written:
            if word not in of:
                yield trail, f'"{formula}": {name} is never {word}{did_you_mean(word, of)}'


def _call_faults(pack: Definitions, node: Node, formula: Formula | None, trail: Trail) -> Iterator[Fault]:
    """Yield a call that asks for something that is not there."""
    name, system = str(node.about), pack.system
    options: Collection[str]
    condition = system.head.conditions.get(name)
    of_part = bool(node.parts) and node.parts[0].kind == HERE
    if of_part and (condition.whole if condition else not system.head.parts):
        yield trail, f'"{formula}": {name} is of the whole body, and never {HERE}'
    if node.kind in _OF_CONDITIONS:
        options = {*pack.groups, "any"} if node.kind in ("owed", "coming") else pack.groups
    else:
        statistics = system.head.statistics
        options = {
            "setting": [*system.switches],
            "met": [table.id for table in system.tables],
            "suffered": pack.own_groups - {"long"},
            "value": pack.numbers,
            "known": [*system.steps.numbers, *pack.names, *pack.card_lines],
            "worst": [*statistics, *pack.names_holding(statistics)],
            "column": argument_aims(system),
            "cards": system.steps.piles,
            "does": [str(each.__struct_config__.tag) for each in rules.KINDS],
            "extra_blood": rules.WHENEVER,
            "extra_score": rules.WHENEVER,
            "total": system.steps.piles,
            "lowered": [*statistics, *pack.names_holding(statistics)],
            "faces": [*system.steps.numbers, *system.steps.constants, *pack.names],
        }[node.kind]
    if name not in options:
        hint = did_you_mean(name, options)
        if node.kind == "faces" and name in system.steps.words:
            hint = f", a word of the character: make it a number and write d({name})"
        yield trail, f'"{formula}": {node.kind}( ) knows no {name}{hint}'


def need_faults(pack: Definitions, need: Need, trail: Trail) -> Iterator[Fault]:
    """Yield the faults of what must hold."""
    if (need.holds is None) == (not need.free_of):
        yield trail, "say what must hold: holds, or free_of with conditions"
    yield from formula_faults(pack, need.holds, (*trail, "holds"))


def constant_number(pack: Definitions, node: Node, rolled: Mapping[str, Dice]) -> Dice | int | None:
    """Return the dice behind a name, or a number that is always the same; None for anything else."""
    if node.kind == "number" and isinstance(node.about, int):
        return node.about
    constant = pack.system.steps.constants.get(str(node.about)) if node.kind == "name" else None
    if constant is not None and constant.is_number:
        return constant.plus
    return rolled.get(str(node.about)) if node.kind == "name" else None


# --- words that quote values -----------------------------------------------------------------------------------------


def text_faults(pack: Definitions, step: rules.Step, trail: Trail) -> Iterator[Fault]:
    """Yield the faults of a step's own words: they quote numbers on paper, and in the log values of the moment too."""
    quotable = {*pack.system.numbers, *pack.system.readings}
    log = step.log
    if isinstance(log, Telling):
        fields = {field for kind in step.entries for field in FACTS[kind]._fields} | {"row", "name"}
        yield from telling_faults(pack, log, (*trail, "log"), fields if step.entries else ())
        if log.kind and not (log.says or step.entries):
            yield (*trail, "log", "kind"), f"{log.kind} has no sentence: write log, and the sentence, above it"
        log = None
    for key, text, names in (("says", step.says, quotable), ("log", log, pack.quotable)):
        for name in quoted_names(text or ""):
            if name not in names:
                hint = did_you_mean(name, sorted(names))
                aside = ": on paper it has no value, write log beside it"
                yield (
                    (*trail, key),
                    f'there is no "{{{name}}}" to quote{aside if name in pack.quotable and not hint else hint}',
                )
            elif reason := pack.unreached(name, trail):
                yield (*trail, key), reason


def telling_faults(
    pack: Definitions, telling: Telling, trail: Trail, fields: Collection[str] = _FIELDS
) -> Iterator[Fault]:
    """Yield the faults of a sentence in the log: it quotes values of the moment, and fields of its entry."""
    names = {*pack.quotable, *fields}
    for name in quoted_names(telling.says or ""):
        if name not in names:
            yield (*trail, "says"), f'there is no "{{{name}}}" to quote{did_you_mean(name, sorted(names))}'
        elif name not in fields and (reason := pack.unreached(name, trail)):
            yield (*trail, "says"), reason
    if isinstance(telling, Retelling):
        yield from known(telling.of, FACTS, "entry of the log", (*trail, "of"))
        yield from formula_faults(pack, telling.when, (*trail, "when"), _FIELDS)
