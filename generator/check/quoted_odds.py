"""Charts of chances, and sentences that quote them: asked of the game when they are printed, never typed in.

Everything that a pack counts has a fixed share of one budget of work. A chart that is too large to count is played out
wherever it is shown, on paper and in the studio alike, and says so. A quoted chance and a claim are exact or refused.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import sqrt
from typing import Any, NamedTuple

import msgspec

from generator.base.dice import Dice, DiceValue
from generator.base.errors import HackjackError, Problem, did_you_mean
from generator.check.kept_charts import KeptChart, kept_chart, plain_shares, read_shares
from generator.games import game_of
from generator.games.face import Asked
from generator.games.in_a_row import DEFAULT_PLAYS
from generator.model.blocks import MAX_BELOW, Axis, ChancesBlock, HowChosen, OddsBlock, QuotedChance
from generator.model.claims import OddsClaim
from generator.model.formulas import Formula, evaluate
from generator.model.procedures import Steps
from generator.model.rules import System, per_system
from generator.pack.strict_yaml import Marks, Trail
from generator.play.chance import OpenChoiceError
from generator.play.every_way import TOO_MUCH, TooMuchWorkError, work_budget, work_left
from generator.words.chances import Quantity, chance_percent, plain_chance

MAX_PACK_WORK = 500_000
"""Dice, cards and steps that all charts, quoted chances and claims of a pack may take together: some five seconds. What
is played out may take as many again.
"""
MAX_SHIPPED_WORK, SHIPPED_PLAYS = 100_000_000, 31_200
"""So much work and so many plays go into a chart that ships with its system: some minutes."""
QUICK_WORK = 20_000
"""A chart of less work is counted in a fraction of a second, and does not ship."""
MAX_QUESTIONS = 5_000
"""So many chances a pack may ask for: fields of charts, quoted chances and claims."""

_AT_LEAST = 25
"""What one sentence or claim counts for beside a field of a chart, and each chart besides its fields."""

_BANDS = 6
"""So many bands of a chart can be told apart."""

_QUOTED = re.compile(r"\{([\w.+-]+)\}")
"""A key of the answer in a sentence, `{slain}` or `{rows.13+}`; the procedure's numbers are written alike."""


def answer(
    system: System, asks: str, at: Mapping[str, str], state: Mapping[str, Any], policy: HowChosen | None = None
) -> dict[str, Any]:
    """Return the exact odds of a question as `hackjack odds --json` has them. Raises HackjackError, UsageError."""
    with work_budget(_work_for(system), own=True):
        return _plain(system, (asks, dict(at), dict(state)), Asked(exact=True, policy=policy or ""))


@per_system
def question_sizes(system: System) -> tuple[int, ...]:
    """Return how many chances each chart asks for, then 1 for each quoted chance and each claim about odds."""
    blocks = [block for _, file in system.panels for panel in file.panels for block in panel.blocks]
    fields = (block.size for block in blocks if isinstance(block, OddsBlock))
    quotes = sum(len(block.chances) for block in blocks if isinstance(block, ChancesBlock))
    return (*fields, *(1,) * (quotes + sum(isinstance(claim, OddsClaim) for claim in system.claims)))


def _work_for(system: System, fields: int = 1) -> int:
    """Return the share of the budget that belongs to a chart of so many fields, or to one sentence or claim.

    Raises HackjackError where the pack asks for too much.
    """
    sizes = question_sizes(system)
    if sum(sizes) > MAX_QUESTIONS:
        raise HackjackError(f"this pack asks for {sum(sizes):,} chances in all; at most {MAX_QUESTIONS:,} are counted")
    # Single questions tend to be larger than the fields of a chart.
    return MAX_PACK_WORK * (fields + _AT_LEAST) // max(sum(sizes) + _AT_LEAST * len(sizes), 1)


def _plain(system: System, question: "Cell", asked: Asked) -> dict[str, Any]:
    """Return the odds of a question as JSON has them. Raises HackjackError, UsageError."""
    try:
        return game_of(system).odds(*_read(system, *question), asked).plain
    except OpenChoiceError as error:
        raise HackjackError(error.in_content) from error


def _read(system: System, asks: str, at: Mapping[str, str], state: Mapping[str, Any]) -> tuple[Any, Any]:
    """A state and a question."""
    game = game_of(system)
    return game.read_state(dict(state)), game.read_question(asks.split(), at)


def quoted(chance: QuotedChance, system: System) -> str:
    """The sentence with its chances in per cent; the procedure's numbers are left as they stand, for `filled`.

    Raises HackjackError, UsageError for a question that cannot be asked, or a name that the answer does not have.
    """
    shares = _shares(chance, system)
    names = _QUOTED.findall(chance.says)
    for name in names:
        if name not in shares and name not in system.numbers:
            hint = did_you_mean(name, [*shares, *system.numbers]) or f": it has {', '.join([*shares][:12])}"
            raise HackjackError(f'the answer to "{chance.asks}" has no "{{{name}}}"{hint}')
    if shares.keys().isdisjoint(names):
        raise HackjackError(
            f'the sentence quotes no chance: the answer to "{chance.asks}" has {", ".join([*shares][:12])}'
        )

    def said(match: re.Match[str]) -> str:
        share = shares.get(match[1])
        return match[0] if share is None else f"{chance_percent(share, chance.decimals)} %"

    return _QUOTED.sub(said, chance.says)


def blank_quote(chance: QuotedChance, system: System) -> str:
    """Return a sentence with chances that nobody has counted, to see whether it fits."""
    share = f"{99:.{chance.decimals}f} %"
    return _QUOTED.sub(lambda match: match[0] if match[1] in system.numbers else share, chance.says)


def _shares(chance: QuotedChance, system: System) -> Mapping[str, Quantity]:
    """Return the chances that a sentence may quote, counted once a system. Raises HackjackError, UsageError."""
    kept: dict[bytes, Mapping[str, Quantity] | HackjackError] = system.ready.setdefault("quoted", {})
    key = msgspec.json.encode((chance.asks, chance.at, chance.state, chance.policy))
    if key not in kept:
        try:
            kept[key] = dict(shares_of(answer(system, chance.asks, chance.at, chance.state, chance.policy)))
        except HackjackError as error:
            kept[key] = error
    shares = kept[key]
    if isinstance(shares, HackjackError):
        raise shares
    return shares


Cell = tuple[str, dict[str, str], dict[str, Any]]
"""A question, its `at` and its state."""

Given = int | str | tuple[int, ...]
"""A value of an axis; several numbers come one after the other."""

_SUM = re.compile(r"\{([^{}]+)\}")
_RANGE = re.compile(r"^(\d+)-(\d+)$")


def values(axis: Axis | None, system: System) -> tuple[Given, ...]:
    """What runs along an axis; one value that is nothing where there is none. Raises HackjackError for too many."""
    if axis is None:
        return ("",)
    numbers = _Values({}, system)
    upto = axis.upto or 1 if axis.below is None else numbers.named(axis.below) - 1
    # One more is one too many already.
    axis_values: tuple[Given, ...] = (
        tuple(axis.states) or axis.values or tuple(range(axis.least, upto + 1)[: MAX_BELOW + 1])
    )
    if axis.most is not None:
        most = numbers.named(axis.most)
        axis_values = tuple(value for value in axis_values if isinstance(value, str) or _largest(value) <= most)
    limit = MAX_VALUES if axis.below is None else MAX_BELOW
    if not 1 <= len(axis_values) <= limit:
        raise HackjackError(f'"{axis.title}" has {len(axis_values)} values: from 1 to {limit} can be printed')
    return axis_values


MAX_VALUES = 24
"""So many values there are along one axis."""


def _largest(value: int | tuple[int, ...]) -> int:
    return max(value) if isinstance(value, tuple) else value


def label(axis: Axis | None, value: Given, system: System) -> str:
    """What is printed for a value; of a range from a number to itself that number."""
    if axis is None or axis.label is None:
        return ", then ".join(map(str, value)) if isinstance(value, tuple) else str(value).replace("_", " ")
    text = _put(axis.label, _Values({axis.name: value}, system))
    return match[1] if (match := _RANGE.match(text)) and match[1] == match[2] else text


class _Values:
    """What the names in braces stand for: the values of the axes, and the numbers of the procedure."""

    def __init__(self, known: Mapping[str, Given], system: System) -> None:
        self.known, self.system = known, system

    def named(self, name: str) -> int:
        """A number. Raises HackjackError for what is none."""
        value = self.known.get(name, self.system.numbers.get(name))
        if isinstance(value, int) or (isinstance(value, str) and value.isdigit()):
            return int(value)
        there = ", ".join(self.known)
        raise HackjackError(f'"{name}" is not a number here: the axes have {there}')

    def call(self, function: str, name: str, which: str = "", detail: str | None = None) -> int:
        """There is nobody to ask. Raises HackjackError."""
        del which, detail
        raise HackjackError(f"{function}({name}) asks about a character: only numbers can be used here")

    def rolled(self, dice: Dice, value: DiceValue = "sum") -> int:
        """There is nothing to roll. Raises HackjackError."""
        del value
        raise HackjackError(f"{dice} would be rolled: only numbers can be used here")


def _put(written: str, scope: _Values) -> str:
    """A text with its sums in braces figured."""

    def figured(match: re.Match[str]) -> str:
        value = scope.known.get(match[1])
        if value is not None:
            return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)
        try:
            return str(evaluate(Formula.parse(match[1]), scope))
        except ValueError as error:
            raise HackjackError(f"braces hold a formula: {error}") from error

    return _SUM.sub(figured, written)


def cell(block: OddsBlock, system: System, across: Given, down: Given) -> Cell:
    """The question of one field of a picture. Raises HackjackError for sums that cannot be figured."""
    cell_values: dict[str, Given] = {}
    state, added = dict(block.state), dict[str, list[Any]]()
    for axis, value in ((block.across, across), (block.down, down)):
        if axis is not None:
            cell_values[axis.name] = value
            state |= axis.states.get(str(value), {})
            for key, entry in axis.adds.items():
                added.setdefault(key, []).extend([entry] * _times(axis, value))
    for key, entries in added.items():
        state[key] = [*state.get(key, ()), *entries]
    scope = _Values(cell_values, system)

    def put(written: Any) -> Any:
        if isinstance(written, str):
            text = _put(written, scope)
            return int(text) if _SUM.fullmatch(written) and text.lstrip("-").isdigit() else text
        if isinstance(written, dict):
            return {key: put(inner) for key, inner in written.items()}
        return [put(inner) for inner in written] if isinstance(written, list | tuple) else written

    return _put(block.asks, scope), {key: _put(value, scope) for key, value in block.at.items()}, put(state)


def _times(axis: Axis, value: Given) -> int:
    if not isinstance(value, int) or value < 0:
        raise HackjackError(f'"{axis.title}" adds as many as its value: write 0 or more, not {value}')
    return value


class ChartCounts(NamedTuple):
    """The shares in each field of a chart, by the values of its axes. What was played out has how often each field was
    played at least, and the largest standard error.
    """

    fields: Mapping[tuple[Given, Given], Mapping[str, Quantity]]
    plays: int = 0
    error: float = 0.0
    policy: HowChosen | None = None
    in_a_row: int | None = None

    def with_note(self, note: str, *, plays: bool) -> str:
        """Return the note of a chart: how choices fall, and with `plays` how often it was played out."""
        note = f"{note}; {_CHOSEN[self.policy]}" if self.policy else note
        off = self.error if self.in_a_row else self.error * 100
        return f"{note}; {self.plays:,} plays, ±{off:.2g}" if plays and self.plays else note


_CHOSEN = {"best": "choices as is best", "worst": "choices as is worst", "even": "any choice as likely as another"}
"""How a chart says that choices fall."""


def chart_counts(block: OddsBlock, system: System) -> ChartCounts:
    """Return what a chart shows: counted, or played out where that is too much. Raises HackjackError, UsageError."""
    return _kept(block, system, _counted_or_played)


def exact_counts(block: OddsBlock, system: System) -> ChartCounts:
    """Return what a chart shows, exact. Raises TooMuchWorkError where that takes more than the chart's share."""
    counts = _kept(block, system, _counts)
    if counts.plays:
        raise TooMuchWorkError(TOO_MUCH)
    return counts


def _kept(block: OddsBlock, system: System, count: Callable[[OddsBlock, System, int], ChartCounts]) -> ChartCounts:
    """Return a chart that was kept, or else what it comes to now. Raises what counting raises."""
    work = _work_for(system, block.size)
    chart = kept_chart(system, block, work, lambda: _plain_counts(count(block, system, work)))
    fields = {place: read_shares(each) for place, each in zip(_fields(block, system), chart.fields, strict=False)}
    return ChartCounts(fields, chart.plays, chart.error, block.policy, block.in_a_row)


def _plain_counts(counts: ChartCounts) -> KeptChart:
    fields = [plain_shares(each.items()) for each in counts.fields.values()]
    return KeptChart(fields, counts.plays, counts.error)


def chart_to_ship(block: OddsBlock, system: System) -> KeptChart | None:
    """Return what a chart of a system that ships comes to; None where it is counted quickly enough each time."""
    if block.in_a_row is not None:
        return _plain_counts(_played(block, system, MAX_SHIPPED_WORK, SHIPPED_PLAYS))
    with work_budget(MAX_SHIPPED_WORK):
        counts = _counted_or_played(block, system, MAX_SHIPPED_WORK)
        quick = MAX_SHIPPED_WORK - (work_left() or 0) < QUICK_WORK
    return None if quick else _plain_counts(counts)


def _counted_or_played(block: OddsBlock, system: System, work: int) -> ChartCounts:
    try:
        # Many in a row have no end that can be counted.
        if block.in_a_row is None:
            return _counts(block, system, work)
    except TooMuchWorkError:
        if not _may_be_played(system):
            raise
    return _played(block, system, work)


def _played(block: OddsBlock, system: System, share: int, most: int = DEFAULT_PLAYS) -> ChartCounts:
    """Return what a chart shows, played out at most so often."""
    cells, game = [*_fields(block, system)], game_of(system)
    # Of several in a row all characters are played together.
    groups: dict[Any, list[tuple[Given, Given]]] = {}
    for each in cells:
        asks, at, _ = cell(block, system, *each)
        groups.setdefault((asks, str(at)) if block.in_a_row else each, []).append(each)
    plays, errors = list[int](), list[float]()
    fields: dict[tuple[Given, Given], Mapping[str, Quantity]] = {}
    for group in groups.values():
        only = _only(block, system, *group[0])
        question = Asked(block.in_a_row, most, policy=block.policy or "", only=only)
        with work_budget(share * len(group) // len(cells)):
            there = [_read(system, *cell(block, system, *each)) for each in group]
            answers = game.odds_of_each([state for state, _ in there], there[0][1], question)
        for (across, down), answer in zip(group, answers, strict=True):
            chances = _counted(block, system, across, down, answer.plain)
            fields[across, down] = {name: _share(chance) for name, chance in chances.items()}
            plays.append(answer.plain["plays"])
            errors += (chance["error"] for chance in chances.values() if "error" in chance)
    return ChartCounts({each: fields[each] for each in cells}, min(plays), max(errors, default=0))


def _may_be_played(system: System) -> bool:
    """Return whether what is too large to count is played out for charts: only events of the author's are."""
    return isinstance(system.head.procedure, Steps)


def _counts(block: OddsBlock, system: System, share: int) -> ChartCounts:
    """Return what a chart shows, exact. Raises TooMuchWorkError where that takes more than the chart's share."""
    fields: dict[tuple[Given, Given], Mapping[str, Quantity]] = {}
    cells, left = [*_fields(block, system)], share
    with work_budget(share):
        for across, down in cells:
            left, before = work_left() or 0, left
            # After two fields it is plain that a chart of many is far too large: the others are not counted in vain.
            if len(fields) == 2 and (before - left) * len(cells) > 2 * share:
                raise TooMuchWorkError(TOO_MUCH)
            only = _only(block, system, across, down)
            plain = _asked(block, system, across, down, Asked(exact=True, policy=block.policy or "", only=only))
            chances = _counted(block, system, across, down, plain)
            shares = fields[across, down] = {name: _share(chance) for name, chance in chances.items()}
            if block.until_certain and block.down is None and 1 in shares.values():
                break
    return ChartCounts(fields)


def _fields(block: OddsBlock, system: System) -> Iterator[tuple[Given, Given]]:
    """Yield the values of both axes for each field of a chart."""
    across = values(block.across, system)
    return ((each, down) for down in values(block.down, system) for each in across)


def _asked(block: OddsBlock, system: System, across: Given, down: Given, asked: Asked) -> dict[str, Any]:
    return _plain(system, cell(block, system, across, down), asked)


def _key(block: OddsBlock, system: System, across: Given, down: Given) -> str:
    """Return the name of what a field of a chart counts."""
    axes = {axis.name: value for axis, value in ((block.across, across), (block.down, down)) if axis}
    return _put(block.counts, _Values(axes, system))


def _only(block: OddsBlock, system: System, across: Given, down: Given) -> str:
    """Return the one chance that a field looks at, or nothing where it looks at several."""
    key = _key(block, system, across, down)
    return "" if block.looks == "bands" or block.in_a_row or "." in key else key


def _counted(
    block: OddsBlock, system: System, across: Given, down: Given, plain: Mapping[str, Any]
) -> dict[str, Mapping[str, Any]]:
    """Return what a chart counts of an answer: of bands each by its name. Raises HackjackError."""
    chances = {"die_by": lived_through(plain)} if block.in_a_row else dict(chances_of(plain))
    key = _key(block, system, across, down)
    if block.looks == "bands":
        before = f"{key}."
        counts = {name.removeprefix(before): each for name, each in chances.items() if name.startswith(before)}
    else:
        # What cannot come about at all is in no answer.
        group = key.rpartition(".")[0]
        counts = {key: chances.get(key, plain_chance(Fraction(0)))} if group or key in chances else {}
    if not counts:
        hint = did_you_mean(key, chances) or f": it has {', '.join([*chances][:12])}"
        raise HackjackError(f'the answer to "{block.asks}" has no "{key}"{hint}')
    return counts


def band_names(fields: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the names of a chart's bands. Raises HackjackError for more than can be told apart."""
    names = list(dict.fromkeys(name for each in fields for name in each))
    if len(names) > _BANDS:
        names = [name for name in names if any(each.get(name) for each in fields)]
    if len(names) > _BANDS:
        raise HackjackError(
            f"the chart has {len(names)} bands ({', '.join(names)}), but only {_BANDS} can be told apart: "
            "ask for fewer values across, or count one of them as bars"
        )
    return names


def fault(chance: QuotedChance, system: System) -> str:
    """Why a question cannot be read, without counting anything; empty where it can."""
    try:
        _read(system, chance.asks, chance.at, chance.state)
    except HackjackError as error:
        return f"these odds cannot be counted: {error}"
    return ""


_IS_PLAYED = "this chart is too large to count: it is played out; print --rulings says how far off it is"


def problems(system: System, marks: Mapping[str, Marks]) -> Iterator[tuple[Problem, bool]]:
    """Yield what is wrong with charts and quoted chances, and whether that forbids printing: a chart that is played out
    does not.
    """
    for name, file in system.panels:
        for place, panel in enumerate(file.panels):
            for at, block in enumerate(panel.blocks):
                if isinstance(block, OddsBlock):
                    trail: Trail = ("panels", place, "blocks", at, "asks")
                    try:
                        if block.in_a_row:
                            for across, down in _fields(block, system):
                                _read(system, *cell(block, system, across, down))
                            continue
                        counts = exact_counts(block, system)
                        if block.looks == "bands":
                            band_names(list(counts.fields.values()))
                    except HackjackError as error:
                        if isinstance(error, TooMuchWorkError) and _may_be_played(system):
                            yield marks[f"{name}.yaml"].problem(trail, _IS_PLAYED), False
                        else:
                            yield marks[f"{name}.yaml"].problem(trail, f"these odds cannot be counted: {error}"), True
                        if sum(question_sizes(system)) > MAX_QUESTIONS:
                            # It would be said of every chart.
                            return
                for number, chance in enumerate(block.chances if isinstance(block, ChancesBlock) else ()):
                    try:
                        quoted(chance, system)
                    except HackjackError as error:
                        trail = ("panels", place, "blocks", at, "chances", number)
                        yield marks[f"{name}.yaml"].problem(trail, str(error)), True


def chances_of(plain: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield every chance in an answer by its key, those of groups as `rows.13+`."""
    for name, value in plain.items():
        if isinstance(value, Mapping):
            if "p" in value:
                yield f"{before}{name}", value
            else:
                yield from chances_of(value, f"{before}{name}.")


def shares_of(plain: Mapping[str, Any]) -> Iterator[tuple[str, Quantity]]:
    """Yield every chance in an answer by its key as a number: a fraction where it was counted."""
    for name, chance in chances_of(plain):
        yield name, _share(chance)


def lived_through(plain: Mapping[str, Any]) -> dict[str, Any]:
    """Return how many of several events in a row one lives through on average, as an answer has a chance."""
    alive = [1 - _share(chance) for chance in plain["die_by"]]
    mean = sum(alive, Fraction(0))
    if "plays" not in plain:
        return {"fraction": str(mean), "p": float(mean)}
    squared = sum((2 * hits - 1) * share for hits, share in enumerate(alive, 1))
    return {"p": mean, "error": sqrt(max(squared - mean**2, 0) / plain["plays"])}


def _share(chance: Mapping[str, Any]) -> Quantity:
    return Fraction(chance["fraction"]) if "fraction" in chance else float(chance["p"])
