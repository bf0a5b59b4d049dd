"""Printing a set of cards for a target: which options mean something for it, and which files come of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from dataclasses import replace as replaced
from pathlib import Path
from typing import TYPE_CHECKING, Any, assert_never

from msgspec.structs import replace

from generator.base.errors import HackjackError, UsageError
from generator.base.files import is_device
from generator.base.side_by_side import usual_jobs
from generator.base.text_input import in_any_case
from generator.cli import echo, note, warn
from generator.cli.manifest import Manifest
from generator.cli.nudges import Nudge, nudge_of
from generator.cli.options import Step, codes, progress
from generator.games import card_products, game_of
from generator.layout import sheets
from generator.layout.card_elements import CardSet
from generator.layout.sheets import GOOD_DPI, Size
from generator.layout.targets import (
    MM_AN_INCH,
    TABLES,
    WHOLE,
    BleedTarget,
    CuttingTarget,
    FoldTarget,
    FullLabelTarget,
    LabelTarget,
    Ordering,
    PictureTarget,
    PngTarget,
    RecordsTarget,
    SheetTarget,
    ShopTarget,
    SingleTarget,
    StockTarget,
    TabletopTarget,
    Target,
    VirtualTarget,
    checked_size,
    layout_of,
    targets,
)
from generator.model.rules import System
from generator.model.themes import PLAIN
from generator.products import STARTER, deck

if TYPE_CHECKING:
    from PIL import Image

    from generator.exports.records import CardRecord, SystemRecord
    from generator.layout.printed import Printed
    from generator.paper.panel_options import PanelOptions
    from generator.preflight import Demands

HOME, FOLD = "home", "fold"
_OPTIONS = (
    *("paper", "card", "backs", "nudge", "marks", "start", "copies", "fill", "extras", "dpi", "base_url"),
    "registration",
)
"""Options that mean something for some targets alone."""


@dataclass(frozen=True, slots=True)
class _Job:
    """A set of cards to print: of which system, for which target, with the options as they were given."""

    system: System
    product: str
    output: Path
    name: str
    target: Target
    asked: Mapping[str, Any]
    manifest: Manifest
    nudge: Nudge
    called: str = ""

    @property
    def path(self) -> Path:
        """The file, or without its ending the folder, to be written."""
        target = "" if self.name == HOME else f"-{self.name}"
        name = f"{self.system.head.id}-{self.product}{self.called}{target}{theme_ending(self.system)}.pdf"
        return self.output / name


def theme_ending(system: System) -> str:
    """How the name of a file ends by its theme: not at all under the plain one."""
    return "" if system.theme.id == PLAIN.id else f"-{system.theme.id}"


def print_cards(
    system: System, product: str, output: Path, asked: Mapping[str, Any], manifest: Manifest, ending: str = ""
) -> None:
    """Print one set of cards and note which files were written; `ending` ends the product's name in theirs.

    Raises HackjackError, UsageError.
    """
    name, target = target_of(asked)
    job = _Job(system, product, output, name, target, asked, manifest, _nudge(name, target, asked), ending)
    match target:
        case SheetTarget() | BleedTarget() | FoldTarget() | StockTarget():
            _sheets(job, _options(job))
        case CuttingTarget():
            _to_cut(job, target)
        case LabelTarget() | FullLabelTarget():
            _stickers(job, target.margin)
        case SingleTarget():
            _singles(job, target)
        case ShopTarget():
            _shop(job, target)
        case PictureTarget():
            _shop_pictures(job, target)
        case PngTarget():
            _pictures(job, job.asked["dpi"] or target.dpi)
        case TabletopTarget():
            _tabletop(job, target)
        case RecordsTarget():
            _records(job, target)
        case VirtualTarget():
            _virtual(job, target)
        case _:
            assert_never(target)


def print_calibration(output: Path, asked: Mapping[str, Any]) -> None:
    """Print the calibration page of a target. Raises UsageError where nothing lies on a sheet."""
    from generator.paper.document import save
    from generator.products import calibration

    name, target = target_of(asked)
    layout = layout_of(target, _paper(asked), _card(target, asked))
    if layout is None:
        with_sheets = [known for known, other in targets().items() if "nudge" in other.takes]
        raise UsageError(f"{name} has no sheet to calibrate: choose {', '.join(with_sheets)}")
    backs = "backs" in target.takes and asked["backs"] != "none"
    path = output / f"calibration-{name}.pdf"
    nudge = _nudge(name, target, asked)
    save(calibration.pages(name, layout, nudge.mm, backs=backs), path)
    note(str(path))
    _say_of(nudge, name, target, asked)


def target_of(asked: Mapping[str, Any]) -> tuple[str, Target]:
    """The target that is asked for, and its name. Raises UsageError, also for an option that it cannot heed."""
    name = in_any_case(asked["target"], targets())
    backs = asked["backs"]
    if name == HOME and backs == "fold":
        name = FOLD
    target = sheets.named(targets(), name, "target")
    for option in _OPTIONS:
        if not asked[option] or option in target.takes:
            continue
        if option == "paper" and isinstance(target, LabelTarget) and asked["paper"].casefold() == target.paper:
            continue
        if option == "backs" and backs == "fold" and name == FOLD:
            continue
        written = option.replace("_", "-")
        raise UsageError(f"--{written} means nothing for {name}{_why(option, target)}")
    if isinstance(target, CuttingTarget) and asked["registration"] is not None:
        target = _registered(target, asked["registration"])
    if backs == "none" and asked["nudge"] is not None:
        raise UsageError("--nudge moves the backs, and --backs none prints none: leave one of them out")
    if backs == "fold" and name != FOLD:
        raise UsageError(f"--backs fold means nothing for {name}: write --target fold")
    return name, target


def _registered(target: CuttingTarget, written: str) -> CuttingTarget:
    """The target with other marks than its own. Raises UsageError for what is no three lengths, or none that is cut."""
    try:
        length, thickness, inset = (float(part) for part in written.split(","))
    except ValueError as error:
        raise UsageError(
            f'--registration "{written[:40]}": write length, thickness and inset in mm, such as 15,0.5,12'
        ) from error
    given = {"length": length, "thickness": thickness, "inset": inset}
    for name, limits in target.limits.items():
        if not limits.least <= given[name] <= limits.most:
            raise UsageError(
                f"--registration {written[:40]}: the {name} of marks is {limits.least:g} to {limits.most:g} mm"
            )
    return replace(target, registration=replace(target.registration, **given))


def heeded(target: Target, asked: Mapping[str, Any]) -> dict[str, Any]:
    """The options without those that mean nothing for a target."""
    without = {name for name in _OPTIONS if name not in target.takes}
    return {
        name: (False if isinstance(value, bool) else None) if name in without else value
        for name, value in asked.items()
    }


def _why(option: str, target: Target) -> str:
    """The end of a sentence about an option that a target cannot heed."""
    if isinstance(target, LabelTarget) and option == "paper":
        return f", which is a sheet of {target.paper}"
    if isinstance(target, LabelTarget | StockTarget) and option == "card":
        return ", whose sheets have a size of their own"
    heeding = [name for name, other in targets().items() if option in other.takes]
    return f": it is for {', '.join(heeding)}"


def _card(target: Target, asked: Mapping[str, Any], printed: CardSet | None = None) -> Size:
    """The size to print at: as asked, or the target's own, or poker; in large print what is large enough."""
    if isinstance(target, LabelTarget):
        return Size(target.sheet.width, target.sheet.height)
    if isinstance(target, FullLabelTarget) and asked["card"] is None:
        return Size(target.width, target.height)
    if isinstance(target, StockTarget):
        sheet = sheets.named(target.sheets, asked["paper"] or "a4", "paper")
        return Size(sheet.height, sheet.width)
    if asked["card"] is not None:
        return sheets.card_size(asked["card"])
    if asked["text"] == "large" and printed is not None:
        known = target.canvases if isinstance(target, PictureTarget) else sheets.cards()
        return deck.large_card(printed, [sheets.cards()[size] for size in deck.LARGE_CARDS if size in known])
    return sheets.cards()["poker"]


def _paper(asked: Mapping[str, Any]) -> Size:
    return sheets.named(sheets.papers(), asked["paper"] or "a4", "paper")


def _options(job: _Job, **changes: Any) -> deck.Options:
    """The options of the deck as asked for, for the target."""
    asked = job.asked
    printed = card_products.card_set(job.system, job.product)
    card = _card(job.target, asked, printed)
    values: dict[str, Any] = {
        "paper": _paper(asked),
        "card": card,
        "layout": layout_of(job.target, _paper(asked), card),
        "backs": "none" if asked["backs"] == "none" else "duplex",
        "nudge": job.nudge.mm,
        "marks": asked["marks"] or job.target.marks,
        **{name: asked[name] for name in ("ink", "suits", "contrast", "text", "jokers", "extras")},
        "only": codes(asked["only"], printed),
        "counts": asked.get("counts") or {},
        "start": asked["start"] or 1,
        "copies": asked["copies"] or 1,
        "fill": asked["fill"],
        "theme": job.system.theme,
    }
    return deck.Options(**values | changes)


# --- PDFs ------------------------------------------------------------------------------------------------------------


def _sheets(job: _Job, chosen: deck.Options) -> None:
    """Sheets of whole cards with their backs."""
    count = deck.sheet_count(job.system, chosen, job.product)
    _look_at_art(job, chosen, chosen.grid.bleed or deck.BLEED)
    _one_file(job, chosen, count, lambda step: deck.sheets(job.system, chosen, step, job.product))


def print_starter(
    system: System, looks: PanelOptions, output: Path, asked: Mapping[str, Any], manifest: Manifest
) -> None:
    """Print what a table needs for a first evening into one file, and note it. Raises HackjackError, UsageError."""
    from generator.paper.document import save
    from generator.preflight import OUR_DEMANDS, passed
    from generator.products import starter

    name, target = target_of(asked)
    job = _Job(system, STARTER, output, name, target, asked, manifest, _nudge(name, target, asked))
    cards: dict[str, deck.Options] = {}
    parts = starter.parts_of(system)
    for mine in (replaced(job, product=part) for part in _sets(replaced(job, product=WHOLE)) if part in parts):
        cards[mine.product] = _options(mine, extras=True)
        _look_at_art(mine, cards[mine.product], cards[mine.product].grid.bleed or deck.BLEED)
    with progress(job.path, len(parts)) as step:
        data, made = starter.pages(system, cards, looks, step)
    for part, printed in made.items():
        chosen = cards.get(part)
        passed(printed, _demands(job, chosen) if chosen else OUR_DEMANDS, job.path.name)
    save(data, job.path)
    manifest.wrote_pdf(job.path, STARTER, name, data, OUR_DEMANDS)
    _say_of(job.nudge, name, target, asked)


def _to_cut(job: _Job, target: CuttingTarget) -> None:
    """Sheets of whole cards with the marks of a cutting machine, and a whole sheet's outlines for it to cut."""
    from generator.exports import cut_files

    chosen = _options(job)
    template = target.template(job.name, chosen.grid)
    _sheets(job, replace(chosen, template=template))
    for ending, outlines in ((".svg", cut_files.cut_svg), (".dxf", cut_files.cut_dxf)):
        _files(job, {job.path.with_suffix(ending): outlines(chosen.grid, target.radius, template.says)})


def _stickers(job: _Job, margin: float) -> None:
    """Sheets of stickers."""
    from generator.products import labels

    chosen = _options(job)
    count = deck.sheet_count(job.system, chosen, job.product)
    _one_file(job, chosen, count, lambda step: labels.sheets(job.system, chosen, margin, step, job.product))


def _singles(job: _Job, target: SingleTarget) -> None:
    """One card a page with its boxes, each followed by its back."""
    chosen = _options(job)
    leaf = deck.Leaf(Size(target.bleed, target.bleed), "after", boxes=True)
    count = len(_codes_printed(job, chosen))
    _look_at_art(job, chosen, target.bleed)
    _one_file(job, chosen, count, lambda step: deck.singles(job.system, chosen, job.product, leaf, step))


def _shop(job: _Job, target: ShopTarget) -> None:
    """PDF/X of back and front in turn, and a parcel of it."""
    from generator.preflight import passed

    chosen = _options(job)
    size = checked_size(target.cards, chosen.card, job.name)
    cards = _codes_printed(job, chosen)
    _look_at_art(job, chosen, target.bleed)
    _one_file(job, chosen, len(cards), lambda step: _process(job, target, chosen, step))
    parts: dict[str, bytes | Path] = {f"fronts and backs/{job.path.name}": job.path}
    if not chosen.extras:
        aside = _process(job, target, replace(chosen, cards=False, extras=True))
        parts["extras/extras.pdf"] = passed(aside, _demands(job, chosen), "extras.pdf")
    _parcel(job, chosen, target.order, size, len(cards), parts, job.path.with_name(f"{job.path.stem}-ORDER.md"))


def _process(job: _Job, target: ShopTarget, chosen: deck.Options, step: Step = lambda: None) -> Printed:
    """Cards in process inks, each after its back."""
    from generator.paper import pdfx

    leaf = deck.Leaf(Size(target.bleed, target.bleed), "before", boxes=True, process=True)
    pdf = deck.singles(job.system, chosen, job.product, leaf, step)
    return pdfx.finished(pdf, target.condition, target.condition_name)


def _one_file(job: _Job, chosen: deck.Options, length: int, make: Callable[[Step], Printed]) -> None:
    """Make a PDF, look it over and write it."""
    from generator.paper.document import save
    from generator.preflight import passed

    with progress(job.path, length) as step:
        data = make(step)
    demands = _demands(job, chosen)
    save(passed(data, demands, job.path.name), job.path)
    job.manifest.wrote_pdf(job.path, job.product, job.name, data, demands)
    _say_of(job.nudge, job.name, job.target, job.asked)


def _demands(job: _Job, chosen: deck.Options) -> Demands:
    """What the target demands of a PDF."""
    from generator.preflight import demands_of

    paper = chosen.layout.paper if chosen.layout else chosen.paper
    return demands_of(job.name, job.target, chosen.card, paper, chosen.nudge)


def _look_at_art(job: _Job, chosen: deck.Options, bleed: float, dpi: float = GOOD_DPI) -> None:
    """Say which of the pack's own pictures are a little coarse. Raises HackjackError for one that is too coarse."""
    from generator.products import art

    for warning in art.warnings(job.system, deck.art_uses(job.system, chosen, job.product, bleed=bleed), dpi):
        warn(f"warning: {warning}")


# --- pictures --------------------------------------------------------------------------------------------------------


def _shop_pictures(job: _Job, target: PictureTarget) -> None:
    """One PNG a card of the very size that the shop's portal checks, and a parcel of them in their order."""
    from generator.exports import png

    chosen = _options(job)
    name = checked_size(tuple(target.canvases), chosen.card, job.name)
    size = target.canvases[name]
    dots = target.dpi / MM_AN_INCH
    bleed = Size((size.width / dots - chosen.card.width) / 2, (size.height / dots - chosen.card.height) / 2)
    paths = _pictures(job, target.dpi, deck.Leaf(bleed), (size.width, size.height))
    cards = paths[: len(paths) - (chosen.backs != "none")]
    parts: dict[str, bytes | Path] = {f"fronts/{at:03}-{path.name}": path for at, path in enumerate(cards, 1)}
    parts |= {f"back/{path.name}": path for path in paths[len(cards) :]}
    if not chosen.extras:
        aside = replace(chosen, cards=False, extras=True, backs="none", compressed=False, tagged=False)
        pdf = deck.singles(job.system, aside, job.product, deck.Leaf(bleed))
        _look_over(job, pdf, aside, bleed, target.dpi)
        pictures = png.page_pictures(pdf, target.dpi, (size.width, size.height))
        named = zip(_file_names(_codes_printed(job, aside)), pictures, strict=True)
        parts |= {f"extras/{code}.png": png.png_bytes(picture, target.dpi) for code, picture in named}
    _parcel(job, chosen, target.order, name, len(cards), parts, job.path.with_suffix("") / "ORDER.md")


def _parcel(
    job: _Job,
    chosen: deck.Options,
    shop: Ordering,
    size: str,
    cards: int,
    parts: Mapping[str, bytes | Path],
    page: Path,
) -> None:
    """All that a shop is sent, in one zip, and a page that says what to click there."""
    from generator.base import archives
    from generator.base.files import written_whole
    from generator.exports.ordering import order_page

    boxes = _boxes(job, chosen)
    known = {
        "fronts": "the cards, in the order of the deck",
        "back": "the back of all cards",
        "fronts and backs": "the cards in the order of the deck, each after its back",
        "extras": "how to read a card, and the rules: more cards, if you want them",
    }
    told = [(folder, known[folder]) for folder in dict.fromkeys(name.partition("/")[0] for name in parts)]
    told += [(name, "a box to print at home, to cut out and to glue") for name in boxes]
    title = f"{job.system.head.title}: {job.product}"
    path = job.path.with_suffix(".zip")
    text = order_page(shop, title, size, cards, path.name, told).encode()
    _files(job, {page: text})
    with written_whole(path) as stream:
        archives.write(stream, {"ORDER.md": text, **parts, **boxes})
    job.manifest.wrote(path, job.product, job.name)


def _boxes(job: _Job, chosen: deck.Options) -> dict[str, Printed]:
    """A box for the cards on each paper that is large enough."""
    from generator.paper.panel_options import PanelOptions
    from generator.preflight import OUR_DEMANDS, passed
    from generator.products import boxes

    made = {}
    for name, paper in sheets.papers().items():
        looks = {
            each: getattr(chosen, each) for each in ("theme", "ink", "suits", "contrast", "text", "jokers", "extras")
        }
        with suppress(HackjackError):
            options = PanelOptions(paper=paper, card=chosen.card, **looks)
            box = boxes.pages(job.system, options, [job.product])
            made[f"box-{name}.pdf"] = passed(box, OUR_DEMANDS, f"box-{name}.pdf")
    return made


def _pictures(job: _Job, dpi: int, leaf: Any = None, size: tuple[int, int] | None = None) -> list[Path]:
    """One PNG a card, and one of the back; gives where they lie, in their order."""
    from generator.exports import png

    chosen = _options(job)
    folder = job.path.with_suffix("")
    names = [*_file_names(_codes_printed(job, chosen)), *(["back"] if chosen.backs != "none" else [])]
    paths = [folder / f"{name}.png" for name in names]
    leaf = leaf or deck.Leaf()
    _look_at_art(job, chosen, max(leaf.bleed.width, leaf.bleed.height), dpi)
    # Nobody keeps this PDF: packing it would only cost time.
    pdf = deck.singles(job.system, replace(chosen, compressed=False, tagged=False), job.product, leaf)
    _look_over(job, pdf, chosen, leaf.bleed, dpi)
    _write(job, paths, png.page_pictures(pdf, dpi, size), dpi)
    return paths


def _tabletop(job: _Job, target: TabletopTarget) -> None:
    """All cards on one picture, or on as many as they need, and a picture of the back."""
    from generator.exports import tabletop
    from generator.exports.records import card_records

    folder, title = job.path.with_suffix(""), f"{job.system.head.title}: {job.product}"
    if job.product == TABLES:
        _files(job, {folder.with_suffix(".json"): tabletop.notecards(title, _system_record(job).tables)})
        return
    chosen = _options(job, backs="duplex", compressed=False, tagged=False)
    address = _base_address(job, folder)
    faces = deck.laid_out(job.system, job.product, chosen)
    cards = len(faces)
    count = tabletop.picture_count(cards, target)
    names = ["faces"] if count == 1 else [f"faces-{number}" for number in range(1, count + 1)]
    paths = [folder / f"{name}.png" for name in (*names, "back")]
    dpi = tabletop.card_dpi(chosen.card, target)
    _look_at_art(job, chosen, 0.0, dpi)
    pdf = deck.singles(job.system, chosen, job.product)
    _look_over(job, pdf, chosen, Size(0, 0), dpi)
    _write(job, paths, tabletop.deck_pictures(pdf, cards, chosen.card, target), dpi)
    records = {
        face: record for record, face in zip(card_records(job.product, faces), dict.fromkeys(faces), strict=True)
    }
    saved = tabletop.saved_object(
        title,
        [records[face] for face in faces],
        [f"{address}/{path.name}" for path in paths],
        target,
    )
    _files(job, {folder / f"{job.system.head.id}-{job.product}.json": saved})


# --- data and virtual tables -----------------------------------------------------------------------------------------


def _records(job: _Job, target: RecordsTarget) -> None:
    """Cards and tables as data."""
    from generator.exports import data, spreadsheet

    record = _system_record(job)
    base = job.path.with_suffix("")
    match target.form:
        case "csv" if job.product == TABLES:
            _files(job, {base.with_suffix(".csv"): spreadsheet.tables_csv(record.tables)})
        case "csv":
            _files(job, {base.with_suffix(".csv"): spreadsheet.cards_csv(record.cards)})
        case "json":
            _files(job, {base / "system.json": data.system_json(record), base / data.SCHEMA: data.schema_json()})
        case _:
            assert_never(target.form)


def _system_record(job: _Job) -> SystemRecord:
    """What the product gives away: a set of cards, all tables, a screen, or everything."""
    from generator.exports import records
    from generator.products.panel_content import page

    system, product = job.system, job.product
    cards = (
        records.card_records(name, deck.laid_out(system, name, _options(replaced(job, product=name))))
        for name in _sets(job)
    )
    # Two systems on one deck are that deck, and nothing else of either; so are cards that are chosen out of a deck.
    alone = bool(system.both) or (product == WHOLE and bool(job.asked["only"]))
    tables = records.table_records(system) if product in (TABLES, WHOLE) and not alone else ()
    charts = game_of(system).charts()
    pages = (
        records.page_record(name, page(panel, system, charts, None), system)
        for name, laid_out in system.panels
        if product in (name, WHOLE) and not alone
        for panel in laid_out.panels
    )
    record = records.system_record(system, tuple(card for each in cards for card in each), tables, tuple(pages))
    if not (record.cards or record.tables or record.pages):
        raise UsageError(f"{product} has nothing for {job.name}: leave it out")
    return record


def _sets(job: _Job) -> tuple[str, ...]:
    """The sets of cards that a product means, of those that have cards which `--only` names."""
    names = card_products.card_set_names(job.system)
    if job.product != WHOLE:
        return tuple(name for name in names if name == job.product)
    only = job.asked["only"]
    return tuple(name for name in names if not only or codes(only, card_products.card_set(job.system, name)))


def _files(job: _Job, files: Mapping[Path, bytes]) -> None:
    """Write files and note which."""
    from generator.paper.document import save

    for path, content in files.items():
        save(content, path)
        job.manifest.wrote(path, job.product, job.name)


def _virtual(job: _Job, target: VirtualTarget) -> None:
    """Pictures, and what a virtual table needs beside them."""
    match target.form:
        case "roll20":
            _roll20(job, target)
        case "foundry":
            _foundry(job, target)
        case "pcio":
            _pcio(job, target)
        case _:
            assert_never(target.form)


def _roll20(job: _Job, target: VirtualTarget) -> None:
    from generator.exports import roll20

    record, folder = _system_record(job), job.path.with_suffix("")
    if job.product == TABLES:
        tables, macros = roll20.tables_text(record.id, record.tables)
    else:
        dpi = job.asked["dpi"] or target.dpi
        paths = [folder / f"{name}.png" for name in (*_numbered(record.cards), "back")]
        _write(job, paths, _pictures_once(job, _options(job), dpi), dpi)
        tables, macros = roll20.deck_text(record.id, job.product, record.cards)
    _files(job, {folder / "tables.txt": tables.encode(), folder / "macros.txt": macros.encode()})


def _foundry(job: _Job, target: VirtualTarget) -> None:
    from generator.exports import foundry, foundry_tool

    # The folder's name is the module's id, in which Foundry allows no other signs.
    record, folder = _system_record(job), job.path.with_name(_plain(job.path.stem))
    dpi = job.asked["dpi"] or target.dpi
    # Every set is laid out before the first picture is written: what does not fit leaves no half module.
    jobs = {name: replaced(job, product=name) for name in _sets(job)}
    made = {name: _pictures_once(each, _options(each), dpi) for name, each in jobs.items()}
    pictures: dict[str, tuple[str, list[str]]] = {}
    for name in jobs:
        names = _numbered([card for card in record.cards if card.set == name])
        _write(job, [folder / "pictures" / name / f"{each}.png" for each in (*names, "back")], made[name], dpi)
        where = f"modules/{folder.name}/pictures/{name}"
        pictures[name] = f"{where}/back.png", [f"{where}/{each}.png" for each in names]
    card = _card(target, job.asked)
    files = foundry.module_files(record, folder.name, pictures, card.width / card.height)
    _files(job, {folder / name: content for name, content in files.items()})
    if foundry_tool.tool_path():
        _foundry_packed(job, folder, files)


def _foundry_packed(job: _Job, folder: Path, files: Mapping[str, bytes]) -> None:
    """The module with its databases, and as one zip to be unpacked among Foundry's modules."""
    from generator.base import archives
    from generator.base.files import written_whole
    from generator.exports import foundry_tool

    sources = dict.fromkeys(name.split("/")[1] for name in files if name.startswith("src/"))
    packed = foundry_tool.pack_module(folder, list(sources))
    for path in packed:
        job.manifest.wrote(path, job.product, job.name)
    taken = [folder / "module.json", *sorted((folder / "pictures").rglob("*.png")), *packed]
    path = folder.with_suffix(".zip")
    with written_whole(path) as stream:
        archives.write(stream, {f"{folder.name}/{each.relative_to(folder).as_posix()}": each for each in taken})
    job.manifest.wrote(path, job.product, job.name)


def _pcio(job: _Job, target: VirtualTarget) -> None:
    from generator.exports import pcio, png

    record, chosen = _system_record(job), _options(job)
    dpi = job.asked["dpi"] or target.dpi
    names = (*_numbered(record.cards), "back")
    made = _pictures_once(job, chosen, dpi)
    pictures = {f"{name}.png": png.png_bytes(picture, dpi) for name, picture in zip(names, made, strict=True)}
    counters = [track.name for track in job.system.head.tracks.values()]
    path = job.path.with_suffix(".pcio")
    _files(job, {path: pcio.room_file(record.cards, pictures, chosen.card, counters)})


def _numbered(cards: Sequence[CardRecord]) -> list[str]:
    """Names of the cards' pictures, in order; no two are the same, whatever the codes."""
    return [f"{at:03}-{_plain(card.code)}" for at, card in enumerate(cards, 1)]


def _pictures_once(job: _Job, chosen: deck.Options, dpi: int) -> Iterator[Image.Image]:
    """The picture of each card, however many copies there are, and at last that of the back."""
    from generator.exports import png

    laid_out = deck.laid_out(job.system, job.product, chosen)
    first = sorted({face: at for at, face in reversed([*enumerate(laid_out)])}.values())
    _look_at_art(job, chosen, 0.0, dpi)
    pdf = deck.singles(job.system, replace(chosen, compressed=False, tagged=False), job.product, deck.Leaf())
    _look_over(job, pdf, chosen, Size(0, 0), dpi)
    return png.page_pictures(pdf, dpi, only=[*first, png.page_count(pdf) - 1])


def _base_address(job: _Job, folder: Path) -> str:
    """Where the pictures of a folder will be found: on the web, or on this machine. Raises UsageError."""
    written: str | None = job.asked["base_url"]
    if written is None:
        return folder.resolve().as_uri()
    from urllib.parse import quote, urlsplit

    try:
        parts = urlsplit(written)
        sound = parts.scheme in ("http", "https") and parts.hostname and not (parts.query or parts.fragment)
    except ValueError:
        sound = False
    if not sound or re.search(r"[\s\x00-\x1f\"<>]", written):
        raise UsageError(f'--base-url "{written[:60]}" is no address: write one such as https://example.org/cards')
    return f"{written.rstrip('/')}/{quote(folder.name)}"


def _write(job: _Job, paths: Sequence[Path], made: Iterable[Image.Image], dpi: float) -> None:
    """Write pictures, and note where they lie; those too that were whole before the disk was full."""
    from generator.exports import png

    whole: dict[Path, Size] = {}

    def wrote(path: Path, width: int, height: int) -> None:
        whole[path] = Size(width * MM_AN_INCH / dpi, height * MM_AN_INCH / dpi)
        step()

    try:
        with progress(job.path.with_suffix(""), len(paths)) as step:
            png.write_pictures(zip(paths, made, strict=True), dpi, job.asked["jobs"] or usual_jobs(), wrote)
    finally:
        for path, size in whole.items():
            shown = [round(size.width, 2), round(size.height, 2)]
            job.manifest.wrote(path, job.product, job.name, size=shown, pages=1)


def _look_over(job: _Job, pdf: Printed, chosen: deck.Options, bleed: Size, dpi: float) -> None:
    """Look over the pages that pictures are made of. Raises HackjackError for a fault."""
    from generator.preflight import passed, picture_demands

    passed(pdf, picture_demands(job.name, chosen.card, bleed, dpi), job.path.stem)


def _plain(code: str) -> str:
    """A card's code as the name of a file, which is neither that of the back nor a device."""
    plain = re.sub(r"[^\w-]", "-", code) or "card"
    return f"{plain}-card" if is_device(plain) or plain.casefold() == "back" else plain


# --- what was typed --------------------------------------------------------------------------------------------------


def _codes_printed(job: _Job, chosen: deck.Options) -> list[str]:
    return [face.code for face in deck.laid_out(job.system, job.product, chosen)]


def _file_names(codes: Sequence[str]) -> Iterator[str]:
    """Each code as the name of a file, further copies of a card with their number: `7`, `7-copy2`."""
    for place, code in enumerate(codes):
        copy = codes[: place + 1].count(code)
        yield _plain(code) + (f"-copy{copy}" if copy > 1 else "")


def _nudge(name: str, target: Target, asked: Mapping[str, Any]) -> Nudge:
    """How far backs or stickers are moved: not at all where there are none. Raises HackjackError, UsageError."""
    if "nudge" not in target.takes or asked["backs"] == "none":
        return Nudge()
    return nudge_of(asked["nudge"], name, _paper_called(target, asked))


def _say_of(nudge: Nudge, name: str, target: Target, asked: Mapping[str, Any]) -> None:
    """Say that something was moved which nobody asked for in this call."""
    if nudge.kept:
        echo(nudge.note(name, _paper_called(target, asked)), err=True)


def _paper_called(target: Target, asked: Mapping[str, Any]) -> str:
    """The name of the paper that is printed on. Raises UsageError."""
    paper = target.paper if isinstance(target, LabelTarget) else asked["paper"] or "a4"
    sheets.named(sheets.papers(), paper, "paper")
    return in_any_case(paper, sheets.papers())
