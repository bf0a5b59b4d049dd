"""People at a table: who is there, what happened, and the journal that keeps it on disk, whatever the game.

Everything but `Journal` is a pure value. A deed is something that the table does, together with the luck that it met;
`advance` leads from one session to the next. Undo is the session as it was before. The journal is the list of deeds:
replayed with the luck that they met, they give the same session again, whatever becomes of the program's own dice.
"""

from __future__ import annotations

import os
import re
import secrets
import time
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import islice
from pathlib import Path
from stat import S_ISREG
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import Meta, Struct

from generator.base import locks
from generator.base.cards import ALL_CODES, is_code
from generator.base.errors import HackjackError, UsageError, did_you_mean
from generator.base.text_input import LONGEST_NAME, find_name, quoted, read_name
from generator.check import content_checks as checks
from generator.games import drawn_of, game_of, with_drawn
from generator.games.face import AnyGame
from generator.model.log import Log
from generator.model.rules import System
from generator.pack.pack_locations import user_folder
from generator.play.chance import SURPLUS, CardNeed, ChoiceNeed, Given, Need, NeedsError, RollNeed
from generator.play.piles import deck_of, goes_back, without

VERSION = 3
"""Of journals; older ones are read too: version 1 knew Hackjack alone."""
OPENING_SINCE = 3
"""Of the journals in which a shared table begins as its game says; before, it began with a fresh state."""
MOST_CHARACTERS = 50
MOST_LINES = 100_000
MOST_BYTES = 20_000_000
LONGEST_LINE = 80_000
"""The order of a thousand cards with long names fits."""
GIVEN = "given"
"""The name under which a game reads again what a file held: the file may be gone by then."""
MOST_GIVEN = 16_000
LARGEST_SEED = 2**53 - 1
PATIENCE = 1.0
"""Seconds that a command waits for another one on the same campaign."""

TABLE = ""
"""Whose state it is that the whole table shares."""

Code = Annotated[str, Meta(max_length=53)]
"""A card by its name, with its deck before it where there are several."""
Face = Annotated[int, Meta(ge=1, le=1000)]
Word = Annotated[str, Meta(max_length=200)]
Order = Annotated[tuple[Code, ...], Meta(max_length=1000)]
Shape = TypeVar("Shape", bound=Struct)
DeckKind = Literal["real", "virtual"]
"""Whose luck it is: the table's own deck and dice, or the program's."""


class Deed(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One thing that the table does: an event, or `add`, `remove`, `undo`, `redo`; and the luck that it met.

    `who` is the character whom it befalls, empty at a shared table; `words` and `at` say more, as they were typed.
    `order` is the new order of a shuffled virtual deck, the top card first, when the deck was shuffled in this deed;
    one after the other when it was shuffled more than once. `given` is what a file held that the words name.
    """

    do: Annotated[str, Meta(max_length=40)]
    who: Annotated[str, Meta(max_length=LONGEST_NAME)] = ""
    words: Annotated[tuple[Word, ...], Meta(max_length=60)] = ()
    cards: Annotated[tuple[Code, ...], Meta(max_length=200)] = ()
    dice: Annotated[tuple[Face, ...], Meta(max_length=400)] = ()
    choices: Annotated[tuple[Face, ...], Meta(max_length=200)] = ()
    order: Order = ()
    at: Annotated[dict[Word, Word], Meta(max_length=20)] = {}
    given: Annotated[str, Meta(max_length=MOST_GIVEN)] = ""

    def __str__(self) -> str:
        return self.typed()

    def typed(self, *, marked: bool = False) -> str:
        """The deed as it is typed; `marked` says `cards` before its cards, as where they would be taken for words."""
        words = [self.do, quoted(self.who), *map(quoted, self.words)]
        words += [quoted(f"{name}={value}") for name, value in self.at.items()]
        words += ["cards"] if marked and self.cards else []
        words += self.cards
        words += ["dice", *map(str, self.dice)] if self.dice else []
        words += ["choose", *map(str, self.choices)] if self.choices else []
        return " ".join(word for word in words if word)


class _OldDeed(Deed, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A deed that may be written as in version 1, which knew Hackjack alone: a number and a word."""

    amount: Annotated[int, Meta(ge=0, le=10_000)] = 0
    word: Annotated[str, Meta(max_length=20)] = ""

    def renewed(self) -> Deed:
        """The deed as it is written now."""
        number = () if not self.amount else ("hp", str(self.amount)) if self.do == "add" else (str(self.amount),)
        words = (*number, *([self.word] if self.word else []), *self.words)
        return Deed(self.do, self.who, words, self.cards, self.dice, self.choices, self.order, self.at, self.given)


class Campaign(Struct, frozen=True, forbid_unknown_fields=True):
    """What is settled when a campaign begins: the first line of its journal."""

    version: int
    system: str
    content: str
    rulings: dict[str, str]
    deck: DeckKind
    seed: Annotated[int, Meta(ge=0, le=LARGEST_SEED)] | None = None
    order: Order = ()
    numbers: dict[str, str] = {}

    def of(self, system: System) -> System:
        """A system under the campaign's rulings and numbers. Raises UsageError.

        Numbers that it does not name are the content's. A switch that it does not name is younger than the campaign: it
        stands as was played before.
        """
        return checks.under(system, {**system.befores, **self.rulings}.items(), self.numbers)


@dataclass(frozen=True)
class Table:
    """A campaign, and its system under the campaign's rulings."""

    system: System
    campaign: Campaign

    @property
    def game(self) -> AnyGame:
        """What is played."""
        return game_of(self.system)

    @property
    def virtual(self) -> bool:
        """Whether the program draws and rolls."""
        return self.campaign.deck == "virtual"

    @property
    def deck(self) -> tuple[str, ...]:
        """The full deck, or all decks together; none where the game has no deck."""
        return self.game.deck()

    @property
    def shuffled(self) -> tuple[str, ...]:
        """What of it has an order: a card that goes back as soon as it is drawn may be any."""
        return _in_order(self.system)


@dataclass(frozen=True, slots=True)
class Party:
    """The characters by name, the cards out of the deck in the order of drawing, and a virtual deck, top first.

    At a shared table there is one state, under the name TABLE. The characters' states here name no drawn cards of
    their own: the deck is the party's. `met` counts the random numbers that virtual luck has used, so that the same
    dice fall after an undo.
    """

    characters: Mapping[str, Any]
    drawn: tuple[str, ...] = ()
    order: tuple[str, ...] = ()
    met: int = 0

    @property
    def names(self) -> tuple[str, ...]:
        """The characters, in the order in which they joined."""
        return tuple(name for name in self.characters if name != TABLE)

    def state(self, name: str = TABLE) -> Any:
        """A character's state, or the table's, complete: with the cards that are out of the deck."""
        return with_drawn(self.characters[name], self.drawn)

    def find(self, typed: str) -> str:
        """The character whom a name or the beginning of one means. Raises UsageError with a suggestion."""
        return find_name(typed, self.names)


@dataclass(frozen=True, slots=True, eq=False)
class Moment:
    """The party after a deed, and the moment before it. The first moment has neither."""

    party: Party
    deed: Deed | None = None
    before: Moment | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Undone:
    """A moment that was taken back, and those that were taken back before it."""

    moment: Moment
    rest: Undone | None


@dataclass(frozen=True, slots=True, eq=False)
class Session:
    """The table now, with the way that led here and what may be redone."""

    table: Table
    now: Moment
    undone: Undone | None = None

    @property
    def party(self) -> Party:
        """The party as it stands."""
        return self.now.party

    def moments(self) -> Iterator[Moment]:
        """The moments after each deed that counts, newest first."""
        moment = self.now
        while moment.before is not None:
            yield moment
            moment = moment.before


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """What became of a deed: the session after it, the deed with the luck it met, and the log."""

    session: Session
    deed: Deed
    log: Log = ()


# --- how a session goes on -------------------------------------------------------------------------------------------


def new_campaign(system: System, deck: DeckKind = "real", seed: int | None = None) -> Campaign:
    """What a new campaign settles on: every ruling and number by name, so that later defaults leave it alone.

    Virtual luck comes from the seed, or from one that nobody knows yet.
    """
    rulings = {name: switch.default for name, switch in system.switches.items()} | dict(system.settings)
    head = system.head
    if deck == "real":
        return Campaign(VERSION, head.id, head.version, rulings, deck, numbers=system.numbers)
    seed = secrets.randbits(48) if seed is None else seed
    order = _shuffled(_in_order(system), seed, 0)
    return Campaign(VERSION, head.id, head.version, rulings, deck, seed, order, system.numbers)


def _in_order(system: System) -> tuple[str, ...]:
    return tuple(name for name in game_of(system).deck() if not goes_back(name, system))


def begin(table: Table) -> Session:
    """A session with nobody at the table yet. Raises HackjackError when the campaign contradicts itself."""
    campaign, deck = table.campaign, table.shuffled
    if not table.virtual and (campaign.seed is not None or campaign.order):
        raise HackjackError("a real deck has neither a seed nor an order")
    if table.virtual and (campaign.seed is None or sorted(campaign.order) != sorted(deck)):
        raise HackjackError(f"a virtual deck has a seed, and an order of its {len(deck)} cards")
    opening = table.game.OPENING if campaign.version >= OPENING_SINCE else {}
    states = {TABLE: table.game.read_state(opening)} if table.game.SHARED else {}
    return Session(table, Moment(Party(states, order=campaign.order, met=_numbers_for(campaign.order))))


def advance(session: Session, deed: Deed, *, replaying: bool = False, asking: bool = False) -> Step:
    """Do a deed. `replaying` takes all luck from the deed, as it was met; otherwise a virtual deck has its own.

    `asking`: dice are asked for even where the roll can wait. Raises HackjackError for a deed that cannot be done, and
    MissingError when luck or a choice is needed.
    """
    if deed.do in ("undo", "redo"):
        if deed != Deed(deed.do):
            raise HackjackError(f"{deed.do} stands alone: leave the rest out")
        return Step(_undo(session) if deed.do == "undo" else _redo(session), deed)
    party, deed, log = _done(session.table, session.party, deed, replaying=replaying, asking=asking)
    return Step(Session(session.table, Moment(party, deed, session.now)), deed, log)


def looked(session: Session, deed: Deed) -> Log:
    """What an event that only looks says of the table as it is. Raises HackjackError."""
    table = session.table
    event = table.game.read_event((deed.do, *deed.words), deed.at)
    Given(deed.cards, deed.dice, deed.choices).finish()
    with told_by_name(deed.who):
        return table.game.look(session.party.state(deed.who), event)


def log_of(table: Table, moment: Moment) -> Log:
    """What the log said when a moment came about: the deed once more on the party before it."""
    if moment.deed is None or moment.before is None:
        return ()
    return _done(table, moment.before.party, moment.deed, replaying=True)[2]


def _undo(session: Session) -> Session:
    now = session.now
    if now.before is None:
        raise HackjackError("there is nothing to undo")
    return Session(session.table, now.before, Undone(now, session.undone))


def _redo(session: Session) -> Session:
    undone = session.undone
    if undone is None:
        raise HackjackError("there is nothing to redo")
    return Session(session.table, undone.moment, undone.rest)


def _done(table: Table, party: Party, deed: Deed, *, replaying: bool, asking: bool = False) -> tuple[Party, Deed, Log]:
    """A deed on a party: the party after it, the deed with its luck, and the log."""
    if table.game.SHARED or deed.do not in ("add", "remove"):
        return _happened(table, party, deed, replaying=replaying, asking=asking)
    if deed.at or deed.cards or deed.dice or deed.choices or deed.order:
        raise HackjackError(f"{deed.do} meets no luck: leave the cards and dice out")
    return (_added(table, party, deed) if deed.do == "add" else _removed(party, deed)), deed, ()


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


def _happened(table: Table, party: Party, deed: Deed, *, replaying: bool, asking: bool) -> tuple[Party, Deed, Log]:
    game = table.game
    # A journal has kept what it needs: to read it again reads no other file.
    given = deed.given if replaying or deed.given else None
    event, state = game.read_given((deed.do, *deed.words), deed.at, given), _present(party, deed)
    luck = _Virtual(table, party, deed, replaying) if table.virtual else _Luck(table, party, deed, asking=asking)
    state = with_drawn(state, party.drawn)
    with told_by_name(deed.who):
        if game.SHARED:
            after, log = game.step(state, event, luck)
        else:
            after, log = game.step_beside(state, event, luck, held_by(game, party))
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


def held_by(game: AnyGame, party: Party) -> frozenset[str]:
    """The cards that lie before those at the table: they are not shuffled back."""
    return frozenset(code for state in party.characters.values() for code in game.held(state))


def left_in(session: Session) -> tuple[str, ...]:
    """The cards in the deck, sorted as in a new one: what a player who counts cards knows."""
    return without(session.table.deck, session.party.drawn)


# --- luck ------------------------------------------------------------------------------------------------------------


class MissingError(NeedsError):
    """Luck or a choice is missing; `need` says which."""

    need: Need

    def __init__(self, need: Need, text: str) -> None:
        super().__init__(text, need)


class _Luck:
    """The luck of a real table: what the deed says, written down as it is used."""

    def __init__(self, table: Table, party: Party, deed: Deed, *, asking: bool = False) -> None:
        if deed.order and not table.virtual:
            raise HackjackError("a real deck has no order to write down")
        self._deck, self._asking = table.deck, asking
        self._given = Given(deed.cards, deed.dice, deed.choices)
        self.order, self.met = party.order, party.met
        self.shuffled: list[str] = []
        self.cards: list[str] = []
        self.dice: list[int] = []
        self.choices: list[int] = []

    def card(self, left: Sequence[str]) -> str:
        """The card that the table drew."""
        own = [name for name in self._deck if not is_code(name) and deck_of(name) == deck_of(left[0])] if left else []
        with _named(CardNeed()):
            code = self._given.card(own or ALL_CODES)
        if code not in self._deck:
            raise HackjackError(f"{code} is not used in this campaign: its deck has {len(self._deck)} cards")
        if code not in left:
            raise HackjackError(f"{code} has been drawn already and is not in the deck")
        self.cards.append(code)
        return code

    def roll(self, need: RollNeed) -> tuple[int, ...]:
        """The dice that the table rolled."""
        with _named(need):
            rolled = self._given.roll(need._replace(can_wait=need.can_wait and not self._asking))
        self.dice.extend(rolled)
        return rolled

    def choose(self, need: ChoiceNeed) -> int:
        """The player's choice."""
        with _named(need):
            place = self._given.choose(need)
        self.choices.append(place + 1)
        return place

    def peek(self, left: Sequence[str]) -> str | None:
        """Only the players see the next card."""
        return self._given.peek(left)

    def finish(self, surplus: str = "") -> None:
        """Everything given must have been used; `surplus` says what to do with what was not."""
        self._given.finish(surplus)


class _Virtual(_Luck):
    """The program's luck: the top card, and dice from the seed. Choices are the player's all the same."""

    def __init__(self, table: Table, party: Party, deed: Deed, replaying: bool) -> None:
        if not replaying and (deed.cards or deed.dice or deed.order):
            what, leave = ("deck", "cards and dice") if table.deck else ("luck", "dice")
            does = "draws and rolls" if table.deck else "rolls"
            raise UsageError(f"this campaign's {what} is virtual and {does} by itself: leave {leave} out")
        super().__init__(table, party, deed)
        self._seed, self._replaying = table.campaign.seed or 0, replaying
        self._new, self._system = deed.order, table.system

    def card(self, left: Sequence[str]) -> str:
        """The top card of its deck, or any of one whose cards go back."""
        if left and goes_back(left[0], self._system):
            return self._any(left)
        top = self.peek(left)
        if self._replaying and (drawn := super().card(left)) != top:
            raise HackjackError(f"{drawn} is drawn, but {top} lies on top of the deck")
        if not self._replaying:
            self.cards.append(top)
        place = self.order.index(top)
        self.order = self.order[:place] + self.order[place + 1 :]
        return top

    def _any(self, left: Sequence[str]) -> str:
        """A card of a deck that has no order, from the seed, or as it was drawn before."""
        if self._replaying:
            code = super().card(left)
        else:
            code = left[_number(self._seed, self.met, len(left))]
            self.cards.append(code)
        self.met += 1
        return code

    def peek(self, left: Sequence[str]) -> str:
        """The card on top. Where the deck is not what it was, cards came back, and it is shuffled first."""
        if not left:
            raise HackjackError("no card is left in the deck")
        if goes_back(left[0], self._system):
            return left[_number(self._seed, self.met, len(left))]
        deck = deck_of(left[0])
        own = tuple(name for name in self.order if deck_of(name) == deck)
        if not own or Counter(own) != Counter(left):
            own = self._next_order(left) if self._replaying else _shuffled(left, self._seed, self.met)
            self.met += _numbers_for(own)
            self.order = (*(name for name in self.order if deck_of(name) != deck), *own)
            self.shuffled.extend(own)
        return own[0]

    def _next_order(self, left: Sequence[str]) -> tuple[str, ...]:
        order, self._new = self._new[: len(left)], self._new[len(left) :]
        if Counter(order) != Counter(left):
            raise HackjackError(f"the deck is shuffled here, but the order given is not one of its {len(left)} cards")
        return order

    def roll(self, need: RollNeed) -> tuple[int, ...]:
        """Dice from the seed, or as they fell before."""
        count, faces = need.dice.count, need.dice.faces
        if self._replaying:
            rolled = super().roll(need)
        else:
            rolled = tuple(_number(self._seed, self.met + place, faces) + 1 for place in range(count))
            self.dice.extend(rolled)
        self.met += len(rolled)
        return rolled

    def finish(self, surplus: str = "") -> None:
        """Everything given must have been used, an order too."""
        super().finish(surplus)
        if self._replaying and self._new:
            raise HackjackError("an order is given, but the deck did not run out")


@contextmanager
def _named(need: Need) -> Iterator[None]:
    try:
        yield
    except NeedsError as error:
        raise MissingError(need, str(error)) from error


def _number(seed: int, place: int, below: int) -> int:
    """The random number at a place of the seed's stream, from 0: the same on every machine, in whatever order asked."""
    digest = sha256(f"hackjack {seed} {place}".encode()).digest()
    return int.from_bytes(digest[:8], "big") * below >> 64


def _shuffled(codes: Sequence[str], seed: int, place: int) -> tuple[str, ...]:
    order = list(codes)
    for step, last in enumerate(range(len(order) - 1, 0, -1)):
        other = _number(seed, place + step, last + 1)
        order[last], order[other] = order[other], order[last]
    return tuple(order)


def _numbers_for(order: Sequence[str]) -> int:
    """How many random numbers it takes to shuffle so many cards."""
    return max(len(order) - 1, 0)


# --- the journal: lines ----------------------------------------------------------------------------------------------

# Each line ends with a checksum of itself and of all lines before it, so that none can change, move or vanish unseen.
_SEAL = re.compile(rb',"crc":"([0-9a-f]{8})"\}')
_SEAL_LENGTH = len(',"crc":"00000000"}')
_encode = msgspec.json.Encoder().encode
_deeds: msgspec.json.Decoder[_OldDeed] = msgspec.json.Decoder(_OldDeed)
_campaigns: msgspec.json.Decoder[Campaign] = msgspec.json.Decoder(Campaign)


def seal(body: bytes, before: int) -> tuple[bytes, int]:
    """A line from a JSON object, with its checksum and its end; and the checksum, which the next line goes on from."""
    checksum = zlib.crc32(body, before)
    return b'%s,"crc":"%08x"}\n' % (body[:-1], checksum), checksum


def unseal(line: bytes, before: int) -> tuple[bytes, int] | None:
    """The JSON object of a line and its checksum; None when the line is not as it was written."""
    match = _SEAL.fullmatch(line, max(len(line) - _SEAL_LENGTH, 0))
    if match is None or len(line) > LONGEST_LINE:
        return None
    body = line[: match.start()] + b"}"
    checksum = zlib.crc32(body, before)
    return (body, checksum) if checksum == int(match[1], 16) else None


@dataclass(frozen=True, slots=True)
class Reading:
    """What a journal holds. `size` bytes of it are sound; `torn` is a last line that is not.

    `ended` is false when the last sound line lacks nothing but its end. Without a session nothing was begun.
    """

    session: Session | None
    checksum: int
    size: int
    lines: int
    torn: bytes
    ended: bool

    @property
    def notice(self) -> str:
        """What people should know of a torn line; empty when there is none."""
        if not self.torn:
            return ""
        return (
            f"line {self.lines + 1}, the last one, is not as it was written ({len(self.torn)} bytes), as when the "
            "power fails, and is left out"
        )


def read_journal(raw: bytes, system: System, shown: str) -> Reading:
    """Replay a journal. Raises HackjackError with file and line for everything but a torn last line."""
    if len(raw) > MOST_BYTES:
        raise HackjackError(f"{shown}: {len(raw):,} bytes are too many: a journal has {MOST_BYTES:,} at most")
    ended = raw.endswith(b"\n")
    lines = raw.split(b"\n")[: -1 if ended or not raw else None]
    if len(lines) > MOST_LINES:
        raise HackjackError(f"{shown}: {len(lines):,} lines are too many: a journal has {MOST_LINES:,} at most")
    session, checksum, size = None, 0, 0
    for number, line in enumerate(lines, 1):
        _check_version(line, shown, number)
        opened = unseal(line, checksum)
        if opened is None and number == len(lines) and (number > 1 or not ended):
            return Reading(session, checksum, size, number - 1, raw[size:], True)
        try:
            if opened is None:
                raise HackjackError(_DAMAGED)
            session = _replayed(session, opened[0], system)
        except HackjackError as error:
            other = _other_content(session, system) if opened else ""
            raise HackjackError(f"{shown}:{number}: {error}{other}") from error
        checksum = opened[1]
        size += len(line) + 1
    return Reading(session, checksum, min(size, len(raw)), len(lines), b"", ended or not raw)


def _other_content(session: Session | None, system: System) -> str:
    """The end of a sentence about a line that cannot be replayed, where the content may be why."""
    if session is None:
        return ""
    made, now = session.table.campaign.content, system.head.version
    versions = f" (begun with content {made}, read with {now})" if made != now else ""
    return f"; if the content has changed since, bring it back as it was then{versions}"


_DAMAGED = (
    "this line is not as it was written, or lines before it are missing: bring back a copy of the file, or cut it off "
    "before this line to go on from there"
)


def _replayed(session: Session | None, body: bytes, system: System) -> Session:
    if session is not None:
        return advance(session, _decoded(_deeds, body).renewed(), replaying=True).session
    campaign = _decoded(_campaigns, body)
    if campaign.version < 1:
        raise HackjackError(f"the journal is of version {campaign.version}, and this program reads 1 to {VERSION}")
    if campaign.system != system.head.id:
        raise HackjackError(f'this campaign plays "{campaign.system[:40]}", not "{system.head.id}"')
    return begin(Table(campaign.of(system), campaign))


class _Versioned(Struct):
    """What the line of any version tells first."""

    version: int = 1


_versions: msgspec.json.Decoder[_Versioned] = msgspec.json.Decoder(_Versioned)


def _check_version(line: bytes, shown: str, number: int) -> None:
    """Raises HackjackError for a line that names a newer version, before anything else of it is read.

    It may be the first one, or a later one from which on a newer program went on.
    """
    if b'"version"' not in line:
        return
    with suppress(msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        version = _versions.decode(line).version
        if version > VERSION:
            what = f"{'' if number == 1 else 'from here on '}the journal is of version {version}"
            raise HackjackError(
                f"{shown}:{number}: {what}, and this program reads 1 to {VERSION}: play on with the newer hackjack "
                "that wrote it"
            )


def _decoded(decoder: msgspec.json.Decoder[Shape], body: bytes) -> Shape:
    try:
        return decoder.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise HackjackError(f"this line cannot be read: {str(error)[:200]}") from error


# --- the journal: files ----------------------------------------------------------------------------------------------


def campaigns_folder() -> Path:
    """Where campaigns lie. Raises HackjackError where there is no home directory."""
    return user_folder() / "campaigns"


def campaign_file(name: str) -> Path:
    """The journal of a campaign. Raises UsageError for a name that is none."""
    if not re.fullmatch(r"[a-z0-9_-]{1,40}", name):
        raise UsageError(f'"{name[:50]}" is no name for a campaign: write 1 to 40 of a-z, 0-9, - and _')
    return campaigns_folder() / f"{name}.jsonl"


def campaigns() -> tuple[str, ...]:
    """The names of the campaigns that there are."""
    try:
        return tuple(sorted(path.stem for path in islice(campaigns_folder().glob("*.jsonl"), 1000)))
    except OSError:
        return ()


def nothing_whole(name: str) -> str:
    """What to say of a campaign that has a file and yet no session; empty where there is no file."""
    if name not in campaigns():
        return ""
    return f'nothing of the campaign "{name}" was written to its end: {campaign_file(name)}'


def system_of(path: Path) -> str | None:
    """The id of the system that a campaign plays, as far as its first line can be read."""
    if not path.is_file():
        # A pipe of that name would be waited for.
        return None
    with suppress(OSError, HackjackError), path.open("rb") as stream:
        opened = unseal(stream.readline(LONGEST_LINE).rstrip(b"\n"), 0)
        return _decoded(_campaigns, opened[0]).system if opened else None
    return None


def look(path: Path, system: System) -> Reading:
    """Read a campaign without touching it, also while somebody else plays. Raises HackjackError."""
    return read_journal(_contents(path), system, str(path))


def _contents(path: Path) -> bytes:
    """The bytes of a journal; none when there is no file."""
    with _sentences(path):
        try:
            about = path.stat()
        except FileNotFoundError:
            return b""
        if not S_ISREG(about.st_mode):
            raise HackjackError(f"{path}: this is no plain file, and a campaign must be one")
        if about.st_size > MOST_BYTES:
            raise HackjackError(f"{path}: {about.st_size:,} bytes are too many: a journal has {MOST_BYTES:,} at most")
        return path.read_bytes()


@contextmanager
def _sentences(path: Path) -> Iterator[None]:
    """Say in a sentence what the disk refuses."""
    try:
        yield
    except OSError as error:
        raise HackjackError(f"{path}: {error.strerror or error}") from error


class Journal:
    """A campaign that is open for play. Every deed is on the disk before anybody hears of it."""

    def __init__(self, path: Path, reading: Reading, new: Session) -> None:
        self._path, self._file = path, -1
        self._checksum, self._size, self._lines = reading.checksum, reading.size, reading.lines
        self.session = reading.session or new
        self.notices: list[str] = []
        with _sentences(path):
            self._mend(reading)

    @property
    def begun(self) -> bool:
        """Whether there is a file already."""
        return self._file >= 0

    def do(self, deed: Deed, *, asking: bool = False) -> Step:
        """Do a deed and write it down. When either fails nothing has happened. Raises HackjackError."""
        step = advance(self.session, deed, asking=asking)
        self._append(step.deed)
        self.session = step.session
        return step

    def close(self) -> None:
        """Leave the file."""
        if self.begun:
            os.close(self._file)
            self._file = -1

    def _mend(self, reading: Reading) -> None:
        """Set a torn line aside, give a last line its end, and open the file for more."""
        if reading.torn:
            aside = self._set_aside(reading.torn)
            self.notices.append(f"{self._path.name}: {reading.notice}; it lies in {aside.name} now")
        if reading.session is None:
            self._path.unlink(missing_ok=True)
            return
        self._file = os.open(self._path, os.O_RDWR | os.O_APPEND | locks.PLAIN)
        if reading.torn:
            os.ftruncate(self._file, self._size)
        if not reading.ended:
            os.write(self._file, b"\n")
            self._size += 1
        os.fsync(self._file)

    def _set_aside(self, torn: bytes) -> Path:
        number = 1
        while True:
            aside = self._path.with_name(f"{self._path.stem}.torn-{number}")
            try:
                with aside.open("xb") as stream:
                    stream.write(torn)
                    stream.flush()
                    os.fsync(stream.fileno())
                return aside
            except FileExistsError:
                number += 1

    def _append(self, deed: Deed) -> None:
        """One write, on the disk when this returns."""
        head, checksum = b"", self._checksum
        if not self.begun:
            head, checksum = seal(_encode(self.session.table.campaign), checksum)
        body = _encode(deed)
        _decoded(_deeds, body)  # What could not be read again is not written.
        line, checksum = seal(body, checksum)
        if len(line) > LONGEST_LINE:
            raise HackjackError(f"{deed.do}: {len(line):,} bytes are too many for a line: {LONGEST_LINE:,} at most")
        lines = 2 if head else 1
        if self._lines + lines > MOST_LINES or self._size + len(head + line) > MOST_BYTES:
            raise HackjackError(f"{self._path}: the journal is full ({self._lines:,} lines): begin a new campaign")
        with _sentences(self._path):
            self._written(head + line)
        self._checksum, self._size, self._lines = checksum, self._size + len(head + line), self._lines + lines

    def _written(self, raw: bytes) -> None:
        created = not self.begun
        if created:
            flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_EXCL | locks.PLAIN
            self._file = os.open(self._path, flags, 0o666)
        about = os.fstat(self._file)
        if about.st_size != self._size or not about.st_nlink:
            raise HackjackError(f"{self._path}: somebody else has changed the file; leave, and open the campaign again")
        try:
            if os.write(self._file, raw) != len(raw):
                raise OSError(None, "the disk took only a part; nothing was kept")
            os.fsync(self._file)
            if created:
                locks.sync_folder(self._path.parent)
        except BaseException:
            # Not acknowledged, so not kept: an interrupt between writing and telling must not leave half a deed.
            with suppress(OSError):
                os.ftruncate(self._file, self._size)
            if created:
                self.close()
                self._path.unlink(missing_ok=True)
            raise


@contextmanager
def open_journal(path: Path, system: System, campaign: Campaign) -> Iterator[Journal]:
    """A campaign for play by this process alone; `campaign` is what a new one settles on. Raises HackjackError."""
    with _alone(path):
        reading = look(path, system)
        table = Table(campaign.of(system), campaign)
        journal = Journal(path, reading, begin(table))
        try:
            yield journal
        finally:
            journal.close()


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Hold the campaign's lock. The system lets go of it when this process ends, however it ends."""
    lock, take = path.with_suffix(".lock"), locks.locker()
    with _sentences(lock):
        path.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(lock, os.O_RDWR | os.O_CREAT | locks.PLAIN, 0o666)
    try:
        until = time.monotonic() + PATIENCE
        while not _taken(take, handle, lock):
            if time.monotonic() >= until:
                who = re.match(rb"\d{1,9}", locks.noted(handle))
                process = f"process {who[0].decode()}" if who else "another process"
                raise HackjackError(
                    f"{process} plays {path.stem} at the moment: leave it there, or take another campaign"
                )
            time.sleep(0.02)
        with _sentences(lock):
            locks.note(handle, b"%d\n" % os.getpid())
        yield
    finally:
        os.close(handle)


def _taken(take: Callable[[int], None], handle: int, lock: Path) -> bool:
    with _sentences(lock):
        try:
            take(handle)
        except BlockingIOError:
            return False
    return True
