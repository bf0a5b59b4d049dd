"""How a table goes on: commands lead from one session to the next. Everything here is a pure value.

A command is deeds with the luck that they met; `advance` does them together or not at all. Undo is the session as it
was before. Replayed with the luck that they met, the same commands give the same session again, whatever becomes of
the program's own dice.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import sha256
from itertools import chain, islice, takewhile

import msgspec

from generator.base.errors import HackjackError
from generator.base.text_input import read_number
from generator.model.log import Log
from generator.model.rules import System, per_system
from generator.play.chance import Given
from generator.play.piles import codes_without
from generator.session.deeds import MAX_LATER, Campaign, Command, Continuation, DeckKind, Deed, LaterDeed
from generator.session.doing import apply_deeds, naming_errors
from generator.session.luck import numbers_for, shuffled
from generator.session.party import TABLE, Party, PartyTable, shuffled_cards

_NEW = Continuation("")
NOTHING = Command(())
"""What led to the first moment."""


@dataclass(frozen=True, slots=True, eq=False)
class Moment:
    """The party after a command, the moment before it, and the line of the journal that the command stands on.

    The first moment has no moment before it. Where the command mends one far back, `mended` is the newest moment of
    what has happened instead. `number` is how many commands count up to here.
    """

    party: Party
    command: Command = NOTHING
    earlier: Moment | Callable[[], Moment] | None = None
    line: int = 1
    mended: Moment | None = None
    number: int = 0

    @property
    def before(self) -> Moment | None:
        """The moment before. Raises HackjackError where that was forgotten and cannot be had again."""
        return self.earlier() if callable(self.earlier) else self.earlier


def forget(now: Moment, kept: int, again: Callable[[int], Moment]) -> None:
    """Let the moments go that lie further back than `kept` commands.

    They come back when somebody asks for them: `again` gives the moment before that on a line of the journal.
    """
    oldest = now
    for _ in range(kept):
        if not isinstance(oldest.earlier, Moment):
            return
        oldest = oldest.earlier
    if isinstance(oldest.earlier, Moment):
        # It stays the same moment for everybody: what is before it only takes longer to find.
        object.__setattr__(oldest, "earlier", partial(again, oldest.line))


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

    table: PartyTable
    now: Moment
    undone: Undone | None = None
    lines: int = 1
    since: Continuation = _NEW

    @property
    def party(self) -> Party:
        """The party as it stands."""
        return self.now.party

    def moments(self) -> Iterator[Moment]:
        """Yield the moments after each command that counts, newest first, as they were mended."""
        moment = self.now
        while True:
            while moment.mended is not None:
                moment = moment.mended
            if moment.before is None:
                return
            yield moment
            moment = moment.before


@dataclass(frozen=True, slots=True, eq=False)
class TableStep:
    """What became of a command: the session after it and before it, the command with the luck it met, and the log.

    `logs` has one log for each deed. Where it mends another command, `left_out` says by their lines why later ones can
    happen no more, as far as that is known.
    """

    session: Session
    command: Command
    before: Session
    logs: tuple[Log, ...] = ()
    left_out: Mapping[int, str] = field(default_factory=dict)

    @property
    def log(self) -> Log:
        """What all its deeds brought."""
        return tuple(chain.from_iterable(self.logs))


@per_system
def content_checksum(system: System) -> str:
    """Return a checksum of what is played; empty for what is no pack."""
    played = system.played()
    return sha256(played).hexdigest()[:16] if played else ""


def new_campaign(
    system: System, deck: DeckKind = "real", seed: int | None = None, dice: DeckKind | None = None
) -> Campaign:
    """Return a new campaign with every ruling and number by name, so that later defaults leave it alone.

    Virtual luck comes from the seed, or from one that nobody knows yet. `dice` are as the deck where nothing is said.
    """
    rulings = {name: switch.default for name, switch in system.switches.items()} | dict(system.settings)
    head = system.head
    apart = None if dice == deck else dice
    plain = Campaign(head.id, head.version, rulings, deck, None, (), system.numbers, content_checksum(system), apart)
    if "virtual" not in (deck, apart):
        return plain
    seed = secrets.randbits(48) if seed is None else seed
    order = shuffled(shuffled_cards(system), seed, 0) if deck == "virtual" else ()
    return msgspec.structs.replace(plain, seed=seed, order=order)


def new_session(table: PartyTable) -> Session:
    """Return a session with nobody at the table yet. Raises HackjackError when the campaign contradicts itself."""
    campaign, deck = table.campaign, table.shuffled
    if not (table.virtual or table.rolls) and campaign.seed is not None:
        raise HackjackError("a real deck and real dice have no seed")
    if not table.virtual and campaign.order:
        raise HackjackError("a real deck has no order")
    if table.rolls and campaign.seed is None:
        raise HackjackError("virtual dice have a seed")
    if table.virtual and (campaign.seed is None or sorted(campaign.order) != sorted(deck)):
        raise HackjackError(f"a virtual deck has a seed, and an order of its {len(deck)} cards")
    states = {TABLE: table.game.read_state(table.game.OPENING)} if table.game.SHARED else {}
    first = Moment(Party(states, order=campaign.order, met=numbers_for(campaign.order)))
    return Session(table, first, since=Continuation(campaign.content, campaign.checksum))


def with_content(session: Session, since: Continuation) -> Session:
    """Return the session after a line that names other content."""
    return replace(session, since=since, lines=session.lines + 1)


def advance(
    session: Session,
    command: Command | Deed,
    *,
    replaying: bool = False,
    asking: bool = False,
    waiting: Collection[int] = (),
) -> TableStep:
    """Do a command; a deed by itself is a command of one. When a deed of it fails nothing has happened.

    Luck that a deed does not need goes to the next one. `replaying` takes all luck from the deeds, as it was met;
    otherwise a virtual deck has its own. `asking`: dice are asked for even where the roll can wait, but for the deeds
    at the places `waiting`. Raises HackjackError for what cannot be done, and MissingError when luck or a choice is
    needed.
    """
    if isinstance(command, Deed):
        command = Command((command,))
    lines = session.lines + 1
    if command.mends:
        return _mended(session, command, replaying=replaying, asking=asking, waiting=waiting)
    if command.turns:
        return TableStep(replace(_turned(session, command), lines=lines), command, session)
    if not command.deeds:
        raise HackjackError("a command has at least one deed")
    table, party = session.table, session.party
    alone = command.sender == "player" and not replaying
    party, deeds, logs = apply_deeds(
        table, party, command.deeds, replaying=replaying, asking=asking, waiting=waiting, alone=alone
    )
    command = msgspec.structs.replace(command, deeds=deeds)
    moment = _after(session.now, party, command, lines)
    return TableStep(Session(session.table, moment, None, lines, session.since), command, session, logs)


def _after(before: Moment, party: Party, command: Command, line: int) -> Moment:
    return Moment(party, command, before, line, None, before.number + 1)


def look_log(session: Session, deed: Deed) -> Log:
    """Return the log of an event that changes nothing. Raises HackjackError."""
    table = session.table
    event = table.game.read_event((deed.do, *deed.words), deed.at)
    Given(deed.cards, deed.dice, deed.choices).finish()
    with naming_errors(deed.who):
        return table.game.look(session.party.state(deed.who), event)


def logs_of(table: PartyTable, moment: Moment) -> tuple[Log, ...]:
    """Return the logs of a moment, one for each deed: the command is played again on the party before it."""
    if moment.before is None or moment.command.mends:
        return ()
    return apply_deeds(table, moment.before.party, moment.command.deeds, replaying=True)[2]


def log_of(table: PartyTable, moment: Moment) -> Log:
    """Return the log of a moment."""
    return tuple(chain.from_iterable(logs_of(table, moment)))


def with_logs(step: TableStep) -> TableStep:
    """Return a step with its logs, which those that were read from a journal do not keep."""
    return (
        step
        if step.command.turns or step.command.mends
        else replace(step, logs=logs_of(step.session.table, step.session.now))
    )


def turned_moments(before: Session, after: Session, way: str) -> tuple[Moment, ...]:
    """Return the moments that an undo took back, or that a redo brought back, in the order in which that happened."""
    first, last = (before, after) if way == "undo" else (after, before)
    moments = tuple(takewhile(lambda moment: moment.line != last.now.line, _back(first)))
    return moments if way == "undo" else moments[::-1]


# --- mending ---------------------------------------------------------------------------------------------------------


def at_line(session: Session, line: int) -> Session:
    """Return the session as it was before the command on a line of its journal. Raises HackjackError."""
    moment = next((moment for moment in session.moments() if moment.line == line), None)
    if moment is None or moment.before is None:
        raise HackjackError(f"there is no command that counts on line {line} of the journal")
    return replace(session, now=moment.before, undone=None)


def _mended(
    session: Session, command: Command, *, replaying: bool, asking: bool, waiting: Collection[int]
) -> TableStep:
    """Put deeds in the place of a command far back, and do again all that came after it.

    What came after meets the luck that it met then, or a virtual deck's as it lies now. What needs other luck, or
    cannot happen any more, is left out. All of that is kept in the command, for whoever replays it.
    """
    if command.turns:
        raise HackjackError("mend cannot change undo and redo: use undo and redo")
    table, base = session.table, at_line(session, command.mends).now
    later = [*takewhile(lambda moment: moment.line != command.mends, session.moments())][::-1]
    first = next(moment for moment in session.moments() if moment.line == command.mends)
    deeds, moment = command.deeds, base
    if deeds:
        party, deeds, _ = apply_deeds(table, base.party, deeds, replaying=replaying, asking=asking, waiting=waiting)
        moment = _after(base, party, msgspec.structs.replace(first.command, deeds=deeds), first.line)
    differs, reasons = {each.line: each.deeds for each in command.later}, dict[int, str]()
    for old in later:
        again = old.command.deeds
        try:
            if not replaying:
                party, again, _ = apply_deeds(table, moment.party, again, replaying=False, again=True)
            elif again := differs.get(old.line, again):
                party, again, _ = apply_deeds(table, moment.party, again, replaying=True)
        except HackjackError as error:
            if replaying:
                raise
            again, reasons[old.line] = (), str(error)
        if not replaying and again != old.command.deeds:
            differs[old.line] = again
        if again:
            moment = _after(moment, party, msgspec.structs.replace(old.command, deeds=again), old.line)
    if len(differs) > MAX_LATER:
        raise HackjackError(f"{len(differs):,} later commands come out differently: {MAX_LATER:,} at most can be kept")
    kept = msgspec.structs.replace(command, deeds=deeds, later=tuple(LaterDeed(*each) for each in differs.items()))
    lines = session.lines + 1
    now = Moment(moment.party, kept, session.now, lines, moment, moment.number)
    return TableStep(Session(session.table, now, None, lines, session.since), kept, session, left_out=reasons)


def left_in(session: Session) -> tuple[str, ...]:
    """Return the cards in the deck, sorted as in a new one: what a player who counts cards knows."""
    return codes_without(session.table.deck, session.party.drawn)


# --- undo and redo ---------------------------------------------------------------------------------------------------


def undo_of_own(session: Session, by: str) -> Deed:
    """Return the undo of a player's own command, which stays theirs while nobody acts after it.

    It names the command, so that it takes back no other one. Raises HackjackError when the last command is not theirs.
    """
    last = session.now.command
    if session.now.before is None or not last.id or not last.is_from(by) or session.now.line != session.lines:
        raise HackjackError(f"{by} can take back only their own command, and only while nothing has come after it")
    return Deed("undo", at={"id": last.id})


def _turned(session: Session, command: Command) -> Session:
    deed = command.deeds[0]
    if len(command.deeds) > 1:
        raise HackjackError("undo and redo are commands of their own: send them one by one")
    alone = Deed(deed.do, words=deed.words, at=deed.at)
    if deed != alone or not deed.at.keys() <= _NAMED[deed.do] or len(deed.words) > (0 if deed.at else 1):
        raise HackjackError(f"{deed.do} is written alone or with a number: leave the rest out")
    times = read_number(deed.do, deed.words[0], 1) if deed.words else 1
    if deed.do == "undo" and times > 1 and (least := sum(1 for _ in islice(_back(session), times))) < times:
        raise HackjackError(f"only {least} can be undone" if least else "there is nothing to undo")
    for _ in range(times):
        session = _undo(session, deed.at) if deed.do == "undo" else _redo(session)
    return session


def _back(session: Session) -> Iterator[Moment]:
    """Yield the moments that can be undone, the newest first."""
    moment = session.now
    while moment.before is not None:
        yield moment
        moment = moment.before


_NAMED: dict[str, set[str]] = {"undo": {"id", "line"}, "redo": set()}
"""By what the command may be named that is to be taken back."""


def _undo(session: Session, named: Mapping[str, str]) -> Session:
    """Take the last command back; where one is named, only that one."""
    now = session.now
    if now.before is None:
        raise HackjackError("there is nothing to undo")
    position = {"id": now.command.id, "line": str(now.line)}
    for name, value in named.items():
        if value != position[name]:
            raise HackjackError(
                f"{name} {value[:64]} is not the last command that counts, which is {now.command} on line {now.line}: "
                "only the last one can be undone"
            )
    return replace(session, now=now.before, undone=Undone(now, session.undone))


def _redo(session: Session) -> Session:
    undone = session.undone
    if undone is None:
        raise HackjackError("there is nothing to redo: a new command ends the chance to redo")
    return replace(session, now=undone.moment, undone=undone.rest)
