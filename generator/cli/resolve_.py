"""`hackjack resolve`: resolve one event on a state, a pure function on the command line."""

import os
from collections.abc import Sequence
from pathlib import Path

import click

from generator.base.errors import HackjackError, UsageError
from generator.base.text_input import in_any_case
from generator.cli import echo
from generator.cli.luck import Luck, luck_options, read_state
from generator.cli.options import json_option, open_pack, pack_options, print_json
from generator.games import game_of, log_lines, missing_luck, plain_entry
from generator.games.face import PlainState
from generator.play.chance import SURPLUS, Given, NeedsError, Seeded


@click.command("resolve", context_settings={"ignore_unknown_options": True})
@click.argument("system")
@click.argument("event", nargs=-1, required=True, metavar="EVENT [ARG]...")
@click.option("--why", is_flag=True, help="Show the ruling behind each line.")
@luck_options
@pack_options
@json_option
def command(
    system: str,
    event: tuple[str, ...],
    why: bool,
    luck: Luck,
    pack: Sequence[Path],
    settings: tuple[str, ...],
    as_json: bool,
) -> None:
    """Resolve one event on a state: hit 9, heal 4, rest. Give cards and dice, or let a seed decide."""
    loaded = open_pack(system, pack, settings, to_play=True).system
    game = game_of(loaded)
    happening = game.read_event((in_any_case(event[0], game.EVENTS), *event[1:]), luck.at)
    if luck.seed is not None and (luck.cards or luck.dice):
        raise UsageError("--seed draws and rolls by itself: leave --cards and --dice out, or --seed")
    state = read_state(luck.state, loaded)
    given = Given(luck.cards, luck.dice, luck.choices, cup=Seeded(int.from_bytes(os.urandom(6))))
    chance = Seeded(luck.seed, luck.choices) if luck.seed is not None else given
    try:
        after, log = game.step(state, happening, chance)
    except NeedsError as missing:
        raise HackjackError(missing_luck(missing, loaded)) from missing
    if isinstance(chance, Given):
        chance.finish(getattr(happening, SURPLUS, ""))
    game.check_bounds(after)
    plain = game.plain_state(after)
    if as_json:
        print_json({"state": plain, "log": [plain_entry(entry, loaded) for entry in log]})
        return
    for line in [*log_lines(log, loaded, why=why), game.state_line(PlainState(plain, after))]:
        echo(*line.split("\n"))
