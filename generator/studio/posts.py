"""A post on the page: read again with each decision, and written into a pack of the user's that stays sound."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any, NamedTuple

import msgspec
from msgspec import Meta, Struct

from generator.base.cards import FULL_DECK
from generator.base.errors import HackjackError, UsageError
from generator.base.files import first_bytes
from generator.language.reader import read_steps
from generator.language.writer import UnwritableError, write_steps
from generator.model.rules import System
from generator.pack import founding, pack_locations
from generator.pack.founding import MAX_TITLE, PackName
from generator.pack.load import load_pack
from generator.pack.pack_locations import find
from generator.products.looking_over import faults_of_files
from generator.prose import report
from generator.prose.forms import forms
from generator.prose.packing import ANSWERS, POST, sound_files
from generator.prose.post import MAX_POST, Answers, Decision, Definition, Post, RowRead, Sentence, read
from generator.studio import grid
from generator.studio.book import MAX_FILE, Book
from generator.studio.wishes import Word
from generator.studio.writing import Writing

MAX_ALIKE = 40
_NUMBER = re.compile(r"[0-9]+")
_TURNS = re.compile(r"\b(?:\d*d?\d+|an?|one|two|three|few|next) turns?\b")
_NO_TITLE = "A pasted post"
_ONE = "a wound"
_ONE_ROW = f"d2 | Name | Words\n--|--|--\n1 | One | {_ONE}.\n2 | Two | nothing"


class PostChange(Struct, frozen=True, forbid_unknown_fields=True):
    """A post with what was decided about it. Without a pack it makes one; without a text it is that of the pack.

    With `replace` it is written although the pack was changed elsewhere.
    """

    pack: Word = ""
    title: Annotated[str, Meta(max_length=MAX_TITLE)] = ""
    text: str | None = None
    answers: Answers = Answers()
    replace: bool = False


class StatementRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """What somebody writes that a sentence of a post does: as text, or as effects that were chosen."""

    pack: Word
    sentence: Annotated[str, Meta(max_length=MAX_POST)]
    rule: Annotated[str, Meta(max_length=2_000)] = ""
    effects: Annotated[list[dict[str, Any]], Meta(max_length=60)] | None = None


class _Made(NamedTuple):
    """A post that was read, and the files of the pack that it makes."""

    post: Post
    files: Mapping[str, bytes]


class Posts:
    """Posts of packs in the packs folder."""

    def __init__(self, writing: Writing) -> None:
        self._writing = writing
        self._last: tuple[tuple[str | None, ...], _Made] | None = None

    def look(self, pack: str) -> dict[str, Any]:
        """Return a pack's post with what its sentences became. Raises HackjackError.

        Without a pack nothing is told: it is asked for to have everything loaded by the time that somebody pastes.
        """
        if not pack:
            forms()
            return {}
        book = self._writing.book(pack)
        return _told(book, self._of(book))

    def write(self, change: PostChange) -> dict[str, Any]:
        """Write the pack of a post, and return what its sentences became. Raises HackjackError."""
        if not change.pack:
            fresh = _read(change.text or "", change.answers)
            name = founding.pack_name(change.title or suggested_title(fresh))
            made = _packed(fresh, name)
            founding.place(name.id, made.files)
            book = self._writing.book(name.id)
            self._last = (_stamp(book), made)
            return _told(book, made)
        book = self._writing.book(change.pack)
        before = self._of(book)
        if _is_changed(book, before) and not change.replace:
            raise UsageError("This pack was changed elsewhere. Write it again from its post, or change it under Write.")
        text = before.post.text if change.text is None else change.text
        name = _name(book, change.title)
        after = _packed(_read(text, change.answers), name)
        gone = dict.fromkeys(file for file in before.files if file not in after.files)
        files = {file: data for file, data in after.files.items() if _on_disk(book, file) != data}
        now = self._writing.save(book, files | gone) if files or gone else book
        self._last = (_stamp(now), after)
        return _told(now, after)

    def statement(self, request: StatementRequest) -> dict[str, Any]:
        """Return a statement with its errors, what it prints, and where the same could be said. Raises UsageError."""
        book = self._writing.book(request.pack)
        rule = request.rule
        if request.effects is not None:
            try:
                rule = "\n".join(write_steps(request.effects))
            except UnwritableError as error:
                raise UsageError("These effects cannot be written as text.") from error
        effects, reader = read_steps(rule)
        errors = [f"Line {each.line + 1}: {each.message}" if "\n" in rule else each.message for each in reader.errors]
        post = self._of(book).post
        return {
            "rule": rule,
            "errors": errors,
            "effects": [] if errors else msgspec.to_builtins(effects),
            "says": [] if errors else _says(effects, rule, book.system),
            "alike": [] if errors or not rule.strip() else list(alike(post, request.sentence, rule)),
        }

    def _of(self, book: Book) -> _Made:
        """Return the post of a pack, and the files that it makes. Raises HackjackError."""
        stamp = _stamp(book)
        if self._last and self._last[0] == stamp:
            return self._last[1]
        _, text, decided = stamp
        if text is None:
            raise UsageError(f"{book.name} was not made of a post.")
        try:
            answers = msgspec.json.decode(decided or "{}", type=Answers)
        except msgspec.DecodeError as error:
            raise UsageError(f"{ANSWERS} cannot be read: {str(error)[:200]}. Delete it to begin again.") from error
        self._last = (stamp, _packed(_read(text, answers), _name(book)))
        return self._last[1]


def _stamp(book: Book) -> tuple[str, str | None, str | None]:
    """Return what stands for a pack and its post."""
    return book.seen, book.text(POST), book.text(ANSWERS)


def _says(effects: Sequence[Any], rule: str, system: System | None) -> list[str]:
    """Return what effects print; names that the pack does not have yet are as a post would bring them."""
    said = [grid.sentence(each, system) for each in effects]
    if any(each.startswith("{") for each in said):
        one = read(_ONE_ROW, "", answers=Answers(sentences={_ONE: Decision("rule", rule)}))
        with TemporaryDirectory() as folder, suppress(HackjackError):
            founding.write_pack(Path(folder) / "one", sound_files(one, PackName("one", "One"), lambda _: ()))
            system = load_pack(Path(folder) / "one").system
            said = [grid.sentence(each, system) for each in effects]
    return ["" if each.startswith("{") else each for each in said]


def _read(text: str, answers: Answers) -> Post:
    return read(text, "your text", answers=answers, system=_base(answers))


def _base(answers: Answers) -> System | None:
    """Return the system whose draw the cards of a post follow; None where they are drawn alone."""
    hackjack = pack_locations.USUAL_SYSTEM
    return load_pack(find(hackjack)).system if answers.plays == "hackjack" else None


def _packed(post: Post, name: PackName) -> _Made:
    return _Made(post, sound_files(post, name, faults_of_files, _base(post.answers)))


def _name(book: Book, title: str = "") -> PackName:
    return PackName(book.name, title or (book.system.head.title if book.system else book.name))


def _on_disk(book: Book, file: str) -> bytes | None:
    path = book.folder / Path(file)
    return first_bytes(path, file, MAX_FILE) if path.is_file() else None


def _is_changed(book: Book, made: _Made) -> bool:
    """Return whether the rules of a pack are no longer those that its post makes."""
    rules = (file for file in made.files if file.endswith(".yaml"))
    return any(_on_disk(book, file) != made.files[file] for file in rules)


def suggested_title(post: Post) -> str:
    """Return what a pack may be called that a post makes: as its first lines say."""
    lines = [post.title, *(block.text.text for block in post.prose[:1])]
    lines += [table.table.written["title"] for table in post.tables[:1]]
    short = (re.split(r"[,.:;|(\n]| [\u2013\u2014-] ", line.strip(" #*"))[0].strip() for line in lines)
    return next((line for line in short if 1 < len(line) <= 60), _NO_TITLE)


def alike(post: Post, sentence: str, rule: str) -> Iterator[dict[str, str]]:
    """Yield sentences that say the same with other numbers, each with the statement that has its numbers."""
    numbers = _NUMBER.findall(sentence)
    others = {each.key: each for each in post.sentences if each.key != sentence and not each.is_decided}
    alike = [each for each in others.values() if form_of(each.key) == form_of(sentence)]
    for other in alike[:MAX_ALIKE]:
        pairs = {*zip(numbers, _NUMBER.findall(other.key), strict=True)}
        instead = dict(pairs)
        # A number that stands twice and differs there, or that the statement does not have, is not guessed.
        is_plain = len(instead) == len(pairs) and all(
            one == two or one in _NUMBER.findall(rule) for one, two in instead.items()
        )
        if is_plain:
            said = _NUMBER.sub(lambda match, by=instead: by.get(match[0], match[0]), rule)  # type: ignore[misc]
            yield {"key": other.key, "text": other.text.text.strip(), "rule": said}


def form_of(key: str) -> str:
    """Return what sentences have in common that differ in their numbers alone."""
    return _NUMBER.sub("#", key)


# --- what is told ----------------------------------------------------------------------------------------------------


def _told(book: Book, made: _Made) -> dict[str, Any]:
    post = made.post
    same = Counter(each.key for each in post.sentences)
    whole = {key: value for key, value in report.told(post).items() if key != "sentences"}
    return whole | {
        "pack": book.name,
        "title": _name(book).title,
        "text": post.text,
        "answers": msgspec.to_builtins(post.answers),
        "changed": _is_changed(book, made),
        "problems": [*whole["problems"], *map(str, book.problems)],
        "asks": _asks(post),
        "rows": [
            head | {"name": name, "fault": row.fault, "sentences": [*_sentences(row, same)]}
            for head, name, row in _rows(post, book.system)
        ],
    }


def _rows(post: Post, system: System | None) -> Iterator[tuple[dict[str, Any], str, RowRead | Definition]]:
    """Yield each card, row and definition: where it is in the pack, its name, and what was read."""
    deck = "deck" if _is_full(post) else "decks/wounds"
    for at, card in enumerate(post.deck):
        yield {"part": deck, "row": at, "group": "", "code": card.row.code}, card.row.name.text, card
    for table in post.tables:
        title = table.table.written["title"]
        for at, row in enumerate(table.rows):
            head = {"part": f"tables/{table.table.written['id']}", "row": at, "group": title}
            yield head | {"code": str(row.row.at or "")}, row.row.name.text, row
    conditions = list(system.head.conditions) if system else []
    for each in post.definitions:
        place = conditions.index(each.id) if each.id in conditions else 0
        yield {"part": "conditions", "row": place, "group": "Definitions", "code": ""}, each.name.text, each


def _sentences(row: RowRead | Definition, same: Mapping[str, int]) -> Iterator[dict[str, Any]]:
    columns: Mapping[str, Sequence[Sentence]] = row.sentences if isinstance(row, RowRead) else {"": row.sentences}
    for column, sentences in columns.items():
        for each in sentences:
            told = {"column": column, "key": each.key, "form": form_of(each.key), "same": same[each.key] - 1}
            yield told | {"can": bool(each.effects), "title": each.is_title} | report.sentence_told(each, row.fault)


def _is_full(post: Post) -> bool:
    return {row.row.code for row in post.deck} >= {*FULL_DECK}


def _asks(post: Post) -> dict[str, Any]:
    """Return what concerns the whole post and is asked once."""
    sentences = [*post.sentences]
    is_open = any(each.why.startswith("no end is said") for each in sentences)
    return {
        "numbers": sorted({*post.words.numbers, *post.answers.no_numbers}),
        "lasts": bool(post.lasts or is_open),
        "lasts_number": post.lasts_number,
        "turn": any(_TURNS.search(each.key) for each in sentences),
        "deck": _is_full(post),
        "titles": {table.table.written["id"]: table.table.written["title"] for table in post.tables},
    }
