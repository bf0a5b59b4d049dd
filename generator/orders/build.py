"""Builds an order: its files as bytes, with the demands of a target on each. Nothing here touches a disk."""

from collections.abc import Callable, Iterable
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from generator.base.errors import ContentError, DiskError, HackjackError, NamedError, UsageError
from generator.games import card_products
from generator.layout import reading, sheets, targets
from generator.layout.sheets import Printed, Size
from generator.orders.job import (
    File,
    Job,
    Step,
    card_size,
    deck_options,
    is_for_target,
    look_at_art,
    named_sets,
    panel_options,
    printed_codes,
)
from generator.orders.options import Choices, supported_options, target_of
from generator.orders.order import Order, codes
from generator.paper.themed import fonts_of_theme, set_to_fit
from generator.products import deck, is_starter, panels_file, starter_parts


class BuiltOrder(Struct, frozen=True):
    """The files of an order, warnings about them, and a sentence for each part that was left out."""

    files: tuple[File, ...]
    warnings: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()


def build_order(order: Order) -> BuiltOrder:
    """Make all files of an order. Raises HackjackError, UsageError."""
    job = Job(order)
    return BuiltOrder(tuple(files_of(job)), tuple(job.warnings), tuple(job.left_out))


def files_of(job: Job) -> Iterable[File]:
    """Make the files of an order one after the other; errors come before the first. Raises HackjackError."""
    system = job.system
    if job.choices.format != "pdf":
        with fonts_of_theme(system.theme, system):
            return _text(job)
    try:
        return set_to_fit(system, partial(_drawn, job))
    except (UsageError, ContentError, DiskError, NamedError):
        # These name a file, the call or a disk of their own.
        raise
    except HackjackError as error:
        raise HackjackError(f"{system.head.id} {job.product}: {error}") from error


def _drawn(job: Job) -> Iterable[File]:
    if not is_for_target(job.order):
        return [_panels(job)]
    return _starter(job) if is_starter(job.system, job.product) else _cards(job)


def advice(order: Order, files: Iterable[File]) -> tuple[str, ...]:
    """Say what to do with the files of an order: how to print the sheets at home, or where an export goes."""
    if not is_for_target(order) or order.choices.format != "pdf":
        return ()
    _, target = target_of(order.choices)
    if target.after:
        return (target.after,)
    pdfs = [file for file in files if file.name.endswith(".pdf")]
    if not pdfs or isinstance(target, targets.ShopTarget | targets.SingleTarget):
        return ()
    pages = sum(file.pages or 0 for file in pdfs)
    if isinstance(target, targets.LabelTarget | targets.FullLabelTarget):
        return (f"Print {_sheets_of(pages)} at 100 %, the first on plain paper: hold it against the labels.",)
    both = "backs" in target.takes and order.choices.backs != "none"
    sides = " on both sides, turned about the long edge" if both else ""
    count = _sheets_of(-(-pages // 2) if both else pages)
    on_card = ", on card of 200 to 300 g"
    if is_starter(order.system, order.product):
        on_card = ": the cards on card of 200 to 300 g, all other pages on paper. Bookmarks lead to each part"
    return (f"Print {count} at 100 %{sides}{on_card}. Check the ruler at the foot of the first.",)


def _sheets_of(count: int) -> str:
    return "1 sheet" if count == 1 else f"{count:,} sheets"


def _panels(job: Job) -> File:
    """One PDF of panels, filled or blank."""
    from generator.products import panels

    if job.choices.text == "large" and "text" not in {
        option.name for option in supported_options(job.system, job.product)
    }:
        job.warnings.append(f"{job.system.head.id} {job.product}: --text large changes nothing here")
    name = f"{job.stem}.pdf"
    with job.progress(name, 1) as step:
        data = panels.panel_pages(job.system, job.product, panel_options(job))
        step()
    return _pdf(name, data)


def _pdf(name: str, data: Printed) -> File:
    return File(name, data, data.pages[0], len(data.pages))


def _text(job: Job) -> list[File]:
    """One file to read, Markdown or HTML. A product that is all drawing has none."""
    from generator.orders.editions import html_page, markdown_page
    from generator.products import extras
    from generator.products.panel_content import page, screen_pages

    system, product, chosen = job.system, job.product, job.choices
    laid_out = panels_file(system, product)
    if product in card_products.printed_sets(system):
        printed = card_products.card_set(system, product)
        faces = deck.faces(printed, codes(chosen.only, printed), chosen.jokers)
        if chosen.extras:
            # The other one explains what stands where on paper.
            faces += extras.rule_cards(system, sheets.card_sizes()["poker"], "normal")
        read = reading.cards_reading(system, product, faces)
    elif laid_out is not None:
        pages = [page(panel, system, filling=job.order.filling) for panel in laid_out.panels]
        pages = [each for each in pages if each.blocks] or pages
        if product == "screen":
            pages = screen_pages(pages, players=chosen.players)
        read = reading.panels_reading(system, laid_out.title, pages)
    else:
        job.left_out.append(f"{product} is made for paper alone and has no text to read: print it as a pdf")
        return []
    text = markdown_page(read) if chosen.format == "md" else html_page(read)
    return [File(job.text_name, text.encode())]


def _starter(job: Job) -> list[File]:
    """What a table needs for a first evening, in one file."""
    from generator.products import starter

    parts = starter_parts(job.system)
    cards: dict[str, deck.Options] = {}
    for mine in (job.of(name) for name in named_sets(job.of(targets.WHOLE)) if name in parts):
        cards[mine.product] = replace(deck_options(mine), extras=True)
        look_at_art(mine, cards[mine.product], cards[mine.product].grid.bleed or deck.BLEED)
    name = f"{job.stem}.pdf"
    with job.progress(name, len(parts)) as step:
        data = starter.starter_pages(job.system, cards, panel_options(job), step)
    return [_pdf(name, data)]


def _cards(job: Job) -> Iterable[File]:
    """Make a set of cards, or data of a system, for the target."""
    _, target = target_of(job.choices)
    match target:
        case targets.SheetTarget() | targets.BleedTarget() | targets.FoldTarget() | targets.StockTarget():
            return [_sheets(job, deck_options(job))]
        case targets.CuttingTarget():
            return _to_cut(job, target)
        case targets.LabelTarget() | targets.FullLabelTarget():
            from generator.products import labels

            chosen = deck_options(job)
            count, margin = deck.sheet_count(job.system, chosen, job.product), target.margin
            return [
                _one_file(job, count, lambda step: labels.label_sheets(job.system, chosen, margin, step, job.product))
            ]
        case targets.SingleTarget():
            chosen, leaf = deck_options(job), deck.Leaf(Size(target.bleed, target.bleed), "after", boxes=True)
            look_at_art(job, chosen, target.bleed)
            make = partial(deck.singles, job.system, chosen, job.product, leaf)
            return [_one_file(job, len(printed_codes(job, chosen)), make)]
        case targets.ShopTarget():
            return _shop(job, target)
        case _:
            # Sheets are printed without what draws pictures.
            from generator.orders.export_files import export_files

            return export_files(job, target)


def _sheets(job: Job, chosen: deck.Options) -> File:
    """Sheets of whole cards with their backs."""
    count = deck.sheet_count(job.system, chosen, job.product)
    look_at_art(job, chosen, chosen.grid.bleed or deck.BLEED)
    return _one_file(job, count, lambda step: deck.sheets(job.system, chosen, step, job.product))


def _to_cut(job: Job, target: targets.CuttingTarget) -> list[File]:
    """Sheets of whole cards with the marks of a cutting machine, and a whole sheet's outlines for it to cut."""
    from generator.orders import cut_files

    chosen = deck_options(job)
    template = target.template(job.target_name, chosen.grid)
    pdf = _sheets(job, replace(chosen, template=template))
    outlines = ((".svg", cut_files.cut_svg), (".dxf", cut_files.cut_dxf))
    return [pdf, *(File(f"{job.stem}{end}", cut(chosen.grid, target.radius, template.says)) for end, cut in outlines)]


def _shop(job: Job, target: targets.ShopTarget) -> list[File]:
    """PDF/X of back and front in turn, and a parcel of it."""
    from generator.orders import shops

    chosen = deck_options(job)
    size = targets.checked_size(target.cards, chosen.card, job.target_name)
    count = len(printed_codes(job, chosen))
    look_at_art(job, chosen, target.bleed)
    pdf = _one_file(job, count, lambda step: _in_process_inks(job, target, chosen, step))
    parts = {f"fronts and backs/{pdf.name}": pdf.data}
    if not chosen.extras:
        aside = _in_process_inks(job, target, replace(chosen, cards=False, extras=True), lambda: None)
        parts["extras/extras.pdf"] = aside
    boxes = shops.boxes_of(job, chosen)
    return [pdf, *shops.parcel(job, target.order, size, count, parts, boxes, f"{job.stem}-ORDER.md")]


def _in_process_inks(job: Job, target: targets.ShopTarget, chosen: deck.Options, step: Step) -> Printed:
    """Cards in process inks, each after its back."""
    from generator.paper import document

    leaf = deck.Leaf(Size(target.bleed, target.bleed), "before", boxes=True, process=True)
    pdf = deck.singles(job.system, chosen, job.product, leaf, step)
    return document.as_pdfx(pdf, target.condition, target.condition_name)


def _one_file(job: Job, length: int, make: Callable[[Step], Printed]) -> File:
    """Make a PDF."""
    name = f"{job.stem}.pdf"
    with job.progress(name, length) as step:
        data = make(step)
    return _pdf(name, data)


def calibration_page(choices: Choices, nudge: tuple[float, float]) -> File:
    """Return the page to measure a printer by for a target. Raises UsageError where nothing lies on a sheet."""
    from generator.products import calibration

    name, target = target_of(choices)
    layout = targets.layout_of(target, choices.paper_size, card_size(target, choices))
    if layout is None:
        with_sheets = [known for known, other in targets.targets_by_name().items() if "nudge" in other.takes]
        raise UsageError(f"{name} has no sheet to calibrate: choose {', '.join(with_sheets)}")
    backs = "backs" in target.takes and choices.backs != "none"
    return File(f"calibration-{name}.pdf", calibration.calibration_pages(name, layout, nudge, backs=backs))
