"""What can happen to a character of Hackjack, as facts of the log."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from generator.play.log import EffectFact


class HarmPlainFact(Enum):
    """What is said in the same words each time."""

    AT_ZERO = "Exactly 0 HP: no card yet."
    NO_DRAW = "A critical miss draws no card here."
    LAPSES = "You no longer hold your wounds: that was for the round."
    MENDED = "There is no Trauma to recover from: what lasted until recovery is over."
    HOLD = "You hold your wounds: walk or defend, nothing else."
    RELEASE = "You let go: the next hit lets the Blood flow."
    STAND = "You stand up."
    CLEAR = "What was in the way is cleaned off."
    WAKE = "Somebody wakes you."
    ACTS = "Nothing keeps you from acting."


Hit = NamedTuple("Hit", [("damage", int), ("hp", int)])
Massive = NamedTuple("Massive", [("damage", int)])
Outright = NamedTuple("Outright", [("below", int)])
Enters = NamedTuple("Enters", [("below", int)])
Flow = NamedTuple("Flow", [("blood", int), ("score", int)])
Held = NamedTuple("Held", [("blood", int)])
Draw = NamedTuple("Draw", [("card", str)])
RedCard = NamedTuple("RedCard", [("blood", int), ("score", int)])
Spare = NamedTuple("Spare", [("card", str)])
Score = NamedTuple("Score", [("card", str), ("points", int), ("carried", int), ("score", int)])
Choose = NamedTuple("Choose", [("card", str)])
Repeat = NamedTuple("Repeat", [("card", str)])
Blood = NamedTuple("Blood", [("blood", int), ("card", str), ("pool", int)])
Trauma = NamedTuple("Trauma", [("trauma", int)])
Death = NamedTuple("Death", [("score", int), ("limit", int)])
Reset = NamedTuple("Reset", [("limit", int)])
Join = NamedTuple("Join", [("blood", int)])
PoisonHp = NamedTuple("PoisonHp", [("points", int), ("hp", int)])
Poison = NamedTuple("Poison", [("points", int), ("score", int)])
Drain = NamedTuple("Drain", [("points", int), ("score", int)])
Bleed = NamedTuple("Bleed", [("blood", int), ("pool", int)])
Reshuffle = NamedTuple("Reshuffle", [("cards", int)])
MostHp = NamedTuple("MostHp", [("most", int)])
HealBlood = NamedTuple("HealBlood", [("blood", int), ("pool", int)])
HealScore = NamedTuple("HealScore", [("points", int), ("score", int)])
HealHp = NamedTuple("HealHp", [("points", int), ("hp", int)])
Full = NamedTuple("Full", [("most", int)])
Recovery = NamedTuple("Recovery", [("lasts", str), ("trauma", int), ("reconstructed", bool)])
Rest = NamedTuple("Rest", [("hours", int), ("comfort", bool)])
Passes = NamedTuple("Passes", [("amount", int), ("unit", str)])
Ends = NamedTuple("Ends", [("card", str), ("effect", str)])
Mends = NamedTuple("Mends", [("left", str)])
Recovered = NamedTuple("Recovered", [("amount", int), ("unit", str)])
Lifts = NamedTuple("Lifts", [("card", str)])
LiftsTrauma = NamedTuple("LiftsTrauma", [("trauma", int)])
Awake = NamedTuple("Awake", [("die", str), ("rolled", int), ("over", int)])
PassesOut = NamedTuple("PassesOut", [("die", str), ("rolled", int), ("over", int)])
HackjackFact = (
    HarmPlainFact | Hit | Massive | Outright | Enters | Flow | Held | Draw | RedCard | Spare | Score | Choose
    | Repeat | Blood | Trauma | Death | Reset | Join | PoisonHp | Poison | Drain | Bleed | Reshuffle | MostHp
    | HealBlood | HealScore | HealHp | Full | Recovery | Rest | Passes | Ends | Mends | Recovered | Lifts
    | LiftsTrauma | Awake | PassesOut | EffectFact
)  # fmt: skip
