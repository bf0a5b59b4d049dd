"""What types cannot say of content with a death-score."""

from __future__ import annotations

from collections.abc import Iterator

from generator.base.cards import RANKS
from generator.base.errors import did_you_mean
from generator.games.content_face import Content
from generator.model.rules import Effect, Penalty, Suffer, Whenever, missing_end
from generator.pack.faults import Fault
from generator.pack.strict_yaml import Trail

MAX_SCORE = 50
"""The highest limit of the death-score: screens chart every score below it, and one deck serves all hits until then."""


class HackjackContent(Content):
    """What types cannot say of content with a death-score."""

    CHARTS = ("hits_by_score", "recovery_by_trauma")
    PAGE_NAMES = (
        *("hp", "max_hp", "score", "tokens", "blood", "trauma", "pile", "wounds", "permanent", "holding", "low"),
        *("dead", "recovery", "drawn"),
    )
    SCORED = True

    def head_faults(self) -> Iterator[Fault]:
        """Yield faults of the limit and of the scores by rank."""
        numbers = self.system.harm
        if numbers.limit > MAX_SCORE:
            yield ("procedure", "limit"), f"{numbers.limit} is too much for a death-score: {MAX_SCORE} at most"
        scores = numbers.scores
        for rank in scores:
            if rank not in RANKS:
                yield ("procedure", "scores", rank), f'unknown rank "{rank}"{did_you_mean(rank, RANKS)}'
        for rank in RANKS:
            if not rank.isdigit() and rank not in scores:
                yield ("procedure", "scores"), f"the score of the rank {rank} is missing"

    def effect_faults(self, effect: Effect, trail: Trail, *, implied: bool) -> Iterator[Fault]:
        """Yield what a hit cannot do."""
        del implied
        if isinstance(effect, Suffer) and (says := missing_end("harm", "suffer", effect.until.word, ())):
            yield (*trail, "until"), says
        if isinstance(effect, Suffer) and effect.after:
            yield (*trail, "after"), "cards strike at once: only steps of your own can say that"
        if isinstance(effect, Penalty) and effect.per:
            yield (*trail, "per"), f"{effect.per} is not counted here"
        if isinstance(effect, Whenever) and effect.event == "near_cause" and (effect.blood or effect.score):
            yield (*trail, "event"), "near the cause of a wound only a penalty can follow: leave blood and score out"


CONTENT = HackjackContent
