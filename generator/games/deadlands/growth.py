"""Books, experience and advances (rulings D19, D20, D22, D23)."""

from typing import cast

from msgspec.structs import asdict

from generator.base.dice import Dice
from generator.base.errors import HackjackError, UsageError, did_you_mean
from generator.base.fields import MAX_HELD
from generator.games.deadlands import log as said
from generator.games.deadlands.state import Kind, Token, rank_row, read_die, with_xp
from generator.games.deadlands.table import TraitsTable


def study_book(table: TraitsTable) -> None:
    """Study a book: its time less one roll of the Smarts die, which does not ace; then its benefit (D20)."""
    written, word = table.event.words
    baseline, die = int(written), table.die(word)
    if baseline < 1:
        raise UsageError("a book takes 1 hour or more: write the time that it names")
    _check_prerequisite(table)
    # A book's benefit has to fit the character before anybody sits down with it.
    bonus, trait = table.event.number("bonus", 0), table.event.get("trait") or ""
    if trait and not table.event.get("bonus"):
        raise UsageError("trait= says what a kicker is for: write bonus=1 too")
    skill = table.event.get("skill")
    if skill in table.state.traits:
        raise HackjackError(f"the character has {skill} already, at {table.state.traits[str(skill)]}")
    rolled = table.face(die, "Smarts, without a wild die")
    time = time_of_study(table, baseline, rolled)
    unit = table.event.get("unit") or "hour"
    table.note(said.Book(baseline, rolled, time, unit, table.event.get("language") or ""), "D20")
    if bonus:
        kicker = Token("kicker", f"{trait or 'book'} +{bonus}", bonus=bonus, trait=trait)
        table.give(kicker)
        table.note(said.Award(asdict(kicker)), "D11")
    if skill:
        _new_skill(table, skill, table.numbers.new_skill, "D20")
    table.ended(f"{time} {unit}{'' if time == 1 else 's'}", total=time)


def time_of_study(table: TraitsTable, baseline: int, rolled: int) -> int:
    """Return the baseline less the roll, and no less than a short book takes (D20)."""
    return max(baseline - rolled, 0 if table.plays("short_books", "none_left") else 1)


def _check_prerequisite(table: TraitsTable) -> None:
    """Raise an error if the character lacks the trait that the book asks for (D20)."""
    name, least = table.event.get("prerequisite"), table.event.get("least")
    if least and not name:
        raise UsageError(f"least={least} of what? write prerequisite=TRAIT too")
    if not name:
        return
    die = table.state.traits.get(name)
    least_die = table.die(least) if least else table.numbers.ladder[0]
    if die is None or read_die(die, table.system, name).faces < least_die.faces:
        has = f"{name} {die}" if die else f"no {name}"
        raise HackjackError(f"this book asks for {name} {least_die.spoken}, and the character has {has}")


def add_experience(table: TraitsTable) -> None:
    """Add experience points; every so many are an advance (D19, D23)."""
    before = table.state
    xp = before.xp + int(table.event.words[0])
    if xp > MAX_HELD:
        raise HackjackError(f"{xp:,} XP is over the limit of {MAX_HELD:,}")
    table.change(xp=xp)
    table.state = with_xp(table.state, xp, table.system)
    state = table.state
    table.note(said.Xp(xp, state.rank, state.grit, _advances(table)), "D19")
    if state.rank != before.rank:
        table.note(said.Rank(state.rank, state.grit), "D19")


def _advances(table: TraitsTable) -> int:
    return table.state.xp // table.numbers.advance_points - table.state.spent


def improve_attribute(table: TraitsTable) -> None:
    """Raise an attribute by a die: once a rank for one advance, else for two (D23)."""
    name, state = table.event.words[0], table.state
    if name not in table.numbers.attributes:
        hint = did_you_mean(name, table.numbers.attributes)
        raise HackjackError(f'"{name}" is not an attribute{hint}')
    die = table.die(name)
    higher = table.die_steps_away(die, 1)
    if higher is None:
        raise HackjackError(f"{name} is {die.spoken} already: there is no higher die")
    rank = rank_row(state.xp, table.system).name or ""
    cost = table.numbers.saved_advances if rank in state.raised else 1
    if _advances(table) < cost:
        why = f"{name} has been paid for at this rank: it takes {cost}" if cost > 1 else "it takes 1"
        raise HackjackError(f"{_advances(table)} advances are left, and {why}")
    traits = {**state.traits, name: higher.spoken}
    raised = state.raised if rank in state.raised else (*state.raised, rank)
    table.change(traits=traits, spent=state.spent + cost, raised=raised)
    table.note(said.Improved(name, higher.spoken, cost, _advances(table)), "D23")


def learn_skill(table: TraitsTable) -> None:
    """Learn a skill for an advance; a Knowledge related to a good one begins higher (D22)."""
    name, related = table.event.words[0], table.event.get("related")
    state, numbers = table.state, table.numbers
    die = numbers.new_skill
    if related:
        old = table.die(related)
        if old.faces < numbers.related_from.faces:
            least = numbers.related_from.spoken
            raise HackjackError(f"{related} is {old.spoken}: only {least} or better lifts a related Knowledge")
        die = numbers.related_skill
    if _advances(table) < 1:
        raise HackjackError("no advance is left for a new skill")
    _new_skill(table, name, die, "D22", related=related or "")
    table.change(spent=state.spent + 1)


def grant_skill(table: TraitsTable) -> None:
    """Grant the skill after a raise with coins (D5)."""
    if not table.state.earned:
        raise HackjackError("a skill is granted after a raise with coins, and the last ones showed none")
    _new_skill(table, table.event.words[0], table.numbers.new_skill, "D5")
    table.change(earned=False)


def _new_skill(table: TraitsTable, name: str, die: Dice, why: str, related: str = "") -> None:
    """Add a new skill. Raises HackjackError if the character has it."""
    if name in table.state.traits:
        raise HackjackError(f"the character has {name} already, at {table.state.traits[name]}")
    table.gain_trait(name, die)
    table.note(said.Learned(name, die.spoken, related), why)


def spend_advance(table: TraitsTable) -> None:
    """Spend an advance on something of the rulebook, such as an Edge (D23)."""
    if _advances(table) < 1:
        raise HackjackError("no advance is left to spend")
    table.change(spent=table.state.spent + 1)
    table.note(said.Spent(table.event.words[0], _advances(table)), "D23")


def set_spent_advances(table: TraitsTable) -> None:
    """Set the advances spent before the program knew the character (D23)."""
    spent, state = int(table.event.words[0]), table.state
    earned = state.xp // table.numbers.advance_points
    if spent > earned:
        raise HackjackError(f"{state.xp} XP are {earned} advances: {spent} cannot have been spent of them")
    rank = rank_row(state.xp, table.system).name or ""
    raised = tuple(name for name in state.raised if name != rank)
    if table.event.says("raised", rank in state.raised):
        raised = (*raised, rank)
    table.change(spent=spent, raised=raised)
    table.note(said.SpentBefore(spent, _advances(table), rank in raised, rank), "D23")


def set_trait(table: TraitsTable) -> None:
    """Set a trait's die."""
    name, written = table.event.words
    die = read_die(written, table.system, name)
    table.gain_trait(name, die)
    table.note(said.Has(name, die.spoken))


def set_kind(table: TraitsTable) -> None:
    """Make the character a Wild Card, a Face Card or an Extra, with wound levels (D18)."""
    kind = cast(Kind, table.event.words[0])
    levels = table.event.number("levels", 1 if kind == "extra" else table.numbers.levels)
    chips = table.state.chips if kind == "wild_card" else None
    table.change(kind=kind, levels=levels, wounds=min(table.state.wounds, levels), chips=chips)
    table.note(said.Is(kind, levels), "D18")
