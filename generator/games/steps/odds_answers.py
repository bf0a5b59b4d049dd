"""Answers to questions for odds: exact or played out, as plain data and as lines."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import partial
from typing import Any

from msgspec import structs

from generator.base.errors import HackjackError
from generator.base.sealed import Hidden
from generator.games.face import Asked, OddsAnswer
from generator.games.in_a_row import (
    DEFAULT_PLAYS,
    Found,
    Shares,
    exact_answer,
    played_answer,
    played_line,
    standard_error,
)
from generator.games.steps.counting.distribution import Sample
from generator.games.steps.counting.odds import (
    count_event,
    deadly_event,
    die_by,
    in_turn,
    named_formulas,
    played,
    telling_number,
)
from generator.games.steps.definitions import Definitions
from generator.games.steps.engine import EventRun
from generator.games.steps.events import Asking, StepsEvent
from generator.games.steps.leads import led_to
from generator.games.steps.lines import name_of, signed_figure
from generator.games.steps.state import StepsState
from generator.games.steps.tally import Unseen, unseen_cards
from generator.model.formulas import Formula, formula_number
from generator.model.rules import AnyEffect, System, per_system
from generator.play.chance import Policy, Seeded
from generator.play.every_way import MAX_WORK, TooMuchWorkError, work_budget
from generator.play.piles import codes_without, names_in
from generator.words.chances import plain_chance, plain_estimate, spoken_chance, spoken_estimate
from generator.words.wording import counted_noun

MAX_IN_A_ROW = 1_000
"""So many events in a row are played at most."""
MAX_PLAYED_WORK = 300_000
"""So many dice, cards and steps of the engine one question may take that is played out: some five seconds."""
MAX_TALLIED = 20_000
"""So much work is spent on trying each unseen card."""


def odds(system: System, state: StepsState, event: StepsEvent | Asking, request: Asked) -> OddsAnswer:
    """Return the chances of an event, of several in a row, or of a question: exact, or else played out.

    Raises HackjackError where it cannot happen, and for what is too much to count where it has to be exact.
    """
    state, request = _prepare(system, state, event, request)
    answer = _with_policy(system, _answer(system, state, event, request), state, event, request.policy)
    unseen = _try_unseen(system, state, event) if isinstance(event, StepsEvent) and not request.only else None
    if unseen is None:
        return answer
    cards = {"kill": unseen.kill, "draw_more": unseen.may, "left": len(_cards_left(system, event.name, state))}
    return structs.replace(answer, counts=str(unseen), cards=cards)


def odds_in_a_row(system: System, states: Sequence[StepsState], event: StepsEvent, request: Asked) -> list[OddsAnswer]:
    """Return the chances of several in a row for each of some states, played together. Raises HackjackError."""
    each = [_prepare(system, state, event, request) for state in states]
    return _estimate_in_a_row(system, [state for state, _ in each], event, each[0][1])


def _prepare(system: System, state: StepsState, event: StepsEvent | Asking, request: Asked) -> tuple[StepsState, Asked]:
    """Return the state of which chances are asked, and how. Raises HackjackError for what cannot be asked."""
    if state.dead and not (isinstance(event, StepsEvent) and system.head.events[event.name].dead):
        raise HackjackError("the character is dead: there is nothing left to count")
    state = _without_hidden(system, state, event)
    if request.hits is not None:
        if isinstance(event, Asking):
            raise HackjackError(f"--hits is for events, and {event.name} is a question: leave it out")
        if not 1 <= request.hits <= MAX_IN_A_ROW:
            raise HackjackError(f"--hits {request.hits:,}: ask for 1 to {MAX_IN_A_ROW:,} in a row")
        effects = _steps_of(system, state, event.name)
        if not any(effect.kills for effect in effects):
            raise HackjackError(f"--hits counts deaths, and {event.name} kills nobody: leave it out")
        if state.dead or any("life" in effect.changes for effect in effects):
            raise HackjackError(f"--hits counts until death, and {event.name} revives: leave it out")
    return state, structs.replace(request, policy=request.policy or _usual_policy(system, state, event))


def _answer(system: System, state: StepsState, event: StepsEvent | Asking, request: Asked) -> OddsAnswer:
    if request.plays is not None:
        return _estimate(system, state, event, request)
    try:
        with work_budget(MAX_WORK):
            return _count(system, state, event, request)
    except TooMuchWorkError:
        if request.exact:
            raise
    with work_budget(MAX_PLAYED_WORK):
        return _estimate(system, state, event, structs.replace(request, plays=DEFAULT_PLAYS))


def _usual_policy(system: System, state: StepsState, event: StepsEvent | Asking) -> Policy:
    """Return how choices fall by default: best, if the events say what is better."""
    return "best" if _preferences(system, _event_with_steps(system, state, event)) else ""


def _event_with_steps(system: System, state: StepsState, event: StepsEvent | Asking) -> tuple[str, Sequence[AnyEffect]]:
    """Return the event that is counted, and the steps that it may come to."""
    name = _event_name(system, event)
    return name, _steps_of(system, state, name)


def _event_name(system: System, event: StepsEvent | Asking) -> str:
    """Return the name of the event that is counted."""
    return system.head.questions[event.name].event if isinstance(event, Asking) else event.name


def _preferences(system: System, chosen: tuple[str, Sequence[AnyEffect]]) -> list[Formula]:
    """Return what an event, and those that it calls, say is better."""
    name, effects = chosen
    events = dict.fromkeys((name, *(called for effect in effects for called in led_to(effect, "event", system))))
    formulas = (system.head.events[each].better for each in events)
    return [*dict.fromkeys(formula for formula in formulas if formula is not None)]


def _with_policy(
    system: System, answer: OddsAnswer, state: StepsState, event: StepsEvent | Asking, policy: Policy
) -> OddsAnswer:
    """Return an answer that says how choices fell, if a step leaves a choice."""
    chosen = _event_with_steps(system, state, event)
    if not policy or not any(each.may_ask("choose") for each in chosen[1]):
        return answer
    better = _preferences(system, chosen) if policy != "even" else []
    looks = f"the odds assume the choice that looks {policy} at that moment"
    line = f"Where a card lets you choose, {looks if better else 'every choice is equally likely'}."
    plain = {**answer.plain, "policy": policy} | ({"better": [*map(str, better)]} if better else {})
    return structs.replace(answer, plain=plain, lines=[*answer.lines, line])


def _steps_of(system: System, state: StepsState, event: str) -> Sequence[AnyEffect]:
    """Return the steps that an event may come to."""
    return deadly_event(system, state, event).effects


def _cards_left(system: System, event: str, state: StepsState) -> list[str]:
    """Return the cards that are left in the decks from which an event may draw, or in all where it draws none."""
    decks = dict.fromkeys(deck for each in _steps_of(system, state, event) for deck in led_to(each, "deck", system))
    names = (names_in(deck, system) for deck in decks or system.piles)
    return [card for each in names for card in codes_without(each, state.drawn)]


def _try_unseen(system: System, state: StepsState, event: StepsEvent) -> Unseen | None:
    """Return what each unseen card does on its own where one may kill, or the event tells how many cards are left.

    None where that is too much to count.
    """
    effects, told = _steps_of(system, state, event.name), "left" in system.head.events[event.name].lists
    draws = any(each.kills for each in effects) and any(each.may_ask("cards") for each in effects)
    if state.dead or not (draws or told):
        return None
    with suppress(TooMuchWorkError), work_budget(MAX_TALLIED):
        return unseen_cards(system, state, event)
    return None


def _without_hidden(system: System, state: StepsState, event: StepsEvent | Asking) -> StepsState:
    """Return a state whose hidden numbers are unknown. Raises HackjackError where chances would tell one."""
    hidden = {name: None for name, value in state.values.items() if isinstance(value, Hidden)}
    if not hidden:
        return state
    name = _event_name(system, event)
    if told := telling_number(system, state, name, hidden):
        raise HackjackError(f"{system.steps.numbers[told].name} is hidden: the odds of {name} would tell it")
    return structs.replace(state, values=state.values | hidden)


def _count(system: System, state: StepsState, event: StepsEvent | Asking, request: Asked) -> OddsAnswer:
    if isinstance(event, Asking):
        shares = [1 - (1 - share) ** event.people for share in in_turn(system, state, event, request.policy)]
        return _question_answer(system, event, [(plain_chance(share), spoken_chance(share)) for share in shares])
    if request.hits is not None:
        (deaths,) = die_by(system, [state], event, request.hits, request.policy)
        return exact_answer(deaths, event.name)
    return _event_answer(system, state, event, _counting(system, state, event, request)())


def _counting(system: System, state: StepsState, event: StepsEvent, request: Asked) -> Callable[..., Found]:
    """Return what counts an event: all that it names and lists, or alone what is asked for."""
    formulas = named_formulas(system, state, event.name)
    alone = {name: formula for name, formula in formulas.items() if name == request.only}
    return partial(count_event, system, state, event, alone or formulas, request.policy, alone=bool(alone))


def _estimate(system: System, state: StepsState, event: StepsEvent | Asking, request: Asked) -> OddsAnswer:
    """Return the answer of so many plays, or of as many as the budget pays for."""
    how, sample = (system, state), Sample(request.plays or 1, request.seed)
    if isinstance(event, Asking):
        ones, plays = played(lambda sample: in_turn(*how, event, request.policy, sample), sample)
        answer = _question_answer(system, event, [_share_of_people(float(one), plays, event.people) for one in ones])
    elif request.hits is not None:
        return _estimate_in_a_row(system, [state], event, request)[0]
    else:
        with work_budget(own=True):
            count = _counting(*how, event, request)
        outcome, plays = played(lambda sample: count(sample=sample), sample)
        answer = _event_answer(system, state, event, outcome, plays)
    plain = {"method": "played", **answer.plain, "plays": plays, "seed": request.seed}
    return structs.replace(answer, plain=plain, lines=[*answer.lines, played_line(plays, request.seed)])


def _estimate_in_a_row(
    system: System, states: Sequence[StepsState], event: StepsEvent, request: Asked
) -> list[OddsAnswer]:
    hits, sample = request.hits or 1, Sample(request.plays or 1, request.seed)
    shares, plays = played(lambda sample: die_by(system, states, event, hits, request.policy, sample), sample)
    estimates = [[(float(share), standard_error(share, plays)) for share in each] for each in shares]
    return [played_answer(each, structs.replace(request, plays=plays), event.name) for each in estimates]


def _question_answer(system: System, asking: Asking, shares: Sequence[tuple[dict[str, Any], str]]) -> OddsAnswer:
    """Return the answer to a question, from each share as plain data and in words."""
    question = system.head.questions[asking.name]
    each = zip(asking.values, shares, strict=True)
    gain = question.gain or question.each.replace("_", " ")
    lines = [f"after {gain} {value:>2}  {spoken}" for value, (_, spoken) in each]
    of = f"{question.name.replace('_', ' ')} of {asking.people}"
    if question.means:
        of = f"that at least one of {asking.people} {question.means}"
    return OddsAnswer({question.name: shares[-1][0]}, [*lines, of])


@per_system
def _can_kill(system: System) -> bool:
    """Return whether a step of this system kills; otherwise the chance of being dead is of no interest."""
    return any(effect.kills for effect in Definitions(system).effects)


def _row_label(system: System, table: str, label: str) -> str:
    """Return a row by its result and its name: `1-3 A scratch`; in a table without names, by its key."""
    known_table = system.table(table)
    names = {str(row.at): row.name for row in known_table.rows if row.at and row.name} if known_table else {}
    by = f"{known_table.by.replace('_', ' ')} " if known_table and known_table.by and not names else ""
    return f"{label} {names[label]}" if label in names else f"{by}{label:>5}" if by else label


def _event_answer(system: System, state: StepsState, event: StepsEvent, outcome: Found, plays: int = 0) -> OddsAnswer:
    """Return the answer of an event; exact, or estimated from so many plays."""
    happening = system.head.events[event.name]
    if happening.spared is not None:
        # In this share of cases nothing comes about.
        run = EventRun(system, state, Seeded(0))
        run.takes(event)
        outcome = outcome.less(Fraction(formula_number(happening.spared, run), 100))

    def plain_share(share: Fraction) -> dict[str, Any]:
        return plain_estimate(share, standard_error(share, plays)) if plays else plain_chance(share)

    def spoken(share: Fraction) -> str:
        return spoken_estimate(share, standard_error(share, plays)) if plays else spoken_chance(share)

    listed = happening.lists
    tables = {name: shares for name, shares in outcome.rows.items() if name == (happening.table or name)}
    plain: dict[str, Any] = {
        name: plain_share(share) for name, share in outcome.named.items() if name not in happening.aside
    }
    first = next(iter(tables), "")
    if "names" in listed:
        tables = {name: _shares_by_name(system, name, shares) for name, shares in tables.items()}
    elif "rows" not in listed:
        tables = {}
    if "rows" in listed or "names" in listed:
        plain["rows"] = {}
    for table, shares in tables.items():
        key = "rows" if table == first else f"rows_{table}"
        plain[key] = {row: plain_share(share) for row, share in shares.items()}
    if outcome.cards and "cards" in listed:
        plain["cards"] = {name: plain_share(share) for name, share in outcome.cards.items()}
    if "conditions" in listed:
        plain["conditions"] = {name: plain_share(share) for name, share in outcome.conditions.items()}
    numbers = outcome.numbers if "numbers" in listed else {}
    if "numbers" in listed:
        plain["numbers"] = {
            name: {str(value): plain_share(share) for value, share in values.items()}
            for name, values in numbers.items()
        }
    for name, values in outcome.spreads.items():
        plain[name] = {str(value): plain_share(share) for value, share in values.items()}
    named = outcome.named if _can_kill(system) or happening.odds else {}
    labels = {name: name.replace("_", " ") for name in named} | happening.labels
    lines = [f"{labels[name]:<14}  {spoken(share)}" for name, share in named.items()]
    for table, shares in tables.items():
        full = [_row_label(system, table, label) for label in shares]
        width = max(14, *map(len, full))
        if len(tables) > 1 and (met := system.table(table)):
            lines.append(f"{met.title}:")
        lines += [f"  {row:<{width}}  {spoken(share)}" for row, share in zip(full, shares.values(), strict=True)]
    for name, values in outcome.spreads.items():
        title = system.steps.numbers[name].name.lower()
        lines += [f"  {title} {signed_figure(value):>2}  {spoken(share)}" for value, share in values.items()]
    if "conditions" in listed:
        lines += [f"{name_of(name, system):<14}  {spoken(share)}" for name, share in outcome.conditions.items()]
    for name, values in numbers.items():
        title = system.steps.numbers[name].name
        lines += [f"{f'{title} {signed_figure(value)}':<14}  {spoken(share)}" for value, share in values.items()]
    if "left" in listed:
        left = len(_cards_left(system, event.name, state))
        plain["cards_left"] = left
        lines.append(f"{counted_noun(left, 'card')} {'is' if left == 1 else 'are'} left in the deck")
    dead = next((share for name, share in outcome.named.items() if str(happening.odds.get(name, name)) == "dead"), None)
    return OddsAnswer(plain, lines, death=dead if _can_kill(system) else None)


def _shares_by_name(system: System, table: str, shares: Shares) -> Shares:
    """Return the shares of a table's rows by their names."""
    known_table = system.table(table)
    names = {str(row.at) if row.at else row.name: row.name for row in known_table.rows} if known_table else {}
    return {names.get(label) or label: share for label, share in shares.items()}


def _share_of_people(one: float, plays: int, people: int) -> tuple[dict[str, Any], str]:
    """Return the estimated chance that at least one of so many meets something, from that of one: plain, in words."""
    spared = 1 - one
    share, error = 1 - spared**people, people * spared ** (people - 1) * standard_error(one, plays)
    return plain_estimate(share, error), spoken_estimate(share, error)
