"""`hackjack serve`: the page at the table, for the game master's screen and every player's phone."""

from __future__ import annotations

import io
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from generator.base.errors import HackjackError, UsageError
from generator.check import content_checks as checks
from generator.cli import echo, play_
from generator.cli import shell_completion as complete
from generator.cli.options import one_of, pack_options
from generator.pack import content
from generator.serve.links import GM, Links, links_file, new_links, read_links, write_links
from generator.session.campaigns import campaign_file
from generator.session.deeds import LARGEST_SEED, DeckKind


@click.command("serve")
@click.argument("system", required=False, default="", shell_complete=complete.systems)
@click.option(
    "--campaign",
    "name",
    shell_complete=complete.campaigns,
    default="table",
    show_default=True,
    metavar="NAME",
    help="Which table it is.",
)
@click.option("--port", type=click.IntRange(1, 65535), help="The port.  [default: the same as last time]")
@click.option("--lan", is_flag=True, help="Let the phones in this network in, not this computer alone.")
@click.option("--new-links", "renewed", is_flag=True, help="Make new links: the old ones open nothing any more.")
@click.option("--deck", type=one_of("real", "virtual"), help="Your cards and dice, or the program's.")
@click.option("--accept-content", is_flag=True, help="Go on although the content has changed since.")
@click.option("--seed", type=click.IntRange(0, LARGEST_SEED), help="Draw and roll from this number.")
@pack_options
def command(
    system: str,
    name: str,
    port: int | None,
    lan: bool,
    renewed: bool,
    deck: DeckKind | None,
    seed: int | None,
    accept_content: bool,
    pack: Sequence[Path],
    settings: tuple[str, ...],
) -> int:
    """Serve the session as a page: the party on the game master's screen, and a page for each player's phone.

    A campaign plays one SYSTEM, which need only be named to begin it; without one it is hackjack. The link that is
    printed is the game master's; it leads to the players' links. Ctrl-C ends it, and nothing is lost.
    """
    opened, rest = play_.split(() if not system else (system,), pack, campaign_file(name))
    if rest:
        raise UsageError(f'there is no system "{system[:40]}"')
    wanted = play_.Wanted(name, opened, content.read_settings(settings), deck, seed, accept_content)
    checks.under(wanted.system, wanted.settings)
    journal = play_.opened(wanted)
    # Only who serves needs a server: no other command waits for it to load.
    from generator.serve import app
    from generator.serve.table import LiveTable

    path = links_file(wanted.path)
    links = _links(path, port, renewed=renewed)
    listening = app.listening(links.port, lan=lan)
    links = Links(links.secret, listening.getsockname()[1], links.events, links.hidden)
    write_links(path, links)
    bases = app.addresses(links.port, lan=lan)
    table = LiveTable(name, journal, wanted.path, links, path)
    _tell(f"{bases[0]}/?key={links.key(GM)}", lan=lan)
    with listening:
        app.run(table, listening, bases, lan=lan)
    return 0


def _links(path: Path, port: int | None, *, renewed: bool) -> Links:
    """The links of last time, or new ones; with the port that is asked for."""
    kept = None
    try:
        kept = read_links(path)
    except HackjackError:
        if not renewed:
            raise
    if kept is None:
        return new_links(port or 0)
    secret = new_links().secret if renewed else kept.secret
    return Links(secret, port or kept.port, kept.events, kept.hidden)


def _tell(link: str, *, lan: bool) -> None:
    """Say where the page is."""
    echo(link)
    if sys.stdout is not None and sys.stdout.isatty():
        import segno

        drawn = io.StringIO()
        segno.make(link, micro=False).terminal(drawn, compact=True)
        click.echo(drawn.getvalue())
    if lan:
        echo(
            "open to everybody in this network who has a link; what is sent can be read there (no TLS): use a network "
            "that you trust",
            err=True,
        )
    echo("this is the game master's link; the page has the players'. Ctrl-C ends it", err=True)
