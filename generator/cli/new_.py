"""`hackjack new`: a pack of one's own, to be edited."""

from pathlib import Path

import click

from generator.base.errors import Problem, UsageError
from generator.cli import echo, note
from generator.cli.options import quiet_option
from generator.pack import content, pack_locations, pasted_tables, scaffold, themes
from generator.pack.founding import PackName, free_folder, pack_name, write_pack


@click.command("new")
@click.argument("name")
@click.argument("folder", required=False, type=click.Path(path_type=Path), metavar="[DIR]")
@click.option("--from", "base", metavar="SYSTEM", help="The system to start from.  [default: hackjack]")
@click.option("--extends", "small", is_flag=True, help="Only what differs; everything else stays as in SYSTEM.")
@click.option("--blank", is_flag=True, help="Start with a table and an event, or with the numbers of a KIND.")
@click.option("--kind", metavar="KIND", help="With --blank: blackjack, field, traits or steps.  [default: steps]")
@click.option(
    "--from-table",
    "tables",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Start with the tables in a file: Markdown, HTML, CSV, or text copied from a page.",
)
@click.option("--theme", metavar="NAME", help="Add the file of a theme, to be changed.")
@quiet_option
def command(
    name: str,
    folder: Path | None,
    base: str | None,
    small: bool,
    blank: bool,
    kind: str | None,
    tables: Path | None,
    theme: str | None,
) -> None:
    """Make a pack of your own in the folder DIR, by default ./NAME: content, schemas for editors, and what to do next.

    It holds all the content of SYSTEM to be changed, or with --extends only a first entry of each kind, or with --blank
    next to nothing, or with --from-table the tables that you have. With --theme its look is a file to be changed, too.
    """
    called = pack_name(name)
    begun = [way for way, value in (("--from", base), ("--blank", blank), ("--from-table", tables)) if value]
    if len(begun) > 1 or (small and (blank or tables)):
        raise UsageError(f"{' and '.join([*begun, *(['--extends'] if small else [])])} do not go together: choose one")
    if kind and not blank:
        raise UsageError(f"--kind belongs to --blank: write hackjack new {name} --blank --kind {kind[:40]}")
    target = free_folder(folder or Path(called.id))
    look = themes.named(theme) if theme else None
    files, unread = _files(called, base or "hackjack", small, blank, kind, tables)
    if look:
        files = scaffold.themed(files, called, look)
    write_pack(target, files)
    if unread:
        echo(*map(str, unread), err=True)
    note(f"{target}: {', '.join(path for path in files if '/' not in path)}")
    note(f"next: hackjack check {target}, then hackjack serve --preview {target}")


def _files(
    name: PackName, base: str, small: bool, blank: bool, kind: str | None, tables: Path | None
) -> tuple[dict[str, bytes], tuple[Problem, ...]]:
    """The files of the pack, and what could not be read of the tables that it begins with."""
    if tables is not None:
        pasted = pasted_tables.read(tables)
        return scaffold.blank(name, pasted.tables), pasted.unread
    if not blank:
        pack = content.load(pack_locations.find(base))
        return (scaffold.extending(name, pack) if small else scaffold.copied(name, pack)), ()
    if kind in (None, "steps"):
        return scaffold.blank(name), ()
    packs = {tag: name for name in content.shipped() if (tag := content.kind_of(name)) != "steps"}
    if kind not in packs:
        raise UsageError(f'there is no kind "{str(kind)[:40]}": choose {" or ".join([*sorted(packs), "steps"])}')
    return scaffold.numbers_alone(name, content.load(content.find(packs[kind]))), ()
