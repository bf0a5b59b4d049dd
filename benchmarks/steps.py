"""How long odds and single events take where the rules are content, beside a plain loop that knows them by heart.

The loop plays a hit of the severity tables: it rolls the severity and the place, finds the row among spans, and keeps a
list of injuries; it has no effects, no log, no checks and no content. It is the same on every machine, so that the
ratios may be compared from one version to the next. All in this process, one after the other, the least of several
rounds of processor time. Odds are asked first of content that nobody has asked yet, and again.
Run: python benchmarks/steps.py
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from figures import Figure, tell

from generator.games import game_of
from generator.games.face import AnyGame, Asked
from generator.pack.load import load_pack
from generator.pack.pack_locations import find
from generator.play.chance import Seeded

EXAMPLES = Path(__file__).parents[1] / "docs" / "examples"
ROUNDS = 7
PLAYS = 1_000
ROWS = ((4, "bruised"), (7, "winded"), (9, "cracked"), (11, "ruined"), (14, "coma"), (99, "slain"))


def least(work: Callable[[], object]) -> float:
    """How many seconds a piece of work takes, in the quickest of some rounds."""
    found = []
    for _ in range(ROUNDS):
        begun = time.process_time()
        work()
        found.append(time.process_time() - begun)
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


def counted(pack: Path | str, words: list[str], state: dict[str, Any], hits: int | None, **at: str) -> list[float]:
    """How long exact odds take: first, with content as it was loaded, and again."""
    firsts = []
    for _ in range(ROUNDS):
        game = game_of(load_pack(find(pack) if isinstance(pack, str) else pack).system)
        now, event = game.read_state(state), game.read_question(words, at)
        begun = time.process_time()
        game.odds(now, event, Asked(hits=hits, exact=True))
        firsts.append(time.process_time() - begun)
    return [min(firsts), least(lambda: game.odds(now, event, Asked(hits=hits, exact=True)))]


def different(folder: Path) -> Path:
    """A deck of 52 cards, each with a condition of its own and points, and four that draw more; over 21 points kill."""
    names = [f"{rank}{suit}" for suit in "CSDH" for rank in (*"A23456789", "10", *"JQK")]
    cards = []
    for at, name in enumerate(names):
        effects = [f"suffer c{at} for 1d6 days", f"score += {min(at % 13 + 1, 10)}"]
        effects += [f"draw {2 - at % 2} from deck"] if at % 13 == 5 else []
        cards.append({"code": name, "name": f"Card {at}", "effects": effects})
    dies = "if score > 21: die"
    system = {
        "id": "different",
        "title": "Different",
        "version": "1.0",
        "about": "Every card does something else.",
        "source": {"title": "Different", "author": "Nobody", "licence": "CC0"},
        "procedure": {"kind": "steps", "numbers": {"score": {"name": "Score"}}},
        "conditions": {f"c{at}": {"name": f"C{at}", "says": f"You bear {at}", "brief": f"c{at}"} for at in range(52)},
        "events": {"hit": {"says": "a hit", "do": ["draw from deck", dies]}},
    }
    (folder / "system.yaml").write_text(json.dumps(system), encoding="utf-8")
    (folder / "deck.yaml").write_text(json.dumps({"title": "Deck", "cards": cards}), encoding="utf-8")
    return folder


def deadlands(folder: Path) -> Path:
    """The rules of Deadlands as steps, which the tests keep."""
    sys.path.append(str(Path(__file__).parents[1] / "tests"))
    for name, part in import_module("games.test_deadlands_steps").written_pack().items():
        (folder / f"{name}.yaml").write_text(json.dumps(part), encoding="utf-8")
    return folder


def figures() -> Iterator[Figure]:
    """The least times, beside the plain loop."""
    glog = game_of(load_pack(find("glog")).system)
    keen = game_of(load_pack(EXAMPLES / "keen").system)
    loop = least(plain_loop)

    def told(what: str, took: float) -> Figure:
        return Figure(what, took, f"{PLAYS:,} hits by a plain loop", loop)

    def both(what: str, took: list[float]) -> Iterator[Figure]:
        yield from (told(f"{what}, {when}", each) for when, each in zip(("first", "again"), took, strict=True))

    hit: list[str] = ["hit", "7"]
    yield told(f"glog, a hit resolved {PLAYS:,} times", least(resolved(glog, hit, {"hp": 3})))
    yield from both("glog, odds of a hit", counted("glog", hit, {"hp": 3}, None))
    yield from both("glog, odds of three hits in a row", counted("glog", hit, {"hp": 3}, 3))
    yield told(f"keen, a critical resolved {PLAYS:,} times", least(resolved(keen, ["critical"], {}, type="slash")))
    yield from both("keen, odds of a critical", counted(EXAMPLES / "keen", ["critical"], {}, None, type="slash"))
    yield from both("keen, odds of the better of two", counted(EXAMPLES / "keen", ["grievous"], {}, None, type="slash"))
    yield from both("keen, odds of five in a row", counted(EXAMPLES / "keen", ["critical"], {}, 5, type="slash"))
    wounds = {"conditions": [{"condition": name, "until": "15 rounds"} for name in ("burning", "bleeding")]}
    yield from both(
        "keen, odds of twenty rounds of bleeding", counted(EXAMPLES / "keen", ["round", "20"], wounds, None)
    )
    with TemporaryDirectory() as folder:
        pack = different(Path(folder))
        yield from both("52 cards of 52 effects, all odds of a hit", counted(pack, ["hit"], {}, None))
    with TemporaryDirectory() as folder:
        pack, words = deadlands(Path(folder)), ["incapacitation", "d8"]
        took = counted(pack, words, {"standing": "incapacitated"}, None, hard="yes")
        yield from both("Deadlands as steps, odds of incapacitation", took)


if __name__ == "__main__":
    tell(figures())
