"""Wounds, incapacitation, injury, soaking and healing (rulings D13-D18, D28, D29)."""

from collections.abc import Iterable

from msgspec.structs import asdict, replace

from generator.base.dice import Dice
from generator.base.errors import HackjackError, UsageError
from generator.games.deadlands import log as said
from generator.games.deadlands.dice import Result
from generator.games.deadlands.events import COIN, TraitsEvent
from generator.games.deadlands.rolls import in_new_round
from generator.games.deadlands.state import MAX_THINGS, STANDINGS, Fresh, Injury, Standing, TraitsState
from generator.games.deadlands.table import TraitsTable, TraitThrow
from generator.model.rules import Again, AnyEffect, Lose, Row, Spare, System

FALLEN: dict[str, said.Fallen] = {
    "dead": "dead",
    "bleeding out": "bleeding",
    "unconscious": "unconscious",
    "in the fight": "up",
}
"""What the incapacitation table may say under `then`."""
VIGOR = "vigor"
MAX_DRAWN = 100
"""So many cards may be drawn for one injury, where cards lead on to others."""
INJURIES = ("none", "temporary", "permanent")
"""What it may say under `injury`."""
_FOR_THE_DEAD = ("is", "drop", "die")
"""What may still happen when a character is dead; `die` says so itself."""
_ROLLS = ("trait", "fate")
_DOING = (
    *_ROLLS,
    *("unskilled", "contested", "knowledge", "guts", "fear", "recover", "serial", "compound", "attempts", "attempt"),
    *("action", "burn", "hole", "marker", "book"),
)
"""What somebody does who is on their feet (D28)."""


def refuse_the_fallen(system: System, state: TraitsState, event: TraitsEvent) -> None:
    """Raise HackjackError for an event in which the dead or fallen take no part; the fallen roll only Vigor."""
    if state.standing == "dead" and event.name not in _FOR_THE_DEAD:
        raise HackjackError("the character is dead: nothing more happens to them")
    if state.standing == "up" or event.name not in _DOING or system.setting("fallen") == "may_act":
        return
    if event.name not in _ROLLS or event.words[0] != VIGOR:
        why = f"the character is {STANDINGS[state.standing]} and does nothing"
        raise HackjackError(f"{why}: of all rolls only Vigor is made, as in trait vigor")


def incapacitation_row(result: Result, system: System) -> Row:
    """Return the row of the incapacitation table for a result (D13). Raises HackjackError where the table lacks it."""
    table, name = system.table("incapacitation"), result.replace("_", " ")
    row = table.named(name) if table else None
    if row is None or row.cells.get("then") not in FALLEN or row.cells.get("injury") not in INJURIES:
        columns = f'under "then" {", ".join(FALLEN)}, under "injury" {", ".join(INJURIES)}'
        raise HackjackError(f"{system.head.id}: the table incapacitation needs a row {name}: {columns}")
    return row


def soaked_count(steps: int, wounds: int, free: int) -> int:
    """Return how many wounds go: those that the chip takes off, and one for the success and each raise (D16)."""
    return min(wounds, free + steps)


def take_wounds(table: TraitsTable) -> None:
    """Take wound levels (D18)."""
    _refuse_the_fallen(table)
    _take(table, int(table.event.words[0]))


def soak_wounds(table: TraitsTable) -> None:
    """Take the first level off for a chip or charm, more by Vigor; the character takes the rest (D16).

    The wounds are about to be taken; or, where no number is said, they were just taken, and what is soaked goes back.
    """
    _refuse_the_fallen(table)
    wounds, fresh = wounds_to_soak(table), table.state.fresh
    pay_for_soaking(table)
    if len(table.event.words) == 1 and fresh is not None:
        before = {name: value for name, value in asdict(fresh).items() if name != "taken"}
        table.change(**before, standing="up", fresh=None)
    elif fresh is not None:
        table.note(said.Further(fresh.taken), "D16")
    free = min(wounds, soaked_at_once(table))
    table.note(said.Soak(free, wounds), "D16")
    verdict = table.roll(table.plan(table.event.words[0], table.numbers.soak_target))
    gone = soaked_count(verdict.steps, wounds, free)
    table.note(said.Soaked(gone, wounds - gone), "D16")
    if wounds > gone:
        _take(table, wounds - gone)
    table.change(fresh=None)


def wounds_to_soak(table: TraitsTable) -> int:
    """Return the wounds to soak: as typed, or those just taken. Raises UsageError if there are none."""
    _, *written = table.event.words
    wounds = int(written[0]) if written else table.state.fresh.taken if table.state.fresh else 0
    if wounds < 1:
        raise UsageError(
            "soak needs the wounds that are about to be taken, 1 or more"
            + ("" if written else ": none was just taken that could still be soaked")
        )
    return wounds


def soaked_at_once(table: TraitsTable) -> int:
    """Return the wounds that go without a roll: those of the chip. A free roll may lack them (D16)."""
    paid = not table.event.says("free") or not table.plays("free_soak", "roll_alone")
    return table.numbers.soak_free if paid else 0


def pay_for_soaking(table: TraitsTable) -> None:
    """A Fate Chip, or the luck charm that the event names, unless the roll is free (D11, D16).

    Raises HackjackError where it cannot be paid for.
    """
    charm = table.event.get("charm")
    if table.event.says("free"):
        if charm:
            raise UsageError("a free soak roll needs no charm: leave charm or free out")
        table.note(said.PlainFact.FREE_SOAK, "D16")
        return
    if charm and table.state.kind != "wild_card":
        raise HackjackError("a luck charm is a Fate Chip, and only Wild Cards use those")
    if charm:
        token = table.token("charm", charm)
        if token.trait not in ("", "soak"):
            raise HackjackError(f'the charm "{token.name}" is for {token.trait}, not for soaking')
        table.note(said.Charm(token.name), "D11")
        table.spend_token(token)
    else:
        table.spend_chip("soaking")


def _refuse_the_fallen(table: TraitsTable) -> None:
    if table.state.standing not in ("up", "incapacitated"):
        raise HackjackError(f"the character is {STANDINGS[table.state.standing]}: more wounds change nothing")


def _take(table: TraitsTable, wounds: int) -> None:
    """Take fresh wounds: they make Shaken, and may be treated anew (D17, D18)."""
    state = table.state
    if wounds < 1:
        raise UsageError("a wound is 1 level or more")
    after = min(state.wounds + wounds, state.levels)
    untreated = {"healers": (), "tended": False, "healed": False, "late": False, "rested": False}
    fresh = Fresh(wounds, **{name: getattr(state, name) for name in ("wounds", "shaken", *untreated)})
    table.change(wounds=after, shaken=True, **untreated)
    # A second wound of somebody who lies there already cannot bring them back to their feet.
    table.change(fresh=fresh if state.standing == "up" else None)
    table.note(said.Wounds(wounds, after, state.levels), "D18")
    if state.kind == "extra" and after >= state.levels:
        table.change(standing="dead")
        table.note(said.Slain("extra"), "D18")
    elif state.wounds + wounds > state.levels:
        _fall(table)


def _fall(table: TraitsTable) -> None:
    """Incapacitate the character (D13); that slays a Face Card, unless a house rule has it roll Vigor (D18)."""
    if table.state.kind == "face_card" and not table.plays("face_cards", "roll_vigor"):
        table.change(standing="dead")
        table.note(said.Slain("face_card"), "D18")
        return
    table.change(standing="incapacitated")
    table.note(said.PlainFact.INCAPACITATED, "D13")


def set_wounds(table: TraitsTable) -> None:
    """Set the wound level, such as at the end of an earlier session (D18)."""
    wounds, state = int(table.event.words[0]), table.state
    if wounds > state.levels:
        raise HackjackError(f"the character has only {state.levels} wound levels, not {wounds}")
    table.change(wounds=wounds, fresh=None)
    if not wounds:
        table.change(healers=(), healed=False, late=False, rested=False)
    table.note(said.WoundsSet(wounds, state.levels), "D18")


def set_shaken(table: TraitsTable) -> None:
    """Make the character Shaken without a wound, or Shaken no more (D18)."""
    now = table.event.words != ("no",)
    table.change(shaken=now)
    table.note(said.PlainFact.SHAKEN if now else said.PlainFact.RECOVERED)


def roll_incapacitation(table: TraitsTable) -> None:
    """Roll Vigor for how bad it is, and draw the injury (D13, D14)."""
    state = table.state
    may_fall(table)
    word = table.event.words[0]
    verdict = table.roll(incapacitation_throw(table))
    row = incapacitation_row(verdict.result, table.system)
    standing = FALLEN[str(row.cells["then"])]
    table.note(said.Falls(verdict.result, standing, state.levels), "D13")
    table.change(standing=standing, wounds=state.levels, fresh=None)
    lasting = row.cells["injury"]
    if lasting != "none":
        _injure(table, permanent=lasting == "permanent", die=table.die(word), bleeding=standing == "bleeding")


def may_fall(table: TraitsTable) -> None:
    """Raise HackjackError if nothing is rolled for: an Extra is slain, and nobody falls twice (D13, D18)."""
    state = table.state
    if state.kind == "extra":
        raise HackjackError("an Extra is slain by a wound: it makes no such roll")
    if state.standing in ("bleeding", "unconscious"):
        raise HackjackError(f"the character is {STANDINGS[state.standing]} already: that roll has been made")


def incapacitation_throw(table: TraitsTable) -> TraitThrow:
    """Return the Vigor roll; Hard to Kill adds to it (D13, D24)."""
    hard = table.numbers.hard_to_kill if table.has_edge("hard") else 0
    return table.plan(table.event.words[0], extra=hard)


def kills(row: Row) -> bool:
    """Tell whether a row of the incapacitation table is death."""
    return FALLEN[str(row.cells["then"])] == "dead"


def survive(table: TraitsTable) -> None:
    """Stop the bleeding: the character lives, with the injury (D13)."""
    _recovers(table, "bleeding", "unconscious", said.PlainFact.SURVIVES)


def wake(table: TraitsTable) -> None:
    """Let the unconscious come to without a healer (D13)."""
    _recovers(table, "unconscious", "up", said.PlainFact.WAKES)


def _recovers(table: TraitsTable, before: Standing, after: Standing, fact: said.PlainFact) -> None:
    if table.state.standing != before:
        raise HackjackError(f"the character is {STANDINGS[table.state.standing]}, not {STANDINGS[before]}")
    table.change(standing=after)
    table.note(fact, "D13")


def die(table: TraitsTable) -> None:
    """Let the character die."""
    if table.state.standing == "dead":
        raise HackjackError("the character is dead already")
    table.change(standing="dead")
    table.note(said.PlainFact.DIES, "D13")


def draw_injury(table: TraitsTable) -> None:
    """Draw a card of the injury deck (D14); a temporary one lasts some days if the Vigor die is known (D15)."""
    words = table.event.words
    permanent = "permanent" in words
    dice = [word for word in words if word not in INJURIES[1:]]
    vigor = dice[0] if dice else _vigor_held(table)
    _injure(table, permanent=permanent, die=table.die(vigor) if vigor else None)


def _injure(table: TraitsTable, *, permanent: bool, die: Dice | None, bleeding: bool = False) -> None:
    waiting = [permanent]
    for _ in range(MAX_DRAWN):
        if not waiting:
            return
        waiting += _injure_once(table, waiting.pop(), die, bleeding)
    raise HackjackError(f"{MAX_DRAWN} cards are drawn for one injury, and each draws more: the deck needs fewer such")


def _injure_once(table: TraitsTable, permanent: bool, die: Dice | None, bleeding: bool) -> list[bool]:
    """Draw one injury card, and return for each card to draw in its place whether it is permanent."""
    code = table.card()
    if len(table.state.injuries) >= MAX_THINGS:
        raise HackjackError(f"this character already has {MAX_THINGS} injuries (the maximum): lift some first")
    days = None
    table.note(said.Injury(code, permanent, bleeding), "D14")
    card = table.system.cards.get(code)
    effects = () if card is None else card.for_good if permanent else card.effects
    if any(isinstance(effect, Spare) for effect in effects):
        table.note(said.Unhurt(code), "D14")
        return []
    again = next((effect for effect in effects if isinstance(effect, Again)), None)
    if again:
        return [permanent or again.permanent] * again.cards
    if not permanent and die is not None:
        days = max(0, table.numbers.injury_days - _vigor(table, die))
        table.note(said.Days(days, table.numbers.injury_days, die.spoken), "D15")
    table.change(injuries=(*table.state.injuries, Injury(code, permanent, days, _lost(table, code, effects))))
    return []


def _lost(table: TraitsTable, code: str, effects: Iterable[AnyEffect]) -> str:
    """Roll for which of several parts of the body is gone, and return its place; empty where no card asks for it."""
    for part in (table.system.head.parts[effect.part] for effect in effects if isinstance(effect, Lose)):
        if part.die:
            place = part.places[table.face(part.die, f"{code}: which {part.name}") - 1]
            place = place if part.name in place else f"{place} {part.name}"
            table.note(said.LostPart(code, part.name, place), "D14")
            return place
    return ""


def _vigor_held(table: TraitsTable) -> str | None:
    return VIGOR if VIGOR in table.state.traits else None


def _vigor(table: TraitsTable, die: Dice) -> int:
    """Roll the Vigor die once, without the wild die; it aces only under the other reading of D15."""
    face = table.face(die, "Vigor, how soon it heals")
    return face + (sum(table.aces(die, face, "Vigor")) if table.plays("injury_days", "acing") else 0)


def lift_injury(table: TraitsTable) -> None:
    """Lift an injury by greater healing or the Marshal's word (D15)."""
    code = table.event.words[0]
    lifted = next((injury for injury in table.state.injuries if injury.card == code), None)
    if lifted is None:
        borne = " ".join(injury.card for injury in table.state.injuries) or "none"
        raise HackjackError(f"the character has no injury {code}: there are {borne}")
    table.note(said.Mended(code), "D15")
    table.change(injuries=tuple(injury for injury in table.state.injuries if injury is not lifted))


def treat_wounds(table: TraitsTable) -> None:
    """Roll once for all the wounds: first aid in the golden hour, the power until natural healing (D17).

    A healer who is named rolls with their own modifiers, and pays for a second attempt out of their own chips.
    """
    state, healer = table.state, table.event.get("healer") or ""
    may_be_treated(table)
    others = tuple(name for name in state.healers if name != healer)
    if len(others) >= MAX_THINGS:
        raise HackjackError(f"{MAX_THINGS} healers have failed: that is the maximum")
    table.change(fresh=None, tended=True, healers=others)
    if has_other_healer(table):
        verdict = table.thrown(heal_throw(table))
        table.ended(verdict.result, verdict)
    else:
        verdict = table.roll(heal_throw(table))
    if not verdict.succeeds:
        table.change(healers=(*others, healer) if healer else others)
        table.note(said.Untreated(verdict.result == "critical_failure"), "D17")
        return
    if not state.wounds and state.standing == "up":
        # Somebody whose wounds the table keeps elsewhere: what the roll would heal.
        table.note(said.Treated(verdict.steps, None), "D17")
        return
    if stops_bleeding(table):
        table.change(standing="unconscious")
        table.note(said.PlainFact.SURVIVES, "D29")
        return
    mended = 0 if is_past_treatment(state) else min(state.wounds, verdict.steps)
    woken = state.standing == "unconscious"
    table.change(wounds=state.wounds - mended, healed=not state.rested, standing="up" if woken else state.standing)
    if not is_past_treatment(state):
        table.note(said.Treated(mended, state.wounds - mended), "D17")
    if woken:
        table.note(said.PlainFact.WAKES, "D13")


def may_be_treated(table: TraitsTable) -> None:
    """Raise HackjackError if these wounds may not be treated now, or not by this healer (D17)."""
    healer = table.event.get("healer") or ""
    _needs_incapacitation(table)
    if table.event.says("chip"):
        _may_roll_again(table, healer)
    else:
        _may_treat(table, healer, power=table.event.says("power"))


def is_past_treatment(state: TraitsState) -> bool:
    """Tell whether a treatment heals no wounds: one has succeeded, or natural healing has begun (D17)."""
    return state.healed or state.rested


def has_other_healer(table: TraitsTable) -> bool:
    """Tell whether another treats the character: a named healer, or anybody if the character lies there."""
    return (table.state.standing != "up" and not table.plays("fallen", "may_act")) or bool(table.event.get("healer"))


def stops_bleeding(table: TraitsTable) -> bool:
    """Tell whether a treatment that succeeds stops the bleeding, and does no more (D29)."""
    return table.state.standing == "bleeding" and not table.plays("bleeding", "wounds_first")


def _needs_incapacitation(table: TraitsTable) -> None:
    """Raise HackjackError if the incapacitation roll is still to be made (D28)."""
    if table.state.standing == "incapacitated" and not table.plays("fallen", "may_act"):
        raise HackjackError(
            "the character is incapacitated, and how badly is still open: incapacitation DIE comes first"
        )


def heal_throw(table: TraitsTable) -> TraitThrow:
    """Return the healer's roll. Without a healer's name the character treats themself (D17).

    Raises UsageError where what belongs to the character is to help a healer's roll.
    """
    word, event = table.event.words[0], table.event
    if not has_other_healer(table):
        return table.plan(word)
    if event.get("kicker"):
        raise UsageError("the kicker is the patient's: leave it out, and add the healer's own with mod=+1")
    joker = table.numbers.joker if event.says("joker") else 0
    mod, target = event.number("mod", 0) + joker, table.target()
    if word == COIN:
        return TraitThrow(table.numbers.coin, None, mod, target, word)
    if word in table.state.traits:
        raise UsageError(f"{word} is the patient's: write the healer's die, such as heal d8 healer=NAME")
    return TraitThrow(table.die(word), table.wild_of("wild_card"), mod, target, word)


def _may_roll_again(table: TraitsTable, healer: str) -> None:
    """Allow the same healer a second attempt for a chip, at once after a plain failure (D4, D17)."""
    if not healer:
        raise UsageError("chip=yes is for a named healer: healer=NAME; for the character's own chips you are asked")
    last = table.state.last
    if last is None or last.event != "heal" or healer not in table.state.healers[-1:]:
        raise HackjackError(f"{healer} has not just failed: a chip pays for a second attempt at once, or not at all")
    if last.result == "critical_failure":
        raise HackjackError("a critical failure is not rolled again, chip or no chip")
    if last.result != "failure":
        raise HackjackError("the treatment has succeeded: it is not rolled again")
    table.note(said.ChipUncounted(f"a second attempt of {healer}"), "D17")


def _may_treat(table: TraitsTable, healer: str, *, power: bool) -> None:
    state = table.state
    if state.rested and state.standing != "unconscious":
        raise HackjackError("a night has passed: until a fresh wound these wounds heal only by themselves, day by day")
    if state.healed and state.standing != "unconscious":
        raise HackjackError("these wounds have been healed as far as they can be: only a fresh wound is treated again")
    if state.tended:
        raise HackjackError("somebody has tried this round already: one attempt a round")
    if healer and healer in state.healers:
        raise HackjackError(f"{healer} has failed already: the same healer has no second try")
    if state.late and not power:
        after = "the Marshal's word (wake)" if state.standing == "unconscious" else "a new day"
        raise HackjackError(f"the golden hour is over: only the power of healing helps now (power=yes), or {after}")


def end_golden_hour(table: TraitsTable) -> None:
    """End the golden hour, and the round with it (D8, D17)."""
    table.state = replace(in_new_round(table.state), late=True)
    table.note(said.PlainFact.HOUR, "D17")


def play_day(table: TraitsTable) -> None:
    """Begin a day: the wounded roll Vigor, injuries are a day older (D15, D17)."""
    table.note(said.PlainFact.DAY, "D17")
    begin_day(table)
    if wounds := table.state.wounds:
        word = vigor_word(table)
        helped = _medicine(table)
        verdict = table.roll(table.plan(word, extra=helped))
        mended = min(wounds, verdict.steps)
        table.note(said.Natural(mended, wounds - mended), "D17")
        table.change(wounds=wounds - mended)
    _older(table)


def begin_day(table: TraitsTable) -> None:
    """End the round, so that no joker helps, and the time for treatment (D8, D17).

    Raises HackjackError for somebody who does not lie there until the morning like this (D28).
    """
    _needs_incapacitation(table)
    if table.state.standing == "bleeding" and not table.plays("fallen", "may_act"):
        raise HackjackError("the character is bleeding out, and not until the morning: survive or die comes first")
    table.state = replace(in_new_round(table.state), late=True, rested=table.state.wounds > 0)


def vigor_word(table: TraitsTable) -> str:
    """Return the Vigor die of a new day: as typed, otherwise the character's own. Raises UsageError."""
    word = table.event.words[0] if table.event.words else _vigor_held(table)
    if word is None:
        raise UsageError(f"the wounded roll Vigor: {table.event.name} DIE")
    return word


def _medicine(table: TraitsTable) -> int:
    """Return a practitioner's Medicine roll: +1 for the success and each raise (D17)."""
    written = table.event.get("medicine")
    if not written:
        return 0
    verdict = table.thrown(medicine_throw(table, written))
    table.note(said.Medicine(verdict.steps), "D17")
    return verdict.steps


def medicine_throw(table: TraitsTable, written: str) -> TraitThrow:
    """Return the practitioner's roll: theirs, so nothing that the character has modifies it."""
    return TraitThrow(table.die(written), table.numbers.wild, 0, table.numbers.target)


def _older(table: TraitsTable) -> None:
    """Take a day off each injury; one without days left is over (D15)."""
    kept = []
    for injury in table.state.injuries:
        if injury.days is None:
            kept.append(injury)
        elif injury.days > 1:
            kept.append(replace(injury, days=injury.days - 1))
        else:
            table.note(said.Over(injury.card), "D15")
    table.change(injuries=tuple(kept))
