"""What deeds make of a party: events, joining and leaving. Everything here is a pure value."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, NamedTuple

import msgspec

from generator.base.errors import HackjackError, UsageError, did_you_mean
from generator.base.text_input import check_free_name, read_name
from generator.games import drawn_of, with_drawn
from generator.games.face import Befalling
from generator.model.log import Log
from generator.play.chance import SURPLUS, ChoiceNeed, Given, NeedsError, log_in_reach
from generator.session.corrections import apply_correction, is_correction, names_at_table
from generator.session.deeds import GIVEN, MAX_DEEDS, MAX_GIVEN, Deed
from generator.session.luck import MissingError, Spare, TableLuck
from generator.session.party import MAX_CHARACTERS, TABLE, Party, PartyTable, cards_held

_NONE: Spare = ((), (), ())


def apply_deeds(
    table: PartyTable,
    party: Party,
    deeds: tuple[Deed, ...],
    *,
    replaying: bool,
    asking: bool = False,
    waiting: Collection[int] = (),
    again: bool = False,
    alone: bool = False,
) -> tuple[Party, tuple[Deed, ...], tuple[Log, ...]]:
    """Apply deeds to a party, one after the other; return the party, the deeds with their luck, and their logs.

    Luck that a deed does not need goes to the next one, and to what it causes. `asking`: dice are asked for even where
    the roll can wait, but for the deeds at the places `waiting`. `again`: the deeds were done before, on another party;
    luck that they need no more is left out, and a virtual deck has its own as it lies now. `alone`: nothing may happen
    to others. Raises HackjackError, and MissingError when luck or a choice is needed.
    """
    met: list[Deed] = []
    logs: list[Log] = []
    spare, party_before = _NONE, party
    if again:
        deeds = tuple(as_sent(deed, table) for deed in deeds)
    groups = _groups(deeds)
    for place, (sent, caused) in enumerate(groups):
        ahead = [sent]
        while ahead:
            deed, before = ahead.pop(0), party
            last = place == len(groups) - 1 and not ahead
            try:
                if is_correction(deed, table.game) or (not table.game.SHARED and deed.do in ("add", "remove")):
                    log: Log = ()
                    party, after = _without_luck(table, party, deed), deed
                    if last:
                        Given(*spare).finish()
                else:
                    asks = asking and place not in waiting
                    luck = _luck(table, party, deed, spare, replaying=replaying, asking=asks)
                    party, after, log, others, surplus = _happened(
                        table, party, deed, luck, replaying=replaying, alone=alone
                    )
                    ahead[:0] = [_with_own_luck(each, caused) for each in others]
                    last = last and not ahead
                    if replaying or (last and not again):
                        luck.finish(surplus)
                    spare = luck.left if not (last or again) else _NONE
                if len(met) + len(ahead) >= MAX_DEEDS:
                    raise HackjackError(f"{sent.do} leads to more than {MAX_DEEDS} events: it has no end")
            except HackjackError as error:
                if not (replaying or again or len(groups) == 1):
                    _check_all_can(table, party_before, deeds)
                alone_in_it = len(groups) == 1 and not deed.caused
                if isinstance(error, NeedsError):
                    raise MissingError(
                        error.need,
                        str(error) if alone_in_it else f"{deed.who or deed.do}: {error}",
                        place,
                        (*logs, error.so_far),
                        (*met, deed),
                        "" if alone_in_it else deed.who,
                    ) from error
                if alone_in_it:
                    raise
                kind = UsageError if isinstance(error, UsageError) else HackjackError
                raise kind(f"{deed}: {error}") from error
            party = _with_shared(table, before, party, deed.who)
            met.append(after)
            logs.append(log)
    return party, tuple(met), tuple(logs)


def _with_shared(table: PartyTable, before: Party, after: Party, who: str) -> Party:
    """Return a party after a deed with what is the table's as the deed left it; who has just come takes it over."""
    of = who if who in before.characters else next(iter(before.characters), "")
    return replace(after, characters=table.game.sharing(after.characters, of)) if of in after.characters else after


def as_sent(deed: Deed, table: PartyTable) -> Deed:
    """Return a deed with the luck that its sender gives: choices, and what the program neither draws nor rolls."""
    cards, order = ((), ()) if table.virtual else (deed.cards, deed.order)
    dice, hidden = ((), "") if table.rolls else (deed.dice, deed.hidden)
    return msgspec.structs.replace(deed, cards=cards, order=order, dice=dice, hidden=hidden)


def _groups(deeds: tuple[Deed, ...]) -> list[tuple[Deed, list[Deed]]]:
    """Return the deeds that were sent, each with those that it caused when it was done before."""
    groups: list[tuple[Deed, list[Deed]]] = []
    for deed in deeds:
        if deed.caused and groups:
            groups[-1][1].append(deed)
        else:
            groups.append((deed, []))
    return groups


def _with_own_luck(deed: Deed, before: list[Deed]) -> Deed:
    """Return a deed that was caused as it was done before, if it comes next there; it is taken away."""
    alike = before and (before[0].do, before[0].who, before[0].at) == (deed.do, deed.who, deed.at)
    return before.pop(0) if alike else deed


def _check_all_can(table: PartyTable, party: Party, deeds: tuple[Deed, ...]) -> None:
    """Raise HackjackError with all who hold up an event that is to befall several people at once.

    Nobody is asked for luck before it is known that everybody can do their part.
    """
    alike = {deed.do for deed in deeds}
    if len(alike) > 1 or not alike <= table.game.EVENTS.keys() or any(d.who not in party.characters for d in deeds):
        return
    refused: list[str] = []
    kinds: set[bool] = set()
    for deed in deeds:
        unlucky = msgspec.structs.replace(deed, cards=(), dice=(), choices=(), order=())
        try:
            _happened(table, party, unlucky, _luck(table, party, unlucky, _NONE))
        except NeedsError:
            continue
        except HackjackError as error:
            kinds.add(isinstance(error, UsageError))
            refused.append(f"{deed.who}: {error}" if deed.who and deed.who not in str(error) else str(error))
    if refused:
        kind = UsageError if kinds == {True} else HackjackError
        raise kind(f"{deeds[0].do} happens to nobody: {'; '.join(dict.fromkeys(refused))}")


def _luck(
    table: PartyTable, party: Party, deed: Deed, spare: Spare, *, replaying: bool = False, asking: bool = False
) -> TableLuck:
    """Return the luck of a deed: what the deeds before it left over, then its own."""
    if any(spare):
        cards, dice, choices = spare
        deed = msgspec.structs.replace(
            deed, cards=cards + deed.cards, dice=dice + deed.dice, choices=choices + deed.choices
        )
    return TableLuck(table, party, deed, replaying=replaying, asking=asking)


def _without_luck(table: PartyTable, party: Party, deed: Deed) -> Party:
    if deed.at or deed.cards or deed.dice or deed.choices or deed.order:
        raise HackjackError(f"{deed.do} uses no cards or dice: leave them out")
    if is_correction(deed, table.game):
        if deed.do == "set":
            state_of_target(party, deed)
        return apply_correction(table, party, deed)
    return _added(table, party, deed) if deed.do == "add" else _removed(party, deed)


def _added(table: PartyTable, party: Party, deed: Deed) -> Party:
    if len(party.characters) >= MAX_CHARACTERS:
        raise HackjackError(f"the table has {MAX_CHARACTERS} characters (the maximum): remove one first")
    if (name := read_name(deed.who)) != deed.who:
        raise HackjackError(f'the name "{deed.who}" is written "{name}"')
    check_free_name(name, party.characters)
    return replace(party, characters={**party.characters, name: table.game.newcomer(deed.words)})


def _removed(party: Party, deed: Deed) -> Party:
    state_of_target(party, deed)
    if deed.words:
        raise HackjackError("remove takes a name and nothing else")
    return replace(party, characters={name: state for name, state in party.characters.items() if name != deed.who})


def state_of_target(party: Party, deed: Deed) -> Any:
    """Return the state of the one whom a deed befalls, or of the table. Raises HackjackError."""
    if deed.who in party.characters:
        return party.characters[deed.who]
    if TABLE in party.characters:
        raise HackjackError(
            f'the whole table has one state: write {deed.do} without a name in front, such as "{deed.who}"'
        )
    raise HackjackError(f'nobody here is called "{deed.who}"{did_you_mean(deed.who, party.characters)}')


class _Event(NamedTuple):
    """An event that was played: the party, the deed with its luck, the log, what it causes, what to do with surplus."""

    party: Party
    deed: Deed
    log: Log
    others: Sequence[Deed]
    surplus: str


def _happened(
    table: PartyTable, party: Party, deed: Deed, luck: TableLuck, *, replaying: bool = False, alone: bool = False
) -> _Event:
    """Play an event, and ask who is hurt besides. Raises HackjackError where it must befall one `alone`."""
    game = table.game
    # A journal has kept what it needs: to read it again reads no other file.
    given = deed.given if replaying or deed.given else None
    event, state = game.read_given((deed.do, *deed.words), deed.at, given), state_of_target(party, deed)
    state = with_drawn(state, party.drawn)
    with naming_errors(deed.who):
        if game.SHARED:
            after, log = game.step(state, event, luck)
        else:
            after, log = game.step_beside(state, event, luck, cards_held(game, party))
    game.check_bounds(after)
    befalls = game.befalls(log)
    if befalls and alone:
        raise HackjackError("This also happens to others. Ask the game master to enter it.")
    with log_in_reach(log):
        others = [each for befalling in befalls for each in _others(table, party, deed.who, befalling, luck)]
    met = msgspec.structs.replace(
        deed, cards=tuple(luck.cards), dice=tuple(luck.dice), choices=tuple(luck.choices), order=tuple(luck.shuffled)
    )
    met = _kept(msgspec.structs.replace(met, hidden=luck.sealed), getattr(event, GIVEN, ""))
    drawn = drawn_of(after)
    characters: Mapping[str, Any] = {**party.characters, deed.who: with_drawn(after, ())}
    if not game.SHARED:
        characters = game.together(characters, deed.who, event)
    drawn = party.drawn if drawn is None else drawn
    after_all = replace(party, characters=characters, drawn=drawn, order=luck.order, met=luck.met)
    if game.SHARED:
        _check_newcomers(names_at_table(table, party), names_at_table(table, after_all))
    return _Event(after_all, met, log, others, getattr(event, SURPLUS, ""))


def _others(table: PartyTable, party: Party, who: str, each: Befalling, luck: TableLuck) -> list[Deed]:
    """Ask whom an event befalls besides `who`; return its deeds. Raises MissingError until the table has said it."""
    game, chosen = table.game, list[str]()
    near = [name for name in party.names if name != who and game.is_alive(game.plain_state(party.state(name)))]
    while near and (each.whom == "others" or not chosen):
        everybody = ("everybody",) if each.whom == "others" and len(near) > 1 else ()
        options = (*near, *everybody, "nobody else" if chosen else "nobody")
        option = luck.choose(ChoiceNeed(options))
        if option == len(options) - 1:
            break
        taken = near[option : option + 1] or near
        near = [name for name in near if name not in taken]
        chosen += taken
    return [Deed(each.event, name, at=dict(each.at), caused=True) for name in chosen]


def _check_newcomers(before: Sequence[str], after: Sequence[str]) -> None:
    """Raise HackjackError if somebody has joined a shared table under a name that looks like another one."""
    for name in after:
        if name not in before:
            check_free_name(name, [other for other in after if other != name])


def _kept(deed: Deed, given: str) -> Deed:
    """Return the deed with what a file held, so that the journal needs the file no more. Raises HackjackError."""
    if len(given) > MAX_GIVEN:
        raise HackjackError(f"the file holds too much for a journal: at most {MAX_GIVEN:,} characters of figures")
    return msgspec.structs.replace(deed, given=given)


@contextmanager
def naming_errors(who: str) -> Iterator[None]:
    """The errors of an engine, which knows no names, as the table says them."""
    try:
        yield
    except HackjackError as error:
        text = str(error)
        if isinstance(error, NeedsError) or not who or not text.startswith(_NAMELESS):
            raise
        raise type(error)(who + text[len(_NAMELESS) :]) from error


_NAMELESS = "the character"
