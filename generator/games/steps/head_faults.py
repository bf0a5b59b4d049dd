"""Faults of `system.yaml` that types cannot tell: numbers, time, conditions, how states are written, and events."""

from collections.abc import Iterator

from generator.base.cards import RANKS, rank_of, suit_of
from generator.base.errors import did_you_mean
from generator.games.content_face import Fault, known
from generator.games.steps.definitions import Definitions, ends_conditions
from generator.games.steps.events import passes_time
from generator.games.steps.formula_faults import formula_faults, need_faults, telling_faults
from generator.games.steps.kinds.saves import automatic_faults
from generator.games.steps.leads import changed_numbers, led_to
from generator.games.steps.system_views import kept_piles, state_keys
from generator.model import rules
from generator.model.formulas import ROLLING_NODES, Formula
from generator.model.procedures import StateKey
from generator.model.taken_names import ARGUMENTS, CONDITIONS, EVENTS, LISTS, VALUES, taken_by
from generator.pack.strict_yaml import Trail
from generator.words.quoting import quoted_names

_LISTS = LISTS.keys() - {"conditions"}
_OF_EFFECTS = ("side", "hands")
"""Arguments that effects ask for by themselves: which side is hit, and whether both hands hold what falls."""
_IN_EVERY_ANSWER = ("rows", "cards", "conditions", "numbers", "policy", "better")


_OF_ONE_EVENT = "it is reset in each event, so that nobody can share it: take out temporary"


def head_faults(pack: Definitions, table_events: tuple[str, ...]) -> Iterator[Fault]:
    """Yield the faults of the head but those of steps."""
    system, head, procedure = pack.system, pack.system.head, pack.system.steps
    if not (head.events or system.tables or system.piles):
        yield (), 'the key "events" is missing: say what may happen, such as an event rest: pass a round'
    yield from _name_faults(pack)
    yield from _number_faults(pack)
    yield from _effect_event_faults(pack)
    yield from _pile_faults(pack)
    yield from _time_faults(pack)
    for at, watch in enumerate(head.watches):
        yield from formula_faults(pack, watch.holds, ("watches", at, "holds"))
    causes = (*table_events, "time", "any", "save", *sorted(pack.named("cause")))
    for name, condition in head.conditions.items():
        yield from _condition_faults(pack, condition, ("conditions", name))
        for cause in condition.ends:
            if cause not in causes:
                hint = did_you_mean(cause, causes)
                yield ("conditions", name, "ends", cause), f'nothing ends it by "{cause}"{hint}'
    for name, question in head.questions.items():
        yield from _question_faults(pack, name, question)
    for at, block in enumerate(head.cards):
        if block.badge is not None:
            yield from formula_faults(pack, block.badge.number, ("cards", at, "badge", "number"))
    for at, telling in enumerate(procedure.log):
        yield from telling_faults(pack, telling, ("procedure", "log", at))
    for at, need in enumerate(procedure.sound):
        yield from need_faults(pack, need, ("procedure", "sound", at))
    yield from automatic_faults(system)
    yield from _sheet_faults(pack)
    yield from _state_faults(pack)
    yield from _events_faults(pack)


def _name_faults(pack: Definitions) -> Iterator[Fault]:
    """Yield names in the head that something else has already."""
    head, own = pack.system.head, pack.system.steps
    for key in ("constants", "numbers", "words", "piles"):
        for name in getattr(own, key):
            if reason := taken_by(name, VALUES) or pack.own_name(name, but=key):
                yield ("procedure", key, name), reason
    called = {key: part.name for key, part in head.parts.items()}
    for key, words in own.words.items():
        for word, name in words.of.items() if isinstance(words.of, dict) else ():
            if (before := called.setdefault(word, name)) != name:
                yield (
                    ("procedure", "words", key, "of", word),
                    f'"{word}" is called "{before}" already: a word has one name',
                )
    # Formulas name conditions and switches too.
    for name in head.conditions:
        if reason := taken_by(name, CONDITIONS) or pack.own_name(name):
            yield ("conditions", name), reason
        if own.by_card and name in rules.LEFT:
            yield ("conditions", name), f'"{name}" is what effects leave: choose another name'
    for at, ruling in enumerate(head.rulings):
        name = ruling.switch.name if ruling.switch else ""
        both = f'"{name}" is taken already, by a condition: choose another name' if name in head.conditions else ""
        if reason := pack.own_name(name) or both:
            yield ("rulings", at, "switch", "name"), reason


def _number_faults(pack: Definitions) -> Iterator[Fault]:
    """Yield ranks without a score, constants out of their bounds, bounds and hidden numbers that nothing reveals."""
    procedure = pack.system.steps
    for rank in procedure.scores:
        yield from known(rank, RANKS, "rank", ("procedure", "scores", rank))
    if "score" in pack.card_fields:
        cards = [card for deck in pack.system.piles.values() for card in deck.cards if suit_of(card.code)]
        ranks = {rank_of(card.code) for card in cards if card.score is None}
        for rank in (rank for rank in RANKS if rank in ranks and not rank.isdigit() and rank not in procedure.scores):
            yield ("procedure", "scores"), f"the score of the rank {rank} is missing"
    constants = procedure.constants
    for name, bounds in procedure.bounds.items():
        yield from known(name, constants, "constant", ("procedure", "bounds", name))
        if name in constants and constants[name] not in bounds:
            message = f"{constants[name]} is out of range: write a whole number {bounds}"
            yield ("procedure", "constants", name), message
    revealed = pack.named("hidden number")
    for name, own in procedure.numbers.items():
        for key, bound in (("least", own.least), ("most", own.most)):
            yield from formula_faults(pack, bound, ("procedure", "numbers", name, key))
        if own.shared and own.temporary:
            yield ("procedure", "numbers", name, "shared"), _OF_ONE_EVENT
        if own.hidden and name not in revealed:
            yield ("procedure", "numbers", name, "hidden"), f"nothing reveals it: add reveal {name}"


def _effect_event_faults(pack: Definitions) -> Iterator[Fault]:
    """Yield effects that are events and lack what these take."""
    procedure, events = pack.system.steps, pack.system.head.events
    yield from formula_faults(pack, procedure.recovers, ("procedure", "recovers"))
    for do, name in procedure.plays.items():
        keys = rules.DRAWING[do].__struct_fields__
        for key, argument in events[name].takes.items() if name in events else ():
            own = key.removeprefix(f"{do}_")
            if own not in keys and argument.default is None and not (argument.optional or argument.flag):
                where: Trail = ("procedure", "plays", do)
                yield where, f"{name} takes {key}, and {do} has {', '.join(keys) or 'no keys'}"


def _pile_faults(pack: Definitions) -> Iterator[Fault]:
    for name, pile in pack.system.steps.piles.items():
        if pile.shared and pile.temporary:
            yield ("procedure", "piles", name, "shared"), _OF_ONE_EVENT
        if pile.worth == "card":
            yield ("procedure", "piles", name, "worth"), '"card" is which card it is: choose another name'
        if pile.usual and (pile.most != 1 or pile.usual == name or pile.usual not in kept_piles(pack.system)):
            message = "only a pile with `most: 1` has the newest card of another one that is kept"
            yield ("procedure", "piles", name, "usual"), message
        yield from formula_faults(pack, pile.unless, ("procedure", "piles", name, "unless"))


def _time_faults(pack: Definitions) -> Iterator[Fault]:
    """Yield units of time that are as long as others, and faults of the clock."""
    system, procedure = pack.system, pack.system.steps
    lengths = {system.unit_length(unit): unit for unit in rules.UNITS}
    for name in procedure.units:
        same = lengths.setdefault(system.unit_length(name), name)
        if name in rules.UNITS:
            yield ("procedure", "units", name), f"{name} is a unit of time already: choose another name"
        elif same != name:
            yield ("procedure", "units", name), f"{name} is as long as {same}: use that one"
    for unit, tick in procedure.clock.items():
        if tick.counts:
            yield from known(tick.counts, procedure.numbers, "number", ("procedure", "clock", unit, "counts"))
        yield from formula_faults(pack, tick.stops, ("procedure", "clock", unit, "stops"))


def _condition_faults(pack: Definitions, condition: rules.Condition, trail: Trail) -> Iterator[Fault]:
    yield from formula_faults(pack, condition.runs, (*trail, "runs"))
    yield from formula_faults(pack, condition.while_, (*trail, "while"))
    yield from _luck_faults(pack, condition.while_, (*trail, "while"))
    if condition.while_ and (trail[1] in pack.system.head.events or trail[1] in rules.LASTING):
        yield trail, f"{trail[1]} ends other conditions: give this one another name, for nothing ends it but its while"
    if condition.again in ("level", "here") and not condition.levels:
        message = f"again: {condition.again} raises its level, and it has no levels: say how many with levels"
        yield (*trail, "again"), message
    if any(after.formula for after in condition.chances):
        yield (*trail, "chances"), "write a span with dice, such as 1d6 days, and no formula"


def _question_faults(pack: Definitions, name: str, question: rules.Question) -> Iterator[Fault]:
    trail: Trail = ("questions", name)
    events = pack.system.head.events
    if name in events:
        yield trail, f'"{name}" is an event already: call the question something else'
    if question.event in events:
        takes = events[question.event].takes.items()
        numbers = [key for key, argument in takes if not (argument.of or argument.name)]
        yield from known(question.each, numbers, f"number that {question.event} takes", (*trail, "each"))
    yield from formula_faults(pack, question.counts, (*trail, "counts"))


# --- how states are written ------------------------------------------------------------------------------------------


def _sheet_faults(pack: Definitions) -> Iterator[Fault]:
    """Yield faults of the line, the sheet, and the numbers of newcomers."""
    procedure = pack.system.steps
    keys = {*procedure.numbers, *procedure.words, *kept_piles(pack.system), *_LISTS}
    keys |= {key.key for key in procedure.state} if procedure.state else {"conditions"}
    keys |= {*procedure.sheet}
    for at, text in enumerate(procedure.line):
        for name in quoted_names(text) if "{" in text else [text]:
            yield from known(name, keys, "key of a state", ("procedure", "line", at))
    for name, figure in procedure.sheet.items():
        yield from formula_faults(pack, figure.be, ("procedure", "sheet", name, "be"))
    for name, of in procedure.joins.items():
        yield from known(of, (*procedure.numbers, *procedure.words), "number or word", ("procedure", "joins", name))


def _state_faults(pack: Definitions) -> Iterator[Fault]:
    system, procedure = pack.system, pack.system.steps
    keys: set[str] = set()
    for at, key in enumerate(procedure.state):
        trail: Trail = ("procedure", "state", at)
        if key.key in keys:
            yield (*trail, "key"), f'"{key.key}" stands here twice'
        keys.add(key.key)
        yield from _key_faults(pack, key, trail)
    if procedure.state and "any" not in state_keys(system):
        sample = "{key: conditions, of: any, fields: {condition: condition, until: until}}"
        yield ("procedure", "state"), f"some conditions would appear nowhere: add {sample}"


def _key_faults(pack: Definitions, key: StateKey, trail: Trail) -> Iterator[Fault]:
    system, conditions = pack.system, pack.system.head.conditions
    plain = {*system.kept_numbers, *system.steps.words, *kept_piles(system), *_LISTS}
    if key.be is not None:
        yield from formula_faults(pack, key.be, (*trail, "be"))
        yield from known(key.sets, system.kept_numbers, "number", (*trail, "sets")) if key.sets else ()
        return
    if key.of is None:
        yield from known(key.key, plain, "number, word or list of a state", (*trail, "key"))
        return
    if key.key in plain or (key.key in conditions and key.key != key.of):
        yield (*trail, "key"), f'"{key.key}" is taken already: choose another name'
    yield from known(key.of, {*pack.own_groups, "any", "permanent"}, "condition or group", (*trail, "of"))
    if key.form != "list" and key.of not in conditions:
        yield (*trail, "of"), "only a list may hold more than one condition: name one, or leave as out"
    if key.form in ("flag", "span") and key.fields:
        yield (*trail, "fields"), "yes or no has no fields: leave them out"
    if key.form == "list" and not {"condition", "row"} & {*key.fields.values()}:
        yield trail, "the fields say which it is: write fields: {condition: condition}"


# --- events ----------------------------------------------------------------------------------------------------------


def _events_faults(pack: Definitions) -> Iterator[Fault]:
    for name, event in pack.system.head.events.items():
        trail: Trail = ("events", name)
        yield from _event_name_faults(pack, name, event, trail)
        for key, argument in event.takes.items():
            yield from _argument_faults(pack, key, argument, (*trail, "takes", key))
        yield from _given_faults(pack, event, trail)
        changed = changed_numbers((each for _, each in rules.walk_effects(event.do_)), pack.system)
        shared = next((each for each in pack.system.steps.shared if each in changed), "")
        if shared and passes_time(name, pack.system):
            message = f"time passes for each character, and there is one {shared} for all: let another event change it"
            yield (*trail, "do"), message
        for at, need in enumerate(event.needs):
            yield from need_faults(pack, need, (*trail, "needs", at))
        yield from formula_faults(pack, event.better, (*trail, "better"))
        yield from _luck_faults(pack, event.better, (*trail, "better"))
        for spread in event.spreads:
            yield from known(spread, pack.system.kept_numbers, "number", (*trail, "spreads"))
        for key, formula in (*event.odds.items(), *event.aside.items()):
            if key in _IN_EVERY_ANSWER:
                yield (*trail, "odds", key), f'"{key}" is in every answer already: choose another name'
            yield from formula_faults(pack, formula, (*trail, "odds", key))
        if name in pack.unended and not ends_conditions(event.do_):
            cure = f"add end all until {name}, or end NAME for each, here or in a watch"
            yield (*trail, "do"), f"conditions last until {name}, and no step of it ends them: {cure}"


def _event_name_faults(pack: Definitions, name: str, event: rules.Happening, trail: Trail) -> Iterator[Fault]:
    if not event.do_:
        yield trail, "the event has no steps: write what happens, such as pass a round"
    if reason := taken_by(name, EVENTS):
        yield trail, reason
    if event.helper and event.alone:
        yield (*trail, "helper"), "an event for odds only never happens: leave one of the two out"
    elif (
        event.helper
        and name not in pack.called
        and not any(name in led_to(each, "others", pack.system) for each in pack.effects)
    ):
        message = f"nothing calls {name}, and nobody types it: call it, or leave out for other events only"
        yield (*trail, "helper"), message


def _argument_faults(pack: Definitions, name: str, argument: rules.Argument, trail: Trail) -> Iterator[Fault]:
    if reason := taken_by(name, ARGUMENTS) or pack.own_name(name):
        yield trail, reason
    if pack.used is not None and name not in pack.used and name not in _OF_EFFECTS:
        yield trail, f"nothing uses {name}: take it out, or name it in a formula"
    if argument.one_of:
        yield from known(argument.one_of, pack.system.steps.aims, "list of kinds", (*trail, "one_of"))
    if argument.name and (argument.of or argument.one_of):
        yield (*trail, "name"), "it takes any name, or one of some words: leave one of the two out"
    if sum((argument.name, argument.flag, argument.die, argument.card)) > 1 or (argument.flag and argument.of):
        yield trail, "give one of name, flag, die and card"
    if argument.least > argument.most:
        yield (*trail, "least"), f"{argument.least:,} is more than the most, {argument.most:,}"
    yield from formula_faults(pack, argument.default, (*trail, "default"))
    yield from formula_faults(pack, argument.when, (*trail, "when"))


def _given_faults(pack: Definitions, event: rules.Happening, trail: Trail) -> Iterator[Fault]:
    """Yield what an event gives to those who call it and does not name."""
    names = {name for _, effect in rules.walk_effects(event.do_) for name in rules.given_names(effect)}
    names.update(name for called in pack.called_by(event.do_) for name in called.gives)
    for at, name in enumerate(event.gives):
        yield from known(name, names, "name from let or throw", (*trail, "gives", at))


def _luck_faults(pack: Definitions, formula: Formula | None, trail: Trail) -> Iterator[Fault]:
    """Yield a formula without luck that asks for it: what is better, and while what a condition is held."""
    dice = {name for name, constant in pack.system.steps.constants.items() if not constant.is_number}
    nodes = formula.walk() if formula else ()
    if any(node.kind in ROLLING_NODES or node.about in dice for node in nodes):
        yield trail, f'"{formula}": this is figured without dice'
