"""A session with games that are not Hackjack: one state for a whole table, and characters who only roll dice."""
# The games below answer every question of the face, also where they have no use for what is asked.
# ruff: noqa: ARG002, RUF012

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import msgspec
import pytest
from helpers import ROOT, Ran, hackjack, run

from generator import games
from generator.base.cards import FULL_DECK
from generator.base.dice import Dice
from generator.base.errors import HackjackError, UsageError
from generator.base.text_input import find_name
from generator.cli import completion, fillings, play_
from generator.games.face import Answer, Asked, Game
from generator.model.log import Entry, Log
from generator.model.procedures import Procedure
from generator.model.rules import System
from generator.pack import content
from generator.play.chance import Chance, ChoiceNeed, RollNeed
from generator.play.event_spec import LUCK, Argument, EventSpec, by_name, option, read
from generator.session import prompt
from generator.session.campaigns import campaign_file
from generator.session.deeds import DeckKind, Deed, Line
from generator.session.journal import read_file
from generator.session.journal_lines import replayed
from generator.session.party import Table
from generator.session.session import Session, Step, advance, begin, new_campaign
from generator.words.chances import chance as share_of

# --- two games -------------------------------------------------------------------------------------------------------


class PotRules(Procedure, frozen=True, tag="pot"):
    """No numbers."""


class GutsRules(Procedure, frozen=True, tag="guts"):
    """No numbers."""


class Join(NamedTuple):
    """Somebody sits down."""


class Dealt(NamedTuple):
    who: str
    card: str


class Bet(NamedTuple):
    who: str
    colour: str


class Lost(NamedTuple):
    nerve: str


class PotState(msgspec.Struct, frozen=True):
    """Who has put in how much, whose card lies before them, and what is out of the deck."""

    coins: dict[str, int] = {}
    hands: dict[str, str] = {}
    drawn: tuple[str, ...] = ()


class Event(msgspec.Struct, frozen=True):
    name: str
    who: str = ""
    amount: int = 0
    colour: str = ""


class Pot(Game[PotState, Event, Event]):
    """Everybody bets and gets a card; the deck is shuffled anew for each round. One state for all."""

    EVENTS = by_name(
        EventSpec("join", "somebody sits down", (Argument("who", "name"),)),
        EventSpec(
            "bet",
            "coins into the pot",
            (
                Argument("who", "person"),
                Argument("amount", "number", most=99),
                option("colour", words=("red", "black")),
            ),
        ),
        EventSpec("deal", "a card for everybody", luck=("cards",)),
        EventSpec("split", "take or leave", (Argument("who", "person"),), ("choose",)),
    )
    QUESTIONS = {"deal": EventSpec("deal", "the chance of a red card", (Argument("who", "person", optional=True),))}
    SHARED = True

    def read_event(
        self,
        words: Sequence[str],
        at: Mapping[str, str],
    ) -> Event:
        return Event(words[0], **read(self.EVENTS, words, at, self.READERS))

    def read_question(self, words: Sequence[str], at: Mapping[str, str]) -> Event:
        self.check_question(words)
        return Event(words[0], **read(self.QUESTIONS, words, at, self.READERS))

    def read_state(self, value: Any) -> PotState:
        return msgspec.convert(value, PotState)

    def plain_state(self, state: PotState) -> dict[str, Any]:
        plain: dict[str, Any] = msgspec.to_builtins(state)
        return plain

    def state_line(self, plain: dict[str, Any]) -> str:
        return f"the pot holds {sum(plain['coins'].values())}"

    def step(self, state: PotState, event: Event, chance: Chance) -> tuple[PotState, Log]:
        if event.name == "join":
            return msgspec.structs.replace(state, coins={**state.coins, event.who: 0}), (Entry(Join()),)
        if event.name == "deal":
            state = msgspec.structs.replace(state, hands={}, drawn=())
            for who in state.coins:
                code = chance.card([code for code in self.deck() if code not in state.drawn])
                state = msgspec.structs.replace(state, hands={**state.hands, who: code}, drawn=(*state.drawn, code))
            return state, tuple(Entry(Dealt(who, card)) for who, card in state.hands.items())
        who = find_name(event.who, state.coins)
        if event.name == "split" and chance.choose(ChoiceNeed(("take", "leave"))):
            raise HackjackError(f"{who} leaves it")
        coins = {**state.coins, who: state.coins[who] + event.amount}
        return msgspec.structs.replace(state, coins=coins), (Entry(Bet(who, event.colour)),)

    def line(self, entry: Entry[Any]) -> str:
        return " ".join([entry.kind, *filter(None, entry.facts.values())])

    def odds(self, state: PotState, event: Event, asked: Asked) -> Answer:
        left = [code for code in self.deck() if code not in state.drawn]
        share = Fraction(sum(code[-1] in "DH" for code in left), len(left))
        return Answer({"red": share_of(share)}, [f"red {share}"])

    def deck(self) -> tuple[str, ...]:
        return FULL_DECK[:1] + FULL_DECK[10:16]

    def rehearse(self) -> Iterator[Any]:
        return iter(())

    def details(self, plain: dict[str, Any]) -> list[str]:
        return [f"{who}: {coins}" for who, coins in plain["coins"].items()]

    def seats(self, plain: dict[str, Any]) -> dict[str, dict[str, Any]]:
        return {who: {"coins": coins} for who, coins in plain["coins"].items()}


class GutsState(msgspec.Struct, frozen=True):
    nerve: int = 6


class Guts(Game[GutsState, tuple[str, ...], None]):
    """Characters who roll dice, without any deck."""

    EVENTS = by_name(
        EventSpec(
            "dare",
            "roll and lose so much nerve",
            (Argument("die", "die"), Argument("how", words=("save", "flee"), optional=True)),
            ("dice",),
        )
    )

    def read_event(
        self,
        words: Sequence[str],
        at: Mapping[str, str],
    ) -> tuple[str, ...]:
        return ("dare", *read(self.EVENTS, words, at, self.READERS).values())

    def read_state(self, value: Any) -> GutsState:
        return msgspec.convert(value, GutsState)

    def plain_state(self, state: GutsState) -> dict[str, Any]:
        plain: dict[str, Any] = msgspec.to_builtins(state)
        return plain

    def state_line(self, plain: dict[str, Any]) -> str:
        return f"nerve {plain['nerve']}"

    def step(self, state: GutsState, event: tuple[str, ...], chance: Chance) -> tuple[GutsState, Log]:
        if not state.nerve:
            raise HackjackError("the character is out of nerve")
        (rolled,) = chance.roll(RollNeed(Dice.parse(event[1]), "nerve"))
        return GutsState(max(state.nerve - rolled, 0)), (Entry(Lost(str(rolled))),)

    def line(self, entry: Entry[Any]) -> str:
        return f"{entry.facts['nerve']} nerve is lost"

    def odds(self, state: GutsState, event: None, asked: Asked) -> Answer:
        raise NotImplementedError

    def rehearse(self) -> Iterator[Any]:
        return iter(())


def system_of(rules: Procedure) -> System:
    """A system that plays one of them, with nothing printed."""
    name = str(rules.__struct_config__.tag)
    head = msgspec.structs.replace(hackjack().head, id=name, procedure=rules, rulings=(), version="1.0")
    return replace(hackjack(), head=head, deck=None, tables=(), claims=(), panels=(), settings=())


SHIPPED = [content.load(content.find(name)).system for name in content.shipped()]
POT, GUTS = system_of(PotRules()), system_of(GutsRules())
BY_NAME = {"pot": POT, "guts": GUTS, "hackjack": hackjack()}


@pytest.fixture(autouse=True)
def registered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The two games among the others, and a home with no campaigns."""
    monkeypatch.setenv("HACKJACK_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    for kind, game in {"pot": Pot, "guts": Guts}.items():
        monkeypatch.setattr(games, "FOLDERS", {**games.FOLDERS, kind: kind})
        monkeypatch.setitem(sys.modules, f"generator.games.{kind}.game", SimpleNamespace(GAME=game))
    monkeypatch.setattr(content, "shipped", lambda: tuple(BY_NAME))
    monkeypatch.setattr(play_, "open_pack", lambda name, *_: SimpleNamespace(system=BY_NAME[name]))
    return tmp_path / "home" / "campaigns"


def play(line: str, *options: str) -> Ran:
    return run("play", *options, *line.split())


def done(line: str, *options: str) -> list[str]:
    ran = play(line, *options)
    assert (ran.code, ran.err) == (0, ""), (line, ran)
    return ran.out.splitlines()


def begun(system: System, deck: DeckKind = "virtual", seed: int = 7) -> Session:
    campaign = new_campaign(system, deck, seed if deck == "virtual" else None)
    return begin(Table(system, campaign))


def read_back(start: Session, steps: Sequence[Step]) -> Session:
    lines: list[Line] = [start.table.campaign, *(step.command for step in steps)]
    session, _ = replayed(None, enumerate(lines, 1), start.table.system, "j")
    assert session is not None
    return session


# --- one state for the table -----------------------------------------------------------------------------------------


def test_a_shared_table_from_the_command_line() -> None:
    assert done("pot join bryn") == ["join", "the pot holds 0"]
    assert run("play", "join", "Old Cara").code == 0, "a campaign knows what it plays"
    assert done("bet bryn 3 colour=red") == ["bet bryn red", "the pot holds 3"]
    assert run("play", "bet", "old c", "4").out.splitlines() == ["bet Old Cara", "the pot holds 7"]
    assert done("deal JC QC") == ["dealt bryn JC", "dealt Old Cara QC", "the pot holds 7"]
    assert done("show") == [
        "the pot holds 7",
        "    bryn: 3",
        "    Old Cara: 4",
        "5 of 7 cards are in the deck",
        "    clubs     2  A K",
        "    spades    3  A 2 3",
        "    diamonds  0",
        "    hearts    0",
    ]
    assert done("undo") == ["Undone: deal JC QC", "Back into the deck: JC QC", "the pot holds 7"]
    assert done("redo")[1] == "Out of the deck again: JC QC"
    assert done("deal QC JC")[0] == "dealt bryn QC", "a new round has the whole deck"
    assert done("split bryn choose 1") == ["bet bryn", "the pot holds 7"]
    assert done("odds deal") == ["deal:", "red 0"]
    assert [line for line in done("log") if line[0].isdigit()][1:4] == [
        '2. join "Old Cara"',
        "3. bet bryn 3 colour=red",
        '4. bet "Old Cara" 4',
    ]
    exported = json.loads(play("export").out)
    assert exported["state"]["coins"] == {"bryn": 3, "Old Cara": 4}
    assert "characters" not in exported
    assert exported["events"][2] == {"do": "bet", "words": ["bryn", "3"], "at": {"colour": "red"}}
    assert json.loads(play("bet bryn 1", "--json").out)["state"]["coins"]["bryn"] == 4


@pytest.mark.parametrize(
    ("line", "code", "says"),
    [
        ("bet bryn", 2, "bet needs a number: write bet NAME N [colour=red|black]"),
        ("bet bryn 3 4", 2, '"4" is too much: write bet NAME N'),
        ("bet bryn 3 shape=red", 2, "bet takes no shape: it takes colour"),
        ("bet bryn 3 colour=red colour=red", 2, "colour is given twice"),
        ("bet dora 3", 2, 'nobody here is called "dora"'),
        ("bet bryn 3 KH", 2, '"KH" is too much'),
        ("add cara", 2, 'there is no command and no system "add"'),
        ("remove bryn", 2, 'there is no command and no system "remove"'),
        ("show bryn", 2, '"bryn" is too much: write show'),
        ("deal", 1, "needs a card: write the card after the command, as in deal QS"),
        ("deal KH", 1, "KH is not used in this campaign: its deck has 7 cards"),
        ("deal AC AC", 2, "nothing needs the last card given (AC)"),
        ("deal X1", 2, '"X1" is not a card'),
        ("split bryn", 1, "needs a choice: 1 take 2 leave"),
        ("split bryn choose 2", 1, "bryn leaves it"),
    ],
)
def test_what_a_shared_table_refuses(line: str, code: int, says: str, registered: Path) -> None:
    done("pot join bryn")
    raw = (registered / "table.hackjack").read_bytes()
    ran = play(line)
    assert (ran.code, ran.out, len(ran.faults)) == (code, "", 1), ran
    assert ran.err.startswith(says)
    assert (registered / "table.hackjack").read_bytes() == raw


def test_a_shared_table_begins_with_any_event() -> None:
    assert play("pot show").faults == ['there is no campaign "table"; join begins it']
    assert play("pot undo").faults == ['there is no campaign "table"; join begins it']
    assert done("pot deal") == ["the pot holds 0"]


def test_a_virtual_deck_is_shuffled_when_cards_come_back() -> None:
    now = start = begun(POT)
    steps = []
    for deed in (Deed("join", words=("a",)), Deed("join", words=("b",)), *[Deed("deal")] * 12, Deed("undo")):
        steps.append(advance(now, deed))
        now = steps[-1].session
        party = now.party
        assert sorted((*party.order, *party.drawn)) == sorted(now.table.deck)
    deals = [step.command.deeds[0] for step in steps if step.command.deeds[0].do == "deal"]
    assert not deals[0].order, "the campaign's own order"
    assert all(len(deed.order) == 7 for deed in deals[1:])
    assert len({deed.cards for deed in deals}) > 6
    again = advance(now, Deed("deal"))
    assert again.command.deeds[0] == deals[-1], "the same luck after an undo"
    read = read_back(start, steps)
    assert read.party == now.party
    other = msgspec.structs.replace(deals[3], order=deals[2].order)
    with pytest.raises(HackjackError, match="lies on top of the deck"):
        before = next(step for step in steps if step.command.deeds[0] is deals[2]).session
        advance(before, msgspec.structs.replace(other, order=other.order[::-1]), replaying=True)


def test_a_name_in_front_means_nothing_at_a_shared_table() -> None:
    with pytest.raises(HackjackError, match="the table is one: deal is not written with a name in front"):
        advance(begun(POT, "real"), Deed("deal", "bryn"))


def test_completion_at_a_shared_table() -> None:
    for line in ("pot join bryn", "join bella"):
        done(line)
    now = read_file(campaign_file("table"), POT)
    assert now is not None

    def completed(line: str) -> list[str]:
        return completion.completions(line, line.rpartition(" ")[2], now)

    assert completed("") == [*prompt.commands(games.game_of(POT))]
    assert {"join", "bet", "show"} < set(completed(""))
    assert not {"add", "remove"} & set(completed(""))
    assert completed("bet b") == ["bryn", "bella"]
    assert completed("bet bryn 3 c") == ["colour="]
    assert completed("deal A") == ["AC", "AS"]
    assert completed("split bryn c") == ["choose"]
    assert completed("odds d") == ["deal"]


def test_sheets_are_filled_from_the_seats() -> None:
    for line in ("pot join bryn", "join bella", "bet bella 5"):
        done(line)
    system, filled = fillings.fillings(POT, "table")
    assert system.head.id == POT.head.id
    assert [(ending, filling and filling.state) for ending, filling in filled] == [
        ("-bryn", {"coins": 0}),
        ("-bella", {"coins": 5}),
    ]
    _, ((ending, filling),) = fillings.fillings(POT, "table:be")
    assert (ending, filling and filling.name) == ("-bella", "bella")
    with pytest.raises(UsageError, match='nobody here is called "x"'):
        fillings.fillings(POT, "table:x")


# --- characters and dice alone ---------------------------------------------------------------------------------------


def test_dice_without_a_deck() -> None:
    assert done("guts add bryn") == ["bryn: nerve 6"]
    assert play("add cara hp 3").faults == ['"hp" is too much: write add NAME']
    assert done("dare bryn d4 save dice 2") == ["2 nerve is lost", "bryn: nerve 4"]
    assert play("dare bryn d4").faults == ["needs d4 (nerve): write dice and every face after the cards, as in dice 4"]
    assert done("show") == ["bryn: nerve 4"]
    assert json.loads(play("show", "--json").out)["deck"] == {"kind": "real"}
    assert done("dare bryn d6 dice 5")[-1] == "bryn: nerve 0"
    assert play("dare bryn d6 dice 5").faults == ["bryn is out of nerve"]
    assert done("undo")[-1] == "bryn: nerve 4"
    assert play("odds bryn").code == 2
    assert "odds" not in prompt.commands(games.game_of(GUTS))
    assert prompt.commands(games.game_of(GUTS))["dare"][0] == "dare NAME DIE [save|flee] [dice N ...]"


def test_virtual_dice_without_a_deck() -> None:
    start = begun(GUTS)
    assert start.table.campaign.order == ()
    steps = [advance(start, Deed("add", "bryn"))]
    for _ in range(3):
        steps.append(advance(steps[-1].session, Deed("dare", "bryn", ("d2",))))
    assert [len(step.command.deeds[0].dice) for step in steps] == [0, 1, 1, 1]
    read = read_back(start, steps)
    assert read.party == steps[-1].session.party
    with pytest.raises(UsageError, match="luck is virtual and rolls by itself: leave dice out"):
        advance(steps[0].session, Deed("dare", "bryn", ("d2",), dice=(1,)))


def test_a_campaign_of_another_game_is_told_apart() -> None:
    done("guts add bryn")
    assert play("hackjack show").faults[0].endswith('this campaign plays "guts", not "hackjack"')


# --- every game that ships -------------------------------------------------------------------------------------------


def test_every_game_names_what_it_has() -> None:
    """Names are known without loading what counts and draws; here both are compared."""
    examples = [content.load(folder.parent).system for folder in (ROOT / "docs/examples").glob("*/system.yaml")]
    systems = {system.kind: system for system in (*examples, *SHIPPED)}
    assert set(systems) == set(games.FOLDERS) - {"pot", "guts"}, "each kind of procedure ships a system or an example"
    for kind, system in systems.items():
        game = games.game_of(system)
        assert set(game.LOOKS) <= set(game.EVENTS), kind
        for name, spec in (*game.EVENTS.items(), *game.QUESTIONS.items()):
            assert name == spec.name and set(spec.luck) <= set(LUCK), (kind, name)
        assert list(game.charts()) == list(game.CHARTS), kind
        assert set(game.blank_charts()) <= set(game.CHARTS), kind
        face = games.content_of(system)
        assert face.table_events() == tuple(game.EVENTS), kind
        assert tuple(game.card_sets()) == face.CARD_SETS, kind
        assert tuple(game.pages()) == face.PAGES, kind
