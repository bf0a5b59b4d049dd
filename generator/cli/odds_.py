"""`hackjack odds`: the exact chances of an event."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import click

from generator import odds
from generator.cli.luck import Luck, luck_options, read_state
from generator.cli.options import json_option, open_pack, pack_options, print_json
from generator.engine import harm
from generator.engine.harm import Event, State
from generator.errors import UsageError
from generator.rules import System
from generator.simulation import simulate


@click.command("odds", context_settings={"ignore_unknown_options": True})
@click.argument("system")
@click.argument("event", nargs=-1, required=True, metavar="EVENT [ARG]...")
@click.option("--hits", type=int, help="So many such hits in a row: the chance to be dead after each.")
@click.option(
    "--simulate", "plays", type=click.IntRange(1, 100_000_000), metavar="N", help="Play N times instead of counting."
)
@click.option("--policy", type=click.Choice(["best", "worst", "even"]), default="best", show_default=True)
@luck_options
@pack_options
@json_option
def command(
    system: str,
    event: tuple[str, ...],
    hits: int | None,
    plays: int | None,
    policy: odds.Policy,
    luck: Luck,
    pack: Path | None,
    settings: tuple[str, ...],
    as_json: bool,
) -> None:
    """Count the exact chances of an event on a state; choices fall as --policy says, best for the character."""
    if luck.cards or luck.dice or luck.choices:
        raise UsageError("odds cover every card and die: leave out --cards, --dice and --choose")
    loaded = open_pack(system, pack, settings).system
    happening = harm.read_event(event)
    state = read_state(luck.state, loaded)
    if plays:
        _simulated(loaded, state, happening, hits or 1, plays, luck.seed or 0, policy, as_json)
    elif hits is not None:
        _in_a_row(loaded, state, happening, hits, policy, as_json)
    else:
        _once(loaded, state, happening, policy, as_json)


def _once(system: System, state: State, event: Event, policy: odds.Policy, as_json: bool) -> None:
    found = odds.outcome(system, state, event, policy)
    if as_json:
        print_json(
            {
                "die": chance(found.die),
                "reset": chance(found.reset),
                "survive": chance(found.survive),
                "score": {str(score): chance(share) for score, share in found.score.items()},
                "cards_left": found.cards_left,
            }
        )
        return
    limit = system.head.procedure.limit
    click.echo(f"die      {spoken(found.die)}")
    click.echo(f"reset    {spoken(found.reset)}   exactly {limit}, then 0")
    click.echo(f"survive  {spoken(found.survive)}   a reset counts as surviving")
    for score, share in found.score.items():
        click.echo(f"  death-score {score:>2}  {spoken(share)}")
    click.echo(f"{found.cards_left} cards are left in the deck")


def _in_a_row(system: System, state: State, event: Event, hits: int, policy: odds.Policy, as_json: bool) -> None:
    found = odds.die_by(system, state, event, hits, policy)
    if as_json:
        print_json({"die_by": [chance(share) for share in found]})
        return
    for number, share in enumerate(found, 1):
        click.echo(f"dead after {number} {'hit ' if number == 1 else 'hits'}  {spoken(share)}")


def _simulated(
    system: System, state: State, event: Event, hits: int, plays: int, seed: int, policy: odds.Policy, as_json: bool
) -> None:
    found = simulate(system, state, event, hits, plays, seed, policy)
    if as_json:
        shapes = [{"p": share, "error": error} for share, error in found]
        print_json({"die_by": shapes, "plays": plays, "seed": seed})
        return
    for number, (share, error) in enumerate(found, 1):
        click.echo(f"dead after {number} {'hit ' if number == 1 else 'hits'}  {share:.5f} +- {error:.5f}")
    click.echo(f"{plays:,} plays with the seed {seed}: an estimate, not exact")


def chance(share: Fraction) -> dict[str, Any]:
    """A chance for JSON: exact, and as a decimal."""
    return {"fraction": f"{share.numerator}/{share.denominator}", "p": float(share)}


def spoken(share: Fraction) -> str:
    """A chance for people: the decimal, and the fraction where it is short enough to read."""
    exact = f" = {share.numerator}/{share.denominator}" if share.denominator < 10**9 else ""
    return f"{float(share):8.4%}{exact}"
