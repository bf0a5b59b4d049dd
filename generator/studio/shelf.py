"""The shelf: systems that ship and packs of one's own, opened when somebody looks, and again when they change."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from generator.base.errors import ContentError, HackjackError, Problem, UsageError, unforeseen
from generator.base.files import Stamp, file_stamps
from generator.check import content_checks as checks
from generator.games import game_of
from generator.model.blocks import Block, OddsBlock, Panel, StepPart, Taken
from generator.model.rules import System
from generator.orders.records import table_records
from generator.pack import pack_locations, themes
from generator.pack.load import Pack, load_pack
from generator.pack.merge import watched_paths
from generator.play.event_spec import EventSpec
from generator.products import is_starter
from generator.products.looking_over import looked_over
from generator.prose.packing import POST
from generator.studio.pictures import Item, Pictures, Product
from generator.words.effects import condition_sentences
from generator.words.wording import capitalised, fill_placeholders

MAX_FAULTS = 12
"""So many faults of a pack stand on the shelf."""


@dataclass(frozen=True)
class Opened:
    """A pack that was read, the stamps of its files, the pictures of its cards, and what is wrong with the cards."""

    pack: Pack
    stamps: Stamp
    pictures: Pictures
    products: tuple[Product, ...]
    faults: tuple[Problem, ...] = ()

    @property
    def system(self) -> System:
        """The system of the pack."""
        return self.pack.system


class Shelf:
    """Systems by name."""

    def __init__(self) -> None:
        self._opened: dict[str, Opened] = {}

    def opened(self, name: str) -> Opened:
        """Return a system with its cards, read again if a file has changed. Raises HackjackError."""
        folder = pack_locations.find(name)
        known = self._opened.get(name)
        before = file_stamps(watched_paths((folder,), known.system if known else None))
        if known is not None and known.stamps == before:
            return known
        pack = checks.judged(load_pack(folder), ())
        if other := pack_locations.other_name(folder, pack.system.head.id):
            raise HackjackError(other)
        pictures = known.pictures if known else Pictures()
        after = file_stamps(watched_paths((folder,), pack.system))
        # A file that changed while it was read keeps its old stamp: the next look reads it again.
        stamps = {path: before.get(path, stamp) for path, stamp in after.items()}
        products, faults = pictures.products(pack)
        found = self._opened[name] = Opened(pack, stamps, pictures, products, faults)
        return found

    def system(self, name: str, rules: dict[str, str] | None = None) -> System:
        """Return a system under house rules. Raises ContentError, UsageError."""
        return checks.under(self.opened(name).system, tuple((rules or {}).items()))

    def spine(self, name: str) -> dict[str, Any]:
        """Return a system's entry on the shelf: its cover and products, or its errors. Raises UsageError."""
        opened, faults = self._as_it_was(name)
        if opened is None or faults:
            return _head(name) | {"faults": [str(each) for each in faults[:MAX_FAULTS]]}
        return _spine(name, opened)

    def _as_it_was(self, name: str) -> tuple[Opened | None, tuple[Problem, ...]]:
        """Return a system, and what keeps it from being read: it is then as it was before, if it ever was sound."""
        try:
            return self.opened(name), ()
        except UsageError:
            raise
        except HackjackError as error:
            whole = (Problem(name, 0, 0, str(error)),)
            return self._opened.get(name), error.problems if isinstance(error, ContentError) else whole
        except Exception as error:
            return self._opened.get(name), (Problem(name, 0, 0, unforeseen(error)),)

    def contents(self, name: str) -> dict[str, Any]:
        """Return everything to look at and search in a system: cards, panels, tables, conditions, and its events.

        While it cannot be read it is told as it was when it was sound, and what is wrong now.
        """
        opened, faults = self._as_it_was(name)
        if opened is None:
            return self.spine(name)
        system, own = opened.system, name not in pack_locations.shipped()
        return _spine(name, opened) | {
            "stale": bool(faults),
            "post": (pack_locations.find(name) / POST).is_file(),
            "found": _placed(opened, faults or opened.faults),
            "source": {"title": system.head.source.title, "author": system.head.source.author},
            "starter": is_starter(system, "starter"),
            "products": [
                {"name": each.name, "cards": each.cards, "items": [_plain_item(item, own) for item in each.items]}
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

    def picture(self, name: str, item: str, theme: str = "") -> bytes:
        """Return the picture of a card as a PNG file, also in another theme. Raises HackjackError."""
        opened, faults = self._as_it_was(name)
        if opened is None:
            raise ContentError(faults)
        return opened.pictures.draw(item, themes.named(theme, opened.system.theme) if theme else None)

    def check(self, name: str) -> list[dict[str, Any]]:
        """Return everything that is wrong with a pack, warnings last, each with the cards that it stands in."""
        looked = looked_over((pack_locations.find(name),))
        opened, _ = self._as_it_was(name)
        return [*_placed(opened, looked.problems), *_placed(opened, looked.warnings, warning=True)]


def _head(name: str) -> dict[str, Any]:
    return {"id": name, "title": name, "own": name not in pack_locations.shipped()}


def _spine(name: str, opened: Opened) -> dict[str, Any]:
    head = opened.system.head
    return _head(name) | {
        "title": head.title,
        "about": _filled(head.about, opened.system),
        "extends": head.extends,
        "prints": [(each.name, len(each.items)) for each in opened.products],
        "cover": [{"id": item.id, "stamp": item.stamp} for item in _cover(opened.products)],
    }


def _placed(opened: Opened | None, problems: Sequence[Problem], *, warning: bool = False) -> list[dict[str, Any]]:
    """Return problems with the ids of the cards and products that they stand in."""
    items = opened.pictures.holding(problems) if opened else [()] * len(problems)
    return [
        {"where": _where(each), "says": each.message, "items": ids, "warning": warning}
        for each, ids in zip(problems, items, strict=True)
    ]


def _where(place: Problem) -> str:
    return f"{place.file}:{place.line}:{place.column}" if place.line else place.file


def _plain_item(item: Item, own: bool) -> dict[str, Any]:
    names = ("id", "title", "says", "stamp", "drawn", "figures")
    return {name: getattr(item, name) for name in names} | ({"where": _where(item.place)} if own else {})


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
            title = _filled(block.title or _contents(block), system)
            yield {"title": title, "takes": _named(panel.blocks, at), "wide": block.wide}


def _contents(block: Block) -> str:
    """Return what a block without a title is called by: its fields, its steps, or what a chart counts."""
    if isinstance(block, OddsBlock):
        return capitalised(block.across.title)
    steps = [each.title for each in getattr(block, "steps", ()) if isinstance(each, StepPart) and each.title]
    labels = [each.label for each in getattr(block, "fields", ())]
    tag = str(block.__struct_config__.tag)
    return ", ".join(labels or steps) or getattr(block, "label", "") or capitalised(tag)


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
