"""A whole system: the files of a pack, and what many rooms ask of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from generator.base.cards import rank_of, suit_of
from generator.base.dice import Dice
from generator.base.errors import HackjackError
from generator.base.sentences import unit_of
from generator.model.card_sets import ALL
from generator.model.cards import Card, Deck, OwnDeck
from generator.model.durations import MINUTES, UNITS
from generator.model.pack_files import Switch, SystemFile
from generator.model.procedures import AnyProcedure, OwnNumber
from generator.model.procedures import Steps as StepsProcedure
from generator.model.side_files import SideFiles, UnreadFiles
from generator.model.steps import AnyEffect, walk_effects
from generator.model.steps.flow import Watches, as_soon_as, held_while
from generator.model.tables import Table
from generator.model.themes import PLAIN, Theme

if TYPE_CHECKING:
    # What no event reads is loaded once somebody asks for it.
    from generator.model.blocks import PanelsFile
    from generator.model.claims import AnyClaim
    from generator.model.combatants import Combatant
    from generator.model.page import PageFile
    from generator.model.printed_files import HandOut, MixedFile

T = TypeVar("T")


@dataclass(frozen=True)
class System:
    """A whole system: its files put together, and the house rules in force (`settings`, by switch name).

    `usual` is the procedure of the lowest system that it extends, against which changed numbers are told.
    `folder` is where its pictures lie, `below` are the folders of the systems that it extends, the nearest first.
    `side_files` are what no event reads; those that were not read yet are read when they are asked for.
    If it is `mended`, stand-ins take the place of what is wrong in it, and nothing tells what it uses.
    `at_table` is the state of a session, as plain data, whose cards are printed with what is written on them.
    `played` returns what its files say of play, whatever settings are in force, as JSON; empty for what is no pack.
    """

    head: SystemFile
    deck: Deck | None
    tables: tuple[Table, ...]
    side_files: SideFiles | UnreadFiles = field(hash=False)
    settings: tuple[tuple[str, str], ...] = ()
    usual: AnyProcedure | None = None
    combatants: tuple[Combatant, ...] = ()
    folder: Path | None = None
    below: tuple[Path, ...] = ()
    mended: bool = False
    decks: tuple[OwnDeck, ...] = ()
    played: Callable[[], bytes] = field(default=bytes, compare=False)
    theme: Theme = PLAIN
    at_table: Mapping[str, Any] = field(default_factory=dict, hash=False)
    shows_rulings: bool = False

    def with_side_files(self, **changes: Any) -> System:
        """Return the system with others of the files that no event reads."""
        return replace(self, side_files=msgspec.structs.replace(self.side_files.whole, **changes))

    @property
    def claims(self) -> tuple[AnyClaim, ...]:
        """What the source states and can be recomputed."""
        return self.side_files.whole.claims

    @property
    def inherited(self) -> frozenset[str]:
        """The claims, by id, of the system that it extends."""
        return self.side_files.whole.inherited

    @property
    def panels(self) -> tuple[tuple[str, PanelsFile], ...]:
        """The products of panels, by name."""
        return self.side_files.whole.panels

    @property
    def panel_names(self) -> tuple[str, ...]:
        """The products of panels; no file is read for their names."""
        return self.side_files.panel_names

    @property
    def tokens(self) -> tuple[HandOut, ...]:
        """The tokens to hand out."""
        return self.side_files.whole.tokens

    @property
    def page(self) -> PageFile:
        """What the page at the table shows first."""
        return self.side_files.whole.page

    @property
    def mixed(self) -> MixedFile | None:
        """The mixed cards; no file is read where there are none."""
        return self.side_files.whole.mixed if self.side_files.mixed else None

    @property
    def others(self) -> Mapping[str, System]:
        """The systems, by name, that it takes cards and blocks from."""
        return self.side_files.whole.others

    def all_effects(self) -> Iterator[AnyEffect]:
        """Yield every effect in the content, those inside others last, so that whole entries come first."""
        entries: list[tuple[AnyEffect, ...]] = []
        for deck in self.piles.values():
            for card in deck.cards:
                entries += [card.effects, card.for_good, *(face.effects for face in card.faces.values())]
        for condition in self.head.conditions.values():
            entries += [condition.implies, *condition.each.values(), *condition.ends.values()]
        entries += [event.do_ for event in self.head.events.values()]
        entries += [(*watch.then, *watch.otherwise) for watch in self.watches]
        for table in self.tables:
            entries.append(table.every)
            entries += [effects for row in table.rows for _, effects in row.lists]
        yield from (effect for entry in entries for effect in entry)
        yield from (effect for entry in entries for trail, effect in walk_effects(entry) if len(trail) > 1)

    @cached_property
    def watches(self) -> Watches:
        """What follows every event: the author's watches, and before and after them each condition held by `while`."""
        conditions = self.head.conditions.items()
        held = tuple(held_while(name, condition.while_) for name, condition in conditions if condition.while_)
        own = tuple(as_soon_as(watch.holds, watch.do_) for watch in self.head.watches)
        return (*held, *own, *held) if own else held

    @cached_property
    def ready(self) -> dict[Any, Any]:
        """Return what has been made ready for questions about this system, each by its maker's key."""
        return {}

    @cached_property
    def switches(self) -> dict[str, Switch]:
        """Every switch by its name."""
        return {ruling.switch.name: ruling.switch for ruling in self.head.rulings if ruling.switch}

    @cached_property
    def cards(self) -> dict[str, Card]:
        """The deck's cards by code."""
        return {card.code: card for card in self.deck.cards} if self.deck else {}

    @cached_property
    def piles(self) -> dict[str, Deck]:
        """Every deck by its name; that of `deck.yaml` is called deck."""
        return ({"deck": self.deck} if self.deck else {}) | {deck.id: deck for deck in self.decks}

    @cached_property
    def figures(self) -> dict[str, int | Dice]:
        """The procedure's numbers and dice by name; those of the kind `steps` are the author's constants."""
        procedure = self.head.procedure
        if isinstance(procedure, StepsProcedure):
            return {name: dice.plus if dice.is_number else dice for name, dice in procedure.constants.items()}
        values = {name: getattr(procedure, name) for name in procedure.__struct_fields__}
        return {name: value for name, value in values.items() if isinstance(value, int | Dice)}

    @cached_property
    def numbers(self) -> dict[str, str]:
        """The procedure's numbers by name, as texts of the content may quote them: `{limit}`."""
        return {name: value.spoken if isinstance(value, Dice) else str(value) for name, value in self.figures.items()}

    def tables_of(self, names: str | tuple[str, ...]) -> tuple[str, ...]:
        """Return the tables of a list, or those in which kinds of something are looked up."""
        if not isinstance(names, str):
            return names
        procedure = self.head.procedure
        kinds = procedure.aims.get(names, {}) if isinstance(procedure, StepsProcedure) else {}
        return tuple(dict.fromkeys(aim.table for aim in kinds.values()))

    @cached_property
    def readings(self) -> dict[str, str]:
        """The reading in force of each ruling that has a switch, by its number, as texts may quote it: `{H6}`."""
        switched = [(ruling.id, ruling.switch) for ruling in self.head.rulings if ruling.switch]
        return {name: switch.options.get(self.setting(switch.name) or "", "") for name, switch in switched}

    @cached_property
    def _chosen(self) -> dict[str, str]:
        return dict(self.settings)

    def setting(self, switch: str) -> str | None:
        """Return the option in force for a switch; None where the system has no such switch."""
        chosen = self._chosen.get(switch)
        return chosen or (self.switches[switch].default if switch in self.switches else None)

    @cached_property
    def house_rules(self) -> tuple[tuple[str, str], ...]:
        """The switches that stand elsewhere than by default, as (name, option)."""
        return tuple((name, value) for name, value in self.settings if value != self.switches[name].default)

    @cached_property
    def changed_numbers(self) -> tuple[tuple[str, str], ...]:
        """The numbers of the procedure that are not as usual, as (name, value); an entry of a list as `scores J`."""
        usual, comparable = self.usual_numbers, type(self.usual) is type(self.head.procedure)
        figures = _figures(self.head.procedure) if comparable else ()
        return tuple((name, value) for name, value in figures if usual.get(name) != value)

    @cached_property
    def usual_numbers(self) -> dict[str, str]:
        """The procedure's numbers as the lowest system that it extends has them; none where that is of another kind."""
        return dict(_figures(self.usual)) if type(self.usual) is type(self.head.procedure) else {}

    @cached_property
    def units(self) -> tuple[str, ...]:
        """Every unit of time, ours and the author's, the shortest first."""
        return tuple(sorted((*UNITS, *self._own_units), key=self.unit_length))

    @property
    def _own_units(self) -> Mapping[str, str]:
        return self.head.procedure.units if isinstance(self.head.procedure, StepsProcedure) else {}

    def unit_length(self, unit: str) -> tuple[int, int]:
        """Return how long a unit of time is: so many rounds, or after these so many minutes."""
        many, _, word = self._own_units.get(unit, f"1 {unit}").partition(" ")
        minutes = MINUTES.get(unit_of(word), 0)
        return (1, int(many) * minutes) if minutes else (0, int(many))

    @cached_property
    def unit_days(self) -> dict[str, int]:
        """Units that are counted down in days, and how many each is."""
        lengths = {unit: self.unit_length(unit)[1] for unit in self.units if self.unit_length(unit)[0]}
        day = MINUTES["day"]
        return {unit: length // day for unit, length in lengths.items() if length > day and length % day == 0}

    @cached_property
    def steps(self) -> StepsProcedure:
        """What a system of steps counts with. Raises HackjackError for any other."""
        if not isinstance(self.head.procedure, StepsProcedure):
            raise HackjackError(f"{self.head.id} does not define its own events (only packs of kind steps do)")
        return self.head.procedure

    @cached_property
    def kept_numbers(self) -> dict[str, OwnNumber]:
        """The author's numbers that a state has: all but those for one event."""
        return {name: own for name, own in self.steps.numbers.items() if not own.temporary}

    @property
    def kind(self) -> str:
        """The kind of its procedure: `steps`, for one."""
        return str(self.head.procedure.__struct_config__.tag)

    def conditions_of(self, names: str | tuple[str, ...]) -> tuple[str, ...]:
        """Return the conditions that a list, a group or `all` means, in the order of the list or of the content."""
        conditions = self.head.conditions
        if not isinstance(names, str):
            return names
        return tuple(name for name, each in conditions.items() if each.group == names or (names == ALL and each.name))

    def most_of(self, track: str) -> int | None:
        """Return how much of a track fits on a sheet."""
        most = self.head.tracks[track].most
        if not isinstance(most, str):
            return most
        number = self.numbers.get(most, "")
        return int(number) if number.isdigit() else None

    def score_of(self, card: Card) -> int:
        """Return the death-score of a card: its own where it says so, otherwise its rank's."""
        return card.score if card.score is not None else self.rank_score(card.code)

    def rank_score(self, code: str) -> int:
        """Return the death-score that a card has by its rank; jokers and codes of their own have none."""
        rank, procedure = rank_of(code), self.head.procedure
        scores = procedure.scores if isinstance(procedure, StepsProcedure) else {}
        if not suit_of(code) or not scores:
            return 0
        return scores[rank] if rank in scores else int(rank) if rank.isdigit() else 0

    def table(self, name: str) -> Table | None:
        """Return a table by its id."""
        return self._tables.get(name)

    def part_at(self, place: str) -> str:
        """Return the part of the body at a place, such as `arm` for `left arm`; empty if there is none."""
        words, fitting = f" {place.partition(' (')[0]}", dict[str, tuple[bool, int]]()
        for name, part in self.head.parts.items():
            # A limb is where its members are, if they are no parts themselves.
            for each in (part.name, *part.members):
                if words.endswith(f" {each}"):
                    fitting[name] = max(fitting.get(name, (False, 0)), (each == part.name, len(each)))
        return max(fitting, key=lambda name: fitting[name], default="")

    @cached_property
    def _tables(self) -> dict[str, Table]:
        return {table.id: table for table in reversed(self.tables)}


def _figures(procedure: AnyProcedure | None) -> Iterator[tuple[str, str]]:
    """Yield all the numbers and dice of a procedure as a person reads them, by name."""
    if isinstance(procedure, StepsProcedure):
        yield from ((name, dice.spoken) for name, dice in procedure.constants.items())
    for name in procedure.__struct_fields__ if procedure else ():
        value = getattr(procedure, name)
        match value:
            case int():
                yield name, str(value)
            case Dice():
                yield name, value.spoken
            case dict():
                yield from ((f"{name} {key}", str(number)) for key, number in value.items() if isinstance(number, int))
            case tuple() if all(isinstance(die, Dice) for die in value):
                yield name, " ".join(die.spoken for die in value)


def per_system(view: Callable[[System], T]) -> Callable[[System], T]:
    """Return a view that is made once for each system, when it is first asked for."""

    @wraps(view)
    def view_of(system: System) -> T:
        try:
            made: T = system.ready[view_of]
        except KeyError:
            made = system.ready[view_of] = view(system)
        return made

    return view_of
