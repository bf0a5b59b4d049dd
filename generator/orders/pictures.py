"""The files of targets that take pictures or data: shops, picture files, spreadsheets and virtual tables."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from io import BytesIO
from typing import assert_never
from urllib.parse import quote, urlsplit

from msgspec.structs import replace
from PIL import Image

from generator.base import archives
from generator.base.errors import HackjackError, UsageError
from generator.base.files import is_device
from generator.exports import data, foundry, pcio, png, records, roll20, spreadsheet, tabletop
from generator.exports.editions import order_page
from generator.exports.records import CardRecord, SystemRecord
from generator.layout import sheets, targets
from generator.layout.printed import Printed
from generator.layout.sheets import Size
from generator.orders.job import (
    File,
    Job,
    card_size,
    deck_options,
    look_at_art,
    named_sets,
    panel_options,
    printed_codes,
)
from generator.products import boxes, deck
from generator.products.panel_content import page

_IN_PARCELS = {
    "fronts": "the cards, in the order of the deck",
    "back": "the back of all cards",
    "fronts and backs": "the cards in the order of the deck, each after its back",
    "extras": "how to read a card, and the rules: more cards, if you want them",
}


def picture_files(
    job: Job,
    target: targets.PictureTarget
    | targets.PngTarget
    | targets.TabletopTarget
    | targets.RecordsTarget
    | targets.VirtualTarget,
) -> Iterable[File]:
    """Make the files of a set of cards, or the data of a system, for a target. Raises HackjackError."""
    match target:
        case targets.PictureTarget():
            return _for_shop(job, target)
        case targets.PngTarget():
            return _of_cards(job, job.choices.dpi or target.dpi)
        case targets.TabletopTarget():
            return _tabletop_files(job, target)
        case targets.RecordsTarget():
            return _record_files(job, target)
        case targets.VirtualTarget(form="foundry"):
            return _foundry(job, target)
        case targets.VirtualTarget():
            return (_roll20 if target.form == "roll20" else _pcio)(job, job.choices.dpi or target.dpi)
        case _:
            assert_never(target)


def _of_cards(job: Job, dpi: int, leaf: deck.Leaf | None = None, size: tuple[int, int] | None = None) -> Iterator[File]:
    """One PNG a card, and one of the back, in their order."""
    chosen, leaf = deck_options(job), leaf or deck.Leaf()
    names = [*_file_names(printed_codes(job, chosen)), *(["back"] if chosen.backs != "none" else [])]
    look_at_art(job, chosen, max(leaf.bleed.width, leaf.bleed.height), dpi)
    pdf = _pages_of(job, chosen, leaf)
    return _packed(job, [f"{job.stem}/{name}.png" for name in names], png.page_pictures(pdf, dpi, size), dpi)


def _for_shop(job: Job, target: targets.PictureTarget) -> Iterator[File]:
    """One PNG a card of the very size that the shop's portal checks, and a parcel of them in their order."""
    chosen = deck_options(job)
    name = targets.checked_size(tuple(target.canvases), chosen.card, job.target_name)
    size = target.canvases[name]
    dots = target.dpi / targets.MM_AN_INCH
    bleed = Size((size.width / dots - chosen.card.width) / 2, (size.height / dots - chosen.card.height) / 2)
    leaf, pixels = deck.Leaf(bleed), (size.width, size.height)
    pictures = _of_cards(job, target.dpi, leaf, pixels)
    aside: dict[str, bytes] = {}
    if not chosen.extras:
        extras = replace(chosen, cards=False, extras=True, backs="none")
        pages = png.page_pictures(_pages_of(job, extras, leaf), target.dpi, pixels)
        named = zip(_file_names(printed_codes(job, extras)), pages, strict=True)
        aside = {f"extras/{code}.png": png.png_bytes(picture, target.dpi) for code, picture in named}
    made_boxes = boxes_of(job, chosen)

    def each_file() -> Iterator[File]:
        made = []
        for file in pictures:
            made.append((file.name.rpartition("/")[2], file.data))
            yield file
        count = len(made) - (chosen.backs != "none")
        parts = {f"fronts/{at:03}-{name}": data for at, (name, data) in enumerate(made[:count], 1)}
        parts |= {f"back/{name}": data for name, data in made[count:]} | aside
        yield from parcel(job, target.order, name, count, parts, made_boxes, f"{job.stem}/ORDER.md")

    return each_file()


def parcel(
    job: Job,
    shop: targets.Ordering,
    size: str,
    cards: int,
    parts: Mapping[str, bytes],
    made_boxes: Mapping[str, Printed],
    page_name: str,
) -> tuple[File, File]:
    """A page that says what to click at the shop, and all that is sent there in one zip."""
    folders = dict.fromkeys(name.partition("/")[0] for name in parts)
    told = [(folder, _IN_PARCELS[folder]) for folder in folders]
    told += [(name, "a box to print at home, cut out and glue") for name in made_boxes]
    title, name = f"{job.system.head.title}: {job.product}", f"{job.stem}.zip"
    text = order_page(shop, title, size, cards, name, told).encode()
    stream = BytesIO()
    archives.write_archive(stream, {"ORDER.md": text, **parts, **made_boxes})
    return File(page_name, text), File(name, stream.getvalue())


def boxes_of(job: Job, chosen: deck.Options) -> dict[str, Printed]:
    """A box for the cards on each paper that is large enough."""
    made = {}
    for name, paper in sheets.paper_sizes().items():
        options = replace(panel_options(job), paper=paper, card=chosen.card)
        try:
            box = boxes.box_pages(job.system, options, [job.product])
            made[f"box-{name}.pdf"] = box
        except HackjackError as error:
            job.left_out.append(f"the box on {name}: {error}")
    return made


def _pages_of(job: Job, chosen: deck.Options, leaf: deck.Leaf) -> Printed:
    """Return the pages for the pictures. Raises HackjackError."""
    # Nobody keeps this PDF: packing it would only cost time.
    return deck.singles(job.system, replace(chosen, compressed=False, tagged=False), job.product, leaf)


def _packed(job: Job, names: Sequence[str], pictures: Iterable[Image.Image], dpi: float) -> Iterator[File]:
    """Pack pictures one after the other, each as soon as it is drawn."""
    with job.progress(job.stem, len(names)) as step:
        packed = png.packed_pictures(pictures, dpi, job.jobs)
        for name, (content, width, height) in zip(names, packed, strict=True):
            yield File(name, content, Size(width * targets.MM_AN_INCH / dpi, height * targets.MM_AN_INCH / dpi), 1)
            step()


def _drawn_once(job: Job, dpi: int) -> Iterator[Image.Image]:
    """Draw each card once, however many copies there are, and at last the back."""
    chosen = deck_options(job)
    laid_out = deck.laid_out(job.system, job.product, chosen)
    first = sorted({face: at for at, face in reversed([*enumerate(laid_out)])}.values())
    look_at_art(job, chosen, 0.0, dpi)
    pdf = _pages_of(job, chosen, deck.Leaf())
    return png.page_pictures(pdf, dpi, only=[*first, png.page_count(pdf) - 1])


def _tabletop_files(job: Job, target: targets.TabletopTarget) -> Iterable[File]:
    """All cards on one picture, or on as many as they need, a picture of the back, and the saved object."""
    title = f"{job.system.head.title}: {job.product}"
    if job.product == targets.TABLES:
        return [File(f"{job.stem}.json", tabletop.notecards(title, _system_record(job).tables))]
    chosen = replace(deck_options(job), backs="duplex")
    address = _base_address(job)
    faces = deck.laid_out(job.system, job.product, chosen)
    count = tabletop.picture_count(len(faces), target)
    names = ["faces"] if count == 1 else [f"faces-{number}" for number in range(1, count + 1)]
    names = [f"{name}.png" for name in (*names, "back")]
    dpi = tabletop.card_dpi(chosen.card, target)
    look_at_art(job, chosen, 0.0, dpi)
    pdf = _pages_of(job, chosen, deck.Leaf())
    pictures = tabletop.deck_pictures(pdf, len(faces), chosen.card, target)
    each = dict(zip(dict.fromkeys(faces), records.card_records(job.product, faces), strict=True))
    saved = tabletop.saved_object(
        title, [each[face] for face in faces], [f"{address}/{name}" for name in names], target
    )

    def each_file() -> Iterator[File]:
        yield from _packed(job, [f"{job.stem}/{name}" for name in names], pictures, dpi)
        yield File(f"{job.stem}/{job.system.head.id}-{job.product}.json", saved)

    return each_file()


def _roll20(job: Job, dpi: int) -> Iterator[File]:
    record = _system_record(job)
    pictures: Iterable[File] = ()
    if job.product == targets.TABLES:
        tables, macros = roll20.tables_text(record.id, record.tables)
    else:
        names = [f"{job.stem}/{name}.png" for name in (*_numbered(record.cards), "back")]
        pictures = _packed(job, names, _drawn_once(job, dpi), dpi)
        tables, macros = roll20.deck_text(record.id, job.product, record.cards)

    def each_file() -> Iterator[File]:
        yield from pictures
        yield File(f"{job.stem}/tables.txt", tables.encode())
        yield File(f"{job.stem}/macros.txt", macros.encode())

    return each_file()


def _foundry(job: Job, target: targets.VirtualTarget) -> Iterator[File]:
    # The folder's name is the module's id, in which Foundry allows no other signs.
    record, folder = _system_record(job), _plain(job.stem)
    # Every set is laid out before the first picture is written: what does not fit leaves no half module.
    dpi = job.choices.dpi or target.dpi
    drawn = {name: _drawn_once(job.of(name), dpi) for name in named_sets(job)}
    names = {name: _numbered([card for card in record.cards if card.set == name]) for name in drawn}
    where = {name: f"pictures/{name}" for name in drawn}
    pictures = {
        name: (
            f"modules/{folder}/{where[name]}/back.png",
            [f"modules/{folder}/{where[name]}/{each}.png" for each in names[name]],
        )
        for name in drawn
    }
    card = card_size(target, job.choices)

    def each_file() -> Iterator[File]:
        for name, pages in drawn.items():
            paths = [f"{folder}/{where[name]}/{each}.png" for each in (*names[name], "back")]
            yield from _packed(job, paths, pages, dpi)
        module = foundry.module_files(record, folder, pictures, card.width / card.height)
        yield from (File(f"{folder}/{name}", content) for name, content in module.items())

    return each_file()


def _pcio(job: Job, dpi: int) -> list[File]:
    record, card = _system_record(job), deck_options(job).card
    names = (*_numbered(record.cards), "back")
    drawn = zip(names, _drawn_once(job, dpi), strict=True)
    pictures = {f"{name}.png": png.png_bytes(picture, dpi) for name, picture in drawn}
    counters = [track.name for track in job.system.head.tracks.values()]
    return [File(f"{job.stem}.pcio", pcio.room_file(record.cards, pictures, card, counters))]


def _record_files(job: Job, target: targets.RecordsTarget) -> list[File]:
    """Cards and tables as data."""
    record, base = _system_record(job), job.stem
    if target.form == "json":
        parts = {"system.json": data.system_json(record), data.SCHEMA: data.schema_json()}
        return [File(f"{base}/{name}", content) for name, content in parts.items()]
    is_tables = job.product == targets.TABLES
    rows = spreadsheet.tables_csv(record.tables) if is_tables else spreadsheet.cards_csv(record.cards)
    return [File(f"{base}.csv", rows)]


def _system_record(job: Job) -> SystemRecord:
    """The data of the product: a set of cards, all tables, a screen, or everything."""
    system, product = job.system, job.product
    cards = [
        card
        for name in named_sets(job)
        for card in records.card_records(name, deck.laid_out(system, name, deck_options(job.of(name))))
    ]
    alone = product == targets.WHOLE and bool(job.choices.only)
    tables = records.table_records(system) if product in (targets.TABLES, targets.WHOLE) and not alone else ()
    pages = [
        records.page_record(name, page(panel, system), system)
        for name, laid_out in system.panels
        if product in (name, targets.WHOLE) and not alone
        for panel in laid_out.panels
    ]
    record = records.system_record(system, tuple(cards), tables, tuple(pages))
    if not (record.cards or record.tables or record.pages):
        raise UsageError(f"{product} has nothing for {job.target_name}: leave it out")
    return record


def _numbered(cards: Sequence[CardRecord]) -> list[str]:
    """Names of the cards' pictures, in order; no two are the same."""
    return [f"{at:03}-{_plain(card.code)}" for at, card in enumerate(cards, 1)]


def _file_names(codes: Sequence[str]) -> Iterator[str]:
    """Each code as the name of a file, further copies of a card with their number: `7`, `7-copy2`."""
    for place, code in enumerate(codes):
        copy = codes[: place + 1].count(code)
        yield _plain(code) + (f"-copy{copy}" if copy > 1 else "")


def _plain(code: str) -> str:
    """A card's code as the name of a file, which is neither that of the back nor a device."""
    plain = re.sub(r"[^\w-]", "-", code) or "card"
    return f"{plain}-card" if is_device(plain) or plain.casefold() == "back" else plain


def _base_address(job: Job) -> str:
    """The address of the folder with the pictures: on the web, or where they are written. Raises UsageError."""
    written = job.choices.base_url
    if written is None:
        return f"{job.order.place}/{quote(job.stem)}"
    sound = False
    with suppress(ValueError):
        parts = urlsplit(written)
        sound = bool(parts.scheme in ("http", "https") and parts.hostname and not (parts.query or parts.fragment))
    if not sound or re.search(r"[\s\x00-\x1f\"<>]", written):
        raise UsageError(f'--base-url "{written[:60]}" is no address: write one such as https://example.org/cards')
    return f"{written.rstrip('/')}/{quote(job.stem)}"
