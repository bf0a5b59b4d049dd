"""Wounds on cards and a death-score: Hackjack."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from generator.base.errors import HackjackError
from generator.games import in_a_row
from generator.games.face import Asked, Game, Lying, OddsAnswer, Suffering
from generator.games.hackjack import engine as harm
from generator.games.hackjack import odds as odds_of
from generator.games.hackjack.checks import CONTENT
from generator.games.hackjack.engine import HarmEvent, HarmState, deck_of, most_hp, plain_state, read_state, step
from generator.games.hackjack.events import EVENTS, MAX_AMOUNT
from generator.games.hackjack.lines import line, wounds_told
from generator.games.hackjack.lines import state_line as _state_line
from generator.games.hackjack.log import Death, Draw, HackjackFact, Outright
from generator.games.sums import change_sums
from generator.model.log import Entry, Log
from generator.model.rules import System, Until, Whenever
from generator.pack.strict_yaml import Trail
from generator.play.chance import Chance, Seeded
from generator.play.event_spec import EventSpec, event_spec, labelled_argument
from generator.words.chances import plain_chance, spoken_chance
from generator.words.effects import card_telegraph

_SIGNS = {"penalty": -1, "bonus": 1}
"""The effects whose amounts a player adds up."""


def _once(system: System, state: HarmState, event: HarmEvent, asked: Asked) -> OddsAnswer:
    found = odds_of.outcome(system, state, event, asked.policy or "best")
    plain = {
        "die": plain_chance(found.die),
        "reset": plain_chance(found.reset),
        "survive": plain_chance(found.survive),
        "score": {str(score): plain_chance(share) for score, share in found.score.items()},
        "cards_left": found.cards_left,
    }
    lines = [
        f"die      {spoken_chance(found.die)}",
        f"reset    {spoken_chance(found.reset)}   exactly {system.harm.limit}, then 0",
        f"survive  {spoken_chance(found.survive)}   a reset counts as surviving",
        *(f"  death-score {score:>2}  {spoken_chance(share)}" for score, share in found.score.items()),
        f"{found.cards_left} cards are left in the deck",
    ]
    brief = [f"{name:<8} {spoken_chance(getattr(found, name))}" for name in ("die", "reset", "survive")]
    return OddsAnswer(plain, lines, brief=brief, death=found.die)


def _played(system: System, state: HarmState, event: HarmEvent, asked: Asked) -> OddsAnswer:
    from generator.games.hackjack.simulation import simulate

    hits = 1 if asked.hits is None else asked.hits
    found = simulate(system, state, event, hits, asked.plays or 1, asked.seed, asked.policy or "best")
    return in_a_row.played_answer(found, asked, event.name)


class _Leading(Seeded):
    """Luck that begins with a certain card."""

    def __init__(self, code: str) -> None:
        super().__init__(0)
        self._code: str | None = code

    def card(self, left: Sequence[str]) -> str:
        """That card, then any."""
        code, self._code = self._code, None
        return code if code in left and code is not None else super().card(left)


class Hackjack(Game[HarmState, HarmEvent, HarmEvent]):
    """Wounds on cards and a death-score: Hackjack."""

    EVENTS = EVENTS
    QUESTIONS: Mapping[str, EventSpec] = {name: EVENTS[name].asked(in_a_row=True) for name in odds_of.COUNTED_EVENTS}
    NEWCOMER = event_spec(
        "add",
        "somebody joins, with 0 HP unless you say more",
        labelled_argument("hp", "number", most=MAX_AMOUNT),
        labelled_argument("max", "number", name="max_hp", most=MAX_AMOUNT),
    )
    READERS = harm.READERS
    FOLLOWS: Mapping[str, Collection[str]] = {
        "score": ("tokens",),
        "tokens": ("score",),
        "pile": ("score",),
        "hp": ("low",),
    }
    DEATHS = (Death, Outright)
    DRAWS = (Draw,)

    CHARTS = CONTENT.CHARTS
    PLAYED_OUT = ("hits_by_score",)

    def read_event(self, words: Sequence[str], at: Mapping[str, str]) -> HarmEvent:
        """An event as typed: `hit 9`. Raises UsageError."""
        return harm.read_event(words, at)

    def read_state(self, value: Any) -> HarmState:
        """Return a state from plain data. Raise HackjackError."""
        return read_state(value, self.system)

    def plain_state(self, state: HarmState) -> dict[str, Any]:
        """Return a state as plain data for JSON."""
        return plain_state(state)

    def state_line(self, plain: dict[str, Any]) -> str:
        """A state in one line: `death-score 12, Blood 2, Trauma 3`."""
        return _state_line(plain)

    def step(self, state: HarmState, event: HarmEvent, chance: Chance) -> tuple[HarmState, Log]:
        """Return the state after an event, and the log. Raise HackjackError, NeedsError."""
        return step(self.system, state, event, chance)

    def step_beside(
        self, state: HarmState, event: HarmEvent, chance: Chance, held: Collection[str]
    ) -> tuple[HarmState, Log]:
        """The same beside others who hold these cards (H29)."""
        return step(self.system, state, event, chance, held)

    def option_says(self, option: str) -> str:
        """Return the name of a card that may be chosen, its Blood and its Trauma, and what else it does."""
        card = self.system.cards.get(option)
        if card is None:
            return ""
        facts = [f"Blood {card.blood.spoken}"] if card.blood else []
        facts += [f"Trauma {card.trauma}"] if card.trauma else []
        return f"{card.name}: {'; '.join(filter(None, (*facts, card_telegraph(card, self.system))))}".removesuffix(": ")

    def line(self, entry: Entry[HackjackFact]) -> str:
        """Return a log entry as a sentence."""
        return line(entry.fact, self.system)

    def odds(self, state: HarmState, event: HarmEvent, asked: Asked) -> OddsAnswer:
        """Return the chances of one hit or of several in a row, and how many unseen cards kill.

        Several in a row that are too many to count are played out, unless they are asked for exactly.
        """
        from generator.games.hackjack.odds_tally import said, tally
        from generator.games.hackjack.simulation import DEFAULT_PLAYS

        if asked.plays:
            return _played(self.system, state, event, asked)
        if asked.hits is None:
            answer = _once(self.system, state, event, asked)
        else:
            try:
                answer = in_a_row.exact_answer(
                    odds_of.die_by(self.system, state, event, asked.hits, asked.policy or "best"), event.name
                )
            except odds_of.TooManyError:
                if asked.exact or asked.hits == 1:
                    raise
                answer = _played(self.system, state, event, replace(asked, plays=DEFAULT_PLAYS))
        counts = tally(self.system, state, event)
        cards = {"kill": counts.kill, "draw_more": counts.more, "left": counts.left}
        return replace(answer, counts=said(counts), cards=cards)

    def rehearse(self) -> Iterator[tuple[str, Trail, str]]:
        """Every card once on a fresh character and once on a wounded one."""
        if self.system.deck is None:
            return
        for place, card in enumerate(self.system.deck.cards):
            for state in (HarmState(), HarmState(hp=3, blood=2, trauma=1)):
                try:
                    step(self.system, state, HarmEvent("hit", 5), _Leading(card.code))
                except HackjackError as error:
                    yield "deck.yaml", ("cards", place), f"the card {card.code} cannot be played: {error}"
                    break

    def deck(self) -> tuple[str, ...]:
        """Return the codes of the full deck in play."""
        return deck_of(self.system)

    def details(self, plain: dict[str, Any]) -> Sequence[str]:
        """The wounds that last, each with its end, and how long recovery takes."""
        if plain["dead"]:
            return ()
        wounds = (*plain["wounds"], *plain["permanent"])
        lines = [f"{card:<3} {says} {until}".rstrip() for card, says, until in wounds_told(wounds, self.system)]
        if plain["recovery"]:
            rolled = Until.parse(plain["recovery"]).amount
            known = rolled is not None and rolled.is_number
            lines.append(f"recovery: {plain['recovery']} left" if known else f"recovery will take {plain['recovery']}")
        if "max_hp" in plain:
            lines.append(f"at most {most_hp(read_state(plain, self.system))} HP")
        return lines

    def held(self, state: HarmState) -> Collection[str]:
        """The cards of the living, as death-score or as wounds: they are not shuffled back (H29)."""
        if state.dead:
            return ()
        return {card.card for card in state.pile} | {wound.card for wound in (*state.wounds, *state.permanent)}

    def check_bounds(self, state: HarmState) -> None:
        """The count ends somewhere. Raises HackjackError."""
        if max(state.hp, state.score, state.blood) > MAX_AMOUNT:
            raise HackjackError(f"that would be more than {MAX_AMOUNT:,}, which is the limit")

    def sheet(self, plain: dict[str, Any]) -> Mapping[str, Any]:
        """Return a state with `fear`, what cards have cost near their cause so far, and `sums` of penalties."""
        cards = self.system.cards.items()
        feared = [code for code, card in cards for each in card.effects if isinstance(each, Whenever) and each.penalty]
        wounds = [wound for wound in plain.get("wounds", ()) if wound["card"] in feared]
        begun = (wound for key in ("wounds", "permanent") for wound in plain.get(key, ()) if not wound.get("begins"))
        changes = ((_SIGNS[each["effect"]], each["to"], each["by"]) for each in begun if each["effect"] in _SIGNS)
        fear = sum(sum(wound.get("by", ())) for wound in wounds) or ""
        return {**plain, "fear": fear, "sums": change_sums(changes, self.system)}

    def lying(self, plain: Mapping[str, Any]) -> Sequence[Lying]:
        """Return the draw pile."""
        return [Lying(each["card"], each["score"]) for each in plain["pile"]]

    def hurts(self, plain: Mapping[str, Any]) -> Sequence[Suffering]:
        """Return the wounds that last."""
        wounds = () if plain["dead"] else (*plain["wounds"], *plain["permanent"])
        lines = zip(wounds, wounds_told(wounds, self.system), strict=True)
        return [Suffering(wound.get("effect", ""), says, until, card) for wound, (card, says, until) in lines]

    def wounds(self, wounds: Iterable[dict[str, Any]]) -> Iterable[tuple[str, str, str]]:
        """Return wounds as lines of a sheet: the card, what it does, and until when."""
        return wounds_told(wounds, self.system)

    def moments(self) -> Sequence[str]:
        """Return what a hit does, in order, under the rules in force (H7, H35)."""
        return harm.moments(self.system)


GAME: type[Game[HarmState, HarmEvent, HarmEvent]] = Hackjack
