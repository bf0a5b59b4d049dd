"""`hackjack pack`: make one file of a pack, to share."""

from pathlib import Path

import click

from generator.base import archives
from generator.base.errors import ContentError, HackjackError, UsageError
from generator.base.files import written_whole
from generator.cli import note
from generator.cli.options import json_option, print_json, quiet_option
from generator.cli.terminal import busy
from generator.pack import pack_locations, sharing
from generator.pack.load import load_pack
from generator.products.looking_over import looked_over
from generator.prose.packing import POST
from generator.words.wording import joined_words


@click.command("pack")
@click.argument("folder", type=click.Path(path_type=Path), metavar="DIR")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    default=Path(),
    metavar="DIR",
    help="The folder for the file.  [default: here]",
)
@quiet_option
@json_option
def command(folder: Path, output: Path, as_json: bool) -> None:
    """Make one file, NAME.zip, of the pack in DIR, to be given to others, who read it with --pack NAME.zip.

    It holds the content with its pictures, fonts and spreadsheets, the schemas, and licence and readme files.
    A pack with errors is refused. The same pack always gives the same bytes.
    """
    (found,) = pack_locations.pack_folders((folder,))
    if archives.is_archive(found):
        raise UsageError(f"{found} is an archive already: name the folder of a pack")
    with busy(f"checking {found.name}"):
        looked = looked_over((found,))
    if looked.problems:
        raise ContentError(looked.problems)
    parcel = sharing.gathered(load_pack(found))
    path = output / f"{parcel.name}{archives.ENDING}"
    try:
        made = sharing.archive(parcel)
    except HackjackError as error:
        raise HackjackError(f"{found} cannot be packed: {error}") from error
    with written_whole(path) as stream:
        stream.write(made)
    notes = _told(parcel)
    if as_json:
        shape = {"file": str(path), "bytes": len(made), "files": list(parcel.files), "left_out": list(parcel.left_out)}
        print_json({**shape, "notes": notes})
        return
    note(f"{path}: {len(parcel.files)} files, {len(made) / 1000:,.0f} kB")
    for line in notes:
        note(line, err=True)


def _told(parcel: sharing.Parcel) -> list[str]:
    """What the author should know before the file is given away."""
    notes = []
    if parcel.left_out:
        names = ", ".join(parcel.left_out[:10]) + (" and more" if len(parcel.left_out) > 10 else "")
        notes.append(f"left out, for nothing reads it: {names}")
    if parcel.needs:
        needs = joined_words(parcel.needs)
        notes.append(f"{parcel.name} is built on {needs}, not shipped with Hackjack: share that too")
    if POST in parcel.left_out:
        notes.append(
            "its rules were read from a post, whose words are its author's: ask its author before you share them"
        )
    if not parcel.is_licensed:
        notes.append("the pack has no licence: add a file LICENSE that says what others may do with it")
    return notes
