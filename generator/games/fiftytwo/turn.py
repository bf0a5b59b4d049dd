"""One combatant's turn: points, moves on the field, attacks, and everything else that a point buys (rulings F7-F16)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from msgspec.structs import replace

from generator.base.dice import Dice
from generator.base.errors import HackjackError, UsageError
from generator.base.fields import MOST_HELD
from generator.base.text_input import read_number
from generator.games.fiftytwo import cards as field_cards
from generator.games.fiftytwo import log as said
from generator.games.fiftytwo import table
from generator.games.fiftytwo.cards import Move
from generator.games.fiftytwo.fight import ACTION_ROWS, attack_cost, cost, gives_way, points, seconds, threshold
from generator.games.fiftytwo.lines import next_round
from generator.games.fiftytwo.order import below, late, next_up, ordered, raised, resequenced, tell_order
from generator.games.fiftytwo.state import Fighter, Roster, State, Turn, depth, other
from generator.games.fiftytwo.table import Fight
from generator.model.combatants import Combatant, Side
from generator.model.rules import System
from generator.play.chance import RollNeed
from generator.play.event_spec import Argument, Values
from generator.words.wording import measured_unit

MOST_DAMAGE = 10_000
MOST_TARGETS = 20
"""So many may be struck by one spell."""
NOBODY = "nobody"
"""How it is said that no opponent is in reach."""
SOMEBODY = "somebody"
"""The target of an attack that the game master has yet to name: players are not told who their foes are."""


# --- whose turn it is ------------------------------------------------------------------------------------------------


def begin(fight: Fight, wanted: Values | None = None) -> None:
    """A turn begins: what there is to spend (F7). A turn that is still running ends, and what it left is lost.

    `wanted` is what is said of it in place of the event: who has it, those in reach, what the GM adds, the side.
    """
    wanted = fight.values if wanted is None else wanted
    finish(fight)
    state = fight.state
    due, fighter = next_up(state), _meant(state, wanted.get("who", ""))
    table.refuse_the_down(fighter)
    if state.round and fighter.initiative is not None and (due is None or due.name != fighter.name):
        why = f"{due.name} acts next" if due else f"everybody has acted: {_next_round(state)}"
        raise HackjackError(f"it is not the turn of {fighter.name}: {why}")
    turn, fact = _counted(fight, fighter, wanted)
    casting = "due" if fighter.casting == "done" else fighter.casting
    fight.alter(fighter.name, owed=fighter.owed - turn.paid, casting=casting)
    fight.change(turn=turn)
    fight.note(fact, "F7")
    _tell_spell(fight, fighter.name)


def look(fight: Fight) -> None:
    """What somebody has to spend, or would have; nothing begins and nothing ends. Raises HackjackError."""
    turn, wanted = fight.state.turn, fight.values
    name = wanted.get("who", "")
    fighter = fight.state.find(turn.who) if turn and not name else _meant(fight.state, name)
    more = wanted.get("reach") is not None or wanted.get("circumstance") or wanted.get("acting")
    if turn and turn.who == fighter.name and not more:
        fight.note(said.Purse(turn.who, turn.points, turn.free, turn.normals, turn.criticals), "F7")
    else:
        fight.note(_counted(fight, fighter, wanted)[1], "F7")
    _tell_spell(fight, fighter.name)


def _meant(state: State, name: str) -> Fighter:
    """Somebody by name; without one, the next to act. Raises HackjackError."""
    if name:
        return state.find(name)
    if (due := next_up(state)) is None:
        raise HackjackError(
            "whose turn is it? name somebody" if not state.round else f"everybody has acted: {_next_round(state)}"
        )
    return due


def _tell_spell(fight: Fight, name: str) -> None:
    """What a turn has to mind of a spell that was begun before it (F23)."""
    if casting := fight.state.find(name).casting:
        fight.note(said.SpellLeft(name, casting), "F23")


def _counted(fight: Fight, fighter: Fighter, wanted: Values) -> tuple[Turn, said.Points]:
    """A turn as it begins, with the sum that its points are (F7)."""
    roster, system = fight.roster, fight.system
    person = roster[fighter.name]
    acting = wanted.get("acting") or person.side
    if acting == "enemies" and person.side == "allies":
        raise HackjackError(f"{person.name} is an ally: only an enemy can act as the other side")
    near = _in_reach(fight, person, acting, wanted.get("reach"))
    found = points(person, [roster[opponent] for opponent in near], wanted.get("circumstance", 0), system)
    paid, free = min(fighter.owed, found.total), system.field.free_points
    turn = Turn(who=fighter.name, points=found.total - paid, free=free, acting=acting, paid=paid)
    time = seconds(person.side, len(roster.side("allies")), len(roster.side("enemies")), system)
    return turn, said.Points(fighter.name, person.uses, found, near, turn.points, paid, free, time)


def _next_round(state: State) -> str:
    return next_round(resequenced=state.resequenced)


def _in_reach(fight: Fight, person: Combatant, acting: Side, reach: Sequence[str] | None) -> list[str]:
    """The opponents in reach: those named, or those of the content who still stand."""
    state = fight.state
    if reach is None:
        known = {fighter.name for fighter in state.fighters if fighter.hp > 0}
        return [name for name in person.reach if name in known]
    if [name.casefold() for name in reach] == [NOBODY]:
        return []
    named = [state.find(name).name for name in reach]
    for name in named:
        if not _opposed(person, acting, fight.roster[name]):
            raise HackjackError(f"{name} is no opponent of {person.name}: only opponents in reach count")
    return list(dict.fromkeys(named))


def _opposed(person: Combatant, acting: Side, target: Combatant) -> bool:
    """Whether somebody may attack a target: the other side, or another enemy for an enemy who acts as an ally."""
    return target.side == other(acting) and target.name != person.name


def finish(fight: Fight) -> None:
    """The running turn ends, if there is one; what was not spent or used is lost (F28)."""
    if turn := fight.state.turn:
        fight.alter(turn.who, acted=True)
        fight.change(turn=None)
        fight.note(said.TurnEnds(turn.who, turn.purse, turn.normals, turn.criticals), "F28")


def end(fight: Fight) -> None:
    """The turn ends. Raises HackjackError where nobody has it."""
    if fight.state.turn is None:
        raise HackjackError("nobody has the turn: there is nothing to end")
    finish(fight)
    if due := next_up(fight.state):
        fight.note(said.Next(due.name, due.initiative or 0), "F2")
    elif fight.state.round:
        fight.note(said.RoundOver(fight.state.resequenced))


def hold(fight: Fight) -> None:
    """Somebody waits: they go down to just below the next to act, or to the next free place below that (F21)."""
    state, name = fight.state, fight.values.get("who", "")
    due = next_up(state)
    fighter = state.find(name) if name else due
    if fighter is None or due is None or due.name != fighter.name:
        whose = f": {due.name} acts next" if due else ""
        raise HackjackError(f"nobody can hold now{whose}" if not name else f"{name} cannot hold now{whose}")
    owed = fighter.owed
    if state.turn and state.turn.who == fighter.name:
        if state.turn.spent:
            raise HackjackError(f"{fighter.name} has acted already: end the turn instead")
        owed += state.turn.paid
    waiting = (one for one in ordered(state) if not one.acted and one.hp > 0 and one.name != fighter.name)
    following = next(waiting, None)
    if following is None:
        raise HackjackError(f"nobody acts after {fighter.name}: there is nobody to wait for")
    slot = below(state, fighter.name, (following.initiative or 0) - 1)
    fight.alter(fighter.name, initiative=slot, owed=owed)
    fight.change(turn=None)
    fight.note(said.Hold(fighter.name, fighter.initiative or 0, slot), "F21")


# --- acting ----------------------------------------------------------------------------------------------------------

_CARD = Argument("card", "text", sample="CARD", called="a card")
_TARGET = Argument("target", "person", (SOMEBODY,), sample="TARGET")
HARM = Argument("harm", "text", sample="TARGET DAMAGE ...", optional=True, many=True)
"""The targets of a spell, each with the damage."""
ACTS: Mapping[str, tuple[Argument, ...]] = {
    "take": (_CARD,),
    "pair": (_CARD, replace(_CARD, name="other")),
    "add": (
        Argument("column", "text", sample="COLUMN", called="a column"),
        Argument("count", "number", most=6, default=1, optional=True),
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
    """One action of the running turn; without a turn, a move on the field alone. Raises HackjackError, UsageError."""
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
    """Damage as typed after each target: `Evans 30 Esther 12`; `how` it is written. Raises UsageError."""
    if len(words) % 2:
        raise UsageError(f"every target needs its damage: write {how}")
    if len(words) > 2 * MOST_TARGETS:
        raise UsageError(f"one spell strikes {MOST_TARGETS} at most")
    for word in words[1::2]:
        read_number("damage", word, 0, MOST_DAMAGE)


def _pay(fight: Fight, turn: Turn, price: int, what: str) -> Turn:
    """Pay a price, the free action first; gives what is left. Raises HackjackError where there is not enough."""
    if price > turn.purse:
        raise HackjackError(f"{turn.who} has {measured_unit(turn.purse, 'point')} left, and {what} costs {price}")
    free = min(turn.free, price)
    turn = replace(turn, free=turn.free - free, points=turn.points - (price - free), spent=turn.spent + 1)
    fight.change(turn=turn)
    return turn


def _on_field(fight: Fight, name: str, turn: Turn | None) -> None:
    """Take, pair or add: what it opens may be used up by attacks (F8-F11)."""
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
        move = field_cards.add(state.columns, table.column_number(values["column"], state), count, play)
        if count > left:
            raise HackjackError(f"there are {left} cards left to add, not {count}")
    elif name == "pair":
        one, two = (field_cards.find(state.columns, values[key]) for key in ("card", "other"))
        move = field_cards.take_pair(state.columns, one, two, play)
    else:
        move = field_cards.take(state.columns, field_cards.find(state.columns, values["card"]), play)
    _make(fight, move, turn)


_TAKES: dict[str, tuple[type[said.Bottom | said.Higher | said.Pair], str]] = {
    "bottom": (said.Bottom, "F8"),
    "higher": (said.Higher, "F9"),
    "pair": (said.Pair, "F11"),
}


def _make(fight: Fight, move: Move, turn: Turn | None) -> None:
    """A move on the field is paid, made and told."""
    before = fight.state.columns
    words = table.words_of(move, before)
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
        fight.note(kind(words, move.cost, table.cards_of(move, before)), ruling)
        table.take_out(fight, move.places)
    fight.note(said.Opens(move.normals, move.criticals), ruling)
    if turn:
        fight.change(turn=_opened(turn, move))
    fight.show_field()


def _opened(turn: Turn, move: Move) -> Turn:
    """A turn with what a move opened, and the cards that it added."""
    turn = replace(turn, normals=turn.normals + move.normals, criticals=turn.criticals + move.criticals)
    if move.kind != "add":
        return turn
    column = move.places[0].column + 1
    placed = {**turn.placed, str(column): turn.placed.get(str(column), 0) + len(move.places)}
    return replace(turn, placed=placed, filled=(*turn.filled, column) if move.criticals else turn.filled)


def _attack(fight: Fight, name: str, turn: Turn) -> None:
    """An attack that was opened is made: it succeeds, but the armour may take it (F12-F14)."""
    roster, critical = fight.roster, name == "critical"
    if not (turn.criticals if critical else turn.normals):
        what = "critical attack" if critical else "attack"
        raise HackjackError(f"no {what} is open: {turn.who} has to open one on the field first")
    if fight.values["target"] == SOMEBODY:
        if name not in [open_now for open_now, _, _ in open_attacks(fight.system, fight.state)]:
            raise HackjackError(
                f"{turn.who} has {measured_unit(turn.purse, 'point')} left: nobody can be attacked for that"
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
    count = fight.system.field.critical_hits if critical else 1
    fight.note(said.Attack(attacker.name, target.name, critical, price, count), "F12")
    _strike(fight, attacker, target, count, attacker.critical if critical else attacker.normal)


def open_attacks(system: System, state: State) -> Iterator[tuple[Literal["attack", "critical"], str, int]]:
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
    """One attack, worth so many hits, meets the armour: the hit that reaches the threshold does harm, and the count
    begins anew (F13)."""
    needed = threshold(fight.roster[target.name], attacker.weapon.bonus, fight.system)
    hits = target.hits + count
    facts, through = (target.name, hits, needed.total, needed), gives_way(hits, needed.total, fight.system)
    fight.note(said.Through(*facts) if through else said.Withstood(*facts), "F13")
    fight.alter(target.name, hits=0 if through else hits, attacked_by=attacker.name)
    if through:
        _hurt(fight, target.name, _rolled(fight, attacker, blow))


def _rolled(fight: Fight, attacker: Combatant, blow: Sequence[Dice]) -> int:
    """What dice of damage come to, never less than 0."""
    reason = f"{attacker.name}'s damage"
    return max(
        sum(sum(fight.chance.roll(RollNeed(dice, reason)) if dice.count else ()) + dice.plus for dice in blow), 0
    )


def _hurt(fight: Fight, name: str, damage: int) -> None:
    """HP are lost; at 0 or below somebody is down and out of the order."""
    before = fight.state.find(name).hp
    hp = max(before - damage, -MOST_HELD)
    fight.note(said.Damage(name, damage, hp), "F13")
    if hp <= 0:
        fight.alter(name, initiative=None)
    if hp <= 0 < before:
        fight.note(said.Down(name))
    fight.alter(name, hp=hp)


def _spell(fight: Fight, turn: Turn) -> None:
    """A round of casting; with damage, of a spell that works at once (F12, F23)."""
    words = fight.values.get("harm", ())
    _pay(fight, turn, cost("spell", fight.system), "a round of casting")
    caster = fight.state.find(turn.who)
    if caster.casting == "done":
        raise HackjackError(f"{caster.name} has a spell that works before the next turn: cast another one after it")
    if words and words[0] != "done":
        _work(fight, caster, words)
    elif words:
        fight.alter(caster.name, casting="done")
        fight.note(said.Cast(caster.name), "F23")
    else:
        fight.alter(caster.name, casting="casting")
        fight.note(said.Casting(caster.name), "F12")


def deliver(fight: Fight) -> None:
    """A spell that was cast works, for no point, on as many as it strikes (F23). Raises HackjackError."""
    caster = fight.named()
    if caster.hp <= 0:
        raise HackjackError(f"{caster.name} is down and casts nothing")
    if caster.casting == "suspended":
        raise HackjackError(f"the spell of {caster.name} is suspended: go on with it by act spell")
    if not caster.casting:
        raise HackjackError(f"{caster.name} has cast no spell: act spell is a round of casting")
    _work(fight, caster, fight.values.get("harm", ()))


def _work(fight: Fight, caster: Fighter, words: Sequence[str]) -> None:
    """A spell strikes everybody named, friends too. It passes the armour by, and counts as a hit on it (F13)."""
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
    """The opponent who attacked somebody last: what a friend does to them changes nothing (F15)."""
    turn, roster = fight.state.turn, fight.roster
    acting = turn.acting if turn and turn.who == name else roster[name].side
    return name if _opposed(roster[name], acting, roster[target.name]) else target.attacked_by


def _end_if_down(fight: Fight, name: str) -> None:
    """The turn of somebody who has gone down in it is over (F22)."""
    if fight.state.turn and fight.state.turn.who == name and fight.state.find(name).hp <= 0:
        finish(fight)


def _plain(fight: Fight, name: str, turn: Turn) -> None:
    """What a point buys beside attacks."""
    fighter = fight.state.find(turn.who)
    if name == "move" and turn.moved:
        raise HackjackError(f"{turn.who} has moved already: once in a turn is all")
    if name == "suspend" and fighter.casting != "casting":
        raise HackjackError(f"{turn.who} is not casting: there is no spell to suspend")
    turn = _pay(fight, turn, cost(name, fight.system), ACTION_ROWS[name].lower())
    if name == "raise":
        slot = raised(fight.state, turn.who)
        fight.alter(turn.who, initiative=slot)
        fight.note(said.Raised(turn.who, name, fighter.initiative or 0, slot), "F21")
        return
    if name == "move":
        fight.change(turn=replace(turn, moved=True))
    elif name == "suspend":
        fight.alter(turn.who, casting="suspended")
    fight.note(said.Acts(turn.who, name), "F12")


# --- outside the turn ------------------------------------------------------------------------------------------------


def strike_first(fight: Fight) -> None:
    """A surprise attack: an ordinary hit that no armour stops (F6, F13).

    Before the first round they are for those who have surprise, one each; later the GM says whose they are (F26).
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


def opportunity(fight: Fight) -> None:
    """A strike at an opponent who leaves one's reach: an ordinary attack, for no point and without a card (F22)."""
    fighter, target = fight.named(), fight.named("target")
    attacker = fight.roster[fighter.name]
    table.refuse_the_down(fighter)
    _check_target(fight, attacker, attacker.side, target)
    fight.note(said.Opportunity(attacker.name, target.name), "F22")
    _strike(fight, attacker, target, 1, attacker.normal)
    _end_if_down(fight, target.name)


def wound(fight: Fight) -> None:
    """HP are lost out of turn, whatever took them, and no armour counts; `by` is who did it, if anybody (F22)."""
    target = fight.named()
    if fight.values.get("by"):
        fight.alter(target.name, attacked_by=_attacker(fight, fight.named("by").name, target))
    _hurt(fight, target.name, fight.values["damage"])
    _end_if_down(fight, target.name)


def reflex(fight: Fight) -> None:
    """A reflex save and its price: from the turn that runs, or else from the next one to come (F16)."""
    rules, fighter, turn = fight.system.field, fight.named(), fight.state.turn
    success, cover = fight.values["result"] == "pass", fight.values.get("cover") == "yes"
    price = max(rules.reflex + (rules.reflex_success if success else 0) - (rules.cover if cover else 0), 0)
    fight.note(said.Reflex(fighter.name, price, success, cover, fighter.acted), "F16")
    paid = min(price, turn.points) if turn and turn.who == fighter.name else 0
    if turn:
        fight.change(turn=replace(turn, points=turn.points - paid))
    fight.alter(fighter.name, owed=fighter.owed + price - paid)


def heal(fight: Fight) -> None:
    """HP come back, up to what the combatant began with; who was down finds a free slot again, or rolls for one."""
    fighter = fight.named()
    hp = min(fighter.hp + fight.values["amount"], fight.roster[fighter.name].hp)
    fight.note(said.Heal(fighter.name, hp - fighter.hp, hp))
    if hp > 0 and fighter.initiative is None:
        if fighter.total is not None:
            fight.alter(fighter.name, initiative=below(fight.state, fighter.name, fighter.total))
        elif ordered(fight.state):
            late(fight, fighter.name)
    fight.alter(fighter.name, hp=hp)


def new_round(fight: Fight, *, later: bool = False) -> None:
    """The next round; `later` with the one re-sequencing of initiative (F15)."""
    if not fight.state.round:
        raise HackjackError("the first round begins with initiative")
    finish(fight)
    if (due := next_up(fight.state)) is not None:
        raise HackjackError(f"the round is not over: {due.name} has yet to act")
    if later:
        if fight.state.resequenced:
            raise HackjackError("initiative has been put in a new order already: that happens once in a fight")
        roster = fight.roster
        fight.state, moved = resequenced(fight.state, lambda one, two: roster[one].side != roster[two].side)
        fight.log += moved
        if not moved:
            fight.note(said.Unmoved(), "F15")
    state, before = fight.state, depth(fight.system, fight.state)
    fighters, away = (tuple(replace(one, acted=False) for one in group) for group in (state.fighters, state.away))
    fight.change(fighters=fighters, away=away, round=state.round + 1)
    fight.note(said.Round(fight.state.round), "F15" if later else "")
    if state.columns and depth(fight.system, fight.state) > before:
        table.deepen(fight)
    tell_order(fight)
