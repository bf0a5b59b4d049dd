"""`hackjack odds`: the exact chances of an event."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import click

from generator.cli import echo
from generator.cli.luck import Luck, luck_options, read_state
from generator.cli.options import json_option, open_pack, pack_options, print_json
from generator.errors import UsageError
from generator.games import Asked, game_of


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
    policy: Literal["best", "worst", "even"],
    luck: Luck,
    pack: Path | None,
    settings: tuple[str, ...],
    as_json: bool,
) -> None:
    """Count the exact chances of an event on a state; choices fall as --policy says, best for the character."""
    if luck.cards or luck.dice or luck.choices:
        raise UsageError("odds cover every card and die: leave out --cards, --dice and --choose")
    loaded = open_pack(system, pack, settings).system
    game = game_of(loaded)
    if luck.seed is not None and plays is None:
        raise UsageError("--seed is for --simulate N: exact odds need no luck")
    happening = game.read_question(event, luck.at, loaded)
    state = read_state(luck.state, loaded)
    answer = game.odds(loaded, state, happening, Asked(hits, plays, luck.seed or 0, policy))
    if as_json:
        print_json(answer.plain)
        return
    echo(*([answer.counts] if answer.counts else []), *answer.lines)
