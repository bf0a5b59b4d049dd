"""An action settled by blackjack: states, events, and one step from a state to the next (rulings J1-J8).

The state is the whole table: everybody's effort in the order from the dealer's left, and the round that is being
played, if there is one. Played step by step, the dealer's first card is looked at when it is turned up and not
before, so that nothing can tell it in advance; every unseen card is as likely either way.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from generator.base.cards import FULL_DECK, CardName, meant_card
from generator.base.errors import HackjackError, UsageError
from generator.base.fields import MAX_HELD
from generator.base.text_input import find_name, read_name
from generator.games.jackrealms import log as said
from generator.games.jackrealms.events import EVENTS
from generator.games.jackrealms.hands import Count, HandRules
from generator.model.log import Entry, Log
from generator.model.rules import System
from generator.play.chance import Chance, ChoiceNeed, dealt_to, log_in_reach
from generator.play.event_spec import Values, read_values
from generator.play.state_reading import read_struct

MAX_BANK = 100_000_000
MAX_PLAYERS = 50
FIRST_CARDS = 2
"""Cards of every hand before anybody hits."""
HIDDEN = "?"
"""The dealer's first card while it lies face down and nobody has said what it is."""
DEALERS_SEAT = "the dealer's seat"
HIT, STAND = "hit", "stand"


class Player(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Somebody at the table: effort in hand, the bet that lies out, and the cards. `stands` once the hand is locked."""

    name: str
    effort: int
    bet: int = 0
    cards: tuple[CardName, ...] = ()
    stands: bool = False


class HandState(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The table. `bank` is what the bank has taken in and paid out since the beginning; `dealer` holds cards while a
    round is played, the first of them perhaps `?`. `drawn` are the cards out of the deck, as the hands tell them."""

    stakes: int = 0
    bank: int = 0
    players: tuple[Player, ...] = ()
    dealer: tuple[CardName, ...] = ()
    drawn: tuple[str, ...] = ()

    def player(self, name: str) -> Player:
        """Return the player whom a name or the beginning of one means. Raises UsageError with a suggestion."""
        if not self.players:
            raise UsageError("nobody sits at the table yet: write sit NAME N")
        known_name = find_name(name, [player.name for player in self.players])
        return next(player for player in self.players if player.name == known_name)

    @property
    def betting(self) -> tuple[Player, ...]:
        """Those with a bet, from the dealer's left."""
        return tuple(player for player in self.players if player.bet)

    @property
    def turn(self) -> Player | None:
        """Who has to hit or stand."""
        return next((player for player in self.betting if self.dealer and not player.stands), None)

    @property
    def out(self) -> tuple[str, ...]:
        """The cards that the hands hold and that are known."""
        dealt = [code for player in self.players for code in player.cards]
        return (*dealt, *(code for code in self.dealer if code != HIDDEN))


class Wager(Struct, frozen=True):
    """One player's part in a hand that is resolved at once: a place or a name, the effort held, and the bet."""

    name: str = ""
    bet: int = 0
    effort: int | None = None


class HandEvent(Struct, frozen=True):
    """What happens at the table: a name, whom it is about, and a number; for a whole hand the bets and stakes."""

    name: str
    who: str = ""
    amount: int = 0
    wagers: tuple[Wager, ...] = ()

    def __str__(self) -> str:
        return " ".join(str(part) for part in (self.name, self.who, self.amount) if part)

    @property
    def surplus(self) -> str:
        """What is to be done with luck that nothing needs, where a person may well give it."""
        if self.name != "deal":
            return ""
        return "the dealer's first card lies face down and is named at the reveal, so leave it out here"


def read_event(words: Sequence[str], at: Mapping[str, str]) -> HandEvent:
    """Return an event as typed: `bet Bryn 2`, or `hand` with `--at bet=2 --at stakes=4`. Raises UsageError."""
    values = read_values(EVENTS, words, at, {})
    return _hand(values) if words[0] == "hand" else HandEvent(words[0], **values)


def _hand(values: Values) -> HandEvent:
    """Return the bets of a whole round; the lists go from the dealer's left."""
    bets, efforts, names = (values.get(name, ()) for name in ("bet", "effort", "players"))
    for what, numbers in (("effort", efforts), ("players", names)):
        if numbers and len(numbers) != len(bets):
            raise UsageError(f"--at bet names {len(bets)} and --at {what} {len(numbers)}: give one for each player")
    if bets and not any(bets):
        raise UsageError("nobody bets: give --at bet=N with a bet of 1 or more")
    if twice := _twice(names):
        raise UsageError(f'--at players: "{twice}" appears twice')
    wagers = tuple(
        Wager(names[place] if names else "", bet, efforts[place] if efforts else None) for place, bet in enumerate(bets)
    )
    return HandEvent("hand", "", values.get("stakes", 0), wagers)


# --- states ----------------------------------------------------------------------------------------------------------


def read_state(value: Any, system: System) -> HandState:
    """Return a table as plain data, checked. Raises HackjackError."""
    state = read_struct(value, HandState, "an empty table")
    for fault in _faults(state, HandRules.of(system)):
        raise HackjackError(f"invalid state: {fault}")
    if "drawn" in value and set(state.drawn) != set(state.out):
        raise HackjackError("invalid state: drawn are the cards that the hands hold, or leave it out")
    return replace(state, drawn=state.out)


def _faults(state: HandState, rules: HandRules) -> Iterator[str]:
    if not 0 <= state.stakes <= MAX_HELD:
        yield f"the stakes are {state.stakes:,}: they are from 0 to {MAX_HELD:,}"
    if abs(state.bank) > MAX_BANK:
        yield f"the bank is {state.bank:,}; the limit is {MAX_BANK:,} either way"
    if len(state.players) > MAX_PLAYERS:
        yield f"{len(state.players)} players are too many: {MAX_PLAYERS} at most"
    if twice := _twice([player.name for player in state.players]):
        yield f'two players are called "{twice}"'
    for player in state.players:
        yield from _player_faults(player, state, rules)
    yield from _card_faults(state)
    if len(state.betting) > rules.most_hands:
        yield f"one deck serves {rules.most_hands} bets at most, and there are {len(state.betting)}"


def _player_faults(player: Player, state: HandState, rules: HandRules) -> Iterator[str]:
    try:
        read_name(player.name)
    except UsageError as error:
        yield str(error)
    if not 0 <= player.effort <= MAX_HELD or not 0 <= player.bet <= MAX_HELD:
        yield f"{player.name} holds {player.effort:,} and bets {player.bet:,}: write numbers from 0 to {MAX_HELD:,}"
    elif player.bet > state.stakes:
        yield f"{player.name} bets {player.bet}, and the stakes of the scene are {state.stakes}"
    if not (state.dealer and player.bet):
        if player.cards or player.stands:
            yield f"{player.name} has cards, or stands, without a bet in a round that is being played"
        return
    if len(player.cards) < FIRST_CARDS:
        yield f"{player.name} has a bet in this round, and so {FIRST_CARDS} cards or more"
    if len(player.cards) > FIRST_CARDS and rules.count(player.cards[:-1]).total > rules.target:
        yield f"{player.name} was bust before the last card"
    if not player.stands and rules.count(player.cards).total > rules.target:
        yield f"{player.name} is bust, so the hand must stand"
    waiting = state.turn
    later = waiting is not None and state.betting.index(player) > state.betting.index(waiting)
    if waiting and later and (player.stands or len(player.cards) > FIRST_CARDS):
        yield f"{player.name} has played before {waiting.name}"


def _card_faults(state: HandState) -> Iterator[str]:
    dealt = [code for player in state.players for code in player.cards]
    if state.dealer and (len(state.dealer) != FIRST_CARDS or not state.betting):
        yield "before the reveal the dealer has two cards, and somebody has bet"
    for code in (*dealt, *state.dealer[1:], *(code for code in state.dealer[:1] if code != HIDDEN)):
        if code not in FULL_DECK:
            yield f'there is no card "{code[:20]}" in the deck{meant_card(code, FULL_DECK)}'
    if twice := _twice(state.out):
        yield f"{twice} was dealt twice"


def _twice(names: Sequence[str]) -> str:
    """The first that stands twice, whatever the case of its letters; empty when all differ."""
    folded = [name.casefold() for name in names]
    return next((name for place, name in enumerate(names) if folded[place] in folded[:place]), "")


def plain_state(state: HandState) -> dict[str, Any]:
    """Return the table as plain data, without what the hands tell."""
    value: dict[str, Any] = msgspec.to_builtins(state)
    del value["drawn"]
    return value


# --- one step --------------------------------------------------------------------------------------------------------


def step(system: System, state: HandState, event: HandEvent, chance: Chance) -> tuple[HandState, Log]:
    """One event at the table. Raises HackjackError where the rules forbid it, NeedsError when luck is missing."""
    table = _Table(HandRules.of(system), state, event, chance)
    with log_in_reach(table.log):
        _DOES[event.name](table)
    if abs(table.state.bank) > MAX_BANK:
        raise HackjackError(f"the bank would have moved more than {MAX_BANK:,}, which is the limit")
    return replace(table.state, drawn=table.state.out), tuple(table.log)


class _Table:
    """One step in the making: the state so far, its log, and the luck that is asked."""

    def __init__(self, rules: HandRules, state: HandState, event: HandEvent, chance: Chance) -> None:
        self.rules, self.state, self.event, self.chance = rules, state, event, chance
        self.log: list[Entry[said.JackrealmsFact]] = []

    def note(self, fact: said.JackrealmsFact, why: str = "") -> None:
        """Add an entry."""
        self.log.append(Entry(fact, why))

    def change(self, player: Player, **values: Any) -> Player:
        """Change a player at the table; gives the player as changed."""
        changed = replace(player, **values)
        players = tuple(changed if each.name == player.name else each for each in self.state.players)
        self.state = replace(self.state, players=players)
        return changed

    def draw(self) -> str:
        """Return the next card of the deck."""
        out = set(self.state.out)
        return self.chance.card([code for code in FULL_DECK if code not in out])

    # The table.

    def sit(self) -> None:
        """Somebody joins."""
        self.between_rounds("somebody can join")
        if len(self.state.players) >= MAX_PLAYERS:
            raise HackjackError(f"{MAX_PLAYERS} players are at the table: somebody must leave first")
        if _twice([*(player.name for player in self.state.players), self.event.who]):
            raise HackjackError(f"{self.event.who} sits at the table already: take another name")
        self.state = replace(self.state, players=(*self.state.players, Player(self.event.who, self.event.amount)))
        self.note(said.Sit(self.event.who, self.event.amount))

    def leave(self) -> None:
        """Somebody leaves."""
        self.between_rounds("somebody can leave")
        gone = self.state.player(self.event.who)
        self.state = replace(self.state, players=tuple(player for player in self.state.players if player != gone))
        self.note(said.Leave(gone.name, gone.effort + gone.bet))

    def effort(self) -> None:
        """Somebody's effort is told anew."""
        player = self.change(self.state.player(self.event.who), effort=self.event.amount)
        self.note(said.Effort(player.name, player.effort))

    def scene(self) -> None:
        """A scene begins."""
        self.between_rounds("a scene can begin")
        for player in self.state.betting:
            self.change(player, effort=player.effort + player.bet, bet=0)
        self.state = replace(self.state, stakes=self.event.amount)
        self.note(said.Scene(self.event.amount), "J8")

    def between_rounds(self, what: str) -> None:
        """Raise HackjackError while a round is played."""
        if self.state.dealer:
            raise HackjackError(f"a round is being played: {what} after the reveal")

    # A round.

    def bet(self) -> None:
        """Effort on an action, or none any more."""
        self.between_rounds("the next bets come")
        self.place_bet(self.state.player(self.event.who), self.event.amount)

    def place_bet(self, player: Player, amount: int) -> None:
        """The same of a player, before the deal."""
        rules, stakes, worth = self.rules, self.state.stakes, player.effort + player.bet
        if not amount:
            if not player.bet:
                raise HackjackError(f"{player.name} has no bet to take back")
            self.change(player, effort=worth, bet=0)
            self.note(said.Unbet(player.name, worth), "J1")
            return
        if not stakes:
            raise HackjackError("the scene has no stakes, so nobody can bet: set them first (scene N)")
        for most, why in ((stakes, f"the stakes of the scene are {stakes}"), (worth, f"the effort held is {worth}")):
            if amount > most:
                bound = min(stakes, worth)
                right = f"bet {rules.least_bet} to {bound}" if bound >= rules.least_bet else "they cannot act"
                raise HackjackError(f"{player.name} cannot bet {amount}: {why}; {right}")
        if amount < rules.least_bet:
            raise HackjackError(f"{player.name} cannot bet {amount}: bet at least {rules.least_bet}")
        player = self.change(player, effort=worth - amount, bet=amount)
        if len(self.state.betting) > rules.most_hands:
            raise HackjackError(f"one deck serves {rules.most_hands} bets at most: the others act in another round")
        self.note(said.Bet(player.name, player.bet, player.effort), "J1")

    def deal(self) -> None:
        """The first cards; the hidden one is not looked at."""
        self.dealt(lambda: HIDDEN)

    def dealt(self, hidden: Callable[[], str]) -> None:
        """Round for round from the dealer's left, the dealer last and the dealer's first card as `hidden` has it."""
        self.between_rounds("the next deal comes")
        if not self.state.betting:
            raise HackjackError("nobody has bet yet: bet first, with bet NAME N")
        self.note(said.Shuffle(len(self.state.betting)), "J2")
        for place in range(FIRST_CARDS):
            for player in self.state.betting:
                with dealt_to(f"{player.name}'s seat"):
                    code = self.draw()
                player = self.change(player, cards=(*player.cards, code))
                self.note(said.Deal(player.name, code, *self.rules.count(player.cards)), "J2")
            with dealt_to(DEALERS_SEAT):
                code = self.draw() if place else hidden()
            self.state = replace(self.state, dealer=(*self.state.dealer, code))
            self.note(said.Up(code) if place else said.FaceDown(), "J2")
        for player in self.state.betting:
            self.bust(player)

    def bust(self, player: Player) -> None:
        """A hand over the target stands. Two cards are over it only under a house rule's numbers."""
        total = self.rules.count(player.cards).total
        if total > self.rules.target:
            self.change(player, stands=True)
            self.note(said.Bust(player.name, total), "J4")

    def turn(self) -> Player:
        """Return whose turn it is. Raises HackjackError when it is nobody's."""
        if not self.state.dealer:
            raise HackjackError("no cards are dealt: bet and deal first")
        if self.state.turn is None:
            raise HackjackError("everybody has played: the reveal comes next")
        return self.state.turn

    def hit(self) -> None:
        """One more card, face up."""
        player, code = self.turn(), self.draw()
        player = self.change(player, cards=(*player.cards, code))
        self.note(said.Hit(player.name, code, *self.rules.count(player.cards)), "J4")
        self.bust(player)

    def stand(self) -> None:
        """The hand is locked in."""
        player = self.change(self.turn(), stands=True)
        self.note(said.Stand(player.name, *self.rules.count(player.cards)), "J4")

    def reveal(self) -> None:
        """The dealer's play, and what becomes of the bets."""
        if not self.state.dealer:
            raise HackjackError("there is nothing to reveal: no cards are dealt")
        if (waiting := self.state.turn) is not None:
            raise HackjackError(f"{waiting.name} has not stood yet: hit or stand")
        dealer = self._dealer_plays()
        paid = sum([self._settled(player, dealer) for player in self.state.betting])
        self.state = replace(self.state, dealer=())
        if self.rules.stakes_fall and paid:
            fallen = max(self.state.stakes - paid, 0)
            self.state = replace(self.state, stakes=fallen)
            self.note(said.Stakes(paid, fallen), "J8")

    def _dealer_plays(self) -> Count:
        """Return the first card up, then cards by the rule."""
        cards = list(self.state.dealer)
        if cards[0] == HIDDEN:
            with dealt_to(DEALERS_SEAT):
                cards[0] = self.draw()
        self.state = replace(self.state, dealer=tuple(cards))
        self.note(said.Turned(cards[0], *self.rules.count(cards)), "J5")
        while self.rules.dealer_hits(count := self.rules.count(cards)):
            with dealt_to(DEALERS_SEAT):
                cards.append(self.draw())
            self.state = replace(self.state, dealer=tuple(cards))
            self.note(said.DealerHits(cards[-1], *self.rules.count(cards)), "J5")
        if count.total > self.rules.target:
            self.note(said.DealerBust(*count), "J5")
        else:
            self.note(said.DealerStands(*count), "J3" if count.soft else "J5")
        return count

    def _settled(self, player: Player, dealer: Count) -> int:
        """Return one bet settled; gives what was paid beyond the bet."""
        total, bet = self.rules.count(player.cards).total, player.bet
        won = self.rules.wins(total, dealer.total)
        payout = bet * self.rules.payout if won else 0
        effort = player.effort + (bet + payout if won else 0)
        if effort > MAX_HELD:
            raise HackjackError(f"{player.name} would hold more than {MAX_HELD:,} effort, which is the limit")
        self.change(player, effort=effort, bet=0, cards=(), stands=False)
        self.state = replace(self.state, bank=self.state.bank + (-payout if won else bet))
        facts = (player.name, total, dealer.total, bet, effort)
        if won:
            potency = self.rules.potency(total, dealer.total) if self.rules.margins else None
            self.note(said.Win(payout, *facts, potency), "J7")
        else:
            self.note(said.Lose(total > self.rules.target, total == dealer.total, *facts), "J6")
        return payout

    # All of it at once.

    def hand(self) -> None:
        """A whole round: stakes and players as they are given, the bets, and then everything to the payout."""
        self.between_rounds("a whole hand can be resolved")
        if self.event.amount:
            self.state = replace(self.state, stakes=self.event.amount)
        elif not self.state.stakes:
            raise UsageError("the stakes of the scene are missing: --at stakes=N")
        if not self.event.wagers and not self.state.betting:
            raise UsageError("the bet is missing: --at bet=N, and for several players --at bet=N,N")
        for name, wager in self._seated(self.event.wagers):
            if wager.effort is not None:
                self.change(self.state.player(name), effort=wager.effort, bet=0)
            if wager.bet:
                self.place_bet(self.state.player(name), wager.bet)
        self.dealt(self.draw)
        while self.state.turn is not None:
            option = self.chance.choose(ChoiceNeed((HIT, STAND)))
            (self.stand if option else self.hit)()
        self.reveal()

    def _seated(self, wagers: tuple[Wager, ...]) -> list[tuple[str, Wager]]:
        """Return whose wager each is: by name, or from the dealer's left; an empty table is filled with them first."""
        if not self.state.players:
            if any(wager.effort is None for wager in wagers):
                raise UsageError("the effort held is missing: --at effort=N, one for each player")
            if len(wagers) > MAX_PLAYERS:
                raise UsageError(f"{len(wagers)} players are too many: {MAX_PLAYERS} at most")
            several = len(wagers) > 1
            names = [wager.name or (f"Player-{at}" if several else "Player") for at, wager in enumerate(wagers, 1)]
            self.state = replace(self.state, players=tuple(Player(name, 0) for name in names))
            return list(zip(names, wagers, strict=True))
        seated = [player.name for player in self.state.players]
        if all(wager.name for wager in wagers):
            return [(self.state.player(wager.name).name, wager) for wager in wagers]
        if len(wagers) != len(seated):
            listed = ", ".join(seated[:8])
            raise UsageError(f"--at bet names {len(wagers)}, and at the table are {listed}: one each, 0 for no bet")
        return list(zip(seated, wagers, strict=True))


_DOES: dict[str, Callable[[_Table], None]] = {
    "hand": _Table.hand,
    "sit": _Table.sit,
    "leave": _Table.leave,
    "effort": _Table.effort,
    "scene": _Table.scene,
    "bet": _Table.bet,
    "deal": _Table.deal,
    "hit": _Table.hit,
    "stand": _Table.stand,
    "reveal": _Table.reveal,
}
