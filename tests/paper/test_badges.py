"""The foot of a card: what is counted, as large as can be read from a metre away, in a band as wide as it needs."""

from __future__ import annotations

import re
from itertools import pairwise, product

import msgspec
import pytest
from helpers import Char, chars, hackjack, options, product_pdf

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


def figures(code: str, card: str = "poker", **changes: object) -> list[Char]:
    """The letters and figures that stand upright on the band at the foot."""
    scale = sheets.card_sizes()[card].width / sheets.card_sizes()["poker"].width
    found = chars(single(code, card, **changes), 0)
    return [char for char in found if not char.turned and char.top < 13.5 * scale and char.text.strip()]


SLOTS = {"score": (3.2, 12.8), "blood": (13.8, 33.4), "trauma": (34.8, 47.0)}
"""Where each figure stands on a poker card, mm from the left."""


@pytest.mark.parametrize("code", ["AC", "6C", "9S", "KS", "JS", "KC"])
def test_what_is_counted_stands_in_slots_as_large_as_can_be_read_from_a_metre_away(code: str) -> None:
    """Wounds laid one under the other are added up at sight: 24 pt, no captions, each figure in its column."""
    card = hackjack().cards[code]
    counted = {
        "score": str(hackjack().score_of(card)),
        "blood": card.blood.spoken if card.blood else "",
        "trauma": str(card.trauma or ""),
    }
    found = figures(code)
    for slot, (left, right) in SLOTS.items():
        here = [char for char in found if left <= char.left and char.right <= right]
        assert "".join(char.text for char in here) == counted[slot]
    assert len(found) == sum(map(len, counted.values()))
    assert {round(char.size, 2) for char in found} == {24}


@pytest.mark.parametrize(("product", "code"), [("conditions", "one_eyed"), ("severity", "head-11")])
def test_what_a_formula_comes_to_stands_in_the_slot_of_a_score(product: str, code: str) -> None:
    """As large, and without a caption: one card of the set says what it is for. A second figure stands beside it."""
    pdf = product_pdf("glog", product, single=True, backs="none", only=(code,))
    found = [char for char in chars(pdf, 0) if not char.turned and char.top < 13.5 and char.text.strip()]
    figures = {char.text: (char.left, round(char.size)) for char in found}
    assert 3.2 < figures["2"][0] < 12.8 and {size for _, size in figures.values()} <= {24, 12}
    assert "".join(char.text for char in found) == ("+2or+4" if code == "head-11" else "+2")
    assert code == "one_eyed" or 17.8 < figures["4"][0] < 27.2


@pytest.mark.parametrize(
    ("card", "text"), [*((card, "normal") for card in CARDS), ("tarot", "large"), ("jumbo", "large")]
)
def test_the_letters_of_a_joker_meet_no_others(card: str, text: str) -> None:
    for code in ("RJ", "BJ"):
        found = chars(single(code, card, text=text), 0)
        said = "".join(char.text for char in found)
        words = [found[at.start() : at.end()] for at in re.finditer("JOKER", said)]
        # One letter under the other: not the word in the rule.
        # The word of the suit is turned at the edge of the window; its letters stand one over the other, too.
        size = sheets.card_sizes()[card]
        edge = [word for word in words if word[0].x > size.width / 2 and word[0].y > size.height / 2]
        columns = [word for word in words if abs(word[0].y - word[4].y) > 3 and word not in edge]
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
