"""Several hits in a row, said: how likely somebody is dead after each, counted exactly or played out."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from generator.games.face import Answer, Asked
from generator.words.chances import plain_chance, spoken_chance


def counted(found: Sequence[Fraction]) -> Answer:
    """The exact chances to be dead after one hit, after two and so on."""
    lines = [f"{_dead_after(number)}  {spoken_chance(share)}" for number, share in enumerate(found, 1)]
    return Answer({"method": "exact", "die_by": [plain_chance(share) for share in found]}, lines)


def played(found: Sequence[tuple[float, float]], asked: Asked) -> Answer:
    """The same from so many plays: each share with its standard error."""
    plays = asked.plays or 1
    plain = {
        "method": "played",
        "die_by": [{"p": share, "error": error} for share, error in found],
        "plays": plays,
        "seed": asked.seed,
    }
    lines = [f"{_dead_after(number)}  {share:.5f} +- {error:.5f}" for number, (share, error) in enumerate(found, 1)]
    return Answer(plain, [*lines, f"{plays:,} plays with the seed {asked.seed}: an estimate, not exact"])


def _dead_after(hits: int) -> str:
    return f"dead after {hits} {'hit ' if hits == 1 else 'hits'}"
