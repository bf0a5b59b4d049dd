"""A set of cards: the largest type at which every face fits.

A face with less to say takes one of a few larger sizes (`card_body`); `card_pen` draws it. All lengths here are points,
the origin is the lower left corner of the card's trim.

Index, badges and names grow and shrink with the card; the type has a floor. Where that leaves too little room the parts
that the template lets go give way one after the other, on all cards of the set alike.
"""

from collections.abc import Iterator, Mapping
from typing import Literal

from msgspec.structs import replace

from generator.layout import card_elements
from generator.layout.reading import texts_in
from generator.paper import badges, fonts
from generator.paper.card_body import TYPE_STEP, OverfullError, body_of
from generator.paper.card_setting import LARGE_TYPE, MIN_TYPE, CardSetting
from generator.paper.document import MM

Print = Literal["normal", "large"]

_TRIM = (63.5 * MM, 88.9 * MM)
"""The trim that the measures of cards are for: a poker card. On other cards they grow or shrink with the card."""
_MIN_SCALE, _MAX_SCALE = 0.6, 1.6


def measure_card(
    faces: tuple[card_elements.Face, ...],
    width: float,
    height: float,
    text_size: Print = "normal",
    *,
    yielding: bool = False,
) -> tuple[CardSetting, tuple[OverfullError, ...]]:
    """Return the setting with the largest type at which every face fits a card of that trim (pt).

    If `yielding`, what the faces let go gives way, one thing after the other, until everything fits. Faces that do not
    fit at the smallest size are given back too, each as an error that has not been raised.
    """
    bodies = [body_of(face) for face in faces]
    parts = faces[0].yields if yielding and faces else ()
    for count in range(len(parts) + 1):
        setting = _setting(faces, width, height, text_size, frozenset(parts[:count]))
        if yielding and not all(body.captions_fit(setting) for body in bodies):
            # Words that run into each other are of no use, whatever else there is room for.
            setting = replace(setting, dropped=setting.dropped | {"captions"})
        for step in range(int((setting.largest - setting.minimum) / TYPE_STEP), -1, -1):
            setting = replace(setting, size=setting.minimum + step * TYPE_STEP)
            if all(body.fault(setting) is None for body in bodies):
                return setting, ()
    return setting, tuple(fault for body in bodies if (fault := body.fault(setting)))


def _setting(
    faces: tuple[card_elements.Face, ...], width: float, height: float, text_size: Print, dropped_parts: frozenset[str]
) -> CardSetting:
    kinds = {type(part) for face in faces for part in face.parts}
    minimum = LARGE_TYPE if text_size == "large" else MIN_TYPE
    shown = [[part for part in face.parts if isinstance(part, card_elements.Badge)] for face in faces]
    if not any(face.apart for face in faces) and all(map(badges.self_evident, shown)):
        dropped_parts |= {"captions"}
    has = {"index": card_elements.Index in kinds, "rule": card_elements.Rule in kinds}
    scale = min(max(min(width / _TRIM[0], height / _TRIM[1]), _MIN_SCALE), _MAX_SCALE)
    slots = badges.slots_width(badge for each in shown for badge in each if badge.kind != "gauge")
    return CardSetting(width, height, minimum, minimum, dropped=dropped_parts, scale=scale, slots=slots, **has)  # type: ignore[arg-type]


_FONTS: Mapping[type, str] = {card_elements.Title: fonts.DISPLAY, card_elements.Flavour: fonts.SERIF_ITALIC}


def card_texts(face: card_elements.Face) -> Iterator[tuple[str, str]]:
    """Yield every text of a face with the font that it is set in: what must have glyphs."""
    for part in face.parts:
        if not isinstance(part, card_elements.CardArt | card_elements.Emblem | card_elements.Sketch):
            yield from ((words, _FONTS.get(type(part), fonts.SANS)) for words in texts_in(part))


def picture_rooms(
    face: card_elements.Face, setting: CardSetting
) -> list[tuple[card_elements.CardArt, tuple[float, float, float, float]]]:
    """Return the pack's own pictures in the window of a face, and where each stands: left and bottom from the trim,
    width, height, pt. Side by side they cover the window over the name."""
    body = body_of(face)
    setting = setting if setting.window else body.settled(setting)
    pictures = body.pictures(setting)
    step, high = setting.width / max(1, len(pictures)), setting.window - setting.strip
    bottom = setting.height - high
    return [(picture, (place * step, bottom, step, high)) for place, picture in enumerate(pictures)]
