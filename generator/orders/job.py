"""An order in the making: its files, who follows it, and how its cards are laid out for the target."""

import dataclasses
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from generator.base.errors import HackjackError
from generator.games import card_products
from generator.layout import sheets, targets
from generator.layout.card_elements import CardSet
from generator.layout.sheets import GOOD_DPI, Size
from generator.model.rules import System, per_system
from generator.model.themes import PLAIN
from generator.orders.options import HOME, HOME_BLEED, Choices, target_of, typed_options
from generator.orders.order import Order, codes
from generator.pack.carried import CarriedOrder, packed_source
from generator.paper.document import Looks
from generator.paper.panel_options import PanelOptions
from generator.products import BOX, STARTER, deck, is_for_sheets, is_starter

Step = Callable[[], None]
Progress = Callable[[str, int], AbstractContextManager[Step]]
"""Follows the making of a file: called with its name and the number of steps."""


class File(Struct, frozen=True):
    """A file to write: its path with `/`, its bytes, and its size (mm) and pages where it has any."""

    name: str
    data: bytes
    size: Size | None = None
    pages: int | None = None


def no_progress(name: str, steps: int) -> AbstractContextManager[Step]:
    """Follow nothing."""
    del name, steps
    return nullcontext(lambda: None)


@per_system
def annotated_system(system: System) -> System:
    """Return a system whose rulings, sources and reconstructed values are marked on paper; players need none."""
    others = {name: dataclasses.replace(other, shows_rulings=True) for name, other in system.others.items()}
    return dataclasses.replace(system.with_side_files(others=others), shows_rulings=True)


@dataclass(frozen=True)
class Job:
    """An order in the making: its target, who follows it, and what is to be told of it. `jobs` files are packed at a
    time."""

    order: Order
    progress: Progress = no_progress
    jobs: int = 1
    warnings: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)

    @property
    def system(self) -> System:
        """The system that is printed."""
        return annotated_system(self.order.system) if self.choices.rulings else self.order.system

    @property
    def product(self) -> str:
        """The product that is printed."""
        return self.order.product

    @property
    def choices(self) -> Choices:
        """Return the options it is printed with."""
        return self.order.choices

    @cached_property
    def source(self) -> tuple[str, bytes] | None:
        """The file that the PDF carries: none for shops and campaigns, nor of a pack too large to be read again."""
        order, target = self.order, target_of(self.choices)[1]
        is_export = is_for_target(order) and isinstance(target, targets.ExportTarget | targets.ShopTarget)
        if is_export or self.choices.bare or order.filling or order.system.at_table or order.system.folder is None:
            return None
        printed = CarriedOrder(self.product, typed_options(self.choices), {}, dict(order.counts))
        try:
            return packed_source(order.system, printed, order.own_files)
        except (HackjackError, OSError) as error:
            self.warnings.append(f"the PDF does not carry its pack: {error}")
            return None

    @property
    def target_name(self) -> str:
        """The name of the target that the files are for."""
        return self.choices.cards_target if is_for_target(self.order) else self.choices.target

    @property
    def stem(self) -> str:
        """The name of the file or folder without its ending."""
        target = "" if self.target_name == HOME or not is_for_target(self.order) else f"-{self.target_name}"
        return f"{self._name}{target}{f'-{self.system.theme.id}' if self._is_themed else ''}"

    @property
    def _is_themed(self) -> bool:
        """Whether the theme changes anything: on bare paper it is colours, fonts and suits, and on data nothing."""
        theme = self.system.theme
        if isinstance(target_of(self.choices)[1], targets.RecordsTarget) or self.product == targets.TABLES:
            return False
        if is_for_target(self.order) or self.product == BOX:
            return theme.id != targets.targets_by_name()[self.target_name].theme
        looks = panel_options(self)
        plain = replace(looks, theme=PLAIN)
        return (theme.fonts, theme.suits, looks.on_paper) != (PLAIN.fonts, PLAIN.suits, plain.on_paper)

    @property
    def text_name(self) -> str:
        """The name of a file to read."""
        return f"{self._name}.{self.choices.format}"

    @property
    def _name(self) -> str:
        return f"{self.system.head.id}-{self.product}{self.order.ending}"

    def of(self, product: str) -> "Job":
        """The same for another product of the system."""
        return Job(replace(self.order, product=product), self.progress, self.jobs, self.warnings, self.left_out)


def is_for_target(order: Order) -> bool:
    """Whether the target decides how the product is printed; panels are the same for all of them."""
    system, product = order.system, order.product
    besides = targets.products_besides(targets.targets_by_name()[order.choices.cards_target])
    return is_starter(system, product) or bool(besides) or product in card_products.printed_sets(system)


def card_size(target: targets.Target, choices: Choices, printed: CardSet | None = None) -> Size:
    """Return the size to print at: the one chosen, or the target's, or poker; for large print one that is large."""
    if isinstance(target, targets.LabelTarget):
        return Size(target.sheet.width, target.sheet.height)
    if isinstance(target, targets.FullLabelTarget) and choices.card is None:
        return Size(target.width, target.height)
    if isinstance(target, targets.StockTarget):
        sheet = sheets.named_item(target.sheets, choices.paper or "a4", "paper")
        return Size(sheet.height, sheet.width)
    if choices.card is not None:
        return choices.card
    if choices.text == "large" and printed is not None:
        sizes = target.canvases if isinstance(target, targets.PictureTarget) else sheets.card_sizes()
        return deck.large_card(printed, [sheets.card_sizes()[size] for size in deck.LARGE_CARDS if size in sizes])
    return sheets.card_sizes()["poker"]


def _looks(job: Job) -> dict[str, Any]:
    """Return what cards and panels are printed with alike."""
    alike = ("ink", "suits", "contrast", "text", "jokers", "extras")
    return {"theme": job.system.theme, "source": job.source, **{name: getattr(job.choices, name) for name in alike}}


def card_target(job: Job) -> tuple[str, targets.Target]:
    """Return the target that the cards are laid out for, with its name."""
    name, target = target_of(job.choices)
    looks = Looks(theme=job.system.theme, ink=job.choices.ink, contrast=job.choices.contrast)
    if isinstance(target, targets.SheetTarget) and looks.inks.filled:
        # A cut between two dark grounds shows each miss, and its marks would lie on them: these cards lie apart.
        return HOME_BLEED, targets.targets_by_name()[HOME_BLEED]
    return name, target


def deck_options(job: Job) -> deck.Options:
    """Return how the deck is printed for the target. Raises HackjackError where nothing fits."""
    chosen = job.choices
    _, target = card_target(job)
    printed = card_products.card_set(job.system, job.product)
    card = card_size(target, chosen, printed)
    return deck.Options(
        paper=chosen.paper_size,
        card=card,
        layout=targets.layout_of(target, chosen.paper_size, card),
        backs="none" if chosen.backs == "none" else "duplex",
        nudge=job.order.nudge,
        marks=chosen.marks or target.marks,
        only=codes(chosen.only, printed),
        counts=job.order.counts,
        start=chosen.start or 1,
        copies=chosen.copies or 1,
        fill=chosen.fill,
        guide=isinstance(target, targets.SheetTarget | targets.BleedTarget),
        **_looks(job),
    )


def panel_options(job: Job) -> PanelOptions:
    """Return how panels, and boxes of cards, are printed."""
    chosen = job.choices
    options = PanelOptions(
        paper=chosen.paper_size,
        fillable=job.product in ("sheet", STARTER) and not chosen.plain,
        filling=job.order.filling,
        card=chosen.card,
        columns=chosen.columns,
        rows=chosen.rows,
        panels=chosen.panels,
        players=chosen.players,
        **_looks(job),
    )
    return replace(options, thickness=chosen.thickness) if chosen.thickness else options


def named_sets(job: Job) -> tuple[str, ...]:
    """Return the sets of cards that a product means and that have cards which `only` names."""
    names, only = card_products.printed_sets(job.system), job.choices.only
    if job.product != targets.WHOLE:
        return tuple(name for name in names if name == job.product)
    names = tuple(name for name in names if not is_for_sheets(job.system, name))
    return tuple(name for name in names if not only or codes(only, card_products.card_set(job.system, name)))


def printed_codes(job: Job, chosen: deck.Options) -> list[str]:
    """List the codes of the cards in the order of the print."""
    return [face.code for face in deck.laid_out(job.system, job.product, chosen)]


def look_at_art(job: Job, chosen: deck.Options, bleed: float, dpi: float = GOOD_DPI) -> None:
    """Warn of the pack's own pictures that are a little coarse. Raises HackjackError for one that is too coarse."""
    from generator.products import art

    uses = deck.art_uses(job.system, chosen, job.product, bleed=bleed)
    # A product that is set again in other fonts warns once.
    job.warnings.extend(each for each in art.art_warnings(job.system, uses, dpi) if each not in job.warnings)
