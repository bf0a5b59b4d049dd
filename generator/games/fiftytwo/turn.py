"""One combatant's turn: points, moves on the field, attacks, and everything else that a point buys (rulings F7-F16)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from msgspec.structs import replace

from generator.base.dice import Dice
from generator.base.errors import HackjackError, UsageError
from generator.base.fields import MAX_HELD
from generator.base.text_input import read_number
from generator.games.fiftytwo import cards as field_cards
from generator.games.fiftytwo import log as said
from generator.games.fiftytwo import order, table
from generator.games.fiftytwo.cards import FieldMove
from generator.games.fiftytwo.fight import (
    ACTION_ROWS,
    action_cost,
    action_points,
    attack_cost,
    decision_seconds,
    field_rules,
    gives_way,
    hit_threshold,
)
from generator.games.fiftytwo.lines import next_round, points_and_free
from generator.games.fiftytwo.state import FieldState, Fighter, Roster, Turn, column_depth, other_side
from generator.games.fiftytwo.table import Fight
from generator.model.combatants import Combatant, Side
from generator.model.rules import System
from generator.play.chance import RollNeed
from generator.play.event_spec import ArgumentSpec, Values

MAX_DAMAGE = 10_000
MAX_TARGETS = 20
NOBODY = "nobody"
"""The word for no opponent in reach."""
SOMEBODY = "somebody"
"""The target of an attack that the game master has yet to name: players are not told who their foes are."""


def begin_turn(fight: Fight, values: Values | None = None) -> None:
    """Begin a turn with its points (F7). A turn that is still running ends, and its rest is lost.

    `values` replace those of the event: who has the turn, those in reach, what the GM adds, the side.
    """
    values = fight.values if values is None else values
    close_turn(fight)
    state = fight.state
    due, fighter = order.next_up(state), _meant(state, values.get("who", ""))
    table.refuse_the_down(fighter)
    if state.round and fighter.initiative is not None and (due is None or due.name != fighter.name):
        why = f"{due.name} acts next" if due else f"everybody has acted: {next_round(state.resequenced)}"
        raise HackjackError(f"it is not the turn of {fighter.name}: {why}")
    turn, fact = _counted_turn(fight, fighter, values)
    casting = "due" if fighter.casting == "done" else fighter.casting
    fight.alter(fighter.name, owed=fighter.owed - turn.paid, casting=casting)
    fight.change(turn=turn)
    fight.note(fact, "F7")
    _tell_spell(fight, fighter.name)


def tell_points(fight: Fight) -> None:
    """Log the points that a fighter has, or would have in a turn; change nothing. Raises HackjackError."""
    turn, values = fight.state.turn, fight.values
    name = values.get("who", "")
    fighter = fight.state.find(turn.who) if turn and not name else _meant(fight.state, name)
    more = values.get("reach") is not None or values.get("circumstance") or values.get("acting")
    if turn and turn.who == fighter.name and not more:
        fight.note(said.Purse(turn.who, turn.points, turn.free, turn.normals, turn.criticals), "F7")
    else:
        fight.note(_counted_turn(fight, fighter, values)[1], "F7")
    _tell_spell(fight, fighter.name)


def _meant(state: FieldState, name: str) -> Fighter:
    """Return the fighter of that name, or the next to act (empty name). Raises HackjackError."""
    if name:
        return state.find(name)
    if (due := order.next_up(state)) is None:
        raise HackjackError(
            f"everybody has acted: {next_round(state.resequenced)}"
            if state.round
            else "whose turn is it? name somebody"
        )
    return due


def _tell_spell(fight: Fight, name: str) -> None:
    """Log the spell that a fighter began before this turn (F23)."""
    if casting := fight.state.find(name).casting:
        fight.note(said.SpellLeft(name, casting), "F23")


def _counted_turn(fight: Fight, fighter: Fighter, values: Values) -> tuple[Turn, said.Points]:
    """Return a turn as it begins, and the sum of its points (F7)."""
    roster, system = fight.roster, fight.system
    person = roster[fighter.name]
    acting = values.get("acting") or person.side
    if acting == "enemies" and person.side == "allies":
        raise HackjackError(f"{person.name} is an ally: only an enemy can act as the other side")
    near = _in_reach(fight, person, acting, values.get("reach"))
    sums = action_points(person, [roster[opponent] for opponent in near], values.get("circumstance", 0), system)
    paid, free = min(fighter.owed, sums.total), field_rules(system).free_points
    turn = Turn(who=fighter.name, points=sums.total - paid, free=free, acting=acting, paid=paid)
    time = decision_seconds(person.side, len(roster.side("allies")), len(roster.side("enemies")), system)
    return turn, said.Points(fighter.name, person.uses, sums, near, turn.points, paid, free, time)


def _in_reach(fight: Fight, person: Combatant, acting: Side, reach: Sequence[str] | None) -> list[str]:
    """Return the names of the opponents in reach: those given, or those of the content who still stand."""
    state = fight.state
    if reach is None:
        standing = {fighter.name for fighter in state.fighters if fighter.hp > 0}
        return [name for name in person.reach if name in standing]
    if [name.casefold() for name in reach] == [NOBODY]:
        return []
    named = [state.find(name).name for name in reach]
    for name in named:
        if not _opposed(person, acting, fight.roster[name]):
            raise HackjackError(f"{name} is not an opponent of {person.name}: only opponents in reach count")
    return list(dict.fromkeys(named))


def _opposed(person: Combatant, acting: Side, target: Combatant) -> bool:
    """Tell whether a combatant may attack a target: of the other side, or an enemy if they act as an ally."""
    return target.side == other_side(acting) and target.name != person.name


def close_turn(fight: Fight) -> None:
    """End the running turn, if any; unspent points and unused attacks are lost (F28)."""
    if turn := fight.state.turn:
        fight.alter(turn.who, acted=True)
        fight.change(turn=None)
        fight.note(said.TurnEnds(turn.who, turn.points, turn.free, turn.normals, turn.criticals), "F28")


def end_turn(fight: Fight) -> None:
    """End the turn and name the next fighter. Raises HackjackError if nobody has the turn."""
    if fight.state.turn is None:
        raise HackjackError("nobody has the turn: there is nothing to end")
    close_turn(fight)
    if due := order.next_up(fight.state):
        fight.note(said.Next(due.name, due.initiative or 0), "F2")
    elif fight.state.round:
        fight.note(said.RoundOver(fight.state.resequenced))


def hold_turn(fight: Fight) -> None:
    """Move a fighter who waits to the next free slot below the one who acts next (F21)."""
    state, name = fight.state, fight.values.get("who", "")
    due = order.next_up(state)
    fighter = state.find(name) if name else due
    if fighter is None or due is None or due.name != fighter.name:
        raise HackjackError(
            f"{name or 'nobody'} can{'not' if name else ''} hold now{f': {due.name} acts next' if due else ''}"
        )
    owed = fighter.owed
    if state.turn and state.turn.who == fighter.name:
        if state.turn.spent:
            raise HackjackError(f"{fighter.name} has acted already: end the turn instead")
        owed += state.turn.paid
    waiting = (
        one for one in order.fighters_in_order(state) if not one.acted and one.hp > 0 and one.name != fighter.name
    )
    following = next(waiting, None)
    if following is None:
        raise HackjackError(f"nobody acts after {fighter.name}: there is nobody to wait for")
    slot = order.free_slot_below(state, fighter.name, (following.initiative or 0) - 1)
    fight.alter(fighter.name, initiative=slot, owed=owed)
    fight.change(turn=None)
    fight.note(said.Hold(fighter.name, fighter.initiative or 0, slot), "F21")


_CARD = ArgumentSpec("card", "text", sample="CARD", called="a card")
_TARGET = ArgumentSpec("target", "person", (SOMEBODY,), sample="TARGET")
HARM = ArgumentSpec("harm", "text", sample="TARGET DAMAGE ...", optional=True, many=True)
ACTS: Mapping[str, tuple[ArgumentSpec, ...]] = {
    "take": (_CARD,),
    "pair": (_CARD, replace(_CARD, name="other")),
    "add": (
        ArgumentSpec("column", "text", sample="COLUMN", called="a column"),
        ArgumentSpec("count", "number", most=6, default=1, optional=True),
    ),
    "attack": (_TARGET,),
    "critical": (_TARGET,),
    "move": (),
    "step": (),
    "spell": (replace(HARM, sample="done|TARGET DAMAGE ..."),),
    **dict.fromkeys(("suspend", "item", "ability", "raise", "other"), ()),
}
"""What `act` takes, and what follows each move."""


def act(fight: Fight) -> None:
    """Play one action of the running turn, or a move on the field without one. Raises HackjackError, UsageError."""
    name, turn, on_field = fight.values["move"], fight.state.turn, fight.values["move"] in ("take", "pair", "add")
    if turn is None and (not on_field or fight.state.round):
        raise HackjackError("nobody has the turn: begin one with turn")
    if turn and fight.state.find(turn.who).casting == "due":
        how = f"deliver {turn.who} TARGET DAMAGE, or deliver {turn.who} where it harms nobody"
        raise HackjackError(f"the spell of {turn.who} is due and works before anything else: {how}")
    if on_field:
        _on_field(fight, name, turn)
    elif turn and name in ("attack", "critical"):
        _attack(fight, name, turn)
    elif turn and name == "spell":
        _spell(fight, turn)
    elif turn:
        _plain(fight, name, turn)


def check_harm(words: Sequence[str], how: str) -> None:
    """Raise UsageError for bad damage after targets (`Evans 30 Esther 12`); `how` is the usage to show."""
    if len(words) % 2:
        raise UsageError(f"every target needs its damage: write {how}")
    if len(words) > 2 * MAX_TARGETS:
        raise UsageError(f"one spell strikes {MAX_TARGETS} at most")
    for word in words[1::2]:
        read_number("damage", word, 0, MAX_DAMAGE)


def _pay(fight: Fight, turn: Turn, price: int, what: str) -> Turn:
    """Pay a price, the free action first, and return the turn after it. Raises HackjackError if it is too much."""
    if price > turn.purse:
        raise HackjackError(f"{turn.who} has {points_and_free(turn.points, turn.free)} left, and {what} costs {price}")
    free = min(turn.free, price)
    turn = replace(turn, free=turn.free - free, points=turn.points - (price - free), spent=turn.spent + 1)
    fight.change(turn=turn)
    return turn


def _on_field(fight: Fight, name: str, turn: Turn | None) -> None:
    """Play take, pair or add (F8-F11)."""
    state, values = table.with_field(fight.state), fight.values
    acting = turn.acting if turn else ("enemies" if name == "add" else "allies")
    play = table.play_of(fight.system, state, acting, turn)
    # Taking is for those who attack enemies, adding for those who attack allies.
    if turn and name == "add" and acting == "allies":
        raise HackjackError(f"{turn.who} attacks enemies and adds no cards: take some, or take a pair")
    if turn and name == "take" and acting == "enemies":
        why = "take a pair, add a card, or begin the turn with acting=allies to attack another enemy"
        raise HackjackError(f"{turn.who} attacks allies and takes only pairs: {why}")
    if name == "add":
        count, left = values["count"], len(state.reserve) + len(state.discard)
        move = field_cards.add_move(state.columns, table.column_number(values["column"], state), count, play)
        if count > left:
            raise HackjackError(f"there are {left} cards left to add, not {count}")
    elif name == "pair":
        one, two = (field_cards.find_card(state.columns, values[key]) for key in ("card", "other"))
        move = field_cards.pair_move(state.columns, one, two, play)
    else:
        move = field_cards.take_move(state.columns, field_cards.find_card(state.columns, values["card"]), play)
    _make(fight, move, turn)


_TAKES: dict[str, tuple[type[said.Bottom | said.Higher | said.Pair], str]] = {
    "bottom": (said.Bottom, "F8"),
    "higher": (said.Higher, "F9"),
    "pair": (said.Pair, "F11"),
}


def _make(fight: Fight, move: FieldMove, turn: Turn | None) -> None:
    """Pay, make and log a move on the field, and open its attacks."""
    before = fight.state.columns
    words = table.move_as_typed(move, before)
    if turn:
        turn = _pay(fight, turn, move.cost, words)
        if move.kind in ("bottom", "higher") and fight.state.find(turn.who).casting == "casting":
            # Taking cards gives up a spell that is being cast, unless it was suspended (F12).
            fight.alter(turn.who, casting="")
            fight.note(said.Abandoned(turn.who), "F12")
    if move.kind == "add":
        drawn = [table.add_on_top(fight, place.column) for place in move.places]
        ruling = "F10"
        fight.note(said.Add(words, move.cost, drawn, move.places[0].column + 1), ruling)
    else:
        kind, ruling = _TAKES[move.kind]
        fight.note(kind(words, move.cost, table.cards_taken(move, before)), ruling)
        table.take_out(fight, move.places)
    fight.note(said.Opens(move.normals, move.criticals), ruling)
    if turn:
        turn = replace(turn, normals=turn.normals + move.normals, criticals=turn.criticals + move.criticals)
        if move.kind == "add":
            column = move.places[0].column + 1
            placed = {**turn.placed, str(column): turn.placed.get(str(column), 0) + len(move.places)}
            turn = replace(turn, placed=placed, filled=(*turn.filled, column) if move.criticals else turn.filled)
        fight.change(turn=turn)
    fight.show_field()


def _attack(fight: Fight, name: str, turn: Turn) -> None:
    """Make an attack that was opened: it succeeds, but the armour may take it (F12-F14)."""
    roster, critical = fight.roster, name == "critical"
    if not (turn.criticals if critical else turn.normals):
        what = "critical attack" if critical else "attack"
        raise HackjackError(f"no {what} is open: {turn.who} has to open one on the field first")
    if fight.values["target"] == SOMEBODY:
        if name not in [open_now for open_now, _, _ in open_attacks(fight.system, fight.state)]:
            raise HackjackError(
                f"{turn.who} has {points_and_free(turn.points, turn.free)} left: nobody can be attacked for that"
            )
        fight.change(turn=replace(turn, aims=name))
        fight.note(said.Aims(turn.who, critical), "F12")
        return
    attacker, target = roster[turn.who], fight.named("target")
    _check_target(fight, attacker, turn.acting, target)
    price = attack_cost(name, roster[target.name], attacker, fight.system)
    turn = _pay(fight, turn, price, f"{'a critical' if critical else 'an'} attack on {target.name}")
    opened = {"criticals": turn.criticals - 1} if critical else {"normals": turn.normals - 1}
    fight.change(turn=replace(turn, aims="", **opened))
    count = field_rules(fight.system).critical_hits if critical else 1
    fight.note(said.Attack(attacker.name, target.name, critical, price, count), "F12")
    _strike(fight, attacker, target, count, attacker.critical if critical else attacker.normal)


def open_attacks(system: System, state: FieldState) -> Iterator[tuple[Literal["attack", "critical"], str, int]]:
    """Yield the attacks that the running turn has opened and can pay: the move, the target, and the points."""
    turn, roster = state.turn, Roster(system, state)
    if turn is None:
        return
    attacker = roster[turn.who]
    opened: Mapping[Literal["attack", "critical"], int] = {"critical": turn.criticals, "attack": turn.normals}
    for name in (name for name, count in opened.items() if count):
        for target in state.fighters:
            price = attack_cost(name, roster[target.name], attacker, system)
            if target.hp > 0 and price <= turn.purse and _opposed(attacker, turn.acting, roster[target.name]):
                yield name, target.name, price


def _check_target(fight: Fight, attacker: Combatant, acting: Side, target: Fighter) -> None:
    if not _opposed(attacker, acting, fight.roster[target.name]):
        hint = "" if attacker.side == "allies" else "; begin the turn with acting=allies to attack another enemy"
        raise HackjackError(f"{attacker.name} cannot attack {target.name}: they are on the same side{hint}")
    if target.hp <= 0:
        raise HackjackError(f"{target.name} is down already")


def _strike(fight: Fight, attacker: Combatant, target: Fighter, count: int, blow: Sequence[Dice]) -> None:
    """Count an attack's hits on the armour: the one that reaches the threshold does harm and resets the count (F13)."""
    needed = hit_threshold(fight.roster[target.name], attacker.weapon.bonus, fight.system)
    hits = target.hits + count
    facts = (target.name, hits, needed.total, needed, attacker.name)
    through = gives_way(hits, needed.total, fight.system)
    fight.note(said.Through(*facts) if through else said.Withstood(*facts), "F13")
    fight.alter(target.name, hits=0 if through else hits, attacked_by=attacker.name)
    if through:
        _hurt(fight, target.name, _rolled(fight, attacker, blow))


def _rolled(fight: Fight, attacker: Combatant, blow: Sequence[Dice]) -> int:
    """Return the damage that dice roll, at least 0."""
    needs = [RollNeed(dice, f"{attacker.name}'s damage") for dice in blow]
    return max(sum(sum(fight.chance.roll(need) if need.dice.count else ()) + need.dice.plus for need in needs), 0)


def _hurt(fight: Fight, name: str, damage: int) -> None:
    """Take HP away; at 0 or below the fighter is down and out of the order."""
    before = fight.state.find(name)
    hp = max(before.hp - damage, -MAX_HELD)
    fight.note(said.Damage(name, damage, hp), "F13")
    if hp <= 0 < before.hp:
        fight.note(said.Down(name))
    fight.alter(name, hp=hp, initiative=before.initiative if hp > 0 else None)


def _spell(fight: Fight, turn: Turn) -> None:
    """Cast for a round; with damage, the spell works at once (F12, F23)."""
    words = fight.values.get("harm", ())
    _pay(fight, turn, action_cost("spell", fight.system), "a round of casting")
    caster = fight.state.find(turn.who)
    if caster.casting == "done":
        raise HackjackError(f"{caster.name} has a spell that works before the next turn: cast another one after it")
    if words and words[0] != "done":
        _work(fight, caster, words)
        return
    fight.alter(caster.name, casting="done" if words else "casting")
    fight.note(*((said.Cast(caster.name), "F23") if words else (said.Casting(caster.name), "F12")))


def deliver_spell(fight: Fight) -> None:
    """Let a spell that was cast strike its targets, for no point (F23). Raises HackjackError."""
    caster = fight.named()
    if caster.hp <= 0:
        raise HackjackError(f"{caster.name} is down and casts nothing")
    if caster.casting == "suspended":
        raise HackjackError(f"the spell of {caster.name} is suspended: go on with it by act spell")
    if not caster.casting:
        raise HackjackError(f"{caster.name} has cast no spell: act spell is a round of casting")
    _work(fight, caster, fight.values.get("harm", ()))


def _work(fight: Fight, caster: Fighter, words: Sequence[str]) -> None:
    """Strike everybody named with a spell, friends too. It passes armour and counts as a hit on it (F13)."""
    targets = [fight.state.find(word) for word in words[::2]]
    for at, target in enumerate(targets):
        if target.name in [one.name for one in targets[:at]]:
            raise HackjackError(f"{target.name} is named twice: a spell strikes everybody once")
        if target.hp <= 0:
            raise HackjackError(f"{target.name} is down already")
    fight.alter(caster.name, casting="")
    if not targets:
        fight.note(said.SpellWorks(caster.name), "F23")
    for target, damage in zip(targets, map(int, words[1::2]), strict=True):
        hits = target.hits + 1
        fight.alter(target.name, hits=hits, attacked_by=_attacker(fight, caster.name, target))
        fight.note(said.Spell(caster.name, target.name, hits), "F13")
        _hurt(fight, target.name, damage)
        _end_if_down(fight, target.name)


def _attacker(fight: Fight, name: str, target: Fighter) -> str:
    """Return the opponent who attacked the target last; harm by a friend does not count (F15)."""
    turn, roster = fight.state.turn, fight.roster
    acting = turn.acting if turn and turn.who == name else roster[name].side
    return name if _opposed(roster[name], acting, roster[target.name]) else target.attacked_by


def _end_if_down(fight: Fight, name: str) -> None:
    """End the turn of a fighter who went down in it (F22)."""
    if fight.state.turn and fight.state.turn.who == name and fight.state.find(name).hp <= 0:
        close_turn(fight)


def _plain(fight: Fight, name: str, turn: Turn) -> None:
    """Pay for an action other than an attack."""
    fighter = fight.state.find(turn.who)
    if name == "move" and turn.moved:
        raise HackjackError(f"{turn.who} has moved already: once in a turn is all")
    if name == "suspend" and fighter.casting != "casting":
        raise HackjackError(f"{turn.who} is not casting: there is no spell to suspend")
    turn = _pay(fight, turn, action_cost(name, fight.system), ACTION_ROWS[name].lower())
    if name == "raise":
        slot = order.slot_above(fight.state, turn.who)
        fight.alter(turn.who, initiative=slot)
        fight.note(said.Raised(turn.who, name, fighter.initiative or 0, slot), "F21")
        return
    fight.change(turn=replace(turn, moved=turn.moved or name == "move"))
    if name == "suspend":
        fight.alter(turn.who, casting="suspended")
    fight.note(said.Acts(turn.who, name), "F12")


def strike_by_surprise(fight: Fight) -> None:
    """Make a surprise attack: an ordinary hit that no armour stops (F6, F13).

    Before the first round each fighter with surprise has one; later the GM says whose they are (F26).
    """
    fighter, target, before = fight.named(), fight.named("target"), not fight.state.round
    attacker = fight.roster[fighter.name]
    if before and not attacker.surprise:
        raise HackjackError(f"{fighter.name} has no surprise attack")
    if before and fighter.struck:
        raise HackjackError(f"{fighter.name} has made the surprise attack")
    _check_target(fight, attacker, attacker.side, target)
    table.refuse_the_down(fighter)
    if before:
        # Those who have a surprise attack left and more Dexterity come first, unless they let it go.
        waiting = (fight.roster[one.name] for one in fight.state.fighters if one.hp > 0 and not one.struck)
        sooner = [person for person in waiting if person.surprise and person.dexterity > attacker.dexterity]
        sooner.sort(key=lambda person: -person.dexterity)
        if sooner:
            fight.note(said.Sooner(attacker.name, [person.name for person in sooner]), "F6")
        fight.alter(fighter.name, struck=True)
    fight.note(said.Surprise(attacker.name, target.name), "F13")
    fight.alter(target.name, attacked_by=attacker.name)
    _hurt(fight, target.name, _rolled(fight, attacker, attacker.normal))


def strike_at_opportunity(fight: Fight) -> None:
    """Strike an opponent who leaves the reach: an ordinary attack, for no point and without a card (F22)."""
    fighter, target = fight.named(), fight.named("target")
    attacker = fight.roster[fighter.name]
    table.refuse_the_down(fighter)
    _check_target(fight, attacker, attacker.side, target)
    fight.note(said.Opportunity(attacker.name, target.name), "F22")
    _strike(fight, attacker, target, 1, attacker.normal)
    _end_if_down(fight, target.name)


def lose_hp(fight: Fight) -> None:
    """Take HP out of turn, past all armour; `by` names the attacker, if any (F22)."""
    target = fight.named()
    if fight.values.get("by"):
        fight.alter(target.name, attacked_by=_attacker(fight, fight.named("by").name, target))
    _hurt(fight, target.name, fight.values["damage"])
    _end_if_down(fight, target.name)


def save_by_reflex(fight: Fight) -> None:
    """Charge a reflex save to the running turn of its maker, or else to the next one (F16)."""
    rules, fighter, turn = field_rules(fight.system), fight.named(), fight.state.turn
    success, cover = fight.values["result"] == "pass", fight.values.get("cover") == "yes"
    price = max(rules.reflex + (rules.reflex_success if success else 0) - (rules.cover if cover else 0), 0)
    fight.note(said.Reflex(fighter.name, price, success, cover, fighter.acted), "F16")
    paid = min(price, turn.points) if turn and turn.who == fighter.name else 0
    if turn:
        fight.change(turn=replace(turn, points=turn.points - paid))
    fight.alter(fighter.name, owed=fighter.owed + price - paid)


def regain_hp(fight: Fight) -> None:
    """Give HP back, up to the full HP; a fighter who was down gets a free slot again, or rolls for one."""
    fighter = fight.named()
    hp = min(fighter.hp + fight.values["amount"], fight.roster[fighter.name].hp)
    fight.note(said.Heal(fighter.name, hp - fighter.hp, hp))
    if hp > 0 and fighter.initiative is None:
        if fighter.total is not None:
            fight.alter(fighter.name, initiative=order.free_slot_below(fight.state, fighter.name, fighter.total))
        elif order.fighters_in_order(fight.state):
            order.place_latecomer(fight, fighter.name)
    fight.alter(fighter.name, hp=hp)


def begin_round(fight: Fight, *, later: bool = False) -> None:
    """Begin the next round; `later` with the one re-sequencing of initiative (F15)."""
    if not fight.state.round:
        raise HackjackError("the first round begins with initiative")
    close_turn(fight)
    if (due := order.next_up(fight.state)) is not None:
        raise HackjackError(f"the round is not over: {due.name} has yet to act")
    if later:
        if fight.state.resequenced:
            raise HackjackError("initiative has been put in a new order already: that happens once in a fight")
        roster = fight.roster
        fight.state, moved = order.resequence(fight.state, lambda one, two: roster[one].side != roster[two].side)
        fight.log += moved
        if not moved:
            fight.note(said.Unmoved(), "F15")
    state, before = fight.state, column_depth(fight.system, fight.state)
    fighters, away = (tuple(replace(one, acted=False) for one in group) for group in (state.fighters, state.away))
    fight.change(fighters=fighters, away=away, round=state.round + 1)
    fight.note(said.Round(fight.state.round), "F15" if later else "")
    if state.columns and column_depth(fight.system, fight.state) > before:
        table.deepen(fight)
    order.tell_order(fight)
