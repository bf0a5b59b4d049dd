"""Editions to read: Markdown and HTML say what the PDFs say, in a form that a screen reader can follow."""

from __future__ import annotations

import re
from functools import cache
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import pytest
from helpers import any_text, hackjack, run, shipped
from hypothesis import given, settings
from markdown_it import MarkdownIt

from generator.base.cards import FULL_DECK, name_of
from generator.games.card_products import card_set, card_set_names
from generator.layout import reading
from generator.layout.reading import Head, Items, SpokenLine, SpokenTable, SpokenText
from generator.layout.sheet_data import Filling
from generator.orders.editions import html_page, markdown_page
from generator.orders.job import annotated_system
from generator.pack import pack_locations
from generator.paper.ink import contrast
from generator.products import panels_file
from generator.products.panel_content import page, screen_pages
from generator.words.effects import card_sentences
from generator.words.wording import fill_placeholders

SYSTEMS = pack_locations.shipped()
VOID = {"meta", "link", "br", "img", "hr", "input"}


@cache
def read(name: str, product: str, *, rulings: bool = False) -> SpokenText:
    """A product of a system as it is read."""
    system = annotated_system(shipped(name)) if rulings else shipped(name)
    if product in card_set_names(system):
        return reading.cards_reading(system, product, card_set(system, product).faces)
    laid_out = panels_file(system, product)
    assert laid_out
    pages = [page(panel, system) for panel in laid_out.panels]
    pages = screen_pages(pages, players=False) if product == "screen" else pages
    return reading.panels_reading(system, laid_out.title, pages)


def products(name: str) -> tuple[str, ...]:
    """Every product of a system that can be read."""
    return (*card_set_names(shipped(name)), *dict(shipped(name).panels))


ALL = [(name, product) for name in SYSTEMS for product in products(name)]


class Tree(HTMLParser):
    """An HTML file read strictly: every tag closed in its turn, and what stands in it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[tuple[str, str]] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if data.strip() and "style" not in self.open:
            self.words.append((self.open[-1], " ".join(data.split())))

    def text(self) -> str:
        return " ".join(word for tag, word in self.words if tag not in ("title", "a"))

    def named(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]


def squeezed(text: str) -> str:
    return re.sub(r"\s+", "", text)


# --- what they say ---------------------------------------------------------------------------------------------------


def test_the_deck_says_every_card_in_words() -> None:
    said = Tree(html_page(read("hackjack", "deck"))).text()
    for code in FULL_DECK:
        card = hackjack().cards[code]
        name = name_of(code)
        start = said.index(f"{name[0].upper()}{name[1:]}: {card.name}")
        mine = said[start : start + 1500]
        for sentence in card_sentences(card, hackjack()):
            assert squeezed(str(sentence)) in squeezed(mine), (code, sentence)
        assert re.search(rf"\bScore: {hackjack().score_of(card)}\b", mine), code
        assert card.flavour is None or card.flavour in said
        assert not card.trauma or f"Trauma: {card.trauma}" in mine
        assert not card.blood or f"Blood: {card.blood.spoken}" in mine


def test_the_screen_holds_tables_lists_and_the_figures_of_its_charts() -> None:
    tree = Tree(html_page(read("hackjack", "screen", rulings=True)))
    said = tree.text()
    assert len(tree.named("table")) >= 8
    assert len(tree.named("ol")) == 2
    scale = "A hit (full deck, no Blood in the pool) death-score before the hit, and the chance that the next hit kills"
    assert f"{scale} per cent 0 " in said and "20 92.31 21 back to 0 over a skull" in said
    assert "Draw: Below 0 HP: one card." in said, "a step says its title"
    assert "King of hearts Ruin within Blood 6 Trauma 6" in said
    for ruling in hackjack().head.rulings:
        assert f"{ruling.id} {fill_placeholders(ruling.point, hackjack())}: " in said
    assert said.endswith("† reconstructed: no source gives it.")


@pytest.mark.parametrize(("name", "product"), ALL)
def test_both_editions_say_the_same_and_html_is_whole(name: str, product: str) -> None:
    found = read(name, product)
    text = html_page(found)
    in_html = Tree(text)
    in_markdown = Tree(MarkdownIt("commonmark").enable("table").render(markdown_page(found)))
    for tag in ("h1", "h2", "h3", "li"):
        assert [word for kind, word in in_html.words if kind == tag] == [
            word for kind, word in in_markdown.words if kind == tag
        ]
    words = squeezed(in_markdown.text())
    for kind, word in in_html.words:
        if kind not in ("title", "a", "caption"):
            assert squeezed(word) in words, word
    # It needs nothing else.
    assert text.startswith('<!DOCTYPE html>\n<html lang="en">')
    kinds = {tag for tag, _ in in_html.tags}
    assert not kinds & {"script", "link", "img", "iframe", "object", "form", "input", "font", "center"}
    assert not re.search(r"https?:|url\(|@import|\bon\w+=", text)
    assert {"main", "header", "h1", "title"} <= kinds
    assert len(in_html.named("h1")) == len(in_html.named("main")) == len(in_html.named("title")) == 1
    for table in re.findall(r"<table>.*?</table>", text, re.DOTALL):
        assert "<caption>" in table
        assert 'scope="' in table or "<td>" in table
    names = [attributes["id"] for _, attributes in in_html.tags if "id" in attributes]
    assert len(names) == len(set(names))
    assert {attributes["href"] for attributes in in_html.named("a")} <= {f"#{known}" for known in names}
    # No heading skips a level, and the rows of a table are as wide as its head.
    levels = [int(tag[1]) for tag, _ in in_html.tags if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1 and all(after <= before + 1 for before, after in pairwise(levels))
    for node in found.nodes:
        if isinstance(node, SpokenTable):
            assert node.rows
            assert all(node.head), "every column has a heading"
            assert len({len(row) for row in node.rows} | ({len(node.head)} if node.head else set())) == 1


def test_a_filled_sheet_reads_its_values() -> None:
    system = hackjack()
    state = {"score": 13, "blood": 3, "wounds": [{"card": "3S", "effect": "arm_useless", "until": "recovery"}]}
    laid_out = dict(system.panels)["sheet"]
    pages = [page(panel, system, filling=Filling("Bryn", state)) for panel in laid_out.panels]
    text = markdown_page(reading.panels_reading(system, laid_out.title, pages))
    assert "**Name:** Bryn" in text
    assert "13 of 21 boxes ticked." in text
    assert "| 3♠ |  | That arm is useless | until you recover | not ticked |" in text


# --- how they are built ----------------------------------------------------------------------------------------------


def rgb(written: str) -> tuple[float, float, float]:
    red, green, blue = (int(written[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return red, green, blue


def test_the_colours_pass_the_strictest_contrast() -> None:
    by_day_and_by_night = re.findall(
        r"--ink: (#\w+); --paper: (#\w+); --band: (#\w+); --rule: (#\w+)", html_page(reading_of("colours"))
    )
    assert len(by_day_and_by_night) == 2
    for colours in by_day_and_by_night:
        ink, paper, band, rule = map(rgb, colours)
        assert contrast(ink, paper) >= 7 and contrast(ink, band) >= 7 and contrast(rule, paper) >= 4.5


# --- content is only ever text ---------------------------------------------------------------------------------------

NASTY = [
    "<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "a | b || c", "# no heading", "1. no list",
    "- no list", "*stars* _lines_ `ticks` ~~gone~~", "[link](javascript:alert(1)) ![](x) <https://x.org>",
    "&lt;b&gt; &amp; &copy;", "back\\slash \\* end\\", "two\nlines\n\nand more",
]  # fmt: skip


def reading_of(text: str) -> SpokenText:
    lists = (Items((text, text)), Items((text,), numbered=True))
    both = (SpokenTable(text, (text, "b"), ((text, text),)), SpokenTable("other", (), ((text, text),)))
    return SpokenText(
        text,
        text,
        (Head(2, text), SpokenLine(text), SpokenLine(text, strong=text), SpokenLine(text, aside=True), *lists, *both),
    )


def shown(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("text", NASTY)
def test_whatever_content_says_stays_text(text: str) -> None:
    tree = Tree(html_page(reading_of(text)))
    assert [word for _, word in tree.words].count(shown(text)) >= 11
    assert not {tag for tag, _ in tree.tags} & {"script", "img", "b", "a"}
    rendered = Tree(MarkdownIt("commonmark").enable(["table", "strikethrough"]).render(markdown_page(reading_of(text))))
    kinds = [tag for tag, _ in rendered.tags]
    assert not set(kinds) & {"script", "img", "a", "code", "s", "hr", "pre", "blockquote"}
    assert (kinds.count("h1"), kinds.count("h2"), kinds.count("table")) == (1, 1, 2)
    assert (kinds.count("ul"), kinds.count("ol"), kinds.count("li")) == (1, 1, 3)
    assert [word for _, word in rendered.words].count(shown(text)) >= 11


@settings(max_examples=40)
@given(any_text(min_size=1, max_size=40).filter(lambda text: text.strip() and text.isprintable()))
def test_any_text_comes_through_markdown(text: str) -> None:
    rendered = Tree(MarkdownIt("commonmark").enable("table").render(markdown_page(reading_of(text))))
    said = squeezed(" ".join(word for _, word in rendered.words))
    assert said.count(squeezed(text)) >= 11


# --- the command -----------------------------------------------------------------------------------------------------


def test_print_writes_every_product_to_be_read(tmp_path: Path) -> None:
    for form in ("md", "html"):
        done = run("print", "hackjack", "--format", form, "-o", tmp_path)
        assert done.code == 0, done.err
        names = [f"hackjack-{product}.{form}" for product in ("deck", "screen", "sheet", "reference")]
        assert done.out.splitlines() == [str(tmp_path / name) for name in names]
        assert all((tmp_path / name).is_file() for name in names)


def test_only_some_cards_and_the_jokers(tmp_path: Path) -> None:
    run("print", "hackjack", "deck", "--format", "md", "--only", "QS", "-o", tmp_path)
    text = (tmp_path / "hackjack-deck.md").read_text(encoding="utf-8")
    assert text.count("\n### ") == 1
    run("print", "hackjack", "deck", "--format", "md", "--jokers", "-o", tmp_path)
    text = (tmp_path / "hackjack-deck.md").read_text(encoding="utf-8")
    assert text.count("\n### ") == 54
    assert "## Jokers\n\n### Red joker: " in text


@pytest.mark.parametrize(("asked", "says"), [
    ("reference --only QS", "--only means nothing for reference: it is for sets of cards"),
    ("screen sheet --jokers", "--jokers means nothing for screen, sheet: it is for sets of cards"),
    ("reference --target mpc", "--target means nothing for reference: it is for sets of cards"),
    ("tokens --text large", "--text means nothing for tokens: it is for sets of cards, screens, sheets and references"),
    ("deck --plain", "--plain means nothing for deck: it is for a sheet"),
    ("screen --format md --ink saver", "--format md is for reading: leave --ink out, which is for paper"),
    ("deck --format html --dpi 300", "--format html is for reading: leave --dpi out, which is for paper"),
    ("deck --format md --target png", "--format md is for reading: leave --target out, which is for paper"),
    ("screen --format md --only QS", "--only means nothing for screen: it is for sets of cards"),
    ("deck --format epub", ""),
])  # fmt: skip
def test_an_option_that_nothing_supports_is_refused(asked: str, says: str, tmp_path: Path) -> None:
    done = run("print", "hackjack", *asked.split(), "-o", tmp_path)
    assert (done.code, len(done.faults), list(tmp_path.iterdir())) == (2, 1, [])
    assert done.faults[0] == says or not says


def test_an_emblem_is_drawn_or_told_with_what_it_shows() -> None:
    found = read("hackjack", "deck")
    drawn = Tree(html_page(found)).named("svg")
    told = re.findall(r"^\*Picture: (.*)\.\*$", markdown_page(found), re.MULTILINE)
    assert [each["aria-label"] for each in drawn] == told
    assert len(told) >= 52
    assert {"a broken bone", "bandaged eyes that bleed", "a die"} <= set(told)
