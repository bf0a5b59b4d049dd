"""The setting of a set of cards: the trim and type size, which parts give way, and the measures that follow from these.

All lengths here are points, the origin is the lower left corner of the card's trim.
"""

from msgspec import Struct

from generator.layout.type_sizes import type_sizes
from generator.paper import badges
from generator.paper.document import MM

SAFE = 3.2 * MM
"""The safe edge of print shops; at home 3 mm would do."""
_TYPE = type_sizes().cards
MIN_TYPE, LARGE_TYPE = _TYPE.minimum, _TYPE.large_print
"""The smallest type of cards, and in large print, pt."""
_LINE, LOW_LINE = 2.3, 1.7
"""The height of a line to write on in units of the type size, and where the words want its room: 6 mm do for a hand."""
_CLOSER_NAMES = 2
"""So many of the largest sizes of a name give way before its window does."""
_APART_FOOT = 1.7 * MM
"""Over badges and turned index, to the edge of the band that they stand on."""
_SIDE = 1.2 * MM
"""From the safe line to the text."""
INDEX_WIDTH = 8.2 * MM
INDEX_INK = 11.4 * MM
"""As far as rank and suit really reach down."""
JOKER_INK = 12.7 * MM
"""As far as the letters of a joker do."""
_TURNED_SHARE = 0.66
"""Of the turned index beside the upright one."""
_HEAD = 2.9 * MM
"""From the foot of the window to the text: its edge hangs down into it."""


class CardSetting(Struct, frozen=True):
    """How a set is set: the card's trim in points, one type size for all faces, what they have and what gave way.

    `scale` says how large index, badges and names are beside those of a poker card. A face's own are `band`, whether it
    has badges at its foot; `index_ink` and `index_room`, how high and wide its index is on a poker card; `line`, the
    height of its lines to write on, in units of the type size; `gap`, the share of the usual space between its
    sentences; and its `window`, how high that is and the strip in it for the name, and whether it is `tall`: with a
    picture over the name. An `end` of a card is set on half its height. `slots` is the width of a set's badges on a
    poker card.
    """

    width: float
    height: float
    size: float
    minimum: float = MIN_TYPE
    index: bool = True
    rule: bool = True
    band: bool = True
    dropped: frozenset[str] = frozenset()
    scale: float = 1.0
    index_ink: float = INDEX_INK
    index_room: float = INDEX_WIDTH
    line: float = _LINE
    gap: float = 1.0
    sign: str = ""
    end: bool = False
    window: float = 0.0
    strip: float = 0.0
    tall: bool = False
    slots: float = badges.slots_width(())

    @property
    def side(self) -> float:
        """From the trim to the text, pt."""
        return SAFE + _SIDE * self.scale

    @property
    def measure(self) -> float:
        """The width of the text column, pt."""
        return self.width - 2 * self.side

    @property
    def small(self) -> float:
        """The size of captions and of the word in the rule, pt."""
        return max(self.minimum, badges.SMALL * self.scale)

    @property
    def flavour(self) -> float:
        """The size of the flavour, pt."""
        return max(self.minimum, _TYPE.flavour * self.scale)

    @property
    def largest(self) -> float:
        """The largest type that all faces of a set have alike, pt."""
        return max(_TYPE.dense, _TYPE.dense * self.scale, self.minimum + 2.5)

    @property
    def index_width(self) -> float:
        """The width that an index takes inside the safe line, pt."""
        return self.index_room * self.scale

    @property
    def foot(self) -> badges.Foot:
        """The room for badges, which ends before the turned index."""
        taken = (self.index_width * self.turned_share + 1.2 * MM * self.scale) if self.turned else 0.0
        wide = self.width - 2 * SAFE - taken
        return badges.Foot(
            wide, min(self.scale, wide / self.slots), self.minimum, self.small, "captions" not in self.dropped
        )

    @property
    def turned(self) -> bool:
        """Return True if the index stands in the lower corner too."""
        return self.index and "turned" not in self.dropped

    @property
    def turned_share(self) -> float:
        """The size of the turned index beside the upright one: letters that cannot be smaller take more room."""
        least = self.minimum / (_TYPE.joker * self.scale) if self.index_ink == JOKER_INK else 0.0
        return max(_TURNED_SHARE, min(1.0, least))

    @property
    def notch(self) -> tuple[float, float]:
        """The width and height of the corner of a window that the index stands in, pt from the trim."""
        if not self.index:
            return 0.0, 0.0
        return SAFE + self.index_width + 0.2 * MM * self.scale, SAFE + self._index_ink + 1.6 * MM * self.scale

    @property
    def title_left(self) -> float:
        """From the trim to a name beside the index, pt."""
        return self.notch[0] + 1.6 * MM * self.scale if self.index else self.side

    def names(self, *, tall: bool) -> tuple[tuple[float, int], ...]:
        """The sizes a name may have, the largest first, pt, each with the most lines."""
        sizes = _TYPE.names[_CLOSER_NAMES if "large name" in self.dropped else 0 :] if tall else _TYPE.low_names
        return tuple((max(each.size * self.scale, self.minimum), each.lines) for each in sizes)

    @property
    def word(self) -> bool:
        """Return True if the word of a suit is printed."""
        return self.rule and "rule" not in self.dropped

    @property
    def head(self) -> float:
        """From the foot of the window to the text, pt: an end of a card has less room."""
        return (0.8 * _HEAD if self.end else _HEAD) * self.scale

    @property
    def text_top(self) -> float:
        """Where the text begins, pt over the foot of the trim."""
        return self.height - self.window - self.head

    @property
    def band_top(self) -> float:
        """The upper edge of the band at the foot, pt over the foot of the trim; 0 where there is none."""
        high = max(self.foot.height if self.band else 0.0, self._index_ink * self.turned_share if self.turned else 0.0)
        return SAFE + high + _APART_FOOT * self.scale if high else 0.0

    @property
    def text_foot(self) -> float:
        """Where text must end, pt over the foot of the trim."""
        if self.end:
            return 1.6 * MM * self.scale
        return self.band_top + 1.6 * MM * self.scale if self.band_top else SAFE + 0.8 * MM

    @property
    def _index_ink(self) -> float:
        """How far the index reaches in from the safe line, pt."""
        return self.index_ink * self.scale
