"""A state as people see it: in one line, in detail, and on a sheet."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from generator.base.sealed import Hidden
from generator.games.face import Suffering
from generator.games.steps.borne import plain_wound, wounds_told
from generator.games.steps.lines import name_of, parenthesis, signed_figure, spoken_word
from generator.games.steps.shape import state_key_of
from generator.games.steps.state import HeldCondition, Owed, StepsState
from generator.games.steps.system_views import condition_types, kept_piles, state_keys
from generator.games.table_results import Origins
from generator.model.formulas import Result
from generator.model.procedures import StateKey
from generator.model.rules import LEFT, Penalty, Row, Suffer, System, walk_effects
from generator.play.piles import card_of
from generator.words.effect_words import effect_sentences, wound_says
from generator.words.effects import condition_sentences, condition_telegraph
from generator.words.event_wording import until_words
from generator.words.quoting import fill_quotes
from generator.words.wording import fill_placeholders, joined_words, signed_change, unit_words

Plain = Mapping[str, Any]


def state_line(state: StepsState, plain: Plain, system: System) -> str:
    """Return a state in one line: `HP 3, Strength 9, Bleeding (arm), a save owed (Ruined)`."""
    if state.dead:
        return "dead"
    lists = _lists(state, system)
    if system.steps.line:
        values = {name: spoken_word(value, system) for name, value in {**plain, **state.values}.items()}
        parts = [
            part
            for text in system.steps.line
            for part in (lists.get(text, ()) if "{" not in text else (fill_quotes(text, values.get),))
        ]
        return ", ".join(part for part in parts if part)
    usual = (*system.kept_numbers, *system.steps.words, *kept_piles(system))
    usual = (*usual, "coming", *condition_keys(system), "lost", "saves")
    return ", ".join(part for key in usual for part in lists.get(key, ())) or "unhurt"


def condition_keys(system: System) -> tuple[str, ...]:
    """Return the keys of a written state that hold conditions."""
    return tuple(key.key for key in system.steps.state if key.of) or ("conditions",)


def _pile(state: StepsState, name: str) -> str:
    """Return the cards of a pile in few words: `3 cards (17)`."""
    many, total = len(state.piles[name]), sum(each.counts for each in state.piles[name])
    return f"{many} {'card' if many == 1 else 'cards'}" + (f" ({signed_figure(total)})" if total else "")


def _lists(state: StepsState, system: System) -> dict[str, list[str]]:
    """What a state holds by the keys under which it is written, each in few words."""
    lists = {
        "coming": [f"{name_of(each.condition, system)} in {unit_words(each.after)}" for each in state.coming],
        "lost": [f"{signed_change(-lost.by)} {system.head.statistics[lost.statistic].name}" for lost in state.lost],
        "saves": [f"a save owed ({owed_text(owed, system)})" for owed in state.saves],
    }
    values = state.values
    for name, pile in kept_piles(system).items():
        lists[name] = [f"{pile.name} {_pile(state, name)}"] if state.piles.get(name) else []
    for name, own in system.kept_numbers.items():
        lists[name] = [f"{own.name} {signed_figure(values[name])}"] if values[name] is not None else []
    for name, word in system.steps.words.items():
        lists[name] = [str(spoken_word(values[name], system))] if values[name] != word.first else []
    if not system.steps.state:
        lists["conditions"] = [held_text(held, system) for held in state.conditions]
    for key, held in _under_keys(state, system):
        lists.setdefault(key.key, []).append(_in_words(held, key, system) if key.says else held_text(held, system))
    return lists


def _under_keys(state: StepsState, system: System) -> Iterator[tuple[StateKey, HeldCondition]]:
    keys = {key.key: key for key in system.steps.state}
    for held in state.conditions:
        if key := keys.get(state_key_of(held.condition, held.word, system)):
            yield key, held


def _in_words(held: HeldCondition, key: StateKey, system: System) -> str:
    values: dict[str, Result] = {"condition": name_of(held.condition, system), "left": held.left}
    values |= {name: getattr(held, name) for name in ("place", "level", "row", "detail", "until")}
    return fill_quotes(key.says or "", lambda name: values.get(name))


def held_text(held: HeldCondition, system: System) -> str:
    """Return a condition in few words: `Bleeding 2 (left arm) 12 days`."""
    level = f" {held.level}" if held.level > 1 else ""
    row = f" ({held.row})" if held.row else ""
    detail = f" ({held.detail})" if held.detail and not held.row else ""
    ends = ends_text(held)
    ends = f"({ends})" if ends and level else ends
    if held.card:
        return f"{_borne(held, system)} ({held.card}) {ends}".rstrip()
    return f"{name_of(held.condition, system)}{level}{row}{detail}{parenthesis(held.place)} {ends}".rstrip()


def _borne(held: HeldCondition, system: System) -> str:
    """Return what a card has left as a clause: `You limp`."""
    return wound_says(plain_wound(held), system) if held.condition in LEFT else name_of(held.condition, system)


def ends_text(held: HeldCondition) -> str:
    """Return how much longer, where it is counted: `12 days`, `for good`, `saves in 3 and 21 days`."""
    if held.until == "permanent":
        return "for good"
    if held.until != "save":
        return unit_words(held.until) if held.left or held.waits else ""
    days = [str(day) for day in held.chances]
    if not days:
        return "until a save"
    return f"{'save' if len(days) == 1 else 'saves'} in {joined_words(days)} {'day' if days == ['1'] else 'days'}"


def owed_text(owed: Owed, system: System) -> str:
    """Return the reason for an owed save."""
    return name_of(owed.of, system) + (", to recover" if owed.chance else "")


def details(state: StepsState, system: System) -> Sequence[str]:
    """The conditions that somebody is in, in full, and the days on which they are over where days are counted."""
    if state.dead:
        return ()
    conditions = condition_types(system)
    names = dict.fromkeys(held.condition for held in state.conditions if conditions[held.condition].name)
    sentences = [
        f"{conditions[name].name}: {' '.join(map(str, condition_sentences(conditions[name], system)))}"
        for name in names
    ]
    return [*sentences, *_left(state, system), *_piles(state, system), *_due(state, system)]


def _left(state: StepsState, system: System) -> Iterator[str]:
    """What cards have left: the card, what it is, and until when."""
    if not system.steps.by_card:
        return
    for card, says, until in wounds_told((plain_wound(held) for held in state.conditions if held.card), system):
        yield f"{card:<3} {says} {until}".rstrip()
    for held in state.conditions:
        if not held.card:
            rest = f"{unit_words(held.until)}{' left' if held.left else ', not rolled yet'}"
            ends = rest if held.left or held.waits else until_words(held.until, system)
            yield f"{name_of(held.condition, system)}: {ends}"


def _piles(state: StepsState, system: System) -> Iterator[str]:
    piles = kept_piles(system).items()
    for name, own in ((name, own) for name, own in piles if not own.usual):
        cards = [
            f"{_card_name(each.card, system)}{f' {each.counts}' if each.counts else ''}"
            for each in state.piles.get(name, ())
        ]
        if cards:
            yield f"{own.name}: {joined_words(cards)}."


def _card_name(name: str, system: System) -> str:
    card = card_of(name, system)
    return f"{card[1].name} ({name})" if card else name


def _due(state: StepsState, system: System) -> Iterator[str]:
    tick = system.steps.clock.get("day")
    today = state.values.get(tick.counts) if tick and tick.counts else None
    if tick is None or not isinstance(today, int):
        return
    for held in state.conditions:
        name = f"{name_of(held.condition, system)}{parenthesis(held.place)}"
        if held.chances:
            days = [str(today + days) for days in held.chances]
            yield f"{name} may end by a save on {'day' if len(days) == 1 else 'days'} {joined_words(days)}."
        elif tick.due and held.word == "day":
            values: dict[str, Result] = {"condition": name_of(held.condition, system), "place": held.place}
            yield fill_quotes(tick.due, (values | {"day": today + held.left}).get)


def hurts(state: StepsState, system: System) -> Iterator[Suffering]:
    """Yield the conditions that somebody is in, those of cards in the words of their cards, and those that are coming.

    Nothing hurts the dead.
    """
    if state.dead:
        return
    by_card = iter(wounds_told((plain_wound(held) for held in state.conditions if held.card), system))
    for held in state.conditions:
        if held.card and system.steps.by_card:
            _, says, until = next(by_card)
            yield Suffering(held.condition, says, until, held.card, held.level)
            continue
        level = f" {held.level}" if held.level > 1 else ""
        row = f" ({held.row or held.detail})" if held.row or held.detail else ""
        until = ends_text(held) or until_words(held.until, system)
        says = f"{name_of(held.condition, system)}{level}{row}{parenthesis(held.place)}"
        yield Suffering(held.condition, says, until, held.card, held.level)
    for each in state.coming:
        yield Suffering(each.condition, name_of(each.condition, system), f"in {unit_words(each.after)}", coming=True)


def sheet_values(state: StepsState, plain: Plain, figures: Mapping[str, int], system: System) -> dict[str, Any]:
    """Return the values of a sheet: numbers, lists in words, and the figures that the author asks for."""
    names, by_card = {held.condition for held in state.conditions}, system.steps.by_card
    conditions = [_row_of(held, system, names) for held in state.conditions]
    coming = [
        {
            "name": name_of(each.condition, system),
            "until": f"comes in {unit_words(each.after)}, unless treated",
            "does": condition_telegraph(system.head.conditions[each.condition], system),
        }
        for each in state.coming
    ]
    values: dict[str, Any] = {key: value for key, value in plain.items() if value is not None}
    values |= {name: "" for name, value in state.values.items() if isinstance(value, Hidden)}
    values |= {"conditions": [*conditions, *coming], "injuries": [*conditions, *coming]}
    for key in system.steps.state:
        # What cards have left is told with its card: a sheet reads it as it is written.
        if key.of is not None and key.form == "list" and not by_card:
            values[key.key] = []
        elif key.of is not None and key.form == "one":
            values |= {key.key: ""} | {f"{key.key}_{name}": "" for name in key.fields}
    for key, held in _under_keys(state, system):
        if key.form == "list" and not by_card:
            values[key.key].append(_row_of(held, system, names))
        elif key.form == "one":
            values[key.key] = _row_of(held, system, names)["name"]
            values |= {f"{key.key}_{name}": value for name, value in plain[key.key].items()}
    catch_all = state_keys(system).get("any", "conditions")
    if system.steps.state and not by_card:
        values[catch_all] += coming
    values |= {
        "lost": [
            {"name": system.head.statistics[lost.statistic].name, "by": signed_change(-lost.by)} for lost in state.lost
        ],
        "saves": [
            {"name": f"{owed_text(owed, system)}{parenthesis(owed.place)}", "place": owed.place} for owed in state.saves
        ],
    }
    fields = system.steps.sheet
    return values | {name: fill_quotes(fields[name].says, {"value": value}.get) for name, value in figures.items()}


def _row_of(held: HeldCondition, system: System, names: Collection[str]) -> dict[str, Any]:
    """Return a condition, one of those with these names, as a row of a sheet."""
    condition = condition_types(system)[held.condition]
    table = system.table(condition.row) if isinstance(condition.row, str) else None
    named = f"{held.row if table else name_of(held.condition, system)}{parenthesis(held.detail)}"
    return {
        "name": named + (f" {held.level}" if held.level > 1 else ""),
        "place": held.place or _usual_place(held.condition, system),
        "from": table.title if table else held.row or held.card or _brought_by(held, system, names),
        "until": unit_words(held.until) if held.left else until_words(held.until, system),
        "days": held.left if held.word == "day" else "",
        "permanent": held.until == "permanent",
        "saves": ", ".join(map(str, held.chances)),
        "does": row_does(table.id, held.row, system) if table else condition_telegraph(condition, system),
    }


def _brought_by(held: HeldCondition, system: System, names: Collection[str]) -> str:
    """Return the rows that can have brought a condition as it is."""
    return Origins(system).bringers(held.condition, held.word, held.place, names)


def row_does(table: str, name: str, system: System) -> str:
    """Return the lasting effects of a table's row in sentences, without those rolled only once."""
    known_table = system.table(table)
    result = known_table.result_named(name) if known_table else None
    if result is None:
        return ""
    lasting = [effect for effect in result.effects if isinstance(effect, Penalty)]
    sentences = [str(sentence) for effect in lasting for sentence in effect_sentences(effect, system)]
    note = result.note if isinstance(result, Row) else None
    return " ".join([*sentences, *([fill_placeholders(note, system)] if note else [])])


def _usual_place(condition: str, system: System) -> str:
    """Return the part of the body that a condition is of, if the tables bring it to that alone."""
    columns = {
        column
        for table in system.tables
        for row in table.rows
        for keys, effects in row.lists
        for column in keys[1:2] or ("",)
        for _, effect in walk_effects(effects)
        if isinstance(effect, Suffer) and effect.condition == condition
    }
    part = system.head.parts.get(columns.pop()) if len(columns) == 1 else None
    return part.name if part else ""
