"""Cards of an order as pictures: their pages, what their files are called, and the files one after the other."""

import re
from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from generator.base.files import is_device
from generator.layout import targets
from generator.layout.sheets import Printed, Size
from generator.orders import png
from generator.orders.job import File, Job, deck_options, look_at_art, printed_codes
from generator.orders.records import CardRecord
from generator.products import deck


def pictures_of_cards(
    job: Job, dpi: int, leaf: deck.Leaf | None = None, size: tuple[int, int] | None = None
) -> Iterator[File]:
    """One PNG a card, and one of the back, in their order."""
    chosen, leaf = deck_options(job), leaf or deck.Leaf()
    names = [*file_names(printed_codes(job, chosen)), *(["back"] if chosen.backs != "none" else [])]
    look_at_art(job, chosen, max(leaf.bleed.width, leaf.bleed.height), dpi)
    pdf = singles_of(job, chosen, leaf)
    return packed_files(job, [f"{job.stem}/{name}.png" for name in names], png.page_pictures(pdf, dpi, size), dpi)


def singles_of(job: Job, chosen: deck.Options, leaf: deck.Leaf) -> Printed:
    """Return the pages for the pictures. Raises HackjackError."""
    # Nobody keeps this PDF: packing it would only cost time.
    return deck.singles(job.system, replace(chosen, compressed=False, tagged=False), job.product, leaf)


def packed_files(job: Job, names: Sequence[str], pictures: Iterable[png.Picture], dpi: float) -> Iterator[File]:
    """Pack pictures one after the other, each as soon as it is drawn."""
    with job.progress(job.stem, len(names)) as step:
        packed = png.packed_pictures(pictures, dpi, job.jobs)
        for name, (content, width, height) in zip(names, packed, strict=True):
            yield File(name, content, Size(width * targets.MM_AN_INCH / dpi, height * targets.MM_AN_INCH / dpi), 1)
            step()


def drawn_once(job: Job, dpi: int) -> Iterator[png.Picture]:
    """Draw each card once, however many copies there are, and at last the back."""
    chosen = deck_options(job)
    laid_out = deck.laid_out(job.system, job.product, chosen)
    first = sorted({face: at for at, face in reversed([*enumerate(laid_out)])}.values())
    look_at_art(job, chosen, 0.0, dpi)
    pdf = singles_of(job, chosen, deck.Leaf())
    return png.page_pictures(pdf, dpi, only=[*first, png.page_count(pdf) - 1])


def picture_names(cards: Sequence[CardRecord]) -> list[str]:
    """Names of the cards' pictures, in order; no two are the same."""
    return [f"{at:03}-{plain_name(card.code)}" for at, card in enumerate(cards, 1)]


def file_names(codes: Sequence[str]) -> Iterator[str]:
    """Each code as the name of a file, further copies of a card with their number: `7`, `7-copy2`."""
    for place, code in enumerate(codes):
        copy = codes[: place + 1].count(code)
        yield plain_name(code) + (f"-copy{copy}" if copy > 1 else "")


def plain_name(code: str) -> str:
    """A card's code as the name of a file, which is neither that of the back nor a device."""
    plain = re.sub(r"[^\w-]", "-", code) or "card"
    return f"{plain}-card" if is_device(plain) or plain.casefold() == "back" else plain


def png_files(job: Job, target: targets.PngTarget) -> Iterator[File]:
    """Make one PNG a card, cut to the trim."""
    return pictures_of_cards(job, job.choices.dpi or target.dpi)
