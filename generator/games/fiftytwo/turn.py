"""One combatant's turn: points, moves on the field, attacks, and everything else that a point buys (rulings F7-F16)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from generator.base.dice import Dice
from generator.base.errors import HackjackError, UsageError
from generator.base.text_input import read_number
from generator.games.fiftytwo import (
    cards as field_cards,
)
from generator.games.fiftytwo import (
    fight as field_fight,
)
from generator.games.fiftytwo import (
    log as said,
)
from generator.games.fiftytwo import (
    order as field_order,
)
from generator.games.fiftytwo import (
    table as field_table,
)
from generator.games.fiftytwo.cards import Move
from generator.games.fiftytwo.fight import attack_cost, cost, gives_way, threshold
from generator.games.fiftytwo.log import FieldEntry
from generator.games.fiftytwo.order import next_up
from generator.games.fiftytwo.state import MOST, Fighter, Roster, State, Turn, depth, other
from generator.games.fiftytwo.table import Done, add_on_top, cards_of, picture, taken, words_of
from generator.model.combatants import Combatant, Side
from generator.model.log import Entry
from generator.model.rules import System
from generator.play.chance import Chance, RollNeed
from generator.play.event_spec import Argument, Values

MOST_DAMAGE = 10_000
MOST_TARGETS = 20
"""So many may be struck by one spell."""


# --- whose turn it is ------------------------------------------------------------------------------------------------


class Wanted(NamedTuple):
    """What is said of a turn: who has it, the opponents in reach, what the GM adds, the side that one acts for."""

    name: str = ""
    reach: Sequence[str] | None = None
    circumstance: int = 0
    acting: Side | None = None


NOBODY = "nobody"
"""How it is said that no opponent is in reach."""


def begin(system: System, state: State, wanted: Wanted) -> Done:
    """A turn begins: what there is to spend (F7). A turn that is still running ends, and what it left is lost."""
    state, log = finish(state)
    due, fighter = next_up(state), _meant(state, wanted.name)
    if fighter.hp <= 0:
        raise HackjackError(f"{fighter.name} is down and cannot act")
    if state.round and fighter.initiative is not None and (due is None or due.name != fighter.name):
        why = f"{due.name} acts next" if due else f"everybody has acted: {_next_round(state)}"
        raise HackjackError(f"it is not the turn of {fighter.name}: {why}")
    turn, entry = _counted(system, state, fighter, wanted)
    fighter = replace(fighter, owed=fighter.owed - turn.paid)
    fighter = replace(fighter, casting="due") if fighter.casting == "done" else fighter
    state = replace(state.with_fighter(fighter), turn=turn)
    return state, [*log, entry, *_spell_left(fighter)]


def look(system: System, state: State, wanted: Wanted) -> list[FieldEntry]:
    """What somebody has to spend, or would have; nothing begins and nothing ends. Raises HackjackError."""
    turn = state.turn
    fighter = state.find(turn.who) if turn and not wanted.name else _meant(state, wanted.name)
    if turn and turn.who == fighter.name and wanted == Wanted(wanted.name):
        entry: FieldEntry = Entry(said.Purse(turn.who, turn.points, turn.free, turn.normals, turn.criticals), "F7")
    else:
        entry = _counted(system, state, fighter, wanted)[1]
    return [entry, *_spell_left(fighter)]


def _meant(state: State, name: str) -> Fighter:
    """Somebody by name; without one, whoever acts next. Raises HackjackError."""
    if name:
        return state.find(name)
    if (due := next_up(state)) is None:
        raise HackjackError(
            "whose turn is it? name somebody" if not state.round else f"everybody has acted: {_next_round(state)}"
        )
    return due


def _spell_left(fighter: Fighter) -> list[FieldEntry]:
    """What a turn has to mind of a spell that was begun before it (F23)."""
    return [Entry(said.SpellLeft(fighter.name, fighter.casting), "F23")] if fighter.casting else []


def _counted(system: System, state: State, fighter: Fighter, wanted: Wanted) -> tuple[Turn, FieldEntry]:
    """A turn as it begins, with the sum that its points are (F7)."""
    roster = Roster(system, state)
    person = roster[fighter.name]
    acting = _acting(person, wanted.acting)
    near = _in_reach(state, roster, person, acting, wanted.reach)
    found = field_fight.points(person, [roster[opponent] for opponent in near], wanted.circumstance, system)
    paid = min(fighter.owed, found.total)
    free = system.field.free_points
    turn = Turn(who=fighter.name, points=found.total - paid, free=free, acting=acting, paid=paid)
    allies, enemies = len(roster.side(state, "allies")), len(roster.side(state, "enemies"))
    seconds = field_fight.seconds(person.side, allies, enemies, system)
    fact = said.Points(fighter.name, person.uses, found, near, turn.points, paid, free, seconds)
    return turn, Entry(fact, "F7")


def _next_round(state: State) -> str:
    return (
        "begin the next one with round" if state.resequenced else "begin the next one with later-initiative, or round"
    )


def _acting(person: Combatant, acting: Side | None) -> Side:
    if acting == "enemies" and person.side == "allies":
        raise HackjackError(f"{person.name} is an ally: only an enemy can act as the other side")
    return acting or person.side


def _in_reach(state: State, roster: Roster, person: Combatant, acting: Side, reach: Sequence[str] | None) -> list[str]:
    """The opponents in reach: those named, or those of the content who still stand."""
    if reach is None:
        known = {fighter.name for fighter in state.fighters if fighter.hp > 0}
        return [name for name in person.reach if name in known]
    if [name.casefold() for name in reach] == [NOBODY]:
        return []
    named = [state.find(name).name for name in reach]
    for name in named:
        if not _opposed(person, acting, roster[name]):
            raise HackjackError(f"{name} is no opponent of {person.name}: only opponents in reach count")
    return list(dict.fromkeys(named))


def _opposed(person: Combatant, acting: Side, target: Combatant) -> bool:
    """Whether somebody may attack a target: the other side, or another enemy for an enemy who acts as an ally."""
    return target.side == other(acting) and target.name != person.name


def finish(state: State) -> Done:
    """The running turn ends, if there is one; what was not spent is lost (F17)."""
    turn = state.turn
    if turn is None:
        return state, []
    fighter = state.find(turn.who)
    state = replace(state.with_fighter(replace(fighter, acted=True)), turn=None)
    return state, [Entry(said.TurnEnds(turn.who, turn.purse, turn.normals, turn.criticals), "F17")]


def hold(state: State, name: str) -> Done:
    """Somebody waits: they go down to below whoever acts next (F21)."""
    due = next_up(state)
    fighter = state.find(name) if name else due
    if fighter is None or due is None or due.name != fighter.name:
        whose = f": {due.name} acts next" if due else ""
        raise HackjackError(f"nobody can hold now{whose}" if not name else f"{name} cannot hold now{whose}")
    if state.turn and state.turn.who == fighter.name:
        if state.turn.spent:
            raise HackjackError(f"{fighter.name} has acted already: end the turn instead")
        fighter = replace(fighter, owed=fighter.owed + state.turn.paid)
    waiting = [one for one in field_order.ordered(state) if not one.acted and one.hp > 0 and one.name != fighter.name]
    slot = field_order.held(state, fighter.name, waiting[0].name if waiting else None)
    if slot is None:
        raise HackjackError(f"nobody acts after {fighter.name}: there is nobody to wait for")
    state = replace(state.with_fighter(replace(fighter, initiative=slot)), turn=None)
    return state, [Entry(said.Hold(fighter.name, fighter.initiative or 0, slot), "F21")]


# --- acting ----------------------------------------------------------------------------------------------------------

_CARD = Argument("card", "text", sample="CARD", called="a card")
_TARGET = Argument("target", "person", sample="TARGET")
HARM = Argument("harm", "text", sample="TARGET DAMAGE ...", optional=True, many=True)
"""Those whom a spell strikes, each with the damage."""
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
    "suspend": (),
    "item": (),
    "ability": (),
    "raise": (),
    "other": (),
}
"""What `act` takes, and what follows each move."""


def act(system: System, state: State, values: Values, chance: Chance) -> Done:
    """One action of the running turn; without a turn, a move on the field alone. Raises HackjackError, UsageError."""
    name = values["move"]
    if state.turn is None and (name not in ("take", "pair", "add") or state.round):
        raise HackjackError("nobody has the turn: begin one with turn")
    if state.turn and state.find(state.turn.who).casting == "due":
        who = state.turn.who
        how = f"deliver {who} TARGET DAMAGE, or deliver {who} where it harms nobody"
        raise HackjackError(f"the spell of {who} is due and works before anything else: {how}")
    if name in ("take", "pair", "add"):
        return _on_field(system, state, values, chance)
    if name in ("attack", "critical"):
        return _attack(system, state, name, values["target"], chance)
    if name == "spell":
        return _spell(system, state, values.get("harm", ()))
    return _plain(system, state, name)


def check_harm(words: Sequence[str], how: str) -> None:
    """Damage as typed after each target: `Evans 30 Esther 12`; `how` it is written. Raises UsageError."""
    if len(words) % 2:
        raise UsageError(f"every target needs its damage: write {how}")
    if len(words) > 2 * MOST_TARGETS:
        raise UsageError(f"one spell strikes {MOST_TARGETS} at most")
    for word in words[1::2]:
        read_number("damage", word, 0, MOST_DAMAGE)


def _turn(state: State) -> Turn:
    if state.turn is None:
        raise HackjackError("nobody has the turn: begin one with turn")
    return state.turn


def _paid(state: State, price: int, what: str) -> State:
    """The price is paid, the free action first. Raises HackjackError where there is not enough."""
    turn = _turn(state)
    if price > turn.purse:
        raise HackjackError(f"{turn.who} has {_points(turn.purse)} left, and {what} costs {price}")
    free = min(turn.free, price)
    turn = replace(turn, free=turn.free - free, points=turn.points - (price - free), spent=turn.spent + 1)
    return replace(state, turn=turn)


def _points(count: int) -> str:
    return f"{count} point" + ("" if count == 1 else "s")


def _on_field(system: System, state: State, values: Values, chance: Chance) -> Done:
    """Take, pair or add: what it opens may be used up by attacks (F8-F11)."""
    if not state.columns:
        raise HackjackError("there is no field yet: deal first, or lay one")
    turn, name = state.turn, values["move"]
    acting = turn.acting if turn else ("enemies" if name == "add" else "allies")
    play = field_table.play_of(system, state, acting, turn)
    _allowed(name, acting, turn)
    if name == "add":
        count = values["count"]
        move = field_cards.add(state.columns, field_table.column_number(values["column"], state), count, play)
        if count > len(state.reserve) + len(state.discard):
            raise HackjackError(f"there are {len(state.reserve) + len(state.discard)} cards left to add, not {count}")
    elif name == "pair":
        one, two = (field_cards.find(state.columns, values[key]) for key in ("card", "other"))
        move = field_cards.take_pair(state.columns, one, two, play)
    else:
        move = field_cards.take(state.columns, field_cards.find(state.columns, values["card"]), play)
    return _made(state, move, chance)


def _allowed(name: str, acting: Side, turn: Turn | None) -> None:
    """Who may do what: taking is for those who attack enemies, adding for those who attack allies (F8-F10)."""
    if turn is None or name == "pair":
        return
    if name == "add" and acting == "allies":
        raise HackjackError(f"{turn.who} attacks enemies and adds no cards: take some, or take a pair")
    if name == "take" and acting == "enemies":
        why = "take a pair, add a card, or begin the turn with acting=allies to attack another enemy"
        raise HackjackError(f"{turn.who} attacks allies and takes only pairs: {why}")


_TAKES: dict[str, tuple[type[said.Bottom | said.Higher | said.Pair], str]] = {
    "bottom": (said.Bottom, "F8"),
    "higher": (said.Higher, "F9"),
    "pair": (said.Pair, "F11"),
}


def _made(state: State, move: Move, chance: Chance) -> Done:
    """A move on the field is paid, made and told."""
    log: list[FieldEntry] = []
    words = words_of(move, state.columns)
    if state.turn:
        state = _paid(state, move.cost, words)
        state, log = _abandoned(state, move)
    if move.kind == "add":
        ruling, drawn = "F10", []
        for place in move.places:
            state, code, more = add_on_top(state, place.column, chance)
            drawn.append(code)
            log += more
        log.append(Entry(said.Add(words, move.cost, drawn, move.places[0].column + 1), ruling))
    else:
        kind, ruling = _TAKES[move.kind]
        log.append(Entry(kind(words, move.cost, cards_of(move, state.columns)), ruling))
        state = taken(state, move)
    log.append(Entry(said.Opens(move.normals, move.criticals), ruling))
    if state.turn:
        state = replace(state, turn=_opened(state.turn, move))
    return state, [*log, picture(state)]


def _opened(turn: Turn, move: Move) -> Turn:
    """A turn with what a move opened, and the cards that it added."""
    turn = replace(turn, normals=turn.normals + move.normals, criticals=turn.criticals + move.criticals)
    if move.kind != "add":
        return turn
    column = move.places[0].column + 1
    placed = {**turn.placed, str(column): turn.placed.get(str(column), 0) + len(move.places)}
    return replace(turn, placed=placed, filled=(*turn.filled, column) if move.criticals else turn.filled)


def _abandoned(state: State, move: Move) -> Done:
    """Taking cards gives up a spell that is being cast, unless it was suspended (F12)."""
    turn = _turn(state)
    fighter = state.find(turn.who)
    if fighter.casting != "casting" or move.kind not in ("bottom", "higher"):
        return state, []
    return state.with_fighter(replace(fighter, casting="")), [Entry(said.Abandoned(turn.who), "F12")]


def _attack(system: System, state: State, name: str, whom: str, chance: Chance) -> Done:
    """An attack that was opened is made: it succeeds, but the armour may take it (F12-F14)."""
    turn = _turn(state)
    roster = Roster(system, state)
    attacker, target = roster[turn.who], state.find(whom)
    critical = name == "critical"
    if not (turn.criticals if critical else turn.normals):
        what = "critical attack" if critical else "attack"
        raise HackjackError(f"no {what} is open: {turn.who} has to open one on the field first")
    _check_target(attacker, turn.acting, target, roster)
    price = attack_cost(name, roster[target.name], attacker, system)
    state = _paid(state, price, f"{'a critical' if critical else 'an'} attack on {target.name}")
    turn = _turn(state)
    opened = {"criticals": turn.criticals - 1} if critical else {"normals": turn.normals - 1}
    state = replace(state, turn=replace(turn, **opened))
    count = system.field.critical_hits if critical else 1
    state, log = _struck(system, state, attacker, target, critical, chance)
    return state, [Entry(said.Attack(attacker.name, target.name, critical, price, count), "F12"), *log]


def _check_target(attacker: Combatant, acting: Side, target: Fighter, roster: Roster) -> None:
    if not _opposed(attacker, acting, roster[target.name]):
        hint = "" if attacker.side == "allies" else "; begin the turn with acting=allies to attack another enemy"
        raise HackjackError(f"{attacker.name} cannot attack {target.name}: they are on the same side{hint}")
    if target.hp <= 0:
        raise HackjackError(f"{target.name} is down already")


def _struck(system: System, state: State, attacker: Combatant, target: Fighter, critical: bool, chance: Chance) -> Done:
    """One attack meets the armour: the hit that reaches the threshold does harm, and the count begins anew (F13)."""
    needed = threshold(Roster(system, state)[target.name], attacker.weapon.bonus, system)
    hits = target.hits + (system.field.critical_hits if critical else 1)
    facts = (target.name, hits, needed.total, needed)
    if not gives_way(hits, needed.total, system):
        state = state.with_fighter(replace(target, hits=hits, attacked_by=attacker.name))
        return state, [Entry(said.Withstood(*facts), "F13")]
    blow = attacker.critical if critical else attacker.normal
    damage = rolled(blow, f"{attacker.name}'s damage", chance)
    state, log = hurt(state, replace(target, hits=0, attacked_by=attacker.name), damage)
    return state, [Entry(said.Through(*facts), "F13"), *log]


def rolled(blow: Sequence[Dice], reason: str, chance: Chance) -> int:
    """What dice of damage come to, never less than 0."""
    return max(
        sum(sum(chance.roll(RollNeed(dice, reason))) + dice.plus if dice.count else dice.plus for dice in blow), 0
    )


def hurt(state: State, target: Fighter, damage: int) -> Done:
    """HP are lost; at 0 or below somebody is down and out of the order."""
    hp = max(target.hp - damage, -MOST)
    log: list[FieldEntry] = [Entry(said.Damage(target.name, damage, hp), "F13")]
    if hp <= 0:
        log += [Entry(said.Down(target.name))] if target.hp > 0 else []
        target = replace(target, initiative=None)
    return state.with_fighter(replace(target, hp=hp)), log


def _spell(system: System, state: State, words: Sequence[str]) -> Done:
    """A round of casting; with damage, of a spell that works at once (F12, F23)."""
    turn = _turn(state)
    state = _paid(state, cost("spell", system), "a round of casting")
    caster = state.find(turn.who)
    if caster.casting == "done":
        raise HackjackError(f"{caster.name} has a spell that works before the next turn: cast another one after it")
    if words and words[0] != "done":
        return _works(system, state, caster, words)
    if words:
        return state.with_fighter(replace(caster, casting="done")), [Entry(said.Cast(caster.name), "F23")]
    return state.with_fighter(replace(caster, casting="casting")), [Entry(said.Casting(caster.name), "F12")]


def deliver(system: System, state: State, name: str, words: Sequence[str]) -> Done:
    """A spell that was cast works, for no point, on as many as it strikes (F23). Raises HackjackError."""
    caster = state.find(name)
    if caster.hp <= 0:
        raise HackjackError(f"{caster.name} is down and casts nothing")
    if caster.casting == "suspended":
        raise HackjackError(f"the spell of {caster.name} is suspended: go on with it by act spell")
    if not caster.casting:
        raise HackjackError(f"{caster.name} has cast no spell: act spell is a round of casting")
    return _works(system, state, caster, words)


def _works(system: System, state: State, caster: Fighter, words: Sequence[str]) -> Done:
    """A spell strikes whomever it is said to, friends too. It passes the armour by, and counts as a hit on it (F13)."""
    targets = [state.find(word) for word in words[::2]]
    for at, target in enumerate(targets):
        if target.name in [one.name for one in targets[:at]]:
            raise HackjackError(f"{target.name} is named twice: a spell strikes everybody once")
        if target.hp <= 0:
            raise HackjackError(f"{target.name} is down already")
    roster = Roster(system, state)
    state = state.with_fighter(replace(caster, casting=""))
    log: list[FieldEntry] = [] if targets else [Entry(said.SpellWorks(caster.name), "F23")]
    for target, damage in zip(targets, map(int, words[1::2]), strict=True):
        fighter = state.find(target.name)
        fighter = replace(fighter, hits=fighter.hits + 1, attacked_by=_attacker(state, roster, caster.name, fighter))
        log.append(Entry(said.Spell(caster.name, target.name, fighter.hits), "F13"))
        state, more = hurt(state, fighter, damage)
        state, log = _over(state, [*log, *more], fighter.name)
    return state, log


def _attacker(state: State, roster: Roster, name: str, target: Fighter) -> str:
    """The opponent who attacked somebody last: what a friend does to them changes nothing (F15)."""
    acting = state.turn.acting if state.turn and state.turn.who == name else roster[name].side
    return name if _opposed(roster[name], acting, roster[target.name]) else target.attacked_by


def _over(state: State, log: list[FieldEntry], name: str) -> Done:
    """The turn of somebody who has gone down in it is over (F22)."""
    if state.turn is None or state.turn.who != name or state.find(name).hp > 0:
        return state, log
    state, more = finish(state)
    return state, [*log, *more]


def _plain(system: System, state: State, name: str) -> Done:
    """What a point buys beside attacks."""
    turn = _turn(state)
    fighter = state.find(turn.who)
    if name == "move" and turn.moved:
        raise HackjackError(f"{turn.who} has moved already: once in a turn is all")
    if name == "suspend" and fighter.casting != "casting":
        raise HackjackError(f"{turn.who} is not casting: there is no spell to suspend")
    state = _paid(state, cost(name, system), field_fight.ACTION_ROWS[name].lower())
    if name == "move":
        state = replace(state, turn=replace(_turn(state), moved=True))
    elif name == "suspend":
        state = state.with_fighter(replace(fighter, casting="suspended"))
    elif name == "raise":
        slot = field_order.raised(state, turn.who)
        state = state.with_fighter(replace(fighter, initiative=slot))
        return state, [Entry(said.Raised(turn.who, name, fighter.initiative or 0, slot), "F21")]
    return state, [Entry(said.Acts(turn.who, name), "F12")]


# --- outside the turn ------------------------------------------------------------------------------------------------


def strike_first(system: System, state: State, name: str, target_name: str, chance: Chance) -> Done:
    """A surprise attack: an ordinary hit that no armour stops (F6, F13).

    Before the first round they are for those who have surprise, one each; later the GM says whose they are (F26).
    """
    roster = Roster(system, state)
    fighter, target = state.find(name), state.find(target_name)
    attacker = roster[fighter.name]
    if not state.round and not attacker.surprise:
        raise HackjackError(f"{fighter.name} has no surprise attack")
    if not state.round and fighter.struck:
        raise HackjackError(f"{fighter.name} has made the surprise attack")
    _check_target(attacker, attacker.side, target, roster)
    if fighter.hp <= 0:
        raise HackjackError(f"{fighter.name} is down and cannot act")
    sooner = [] if state.round else _sooner(state, roster, attacker)
    state = state if state.round else state.with_fighter(replace(fighter, struck=True))
    damage = rolled(attacker.normal, f"{attacker.name}'s damage", chance)
    state, log = hurt(state, replace(target, attacked_by=attacker.name), damage)
    order = [Entry(said.Sooner(attacker.name, sooner), "F6")] if sooner else []
    return state, [*order, Entry(said.Surprise(attacker.name, target.name), "F13"), *log]


def _sooner(state: State, roster: Roster, attacker: Combatant) -> list[str]:
    """Those who have a surprise attack left and more Dexterity: they come first, unless they let it go."""
    waiting = [roster[one.name] for one in state.fighters if one.hp > 0 and not one.struck]
    quicker = [person for person in waiting if person.surprise and person.dexterity > attacker.dexterity]
    return [person.name for person in sorted(quicker, key=lambda person: -person.dexterity)]


def opportunity(system: System, state: State, name: str, target_name: str, chance: Chance) -> Done:
    """A strike at an opponent who leaves one's reach: an ordinary attack, for no point and without a card (F22)."""
    roster = Roster(system, state)
    fighter, target = state.find(name), state.find(target_name)
    attacker = roster[fighter.name]
    if fighter.hp <= 0:
        raise HackjackError(f"{fighter.name} is down and cannot act")
    _check_target(attacker, attacker.side, target, roster)
    state, log = _struck(system, state, attacker, target, False, chance)
    log = [Entry(said.Opportunity(attacker.name, target.name), "F22"), *log]
    return _over(state, log, target.name)


def wound(system: System, state: State, name: str, damage: int, by: str) -> Done:
    """HP are lost out of turn, whatever took them, and no armour counts; `by` is who did it, if anybody (F22)."""
    target = state.find(name)
    if by:
        target = replace(target, attacked_by=_attacker(state, Roster(system, state), state.find(by).name, target))
    state, log = hurt(state, target, damage)
    return _over(state, log, target.name)


def reflex(system: System, state: State, name: str, *, success: bool, cover: bool) -> Done:
    """A reflex save and its price: from the turn that runs, or else from the next one to come (F16)."""
    rules = system.field
    fighter = state.find(name)
    price = rules.reflex + (rules.reflex_success if success else 0) - (rules.cover if cover else 0)
    price = max(price, 0)
    fact = said.Reflex(fighter.name, price, success, cover, fighter.acted)
    if state.turn and state.turn.who == fighter.name:
        paid = min(price, state.turn.points)
        state = replace(state, turn=replace(state.turn, points=state.turn.points - paid))
        fighter = replace(fighter, owed=fighter.owed + price - paid)
    else:
        fighter = replace(fighter, owed=fighter.owed + price)
    return state.with_fighter(fighter), [Entry(fact, "F16")]


def heal(system: System, state: State, name: str, amount: int, chance: Chance) -> Done:
    """HP come back, up to what the combatant began with; who was down finds a free slot again, or rolls for one."""
    fighter = state.find(name)
    hp = min(fighter.hp + amount, Roster(system, state)[fighter.name].hp)
    log: list[FieldEntry] = [Entry(said.Heal(fighter.name, hp - fighter.hp, hp))]
    if hp > 0 and fighter.initiative is None:
        if fighter.total is not None:
            fighter = replace(fighter, initiative=field_order.below(state, fighter.name, fighter.total))
        elif field_order.ordered(state):
            fighter, more = field_order.late(system, state, fighter, chance)
            log += more
    return state.with_fighter(replace(fighter, hp=hp)), log


def new_round(system: System, state: State, chance: Chance, *, later: bool) -> Done:
    """The next round, with the one re-sequencing of initiative where it is asked for (F15)."""
    if not state.round:
        raise HackjackError("the first round begins with initiative")
    state, log = finish(state)
    if (due := next_up(state)) is not None:
        raise HackjackError(f"the round is not over: {due.name} has yet to act")
    roster = Roster(system, state)
    if later:
        if state.resequenced:
            raise HackjackError("initiative has been put in a new order already: that happens once in a fight")
        state, moved = field_order.resequenced(state, lambda one, two: roster[one].side != roster[two].side)
        log += moved or [Entry(said.Unmoved(), "F15")]
    fighters, away = (tuple(replace(one, acted=False) for one in group) for group in (state.fighters, state.away))
    before = depth(system, state)
    state = replace(state, fighters=fighters, away=away, round=state.round + 1)
    log.append(Entry(said.Round(state.round), "F15" if later else ""))
    if state.columns and depth(system, state) > before:
        state, more = field_table.deepen(system, state, chance)
        log += more
    return state, [*log, field_order.order_entry(state, roster)]
