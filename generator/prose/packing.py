"""A text that was read as the files of a pack. It is sound: what a judge finds fault with is printed as it stands."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec
import yaml

from generator.base.cards import FULL_DECK, SUIT_NAMES
from generator.base.errors import HackjackError, Problem
from generator.language.event_writer import write_event
from generator.language.writer import write_steps
from generator.model.rules import System
from generator.model.taken_names import EVENTS
from generator.pack import scaffold
from generator.pack.founding import PackName
from generator.pack.strict_yaml import read_text
from generator.prose.clauses import Effect, each_effect
from generator.prose.placed import even
from generator.prose.post import Definition, Post, RowRead, Sentence, TableRead
from generator.prose.tables import MAX_NAME, MAX_TEXT, free, plain_row, plain_words

MAX_EFFECTS = 12
POST, ANSWERS = "post.txt", "post.json"
"""The files of the pasted text and of the decisions about it."""
ASKS = "whose words are these? Write the author's name here"
"""Who wrote it, as long as nobody has said."""
ASKS_LICENCE = "The words are their author's: ask before you share them."
_ENDS = ("now", "same", "permanent", "save", "again", "gm", "eases")
_SIDED = ("arm", "leg", "hand", "foot", "eye", "ear")
_RANKS = {"A": "Ace", "J": "Jack", "Q": "Queen", "K": "King", "R": "Red joker", "B": "Black joker"}
_MAX_PANELS, _MAX_PARAGRAPHS = 12, 40
_LETTER, _INSTEAD = re.compile(r"\(U\+([0-9A-F]{4,6})\)"), "\u00b7"
"""A letter that the printed fonts lack in what the judge says, and what is printed in its place."""
Judge = Callable[[Mapping[str, bytes]], Sequence[Problem]]
"""A function that finds the faults of the files of a pack."""


def sound_files(post: Post, name: PackName, judge: Judge, base: System | None = None) -> dict[str, bytes]:
    """Return the files of a pack; rows in which the judge finds a fault do nothing and are printed as they stand."""
    kept: set[int] = set()
    rows: list[RowRead | Definition] = [*(row for _, row in post.rows), *post.definitions]
    for each in rows:
        each.fault = ""
    letters: dict[int, str] = {}
    full = 0
    for attempt in range(10):
        packing = _Packing(post, name, base, kept, letters, full)
        files = packing.files()
        problems = judge(files)
        if not problems:
            break
        missing = {int(code, 16) for problem in problems for code in _LETTER.findall(problem.message)} - letters.keys()
        if missing and attempt < 5:
            letters |= dict.fromkeys(missing, _INSTEAD)
            continue
        if full < 2 and all(problem.file.endswith("screen.yaml") for problem in problems):
            full += 1
            continue
        faults = {row: problem.message for problem in problems if (row := packing.row_at(problem)) is not None}
        if not faults.keys() - kept or attempt == 8:
            faults = dict.fromkeys(map(id, rows), problems[0].message)
        for each in rows:
            each.fault = each.fault or faults.get(id(each), "")
        kept |= faults.keys()
    else:
        raise HackjackError(f"{post.label}: no sound pack can be made of it: {problems[0]}")
    post.problems += packing.problems
    if letters:
        lacking = " ".join(map(chr, sorted(letters)))
        post.problems.append(
            Problem(post.label, 1, 1, f"the printed fonts have no {lacking}: {_INSTEAD} takes its place")
        )
    return files


class _Packing:
    def __init__(
        self, post: Post, name: PackName, base: System | None, kept: Collection[int], letters: Mapping[int, str],
        full: int,
    ) -> None:  # fmt: skip
        self.letters, self.full = letters, full
        """The letters printed in place of others, and whether the screen was full: 1 in one panel, 2 in several."""
        self.post, self.name, self.base, self.kept = post, name, base, kept
        self.is_full = {row.row.code for row in post.deck} >= {*FULL_DECK}
        self.used: list[Effect] = []
        self.problems: list[Problem] = []
        self.places: dict[tuple[str, tuple[Any, ...]], int] = {}
        self.texts: dict[str, str] = {}
        self.renamed = {key: f"{key}_it" for key in EVENTS if key not in _ENDS}

    def files(self) -> dict[str, bytes]:
        """Return the files by name."""
        post = self.post
        cards = [self._card(row, index) for index, row in enumerate(post.deck)]
        tables = [self._table(table, index) for index, table in enumerate(post.tables)]
        defined = {each.id: self._condition(each) for each in post.definitions}
        system = self._system(tables, cards, defined)
        self.texts["system.yaml"] = _dumped(system)
        if cards and not self.is_full:
            self.texts["decks.yaml"] = _dumped({"decks": [{"id": "wounds", "title": self.name.title, "cards": cards}]})
        elif cards:
            self.texts["deck.yaml"] = _dumped({"title": self.name.title, "cards": cards})
        if tables:
            self.texts["tables.yaml"] = _dumped({"tables": tables})
        rolled = {"draw", "roll", *(table["id"] for table in tables)}
        shown = [event for event in system.get("events", {}) if event in rolled][:8]
        blocks: list[dict[str, Any]] = []
        blocks += [{"block": "event", "title": "What to roll", "event": shown}] if shown else []
        blocks += [{"block": "table", "title": table["title"], "table": table["id"]} for table in tables]
        blocks += [{"block": "wounds", "title": "The cards"}] if cards and self.is_full and not self.base else []
        blocks.append({"block": "conditions", "title": "What they mean"})
        if not self.base:
            if self.full > 1:
                blocks = [block for block in blocks if block["block"] not in ("table", "wounds")]
                message = "the tables have no room on the screen: put them on a screen of your own"
                self.problems.append(Problem(post.label, 1, 1, message))
            parts = [[block] for block in blocks] if self.full == 1 else [blocks]
            panels = [{"title": self.name.title, "blocks": part} for part in parts]
            self.texts["screen.yaml"] = _dumped({"title": "GM screen", "panels": panels})
            self.texts["sheet.yaml"] = _dumped({"title": "Sheet", "panels": [{"title": self.name.title}]})
        if prose := list(_paragraphs(post)):
            self.texts["reference.yaml"] = _dumped({"title": "The post", "panels": _panels(prose, self.name.title)})
        self.texts = {file: text.translate(self.letters) for file, text in self.texts.items()}
        about = f"Read from a post, which is in `{POST}`. What sentences do are statements; the rest is printed."
        files = scaffold.complete(self.name, self.texts, about, joined=bool(self.base))
        answers = msgspec.json.format(msgspec.json.encode(post.answers), indent=1)
        return files | {POST: post.text.encode(), ANSWERS: answers + b"\n"}

    def row_at(self, problem: Problem) -> int | None:
        """Return the row in which a problem is; None where it is elsewhere."""
        file = re.split(r"[/\\]", problem.file)[-1]
        if file not in self.texts or not problem.line:
            return None
        marks = read_text(scaffold.with_schema(self.texts[file], file), file)[1]
        inside = [trail for trail, (line, _) in marks.values.items() if line <= problem.line and len(trail) > 1]
        last = max(inside, key=lambda trail: marks.values[trail], default=())
        return self.places.get((file, last[: 4 if file in ("tables.yaml", "decks.yaml") else 2]))

    # --- rows --------------------------------------------------------------------------------------------------------

    def _said(self, row: RowRead, sentences: Iterable[Sentence]) -> list[Effect | str]:
        """Return what sentences do, and the words that stay, in the order of the text; after a death nothing runs."""
        contents: list[Effect | str] = []
        count = 0
        for sentence in sentences:
            if not sentence.is_taken or id(row) in self.kept or count + len(sentence.effects) > MAX_EFFECTS - 2:
                contents += [] if sentence.is_title else [sentence.text.text.strip()]
                continue
            contents += [f"{left.text[:1].upper()}{left.text[1:]}." for left in sentence.left]
            contents += [sentence.text.text.strip()] if sentence.why.startswith("it ends this") else []
            contents += [self._kept_effect(effect) for effect in sentence.effects]
            count += len(sentence.effects)
        dead = [each for each in contents if isinstance(each, dict) and each["do"] == "die"]
        return [each for each in contents if not isinstance(each, dict) or each["do"] != "die"] + dead[:1]

    def _kept_effect(self, effect: Effect) -> Effect:
        kept: Effect = msgspec.to_builtins(effect)
        for each in each_effect([kept]):
            if each.get("until") in self.renamed:
                each["until"] = self.renamed[each["until"]]
        self.used += each_effect([kept])
        return kept

    def _statements(self, row: RowRead, contents: list[Effect | str], *, all_words: bool) -> tuple[Any, str]:
        """Return statements, with the words as `say`; a note of the words where they need not stand among them."""
        words = list(_pieces(each for each in contents if isinstance(each, str)))
        note = ""
        if not all_words and len(words) == 1:
            note, contents = words[0], [each for each in contents if isinstance(each, dict)]
        steps: list[Effect] = []
        waiting: list[str] = []
        for each in [*contents, {}]:
            if isinstance(each, str):
                waiting.append(each)
                continue
            steps += [{"do": "say", "says": piece} for piece in _pieces(waiting)]
            steps += [each] if each else []
            waiting = []
        if len(steps) > MAX_EFFECTS:
            effects = [each for each in contents if isinstance(each, dict)]
            says = [{"do": "say", "says": piece} for piece in words]
            room = MAX_EFFECTS - len(effects)
            steps = [*says[:room], *effects]
            if left := sum(len(each["says"]) for each in says[room:]):
                message = f"its words go on in {POST}: {left} letters have no room"
                self.problems.append(Problem(self.post.label, row.row.line, 1, message))
        return _written(steps) if steps else [], note

    def _card(self, row: RowRead, index: int) -> dict[str, Any]:
        self.places["deck.yaml", ("cards", index)] = self.places["decks.yaml", ("decks", 0, "cards", index)] = id(row)
        contents = self._said(row, row.sentences[""])
        card: dict[str, Any] = {"code": row.row.code, "name": self._name(row)}
        for pool in ("blood", "trauma") if self.is_full else ():
            matched = [
                each for each in contents if isinstance(each, dict) and each["do"] == "raise" and each["number"] == pool
            ]
            if len(matched) == 1 and (pool == "blood" or matched[0]["by"].isdigit()):
                card[pool] = int(matched[0]["by"]) if matched[0]["by"].isdigit() else matched[0]["by"]
                contents = [each for each in contents if each is not matched[0]]
        name = even(card["name"]).strip(" .!?")
        contents = [each for each in contents if not isinstance(each, str) or even(each).strip(" .!?") != name]
        statements, _ = self._statements(row, contents, all_words=True)
        return card | ({"effects": statements} if statements else {})

    def _name(self, row: RowRead) -> str:
        name = plain_words(row.row.name.text).strip(" .")
        if not name:
            colour = next((left.text for each in row.sentences[""] for left in each.left), "")
            first = colour or next((each.text.text for each in row.sentences[""]), "").split(",")[0].strip(" .!")
            name = first if 0 < len(first) <= 36 and not re.search(r"\d", first) else ""
        code = row.row.code
        suit = SUIT_NAMES.get(code[-1:], "") if code not in ("RJ", "BJ") else ""
        rank = _RANKS.get(code[0], code.rstrip("CSDH"))
        return plain_words(name or (f"{rank} of {suit.lower()}" if suit else rank))[:MAX_NAME]

    def _table(self, read: TableRead, number: int) -> dict[str, Any]:
        rows = []
        for index, row in enumerate(read.rows):
            self.places["tables.yaml", ("tables", number, "rows", index)] = id(row)
            written = self._row(row)
            if "at" not in written and len(written.get("name", "")) > MAX_NAME - 6:
                # Long names may have been cut to the same.
                written["name"] = f"{written['name'][: MAX_NAME - 6].strip()} ({index + 1})"
            rows.append(written)
        return {**read.table.written, "rows": rows}

    def _row(self, row: RowRead) -> dict[str, Any]:
        written = plain_row(row.row)
        written.pop("note", None)
        contents = self._said(row, row.sentences.get("", ()))
        if len(row.row.name.text) > MAX_NAME:
            contents.insert(0, row.row.name.text)
            if "at" in written:
                written.pop("name")
        statements, note = self._statements(row, contents, all_words=False)
        cells = {}
        for key, cell in row.row.cells.items():
            inner = self._said(row, row.sentences.get(key, ()))
            cells[key] = plain_words(cell.text)
            if any(isinstance(each, dict) for each in inner) or len(cells[key]) > MAX_NAME:
                cells[key] = self._statements(row, inner, all_words=True)[0]
        return (
            {key: value for key, value in written.items() if key != "cells"}
            | ({"cells": cells} if cells else {})
            | ({"effects": statements} if statements else {})
            | ({"note": note} if note else {})
        )

    # --- what rows name ----------------------------------------------------------------------------------------------

    def _condition(self, defined: Definition) -> dict[str, Any]:
        implies: list[Effect] = []
        words: list[str] = []
        self.places["system.yaml", ("conditions", defined.id)] = id(defined)
        for sentence in defined.sentences if id(defined) not in self.kept else ():
            if sentence.is_taken and sentence.effects and len(implies) + len(sentence.effects) <= MAX_EFFECTS:
                implies += [self._kept_effect(effect) for effect in sentence.effects]
                words += [f"{left.text[:1].upper()}{left.text[1:]}." for left in sentence.left]
            else:
                words.append(sentence.text.text.strip())
        if id(defined) in self.kept:
            words = [sentence.text.text.strip() for sentence in defined.sentences]
        name = plain_words(defined.name.text).strip(" .:")[:MAX_NAME]
        says = name
        if words and not implies and len(words[0]) <= MAX_NAME:
            says = plain_words(words.pop(0)).rstrip(" .")
        notes = list(_pieces(words))[:6]
        return (
            {"name": name, "says": says or name}
            | ({"implies": _written(implies)} if implies else {})
            | ({"notes": notes} if notes else {})
        )

    def _named(self, key: str) -> list[str]:
        """Return the names that used effects have in a key, each once."""
        matched = [
            name
            for effect in self.used
            for value in (effect.get(key),)
            for name in ([value] if isinstance(value, str) else value or ())
        ]
        return list(dict.fromkeys(matched))

    def _system(
        self, tables: list[dict[str, Any]], cards: list[dict[str, Any]], defined: dict[str, Any]
    ) -> dict[str, Any]:
        post, words, head = self.post, self.post.words, self.base.head if self.base else None
        statistics = {
            key: {"name": words.coined_statistics.get(key, key)[:MAX_NAME]}
            for key in dict.fromkeys(
                [*self._named("to"), *self._named("statistic"), *self._named("of"), *self._named("per")]
            )
            if not head or key not in head.statistics
        }
        conditions = {
            key: defined.get(key) or words.coined_conditions.get(key) or {"says": key.replace("_", " ").capitalize()}
            for key in dict.fromkeys([*self._named("condition"), *self._named("unless"), *defined])
            if not head or key not in head.conditions
        }
        for condition in conditions.values():
            condition["says"] = plain_words(condition["says"])
        parts = {
            key: _part(key, words.part_dice)
            for key in dict.fromkeys([*self._named("part"), *self._named("where")])
            if not head or key not in head.parts
        }
        events, procedure = self._procedure(tables, cards)
        title = (post.title or self.name.title)[:MAX_NAME]
        source = {"title": title, "author": post.answers.author or ASKS, "licence": ASKS_LICENCE}
        top: dict[str, Any] = {"id": self.name.id, "title": self.name.title, "version": scaffold.VERSION}
        if head:
            top = {"id": self.name.id, "extends": head.id, "title": self.name.title, "version": scaffold.VERSION}
        system = top | {"about": "Rules that were read from a post.", "source": source}
        system |= {"procedure": procedure} if procedure else {}
        if cards and self.is_full and not head:
            system["suits"] = [
                {"id": key, "name": name.capitalize(), "character": name.lower(), "means": f"{name.capitalize()}."}
                for key, name in SUIT_NAMES.items()
            ]
            pools = [key for key in ("blood", "trauma") if any(key in card for card in cards)]
            if pools:
                system["tracks"] = {key: {"name": key.capitalize(), "means": "As the post says."} for key in pools}
        more = {"statistics": statistics, "conditions": conditions, "parts": parts}
        system |= {key: value for key, value in more.items() if value}
        lists = [
            {"name": table["id"], "from": {"table": table["id"]}} for table in tables if scaffold.fits_cards(table)
        ]
        system |= {"cards": lists} if lists else {}
        return (
            system
            | {
                "events": {
                    key: each if isinstance(each, str) else "\n".join(write_event(each)) + "\n"
                    for key, each in events.items()
                }
            }
            if events
            else system
        )

    def _procedure(
        self, tables: list[dict[str, Any]], cards: list[dict[str, Any]]
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the events, and the procedure with its numbers."""
        words, head = self.post.words, self.base.head if self.base else None
        numbers: dict[str, Any] = {}
        own: dict[str, str] = {key: word for word, key in words.numbers.items()}
        for effect in self.used:
            if effect["do"] in ("raise", "lower"):
                key = effect["number"]
                numbers[key] = (
                    {"name": "HP", "start": 10}
                    if key == "hp"
                    else {"name": own.get(key, str(key)).capitalize()[:MAX_NAME], "least": 0}
                )
        if "hd" in self._named("per"):
            numbers["hd"] = {"name": "Hit dice", "start": 1, "least": 1}
        events: dict[str, Any] = {}
        procedure: dict[str, Any] = {"kind": "steps", "by_card": True}
        if cards and not head and self.is_full:
            events |= self._draws(procedure, numbers)
        elif cards and not head:
            read = {"do": "draw_card", "deck": "wounds", "then": [{"do": "read"}]}
            events["draw"] = {"says": "draw a card", "do": [read]}
        for table in tables:
            if rolls := scaffold.event_for(table):
                key = table["id"] if len(tables) > 1 or cards else "roll"
                events[free(key, events)] = rolls
        for until in self._named("until"):
            if until in _ENDS or " " in until or until in events or (head and until in head.events):
                continue
            event: dict[str, Any] = {
                "says": plain_words(words.coined_ends.get(until, _ENDED.get(until, until.replace("_", " "))))[:MAX_NAME]
            }
            if until in words.coined_ends:
                event["until"] = f"until {event['says']}"
            events[until] = event | {"do": [{"do": "end", "until": until}]}
        if not events and not head:
            events["nothing"] = {"says": "nothing is rolled", "do": [{"do": "say", "says": "Nothing is rolled."}]}
        if head:
            fresh = {key: each for key, each in numbers.items() if key not in getattr(head.procedure, "numbers", {})}
            return events, {"numbers": fresh} if fresh else {}
        return events, procedure | ({"numbers": numbers} if numbers else {})

    def _draws(self, procedure: dict[str, Any], numbers: dict[str, Any]) -> dict[str, Any]:
        """Return the events that draw cards, and give the procedure what they need."""
        waits, kinds = set(self._named("event")), {effect["do"] for effect in self.used}
        scored = self.post.answers.scores == "rank"
        for key in ("score", "blood", "trauma"):
            numbers.setdefault(key, {"name": "Death-score" if key == "score" else key.capitalize(), "least": 0})
        red = " + extra_blood(red_card) * card.red" if "red_card" in waits else ""
        take: list[Effect] = [
            {"do": "raise", "number": "blood", "by": f"card.blood{red}"},
            {"do": "set", "number": "trauma", "to": "max(trauma, card.trauma)"},
        ]
        score: list[Effect] = [{"do": "raise", "number": "score", "by": "card.score"}] if scored else []
        procedure |= {"scores": {"A": 1, "J": 10, "Q": 10, "K": 10}} if scored else {}
        procedure["piles"] = {"last": {"name": "Last wound", "most": 1}}
        plays: dict[str, str] = {}
        events: dict[str, Any] = {}
        last = [{"do": "keep", "pile": "last"}]
        events["draw"] = {
            "says": "draw a card",
            "do": [
                {
                    "do": "draw_card",
                    "deck": "deck",
                    "then": [*score, *take, {"do": "read"}, *last],
                    "says": "Draw a card: its values count, and you do what it says.",
                }
            ],
        }
        if "draw" in kinds:
            plays["draw"] = "draw_more"
            for pool in ("blood", "trauma"):
                numbers[f"low_{pool}"] = {"name": f"Lowest {pool.capitalize()}", "start": None, "temporary": True}
            events["draw_more"] = _drawing_more(score, take)
        if "repeat" in kinds:
            plays["repeat"] = "once_more"
            again = [{"do": "take_up", "pile": "last", "then": [*take, {"do": "read", "but": ["draw", "repeat"]}]}]
            twice = {"do": "when", "holds": "times > 1", "then": [{"do": "read"}]}
            first = [
                {"do": "draw_card", "deck": "deck", "cards": "draw", "then": [*score, *take, {"do": "read"}, twice]}
            ]
            events["once_more"] = {
                "says": "the last wound again", "helper": True, "takes": {"draw": {}, "times": {}},
                "do": [{"do": "when", "holds": "cards(last) > 0", "then": again, "else": first}],
            }  # fmt: skip
        if "spare" in kinds:
            plays["spare"] = "spared"
            events["spared"] = {
                "says": "a lucky break",
                "helper": True,
                "do": [{"do": "say", "says": "A lucky break."}],
            }
        procedure |= {"plays": plays} if plays else {}
        fall = [{"do": "raise", "number": "blood", "by": "extra_blood(below_zero)"}] if "below_zero" in waits else []
        fall += [{"do": "raise", "number": "score", "by": "extra_score(first_card)"}] if "first_card" in waits else []
        if fall:
            events["fall"] = {"says": "fall below 0 HP", "do": fall}
        if "near_cause" in waits:
            events["face"] = {"says": "a round near what did this", "do": [{"do": "recur", "event": "near_cause"}]}
        return events


def _drawing_more(score: list[Effect], take: list[Effect]) -> dict[str, Any]:
    """Return the event for cards that a card makes one draw."""
    lowest = [
        {
            "do": "when", "holds": f"pools == 'lowest' and known(card.{pool})",
            "then": [
                {"do": "let", "name": f"{pool}_now", "be": f"card.{pool}", "says": ""},
                {
                    "do": "when", "holds": f"known(low_{pool})",
                    "then": [{"do": "set", "number": f"low_{pool}", "to": f"min(low_{pool}, {pool}_now)"}],
                    "else": [{"do": "set", "number": f"low_{pool}", "to": f"{pool}_now"}],
                },
            ],
        }
        for pool in ("blood", "trauma")
    ]  # fmt: skip
    then = [{"do": "when", "holds": "pools == 'all'", "then": take}, *lowest, {"do": "read"}]
    counted = score or [{"do": "say", "says": "Its score counts."}]
    each = [{"do": "when", "holds": "draw_score", "then": counted}]
    draw = {"do": "draw_card", "deck": "deck", "cards": "cards", "keep": "cards - (keep == 'choose_one') * (cards - 1)"}
    return {
        "says": "cards that a card makes you draw", "helper": True,
        "takes": {
            "cards": {}, "keep": {"of": ["all", "choose_one"]}, "draw_score": {"least": 0},
            "pools": {"of": ["all", "lowest", "none"]},
        },
        "do": [
            draw | {"each": each, "then": then},
            {
                "do": "when", "holds": "known(low_blood)",
                "then": [{"do": "raise", "number": "blood", "by": "low_blood"}],
            },
            {
                "do": "when", "holds": "known(low_trauma)",
                "then": [{"do": "set", "number": "trauma", "to": "max(trauma, low_trauma)"}],
            },
        ],
    }  # fmt: skip


_ENDED = {
    "stand": "you stand up", "cleared": "it is cleaned away", "woken": "somebody wakes you",
    "breath": "you take a round to get your breath back", "stable": "somebody stabilises you",
    "rest": "you rest", "good_rest": "you rest in comfort", "recovery": "recovery is complete",
    "check": "a later roll succeeds",
}  # fmt: skip
"""The events that end something, as people call them."""


def _written(steps: list[Effect]) -> list[str] | str:
    """Return statements as a list, or as a text where one of them has several lines."""
    lines = [write_steps([step], inline=True, width=10_000) for step in steps]
    return (
        [each[0] for each in lines] if all(len(each) == 1 for each in lines) else "\n".join(write_steps(steps)) + "\n"
    )


def _part(part: str, dice: Mapping[str, str]) -> dict[str, Any]:
    if part == "finger":
        members = ["thumb", "index finger", "middle finger", "ring finger", "little finger"]
        return {
            "name": part,
            "die": "d10",
            "sides": ["left hand", "right hand"],
            "members": members,
            "reconstructed": True,
        }
    if part == "limb" and dice.get(part) == "4":
        return {
            "name": part,
            "die": "d4",
            "sides": ["left arm", "right arm", "left leg", "right leg"],
            "reconstructed": True,
        }
    return {"name": part} | ({"die": "d2", "sides": ["left", "right"], "reconstructed": True} if part in _SIDED else {})


def _pieces(words: Iterable[str]) -> Iterator[str]:
    """Yield words as texts that content can hold, several sentences together where they fit."""
    held = ""
    for text in map(plain_words, words):
        for piece in re.findall(rf".{{1,{MAX_TEXT}}}(?:\s|$)|\S{{{MAX_TEXT}}}", " ".join(text.split())):
            if held and len(held) + len(piece) + 1 > MAX_TEXT:
                yield held
                held = ""
            held = f"{held} {piece.strip()}".strip()
    if held:
        yield held


def _paragraphs(post: Post) -> Iterator[tuple[bool, str]]:
    """Yield what stands outside tables and decks, and whether it is a heading."""
    for block in post.prose:
        text = plain_words(block.text.text.strip())
        if block.kind == "heading" and len(text) <= MAX_NAME:
            yield True, text
        else:
            yield from ((False, piece) for piece in _pieces([text]))


def _panels(prose: list[tuple[bool, str]], title: str) -> list[dict[str, Any]]:
    blocks: list[dict[str, Any]] = []
    for is_heading, text in prose:
        if is_heading or not blocks or len(blocks[-1]["text"]) >= _MAX_PARAGRAPHS:
            blocks += [{"block": "text", "text": []} | ({"title": text} if is_heading else {})]
        if not is_heading:
            blocks[-1]["text"].append(text)
    blocks = [block if block["text"] else {"block": "text", "text": [block["title"]]} for block in blocks]
    parts = [blocks[index : index + 20] for index in range(0, len(blocks), 20)][:_MAX_PANELS]
    return [{"title": title, "columns": 2, "blocks": part} for part in parts]


class _Dumper(yaml.SafeDumper):
    def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002
        """Return that equal lists are written twice, for no pack may have aliases."""
        return True


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style="|" if "\n" in text else None)


_Dumper.add_representer(str, _text)


def _dumped(value: Any) -> str:
    text: str = yaml.dump(value, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=10_000)
    return text
