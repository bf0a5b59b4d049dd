"""The tables and decks of a pack as grids: columns, rows as they are written, and errors beside their cells."""

import re
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

from generator.base.errors import Problem
from generator.games.card_products import card_set, card_set_names
from generator.model.blocks import Conditions
from generator.model.rules import AnyEffect, Card, Condition, Row, System, Table, read_custom
from generator.pack.inherit import YamlValue
from generator.pack.schema import faults as faults_of
from generator.pack.schema import meanings
from generator.pack.splicing import flow
from generator.pack.strict_yaml import Marks, Trail
from generator.studio.pictures import ALL
from generator.studio.shelf import Shelf
from generator.words.chances import chance_percent
from generator.words.effect_words import effect_sentences
from generator.words.wording import capitalised

_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,6})")
_FIELDS = {
    "rows": [each.encode_name for each in msgspec.structs.fields(Row)],
    "cards": list(Card.__struct_encode_fields__),
    "conditions": ["id", *Condition.__struct_encode_fields__],
    "events": [],
}
"""In which order the keys of a row, a card and a condition are written; the id of a condition is a key itself."""
_BY_ID = ("conditions", "events")
"""What is no list: the id of each is its key."""
_SAYS = {
    "rows": meanings(Row),
    "cards": meanings(Card),
    "conditions": {"id": "what effects call it: broken_arm", **meanings(Condition)},
}


_FOR_GOOD = (("for_good", "For good", "effects"), ("for_good_says", "For good, in your words", "note"))


class CellColumn(Struct, frozen=True):
    """A column: the keys that lead to its values, its heading, how it is edited, and what belongs in it.

    `kind` is `text`, `number`, `note`, `cell` (a number, a word or effects), `effects`, `emblem`, `picture`, `colour`,
    `one` of some values, or `id`, which a row keeps.
    """

    path: tuple[str, ...]
    title: str
    kind: str = "text"
    says: str = ""
    values: tuple[str, ...] = ()


class GridLine(NamedTuple):
    """A row, a card or a condition: what is written, its place among all, and its place in the file that holds it."""

    value: dict[str, Any]
    joined: Trail
    marks: Marks
    trail: Trail

    def lies_in(self, path: Path) -> bool:
        """Return whether it is written in that file."""
        return _real(self.marks.file) == _real(str(path))

    @property
    def origin(self) -> str:
        """The pack or the spreadsheet that it is from."""
        path = Path(self.marks.file)
        return path.name if path.suffix.lower() == ".csv" else path.absolute().parent.name


@lru_cache(maxsize=64)
def _real(path: str) -> Path:
    """Return a path without links: errors name a file by one way, and the packs folder may be reached by another."""
    return Path(path).resolve()


class GridPart(NamedTuple):
    """A table, a deck or the conditions of a pack: its id, its file, and all that is written of it, joined."""

    id: str
    file: str
    written: YamlValue
    key: str

    @property
    def name(self) -> str:
        """What it is called in its file: the id of a table or of a deck of one's own."""
        return self.id.partition("/")[2]

    @property
    def title(self) -> str:
        """What it is called on the page."""
        return (
            self.key.capitalize() if self.key in _BY_ID else str(self.written.value.get("title") or self.name or "Deck")
        )

    @property
    def order(self) -> list[str]:
        """The order in which keys of its rows are written."""
        return _FIELDS[self.key]

    def lines(self) -> list[GridLine]:
        """Return its rows, cards or conditions."""
        entries = self.written.value.get(self.key)
        ids = self.key in _BY_ID and isinstance(entries, dict)
        found = []
        for at, value in entries.items() if ids else enumerate(entries if isinstance(entries, list) else ()):
            joined = (*self.written.trail, self.key, at)
            marks, trail = self.written.marks.home(joined)
            whole = {**({"id": at} if ids else {}), **(value if isinstance(value, dict) else {})}
            found.append(GridLine(whole, joined, marks, trail))
        return found

    def columns(self) -> list[CellColumn]:
        """Return the columns that it has: those that its kind needs, and what some row says besides."""
        lines, written = [line.value for line in self.lines()], self.written.value
        if self.key == "events":
            return []
        used = {key for value in lines for key in value}
        if self.key == "rows":
            numbered = {"by", "roll", "covers"} & {*written} or "at" in used
            first = (CellColumn(("at",), _spoken(written), "number"),) if numbered else ()
            cells = [CellColumn(("cells", name), title, "cell") for name, title in _titles(written, "columns")]
            lasts = [CellColumn(("lasts",), "Lasts")] if "lasts" in used else []
            columns = [*first, CellColumn(("name",), str(written.get("names") or "Name")), *cells, *lasts]
        elif self.key == "conditions":
            shown = [
                ("id", "Id"),
                ("name", "Name"),
                ("says", "Sentence"),
                ("brief", "In short"),
                ("fails", "If failed"),
            ]
            columns = [CellColumn((key,), title, "id" if key == "id" else "text") for key, title in shown]
        else:
            columns = [CellColumn(("code",), "Code"), CellColumn(("name",), "Name")]
            counted = ("copies", "blood", "trauma")
            used |= {"copies"} if self.name else set()
            columns += [CellColumn((key,), key.capitalize(), "number") for key in counted if key in used]
            columns += [CellColumn(("lines", name), title, "cell") for name, title in _titles(written, "lines")]
        comes = ("implies", "What comes with it") if self.key == "conditions" else ("effects", "What happens")
        columns.append(CellColumn((comes[0],), comes[1], "effects"))
        columns += (
            [CellColumn(("says",), "In your words", "note")] if self.key != "conditions" and "says" in used else []
        )
        for name, title in _titles(written, "faces") if self.key == "cards" else ():
            columns.append(CellColumn(("faces", name, "effects"), title, "effects"))
            columns.append(CellColumn(("faces", name, "note"), f"{title}: note", "note"))
        for key, title, kind in _FOR_GOOD:
            columns += [CellColumn((key,), title, kind)] if key in used else []
        columns += [CellColumn(("note",), "Note", "note")] if self.key != "conditions" else []
        columns += [CellColumn(("flavour",), "Flavour", "note")] if self.key == "cards" else []
        columns += [CellColumn(("emblem",), "Emblem", "emblem"), CellColumn(("art",), "Picture", "picture")]
        return [msgspec.structs.replace(each, says=_SAYS[self.key][each.path[0]]) for each in columns]


def _spoken(written: Mapping[str, Any]) -> str:
    """Return the heading over the results of a table: its dice, or what it is looked up by."""
    return re.sub(r"^1d", "d", str(written.get("roll") or written.get("by") or "Result"))


def _titles(written: Mapping[str, Any], key: str) -> Iterator[tuple[str, str]]:
    named = written.get(key)
    for name, value in named.items() if isinstance(named, dict) else ():
        yield name, str(value.get("title", name) if isinstance(value, dict) else value)


def parts(files: Mapping[str, YamlValue]) -> dict[str, GridPart]:
    """Return the tables, the decks and the conditions that the files of a pack say, by their ids on the page."""
    found: dict[str, GridPart] = {}
    if isinstance(getattr(deck := files.get("deck.yaml"), "value", None), dict):
        assert deck is not None
        found["deck"] = GridPart("deck", "deck.yaml", deck, "cards")
    for file, key, inner in (("decks.yaml", "decks", "cards"), ("tables.yaml", "tables", "rows")):
        written = files.get(file)
        if written is not None and isinstance(written.value, dict) and isinstance(written.value.get(key), list):
            for entry in written.at(key).entries():
                if isinstance(entry.value, dict) and isinstance(entry.value.get("id"), str):
                    name = f"{key}/{entry.value['id']}"
                    found.setdefault(name, GridPart(name, file, entry, inner))
    if isinstance(getattr(system := files.get("system.yaml"), "value", None), dict):
        assert system is not None
        procedure = system.value.get("procedure")
        steps = isinstance(procedure, dict) and procedure.get("kind") == "steps"
        for key in _BY_ID if steps else _BY_ID[:1]:
            found[key] = GridPart(key, "system.yaml", system, key)
    return found


def typed(kind: str, text: str) -> Any:
    """Return what somebody typed into a cell as YAML would read it; None for an empty cell."""
    text = " ".join(text.split()) if kind != "note" else text.strip()
    return int(text) if kind in ("number", "cell") and _NUMBER.fullmatch(text) else text or None


def said(columns: Iterable[CellColumn], line: GridLine, system: System | None) -> dict[str, list[str]]:
    """Return the sentences of a row's effects, by the path of their column."""
    sentences = {}
    for column in columns:
        value: Any = line.value
        for key in column.path:
            value = value.get(key) if isinstance(value, dict) else None
        value = value.get("effects") if isinstance(value, dict) else value
        if isinstance(value, list):
            sentences["/".join(column.path)] = [sentence(each, system) for each in value]
    return sentences


def sentence(effect: Any, system: System | None) -> str:
    """Return what an effect says, or what is wrong with it, or else how it is written."""
    try:
        known = msgspec.convert(effect, AnyEffect, dec_hook=read_custom)
        said = " ".join(map(str, effect_sentences(known, system))) if system else ""
    except msgspec.ValidationError as error:
        wrong = [
            f"{capitalised(str(each.trail[0]).replace('_', ' '))}: {each.message}" if each.trail else each.message
            for each in faults_of(effect, AnyEffect)
        ]
        said = "; ".join(wrong) or str(error)
    except Exception:
        # A pack that nobody could judge is shown all the same, as it is written.
        said = ""
    return said or flow(effect)


def faults(part: GridPart, problems: Iterable[Problem]) -> tuple[list[dict[str, Any]], list[str]]:
    """Return the errors beside their cells, and those of other places as text."""
    lines, columns = part.lines(), part.columns()
    places = {key: marks.trails() for key, marks in {id(line.marks): line.marks for line in lines}.items()}
    beside, others = [], []
    for problem in problems:
        for at, line in enumerate(lines):
            if line.marks.file != problem.file:
                continue
            trails = places[id(line.marks)].get((problem.line, problem.column), ())
            inner = next((each[len(line.trail) :] for each in trails if each[: len(line.trail)] == line.trail), None)
            if inner is not None:
                path = next((each.path for each in columns if inner[: len(each.path)] == each.path), inner[:1])
                beside.append({"row": at, "path": "/".join(map(str, path)), "says": problem.message})
                break
        else:
            others.append(str(problem))
    return beside, others


def chances(table: Table | None) -> list[str]:
    """Return the chance of each row of a table in per cent; nothing if no dice decide."""
    shares = table.chances() if table else {}
    rows = table.rows if table and shares else ()
    found = [sum((share for total, share in shares.items() if row.at and total in row.at), Fraction()) for row in rows]
    return [f"{chance_percent(share, 1)} %" for share in found]


BACK = "-1"
"""The row of a deck's back."""


def row_number(text: str) -> int:
    """Return the number of a row or a page that an address has; -1 if it is none."""
    return int(text) if re.fullmatch("[0-9]{1,5}", text) else -1


class Beside:
    """What stands beside a row while it is written: its card, and the pages that show its table."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf

    def row(self, pack: str, part: str, row: str) -> dict[str, Any]:
        """Return the cards that a row is printed as, and the panels with its table. Raises HackjackError."""
        opened = self._shelf.opened(pack)
        system, (kind, _, name) = opened.system, part.partition("/")
        at, file = row_number(row), f"{kind}.yaml"
        trail: Trail
        if kind == "conditions":
            file, trail = "system.yaml", (kind, next(islice(system.head.conditions, max(at, 0), None), ""))
        else:
            ids = [each.id for each in (system.tables if kind == "tables" else system.decks)]
            inner = ("rows" if kind == "tables" else "cards", at)
            trail = inner if kind == "deck" else (kind, ids.index(name) if name in ids else -1, *inner)
        items = {item.id: item for product in opened.products for item in product.items}
        cards = []
        for chosen in card_set_names(system):
            printed = card_set(system, chosen)
            places = (printed.trails or {}).items() if printed.file == file else ()
            cards += [items[f"{chosen}/{code}"] for code, place in places if place[: len(trail)] == trail]
        holds = Conditions if kind == "conditions" else ()
        panels = [
            {"product": product, "panel": at, "panels": len(file.panels)}
            for product, file in system.panels
            for at, panel in enumerate(file.panels)
            if any(getattr(each, "table", "") == name or isinstance(each, holds) for each in panel.blocks)
        ]
        if (
            row == BACK
            and kind != "tables"
            and (product := next((each for each in opened.products if each.name == (name or kind)), None))
        ):
            back = {"id": f"{product.name}/{ALL}", "title": "The back", "stamp": product.back, "drawn": True}
            return {"cards": [back], "panels": []}
        told = [{"id": each.id, "title": each.title, "stamp": each.stamp, "drawn": each.drawn} for each in cards]
        return {"cards": told, "panels": panels if kind != "deck" else []}
