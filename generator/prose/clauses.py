"""A sentence as effects: understood whole, or not at all.

What has a condition, a choice, a number or anything behind an understood clause that is not understood stays words.
Effects are plain values as YAML has them; an end that a sentence does not say is `?`, with the usual one behind it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

from generator.prose.forms import Form, forms
from generator.prose.placed import even
from generator.prose.ranges import span
from generator.prose.tables import slug
from generator.prose.vocabulary import Vocabulary, dice, without_subject

Effect = dict[str, Any]
LASTING = ("suffer", "penalty", "bonus", "halve", "risk", "whenever", "reroll")
_MAX_CLAUSE = 240
_JOINTS = re.compile(r" and then |,? (?:and|then|but) |; (?:and |then )?|, | & | \+ | / | - ")
_ABBREVIATED = re.compile(r"\((?:(?:int|str|dex|con|wis|cha)(?:,? (?:and )?|(?=\)))){2,6}\)")
_SEVERAL = re.compile(r"(You have (?:dis)?advantage on )(?P<on>.+)")
_OF_CHARACTER = re.compile(
    r"^(?:(?:the|that) (?:victim|target|character|pc|player|creature|model|fighter|warrior|hero)|your character)'s "
)
_ON = re.compile(r"\bon (?:an? )?(?:roll of (?:an? )?)?(?=\d)")
_SIGNS = re.compile(
    r"(?![^\w+(\u2010-\u2013\u2212-]*[<=>~\u2248\u00b1\u00d7\u00f7\u2264\u2265/*%] ?\d)[^\w+(\u2010-\u2013\u2212-]*+"
)
"""Signs before a sentence: quotes, pictures, dots; never one that changes a number."""
_OR_YOU = re.compile(r"\bor you\b")
_OR = re.compile(r"\bor\b|\d")
_MAY = re.compile(r"\b(?:may|might|can|could|must|shall)\b")
_ORDER = re.compile(r"(?!(?:all|both|half|of|\w+s|\w+ed) )[a-z]+ (?:your|the|it|that|this|an?|with|against|on)\b")
"""The first words of an order, which is a condition before `and you die`: `move the arm`."""
_BRACKETED = re.compile(r" \(([+-] ?\d[^()]{1,40})\)$")
_LEAVES = re.compile(
    r"(?P<w>[a-z', -]{3,70}?),? (?:leaves? you|leaving(?: you)?|renders? you)(?: with)? (?P<r>[a-z0-9' -]{3,60})"
)
_OPTIONS = re.compile(r"; or |; |, or | or ")
_AFTERWARDS = re.compile(
    r",? (?:thereafter|after (?:you have |your )?(?:recovery|recovered|you recover)|once recovered)$"
)
_STATE = re.compile(r"(?:you|your [a-z]{2,14}) [a-z' ,/-]{3,74}")


_INSIDE = re.compile(
    r"(?:roll )?(?:an? )?1?d(?P<d>\d{1,3})(?: (?:for|to determine|to see) [a-z ]{3,40})?[.:,;(-]\s*"
    r"(?:(?P<r>1\b.{4,300})|(?P<each>[^\d/]{2,60}(?:/[^\d/]{2,60}){1,19}))"
)
_AFTER_WORDS = re.compile(
    r"(?P<before>[a-z][a-z',/ -]{3,80}?),? (?:roll )?(?:an? )?1?d(?P<d>\d{1,3}) ?[(:] ?(?P<r>1\b.{4,300}?)\)?(?P<each>)"
)
_RESULT = re.compile(r"(?P<at>\d{1,3}(?: ?- ?\d{1,3})?)(?P<w>[^\d]{2,60})")


@dataclass
class Found:
    """The effects of a sentence; `left` are the places of colour in it, and `is_sure` that it needs nobody's look."""

    effects: list[Effect] = field(default_factory=list)
    left: list[tuple[int, int]] = field(default_factory=list)
    is_sure: bool = True
    why: str = ""


def each_effect(effects: Iterable[Effect]) -> Iterator[Effect]:
    """Yield effects and those inside them."""
    for effect in effects:
        yield effect
        for key in ("fails", "passes", "then", "effects"):
            yield from each_effect(effect.get(key, ()))
        for inner in effect.get("results", {}).values():
            yield from each_effect(inner)
        if isinstance(effect.get("penalty"), dict):
            yield effect["penalty"]


def _ended(effects: list[Effect], until: str) -> bool:
    """Give an end to the effects that have none; return whether there are such. The last one hears it first."""
    waiting = [effect for effect in each_effect(effects) if effect.get("until") == "?"]
    if effects and str(effects[-1].get("until", "")).startswith("?"):
        waiting.append(effects[-1])
    for effect in waiting:
        effect["until"] = until
    return bool(waiting)


class Clauses:
    """Understands sentences in the words of a vocabulary."""

    def __init__(self, words: Vocabulary) -> None:
        self.words, self.part, self.has_lost = words, "", False
        """The words, the part of the body that was named last, and whether a part was lost."""
        self._depth = 0

    # --- sentences ---------------------------------------------------------------------------------------------------

    def sentence(self, text: str) -> Found | None:
        """Return what a sentence does, or None where it is not understood whole."""
        before = _SIGNS.match(text)
        start = before.end() if before else 0
        low = even(text)[start:].rstrip(" .!\"'")
        if not before or not low or len(low) > 600:
            return None
        self.words.spoken = text
        low = _ABBREVIATED.sub(lambda match: " " * len(match[0]), low)
        low = _BRACKETED.sub(r", \1 ", low).rstrip()
        if (formed := self.formed(low)) is not None:
            return Found(formed)
        return self._parts(low, start) if len(low) <= 400 else None

    def formed(self, low: str) -> list[Effect] | None:
        """Return what a sentence does that has the form of one, or several that belong together."""
        if self._depth > 4:
            return None
        self._depth += 1
        try:
            among = (*forms().deck, *forms().sentences) if self.words.has_score else forms().sentences
            if (matched := self._first(low, among)) is not None:
                return matched
            ended = self.words.ending(low)
            if not ended or not ended[1] or (matched := self._first(ended[0], among)) is None:
                return None
            return matched if _ended(matched, ended[1]) else None
        finally:
            self._depth -= 1

    def _first(self, text: str, among: Iterable[Form]) -> list[Effect] | None:
        """Return what the first form of these makes of a text."""
        spaced = f" {text}"
        for form in among:
            if any(anchor in text for anchor in form.anchors) and (match := form.pattern.fullmatch(spaced)):
                made = self._made(form, match)
                if made is not None:
                    return made
        return None

    def _parts(self, low: str, start: int) -> Found | None:
        """Return what the clauses of a sentence do; only colour before the first of them may be left."""
        if (whole := self.clause(low)) is not None:
            return self._found(deepcopy(list(whole)), [])
        shared = self.words.ending(low)
        if shared is None:
            return None
        rest, until = shared
        pieces = [(match.start(), match.end()) for match in _JOINTS.finditer(rest)][:14]
        if (
            self.words.numbers
            and (number := self.words.number_at_end(rest))
            and number not in [end for _, end in pieces]
        ):
            pieces.append((number - 1, number))
        starts, ends = [0, *(end for _, end in pieces)], [*(begin for begin, _ in pieces), len(rest)]
        effects: list[Effect] = []
        left: list[tuple[int, int]] = []
        index = 0
        if any("then" in rest[begin:end] and (self.words.ending(rest[:begin]) or "?!")[1] for begin, end in pieces):
            return None  # what comes after a time has no statement
        while index < len(starts):
            for width in range(min(4, len(starts) - index), 0, -1):
                matched = self.clause(rest[starts[index] : ends[index + width - 1]])
                if matched is not None:
                    effects += deepcopy(list(matched))
                    index += width
                    break
            else:
                piece = rest[starts[index] : ends[index]].strip()
                match = _LEAVES.fullmatch(piece) if not effects else None
                matched = self.clause(match["r"]) if match and self._is_colour(match["w"]) else None
                if match and matched is not None:
                    effects += deepcopy(list(matched))
                    end = starts[index] + match.end("w")
                    is_next = left and left[-1][1] == pieces[index - 1][0]
                    left[-1:] = [(left[-1][0], end)] if is_next else [*left[-1:], (starts[index], end)]
                    index += 1
                    continue
                if effects and piece == "as above":
                    index += 1
                    continue
                if effects or (piece and not self._is_colour(piece)):
                    return None
                if left and left[-1][1] == pieces[index - 1][0]:
                    left[-1] = (left[-1][0], ends[index])
                else:
                    left += [(starts[index], ends[index])] if piece else []
                index += 1
        if not effects or (left and rest != low[: len(rest)]):
            return None
        if until and not _ended(effects, until):
            return None
        read = self._found(effects, [(start + one, start + other) for one, other in left])
        if not all(_tells_of_wound(low[one:other]) for one, other in left):
            read.is_sure, read.why = False, "what is before it may be a condition"
        return read

    def _found(self, effects: list[Effect], left: list[tuple[int, int]]) -> Found:
        is_sure = not any(effect.pop("loose", False) and str(effect.get("until")).startswith("?") for effect in effects)
        return Found(effects, left, is_sure, "" if is_sure else "it may be no more than colour")

    def _is_colour(self, piece: str) -> bool:
        """Return whether a part of a sentence says nothing that binds: `damaged eyes`."""
        sides = re.split(r" or ", piece)
        return (
            len(piece.split()) <= 10
            and "(" not in piece
            and not forms().binding.search(piece)
            and not forms().phrase.match(piece)
            and (len(sides) == 1 or all(self.clause(side) is None for side in sides))
        )

    def state(self, text: str) -> Found | None:
        """Return a state in the text's own words, where a sentence says how long it lasts."""
        low = even(text).strip(" .!")
        ended = self.words.ending(low) if _STATE.match(low) else None
        if not ended or not ended[1] or not _STATE.fullmatch(ended[0]) or forms().limit.search(ended[0]):
            return None
        rest = ended[0]
        if (
            re.search(
                r"\b(?:roll|save|must|may|might|could|would|should|can choose|each|every|per|again|gm|dm|takes?|lose)\b"
                r"|\b(?:are|is)(?: not| never|n't)\b"
                r"|^your (?:foe|opponent|attacker|enem|ally|allies|friend|companion|horse|mount)"
                r"|\b(?:for|to|than|in|at|of|by|about|least|most|over|under|nearly|almost)$",
                rest,
            )
            or self.clause(rest) is not None
        ):
            return None
        says = self.words.as_written(f"{rest[:1].upper()}{rest[1:]}")
        key = self.words.coin(slug(without_subject(rest)) or "state", says, rest[:80])
        return Found([{"do": "suffer", "condition": key, "until": ended[1]}], why="a state in words of its own")

    # --- clauses -----------------------------------------------------------------------------------------------------

    def clause(self, text: str) -> tuple[Effect, ...] | None:
        """Return what one clause does, its end included."""
        text = _OF_CHARACTER.sub("your ", text.strip(" .,;:!"))
        if not text or len(text) > _MAX_CLAUSE:
            return None
        if match := _AFTERWARDS.search(text):
            matched = self.clause(text[: match.start()])
            is_later = matched and all(each["do"] in ("suffer", "penalty", "bonus") for each in matched)
            return tuple({**each, "begins": "recovery"} for each in matched or ()) if is_later else None
        ended = self.words.ending(text)
        tries = [(text, "")] if ended is None or not ended[1] else [ended, (text, "")]
        for rest, until in tries:
            if (made := self._bare_clause(rest.strip(" ,"))) is None:
                continue
            is_open = any(str(effect.get("until", "")).startswith("?") for effect in made)
            is_lost = until == "permanent" and all(effect["do"] == "lose" for effect in made)
            if until and not is_open and not is_lost:
                continue
            for effect in made:
                if until and str(effect.get("until", "")).startswith("?"):
                    effect["until"] = until
            return tuple(made)
        return None

    def _bare_clause(self, text: str) -> list[Effect] | None:
        if levels := re.fullmatch(r"(.{3,60}) \((\d{1,2}) levels\)", text):
            matched = self._bare_clause(levels[1])
            is_one = matched and len(matched) == 1 and matched[0]["do"] == "suffer"
            return [{**matched[0], "levels": levels[2]}] if matched and is_one else None
        if match := forms().which.fullmatch(f" {text}"):
            if match["d"] and match["d"] != self.words.part_dice.get(self.part, "2"):
                return None
            return [] if self.has_lost else [{"do": "locate", "part": self.part}] if self.part else None
        if (match := forms().how_much.fullmatch(f" {text}")) and self.has_lost:
            values = {"faces": match["faces"] or "", "d": match["d"]}
            return [] if self._agree(values, {"faces": "faces", "d": "d"}) else None
        stripped = without_subject(text)
        for each in dict.fromkeys((text, stripped, re.sub(r"^(?:temporarily|badly|also) ", "", stripped))):
            if any(form.pattern.fullmatch(f" {each}") for form in forms().nothing):
                return []
            if condition := self.words.condition(each):
                key, ends, is_sure = condition
                until = f"?{'' if ends == 'gm' else ends}"
                return [{"do": "suffer", "condition": key, "until": until} | ({} if is_sure else {"loose": True})]
        among = (*forms().clauses, *forms().deck) if self.words.has_score else forms().clauses
        for each in dict.fromkeys((text, stripped)):
            if (matched := self._first(each, among)) is not None:
                return matched
        return None

    # --- what a form means -------------------------------------------------------------------------------------------

    def _made(self, form: Form, match: re.Match[str]) -> list[Effect] | None:
        """Return the effects that a form means; None where one of its slots holds something else."""
        values: dict[str, Any] = {}
        for name, kind in form.slots.items():
            sentence_text = match[name]
            if sentence_text is None:
                continue
            value = self._value(kind, sentence_text.strip(), values)
            if value is None:
                return None
            values[name] = value
        if not self._agree(values, form.slots):
            return None
        if "each" not in values:
            values["each"] = (" each" in match[0] and "d" in str(values.get("n", ""))) or None
        means = _filled(form.means, values)
        return self._effects(means, match[0]) if means is not None else None

    def _agree(self, values: dict[str, Any], slots: dict[str, str]) -> bool:
        """Return whether the numbers that no effect holds are those that it has anyway."""
        x, d, percent = values.get("x"), values.get("d"), values.get("percent")
        again = [values[name] for name, kind in slots.items() if name == "y" and name in values]
        if any(value != x for value in again) or ("e" in values and slots.get("x") and values["e"] != d):
            return False
        if percent and x and d and int(percent) * int(d) != 100 * int(x):
            return False
        is_of_part = d and values.get("part") and "x" not in values
        if is_of_part and d != self.words.part_dice.get(values["part"], "2"):
            return False
        for name, kind in slots.items():
            if kind == "faces" and name in values:
                numbers = [int(each) for each in re.findall(r"\d+", values[name])]
                die = int((values.get("e", d) if name == "f" else d) or 0)
                if numbers != sorted(set(numbers)) or (numbers and not 0 < numbers[0] <= numbers[-1] <= die):
                    return False
        return True

    def _value(self, kind: str, sentence_text: str, values: dict[str, Any]) -> Any:
        words = self.words
        match kind:
            case "n":
                return dice(sentence_text) or None
            case "mod":
                values["do"] = "bonus" if sentence_text[0] == "+" else "penalty"
                values["n"] = "" if re.search(r"-.*d.*[+-]", sentence_text) else dice(sentence_text[1:].strip())
                return values["n"] or None
            case "stats":
                return words.statistic_list(sentence_text)
            case "any_stat":
                names = re.split(r",? or |, ", sentence_text)
                several = [words.statistic(each) or words.own_statistic(each) for each in names]
                return several if len(several) > 1 and None not in several else None
            case "stat":
                return words.statistic(sentence_text)
            case "stat_words":
                return words.own_statistic(sentence_text)
            case "part":
                return words.part(sentence_text)
            case "span":
                return words.span(sentence_text)
            case "table":
                return words.tables.get(sentence_text) or words.tables.get(f"{sentence_text} table")
            case "number":
                return words.numbers.get(sentence_text) or words.numbers.get(sentence_text.removesuffix("s"))
            case "words" | "aid":
                other = _MAY if kind == "aid" else _OR
                return (
                    sentence_text
                    if not forms().limit.search(sentence_text) and not other.search(sentence_text)
                    else None
                )
            case "scar":
                return (
                    sentence_text
                    if " and " not in sentence_text and not forms().binding.search(sentence_text)
                    else None
                )
            case "score":
                return sentence_text if words.card_score == sentence_text else None
            case "d":
                return "100" if sentence_text == "%" else sentence_text
            case "x":
                return re.split("[-\u2013]", sentence_text)[-1]
            case "until":
                ended = words.ending(f"x {sentence_text}")
                return ended[1] if ended and ended[0] == "x" else None
            case "over":
                score = (
                    "score" if words.has_score and sentence_text in ("death-score", "score", "death score") else None
                )
                return words.numbers.get(sentence_text) or score
            case "unless":
                matched = words.condition(sentence_text) or words.condition(f"wear {sentence_text}")
                return matched[0] if matched else None
            case "condition":
                matched = words.condition(sentence_text)
                return matched[0] if matched else None
            case "effects":
                return self._inside(sentence_text)
            case "options":
                return self._options(sentence_text)
            case "fail":
                return self._price(sentence_text)
            case "text":
                return int({"two": 2}.get(sentence_text, 0)) or (
                    int(sentence_text) if sentence_text.isdigit() else sentence_text
                )
        return sentence_text

    def _inside(self, text: str) -> list[Effect] | None:
        """Return the effects of a text inside a sentence: all of it, without colour."""
        if (formed := self.formed(text)) is not None:
            return formed
        matched = self._parts(text, 0)
        return matched.effects if matched and not matched.left and matched.is_sure else None

    def rolled_inside(self, text: str) -> Found | None:
        """Return dice with results of their own: `roll d6: 1-2 leg, 3-4 arm, 5-6 nothing`; words where no rule is."""
        low = even(text)
        low = _ON.sub("", low) if low.startswith("roll ") else low
        match = _INSIDE.fullmatch(low.strip(" .()")) or _AFTER_WORDS.fullmatch(low.rstrip(" ."))
        before = match.end("before") if match and match.re is _AFTER_WORDS else 0
        if not match or not self._is_colour(low[:before]):
            return None
        self.words.spoken = text
        results: dict[str, list[Effect]] = {}
        last = 0
        each = "; ".join(
            f"{index} {sentence_text}" for index, sentence_text in enumerate((match["each"] or "").split("/"), 1)
        )
        for result in _RESULT.finditer(match["r"] or each):
            covered = span(result["at"])
            sentence_text = result["w"].strip(" ,;.:=")
            if covered is None or covered.high is None or covered.low != last + 1 or not sentence_text:
                return None
            inner = self._inside(sentence_text)
            is_bound = any(each.search(sentence_text) for each in (forms().limit, _MAY, _OR_YOU))
            if not inner and is_bound:
                return None
            sentence_text = self.words.as_written(sentence_text)
            results[str(covered)] = (
                inner if inner else [{"do": "say", "says": f"{sentence_text[:1].upper()}{sentence_text[1:]}."}]
            )
            last = covered.high
        if str(last) != match["d"] or len(results) < 2:
            return None
        return Found([{"do": "roll", "dice": f"d{match['d']}", "results": results}], [(0, before)] if before else [])

    def _options(self, text: str) -> list[Effect] | None:
        matched = [self._inside(re.sub(r"^or ", "", each)) for each in _OPTIONS.split(text)]
        single = [each[0] for each in matched if each and len(each) == 1]
        return single if len(single) == len(matched) > 1 else None

    def _price(self, text: str) -> list[Effect] | None:
        """Return what a failed check brings."""
        ended = self.words.ending(text)
        for rest, until in [ended, (text, "")] if ended else []:
            if key := self.words.fails.get(rest):
                usual = next((each.ends for each in forms().conditions if each.id == key), "gm")
                return [{"do": "suffer", "condition": key, "until": until or f"?{'' if usual == 'gm' else usual}"}]
        matched = self.clause(text)
        if not matched or any(effect["do"] not in ("suffer", "penalty") for effect in matched):
            return None
        if text.startswith(("remain ", "stay ")):
            return [{**effect, "until": "check"} if effect["until"] == "?" else dict(effect) for effect in matched]
        return deepcopy(list(matched))

    def _effects(self, means: Effect, sentence_text: str) -> list[Effect] | None:
        """Return the effects of filled-in meanings, where these are no effect themselves."""
        match means["do"]:
            case "useless":
                part = re.search(r"\b(arms|legs|hands|eyes)\b", sentence_text)
                word = part[1] if part else means["part"]
                that = "Your" if part else "That"
                key = self.words.coin(
                    f"{word}_useless", f"{that} {word} {'are' if part else 'is'} useless", f"{word} useless"
                )
                return [{"do": "suffer", "condition": key, "until": "?"}]
            case "own" if (several := _SEVERAL.match(means["says"])) and " and on " in several["on"]:
                each = [{**means, "says": several[1] + one} for one in re.split(",? and on ", several["on"])]
                made = [self._effects(one, sentence_text) for one in each]
                return [effect for one in made if one for effect in one] if all(made) else None
            case "own":
                says = self.words.as_written(means["says"])
                says = f"{says[:1].upper()}{says[1:]}"
                key = self.words.coin(slug(says.removeprefix("You ")) or "state", says, says.removeprefix("You ")[:80])
                effect = {"do": "suffer", "condition": key, "until": means.get("until", "?")}
                return [effect] if len(says) <= 80 else None
            case "scar":
                kind = f"{means['scar']} scar".strip()
                article = "an" if kind[0] in "aeiou" else "a"
                key = self.words.coin(slug(kind), f"You bear {article} {kind}", kind)
                return [{"do": "suffer", "condition": key, "until": "?permanent"}]
            case "any_of":
                options = [{"do": "penalty", "to": [each], "by": means["by"], "until": "?"} for each in means["to"]]
                return [{"do": "one_of", "effects": options}]
            case "begins":
                inner: list[Effect] = means["effects"]
                if any(effect["do"] not in ("suffer", "penalty", "bonus", "check") for effect in inner):
                    return None
                return [{**effect, "begins": means["begins"]} for effect in inner]
            case "after" | "where":
                key = means["do"]
                inner = means["effects"]
                allowed = ("suffer",) if key == "after" else ("suffer", "penalty", "bonus", "halve")
                return [{**each, key: means[key]} for each in inner] if all(e["do"] in allowed for e in inner) else None
        if "percent" in means:
            share = int(means.pop("percent"))
            means |= {"die": "d2", "upto": 1} if share == 50 else (
                {"die": "d10", "upto": share // 10} if share % 10 == 0 else {"die": "d100", "upto": share}
            )  # fmt: skip
        if means.get("do") == "one_of":
            faces, until = means.pop("faces", None), means.pop("until", "")
            if faces and int(faces) != len(means["effects"]):
                return None
            for effect in means["effects"] if until else ():
                effect["until"] = until
        for key in ("upto", "cards", "blood", "score", "draw", "times"):
            if key in means and str(means[key]).isdigit():
                means[key] = int(means[key])
        if "upto" in means and not 0 < means["upto"] <= int(str(means["die"]).rpartition("d")[2]):
            return None
        if means["do"] == "when" and "die" in means:
            return [{"do": "when", "holds": f"{means['die']} <= {means['upto']}", "then": means["effects"]}]
        if means.get("to") == ["damage"] and re.search(r"\d(?: points?)? damage$", sentence_text):
            return None  # `-2 damage` is dealt or taken, and nobody knows which
        if means["do"] == "lower" and means["number"] == "hp":
            self.words.numbers.setdefault("hp", "hp")
        if means["do"] in LASTING and "until" not in means:
            means["until"] = "?"
        if means["do"] == "whenever" and "penalty" in means:
            means["penalty"]["until"] = means["until"]
        if means["do"] == "suffer" and means["condition"] == "doomed":
            unless = f" unless {means.pop('unless')}" if "unless" in means else ""
            key = means["condition"] = slug(f"doomed{unless}")
            self.words.coin(key, f"You die when this ends{unless}", f"dies when this ends{unless}")
            self.words.coined_conditions[key]["ends"] = {"time": ["die"]}
        if means["do"] == "halve" and isinstance(means["statistic"], list):
            return [{**means, "statistic": each} for each in means["statistic"]]
        return [means]


def _tells_of_wound(colour: str) -> bool:
    """Return whether words before a clause tell of a wound; others may be a condition: `speak, and you die`."""
    parts = re.split(r",| and | but |;|:", colour)
    return all(map(forms().wound.search, parts)) and not _ORDER.match(colour)


def _filled(means: Any, values: dict[str, Any]) -> Any:
    """Return a meaning with the values of its slots; keys without a value are left out."""
    if isinstance(means, dict):
        filled = {key: _filled(value, values) for key, value in means.items()}
        return {key: value for key, value in filled.items() if value is not None and value is not _NONE}
    if isinstance(means, list):
        return [_filled(each, values) for each in means]
    if isinstance(means, str) and "$" in means:
        if re.fullmatch(r"\$\w+", means):
            value = values.get(means[1:], _NONE)
            return (
                [dict(each) for each in value]
                if isinstance(value, list) and value and isinstance(value[0], dict)
                else value
            )
        return re.sub(r"\$(\w+)", lambda match: str(values.get(match[1], "")), means)
    return means


_NONE = object()
