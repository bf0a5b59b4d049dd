"""The counter against a slow and obvious witness: the engine run once for every way that dice and cards may fall."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import partial
from itertools import islice, permutations, product
from pathlib import Path
from random import Random
from typing import Any

import pytest
from games.test_language import FILES, write_pack
from helpers import ROOT

from generator.base.cards import FULL_DECK
from generator.base.errors import HackjackError
from generator.games import game_of
from generator.games.steps.counting import compile
from generator.games.steps.counting import odds as counter
from generator.games.steps.counting.card_sets import (
    CandidateCard,
    DealtCards,
    cut,
    deals,
    found,
    next_shares,
    without_gone,
)
from generator.games.steps.engine import play_counted
from generator.games.steps.events import StepsEvent
from generator.games.steps.state import StepsState
from generator.games.steps.system_views import argument_aims
from generator.model import rules
from generator.model.formulas import Formula
from generator.model.rules import Effect, System
from generator.pack.load import load_pack
from generator.play.chance import Policy
from generator.play.every_way import TooMuchWorkError, every_way, work_budget
from generator.play.piles import names_in

EXTENTS = (
    pytest.param(4, 60, id="short"),
    pytest.param(8, 300, id="long", marks=pytest.mark.slow),
    pytest.param(120, 1_500, id="whole", marks=pytest.mark.weekly),
)
"""How many questions are asked of each pack; questions with more ways are left to the counter alone."""
_ALL = (*sorted((ROOT / "docs" / "examples").glob("*/system.yaml")), ROOT / "content/glog/system.yaml", *FILES)
PACKS = [path for path in _ALL if "kind: steps" in path.read_text()]
GREEDY: tuple[Policy, ...] = ("best", "worst")
ASKED = [
    pytest.param(path, policy, id=f"{path.stem.replace('system', path.parent.name)}-{policy}")
    for path in PACKS
    for policy in ("even", *(GREEDY if "better:" in path.read_text() else ()))
]


def witness(
    system: System, state: StepsState, event: StepsEvent, formulas: Mapping[str, Formula], policy: Policy, ways: int
) -> dict[Any, Fraction]:
    """What comes about, with its chance: everything that an answer may tell."""
    shares: Counter[Any] = Counter()
    for weight, event_run in every_way(lambda luck: play_counted(system, state, event, luck, policy=policy), ways):
        met: set[tuple[Any, ...]] = {("named", name) for name, formula in formulas.items() if event_run.figure(formula)}
        met |= {("row", table, row) for table, rows in event_run.met.items() for row in rows}
        met |= {("condition", name) for name in event_run.suffered} | {("card", name) for name in event_run.drawn}
        met |= {("number", name, event_run.values[name]) for name in system.kept_numbers}
        for key in met:
            shares[key] += weight  # type: ignore[assignment]
    return {key: Fraction(share) for key, share in shares.items()}


def counted(
    system: System, state: StepsState, event: StepsEvent, formulas: Mapping[str, Formula], policy: Policy
) -> dict[Any, Fraction]:
    found = counter.count_event(system, state, event, formulas, policy)
    shares: dict[Any, Fraction] = {("named", name): share for name, share in found.named.items()}
    shares |= {("row", table, row): share for table, rows in found.rows.items() for row, share in rows.items()}
    shares |= {("condition", name): share for name, share in found.conditions.items()}
    shares |= {("card", name): share for name, share in found.cards.items()}
    shares |= {("number", name, value): share for name, each in found.numbers.items() for value, share in each.items()}
    return {key: share for key, share in shares.items() if share}


def states(system: System) -> Iterator[StepsState]:
    game, head = game_of(system), system.head
    plain: list[dict[str, Any]] = [{}, *({name: 4} for name in list(system.kept_numbers)[:3])]
    plain += [{name: [*own.of][-1]} for name, own in system.steps.words.items()]
    plain += [{"conditions": [{"condition": name, "until": "2 rounds"}]} for name in list(head.conditions)[:4]]
    decks = [names_in(deck, system) for deck, pile in system.piles.items() if not pile.returns]
    plain += [{"drawn": names[len(names) // 2 :]} for names in decks] + [{"drawn": names[1:]} for names in decks]
    for each in plain:
        try:
            yield game.read_state(each)
        except HackjackError:
            continue


def events(system: System) -> Iterator[StepsEvent]:
    for name, happening in system.head.events.items():
        choices = []
        for key, takes in happening.takes.items():
            words = takes.of or tuple(argument_aims(system).get(key, {}))
            values = words[:3] if words else sorted({max(takes.least, 1), min(takes.least + 3, takes.most)})
            choices.append([(key, value) for value in values])
        for said in islice(product(*choices), 4):
            yield StepsEvent(name, said)


@pytest.mark.parametrize(("questions", "ways"), EXTENTS)
@pytest.mark.parametrize(("path", "policy"), ASKED)
def test_it_counts_what_every_way_comes_to(
    path: Path, policy: Policy, questions: int, ways: int, tmp_path: Path
) -> None:
    system = load_pack(path.parent if path.name == "system.yaml" else write_pack(path, tmp_path)).system
    asked, compared = [*product(states(system), events(system))], 0
    Random(3).shuffle(asked)
    for state, event in asked:
        if compared == questions:
            break
        happening = system.head.events[event.name]
        formulas = happening.odds | happening.aside | {"dead": Formula("dead")}
        try:
            expected = witness(system, state, event, formulas, policy, ways)
        except TooMuchWorkError:
            continue
        except HackjackError:
            with pytest.raises(HackjackError):
                counter.count_event(system, state, event, formulas, policy)
            continue
        lists = {{"rows": "row", "names": "row"}.get(each, each.rstrip("s")) for each in happening.lists} | {"named"}
        tables = {happening.table} - {None} or {table.id for table in system.tables}
        found = counted(system, state, event, formulas, policy)
        told = {
            key: each for key, each in expected.items() if key[0] in lists and (key[0] != "row" or key[1] in tables)
        }
        for key, share in told.items():
            if key[0] != "number" or found.get(key):
                assert found.pop(key, Fraction(0)) == share, (event, state, key)
            else:
                # A number that stays as it is, or unknown, is not told.
                assert key[2] in (None, state.values[key[1]]), (event, state, key)
        assert not found, (event, state, found)
        compared += 1
    assert compared


def few_left(cards: str, **values: Any) -> dict[str, Any]:
    """Return a character of Hackjack before whom only these cards are left in the deck."""
    return {"drawn": [code for code in FULL_DECK if code not in cards.split()], **values}


@pytest.mark.parametrize(("name", "words", "before", "times"), [
    ("glog", "hit 2 type=nonlethal", {"hp": 2, "injuries": [{"condition": "coma", "days": 3}]}, 3),
    ("glog", "hit 3 type=fire", {"hp": 2}, 2),
    ("hackjack", "hit 5", few_left("AC 2S 6C", score=19), 2),
    *(pytest.param(*row, marks=pytest.mark.slow) for row in (
        ("hackjack", "hit 5", few_left("AC 2S KS QS", score=3, blood=4), 3),
        ("glog", "hit 1 type=fall", {}, 2),
        ("glog", "hit 4 type=fire", {"injuries": [{"condition": "gored", "days": 3}]}, 3),
        ("glog", "hit 3 type=body", {"hp": 2, "injuries": [{"condition": "coma", "chances": [3, 30]}]}, 2),
    )),
])  # fmt: skip
def test_deaths_in_a_row_add_up_as_states_do(name: str, words: str, before: dict[str, Any], times: int) -> None:
    """Blows one after the other, against as many states as the engine leaves, none of them merged."""
    system = load_pack(ROOT / "content" / name).system
    game, typed = game_of(system), words.split()
    state = game.read_state(before)
    event = game.read_event(typed[:2], dict(word.split("=") for word in typed[2:]))
    alive, dead, expected = [(Fraction(1), state)], Fraction(0), []
    for _ in range(times):
        later = []
        for share, now in alive:
            play = partial(play_counted, system, now, event, timeless=True, policy="even")
            for weight, event_run in every_way(play):
                dead += share * weight * event_run.dead
                later += [] if event_run.dead else [(share * weight, event_run.state())]
        alive = later
        expected.append(dead)
    assert counter.die_by(system, [state], event, times, "even") == [tuple(expected)]


WAYS = [kind for kind in compile._COUNTS if kind is not Effect]


@pytest.mark.parametrize("kind", WAYS, ids=[kind.__name__ for kind in WAYS])
def test_a_kind_that_has_no_way_of_its_own_is_counted_from_its_type(
    kind: type[Effect], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the type says it reads, changes and leads to gives the same fractions, in more time."""
    for path in FILES:
        system = load_pack(write_pack(path, tmp_path)).system
        lists = rules.walk_effects(tuple(system.all_effects()))
        if not any(type(effect) is kind for _, effect in lists):
            continue
        asked = [*product(states(system), events(system))]
        Random(3).shuffle(asked)
        answers = []
        for ways in (compile._COUNTS, {each: way for each, way in compile._COUNTS.items() if each is not kind}):
            monkeypatch.setattr(compile, "_COUNTS", ways)
            system.ready.clear()
            answers.append([answer(system, *question) for question in asked[:2]])
        assert answers[0] == answers[1]
        if answers[0] != [None, None]:
            return


def answer(system: System, state: StepsState, event: StepsEvent) -> dict[Any, Fraction] | None:
    try:
        return counted(system, state, event, {"dead": Formula("dead")}, "even")
    except HackjackError:
        return None


def test_cards_that_nobody_looks_at_are_as_likely_to_be_any_other() -> None:
    deck, unseen = DealtCards(0b111111, 1), CandidateCard("deck", 0b111111)
    reds, blacks = 0b000111, 0b111000
    assert cut(deck, unseen, (reds, blacks)) == ((((0, reds), 1), ((1, blacks), 1)), 2)
    first, after, gone = found(deck, unseen, reds)
    assert (first.may_be, after.cuts, gone) == (reds, (reds,), ())
    shares = next_shares(after.with_next())
    assert {bits: Fraction(each, 3 * 5) for bits, each in shares} == {reds: Fraction(2, 15), blacks: Fraction(3, 15)}
    assert deals((reds, reds, 0b111111)) == 3 * 2 * 4
    # A set that would lie half inside another is cut.
    cases, total = cut(after.with_next(), unseen, (0b011110, 0b100001))
    assert {piece: ways for (_, piece), ways in cases} == {0b000110: 4, 0b011000: 6, 0b100000: 3, 0b1: 2}
    assert total == 3 * 5
    # A card that is known leaves its deck, and is none of those that nobody knows yet.
    red, after, gone = found(after, first, 0b1)
    assert (red.loose, after.base, after.dealt, after.spent, gone) == (True, 0b111110, 0, 0b1, (0b1,))
    assert without_gone((unseen, CandidateCard("deck", reds)), "deck", gone) == (
        CandidateCard("deck", 0b111110),
        CandidateCard("deck", 0b000110),
    )


@pytest.mark.parametrize("seed", [*range(8), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(8, 40))])
def test_a_card_lies_in_a_set_in_as_many_ways_as_all_deals_say(seed: int) -> None:
    """The witness deals every way, for sets of which one holds the other or that share nothing."""
    luck, sets = Random(seed), [0b1111111]
    for _ in range(4):
        around = luck.choice(sets)
        bits = [bit for place in range(7) if (bit := 1 << place) & around]
        chosen = sum(luck.sample(bits, luck.randint(1, len(bits))))
        inside = chosen if all(not each & chosen or not each & ~chosen or not chosen & ~each for each in sets) else 0
        sets += [inside] if inside and deals((*sets[1:], inside)) else []
    others = sets[1:]
    cases, total = cut(
        DealtCards(0b1111111, len(others) + 1, tuple(sorted(others))),
        CandidateCard("deck", 0b1111111),
        (0b0101101, 0b1010010),
    )
    whole = sum(deals((*others, piece)) for (_, piece), _ in cases)
    assert [Fraction(ways, total) for _, ways in cases] == [
        Fraction(deals((*others, piece)), whole) for (_, piece), _ in cases
    ]
    counts = {at: sum(ways for (which, _), ways in cases if which == at) for at in (0, 1)}
    deal = [
        each
        for each in permutations([1 << place for place in range(7)], len(others) + 1)
        if all(card & may_be for card, may_be in zip(each, others, strict=False))
    ]
    assert Fraction(counts[0], total) == Fraction(sum(bool(each[-1] & 0b0101101) for each in deal), len(deal))


def test_much_is_counted_with_little_work() -> None:
    """Work is the same on every machine: 20,000 of it are the share of a tenth of a question."""
    keen = load_pack(ROOT / "docs" / "examples" / "keen").system
    burning = [{"condition": "burning", "until": "15 rounds"}, {"condition": "bleeding", "until": "12 rounds"}]
    state = game_of(keen).read_state({"conditions": burning})
    with work_budget(2_500):
        answer = counter.count_event(keen, state, StepsEvent("round", (("rounds", 20),)), {"dead": Formula("dead")})
    assert answer.named["dead"] == 1
    with work_budget(20_000):
        glog = load_pack(ROOT / "content" / "glog").system
        (hits,) = counter.die_by(
            glog, [game_of(glog).read_state({"hp": 30})], StepsEvent("hit", (("damage", 4), ("type", "body"))), 10
        )
    assert hits[6] == 0 < hits[7] < hits[9] < 1
