"""The emblems that a card may show, each with what it looks like in words. Their drawings are a matter of `paper`."""

from collections.abc import Mapping
from types import MappingProxyType

NO_EMBLEM = "none"
"""What an author writes where a card should have no emblem, though its condition or part has one."""

EMBLEMS: Mapping[str, str] = MappingProxyType(
    {
        "again": "an arrow that turns back",
        "arm": "a bent arm",
        "bandage": "a bandage",
        "blindness": "a crossed-out eye",
        "blood": "three drops of blood",
        "bone": "a broken bone",
        "bottle": "a bottle",
        "bound": "two links of a chain",
        "breath": "a gust of breath",
        "bruise": "the mark of a blow",
        "burn": "a flame",
        "cards": "two cards",
        "charm": "a horseshoe",
        "chest": "a pair of lungs",
        "crutch": "a crutch",
        "death": "a gravestone",
        "drop": "a drop of blood",
        "ear": "an ear",
        "eye": "an eye",
        "fall": "a falling figure",
        "fear": "a screaming face",
        "fever": "a thermometer",
        "finger": "a hand with a cut finger",
        "flight": "a running figure",
        "foot": "a foot",
        "frost": "a snowflake",
        "gash": "three gashes",
        "grief": "a broken heart",
        "guts": "the guts",
        "hand": "a hand",
        "head": "a head",
        "heart": "a heart with its arteries",
        "hip": "a pelvis",
        "hole": "a playing card",
        "jaw": "bared teeth",
        "jester": "a jester's cap",
        "kicker": "a boot with a spur",
        "knee": "a knee",
        "leg": "a leg",
        "lock": "a lock",
        "luck": "a die",
        "madness": "a head with a spiral in it",
        "marker": "a marshal's star",
        "mind": "a brain",
        "mute": "lips sewn shut",
        "nose": "a nose",
        "pain": "rays of pain",
        "poison": "a bottle with a skull on it",
        "prone": "a figure on its back",
        "ribs": "a rib cage",
        "scar": "a stitched scar",
        "shield": "a split shield",
        "shock": "a bolt of lightning",
        "shoulder": "a body hit in the shoulder",
        "skull": "a skull",
        "sleep": "the moon of sleep",
        "spine": "a backbone",
        "star": "a star",
        "stun": "circling stars",
        "throat": "a cut throat",
        "time": "an hourglass",
        "tooth": "a cracked tooth",
        "torso": "a trunk",
        "unconscious": "a face with crosses for eyes",
        "weapon": "a sword",
    }
)


def is_picture(name: str) -> bool:
    """Return whether an emblem is not one of ours, but a picture in the pack's folder."""
    return "." in name
