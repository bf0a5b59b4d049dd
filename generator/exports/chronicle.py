"""A campaign's chronicle as a text to read: Markdown, HTML, or PDF."""

from __future__ import annotations

from collections.abc import Sequence

from generator.exports.html import html_page
from generator.exports.markdown import markdown_page
from generator.layout.reading import Head, Items, SpokenText
from generator.layout.sheets import Size
from generator.model.rules import System
from generator.session.chronicle import Chapter
from generator.words.wording import product_line


def chronicle_file(campaign: str, system: System, chapters: Sequence[Chapter], kind: str, paper: Size) -> bytes:
    """Return the chronicle of a campaign as a file of that kind; a PDF on that paper."""
    nodes: list[Head | Items] = []
    for each in chapters:
        nodes += [Head(2, each.heading), *([Items(tuple(each.sentences))] if each.happened else [])]
    text = SpokenText(f"{system.head.title}: {campaign}", product_line(system), tuple(nodes))
    if kind == "pdf":
        # Loaded only here: text needs nothing that draws.
        from generator.exports.plain_pages import reading_pdf

        return reading_pdf(text, paper)
    return (html_page(text) if kind == "html" else markdown_page(text)).encode()
