"""The kind `steps`: formulas, and events that are content, through engine, odds, checks and paper."""

from __future__ import annotations

import inspect
import io
import json
import re
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import yaml
from helpers import ROOT, pack_head, page_texts, run
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from generator.base.dice import Dice, DiceValue
from generator.base.errors import ContentError, HackjackError, UsageError
from generator.check import content_checks as checks
from generator.games import game_of, plain_entry
from generator.games.face import Asked
from generator.games.steps import engine
from generator.layout.panel_elements import Bars, Matrix, Series
from generator.model.blocks import OddsBlock
from generator.model.formulas import MAX_DEPTH, MAX_LENGTH, MAX_VALUE, Formula, Result, evaluate
from generator.model.rules import System
from generator.pack.load import load_pack
from generator.play.chance import Given
from generator.play.every_way import TooMuchWorkError
from generator.products.odds_pictures import picture
from generator.words.effect_words import effect_sentences, step_words
from generator.words.effects import condition_sentences
from generator.words.event_wording import event_sentences, watch_sentences

EXAMPLES = ROOT / "docs" / "examples"


# --- formulas --------------------------------------------------------------------------------------------------------


class Known:
    """A scope of names, in which every die shows its highest face."""

    def __init__(self, **names: Result) -> None:
        self.names = names

    def named(self, name: str) -> Result:
        return self.names.get(name, name)

    def call(self, function: str, name: str, which: str = "", detail: str | None = None) -> Result:
        del which, detail
        return f"{function} {name}" if function == "setting" else len(name)

    def rolled(self, dice: Dice, value: DiceValue = "sum") -> int:
        del value
        return dice.most


FIGURED: dict[str, Result] = {
    "3": 3, "-3": -3, "2 + 3 * 4": 14, "(2 + 3) * 4": 20, "7 // 2": 3, "-7 // 2": -4, "10 - 2 - 3": 5, "hp - 2": 4,
    "d6 + 2d4": 14, "min(hp, 4, 9)": 4, "max(hp, d20)": 20, "hp == 6": 1, "hp != 6": 0, "hp <= 5 or hp > 5": 1,
    "not hp == 6": 0, "not not hp": 6, "kind == npc": 1, "kind == 'npc'": 1, "kind == pc": 0, "1 < 2 and 2 < 1": 0,
    "2 * count(wound)": 10, "setting(sides)": "setting sides", "unsaid + 1": None,
}  # fmt: skip


@pytest.mark.parametrize("written", FIGURED)
def test_a_formula_comes_to(written: str) -> None:
    assert evaluate(Formula.parse(written), Known(hp=6, kind="npc", unsaid=None)) == FIGURED[written]


WRONG = {
    "": "a formula is missing",
    "hp +": "something is missing at its end",
    "hp = 3": "write == to compare",
    "hp / 2": "write // to divide",
    'kind == "npc"': "put words into single quotes",
    "(hp": "a parenthesis is not closed",
    "hp hp": '"hp" cannot follow there',
    "1 < 2 < 3": "join two with and",
    "mix(1, 2)": 'there is no mix( ): did you mean "min"',
    "min(1)": "takes 2 to 6 parts",
    "count()": "wants a name",
    "hp; exit": "is not allowed in a formula",
    "d0": "roll 1 to 100 dice",
    "__import__": "is not allowed in a formula",
    "1 + " * 40 + "1": f"{MAX_LENGTH} at most",
    "(" * 20 + "1" + ")" * 20: f"more than {MAX_DEPTH} deep",
}


@pytest.mark.parametrize("written", WRONG)
def test_what_is_no_formula_is_said(written: str) -> None:
    with pytest.raises(ValueError, match=r".") as caught:
        Formula.parse(written)
    assert WRONG[written] in str(caught.value)


@pytest.mark.parametrize("written", ["hp // 0", "kind + 1", f"{MAX_VALUE} * {MAX_VALUE}", "unsaid < 1"])
def test_what_cannot_be_figured_is_said(written: str) -> None:
    with pytest.raises(HackjackError, match="cannot be calculated"):
        evaluate(Formula.parse(written), Known(hp=6, kind="npc", unsaid=None))


@given(st.text(alphabet="0123456789dhp+-*/()<>=! andort,'", max_size=140))
def test_any_text_is_a_formula_or_says_why_not(written: str) -> None:
    try:
        formula = Formula.parse(written)
    except ValueError as error:
        assert str(error)
        return
    assert step_words(load_pack(EXAMPLES / "scars").system).formula_says(formula)
    try:
        evaluate(formula, Known(hp=6))
    except HackjackError as error:
        assert "cannot be calculated" in str(error)


# --- a pack in a few lines -------------------------------------------------------------------------------------------

HEAD = pack_head("tried")
FACES = """
tables:
  - id: faces
    title: Faces
    covers: 1-6
    columns: {left: {title: Left}, right: {title: Right}}
    rows:
      - {at: 1-3, cells: {left: [suffer dizzy for 1d4 rounds], right: Nothing}}
      - {at: 4-6, effects: [suffer hurt for 2d6 days], note: It shows.}
  - id: knives
    title: Knives
    rows:
      - {name: Dirk, effects: [hp -= d4]}
      - {name: Glaive, effects: [look up 4 on faces column left]}
"""
SYSTEM = """
procedure:
  kind: steps
  constants: {edge: 2, luck: d6}
  numbers:
    hp: {name: HP, start: 10, least: -5, most: most_hp}
    most_hp: {name: Max HP, start: null}
    tired: {name: Tired}
    day: {name: Day}
  words: {kind: {name: Kind, of: [pc, npc]}}
  clock: {day: {counts: day, ends: [stand]}}
parts:
  arm: {name: arm, die: d2, sides: [left, right]}
  leg: {name: leg}
statistics: {wits: {name: Wits}}
conditions:
  dizzy: {name: Dizzy, says: The world turns, brief: dizzy}
  hurt: {name: Hurt, says: It hurts, brief: hurt, group: wound}
  worn:
    name: Worn
    says: You are worn out
    brief: worn
    levels: 3
    implies: ["if level >= 3: suffer asleep for good"]
  asleep: {name: Asleep, says: You sleep, brief: asleep}
  bleeding:
    name: Bleeding
    says: You bleed
    brief: bleeding
    group: wound
    again: keep
    each: {round: [hp -= 2]}
    ends:
      bind: [tired += 1]
      time: [suffer dizzy for 1 round]
  gone: {name: Gone, says: You fade, brief: gone, implies: [die]}
  ruined:
    name: Ruined
    says: It is a wreck
    brief: ruined
    implies: |
      save:
        passes: suffer hurt for 2d6 weeks
        fails:
          suffer hurt for good
          penalty 1 to wits for good
  coma: {name: Coma, says: You do not wake, brief: in a coma, chances: [1d6 days, 1d6 weeks]}
events:
  hit:
    says: damage
    takes:
      damage: {most: 99}
      kindly: {of: [left, right], default: d2}
      edged: {of: ["no", "yes"], default: "1"}
      twice: {of: ["no", "yes"], optional: true, when: edged == yes}
    do: |
      hp -= damage no further than 0
      if over > 0:
        let force = luck + over + edge * count(wound) titled "Force"
          log "Force {force}."
        look up min(force, 6) on faces, column kindly
      if twice == yes: tired += 1
  cut: {says: a cut, takes: {knife: {of: [dirk, glaive]}}, do: [look up knife on knives]}
  bleed: {says: a vein, do: [suffer bleeding until bind]}
  graze: {says: a scratch, do: [suffer bleeding for 2 rounds]}
  stitch: {says: one wound, takes: {which: {optional: true}}, do: [end all wound chosen which]}
  bind:
    says: somebody binds the wound
    needs: [{holds: has(bleeding), says: the character does not bleed}]
    until: until you are bound
    do: [end]
  march: {says: a day's march, do: [suffer worn until stand levels 1]}
  stand: {says: they get up, do: [end all until stand]}
  fade: {says: poison, do: [suffer gone for good after 1d4 rounds]}
  antidote: {says: an antidote, do: [end gone]}
  crush: {says: a wreck, do: [place leg, suffer ruined at once]}
  sleep: {says: a blow to the head, do: [suffer coma until save]}
  hurt: {says: a wound, do: [suffer hurt for 2d6 days]}
  save: {says: the save, takes: {result: {of: [pass, fail]}}, do: [answer result == 'pass']}
  round: {says: rounds, takes: {rounds: {default: 1}}, do: [pass rounds rounds]}
  day: {says: days, takes: {days: {default: 1}}, do: [pass days days]}
  heal:
    says: magic
    takes: {points: {most: 99}, which: {optional: true}}
    do: |
      hp += points
      shorten wound by points days chosen which rest next
  brave:
    says: a test of wits
    takes: {wits: {most: 20}}
    do: |
      check "Wits" d20 at most wits - tired:
        passes: kind = 'npc'
        fails:
          roll d6:
            1-2: tired += d3
            3+: say "Nothing."
    odds: {bold: kind == 'npc', weary: tired > 0}
  rest: {says: rest, do: ["heal(points: d4)"]}
watches:
  - {holds: hp <= -4 and has(bleeding), do: [die]}
"""


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    """The pack of these tests, to be changed."""
    folder = tmp_path / "tried"
    folder.mkdir()
    (folder / "system.yaml").write_text(HEAD + SYSTEM, encoding="utf-8")
    (folder / "tables.yaml").write_text(FACES, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def tried(tmp_path_factory: pytest.TempPathFactory) -> System:
    """The same, read once."""
    folder = tmp_path_factory.mktemp("packs") / "tried"
    folder.mkdir()
    (folder / "system.yaml").write_text(HEAD + SYSTEM, encoding="utf-8")
    (folder / "tables.yaml").write_text(FACES, encoding="utf-8")
    assert not run("check", folder).err
    return load_pack(folder).system


def happen(
    system: System, words: str, state: dict[str, Any] | None = None, dice: tuple[int, ...] = (), **at: str
) -> Any:
    """One event: what is left of the state that is not as it begins, and the sentences."""
    game = game_of(system)
    luck = Given((), dice)
    after, log = game.step(game.read_state(state or {}), game.read_event(words.split(), at), luck)
    luck.finish()
    fresh, plain = (json.loads(json.dumps(game.plain_state(each))) for each in (game.read_state({}), after))
    return {key: value for key, value in plain.items() if value != fresh[key]}, [
        plain_entry(entry, system)["text"] for entry in log
    ]


# --- what happens ----------------------------------------------------------------------------------------------------

# An event, the state before, the dice, and how the state after differs from a fresh one; hurt/2 days is a condition
# and its end.
PLAYED = """
hit 12 | {} | 1 1 3 | {hp: 0, held: [{dizzy/3 rounds}]}
hit 12 kindly=right | {} | 1 | {hp: 0}
hit 11 kindly=right | {held: [hurt]} | 1 2 2 | {hp: 0, held: [{hurt/permanent}, {hurt/4 days}]}
hit 1 twice=yes edged=yes | {} | 1 | {hp: 9, tired: 1}
cut dirk | {} | 3 | {hp: 7}
cut glaive | {} | 1 1 | {held: [{hurt/2 days}]}
heal 9 | {hp: 3, most_hp: 5} | | {hp: 5, most_hp: 5}
heal 9 | {hp: 3} | | {hp: 12}
heal 9 | {hp: 8, most_hp: 5} | | {hp: 8, most_hp: 5}
round 2 | {held: [{bleeding/bind}]} | | {hp: 6, held: [{bleeding/bind}]}
bind | {held: [{bleeding/bind, place: leg}]} | | {tired: 1}
round 2 | {held: [{bleeding/2 rounds}]} | | {hp: 6, held: [{dizzy/1 round}]}
march | {} | | {held: [{worn/stand}]}
march | {held: [{worn/stand, level: 2}]} | | {held: [{worn/stand, level: 3}, {asleep/permanent}]}
day | {held: [{worn/stand, level: 2}]} | | {day: 1}
fade | {} | 2 | {coming: [{condition: gone, after: 2 rounds, until: permanent}]}
round 9 | {coming: [{gone/permanent, after: 2 rounds}]} | | {held: [{gone/permanent}], dead: true}
antidote | {coming: [{condition: gone, after: 2 rounds, until: permanent}]} | | {}
crush | {} | | {saves: [{of: ruined, part: leg, place: leg}]}
save pass | {saves: [{of: ruined}]} | 2 1 | {held: [{hurt/21 days}]}
save fail | {saves: [{of: ruined}]} | | {held: [{hurt/permanent}], lost: [{statistic: wits, by: 1}]}
sleep | {} | 2 1 | {held: [{coma/save, chances: [2, 7]}]}
day | {held: [{coma/save, chances: [1]}]} | | {day: 1, held: [{coma/save}], saves: [{of: coma, chance: true}]}
save fail | {held: [{coma/save}], saves: [{of: coma, chance: true}]} | | {held: [{coma/permanent}]}
heal 3 | {held: [{hurt/2 days}, {hurt/9 days}]} | | {hp: 13, held: [{hurt/2 days}, {hurt/6 days}]}
heal 10 | {held: [{hurt/2 days}, {hurt/9 days}]} | | {hp: 20, held: [{hurt/1 day}]}
heal 3 which=1 | {held: [{hurt/2 days}, {hurt/9 days}]} | | {hp: 13, held: [{hurt/8 days}]}
stitch 2 | {held: [{hurt/2 days}, {hurt/9 days}]} | | {held: [{hurt/2 days}]}
stitch | {held: [{hurt/2 days}, {hurt/9 days}]} | | {}
round 20 | {hp: -1, held: [{bleeding/bind}]} | | {hp: -5, held: [{bleeding/bind}], dead: true}
brave 9 | {tired: 2} | 7 | {tired: 2, kind: npc}
brave 9 | {tired: 2} | 8 2 3 | {tired: 5}
rest | {hp: 1} | 4 | {hp: 5}
"""


def written(text: str) -> Any:
    return yaml.safe_load(re.sub(r"(\w+)/([\w ]+)", r"condition: \1, until: \2", text.replace("held:", "conditions:")))


@pytest.mark.parametrize("row", PLAYED.strip().splitlines())
def test_an_event_leads_to_a_state(row: str, tried: System) -> None:
    words, state, dice, after = (part.strip() for part in row.split("|"))
    at = dict(word.split("=") for word in words.split() if "=" in word)
    plain = " ".join(word for word in words.split() if "=" not in word)
    assert happen(tried, plain, written(state), tuple(map(int, dice.split())), **at)[0] == written(after)


def test_what_happens_is_told_and_what_cannot_is_refused(tried: System) -> None:
    log = happen(tried, "hit 12", {}, (1, 1, 3))[1]
    assert log == ["HP \N{MINUS SIGN}10: 0.", "Force 3.", "Faces, 1-3, Left:", "  Dizzy for 3 rounds."]
    log = happen(tried, "bind", {"conditions": [{"condition": "bleeding", "until": "bind", "place": "leg"}]})[1]
    assert log == ["Bleeding (leg) is over.", "Tired +1: 1."]
    assert happen(tried, "hit 12", {}, (1,), kindly="right")[1][-1] == "  Nothing."
    assert happen(tried, "cut glaive", {}, (1, 1))[1][-1] == "  It shows."
    hurt = {"conditions": [{"condition": "hurt", "until": "2 days"}]}
    for words, state, at, says in (
        ("hit 12", {}, {}, r"needs d2 \(kindly\)"),
        ("hit 1", {}, {"twice": "yes"}, 'twice cannot be "yes": leave it out'),
        ("bind", {}, {}, "the character does not bleed"),
        ("heal 3", hurt, {"which": "4"}, "number 4 has no days that could be taken off: choose 1"),
        ("stitch 4", hurt, {}, "there is no number 4: choose 1"),
        ("round", {"dead": True}, {}, "the character is dead"),
    ):
        with pytest.raises(HackjackError, match=says):
            happen(tried, words, state, (1,) if at else (), **at)


@pytest.mark.parametrize(("again", "left"), [
    ("apart", ["5 days", "2 days"]), ("longest", ["5 days"]), ("latest", ["2 days"]), ("keep", ["5 days"]),
    (None, ["5 days", "2 days"]),
])  # fmt: skip
def test_what_comes_a_second_time(again: str | None, left: list[str], pack: Path) -> None:
    text = (HEAD + SYSTEM).replace("brief: hurt,", f"brief: hurt, again: {again}," if again else "brief: hurt,")
    (pack / "system.yaml").write_text(text, encoding="utf-8")
    system = load_pack(pack).system
    state, _ = happen(system, "hurt", {"conditions": [{"condition": "hurt", "until": "5 days"}]}, (1, 1))
    assert [each["until"] for each in state["conditions"]] == left


ODD = """
procedure:
  kind: steps
  numbers: {blood: {name: Blood, start: 9}, pain: {name: Pain}}
  words: {mood: {name: Mood, of: [calm, grim]}}
conditions:
  marked: {name: Marked, says: You are marked, brief: marked, row: true, again: apart}
  numb: {name: Numb, says: You feel nothing, brief: numb, levels: 5, ends: {any: [mood = grim]}}
  fit: {name: Fit, says: You shake, brief: shaking, each: {round: [suffer fit for 1 round]}}
events:
  cut:
    says: a cut
    takes: {deep: {most: 20}}
    do: |
      suffer numb for deep rounds levels min(deep, 2)
      log "It goes {deep} deep.":
        blood -= deep
        pain += 1
      look up marks
      suffer marked for good
  shake: {says: a fit, do: [suffer fit for 1 round]}
  ease: {says: it eases, do: ["end numb levels 1 [Q1]"]}
  round: {says: a round, do: [pass a round]}
rulings:
  - {id: Q1, point: Easing, source: Nothing., ours: A level at a time.}
"""
MARKS = """
tables:
  - id: marks
    title: Marks
    roll: d2
    covers: 1-2
    rows: [{at: 1, name: A star}, {at: 2, name: A moon}]
"""


def test_times_levels_rows_and_words_of_ones_own(pack: Path) -> None:
    (pack / "system.yaml").write_text(HEAD + ODD, encoding="utf-8")
    (pack / "tables.yaml").write_text(MARKS, encoding="utf-8")
    assert run("check", pack).err == ""
    system = load_pack(pack).system
    state, log = happen(system, "cut 3", {}, (2,))
    numb = {"condition": "numb", "until": "3 rounds", "level": 2}
    assert state == {
        "blood": 6,
        "pain": 1,
        "conditions": [numb, {"condition": "marked", "until": "permanent", "row": "A moon"}],
    }
    assert log == [
        "  Numb (2 levels) for 3 rounds.",
        "It goes 3 deep.",
        "Blood \N{MINUS SIGN}3: 6.",
        "Pain +1: 1.",
        "Marks, 2: A moon.",
        "  Marked for good.",
    ]
    assert game_of(system).state_line(game_of(system).plain_state(game_of(system).read_state(state))) == (
        "Blood 6, Pain 1, Numb 2 (3 rounds), Marked (A moon) for good"
    )
    eased, log = happen(system, "ease", {"conditions": [numb]})
    assert (eased, log) == ({"conditions": [{"condition": "numb", "until": "3 rounds"}]}, ["Numb eases: 1 left."])
    assert happen(system, "ease", eased)[0] == {"mood": "grim"}


def test_what_begins_in_a_round_does_not_run_down_in_it(pack: Path) -> None:
    (pack / "system.yaml").write_text(HEAD + ODD, encoding="utf-8")
    (pack / "tables.yaml").write_text(MARKS, encoding="utf-8")
    system = load_pack(pack).system
    state, _ = happen(system, "shake")
    assert happen(system, "round", state)[0] == state


def test_a_penalty_grows_with_the_level(pack: Path) -> None:
    (pack / "system.yaml").write_text(
        (HEAD + SYSTEM)
        .replace('implies: ["if level', 'implies: [penalty 2 to wits as long per level, "if level')
        .replace("takes: {wits: {most: 20}}", "takes: {bonus: {most: 20}}")
        .replace("at most wits - tired", "at most bonus - lowered(wits)"),
        encoding="utf-8",
    )
    assert not run("check", pack).err
    system = load_pack(pack).system
    twice = {"conditions": [{"condition": "worn", "until": "stand", "level": 2}]}
    assert (
        condition_sentences(system.head.conditions["worn"], system)[1].says == "\N{MINUS SIGN}2 to Wits for each level"
    )
    once = {"conditions": [{"condition": "worn", "until": "stand"}]}
    assert happen(system, "march", once)[1][-1].strip() == "\N{MINUS SIGN}4 to Wits."
    assert odds(system, "brave 11", twice)["bold"]["p"] == 0.35
    (pack / "system.yaml").write_text(
        (HEAD + SYSTEM).replace("group: wound}", "implies: [penalty 1 to wits as long per level]}"), encoding="utf-8"
    )
    assert "only what a condition with levels implies may count them" in run("check", pack).err


def test_time_stops_where_something_must_be_answered(pack: Path) -> None:
    text = (HEAD + SYSTEM).replace("ends: [stand]}}", "ends: [stand], stops: owed(any) > 0}}")
    (pack / "system.yaml").write_text(text, encoding="utf-8")
    coma = {"conditions": [{"condition": "coma", "until": "save", "chances": [2, 7]}]}
    state, _ = happen(load_pack(pack).system, "day 9", coma)
    assert (state["day"], state["conditions"][0]["chances"]) == (2, [5])


# --- odds ------------------------------------------------------------------------------------------------------------


def odds(system: System, words: str, state: dict[str, Any] | None = None, **at: str) -> dict[str, Any]:
    game = game_of(system)
    return game.odds(game.read_state(state or {}), game.read_question(words.split(), at), Asked()).plain


def test_odds_are_exact_and_add_up(tried: System) -> None:
    found = odds(tried, "brave 9")
    assert found["bold"]["fraction"] == "9/20"
    assert Fraction(found["weary"]["fraction"]) == Fraction(11, 20) / 3
    assert sum(Fraction(share["fraction"]) for share in found["numbers"]["tired"].values()) == 1


def test_the_dead_are_counted_in_words_where_something_kills(tried: System, pack: Path) -> None:
    game = game_of(tried)
    asked = game.odds(game.read_state({}), game.read_event(["hit", "1"], {}), Asked())
    assert asked.lines[0].split() == ["dead", "0.0000%", "=", "0/1"]
    text = (HEAD + SYSTEM).replace("[die]", "['say \"Nothing more.\"']")
    assert text != HEAD + SYSTEM
    (pack / "system.yaml").write_text(text, encoding="utf-8")
    game = game_of(load_pack(pack).system)
    harmless = game.odds(game.read_state({}), game.read_event(["hit", "1"], {}), Asked())
    assert harmless.plain["dead"] == {"p": 0.0, "fraction": "0/1"}
    assert harmless.lines == asked.lines[1:]


def test_spans_are_rolled_where_time_passes_in_the_same_event(pack: Path) -> None:
    text = HEAD + SYSTEM.replace(
        "suffer gone for good after 1d4 rounds", "suffer gone for good after 1d4 rounds, pass 2 rounds"
    )
    (pack / "system.yaml").write_text(text, encoding="utf-8")
    assert odds(load_pack(pack).system, "fade")["dead"]["fraction"] == "1/2"


# --- faults ----------------------------------------------------------------------------------------------------------

FAULTS = {
    ("over > 0:", "ovr > 0:"): 'nothing is called ovr: did you mean "over"?',
    ("column kindly", "column kinddly"): 'nothing is called kinddly: did you mean "kindly"?',
    ("count(wound)", "count(wond)"): 'count( ) knows no wond: did you mean "wound"?',
    ("on knives", "on knifes"): 'unknown table "knifes": did you mean "knives"?',
    ("hp -= damage", "ph -= damage"): 'unknown number "ph"; known: hp, most_hp, tired, day',
    ("until bind]", "until bound]"): '"bound" is neither an event',
    ("for 2 rounds]", "until woken]"): 'nothing here ends it: for "woken" write an event of that name',
    ("heal(points: d4)", "heal()"): "heal takes points: say it, as in heal(points: 1)",
    ("heal(points: d4)", "rest()"): "leads back to itself without an end: event rest",
    ("[end]", "['say \"Well.\"']"): "conditions last until bind, and no step of it ends them",
    (" at most wits - tired", ""): "a check is rolled against one number: give it at most",
    ("kind == 'npc'", "kind == 'nbc'"): "kind is never nbc",
    ("Force {force}.", "Force {forse}."): 'there is no "{forse}" to quote: did you mean "force"?',
    ("levels 1]", "levels 1 once recovered]"): "nothing waits for a recovery here",
    ("  rest: {says", "  log: {says"): '"log" is taken already, by a command at the table',
    ("+= d3", "+= d3 +"): "something after + is missing here",
    ("bind: [tired", "bint: [tired"): 'nothing ends it by "bint": did you mean "bind"?',
    ("answer result == 'pass'", "spare"): "no event here plays spare: write steps of your own",
    ("damage: {most: 99}", "hp: {most: 99}"): '"hp" is taken already',
    ("bleed: {says: a vein,", "bleed: {says: a vein, takes: {weeks: {}},"): "nothing uses weeks: take it out",
}


@pytest.mark.parametrize("change", FAULTS, ids=lambda change: change[1].strip())
def test_what_does_not_fit_is_told_at_its_place(change: tuple[str, str], pack: Path) -> None:
    text = HEAD + SYSTEM
    assert change[0] in text
    changed = text.replace(change[0], change[1], 1)
    (pack / "system.yaml").write_text(changed, encoding="utf-8")
    ran = run("check", pack)
    assert ran.code == 1
    assert FAULTS[change] in ran.err, ran.err
    assert "system.yaml:" in ran.err


def test_what_a_fresh_character_lacks_is_no_fault(pack: Path) -> None:
    text = (HEAD + SYSTEM).replace("takes: {which: {optional: true}}, do: [end all", "takes: {which: {}}, do: [end all")
    text = text.replace("heal(points: d4)", "bind()").replace("do: [end]", "do: [end all until bind]")
    text = text.replace(
        "{says: they get up, do: [",
        "{says: they get up, needs: [{holds: tired > 0, says: no}], do: [hp += 6 // tired, ",
    )
    (pack / "system.yaml").write_text(text, encoding="utf-8")
    assert run("check", pack).code == 0
    (pack / "system.yaml").write_text(text.replace("needs: [{holds: tired > 0, says: no}], ", ""), encoding="utf-8")
    assert '"6 // tired" cannot be calculated: it divides by 0' in run("check", pack).err


def test_tables_that_send_to_each_other_are_found(pack: Path) -> None:
    (pack / "tables.yaml").write_text(
        FACES.replace("suffer hurt for 2d6 days", "look up d6 on faces"), encoding="utf-8"
    )
    assert "the table faces sends back to itself" in run("check", pack).err


TWICE = FACES.replace(
    "{at: 4-6, effects: [suffer hurt for 2d6 days], note: It shows.}",
    "{at: 4-5, effects: [suffer hurt for 2d6 days]}\n"
    "      - {at: 6, effects: [look up d6 on faces column left times 2 but not 6]}",
)


def test_twice_ignoring_this_row(pack: Path) -> None:
    (pack / "tables.yaml").write_text(TWICE, encoding="utf-8")
    (pack / "system.yaml").write_text(
        (HEAD + SYSTEM).replace("{says: a vein, do: [", "{says: a vein, do: [look up d6 on faces column left, "),
        encoding="utf-8",
    )
    assert not run("check", pack).err
    system = load_pack(pack).system
    state, log = happen(system, "bleed", {}, (6, 4, 3, 4, 6, 6, 5, 3, 5))
    assert [held["condition"] for held in state["conditions"]] == ["hurt", "hurt", "bleeding"]
    assert log.count("Faces, 6: it is rolled again.") == 2
    [_, row] = [row for row in system.tables[0].rows if row.at and row.at.low > 3]
    [said] = effect_sentences(row.effects[0], system)
    assert str(said) == "Roll d6 twice on Faces, column Left, again on 6."
    # Five of six rows count at once, and of two more rolls those five alone.
    found = odds(system, "bleed")["conditions"]
    assert Fraction(found["dizzy"]["fraction"]) == Fraction(3, 6) + Fraction(1, 6) * (1 - Fraction(2, 5) ** 2)
    assert Fraction(found["hurt"]["fraction"]) == Fraction(2, 6) + Fraction(1, 6) * (1 - Fraction(3, 5) ** 2)


def test_a_roll_that_never_counts_is_stopped_with_a_sentence(pack: Path) -> None:
    (pack / "system.yaml").write_text(
        (HEAD + SYSTEM).replace("look up knife on knives", "look up 6 on faces but not 6"), encoding="utf-8"
    )
    (pack / "tables.yaml").write_text(TWICE, encoding="utf-8")
    system = load_pack(pack).system
    for ask in (happen, odds):
        with pytest.raises(HackjackError, match="every result is rolled again"):
            ask(system, "cut dirk")


@pytest.mark.parametrize(("change", "says"), [
    ((" but not 6", ""), "the table faces sends back to itself: write but not 6 there"),
    (("but not 6", "but not 5"), 'unknown row "5"; known: 1-3, 4-5, 6'),
    (("at: 4-5, effects: [", "at: 4-5, effects: [look up d6 on faces but not 4-5, "),
        "write but not 4-5, 6"),
])  # fmt: skip
def test_a_roll_again_without_an_end_is_told(change: tuple[str, str], says: str, pack: Path) -> None:
    (pack / "tables.yaml").write_text(TWICE.replace(*change), encoding="utf-8")
    assert says in run("check", pack).err


def test_other_kinds_refuse_steps_at_their_place(tmp_path: Path) -> None:
    (tmp_path / "odd").mkdir()
    (tmp_path / "odd" / "system.yaml").write_text(
        "id: odd\nextends: deadlands\ntitle: Odd\nversion: '0.1'\n"
        "events: {hit: {says: x, do: []}}\n"
        "conditions:\n  cold: {says: You freeze, levels: 3, implies: [die]}\n",
        encoding="utf-8",
    )
    told = run("check", tmp_path / "odd").err
    assert "only procedures of the kind steps have events of their own" in told
    assert "only procedures of the kind steps play this" in told
    assert "this is a step of one's own" in told


def test_endless_steps_are_stopped_with_a_sentence(tried: System, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError, match="write a number from 1 to 10,000"):
        happen(tried, "round 10001")
    monkeypatch.setattr(engine, "MAX_STEPS", 9)
    with pytest.raises(HackjackError, match="round takes more than 9 steps: it is too long, or has no end"):
        happen(tried, "round 9", {"conditions": [{"condition": "bleeding"}] * 3})


def test_events_lead_to_one_another_however_deep_python_may_go(pack: Path) -> None:
    lines = [f'  e{at}: {{says: on, do: ["if 1 == 1: if 2 == 2: e{at + 1}()"]}}' for at in range(30)]
    ends = "  e30: {says: on, do: [tired += 1]}\n  endless: {says: on, do: ['e0()', 'endless()']}\n"
    text = (pack / "system.yaml").read_text(encoding="utf-8")
    text = text.replace("events:\n", "\n".join(["events:", *lines, ends]), 1)
    (pack / "system.yaml").write_text(text, encoding="utf-8")
    system = load_pack(pack).system
    before, deep = sys.getrecursionlimit(), len(inspect.stack(0))
    sys.setrecursionlimit(deep + 100)
    try:
        assert happen(system, "e0") == ({"tired": 1}, ["Tired +1: 1."])
        with pytest.raises(HackjackError, match="endless leads deeper than 100 events, tables and so on: it is too"):
            happen(system, "endless")
    finally:
        sys.setrecursionlimit(before)


def test_events_that_lead_too_deep_to_be_counted_are_refused_with_a_sentence(pack: Path) -> None:
    lines = [f'  e{at}: {{says: on, do: ["{"if 1d6 > 1: " * 4}e{at + 1}()"]}}' for at in range(30)]
    text = (pack / "system.yaml").read_text(encoding="utf-8")
    text = text.replace("events:\n", "\n".join(["events:", *lines, "  e30: {says: on, do: [tired += 1]}\n"]), 1)
    (pack / "system.yaml").write_text(text, encoding="utf-8")
    asked = run("odds", "tried", "e0", "--exact", "--pack", pack)
    assert (asked.code, asked.err) == (
        1,
        "this takes more dice, cards and steps than can be counted: ask about fewer at a time\n",
    )


def test_choices_that_are_tried_within_one_another_are_refused_at_once(pack: Path) -> None:
    text = (pack / "system.yaml").read_text(encoding="utf-8")
    choice = (
        "  e{}:\n    says: on\n    better: hp\n    do: |\n      choose:\n        'stop': hp -= 1\n        'on': e{}()\n"
    )
    events = "".join(choice.format(at, at + 1) for at in range(30)).replace("'", '"')
    text = text.replace("events:\n", f"events:\n{events}  e30: {{says: on, do: [hp += 1]}}\n", 1)
    (pack / "system.yaml").write_text(text, encoding="utf-8")
    system = load_pack(pack).system
    game = game_of(system)
    event = game.read_event(["e0"], {})
    with pytest.raises(TooMuchWorkError):
        engine.play_counted(system, game.read_state({}), event, Given(), policy="best")


def test_states_from_strangers_are_judged(tried: System) -> None:
    game = game_of(tried)
    for value, why in (
        ({"hp": "many"}, "hp is not a whole number"),
        ({"kind": "cow"}, 'kind is "cow": write pc, npc'),
        ({"conditions": ["hort"]}, 'unknown condition "hort": did you mean "hurt"'),
        ({"conditions": [{"condition": "hurt", "until": "2d6 days"}]}, "has not been rolled"),
        ({"ph": 3}, 'unknown key "ph"; known: hp'),
        ({"conditions": [{"condition": "hurt", "left": 3}]}, r'conditions\[0\] has an unknown key "left"; known'),
        ({"conditions": ["hurt"] * 201}, "more than 200 conditions"),
        ([], "not a JSON object"),
    ):
        with pytest.raises(HackjackError, match=why):
            game.read_state(value)


# --- paper and the table ---------------------------------------------------------------------------------------------


def test_an_event_is_printed_from_the_steps_that_run(tried: System) -> None:
    assert event_sentences("hit", tried) == [
        "Take the damage off HP, no further than 0.",
        "If anything is left over, roll d6 plus what is left over plus 2 \u00d7 the number of wounds for Force "
        "and look up Force, at most 6, on Faces, column for the kindly.",
        "If “twice” is yes, gain 1 Tired.",
    ]
    assert event_sentences("brave", tried) == [
        "Make a Wits check: d20, the wits minus Tired or less. On a success, Kind becomes npc. "
        "On a failure, roll d6: on 1\N{EN DASH}2, gain d3 Tired; on 3+, nothing."
    ]
    assert watch_sentences(tried) == ["As soon as you are at \N{MINUS SIGN}4 HP or below and Bleeding, you die."]


@pytest.mark.parametrize("example", ["scars", pytest.param("criticals", marks=pytest.mark.slow)])
def test_the_examples_are_sound_and_print(example: str, tmp_path: Path) -> None:
    folder = EXAMPLES / example
    checked = run("check", folder)
    assert (checked.code, checked.err) == (0, "")
    printed = run("print", example, "--pack", folder, "-o", tmp_path)
    assert (printed.code, printed.err) == (0, "")
    text = " ".join(page_texts((tmp_path / f"{example}-screen.pdf").read_bytes()))
    assert "What they mean" in text


def test_a_session_is_played_undone_and_read_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HACKJACK_HOME", str(tmp_path))
    pack: list[str | Path] = ["--pack", EXAMPLES / "criticals"]
    lines = "add bo hp 9\nhit bo 6 part=trunk\nround bo\nundo\nbandage bo 12 dice 9\nodds bo 6\nhelp hit\n"
    monkeypatch.setattr("sys.stdin", io.StringIO(lines))
    ran = run("play", "criticals", *pack, "--campaign", "road")
    assert (ran.code, ran.err) == (0, "")
    assert "hit NAME N [part=arms|legs|trunk|head] [dice N ...]" in ran.out
    state = json.loads(run("play", *pack, "--campaign", "road", "export").out)["characters"][0]["state"]
    assert (state["hp"], state["trunk"], state["conditions"]) == (3, 6, [])


def panel_of(example: str) -> tuple[System, list[OddsBlock]]:
    system = load_pack(EXAMPLES / example).system
    blocks = [block for _, file in system.panels for panel in file.panels for block in panel.blocks]
    return system, [block for block in blocks if isinstance(block, OddsBlock)]


def test_pictures_of_odds_are_what_odds_count() -> None:
    system, (matrix,) = panel_of("scars")
    drawn = picture(matrix, system)
    assert isinstance(drawn, Matrix)
    assert (drawn.columns, [label for label, _ in drawn.rows]) == (tuple(map(str, range(1, 11))), ["1", "2", "3", "4"])
    assert drawn.rows[1][1][4].text == "55"
    assert [cell.text for cell in drawn.rows[3][1][:4]] == ["0"] * 4
    system, (bands, bars) = panel_of("criticals")
    stacked, shares = picture(bands, system), picture(bars, system)
    assert isinstance(stacked, Series)
    assert [sum(values) for values in zip(*(values for _, values in stacked.series), strict=True)] == [1.0] * 5
    assert isinstance(shares, Bars)
    assert (shares.labels, tuple(map(float, shares.values))) == (("slowly", "fast"), (0.55, 0.4))


def test_a_chart_shows_all_its_bands_or_none() -> None:
    system, (bands, _) = panel_of("criticals")
    wide = structs.replace(bands, counts="numbers.hp", across=structs.replace(bands.across, values=tuple(range(4, 11))))
    with pytest.raises(HackjackError, match=r"the chart has 7 bands .*, but only 6 can be told apart"):
        picture(wide, system)


def test_constants_are_changed_by_set_and_quoted(tried: System) -> None:
    changed = checks.under(tried, [("edge", "5"), ("luck", "d8")])
    assert event_sentences("hit", changed)[1].startswith(
        "If anything is left over, roll d8 plus what is left over plus 5 \u00d7 the number of wounds for"
    )
    assert changed.changed_numbers == (("edge", "5"), ("luck", "d8"))
    with pytest.raises(UsageError, match="edge"):
        checks.under(tried, [("edge", "many")])


@pytest.mark.usefixtures("pack")
def test_a_pack_extends_another_event_by_event(tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.mkdir()
    (own / "system.yaml").write_text(
        "id: own\nextends: tried\ntitle: Own\nversion: '1.0'\nprocedure: {constants: {edge: 7}}\n"
        "events:\n  antidote: null\n  stand: {says: up, do: [end all until stand, "
        "tired += 1]}\n",
        encoding="utf-8",
    )
    system = load_pack(own).system
    assert "antidote" not in system.head.events
    assert happen(system, "stand")[0] == {"tired": 1}
    assert system.numbers["edge"] == "7"


def test_the_system_in_the_guide_plays_counts_and_prints(tmp_path: Path) -> None:
    guide = (ROOT / "docs" / "events.md").read_text(encoding="utf-8")
    (tmp_path / "nicks").mkdir()
    written = guide.partition("```yaml\n# nicks/system.yaml\nid: nicks\n")[2].partition("```")[0]
    (tmp_path / "nicks" / "system.yaml").write_text(f"id: nicks\n{written}", encoding="utf-8")
    pack: list[str | Path] = ["--pack", tmp_path / "nicks"]
    assert run("check", tmp_path / "nicks").out.endswith("nicks: sound\n")
    assert run("resolve", "nicks", "hit", "9", "--dice", "3,4", *pack).out.splitlines()[-1] == "HP 0, Limping 7 days"
    assert "Limping         100.0000% = 1/1" in run("odds", "nicks", "hit", "9", *pack).out
    assert run("print", "nicks", *pack, "-o", tmp_path / "out").code == 0


def test_a_pack_with_no_events_says_what_to_write(pack: Path) -> None:
    (pack / "system.yaml").write_text(HEAD + "procedure: {kind: steps}\n", encoding="utf-8")
    (pack / "tables.yaml").unlink()
    assert 'the key "events" is missing' in run("check", pack).err
    with pytest.raises(ContentError):
        load_pack(pack / "nowhere")
