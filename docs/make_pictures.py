"""The pictures in the README and the gallery, made by the program itself: `python docs/make_pictures.py`."""

from __future__ import annotations

import io
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path

from PIL import Image, ImageDraw
from reportlab.pdfgen.canvas import Canvas

from generator import cli
from generator.base.emblem_names import EMBLEMS
from generator.base.files import save_file
from generator.games.card_products import PATTERNS, back_design, card_set, card_set_names
from generator.layout import sheets
from generator.model.rules import System
from generator.model.themes import PLAIN
from generator.orders import png
from generator.pack import themes
from generator.pack.load import load_pack
from generator.pack.pack_locations import find, shipped
from generator.paper.art import emblem_outline
from generator.paper.back import draw_back
from generator.paper.ink import BLACK, rgb
from generator.paper.panel_options import PanelOptions
from generator.paper.themed import fonts_of_theme
from generator.products import deck, panels, products_of

ROOT = Path(__file__).parents[1]
PICTURES = ROOT / "docs" / "pictures"
CLOTH = (54, 74, 66)
DPI = 150
OURS = ("hackjack", "jackrealms", "deadlands", "fiftytwo", "glog")
LARGE = 3
"""Pictures are put together this many times larger and then reduced, so that turned edges are smooth."""


def cards(codes: tuple[str, ...], *, dpi: int = DPI) -> list[Image.Image]:
    """Faces and, last, the back, with rounded corners."""
    system = load_pack(find("hackjack")).system
    size = sheets.card_sizes()["poker"]
    poster = themes.shipped()["poster"]
    options = deck.Options(sheets.paper_sizes()["a4"], size, only=codes, jokers=True, theme=poster)
    order = [face.code for face in deck.faces(card_set(system, "deck"), codes)]
    pages = [_rounded(page) for page in pages_of(deck.singles(system, options), dpi)]
    return [*(pages[order.index(code)] for code in codes), pages[-1]]


def pages_of(pdf: bytes, dpi: float) -> Iterator[Image.Image]:
    """Yield the pages of a PDF as pictures of Pillow."""
    return (Image.frombytes("RGB", page.size, page.dots) for page in png.page_pictures(pdf, dpi))


def _rounded(card: Image.Image) -> Image.Image:
    box = (0, 0, card.size[0] - 1, card.size[1] - 1)
    mask = Image.new("L", card.size, 0)
    radius = round(card.size[0] / 20)
    ImageDraw.Draw(mask).rounded_rectangle(box, radius, fill=255)
    ImageDraw.Draw(card).rounded_rectangle(box, radius, outline=(150, 150, 150), width=2)
    shown = card.convert("RGBA")
    shown.putalpha(mask)
    return shown


def fan(codes: tuple[str, ...]) -> Image.Image:
    """A hand of cards, fanned, and the back of the pack beside it."""
    faces = cards(codes, dpi=DPI)
    wide, high = faces[0].size
    table = Image.new("RGB", (round(wide * 4.75), round(high * 1.56)), CLOTH)
    turns = [14 - 28 * place / (len(codes) - 1) for place in range(len(codes))]
    _lay(table, faces[-1], round(wide * 0.72), round(high * 0.80), 5)
    for place, (face, turn) in enumerate(zip(faces[:-1], turns, strict=True)):
        sag = round(abs(turn) ** 2 * 0.45)
        _lay(table, face, round(wide * (1.95 + 0.5 * place)), round(high * 0.76) + sag, turn)
    return table.resize((1400, round(1400 * table.size[1] / table.size[0])), Image.Resampling.LANCZOS)


def row(codes: tuple[str, ...]) -> Image.Image:
    """Cards side by side at a size at which they can be read."""
    table = _laid_out(cards(codes, dpi=200)[:-1])
    return table.resize((1400, round(1400 * table.size[1] / table.size[0])), Image.Resampling.LANCZOS)


def explained() -> Image.Image:
    """The cards that explain the deck, side by side."""
    system = load_pack(find("hackjack")).system
    options = deck.Options(
        sheets.paper_sizes()["a4"],
        sheets.card_sizes()["poker"],
        only=("QS",),
        backs="none",
        extras=True,
        theme=themes.shipped()["poster"],
    )
    table = _laid_out([_rounded(page) for page in list(pages_of(deck.singles(system, options), 200))[1:]])
    return table.resize((900, round(900 * table.size[1] / table.size[0])), Image.Resampling.LANCZOS)


def panel(product: str, number: int) -> Image.Image:
    """One page of a screen or sheet, with a thin edge."""
    system = load_pack(find("hackjack")).system
    options = PanelOptions(sheets.paper_sizes()["a4"])
    made = panels.screen(system, options) if product == "screen" else panels.sheet(system, options)
    shown = list(pages_of(made, 110))[number]
    ImageDraw.Draw(shown).rectangle((0, 0, shown.width - 1, shown.height - 1), outline=(150, 150, 150))
    return shown


def emblems() -> Image.Image:
    """Every emblem with its name, in a table."""
    across, cell, size, below = 8, 62.0, 44.0, 12.0
    rows = -(-len(EMBLEMS) // across)
    wide, high = across * cell, rows * (cell + below)
    canvas = Canvas(file := io.BytesIO(), pagesize=(wide, high), invariant=True)
    for place, name in enumerate(EMBLEMS):
        x, y = (place % across + 0.5) * cell, high - (place // across + 0.5) * (cell + below)
        canvas.setFillColorRGB(*BLACK)
        emblem_outline(name).draw(canvas, x, y + below / 2, size)
        canvas.setFont("Helvetica", 8)
        canvas.drawCentredString(x, y - cell / 2, name)
    canvas.showPage()
    canvas.save()
    return next(iter(pages_of(file.getvalue(), 2 * 72)))


def backs() -> Image.Image:
    """The backs of all our sets of cards, with the names of their patterns."""
    designs = [
        back_design(system, name)
        for system in (load_pack(find(known)).system for known in OURS)
        for name in card_set_names(system)
    ]
    across, scale, gap, below = 7, 0.42, 8.0, 14.0
    card_wide, card_high = 180.0, 252.0
    step, rise = card_wide * scale + gap, card_high * scale + below
    high = -(-len(designs) // across) * rise
    canvas = Canvas(file := io.BytesIO(), pagesize=(across * step, high), invariant=True)
    for place, design in enumerate(designs):
        x, y = place % across * step + gap / 2, high - (place // across + 1) * rise
        canvas.saveState()
        canvas.translate(x, y + below)
        canvas.scale(scale, scale)
        colour, pattern = rgb(design.colour or ""), design.pattern or PATTERNS[0]
        draw_back(canvas, card_wide, card_high, 0, solid=True, pattern=pattern, colour=colour, title=design.title or "")
        canvas.restoreState()
        canvas.setFont("Helvetica", 8)
        canvas.drawCentredString(x + card_wide * scale / 2, y + 4, pattern)
    canvas.showPage()
    canvas.save()
    return next(iter(pages_of(file.getvalue(), 2 * 72)))


def _lay(table: Image.Image, card: Image.Image, x: int, y: int, turn: float) -> None:
    """Put a card down with its middle at (x, y), turned by some degrees, with a soft edge under it."""
    turned = card.resize((card.width * LARGE, card.height * LARGE)).rotate(turn, Image.Resampling.BICUBIC, expand=True)
    turned = turned.resize((turned.width // LARGE, turned.height // LARGE), Image.Resampling.LANCZOS)
    shadow = Image.new("RGB", turned.size, tuple(part // 2 for part in CLOTH))
    corner = (x - turned.width // 2, y - turned.height // 2)
    table.paste(shadow, (corner[0] + 4, corner[1] + 6), turned.getchannel("A"))
    table.paste(turned, corner, turned)


# --- the gallery -----------------------------------------------------------------------------------------------------

GALLERY = Path(__file__).parent / "gallery.md"
SHOWN = {
    ("hackjack", "deck"): ("AH", "9C", "KS", "QD"),
    ("jackrealms", "deck"): ("AS", "5H", "9C", "KD"),
    ("jackrealms", "scenes"): ("stakes-1", "stakes-4", "stakes-7", "stakes-10"),
    ("deadlands", "deck"): ("AC", "KS", "10D", "QH"),
    ("deadlands", "fate"): ("2C", "JD", "AS", "RJ"),
    ("deadlands", "fate-injuries"): ("7C", "QS", "4D", "BJ"),
}
"""The cards that show a set; of other sets it is every fourth part's first."""
PAGES = {"screen": 2, "mat": 2}
"""So many first pages are shown of a product; otherwise one."""
WIDE = 1200
INTRODUCTION = """# Gallery

Everything that the five systems print, as it comes out of `hackjack print`: four cards of each set with
`--theme poster`, the first page or two of everything else. The pictures are made by
`python docs/make_pictures.py`, from the same files.
"""


def gallery() -> str:
    """Write a picture of every product of every system, and give the page that shows them."""
    parts = [INTRODUCTION]
    for name in shipped():
        system = load_pack(find(name)).system
        parts.append(f"## {system.head.title}\n")
        for product in products_of(system):
            for place, picture in enumerate(_product(system, product)):
                file = PICTURES / "gallery" / f"{name}-{product}{place + 1 if place else ''}.png"
                file.parent.mkdir(parents=True, exist_ok=True)
                _save(picture, file)
                shown = "" if place else f"`hackjack print {name} {product}`\n\n"
                parts.append(f"{shown}![{system.head.title}: {product}](pictures/gallery/{file.name})\n")
    return "\n".join([*parts, *in_every_theme()])


THEMED = (
    ("hackjack", "deck", ("7D",)),
    ("deadlands", "fate-injuries", ("QS",)),
    ("fiftytwo", "initiative", ("alan",)),
    ("glog", "conditions", ("gored",)),
    ("jackrealms", "deck", ("KH",)),
    ("docs/examples/mire", "omens", ("lantern", "toll", "roots")),
)
"""The cards that show a theme, the back of the first after them."""
THEMES = """## Themes

A card of each system in each [theme](themes.md); below them three cards that
are as full as they can be, and a back.
"""


def in_every_theme() -> list[str]:
    """Write a picture of every theme, and give the parts of the page that show them."""
    parts = [THEMES]
    for name, theme in themes.shipped().items():
        cards: list[Image.Image] = []
        backs: list[Image.Image] = []
        for place, product, codes in THEMED:
            system = load_pack(ROOT / place if "/" in place else find(place)).system
            options = deck.Options(sheets.paper_sizes()["a4"], sheets.card_sizes()["poker"], only=codes, theme=theme)
            with fonts_of_theme(theme, system):
                *faces, back = (_rounded(page) for page in pages_of(deck.singles(system, options, product), DPI))
            cards += faces
            backs.append(back)
        shown = [*cards, backs[0]]
        half = len(shown) // 2 + 1
        file = PICTURES / "gallery" / f"theme-{name}.png"
        _save(_stacked(_laid_out(shown[:half]), _laid_out(shown[half:])), file, Image.Quantize.MAXCOVERAGE)
        parts.append(f"`--theme {name}`: {theme.about}\n\n![Theme: {name}](pictures/gallery/{file.name})\n")
    return parts


def _stacked(upper: Image.Image, lower: Image.Image) -> Image.Image:
    table = Image.new("RGB", (upper.width, upper.height + lower.height), CLOTH)
    table.paste(upper, (0, 0))
    table.paste(lower, (0, upper.height))
    return table


def _product(system: System, product: str) -> Iterator[Image.Image]:
    name = system.head.id
    with tempfile.TemporaryDirectory() as folder:
        if product in card_set_names(system):
            faces = card_set(system, product).faces
            spread = [faces[len(faces) * place // 4].code for place in range(4)]
            codes = SHOWN.get((name, product), tuple(spread))
            only = ("--target", "png", "--dpi", "150", "--theme", "poster", "--only", ",".join(codes))
            _print(name, product, "-o", folder, *only)
            found = {file.stem.casefold(): file for file in Path(folder).glob("**/*.png")}
            yield _laid_out([_rounded(Image.open(found[code.casefold()]).convert("RGB")) for code in codes])
            return
        _print(name, product, "-o", folder)
        (printed,) = Path(folder).glob("*.pdf")
        for shown in list(pages_of(printed.read_bytes(), 110))[: PAGES.get(product, 1)]:
            ImageDraw.Draw(shown).rectangle((0, 0, shown.width - 1, shown.height - 1), outline=(150, 150, 150))
            yield shown


GUIDES = (
    ("first_pack.md", "grim", "deck", ("KS", "AC", "2C")),
    ("", "beasts", "deck", ("KC", "QD", "5S", "AH")),
    ("common_systems.md", "rubble", "scars", ()),
    ("common_systems.md", "bolts", "hits", ()),
    ("common_systems.md", "splinters", "splinters", ()),
    ("common_systems.md", "embers", "conditions", ()),
    ("", "keen", "criticals", ("1", "7", "16", "22")),
)
"""The packs that guides write or name, and what is shown of each; all cards, at most four, where none are named."""


def guides() -> None:
    """Write a picture of what each pack of the guides prints."""
    for page, pack, product, codes in GUIDES:
        with tempfile.TemporaryDirectory() as parent:
            folder = Path(parent) / pack if page else ROOT / "docs" / "examples" / pack
            if page:
                folder.mkdir()
                text = (ROOT / "docs" / page).read_text(encoding="utf-8")
                for file, body in re.findall(rf"^```yaml\n# {pack}/(\w+\.yaml)\n(.*?)^```", text, re.M | re.S):
                    (folder / file).write_text(body, encoding="utf-8")
            system = load_pack(folder).system
            theme = themes.shipped()["poster"] if system.theme == PLAIN else system.theme
            options = deck.Options(sheets.paper_sizes()["a4"], sheets.card_sizes()["poker"], only=codes, theme=theme)
            with fonts_of_theme(theme, system):
                *faces, _ = (_rounded(page) for page in pages_of(deck.singles(system, options, product), DPI))
            distinct = {face.tobytes(): face for face in faces}
            _save(_laid_out([*distinct.values()][:4]), PICTURES / f"guide-{pack}.png")


def played() -> None:
    """Write the pictures of the guide to Hackjack."""
    for name, codes in PLAYED.items():
        _save(_laid_out(cards(codes, dpi=100)[:-1]), PICTURES / f"play-{name}.png")


def _print(*words: str) -> None:
    if cli._run(["print", *words]):
        raise SystemExit(f"hackjack print {' '.join(words)} failed")


def _laid_out(faces: list[Image.Image]) -> Image.Image:
    wide, high = max(face.width for face in faces), max(face.height for face in faces)
    gap = wide // 16
    table = Image.new("RGB", (len(faces) * (wide + gap) + gap, high + 2 * gap), CLOTH)
    for place, face in enumerate(faces):
        table.paste(face, (gap + place * (wide + gap), gap), face)
    return table


def _save(picture: Image.Image, file: Path, method: Image.Quantize = Image.Quantize.MEDIANCUT) -> None:
    """Few colours, and not wider than a page of text needs."""
    if picture.width > WIDE:
        picture = picture.resize((WIDE, round(WIDE * picture.height / picture.width)), Image.Resampling.LANCZOS)
    encoded = io.BytesIO()
    picture.convert("RGB").quantize(48, method).save(encoded, "PNG", optimize=True)
    save_file(encoded.getvalue(), file)


PLAYED = {
    "hit": ("10C",),
    "blood": ("10C", "7H"),
    "exactly": ("10C", "7H", "AC"),
    "death": ("10C", "7H", "8S"),
    "recovery": ("7H",),
}
"""The cards in front of a player in the guide to Hackjack."""


def main() -> None:
    """Write every picture."""
    for name, picture in {
        "hand.png": fan(("AD", "7C", "10H", "JS", "QS")),
        "cards.png": row(("JS", "10H", "7C", "QS")),
        "extras.png": explained(),
        "screen.png": panel("screen", 1),
        "sheet.png": panel("sheet", 0),
    }.items():
        plain = picture.quantize(128).convert("RGB")
        save_file(png.png_bytes(png.Picture(*plain.size, plain.tobytes()), DPI), PICTURES / name)
        print(PICTURES / name)
    _save(emblems(), PICTURES / "emblems.png")
    _save(backs(), PICTURES / "backs.png")
    guides()
    played()
    save_file(gallery().encode(), GALLERY)
    print(GALLERY)


if __name__ == "__main__":
    main()
