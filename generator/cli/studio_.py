"""`hackjack studio`: everything on a page in the browser, on this computer alone."""

from __future__ import annotations

import os
import sys

import click

from generator.cli import echo, note
from generator.cli.options import quiet_option


@click.command("studio")
@click.option("--port", type=click.IntRange(1, 65535), help="The port.  [default: a free one]")
@click.option("--open/--no-open", "opens", default=True, help="Open the browser, if there is a display.")
@quiet_option
def command(port: int | None, opens: bool) -> int:
    """Look at systems, print, set house rules and open a table in your browser.

    Only this computer can open the page. The link is new each time. Ctrl-C ends it.
    """
    run(port or 0, opens=opens)
    return 0


def run(port: int = 0, *, opens: bool = True) -> None:
    """Serve the studio until Ctrl-C. Raises HackjackError for a port in use."""
    # Only who serves needs a server: no other command waits for it to load. While it does, so does what draws.
    from generator.studio.helpers import Helper

    drawing = Helper("drawing")
    drawing.start()
    from generator.serve import app
    from generator.studio.app import Studio, app_of

    with app.listen(port, lan=False) as listening:
        studio = Studio(drawing)
        try:
            link = f"http://127.0.0.1:{listening.getsockname()[1]}/?key={studio.key}"
            echo(link)
            note("this link opens the studio on this computer. Ctrl-C ends it", err=True)
            served = app_of(studio)
            if opens and _has_display():
                import webbrowser

                webbrowser.open(link)
            app.run(served, studio.streams.end, listening)
        finally:
            studio.close()


def _has_display() -> bool:
    """Return whether a browser would have a window: without one it would take the terminal."""
    return sys.platform in ("win32", "darwin") or any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))
