"""The cards of a pack as pictures: each is drawn when it is asked for, and kept until what it shows changes."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from msgspec import Struct

from generator.base.errors import HackjackError, Problem
from generator.base.files import file_stamps
from generator.games.card_products import card_set, card_set_names
from generator.layout import sheets
from generator.layout.card_elements import CardSet, Face, badges_of, counted_form, sentences_of, title_of
from generator.model.rules import System
from generator.model.themes import Theme
from generator.orders import png
from generator.pack.load import Pack
from generator.pack.pack_locations import files_beside
from generator.pack.strict_yaml import Marks, Trail
from generator.paper.card_setting import CardSetting
from generator.paper.themed import fonts_of_theme
from generator.products import deck, products_of

CARD_DPI = 192
ALL = "*"
"""In place of a card's code: the back of all of a set."""


class Item(Struct, frozen=True):
    """A card: its name, what it says, where it is written, and a number that changes with its looks.

    What is not `drawn` cannot be printed.
    """

    id: str
    title: str
    says: tuple[str, ...]
    place: Problem
    stamp: int
    drawn: bool = True
    figures: str = ""


class Product(Struct, frozen=True):
    """A set of cards, with the stamp of their back, or another product, which has no items."""

    name: str
    cards: bool
    items: tuple[Item, ...] = ()
    back: int = 0


class _Drawn:
    """What a picture shows, the round in which it began to, and how it is drawn."""

    def __init__(self, shows: Any, stamp: int) -> None:
        self.shows, self.stamp = shows, stamp
        self.draw: Callable[..., bytes] | None = None
        self.made: bytes | None = None


class Pictures:
    """The pictures of one pack while somebody writes it."""

    def __init__(self) -> None:
        self._round = 0
        self._drawn: dict[str, _Drawn] = {}
        self._homes: dict[str, tuple[Marks, Trail]] = {}

    def products(self, pack: Pack) -> tuple[tuple[Product, ...], tuple[Problem, ...]]:
        """Return the products of a sound pack, and the faults of unprintable cards. Raises HackjackError."""
        self._round += 1
        self._homes = {}
        names = card_set_names(pack.system)
        sets = [self._cards(name, pack) for name in names]
        cards = tuple(product for product, _ in sets)
        pages = tuple(Product(name, cards=False) for name in products_of(pack.system) if name not in names)
        for name, _ in pack.system.panels:
            # What is wrong with a panel stands in that product.
            self._place(name, pack.marks.get(f"{name}.yaml", pack.marks["system.yaml"]), ("panels",))
        ids = {item.id for product in cards for item in product.items} | {f"{each.name}/{ALL}" for each in cards}
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
            items[at] = Item(at, title_of(face), said, place, drawn.stamp, fits, counted_form(badges_of(face)))
        problems = (marks.problem(trails.get(code, ()), message) for code, message in faults)
        back = self._picture(f"{name}/{ALL}", (setting, printed.back, printed.design, art, system.theme))
        back.draw = partial(_card, system, printed, None, setting)
        return Product(name, cards=True, items=tuple(items.values()), back=back.stamp), tuple(problems)

    def _picture(self, at: str, shows: Any) -> _Drawn:
        """Return the picture of an item: that of before, if it shows the same."""
        drawn = self._drawn.get(at)
        if drawn is None or drawn.shows != shows:
            drawn = self._drawn[at] = _Drawn(shows, self._round)
        return drawn

    def _place(self, at: str, marks: Marks, trail: Trail) -> Problem:
        self._homes[at] = marks.home(trail)
        return marks.problem(trail, "")

    def draw(self, at: str, theme: Theme | None = None) -> bytes:
        """Return the picture of an item, in its own theme or another. Raises HackjackError if it no longer exists."""
        drawn = self._drawn.get(at)
        if drawn is None or drawn.draw is None:
            raise HackjackError("that card no longer exists")
        if theme:
            return drawn.draw(theme)
        if drawn.made is None:
            drawn.made = drawn.draw()
        return drawn.made

    def holding(self, problems: Iterable[Problem]) -> tuple[tuple[str, ...], ...]:
        """Return for each problem the ids of its cards, or the product whose panels it stands on."""
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


def _card(
    system: System, printed: CardSet, face: Face | None, setting: CardSetting, theme: Theme | None = None
) -> bytes:
    if theme and theme != system.theme:
        system = replace(system, theme=theme)
        with fonts_of_theme(theme, system):
            setting, _ = deck.fitted(printed, sheets.card_sizes()["poker"])
    with fonts_of_theme(system.theme, system):
        pdf = deck.alone(system, printed, face, setting)
    (image,) = png.page_pictures(pdf, CARD_DPI, only=(0,))
    return png.png_bytes(image, CARD_DPI)
