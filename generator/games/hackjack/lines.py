"""Log entries as lines: what happened at the table, in the words that the cards use."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, assert_never

from generator.base.cards import name_of
from generator.base.dice import Dice
from generator.games.hackjack import log as said
from generator.games.hackjack.log import HackjackFact
from generator.model.log import Entry
from generator.model.rules import Check, Lose, Penalty, System, Until, is_permanent
from generator.play import log as effects
from generator.words.effects import effect_sentences, wound_says
from generator.words.wording import (
    DAGGER,
    MINUS,
    Sentence,
    counted_noun,
    dropped_words,
    duration_clause,
    joined_words,
    measured_unit,
)

Facts = dict[str, Any]


def line(fact: HackjackFact, system: System) -> str:  # noqa: C901 - a sentence a case
    """A fact as a sentence."""
    match fact:
        case said.HarmPlainFact():
            return fact.value
        case said.Hit(damage, hp):
            left = f"; {hp} HP {'is' if hp == 1 else 'are'} left" if hp else ""
            return f"A hit for {damage}{left}."
        case said.Massive(damage):
            return f"Damage of {damage} is massive: it stands for the card's score."
        case said.Outright(below):
            return f"{MINUS}{below} HP: death at once, without a card."
        case said.Enters(below):
            return f"HP would be {MINUS}{below}: a card is drawn." if below else "0 HP: a card is drawn."
        case said.Flow(blood, score):
            return f"{blood} Blood flows: the death-score is {score}."
        case said.Held(blood):
            return f"You hold {blood} Blood in."
        case said.Draw(card):
            return f"Drawn: {card}, {_named(card, system)}."
        case said.Choose(card):
            return f"Chosen: {_named(card, system)}."
        case said.Repeat(card):
            return f"Once more: {_named(card, system)}."
        case said.Spare():
            return "A lucky break: no wound and no death-score."
        case said.RedCard(blood, score):
            brings = [f"{blood} more Blood in the pool"] if blood else []
            brings += [f"{score} more death-score"] if score else []
            return f"A red card: {joined_words(brings)}."
        case said.Score(_, points, carried, score):
            extra = f", {points - carried} of them as tokens" if points > carried else ""
            return f"The death-score rises by {points}{extra}: it is {score} now."
        case said.Blood(blood, _, pool) | said.Bleed(blood, pool):
            return f"{blood} Blood into the pool: it holds {pool}."
        case said.Trauma(trauma):
            return f"Trauma is {trauma} now."
        case said.Death(score, limit):
            return f"A death-score of {score} is over {limit}: dead."
        case said.Reset(limit):
            return f"Exactly {limit}: the death-score starts again at 0."
        case said.Join(blood):
            return f"An old wound opens: {blood} Blood into the pool."
        case said.PoisonHp(points, hp):
            return f"Poison: {points} HP are lost; {hp} are left."
        case said.Poison(points, score):
            return f"Poison: the death-score rises by {points} to {score}."
        case said.Drain(points, score):
            return f"Life itself is struck: the death-score rises by {points} to {score}."
        case said.Reshuffle(cards):
            return f"The deck was empty: {counted_noun(cards, 'card')} shuffled back in."
        case said.MostHp(most):
            return f"You can have {most} HP at most now."
        case said.HealBlood(blood, pool):
            return f"{blood} Blood healed: the pool holds {pool}."
        case said.HealScore(points, score):
            return f"{points} death-score healed: it is {score} now."
        case said.HealHp(points, hp):
            return f"{points} HP healed: {hp} HP."
        case said.Full(most):
            return f"HP are full at {most}: the rest of the healing is lost."
        case said.Recovery(lasts, trauma, reconstructed):
            number, unit = lasts.split()
            doubt = " (reconstructed)" if reconstructed else ""
            takes = f"{Dice.parse(number).spoken} {unit}{doubt}"
            return f"With Trauma {trauma} recovery will take {takes}, once Blood and death-score are 0."
        case said.Rest(hours, comfort):
            return f"A night of {hours} hours{', in comfort' if comfort else ''}."
        case said.Passes(amount, unit):
            return f"{measured_unit(amount, unit)} {'passes' if amount == 1 else 'pass'}."
        case said.Ends(card):
            stays = ", but for what it leaves for good" if system.cards[card].permanent else ""
            return f"{_named(card, system)} has passed{stays}."
        case said.Mends(left):
            return f"{left} of recovery {'is' if left.startswith('1 ') else 'are'} left."
        case said.Recovered(amount, unit):
            return f"Recovered after {measured_unit(amount, unit)}: Trauma is gone."
        case said.Lifts(card):
            return f"Lifted: {_named(card, system)}."
        case said.LiftsTrauma(trauma):
            return f"Great magic: Trauma {trauma} is gone, and no recovery is needed."
        case said.Awake(die, rolled, over):
            return f"{die} shows {rolled}, over {over}: you stay awake."
        case said.PassesOut(die, rolled, over):
            return f"{die} shows {rolled}, not over {over}: you pass out until someone wakes you."
        case effects.CheckPassed() | effects.CheckFailed() | effects.Maybe() | effects.Grip() | effects.Peek():
            return effects.effect_line(fact, system)
        case effects.LocateFact(_, place):
            return f"It is the {place}."
        case effects.DropFact(what):
            return f"You drop {dropped_words(what)}."
        case effects.WoundFact():
            return f"{wound_line(Entry(fact).facts, system)}."
        case _:
            assert_never(fact)


def _named(card: str, system: System) -> str:
    return f"{system.cards[card].name} ({name_of(card)})"


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
    return duration_clause(until)


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
            alike.append(
                sentence._replace(until=duration_clause(until) if until.amount else sentence.until.strip(DAGGER))
            )
    if alike and nth is not None:
        return alike[nth % len(alike)]
    return alike[0] if len(set(alike)) == 1 else None
