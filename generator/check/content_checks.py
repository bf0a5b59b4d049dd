"""What types cannot say: whether the parts of a system fit together.

Every check yields the trail to the fault and a sentence; `problems` puts file, line and column to them. Names of what
is not there are found by `references`, effects are judged by `effect_checks`, each kind's own rules by its game.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import chain, islice
from typing import Any

from msgspec import Struct

from generator.base.cards import FULL_DECK, is_code, is_joker, meant_card, name_of
from generator.base.dice import Dice
from generator.base.errors import ContentError, HackjackError, Problem, UsageError, did_you_mean, unforeseen
from generator.base.naming import texts
from generator.check import deck_checks, effect_checks, own_words, page_checks
from generator.check.references import References, StructAt, effect_lists, nodes
from generator.games import content_of
from generator.games.content_face import Fault, one_die
from generator.model.blocks import Figure, GridBlock, OrderBlock, QuotedChance, ScaleBlock, Wounds
from generator.model.claims import CardClaim, DeckClaim
from generator.model.procedures import Procedure, Steps
from generator.model.rules import (
    DIGITS,
    UNPLAYED,
    Again,
    Card,
    CardFace,
    Condition,
    Deck,
    Effect,
    NamedCell,
    OwnDeck,
    Part,
    Row,
    Ruling,
    Span,
    System,
    Table,
)
from generator.pack.load import Pack
from generator.pack.settings import Setting, with_numbers, with_settings
from generator.pack.strict_yaml import TOO_MANY, Marks, Trail
from generator.words.event_wording import events_in_order

MAX_DICE = 10
"""A procedure rolls no more at once: exact odds take longer with each."""
MAX_FAULTS = 300
"""So many faults of a pack are told at once."""
MAX_BOXES = 1000
"""So many boxes of a track a sheet may have."""


def problems(system: System, marks: Mapping[str, Marks]) -> tuple[Problem, ...]:
    """Return every fault of a system whose files are well formed, in the order of the files."""
    return tuple(marks[name].problem(trail, message) for name, trail, message in placed(system, marks))


def placed(system: System, files: Collection[str]) -> Iterator[tuple[str, Trail, str]]:
    """Yield the faults of a system whose files are well formed: the file, the place in it, and the sentence.

    Where they are more than 300, the last sentence says so.
    """
    told = 0
    try:
        # Questions come last: to read one asks the content how it is played, which fails where that is unsound.
        for file, trail, message in chain(_placed(system, files), _unread_questions(system, files)):
            yield file, trail, message if told < MAX_FAULTS else TOO_MANY
            told += 1
            if told > MAX_FAULTS:
                return
        # Words are compared with effects that are sound.
        yield from () if told or system.mended else _unsound_words(system, files)
    except HackjackError:
        raise
    except Exception as error:
        # Where there are others, one of them is the likely cause.
        if not told:
            yield "system.yaml", (), unforeseen(error)


def _unread_questions(system: System, files: Collection[str]) -> Iterator[tuple[str, Trail, str]]:
    """Yield the quoted chances whose question cannot be read."""
    for name in () if system.mended else system.panel_names:
        for trail, value, _ in nodes(dict(system.panels)[name]) if f"{name}.yaml" in files else ():
            if isinstance(value, QuotedChance):
                # Only few panels quote chances, and every command checks.
                from generator.check import quoted_odds

                if message := quoted_odds.fault(value, system):
                    yield f"{name}.yaml", (*trail, "asks"), message


def _placed(system: System, files: Collection[str]) -> Iterator[tuple[str, Trail, str]]:
    checks = _Checks(system)
    for name, start, value in _contents(system, files):
        yield from ((name, trail, message) for trail, message in checks.of_file(name))
        yield from ((name, trail, message) for trail, message in checks.inside(value, start))


def _unsound_words(system: System, files: Collection[str]) -> Iterator[tuple[str, Trail, str]]:
    checks = _Checks(system)
    for name, start, value in _contents(system, files):
        if name in ("system.yaml", "deck.yaml", "decks.yaml", "tables.yaml"):
            faults = islice(checks.of_words(value, start), MAX_FAULTS)
            yield from ((name, trail, message) for trail, message in faults)


def printed_texts(system: System, files: Collection[str]) -> Iterator[tuple[str, Trail, str]]:
    """Yield the texts of the files from which paper is printed: the file, the place in it, and the text."""
    for name, start, value in _contents(system, files):
        if name not in ("claims.yaml", "page.yaml"):
            for trail, struct, _ in nodes(value, start):
                for written, field in zip(struct.__struct_encode_fields__, struct.__struct_fields__, strict=True):
                    yield from ((name, *each) for each in texts(getattr(struct, field), (*trail, written)))


def _contents(system: System, files: Collection[str]) -> Iterator[tuple[str, Trail, Any]]:
    """Yield what each of these files of a pack holds, and where in it that begins."""
    contents: dict[str, tuple[Trail, Callable[[], Any]]] = {
        "system.yaml": ((), lambda: system.head),
        "deck.yaml": ((), lambda: system.deck),
        "decks.yaml": (("decks",), lambda: system.decks),
        "tables.yaml": (("tables",), lambda: system.tables),
        "claims.yaml": (("claims",), lambda: system.claims),
        "tokens.yaml": (("tokens",), lambda: system.tokens),
        "combatants.yaml": (("combatants",), lambda: system.combatants),
        "theme.yaml": ((), lambda: system.theme),
        "page.yaml": ((), lambda: system.page),
        "mixed.yaml": ((), lambda: system.mixed),
    }
    yield from ((name, start, value()) for name, (start, value) in contents.items() if name in files)
    for name in system.panel_names:
        if f"{name}.yaml" in files:
            yield f"{name}.yaml", (), dict(system.panels)[name]


def under(system: System, settings: Iterable[Setting], numbers: Mapping[str, str] | None = None) -> System:
    """The same system under house rules that fit together: `settings` as typed, `numbers` as a campaign keeps them.

    Raises UsageError.
    """
    chosen = with_numbers(with_settings(system, settings), numbers or {})
    if chosen.head.procedure != system.head.procedure:
        before = set(_Checks(system).of_head())
        for fault in _Checks(chosen).of_head():
            if fault not in before:
                arguments = [
                    f"{name} {value}" for name, value in chosen.numbers.items() if system.numbers[name] != value
                ]
                raise UsageError(f"{system.head.id} cannot be played with {' and '.join(arguments)}: {fault[1]}")
    return chosen


def judged(pack: Pack, settings: Iterable[Setting]) -> Pack:
    """Return a pack under house rules. Raises ContentError with every problem of meaning, UsageError."""
    if faults := problems(pack.system, pack.marks):
        raise ContentError(faults)
    return replace(pack, system=under(pack.system, settings))


def judge(system: System) -> Callable[[Struct], Iterator[Fault]]:
    """Return what yields the faults of a part of content as if it stood in a system."""
    checks = _Checks(system)
    return lambda value: chain(checks.inside(value, ()), checks.of_words(value, ()))


class _Checks:
    """The checks of one system."""

    def __init__(self, system: System) -> None:
        self.system, self.content = system, content_of(system)
        self.references = References(system, self.content)
        self.own = isinstance(system.head.procedure, Steps)

    def of_file(self, name: str) -> Iterator[Fault]:
        """Yield what is wrong with a file as a whole."""
        system, kind = self.system, self.content
        yield from kind.file_faults(name)
        match name:
            case "system.yaml":
                yield from _head_names(system)
                yield from effect_checks.condition_faults(system)
                yield from () if self.own else effect_checks.steps_keys(system)
                yield from deck_checks.cards_faults(system)
                yield from kind.head_faults()
            case "decks.yaml":
                yield from deck_checks.decks_faults(system)
            case "tables.yaml":
                yield from _twice([table.id for table in system.tables], ("tables",), "table")
                yield from kind.table_faults()
            case "claims.yaml":
                yield from _twice([claim.id for claim in system.claims], ("claims",), "claim")
            case "tokens.yaml":
                yield from kind.token_faults()
            case "combatants.yaml":
                yield from kind.combatant_faults()
            case "page.yaml":
                yield from page_checks.faults(system, kind)
            case "mixed.yaml":
                yield from deck_checks.mixed_faults(system)
            case "theme.yaml":
                # Only here, because most packs have none and most commands draw nothing.
                from generator.check import theme_checks

                yield from theme_checks.faults(system)

    def of_head(self) -> Iterator[Fault]:
        """Yield what is wrong with `system.yaml`."""
        yield from (*self.of_file("system.yaml"), *self.inside(self.system.head, ()))

    def inside(self, value: Any, start: Trail) -> Iterator[Fault]:
        """Yield what is wrong with what a file holds."""
        for node in nodes(value, start):
            yield from self.references.faults(node)
            yield from self._faults(node)
            for trail, effects in effect_lists(node):
                yield from self.content.list_faults(effects, trail)

    def _faults(self, node: StructAt) -> Iterator[Fault]:
        trail, value, around = node
        match value:
            case Effect():
                implied = any(isinstance(above, Condition) for above in around)
                unplayed = UNPLAYED.get((self.system.kind, value.do))
                yield from ((trail, unplayed),) if unplayed else ()
                yield from effect_checks.faults(node, self.system, implied=implied)
                yield from self.content.effect_faults(value, trail, implied=implied)
                yield from () if self.own else effect_checks.steps_only(value, trail)
            case Card():
                yield from self._card_faults(value, trail, own=isinstance(around[0], OwnDeck))
            case OwnDeck():
                yield from deck_checks.own_deck_faults(value, self.content.card_fields(), trail)
            case Deck():
                yield from (*deck_checks.playing_faults(value), *_deck_faults(value, trail))
            case Table():
                yield from _table_faults(value, trail)
                if value.every and self.system.kind != "steps":
                    yield (*trail, "every"), "only procedures of the kind steps play this: write it into the rows"
            case Condition() if value.while_ and self.system.kind != "steps":
                yield (*trail, "while"), "only procedures of the kind steps play this: let an event end it"
            case Row():
                yield from _row_faults(value, trail)
                if value.first and self.system.kind != "steps":
                    yield (*trail, "first"), "only procedures of the kind steps play this: write it into the cells"
            case Part():
                yield from _part_faults(value, trail)
            case Procedure():
                yield from self._procedure_faults(value, trail)
            case CardClaim() | DeckClaim() if self.system.deck is None:
                yield trail, "this claim needs a deck, and the pack has none"
            case Wounds() if self.system.deck is None:
                yield trail, "this block needs a deck, and the pack has none"
            case OrderBlock() if value.event in self.system.head.events:
                yield from self._order_faults(value, trail)
            case ScaleBlock() if value.down or value.looks != "bars":
                yield trail, "a scale has one row of bars: take out `down` and `looks`, or make it a block `odds`"
            case GridBlock():
                yield from _grid_faults(value, trail)
            case Figure():
                table = self.system.table(value.table) if value.table else None
                if table and table.column_roll is None:
                    fault = f"the table {table.id} has no die that chooses its columns: name another one"
                    yield (*trail, "table"), fault

    def of_words(self, value: Any, start: Trail) -> Iterator[Fault]:
        """Yield what the author's own words in a file leave out of their effects, or add to them."""
        for trail, struct, _ in nodes(value, start):
            if isinstance(struct, Card | CardFace | Row | NamedCell):
                yield from ((trail + key, fault) for key, fault in own_words.struct_faults(struct, self.system))
            elif isinstance(struct, Condition):
                yield from ((trail + key, fault) for key, fault in own_words.condition_faults(struct, self.system))

    def _order_faults(self, block: OrderBlock, trail: Trail) -> Iterator[Fault]:
        """Events that are not called, and steps for events between which more is played than what they call."""
        order = events_in_order(block.event, self.system, any_rules=True)
        played = events_in_order(block.event, self.system)
        named = {name for part in block.steps for name in part.events}
        for at, part in enumerate(block.steps):
            place = (*trail, "steps", at, "event")
            for name in part.events:
                if name not in order:
                    yield place, f"{block.event} does not call {name}{did_you_mean(name, order)}"
            places = [played.index(name) for name in part.events if name in played]
            called = {each for name in part.events for each in events_in_order(name, self.system, any_rules=True)}
            between = played[min(places, default=0) : max(places, default=0)]
            if other := next((each for each in between if each not in called - named | {*part.events}), None):
                yield place, f"{other} is played between these events: name it with them, or write a step for each"

    def _card_faults(self, card: Card, trail: Trail, *, own: bool) -> Iterator[Fault]:
        playing = is_code(card.code)
        if not playing and not own:
            hint = meant_card(card.code) or ": write AC, 10H, QS, RJ or BJ"
            yield (*trail, "code"), f'"{card.code}" is not a card{hint}; cards of other decks belong in decks.yaml'
        elif card.score is not None and playing and not is_joker(card.code):
            by_rank = self.system.rank_score(card.code)
            if card.score != by_rank and (by_rank or not own) and not card.score_on_purpose:
                message = f"the {name_of(card.code)} scores {by_rank} by its rank, not {card.score}"
                yield (*trail, "score"), f"{message}: take the score out, or write score_on_purpose: true beside it"
        if card.blood and card.blood.least < 0:
            yield (*trail, "blood"), f"{card.blood} can be less than 0"
        for key in ("blood", "trauma"):
            if not own and getattr(card, key) is not None and key not in self.content.card_fields():
                yield (*trail, key), f"{key} is not counted here: leave it out"

    def _procedure_faults(self, procedure: Procedure, start: Trail) -> Iterator[Fault]:
        """Numbers that a table can play with, and odds be counted of."""
        kind = self.content
        for name in procedure.__struct_fields__:
            value = getattr(procedure, name)
            inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, tuple) else ()
            for at, die in inside or ((None, value),):
                trail: Trail = (*start, name) if at is None else (*start, name, at)
                if isinstance(die, Dice) and kind.ONE_DIE:
                    yield from one_die(die, trail)
                if isinstance(die, Dice) and (die.count > MAX_DICE or die.faces > kind.MAX_FACES):
                    yield trail, f"{die}: the limit here is {MAX_DICE} dice of {kind.MAX_FACES:,} faces"
                if isinstance(die, int) and kind.MAX_NUMBER is not None and die > kind.MAX_NUMBER:
                    yield trail, f"{die:,} is too much for this procedure: at most {kind.MAX_NUMBER:,}"


# --- system.yaml ---------------------------------------------------------------------------------------------------


def _head_names(system: System) -> Iterator[Fault]:
    """Names that must differ or be there, beside those that their types tell."""
    head = system.head
    yield from _twice([suit.id for suit in head.suits], ("suits",), "suit")
    if system.deck and len({suit.id for suit in head.suits}) < 4:
        yield ("suits",), "a deck needs all four suits: C, S, D and H"
    for name, statistic in head.statistics.items():
        for place, also in enumerate(statistic.also):
            others = (other for other, known in head.statistics.items() if also == other or also in known.also)
            if (other := next((other for other in others if other != name), None)) or also == name:
                yield ("statistics", name, "also", place), f'"{also}" is a name of {other or name} already'
    own = head.procedure if isinstance(head.procedure, Steps) else None
    for name, track in head.tracks.items():
        number = own.constants.get(str(track.most)) if own else None
        if own and number and track.most in own.bounds and number not in own.bounds[track.most]:
            # The constant itself is at fault.
            continue
        if isinstance(track.most, str) and not 1 <= (system.most_of(name) or 0) <= MAX_BOXES:
            numbers = [number for number, value in system.numbers.items() if value.isdigit()]
            message = f"{track.most} is not a number of the procedure from 1 to {MAX_BOXES:,}"
            hint = "" if track.most in numbers else did_you_mean(track.most, numbers)
            yield ("tracks", name, "most"), f"{message}{hint}"
    yield from _ruling_faults(head.rulings)


def _ruling_faults(rulings: tuple[Ruling, ...]) -> Iterator[Fault]:
    yield from _twice([ruling.id for ruling in rulings], ("rulings",), "ruling")
    names = [ruling.switch.name if ruling.switch else None for ruling in rulings]
    for place, ruling in enumerate(rulings):
        switch = ruling.switch
        if switch is None:
            continue
        if switch.default not in switch.options:
            hint = did_you_mean(switch.default, switch.options)
            yield ("rulings", place, "switch", "default"), f'"{switch.default}" is none of the options{hint}'
        if switch.name in names[:place]:
            yield ("rulings", place, "switch", "name"), f'the switch "{switch.name}" appears twice'


def _part_faults(part: Part, trail: Trail) -> Iterator[Fault]:
    if part.die:
        yield from one_die(part.die, (*trail, "die"))
        if len(part.places) != part.die.faces:
            message = f"{part.die.spoken} has {part.die.faces} faces, but {len(part.places)} places are named"
            yield (*trail, "die"), message
    elif part.sides or part.members:
        yield trail, 'the key "die" is missing: name the die that chooses among the places'
    if part.extent:
        yield from one_die(part.extent.die, (*trail, "extent", "die"))
        if len(part.extent.steps) != part.extent.die.faces:
            faces = f"{part.extent.die.spoken} has {part.extent.die.faces} faces"
            yield (*trail, "extent", "die"), f"{faces}, but {len(part.extent.steps)} steps are named"
        for place, face in enumerate(part.extent.reconstructed):
            if not 1 <= face <= len(part.extent.steps):
                yield (*trail, "extent", "reconstructed", place), f"there is no face {face}"


# --- deck.yaml, tables.yaml and panels -------------------------------------------------------------------------------


def _deck_faults(deck: Deck, trail: Trail) -> Iterator[Fault]:
    seen: dict[str, int] = {}
    for place, card in enumerate(deck.cards):
        if card.code in seen and is_code(card.code):
            message = f"the card {card.code} appears twice: entry {seen[card.code] + 1} has it already"
            yield (*trail, "cards", place, "code"), message
        seen.setdefault(card.code, place)
    if deck.cards and all(any(isinstance(effect, Again) for effect in card.effects) for card in deck.cards):
        yield (*trail, "cards"), "every card draws another in its place: drawing would never end"
    missing = [code for code in FULL_DECK if code not in seen]
    if missing:
        codes = ", ".join(missing[:8]) + (f" and {len(missing) - 8} more" if len(missing) > 8 else "")
        noun = "card is" if len(missing) == 1 else "cards are"
        yield (*trail, "cards"), f"{len(missing)} {noun} missing: {codes}"


def _row_faults(row: Row, trail: Trail) -> Iterator[Fault]:
    if row.lasts is not None and row.lasts.amount is None:
        yield (*trail, "lasts"), f'"{row.lasts}" is not a span of time: write 2d6 weeks'
    if row.first and not row.cells:
        yield (*trail, "first"), "the row has no cells that this comes before: write it into effects"
    if not (row.name or row.lasts or row.cells or row.effects or row.note):
        yield trail, "the row is empty: give it a name, cells, effects, or how long it lasts"


def _table_faults(table: Table, trail: Trail) -> Iterator[Fault]:
    """Rows by results or by names, and a die that shows none but results."""
    for index, row in enumerate(table.rows):
        if row.effects and row.cells and table.columns.keys() <= row.cells.keys():
            yield (*trail, "rows", index, "effects"), "each column has a cell, so these never happen: move them there"
    covers, roll, spans = table.covers, table.roll, [row.at for row in table.rows if row.at]
    if covers is None and spans and len(spans) == len(table.rows):
        whole = Span(min(span.low for span in spans), spans[-1].high)
        yield trail, f'the key "covers" is missing: write covers: {whole}, all results that the rows cover'
        return
    yield from (_covered_faults if covers else _named_row_faults)(table, trail)
    if roll is None or covers is None:
        return
    if roll.is_number:
        yield (*trail, "roll"), f"{roll} is not a die: write d{roll}, or leave it out where nothing is rolled"
    elif covers in DIGITS:
        cure = f"for d6 read as digits leave roll out, and look the table up by: {DIGITS[covers]}"
        yield (*trail, "roll"), f"{roll.spoken} shows {Span(roll.least, roll.most)}: {cure}"
    elif roll.least < covers.low or (covers.high is not None and roll.most > covers.high):
        rolled = Span(roll.least, roll.most)
        shifted = Dice(roll.count, roll.faces, roll.plus + covers.low - roll.least)
        fits = covers.high is not None and roll.most - roll.least == covers.high - covers.low
        cure = f"write {shifted}, or give rows for all of it" if fits else "give rows for all of it"
        yield (*trail, "roll"), f"{roll.spoken} shows {rolled}, but the table covers {covers}: {cure}"


def _possible(result: int, covers: Span) -> int:
    """This result, or the next that the dice can show."""
    while covers in DIGITS and covers.high and result <= covers.high and not set(str(result)) <= set("123456"):
        result += 1
    return result


def _covered_faults(table: Table, trail: Trail) -> Iterator[Fault]:
    """The rows cover the whole range, each result once."""
    covers = table.covers or Span(0, None)
    expected: int | None = covers.low
    for place, row in enumerate(table.rows):
        where = (*trail, "rows", place, "at")
        if row.at is None:
            yield where[:-1], 'the key "at" is missing: say which results the row covers'
            return
        if expected is not None and row.at.low > expected:
            expected = min(_possible(expected, covers), row.at.low)
        if expected is None or row.at.low < expected:
            after = f": let it begin at {expected}" if expected is not None else ": that one has no end"
            yield where, f"the row {row.at} overlaps the row before it{after}"
        elif row.at.low > expected:
            gap = f"{expected}" if row.at.low == expected + 1 else f"{expected} to {row.at.low - 1}"
            yield where, f"no row covers {gap}: let this row begin at {expected}, or add one before it"
        expected = None if row.at.high is None else max(row.at.high, (expected or 1) - 1) + 1
    last = covers.high
    if (expected is None) != (last is None) or (expected is not None and last is not None and expected != last + 1):
        ends = "without an end" if expected is None else f"at {expected - 1}"
        ours = Span(covers.low, None if expected is None else expected - 1)
        beyond = last is not None and (expected is None or expected > last + 1)
        cure = "take out what is beyond" if beyond else "add a row"
        yield (*trail, "covers"), f"the rows end {ends}, but the table covers {covers}: {cure}, or write covers: {ours}"


def _named_row_faults(table: Table, trail: Trail) -> Iterator[Fault]:
    """Without results to cover, every row has a name of its own."""
    seen: set[str] = set()
    for place, row in enumerate(table.rows):
        where = (*trail, "rows", place)
        if row.name is None:
            yield where, 'the key "name" is missing: a table that covers no results has rows with names'
        elif row.name.casefold() in seen:
            yield (*where, "name"), f'the row "{row.name}" appears twice'
        if row.at is not None:
            yield (*where, "at"), "the table covers no results: say in covers which, or take this out"
        seen.add((row.name or "").casefold())


def _grid_faults(block: GridBlock, trail: Trail) -> Iterator[Fault]:
    """Rows or labels, and every column once."""
    if (block.rows is None) == (not block.labels):
        yield trail, "a grid has either rows, a number, or labels, a list: write one of them"
    ids = [column.id for column in block.columns]
    for place, column in enumerate(ids):
        if column in ids[:place]:
            yield (*trail, "columns", place, "id"), f'the column "{column}" appears twice'


def _twice(names: list[str], trail: Trail, noun: str) -> Iterator[Fault]:
    for place, name in enumerate(names):
        if name in names[:place]:
            first = names.index(name) + 1
            yield (*trail, place, "id"), f'the {noun} "{name}" appears twice: entry {first} has it already'
