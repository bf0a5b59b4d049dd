"""Plurals of nouns, and the way back from units of time."""

from __future__ import annotations

_HISSING = ("s", "x", "z", "ch", "sh")


def plural(noun: str) -> str:
    """Return the plural of a noun: `Critical wounds`, `injuries`."""
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith(_HISSING) else f"{noun}s"


def unit_of(word: str) -> str:
    """Return a unit of time from its singular or plural: `watches` becomes `watch`."""
    if word.endswith("ies"):
        return f"{word[:-3]}y"
    return word[:-2] if word.endswith(("ches", "shes")) else word.removesuffix("s")
