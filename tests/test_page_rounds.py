"""A round of every system on the page, by taps alone, and the terminal as the second witness.

What is tapped has to come to the state that `play show` tells, and typing the log of the page has to come to it again.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from browsing import IN_A_BROWSER, Page, link
from helpers import ROOT, run
from served import Served, serving

from generator.pack import content
from generator.session.journal import MARK

pytestmark = IN_A_BROWSER


@dataclass
class Step:
    """An event, for somebody, with values of its arguments; and the cards that are drawn in it, if they matter."""

    event: str
    who: str = ""
    values: dict[str, str] = field(default_factory=dict)
    cards: Sequence[str] = ()
    choices: Sequence[int] = ()


ROUNDS: dict[str, list[Step]] = {
}
