"""`hackjack serve`: the page at the table, for the game master's screen and every player's phone."""

import io
import sys
from collections.abc import Sequence
from pathlib import Path

import click
from click.core import ParameterSource
from msgspec.structs import replace

from generator.base.errors import HackjackError, UsageError
from generator.base.text_input import find_name
from generator.check import content_checks as checks
from generator.cli import echo, note, play_, studio_
from generator.cli.options import one_of, pack_options, quiet_option
from generator.pack.settings import read_settings
from generator.serve.links import GM, Links, links_file, new_links, read_links, write_links
from generator.session.campaigns import campaign_file, title_of
from generator.session.deeds import MAX_SEED, DeckKind


@click.command("serve")
@click.argument("system", required=False, default="")
@click.option(
    "--campaign", "name", default="table", show_default=True, metavar="NAME", help="The name of the campaign."
)
@click.option("--port", type=click.IntRange(1, 65535), help="The port.  [default: the same as last time]")
@click.option("--lan", is_flag=True, help="Let phones in this network open the page.")
@click.option("--new-links", "renewed", is_flag=True, help="Make new links; the old ones stop working.")
@click.option(
    "--new-link", "anew", multiple=True, metavar="WHO", help="Make a new link for this player; can be repeated."
)
@click.option("--deck", type=one_of("real", "virtual"), help="Your cards and dice, or the program's.")
@click.option("--dice", type=one_of("real", "virtual"), help="Your dice, or the program's.  [default: as --deck]")
@click.option("--accept-content", is_flag=True, help="Continue although the content has changed.")
@click.option("--seed", type=click.IntRange(0, MAX_SEED), help="The seed of the virtual deck and dice.")
@click.option(
    "--preview",
    "previewed",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Open the studio with the pack in DIR: its cards, pages and errors, while you write it.",
)
@pack_options
@quiet_option
def command(
    system: str,
    name: str,
    port: int | None,
    lan: bool,
    renewed: bool,
    anew: tuple[str, ...],
    deck: DeckKind | None,
    dice: DeckKind | None,
    seed: int | None,
    accept_content: bool,
    previewed: Path | None,
    pack: Sequence[Path],
    settings: tuple[str, ...],
) -> int:
    """Serve the session as a page: the party on the game master's screen, and a page for each player's phone.

    A campaign plays one SYSTEM, which need only be named to begin it; without one it is hackjack. The link that is
    printed is the game master's; it leads to the players' links. Ctrl-C ends it, and nothing is lost.

    --preview opens the studio with a pack instead of a campaign, for its author.
    """
    if previewed is not None:
        _preview(previewed, port or 0)
        return 0
    opened, rest = play_.split_call(() if not system else (system,), pack, campaign_file(name))
    if rest:
        raise UsageError(f'there is no system "{system[:40]}"')
    wanted = play_.CampaignOptions(name, opened, read_settings(settings), deck, seed, accept_content, dice)
    checks.under(wanted.system, wanted.settings)
    journal = play_.open_campaign(wanted)
    # Whoever begins to play beside the page plays this campaign, and no other one of that name.
    journal.settle()
    # Only who serves needs a server: no other command waits for it to load.
    from generator.serve import server, views
    from generator.serve.app import app_of
    from generator.serve.table import LiveTable

    path = links_file(wanted.path)
    links = _links(path, port, renewed=renewed)
    for whose in anew:
        now = journal.session
        links = links.with_new_link(now.party.seat(find_name(whose, views.players(now))))
    listening = server.listen(links.port, lan=lan)
    links = replace(links, port=listening.getsockname()[1])
    write_links(path, links)
    bases = server.addresses(links.port, lan=lan)
    table = LiveTable(wanted.path.stem, journal, wanted.path, links, path, title_of(name))
    _tell(f"{bases[0]}/?key={links.key(GM)}", "this is the game master's link; the page has the players'", lan=lan)
    with listening:
        server.run(app_of(table, bases, lan=lan), table.end_streams, listening)
    return 0


def _links(path: Path, port: int | None, *, renewed: bool) -> Links:
    """Return the saved links, or new ones, with the requested port."""
    kept = None
    try:
        kept = read_links(path)
    except HackjackError:
        if not renewed:
            raise
    if kept is None:
        return new_links(port or 0)
    if renewed:
        kept = replace(kept, secret=new_links().secret, renewed={})
    return replace(kept, port=port or kept.port)


_FOR_PREVIEWS = ("previewed", "port", "quiet")


def _preview(pack: Path, port: int) -> None:
    """Serve the studio with a pack open until Ctrl-C. Raises ContentError for a folder that is none, UsageError."""
    context = click.get_current_context()
    for option in context.command.params:
        given = context.get_parameter_source(option.name or "") is ParameterSource.COMMANDLINE
        if given and option.name not in _FOR_PREVIEWS:
            called = "SYSTEM" if isinstance(option, click.Argument) else option.opts[0]
            raise UsageError(f"--preview shows a pack to its author, on this computer alone: leave {called} out")
    studio_.run(port, opens=False, pack=pack)


def _tell(link: str, whose: str, *, lan: bool) -> None:
    """Say where the page is, and whose."""
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
    note(f"{whose}. Ctrl-C ends it", err=True)
