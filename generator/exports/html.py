"""A text to read as one HTML file that needs nothing else: no script and no other file, for its pictures are in it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from html import escape
from typing import assert_never

from generator.layout.panel_elements import merged_cells
from generator.layout.reading import Head, Items, Node, SpokenLine, SpokenSign, SpokenTable, SpokenText
from generator.paper.art import emblem_path

INK, PAPER, BAND, RULE = "#1a1a1c", "#ffffff", "#f0efed", "#6b6966"
DARK_INK, DARK_PAPER, DARK_BAND, DARK_RULE = "#f2f1ef", "#161618", "#242427", "#a09d99"
"""The colours by day and by night; every pair passes 7:1."""

_STYLE = f"""
:root {{ color-scheme: light dark; --ink: {INK}; --paper: {PAPER}; --band: {BAND}; --rule: {RULE} }}
@media (prefers-color-scheme: dark) {{
  :root {{ --ink: {DARK_INK}; --paper: {DARK_PAPER}; --band: {DARK_BAND}; --rule: {DARK_RULE} }}
}}
body {{ margin: 0 auto; padding: 1rem; max-width: 44rem; background: var(--paper); color: var(--ink);
  font: 1.125rem/1.5 system-ui, sans-serif }}
h1, h2, h3 {{ line-height: 1.2 }}
h2 {{ margin-top: 2.5rem; border-bottom: 2px solid var(--rule) }}
h3 {{ margin-bottom: 0.25rem }}
ul, ol, p {{ margin: 0.4rem 0 }}
a {{ color: inherit }}
.wide {{ overflow-x: auto }}
.emblem {{ width: 4rem; height: 4rem; margin: 0.4rem 0 }}
table {{ border-collapse: collapse; margin: 0.8rem 0 }}
caption {{ text-align: left; font-weight: bold; padding: 0.3rem 0 }}
th, td {{ border: 1px solid var(--rule); padding: 0.25rem 0.6rem; text-align: left; vertical-align: top }}
thead th, tbody tr:nth-child(even) {{ background: var(--band) }}
@media print {{
  body {{ max-width: none; font-size: 12pt }}
  nav {{ display: none }}
  h2, h3 {{ break-after: avoid }}
  tr {{ break-inside: avoid }}
}}
""".strip()


def html_page(reading: SpokenText) -> str:
    """Return the text of an HTML file."""
    return "\n".join(_lines(reading)) + "\n"


def _lines(reading: SpokenText) -> Iterator[str]:
    title = escaped_html(reading.title)
    yield '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>{title}</title>\n<style>\n{_STYLE}\n</style>\n</head>\n<body>"
    yield f"<header>\n<h1>{title}</h1>\n<p>{escaped_html(reading.line)}</p>\n</header>"
    parts = [node.text for node in reading.nodes if isinstance(node, Head) and node.level == 2]
    names = heading_anchors(parts)
    if len(parts) > 1:
        links = (
            f'<li><a href="#{name}">{escaped_html(part)}</a></li>' for part, name in zip(parts, names, strict=True)
        )
        yield "\n".join(['<nav aria-label="Contents">', "<ul>", *links, "</ul>", "</nav>"])
    yield "<main>"
    waiting = iter(names)
    for node in reading.nodes:
        yield _node(node, next(waiting) if isinstance(node, Head) and node.level == 2 else "")
    yield "</main>\n</body>\n</html>"


def html_fragment(nodes: Iterable[Node]) -> str:
    """Return text as the inside of a page of somebody else's."""
    return "\n".join(_node(node, "") for node in nodes)


def _node(node: Node, name: str) -> str:
    match node:
        case Head():
            at = f' id="{name}"' if name else ""
            return f"<h{node.level}{at}>{escaped_html(node.text)}</h{node.level}>"
        case SpokenLine():
            strong = f"<strong>{escaped_html(node.strong)}</strong> " if node.strong else ""
            return f"<p>{strong}{f'<em>{escaped_html(node.text)}</em>' if node.aside else escaped_html(node.text)}</p>"
        case Items():
            tag = "ol" if node.numbered else "ul"
            return "\n".join([f"<{tag}>", *(f"<li>{escaped_html(item)}</li>" for item in node.items), f"</{tag}>"])
        case SpokenTable():
            return "\n".join(_table(node))
        case SpokenSign():
            return _sign(node)
        case _:
            assert_never(node)


def _sign(sign: SpokenSign) -> str:
    """Return an emblem as a drawing that says what it shows."""
    picture = f'<path d="{emblem_path(sign.name)}" fill="currentColor" fill-rule="evenodd" transform="scale(1 -1)"/>'
    label = escaped_html(sign.says)
    return f'<svg class="emblem" viewBox="-50 -50 100 100" role="img" aria-label="{label}">{picture}</svg>'


def _table(table: SpokenTable) -> Iterator[str]:
    """Yield a table that says itself what belongs to what: a caption, and heads with their scope."""
    caption = escaped_html(table.caption)
    yield f'<div class="wide" role="region" aria-label="{caption}" tabindex="0">'
    yield f"<table>\n<caption>{caption}</caption>"
    if table.head:
        cells = "".join(f'<th scope="col">{escaped_html(cell)}</th>' for cell in table.head)
        yield f"<thead>\n<tr>{cells}</tr>\n</thead>"
    yield "<tbody>"
    for row in table.rows:
        spans = enumerate(merged_cells(row, table.merge))
        yield f"<tr>{''.join(_cell(cell, wide, first=not at) for at, (cell, wide) in spans if wide)}</tr>"
    yield "</tbody>\n</table>\n</div>"


def _cell(cell: str, wide: int, *, first: bool) -> str:
    """Return a cell over so many columns; the first one of a row heads it."""
    over = f' colspan="{wide}"' if wide > 1 else ""
    # An empty cell, a place to write on, heads nothing.
    return (
        f'<th scope="row"{over}>{escaped_html(cell)}</th>' if first and cell else f"<td{over}>{escaped_html(cell)}</td>"
    )


def escaped_html(text: str) -> str:
    """Return text that no browser takes for markup."""
    return escape(" ".join(text.split()))


def heading_anchors(texts: list[str]) -> list[str]:
    """Return a name of its own for each heading: its number, and plain letters and digits of it."""
    return [f"{at}-{re.sub(r'[^a-z0-9]+', '-', text.lower()).strip('-')}" for at, text in enumerate(texts, 1)]
