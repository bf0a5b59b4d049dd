"""What tests have in common: the content, the command line, PDFs that are made once, and reading them back."""

from __future__ import annotations

import contextlib
import io
import math
import re
import shutil
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any, get_args

import pypdf
import pypdfium2
import pypdfium2.raw as pdfium
from PIL.Image import Image
from pypdf.generic import ContentStream

from generator import cli
from generator.layout import sheets as paper
from generator.model.log import Entry
from generator.model.rules import System
from generator.pack import content
from generator.products import deck

ROOT = Path(__file__).resolve().parents[1]
CONTENT = ROOT / "content" / "hackjack"
MM = 72 / 25.4
SAFE = 3.0
"""The safe line lies so far inside the trim, mm."""


@cache
def hackjack() -> System:
    """The flagship's content, as it ships."""
    return content.load(CONTENT).system


@cache
def fiftytwo() -> System:
    """The 52-card engine's content, as it ships."""
    return content.load(ROOT / "content" / "fiftytwo").system


def copy_pack(folder: Path) -> Path:
    """A copy of the flagship's pack below a folder, to be spoilt."""
    return Path(shutil.copytree(CONTENT, folder / "pack"))


def kinds_in(log: Iterable[Entry[Any]]) -> set[object]:
    """What happened: the types of the facts, and the members of those that are enumerations."""
    return {entry.fact if isinstance(entry.fact, Enum) else type(entry.fact) for entry in log}


def kinds_of(facts: Any) -> set[object]:
    """The same of a union: all that can happen."""
    return {kind for fact in get_args(facts) for kind in (fact if issubclass(fact, Enum) else (fact,))}


# --- the command line ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Ran:
    """How a command went."""

    code: int
    out: str
    err: str

    @property
    def faults(self) -> list[str]:
        """The lines on standard error."""
        return self.err.splitlines()


def run(*arguments: str | Path) -> Ran:
    """Run `hackjack` in this process, with the real handling of errors."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = cli._run([str(argument) for argument in arguments])
    return Ran(code, out.getvalue(), err.getvalue())


# --- PDFs ------------------------------------------------------------------------------------------------------------


def options(**changes: Any) -> deck.Options:
    """Options of the deck; `paper` by name."""
    size = paper.papers()[changes.pop("paper", "a4")]
    return deck.Options(paper=size, card=paper.cards()["poker"], **changes)


@cache
def _deck_pdf(changes: tuple[tuple[str, Any], ...], settings: tuple[tuple[str, str], ...], single: bool) -> bytes:
    system = content.with_settings(hackjack(), settings)
    return (deck.singles if single else deck.sheets)(system, options(**dict(changes)))


def deck_pdf(*, settings: tuple[tuple[str, str], ...] = (), single: bool = False, **changes: Any) -> bytes:
    """The deck as a PDF, made once for each set of options."""
    return _deck_pdf(tuple(sorted(changes.items())), settings, single)


@dataclass(frozen=True)
class Char:
    """One printed character: its box and its origin in mm, its size in pt as it comes out, and how it stands."""

    text: str
    left: float
    bottom: float
    right: float
    top: float
    x: float
    y: float
    size: float
    turned: bool
    spaced: bool


@contextlib.contextmanager
def opened(pdf: bytes) -> Iterator[pypdfium2.PdfDocument]:
    """A PDF to look at, closed in the end."""
    document = pypdfium2.PdfDocument(pdf)
    try:
        yield document
    finally:
        document.close()


@contextlib.contextmanager
def text_of(document: pypdfium2.PdfDocument, number: int) -> Iterator[pypdfium2.PdfTextPage]:
    """The text layer of one page."""
    page = document[number]
    try:
        text = page.get_textpage()
        try:
            yield text
        finally:
            text.close()
    finally:
        page.close()


@cache
def chars(pdf: bytes, number: int) -> tuple[Char, ...]:
    """Every visible character of a page."""
    found = []
    with opened(pdf) as document, text_of(document, number) as text:
        letters = [as_typed(text.get_text_range(place, 1)) for place in range(text.count_chars())]
        for place, letter in enumerate(letters):
            if letter.strip():
                found.append(_char(text, place, letter, spaced=place > 0 and letters[place - 1] == " "))
    return tuple(found)


def _char(text: pypdfium2.PdfTextPage, place: int, letter: str, *, spaced: bool) -> Char:
    matrix = pdfium.FS_MATRIX()
    assert pdfium.FPDFText_GetMatrix(text, place, matrix)
    left, bottom, right, top = (edge / MM for edge in text.get_charbox(place))
    size = pdfium.FPDFText_GetFontSize(text, place) * math.hypot(matrix.c, matrix.d)
    x, y = pdfium.c_double(), pdfium.c_double()
    assert pdfium.FPDFText_GetCharOrigin(text, place, x, y)
    return Char(letter, left, bottom, right, top, x.value / MM, y.value / MM, size, matrix.a < -0.01, spaced)


def text_in(pdf: bytes, number: int, left: float, bottom: float, right: float, top: float) -> str:
    """The text inside a rectangle (mm), its white space as single spaces."""
    with opened(pdf) as document, text_of(document, number) as text:
        return as_typed(" ".join(text.get_text_bounded(left * MM, bottom * MM, right * MM, top * MM).split()))


@cache
def pictures(pdf: bytes, dpi: float) -> tuple[Image, ...]:
    """Every page as a picture."""
    found = []
    with opened(pdf) as document:
        for page in document:
            bitmap = page.render(scale=dpi / 72 - 1e-6)
            found.append(bitmap.to_pil().convert("RGB").copy())
            bitmap.close()
            page.close()
    return tuple(found)


@cache
def reader(pdf: bytes) -> pypdf.PdfReader:
    """The same PDF in another library's hands."""
    return pypdf.PdfReader(io.BytesIO(pdf))


Operation = tuple[list[Any], str]


def operations(pdf: bytes, number: int) -> list[Operation]:
    """The drawing operators of a page."""
    stream = ContentStream(reader(pdf).pages[number].get_contents(), reader(pdf))
    return [(list(operands), operator.decode("latin-1")) for operands, operator in stream.operations]


def form_places(pdf: bytes, number: int) -> list[tuple[float, float]]:
    """Where a page puts its forms, mm, apart from the drawn signs: those are scaled, everything else only moved."""
    x = y = 0.0
    kept: list[tuple[float, float]] = []
    found = []
    for operands, operator in operations(pdf, number):
        match operator:
            case "q":
                kept.append((x, y))
            case "Q":
                x, y = kept.pop()
            case "cm" if [float(part) for part in operands[:4]] == [1, 0, 0, 1]:
                x, y = x + float(operands[4]), y + float(operands[5])
            case "Do" if "sign-" not in operands[0]:
                found.append((x / MM, y / MM))
    return found


def lines_of(pdf: bytes, number: int) -> list[tuple[float, float, float, float]]:
    """The straight lines that a page draws, mm: m, l, and then something other than a longer path."""
    found = []
    start: tuple[float, float] | None = None
    for operands, operator in operations(pdf, number):
        if operator == "m":
            start = (float(operands[0]) / MM, float(operands[1]) / MM)
        elif operator == "l" and start is not None:
            found.append((*start, float(operands[0]) / MM, float(operands[1]) / MM))
            start = None
        elif operator not in ("S", "n"):
            start = None
    return found


def as_typed(text: str) -> str:
    """A printed text as content has it, without a printer's apostrophes and dashes."""
    return text.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").replace("\N{EN DASH}", "-")


def squeezed(text: str) -> str:
    """A text without any white space, as it is typed: where lines break is not its matter."""
    return re.sub(r"\s+", "", as_typed(text))
