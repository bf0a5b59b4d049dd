"""What a pack takes from other systems: blocks for its panels, and cards for its mixed sheets."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from generator.base.errors import HackjackError, did_you_mean
from generator.model.blocks import AnyBlock, Panel, PanelsFile, Prose, TableBlock, Taken
from generator.model.printed_files import MixedFile, TakenCard
from generator.model.rules import MIXED, System

Trail = tuple[str | int, ...]
TABLES = "tables"
"""Of a system: all its tables, as if they stood on panels."""


def takings(system: System) -> Iterator[tuple[str, Trail, str, Taken | None]]:
    """Yield each card and block that a system takes: its file, its place there, where it is from, and the block."""
    for number, card in enumerate(system.mixed.cards if system.mixed else ()):
        yield f"{MIXED}.yaml", ("cards", number), card.from_, None
    for name, file in system.panels:
        for at, panel in enumerate(file.panels):
            for number, block in enumerate(panel.blocks):
                if isinstance(block, Taken):
                    yield f"{name}.yaml", ("panels", at, "blocks", number), block.from_, block


def taken_block(block: Taken, system: System) -> tuple[System, AnyBlock]:
    """Return the block that is meant, and the system that it belongs to. Raises HackjackError if it is not there."""
    name, _, product = block.from_.partition("/")
    other = system.others[name]
    if product == TABLES and block.panel is None:
        table = other.table(str(block.takes))
        if table is None:
            hint = did_you_mean(str(block.takes), [each.id for each in other.tables])
            raise HackjackError(f'{name} has no table "{block.takes}"{hint}')
        return other, TableBlock(table=table.id, title=table.title)
    files = dict(other.panels)
    if product not in files:
        raise HackjackError(f'{name} has no panels "{product}"{did_you_mean(product, files)}')
    if block.panel is None:
        raise HackjackError("the panel is missing: write its title or its number")
    panel = entry(block.panel, files[product].panels, f"{block.from_} has no panel")
    found: AnyBlock = entry(block.takes, panel.blocks, f'the panel "{panel.title}" has no block')
    if isinstance(found, Taken):
        raise HackjackError(f"this block is {found.from_.partition('/')[0]}'s: take it from there")
    return other, found


def taking(
    system: System, others: Mapping[str, System], cards: Sequence[TakenCard], panels: Sequence[Panel], title: str
) -> System:
    """Return a system with cards of others as its mixed set, and with panels of their blocks as its screen."""
    screen = {"screen": PanelsFile(title=title, panels=tuple(panels))} if panels else {}
    return system.with_side_files(
        mixed=MixedFile(title=title, cards=tuple(cards)) if cards else system.mixed,
        panels=tuple((dict(system.panels) | screen).items()),
        others={**system.others, **others},
    )


def without_takings(system: System, lacking: Collection[Trail]) -> System:
    """Return a system with stand-ins for blocks that cannot be had, and without such cards; each by file and place."""
    standing = Prose(text=("Something.",))

    def panels(name: str, file: PanelsFile) -> PanelsFile:
        def block(at: int, number: int, block: AnyBlock) -> AnyBlock:
            return standing if (f"{name}.yaml", "panels", at, "blocks", number) in lacking else block

        kept = (
            replace(panel, blocks=tuple(block(at, number, each) for number, each in enumerate(panel.blocks)))
            for at, panel in enumerate(file.panels)
        )
        return replace(file, panels=tuple(kept))

    cards = system.mixed.cards if system.mixed else ()
    kept = tuple(card for at, card in enumerate(cards) if (f"{MIXED}.yaml", "cards", at) not in lacking)
    return system.with_side_files(
        panels=tuple((name, panels(name, file)) for name, file in system.panels),
        mixed=replace(system.mixed, cards=kept) if system.mixed and kept else None,
    )


def entry(which: str | int, entries: Sequence[Any], lacking: str) -> Any:
    """Return the entry with that title, or with that number. Raises HackjackError."""
    if isinstance(which, int):
        if which > len(entries):
            raise HackjackError(f"{lacking} {which}: there are {len(entries)}")
        return entries[which - 1]
    titles = {each.title: each for each in entries if each.title}
    if which not in titles:
        raise HackjackError(f'{lacking} "{which}"{did_you_mean(which, titles)}')
    return titles[which]
