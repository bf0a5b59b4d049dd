"""What types cannot say: whether the parts of a system fit together.

Every check yields the trail to the fault and a sentence; `problems` puts file, line and column to them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial

from generator.base.cards import ALL_CODES, FULL_DECK, is_code, is_joker, meant_card, name_of
from generator.base.dice import Dice
from generator.base.errors import HackjackError, Problem, UsageError, did_you_mean
from generator.base.files import inside
from generator.check.deck_checks import cards_faults, decks_faults, own_deck_faults, playing_faults
from generator.check.injury_checks import condition_faults, effect_faults
from generator.games import content_of
from generator.model.blocks import (
    RULING,
    AnyBlock,
    Boxes,
    Chances,
    Chart,
    Conditions,
    Field,
    Fields,
    Figure,
    Grid,
    Ladder,
    Order,
    PanelsFile,
    Prose,
    Rulings,
    Steps,
    TableBlock,
    Wounds,
)
from generator.model.rules import (
    Again,
    AnyEffect,
    Card,
    CardClaim,
    CardFace,
    Check,
    ConditionClaim,
    Deck,
    DeckClaim,
    Draw,
    EventClaim,
    Halve,
    Locate,
    Lose,
    NumberClaim,
    Part,
    Penalty,
    Row,
    Span,
    Suffer,
    System,
    Table,
    TableClaim,
    Whenever,
    walk,
)
from generator.pack import content
from generator.pack.faults import Fault
from generator.pack.faults import known as _known
from generator.pack.faults import one_die as _one_die
from generator.pack.strict_yaml import Marks, Trail
from generator.play.piles import all_names, find_name

MOST_DICE = 10
"""A procedure rolls no more at once: exact odds take longer with each."""
MOST_BOXES = 1000
"""So many boxes of a track a sheet may have."""


def problems(system: System, marks: Mapping[str, Marks]) -> tuple[Problem, ...]:
    """Every fault of a system whose files are well formed, in the order of the files."""
    checks: dict[str, Callable[[System], Iterator[Fault]]] = {
        "system.yaml": _head_faults,
        "deck.yaml": _deck_faults,
        "decks.yaml": _decks_faults,
        "tables.yaml": _table_faults,
        "claims.yaml": _claim_faults,
        "tokens.yaml": lambda system: content_of(system).token_faults(),
        "combatants.yaml": lambda system: content_of(system).combatant_faults(),
    }
    for name, panels in system.panels:
        checks[f"{name}.yaml"] = partial(_panel_faults, panels)
    return tuple(
        marks[name].problem(trail, message)
        for name, check in checks.items()
        if name in marks
        for trail, message in check(system)
    )


def under(system: System, settings: Iterable[content.Setting], numbers: Mapping[str, str] | None = None) -> System:
    """The same system under house rules that fit together: `settings` as typed, `numbers` as a campaign keeps them.

    Raises UsageError.
    """
    chosen = content.with_numbers(content.with_settings(system, settings), numbers or {})
    if chosen.head.procedure != system.head.procedure:
        before = set(_head_faults(system))
        for fault in _head_faults(chosen):
            if fault not in before:
                asked = [f"{name} {value}" for name, value in chosen.numbers.items() if system.numbers[name] != value]
                raise UsageError(f"{system.head.id} cannot be played with {' and '.join(asked)}: {fault[1]}")
    return chosen


# --- system.yaml ---------------------------------------------------------------------------------------------------


def _head_faults(system: System) -> Iterator[Fault]:
    head = system.head
    yield from _twice([suit.id for suit in head.suits], ("suits",), "suit")
    if system.deck and not content_of(system).OWN_CARDS and len({suit.id for suit in head.suits}) < 4:
        yield ("suits",), "a deck needs all four suits: C, S, D and H"
    for name, statistic in head.statistics.items():
        for place, member in enumerate(statistic.stands_for):
            yield from _known(member, head.statistics, "statistic", ("statistics", name, "stands_for", place))
        for place, also in enumerate(statistic.also):
            others = (other for other, known in head.statistics.items() if also == other or also in known.also)
            if (other := next((other for other in others if other != name), None)) or also == name:
                yield ("statistics", name, "also", place), f'"{also}" is a name of {other or name} already'
    for name, track in head.tracks.items():
        if isinstance(track.most, str) and not 1 <= (system.most_of(name) or 0) <= MOST_BOXES:
            numbers = [number for number, value in system.numbers.items() if value.isdigit()]
            message = f"{track.most} is no number of the procedure from 1 to {MOST_BOXES:,}"
            yield ("tracks", name, "most"), f"{message}{did_you_mean(track.most, numbers)}"
    for name, part in head.parts.items():
        yield from _part_faults(part, ("parts", name))
    for name, condition in head.conditions.items():
        yield from _effect_faults(condition.implies, system, ("conditions", name, "implies"), implied=True)
        yield from _picture_faults(condition.art, system, ("conditions", name, "art"))
    yield from condition_faults(system)
    yield from content_of(system).head_faults()
    if head.art:
        yield from _picture_faults(head.art.back, system, ("art", "back"))
        for suit, path in head.art.suits.items():
            yield from _picture_faults(path, system, ("art", "suits", suit))
    yield from cards_faults(system)
    for place, block in enumerate(head.cards):
        yield from _picture_faults(block.back, system, ("cards", place, "back"))
        for at, text in enumerate(block.also):
            yield from _quoted(text, system, ("cards", place, "also", at))
        yield from _quoted(block.brief or "", system, ("cards", place, "brief"))
    yield from _procedure_faults(system)
    yield from _ruling_faults(system)
    yield from _quoted_numbers(system)


def _picture_faults(path: str | None, system: System, trail: Trail) -> Iterator[Fault]:
    """A picture lies in the pack's folder; whether it can be printed is seen where it is opened."""
    folder = system.holder(path) if path else None
    if path is None or folder is None:
        return
    try:
        inside(folder, path)
    except HackjackError as error:
        yield trail, str(error)


def _part_faults(part: Part, trail: Trail) -> Iterator[Fault]:
    if part.die:
        yield from _one_die(part.die, (*trail, "die"))
        if len(part.places) != part.die.faces:
            message = f"{part.die.spoken} has {part.die.faces} faces, but {len(part.places)} places are named"
            yield (*trail, "die"), message
    elif part.sides or part.members:
        yield trail, 'the key "die" is missing: name the die that chooses among the places'
    if part.extent:
        yield from _one_die(part.extent.die, (*trail, "extent", "die"))
        if len(part.extent.steps) != part.extent.die.faces:
            faces = f"{part.extent.die.spoken} has {part.extent.die.faces} faces"
            yield (*trail, "extent", "die"), f"{faces}, but {len(part.extent.steps)} steps are named"
        for place, face in enumerate(part.extent.reconstructed):
            if not 1 <= face <= len(part.extent.steps):
                yield (*trail, "extent", "reconstructed", place), f"there is no face {face}"


def _procedure_faults(system: System) -> Iterator[Fault]:
    """Numbers that a table can play with, and odds be counted of."""
    procedure, kind = system.head.procedure, content_of(system)
    for name in procedure.__struct_fields__:
        value = getattr(procedure, name)
        for at, die in enumerate(value if isinstance(value, tuple) else (value,)):
            trail: Trail = ("procedure", name, at) if isinstance(value, tuple) else ("procedure", name)
            if isinstance(die, Dice) and (die.count > MOST_DICE or die.faces > kind.MOST_FACES):
                yield trail, f"{die}: here {MOST_DICE} dice of {kind.MOST_FACES} faces are the most"
            if isinstance(die, int) and kind.MOST_NUMBER is not None and die > kind.MOST_NUMBER:
                yield trail, f"{die} is too much for this procedure: {kind.MOST_NUMBER} at most"


def _ruling_faults(system: System) -> Iterator[Fault]:
    rulings = system.head.rulings
    yield from _twice([ruling.id for ruling in rulings], ("rulings",), "ruling")
    names = [ruling.switch.name if ruling.switch else None for ruling in rulings]
    for place, ruling in enumerate(rulings):
        switch = ruling.switch
        if switch is None:
            continue
        for key, option in (("default", switch.default), ("before", switch.before)):
            if option is not None and option not in switch.options:
                hint = did_you_mean(option, switch.options)
                yield ("rulings", place, "switch", key), f'"{option}" is none of the options{hint}'
        if switch.name in names[:place]:
            yield ("rulings", place, "switch", "name"), f'the switch "{switch.name}" stands twice'


def _quoted_numbers(system: System) -> Iterator[Fault]:
    """Texts may quote the procedure's numbers as `{limit}`; the name must be one of them."""
    head = system.head
    texts: list[tuple[Trail, str]] = [(("about",), head.about)]
    texts += [(("tracks", name, "means"), track.means) for name, track in head.tracks.items()]
    for name, condition in head.conditions.items():
        texts += [(("conditions", name, "notes", at), note) for at, note in enumerate(condition.notes)]
        texts += [(("conditions", name, "short"), condition.short)] if condition.short else []
    for place, ruling in enumerate(head.rulings):
        texts += [(("rulings", place, "point"), ruling.point), (("rulings", place, "ours"), ruling.ours)]
        options = ruling.switch.options if ruling.switch else {}
        texts += [(("rulings", place, "switch", "options", name), text) for name, text in options.items()]
    for trail, text in texts:
        yield from _quoted(text, system, trail)


def _quoted(text: str, system: System, trail: Trail) -> Iterator[Fault]:
    for name in re.findall(r"\{(\w+)\}", text):
        if name in system.readings and trail[:1] == ("rulings",):
            yield trail, f"a ruling quotes no other: write out what {{{name}}} says"
        elif name not in system.numbers and name not in system.readings:
            yield trail, f'there is no number "{{{name}}}" in the procedure{did_you_mean(name, system.numbers)}'


# --- deck.yaml -----------------------------------------------------------------------------------------------------


def _deck_faults(system: System) -> Iterator[Fault]:
    if system.deck is None:
        return
    if content_of(system).OWN_CARDS:
        yield from own_deck_faults(system.deck)
        yield from _text_faults(system.deck, system, ())
        return
    yield from playing_faults(system.deck)
    yield from _picture_faults(system.deck.back, system, ("back",))
    seen: dict[str, int] = {}
    for place, card in enumerate(system.deck.cards):
        trail: Trail = ("cards", place)
        if not is_code(card.code):
            hint = meant_card(card.code) or ": write AC, 10H, QS, RJ or BJ"
            yield (*trail, "code"), f'"{card.code}" is no card{hint}; cards of other decks stand in decks.yaml'
            continue
        if card.code in seen:
            yield (*trail, "code"), f"the card {card.code} stands twice: entry {seen[card.code] + 1} has it already"
        seen.setdefault(card.code, place)
        yield from _card_faults(card, system, trail)
    cards = system.deck.cards
    if cards and all(any(isinstance(effect, Again) for effect in card.effects) for card in cards):
        yield ("cards",), "every card draws another in its place: drawing would never end"
    missing = [code for code in FULL_DECK if code not in seen]
    if missing:
        shown = ", ".join(missing[:8]) + (f" and {len(missing) - 8} more" if len(missing) > 8 else "")
        noun = "card is" if len(missing) == 1 else "cards are"
        yield ("cards",), f"{len(missing)} {noun} missing: {shown}"


def _decks_faults(system: System) -> Iterator[Fault]:
    yield from decks_faults(system)
    for place, deck in enumerate(system.decks):
        yield from _text_faults(deck, system, ("decks", place))


def _text_faults(deck: Deck, system: System, trail: Trail) -> Iterator[Fault]:
    """What the cards of a deck name: conditions, numbers, pictures."""
    yield from _picture_faults(deck.back, system, (*trail, "back"))
    for place, card in enumerate(deck.cards):
        where = (*trail, "cards", place)
        for at, ruling in enumerate(card.rulings):
            yield from _known(ruling, [known.id for known in system.head.rulings], "ruling", (*where, "rulings", at))
        faces: list[tuple[Trail, Card | CardFace]] = [
            ((*where, "faces", key), face) for key, face in card.faces.items()
        ]
        for way, told in ((where, card), *faces):
            yield from _effect_faults(told.effects, system, (*way, "effects"))
            yield from _quoted(told.note or "", system, (*way, "note"))
            yield from _picture_faults(told.art, system, (*way, "art"))


def _card_faults(card: Card, system: System, trail: Trail) -> Iterator[Fault]:
    if card.score is not None and not is_joker(card.code):
        by_rank = system.rank_score(card.code)
        if card.score != by_rank and not card.score_on_purpose:
            message = f"the {name_of(card.code)} scores {by_rank} by its rank, not {card.score}"
            yield (*trail, "score"), f"{message}: take the score out, or write score_on_purpose: true beside it"
    if card.blood and card.blood.least < 0:
        yield (*trail, "blood"), f"{card.blood} can be less than 0"
    if not content_of(system).SCORED:
        for key in ("blood", "trauma"):
            if getattr(card, key) is not None:
                yield (*trail, key), f"nobody counts {key} here: leave it out"
    yield from _picture_faults(card.art, system, (*trail, "art"))
    for place, ruling in enumerate(card.rulings):
        yield from _known(ruling, [known.id for known in system.head.rulings], "ruling", (*trail, "rulings", place))
    yield from _effect_faults(card.effects, system, (*trail, "effects"))
    yield from _effect_faults(card.for_good, system, (*trail, "for_good"))


def _effect_faults(
    effects: tuple[AnyEffect, ...], system: System, start: Trail, *, implied: bool = False
) -> Iterator[Fault]:
    """Faults of effects; those that a condition brings may last as long as it does."""
    for way, effect in walk(effects):
        trail = (*start, *way)
        yield from _reference_faults(effect, system, trail)
        yield from effect_faults(effect, system, trail, implied=implied)
        yield from content_of(system).effect_faults(effect, trail, implied=implied)
        until = getattr(effect, "until", None)
        if until is not None and until.word == "same" and not implied and (way[0] == 0 or len(way) > 1):
            yield (*trail, "until"), '"same" needs an effect before it: say how long it lasts'


def _reference_faults(effect: AnyEffect, system: System, trail: Trail) -> Iterator[Fault]:
    head = system.head
    match effect:
        case Suffer():
            yield from _known(effect.condition, head.conditions, "condition", (*trail, "condition"))
        case Penalty():
            for place, name in enumerate(effect.to):
                yield from _known(name, head.statistics, "statistic", (*trail, "to", place))
            if effect.by.least < 1:
                yield (*trail, "by"), f"a penalty of {effect.by} can be less than 1: write how much is taken away"
        case Halve():
            yield from _known(effect.statistic, head.statistics, "statistic", (*trail, "statistic"))
            if effect.unless:
                yield from _known(effect.unless, head.conditions, "condition", (*trail, "unless"))
        case Locate() | Lose():
            yield from _known(effect.part, head.parts, "part", (*trail, "part"))
            part = head.parts.get(effect.part)
            if isinstance(effect, Locate) and part and part.die is None:
                yield (*trail, "part"), f'the part "{effect.part}" has no die to roll'
        case Check():
            yield from _one_die(effect.die, (*trail, "die"))
            yield from _price_faults(effect, trail)
        case Draw():
            if effect.keep == "choose_one" and effect.cards == 1:
                yield (*trail, "cards"), "a choice needs two cards or more"
        case Whenever():
            if effect.blood is None and effect.score is None and effect.penalty is None:
                yield trail, "nothing follows: give it blood, score or a penalty"
            if effect.penalty and effect.penalty.begins != "now":
                yield (*trail, "penalty", "begins"), "what follows a trigger begins at once: take this out"
            if effect.penalty and effect.penalty.until != effect.until:
                message = f"the penalty must last as long as its trigger: write {effect.until}"
                yield (*trail, "penalty", "until"), message
        case _:
            return


def _price_faults(check: Check, trail: Trail) -> Iterator[Fault]:
    """The sentence of a check says one ending for all that a failure costs, and the beginning of the check alone."""
    for place, failure in enumerate(check.fail):
        if failure.begins != "now":
            yield (*trail, "fail", place, "begins"), "the price of a check begins with it: put this on the check"
        if failure.until != check.fail[-1].until:
            message = f"what a check costs must last equally long: write {check.fail[-1].until}"
            yield (*trail, "fail", place, "until"), message


# --- tables.yaml and claims.yaml -------------------------------------------------------------------------------------


def _table_faults(system: System) -> Iterator[Fault]:
    yield from _twice([table.id for table in system.tables], ("tables",), "table")
    yield from content_of(system).table_faults()
    for place, table in enumerate(system.tables):
        trail: Trail = ("tables", place)
        if table.by:
            yield from _known(table.by, system.head.tracks, "track", (*trail, "by"))
        for at, ruling in enumerate(table.rulings):
            yield from _known(ruling, [known.id for known in system.head.rulings], "ruling", (*trail, "rulings", at))
        yield from _row_faults(table, trail) if table.covers else _named_row_faults(table, trail)
        yield from _quoted(table.note or "", system, (*trail, "note"))
        for at, row in enumerate(table.rows):
            yield from _quoted(row.note or "", system, (*trail, "rows", at, "note"))
            yield from _cell_faults(row, table, system, (*trail, "rows", at))


def _row_faults(table: Table, trail: Trail) -> Iterator[Fault]:
    """The rows cover the whole range, each result once."""
    covers = table.covers or Span(0, None)
    expected: int | None = covers.low
    for place, row in enumerate(table.rows):
        where = (*trail, "rows", place, "at")
        if row.at is None:
            yield where[:-1], 'the key "at" is missing: say which results the row covers'
            return
        if expected is None or row.at.low < expected:
            yield where, f"the row {row.at} overlaps the row before it"
        elif row.at.low > expected:
            gap = f"{expected}" if row.at.low == expected + 1 else f"{expected} to {row.at.low - 1}"
            yield where, f"no row covers {gap}"
        expected = None if row.at.high is None else max(row.at.high, (expected or 1) - 1) + 1
    last = covers.high
    if (expected is None) != (last is None) or (expected is not None and last is not None and expected != last + 1):
        ends = "without an end" if expected is None else f"at {expected - 1}"
        yield (*trail, "covers"), f"the rows end {ends}, but the table covers {covers}"


def _named_row_faults(table: Table, trail: Trail) -> Iterator[Fault]:
    """Without results to cover, every row has a name of its own."""
    seen: set[str] = set()
    for place, row in enumerate(table.rows):
        where = (*trail, "rows", place)
        if row.name is None:
            yield where, 'the key "name" is missing: a table that covers no results has rows with names'
        elif row.name.casefold() in seen:
            yield (*where, "name"), f'the row "{row.name}" stands twice'
        if row.at is not None:
            yield (*where, "at"), "the table covers no results: say in covers which, or take this out"
        seen.add((row.name or "").casefold())


def _cell_faults(row: Row, table: Table, system: System, trail: Trail) -> Iterator[Fault]:
    if row.lasts is not None and row.lasts.amount is None:
        yield (*trail, "lasts"), f'"{row.lasts}" is no span of time: write 2d6 weeks or the like'
    yield from _effect_faults(row.effects, system, (*trail, "effects"))
    if not (row.name or row.lasts or row.cells or row.effects or row.note):
        yield trail, "the row says nothing: give it a name, cells, effects, or how long it lasts"
    yield from _picture_faults(row.art, system, (*trail, "art"))
    for name, cell in row.cells.items():
        yield from _known(name, table.columns, "column", (*trail, "cells", name))
        if isinstance(cell, tuple):
            yield from _effect_faults(cell, system, (*trail, "cells", name))
        elif isinstance(cell, str):
            yield from _quoted(cell, system, (*trail, "cells", name))


def _claim_faults(system: System) -> Iterator[Fault]:
    yield from _twice([claim.id for claim in system.claims], ("claims",), "claim")
    for place, claim in enumerate(system.claims):
        trail: Trail = ("claims", place)
        if isinstance(claim, CardClaim | EventClaim):
            for at, code in enumerate(claim.cards):
                if find_name(code, all_names(system)) is None:
                    yield from _known(code, ALL_CODES, "card", (*trail, "cards", at))
        if isinstance(claim, TableClaim):
            table = system.table(claim.table)
            yield from _known(claim.table, [entry.id for entry in system.tables], "table", (*trail, "table"))
            if claim.column and table:
                yield from _known(claim.column, [*table.columns, "effects", "note"], "column", (*trail, "column"))
        if isinstance(claim, ConditionClaim):
            yield from _known(claim.condition, system.head.conditions, "condition", (*trail, "condition"))
        if isinstance(claim, CardClaim | DeckClaim) and system.deck is None:
            yield trail, "this claim needs a deck, and the pack has none"
        if isinstance(claim, NumberClaim):
            yield from _known(claim.number, system.numbers, "number", (*trail, "number"))


# --- screen.yaml, sheet.yaml and reference.yaml ----------------------------------------------------------------------


def _panel_faults(panels: PanelsFile, system: System) -> Iterator[Fault]:
    """What blocks name must be there."""
    for place, panel in enumerate(panels.panels):
        yield from _quoted(panel.title, system, ("panels", place, "title"))
        for at, block in enumerate(panel.blocks):
            trail: Trail = ("panels", place, "blocks", at)
            yield from _block_faults(block, system, trail)
            if block.title:
                yield from _quoted(block.title, system, (*trail, "title"))


def _block_faults(block: AnyBlock, system: System, trail: Trail) -> Iterator[Fault]:
    match block:
        case Prose():
            for place, text in enumerate(block.text):
                yield from _sentence_faults(text, system, (*trail, "text", place))
        case Steps():
            for place, text in enumerate(block.steps):
                yield from _sentence_faults(text, system, (*trail, "steps", place))
        case Order():
            if not content_of(system).SCORED:
                yield trail, f"{system.head.id} draws no card when somebody is hit: write steps"
            for moment, text in block.steps.items():
                yield from _sentence_faults(text, system, (*trail, "steps", moment))
        case TableBlock():
            yield from _known(block.table, [table.id for table in system.tables], "table", (*trail, "table"))
            table = system.table(block.table)
            for place, name in enumerate(block.columns if table else ()):
                yield from _known(name, table.columns if table else (), "column", (*trail, "columns", place))
        case Field() | Ladder():
            yield from _quoted(block.label, system, (*trail, "label"))
        case Fields():
            for place, part in enumerate(block.fields):
                yield from _quoted(part.label, system, (*trail, "fields", place, "label"))
        case Grid():
            yield from _grid_faults(block, trail)
        case Boxes():
            yield from _known(block.track, system.head.tracks, "track", (*trail, "track"))
            yield from _quoted(block.label, system, (*trail, "label"))
        case Rulings():
            for place, ruling in enumerate(block.only):
                known = [known.id for known in system.head.rulings]
                yield from _known(ruling, known, "ruling", (*trail, "only", place))
        case Chart():
            yield from _known(block.shows, content_of(system).CHARTS, "chart", (*trail, "shows"))
        case Chances():
            yield from _chances_faults(block, system, trail)
        case Conditions():
            for place, name in enumerate(block.only):
                yield from _known(name, system.head.conditions, "condition", (*trail, "only", place))
        case Figure():
            yield from _figure_faults(block, system, trail)
        case Wounds():
            if system.deck is None:
                yield trail, "this block needs a deck, and the pack has none"
        case _:
            return


def _grid_faults(block: Grid, trail: Trail) -> Iterator[Fault]:
    """Rows or labels, and every column once."""
    if (block.rows is None) == (not block.labels):
        yield trail, "a grid has either rows, a number, or labels, a list: write one of them"
    ids = [column.id for column in block.columns]
    for place, column in enumerate(ids):
        if column in ids[:place]:
            yield (*trail, "columns", place, "id"), f'the column "{column}" stands twice'


def _chances_faults(block: Chances, system: System, trail: Trail) -> Iterator[Fault]:
    """Questions that have odds, and rulings that are there."""
    # Only few panels quote chances, and every command checks.
    from generator.check import quoted_odds

    for place, chance in enumerate(block.chances):
        if message := quoted_odds.fault(chance, system):
            yield (*trail, "chances", place, "asks"), message
        for name in RULING.findall(chance.says):
            known = [ruling.id for ruling in system.head.rulings]
            yield from _known(name, known, "ruling", (*trail, "chances", place, "says"))


def _figure_faults(block: Figure, system: System, trail: Trail) -> Iterator[Fault]:
    """A table whose columns a die chooses."""
    table = system.table(block.table) if block.table else None
    if block.table and table is None:
        yield from _known(block.table, [known.id for known in system.tables], "table", (*trail, "table"))
    elif table and table.column_roll is None:
        yield (*trail, "table"), f"the table {table.id} has no die that chooses its columns: name another one"


def _sentence_faults(text: str, system: System, trail: Trail) -> Iterator[Fault]:
    """The numbers and the rulings that a sentence names."""
    yield from _quoted(text, system, trail)
    for name in RULING.findall(text):
        yield from _known(name, [ruling.id for ruling in system.head.rulings], "ruling", trail)


# --- shared ----------------------------------------------------------------------------------------------------------


def _twice(names: list[str], trail: Trail, noun: str) -> Iterator[Fault]:
    for place, name in enumerate(names):
        if name in names[:place]:
            first = names.index(name) + 1
            yield (*trail, place, "id"), f'the {noun} "{name}" stands twice: entry {first} has it already'
