"""A text to read as Markdown: CommonMark with the tables of GitHub. Content stays plain text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import assert_never

from generator.layout.reading import Head, Items, SpokenLine, SpokenSign, SpokenTable, SpokenText

_SIGNS = re.compile(r"([\\`*_\[\]|~#!{}])")
_OPENING = re.compile(r"^(\d{1,9})([.)])|^([-+=])")


def markdown_page(reading: SpokenText) -> str:
    """Return the text of a Markdown file."""
    return (
        "\n\n".join(
            [f"# {escaped_markdown(reading.title)}", escaped_opening(escaped_markdown(reading.line)), *_blocks(reading)]
        )
        + "\n"
    )


def _blocks(reading: SpokenText) -> Iterator[str]:
    heading = ""
    for node in reading.nodes:
        match node:
            case Head():
                heading = node.text
                yield f"{'#' * node.level} {escaped_markdown(node.text)}"
            case SpokenLine():
                text = f"*{escaped_markdown(node.text)}*" if node.aside else escaped_markdown(node.text)
                yield f"**{escaped_markdown(node.strong)}** {text}".rstrip() if node.strong else escaped_opening(text)
            case Items():
                marks = (f"{at}." if node.numbered else "-" for at in range(1, len(node.items) + 1))
                yield "\n".join(
                    f"{mark} {escaped_opening(escaped_markdown(item))}"
                    for mark, item in zip(marks, node.items, strict=True)
                )
            case SpokenSign():
                yield f"*Picture: {escaped_markdown(node.says)}.*"
            case SpokenTable():
                if node.caption != heading:
                    yield f"*{escaped_markdown(node.caption)}*"
                yield "\n".join(_table(node))
            case _:
                assert_never(node)


def _table(table: SpokenTable) -> Iterator[str]:
    """Yield the rows of a table. Markdown wants a head; where there is none it stays empty."""
    wide = len(table.head) or max(map(len, table.rows), default=1)
    yield _line(table.head or ("",) * wide)
    yield _line(("---",) * wide, escape=False)
    yield from map(_line, table.rows)


def _line(cells: tuple[str, ...], *, escape: bool = True) -> str:
    return f"| {' | '.join(escaped_markdown(cell) if escape else cell for cell in cells)} |"


def escaped_markdown(text: str) -> str:
    """Return text that no reader of Markdown takes for markup or HTML, on one line."""
    plain = " ".join(text.split()).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return _SIGNS.sub(r"\\\1", plain)


def escaped_opening(text: str) -> str:
    """Escape text at the beginning of a block, where `1.`, `-` and `+` would begin a list."""
    return _OPENING.sub(lambda match: f"\\{match[3]}" if match[3] else f"{match[1]}\\{match[2]}", text)
