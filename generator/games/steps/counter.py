"""Exact chances under steps of the author's: one distribution passes through the steps of an event.

The problem. An event is a small program: it rolls dice, draws cards, looks rows up, makes somebody suffer conditions,
and calls other events. A question asks how likely something is once it is over. To run the engine once for every way
that luck may go gives the answer, and takes as many runs as there are ways: three cards of 52 are 132,600. Yet most
ways come to the same. A blow of 3 and 4 and one of 5 and 2 leave the same character, so what follows need be counted
once.

The idea. A distribution is a set of states, each with a whole number of ways, and one total for all of them. Each
step turns a distribution into another: it changes states, and those that become equal are added up; it branches by
luck; or it parts the states, lets some steps work on each part, and joins them again. Ways are divided by the total
at the very end, so that no fraction is figured on the way. What remains is to keep states few. Four things do that.

1. *Nothing is known that nobody asks* (`counter_steps`). Before anything is counted, the steps are looked through
   backwards. From what the question asks at the end follows what has to be known before the last step, and so on to
   the first: a set of keys, such as a number, a name of the event, or "how many injuries". A step that changes none
   of the keys asked after it vanishes with its dice. Events, tables, cards and conditions lead to each other in
   circles, so this is done again until nothing more is asked. Switches, and arguments that are the
   same in every state, are decided there and then, and the side of a `when` that cannot follow asks nothing. After
   each step, what nobody asks any more is taken out of the states, and those that become equal are one.
2. *Conditions are seen as they are asked about* (`HeldSight` in `counter_layout`). Where only "how many injuries" is
   asked, a broken rib and a burn are the same injury. Where time passes or something ends, conditions are what they
   are.
3. *A drawn card is a set of candidates* (`counter_cards`, `counter_drawing`). A card that nobody has looked at may
   be any card. When a step asks something of it, its set is cut: by what a formula makes of the card as a whole, not by
   all that it mentions. The ways of each piece follow from how many different cards can lie in all the sets at once.
   Cards whose effects nobody can tell apart are never cut, and one that is known for certain is simply gone from its
   deck.
4. *The engine says what a step means, once for all states that are alike for it*. Steps of which it is known what
   they ask and change are played on a bench made from just those keys, with every way of their own luck
   (`every_way`), and what came of it is remembered. So a step is never described twice; only what runs most often
   (numbers, names, `when`, calls, cards) works on states directly. A step that nobody has described asks everything
   and may change everything.

What an answer lists (rows met, conditions suffered, cards drawn) is tallied as it comes about, for the first time
only: "has it come about before?" is a key like any other, asked by the step that tallies, so it is carried only where
the same may come again. Where all that is asked at once makes too many states, each thing is counted by itself.

Several events in a row are the same distribution sent through again. What the event asks at its beginning is then
asked at its end, too, until both agree; the last of them is asked no more than one alone. The dead are counted and
leave. The characters of a chart are one distribution, in which each knows where it began.

What is too large to count is played out by the very same steps (`SampledSpread` in `counter_ways`): the states then
hold plays in place of ways. Where luck decides, each case takes the plays that it is sure of, and the few that are left
over fall by chance; plays that meet in a state go on as one. So nothing is said twice of how an event is played, and
100,000 plays cost no more than the states that they reach.

Work is counted in states that change, against the one budget of a question: no clock decides, and every machine
refuses the same. Looking through the steps is paid for by each question, also by those that find it done. The witness
is `tests/games/test_counter.py`: plain replay of every way, which has to come to the same fractions.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from fractions import Fraction
from typing import Any, TypeVar

from generator.games.in_a_row import MAX_HITS_IN_A_ROW, MAX_VALUES, Found
from generator.games.steps.checks import CONTENT
from generator.games.steps.counter_drawing import ShuffledError
from generator.games.steps.counter_formulas import NONE, Key, Keys, number_key
from generator.games.steps.counter_steps import Course
from generator.games.steps.counter_ways import Sample, Spread, State
from generator.games.steps.engine import EventRun
from generator.games.steps.events import Asking, StepsEvent
from generator.games.steps.leads import changed_numbers, items
from generator.games.steps.state import StepsState
from generator.model import rules
from generator.model.formulas import Formula
from generator.model.rules import System, Table
from generator.play.chance import Policy, Seeded
from generator.play.every_way import MAX_WORK, TooMuchWorkError, spend_once, work_budget, work_left
from generator.play.piles import all_names, card_of

MAX_TOGETHER = 55_000
"""So much work is spent on counting all that is asked at once; beyond it each thing is counted by itself."""

MAX_LED_TO = 100_000
"""So much work may it take to see what an event leads to, which every question asks and none pays for."""

FEWER_PLAYS = (10, 30, 100, 300, 1_000, 3_000, 10_000, 30_000)
"""So many plays are tried first where work is bounded."""

Ask = tuple[str, Any]
"""Something asked of an event: a formula by its name, a number's values, or what may come about."""
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
    asks: list[Ask] = [("told", (name, formula)) for name, formula in formulas.items()]
    if "numbers" in lists:
        asks += [("number", name) for name in system.kept_numbers]
    spreads = () if alone else tuple(happening.spreads)
    asks += [("spread", name) for name in spreads]
    if lists & {"rows", "names"}:
        tables = [table for table in system.tables if happening.table in (None, table.id)]
        asks += [("tally", ("met", table.id, label)) for table in tables for label in _labels(table)]
    asks += [("tally", item) for item in suffering.values()]
    if "cards" in lists:
        asks += [("tally", ("drawn", name)) for name in dict.fromkeys(all_names(system))]
    shares: dict[Any, Shares] = {}
    # Most steps matter to other questions than which cards are drawn.
    drawn = [ask for ask in asks if ask[1][0] == "drawn"]
    groups = [[ask for ask in asks if ask not in drawn], drawn] if sample is None else [asks]
    while groups:
        group = groups.pop()
        told = [ask for ask in group if ask[0] == "told"]
        most = MAX_WORK // 2 if len(told) == len(group) else MAX_TOGETHER
        try:
            with work_budget(most if len(group) > 1 and sample is None else MAX_WORK):
                shares |= _count(system, state, event, group, policy, sample)
        except TooMuchWorkError:
            if sample is not None or len(group) == 1:
                raise
            # Formulas mostly ask the same; each of the others makes more states.
            groups += [told] if len(told) not in (0, len(group)) else [[ask] for ask in told]
            groups += [[ask] for ask in group if ask[0] != "told"]
    some = {key: each.get(1, Fraction(0)) for key, each in shares.items() if key[0] not in ("number", "spread")}
    answer = Found({name: some["told", name] for name in formulas})
    for table in system.tables:
        rows = {label: some.get(("met", table.id, label), Fraction(0)) for label in _labels(table)}
        if any(rows.values()):
            answer.rows[table.id] = rows
    answer.conditions = {name: some[item] for name, item in suffering.items() if some.get(item)}
    if "cards" in lists:
        items = {name: ("drawn", name) for name in all_names(system)}
        answer.cards = {name: some[item] for name, item in items.items() if some.get(item)}
    for name in system.kept_numbers:
        values = shares.get(number_key(name), {})
        if values and values.keys() != {state.values[name]} and len(values) <= MAX_VALUES:
            answer.numbers[name] = {value: values[value] for value in sorted(v for v in values if isinstance(v, int))}
    answer.spreads = {name: dict(sorted(shares["spread", name].items())) for name in spreads}
    return answer


def _count(
    system: System,
    state: StepsState,
    event: StepsEvent,
    asks: Sequence[Ask],
    policy: Policy,
    sample: Sample | None = None,
) -> dict[Key, Shares]:
    """Return the shares of each thing asked, by what it may be."""
    if not asks:
        return {}
    told = {name: formula for kind, (name, formula) in ((k, a) for k, a in asks if k == "told")}
    numbers = [name for kind, name in asks if kind == "number"]
    items = frozenset(item for kind, item in asks if kind == "tally")
    spreads = [name for kind, name in asks if kind == "spread"]
    after = frozenset(map(number_key, (*numbers, *spreads)))

    def ran(*, apart: bool) -> tuple[Course, Spread]:
        with work_budget(own=True) if sample else nullcontext():
            how: dict[str, Any] = {"apart": apart, "policy": policy}
            course = _course(system, [state], event.name, after, items, tuple(told.values()), **how)
        return course, course.run(course.start([state], dict(event.said), sample))

    course, spread = told_apart(ran)
    shares: dict[Any, Shares] = {("told", name): {} for name in told} | {number_key(name): {} for name in numbers}
    for name in spreads:
        slot, living = course.layout.slot[number_key(name)], shares.setdefault(("spread", name), {})
        for after_it, count in spread.ways.items():
            living[after_it[slot]] = living.get(after_it[slot], Fraction(0)) + Fraction(count, spread.total)
    slots = {number_key(name): course.layout.slot[number_key(name)] for name in numbers}
    for after_it, share in _ends(course, spread):
        for key, slot in slots.items():
            value = after_it[slot]
            shares[key][value] = shares[key].get(value, Fraction(0)) + share
        for name, value_of in zip(told, course.told, strict=True):
            if value_of(after_it):
                shares["told", name][1] = shares["told", name].get(1, Fraction(0)) + share
    return shares | {item: {1: share} for item, share in course.tallied_shares().items()}


def _ends(course: Course, spread: Spread) -> Iterator[tuple[State, Fraction]]:
    """Yield everybody after an event, alive and dead."""
    for total, ways in ((spread.total, spread.ways), *course.dead.items()):
        for state, count in ways.items():
            yield state, Fraction(count, total)


def _course(
    system: System,
    states: Sequence[StepsState],
    event: str,
    after: Keys,
    tallied: Keys = NONE,
    told: tuple[Formula, ...] = (),
    *,
    again: bool = False,
    apart: bool = False,
    policy: Policy = "",
) -> Course:
    """Return an event made ready for a question: once, for charts ask many times."""
    if "unchanged" not in system.ready:
        system.ready["unchanged"] = _unchanged(system)
    unknown = tuple(name for name in system.ready["unchanged"] if all(state.values[name] is None for state in states))
    key = event, after, tallied, told, again, apart, policy, unknown
    if new := key not in system.ready:
        system.ready[key] = Course(
            system, event, after, tallied, told, again=again, apart=apart, policy=policy, unknown=unknown
        )
    course: Course = system.ready[key]
    spend_once(course, course.work, spent=new)
    return course


def _unchanged(system: System) -> list[str]:
    """Return the numbers that no step changes."""
    changed = changed_numbers(CONTENT(system).effects, system)
    return [name for name in system.kept_numbers if name not in changed]


def _labels(table: Table) -> list[str]:
    return [str(row.at) if row.at else row.name or "" for row in table.rows]


def deadly_course(system: System, state: StepsState, event: str) -> Course:
    """Return an event made ready for the question who is dead: its effects are all that it may lead to."""
    with work_budget(MAX_LED_TO, own=True):
        return _course(system, [state], event, NONE, told=(Formula("dead"),))


def told_apart(count: Callable[..., Counted]) -> Counted:
    """Return what is counted without telling cards apart; where a deck is shuffled, with."""
    try:
        return count(apart=False)
    except ShuffledError:
        return count(apart=True)


def kills(system: System, state: StepsState, event: str) -> bool:
    """Return whether an event may lead to a death."""
    return any("death" in effect.changes for effect in deadly_course(system, state, event).effects)


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
    course = _course(system, [state], event, frozenset({"dead"}), told=told)
    known = {item for each in course.effects for item in items(each, each.reads, system)}
    return next((name for name in numbers if ("number", name) in known or number_key(name) in course.asks), None)


def _suffering(system: System) -> dict[str, Key]:
    """Return what is tallied for each condition: where one card alone brings it, at once, that this card is drawn."""
    effects = list(system.all_effects())
    brings = Counter(each.condition for each in effects if isinstance(each, rules.Suffer))
    brings += Counter(each.lasts for each in effects if isinstance(each, rules.LookUp) and each.lasts)
    items: dict[str, Key] = {name: ("suffered", name) for name in system.head.conditions}
    draws = [each for each in effects if isinstance(each, rules.DrawCard)]
    if any(each.each or each.then or each.keep for each in draws) or any(isinstance(e, rules.Read) for e in effects):
        return items
    for name in all_names(system):
        card = card_of(name, system)
        for effect in card[1].effects if card else ():
            if isinstance(effect, rules.Suffer):
                at_once = effect.after is None and effect.where is None and effect.until.word != "again"
                if at_once and brings[effect.condition] == 1:
                    items[effect.condition] = ("drawn", name)
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
        raise TooMuchWorkError(f"--hits {times}: at most {MAX_HITS_IN_A_ROW} are counted; --simulate N plays more")
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
        bench = EventRun(system, state, Seeded(0))
        for need in bench.takes(event).needs:
            bench.check_need(need)
    return _come_about(system, [state], events, question.counts, policy, sample)[0]


def _come_about(
    system: System,
    states: Sequence[StepsState],
    events: Sequence[StepsEvent],
    ends: Formula,
    policy: Policy,
    sample: Sample | None,
) -> list[tuple[Fraction, ...]]:
    """Return for each state the share of those who are dead or of whom a formula holds, after each event in turn.

    All states are counted as one distribution, in which each is known by its place.
    """

    def counted(*, apart: bool) -> list[tuple[Fraction, ...]]:
        several, names = len(events) > 1, frozenset({"dead", *(["origin"] if len(states) > 1 else [])})
        how: dict[str, Any] = {"told": (ends,), "apart": apart, "policy": policy}
        with work_budget(own=True) if sample else nullcontext():
            # Several in a row know what the next one can tell of a state; the last needs to know no more.
            course = _course(system, states, events[0].name, names, again=several, **how)
            last = _course(system, states, events[0].name, names, **how) if several else course
        spread, shares = course.start(states, dict(events[0].said), sample), []
        for place, event in enumerate(events):
            if place:
                here = last if place == len(events) - 1 else course
                spread, course = here.again(spread, dict(event.said), course), here
            _, spread = course.run(spread).halves(course.told[0])
            spared, origin = [0] * len(states), course.layout.slot.get("origin")
            for after, count in spread.ways.items():
                spared[0 if origin is None else after[origin]] += count
            shares.append([1 - Fraction(many, spread.total) for many in spared])
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
