"""What tests have in common: the content, the command line, PDFs that are made once, and reading them back."""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import math
import os
import pickle
import re
import shutil
import signal
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import cache, lru_cache, wraps
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar, get_args

import msgspec
import pypdf
import pypdfium2
import pypdfium2.raw as pdfium
import pytest
import yaml
from hypothesis import strategies as st
from PIL.Image import Image
from pypdf.generic import ContentStream

from generator import cli
from generator.base.errors import Problem
from generator.base.files import written_whole
from generator.check import claims, content_checks, kept_charts
from generator.check.claims import ClaimVerdict
from generator.games import FOLDERS, game_of
from generator.language.forms import statements
from generator.language.reader import read_steps
from generator.layout import sheets as paper
from generator.model.log import Entry, Log
from generator.model.rules import OWN_ENDS, AnyEffect, System, Until
from generator.orders.job import annotated_system
from generator.pack import load, strict_yaml
from generator.pack.load import Pack, load_pack
from generator.pack.pack_locations import user_folder
from generator.pack.settings import Setting, with_settings
from generator.pack.strict_yaml import Marks
from generator.play.chance import Chance
from generator.products import deck
from generator.session.journal_file import JournalFile
from generator.session.journal_lines import START, JournalRow, seal

ROOT = Path(__file__).resolve().parents[1]
CONTENT = ROOT / "content" / "hackjack"
MM = 72 / 25.4
SHARED = user_folder()
"""The charts of all tests lie here."""
SAFE = 3.0
"""The safe line lies so far inside the trim, mm."""


@cache
def docs_script(name: str) -> ModuleType:
    """Return a script of docs/ as a module."""
    spec = spec_from_file_location(name, ROOT / "docs" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@cache
def shipped(name: str) -> System:
    """A system's content, as it ships."""
    return load_pack(ROOT / "content" / name).system


def hackjack() -> System:
    """The flagship's content, as it ships."""
    return shipped("hackjack")


def fiftytwo() -> System:
    """The 52-card engine's content, as it ships."""
    return shipped("fiftytwo")


def befall(
    system: System, state: Mapping[str, Any], event: str, chance: Chance, held: Collection[str] | None = None
) -> tuple[dict[str, Any], Log]:
    """What happens to somebody, beside others who hold cards: the state and the event as in JSON, and so the result."""
    game = game_of(system)
    after, log = game.step_beside(game.read_state(state), game.read_event(event.split(), {}), chance, held or ())
    plain: dict[str, Any] = json.loads(json.dumps(game.plain_state(after)))
    return plain, log


class _Writer(yaml.SafeDumper):
    """Writes texts of several lines below |, as people do."""


_Writer.add_representer(
    str,
    lambda writer, text: writer.represent_scalar("tag:yaml.org,2002:str", text, style="|" if "\n" in text else None),
)


def written_yaml(value: Any) -> str:
    """Return a value as YAML, in its own order and with its rules below |."""
    return yaml.dump(value, Dumper=_Writer, sort_keys=False, width=1000, allow_unicode=True)


def copy_pack(folder: Path) -> Path:
    """A copy of the flagship's pack below a folder, to be spoilt."""
    return Path(shutil.copytree(CONTENT, folder / "pack"))


def kinds_in(log: Iterable[Entry[Any]]) -> set[object]:
    """What happened: the types of the facts, and the members of those that are enumerations."""
    return {entry.fact if isinstance(entry.fact, Enum) else type(entry.fact) for entry in log}


def kinds_of(facts: Any) -> set[object]:
    """The same of a union: all that can happen."""
    return {kind for fact in get_args(facts) for kind in (fact if issubclass(fact, Enum) else (fact,))}


_CODE_POINTS = st.integers(0, 0xD7FF) | st.integers(0xE000, 0x10FFFF)
ANY_LETTER = st.sampled_from("aZ09\u00e9 -.'\"\n\t\0\x1b") | _CODE_POINTS.map(chr)
"""Any character. Hypothesis has them too, but takes a second in each process to sort them into categories."""


def any_text(*, min_size: int = 0, max_size: int | None = None) -> st.SearchStrategy[str]:
    """Any text."""
    return st.text(ANY_LETTER, min_size=min_size, max_size=max_size)


def few_quick(quick: int, cases: Iterable[Any]) -> list[Any]:
    """The cases of a parametrisation, of which those after the first few are for --slow."""
    values = [case if isinstance(case, tuple) else (case,) for case in cases]
    return [pytest.param(*each, marks=pytest.mark.slow if at >= quick else ()) for at, each in enumerate(values)]


def one_in(slow: int, weekly: int = 1) -> pytest.MarkDecorator:
    """Let a test take one case in so many: some with `--slow`, more or all with `--weekly`."""
    sizes = [pytest.param(slow, marks=pytest.mark.slow), pytest.param(weekly, marks=pytest.mark.weekly)]
    return pytest.mark.parametrize("one_in", sizes)


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


_PYTHON = re.compile(
    r"\b(None(?! of)|True|False|Struct|Traceback)\b|<(class|function|generator)|"
    r"\[['\"]|\(['\"][^'\"]*['\"],|0x[0-9a-f]{6}"
)
"""What only a program says: no sentence for a person holds it."""


def pack_head(name: str) -> str:
    """Return the first lines of the `system.yaml` of a pack that a test writes."""
    source = "source: {title: none, author: tests, licence: ours}"
    return f'id: {name}\ntitle: {name.capitalize()}\nversion: "1.0"\nabout: A pack that tests write.\n{source}\n'


def run(*arguments: str | Path) -> Ran:
    """Run `hackjack` in this process, with the real handling of errors, none of which may speak Python."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = cli._run([str(argument) for argument in arguments])
    message = err.getvalue()
    for argument in filter(None, map(str, arguments)):
        message = message.replace(f'"{argument}"', '"an argument"')  # quoted, "https://[" would read as a list
    if (spoken := _PYTHON.search(message)) and spoken[0] not in " ".join(map(str, arguments)):
        raise AssertionError(f"a message speaks Python ({spoken[0]}): {err.getvalue()}")
    return Ran(code, out.getvalue(), err.getvalue())


def script(text: str, *options: str) -> Ran:
    """Run `hackjack play` with commands from a pipe."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdin", io.StringIO(text))
        return run("play", *options)


def done(line: str, *options: str) -> list[str]:
    """Run `hackjack play` with a command that must go well, and return its lines."""
    ran = run("play", *options, *line.split())
    assert (ran.code, ran.err) == (0, ""), line
    return ran.out.splitlines()


def run_main(encoding: str, *arguments: str, stdin: bytes = b"") -> tuple[int, bytes, bytes]:
    """Run `hackjack` in this process as a terminal or a pipe of that encoding meets it: status, output, errors."""
    streams = io.BytesIO(), io.BytesIO()
    kept, before = (sys.stdin, sys.stdout, sys.stderr), signal.getsignal(signal.SIGTERM)
    sys.stdin = io.TextIOWrapper(io.BytesIO(stdin), encoding=encoding)
    sys.stdout = io.TextIOWrapper(streams[0], encoding=encoding)
    sys.stderr = io.TextIOWrapper(streams[1], encoding=encoding, errors="backslashreplace")
    try:
        cli.main(list(arguments))
    except SystemExit as end:
        code = end.code
    finally:
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        written = [stream.getvalue() for stream in streams]
        sys.stdin, sys.stdout, sys.stderr = kept
        signal.signal(signal.SIGTERM, before)
    assert isinstance(code, int)
    return code, written[0], written[1]


# --- what is made once a run -----------------------------------------------------------------------------------------

Made = TypeVar("Made")
_made: dict[str, Any] = {}


def once_a_run(make: Callable[[], Made], *key: object) -> Made:
    """What `make` gives for a key: whichever process needs it first makes it, and a file hands it to the others."""
    name = hashlib.sha256(repr(key).encode()).hexdigest()
    if name not in _made:
        path = Path(os.environ["HACKJACK_TESTS_MADE"]) / name
        if not path.exists():
            made = make()
            with written_whole(path) as stream:
                pickle.dump(made, stream)
        _made[name] = pickle.loads(path.read_bytes())
    found: Made = _made[name]
    return found


def count_once_a_run() -> None:
    """Let no chart and no set of cards be counted twice for systems that say the same, whatever home a test has."""
    vars(kept_charts).update(user_folder=lambda: SHARED)
    for folder in FOLDERS.values():
        for module, names in (("charts", "CHARTS"), ("card_products", "SETS")):
            with contextlib.suppress(ModuleNotFoundError):
                makers = getattr(import_module(f"generator.games.{folder}.{module}"), names)
                makers.update({name: _once(make, folder, name) for name, make in makers.items()})


def _once(make: Callable[[System], Made], *key: str) -> Callable[[System], Made]:
    @wraps(make)
    def made(system: System) -> Made:
        return once_a_run(lambda: make(system), *key, replace(system, folder=None, below=()))

    return made


def read_shipped_files_once() -> None:
    """Let the parser see no file of the shipped content twice in a run, also where a test has copied it: most commands
    of the tests would do little else. Whoever asks gets a value of his own."""
    shipped = {path.read_text(encoding="utf-8") for path in (ROOT / "content").rglob("*.yaml")}
    parse, known = strict_yaml.read_text, dict[str, tuple[bytes, strict_yaml.Marks]]()

    def read_text(text: str, label: str, *, lenient: bool = False) -> tuple[Any, strict_yaml.Marks]:
        if text not in shipped:
            return parse(text, label, lenient=lenient)
        if text not in known:
            value, marks = once_a_run(lambda: parse(text, label), "shipped", text)
            known[text] = pickle.dumps(value), marks
        value, marks = known[text]
        return pickle.loads(value), msgspec.structs.replace(marks, file=label, grafts={})

    strict_yaml.read_text = read_text


def load_shipped_packs_once() -> None:
    """Let no shipped pack be put together or judged twice as long as nobody sets anything: packs are values."""
    homes = (ROOT / "content", ROOT / "docs" / "examples")
    really_load, judge, really_claim = load._load, content_checks.problems, claims.verdicts
    packs, verdicts, claimed = (
        dict[Path, Pack](),
        dict[int, tuple[Problem, ...]](),
        dict[Path, tuple[System, tuple[ClaimVerdict, ...]]](),
    )

    def load_once(folder: Path, settings: Iterable[Setting], to_play: bool) -> Pack:
        chosen = tuple(settings)
        if chosen or folder.parent not in homes:
            return really_load(folder, chosen, to_play)
        if folder not in packs:
            packs[folder] = really_load(folder, (), False)
        system = packs[folder].system
        OWN_ENDS.set(tuple(system.head.events) if system.kind == "steps" else None)
        return packs[folder]

    def problems(system: System, marks: Mapping[str, Marks]) -> tuple[Problem, ...]:
        if not any(system is pack.system for pack in packs.values()):
            return judge(system, marks)
        if id(system) not in verdicts:
            verdicts[id(system)] = judge(system, marks)
        return verdicts[id(system)]

    def claim_verdicts(system: System) -> tuple[ClaimVerdict, ...]:
        if system.folder is None or system.folder.parent not in homes:
            return really_claim(system)
        if claimed.get(system.folder, (None, ()))[0] != system:
            claimed[system.folder] = system, really_claim(system)
        return claimed[system.folder][1]

    load._load, content_checks.problems, claims.verdicts = load_once, problems, claim_verdicts


# --- PDFs ------------------------------------------------------------------------------------------------------------


def options(**changes: Any) -> deck.Options:
    """Options of the deck; `paper` by name."""
    size = paper.paper_sizes()[changes.pop("paper", "a4")]
    return deck.Options(paper=size, card=paper.card_sizes()["poker"], **changes)


def product_pdf(
    name: str, product: str, *, settings: tuple[tuple[str, str], ...] = (), single: bool = False, **changes: Any
) -> bytes:
    """A product of a shipped system as a PDF, made once a run for each set of options."""
    from generator.games.card_products import card_set_names
    from generator.paper.panel_options import PanelOptions
    from generator.paper.themed import fonts_of_theme
    from generator.products import panels

    system = with_settings(shipped(name), settings)
    rulings = changes.pop("rulings", False)
    system = annotated_system(system) if rulings else system
    of_cards = product in card_set_names(system)
    size = paper.paper_sizes()[changes.pop("paper", "a4")] if not of_cards else None
    chosen = options(**changes) if size is None else PanelOptions(size, **changes)

    def make() -> bytes:
        with fonts_of_theme(chosen.theme, system):
            if isinstance(chosen, PanelOptions):
                return bytes(panels.panel_pages(system, product, chosen))
            return bytes((deck.singles if single else deck.sheets)(system, chosen, product=product))

    return once_a_run(make, "product", name, product, settings, single, rulings, chosen)


def deck_pdf(**changes: Any) -> bytes:
    """The flagship's deck as a PDF, made once a run for each set of options."""
    return product_pdf("hackjack", "deck", **changes)


def print_files(*words: str) -> dict[str, bytes]:
    """The files that `print` makes for these words, by their names; made once a run."""

    def make() -> dict[str, bytes]:
        with tempfile.TemporaryDirectory() as folder:
            ran = run("print", *words, "-o", folder)
            assert (ran.code, ran.err) == (0, ""), ran.err
            paths = [path for path in Path(folder).rglob("*") if path.is_file()]
            assert {Path(line).resolve() for line in ran.out.splitlines()} == {path.resolve() for path in paths}
            return {str(path.relative_to(folder)): path.read_bytes() for path in paths}

    return once_a_run(make, "files", *words)


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
        letters = [as_typed(chr(pdfium.FPDFText_GetUnicode(text, place))) for place in range(text.count_chars())]
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


def page_texts(pdf: bytes) -> list[str]:
    """What each page says, its white space as single spaces. pypdf takes ten times as long for it."""
    found = []
    with opened(pdf) as document:
        for number in range(len(document)):
            with text_of(document, number) as text:
                found.append(as_typed(" ".join(text.get_text_bounded().split())))
    return found


@lru_cache(maxsize=8)
def pictures(pdf: bytes, dpi: float) -> Sequence[Image]:
    """Every page as a picture, drawn when it is looked at."""
    return _Pictures(pdf, dpi)


class _Pictures(Sequence[Image]):
    def __init__(self, pdf: bytes, dpi: float) -> None:
        self._pdf, self._dpi, self._drawn = pdf, dpi, dict[int, Image]()
        with opened(pdf) as document:
            self._pages = len(document)

    def __len__(self) -> int:
        return self._pages

    def __getitem__(self, at: Any) -> Any:
        if isinstance(at, slice):
            return tuple(self[number] for number in range(*at.indices(len(self))))
        number = range(len(self))[at]
        if number not in self._drawn:
            with opened(self._pdf) as document:
                page = document[number]
                bitmap = page.render(scale=self._dpi / 72 - 1e-6)
                self._drawn[number] = bitmap.to_pil().convert("RGB").copy()
                bitmap.close()
                page.close()
        return self._drawn[number]


@cache
def reader(pdf: bytes) -> pypdf.PdfReader:
    """The same PDF in another library's hands."""
    return pypdf.PdfReader(io.BytesIO(pdf))


def root_of(pdf: bytes) -> Any:
    """The catalogue of a file."""
    return reader(pdf).trailer["/Root"]


def annotations_of(page: Any) -> list[Any]:
    """The annotations of a page: fields and notes."""
    return [found.get_object() for found in page["/Annots"]]


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
            case "Do" if not re.search("sign-|ground-|engraving", operands[0]):
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
    """A printed text as content has it, without a printer's apostrophes and dashes.

    A hyphen at the end of a line is a sign of its own to pdfium.
    """
    return text.translate({0x2: "-", 0x2019: "'", 0x2013: "-"})


def squeezed(text: str) -> str:
    """A text without any white space, as it is typed: where lines break is not its matter."""
    return re.sub(r"\s+", "", as_typed(text))


# --- campaign files --------------------------------------------------------------------------------------------------


def lines_of_campaign(path: Path) -> list[dict[str, Any]]:
    """The lines of a campaign's journal as JSON, read by SQLite alone."""
    with contextlib.closing(sqlite3.connect(path)) as database:
        return [json.loads(body) for (body,) in database.execute("SELECT body FROM line ORDER BY number")]


def commands_of(path: Path) -> list[Any]:
    """The deeds on each line of a journal after the first; ids and the time of day differ from one day to the next."""
    return [line["deeds"] for line in lines_of_campaign(path)[1:]]


def write_campaign(path: Path, *bodies: bytes) -> Path:
    """Write a campaign file with lines that say anything, each sealed as ours are."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    rows, last = [], START
    for body in bodies:
        last = JournalRow(last.number + 1, body, seal(last, body))
        rows.append(last)
    file = JournalFile(path)
    with file.alone():
        file.append(rows)
    file.close()
    return path


# --- processes (Linux) -----------------------------------------------------------------------------------------------


def children(process: int) -> list[int]:
    """The processes that another one has started."""
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            if int(status.read_text().rpartition(")")[2].split()[1]) == process:
                found.append(int(status.parent.name))
    return found


def is_running(process: int) -> bool:
    """Whether it is there and not only waiting for somebody to ask how it ended."""
    with contextlib.suppress(OSError):
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


def wait_until(happens: Callable[[], bool], seconds: float = 20) -> None:
    deadline = time.monotonic() + seconds
    while not happens():
        assert time.monotonic() < deadline, "it does not happen"
        time.sleep(0.05)


@cache
def kinds_of_language_packs() -> frozenset[str]:
    """Return the statements that packs of `tests/language` have, by the words that they begin with."""
    texts = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests/language").glob("*.yaml"))
    begins = {do: " ".join(statement.words) for do, statement in statements().items() if statement.words}
    return frozenset(do for do, words in begins.items() if re.search(rf"(^|[ :]){re.escape(words)} ", texts, re.M))


def effects_of(text: str) -> list[AnyEffect]:
    """Return effects or steps from their text."""
    return [
        msgspec.convert(
            step,
            AnyEffect,
            strict=False,
            dec_hook=lambda kind, value: kind.parse(value, own=True) if kind is Until else kind.parse(value),
        )
        for step in read_steps(text)[0]
    ]
