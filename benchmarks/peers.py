"""How long a deck takes beside programs that set type: fpdf2, WeasyPrint and Typst, each with the same words.

They set 52 cards on sheets of nine, each with its name and its sentences in one size, and nothing else: no badges, no
emblems, no type that is fitted to the set, no tags, no backs. Each begins with the words and ends with the PDF, in
this process. Run: pip install -e '.[bench]'; python benchmarks/peers.py
"""

from __future__ import annotations

import html
import time
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from statistics import median

import font_source_sans_pro
from figures import Figure, tell

from generator.games import card_products
from generator.layout import sheets
from generator.layout.card_elements import Face, title_of
from generator.model.rules import System
from generator.pack.load import load_pack
from generator.pack.pack_locations import find
from generator.products import deck

ROUNDS = 5
FONT = Path(font_source_sans_pro.__file__).parent / "files" / "SourceSansPro-Regular.ttf"
WIDE, HIGH = 63.5, 88.9
LEFT, TOP = 9.75, 15.15
"""Where nine poker cards begin on A4, mm."""

Words = list[tuple[str, str]]
"""The name of each card, and its sentences."""


def words_of(system: System) -> Words:
    """What stands on the cards."""
    return [(title_of(face), _sentences(face)) for face in card_products.card_set(system, "deck").faces[:52]]


def _sentences(face: Face) -> str:
    said = [f"{part.says} {part.until}".strip() for part in face.parts if hasattr(part, "until")]
    return " ".join(f"{each.replace('*', '')}." for each in said)


def by_fpdf2(words: Words) -> bytes:
    """Cells on a page."""
    from fpdf import FPDF

    pdf = FPDF(format="A4")
    pdf.add_font("sans", fname=str(FONT))
    pdf.set_auto_page_break(auto=False)
    for number, (name, says) in enumerate(words):
        column, row = number % 3, number // 3 % 3
        if number % 9 == 0:
            pdf.add_page()
        x, y = LEFT + column * WIDE, TOP + row * HIGH
        pdf.rect(x, y, WIDE, HIGH)
        pdf.set_xy(x + 4, y + 5)
        pdf.set_font("sans", size=12)
        pdf.multi_cell(WIDE - 8, 5, name)
        pdf.set_xy(x + 4, y + 16)
        pdf.set_font("sans", size=9)
        pdf.multi_cell(WIDE - 8, 4, says)
    return bytes(pdf.output())


def by_weasyprint(words: Words) -> bytes:
    """A page of HTML."""
    from weasyprint import HTML

    style = (
        f"@page {{size: A4; margin: {TOP}mm {LEFT}mm}} @font-face {{font-family: sans; src: url({FONT.as_uri()})}}"
        f"body {{font: 9pt sans; margin: 0}} div {{float: left; width: {WIDE}mm; height: {HIGH}mm; padding: 4mm;"
        " box-sizing: border-box; border: 0.2mm solid} h2 {font: 12pt sans; margin: 0 0 4mm}"
    )
    cards = "".join(f"<div><h2>{html.escape(name)}</h2>{html.escape(says)}</div>" for name, says in words)
    return bytes(HTML(string=f"<style>{style}</style>{cards}").write_pdf())


def by_typst(words: Words) -> bytes:
    """A page of Typst."""
    typst = import_module("typst")

    cards = ", ".join(f"[#text(12pt)[{_plain(name)}] #v(3mm) {_plain(says)}]" for name, says in words)
    source = (
        f'#set page("a4", margin: (x: {LEFT}mm, y: {TOP}mm))\n#set text(9pt, font: "Source Sans Pro")\n'
        f"#grid(columns: (1fr,) * 3, rows: {HIGH}mm, inset: 4mm, stroke: 0.2mm, {cards})"
    )
    made = typst.compile(source.encode(), font_paths=[str(FONT.parent)])
    return bytes(made)


def _plain(text: str) -> str:
    return "".join(f"\\{sign}" if sign in "\\[]#*_$@<>`~-" else sign for sign in text)


PEERS: dict[str, tuple[str, Callable[[Words], bytes]]] = {
    "fpdf2": ("fpdf", by_fpdf2),
    "WeasyPrint": ("weasyprint", by_weasyprint),
    "Typst": ("typst", by_typst),
}


def seconds(work: Callable[[], object]) -> float:
    """How long a piece of work takes."""
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def figures() -> Iterator[Figure]:
    """The medians, in turns; programs that are not installed are left out."""
    system = load_pack(find("hackjack")).system
    options = deck.Options(sheets.paper_sizes()["a4"], sheets.card_sizes()["poker"], backs="none")
    words = words_of(system)
    for name, (module, work) in PEERS.items():
        if find_spec(module) is None:
            continue
        work(words)
        ours, theirs = [], []
        for _ in range(ROUNDS):
            ours.append(seconds(lambda: deck.sheets(system, options)))
            theirs.append(seconds(lambda work=work: work(words)))  # type: ignore[misc]
        yield Figure("52 cards without backs, annotated", median(ours), f"bare words by {name}", median(theirs))


if __name__ == "__main__":
    tell(figures())
