"""Which pictures of a pack a set of cards prints, how large, and whether they are fine enough for it."""

from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct

from generator.base.emblem_names import is_picture
from generator.base.errors import HackjackError, Problem
from generator.layout import artwork, drawings
from generator.layout.artwork import PictureVerdict
from generator.layout.card_elements import CardSet, Emblem, Face, Index, backdrop_art
from generator.layout.sheets import GOOD_DPI
from generator.model.rules import System
from generator.pack.pack_locations import holder, picture_names
from generator.pack.strict_yaml import Marks, Trail
from generator.paper.back import logo_side
from generator.paper.card import picture_rooms
from generator.paper.card_setting import CardSetting
from generator.paper.document import MM
from generator.paper.emblem import MAX_EMBLEM
from generator.paper.gallery import SUIT_SIDE


class Use(Struct, frozen=True):
    """A picture in its place: the room it has (mm), whether it fills it, and where the content names it."""

    path: str
    width: float
    height: float
    covers: bool
    file: str
    trail: Trail

    def judged(self, system: System, dpi: float) -> PictureVerdict:
        """Whether it is fine enough. Raises HackjackError for a picture that cannot be read."""
        folder = holder(system, self.path)
        if folder is None:
            raise HackjackError(f"{self.path} has no folder")
        if drawings.is_drawing(self.path):
            drawings.load_drawing(folder, self.path)
            return PictureVerdict("good", "")
        image = artwork.load_artwork(folder, self.path).image
        if self.covers:
            cut = artwork.covering_image(image, self.width, self.height)
            return artwork.judge_resolution(self.path, image.size, cut.size, self.width, self.height, dpi)
        room = artwork.contained_size(image.size, self.width, self.height)
        return artwork.judge_resolution(self.path, image.size, image.size, *room, dpi)


def brings_art(system: System) -> bool:
    """Whether a system has any pictures of its own."""
    return bool(picture_names(system))


def art_uses(
    system: System, printed: CardSet, faces: Iterable[Face], setting: CardSetting, *, bleed: float, backs: bool
) -> Iterator[Use]:
    """The pictures that the faces show, and their `backs`, with so many mm of `bleed`."""
    art = system.head.art
    chosen = tuple(faces)
    back, file, trail = printed.back, printed.back_file or printed.file, printed.back_at
    if back is None and art:
        back, file, trail = art.back, "system.yaml", ("art", "back")
    if back and backs:
        width, height = setting.width / MM + 2 * bleed, setting.height / MM + 2 * bleed
        yield Use(back, width, height, True, file, trail)
    elif art and art.medallion and backs:
        side = logo_side(setting.width, setting.height) / MM
        yield Use(art.medallion, side, side, False, "system.yaml", ("art", "medallion"))
    drawn_suits = {part.suit for face in chosen for part in face.parts if isinstance(part, Index | Emblem)}
    for suit, path in (art.suits if art else {}).items():
        if suit in drawn_suits:
            side = SUIT_SIDE * setting.scale
            yield Use(path, side, side, False, "system.yaml", ("art", "suits", suit))
    trails = printed.trails or {}
    for face in chosen:
        if (covering := backdrop_art(face)) is not None:
            width, height = setting.width / MM + 2 * bleed, setting.height / MM + 2 * bleed
            yield Use(covering.path, width, height, True, printed.file, (*trails.get(face.code, ()), "art"))
        for part in face.parts:
            if isinstance(part, Emblem) and is_picture(part.name):
                side, trail = MAX_EMBLEM / MM * setting.scale, (*trails.get(face.code, ()), "emblem")
                yield Use(part.name, side, side, False, printed.file, trail)
        for picture, (_, _, width, height) in picture_rooms(face, setting):
            trail = (*trails.get(face.code, ()), "art")
            yield Use(picture.path, width / MM, height / MM, True, printed.file, trail)


def art_warnings(system: System, uses: Iterable[Use], dpi: float) -> tuple[str, ...]:
    """What to say of pictures that are a little coarse.

    Raises HackjackError for one that cannot be read, or is too coarse to print.
    """
    messages: dict[str, None] = {}
    for use in uses:
        verdict = use.judged(system, dpi)
        if verdict.level == "error":
            raise HackjackError(verdict.message)
        if verdict.level == "warning":
            messages.setdefault(verdict.message)
    return tuple(messages)


def art_problems(system: System, marks: Mapping[str, Marks], uses: Iterable[Use]) -> tuple[tuple[Problem, bool], ...]:
    """Every picture that is not as it should be, at its place in the content, and whether that forbids printing."""
    messages: dict[tuple[Problem, bool], None] = {}
    for use in uses:
        if use.file not in marks:
            continue
        try:
            verdict = use.judged(system, GOOD_DPI)
        except HackjackError as error:
            messages.setdefault((marks[use.file].problem(use.trail, str(error)), True))
            continue
        if verdict.level != "good":
            messages.setdefault((marks[use.file].problem(use.trail, verdict.message), verdict.level == "error"))
    return tuple(messages)
