"""How a table goes on: commands lead from one session to the next. Everything here is a pure value.

A command is deeds with the luck that they met; `advance` does them together or not at all. Undo is the session as it
was before. Replayed with the luck that they met, the same commands give the same session again, whatever becomes of
the program's own dice.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

import msgspec

from generator.base.errors import HackjackError, UsageError, did_you_mean
from generator.base.text_input import read_name
from generator.games import drawn_of, with_drawn
from generator.model.log import Log
from generator.model.rules import System
from generator.play.chance import SURPLUS, Given, NeedsError
from generator.play.piles import without
from generator.session.deeds import (
    COMMANDS_SINCE,
    GIVEN,
    MOST_GIVEN,
    OPENING_SINCE,
    VERSION,
    Campaign,
    Command,
    Continuation,
    DeckKind,
    Deed,
)
from generator.session.luck import MissingError, Spare, TableLuck, VirtualLuck, numbers_for, shuffled
from generator.session.party import TABLE, Party, Table, held_by, ordered

MOST_CHARACTERS = 50
_NONE: Spare = ((), (), ())
_NEW = Continuation(VERSION, "")
NOTHING = Command(())
"""What led to the first moment."""


@dataclass(frozen=True, slots=True, eq=False)
class Moment:
    """The party after a command, the moment before it, and the line of the journal that the command stands on.

    The first moment has no moment before it.
    """

    party: Party
    command: Command = NOTHING
    before: Moment | None = None
    line: int = 1


@dataclass(frozen=True, slots=True, eq=False)
class Undone:
    """A moment that was taken back, and those that were taken back before it."""

    moment: Moment
    rest: Undone | None


@dataclass(frozen=True, slots=True, eq=False)
class Session:
    """The table now, with the way that led here and what may be redone.

    `lines` is how many lines its journal has, `since` what the newest of them are written with.
    """

    table: Table
    now: Moment
    undone: Undone | None = None
    lines: int = 1
    since: Continuation = _NEW

    @property
    def party(self) -> Party:
        """The party as it stands."""
        return self.now.party

    def moments(self) -> Iterator[Moment]:
        """The moments after each command that counts, newest first."""
        moment = self.now
        while moment.before is not None:
            yield moment
            moment = moment.before


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """What became of a command: the session after it and before it, the command with the luck it met, and the log.

    `logs` has one log for each deed.
    """

    session: Session
    command: Command
    before: Session
    logs: tuple[Log, ...] = ()

    @property
    def log(self) -> Log:
        """What all its deeds brought."""
        return tuple(chain.from_iterable(self.logs))


def new_campaign(system: System, deck: DeckKind = "real", seed: int | None = None) -> Campaign:
    """What a new campaign settles on: every ruling and number by name, so that later defaults leave it alone.

    Virtual luck comes from the seed, or from one that nobody knows yet.
    """
    rulings = {name: switch.default for name, switch in system.switches.items()} | dict(system.settings)
    head = system.head
    if deck == "real":
        return Campaign(VERSION, head.id, head.version, rulings, deck, numbers=system.numbers, checksum=system.checksum)
    seed = secrets.randbits(48) if seed is None else seed
    order = shuffled(ordered(system), seed, 0)
    return Campaign(VERSION, head.id, head.version, rulings, deck, seed, order, system.numbers, system.checksum)


def begin(table: Table) -> Session:
    """A session with nobody at the table yet. Raises HackjackError when the campaign contradicts itself."""
    campaign, deck = table.campaign, table.shuffled
    if not table.virtual and (campaign.seed is not None or campaign.order):
        raise HackjackError("a real deck has neither a seed nor an order")
    if table.virtual and (campaign.seed is None or sorted(campaign.order) != sorted(deck)):
        raise HackjackError(f"a virtual deck has a seed, and an order of its {len(deck)} cards")
    opening = table.game.OPENING if campaign.version >= OPENING_SINCE else {}
    states = {TABLE: table.game.read_state(opening)} if table.game.SHARED else {}
    first = Moment(Party(states, order=campaign.order, met=numbers_for(campaign.order)))
    return Session(table, first, since=Continuation(campaign.version, campaign.content, campaign.checksum))


def continued(session: Session, since: Continuation) -> Session:
    """The session after a line that says what its journal goes on with. Raises HackjackError for an older version."""
    if since.version < max(session.since.version, COMMANDS_SINCE):
        raise HackjackError(f"a journal of version {session.since.version} does not go on in version {since.version}")
    return replace(session, since=since, lines=session.lines + 1)


def advance(session: Session, command: Command | Deed, *, replaying: bool = False, asking: bool = False) -> Step:
    """Do a command; a deed by itself is a command of one. When a deed of it fails nothing has happened.

    Luck that a deed does not need goes to the next one. `replaying` takes all luck from the deeds, as it was met;
    otherwise a virtual deck has its own. `asking`: dice are asked for even where the roll can wait. Raises
    HackjackError for what cannot be done, and MissingError when luck or a choice is needed.
    """
    if isinstance(command, Deed):
        command = Command((command,))
    lines = session.lines + 1
    if command.turns:
        return Step(replace(_turned(session, command), lines=lines), command, session)
    party, deeds, logs = _done(session.table, session.party, command.deeds, replaying=replaying, asking=asking)
    command = msgspec.structs.replace(command, deeds=deeds)
    moment = Moment(party, command, session.now, lines)
    return Step(Session(session.table, moment, None, lines, session.since), command, session, logs)


def looked(session: Session, deed: Deed) -> Log:
    """What an event that only looks says of the table as it is. Raises HackjackError."""
    table = session.table
    event = table.game.read_event((deed.do, *deed.words), deed.at)
    Given(deed.cards, deed.dice, deed.choices).finish()
    with told_by_name(deed.who):
        return table.game.look(session.party.state(deed.who), event)


def logs_of(table: Table, moment: Moment) -> tuple[Log, ...]:
    """What the logs said when a moment came about, one for each deed: the command once more on the party before it."""
    if moment.before is None:
        return ()
    return _done(table, moment.before.party, moment.command.deeds, replaying=True)[2]


def log_of(table: Table, moment: Moment) -> Log:
    """What the log said when a moment came about."""
    return tuple(chain.from_iterable(logs_of(table, moment)))


def retold(step: Step) -> Step:
    """A step with its logs, which those that were read from a journal do not keep."""
    return step if step.command.turns else replace(step, logs=logs_of(step.session.table, step.session.now))


def left_in(session: Session) -> tuple[str, ...]:
    """The cards in the deck, sorted as in a new one: what a player who counts cards knows."""
    return without(session.table.deck, session.party.drawn)


# --- undo and redo ---------------------------------------------------------------------------------------------------


def undo_of_own(session: Session, by: str) -> Deed:
    """The undo of a player's own command, which stays theirs while nobody acts after it.

    It names the command, so that it takes back no other one. Raises HackjackError when the last command is not theirs.
    """
    last = session.now.command
    if session.now.before is None or not last.id or last.by != by:
        raise HackjackError(f"{by} can take back only their own command, and only while nothing has come after it")
    return Deed("undo", at={"id": last.id})


def _turned(session: Session, command: Command) -> Session:
    deed = command.deeds[0]
    if len(command.deeds) > 1:
        raise HackjackError("undo and redo are commands of their own: send them one by one")
    if deed != Deed(deed.do, at=deed.at) or not deed.at.keys() <= _NAMED[deed.do]:
        raise HackjackError(f"{deed.do} stands alone: leave the rest out")
    return _undo(session, deed.at) if deed.do == "undo" else _redo(session)


_NAMED: dict[str, set[str]] = {"undo": {"id", "line"}, "redo": set()}
"""By what the command may be named that is to be taken back."""


def _undo(session: Session, named: Mapping[str, str]) -> Session:
    """Take the last command back; where one is named, only that one."""
    now = session.now
    if now.before is None:
        raise HackjackError("there is nothing to undo")
    known = {"id": now.command.id, "line": str(now.line)}
    for name, value in named.items():
        if value != known[name]:
            raise HackjackError(
                f"{name} {value[:64]} is not the last command that counts, which is {now.command} on line {now.line}: "
                "only the last one can be undone"
            )
    return replace(session, now=now.before, undone=Undone(now, session.undone))


def _redo(session: Session) -> Session:
    undone = session.undone
    if undone is None:
        raise HackjackError("there is nothing to redo: a new command puts an end to what was undone before it")
    return replace(session, now=undone.moment, undone=undone.rest)


# --- deeds -----------------------------------------------------------------------------------------------------------


def _done(
    table: Table, party: Party, deeds: tuple[Deed, ...], *, replaying: bool, asking: bool = False
) -> tuple[Party, tuple[Deed, ...], tuple[Log, ...]]:
    """Deeds on a party, one after the other: the party after them, the deeds with their luck, and their logs."""
    met: list[Deed] = []
    logs: list[Log] = []
    spare = _NONE
    for place, deed in enumerate(deeds):
        last = place == len(deeds) - 1
        try:
            if not table.game.SHARED and deed.do in ("add", "remove"):
                log: Log = ()
                party, after = _joined_or_left(table, party, deed), deed
                if last:
                    Given(*spare).finish()
            else:
                luck = _luck(table, party, deed, spare, replaying=replaying, asking=asking)
                party, after, log = _happened(table, party, deed, luck, replaying=replaying, last=last)
                spare = luck.left if not last else _NONE
        except HackjackError as error:
            if len(deeds) == 1:
                raise
            if isinstance(error, MissingError):
                raise _named_missing(error, deeds[place], place, logs) from error
            kind = UsageError if isinstance(error, UsageError) else HackjackError
            raise kind(f"{deed}: {error}") from error
        met.append(after)
        logs.append(log)
    return party, tuple(met), tuple(logs)


def _named_missing(missing: MissingError, deed: Deed, place: int, logs: list[Log]) -> MissingError:
    """What is missing, with the deed that needs it, and with what the deeds before it have brought."""
    named = MissingError(missing.need, f"{deed.who or deed.do}: {missing}", place)
    named.so_far = (*chain.from_iterable(logs), *missing.so_far)
    return named


def _luck(table: Table, party: Party, deed: Deed, spare: Spare, *, replaying: bool, asking: bool) -> TableLuck:
    """The luck of a deed: what the deeds before it left over, then its own."""
    if any(spare):
        cards, dice, choices = spare
        deed = msgspec.structs.replace(
            deed, cards=cards + deed.cards, dice=dice + deed.dice, choices=choices + deed.choices
        )
    if table.virtual:
        return VirtualLuck(table, party, deed, replaying)
    return TableLuck(table, party, deed, asking=asking)


def _joined_or_left(table: Table, party: Party, deed: Deed) -> Party:
    if deed.at or deed.cards or deed.dice or deed.choices or deed.order:
        raise HackjackError(f"{deed.do} meets no luck: leave the cards and dice out")
    return _added(table, party, deed) if deed.do == "add" else _removed(party, deed)


def _added(table: Table, party: Party, deed: Deed) -> Party:
    if len(party.characters) >= MOST_CHARACTERS:
        raise HackjackError(f"{MOST_CHARACTERS} characters are at the table: remove one first")
    if (name := read_name(deed.who)) != deed.who:
        raise HackjackError(f'the name "{deed.who}" is written "{name}"')
    taken = {known.casefold(): known for known in party.characters}
    if name.casefold() in taken:
        raise HackjackError(f"{taken[name.casefold()]} is at the table already: take another name")
    return replace(party, characters={**party.characters, name: table.game.newcomer(deed.words)})


def _removed(party: Party, deed: Deed) -> Party:
    _present(party, deed)
    if deed.words:
        raise HackjackError("remove takes a name and nothing else")
    return replace(party, characters={name: state for name, state in party.characters.items() if name != deed.who})


def _present(party: Party, deed: Deed) -> Any:
    if deed.who in party.characters:
        return party.characters[deed.who]
    if TABLE in party.characters:
        raise HackjackError(f'the table is one: {deed.do} is not written with a name in front, such as "{deed.who}"')
    raise HackjackError(f'nobody here is called "{deed.who}"{did_you_mean(deed.who, party.characters)}')


def _happened(
    table: Table, party: Party, deed: Deed, luck: TableLuck, *, replaying: bool, last: bool
) -> tuple[Party, Deed, Log]:
    """What befalls somebody or the table; the last deed of a command must use all luck that is left."""
    game = table.game
    # A journal has kept what it needs: to read it again reads no other file.
    given = deed.given if replaying or deed.given else None
    event, state = game.read_given((deed.do, *deed.words), deed.at, given), _present(party, deed)
    state = with_drawn(state, party.drawn)
    with told_by_name(deed.who):
        if game.SHARED:
            after, log = game.step(state, event, luck)
        else:
            after, log = game.step_beside(state, event, luck, held_by(game, party))
    if last or replaying:
        luck.finish(getattr(event, SURPLUS, ""))
    game.check_bounds(after)
    met = msgspec.structs.replace(
        deed, cards=tuple(luck.cards), dice=tuple(luck.dice), choices=tuple(luck.choices), order=tuple(luck.shuffled)
    )
    met = _kept(met, getattr(event, GIVEN, ""))
    drawn = drawn_of(after)
    characters: Mapping[str, Any] = {**party.characters, deed.who: with_drawn(after, ())}
    if not game.SHARED:
        characters = game.together(characters, deed.who, event)
    return Party(characters, party.drawn if drawn is None else drawn, luck.order, luck.met), met, log


def _kept(deed: Deed, given: str) -> Deed:
    """The deed with what a file held, so that the journal needs the file no more. Raises HackjackError."""
    if len(given) > MOST_GIVEN:
        raise HackjackError(f"the file holds too much for a journal: at most {MOST_GIVEN:,} characters of figures")
    return msgspec.structs.replace(deed, given=given)


@contextmanager
def told_by_name(who: str) -> Iterator[None]:
    """The errors of an engine, which knows no names, as the table says them."""
    try:
        yield
    except HackjackError as error:
        text = str(error)
        if isinstance(error, NeedsError) or not who or not text.startswith(_NAMELESS):
            raise
        raise type(error)(who + text[len(_NAMELESS) :]) from error


_NAMELESS = "the character"
