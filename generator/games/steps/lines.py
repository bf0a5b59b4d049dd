"""Log entries and states under steps of the author's as sentences."""

from typing import Any, assert_never

from generator.base.sentences import full_stop
from generator.games.steps import log as said
from generator.games.steps.borne import wound_cells
from generator.games.steps.log import StepsFact
from generator.games.steps.state import parse_span
from generator.games.steps.system_views import condition_types
from generator.model.formulas import Formula, Result
from generator.model.log import Told
from generator.model.rules import ENDED_BY_GM, Halve, Penalty, Suffer, System, walk_effects
from generator.play import log as effects
from generator.play.piles import card_of
from generator.words.effect_words import step_words, wound_says
from generator.words.event_wording import until_words
from generator.words.wording import (
    MINUS,
    Sentence,
    capitalised,
    counted_noun,
    die_faces,
    dropped_words,
    fill_placeholders,
    joined_words,
    measured_unit,
    signed_change,
    unit_words,
    word_names,
)

Facts = dict[str, Any]


def name_of(condition: str, system: System) -> str:
    """Return a condition's name, or what it says."""
    known_condition = condition_types(system)[condition]
    return known_condition.name or capitalised(known_condition.brief or known_condition.says)


def signed_figure(value: int | str | None) -> str:
    """Return a number with a real minus sign; a word as it is."""
    return "unknown" if value is None else str(value).replace("-", MINUS)


def spoken_word(value: Result, system: System) -> Result:
    """Return a value as it is said at the table: a word or a part of the body by its name, anything else as it is."""
    return word_names(system).get(value, value) if isinstance(value, str) else value


def fact_sentence(fact: StepsFact, system: System) -> str:
    """Return a fact as a sentence; what a row or a condition does is set in below it."""
    match fact:
        case effects.Maybe(die, rolled, upto, happens):
            verdict = "it comes about" if happens else "it does not come about"
            return f"{die} shows {rolled}, and {die_faces(upto)} brings more: {verdict}."
        case effects.Grip(die, rolled, _, falls):
            return f"Held in both hands: {die} shows {rolled}, and {'it falls' if falls else 'it stays'}."
        case effects.Peek(_, code) if code in system.cards:
            return f"The next card is {code}, {system.cards[code].name}; it stays there."
        case effects.Peek():
            return "Look at the next card of the deck and leave it there."
        case effects.LocateFact(_, place):
            return f"It hits the {place}."
        case effects.DropFact(what):
            inside = "  " if fact.card and system.steps.by_card else "    "
            return f"{inside}You drop {dropped_words(what)}."
        case effects.WoundFact():
            return _wound(fact, system)
        case Told(_, text, _, usual):
            return text or fact_sentence(usual, system)
        case _:
            return _own_line(fact, system)


def _own_line(fact: said.OwnFact, system: System) -> str:
    match fact:
        case said.Said(_, says):
            return says
        case said.Number(name, by, left):
            change = f" {signed_change(by)}" if by else ""
            return f"{system.steps.numbers[name].name}{change}: {signed_figure(left)}."
        case said.Set(name, to):
            procedure = system.steps
            title = procedure.numbers[name].name if name in procedure.numbers else procedure.words[name].name
            return f"{title}: {signed_figure(spoken_word(to, system))}."
        case said.Row():
            return _row(fact, system)
        case said.Nothing(says):
            text = fill_placeholders(says, system)
            return f"  {text}{'' if text.endswith(('.', '!', '?')) else '.'}"
        case said.Remark(says):
            return f"  {fill_placeholders(says, system)}"
        case said.Rolled(dice, faces):
            roll = step_words(system).formula_says(Formula(dice))
            comes = "come" if dice == "degrees" else "comes"
            return f"{capitalised(roll) if roll.startswith('the ') else roll} {comes} to {signed_figure(faces)}."
        case said.Tested():
            return _tested(fact)
        case said.Later(condition, after):
            return f"  {name_of(condition, system)} in {unit_words(after)}, unless it is stopped."
        case said.Stopped(condition, after):
            return f"In time: no {name_of(condition, system)} in {unit_words(after)}."
        case said.Owed(of):
            return f"    A save is owed for {name_of(of, system)}."
        case said.Chance(of):
            return f"A save is owed to recover from {name_of(of, system)}."
        case said.Saved(of, passed):
            return f"The save for {name_of(of, system)} is {'passed' if passed else 'failed'}."
        case said.Recovered(condition):
            return f"{name_of(condition, system)} is overcome."
        case said.ChanceLost(condition, left):
            stays = f"stays; {counted_noun(left, 'chance')} left" if left else "stays for good"
            return f"{name_of(condition, system)} {stays}."
        case said.Ends(condition, _, cause, _, card) if card:
            named, ended = _card_name(card, system), system.head.conditions.get(condition)
            brief = (ended.brief or (ended.name or "").lower()) if ended else ""
            what = f" ({brief})" if brief else ""
            return f"Lifted: {named}{what}." if cause in ENDED_BY_GM else f"{named} has passed{what}."
        case said.Ends(condition, place, _, detail):
            of = parenthesis(detail)
            return f"{name_of(condition, system)}{of}{parenthesis(place)} is over."
        case said.Eased(condition, level):
            return f"{name_of(condition, system)} eases: {level} left."
        case said.Shortened(condition, place, off, left, unit):
            rest = f"{measured_unit(left, unit)} left" if left else "over"
            return f"{name_of(condition, system)}{parenthesis(place)}: {measured_unit(off, unit)} off, {rest}."
        case said.Passes(unit, times):
            return f"{measured_unit(times, unit)} {'passes' if times == 1 else 'pass'}."
        case said.Dies() | said.Revives() | said.Befalls() | said.Concealed() | said.Revealed():
            return _fate(fact, system)
        case _:
            return _card_line(fact, system)


def _card_line(fact: said.CardFact | said.Thrown | said.Chosen, system: System) -> str:
    """What happens with cards."""
    match fact:
        case said.Drawn(card, deck, face, name):
            pile, code = system.piles[deck], card.rpartition(":")[2]
            read = f" ({pile.faces.get(face, face)})" if face else ""
            return full_stop(f"{pile.title}, {code}{read}: {name}")
        case said.LaidAside(card, deck, name):
            return f"{system.piles[deck].title}, {card.rpartition(':')[2]}: {name}. It is laid aside."
        case said.Piled(card, pile, counts):
            worth = f", and counts {signed_figure(counts)}" if counts else ""
            return f"{_card_name(card, system)} joins the {_pile_name(pile, system)}{worth}."
        case said.Unpiled(card, pile, counts):
            worth = f": {signed_figure(counts)} of it stays" if counts else ""
            return f"{_card_name(card, system)} leaves the {_pile_name(pile, system)}{worth}."
        case said.Shuffled(deck, on_purpose):
            why = "all its cards" if on_purpose else "no card is left, so all of them"
            return f"{system.piles[deck].title}: {why} are shuffled again."
        case _:
            return _table_line(fact)


def _table_line(fact: said.Thrown | said.Chosen) -> str:
    """What was thrown and chosen at the table."""
    match fact:
        case said.Thrown(name, dice, shown, total, counts):
            rolls = ", ".join(" + ".join(map(str, each)) for each in shown)
            counted = ", ".join(f"{name.replace('_', ' ')} {many}" for name, many in counts.items())
            comes_to = f": {counted or total}" if counted or rolls != str(total) else ""
            if len(shown) == 1 and not counted and sum(shown[0]) > total:
                comes_to += " is the most that counts"
            return f"{capitalised(name)}: {dice} shows {rolls}{comes_to}."
        case said.Chosen(option):
            return full_stop(f"Chosen: {option}")
        case _:
            assert_never(fact)


def _card_name(name: str, system: System) -> str:
    card = card_of(name, system)
    return card[1].name if card else name


def _pile_name(name: str, system: System) -> str:
    own = system.steps.piles[name].name if name in system.steps.piles else name
    return own[:1].lower() + own[1:]


def _fate(fact: said.Dies | said.Revives | said.Befalls | said.Concealed | said.Revealed, system: System) -> str:
    """Return who is dead, alive again, or hurt besides, and what is told of a hidden number."""
    match fact:
        case said.Befalls(whom, event, values):
            who = "Somebody" if whom == "one" else "Everybody"
            words = [event, *(signed_figure(spoken_word(value, system)) for value in values.values())]
            return f"{who} close: {' '.join(words).replace('_', ' ')}."
        case said.Concealed(number, rolled):
            name = system.steps.numbers[number].name
            return (
                f"{name}: the program rolls, and keeps it hidden." if rolled else f"{name} changes, and stays hidden."
            )
        case said.Revealed(number, to):
            return f"{system.steps.numbers[number].name} is revealed: {signed_figure(to)}."
        case said.Dies():
            return "Dead."
        case said.Revives():
            return "Alive again."
        case _:
            assert_never(fact)


def _tested(fact: said.Tested) -> str:
    number = signed_figure(fact.target)
    against = {"at_most": f"{number} or less", "at_least": f"{number} or more"}.get(fact.wants, f"over {number}")
    automatic = f" (always {'succeeds' if fact.passed else 'fails'})" if fact.automatic else ""
    verdict = "passed" if fact.passed else "failed"
    if fact.degrees is not None:
        verdict += f", {signed_figure(fact.degrees)} {'degree' if fact.degrees == 1 else 'degrees'}"
    added = ","
    if fact.added is not None:
        sign, total = "minus" if fact.added < 0 else "plus", signed_figure(fact.rolled + fact.added)
        added = f", {sign} {abs(fact.added)} is {total};"
    elif not fact.name and fact.wants == "over" and not fact.automatic and fact.degrees is None:
        relation = "over" if fact.passed else "not over"
        return f"{fact.die} shows {fact.rolled}, {relation} {number}: you {'hold out' if fact.passed else 'fail'}."
    return f"{fact.name or 'Check'}: {fact.die} shows {fact.rolled}{automatic}{added} {against} is needed: {verdict}."


def _row(fact: said.Row, system: System) -> str:
    table = system.table(fact.table)
    column = f", {table.columns[fact.column].title}" if table and fact.column in table.columns else ""
    name = f" {full_stop(fact.name)}" if fact.name and fact.name != fact.at else ""
    return f"{table.title if table else fact.table}, {fact.at}{column}:{name}"


def _wound(fact: effects.WoundFact, system: System) -> str:
    if fact.card and system.steps.by_card:
        _, says, ends = wound_cells(fact._asdict(), system)
        return f"  {Sentence(says, '' if fact.until == 'now' or fact.same else ends)}"
    until = parse_span(fact.until)
    lasts = "" if fact.until == "now" or fact.same else until_words(fact.until, system)
    if until.amount is not None and not fact.same:
        dice = until.amount
        lasts = f"for {measured_unit(dice.plus, until.word) if dice.is_number else until}"
    if fact.effect in system.head.conditions and not is_local(fact.effect, system):
        fact = fact._replace(place="")
    if fact.chances:
        lasts = f"until a save after {joined_words(fact.chances)}"
    # Below the blow it goes without saying whose.
    says = wound_says(fact._asdict(), system).removeprefix("Your ")
    many = f" ({fact.levels} levels)" if fact.levels else ""
    return f"{'    ' if fact.of else '  '}{Sentence(f'{says}{many}', lasts)}"


def is_local(condition: str, system: System, seen: frozenset[str] = frozenset()) -> bool:
    """Whether it matters to a condition which part of the body is hurt: what comes with it depends on the part."""
    for _, effect in walk_effects(condition_types(system)[condition].implies):
        if isinstance(effect, Suffer | Penalty | Halve) and effect.where:
            return True
        visited = seen | {condition}
        if (
            isinstance(effect, Suffer)
            and effect.condition not in visited
            and is_local(effect.condition, system, visited)
        ):
            return True
    return False


def parenthesis(text: str) -> str:
    """Return a text in parentheses, as it follows a name; empty for an empty text."""
    return f" ({text})" if text else ""
