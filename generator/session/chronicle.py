"""What has become of whom: who got which wound when, from which card, until when; by sessions, in sentences.

It is told from states alone: what stands in `show` below somebody after a command and did not before has come, what
does not stand there any more is over. So every game has a chronicle, whatever its events are called.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Literal

from generator.play.piles import card_of
from generator.session import prompt
from generator.session.party import Party, PartyTable, plain_people
from generator.session.session import Moment, Session

Kind = Literal["joined", "left", "wound", "better", "died", "back", "note"]


@dataclass(frozen=True)
class Happened:
    """One thing that became of somebody: when, in seconds since 1970 (0 where no journal noted it), and by what.

    Of a wound `ended` and `ended_by` say when and by what it was over; None where it lasts.
    """

    kind: Kind
    who: str
    text: str
    time: int
    by: str
    ended: int | None = None
    ended_by: str = ""


@dataclass(frozen=True)
class Chapter:
    """A session that somebody named, or a day; the day is empty where no time was noted."""

    title: str
    day: str
    happened: tuple[Happened, ...] = ()

    @property
    def heading(self) -> str:
        """What stands over it."""
        return ", ".join(filter(None, (self.title, self.day))) or "Before times were noted"

    @property
    def sentences(self) -> list[str]:
        """What happened, with the time of day."""
        return [" ".join(filter(None, (clock_time(each.time), event_sentence(each)))) for each in self.happened]


def chronicle(now: Session) -> tuple[Chapter, ...]:
    """Return the chapters of a campaign from its beginning on; times are told in the zone of this computer."""
    table = now.table
    chapters: list[Chapter] = []
    title = ""
    open_at: _Places = {}
    at_death: dict[str, _Places] = {}
    for moment in [*now.moments()][::-1]:
        named = [" ".join(deed.words) for deed in moment.command.deeds if deed.do == "session"]
        if named and "session" not in table.game.EVENTS:
            title = named[-1]
            chapters.append(Chapter(title, _day(moment.command.time)))
        events = list(_became(moment, table))
        for old, new in _renamed(moment, table).items():
            open_at = {(new if who == old else who, text): places for (who, text), places in open_at.items()}
            at_death = {new if who == old else who: places for who, places in at_death.items()}
        if not events:
            continue
        day = _day(moment.command.time)
        if not chapters or (day != chapters[-1].day and (not title or chapters[-1].happened)):
            chapters.append(Chapter(title, day))
        for each in events:
            key = (each.who, _lasting(each.text))
            if each.kind == "better" and open_at.get(key):
                _end(chapters, open_at[key].pop(0), each.time, each.by)
                continue
            if each.kind == "died":
                at_death[each.who] = {of: open_at.pop(of) for of in [*open_at] if of[0] == each.who}
                for places in at_death[each.who].values():
                    for place in places:
                        _end(chapters, place, each.time, each.by)
            if each.kind == "wound" and at_death.get(each.who, {}).get(key):
                # Somebody who lives again has this wound still: it has not ended, and is not told twice.
                place = at_death[each.who][key].pop(0)
                open_at.setdefault(key, []).append(place)
                _end(chapters, place, None, "")
                continue
            last = chapters[-1]
            chapters[-1] = replace(last, happened=(*last.happened, each))
            if each.kind == "wound":
                open_at.setdefault(key, []).append((len(chapters) - 1, len(last.happened)))
    return tuple(chapters)


_Places = dict[tuple[str, str], list[tuple[int, int]]]
"""By whose it is and how it reads: where each wound that lasts stands, as the chapter and the place in it."""


def _end(chapters: list[Chapter], at: tuple[int, int], time: int | None, by: str) -> None:
    """Note when and by what a wound was over; None for one that lasts after all."""
    where, place = at
    kept = list(chapters[where].happened)
    kept[place] = replace(kept[place], ended=time, ended_by=by)
    chapters[where] = replace(chapters[where], happened=tuple(kept))


def chronicle_lines(chapters: Sequence[Chapter]) -> list[str]:
    """Return the chronicle as lines for people."""
    lines = [line for each in chapters for line in (each.heading, *(f"    {text}" for text in each.sentences))]
    return lines or ["Nothing has happened yet."]


def event_sentence(each: Happened) -> str:
    """Return an entry of the chronicle as a sentence."""
    by = f" ({each.by})" if each.kind not in ("note", "joined", "left") else ""
    match each.kind:
        case "note":
            text = f"Note on {each.who}: {each.text}" if each.who else f"Note: {each.text}"
        case "wound":
            text = f"{each.who}: {each.text}"
        case "better":
            text = f"{each.who}: {each.text}: this is over"
        case _:
            text = f"{each.who} {each.text}"
    whole = f"{text.rstrip('.')}{by}."
    if each.ended is None:
        return whole
    when = " ".join(filter(None, ("Over", "at" if each.ended else "", clock_time(each.ended))))
    return f"{whole} {when} ({each.ended_by})."


def plain_chronicle(chapters: Sequence[Chapter]) -> list[dict[str, Any]]:
    """Return the chronicle for JSON; times in seconds since 1970 (UTC), null where none was noted."""
    return [
        {
            "title": chapter.title,
            "day": chapter.day,
            "happened": [
                {
                    "kind": each.kind,
                    "who": each.who,
                    "text": each.text,
                    "time": each.time or None,
                    "by": each.by,
                    **({} if each.ended is None else {"ended": each.ended or None, "ended_by": each.ended_by}),
                }
                for each in chapter.happened
            ],
        }
        for chapter in chapters
    ]


# --- one command -----------------------------------------------------------------------------------------------------


def _became(moment: Moment, table: PartyTable) -> Iterator[Happened]:
    """Yield what one command brought to everybody."""
    if moment.before is None:
        return
    time, by = moment.command.time, prompt.typed_command(moment.command, table)
    before, after = _people(moment.before.party, table), _people(moment.party, table)
    renamed = _renamed(moment, table)
    for deed in moment.command.deeds:
        if deed.do == "note" and "note" not in table.game.EVENTS:
            yield Happened("note", deed.who, " ".join(deed.words), time, by)
    for name in before:
        if renamed.get(name, name) not in after:
            yield Happened("left", name, "leaves", time, by)
    earlier = {renamed.get(name, name): person for name, person in before.items()}
    for name, person in after.items():
        if name not in earlier:
            yield Happened("joined", name, "joins", time, by)
        yield from _changed(name, earlier.get(name, _NOBODY), person, time, by)


@dataclass(frozen=True)
class _Person:
    """Somebody at one moment: whether they live, and what stands below them, with the cards named.

    Nothing stands below the dead.
    """

    alive: bool = True
    has: tuple[str, ...] = ()


_NOBODY = _Person()


def _changed(name: str, before: _Person, after: _Person, time: int, by: str) -> Iterator[Happened]:
    """Yield the new wounds of a character and those that ended; of the dead only their death."""
    if before.alive and not after.alive:
        yield Happened("died", name, "dies", time, by)
        return
    if after.alive and not before.alive:
        yield Happened("back", name, "is alive again", time, by)
    was, now = [_lasting(text) for text in before.has], [_lasting(text) for text in after.has]
    for text, key in zip(before.has, was, strict=True):
        if key in now:
            now.remove(key)
        else:
            yield Happened("better", name, text, time, by)
    for text in after.has:
        if (key := _lasting(text)) in now:
            now.remove(key)
            yield Happened("wound", name, text, time, by)


def _people(party: Party, table: PartyTable) -> Mapping[str, _Person]:
    """Return each character's state at one moment."""
    game = table.game
    persons = {}
    for name, plain in plain_people(game, party).items():
        alive = game.is_alive(plain)
        lines = game.details(dict(plain)) if alive and not game.SHARED else ()
        persons[name] = _Person(alive, tuple(_with_card(line, table) for line in lines))
    return persons


def _with_card(line: str, table: PartyTable) -> str:
    """Return a line below somebody, with the name of the card that it begins with."""
    code, _, rest = line.partition(" ")
    if code in table.deck and (card := card_of(code, table.system)):
        return f"{code}, {card[1].name}: {rest.strip()}"
    return line


def _lasting(text: str) -> str:
    """Return a line below somebody as long as it lasts: what is left of a span runs down."""
    return re.sub(r"\d+ (round|minute|hour|day|week|month|year)s?", r"# \1", text)


def _renamed(moment: Moment, table: PartyTable) -> dict[str, str]:
    deeds = [deed for deed in moment.command.deeds if deed.do == "rename" and "rename" not in table.game.EVENTS]
    return {deed.words[0]: deed.words[1] for deed in deeds}


# --- times -----------------------------------------------------------------------------------------------------------


def _day(time: int) -> str:
    """Return the day of a time, in the zone of this computer: `22 November 2026`; empty where there is none."""
    if not time:
        return ""
    local = datetime.fromtimestamp(time).astimezone()
    return f"{local.day} {_MONTHS[local.month - 1]} {local.year}"


_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip


def clock_time(time: int) -> str:
    """Return the time of day, in the zone of this computer: `19:45`; empty where there is none."""
    return datetime.fromtimestamp(time).astimezone().strftime("%H:%M") if time else ""
