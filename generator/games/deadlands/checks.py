"""What types cannot say of trait dice, injury decks and tokens."""

from collections.abc import Iterator

from generator.base.cards import FULL_DECK, is_code, is_joker, meant_card
from generator.games.content_face import Content, Fault
from generator.model.procedures import Traits
from generator.model.rules import Effect, Penalty
from generator.pack.strict_yaml import Trail

_TOKEN_KEYS = {"charm": (), "burn": ("card",), "hole": ("die",), "kicker": ("bonus",), "marker": ("die",)}

ASKED_TRAITS = ("vigor", "spirit")
"""What the rules have everybody roll, by its usual name."""


class DeadlandsContent(Content):
    """What types cannot say of trait dice, injury decks and tokens."""

    CHARTS = ("extremes_by_die", "fate_by_card")
    ONE_DIE = True
    MAX_FACES = 30
    MAX_NUMBER = 100
    CARD_SETS = ("fate", "fate-injuries", "tokens")
    PAGE_NAMES = (
        *("kind", "levels", "wounds", "shaken", "standing", "chips", "traits", "xp", "rank", "grit", "spent", "raised"),
        *("injuries", "tokens", "tasks", "action", "dealt", "healers", "tended", "healed", "late", "rested", "earned"),
        *("fresh", "last", "burns", "place", *ASKED_TRAITS),
    )

    def token_faults(self) -> Iterator[Fault]:
        """Yield each token has what its kind may have."""
        procedure = self.system.head.procedure
        assert isinstance(procedure, Traits)
        for place, token in enumerate(self.system.tokens):
            trail: Trail = ("tokens", place)
            for key in ("die", "bonus", "card"):
                if getattr(token, key) is not None and key not in _TOKEN_KEYS[token.kind]:
                    yield (*trail, key), f"a {token.kind} has no {key}: take it out"
            if token.die is not None and token.die not in procedure.ladder:
                dice = ", ".join(die.spoken for die in procedure.ladder)
                yield (*trail, "die"), f"{token.die.spoken} is not a trait die: the dice are {dice}"
            if token.card is not None and not is_code(token.card):
                yield (
                    (*trail, "card"),
                    f'"{token.card}" is not a card{meant_card(token.card, FULL_DECK) or ": write KH"}',
                )
            elif token.card is not None and is_joker(token.card):
                yield (*trail, "card"), "a burn card cannot be a joker: name one of the 52"

    def effect_faults(self, effect: Effect, trail: Trail, *, implied: bool) -> Iterator[Fault]:
        """Yield what an injury deck cannot do."""
        del implied
        if isinstance(effect, Penalty) and not effect.by.is_number:
            yield (*trail, "by"), "an injury takes a number from rolls: dice are not kept"
        if isinstance(effect, Penalty) and effect.per:
            yield (*trail, "per"), f"{effect.per} is not counted here"


CONTENT = DeadlandsContent
