"""Exact chances: the engine run under every outcome, one module for each kind of procedure; and how they are shown."""

from collections.abc import Iterable
from fractions import Fraction
from math import floor
from typing import Any, TypeAlias, TypeVar

from generator.base.errors import HackjackError

MAX_DIGITS = 4000
"""Of the longer half of a fraction; Python itself writes no more than 4300."""
_MAX_DENOMINATOR = 10**MAX_DIGITS


Key = TypeVar("Key")
Quantity: TypeAlias = Fraction | float
"""A number that a picture shows: exact where it was counted, and a float where it was played out."""
Weight = TypeVar("Weight", int, Fraction)


def summed_weights(pairs: Iterable[tuple[Key, Weight]]) -> dict[Key, Weight]:
    """Return the weight of each key, added up over all the ways to it."""
    sums: dict[Key, Weight] = {}
    for key, weight in pairs:
        sums[key] = sums[key] + weight if key in sums else weight
    return sums


def writable_share(share: Fraction) -> Fraction:
    """A chance that can be written down. Raises HackjackError for a fraction that is too long: nothing is rounded."""
    if share.denominator >= _MAX_DENOMINATOR:
        raise HackjackError(
            f"the exact chance is a fraction of more than {MAX_DIGITS:,} digits: ask for fewer rounds, tries or wounds"
        )
    return share


def plain_chance(share: Fraction) -> dict[str, Any]:
    """Return a chance for JSON: exact, and as a decimal. Raises HackjackError for a fraction that is too long."""
    writable_share(share)
    return {"fraction": f"{share.numerator}/{share.denominator}", "p": float(share)}


def plain_estimate(share: Quantity, error: float) -> dict[str, Any]:
    """Return a share of plays for JSON, with one standard error in place of the fraction."""
    return {"p": float(share), "error": error}


def spoken_chance(share: Fraction) -> str:
    """Return a chance for people: the decimal, and the fraction where it is short enough to read."""
    exact = f" = {share.numerator}/{share.denominator}" if share.denominator < 10**9 else ""
    return f"{float(share):8.4%}{exact}"


def spoken_estimate(share: Quantity, error: float) -> str:
    """Return a share of plays for people, with one standard error."""
    return f"{float(share):8.4%} +- {error:.4%}"


def chance_percent(share: Quantity, decimals: int = 0) -> str:
    """Return a chance in per cent with so many decimals, halves rounded up.

    Never 0 for what can happen nor 100 for what can fail: `<1` and `>99` instead, or with a decimal `<0.1` and `>99.9`.
    """
    # From the fraction itself: a float would round 0.5 % off one way or the other.
    least = Fraction(1, 10**decimals)
    rounded = f"{float(floor(Fraction(share) * 100 / least + Fraction(1, 2)) * least):.{decimals}f}"
    if share > 0 and Fraction(rounded) == 0:
        return f"<{float(least):.{decimals}f}"
    return f">{float(100 - least):.{decimals}f}" if share < 1 and Fraction(rounded) == 100 else rounded
