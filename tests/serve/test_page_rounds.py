"""A round of every system on the page, by taps alone, with real cards and dice; the terminal is the second witness.

What was tapped has to stand as `play show` tells it, and typing what the page's log says has to come to the same again.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from browsing import IN_A_BROWSER, Page, begin, link
from helpers import ROOT, run
from served import Served, serving

from generator.pack.load import load_pack

pytestmark = IN_A_BROWSER

KIND = """
const asks = (selector) => document.querySelector(`.question ${selector}`);
return asks(".die") ? "die" : asks("[data-card]") ? "card" : "choice";
"""
NEXT_TO_TAP = """
const question = document.querySelector(".question");
const die = [...question.querySelectorAll(".dice")].find((each) => !each.querySelector("[aria-pressed=true]"));
const found = die ? die.querySelectorAll(".die").item((arguments[0] ?? 1) - 1)
  : question.querySelector(arguments[0] ? `[data-card="${arguments[0]}"]` : ":is([data-card], [data-option]):enabled");
found?.scrollIntoView({block: "center"});
return found;
"""
"""What answers the question that is open: the card or the face of the next die that is named, or the first there is."""


@dataclass
class GameMaster:
    """Somebody at the page who taps what the table says, and lays cards and dice down when they are asked for.

    `cards` are drawn first, and after them whatever lies there first; `faces` are what dice show
    first, and 1 after that.
    """

    page: Page
    served: Served
    cards: list[str] = field(default_factory=list)
    faces: list[int] = field(default_factory=list)

    def joins(self, name: str, /, **values: str) -> None:
        """Somebody joins."""
        self.page.tap("[data-key=joins]")
        self.page.write("[data-key='field- name']", name)
        self._fill(values)
        self.page.tap("[data-key=go]")
        self._finish()

    def does(self, event: str, whom: str = "", /, **values: str) -> None:
        """An event befalls somebody; every question is answered until it is done."""
        if whom:
            self.page.tap(f"[data-person='{whom}']")
        begin(self.page, event)
        self._fill(values)
        if self.page.every("[data-key=go]:enabled"):
            self.page.tap("[data-key=go]")
        self._finish()

    def plays(self, place: str) -> None:
        """A card on the field is tapped, and the first of the moves that it has."""
        self.page.tap(f"[data-place='{place}']")
        self.page.tap(".taps.moves [data-tap]")
        self._finish()

    def looks(self, event: str, said: str, /) -> None:
        """An event that only looks, and what it says."""
        begin(self.page, event)
        self.page.tap("[data-key=go]")
        self.page.says(said, ".answer pre")

    def turns(self, way: str) -> None:
        """Undo or redo."""
        before = self.served.gm.state()["on"]
        self.page.tap(f"[data-key={way}]")
        self.page.until(lambda: self.served.gm.state()["on"] > before, f"{way} is done")
        self._finish()

    def _fill(self, values: dict[str, str]) -> None:
        for name, value in values.items():
            button = f"[data-argument='{name}'][data-value='{value}']"
            self.page.see(f"[data-argument='{name}'], [data-key='field-{name}']")
            if self.page.every(button):
                self.page.tap(button)
            else:
                self.page.write(f"[data-key='field-{name}']", value)

    def _finish(self) -> None:
        while self.page.until(self._stands, "the event is done, or asks for something") == "question":
            kind = self.page.script(KIND)
            wanted = self.cards if kind == "card" else self.faces if kind == "die" else []
            node = self.page.script(NEXT_TO_TAP, wanted.pop(0) if wanted else None)
            assert node is not None, "the question can be answered"
            node.click()

    def _stands(self) -> str:
        """What the page stands at, once it rests: `question`, `done`, or nothing yet."""
        busy, question, error, shown = self.page.script(
            "const text = (node) => document.querySelector(node)?.textContent ?? '';"
            "return [document.querySelector('.panel').ariaBusy === 'true', !!document.querySelector('.question'),"
            " text('.panel .error'), document.querySelector('.answer').dataset.shown ?? '']"
        )
        assert not error
        if busy or question:
            return "" if busy else "question"
        return "done" if shown.split(" ")[-1:] == [str(self.served.gm.state()["on"])] else ""


# --- the rounds ------------------------------------------------------------------------------------------------------


def hackjack_round(gm: GameMaster) -> None:
    """Down, bleeding, a choice among two cards, held by a friend; then it is poison's and time's turn."""
    gm.joins("Ada", hp="7")
    gm.joins("Bo", hp="5")
    gm.cards = ["10C", "7C", "KH", "2S"]
    gm.does("hit", "Ada", amount="9")
    gm.does("hit", "Ada", amount="4")
    gm.does("hold", "Ada")
    gm.does("poison", "Bo", amount="2")
    gm.does("round", "Ada")


def glog_round(gm: GameMaster) -> None:
    """A wound in a place that was tapped, another in one that the dice name, a round of both, first aid."""
    gm.joins("Ada", hp="3", max_hp="9")
    gm.joins("Bo", hp="6")
    gm.faces = [2, 3, 4, 5]
    gm.does("hit", "Ada", damage="8", location="torso")
    gm.does("hit", "Bo", damage="2")
    gm.does("round", "Ada")
    gm.does("treat", "Ada")


def deadlands_round(gm: GameMaster) -> None:
    """Action cards, a trait that is rolled, wounds that are soaked, an injury by a card, the next round."""
    gm.joins("Webb", kind="wild", traits="vigor d8 spirit d6 shooting d10", chips="3")
    gm.joins("Bo", kind="extra")
    gm.does("action", "Webb")
    gm.does("action", "Bo")
    gm.does("trait", "Webb", die="d10")
    gm.does("wound", "Webb", number="2")
    gm.does("soak", "Webb", die="d8")
    gm.does("injury", "Webb", lasting="temporary", die="d8")
    gm.does("round", "Webb")


def jackrealms_round(gm: GameMaster) -> None:
    """Two sit down, bet and are dealt to; one takes a card and stands, so does the other, and cards are shown."""
    gm.does("sit", who="Ann", amount="6")
    gm.does("sit", who="Bo", amount="6")
    gm.does("scene", amount="4")
    gm.does("bet", who="Ann", amount="2")
    gm.does("bet", who="Bo", amount="1")
    gm.cards = ["10D", "6S", "5C", "4H", "9H"]
    gm.does("deal")
    gm.cards = ["3D", "8C"]
    gm.does("hit")
    gm.does("stand")
    gm.does("stand")
    gm.does("reveal")


def fiftytwo_round(gm: GameMaster) -> None:
    """Everybody enters, initiative by dice, a field of real cards, a turn with a pair and the attack it opens."""
    gm.does("enter", who="everybody")
    gm.faces = [6, 10, 4, 8, 5, 8, 5, 7, 7]
    gm.does("initiative")
    gm.does("columns")
    gm.does("lay", rows="QD 7D 3C 2S KH 3D / 5H AC 9S 10S 10D 6C / 4H JS 2H QC 8C 10H / 3H 9D QS 7C KS 8S")
    gm.does("turn")
    gm.looks("moves", "opens a critical attack")
    gm.plays("3.2")
    gm.does("act", move="critical", target="Eckhart")
    gm.does("end")


def keen_round(gm: GameMaster) -> None:
    """A pack with a deck of its own: its cards have names."""
    gm.joins("Ada", hp="8")
    gm.does("critical", "Ada", type="slash")
    gm.does("hit", "Ada", damage="2")
    gm.does("round", "Ada")


ROUNDS: dict[str, Callable[[GameMaster], None]] = {
    "hackjack": hackjack_round,
    "glog": glog_round,
    "deadlands": deadlands_round,
    "jackrealms": jackrealms_round,
    "fiftytwo": fiftytwo_round,
    "keen": keen_round,
}


@pytest.mark.parametrize("name", ROUNDS)
def test_a_round_by_taps_is_the_round_that_the_terminal_knows(
    page: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv("HACKJACK_HOME", str(tmp_path))
    (tmp_path / "campaigns").mkdir()
    shipped = ROOT / "content" / name
    example = () if shipped.is_dir() else ("--pack", str(ROOT / "docs" / "examples" / name))
    system = load_pack(Path(example[-1]) if example else shipped).system
    with serving(tmp_path / "campaigns", system) as served:
        gm = GameMaster(page, served)
        page.open(link(served))
        ROUNDS[name](gm)
        after = stands(page, served, example)
        gm.turns("undo")
        assert stands(page, served, example) != after
        gm.turns("redo")
        assert stands(page, served, example) == after
        for each in served.gm.state()["log"]:
            typed = run("play", system.head.id, *example, "--campaign", "typed", *each["typed"].split())
            assert typed.code == 0, (each["typed"], typed.err)
    again = json.loads(run("play", *example, "--campaign", "typed", "show", "--json").out)
    assert again == after


def stands(page: Page, served: Served, example: tuple[str, ...]) -> object:
    """What `play show` tells, once it is compared with what the page was sent and with what stands on its board."""
    told = json.loads(run("play", *example, "show", "--json").out)
    state = served.gm.state()
    assert {key: state[key] for key in told} == told
    board = {name: dict(numbers) for name, numbers in page.script(ON_THE_BOARD)}
    for each in state["people"]:
        numbers = {gauge["name"]: gauge["value"] for gauge in each["gauges"] if gauge["value"]}
        assert numbers.items() <= board[each["name"]].items(), "every number is shown, none otherwise"
    return told


ON_THE_BOARD = """
const numbers = (tile) => [...tile.querySelectorAll("[data-gauge]")].map(
  (each) => [each.dataset.gauge, Number(each.textContent)]);
return [...document.querySelectorAll(".board article:not(.lies)")].map(
  (tile) => [tile.querySelector(".who").textContent, numbers(tile)]);
"""
"""Who stands on the board, each with their numbers by name."""


def test_a_save_is_rolled_where_the_program_has_the_dice(page: Page, tmp_path: Path) -> None:
    system = load_pack(ROOT / "content" / "glog").system
    with serving(tmp_path, system, ["Ada hp 0"], deck="virtual", seed=3) as served:
        served.told("hit ada 1")
        page.open(link(served), says="Must save")
        page.tap("[data-event=save]")
        page.see("[data-argument=result][data-value=roll][aria-pressed=true]")
        page.write("[data-key=field-score]", "20")
        page.tap("[data-key=go]", says="Ada passes the save")
