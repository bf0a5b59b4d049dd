"""A campaign's chronicle as a text to read: Markdown, HTML, or PDF."""

from __future__ import annotations

from collections.abc import Sequence

from generator.exports.html import html
from generator.exports.markdown import markdown
from generator.layout.reading import Head, Items, Reading
from generator.layout.sheets import Size
from generator.model.rules import System
from generator.session.chronicle import Chapter, clock_time, event_sentence
from generator.words.wording import product_line


def chronicle_reading(campaign: str, system: System, chapters: Sequence[Chapter]) -> Reading:
    """The chronicle of a campaign, a heading for each chapter."""
    nodes: list[Head | Items] = []
    for chapter in chapters:
        said = tuple(" ".join(filter(None, (clock_time(each.time), event_sentence(each)))) for each in chapter.happened)
        nodes += [Head(2, chapter.heading), *([Items(said)] if said else [])]
    return Reading(f"{system.head.title}: {campaign}", product_line(system), tuple(nodes))


def chronicle_file(text: Reading, kind: str, paper: Size) -> bytes:
    """The chronicle as a file of that kind; a PDF on that paper."""
    if kind == "pdf":
        # Loaded only here: text needs nothing that draws.
        from generator.exports.plain_pages import pdf

        return pdf(text, paper)
    return (html(text) if kind == "html" else markdown(text)).encode()
