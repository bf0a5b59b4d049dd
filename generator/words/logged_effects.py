"""Lines for what effects do besides wounds, whatever the procedure: rolls on which something depends."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from generator.model.rules import System
from generator.words.wording import showing

Facts = dict[str, Any]


def _maybe(facts: Facts, system: System) -> str:
    del system
    verdict = "it comes about" if facts["happens"] else "it does not come about"
    return f"{facts['die']} shows {facts['rolled']}, and {showing(facts['upto'])} brings more: {verdict}."


def _grip(facts: Facts, system: System) -> str:
    del system
    verdict = "it falls" if facts["falls"] else "it stays"
    return f"Held in both hands: {facts['die']} shows {facts['rolled']}, and {verdict}."


EFFECT_LINES: dict[str, Callable[[Facts, System], str]] = {"maybe": _maybe, "grip": _grip}
