"""A campaign's chronicle as a text to read: Markdown, HTML, or PDF."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from io import BytesIO

from generator.exports.html import html
from generator.exports.markdown import markdown
from generator.exports.reading import Head, Items, Reading
from generator.layout.sheets import Size
from generator.model.rules import System
from generator.session.chronicle import Chapter, clock, sentence
from generator.words.wording import product_line


def reading(campaign: str, system: System, chapters: Sequence[Chapter]) -> Reading:
    """The chronicle of a campaign, a heading for each chapter."""
    nodes: list[Head | Items] = []
    for chapter in chapters:
        said = tuple(" ".join(filter(None, (clock(each.time), sentence(each)))) for each in chapter.happened)
        nodes += [Head(2, chapter.heading), *([Items(said)] if said else [])]
    return Reading(f"{system.head.title}: {campaign}", product_line(system), tuple(nodes))


def written(text: Reading, kind: str, paper: Size) -> bytes:
    """The chronicle as a file of that kind; a PDF on that paper."""
    if kind == "pdf":
        return _pdf(text, paper)
    return (html(text) if kind == "html" else markdown(text)).encode()


def _pdf(text: Reading, paper: Size) -> bytes:
    """Plain pages to read. Loaded only here: text needs nothing that draws."""
    from reportlab.lib.styles import ParagraphStyle
    from reportlab.lib.units import mm
    from reportlab.platypus import Paragraph, SimpleDocTemplate

    from generator.paper import fonts

    sans, bold = fonts.use(fonts.SANS), fonts.use(fonts.SANS_BOLD)
    body = ParagraphStyle("body", fontName=sans, fontSize=11, leading=15, leftIndent=12, firstLineIndent=-12)
    head = ParagraphStyle("head", fontName=bold, fontSize=14, leading=18, spaceBefore=14, spaceAfter=4, keepWithNext=1)
    title = ParagraphStyle("title", fontName=bold, fontSize=20, leading=26)
    story = [Paragraph(escape(text.title), title)]
    for node in text.nodes:
        if isinstance(node, Head):
            story.append(Paragraph(escape(node.text), head))
        elif isinstance(node, Items):
            story += [Paragraph(escape(item), body) for item in node.items]
    file = BytesIO()
    SimpleDocTemplate(
        file, pagesize=(paper.width * mm, paper.height * mm), title=text.title, author="", invariant=1
    ).build(story)
    return file.getvalue()
