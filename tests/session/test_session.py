"""The session: a party as a value, and the luck that deeds meet."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest
from helpers import befall, hackjack
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.base.cards import FULL_DECK
from generator.base.errors import HackjackError, UsageError
from generator.base.text_input import read_name
from generator.games import game_of
from generator.games.face import Asked
from generator.pack.settings import with_settings
from generator.play.chance import CardNeed, ChoiceNeed, RollNeed, Seeded
from generator.session import luck
from generator.session.deeds import Campaign, Command, DeckKind, Deed
from generator.session.journal_lines import MAX_LINES, replay
from generator.session.luck import MissingError
from generator.session.party import Party, PartyTable, cards_held, shuffled_cards
from generator.session.questions import question_of
from generator.session.session import Moment, Session, TableStep, advance, left_in, log_of, new_campaign, new_session

NAMES = ("bryn", "Ötzi", "阿明")


def begun(deck: DeckKind = "virtual", seed: int | None = 7, **rulings: str) -> Session:
    """A session with nobody in it."""
    system = with_settings(hackjack(), rulings.items())
    return new_session(PartyTable(system, new_campaign(system, deck, None if deck == "real" else seed)))


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


def session_of(commands: Sequence[Command], campaign: Campaign) -> Session:
    """What a journal with these commands comes to."""
    session, _ = replay(None, enumerate((campaign, *commands), 1), hackjack(), "j")
    assert session is not None
    return session


# --- a party as a value ----------------------------------------------------------------------------------------------


def test_the_party_shares_one_deck() -> None:
    now = after(real(), Deed("add", "bryn"), Deed("add", "cara"), deed("hit bryn 3 KH"))
    assert now.party.drawn == ("KH",)
    assert "KH" not in left_in(now)
    with pytest.raises(HackjackError, match="KH has been drawn already"):
        advance(now, deed("hit cara 3 KH"))
    now = after(now, deed("hit cara 3 2H"))
    assert now.party.drawn == ("KH", "2H")
    assert [held["card"] for held in now.table.game.plain_state(now.party.characters["cara"])["pile"]] == ["2H"]
    assert now.party.state("bryn").drawn == ("KH", "2H")


@pytest.mark.parametrize(
    ("text", "need", "says"),
    [
        ("hit bryn 3", CardNeed, "needs a card"),
        ("hit bryn 3 7C KH", CardNeed, "needs a card"),
        ("hit bryn 3 7C KH 2H", ChoiceNeed, "needs a choice: 1 Ruin within 2 Crushed throat"),
        ("hit bryn 3 10C", RollNeed, "needs d4 (Blood of 10C)"),
        ("hit bryn 3 9S dice 4", RollNeed, "needs 2d6 (Blood of 9S), and only 1 of 2 dice are given"),
    ],
)
def test_missing_luck_is_named(text: str, need: type, says: str) -> None:
    with pytest.raises(MissingError) as caught:
        advance(after(real(), Deed("add", "bryn")), deed(text))
    assert str(caught.value) == says
    assert isinstance(caught.value.need, need)
    question = question_of(caught.value.need, real().table)
    assert question.plain["kind"] == need.__name__.removesuffix("Need").lower()
    assert [each["text"] for each in question.plain.get("options", ())] == [name for name, _ in question.lines]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("hit bryn 3 2H KH", r"nothing needs the last card given \(KH\)"),
        ("hit bryn 3 2H dice 4 4", "nothing needs the last die given"),
        ("hit bryn 3 RJ", "RJ is not used in this campaign: its deck has 52 cards"),
        ("hit bryn 3 XX", '"XX" is not a card'),
        ("hit nobody 3 2H", 'nobody here is called "nobody"'),
        ("hit bryn", "hit needs a number"),
        ("hold bryn 5", '"5" is one value too many for hold: write hold'),
        ("recover bryn", "recovery begins when Blood and death-score are 0, and they are 5 and 0"),
        ("dance bryn", 'there is no event "dance"'),
        ("add bryn", "bryn is at the table already"),
        ("add BRYN", "bryn is at the table already"),
        ("add cara 3 2H", "add uses no cards or dice"),
        ("remove bryn 3", "remove takes a name and nothing else"),
        ("undo bryn", "undo is written alone"),
        ("redo", "there is nothing to redo"),
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
    with pytest.raises(UsageError, match='"br" could be bryn or Brother: write more of the name'):
        party.find("br")
    with pytest.raises(UsageError, match=r'nobody here is called "brin": did you mean "bryn"\?'):
        party.find("brin")
    with pytest.raises(UsageError, match="add somebody first"):
        Party({}).find("x")


def test_a_table_has_room_for_fifty() -> None:
    now = after(real(), *(Deed("add", f"x{number}") for number in range(50)))
    with pytest.raises(HackjackError, match="the table has 50 characters"):
        advance(now, Deed("add", "one"))


# --- an empty deck (H29) ---------------------------------------------------------------------------------------------


def state_of(**values: Any) -> Any:
    return game_of(hackjack()).read_state(values)


def emptied(*deeds: Deed) -> Session:
    """After some deeds every other card is drawn by a passer-by, who is struck dead and stays on the floor."""
    now = after(begun("real"), *deeds, Deed("add", "extra"))
    party = now.party
    left = left_in(now)
    extra = state_of(score=99, pile=[{"card": code, "score": 1} for code in left], dead=True)
    everything = Party({**party.characters, "extra": extra}, (*party.drawn, *left))
    return Session(now.table, Moment(everything, Command((Deed("add", "extra"),)), now.now))


def test_an_empty_deck_takes_back_what_nobody_living_holds() -> None:
    now = emptied(Deed("add", "bryn"), deed("hit bryn 3 KH"), Deed("add", "cara"), deed("hit cara 3 6C"))
    assert left_in(now) == ()
    step = advance(now, deed("hit cara 3 2D"))
    assert [entry.facts for entry in step.log if entry.kind == "reshuffle"] == [{"deck": "deck"}]
    assert step.session.party.drawn == ("KH", "6C", "2D")
    with pytest.raises(HackjackError, match="KH has been drawn already"):
        advance(now, deed("hit cara 3 KH"))


def test_a_wound_keeps_its_card_when_the_score_is_healed() -> None:
    now = emptied(Deed("add", "bryn"), deed("hit bryn 3 4C"), deed("heal bryn 4"))
    assert now.table.game.plain_state(now.party.characters["bryn"])["pile"] == []
    assert cards_held(now.table.game, now.party) == {"4C"}
    with pytest.raises(HackjackError, match="4C has been drawn already"):
        advance(now, deed("hit bryn 3 4C"))


def test_whoever_leaves_gives_their_cards_back() -> None:
    now = emptied(Deed("add", "bryn"), deed("hit bryn 3 KH"), Deed("add", "cara"), Deed("remove", "bryn"))
    assert "KH" not in left_in(now)
    now = after(now, deed("hit cara 3 KH"))
    assert now.party.drawn == ("KH",)


def test_when_the_living_hold_every_card_there_is_an_error() -> None:
    now = emptied(Deed("add", "bryn"))
    living = Party(
        {"bryn": state_of(), "extra": state_of(pile=[{"card": code, "score": 0} for code in FULL_DECK])}, FULL_DECK
    )
    now = Session(now.table, Moment(living))
    with pytest.raises(HackjackError, match="no card of Hackjack can be drawn: all of them are held"):
        advance(now, deed("hit bryn 3 KH"))


# --- whatever is played ----------------------------------------------------------------------------------------------

DOINGS = ("add", "remove", "hit", "draw", "heal", "hold", "release", "poison", "bleed", "drain", "rest", "recover")
PLAY = st.tuples(
    st.sampled_from((*DOINGS, *["hit"] * 12, "undo", "undo", "redo", "redo")),
    st.integers(0, 2),
    st.integers(1, 9),
    st.integers(1, 2),
)
PLAYS = st.lists(PLAY, min_size=8, max_size=60)
FEW_PLAYS = st.lists(PLAY, min_size=6, max_size=16)
TABLES = st.sampled_from([(7, "out", "off"), (8, "lucky_break", "off"), (9, "out", "on")])


def played(plays: Sequence[tuple[str, int, int, int]], start: Session) -> list[TableStep]:
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


def _tried(now: Session, item: Deed) -> TableStep | None:
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
    whole = sorted(start.table.game.deck())
    for step in played(plays, start):
        party = step.session.party
        assert sorted((*party.order, *party.drawn)) == whole
        lying: Counter[str] = Counter()
        for state in party.characters.values():
            assert state.drawn == ()
            if not state.dead:
                plain = start.table.game.plain_state(state)
                lying.update({item["card"] for key in ("pile", "wounds", "permanent") for item in plain[key]})
        assert all(count == 1 for count in lying.values()), "no card lies before two of the living"
        assert set(lying) <= set(party.drawn)


@settings(max_examples=40)
@given(FEW_PLAYS, TABLES)
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
    now, commands = steps[-1].session if steps else start, [step.command for step in steps]
    again = session_of(commands, start.table.campaign)
    assert (again.party, again.lines) == (now.party, len(steps) + 1)
    assert [moment.command for moment in again.moments()] == [moment.command for moment in now.moments()]
    with pytest.MonkeyPatch.context() as patch:
        # The program's own dice and shuffling may change: what was met stays.
        patch.setattr(luck, "_number", lambda *asked: asked[2] - 1)
        assert session_of(commands, start.table.campaign).party == now.party


@settings(max_examples=30)
@given(FEW_PLAYS)
def test_a_real_table_that_meets_the_same_luck_comes_to_the_same_states(plays: list[tuple[str, int, int, int]]) -> None:
    steps = played(plays, begun())
    now = after(real(), *(msgspec.structs.replace(step.command.deeds[0], order=()) for step in steps))
    expected = steps[-1].session.party if steps else begun().party
    assert dict(now.party.characters) == dict(expected.characters)
    assert now.party.drawn == expected.drawn


@pytest.mark.parametrize(("count", "shuffles"), [(200, 1), pytest.param(1500, 3, marks=pytest.mark.slow)])
def test_long_play_shuffles_the_deck_again_and_replays(count: int, shuffles: int) -> None:
    rng = random.Random(3)
    plays = [(rng.choice(("hit", "hit", "hit", "heal", "rest")), rng.randrange(3), 6, 1) for _ in range(count)]
    steps = played(plays, begun())
    assert sum(bool(step.command.deeds[0].order) for step in steps) >= shuffles
    assert sum(len(step.command.deeds[0].dice) for step in steps) >= 5 * shuffles
    again = session_of([step.command for step in steps], steps[0].session.table.campaign)
    assert again.party == steps[-1].session.party


def test_the_seed_is_the_same_everywhere() -> None:
    assert begun(seed=7).party.order[:8] == ("10C", "4S", "6D", "3C", "KC", "10D", "QH", "4D")
    assert begun(seed=8).party.order[:8] != begun(seed=7).party.order[:8]
    assert begun(seed=None).table.campaign.seed != begun(seed=None).table.campaign.seed
    assert sorted(begun().party.order) == sorted(FULL_DECK)


def test_shuffles_and_dice_are_even() -> None:
    cards = shuffled_cards(hackjack())
    assert begun(seed=7).party.order == luck.shuffled(cards, 7, 0)
    tops = Counter(luck.shuffled(cards, seed, 0)[0] for seed in range(1000))
    assert len(tops) == 52
    assert max(tops.values()) < 1000 / 52 * 2
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
    for _ in range(MAX_LINES):
        moment = Moment(moment.party, Command((Deed("rest", "x"),)), moment)
    now = Session(begun().table, moment)
    assert sum(1 for _ in now.moments()) == MAX_LINES
    for _ in range(MAX_LINES):
        now = advance(now, Deed("undo")).session
    assert now.undone is not None
    del now, moment


# --- counting cards --------------------------------------------------------------------------------------------------


THIRD = (*FULL_DECK[::3], "2C", "KD", "7C", "JC", "QS", "6H")
"""Every third card, those that are drawn below, and those that draw more."""


@pytest.mark.parametrize(
    ("state", "event", "cards_tried"),
    [
        pytest.param({"score": 15}, "hit 9", FULL_DECK, marks=pytest.mark.slow),
        pytest.param({"score": 11, "blood": 5}, "hit 3", FULL_DECK, marks=pytest.mark.slow),
        pytest.param({"score": 11, "blood": 5, "holding": True}, "hit 3", FULL_DECK, marks=pytest.mark.slow),
        pytest.param({"score": 18}, "draw", FULL_DECK, marks=pytest.mark.slow),
        pytest.param({"score": 8}, "hit 14", FULL_DECK, marks=pytest.mark.slow),
        ({"hp": 4}, "hit 20", THIRD),
    ],
)
def test_the_tally_is_what_happens_with_each_card(
    state: dict[str, Any], event: str, cards_tried: Sequence[str]
) -> None:
    system, drawn = hackjack(), ["2C", "KD"]
    game, state = game_of(system), {**state, "drawn": drawn}
    before = game.read_state(state)
    cards = game.odds(before, game.read_question(event.split(), {}), Asked()).cards
    assert cards and cards["left"] == 50
    kills, more = set(cards["kill"]), set(cards["draw_more"])
    for code in cards_tried:
        if code in drawn:
            assert code not in kills | more
            continue
        dead = set()
        for seed in range(6):
            luck = Seeded(seed, ())
            luck._next = {"": code}
            dead.add(befall(system, state, event, luck)[0]["dead"])
        assert dead == {True} if code in kills else code in more or dead == {False}, code
    assert more <= {"7C", "JC", "QS", "6H"}
