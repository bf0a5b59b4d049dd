"""The 52-card engine at the table: the rules as recorded fights, whole fights, odds, sessions, and bad input."""

from __future__ import annotations

import itertools
import json
import random
import re
import shutil
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from conftest import GOLDENS
from helpers import ROOT, fiftytwo, run
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from generator.base.cards import FULL_DECK
from generator.base.errors import HackjackError, UsageError
from generator.games import game_of, log_lines
from generator.games.face import Asked
from generator.games.fiftytwo import engine as field
from generator.games.fiftytwo import order as field_order
from generator.games.fiftytwo.odds import attack_odds, chance_to_act_first
from generator.games.fiftytwo.state import FieldState, Fighter, Roster, plain_state, read_state
from generator.model.log import Log
from generator.model.rules import plain_value
from generator.pack.load import load_pack
from generator.pack.pack_locations import find
from generator.pack.settings import with_settings
from generator.play.chance import Given, Seeded
from generator.play.event_spec import read_pairs

ROLLS = (6, 10, 4, 8, 5, 8, 5, 7, 7)
ALPHONSE = (
    "QD 7D 3C 2S KH 3D JC / 5H AC 9S 10S 10D 6C 8D / 4H JS 2H QC 8C 10H AH "
    "/ 3H 9D QS 7C KS 8S 4S / 6S 2C 5C 4D 6D JD 9C"
)
"""A field on which the worked turn can be played as it is told; the source shows its own only in pictures."""


def do(
    state: FieldState, text: str, luck: Any = None, at: dict[str, str] | None = None, **settings: str
) -> tuple[FieldState, Log]:
    system = with_settings(fiftytwo(), settings.items())
    return field.step(system, state, field.read_event(text.split(), at or {}), luck or Given())


def fresh(**plain: Any) -> FieldState:
    return read_state(plain, fiftytwo())


def begun() -> FieldState:
    """The worked fight after initiative."""
    return do(fresh(), "initiative", Given(dice=ROLLS))[0]


def person(name: str, side: str, **changes: Any) -> dict[str, Any]:
    return {"name": name, "side": side, "hp": 9, "weapon": {"name": "stick"}, "normal": [1], "critical": [2], **changes}


def turn(who: str = "Evans", **changes: Any) -> FieldState:
    """A turn in the worked fight on a small field."""
    acting = "allies" if who[0] == "A" else "enemies"
    return fresh(
        columns=[["9H", "QS"], ["9S", "3C"], ["2H"]],
        turn={"who": who, "points": 6, "free": 1, "acting": acting, **changes},
    )


# --- the rules, as a table plays them --------------------------------------------------------------------------------

QUIET = {"field", "order", "total"}


def state_of(written: str) -> FieldState:
    """A state as the recorded fights name it."""
    name, _, more = written.partition(" ")
    if name == "two":
        # Two who roll the same; the second one differs.
        first = person("First", "allies", intelligence=1, strength=2)
        return fresh(roster=[first, {**first, "name": "Second", **json.loads(more)}])
    if name == "turn":
        who, _, changes = more.partition(" ")
        return turn(who, **json.loads(changes))
    if name == "alphonse":
        return do(begun(), f"lay {ALPHONSE}")[0]
    for side, who in (("allies", "Ann"), ("enemies", "Orc")):
        for word, surprise in ((f"{who.upper()} surprise", True), (who.upper(), False)):
            written = written.replace(word, json.dumps(person(who, side, surprise=surprise)))
    return {"begun": begun, "fresh": fresh}[name]() if name in ("begun", "fresh") else fresh(**json.loads(written))


def arranged(state: FieldState, words: str) -> FieldState | None:
    """What no event does: turns that pass, who attacked whom, another's turn; None for an event."""
    name, _, more = words.partition(" ")
    if name == "turns":
        for _ in range(int(more or 99)):
            if all(fighter.acted for fighter in state.fighters):
                break
            state = do(state if state.turn else do(state, "points")[0], "end")[0]
        return state
    if name == "attacked":
        for each in more.split(", "):
            who, attacker = each.split(" by ")
            state = state.with_fighter(replace(state.find(who), attacked_by=attacker))
        return state
    if name != "now":
        return None
    if more == "build on nothing":
        return fresh(roster=[person("Ogre", "enemies", uses="challenge", attack=4)])
    if more.startswith("bare "):
        people = [
            person(one.name, one.side) if one.name == more[5:] else plain_value(one) for one in fiftytwo().combatants
        ]
        return fresh(**{**plain_state(state), "roster": people})
    _, who, changes = more.split(" ", 2)
    return fresh(**{**plain_state(state), "turn": {"who": who, **json.loads(changes)}})


def tried(state: FieldState, line: str) -> tuple[FieldState, list[str]]:
    """An event as typed, with its luck and the readings in force, and what is told of it or why it cannot be."""
    words, _, settings = line.removesuffix("]").partition(" [")
    words, *luck = re.split(r" (dice|cards|choose|seed) ", words)
    given = {name: value.split() for name, value in zip(luck[::2], luck[1::2], strict=True)}
    numbers = {name: [int(value) for value in given.get(name, ())] for name in ("dice", "choose", "seed")}
    chance = Seeded(numbers["seed"][0]) if numbers["seed"] else Given(
        given.get("cards", ()), numbers["dice"], numbers["choose"]
    )  # fmt: skip
    game = game_of(with_settings(fiftytwo(), dict(each.split("=") for each in settings.split()).items()))
    at, said = read_pairs(words.split(), {})
    try:
        after, log = game.step(state, game.read_given(said, at, None), chance)
    except HackjackError as error:
        assert "\n" not in str(error)
        return state, [f"! {'usage: ' if isinstance(error, UsageError) else ''}{error}"]
    assert read_state(json.loads(json.dumps(plain_state(after))), fiftytwo() if not settings else game.system) == after
    return after, [game.line(entry) for entry in log if entry.kind not in QUIET] or ["done"]


def shown(state: FieldState, what: str) -> str:
    """What a state holds: `Alan.hp`, `turn.points`, `columns`, the `order` by name, how deep columns are."""
    if what == "order":
        return ", ".join(sorted(f"{one.name} {one.initiative}" for one in field_order.fighters_in_order(state)))
    if what == "depths":
        return " ".join(str(len(column)) for column in state.columns)
    if what in ("columns", "discard"):
        held = getattr(state, what)
        return " / ".join(" ".join(each) or "-" for each in held) if what == "columns" else " ".join(held)
    who, key = what.split(".")
    return str(getattr(state.turn if who == "turn" else state.find(who), key)) or "nobody"


def test_the_rules_are_played_as_they_are_recorded(golden: Callable[[str, str], None]) -> None:
    """Each paragraph is a promise: commands (`>`, or `~` where the state stays as it was) and what is told of them."""
    name, told, state = "fiftytwo-rules.txt", list[str](), fresh()
    for line in (GOLDENS / name).read_text(encoding="utf-8").splitlines():
        kind, _, rest = line.partition(" ")
        if kind == "state:":
            state = state_of(rest)
        if kind in ("#", "state:", ">", "~", "?") or not line:
            told.append(line)
        if kind in (">", "~"):
            after = arranged(state, rest)
            after, lines = (after, []) if after else tried(state, rest)
            told += [f"  {each}" for each in lines]
            state = after if kind == ">" else state
        elif kind == "?":
            told += [f"  = {shown(state, each)}" for each in rest.split()]
    golden(name, "\n".join(told) + "\n")


def obvious_order(totals: list[int]) -> list[int]:
    """The rule of ties by hand: the one who stands first in the list wins every tie, by the total and then by place."""
    slots = dict(enumerate(totals))
    while True:
        shared = [slot for slot in slots.values() if list(slots.values()).count(slot) > 1]
        if not shared:
            return [slots[at] for at in range(len(totals))]
        top = max(shared)
        tied = sorted((at for at in slots if slots[at] == top), key=lambda at: (-totals[at], at))
        if top + 1 not in slots.values():
            slots[tied[0]] = top + 1
        else:
            for at in tied[1:]:
                slots[at] -= 1


@given(st.lists(st.integers(-3, 12), min_size=1, max_size=12))
def test_every_number_is_had_once_and_as_the_obvious_way_says(totals: list[int]) -> None:
    """Who comes earlier has the higher die here, so the list's third line settles what the totals do not."""
    people = [
        person(
            f"P{chr(65 + at)}",
            "allies" if at % 2 else "enemies",
            initiative={"roll": 40 - at, "circumstance": total - (40 - at)},
        )
        for at, total in enumerate(totals)
    ]
    state, _ = do(fresh(roster=people), "initiative")
    found = [one.initiative for one in state.fighters]
    assert len(set(found)) == len(found)
    assert found == obvious_order(totals)


@given(st.integers(0, 10**6), st.integers(2, 12))
def test_later_initiative_keeps_numbers_apart_and_nobody_goes_down(seed: int, count: int) -> None:
    luck = random.Random(seed)
    names = [f"P{chr(65 + at)}" for at in range(count)]
    sides = {name: luck.choice(["allies", "enemies"]) for name in names}
    slots = luck.sample(range(1, 30), count)
    fighters = tuple(
        Fighter(name=name, hp=5, initiative=slot, attacked_by=luck.choice(["", *names]))
        for name, slot in zip(names, slots, strict=True)
    )
    state, _ = field_order.resequence(FieldState(fighters=fighters), lambda one, two: sides[one] != sides[two])
    after = {one.name: one.initiative or 0 for one in state.fighters}
    assert len(set(after.values())) == count
    order = sorted(after, key=lambda name: -after[name])
    for fighter in fighters:
        assert after[fighter.name] >= (fighter.initiative or 0)
        attacker = fighter.attacked_by
        if attacker and sides[attacker] != sides[fighter.name] and after[fighter.name] < after[attacker]:
            # Between somebody and the attacker stand only others whom that attacker struck, and those who follow them.
            between = order[order.index(attacker) + 1 : order.index(fighter.name)]
            assert all(_led(name, attacker, fighters, sides) for name in between), (order, fighter)


def _led(name: str, attacker: str, fighters: tuple[Fighter, ...], sides: dict[str, str]) -> bool:
    """Whether the chain of last attackers leads from somebody to the attacker."""
    by = {one.name: one.attacked_by for one in fighters}
    seen = set()
    while name and name not in seen and name != attacker:
        seen.add(name)
        name = by[name] if by[name] and sides[by[name]] != sides[name] else ""
    return name == attacker


@pytest.mark.parametrize(("width", "padding", "pool"), [(9, 0, 7), (10, 5, 7), (11, 10, 7), (13, 20, 7), (19, 50, 7)])
def test_wide_fields_are_padded_from_a_second_deck(width: int, padding: int, pool: int) -> None:
    state, _ = do(fresh(), f"deal {width}", Seeded(4))
    assert (len(state.padding), len(state.reserve)) == (padding, pool)
    assert [len(column) for column in state.columns] == [5] * width
    assert read_state(plain_state(state), fiftytwo()) == state


def test_an_empty_pool_is_made_of_the_discards() -> None:
    state = fresh(columns=[["9H"], []], reserve=[], discard=[code for code in FULL_DECK if code != "9H"])
    state, log = do(state, "act add 2", Seeded(3))
    assert log[0].kind == "reshuffle"
    assert (len(state.reserve), len(state.discard)) == (50, 0)


def test_a_field_is_typed_in_and_drawn_back() -> None:
    done = run("resolve", "fiftytwo", "lay", "--", "-- 10H . / 9h 8s 2D / 4C 5H 6S")
    assert done.out.startswith("        1   2   3\n   3    . 10H   .\n   2   9H  8S  2D\n   1   4C  5H  6S\n")
    shape = json.loads(run("resolve", "fiftytwo", "lay", "9H 8S / 4C 5H", "--json").out)
    assert shape["state"]["columns"] == [["4C", "9H"], ["5H", "8S"]]
    assert len(shape["state"]["reserve"]) == 48


def test_moves_are_shown_by_what_they_open_and_cost_ten_at_most() -> None:
    state, _ = do(begun(), f"lay {ALPHONSE}")
    everything = [entry.facts for entry in do(state, "moves allies all")[1]]
    *few, more = [entry.facts for entry in do(state, "moves")[1]]
    assert few == everything[:10]
    assert more["count"] == len(everything) - 10
    opening = [(move["criticals"] + move["normals"] > 0, move["cost"]) for move in everything]
    assert opening == sorted(opening, key=lambda move: (not move[0], move[1]))
    assert opening[0][0]
    assert not opening[-1][0]


# --- whole fights -----------------------------------------------------------------------------------------------------


def played(seed: int, steps: int) -> list[dict[str, Any]]:
    """A fight from a seed, everybody doing the best that is offered."""
    luck = Seeded(seed)
    state = do(fresh(), "initiative", luck)[0]
    state = do(do(state, "columns", luck)[0], "deal", luck)[0]
    history = [plain_state(state)]
    for _ in range(steps):
        state = one_step(state, luck)
        history.append(plain_state(state))
        if len({Roster(fiftytwo(), state)[one.name].side for one in state.fighters if one.hp > 0}) < 2:
            break
    return history


def one_step(state: FieldState, luck: Seeded) -> FieldState:
    turn = state.turn
    if turn is None:
        over = not any(one.hp > 0 and not one.acted and one.initiative is not None for one in state.fighters)
        return do(state, ("round" if state.resequenced else "later-initiative") if over else "points", luck)[0]
    if turn.purse and (turn.criticals or turn.normals):
        roster = Roster(fiftytwo(), state)
        target = roster.side("enemies" if turn.acting == "allies" else "allies")[0].name
        return do(state, f"act {'critical' if turn.criticals else 'attack'} {target}", luck)[0]
    moves = [entry for entry in do(state, "moves")[1] if entry.kind == "move"]
    if turn.purse and moves:
        return do(state, f"act {moves[0].facts['move']}", luck)[0]
    return do(state, "end", luck)[0]


@pytest.mark.parametrize("seed", [1, 2])
def test_a_fight_replays_from_its_seed_and_every_state_reads_back(seed: int) -> None:
    first = played(seed, 150)
    assert first == played(seed, 150)
    assert len(first) > 50
    for told in first[::10]:
        again = json.loads(json.dumps(told))
        assert json.loads(json.dumps(plain_state(read_state(again, fiftytwo())))) == again
        lying = [code for column in told["columns"] for code in column]
        assert sorted([*lying, *told["reserve"], *told["discard"]]) == sorted(FULL_DECK)


TYPED = (
    *(["initiative"], ["columns"], ["deal"], ["points"], ["points", "Evans"], ["end"], ["hold"], ["moves"], ["field"]),
    *(["act", "take", "1.1"], ["act", "take", "2.3"], ["act", "take", "9H"], ["act", "pair", "1.1", "2.1"]),
    *(["act", "add", "1"], ["act", "add", "2", "3"], ["act", "attack", "Alan"], ["act", "critical", "Eckhart"]),
    *(["act", "spell"], ["act", "spell", "Evans", "30"], ["act", "suspend"], ["act", "raise"], ["act", "move"]),
    *(["surprise", "Evans", "Alan"], ["ambush", "Evans", "1"], ["reflex", "Alan", "pass"], ["heal", "Able", "9"]),
    *(["round"], ["later-initiative"], ["leave", "Esther"], ["join", "Bryn"], ["lay", "9H", ".", "/", "2C", "3C"]),
    *(["act", "spell", "done"], ["deliver", "Able", "Evans", "30", "Alan", "9"], ["deliver", "Evans"], ["turn"]),
    *(["hurt", "Alan", "200"], ["opportunity", "Evans", "Alan"], ["enter", "Esther"], ["enter", "everybody"]),
    *(["surprise", "Alan", "Evans"], ["leave", "everybody"], ["threshold", "Alan", "Evans"], ["turn", "Alphonse"]),
    *(["deal", "13"], ["act", "add", "1", "²"], ["act", "take", "².1"], ["heal", "", "5"], ["lay", "/"]),
)


@given(st.lists(st.sampled_from(TYPED), max_size=40), st.integers(0, 10**6), st.sampled_from(["5", "4", "4_then_5"]))
def test_whatever_is_typed_is_done_or_refused_in_a_sentence(typed: list[list[str]], seed: int, depth: str) -> None:
    """In any order: what is done reads back as it was, and what cannot be done changes nothing."""
    system, luck = with_settings(fiftytwo(), [("depth", depth)]), Seeded(seed)
    state = read_state({}, system)
    for words in (["initiative"], ["columns"], ["deal"], *typed):
        try:
            state, log = field.step(system, state, field.read_event(words, {}), luck)
        except HackjackError as error:
            assert "\n" not in str(error)
            continue
        assert all(log_lines(log, system))
        assert read_state(json.loads(json.dumps(plain_state(state))), system) == state


# --- bad input --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("state", "fault"),
    [
        ([], "the state is not a JSON object"),
        ({"colums": []}, 'unknown key "colums": did you mean "columns"?'),
        ({"columns": [["AC"], ["AC"]]}, "AC lies there 2 times, and the deck has 1: name the cards of a second deck"),
        ({"columns": [["ZZ"]]}, 'the state names an unknown card "ZZ"'),
        ({"columns": [["RJ"]]}, 'the state names an unknown card "RJ"'),
        ({"columns": [["AC"]], "reserve": ["2C"]}, "the state has lost cards: 3C"),
        ({"columns": [["AC", "2C", "3C", "4C", "5C", "6C", "7C"]]}, "column 1 is too deep; the limit is 6 cards"),
        ({"fighters": [{"name": "Zoe", "hp": 3}]}, 'names somebody unknown, "Zoe"'),
        ({"fighters": [{"name": "Alan", "hp": 3}, {"name": "Alan", "hp": 3}]}, "has Alan twice"),
        (
            {"fighters": [{"name": "Alan", "hp": 3, "initiative": 4}, {"name": "Able", "hp": 3, "initiative": 4}]},
            "two fighters have one initiative",
        ),
        ({"turn": {"who": "Zoe"}}, 'names somebody unknown, "Zoe"'),
        ({"turn": {"who": "Alan", "points": -1}}, "the state's turn.points is -1: it must be from 0 to 1,000,000"),
        ({"turn": {"who": "Alan", "placed": {"x": 1}}}, 'speaks of a column "x"'),
        ({"turn": {"who": "Alan", "placed": {"9" * 5000: 1}}}, 'speaks of a column "99999999999999999999"'),
        ({"padding": ["AC", "AC"]}, "names a card twice"),
        ({"columns": [[] for _ in range(30)]}, "the state's columns are more than 19"),
        ({"round": 10**12}, "the state's round is 1,000,000,000,000: it must be from 0 to 1,000,000"),
    ],
)
def test_a_bad_state_is_refused_in_a_sentence(state: Any, fault: str) -> None:
    with pytest.raises(HackjackError, match=re.escape(fault)):
        game_of(fiftytwo()).read_state(state)


def test_resolve_refuses_with_the_status_of_the_error(tmp_path: Path) -> None:
    """The recorded fights hold every sentence; here are the two kinds of error and a state's, at the command line."""
    path = tmp_path / "state.json"
    path.write_text("[]")
    for code, fault, words in (
        (2, 'did you mean "take"?', ["act", "tak", "6S"]),
        (1, "needs 9d20 (initiative of Alan", ["initiative"]),
        (1, "the state is not a JSON object", ["field", "--state", path]),
    ):
        done = run("resolve", "fiftytwo", *words)
        assert (done.code, len(done.faults)) == (code, 1), done.err
        assert fault in done.err


def test_combatants_come_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "party.yaml"
    path.write_text(
        "combatants:\n"
        "  - {name: Ann, side: allies, hp: 9, dexterity: 2, weapon: {name: bow}, normal: [1d6], critical: [2d6],"
        " initiative: {roll: 12}}\n"
        "  - {name: Orc, side: enemies, hp: 9, weapon: {name: axe}, normal: [1d6], critical: [2d6]}\n"
    )
    shape = json.loads(run("resolve", "fiftytwo", "initiative", path, "--dice", "7", "--json").out)
    assert [(one["name"], one["initiative"]) for one in shape["state"]["fighters"]] == [("Ann", 14), ("Orc", 7)]
    assert [one["name"] for one in shape["state"]["roster"]] == ["Ann", "Orc"]
    path.write_text(path.read_text().replace("allies", "alies"))
    done = run("resolve", "fiftytwo", "initiative", path)
    assert (done.code, len(done.faults)) == (1, 1)
    assert 'party.yaml:2:23: "alies" is not known here: did you mean "allies"?' in done.err


def test_what_a_journal_kept_is_read_with_care() -> None:
    game = game_of(fiftytwo())
    for kept in ("[", "[1]", '[{"name": "4"}]', "[" * 50_000):
        with pytest.raises(UsageError, match="the combatants that were given cannot be read"):
            game.read_given(["initiative", "party.yaml"], {}, kept)


def test_a_pack_that_lacks_a_table_or_a_price_is_unsound(tmp_path: Path) -> None:
    pack = Path(shutil.copytree(ROOT / "content" / "fiftytwo", tmp_path / "pack"))
    tables = pack / "tables.yaml"
    text = tables.read_text()
    spoilt = re.sub(r"(- name: Matching pair\n +cells:)\n +cost: 1", r"\1", text)
    assert spoilt != text
    tables.write_text(spoilt)
    done = run("check", pack)
    assert done.code == 1
    assert 'the row "Matching pair" has no number in the column cost' in done.err
    (pack / "combatants.yaml").write_text((pack / "combatants.yaml").read_text().replace("[Evans]", "[Alice]"))
    assert re.search(r'pack/combatants\.yaml:\d+:\d+: "Alice" is not an opponent of Alan', run("check", pack).err)
    tables.write_text(text.replace("id: armour", "id: armor"))
    assert "the table armour is missing" in run("check", pack).err


# --- odds -------------------------------------------------------------------------------------------------------------


def test_odds_of_the_next_card() -> None:
    done = run("odds", "fiftytwo", "add", "1", "--json", "--state", "-")
    assert done.code == 1
    state = fresh(columns=[["9H", "QS"], ["9S", "3C", "KD"]])
    assert json.loads(_odds(state, "1"))["pair"]["fraction"] == "6/47", "three queens and three kings"


def _odds(state: FieldState, column: str) -> str:
    game = game_of(fiftytwo())
    answer = game.odds(state, game.read_question(["add", column], {}), Asked())
    return json.dumps(answer.plain)


def test_who_acts_first_is_what_every_two_rolls_say() -> None:
    """Alan adds 7 and Evans 6; Evans has surprise, so ties are his."""
    done = run("odds", "fiftytwo", "initiative", "Alan", "Evans", "--json")
    ahead = sum(one + 7 > other + 6 for one in range(1, 21) for other in range(1, 21))
    assert json.loads(done.out)["first"]["fraction"] == f"{ahead // 10}/{40}", done.out
    done = run("odds", "fiftytwo", "initiative", "Emberry", "Emberry")
    assert (done.code, done.faults) == (1, ["Emberry is named twice: name two people"])


@pytest.mark.parametrize(("strength", "chance"), [(0, Fraction(1, 2)), (1, Fraction(57, 120))])
def test_equals_roll_off_and_the_weaker_goes_first(strength: int, chance: Fraction) -> None:
    """Twenty of 400 rolls are equal; who wins these is a roll-off, or Strength."""
    roster = [person("First", "allies", intelligence=1, strength=strength), person("Other", "enemies", intelligence=1)]
    state = fresh(roster=roster)
    expected = Fraction(1, 2) if strength == 0 else Fraction(190, 400)
    assert chance == expected
    assert chance_to_act_first(fiftytwo(), state, *state.fighters) == chance


def test_first_is_the_order_that_the_whole_table_comes_to() -> None:
    """However many others there are, of each two the one with the higher total is before the other."""
    luck = random.Random(5)
    for _ in range(40):
        dice = [luck.randint(1, 20) for _ in range(9)]
        state, _ = do(fresh(), "initiative", Given(dice=[*dice, *[luck.randint(1, 20) for _ in range(60)]]))
        for one in state.fighters:
            for other in state.fighters:
                if (one.total or 0) > (other.total or 0):
                    assert (one.initiative or 0) > (other.initiative or 0)


def one_after_the_other(kind: str, count: int, hp: int, **fighter: Any) -> list[Fraction]:
    """The slow way: every roll of every attack through the engine."""
    start = fresh(fighters=[{"name": "Able", "hp": 39}, {"name": "Esther", "hp": hp, **fighter}])
    down: list[Fraction] = []
    alive = {start: Fraction(1)}
    for _ in range(count):
        after: dict[FieldState, Fraction] = {}
        for state, chance in alive.items():
            turn = {"who": "Able", "points": 9, "normals": 1, "criticals": 1}
            ready = fresh(**{**plain_state(state), "turn": turn})
            rolls: list[tuple[int, ...]] = [()]
            try:
                do(ready, f"act {kind} Esther")
            except HackjackError:
                rolls = [*itertools.product(range(1, 5), repeat=2 if kind == "critical" else 1)]
            for dice in rolls:
                done, _ = do(ready, f"act {kind} Esther", Given(dice=dice))
                done = replace(done, turn=None)
                after[done] = after.get(done, Fraction(0)) + chance / len(rolls)
        dead = sum((chance for state, chance in after.items() if state.find("Esther").hp <= 0), Fraction(0))
        down.append(dead + (down[-1] if down else 0))
        alive = {state: chance for state, chance in after.items() if state.find("Esther").hp > 0}
    return down


@pytest.mark.parametrize(("kind", "hp", "hits"), [("attack", 9, 0), ("attack", 4, 1), ("critical", 19, 0)])
def test_attacks_in_a_row_against_every_roll(kind: str, hp: int, hits: int) -> None:
    """Esther's hide asks for two hits of a dagger of +2; it does 3 to 6, and 6 to 12 as a critical attack."""
    state = fresh(fighters=[{"name": "Able", "hp": 39}, {"name": "Esther", "hp": hp, "hits": hits}])
    able, esther = state.fighters
    found = attack_odds(fiftytwo(), state, able, esther, critical=kind == "critical", count=6)
    assert list(found.down_by) == one_after_the_other(kind, 6, hp, hits=hits)
    assert found.threshold == 2


def test_odds_of_attacks_are_told() -> None:
    done = run("odds", "fiftytwo", "critical", "Evans", "Alan", "--hits", "2")
    assert done.code == 0, done.err
    assert "Alan has 158 HP and 0 of 5 hits on the armour" in done.out
    assert "a critical attack that gets through does 24 to 45, 34.5 on average" in done.out
    assert json.loads(run("odds", "fiftytwo", "attack", "Able", "Esther", "--json").out)["damage"]["mean"] == 4.5


@pytest.mark.parametrize(
    ("words", "code", "fault"),
    [
        (["attack", "Evans"], 2, "write attack WHO TARGET [--hits K]"),
        (["attak", "Evans", "Alan"], 2, 'attak has no odds: did you mean "attack"?'),
        (["attack", "Evans", "Alan", "--hits", "61"], 1, "ask for 1 to 60 attacks in a row, not 61"),
        (["attack", "Evans", "Alan", "--hits", "0"], 1, "ask for 1 to 60 attacks in a row, not 0"),
        (["initiative", "Evans", "Alan", "--hits", "2"], 1, "the odds of initiative are counted at once"),
        (["attack", "Evans", "Zoe"], 1, 'nobody here is called "Zoe"'),
        (["add", "x"], 1, "there is no field yet"),
        (["add", "1", "--at", "side=allies"], 2, "add takes no --at side"),
    ],
)
def test_bad_questions_are_refused_in_a_sentence(words: list[str], code: int, fault: str) -> None:
    done = run("odds", "fiftytwo", *words)
    assert (done.code, len(done.faults)) == (code, 1), done.err
    assert fault in done.err


# --- sessions ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HACKJACK_HOME", str(tmp_path / "home"))
    return tmp_path


def at_table(*words: str, code: int = 0) -> str:
    done = run("play", "--campaign", "ambush", *words)
    assert done.code == code, done.err
    return done.out if code == 0 else done.err


def table(*lines: tuple[str, str]) -> None:
    """Commands at the campaign's table, and what each tells; one that begins with `!` is refused."""
    for typed, said in lines:
        told = at_table(*typed.removeprefix("!").split(), code=int(typed[0] == "!"))
        assert said in told, (typed, told)


def ambush() -> None:
    """The worked fight at the table, with Alphonse's field."""
    done = run("play", "fiftytwo", "--campaign", "ambush", "initiative", "worked_fight")
    assert done.code == 0, done.err
    assert "14                          Evans" in done.out, "the worked fight ships with its dice"
    at_table("lay", *ALPHONSE.split())


@pytest.mark.usefixtures("home")
def test_a_session_keeps_the_fight_and_takes_moves_back() -> None:
    """Undo and redo name the cards and show the field; the first act begins a turn; points tell what is left."""
    ambush()
    before = at_table("show")
    table(("ambush eck 2 10C", "Eckhart puts 10C on column 2."), ("undo", "Off the field again: 10C"))
    assert at_table("show") == before
    table(
        ("act take 4.2", "Alphonse has 8 points and the free action"),
        ("undo", "Undone: act take 4.2\nOn the field again: 7C\n        1   2   3"),
        ("redo", "Done again: act take 4.2\nOff the field again: 7C"),
        ("undo", "Undone: act take 4.2"),
        ("act pair 10S 10D", "10 of spades and 10 of diamonds leave the field."),
        ("points", "Alphonse has 8 points left, with a critical attack open."),
        ("act critical eckhart dice 5 5", "Eckhart takes 20 and has 82 HP."),
        ("points Evans", "Evans has 14 points"),
        ("!act add 1 2H", "Alphonse attacks enemies and adds no cards"),
        ("end", "Evans is next"),
        ("act add 4 KC", "King of clubs goes on column 4."),
        ("undo", "Off the field again: KC"),
        ("redo", "On the field again: KC"),
    )


@pytest.mark.usefixtures("home")
def test_who_looks_changes_nothing_takes_no_luck_and_leaves_undo_and_redo_alone() -> None:
    done = run("play", "fiftytwo", "--campaign", "ambush", "field")
    assert (done.code, done.faults) == (2, ['there is no campaign "ambush"; join begins it'])
    ambush()
    at_table("act", "pair", "10S", "10D")
    at_table("undo")
    before = at_table("log")
    table(
        ("field", "   5   QD  7D  3C"),
        ("moves", "pair 10S 10D: 1 point, opens a critical attack"),
        ("points", "Alphonse has 8 points and the free action"),
        ("points Evans reach=nobody", "Evans has 17 points"),
        ("threshold Alan Evans", "3 + 1 + 1 = 5 hits"),
    )
    assert "nothing needs the last die given (4): leave it out" in at_table("moves", "dice", "4", code=2)
    assert json.loads(at_table("points", "--json"))["state"]["turn"] is None
    assert at_table("log") == before
    table(("redo", "Done again: act pair 10S 10D"), ("undo", "Undone: act pair 10S 10D"))


@pytest.mark.usefixtures("home")
def test_a_deal_says_where_the_next_card_lies_and_a_virtual_table_deals_the_same_for_a_seed() -> None:
    done = run("play", "fiftytwo", "--campaign", "ambush", "deal", "4", "2C", "3C", "4C", "5C", "6C")
    assert done.err.startswith("needs a card: row 2 of 5 from the top, column 2 of 4: write the card after the command")
    fields = []
    for name in ("one", "two"):
        done = run("play", "fiftytwo", "--campaign", name, "--deck", "virtual", "--seed", "9", "deal", "11")
        assert done.code == 0, done.err
        fields.append(run("play", "--campaign", name, "field").out)
    assert fields[0] == fields[1]
    assert len(re.findall(r"\b(?:10|[2-9AJQK])[CDHS]\b", fields[0])) >= 50


@pytest.mark.usefixtures("home")
def test_people_of_ones_own_fight_at_the_table() -> None:
    done = run("play", "fiftytwo", "--campaign", "ambush", "initiative")
    assert done.code == 1
    assert "nobody fights yet: name a file, as in initiative party.yaml, or let people in with join" in done.err
    done = run("play", "fiftytwo", "--campaign", "ambush", "join", "Bryn", "hp=20", "armour=chain", "bonus=2")
    assert "Bryn joins the allies with 20 HP." in done.out, done.err
    at_table("join", "Big Orc", "side=enemies", "normal=1d8+2,1d4", "surprise=yes")
    table(
        ("surprise big bryn dice 3 1", "Big Orc surprises Bryn; no armour counts."),
        ("log", "Bryn takes 6 and has 14 HP."),
        ("initiative dice 15 4", "  15  Bryn"),
        ("enter alan dice 3", "Alan joins the allies with 158 HP."),
        ("enter everybody dice 1 1 1 1 1 1 1 1", "Esther joins the enemies with 75 HP."),
    )
    assert len(json.loads(at_table("show", "--json"))["state"]["fighters"]) == 11


@pytest.mark.usefixtures("home")
def test_a_session_outlives_the_file_of_its_combatants(tmp_path: Path) -> None:
    path = tmp_path / "party.yaml"
    path.write_text(
        "combatants:\n"
        "  - {name: Ann, side: allies, hp: 9, dexterity: 2, armour: {type: Chain, bonus: 1}, weapon: {name: bow},"
        " normal: [1d6], critical: [2d6]}\n"
        "  - {name: Orc, side: enemies, hp: 9, weapon: {name: axe}, normal: [1d6], critical: [2d6]}\n"
    )
    done = run("play", "fiftytwo", "--campaign", "ambush", "initiative", path, "dice", "9", "4")
    assert done.code == 0, done.err
    path.unlink()
    table(("show", "11  Ann: 9 HP"), ("undo", "Undone"), ("redo", "Done"), ("threshold Ann Orc", "1 + 1 = 2 hits"))


@pytest.mark.usefixtures("home")
def test_several_play_one_fight() -> None:
    """Somebody has the journal open, and others look and play all the same."""
    from generator.session.campaigns import campaign_file
    from generator.session.journal import Journal
    from generator.session.session import new_campaign

    ambush()
    system = load_pack(find("fiftytwo")).system
    journal = Journal(campaign_file("ambush"), system, new_campaign(system))
    table(("moves", "pair 10S 10D"), ("turn", "Alphonse"), ("end", "Evans is next"))
    assert [str(step.command) for step in journal.catch_up()] == ["turn", "end"]
