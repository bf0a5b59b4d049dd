"""The guide for authors: what it shows is true, and its example is a system without a line of Python."""

from __future__ import annotations

import json
import re
from pathlib import Path

import jsonschema
import pytest
from helpers import ROOT, docs_script, run

from generator.games import game_of
from generator.model import rules
from generator.pack import strict_yaml as source
from generator.pack.load import load_pack
from generator.pack.pack_locations import find

FIRST_PACK = (ROOT / "docs" / "first_pack.md").read_text(encoding="utf-8")
CLAIMS = (ROOT / "docs" / "claims.md").read_text(encoding="utf-8")
EVENTS = (ROOT / "docs" / "events.md").read_text(encoding="utf-8")
SYSTEMS = (ROOT / "docs" / "common_systems.md").read_text(encoding="utf-8")
BEASTS = ROOT / "docs" / "examples" / "beasts"


pytestmark = pytest.mark.usefixtures("home")


@pytest.fixture
def grim(tmp_path: Path) -> Path:
    """The pack that the guide writes, block by block."""
    blocks = re.findall(r"^```yaml\n# (grim/\w+\.yaml)\n(.*?)^```", FIRST_PACK + CLAIMS, re.M | re.S)
    assert [name for name, _ in blocks] == [
        "grim/system.yaml", "grim/deck.yaml", "grim/tables.yaml", "grim/claims.yaml",
    ]  # fmt: skip
    (tmp_path / "grim").mkdir()
    for name, text in blocks:
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path / "grim"


SHAPES = {
    "rubble": ("scars", "hit 8", "--dice 4,2,3,3", "Under the rubble, 31-46: Ringing", "66 The beam 2.7778%"),
    "bolts": ("hits", "hit 3", "--at part=head --dice 6,2", "Bleeding until you are bandaged.", "6-11 66.6667%"),
    "splinters": ("splinters", "splinter", "--at side=iron --cards 1", "Grit 2", "Grit 2 66.6667%"),
    "embers": ("conditions", "hit 6", "--seed 1", "Fate: the program rolls, and keeps it hidden.", "Down 100.0000%"),
    "ledges": ("conditions", "shock", "--dice 70,4,3,3", "Stunned for 4 rounds.", "death 11.0000%"),
    "furnaces": ("conditions", "haul", "--at push=yes --dice 1,2,3,4,6,6,6", "Strength 3", "success 72.7928%"),
}


@pytest.mark.parametrize("name", SHAPES)
def test_each_shape_of_the_guide_is_checked_printed_played_and_counted(name: str, tmp_path: Path) -> None:
    product, event, luck, told, chance = SHAPES[name]
    files = re.findall(rf"^```yaml\n# {name}/(\w+\.yaml)\n(.*?)^```", SYSTEMS, re.M | re.S)
    pack = tmp_path / name
    pack.mkdir()
    for file, text in files:
        (pack / file).write_text(text, encoding="utf-8")
    checked = run("check", pack)
    assert (checked.out, checked.err) == (f"{name}: sound\n", "")
    assert run("print", name, product, "--pack", pack, "-o", tmp_path).code == 0
    played = run("resolve", name, *event.split(), *luck.split(), "--pack", pack)
    assert told in played.out, played
    asked = re.findall(r"--at \S+", luck)
    counted = run("odds", name, *event.split(), *" ".join(asked).split(), "--pack", pack)
    assert chance in " ".join(counted.out.split()), counted


def test_a_death_save_stays_under_the_cup_until_somebody_looks(tmp_path: Path) -> None:
    (text,) = re.findall(r"^```yaml\n# embers/system.yaml\n(.*?)^```", SYSTEMS, re.M | re.S)
    pack = tmp_path / "embers"
    pack.mkdir()
    (pack / "system.yaml").write_text(text, encoding="utf-8")
    fallen = run("resolve", "embers", "hit", "6", "--seed", "1", "--json", "--pack", pack).out
    later = run("resolve", "embers", "turn", "--state", fallen, "--pack", pack).out
    assert "Fate hidden" in later and "2 turns" in later
    assert "hidden" in run("odds", "embers", "look", "--state", fallen, "--pack", pack).err
    assert "Fate is revealed: " in run("resolve", "embers", "look", "--state", fallen, "--pack", pack).out


# --- the reference ---------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def reference() -> str:
    return str(docs_script("make_reference").page())


def test_the_reference_is_up_to_date(reference: str) -> None:
    written = (ROOT / "docs" / "reference.md").read_text(encoding="utf-8")
    assert written == reference, "run: python docs/make_reference.py"


def test_every_effect_is_there_with_its_keys_and_a_sentence(reference: str) -> None:
    sections = dict(re.findall(r"^### `(\w+)`\n(.*?)(?=^### |\Z)", reference, re.M | re.S))
    kinds = rules.KINDS
    used = {type(each) for system in docs_script("make_reference").project_systems() for each in system.all_effects()}
    assert list(sections) == [kind.__struct_config__.tag for kind in kinds]
    for kind in kinds:
        section = sections[str(kind.__struct_config__.tag)]
        shared = rules.Step.__struct_encode_fields__ if issubclass(kind, rules.Step) else ()
        keys = [f"`{name}`" for name in kind.__struct_encode_fields__ if name not in shared]
        written = dict(re.findall(r"^\| (`\w+`) \| (.*?) \|", section, re.M))
        assert keys == list(written)
        form = " ".join(section.split())
        assert all(text.strip("`:[]") in form for text in written.values() if "`, `" not in text), written
        assert re.search(r"^> [^\n]+\.$", section, re.M) or kind not in used
        assert str(kind.__doc__) in section
    assert all(f"| `{key}` | " in reference for key in (*rules.Step.__struct_encode_fields__, *rules.LASTING))


@pytest.mark.slow
def test_an_entry_of_the_reference_prints_the_sentence_below_it(reference: str, tmp_path: Path) -> None:
    """The entries are content: put on a card, they print the sentence that the page has."""
    effects = reference.partition("### `raise`")[0]  # The words of a step hang on the system around it.
    shown = re.findall(r"^`([^`]+)`\n\(Hackjack\)\n\n> (.*)$", effects, re.M)
    assert len(shown) > 15
    pack = tmp_path / "p"
    pack.mkdir()
    (pack / "system.yaml").write_text("extends: hackjack\n")
    codes = [card.code for card in load_pack(find("hackjack")).system.deck.in_order]
    cards = [
        f"- code: {code}\n  name: X\n  effects: |\n    {entry}\n"
        for code, (entry, _) in zip(codes, shown, strict=False)
    ]
    (pack / "deck.yaml").write_text("".join(["cards:\n", *cards]), encoding="utf-8")
    for code, (_, sentence) in zip(codes, shown, strict=False):
        told = json.loads(run("card", "hackjack", code, "--pack", pack, "--json").out)["text"]
        assert " ".join(told) == sentence


# --- one table ------------------------------------------------------------------------------------------------------


def test_the_table_that_the_guide_pastes_becomes_a_pack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (pasted,) = re.findall(r"^```markdown falls.md\n(.*?)^```", FIRST_PACK, re.M | re.S)
    (tmp_path / "falls.md").write_text(pasted, encoding="utf-8")
    made = run("new", "falls", "--from-table", "falls.md")
    assert (made.code, made.err) == (0, "")
    assert run("check", "falls").out == "falls: sound\n"
    assert "Falls, 4-5: Sprained." in run("resolve", "falls", "roll", "--dice", "5", "--pack", "falls").out
    assert run("print", "falls", "falls", "--pack", "falls", "-o", "out").code == 0


# --- the pack that the guide writes ----------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_pack_of_the_guide_is_sound(grim: Path) -> None:
    checked = run("check", grim, "-v")
    assert checked.code == 0, checked.err
    for claim in ("mine", "bruise", "in_bed", "over", "odds_of_death"):
        assert f"grim: claim {claim} holds" in checked.out
    assert "grim: claim death departs" in checked.out
    assert run("card", "grim", "KS", "--pack", grim).out.splitlines()[1:] == [
        "    You are frozen stiff until you have rested.",
        "    \N{MINUS SIGN}d4 to Dexterity until you recover.",
    ]
    assert "massive" in run("resolve", "grim", "hit", "13", "--cards", "AC", "--pack", grim).out


# --- a sixth system --------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_example_is_sound_and_keeps_to_its_schemas() -> None:
    assert {path.suffix for path in BEASTS.iterdir()} == {".yaml"}
    for path in BEASTS.iterdir():
        first = path.read_text(encoding="utf-8").partition("\n")[0]
        modeline = re.fullmatch(r"# yaml-language-server: \$schema=(\S+)", first)
        assert modeline, path
        known = json.loads((path.parent / modeline[1]).read_text(encoding="utf-8"))
        jsonschema.Draft202012Validator(known).validate(source.read_file(path, path.name)[0])
    checked = run("check", BEASTS)
    assert checked.code == 0 and all(": warning: " in line for line in checked.faults)
    assert checked.out == "beasts: 8 claims hold, 1 differs as noted\nbeasts: sound\n"
    assert "beasts: claim safe_at_eight differs as noted" in run("check", BEASTS, "-v").out


@pytest.mark.slow
def test_the_example_prints(tmp_path: Path) -> None:
    printed = run("print", "beasts", "--pack", BEASTS, "-o", tmp_path)
    assert printed.code == 0, printed.err
    assert sorted(path.name for path in tmp_path.glob("*.pdf")) == [
        "beasts-box.pdf",
        "beasts-deck.pdf",
        "beasts-screen.pdf",
        "beasts-tokens.pdf",
    ]


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (["card", "beasts", "KC"], "KC  Broken leg (King of clubs; score 10, Trauma 4)"),
        (["card", "beasts", "QS"], "Queen of spades; score 9, Blood 2, Trauma 3"),
        (["table", "beasts", "temper", "--at", "roll=3", "--at", "column=horse"], "roll 2-3  bolting d4 rounds"),
        (["table", "beasts", "care", "--at", "name=splint"], "a lame animal walks"),
        (["table", "beasts", "recovery", "--at", "trauma=4"], "2d4 weeks; Under a roof and dry."),
        (["table", "beasts", "temper", "--roll", "--seed", "3", "--at", "column=horse"], "d6 shows"),
        pytest.param(["odds", "beasts", "hit", "4"], "of 52", marks=pytest.mark.slow),
        (["resolve", "beasts", "hit", "11", "--cards", "AC"], "death-score 11, Blood 0"),
    ],
    ids=lambda value: "-".join(value[:3]) if isinstance(value, list) else "",
)
def test_the_example_answers(call: list[str], told: str) -> None:
    done = run(*call, "--pack", BEASTS)
    assert done.code == 0, done.err
    assert told in done.out


def test_the_example_is_played() -> None:
    def play(*words: str) -> str:
        done = run("play", *words, "--pack", BEASTS, "--campaign", "stable")
        assert done.code == 0, done.err
        return done.out

    play("beasts", "add", "argo")
    assert "You throw your rider." in play("hit", "argo", "4", "3H")
    assert "death-score 3" in play("show")
    assert "death-score 0" in play("undo")


def test_every_wound_of_the_example_can_be_played() -> None:
    system = load_pack(BEASTS).system
    assert list(game_of(system).rehearse()) == []
    used = {type(effect) for card in system.deck.cards for _, effect in rules.walk_effects(card.effects)}
    assert len(used) >= 10, "an example shows what the vocabulary can do"


RECIPES = """\
id: blows
title: Blows
version: "1.0"
about: What the guide says of tables.
source: {title: Blows, author: you, licence: yours}
procedure: {kind: steps, numbers: {stress: {name: Stress}, wounds: {name: Wounds}, grit: {name: Grit, start: 9}}}
conditions:
  bleeding: {name: Bleeding, says: You bleed}
  lame: {name: Lame, says: You limp}
  dazed: {name: Dazed, says: You are dazed}
  shaken: {name: Shaken, says: You shake}
events:
  hit: |
    "a blow"
    takes weapon (slash or crush) "the weapon"
    look up blow, column weapon
  scar: |
    "a scar"
    look up 10 * d6 + d6 on scars
  panic: |
    "roll for panic"
    look up d6 + stress on panic
    if not dazed: suffer dazed for 1 hour
    suffer shaken until adjourn
    say "The GM decides what is lost."
  save: |
    "a save"
    takes push (no or yes, usually no)
    if push == yes:
      stress += 1
    check "Nerve" d20 at most grit - 2 * wounds:
      passes: end shaken
    check "Grit" d20 at most grit:
      fails: die
  bandage: |
    "bind it"
    end all until bandage
  adjourn: |
    "the session ends"
    until "the session ends"
    end
"""
SAID_OTHERWISE = ('"', "stress += 1", 'check "Nerve"', "passes:", "bandage", "end all")


def test_what_the_guide_says_of_tables_is_played(tmp_path: Path) -> None:
    """The table of the guide, and its ways to say the rules of blogs, in a pack."""
    lines = [line.strip() for line in RECIPES[RECIPES.index("  scar:") :].splitlines()]
    recipes = [line for line in lines if not line.endswith("|") and not line.startswith(SAID_OTHERWISE)]
    assert len(recipes) > 9
    for recipe in recipes:
        assert recipe in SYSTEMS, recipe
    (table,) = re.findall(r"^```yaml\n# tables.yaml\n(.*?)^```", EVENTS, re.M | re.S)
    pack = tmp_path / "blows"
    pack.mkdir()
    (pack / "system.yaml").write_text(RECIPES, encoding="utf-8")
    more = """\
- {id: scars, title: Scars, covers: 11-66, rows: [{at: 11-36, name: Nick}, {at: 41-66, name: Cut}]}
- {id: panic, title: Panic, covers: 1+, rows: [{at: 1-6, name: Calm}, {at: 7+, name: Flight}]}
"""
    (pack / "tables.yaml").write_text(table + more, encoding="utf-8")
    assert run("check", pack).out == "blows: sound\n"
    hit = run("resolve", "blows", "hit", "weapon=crush", "--dice", "16", "--pack", pack).out
    assert "Something cracks." in hit and "Lame for 6 weeks." in hit
    assert "11-36 Nick 50.0000%" in " ".join(run("odds", "blows", "scar", "--pack", pack).out.split())
    assert "until the session ends" in run("resolve", "blows", "panic", "--dice", "3", "--pack", pack).out
    saved = run("resolve", "blows", "save", "--at", "push=yes", "--dice", "9,9", "--pack", pack).out
    assert "Stress 1" in saved and "dead" not in saved
