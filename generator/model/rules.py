"""The face of the room: the types of content under one name, `rules`, for all rooms that use them.

Each type stands in the module of its topic. A name is listed here once another room asks for it.
"""
# ruff: noqa: I001
# fmt: off

from generator.model.card_sets import (
    ALL as ALL, MAX_BOXES as MAX_BOXES, TAKEN as TAKEN, CardSource as CardSource, CardsOf as CardsOf,
)
from generator.model.cards import (
    Card as Card, CardFace as CardFace, Deck as Deck, OwnDeck as OwnDeck, is_permanent as is_permanent,
)
from generator.model.conditions import (
    Area as Area, Condition as Condition, Extent as Extent, Part as Part, Track as Track,
)
from generator.model.durations import (
    ENDED_BY_GM as ENDED_BY_GM, ENDS_OF_STEPS as ENDS_OF_STEPS, LASTING as LASTING, OWN_ENDS as OWN_ENDS,
    OWN_UNITS as OWN_UNITS, UNITS as UNITS, Span as Span, Until as Until,
)
from generator.model.events import Argument as Argument, Happening as Happening, Question as Question, Watch as Watch
from generator.model.pack_files import (
    FILE_KINDS as FILE_KINDS, MIXED as MIXED, PANELS as PANELS, PANELS_ENDING as PANELS_ENDING, VERSION as VERSION,
    Art as Art, BackDesign as BackDesign, DeckFile as DeckFile, DecksFile as DecksFile,
    Ruling as Ruling, SystemFile as SystemFile, TablesFile as TablesFile,
)
from generator.model.plain_values import (
    plain_value as plain_value, read_custom as read_custom, type_of as type_of, write_custom as write_custom,
)
from generator.model.steps import (
    DRAWING as DRAWING, KINDS as KINDS, LEFT as LEFT, UNPLAYED as UNPLAYED, AnyEffect as AnyEffect,
    effect_formulas as effect_formulas, given_names as given_names, missing_end as missing_end,
    names_in_word as names_in_word, nested_effects as nested_effects, not_played as not_played,
    walk_effects as walk_effects,
)
from generator.model.steps.base import (
    NAMES_OF_MOMENT as NAMES_OF_MOMENT, Effect as Effect, Lasting as Lasting, Start as Start, Step as Step,
)
from generator.model.steps.cards import (
    WHENEVER as WHENEVER, Again as Again, CardStep as CardStep, Draw as Draw, DrawCard as DrawCard,
    Drawing as Drawing, Keep as Keep, Peek as Peek, PutAway as PutAway, Read as Read, Recur as Recur,
    Repeat as Repeat, Reroll as Reroll, Shuffle as Shuffle, Spare as Spare, TakeUp as TakeUp, Whenever as Whenever,
)
from generator.model.steps.conditions import (
    Bonus as Bonus, Die as Die, Drop as Drop, End as End, Halve as Halve, Lose as Lose, Penalty as Penalty,
    Revive as Revive, Risk as Risk, Suffer as Suffer,
)
from generator.model.steps.dice import FIRST as FIRST, RollFor as RollFor, Throw as Throw
from generator.model.steps.flow import (
    MAX_AGAIN as MAX_AGAIN, AsLong as AsLong, Befall as Befall, Call as Call, Choose as Choose, Loop as Loop,
    OneOf as OneOf, Say as Say, When as When,
)
from generator.model.steps.numbers import Let as Let, Lower as Lower, Raise as Raise, Reveal as Reveal, SetTo as SetTo
from generator.model.steps.saves import (
    Answer as Answer, Check as Check, Save as Save, automatic_results as automatic_results,
)
from generator.model.steps.tables import Locate as Locate, LookUp as LookUp, Place as Place
from generator.model.steps.time import Pass as Pass, Shorten as Shorten
from generator.model.system import System as System, per_system as per_system
from generator.model.tables import (
    DIGITS as DIGITS, Cell as Cell, Column as Column, NamedCell as NamedCell, Row as Row, Table as Table,
)
