"""`hackjack resolve` and `hackjack table`: what comes out, what can be chained, and what is refused in one line."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from helpers import ROOT, Ran, any_text, copy_pack, run
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from generator.base.cards import FULL_DECK

STATE_KEYS = {
    "hp": 0,
    "score": 0,
    "tokens": 0,
    "blood": 0,
    "trauma": 0,
    "pile": [],
    "wounds": [],
    "permanent": [],
    "holding": False,
    "dead": False,
    "drawn": [],
    "recovery": None,
}


@pytest.fixture(autouse=True)
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def resolve(words: str, state: Any = None, **settings: str) -> Ran:
    """Resolve an event on a state that lies in a file."""
    options = [f"--set={name}={value}" for name, value in settings.items()]
    if state is not None:
        Path("state.json").write_text(state if isinstance(state, str) else json.dumps(state), encoding="utf-8")
        options.append("--state=state.json")
    return run("resolve", "hackjack", *words.split(), *options)


def resolved(words: str, state: Any = None, **settings: str) -> Any:
    done = resolve(f"{words} --json", state, **settings)
    assert (done.code, done.err) == (0, "")
    return json.loads(done.out)


# --- what comes out --------------------------------------------------------------------------------------------------


def changed(number: str, by: int, left: int) -> dict[str, object]:
    return {"number": number, "by": by, "left": left}


def test_the_json_of_a_hit() -> None:
    card = {"card": "KC"}
    assert resolved("hit 9 --cards KC", {"hp": 3, "blood": 1}) == {
        "state": {
            **STATE_KEYS,
            "score": 11,
            "tokens": 1,
            "blood": 2,
            "trauma": 3,
            "pile": [{"card": "KC", "score": 10}],
            "wounds": [{"card": "KC", "effect": "penalty", "until": "recovery", "to": ["all_rolls"], "by": [3]}],
            "drawn": ["KC"],
        },
        "log": [
            {"kind": "struck", "text": "A hit for 9.", "amount": 9, "hp_left": 0},
            {"kind": "hit", "text": "HP would be −6: a card is drawn.", "why": "H5", "below": 6},  # noqa: RUF001
            {"kind": "flow", "text": "1 Blood flows: the death-score is 1.", "why": "H7"} | changed("score", 1, 1),
            {"kind": "draw", "text": "Drawn: KC, Beaten to ruin.", "name": "Beaten to ruin", "deck": "deck", "face": ""}
            | card,
            {
                "kind": "gain",
                "text": "The death-score rises by 10: it is 11 now.",
                "points": 10,
                "extra": 0,
                "score": 11,
            }
            | card
            | changed("score", 10, 11),
            {"kind": "strike", "text": "2 Blood into the pool: it holds 2."} | card | changed("blood", 2, 2),
            {"kind": "hurt", "text": "Trauma is 3 now.", "why": "H11", "number": "trauma", "to": 3} | card,
            {
                "kind": "wound",
                "text": "  −3 to all rolls until you recover.",  # noqa: RUF001
                "why": "H23",
                "effect": "penalty",
                "until": "recovery",
                "to": ["all_rolls"],
                "by": [3],
                "place": "",
                "card": "KC",
                "of": "",
                "same": False,
                "chances": [],
            },
        ],
    }


def test_every_key_of_the_state_has_its_default() -> None:
    shape = resolved("release")
    assert shape["state"] == STATE_KEYS
    assert list(shape) == ["state", "log"]
    assert resolved("release", {})["state"] == STATE_KEYS
    assert resolved("release", STATE_KEYS)["state"] == STATE_KEYS


def test_what_a_state_leaves_out_follows_from_the_rest() -> None:
    assert resolved("hold", {"score": 7})["state"]["tokens"] == 7
    pile = [{"card": "4C", "score": 4}, {"card": "2S", "score": 1}]
    shape = resolved("hold", {"pile": pile})["state"]
    assert (shape["score"], shape["tokens"], shape["drawn"]) == (5, 0, ["4C", "2S"])
    shape = resolved("hold", {"pile": pile, "score": 9, "drawn": ["KH", "2S", "4C"]})["state"]
    assert (shape["score"], shape["tokens"], shape["drawn"]) == (9, 4, ["KH", "2S", "4C"])
    shape = resolved("hold", {"pile": pile, "tokens": 3})["state"]
    assert (shape["score"], shape["tokens"]) == (8, 3)
    shape = resolved("hold", {"pile": [{"card": "4C"}]})["state"]
    assert (shape["score"], shape["pile"]) == (0, [{"card": "4C", "score": 0}]), "a card whose score is not told"


def test_the_lines_for_people() -> None:
    done = resolve("hit 4 --cards 4C", {"score": 3})
    assert done.out.splitlines() == [
        "A hit for 4.",
        "Drawn: 4C, Dead arms.",
        "The death-score rises by 4: it is 7 now.",
        "Trauma is 1 now.",
        "  You drop the weapons you hold.",
        "  Your arms are useless until you recover.",
        "death-score 7 (3 as tokens), Blood 0, Trauma 1",
    ]


def test_why_names_the_rulings() -> None:
    lines = resolve("hit 14 --cards 4C --why", {"score": 3, "blood": 2, "hp": 0}).out.splitlines()
    for before, ruling in (
        ("Damage of 14 is massive: it stands for the card's score.", "    H2: "),
        ("2 Blood flows: the death-score is 5.", "    H7: "),
        ("Trauma is 1 now.", "    H11: "),
        ("  Your arms are useless until you recover.", "    H23: "),
    ):
        assert lines[lines.index(before) + 1].startswith(ruling)
    plain = resolve("hit 14 --cards 4C", {"score": 3, "blood": 2, "hp": 0}).out.splitlines()
    assert [line for line in lines if not line.startswith("    ")] == plain


def test_the_house_rules_count() -> None:
    assert resolved("hit 13 --cards AS")["state"]["score"] == 1
    assert resolved("hit 13 --cards AS", massive_damage="from_13")["state"]["score"] == 13
    assert resolved("draw --cards RJ", jokers="lucky_break")["state"]["score"] == 0


def test_another_pack(desk: Path) -> None:
    pack = copy_pack(desk)
    path = pack / "system.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("limit: 21\n", "limit: 9\n"), encoding="utf-8")
    assert resolved("hit 1 --cards KC --pack pack")["state"]["dead"] is True


@pytest.mark.parametrize("cards", ["qs,ac", " QS , AC ", "QS,,AC,"])
def test_cards_may_be_typed_anyhow(cards: str) -> None:
    done = run("resolve", "hackjack", "hit", "3", "--cards", cards, "--dice", "20", "--json")
    assert json.loads(done.out)["state"]["drawn"] == ["QS", "AC"]


# --- states that are handed on ---------------------------------------------------------------------------------------


def test_what_comes_out_goes_in_again() -> None:
    told = resolved("hit 9 --cards 10H", {"hp": 4, "permanent": ["9C"]})
    assert resolve("hit 2 --cards AD --json", told).out == resolve("hit 2 --cards AD --json", told["state"]).out
    told = resolved("hit 2 --cards AD", told)
    assert (told["state"]["score"], told["state"]["blood"]) == (13, 1)
    for words in ("hold", "hit 1 --cards 4C", "release", "heal 40", "rest comfort", "recover --dice 2,3", "hit 99"):
        told = resolved(words, told)
    assert told["state"]["dead"] is True
    assert told["state"]["drawn"] == ["9C", "10H", "AD", "4C"]
    done = resolve("heal 3", told)
    assert (done.code, done.out, done.err) == (1, "", "the character is dead: nothing more happens to them\n")


def test_a_state_from_standard_input() -> None:
    """As a pipe does it, in a process of its own."""

    def piped(words: str, state: str) -> str:
        command = [sys.executable, "-m", "generator", "resolve", "hackjack", *words.split(), "--state", "-", "--json"]
        path = {**os.environ, "PYTHONPATH": str(ROOT)}
        done = subprocess.run(command, input=state, capture_output=True, encoding="utf-8", env=path, check=True)
        assert done.stderr == ""
        return done.stdout

    after = json.loads(piped("hit 4 --cards 9H", resolve("hit 4 --cards KC --json", {"hp": 2}).out))
    assert after["state"] == resolved("hit 4 --cards 9H", resolved("hit 4 --cards KC", {"hp": 2}))["state"]
    assert (after["state"]["score"], after["state"]["trauma"]) == (0, 3), "10 and 2 of Blood and 9 are 21"


def test_a_seed_draws_rolls_and_chooses_the_same_each_time() -> None:
    first = [resolve(f"hit 9 --seed {seed} --json").out for seed in range(12)]
    assert first == [resolve(f"hit 9 --seed {seed} --json").out for seed in range(12)]
    assert len({json.loads(out)["state"]["drawn"][0] for out in first}) > 8
    assert resolve("hit 9 --seed -3 --json").code == 0


def test_a_seed_leaves_the_choice_to_the_player() -> None:
    drawn = [code for code in FULL_DECK if code not in ("7C", "AC", "AD")]
    for choice, code in (("1", 0), ("2", 1)):
        for seed in range(12):
            shape = resolved(f"hit 9 --seed {seed} --choose {choice}", {"drawn": drawn})
            if shape["state"]["drawn"][len(drawn)] == "7C":
                (chosen,) = [entry["text"] for entry in shape["log"] if entry["kind"] == "chosen"]
                names = {"AC": "Winded", "AD": "One for the tavern"}
                assert chosen == f"Chosen: {names[shape['state']['drawn'][len(drawn) + 1 + code]]}."
                break
        else:
            pytest.fail("no seed drew the Seven of clubs")


# --- what is missing -------------------------------------------------------------------------------------------------

MISSING = {
    "hit 3": "needs a card",
    "draw": "needs a card",
    "hit 3 --cards JC,AC": "needs a card",
    "hit 3 --cards 10C": "needs d4 (Blood of 10C)",
    "hit 3 --cards 9S": "needs 2d6 (Blood of 9S)",
    "hit 3 --cards 9S --dice 3": "needs 2d6 (Blood of 9S), and only 1 of 2 dice are given",
    "hit 3 --cards 3S": "needs d2 (Snapped arm: which arm)",
    "hit 3 --cards 4S --dice 3": (
        "needs d4 (Cracked skull: how much Intelligence), after 3 (Cracked skull: how much Wisdom)"
    ),
    "hit 3 --cards 7C,KS,AD": (
        "Drawn: 7C, See it coming. The death-score rises by 7: it is 7 now. Drawn: KS, Left for dead. "
        "Drawn: AD, One for the tavern. needs a choice: 1 Left for dead 2 One for the tavern"
    ),
    "hit 3 --cards 5H": "needs d20 (White pain: over 5)",
}


@pytest.mark.parametrize("json_too", [False, True])
@pytest.mark.parametrize("words", MISSING)
def test_what_is_missing_is_named(words: str, json_too: bool) -> None:
    done = resolve(f"{words} --json" if json_too else words)
    assert (done.code, done.out, done.err) == (1, "", f"{MISSING[words]}\n")


def test_recovery_names_its_dice() -> None:
    done = resolve("recover", {"trauma": 3, "hp": 1})
    assert (done.code, done.out, done.err) == (1, "", "needs 2d6 (recovering, weeks)\n")


# --- what is refused -------------------------------------------------------------------------------------------------

BAD_WORDS = {
    # the words: the exit status, and how the one line begins
    "hit": (2, "hit needs a number: write hit N [critical]: "),
    "hit -5": (2, "hit -5: write a number from 1 to 10,000"),
    "hit 0": (2, "hit 0: write a number from 1 to 10,000"),
    "hit 10001": (2, "hit 10,001: write a number from 1 to 10,000"),
    "hit 99999999999999999999": (2, "hit 99,999,999,999,999,999,999: write a number from 1 to 10,000"),
    "hit 1e3": (2, 'hit takes a whole number, not "1e3"'),
    "hit 3.5": (2, 'hit takes a whole number, not "3.5"'),
    "hit --5": (2, 'hit takes a whole number, not "--5"'),
    "hit ---": (2, 'hit takes a whole number, not "---"'),
    "hit ٣": (2, 'hit takes a whole number, not "٣"'),
    "hit ²": (2, 'hit takes a whole number, not "²"'),
    "hit five": (2, 'hit takes a whole number, not "five"'),
    "hit 3 4": (2, '"4" is one value too many for hit: write hit N [critical]'),
    "hit 3 crit": (2, '"crit" is one value too many for hit: write hit N [critical]'),
    "draw 3": (2, '"3" is one value too many for draw: write draw'),
    "heal": (2, "heal needs a number"),
    "rest well": (2, '"well" is one value too many for rest: write rest [comfort]'),
    "poison -1": (2, "poison -1: "),
    "drain lots": (2, 'drain takes a whole number, not "lots"'),
    "smite 5": (2, 'there is no event "smite"'),
    "hti 5": (2, 'there is no event "hti": did you mean "hit"?'),
    "act d8d8": (2, 'act needs a die such as d8, not "d8d8"'),
    "hit 3 --cards 1OH": (2, '"1OH" is not a card: did you mean "10H"?'),
    "hit 3 --cards XX": (2, '"XX" is not a card'),
    "hit 3 --cards RJ": (1, "RJ is not in the deck"),
    "hit 3 --cards AC,AD": (2, "nothing needs the last card given (AD): leave it out"),
    "hit 3 --cards JC,AC,AC": (1, "AC is not in the deck: it has been drawn already"),
    "hit 3 --cards AC --dice 3": (2, "nothing needs the last die given (3): leave it out"),
    "hit 3 --cards 10C --dice 5": (2, "a d4 (Blood of 10C) cannot show 5: give a number from 1 to 4"),
    "hit 3 --cards 10C --dice 0": (2, "a d4 (Blood of 10C) cannot show 0: give a number from 1 to 4"),
    "hit 3 --cards 10C --dice 3,3": (2, "nothing needs the last die given (3): leave it out"),
    "hit 3 --cards 10C --dice -1": (2, "a d4 (Blood of 10C) cannot show -1: give a number from 1 to 4"),
    "hit 3 --cards 10C --dice x": (2, '--dice takes a whole number, not "x"'),
    "hit 3 --cards 10C --dice 9999999": (2, "a d4 (Blood of 10C) cannot show 9999999: give a number from 1 to 4"),
    "hit 3 --cards 7C,KS,AD --choose 3": (2, "there is no choice 3: choose 1 to 2"),
    "hit 3 --cards 7C,KS,AD --choose 0": (2, "there is no choice 0: choose 1 to 2"),
    "hit 3 --cards AC --choose 1": (2, "nothing needs the last choice given (1): leave it out"),
    "hit 3 --cards 7C,KS,AD --choose KS": (2, '--choose takes a whole number, not "KS"'),
    "hit 3 --seed x": (2, "Invalid value for '--seed': 'x' is not a valid integer."),
    "hit 3 --seed 3 --cards AC": (2, "--seed draws and rolls by itself"),
    "hit 3 --seed 3 --dice 4": (2, "--seed draws and rolls by itself"),
    "hit 3 --set massive_damage=from_12": (2, 'massive_damage cannot be "from_12"'),
    "hit 3 --state nowhere.json": (1, "nowhere.json: cannot be read: No such file or directory"),
    "hit 3 --state .": (1, ".: cannot be read: Is a directory"),
    "recover": (1, "there is no Trauma to recover from"),
    "--nosuch": (2, 'there is no event "--nosuch"'),
    "": (2, "Missing argument 'EVENT [ARG]...'"),
}


@pytest.mark.parametrize("words", BAD_WORDS)
def test_bad_words_end_in_one_line(words: str) -> None:
    code, says = BAD_WORDS[words]
    for more in ("", " --json"):
        done = resolve(words + more)
        assert (done.code, done.out, len(done.faults)) == (code, "", 1), done.err
        assert done.err.startswith(says)


def test_no_line_break_gets_into_an_error() -> None:
    for arguments in (("hit\n5",), ("hit", "5\n6"), ("hit", "5", "--cards", "A\nC"), ("hit", "5", "\x1b[31m")):
        done = run("resolve", "hackjack", *arguments)
        assert (done.code, done.out, len(done.faults)) == (2, "", 1), done.err
        assert done.err[:-1].isprintable()


BAD_STATES: dict[str, tuple[Any, str]] = {
    "negative hp": ({"hp": -3}, "the state's hp is -3: it must be from 0 to "),
    "negative score": ({"score": -1}, "the state's score is -1: "),
    "negative tokens": ({"tokens": -1}, "invalid state: its score comes to -1, and must be 0 or more"),
    "negative Blood": ({"blood": -1}, "the state's blood is -1: "),
    "negative Trauma": ({"trauma": -1}, "the state's trauma is -1: "),
    "absurd hp": ({"hp": 10**30}, "the state"),
    "absurd Blood": ({"blood": 10**9}, "the state's blood is 1,000,000,000: it must be from 0 to "),
    "no number": ({"hp": "5"}, "the state cannot be read: Expected `int`, got `str` - at `$.hp`"),
    "half a number": ({"hp": 5.5}, "the state cannot be read: Expected `int`, got `float` - at `$.hp`"),
    "truth for a number": ({"hp": True}, "the state cannot be read: Expected `int`, got `bool` - at `$.hp`"),
    "nothing for a number": ({"hp": None}, "the state cannot be read: Expected `int`, got `null` - at `$.hp`"),
    "a number for truth": ({"dead": 1}, "the state cannot be read: Expected `bool`, got `int` - at `$.dead`"),
    "an unknown key": ({"hitpoints": 4}, 'the state has an unknown key "hitpoints"'),
    "a key almost right": ({"truama": 4}, 'the state has an unknown key "truama": did you mean "trauma"?'),
    "a key over two lines": ({"a\nb": 4}, 'the state has an unknown key "a'),
    "a list": ([1], "the state is not a JSON object: write {} for a fresh character"),
    "nothing": ("null", "the state is not a JSON object"),
    "no JSON": ("{hp: 3}", "state.json: this is not JSON: "),
    "half JSON": ('{"hp": 3', "state.json: this is not JSON: "),
    "an empty file": (" ", "state.json: this is not JSON: "),
    "two documents": ("{} {}", "state.json: this is not JSON: "),
    "not a number": ('{"hp": NaN}', "state.json: this is not JSON: "),
    "a key twice": ('{"hp": 3, "hp": 4}', 'The state has the key "hp" twice. Remove one.'),
    "a key twice within": ('{"pile": [{"card": "AC", "card": "AD"}]}', 'The state has the key "card" twice'),
    "a number of 5,000 digits": ('{"hp": 1' + "0" * 5_000 + "}", "state.json: this is not JSON: "),
    "too deep": ("[" * 100_000, "state.json: this is not JSON: "),
    "too long": ('{"hp": 1}' + " " * 1_000_001, "state.json: this state is too large; the limit is 1,000,000 bytes."),
    "an unknown card": (
        {"pile": [{"card": "11C", "score": 1}]},
        'the state\'s pile holds the card "11C", and no deck has it: did you mean "',
    ),
    "an unknown card over two lines": ({"drawn": ["A\nC"]}, 'the state has drawn the card "A'),
    "an unknown card drawn": (
        {"drawn": ["1C"]},
        'the state has drawn the card "1C", and no deck has it: did you mean "10C"?',
    ),
    "a code that is none": (
        {"drawn": ["XX"]},
        'the state has drawn the card "XX", and no deck has it: write AC, 10H, QS, RJ',
    ),
    "an unknown card's wound": ({"wounds": ["1C"]}, 'the state\'s wounds names the card "1C", and no deck has it'),
    "an unknown card's permanent wound": (
        {"permanent": ["1C"]},
        'the state\'s permanent names the card "1C", and no deck has it',
    ),
    "an unknown last card": ({"last": "1C"}, 'the state\'s last holds the card "1C", and no deck has it'),
    "a pile of codes": ({"pile": ["AC"]}, "the state cannot be read: Expected `object`, got `str` - at `$.pile[0]`"),
    "a pile without cards": ({"pile": [{"score": 1}]}, "the state cannot be read: Object missing required field"),
    "a wound with a stray key": (
        {"wounds": [{"card": "AC", "x": 1}]},
        'the state\'s wounds[0] has an unknown key "x"; known: ',
    ),
    "a card twice in the pile": (
        {"pile": [{"card": "AC", "score": 1}, {"card": "AC", "score": 1}]},
        'the state has drawn the card "AC" more often than its deck has it',
    ),
    "a card drawn twice": (
        {"drawn": ["AC", "AC"]},
        'the state has drawn the card "AC" more often than its deck has it',
    ),
    "a card in pile and deck": (
        {"pile": [{"card": "AC", "score": 1}], "drawn": ["AD"]},
        "invalid state: AC is in a pile and in the deck too; add it to drawn",
    ),
    "a card that counts less than nothing": (
        {"pile": [{"card": "AC", "score": -1}]},
        "invalid state: its score comes to -1, and must be 0 or more",
    ),
    "a score below the pile": (
        {"pile": [{"card": "KC", "score": 10}], "score": 9},
        "invalid state: its pile counts more than its score, 9",
    ),
    "tokens that do not add up": (
        {"pile": [{"card": "KC", "score": 10}], "score": 12, "tokens": 3},
        "invalid state: its tokens is 3, and the rest makes it 2",
    ),
    "alive at 21": ({"score": 21}, "invalid state: nobody lives with a death-score of 21 (limit 21)"),
    "alive past 21 by tokens": ({"tokens": 30}, "invalid state: nobody lives with a death-score of 30"),
    "a recovery of nonsense": ({"trauma": 7, "recovery": "abc"}, 'the state\'s recovery is "abc": write a span'),
    "a recovery without an end": ({"trauma": 7, "recovery": "rest"}, 'the state\'s recovery is "rest"'),
    "a recovery of strange dice": ({"recovery": "d0 weeks"}, "the state cannot be read: recovering: "),
    "a wound that lasts nonsense": (
        {"wounds": [{"card": "AC", "effect": "prone", "until": "tea"}]},
        'the state\'s prone lasts until "tea": write check, ',
    ),
    "the dead": ({"dead": True}, "the character is dead: nothing more happens to them"),
    "the dead of before": ({"dead": True, "score": 34}, "the character is dead: nothing more happens to them"),
    "the dead far past 21": ({"dead": True, "score": 10_020}, "the character is dead: nothing more happens to them"),
}


@pytest.mark.parametrize("name", BAD_STATES)
def test_a_bad_state_ends_in_one_line(name: str) -> None:
    state, says = BAD_STATES[name]
    for words in ("hit 3 --cards 2S", "heal 3", "recover"):
        done = resolve(words, state)
        assert (done.code, done.out, len(done.faults)) == (1, "", 1), done.err
        assert done.err.startswith(says)


def test_a_card_that_lies_on_the_table_already() -> None:
    for state in ({"drawn": ["AC"]}, {"pile": [{"card": "AC", "score": 1}]}):
        done = resolve("hit 3 --cards AC", state)
        assert (done.code, done.out) == (1, "")
        assert done.err == "AC is not in the deck: it has been drawn already\n"


@pytest.mark.parametrize(
    ("raw", "says"),
    [
        (b'{"last": "\xff"}', "not UTF-8 text: save it as UTF-8"),
        (b"\xff\xfe{}", "not UTF-8 text: save it as UTF-8"),
        (b"\x00", "not JSON: "),
        (b"", "not JSON: "),
        (b'{"hp": 1}\x00', "not JSON: "),
    ],
)
def test_bytes_that_are_no_text(raw: bytes, says: str, desk: Path) -> None:
    (desk / "state.json").write_bytes(raw)
    done = run("resolve", "hackjack", "hold", "--state", "state.json")
    assert (done.code, done.out, len(done.faults)) == (1, "", 1)
    assert done.err.startswith(f"state.json: this is {says}")


def test_standard_input_that_is_no_json(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"hp 3")))
    done = run("resolve", "hackjack", "hold", "--state", "-")
    assert (done.code, done.out, len(done.faults)) == (1, "", 1)
    assert done.err.startswith("-: this is not JSON: ")


WORDS = st.one_of(
    any_text(max_size=6).map(lambda text: text.replace("\0", "")),
    st.sampled_from(["hit", "heal", "act", "5", "-5", "--5", "d8", "--cards", "AC", "--dice", "--seed", "--json", "-"]),
)


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(WORDS, max_size=5))
def test_any_words_end_well(words: list[str]) -> None:
    if "--help" in words or "-h" in words or "--state" in " ".join(words):
        words = ["hold"]
    done = run("resolve", "hackjack", *words)
    assert done.code in (0, 1, 2)
    assert bool(done.out) == (done.code == 0)
    assert len(done.err.split("\n")) == (1 if done.code == 0 else 2), done.err


# --- table -----------------------------------------------------------------------------------------------------------


def test_a_table_is_shown() -> None:
    done = run("table", "hackjack", "recovery")
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines() == [
        "trauma 1  d6 days",
        "trauma 2  d6 weeks",
        "trauma 3  2d6 weeks",
        "trauma 4  3d6 weeks",
        "trauma 5  4d6 weeks",
        "trauma 6  5d6 weeks",
    ]


def test_the_json_of_a_table() -> None:
    shape = json.loads(run("table", "hackjack", "recovery", "--json").out)
    assert (shape["table"], shape["title"], len(shape["rows"])) == ("recovery", "Recovery time", 6)
    assert [row["lasts"] for row in shape["rows"]] == [
        "1d6 days",
        "1d6 weeks",
        "2d6 weeks",
        "3d6 weeks",
        "4d6 weeks",
        "5d6 weeks",
    ]
    assert [row["at"] for row in shape["rows"] if not row["reconstructed"]] == ["3"]


def test_a_row_is_looked_up() -> None:
    done = run("table", "hackjack", "recovery", "--at", "trauma=3")
    assert (done.code, done.out, done.err) == (0, "trauma 3  2d6 weeks\n", "")
    done = run("table", "hackjack", "recovery", "--at", "trauma=4", "--json")
    assert json.loads(done.out) == {
        "table": "recovery",
        "at": "4",
        "lasts": "3d6 weeks",
        "text": "3d6 weeks",
        "reconstructed": True,
    }


def test_a_row_is_rolled() -> None:
    arguments = ("table", "hackjack", "recovery", "--at", "trauma=3", "--roll", "--json", "--seed")
    found = set()
    for seed in range(40):
        done = run(*arguments, str(seed))
        assert done.out == run(*arguments, str(seed)).out
        shape = json.loads(done.out)
        assert (shape["unit"], shape["rolled"]) == ("week", f"{shape['amount']} weeks")
        found.add(shape["amount"])
    assert found <= set(range(2, 13))
    assert len(found) > 6
    assert ": " in run("table", "hackjack", "recovery", "--at", "trauma=1", "--roll", "--seed", "1").out


BAD_TABLES = {
    "recoveries": (2, 'hackjack has no table "recoveries": did you mean "recovery"?'),
    "x": (2, 'hackjack has no table "x"; known: recovery'),
    "recovery --at trauma=7": (1, "the table recovery has no row for 7: it covers 1-6"),
    "recovery --at trauma=0": (1, "the table recovery has no row for 0: it covers 1-6"),
    "recovery --at trauma=-3": (1, "the table recovery has no row for -3: it covers 1-6"),
    "recovery --at trauma=--3": (2, '--at trauma takes a whole number, not "--3"'),
    "recovery --at trauma=²": (2, '--at trauma takes a whole number, not "²"'),
    "recovery --at trauma=": (2, '--at "trauma=": write NAME=VALUE, such as type=fire'),
    "recovery --at trauma": (2, '--at "trauma": write NAME=VALUE, such as type=fire'),
    "recovery --at trauma=3.0": (2, '--at trauma takes a whole number, not "3.0"'),
    "recovery --at trauma=99999999999": (1, "the table recovery has no row for 99999999999"),
    "recovery --at blood=3": (2, "the table recovery is looked up by one number: --at trauma=N"),
    "recovery --at trauma=3 --at trauma=4": (2, "--at trauma is given twice"),
    "recovery --roll": (2, "--roll needs a row: --at trauma=N"),
    "recovery --at trauma=3 --roll": (1, "needs 2d6: roll them, or give --seed N"),
    "recovery --at trauma=3 --roll --seed x": (2, "Invalid value for '--seed'"),
    "": (2, "Missing argument 'TABLE'"),
}


@pytest.mark.parametrize("words", BAD_TABLES)
def test_a_bad_look_up_ends_in_one_line(words: str) -> None:
    code, says = BAD_TABLES[words]
    done = run("table", "hackjack", *words.split())
    assert (done.code, done.out, len(done.faults)) == (code, "", 1)
    assert done.err.startswith(says)


def test_a_state_is_read_as_it_is_printed_inline_from_a_file_and_from_a_pipe(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HACKJACK_HOME", str(tmp_path / "home"))
    for words in ("add bryn hp 3", "hit bryn 5 --cards QS"):
        assert run("play", "hackjack", "--campaign", "c", *words.split()).code in (0, 2)
    shown = run("play", "hackjack", "--campaign", "c", "show", "bryn", "--json").out
    resolved = run("resolve", "hackjack", "hit", "3", "--json", "--seed", "1").out
    for printed in (shown, resolved):
        bare = json.dumps(json.loads(printed)["state"])
        Path("state.json").write_text(printed, encoding="utf-8")
        answers = [
            run("resolve", "hackjack", "heal", "1", "--state", state, "--json")
            for state in (printed, bare, "state.json")
        ]
        assert answers[0].code == 0 and len({answer.out for answer in answers}) == 1, answers
    broken = run("resolve", "hackjack", "heal", "1", "--state", '{"hp": }')
    assert broken.code == 1 and broken.err.startswith("--state: this is not JSON: ")
