"""Exact chances: the engine's own rules under every outcome at once, situations that cannot be told apart counted once.

What is merged, and why nothing is lost by it:

* Cards that the count cannot tell apart are one class. In the last hit that is asked about a card's own Blood cannot
  matter any more, for it flows in the next hit at the earliest (H7), so fewer classes are left.
* A card drawn only for its wound (7C, JC) is not told from others of the same wound, nor the wounds from one another
  once the hand has done what it does: any order of a shuffled deck is as likely as any other, so such cards may as well
  be dealt last. What is kept of them is a `_Veil`: how many ways there are to have dealt them from the cards that are
  left in the end.
* Colours are not looked at before red cards matter (H21). Until then all cards of a class that are gone are as likely
  to have been the red ones.

All of that rests on choices that follow from the wounds on offer alone, see `rank_of`. Everything else is the engine.
Chances are whole numbers over one common denominator: nothing is rounded, and fractions are made only at the end.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal, NamedTuple

from generator.chance import CardNeed, ChoiceNeed, Need, RollNeed
from generator.dice import Dice
from generator.engine import counting, harm
from generator.engine.counting import Agenda, Blow, Body, Choose, Deal, Flow, Hand, Pour, Rules, Strike, Task, Total
from generator.engine.harm import Event, State
from generator.errors import HackjackError
from generator.rules import AnyEffect, Draw, Repeat, System, Whenever

Policy = Literal["best", "worst", "even"]
"""How a player chooses: the lesser wound, the graver one (both by `rank_of`), or each as often as the others."""

COUNTED_EVENTS = ("hit", "draw", "poison", "bleed", "drain")
MOST_HITS = 8
MOST_SITUATIONS = 2_500
"""Beyond so many situations an exact answer is refused rather than cut short."""

_BITS = 6
_MASK = (1 << _BITS) - 1
"""A deck is a whole number with a field of six bits for each count. Fewer than 63 cards in all: what fields hold
together is their remainder by 63."""

_FACE_DOWN = Blow("", 0, None, 0, False, (), False, False, False)
"""A card drawn for its wound only, before its turn comes."""

_COARSE, _CLASSED, _COLOURED = 0, 1, 2
"""How closely cards are looked at: their scores in the last hit, their wounds too, their colours too."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The chances of one event. `score` gives every death-score that a survivor may have; 0 after a reset too."""

    die: Fraction
    reset: Fraction
    survive: Fraction
    score: dict[int, Fraction]
    cards_left: int


def outcome(system: System, state: State, event: Event, policy: Policy = "best") -> Outcome:
    """The exact chances of one event on a state. Raises HackjackError when it cannot happen or is too large."""
    every = _Every(system, state, event, 1, policy, scores=True)
    die, alive, anew = every.endings()
    whole = every.whole
    scores = {score: alive.get(score, 0) + anew.get(score, 0) for score in sorted({*alive, *anew})}
    return Outcome(
        die=Fraction(die, whole),
        reset=Fraction(sum(anew.values()), whole),
        survive=1 - Fraction(die, whole),
        score={score: Fraction(weight, whole) for score, weight in scores.items()},
        cards_left=every.cards_left,
    )


def die_by(system: System, state: State, event: Event, hits: int, policy: Policy = "best") -> tuple[Fraction, ...]:
    """The exact chance to be dead after 1, 2 ... `hits` such hits in a row.

    Raises HackjackError when it cannot happen or is too large.
    """
    _check_hits(hits)
    every = _Every(system, state, event, hits, policy)
    return tuple(Fraction(every.dying(count), every.whole) for count in range(1, hits + 1))


def _check_hits(hits: int) -> None:
    if not 1 <= hits <= MOST_HITS:
        raise HackjackError(f"--hits {hits}: from 1 to {MOST_HITS} hits are counted exactly")


# --- how a player chooses --------------------------------------------------------------------------------------------


def rank_of(blow: Blow) -> tuple[int, ...]:
    """How grave a wound looks to a player who has to choose (H15). `best` takes the lowest, `worst` the highest.

    First by the cards that it makes one draw for their score, then by other cards and repeats, then by Blood (dice at
    their mean, and what it adds later), then by the number of its effects. A lucky break comes before everything. The
    rule sees the wounds and nothing else, so that chances stay exact without a player who counts cards.
    """
    draws = [effect for effect in blow.counted if isinstance(effect, Draw)]
    repeats = sum(isinstance(effect, Repeat) for effect in blow.counted)
    later = sum(
        (effect.blood or 0) + (effect.score or 0)
        for effect in blow.counted
        if isinstance(effect, Whenever) and effect.event == "red_card"
    )
    dice = blow.blood or Dice(0, 0)
    return (
        sum(effect.cards for effect in draws if effect.score),
        sum(effect.cards for effect in draws) + repeats,
        -1 if blow.spares else 2 * (dice.plus + later) + dice.count * (dice.faces + 1),
        len(draws) + repeats + (later > 0),
    )


# --- cards as classes, decks as numbers ------------------------------------------------------------------------------


class _Looks:
    """Cards reduced to what the count can see of them; equal ones are the same object."""

    def __init__(self, cards: Sequence[Blow]) -> None:
        self._made: dict[tuple[object, ...], Blow] = {}
        self._wounds = ({_FACE_DOWN: _FACE_DOWN}, {_FACE_DOWN: _FACE_DOWN})
        self._ranks: dict[Blow, tuple[int, ...]] = {_FACE_DOWN: ()}
        self._places: dict[object, int] = {}
        for blow in cards:
            self._places.setdefault((blow.blood, self.effects(blow, bare=False)), len(self._places))

    def effects(self, blow: Blow, *, bare: bool) -> tuple[AnyEffect, ...]:
        """The effects that can still matter: nothing waits for another descent below 0, for HP never rise."""
        return tuple(
            effect
            for effect in blow.counted
            if not isinstance(effect, Whenever)
            or (effect.event == "red_card" and (effect.score is not None if bare else True))
        )

    def card(self, blow: Blow, *, bare: bool, red: bool) -> Blow:
        """A card as it is drawn for its score. `bare`: its own Blood cannot matter any more."""
        return self._make(blow, blow.score, bare, blow.red and red)

    def wound(self, blow: Blow, *, bare: bool) -> Blow:
        """A card whose score is done with."""
        known = self._wounds[bare]
        if blow not in known:
            made = self._make(blow, 0, bare, False)
            known[blow] = known[made] = made
        return known[blow]

    def rank(self, wound: Blow) -> tuple[int, ...]:
        """How grave a wound looks; of two alike the one that comes first in the deck is the lesser."""
        return self._ranks[wound]

    def _make(self, blow: Blow, score: int, bare: bool, red: bool) -> Blow:
        effects = self.effects(blow, bare=bare)
        rank = self._ranks.get(blow) or self._rank(blow)
        # What has further effects keeps its rank, and so its Blood: a player still chooses by it.
        shown = rank if effects or blow.spares else (0, 0, 0, 0, 0) if bare else rank
        blood = None if bare else blow.blood
        key = (score, blood, effects, red, shown)
        if key not in self._made:
            made = replace(blow, score=score, blood=blood, trauma=0, red=red, counted=effects, wounding=False)
            self._made[key] = made
            self._ranks[made] = shown
        return self._made[key]

    def _rank(self, blow: Blow) -> tuple[int, ...]:
        return *rank_of(blow), self._places.get((blow.blood, self.effects(blow, bare=False)), 0)


@dataclass(eq=False, slots=True)
class _Kind:
    """Cards that cannot be told apart at one level of looking.

    `unit` is what the deck loses by one; `label` says which wound it is when it is dealt last, None for one whose
    effects are seen at once. `own` and `both` find the cards of its colour, and of both, that have not been seen.
    """

    blow: Blow
    bare: Blow
    shift: int
    unit: int
    label: int | None
    own: int = 0
    both: int = 0


@dataclass(eq=False, slots=True)
class _Label:
    """The wound of a card that is dealt last: the field that counts the cards which may be it."""

    blow: Blow
    bare: Blow
    shift: int


class _Deck:
    """A deck at all levels at once, as one whole number.

    From the lowest bits: counts by label and by class for the last hit, the same for other hits, then the cards of each
    colour that have not been seen, and on top the number of the veil.
    """

    def __init__(self, cards: Sequence[Blow], looks: _Looks) -> None:
        self._cards, self._looks = cards, looks
        self._top = 0
        self.kinds: tuple[list[_Kind], list[_Kind], list[_Kind]] = ([], [], [])
        self.labels: tuple[list[_Label], list[_Label]] = ([], [])
        self.signs: list[int] = []
        self.keeps: list[int] = []
        units = [0] * len(cards)
        for level in (_COARSE, _CLASSED):
            self._add_level(level, units)
        self.colours = self._add_colours(units)
        self.veil = self._top
        veiled = -1 << self.veil
        self.keeps = [keep | veiled for keep in (*self.keeps, (1 << self._top) - 1)]
        self.full = sum(units)

    def _field(self) -> int:
        self._top += _BITS
        return self._top - _BITS

    def _add_level(self, level: int, units: list[int]) -> None:
        bare = level == _COARSE
        below, labels, places = self._top, self.labels[level], dict[Blow, int]()
        for blow in self._cards:
            wound = self._looks.wound(blow, bare=bare)
            if wound not in places and not wound.counted:
                places[wound] = len(labels)
                shown = self._looks.wound(blow, bare=True)
                labels.append(_Label(self._looks.wound(blow, bare=False), shown, self._field()))
        self.signs.append((1 << self._top) - (1 << below))
        known: dict[Blow, _Kind] = {}
        for at, blow in enumerate(self._cards):
            card = self._looks.card(blow, bare=bare, red=False)
            label = places.get(self._looks.wound(blow, bare=bare))
            if card not in known:
                shift = self._field()
                units_of = (1 << shift) + (0 if label is None else 1 << labels[label].shift)
                shown = self._looks.card(blow, bare=True, red=False)
                known[card] = _Kind(card, shown, shift, units[at] + units_of, label)
            kind = known[card]
            units[at] = kind.unit
        self.kinds[level].extend(known.values())
        self.keeps.append((1 << self._top) - 1)

    def _add_colours(self, units: list[int]) -> int:
        """Fields for the cards of each colour, where a class has both. They play no part before red matters."""
        by_class = {kind.unit: kind for kind in self.kinds[_CLASSED]}
        both: dict[int, set[bool]] = {}
        for at, blow in enumerate(self._cards):
            both.setdefault(units[at], set()).add(blow.red)
        made: dict[tuple[int, bool], _Kind] = {}
        fields: dict[tuple[int, bool], int] = {}
        for unit, colours in both.items():
            for red in sorted(colours) if len(colours) > 1 else ():
                fields[unit, red] = self._field()
        colours_full = 0
        for at, blow in enumerate(self._cards):
            key = (units[at], blow.red)
            own = fields.get(key)
            if own is not None:
                colours_full += 1 << own
            if key not in made:
                kind = by_class[units[at]]
                card, bare = (self._looks.card(blow, bare=bare, red=True) for bare in (False, True))
                made[key] = coloured = replace(kind, blow=card, bare=bare)
                if own is not None:
                    coloured.unit += 1 << own
                    coloured.own = _MASK << own
                    coloured.both = coloured.own | _MASK << fields[units[at], not blow.red]
        self.kinds[_COLOURED].extend(made.values())
        return colours_full

    @property
    def most_of_two_colours(self) -> int:
        """The most cards of one class with both colours."""
        return max(((self.colours & kind.both) % _MASK for kind in self.kinds[_COLOURED] if kind.both), default=1)


# --- cards that are dealt last ---------------------------------------------------------------------------------------


class _Veil:
    """Cards that were drawn for their wounds only, as the ways to have dealt them from what is left in the end.

    `ways` has the labels of the cards, sorted, and the weight of having drawn just these. A situation that they led to
    is the same whichever they were, and any order of a deck is as likely as any other: so they are dealt last, when it
    is known which cards came later.
    """

    def __init__(self, level: int, ways: dict[tuple[int, ...], int], deck: _Deck) -> None:
        self.level, self.ways, self.sign = level, ways, deck.signs[level]
        self._lots: dict[int, int] = {}
        self._cards = [
            (weight, [(deck.labels[level][at].shift, cards.count(at)) for at in sorted(set(cards))])
            for cards, weight in ways.items()
        ]

    def lots(self, sign: int) -> int:
        """The weighted number of ways to deal the cards from a deck, of which `sign` has the counts by label."""
        known = self._lots.get(sign)
        if known is None:
            known = 0
            for weight, counts in self._cards:
                for shift, count in counts:
                    weight *= math.perm(sign >> shift & _MASK, count)
                known += weight
            self._lots[sign] = known
        return known


class _End(NamedTuple):
    """One way out of a hand: the situation, and the cards that were drawn.

    `seen` has the classes of those with effects of their own; `drawn` counts all of them. The weight, of the common
    denominator of dice and choices, counts for each way of the veil.
    """

    body: Body
    agenda: Agenda
    seen: tuple[int, ...]
    drawn: int
    weight: int
    veil: int


class _Hand(NamedTuple):
    """All ways out of a hand, and where it needs another card: the classes seen, the labels drawn."""

    ends: list[_End]
    needs: set[tuple[tuple[int, ...], tuple[int, ...]]]
    most: int


class _TurnNeed(NamedTuple):
    """A card that lies face down has to be turned up."""


_Following = tuple[Body, Agenda, Need | _TurnNeed | None]


class _Step(NamedTuple):
    body: Body
    agenda: Agenda
    seen: tuple[int, ...]
    over: bool


# --- situations ------------------------------------------------------------------------------------------------------


class _Spot:
    """A situation in which luck is needed, with so many hits to come, this one included.

    `repeats`: a card that repeats the last wound (6H) may still come; without one that wound is of no account.
    `veiled`: some cards are dealt last. `known` has the weight of dying by deck.
    """

    __slots__ = (
        *("body", "agenda", "hits", "level", "repeats", "veiled", "need"),
        *("known", "solve", "ends", "opens", "colours", "hand", "outs"),
    )

    def __init__(self, key: tuple[Body, Agenda, int, int, bool, bool], need: Need | _TurnNeed) -> None:
        self.body, self.agenda, self.hits, self.level, self.repeats, self.veiled = key
        self.need = need
        self.known: dict[int, int] = {}
        self.solve: Callable[[_Spot, int, int], int] | None = None
        self.ends: list[tuple[int, int, int]] = []
        self.opens: list[tuple[int, int, int, _Spot]] = []
        self.colours: list[tuple[_Kind, _Spot | int]] = []
        self.hand: _Hand | None = None
        self.outs: list[tuple[_End, _Spot | int]] = []


class _Every:
    """All outcomes of one event, again and again, on one state."""

    def __init__(
        self, system: System, state: State, event: Event, hits: int, policy: Policy, *, scores: bool = False
    ) -> None:
        _check(state, event)
        self._rules, self._event, self._policy = Rules.of(system), event, policy
        cards, start = _cards_of(system, state)
        self.cards_left = len(cards)
        triggers = [effect for card in cards for effect in card.counted if isinstance(effect, Whenever)]
        watched: list[Whenever | counting.Trigger] = [*triggers, *start.triggers]
        red = [item for item in watched if item.event == "red_card"]
        self._coarse = not any(item.score for item in red)
        looks = self._looks = _Looks([*harm.blows_of(system).values()])
        self._deck = _Deck(cards, looks)
        pool = [*cards, *([start.last] if start.last else [])]
        draws = _most_draws(pool, hits * (2 if event.word else 1))
        self._luck = _luck_in(pool)
        self._shades = math.lcm(*range(1, self._deck.most_of_two_colours + 1)) if red else 1
        self.whole: int = math.perm(len(cards), min(draws, len(cards))) * self._luck * self._shades**draws
        # One field of a whole number for each ending: dead, alive, alive after a reset.
        self._bits = self.whole.bit_length() + _BITS * (draws + 2) if scores else 0
        self._repeating = sum(card.repeats for card in cards)
        self._flows = not start.holding and Flow() in harm.opening(start, event, self._rules)[1]
        self._start = start
        self._spots: dict[tuple[Body, Agenda, int, int, bool, bool], _Spot] = {}
        self._steps: dict[tuple[Body, Agenda, object], _Following] = {}
        self._openings: dict[Body, _Following] = {}
        self._hands: dict[tuple[Body, Agenda, int, bool, bool], _Hand] = {}
        self._veils: list[_Veil] = []
        self._veil_numbers: dict[object, int] = {}
        self._joined: dict[tuple[int, int], int] = {}
        self._situations = 0

    def dying(self, hits: int) -> int:
        """The weight, of `whole`, of being dead within so many hits."""
        return self._begin(hits)

    def endings(self) -> tuple[int, dict[int, int], dict[int, int]]:
        """The weights, of `whole`, of dying, and of each score of the living, without and with a reset."""
        weights = self._begin(1)
        field = (1 << self._bits) - 1
        found = [weights >> self._bits * at & field for at in range(2 * self._rules.limit + 3)]
        alive, anew = found[1 : self._rules.limit + 2], found[self._rules.limit + 2 :]
        by_score = [{score: weight for score, weight in enumerate(part) if weight} for part in (alive, anew)]
        return found[0], by_score[0], by_score[1]

    def _begin(self, hits: int) -> int:
        body = self._tidy(self._start, (), bare=False, repeats=self._repeating > 0)
        begun = self._arrive((body, (), None), hits + 1, _CLASSED, self._repeating > 0, False)
        if isinstance(begun, int):
            return begun
        return self._weigh(begun, self._deck.full, self.cards_left, _CLASSED)

    # What follows what: the engine, asked once for each situation and answer.

    def _run(self, body: Body, agenda: Agenda) -> _Following:
        """Run the engine up to its next need, or to where a card must be turned up."""
        while True:
            stop = next((at for at, task in enumerate(agenda) if _is_face_down(task)), len(agenda))
            body, head, need = counting.proceed(body, agenda[:stop], self._rules)
            if body.dead or body.score > self._rules.limit:
                # Inside a hit the death-score only grows: nothing that is still drawn can save anyone.
                return body._replace(dead=True), (), None
            agenda = (*head, *agenda[stop:])
            if need is None and agenda:
                return body, agenda, _TurnNeed()
            if need is None or not self._may_lie(body, agenda[0]):
                return body, agenda, need
            body, agenda = counting.take_card(body, agenda, _FACE_DOWN, self._rules)

    def _may_lie(self, body: Body, task: Task) -> bool:
        """Whether a card may be drawn face down: only its wound will matter, and not before its turn."""
        return _is_veiling(task) and not self._rules.blank_is_zero and not _reddens(body)

    def _after(self, body: Body, agenda: Agenda, answer: Blow | int) -> _Following:
        """A card is drawn, dice show a total, or a choice is made."""
        key = (body, agenda, answer)
        known = self._steps.get(key)
        if known is None:
            if isinstance(answer, Blow) and _is_face_down(agenda[0]):
                following = body, (_turned(agenda[0], answer), *agenda[1:])
            elif isinstance(answer, Blow):
                following = counting.take_card(body, agenda, answer, self._rules)
            elif isinstance(agenda[0], Choose):
                following = counting.take_choice(body, agenda, answer)
            else:
                following = counting.take_roll(body, agenda, answer)
            known = self._steps[key] = self._run(*following)
        return known

    def _opened(self, body: Body) -> _Following:
        """The same event on a settled situation."""
        known = self._openings.get(body)
        if known is None:
            known = self._openings[body] = self._run(*harm.opening(body, self._event, self._rules))
        return known

    def _arrive(self, following: _Following, hits: int, level: int, repeats: bool, veiled: bool) -> _Spot | int:
        """The next situation in which luck is needed, or the weight of the ending."""
        body, agenda, need = following
        while need is None:
            hits -= 1
            if body.dead or hits == 0:
                return self._ending(body)
            level = _COARSE if hits == 1 and not veiled and self._coarse else _CLASSED
            body = self._tidy(body, (), bare=self._is_bare(hits), repeats=repeats)
            body, agenda, need = self._opened(body)
        bare = self._is_bare(hits)
        body = self._tidy(body, agenda, bare=bare, repeats=repeats)
        level = _COLOURED if _reddens(body) else min(level, _CLASSED)
        key = (body, self._tidy_agenda(agenda, bare), hits, level, repeats, veiled)
        spot = self._spots.get(key)
        if spot is None:
            spot = self._spots[key] = _Spot(key, need)
        return spot

    def _ending(self, body: Body) -> int:
        if not self._bits:
            return self.whole if body.dead else 0
        place = 0 if body.dead else 1 + body.score + (self._rules.limit + 1 if body.resets else 0)
        return self.whole << (self._bits * place)

    def _is_bare(self, hits: int) -> bool:
        """Whether Blood that joins the pool now cannot flow any more."""
        return hits == 1 or not self._flows

    def _tidy(self, body: Body, agenda: Agenda, *, bare: bool, repeats: bool) -> Body:
        """A situation without what cannot matter any more."""
        last = body.last
        if last is not None:
            last = self._looks.wound(last, bare=bare) if repeats or _awaits_repeat(agenda) else None
        triggers = body.triggers
        if triggers and body.hp == 0 and not body.low:
            # No descent is ahead any more, so what waits for one is over.
            triggers = tuple(item for item in triggers if item.event == "red_card" and (item.score or not bare))
        offers = body.offers
        if offers:
            # Only the lowest of each offer will count.
            offers = tuple((() if not blood else (0 if bare else min(blood),), ()) for blood, _ in offers)
        return body._replace(
            blood=0 if bare and agenda else body.blood,
            trauma=0,
            last=last,
            triggers=triggers,
            offers=offers,
            wounds=(),
            resets=body.resets if self._bits else 0,
        )

    def _tidy_agenda(self, agenda: Agenda, bare: bool) -> Agenda:
        return tuple(self._tidy_task(task, bare) for task in agenda)

    def _tidy_task(self, task: Task, bare: bool) -> Task:
        """A task without the scores of cards whose score is done with; those on offer in one order."""
        wound = self._looks.wound
        if isinstance(task, Strike):
            return task._replace(blow=wound(task.blow, bare=bare))
        if isinstance(task, Hand):
            return task._replace(drawn=tuple(wound(blow, bare=bare) for blow in task.drawn)) if task.drawn else task
        if isinstance(task, Choose):
            cards = sorted((wound(blow, bare=bare) for blow in task.cards), key=self._looks.rank)
            return task._replace(cards=tuple(cards))
        return task

    def _options(self, task: Choose) -> Sequence[int]:
        """The places that the player may choose: the cards are in order of rank."""
        if self._policy == "even":
            return range(len(task.cards))
        return (0,) if self._policy == "best" else (len(task.cards) - 1,)

    # Weights.

    def _weigh(self, place: _Spot | int, deck: int, left: int, level: int) -> int:
        """The weight of what follows, coming from a deck that is looked at so closely."""
        if isinstance(place, int):
            return place * self._lots(deck) if place else 0
        if place.level == _COLOURED and level != _COLOURED:
            deck += self._deck.colours
        deck &= self._deck.keeps[place.level]
        known = place.known.get(deck)
        return self._solve(place, deck, left) if known is None else known

    def _lots(self, deck: int) -> int:
        number = deck >> self._deck.veil
        if not number:
            return 1
        veil = self._veils[number - 1]
        return veil.lots(deck & veil.sign)

    def _solve(self, spot: _Spot, deck: int, left: int) -> int:
        if spot.veiled and not self._lots(deck):
            return 0
        if left == 0 and isinstance(spot.need, CardNeed) and not _is_veiling(spot.agenda[0]):
            raise self._no_cards()
        if self._situations >= MOST_SITUATIONS:
            raise HackjackError(
                f"more than {MOST_SITUATIONS:,} situations would have to be counted: ask for fewer hits, or for "
                "--simulate N, which plays N times and says how far off it may be"
            )
        self._situations += 1
        solve = spot.solve or self._explore(spot)
        weight = spot.known[deck] = solve(spot, deck, left)
        return weight

    def _no_cards(self) -> HackjackError:
        return HackjackError(
            f"the deck would run out: {self.cards_left} cards are left, and what is shuffled back depends on the "
            "whole party; ask for fewer hits"
        )

    def _explore(self, spot: _Spot) -> Callable[[_Spot, int, int], int]:
        """Ask the engine what may follow a situation, once for all decks."""
        task = spot.agenda[0]
        if isinstance(spot.need, RollNeed):
            solve = self._by_roll
        elif isinstance(spot.need, ChoiceNeed):
            solve = self._by_choice
        elif isinstance(spot.need, _TurnNeed) or (spot.level != _COLOURED and _is_veiling(task)):
            spot.hand = self._hand_of(spot)
            solve = self._by_hand
        else:
            self._explore_cards(spot)
            solve = (
                self._by_colour if spot.level == _COLOURED else self._by_veiled_card if spot.veiled else self._by_card
            )
        spot.solve = solve
        return solve

    def _explore_cards(self, spot: _Spot) -> None:
        bare, level, deck = self._is_bare(spot.hits), spot.level, self._deck
        ends: dict[tuple[int, int], int] = {}
        for kind in deck.kinds[level]:
            blow = kind.bare if bare else kind.blow
            repeats = spot.repeats and not self._is_lone_repeat(blow)
            after = self._arrive(self._after(spot.body, spot.agenda, blow), spot.hits, level, repeats, spot.veiled)
            if level == _COLOURED:
                spot.colours.append((kind, after))
            elif isinstance(after, _Spot):
                unit = kind.unit - deck.colours if after.level == _COLOURED else kind.unit
                spot.opens.append((kind.shift, unit, deck.keeps[after.level], after))
            elif after:
                label = 0 if kind.label is None or not spot.veiled else 1 << deck.labels[level][kind.label].shift
                ends[after, label] = ends.get((after, label), 0) | _MASK << kind.shift
        spot.ends = [(mask, weight, label) for (weight, label), mask in ends.items()]

    def _by_card(self, spot: _Spot, deck: int, left: int) -> int:
        total = 0
        for mask, weight, _ in spot.ends:
            total += (deck & mask) % _MASK * weight
        for shift, unit, keep, after in spot.opens:
            count = deck >> shift & _MASK
            if count:
                rest = deck - unit & keep
                known = after.known.get(rest)
                total += count * (self._solve(after, rest, left - 1) if known is None else known)
        return _exactly(total, left)

    def _by_veiled_card(self, spot: _Spot, deck: int, left: int) -> int:
        """The same where cards are dealt last: what ends here is as likely as there are ways to deal them now.

        Summed over the cards that were drawn unseen, the cards of a class that are not among them are as many as the
        class has, each taken out in turn: so counts need no correction, only the ways do.
        """
        veil = self._veils[(deck >> self._deck.veil) - 1]
        sign = deck & veil.sign
        total = 0
        for mask, weight, label in spot.ends:
            count = (deck & mask) % _MASK
            if count:
                total += count * weight * veil.lots(sign - label)
        for shift, unit, keep, after in spot.opens:
            count = deck >> shift & _MASK
            if count:
                rest = deck - unit & keep
                known = after.known.get(rest)
                total += count * (self._solve(after, rest, left - 1) if known is None else known)
        return _exactly(total, left)

    def _by_colour(self, spot: _Spot, deck: int, left: int) -> int:
        """Where red matters: of the cards of a class that nobody has looked at, all are equally likely to be left."""
        total = 0
        for kind, after in spot.colours:
            count = deck >> kind.shift & _MASK
            share = count * self._shades
            if count and kind.both:
                share = share * ((deck & kind.own) % _MASK) // ((deck & kind.both) % _MASK)
            if share:
                total += share * self._weigh(after, deck - kind.unit, left - 1, _COLOURED)
        return _exactly(total, left * self._shades)

    def _by_roll(self, spot: _Spot, deck: int, left: int) -> int:
        assert isinstance(spot.need, RollNeed)
        ways, total = spot.need.dice.faces**spot.need.dice.count, 0
        for rolled, chance in spot.need.dice.chances().items():
            following = self._after(spot.body, spot.agenda, rolled)
            after = self._arrive(following, spot.hits, spot.level, spot.repeats, spot.veiled)
            total += int(chance * ways) * self._weigh(after, deck, left, spot.level)
        return _exactly(total, ways)

    def _by_choice(self, spot: _Spot, deck: int, left: int) -> int:
        task = spot.agenda[0]
        assert isinstance(task, Choose)
        options = self._options(task)
        total = 0
        for place in options:
            following = self._after(spot.body, spot.agenda, place)
            after = self._arrive(following, spot.hits, spot.level, spot.repeats, spot.veiled)
            total += self._weigh(after, deck, left, spot.level)
        return _exactly(total, len(options))

    # Hands of cards that are drawn for their wounds.

    def _by_hand(self, spot: _Spot, deck: int, left: int) -> int:
        hand = spot.hand
        assert hand is not None
        if left < hand.most:
            self._check_hand(spot, hand, deck, left)
        level = min(spot.level, _CLASSED)
        totals: dict[int, int] = {}
        for end, after in spot.outs:
            ways, rest = self._seen(deck, end.seen, level)
            if ways and end.drawn <= left:
                weight = self._weigh(after, self._veiled(rest, end.veil), left - end.drawn, spot.level)
                totals[end.drawn] = totals.get(end.drawn, 0) + end.weight * ways * weight
        most = max(totals, default=0)
        total = sum(weight * math.perm(left - drawn, most - drawn) for drawn, weight in totals.items())
        return _exactly(total, self._luck * math.perm(left, most))

    def _check_hand(self, spot: _Spot, hand: _Hand, deck: int, left: int) -> None:
        """Whether a hand may need a card where there is none."""
        for seen, drawn in hand.needs:
            if len(seen) + len(drawn) == left:
                level = min(spot.level, _CLASSED)
                ways, rest = self._seen(deck, seen, level)
                if ways and self._lots(self._veiled(rest, self._veil_of({drawn: 1}, level))):
                    raise self._no_cards()

    def _seen(self, deck: int, seen: tuple[int, ...], level: int) -> tuple[int, int]:
        """The ways to draw cards of these classes one after the other, and the deck without them."""
        ways, kinds = 1, self._deck.kinds[level]
        for at in seen:
            ways *= deck >> kinds[at].shift & _MASK
            deck -= kinds[at].unit
        return ways, deck

    def _veil_of(self, ways: dict[tuple[int, ...], int], level: int) -> int:
        """The number of a veil; equal ones have the same. 0 is none at all."""
        if len(ways) == 1 and () in ways:
            return 0
        key = (level, frozenset(ways.items()))
        if key not in self._veil_numbers:
            self._veils.append(_Veil(level, ways, self._deck))
            self._veil_numbers[key] = len(self._veils)
        return self._veil_numbers[key]

    def _veiled(self, deck: int, more: int) -> int:
        """A deck of which more cards are dealt last."""
        number = deck >> self._deck.veil
        if not more:
            return deck
        both = self._joined.get((number, more))
        if both is None:
            both = self._joined[number, more] = self._join(number, more) if number else more
        return deck + (both - number << self._deck.veil)

    def _join(self, number: int, more: int) -> int:
        first, second = self._veils[number - 1], self._veils[more - 1]
        ways: dict[tuple[int, ...], int] = {}
        for cards, weight in first.ways.items():
            for others, times in second.ways.items():
                together = tuple(sorted(cards + others))
                ways[together] = ways.get(together, 0) + weight * times
        return self._veil_of(ways, first.level)

    def _hand_of(self, spot: _Spot) -> _Hand:
        """Follow a hand from score and Blood 0, up to the reckoning."""
        stop = next(at for at, task in enumerate(spot.agenda) if isinstance(task, Deal | Total))
        agenda, rest = spot.agenda[:stop], spot.agenda[stop:]
        bare, level = self._is_bare(spot.hits), min(spot.level, _CLASSED)
        body = spot.body._replace(score=0, blood=0, hp=0, low=False, resets=0)
        key = (body, agenda, level, spot.repeats, bare)
        hand = self._hands.get(key)
        if hand is None:
            hand = self._hands[key] = self._follow(body, agenda, level, spot.repeats, bare)
        kinds = self._deck.kinds[level]
        for end in hand.ends:
            ended = end.body._replace(
                score=spot.body.score, blood=spot.body.blood + end.body.blood, hp=spot.body.hp, resets=spot.body.resets
            )
            repeats = spot.repeats and not any(self._is_lone_repeat(kinds[at].blow) for at in end.seen)
            veiled = spot.veiled or end.veil > 0
            after = self._arrive(self._run(ended, (*end.agenda, *rest)), spot.hits, spot.level, repeats, veiled)
            if after:
                spot.outs.append((end, after))
        return hand

    def _is_lone_repeat(self, blow: Blow) -> bool:
        """Whether no repeating card is left when this one is drawn."""
        return blow.repeats and self._repeating == 1

    def _follow(self, body: Body, agenda: Agenda, level: int, repeats: bool, bare: bool) -> _Hand:
        """Sums of ways go from situation to situation; a way is a number with a field for each label drawn."""
        moves = _Moves(self, level, repeats, bare)
        counts = [self._deck.full >> label.shift & _MASK for label in self._deck.labels[level]] or [0]
        steps: dict[int, dict[int, int]] = {moves.number(body, agenda, ()): {0: self._luck}}
        ended: dict[int, dict[int, dict[int, int]]] = {}
        needs: dict[tuple[int, ...], set[int]] = {}
        while steps:
            following: dict[int, dict[int, int]] = {}
            for at, ways in steps.items():
                step = moves.steps[at]
                if step.over:
                    by_count = ended.setdefault(at, {})
                    for way, weight in ways.items():
                        same = by_count.setdefault(_drawn_in(way), {})
                        same[way] = same.get(way, 0) + weight
                    continue
                if isinstance(step.agenda[0], Hand) or _is_face_down(step.agenda[0]):
                    needs.setdefault(step.seen, set()).update(ways)
                for share, of, label, after in moves.after(at):
                    # A label cannot be drawn more often than there are cards that may be it.
                    unit, field = (1 << 4 * label, 15 << 4 * label) if label >= 0 else (0, 0)
                    full = counts[label] * unit
                    sums = following.setdefault(after, {})
                    for way, weight in ways.items():
                        if not unit or way & field < full:
                            sums[way + unit] = sums.get(way + unit, 0) + _exactly(weight * share, of)
            steps = following
        ends = []
        for at, by_count in ended.items():
            step = moves.steps[at]
            for count, ways in by_count.items():
                common = math.gcd(*ways.values())
                veil = self._veil_of({_labels_in(way): weight // common for way, weight in ways.items()}, level)
                ends.append(_End(step.body, step.agenda, step.seen, len(step.seen) + count, common, veil))
        short = {(seen, _labels_in(way)) for seen, ways in needs.items() for way in ways}
        return _Hand(ends, short, max((len(seen) + len(drawn) + 1 for seen, drawn in short), default=0))

    def _answers(
        self, task: Task, level: int, bare: bool, seen: tuple[int, ...]
    ) -> Iterator[tuple[Blow | int, Fraction, int, tuple[int, ...]]]:
        """Every card, total or choice, with its share, the label drawn, and what has been seen then."""
        if isinstance(task, Pour):
            for total, chance in task.dice.chances().items():
                yield total, chance, -1, seen
        elif isinstance(task, Choose) and not _is_face_down(task):
            options = self._options(task)
            for place in options:
                yield place, Fraction(1, len(options)), -1, seen
        else:
            deck, wound = self._deck, self._looks.wound
            for at, label in enumerate(deck.labels[level]):
                yield label.bare if bare else label.blow, Fraction(1), at, seen
            for at, kind in enumerate(deck.kinds[level]):
                if kind.label is None and seen.count(at) < deck.full >> kind.shift & _MASK:
                    yield wound(kind.blow, bare=bare), Fraction(1), -1, tuple(sorted((*seen, at)))


class _Moves:
    def __init__(self, every: _Every, level: int, repeats: bool, bare: bool) -> None:
        self.every, self.level, self.repeats, self.bare = every, level, repeats, bare
        self.steps: list[_Step] = []
        self._numbers: dict[object, int] = {}
        self._after: dict[int, list[tuple[int, int, int, int]]] = {}

    def number(self, body: Body, agenda: Agenda, seen: tuple[int, ...]) -> int:
        every = self.every
        repeats = self.repeats and not any(every._is_lone_repeat(every._deck.kinds[self.level][at].blow) for at in seen)
        body = every._tidy(body, agenda, bare=self.bare, repeats=repeats)
        if self.bare and body.blood:
            body = body._replace(blood=0)
        key = (body, every._tidy_agenda(agenda, self.bare), seen)
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self.steps)
            over = not agenda or (isinstance(agenda[0], Deal | Hand) and (_reddens(body) or not _is_veiling(agenda[0])))
            self.steps.append(_Step(*key, over))
        return number

    def after(self, at: int) -> list[tuple[int, int, int, int]]:
        known = self._after.get(at)
        if known is None:
            body, agenda, seen, _ = self.steps[at]
            known = self._after[at] = []
            for answer, share, unit, then in self.every._answers(agenda[0], self.level, self.bare, seen):
                after, rest, _ = self.every._after(body, agenda, answer)
                known.append((share.numerator, share.denominator, unit, self.number(after, rest, then)))
        return known


def _drawn_in(way: int) -> int:
    count = 0
    while way:
        count += way & 15
        way >>= 4
    return count


def _labels_in(way: int) -> tuple[int, ...]:
    labels: list[int] = []
    at = 0
    while way:
        labels += [at] * (way & 15)
        way >>= 4
        at += 1
    return tuple(labels)


def _check(state: State, event: Event) -> None:
    if state.dead:
        raise HackjackError("the character is dead: there is nothing left to count")
    if event.name not in COUNTED_EVENTS:
        raise HackjackError(f"{event.name} has no odds: ask for {', '.join(COUNTED_EVENTS)}")


def _cards_of(system: System, state: State) -> tuple[list[Blow], Body]:
    """The cards left in the deck, and where the count starts."""
    blows, drawn = harm.blows_of(system), set(state.drawn)
    cards = [blows[code] for code in harm.deck_of(system) if code not in drawn]
    return cards, harm.body_of(state, system)


def _is_veiling(task: Task) -> bool:
    """Whether cards are drawn for their wounds only."""
    return isinstance(task, Hand) and not task.score


def _is_face_down(task: Task) -> bool:
    """Whether a task waits for a card to be turned up."""
    if isinstance(task, Choose):
        return _FACE_DOWN in task.cards
    return isinstance(task, Strike) and task.blow is _FACE_DOWN


def _turned(task: Task, blow: Blow) -> Task:
    """A task with its first card turned up."""
    if isinstance(task, Choose):
        at = task.cards.index(_FACE_DOWN)
        return task._replace(cards=(*task.cards[:at], blow, *task.cards[at + 1 :]))
    assert isinstance(task, Strike)
    return task._replace(blow=blow)


def _reddens(body: Body) -> bool:
    """Whether red cards matter now (H21)."""
    return any(trigger.event == "red_card" for trigger in body.triggers)


def _awaits_repeat(agenda: Agenda) -> bool:
    """Whether a card that repeats the last wound has been drawn and not yet applied."""
    for task in agenda:
        if isinstance(task, Strike) and task.blow.repeats:
            return True
        cards = task.drawn if isinstance(task, Hand) else task.cards if isinstance(task, Choose) else ()
        if any(blow.repeats for blow in cards):
            return True
    return False


def _exactly(value: int, divisor: int) -> int:
    whole, rest = divmod(value, divisor)
    if rest:
        raise ArithmeticError("the common denominator does not divide: exact odds would be rounded")
    return whole


# The common denominator: one factor for each card, die and choice that may come.


def _again(pool: Sequence[Blow]) -> int:
    """How often a wound may be applied at most."""
    return 1 + sum(effect.times + 1 for blow in pool for effect in blow.counted if isinstance(effect, Repeat))


def _most_draws(pool: Sequence[Blow], hits: int) -> int:
    """The most cards that so many draws for a hit may draw in all."""
    effects = [effect for blow in pool for effect in blow.counted]
    more = sum(effect.cards for effect in effects if isinstance(effect, Draw))
    return hits + _again(pool) * more + sum(effect.draw for effect in effects if isinstance(effect, Repeat))


def _luck_in(pool: Sequence[Blow]) -> int:
    """The part of dice and choices."""
    again, luck = _again(pool), 1
    for blow in pool:
        if blow.blood and not blow.blood.is_number:
            luck *= blow.blood.faces ** (blow.blood.count * again)
        for effect in blow.counted:
            if isinstance(effect, Draw) and effect.keep == "choose_one":
                luck *= effect.cards**again
    return luck
