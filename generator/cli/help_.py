"""`hackjack help`: what a command does."""

import click

from generator.cli import check_command


@click.command("help")
@click.argument("name", required=False, metavar="[COMMAND]")
@click.pass_context
def command(context: click.Context, name: str | None) -> None:
    """Say what a COMMAND does, with its options and examples; without one, which commands there are.

    hackjack COMMAND --help says the same.
    """
    whole = context.find_root()
    group = whole.command
    assert isinstance(group, click.Group)
    if name is None:
        click.echo(group.get_help(whole))
        return
    check_command(name)
    explained = group.get_command(whole, name)
    assert explained is not None
    with click.Context(explained, info_name=name, parent=whole) as own:
        click.echo(explained.get_help(own))
