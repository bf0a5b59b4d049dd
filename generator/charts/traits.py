"""The odds of Deadlands 1876 that a screen shows as pictures: counted by the engine, never typed in."""

from __future__ import annotations

from generator.charts import ChartMaker

CHARTS: dict[str, ChartMaker] = {}
