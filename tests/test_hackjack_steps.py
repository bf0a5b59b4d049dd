"""Hackjack as a pack of steps plays as the kind `harm` does: event for event, with every switch, state for state.

`hackjack_steps.yaml` holds the procedure; deck, tables, conditions and rulings are those of `content/hackjack`.
"""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest
import yaml
from helpers import ROOT, run

from generator.base.errors import HackjackError
from generator.games import game_of, plain_entry
from generator.games.hackjack import odds as witness
from generator.games.hackjack.engine import _last, deck_of
from generator.games.steps import counter
from generator.games.steps.events import StepsEvent
from generator.model.formulas import Formula
from generator.model.rules import System
from generator.pack import content
from generator.play.chance import ChoiceNeed, RollNeed
from generator.play.every_way import TooMuchWorkError, work_budget

HARM = ROOT / "content" / "hackjack"
KEYS = (
    *("hp", "score", "tokens", "blood", "trauma", "pile", "wounds", "permanent", "holding", "dead", "drawn"),
    *("recovery", "low", "last", "max_hp"),
)
"""What a state is in JSON."""
EVENTS = (
    *("hit", "heal", "draw", "poison", "drain", "bleed", "hold", "release", "stand", "clear", "wake", "act", "check"),
    *("round", "hour", "day", "week", "rest", "recover", "lift", "face"),
)
LOGGED = ("poison", "drain", "bleed", "hold", "release")
"""Events whose log is the same to the letter."""
TELLING = ("JC", "7C", "QS", "6H", "10H", "9C", "QC", "RJ", "QD", "2C")
"""Cards that draw, repeat, wait or ask for a later roll: they lie on top as often as not."""


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("packs") / "hackjack_steps"
    folder.mkdir()
    for name in ("deck.yaml", "tables.yaml"):
        shutil.copy(HARM / name, folder)
    head = yaml.safe_load((HARM / "system.yaml").read_text(encoding="utf-8"))
    own = yaml.safe_load((ROOT / "tests" / "hackjack_steps.yaml").read_text(encoding="utf-8"))
    head |= own | {"id": "hackjack_steps", "conditions": head["conditions"] | own["conditions"]}
    text = yaml.safe_dump(head, sort_keys=False, allow_unicode=True, width=1000)
    (folder / "system.yaml").write_text(text, encoding="utf-8")
    return folder


class Table:
    """The same luck for both: cards in an order, dice by their number, now and then left to be rolled later."""

    def __init__(self, order: Sequence[str], seed: int, *, waits: bool) -> None:
        self.order, self.seed, self.waits = order, seed, waits
        self.asked: list[object] = []

    def card(self, left: Sequence[str]) -> str:
        self.asked.append(card := self.peek(left))
        return card

    def peek(self, left: Sequence[str]) -> str:
        there = set(left)
        return next(card for card in self.order if card in there)

    def roll(self, need: RollNeed) -> tuple[int, ...]:
        if need.can_wait and self.waits:
            return ()
        self.asked.append(need.dice)
        return tuple(1 + (self.seed + len(self.asked) + 3 * at) % need.dice.faces for at in range(need.dice.count))

    def choose(self, need: ChoiceNeed) -> int:
        self.asked.append(len(need.options))
        return (self.seed + len(self.asked)) % len(need.options)


def plain_state(game: Any, state: Any) -> dict[str, Any]:
    """What JSON says of a state, as both must; lists of wounds in an order of their own, and the last wound by name."""
    plain = json.loads(json.dumps(game.plain_state(state)))
    if plain["dead"]:
        return {"dead": True}
    plain = {"low": False, "max_hp": None} | plain
    if game.system.kind == "harm":
        plain["last"] = _last(state, game.system)
    else:
        plain["last"] = next((each.card for each in state.piles.get("last", ())), None)
    # The kind harm leaves `until` out of what is lost for good, and of nothing else.
    bodies = {key: [{"until": "permanent"} | each for each in plain[key]] for key in ("wounds", "permanent")}
    wounds = {key: sorted((sorted(each.items()) for each in body), key=str) for key, body in bodies.items()}
    return {key: plain[key] for key in KEYS} | wounds


def any_event(luck: Random, wounds: Sequence[Any]) -> list[str]:
    """An event as it is typed; `wounds` are those of whom it befalls."""
    name = luck.choices(
        EVENTS,
        [7, 4, *[1] * (len(EVENTS) - 3), 2],
    )[0]
    borne = [each.card for each in wounds]
    later = [each.card for each in wounds if str(each.until) == "check"]
    word: Mapping[str, list[str]] = {
        "hit": [luck.choice(["1", "4", "9", "13", "14", "22", "35"]), *luck.choice([[], [], [], ["critical"]])],
        "draw": luck.choice([[], ["miss"]]),
        "rest": luck.choice([[], ["comfort"]]),
        "act": luck.choice([[], ["d8"], ["d12"]]),
        "lift": [luck.choice(["trauma", "5C", *borne])],
        "check": [luck.choice(later or ["2C"])],
        "heal": [luck.choice(["1", "3", "8", "25"])],
    }
    usual = (
        [luck.choice(["1", "2", "5"])]
        if name in ("poison", "drain", "bleed", "round", "hour", "day", "week", "face")
        else []
    )
    return [name, *word.get(name, usual)]


def compare_shown(harm: Any, steps: Any, one: Any, other: Any, where: str) -> None:
    """A state is the same in one line, and every wound is told in full and stands on the sheet."""
    shown = steps.plain_state(other)
    assert steps.state_line(shown).partition(", at most")[0] == harm.state_line(harm.plain_state(one)), where
    assert len(steps.details(shown)) >= len(one.wounds) + len(one.permanent), where
    assert steps.sheet(shown)["score"] == one.score


def compare_stories(pack: Path, stories: int, seed: int) -> Counter[str]:
    """Play stories on both, each with its house rules; gives how often each event happened, and was refused."""
    luck, systems = Random(seed), dict[Any, tuple[System, System]]()
    rulings = [ruling.switch for ruling in content.load(HARM).system.head.rulings if ruling.switch]
    house_rules = [
        tuple((each.name, luck.choice([each.default, *each.options])) for each in rulings)
        for _ in range(1 + stories // 20)
    ]
    counts: Counter[str] = Counter()
    for story in range(stories):
        rules = luck.choice(house_rules)
        if rules not in systems:
            systems[rules] = content.load(HARM, rules).system, content.load(pack, rules).system
        harm, steps = (game_of(system) for system in systems[rules])
        order = list(deck_of(harm.system))
        luck.shuffle(order)
        on_top = [card for card in TELLING if card in order and luck.random() < 0.4]
        order = [*on_top, *(card for card in order if card not in on_top)]
        most, hp = luck.choice([None, 8, 12]), luck.choice([0, 3, 8])
        # Late in a deck it is shuffled again, beside others who hold cards.
        drawn = tuple(order[5:]) if luck.random() < 0.2 else ()
        beside = [card for card in drawn if luck.random() < 0.5]
        tables = [Table(order, story, waits=story % 3 == 0) for _ in range(2)]
        one: Any = harm.read_state({"hp": hp, "drawn": drawn} | ({"max_hp": most} if most else {}))
        other: Any = steps.read_state({"hp": hp, "drawn": drawn, "max_hp": most})
        told: list[str] = []
        for _ in range(14):
            words = any_event(luck, (*one.wounds, *one.permanent))
            told.append(" ".join(words))
            after: list[Any] = []
            logs: list[Any] = []
            for game, state, table in ((harm, one, tables[0]), (steps, other, tables[1])):
                before = len(table.asked)
                try:
                    made, log = game.step_beside(state, game.read_event(words, {}), table, beside)
                    after.append(made)
                    told_log = [plain_entry(entry, game.system) for entry in log]
                    logs.append([(each["kind"], each["text"], each.get("why")) for each in told_log])
                except HackjackError as error:
                    after.append(error)
                    del table.asked[before:]
            where = f"{story}: {told} {rules}"
            refused = [isinstance(each, HackjackError) for each in after]
            assert refused[0] == refused[1], f"{where}: {after}"
            assert tables[0].asked == tables[1].asked, where
            counts[f"{words[0]}{' refused' if refused[0] else ''}"] += 1
            if refused[0]:
                continue
            one, other = after
            if not one.dead:
                compare_shown(harm, steps, one, other, where)
            if words[0] in LOGGED:
                assert logs[0] == logs[1], where
            known = plain_state(harm, one)
            assert plain_state(steps, other) == known, where
            assert steps.read_state(json.loads(json.dumps(steps.plain_state(other)))) == other
            written = {key: value for key, value in harm.plain_state(one).items() if key != "last"}
            again = plain_state(steps, steps.read_state(json.loads(json.dumps(written))))
            assert again | {"last": known.get("last")} == known | {"last": known.get("last")}, where
            if one.dead:
                counts["dead"] += 1
                break
    return counts


def test_the_pack_is_sound(pack: Path) -> None:
    ran = run("check", pack)
    assert ran.code == 0 and not [line for line in ran.err.splitlines() if "warning" not in line], ran.err


def test_it_plays_as_the_kind_harm_does(pack: Path) -> None:
    counts = compare_stories(pack, 60, 1)
    assert counts["hit"] > 100 and counts["dead"] > 10 and counts["recover refused"] > 5


@pytest.mark.slow
def test_it_plays_as_the_kind_harm_does_in_thousands_of_stories(pack: Path) -> None:
    counts = compare_stories(pack, 1_000, 2)
    events = {name.removesuffix(" refused") for name in counts} - {"dead"}
    assert len(events) == 21, "every event happened"
    assert min(counts[name] for name in ("check", "recover", "lift", "check refused", "act refused")) > 0


# --- odds ------------------------------------------------------------------------------------------------------------


SURVIVES = {"die": Formula("dead"), "reset": Formula("resets > 0")}
EVENTS_COUNTED = (*["hit"] * 8, "draw", "poison", "drain")


def any_situation(luck: Random, harm: Any) -> tuple[dict[str, Any], list[str]]:
    """A character late or early in a deck, with a pile, wounds that wait and Blood, and what befalls them."""
    deck = list(harm.deck())
    luck.shuffle(deck)
    drawn, score = deck[: luck.choice([0, 0, 3, 8, 15])], 0
    pile: list[dict[str, Any]] = []
    for code in drawn[: luck.randrange(4)]:
        worth = harm.system.score_of(harm.system.cards[code])
        if score + worth < 20:
            pile, score = [*pile, {"card": code, "score": worth}], score + worth
    waiting = [code for code in ("9C", "QC", "10H") for _ in range(luck.choice([0, 0, 1, 2]))]
    until = {"10H": "recovery"}
    wounds = [{"card": code, "effect": "whenever", "until": until.get(code, "permanent")} for code in waiting]
    plain = {
        "hp": luck.choice([0, 0, 0, 1, 3, 8]),
        "score": score + luck.choice([0, luck.randrange(20 - score)]),
        "blood": luck.choice([0, 0, 2, 5]),
        "trauma": luck.randrange(4),
        "holding": luck.random() < 0.3,
        "pile": pile,
        "drawn": drawn,
        "wounds": [wound for wound in wounds if wound["until"] != "permanent"],
        "permanent": [wound for wound in wounds if wound["until"] == "permanent"],
    }
    name = luck.choice(EVENTS_COUNTED)
    amount = [] if name == "draw" else [str(luck.choice([1, 3, 7, 13, 14, 20, 25]))]
    return plain, [name, *amount, *(["critical"] if name == "hit" and luck.random() < 0.25 else [])]


def compare_odds(pack: Path, situations: int, seed: int) -> int:
    """Count the same on both in so many situations under random house rules; gives how many were counted."""
    luck, compared = Random(seed), 0
    rulings = [ruling.switch for ruling in content.load(HARM).system.head.rulings if ruling.switch]
    for at in range(situations):
        if at % 10 == 0:
            rules = tuple(
                (each.name, luck.choice([*each.options]) if luck.random() < 0.3 else each.default) for each in rulings
            )
            harm, steps = (game_of(content.load(folder, rules).system) for folder in (HARM, pack))
        plain, words = any_situation(luck, harm)
        policy: Any = luck.choice(["best", "worst", "even"])
        before: Any = harm.read_state(plain)
        last = _last(before, harm.system)
        state: Any = steps.read_state(plain | {"last": last})
        try:
            known = witness.outcome(harm.system, before, harm.read_event(words, {}), policy)
        except HackjackError:
            # It leaves a deck that runs out uncounted.
            continue
        event: Any = steps.read_event(words, {})
        asks = [("told", item) for item in SURVIVES.items()]
        try:
            with work_budget():
                found = counter._count(steps.system, state, event, asks, policy)
        except TooMuchWorkError:
            # It would be played out.
            continue
        shares = {name: found["told", name].get(1, 0) for name in SURVIVES}
        assert shares == {"die": known.die, "reset": known.reset}, (at, words, policy, plain, rules)
        compared += 1
    return compared


def test_odds_are_those_of_the_kind_harm(pack: Path) -> None:
    assert compare_odds(pack, 2, 11) >= 1


@pytest.mark.slow
def test_odds_are_those_of_the_kind_harm_in_many_situations(pack: Path) -> None:
    assert compare_odds(pack, 15, 4) > 10


def test_a_fresh_deck_kills_as_often_as_ever(pack: Path) -> None:
    system = content.load(pack).system
    fresh: Any = game_of(system).read_state({})
    found = counter._count(system, fresh, StepsEvent("draw"), [("told", ("die", Formula("dead")))], "best")
    assert found["told", "die"][1] == Fraction(657, 1082900)
