"""`hackjack studio`: everything on a page in the browser, on this computer alone."""

import os
import re
import shlex
import sys
from html import escape
from pathlib import Path

import click

from generator import __version__
from generator.base import archives
from generator.base.errors import UsageError
from generator.base.files import data_root, save_file, written_whole
from generator.cli import echo, note
from generator.cli.options import pack_option, quiet_option
from generator.cli.terminal import numbered, tell
from generator.pack import pack_locations
from generator.pack.load import load_pack


@click.command("studio")
@pack_option("Open the pack in DIR, wherever it lies.")
@click.option("--port", type=click.IntRange(1, 65535), help="The port.  [default: a free one]")
@click.option("--open/--no-open", "opens", default=True, help="Open the browser, if there is a display.")
@click.option(
    "--shortcut",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Write a file into DIR that opens the studio with a double click, and do nothing else.",
)
@quiet_option
def command(pack: tuple[Path, ...], port: int | None, opens: bool, shortcut: Path | None) -> int:
    """Look at systems, print, write packs, set house rules and open a table in your browser.

    Only this computer can open the page. The link is new each time. Ctrl-C ends it.
    """
    if shortcut is not None:
        echo(str(_write_shortcut(shortcut)))
        return 0
    run(port or 0, opens=opens, pack=pack[0] if pack else None)
    return 0


def run(port: int = 0, *, opens: bool = True, pack: Path | None = None) -> None:
    """Serve the studio, with a pack open, until Ctrl-C. Raises HackjackError for a port in use, UsageError."""
    at = f"#{_beside(pack)}" if pack else ""
    # Only who serves needs a server: no other command waits for it to load. While it does, so does what draws.
    from generator.studio.processes import HelperProcess

    drawing = HelperProcess()
    drawing.start()
    from generator.serve import server
    from generator.studio.app import Studio, app_of, processes

    with server.listen(port, lan=False) as listening:
        studio = Studio(processes()._replace(drawing=drawing))
        try:
            link = f"http://127.0.0.1:{listening.getsockname()[1]}/?key={studio.key}{at}"
            echo(link)
            note("this link opens the studio on this computer. Ctrl-C ends it", err=True)
            served = app_of(studio)
            if opens and _has_display():
                import webbrowser

                # Everybody on this computer sees what a browser is started with: not the key.
                webbrowser.open(_forwarding_page(studio.folder, link).as_uri())
            server.run(served, studio.streams.end, listening)
        finally:
            studio.close()


def _forwarding_page(folder: Path, link: str) -> Path:
    """Write a page that its owner alone can read and that leads to the studio, and return its path."""
    path = folder / "open.html"
    with written_whole(path, private=True) as stream:
        stream.write(f'<!doctype html><meta http-equiv="refresh" content="0; url={escape(link)}">'.encode())
    return path


def _beside(pack: Path) -> str:
    """Let all of the studio find a pack by its name, and return that. Raises ContentError, UsageError."""
    (folder,) = pack_locations.pack_folders((pack,))
    if not (archives.is_dir(folder) or archives.is_archive(folder)):
        load_pack(folder)  # This says what is wrong.
    name = pack_locations.name_of(folder.absolute())
    if not pack_locations.is_name(name) or name in pack_locations.shipped():
        raise UsageError(f"{folder}: rename this folder. A pack's folder is called as its id: a-z, 0-9 and _.")
    os.environ[pack_locations.BESIDE] = str(folder.absolute())
    return name


def _write_shortcut(folder: Path) -> Path:
    """Write what opens the studio with a double click on this system, and return its path. Raises DiskError."""
    program = [sys.executable, "-P", "-m", "generator", "studio"]
    if sys.platform == "win32":
        name, lines = "Hackjack studio.cmd", ("@echo off", f'"{program[0]}" {" ".join(program[1:])}'.replace("%", "%%"))
    elif sys.platform == "darwin":
        name, lines = "Hackjack studio.command", ("#!/bin/sh", f"exec {shlex.join(program)}")
    else:
        # In a value of this kind of file a percent sign begins a code, and in quotes these four are escaped.
        quoted = re.sub(r'(["`$\\])', r"\\\1", program[0]).replace("\\", "\\\\").replace("%", "%%")
        icon = data_root() / "templates" / "page" / "icon.svg"
        name, lines = (
            "Hackjack studio.desktop",
            (
                "[Desktop Entry]",
                "Type=Application",
                "Name=Hackjack studio",
                "Comment=Look at systems, print them, write packs, and open a table",
                f'Exec="{quoted}" {" ".join(program[1:])}',
                f"Icon={icon}",
                "Terminal=true",
                "Categories=Game;",
            ),
        )
    path = folder / name
    save_file(("\n".join(lines) + "\n").encode(), path)
    if sys.platform != "win32":
        path.chmod(0o755)
    return path


def _has_display() -> bool:
    """Return whether a browser would have a window: without one it would take the terminal."""
    return sys.platform in ("win32", "darwin") or any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))


FIRST = (
    ("hackjack print", "print the decks, screens and sheets of every system into output/"),
    ("hackjack studio", "do everything in your browser; its Play page has a fight to try"),
    ("hackjack play", "play at your table, with your own cards and dice"),
)
"""What somebody may want who has just installed the program: the call, and what it does."""


def first_steps() -> None:
    """Say what to do first; at a terminal, open the studio, which has all of it on a page. Raises HackjackError."""
    tell(f"Hackjack {__version__}: injury rules to print, to play, and to know the odds of. To begin with:")
    tell(*numbered(FIRST), "hackjack help names all commands.")
    if all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout)):
        tell("Or do everything in your browser:")
        run()
