"""What can happen to a character under severity tables, as facts of the log."""

from __future__ import annotations

from typing import NamedTuple

from generator.games.glog.state import Kind
from generator.play.log import EffectFact

Hit = NamedTuple("Hit", [("damage", int), ("hp", int), ("lethal", int)])
Dies = NamedTuple("Dies", [("who", Kind), ("hp", int)])
Severity = NamedTuple("Severity", [("die", int), ("lethal", int), ("injuries", int), ("severity", int)])
Row = NamedTuple("Row", [("table", str), ("at", str), ("column", str), ("name", str)])
Nothing = NamedTuple("Nothing", [("says", str)])
Remark = NamedTuple("Remark", [("says", str)])
Later = NamedTuple("Later", [("condition", str), ("after", str)])
Owed = NamedTuple("Owed", [("of", str), ("place", str)])
Horror = NamedTuple("Horror", [("points", int), ("gained", int), ("seen", bool), ("trauma", int)])
Nerve = NamedTuple("Nerve", [("die", str), ("rolled", int), ("trauma", int), ("breaks", bool)])
Breakdown = NamedTuple("Breakdown", [("name", str), ("rounds", int), ("more", str)])
BreakdownOver = NamedTuple("BreakdownOver", [("name", str)])
Mad = NamedTuple("Mad", [("name", str), ("detail", str), ("more", str)])
Rounds = NamedTuple("Rounds", [("rounds", int)])
DyingRounds = NamedTuple("DyingRounds", [("rounds", int)])
Minutes = NamedTuple("Minutes", [("minutes", int)])
Hour = NamedTuple("Hour", [])
HourDecides = NamedTuple("HourDecides", [("die", str), ("rolled", int), ("upto", int), ("lives", bool)])
Days = NamedTuple("Days", [("days", int), ("day", int)])
Ends = NamedTuple("Ends", [("condition", str)])
Healed = NamedTuple("Healed", [("condition", str), ("place", str), ("day", int)])
Chance = NamedTuple("Chance", [("of", str), ("day", int)])
Relaxed = NamedTuple("Relaxed", [("points", int), ("trauma", int)])
Calm = NamedTuple("Calm", [("rounds", int)])
Treated = NamedTuple("Treated", [("condition", str), ("after", str)])
Stabilise = NamedTuple("Stabilise", [("die", str), ("rolled", int), ("target", int), ("rounds", int), ("stable", bool)])
Heal = NamedTuple("Heal", [("points", int), ("hp", int)])
HealedDying = NamedTuple("HealedDying", [])
Mended = NamedTuple("Mended", [("condition", str), ("place", str), ("off", int), ("days", int)])
Saved = NamedTuple("Saved", [("of", str), ("passed", bool)])
Recovered = NamedTuple("Recovered", [("condition", str)])
ChanceLost = NamedTuple("ChanceLost", [("condition", str), ("left", int)])

GlogFact = (
    Hit | Dies | Severity | Row | Nothing | Remark | Later | Owed | Horror | Nerve | Breakdown | BreakdownOver | Mad
    | Rounds | DyingRounds | Minutes | Hour | HourDecides | Days | Ends | Healed | Chance | Relaxed | Calm | Treated
    | Stabilise | Heal | HealedDying | Mended | Saved | Recovered | ChanceLost | EffectFact
)  # fmt: skip
