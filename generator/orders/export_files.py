"""Which module makes the files of each target that takes pictures or data."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from generator.layout import targets
from generator.orders import card_pictures, csv_files, foundry, pcio, records, roll20, shops, tabletop
from generator.orders.job import File, Job

EXPORTERS: Mapping[str, Callable[[Job, Any], Iterable[File]]] = {
    "csv": csv_files.csv_files,
    "foundry": foundry.foundry_files,
    "json": records.json_files,
    "pcio": pcio.pcio_files,
    "pictures": shops.shop_files,
    "png": card_pictures.png_files,
    "roll20": roll20.roll20_files,
    "tabletop": tabletop.tabletop_files,
}
"""By a target's form. Each makes the files of a job for that target; errors come before the first file."""


def export_files(job: Job, target: targets.ExportTarget) -> Iterable[File]:
    """Make the files of a set of cards, or the data of a system, for a target. Raises HackjackError."""
    return EXPORTERS[target.form](job, target)
