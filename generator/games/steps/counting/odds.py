"""Exact chances under steps of the author's: what a question asks of an event, and how likely that is afterwards.

How it is counted, with an example: docs/dev/counting.md. The witness is `tests/games/test_counter.py`: plain replay of
every way, which has to come to the same fractions.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from fractions import Fraction
from typing import Any, NamedTuple, TypeVar

from generator.games.in_a_row import MAX_HITS_IN_A_ROW, MAX_VALUES, Found
from generator.games.steps.counting import declared, kinds  # noqa: F401 - they register how steps are counted
from generator.games.steps.counting.compile import CompiledEvent
from generator.games.steps.counting.distribution import Distribution, Sample, State
from generator.games.steps.counting.keys import DEAD, NONE, ORIGIN, Drawn, KeySet, Met, News, Number, Suffered
from generator.games.steps.counting.run import ShuffledError
from generator.games.steps.definitions import Definitions
from generator.games.steps.engine import EventRun
from generator.games.steps.events import Asking, StepsEvent
from generator.games.steps.leads import changed_numbers, items
from generator.games.steps.state import StepsState
from generator.model import rules
from generator.model.formulas import Formula
from generator.model.rules import System, Table, per_system
from generator.play.chance import Policy, Seeded
from generator.play.every_way import MAX_WORK, TOO_MUCH, TooMuchWorkError, spend_once, work_budget, work_left
from generator.play.piles import all_names, card_of

MAX_TOGETHER = 55_000
"""So much work is spent on counting all that is asked at once; beyond it each thing is counted by itself."""

MAX_LED_TO = 100_000
"""So much work may it take to see what an event leads to, which every question asks and none pays for."""

FEWER_PLAYS = (10, 30, 100, 300, 1_000, 3_000, 10_000, 30_000)
"""So many plays are tried first where work is bounded."""


class Told(NamedTuple):
    """A formula, by its name, that may hold afterwards."""

    name: str
    formula: Formula


class Living(NamedTuple):
    """The values of a number among those who live on."""

    number: str


Ask = Told | Living | Number | News
"""A question about an event: a formula, a number's values, or what may come about."""
Shares = dict[Any, Fraction]
Counted = TypeVar("Counted")


def count_event(
    system: System,
    state: StepsState,
    event: StepsEvent,
    formulas: Mapping[str, Formula],
    policy: Policy = "",
    sample: Sample | None = None,
    *,
    alone: bool = False,
) -> Found:
    """Return the chances of an event: of what the formulas name and, unless these are `alone`, of what it lists.

    With a sample, it is played so many times. Raises TooMuchWorkError for what is too large.
    """
    happening = system.head.events[event.name]
    lists = set() if alone else {*happening.lists}
    suffering = _suffering(system) if "conditions" in lists else {}
    drawn = [Drawn(name) for name in dict.fromkeys(all_names(system))] if "cards" in lists else []
    named = [Told(name, formula) for name, formula in formulas.items()]
    asks: list[Ask] = [*named, *(map(Number, system.kept_numbers) if "numbers" in lists else ())]
    spreads = () if alone else tuple(happening.spreads)
    asks += map(Living, spreads)
    if lists & {"rows", "names"}:
        tables = [table for table in system.tables if happening.table in (None, table.id)]
        asks += [Met(table.id, label) for table in tables for label in _labels(table)]
    # Most steps matter to other questions than which cards are drawn.
    groups = [[*asks, *(item for item in suffering.values() if isinstance(item, Suffered))]]
    groups.append([*(item for item in suffering.values() if isinstance(item, Drawn)), *drawn])
    groups = groups if sample is None else [[*asks, *suffering.values(), *drawn]]
    shares: dict[Ask, Shares] = {}
    while groups:
        group = groups.pop()
        formulas_asked: list[Ask] = [ask for ask in group if isinstance(ask, Told)]
        most = MAX_WORK // 2 if len(formulas_asked) == len(group) else MAX_TOGETHER
        try:
            with work_budget(most if len(group) > 1 and sample is None else MAX_WORK):
                shares |= _count(system, state, event, group, policy, sample)
        except TooMuchWorkError:
            if sample is not None or len(group) == 1:
                raise
            # Formulas mostly ask the same; each of the others makes more states.
            several = len(formulas_asked) not in (0, len(group))
            groups += [formulas_asked] if several else [[ask] for ask in formulas_asked]
            groups += [[ask] for ask in group if not isinstance(ask, Told)]
    some = {ask: each.get(1, Fraction(0)) for ask, each in shares.items() if not isinstance(ask, Number | Living)}
    answer = Found({ask.name: some[ask] for ask in named})
    for table in system.tables:
        rows = {label: some.get(Met(table.id, label), Fraction(0)) for label in _labels(table)}
        if any(rows.values()):
            answer.rows[table.id] = rows
    answer.conditions = {name: some[item] for name, item in suffering.items() if some.get(item)}
    answer.cards = {item.name: some[item] for item in drawn if some.get(item)}
    for name in system.kept_numbers:
        values = shares.get(Number(name), {})
        if values and values.keys() != {state.values[name]} and len(values) <= MAX_VALUES:
            answer.numbers[name] = {value: values[value] for value in sorted(v for v in values if isinstance(v, int))}
    answer.spreads = {name: dict(sorted(shares[Living(name)].items())) for name in spreads}
    return answer


def _count(
    system: System,
    state: StepsState,
    event: StepsEvent,
    asks: Sequence[Ask],
    policy: Policy,
    sample: Sample | None = None,
) -> dict[Ask, Shares]:
    """Return the shares of each thing asked, by what it may be."""
    if not asks:
        return {}
    named = [ask for ask in asks if isinstance(ask, Told)]
    numbers = [ask for ask in asks if isinstance(ask, Number)]
    tallied = frozenset(ask for ask in asks if isinstance(ask, News))
    living = [ask for ask in asks if isinstance(ask, Living)]
    after = frozenset((*numbers, *(Number(ask.number) for ask in living)))

    def ran(*, apart: bool) -> tuple[CompiledEvent, Distribution]:
        with work_budget(own=True) if sample else nullcontext():
            how: dict[str, Any] = {"apart": apart, "policy": policy}
            formulas = tuple(ask.formula for ask in named)
            compiled = _compiled(system, [state], event.name, after, tallied, formulas, **how)
        return compiled, compiled.happens(compiled.start([state], dict(event.said), sample))

    compiled, states = told_apart(ran)
    shares: dict[Ask, Shares] = {ask: {} for ask in asks if ask not in tallied}
    for each in living:
        _add(shares[each], compiled.slots.numbers[each.number], states.ways, states.total)
    for total, ways in ((states.total, states.ways), *compiled.run.dead.items()):
        for number in numbers:
            _add(shares[number], compiled.slots.numbers[number.name], ways, total)
        for ask, value_of in zip(named, compiled.told, strict=True):
            share = Fraction(sum(count for after_it, count in ways.items() if value_of(after_it)), total)
            shares[ask][1] = shares[ask].get(1, Fraction(0)) + share
    return shares | {item: {1: share} for item, share in compiled.run.tallied_shares().items()}


def _add(shares: Shares, slot: int, ways: Mapping[State, int], total: int) -> None:
    """Add the shares of the values in a slot."""
    values = Counter[Any]()
    for state, count in ways.items():
        values[state[slot]] += count
    for value, count in values.items():
        shares[value] = shares.get(value, Fraction(0)) + Fraction(count, total)


def _compiled(
    system: System,
    states: Sequence[StepsState],
    event: str,
    after: KeySet,
    tallied: KeySet = NONE,
    told: tuple[Formula, ...] = (),
    *,
    again: bool = False,
    apart: bool = False,
    policy: Policy = "",
) -> CompiledEvent:
    """Return an event made ready for a question: once, for charts ask many times."""
    unknown = tuple(name for name in _unchanged(system) if all(state.values[name] is None for state in states))
    key = event, after, tallied, told, again, apart, policy, unknown
    if new := key not in system.ready:
        try:
            system.ready[key] = CompiledEvent(
                system, event, after, tallied, told, again=again, apart=apart, policy=policy, unknown=unknown
            )
        except RecursionError:
            # Steps are looked through from within those that lead to them: Python's limit comes before one of ours.
            raise TooMuchWorkError(TOO_MUCH) from None
    compiled: CompiledEvent = system.ready[key]
    spend_once(compiled, compiled.live.work, spent=new)
    return compiled


@per_system
def _unchanged(system: System) -> list[str]:
    """Return the numbers that no step changes."""
    changed = changed_numbers(Definitions(system).effects, system)
    return [name for name in system.kept_numbers if name not in changed]


def _labels(table: Table) -> list[str]:
    return [str(row.at) if row.at else row.name or "" for row in table.rows]


def deadly_event(system: System, state: StepsState, event: str) -> CompiledEvent:
    """Return an event made ready for the question who is dead: its effects are all that it may lead to."""
    with work_budget(MAX_LED_TO, own=True):
        return _compiled(system, [state], event, NONE, told=(Formula("dead"),))


def told_apart(count: Callable[..., Counted]) -> Counted:
    """Return what is counted without telling cards apart; where a deck is shuffled, with."""
    try:
        return count(apart=False)
    except ShuffledError:
        return count(apart=True)


def kills(system: System, state: StepsState, event: str) -> bool:
    """Return whether an event may lead to a death."""
    return any(effect.kills for effect in deadly_event(system, state, event).effects)


def named_formulas(system: System, state: StepsState, event: str) -> dict[str, Formula]:
    """Return what an answer names, and when it holds: what the author counts, and death wherever it may happen."""
    happening = system.head.events[event]
    formulas = happening.odds | happening.aside
    if formulas and (any(str(formula) == "dead" for formula in formulas.values()) or not kills(system, state, event)):
        return formulas
    return formulas | {"dead": Formula("dead")}


def telling_number(system: System, state: StepsState, event: str, numbers: Iterable[str]) -> str | None:
    """Return one of those numbers that the odds of an event would tell, if there is any."""
    happening = system.head.events[event]
    told = (*happening.odds.values(), *happening.aside.values())
    compiled = _compiled(system, [state], event, frozenset({DEAD}), told=told)
    known = {item for each in compiled.effects for item in items(each, each.reads, system)}
    return next((name for name in numbers if ("number", name) in known or Number(name) in compiled.asks), None)


def _suffering(system: System) -> dict[str, News]:
    """Return what is tallied for each condition: where one card alone brings it, at once, that this card is drawn."""
    effects = list(system.all_effects())
    brings = Counter(each.condition for each in effects if isinstance(each, rules.Suffer))
    brings += Counter(each.lasts for each in effects if isinstance(each, rules.LookUp) and each.lasts)
    items: dict[str, News] = {name: Suffered(name) for name in system.head.conditions}
    draws = [each for each in effects if isinstance(each, rules.DrawCard)]
    if any(each.each or each.then or each.keep for each in draws) or any(isinstance(e, rules.Read) for e in effects):
        return items
    for name in all_names(system):
        card = card_of(name, system)
        for effect in card[1].effects if card else ():
            if isinstance(effect, rules.Suffer):
                at_once = effect.after is None and effect.where is None and effect.until.word != "again"
                if at_once and brings[effect.condition] == 1:
                    items[effect.condition] = Drawn(name)
                if system.head.conditions[effect.condition].implies:
                    break
            elif not isinstance(effect, rules.Raise | rules.Lower | rules.SetTo | rules.Let):
                # Who dies of it suffers no more.
                break
    return items


# --- several in a row ------------------------------------------------------------------------------------------------


def die_by(
    system: System,
    states: Sequence[StepsState],
    event: StepsEvent,
    times: int,
    policy: Policy = "",
    sample: Sample | None = None,
) -> list[tuple[Fraction, ...]]:
    """Return for each of some states the chance to be dead after 1, 2 ... such events.

    Raises HackjackError for what is too large to count. No time passes between them but what passes in them.
    """
    if times > MAX_HITS_IN_A_ROW and sample is None:
        raise TooMuchWorkError(f"--hits {times:,}: at most {MAX_HITS_IN_A_ROW} are counted; --simulate N plays more")
    return _come_about(system, states, [event] * times, Formula("dead"), policy, sample)


def in_turn(
    system: System, state: StepsState, asking: Asking, policy: Policy = "", sample: Sample | None = None
) -> tuple[Fraction, ...]:
    """Return the chance that it has come about for one such character, after each event in turn.

    Raises HackjackError for what is too large to count.
    """
    question = system.head.questions[asking.name]
    events = [StepsEvent(question.event, ((question.each, value),)) for value in asking.values]
    for event in events:
        # What cannot happen to those who are asked about is refused, wherever in the row it is.
        run = EventRun(system, state, Seeded(0))
        for need in run.takes(event).needs:
            run.check_need(need)
    return _come_about(system, [state], events, question.counts, policy, sample)[0]


def _come_about(
    system: System,
    characters: Sequence[StepsState],
    events: Sequence[StepsEvent],
    ends: Formula,
    policy: Policy,
    sample: Sample | None,
) -> list[tuple[Fraction, ...]]:
    """Return for each state the share of those who are dead or of whom a formula holds, after each event in turn.

    All states are counted as one distribution, in which each is known by its place.
    """

    def counted(*, apart: bool) -> list[tuple[Fraction, ...]]:
        several, names = len(events) > 1, frozenset({DEAD, *([ORIGIN] if len(characters) > 1 else [])})
        how: dict[str, Any] = {"told": (ends,), "apart": apart, "policy": policy}
        with work_budget(own=True) if sample else nullcontext():
            # Several in a row know what the next one can tell of a state; the last needs to know no more.
            compiled = _compiled(system, characters, events[0].name, names, again=several, **how)
            last = _compiled(system, characters, events[0].name, names, **how) if several else compiled
        states, shares = compiled.start(characters, dict(events[0].said), sample), []
        for place, event in enumerate(events):
            if place:
                here = last if place == len(events) - 1 else compiled
                states, compiled = here.again(states, dict(event.said), compiled), here
            _, states = compiled.happens(states).halves(compiled.told[0])
            spared, origin = [0] * len(characters), compiled.slots.index.get(ORIGIN)
            for after, count in states.ways.items():
                spared[0 if origin is None else after[origin]] += count
            shares.append([1 - Fraction(many, states.total) for many in spared])
        return [*zip(*shares, strict=True)]

    return told_apart(counted)


def played(count: Callable[[Sample], Counted], sample: Sample) -> tuple[Counted, int]:
    """Return what is counted of so many plays, or of as many as the budget of work pays for; and how many they are.

    Raises TooMuchWorkError where it pays for hardly any.
    """
    sizes = [each for each in FEWER_PLAYS if each < sample.plays] if work_left() is not None else []
    sizes.append(sample.plays)
    best: tuple[Counted, int] | None = None
    while sizes:
        plays, before = sizes[0], work_left()
        try:
            best = count(sample._replace(plays=plays)), plays
        except TooMuchWorkError:
            break
        left = work_left() or 0
        spent = (before or 0) - left
        # Twice as many plays never cost more than twice as much.
        paid = [many for many in sizes[1:] if many * spent <= plays * left]
        sizes = [many for many in sizes if paid and many >= paid[-1]]
    if best is None:
        raise TooMuchWorkError("this takes more dice, cards and steps than can be played: ask about fewer at a time")
    return best
