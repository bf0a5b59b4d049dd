"""States of the counter: which slots they have, what is seen of conditions, and the bench made from a state."""

from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple

from msgspec.structs import replace

from generator.base.dice import Dice
from generator.games.steps.conditions import is_certain
from generator.games.steps.counter_cards import CandidateCard, OutOf, Pile
from generator.games.steps.counter_formulas import (
    GOES_ON,
    PEN,
    PLACED,
    UNSET,
    WAITING,
    EventNames,
    Key,
    Keys,
    Setting,
    name_key,
    number_key,
)
from generator.games.steps.counter_ways import AnyState, Change, Slots, Spread, State, StepSeries, put
from generator.games.steps.engine import EventRun
from generator.games.steps.scope import FRESH_NAMES
from generator.games.steps.shape import ordered_conditions, state_key_of
from generator.games.steps.state import LONG, HeldCondition, Owed, PiledCard, StepsState, fresh_values
from generator.model import rules
from generator.model.formulas import HERE, NAMING, OF_HELD, Formula, Node, Result, made_by
from generator.play.apply_effects import NOW, EffectApplier, WoundContext
from generator.play.chance import Chance, Given, Policy
from generator.play.piles import all_names, card_of

_SEEN = ("spans", "owed", "details", "held cards", "saves", "place")
_MARKS = (*_SEEN[:4], GOES_ON)
"""Keys that have no slot: they say what is seen of conditions and saves, or that something follows."""
_KEPT = ("calling", "outer pens", "waiting", "cards", "dead")
"""Slots that steps clear themselves, and who is dead, which every bench asks."""
_OF_CARDS = ("line", "waiting line", "piled line")
"""Keys that have no slot: they say what is asked of the card at hand, of those that wait, and of those in a pile."""
LineOf = Callable[[str, int, str], Any]
"""What may be asked of a card: its deck, its place there, and the name of what is asked."""
_COME_ABOUT = ("met", "suffered", "drawn")
_FRESH_PEN = {"part": "", "place": "", "lasts": NOW, "placed": False}


def of_held(key: Key) -> bool:
    """Return whether a key asks for conditions that are held."""
    return key in ("held", "all held", "lowering") or key[0] in (*OF_HELD, *WAITING, "very")


class Layout:
    """The slots of states for a set of keys: the names of the event first, then the pen, then all the rest."""

    def __init__(
        self,
        system: rules.System,
        event: str,
        keys: Keys,
        piles: Mapping[str, Pile],
        line_of: LineOf,
        policy: Policy = "",
    ) -> None:
        self.system, self.event, self.piles, self.policy = system, event, piles, policy
        self.line_of, self._likes = line_of, dict[Any, list[int]]()
        self.names = sorted(str(key[1]) for key in keys if key[0] == "name")
        self.pen = [key for key in PEN if key in keys]
        order: list[Key] = [*map(name_key, self.names), *(["calling"] if self.names else [])]
        self.frame, self.first_pen = len(self.names), len(order)
        order += [*self.pen, "outer pens"] if self.pen else []
        self.last_pen = len(order) - 1
        rest = {key for key in keys if key not in order and not of_held(key) and key not in _MARKS}
        rest = {key for key in rest if key[0] not in _OF_CARDS} | ({"card", "waiting"} if "cards" in keys else set())
        order += sorted({*rest, "dead"}, key=str)
        order += ["held"] if any(map(of_held, keys)) else []
        self.slot: dict[Key, int] = {key: at for at, key in enumerate(order)}
        self._fresh = fresh_values(system)
        takes = (item for happening in system.head.events.values() for item in happening.takes.items())
        self._dice = {name for name, argument in takes if argument.die}
        self._sights: dict[Keys, HeldSight] = {}
        self._frames: list[tuple[State, tuple[int, ...]]] = []
        self._places: dict[tuple[State, tuple[int, ...]], int] = {}

    def slots(self, keys: Iterable[Key]) -> tuple[int, ...]:
        """Return the slots that some keys ask, in order."""
        slots = {self.slot.get("held" if of_held(key) else key, -1) for key in keys}
        return tuple(sorted(slots - {-1}))

    # --- states ------------------------------------------------------------------------------------------------------

    def first(self, state: StepsState, said: Mapping[str, Result], live: Keys, origin: int = 0) -> State:
        """Return a character's state before the event, with what was told of it; `origin` is which of several it is."""
        slots: list[Any] = [None] * len(self.slot)
        for key, at in self.slot.items():
            match key:
                case ("number", name) if key in live and name in state.values:
                    slots[at] = state.values[str(name)]
                case ("deck", name):
                    pile = self.piles[str(name)]
                    slots[at] = OutOf(pile.all & ~pile.bits(state.drawn))
                case ("pile", name):
                    slots[at] = tuple((None, each.counts) for each in state.piles.get(str(name), ()))
                case "coming" | "lost":
                    slots[at] = getattr(state, str(key))
                case "origin":
                    slots[at] = origin
        slots[self.slot["dead"]] = state.dead
        if "cards" in self.slot:
            self._put_in_play(slots, state)
        self.see(slots, live, state.conditions, state.saves)
        self.anew(slots, said, live)
        return tuple(slots)

    def _put_in_play(self, slots: list[Any], state: StepsState) -> None:
        """Cards that lie in piles from before are known."""
        cards: list[CandidateCard] = []
        for key, at in self.slot.items():
            if key[0] == "pile":
                entries = []
                for each in state.piles.get(str(key[1]), ()):
                    deck = next(deck for deck, pile in self.piles.items() if each.card in pile.names)
                    entries.append((len(cards), each.counts))
                    cards.append(CandidateCard(deck, self.piles[deck].bits([each.card]), True))
                slots[at] = tuple(entries)
        slots[self.slot["cards"]] = tuple(cards)

    def anew(self, slots: Slots, said: Mapping[str, Result], live: Keys) -> None:
        """Let an event begin, with what is told of it."""
        numbers, piles = self.system.steps.numbers, self.system.steps.piles
        slots[: self.frame] = self.fresh(said, live)
        for key, at in self.slot.items():
            if key[0] in _COME_ABOUT:
                slots[at] = False
            elif key[0] == "number" and key[1] in numbers and numbers[str(key[1])].temporary:
                slots[at] = numbers[str(key[1])].start
            elif key[0] == "pile" and piles[str(key[1])].temporary:
                slots[at] = ()
            elif key in PEN:
                slots[at] = _FRESH_PEN[str(key)]
            elif key == "card":
                slots[at] = None

    def fresh(self, said: Mapping[str, Result], live: Keys) -> tuple[Any, ...]:
        """Return the names of an event before its first step."""
        given = {**FRESH_NAMES, **said}
        return tuple(given.get(name, UNSET) if name_key(name) in live else None for name in self.names)

    def called(
        self, slots: Slots, names: Iterable[Any], kept: Iterable[int], gives: tuple[int, ...], *, at_place: bool
    ) -> None:
        """Call an event with names and a pen of its own, at the place or nowhere; of the names before some are kept.

        The slots in `gives` are what the event gives back, however it ends.
        """
        if self.names:
            own: list[Any] = [None] * self.frame
            for slot in kept:
                own[slot] = slots[slot]
            names_before = (*own, slots[self.frame]), gives
            slots[: self.frame + 1] = *names, self._framed(names_before)
        self.new_pen(slots, fresh=("lasts",) if at_place else PEN)

    def _framed(self, names: tuple[State, tuple[int, ...]]) -> int:
        """Return the number of the names of an event that called another: states that hold them are shorter so."""
        if names not in self._places:
            self._places[names] = len(self._frames)
            self._frames.append(names)
        return self._places[names]

    def returned(self, slots: Slots) -> None:
        """End the event that was called, with what it gave."""
        if self.names:
            self._named_again(slots)
        self.old_pen(slots, back=True)

    def _named_again(self, slots: Slots) -> None:
        before, gives = self._frames[slots[self.frame]]
        given = [None if slots[slot] is UNSET else slots[slot] for slot in gives]
        slots[: self.frame + 1] = before
        for slot, value in zip(gives, given, strict=True):
            slots[slot] = value

    def new_pen(self, slots: Slots, *, fresh: Collection[str] = ()) -> None:
        """Take a pen of its own: as the one before, but for what is fresh; no step has named a place yet."""
        if self.pen:
            first, last = self.first_pen, self.last_pen
            slots[last] = tuple(slots[first : last + 1])
            for at, key in enumerate(self.pen, first):
                if key in fresh or key == "placed":
                    slots[at] = _FRESH_PEN[str(key)]

    def old_pen(self, slots: Slots, *, back: bool = False) -> None:
        """Take the pen again that was there before, at the place (`back`) that a step has named meanwhile."""
        if self.pen:
            at = self.slot.get("placed")
            hurt = [self.slot[key] for key in PLACED & {*self.pen}] if back and at is not None and slots[at] else []
            named = [slots[slot] for slot in hurt]
            slots[self.first_pen : self.last_pen + 1] = slots[self.last_pen]
            for slot, value in zip(hurt, named, strict=True):
                slots[slot] = value

    def with_pen(self, play: "Play", *, back: bool = False) -> "Play":
        """Return what plays steps with a pen of their own, and gives a place `back`."""
        old = partial(self.old_pen, back=back)
        return (lambda spread: play(spread.changed(self.new_pen)).changed(old)) if self.pen else play

    def lasting_again(self, slots: Slots, *, drop: bool = False) -> None:
        """Let the pen have as long a time as the one before; or make one of both."""
        slot, outer = self.slot["lasts"], slots[self.last_pen]
        slots[slot] = outer[slot - self.first_pen]
        if drop:
            slots[self.last_pen] = outer[-1]

    def root(self, state: State) -> Slots:
        """Return a state with the names and the pen of the event that was asked about, however deep it is in others."""
        slots = [*state]
        while self.names and slots[self.frame] is not None:
            self._named_again(slots)
        while self.pen and slots[self.last_pen] is not None:
            self.old_pen(slots)
        return slots

    def alone(self, slots: Slots) -> None:
        """Let the event in hand, with the pen in hand, be the one that was asked about."""
        put(slots, self.frame if self.names else None, None)
        put(slots, self.last_pen if self.pen else None, None)

    def sight(self, keys: Keys) -> "HeldSight":
        """Return what those keys see of conditions."""
        asked = frozenset(key for key in keys if of_held(key) or key in _SEEN)
        if asked not in self._sights:
            self._sights[asked] = HeldSight(self.system, asked)
        return self._sights[asked]

    def see(self, slots: list[Any], keys: Keys, held: Iterable[HeldCondition], saves: Iterable[Owed]) -> None:
        """Put conditions and saves into slots as some keys see them."""
        for key, there in zip(("held", "saves"), self.sight(keys).of(held, saves), strict=True):
            if key in self.slot:
                slots[self.slot[key]] = there

    def forgetting(self, before: Keys, after: Keys) -> Change | None:
        """Return what takes out of a state what nobody asks any more; None where there is nothing."""
        gone = self.slots(key for key in before - after if not of_held(key) and key not in _KEPT)
        sees = any(of_held(key) or key in _SEEN for key in before - after) and self.slots(("held", "saves"))
        if not gone and not sees:
            return None

        def forget(slots: Slots) -> None:
            if sees:
                held, saves = (slots[self.slot[key]] if key in self.slot else () for key in ("held", "saves"))
                self.see(slots, after, held or (), saves or ())
            for slot in gone:
                slots[slot] = None

        return forget

    # --- cards in play -----------------------------------------------------------------------------------------------

    def tidied(self, after: Keys) -> Change:
        """Return what leaves of the cards in play those of which something is still asked, each one of all that are
        like it, by what asks: the card at hand, those that wait, and piles."""
        if "cards" not in self.slot:
            return lambda _: None
        lines = {which: frozenset(key[-1] for key in after if key[0] == which) for which in _OF_CARDS[:2]}
        piles = {
            slot: frozenset(each[2] for each in after if each[0] == "piled line" and each[1] == key[1])
            for key, slot in self.slot.items()
            if key[0] == "pile"
        }
        at_hand, cards = self.slot["card"], self.slot["cards"]
        waits, asks, memory = self.slot.get("waiting"), lines["line"], dict[Any, Any]()
        slots = [at_hand, cards, *([] if waits is None else [waits]), *piles]

        def tidy(state: Slots) -> None:
            if not state[cards]:
                return
            key = tuple([state[slot] for slot in slots])
            if key not in memory:
                memory[key] = made(state)
            for slot, value in zip(slots, memory[key], strict=True):
                state[slot] = value

        def made(state: Slots) -> list[Any]:
            asked: dict[int, frozenset[str]] = {}

            def ask(index: int | None, lines: frozenset[str]) -> int | None:
                if index is None or not lines:
                    return None
                asked[index] = asked.get(index, frozenset()) | lines
                return index

            now = list(state)
            for slot, piled in piles.items():
                if now[slot]:
                    now[slot] = tuple((ask(index, piled), counts) for index, counts in now[slot])
            now[at_hand] = ask(state[at_hand], asks)
            waiting = None if waits is None else state[waits]
            while waiting is not None:
                for index in (*waiting.cards, waiting.card):
                    ask(index, lines["waiting line"])
                waiting = waiting.outer
            places = {index: place for place, index in enumerate(asked)}
            now[cards] = tuple(self._like(state[cards][index], each) for index, each in asked.items())
            for slot in piles:
                if now[slot]:
                    now[slot] = tuple((None if index is None else places[index], counts) for index, counts in now[slot])
            now[at_hand] = None if now[at_hand] is None else places[now[at_hand]]
            if waits is not None and state[waits] is not None:
                now[waits] = state[waits].moved(places)
            return [now[slot] for slot in slots]

        return tidy

    def _like(self, hand: CandidateCard, lines: frozenset[str]) -> CandidateCard:
        """Return a card as one of all that are like it in what is asked; itself where that is not known yet."""
        if (hand.deck, lines) not in self._likes:
            pile, asked = self.piles[hand.deck], sorted(lines)
            by = [tuple(self.line_of(hand.deck, place, line) for line in asked) for place in range(len(pile.names))]
            self._likes[hand.deck, lines] = list(pile.sets(by).values())
        like = next((bits for bits in self._likes[hand.deck, lines] if not hand.may_be & ~bits), 0)
        return CandidateCard(hand.deck, like, True) if like else hand

    # --- benches -----------------------------------------------------------------------------------------------------

    def bench(
        self, state: AnyState, at: Setting, chance: Chance | None = None, *, timeless: bool = False, opens: bool = False
    ) -> tuple[EventRun, EffectApplier]:
        """Return the engine's bench in that state, and the pen in its hand; what nobody asks is as usual there.

        Where it is known of every card whether it is out (`opens`), the bench has its decks and piles.
        """
        there = {key: state[slot] for key, slot in self.slot.items() if state[slot] is not None}
        now = StepsState(
            values=self._fresh | {str(key[1]): state[slot] for key, slot in self.slot.items() if key[0] == "number"},
            conditions=there.get("held", ()),
            coming=there.get("coming", ()),
            lost=there.get("lost", ()),
            saves=there.get("saves", ()),
            dead=there["dead"],
        )
        bench = EventRun(self.system, now, chance or Given(), timeless=timeless)
        bench.values |= now.values
        bench.logs, bench.event, bench.stopped = False, self.event, False
        bench.policy, bench.better = self.policy, at.better
        bench.reading, bench.part_of, bench.ticking = list(at.reading), at.part_of, at.ticking
        bench.names |= {name: state[place] for place, name in enumerate(self.names) if state[place] is not UNSET}
        bench.names |= dict(at.known)
        for name in self._dice & {*self.names}:
            # Another event may take any word by that name.
            with suppress(ValueError):
                bench.dice[name] = Dice.parse(str(bench.names.get(name)))
        bench.met = {str(key[1]): [""] for key, value in there.items() if key[0] == "met" and value}
        bench.suffered = {str(key[1]) for key, value in there.items() if key[0] == "suffered" and value}
        bench.at_hand = str(there.get("card", "")) if at.at_hand else ""
        if "card" in there:
            hand = there["cards"][there["card"]]
            bench.card = self.piles[hand.deck].cards[self.piles[hand.deck].first(hand.may_be)]
        for key, value in there.items():
            if key[0] == "pile":
                names = (self._name(there["cards"][card]) if opens else str(card) for card, _ in value)
                bench.piles[str(key[1])] = [PiledCard(name, each[1]) for name, each in zip(names, value, strict=True)]
            elif key[0] == "deck" and opens:
                pile = self.piles[str(key[1])]
                bench.out += pile.named(pile.all & ~value.base)
                bench.drawn += pile.named(value.spent)
        if opens and bench.at_hand:
            bench.at_hand = self._name_at_hand(there)
        pen = EffectApplier(
            self.system, "", WoundContext(there.get("part", ""), there.get("place", "")), there.get("lasts", NOW)
        )
        pen.of, pen.placed = at.of, bool(there.get("placed"))
        if at.inked:
            pen.card = self._name_at_hand(there)
        bench.applier = pen
        return bench, pen

    def hand_of(self, state: AnyState) -> tuple[str, int] | None:
        """Return the card at hand: its deck, and the place of the first card there that it may be."""
        index = state[self.slot["card"]]
        if index is None:
            return None
        hand = state[self.slot["cards"]][index]
        return hand.deck, self.piles[hand.deck].first(hand.may_be)

    def _name_at_hand(self, there: Mapping[Key, Any]) -> str:
        """Return the name of the card at hand; where nobody asks which it is, of any."""
        if there.get("card") is None:
            return next(iter(all_names(self.system)), "")
        return self._name(there["cards"][there["card"]])

    def _name(self, hand: CandidateCard) -> str:
        return self.piles[hand.deck].names[self.piles[hand.deck].first(hand.may_be)]

    def _placed(self, name: str, cards: list[CandidateCard]) -> int:
        """Return the place of a card among those in play."""
        deck = next(deck for deck, pile in self.piles.items() if name in pile.names)
        hand = CandidateCard(deck, self.piles[deck].bits([name]), True)
        if hand not in cards:
            cards.append(hand)
        return cards.index(hand)

    def taken(
        self,
        bench: EventRun,
        pen: EffectApplier,
        state: State,
        slots: Iterable[int],
        live: Keys,
        *,
        opens: bool = False,
    ) -> State:
        """Return a state with what a bench has made of it in some slots."""
        now, made = list(state), list(state)
        cards = list(state[self.slot["cards"]]) if opens else []
        self.see(made, live, ordered_conditions(bench.conditions.held, self.system), bench.conditions.saves)
        pens = {"part": pen.hurt.part, "place": pen.hurt.place, "lasts": pen.lasts, "placed": pen.placed}
        lists = {"coming": tuple(bench.conditions.coming), "lost": tuple(bench.conditions.lost)}
        others = {**pens, **lists, "dead": bench.dead}
        for key, at in self.slot.items():
            match key:
                case ("number", name):
                    made[at] = bench.values[str(name)]
                case ("name", name):
                    made[at] = bench.names.get(str(name), UNSET)
                case ("pile", name):
                    made[at] = tuple(
                        (self._placed(each.card, cards) if opens else _index(each.card), each.counts)
                        for each in bench.piles[str(name)]
                    )
                case ("deck", name) if opens:
                    pile = self.piles[str(name)]
                    made[at] = OutOf(pile.all & ~pile.bits(bench.out), 0, (), pile.bits(bench.drawn))
                case _ if key in others:
                    made[at] = others[str(key)]
        if opens:
            made[self.slot["cards"]] = tuple(cards)
        for slot in (*slots, self.slot["dead"]):
            now[slot] = made[slot]
        return tuple(now)


def _index(card: str) -> int | None:
    return int(card) if card.isdigit() else None


class HeldSight:
    """What some keys see of conditions that are held and of saves: what is alike for them is the same."""

    def __init__(self, system: rules.System, keys: Keys) -> None:
        self._system, self._keys = system, keys
        self._asked = frozenset((str(key[0]), str(key[1])) for key in keys if key[0] in (*OF_HELD, *WAITING))
        self._whole = not keys.isdisjoint(("all held", "spans"))
        self._kinds = {kind for kind, _ in self._asked}
        self._memory: dict[HeldCondition | Owed, Any] = {}

    def of(self, held: Iterable[HeldCondition], saves: Iterable[Owed]) -> tuple[Any, Any]:
        """Return conditions and saves as they are seen."""
        if self._whole:
            return tuple(self._remembered(each, self._plain) for each in held), tuple(saves)
        there = [self._remembered(each, self._seen) for each in held]
        there += [self._remembered(each, self._awaited) for each in saves if "saves" in self._keys]
        kinds = (HeldCondition, Owed)
        conditions, owed = (sorted((each for each in there if isinstance(each, kind)), key=str) for kind in kinds)
        return tuple(conditions), tuple(owed)

    def _remembered(self, each: Any, see: Callable[[Any], Any]) -> Any:
        if each not in self._memory:
            self._memory[each] = see(each)
        return self._memory[each]

    def tells(self, condition: str) -> bool:
        """Return whether anybody could tell that a condition is held."""
        words = ("day", "permanent", "round", "save", "now", *(name for _, name in self._asked))
        waits = condition == "whenever" and not self._kinds.isdisjoint(WAITING)
        return self._whole or self._lowers(condition) or waits or any(self._answers(condition, word) for word in words)

    def _plain(self, held: HeldCondition) -> HeldCondition:
        """A condition without what no rule asks."""
        return replace(held, row="", detail=held.detail if "details" in self._keys else "", card=self._bearer(held))

    def _bearer(self, held: HeldCondition) -> str:
        """Return the card that a condition is seen with: where it waits, the first that waits for the same."""
        if "held cards" in self._keys or not held.card:
            return held.card
        awaits = self._awaits(held.card) if held.condition == "whenever" else ()
        return next(name for name in all_names(self._system) if self._awaits(name) == awaits) if awaits else ""

    def _awaits(self, name: str) -> tuple[Any, ...]:
        """Return what a card waits for, as far as it is asked."""
        there = card_of(name, self._system)
        waiting = [each for each in there[1].effects if isinstance(each, rules.Whenever)] if there else []
        if self._whole or len(waiting) > 1:
            return tuple((each.event, each.blood, each.score, each.until, each.penalty) for each in waiting)
        adds = ((f"extra_{what}", each.event, getattr(each, what)) for each in waiting for what in ("blood", "score"))
        return tuple(each for each in adds if each[2] and each[:2] in self._asked)

    def _awaited(self, owed: Owed) -> HeldCondition | Owed | None:
        """A save that is owed, or the condition that it brings whichever way it goes, where that alone is counted."""
        if "owed" in self._keys:
            return Owed(owed.of, chance=owed.chance)
        names = {name for kind, name in self._asked if kind == "count" and is_certain(owed, name, self._system)}
        if names and not any(name in names and kind in ("has", "level", "left") for kind, name in self._asked):
            for name in self._system.head.conditions:
                if self._answers(name, "day") == names and not self._itself(name):
                    return self._seen(HeldCondition(name, "1 day"))
        return Owed(owed.of) if names else None

    def _seen(self, held: HeldCondition) -> HeldCondition | None:
        """A condition as it is seen: the first that answers to the same names; None where nothing asks for it."""
        answers, lowers, card = self._answers(held.condition, held.word), self._lowers(held.condition), ""
        if self._system.steps.by_card:
            lowers, card = lowers and not held.begins, self._bearer(held)
        if not answers and not lowers and not card:
            return None
        level = held.level if "level" in self._kinds or lowers else 1
        until = "1 day" if held.word == "day" else held.until
        if card or self._itself(held.condition):
            until = until if answers else "permanent"
            place = held.place if any(each.where for each in self._penalties(held.condition)) else ""
            return HeldCondition(held.condition, until, place, level, card=card, to=held.to, by=held.by)
        if held.word in LONG and not (until == "permanent" and "lasting" in self._kinds) and held.word not in answers:
            until = "1 day"
        alike = (
            name
            for name in self._system.head.conditions
            if self._answers(name, held.word) == answers and not self._itself(name)
        )
        return HeldCondition(next(alike, held.condition), until, level=level)

    def _itself(self, condition: str) -> bool:
        """Return whether no other condition can stand for one."""
        return ("very", condition) in self._keys or self._lowers(condition)

    def _lowers(self, condition: str) -> bool:
        return "lowering" in self._keys and (condition in ("penalty", "bonus") or bool(self._penalties(condition)))

    def _penalties(self, condition: str) -> list[rules.Penalty]:
        """Return the penalties that a condition brings as long as it lasts."""
        names = (condition, *self._system.brought.get(condition, ()))
        effects = (each for name in names for each in self._system.held_conditions[name].implies)
        return [each for each in effects if isinstance(each, rules.Penalty)]

    def _answers(self, condition: str, word: str) -> frozenset[str]:
        """Return the names in formulas that a condition answers to."""
        group, system = self._system.held_conditions[condition].group, self._system
        own = {condition, group, state_key_of(condition, word, system), *(("long",) if word in LONG else ())}
        own |= {word} if system.steps.by_card else set()
        brought = system.brought.get(condition, ())
        asked = ((kind, name) for kind, name in self._asked if kind not in WAITING)
        return frozenset(name for kind, name in asked if name in own or (kind == "has" and name in brought))


Play = Callable[[Spread], Spread]
"""A step made ready: what it makes of a distribution."""


class Plan(NamedTuple):
    """A step that something can tell: what has to be known before it, and what makes it ready."""

    before: Keys
    make: Callable[[], Play]
    does: str = ""
    """What it does, where that is less than it says: steps that do the same are one."""


class CountedBlock:
    """Steps in a row: what has to be known before them for what is asked after them, and those that can be told."""

    def __init__(self, effects: tuple[rules.AnyEffect, ...], after: Keys, at: Setting, place: int = 0) -> None:
        self.effects, self.after, self.at, self.place = effects, after, at, place
        self.before = after
        self.users: dict[CountedBlock | None, None] = {}
        self.uses: dict[CountedBlock, None] = {}
        self.parts: list[tuple[rules.AnyEffect, Keys, Keys, Callable[[], Play]]] = []
        self.does: tuple[str, ...] = ()
        self.play: StepSeries | None = None
        """What they do, made ready when it is first needed."""
        self.making = False

    @property
    def alive(self) -> bool:
        """Whether anything can tell that these steps happen."""
        return bool(self.parts)


def _of_card(node: Node, names: EventNames, layout: Layout) -> Callable[[AnyState], Result]:
    """Return what gives something of the card at hand, without a bench: it is asked more often than all else."""
    memory: dict[tuple[str, int] | None, Result] = {}

    def value(state: AnyState) -> Result:
        hand = layout.hand_of(state)
        if hand not in memory:
            memory[hand] = names.figure_of(node, layout.piles[hand[0]].cards[hand[1]] if hand else None)
        return memory[hand]

    return value


def ready(formula: Formula, names: EventNames, at: Setting, layout: Layout) -> Callable[[AnyState], Result]:
    """Return what gives a formula's value in a state; it rolls no dice."""

    def leaf(node: Node) -> Callable[[AnyState], Result] | None:
        there = names.value(node, at)
        if there is not None:
            return lambda _: there[0]
        about, given = str(node.about), name_key(str(node.about))
        if "card" in layout.slot and names.line(node):
            return _of_card(node, names, layout)
        plain = about not in names.given or given not in layout.slot
        if node.kind in ("name", "value") and about in names.numbers and plain:
            number = layout.slot[number_key(about)]
            return lambda state: state[number]
        if node.kind == "name" and not plain and about != "side":
            name, other = layout.slot[given], asked(node)
            return lambda state: other(state) if state[name] is UNSET else state[name]
        return asked(node) if node.kind == "name" or node.kind in NAMING else None

    def asked(node: Node) -> Callable[[AnyState], Result]:
        """Return what asks a bench made from the state, once for all states that are alike for it."""
        slots, about = layout.slots(names.node_reads(node, at)), str(node.about)
        which = HERE if node.parts and node.parts[0].kind == HERE else ""
        detail_of = made_by(node.parts[0], about, leaf) if node.parts and not which else None  # type: ignore[arg-type]
        memory: dict[Any, Result] = {}

        def ask(state: AnyState) -> Result:
            detail = None if detail_of is None else str(detail_of(state) or "")  # type: ignore[arg-type]
            key = tuple([state[slot] for slot in slots]), detail
            if key not in memory:
                bench, _ = layout.bench(state, at)
                asks = bench.named(about) if node.kind == "name" else bench.call(node.kind, about, which, detail)
                memory[key] = asks
            return memory[key]

        return ask

    return made_by(formula.tree, str(formula), leaf)  # type: ignore[arg-type,return-value]
