"""The documents as a site with a search: the Markdown files as they are, and chapters around them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator import __version__

if TYPE_CHECKING:
    from sphinx.application import Sphinx

# A page that no chapter names is a warning of Sphinx's, and a test allows none.
CHAPTERS = {
    "Begin": (
        "docs/paste_a_post",
        "docs/first_evening",
        "docs/studio",
        "docs/hackjack",
        "docs/install",
        "docs/troubleshooting",
    ),
    "At the table": ("docs/play", "docs/table", "docs/glog", "docs/jackrealms", "docs/deadlands", "docs/fiftytwo"),
    "On paper": ("docs/print", "docs/themes", "docs/gallery", "docs/virtual_tables", "docs/reading"),
    "Your own rules": (
        *("docs/first_pack", "docs/sharing", "docs/claims", "docs/events", "docs/common_systems"),
        *(
            "docs/conditions_and_odds",
            "docs/decks_and_cards",
            "docs/content",
            "docs/panels",
            "docs/languages",
            "docs/rules_as_text",
            "docs/reference",
        ),
    ),
    "To look up": ("docs/commands", "docs/glossary"),
    "Behind it": ("docs/speed", "docs/faults", "docs/dev/counting", "SECURITY", "CONTRIBUTING", "CHANGELOG"),
}

project = "Hackjack"
author = "Hackjack contributors"
release = __version__

extensions = ["myst_parser"]
root_doc = "README"
include_patterns = ["*.md", "docs/*.md", "docs/dev/*.md"]
myst_heading_anchors = 4

html_theme = "furo"
html_title = f"Hackjack {__version__}"
html_copy_source = False
html_show_sphinx = False
# It leads to the README, which is where a server and a person both begin.
html_extra_path = ["site/index.html"]


def prepare(app: Sphinx, page: str, source: list[str]) -> None:
    """Put the table of contents below the README, and keep the change log out of the search."""
    del app
    if page == "CHANGELOG":
        source[0] = f"---\nnosearch: true\n---\n{source[0]}"
    if page == root_doc:
        for caption, pages in CHAPTERS.items():
            source[0] += "\n".join(["\n```{toctree}", ":hidden:", f":caption: {caption}", *pages, "```\n"])


def setup(app: Sphinx) -> None:
    """Connect our part to Sphinx."""
    app.connect("source-read", prepare)
