"""Additional tokens of fortune, and Fate Chips (ruling D11)."""

from typing import cast

from msgspec.structs import asdict, replace

from generator.base.dice import Dice
from generator.base.errors import HackjackError, UsageError
from generator.games.deadlands import log as said
from generator.games.deadlands.state import Token, TokenKind, check_token, read_die
from generator.games.deadlands.table import TraitsTable, TraitThrow

MAX_CHIPS = 10_000
_EXAMPLES = {"burn": "card=KH", "hole": "die=d6", "kicker": "bonus=+1", "marker": "die=d6"}
"""The option that a kind of token needs, with an example."""


def change_chips(table: TraitsTable) -> None:
    """Set, give or take Fate Chips (D3, D4); only Wild Cards have any (D18)."""
    if table.state.kind != "wild_card":
        raise HackjackError("only Wild Cards have Fate Chips")
    written, *more = table.event.words
    count, before = int(written), table.state.chips
    if more:
        if before is None:
            raise HackjackError("the character's Fate Chips are not counted: say chips N first")
        count = before + count if more == ["given"] else before - count
        if not 0 <= count <= MAX_CHIPS:
            raise HackjackError(f"the character has {before} Fate Chips: there cannot be {count}")
    table.note(said.Chips(count), "D3" if more == ["given"] else "D4" if more else "")
    table.change(chips=count)


def award_token(table: TraitsTable) -> None:
    """Hand a token over (D11)."""
    kind, name = table.event.words
    example = _EXAMPLES.get(kind, "")
    needed = example.partition("=")[0]
    if needed and not table.event.get(needed):
        raise UsageError(f"award {kind} needs {needed}: write {example}")
    for option in ("die", "bonus", "card"):
        if table.event.get(option) and option != needed:
            raise UsageError(f"award {kind} takes no {option}")
    token = Token(
        kind=cast(TokenKind, kind),
        name=name,
        bonus=table.event.number("bonus", 0),
        **{key: table.event.get(key) or "" for key in ("die", "trait", "card", "says")},
    )
    check_token(token, table.system)
    if any(one.name.casefold() == name.casefold() and one.kind == kind for one in table.state.tokens):
        raise HackjackError(f'there is a {kind} "{name}" already: give this one another name')
    table.note(said.Award(asdict(token)), "D11")
    table.give(token)


def play_hole_card(table: TraitsTable) -> None:
    """Roll a hole card in place of a skill, once (D11)."""
    token = table.token("hole", table.event.words[0])
    table.note(said.Hole(token.name, token.die), "D11")
    table.spend_token(token)
    table.roll(hole_throw(table, token))


def hole_throw(table: TraitsTable, token: Token) -> TraitThrow:
    """Return the hole card's die in place of the skill's (D11)."""
    return table.plan(token.trait or token.die, die=table.die(token.die))


def call_marker(table: TraitsTable) -> None:
    """Call a favour in, without a wild die; the marker falls by a die or is gone (D11)."""
    written = table.event.words[0]
    token = marker_held(table, written)
    die = read_die(token.die, table.system, token.name)
    verdict = table.thrown(marker_throw(table, die))
    table.ended(verdict.result, verdict)
    lower = table.die_steps_away(die, -1)
    table.note(said.Marker(token.name, die.spoken, lower.spoken if lower else None), "D11")
    after = replace(token, die=lower.spoken) if lower else None
    if token in table.state.tokens:
        table.spend_token(token, after)
    elif after:
        table.give(after)


def marker_throw(table: TraitsTable, die: Dice) -> TraitThrow:
    """Return the marker's roll: no wild die, and no modifier but the joker's (D8, D11)."""
    return TraitThrow(die, None, table.joker, table.numbers.marker_target)


def marker_held(table: TraitsTable, written: str) -> Token:
    """Return a marker by its name; or by its die, and if none of these is held, one that lies on the table."""
    if not (written[0] == "d" and written[1:].isdigit()):
        return table.token("marker", written)
    markers = [token for token in table.state.tokens if token.kind == "marker" and token.die == written]
    return markers[0] if markers else Token("marker", "connection", read_die(written, table.system, "marker").spoken)
