"""Lines to write on and boxes to cross off below the text of a card. All lengths are points."""

from generator.layout.card_elements import Blank, CardTrack
from generator.paper import fonts, text
from generator.paper.card_setting import CardSetting
from generator.paper.document import MM

Written = Blank | CardTrack

BOX = 1.9
"""The height of a box to cross off, in units of the type size."""
BOX_STEP = 2.3
"""From one row of boxes to the next, in units of the type size."""
VALUE_LEADING = 1.6
"""From one line of what is written to the next, in units of the type size."""


def written_height(part: Written, setting: CardSetting) -> float:
    """Return the height of a line to write on, or of boxes, with the space over them, pt."""
    if isinstance(part, CardTrack):
        rows, _ = track_shape(part, setting)
        return setting.size * (1.1 + BOX + (rows - 1) * BOX_STEP)
    return setting.size * (setting.line + VALUE_LEADING * (max(1, len(value_lines(part, setting))) - 1))


def written_width(part: Written, setting: CardSetting) -> float:
    """Return the least width of a line to write on, or of boxes, pt."""
    size = setting.size
    if isinstance(part, Blank):
        value = text.widest_word(_value_words(part)) * size if part.value else 14 * MM * setting.scale
        return label_width(part) * size + value
    return _box_width(part) * size


def _box_width(track: CardTrack) -> float:
    """Return the least width of a box with the space after it, in units of the type size."""
    return max(fonts.text_width(step, fonts.SANS_BOLD) for step in track.steps) + 0.8


def track_shape(track: CardTrack, setting: CardSetting) -> tuple[int, int]:
    """Return in how many rows the boxes stand, and how many in a row, all rows as long as can be."""
    count = len(track.steps)
    most = max(1, int(setting.measure / (_box_width(track) * setting.size)))
    rows = -(-count // most)
    return rows, -(-count // rows)


def label_width(blank: Blank) -> float:
    """Return the width of a label with the space after it, per point of size."""
    return fonts.text_width(f"{blank.label}  ", fonts.SANS)


def _value_words(blank: Blank) -> tuple[text.Word, ...]:
    return text.split_words((text.Run(blank.value, fonts.SANS_BOLD),))


def value_lines(blank: Blank, setting: CardSetting) -> tuple[text.Line, ...]:
    """Return the lines beside a label."""
    return text.broken_lines(_value_words(blank), setting.measure / setting.size - label_width(blank))
