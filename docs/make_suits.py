"""Make generator/paper/suits.ttf of the drawings on the cards: the suits, a drop as B, a bone as T. Needs fonttools."""

from __future__ import annotations

from pathlib import Path

from fontTools.fontBuilder import FontBuilder
from fontTools.pens.cu2quPen import Cu2QuPen
from fontTools.pens.ttGlyphPen import TTGlyphPen

from generator.paper.art import ICONS, SUITS

FILE = Path(__file__).parents[1] / "generator" / "paper" / "suits.ttf"
EM, SIZE, MIDDLE, BESIDE = 1000, 700, 330, 40
"""The em, the longer side of a sign, its middle above the line, and the room at its sides."""
SIGNS = {"C": 0x2663, "D": 0x2666, "H": 0x2665, "S": 0x2660, "drop": ord("B"), "bone": ord("T")}
DRAWINGS = {**SUITS, **ICONS}


def glyph(suit: str) -> tuple[object, int]:
    """Return the glyph of a suit, and how wide it is."""
    ends = [at for _, *numbers in DRAWINGS[suit].commands for at in numbers[-2::2]]
    half = max(map(abs, ends)) * SIZE
    pen = TTGlyphPen(None)
    quadratic = Cu2QuPen(pen, 0.5)
    for command, *numbers in DRAWINGS[suit].commands:
        points = [
            (round(x * SIZE + half + BESIDE), round(y * SIZE + MIDDLE))
            for x, y in zip(numbers[::2], numbers[1::2], strict=True)
        ]
        match command:
            case "M":
                quadratic.moveTo(*points)
            case "L":
                quadratic.lineTo(*points)
            case "C":
                quadratic.curveTo(*points)
            case _:
                quadratic.closePath()
    return pen.glyph(), round(2 * (half + BESIDE))


def main() -> None:
    """Write the font."""
    made = {suit: glyph(suit) for suit in SIGNS}
    builder = FontBuilder(EM, isTTF=True)
    builder.setupGlyphOrder([".notdef", "space", *SIGNS])
    builder.setupCharacterMap({0x20: "space"} | {sign: suit for suit, sign in SIGNS.items()})
    empty = TTGlyphPen(None).glyph()
    builder.setupGlyf({".notdef": empty, "space": empty} | {suit: outline for suit, (outline, _) in made.items()})
    widths = {".notdef": 500, "space": 250} | {suit: width for suit, (_, width) in made.items()}
    builder.setupHorizontalMetrics({name: (width, 0) for name, width in widths.items()})
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable({"familyName": "Hackjack Suits", "styleName": "Regular", "psName": "HackjackSuits"})
    builder.setupOS2(sTypoAscender=800, sTypoDescender=-200)
    builder.setupPost()
    builder.font["head"].created = builder.font["head"].modified = 0
    builder.font.recalcTimestamp = False
    builder.save(FILE)


if __name__ == "__main__":
    main()
