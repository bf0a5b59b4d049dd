"""A fight over a field of cards, said: log entries as lines, the field as a picture in letters."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from generator.base.cards import name_of
from generator.games.fiftytwo.fight import ACTION_ROWS
from generator.model.log import OldEntry
from generator.model.rules import System
from generator.words.wording import MINUS, counted, joined, measured

Facts = dict[str, Any]

_BREAKERS = {
    "total": "the higher first total",
    "surprise": "surprise",
    "roll": "the higher roll",
    "modifier": "the higher initiative modifier",
    "magic": "the higher magical attack",
    "dexterity": "the higher Dexterity",
    "intelligence": "the higher Intelligence",
    "low_strength": "the lower Strength",
    "roll_off": "the roll-off",
}
_BASES = {"strength": "Strength", "dexterity": "Dexterity", "bonus": "the class's own", "challenge": "by challenge"}


def line(entry: OldEntry, system: System) -> str:
    """One entry as a sentence, or as the lines of a picture. Raises KeyError for a kind that nothing says."""
    del system
    text = _TEXTS.get(entry.kind)
    return text.format(**entry.facts) if text else _LINES[entry.kind](entry.facts)


def state_line(plain: Facts) -> str:
    """A fight in one line: the round, whose turn it is, and what lies where."""
    parts = [f"round {plain['round']}" if plain["round"] else "before the first round"]
    turn = plain["turn"]
    if turn:
        told = f"{turn['who']} has {purse(turn['points'], turn['free'])}"
        told += (
            f", with {opened(turn['normals'], turn['criticals'])} open" if turn["normals"] or turn["criticals"] else ""
        )
        parts.append(told)
    if plain["columns"]:
        field = sum(map(len, plain["columns"]))
        parts.append(f"{counted(len(plain['columns']), 'column')} with {measured(field, 'card')} in all")
        parts.append(f"{len(plain['reserve'])} in the pool, {len(plain['discard'])} discarded")
    return "; ".join(parts)


def standing(plain: Facts, sides: Mapping[str, str]) -> list[str]:
    """Everybody in order, allies on the left, with what the fight has left on them; then the field."""
    placed = [fighter for fighter in plain["fighters"] if fighter["initiative"] is not None]
    others = [fighter for fighter in plain["fighters"] if fighter["initiative"] is None]
    lines = []
    for fighter in [*sorted(placed, key=lambda one: -one["initiative"]), *others]:
        slot = "" if fighter["initiative"] is None else str(fighter["initiative"])
        aside = "" if sides.get(fighter["name"]) == "allies" else f"{'':<8}"
        lines.append(f"{slot:>4}  {aside}{fighter['name']}: {', '.join(_condition(fighter))}")
    return [*lines, *(picture(plain["columns"]) if plain["columns"] else [])]


_CASTING = {
    "casting": "casting",
    "suspended": "a spell suspended",
    "done": "a spell that works before the next turn",
    "due": "a spell due now",
}


def recalled(log: Sequence[OldEntry], plain: Facts, *, undone: bool) -> list[str]:
    """What undo and redo say of a move: the cards that it was about, and the field as it lies then."""
    lines = []
    for entry in log:
        if entry.kind in (*_TAKES, *_ADDS):
            on = (entry.kind in _TAKES) == undone
            cards = " ".join(entry.facts.get("cards") or (entry.facts["card"],))
            lines.append(f"{'On' if on else 'Off'} the field again: {cards}")
    changed = any(entry.kind == "field" for entry in log) and plain["columns"]
    return [*lines, *(picture(plain["columns"]) if changed else [])]


_TAKES = ("bottom", "higher", "pair", "ambush_take")
_ADDS = ("add", "ambush_add")


def _condition(fighter: Facts) -> list[str]:
    said = [f"{fighter['hp']} HP" if fighter["hp"] > 0 else f"down at {fighter['hp']} HP"]
    said += [counted(fighter["hits"], "hit") + " on the armour"] if fighter["hits"] else []
    said += [f"owes {_points(fighter['owed'])}"] if fighter["owed"] else []
    said += [_CASTING[fighter["casting"]]] if fighter["casting"] else []
    return said + (["has acted"] if fighter["acted"] else [])


def purse(points: int, free: int) -> str:
    """What can be spent, in words: `8 points and the free action`."""
    free_words = " and the free action" if free == 1 else f" and {free} for nothing" if free else ""
    return f"{_points(points)}{free_words}"


def _points(count: int) -> str:
    return f"{count} point" + ("" if count == 1 else "s")


def picture(columns: Sequence[Sequence[str]]) -> list[str]:
    """The field as it lies: the top row first, each column under its number, the bottom row last."""
    height = max(map(len, columns), default=0)
    lines = ["     " + "".join(f"{at:>4}" for at in range(1, len(columns) + 1))]
    for row in range(height - 1, -1, -1):
        cards = "".join(f"{column[row] if row < len(column) else '.':>4}" for column in columns)
        lines.append(f"{row + 1:>4} {cards}".rstrip())
    return lines


def opened(normals: int, criticals: int) -> str:
    """What a move opens, in words: `a critical attack and two attacks`."""
    parts = []
    if criticals:
        parts.append("a critical attack" if criticals == 1 else f"{criticals} critical attacks")
    if normals:
        parts.append("an attack" if normals == 1 else f"{normals} attacks")
    return joined(parts) if parts else "nothing"


def sum_of(parts: Sequence[int], total: int) -> str:
    """A sum as it is added up: `3 + 1 + 2 + 10 = 16`."""
    text = " ".join(f"{'+' if part >= 0 else MINUS} {abs(part)}" for part in parts)
    first = text.removeprefix("+ ")
    return f"{first} = {total}"


def _total(facts: Facts) -> str:
    return f"{facts['who']}: {sum_of(facts['parts'], facts['total'])}."


def _tie(facts: Facts) -> str:
    losers = joined(facts["losers"])
    by = _BREAKERS[facts["by"]]
    if facts["to"] > facts["at"]:
        return f"{facts['winner']} and {losers} share {facts['at']}: {by} takes {facts['winner']} up to {facts['to']}."
    falls = f"{losers} {'drops' if len(facts['losers']) == 1 else 'drop'} to {facts['to']}"
    return f"{facts['winner']} and {losers} share {facts['at']}: {by} keeps {facts['winner']} there, {falls}."


def _order(facts: Facts) -> str:
    """Allies on the left, enemies on the right, as the list is kept at the table."""
    lines = [
        f"{slot:>4}  " + (name if side == "allies" else f"{'':<24}{name}")
        for (name, slot), side in zip(facts["order"], facts["sides"], strict=True)
    ]
    return "\n".join(lines) if lines else "Nobody is left in the order."


def _columns(facts: Facts) -> str:
    parts = [facts["base"], facts["allies"], facts["surprise"], facts["choice"]]
    kept = [part for place, part in enumerate(parts) if part or place < 2]
    more = f"; {facts['padding']} cards of a second deck belong in the deck" if facts["padding"] else ""
    return f"{sum_of(kept, facts['width'])} columns{more}."


def _quicker(facts: Facts) -> str:
    choice = {1: "add a column", -1: "take a column away", 0: "leave the columns as they are"}
    does = choice.get(facts["choice"]) or (
        f"add {facts['choice']}" if facts["choice"] > 0 else f"take {-facts['choice']} away"
    )
    return f"The {facts['side']} have the higher initiative and {does}."


def _points_line(facts: Facts) -> str:
    base, magic, attack, class_bonus, circumstance, defence = facts["parts"]
    named = [
        (base, _BASES[facts["uses"]]),
        (magic, "magic"),
        (attack, "attack"),
        (class_bonus, "class"),
        (circumstance, "circumstances"),
        (-defence, f"the defence of {joined(facts['reach'])}" if facts["reach"] else ""),
        (-facts["paid"], "reflex saves"),
    ]
    # A number that nobody gave is said, so that it is missed.
    kept = [pair for at, pair in enumerate(named) if pair[0] or (at == 0 and facts["uses"] in ("bonus", "challenge"))]
    text = " ".join(f"{'+' if value >= 0 else MINUS} {abs(value)} {name}" for value, name in kept).removeprefix("+ ")
    why = f" ({text})" if text else ""
    return (
        f"{facts['who']} has {purse(facts['points'], facts['free'])}{why}, and {facts['seconds']} seconds a decision."
    )


def _purse(facts: Facts) -> str:
    open_now = facts["normals"] or facts["criticals"]
    left = f", with {opened(facts['normals'], facts['criticals'])} open" if open_now else ""
    return f"{facts['who']} has {purse(facts['points'], facts['free'])} left{left}."


def _spell_left(facts: Facts) -> str:
    who = facts["who"]
    return {
        "casting": f"{who} is casting: act spell goes on, act suspend lets it wait, single cards taken give it up.",
        "suspended": f"A spell of {who} is suspended: act spell goes on with it.",
        "done": f"A spell of {who} is done and works before anything else in the next turn.",
        "due": f"The spell of {who} works now, before anything else: deliver {who} TARGET DAMAGE.",
    }[facts["casting"]]


def _no_roll(facts: Facts) -> str:
    verbs = ("is", "rolls") if len(facts["who"]) == 1 else ("are", "roll")
    return f"{joined(facts['who'])} {verbs[0]} down and {verbs[1]} no initiative."


def _late(facts: Facts) -> str:
    when = "from the next round on" if facts["waits"] else "in this round"
    return f"{facts['who']} comes in at {facts['slot']} and acts {when}."


def _turn_ends(facts: Facts) -> str:
    lost = [_points(facts["points"])] if facts["points"] else []
    lost += [opened(facts["normals"], facts["criticals"])] if facts["normals"] or facts["criticals"] else []
    left = f", and loses {joined(lost)}" if lost else ""
    return f"{facts['who']} ends the turn{left}."


def _field(facts: Facts) -> str:
    return "\n".join(picture(facts["columns"]))


def _move(facts: Facts) -> str:
    brings = opened(facts["normals"], facts["criticals"])
    then = f"; leaves {facts['then']} in one move" if facts["then"] else ""
    cards = f" ({' '.join(facts['cards'])})" if len(facts["cards"]) > 1 and facts["move"].startswith("take") else ""
    return f"{facts['move']}{cards}: {_points(facts['cost'])}, opens {brings}{then}"


def _taken(facts: Facts) -> str:
    cards = facts["cards"]
    verb = "leaves" if len(cards) == 1 else "leave"
    return f"{joined([name_of(code) for code in cards])} {verb} the field."


def _added(facts: Facts) -> str:
    verb = "goes" if len(facts["cards"]) == 1 else "go"
    return f"{joined([name_of(code) for code in facts['cards']])} {verb} on column {facts['column']}."


def _opens(facts: Facts) -> str:
    brings = opened(facts["normals"], facts["criticals"])
    return "No attack is opened." if brings == "nothing" else f"That opens {brings}."


def _attack(facts: Facts) -> str:
    kind = "makes a critical attack on" if facts["critical"] else "attacks"
    price = "for nothing: the armour is weak against it" if not facts["cost"] else f"for {_points(facts['cost'])}"
    return f"{facts['who']} {kind} {facts['target']}, {price}."


def _withstood(facts: Facts) -> str:
    return f"The armour takes it: {facts['hits']} of {facts['threshold']}."


def _through(facts: Facts) -> str:
    return f"It gets through: {facts['hits']} of {facts['threshold']}."


def _threshold(facts: Facts) -> str:
    base, shield, magic, total = facts["parts"]
    shown = [base, *([shield] if shield else [])]
    capped = total - base - shield
    shown += [capped] if capped else []
    cap = f" (magic {magic:+d}, capped)".replace("-", MINUS) if capped != magic else ""
    weak = "" if facts["cost"] else ", and its attacks cost nothing"
    taken = f"; {counted(facts['hits'], 'hit')} taken already" if facts["hits"] else ""
    return (
        f"{facts['target']} against {facts['attacker']} (+{facts['bonus']}): {sum_of(shown, total)} hits{cap}; "
        f"weak against {facts['weak']}{weak}{taken}."
    )


def _reflex(facts: Facts) -> str:
    came = "succeeds" if facts["success"] else "fails"
    when = "the next round" if facts["acted"] else "this round"
    price = f"costs {_points(facts['price'])} of {when}" if facts["price"] else "costs nothing"
    return f"{facts['who']}'s reflex save {came} and {price}."


def _acts(facts: Facts) -> str:
    return f"{facts['who']}: {ACTION_ROWS[facts['act']].lower()}."


def _sooner(facts: Facts) -> str:
    verb = "has" if len(facts["sooner"]) == 1 else "have"
    return f"{joined(facts['sooner'])} {verb} more Dexterity and would strike before {facts['who']}."


def _padding(facts: Facts) -> str:
    return f"{counted(len(facts['cards']), 'card')} of a second deck: {' '.join(facts['cards'])}."


_TEXTS = {
    "join": "{who} joins the {side} with {hp} HP.",
    "leave": "{who} is out of the fight.",
    "deal": "{columns} columns of {depth} are dealt; {reserve} cards are left in the pool.",
    "ambush_take": "{who} takes {card} out of column {column}.",
    "ambush_add": "{who} puts {card} on column {column}.",
    "hold": "{who} waits: from {from} down to {to}.",
    "raised": "{who} rises from {from} to {to}.",
    "resequenced": "{who}, attacked by {below}, goes from {from} to {to}.",
    "unmoved": "Nobody has to move: the order stays.",
    "round": "Round {round} begins.",
    "reshuffle": "The pool is empty: {cards} discards are shuffled and become the pool.",
    "deepened": "{cards} cards are laid on top of the columns.",
    "damage": "{who} takes {damage} and has {hp} HP.",
    "down": "{who} is down.",
    "heal": "{who} gets {amount} HP back and has {hp}.",
    "surprise": "{who} surprises {target}; no armour counts.",
    "spell": "The spell of {who} strikes {target}, past all armour; it counts as a hit.",
    "spell_works": "The spell of {who} works, and harms nobody.",
    "opportunity": "{target} leaves the reach of {who}, who strikes for nothing.",
    "casting": "{who} casts for a round.",
    "cast": "{who} has cast the spell: it works just before the next turn of {who}.",
    "abandoned": "{who} gives up the spell.",
    "no_move": "The {side} can do nothing on the field.",
}
_LINES: dict[str, Callable[[Facts], str]] = {
    "total": _total,
    "tie_up": _tie,
    "tie_down": _tie,
    "order": _order,
    "quicker": _quicker,
    "columns": _columns,
    "padding": _padding,
    "sooner": _sooner,
    "field": _field,
    "points": _points_line,
    "purse": _purse,
    "spell_left": _spell_left,
    "no_roll": _no_roll,
    "late": _late,
    "turn_ends": _turn_ends,
    "move": _move,
    "bottom": _taken,
    "higher": _taken,
    "pair": _taken,
    "add": _added,
    "opens": _opens,
    "attack": _attack,
    "withstood": _withstood,
    "through": _through,
    "threshold": _threshold,
    "reflex": _reflex,
    "acts": _acts,
}
