"""A fight over a field of cards, said: log entries as lines, the field as a picture in letters."""

from collections.abc import Mapping, Sequence
from typing import Any, assert_never

from generator.base.cards import name_of
from generator.games.fiftytwo import log as said
from generator.games.fiftytwo.fight import ACTION_ROWS
from generator.games.fiftytwo.log import FieldFact
from generator.model.log import Log
from generator.words.wording import MINUS, counted_noun, joined_words, measured_unit

Facts = Mapping[str, Any]

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


def field_sentence(fact: FieldFact) -> str:  # noqa: C901, PLR0915 - a sentence a case
    """Return a fact as a sentence, or as the lines of a picture."""
    match fact:
        case said.Join(who, side, hp):
            return f"{who} joins the {side} with {hp} HP."
        case said.Leave(who):
            return f"{who} is out of the fight."
        case said.Total(who, parts, total):
            return f"{who}: {sum_of(parts, total)}."
        case said.NoRoll(people):
            verbs = ("is", "rolls") if len(people) == 1 else ("are", "roll")
            return f"{joined_words(people)} {verbs[0]} down and {verbs[1]} no initiative."
        case said.Late(who, slot, waits):
            when = "from the next round on" if waits else "in this round"
            return f"{who} comes in at {slot} and acts {when}."
        case said.Order(order, sides):
            # Allies on the left, enemies on the right, as the list is kept at the table.
            lines = [
                f"{slot:>4}  " + (name if side == "allies" else f"{'':<24}{name}")
                for (name, slot), side in zip(order, sides, strict=True)
            ]
            return "\n".join(lines) if lines else "Nobody is left in the order."
        case said.Hold(who, before, after):
            return f"{who} waits: from {before} down to {after}."
        case said.Raised(who, _, before, after):
            return f"{who} rises from {before} to {after}."
        case said.Resequenced(who, before, after, above):
            return f"{who}, attacked by {above}, goes from {before} to {after}."
        case said.Unmoved():
            return "Nobody has to move: the order stays."
        case said.Round(count):
            return f"Round {count} begins."
        case said.TieUp(at, who, losers, by, to):
            return f"{who} and {joined_words(losers)} share {at}: {_BREAKERS[by]} takes {who} up to {to}."
        case said.TieDown(at, who, losers, by, to):
            falls = f"{joined_words(losers)} {'drops' if len(losers) == 1 else 'drop'} to {to}"
            return f"{who} and {joined_words(losers)} share {at}: {_BREAKERS[by]} keeps {who} there, {falls}."
        case said.Quicker(side, choice):
            does = {1: "add a column", -1: "take a column away", 0: "leave the columns as they are"}
            other = f"add {choice}" if choice > 0 else f"take {-choice} away"
            return f"The {side} have the higher initiative and {does.get(choice, other)}."
        case said.Columns(base, allies, surprise, choice, width, padding):
            kept = [base, allies, *filter(None, (surprise, choice))]
            more = f"; {padding} cards of a second deck belong in the deck" if padding else ""
            return f"{sum_of(kept, width)} columns{more}."
        case said.Padding(cards):
            return f"{counted_noun(len(cards), 'card')} of a second deck: {' '.join(cards)}."
        case said.Deal(width, depth, reserve):
            return f"{width} columns of {depth} are dealt; {reserve} cards are left in the pool."
        case said.Field(columns):
            return "\n".join(field_lines(columns))
        case said.AmbushTake(who, card, column):
            return f"{who} takes {card} out of column {column}."
        case said.AmbushAdd(who, card, column):
            return f"{who} puts {card} on column {column}."
        case said.Reshuffle(count):
            return f"The pool is empty: {count} discards are shuffled and become the pool."
        case said.Deepened(count):
            return f"{count} cards are laid on top of the columns."
        case said.Bottom(_, _, cards) | said.Higher(_, _, cards) | said.Pair(_, _, cards):
            return f"{joined_words([*map(name_of, cards)])} {'leaves' if len(cards) == 1 else 'leave'} the field."
        case said.Add(_, _, cards, column):
            return f"{joined_words([*map(name_of, cards)])} {'goes' if len(cards) == 1 else 'go'} on column {column}."
        case said.Opens(normals, criticals):
            opens = normals or criticals
            return f"That opens {opened_attacks(normals, criticals)}." if opens else "No attack is opened."
        case said.NoMove(side):
            return f"The {side} can do nothing on the field."
        case said.MoreMoves(count, side):
            return f"{counted_noun(count, 'other move')} can be made: moves {side} all."
        case said.Move(move, cards, cost, normals, criticals):
            listed = f" ({' '.join(cards)})" if len(cards) > 1 and move.startswith("take") else ""
            return f"{move}{listed}: {move_terms(cost, normals, criticals)}"
        case said.Points():
            return _points_line(fact)
        case said.Purse(who, points, free, normals, criticals):
            return f"{who} has {points_and_free(points, free)} left{_open_now(normals, criticals)}."
        case said.SpellLeft(who, casting):
            goes_on = "act spell goes on, act suspend lets it wait, single cards taken give it up"
            return {
                "casting": f"{who} is casting: {goes_on}.",
                "suspended": f"A spell of {who} is suspended: act spell goes on with it.",
                "done": f"A spell of {who} is done and works before anything else in the next turn.",
                "due": f"The spell of {who} works now, before anything else: deliver {who} TARGET DAMAGE.",
            }[casting]
        case said.Next(who, initiative):
            return f"{who} is next, with an initiative of {initiative}."
        case said.RoundOver(resequenced):
            return f"Everybody has acted: {next_round(resequenced)}."
        case said.TurnEnds(who, points, free, normals, criticals):
            lost = points_left(points, free)
            lost += [opened_attacks(normals, criticals)] if normals or criticals else []
            return f"{who} ends the turn{f', and loses {joined_words(lost)}' if lost else ''}."
        case said.Attack(who, target, critical, cost):
            kind = "makes a critical attack on" if critical else "attacks"
            return f"{who} {kind} {target}, {attack_price(cost)}."
        case said.Aims(who, critical):
            return f"{who} makes {'a critical attack' if critical else 'an attack'}: the game master says on whom."
        case said.Withstood(_, hits, needed):
            return f"The armour takes it: {hits} of {needed}."
        case said.Through(_, hits, needed):
            return f"It gets through: {f'{hits} of {needed}' if hits == needed else f'the threshold is {needed}'}."
        case said.Damage(who, damage, hp):
            return f"{who} takes {damage} and has {hp} HP."
        case said.Down(who):
            return f"{who} is down."
        case said.Heal(who, amount, hp):
            return f"{who} gets {amount} HP back and has {hp}."
        case said.Abandoned(who):
            return f"{who} gives up the spell."
        case said.Casting(who):
            return f"{who} casts for a round."
        case said.Cast(who):
            return f"{who} has cast the spell: it works just before the next turn of {who}."
        case said.SpellWorks(who):
            return f"The spell of {who} works, and harms nobody."
        case said.Spell(who, target):
            return f"The spell of {who} strikes {target}, past all armour; it counts as a hit."
        case said.Acts(who, act):
            return f"{who}: {ACTION_ROWS[act].lower()}."
        case said.Sooner(who, sooner):
            verb = "has" if len(sooner) == 1 else "have"
            return f"{joined_words(sooner)} {verb} more Dexterity and would strike before {who}."
        case said.Surprise(who, target):
            return f"{who} surprises {target}; no armour counts."
        case said.Opportunity(who, target):
            return f"{target} leaves the reach of {who}, who strikes for nothing."
        case said.Threshold():
            return _threshold(fact)
        case said.Reflex(who, price, success, _, acted):
            when = "the next round" if acted else "this round"
            costs = f"costs {measured_unit(price, 'point')} of {when}" if price else "costs nothing"
            return f"{who}'s reflex save {'succeeds' if success else 'fails'} and {costs}."
        case _:
            assert_never(fact)


def state_line(plain: Facts) -> str:
    """Return a fight in one line: the round, whose turn it is, and what lies where."""
    parts = [f"round {plain['round']}" if plain["round"] else "before the first round"]
    turn = plain["turn"]
    if turn:
        left = _open_now(turn["normals"], turn["criticals"])
        parts.append(f"{turn['who']} has {points_and_free(turn['points'], turn['free'])}{left}")
    if plain["columns"]:
        field = sum(map(len, plain["columns"]))
        parts.append(f"{counted_noun(len(plain['columns']), 'column')} with {measured_unit(field, 'card')} in all")
        parts.append(f"{len(plain['reserve'])} in the pool, {len(plain['discard'])} discarded")
    return "; ".join(parts)


def standing_lines(plain: Facts, sides: Mapping[str, str]) -> list[str]:
    """Return everybody in order, allies on the left, with what the fight has left on them; then the field."""
    placed = [fighter for fighter in plain["fighters"] if fighter["initiative"] is not None]
    others = [fighter for fighter in plain["fighters"] if fighter["initiative"] is None]
    lines = []
    for fighter in [*sorted(placed, key=lambda one: -one["initiative"]), *others]:
        slot = "" if fighter["initiative"] is None else str(fighter["initiative"])
        aside = "" if sides.get(fighter["name"]) == "allies" else f"{'':<8}"
        lines.append(f"{slot:>4}  {aside}{fighter['name']}: {', '.join(_condition(fighter))}")
    return [*lines, *(field_lines(plain["columns"]) if plain["columns"] else [])]


_CASTING = {
    "casting": "casting",
    "suspended": "a spell suspended",
    "done": "a spell that works before the next turn",
    "due": "a spell due now",
}


def recalled_lines(log: Log, plain: Facts, *, undone: bool) -> list[str]:
    """Return what undo or redo says of a move: its cards, and the field after it."""
    lines = []
    for fact in (entry.fact for entry in log):
        if isinstance(fact, said.Field) and plain["columns"]:
            lines += field_lines(plain["columns"])
        elif isinstance(fact, said.Bottom | said.Higher | said.Pair | said.Add | said.AmbushTake | said.AmbushAdd):
            cards = [fact.card] if isinstance(fact, said.AmbushTake | said.AmbushAdd) else fact.cards
            leave = isinstance(fact, said.Add | said.AmbushAdd) == undone
            lines.append(f"{'Off' if leave else 'On'} the field again: {' '.join(cards)}")
    return lines


def _condition(fighter: Facts) -> list[str]:
    words = [f"{fighter['hp']} HP" if fighter["hp"] > 0 else f"down at {fighter['hp']} HP"]
    words += [counted_noun(fighter["hits"], "hit") + " on the armour"] if fighter["hits"] else []
    words += [f"owes {measured_unit(fighter['owed'], 'point')}"] if fighter["owed"] else []
    words += [_CASTING[fighter["casting"]]] if fighter["casting"] else []
    return words + (["has acted"] if fighter["acted"] else [])


def next_round(resequenced: bool) -> str:
    """Return how to begin the next round, which may come in a new order once in a fight."""
    return "begin the next one with round" if resequenced else "begin the next one with later-initiative, or round"


def points_and_free(points: int, free: int) -> str:
    """Return points in words: `8 points and the free action`."""
    return joined_words([measured_unit(points, "point"), *points_left(0, free)])


def points_left(points: int, free: int) -> list[str]:
    """Return what is left of points and of the free action in words, nothing for nothing."""
    left = [measured_unit(points, "point")] if points else []
    return left + (["the free action" if free == 1 else f"{free} for nothing"] if free else [])


def field_lines(columns: Sequence[Sequence[str]]) -> list[str]:
    """Return the field as it lies: the top row first, each column under its number, the bottom row last."""
    height = max(map(len, columns), default=0)
    lines = ["     " + "".join(f"{at:>4}" for at in range(1, len(columns) + 1))]
    for row in range(height - 1, -1, -1):
        cards = "".join(f"{column[row] if row < len(column) else '.':>4}" for column in columns)
        lines.append(f"{row + 1:>4} {cards}".rstrip())
    return lines


def opened_attacks(normals: int, criticals: int) -> str:
    """Return opened attacks in words: `a critical attack and two attacks`."""
    parts = []
    if criticals:
        parts.append("a critical attack" if criticals == 1 else f"{criticals} critical attacks")
    if normals:
        parts.append("an attack" if normals == 1 else f"{normals} attacks")
    return joined_words(parts) if parts else "nothing"


def attack_price(cost: int) -> str:
    """Return an attack's price in words: `for 1 point`."""
    return f"for {measured_unit(cost, 'point')}" if cost else "for nothing: the armour is weak against it"


def move_terms(cost: int, normals: int, criticals: int) -> str:
    """Return a move's price and attacks in words: `1 point, opens a critical attack`."""
    return f"{measured_unit(cost, 'point')}, opens {opened_attacks(normals, criticals)}"


def sum_of(parts: Sequence[int], total: int) -> str:
    """Return a sum as it is added up: `3 + 1 + 2 + 10 = 16`."""
    text = " ".join(f"{'+' if part >= 0 else MINUS} {abs(part)}" for part in parts).removeprefix("+ ")
    return f"{text} = {total}"


def _open_now(normals: int, criticals: int) -> str:
    return f", with {opened_attacks(normals, criticals)} open" if normals or criticals else ""


def _points_line(fact: said.Points) -> str:
    base, magic, attack, class_bonus, circumstance, defence = fact.parts
    named = [
        (base, _BASES[fact.uses]),
        (magic, "magic"),
        (attack, "attack"),
        (class_bonus, "class"),
        (circumstance, "circumstances"),
        (-defence, f"the defence of {joined_words(fact.reach)}" if fact.reach else ""),
        (-fact.paid, "reflex saves"),
    ]
    # A number that nobody gave is said, so that it is missed.
    kept = [pair for at, pair in enumerate(named) if pair[0] or (at == 0 and fact.uses in ("bonus", "challenge"))]
    text = " ".join(f"{'+' if value >= 0 else MINUS} {abs(value)} {name}" for value, name in kept).removeprefix("+ ")
    why = f" ({text})" if text else ""
    return f"{fact.who} has {points_and_free(fact.points, fact.free)}{why}, and {fact.seconds} seconds a decision."


def _threshold(fact: said.Threshold) -> str:
    base, shield, magic, total = fact.parts
    capped = total - base - shield
    parts = [base, *filter(None, (shield, capped))]
    cap = f" (magic {magic:+d}, capped)".replace("-", MINUS) if capped != magic else ""
    weak = "" if fact.cost else ", and its attacks cost nothing"
    taken = f"; {counted_noun(fact.hits, 'hit')} taken already" if fact.hits else ""
    return (
        f"{fact.target} against {fact.attacker} (+{fact.bonus}): {sum_of(parts, total)} hits{cap}; "
        f"weak against {fact.weak}{weak}{taken}."
    )
