"""How a pack of events writes and shows its states, what it tells and in which words, and which odds it asks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from helpers import run

from generator.base.errors import HackjackError, UsageError
from generator.games import game_of, plain_entry
from generator.games.face import AnyGame, Asked
from generator.pack.load import load_pack
from generator.play.chance import Given
from generator.words.quoting import fill_quotes, quoted_names

HEAD = """\
id: fevers
title: Fevers
version: "1.0"
about: A pack that tests write.
source: {title: Fevers, author: nobody, licence: CC0}
procedure:
  kind: steps
  numbers:
    hp: {name: HP, start: 6, least: 0}
    weeks: {name: Weeks, start: 0}
    day: {name: Day}
  words: {kind: {name: Kind, of: [pc, beast]}}
  constants: {cure_die: d6}
  clock: {day: {counts: day, due: "{condition}{place? in the {place}} is gone on day {day}."}}
  asks: [blow, doomed]
  joins: {hp: hp, as: kind}
  newcomer: somebody arrives
  line: ["{hp} HP", wounds, "{weeks?{weeks week}}", rage, visions, conditions]
  sheet: {lowered: {be: lowered(hp), says: "{value?-{value}}"}}
  log:
    - {of: ends, when: condition == 'fever' and cause == 'time', says: "{condition} breaks on day {day}.", ruling: F1}
    - {of: wound, when: effect == 'rage', kind: raging, says: "Rage for {left round}."}
    - {of: passes, when: unit == 'round', quiet: true}
  state:
    - {key: kind}
    - {key: hp}
    - {key: wounds, of: long, until: save, fields: {what: condition, days: left, place: place, for_good: permanent}}
    - {key: conditions, of: any, fields: {condition: condition, until: until}}
    - {key: dying, of: dying, as: flag, until: bind, living: true}
    - {key: rage, of: rage, as: one, unit: round, fields: {rounds: left}, says: "raging for {left round}", living: true}
    - {key: visions, of: visions, fields: {name: row, detail: detail}, says: "{row}{detail? of {detail}}"}
    - {key: saves}
    - {key: dead}
  sound:
    - {holds: hp <= 99, says: "{hp} HP are too many"}
statistics: {hp: {name: HP}}
conditions:
  fever: {name: Fever, says: You burn, implies: [penalty 2 to hp as long]}
  dying: {name: Dying, says: You go, brief: dying}
  dazed: {name: Dazed, says: You reel, brief: dazed}
  rage: {name: Rage, says: You rage}
  visions: {name: Visions, says: You see things, row: sights, again: apart}
  of_wolves: {says: You fear wolves, brief: wolves}
  of_fire: {says: You fear fire, brief: fire}
parts: {arm: {name: arm}, leg: {name: leg}, head: {name: head}}
rulings:
  - {id: F1, point: Fever, source: It passes., ours: It passes by the day.}
events:
  blow: |
    "a blow"
    takes damage, type (sword or fall or fire, usually sword),
        spot (arm or leg or head, optional, if type != 'fire', arm or leg if type == 'fall')
    odds dying "down and dying": dying, hurt aside: hp < 6
    lists conditions
    hp -= damage
      log "{damage} off{hp=0?: down|, {hp} left}."
      as struck
    if known(spot): place spot
    suffer fever for 2 days
    if hp == 0: suffer dying until bind
  doomed: |
    "a blow that brings a vision unless it is spared"
    for odds only
    takes damage, spared_in (0 to 100, else 0)
    odds seen: count(visions) > 0
    lists names
    spares spared_in
    shows rows of sights
    blow(damage)
    see()
  see: |
    "a vision"
    look up sights, part of visions quietly
    suffer visions for good
  anger: |
    "rage comes"
    suffer rage for d6 rounds asks "how long"
  stun: |
    "a stun"
    suffer dazed for 2 rounds
  bind: |
    "wounds are bound"
    refuse while dazed or dying: "the character is {held} and binds nothing"
    end all until bind
    end fever
  kill: |
    "the end"
    die
  round: |
    "a round passes"
    pass a round
  day: |
    "days pass"
    takes days (else 1)
    pass days days
"""
SIGHTS = """\
tables:
  - id: sights
    title: Sights
    roll: d3
    covers: 1-3
    rows:
      - at: 1
        name: Dread
        effects: |
          one of:
            suffer of_wolves for good
            suffer of_fire for good
      - {at: 2, name: A light, note: It is far off.}
      - {at: 3, name: A voice}
"""
FRESH: dict[str, Any] = {
    "kind": "pc", "hp": 6, "wounds": [], "conditions": [], "dying": False, "rage": None, "visions": [], "saves": [],
    "dead": False,
}  # fmt: skip


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("packs") / "fevers")


def written(folder: Path, head: str = HEAD) -> Path:
    folder.mkdir(parents=True)
    (folder / "system.yaml").write_text(head, encoding="utf-8")
    (folder / "tables.yaml").write_text(SIGHTS, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def game(pack: Path) -> AnyGame:
    return game_of(load_pack(pack).system)


def happen(
    game: AnyGame, words: str, state: dict[str, Any] | None = None, dice: tuple[int, ...] = ()
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The state after an event as it is written, and the log as JSON has it."""
    name, *said = words.split()
    at = dict(word.split("=") for word in said if "=" in word)
    event = game.read_event([name, *(word for word in said if "=" not in word)], at)
    after, log = game.step(game.read_state(state or {}), event, Given((), dice))
    plain: dict[str, Any] = json.loads(json.dumps(game.plain_state(after)))
    return plain, [plain_entry(entry, game.system) for entry in log]


def test_it_is_sound(pack: Path) -> None:
    ran = run("check", pack)
    assert (ran.code, ran.err) == (0, "")


# --- states ----------------------------------------------------------------------------------------------------------


def test_a_fresh_state_has_the_authors_keys_in_their_order(game: AnyGame) -> None:
    plain = game.plain_state(game.read_state({}))
    assert plain == FRESH
    assert list(plain) == list(FRESH)


def test_conditions_stand_under_their_keys_and_come_back_from_there(game: AnyGame) -> None:
    state, _ = happen(game, "blow 6 spot=arm")
    assert state == {
        **FRESH, "hp": 0, "dying": True, "wounds": [{"what": "fever", "days": 2, "place": "arm", "for_good": False}],
    }  # fmt: skip
    state, _ = happen(game, "anger", state, (4,))
    assert state["rage"] == {"rounds": 4}
    state, _ = happen(game, "stun", state)
    assert state["conditions"] == [{"condition": "dazed", "until": "2 rounds"}]
    state, _ = happen(game, "see", state, (1, 2))
    assert state["visions"] == [{"name": "Dread", "detail": "fire"}]
    assert json.loads(json.dumps(game.plain_state(game.read_state(state)))) == state
    dead, _ = happen(game, "kill", state)
    assert (dead["dying"], dead["rage"], dead["dead"]) == (False, None, True)
    assert dead["wounds"] == state["wounds"]


def test_a_short_form_is_read(game: AnyGame) -> None:
    assert game.plain_state(game.read_state({"visions": ["A voice"]}))["visions"] == [{"name": "A voice", "detail": ""}]


BAD_STATES: dict[str, tuple[dict[str, Any], str]] = {
    "another key": ({"wound": []}, 'the state has an unknown key "wound": did you mean "wounds"?'),
    "no such row": ({"visions": ["A lite"]}, 'sights has no row "A lite": did you mean "A light"?'),
    "no such end": ({"conditions": [{"condition": "dazed", "until": "noon"}]}, "write bind or a span such as 3 rounds"),
    "a wound elsewhere": ({"conditions": [{"condition": "fever", "until": "3 days"}]},
        "fever for 3 days is not an entry of conditions: it belongs under wounds"),
    "a flag elsewhere": ({"conditions": [{"condition": "dying", "until": "bind"}]},
        "dying is not an entry of conditions: write dying: true"),
    "no end": ({"wounds": [{"what": "fever"}]}, "the state's fever has no end: give it days, or for_good: true"),
    "days and for good": ({"wounds": [{"what": "fever", "days": 2, "for_good": True}]}, "fever is permanent, and has"),
    "no rounds": ({"rage": {"rounds": 0}}, "the state's rage has 0 rounds: write 1 or more"),
    "dead and dying": ({"dead": True, "dying": True}, "invalid state: dead"),
    "unsound": ({"hp": 100}, "100 HP are too many"),
    "below the least": ({"hp": -1}, "the state's hp is -1: it must be from 0 to 1,000,000"),
    "no word of these": ({"kind": "npc"}, 'the state\'s kind is "npc": write pc, beast'),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD_STATES)
def test_a_state_that_cannot_be_is_refused_with_a_sentence(name: str, game: AnyGame) -> None:
    state, says = BAD_STATES[name]
    with pytest.raises(HackjackError) as refused:
        game.read_state(state)
    assert says in str(refused.value)


def test_a_state_is_shown_as_the_author_says(game: AnyGame) -> None:
    state = {
        "hp": 3,
        "weeks": 1,
        "day": 5,
        "wounds": [{"what": "fever", "days": 4, "place": "leg"}],
        "rage": {"rounds": 1},
        "visions": [{"name": "Dread", "detail": "fire"}],
        "conditions": [{"condition": "dazed", "until": "2 rounds"}],
    }
    plain = game.plain_state(game.read_state(state))
    assert game.state_line(plain) == (
        "3 HP, Fever (leg) 4 days, 1 week, raging for 1 round, Dread of fire, Dazed 2 rounds"
    )
    assert game.details(plain)[-1] == "Fever in the leg is gone on day 9."
    sheet = game.sheet(plain)
    assert (sheet["lowered"], sheet["rage_rounds"]) == ("-2", 1)
    assert [row["name"] for row in sheet["wounds"]] == ["Fever"]
    assert sheet["visions"][0]["name"] == "Dread (fire)"
    assert game.sheet(game.plain_state(game.read_state({})))["lowered"] == ""


def test_somebody_joins_with_what_the_author_asks(game: AnyGame) -> None:
    joined = game.newcomer(["hp", "4", "as", "beast"])
    assert game.plain_state(joined) == {**FRESH, "hp": 4, "kind": "beast"}
    with pytest.raises(UsageError, match="write add NAME"):
        game.newcomer(["weeks", "4"])


# --- what is told ----------------------------------------------------------------------------------------------------


def test_a_step_is_told_in_words_and_fields_of_ones_own(game: AnyGame) -> None:
    _, log = happen(game, "blow 2")
    values = {"number": "hp", "by": 2, "left": 4, "damage": 2, "hp": 4}
    assert log[0] == {"kind": "struck", "text": "2 off, 4 left."} | values
    assert happen(game, "blow 6")[1][0]["text"] == "6 off: down."


def test_what_happens_by_itself_is_told_otherwise_where_it_fits(game: AnyGame) -> None:
    _, log = happen(game, "anger", {}, (1,))
    assert [(each["kind"], each["text"], each["left"]) for each in log] == [("raging", "Rage for 1 round.", 1)]
    state, log = happen(game, "day 3", {"wounds": [{"what": "fever", "days": 2}]})
    ended = next(entry for entry in log if entry["kind"] == "ends")
    assert (ended["text"], ended["why"]) == ("Fever breaks on day 2.", "F1")
    assert (state["day"], state["wounds"]) == (3, [])
    state, log = happen(game, "round", {"conditions": [{"condition": "dazed", "until": "1 round"}]})
    assert [entry["text"] for entry in log] == ["Dazed is over."]


def test_who_is_held_is_refused(game: AnyGame) -> None:
    with pytest.raises(HackjackError, match="the character is dying and binds nothing"):
        happen(game, "bind", {"dying": True, "wounds": [{"what": "fever", "days": 2}]})


@pytest.mark.parametrize(("text", "says"), [
    ("{n day}", "2 days"),
    ("{one day}", "1 day"),
    ("{n injury/injuries}", "2 injuries"),
    ("{n?yes|no} {none?yes|no}", "yes no"),
    ("{n?{one?both {n}}|no}", "both 2"),
    ("{word=left?L|R}{word=right?L|R}", "LR"),
    ("{low} and {none}.", "\N{MINUS SIGN}3 and ."),
    ("It hurts {none?badly|}", "It hurts"),
    ("{", "{"),
    ("a {b c", "a {b c"),
    ("{n?open", "{n?open"),
    ("{}{ n}", "{}{ n}"),
])  # fmt: skip
def test_words_with_values(text: str, says: str) -> None:
    values: dict[str, int | str | None] = {"n": 2, "one": 1, "none": None, "word": "left", "low": -3}
    assert fill_quotes(text, values.__getitem__) == says
    assert set(quoted_names(text)) <= set(values)


# --- events and odds -------------------------------------------------------------------------------------------------


def test_words_depend_on_what_was_said_before(game: AnyGame) -> None:
    for words, says in {
        "blow 2 type=fall spot=head": 'spot cannot be "head" with type=fall: write arm or leg',
        "blow 2 type=fire spot=arm": 'spot cannot be "arm" with type=fire: leave it out',
    }.items():
        with pytest.raises(UsageError) as refused:
            happen(game, words)
        assert says in str(refused.value)
    happen(game, "blow 2 type=fall spot=leg")


def test_odds_are_asked_of_what_the_author_lists(game: AnyGame) -> None:
    assert list(game.QUESTIONS) == ["blow", "doomed"]
    assert "doomed" not in game.EVENTS
    found = game.odds(game.read_state({}), game.read_question(["blow", "6"], {}), Asked())
    assert list(found.plain) == ["dying", "conditions"]
    assert [line.partition("  ")[0] for line in found.lines[:2]] == ["down and dying", "hurt"]
    asked = game.read_question(["doomed", "2"], {"spared_in": "25"})
    plain = game.odds(game.read_state({}), asked, Asked()).plain
    assert plain["seen"]["fraction"] == "3/4"
    assert {name: share["fraction"] for name, share in plain["rows"].items()} == {
        "Dread": "1/4",
        "A light": "1/4",
        "A voice": "1/4",
    }
    with pytest.raises(HackjackError, match="--hits counts deaths, and blow kills nobody"):
        game.odds(game.read_state({}), game.read_question(["blow", "6"], {}), Asked(hits=2))


# --- faults of authors -----------------------------------------------------------------------------------------------

FAULTS = {
    ("{key: hp}", "{key: hpp}"): 'unknown number, word or list of a state "hpp"',
    ("{key: dead}", "{key: hp}"): '"hp" stands here twice',
    ("of: rage, as: one", "of: long, as: one"): "only a list may hold more than one condition",
    (
        "{key: conditions, of: any",
        "{key: conditions, of: fever",
    ): "some conditions would appear nowhere: add {key: cond",
    ("as: flag, until: bind,", "as: flag, fields: {a: left}, until: bind,"): "yes or no has no fields",
    (
        "of: visions, fields: {name: row, detail: detail}",
        "of: visions, fields: {detail: detail}",
    ): "the fields say which",
    ("{damage} off{", "{to} off{"): 'there is no "{to}" to quote',
    ('log "{damage} off{hp=0?: down|, {hp} left}."', "nothing"): "",
    ("{of: passes,", "{of: passses,"): 'unknown entry of the log "passses": did you mean "passes"?',
    ("Rage for {left round}", "Rage for {lft round}"): 'there is no "{lft}" to quote: did you mean "left"?',
    ("when: unit == 'round'", "when: unitt == 'round'"): "\"unitt == 'round'\": nothing is called unitt",
    ("{holds: hp <= 99,", "{"): "say what must hold: holds, or free_of with conditions",
    ("joins: {hp: hp,", "joins: {hp: hpp,"): 'unknown number or word "hpp"',
    ("while dazed", "while dazzed"): 'unknown condition "dazzed": did you mean "dazed"?',
    ("penalty 2 to hp", "penalty 1d4 to hp"): "formulas ask by how much hp is lowered",
}


@pytest.mark.parametrize("fault", FAULTS, ids=lambda each: each[1][:30])
def test_a_fault_is_told_with_its_cure(fault: tuple[str, str], tmp_path: Path) -> None:
    old, new = fault
    assert old in HEAD
    ran = run("check", written(tmp_path / "fevers", HEAD.replace(old, new, 1)))
    assert ran.code == 1
    assert FAULTS[fault] in ran.err
    assert "Traceback" not in ran.err
