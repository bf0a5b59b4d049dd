"""The pictures in the README, made by the program itself: `python docs/make_pictures.py`."""

from __future__ import annotations

from pathlib import Path

from PIL import Image, ImageDraw

from generator import content, sheets
from generator.cardsets import card_set
from generator.exports import png
from generator.paper.document import save
from generator.products import deck, panels

PICTURES = Path(__file__).parent / "pictures"
CLOTH = (54, 74, 66)
DPI = 150
LARGE = 3
"""Pictures are put together this many times larger and then reduced, so that turned edges are smooth."""


def cards(codes: tuple[str, ...], *, dpi: int = DPI) -> list[Image.Image]:
    """Faces and, last, the back, with rounded corners."""
    system = content.load(content.find("hackjack")).system
    size = sheets.cards()["poker"]
    options = deck.Options(sheets.papers()["a4"], size, only=codes, jokers=True)
    order = [face.code for face in deck.faces(card_set(system, "deck"), codes)]
    pages = [_rounded(page) for page in png.pages(deck.singles(system, options), dpi)]
    return [*(pages[order.index(code)] for code in codes), pages[-1]]


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
    faces = cards(codes, dpi=200)[:-1]
    wide, high = faces[0].size
    gap = wide // 16
    table = Image.new("RGB", (len(faces) * (wide + gap) + gap, high + 2 * gap), CLOTH)
    for place, face in enumerate(faces):
        table.paste(face, (gap + place * (wide + gap), gap), face)
    return table.resize((1400, round(1400 * table.size[1] / table.size[0])), Image.Resampling.LANCZOS)


def panel(product: str, number: int) -> Image.Image:
    """One page of a screen or sheet, with a thin edge."""
    system = content.load(content.find("hackjack")).system
    options = panels.Options(sheets.papers()["a4"])
    made = panels.screen(system, options) if product == "screen" else panels.sheet(system, options)
    shown = list(png.pages(made, 110))[number]
    ImageDraw.Draw(shown).rectangle((0, 0, shown.width - 1, shown.height - 1), outline=(150, 150, 150))
    return shown


def _lay(table: Image.Image, card: Image.Image, x: int, y: int, turn: float) -> None:
    """Put a card down with its middle at (x, y), turned by some degrees, with a soft edge under it."""
    turned = card.resize((card.width * LARGE, card.height * LARGE)).rotate(turn, Image.Resampling.BICUBIC, expand=True)
    turned = turned.resize((turned.width // LARGE, turned.height // LARGE), Image.Resampling.LANCZOS)
    shadow = Image.new("RGB", turned.size, tuple(part // 2 for part in CLOTH))
    corner = (x - turned.width // 2, y - turned.height // 2)
    table.paste(shadow, (corner[0] + 4, corner[1] + 6), turned.getchannel("A"))
    table.paste(turned, corner, turned)


def main() -> None:
    """Write every picture."""
    for name, picture in {
        "hand.png": fan(("AD", "7C", "10H", "JS", "QS")),
        "cards.png": row(("JS", "10H", "7C", "QS")),
        "screen.png": panel("screen", 1),
        "sheet.png": panel("sheet", 0),
    }.items():
        save(png.encoded(picture.quantize(128).convert("RGB"), DPI), PICTURES / name)
        print(PICTURES / name)


if __name__ == "__main__":
    main()
