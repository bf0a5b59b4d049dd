"""A campaign's chronicle as a story to read: Markdown, HTML, or PDF with the cards that fell."""

from collections.abc import Iterator, Sequence

from generator.layout.reading import Head, Items, Node, SpokenLine, SpokenSign, SpokenText
from generator.layout.sheets import Size
from generator.model.rules import System
from generator.orders.editions import html_page, markdown_page
from generator.session.chronicle import Chapter, clock_time
from generator.session.moments import GRAVE
from generator.words.wording import product_line


def chronicle_file(campaign: str, system: System, chapters: Sequence[Chapter], kind: str, paper: Size) -> bytes:
    """Return the chronicle of a campaign as a file of that kind; a PDF on that paper."""
    nodes = [each for chapter in chapters for each in _chapter(chapter)]
    text = SpokenText(f"{system.head.title}: {campaign}", product_line(system), tuple(node for node, _ in nodes))
    if kind == "pdf":
        # Loaded only here: text needs nothing that draws.
        from generator.orders.plain_pages import reading_pdf
        from generator.products.deck import small_faces

        faces = small_faces(system, {card for _, card in nodes if card in system.cards})
        return reading_pdf(text, paper, {id(node): faces[card] for node, card in nodes if card in faces})
    return (html_page(text) if kind == "html" else markdown_page(text)).encode()


def _chapter(chapter: Chapter) -> Iterator[tuple[Node, str]]:
    """Yield a session, each text with the card that fell then: grave moments as headings with their emblem."""
    yield Head(2, chapter.heading), ""
    for scene in chapter.scenes:
        time = clock_time(scene.time)
        whole = " ".join(filter(None, (time, scene.says)))
        if scene.head.weight == GRAVE:
            yield Head(3, whole.removesuffix(".")), scene.card
            if scene.head.emblem:
                yield SpokenSign(scene.head.emblem, scene.head.emblem.replace("_", " ")), ""
        elif scene.head.weight:
            yield SpokenLine("", strong=whole), scene.card
        else:
            yield SpokenLine(scene.says, strong=time), ""
        if scene.lines:
            yield Items(scene.lines), ""
