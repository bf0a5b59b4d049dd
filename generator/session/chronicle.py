"""What has become of whom, as a story: the moments of each session, who got which wound, from which card, until when.

Wounds are told from states alone: what somebody suffers after a command and did not before has come, what they do not
suffer any more is over. So every game has a chronicle, whatever its events are called.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby
from typing import Any, Literal

from generator.base.sentences import full_stop, third_person
from generator.games import Mark
from generator.games.face import Suffering
from generator.play.piles import card_of
from generator.session import prompt, session
from generator.session.moments import GRAVE, MomentTold, changes_of, moments_of
from generator.session.page import is_gone
from generator.session.party import Party, PartyTable, plain_people
from generator.session.session import Moment, Session
from generator.words.wording import capitalised

Kind = Literal["joined", "left", "wound", "better", "died", "back", "note", "moment"]
HEADLINE = 2
"""The least weight of a moment that is told."""


@dataclass(frozen=True)
class Happened:
    """One thing that became of somebody: when, in seconds since 1970 (0 where no journal noted it), and by what.

    Of a wound `ended` and `ended_by` say when and by what it was over; None where it lasts. `number` is the command's,
    in order. A moment and a death have a `weight`, and may have a `card`, an `emblem` and a line that follows, `then`.
    """

    kind: Kind
    who: str
    text: str
    time: int
    by: str
    ended: int | None = None
    ended_by: str = ""
    number: int = 0
    weight: int = 0
    card: str = ""
    emblem: str = ""
    then: str = ""


@dataclass(frozen=True)
class Scene:
    """What one command brought: the heaviest of it first, then the rest in order, as sentences without the time.

    `card` is the card that fell.
    """

    time: int
    head: Happened
    lines: tuple[str, ...] = ()
    card: str = ""

    @property
    def says(self) -> str:
        """Return the headline."""
        return event_sentence(self.head)


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
    def scenes(self) -> list[Scene]:
        """What happened, command by command; where nothing of one was a moment, each thing stands for itself."""
        scenes: list[Scene] = []
        for _, group in groupby(self.happened, key=lambda each: each.number):
            together = [*group]
            head = max(together, key=lambda each: each.weight)
            if not head.weight:
                scenes += [Scene(each.time, each) for each in together]
                continue
            cards = {(each.who, each.card) for each in together if each.card and each.kind == "moment"}
            rest = tuple(_below(each, cards) for each in together if each is not head)
            fallen = head.card or next((each.card for each in together if each.card), "")
            scenes.append(Scene(head.time, head, (*([head.then] if head.then else []), *rest), fallen))
        return scenes


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
        events = [replace(each, number=moment.number) for each in _became(moment, table)]
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


def chronicle_lines(chapters: Sequence[Chapter]) -> tuple[list[str], dict[str, Mark]]:
    """Return the chronicle as lines for people, and those that stand out on a screen."""
    lines: list[str] = []
    marks: dict[str, Mark] = {}
    for each in chapters:
        lines.append(each.heading)
        for scene in each.scenes:
            lines.append(f"    {' '.join(filter(None, (clock_time(scene.time), scene.says)))}")
            if scene.head.weight == GRAVE:
                marks[lines[-1]] = "death" if scene.head.kind == "died" else "card"
            lines += [f"          {line}" for line in scene.lines]
    return lines or ["Nothing has happened yet."], marks


def event_sentence(each: Happened) -> str:
    """Return an entry of the chronicle as a sentence."""
    match each.kind:
        case "note":
            text = f"Note on {each.who}: {each.text}" if each.who else f"Note: {each.text}"
        case "wound":
            text = f"{each.who}: {each.text}"
        case "better":
            text = f"{each.who}: {each.text}: this is over"
        case "moment":
            text = f"{each.text} ({each.card})" if each.card else each.text
        case _:
            text = f"{each.who} {each.text}"
    return _ended(capitalised(text), each)


def _below(each: Happened, cards: Collection[tuple[str, str]]) -> str:
    """Return an entry under the headline of its command; a wound of a card that was told needs no name and card."""
    code = each.text.partition(",")[0]
    if each.kind == "wound" and (each.who, code) in cards:
        return _ended(each.text.partition(": ")[2], each)
    return event_sentence(each)


def _ended(text: str, each: Happened) -> str:
    """Return a sentence, and when what it tells was over."""
    whole = full_stop(text)
    if each.ended is None:
        return whole
    return f"{whole} Over{f' at {clock_time(each.ended)}' if each.ended else ''}."


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
                    **({"weight": each.weight} if each.weight else {}),
                    **({"card": each.card} if each.card else {}),
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
    changes = changes_of(moment, table)
    told = [each for each in moments_of(moment, session.logs_of(table, moment), table, changes) if not each.secret]
    told = [each for each in told if each.weight >= HEADLINE]
    before, after = _people(moment.before.party, table), _people(moment.party, table)
    renamed = _renamed(moment, table)
    for deed in moment.command.deeds:
        if deed.do == "note" and "note" not in table.game.EVENTS and moment.command.sender != "player":
            yield Happened("note", deed.who, " ".join(deed.words), time, by)
    for name in before:
        if renamed.get(name, name) not in after:
            yield Happened("left", name, "leaves", time, by)
    earlier = {renamed.get(name, name): person for name, person in before.items()}
    for name in after:
        if name not in earlier:
            yield Happened("joined", name, "joins", time, by)
    dead = {name for name, person in after.items() if earlier.get(name, _NOBODY).alive and not person.alive}
    deaths = {each.whom: each for each in told if each.weight == GRAVE and each.look == "dead" and each.whom in dead}
    for each in told:
        if each not in deaths.values():
            yield _moment(each, time, by)
    for name, person in after.items():
        for event in _changed(name, earlier.get(name, _NOBODY), person, time, by):
            yield _death(event, deaths.get(name)) if event.kind == "died" else event


def _death(event: Happened, told: MomentTold | None) -> Happened:
    """Return a death as a moment, in the words of the page where it has any: some games call it down."""
    if told is None:
        return replace(event, weight=GRAVE, emblem="death")
    words = capitalised(told.they).removeprefix(f"{capitalised(event.who)} ")
    text = event.text if words == capitalised(told.they) else words
    return replace(event, text=text, weight=GRAVE, emblem=told.emblem, then=told.then)


def _moment(each: MomentTold, time: int, by: str) -> Happened:
    whole = Happened("moment", each.whom or "", each.they, time, by, weight=each.weight)
    return replace(whole, card=each.card, emblem=each.emblem, then=each.then)


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
        alive = not is_gone(game, plain)
        hurts = game.hurts(plain) if alive else ()
        persons[name] = _Person(alive, tuple(_in_words(each, table) for each in hurts if not each.coming))
    return persons


def _in_words(hurt: Suffering, table: PartyTable) -> str:
    """Return what somebody suffers, until when, and the card that it begins with where one brought it."""
    name, colon, means = hurt.says.partition(": ")
    until = f" {hurt.until}" if hurt.until and hurt.until not in means else ""
    says = f"{name}{until}{colon}{means}"
    card = card_of(hurt.card, table.system) if hurt.card else None
    says = third_person(says)
    return f"{hurt.card}, {card[1].name}: {says}" if card else says


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
