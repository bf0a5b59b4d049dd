"""What the count can see of a card, closely or from afar; cards that look alike are counted together.

Two things of a card matter at different times: its score when it is drawn for its score, its wound (Blood and what it
makes one draw) after that. A `Look` is one way to tell wounds apart. The close look sees Blood and every effect; the
far look is enough where Blood that joins the pool cannot flow any more, as in the last hit that is asked about.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from generator.dice import Dice
from generator.engine.counting import Blow
from generator.rules import AnyEffect, Draw, Repeat, Whenever


@dataclass(eq=False, slots=True)
class Wound:
    """Cards whose wounds look alike. `place` is their order by `rank_of`; `blow` stands for them, without a score.

    `card` is one of them.
    """

    place: int
    blow: Blow
    card: Blow

    @property
    def acts(self) -> bool:
        """Whether something follows from it besides Blood."""
        return bool(self.blow.counted)


@dataclass(eq=False, slots=True)
class Face:
    """Cards that look alike when they are drawn for their score. `card` is one of them."""

    blow: Blow
    wound: Wound
    card: Blow


class Look:
    """One way to tell cards apart. `bare`: Blood and what only brings Blood is not looked at.

    `anew`: a later hit may begin a new descent (H30), so that what waits for one is looked at.
    """

    def __init__(self, cards: Sequence[Blow], *, bare: bool, anew: bool = False) -> None:
        self.bare, self.anew = bare, anew
        self.wounds: list[Wound] = []
        self.faces: list[Face] = []
        self._wound_of: dict[Blow, Wound] = {}
        self._face_of: dict[Blow, Face] = {}
        self._add_wounds(cards)
        known: dict[tuple[int, Wound], Face] = {}
        for card in cards:
            key = (card.score, self._wound_of[card])
            if key not in known:
                blow = replace(key[1].blow, score=card.score)
                known[key] = Face(blow, key[1], card)
                self.faces.append(known[key])
                self._wound_of[blow] = key[1]
            self._face_of[card] = known[key]

    def wound(self, blow: Blow) -> Wound:
        """The wound of a card or of what stands for cards."""
        return self._wound_of[blow]

    def face(self, card: Blow) -> Face:
        """What a card looks like when it is drawn for its score."""
        return self._face_of[card]

    def _add_wounds(self, cards: Sequence[Blow]) -> None:
        """In order of rank. From afar, wounds that do nothing are one as long as none that acts ranks between them."""
        firsts: dict[tuple[object, ...], Blow] = {}
        for card in cards:
            firsts.setdefault((card.blood, card.spares, self._effects(card, bare=False)), card)
        places = {id(blow): place for place, blow in enumerate(firsts.values())}
        ordered = sorted(firsts.items(), key=lambda item: (*rank_of(item[1]), places[id(item[1])]))
        of: dict[tuple[object, ...], Wound] = {}
        before: Wound | None = None
        for key, card in ordered:
            effects = self._effects(card, bare=self.bare)
            if self.bare and not effects and before is not None and not before.acts:
                of[key] = before
                continue
            blood = None if self.bare else card.blood
            blow = replace(card, score=0, blood=blood, trauma=0, red=False, counted=effects, wounding=False)
            before = of[key] = Wound(len(self.wounds), blow, card)
            self.wounds.append(before)
            self._wound_of[blow] = before
        for card in cards:
            self._wound_of[card] = of[card.blood, card.spares, self._effects(card, bare=False)]

    def _effects(self, blow: Blow, *, bare: bool) -> tuple[AnyEffect, ...]:
        """The effects that can still matter: HP never rise, so that only a reset leads to another descent."""
        return tuple(
            effect
            for effect in blow.counted
            if not isinstance(effect, Whenever)
            or ((self.anew or effect.event == "red_card") and bool(effect.score or not bare))
        )


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
