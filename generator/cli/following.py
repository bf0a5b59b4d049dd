"""`hackjack print --watch`: products follow their content while somebody writes it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from generator.base.errors import HackjackError, UsageError
from generator.base.watching import Stamp, settled, stamped
from generator.cli import echo, lines_of
from generator.games import card_products
from generator.model.rules import FILE_KINDS, System
from generator.pack import content
from generator.pack.pack_locations import holder


def follow(
    folder: Path,
    more: Iterable[Path],
    opened: Callable[[], System],
    chosen: Callable[[System], tuple[str, ...]],
    build: Callable[[System, str], None],
) -> None:
    """Build the chosen products, and whichever of them changes with a file of the pack, until Ctrl-C.

    What has faults is said and waited for; the files that were printed before stay. Raises UsageError for a call that
    no change of the content can mend.
    """
    following = _Following(folder, tuple(more), opened, chosen, build)
    echo(f"watching {folder}; Ctrl-C ends it", err=True)
    try:
        seen = following.look()
        following.round(seen)
        while True:
            seen = settled(seen, following.look)
            following.round(seen)
    except KeyboardInterrupt:
        echo(err=True)


class _Following:
    """What was built, from what, and what was said of it."""

    def __init__(
        self,
        folder: Path,
        more: tuple[Path, ...],
        opened: Callable[[], System],
        chosen: Callable[[System], tuple[str, ...]],
        build: Callable[[System, str], None],
    ) -> None:
        self._folder, self._more = folder, more
        self._opened, self._chosen, self._build = opened, chosen, build
        self._paths: tuple[Path, ...] = (*files((folder,)), *more)
        self._built: dict[str, Any] = {}
        self._said = ""

    def look(self) -> Stamp:
        """How all files stand that anything is printed from."""
        return stamped(self._paths)

    def round(self, seen: Stamp) -> None:
        """Build what is not as the content has it. Stops early when the content has changed again meanwhile."""
        first = not self._built
        try:
            system = self._opened()
            self._paths = (*files((self._folder, *system.below)), *_beside(system), *self._more)
            products = self._chosen(system)
        except UsageError as error:
            if first:
                raise
            self._say([error])
            return
        except HackjackError as error:
            # The fault may be mended in a pack below this one.
            self._paths = tuple(dict.fromkeys((*self._paths, *files(content.below(self._folder)))))
            self._say([error])
            return
        pictures = stamped(_beside(system))
        faults = []
        for product in products:
            made_of = (_ingredients(system, product), pictures)
            if self._built.get(product) == made_of:
                continue
            # What is asked for again must not wait for what nobody wants any more.
            if not first and {path: self.look().get(path) for path in seen} != dict(seen):
                return
            try:
                self._build(system, product)
                self._built[product] = made_of
            except HackjackError as error:
                if first and isinstance(error, UsageError):
                    raise
                self._built.pop(product, None)
                faults.append(error)
        self._say(faults)

    def _say(self, faults: list[HackjackError]) -> None:
        """The faults, unless they have just been said; and that there are none any more."""
        text = "\n".join(line for fault in faults for line in lines_of(fault))
        if text and text != self._said:
            echo(*text.split("\n"), err=True)
            echo("what was printed before stays until this is mended", err=True)
        elif self._said and not text:
            echo("sound again", err=True)
        self._said = text


def files(folders: Iterable[Path]) -> list[Path]:
    """The files that packs may have."""
    return [folder / name for folder in folders for name in FILE_KINDS]


def _beside(system: System) -> list[Path]:
    """Where a system's pictures and spreadsheets lie."""
    return [folder / name for name in system.beside if (folder := holder(system, name)) is not None]


def _ingredients(system: System, product: str) -> tuple[Any, ...]:
    """All content that a product may show: if it is the same, so is the product."""
    rules = (system.head, system.piles, system.tables, system.settings, system.combatants, system.tokens, system.both)
    if product in card_products.names_of(system):
        return rules
    return (*rules, dict(system.panels).get(product))
