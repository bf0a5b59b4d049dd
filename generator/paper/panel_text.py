"""Headings, notes, paragraphs, steps in boxes and wounds of panels, set as slices. All lengths are points."""

import re

from reportlab.pdfgen.canvas import Canvas

from generator.layout.panel_elements import Heading, Note, Paragraph, WoundBox, is_step
from generator.paper import fonts, pen, tags, text
from generator.paper.art import ICONS, SUITS
from generator.paper.columns import Slice
from generator.paper.emblem import draw_emblem
from generator.paper.ink import BLACK, GREY, tint
from generator.paper.panel_style import HEADING, LEADING, MIN_TYPE, PanelStyle, draw_text, sentence_words, width_fault

_RAISED = 0.65
_EMBLEM = 1.5
"""The width that the emblem of a wound takes in a table, in units of the type size."""
_COUNTERS = re.compile(r"(\b[BT])(?=\d|d\d)")
"""Blood and Trauma, which are drawn as a drop and a bone."""


def heading_slice(style: PanelStyle, piece: Heading, measure: float) -> Slice:
    """Return a heading over a rule, its source at the right; one `below` another is as large as the text."""
    size, small = style.size if piece.below else style.heading, style.small
    words = text.split_words((text.Run(piece.text, fonts.display_font(piece.text)),))
    indent = size * 1.45 if piece.emblem else 0.0
    lines = text.broken_lines(words, (measure - indent) / size)
    source = fonts.text_width(piece.source, fonts.SANS) * small
    is_beside = indent + text.line_width(lines[-1]) * size + size * 0.4 + source <= measure
    under = 0.0 if not piece.source or is_beside else small * LEADING
    height = len(lines) * size * 1.05 + style.size * (0.2 if piece.below else 0.45) + under
    bottom = height - style.size * 0.15

    def draw(canvas: Canvas, x: float, y: float) -> None:
        if piece.emblem:
            style.draw_emblem(canvas, piece.emblem, x + size * 0.62, y - size * 0.55, size * 1.15)
        pen.draw_lines(canvas, lines, x + indent, y - size * 0.85, size, 1.05)
        if piece.below:
            return
        pen.draw_rules(canvas, BLACK, 1.2, (x, y - bottom, x + measure, y - bottom))
        with tags.tagged_as(canvas, piece, "source"):
            pen.draw_line(canvas, piece.source, x + measure - source, y - bottom + 3, fonts.SANS, small, colour=GREY)

    return Slice(height, style.size * (0.4 if piece.below else 0.9), draw, keep=True, column=piece.column)


def note_slice(style: PanelStyle, piece: Note, measure: float) -> Slice:
    """Return a note in small grey letters."""
    size = style.small
    lines = text.broken_lines(text.split_words((text.Run(piece.text, fonts.SANS),)), measure / size)

    def draw(canvas: Canvas, x: float, y: float) -> None:
        draw_text(canvas, lines, x, y, size, GREY)

    return Slice(len(lines) * size * LEADING, size * 0.3, draw)


def paragraph_slice(style: PanelStyle, piece: Paragraph, measure: float, step_height: float) -> Slice:
    """Return a paragraph beside its label or sign; a step of a boxed look is a box of at least `step_height`."""
    size, indent = style.size, 0.0
    if style.look.boxed and is_step(piece):
        return step_slice(style, piece, measure, step_height)
    if piece.label:
        width = fonts.text_width(max(piece.label, piece.widest, key=len), fonts.SANS_BOLD)
        indent = max(1.25, width + 0.45) * size
    elif piece.sign:
        indent = 1.6 * size
    words = sentence_words(piece.text, marks=max(_RAISED, MIN_TYPE / size), strong=piece.strong)
    lines = text.broken_lines(words, (measure - indent) / size)

    def draw(canvas: Canvas, x: float, y: float, more: float = 0.0) -> None:
        del more  # It stays under the text.
        with tags.tagged_as(canvas, piece, "label"):
            pen.draw_line(canvas, piece.label, x, y - size * 0.86, fonts.SANS_BOLD, size)
        if piece.sign:
            _draw_sign(style, canvas, piece.sign, x + size * 0.6, y - size * 0.55)
        draw_text(canvas, lines, x + indent, y, size)

    fault = width_fault(words, (measure - indent) / size)
    grows = size * 1.2 if style.look.boxed else 0.0
    return Slice(len(lines) * size * LEADING, size * 0.32, draw, fault=fault, grows=grows)


def step_slice(style: PanelStyle, piece: Paragraph, measure: float, minimum: float = 0.0) -> Slice:
    """Return a step in a box: its number large at the left, its title over the text, its emblem at the right."""
    size, pad = style.size, style.size * 0.42
    left = size * (1.1 + 2 * fonts.text_width("0" * len(piece.widest), fonts.INDEX))
    right = size * 3.5 if piece.emblem else pad
    room, large = measure - left - right, size * HEADING
    title = text.broken_lines(
        text.split_words((text.Run(piece.strong, fonts.display_font(piece.strong)),)), room / large
    )
    words = sentence_words(piece.text, marks=max(_RAISED, MIN_TYPE / size))
    lines = text.broken_lines(words, room / size)
    title_height = len(title) * large * LEADING
    inner = title_height + len(lines) * size * LEADING
    height = max(inner + 2 * pad, size * 2.4, minimum)

    def draw(canvas: Canvas, x: float, y: float, more: float) -> None:
        full, bar = height + more, size * 0.3
        if style.inks.solid:
            pen.draw_box(canvas, (x, y - full, measure, full), ground=tint(style.hue, 0.07))
        else:
            pen.draw_box(canvas, (x, y - full, measure, full), edge=GREY, wide=0.4)
        pen.draw_box(canvas, (x, y - full, bar, full), ground=style.hue)
        middle, number = y - full / 2, size * 2
        with tags.tagged_as(canvas, piece, "label"):
            place = x + (left + bar) / 2, middle - number * 0.34
            pen.draw_line(canvas, piece.label, *place, fonts.INDEX, number, align="middle", colour=style.hue)
        top = middle + inner / 2
        pen.draw_lines(canvas, title, x + left, top - large * 0.86, large, LEADING)
        draw_text(canvas, lines, x + left, top - title_height, size)
        if piece.emblem:
            side = min(size * 2.6, full - 2 * pad)
            style.draw_emblem(canvas, piece.emblem, x + measure - right / 2, middle, side)

    return Slice(height, size * 0.45, draw, fault=width_fault(words, room / size), grows=size * 4)


def _draw_sign(style: PanelStyle, canvas: Canvas, sign: str, x: float, y: float) -> None:
    """Draw a sign of the cards beside what it means, round (x, y)."""
    shape = SUITS.get(sign) or ICONS.get(sign)
    canvas.setFillColorRGB(*style.inks.of(sign))
    if shape is not None:
        shape.draw(canvas, x, y, style.size * 1.05)
    elif sign == "disc":
        canvas.circle(x, y, style.size * 0.46, stroke=0, fill=1)
    else:
        pen.draw_line(canvas, sign, x, y - style.size * 0.31, fonts.SANS_BOLD, style.size, align="middle")


def wound_slice(style: PanelStyle, piece: WoundBox, measure: float) -> Slice:
    """Return a wound beside the rank and suit of its card, its emblem at the right."""
    # The colour of a joker is longer than a rank with its suit.
    size, indent = style.size, style.size * (2.55 if piece.suit in SUITS else 3.2)
    colour, bold = style.inks.of(piece.suit), fonts.SANS_BOLD
    figures = _COUNTERS.split(f" {piece.figures}") if piece.figures else ()
    signs = (text.Run(part, fonts.SIGNS if part in ("B", "T") else bold) for part in figures if part)
    sentence = text.figures_bold(piece.text, fonts.SANS, bold)
    words = text.split_words(
        (text.Run(piece.name, bold), *signs, *((text.Run(": ", bold), *sentence) if piece.text else ()))
    )
    side = size * _EMBLEM if piece.emblem else 0.0
    room = measure - indent - size * 0.3 - side
    lines = text.broken_lines(words, room / size)
    height = len(lines) * size * LEADING + size * 0.2

    def draw(canvas: Canvas, x: float, y: float, more: float) -> None:
        if piece.band:
            style.draw_stripe(canvas, x, y, measure, height + more)
        y -= more / 2
        turn = (min(1.0, (indent / size - 0.5) / fonts.text_width(piece.rank, bold)), 0, 0, 1)
        with tags.tagged_as(canvas, piece, 0):
            pen.draw_line(canvas, piece.rank, x + size * 0.2, y - size * 0.96, bold, size, colour=colour, turn=turn)
            if piece.suit in SUITS:
                # A ten is as wide as two figures: the suit keeps off it.
                canvas.setFillColorRGB(*colour)
                SUITS[piece.suit].draw(canvas, x + size * 1.86, y - size * 0.64, size * 0.82)
        with tags.tagged_as(canvas, piece, 1):
            draw_text(canvas, lines, x + indent, y - size * 0.1, size)
        if piece.emblem:
            place = x + measure - side / 2, y - height / 2
            draw_emblem(canvas, piece.emblem, *place, side * 0.86, colour, None, solid=style.inks.solid)

    return Slice(height, 0, draw, fault=width_fault(words, room / size), grows=size * 0.8)
