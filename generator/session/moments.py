"""What has just happened, as moments: a headline in words for whoever looks, the card, and the numbers that changed.

Which entries of the log are moments says the system's `page.yaml`; elsewhere a death and a card that is drawn are, in
the game's own sentences. Numbers are compared before and after a command, so that nobody is struck in silence.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from generator.base.cards import is_code, name_of
from generator.games import mark_of
from generator.games.face import AnyGame
from generator.layout.emblems import condition_emblem
from generator.model.formulas import Result
from generator.model.log import Entry, Log
from generator.model.page import MomentShown
from generator.play.log import Peek
from generator.play.piles import card_of
from generator.session.corrections import is_correction
from generator.session.deeds import Deed
from generator.session.page import PlainScope, card_emblem, is_gone
from generator.session.party import Party, PartyTable, plain_people, shared_state
from generator.session.session import Moment
from generator.words.quoting import fill_quotes
from generator.words.wording import capitalised

EVERYBODY = ""
"""Whom something befell that befell the whole table."""
GRAVE = 3
"""The weight of what the table stops for."""


@dataclass(frozen=True, slots=True)
class NumberChange:
    """A number of somebody's that a command changed: `Death-score` of Cara, from 17 to 26."""

    who: str
    key: str
    name: str
    was: int
    now: int

    @property
    def you(self) -> str:
        """Return it as its owner reads it."""
        return f"You {'gain' if self.now > self.was else 'lose'} {abs(self.now - self.was)} {self.name}"

    @property
    def they(self) -> str:
        """Return it as everybody else does."""
        return f"{self.who}: {self.name} {self.was} → {self.now}"


@dataclass(frozen=True, slots=True)
class MomentTold:
    """A moment. `whom` it befell (EVERYBODY for the whole table, None for nobody at it) reads `you`, who did it `doer`,
    the game master `they`. One that is `secret` is the game master's alone.
    """

    whom: str | None
    you: str
    they: str
    weight: int
    by: str = ""
    doer: str = ""
    then: str = ""
    emblem: str = ""
    look: str = ""
    card: str = ""
    title: str = ""
    secret: bool = False

    def said_to(self, who: str) -> str:
        """Return the sentence for a player; empty where it is not for them."""
        if self.secret:
            return ""
        if self.whom == who or self.whom == EVERYBODY:
            return self.you
        return self.doer if self.by == who else ""


def by_weight(moments: Sequence[MomentTold]) -> list[MomentTold]:
    """Return moments with the headline first, the heaviest; others that say more stay in the order of the rules."""
    if not moments:
        return []
    head = max(moments, key=lambda each: each.weight)
    return [head, *(each for each in moments if each is not head and each.they != head.they)]


def changes_of(moment: Moment, table: PartyTable) -> tuple[NumberChange, ...]:
    """Return the numbers that a command changed of those who were there before and are there still."""
    if moment.before is None or moment.command.mends:
        return ()
    if all(is_correction(deed, table.game) for deed in moment.command.deeds):
        return ()
    return party_changes(moment.before.party, moment.party, table)


def party_changes(before_it: Party, after_it: Party, table: PartyTable) -> tuple[NumberChange, ...]:
    """Return the numbers that differ between two parties, of those who are in both."""
    earlier = plain_people(table.game, before_it)
    found = []
    for who, plain in plain_people(table.game, after_it).items():
        if who in earlier and earlier[who] is not plain:
            before, after = _numbers(earlier[who], table.game), _numbers(plain, table.game)
            # That the dead have no tokens any more is no news beside their death.
            lost = table.game.system.page.tokens if is_gone(table.game, plain) else ()
            changed = (key for key in after if key in before and before[key] != after[key])
            changed = (key for key in changed if key not in lost or after[key] > before[key])
            found += [NumberChange(who, key, after[key][0], before[key][1], after[key][1]) for key in changed]
    return tuple(found)


def _numbers(plain: Mapping[str, Any], game: AnyGame) -> Mapping[str, tuple[str, int]]:
    """Return somebody's numbers by key, each with its name: what a glance looks for, and tokens."""
    values = game.page_values(plain)
    return {gauge.key: (gauge.name, gauge.value) for gauge in game.gauges(plain)} | {
        key: (game.called(key), value) for key in game.system.page.tokens if isinstance(value := values.get(key), int)
    }


def moments_of(
    moment: Moment, logs: Sequence[Log], table: PartyTable, changes: Sequence[NumberChange]
) -> list[MomentTold]:
    """Return the moments of a command in the order of the rules; last the numbers of those of whom nothing is told."""
    told = _Told(moment, table)
    shown = [
        each
        for deed, log in zip(moment.command.deeds, logs, strict=True)
        if not is_correction(deed, table.game)
        for entry in log
        if (each := told.shown(entry, deed)) is not None
    ]
    said = [deed for deed in moment.command.deeds if deed.do == "note" and moment.command.sender == "player"]
    shown += [_last_words(deed) for deed in said if is_correction(deed, table.game)]
    if not table.game.SHARED:
        comings = {"add": ("You join", "{} joins"), "remove": ("You leave", "{} leaves")}
        shown += [
            MomentTold(deed.who, comings[deed.do][0], comings[deed.do][1].format(deed.who), 1)
            for deed in moment.command.deeds
            if deed.do in comings
        ]
    spoken = {each.whom for each in shown if not each.secret}
    struck: dict[str, NumberChange] = {}
    for change in changes:
        if not {change.who, EVERYBODY} & spoken:
            struck.setdefault(change.who, change)
    return [*shown, *(MomentTold(who, each.you, each.they, 1) for who, each in struck.items())]


def _last_words(deed: Deed) -> MomentTold:
    """Return the note that a dead character's player left."""
    text = " ".join(deed.words)
    return MomentTold(
        deed.who, f"Your last words: “{text}”", f"The last words of {deed.who}: “{text}”", 2, emblem="mute"
    )


class _Told:
    """Puts entries of a command's log into words."""

    def __init__(self, moment: Moment, table: PartyTable) -> None:
        self._game, self._system = table.game, table.system
        self._people = plain_people(table.game, moment.party)
        before = plain_people(table.game, moment.before.party) if moment.before else {}
        self._names = {*before, *self._people}
        shared = table.game.SHARED
        self._table = table.game.page_values(shared_state(table.game, moment.party)) if shared else {}

    def shown(self, entry: Entry[Any], deed: Deed) -> MomentTold | None:
        """Return an entry as a moment; None where it is none."""
        facts = entry.facts
        scope = PlainScope(facts, (), self._system)
        listed = self._system.page.moments.get(entry.kind, ())
        several = listed if isinstance(listed, tuple) else (listed,)
        found = next((each for each in several if scope.holds(each.when)), None)
        if found is None:
            return None if several else self._usual(entry, deed)
        whom, by = self._whom(found, facts, deed), str(facts.get(found.by, "")) if found.by else ""
        card = facts["card"] if isinstance(facts.get("card"), str) else ""

        title = self._title(card, playing=found.playing)

        def fill(text: str | None) -> str:
            return self._fill(text, facts, whom or str(facts.get(found.befalls or "", "")), title) if text else ""

        return MomentTold(
            whom,
            fill(found.you),
            fill(found.they or found.you),
            found.weight,
            by if by in self._names else "",
            fill(found.doer),
            fill(found.then),
            found.emblem or self._emblem(facts, "" if found.playing else card),
            found.look or "",
            card if card in self._game.deck() else "",
            title if found.playing else "",
            isinstance(entry.fact, Peek),
        )

    def _whom(self, found: MomentShown, facts: Mapping[str, Any], deed: Deed) -> str | None:
        if not self._game.SHARED:
            return deed.who
        if found.befalls is None:
            return EVERYBODY
        named = str(facts.get(found.befalls) or self._table.get(found.befalls) or "")
        return named if named in self._names else None

    def _usual(self, entry: Entry[Any], deed: Deed) -> MomentTold | None:
        """Return a death, or a card that was drawn, in the game's own sentence."""
        if (mark := mark_of(entry, self._system)) is None:
            return None
        whom = str(entry.facts.get("who", "")) if self._game.SHARED else deed.who
        card, text = str(entry.facts.get("card", "")), self._game.line(entry)
        return MomentTold(
            whom if whom in self._names else None,
            text,
            text if self._game.SHARED else f"{deed.who}: {text}",
            GRAVE if mark == "death" else 2,
            emblem="death" if mark == "death" else card_emblem(card, self._system),
            look="dead" if mark == "death" else "",
            card=card if card in self._game.deck() else "",
        )

    def _emblem(self, facts: Mapping[str, Any], card: str) -> str:
        effect = facts.get("effect")
        own = condition_emblem(effect, self._system) if isinstance(effect, str) else ""
        return own or card_emblem(card, self._system)

    def _title(self, card: str, *, playing: bool) -> str:
        """Return what a card is called: by the content, or as a playing card."""
        known = None if playing or not card else card_of(card, self._system)
        return known[1].name if known else name_of(card) if is_code(card) else card

    def _fill(self, text: str, facts: Mapping[str, Any], person: str, title: str) -> str:
        """Return a sentence with the entry's facts, and after them the values of the state that follows."""
        plain = self._people.get(person)
        values = self._game.page_values(plain) if plain is not None else {}
        values = {**values, **facts, "person": person, "title": title}
        return capitalised(fill_quotes(text, lambda name: self._value(values, name)))

    def _value(self, values: Mapping[str, Any], name: str) -> Result:
        value = values.get(name)
        if isinstance(value, bool | int):
            return int(value)
        condition = self._system.head.conditions.get(value) if isinstance(value, str) else None
        if condition:
            return condition.name or condition.brief or condition.says
        return None if value is None else str(value)


def moments_in(moment: Moment, logs: Sequence[Log], table: PartyTable) -> list[MomentTold]:
    """Return the moments of a command that was just done, the headline first."""
    return by_weight(moments_of(moment, logs, table, changes_of(moment, table)))
