"""`hackjack odds`: the chances of an event."""

from collections.abc import Sequence
from pathlib import Path

import click

from generator.base.errors import UsageError
from generator.base.text_input import in_any_case
from generator.cli import echo
from generator.cli.luck import Luck, luck_options, read_state
from generator.cli.options import json_option, one_of, open_pack, pack_options, print_json
from generator.cli.terminal import busy
from generator.games import game_of
from generator.games.face import Asked
from generator.play.chance import Policy


@click.command("odds", context_settings={"ignore_unknown_options": True})
@click.argument("system")
@click.argument("event", nargs=-1, required=True, metavar="EVENT [ARG]...")
@click.option("--hits", type=int, help="The chance to be dead after each of N such events.")
@click.option(
    "--simulate",
    "plays",
    type=click.IntRange(1, 100_000_000),
    metavar="N",
    help="Simulate N times instead of counting.",
)
@click.option("--exact", is_flag=True, help="Refuse what is too large to count, instead of simulating it.")
@click.option("--policy", type=one_of("best", "worst", "even"), help="How choices are made.")
@luck_options
@pack_options
@json_option
def command(
    system: str,
    event: tuple[str, ...],
    hits: int | None,
    plays: int | None,
    exact: bool,
    policy: Policy | None,
    luck: Luck,
    pack: Sequence[Path],
    settings: tuple[str, ...],
    as_json: bool,
) -> None:
    """Count the chances of an event on a state; --policy says how choices are made.

    The policies are best and worst for the character, and even: any option is as likely as another. Without
    it the best is taken; a pack whose own steps let somebody choose has to say what is better for that.

    Odds are exact where they can be counted. What is too large to count is played up to 100,000 times, from --seed or
    from 0, and the answer gives its standard error.
    """
    if luck.cards or luck.dice or luck.choices:
        raise UsageError("odds cover every card and die: leave out --cards, --dice and --choose")
    loaded = open_pack(system, pack, settings).system
    game = game_of(loaded)
    if exact and plays is not None:
        raise UsageError("--exact counts and --simulate plays: leave one of them out")
    if luck.seed is not None and exact:
        raise UsageError("--seed is for plays, and --exact counts: leave one of them out")
    happening = game.read_question((in_any_case(event[0], game.QUESTIONS), *event[1:]), luck.at)
    state = read_state(luck.state, loaded)
    with busy(f"counting {' '.join(event)}" if plays is None else f"playing {' '.join(event)} {plays:,} times"):
        answer = game.odds(state, happening, Asked(hits, plays, luck.seed or 0, exact, policy or ""))
    if as_json:
        print_json(answer.plain)
        return
    echo(*([answer.counts] if answer.counts else []), *answer.lines)
