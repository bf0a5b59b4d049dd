"""The annotated deck: playing cards with their effects on them, on sheets with backs, or one to a page."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from itertools import cycle, islice
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace
from reportlab.pdfgen.canvas import Canvas

from generator.base.errors import FaceError, HackjackError, Problem, UsageError
from generator.games.card_products import PATTERNS, card_set
from generator.layout.card_elements import CardSet, Face, Home, backdrop_art
from generator.layout.reading import Length, Node, cards_told
from generator.layout.sheets import CutTemplate, Grid, Printed, Size, card_sizes, packed_grid, sheet_batches
from generator.model.rules import BackDesign, System
from generator.model.themes import Palette
from generator.pack.strict_yaml import Marks
from generator.paper import card as paper_card
from generator.paper import fonts, pen, sheet, tags
from generator.paper.art import emblem_outline
from generator.paper.back import draw_back
from generator.paper.card import Print
from generator.paper.card_body import OverfullError
from generator.paper.card_ends import pen_of
from generator.paper.card_setting import CardSetting
from generator.paper.document import MM, Looks, close_document, open_document, open_product, palette_in_use
from generator.paper.gallery import Gallery
from generator.paper.ink import OXBLOOD, Rgb, rgb
from generator.products import art
from generator.words.wording import DAGGER, product_line, product_title

NAME = "deck"
BLEED = 1.5
"""How far the backs run beyond the trim, mm: as far as printers and scissors are off."""

_GROUND = 0.6
"""The same of the grounds of faces: more would reach the ruler in the margin."""
_SLUG = 6.0
"""Room for crop marks around the bleed of a single card, mm."""
_BACK, _ALONE_TOO = "back", "-alone"
"""The back with its bleed, and what the name of the same without ends with."""
LARGE_CARDS = ("tarot", "jumbo")
"""The cards for large print unless others are asked for, the smaller first."""
_HAIR = 0.2
"""So far does what has no bleed reach into its neighbour, pt, that no seam shows between them."""

Step = Callable[[], None]


class Options(Looks, frozen=True):
    """How a deck is printed. Sizes in mm; `nudge` moves the backs to the right and up.

    `layout` says where the cards lie on the paper: edge to edge in its middle unless it is given. `start` is the place
    of the first card on the first sheet, from 1. All cards are printed `copies` times, one set after the other; with
    `fill` they begin again until the last sheet is full. `extras` adds the cards that explain the others, which are
    alone without `cards`; with a `guide` the one that tells how to read a deck takes a place that is free. `counts`
    says how many there are of a card, by code, where its set has another number. `template` is what a cutting machine
    needs on every sheet.
    """

    paper: Size
    card: Size
    backs: Literal["none", "duplex"] = "duplex"
    nudge: tuple[float, float] = (0.0, 0.0)
    marks: sheet.Marks = "cut"
    only: tuple[str, ...] = ()
    jokers: bool = False
    text: Print = "normal"
    layout: Grid | None = None
    template: CutTemplate | None = None
    start: int = 1
    copies: int = 1
    fill: bool = False
    extras: bool = False
    guide: bool = False
    counts: Mapping[str, int] = {}
    cards: bool = True

    @property
    def grid(self) -> Grid:
        """Where the cards lie on a sheet."""
        return self.layout or packed_grid(self.paper, self.card)

    @property
    def trim(self) -> Size:
        """The size of a card as it is cut, mm."""
        return self.layout.card if self.layout else self.card

    @property
    def margin_scale(self) -> float:
        """How large what stands in the margin is, beside its usual size."""
        return sheet.LARGE_SCALE if self.text == "large" else 1.0

    def gallery(self, system: System, cards: CardSet, *, process: bool = False, name: str = "") -> Gallery:
        """The pack's own pictures; none where ink is saved, and none behind text with high contrast."""
        pale = self.contrast == "normal"
        return Gallery(system, cards, shown=self.ink == "full", process=process, pale=pale, name=name)


def faces(
    chosen: CardSet, only: Collection[str] = (), spare: bool = False, counts: Mapping[str, int] | None = None
) -> tuple[Face, ...]:
    """The faces to print, in order, each as often as it has copies, or as `counts` says by code.

    Raises UsageError for a card that is not there.
    """
    copies = {**chosen.copies, **(counts or {})}
    codes = {face.code for face in chosen.faces}
    if not codes:
        raise HackjackError(f"there are no cards in {chosen.called}")
    for code in only:
        if code not in codes:
            raise UsageError(f"there is no card {code} in {chosen.called}")
    return tuple(
        face
        for face in chosen.faces
        if (face.code in only if only else spare or face.code not in chosen.spare)
        for _ in range(copies.get(face.code, 1))
    )


def laid_out(system: System, product: str, options: Options) -> tuple[Face, ...]:
    """The faces to print as often as the options ask for. Raises UsageError for a card that is not there."""
    printed = card_set(system, product)
    once = faces(printed, options.only, options.jokers, options.counts) if options.cards else ()
    if options.extras:
        from generator.products import extras

        once += extras.extra_faces(system, printed, options.trim, options.text)
    count = len(once) * options.copies
    if options.fill:
        places, used = len(options.grid.places), options.start - 1
        count = -(-(count + used) // places) * places - used
    chosen = tuple(islice(cycle(once), count))
    if options.guide and product == NAME and chosen and not options.extras and not options.only:
        from generator.products import extras

        if (count + options.start - 1) % len(options.grid.places):
            chosen += extras.guide_faces(system, printed, options.trim, options.text)
    return chosen


def sheet_count(system: System, options: Options, product: str = NAME) -> int:
    """How many sheets the cards take."""
    # A card that only takes a free place needs no sheet.
    count = len(laid_out(system, product, replace(options, guide=False)))
    return -(-(count + options.start - 1) // len(options.grid.places))


def sheets(system: System, options: Options, step: Step = lambda: None, product: str = NAME) -> Printed:
    """A set of cards as a PDF for home printing: a page of fronts, then the page of their backs.

    On folded sheets the backs stand on the same page. `step` follows each sheet. Raises OverfullError when a card's
    text does not fit.
    """
    layout = options.grid
    printed = card_set(system, product)
    setting = setting_of(printed, layout.card, options.text)
    chosen = laid_out(system, product, options)
    texts = iter(cards_told(system, chosen, _length_of(setting)))
    skip = first_place(options.start, layout)
    duplex = options.backs == "duplex" and not layout.folded
    canvas = open_product(system, layout.paper, product_title(system, product), options, duplex=duplex)
    looks = _Looks(system, printed, options)
    if duplex or layout.folded:
        looks.make_backs(canvas, setting, layout.bleed or BLEED, chosen)
    for number, batch in enumerate(sheet_batches(chosen, len(layout.places), skip)):
        drawers = [
            _drawer(face, _own(face, setting, options), options, looks.gallery(face), next(texts)) for face in batch
        ]
        if layout.folded:
            looks.lay_backs(canvas, layout, batch, skip)
            sheet.draw_fold(canvas, layout)
        # All grounds first: each runs over the edge of its card, where its neighbour lies; then pictures within theirs.
        pictured = any(map(backdrop_art, batch))
        windowed = options.inks.filled or options.has_ground or pictured
        beyond = layout.bleed or _GROUND
        for cut in (False,) if layout.bleed else (False, True) if windowed else (True,):
            grounds = [
                _grounder(face, _own(face, setting, options), options, beyond, looks.gallery(face), cut=cut)
                for face in batch
            ]
            sheet.draw_fronts(canvas, layout, grounds, "none", skip)
        sheet.draw_fronts(canvas, layout, drawers, options.marks, skip)
        if options.template is not None:
            line = margin_line(system, printed, chosen) if number == 0 else ""
            sheet.cut_template(canvas, layout, options.template, line)
        elif number == 0:
            line = margin_line(system, printed, chosen)
            sheet.draw_margins(canvas, layout, line, options.marks, options.margin_scale)
        canvas.showPage()
        if duplex:
            looks.lay_backs(canvas, layout, batch, skip)
            canvas.showPage()
        skip = 0
        step()
    return close_document(canvas)


def first_place(start: int, layout: Grid) -> int:
    """How many places of the first sheet stay empty. Raises UsageError when that is all of them."""
    if start > len(layout.places):
        raise UsageError(f"--start {start}: the sheet has {len(layout.places)} places")
    return start - 1


class Leaf(Struct, frozen=True):
    """How a card stands alone on its page: bleed around its trim (mm) and where the backs come.

    `boxes` writes trim box and bleed box and leaves room for crop marks, `process` prints in process colours. `turns`:
    one back at the end of all, or one after or before each front.
    """

    bleed: Size = Size(0, 0)
    turns: Literal["last", "after", "before"] = "last"
    boxes: bool = False
    process: bool = False


_ALONE = Leaf()


def singles(
    system: System, options: Options, product: str = NAME, leaf: Leaf = _ALONE, step: Step = lambda: None
) -> Printed:
    """The cards alone as a PDF, one to a page, with their backs where the leaf has them. `step` follows each card."""
    printed = card_set(system, product)
    setting = setting_of(printed, options.card, options.text)
    slug = _SLUG if leaf.boxes and options.marks != "none" else 0.0
    x, y = (slug + leaf.bleed.width) * MM, (slug + leaf.bleed.height) * MM
    canvas = open_document(
        setting.width + 2 * x,
        setting.height + 2 * y,
        title=product_title(system, product),
        subject=product_line(system),
        looks=options,
        process=leaf.process,
    )
    if leaf.boxes:
        width, height = x + setting.width, y + setting.height
        out = slug * MM
        canvas.setTrimBox((x, y, width, height))
        canvas.setBleedBox((out, out, width + x - out, height + y - out))
    with_backs, widest = options.backs != "none", max(leaf.bleed.width, leaf.bleed.height)
    looks = _Looks(system, printed, options, process=leaf.process)
    chosen = laid_out(system, product, options)
    if with_backs and leaf.turns != "last":
        looks.make_backs(canvas, setting, widest, chosen)

    def back(face: Face | None = None) -> None:
        with pen.placed(canvas, (x, y)):
            if face is None:
                _draw_back(canvas, setting, options, widest * MM, looks.usual)
            else:
                canvas.doForm(looks.back(face))
        marked()

    def marked() -> None:
        if slug:
            sheet.draw_crop_marks(canvas, (x, y), (setting.width, setting.height), leaf.bleed)
        canvas.showPage()

    for face, nodes in zip(chosen, cards_told(system, chosen, _length_of(setting)), strict=True):
        if with_backs and leaf.turns == "before":
            back(face)
        own, gallery = _own(face, setting, options), looks.gallery(face)
        _grounder(face, own, options, widest, gallery)(canvas, x, y)
        _drawer(face, own, options, gallery, nodes)(canvas, x, y)
        marked()
        if with_backs and leaf.turns == "after":
            back(face)
        step()
    if with_backs and leaf.turns == "last":
        back()
    return close_document(canvas)


def art_uses(
    system: System, options: Options, product: str = NAME, *, bleed: float, checked: bool = False
) -> tuple[art.Use, ...]:
    """The pack's own pictures that are printed, with so many mm of bleed around the backs; none where ink is saved.

    `checked` for all that might be, spare cards too, at the size that content is written for.
    """
    printed = card_set(system, product)
    if options.ink == "saver" or system.folder is None or not art.brings_art(system) or printed.homes:
        # What a mixed set shows is looked at where it is from.
        return ()
    setting = setting_of(printed, options.card, options.text)
    chosen = printed.faces if checked else faces(printed, options.only, options.jokers)
    return tuple(art.art_uses(system, printed, chosen, setting, bleed=bleed, backs=options.backs != "none"))


def _measured(
    printed: CardSet, card: Size, text: Print = "normal", *, yielding: bool = False
) -> tuple[CardSetting, tuple[OverfullError, ...]]:
    setting, faults = paper_card.measure_card(printed.faces, card.width * MM, card.height * MM, text, yielding=yielding)
    # A card without a picture of its own shows the sign of its set.
    return replace(setting, sign=printed.design.emblem or ""), faults


def deck_problems(system: System, marks: Mapping[str, Marks], card: Size, product: str = NAME) -> tuple[Problem, ...]:
    """Cards that cannot be printed at that size: text that does not fit, characters that the fonts do not have."""
    printed = card_set(system, product)
    if printed.file not in marks:
        return ()
    _, overfull = _measured(printed, card)
    trails = printed.trails or {}
    messages = [((*trails.get(code, ()), *key), message) for code, message, key in _missing_glyphs(printed.faces)]
    messages = [*((trails.get(fault.code, ()), fault.reason) for fault in overfull), *dict.fromkeys(messages)]
    return tuple(marks[printed.file].problem(trail, message) for trail, message in messages)


def fitted(printed: CardSet, card: Size) -> tuple[CardSetting, tuple[tuple[str, str], ...]]:
    """How a set is set at that size, and the codes of the cards that cannot be printed so, each with the reason."""
    setting, overfull = _measured(printed, card)
    messages = [(fault.code, fault.reason) for fault in overfull]
    messages += [(code, message) for code, message, _ in _missing_glyphs(printed.faces)]
    return setting, tuple(dict.fromkeys(messages))


def alone(system: System, printed: CardSet, face: Face | None, setting: CardSetting) -> Printed:
    """One card of a set, or their back, as a PDF of its own, without bleed.

    Raises HackjackError for a picture that cannot be read.
    """
    looks = Looks(theme=system.theme, tagged=False)
    canvas = open_document(
        setting.width, setting.height, title=printed.called, subject=product_line(system), looks=looks
    )
    home = printed.homes.get(face.code) if face else None
    gallery = Gallery(home.system, home.cards) if home else Gallery(system, printed)
    if face:
        _grounder(face, setting, looks, 0, gallery)(canvas, 0, 0)
        _drawer(face, setting, looks, gallery, ())(canvas, 0, 0)
    else:
        _draw_back(canvas, setting, looks, 0, gallery)
    canvas.showPage()
    return close_document(canvas)


SMALL = 0.4
"""How large a card is beside a story, of its own size."""


class SmallFace(Struct, frozen=True):
    """A card to be drawn small beside a text: its size in pt, and what draws it from its lower left corner."""

    width: float
    height: float
    draw: sheet.Drawer


def small_faces(system: System, codes: Collection[str]) -> Mapping[str, SmallFace]:
    """Return cards of the deck as they are drawn small, with a line around them, by code."""
    if not codes:
        return {}
    printed, looks = card_set(system, NAME), Looks(theme=system.theme)
    setting, gallery = setting_of(printed, card_sizes()["poker"]), Gallery(system, printed)
    return {face.code: _small(face, setting, looks, gallery) for face in printed.faces if face.code in codes}


def _small(face: Face, setting: CardSetting, looks: Looks, gallery: Gallery) -> SmallFace:
    ground, front = _grounder(face, setting, looks, 0, gallery, cut=True), _drawer(face, setting, looks, gallery, ())

    def draw(canvas: Canvas, x: float, y: float) -> None:
        canvas.saveState()
        canvas.translate(x, y)
        canvas.scale(SMALL, SMALL)
        ground(canvas, 0, 0)
        front(canvas, 0, 0)
        canvas.setStrokeGray(0.5)
        canvas.setLineWidth(0.5)
        canvas.rect(0, 0, setting.width, setting.height)
        canvas.restoreState()

    return SmallFace(setting.width * SMALL, setting.height * SMALL, draw)


def _missing_glyphs(printed: tuple[Face, ...]) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Yield each text with characters that its font lacks: the card's code, a sentence, and the key, if known."""
    keys = {fonts.DISPLAY: ("name",), fonts.SERIF_ITALIC: ("flavour",)}
    for face in printed:
        for text, font in paper_card.card_texts(face):
            if letters := fonts.missing_letters(text, font):
                yield face.code, pen.missing_glyphs(letters, font, text), keys.get(font, ())


def setting_of(printed: CardSet, card: Size, text: Print = "normal") -> CardSetting:
    """The one type size for all faces of a set, so that every print of it looks alike.

    Content is written for poker cards, on which nothing gives way. On smaller ones, and in large print, what the
    template lets go does. Raises OverfullError, or HackjackError for a character that the fonts do not have.
    """
    whole = card_sizes()["poker"]
    smaller = card.width < whole.width or card.height < whole.height
    setting, overfull = _measured(printed, card, text, yielding=smaller or text == "large")
    if overfull:
        raise overfull[0]
    check_glyphs(printed)
    return setting


def check_glyphs(printed: CardSet) -> None:
    """Raises FaceError for the first character that the fonts do not have."""
    for code, message, _ in _missing_glyphs(printed.faces):
        raise FaceError(code, message)


def large_card(printed: CardSet, sizes: Sequence[Size]) -> Size:
    """The first of the sizes on which all faces fit in large print with nothing left out, or else the last one."""
    for card in sizes[:-1]:
        if not _measured(printed, card, "large")[1]:
            return card
    return sizes[-1]


def _own(face: Face, setting: CardSetting, options: Options) -> CardSetting:
    """The setting of the set, or that of a card which stands apart from it."""
    if not face.apart:
        return setting
    from generator.products import extras

    return extras.setting_of(face, options.trim, options.text)


def _length_of(setting: CardSetting) -> Length:
    """How much of each card is read aloud: as much as stands on it."""
    return "short" if "sentences" in setting.dropped else "whole"


def _drawer(face: Face, setting: CardSetting, looks: Looks, gallery: Gallery, nodes: Sequence[Node]) -> sheet.Drawer:
    """Draws a face, which reads as these nodes."""

    def draw(canvas: Canvas, x: float, y: float) -> None:
        with palette_in_use(canvas, looks.on_card), tags.tagged_texts(canvas, nodes):
            pen_of(canvas, face, setting, x, y, looks.inks, gallery).draw()

    return draw


def _grounder(
    face: Face, setting: CardSetting, looks: Looks, bleed: float, gallery: Gallery, *, cut: bool = False
) -> sheet.Drawer:
    """Draws what lies under a face, with so many mm of bleed, or `cut` to its trim."""

    def draw(canvas: Canvas, x: float, y: float) -> None:
        with palette_in_use(canvas, looks.on_card):
            drawing = pen_of(canvas, face, setting, x, y, looks.inks, gallery)
            beyond = 0 if cut else bleed * MM
            # What a neighbour's picture has run over is covered, with bare paper too.
            drawing.draw_ground(beyond, ground=cut or looks.has_ground)
            drawing.draw_backdrop(bleed * MM, rgb(looks.on_card.ground), cut=cut)
            drawing.draw_window(beyond)

    return draw


def _draw_back(canvas: Canvas, setting: CardSetting, looks: Looks, bleed: float, gallery: Gallery) -> None:
    """The pack's own back, or ours, with `bleed` pt beyond the trim, whose lower left corner is the origin."""
    design, logo = gallery.design, gallery.medallion
    if gallery.back is None:
        with palette_in_use(canvas, looks.on_back):
            draw_back(
                canvas,
                setting.width,
                setting.height,
                bleed,
                solid=looks.inks.solid,
                pattern=design.pattern or PATTERNS[0],
                colour=_back_colour(design, looks),
                title=design.title or "",
                sign=emblem_outline(design.emblem) if design.emblem else None,
                logo=None if logo is None else partial(gallery.contain, canvas, logo),
            )
    else:
        width, height = setting.width + 2 * bleed, setting.height + 2 * bleed
        gallery.cover(canvas, gallery.back, -bleed, -bleed, width, height)


def back_alone(canvas: Canvas, width: float, height: float, looks: Looks, gallery: Gallery, bleed: float) -> None:
    """The back of a set's cards in that size (pt) with its bleed (pt), its lower left corner at the origin."""
    _draw_back(canvas, CardSetting(width, height, 0.0), looks, bleed, gallery)


def _back_colour(design: BackDesign, looks: Looks) -> Rgb:
    """The ground of a back: the set's own colour, unless the theme or a single ink says another."""
    chosen = looks.theme.palette.back != Palette().back or looks.ink == "mono" or design.colour is None
    return OXBLOOD if chosen else rgb(design.colour or "")


class _Looks:
    """What a card is drawn with that belongs to its system: pictures, and a form with its back.

    The cards of a mixed set are of several systems; those of any other are all of the one that is printed.
    """

    def __init__(self, system: System, printed: CardSet, options: Options, *, process: bool = False) -> None:
        self._printed, self._options = printed, options
        self.usual = options.gallery(system, printed, process=process)
        self._galleries: dict[str, Gallery] = {}
        for home in printed.homes.values():
            name = _home_name(home)
            if name not in self._galleries:
                self._galleries[name] = options.gallery(home.system, home.cards, process=process, name=f"{name}-")

    def gallery(self, face: Face) -> Gallery:
        """Return the pictures of the system that a card is from."""
        home = self._printed.homes.get(face.code)
        return self._galleries[_home_name(home)] if home else self.usual

    def back(self, face: Face) -> str:
        """Return the name of the form with the back of a card."""
        home = self._printed.homes.get(face.code)
        return f"{_BACK}-{_home_name(home)}" if home else _BACK

    def make_backs(self, canvas: Canvas, setting: CardSetting, bleed: float, chosen: Sequence[Face]) -> None:
        """Draw each back with so many mm of bleed once, as a form that every sheet of backs repeats."""
        bleed *= MM
        for form, face in {self.back(face): face for face in chosen}.items():
            gallery = self.gallery(face)
            bleeds = {form: bleed, f"{form}{_ALONE_TOO}": _HAIR} if self._are_laid_twice(face) else {form: bleed}
            for name, beyond in bleeds.items():
                # What is drawn beyond the form's box is cut off.
                canvas.beginForm(name, -beyond, -beyond, setting.width + beyond, setting.height + beyond)
                _draw_back(canvas, setting, self._options, bleed, gallery)
                canvas.endForm()

    def lay_backs(self, canvas: Canvas, layout: Grid, batch: Sequence[Face], skip: int = 0) -> None:
        """Lay the backs of a sheet. Where cards touch, pictures are laid twice: with their bleed, then without."""
        backs = [self.back(face) for face in batch]
        sheet.draw_backs(canvas, layout, backs, self._options.nudge, skip)
        if batch and self._are_laid_twice(batch[0]) and not layout.bleed:
            sheet.draw_backs(canvas, layout, [f"{name}{_ALONE_TOO}" for name in backs], self._options.nudge, skip)

    def _are_laid_twice(self, face: Face) -> bool:
        """Whether the bleed of a back would show on its neighbour: that of a picture, or of another system's back."""
        return bool(self._printed.homes) or self.gallery(face).back is not None


def _home_name(home: Home) -> str:
    return f"{home.system.head.id}-{home.name}"


def margin_line(system: System, printed: CardSet, chosen: Sequence[Face] = ()) -> str:
    """The product's line, and what the dagger on some cards means; of a mixed set, the line of each system chosen."""
    dagger = any(DAGGER in text for face in printed.faces for text, _ in paper_card.card_texts(face))
    note = f" ({DAGGER} reconstructed, no source gives it)" if dagger else ""
    homes = [printed.homes[face.code].system for face in chosen if face.code in printed.homes]
    return f"{' + '.join(dict.fromkeys(map(product_line, homes or [system])))}{note}"
