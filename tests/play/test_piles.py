"""Cards of several decks by name: what a seed draws, what lies on a real table, and what a session keeps of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import msgspec
import pytest
from helpers import hackjack

from generator.base.errors import HackjackError
from generator.games import face
from generator.model.log import Entry, Log
from generator.model.rules import Card, OwnDeck, System
from generator.pack.strict_yaml import Trail
from generator.play import piles
from generator.play.chance import Chance, Given, NeedsError, Seeded
from generator.play.event_spec import ArgumentSpec, EventSpec, by_name
from generator.play.every_way import every_way
from generator.session import party
from generator.session.deeds import DeckKind, Deed
from generator.session.luck import MissingError
from generator.session.party import PartyTable
from generator.session.session import Session, advance, left_in, new_campaign, new_session


def deck(name: str, *cards: tuple[str, int], **more: Any) -> OwnDeck:
    made = tuple(Card(code=code, name=f"Card {code}", copies=copies) for code, copies in cards)
    return OwnDeck(id=name, title=name.title(), cards=made, **more)


CUTS = deck("cuts", ("1", 1), ("2", 3), ("Eye", 1))
MISHAPS = deck("mishaps", ("1", 1), ("H7", 1), returns=True)


def system(*decks: OwnDeck) -> System:
    return replace(hackjack(), deck=None, decks=decks)


TWO = system(CUTS, MISHAPS)
ALL = ("cuts:1", "cuts:2", "cuts:2", "cuts:2", "cuts:Eye", "mishaps:1", "mishaps:H7")


# --- names -----------------------------------------------------------------------------------------------------------


def test_a_card_is_called_by_its_deck_where_there_are_several() -> None:
    assert piles.all_names(TWO) == ALL
    assert piles.all_names(system(CUTS)) == ("1", "2", "2", "2", "Eye")


def test_a_name_leads_to_the_card_and_its_deck() -> None:
    assert piles.card_of("mishaps:1", TWO) == (MISHAPS, MISHAPS.cards[0])
    assert piles.card_of("Eye", system(CUTS)) == (CUTS, CUTS.cards[2])
    for name in ("1", "cuts:H7", "other:1", "QS", ""):
        assert piles.card_of(name, TWO) is None
    assert [piles.goes_back(name, TWO) for name in ("cuts:1", "mishaps:1", "QS")] == [False, True, False]


@pytest.mark.parametrize(("typed", "found"), [
    ("cuts:2", "cuts:2"), (" CUTS:eye ", "cuts:Eye"), ("eye", "cuts:Eye"), ("h7", "mishaps:H7"), ("1", None),
    ("cuts:h7", None), ("", None),
])  # fmt: skip
def test_what_a_person_types_for_a_card(typed: str, found: str | None) -> None:
    assert piles.find_name(typed, ALL) == found


def test_playing_cards_are_found_as_ever_and_own_codes_come_first() -> None:
    assert [piles.find_name(word, ("QS", "7H")) for word in ("sq", "q\N{BLACK SPADE SUIT}", "h7")] == ["QS", "QS", "7H"]
    assert piles.find_name("h7", ("7H", "H7")) == "H7"


def test_copies_are_told_apart_by_their_count() -> None:
    left = piles.names_in("cuts", system(CUTS))
    assert {name: share for share, name in every_way(lambda luck: luck.card(left))} == {
        "1": Fraction(1, 5),
        "2": Fraction(3, 5),
        "Eye": Fraction(1, 5),
    }


# --- luck ------------------------------------------------------------------------------------------------------------


def test_what_was_looked_at_in_one_deck_stays_while_another_is_drawn_from() -> None:
    for seed in range(30):
        luck = Seeded(seed)
        seen = luck.peek(ALL[:5])
        luck.card(ALL[5:])
        assert luck.card(ALL[:5]) == seen


def test_what_lies_on_the_table_needs_no_deck_before_it() -> None:
    luck = Given(["eye", "cuts:2", "2"])
    assert [luck.card(ALL[:5]) for _ in range(3)] == ["cuts:Eye", "cuts:2", "cuts:2"]
    with pytest.raises(NeedsError, match="needs a card of cuts"):
        luck.card(ALL[:5])


@pytest.mark.parametrize(("typed", "says"), [
    ("eyes", '"eyes" is not in the deck cuts: did you mean "Eye"?'),
    ("mishaps:H7", '"mishaps:H7" is not in the deck cuts: it is drawn already, or there is no such card'),
])  # fmt: skip
def test_a_card_that_is_not_there_is_named(typed: str, says: str) -> None:
    with pytest.raises(HackjackError) as error:
        Given([typed]).card(ALL[:5])
    assert str(error.value) == says


# --- a session -------------------------------------------------------------------------------------------------------


class BoxState(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    got: tuple[str, ...] = ()
    drawn: tuple[str, ...] = ()


class Box(face.Game[BoxState, tuple[str, ...], tuple[str, ...]]):
    """Somebody draws from one of several decks: `draw cuts`."""

    EVENTS = by_name(
        EventSpec("draw", "a card", (ArgumentSpec("deck", "name"),), luck=("cards",)),
        EventSpec("back", "all cards come back"),
    )

    def read_event(self, words: Sequence[str], at: Mapping[str, str]) -> tuple[str, ...]:
        del at
        return tuple(words)

    read_question = read_event

    def read_state(self, value: Any) -> BoxState:
        return msgspec.convert(value, BoxState)

    def plain_state(self, state: BoxState) -> dict[str, Any]:
        plain: dict[str, Any] = msgspec.to_builtins(state)
        return plain

    def state_line(self, plain: Mapping[str, Any]) -> str:
        return ", ".join(plain["got"])

    def step(self, state: BoxState, event: tuple[str, ...], chance: Chance) -> tuple[BoxState, Log]:
        if event[0] == "back":
            return BoxState(state.got), ()
        full = piles.names_in(event[1], self.system)
        name = chance.card(piles.codes_without(full, state.drawn))
        out = () if piles.goes_back(name, self.system) else (name,)
        return BoxState((*state.got, name), (*state.drawn, *out)), ()

    def line(self, entry: Entry[Any]) -> str:
        return str(entry)

    def odds(self, state: BoxState, event: tuple[str, ...], asked: face.Asked) -> face.OddsAnswer:
        raise HackjackError(f"nobody asks {state}, {event}, {asked}")

    def rehearse(self) -> Iterator[tuple[str, Trail, str]]:
        yield from ()

    def deck(self) -> tuple[str, ...]:
        return piles.all_names(self.system)


@pytest.fixture(autouse=True)
def _boxes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(party, "game_of", Box)


def begun(kind: DeckKind, **more: Any) -> Session:
    table = PartyTable(TWO, new_campaign(TWO, kind, **more))
    return advance(new_session(table), Deed("add", "Ann")).session


def after(now: Session, *deeds: Deed) -> tuple[Session, list[Deed]]:
    done: list[Deed] = []
    for deed in deeds:
        step = advance(now, deed)
        now, done = step.session, [*done, step.command.deeds[0]]
    return now, done


def draws(name: str, times: int = 1, *cards: str) -> list[Deed]:
    return [Deed("draw", "Ann", (name,), cards=cards)] * times


def test_a_real_table_draws_from_decks_of_its_own() -> None:
    now, done = after(begun("real"), *draws("cuts", 1, "EYE"), *draws("mishaps", 2, "h7"), *draws("cuts", 3, "2"))
    assert [deed.cards for deed in done] == [("cuts:Eye",), *[("mishaps:H7",)] * 2, *[("cuts:2",)] * 3]
    assert left_in(now) == ("cuts:1", "mishaps:1", "mishaps:H7")
    with pytest.raises(HackjackError, match="cuts:2 has been drawn already"):
        after(now, *draws("cuts", 1, "2"))
    with pytest.raises(HackjackError, match='"9" is not in the deck mishaps'):
        after(now, *draws("mishaps", 1, "9"))
    with pytest.raises(MissingError, match="needs a card of mishaps"):
        after(now, *draws("mishaps"))


def test_a_virtual_table_has_an_order_for_each_deck_whose_cards_stay_out() -> None:
    start = begun("virtual", seed=4)
    assert sorted(start.table.campaign.order) == list(ALL[:5])
    now, done = after(start, *draws("cuts", 2), *draws("mishaps", 20), *draws("cuts", 3))
    got = now.party.state("Ann").got
    assert sorted(name for name in got if name.startswith("cuts")) == list(ALL[:5])
    assert [name for name in got if name.startswith("cuts")] == list(start.table.campaign.order)
    assert {name for name in got if name.startswith("mishaps")} == set(ALL[5:])
    assert not any(deed.order for deed in done)
    with pytest.raises(HackjackError, match="no card is left in the deck"):
        after(now, *draws("cuts"))


def test_a_deck_that_is_shuffled_again_leaves_the_others_alone_and_replays() -> None:
    both = replace(TWO, decks=(CUTS, deck("mishaps", ("1", 2), ("H7", 2))))
    table = PartyTable(both, new_campaign(both, "virtual", seed=9))
    start = advance(new_session(table), Deed("add", "Ann")).session
    now, done = after(start, *draws("mishaps", 2), *draws("cuts", 3), Deed("back", "Ann"), *draws("cuts", 2))
    assert [bool(deed.order) for deed in done] == [False] * 6 + [True, False]
    assert all(name.startswith("cuts:") for name in done[6].order)
    assert Counter(now.party.order) == Counter(start.party.order) - Counter(done[6].cards + done[7].cards) - Counter(
        name for name in now.party.state("Ann").got if name.startswith("mishaps:")
    )
    again = start
    for deed in done:
        again = advance(again, deed, replaying=True).session
    assert again.party == now.party
