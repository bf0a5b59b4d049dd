"""How long exact odds take, beside two libraries for dice and cards, and played hits beside a plain loop.

icepool and dyce know cards and scores but not this game: they count the bare scores of some draws, without Blood, dice
and cards that draw cards. The same is asked of us, with a deck that has its wounds taken off; then of the deck with
every rule on. All in this process, one after the other. Run: pip install icepool dyce; python benchmarks/odds.py
[DRAWS]; six draws take the libraries half a minute.
"""

from __future__ import annotations

import contextlib
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial
from random import Random
from statistics import median
from typing import Any

import msgspec
from figures import Figure, tell

from generator.base.errors import HackjackError
from generator.games import game_of
from generator.games.face import Asked
from generator.model.rules import System
from generator.pack.load import load_pack
from generator.pack.pack_locations import find

DRAWS = 6
PLAYS = 100_000
ROUNDS = 5


def without_wounds(system: System) -> System:
    """The deck with the score of each card and nothing else."""
    assert system.deck
    cards = tuple(msgspec.structs.replace(card, blood=None, trauma=None, effects=()) for card in system.deck.cards)
    return replace(system, deck=msgspec.structs.replace(system.deck, cards=cards))


def scores(system: System) -> Counter[int]:
    """How many cards have each score."""
    return Counter(system.score_of(system.cards[code]) for code in game_of(system).deck())


def by_icepool(cards: Counter[int], draws: int, limit: int) -> Fraction:
    """The chance to be over the limit, by every sequence of draws; exactly on the limit the score starts anew."""
    import icepool

    def fate(sequence: tuple[int, ...]) -> bool:
        score = 0
        for drawn in sequence:
            score += drawn
            if score > limit:
                return True
            score = 0 if score == limit else score
        return False

    return Fraction(icepool.Deck(cards).sequence(draws).map(fate).probability(True))


def by_dyce(cards: Counter[int], draws: int, limit: int) -> Fraction:
    """The same, draw by draw."""
    from dyce import H
    from dyce.evaluation import expand

    def from_here(left: Counter[int], draws: int, score: int) -> object:
        if score > limit:
            return 1
        if not draws:
            return 0
        score = 0 if score == limit else score
        return expand(
            lambda result: from_here(left - Counter([result.outcome]), draws - 1, score + result.outcome),
            H(left),
            min_path_probability=Fraction(0),
        )

    found = from_here(cards, draws, 0)
    return Fraction(found[1], found.total)  # type: ignore[index, attr-defined]


def plain_loop(cards: Counter[int], plays: int, limit: int) -> int:
    """Draw and add, until somebody dies: how many cards were drawn in so many plays."""
    random, whole, drawn = Random(1).random, list(cards.elements()), 0
    for _ in range(plays):
        deck, score = whole.copy(), 0
        while score <= limit:
            place = int(random() * len(deck))
            deck[place], deck[-1] = deck[-1], deck[place]
            score += deck.pop()
            drawn += 1
    return drawn


def seconds(work: Callable[[], object]) -> float:
    """How long a piece of work takes."""
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def hit(system: System, state: dict[str, Any], **how: Any) -> dict[str, Any]:
    """The odds of a hit, as JSON has them."""
    game = game_of(system)
    return game.odds(game.read_state(state), game.read_question(["hit", "5"], {}), Asked(**how)).plain


def _noted(results: list[Fraction], count: Callable[..., Fraction], *asked: Any) -> None:
    results.append(count(*asked))


def refused(system: System) -> None:
    """Count until it is too much."""
    with contextlib.suppress(HackjackError):
        hit(system, {}, hits=6, exact=True)


def figures(draws: int = DRAWS) -> Iterator[Figure]:
    """The times; libraries that are not installed are left out."""
    system = load_pack(find("hackjack")).system
    bare, limit = without_wounds(system), system.figures["limit"]
    cards = scores(system)
    assert isinstance(limit, int)
    results: list[Fraction] = []
    ours = seconds(lambda: results.append(Fraction(hit(bare, {}, hits=draws, exact=True)["die_by"][-1]["fraction"])))
    rivals = {"icepool's Deck.sequence": by_icepool, "dyce's expand": by_dyce}
    for name, rival in rivals.items():
        try:
            took = seconds(partial(_noted, results, rival, cards, draws, limit))
        except ImportError:
            continue
        yield Figure(f"odds of {draws} draws of bare scores", ours, name, took)
    if len(set(results)) > 1:
        raise SystemExit(f"the answers differ: {results}")
    one = median(seconds(lambda: plain_loop(cards, 1_000, limit)) for _ in range(ROUNDS))
    once = median(seconds(lambda: hit(system, {})) for _ in range(ROUNDS))
    loop = "a thousand plays by a plain loop"
    yield Figure("odds of one hit, every rule on", once, loop, one)
    for hits in (2, 3, 4):
        took = seconds(partial(hit, system, {"drawn": ["7C", "JC"]}, hits=hits))
        yield Figure(f"odds of {hits} hits in a row without 7C and JC, every rule on", took, loop, one)
    yield Figure("too many hits to count are refused", seconds(lambda: refused(system)))
    drawn: list[int] = []
    plain = seconds(lambda: drawn.append(plain_loop(cards, PLAYS, limit))) / drawn[0]
    played = seconds(lambda: hit(system, {}, plays=PLAYS)) / PLAYS
    yield Figure("one hit played a thousand times, every rule on", 1000 * played, loop, 1000 * plain)


if __name__ == "__main__":
    tell(figures(int(sys.argv[1]) if len(sys.argv) > 1 else DRAWS))
