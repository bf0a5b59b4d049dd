"""Cards for a fight over a field: one for everybody in the order, and one for each action."""

import re
from collections.abc import Iterator

from generator.games.fiftytwo import figures
from generator.games.fiftytwo.cards import Columns, FieldPlace, add_move, pair_move, take_move, touching_pairs
from generator.games.fiftytwo.fight import ACTION_ROWS, ACTIONS
from generator.games.fiftytwo.order import readiness
from generator.games.fiftytwo.state import FieldState, Fighter, read_state
from generator.games.fiftytwo.table import play_of
from generator.layout import card_elements as elements
from generator.model.combatants import Combatant
from generator.model.rules import Row, System
from generator.words.wording import capitalised, fill_placeholders

_SUITS = {"allies": "S", "enemies": "H"}
"""Allies in black, enemies in red; the words say it too."""


def initiative_cards(system: System) -> elements.CardSet:
    """Make a card for each combatant, to be laid in the order of initiative, with lines to write on.

    Of a fight that goes on, everybody's who is in it, with their initiative and HP written in. Examples are blank
    outside of a fight.
    """
    fighters = {one.name: one for one in read_state(system.at_table, system).fighters} if system.at_table else {}
    faces = tuple(
        _blank(person)
        if person.example is True and not fighters
        else _person(person, system, fighters.get(person.name))
        for person in system.combatants
    )
    trails = {face.code: ("combatants", index) for index, face in enumerate(faces)}
    return elements.CardSet(f"the initiative cards of {system.head.id}", faces, "combatants.yaml", trails)


def _person(person: Combatant, system: System, fighter: Fighter | None) -> elements.Face:
    low, highest = min(figures.thresholds(person, system)), max(figures.thresholds(person, system))
    weak = figures.weakness_words(person, system)
    blow, critical = map(figures.dice_words, (person.normal, person.critical))
    worn = f"{figures.armour_words(person)}, threshold {low} to {highest}, weak against {weak}"
    wielded = f"{figures.weapon_words(person)}: {blow}, critical {critical}"
    parts: list[elements.Part] = [elements.Title(person.name), elements.Rule(person.side)]
    parts += [elements.CardEffect(capitalised(worn), "", "Armour"), elements.CardEffect(wielded, "", "Weapon")]
    near = figures.points_in_reach(person, system)
    parts += [elements.CardEffect(f"{near} in reach", "", "Points")] if near else []
    slot = "" if fighter is None or fighter.initiative is None else str(fighter.initiative)
    parts += [elements.Blank("Initiative", slot), elements.Blank("HP", "" if fighter is None else str(fighter.hp))]
    parts += [elements.Flavour(person.calling)] if person.calling else []
    bonus, points = figures.signed(sum(readiness(person))), str(figures.whole_points(person, system))
    parts += [elements.Badge("score", bonus, "initiative"), elements.Badge("score", points, "points")]
    parts += [elements.Badge("score", str(person.defence), "defence"), elements.Badge("score", str(person.hp), "HP")]
    parts.append(
        elements.Short(
            f"{figures.initiative_words(person, system)}, {points} points, defence {person.defence}, HP {person.hp}"
        )
    )
    return elements.Face(_code(person.name), _SUITS[person.side], tuple(parts))


def _blank(person: Combatant) -> elements.Face:
    """A card to write on, for a player's own combatant in place of an example."""
    side = {"allies": "An ally", "enemies": "An enemy"}[person.side]
    lines = (elements.Blank(label) for label in ("Name", "Initiative", "Points", "Defence", "HP"))
    parts: list[elements.Part] = [elements.Title(side), elements.Rule(person.side), *lines]
    parts.append(elements.Short("Name, initiative, HP"))
    return elements.Face(_code(person.name), _SUITS[person.side], tuple(parts))


_FIELD: Columns = (("4H", "7H", "KC"), ("9S", "6D", "2C"), ("JC", "10D", "QS"), ("8D", "3D", "QH"), ("5S", "AC", "7D"))
"""What the pictures show: a run of hearts at the bottom, one of diamonds across, two queens."""
_WRITTEN = ("item", "ability")
"""The actions whose cards have lines for what somebody has."""


def action_cards(system: System) -> elements.CardSet:
    """Return each action of the table on a card: its price, who may take it, what it does."""
    table = system.table(ACTIONS)
    rows = table.rows if table else ()
    faces = tuple(_action(row, system) for row in rows)
    index = next((place for place, each in enumerate(system.tables) if each.id == ACTIONS), 0)
    trails = {face.code: ("tables", index, "rows", place) for place, face in enumerate(faces)}
    return elements.CardSet(f"the action cards of {system.head.id}", faces, "tables.yaml", trails)


def _action(row: Row, system: System) -> elements.Face:
    name, cells = row.name or "", row.cells
    cost, who = str(cells.get("cost", "")), str(cells.get("who", ""))
    texts = {
        key: fill_placeholders(str(cells[key]), system) for key in ("opens", "does", "gives", "mind") if key in cells
    }
    action = next((key for key, called in ACTION_ROWS.items() if called == name), "")
    parts: list[elements.Part] = [elements.Title(name), *([elements.Rule(who)] if who else [])]
    parts += [
        elements.CardEffect(sentence, "") for sentence in _sentences(texts.get("does") or texts.get("opens") or name)
    ]
    parts += (
        [elements.CardEffect(texts["gives"], "", "Opens" if action != "spell" else "Brings")]
        if "gives" in texts
        else []
    )
    parts += [elements.CardEffect(sentence, "") for sentence in _sentences(texts.get("mind", ""))]
    parts += [elements.Blank("Which"), elements.Blank("It does")] if action in _WRITTEN else []
    parts += _examples(action, system)
    parts += [elements.Emblem("", "", row.emblem)] if row.emblem else []
    short = texts.get("opens") or name
    parts += [elements.Badge("score", cost, "point" if cost == "1" else "points"), elements.Short(short)]
    return elements.Face(_code(name), "S", tuple(parts))


def _examples(action: str, system: System) -> Iterator[elements.Sketch]:
    """Yield a picture of a move on the field, with the cards that the engine takes or adds."""
    field, play = _FIELD, play_of(system, FieldState(), "allies")
    match action:
        case "bottom":
            move, sentence = take_move(field, FieldPlace(0, 0), play), "two hearts at the foot of a column"
        case "higher":
            move, sentence = (
                take_move(field, FieldPlace(1, 1), play),
                "three diamonds beside each other in the second row",
            )
        case "pair":
            move, sentence = pair_move(field, *next(touching_pairs(field)), play), "two queens beside each other"
        case "add":
            move, sentence = add_move((("4H",), *field[1:]), 0, 2, play), "two cards that were laid on a short column"
            field = (("4H", "9C", "2S"), *field[1:])
        case _:
            return
    yield elements.Sketch(field, frozenset(move.places), f"The picture marks {sentence}.")


def _sentences(text: str) -> Iterator[str]:
    for sentence in text.split(". "):
        if sentence.strip():
            yield sentence.strip().rstrip(".")


def _code(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "card"


SETS = {"initiative": initiative_cards, "actions": action_cards}
