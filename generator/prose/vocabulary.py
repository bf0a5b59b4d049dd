"""The words that a text may use: those of every post, of a system and its definitions, and those that it coins."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from generator.model.rules import System
from generator.prose.forms import NUMBERS, forms
from generator.prose.placed import even
from generator.prose.tables import slug
from generator.words.wording import DURATIONS

_SPAN = re.compile(r"(?P<n>.+?)[ -]?(?P<u>[a-z]+)\.?\*?")
_DAYS = re.compile(
    r" (?:for|lasts?|lasting|heals? in|recovers? in) (?:the next |another )?"
    r"(?P<s>[a-z0-9+ -]{1,16}? ?[a-z]{1,7})\.?$"
)
_NEXT = re.compile(
    r" (?:for|until the end of|during|on|in) (?:the|your|their|his) next (?P<u>round|turn|minute|hour|day|week|month)$"
)
_TAIL = re.compile(r"[ (](?P<s>(?:\d{0,2}d\d{1,3}|\d{1,3}) ?[a-z]{1,7})\.?\)?$")
_UNTIL = re.compile(r",? until (?P<w>[a-z0-9' -]{2,60})$")
_GOOD = re.compile(
    r",? \(?(?:permanently|permanent|forever|for good|from now on|for life"
    r"|for the rest of (?:your|their|his) (?:life|days))\)?"
    r"(?= |$|,)"
)
_OF_PART = re.compile(r"(?:your|the|that) (?:arm|leg|hand|limb|eye|foot|part) (?:is|are|becomes?) ([a-z' -]{3,24})")
_LAST_TWO = re.compile(r" (?P<all>(?P<w>[a-z-]+) \+?\d{0,2}d?\d{1,3}|\+?\d{0,2}d?\d{1,3} (?P<v>[a-z-]+))$")
_CHOICE = re.compile(r"\b(?:or|only|unless|and|except|if|but|while|when)\b")
_AMONG = re.compile(r"\b(?:or|either|one|some|random(?:ly)?|choice|chosen|highest|lowest|best|worst|you|be)\b")
_OWN_END = re.compile(r"^(?:(?:you|they|he|it|the|your|is|are|has|have|been|an?) )+")


@dataclass
class Vocabulary:
    """Words and what they stand for: word or phrase -> id. What is coined has its words: id -> keys of content."""

    numbers: dict[str, str] = field(default_factory=dict)
    conditions: dict[str, str] = field(default_factory=dict)
    fails: dict[str, str] = field(default_factory=dict)
    statistics: dict[str, str] = field(default_factory=dict)
    parts: dict[str, str] = field(default_factory=dict)
    ends: dict[str, str] = field(default_factory=dict)
    tables: dict[str, str] = field(default_factory=dict)
    usual_ends: dict[str, str] = field(default_factory=dict)
    """The end of conditions where nothing says so."""
    taken: set[str] = field(default_factory=set)
    coined_conditions: dict[str, dict[str, Any]] = field(default_factory=dict)
    coined_statistics: dict[str, str] = field(default_factory=dict)
    coined_ends: dict[str, str] = field(default_factory=dict)
    has_score: bool = False
    part_dice: dict[str, str] = field(default_factory=lambda: {"finger": "10", "toe": "10", "limb": "4"})
    """The faces of the die that chooses among several of a part, where they are not two."""
    turn: str = ""
    """The meaning of a turn, round or minutes; empty where it is not known."""
    spoken: str = ""
    """The sentence that is read."""
    card_score: str = ""
    """The score of the card whose words are read."""

    def __post_init__(self) -> None:
        self.ends = {text.removeprefix("until "): word for word, (text, _) in DURATIONS.items() if text} | self.ends

    def as_written(self, says: str) -> str:
        """Return words in the letters of the sentence that is read."""
        start = even(self.spoken).find(low := says.lower()) if says else -1
        if start < 0:
            for word in ("you cannot ", "you have disadvantage on ", "you have advantage on ", "you can never "):
                if low.startswith(word):
                    return says[: len(word)] + self.as_written(says[len(word) :])
        return self.spoken[start : start + len(says)] if start >= 0 else says

    def statistic(self, words: str) -> str | None:
        """Return the statistic of these words."""
        words = words.strip()
        for each in (words, re.sub(r" (?:scores?|attributes?|stats?|characteristics?|rolls?|checks?)$", "", words)):
            if each in self.statistics:
                return self.statistics[each]
        known = forms().statistics
        for each in (words, re.sub(r" (?:scores?|attributes?|stats?|characteristics?)$", "", words)):
            if each in known:
                key, name = known[each]
                self.coined_statistics[key] = name
                return key
        return None

    def statistic_list(self, words: str) -> list[str] | None:
        """Return the statistics of a list; names may hold commas and `and` themselves."""
        if (one := self.statistic(words)) is not None:
            return [one]
        pieces = re.split(r"(, and |,? and |, |/|,? & )", words)
        matched: list[str] = []
        index = 0
        while index < len(pieces):
            for end in range(min(len(pieces), index + 7), index, -2):
                one = self.statistic("".join(pieces[index:end]))
                if one is not None:
                    matched += [one] if one not in matched else []
                    index = end + 1
                    break
            else:
                return None
        return matched

    def own_statistic(self, words: str) -> str | None:
        """Return a statistic that the text coins."""
        bare = re.sub(r"\b(?:for|with|to|at|in|by|and)\b", "", words)
        if (
            _AMONG.search(words)
            or forms().binding.search(bare)
            or forms().limit.search(words)
            or len(words.split()) > 6
        ):
            return None
        key = slug(words)
        if not key:
            return None
        self.coined_statistics[key] = self.as_written(words)
        return key

    def number_at_end(self, text: str) -> int:
        """Return where `trauma 1` or `1 trauma` begins at the end of a text; 0 where it does not."""
        match = _LAST_TWO.search(text)
        word = match and (match["w"] or match["v"])
        return (
            match.start("all")
            if match and word and (word in self.numbers or word.removesuffix("s") in self.numbers)
            else 0
        )

    def part(self, word: str) -> str | None:
        """Return the part of the body that a word means."""
        return self.parts.get(word) or forms().parts.get(word)

    def condition(self, text: str) -> tuple[str, str, bool] | None:
        """Return the condition of a clause, how it ends where nothing says so, and whether it is more than colour."""
        if text in self.conditions:
            key = self.conditions[text]
            usual = next((each.ends for each in forms().conditions if each.id == key), "gm")
            return key, self.usual_ends.get(key, usual), True
        if (match := _OF_PART.fullmatch(text)) and self.conditions.get(match[1], "") not in ("", *self.taken):
            return self.condition(match[1])
        for common in forms().conditions:
            for form in common.patterns:
                if any(anchor in text for anchor in form.anchors) and form.pattern.fullmatch(f" {text}"):
                    self.coin(common.id, common.says, common.brief, common.fails)
                    return common.id, common.ends, not common.is_loose
        return None

    def coin(self, key: str, says: str, brief: str, fails: str = "") -> str:
        """Define a condition that the text brings; one that the system has stays as it is there."""
        if key not in self.taken:
            self.coined_conditions[key] = {"says": says[:80], "brief": brief[:80]} | ({"fails": fails} if fails else {})
        return key

    def span(self, text: str) -> str | None:
        """Return a span of time as content has it: `2d6 weeks`."""
        match = _SPAN.fullmatch(text.strip())
        amount = dice(match["n"].strip()) if match else ""
        unit = forms().units.get(match["u"], "") if match else ""
        if not match or not amount or not unit or amount == "0":
            return None
        if unit == "turn":
            if not self.turn:
                return None
            many, _, unit = self.turn.rpartition(" ")
            if many not in ("", "1"):
                amount = str(int(amount) * int(many)) if amount.isdigit() else ""
        if len(match["u"]) == 1 and not re.search(r"\d", text):
            return None
        return f"{amount} {unit}{'' if amount == '1' else 's'}" if amount else None

    def ending(self, text: str) -> tuple[str, str] | None:
        """Return a text without its end, and the end; empty where none is said, None where it is not understood."""
        if text.endswith((" for as long again", " for as long")):
            return text.rpartition(" for as long")[0], "again" if text.endswith("again") else "same"
        if match := _GOOD.search(f" {text}"):
            rest = f"{f' {text}'[: match.start()]} {f' {text}'[match.end() :].lstrip(', ')}"
            return " ".join(rest.split()), "permanent"
        if match := _NEXT.search(text):
            return text[: match.start()], "1 round" if match["u"] in ("round", "turn") else f"1 {match['u']}"
        if match := _UNTIL.search(text):
            end = self.end_word(match["w"].strip())
            return (text[: match.start()], end) if end else None
        for pattern in (_DAYS, _TAIL):
            if match := pattern.search(text):
                span = self.span(match["s"])
                if span:
                    return text[: match.start()].strip(" (,"), span
                if pattern is _DAYS and re.search(r"\bturns?$", match["s"]):
                    return None
        return text, ""

    def end_word(self, sentence_text: str) -> str | None:
        """Return the word of an end: one of the language, of the system, or an event that the text coins."""
        if sentence_text in self.ends:
            return self.ends[sentence_text]
        for word, form in forms().ends.items():
            if form.pattern.fullmatch(f" {sentence_text}"):
                return word
        if re.fullmatch(r"the (?:end|start) of (?:the|your|their|his) next (?:turn|round)", sentence_text):
            return "1 round"
        if (
            _CHOICE.search(sentence_text)
            or forms().limit.search(sentence_text)
            or re.search(r"\d", sentence_text)
            or len(sentence_text.split()) > 7
        ):
            return None
        key = slug(_OWN_END.sub("", sentence_text))
        if not key:
            return None
        self.coined_ends[key] = sentence_text
        return key


def dice(text: str) -> str:
    """Return dice or a number as content has them; empty where it is none."""
    text = re.sub(r" (?=[d+-])|(?<=[+-]) ", "", NUMBERS.get(text, text))
    text = text[:-1] + "100" if text.endswith("d%") else text
    return text if re.fullmatch(r"\d{0,2}d\d{1,3}(?:[+-]\d{1,3})?|\d{1,4}", text) else ""


def of_system(system: System) -> Vocabulary:
    """Return the words of a system: its conditions, statistics, parts, numbers and the events that end something."""
    head = system.head
    words = Vocabulary(taken={*head.conditions})
    # Of all ends, only that of what is over at once is not printed.
    words.usual_ends = dict.fromkeys(head.conditions, "now")
    words.tables = {even(table.title): table.id for table in system.tables}
    for key, condition in head.conditions.items():
        for text in filter(None, (condition.says, condition.name, condition.brief)):
            words.conditions.setdefault(without_subject(even(text)), key)
            words.conditions.setdefault(even(text), key)
        if condition.fails:
            words.fails[even(condition.fails)] = key
    for key, statistic in head.statistics.items():
        for text in filter(None, (statistic.name, statistic.brief)):
            words.statistics.setdefault(even(text), key)
    words.parts |= {even(part.name): key for key, part in head.parts.items()}
    words.part_dice |= {key: str(part.die.faces) for key, part in head.parts.items() if part.die}
    words.numbers |= {even(number.name): key for key, number in getattr(head.procedure, "numbers", {}).items()}
    words.has_score = system.deck is not None
    for key, event in head.events.items():
        if event.until:
            words.ends[even(event.until).removeprefix("until ")] = key
    return words


def without_subject(text: str) -> str:
    """Return a clause without `you are` and the like before it."""
    match = forms().subject.match(text)
    return text[match.end() :] if match else text
