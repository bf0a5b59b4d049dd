"""A whole text read: its tables, decks and definitions, and of each sentence what it does.

What somebody decided about a sentence counts for all that say the same. Nothing is left out: a sentence that is not
understood is kept as it stands.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise, product
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from generator.base.cards import FULL_DECK
from generator.base.errors import HackjackError, Problem
from generator.base.files import limited_text
from generator.base.text_input import composed
from generator.language.reader import read_steps
from generator.language.writer import UnwritableError, write_steps
from generator.model.rules import System
from generator.prose.blocks import Block, blocks_of, definitions_in, is_usual
from generator.prose.clauses import Clauses, Effect, Found, each_effect
from generator.prose.forms import DICE, forms
from generator.prose.lines import lines_of
from generator.prose.placed import BOLD, EMPTY, END, Placed, even, joined
from generator.prose.ranges import span
from generator.prose.tables import MAX_NAME, MAX_ROWS, Reading, ReadRow, ReadTable, named_words, slug
from generator.prose.vocabulary import Vocabulary, of_system

MAX_POST = 256_000
"""Letters of a text."""
MAX_TABLES = 20
_SPLIT = re.compile(
    r"(?<=[.!?;])(?<!\bvs\.)(?<!\be\.g\.)(?<!\bi\.e\.)(?<!\bmax\.)(?<!\bno\.)(?<!\bapprox\.)[\"\u201d')]?\s+"
    r"(?=[A-Z0-9\"'\u201c(+\u2212\u2013-]|d\d{1,3}\b)"
)
_ALONE = re.compile(
    r"(?:(?:this|these|the|it|they|all|both|penalty|penalties|effects?|injury|wound|condition|damage) ?){0,4}"
    r"(?:will |can )?(?:be |is |are )?(?:lasts?|heals?|recovers?|healed|persists?|ends?)?"
)
_CURED = re.compile(
    r"(?:only )?(?P<w>[a-z' -]{4,50}?)(?: will| can)? (?:removes?|cures?|heals?|ends?|restores?) "
    r"(?:it|this|the (?:effect|injury|wound|condition|penalty)|these effects?)"
)
_ENDS_WORDS = re.compile(
    r"\b(?:heal|heals|healed|healing|removes?|restores?|restored|cured?|recovers?|until|ends?|wakes?)\b"
)
_PART = re.compile(r"\b(arm|leg|hand|foot|eye|ear|limb|finger)s?\b")
_NUMBERED = re.compile(rf"\+?(?:{DICE}) ([a-z]{{2,14}})|([a-z]{{3,14}}) \+?(?:{DICE})")
_BRANCH = re.compile(
    r"\d\s?=|^\W?\d{1,3}(?:\s?[-\u2013]\s?\d{1,3})?\s?[:.)]|\b[Oo]n an? (?:roll|\d|[a-z]+ed|failure|success)\b"
    r"|\b(?:[Rr]oll again|if (?:it|you|they) (?:fails?|succeeds?|pass|passes)|[Ii]f (?:failed|successful))\b"
)
"""The beginning of one of several results of a roll."""
_TAKES_BACK = re.compile(
    r"\b(?:negat(?:es?|ed|ing)|ignor(?:es?|ed|ing)|do(?:es)?(?: not|n't) apply|only applies|applies only"
    r"|(?:avoid|prevent|halve|reduce|double|resist)s? (?:this|it|that|these|the (?:effect|penalty|damage)))\b"
    r"|^\W?(?:if|unless|only|when|while|save)\b(?!.*\bor\b)(?:[ '-]+\w+){0,5}\W*$|^(?:[\w'-]+ ){1,4}only\W*$",
    re.IGNORECASE,
)
"""Words that take back the effects of other sentences of a row."""
_RULE_NAME = re.compile(r"\d|\b(?:you|your)\b|^(?:roll|take|lose|gain|make|if|drop|fall)\b")
"""A name that says what happens."""
_CONDITION = re.compile(r"(?:with|without|wearing|on an?|no|for)\b")
_ABOVE = re.compile(r"(?:same )?as above|see above|as the result above")


class Decision(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The decision about a sentence: to take it as it was read, other statements, or to keep it as words."""

    do: Literal["accept", "words", "rule"]
    rule: Annotated[str, Meta(max_length=2_000)] = ""


class Answers(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The decisions about a text: about all of it, and about sentences by their plain text.

    `numbers` are words that are numbers of a character, and `no_numbers` those that are none; `titles` are the titles
    of tables by their ids.
    """

    numbers: Annotated[tuple[str, ...], Meta(max_length=20)] = ()
    no_numbers: Annotated[tuple[str, ...], Meta(max_length=20)] = ()
    lasts: Literal["", "recovery", "permanent", "gm"] = ""
    turn: Literal["", "1 round", "10 minutes"] = ""
    scores: Literal["rank", "none"] = "rank"
    plays: Literal["alone", "hackjack"] = "alone"
    author: Annotated[str, Meta(max_length=80)] = ""
    titles: Annotated[dict[str, Annotated[str, Meta(max_length=80)]], Meta(max_length=20)] = {}
    sentences: Annotated[dict[str, Decision], Meta(max_length=2_000)] = {}


How = Literal["does", "value", "end", "nothing", "words"]


@dataclass
class Sentence:
    """A sentence: its words, what it does, what else of it is printed, and whether somebody should look at it."""

    text: Placed
    effects: list[Effect] = field(default_factory=list)
    how: How = "words"
    is_sure: bool = True
    why: str = ""
    left: list[Placed] = field(default_factory=list)
    is_title: bool = False
    is_decided: bool = False

    @property
    def key(self) -> str:
        """Return what is the same for sentences that say the same."""
        return even(self.text.text).strip(" .!?")

    @property
    def is_taken(self) -> bool:
        """Return whether it does what was read; otherwise it is printed as it stands."""
        return self.how != "words" and (self.is_sure or self.is_decided)

    def statements(self) -> list[str]:
        """Return what it does as text."""
        try:
            return (
                write_steps([msgspec.to_builtins(each) for each in self.effects], inline=True) if self.effects else []
            )
        except UnwritableError:
            return []


@dataclass
class RowRead:
    """A row or a card with its sentences, by column where it has some ("" for the row).

    With a `fault` nothing of it is done, and all of it is printed as it stands.
    """

    row: ReadRow
    sentences: dict[str, list[Sentence]] = field(default_factory=dict)
    fault: str = ""

    @property
    def all(self) -> Iterator[Sentence]:
        """Yield every sentence."""
        for sentences in self.sentences.values():
            yield from sentences


@dataclass
class TableRead:
    """A table with what its rows do."""

    table: ReadTable
    rows: list[RowRead]


@dataclass
class Definition:
    """A name with its meaning, which becomes a condition."""

    id: str
    name: Placed
    sentences: list[Sentence]
    fault: str = ""


@dataclass
class Post:
    """The contents of a text. `lasts` is how long wounds last where a row says nothing, as decided or as it says."""

    label: str
    text: str
    title: str
    answers: Answers
    words: Vocabulary
    tables: list[TableRead] = field(default_factory=list)
    deck: list[RowRead] = field(default_factory=list)
    definitions: list[Definition] = field(default_factory=list)
    prose: list[Block] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    lasts: str = ""
    lasts_number: str = ""

    @property
    def rows(self) -> Iterator[tuple[str, RowRead]]:
        """Yield every row with the id of its table; cards have none."""
        yield from (("", row) for row in self.deck)
        for table in self.tables:
            yield from ((table.table.written["id"], row) for row in table.rows)

    @property
    def sentences(self) -> Iterator[Sentence]:
        """Yield every sentence of rows and definitions, in order."""
        for _, row in self.rows:
            yield from row.all
        for definition in self.definitions:
            yield from definition.sentences


def read_file(path: Path, answers: Answers | None = None, system: System | None = None) -> Post:
    """Read a file. Raises HackjackError where it cannot be read, or has no row."""
    text = limited_text(path, str(path), larger="paste the part with the rules", wide=True)
    return read(text, str(path), path.stem, path.suffix.lower(), answers, system)


def read(
    text: str, label: str, stem: str = "results", suffix: str = "", answers: Answers | None = None,
    system: System | None = None,
) -> Post:  # fmt: skip
    """Read a text; a table without a title is called like `stem`. Raises HackjackError where it has no row."""
    if len(text) > MAX_POST:
        raise HackjackError(
            f"{label}: it has {len(text):,} letters, and {MAX_POST:,} are read: paste the part with the rules"
        )
    text = composed(text).replace("\r\n", "\n").replace("\r", "\n")
    post = _Reader(label, text, blocks_of(lines_of(text, label, suffix)), stem, answers or Answers(), system).post
    if not (post.tables or post.deck):
        hint = "two lines or more with cells between | or tabs, a numbered list, cards, an HTML table or a CSV"
        raise HackjackError(f"{label}: no table in it: write {hint}")
    return post


class _Reader:
    def __init__(
        self, label: str, text: str, blocks: list[Block], stem: str, answers: Answers, system: System | None
    ) -> None:
        words = of_system(system) if system else Vocabulary()
        first = next((block for block in blocks if block.kind == "heading" and block.line <= 3), None)
        title = first.text.text.strip()[:MAX_NAME] if first else ""
        self.post = Post(label, text, title, answers, words)
        self.words, self.answers, self.clauses = words, answers, Clauses(words)
        words.turn = answers.turn
        codes = {row.code for block in blocks if block.kind == "deck" for row in block.rows}
        words.has_score = words.has_score or codes >= {*FULL_DECK}
        self._numbers(blocks)
        defined = self._name_definitions(blocks)
        self._lasting_rule(blocks)
        for block in blocks:
            if block.kind == "definitions":
                self._defined(block, defined)
        is_list_alone = self._is_list_alone(blocks)
        used: set[tuple[int, str]] = set()
        for block in blocks:
            if block.kind == "grid" and len(self.post.tables) < MAX_TABLES:
                self._table(block, stem, is_list_alone, used)
            elif block.kind == "grid":
                message = f"a post has {MAX_TABLES} tables at most: this one is text"
                self.post.problems.append(Problem(self.post.label, block.line, 1, message))
                self._as_text((row.line, row.cells) for row in block.rows)
            elif block.kind == "deck":
                self._deck(block)
            elif block.kind in ("heading", "prose"):
                self.post.prose.append(block)
        self.post.prose.sort(key=lambda block: block.line)
        self.post.prose = [
            block
            for block in self.post.prose
            if (text := block.text.text)
            and not (block.kind == "heading" and used & {(block.line, text), (block.line, text.strip(" :"))})
        ]

    # --- what concerns the whole text --------------------------------------------------------------------------------

    def _numbers(self, blocks: Iterable[Block]) -> None:
        """Find the numbers of the text: a word beside a number that is a clause of its own in three rows or more."""
        seen: Counter[str] = Counter()
        for row in (row for block in blocks for row in block.rows):
            matched = set()
            for bit in re.split(r"[.,;]\s*| and ", even(" . ".join(cell.bare().text for cell in row.cells))):
                if match := _NUMBERED.fullmatch(bit.strip()):
                    matched.add(match[1] or match[2])
            seen.update(matched)
        known = forms()
        for word, count in seen.items():
            is_other = word in known.no_numbers or word in known.statistics or word in known.units
            if (count >= 3 and not is_other and word not in self.answers.no_numbers) or word in self.answers.numbers:
                self.words.numbers.setdefault(word, slug(word))

    def _name_definitions(self, blocks: list[Block]) -> dict[str, str]:
        """Return the names that are defined and that a row uses, each with its id."""
        rows = [row for block in blocks if block.kind in ("grid", "deck") for row in block.rows]
        used = even(" ".join(cell.bare().text for row in rows for cell in row.cells))
        defined: dict[str, str] = {}
        for row, low in definitions_in(blocks):
            plain = low.replace("'ed", "'d")
            if not re.search(rf"\b{re.escape(low)}\b|\b{re.escape(plain)}(?!\w)", used):
                continue
            key = slug(low.replace("'", "")) or "state"
            defined[low] = key
            self.words.conditions |= {low: key, plain: key}
            self.words.usual_ends[key] = self._usual_end(low, even(row.cells[1].bare().text))
        return defined

    @staticmethod
    def _usual_end(name: str, meaning: str) -> str:
        """Return how a defined condition ends where a row says nothing: as its meaning says."""
        if re.search(rf"\bif (?:your|the) {name[:5]}\w* is permanent", meaning):
            return "permanent"
        usual = next((each.ends for each in forms().conditions if each.id == slug(name)), "")
        return "" if usual == "gm" else usual

    def _lasting_rule(self, blocks: Iterable[Block]) -> None:
        """Find what the text says once about how long all of it lasts."""
        prose = [f" {even(block.text.text)}" for block in blocks if block.kind == "prose"]
        for text, (word, pattern) in product(prose, forms().lasting.items()):
            if match := pattern.search(text):
                self.post.lasts_number = match.groupdict().get("number", "")
                if not self.answers.lasts:
                    self.answers = msgspec.structs.replace(self.answers, lasts=word)
        self.post.lasts = self.answers.lasts

    @staticmethod
    def _is_list_alone(blocks: Iterable[Block]) -> bool:
        """Return whether lists are most of a text: then they are tables, though no dice are named."""
        listed = sum(len(cell.text) for block in blocks if block.is_list for row in block.rows for cell in row.cells)
        others = sum(len(block.text.text) for block in blocks if block.kind == "prose")
        return listed >= others

    # --- blocks ------------------------------------------------------------------------------------------------------

    def _table(self, block: Block, stem: str, is_list_alone: bool, used: set[tuple[int, str]]) -> None:
        problems: list[Problem] = []
        taken = [table.table.written["id"] for table in self.post.tables]
        titles = [table.table.written["title"] for table in self.post.tables]
        reading = Reading(self.post.label, block, problems)
        table = reading.table(stem, taken, titles)
        if table is None:
            return
        table.written["title"] = self.answers.titles.get(table.written["id"]) or table.written["title"]
        self.words.tables[even(table.written["title"])] = table.written["id"]
        read = TableRead(table, [self._row(row, table.written["id"]) for row in table.rows])
        if block.is_list and not block.is_sure and (block.is_page or not is_list_alone):
            spans = [results for row in block.rows if (results := span(row.cells[0].text))]
            acts = sum(any(each.how in ("does", "value") for each in row.all) for row in read.rows)
            if not (is_usual(spans) and acts * 5 >= len(read.rows)):
                texts = [joined([row.cells[0], *row.cells[1:]], ". ").bare() for row in block.rows]
                self.post.prose += [Block("prose", row.line, text) for row, text in zip(block.rows, texts, strict=True)]
                return
        used |= {*block.above}
        self.post.tables.append(read)
        self.post.problems += problems
        self._as_text(reading.left)

    def _as_text(self, rows: Iterable[tuple[int, Sequence[Placed]]]) -> None:
        """Print rows as text."""
        for line, cells in rows:
            text = joined([each for each in cells if each.text], ": ").bare()
            self.post.prose.append(Block("prose", line, text))

    def _row(self, row: ReadRow, table: str) -> RowRead:
        read = RowRead(row)
        self._named(row.name)
        self.words.tables |= {"this table": table, "the table": table, "that table": table}
        if row.cells and not row.note.text:
            for key, cell in row.cells.items():
                read.sentences[key] = self._sentences(cell)
            if row.name.text:
                read.sentences[""] = self._titled(row.name, [])
            return read
        sentences = self._sentences(row.note)
        read.sentences[""] = self._titled(row.name, sentences)
        for key, cell in row.cells.items():
            read.sentences[key] = [Sentence(each) for each in _split(cell)]
        self._above(read)
        return read

    def _named(self, name: Placed) -> None:
        """Remember what the name of a row says for the sentences below it."""
        matched = self.clauses.sentence(name.text) if name.text else None
        self.clauses.part = self._part_in(name.text)
        self.clauses.has_lost = any(effect["do"] == "lose" for effect in matched.effects) if matched else False

    def _above(self, read: RowRead) -> None:
        """Read `as above` as what the row above does."""
        previous = self.post.tables[-1].rows[-1] if self.post.tables and self.post.tables[-1].rows else None
        for sentence in read.sentences.get("", []):
            if sentence.how == "words" and _ABOVE.fullmatch(sentence.key) and previous:
                sentence.effects = [dict(each) for other in previous.sentences.get("", []) for each in other.effects]
                sentence.how, sentence.why = ("does" if sentence.effects else "words"), "as the row above"

    def _deck(self, block: Block) -> None:
        for row in block.rows[MAX_ROWS:]:
            message = f"left out: a deck has {MAX_ROWS} cards at most"
            self.post.problems.append(Problem(self.post.label, row.line, 1, message))
        for row in block.rows[:MAX_ROWS]:
            text = row.cells[0]
            name, note = titled(text)
            read = RowRead(ReadRow(row.line, None, name, note, code=row.code))
            rank = row.code.rstrip("CSDH") or row.code
            self.words.card_score = {"A": "1"}.get(rank, rank if rank.isdigit() else "10")
            self._named(name)
            read.sentences[""] = self._titled(name, self._sentences(note))
            self.post.deck.append(read)
        self.words.card_score = ""

    def _defined(self, block: Block, defined: Mapping[str, str]) -> None:
        for row in block.rows:
            name, meaning = (cell.bare() for cell in row.cells)
            key = defined.get(even(name.text).strip(" .:"))
            if key is None:
                text = joined([name, meaning], ": ")
                self.post.prose.append(Block("prose", row.line, text))
                continue
            self.clauses.part, self.clauses.has_lost = "", False
            sentences = self._sentences(meaning, inside=True)
            for sentence in sentences:
                for effect in each_effect(sentence.effects):
                    if str(effect.get("until", "")).startswith("?"):
                        # What comes by chance, or after a save, does not last as long as what brought it.
                        is_own = any(effect is each for each in sentence.effects)
                        effect["until"] = effect["until"][1:] or ("same" if is_own else "gm")
                if any(effect.get("condition") == key for effect in each_effect(sentence.effects)):
                    sentence.effects, sentence.how = [], "words"
            self.post.definitions.append(Definition(key, name, sentences))
            effects = [effect for sentence in sentences for effect in sentence.effects]
            lasting = [each for each in effects if each["do"] not in ("drop", "die", "save", "when", "one_of", "lose")]
            if effects and not self.words.usual_ends[key] and all(" " in str(each.get("until")) for each in lasting):
                self.words.usual_ends[key] = "now"

    # --- sentences ---------------------------------------------------------------------------------------------------

    @staticmethod
    def _part_in(text: str) -> str:
        matched = _PART.findall(even(text))
        return matched[-1] if matched else ""

    def _titled(self, name: Placed, sentences: list[Sentence]) -> list[Sentence]:
        """Return the sentences with the name of the row before them, where that is a rule: `Death`."""
        matched = self.clauses.sentence(name.text) if name.text else None
        if matched and matched.effects and matched.is_sure:
            done = [effect for each in sentences if each.how == "does" for effect in each.effects]
            is_lost = matched.effects[0]["do"] == "lose" and not any(each["do"] == "lose" for each in done)
            is_said = {each.get("condition", each["do"]) for each in done} & {
                each.get("condition", each["do"]) for each in matched.effects
            }
            is_rule = _RULE_NAME.search(even(name.text)) and not is_said
            if not done or is_lost or is_rule or matched.left:
                values = all(effect["do"] == "raise" for effect in matched.effects)
                sentence = Sentence(name, matched.effects, "value" if values else "does", why="the title says it")
                sentence.is_title = True
                sentences = [self._decide(sentence), *sentences]
        says_more = not sentences or bool(re.search(r"\d", name.text)) or len(name.text.split()) > 5
        if name.text and says_more and not any(each.is_title for each in sentences):
            sentences = [self._decide(Sentence(name, is_title=True)), *sentences]
        if _CONDITION.match(low := even(name.text)) or forms().limit.search(low):
            _wait(sentences, "the title may be a condition")
        self._end(sentences)
        return sentences

    def _sentences(self, text: Placed, *, inside: bool = False) -> list[Sentence]:
        """Return the sentences of a text with what they do, ends that a sentence does not say still open."""
        parts = _split(text)
        sentences: list[Sentence] = []
        index, is_bound = 0, False
        while index < len(parts):
            for width in range(min(4, len(parts) - index), 0, -1):
                several = parts[index : index + width]
                if sentence := self._understood(several):
                    sentences += sentence
                    break
            for each in several:
                self.clauses.part = self._part_in(each.text) or self.clauses.part
            if any(each.how == "words" and _BRANCH.search(each.text.text) for each in sentences[-1:]):
                is_bound = True
            elif is_bound and sentences[-1].effects and not sentences[-1].is_decided:
                sentences[-1].is_sure, sentences[-1].why = False, "it may belong to the roll before it"
            lost = (effect["do"] == "lose" for sentence in sentences for effect in sentence.effects)
            self.clauses.has_lost = self.clauses.has_lost or any(lost)
            index += width
        if any(each.how == "words" and _TAKES_BACK.search(each.text.text) for each in sentences):
            _wait(sentences, "another sentence of the row may take it back")
        for one, other in pairwise(sentences):
            if one.text.text.endswith(";") and "words" in (one.how, other.how):
                _wait([one, other], "only a part of the sentence is understood")
        if not inside:
            self._end(sentences)
        return sentences

    def _understood(self, parts: list[Placed]) -> list[Sentence]:
        """Return one sentence, or several as one where they belong together; nothing where they do not."""
        text = joined(parts, " ") if len(parts) > 1 else parts[0]
        if len(parts) > 1:
            low = even(text.text).strip(" .!?")
            formed = self.clauses.formed(low) if len(low) <= 600 else None
            if not formed and len(parts) == 2 and (inside := self.clauses.rolled_inside(text.text)):
                formed = inside.effects
            return [self._decide(Sentence(text, formed, "does"))] if formed else []
        sentence = Sentence(text)
        matched: Found | None = self.clauses.sentence(text.text)
        matched = matched or self.clauses.rolled_inside(text.text) or self.clauses.state(text.text)
        if matched is None and forms().colour.fullmatch(even(text.text).strip(" .!?")):
            sentence.why = "colour"
        if matched is not None:
            sentence.effects, sentence.is_sure, sentence.why = (matched.effects, matched.is_sure, matched.why)
            sentence.left = [text.cut(*place).stripped(" ,;.") for place in matched.left]
            values = all(effect["do"] == "raise" for effect in matched.effects)
            sentence.how = "nothing" if not matched.effects else "value" if values else "does"
        return [self._decide(sentence)]

    def _decide(self, sentence: Sentence) -> Sentence:
        decision = self.answers.sentences.get(sentence.key)
        if decision is None:
            return sentence
        sentence.is_decided = True
        if decision.do == "words":
            sentence.effects, sentence.how, sentence.left, sentence.why = [], "words", [], "kept as words"
        elif decision.do == "rule":
            steps, reader = read_steps(decision.rule)
            if reader.errors:
                sentence.why = f"{reader.errors[0]}"
                sentence.effects, sentence.how = [], "words"
            else:
                sentence.effects, sentence.how, sentence.why = steps, "does" if steps else "nothing", "your statement"
                sentence.left = []
        return sentence

    def _end(self, sentences: list[Sentence]) -> None:
        """Give an end to effects that have none: what the row says, the text's own rule, the usual one, or the GM."""
        alone = ""
        for sentence in sentences:
            low = sentence.key
            if sentence.how != "words" or len(low) > 200 or sentence.is_decided:
                continue
            it = "it " if low.startswith(("until", "for ", "last", "heal", "recover")) else ""
            ended = self.words.ending(it + low)
            if ended and ended[1] and _ALONE.fullmatch(ended[0].strip()):
                alone = ended[1]
                sentence.how, sentence.why = "end", f"how long: {alone}"
            elif (match := _CURED.fullmatch(low)) and not forms().binding.search(match["w"].replace("healing", "")):
                key = slug(match["w"])
                self.words.coined_ends[key] = match["w"]
                alone = key
                sentence.why = f"it ends this: {key}"
        says_end = any(each.how == "words" and _ENDS_WORDS.search(each.key) and not each.why for each in sentences)
        has_number = any(
            effect["do"] == "raise" and effect["number"] == slug(self.post.lasts_number)
            for each in sentences
            for effect in each.effects
        )
        rule = self.answers.lasts if has_number or not self.post.lasts_number else ""
        for sentence in sentences:
            for effect in each_effect(sentence.effects):
                until = str(effect.get("until", ""))
                if not until.startswith("?"):
                    continue
                usual = until[1:]
                if says_end and usual in ("permanent", "woken", "stable"):
                    usual = ""  # the row says how it ends, in words that were not understood
                if alone:
                    effect["until"] = alone
                elif rule and usual not in ("now", "stand", "woken", "permanent", "check"):
                    effect["until"], sentence.why = rule, sentence.why or f"{rule}: the text's own rule"
                else:
                    effect["until"] = usual or "gm"
                    sentence.why = sentence.why or ("" if usual else "no end is said: the GM's")


def _wait(sentences: Iterable[Sentence], why: str) -> None:
    """Let what sentences do wait for somebody's look, where nobody has decided."""
    for each in sentences:
        if each.effects and not each.is_decided:
            each.is_sure, each.why = False, why


def _split(text: Placed) -> list[Placed]:
    """Return the sentences of a text."""
    parts: list[Placed] = []
    end = 0
    for match in _SPLIT.finditer(text.text):
        parts.append(text.cut(end, match.start() + len(match[0].rstrip()) if match[0].strip() else match.start()))
        end = match.end()
    return [part.stripped() for part in [*parts, text.cut(end)] if part.text.strip()]


def titled(text: Placed) -> tuple[Placed, Placed]:
    """Return the name of a card and its words; what is no name stays among the words."""
    if match := re.match(rf"\s*{BOLD}([^{BOLD}{END}]{{2,80}}){END}\s*(?:[:.\u2013\u2014]|-(?=\s))?\s*", text.text):
        return text.cut(*match.span(1)).bare().stripped(" .:"), text.cut(match.end()).bare()
    bare = text.bare()
    name, note = named_words(bare)
    if not note.text or not 1 <= len(name.text.split()) <= 7:
        return EMPTY, bare
    low = even(name.text)
    if _RULE_NAME.search(low):
        return EMPTY, bare
    if "," in name.text:
        index = name.text.index(",")
        if len(name.text[:index].split()) > 4:
            return EMPTY, bare
        # What follows the comma is a rule more often than a name.
        return name.cut(0, index), joined([bare.cut(index + 1).stripped()])
    return name, note
