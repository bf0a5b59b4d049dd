"""Tuck boxes: the template is folded by arithmetic, and what is printed on it is read back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from helpers import MM, chars, hackjack, lines_of, operations, page_texts, pictures, reader, run, text_in
from hypothesis import given
from hypothesis import strategies as st

from generator.games.card_products import card_set, card_set_names
from generator.layout import sheets
from generator.layout.sheets import Size
from generator.layout.tuck_box import MIN_DEPTH, ROOM, BoxPanel, Line, TuckBox, placed_box, tuck_box
from generator.pack.load import load_pack
from generator.pack.pack_locations import find, shipped
from generator.paper.panel_options import PanelOptions
from generator.products import boxes, deck

Corner = tuple[float, float, float]
A4 = sheets.paper_sizes()["a4"]
POKER = sheets.card_sizes()["poker"]

# Each panel hangs on another; the front lies still.
HANGS = {
    "left": "front", "right": "front", "back": "left", "seam": "back", "lid": "back", "tuck": "lid",
    "left dust flap": "left", "right dust flap": "right", "bottom": "back", "bottom flap": "front",
    "left bottom flap": "left", "right bottom flap": "right",
}  # fmt: skip


def turned(corner: Corner, axis: Line, sign: float) -> Corner:
    """A corner turned by a quarter about a level or upright edge of the flat template, away from the printed side."""
    (x1, y1), (x2, y2) = axis
    x, y, z = corner
    if x1 == x2:
        return x1 - sign * z, y, sign * (x - x1)
    assert y1 == y2
    return x, y1 - sign * z, sign * (y - y1)


def shared(box: TuckBox, one: str, other: str) -> Line:
    (edge,) = {*box.panel(one).edges} & {*box.panel(other).edges}
    return edge


def side_of(panel: BoxPanel, axis: Line) -> float:
    """Whether a panel lies right of or over its fold (1), or else left of or under it (-1)."""
    (x1, y1), (x2, _) = axis
    left, foot, wide, high = panel.box
    middle = left + wide / 2 - x1 if x1 == x2 else foot + high / 2 - y1
    return 1.0 if middle > 0 else -1.0


def folded(box: TuckBox) -> dict[str, list[Corner]]:
    """Where the corners of all panels are once each fold is turned by a quarter; the inside is where z is over 0."""

    def where(name: str) -> Callable[[Corner], Corner]:
        if name not in HANGS:
            return lambda corner: corner
        above = where(HANGS[name])
        axis = shared(box, name, HANGS[name])
        sign = side_of(box.panel(name), axis)
        return lambda corner: above(turned(corner, axis, sign))

    return {panel.name: [where(panel.name)((x, y, 0.0)) for x, y in panel.corners] for panel in box.panels}


def extent(corners: list[Corner]) -> list[tuple[float, float]]:
    return [(round(min(each), 3), round(max(each), 3)) for each in zip(*corners, strict=True)]


@given(
    wide=st.floats(30, 120),
    high=st.floats(30, 160),
    count=st.integers(1, 120),
    thickness=st.sampled_from([0.2, 0.3, 0.45]),
)
def test_the_template_folds_into_a_box_round_the_deck(wide: float, high: float, count: int, thickness: float) -> None:
    box = tuck_box(Size(wide, high), count, thickness)
    corners = folded(box)
    x, y, _ = (low for low, _ in extent(corners["front"]))
    inside = wide + ROOM, high + ROOM, max(count * thickness + ROOM, MIN_DEPTH)
    across, along, deep = (
        pytest.approx((start, start + length), abs=0.01) for start, length in zip((x, y, 0), inside, strict=True)
    )
    assert extent(corners["front"]) == [across, along, (0, 0)]
    assert extent(corners["back"]) == [across, along, pytest.approx((inside[2],) * 2, abs=0.01)]
    left, right = (pytest.approx((at, at), abs=0.01) for at in (x, x + inside[0]))
    assert extent(corners["left"]) == [left, along, deep]
    assert extent(corners["right"]) == [right, along, deep]
    # The lid closes the top, and the bottom the foot.
    top, foot = (pytest.approx((at, at), abs=0.01) for at in (y + inside[1], y))
    assert extent(corners["lid"]) == [across, top, deep]
    assert extent(corners["bottom"]) == [across, foot, deep]
    # What is tucked in or glued lies within the walls.
    for name in ("seam", "tuck", "left dust flap", "right dust flap", "bottom flap", "left bottom flap"):
        for (low, high_), (start, length) in zip(
            extent(corners[name]), ((x, inside[0]), (y, inside[1]), (0, inside[2])), strict=True
        ):
            assert start - 0.01 <= low <= high_ <= start + length + 0.01, name
    assert extent(corners["seam"])[0] == right
    assert extent(corners["tuck"])[2] == (0, 0)
    # Dust flaps from both sides do not meet.
    assert extent(corners["left dust flap"])[0][1] < extent(corners["right dust flap"])[0][0]


@pytest.mark.parametrize("size", sheets.card_sizes())
def test_every_edge_is_cut_or_folded_once_and_the_box_fits_a_sheet(size: str) -> None:
    box = tuck_box(sheets.card_sizes()[size], 56)
    assert len(box.folds) == len(box.panels) - 1
    assert not {*box.folds} & {*box.cuts}
    # The template is one piece: its edges go round in one line without a gap.
    met = Counter(corner for edge in box.cuts for corner in edge)
    assert set(met.values()) <= {2, 4}
    assert [panel.name for panel in box.panels if panel.glued] == ["seam", "bottom flap"]
    for paper in ("a4", "letter"):
        laid, way = placed_box(box, sheets.paper_sizes()[paper])
        for left, foot, wide, high in (panel.box for panel in laid.panels):
            assert left >= 5 and foot >= 5 and left + wide <= way.width - 5 and foot + high <= way.height - 5


@pytest.mark.parametrize(
    ("call", "says"),
    [
        ("deck --thickness 1", "--thickness means nothing for deck: it is for a box"),
        ("box --copies 2", "--copies means nothing for box: it is for sets of cards"),
        ("box --target mpc", "--target means nothing for box: it is for sets of cards"),
        ("box --format md", "box is made for paper alone and has no text to read: print it as a pdf"),
        ("box --card 120x200", "hackjack box: 52 cards of deck: a box of 121 x 201 x 16.6 mm is "),
    ],
)
def test_options_that_a_box_does_not_support_are_refused(call: str, says: str) -> None:
    done = run("print", "hackjack", *call.split())
    assert done.code == (1 if "--card" in call else 2) and done.err.startswith(says), done.err
    thinner = "choose smaller cards with --card, or thinner ones with --thickness\n"
    assert done.code == 2 or done.err.endswith(thinner)


@pytest.mark.parametrize("name", shipped())
def test_each_set_of_cards_has_a_box_with_its_name_and_its_count(name: str, tmp_path: Path) -> None:
    system = load_pack(find(name)).system
    done = run("print", name, "box", "-o", tmp_path)
    assert (done.code, done.err) == (0, "")
    pdf = (tmp_path / f"{name}-box.pdf").read_bytes()
    sets = card_set_names(system)
    assert len(reader(pdf).pages) == len(sets)
    for page, known in enumerate(sets):
        count = len(deck.faces(card_set(system, known)))
        box, _ = placed_box(tuck_box(POKER, count), A4)
        left, foot, wide, high = box.panel("front").box
        said = " ".join(text_in(pdf, page, left, foot, left + wide, foot + high).split())
        assert system.head.title in said and f"{count} cards" in said
        for side in map(box.panel, ("left", "right", "lid")):
            left, foot, wide, high = side.box
            letters = [
                char for char in chars(pdf, page) if left < char.left < left + wide and foot < char.bottom < foot + high
            ]
            assert letters and min(char.size for char in letters) >= 8
            # The pictures run over the folds, and no letter lies on them.
            assert side.name == "lid" or all(left + 1 <= c.left and c.right <= left + wide - 1 for c in letters)
        # No letter of the instructions or the ruler stands on the box.
        assert "100" not in said and "inside" not in said


def ends(line: Iterable[Iterable[float]]) -> frozenset[tuple[float, ...]]:
    return frozenset(tuple(round(at, 1) for at in end) for end in line)


def test_pictures_run_over_folds_and_cuts() -> None:
    box, _ = placed_box(tuck_box(POKER, 52), A4)
    left, foot, wide, high = box.panel("front").box
    page = pictures(boxes.box_pages(hackjack(), PanelOptions(A4)), 254)[0]
    beyond = ((left - 1, foot + 40), (left + wide + 1, foot + 40), (left + 30, foot + high + 1))
    colours = [page.getpixel((round(x * 10), page.height - round(y * 10))) for x, y in beyond]
    assert all(
        isinstance(colour, tuple) and (max(colour) - min(colour) > 40 or sum(colour) < 300) for colour in colours
    ), colours


def test_lines_are_cut_and_dashes_folded() -> None:
    pdf = boxes.box_pages(hackjack(), PanelOptions(A4))
    box, _ = placed_box(tuck_box(POKER, 52), A4)
    drawn = {ends(((x1, y1), (x2, y2))) for x1, y1, x2, y2 in lines_of(pdf, 0)}
    assert {*map(ends, (*box.folds, *box.cuts))} <= drawn
    dashed, dash, start = set(), False, (0.0, 0.0)
    for values, operator in operations(pdf, 0):
        if operator == "d":
            dash = bool(list(values[0]))
        elif operator == "m":
            start = (float(values[0]) / MM, float(values[1]) / MM)
        elif operator == "l" and dash:
            dashed.add(ends((start, (float(values[0]) / MM, float(values[1]) / MM))))
    assert {*map(ends, box.folds)} <= dashed


@pytest.mark.parametrize(
    ("wish", "inside"),
    [
        ("", "inside 64.5 x 89.9 x 16.6 mm"),
        ("--thickness 0.5", "inside 64.5 x 89.9 x 27 mm"),
        ("--jokers", "inside 64.5 x 89.9 x 17.2 mm"),
        ("--extras", "inside 64.5 x 89.9 x 17.2 mm"),
        ("--card tarot", "inside 70.85 x 121.65 x 16.6 mm"),
        ("--text large", "inside 70.85 x 121.65 x 16.6 mm"),
    ],
)
def test_the_box_is_as_large_as_what_is_put_in(wish: str, inside: str, tmp_path: Path) -> None:
    assert run("print", "hackjack", "box", *wish.split(), "-o", tmp_path).code == 0
    assert inside in page_texts((tmp_path / "hackjack-box.pdf").read_bytes())[0]
