"""The events of a table that plays blackjack, as they are typed."""

from generator.play.event_spec import ArgumentSpec, by_name, event_spec, option_argument

MAX_AMOUNT = 10_000
"""The largest number of chips that an event may hold."""


def _chips(least: int = 0) -> ArgumentSpec:
    return ArgumentSpec("amount", "number", least=least, most=MAX_AMOUNT)


def _list(name: str, kind: str, sample: str) -> ArgumentSpec:
    return option_argument(name, kind, least=0, most=MAX_AMOUNT, many=True, sample=sample)


_WHO = ArgumentSpec("who", "person")
_HAND = (
    _list("bet", "number", "N[,N]"),
    option_argument("stakes", "number", most=MAX_AMOUNT),
    _list("effort", "number", "N[,N]"),
    _list("players", "name", "NAME[,NAME]"),
)
_DEAL = "shuffle; two cards for everybody with a bet, the dealer's first face down and not named"
EVENTS = by_name(
    event_spec("sit", "add a player on the dealer's right, with N effort", ArgumentSpec("who", "name"), _chips()),
    event_spec("leave", "somebody leaves with what effort they hold", _WHO),
    event_spec("effort", "somebody holds N effort now", _WHO, _chips()),
    event_spec("scene", "a scene with stakes of N", _chips(1)),
    event_spec("bet", "effort on the action; bet again to change it, 0 to take it back", _WHO, _chips()),
    event_spec("deal", _DEAL, luck="cards"),
    event_spec("hit", "one more card for the player whose turn it is", luck="cards"),
    event_spec("stand", "the player whose turn it is keeps the hand"),
    event_spec("reveal", "the dealer turns the first card up and plays, and all bets are settled", luck="cards"),
    event_spec("hand", "a whole round at once", *_HAND, luck="cards choose"),
)
