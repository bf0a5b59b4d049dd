"""What luck will bring in a fight: the next card of the pool (F10), who acts first (F1, F2), what blows do (F13, F20).

Exact, from the engine's own ways: every card that may come, every roll of two dice, every sum of damage.
"""

from fractions import Fraction
from typing import NamedTuple

from generator.base.cards import rank_of, suit_of
from generator.base.errors import HackjackError
from generator.games.fiftytwo.fight import field_rules, gives_way, hit_threshold
from generator.games.fiftytwo.order import break_ties, initiative_die, readiness
from generator.games.fiftytwo.state import FieldState, Fighter, Roster
from generator.model.rules import System
from generator.play.chance import Given, NeedsError
from generator.play.every_way import spend_work
from generator.words.chances import summed_weights

MAX_BLOWS = 60
MAX_SUMS = 400_000
"""So many sums of damage and HP are added up; what needs more is refused."""


def next_card_odds(state: FieldState, at: int) -> tuple[Fraction, Fraction, list[str], int]:
    """Return the chances that the next card on a column makes a pair and that it follows the suit below it, the cards
    that make a pair, and the size of the pool (the discards if the pool is empty). Raises HackjackError.
    """
    pool = state.reserve or state.discard
    if not pool:
        raise HackjackError("there is no card left to add: the pool and the discards are empty")
    column = state.columns[at]
    sides = [state.columns[side] for side in (at - 1, at + 1) if 0 <= side < len(state.columns)]
    near = {rank_of(card) for card in (*(side[len(column)] for side in sides if len(column) < len(side)), *column[-1:])}
    pairing = [code for code in pool if rank_of(code) in near]
    following = sum(1 for code in pool if column and suit_of(column[-1]) == suit_of(code))
    return Fraction(len(pairing), len(pool)), Fraction(following, len(pool)), pairing, len(pool)


def chance_to_act_first(system: System, state: FieldState, one: Fighter, other: Fighter) -> Fraction:
    """Return the chance that somebody acts before somebody else, whatever the others roll.

    The higher total acts first, and a tie is broken between those two alone: a tie that is made on the way
    down goes to the higher total again. A roll-off is won by either with the same chance.
    """
    roster, die = Roster(system, state), initiative_die(system).chances()
    rolls = (roster[fighter.name].initiative.roll for fighter in (one, other))
    own, others = ({roll: Fraction(1)} if roll else die for roll in rolls)
    share = Fraction(0)
    for rolled, chance in own.items():
        for against, less in others.items():
            two = (_after(one, roster, rolled), _after(other, roster, against))
            share += chance * less * _before(two, roster, system)
    return share


def _after(fighter: Fighter, roster: Roster, rolled: int) -> Fighter:
    total = sum(readiness(roster[fighter.name])) + rolled
    return Fighter(name=fighter.name, hp=fighter.hp, roll=rolled, total=total)


def _before(two: tuple[Fighter, Fighter], roster: Roster, system: System) -> Fraction:
    """Return 1 if the first of two acts first, 0 if the second does, 1/2 if they roll off."""
    try:
        slots, _ = break_ties(two, roster, system, Given())
    except NeedsError:
        return Fraction(1, 2)
    return Fraction(int(slots[two[0].name] > slots[two[1].name]))


class Blows(NamedTuple):
    """Attacks in a row: the threshold, what one that gets through does, and the chance to be down after each."""

    threshold: int
    damage: dict[int, Fraction]
    down_by: tuple[Fraction, ...]


def attack_odds(
    system: System, state: FieldState, attacker: Fighter, target: Fighter, *, critical: bool, count: int
) -> Blows:
    """So many attacks of one kind on a target as it stands (F13, F20). Raises HackjackError where they are too many."""
    if not 1 <= count <= MAX_BLOWS:
        raise HackjackError(f"ask for 1 to {MAX_BLOWS} attacks in a row, not {count:,}")
    if target.hp <= 0:
        raise HackjackError(f"{target.name} is down already")
    roster = Roster(system, state)
    person, struck = roster[attacker.name], roster[target.name]
    damage = {0: Fraction(1)}
    for dice in person.critical if critical else person.normal:
        damage = _added(damage, dice.chances())
    needed = hit_threshold(struck, person.weapon.bonus, system).total
    lost, hits, down, down_by = {0: Fraction(1)}, target.hits, Fraction(0), []
    # Damage is never less than 0, as the engine rolls it.
    done = summed_weights((max(amount, 0), chance) for amount, chance in damage.items())
    if (sums := len(done) * min(target.hp, len(done) * count) * count) > MAX_SUMS:
        raise HackjackError(f"that takes {sums:,} sums; the limit is {MAX_SUMS:,}: ask for fewer attacks in a row")
    for _ in range(count):
        hits += field_rules(system).critical_hits if critical else 1
        if gives_way(hits, needed, system):
            hits, spread = 0, _added(lost, done)
            down += sum((chance for total, chance in spread.items() if total >= target.hp), Fraction(0))
            lost = {total: chance for total, chance in spread.items() if total < target.hp}
        down_by.append(down)
    return Blows(needed, done, tuple(down_by))


def _added(one: dict[int, Fraction], other: dict[int, Fraction]) -> dict[int, Fraction]:
    """Return the chances of a sum. Raises HackjackError where it has too many ways."""
    if len(one) * len(other) > MAX_SUMS:
        raise HackjackError(f"the damage has {len(one):,} times {len(other):,} sums; the limit is {MAX_SUMS:,}")
    spend_work(len(one) * len(other) // 3)
    return summed_weights(
        (left + right, chance * more) for left, chance in one.items() for right, more in other.items()
    )
