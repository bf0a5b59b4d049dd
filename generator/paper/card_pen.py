"""Draws the face of a playing card: its window, its parts, and what is counted at its foot.

All lengths here are points, the origin is the lower left corner of the card's trim.
"""

from reportlab.pdfgen.canvas import Canvas

from generator.base.cards import is_joker
from generator.layout import card_elements
from generator.layout.type_sizes import type_sizes
from generator.model.rules import BackDesign
from generator.model.themes import Palette
from generator.paper import badges, emblem, fonts, pen, sketch, tags
from generator.paper.art import ICONS, SUITS
from generator.paper.card_blanks import (
    BOX,
    BOX_STEP,
    VALUE_LEADING,
    label_width,
    track_shape,
    value_lines,
    written_height,
)
from generator.paper.card_body import (
    LEADING,
    NAME_LEADING,
    SCALE_LEADING,
    WORD_APART,
    CardBody,
    body_of,
    capitals_width,
    name_base,
)
from generator.paper.card_setting import SAFE, CardSetting
from generator.paper.document import MM
from generator.paper.gallery import Gallery
from generator.paper.ground import draw_ground
from generator.paper.ink import BLACK, GREY, OXBLOOD, WHITE, Inks, Rgb, rgb, tint
from generator.paper.window import Style, Window, draw_window

_TYPE = type_sizes().cards
_DISC = 0.66
"""The radius of the disc round a number, in units of the number's size."""
_JOKER_STEP = 2.5 * MM
_NARROWEST = 0.64
"""So narrow may the figures of an index be, beside their own width."""
_BEHIND_TEXT = 0.14
"""Of a picture on the ground: so pale that all letters have 4.5:1 on the darkest of it."""


class CardPen:
    """Draws one face, the lower left corner of its trim at (x, y) pt, with the pictures of `gallery`.

    Kept together because every part needs the same place, colour and setting.
    """

    def __init__(
        self,
        canvas: Canvas,
        face: card_elements.Face,
        setting: CardSetting,
        x: float,
        y: float,
        inks: Inks,
        gallery: Gallery | None,
        body: CardBody | None = None,
    ) -> None:
        self.canvas, self.face, self.gallery, self.body = canvas, face, gallery, body or body_of(face)
        self.setting = setting = setting if setting.end else self.body.settled(setting)
        self.x, self.y, self.inks = x, y, inks
        self.colour = inks.of(face.suit or face.code)
        design = gallery.design if gallery else BackDesign()
        chosen = design.colour is None or getattr(canvas, "palette", Palette()).back != Palette().back
        left, bottom, width, height = self.body.room(setting)
        style = _style(face)
        self.window = Window(
            place=(x, y + setting.height - setting.window, setting.width, setting.window),
            strip=setting.strip,
            notch=setting.notch,
            tab=self.body.tab(setting),
            heart=(x + left + width / 2, y + bottom + height / 2),
            pattern=(gallery.patterns.get(face.suit) if gallery else None) or design.pattern or "lozenges",
            colour=inks.window(face.suit or face.code, OXBLOOD if chosen else rgb(design.colour or "")),
            ink=self.colour,
            filled=(inks.filled and (style != "ace" or self._pictured())) or self.covered,
            dark=inks.filled or self.covered,
            foot=setting.band_top,
            scale=setting.scale,
            seed=face.code,
            style=style,
            broken=self.body.broken,
            torn=self.body.is_torn(setting),
            hatched=inks.theme.suits == "hatched",
            solid=inks.solid,
        )

    def draw_ground(self, bleed: float, *, ground: bool) -> None:
        """Draw the ground of the face, if there is a `ground`, with `bleed` pt around its trim."""
        if ground:
            trim = (self.x, self.y, self.setting.width, self.setting.height)
            draw_ground(self.canvas, trim, bleed, self.inks)

    def draw_window(self, bleed: float) -> None:
        """Draw the window, with a picture of the pack's own in it, and the band at the foot, with `bleed` pt around."""
        patterned = self.inks.solid and (self.gallery is None or self.gallery.pale) and not self.covered
        picture = self._draw_pictures if self._pictured() else None
        draw_window(self.canvas, self.window, self.y, bleed, patterned=patterned, picture=picture, bare=self.covered)

    def _pictured(self) -> bool:
        """Return whether pictures of the pack's own cover the window."""
        pictures = self.body.pictures(self.setting) if self.setting.tall else []
        return bool(pictures) and self.gallery is not None and all(self.gallery.has(each.path) for each in pictures)

    def _draw_pictures(self, x: float, y: float, width: float, height: float) -> None:
        """Cover a part of the window with the pack's own pictures, side by side."""
        pictures = self.body.pictures(self.setting)
        step = width / len(pictures)
        for place, picture in enumerate(pictures):
            if self.gallery:
                self.gallery.cover(self.canvas, picture.path, x + place * step, y, step, height)

    @property
    def covered(self) -> bool:
        """Return True if a picture of the pack's own covers the whole card."""
        own = card_elements.backdrop_art(self.face)
        return own is not None and own.placed == "bleed" and self.gallery is not None and self.gallery.has(own.path)

    def draw_backdrop(self, bleed: float, paper: Rgb, *, cut: bool) -> None:
        """Draw the picture on the ground of the face, with `bleed` pt around its trim or `cut` to that.

        `paper` is the colour of the ground, with which a picture behind text is mixed.
        """
        picture = card_elements.backdrop_art(self.face)
        if picture is None or self.gallery is None or not self.gallery.has(picture.path):
            return
        behind = picture.placed == "ground"
        if behind and not self.gallery.pale:
            return
        width, height = self.setting.width, self.setting.height
        clip, whole = (
            (self.x - beyond, self.y - beyond, width + 2 * beyond, height + 2 * beyond)
            for beyond in (0.0 if cut else bleed, bleed)
        )
        with pen.placed(self.canvas, clip=clip):
            self.gallery.cover(self.canvas, picture.path, *whole, _BEHIND_TEXT if behind else 1.0, paper)
        if not behind:
            self._text_grounds()

    def _text_grounds(self) -> None:
        """A plain ground for the text on a picture."""
        setting, edge = self.setting, SAFE - 1.2 * MM
        bottom = setting.band_top or edge
        place = (self.x + edge, self.y + bottom, setting.width - 2 * edge, setting.height - setting.window - bottom)
        pen.draw_box(self.canvas, place, ground=WHITE)

    def draw(self) -> None:
        """All parts, the pale ones first so that text stands on top."""
        body, setting = self.body, self.setting
        left, bottom, width, height = body.room(setting)
        room = self.x + left, self.y + bottom, width, height
        pictured = self._pictured() or self.covered
        for picture in body.pictures(setting) if pictured else ():
            # It lies there already: this is its place in the order of reading.
            with tags.tagged_as(self.canvas, picture), pen.placed(self.canvas):
                pass
        emblems = [part for part in self.face.parts if isinstance(part, card_elements.Emblem)]
        drawn = any(isinstance(part, card_elements.Sketch) for part in self.face.parts)
        if setting.sign and setting.tall and not emblems and not drawn:
            emblems = [card_elements.Emblem("", "", setting.sign)]
        for sign in () if pictured else emblems:
            with tags.tagged_as(self.canvas, sign):
                least = emblem.LEAST_ROOM if setting.tall else 0.0
                emblem.draw_suit_or_emblem(self.canvas, sign, room, self.window, self.gallery, least)
        for part in self.face.parts:
            self._part(part)
        self._body()
        for part in self.face.parts:
            if isinstance(part, card_elements.Sketch):
                with tags.tagged_as(self.canvas, part):
                    sketch.draw_sketch(self.canvas, part, room, setting.scale, setting.minimum, self.inks)
        # At the foot: first what stands at its left.
        badges.draw_badges(self.canvas, body.badges, setting.foot, self.x + SAFE, self.y + SAFE, self.window)
        if body.gauge:
            right, top = self.x + setting.width - SAFE, self.y + SAFE + 9 * MM * setting.scale
            badges.draw_gauge(self.canvas, body.gauge, right, top, setting.scale, self.window.on_foot)

    def _part(self, part: card_elements.Part) -> None:
        match part:
            case card_elements.Index():
                self._index(part, turned=False)
                if self.setting.turned:
                    self._index(part, turned=True)
            case card_elements.Title():
                with tags.tagged_as(self.canvas, part):
                    self._title()
            case card_elements.Rule() if "rule" not in self.setting.dropped:
                with tags.tagged_as(self.canvas, part):
                    self._rule(part)
            case _:
                return

    # The index: rank over suit, as on any playing card, so that a fanned hand can be read.

    def _index(self, index: card_elements.Index, *, turned: bool) -> None:
        setting, share = self.setting, self.setting.turned_share if turned else 1.0
        scale = setting.scale * share
        middle = SAFE + setting.index_width * share / 2 - 0.2 * MM * scale
        top = setting.height - SAFE
        if is_joker(index.rank):
            size = max(setting.minimum, _TYPE.joker * scale)
            first = top - max(2.3 * MM * scale, 0.7 * size)
            with tags.tagged_as(self.canvas, index, "rank"), tags.tagged_as(self.canvas, index, "suit"):
                for place, letter in enumerate("JOKER"):
                    # The tail of the J reaches below its line.
                    y = first - (_JOKER_STEP * place + (0.4 * MM if place else 0.0)) * scale
                    self._corner_text(letter, middle, y, size, turned=turned)
            return
        with tags.tagged_as(self.canvas, index, "rank"):
            self._corner_text(index.rank, middle, top - 4.9 * MM * scale, _TYPE.index * scale, turned=turned)
        if not index.suit and _turns_into_another(index.rank):
            self._underline(middle, top - 5.6 * MM * scale, 3.6 * MM * scale, turned=turned)
        if index.suit:
            x, y = self._corner(middle, top - 8.8 * MM * scale, turned=turned)
            with tags.tagged_as(self.canvas, index, "suit"):
                self._suit(index.suit, x, y, 5.4 * MM * scale, turned=turned)

    def _corner(self, x: float, y: float, *, turned: bool) -> tuple[float, float]:
        """Return a place measured from the card's corner, or from the opposite corner of the turned card."""
        if turned:
            x, y = self.setting.width - x, self.setting.height - y
        return self.x + x, self.y + y

    def _corner_text(self, letters: str, x: float, y: float, size: float, *, turned: bool) -> None:
        """A rank centred at x with its foot at y; a wide one is drawn narrower, as the 10 of real cards is, and smaller
        where that would be too narrow."""
        room = (self.setting.index_width - 1.2 * MM * self.setting.scale) * (
            self.setting.turned_share if turned else 1.0
        )
        width = pen.letters_width(letters, fonts.INDEX, 1) or 1.0
        size = max(self.setting.minimum, min(size, room / (_NARROWEST * width)))
        scale = min(1.0, room / (width * size))
        place, way = self._corner(x, y, turned=turned), -1 if turned else 1
        turn = (way * scale, 0, 0, way)
        colour = self._index_colour(turned=turned)
        pen.draw_line(self.canvas, letters, *place, fonts.INDEX, size, align="middle", colour=colour, turn=turn)

    def _underline(self, middle: float, y: float, width: float, *, turned: bool) -> None:
        """A line under a rank, centred at `middle` with its upper edge at y: it says which way up the number is."""
        height = 0.5 * MM * self.setting.scale
        one = self._corner(middle - width / 2, y - height, turned=turned)
        other = self._corner(middle + width / 2, y, turned=turned)
        pen.draw_box(self.canvas, (*min(one, other), width, height), ground=self._index_colour(turned=turned))

    def _index_colour(self, *, turned: bool) -> Rgb:
        """The colour of what stands in the corner for the index, or on the band at the foot."""
        return self.window.on_foot if turned else self.colour

    def _suit(self, suit: str, x: float, y: float, size: float, *, turned: bool) -> None:
        """A suit's sign at its full strength."""
        if self.gallery is None or (own := self.gallery.suit(suit)) is None:
            colour, hatched = self._index_colour(turned=turned), self.inks.hatched(suit)
            badges.draw_sign(
                self.canvas, SUITS[suit], x, y, size, colour, solid=self.inks.solid, turned=turned, hatched=hatched
            )
        else:
            self.gallery.sign(self.canvas, own, x, y, size, turned=turned)

    def _title(self) -> None:
        size, lines = self.body.name(self.setting, tall=self.setting.tall) or (0.0, ())
        left = self.setting.side if self.setting.tall else self.setting.title_left
        pen.draw_lines(
            self.canvas,
            lines,
            self.x + left,
            self.y + self._title_base(size, len(lines)),
            size,
            NAME_LEADING,
            colour=self.window.light,
        )

    def _title_base(self, size: float, lines: int) -> float:
        """Return the base of the name's first line over the foot of the trim, pt."""
        setting = self.setting
        return setting.height - setting.window + name_base(size, setting) + (lines - 1) * NAME_LEADING * size

    def _rule(self, rule: card_elements.Rule) -> None:
        """Draw the suit's character in small capitals: turned at the edge of the window, or beside the index."""
        canvas, setting, small = self.canvas, self.setting, self.setting.small
        word, x, y, colour = rule.word.upper(), self.x, self.y + setting.height - SAFE, self.window.light
        right = x + setting.width - SAFE
        if self.body.scale(setting):
            x, y, colour = x + setting.side, self._text_top - self.body.words_height(setting) - small * 0.8, self.colour
        elif not setting.tall:
            x, y, right = x + setting.title_left, y - small * 0.72, right - self.body.beside * setting.scale
            if self.window.locked:
                middle = (x + small * 0.45, y + small * 0.36)
                badges.draw_sign(canvas, ICONS["lock"], *middle, small * 1.25, self.window.light, solid=self.inks.solid)
                x += small * 1.4
        elif self.body.is_flat(setting):
            x += setting.side
            y = self.y + setting.height - setting.window + setting.strip - 1.1 * MM * setting.scale - small * 0.72
        else:
            x, y, turn = right - small * 0.7, self.y + setting.height - self.body.word_top(setting), (0, -1, 1, 0)
            pen.draw_line(canvas, word, x, y, fonts.SANS_BOLD, small, colour=colour, apart=WORD_APART, turn=turn)
            return
        word = _shortened(word, small, right - x)
        pen.draw_line(canvas, word, x, y, fonts.SANS_BOLD, small, colour=colour, apart=WORD_APART)

    def _body(self) -> None:
        """Draw the flavour under the name, then the effects, and what is below them."""
        body, setting, size = self.body, self.setting, self.setting.size
        self._flavour()
        y = self._text_top - size * 0.76
        hanging = (0.0, *body.gaps(setting)), body.hanging(setting), body.printed_parts(setting)
        for lines, gap, indent, part in zip(body.lines(setting), *hanging, strict=False):
            y -= size * gap
            left = self.x + setting.side
            with tags.tagged_as(self.canvas, part):
                if isinstance(part, card_elements.Callout):
                    self._numbered_disc(part.number, left + 0.55 * size, y + size * 0.33)
                pen.draw_lines(self.canvas, lines, left + indent * size, y, size, LEADING)
            y -= len(lines) * size * LEADING
        self._scale()
        self._written()

    def _numbered_disc(self, number: int, x: float, y: float) -> None:
        """A number in a black disc round (x, y); in a ring where ink is saved."""
        canvas, size, solid = self.canvas, self.setting.minimum, self.inks.solid
        canvas.setLineWidth(0.6)
        canvas.setStrokeColorRGB(*(WHITE if solid else BLACK))
        canvas.setFillColorRGB(*(BLACK if solid else WHITE))
        canvas.circle(x, y, size * _DISC, stroke=1, fill=1)
        colour = WHITE if solid else BLACK
        pen.draw_line(canvas, str(number), x, y - size * 0.33, fonts.SANS_BOLD, size, align="middle", colour=colour)

    def _scale(self) -> None:
        """Draw rows of a label, a bar and a figure; a thin line ends the bars where they would be certain."""
        body, setting, size, canvas = self.body, self.setting, self.setting.size, self.canvas
        rows = body.scale(setting)
        if not rows:
            return
        scales = (part for part in self.face.parts if isinstance(part, card_elements.Scale))
        scale_rows = [(part, row) for part in scales for row in range(len(part.rows))]
        left, right = self.x + setting.side, self.x + setting.width - setting.side
        begin = left + (max(fonts.text_width(label, fonts.SANS_BOLD) for label, _, _ in rows) + 0.5) * size
        end = right - (max(fonts.text_width(figure, fonts.SANS) for _, _, figure in rows) + 0.5) * size
        top = self._text_top - body.words_height(setting) - body.heading(setting)
        for index, (label, share, figure) in enumerate(rows):
            base = top - (index + 0.76) * size * SCALE_LEADING
            bar = (begin, base - 0.06 * size, (end - begin) * share, 0.72 * size)
            ground = tint(self.colour, 0.55 if self.inks.solid else 0)
            with tags.tagged_as(canvas, *scale_rows[index]):
                pen.draw_line(canvas, label, begin - 0.5 * size, base, fonts.SANS_BOLD, size, align="right")
                pen.draw_line(canvas, figure, right, base, fonts.SANS, size, align="right")
                pen.draw_box(canvas, bar, ground=ground, edge=self.colour, wide=0.4)
        canvas.line(end, top - 0.1 * size, end, top - len(rows) * size * SCALE_LEADING + 0.1 * size)

    # What is written by hand: lines, and boxes to cross off.

    def _written(self) -> None:
        top = self._text_top - self.body.printed_height(self.setting)
        for part in self.body.written(self.setting):
            height = written_height(part, self.setting)
            with tags.tagged_as(self.canvas, part):
                if isinstance(part, card_elements.Blank):
                    self._blank(part, top - height)
                else:
                    self._track(part, top - height)
            top -= height

    def _blank(self, blank: card_elements.Blank, bottom: float) -> None:
        """A label and a line to write on, with what stands there already; a long value takes more lines."""
        setting, size, canvas = self.setting, self.setting.size, self.canvas
        left, right = self.x + setting.side, self.x + setting.width - setting.side
        width = label_width(blank) * size
        lines = value_lines(blank, setting)
        feet = [bottom + index * size * VALUE_LEADING for index in range(max(1, len(lines)) - 1, -1, -1)]
        pen.draw_line(canvas, blank.label, left, feet[0] + size * 0.3, fonts.SANS, size)
        pen.draw_lines(canvas, lines, left + width, feet[0] + size * 0.3, size, VALUE_LEADING)
        pen.draw_rules(canvas, GREY, 0.5, *((left + width, under, right, under) for under in feet))

    def _track(self, track: card_elements.CardTrack, bottom: float) -> None:
        """Boxes from left to right and down; those before the step that is reached are crossed off."""
        setting, size, canvas = self.setting, self.setting.size, self.canvas
        rows, columns = track_shape(track, setting)
        step = setting.measure / columns
        width, height = step - size * 0.4, size * BOX
        reached = track.steps.index(track.reached) if track.reached in track.steps else 0
        for place, word in enumerate(track.steps):
            row, column = divmod(place, columns)
            x = self.x + setting.side + column * step
            y = bottom + (rows - 1 - row) * size * BOX_STEP
            pen.draw_box(canvas, (x, y, width, height), edge=BLACK, wide=1.6 if word == track.reached else 0.7)
            middle, base, colour = x + width / 2, y + height / 2 - size * 0.34, GREY if place < reached else BLACK
            pen.draw_line(canvas, word, middle, base, fonts.SANS_BOLD, size, align="middle", colour=colour)
            if place < reached:
                canvas.line(x, y, x + width, y + height)

    def _flavour(self) -> None:
        size, lines = self.setting.flavour, self.body.flavour_lines(self.setting)
        x, y = self.x + self.setting.side, self.y + self.setting.text_top - size * 0.74
        flavour = next((part for part in self.face.parts if isinstance(part, card_elements.Flavour)), None)
        with tags.tagged_as(self.canvas, flavour):
            pen.draw_lines(self.canvas, lines, x, y, size, LEADING, colour=self.colour)

    @property
    def _text_top(self) -> float:
        """The top of the sentences, under the flavour and what keeps it apart from them, pt."""
        flavour = self.body.text_height(self.setting) - self.body.height(self.setting)
        return self.y + self.setting.text_top - flavour


def _shortened(words: str, size: float, room: float) -> str:
    """Return words in small capitals with an ellipsis for what does not fit into `room` pt."""
    less = (f"{words[:count].rstrip()}\N{HORIZONTAL ELLIPSIS}" for count in range(len(words) - 1, 0, -1))
    return next((each for each in (words, *less) if capitals_width(each, size) <= room), words)


def _style(face: card_elements.Face) -> Style:
    """Return how grave a playing card is at a glance."""
    rank = next((part.rank for part in face.parts if isinstance(part, card_elements.Index)), "")
    named = any(isinstance(part, card_elements.Title) for part in face.parts)
    if is_joker(face.code) or (face.suit and rank == "A") or not named:
        return "ace"
    return "court" if face.suit and rank in ("J", "Q", "K") else "number"


_TURNED = str.maketrans("01689", "01986")


def _turns_into_another(rank: str) -> bool:
    """Return whether a number reads as another one upside down, as 6 and 9 do, and no suit says which way up it is."""
    turned = rank[::-1].translate(_TURNED)
    return set(rank) <= set("01689") and turned != rank and not turned.startswith("0")
