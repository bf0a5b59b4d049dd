"""The shelf: systems that ship and packs of one's own, opened when somebody looks, and again when they change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from generator.base.errors import ContentError, HackjackError, UsageError
from generator.base.watching import Stamp, file_stamps
from generator.check import content_checks as checks
from generator.exports.records import table_records
from generator.games import game_of
from generator.model.blocks import Panel, Taken
from generator.model.rules import System
from generator.pack import content, pack_locations
from generator.pack.content import Pack
from generator.play.event_spec import EventSpec
from generator.products import is_starter
from generator.serve.pictures import Item, Pictures, Product
from generator.words.effects import condition_sentences
from generator.words.wording import capitalised, fill_placeholders

MAX_FAULTS = 12
"""So many faults of a pack stand on the shelf."""


@dataclass(frozen=True)
class Opened:
    """A pack that was read, the stamps of its files, and the pictures of its cards."""

    pack: Pack
    stamps: Stamp
    pictures: Pictures
    products: tuple[Product, ...]

    @property
    def system(self) -> System:
        """The system of the pack."""
        return self.pack.system


class Shelf:
    """Systems by name."""

    def __init__(self) -> None:
        self._opened: dict[str, Opened] = {}

    def opened(self, name: str) -> Opened:
        """Return a system with its cards, read again if a file has changed. Raises ContentError, UsageError."""
        folder = pack_locations.find(name)
        known = self._opened.get(name)
        if known is not None and known.stamps == file_stamps(content.watched_paths((folder,), known.system)):
            return known
        pack = checks.opened((folder,), ())
        pictures = known.pictures if known else Pictures()
        stamps = file_stamps(content.watched_paths((folder,), pack.system))
        products, _ = pictures.products(pack)
        found = self._opened[name] = Opened(pack, stamps, pictures, products)
        return found

    def system(self, name: str, rules: dict[str, str] | None = None) -> System:
        """Return a system under house rules. Raises ContentError, UsageError."""
        return checks.under(self.opened(name).system, tuple((rules or {}).items()))

    def spine(self, name: str) -> dict[str, Any]:
        """Tell of a system what stands on the shelf: its cover and what it prints, or its faults. Raises UsageError."""
        own = name not in pack_locations.shipped()
        head: dict[str, Any] = {"id": name, "title": name, "own": own}
        try:
            opened = self.opened(name)
        except ContentError as error:
            return head | {"faults": [str(each) for each in error.problems[:MAX_FAULTS]]}
        except UsageError:
            raise
        except HackjackError as error:
            return head | {"faults": [str(error)]}
        system = opened.system
        return head | {
            "title": system.head.title,
            "about": _filled(system.head.about, system),
            "extends": system.head.extends,
            "prints": [(each.name, len(each.items)) for each in opened.products],
            "cover": [{"id": item.id, "stamp": item.stamp} for item in _cover(opened.products)],
        }

    def contents(self, name: str) -> dict[str, Any]:
        """Tell of a system all that is looked at and searched: cards, panels, tables, conditions, and its events."""
        spine = self.spine(name)
        if "faults" in spine:
            return spine
        opened = self.opened(name)
        system = opened.system
        return spine | {
            "source": {"title": system.head.source.title, "author": system.head.source.author},
            "starter": is_starter(system, "starter"),
            "products": [
                {"name": each.name, "cards": each.cards, "items": [_plain_item(item) for item in each.items]}
                for each in opened.products
            ],
            "panels": [
                {
                    "product": product,
                    "title": _filled(panel.title, system),
                    "panel": _named(file.panels, at),
                    "blocks": list(_blocks(panel, system)),
                }
                for product, file in system.panels
                for at, panel in enumerate(file.panels)
            ],
            "whole_tables": [{"title": table.title, "takes": table.id} for table in system.tables],
            "tables": [
                {
                    "id": table.id,
                    "title": table.title,
                    "says": table.says,
                    "rows": [{"at": row.at, "name": row.name, "text": row.text} for row in table.results],
                }
                for table in table_records(system)
            ],
            "conditions": dict(_conditions(system)),
            "events": [_event(each) for each in game_of(system).QUESTIONS.values()],
        }

    def picture(self, name: str, item: str) -> bytes:
        """Return the picture of a card as a PNG file. Raises HackjackError."""
        return self.opened(name).pictures.draw(item)


def _plain_item(item: Item) -> dict[str, Any]:
    return {"id": item.id, "title": item.title, "says": item.says, "stamp": item.stamp, "drawn": item.drawn}


def _cover(products: tuple[Product, ...]) -> list[Item]:
    """Return three cards for the cover: of the first two sets, from where their order is most mixed."""
    sets = [[item for item in each.items if item.drawn] for each in products if each.cards]
    sets = [items for items in sets if items]
    if not sets:
        return []
    cover = [sets[0][len(sets[0]) * at // 4] for at in (1, 2, 3)]
    return list(dict.fromkeys([*cover[:2], sets[1][0]] if len(sets) > 1 else cover))


def _named(entries: Sequence[Any], at: int) -> str | int:
    """Return how one of several panels or blocks is named in content: by its title, or else by its number."""
    title = entries[at].title
    return title if title and [each.title for each in entries].count(title) == 1 else at + 1


def _blocks(panel: Panel, system: System) -> Iterator[dict[str, Any]]:
    """Yield the blocks of a panel that others may take, each with its name in content."""
    for at, block in enumerate(panel.blocks):
        if not isinstance(block, Taken):
            title = _filled(block.title, system) if block.title else f"{capitalised(str(block.__struct_config__.tag))}"
            yield {"title": title, "takes": _named(panel.blocks, at), "wide": block.wide}


def _conditions(system: System) -> Iterator[tuple[str, list[str]]]:
    """Yield what each condition means that has a name, or that means more than its name says."""
    for condition in system.head.conditions.values():
        says = [str(each) for each in condition_sentences(condition, system)]
        if condition.name or (condition.brief and len(says) > 1):
            yield condition.name or capitalised(condition.brief or ""), says


_SAMPLES = {"number": "9", "signed": "6", "die": "d8", "dice": "2d6"}


def _event(spec: EventSpec) -> dict[str, str]:
    """Return an event as a form asks for it, with what it may take for an example."""
    needed = [each for each in spec.takes if not each.optional]
    sample = [_SAMPLES.get(each.kind) or next(iter(each.words), "d8") for each in needed]
    usage = spec.usage("").removesuffix("[hits K]").strip()
    return {"name": spec.name, "says": spec.says, "usage": usage, "sample": " ".join(sample)}


def _filled(text: str, system: System) -> str:
    try:
        return fill_placeholders(text, system)
    except (KeyError, HackjackError):
        return text
