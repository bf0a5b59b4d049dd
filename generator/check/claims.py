"""What the source states, beside what the engine computes."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, assert_never

from msgspec import Struct

from generator.base.cards import FULL_DECK
from generator.base.errors import HackjackError, Problem, did_you_mean
from generator.base.fields import RULING
from generator.check.quoted_odds import answer
from generator.games import game_of
from generator.model.claims import (
    AnyClaim,
    CardClaim,
    ConditionClaim,
    DeckClaim,
    EventClaim,
    NumberClaim,
    OddsClaim,
    PanelClaim,
    TableClaim,
)
from generator.model.rules import Row, System
from generator.model.taken import entry
from generator.pack.strict_yaml import Marks
from generator.play.chance import Given, RollNeed
from generator.play.every_way import TooMuchWorkError, work_budget
from generator.words.effects import condition_sentences
from generator.words.table_text import brief_cell, cell_text, row_text
from generator.words.wording import fill_placeholders

MAX_TRIED_WORK = 200_000
"""So many steps a pack may take to be tried once, and as many for its claims about events: some two seconds each."""
CONFIRM = "to be confirmed"
"""Stands in a proposed claim for the section of the source, which only the author knows."""


@dataclass(frozen=True, slots=True)
class ClaimVerdict:
    """One claim: what it says, what the source has and what comes out, and whether that is as the content says.

    An inherited claim is of the system that a pack extends. Where it does not hold, the pack departs from that source,
    which is what packs are for: this is told, but it is no fault.
    """

    claim: AnyClaim
    expected: Any
    computed: Any
    inherited: bool = False

    @property
    def holds(self) -> bool:
        """Whether the source is right."""
        return _agrees(self.expected, self.computed)

    @property
    def sound(self) -> bool:
        """Whether the content knows: a claim holds, or is marked as differing and still comes out as noted there."""
        return self.inherited or self.as_noted

    @property
    def as_noted(self) -> bool:
        """Whether it comes out as the claim itself says."""
        if self.claim.differs is None:
            return self.holds
        return not self.holds and self.claim.computes == self.computed

    @property
    def word(self) -> str:
        """`holds`, `differs as noted`, `departs` of an inherited claim, or `fails`."""
        if not self.as_noted:
            return "departs" if self.inherited else "fails"
        return "holds" if self.holds else "differs as noted"


def verdicts(system: System) -> tuple[ClaimVerdict, ...]:
    """Every claim of a system, recomputed."""
    return tuple(replace(verdict(claim, system), inherited=claim.id in system.inherited) for claim in system.claims)


def problems(system: System, marks: Mapping[str, Marks], verdicts: Iterable[ClaimVerdict]) -> Iterator[Problem]:
    """Yield a problem for each verdict that is not as the content says, and for cards that cannot be played."""
    yield from _unplayable(system, marks)
    for place, judged in enumerate(verdicts):
        if not judged.sound:
            message = f'the claim "{judged.claim.id}" fails: {_shown(judged)}'
            yield marks["claims.yaml"].problem(("claims", place), message)


def _unplayable(system: System, marks: Mapping[str, Marks]) -> Sequence[Problem]:
    """Return what cannot be played, or that there is too much to try all of it."""
    try:
        with work_budget(MAX_TRIED_WORK):
            return [marks[name].problem(trail, message) for name, trail, message in game_of(system).rehearse()]
    except TooMuchWorkError:
        message = f"this pack cannot be checked: to play all of it once takes more than {MAX_TRIED_WORK:,} steps"
        return [marks["system.yaml"].problem((), message)]


def unconfirmed(system: System, marks: Mapping[str, Marks]) -> Iterator[Problem]:
    """Claims that were proposed and pasted, and that nobody has compared with the source yet."""
    for place, claim in enumerate(system.claims):
        if claim.where == CONFIRM and claim.id not in system.inherited:
            message = (
                f'the claim "{claim.id}" is what the engine makes of it: once your source agrees, say where it does'
            )
            yield marks["claims.yaml"].problem(("claims", place, "where"), message)


def _shown(judged: ClaimVerdict) -> str:
    computed, expected = _as_written(judged.computed), _as_written(judged.expected)
    if judged.claim.differs is not None:
        if judged.holds:
            return "it is marked as differing, but it holds: take differs and computes out"
        if judged.claim.computes is None:
            return f"it is noted to differ, and nothing says how: write computes: {computed}"
        return f"it is noted to come out as {_as_written(judged.claim.computes)}, but it comes out as {computed}"
    if isinstance(judged.claim, EventClaim | OddsClaim) and isinstance(judged.computed, str):
        return f"it should come out as {expected}, but: {computed}"
    return f"it should come out as {expected}, but it comes out as {computed}"


def _as_written(value: Any) -> str:
    """A value as an author writes it: `{hp: 3, dead: true}`."""
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{key}: {_as_written(item)}' for key, item in value.items())}}}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_as_written, value))}]"
    return "nothing" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def verdict(claim: AnyClaim, system: System) -> ClaimVerdict:
    """One claim of a system, recomputed."""
    match claim:
        case EventClaim():
            rolls = {"rolls": list(map(str, claim.rolls))} if claim.rolls else {}
            return ClaimVerdict(claim, claim.expect | claim.log | rolls, _event(claim, system))
        case OddsClaim():
            return ClaimVerdict(claim, claim.expect, _odds(claim, system))
        case CardClaim():
            return ClaimVerdict(claim, [claim.expect] * len(claim.cards), _cards(claim, system))
        case TableClaim():
            table = system.table(claim.table)
            row = None if table is None else table.named(at) if isinstance(at := claim.at, str) else table.row(at)
            return ClaimVerdict(claim, claim.expect, _row(row, claim.column, system) if row else "no such row")
        case ConditionClaim():
            condition = system.head.conditions.get(claim.condition)
            sentences = [str(sentence) for sentence in condition_sentences(condition, system)] if condition else []
            return ClaimVerdict(
                claim, list(claim.expect), [text for text in claim.expect if text in sentences] or sentences
            )
        case PanelClaim():
            return ClaimVerdict(claim, list(claim.expect), _printed(claim, system))
        case NumberClaim():
            value = system.figures[claim.number]
            return ClaimVerdict(claim, claim.expect, value if isinstance(value, int) else str(value))
        case DeckClaim():
            cards = [system.cards[code] for code in FULL_DECK if code in system.cards]
            scores = sorted(system.score_of(card) for card in cards for _ in range(card.copies))
            expected = [claim.cards, claim.lowest, claim.highest]
            return ClaimVerdict(claim, expected, [len(scores), *scores[:1], *scores[-1:]])
        case _:
            assert_never(claim)


def _row(row: Row, column: str | None, system: System) -> str:
    """What a row says: its span of time or its name, or what stands in a column of it."""
    if column is None:
        return str(row.lasts or row.name)
    if column == "first" and column not in row.cells:
        return cell_text(row.first, system)
    if column in ("effects", "note") and column not in row.cells:
        return row_text(row, system) if column == "effects" else row.note or ""
    return brief_cell(row, column, system)


def _printed(claim: PanelClaim, system: System) -> Any:
    """Return what the block prints of the claim; if that is nothing, all that it prints, or why there is no block."""
    files = dict(system.panels)
    try:
        panel = entry(claim.panel, files[claim.of].panels if claim.of in files else (), f"{claim.of} has no panel")
        block = entry(claim.block, panel.blocks, f'the panel "{panel.title}" has no block')
    except HackjackError as error:
        return str(error)
    # Without the marks of rulings.
    texts = [RULING.sub("", fill_placeholders(text, system)).replace(" .", ".") for text in _texts(block)]
    return [quote for quote in claim.expect if any(quote in text for text in texts)] or texts


def _texts(noun: Any) -> Iterator[str]:
    """Yield what a block holds for print in an author's own words."""
    if isinstance(noun, str):
        yield noun
    elif isinstance(noun, tuple | Mapping):
        for each in noun.values() if isinstance(noun, Mapping) else noun:
            yield from _texts(each)
    elif isinstance(noun, Struct):
        for name in ("title", "says", "text", "steps", "choices", "ends", "fields", "label", "note"):
            yield from _texts(getattr(noun, name, None))


def _event(claim: EventClaim, system: System) -> Any:
    """Of the state and the log that come out, the keys that the claim speaks of; or why nothing comes out."""
    game, facts = game_of(system), dict[str, Any]()
    chance = _Noting(claim.cards, claim.dice, claim.choices)
    try:
        with work_budget(MAX_TRIED_WORK // sum(isinstance(each, EventClaim) for each in system.claims)):
            state = game.read_state(claim.state)
            for written, at in ((claim.event, claim.at), *((later, {}) for later in claim.then)):
                state, log = game.step(state, game.read_given(written.split(), at, given=""), chance)
                facts.update((key, value) for entry in log for key, value in entry.facts.items())
            chance.finish()
    except HackjackError as error:
        return str(error)
    plain = game.plain_state(state)
    computed = {key: plain.get(key) for key in claim.expect} | {key: facts.get(key) for key in claim.log}
    return computed | ({"rolls": chance.rolls} if claim.rolls else {})


class _Noting(Given):
    """Luck that notes which dice were asked for."""

    rolls: list[str]

    def roll(self, need: RollNeed) -> tuple[int, ...]:
        """Note the dice, and roll."""
        self.rolls = [*getattr(self, "rolls", ()), str(need.dice)]
        return super().roll(need)


def _odds(claim: OddsClaim, system: System) -> Any:
    """Of the chances that come out, those that the claim speaks of, rounded as it rounds; or why none come out."""
    try:
        plain = answer(system, claim.event, claim.at, claim.state, claim.policy)
        return {key: _chance(key, expected, plain, claim.decimals) for key, expected in claim.expect.items()}
    except HackjackError as error:
        return str(error)


def _chance(key: str, expected: Any, plain: Mapping[str, Any], decimals: int) -> Any:
    """What an answer has under a key: a chance rounded, of a group those asked for, anything else as it stands.

    Raises HackjackError where the key is not there, or holds something else than is expected.
    """
    if key not in plain:
        hint = did_you_mean(key, plain) or f": it has {', '.join([*plain][:12])}"
        raise HackjackError(f'the answer has no "{key}"{hint}')
    value = plain[key]
    group = isinstance(value, Mapping) and "p" not in value
    if group != isinstance(expected, Mapping):
        names = f"{', '.join([*value][:3])} and the like" if group else ""
        right = (
            f"write {key}: {{{next(iter(value))}: 0.5}}"
            if group and value
            else f"write {key}: and what is expected of it"
        )
        what = f"a group of chances by name ({names})" if group else "no group of chances"
        raise HackjackError(f'"{key}" is {what}: {right}')
    if group:
        return {name: _chance(name, share, value, decimals) for name, share in expected.items()}
    if isinstance(value, Mapping):
        if isinstance(expected, str):
            raise HackjackError(f'"{key}" is a chance: write {key}: {round(value["p"], decimals)}')
        return round(value["p"], decimals)
    if not isinstance(value, str | int | float):
        raise HackjackError(f'"{key}" is neither a chance nor a number nor a word: leave it out')
    return value


def _cards(claim: CardClaim, system: System) -> list[dict[str, Any]]:
    codes = []
    for code in claim.cards:
        card = system.cards.get(code)
        facts: dict[str, Any] = {}
        if card is not None:
            facts = {
                "score": system.score_of(card),
                "blood": card.blood.plain if card.blood else 0,
                "trauma": card.trauma or 0,
                "permanent": card.permanent,
            }
        codes.append({key: facts.get(key) for key in claim.expect})
    return codes


def _agrees(expected: Any, computed: Any) -> bool:
    """Whether what came out is what was expected; mappings may hold more than was asked for."""
    if isinstance(expected, Mapping):
        return isinstance(computed, Mapping) and all(_agrees(item, computed.get(key)) for key, item in expected.items())
    if isinstance(expected, list | tuple):
        return (
            isinstance(computed, list | tuple)
            and len(expected) == len(computed)
            and all(map(_agrees, expected, computed))
        )
    return bool(expected == computed) and isinstance(expected, bool) == isinstance(computed, bool)
