"""Several hits in a row, said: how likely somebody is dead after each, counted exactly or played out."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from generator.games.face import Asked, OddsAnswer
from generator.words.chances import plain_chance, spoken_chance


def exact_answer(shares: Sequence[Fraction]) -> OddsAnswer:
    """Return the exact chances to be dead after one hit, after two and so on."""
    lines = [f"{_dead_after(number)}  {spoken_chance(share)}" for number, share in enumerate(shares, 1)]
    return OddsAnswer({"method": "exact", "die_by": [plain_chance(share) for share in shares]}, lines)


def played_answer(shares: Sequence[tuple[float, float]], how: Asked) -> OddsAnswer:
    """Return the same from so many plays: each share with its standard error."""
    plays = how.plays or 1
    plain = {
        "method": "played",
        "die_by": [{"p": share, "error": error} for share, error in shares],
        "plays": plays,
        "seed": how.seed,
    }
    lines = [f"{_dead_after(number)}  {share:.5f} +- {error:.5f}" for number, (share, error) in enumerate(shares, 1)]
    return OddsAnswer(plain, [*lines, f"{plays:,} plays with the seed {how.seed}: an estimate, not exact"])


def _dead_after(hits: int) -> str:
    return f"dead after {hits} {'hit ' if hits == 1 else 'hits'}"
