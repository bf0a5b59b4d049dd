"""What an event takes, as plain values: reading, usage, defaults, and which values an argument may have."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from injured import glog

from generator.base.errors import UsageError
from generator.games import game_of
from generator.play.event_spec import ArgumentReading, EventSpec, by_name, read_values

CRIT: dict[str, Any] = {
    "name": "crit",
    "says": "a blow",
    "luck": ["dice"],
    "takes": [
        {"name": "damage", "kind": "number", "least": 1, "most": 30},
        {"name": "type", "words": ["blunt", "fire"], "option": True, "optional": True, "default": "blunt"},
        {
            "name": "place",
            "option": True,
            "optional": True,
            "depends": ["type"],
            "by": {"type=blunt": ["head", "arm"], "type=fire": []},
        },
        {"name": "rounds", "kind": "number", "most": 9, "optional": True, "default": 2},
        {"name": "hurt", "kind": "card", "option": True, "optional": True, "many": True},
    ],
}
"""As an author's YAML would say it."""
SPECS = by_name(msgspec.convert(CRIT, EventSpec))


def values(text: str, **at: str) -> dict[str, Any]:
    return read_values(SPECS, text.split(), at, {})


def test_a_specification_is_plain_data() -> None:
    assert msgspec.convert(msgspec.to_builtins(SPECS["crit"]), EventSpec) == SPECS["crit"]
    assert SPECS["crit"].usage() == ("crit N [--at type=blunt|fire] [--at place=PLACE] [N] [--at hurt=CARD]: a blow")
    assert (
        SPECS["crit"].usage("crit NAME") == "crit NAME N [type=blunt|fire] [place=PLACE] [N] [hurt=CARD] [dice N ...]"
    )


def test_values_are_read_and_defaults_stand_for_what_is_left_out() -> None:
    assert values("crit 7") == {"damage": 7, "type": "blunt", "rounds": 2}
    assert values("crit 7 4 type=FIRE") == {"damage": 7, "type": "fire", "rounds": 4}
    told = {"damage": 7, "type": "blunt", "place": "arm", "rounds": 2, "hurt": ("QS", "3C")}
    assert values("crit 7", place="arm", hurt="qs,3c") == told


@pytest.mark.parametrize(
    ("text", "at", "says"),
    [
        ("crush 7", {}, 'there is no event "crush"; known: crit'),
        ("crit", {}, "crit needs a number: write crit N "),
        ("crit 31", {}, "crit 31: write a number from 1 to 30"),
        ("crit 7 many", {}, 'crit takes a whole number, not "many"'),
        ("crit 7 4 4", {}, '"4" is one value too many for crit: write crit N '),
        ("crit 7", {"place": "leg"}, '--at place cannot be "leg" with type=blunt: write head or arm'),
        ("crit 7", {"type": "fire", "place": "arm"}, '--at place cannot be "arm" with type=fire: leave it out'),
        ("crit 7", {"plce": "arm"}, 'crit takes no --at plce: did you mean "place"?'),
        ("crit 7", {"x": "arm"}, "crit takes no --at x: it takes type, place, hurt"),
        ("crit 7 type=fire", {"type": "fire"}, "type is given twice"),
        ("crit 7", {"hurt": "QS,1X"}, '--at hurt: "1X" is not a card'),
    ],
)
def test_errors_name_the_argument(text: str, at: dict[str, str], says: str) -> None:
    with pytest.raises(UsageError) as raised:
        values(text, **at)
    assert str(raised.value).startswith(says)


def test_at_the_prompt_options_are_called_by_their_names() -> None:
    reading = ArgumentReading(SPECS["crit"], ["7"], {"place": "leg"}, {}, "crit NAME")
    assert str(reading.fault).startswith('place cannot be "leg" with type=blunt')
    left = ArgumentReading(SPECS["crit"], ["7", "4", "QS"], {}, {}, "crit NAME")
    assert (left.fault, left.rest) == (None, ["QS"])
    assert str(left.surplus).startswith('"QS" is one value too many for crit: write crit NAME N [type=blunt|fire]')


def test_which_values_an_argument_may_have_depends_on_those_before_it() -> None:
    waiting = ArgumentReading(SPECS["crit"], [], {"type": "fire"}, {}).waiting
    assert [argument.name for argument in waiting] == ["damage", "place", "hurt"]
    game = game_of(glog())
    state = game.read_state({})
    place = next(argument for argument in game.EVENTS["hit"].takes if argument.name == "location")
    assert game.choices(place, state, {"type": "fall"}) == ("arm", "leg")
    assert game.choices(place, state, {}) == game.choices(place, state, {"type": "body"})
    assert game.choices(place, state, {"type": "fire"}) == ()
