"""Steps in words that need more than a template: a clause for each kind, registered by its type."""

from collections.abc import Callable
from typing import Any

from generator.base.dice import Dice
from generator.base.registry import Registrar
from generator.base.sentences import without_stop
from generator.model import rules
from generator.model.formulas import ROLLING_NODES, Node, names_roll
from generator.words.formula_folding import HOLDING, multiplied, other_part
from generator.words.formula_wording import is_plural, is_state, named_value, plain_name, singular
from generator.words.steps_wording import ONE, ZERO, Said, StepWords, in_one, led, whole
from generator.words.wording import article, joined_words, lowered_clause, span_figures

CLAUSES: dict[type[Any], Callable[[StepWords, Any], Said | str | None]] = {}
"""The clause of a step, by its type; None if its effect has a sentence of its own."""
_clause = Registrar(CLAUSES)


# --- numbers ---------------------------------------------------------------------------------------------------------


@_clause(rules.Raise, rules.Lower)
def _changed_by(words: StepWords, step: rules.Raise | rules.Lower) -> Said:
    return _changed(words, step, words.folded(step.by))


@_clause(rules.SetTo)
def _set_to(words: StepWords, step: rules.SetTo) -> Said:
    return _changed(words, step, words.folded(step.to))


def _changed(words: StepWords, step: rules.Raise | rules.Lower | rules.SetTo, to: Node) -> Said:
    """Say how a number changes; of one value or another each is a clause of its own."""
    if to.kind != "if":
        return Said(_set(words, step, to) if isinstance(step, rules.SetTo) else _change(words, step, to))
    is_set = isinstance(step, rules.SetTo)
    sides = [whole(_changed(words, step, to)) if is_set or to != ZERO else "" for to in to.parts[1:]]
    return _either(words, to.parts[0], *sides)


def _change(words: StepWords, step: rules.Raise | rules.Lower, by: Node) -> str:
    number, own = words.formulas.number_name(step.number), words.system.steps.numbers.get(step.number)
    raised = isinstance(step, rules.Raise)
    bound = step.most if isinstance(step, rules.Raise) else step.least
    limit = (own.most if raised else own.least) if own is not None else None
    if raised and limit is not None and words.folded(limit) == by and _starts_full(words, step.number):
        return f"regain all {number}"
    no_further = ""
    if bound is not None and (limit is None or words.folded(bound) != words.folded(limit)):
        no_further = f", no further than {words.formula_says(bound)}"
    if own is not None and own.shared:
        verb = "rise" if raised else "fall"
        return f"{number} {verb if is_plural(number) else f'{verb}s'} by {words.formulas.noun(by)}{no_further}"
    if amount := "" if number.startswith("the ") else _amount_of(words, by, number):
        bounded = bound is not None or (limit is not None and limit.text in words.system.steps.numbers)
        regains = raised and bounded and (own is None or own.start != 0)
        return f"{'regain' if regains else 'gain' if raised else 'lose'} {amount}{no_further}"
    verb, joint = ("add", "to") if raised else ("take", "off")
    return f"{verb} {words.formulas.within(by)} {joint} {number}{no_further}"


def _starts_full(words: StepWords, number: str) -> bool:
    """Return whether a number begins at its most: what it loses is regained."""
    numbers = words.system.steps.numbers
    own = numbers[number]
    most = words.folded(own.most) if own.most else None
    end = numbers[str(most.about)].start if most and most.about in numbers else most and most.about
    return own.start == end


def _amount_of(words: StepWords, by: Node, number: str) -> str:
    """Return how much of a number, where that is said before it: `d3 STR`, `6 HP for each level`; or nothing."""
    if by.kind == "number" or (by.kind == "dice" and isinstance(by.about, Dice) and not by.about.plus):
        return f"{words.formulas.noun(by)} {singular(number) if by.about == 1 else number}"
    times, counted = multiplied(by)
    if each := words.formulas.each_of(counted):
        return f"{times} {number if times != 1 else singular(number)} for each {each}"
    return ""


def _set(words: StepWords, step: rules.SetTo, to: Node) -> str:
    number = words.formulas.number_name(step.number)
    own = words.system.steps.numbers.get(step.number)
    if own is not None and own.flag and to.kind == "number":
        return f"{'mark' if to.about else 'clear'} {number}"
    if own is not None and own.hidden and any(node.kind == "dice" for node in to.walk()):
        return f"roll {words.formulas.within(to)} for {number}, hidden until it is revealed"
    other = other_part(to, Node("name", step.number)) if to.kind in ("min", "max") else None
    becomes = f"{number} {'become' if is_plural(number) else 'becomes'}"
    if other:
        return f"{becomes} {words.formulas.noun(other)} if that is {'higher' if to.kind == 'max' else 'lower'}"
    if to.kind in HOLDING:
        return f"{becomes} 1 if {words.formulas.condition(to)}, and 0 otherwise"
    return f"{becomes} {words.formulas.noun(to)}"


@_clause(rules.Let)
def _let(words: StepWords, step: rules.Let) -> str:
    be = words.folded(step.be)
    name = step.title or named_value(step.name)
    if any(node.kind in ROLLING_NODES for node in be.walk()):
        rolls, name = _rolls(words, be), words.formulas.name(step.name)
        return f"{rolls}{',' * (', ' in rolls)} for {name}"
    if be.kind in HOLDING:
        return f"note whether {words.formulas.condition(be)} ({step.title or plain_name(step.name)})"
    if not step.title and (titled := words.formulas.name(step.name)) != name:
        return f"{titled} {'become' if is_plural(titled) else 'becomes'} {words.formulas.noun(be)}"
    if be.kind in ("name", "number", "word") and not step.title:
        return f"note {words.formulas.noun(be)} as {named_value(step.name)}"
    return f"{name}: {words.formulas.noun(be)}" if step.title else f"work out {name}: {words.formulas.noun(be)}"


# --- dice, and what is decided ----------------------------------------------------------------------------------------

_ON = {
    "<=": "{} or less", ">=": "{} or more", "==": "{}", "!=": "anything but {}", "<": "less than {}",
    ">": "more than {}",
}  # fmt: skip


@_clause(rules.Throw)
def _throws(words: StepWords, step: rules.Throw) -> str:
    many = words.formula_says(step.many) if step.many else ""
    dice = []
    for name, faces in step.dice.items():
        title, (times, die) = lowered_clause(step.title(name)), multiplied(words.folded(faces))
        only = f" if {words.formulas.condition(die)}" if die.kind in HOLDING else ""
        die = Node("number", times) if only else words.folded(faces)
        dice.append(f"{_die(words, die, many)} for {title if title.startswith('the ') else f'the {title}'}{only}")
    rolled = f"roll {joined_words(dice)}"
    if step.counts:
        shown = [f"the {face}s ({plain_name(name)})" for name, face in step.counts.items()]
        rolled = f"{rolled} and count {joined_words(shown)}"
    kept, which = words.formula_says(step.keep) if step.keep else "", "lowest" if step.lowest else "highest"
    counts = f"; the {which} counts" if kept == "1" else f"; the {kept} {which} count" if kept else ""
    aces = "; a die at its highest is rolled again and added" if step.aces else ""
    return f"{rolled}{counts}{aces}" + (f", no further than {words.formula_says(step.most)}" if step.most else "")


def _die(words: StepWords, faces: Node, many: str) -> str:
    """Return a die with its faces, or so many of them."""
    if faces.kind == "number":
        die = f"d{faces.about}"
        return f"{many}{die}" if not many or many.isdigit() else f"as many {die} as {many}"
    if faces.kind == "faces":
        die = words.formulas.number_name(str(faces.about))
    else:
        die = f"a die with as many faces as {words.formulas.noun(faces)}"
    return f"{many} times {die}" if many else die


def _rolls(words: StepWords, dice: Node) -> str:
    if dice.kind == "sixes":
        return f"roll {words.formulas.noun(dice.parts[0])} dice and count the sixes"
    if dice.kind == "highest":
        return f"roll {words.formulas.noun(dice._replace(kind='sum'))} and take the highest"
    return f"roll {words.formulas.noun(dice)}"


@_clause(rules.RollFor)
def _roll_for(words: StepWords, step: rules.RollFor) -> str:
    bodies = ((result, words.body(does)) for result, does in step.results.items())
    results = "; ".join(f"on {span_figures(result)}, {body}" for result, body in bodies if body)
    dice = words.folded(step.dice)
    begins = "by the degrees" if dice == Node("name", "degrees") else _rolls(words, dice)
    return f"{begins}: {results}" if results else begins


@_clause(rules.When)
def _when(words: StepWords, step: rules.When) -> Said:
    return _either(words, words.folded(step.holds), words.body(step.then), words.body(step.otherwise))


def _either(words: StepWords, holds: Node, then: str, otherwise: str) -> Said:
    if not then:
        holds, then, otherwise = words.formulas.folded(Node("not", None, (holds,))), otherwise, ""
    if not then:
        return Said("")
    lead = _rolled_lead(words, holds) or words.formulas.lead(holds)
    more = (f"Otherwise, {otherwise}",) if otherwise else ()
    return Said(led(lead, in_one(then)), more, has_otherwise=bool(otherwise))


def _rolled_lead(words: StepWords, holds: Node) -> str:
    """Return a condition on dice that are rolled for it: `roll d20: on 15 or more`."""
    left = holds.parts[0] if len(holds.parts) == 2 else holds
    if holds.kind not in _ON or not any(node.kind == "dice" for node in left.walk()):
        return ""
    return f"roll {words.formulas.within(left)}: on {_ON[holds.kind].format(words.formulas.noun(holds.parts[1]))}"


@_clause(rules.Check)
def _check(words: StepWords, check: rules.Check) -> Said:
    bound, sure = _check_bound(words, check)
    less = Node("dice", Dice(check.die.count, check.die.faces)), Node("number", 1)
    rolled = Node("-", None, less) if check.die.plus == -1 else Node("dice", check.die)
    if check.adds is not None:
        rolled = Node("+", None, (rolled, words.folded(check.adds)))
    die = words.formulas.noun(rolled)
    if check.degrees is not None:
        degrees, by = words.folded(check.degrees), words.formula_says(check.degrees)
        if degrees.kind in HOLDING:
            sure += f"; 1 degree if {words.formulas.condition(degrees)}"
        elif names_roll(check.degrees):
            sure += f"; the degrees are {by}"
        else:
            sure += f"; each {'point' if by == '1' else f'{by} points'} of difference is a degree"
    head = f"make {article(check.name)} {check.name} check: {die}" if check.name else f"roll {die}"
    sides = (("On a success", words.body(check.passes)), ("On a failure", words.body(check.fails)))
    return Said(f"{head}, {bound}{sure}", tuple(led(how, in_one(body)) for how, body in sides if body))


def _check_bound(words: StepWords, check: rules.Check) -> tuple[str, str]:
    aims = ((check.at_most, "{} or less"), (check.at_least, "{} or more"), (check.over, "over {}"))
    aim = next((says.format(words.formulas.within(words.folded(to))) for to, says in aims if to is not None), "")
    alone = "" if check.adds is None else f" on the {'die' if check.die.count == 1 else 'dice'}"
    both = zip(rules.automatic_results(check, words.system.head.procedure), ("succeeds", "fails"), strict=True)
    sure = [f"{span_figures(at)}{alone} always {how}" for at, how in both if at]
    return aim.removesuffix(","), f" ({', '.join(sure)})" if sure else ""


@_clause(rules.AsLong)
def _as_long(words: StepWords, step: rules.AsLong) -> Said:
    holds = words.folded(step.holds)
    most = f", {words.formula_says(step.most)} times in all" if step.most else ""
    while_so = "" if holds.kind == "number" else f" as long as {words.formulas.condition(holds)}"
    return Said(words.body(step.do_), (f"Do this again{while_so}{most}{' at most' if most and while_so else ''}",))


@_clause(rules.Loop)
def _loop(words: StepWords, step: rules.Loop) -> Said:
    often, body = words.often(words.folded(step.times)).strip(", "), words.body(step.do_)
    if ". " in body:
        return Said(body, (f"Do this {often} in all",))
    return Said(f"do this {often}: {body}" if body else "")


# --- tables, cards, conditions and time ------------------------------------------------------------------------------


@_clause(rules.LookUp)
def _look_up(words: StepWords, step: rules.LookUp) -> str:
    table = words.system.table(step.table) if step.table else None
    title, on = table.title if table else "", f"on {table.title}" if table else ""
    if step.aimed:
        on = f"on the table for {words.formulas.name(step.aimed)}" + (f" ({title} if it has none)" if title else "")
    by = words.folded(step.by) if step.by is not None else None
    if by is None:
        lead = f"roll {table.roll.spoken}" if table and table.roll else "roll"
    elif any(node.kind == "dice" for node in by.walk()):
        lead = f"roll {words.formulas.within(by)}"
    else:
        row = by.kind == "number"
        lead, on = (
            f"{'take row' if row else 'look up'} {words.formulas.within(by)}",
            f"of {title}" if row and title else on,
        )
    many = words.often(words.folded(step.times)) if step.times is not None else ""
    column = ""
    if step.column:
        node = words.folded(step.column)
        named = table.columns.get(str(node.about)) if table and node.kind in ("word", "name") else None
        column = f", column {named.title if named else f'for {words.formulas.noun(node)}'}"
    but = f", again on {' or '.join(map(span_figures, step.but))}" if step.but else ""
    twice, many = (many, "") if many == " twice" else ("", many)
    return f"{lead}{twice} {on}{column}{many}{but}"


@_clause(rules.DrawCard)
def _draws(words: StepWords, step: rules.DrawCard) -> str:
    many = "1" if step.cards is None else words.formula_says(step.cards)
    cards, them = ("a card", "it") if many == "1" else (f"{'that many' if ' ' in many else many} cards", "them")
    face = f" and read {them} for {words.formula_says(step.face)}" if step.face else ""
    each, then, keeps = words.body(step.each), words.body(step.then), ""
    each = f"; as {'it' if many == '1' else 'each'} is drawn, {each}" if each else ""
    kept = words.formula_says(step.keep) if step.keep is not None else many
    if step.keep is not None:
        ones = "one" if kept == "1" else kept
        keeps = f"; keep the {ones} you choose"
        if step.best is not None:
            best = words.folded(step.best)
            lowest = best.kind == "minus"
            by = words.formulas.noun(best.parts[0] if lowest else best)
            by = by.removeprefix("the card\N{RIGHT SINGLE QUOTATION MARK}s ")
            keeps = f"; keep the {ones} with the {'lowest' if lowest else 'highest'} {by}"
    then = f"; with {'it' if kept == '1' else 'each'}, {then}" if then else ""
    return f"draw {cards} from {words.system.piles[step.deck].title}{face}{each}{keeps}{then}"


@_clause(rules.Suffer)
def _suffer(words: StepWords, effect: rules.Suffer) -> str | None:
    if effect.after or effect.where is not None or effect.begins != "now":
        return None
    condition = words.system.head.conditions[effect.condition]
    detail = f" ({words.formula_says(effect.detail)})" if effect.detail is not None else ""
    until = f"{detail} {words.lasting(effect.until)}".rstrip()
    if effect.levels is not None or (condition.levels and condition.again in (None, "level") and condition.name):
        levels = words.folded(effect.levels) if effect.levels is not None else ONE
        return f"gain {words.amount(levels, 'level', f' of {condition.name or effect.condition}')}{until}"
    plain = str(words.formulas.having(effect.condition))
    if not condition.name and not (condition.brief and is_state(condition.brief)):
        plain = lowered_clause(without_stop(condition.says))
    return plain if until and plain.endswith(until) else f"{plain}{until}"


@_clause(rules.End)
def _ends(words: StepWords, step: rules.End) -> str:
    formulas, name, there = words.formulas, step.condition or step.group, " there" if step.here else ""
    if step.coming:
        return f"{formulas.condition_name(step.coming)} does not come after all"
    if name is None:
        endings = step.ending if isinstance(step.ending, tuple) else (step.ending,)
        words_of_ends = (each or words.event for each in endings)
        lasts = " or ".join(words.lasting(rules.Until.parse(each, own=True)) for each in words_of_ends if each)
        title = f"what lasts {lasts or 'until this'}{there}"
        title += f" and comes from {words.formula_says(step.card)}" if step.card is not None else ""
    else:
        title = formulas.condition_name(name) + there
    if step.levels is not None:
        return f"lose {words.amount(words.folded(step.levels), 'level', f' of {title}')}"
    if name and step.chosen is not None:
        return f"the {title} you choose ends"
    if name and name not in words.system.head.conditions:
        return f"every {title} ends"
    having = formulas.having(name) if name else None
    return f"you are no longer {having.rest}{there}" if having and having.verb == "are" else f"{title} ends"


@_clause(rules.Shorten)
def _shorten(words: StepWords, step: rules.Shorten) -> str:
    name = words.formulas.condition_name(step.of)
    longest = name if step.of in words.system.head.conditions else f"longest {name}"
    which = f"every {name}" if step.every else f"the {name} you choose" if step.chosen else f"the {longest}"
    rest = "; carry what is left over to the next" if step.rest == "next" else ""
    return f"take {words.amount(words.folded(step.by), step.unit)} off {which}{rest}"
