"""Rolls and draws that settle something by themselves: traits, coins, contests, damage, Guts and fear, luck, fate and
action cards (D1-D10, D21, D24, D25, D27)."""

from collections.abc import Callable, Mapping

from msgspec.structs import replace

from generator.base.cards import is_joker
from generator.base.dice import Dice
from generator.base.errors import HackjackError
from generator.games.deadlands import log as said
from generator.games.deadlands.events import COIN
from generator.games.deadlands.fortune import fate_of, fortune_of
from generator.games.deadlands.state import TraitsState
from generator.games.deadlands.table import TraitsTable, TraitThrow
from generator.model.rules import Row, System


def roll_damage(table: TraitsTable) -> None:
    """Roll damage dice, which ace; after a critical success each begins at its most (D3, D8)."""
    dice, critical = Dice.parse(table.event.words[0]), table.event.says("critical")
    total = table.damage(dice, "damage", at_most=critical) + table.event.number("mod", 0) + table.joker
    table.note(said.Damage(dice.spoken, critical, total), "D3" if critical else "")
    table.ended("damage", total=total)


def roll_check(table: TraitsTable) -> None:
    """Roll a Guts check, with Grit, or a fear check, without it (D21)."""
    row = check_row(table.event.name, table.system)
    verdict = table.roll(check_throw(table))
    if not verdict.succeeds:
        table.note(said.Unnerved(table.event.name, str(row.cells.get("failure", ""))), "D21")
        if row.cells.get("failure") == "Shaken":
            table.change(shaken=True)


def check_row(name: str, system: System) -> Row:
    """Return the row of the table of checks for one. Raises HackjackError where it is missing."""
    table = system.table("checks")
    row = table.named(name) if table else None
    if row is None or row.cells.get("grit") not in ("added", "not added"):
        raise HackjackError(f'{system.head.id}: the table checks needs a row {name}: under "grit" added, or not added')
    return row


def check_throw(table: TraitsTable) -> TraitThrow:
    """Return the roll of a check, with Grit if it counts and the penalties of injuries (D14, D21)."""
    check = table.event.name
    grit = table.state.grit if check_row(check, table.system).cells.get("grit") == "added" else 0
    if grit:
        table.note(said.Grit(grit), "D21")
    return table.plan(table.event.words[0], extra=grit, check=check)


def roll_recovery(table: TraitsTable) -> None:
    """Roll to be Shaken no more. Combat Reflexes add Grit, but a natural one leaves the character Shaken (D24).

    Somebody who rolls is taken to be Shaken: without a state on file nobody has said so.
    """
    reflexes = table.event.says("reflexes")
    verdict = table.roll(recover_throw(table))
    natural = next(entry.fact.shows == 1 for entry in reversed(table.log) if isinstance(entry.fact, said.Roll))
    if verdict.succeeds and not (reflexes and natural):
        table.change(shaken=False)
        table.note(said.PlainFact.RECOVERED, "D24")
    else:
        table.note(said.StillShaken(reflexes and natural and verdict.succeeds), "D24")
        table.change(shaken=True)


def recover_throw(table: TraitsTable) -> TraitThrow:
    """Return the roll to recover; Combat Reflexes add Grit (D24)."""
    return table.plan(table.event.words[0], extra=table.state.grit if table.has_edge("reflexes") else 0)


def knowledge_throw(table: TraitsTable) -> TraitThrow:
    """Return the roll for a field near a known one, at a lower die (D22). Raises HackjackError if it is too far."""
    die = table.die(table.event.words[0])
    steps = table.event.number("steps", 1)
    lower = table.die_steps_away(die, -steps)
    if lower is None:
        lowest = table.numbers.ladder[0].spoken
        raise HackjackError(f"{die.spoken} less {steps} steps is below {lowest}: this field is too far away")
    table.note(said.Nearby(die.spoken, lower.spoken), "D22")
    return table.plan(table.event.words[0], die=lower)


THROWS: Mapping[str, Callable[[TraitsTable], TraitThrow]] = {
    "trait": lambda table: table.plan(table.event.words[0]),
    "unskilled": lambda table: table.plan(COIN),
    "contested": lambda table: table.plan(table.event.words[0], table.die(table.event.words[1]).faces),
    "guts": check_throw,
    "fear": check_throw,
    "knowledge": knowledge_throw,
}
"""What is rolled at the events whose odds are those of one roll; a contest is against the other side's die (D7)."""


def draw_luck(table: TraitsTable) -> None:
    """Make a luck draw (D9)."""
    words, code = table.event.words, table.card()
    fortune = fortune_of(code, words)
    table.note(said.Luck(code, list(words), fortune), "D9")
    table.ended(fortune)


def draw_fate(table: TraitsTable) -> None:
    """Roll a trait against a card; a joker decides without a roll (D10)."""
    code = table.card()
    fate = fate_of(code, table.system)
    table.note(said.Fate(code, fate), "D10")
    if isinstance(fate, int):
        table.roll(table.plan(table.event.words[0], fate))
    else:
        # Without dice there are neither boxcars nor snake-eyes.
        table.ended("critical_success" if fate == "critical success" else "critical_failure")


def draw_action(table: TraitsTable) -> None:
    """Draw the action card of this round; a joker adds to everything in it (D8)."""
    code = table.chance.card(table.action_deck())
    table.change(action=code, dealt=() if table.plays("action_cards", "full_deck") else (*table.state.dealt, code))
    table.note(said.Action(code), "D8" if is_joker(code) else "")
    if is_joker(code):
        table.note(said.Joker(table.numbers.joker, code == "BJ"), "D8")


def play_burn_card(table: TraitsTable) -> None:
    """Play a burn card in place of the action card (D11)."""
    token = table.token("burn", table.event.words[0])
    table.note(said.Burn(token.name, token.card, token.says, table.state.action), "D11")
    table.spend_token(token)
    table.change(action=token.card)


def begin_new_round(table: TraitsTable) -> None:
    """Put the action card away and allow treatment again (D8, D17)."""
    table.note(said.Round(bool(table.event.words)), "D8")
    table.state = in_new_round(table.state)


def in_new_round(state: TraitsState) -> TraitsState:
    """Return a character when a new round begins: fresh wounds are soaked at once or not at all (D8, D16, D17, D27)."""
    return replace(state, action=None, dealt=(), tended=False, fresh=None)
