"""How long odds and single events take where the rules are content, beside a plain loop that knows them by heart.

The loop plays a hit of the severity tables: it rolls the severity and the place, finds the row among spans, and keeps a
list of injuries; it has no effects, no log, no checks and no content. It is the same on every machine, so that the
ratios may be compared from one version to the next. All in this process, one after the other, the least of several
rounds. Run: python benchmarks/steps.py
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

from figures import Figure, tell

from generator.games import game_of
from generator.games.face import AnyGame, Asked
from generator.pack import content
from generator.play.chance import Seeded

EXAMPLES = Path(__file__).parents[1] / "docs" / "examples"
ROUNDS = 7
PLAYS = 1_000
ROWS = ((4, "bruised"), (7, "winded"), (9, "cracked"), (11, "ruined"), (14, "coma"), (99, "slain"))


def least(work: Callable[[], object]) -> float:
    """How many seconds a piece of work takes, in the quickest of some rounds."""
    found = []
    for _ in range(ROUNDS):
        begun = time.perf_counter()
        work()
        found.append(time.perf_counter() - begun)
    return min(found)


def plain_loop() -> int:
    """Hits on somebody with 3 HP, for 7 points each, one character after the other; how many died."""
    random, died = Random(1).random, 0
    for _ in range(PLAYS):
        hp, injuries, damage = 3, list[tuple[str, int]](), 7
        over, hp = max(damage - hp, 0), max(hp - damage, 0)
        severity = int(random() * 12) + 1 + over + 2 * len(injuries)
        place = int(random() * 6) + 1
        row = next(name for most, name in ROWS if severity <= most)
        injuries.append((row, place))
        died += row == "slain"
    return died


def resolved(game: AnyGame, words: list[str], state: dict[str, object], **at: str) -> Callable[[], None]:
    """Play one event so many times, each on a fresh character."""
    now, event, luck = game.read_state(state), game.read_event(words, at), Seeded(1)

    def plays() -> None:
        for _ in range(PLAYS):
            game.step(now, event, luck)

    return plays


def counted(game: AnyGame, words: list[str], state: dict[str, object], hits: int | None, **at: str) -> float:
    """How long exact odds take."""
    now, event = game.read_state(state), game.read_question(words, at)
    return least(lambda: game.odds(now, event, Asked(hits=hits)))


def figures() -> Iterator[Figure]:
    """The least times, beside the plain loop."""
    glog = game_of(content.load(content.find("glog")).system)
    keen = game_of(content.load(EXAMPLES / "keen").system)
    loop = least(plain_loop)

    def told(what: str, took: float) -> Figure:
        return Figure(what, took, f"{PLAYS:,} hits by a plain loop", loop)

    hit: list[str] = ["hit", "7"]
    yield told(f"glog, a hit resolved {PLAYS:,} times", least(resolved(glog, hit, {"hp": 3})))
    yield told("glog, odds of a hit", counted(glog, hit, {"hp": 3}, None))
    yield told("glog, odds of four hits in a row", counted(glog, hit, {"hp": 3}, 4))
    yield told(f"keen, a critical resolved {PLAYS:,} times", least(resolved(keen, ["critical"], {}, type="slash")))
    yield told("keen, odds of a critical", counted(keen, ["critical"], {}, None, type="slash"))
    yield told("keen, odds of the better of two", counted(keen, ["grievous"], {}, None, type="slash"))
    yield told("keen, odds of five in a row", counted(keen, ["critical"], {}, 5, type="slash"))


if __name__ == "__main__":
    tell(figures())
