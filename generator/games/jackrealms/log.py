"""What can happen at a table of Jackrealms, as facts of the log."""

from typing import NamedTuple

Sit = NamedTuple("Sit", [("who", str), ("effort", int)])
Leave = NamedTuple("Leave", [("who", str), ("effort", int)])
Effort = NamedTuple("Effort", [("who", str), ("effort", int)])
Scene = NamedTuple("Scene", [("stakes", int)])
Bet = NamedTuple("Bet", [("who", str), ("bet", int), ("effort", int)])
Unbet = NamedTuple("Unbet", [("who", str), ("effort", int)])
Shuffle = NamedTuple("Shuffle", [("hands", int)])
Deal = NamedTuple("Deal", [("who", str), ("card", str), ("total", int), ("soft", bool)])
Up = NamedTuple("Up", [("card", str)])
FaceDown = NamedTuple("FaceDown", [])
Hit = NamedTuple("Hit", [("who", str), ("card", str), ("total", int), ("soft", bool)])
Bust = NamedTuple("Bust", [("who", str), ("total", int)])
Stand = NamedTuple("Stand", [("who", str), ("total", int), ("soft", bool)])
Turned = NamedTuple("Turned", [("card", str), ("total", int), ("soft", bool)])
DealerHits = NamedTuple("DealerHits", [("card", str), ("total", int), ("soft", bool)])
DealerBust = NamedTuple("DealerBust", [("total", int), ("soft", bool)])
DealerStands = NamedTuple("DealerStands", [("total", int), ("soft", bool)])
Stakes = NamedTuple("Stakes", [("paid", int), ("stakes", int)])


class Win(NamedTuple):
    """A bet is won; `potency` where margins count."""

    payout: int
    who: str
    total: int
    dealer: int
    bet: int
    effort: int
    potency: int | None = None


Lose = NamedTuple(
    "Lose",
    [("bust", bool), ("tie", bool), ("who", str), ("total", int), ("dealer", int), ("bet", int), ("effort", int)],
)

JackrealmsFact = (
    Sit | Leave | Effort | Scene | Bet | Unbet | Shuffle | Deal | Up | FaceDown | Hit | Bust | Stand | Turned
    | DealerHits | DealerBust | DealerStands | Stakes | Win | Lose
)  # fmt: skip
