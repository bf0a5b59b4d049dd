"""The print desk: the form of an order, its files in a folder of their own, and their pages as pictures."""

from hashlib import blake2b
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter

import msgspec
from msgspec import Struct

from generator.base.errors import UsageError
from generator.base.files import file_inside, first_bytes, save_file, written_whole
from generator.base.zip_files import write_archive
from generator.games import card_products
from generator.layout import sheets
from generator.layout.targets import ShopTarget, targets_by_name
from generator.model import taken
from generator.model.blocks import ChancesBlock, Chart, OddsBlock, Panel, Taken
from generator.model.rules import MIXED, System
from generator.orders import build, png
from generator.orders.job import is_for_target
from generator.orders.options import HOME, LABELS, LOOKS, Option, parts_of, supported_options
from generator.orders.order import order_of
from generator.pack import founding, pack_locations, scaffold, themes
from generator.products import REFERENCE_CARDS, is_for_sheets, products_of
from generator.studio.shelf import Shelf
from generator.studio.wishes import MAX_FILE, MAX_SMALL, Keeping, KeptPrint, MadeFile, Wish, card_count
from generator.studio.writing import Writing

_TOLD = "told.json"


class Control(Struct, frozen=True):
    """A control of the form: what it is called, what it does, and the values that it may have, each with its label."""

    name: str
    kind: str
    label: str
    says: str
    group: str
    values: tuple[tuple[str, str], ...] = ()
    usual: str = ""
    least: float = 0
    most: float | None = None


def controls(system: System, product: str, target: str) -> tuple[Control, ...]:
    """Return the controls of the options that a product supports for a target. Raises UsageError."""
    known = targets_by_name()
    if target not in known:
        raise UsageError(f'there is no target "{target[:40]}"')
    supported = {option.name: option for option in supported_options(system, product, target)}
    sets = {*parts_of(system, product)} & {*card_products.printed_sets(system)}
    if not any(card_products.card_set(system, name).spare for name in sets):
        # Sets without jokers support the option, and nothing comes of it.
        supported.pop("jokers", None)
    return tuple(_control(supported[name], system, product) for name in LABELS if name in supported)


def _control(option: Option, system: System, product: str) -> Control:
    label = LABELS[option.name]
    usual, values, says = option.usual, tuple(zip(option.values, label.words, strict=True)), label.says
    match option.name:
        case "target":
            at_home = is_for_sheets(system, product)
            fitting = {name: each for name, each in targets_by_name().items() if not (at_home and each.cards_alone)}
            if find_spec("pikepdf") is None:  # A page in a browser cannot have it.
                fitting = {name: each for name, each in fitting.items() if not isinstance(each, ShopTarget)}
                says += " PDF/X for print shops needs the program on a computer."
            values = tuple((name, f"{name}: {each.says}") for name, each in fitting.items())
        case "paper":
            usual, values = "a4", tuple((name, name.capitalize()) for name in sheets.paper_sizes())
        case "theme":
            own = {system.theme.id: system.theme} | themes.shipped()
            usual, values = system.theme.id, tuple((name, f"{name}: {each.about}") for name, each in own.items())
        case "card":
            sizes = sheets.card_sizes().items()
            values = tuple((name, f"{name}, {size.width:g} by {size.height:g} mm") for name, size in sizes)
        case _:
            pass
    if values and usual is None:
        values = (("", "Default"), *values)
    return Control(
        name=option.name,
        kind="one" if values else option.kind,
        label=label.name,
        says=says,
        group="looks" if option.name in LOOKS else "paper",
        values=values,
        usual="" if usual in (None, False) else str(usual),
        least=option.least,
        most=option.most,
    )


class Desk:
    """Prints wishes into a folder; each print has a folder of its own there, named for what it was made of."""

    def __init__(self, shelf: Shelf, writing: Writing) -> None:
        self._shelf, self._writing = shelf, writing

    def controls(self, wish: Wish) -> bytes:
        """Return the form of a wish as JSON. Raises UsageError."""
        system = self._system(wish)
        return msgspec.json.encode(controls(system, wish.product, wish.options.get("target", HOME)))

    def _system(self, wish: Wish) -> System:
        """Return the system of a wish under its house rules, with what it takes of others. Raises HackjackError."""
        system = self._shelf.system(wish.system, wish.rules)
        if wish.cards or wish.panels:
            system = self._taking(system, wish)
        if wish.product not in products_of(system) and not is_for_sheets(system, wish.product):
            raise UsageError(f'{wish.system} has no product "{wish.product[:40]}"')
        return system

    def _taking(self, system: System, wish: Wish) -> System:
        names = _taken_from(wish)
        others = {name: self._shelf.system(name) for name in names}
        panels = [Panel(title=page.title, columns=page.columns, blocks=page.blocks) for page in wish.panels]
        taking = taken.taking(system, others, wish.cards, panels, wish.title)
        for page in wish.panels:
            for block in page.blocks:
                if isinstance(block, Taken):
                    taken.taken_block(block, taking)
        for card in wish.cards:
            card_products.taken_card(card, taking)
        return taking

    def keep(self, keeping: Keeping) -> dict[str, str]:
        """Keep a mixed sheet or a screen in a pack of the user's. Raises HackjackError."""
        wish, pack = keeping.wish, keeping.pack
        system = self._system(wish)
        product = MIXED if wish.cards else "screen"
        noun = system.mixed if wish.cards else dict(system.panels)["screen"]
        if not (wish.cards or wish.panels) or noun is None:
            raise UsageError("Choose a card or a block first.")
        file, text = f"{product}.yaml", scaffold.file_text(noun)
        if pack not in pack_locations.installed():
            name = founding.pack_name(pack)
            founding.place(name.id, scaffold.taking(name, self._shelf.opened(wish.system).pack, {file: text}))
            return {"pack": name.id, "title": name.title, "product": product}
        if (pack_locations.find(pack) / file).exists() and not keeping.replace:
            raise UsageError(f"{pack} already has a {file}. Replace it, or choose another pack.")
        return {"pack": pack, "title": self._writing.put(pack, {file: text.encode()}), "product": product}

    def print(self, wish: Wish, folder: str, soon: bool) -> bytes | None:
        """Print a wish, unless that was done; return what became of it as JSON. Raises HackjackError.

        If it is to be there `soon`, nothing comes of what has odds to count, or very many cards. What ships is counted.
        """
        opened = [self._shelf.opened(name) for name in (wish.system, *_taken_from(wish))]
        stamps = sorted({(str(path), stamp) for each in opened for path, stamp in each.stamps.items()})
        job = blake2b(msgspec.json.encode((wish, str(stamps))), digest_size=12).hexdigest()
        target = Path(folder) / job
        if (target / _TOLD).exists():
            return first_bytes(target / _TOLD, _TOLD, MAX_FILE)
        began = perf_counter()
        system = self._system(wish)
        counted = not wish.rules and {wish.system, *_taken_from(wish)} <= {*pack_locations.shipped()}
        if soon and (card_count(wish) > MAX_SMALL or (not counted and _counts(system, wish.product))):
            return None
        order = order_of({**wish.options, "only": tuple(wish.counts)}, system, wish.product)
        noun = system.mixed if wish.cards else dict(system.panels)["screen"] if wish.panels else None
        own = {f"{MIXED if wish.cards else 'screen'}.yaml": scaffold.file_text(noun).encode()} if noun else {}
        made = build.build_order(msgspec.structs.replace(order, counts=wish.counts, own_files=own))
        for file in made.files:
            save_file(file.data, target / file.name)
        warnings = made.warnings
        files = tuple(MadeFile(each.name, len(each.data), each.pages or 0, each.size) for each in made.files)
        advice = build.advice(order, made.files)
        if not is_for_target(order):
            pages = sum(file.pages or 0 for file in made.files)
            advice = (f"Print {'1 page' if pages == 1 else f'{pages} pages'} at 100 %, on one side of plain paper.",)
        printed = KeptPrint(job, files, advice, warnings, made.left_out, round(perf_counter() - began, 3))
        told = msgspec.json.encode(printed)
        save_file(told, target / _TOLD)
        return told

    def page(self, folder: str, file: str, number: int, dpi: int) -> bytes:
        """Return a page of a file of a print as a PNG file. Raises HackjackError."""
        pdf = first_bytes(file_inside(Path(folder), file), file, MAX_FILE)
        if not 0 <= number < png.page_count(pdf):
            raise UsageError("that page does not exist")
        (image,) = png.page_pictures(pdf, dpi, only=(number,))
        return png.png_bytes(image, dpi)

    def parcel(self, files: dict[str, str], path: str) -> None:
        """Pack files, by their names in it, into a ZIP. Raises DiskError."""
        with written_whole(Path(path)) as stream:
            write_archive(stream, {name: Path(file) for name, file in files.items()})


def _counts(system: System, product: str) -> bool:
    """Return whether odds are counted for a product."""
    parts = [name.removesuffix("-cards") if name == REFERENCE_CARDS else name for name in parts_of(system, product)]
    blocks = (block for name, file in system.panels if name in parts for panel in file.panels for block in panel.blocks)
    found = (taken.taken_block(block, system)[1] if isinstance(block, Taken) else block for block in blocks)
    return any(isinstance(block, Chart | OddsBlock | ChancesBlock) for block in found)


def _taken_from(wish: Wish) -> tuple[str, ...]:
    """Return the names of the systems that a wish takes cards and blocks from."""
    places = (
        *(card.from_ for card in wish.cards),
        *(each.from_ for page in wish.panels for each in page.blocks if isinstance(each, Taken)),
    )
    return tuple(dict.fromkeys(place.partition("/")[0] for place in places))
