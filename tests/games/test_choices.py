"""Choices while odds are counted and printed, and what is said where nobody says how they fall."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest
from games.test_language import FILES, case, write_pack
from helpers import pack_head, page_texts, run, squeezed

from generator.base.errors import HackjackError
from generator.games import game_of
from generator.games.face import AnyGame, Asked
from generator.games.steps.engine import play_counted
from generator.pack.load import load_pack
from generator.play.chance import Chance, ChoiceNeed, RollNeed
from generator.play.every_way import every_way

PACK = next(path for path in FILES if path.stem == "choices")
EVENTS = ("dare", "steady", "climb", "search", "reach_in", "descend")
POLICIES = ("best", "worst", "even")


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> AnyGame:
    return game_of(load_pack(write_pack(PACK, tmp_path_factory.mktemp("packs"))).system)


def answer(game: AnyGame, event: str, state: dict[str, Any] | None = None, **how: Any) -> dict[str, Any]:
    return game.odds(game.read_state(state or {}), game.read_question(event.split(), {}), Asked(**how)).plain


# --- the slow witness ------------------------------------------------------------------------------------------------


Before = tuple[Any, ...]
"""The dice that fell before a choice."""


class _Decided:
    """Luck on the way to a choice, which falls as it was decided for that luck, or else on the first option."""

    def __init__(self, luck: Chance, decided: dict[Before, int]) -> None:
        self._luck, self._decided = luck, decided
        self.before: Before = ()
        self.chose: tuple[Before, int] | None = None

    def roll(self, need: RollNeed) -> tuple[int, ...]:
        faces = self._luck.roll(need)
        self.before += faces
        return faces

    def card(self, left: Sequence[str]) -> str:
        return self._luck.card(left)

    def choose(self, need: ChoiceNeed) -> int:
        self.chose = self.before, len(need.options)
        return self._decided.get(self.before, 0)

    def peek(self, left: Sequence[str]) -> str | None:
        return self._luck.peek(left)


def witness(game: AnyGame, event: str, state: dict[str, Any], policy: str) -> dict[str, Fraction]:
    """The chances of an event with one choice, its last step: every option of it is played after all that luck does."""
    start, asked = game.read_state(state), game.read_question([event], {})
    happening = game.system.head.events[event]
    assert happening.better is not None

    def ends(decided: dict[Before, int]) -> list[tuple[Fraction, _Decided, Any]]:
        def run(luck: Chance) -> tuple[_Decided, Any]:
            chance = _Decided(luck, decided)
            return chance, play_counted(game.system, start, asked, chance)

        return [(weight, *each) for weight, each in every_way(run)]

    decided: dict[Before, int] = {}
    for before, many in {chance.chose for _, chance, _ in ends({}) if chance.chose}:
        worths = [
            sum(
                weight * done.figure(happening.better)
                for weight, chance, done in there
                if chance.chose == (before, many)
            )
            for there in (ends({before: option}) for option in range(many))
        ]
        decided[before] = worths.index(max(worths) if policy == "best" else min(worths))
    every = ends(decided)
    return {
        name: Fraction(sum(weight * bool(done.figure(formula)) for weight, _, done in every))
        for name, formula in happening.odds.items()
    }


def test_each_choice_takes_what_is_worth_most_or_least(game: AnyGame) -> None:
    """Neither the counter nor the engine's own trials are used: each option is played after whatever luck there was."""
    seen = set()
    for hp, loot, lame in product((1, 5), (0, 3, 5), ((), ({"condition": "lame", "until": "permanent"},))):
        state = {"hp": hp, "loot": loot, "conditions": lame}
        for policy in ("best", "worst"):
            expected = witness(game, "dare", state, policy)
            found = answer(game, "dare", state, policy=policy)
            assert {name: Fraction(found[name]["fraction"]) for name in expected} == expected, (state, policy)
            seen.add(tuple(expected.values()))
    assert len(seen) > 3


# --- what is said ----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def silent(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pack without a word of what is better."""
    lines = {
        line: "\n"
        for text in case(PACK)["system"]["events"].values()
        for line in text.split("\n")
        if line.startswith("better with ")
    }
    return write_pack(PACK, tmp_path_factory.mktemp("silent"), *lines.items())


@pytest.mark.parametrize("event", EVENTS)
@pytest.mark.parametrize("how", [{}, {"plays": 10}])
def test_nobody_chooses_unasked(event: str, how: dict[str, Any], silent: Path, game: AnyGame) -> None:
    best = answer(game, event, **how)
    assert (best["policy"], best) == ("best", answer(game, event, **how, policy="best"))
    game = game_of(load_pack(silent).system)
    with pytest.raises(HackjackError, match=r"^somebody chooses .* here: say --policy best, worst or even$"):
        answer(game, event, **how)


def test_best_and_worst_need_a_formula(tmp_path: Path) -> None:
    game = game_of(load_pack(write_pack(PACK, tmp_path, ("better with again", ""))).system)
    says = "here, and nothing says which is worst: write better with FORMULA in the event, or say --policy even"
    ways: list[dict[str, Any]] = [{}, {"plays": 10}]
    for how in ways:
        with pytest.raises(HackjackError, match=f"^somebody chooses leave it or spend nerve {says}$"):
            answer(game, "climb", policy="worst", **how)


def test_an_answer_says_how_choices_fell(game: AnyGame) -> None:
    asked = game.read_question(["climb"], {})
    told = game.odds(game.read_state({}), asked, Asked(policy="best"))
    assert (told.plain["policy"], told.plain["better"]) == ("best", ["again"])
    assert told.lines[-1] == "Where a card lets you choose, the odds assume the choice that looks best at that moment."
    even = game.odds(game.read_state({}), asked, Asked(policy="even", hits=2))
    assert (even.plain["policy"], "better" in even.plain) == ("even", False)
    assert even.lines[-1] == "Where a card lets you choose, every choice is equally likely."


PANEL = "title: Screen\npanels: [{title: Falls, columns: 2, blocks: [\n%s]}]\n"
CHART = '{block: odds, asks: climb, counts: dead, across: {title: HP, name: hp, values: [1, 6]}, state: {hp: "{hp}"}%s}'
SENTENCE = '{block: chances, chances: [\n{says: "{dead} of them fall.", asks: climb, decimals: 1%s}]}'
CLAIM = "claims:\n- {about: odds, id: a, says: Yes., where: p, event: climb, decimals: 3, expect: {dead: FALL}%s}\n"
ASKED = {
    "chart": ("screen", PANEL % CHART, 3),
    "sentence": ("screen", PANEL % SENTENCE, 4),
    "claim": ("claims", CLAIM, 2),
}
FALLS = {
    "best": (9.6, "choices as is best"),
    "worst": (13.9, "choices as is worst"),
    "even": (12.2, "any choice as likely as another"),
}


@pytest.mark.parametrize("kind", ASKED)
@pytest.mark.parametrize("policy", POLICIES)
def test_what_a_pack_counts_names_a_policy(kind: str, policy: str, tmp_path: Path) -> None:
    folder, (file, text, _) = write_pack(PACK, tmp_path), ASKED[kind]
    share, note = FALLS[policy]
    written = (text % f", policy: {policy}").replace("FALL", f"{share / 100:.3f}")
    (folder / f"{file}.yaml").write_text(written, encoding="utf-8")
    ran = run("check", folder)
    assert (ran.code, ran.err) == (0, ""), ran.err
    if kind != "claim":
        assert run("print", "choices", "screen", "--pack", folder, "--output", tmp_path).code == 0
        [pdf] = tmp_path.glob("*screen*.pdf")
        paper = squeezed("".join(page_texts(pdf.read_bytes())))
        assert squeezed(note if kind == "chart" else f"{share} % of them fall.") in paper


@pytest.mark.parametrize("kind", ASKED)
def test_check_tells_at_its_line_where_no_policy_is_named(kind: str, silent: Path, tmp_path: Path) -> None:
    folder, (file, text, line) = Path(copytree(silent, tmp_path / "choices")), ASKED[kind]
    (folder / f"{file}.yaml").write_text((text % "").replace("FALL", "0.5"), encoding="utf-8")
    ran = run("check", folder)
    says = "somebody chooses leave it or spend nerve here: say policy: best, worst or even"
    assert (ran.code, says in ran.err, f"{file}.yaml:{line}:" in ran.err) == (1, True, True), ran.err


def test_two_packs_are_compared_by_a_policy(silent: Path, tmp_path: Path) -> None:
    folder = write_pack(PACK, tmp_path)
    (tmp_path / "b").mkdir()
    alone = ("compare", "choices", folder, "--pack", silent, "--asks", "climb")
    assert "say --policy best, worst or even" in run(*alone).err
    other = write_pack(PACK, tmp_path / "b", ("target: 6", "target: 4"))
    compare = ("compare", "choices", other, "--pack", folder, "--asks", "climb")
    told = run(*compare, "--policy", "best")
    assert told.code == 0, told.err
    assert {"9.6", "11.8"} <= {*told.out.split()}, told.out


LATER = (
    pack_head("later")
    + """\
procedure:
  kind: steps
  numbers:
    wounds: {name: Wounds, start: 0, least: 0}
    bennies: {name: Bennies, start: 1, least: 0}
events:
  hit: |
    "a blow"
    odds hurt: wounds > 0
    better with bennies - 4 * wounds
    let soaked = 0
    choose:
      "soak":
        bennies -= 1
        let soaked = 1
      "take it": nothing
    wounds += 1 - soaked
"""
)
EACH = """\
    choose:
      "soak":
        bennies -= 1
        land(soaked: 1)
      "take it": land(soaked: 0)
  land: |
    "the blow lands"
    for other events only
    takes soaked (0 to 1)
    wounds += 1 - soaked
"""


def test_check_warns_where_what_is_chosen_is_done_after_the_choice(tmp_path: Path) -> None:
    pack = tmp_path / "later"
    pack.mkdir()
    each = LATER[: LATER.index("    let soaked")] + EACH
    for text, warned, hurt in ((LATER, True, 1), (each, False, 0)):
        (pack / "system.yaml").write_text(text, encoding="utf-8")
        checked = run("check", pack)
        assert ("system.yaml:17:5: warning: options are compared after their own steps" in checked.err) is warned
        assert answer(game_of(load_pack(pack).system), "hit")["hurt"]["p"] == hurt
