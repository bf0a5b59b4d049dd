"""`hackjack print --watch`: products follow their content while somebody writes it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from generator.base.errors import HackjackError, UsageError
from generator.base.watching import Stamp, settled, stamped
from generator.cli import each_warning_once, echo, lines_of, note
from generator.model.rules import System
from generator.pack import content
from generator.pack.pack_locations import files_beside, files_of
from generator.products import made_of


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
    note(f"watching {folder}; Ctrl-C ends it", err=True)
    try:
        with each_warning_once():
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
        self._paths: tuple[Path, ...] = (*files_of((folder,)), *more)
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
            self._paths = (*files_of((self._folder, *system.below)), *files_beside(system), *self._more)
            products = self._chosen(system)
        except UsageError as error:
            if first:
                raise
            self._say([error])
            return
        except HackjackError as error:
            # The fault may be mended in a pack below this one.
            self._paths = tuple(dict.fromkeys((*self._paths, *files_of(content.below(self._folder)))))
            self._say([error])
            return
        pictures = stamped(files_beside(system))
        faults = []
        for product in products:
            ingredients = (made_of(system, product), pictures)
            if self._built.get(product) == ingredients:
                continue
            # What is asked for again must not wait for what nobody wants any more.
            if not first and {path: self.look().get(path) for path in seen} != dict(seen):
                return
            try:
                self._build(system, product)
                self._built[product] = ingredients
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
            note("what was printed before stays until this is mended", err=True)
        elif self._said and not text:
            note("sound again", err=True)
        self._said = text
