"""Cards of decks that steps draw: at the table, in odds, and what `check` says of them."""

from __future__ import annotations

import io
import json
from collections import Counter
from fractions import Fraction
from itertools import combinations_with_replacement, permutations
from math import comb, prod
from pathlib import Path
from typing import Any

import pytest
import yaml
from helpers import ROOT, pack_head, run

from generator.base.errors import HackjackError
from generator.cli import completion
from generator.games import game_of, plain_entry
from generator.games.face import Asked
from generator.games.steps.engine import EventRun
from generator.games.steps.kinds.cards import MAX_DRAWN
from generator.model.formulas import Formula
from generator.model.rules import Suffer, System
from generator.pack.load import load_pack
from generator.play.chance import Given, NeedsError, Seeded
from generator.play.every_way import every_way
from generator.session.deeds import Deed
from generator.session.party import PartyTable
from generator.session.session import advance, new_campaign, new_session
from generator.words.event_wording import event_sentences

KEEN = ROOT / "docs" / "examples" / "keen"
SYSTEM = (
    pack_head("drawn")
    + """\
procedure: {kind: steps, numbers: {hp: {name: HP, start: 10}, luck: {name: Luck}}}
conditions:
  cold: {name: Cold, says: You freeze, brief: cold}
  hot: {name: Hot, says: You burn, brief: hot}
events:
  cut:
    says: a cut
    takes: {type: {of: [ice, fire]}, many: {default: 1, most: 30}}
    do: [draw many from cuts face type]
    odds: {cold: has(cold), both: suffered(cold) and suffered(hot)}
  slip: {says: a mishap, do: [draw from slips]}
"""
)
DECKS: dict[str, Any] = yaml.safe_load("""
decks:
  - id: cuts
    title: Cuts
    faces: {ice: Ice, fire: Fire}
    lines: {depth: Depth}
    cards:
      - code: "1"
        name: Chill
        copies: 3
        lines: {depth: 1}
        effects: [hp -= 1]
        faces:
          ice: {name: Frost, effects: [suffer cold for good], note: It bites.}
          fire: {effects: [suffer hot for good]}
      - {code: Ember, name: Ember, copies: 2, effects: [suffer hot for 1d6 rounds]}
      - {code: Joy, name: Joy, effects: [luck += 1]}
  - id: slips
    title: Slips
    returns: true
    cards:
      - {code: "1", name: Trip, effects: [hp -= 2]}
      - {code: H7, name: Fall, copies: 3, effects: [hp -= 4]}
""")


def pack(folder: Path, *changes: tuple[str, str], decks: Any = None, text: str = SYSTEM) -> Path:
    made = folder / "drawn"
    made.mkdir()
    for before, after in changes:
        assert before in text
        text = text.replace(before, after, 1)
    (made / "system.yaml").write_text(text, encoding="utf-8")
    (made / "decks.yaml").write_text(json.dumps(decks or DECKS), encoding="utf-8")
    return made


def with_slips(**slips: Any) -> Any:
    """The decks with other keys for the second."""
    cuts, others = DECKS["decks"]
    return {"decks": [cuts, {**others, **slips}]}


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> System:
    folder = pack(tmp_path_factory.mktemp("packs"))
    ran = run("check", folder)
    assert (ran.code, ran.err) == (0, "")
    return load_pack(folder).system


def happen(
    system: System, words: str, state: Any = None, cards: tuple[str, ...] = (), dice: tuple[int, ...] = (), **at: str
) -> tuple[dict[str, Any], list[str]]:
    """The plain state after an event, and its sentences."""
    game, luck = game_of(system), Given(cards, dice)
    after, log = game.step(game.read_state(state or {}), game.read_event(words.split(), at), luck)
    luck.finish()
    return json.loads(json.dumps(game.plain_state(after))), [plain_entry(entry, system)["text"] for entry in log]


def odds(system: System, words: str, state: Any = None, asked: Asked | None = None, **at: str) -> dict[str, Any]:
    game = game_of(system)
    return game.odds(game.read_state(state or {}), game.read_question(words.split(), at), asked or Asked()).plain


def share(chance: dict[str, Any]) -> Fraction:
    return Fraction(chance["fraction"])


# --- at the table ----------------------------------------------------------------------------------------------------


def test_a_card_does_what_it_says_for_all_and_for_the_face(drawn: System) -> None:
    plain, said = happen(drawn, "cut ice", cards=("cuts:1",))
    assert said == ["Cuts, 1 (Ice): Frost.", "HP \N{MINUS SIGN}1: 9.", "  Cold for good.", "  It bites."]
    assert (plain["hp"], plain["drawn"]) == (9, ["cuts:1"])
    assert [held["condition"] for held in plain["conditions"]] == ["cold"]
    plain, said = happen(drawn, "cut fire", cards=("1",))
    assert said[0] == "Cuts, 1 (Fire): Chill."
    assert [held["condition"] for held in plain["conditions"]] == ["hot"]
    plain, said = happen(drawn, "cut ice", cards=("1", "joy", "ember"), dice=(4,), many="3")
    assert sum(line.startswith("Cuts, ") for line in said) == 3, "several cards all count"
    assert (plain["hp"], plain["luck"], plain["drawn"]) == (9, 1, ["cuts:1", "cuts:Joy", "cuts:Ember"])


def test_a_deck_stays_whole_or_is_shuffled_when_it_is_empty(drawn: System) -> None:
    plain: Any = {}
    for _ in range(5):
        plain, _said = happen(drawn, "slip", plain, ("slips:H7",))
    assert (plain["hp"], plain["drawn"]) == (10 - 5 * 4, [])
    whole = ["cuts:1"] * 3 + ["cuts:Ember"] * 2
    plain, said = happen(drawn, "cut ice", {"drawn": whole}, ("Joy", "1"), many="2")
    assert said[2] == "Cuts: no card is left, so all of them are shuffled again."
    assert plain["drawn"] == ["cuts:Joy", "cuts:1"], "what the event has drawn stays out"


def test_copies_are_out_one_by_one(drawn: System) -> None:
    plain: Any = {}
    for _ in range(3):
        plain, _said = happen(drawn, "cut ice", plain, ("cuts:1",))
    assert plain["drawn"] == ["cuts:1"] * 3
    with pytest.raises(HackjackError, match='"cuts:1" is not in the deck cuts: it is drawn already'):
        happen(drawn, "cut ice", plain, ("cuts:1",))


def test_luck_is_asked_for_and_a_seed_draws(drawn: System) -> None:
    with pytest.raises(NeedsError, match="needs a card of cuts"):
        happen(drawn, "cut ice")
    game, counts = game_of(drawn), Counter[str]()
    for seed in range(600):
        after, _ = game.step(game.read_state({}), game.read_event(["slip"], {}), Seeded(seed))
        counts[str(game.plain_state(after)["hp"])] += 1
    assert 400 < counts["6"] < 500


def test_too_many_cards_and_states_from_strangers_are_told(drawn: System) -> None:
    with pytest.raises(HackjackError, match=f"draw 0 to {MAX_DRAWN} cards at a time, not 30"):
        happen(drawn, "cut ice", many="30")
    for wrong, says in (
        (["cuts:1"] * 4, "more often than its deck has it"),
        (["cuts:9"], "and no deck has it"),
        (["1"], "and no deck has it"),
    ):
        with pytest.raises(HackjackError, match=f'has drawn the card "{wrong[0]}",? {says}'):
            game_of(drawn).read_state({"drawn": wrong})


def test_the_step_is_a_sentence(drawn: System) -> None:
    said = [str(each) for each in event_sentences("cut", drawn)]
    assert said == ["Draw that many cards from Cuts and read them for the type."]
    assert [str(each) for each in event_sentences("slip", drawn)] == ["Draw a card from Slips."]


# --- odds ------------------------------------------------------------------------------------------------------------


def test_odds_are_those_of_a_plain_count(drawn: System) -> None:
    codes = ["1"] * 3 + ["Ember"] * 2 + ["Joy"]
    for many in (1, 2, 3):
        hands = list(permutations(codes, many))
        found = odds(drawn, "cut ice", many=str(many))
        cold = Fraction(sum("1" in hand for hand in hands), len(hands))
        both = Fraction(sum("1" in hand and "Ember" in hand for hand in hands), len(hands))
        assert (share(found["cold"]), share(found["both"])) == (cold, both)
        assert {name: share(each) for name, each in found["cards"].items()} == {
            f"cuts:{code}": Fraction(sum(code in hand for hand in hands), len(hands)) for code in ("1", "Ember", "Joy")
        }
        points = Counter(hand.count("1") for hand in hands)
        assert {int(value): share(each) for value, each in found["numbers"]["hp"].items()} == {
            10 - count: Fraction(times, len(hands)) for count, times in points.items()
        }


def test_odds_count_the_cards_that_are_left(drawn: System, tmp_path: Path) -> None:
    assert share(odds(drawn, "cut ice", {"drawn": ["cuts:1", "cuts:1", "cuts:Joy"]})["cold"]) == Fraction(1, 3)
    assert share(odds(drawn, "slip", {"drawn": ["cuts:1"]})["numbers"]["hp"]["6"]) == Fraction(3, 4)
    change = "watches: [{holds: luck > 0, do: [die]}]\nevents:"
    system = load_pack(pack(tmp_path, ("events:", change))).system
    found = odds(system, "cut ice", asked=Asked(hits=6))
    places = [Fraction(place, 6) for place in range(1, 7)]
    assert [share(each) for each in found["die_by"]] == places, "several in a row never draw a card twice"


def test_the_odds_of_the_example_are_exact() -> None:
    system = load_pack(KEEN).system
    deck = system.decks[0]
    for kind in deck.faces:
        found = odds(system, "critical", type=kind)
        wounds: Counter[str] = Counter()
        for card in deck.cards:
            names = {effect.condition for effect in card.does(kind) if isinstance(effect, Suffer)}
            wounds.update(dict.fromkeys(names, card.copies))
        assert {name: share(each) for name, each in found["conditions"].items()} == {
            name: Fraction(count, 77) for name, count in wounds.items()
        }
        assert share(found["cards"]["1"]) == Fraction(3, 77)


# --- cards that matter equally ---------------------------------------------------------------------------------------

DEADLY = (
    pack_head("deadly")
    + """\
procedure:
  kind: steps
  numbers: {hp: {name: HP, start: 7}, mercy: {name: Mercy}}
  words: {kind: {name: Kind, of: [man, beast]}}
conditions:
  cold: {name: Cold, says: You freeze}
  hot: {name: Hot, says: You burn, levels: 3}
  weak: {name: Weak, says: You are weak, implies: [suffer hot as long]}
events:
  cut:
    says: a cut
    takes: {type: {of: [ice, fire]}}
    do:
      - draw from cuts face type
      - "if kind == 'beast' and has(cold): die"
      - "if card.weight > 2 or has(weak): hp -= 1"
watches: [{holds: hp <= 0 and mercy == 0, do: [die]}]
"""
)
COLD, HOT, WEAK = "suffer cold for good", "suffer hot for d6 rounds", "suffer weak for d4 hours"
HEAVY: list[dict[str, Any]] = [
    {"code": "1", "name": "One", "copies": 2, "effects": ["hp -= 2", COLD]},
    {"code": "2", "name": "Two", "effects": ["hp -= 2", HOT]},
    {"code": "3", "name": "Three", "effects": [HOT, "hp -= 2"], "lines": {"weight": 3}},
    {"code": "4", "name": "Four", "faces": {"ice": {"effects": ["hp -= d3"]}, "fire": {"effects": [COLD]}}},
    {"code": "5", "name": "Five", "effects": [f"if d6 <= 2: {HOT}"]},
    {"code": "6", "name": "Six", "effects": [WEAK]},
    {"code": "7", "name": "Seven", "effects": ["mercy += 1"], "lines": {"weight": 1}},
]


def deadly(folder: Path, *changes: tuple[str, str]) -> System:
    cards = [{"lines": {"weight": 0}, **card} for card in HEAVY]
    cuts = {**DECKS["decks"][0], "lines": {"weight": "Weight"}, "cards": cards}
    made = pack(folder, *changes, decks={"decks": [cuts]}, text=DEADLY)
    ran = run("check", made)
    assert (ran.code, ran.err) == (0, "")
    return load_pack(made).system


def one_by_one(system: System, words: str, state: Any, times: int) -> list[Fraction]:
    """The chance to be dead after each event, every state kept apart and every card drawn by itself."""
    game, dead, found = game_of(system), Fraction(0), []
    event = game.read_event(words.split(), {})
    alive = {json.dumps(game.plain_state(game.read_state(state))): Fraction(1)}
    for _ in range(times):
        later: Counter[str] = Counter()
        for before, share_before in alive.items():
            now = game.read_state(json.loads(before))
            for weight, (after, _log) in every_way(lambda luck, now=now: game.step(now, event, luck)):  # type: ignore[misc]
                if after.dead:
                    dead += share_before * weight
                else:
                    later[json.dumps(game.plain_state(after))] += share_before * weight  # type: ignore[assignment]
        alive = dict(later)  # type: ignore[arg-type]
        found.append(dead)
    return found


@pytest.mark.parametrize("times", [2, pytest.param(3, marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    ("words", "state", "change"),
    [
        ("cut ice", {"hp": 5}, None),
        ("cut fire", {"hp": 4}, None),
        ("cut ice", {"kind": "beast", "drawn": ["1", "6"]}, None),
        ("cut fire", {"hp": 5}, ("holds: hp <= 0", "holds: level(hot) > 1 or hp <= 0")),
        *(
            pytest.param(*row, marks=pytest.mark.slow)
            for row in (
                ("cut", {"hp": 3}, ("{of: [ice, fire]}}", "{of: [ice, fire], default: d2}}")),
                ("cut ice", {}, ("holds: hp <= 0", "holds: has(hot) and hp <= 3")),
                ("cut ice", {"hp": 5}, ("card.weight > 2 or has(weak)", "row == 'Two'")),
            )
        ),
    ],
)
def test_merging_what_matters_equally_changes_no_chance(
    words: str, state: Any, change: tuple[str, str] | None, times: int, tmp_path: Path
) -> None:
    system = deadly(tmp_path, *([change] if change else []))
    found = odds(system, words, state, Asked(hits=times))
    shares = [share(each) for each in found["die_by"]]
    assert shares == one_by_one(system, words, state, times)
    assert shares[-1] > 0


def test_many_cards_of_few_kinds_are_counted_to_the_end(tmp_path: Path) -> None:
    """A hundred cards, four kinds: what is left of each kind is all that matters."""
    cards = [
        {"code": f"c{at}", "name": f"Card {at}", "effects": [f"hp -= {at % 4}", (HOT, COLD)[at % 2]]}
        for at in range(100)
    ]
    watches = ("events:", "watches: [{holds: hp <= 0, do: [die]}]\nevents:")
    folder = pack(tmp_path, watches, decks=with_slips(returns=False, cards=cards))
    found = odds(load_pack(folder).system, "slip", asked=Asked(hits=5))
    shares = []
    for many in range(1, 6):
        hands = combinations_with_replacement(range(4), many)
        alive = sum(prod(comb(25, hand.count(kind)) for kind in range(4)) for hand in hands if sum(hand) < 10)
        shares.append(1 - Fraction(alive, comb(100, many)))
    assert [share(each) for each in found["die_by"]] == shares


# --- draw some and keep some -----------------------------------------------------------------------------------------


def test_the_best_of_several_counts_and_the_others_are_laid_aside() -> None:
    system = load_pack(KEEN).system
    plain, said = happen(system, "grievous", cards=("1", "4"), dice=(3,), type="slash")
    assert said == [
        "Criticals, 1: Parted hair. It is laid aside.",
        "Criticals, 4 (Slash): Split skull.",
        "  You are unconscious for 3 hours.",
        "  The wound stays open and bleeds 1 HP a round until bound.",
    ]
    assert plain["drawn"] == ["1", "4"]
    assert [str(each) for each in event_sentences("grievous", system)] == [
        "Draw 2 cards from Criticals and read them for the damage; keep the one with the highest Grade [K4]."
    ]
    cards = [card for card in system.decks[0].cards for _ in range(card.copies)]
    grades = [max(first.lines["grade"], second.lines["grade"]) for first, second in permutations(cards, 2)]
    gravest = odds(system, "grievous", type="slash")["gravest"]
    assert share(gravest) == Fraction(grades.count(4), len(grades)), "as a plain count has it"


def test_the_player_chooses_where_nothing_says_which_is_best(tmp_path: Path) -> None:
    chosen = ("draw from slips", "draw 3 from slips keep 2")
    system = load_pack(pack(tmp_path, chosen)).system
    game = game_of(system)
    assert [str(each) for each in event_sentences("slip", system)] == [
        "Draw 3 cards from Slips; keep the 2 you choose."
    ]
    luck = Given(("slips:1", "H7", "H7"), (), (2, 1))
    after, log = game.step(game.read_state({}), game.read_event(["slip"], {}), luck)
    luck.finish()
    assert game.plain_state(after)["hp"] == 10 - 2 - 4
    assert plain_entry(log[0], system)["text"] == "Slips, H7: Fall. It is laid aside."
    with pytest.raises(NeedsError, match="needs a choice: 1 Trip 2 Fall 3 Fall"):
        happen(system, "slip", cards=("slips:1", "H7", "H7"))
    with pytest.raises(HackjackError, match="somebody chooses among cards here: say --policy best, worst or even"):
        odds(system, "slip")


def test_a_cards_own_number_is_read_in_its_steps_and_after_them(tmp_path: Path) -> None:
    trip, fall = DECKS["decks"][1]["cards"]
    trip = {**trip, "lines": {"depth": 2, "where": "stairs"}, "effects": ["hp -= card.depth * 2"]}
    fall = {**fall, "lines": {"depth": 5}, "effects": ["hp -= 1"]}
    decks = with_slips(lines={"depth": "Depth", "where": "Where"}, cards=[trip, fall])
    climbs = "\"if card.where == 'stairs': luck += card.depth\""
    after = ("draw from slips]", f"draw from slips, {climbs}]")
    system = load_pack(pack(tmp_path, after, decks=decks)).system
    for card, left in (("slips:1", (10 - 4, 2)), ("slips:H7", (10 - 1, 0))):
        plain, _ = happen(system, "slip", cards=(card,))
        assert (plain["hp"], plain["luck"]) == left
    said = str(event_sentences("slip", system)[1]).replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    assert said == "If the card's Where is stairs, add the card's Depth to Luck."
    found = odds(system, "slip")
    assert share(found["numbers"]["luck"]["2"]) == Fraction(1, 4)


def test_only_cards_have_a_dot_in_their_names() -> None:
    with pytest.raises(ValueError, match=r'"hp.most": \'.\' is not allowed in a formula'):
        Formula.parse("hp.most")
    system = load_pack(KEEN).system
    event_run = EventRun(system, game_of(system).read_state({}), Seeded(1))
    assert event_run.figure(Formula.parse("known(card.grade)")) == 0, "no card is drawn yet"


def test_a_deck_is_shuffled_on_purpose(tmp_path: Path) -> None:
    system = load_pack(KEEN).system
    plain, said = happen(system, "gather", {"drawn": ["1", "1", "7"]})
    assert said == ["Criticals: all its cards are shuffled again."]
    assert plain["drawn"] == []
    assert [str(each) for each in event_sentences("gather", system)] == ["Shuffle all cards back into Criticals [K3]."]
    both = pack(tmp_path, ("draw from slips", "shuffle cuts"))
    slipped = load_pack(both).system
    assert share(odds(slipped, "cut ice", {"drawn": ["cuts:1"] * 3})["cold"]) == 0
    plain, _ = happen(slipped, "slip", {"drawn": ["cuts:1"] * 3})
    assert share(odds(slipped, "cut ice", plain)["cold"]) == Fraction(1, 2)


# --- in a session ----------------------------------------------------------------------------------------------------


def played(monkeypatch: pytest.MonkeyPatch, folder: Path, lines: str, *more: str) -> Any:
    monkeypatch.setenv("HACKJACK_HOME", str(folder))
    monkeypatch.setattr("sys.stdin", io.StringIO(lines))
    return run("play", "keen", "--pack", KEEN, "--campaign", "table", *more)


def exported() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(run("play", "--pack", KEEN, "--campaign", "table", "export").out)
    return found


def test_the_deck_is_the_partys_and_undo_gives_the_card_back(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    lines = (
        "add bo\nadd al\ncritical bo type=crush 1\ncritical al type=crush criticals:1\ncritical bo type=crush 43\n"
        "undo\nodds al type=slash\nshow\n"
    )
    ran = played(monkeypatch, tmp_path, lines)
    assert (ran.code, ran.err) == (0, "")
    assert "critical bo type=crush 43\nBack into the deck: 43" in ran.out
    assert "75 of 77 cards are in the deck" in ran.out and "clubs" not in ran.out
    assert "out cold         2.6667% = 2/75" in ran.out
    found = exported()
    assert [each["state"]["drawn"] for each in found["characters"]] == [["1", "1"]] * 2


def test_a_virtual_deck_is_drawn_in_its_order_and_gathered_in(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    seeded = ("--deck", "virtual", "--seed", "5")
    lines = "add bo\nadd al\n" + "critical bo type=burn\n" * 4 + "undo\ncritical bo type=slash\n"
    ran = played(monkeypatch, tmp_path, lines, *seeded)
    assert (ran.code, ran.err) == (0, "")
    drawn = exported()["characters"][0]["state"]["drawn"]
    names = [line.split(" ")[1] for line in ran.out.splitlines() if line.startswith("Criticals, ")]
    assert len(drawn) == 4 and names == [*drawn, drawn[3]]
    ran = played(monkeypatch, tmp_path, "gather al\ncritical al type=burn\n")
    assert (ran.code, ran.err) == (0, "") and "Criticals: all its cards are shuffled again." in ran.out
    assert [len(each["state"]["drawn"]) for each in exported()["characters"]] == [1, 1]


def test_the_prompt_reads_cards_of_own_decks(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    ran = played(monkeypatch, tmp_path, "add bo\ncritical bo type=burn 77\ncritical bo type=burn\nhelp critical\n")
    assert (
        '"slash" is said by its name: type=slash: write critical'
        in played(monkeypatch, tmp_path, "critical bo slash\n").err
    )
    assert '"77" is not a card of the decks: did you mean "7"?' in ran.err
    assert "needs a card: write the card after the command, as in critical bo type=burn 1" in ran.err
    assert "critical NAME [type=slash|pierce|crush|burn] [CARD ...] [dice N ...]" in ran.out


def test_completion_offers_each_card_that_is_left_once() -> None:
    system = load_pack(KEEN).system
    now = new_session(PartyTable(system, new_campaign(system)))
    for deed in (Deed("add", "bo"), *[Deed("critical", "bo", at={"type": "crush"}, cards=("1",))] * 3):
        now = advance(now, deed).session
    found = completion.completions("critical bo ", "", now)
    assert [word for word in found if word.isdigit()] == [str(code) for code in range(2, 45)]


# --- faults ----------------------------------------------------------------------------------------------------------

FAULTS = """
from cuts | from cutts | unknown deck "cutts": did you mean "cuts"?
face type | face icy | unknown face of cuts "icy": did you mean "ice"?
of: [ice, fire] | of: [ice, fires] | unknown face of cuts "fires": did you mean "fire"?
from cuts face type | from cuts | the cards of cuts are read for ice, fire: say which with face
from slips | from slips face type | the cards of slips have one face alone: take this out
luck: {name | drawn: {name | "drawn" is taken already
from slips | from slips best 1 | best says which cards are kept: say how many, such as keep 1
from slips | from slips keep 1 best card.dept | nothing is called card.dept: did you mean "card.depth"?
from slips | from slips keep 1 best card.depth | the cards of Slips have no line depth
face type | face type keep 1 best card.depth | "card.depth": the line depth is not a number on Ember, Joy of Cuts
slips] | slips, shuffle slip] | unknown deck "slip": did you mean "slips"?
"""


@pytest.mark.parametrize("fault", FAULTS.strip().splitlines())
def test_what_does_not_fit_is_told_at_its_place(fault: str, tmp_path: Path) -> None:
    before, after, says = fault.split(" | ")
    ran = run("check", pack(tmp_path, (before, after)))
    assert (ran.code, says in ran.err, "system.yaml:" in ran.err) == (1, True, True), ran.err


SLIP_CARDS: list[tuple[str, tuple[str, ...]]] = [
    ("draw from slips", ("leads back to itself without an end: ", "deck slips")),
    ("slip()", ("leads back to itself without an end: ", "deck slips")),
    ("hp -= 1 // luck", ("decks.yaml:", "it divides by 0")),
]


@pytest.mark.parametrize(("effect", "says"), SLIP_CARDS, ids=["itself", "by an event", "no play"])
def test_cards_that_cannot_be_played_are_found(effect: str, says: tuple[str, ...], tmp_path: Path) -> None:
    ran = run("check", pack(tmp_path, decks=with_slips(cards=[{"code": "1", "name": "Trip", "effects": [effect]}])))
    assert all(part in ran.err for part in says), ran.err


def test_a_card_that_draws_again_comes_to_an_end_with_its_deck(tmp_path: Path) -> None:
    again = "draw 2 from slips"
    cards = [DECKS["decks"][1]["cards"][0], {"code": "2", "name": "Tumble", "copies": 2, "effects": [again]}]
    folder = pack(tmp_path, decks=with_slips(returns=False, cards=cards))
    assert run("check", folder).err == ""
    system = load_pack(folder).system
    state, log = happen(system, "slip", cards=("2", "2", "1"))
    assert state["hp"] == 8
    assert log[-1] == "Slips: no card is left to draw."
    # Every card is drawn in the end, but where the trip comes first.
    assert share(odds(system, "slip")["cards"]["slips:2"]) == Fraction(2, 3)
    assert share(odds(system, "slip")["numbers"]["hp"]["8"]) == 1


def test_cards_that_lead_on_and_on_are_refused(tmp_path: Path) -> None:
    effect = "slip()"
    for inner in range(10):
        cards = [{"code": "1", "name": "Trip", "copies": 60, "effects": [effect]}]
        (folder := tmp_path / str(inner)).mkdir()
        system = load_pack(pack(folder, decks=with_slips(returns=False, cards=cards))).system
        with pytest.raises(HackjackError, match="has no end"):
            happen(system, "slip", cards=("1",) * 60, dice=(1,) * 600)
        effect = f"if d100 <= 99: {effect}"


def test_systems_without_decks_know_nothing_of_cards() -> None:
    system = load_pack(ROOT / "docs" / "examples" / "scars").system
    game = game_of(system)
    assert game.deck() == () and "drawn" not in game.plain_state(game.read_state({}))
    assert all("cards" not in spec.luck for spec in game.EVENTS.values())
