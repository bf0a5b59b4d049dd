"""What a pack prints, as pictures: each is drawn when it is asked for, and kept until what it shows changes.

Reading, cards and pictures belong to one thread, since pdfium knows only one; pages, whose charts are counted, may be
printed on another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from hashlib import blake2b
from typing import Any

from msgspec import Struct

from generator.base.errors import HackjackError, Problem
from generator.base.watching import file_stamps
from generator.exports import png
from generator.games import game_of
from generator.games.card_products import card_set, card_set_names
from generator.layout import sheets
from generator.layout.card_elements import CardSet, Face, sentences_of, title_of
from generator.layout.panel_elements import ChartMaker, Picture
from generator.layout.printed import Printed
from generator.model.rules import System
from generator.pack.content import Pack
from generator.pack.pack_locations import files_beside
from generator.pack.strict_yaml import Marks, Trail
from generator.paper.card import CardSetting
from generator.paper.panel_options import PanelOptions
from generator.paper.themed import fonts_of_theme
from generator.products import deck, made_of, panels, products_of, rules_of
from generator.words.wording import fill_placeholders

CARD_DPI, PAGE_DPI = 192, 110
_COMPARED_DPI = 55
"""Pages that are alike at this resolution are alike: the smallest change of a letter makes some dot darker."""


class Item(Struct, frozen=True):
    """A card or a page: its name, what a card says, where it is written, and a number that changes with its looks.

    What is not `drawn` cannot be printed.
    """

    id: str
    title: str
    says: tuple[str, ...]
    place: Problem
    stamp: int
    drawn: bool = True


class Product(Struct, frozen=True):
    """A set of cards, or the pages of another product. `drawing`: the pages are those of before; `fault`: why."""

    name: str
    cards: bool
    items: tuple[Item, ...] = ()
    drawing: bool = False
    fault: str = ""


class _Drawn:
    """What a picture shows, the round in which it began to, and how it is drawn."""

    def __init__(self, shows: Any, stamp: int) -> None:
        self.shows, self.stamp = shows, stamp
        self.draw: Callable[[], bytes] | None = None
        self.made: bytes | None = None


class _Printed(Struct, frozen=True):
    """A product's PDF, what it was made of, and how many pages it has."""

    made_of: Any
    pdf: bytes
    pages: int


class Pictures:
    """The pictures of one pack while somebody writes it."""

    def __init__(self) -> None:
        self._round = 0
        self._drawn: dict[str, _Drawn] = {}
        self._homes: dict[str, tuple[Marks, Trail]] = {}
        self._printed: dict[str, _Printed] = {}
        self._counted_for: Any = None
        self._counted: dict[str, Picture] = {}

    def products(self, pack: Pack) -> tuple[tuple[Product, ...], tuple[Problem, ...]]:
        """Return the products of a sound pack, and the faults of unprintable cards. Raises HackjackError.

        Pages that may have changed are still those of before; they are to be printed and laid out.
        """
        self._round += 1
        self._homes = {}
        names = card_set_names(pack.system)
        sets = [self._cards(name, pack) for name in names]
        cards = tuple(product for product, _ in sets)
        pages = tuple(
            self._pages(name, pack) for name in products_of(pack.system) if name not in card_set_names(pack.system)
        )
        ids = {item.id for product in (*cards, *pages) for item in product.items}
        for name in self._drawn.keys() - ids:
            del self._drawn[name]
        return cards + pages, tuple(problem for _, problems in sets for problem in problems)

    def _cards(self, name: str, pack: Pack) -> tuple[Product, tuple[Problem, ...]]:
        system, printed = pack.system, card_set(pack.system, name)
        marks, trails = pack.marks.get(printed.file, pack.marks["system.yaml"]), printed.trails or {}
        with fonts_of_theme(system.theme, system):
            setting, faults = deck.fitted(printed, sheets.card_sizes()["poker"])
        unfit, art, items = {code for code, _ in faults}, file_stamps(files_beside(system)), {}
        for face in printed.faces:
            at = f"{name}/{face.code}"
            drawn = self._picture(at, (face, setting, printed.back, art, system.theme))
            drawn.draw = partial(_card, system, printed, face, setting)
            place = self._place(at, marks, trails.get(face.code, ()))
            said, fits = tuple(sentences_of(face)), face.code not in unfit
            items[at] = Item(at, title_of(face), said, place, drawn.stamp, fits)
        problems = (marks.problem(trails.get(code, ()), message) for code, message in faults)
        return Product(name, cards=True, items=tuple(items.values())), tuple(problems)

    def _pages(self, name: str, pack: Pack) -> Product:
        """Return a product as it was printed last, and whether it has to be printed again."""
        printed = self._printed.get(name)
        items = () if printed is None else self._items(name, printed.pages, pack)
        return Product(
            name, cards=False, items=items, drawing=printed is None or printed.made_of != _made_of(name, pack)
        )

    def printed(self, name: str, pack: Pack) -> bytes:
        """Return a product of pages as a PDF. Raises HackjackError where it cannot be printed."""
        system = pack.system
        options = PanelOptions(paper=sheets.paper_sizes()["a4"], charts=self._charts(system), theme=system.theme)
        with fonts_of_theme(system.theme, system):
            return panels.panel_pages(system, name, options)

    def lay_out(self, name: str, pdf: bytes, pack: Pack) -> Product:
        """Return the product with its pages as they are now."""
        count = png.page_count(pdf)
        self._printed[name] = _Printed(_made_of(name, pack), pdf, count)
        for number, image in enumerate(png.page_pictures(pdf, _COMPARED_DPI)):
            drawn = self._picture(_page_id(name, number), blake2b(image.tobytes()).digest())
            drawn.draw = partial(_page, pdf, number)
        return Product(name, cards=False, items=self._items(name, count, pack))

    def _items(self, name: str, count: int, pack: Pack) -> tuple[Item, ...]:
        """Return the pages of a product: panels for a panels file."""
        file = pack.system.laid_out(name)
        marks = pack.marks.get(f"{name}.yaml", pack.marks["system.yaml"])
        items = []
        printed = self._printed.get(name)
        shown = printed.pdf.panels if printed is not None and isinstance(printed.pdf, Printed) else ()
        for number in range(count):
            at, trail, title = _page_id(name, number), Trail(), f"{name} {number + 1}"
            # Of an older print the panel may be gone.
            if file is not None and number < len(shown) and shown[number] < len(file.panels):
                trail = ("panels", shown[number])
                title = fill_placeholders(file.panels[shown[number]].title, pack.system)
            items.append(Item(at, title, (), self._place(at, marks, trail), self._drawn[at].stamp))
        return tuple(items)

    def _picture(self, at: str, shows: Any) -> _Drawn:
        """Return the picture of an item: that of before, if it shows the same."""
        drawn = self._drawn.get(at)
        if drawn is None or drawn.shows != shows:
            drawn = self._drawn[at] = _Drawn(shows, self._round)
        return drawn

    def _place(self, at: str, marks: Marks, trail: Trail) -> Problem:
        self._homes[at] = marks.home(trail)
        return marks.problem(trail, "")

    def _charts(self, system: System) -> Mapping[str, ChartMaker]:
        """Return the charts of a game, counted once for the same rules."""
        rules = rules_of(system)
        if rules != self._counted_for:
            self._counted_for, self._counted = rules, {}
        counted = self._counted

        def kept(name: str, count: ChartMaker, system: System) -> Picture:
            if name not in counted:
                counted[name] = count(system)
            return counted[name]

        return {name: partial(kept, name, count) for name, count in game_of(system).charts().items()}

    # --- what is asked for -------------------------------------------------------------------------------------------

    def known(self, at: str) -> bytes | None:
        """Return the picture of an item as a PNG file, if it is drawn already."""
        return drawn.made if (drawn := self._drawn.get(at)) else None

    def draw(self, at: str) -> bytes:
        """Return the picture of an item, drawn if need be. Raises HackjackError, also for an unknown item."""
        drawn = self._drawn.get(at)
        if drawn is None or drawn.draw is None:
            raise HackjackError("that card or page no longer exists")
        if drawn.made is None:
            drawn.made = drawn.draw()
        return drawn.made

    def holding(self, problems: Iterable[Problem]) -> tuple[tuple[str, ...], ...]:
        """Return for each problem the ids of its cards and pages."""
        places: dict[int, Mapping[tuple[int, int], list[Trail]]] = {}
        trails = []
        for problem in problems:
            ids = []
            for at, (marks, trail) in self._homes.items():
                if not trail or marks.file != problem.file:
                    continue
                if id(marks) not in places:
                    places[id(marks)] = marks.trails()
                here = places[id(marks)].get((problem.line, problem.column), ())
                if any(each[: len(trail)] == trail for each in here):
                    ids.append(at)
            trails.append(tuple(ids))
        return tuple(trails)


def _card(system: System, printed: CardSet, face: Face, setting: CardSetting) -> bytes:
    with fonts_of_theme(system.theme, system):
        pdf = deck.alone(system, printed, face, setting)
    return _page(pdf, 0, CARD_DPI)


def _page(pdf: bytes, number: int, dpi: int = PAGE_DPI) -> bytes:
    """Return a page as a PNG file."""
    (image,) = png.page_pictures(pdf, dpi, only=(number,))
    return png.png_bytes(image, dpi)


def _page_id(name: str, number: int) -> str:
    return f"{name}/{number + 1}"


def _made_of(name: str, pack: Pack) -> Any:
    return made_of(pack.system, name), file_stamps(files_beside(pack.system))
