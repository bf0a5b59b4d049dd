"""What is fuzzed: everything that reads what strangers wrote. Each target takes bytes and either succeeds or raises our
own error; anything else is a fault. The tests feed them by hypothesis, `fuzz/run.py` by atheris."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from html.parser import HTMLParser
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

import font_source_sans_pro
import msgspec
from declared import watch
from reportlab.pdfgen.canvas import Canvas

from generator.base import archives, zip_files
from generator.base.dice import Dice, DiceValue
from generator.base.errors import ContentError, HackjackError
from generator.check import content_checks
from generator.games import game_of, log_lines
from generator.language.event_writer import write_event
from generator.language.headings import read_event
from generator.language.writer import UnwritableError
from generator.layout import drawings, font_files
from generator.layout.reading import SpokenLine
from generator.model.formulas import Formula, evaluate
from generator.model.rules import FILE_KINDS, System, Until, read_custom
from generator.orders.editions import escaped_markdown, html_fragment
from generator.pack import csv_cards
from generator.pack import strict_yaml as source
from generator.pack.founding import PackName
from generator.pack.load import load_pack
from generator.pack.pack_locations import find
from generator.paper import fonts
from generator.paper import text as paper_text
from generator.paper.fonts import SANS, SANS_BOLD
from generator.play.chance import Seeded
from generator.prose.packing import sound_files
from generator.prose.post import read as read_post
from generator.session.deeds import Deed
from generator.session.journal import Journal, read_file
from generator.session.journal_lines import encode, replay
from generator.session.session import Session, new_campaign
from generator.words.effect_words import step_words

SYSTEMS = ("hackjack", "deadlands", "fiftytwo", "glog", "jackrealms")
STEPS = Path(__file__).parents[1] / "docs" / "examples" / "criticals" / "system.yaml"
_SIGN = re.compile(r"\\([\\`*_\[\]|~#!{}])")


@cache
def system(place: int) -> System:
    """One of the systems that ship."""
    return load_pack(find(SYSTEMS[place % len(SYSTEMS)])).system


def yaml(data: bytes) -> None:
    """A YAML file, and what it says as a file of each kind."""
    try:
        value, marks = source.read_text(data.decode("utf-8", "replace"), "f.yaml")
    except ContentError as error:
        assert error.problems
        assert all(problem.line >= 1 and problem.message for problem in error.problems)
        return
    assert () in marks.values
    for kind in FILE_KINDS.values():
        from generator.pack import schema

        told = [str(marks.problem(fault.trail, fault.message, key=fault.key)) for fault in schema.faults(value, kind)]
        try:
            msgspec.convert(value, kind, dec_hook=read_custom)
        except msgspec.ValidationError as error:
            assert told, f"nothing is said of: {error}"
        else:
            assert not told, told


SHEET = {"title": "x", "faces": {"slash": "Slash"}, "lines": {"reach": "Reach"}, "headings": {"Nr.": "code"}}


def csv(data: bytes) -> None:
    """Cards that a spreadsheet wrote: told where they are wrong, or read and then judged as content."""
    try:
        cards, marks = csv_cards.read_cards(data.decode("utf-8", "replace"), SHEET, "f.csv")
    except ContentError as error:
        assert error.problems
        assert all(problem.line >= 1 and problem.column >= 1 and problem.message for problem in error.problems)
        return
    assert len(cards) <= csv_cards.MAX_ROWS
    from generator.pack import schema

    for trail, message, *_ in schema.faults(SHEET | {"cards": cards}, FILE_KINDS["deck.yaml"]):
        assert marks.problem(trail[1:], message).file == "f.csv"


def post(data: bytes) -> None:
    """A post, of which a pack is made."""
    text = data.decode("utf-8", "replace")
    with suppress(HackjackError):
        read = read_post(text, "post")
        sound_files(read, PackName("fuzzed", "Fuzzed"), lambda _: ())


def dice(data: bytes) -> None:
    """Dice and spans of time as people write them."""
    written = data.decode("utf-8", "replace")
    for kind in (Dice, Until):
        try:
            found = kind.parse(written)
        except ValueError as error:
            assert str(error)
            continue
        assert kind.parse(str(found)) == found


def state(data: bytes) -> None:
    """A state that was given, and an event on it. The first byte chooses the system, the second luck."""
    known = system(data[0] if data else 0)
    game = game_of(known)
    try:
        value = msgspec.json.decode(data[2:])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return
    try:
        read = game.read_state(value)
        plain = msgspec.to_builtins(game.plain_state(read))
        assert game.read_state(plain) == read
        assert game.state_line(plain).isprintable()
        name = list(game.EVENTS)[data[1] % len(game.EVENTS)]
        after, log = game.step(read, game.read_event((name,), {}), Seeded(data[1]))
        log_lines(log, known)
        game.check_bounds(after)
    except HackjackError as error:
        assert str(error)


def journal(data: bytes) -> None:
    """Lines of a journal that say anything. The first byte chooses the system."""
    known = system(data[0] if data else 0)
    lines = (encode(new_campaign(known)), *data[1:].split(b"\n"))
    try:
        replay(None, enumerate(lines, 1), known, "j")
    except HackjackError as error:
        assert str(error).startswith("j: line ")


def campaign_file(data: bytes) -> None:
    """A campaign file of which pieces were overwritten, or any file. The first byte chooses which, and the place."""
    sound, played = _sound_campaign()
    first = data[0] if data else 0
    place = (first & 127) * len(sound) // 128
    raw = data if first & 128 else sound[:place] + data[1:] + sound[place + len(data[1:]) :]
    with TemporaryDirectory() as folder:
        path = Path(folder) / "c.hackjack"
        path.write_bytes(raw)
        try:
            found = read_file(path, system(0))
        except HackjackError as error:
            assert str(error).startswith(str(path))
        else:
            assert found is None or found.party == played.party
        assert path.read_bytes() == raw


@cache
def _sound_campaign() -> tuple[bytes, Session]:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "c.hackjack"
        known = system(0)
        Journal(path, known, new_campaign(known)).do(Deed("add", "bryn", ("hp", "7")))
        found = read_file(path, known)
        assert found is not None
        return path.read_bytes(), found


class _Text(HTMLParser):
    """What a browser would show, and whether it saw anything but text."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.shown = ""
        self.tags: list[str] = []

    def handle_data(self, data: str) -> None:
        """Text."""
        self.shown += data

    def handle_starttag(self, tag: str, attrs: object) -> None:
        """A tag, where there should be none."""
        del attrs
        self.tags.append(tag)

    def handle_comment(self, data: str) -> None:
        """A comment, where there should be none."""
        self.tags.append(data)

    handle_decl = handle_pi = unknown_decl = handle_comment  # type: ignore[assignment]


_BREAKS = re.compile(r"[\s\u00ad\u200b-]")
"""Where a line may end, and what may be printed there."""


def paragraph(data: bytes) -> None:
    """Text of a pack in paragraphs: on paper, in HTML and in Markdown it stays the text that it is."""
    written = data.decode("utf-8", "replace")
    words = written.split()
    browser = _Text()
    browser.feed(html_fragment([SpokenLine(written)]))
    browser.close()
    assert browser.tags == ["p"], browser.tags
    # A browser shows some numbered characters as others, but only those that are written as numbers.
    assert browser.shown.split() == words
    marked = escaped_markdown(written)
    assert not re.search(r"[<>\n]", marked)
    unmarked = _SIGN.sub(r"\1", marked).replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
    assert unmarked == " ".join(words)
    try:
        runs = paper_text.figures_bold(written, SANS, SANS_BOLD)
        shown = "".join(run.text for run in runs).translate(fonts.REPLACED)
        assert _BREAKS.sub("", shown) == _BREAKS.sub("", paper_text.typeset(written))
        laid = paper_text.broken_lines(paper_text.split_words(runs), 20.0)
        printed = "".join(run.text for line in laid for run in line)
        # A line may end at a hyphen, and a soft one is printed only there.
        assert _BREAKS.sub("", printed) == _BREAKS.sub("", paper_text.typeset(written))
    except HackjackError as error:
        assert str(error)


class _Anything:
    """A scope in which every name is 3 and every die shows its least."""

    def named(self, name: str) -> int:
        """Three, whatever is asked."""
        return len(name) % 7

    def call(self, function: str, name: str, which: str = "", detail: str | None = None) -> int:
        """A small number."""
        return len(function) + len(name) + len(which) + len(detail or "")

    def rolled(self, dice: Dice, value: DiceValue = "sum") -> int:
        """The least total."""
        del value
        return dice.least


def formula(data: bytes) -> None:
    """A formula as an author writes it: read, said, figured."""
    try:
        found = Formula.parse(data.decode("utf-8", "replace"))
    except ValueError as error:
        assert str(error)
        return
    assert Formula.parse(str(found)) == found
    assert step_words(load_pack(STEPS.parent).system).formula_says(found)
    try:
        evaluate(found, _Anything())
    except HackjackError as error:
        assert "cannot be calculated" in str(error)


def steps(data: bytes) -> None:
    """A system of steps with a piece of its file changed: checked, or else refused; then each event played once."""
    text = STEPS.read_text(encoding="utf-8")
    place = int.from_bytes(data[:2], "big") % len(text)
    written = text[:place] + data[3:].decode("utf-8", "replace") + text[place + (data[2] if len(data) > 2 else 0) % 9 :]
    with TemporaryDirectory() as folder:
        made = Path(folder) / "criticals"
        made.mkdir()
        (made / "system.yaml").write_text(written, encoding="utf-8", errors="replace")
        shutil.copy(STEPS.with_name("tables.yaml"), made)
        try:
            pack = load_pack(made)
        except ContentError as error:
            assert error.problems
            return
    if content_checks.problems(pack.system, pack.marks):
        return
    game = game_of(pack.system)
    assert all(message for _, _, message in game.rehearse())
    for name, spec in game.EVENTS.items():
        try:
            words = [take.words[0] if take.words else "7" for take in spec.takes if not take.optional]
            log_lines(game.step(game.read_state({}), game.read_event([name, *words], {}), Seeded(1))[1], pack.system)
        except HackjackError as error:
            assert str(error)


@cache
def sound_font() -> bytes:
    """A font with TrueType outlines."""
    return (Path(font_source_sans_pro.__file__).parent / "files" / "SourceSansPro-Regular.ttf").read_bytes()


def drawn(font: bytes) -> bytes:
    """A PDF with a line in a font, which is looked over first."""
    font_files.look_over(font, "fonts/a.ttf")
    name = fonts.pack_font(font, "fonts/a.ttf")
    said = "".join(letter for letter in "Broken äé 12" if not fonts.missing_letters(letter, name))
    canvas = Canvas(stream := BytesIO(), invariant=True)
    canvas.setFont(fonts.usable_font(name), 12)
    canvas.drawString(50, 50, said)
    fonts.ink(said, name)
    canvas.showPage()
    canvas.save()
    return stream.getvalue()


def font(data: bytes) -> None:
    """A pack's own font with other bytes here and there: each four say where, within the first of them, and which."""
    spoilt = bytearray(sound_font())
    for at in range(0, len(data) - 3, 4):
        spoilt[int.from_bytes(data[at : at + 3]) % len(spoilt)] = data[at + 3]
    try:
        drawn(bytes(spoilt))
    except HackjackError as error:
        assert str(error).startswith("fonts/a.ttf ")
        assert "\n" not in str(error)


def drawing(data: bytes) -> None:
    """An SVG of a pack's own: refused in a sentence, or drawn."""
    try:
        read = drawings.read_drawing(data, "art/a.svg")
    except HackjackError as error:
        assert str(error).startswith("art/a.svg")
        assert "\n" not in str(error)
        return
    assert max(read.rendered(9)[:2]) == 9


def archive(data: bytes) -> None:
    """A ZIP archive: refused in a sentence, or read without more coming out of it than it says."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "a.zip"
        path.write_bytes(data)
        try:
            for each in archives.folder_of(path).rglob("*"):
                assert each.is_dir() or each.stat().st_size <= zip_files.MAX_OF_ONE
        except HackjackError as error:
            assert "\n" not in str(error)
        except OSError as error:
            assert error.strerror
        assert [each.name for each in Path(folder).iterdir()] == ["a.zip"]


def text_rules(data: bytes) -> None:
    """Rules as text: told where they are wrong, or read, written back, and read the same."""
    text = data.decode("utf-8", "replace")
    event, reader = read_event(text, {"hit": {"odds": {"dead": "dead"}}})
    lines = text.split("\n")
    for error in reader.errors:
        assert error.message
        assert 0 <= error.line < len(lines)
        assert 0 <= error.column <= len(lines[error.line]) + 1
    if not reader.errors:
        with suppress(UnwritableError):
            again, reader = read_event("\n".join(write_event(event)), {})
            assert (again, reader.errors) == (event, [])


TARGETS: dict[str, Callable[[bytes], None]] = {
    "yaml": yaml,
    "csv": csv,
    "post": post,
    "dice": dice,
    "state": state,
    "journal": journal,
    "campaign": campaign_file,
    "paragraph": paragraph,
    "formula": formula,
    "steps": steps,
    "text": text_rules,
    "font": font,
    "svg": drawing,
    "zip": archive,
}

watch()
