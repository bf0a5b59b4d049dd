"""A character under Deadlands 1876: the state that events lead from and to (rulings D11, D12, D17-D19, D23)."""

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from generator.base.cards import CardName, is_code, is_joker, meant_card
from generator.base.dice import Dice
from generator.base.errors import HackjackError
from generator.base.fields import Amount, AtLeastOne
from generator.model.procedures import Traits
from generator.model.rules import Row, System
from generator.play.state_reading import read_struct

MAX_THINGS = 200
"""So many traits, injuries, tokens or tasks a character may have."""
MAX_NAME_LENGTH = 60
MAX_SAYING_LENGTH = 120

KINDS = {"wild_card": "a Wild Card", "face_card": "a Face Card", "extra": "an Extra"}
STANDINGS = {
    "up": "up",
    "incapacitated": "incapacitated",
    "bleeding": "bleeding out",
    "unconscious": "unconscious",
    "dead": "dead",
}
"""How a character is, in words."""
Kind = Literal["wild_card", "face_card", "extra"]
Standing = Literal["up", "incapacitated", "bleeding", "unconscious", "dead"]
TokenKind = Literal["charm", "burn", "hole", "kicker", "marker"]
TaskKind = Literal["serial", "compound", "attempts", "actions"]
Texts = Annotated[tuple[str, ...], Meta(max_length=MAX_THINGS)]
Ending = Literal["", "done", "failed", "jammed"]


class Injury(Struct, frozen=True, forbid_unknown_fields=True):
    """An injury: its card, and whether it stays; `days` are left of a temporary one, None while nobody has rolled.

    `place` is which of several parts of the body is gone: `left foot little toe`.
    """

    card: CardName
    permanent: bool = False
    days: Amount | None = None
    place: Annotated[str, Meta(max_length=80)] = ""


class Token(Struct, frozen=True, forbid_unknown_fields=True):
    """A token of fortune (D11). `trait` and `says` are its stipulation, the others what its kind needs."""

    kind: TokenKind
    name: str
    die: str = ""
    bonus: int = 0
    trait: str = ""
    card: str = ""
    says: str = ""


class Task(Struct, frozen=True, forbid_unknown_fields=True):
    """A roll that is repeated: a serial roll or a dramatic task (D6, D12). `rounds` 0: as many as it takes."""

    name: str
    kind: TaskKind
    target: AtLeastOne
    needs: AtLeastOne = 1
    rounds: Amount = 0
    successes: Amount = 0
    tries: Amount = 0
    harm: Amount = 0
    ends: Ending = ""


class Fresh(Struct, frozen=True, forbid_unknown_fields=True):
    """Wounds that were just taken and may still be soaked: how many, and how the character was before them (D16)."""

    taken: AtLeastOne
    wounds: Amount = 0
    shaken: bool = False
    healers: tuple[str, ...] = ()
    tended: bool = False
    healed: bool = False
    late: bool = False
    rested: bool = False


class Last(Struct, frozen=True, forbid_unknown_fields=True):
    """How the last roll or draw came out."""

    event: str
    result: str
    total: int | None = None
    target: int | None = None
    raises: int = 0


class TraitsState(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One character. `rank` and `grit` follow from `xp`. `chips` None: the table keeps its Fate Chips itself.

    `healers` have failed to treat the wounds of now, `tended` says that somebody has tried this round, `healed` that
    one succeeded, `late` that the golden hour is over, `rested` that natural healing has begun (D17). `earned` says
    that the Marshal may grant a skill (D5). `dealt` are the cards that came from the action deck this round (D27).
    """

    kind: Kind = "wild_card"
    levels: Amount = 0
    wounds: Amount = 0
    shaken: bool = False
    standing: Standing = "up"
    chips: Amount | None = None
    traits: Annotated[dict[str, str], Meta(max_length=MAX_THINGS)] = {}
    xp: Amount = 0
    rank: str = ""
    grit: int = 0
    spent: Amount = 0
    raised: Texts = ()
    injuries: Annotated[tuple[Injury, ...], Meta(max_length=MAX_THINGS)] = ()
    tokens: Annotated[tuple[Token, ...], Meta(max_length=MAX_THINGS)] = ()
    tasks: Annotated[tuple[Task, ...], Meta(max_length=MAX_THINGS)] = ()
    action: CardName | None = None
    dealt: Annotated[tuple[CardName, ...], Meta(max_length=MAX_THINGS)] = ()
    healers: Texts = ()
    tended: bool = False
    healed: bool = False
    late: bool = False
    rested: bool = False
    earned: bool = False
    fresh: Fresh | None = None
    last: Last | None = None


def numbers_of(system: System) -> Traits:
    """Return the numbers of a system that rolls traits. Raises HackjackError for any other."""
    if not isinstance(system.head.procedure, Traits):
        raise HackjackError(f"{system.head.id} rolls no traits (its procedure is of a different kind)")
    return system.head.procedure


def read_state(value: Any, system: System) -> TraitsState:
    """Return a state from plain data, rank and Grit filled in. Raises HackjackError."""
    state = read_struct(value, TraitsState, "a fresh Wild Card")
    if state.action and "dealt" not in value:
        state = replace(state, dealt=(state.action,))
    state = _by_first_names(state, system)
    if not state.levels:
        levels = 1 if state.kind == "extra" else numbers_of(system).levels
        state = replace(state, levels=levels)
    _check_numbers(state)
    _check_names(state, system)
    ranked = with_xp(state, state.xp, system)
    for name in ("rank", "grit"):
        derived, written = getattr(ranked, name), getattr(state, name)
        if name in value and written != derived:
            raise HackjackError(f"invalid state: with {state.xp} XP the {name} is {derived}, not {written}")
    return ranked


def _check_numbers(state: TraitsState) -> None:
    if state.wounds > state.levels:
        where = f"a character has {state.levels} wound levels"
        raise HackjackError(f"invalid state: {state.wounds} wounds, and {where}")
    if state.fresh and state.fresh.wounds > state.levels:
        raise HackjackError(f"the state's fresh wounds are {state.fresh.taken}, after {state.fresh.wounds} before them")
    for injury in state.injuries:
        if injury.days is not None and injury.permanent:
            raise HackjackError(f"the injury {injury.card[:20]} cannot have {injury.days} days left")


def _check_names(state: TraitsState, system: System) -> None:
    names = [*(token.name for token in state.tokens), *(task.name for task in state.tasks), *state.traits]
    for name in (*names, *state.healers, *(state.fresh.healers if state.fresh else ())):
        if not name or len(name) > MAX_NAME_LENGTH or not name.isprintable():
            raise HackjackError(f'the state holds a bad name "{name[:20]}": 1 to {MAX_NAME_LENGTH} plain characters')
    for noun, listed in (("task", [task.name for task in state.tasks]), ("healer", list(state.healers))):
        if twice := next((name for name in listed if listed.count(name) > 1), None):
            raise HackjackError(f'the state names the {noun} "{twice}" twice')
    for name, die in state.traits.items():
        read_die(die, system, f"the trait {name}")
    for token in state.tokens:
        check_token(token, system)
        if len(token.says) > MAX_SAYING_LENGTH or not (token.says or " ").isprintable():
            raise HackjackError(f'the token "{token.name}" says too much: {MAX_SAYING_LENGTH} plain characters at most')
    for code in (*(injury.card for injury in state.injuries), *filter(None, [state.action]), *state.dealt):
        if not is_code(code):
            raise HackjackError(f'the state names an unknown card "{code[:20]}"{meant_card(code)}')


def first_names(system: System) -> dict[str, str]:
    """Return other names of a trait with the one that is printed, or nothing if every name is its own (D14)."""
    if system.setting("penalties") == "by_one_name":
        return {}
    return {also: name for name, statistic in system.head.statistics.items() for also in statistic.also}


def _by_first_names(state: TraitsState, system: System) -> TraitsState:
    """Return the state with each trait under its printed name. Raises HackjackError if one would stand twice."""
    names = first_names(system)
    traits: dict[str, str] = {}
    for name, die in state.traits.items():
        first = names.get(name, name)
        if traits.setdefault(first, die) != die:
            raise HackjackError(f"the state has {first} twice, at {traits[first]} and {die}: which of them is right?")
    tokens = tuple(replace(token, trait=names.get(token.trait, token.trait)) for token in state.tokens)
    return replace(state, traits=traits, tokens=tokens)


def read_die(written: str, system: System, what: str) -> Dice:
    """Return a die of the ladder. Raises HackjackError."""
    ladder = numbers_of(system).ladder
    die = next((each for each in ladder if each.spoken == written.removeprefix("1")), None)
    if die is None:
        dice = ", ".join(each.spoken for each in ladder)
        raise HackjackError(f'{what} cannot be "{written[:20]}": the dice are {dice}')
    return die


def check_token(token: Token, system: System) -> None:
    """Tell whether a token has what its kind needs. Raises HackjackError."""
    what = f'the {KINDS_OF_TOKEN[token.kind]} "{token.name[:40]}"'
    if token.kind in ("hole", "marker"):
        read_die(token.die, system, what)
    if token.kind == "kicker" and not 1 <= token.bonus <= 20:
        raise HackjackError(f"{what} adds {token.bonus}: a kicker adds 1 or more, rarely more than 2")
    if token.kind == "burn":
        if not is_code(token.card):
            raise HackjackError(f'{what} names no card "{token.card[:20]}"{meant_card(token.card)}')
        if is_joker(token.card):
            raise HackjackError(f"{what} cannot be a joker: a burn card is one of the 52")


KINDS_OF_TOKEN = {
    "charm": "luck charm",
    "burn": "burn card",
    "hole": "hole card",
    "kicker": "kicker",
    "marker": "connection marker",
}


def rank_row(xp: int, system: System) -> Row:
    """Return the row of the rank for these experience points (D19). Raises HackjackError without such a table."""
    table = system.table("ranks")
    row = table.row(xp) if table else None
    if row is None:
        raise HackjackError(f"{system.head.id} has no rank for {xp} XP: add a table called ranks")
    return row


def with_xp(state: TraitsState, xp: int, system: System) -> TraitsState:
    """Return the same character with so many experience points, and the rank and Grit that go with them."""
    rank = rank_row(xp, system).name or ""
    return replace(state, xp=xp, rank=rank, grit=grit_of(xp, system))


def grit_of(xp: int, system: System) -> int:
    """Return the Grit of the rank for these experience points (D19)."""
    grit = rank_row(xp, system).cells.get("grit")
    if not isinstance(grit, int):
        raise HackjackError(f'{system.head.id}: the row for {xp} XP of the table ranks needs a number under "grit"')
    return grit
