"""How long a decision and the whole strategy grid take, beside a plain recursion over the dealer's cards.

The recursion counts one thing, the chance that the dealer busts against one hand, card value by card value with nothing
remembered: what anybody would write first. Both run in this process, in turns. Run: python benchmarks/blackjack.py
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from statistics import median

from figures import Figure, tell

from generator.games.jackrealms import odds as blackjack
from generator.games.jackrealms.hands import HandRules
from generator.pack.load import load_pack
from generator.pack.pack_locations import find

ROUNDS = 5
DECISIONS = {
    "10,6 against 9": (("10D", "6S"), "9H"),
    "2,2 against 2": (("2D", "2S"), "2H"),
    "A,A against 2": (("AD", "AS"), "2H"),
}


def plain_bust(hard: int, aces: int, left: list[int], cards: int) -> Fraction:
    """The chance that a dealer who holds this busts; `left` are the unseen cards by value, from the ace."""
    total = hard + 10 if aces and hard <= 11 else hard
    if total >= 17:
        return Fraction(total > 21)
    share = Fraction(0)
    for place, count in enumerate(left):
        if count:
            left[place] -= 1
            share += Fraction(count, cards) * plain_bust(hard + place + 1, aces + (place == 0), left, cards - 1)
            left[place] += 1
    return share


def beside() -> Fraction:
    """10 and 6 against a 9: one of the hundreds of chances that a decision needs."""
    left = [4, 4, 4, 4, 4, 3, 4, 4, 3, 15]
    return sum(
        (
            Fraction(left[hole], 49)
            * plain_bust(9 + hole + 1, int(hole == 0), [count - (at == hole) for at, count in enumerate(left)], 48)
            for hole in range(10)
        ),
        Fraction(0),
    )


def seconds(work: Callable[[], object]) -> float:
    """How long a piece of work takes when nothing is remembered of the one before."""
    blackjack._table.cache_clear()
    blackjack.two_card_strategy.cache_clear()
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def figures() -> Iterator[Figure]:
    """The medians."""
    rules = HandRules.of(load_pack(find("jackrealms")).system)
    assert beside() == blackjack.best_decision(rules, ("10D", "6S"), "9H").stand, "16 wins by the dealer's bust alone"
    works: dict[str, Callable[[], object]] = {
        name: partial(blackjack.best_decision, rules, hand, up) for name, (hand, up) in DECISIONS.items()
    }
    works["the whole grid"] = lambda: blackjack.two_card_strategy(rules)
    times: dict[str, list[float]] = {name: [] for name in works}
    plain = []
    for _ in range(ROUNDS):
        plain.append(seconds(beside))
        for name, work in works.items():
            times[name].append(seconds(work))
    bare = median(plain)
    for name, found in times.items():
        yield Figure(f"blackjack, {name}", median(found), "one chance to bust, by plain recursion", bare)


if __name__ == "__main__":
    tell(figures())
