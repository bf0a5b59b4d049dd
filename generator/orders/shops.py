"""What a print shop is sent: pictures of the size that it checks, a box, and a page that says what to click."""

from collections.abc import Iterator, Mapping
from io import BytesIO

from msgspec.structs import replace

from generator.base import zip_files
from generator.base.errors import HackjackError
from generator.layout import sheets, targets
from generator.layout.sheets import Printed, Size
from generator.orders import card_pictures, png
from generator.orders.card_pictures import file_names, pictures_of_cards
from generator.orders.editions import order_page
from generator.orders.job import File, Job, deck_options, panel_options, printed_codes
from generator.products import boxes, deck

_IN_PARCELS = {
    "fronts": "the cards, in the order of the deck",
    "back": "the back of all cards",
    "fronts and backs": "the cards in the order of the deck, each after its back",
    "extras": "how to read a card, and the rules: more cards, if you want them",
}


def shop_files(job: Job, target: targets.PictureTarget) -> Iterator[File]:
    """One PNG a card of the very size that the shop's portal checks, and a parcel of them in their order."""
    chosen = deck_options(job)
    name = targets.checked_size(tuple(target.canvases), chosen.card, job.target_name)
    size = target.canvases[name]
    dots = target.dpi / targets.MM_AN_INCH
    bleed = Size((size.width / dots - chosen.card.width) / 2, (size.height / dots - chosen.card.height) / 2)
    leaf, pixels = deck.Leaf(bleed), (size.width, size.height)
    pictures = pictures_of_cards(job, target.dpi, leaf, pixels)
    aside: dict[str, bytes] = {}
    if not chosen.extras:
        extras = replace(chosen, cards=False, extras=True, backs="none")
        pages = png.page_pictures(card_pictures.singles_of(job, extras, leaf), target.dpi, pixels)
        named = zip(file_names(printed_codes(job, extras)), pages, strict=True)
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
    zip_files.write_archive(stream, {"ORDER.md": text, **parts, **made_boxes})
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
