"""One step in the making: the state so far, its log, and the luck that is asked for."""

from collections.abc import Collection, Iterator, Sequence
from typing import Any, NamedTuple, TypeVar

import msgspec

from generator.base.cards import ALL_CODES, is_joker
from generator.base.dice import Dice
from generator.base.errors import HackjackError, UsageError, did_you_mean
from generator.games.deadlands import log as said
from generator.games.deadlands.dice import DieTotal, RollVerdict, TraitRules, judge
from generator.games.deadlands.events import COIN, TraitsEvent
from generator.games.deadlands.state import KINDS, MAX_THINGS, Kind, Last, Task, Token, TraitsState, read_die
from generator.model.log import Entry
from generator.model.rules import Penalty, System
from generator.play.chance import Chance, ChoiceNeed, RollNeed
from generator.words.wording import measured_unit

MAX_ACES = 1000
"""A die that aces more often is refused; chance does not do that."""


Thing = TypeVar("Thing", Token, Task)


class TraitThrow(NamedTuple):
    """A roll as it is about to be made; `word` is the die or the trait as typed."""

    die: Dice
    wild: Dice | None
    mod: int
    target: int
    word: str = ""


class TraitsTable:
    """What the modules of the procedure have in common."""

    def __init__(
        self,
        system: System,
        state: TraitsState,
        event: TraitsEvent,
        chance: Chance,
        cards: Collection[str] | None = None,
    ) -> None:
        self.system, self.state, self.event, self.chance = system, state, event, chance
        self.held = {*(cards or ())} - {*state.dealt}
        self.rules = TraitRules.of(system)
        self.numbers = self.rules.numbers
        self.log: list[Entry[said.DeadlandsFact]] = []
        self._kicked = False
        self._first_round = True

    def plays(self, switch: str, option: str) -> bool:
        """Tell whether the table plays by that option."""
        return self.system.setting(switch) == option

    def note(self, fact: said.DeadlandsFact, why: str = "") -> None:
        """Add an entry to the log."""
        self.log.append(Entry(fact, why))

    def change(self, **values: Any) -> None:
        """Change the state."""
        self.state = msgspec.structs.replace(self.state, **values)

    def ended(self, result: str, verdict: RollVerdict | None = None, total: int | None = None) -> None:
        """Keep how the roll or draw came out."""
        numbers = (total,) if verdict is None else (verdict.total, verdict.target, verdict.raises)
        self.change(last=Last(self.event.name, result, *numbers))

    # Luck.

    def card(self) -> str:
        """Return a card from a full, freshly shuffled deck: nothing stays out of it (D9, D10, D14)."""
        return self.chance.card(ALL_CODES)

    def action_deck(self) -> list[str]:
        """Return the action cards that may still be dealt this round: from one deck for the whole table (D27)."""
        out = () if self.plays("action_cards", "full_deck") else {*self.held, *self.state.dealt}
        return [code for code in ALL_CODES if code not in out]

    def face(self, die: Dice, reason: str) -> int:
        """Roll one die once."""
        return self.chance.roll(RollNeed(die, reason))[0]

    def aces(self, die: Dice, first: int, reason: str) -> Iterator[int]:
        """Yield the faces that follow the first one, as long as the die shows its most."""
        face, count = first, 0
        while face == die.faces:
            count += 1
            if count > MAX_ACES:
                raise HackjackError(f"{die.spoken} has aced {MAX_ACES:,} times: that is no chance")
            face = self.face(die, f"{reason} aces")
            yield face

    def damage(self, dice: Dice, reason: str, *, at_most: bool = False) -> int:
        """Roll damage dice, which ace; with `at_most` each begins at its most (D3)."""
        die = Dice(1, dice.faces)
        firsts = [dice.faces if at_most else self.face(die, reason) for _ in range(dice.count)]
        return dice.plus + sum(first + sum(self.aces(die, first, reason)) for first in firsts)

    # Traits and their dice.

    def die(self, word: str) -> Dice:
        """Return a die as typed, or the die of a trait that the character has. Raises HackjackError."""
        if word == COIN:
            raise UsageError("a coin is for a skill that the character does not have: give a die here")
        if word[0] == "d" and word[1:].isdigit():
            return read_die(word, self.system, self.event.name)
        written = self.state.traits.get(word)
        if written is None:
            hint = did_you_mean(word, self.state.traits) if self.state.traits else ": say has TRAIT DIE, or give a die"
            raise HackjackError(f'the character has no trait "{word}"{hint}')
        return read_die(written, self.system, word)

    def die_steps_away(self, die: Dice, steps: int) -> Dice | None:
        """Return the die that many steps up the ladder (down if negative), or None beyond its ends."""
        place = self.numbers.ladder.index(die) + steps
        return self.numbers.ladder[place] if 0 <= place < len(self.numbers.ladder) else None

    # The roll.

    @property
    def joker(self) -> int:
        """What a joker for initiative adds: in the round in which it was dealt, so not to what follows (D8)."""
        if not self._first_round:
            return 0
        has_joker = self.state.action is not None and is_joker(self.state.action)
        return self.numbers.joker if self.event.says("joker", has_joker) else 0

    def wild_of(self, kind: Kind) -> Dice | None:
        """Return the wild die that somebody rolls: what the event says, otherwise one for all but Extras (D1, D18)."""
        written = self.event.get("wild")
        if written == "none" or (written is None and kind == "extra"):
            return None
        return read_die(written, self.system, "the wild die") if written else self.numbers.wild

    def next_round(self) -> None:
        """End the round: its joker helps no more (D8)."""
        self._first_round = False

    def penalties(self, *words: str) -> int:
        """Return what injuries take from a roll of these traits, each effect once (D14)."""
        statistics, lost = self.system.head.statistics, 0
        for injury in self.state.injuries:
            card = self.system.cards.get(injury.card)
            for effect in () if card is None else card.for_good if injury.permanent else card.effects:
                if isinstance(effect, Penalty) and effect.by.is_number:
                    named = {*effect.to, *(name for to in effect.to for name in statistics[to].stands_for)}
                    if trait := next((word for word in words if word in named), None):
                        taken = -effect.sign * effect.by.plus
                        lost += taken
                        self.note(said.Hurts(injury.card, taken, trait), "D14")
        return lost

    def target(self) -> int:
        """Return the target number: what the event says, or the usual one."""
        return self.event.number("tn", self.numbers.target)

    def plan(
        self, word: str, target: int | None = None, extra: int = 0, die: Dice | None = None, check: str = ""
    ) -> TraitThrow:
        """Return the roll of a trait with the event's options; `die` is another one that is rolled in its place.

        `check`: what the roll is called besides, where injuries may take something from that alone.
        For a skill that one does not have it is a coin, and no wild die (D5).
        """
        coin = word == COIN and die is None
        if coin and self.event.get("wild") not in (None, "none"):
            raise UsageError("no wild die goes with a coin: leave wild out")
        dice = die or (self.numbers.coin if coin else self.die(word))
        mod = self.event.number("mod", 0) + extra + self.joker + self._kicker(word) - self.penalties(word, check)
        return TraitThrow(
            dice,
            None if coin else self.wild_of(self.state.kind),
            mod,
            self.target() if target is None else target,
            word,
        )

    def roll(self, throw: TraitThrow) -> RollVerdict:
        """Return a roll, and again as long as somebody pays for it (D1-D4, D11)."""
        while True:
            verdict = self.thrown(throw)
            if verdict.result != "failure" or not self._paid(throw):
                self.ended(verdict.result, verdict)
                if throw.word == COIN:
                    self.change(earned=verdict.raises > 0)
                    if verdict.raises:
                        self.note(said.Earned(self.numbers.new_skill.spoken), "D5")
                return verdict

    def thrown(self, throw: TraitThrow) -> RollVerdict:
        """Return both dice together, then what they ace."""
        die, wild, mod = throw.die, throw.wild, throw.mod
        (trait, faces), (more, wild_faces) = self._show(die, wild)
        verdict = judge(trait, more, mod, throw.target, self.rules)
        name, shows = (wild.spoken if wild else None), (more.total if more else None)
        fact = said.Roll(die.spoken, trait.total, faces, name, shows, wild_faces, mod, *verdict)
        self.note(fact, "D1" if wild else "")
        if trait.natural_one and mod > 0 and verdict.result != "critical_failure":
            self.note(said.NaturalOne(mod), "D2")
        if verdict.result == "critical_success":
            self.note(said.PlainFact.BOXCARS, "D3")
        if verdict.result == "critical_failure":
            self.note(said.PlainFact.SNAKE_EYES, "D4")
        return verdict

    def _show(
        self, die: Dice, wild: Dice | None
    ) -> tuple[tuple[DieTotal, list[int]], tuple[DieTotal | None, list[int]]]:
        """Return both dice with their faces: both are thrown, then the trait die aces, then the wild die."""
        first = self.face(die, "the trait die")
        second = self.face(wild, "the wild die") if wild else 0
        faces = [first, *self.aces(die, first, "the trait die")]
        trait = DieTotal(die, first, sum(faces))
        if wild is None:
            return (trait, faces), (None, [])
        others = [second, *self.aces(wild, second, "the wild die")]
        return (trait, faces), (DieTotal(wild, second, sum(others)), others)

    # What pays for another roll.

    def second_attempts(self, word: str) -> tuple[int, list[Token]]:
        """Return the Fate Chips and luck charms that may pay for another roll: only a Wild Card's (D11, D18)."""
        if self.state.kind != "wild_card":
            return 0, []
        # Where a charm names no trait, the table judges; one for soaking rolls nothing again.
        traits = None if _is_open(word) else ("", word)
        charms = [token for token in self.state.tokens if token.kind == "charm" and token.trait != "soak"]
        return self.state.chips or 0, [charm for charm in charms if traits is None or charm.trait in traits]

    def _paid(self, throw: TraitThrow) -> bool:
        """Offer the character's chip and charms for a second attempt; spend what is chosen (D4, D11)."""
        chips, charms = self.second_attempts(throw.word)
        if not (charms or chips):
            return False
        options = ("keep it", *(["a Fate Chip"] if chips else []), *(f"charm {token.name}" for token in charms))
        wild = f" and the wild {throw.wild.spoken}" if throw.wild else ""
        again = f"the {throw.die.spoken}{wild} {'are' if wild else 'is'} rolled again"
        says = (
            "it stays a failure",
            *(
                [f"{again}, and {measured_unit(chips - 1, 'chip')} {'is' if chips == 2 else 'are'} left"]
                if chips
                else []
            ),
        )
        says += tuple(f"{again}, and the charm is gone" for _ in charms)
        place = self.chance.choose(ChoiceNeed(options, says))
        if place == 0:
            return False
        if chips and place == 1:
            self.spend_chip("a second attempt")
        else:
            charm = charms[place - 1 - bool(chips)]
            self.note(said.Charm(charm.name), "D11")
            self.spend_token(charm)
        return True

    def spend_chip(self, reason: str) -> None:
        """Take a Fate Chip, where they are counted. Raises HackjackError when there is none."""
        chips = self.state.chips
        if self.state.kind != "wild_card":
            raise HackjackError(f"{KINDS[self.state.kind]} has no Fate Chips to spend")
        if chips == 0:
            raise HackjackError(f"no Fate Chip is left for {reason}")
        why = "D16" if self.event.name == "soak" else "D4"
        if chips is None:
            self.note(said.ChipUncounted(reason), why)
            return
        self.note(said.Chip(reason, chips - 1), why)
        self.change(chips=chips - 1)

    def has_edge(self, option: str) -> bool:
        """Tell whether the event names an Edge. Raises HackjackError for an Extra, who has none (D18)."""
        named = self.event.says(option)
        if named and self.state.kind == "extra":
            raise HackjackError("an Extra has no Edges: leave the Edge out")
        return named

    # Tokens.

    def give(self, token: Token) -> None:
        """Hand a token over (D11). Raises HackjackError when there are too many."""
        if len(self.state.tokens) >= MAX_THINGS:
            raise HackjackError(f"this character already has {MAX_THINGS} tokens (the maximum): drop one first")
        self.change(tokens=(*self.state.tokens, token))

    def gain_trait(self, name: str, die: Dice) -> None:
        """Put a trait on the character's sheet, or its die right. Raises HackjackError when there are too many."""
        traits = {**self.state.traits, name: die.spoken}
        if len(traits) > MAX_THINGS:
            raise HackjackError(f"this character already has {MAX_THINGS} traits (the maximum)")
        self.change(traits=traits)

    def token(self, kind: str, name: str) -> Token:
        """Return the token of a kind by its name or the beginning of it. Raises UsageError."""
        tokens = [token for token in self.state.tokens if token.kind == kind]
        near = things_named(name, tokens)
        if len({token.name for token in near}) > 1:
            raise UsageError(f'"{name[:40]}" may be {" or ".join(token.name for token in near[:8])}: write more of it')
        if not near:
            hint = did_you_mean(name, [token.name for token in tokens]) if tokens else ": there is none"
            raise UsageError(f'the character holds no {kind} "{name[:40]}"{hint}')
        return near[0]

    def spend_token(self, token: Token, instead: Token | None = None) -> None:
        """Take a token away, or put another one in its place."""
        tokens = list(self.state.tokens)
        place = tokens.index(token)
        tokens[place : place + 1] = [instead] if instead else []
        self.change(tokens=tuple(tokens))

    def _kicker(self, word: str) -> int:
        name = self.event.get("kicker")
        if name is None or self._kicked:
            return 0
        kicker = self.token("kicker", name)
        if kicker.trait and not _is_open(word) and word != kicker.trait:
            raise HackjackError(f'the kicker "{kicker.name}" is for {kicker.trait}, not for {word}')
        self.note(said.Kicker(kicker.name, kicker.bonus), "D11")
        self.spend_token(kicker)
        self._kicked = True
        return kicker.bonus


def things_named(name: str, things: Sequence[Thing]) -> list[Thing]:
    """Return those of that name, in either case; where there are none, those whose names begin so."""
    folded = name.casefold()
    exact = [thing for thing in things if thing.name.casefold() == folded]
    return exact or [thing for thing in things if thing.name.casefold().startswith(folded)]


def _is_open(word: str) -> bool:
    """Tell whether a roll names no trait, but a die or a coin."""
    return word == COIN or (word[:1] == "d" and word[1:].isdigit())
