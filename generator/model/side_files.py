"""The files of a pack that no event reads: they are printed, checked or shown on the page."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from generator.model.blocks import PanelsFile
    from generator.model.claims import AnyClaim
    from generator.model.page import PageFile
    from generator.model.printed_files import HandOut, MixedFile
    from generator.model.system import System


class SideFiles(Struct, frozen=True, kw_only=True):
    """Claims, panels by product, tokens, the page, and mixed cards.

    `inherited` are the claims, by id, of the system that it extends: they speak of that one's source.
    `others` are the systems, by name, that it takes cards and blocks from.
    """

    claims: tuple[AnyClaim, ...]
    panels: tuple[tuple[str, PanelsFile], ...]
    tokens: tuple[HandOut, ...]
    page: PageFile
    mixed: MixedFile | None
    inherited: frozenset[str]
    others: Mapping[str, System] = {}

    @property
    def panel_names(self) -> tuple[str, ...]:
        """The products of panels."""
        return tuple(name for name, _ in self.panels)

    @property
    def whole(self) -> SideFiles:
        """These files."""
        return self


class UnreadFiles(Struct, frozen=True, eq=False, dict=True):
    """The same as long as nobody has asked for them: the names of products of panels, and whether there is a mixed."""

    panel_names: tuple[str, ...]
    mixed: bool
    read: Callable[[], SideFiles]

    @cached_property
    def whole(self) -> SideFiles:
        """The files. Raises ContentError where any file of the pack has faults."""
        return self.read()
