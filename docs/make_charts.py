"""Count the charts of the systems that ship, into `charts.json` beside their rules: `python docs/make_charts.py`.

Charts whose rules and question are the same as before are kept; with `--all` they are counted again, too. That takes
some minutes.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec

from generator.base.files import data_root, save_file
from generator.check.kept_charts import SHIPPED, chart_key, read_charts
from generator.check.quoted_odds import chart_to_ship
from generator.model.blocks import OddsBlock
from generator.model.rules import System
from generator.pack.load import load_pack
from generator.pack.pack_locations import shipped


def charts_of(system: System) -> Iterator[OddsBlock]:
    """Yield the charts of a system's panels."""
    for _, file in system.panels:
        for panel in file.panels:
            yield from (block for block in panel.blocks if isinstance(block, OddsBlock))


def make(folder: Path, *, anew: bool) -> None:
    """Write the charts of a system into its folder."""
    system, path = load_pack(folder).system, folder / SHIPPED
    charts = {} if anew or not path.exists() else read_charts(path)
    made = {}
    for block in charts_of(system):
        key = chart_key(system, block)
        chart = charts.get(key) or chart_to_ship(block, system)
        if chart is not None:
            made[key] = chart
    if made:
        save_file(msgspec.json.format(msgspec.json.encode(made), indent=1) + b"\n", path)
    else:
        path.unlink(missing_ok=True)


if __name__ == "__main__":
    for name in shipped():
        make(data_root() / "content" / name, anew="--all" in sys.argv[1:])
