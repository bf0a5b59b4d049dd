"""The foot of a card: what is counted, as large as can be read from a metre away, in a band as wide as it needs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise, product

import msgspec
import pytest
from helpers import Char, chars, hackjack, options, pictures

from generator.layout import sheets
from generator.layout.card_elements import Badge
from generator.paper.badges import Foot, badges_fit
from generator.paper.document import MM
from generator.products import deck

CARDS = ("poker", "bridge", "mini", "tarot", "jumbo")


def single(code: str, card: str = "poker", **changes: object) -> bytes:
    """One card of the flagship's deck, alone on its page."""
    asked = options(only=(code,), backs="none", **changes)
    return deck.singles(hackjack(), msgspec.structs.replace(asked, card=sheets.card_sizes()[card]))


def figures_over(found: Sequence[Char], caption: str) -> list[Char]:
    """The letters of the figure that stands over a caption at the foot."""
    text = "".join(char.text for char in found)
    word = found[text.rindex(caption) : text.rindex(caption) + len(caption)]
    left, right, top = word[0].left, word[-1].right, word[0].top
    middle = (left + right) / 2
    near = [char for char in found if 0 < char.bottom - top < 6 and char.size > word[0].size]
    return [char for char in near if abs((char.left + char.right) / 2 - middle) < 8]


@pytest.mark.parametrize("code", ["9S", "KS", "JS", "KC"])
def test_blood_is_as_large_as_trauma_and_both_can_be_read_from_a_metre_away(code: str) -> None:
    found = chars(single(code), 0)
    blood, trauma = (figures_over(found, caption) for caption in ("Blood", "Trauma"))
    assert {round(char.size, 2) for char in blood} >= {round(trauma[0].size, 2)}
    # Five metres to a millimetre: figures of 3 mm are large enough for one.
    assert max(char.top - char.bottom for char in blood) > 3
    assert max(char.top - char.bottom for char in trauma) > 3


def test_a_card_with_little_to_count_has_no_empty_band() -> None:
    shown = {code: pictures(single(code), 100)[0].convert("L") for code in ("AC", "JS", "RJ")}

    def ground(code: str, x: float) -> int:
        """The grey at x mm from the left, at the upper edge of the band."""
        picture = shown[code]
        return int(picture.getpixel((round(x / 25.4 * 100), picture.height - round(13.9 / 25.4 * 100))))  # type: ignore[arg-type]

    assert ground("JS", 40) < 250
    assert ground("AC", 40) == 255
    assert all(ground("RJ", x) == 255 for x in (6, 20, 40))


@pytest.mark.parametrize(
    ("card", "text"), [*((card, "normal") for card in CARDS), ("tarot", "large"), ("jumbo", "large")]
)
def test_the_letters_of_a_joker_meet_no_others(card: str, text: str) -> None:
    for code in ("RJ", "BJ"):
        found = chars(single(code, card, text=text), 0)
        said = "".join(char.text for char in found)
        words = [found[at.start() : at.end()] for at in re.finditer("JOKER", said)]
        # One letter under the other: not the word in the rule.
        columns = [word for word in words if abs(word[0].y - word[4].y) > 5]
        assert [column[0].turned for column in columns] == [False, True]
        # The tail of the J may reach a little lower than its line.
        assert text == "large" or all(upper.bottom > lower.top - 0.1 for upper, lower in pairwise(columns[0]))
        index = [char for column in columns for char in column]
        for letter, other in product(index, [char for char in found if char not in index]):
            beside = letter.right <= other.left or other.right <= letter.left
            assert beside or letter.top <= other.bottom or other.top <= letter.bottom, (code, letter, other)


def test_dice_shrink_before_badges_collide() -> None:
    """Four badges with dice fit on a poker card, and words that never could are refused."""
    foot = Foot(48.5 * MM, 1.0, 6.5, 6.75)
    four = [
        Badge("score", "10", "score"),
        Badge("blood", "2d6", "Blood"),
        Badge("trauma", "d4", "Trauma"),
        Badge("permanent", "", "for good"),
    ]
    assert badges_fit(four, foot)
    assert not badges_fit([*four, Badge("luck", "whatever was named", "luck")], foot)
