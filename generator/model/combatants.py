"""The nouns of a fight: who takes part, with what they wear, wield and reach. Frozen values that act on nothing."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from generator.base.dice import Dice
from generator.base.fields import Line, Text

MAX_COMBATANTS = 60

Side = Literal["allies", "enemies"]
DamageKind = Literal["slashing", "crushing", "piercing"]
Bonus = Annotated[int, Meta(ge=-99, le=99)]
Plus = Annotated[int, Meta(ge=0, le=99)]
Name = Annotated[str, Meta(min_length=1, max_length=40, pattern=r"^[^\W\d_][\w' .-]{0,38}$(?!\n)")]
Blow = Annotated[tuple[Dice, ...], Meta(min_length=1, max_length=6, description="dice that are added up: [1d6+2, 1d6]")]


class Armour(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a combatant wears, or the armour that a hide is worth."""

    type: Annotated[Line, Meta(description="a row of the armour table")] = "None"
    bonus: Annotated[Plus, Meta(description="its magical bonus")] = 0
    shield: Annotated[Plus, Meta(description="the magical bonus of a shield; leave it out without a shield")] | None = (
        None
    )
    natural: Annotated[bool, Meta(description="a hide, not something worn")] = False


class Weapon(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a combatant fights with."""

    name: Line
    damage: Annotated[DamageKind, Meta(description="what armour may be weak against")] | None = None
    bonus: Annotated[Plus, Meta(description="its magical bonus")] = 0


class Readiness(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The line of figures that makes an initiative; what is left out is taken from the combatant, or rolled."""

    dexterity: Bonus | None = None
    modifier: Bonus = 0
    magic: Bonus | None = None
    circumstance: Bonus = 0
    roll: Annotated[int, Meta(ge=1, le=1000, description="what the die shows; rolled where it is left out")] | None = (
        None
    )


class Combatant(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Someone in the fight. Bonuses are modifiers, not ability scores."""

    name: Name
    side: Side
    calling: Annotated[Line, Meta(description="what they are: Fighter 14")] | None = None
    example: Annotated[bool | UnsetType, Meta(description="the card is blank unless they are in a fight")] = UNSET
    hp: Annotated[int, Meta(ge=1, le=10_000)]
    dexterity: Bonus = 0
    strength: Bonus = 0
    intelligence: Bonus | None = None
    uses: Annotated[
        Literal["strength", "dexterity", "bonus", "challenge"],
        Meta(description="what action points build on: an ability, the class's own bonus, or a third of the challenge"),
    ] = "strength"
    bonus: Annotated[Bonus, Meta(description="the class's own bonus, where `uses` says so")] = 0
    challenge: Annotated[Plus, Meta(description="the challenge rating, where `uses` says so")] = 0
    attack: Annotated[Bonus, Meta(description="attack bonus by level or Hit Dice")] = 0
    magic: Annotated[Bonus, Meta(description="magical attack")] = 0
    class_bonus: Bonus = 0
    armour: Armour = Armour()
    weapon: Weapon
    normal: Blow
    critical: Blow
    surprise: Annotated[bool, Meta(description="begins with a surprise attack")] = False
    initiative: Readiness = Readiness()
    reach: Annotated[tuple[Name, ...], Meta(max_length=20, description="the opponents in reach")] = ()
    note: Text | None = None

    @property
    def defence(self) -> int:
        """The magical defence: the bonuses of armour and shield."""
        return self.armour.bonus + (self.armour.shield or 0)


class CombatantsFile(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`combatants.yaml`: who takes part in a fight."""

    combatants: Annotated[tuple[Combatant, ...], Meta(min_length=1, max_length=MAX_COMBATANTS)]
