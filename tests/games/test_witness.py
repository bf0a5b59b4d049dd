"""Every card in every order that matters, against a second telling of the rules that shares nothing with the engine.

The witness below is written from the rulings, step by step as one would play at the table, without the engine's agenda
of tasks; only the cards' numbers are read from the content. It knows score, Blood, Trauma, death and the count at 21.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import permutations
from random import Random
from typing import Any

import pytest
from helpers import befall, hackjack, one_in
from hypothesis import given
from hypothesis import strategies as st

from generator.base.cards import FULL_DECK, is_red
from generator.base.dice import Dice
from generator.games import game_of
from generator.games.steps.tally import unseen_cards
from generator.model.rules import System
from generator.pack.settings import with_settings
from generator.play.chance import ChoiceNeed, RollNeed

Plain = dict[str, Any]
Pools = Callable[[str, int], None]
"""Where Blood and Trauma go."""


class Lying:
    """Luck that lies on the table: a deck in order, dice that all show their lowest or highest face, one choice."""

    def __init__(self, deck: Sequence[str], *, high: bool, choice: int) -> None:
        self.deck, self.high, self.choice = list(deck), high, choice

    def card(self, left: Sequence[str]) -> str:
        assert self.deck[0] in left
        return self.deck.pop(0)

    def roll(self, need: RollNeed) -> tuple[int, ...]:
        return ((need.dice.faces if self.high else 1),) * need.dice.count

    def choose(self, need: ChoiceNeed) -> int:
        assert len(need.options) == 2
        return self.choice

    def peek(self, left: Sequence[str]) -> str:
        assert self.deck[0] in left
        return self.deck[0]

    def total(self, dice: Dice) -> int:
        return dice.count * (dice.faces if self.high else 1) + dice.plus


class Witness:
    """A character at the table, in the plainest words."""

    def __init__(self, system: System, luck: Lying, state: Plain) -> None:
        self.cards, self.luck = system.cards, luck
        self.step_by_step = system.setting("twenty_one") == "at_every_step"
        self.blank_is_zero = system.setting("jack_of_clubs") == "blank_is_zero"
        self.least_massive = 13 if system.setting("massive_damage") == "from_13" else 14
        self.draws_at_0 = system.setting("first_draw") == "at_zero"
        self.falls_anew = system.setting("new_descent") == "from_zero"
        self.forgets = system.setting("six_of_hearts") == "in_pile"
        self.hp, self.score, self.blood, self.trauma = (state[key] for key in ("hp", "score", "blood", "trauma"))
        self.holding, self.waits, self.dead = state["holding"], state.get("low", False), False
        kept = [wound["card"] for wound in (*state["wounds"], *state["permanent"]) if wound["effect"] == "whenever"]
        self.nines, self.queens, self.tens = (kept.count(code) for code in ("9C", "QC", "10H"))
        drawn = [each["card"] for each in state["pile"] if each["card"] not in DRAWERS]
        self.last: str | None = drawn[-1] if drawn else None

    # Drawing and counting.

    def draw(self) -> str:
        code = self.luck.deck.pop(0)
        if is_red(code):
            self.blood += self.tens  # H21: red cards, drawn by whatever effect.
        return code

    def scores(self, code: str) -> int:
        rank = code[:-1]
        return {"A": 1, "J": 10, "Q": 10, "K": 10}.get(rank) or int(rank)

    def gain(self, points: int) -> None:
        if not self.dead:
            self.score, self.waits = self.score + points, False
            if self.step_by_step:
                self.judge()

    def judge(self) -> None:
        if self.score > 21:
            self.dead = True
        elif self.score == 21:
            self.score = 0
            self.waits = self.waits or (self.falls_anew and self.hp == 0)  # H30: the next damage is a new descent.
            self.last = None if self.forgets else self.last

    def body(self, what: str, value: int) -> None:
        if what == "blood":
            self.blood += value
        else:
            self.trauma = max(self.trauma, value)

    def nowhere(self, what: str, value: int) -> None:
        """Blood and Trauma that do not count."""

    # One hit, from its first blow to the reckoning.

    def hit(self, damage: int) -> None:
        massive, reached = 0, 0
        if self.hp > 0:
            below = damage - self.hp
            self.hp = max(-below, 0)
            if below < 0 or (below == 0 and not self.draws_at_0):
                self.waits = below == 0
                self.flow()
                self.judge()
                return
            if below > 21:
                self.dead = True
                return
            first, opens = True, below > 0  # H18: at exactly 0 HP the Nine waits.
            reached = below if below >= self.least_massive else 0
        else:
            massive = damage if damage >= self.least_massive else 0
            first = opens = self.waits
        nines, queens = self.nines * opens, self.queens * first
        self.flow()
        if self.dead:
            return
        self.waits = False
        code = self.draw()
        if reached:
            self.gain(max(reached - self.score, 0))  # H3: raised, never lowered.
        else:
            self.gain(massive or self.scores(code) + 2 * queens)
        self.wound(code, self.body, of_the_hit=True)
        if not self.dead:
            self.judge()
        if not self.dead:
            self.blood += 2 * nines

    def heal(self, points: int) -> None:
        """The pool, the death-score, HP; every point by itself."""
        for _ in range(points):
            if self.blood:
                self.blood -= 1
            elif self.score:
                self.score -= 1
                self.last = None if self.forgets and not self.score else self.last
            else:
                self.hp, self.waits = self.hp + 1, False
        if self.hp == self.score == 0 and self.falls_anew:
            self.waits = True

    def flow(self) -> None:
        if not self.holding and self.blood:
            self.score, self.blood = self.score + self.blood, 0
            if self.step_by_step:
                self.judge()

    # Wounds.

    def wound(self, code: str, pools: Pools, *, of_the_hit: bool = False) -> None:
        """One card's wound. H20: a card that draws is no wound before those that it draws."""
        if self.dead:
            return
        card = self.cards[code]
        if card.blood is not None:
            pools("blood", self.luck.total(card.blood))
        if card.trauma:
            pools("trauma", card.trauma)
        if code not in DRAWERS:
            self.last = code
        match code:
            case "7C":
                first, second = self.draw(), self.draw()
                self.wound(second if self.luck.choice else first, pools)
            case "JC":
                self.jack(pools)
            case "QS":
                drawn = self.draw()
                self.gain(self.scores(drawn))
                self.wound(drawn, self.nowhere)
            case "6H" if self.last is None and not of_the_hit:
                pass
            case "6H" if self.last is None:
                drawn = self.draw()
                self.gain(self.scores(drawn))
                for _ in range(2):
                    self.wound(drawn, pools)
            case "6H":
                assert self.last
                self.wound(self.last, pools)
            case "9C":
                self.nines += 1
            case "QC":
                self.queens += 1
            case "10H":
                self.tens += 1

    def jack(self, pools: Pools) -> None:
        both = self.draw(), self.draw()
        offered: dict[str, list[int]] = {"blood": [], "trauma": []}
        if self.blank_is_zero:
            offered["blood"] += [0 for code in both if self.cards[code].blood is None]
            offered["trauma"] += [0 for code in both if not self.cards[code].trauma]
        for code in both:
            self.wound(code, self.nowhere if pools == self.nowhere else lambda what, value: offered[what].append(value))
        for what, values in offered.items():
            if values and not self.dead and pools != self.nowhere:
                pools(what, min(values))

    def tells(self) -> dict[str, Any]:
        if self.dead:
            return {"dead": True}
        names = ("hp", "score", "blood", "trauma")
        return {"dead": False, "low": self.waits, **{name: getattr(self, name) for name in names}}


def told(state: Plain) -> Plain:
    """The same of the state that the content comes to."""
    if state["dead"]:
        return {"dead": True}
    return {name: state.get(name, False) for name in ("dead", "low", "hp", "score", "blood", "trauma")}


def compare(system: System, start: Plain, hits: Sequence[int], deck: Sequence[str], *, high: bool, choice: int) -> None:
    """Both play the same hits with the same luck, and must come to the same after each; a hit below 0 heals."""
    luck, same = Lying(deck, high=high, choice=choice), Lying(deck, high=high, choice=choice)
    state, witness = start, Witness(system, same, start)
    for damage in hits:
        state, log = befall(system, state, f"hit {damage}" if damage > 0 else f"heal {-damage}", luck)
        witness.hit(damage) if damage > 0 else witness.heal(-damage)
        assert told(state) == witness.tells(), (deck[:6], damage, [entry.kind for entry in log])
        if state["dead"]:
            return
        assert luck.deck == same.deck, deck[:6]


def house(**rulings: str) -> System:
    return with_settings(hackjack(), rulings.items())


def state_of(**values: Any) -> Plain:
    game = game_of(hackjack())
    return game.plain_state(game.read_state(values))


SITUATIONS: dict[str, tuple[Plain, tuple[int, ...]]] = {
    "two hits at 0 HP": (state_of(), (3, 3)),
    "from above 0 HP, healed by nobody": (state_of(hp=5), (9, 2)),
    "to exactly 0 HP, and then the first card": (state_of(hp=5), (5, 2)),
    "massive from above 0 HP": (state_of(hp=5), (20, 2)),
    "massive from above 0 HP, to exactly 21": (state_of(hp=5), (26, 2)),
    "massive from above 0 HP, with a death-score and Blood": (state_of(hp=5, score=4, blood=3), (20, 2)),
    "massive from above 0 HP, with a higher death-score": (state_of(hp=5, score=17), (20, 2)),
    "massive at 0 HP": (state_of(score=2), (14, 2)),
    "Blood that flows": (state_of(score=4, blood=5), (3, 3)),
    "Blood that is held": (state_of(score=4, blood=5, holding=True), (3, 3)),
    "a wound before": (state_of(pile=[{"card": "2C", "score": 2}]), (3, 3)),
    "old wounds, from above 0 HP": (state_of(hp=2, permanent=["9C", "QC", "QC"], wounds=["10H"]), (3, 3)),
    "old wounds, at exactly 0 HP": (state_of(low=True, permanent=["9C", "QC"], wounds=["10H"]), (3, 3)),
    "near 21": (state_of(score=11), (3, 3)),
    "old wounds, and healed to exactly 0": (
        state_of(score=9, tokens=9, permanent=["9C", "QC"], wounds=["10H"]),
        (-9, 3, 3),
    ),
    "old wounds, near 21": (state_of(score=11, permanent=["9C", "QC"]), (3, 3)),
}
RULINGS = {
    "as printed": house(),
    "judged at every step": house(twenty_one="at_every_step", massive_damage="from_13"),
    "blanks are 0": house(jack_of_clubs="blank_is_zero", first_draw="at_zero"),
    "read the other way": house(new_descent="from_above", six_of_hearts="ever"),
}
DRAWERS = ("7C", "JC", "QS", "6H")
REST = [code for code in FULL_DECK if code not in (*DRAWERS, "10H", "9C", "QC")]


def deck_of(*first: str) -> list[str]:
    """A deck with these cards on top, and at the bottom those that draw more."""
    return [*first, *(code for code in [*REST, "10H", "9C", "QC", *DRAWERS] if code not in first)]


def left_of(start: Plain) -> list[str]:
    return [code for code in FULL_DECK if code not in start["drawn"]]


@one_in(9, 3)
@pytest.mark.parametrize("situation", SITUATIONS)
def test_every_card_before_every_other(situation: str, one_in: int) -> None:
    """Each pair in every ninth or third situation, by turns."""
    start, hits = SITUATIONS[situation]
    place = [*SITUATIONS].index(situation)
    for number, pair in enumerate(permutations(left_of(start), 2)):
        if (number + place) % one_in:
            continue
        deck = [code for code in deck_of(*pair) if code not in start["drawn"]]
        compare(RULINGS["as printed"], start, hits, deck, high=number % 2 == 1, choice=number // 2 % 2)


@one_in(5)
@pytest.mark.parametrize("drawer", DRAWERS)
def test_every_two_cards_that_a_card_draws(drawer: str, one_in: int) -> None:
    """In their order, chosen or not; among them those that draw on, so that draws nest in draws."""
    rulings = [*RULINGS.values()]
    others = [code for code in FULL_DECK if code != drawer]
    situations = [SITUATIONS[name] for name in ("two hits at 0 HP", "Blood that flows", "near 21")]
    for number, pair in [*enumerate(permutations(others, 2))][::one_in]:
        start, hits = situations[number % 3]
        choice, system = number // 3 % 2, rulings[number // 6 % 4]
        compare(system, start, hits, deck_of(drawer, *pair), high=number % 2 == 1, choice=choice)


DECKS = st.permutations(FULL_DECK)
STARTS = st.integers(0, 9).map(lambda hp: state_of(hp=hp)) | st.sampled_from([each for each, _ in SITUATIONS.values()])


@given(
    DECKS,
    st.sampled_from(sorted(RULINGS)),
    st.lists(st.one_of(st.integers(1, 25), st.integers(-20, -1)), min_size=1, max_size=8),
    st.one_of(
        st.integers(0, 9).map(lambda hp: state_of(hp=hp)), st.sampled_from([each for each, _ in SITUATIONS.values()])
    ),
    st.booleans(),
    st.integers(0, 1),
)
def test_whatever_the_deck(
    deck: list[str], ruling: str, hits: list[int], start: Plain, high: bool, choice: int
) -> None:
    left = [code for code in deck if code not in start["drawn"]]
    compare(RULINGS[ruling], start, hits, left, high=high, choice=choice)


# --- what each unseen card does --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("event", "ruling", "state"), [
    ("hit 9", "", {"score": 15, "drawn": ["2C", "KD"]}),
    *(pytest.param(*row, marks=pytest.mark.slow) for row in (
        ("hit 9", "", {"score": 20}),
        ("draw", "", {"score": 12, "permanent": ["QC"]}),
        ("hit 9 critical", "critical_draw on", {"score": 13, "blood": 3}),
        ("hit 16", "jack_of_clubs blank_is_zero", {"score": 6}),
        ("hit 9", "twenty_one at_every_step", {"score": 15}),
    )),
])  # fmt: skip
def test_unseen_cards_do_what_is_told_of_them_whatever_follows(event: str, ruling: str, state: Plain) -> None:
    """A card that kills is survived by nobody, one of which nothing is told by all, and one that may kill by some."""
    switch, _, option = ruling.partition(" ")
    system = with_settings(hackjack(), [(switch, option)] if ruling else [])
    game, chance = game_of(system), Random(11)
    told = unseen_cards(system, game.read_state(state), game.read_event(event.split(), {}))
    assert told.kill and sorted(told.left) == sorted(
        {*FULL_DECK} - {*state.get("drawn", ()), *state.get("permanent", ())}
    )
    for first in told.left:
        rest = [code for code in FULL_DECK if code not in {first, *state.get("drawn", ()), *state.get("permanent", ())}]
        ends = set()
        for _ in range(100 if first in told.may else 10 if first in ("7C", "JC", "QS", "6H") else 2):
            chance.shuffle(rest)
            luck = Lying([first, *rest], high=chance.random() < 0.5, choice=chance.randrange(2))
            ends.add(befall(system, state, event, luck)[0]["dead"])
            if len(ends) == 2:
                break
        assert ends == {first in told.kill} or (first in told.may and False in ends), first
