"""The shipped content against the source: every card, ruling and recovery time, typed in a second time by hand."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from helpers import CONTENT, ROOT, docs_script, hackjack, kinds_of_language_packs, shipped

from generator.base.cards import FULL_DECK, JOKERS
from generator.check import content_checks as checks
from generator.check import kept_charts
from generator.language.names import Names
from generator.language.places import read_texts
from generator.layout.emblems import emblem_of
from generator.model import rules
from generator.model.procedures import Steps
from generator.pack import schema
from generator.pack import strict_yaml as source
from generator.pack.load import load_pack
from generator.pack.settings import with_settings

# code | score | Blood | Trauma | what it does, in the order of the source. "wisdom -d4 each" is a penalty, "?" a check.
CARDS = """
AC  |  1 |     |   | knocked_back (now)
2C  |  2 |     |   | ? d20 over score: dazed (check)
3C  |  3 |     |   | blinded (rest)
4C  |  4 |     | 1 | drop weapons; arms_useless (recovery)
5C  |  5 |     | 1 | prone (stand); legs_useless (recovery)
6C  |  6 | 1   |   |
7C  |  7 |     |   | draw 2, choose_one, no score, all pools
8C  |  8 | 2   |   |
9C  |  9 |     |   | whenever below_zero: blood 2 (permanent)
10C | 10 | 1d4 |   |
JC  | 10 |     |   | draw 2, all, no score, lowest pools
QC  | 10 |     |   | whenever first_card: score 2 (permanent)
KC  | 10 | 2   | 3 | all_rolls -3 (recovery)
AS  |  1 |     |   | prone (stand)
2S  |  2 | 1   |   | prone (stand)
3S  |  3 |     | 3 | roll d2 for arm; drop item; arm_useless (recovery); dexterity strength -2 (recovery)
4S  |  4 |     | 1 | wisdom intelligence -d4 each (recovery); intelligence wisdom -1 (recovery)
5S  |  5 |     | 3 | roll d2 for leg; prone (stand); slowed (recovery); dexterity -3 (recovery)
6S  |  6 |     | 3 | all_rolls -1 (recovery)
7S  |  7 |     | 2 | all_rolls -1 (recovery); max_hp -d2 (permanent)
8S  |  8 |     |   | blinded (permanent)
9S  |  9 | 2d6 | 4 | all_stats -4 (recovery)
10S | 10 |     | 4 | strength constitution -3 (recovery); strength -1 (permanent) after recovery
JS  | 10 | 3   | 2 | lose limb, d4, then d4 of it
QS  | 10 |     | 4 | draw 1, all, score, none pools; ? d20 over score: unconscious (woken) after survival
KS  | 10 | 6   | 5 | broken (recovery); helpless (recovery)
AD  |  1 |     |   | cool_scar (permanent)
2D  |  2 |     |   | blinded (cleared)
3D  |  3 | 1   |   | lose finger, d10
4D  |  4 |     |   | no_smell (good_rest)
5D  |  5 | 1   | 1 | mute (recovery); scar (permanent)
6D  |  6 |     |   | charisma -1 (permanent)
7D  |  7 |     |   | limp (permanent)
8D  |  8 |     |   | marked (1 week)
9D  |  9 |     | 1 | reroll rest (permanent); all_stats -1 (recovery)
10D | 10 | 1   | 1 | strength constitution -1 (recovery); impressive_scar (permanent) after survival
JD  | 10 | 1   | 1 | lose eye; to_hit -2 (recovery); to_hit_ranged -2 (permanent) after recovery
QD  | 10 |     |   | whenever near_cause: wisdom -1 (gm) (gm)
KD  | 10 |     | 4 | half charisma (recovery) unless masked
AH  |  1 |     |   | peek
2H  |  2 |     |   | mute (rest)
3H  |  3 |     |   | fasting (1d12 hours); constitution -3 (same)
4H  |  4 |     |   | ? d20 over score: staggering (1 round)
5H  |  5 |     |   | ? d20 over score: unconscious (woken)
6H  |  6 |     |   | repeat, or draw 1 and apply it 2 times
7H  |  7 |     | 1 | mental -1 (recovery)
8H  |  8 | 2   | 3 |
9H  |  9 |     | 2 | constitution -2 (recovery)
10H | 10 |     | 3 | whenever red_card: blood 1 (recovery); all_rolls -1 (recovery)
JH  | 10 | 1d6 | 1 | woozy (recovery); intelligence wisdom -1 (recovery)
QH  | 10 | 1   | 4 | half constitution (recovery)
KH  | 10 | 6   | 6 |
RJ  |  0 |     |   | spare
BJ  |  0 |     |   | spare
"""
ROWS = [tuple(cell.strip() for cell in line.split("|")) for line in CARDS.strip().splitlines()]
PERMANENT = {"9C", "QC", "7S", "8S", "10S", "JS", "AD", "3D", "5D", "6D", "7D", "9D", "10D", "JD"}


def told(effect: rules.AnyEffect) -> str:
    """An effect in the notation of the table above."""
    parts = hackjack().head.parts
    later = getattr(effect, "begins", "now")
    after = "" if later == "now" else f" after {later}"
    match effect:
        case rules.Suffer():
            return f"{effect.condition} ({effect.until}){after}"
        case rules.Penalty():
            each = " each" if effect.each else ""
            return f"{' '.join(effect.to)} -{effect.by.spoken}{each} ({effect.until}){after}"
        case rules.Halve():
            unless = f" unless {effect.unless}" if effect.unless else ""
            return f"half {effect.statistic} ({effect.until}){unless}"
        case rules.Locate():
            die = parts[effect.part].die
            return f"roll {die.spoken if die else 'no die'} for {effect.part}"
        case rules.Lose():
            part = parts[effect.part]
            which = f", {part.die.spoken}" if part.die else ""
            return f"lose {effect.part}{which}" + (f", then {part.extent.die.spoken} of it" if part.extent else "")
        case rules.Drop():
            return f"drop {effect.what}"
        case rules.Check():
            return f"? {effect.die.spoken} over {effect.over}: {'; '.join(map(told, effect.fails))}{after}"
        case rules.Draw():
            score = "score" if effect.score else "no score"
            return f"draw {effect.cards}, {effect.keep}, {score}, {effect.pools} pools"
        case rules.Repeat():
            return f"repeat, or draw {effect.draw} and apply it {effect.times} times"
        case rules.Whenever():
            follows = [f"{name} {getattr(effect, name)}" for name in ("blood", "score") if getattr(effect, name)]
            follows += [told(effect.penalty)] if effect.penalty else []
            return f"whenever {effect.event}: {', '.join(follows)} ({effect.until})"
        case rules.Peek():
            return "peek"
        case rules.Reroll():
            return f"reroll {effect.roll} ({effect.until})"
        case rules.Spare():
            return "spare"
    raise AssertionError(f"no notation for {effect}")


def test_the_table_has_every_card_once() -> None:
    assert tuple(row[0] for row in ROWS) == FULL_DECK + JOKERS
    assert set(hackjack().cards) == set(FULL_DECK + JOKERS)


@pytest.mark.parametrize(("code", "score", "blood", "trauma", "effects"), ROWS, ids=[row[0] for row in ROWS])
def test_card_is_the_source_s(code: str, score: str, blood: str, trauma: str, effects: str) -> None:
    card = hackjack().cards[code]
    assert hackjack().score_of(card) == int(score)
    assert str(card.blood or "") == blood
    assert card.trauma == (int(trauma) if trauma else None)
    assert "; ".join(map(told, card.effects)) == effects
    assert card.permanent == (code in PERMANENT)


def test_a_wound_with_trauma_lasts_until_recovery_and_any_other_says_its_own() -> None:
    """H23: and what is over at once, or stays for good, is so with Trauma too."""
    for card in hackjack().cards.values():
        for _, effect in rules.walk_effects(card.effects):
            until = getattr(effect, "until", None)
            if until is not None:
                assert until.word != "recovery" or card.trauma, f"{card.code}: {until}"


def test_which_die_means_which_place() -> None:
    parts = hackjack().head.parts
    assert parts["arm"].places == parts["leg"].places == ("left", "right")
    assert parts["limb"].places == ("left arm", "right arm", "left leg", "right leg")
    assert len(set(parts["finger"].places)) == 10
    extent = parts["limb"].extent
    assert extent is not None
    assert (extent.steps[0], extent.steps[-1], extent.reconstructed) == ("hand or foot", "all of it", (2, 3))
    assert parts["eye"].die is None


def test_groups_of_statistics() -> None:
    statistics = hackjack().head.statistics
    assert statistics["all_stats"].stands_for == (
        *("strength", "dexterity", "constitution", "intelligence", "wisdom", "charisma"),
    )
    assert statistics["mental"].stands_for == ("intelligence", "wisdom", "charisma")


def shipped_effects() -> list[rules.AnyEffect]:
    """Every effect of every system that ships, and of the guide's: on cards, in tables, conditions and events."""
    lists: list[tuple[rules.AnyEffect, ...]] = []
    for system in docs_script("make_reference").project_systems():
        lists += [event.do_ for event in system.head.events.values()]
        lists += [watch.do_ for watch in system.head.watches]
        lists += [card.effects for card in system.cards.values()]
        for condition in system.head.conditions.values():
            lists += [condition.implies, *condition.each.values(), *condition.ends.values()]
        for row in (row for table in system.tables for row in table.rows):
            lists += [row.effects, *(cell for cell in row.cells.values() if isinstance(cell, tuple))]
    return [effect for effects in lists for _, effect in rules.walk_effects(effects)]


def test_what_ships_or_a_pack_of_the_tests_uses_every_kind_of_effect() -> None:
    shipped = {effect.do for effect in shipped_effects()}
    assert {str(kind.__struct_config__.tag) for kind in rules.KINDS} == shipped | kinds_of_language_packs()


def test_what_ships_uses_every_word_of_duration_but_none_too_many() -> None:
    used = {until.word for effect in shipped_effects() if (until := getattr(effect, "until", None))}
    own = {name for system in docs_script("make_reference").project_systems() for name in system.head.events}
    assert set(rules.LASTING) | {"hour", "round", "week"} <= used <= set(rules.LASTING) | set(rules.UNITS) | own


def test_the_numbers_of_the_procedure() -> None:
    harm = hackjack().head.procedure
    assert isinstance(harm, Steps)
    assert {name: str(number) for name, number in harm.constants.items()} == {
        "limit": "21",
        "massive": "13",
        "instant": "21",
        "rest_hours": "8",
        "pass_out_trauma": "3",
        "pass_out_die": "1d20",
    }
    assert harm.scores == {"A": 1, "J": 10, "Q": 10, "K": 10}


def test_the_four_suits_have_their_characters() -> None:
    assert [(suit.id, suit.character) for suit in hackjack().head.suits] == [
        ("C", "battered"),
        ("S", "buried"),
        ("D", "pretty"),
        ("H", "inner"),
    ]


SWITCHES = {
    "H1": "massive_damage: over_13 / from_13",
    "H6": "first_draw: below_zero / at_zero",
    "H7": "twenty_one: after_the_hit / at_every_step",
    "H10": "hold_lasts: each_round / released",
    "H16": "jack_of_clubs: present_only / blank_is_zero",
    "H20": "six_of_hearts: in_pile / ever",
    "H24": "jokers: out / lucky_break",
    "H25": "poison: past_hp / hp_first",
    "H27": "critical_draw: off / on / every_hit / misses_too",
    "H28": "pass_out: off / hit_die_over_trauma / d20_over_score",
    "H30": "new_descent: from_zero / from_above",
    "H31": "short_wounds: with_a_night / when_told",
    "H33": "blood_flows: hits / any_damage",
    "H35": "wound_rolls: after_the_total / before_the_total",
}
"""Every switch with its options, the default first."""


@pytest.mark.parametrize("name", ["hackjack", "deadlands"])
def test_a_wound_is_known_by_its_picture(name: str) -> None:
    system = shipped(name)
    assert system.deck
    shown = Counter(emblem_of(card.emblem, card.effects, system) for card in system.deck.cards)
    assert "" not in shown and max(shown.values()) <= 2, shown.most_common(3)


def test_the_rulings_with_their_switches() -> None:
    rulings = hackjack().head.rulings
    assert [ruling.id for ruling in rulings] == [f"H{number}" for number in range(1, 45)]
    found = {}
    for ruling in rulings:
        if ruling.switch:
            found[ruling.id] = f"{ruling.switch.name}: {' / '.join(ruling.switch.options)}"
            assert ruling.switch.default == next(iter(ruling.switch.options))
    assert found == SWITCHES
    assert hackjack().house_rules == ()


def test_cards_name_the_rulings_that_speak_of_them() -> None:
    told = [f"{code} {' '.join(card.rulings)}" for code, card in hackjack().cards.items() if card.rulings]
    assert ", ".join(told) == (
        "2C H44, 5C H42, 7C H15, 9C H18, JC H16, QC H17 H41, AS H42, 2S H42, 3S H40, 4S H36, 5S H40 H42, JS H40, "
        "QS H19 H31, KS H43, 3D H40, 9D H39, QD H38, AH H22, 3H H37, 5H H31, 6H H20, 10H H21, RJ H24, BJ H24"
    )


def test_recovery_times_and_which_of_them_the_source_gives() -> None:
    table = hackjack().table("recovery")
    assert table is not None
    assert (table.by, str(table.covers)) == ("trauma", "1-6")
    assert [(str(row.at), str(row.lasts), row.reconstructed) for row in table.rows] == [
        ("1", "1d6 days", True),
        ("2", "1d6 weeks", True),
        ("3", "2d6 weeks", False),
        ("4", "3d6 weeks", True),
        ("5", "4d6 weeks", True),
        ("6", "5d6 weeks", True),
    ]


@pytest.mark.parametrize("name", ["glog", "hackjack"])
def test_a_refusal_is_right_at_the_prompt_and_on_the_page(name: str) -> None:
    """On the page there are fields and buttons: nobody types the option of a command there, or a command."""
    says = [refusal.says for event in shipped(name).head.events.values() for refusal in event.needs]
    assert len(says) > 5
    assert [text for text in says if re.search(r"--|\w=\w|\btype\b", re.sub(r"{[^}]*}", "", text), re.I)] == []


# --- house rules ---------------------------------------------------------------------------------------------------


def test_a_house_rule_is_in_force_and_is_named() -> None:
    system = with_settings(hackjack(), [("jokers", "lucky_break"), ("twenty_one", "after_the_hit")])
    assert system.setting("jokers") == "lucky_break"
    assert system.house_rules == (("jokers", "lucky_break"),)
    assert system.setting("no_such_switch") is None


# --- the files -----------------------------------------------------------------------------------------------------

PACKS = sorted(path.parent for path in (ROOT / "content").glob("*/system.yaml"))
FILES = [path for pack in PACKS for path in sorted(pack.glob("*.yaml"))]


@pytest.mark.parametrize("pack", PACKS, ids=lambda path: path.name)
def test_every_pack_that_ships_is_sound(pack: Path) -> None:
    assert {path.name for path in pack.iterdir()} <= {*rules.FILE_KINDS, kept_charts.SHIPPED}
    loaded = load_pack(pack)
    assert checks.problems(loaded.system, loaded.marks) == ()
    assert loaded.system.head.id == pack.name


def test_the_schemas_that_ship_are_those_of_the_code() -> None:
    folder = ROOT / "content" / "schemas"
    assert {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()} == schema.all_schemas(), (
        "run: python -m generator.pack.schema content/schemas"
    )


@pytest.mark.parametrize("name", sorted(path.name for path in (ROOT / "content" / "schemas").iterdir()))
def test_the_schemas_are_schemas(name: str) -> None:
    known = json.loads(schema.all_schemas()[name])
    jsonschema.Draft202012Validator.check_schema(known)
    file = name.removeprefix("extending-").removesuffix(".schema.json")
    assert known["title"].startswith(f"Hackjack content: {file}.yaml")


@pytest.mark.parametrize("path", [
    pytest.param(path, id=f"{path.parent.name}-{path.stem}", marks=[pytest.mark.slow] * (path.stat().st_size > 40_000))
    for path in FILES
])  # fmt: skip
def test_a_file_names_its_schema_and_keeps_to_it(path: Path) -> None:
    first = path.read_text(encoding="utf-8").partition("\n")[0]
    modeline = re.fullmatch(r"# yaml-language-server: \$schema=(\S+)", first)
    assert modeline, first
    named = path.parent / modeline[1]
    assert named.name == f"{path.stem}.schema.json"
    value, _ = source.read_file(path, path.name)
    jsonschema.Draft202012Validator(json.loads(named.read_text(encoding="utf-8"))).validate(value)


SPOILT = [
    ("deck", ("cards", 0, "code"), 7),
    ("deck", ("cards", 3, "effects", 0), 7),
    ("deck", ("cards", 3, "trauma"), 0),
    ("deck", ("cards", 7, "blood"), "2d"),
    ("deck", ("cards", 0, "colour"), "red"),
    ("tables", ("tables", 0, "rows", 0, "lasts"), "1d6 Fortnights"),
    ("system", ("procedure", "limit"), "21"),
    ("system", ("rulings", 0, "id"), "h1"),
]


@pytest.mark.parametrize(("name", "trail", "junk"), SPOILT, ids=[f"{name}-{trail[-1]}" for name, trail, _ in SPOILT])
def test_editors_see_what_the_program_sees(name: str, trail: tuple[str | int, ...], junk: Any) -> None:
    """A fault of form is refused by the schema as by the reader, at the same place."""
    value, marks = source.read_file(CONTENT / f"{name}.yaml", name)
    inner = value
    for step in trail[:-1]:
        inner = inner[step]
    inner[trail[-1]] = junk
    known = json.loads(schema.all_schemas()[f"{name}.schema.json"])
    assert not jsonschema.Draft202012Validator(known).is_valid(value)
    assert not read_texts(f"{name}.yaml", value, marks, {}, Names())
    found = list(schema.faults(value, rules.FILE_KINDS[f"{name}.yaml"]))
    assert [fault.trail for fault in found] == [trail]
