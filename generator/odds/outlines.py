"""Every way in which a hit can go, with the cards that only score and bleed left blank.

Most cards do nothing but score and bring Blood. How a hit goes on does not depend on which of them is drawn, so such a
card stays blank: an outline says what becomes of it (how often its score counts, how often its Blood is poured), and
`blanks` counts afterwards in how many ways the deck fills all blanks of several hits at once. Cards that act are drawn
by name. There are few of these, and so there are few outlines, however many cards the deck has.

The engine runs on blanks as on any card. A blank's score and Blood are numbers so large that no sum of real ones
reaches them; what the engine adds up is read off in the end. Where an answer depends on which cards lie face down (a
wound is chosen, the lowest Blood counts) they stay blank as a `Veil`: all that they may be, with the Blood of each.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from enum import IntEnum
from functools import cache
from itertools import product
from math import lcm

from generator.chance import RollNeed
from generator.dice import Dice
from generator.engine import counting
from generator.engine.counting import Agenda, Blow, Body, Choose, Compare, Hand, Pour, Rules, Strike, Task
from generator.errors import HackjackError
from generator.odds.looks import Look, Wound
from generator.odds.marks import NO_WOUND, Acting, Laid, Lots, Lying, NotBlankError, Part, Simple, Veil, Veils
from generator.odds.ways import DEAD, Answer, End, Gone, Policy, Ways, awaits_repeat, options, rolls, still_waiting

MOST_OUTLINES = 400_000
"""Beyond so many an exact answer is refused rather than cut short."""
_MOST_BLANK = 3
"""Of so many cards face down at once every one is tried."""

_POINT = 1 << 40
"""One score of a blank; no sum of real scores or Blood comes so far."""
_POUR = 1 << 40
_AGAIN = 1 << 48
_VEIL = 1 << 56


class Last(IntEnum):
    """Who asks for the last wound, besides cards that may still be drawn in this hit."""

    NOBODY = 0
    NEXT = 1
    """The next hit."""
    NOW = 2
    """A card of this hit, among wounds that are compared perhaps."""


class Outlines:
    """The outlines of hits under one look; `near` is the close one. From afar nobody looks at Blood.

    A lot of an outline counts `Mark`s. Its ways are shares of `Ways.whole`, for each way to deal what it counts.
    """

    def __init__(
        self, cards: Sequence[Blow], look: Look, near: Look, lots: Lots, veils: Veils, rules: Rules, policy: Policy
    ) -> None:
        self._look, self._rules, self._policy = look, rules, policy
        self._lots, self._veils = lots, veils
        self._held = Gone(cards, near).of(look)
        self._kinds = kinds_of(near, look)
        if not self._kinds:
            raise NotBlankError
        # From afar all blanks leave the same behind.
        self._any = look.wound(self._kinds[0].card).blow
        self._faces = sorted(
            {(look.wound(card), card.score, card.red) for card in cards if look.wound(card).acts}, key=_order
        )
        self._named: dict[tuple[Wound, int, bool], Blow] = {}
        self._wound_blows = {wound.blow: wound.blow for wound in look.wounds}
        self._ranks = {wound.blow: near.wound(wound.card).place for wound in look.wounds}
        for wound, score, red in self._faces:
            for key in ((wound, score, red), (wound, 0, red)):
                blow = self._named[key] = replace(wound.blow, score=key[1], red=red)
                self._wound_blows[blow] = wound.blow
        self._fresh = _blank(score=_POINT, blood=_POUR)
        self.old = self._any if look.bare else _blank(blood=_AGAIN)
        self._part_of: dict[Blow, Part | None] = {self.old: None}
        self._reds_of: dict[Blow, int] = {}
        self._numbered: list[Veil] = []
        self._veil_of: dict[Blow, tuple[Veil, Blow | None]] = {}
        self._left_by: dict[Blow, Veil] = {}
        self._known: dict[tuple[Body, Agenda, int, Last], tuple[int, Ways]] = {}
        self._behind, self._keep, self._lie = cache(self._wound_behind), cache(self._kept_part), cache(self._lying)
        self._veil, self._number = cache(self._veiled), cache(self._numbered_veil)
        self._lower = cache(self._lowered)
        self._compared = cache(self._compare)
        self._outlines = 0

    # --- what does not matter --------------------------------------------------------------------------------------

    def tidy(self, body: Body, gone: int, agenda: Agenda = (), awaited: Last = Last.NOBODY) -> Body:
        """A body without what cannot matter any more. `awaited`: who asks for the last wound."""
        if body.dead or body.score > self._rules.limit:
            return DEAD
        bare, last = self._look.bare, body.last
        if last is not None:
            last = self._wound_blows.get(last, last) if self._repeats(gone, agenda, awaited) else None
        blood, triggers = 0 if bare else body.blood, still_waiting(body, self._look)
        return body._replace(blood=blood, trauma=0, last=last, triggers=triggers, wounds=())

    def spent(self, gone: int) -> int:
        """What to add to what is gone, as if every card had left the deck that repeats a wound."""
        return self._held.repeating(gone)

    def _repeats(self, gone: int, agenda: Agenda, awaited: Last) -> bool:
        return bool(awaited) or bool(self.spent(gone)) or awaits_repeat(agenda)

    def _plain(self, task: Task) -> Task:
        """A task without the scores of cards whose score is done with; where the order is all one, in one order."""
        if isinstance(task, Strike):
            return task._replace(blow=self._wound_blows.get(task.blow, task.blow))
        if isinstance(task, Hand) and task.drawn:
            return task._replace(drawn=self._bared(task.drawn, ordered=task.choose))
        if isinstance(task, Choose):
            return task._replace(cards=self._bared(task.cards, ordered=True))
        return task

    def _bared(self, blows: tuple[Blow, ...], *, ordered: bool) -> tuple[Blow, ...]:
        bared = (self._wound_blows.get(blow, blow) for blow in blows)
        return tuple(sorted(bared, key=lambda blow: self._ranks.get(blow, -1))) if ordered else tuple(bared)

    # --- ways ------------------------------------------------------------------------------------------------------

    def ways(self, body: Body, agenda: Agenda, gone: int, room: int, awaited: Last = Last.NOBODY) -> Ways:
        """All ways through an agenda, each task followed from 0 and added up. `room`: what one may score and live."""
        gone &= self._held.mask
        room -= body.score
        if room < 0:
            return _LOST
        if len(agenda) > 1:
            start = body._replace(score=0, blood=0)
            return _added(body, (), self._followed(start, agenda, gone, room, awaited))
        # A comparison takes its own offers and hands on to the one below; anything else only adds to the last.
        below = body.offers
        offers: tuple[_Offer, ...] = (_NOTHING,) if below else ()
        if agenda and isinstance(agenda[0], Compare):
            below = body.offers[:-1]
            offers = ((_NOTHING,) if below else ()) + body.offers[-1:]
        start = body._replace(score=0, blood=0, offers=offers)
        return _added(body, below, self._followed(start, agenda, gone, room, awaited))

    def _followed(self, body: Body, agenda: Agenda, gone: int, room: int, awaited: Last) -> Ways:
        """The same, known already where it was asked for with as much room or more."""
        key = (body, agenda, gone, awaited)
        known = self._known.get(key)
        if known is None or known[0] < room:
            follow = self._task_by_task if len(agenda) > 1 else self._follow
            ways = follow(body, agenda, gone, room, awaited)
            known = self._known[key] = (room, ways)
            self._outlines += sum(map(len, ways.ends.values()))
            if self._outlines > MOST_OUTLINES:
                raise HackjackError(
                    f"more than {MOST_OUTLINES:,} ways of one hit would have to be counted: ask for fewer hits, or for "
                    "--simulate N"
                )
        return known[1]

    def _follow(self, body: Body, agenda: Agenda, gone: int, room: int, awaited: Last) -> Ways:
        if agenda and isinstance(agenda[0], Compare):
            body = self._veiled_offers(body)
        before = body
        body, rest, need = counting.proceed(body, agenda, self._rules)
        body, unit = self._read_off(body, before, agenda)
        body = self.tidy(body, gone, rest, awaited)
        if body.dead or body.score > room:
            return _LOST
        if need is None:
            return Ways(1, {End(body, gone): {unit: 1}})
        if len(rest) > 1:
            found = self.ways(body, rest, gone, room, awaited)
        else:
            found = self._answered(body, rest[0], gone, room, awaited)
        return _shifted(found, unit) if unit else found

    def _task_by_task(self, body: Body, agenda: Agenda, gone: int, room: int, awaited: Last) -> Ways:
        asking = Last.NOW if awaits_repeat(agenda[1:]) else awaited
        head = self.ways(body, agenda[:1], gone, room, asking)
        ends = [(end, lots) for end, lots in head.ends.items() if not end.body.dead and end.body.score <= room]
        rests = [self.ways(end.body, agenda[1:], end.gone, room, awaited) for end, _ in ends]
        common = lcm(*(rest.whole for rest in rests))
        found = Ways(head.whole * common, {})
        for (_, lots), rest in zip(ends, rests, strict=True):
            times = common // rest.whole
            for after, more in rest.ends.items():
                if not after.body.dead and after.body.score <= room:
                    found.add(
                        after,
                        (
                            (lot + other, weight * share * times)
                            for lot, weight in lots.items()
                            for other, share in more.items()
                        ),
                    )
        return found

    def _answered(self, body: Body, task: Task, gone: int, room: int, awaited: Last) -> Ways:
        """What follows a need, by everything that may answer it."""
        shares, answers = self._answers(body, task, gone, awaited)
        following = [self.ways(answer.body, answer.agenda, answer.gone, room, awaited) for answer in answers]
        common = lcm(*(ways.whole for ways in following))
        found = Ways(common * shares, {})
        for answer, ways in zip(answers, following, strict=True):
            times = answer.share * (common // ways.whole)
            for end, lots in ways.ends.items():
                if not end.body.dead and end.body.score <= room:
                    found.add(end, ((lot + answer.unit, weight * times) for lot, weight in lots.items()))
        return found

    # --- what blanks have done -------------------------------------------------------------------------------------

    def _read_off(self, body: Body, before: Body, agenda: Agenda) -> tuple[Body, int]:
        """What a task has made of blanks that were known before: the body without it, and what lots count for it."""
        unit, last = 0, body.last
        task = agenda[0] if agenda else None
        if any(_POUR <= blood < _VEIL for offer, _ in body.offers for blood in offer):
            raise NotBlankError
        if again := body.blood % _VEIL // _AGAIN:
            # The wound is struck at once, or after what the card that repeats it has poured itself.
            struck = task.blow if isinstance(task, Strike) and task.blow.blood is not None else None
            struck = struck if struck in self._part_of or struck in self._left_by else before.last
            assert struck is not None
            unit, after = self._again(struck, again)
            last = after if last is struck else last
        if number := body.blood // _VEIL:
            unit += self._lots.unit(self._numbered[number - 1])
        elif isinstance(task, Strike) and task.blow in self._veil_of and task.pools == "none":
            dry = self._veils.dry(self._veil_of[task.blow][0])
            unit += self._lots.unit(dry)
            last = self._behind(dry) if last is task.blow and self._veil_of[task.blow][1] is None else last
        elif isinstance(task, Compare) and task.outer == "none":
            for veil in self._offered(before):
                dry = self._veils.dry(veil)
                unit += self._lots.unit(dry)
                last = self._behind(dry) if last is self._behind(veil) else last
        if last in self._veil_of:
            veil, known = self._veil_of[last]
            last = self._behind(veil) if known is None else known
        return body._replace(blood=body.blood % _POUR, last=last), unit

    def _again(self, last: Blow, times: int) -> tuple[int, Blow]:
        """The last wound's Blood is poured again: what that changes in the lots, and what stands for the wound then."""
        veil = self._left_by.get(last)
        if veil is not None:
            after = veil
            for _ in range(times):
                after = self._veils.again(after)
                after = self._veils.together(after, 0, 1)
            return self._lots.unit(after) - self._lots.unit(veil), self._behind(after)
        part = self._part_of[last]
        if part is None:
            return times * self._lots.unit(Simple.AGAIN), last
        poured = part._replace(pours=part.pours + times)
        return self._lots.unit(poured) - self._lots.unit(part), self._keep(poured)

    def _wound_behind(self, veil: Veil) -> Blow:
        """The wound that a veil leaves behind as the last, to be repeated."""
        blow = _blank(blood=_AGAIN)
        self._left_by[blow] = veil
        return blow

    def _kept_part(self, part: Part) -> Blow:
        """What stands for a blank that was drawn for its score, when its wound is repeated."""
        blow = _blank(blood=_AGAIN)
        self._part_of[blow] = part
        return blow

    def mark_of(self, blow: Blow | None) -> Part | Veil | None:
        """The blank that a body's last wound stands for, if it is one of the hit's own."""
        return None if blow is None else self._left_by.get(blow) or self._part_of.get(blow)

    def _veiled(self, veil: Veil, last: Blow | None) -> Blow:
        """What stands for blanks that lie face down; `last` is the wound that they leave behind, where it is known."""
        blow = _blank(blood=self._number(veil))
        self._veil_of[blow] = (veil, last)
        return blow

    def _numbered_veil(self, veil: Veil) -> int:
        """What a veil pours or offers."""
        self._numbered.append(veil)
        return len(self._numbered) * _VEIL

    def _offered(self, body: Body) -> list[Veil]:
        """The veils among what will be compared."""
        return [self._numbered[blood // _VEIL - 1] for blood in body.offers[-1][0] if blood >= _VEIL]

    def _veiled_offers(self, body: Body) -> Body:
        """A comparison with all that is offered in one veil: the engine compares whatever the blanks may have."""
        veils = self._offered(body)
        if not veils:
            return body
        offered, trauma = body.offers[-1]
        known = [blood for blood in offered if blood < _VEIL]
        found = self._veils.of([(Laid((), (min(known),) if known else ()), 1)], 1)
        last = self._left_by.get(body.last) if body.last is not None else None
        for veil in veils:
            found = self._lower(found, veil if veil is last else self._veils.forgotten(veil))
            # Of two that are the same one alone is the last.
            last = None if veil is last else last
        left = self._behind(found) if body.last in self._left_by and last is None else body.last
        return body._replace(offers=(*body.offers[:-1], ((self._number(found),), trauma)), last=left)

    def _lowered(self, first: Veil, second: Veil) -> Veil:
        return self._veils.of(
            (
                (
                    Laid(
                        tuple(sorted((*one.cards, *two.cards))),
                        self._compared(one.poured, two.poured),
                        max(one.last, two.last),
                    ),
                    weight * share,
                )
                for one, weight in first.parts
                for two, share in second.parts
            ),
            first.whole * second.whole,
        )

    def _compare(self, first: tuple[int, ...], second: tuple[int, ...]) -> tuple[int, ...]:
        """What the engine makes of two offers, either of which may be missing."""
        if not first or not second:
            return first or second
        body = Body(offers=(((*first, *second), ()),))
        return (counting.proceed(body, (Compare("direct"),), self._rules)[0].blood,)

    # --- answers ---------------------------------------------------------------------------------------------------

    def _answers(self, body: Body, task: Task, gone: int, awaited: Last) -> tuple[int, list[Answer]]:
        """Every card, total or choice that may answer a need, and the whole of their shares."""
        if isinstance(task, Pour):
            return task.dice.faces**task.dice.count, [*rolls(body, task, gone)]
        if isinstance(task, Choose):
            asking = self._asking(gone, awaited)
            places = options(task, self._policy)
            return len(places), [answer for place in places for answer in self._chosen(body, task, gone, place, asking)]
        if isinstance(task, Hand) and not task.score:
            return 1, list(self._face_down(body, task, gone, awaited))
        return 1, list(self._scored(body, task, gone, awaited))

    def _asking(self, gone: int, awaited: Last) -> Last:
        """Who asks for a wound that is struck now. What comes later in a hit pours nothing but by the next hit."""
        if self._look.bare:
            return Last.NOBODY
        return awaited or (Last.NEXT if self.spent(gone) else Last.NOBODY)

    def _chosen(self, body: Body, task: Choose, gone: int, place: int, asking: Last) -> Iterator[Answer]:
        """A place chosen among cards, some of them blank. `asking`: who asks what wound it is."""
        blanks = [blow for blow in task.cards if blow in self._reds_of]
        if not blanks:
            yield Answer(*self._taken(body, task, place), gone)
            return
        if len(blanks) > _MOST_BLANK:
            raise NotBlankError
        found: dict[tuple[Blow | None, bool], list[tuple[Laid, int]]] = {}
        poured = {kind: poured_by(kind.blow, self._rules) for kind in self._kinds}
        whole = lcm(*(parts[0][2] for parts in poured.values()))
        others = [(self._ranks[blow], -1, blow) for blow in task.cards if blow not in self._reds_of]
        for kinds in product(self._kinds, repeat=len(blanks)):
            cards = tuple(
                sorted(Lying(kind.place, self._reds_of[blow]) for kind, blow in zip(kinds, blanks, strict=True))
            )
            lying = [(kind.place, at, kind.blow) for at, kind in enumerate(kinds)]
            _, at, blow = sorted([*others, *lying], key=lambda item: item[:2])[place]
            if at < 0:
                found.setdefault((blow, False), []).append((Laid(cards, ()), whole))
                continue
            parts = found.setdefault((blow if asking is Last.NOW else None, True), [])
            last = kinds[at].place if asking is Last.NEXT else NO_WOUND
            for blood, share, of in poured[kinds[at]]:
                parts.append((Laid(cards, blood, last), share * (whole // of)))
        for (chosen, is_blank), parts in found.items():
            veil = self._veils.of(parts, whole)
            if is_blank and self._look.bare and self._is_any(veil):
                yield Answer(*self._taken(body, task, 0, self._any), gone, unit=self._unit_of(veil))
            elif is_blank:
                yield Answer(*self._taken(body, task, 0, self._veil(veil, chosen)), gone)
            else:
                assert chosen is not None
                yield Answer(*self._taken(body, task, 0, chosen), gone, unit=self._unit_of(veil))

    def _unit_of(self, veil: Veil) -> int:
        """Cards that nothing is poured for."""
        return (
            veil.size * self._lots.unit(Simple.FREE)
            if self._look.bare and self._is_any(veil)
            else self._lots.unit(self._veils.dry(veil))
        )

    def _is_any(self, veil: Veil) -> bool:
        """Whether the cards of a veil may be any blanks."""
        total: int = sum(weight for _, weight in veil.parts)
        return bool(total == veil.whole * len(self._kinds) ** veil.size)

    def _taken(self, body: Body, task: Choose, place: int, blow: Blow | None = None) -> tuple[Body, Agenda]:
        return counting.take_choice(body, (task if blow is None else task._replace(cards=(blow,)),), place)

    def _scored(self, body: Body, task: Task, gone: int, awaited: Last) -> Iterator[Answer]:
        """Cards drawn for their score: those that act by name, and a blank."""
        if isinstance(task, Hand) and (task.cards > 1 or task.choose or task.pools == "compared"):
            raise NotBlankError
        for wound, score, red in self._faces:
            left = self._held.gone_with(gone, wound)
            if left is not None:
                after, agenda = counting.take_card(body, (task,), self._named[wound, score, red], self._rules)
                unit = self._lots.unit(Acting(self._ranks[wound.blow], red, score))
                yield Answer(after, tuple(map(self._plain, agenda)), left, unit=unit)
        start = body._replace(score=0, blood=0)
        bare, reds = self._look.bare, 0 if self._look.bare else counting.red_blood(body)
        # What is repeated among wounds that are compared must be known.
        for kind in self._kinds if awaited is Last.NOW and body.offers and not bare else (None,):
            blow = self._fresh if kind is None else replace(kind.blow, score=_POINT)
            after, agenda = counting.take_card(start, (task,), blow, self._rules)
            part = Part(after.score // _POINT, 0, reds, NO_WOUND if kind is None else kind.place)
            after = after._replace(score=body.score + after.score % _POINT, blood=body.blood)
            if kind is None:
                after, agenda, need = counting.proceed(after, agenda, self._rules)
                if need is not None:
                    raise NotBlankError
                part = part._replace(pours=0 if bare else after.blood // _POUR)
                after = after._replace(blood=after.blood % _POUR, last=self._any if bare else self._keep(part))
            else:
                agenda = tuple(task._replace(blow=kind.blow) if isinstance(task, Strike) else task for task in agenda)
            yield Answer(after, agenda, gone, unit=self._lots.unit(part))

    def _face_down(self, body: Body, hand: Hand, gone: int, awaited: Last) -> Iterator[Answer]:
        """Cards whose score does not count: those that act by name, and blanks."""
        if hand.times > 1:
            raise NotBlankError
        for wound, red in dict.fromkeys((wound, red) for wound, _, red in self._faces):
            left = self._held.gone_with(gone, wound)
            if left is not None:
                after, agenda = counting.take_card(body, (hand,), self._named[wound, 0, red], self._rules)
                unit = self._lots.unit(Acting(self._ranks[wound.blow], red, None))
                for answer in self._laid(after, tuple(map(self._plain, agenda)), left, awaited, hand):
                    yield answer._replace(unit=answer.unit + unit)
        reds = 0 if self._look.bare else counting.red_blood(body)
        after, agenda = counting.take_card(body, (hand,), self._lie(reds), self._rules)
        yield from self._laid(after, tuple(map(self._plain, agenda)), gone, awaited, hand)

    def _laid(self, body: Body, agenda: Agenda, gone: int, awaited: Last, hand: Hand) -> Iterator[Answer]:
        """After a card was laid down. When the wounds of all follow, what is blank among them becomes veils."""
        strikes = [at for at, task in enumerate(agenda) if isinstance(task, Strike)]
        blanks = [at for at in strikes if self._blow_at(agenda, at) in self._reds_of]
        if not blanks:
            yield Answer(body, agenda, gone)
            return
        if len(blanks) > _MOST_BLANK:
            raise NotBlankError
        asking = Last.NOBODY if self._look.bare else Last.NOW if awaits_repeat(agenda) else self._asking(gone, awaited)
        known = blanks if asking is Last.NOW and awaits_repeat(agenda) else [at for at in blanks if at == strikes[-1]]
        for kinds in product(self._kinds, repeat=len(known) if asking is Last.NOW else 0):
            of = dict(zip(known, kinds, strict=False))
            tasks, unit = list(agenda), 0
            for at in blanks:
                task = tasks[at]
                assert isinstance(task, Strike)
                reds, kind = self._reds_of[task.blow], of.get(at)
                if self._look.bare:
                    tasks[at] = task._replace(blow=self._any)
                    unit += self._lots.unit(Simple.FREE)
                else:
                    tracked = asking is Last.NEXT and at in known
                    veil = self._leaf((kind,) if kind else tuple(self._kinds), reds, hand.compares, tracked)
                    tasks[at] = task._replace(blow=self._veil(veil, kind.blow if kind else None))
            yield Answer(body, tuple(tasks), gone, unit=unit)

    @staticmethod
    def _blow_at(agenda: Agenda, at: int) -> Blow:
        task = agenda[at]
        assert isinstance(task, Strike)
        return task.blow

    def _leaf(self, kinds: tuple[Wound, ...], reds: int, offered: bool, tracked: bool) -> Veil:
        """One blank that lies face down. `tracked`: its wound may be repeated."""
        poured = [(kind, poured_by(kind.blow, self._rules, offered=offered)) for kind in kinds]
        whole = lcm(*(parts[0][2] for _, parts in poured))
        return self._veils.of(
            (
                (Laid((Lying(kind.place, reds),), blood, kind.place if tracked else NO_WOUND), share * (whole // of))
                for kind, parts in poured
                for blood, share, of in parts
            ),
            whole,
        )

    def _lying(self, reds: int) -> Blow:
        """A blank that lies face down, and the Blood it has brought if it is red."""
        blow = _blank(blood=_POUR)
        self._reds_of[blow] = reds
        return blow


_Offer = tuple[tuple[int, ...], tuple[int, ...]]
_NOTHING: _Offer = ((), ())
_LOST = Ways(1, {})
"""Nobody lives."""


def kinds_of(near: Look, look: Look) -> list[Wound]:
    """The wounds that a blank may have under a look: those that do nothing but bleed, told apart from close."""
    return [wound for wound in near.wounds if not look.wound(wound.card).acts]


def _order(face: tuple[Wound, int, bool]) -> tuple[int, int, bool]:
    return face[0].place, face[1], face[2]


def _blank(*, score: int = 0, blood: int) -> Blow:
    return Blow("", score, Dice(0, 0, blood), 0, False, (), False, False, False)


def poured_by(blow: Blow, rules: Rules, *, offered: bool = False) -> tuple[tuple[tuple[int, ...], int, int], ...]:
    """The Blood that a wound pours, or offers to a comparison: each, its share and the whole of the shares."""
    hand = Hand(1, False, False, "compared" if offered else "direct", "direct", compares=offered)
    body, agenda = counting.take_card(Body(), (hand,), blow, rules)
    body, agenda, need = counting.proceed(body, agenda[:1], rules)
    if not isinstance(need, RollNeed):
        return ((_seen(body), 1, 1),)
    whole = need.dice.faces**need.dice.count
    return tuple(
        (_seen(counting.take_roll(body, agenda, total)[0]), int(chance * whole), whole)
        for total, chance in need.dice.chances().items()
    )


def _seen(body: Body) -> tuple[int, ...]:
    """What a wound has poured, or what it offers."""
    if body.offers:
        offered = body.offers[-1][0]
        return (min(offered),) if offered else ()
    return (body.blood,) if body.blood else ()


def _added(body: Body, below: tuple[_Offer, ...], found: Ways) -> Ways:
    """Ways that were followed from 0, added to what a body has already."""
    if not (body.score or body.blood or below):
        return found
    added = Ways(found.whole, {})
    for end, lots in found.ends.items():
        offers = end.body.offers
        if below:
            offers = (*below[:-1], _joined(below[-1], offers[-1]))
        score, blood = body.score + end.body.score, body.blood + end.body.blood
        added.ends[End(end.body._replace(score=score, blood=blood, offers=offers), end.gone)] = lots
    return added


def _joined(first: _Offer, second: _Offer) -> _Offer:
    """Two sets of offers: of those that are known only the lowest will count."""
    offered = (*first[0], *second[0])
    known = [blood for blood in offered if blood < _POUR]
    return (*((min(known),) if known else ()), *sorted(blood for blood in offered if blood >= _POUR)), ()


def _shifted(ways: Ways, unit: int) -> Ways:
    """The same ways, one mark more in each lot."""
    return Ways(
        ways.whole, {end: {lot + unit: weight for lot, weight in lots.items()} for end, lots in ways.ends.items()}
    )
