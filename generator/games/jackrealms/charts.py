"""The odds of a round that a dealer's screen shows: counted from one deck, never typed in."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from generator.base.cards import FULL_DECK
from generator.games.jackrealms.engine import HIT
from generator.games.jackrealms.hands import Count, HandRules
from generator.games.jackrealms.odds import Decision, HandValue, two_card_strategy, up_cards, values_of
from generator.layout.panel_elements import Bars, Cell, ChartMaker, Matrix
from generator.model.rules import System
from generator.words.chances import chance_percent

_KEY = ((Cell("H", 0.5, strong=True, hue="green"), "hit"), (Cell("S", 0.5, hue="red"), "stand"))
_NOTE = "the chance to win, in per cent; one deck, two cards"
_UP = "the dealer shows"


def _counts(rules: HandRules, *, soft: bool) -> tuple[Count, ...]:
    """What two cards may count, from the highest."""
    values = values_of(rules)
    pairs = ((one, two) for one in values for two in values)
    counts = {rules.reckoned(one.low + two.low, one.ace + two.ace) for one, two in pairs}
    fitting = (count for count in counts if count.soft == soft and count.total <= rules.target)
    return tuple(sorted(fitting, key=lambda count: -count.total))


def _cell(decision: Decision | None) -> Cell:
    if decision is None:
        return Cell("")
    hits, share = decision.best == HIT, float(decision.chance)
    text = f"{decision.best[0].upper()} {chance_percent(decision.chance)}"
    return Cell(text, share, strong=hits, hue="green" if hits else "red", share=decision.chance)


def _grid(system: System, grid: Mapping[tuple[Count, HandValue], Decision], *, soft: bool) -> Matrix:
    rules = HandRules.of(system)
    ups, counts = up_cards(rules), _counts(rules, soft=soft)
    rows = tuple((f"{count.total}", tuple(_cell(grid.get((count, up))) for up in ups)) for count in counts)
    return Matrix(tuple(up.name for up in ups), rows, _UP, "the hand counts", _KEY, _NOTE)


def strategy_hard(system: System) -> Matrix:
    """Hit or stand, and the chance to win, for hands in which no ace counts high."""
    return _grid(system, two_card_strategy(HandRules.of(system)), soft=False)


def strategy_soft(system: System) -> Matrix:
    """Return the same for hands in which an ace counts high."""
    return _grid(system, two_card_strategy(HandRules.of(system)), soft=True)


def stand_from(system: System) -> Matrix:
    """The totals from which standing is best, by the dealer's up card: what can be kept in mind of both grids."""
    return _thumbs(system, two_card_strategy(HandRules.of(system)))


def _thumbs(system: System, grid: Mapping[tuple[Count, HandValue], Decision]) -> Matrix:
    rules = HandRules.of(system)
    ups = up_cards(rules)
    rows = tuple(
        (label, tuple(Cell(_standing(counts, up, grid)) for up in ups))
        for label, soft in ((f"no ace at {rules.ace_high}", False), (f"an ace at {rules.ace_high}", True))
        if (counts := _counts(rules, soft=soft))
    )
    return Matrix(
        tuple(up.name for up in ups), rows, _UP, note="below that, hit. Two cards, one deck, nothing else seen"
    )


def _standing(counts: Sequence[Count], up: HandValue, grid: Mapping[tuple[Count, HandValue], Decision]) -> str:
    """On which of the counts, given from the highest, standing is best: `17` for 17 and more, `>20` where it is on none
    up to 20, and all runs, such as `13-15, 18`, where a lower one stands and a higher one does not."""
    highest = counts[0].total
    runs: list[list[int]] = []
    for count in counts:
        decision = grid.get((count, up))
        if decision is None or decision.best == HIT:
            continue
        if runs and runs[-1][-1] == count.total + 1:
            runs[-1].append(count.total)
        else:
            runs.append([count.total])
    if not runs:
        return f">{highest}" if grid else str(highest)
    if len(runs) == 1 and runs[0][0] == highest:
        return str(runs[0][-1])
    return ", ".join(f"{run[-1]}-{run[0]}" if run[1:] else str(run[0]) for run in reversed(runs))


def no_bust_high(rules: HandRules) -> bool:
    """Return whether no card busts a hand in which an ace counts high: it can always count low instead."""
    return max(map(rules.low, FULL_DECK)) <= rules.ace_high - rules.ace_low


def bust_shares(rules: HandRules) -> dict[int, Fraction]:
    """The chance that the next card busts, by what the hand counts with no ace high."""
    left = [rules.low(code) for code in FULL_DECK]
    totals = range(rules.target + 1 - max(left), rules.target + 1)
    return {total: Fraction(sum(total + low > rules.target for low in left), len(left)) for total in totals}


def bust_by_total(system: System) -> Bars:
    """Return the chance that the next card busts, from a full deck, for every total at which it can."""
    rules = HandRules.of(system)
    likely = {total: share for total, share in bust_shares(rules).items() if share}
    high = f"ace at {rules.ace_high}"
    note = f"per cent; full deck{'; with one: never' if no_bust_high(rules) else ''}"
    return Bars(tuple(map(str, likely)), tuple(likely.values()), True, f"total, no {high}", note)


def win_by_up_card(system: System) -> Bars:
    """Return the chance to win a round by playing best, by the dealer's up card."""
    rules = HandRules.of(system)
    grid, ways = two_card_strategy(rules), _ways(rules)
    ups, shares = up_cards(rules), []
    for up in ups:
        cells = [(ways[up, count], decision) for (count, up_card), decision in grid.items() if up_card == up]
        whole = sum(weight for weight, _ in cells)
        shares.append(sum((weight * decision.chance for weight, decision in cells), Fraction(0)) / whole)
    return Bars(tuple(up.name for up in ups), tuple(shares), True, _UP, "per cent; played by total, one deck")


def _ways(rules: HandRules) -> dict[tuple[HandValue, Count], int]:
    """Return how often two cards count what they do, beside each up card."""
    ways: dict[tuple[HandValue, Count], int] = {}
    lows = [(code, rules.low(code)) for code in FULL_DECK]
    for up in values_of(rules):
        up_card = next(code for code, low in lows if low == up.low and (code[0] == "A") == up.ace)
        rest = [code for code in FULL_DECK if code != up_card]
        for at, one in enumerate(rest):
            for two in rest[:at]:
                key = up, rules.count((one, two))
                ways[key] = ways.get(key, 0) + 1
    return ways


CHARTS: dict[str, ChartMaker] = {
    "strategy_hard": strategy_hard,
    "strategy_soft": strategy_soft,
    "stand_from": stand_from,
    "bust_by_total": bust_by_total,
    "win_by_up_card": win_by_up_card,
}

BLANKS: Mapping[str, Callable[[System], Matrix]] = {
    "strategy_hard": lambda system: _grid(system, {}, soft=False),
    "strategy_soft": lambda system: _grid(system, {}, soft=True),
    "stand_from": lambda system: _thumbs(system, {}),
}
"""Grids without figures: as much room as the real ones take, and nothing to count."""
