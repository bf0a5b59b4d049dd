"""`hackjack new`: a pack of one's own, to be edited."""

from pathlib import Path

import click

from generator.base.errors import UsageError
from generator.cli import echo, note
from generator.cli.options import json_option, print_json, quiet_option
from generator.pack import scaffold, themes
from generator.pack.founding import PackName, free_folder, pack_name, write_pack
from generator.pack.load import kind_of, load_pack
from generator.pack.pack_locations import find, shipped
from generator.products.looking_over import faults_of_files
from generator.prose import report
from generator.prose.answers import decisions_beside, read_answers
from generator.prose.packing import sound_files
from generator.prose.post import read_file


@click.command("new")
@click.argument("name")
@click.argument("folder", required=False, type=click.Path(path_type=Path), metavar="[DIR]")
@click.option("--from", "base", metavar="SYSTEM", help="The system to start from.  [default: hackjack]")
@click.option("--extends", "small", is_flag=True, help="Only what differs; everything else stays as in SYSTEM.")
@click.option("--blank", is_flag=True, help="Start with a table and an event, or with the numbers of a KIND.")
@click.option("--kind", metavar="KIND", help="With --blank: blackjack, field, traits or steps.  [default: steps]")
@click.option(
    "--from-post",
    "--from-table",
    "post",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Start with the cards and tables of a post: Markdown, HTML, CSV, or text copied from a page.",
)
@click.option(
    "--answer",
    "options",
    multiple=True,
    metavar="NAME=VALUE",
    help="With --from-post: what holds for the whole post, such as lasts=recovery or numbers=blood,trauma.",
)
@click.option(
    "--answers",
    "decided",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="With --from-post: what you decided about an earlier post.  [default: the post.json beside a post.txt]",
)
@click.option("--theme", metavar="NAME", help="Add the file of a theme, to be changed.")
@quiet_option
@json_option
def command(
    name: str,
    folder: Path | None,
    base: str | None,
    small: bool,
    blank: bool,
    kind: str | None,
    post: Path | None,
    options: tuple[str, ...],
    decided: Path | None,
    theme: str | None,
    as_json: bool,
) -> None:
    """Make a pack of your own in the folder DIR, by default ./NAME: content, schemas for editors, and what to do next.

    It holds all the content of SYSTEM to be changed, or with --extends only a first entry of each kind, or with --blank
    next to nothing, or with --from-post the rules of a post: what its sentences do is played and printed, the rest is
    printed as it stands, and the post itself stays in the pack. With --theme its look is a file to be changed, too.
    """
    called = pack_name(name)
    begun = [way for way, value in (("--from", base), ("--blank", blank), ("--from-post", post)) if value]
    if len(begun) > 1 or (small and (blank or post)):
        raise UsageError(f"{' and '.join([*begun, *(['--extends'] if small else [])])} do not go together: choose one")
    if kind and not blank:
        raise UsageError(f"--kind belongs to --blank: write hackjack new {name} --blank --kind {kind[:40]}")
    if (options or decided) and not post:
        raise UsageError("--answer and --answers belong to --from-post: name the file of the post, too")
    target = free_folder(folder or Path(called.id))
    look = themes.named(theme) if theme else None
    answers = read_answers(decided or (decisions_beside(post) if post else None), options)
    system = load_pack(find("hackjack")).system if answers.plays == "hackjack" else None
    read = read_file(post, answers, system) if post else None
    if read:
        files = sound_files(read, called, faults_of_files, system)
    else:
        files = _files(called, base or "hackjack", small, blank, kind)
    if look:
        files = scaffold.themed(files, called, look)
    write_pack(target, files)
    if as_json:
        print_json(
            {"pack": called.id, "folder": str(target), "files": list(files)}
            | ({"post": report.told(read)} if read else {})
        )
        return
    if read:
        note(*report.lines(read))
        if read.problems:
            echo(*map(str, read.problems), err=True)
    note(f"{target}: {', '.join(path for path in files if '/' not in path)}")
    note(f"next: hackjack check {target}, then hackjack serve --preview {target}")


def _files(name: PackName, base: str, small: bool, blank: bool, kind: str | None) -> dict[str, bytes]:
    """The files of the pack."""
    if not blank:
        pack = load_pack(find(base))
        return scaffold.extending(name, pack) if small else scaffold.copied(name, pack)
    if kind in (None, "steps"):
        return scaffold.blank(name)
    packs = {tag: name for name in shipped() if (tag := kind_of(name)) != "steps"}
    if kind not in packs:
        raise UsageError(f'there is no kind "{str(kind)[:40]}": choose {" or ".join([*sorted(packs), "steps"])}')
    return scaffold.numbers_alone(name, load_pack(find(packs[kind])))
