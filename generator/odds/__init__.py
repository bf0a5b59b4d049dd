"""Exact chances: the engine run under every outcome, one module for each kind of procedure; and how they are shown."""

from __future__ import annotations

from fractions import Fraction
from typing import Any


def chance(share: Fraction) -> dict[str, Any]:
    """A chance for JSON: exact, and as a decimal."""
    return {"fraction": f"{share.numerator}/{share.denominator}", "p": float(share)}


def spoken(share: Fraction) -> str:
    """A chance for people: the decimal, and the fraction where it is short enough to read."""
    exact = f" = {share.numerator}/{share.denominator}" if share.denominator < 10**9 else ""
    return f"{float(share):8.4%}{exact}"
