"""The window at the head of a card: a ground that shows what a suit does, its lower edge, and the emblem, engraved.

All lengths here are points, but for the paths of grounds, which are in tenths of a mm of a poker card.
"""

import math
import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from itertools import chain
from pathlib import Path
from random import Random
from typing import Literal

from msgspec import Struct
from reportlab.pdfgen.canvas import Canvas

from generator.paper import pen
from generator.paper.art import OPERATORS, Command, Outline, draw_repeated, map_points, read_paths
from generator.paper.back_patterns import TILES
from generator.paper.document import MM
from generator.paper.ink import BONE, DIAMONDS, LIGHTEST, RED, WHITE, Rgb, tint

Layer = tuple[float, float, str]
"""The contrast of a layer with its ground, 0 to 1; the width of its lines (mm), 0 for shapes; its path (0.1 mm)."""
Style = Literal["number", "court", "ace"]
"""The rank of a card at a glance: a court's window runs round its card, an ace's has neither ground nor edge."""
_REACH = 78.0
"""From the anchor of a ground to what it reaches at least, mm."""
_HALO = 0.085
"""Round an emblem, in units of its size: the ground keeps off it."""
_FADING = ((1.5, 0.04), (1.25, 0.07), (1.05, 0.12))
"""The strength of a ground in lines, and how far it reaches around the emblem, in units of half the room's height."""
_OUTLINE = 0.3
"""The width of the outlines of its shapes, mm."""
_FRAME = 2.3
"""The width of the ground on both sides of a court's text, mm."""
_LINES_EDGE = 0.7
"""Depth of an edge in lines, in units of a filled one."""
TORN = 8.0
"""The sides of the torn corner of a card that a player keeps, mm."""
_RIM = 0.8
"""The width of the torn edge along it, mm."""


class Window(Struct, frozen=True):
    """A window: its place (left, foot, width, height) on the page without bleed, and how it is painted.

    `strip` is the height over its foot on which the name stands, `notch` the width and height of the corner for the
    index, `tab` of that for a turned word, `heart` the middle of its picture. `filled`: in `colour`, with light
    drawings; otherwise in lines of `ink`. `foot` is the height of the band at the foot of the card, `dark` whether
    that is filled. `broken`, from 0 to 1, says how ragged its edge is, `torn` whether the card is one to keep, `locked`
    whether it is the end of a card that is for good, `hatched` whether all is black: then its emblem is cut deeper.
    """

    place: tuple[float, float, float, float]
    strip: float
    notch: tuple[float, float]
    tab: tuple[float, float]
    heart: tuple[float, float]
    pattern: str
    colour: Rgb
    ink: Rgb
    filled: bool
    dark: bool
    foot: float
    scale: float
    seed: str
    style: Style
    broken: float
    torn: bool
    solid: bool
    locked: bool = False
    hatched: bool = False

    @property
    def light(self) -> Rgb:
        """The colour of what stands on the ground: light on a dark one, and else the suit's ink."""
        return BONE if self.filled else self.ink

    @property
    def on_foot(self) -> Rgb:
        """The colour of what stands on the band at the foot."""
        return BONE if self.dark else self.ink


def draw_window(
    canvas: Canvas,
    window: Window,
    base: float,
    bleed: float,
    *,
    patterned: bool,
    picture: Callable[[float, float, float, float], None] | None = None,
    bare: bool = False,
) -> None:
    """Draw the window of a card whose lower edge is at `base`, with `bleed` over its edges, and the band at its foot.

    A `picture` covers the window, but for the strip with the name. `bare`: one lies there already.
    """
    left, bottom, width, height = window.place
    unit = MM * window.scale
    ends = left - bleed, left + width + bleed, bottom + height + bleed
    above = bottom + window.strip
    if window.filled:
        path, top = canvas.beginPath(), above if bare else ends[2]
        _trace(path, (("M", ends[0], top), ("L", ends[0], bottom)), _edge(window, ends[0], ends[1]))
        path.lineTo(ends[1], top)
        path.close()
        canvas.setFillColorRGB(*window.colour)
        canvas.drawPath(path, stroke=0, fill=1)
        if window.style == "court" and window.foot and not bare:
            for x in (ends[0], left + width - _FRAME * unit):
                pen.draw_box(canvas, (x, base, _FRAME * unit + bleed, bottom - base), ground=window.colour)
    if window.strip < height - 1:
        if picture:
            picture(ends[0], above, ends[1] - ends[0], ends[2] - above)
        elif patterned and (window.filled or window.style != "ace"):
            with pen.placed(canvas, clip=(ends[0], above, ends[1] - ends[0], ends[2] - above)):
                _draw_ground(canvas, window)
    if not window.filled and window.style != "ace":
        _draw_rules(canvas, window, unit, ends)
    # A corner on lines is drawn with an edge.
    edge = None if window.filled or window.style != "court" else tint(window.ink, 0.5)
    if all(window.notch) and (window.filled or picture or bare or window.style == "court"):
        # Where the window is no higher than its corner, this opens to the text.
        low = bottom + height - window.notch[1] if window.notch[1] < height - 0.5 else bottom - 3 * unit
        _draw_corner(canvas, (ends[0], left + window.notch[0]), (low, ends[2]), unit, edge)
    if all(window.tab) and (picture or bare or (patterned and edge)):
        ground = window.colour if window.filled else WHITE
        sides, top = (ends[1], left + width - window.tab[0]), ends[2]
        _draw_corner(canvas, sides, (bottom + height - window.tab[1], top), unit, edge, ground)
    if window.torn:
        _draw_torn(canvas, window, ends)
    if window.foot and window.dark:
        band = (ends[0], base - bleed, ends[1] - ends[0], window.foot + bleed)
        pen.draw_box(canvas, band, ground=window.colour)
    elif window.foot:
        y = base + window.foot
        pen.draw_rules(canvas, tint(window.ink, 0.5), 0.5, (left + 3.2 * MM, y, left + width - 3.2 * MM, y))


def _draw_torn(canvas: Canvas, window: Window, ends: tuple[float, float, float]) -> None:
    """Draw the upper right corner as if it was torn off to keep: red, with a ragged rim in the colour of the card.

    On a red ground all of it is in that colour.
    """
    unit = MM * window.scale
    right, top, luck = window.place[0] + window.place[2], window.place[1] + window.place[3], Random("torn")
    count, side = 16, TORN * unit
    steps = [(index / count, luck.uniform(-0.35, 0.35) * unit * (0 < index < count)) for index in range(count + 1)]
    for out, colour in ((_RIM * unit, WHITE), (0.0, WHITE if window.filled and window.colour == DIAMONDS else RED)):
        path = canvas.beginPath()
        path.moveTo(ends[1], ends[2])
        path.lineTo(right - side - out, ends[2])
        for share, off in steps:
            path.lineTo(right - (side + out) * (1 - share) + off, top - (side + out) * share + off)
        path.lineTo(ends[1], top - side - out)
        path.close()
        canvas.setFillColorRGB(*colour)
        canvas.setStrokeColorRGB(*RED)
        canvas.setLineWidth(0.7)
        canvas.drawPath(path, stroke=int(not window.solid), fill=int(window.solid or out > 0))


def _draw_corner(
    canvas: Canvas,
    sides: tuple[float, float],
    ends: tuple[float, float],
    unit: float,
    edge: Rgb | None,
    ground: Rgb = WHITE,
) -> None:
    """Draw a corner from its outer to its inner side and from its foot to its top, round at its inner end."""
    (outer, inner), (bottom, top), way = sides, ends, 1 if sides[0] < sides[1] else -1
    path, bend = canvas.beginPath(), way * 2.2 * unit
    path.moveTo(outer, top)
    path.lineTo(outer, bottom)
    path.lineTo(inner - bend, bottom)
    path.curveTo(inner - 0.45 * bend, bottom, inner, bottom + 0.45 * abs(bend), inner, bottom + abs(bend))
    path.lineTo(inner, top)
    canvas.setFillColorRGB(*ground)
    if edge:
        canvas.setStrokeColorRGB(*edge)
        canvas.setLineWidth(0.5)
    # Its outer and upper edge lie on the cut or beyond it.
    canvas.drawPath(path, stroke=int(edge is not None), fill=1)


def _draw_rules(canvas: Canvas, window: Window, unit: float, ends: tuple[float, float, float]) -> None:
    """Draw the rules of a window in lines: a thin one over the name, and below it a thick one with the suit's edge."""
    left, bottom, width, height = window.place
    court = window.style == "court"
    begin, end = ends[:2] if court else (left + 3.2 * MM, left + width - 3.2 * MM)
    if window.strip < height and court:
        pen.draw_rules(canvas, window.ink, 0.7, (ends[0], bottom + window.strip, ends[1], bottom + window.strip))
    path = canvas.beginPath()
    top = bottom + 0.2 * unit
    _trace(path, (("M", begin, top), ("L", begin, bottom)), _edge(window, begin, end))
    path.lineTo(end, top)
    path.close()
    canvas.setFillColorRGB(*window.ink)
    canvas.drawPath(path, stroke=0, fill=1)


def _trace(path: object, *parts: Iterable[Command]) -> None:
    Outline(tuple(command for part in parts for command in part)).trace(path, 0, 0, 1)


# --- the lower edge ----------------------------------------------------------------------------------


def _edge(window: Window, left: float, right: float) -> Iterable[Command]:
    """Yield the lower edge of a window from left to right, which hangs over the text: the graver, the more broken."""
    unit, bottom, luck, broken = MM * window.scale, window.place[1], Random(f"edge {window.seed}"), window.broken
    unit *= 1 if window.filled else _LINES_EDGE
    x, way = left, 1
    while broken and x < right - 3 * unit:
        if window.pattern == "earth":
            # Clods hang down, and fall.
            step, deep = luck.uniform(3.2, 9.5 - 4 * broken) * unit, (0.4 + luck.random() * 2.2 * broken) * unit
            end = min(x + step, right)
            yield ("C", x + 0.15 * step, bottom - deep * 1.3, end - 0.25 * step, bottom - deep * 1.3, end, bottom)
            x = end
        elif window.pattern == "vessels":
            # Drips.
            x = min(x + luck.uniform(3.4, 9.4 - 4 * broken) * unit, right - 1.6 * unit)
            deep, half = (0.4 + luck.uniform(0.2, 2.1) * broken) * unit, 1.3 * unit
            yield ("L", x - half, bottom)
            yield ("C", x - 0.4 * unit, bottom, x - 0.75 * unit, bottom - deep, x, bottom - deep)
            yield ("C", x + 0.75 * unit, bottom - deep, x + 0.4 * unit, bottom, x + half, bottom)
            x += half
        elif window.pattern == "facets":
            # Shards.
            step = luck.uniform(2.4, 7.4 - 3.4 * broken) * unit
            deep = (0.35 + luck.uniform(0.3, 2.1) * broken) * unit
            yield ("L", x + step * luck.uniform(0.2, 0.8), bottom - deep)
            x = min(x + step, right)
            yield ("L", x, bottom)
        else:
            # Splinters.
            x += luck.uniform(1.2, 3.4) * unit
            yield ("L", x, bottom - (0.35 + (0.5 + way * luck.uniform(0.4, 1.0)) * broken * 1.25) * unit)
            way = -way
    yield ("L", right, bottom)


# --- grounds -----------------------------------------------------------------------------------------


def _draw_ground(canvas: Canvas, window: Window) -> None:
    """Paint the ground round its anchor, turned or mirrored as the card's code says; in lines it fades outwards."""
    _, _, _, height = window.place
    if window.filled:
        _draw_layers(canvas, window, window.colour, 1, -LIGHTEST)
        return
    if window.style == "court":
        _draw_layers(canvas, window, window.ink, 0, _FADING[-1][1])
        return
    x, y = window.heart
    for reach, strength in _FADING:
        canvas.saveState()
        path, half = canvas.beginPath(), reach * (height - window.strip) / 2
        path.ellipse(x - 1.2 * half, y - half, 2.4 * half, 2 * half)
        canvas.clipPath(path, stroke=0, fill=0)
        _draw_layers(canvas, window, window.ink, 0, strength)
        canvas.restoreState()


def _draw_layers(canvas: Canvas, window: Window, base: Rgb, minimum: float, more: float) -> None:
    """Paint the layers of a ground in tints of a colour, from `minimum` to `more` than that: one form for each tone."""
    luck = Random(window.seed)
    left, bottom, wide, _ = window.place
    hangs = window.pattern not in ("blow", "facets", "vessels")
    x, y = (left + wide / 2, bottom) if hangs else window.heart
    turn, way = 0.0 if hangs else luck.uniform(0, 360), luck.choice((1, -1))
    tone = f"ground-{window.pattern}-{'-'.join(f'{part:.3f}' for part in (*base, more))}"
    reach = _REACH * MM
    if not canvas.hasForm(tone):
        # In lines, shapes are drawn as their outlines: that saves ink, and they fade well.
        layers = [
            (share, width if width or window.filled else _OUTLINE, path)
            for share, width, path in _layers(window.pattern)
        ]
        names = [f"ground-{window.pattern}-{index}-{width:g}" for index, (_, width, _) in enumerate(layers)]
        for name, (_, width, path) in zip(names, layers, strict=True):
            if not canvas.hasForm(name):
                canvas.beginForm(name, -reach, -reach, reach, reach)
                canvas.scale(0.1 * MM, 0.1 * MM)
                canvas.setLineWidth(width * 10)
                canvas.setLineCap(1)
                canvas._code.append(f"{path} {'S' if width else 'f'}")
                canvas.endForm()
        canvas.beginForm(tone, -reach, -reach, reach, reach)
        for name, (share, _, _) in zip(names, layers, strict=True):
            colour = tint(base, minimum + more * share)
            canvas.setFillColorRGB(*colour)
            canvas.setStrokeColorRGB(*colour)
            canvas.doForm(name)
        canvas.endForm()
    with pen.placed(canvas, (x, y), turn=turn):
        canvas.scale(way * window.scale, window.scale)
        canvas.doForm(tone)


@cache
def _layers(ground: str) -> tuple[Layer, ...]:
    """Return the layers of a ground round its anchor: one that suits have, or a pattern of a card's back."""
    drawn = [(name.split("-"), path) for name, path in _grounds().items() if name.startswith(f"{ground}-")]
    layers = ((int(share) / 100, int(width) / 100, _STEP.sub(_operator, path)) for (_, _, share, width), path in drawn)
    return tuple(layers if drawn else _tiles(ground))


_STEP = re.compile("([MLCZ])([^MLCZ]*)")


def _operator(step: re.Match[str]) -> str:
    """Return a command of an SVG path as that of a PDF."""
    return f"{step[2]} {OPERATORS[step[1]]} "


@cache
def _grounds() -> Mapping[str, str]:
    return read_paths(Path(__file__).with_name("grounds.svg"))


def _tiles(pattern: str) -> Iterable[Layer]:
    """Yield the layers of a pattern of backs, finer than there."""
    tile = TILES[pattern]  # type: ignore[index]
    dx, dy = (side * 0.8 for side in tile.cell)
    columns, rows = int(48 * MM / dx), int(64 * MM / dy)
    for share, width, commands in ((0.9, tile.wide / MM * 0.85, tile.lines), (0.8, 0.0, tile.shapes)):
        if commands:
            places = [(x, y) for x in range(-columns - 1, columns + 2) for y in range(-2, rows + 2)]
            path = (map_points(commands, (dx, 0, 0, dy, dx * x, dy * y)) for x, y in places)
            yield share, width, Outline(tuple(chain.from_iterable(path))).operators(10 / MM)


# --- the emblem --------------------------------------------------------------------------------------


def engrave(canvas: Canvas, drawing: Outline, window: Window, x: float, y: float, size: float) -> None:
    """Engrave a drawing with its middle at (x, y), tilted: light on a dark ground, or solid with light cuts."""
    tilt = Random(f"tilt {window.seed}").uniform(-6, 6)
    ground = window.colour if window.filled else WHITE
    left, bottom, width, height = window.place
    path = drawing.operators(size)
    # What keeps the ground off ends over the name.
    with (
        pen.placed(canvas, clip=(left, bottom + window.strip + 0.5, width, height)),
        pen.placed(canvas, (x, y), turn=tilt),
    ):
        canvas.setLineJoin(1)
        canvas.setStrokeColorRGB(*ground)
        canvas.setLineWidth(_HALO * size)
        canvas._code.append(f"{path} S")
    with pen.placed(canvas, (x, y), turn=tilt):
        canvas.setLineJoin(1)
        canvas.setFillColorRGB(*(window.light if window.solid else WHITE))
        canvas.setStrokeColorRGB(*window.light)
        canvas.setLineWidth(min(1.3, max(0.6, 0.014 * size)))
        # One path is painted and keeps the shading within it.
        canvas._code.append(f"{path} W* {'f*' if window.filled else 'B*'}")
        canvas.setFillColorRGB(*(ground if window.solid else window.ink))
        cuts = (1.25, -4.0) if window.filled or not window.solid else (1.95, -220.0 if window.hatched else -60.0)
        draw_repeated(canvas, f"engraving{cuts[1]:.0f}", lambda: _draw_engraving(canvas, *cuts), 0, 0, size)


def _draw_engraving(canvas: Canvas, half: float, end: float) -> None:
    """Draw lines from the upper right that swell to it, up to twice `half` wide, and `end` in a wave."""
    path = canvas.beginPath()
    turn = math.radians(32)
    cos, sin = math.cos(turn), math.sin(turn)
    for index in range(-17, 18):
        y = index * 4.0
        corners = ((60, y - half), (60, y + half), (end + 9 * math.sin(y * 0.13), y))
        for first, (px, py) in enumerate(corners):
            (path.lineTo if first else path.moveTo)(round(px * cos - py * sin, 2), round(px * sin + py * cos, 2))
        path.close()
    canvas.drawPath(path, stroke=0, fill=1)
