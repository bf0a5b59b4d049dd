"""Actions settled by a hand of blackjack: Jackrealms."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from generator.base.cards import FULL_DECK
from generator.base.errors import HackjackError, UsageError
from generator.games.face import Asked, Game, Lying, OddsAnswer
from generator.games.jackrealms import engine as blackjack
from generator.games.jackrealms import odds as odds_of
from generator.games.jackrealms.checks import CONTENT
from generator.games.jackrealms.engine import HandEvent, HandState, Wager, plain_state, read_state
from generator.games.jackrealms.events import EVENTS
from generator.games.jackrealms.hands import HandRules
from generator.games.jackrealms.lines import fact_sentence, hand_lines, total_text
from generator.games.jackrealms.lines import state_line as _state_line
from generator.games.jackrealms.log import Deal, DealerHits, Hit, JackrealmsFact, Turned, Up
from generator.model.log import Entry, Log
from generator.pack.strict_yaml import Trail
from generator.play.chance import Chance, Seeded
from generator.play.event_spec import EventSpec, by_name, event_spec, option_argument, read_values
from generator.words.chances import chance_percent, plain_chance, spoken_chance


class HandQuestion(HandEvent, frozen=True):
    """What odds are asked of: a round, or a choice with the cards that lie open (none: those of the state)."""

    player: tuple[str, ...] = ()
    dealer: str = ""
    seen: tuple[str, ...] = ()


_OPEN = tuple(
    option_argument(name, "card", many=True, sample=sample)
    for name, sample in (("player", "10D,6S"), ("dealer", "9H"), ("seen", "CARD,..."))
)


def _hand(rules: HandRules, state: HandState, event: HandQuestion) -> OddsAnswer:
    player, dealer, seen = event.player, event.dealer, event.seen
    if not player:
        player, dealer, seen_cards = open_cards(state)
        seen = (*seen_cards, *seen)
    decision = odds_of.best_decision(rules, player, dealer, seen)
    count, out = rules.count(player), {*player, dealer, *seen}
    left = [code for code in FULL_DECK if code not in out]
    bust = [code for code in left if rules.count([*player, code]).total > rules.target]
    plain = {"stand": plain_chance(decision.stand), "hit": plain_chance(decision.hit), "best": decision.best}
    lines = [
        f"stand  {spoken_chance(decision.stand)}",
        f"hit    {spoken_chance(decision.hit)}   and then play on best",
        f"best   {decision.best}",
    ]
    counts = f"{total_text(count)} against {dealer}; {len(bust)} of {len(left)} unseen cards bust the hand"
    cards = {"bust": bust, "left": len(left)}
    return OddsAnswer(plain, lines, counts, cards)


def open_cards(state: HandState) -> tuple[tuple[str, ...], str, tuple[str, ...]]:
    """Return the cards that the player in turn sees: the own hand, the dealer's up card, and the hands of the others.

    Raises UsageError where nobody has to decide.
    """
    player = state.turn
    if player is None:
        raise UsageError("nobody has to decide in this state: name the cards, --at player=10D,6S --at dealer=9H")
    others = tuple(code for other in state.players if other != player for code in other.cards)
    return player.cards, state.dealer[1], others


def _round(rules: HandRules) -> OddsAnswer:
    chances = odds_of.whole_round(rules)
    plain = {"best_play": plain_chance(chances.best_play), "copy_dealer": plain_chance(chances.copy_dealer)}
    lines = [
        f"best play        {spoken_chance(chances.best_play)}",
        f"as the dealer    {spoken_chance(chances.copy_dealer)}   hit to {rules.dealer_stands - 1}, stand from "
        f"{rules.dealer_stands}",
        "one player, a full deck, nothing seen but the own cards and the dealer's up card",
    ]
    return OddsAnswer(plain, lines)


def _strategy(rules: HandRules) -> OddsAnswer:
    grid = odds_of.two_card_strategy(rules)
    ups = odds_of.up_cards(rules)
    counts = sorted({count for count, _ in grid}, key=lambda count: (count.soft, count.total))
    plain: dict[str, Any] = {"hard": {}, "soft": {}}
    lines = ["      " + "".join(f"{up.name:>6}" for up in ups)]
    for count in counts:
        row = {up.name: grid[count, up] for up in ups if (count, up) in grid}
        cells = {
            up: {"stand": plain_chance(decision.stand), "hit": plain_chance(decision.hit), "best": decision.best}
            for up, decision in row.items()
        }
        plain["soft" if count.soft else "hard"][str(count.total)] = cells
        text = "".join(f"{each.best[0].upper():>3}{chance_percent(each.chance):>3}" for each in row.values())
        lines.append(f"{'soft' if count.soft else 'hard'}{count.total:>2}{text}")
    lines.append("H hit, S stand, and the chance to win in per cent; two cards, one deck, nothing else seen")
    return OddsAnswer(plain, lines)


_ROUNDS = 20


class Jackrealms(Game[HandState, HandEvent, HandQuestion]):
    """Actions settled by a hand of blackjack: Jackrealms."""

    EVENTS = EVENTS

    QUESTIONS: Mapping[str, EventSpec] = by_name(
        event_spec("hand", "to stand, or to hit and play on best", *_OPEN),
        event_spec("round", "the chance to win a round before it is dealt, played best and played as the dealer must"),
        event_spec("strategy", "the choice for every total of two cards against every up card"),
    )

    SHARED = True
    ON_TABLE = "The dealer"
    USUAL = ("bet",)
    CARDS_MEAN = (("deal",), ("hit",), ("reveal",))

    DRAWS = (Deal, Hit, Up, Turned, DealerHits)
    DECK = FULL_DECK
    CHARTS = CONTENT.CHARTS
    CARD_SETS = CONTENT.CARD_SETS

    def read_event(self, words: Sequence[str], at: Mapping[str, str]) -> HandEvent:
        """Return an event as typed: `bet Bryn 2`, `hand` with `--at bet=2`. Raises UsageError."""
        return blackjack.read_event(words, at)

    def read_question(self, words: Sequence[str], at: Mapping[str, str]) -> HandQuestion:
        """`hand` with `--at player=10D,6S --at dealer=9H`, or `round`. Raises UsageError."""
        self.check_question(words)
        values = read_values(self.QUESTIONS, words, at, self.READERS)
        player, dealer, seen = (values.get(key, ()) for key in ("player", "dealer", "seen"))
        if len(dealer) > 1:
            raise UsageError(f"--at dealer={at['dealer'][:40]}: the dealer shows one card")
        if bool(player) != bool(dealer):
            missing = (
                "--at dealer=CARD, the card that the dealer shows" if player else "--at player=CARD,CARD, the hand"
            )
            raise UsageError(f"a choice needs both hands: add {missing}")
        return HandQuestion(words[0], player=player, dealer="".join(dealer), seen=seen)

    def read_state(self, value: Any) -> HandState:
        """Return a state from plain data. Raise HackjackError."""
        return read_state(value, self.system)

    def plain_state(self, state: HandState) -> dict[str, Any]:
        """Return a state as plain data for JSON."""
        return plain_state(state)

    def state_line(self, plain: Mapping[str, Any]) -> str:
        """Return a table in one line: `stakes 4; Bryn 6 effort (bet 2): 10D 6S; dealer ? 9H`."""
        return _state_line(plain)

    def step(self, state: HandState, event: HandEvent, chance: Chance) -> tuple[HandState, Log]:
        """Return one event at the table. Nobody holds cards besides those of the state."""
        return blackjack.step(self.system, state, event, chance)

    def line(self, entry: Entry[JackrealmsFact]) -> str:
        """Return a log entry as a sentence."""
        return fact_sentence(entry.fact)

    def odds(self, state: HandState, event: HandQuestion, asked: Asked) -> OddsAnswer:
        """Return the chances of a choice, of a round, or of every choice. Raise HackjackError for too small a deck."""
        if asked.hits is not None or asked.plays or asked.policy in ("worst", "even"):
            raise UsageError(
                f"the odds of {event.name} are counted for best play: leave out --hits, --simulate, --policy"
            )
        rules = HandRules.of(self.system)
        if event.name == "round":
            return _round(rules)
        return _strategy(rules) if event.name == "strategy" else _hand(rules, state, event)

    def rehearse(self) -> Iterator[tuple[str, Trail, str]]:
        """Some rounds of as many players as a deck serves."""
        rules = HandRules.of(self.system)
        if not rules.most_hands:
            message = "one deck does not surely serve even one player: lower the target or raise dealer_stands"
            yield "system.yaml", ("procedure",), message
            return
        wagers = (Wager("", rules.least_bet, rules.least_bet),) * rules.most_hands
        for seed in range(_ROUNDS):
            try:
                blackjack.step(
                    self.system, HandState(stakes=rules.least_bet), HandEvent("hand", "", 0, wagers), Seeded(seed)
                )
            except HackjackError as error:
                yield "system.yaml", ("procedure",), f"a round cannot be played: {error}"
                return

    def details(self, plain: Mapping[str, Any]) -> Sequence[str]:
        """Return every hand of the round that is being played, with what it counts, and whose turn it is."""
        rules = HandRules.of(self.system)
        state = self.told_state(plain)
        turn = state.turn
        counts = {player.name: rules.count(player.cards) for player in state.betting}
        return hand_lines(state, counts, turn.name if turn else "") if state.dealer else ()

    def acting(self, plain: Mapping[str, Any]) -> str:
        """Return who has to hit or stand."""
        turn = self.told_state(plain).turn
        return turn.name if turn else ""

    def seats(self, plain: Mapping[str, Any]) -> Mapping[str, Mapping[str, Any]]:
        """Everybody with their effort and bet, and the stakes of the scene."""
        return {player["name"]: {**player, "stakes": plain["stakes"], "table": plain} for player in plain["players"]}

    def lying(self, plain: Mapping[str, Any]) -> Sequence[Lying]:
        """Return somebody's hand, or the dealer's, whose first card may lie face down: `?`."""
        return [Lying(code) for code in plain.get("cards") or plain.get("dealer", ())]

    def page_values(self, plain: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return how the round stands, and somebody's own hand in it where it is a seat."""
        table = plain.get("table", plain)
        state = self.told_state(table)
        turn = state.turn.name if state.turn else ""
        cards = plain.get("cards", ())
        return {
            **table,
            "effort": None,
            "bet": 0,
            "stands": False,
            **plain,
            "turn": turn or None,
            "mine": bool(turn) and plain.get("name") == turn,
            "dealt": bool(state.dealer),
            "bets": len(state.betting),
            "to_play": sum(not player.stands for player in state.betting) if state.dealer else 0,
            "total": HandRules.of(self.system).count(cards).total if cards else None,
        }

    def sheet(self, plain: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return somebody's effort and bet, the cards and what they count."""
        cards = plain.get("cards") or ()
        count = total_text(HandRules.of(self.system).count(cards)) if cards else ""
        return {**plain, "cards": " ".join(cards), "count": count, "all_effort": plain["effort"] + plain.get("bet", 0)}


GAME: type[Game[HandState, HandEvent, HandQuestion]] = Jackrealms
