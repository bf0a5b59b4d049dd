"""Jackrealms at the table: bets, the deal, hits and stands, the dealer, the reveal, and what becomes of the chips."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from helpers import ROOT, run
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from generator import games
from generator.base.cards import FULL_DECK
from generator.base.errors import HackjackError
from generator.base.fields import MAX_HELD
from generator.base.text_input import split_words
from generator.cli import completion
from generator.games.jackrealms import engine as blackjack
from generator.games.jackrealms.engine import HandEvent, HandState, Player, Wager
from generator.games.jackrealms.hands import HandRules
from generator.model.log import Log
from generator.model.rules import System
from generator.pack.load import load_pack
from generator.play.chance import Given, Seeded
from generator.session.campaigns import campaign_file
from generator.session.deeds import Deed
from generator.session.journal import read_file
from generator.session.party import PartyTable
from generator.session.session import advance, new_campaign, new_session


@cache
def jackrealms(*house_rules: tuple[str, str]) -> System:
    return load_pack(ROOT / "content" / "jackrealms", house_rules).system


def hand(*words: str) -> str:
    """`hackjack resolve jackrealms hand` with those options; what it prints."""
    done = run("resolve", "jackrealms", "hand", *words)
    assert done.code == 0, done.err
    return done.out


def lines(*words: str) -> list[str]:
    return hand(*words).splitlines()


ALONE = ("--at", "bet=2", "--at", "stakes=4", "--at", "effort=6")


# --- the source, played ----------------------------------------------------------------------------------------------


def test_a_round_is_told_from_the_bet_to_the_payout() -> None:
    assert lines(*ALONE, "--cards", "10D,9C,6S,9H,4H", "--choose", "1,2") == [
        "Player bets 2; 4 effort is left.",
        "The deck is shuffled for one hand and the dealer.",
        "Player is dealt 10D, 10 of diamonds: 10.",
        "The dealer's first card lies face down.",
        "Player is dealt 6S, 6 of spades: 16.",
        "The dealer shows 9H, 9 of hearts.",
        "Player hits: 4H, 4 of hearts, 20.",
        "Player stands on 20.",
        "The dealer turns up 9C, 9 of clubs: 18.",
        "The dealer stands on 18.",
        "Player wins: 20 against 18. The bet of 2 comes back with 2 more: 8 effort.",
        "stakes 4; Player 8 effort",
    ]


def test_cards_go_round_from_the_dealers_left_and_the_dealer_is_last() -> None:
    table = ("--at", "players=Ann,Bea,Cid", "--at", "bet=1,0,2", "--at", "effort=3,3,3", "--at", "stakes=2")
    told = lines(*table, "--cards", "2C,3C,4C,5C,6C,7C,KS", "--choose", "2,2")
    dealt = [line for line in told if "dealt" in line or "The dealer" in line]
    assert dealt[:6] == [
        "Ann is dealt 2C, 2 of clubs: 2.",
        "Cid is dealt 3C, 3 of clubs: 3.",
        "The dealer's first card lies face down.",
        "Ann is dealt 5C, 5 of clubs: 7.",
        "Cid is dealt 6C, 6 of clubs: 9.",
        "The dealer shows 7C, 7 of clubs.",
    ]
    assert "The dealer turns up 4C, 4 of clubs: 11." in told
    assert told[-1] == "stakes 2; Ann 2 effort; Bea 3 effort; Cid 1 effort"


@pytest.mark.parametrize(("cards", "choices", "effort", "says"), [
    ("10D,9C,KS,10H", "2", 8, "Player wins: 20 against 19."),
    ("10D,9C,8S,10H", "2", 4, "Player loses: 18 against 19."),
    ("10D,9C,9S,10H", "2", 4, "Player loses: 19 ties."),
    ("AD,AC,KS,10H", "2", 4, "Player loses: 21 ties."),
    ("10D,10C,2S,7H,KS", "1", 4, "Player loses: bust with 22."),
    ("10D,10C,2S,6H,KS", "2", 8, "Player wins: 12 against 26."),
    ("10D,10C,2S,6H,KS,KH", "1", 4, "Player loses: bust with 22."),
    ("10D,10C,2S,6H,9S,AH", "1,2", 8, "Player wins: 21 against 17."),
    ("AD,10C,KS,7H", "2", 8, "Player wins: 21 against 17."),
    ("AD,10C,9S,7H,8C,2C", "1,1,2", 8, "Player wins: 20 against 17."),
    ("AD,10C,AS,7H,AC,AH", "1,1,2", 4, "Player loses: 14 against 17."),
])  # fmt: skip
def test_the_reveal(cards: str, choices: str, effort: int, says: str) -> None:
    told = lines(*ALONE, "--cards", cards, "--choose", choices)
    assert told[-2].startswith(says)
    assert told[-1] == f"stakes 4; Player {effort} effort"


def test_a_soft_17_stands_unless_the_house_rule_hits_it() -> None:
    cards = "10D,AC,8S,6H"
    assert "The dealer stands on soft 17." in lines(*ALONE, "--cards", cards, "--choose", "2")
    hit = lines(*ALONE, "--cards", f"{cards},5C,9C", "--choose", "2", "--set", "dealer_soft_17=hit")
    assert "The dealer hits: 5C, 5 of clubs, 12." in hit
    assert hit[-3:-1] == [
        "The dealer stands on 21.",
        "Player loses: 18 against 21. The bet of 2 goes to the bank, 4 effort is left.",
    ]


def test_payouts_are_taken_off_the_stakes_where_the_house_rule_says_so() -> None:
    two = ("--at", "players=Ann,Bea", "--at", "bet=3,2", "--at", "effort=3,3", "--at", "stakes=4")
    cards = ("--cards", "10D,9D,10C,KS,KH,7H", "--choose", "2,2")
    assert lines(*two, *cards)[-1] == "stakes 4; Ann 6 effort; Bea 5 effort"
    assert lines(*two, *cards, "--set", "stakes_fall=by_payout")[-2:] == [
        "The stakes fall by 5 to 0.",
        "stakes 0; Ann 6 effort; Bea 5 effort",
    ]
    with pytest.raises(HackjackError, match="the scene has no stakes, so nobody can bet"):
        blackjack.step(jackrealms(), HandState(players=(Player("Ann", 6),)), HandEvent("bet", "Ann", 1), Given())


def test_the_reasons_are_the_rulings() -> None:
    told = lines(*ALONE, "--cards", "10D,10C,2S,6H,KS,KH", "--choose", "1", "--why")
    assert "    J6: Closer to 21 wins, equal and lower hands lose. A bust loses even if the dealer is bust too." in told


# --- one step at a time ----------------------------------------------------------------------------------------------


def test_a_new_bet_takes_the_place_of_the_old_one_and_a_new_scene_gives_it_back() -> None:
    state = HandState(stakes=5, players=(Player("Ann", 6),))
    for amount in (2, 5, 1):
        state, _ = blackjack.step(jackrealms(), state, HandEvent("bet", "Ann", amount), Given())
        assert (state.players[0].effort, state.players[0].bet) == (6 - amount, amount)
    state, _ = blackjack.step(jackrealms(), state, HandEvent("scene", "", 9), Given())
    assert state == HandState(stakes=9, players=(Player("Ann", 6),))


def test_a_bet_of_nothing_is_taken_back() -> None:
    state, _ = blackjack.step(
        jackrealms(), HandState(stakes=5, players=(Player("Dot", 6),)), HandEvent("bet", "Dot", 2), Given()
    )
    state, log = blackjack.step(jackrealms(), state, HandEvent("bet", "Dot", 0), Given())
    assert state == HandState(stakes=5, players=(Player("Dot", 6),))
    assert [games.plain_entry(entry, jackrealms())["text"] for entry in log] == ["Dot takes the bet back: 6 effort."]
    with pytest.raises(HackjackError, match="Dot has no bet to take back"):
        blackjack.step(jackrealms(), state, HandEvent("bet", "Dot", 0), Given())


@pytest.mark.parametrize(("cards", "potency"), [
    ("10D,7C,KS,10H", 3), ("10D,9C,KS,10H", 1), ("10D,6C,9S,10H,9D", 2), ("10D,6C,2S,10H,9D", 1),
    ("AD,6C,KS,10H,9D", 4),
])  # fmt: skip
def test_the_margin_says_how_strong_a_success_is_where_the_house_rule_says_so(cards: str, potency: int) -> None:
    """J9: a bust dealer counts as 17, and 1 is the least."""
    words = (*ALONE, "--cards", cards, "--choose", "2")
    assert "potency" not in hand(*words)
    assert lines(*words, "--set", "potency=by_margin")[-2].endswith(
        f"8 effort. The success has a potency of {potency}."
    )
    lost = (*ALONE, "--cards", "10D,9C,9S,10H", "--choose", "2")
    assert "potency" not in hand(*lost, "--set", "potency=by_margin")


# --- a session -------------------------------------------------------------------------------------------------------


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HACKJACK_HOME", str(tmp_path))
    return tmp_path


def play(line: str, *options: str) -> list[str]:
    done = run("play", *options, *line.split())
    assert (done.code, done.err) == (0, ""), (line, done)
    return done.out.splitlines()


@pytest.mark.usefixtures("home")
def test_a_round_at_the_table_with_real_cards() -> None:
    play("jackrealms sit Ann 6", "--campaign", "duel")
    told = [play(line, "--campaign", "duel") for line in ("sit Bea 3", "scene 4", "bet ann 2", "bet bea 3")]
    assert told[-1] == ["Bea bets 3; 0 effort is left.", "stakes 4; Ann 4 effort (bet 2); Bea 0 effort (bet 3)"]
    play("deal 10D 7C 6S 9S 9H", "--campaign", "duel")
    assert play("show", "--campaign", "duel")[:4] == [
        "stakes 4; Ann 4 effort (bet 2): 10D 6S; Bea 0 effort (bet 3): 7C 9S; dealer ? 9H",
        "    Ann: 10D 6S (16), bet 2, to hit or stand",
        "    Bea: 7C 9S (16), bet 3, waits",
        "    the dealer shows 9H",
    ]
    advice = play("odds hand", "--campaign", "duel")
    assert advice[0] == "hand: 16 against 9H; 27 of 47 unseen cards bust the hand"
    assert advice[-1] == "best   hit"
    play("hit 5H", "--campaign", "duel")
    assert play("undo", "--campaign", "duel")[:2] == ["Undone: hit 5H", "Back into the deck: 5H"]
    for line in ("hit 4H", "stand", "hit KC"):
        play(line, "--campaign", "duel")
    assert play("reveal 10C", "--campaign", "duel") == [
        "The dealer turns up 10C, 10 of clubs: 19.",
        "The dealer stands on 19.",
        "Ann wins: 20 against 19. The bet of 2 comes back with 2 more: 8 effort.",
        "Bea loses: bust with 26. The bet of 3 goes to the bank, 0 effort is left.",
        "stakes 4; Ann 8 effort; Bea 0 effort",
    ]
    assert "52 of 52 cards are in the deck" in play("show", "--campaign", "duel")
    refused = run("play", "--campaign", "duel", "bet", "bea", "1")
    assert (refused.code, refused.faults) == (1, ["Bea cannot bet 1: the effort held is 0; they cannot act"])


@pytest.mark.usefixtures("home")
def test_the_hidden_card_is_not_named_at_the_deal(tmp_path: Path) -> None:
    """A fourth card looks as if it were one too many, and to drop the last would deal the others wrong."""
    play("jackrealms sit Dot 6")
    for line in ("scene 4", "bet dot 2", "bet dot 0", "bet dot 2"):
        told = play(line)
    assert told[-1] == "stakes 4; Dot 4 effort (bet 2)"
    says = (
        "nothing needs the last card given (9H): the dealer's first card lies face down and is named at the reveal, "
        "so leave it out here"
    )
    refused = run("play", "deal", "10D", "9C", "6S", "9H")
    assert (refused.code, refused.faults) == (2, [says])
    state = tmp_path / "state.json"
    state.write_text('{"stakes": 4, "players": [{"name": "Dot", "effort": 4, "bet": 2}]}', encoding="utf-8")
    refused = run("resolve", "jackrealms", "deal", "--cards", "10D,9C,6S,9H", "--state", state)
    assert (refused.code, refused.faults) == (2, [says])
    assert play("deal 10D 6S 9H")[-1] == "stakes 4; Dot 4 effort (bet 2): 10D 6S; dealer ? 9H"


@pytest.mark.usefixtures("home")
def test_a_virtual_deck_is_shuffled_for_every_round_and_the_hidden_card_stays_in_it() -> None:
    play("jackrealms sit Ann 40", "--deck", "virtual", "--seed", "3")
    play("scene 1")
    ups = set()
    for _ in range(5):
        play("bet ann 1")
        dealt = json.loads("".join(play("deal", "--json")))
        assert dealt["state"]["dealer"][0] == "?"
        ups.add(dealt["state"]["dealer"][1])
        assert json.loads("".join(play("show", "--json")))["deck"]["left"] == 49
        value = json.loads("".join(play("odds hand", "--json")))
        assert value["best"] in ("hit", "stand") and value["cards"]["left"] == 49
        assert play("stand")[0].startswith("Ann stands on")
        assert play("reveal")[0].startswith("The dealer turns up")
        assert play("undo")[0].startswith("Undone: reveal")
        assert play("redo")[0].startswith("Done again: reveal")
    assert len(ups) > 2
    assert run("play", "odds", "hand").faults[0].startswith("nobody has to decide in this state")


AT_THE_TABLE = {
    "bet ann": (2, "bet needs a number: write bet NAME N"),
    "bet ann 3 4": (2, '"4" is one value too many for bet: write bet NAME N'),
    "bet dora 3": (2, 'nobody here is called "dora"'),
    "bet ann 3 KH": (2, '"KH" is one value too many'),
    "add cara": (2, 'there is no command and no system "add"'),
    "remove ann": (2, 'there is no command and no system "remove"'),
    "show ann": (2, '"ann" is one value too many for show: write show'),
    "deal": (1, "needs a card: Ann's seat: write the card after the command, as in deal QS"),
    "deal RJ": (1, "RJ is not used in this campaign: its deck has 52 cards"),
    "deal AC AD 2C 2D 3C AC": (2, "nothing needs the last card given (2D, 3C, AC)"),
    "deal X1": (2, '"X1" is not a card'),
    "hand bet=2,0 10D,9C,6S,9H": (1, "needs a choice: 1 hit 2 stand: write choose and the number at the end"),
    "odds bet": (2, '"bet" is one value too many for hand: write odds hand'),
}


@pytest.mark.usefixtures("home")
def test_what_a_shared_table_refuses() -> None:
    assert run("play", "jackrealms", "show").faults == ['there is no campaign "table"; sit begins it']
    for line in ("jackrealms sit Ann 6", 'sit "Old Bea" 6', "scene 4", "bet ann 2"):
        assert run("play", *split_words(line)).err == ""
    before = run("play", "export").out
    for line, (code, says) in AT_THE_TABLE.items():
        done = run("play", *line.split())
        assert (done.code, done.out, len(done.faults)) == (code, "", 1) and says in done.err, (line, done)
    assert run("play", "export").out == before
    exported = json.loads(before)
    assert "characters" not in exported and exported["state"]["players"][0] == {"name": "Ann", "effort": 4, "bet": 2}
    now = read_file(campaign_file("table"), jackrealms())
    assert now is not None

    def completed(line: str) -> list[str]:
        return completion.completions(line, line.rpartition(" ")[2], now)

    assert {"sit", "bet", "show"} < set(completed("")) and not {"add", "remove"} & set(completed(""))
    assert completed("bet o") == ['"Old Bea"'] and completed("odds h") == ["hand"]
    with pytest.raises(HackjackError, match="the whole table has one state: write deal without a name in front"):
        advance(now, Deed("deal", "Ann"))


def test_a_virtual_deck_in_a_journal_is_the_one_that_was_shuffled() -> None:
    now = new_session(PartyTable(jackrealms(), new_campaign(jackrealms(), "virtual", 7)))
    deeds: list[Deed] = []
    for line in ("sit Ann 9", "scene 2", "bet Ann 1", "deal", "stand", "reveal", "bet Ann 1", "deal"):
        before, step = now, advance(now, Deed(line.split()[0], words=tuple(line.split()[1:])))
        now, deeds = step.session, [*deeds, step.command.deeds[0]]
    assert not deeds[3].order and len(deeds[7].order) == 52, "at first the campaign's own order"
    with pytest.raises(HackjackError, match="lies on top of the deck"):
        advance(before, replace(deeds[7], order=deeds[7].order[::-1]), replaying=True)
    with pytest.raises(HackjackError, match="virtual and draws and rolls by itself: leave cards and dice out"):
        advance(before, Deed("deal", dice=(1,)))


# --- whatever the cards are ------------------------------------------------------------------------------------------


def plain_count(codes: Sequence[str]) -> int:
    """The witness: the best total at most 21 over every way to count the aces, or else the lowest one."""
    totals = {0}
    for code in codes:
        rank = code[:-1]
        worth = (1, 11) if rank == "A" else (10,) if rank in ("J", "Q", "K") else (int(rank),)
        totals = {total + each for total in totals for each in worth}
    fitting = [total for total in totals if total <= 21]
    return max(fitting) if fitting else min(totals)


@given(st.lists(st.sampled_from(FULL_DECK), min_size=1, max_size=12, unique=True))
def test_a_hand_counts_as_its_player_likes_best(codes: list[str]) -> None:
    assert HandRules.of(jackrealms()).count(codes).total == plain_count(codes)


class Free(Seeded):
    """Luck from a seed that also hits and stands at random, and writes down every card it gave."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.given: list[str] = []

    def card(self, left: Sequence[str]) -> str:
        code = super().card(left)
        self.given.append(code)
        return code


tables = st.lists(st.tuples(st.integers(1, 9), st.integers(0, 9)), min_size=1, max_size=10)
stakes = st.integers(9, 12)
rulings = st.sampled_from([(), (("dealer_soft_17", "hit"),), (("stakes_fall", "by_payout"),)])


@given(tables, stakes, st.integers(0, 10**6), rulings)
def test_chips_and_cards_are_conserved_and_every_bet_is_settled_by_the_book(
    table: list[tuple[int, int]], stakes: int, seed: int, house_rules: tuple[tuple[str, str], ...]
) -> None:
    wagers = tuple(Wager("", bet, bet + spare) for bet, spare in table)
    luck = Free(seed)
    system = jackrealms(*house_rules)
    after, log = blackjack.step(system, HandState(stakes=stakes), HandEvent("hand", "", 0, wagers), luck)
    assert all(games.log_lines(log, system))
    assert blackjack.read_state(blackjack.plain_state(after), system) == after
    assert len(set(luck.given)) == len(luck.given)
    assert set(luck.given) <= set(FULL_DECK)
    before = sum(bet + spare for bet, spare in table)
    assert sum(player.effort for player in after.players) + after.bank == before
    assert after.dealer == after.out == () and not after.betting
    checked_by_the_book(log, house_rules)
    for (bet, spare), player, entry in zip(table, after.players, settled(log), strict=True):
        assert player.effort == spare + (2 * bet if entry == "win" else 0)
    paid = sum(bet for (bet, _), entry in zip(table, settled(log), strict=True) if entry == "win")
    assert after.stakes == (max(stakes - paid, 0) if ("stakes_fall", "by_payout") in house_rules else stakes)


def settled(log: Log) -> list[str]:
    return [entry.kind for entry in log if entry.kind in ("win", "lose")]


def checked_by_the_book(log: Log, house_rules: tuple[tuple[str, str], ...]) -> None:
    """Every hand anew from the cards that the log names."""
    hands: dict[str, list[str]] = {}
    dealer: list[str] = []
    for entry in log:
        facts = entry.facts
        if entry.kind in ("deal", "hit"):
            cards = hands.setdefault(facts["who"], [])
            assert plain_count(cards) <= 21, "a bust hand takes no card"
            cards.append(facts["card"])
        elif entry.kind in ("up", "turned", "dealer_hits"):
            dealer.append(facts["card"])
            ace = "A" in {code[:-1] for code in dealer}
            if entry.kind == "dealer_hits":
                total, soft = plain_count(dealer[:-1]), ace and hard(dealer[:-1]) <= 11
                assert total < 17 or (total == 17 and soft and ("dealer_soft_17", "hit") in house_rules)
        elif entry.kind in ("win", "lose"):
            total, against = plain_count(hands[facts["who"]]), plain_count(dealer)
            assert against >= 17
            assert (facts["total"], facts["dealer"]) == (total, against)
            won = total <= 21 and (against > 21 or total > against)
            assert (entry.kind == "win") == won


def hard(codes: Sequence[str]) -> int:
    return sum({"A": 1, "J": 10, "Q": 10, "K": 10}.get(code[:-1]) or int(code[:-1]) for code in codes)


class Greedy:
    """Everybody hits until bust; the deck gives the card that makes this last longest, or shortest."""

    def __init__(self, *, lowest: bool) -> None:
        self._pick = min if lowest else max

    def card(self, left: Sequence[str]) -> str:
        return self._pick(left, key=lambda code: hard([code]))

    def choose(self, need: object) -> int:
        del need
        return 0

    def roll(self, need: object) -> tuple[int, ...]:
        raise AssertionError(need)

    def peek(self, left: Sequence[str]) -> None:
        del left


@pytest.mark.parametrize("lowest", [True, False])
def test_one_deck_lasts_for_as_many_as_it_serves(lowest: bool) -> None:
    most = HandRules.of(jackrealms()).most_hands
    assert most == 10
    wagers = tuple(Wager("", 1, 1) for _ in range(most))
    after, log = blackjack.step(
        jackrealms(), HandState(stakes=1), HandEvent("hand", "", 0, wagers), Greedy(lowest=lowest)
    )
    assert settled(log) == ["lose"] * most
    assert after.bank == most


# --- what is refused -------------------------------------------------------------------------------------------------


BETTING = "hand --at stakes=4 --at bet=2 --at effort=6"
REFUSED = {
    "hand": (2, "the stakes of the scene are missing: --at stakes=N"),
    "hand --at stakes=4": (2, "the bet is missing: --at bet=N"),
    "hand --at stakes=4 --at bet=2": (2, "the effort held is missing: --at effort=N"),
    "hand --at stakes=4 --at bet=5 --at effort=6": (1, "the stakes of the scene are 4; bet 1 to 4"),
    "hand --at stakes=9 --at bet=5 --at effort=3": (1, "the effort held is 3; bet 1 to 3"),
    "hand --at stakes=9 --at bet=5 --at effort=0": (1, "the effort held is 0; they cannot act"),
    "hand --at stakes=4 --at bet=0 --at effort=6": (2, "nobody bets"),
    "hand --at stakes=4 --at bet=-1 --at effort=6": (2, "bet -1: write a number from 0 to 10,000"),
    "hand --at stakes=4 --at bet=two --at effort=6": (2, 'bet takes a whole number, not "two"'),
    "hand --at stakes=0 --at bet=2 --at effort=6": (2, "stakes 0: write a number from 1 to 10,000"),
    "hand --at stakes=4 --at bet=1,2 --at effort=6": (2, "--at bet names 2 and --at effort 1"),
    "hand --at stakes=4 --at bet=1 --at bett=1": (2, 'hand takes no --at bett: did you mean "bet"?'),
    "hand --at stakes=4 --at bet=1,1 --at effort=6,6 --at players=Ann,ann": (2, '--at players: "ann" appears twice'),
    "hand --at stakes=4 --at bet=1 --at effort=6 --at players=9": (2, '"9" is not a valid name for a character'),
    BETTING: (1, "needs a card"),
    f"{BETTING} --cards 10D,9C,6S,9H": (1, "needs a choice: 1 hit 2 stand"),
    f"{BETTING} --cards 10D,9C,6S,9H --choose 3": (2, "there is no choice 3: choose 1 to 2"),
    f"{BETTING} --cards 10D,9C,6S,9H,2H --choose 2": (2, "nothing needs the last card given (2H)"),
    f"{BETTING} --cards 10D,10D": (1, "10D is not in the deck: it has been drawn already"),
    f"{BETTING} --cards RJ": (1, "RJ is not in the deck: jokers are not played with"),
    f"{BETTING} --cards 1D": (2, '"1D" is not a card'),
    f"{BETTING} extra": (2, '"extra" is one value too many for hand: write hand'),
    "hand --at bet=1,1,1,1,1,1,1,1,1,1,1 --at effort=1,1,1,1,1,1,1,1,1,1,1 --at stakes=1": (
        1, "one deck serves 10 bets at most: the others act in another round"
    ),
    "bet Ann 1": (2, "nobody sits at the table yet: write sit NAME N"),
    "bet Ann": (2, "bet needs a number: write bet NAME N"),
    "bet Ann -1": (2, "bet -1: write a number from 0 to 10,000"),
    "bet Ann 1 --at bet=1": (2, "bet takes no --at bet"),
    "deal": (1, "nobody has bet yet: bet first, with bet NAME N"),
    "hit": (1, "no cards are dealt: bet and deal first"),
    "reveal": (1, "there is nothing to reveal: no cards are dealt"),
    "double": (2, 'there is no event "double"; known: sit'),
    "sit Ann 6.5": (2, 'sit takes a whole number, not "6.5"'),
}  # fmt: skip


@pytest.mark.parametrize("words", REFUSED)
def test_what_cannot_be_is_refused_in_a_sentence(words: str) -> None:
    code, says = REFUSED[words]
    done = run("resolve", "jackrealms", *words.split())
    assert (done.code, done.out, len(done.faults)) == (code, "", 1) and says in done.err


def dealt(**changes: Any) -> dict[str, Any]:
    """A round in which Ann decides and Bea comes after her."""
    ann = {"name": "Ann", "effort": 4, "bet": 2, "cards": ["10D", "6S"]}
    bea = {"name": "Bea", "effort": 1, "bet": 1, "cards": ["8C", "2S"]}
    return {"stakes": 4, "players": [ann, bea], "dealer": ["?", "9H"]} | changes


def seat(effort: int, bet: int = 0, cards: str = "", **more: Any) -> dict[str, Any]:
    return {"name": "Ann", "effort": effort, "bet": bet, "cards": cards.split()} | more


BAD_STATES: list[tuple[Any, str]] = [
    (dealt(dealer=["9H"]), "before the reveal the dealer has two cards"),
    (dealt(dealer=["10D", "9H"]), "10D was dealt twice"),
    (dealt(dealer=["?", "XX"]), 'there is no card "XX" in the deck'),
    (dealt(dealer=["?", "?"]), 'there is no card "?" in the deck'),
    (dealt(dealer=["?", "RJ"]), 'there is no card "RJ" in the deck'),
    (dealt(stakes=-1), "the stakes are -1"),
    (dealt(bank=10**12), "the bank is 1,000,000,000,000"),
    (dealt(players=[seat(1, cards="2C")], dealer=[]), "Ann has cards, or stands, without"),
    (dealt(players=[seat(1, 1, "2C")]), "Ann has a bet in this round, and so 2"),
    (dealt(players=[seat(1, 1, "10C 10D 2S")]), "Ann is bust, so the hand must stand"),
    (dealt(players=[seat(1, 1, "10C 10D 2S 3S", stands=True)]), "Ann was bust before the last card"),
    (dealt(players=[seat(4, 2, "10D 6S"), seat(1, 1, "8C 2S", name="Bea", stands=True)]), "Bea has played before Ann"),
    (dealt(players=[seat(-1)], dealer=[]), "Ann holds -1 and bets 0"),
    (dealt(stakes=1), "Ann bets 2, and the stakes of the scene are 1"),
    (dealt(players=[seat(1), seat(1)], dealer=[]), 'two players are called "Ann"'),
    (dealt(players=[seat(1, name="A  b")], dealer=[]), "is not a valid name"),
    (dealt(drawn=["10D"]), "drawn are the cards that the hands hold"),
    (dealt(players=[seat(1, name=f"P{n}") for n in range(51)], dealer=[]), "51 players are too many"),
    (dealt(chips=1), 'the state has an unknown key "chips"'),
    (dealt(players=[{"name": "Ann"}]), "missing required field `effort`"),
    ([], "the state is not a JSON object"),
]


@pytest.mark.parametrize(("state", "says"), BAD_STATES, ids=lambda part: part if isinstance(part, str) else "")
def test_a_state_that_cannot_be_is_refused(state: Any, says: str) -> None:
    with pytest.raises(HackjackError) as fault:
        blackjack.read_state(state, jackrealms())
    assert says in str(fault.value) and "\n" not in str(fault.value)


BETWEEN = {
    "reveal": "Ann has not stood yet: hit or stand",
    "bet Ann 1": "a round is being played: the next bets come after the reveal",
    "sit Cid 1": "somebody can join after the reveal",
    "leave Bea": "somebody can leave after the reveal",
    "scene 3": "a scene can begin after the reveal",
    "deal": "the next deal comes after the reveal",
    "hand --at bet=1,1": "a whole hand can be resolved after the reveal",
}


def test_nothing_else_happens_while_a_round_is_played(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    path.write_text(json.dumps(dealt()), encoding="utf-8")
    for words, says in BETWEEN.items():
        done = run("resolve", "jackrealms", *words.split(), "--state", path, "--seed", "1")
        assert done.code == 1 and says in done.err, words


def test_the_count_ends_before_numbers_do() -> None:
    rich = HandState(stakes=9, players=(Player("Ann", MAX_HELD),))
    event = HandEvent("hand", "", 0, (Wager("Ann", 1),))
    with pytest.raises(HackjackError, match="would hold more than 1,000,000 effort"):
        blackjack.step(jackrealms(), rich, event, Given(["10D", "9C", "KS", "10H"], (), [2]))


# --- content ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("line", "spoilt", "says"), [
    ("dealer_stands: 17", "dealer_stands: 22", "the dealer would stand on 22, which is bust already: 21 at most"),
    ("ace_high: 11", "ace_high: 1", "an ace may count more than 1 instead"),
    ("  target: 21", "  target: 9", "one card of 10 is bust already: 9 at most"),
    ("  target: 21", "  target: 99", "99 is out of range: from 1 to 30"),
])  # fmt: skip
def test_numbers_that_cannot_be_played_are_faults_with_a_place(
    line: str, spoilt: str, says: str, tmp_path: Path
) -> None:
    system = (ROOT / "content" / "jackrealms" / "system.yaml").read_text(encoding="utf-8")
    assert line in system
    (tmp_path / "system.yaml").write_text(system.replace(line, spoilt), encoding="utf-8")
    done = run("check", "--pack", tmp_path)
    assert done.code == 1
    assert any("system.yaml:" in fault and says in fault for fault in done.faults), done.err
