"""Charts that are counted once: those of the systems that ship lie beside these, all others in the user's folder.

A chart is found by what it reads: the rules without what is only looked at or read, the choices, and the question. A
chart of the user's folder is counted again once this program is another; those that ship are compared by the tests.
A chart that was kept is the same as one that is counted anew, so a folder that cannot be read or written is left alone.
"""

from collections.abc import Callable, Iterable
from contextlib import suppress
from fractions import Fraction
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec

import generator
from generator.base.errors import HackjackError
from generator.base.files import data_root, first_bytes, save_file
from generator.model.blocks import Axis, OddsBlock, ScaleBlock
from generator.model.rules import System, SystemFile, per_system
from generator.pack.load import NOT_PLAYED
from generator.pack.pack_locations import user_folder

FOLDER = "charts"
MAX_KEPT = 400
"""So many charts are kept; the oldest go first."""
MAX_BYTES = 1_000_000
"""A file of charts that has more bytes is none of ours."""

SHIPPED = "charts.json"
"""The charts of a system that ships, in its folder; `docs/make_charts.py` makes it."""

LOOKS = {
    *("art", "back", "emblem", "emblems", "flavour", "note", "notes", "placed", "for_good_says"),
    *("says", "title", "brief", "short", "means", "point", "ours", "source", "caption", "reconstructed"),
    *("log", "newcomer", "line", "sheet", "height", "sample"),
}
"""Fields that are only looked at or read: no chance depends on them."""
LOOKS_OF: dict[type, set[str]] = {
    SystemFile: {*NOT_PLAYED, "id"},
    OddsBlock: {"rules", "wide", "column", "below"},
    ScaleBlock: {"rules", "wide", "column", "below", "ends"},
    Axis: {"label"},
}
"""Further such fields of some types."""

Shares = dict[str, Fraction | float]


class KeptChart(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The shares in each field of a chart, in order; exact ones are fractions."""

    fields: list[dict[str, str | float]]
    plays: int = 0
    error: float = 0.0


def kept_chart(system: System, block: OddsBlock, work: int, count: Callable[[], KeptChart]) -> KeptChart:
    """Return the chart of a block, or count it with so much work and keep it. Raises what counting raises."""
    key = chart_key(system, block)
    if (chart := shipped_charts().get(key)) is not None:
        return chart
    name = f"{sha256(_program() + f'{key} {work}'.encode()).hexdigest()[:32]}.json"
    chart = _read(name)
    if chart is None:
        chart = count()
        with suppress(HackjackError, OSError):
            save_file(msgspec.json.encode(chart), user_folder() / FOLDER / name)
            _sweep(user_folder() / FOLDER)
    return chart


@cache
def shipped_charts() -> dict[str, KeptChart]:
    """Return the charts of all systems that ship, by their keys. A pack's own are not believed: it may be anybody's."""
    files = sorted((data_root() / "content").glob(f"*/{SHIPPED}"))
    return {key: chart for path in files for key, chart in read_charts(path).items()}


def read_charts(path: Path) -> dict[str, KeptChart]:
    """Return the charts of a file, by their keys."""
    return msgspec.json.decode(first_bytes(path, str(path), MAX_BYTES), type=dict[str, KeptChart])


def _read(name: str) -> KeptChart | None:
    """Return a chart that was kept; None where there is none that can be read."""
    try:
        path = user_folder() / FOLDER / name
        chart = msgspec.json.decode(first_bytes(path, str(path), MAX_BYTES), type=KeptChart)
        for each in chart.fields:
            read_shares(each)
    except (HackjackError, OSError, ArithmeticError, ValueError):
        return None
    return chart


def plain_shares(shares: Iterable[tuple[str, Fraction | float]]) -> dict[str, str | float]:
    """Return shares as they are kept."""
    return {name: str(share) if isinstance(share, Fraction) else share for name, share in shares}


def read_shares(kept: dict[str, str | float]) -> Shares:
    """Return shares from what was kept. Raises ValueError, ArithmeticError for what is none."""
    return {name: Fraction(share) if isinstance(share, str) else share for name, share in kept.items()}


def chart_key(system: System, block: OddsBlock) -> str:
    """Return what a chart is found by: a checksum of all that it reads."""
    # A scale is the chart of its question.
    question = msgspec.json.encode({**_counted(block), "": OddsBlock.__name__}, enc_hook=str)
    return sha256(_counted_content(system) + question).hexdigest()[:32]


@per_system
def _counted_content(system: System) -> bytes:
    parts = (system.head, system.deck, system.decks, system.tables, system.house_rules, system.usual)
    return msgspec.json.encode(_counted(parts), enc_hook=str)


def _counted(value: Any) -> Any:
    """Return content as plain data, without what is only looked at or read, and what nobody wrote."""
    if isinstance(value, msgspec.Struct):
        written = ((name, getattr(value, name), default) for name, default in _counted_fields(type(value)))
        fields = {name: _counted(each) for name, each, default in written if each != default}
        return {"": type(value).__name__, **fields}
    if isinstance(value, dict):
        return {str(key): _counted(each) for key, each in value.items()}
    return [*map(_counted, value)] if isinstance(value, tuple | list) else value


@cache
def _counted_fields(kind: type[msgspec.Struct]) -> list[tuple[str, Any]]:
    """Return what is counted of a type, each with its default: a key that comes new to it leaves charts as they are."""
    only_seen = LOOKS | LOOKS_OF.get(kind, set())
    return [
        (each.name, each.default if each.default_factory is msgspec.NODEFAULT else each.default_factory())
        for each in msgspec.structs.fields(kind)
        if each.name not in only_seen
    ]


@cache
def _program() -> bytes:
    """Return a checksum of this program: chances are those that this very version counts."""
    root = Path(generator.__file__).parent
    files = ((path.relative_to(root).as_posix(), path.stat()) for path in sorted(root.rglob("*.py")))
    return sha256(repr([(name, stat.st_size, stat.st_mtime_ns) for name, stat in files]).encode()).digest()


def _sweep(folder: Path) -> None:
    kept = sorted(folder.glob("*.json"), key=lambda path: path.stat().st_mtime_ns)
    for path in kept[: max(len(kept) - MAX_KEPT, 0)]:
        path.unlink(missing_ok=True)
