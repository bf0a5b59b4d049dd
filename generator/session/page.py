"""What a table is shown of somebody, by its system's `page.yaml`: cards, tokens, states, wounds, what is likely now.

Nothing here changes a rule. Where the content says nothing, what the prompt means first and what this table did last
are likely.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any

from generator.base.dice import Dice, DiceValue
from generator.base.errors import HackjackError
from generator.games.face import AnyGame, Gauge, Suffering
from generator.layout.emblems import condition_emblem, emblem_of
from generator.model.formulas import Formula, Result, evaluate
from generator.model.page import ActionNeed, LikelyAction
from generator.model.rules import System
from generator.play.piles import card_of
from generator.session import session
from generator.session.deeds import Deed
from generator.session.luck import MissingError
from generator.session.party import TABLE, plain_people, shared_state
from generator.session.session import Session
from generator.session.several import ALL
from generator.words.quoting import fill_quotes

Plain = dict[str, Any]
Whose = tuple[str | None, ...]
MOST_LIKELY = 5
"""So many actions are offered first, in a fight or after it."""
_LOOKED_BACK = 60
"""So many commands tell what this table does most, and whether it is in a fight."""


class PlainScope:
    """What formulas of `page.yaml` may ask of somebody, or of a shared table."""

    def __init__(self, values: Mapping[str, Any], hurts: Sequence[Suffering], system: System) -> None:
        self._values, self._hurts, self._system = values, hurts, system

    def named(self, name: str) -> Result:
        """Return a value of the state, or else a number of the procedure; None for what has none."""
        value = self._values.get(name)
        if name not in self._values:
            figure = self._system.figures.get(name)
            return figure if isinstance(figure, int) else None
        if isinstance(value, bool | int):
            return int(value)
        return value if isinstance(value, str) or value is None else len(value)

    def call(self, function: str, name: str, which: str = "", detail: str | None = None) -> Result:
        """Return the value of a function such as `has` or `level` for a name."""
        del which, detail
        if function == "known":
            return int(self._values.get(name) not in (None, ""))
        if function == "setting":
            return self._system.setting(name)
        listed = self._values.get(name)
        if function == "count" and isinstance(listed, list | tuple | dict):
            return len(listed)
        wanted = [hurt for hurt in self._hurts if hurt.condition == name and hurt.coming == (function == "coming")]
        return max((hurt.level for hurt in wanted), default=0) if function == "level" else len(wanted)

    def rolled(self, dice: Dice, value: DiceValue = "sum") -> int:
        """Raise HackjackError: nobody rolls to look."""
        del value
        raise HackjackError(f"{dice}: nothing is rolled here")

    def holds(self, formula: Formula | None) -> bool:
        """Return whether something holds; what cannot be compared, because it has no value, does not."""
        with suppress(HackjackError):
            return formula is None or bool(evaluate(formula, self))
        return False

    def value(self, formula: Formula) -> int | None:
        """Return what a formula comes to; None where it has no value."""
        with suppress(HackjackError):
            found = evaluate(formula, self)
            return found if isinstance(found, int) else None
        return None

    def fill(self, text: str, person: str = "") -> str:
        """Return a sentence with its values."""
        return fill_quotes(text, lambda name: person if name == "person" else self.named(name))


def scope_of(game: AnyGame, plain: Mapping[str, Any]) -> PlainScope:
    """Return what formulas may ask of somebody's plain state, of their seat, or of a shared table's state."""
    return PlainScope(game.page_values(plain), game.hurts(plain), game.system)


@dataclass(frozen=True)
class Phone:
    """A player's device: whose it is, and the events that it may do."""

    who: str
    events: Collection[str]


# --- somebody as a tile ----------------------------------------------------------------------------------------------


def tile(game: AnyGame, plain: Mapping[str, Any]) -> Plain:
    """Return what a glance at somebody shows: `gauges`, `pile`, `track`, `tokens`, `states` and `hurts`."""
    system, scope = game.system, scope_of(game, plain)
    gauges = {gauge.key: gauge for gauge in game.gauges(plain)}
    return {
        "gauges": [*gauges.values()],
        "pile": pile(game, plain),
        "track": _track(game, scope, gauges),
        "tokens": [
            {"key": key, "name": game.called(key), "value": value, "emblem": emblem}
            for key, emblem in system.page.tokens.items()
            if isinstance(value := scope.named(key), int)
        ],
        "states": [
            _said(says=scope.fill(each.says), look=each.look, emblem=each.emblem)
            for each in system.page.states.values()
            if scope.holds(each.when)
        ],
        "hurts": [
            _said(says=hurt.says, until=hurt.until, card=hurt.card, emblem=hurt_emblem(hurt, system))
            for hurt in game.hurts(plain)
        ],
    }


def pile(game: AnyGame, plain: Mapping[str, Any]) -> list[Plain]:
    """Return the cards that lie before somebody, or on a shared table."""
    return [_said(card=each.card, score=each.counts, title=each.title) for each in game.lying(plain)]


def _said(**values: Any) -> Plain:
    """Return what has something to say; the rest is left out."""
    return {key: value for key, value in values.items() if value not in (None, "", (), [])}


def _track(game: AnyGame, scope: PlainScope, gauges: Mapping[str, Gauge]) -> Plain | None:
    track = game.system.page.track
    if track is None or not isinstance(value := scope.named(track.number), int):
        return None
    gauge = gauges.get(track.number)
    maximum = gauge.most if gauge else None
    if track.most is not None and (bound := scope.value(track.most)) is not None:
        maximum = bound
    waiting = scope.named(track.waiting) if track.waiting else 0
    held = track.held is not None and scope.holds(track.held)
    return {"name": game.called(track.number), "value": value, "most": maximum} | _said(
        waiting=waiting or None, waits=game.called(track.waiting or "") if waiting else None, held=held or None
    )


def is_gone(game: AnyGame, plain: Mapping[str, Any]) -> bool:
    """Return whether somebody is dead for the page, and not only out of the fight until they are healed."""
    if game.is_alive(plain):
        return False
    scope = scope_of(game, plain)
    looks = {each.look for each in game.system.page.states.values() if scope.holds(each.when)}
    return "dead" in looks or "out" not in looks


def hurt_emblem(hurt: Suffering, system: System) -> str:
    """Return the emblem of what somebody suffers: of the condition, or of the card that brought it."""
    return condition_emblem(hurt.condition, system) or card_emblem(hurt.card, system)


def card_emblem(name: str, system: System) -> str:
    """Return the emblem of a card; empty where pips stand on it, or where there is none of that name."""
    found = card_of(name, system) if name else None
    return emblem_of(found[1].emblem, found[1].effects, system) if found else ""


def marks(game: AnyGame, plain: Mapping[str, Any]) -> list[str]:
    """Return the flags of a character that no state of the page says: `shaken`."""
    said = {"dead"}
    page = game.system.page
    for formula in (*(each.when for each in page.states.values()), page.track.held if page.track else None):
        said |= {str(node.about) for node in formula.walk() if node.kind in ("name", "has")} if formula else set()
    return [key.replace("_", " ") for key, value in plain.items() if value is True and key not in said]


# --- what is likely --------------------------------------------------------------------------------------------------


def phase(now: Session) -> str:
    """Return `fight` or `after`: what the last event that belongs to one of them was of."""
    page = now.table.system.page
    for moment in islice(now.moments(), _LOOKED_BACK):
        for deed in moment.command.deeds[::-1]:
            if deed.do in page.fight or deed.do in page.after:
                return "fight" if deed.do in page.fight else "after"
    return "fight"


class Likely:
    """What is likely at a table as it stands, for the game master and for phones: what holds is found out once."""

    def __init__(self, now: Session) -> None:
        self._now, self._game, self._page = now, now.table.game, now.table.system.page
        self._people = plain_people(self._game, now.party)
        self._scopes: dict[str, PlainScope] = {}
        self._found: dict[tuple[str, str, Whose], list[tuple[LikelyAction, Plain]]] = {}

    @cached_property
    def phase(self) -> str:
        """Return `fight` or `after`."""
        return phase(self._now)

    @cached_property
    def order(self) -> tuple[str, ...]:
        """Everybody in the order of play; whoever has no place in it comes last."""
        if self._page.order is None:
            return tuple(self._people)
        places = {name: self._scope(name).value(self._page.order) for name in self._people}
        return tuple(sorted(places, key=lambda name: (places[name] is None, -(places[name] or 0))))

    def _scope(self, name: str) -> PlainScope:
        if name not in self._scopes:
            plain = self._people.get(name, shared_state(self._game, self._now.party))
            self._scopes[name] = scope_of(self._game, plain)
        return self._scopes[name]

    def of(self, name: str, phone: Phone | None = None) -> list[Plain]:
        """Return what is probably done with somebody, or with a shared table (TABLE): first what can be done."""
        listed = "players" if phone and self._game.SHARED and self._page.players else "likely"
        if not getattr(self._page, listed):
            return [] if phone and name not in (phone.who, TABLE) else [*self._fallback(phone)]
        offered = [*self._offered(listed, name, phone)]
        can = [each for each in offered if "reason" not in each]
        return [*self._first(can), *(each for each in offered if "reason" in each)]

    def next(self, phone: Phone | None = None) -> Plain | None:
        """Return the next step of an order, where the system has one: an action, and of whom."""
        if self._game.SHARED:
            return next(self._offered("next", phone.who if phone else TABLE, phone), None)
        if self.phase != "fight":
            return None
        for name in (phone.who,) if phone else self.order:
            for step in self._offered("next", name, phone):
                return {**step, "who": name}
        return None

    def _offered(self, listed: str, name: str, phone: Phone | None) -> Iterator[Plain]:
        """Yield what is offered of a list here: the game master has all of it, a phone what it may do."""
        whose: Whose = () if phone is None else (None, "self") if name == phone.who else ("ally",)
        for _, each in self._holding(listed, name, whose):
            if phone is None or each["do"] in phone.events:
                yield each

    def _holding(self, listed: str, name: str, whose: Whose = ()) -> list[tuple[LikelyAction, Plain]]:
        """Return what a list of the page offers with somebody as they are: all of it, or only what is for some."""
        if whose and (listed, name, whose) not in self._found:
            found = self._holding(listed, name)
            self._found[listed, name, whose] = [(action, each) for action, each in found if action.for_ in whose]
        elif (listed, name, whose) not in self._found:
            scope, actions = self._scope(name), getattr(self._page, listed)
            self._found[listed, name, whose] = [
                (action, self._told(action, do, name, scope))
                for key, action in actions.items()
                if (do := action.do or key) in self._game.EVENTS and scope.holds(action.if_)
            ]
        return self._found[listed, name, whose]

    def _told(self, action: LikelyAction, do: str, name: str, scope: PlainScope) -> Plain:
        """Return an action in words, with the reason where it cannot be done."""
        # A word that has no value, such as a trait that nobody knows, is left for the form.
        words = tuple(filter(None, (scope.fill(word, name) for word in action.words)))
        # An event may know the word itself.
        takes = self._game.EVENTS[do].takes
        everybody = words[:1] == (ALL,) and not self._game.SHARED and not any(ALL in each.words for each in takes)
        words = words[everybody:]
        need = next((need for need in action.needs if not scope.holds(need.holds)), None)
        reason = self._reason(need, scope, Deed(do, TABLE if self._game.SHARED else name, words)) if need else ""
        says = scope.fill(action.says, name) if action.says else ""
        return {"do": do, **_said(words=words, says=says, reason=reason, everybody=everybody or None, **self._in(do))}

    def _reason(self, need: ActionNeed, scope: PlainScope, deed: Deed) -> str:
        """Return why an action cannot be done: in the content's words, or in those of the rules."""
        if need.says:
            return scope.fill(need.says, deed.who)
        try:
            session.advance(self._now, deed)
        except MissingError:
            pass
        except HackjackError as error:
            return str(error)
        return "This cannot be done now."

    def _in(self, do: str) -> Plain:
        page = self._page
        return {"in": "fight"} if do in page.fight else {"in": "after"} if do in page.after else {}

    def _first(self, can: Sequence[Plain]) -> Iterator[Plain]:
        """Yield as many as are offered at a time, in a fight and after it."""
        counts = {"fight": 0, "after": 0}
        for each in can:
            where = [each["in"]] if "in" in each else [*counts]
            if any(counts[phase] < MOST_LIKELY for phase in where):
                counts |= {phase: counts[phase] + 1 for phase in where}
                yield each

    def _fallback(self, phone: Phone | None) -> Iterator[Plain]:
        """Yield what is done most, then what this table did last."""
        usual, game = self._game.usual, self._game
        last = (deed.do for moment in islice(self._now.moments(), _LOOKED_BACK) for deed in moment.command.deeds)
        names = dict.fromkeys((*usual[:1], *last))
        wanted = (name for name in names if name in game.EVENTS and (phone is None or name in phone.events))
        for name in islice(wanted, MOST_LIKELY):
            yield {"do": name, **_said(words=usual[1:] if name == usual[0] else ())}


def usual_events(game: AnyGame) -> tuple[str, ...]:
    """Return what phones may do until the game master says otherwise."""
    return tuple(name for name in game.system.page.usual if name in game.EVENTS)
