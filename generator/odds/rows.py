"""Exact chances of hits in a row: the outlines of hit after hit, and in how many ways a deck fills their blanks.

What one hit leaves behind is a spot: all that the next one depends on but the cards that were drawn. To each spot lead
lots, which say what was drawn, most of it blank. The death-score of a spot is that of the cards known by name; what
blanks add is found in the end, for all hits at once. So it is not known on the way when the death-score comes to the
limit: every hit is followed both as one in which it does and starts anew, and as one in which it does not, and only
those fillings are counted later that make it true.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import lcm
from typing import NamedTuple

from generator.engine import counting, harm
from generator.engine.counting import Agenda, Blow, Body, Deal, Rules
from generator.engine.harm import Event
from generator.odds.blanks import Asked, Blanks
from generator.odds.looks import Look
from generator.odds.marks import Blank, Lots, NotBlankError, Part, Simple, Under, Veil, Veils
from generator.odds.outlines import Last, Outlines, kinds_of, poured_by
from generator.odds.ways import Policy, flows, most_drawn, parted, reds_score, too_many

MOST_LOTS = 120_000
"""Beyond so many in one hit an exact answer is refused rather than cut short."""


class _Spot(NamedTuple):
    """Where a hit needs luck.

    `repeats`: whether a card that repeats a wound is drawn in it; to those alone the last wound is known. `closed`:
    what stood in each stretch that is over, without its blanks. `last`: the blanks whose wound came last, if they did.
    """

    body: Body
    agenda: Agenda
    gone: int
    repeats: bool
    closed: tuple[int, ...]
    last: Blank | Under | None


_Decks = dict[int, int]
"""Lots, with their weights."""

_Level = dict[_Spot, _Decks]
"""By spot the lots that lead there. Weights are shares of a whole that all spots have in common."""


def alive_after(
    cards: Sequence[Blow], start: Body, event: Event, rules: Rules, policy: Policy, hits: int
) -> list[Fraction] | None:
    """The chance to live after 1, 2 ... `hits` events, or None where it cannot be counted in this way.

    Raises HackjackError where it is too large.
    """
    if not _suits(cards, start, event, rules, hits):
        return None
    # Counting makes no cycles while it goes on, and to look for some takes a seventh of the time.
    collects = gc.isenabled()
    gc.disable()
    try:
        return _Row(cards, start, event, rules, policy).alive(hits)
    except NotBlankError:
        return None
    finally:
        if collects:
            gc.enable()


def _suits(cards: Sequence[Blow], start: Body, event: Event, rules: Rules, hits: int) -> bool:
    """Whether each hit is judged once and adds something, the deck cannot run out, and being red brings Blood alone.

    Without cards that make one draw more, cards are told apart faster than they are left blank.
    """
    draws, drawn = most_drawn(cards)
    # Above 0 HP a hit may draw fewer cards than the later ones do.
    deals, later = (
        sum(isinstance(task, Deal) for task in harm.opening(body, event, rules)[1])
        for body in (start, start._replace(hp=0))
    )
    return (
        draws > 0
        and not rules.every_step
        and not reds_score(cards, start)
        and bool(deals)
        and all(card.score > 0 and not card.spares for card in cards)
        and all(card.blood is None or card.blood.least >= 0 for card in cards)
        and hits * max(deals, later) + drawn <= len(cards)
    )


class _Row:
    """The same event again and again. Raises NotBlankError where cards cannot be left blank."""

    def __init__(self, cards: Sequence[Blow], start: Body, event: Event, rules: Rules, policy: Policy) -> None:
        self._event, self._rules, self._start = event, rules, start
        near = Look(cards, bare=not flows(start, event, rules), anew=rules.anew)
        far = Look(cards, bare=True)
        self._lots, self._all_lots = Lots(), Lots()
        self._veils = Veils({kind.place: poured_by(kind.blow, rules) for kind in kinds_of(near, far)})
        self._near = Outlines(cards, near, near, self._lots, self._veils, rules, policy)
        self._far = Outlines(cards, far, near, self._lots, self._veils, rules, policy)
        self._blanks = Blanks(cards, near, far, self._all_lots, rules.limit)

    def alive(self, hits: int) -> list[Fraction]:
        """The chance to live after 1, 2 ... `hits` events."""
        level: _Level = {spot: {0: 1} for spot in self._arrive(self._start, 0, (False, True), (), None)}
        levels, wholes = [level], [1]
        # All the way first: what is too large is refused before anything is counted.
        for _ in range(1, hits):
            level, whole = self._moved(level)
            levels.append(level)
            wholes.append(wholes[-1] * whole)
        asked = [self._asked(level) for level in levels]
        return [
            self._blanks.chance(lots) / (whole * common) for (lots, common), whole in zip(asked, wholes, strict=True)
        ]

    # --- spots -----------------------------------------------------------------------------------------------------

    def _arrive(
        self, body: Body, gone: int, repeats: Sequence[bool], closed: tuple[int, ...], last: Blank | Under | None
    ) -> Iterator[_Spot]:
        """The event begins once more: where it needs luck, or nowhere when nobody can live through it."""
        body, agenda = harm.opening(body._replace(resets=0), self._event, self._rules)
        body, agenda, _ = counting.proceed(body, agenda, self._rules)
        body = self._near.tidy(body, gone, awaited=Last.NEXT)
        if body.dead:
            return
        for repeating in repeats:
            if not repeating:
                yield _Spot(body._replace(last=None), agenda, gone, repeating, closed, None)
            elif self._near.spent(gone):
                yield _Spot(body, agenda, gone, repeating, closed, last)

    def _onward(self, spot: _Spot) -> tuple[int, _Level]:
        """What may follow a spot, in shares of a whole."""
        agenda, rest = parted(spot.agenda)
        # Who says that no card repeats a wound leaves such cards out, as if they were gone.
        said = 0 if spot.repeats else self._near.spent(spot.gone)
        found = {
            asking: self._near.ways(spot.body, agenda, spot.gone + said, self._rules.limit, asking)
            for asking in ((Last.NOBODY, Last.NEXT) if said else (Last.NOBODY,))
        }
        whole = lcm(*(ways.whole for ways in found.values()))
        after: _Level = {}
        for asking, ways in found.items():
            repeats = (False, True) if spot.repeats else (asking is Last.NEXT,)
            for end, lots in ways.ends.items():
                gone = end.gone - said
                if spot.repeats and self._near.spent(gone) == self._near.spent(spot.gone):
                    continue
                for body, closed in self._reckoned(end.body, spot, rest):
                    for repeating in repeats:
                        for lot, weight in lots.items():
                            target, added = self._target(spot, body, gone, repeating, closed, lot)
                            if target is not None:
                                decks = after.setdefault(target, {})
                                decks[added] = decks.get(added, 0) + weight * (whole // ways.whole)
        return whole, after

    def _reckoned(self, body: Body, spot: _Spot, rest: Agenda) -> Iterator[tuple[Body, tuple[int, ...]]]:
        """A hit's end as one below the limit, and as one that came to it: the engine starts the death-score anew."""
        below, _, _ = counting.proceed(body._replace(score=0), rest, self._rules)
        yield below._replace(score=below.score + body.score), spot.closed
        if rest:
            anew, _, _ = counting.proceed(body._replace(score=self._rules.limit), rest, self._rules)
            yield anew, (*spot.closed, body.score)

    def _target(
        self, spot: _Spot, body: Body, gone: int, repeating: bool, closed: tuple[int, ...], lot: int
    ) -> tuple[_Spot | None, int]:
        """Where a lot leads, and what it is among the lots of all hits."""
        here, there = len(spot.closed), len(closed)
        added, last = self._placed(lot, spot.last, here, there, body.last if repeating else None)
        if last is not None:
            body = body._replace(last=self._near.old)
        return next(self._arrive(body, gone, (repeating,), closed, last), None), added

    # --- lots ------------------------------------------------------------------------------------------------------

    def _placed(
        self, lot: int, before: Blank | Under | None, here: int, there: int, last: Blow | None, *, afar: bool = False
    ) -> tuple[int, Blank | Under | None]:
        """A lot of one hit among those of all, and the blanks that leave the last wound behind, if they do.

        `before`: the ones that did so before the hit. `here` is the stretch of its scores, `there` that of its Blood.
        """
        found, unit = 0, self._all_lots.unit
        old, behind = before, self._near.mark_of(last)
        for mark, count in self._lots.marks(lot):
            if mark is Simple.AGAIN:
                for _ in range(count):
                    old = self._poured_again(old, there)
            elif isinstance(mark, Part):
                found += count * unit(_blank(mark, here, there, afar))
            elif isinstance(mark, Veil):
                # Nobody asks any more for the last wound in other veils.
                kept = mark is behind
                found += unit(Under(mark, (there,))) if kept else 0
                found += (count - kept) * unit(Under(self._veils.forgotten(mark), (there,)))
            else:
                found += count * unit(mark)
        stays = last is not None and last is self._near.old
        if isinstance(old, Under) and not stays:
            old = old._replace(veil=self._veils.forgotten(old.veil))
        if old != before:
            found += unit(old) - unit(before)
        if stays:
            return found, old
        if isinstance(behind, Part):
            return found, _blank(behind, here, there, afar)
        return found, Under(behind, (there,)) if behind is not None else None

    def _poured_again(self, mark: Blank | Under | None, there: int) -> Blank | Under:
        """Blanks whose last wound is repeated: its Blood is poured once more."""
        if isinstance(mark, Under):
            veil = self._veils.again(mark.veil)
            if there in mark.stretches:
                return mark._replace(veil=self._veils.together(veil, mark.stretches.index(there), len(mark.stretches)))
            return Under(veil, (*mark.stretches, there))
        assert mark is not None
        pours = dict(mark.pours)
        pours[there] = pours.get(there, 0) + 1
        return mark._replace(pours=tuple(sorted(pours.items())))

    # --- levels ----------------------------------------------------------------------------------------------------

    def _moved(self, level: _Level) -> tuple[_Level, int]:
        """One hit further, and the factor of the common whole."""
        onward = {spot: self._onward(spot) for spot in level}
        common = lcm(*(whole for whole, _ in onward.values()))
        span, limit = self._blanks.span, self._rules.limit
        after: _Level = {}
        for spot, decks in level.items():
            whole, targets = onward[spot]
            here = len(spot.closed)
            for target, lots in targets.items():
                reset = len(target.closed) > here
                score = target.closed[here] if reset else target.body.score
                found: _Decks = {}
                for lot, share in lots.items():
                    low, high = span(lot).get(here, (0, 0))
                    for deck, weight in decks.items():
                        least, most = span(deck).get(here, (0, 0))
                        # What blanks add cannot make it true; the next hit adds 1 at the least.
                        if score + low + least > limit - (not reset) or (reset and score + high + most < limit):
                            continue
                        found[deck + lot] = found.get(deck + lot, 0) + weight * share * (common // whole)
                if found:
                    _add(after.setdefault(target, {}), found)
            _check(sum(map(len, after.values())))
        return after, common

    def _asked(self, level: _Level) -> tuple[Asked, int]:
        """The lots to live through one more hit, the last, and the whole that their weights are shares of."""
        ends = {spot: self._finished(spot) for spot in level}
        common = lcm(*(whole for whole, _ in ends.values()))
        found: dict[int, dict[tuple[int, ...], int]] = {}
        for spot, decks in level.items():
            whole, by_score = ends[spot]
            here, span = len(spot.closed), self._blanks.span
            for score, lots in by_score.items():
                sums = (*spot.closed, score)
                for lot, share in lots.items():
                    low = score + span(lot).get(here, (0, 0))[0]
                    for deck, weight in decks.items():
                        if low + span(deck).get(here, (0, 0))[0] <= self._rules.limit:
                            asked = found.setdefault(deck + lot, {})
                            asked[sums] = asked.get(sums, 0) + weight * share * (common // whole)
            _check(len(found))
        return found, common

    def _finished(self, spot: _Spot) -> tuple[int, Mapping[int, _Decks]]:
        """The ways to live through a last hit: the lots, by what stands in the last stretch without their blanks."""
        agenda, _ = parted(spot.agenda)
        said = 0 if spot.repeats else self._far.spent(spot.gone)
        last = self._far.old if spot.body.last is self._near.old else spot.body.last
        body = self._far.tidy(spot.body._replace(last=last), spot.gone)
        ways = self._far.ways(body, agenda, spot.gone + said, self._rules.limit)
        here = len(spot.closed)
        found: dict[int, _Decks] = {}
        for end, lots in ways.ends.items():
            if spot.repeats and self._far.spent(end.gone) == self._far.spent(spot.gone):
                continue
            decks = found.setdefault(end.body.score, {})
            for lot, weight in lots.items():
                placed, _ = self._placed(lot, spot.last, here, here, None, afar=True)
                decks[placed] = decks.get(placed, 0) + weight
        return ways.whole, found


def _check(lots: int) -> None:
    """Raise HackjackError where there are too many lots."""
    if lots > MOST_LOTS:
        raise too_many(MOST_LOTS, "kinds of courses")


def _add(decks: _Decks, more: Mapping[int, int]) -> None:
    for lot, weight in more.items():
        decks[lot] = decks.get(lot, 0) + weight


def _blank(part: Part, here: int, there: int, afar: bool) -> Blank:
    """A blank of one hit among those of all: its score is added in one stretch, its Blood in that of the next hit."""
    return Blank(
        ((here, part.score),) if part.score else (),
        ((there, part.pours),) if part.pours else (),
        ((there, part.reds),) if part.reds else (),
        part.kind,
        afar,
    )
