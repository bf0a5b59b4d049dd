"""What `page.yaml` may say, where it is wrong, how packs add to it, and that what it offers is what can be done."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from helpers import ROOT, run

from generator.base.errors import HackjackError
from generator.games import content_of, game_of
from generator.model.rules import System
from generator.pack.load import load_pack
from generator.serve import views
from generator.session import page, prompt, several
from generator.session.deeds import Deed
from generator.session.luck import MissingError
from generator.session.page import Likely, Phone
from generator.session.party import TABLE, PartyTable, plain_people
from generator.session.session import Session, advance, content_checksum, log_of, new_campaign, new_session

JOINS = {
    "deadlands": ["add Jo vigor d8 spirit d6 chips 3", "add Al face vigor d6", "add Ex extra"],
    "fiftytwo": ["enter everybody"],
    "glog": ["add Bryn hp 5", "add Cara hp 3", "add Orc hp 4 kind monster", "add Boss hp 4 kind npc"],
    "hackjack": ["add Bryn hp 7", "add Cara hp 3"],
    "jackrealms": ["sit Ana 6", "sit Bo 5"],
}
"""The five systems, each with who plays."""


def system_of(name: str) -> System:
    """A system as it ships."""
    return load_pack(ROOT / "content" / name).system


def table_of(name: str, seed: int) -> Session:
    """A table of a system whose deck and dice are the program's."""
    system = system_of(name)
    now = new_session(PartyTable(system, new_campaign(system, "virtual", seed)))
    for typed in JOINS[name]:
        word, *rest = typed.split()
        now = advance(now, prompt.read_deed(word, rest, now.table, now.party)).session
    return now


def people(now: Session) -> Any:
    """Everybody by name."""
    return plain_people(now.table.game, now.party)


def pack(folder: Path, page_yaml: str, system: str = "hackjack") -> Path:
    """A pack that extends a system and says so much of its page."""
    folder.mkdir()
    (folder / "system.yaml").write_text(f'id: own\nextends: {system}\ntitle: Own\nversion: "1.0"\n')
    (folder / "page.yaml").write_text(page_yaml)
    return folder


# --- what may be written ---------------------------------------------------------------------------------------------

WRONG = {
    "tokens: {bloood: drop}": 'page.yaml:1:10: unknown number of a state "bloood": did you mean "blood"?',
    "usual: [hold, relase]": 'page.yaml:1:15: unknown event "relase": did you mean "release"?',
    "states: {a: {when: bld > 0, says: Hurt}}": 'unknown value "bld"',
    "states: {a: {when: has(uncons), says: Out}}": 'unknown condition "uncons": did you mean "unconscious"?',
    "states: {a: {when: d6 > 3, says: Lucky}}": "nothing is rolled here: ask numbers and conditions",
    "states: {a: {when: total(pile) > 3, says: Much}}": "total( ) is not asked here: use count, coming, has, known",
    "states: {a: {when: setting(jokrs) == 'out', says: No}}": 'unknown ruling switch "jokrs": did you mean "jokers"?',
    "states: {a: {when: blood > 0, says: 'Blood {blod}'}}": 'unknown value to quote "blod": did you mean "blood"?',
    "states: {a: {when: dead, says: Dead, emblem: skul}}": 'unknown emblem "skul": did you mean "skull"?',
    "states: {a: {when: dead, says: Dead, look: black}}": '"black" is not known here',
    "likely: {hti: {says: Hit}}": 'unknown event "hti": did you mean "hit"?',
    "likely: {a: {do: hit, needs: [{holds: hp >, says: No}]}}": "something is missing at its end",
    "groups: {Harm: [hit, drow]}": 'unknown event "drow": did you mean "draw"?',
    "moments: {deth: {you: You die}}": 'unknown entry of the log "deth": did you mean "death"?',
    "moments: {hit: {you: 'Hit {lft}'}}": 'unknown value to quote "lft": did you mean "left"?',
    "moments: {hit: {you: Hit, weight: 4}}": "4 is out of range: from 1 to 3",
    "moments: {hit: {weight: 2}}": "this moment says nothing: write you, they or both",
    "moments: {hit: [{when: lft > 3, you: Hit}]}": 'unknown value "lft": did you mean "left"?',
    "track: {number: scores}": 'unknown number of a state "scores": did you mean "score"?',
    "trak: {number: score}": 'unknown key "trak": did you mean "track"?',
}


@pytest.mark.parametrize("written", WRONG)
def test_what_is_wrong_is_said_with_its_place(tmp_path: Path, written: str) -> None:
    ran = run("check", pack(tmp_path / "own", f"{written}\n"))
    assert ran.code == 1 and WRONG[written] in ran.err, ran.err
    assert "page.yaml:1:" in ran.err


def test_a_pack_adds_to_the_page_by_key_and_takes_out_what_it_does_not_want(tmp_path: Path) -> None:
    written = """
states: {zero: null, low: {when: blood > 3, says: "Bleeding: {blood}", look: warn}}
likely: {rest: null, hit: {says: Strike, if: not dead}}
moments: {death: {you: Your story ends, they: "The story of {person} ends", weight: 3}}
groups: {Time: [round]}
"""
    own, base = load_pack(pack(tmp_path / "own", written)).system.page, system_of("hackjack").page
    assert [*own.states] == [*(key for key in base.states if key != "zero"), "low"]
    assert "rest" not in own.likely and next(iter(own.likely)) == "hit" and own.likely["hit"].says == "Strike"
    assert own.moments.keys() == base.moments.keys() and own.moments["death"] != base.moments["death"]
    assert own.groups == {**base.groups, "Time": ("round",)} and own.track == base.track


def test_a_campaign_goes_on_under_another_page(tmp_path: Path) -> None:
    """The page changes no rule, and so nobody has to agree to it."""
    folder = pack(tmp_path / "own", "likely: {hit: {says: Strike}}\n")
    before = content_checksum(load_pack(folder).system)
    (folder / "page.yaml").write_text("likely: {hit: {says: Smite}}\n")
    assert content_checksum(load_pack(folder).system) == before != ""


@pytest.mark.parametrize("name", JOINS)
def test_every_event_has_a_place_on_the_page(name: str) -> None:
    system = system_of(name)
    grouped = [event for events in system.page.groups.values() for event in events]
    assert sorted(grouped) == sorted(game_of(system).EVENTS), "each once"


@pytest.mark.parametrize("name", JOINS)
def test_formulas_may_ask_whatever_show_tells(name: str) -> None:
    now = table_of(name, 1)
    game, known = now.table.game, {*content_of(now.table.system).page_names()}
    there = {key for plain in people(now).values() for key in game.page_values(plain)}
    if game.SHARED:
        there |= {*game.page_values(game.plain_state(now.party.state(TABLE)))}
    assert there - {"name", "fight", "table"} <= known


# --- what is offered -------------------------------------------------------------------------------------------------


def offered(now: Session) -> Iterator[tuple[str, dict[str, Any]]]:
    """Everything that is offered to anybody as the table stands, with whom it befalls."""
    game, likely = now.table.game, Likely(now)
    if step := likely.next():
        yield step.get("who", TABLE), step
    for name in people(now):
        if game.SHARED:
            yield from ((TABLE, each) for each in likely.of(name, Phone(name, [*game.EVENTS])))
        else:
            yield from ((name, each) for each in likely.of(name))
    if game.SHARED:
        yield from ((TABLE, each) for each in likely.of(TABLE))


def in_full(now: Session, deed: Deed, luck: random.Random) -> Deed:
    """A deed with any value for every argument that it still needs."""
    spec, words = now.table.game.EVENTS[deed.do], [*deed.words]
    try:
        choices = views.choices(now, deed.do, deed.who, words, {})
    except HackjackError:
        choices = {}
    for argument in spec.takes[len(words) :]:
        if not argument.optional:
            words.append(luck.choice(choices.get(argument.name) or [str(luck.randint(1, 5))]))
    return Deed(deed.do, deed.who, tuple(words))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", JOINS)
def test_what_is_offered_can_be_done(name: str, seed: int) -> None:
    """Whatever needs nothing more said is tried wherever it is offered; then anything happens, and so on."""
    now, luck, tried = table_of(name, seed), random.Random(seed), set[str]()
    for _ in range(25):
        offers = [(who, each) for who, each in offered(now) if "reason" not in each]
        for who, each in offers:
            words = tuple(each.get("words", ()))
            if each.get("everybody") and who not in several.living_names(now):
                continue
            if not all(takes.optional for takes in now.table.game.EVENTS[each["do"]].takes[len(words) :]):
                continue
            try:
                advance(now, Deed(each["do"], who, words))
            except MissingError:
                pass
            except HackjackError as error:
                raise AssertionError(f"{each} is offered for {who or 'the table'}: {error}") from error
            tried.add(each["do"])
        for _ in range(8):
            who, each = luck.choice(offers)
            deed = in_full(now, Deed(each["do"], who, tuple(each.get("words", ()))), luck)
            try:
                now = advance(now, deed).session
                break
            except HackjackError:
                continue
    assert len(tried) >= 2


def test_everybody_stands_in_the_order_of_play() -> None:
    system = system_of("deadlands")
    now = new_session(PartyTable(system, new_campaign(system)))
    cards = {"Ann": "10H", "Bea": "KD", "Cal": "RJ", "Dan": "10S", "Eve": "", "Flo": "AC", "Gus": "BJ", "Hal": "2S"}
    for name, card in cards.items():
        now = advance(now, Deed("add", name)).session
        now = advance(now, Deed("action", name, cards=(card,))).session if card else now
    assert Likely(now).order == ("Gus", "Cal", "Flo", "Bea", "Dan", "Ann", "Hal", "Eve")
    fight = table_of("fiftytwo", 2)
    assert Likely(fight).order == tuple(people(fight)), "nobody has rolled yet"
    fight = advance(fight, Deed("initiative")).session
    (order,) = (entry for entry in log_of(fight.table, fight.now) if entry.kind == "order")
    assert Likely(fight).order == tuple(name for name, _ in order.facts["order"]) != tuple(people(fight))


def test_without_a_page_what_the_prompt_means_first_and_what_was_done_last_is_likely() -> None:
    system = system_of("glog")
    bare = PartyTable(_without_page(system), new_campaign(system, "virtual", 1))
    now = advance(new_session(bare), Deed("add", "Bryn", ("hp", "5"))).session
    assert [each["do"] for each in Likely(now).of("Bryn")] == ["hit"]
    for do, words in (("heal", ("2",)), ("round", ())):
        now = advance(now, Deed(do, "Bryn", words)).session
    assert [each["do"] for each in Likely(now).of("Bryn")] == ["hit", "round", "heal"]
    assert Likely(now).of("Bryn", Phone("Cara", ("hit", "round"))) == [], "each phone acts for its own character"
    assert page.tile(now.table.game, people(now)["Bryn"])["states"] == []


def _without_page(system: System) -> System:

    from generator.model.page import EMPTY

    return system.with_side_files(page=EMPTY)
