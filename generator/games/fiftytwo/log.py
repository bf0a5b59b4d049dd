"""What can happen in a fight over a field of cards, as facts of the log."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from generator.games.fiftytwo import fight
from generator.model.combatants import Side
from generator.model.log import Entry
from generator.model.procedures import TieBreaker

Join = NamedTuple("Join", [("who", str), ("side", Side), ("hp", int)])
Leave = NamedTuple("Leave", [("who", str)])
Total = NamedTuple("Total", [("who", str), ("parts", Sequence[int]), ("total", int)])
NoRoll = NamedTuple("NoRoll", [("who", Sequence[str])])
Late = NamedTuple("Late", [("who", str), ("slot", int), ("waits", bool)])
Order = NamedTuple("Order", [("order", Sequence[tuple[str, int]]), ("sides", Sequence[Side])])
Hold = NamedTuple("Hold", [("who", str), ("from_", int), ("to", int)])
Raised = NamedTuple("Raised", [("who", str), ("act", str), ("from_", int), ("to", int)])
Resequenced = NamedTuple("Resequenced", [("who", str), ("from_", int), ("to", int), ("below", str)])
Unmoved = NamedTuple("Unmoved", [])
Round = NamedTuple("Round", [("round", int)])
TieUp = NamedTuple("TieUp", [("at", int), ("winner", str), ("losers", Sequence[str]), ("by", TieBreaker), ("to", int)])
TieDown = NamedTuple(
    "TieDown", [("at", int), ("winner", str), ("losers", Sequence[str]), ("by", TieBreaker), ("to", int)]
)
Quicker = NamedTuple("Quicker", [("side", Side), ("choice", int)])
Padding = NamedTuple("Padding", [("cards", Sequence[str]), ("columns", int)])
Deal = NamedTuple("Deal", [("columns", int), ("depth", int), ("reserve", int)])
Field = NamedTuple("Field", [("columns", Sequence[Sequence[str]]), ("reserve", int), ("discard", int)])
AmbushTake = NamedTuple("AmbushTake", [("who", str), ("card", str), ("column", int)])
AmbushAdd = NamedTuple("AmbushAdd", [("who", str), ("card", str), ("column", int)])
Reshuffle = NamedTuple("Reshuffle", [("cards", int)])
Deepened = NamedTuple("Deepened", [("cards", int)])
Bottom = NamedTuple("Bottom", [("move", str), ("cost", int), ("cards", Sequence[str])])
Higher = NamedTuple("Higher", [("move", str), ("cost", int), ("cards", Sequence[str])])
Pair = NamedTuple("Pair", [("move", str), ("cost", int), ("cards", Sequence[str])])
Add = NamedTuple("Add", [("move", str), ("cost", int), ("cards", Sequence[str]), ("column", int)])
Opens = NamedTuple("Opens", [("normals", int), ("criticals", int)])
NoMove = NamedTuple("NoMove", [("side", Side)])
MoreMoves = NamedTuple("MoreMoves", [("count", int), ("side", Side)])
Columns = NamedTuple(
    "Columns", [("base", int), ("allies", int), ("surprise", int), ("choice", int), ("width", int), ("padding", int)]
)
Move = NamedTuple("Move", [
    ("move", str), ("cards", Sequence[str]), ("cost", int), ("normals", int), ("criticals", int)
])  # fmt: skip
Purse = NamedTuple("Purse", [("who", str), ("points", int), ("free", int), ("normals", int), ("criticals", int)])
SpellLeft = NamedTuple("SpellLeft", [("who", str), ("casting", Literal["casting", "suspended", "done", "due"])])
Next = NamedTuple("Next", [("who", str), ("initiative", int)])
RoundOver = NamedTuple("RoundOver", [("resequenced", bool)])
TurnEnds = NamedTuple("TurnEnds", [("who", str), ("points", int), ("free", int), ("normals", int), ("criticals", int)])
Withstood = NamedTuple(
    "Withstood", [("target", str), ("hits", int), ("threshold", int), ("parts", fight.Threshold), ("by", str)]
)
Through = NamedTuple(
    "Through", [("target", str), ("hits", int), ("threshold", int), ("parts", fight.Threshold), ("by", str)]
)
Damage = NamedTuple("Damage", [("who", str), ("damage", int), ("hp", int)])
Down = NamedTuple("Down", [("who", str)])
Heal = NamedTuple("Heal", [("who", str), ("amount", int), ("hp", int)])
Abandoned = NamedTuple("Abandoned", [("who", str)])
Casting = NamedTuple("Casting", [("who", str)])
Cast = NamedTuple("Cast", [("who", str)])
SpellWorks = NamedTuple("SpellWorks", [("who", str)])
Spell = NamedTuple("Spell", [("who", str), ("target", str), ("hits", int)])
Acts = NamedTuple("Acts", [("who", str), ("act", str)])
Sooner = NamedTuple("Sooner", [("who", str), ("sooner", Sequence[str])])
Surprise = NamedTuple("Surprise", [("who", str), ("target", str)])
Opportunity = NamedTuple("Opportunity", [("who", str), ("target", str)])
Points = NamedTuple("Points", [
    ("who", str), ("uses", Literal["strength", "dexterity", "bonus", "challenge"]), ("parts", fight.Points),
    ("reach", Sequence[str]), ("points", int), ("paid", int), ("free", int), ("seconds", int)
])  # fmt: skip
Attack = NamedTuple("Attack", [("who", str), ("target", str), ("critical", bool), ("cost", int), ("hits", int)])
Aims = NamedTuple("Aims", [("who", str), ("critical", bool)])
Threshold = NamedTuple("Threshold", [
    ("target", str), ("attacker", str), ("bonus", int), ("parts", fight.Threshold), ("threshold", int), ("hits", int),
    ("weak", str), ("damage", str | None), ("cost", int)
])  # fmt: skip
Reflex = NamedTuple("Reflex", [("who", str), ("price", int), ("success", bool), ("cover", bool), ("acted", bool)])

FieldFact = (
    Join | Leave | Total | NoRoll | Late | Order | Hold | Raised | Resequenced | Unmoved | Round | TieUp | TieDown
    | Quicker | Padding | Deal | Field | AmbushTake | AmbushAdd | Reshuffle | Deepened | Bottom | Higher | Pair | Add
    | Opens | NoMove | Columns | Move | Purse | SpellLeft | TurnEnds | Withstood | Through | Damage | Down | Heal
    | Abandoned | Casting | Cast | SpellWorks | Spell | Acts | Sooner | Surprise | Opportunity | Points | Attack | Aims
    | Threshold | Reflex | MoreMoves | Next | RoundOver
)  # fmt: skip
FieldEntry = Entry[FieldFact]
