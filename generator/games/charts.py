"""Pictures of the odds, counted by the engine and never typed in: one module for each kind of procedure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, TypeAlias, cast

from generator.model.rules import System

if TYPE_CHECKING:
    # Whoever only looks for names, as a resolver command does, need not load what pictures are made of.
    from generator.layout.panel_elements import Picture

ChartMaker: TypeAlias = "Callable[[System], Picture]"

NAMES: Mapping[str, tuple[str, ...]] = {
    "harm": ("die_by_score", "hits_by_score"),
    "blackjack": ("strategy_hard", "strategy_soft", "stand_from", "bust_by_total", "win_by_up_card"),
    "field": ("pairs_by_columns", "columns_by_allies", "threshold_by_magic", "open_on_field"),
    "injuries": (
        "severity_by_damage",
        "severity_by_injuries",
        "slain_by_damage",
        "breakdown_by_characters",
        "stable_by_rounds",
    ),
    "traits": (
        "success_by_target",
        "raise_by_target",
        "extra_by_target",
        "extremes_by_die",
        "fate_by_card",
        "luck_by_range",
        "marker_by_die",
        "soak_by_die",
        "incapacitation_by_die",
    ),
}
"""The charts of each kind by name: what `shows` may say. The makers stand in `generator.games.charts.<kind>.CHARTS`."""


def charts_of(system: System) -> Mapping[str, ChartMaker]:
    """The makers of a system's charts by name."""
    return cast("Mapping[str, ChartMaker]", import_module(f"generator.games.charts.{system.kind}").CHARTS)


def blanks_of(system: System) -> Mapping[str, ChartMaker]:
    """Makers of pictures without figures, for those charts whose size depends on what they show (`BLANKS`)."""
    module = import_module(f"generator.games.charts.{system.kind}")
    return cast("Mapping[str, ChartMaker]", getattr(module, "BLANKS", {}))
