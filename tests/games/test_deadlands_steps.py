"""Deadlands twice: the kind `traits`, and the same rules as a pack of steps, which play and count alike.

What throw, as_long and choose can say is measured here against an engine that was written by hand. Not in the pack are
the Ace of Hearts, whose injury draws from its own deck again, healers with chips of their own, and tokens.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import yaml
from games.test_language import HEAD
from helpers import ROOT, run

from generator.base.cards import ALL_CODES, rank_of, suit_of
from generator.base.errors import HackjackError
from generator.games import game_of
from generator.games.face import AnyGame, Asked
from generator.games.steps import odds_answers
from generator.language.reader import read_steps
from generator.language.writer import write_steps
from generator.pack.load import load_pack
from generator.pack.pack_locations import find
from generator.play.chance import ChoiceNeed, RollNeed

SUITS = {"C": ("clubs", "black"), "D": ("diamonds", "red"), "H": ("hearts", "red"), "S": ("spades", "black")}
RANKS = {"J": 11, "Q": 12, "K": 13, "A": 14}
TARGETS = {"J": 10, "Q": 10, "K": 10, "A": 11}
LEFT_OUT = "AH"
LADDER = ["d4", "d6", "d8", "d10", "d12"]
TRAITS = ["agility", "smarts", "spirit", "strength", "vigor", "fighting", "shooting", "climb", "notice"]
CARE = ("tended", "healed", "late", "rested")
"""What is known of how wounds were treated."""
MINE = ("penalty", "suffer", "halve")
"""The effects of an injury that the pack takes over; parts that are lost change no number."""


# --- the pack --------------------------------------------------------------------------------------------------------


def injury_of(code: str, *, for_good: bool) -> str:
    return f"x{code.lower()}{'_good' if for_good else ''}"


def written_pack() -> dict[str, Any]:
    """The pack's files: its procedure, with the injuries, statistics and conditions of Deadlands itself."""
    source = {
        name: yaml.safe_load((ROOT / "content/deadlands" / f"{name}.yaml").read_text()) for name in ("system", "deck")
    }
    system = yaml.safe_load((ROOT / "tests/deadlands_steps.yaml").read_text())["system"]
    conditions = system["conditions"] | source["system"]["conditions"]
    injuries = []
    for card in source["deck"]["cards"]:
        for for_good in (False, True):
            effects = _plain(card.get("for_good" if for_good else "effects", []))
            brings = write_steps(
                [{**effect, "until": "same"} for effect in effects if effect["do"] in MINE], inline=True
            )
            name = injury_of(card["code"], for_good=for_good)
            more = {"implies": brings} if brings != ["nothing"] else {}
            kept = {"name": card["name"], "says": "You bear it", "group": "injury", "again": "apart"}
            conditions[name] = kept | more
        spared = any(effect["do"] == "spare" for effect in _plain(card.get("effects", [])))
        if card["code"] != LEFT_OUT:
            injuries.append({"code": card["code"], "name": card["name"], "effects": [] if spared else _suffered(card)})
    system["conditions"], system["statistics"] = conditions, source["system"]["statistics"]
    for statistic in system["statistics"].values():
        statistic.pop("brief", None)
    lines = {"rank": "Rank", "suit": "Suit", "colour": "Colour", "target": "Target number"}
    fates = [{"code": code, "name": f"Card {code}", "lines": _lines(code)} for code in ALL_CODES]
    actions = [{"code": code, "name": f"Card {code}", "lines": {"joker": int(not suit_of(code))}} for code in ALL_CODES]
    decks = [
        {"id": "injuries", "title": "Injury deck", "returns": True, "cards": injuries},
        {"id": "fate", "title": "Fate", "returns": True, "lines": lines, "cards": fates},
        {"id": "action", "title": "Action cards", "lines": {"joker": "Joker"}, "cards": actions},
    ]
    return {"system": {"id": "dl", "title": "Deadlands in steps"} | HEAD | system, "decks": {"decks": decks}}


def _plain(effects: str | list[Any]) -> list[dict[str, Any]]:
    """The effects of a card as plain values, in whichever form they are written."""
    if isinstance(effects, str):
        return read_steps(effects)[0]
    return [step for each in effects for step in (read_steps(each)[0] if isinstance(each, str) else [each])]


def _suffered(card: dict[str, Any]) -> str:
    """What an injury card does: for good, or for days, or until it is said to be over."""
    name, for_good = (injury_of(card["code"], for_good=each) for each in (False, True))
    return f"""\
if for_good > 0: suffer {for_good} for good
else:
  how_long(die)
  if days_left > 0: suffer {name} for days_left days
  else: suffer {name} until recovery
"""


def _lines(code: str) -> dict[str, Any]:
    if not suit_of(code):
        return {"rank": 0, "suit": "joker", "colour": "red", "target": 99 if code == "RJ" else 0}
    rank, (suit, colour) = rank_of(code), SUITS[suit_of(code)]
    number = int(rank) if rank.isdigit() else 0
    return {"rank": RANKS.get(rank, number), "suit": suit, "colour": colour, "target": TARGETS.get(rank, number)}


@cache
def engines() -> tuple[AnyGame, AnyGame]:
    """The game of Deadlands, and that of the pack."""
    with TemporaryDirectory() as home:
        folder = Path(home) / "dl"
        folder.mkdir()
        for name, part in written_pack().items():
            (folder / f"{name}.yaml").write_text(json.dumps(part), encoding="utf-8")
        ran = run("check", folder)
        assert ran.code == 0, ran.err
        return game_of(load_pack(find("deadlands")).system), game_of(load_pack(folder).system)


# --- the same luck for both ------------------------------------------------------------------------------------------


class SameLuck:
    """Luck by what is asked for: what one engine does not ask leaves the rest as it is."""

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._streams: dict[str, Random] = {}

    def _of(self, what: str) -> Random:
        return self._streams.setdefault(what, Random(f"{self._seed} {what}"))

    def roll(self, need: RollNeed) -> tuple[int, ...]:
        stream = self._of(need.reason.removesuffix(" aces"))
        return tuple(stream.randint(1, need.dice.faces) for _ in range(need.dice.count))

    def card(self, left: Sequence[str]) -> str:
        there = {name.rpartition(":")[2]: name for name in left}
        codes = [code for code in ALL_CODES if code != LEFT_OUT]
        return next(there[code] for code in self._of("cards").sample(codes, len(codes)) if code in there)

    def choose(self, need: ChoiceNeed) -> int:
        return self._of("choices").randrange(len(need.options))

    def peek(self, left: Sequence[str]) -> str | None:
        del left
        return None


# --- the same characters and events for both -------------------------------------------------------------------------


def character(luck: Random, *, chips: bool = True) -> tuple[Any, Any]:
    """A character as either engine reads it."""
    kind = luck.choice(["wild_card"] * 5 + ["face_card", "extra"])
    levels = 1 if kind == "extra" else luck.choice([3, 3, 3, 4, 6])
    traits = {trait: luck.choice(LADDER) for trait in TRAITS}
    alike = {
        "kind": kind,
        "levels": levels,
        "wounds": luck.randint(0, levels),
        "xp": luck.choice([0, 12, 25, 45, 75, 120]),
        "chips": luck.choice([None, 0, 1, 2, 3] if chips else [None, 0]) if kind == "wild_card" else None,
        "standing": luck.choice(["up"] * 6 + ["incapacitated", "bleeding", "unconscious"]),
    }
    flags = {flag: luck.random() < 0.25 for flag in ("shaken", *CARE)}
    hurt = [code for code in engines()[0].system.cards if code not in ("RJ", "BJ", LEFT_OUT)]
    injuries = [
        (code, luck.random() < 0.4, luck.randint(1, 10)) for code in luck.sample(hurt, luck.choice([0, 0, 1, 2, 3]))
    ]
    action = luck.choice([None, None, "RJ", "5H"])
    one = alike | flags | {"traits": traits, "action": action}
    one["injuries"] = [
        {"card": code, "permanent": good, "days": None if good else days} for code, good, days in injuries
    ]
    other = alike | {trait: int(die[1:]) for trait, die in traits.items()} | {"joker_held": int(action == "RJ")}
    other["drawn"] = [f"action:{action}"] if action else []
    other["conditions"] = [{"condition": flag} for flag, there in flags.items() if there] + [
        {"condition": injury_of(code, for_good=good), "until": "permanent" if good else f"{days} days"}
        for code, good, days in injuries
    ]
    return engines()[0].read_state(one), engines()[1].read_state(other)


Typed = tuple[tuple[str, ...], dict[str, str]]


def event(luck: Random, name: str) -> tuple[Typed, Typed]:
    """An event as either engine reads it: they differ in what is said in order, and what by name."""
    at = {
        key: value
        for key, value, often in (
            ("mod", str(luck.randint(-4, 4)), 0.4),
            ("wild", luck.choice(["none", "d8", "d4"]), 0.15),
            ("joker", luck.choice(["yes", "no"]), 0.15),
        )
        if luck.random() < often
    }
    tn = {"tn": str(luck.randint(2, 14))} if luck.random() < 0.5 else {}
    die, many, yes = luck.choice([*TRAITS, *LADDER]), str(luck.randint(1, 4)), luck.random() < 0.35

    def same(*words: str, **more: str) -> tuple[Typed, Typed]:
        return ((name, *words), at | more), ((name, *words), at | more)

    match name:
        case "trait" | "guts" | "fear" | "compound":
            return same(die, **tn)
        case "knowledge":
            return same(die, **tn, steps=str(luck.randint(1, 3)))
        case "contested":
            return same(die, luck.choice(["d4", "d8", "d12", "vigor"]))
        case "recover":
            return same(die, **({"reflexes": "yes"} if yes else {}))
        case "heal":
            return same(die, **tn, **({"power": "yes"} if yes else {}))
        case "incapacitation":
            return same(luck.choice(["vigor", "d8"]), **({"hard": "yes"} if yes else {}))
        case "fate":
            return same(die)
        case "day":
            at.pop("joker", None)
            return same()
        case "soak":
            free = {"free": "yes"} if yes else {}
            if luck.random() < 0.5:
                return same(die, **free)
            return ((name, die, many), at | free), ((name, die), at | free | {"about": many})
        case "luck":
            low = luck.randint(2, 14)
            high, suit = luck.randint(low, 14), luck.choice([None, "hearts", "spades", "red", "black"])
            letters = {number: rank for rank, number in RANKS.items()}
            ranks = [letters.get(each, str(each)) for each in (low, high)]
            suited = {"suit": suit} if suit else {}
            return ((name, "-".join(ranks), *suited.values()), {}), ((name, str(low)), {"high": str(high)} | suited)
        case "injury":
            lasting = luck.choice(["temporary", "permanent"])
            die_typed = ("vigor",) if lasting == "temporary" else ()
            return ((name, lasting, *die_typed), {}), ((name,), {"lasting": lasting})
    at = {}
    return same(many) if name == "wound" else same()


EVENTS = (
    *("trait", "wound", "soak", "incapacitation", "heal", "day") * 2,
    *("contested", "knowledge", "guts", "fear", "recover", "fate", "hour", "round", "survive", "wake", "action"),
    *("injury", "luck"),
)
"""What happens, and how often."""


def traits_left(state: Any) -> dict[str, Any]:
    """What the engine of Deadlands leaves of somebody."""
    return {
        "injuries": sorted((each.card.lower(), each.permanent, each.days) for each in state.injuries),
        "joker": int(state.action in ("RJ", "BJ")),
        "fresh": state.fresh.taken if state.fresh and state.standing != "dead" else 0,
        **{name: getattr(state, name) for name in ("wounds", "chips", "standing")},
        **{name: getattr(state, name) and state.standing != "dead" for name in ("shaken", *CARE)},
        "last": state.last.result if state.last and state.last.event not in ("luck", "soak") else None,
    }


def steps_left(state: Any) -> dict[str, Any]:
    """The same of the pack's."""
    values, held = state.values, {each.condition for each in state.conditions}
    return {
        "injuries": sorted(
            (each.condition[1:].removesuffix("_good"), each.until == "permanent", each.left or None)
            for each in state.conditions
            if each.condition.startswith("x")
        ),
        "joker": values["joker_held"],
        "fresh": values["fresh_taken"] * (values["standing"] != "dead"),
        **{name: values[name] for name in ("wounds", "chips", "standing")},
        **{name: name in held and values["standing"] != "dead" for name in ("shaken", *CARE)},
        "last": values["last_result"],
    }


def played(game: AnyGame, state: Any, typed: Typed, seed: str) -> Any:
    """The state after an event, or None where it cannot be."""
    try:
        return game.step(state, game.read_event(*typed), SameLuck(seed))[0]
    except HackjackError:
        return None


@pytest.mark.parametrize("start", range(0, 150, 50))
def test_both_play_alike(start: int) -> None:
    for seed in range(start, start + 50):
        luck = Random(seed)
        states = [*character(luck)]
        for turn in range(4):
            typed = event(luck, name := luck.choice(EVENTS))
            after = [
                played(game, state, words, f"{seed} {turn}")
                for game, state, words in zip(engines(), states, typed, strict=True)
            ]
            if None in after:
                assert after == [None, None], (seed, typed)
                continue
            one, other = traits_left(after[0]), steps_left(after[1])
            if one["last"] is None or name in ("luck", "soak"):
                one["last"] = other["last"]
            assert one == other, (seed, typed)
            states = after
            if one["standing"] == "dead":
                break


def counted(game: AnyGame, state: Any, typed: Typed) -> Any:
    """An answer in whole numbers, or None where there is none."""
    try:
        return game.odds(state, game.read_question(*typed), Asked(policy="best")).plain
    except HackjackError:
        return None


ALIKE = (
    *("trait", "contested", "knowledge", "guts", "fear", "recover", "luck", "soak", "heal", "day"),
    *("incapacitation", "compound", "fate"),
)
"""What is counted: so many answers of each are compared."""
CASES = (
    *((name, 6 if name in ("compound", "fate") else 20, False) for name in ALIKE),
    *((name, 10, True) for name in ("trait", "soak", "recover")),
)


@pytest.mark.parametrize(("name", "many", "chips"), CASES)
def test_both_count_alike(name: str, many: int, chips: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """With chips, a player who would reach the most spends one after every failure. A long roll is counted too."""
    monkeypatch.setattr(odds_answers, "MAX_WORK", 5_000_000)
    alike = seed = 0
    while alike < many:
        seed += 1
        luck = Random(f"{name} {seed}")
        states = character(luck, chips=chips)
        # Soaking is counted for those who lie there, too, whom nothing can wound.
        if (chips and not states[0].chips) or (name == "soak" and states[0].standing not in ("up", "incapacitated")):
            continue
        words = event(luck, name)
        expected, answer = (counted(*each) for each in zip(engines(), states, words, strict=True))
        if expected is None or answer is None:
            assert expected == answer, (seed, words)
            continue
        if name in ("soak", "heal", "day"):
            soaks, wounds = name == "soak", states[0].wounds
            numbers = answer["numbers"].get("soaked" if soaks else "wounds", {})
            if not numbers or "days" in expected:
                continue
            expected = expected["soaked" if soaks else "healed"]
            answer = {str(int(at) if soaks else wounds - int(at)): share for at, share in numbers.items()}
            assert {*answer} == {*expected}, (seed, words)
        shared = {*answer} & {*expected}
        assert shared, (seed, words)
        assert {at: answer[at] for at in shared} == {at: expected[at] for at in shared}, (seed, words)
        alike += 1
