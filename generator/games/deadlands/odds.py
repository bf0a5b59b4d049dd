"""The exact chances of Deadlands 1876: the engine's own rolls and draws under every outcome.

All of them are exact fractions. Acing dice are summed in closed form (`odds_dice`), a serial roll without an end is
the geometric series' limit, draws are counted over the 54 cards.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from fractions import Fraction
from math import lcm
from typing import Any, TypeVar

from msgspec.structs import replace

from generator.base.cards import ALL_CODES, is_joker
from generator.base.dice import Dice
from generator.base.errors import HackjackError, UsageError
from generator.games.deadlands import growth, rolls, tasks, tokens
from generator.games.deadlands import wounds as wound_rules
from generator.games.deadlands.dice import RESULTS, SUCCESSES, Result, RollVerdict, TraitRules
from generator.games.deadlands.events import TraitsEvent
from generator.games.deadlands.fortune import fate_of, fortune_of
from generator.games.deadlands.odds_dice import Case, Chances, die_outcomes, throw_chances, with_attempts
from generator.games.deadlands.state import Task, TraitsState, read_die
from generator.games.deadlands.table import TraitsTable, TraitThrow
from generator.model.rules import System
from generator.play.chance import Given
from generator.words.chances import plain_chance, spoken_chance, summed_weights, writable_share

Plain = dict[str, Any]
Lines = list[str]
Weight = TypeVar("Weight", int, Fraction)
NONE = Fraction(0)
MAX_REROLLS = 100
MAX_NEEDED = 30
MAX_WOUNDS = 100
MAX_WOUNDS_HELPED = 30
"""Fewer where a practitioner helps, for every help that they may be is counted through."""
SHOWN_TRIES = 10
"""So many tries of a roll without an end are listed."""


class _Question:
    """One question: the engine's table for planning, and how a player spends chips."""

    def __init__(
        self, system: System, state: TraitsState, event: TraitsEvent, policy: str, cards: Collection[str]
    ) -> None:
        self.table = TraitsTable(system, state, event, Given(), cards)
        self.system, self.state, self.event = system, state, event
        self.taken = {"best": Fraction(1), "worst": NONE, "even": Fraction(1, 2)}[policy]

    def chances(self, throw: TraitThrow, most: int = 1) -> Chances:
        """Return the cases of a roll that may be paid for again."""
        chips, charms = self.table.second_attempts(throw.word)
        again = chips + len(charms)
        if again > MAX_REROLLS:
            raise HackjackError(f"{again:,} chips and charms: {MAX_REROLLS} second attempts are counted at most")
        return with_attempts(throw_chances(throw, self.table.rules, most), again, self.taken)

    def throws(self, word: str, target: int) -> tuple[TraitThrow, TraitThrow]:
        """Return a repeated roll the first time and later, when kicker and joker are gone (D8, D11)."""
        first = self.table.plan(word, target)
        self.table.next_round()
        return first, self.table.plan(word, target)

    def once(self, throw: TraitThrow, most: int = 1) -> Chances:
        """Return the cases of a single roll. Raises HackjackError where chips could be spent over several rolls."""
        chips, charms = self.table.second_attempts(throw.word)
        if chips or charms:
            raise HackjackError(f"the odds of {self.event.name} are counted without chips and charms: leave them out")
        return throw_chances(throw, self.table.rules, most)


def odds_of_event(
    system: System, state: TraitsState, event: TraitsEvent, policy: str, cards: Collection[str] = ()
) -> tuple[Plain, Lines, Fraction | None]:
    """Return the chances as plain data and as lines, and that of death, for an event that may kill.

    `cards` are the action cards at the table. Raises HackjackError.
    """
    wound_rules.refuse_the_fallen(system, state, event)
    question = _Question(system, state, event, policy, cards)
    # Only one event says who dies.
    death = None
    if event.name == "incapacitation":
        rows = {name: wound_rules.incapacitation_row(name, system) for name in RESULTS}
        death = sum((share for name, share in _falls(question).items() if wound_rules.kills(rows[name])), NONE)
    return (*_QUESTIONS[event.name](question), death)


def trait_chances(system: System, die: Dice, target: int) -> dict[str, Fraction]:
    """Return a fresh Wild Card's chances, as `odds trait --json` names them."""
    rules = TraitRules.of(system)
    return _four(throw_chances(TraitThrow(die, rules.numbers.wild, 0, target), rules))


def fate_chance(system: System, die: Dice) -> Fraction:
    """Return a fresh Wild Card's chance in a fate roll, for charts."""
    return _over_fate(_Question(system, TraitsState(), TraitsEvent("fate", (die.spoken,)), "best", ()))[0]


def _total(cases: Chances, holds: Callable[[Case], bool]) -> Fraction:
    return sum((share for case, share in cases.items() if holds(case)), NONE)


def _four(cases: Chances) -> dict[str, Fraction]:
    return {
        "success": _total(cases, lambda case: case.result in SUCCESSES),
        "raise": _total(cases, lambda case: case.raises > 0),
        "critical_success": _total(cases, lambda case: case.result == "critical_success"),
        "critical_failure": _total(cases, lambda case: case.result == "critical_failure"),
    }


def _shown(shares: Mapping[Any, Fraction]) -> tuple[Plain, Lines]:
    width = max(map(len, shares))
    lines = [f"{name.replace('_', ' '):<{width}}  {spoken_chance(share)}" for name, share in shares.items()]
    return {name: plain_chance(share) for name, share in shares.items()}, lines


def _listed(title: str, shares: Mapping[Any, Fraction]) -> tuple[Plain, Lines]:
    """Return chances under one name, such as `{"days": {"6": P}}`, the smallest number first."""
    plain, lines = _shown({str(number): shares[number] for number in sorted(shares)})
    return {title: plain}, [title, *(f"  {line}" for line in lines)]


def _roll(throw: Callable[[TraitsTable], TraitThrow]) -> Callable[[_Question], tuple[Plain, Lines]]:
    return lambda question: _shown(_four(question.chances(throw(question.table))))


def _recover(question: _Question) -> tuple[Plain, Lines]:
    cases, reflexes = question.chances(rolls.recover_throw(question.table)), question.event.says("reflexes")
    recovered = _total(cases, lambda case: case.result in SUCCESSES and not (reflexes and case.natural))
    return _shown({"recovered": recovered})


def _marker(question: _Question) -> tuple[Plain, Lines]:
    token = tokens.marker_held(question.table, question.event.words[0])
    throw = tokens.marker_throw(question.table, read_die(token.die, question.system, token.name))
    return _shown({"success": _four(throw_chances(throw, question.table.rules))["success"]})


def _luck(question: _Question) -> tuple[Plain, Lines]:
    ends: list[str] = [fortune_of(code, question.event.words) for code in ALL_CODES]
    plain, lines = _shown({name: Fraction(ends.count(name), len(ends)) for name in ("success", "bad_luck")})
    return plain, [*lines, f"{ends.count('success')} of {len(ends)} cards are lucky"]


def _over_fate(question: _Question) -> tuple[Fraction, dict[int, Fraction]]:
    """Return the chance of a fate roll over the whole deck, and against each target number that a card may set."""
    base = question.table.plan(question.event.words[0], 1)
    fates = [fate_of(code, question.system) for code in ALL_CODES]
    targets = sorted({fate for fate in fates if isinstance(fate, int)})
    by_target = {target: _four(question.chances(base._replace(target=target)))["success"] for target in targets}
    shares = (by_target[fate] if isinstance(fate, int) else Fraction(fate == "critical success") for fate in fates)
    return sum(shares, NONE) / len(fates), by_target


def _fate(question: _Question) -> tuple[Plain, Lines]:
    success, by_target = _over_fate(question)
    plain, lines = _shown({"success": success})
    return plain, [
        *lines,
        *(f"  target number {target:>2}  {spoken_chance(share)}" for target, share in by_target.items()),
    ]


def _outcomes(question: _Question, task: Task, cases: Mapping[Case, Weight]) -> Iterator[tuple[Task, Weight]]:
    for case, share in cases.items():
        total = task.target + question.table.numbers.raise_step * case.raises
        verdict = RollVerdict(case.result, total, task.target, case.raises)
        yield tasks.after_attempt(task, verdict, question.table.rules), share


def _serial(question: _Question) -> tuple[Plain, Lines]:
    """Return the chance of success at last: s / (s + c) without an end, with c a critical failure."""
    task = tasks.new_task("serial", question.event, "serial", question.table)
    first, later = (_four(question.once(throw)) for throw in question.throws(question.event.words[0], task.target))
    good, bad = later["success"], later["critical_failure"]
    done, open_ = first["success"], 1 - first["success"] - first["critical_failure"]
    whole = done + (open_ * good / (good + bad) if good else NONE)
    by_try = [done]
    for _ in range(1, task.rounds or SHOWN_TRIES):
        done += open_ * good
        open_ = writable_share(open_ * (1 - good - bad))
        by_try.append(done)
    whole = done if task.rounds else whole
    plain, lines = _shown({"success": whole})
    lines += [f"  by try {number:>2}  {spoken_chance(share)}" for number, share in enumerate(by_try, 1)]
    return plain | {"by_try": [plain_chance(share) for share in by_try]}, lines


def _compound(question: _Question) -> tuple[Plain, Lines]:
    task = tasks.new_task("compound", question.event, "compound", question.table)
    word = question.event.words[0]
    base, later = question.throws(word, task.target)
    ends: dict[str, Fraction] = dict.fromkeys(("done", "failed", "jammed"), NONE)
    alive = {task: Fraction(1)}
    while alive:
        after = summed_weights(
            (then, weight * share)
            for before, weight in alive.items()
            for then, share in _outcomes(question, before, question.once(base._replace(target=before.target)))
        )
        for then in [then for then in after if then.ends]:
            ends[then.ends] += after.pop(then)
        alive, base = after, later
    return _shown({"success": ends["done"], "failure": ends["failed"], "critical_failure": ends["jammed"]})


def _moves(question: _Question, task: Task, throw: TraitThrow) -> tuple[dict[int, dict[int, int]], int]:
    """Return, for each number of successes, the weights of the numbers after one roll, and their denominator."""
    cases = question.once(throw, most=task.needs)
    denominator = lcm(*(share.denominator for share in cases.values()))
    # Natural ones need not be told apart here.
    weights = summed_weights((case._replace(natural=False), int(share * denominator)) for case, share in cases.items())
    ways: dict[int, dict[int, int]] = {}
    for successes in range(task.needs):
        after = _outcomes(question, replace(task, successes=successes, rounds=0), weights)
        ways[successes] = summed_weights(
            (task.needs if then.ends == "done" else then.successes, ways) for then, ways in after
        )
    return ways, denominator


def _attempts(question: _Question) -> tuple[Plain, Lines]:
    """Return the chance to have done a dramatic task by each round; successes are counted as the engine counts them."""
    task = tasks.new_task("attempts", question.event, "attempts", question.table)
    if task.needs > MAX_NEEDED:
        raise UsageError(f"needs {task.needs}: up to {MAX_NEEDED} successes are counted")
    # All weights of a round have one denominator: whole numbers are carried on, and only the sums are fractions.
    moves, *others = (_moves(question, task, throw) for throw in question.throws(question.event.words[0], task.target))
    alive, done, below = {0: 1}, NONE, 1
    done_by = []
    for _ in range(task.rounds or max(SHOWN_TRIES, task.needs)):
        ways, denominator = moves
        after = summed_weights(
            (then, weight * share) for have, weight in alive.items() for then, share in ways[have].items()
        )
        below *= denominator
        done = writable_share(done + Fraction(after.pop(task.needs, 0), below))
        alive, moves = after, others[0]
        done_by.append(done)
    lines = [f"done by round {number:>2}  {spoken_chance(share)}" for number, share in enumerate(done_by, 1)]
    return {"done_by": [plain_chance(share) for share in done_by]}, lines


def _attempt(question: _Question) -> tuple[Plain, Lines]:
    """Return the chances of one roll for a task; the joker that it may draw is counted over the cards left."""
    name, word = question.event.words
    _, task = tasks.task_at_hand(question.table, name)
    missing = max(1, task.needs - task.successes)
    if missing > MAX_NEEDED:
        raise UsageError(f"{missing:,} successes are missing: up to {MAX_NEEDED} are counted")
    throws = {question.table.plan(word, task.target): Fraction(1)}
    if task.kind == "actions" and not question.event.get("joker"):
        ((throw, _),) = throws.items()
        plain, joker = throw.mod - question.table.joker, question.table.numbers.joker
        tasks.begin_round(question.table)
        deck = question.table.action_deck()
        jokers = Fraction(sum(map(is_joker, deck)), len(deck))
        throws = {throw._replace(mod=plain): 1 - jokers, throw._replace(mod=plain + joker): jokers}
    shares = dict.fromkeys(("done", "open", "failed", "jammed"), NONE)
    for throw, weight in throws.items():
        cases = question.chances(throw, most=missing)
        for then, share in _outcomes(question, task, cases):
            shares[then.ends or "open"] += weight * share
    return _shown(shares)


def _by_steps(cases: Chances, count: Callable[[int], int]) -> dict[int, Fraction]:
    return summed_weights((count(case.steps), share) for case, share in cases.items())


def _countable(wounds: int, most: int) -> int:
    """Return the wounds, or raise UsageError if there are too many to count."""
    if not 1 <= wounds <= most:
        raise UsageError(f"{wounds:,} wounds: from 1 to {most} are counted")
    return wounds


def _soaked(question: _Question) -> dict[int, Fraction]:
    """Return the chance of each number of wounds that a soak roll takes away, with those that go at once."""
    table = question.table
    wounds, free = _countable(wound_rules.wounds_to_soak(table), MAX_WOUNDS), wound_rules.soaked_at_once(table)
    wound_rules.pay_for_soaking(table)
    cases = question.chances(table.plan(question.event.words[0], table.numbers.soak_target), most=wounds)
    return _by_steps(cases, lambda steps: wound_rules.soaked_count(steps, wounds, free))


def _falls(question: _Question) -> dict[Result, Fraction]:
    """Return the chance of each result of an incapacitation roll, from worst to best."""
    wound_rules.may_fall(question.table)
    cases = question.chances(wound_rules.incapacitation_throw(question.table))
    return dict.fromkeys(RESULTS, NONE) | summed_weights((case.result, share) for case, share in cases.items())


def _incapacitation(question: _Question) -> tuple[Plain, Lines]:
    plain, lines = _shown(_falls(question))
    rows = [wound_rules.incapacitation_row(name, question.system) for name in RESULTS]
    return plain, [f"{line}   {row.cells['then']}" for line, row in zip(lines, rows, strict=True)]


def _heal(question: _Question) -> tuple[Plain, Lines]:
    wounds = _countable(question.state.wounds or question.state.levels, MAX_WOUNDS)
    wound_rules.may_be_treated(question.table)
    throw = wound_rules.heal_throw(question.table)
    # Another's roll is paid for by their chips, not by the character's.
    anothers = wound_rules.has_other_healer(question.table)
    cases = throw_chances(throw, question.table.rules, wounds) if anothers else question.chances(throw, most=wounds)
    if wound_rules.stops_bleeding(question.table):
        return _shown({"stopped": _four(cases)["success"]})
    if wound_rules.is_past_treatment(question.state):
        return _shown({"woken": _four(cases)["success"]})
    return _listed("healed", _by_steps(cases, lambda steps: min(wounds, steps)))


def _day(question: _Question) -> tuple[Plain, Lines]:
    word = wound_rules.vigor_word(question.table)
    wound_rules.begin_day(question.table)
    written = question.event.get("medicine")
    wounds = _countable(question.state.wounds or question.state.levels, MAX_WOUNDS_HELPED if written else MAX_WOUNDS)
    helped: Chances = {Case("failure", 0, False): Fraction(1)}
    base = question.table.plan(word)
    if written:
        # More help than this changes nothing: the character's roll then has all the raises that there are wounds.
        most = max(1, base.target + question.table.numbers.raise_step * wounds - base.mod)
        helped = throw_chances(wound_rules.medicine_throw(question.table, written), question.table.rules, most)
    shares = summed_weights(
        (min(wounds, case.steps), weight * share)
        for plus, weight in _by_steps(helped, int).items()
        for case, share in question.chances(base._replace(mod=base.mod + plus), most=wounds).items()
    )
    return _listed("healed", shares)


def _injury(question: _Question) -> tuple[Plain, Lines]:
    """Return the days that a temporary injury lasts (D15)."""
    dice = [word for word in question.event.words if word not in ("temporary", "permanent")]
    if "permanent" in question.event.words or not dice:
        raise UsageError("the odds of an injury are how long it lasts: write injury temporary DIE")
    die = question.table.die(dice[0])
    whole = question.table.numbers.injury_days
    faces = ((face, Fraction(1, die.faces)) for face in range(1, die.faces + 1))
    aced = ((one.total, share) for one, share in die_outcomes(die, whole))
    rolled = aced if question.table.plays("injury_days", "acing") else faces
    return _listed("days", summed_weights((max(0, whole - total), share) for total, share in rolled))


def _book(question: _Question) -> tuple[Plain, Lines]:
    written, word = question.event.words
    die = question.table.die(word)
    if int(written) < 1:
        raise UsageError("a book takes 1 hour or more: write the time that it names")
    times = sorted(growth.time_of_study(question.table, int(written), face) for face in range(1, die.faces + 1))
    plain, lines = _listed("time", {time: Fraction(times.count(time), die.faces) for time in times})
    lines.append(f"{times[0]} to {times[-1]} {question.event.get('unit') or 'hour'}s")
    return plain, lines


_QUESTIONS: dict[str, Callable[[_Question], tuple[Plain, Lines]]] = {
    **{name: _roll(throw) for name, throw in rolls.THROWS.items()},
    "serial": _serial,
    "compound": _compound,
    "attempts": _attempts,
    "attempt": _attempt,
    "luck": _luck,
    "fate": _fate,
    "recover": _recover,
    "soak": lambda question: _listed("soaked", _soaked(question)),
    "incapacitation": _incapacitation,
    "injury": _injury,
    "heal": _heal,
    "day": _day,
    "hole": _roll(lambda table: tokens.hole_throw(table, table.token("hole", table.event.words[0]))),
    "marker": _marker,
    "book": _book,
}
QUESTIONS = tuple(_QUESTIONS)
"""The events that have odds."""
