"""How choices fall while odds are counted: by a formula of the event in which somebody chooses, one step ahead."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from generator.model.formulas import Formula
from generator.model.rules import AnyEffect, Choose, DrawCard
from generator.play.chance import Policy


def chooses(effect: AnyEffect) -> bool:
    """Return whether somebody may choose at a step."""
    return isinstance(effect, Choose) or (isinstance(effect, DrawCard) and effect.keep is not None and not effect.best)


def weighs(policy: Policy, better: Formula | None) -> bool:
    """Return whether options are compared, by what an event says is better."""
    return policy in ("best", "worst") and better is not None


def ranked(worths: Sequence[Fraction | int], policy: Policy) -> list[int]:
    """Return the places of options, what the policy takes first; of equals the first as written."""
    return sorted(range(len(worths)), key=lambda at: worths[at] if policy == "worst" else -worths[at])
