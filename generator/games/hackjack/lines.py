"""Log entries as lines: what happened at the table, in the words that the cards use."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from generator.base.cards import name_of
from generator.base.dice import Dice
from generator.model.log import Entry
from generator.model.rules import Check, Lose, Penalty, System, Until, is_permanent
from generator.words.effects import effect_sentences, wound_says
from generator.words.logged_effects import EFFECT_LINES
from generator.words.wording import MINUS, Sentence, counted, dropped, joined, lasting, measured

Facts = dict[str, Any]


def line(entry: Entry, system: System) -> str:
    """One entry as a sentence. Raises KeyError for a kind that nothing says."""
    text = _TEXTS.get(entry.kind)
    return text.format(**entry.facts) if text else _LINES[entry.kind](entry.facts, system)


def state_line(state: Facts) -> str:
    """A state in one line, as plain data: `death-score 12 (3 as tokens), Blood 2, Trauma 3`."""
    if state["dead"]:
        return f"dead, with a death-score of {state['score']}"
    tokens = f" ({state['tokens']} as tokens)" if state["tokens"] else ""
    parts = [f"{state['hp']} HP"] if state["hp"] else []
    parts += [f"death-score {state['score']}{tokens}", f"Blood {state['blood']}", f"Trauma {state['trauma']}"]
    return ", ".join([*parts, *(["holding"] if state["holding"] else [])])


def wound_line(wound: Facts, system: System, nth: int | None = None) -> str:
    """A lasting effect as a character bears it: `Your arms are useless until you recover`."""
    _, says, until = wound_cells(wound, system, nth)
    return f"{says} {until}".strip()


def wounds_told(wounds: Iterable[Facts], system: System) -> Iterator[tuple[str, str, str]]:
    """The lasting effects of a character as `wound_cells`; of several alike on one card each in its own words."""
    seen: Counter[tuple[str, str, str]] = Counter()
    for wound in wounds:
        like = (wound["card"], wound.get("effect", ""), wound.get("until", ""))
        yield wound_cells(wound, system, seen[like])
        seen[like] += 1


def wound_cells(wound: Facts, system: System, nth: int | None = None) -> tuple[str, str, str]:
    """A lasting effect as a line of a list: its card, what it is, and until when.

    `nth` says which of several alike on its card it is, from 0, where that is known.
    """
    wound = {"effect": "", "until": "permanent", "to": (), "by": (), "place": "", **wound}
    if own := _own_words(wound, system, nth):
        return wound["card"], own.says, own.until
    says = wound_says(wound, system) or system.cards[wound["card"]].name
    after = ", from recovery on" if wound.get("begins") == "recovery" else ""
    return wound["card"], says, f"{_ends_by(wound, system)}{after}"


def _ends_by(wound: Facts, system: System) -> str:
    """Until when; a check that has to be rolled again says its die."""
    until = Until.parse(wound["until"])
    checks = [effect for effect in system.cards[wound["card"]].effects if isinstance(effect, Check)]
    if until.word == "check" and len(checks) == 1:
        return f"until {checks[0].die.spoken} shows more than your death-score"
    return lasting(until)


def _own_words(wound: Facts, system: System, nth: int | None) -> Sentence | None:
    """A lasting effect in its card's own words, with what it costs and what keeps it off.

    An effect that is not named stands for all that the card leaves for good. None where the card has none like it, or
    several that this wound cannot be told from.
    """
    effects = system.cards[wound["card"]].effects
    if not wound["effect"]:
        stays = [effect_sentences(effect, system)[0] for effect in effects if is_permanent(effect)]
        return Sentence(". ".join(sentence.says for sentence in stays), stays[-1].until) if stays else None
    until, alike = Until.parse(wound["until"]), []
    for effect in effects:
        own, event = getattr(effect, "until", None), getattr(effect, "event", None)
        # What was rolled, or is gone, the wound knows better than its card.
        if effect.do != wound["effect"] or isinstance(effect, Penalty | Lose) or own is None:
            continue
        sentence = effect_sentences(effect, system)[0]
        named = all(system.head.statistics[name].name in sentence.says for name in wound["to"])
        if named and own.word == until.word and wound.get("event", event) == event:
            alike.append(sentence if until.amount is None else sentence._replace(until=lasting(until)))
    if alike and nth is not None:
        return alike[nth % len(alike)]
    return alike[0] if len(set(alike)) == 1 else None


def _hit(facts: Facts, system: System) -> str:
    del system
    left = f"; {facts['hp']} HP {'is' if facts['hp'] == 1 else 'are'} left" if facts["hp"] else ""
    return f"A hit for {facts['damage']}{left}."


def _score(facts: Facts, system: System) -> str:
    del system
    tokens = facts["points"] - facts["carried"]
    extra = f", {tokens} of them as tokens" if tokens else ""
    return f"The death-score rises by {facts['points']}{extra}: it is {facts['score']} now."


def _named(facts: Facts, system: System) -> str:
    return f"{system.cards[facts['card']].name} ({name_of(facts['card'])})"


def _ends(facts: Facts, system: System) -> str:
    stays = ", but for what it leaves for good" if system.cards[facts["card"]].permanent else ""
    return f"{_named(facts, system)} has passed{stays}."


def _red_card(facts: Facts, system: System) -> str:
    del system
    brings = [f"{facts['blood']} more Blood in the pool"] if facts["blood"] else []
    brings += [f"{facts['score']} more death-score"] if facts["score"] else []
    return f"A red card: {joined(brings)}."


def _enters(facts: Facts, system: System) -> str:
    del system
    below = facts["below"]
    return f"HP would be {MINUS}{below}: a card is drawn." if below else "0 HP: a card is drawn."


def _drop(facts: Facts, system: System) -> str:
    del system
    return f"You drop {dropped(facts['what'])}."


def _reshuffle(facts: Facts, system: System) -> str:
    del system
    return f"The deck was empty: {counted(facts['cards'], 'card')} shuffled back in."


def _rest(facts: Facts, system: System) -> str:
    del system
    return f"A night of {facts['hours']} hours{', in comfort' if facts['comfort'] else ''}."


def _passes(facts: Facts, system: System) -> str:
    del system
    said = measured(facts["amount"], facts["unit"])
    return f"{said} {'passes' if facts['amount'] == 1 else 'pass'}."


def _mends(facts: Facts, system: System) -> str:
    del system
    left = str(facts["left"])
    return f"{left} of recovery {'is' if left.startswith('1 ') else 'are'} left."


def _recovered(facts: Facts, system: System) -> str:
    del system
    return f"Recovered after {measured(facts['amount'], facts['unit'])}: Trauma is gone."


def _peek(facts: Facts, system: System) -> str:
    if not facts["next"]:
        return "Look at the next card of the deck and leave it there."
    return f"The next card is {facts['next']}, {system.cards[facts['next']].name}; it stays there."


def _recovery(facts: Facts, system: System) -> str:
    del system
    number, unit = str(facts["lasts"]).split()
    lasts = f"{Dice.parse(number).spoken} {unit}"
    doubt = " (reconstructed)" if facts["reconstructed"] else ""
    return f"With Trauma {facts['trauma']} recovery will take {lasts}{doubt}, once Blood and death-score are 0."


_TEXTS = {
    "massive": "Damage of {damage} is massive: it stands for the card's score.",
    "at_zero": "Exactly 0 HP: no card yet.",
    "outright": f"{MINUS}{{below}} HP: death at once, without a card.",
    "flow": "{blood} Blood flows: the death-score is {score}.",
    "held": "You hold {blood} Blood in.",
    "blood": "{blood} Blood into the pool: it holds {pool}.",
    "trauma": "Trauma is {trauma} now.",
    "spare": "A lucky break: no wound and no death-score.",
    "join": "An old wound opens: {blood} Blood into the pool.",
    "death": "A death-score of {score} is over {limit}: dead.",
    "reset": "Exactly {limit}: the death-score starts again at 0.",
    "poison_hp": "Poison: {points} HP are lost; {hp} are left.",
    "no_draw": "A critical miss draws no card here.",
    "poison": "Poison: the death-score rises by {points} to {score}.",
    "drain": "Life itself is struck: the death-score rises by {points} to {score}.",
    "bleed": "{blood} Blood into the pool: it holds {pool}.",
    "locate": "It is the {place}.",
    "heal_blood": "{blood} Blood healed: the pool holds {pool}.",
    "heal_score": "{points} death-score healed: it is {score} now.",
    "heal_hp": "{points} HP healed: {hp} HP.",
    "hold": "You hold your wounds: walk or defend, nothing else.",
    "release": "You let go: the next hit lets the Blood flow.",
    "lapses": "You no longer hold your wounds: that was for the round.",
    "full": "HP are full at {most}: the rest of the healing is lost.",
    "most_hp": "You can have {most} HP at most now.",
    "stand": "You stand up.",
    "clear": "What was in the way is cleaned off.",
    "wake": "Somebody wakes you.",
    "lifts_trauma": "Great magic: Trauma {trauma} is gone, and no recovery is needed.",
    "acts": "Nothing keeps you from acting.",
    "check_passed": "{die} shows {rolled}, over {over}: you hold out.",
    "check_failed": "{die} shows {rolled}, not over {over}: you fail.",
    "awake": "{die} shows {rolled}, over {over}: you stay awake.",
    "mended": "There is no Trauma to recover from: what lasted until recovery is over.",
    "passes_out": "{die} shows {rolled}, not over {over}: you pass out until someone wakes you.",
}
_LINES: dict[str, Callable[[Facts, System], str]] = {
    **EFFECT_LINES,
    "hit": _hit,
    "enters": _enters,
    "draw": lambda facts, system: f"Drawn: {facts['card']}, {_named(facts, system)}.",
    "score": _score,
    "choose": lambda facts, system: f"Chosen: {_named(facts, system)}.",
    "repeat": lambda facts, system: f"Once more: {_named(facts, system)}.",
    "wound": lambda facts, system: f"{wound_line(facts, system)}.",
    "ends": _ends,
    "red_card": _red_card,
    "drop": _drop,
    "peek": _peek,
    "reshuffle": _reshuffle,
    "rest": _rest,
    "passes": _passes,
    "mends": _mends,
    "lifts": lambda facts, system: f"Lifted: {_named(facts, system)}.",
    "recovery": _recovery,
    "recovered": _recovered,
}
