"""The session: a party as a value, the luck that deeds meet, and a journal that survives what befalls files."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import pytest
from helpers import ROOT, commands_of, hackjack
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.base.cards import ALL_CODES, FULL_DECK
from generator.base.errors import HackjackError, UsageError
from generator.base.text_input import read_name
from generator.games.hackjack import engine as harm
from generator.games.hackjack.engine import Event, Held, State
from generator.games.hackjack.odds_tally import Tally, tally
from generator.pack import content
from generator.play.chance import CardNeed, ChoiceNeed, Given, RollNeed, Seeded
from generator.session import journal as journal_files
from generator.session import journal_lines, luck
from generator.session.campaigns import campaign_file, campaigns
from generator.session.deeds import VERSION, Campaign, Command, DeckKind, Deed
from generator.session.journal import BusyError, Journal, StaleError, open_journal, read_file
from generator.session.journal_lines import LONGEST_LINE, MOST_LINES, Reading, read_journal, seal, unseal
from generator.session.luck import MissingError
from generator.session.party import Party, Table, held_by
from generator.session.session import Moment, Session, Step, advance, begin, left_in, log_of, new_campaign

NAMES = ("bryn", "Ötzi", "阿明")


def begun(deck: DeckKind = "virtual", seed: int | None = 7, **rulings: str) -> Session:
    """A session with nobody in it."""
    system = content.with_settings(hackjack(), rulings.items())
    return begin(Table(system, new_campaign(system, deck, None if deck == "real" else seed)))


def real() -> Session:
    return begun("real")


def after(start: Session, *deeds: Deed) -> Session:
    for deed in deeds:
        start = advance(start, deed).session
    return start


def deed(text: str) -> Deed:
    """`hit bryn 9 QS 4H dice 4 choose 1`, without any of the prompt's kindness."""
    words, kind = text.split(), "cards"
    luck: dict[str, list[Any]] = {"cards": [], "dice": [], "choose": []}
    head = words[: 3 if len(words) > 2 and words[2].isdigit() else 2]
    for word in words[len(head) :]:
        if word in luck:
            kind = word
        else:
            luck[kind].append(word if kind == "cards" else int(word))
    said = ("hp", *head[2:]) if head[0] == "add" and len(head) > 2 else tuple(head[2:])
    who = head[1] if len(head) > 1 else ""
    return Deed(head[0], who, said, tuple(luck["cards"]), tuple(luck["dice"]), tuple(luck["choose"]))


def journal_of(deeds: Sequence[Deed], campaign: Campaign) -> bytes:
    """A journal as the program would have written it."""
    lines, checksum = [], 0
    for item in (campaign, *(Command((item,)) for item in deeds)):
        line, checksum = seal(msgspec.json.encode(item), checksum)
        lines.append(line)
    return b"".join(lines)


def sealed(*bodies: bytes) -> bytes:
    lines, checksum = [], 0
    for body in bodies:
        line, checksum = seal(body, checksum)
        lines.append(line)
    return b"".join(lines)


def read(raw: bytes) -> Reading:
    return read_journal(raw, hackjack(), "j.jsonl")


# --- a party as a value ----------------------------------------------------------------------------------------------


def test_the_party_shares_one_deck() -> None:
    now = after(real(), Deed("add", "bryn"), Deed("add", "cara"), deed("hit bryn 3 KH"))
    assert now.party.drawn == ("KH",)
    assert "KH" not in left_in(now)
    with pytest.raises(HackjackError, match="KH has been drawn already"):
        advance(now, deed("hit cara 3 KH"))
    now = after(now, deed("hit cara 3 2H"))
    assert now.party.drawn == ("KH", "2H")
    assert [held.card for held in now.party.characters["cara"].pile] == ["2H"]
    assert now.party.state("bryn").drawn == ("KH", "2H")


@pytest.mark.parametrize(
    ("text", "need", "says"),
    [
        ("hit bryn 3", CardNeed, "needs a card"),
        ("hit bryn 3 7C KH", CardNeed, "needs a card"),
        ("hit bryn 3 7C KH 2H", ChoiceNeed, "needs a choice: 1 KH 2 2H"),
        ("hit bryn 3 10C", RollNeed, "needs d4 (Blood of 10C)"),
        ("hit bryn 3 9S dice 4", RollNeed, "needs 2d6 (Blood of 9S), and only 1 of 2 dice are given"),
    ],
)
def test_missing_luck_is_named_and_changes_nothing(text: str, need: type, says: str, tmp_path: Path) -> None:
    with playing(tmp_path, begun("real")) as journal:
        journal.do(Deed("add", "bryn"))
        before, raw = journal.session, (tmp_path / "t.jsonl").read_bytes()
        with pytest.raises(MissingError) as caught:
            journal.do(deed(text))
        assert str(caught.value) == says
        assert isinstance(caught.value.need, need)
        assert journal.session is before
        assert (tmp_path / "t.jsonl").read_bytes() == raw


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("hit bryn 3 2H KH", r"nothing needs the last card given \(KH\)"),
        ("hit bryn 3 2H dice 4 4", "nothing needs the last die given"),
        ("hit bryn 3 RJ", "RJ is not used in this campaign: its deck has 52 cards"),
        ("hit bryn 3 XX", '"XX" is not a card'),
        ("hit nobody 3 2H", 'nobody here is called "nobody"'),
        ("hit bryn", "hit needs a number"),
        ("hold bryn 5", "too much"),
        ("recover bryn", "recovery begins when Blood and death-score are 0, and they are 5 and 0"),
        ("dance bryn", 'there is no event "dance"'),
        ("add bryn", "bryn is at the table already"),
        ("add BRYN", "bryn is at the table already"),
        ("add cara 3 2H", "add meets no luck"),
        ("remove bryn 3", "remove takes a name and nothing else"),
        ("undo bryn", "undo stands alone"),
        ("redo", "there is nothing to redo"),
        ("bleed bryn 9999", "more than 10,000"),
        ("", "there is no event"),
    ],
)
def test_what_cannot_be_done_is_told(text: str, says: str) -> None:
    now = after(real(), Deed("add", "bryn"), deed("bleed bryn 5"))
    wanted = deed(text) if text else Deed("")
    with pytest.raises(HackjackError, match=says):
        advance(now, wanted)


def test_the_dead_are_left_alone() -> None:
    now = after(real(), deed("add bryn 5"), deed("hit bryn 50"))
    assert now.party.characters["bryn"].dead
    with pytest.raises(HackjackError, match="bryn is dead: nothing more happens to them"):
        advance(now, deed("heal bryn 5"))
    with pytest.raises(HackjackError, match="dead"):
        tally(hackjack(), now.party.state("bryn"), Event("hit", 3))


def test_names() -> None:
    for name in (*NAMES, "D'Artagnan", "Jean-Luc", "R2_D2", "é" * 40, "Old Bryn"):
        assert read_name(name) == name
    assert read_name("e\u0301mile") == "\u00e9mile"
    for name in ("", "x" * 41, "9", "-x", "a  b", " a", "a ", "a\nb", "a\u202eb", "a/b", "\ud800", "a\x1b[31m", "💀"):
        with pytest.raises(UsageError):
            read_name(name)
    party = after(real(), Deed("add", "bryn"), Deed("add", "Brother"), Deed("add", "Ötzi")).party
    assert party.find("BRYN") == "bryn"
    assert party.find("bro") == "Brother"
    assert party.find("o\u0308t") == "Ötzi"
    with pytest.raises(UsageError, match='"br" may be bryn or Brother: write more of the name'):
        party.find("br")
    with pytest.raises(UsageError, match=r'nobody here is called "brin": did you mean "bryn"\?'):
        party.find("brin")
    with pytest.raises(UsageError, match="add somebody first"):
        Party({}).find("x")


def test_a_table_has_room_for_fifty() -> None:
    now = after(real(), *(Deed("add", f"x{number}") for number in range(50)))
    with pytest.raises(HackjackError, match="50 characters are at the table"):
        advance(now, Deed("add", "one"))


# --- an empty deck (H29) ---------------------------------------------------------------------------------------------


def emptied(*deeds: Deed) -> Session:
    """After some deeds every other card is drawn by a passer-by, who is struck dead and stays on the floor."""
    now = after(begun("real"), *deeds, Deed("add", "extra"))
    party = now.party
    left = left_in(now)
    extra = State(score=99, tokens=99 - len(left), pile=tuple(Held(code, 1) for code in left), dead=True)
    everything = Party({**party.characters, "extra": extra}, (*party.drawn, *left))
    return Session(now.table, Moment(everything, Command((Deed("add", "extra"),)), now.now))


def test_an_empty_deck_takes_back_what_nobody_living_holds() -> None:
    now = emptied(Deed("add", "bryn"), deed("hit bryn 3 KH"), Deed("add", "cara"), deed("hit cara 3 6C"))
    assert left_in(now) == ()
    step = advance(now, deed("hit cara 3 2D"))
    assert [entry.facts for entry in step.log if entry.kind == "reshuffle"] == [{"cards": 50}]
    assert step.session.party.drawn == ("KH", "6C", "2D")
    with pytest.raises(HackjackError, match="KH has been drawn already"):
        advance(now, deed("hit cara 3 KH"))


def test_a_wound_keeps_its_card_when_the_score_is_healed() -> None:
    now = emptied(Deed("add", "bryn"), deed("hit bryn 3 4C"), deed("heal bryn 4"))
    assert now.party.characters["bryn"].pile == ()
    assert held_by(now.table.game, now.party) == {"4C"}
    with pytest.raises(HackjackError, match="4C has been drawn already"):
        advance(now, deed("hit bryn 3 4C"))


def test_whoever_leaves_gives_their_cards_back() -> None:
    now = emptied(Deed("add", "bryn"), deed("hit bryn 3 KH"), Deed("add", "cara"), Deed("remove", "bryn"))
    assert "KH" not in left_in(now)
    now = after(now, deed("hit cara 3 KH"))
    assert now.party.drawn == ("KH",)


def test_when_the_living_hold_every_card_there_is_an_error() -> None:
    now = emptied(Deed("add", "bryn"))
    living = Party({"bryn": State(), "extra": State(pile=tuple(Held(code, 0) for code in FULL_DECK))}, FULL_DECK)
    now = Session(now.table, Moment(living))
    with pytest.raises(HackjackError, match="the deck is empty and living characters hold every card"):
        advance(now, deed("hit bryn 3 KH"))


# --- whatever is played ----------------------------------------------------------------------------------------------

DOINGS = ("add", "remove", "hit", "draw", "heal", "hold", "release", "poison", "bleed", "drain", "rest", "recover")
PLAYS = st.lists(
    st.tuples(
        st.sampled_from((*DOINGS, *["hit"] * 12, "undo", "undo", "redo", "redo")),
        st.integers(0, 2),
        st.integers(1, 9),
        st.integers(1, 2),
    ),
    min_size=8,
    max_size=60,
)
TABLES = st.sampled_from([(7, "out", "off"), (8, "lucky_break", "off"), (9, "out", "on")])


def played(plays: Sequence[tuple[str, int, int, int]], start: Session) -> list[Step]:
    """What can be done of what was drawn up, step by step. Nobody stays dead for long."""
    steps = []
    now = after(start)
    for name, who, amount, choice in plays:
        for item in _as_deeds(name, NAMES[who], amount, choice, now):
            step = _tried(now, item)
            if step is not None:
                steps.append(step)
                now = step.session
                break
    return steps


def _as_deeds(name: str, who: str, amount: int, choice: int, now: Session) -> list[Deed]:
    if name in ("undo", "redo"):
        return [Deed(name)]
    state = now.party.characters.get(who)
    if state is None:
        return [Deed("add", who, ("hp", str(amount)))]
    if state.dead or name in ("add", "remove"):
        return [Deed("remove", who)]
    number = (str(amount),) if name in ("hit", "heal", "poison", "bleed", "drain") else ()
    word = ("critical",) if name == "hit" and amount == 4 else ()
    return [Deed(name, who, (*number, *word), choices=(choice,) * count) for count in range(3)]


def _tried(now: Session, item: Deed) -> Step | None:
    try:
        return advance(now, item)
    except HackjackError:
        return None


def table_of(known: tuple[int, str, str]) -> Session:
    return begun("virtual", known[0], jokers=known[1], critical_draw=known[2])


@settings(max_examples=60)
@given(PLAYS, TABLES)
def test_cards_are_neither_made_nor_lost(plays: list[tuple[str, int, int, int]], known: tuple[int, str, str]) -> None:
    start = table_of(known)
    whole = sorted(harm.deck_of(start.table.system))
    for step in played(plays, start):
        party = step.session.party
        assert sorted((*party.order, *party.drawn)) == whole
        lying: Counter[str] = Counter()
        for state in party.characters.values():
            assert state.drawn == ()
            if not state.dead:
                wounds = (*state.wounds, *state.permanent)
                lying.update({item.card for item in (*state.pile, *wounds)})
        assert all(count == 1 for count in lying.values()), "no card lies before two of the living"
        assert set(lying) <= set(party.drawn)


@settings(max_examples=40)
@given(PLAYS, TABLES)
def test_undo_and_redo_are_exact(plays: list[tuple[str, int, int, int]], known: tuple[int, str, str]) -> None:
    now = table_of(known)
    for step in played(plays, now):
        if step.command.deeds[0].do not in ("undo", "redo"):
            back = after(step.session, Deed("undo"))
            assert back.party == now.party
            assert after(back, Deed("redo")).party == step.session.party
            again = advance(back, _fresh(step.command.deeds[0]))
            assert (again.session.party, again.command, again.log) == (step.session.party, step.command, step.log)
        now = step.session
    whole = [moment.party for moment in now.moments()]
    for party in whole:
        assert now.party == party
        now = after(now, Deed("undo"))
    assert now.party.characters == {}
    for party in whole[::-1]:
        now = after(now, Deed("redo"))
        assert now.party == party


def _fresh(item: Deed) -> Deed:
    """A deed without the luck that a virtual deck met."""
    return msgspec.structs.replace(item, cards=(), dice=(), order=())


@settings(max_examples=40)
@given(PLAYS, TABLES)
def test_a_journal_replays_to_the_same_party(
    plays: list[tuple[str, int, int, int]], known: tuple[int, str, str]
) -> None:
    start = table_of(known)
    steps = played(plays, start)
    raw = journal_of([step.command.deeds[0] for step in steps], start.table.campaign)
    now = steps[-1].session if steps else start
    reading = read(raw)
    assert reading.session is not None
    assert reading.session.party == now.party
    assert [moment.command.deeds[0] for moment in reading.session.moments()] == [
        moment.command.deeds[0] for moment in now.moments()
    ]
    assert (reading.torn, reading.ended, reading.size, reading.lines) == (b"", True, len(raw), len(steps) + 1)
    with pytest.MonkeyPatch.context() as patch:
        # The program's own dice and shuffling may change: what was met stays.
        patch.setattr(luck, "_number", lambda *asked: asked[2] - 1)
        other = read(raw)
        assert other.session is not None
        assert other.session.party == now.party


@settings(max_examples=30)
@given(PLAYS)
def test_a_real_table_that_meets_the_same_luck_comes_to_the_same_states(plays: list[tuple[str, int, int, int]]) -> None:
    steps = played(plays, begun())
    now = after(real(), *(msgspec.structs.replace(step.command.deeds[0], order=()) for step in steps))
    expected = steps[-1].session.party if steps else begun().party
    assert dict(now.party.characters) == dict(expected.characters)
    assert now.party.drawn == expected.drawn


def test_long_play_shuffles_the_deck_again_and_replays() -> None:
    rng = random.Random(3)
    plays = [(rng.choice(("hit", "hit", "hit", "heal", "rest")), rng.randrange(3), 6, 1) for _ in range(1500)]
    steps = played(plays, begun())
    assert sum(bool(step.command.deeds[0].order) for step in steps) >= 3
    assert sum(len(step.command.deeds[0].dice) for step in steps) >= 20
    reading = read(journal_of([step.command.deeds[0] for step in steps], steps[0].session.table.campaign))
    assert reading.session is not None
    assert reading.session.party == steps[-1].session.party


def test_the_seed_is_the_same_everywhere() -> None:
    assert begun(seed=7).party.order[:8] == ("10C", "4S", "6D", "3C", "KC", "10D", "QH", "4D")
    assert begun(seed=8).party.order[:8] != begun(seed=7).party.order[:8]
    assert begun(seed=None).table.campaign.seed != begun(seed=None).table.campaign.seed
    assert sorted(begun().party.order) == sorted(FULL_DECK)


def test_shuffles_and_dice_are_even() -> None:
    tops = Counter(begun(seed=seed).party.order[0] for seed in range(2000))
    assert len(tops) == 52
    assert max(tops.values()) < 2000 / 52 * 2
    faces = Counter(luck._number(1, place, 6) for place in range(6000))
    assert set(faces) == set(range(6))
    assert all(850 < count < 1150 for count in faces.values())


def test_a_virtual_deck_takes_no_cards_from_outside() -> None:
    now = after(begun(), Deed("add", "bryn"))
    for typed in (deed("hit bryn 3 KH"), deed("hit bryn 3 dice 3"), Deed("hit", "bryn", ("3",), order=("KH",))):
        with pytest.raises(UsageError, match="draws and rolls by itself"):
            advance(now, typed)


def test_looking_at_the_next_card_leaves_it_there() -> None:
    base = after(begun(), Deed("add", "bryn"))
    order = ("AH", *(code for code in base.party.order if code != "AH"))
    now = Session(base.table, Moment(_with(base, order)))
    step = advance(now, Deed("hit", "bryn", ("3",)))
    seen = [entry.facts["next"] for entry in step.log if entry.kind == "peek"]
    assert seen == [order[1]]
    assert advance(step.session, Deed("hit", "bryn", ("3",), choices=())).command.deeds[0].cards[0] == order[1]


def _with(now: Session, order: tuple[str, ...]) -> Party:
    return Party(now.party.characters, now.party.drawn, order, now.party.met)


def test_a_log_can_be_had_again_at_any_time() -> None:
    steps = played([("hit", 0, 5, 1)] * 8, begun())
    logs = [step.log for step in steps]
    now = steps[-1].session
    assert [log_of(now.table, moment) for moment in now.moments()][::-1] == logs
    assert log_of(now.table, Moment(Party({}))) == ()


@pytest.mark.slow
def test_a_very_long_session_comes_and_goes() -> None:
    moment = Moment(Party({}))
    for _ in range(MOST_LINES):
        moment = Moment(moment.party, Command((Deed("rest", "x"),)), moment)
    now = Session(begun().table, moment)
    assert sum(1 for _ in now.moments()) == MOST_LINES
    for _ in range(MOST_LINES):
        now = advance(now, Deed("undo")).session
    assert now.undone is not None
    del now, moment


# --- counting cards --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("state", "event"),
    [
        (State(score=15, tokens=15), Event("hit", 9)),
        (State(score=11, tokens=11, blood=5), Event("hit", 3)),
        (State(score=11, tokens=11, blood=5, holding=True), Event("hit", 3)),
        (State(score=18, tokens=18), Event("draw")),
        (State(score=8, tokens=8), Event("hit", 14)),
        (State(hp=4), Event("hit", 20)),
        (State(score=20, tokens=20), Event("hit", 2)),
    ],
)
def test_the_tally_is_what_the_engine_does_with_each_card(state: State, event: Event) -> None:
    system, drawn = hackjack(), ("2C", "KD")
    state = msgspec.structs.replace(state, drawn=drawn)
    counts = tally(system, state, event)
    assert counts.draws
    assert counts.left == 50
    for code in FULL_DECK:
        if code in drawn:
            assert code not in (*counts.kill, *counts.more)
            continue
        dead = set()
        for seed in range(12):
            luck = Seeded(seed, ())
            luck._next = {"": code}
            dead.add(harm.step(system, state, event, luck)[0].dead)
        if code in counts.kill:
            assert dead == {True}, code
        elif code not in counts.more:
            assert dead == {False}, code
    assert set(counts.more) <= {"7C", "JC", "QS", "6H"}


def test_a_hit_without_a_card_has_nothing_to_count() -> None:
    system = hackjack()
    assert tally(system, State(hp=9), Event("hit", 3)) == Tally((), (), 52, draws=False)
    assert tally(system, State(hp=9), Event("hit", 90)).outright
    with pytest.raises(HackjackError):
        harm.step(system, State(), Event("hit", 3), Given())


# --- the journal on disk ---------------------------------------------------------------------------------------------


@contextmanager
def playing(folder: Path, new: Session) -> Iterator[Journal]:
    journal = open_journal(folder / "t.jsonl", hackjack(), new.table.campaign)
    yield journal


@cache
def script() -> tuple[Deed, ...]:
    """A short evening with every kind of luck."""
    texts = (
        "add bryn 7",
        "add Ötzi 3",
        "hit bryn 22 7C KH 2H choose 2",
        "hit Ötzi 9 9S dice 3 4",
        "undo",
        "redo",
        "heal bryn 3",
        "undo",
        "rest bryn",
        "hit Ötzi 3 10C dice 2",
    )
    return tuple(map(deed, texts))


def written(folder: Path) -> tuple[Path, Session]:
    """The evening in a file."""
    with playing(folder, begun("real")) as journal:
        for item in script():
            journal.do(item)
        return folder / "t.jsonl", journal.session


def test_a_journal_is_lines_of_json_that_others_can_read(tmp_path: Path) -> None:
    path, _ = written(tmp_path)
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert len(lines) == len(script()) + 1
    assert {key: lines[0][key] for key in ("version", "system", "content", "deck", "seed")} == {
        "version": VERSION,
        "system": "hackjack",
        "content": hackjack().head.version,
        "deck": "real",
        "seed": None,
    }
    assert lines[0]["rulings"]["massive_damage"] == "over_13"
    assert lines[4]["deeds"] == [{"do": "hit", "who": "Ötzi", "words": ["9"], "cards": ["9S"], "dice": [3, 4]}]
    assert lines[4].keys() == {"deeds", "id", "time", "crc"}
    assert abs(lines[4]["time"] - time.time()) < 60
    assert len({line["id"] for line in lines[1:]}) == len(script())


def test_a_journal_opens_where_it_was_left(tmp_path: Path) -> None:
    path, before = written(tmp_path)
    raw = path.read_bytes()
    with playing(tmp_path, begun("real")) as journal:
        assert journal.session.party == before.party
        assert journal.notices == []
        step = journal.do(Deed("hold", "bryn"))
    assert path.read_bytes().startswith(raw)
    looked = read_file(path, hackjack()).session
    assert looked is not None
    assert looked.party == step.session.party


def test_nothing_is_written_before_somebody_joins(tmp_path: Path) -> None:
    with playing(tmp_path, begun("real")) as journal, pytest.raises(HackjackError, match="nothing to undo"):
        journal.do(Deed("undo"))
    assert not (tmp_path / "t.jsonl").exists()


def test_a_torn_last_line_is_set_aside_wherever_it_tore(tmp_path: Path) -> None:
    path, _ = written(tmp_path)
    whole = path.read_bytes()
    start = whole[:-1].rindex(b"\n") + 1
    expected = after(real(), *script()[:-1]).party
    for cut in range(start, len(whole) - 1):
        path.write_bytes(whole[:cut])
        with playing(tmp_path, begun("real")) as journal:
            assert journal.session.party == expected
            assert len(journal.notices) == (cut > start)
            journal.do(script()[-1])
        assert path.read_bytes().startswith(whole[:start])
        assert commands_of(path.read_bytes()) == commands_of(whole)
    aside = sorted(tmp_path.glob("t.torn-*"), key=lambda found: int(found.name.rpartition("-")[2]))
    assert [found.read_bytes() for found in aside] == [whole[start:cut] for cut in range(start + 1, len(whole) - 1)]


def test_a_last_line_that_lacks_only_its_end_is_kept(tmp_path: Path) -> None:
    path, before = written(tmp_path)
    whole = path.read_bytes()
    path.write_bytes(whole[:-1])
    with playing(tmp_path, begun("real")) as journal:
        assert journal.session.party == before.party
        assert journal.notices == []
        journal.do(Deed("hold", "bryn"))
    assert path.read_bytes().startswith(whole + b'{"deeds":[{"do":"hold"')


def test_a_torn_first_line_begins_anew(tmp_path: Path) -> None:
    path, _ = written(tmp_path)
    head = path.read_bytes().splitlines()[0]
    for cut in range(0, len(head), 9):
        path.write_bytes(head[:cut])
        assert read_file(path, hackjack()).session is None
        with playing(tmp_path, begun("real")) as journal:
            assert journal.session.party == Party({})
            assert not journal.begun
            assert len(journal.notices) == (cut > 0)
        assert not path.exists()


@pytest.mark.parametrize("end", [b"", b"\n"])
@pytest.mark.parametrize("rubbish", [b"\0" * 300, b"{}", b"\xff\xfe", b"x" * 20_000, b'{"do":"undo","crc":"00000000"}'])
def test_a_damaged_last_line_is_set_aside(rubbish: bytes, end: bytes, tmp_path: Path) -> None:
    path, before = written(tmp_path)
    whole = path.read_bytes()
    path.write_bytes(whole + rubbish + end)
    reading = read_file(path, hackjack())
    assert reading.session is not None
    assert reading.session.party == before.party
    assert f"line {len(script()) + 2}, the last one" in reading.notice
    assert path.read_bytes() == whole + rubbish + end, "looking changes nothing"
    with playing(tmp_path, begun("real")) as journal:
        assert journal.notices == [f"t.jsonl: {reading.notice}; it lies in t.torn-1 now"]
    assert path.read_bytes() == whole
    assert (tmp_path / "t.torn-1").read_bytes() == rubbish + end
    with playing(tmp_path, begun("real")) as journal:
        assert journal.notices == [], "told once"


def test_damage_in_the_middle_is_an_error_with_its_line(tmp_path: Path) -> None:
    path, _ = written(tmp_path)
    whole = path.read_bytes()
    lines = whole.splitlines(keepends=True)
    # The line break before the last line belongs to that line's damage: what follows it is as if torn.
    for place in range(0, len(whole) - len(lines[-1]) - 1, 3):
        spoilt = bytearray(whole)
        spoilt[place] ^= 1
        line = whole[:place].count(b"\n") + 1
        with pytest.raises(HackjackError, match=rf"^j.jsonl:{line}: this line is not as it was written"):
            read(bytes(spoilt))
    for number in range(len(lines) - 2):
        gone = b"".join(lines[:number] + lines[number + 1 :])
        with pytest.raises(HackjackError, match=rf"^j.jsonl:{number + 1}: "):
            read(gone)
        swapped = [*lines]
        swapped[number : number + 2] = swapped[number : number + 2][::-1]
        with pytest.raises(HackjackError, match=rf"^j.jsonl:{number + 1}: "):
            read(b"".join(swapped))
    path.write_bytes(lines[0] + b"x" + b"".join(lines[1:]))
    with pytest.raises(HackjackError, match=r"t\.jsonl:2: "), playing(tmp_path, begun("real")):
        pass
    assert path.read_bytes() == lines[0] + b"x" + b"".join(lines[1:]), "an error leaves the file as it is"


HEAD = msgspec.json.encode(msgspec.structs.replace(begun("real").table.campaign, version=3, checksum=""))
NEW_HEAD = msgspec.json.encode(begun("real").table.campaign)


def bare(**changes: Any) -> bytes:
    return json.dumps({**json.loads(HEAD), **changes}).encode()


@pytest.mark.parametrize(
    ("bodies", "line", "says"),
    [
        ([bare(version=5)], 1, "the journal is of version 5, and this program reads 1 to 4: play on with the newer"),
        ([bare(version=5, extra=1, deck="marked", rulings=[])], 1, "the journal is of version 5, and this program"),
        ([b'{"version":40,"campaign":{}}'], 1, "the journal is of version 40, and this program reads 1 to 4"),
        ([bare(version=5, system="glog")], 1, "the journal is of version 5, and this program reads 1 to 4"),
        (
            [HEAD, b'{"version":5,"since":"2027"}'],
            2,
            "from here on the journal is of version 5, and this program reads",
        ),
        ([bare(version=0)], 1, "the journal is of version 0, and this program reads 1 to 4"),
        ([HEAD, b'{"version":4}'], 2, "missing required field `content`"),
        ([HEAD, b'{"version":3,"content":"1.0"}'], 2, "a journal of version 3 does not go on in version 3"),
        ([NEW_HEAD, b'{"version":1,"content":"1.0"}'], 2, "a journal of version 4 does not go on in version 1"),
        ([NEW_HEAD, b'{"do":"add","who":"x"}'], 2, "unknown field `do`"),
        ([NEW_HEAD, b'{"deeds":[]}'], 2, "a command has one deed at least"),
        ([NEW_HEAD, b'{"deeds":[{"do":"add","who":"x"}],"id":"a b"}'], 2, "matching regex"),
        ([NEW_HEAD, b'{"deeds":[{"do":"add","who":"x"}],"time":-1}'], 2, "Expected `int` >= 0"),
        ([NEW_HEAD, b'{"deeds":[{"do":"add","who":"x"},{"do":"undo"}]}'], 2, "commands of their own"),
        ([NEW_HEAD, b'{"deeds":[{"do":"add","who":"x"},{"do":"hit","who":"x"}]}'], 2, "hit x: hit needs a number"),
        ([bare(system="glog")], 1, 'this campaign plays "glog", not "hackjack"'),
        ([bare(rulings={"jokres": "out"})], 1, 'hackjack has no ruling switch and no number "jokres"'),
        ([bare(rulings={"jokers": "maybe"})], 1, 'jokers cannot be "maybe"'),
        ([bare(rulings=["jokers"])], 1, "this line cannot be read: Expected `object`"),
        ([bare(extra=1)], 1, "this line cannot be read: Object contains unknown field `extra`"),
        ([bare(deck="marked")], 1, "this line cannot be read: Invalid enum value 'marked'"),
        ([bare(seed=5)], 1, "a real deck and real dice have no seed"),
        ([bare(deck="virtual", seed=5)], 1, "a virtual deck has a seed, and an order of its 52 cards"),
        ([bare(deck="virtual", seed=5, order=["AC"] * 52)], 1, "a virtual deck has a seed, and an order"),
        ([b'{"version":1}'], 1, "this line cannot be read: Object missing required field `system`"),
        ([HEAD, b'{"do":"fly","who":"x"}'], 2, 'there is no event "fly"'),
        ([HEAD, b'{"do":"hit","who":"x","amount":3}'], 2, 'nobody here is called "x"'),
        ([HEAD, b'{"do":"add","who":"x","hp":3}'], 2, "unknown field `hp`"),
        ([HEAD, b'{"do":"add","who":"x","amount":-3}'], 2, "Expected `int` >= 0"),
        ([HEAD, b'{"do":"add","who":"x","amount":"3"}'], 2, "Expected `int`, got `str`"),
        ([HEAD, b'{"do":"add","who":"x","amount":99999999999999999999}'], 2, "this line cannot be read"),
        ([HEAD, b'{"do":"add","who":"a  b"}'], 2, '"a  b" is no name for a character'),
        ([HEAD, '{"do":"add","who":"e\u0301"}'.encode()], 2, "the name"),
        ([HEAD, b'{"do":"add","who":"\xff"}'], 2, "this line cannot be read"),
        ([HEAD, b'{"who":"x"}'], 2, "missing required field `do`"),
        ([HEAD, b'{"do":"undo"}'], 2, "there is nothing to undo"),
        ([HEAD, b'{"do":' + b"[" * 5000 + b"]" * 5000 + b"}"], 2, "line"),
        ([HEAD, b'{"do":"add","who":"x"}', b'{"do":"hit","who":"x","amount":3}'], 3, "needs a card"),
        ([HEAD, b'{"do":"add","who":"x"}', b'{"do":"hit","who":"x","amount":3,"cards":["QQ"]}'], 3, '"QQ" is not a'),
        (
            [HEAD, b'{"do":"add","who":"x"}', b'{"do":"hit","who":"x","amount":3,"cards":["AC"],"order":["AC"]}'],
            3,
            "no order",
        ),
    ],
)
def test_what_a_journal_may_not_say(bodies: list[bytes], line: int, says: str) -> None:
    with pytest.raises(HackjackError) as caught:
        read(sealed(*bodies) + sealed(b"{}"))
    assert str(caught.value).startswith(f"j.jsonl:{line}: ")
    assert says in str(caught.value) or "not as it was written" in str(caught.value)
    assert len(str(caught.value)) < 500
    if len(bodies[-1]) < LONGEST_LINE:
        assert says in str(caught.value)


@pytest.mark.parametrize("line", [b'{"version":5,"seal":"sha256:0"}', b'{"version":5,"crc":"00000000"}\n'])
def test_a_line_of_a_newer_program_is_named_and_never_set_aside(line: bytes, tmp_path: Path) -> None:
    path, _ = written(tmp_path)
    for whole in (line, path.read_bytes() + line):
        path.write_bytes(whole)
        with pytest.raises(HackjackError, match="the journal is of version 5"), playing(tmp_path, begun("real")):
            pass
        assert (path.read_bytes(), [*tmp_path.glob("*.torn-*")]) == (whole, [])


def test_a_virtual_journal_whose_cards_are_not_those_on_top() -> None:
    start = after(begun(), Deed("add", "x"))
    campaign = start.table.campaign
    hit = advance(start, Deed("hit", "x", ("3",))).command.deeds[0]
    other = msgspec.structs.replace(hit, cards=(campaign.order[9],))
    with pytest.raises(HackjackError, match=f":3: {campaign.order[9]} is drawn, but {campaign.order[0]} lies on top"):
        read(journal_of([Deed("add", "x"), other], campaign))
    early = msgspec.structs.replace(hit, order=("AC", "2C"))
    with pytest.raises(HackjackError, match=":3: an order is given, but the deck did not run out"):
        read(journal_of([Deed("add", "x"), early], campaign))


def test_a_campaign_of_other_content_opens_and_its_errors_say_so() -> None:
    raw = sealed(bare(content="0.9"), b'{"do":"add","who":"x"}')
    reading = read(raw)
    assert reading.session is not None
    assert reading.session.table.campaign.content == "0.9"
    with pytest.raises(
        HackjackError, match=r"needs a card; if the content has changed since, .* \(begun with content 0.9, read with "
    ):
        read(sealed(bare(content="0.9"), b'{"do":"add","who":"x"}', b'{"do":"hit","who":"x","amount":3}'))


SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(-5, 20_000), st.floats(), st.text(max_size=8), st.sampled_from(ALL_CODES)
)
VALUES = st.one_of(
    SCALARS, st.lists(SCALARS, max_size=6), st.dictionaries(st.text(max_size=4), SCALARS, max_size=3), st.just(["QS"])
)
KEYS = st.sampled_from(["do", "who", "amount", "word", "words", "at", "cards", "dice", "choices", "order", "extra"])
LINES = st.dictionaries(KEYS, VALUES, max_size=8)
NEAR = st.fixed_dictionaries(
    {"do": st.sampled_from((*harm.EVENTS, "add", "remove", "undo", "redo"))},
    optional={
        "who": st.sampled_from(["bryn", "cara", "x"]),
        "amount": st.integers(0, 30),
        "word": st.sampled_from(["critical", "comfort", "d8", "d", "9"]),
        "cards": st.lists(st.sampled_from(ALL_CODES), max_size=4),
        "dice": st.lists(st.integers(1, 7), max_size=4),
        "choices": st.lists(st.integers(1, 3), max_size=2),
    },
)


@pytest.mark.slow
@settings(max_examples=250)
@given(st.lists(st.one_of(NEAR, LINES), max_size=6), st.sampled_from(["off", "hit_die_over_trauma", "d20_over_score"]))
def test_whatever_a_sealed_journal_says_there_is_no_traceback(lines: list[dict[str, Any]], pass_out: str) -> None:
    rulings = {"pass_out": pass_out, "critical_draw": "on"}
    known = [b'{"do":"add","who":"bryn"}', b'{"do":"hit","who":"bryn","amount":3,"cards":["KH"]}']
    raw = sealed(bare(rulings=rulings), *known, *(json.dumps(line).encode() for line in lines))
    try:
        reading = read(raw)
    except HackjackError as error:
        assert str(error).startswith("j.jsonl:")
        assert "\n" not in str(error)
    else:
        assert reading.session is not None
        assert reading.torn == b""


@settings(max_examples=150)
@given(st.binary(max_size=200), st.integers(0, 400), st.booleans())
def test_whatever_befalls_the_bytes_there_is_no_traceback(noise: bytes, place: int, instead: bool) -> None:
    raw = journal_of(script(), real().table.campaign)
    spoilt = raw[:place] + noise + raw[place + (len(noise) if instead else 0) :]
    for found in (spoilt, noise):
        try:
            read(found)
        except HackjackError as error:
            assert str(error).startswith("j.jsonl:")


# --- limits and a disk that says no ----------------------------------------------------------------------------------


def test_a_journal_has_bounds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, _ = written(tmp_path)
    size, lines = path.stat().st_size, len(script()) + 1
    for name, value in (("MOST_LINES", lines), ("MOST_BYTES", size + 5)):
        with monkeypatch.context() as patch, playing(tmp_path, begun("real")) as journal:
            patch.setattr(journal_files, name, value)
            with pytest.raises(HackjackError, match="the journal is full"):
                journal.do(Deed("hold", "bryn"))
    for name, value in (("MOST_LINES", lines - 1), ("MOST_BYTES", size - 5)):
        with monkeypatch.context() as patch:
            patch.setattr(journal_lines, name, value)
            with pytest.raises(HackjackError, match="are too many"), playing(tmp_path, begun("real")):
                pass
            with pytest.raises(HackjackError, match="are too many"):
                read(path.read_bytes())
    assert path.stat().st_size == size


@pytest.mark.parametrize("fault", ["short", "full", "fsync", "interrupt"])
@pytest.mark.parametrize("old", [True, False])
def test_what_the_disk_refuses_has_not_happened(
    fault: str, old: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if old:
        written(tmp_path)
    path = tmp_path / "t.jsonl"
    raw = path.read_bytes() if old else b""
    write = os.write

    def refusing(*_: Any) -> int:
        raise KeyboardInterrupt if fault == "interrupt" else OSError(28, "No space left on device")

    with playing(tmp_path, begun("real")) as journal:
        before = journal.session
        item = Deed("hold", "bryn") if old else Deed("add", "bryn")
        with monkeypatch.context() as patch:
            if fault == "short":
                patch.setattr(os, "write", lambda handle, data: write(handle, data[:7]))
            else:
                patch.setattr(os, "write" if fault == "full" else "fsync", refusing)
            with pytest.raises(KeyboardInterrupt if fault == "interrupt" else HackjackError) as caught:
                journal.do(item)
        if fault != "interrupt":
            assert str(caught.value).startswith(f"{path}: ")
        assert journal.session is before
        assert (path.read_bytes() if old else b"") == raw
        assert path.exists() == old
        journal.do(item)
    reading = read_file(path, hackjack())
    assert reading.session is not None
    assert reading.lines == (len(script()) + 2 if old else 2)


def test_a_file_that_changes_under_our_hands_is_read_again(tmp_path: Path) -> None:
    path, before = written(tmp_path)
    whole = path.read_bytes()
    with playing(tmp_path, begun("real")) as journal:
        with path.open("ab") as stream:
            stream.write(b"more")
        assert journal.catch_up() == ()
        assert journal.notices == [], "it may be a line that somebody is writing"
        journal.do(Deed("hold", "bryn"))
        assert [notice.partition(" (")[0] for notice in journal.notices] == [
            f"t.jsonl: line {len(script()) + 2}, the last one, is not as it was written"
        ]
        journal.notices.clear()
        for shorter in (whole, b"".join(whole.splitlines(keepends=True)[:2])):
            path.write_bytes(shorter)
            with pytest.raises(StaleError):
                journal.do(deed("hit bryn 3 AC"), journal.lines)
            assert journal.notices == ["t.jsonl is another file than before: all of it was read again"]
            journal.notices.clear()
        assert journal.session.party == after(real(), script()[0]).party
        assert journal.catch_up() == ()
        path.unlink()
        for act in (journal.catch_up, lambda: journal.do(Deed("hold", "bryn"))):
            with pytest.raises(HackjackError, match="the file is gone: bring it back"):
                act()
    assert not path.exists()
    assert before.party.names


def test_a_file_of_the_same_length_is_told_from_ours(tmp_path: Path) -> None:
    path, _ = written(tmp_path)
    journal = open_journal(path, hackjack(), real().table.campaign)
    whole = path.read_bytes()
    other = journal_of([Deed("add", "somebody")], real().table.campaign)
    path.write_bytes(other + b" " * (len(whole) - len(other)))
    os.utime(path, ns=(1, 1))
    journal.catch_up()
    assert journal.session.party.names == ("somebody",)


def test_a_command_for_another_file_is_refused_though_it_has_as_many_lines(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    campaign = real().table.campaign
    path.write_bytes(journal_of([Deed("add", "bryn")], campaign))
    journal = open_journal(path, hackjack(), campaign)
    path.write_bytes(journal_of([Deed("add", "brynja")], campaign))
    with pytest.raises(StaleError, match="others have played in the meantime: look at the table"):
        journal.do(Deed("undo"), journal.lines)
    assert journal.session.party.names == ("brynja",)


def test_what_is_no_file_is_no_campaign(tmp_path: Path) -> None:
    (tmp_path / "t.jsonl").mkdir()
    os.mkfifo(tmp_path / "pipe.jsonl")
    for name in ("t.jsonl", "pipe.jsonl"):
        with pytest.raises(HackjackError, match="this is no plain file"):
            read_file(tmp_path / name, hackjack())
    (tmp_path / "plain").write_text("")
    campaign = real().table.campaign
    with pytest.raises(HackjackError, match="plain"):
        open_journal(tmp_path / "plain" / "t.jsonl", hackjack(), campaign)
    assert not read_file(tmp_path / "none.jsonl", hackjack()).session


def test_where_campaigns_lie(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("HACKJACK_HOME", raising=False)
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    assert campaign_file("a") == tmp_path / "home/.local/share/hackjack/campaigns/a.jsonl"
    monkeypatch.setenv("XDG_DATA_HOME", "not/absolute")
    assert campaign_file("a") == tmp_path / "home/.local/share/hackjack/campaigns/a.jsonl"
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert campaign_file("a") == tmp_path / "data/hackjack/campaigns/a.jsonl"
    monkeypatch.setenv("HACKJACK_HOME", str(tmp_path / "own"))
    assert campaign_file("red-keep_2") == tmp_path / "own/campaigns/red-keep_2.jsonl"
    assert campaigns() == ()
    for name in ("", "..", "a/b", "A", "ä", "a b", "x" * 41, "a\n", "a.b"):
        with pytest.raises(UsageError, match="is no name for a campaign"):
            campaign_file(name)


# --- other processes -------------------------------------------------------------------------------------------------

CHILD = """
import sys
from pathlib import Path
from generator.pack import content
from generator.session.deeds import Command, Deed
from generator.session.journal import open_journal
from generator.session.luck import MissingError
from generator.session.session import new_campaign
path, way, name, count = Path(sys.argv[1]), sys.argv[2], sys.argv[3], int(sys.argv[4])
system = content.load(content.find("hackjack")).system
journal = open_journal(path, system, new_campaign(system, "virtual", 7))
print("open", flush=True)
if way == "hold":
    with journal._alone():
        print("held", flush=True)
        sys.stdin.read()
for _ in range(count if way == "play" else 0):
    party = journal.session.party
    if name not in party.characters:
        deed = Deed("add", name, ("hp", "5"))
    elif party.characters[name].dead:
        deed = Deed("remove", name)
    elif len(party.drawn) % 3 == 2 and party.characters[name].score:
        deed = Deed("heal", name, ("30",))
    else:
        deed = Deed("hit", name, ("9",))
    try:
        step = journal.do(Command((deed,), by=name))
    except MissingError:
        step = journal.do(Command((Deed(deed.do, deed.who, deed.words, choices=(1,)),), by=name))
    print(step.command, flush=True)
"""


def child(path: Path, way: str, name: str = "bryn", count: int = 100_000) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", CHILD, str(path), way, name, str(count)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    )


def test_who_waits_too_long_is_told_who_writes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, before = written(tmp_path)
    monkeypatch.setattr(journal_files, "PATIENCE", 0.1)
    with child(path, "hold") as other, playing(tmp_path, begun("real")) as journal:
        assert other.stdout is not None
        assert other.stdin is not None
        assert [other.stdout.readline() for _ in range(2)] == ["open\n", "held\n"]
        with pytest.raises(BusyError) as caught:
            journal.do(Deed("hold", "bryn"))
        assert str(caught.value) == f"t is busy, for process {other.pid} writes to it: try again"
        assert journal.catch_up() == (), "looking waits for nobody"
        with path.open("ab") as stream:
            stream.write(b'{"deeds":[{"do":"ho')
        looked = read_file(path, hackjack())
        assert (looked.torn, looked.session and looked.session.party) == (b"", before.party), "it is being written"
        other.stdin.close()
        other.wait()
        assert read_file(path, hackjack()).torn == b'{"deeds":[{"do":"ho', "and now it is torn"
        monkeypatch.setattr(journal_files, "PATIENCE", 1)
        journal.do(Deed("hold", "bryn"))


def played_by(raw: bytes) -> dict[str, list[str]]:
    """What each hand has played, by the journal."""
    found: dict[str, list[str]] = {}
    for line in raw.splitlines()[1:]:
        command = msgspec.json.decode(line[: line.rindex(b',"crc"')] + b"}", type=Command)
        found.setdefault(command.by, []).append(str(command))
    return found


def test_two_processes_play_one_campaign_at_the_same_time(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    with child(path, "play", "bryn", 30) as one, child(path, "play", "cara", 30) as other:
        told = [process.communicate()[0].splitlines()[1:] for process in (one, other)]
    assert [len(lines) for lines in told] == [30, 30]
    assert played_by(path.read_bytes()) == {"bryn": told[0], "cara": told[1]}
    reading = read_file(path, hackjack())
    assert (reading.lines, reading.torn) == (61, b"")


@pytest.mark.slow
def test_two_processes_that_are_killed_lose_nothing_that_was_told(tmp_path: Path) -> None:
    rng = random.Random(6)
    path = tmp_path / "t.jsonl"
    kept: dict[str, list[str]] = {"bryn": [], "cara": []}
    for _ in range(8):
        with child(path, "play", "bryn") as one, child(path, "play", "cara") as other:
            for process in (one, other):
                assert process.stdout is not None
                process.stdout.readline()
            time.sleep(rng.uniform(0.01, 0.1))
            for process in (one, other):
                process.send_signal(signal.SIGKILL)
            for name, process in (("bryn", one), ("cara", other)):
                assert process.stdout is not None
                kept[name] += [line.rstrip("\n") for line in process.stdout.readlines() if line.endswith("\n")]
        reading = read_file(path, hackjack())
        found = played_by(path.read_bytes()[: reading.size])
        for name, told in kept.items():
            assert found.get(name, [])[: len(told)] == told
            assert len(found.get(name, [])) <= len(told) + 1
        kept |= found
    assert min(map(len, kept.values())) > 8


@pytest.mark.slow
def test_nothing_that_was_acknowledged_is_lost_to_kill_9(tmp_path: Path) -> None:
    """A process that plays as fast as it can is killed at random moments, again and again, in one campaign."""
    rng = random.Random(5)
    path = tmp_path / "t.jsonl"
    told: list[str] = []
    for _ in range(16):
        told += _killed(path, rng.uniform(0, 0.04))
        reading = read_file(path, hackjack())
        kept = _deeds(path, reading)
        assert kept[: len(told)] == told, "every deed that was told is kept, in order"
        assert len(kept) <= len(told) + 1, "and at most the one that was about to be told"
        told = kept
    assert len(told) > 16
    with playing(tmp_path, begun()) as journal:
        assert journal.session.table.campaign.order == begun().table.campaign.order
        journal.do(Deed("add", "cara"))


def _killed(path: Path, after_seconds: float) -> list[str]:
    with child(path, "play") as other:
        assert other.stdout is not None
        lines = [other.stdout.readline(), other.stdout.readline()]
        time.sleep(after_seconds)
        other.send_signal(signal.SIGKILL)
        lines += other.stdout.readlines()
        other.wait()
    # The last line may have been cut off in the pipe: it was not told in full.
    return [line.rstrip("\n") for line in lines[1:] if line.endswith("\n")]


def _deeds(path: Path, reading: Reading) -> list[str]:
    """Every command in the sound part of a journal."""
    return played_by(path.read_bytes()[: reading.size]).get("bryn", [])


def test_lines_follow_each_other_by_their_checksums() -> None:
    raw = journal_of(script(), real().table.campaign)
    assert all(first != second for first, second in pairwise(raw.splitlines()))
    assert unseal(raw.splitlines()[0], 0) is not None
    assert unseal(raw.splitlines()[1], 0) is None
