"""A new pack: the texts of its files, made from a system that there is already."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import yaml
from msgspec import Struct, inspect
from msgspec.structs import replace

from generator.base.archives import MOST_OF_ONE
from generator.base.cards import FULL_DECK
from generator.base.errors import ContentError, HackjackError, UsageError
from generator.base.files import first_bytes, path_in
from generator.model.procedures import Procedure
from generator.model.rules import FILE_KINDS, PANELS_ENDING, TAKEN, TENS_AND_ONES, Span, System, Table, plain_value
from generator.model.themes import Theme
from generator.pack import themes
from generator.pack.content import Pack
from generator.pack.pack_locations import holder
from generator.pack.schema import JOINED, all_schemas, meanings, wanted
from generator.pack.strict_yaml import read_text

VERSION = "0.1"

_SAYS = {
    "system.yaml": "the title, the procedure's numbers, conditions, statistics, parts of the body and the rulings",
    "deck.yaml": "the cards: a name, a line of colour, and what each does",
    "decks.yaml": "more decks, of any cards",
    "tables.yaml": "tables by a number or a name",
    "claims.yaml": "what the source states; each is recomputed by `hackjack check`, and must hold or be taken out",
    "combatants.yaml": "who fights",
    "tokens.yaml": "tokens to hand out",
    "screen.yaml": "the panels of the game master's screen",
    "sheet.yaml": "the sheet of a character",
    "reference.yaml": "the reference for players",
    "theme.yaml": "colours, fonts and shapes of what is printed",
}
_MODELINE = re.compile(r"\A# yaml-language-server: \$schema=(?:[^\s]*/)?([\w-]+\.schema\.json)[^\n]*\n")


def copied(name: str, base: Pack) -> dict[str, bytes]:
    """The files of a pack that holds all of another's content, under a name of its own: path -> what it holds.

    Raises HackjackError where the other cannot be read, or is written in a way that its name cannot be changed.
    """
    texts, folder = {}, base.system.folder or base.folder
    own = (path.name for path in sorted(folder.glob(f"*{PANELS_ENDING}")))
    for file in (*FILE_KINDS, *own):
        path = folder / file
        if path.is_file():
            texts[file] = _with_schema(_text(path), file)
    texts["system.yaml"] = _renamed(texts["system.yaml"], name, base)
    return _complete(texts, _copied_says(base, texts)) | _beside(base.system)


def extending(name: str, base: Pack) -> dict[str, bytes]:
    """The files of a small pack that extends another, with a first entry of each kind to change."""
    system = base.system
    texts = {"system.yaml": _small_head(name, system)}
    if system.deck and "deck.yaml" in base.marks:
        note = f"# A card here takes the place of the one in {system.head.title} with the same code."
        texts["deck.yaml"] = f"{note}\n{_dumped({'cards': [_bare(system.deck.in_order[0])]})}"
    if system.tables and "tables.yaml" in base.marks:
        table = system.tables[0]
        note = "# A row here takes the place of the rows whose results it covers, or of the row of the same name."
        row = {"id": table.id, "rows": [_bare(table.rows[0])]}
        texts["tables.yaml"] = f"{note}\n{_dumped({'tables': [row]})}"
    return _small(texts, base)


def _small(texts: Mapping[str, str], base: Pack) -> dict[str, bytes]:
    """The files of a pack that extends another, with their schemas and its page."""
    modelines = {file: f"# yaml-language-server: $schema=schemas/{_schema_of(file, joined=True)}\n" for file in texts}
    whole = {file: modelines[file] + text for file, text in texts.items()}
    return _complete(whole, _extending_says(base, whole))


def blank(name: str, tables: Sequence[Mapping[str, Any]] = ()) -> dict[str, bytes]:
    """The files of a pack that begins with tables alone: an event rolls on each. Without any it has a first one."""
    found = list(tables) or [_FIRST_TABLE]
    events = {}
    for table in found:
        if event := _event_for(table):
            events["roll" if len(found) == 1 else table["id"]] = event
    head = [
        f"id: {name}",
        f'title: "{title_of(name)}"',
        f'version: "{VERSION}"',
        "about: What these rules are for, in a sentence.",
        f'source: {{title: "{title_of(name)}", author: yours, licence: yours}}',
        "procedure: {kind: steps}",
    ]
    blocks = [{"block": "event", "title": found[0]["title"], "event": event} for event in list(events)[:1]]
    blocks += [{"block": "table", "title": table["title"], "table": table["id"]} for table in found]
    screen = {"title": "GM screen", "panels": [{"title": title_of(name), "blocks": blocks}]}
    head += ["events:", *(f"  {event}: {_flow(happening)}" for event, happening in events.items())] if events else []
    cards = [{"name": table["id"], "from": {"table": table["id"]}} for table in found if _fits_cards(table)]
    texts = {
        "system.yaml": "\n".join(head) + "\n" + (_dumped({"cards": cards}) if cards else ""),
        "tables.yaml": _dumped({"tables": [dict(table) for table in found]}),
        "screen.yaml": _dumped(screen),
        "sheet.yaml": _dumped({"title": "Sheet", "panels": [{"title": title_of(name), "blocks": _SHEET}]}),
    }
    texts = {file: _with_schema(text, file) for file, text in texts.items()}
    about = "A table is printed, rolled and counted; whatever else happens is an event of yours, step by step."
    return _complete(texts, _readme(name, f"{about}\nThe guide for authors says what a step may be.", texts))


_SHORT_NAME = 36
"""A name of so many letters fits on a card unless most of them are wide."""

_SHEET: Sequence[Mapping[str, Any]] = [
    {"block": "fields", "fields": [{"label": "Name", "name": "name"}]},
    {
        "block": "grid",
        "title": "Conditions",
        "name": "conditions",
        "rows": 12,
        "columns": [
            {"head": "Condition", "id": "name", "share": 3},
            {"head": "What it does", "id": "does", "share": 6},
            {"head": "Until", "id": "until", "share": 4},
        ],
    },
]

_FIRST_TABLE: Mapping[str, Any] = {
    "id": "results",
    "title": "Results",
    "roll": "d6",
    "covers": "1-6",
    "rows": [
        {"at": "1-3", "name": "A scratch", "note": "It stings and is forgotten."},
        {"at": "4-5", "name": "A gash", "note": "It bleeds through the first bandage."},
        {"at": 6, "name": "A break", "note": "Something cracks."},
    ],
}


def _fits_cards(table: Mapping[str, Any]) -> bool:
    """Whether the rows may be cards: short names, no columns, and no product that is called like the table."""
    short = all(len(row.get("name", table["title"])) <= _SHORT_NAME for row in table["rows"])
    return short and table["id"] not in TAKEN and not table.get("columns")


def _event_for(table: Mapping[str, Any]) -> dict[str, Any] | None:
    """The event that comes to a row of a table; None where rows are known by their names alone."""
    look = {"do": "look_up", "table": table["id"]}
    if "roll" in table:
        return {"says": "roll on the table", "do": [look]}
    if "covers" not in table:
        return None
    if table["covers"] == str(TENS_AND_ONES):
        return {"says": "roll two dice, tens and ones", "do": [look | {"by": "10 * d6 + d6"}]}
    span = Span.parse(table["covers"])
    bounds = {"least": span.low} | ({} if span.high is None else {"most": span.high})
    return {"says": "look the number up", "takes": {"number": bounds}, "do": [look | {"by": "number"}]}


def skeleton(name: str, base: Pack) -> dict[str, bytes]:
    """The files of a pack of the same kind as another, with its numbers and nothing of what it says.

    Each number of the procedure stands on a line of its own, with what it is.
    """
    system = base.system
    title = title_of(name)
    lines = [
        f"id: {name}",
        f'title: "{title}"',
        f'version: "{VERSION}"',
        "about: What these rules are for, in a sentence.",
        f'source: {{title: "{title}", author: yours, licence: yours}}',
        *_numbered(system.head.procedure),
    ]
    texts = {"system.yaml": "\n".join(lines) + "\n"}
    if system.head.suits:
        suits = [_bare(suit) | {"means": "What it stands for."} for suit in system.head.suits]
        texts["system.yaml"] += _dumped({"suits": suits})
    if counted := {table.by for table in system.tables if table.by}:
        tracks = {name: {"name": system.head.tracks[name].name, "means": "What it counts."} for name in sorted(counted)}
        texts["system.yaml"] += _dumped({"tracks": tracks})
    if system.deck:
        cards = [{"code": code, "name": f"Card {code}"} for code in FULL_DECK]
        texts["deck.yaml"] = _dumped({"title": title, "cards": cards})
    if tables := [_numbers_alone(table) for table in system.tables]:
        texts["tables.yaml"] = _dumped({"tables": tables})
    texts = {file: _with_schema(text, file) for file, text in texts.items()}
    about = "The numbers of this kind of rules, to be changed, and cards and tables without words."
    return _complete(texts, _readme(name, about, texts))


def _numbered(procedure: Procedure) -> Iterator[str]:
    """The lines of a procedure: each number with what it is."""
    yield "procedure:"
    yield f"  kind: {procedure.__struct_config__.tag}"
    known = meanings(type(procedure))
    for name, value in plain_value(procedure).items():
        # A skeleton has no conditions yet to be named.
        if name in known and name != "incapable":
            yield f"  {name}: {_flow(value)}  # {known[name]}"


def _flow(value: Any) -> str:
    text: str = yaml.safe_dump(value, sort_keys=False, allow_unicode=True, default_flow_style=True, width=10_000)
    return text.removesuffix("\n").removesuffix("\n...")


def _numbers_alone(table: Table) -> dict[str, Any]:
    """A table with what is looked up in it, and none of the sentences about it."""
    kept = {key: value for key, value in plain_value(table).items() if value and key not in ("note", "rulings", "rows")}
    rows = []
    for row in table.rows:
        cells = {name: cell for name, cell in row.cells.items() if not isinstance(cell, tuple) and "{" not in str(cell)}
        rows.append(_bare(replace(row, effects=(), note=None, cells=cells)))
    return {**kept, "rows": rows}


def themed(files: dict[str, bytes], name: str, theme: Theme) -> dict[str, bytes]:
    """The files of a new pack with a theme of its own that looks as one of ours; its page tells of it.

    Each colour, font and shape stands on a line of its own, with what it is.
    """
    told = "\n".join([f"id: {name}", *_described(Theme, theme, ("id", "like", "about"))])
    text = _with_schema(f"{told}\n", themes.FILE)
    head = re.sub(rb"^theme:[^\n]*\n", b"", files["system.yaml"], flags=re.MULTILINE)
    before = b"| `schemas/` |"
    page = files["README.md"].replace(before, f"| `{themes.FILE}` | {_SAYS[themes.FILE]} |\n".encode() + before)
    return {**files, "system.yaml": head, "README.md": page, themes.FILE: text.encode()}


def _described(kind: type, value: Struct, without: Sequence[str] = (), indent: str = "") -> Iterator[str]:
    """The lines of a struct: each field with what it is."""
    shape = inspect.type_info(kind)
    assert isinstance(shape, inspect.StructType)
    for field in shape.fields:
        said = getattr(value, field.name)
        if field.name in without:
            continue
        if isinstance(said, Struct):
            yield f"{indent}{field.encode_name}:"
            yield from _described(type(said), said, indent=f"{indent}  ")
        else:
            inner = field.type.type if isinstance(field.type, inspect.Metadata) else field.type
            choices = inner.values if isinstance(inner, inspect.LiteralType) else ()
            others = "".join(f"or {other}; " for other in choices if other != said)
            yield f"{indent}{field.encode_name}: {_flow(said)}  # {others}{wanted(field.type)}"


def title_of(name: str) -> str:
    """A pack's first title: `red_keep` is Red keep."""
    words = name.replace("_", " ").strip()
    return f"{words[:1].upper()}{words[1:]}"


# --- files -----------------------------------------------------------------------------------------------------------


def _complete(texts: dict[str, str], readme: str) -> dict[str, bytes]:
    """The texts with the schemas that they may name and a page on how to go on."""
    named = {found[1] for text in texts.values() if (found := _MODELINE.match(text))}
    schemas = {f"schemas/{file}": text for file, text in all_schemas().items() if file in named}
    return {path: text.encode() for path, text in (texts | schemas | {"README.md": readme}).items()}


def _text(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
    except (OSError, UnicodeDecodeError) as error:
        raise HackjackError(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}") from error


def _beside(system: System) -> dict[str, bytes]:
    """The pictures and spreadsheets that a system names, from wherever it has them."""
    found = {}
    for name in system.beside:
        folder = holder(system, name)
        if folder is not None and (path := path_in(folder, name)).is_file():
            found[name] = first_bytes(path, name, MOST_OF_ONE)
    return found


def _schema_of(file: str, *, joined: bool) -> str:
    ours = "sheet" if file.endswith(PANELS_ENDING) else file.removesuffix(".yaml")
    ours = f"{ours}.schema.json"
    return f"extending-{ours}" if joined and file in JOINED else ours


def _with_schema(text: str, file: str) -> str:
    """The text with the place of its schema in the new pack, in its first line."""
    found = _MODELINE.match(text)
    schema = found[1] if found else _schema_of(file, joined=False)
    return f"# yaml-language-server: $schema=schemas/{schema}\n{text[found.end() :] if found else text}"


def _renamed(text: str, name: str, base: Pack) -> str:
    """`system.yaml` with the new pack's name, title and version."""
    wanted = {"id": name, "title": title_of(name), "version": VERSION}
    lines = {"id": f"id: {name}", "title": f'title: "{title_of(name)}"', "version": f'version: "{VERSION}"'}
    for key, line in reversed(lines.items()):
        text, found = re.subn(rf"^{key}:[^\n]*$", line, text, count=1, flags=re.MULTILINE)
        if not found:
            head, rest = text.split("\n", 1)
            text = f"{head}\n{line}\n{rest}"
    try:
        value, _ = read_text(text, "system.yaml")
    except ContentError:
        value = None
    if not isinstance(value, dict) or {key: value.get(key) for key in wanted} != wanted:
        path = (base.system.folder or base.folder) / "system.yaml"
        raise HackjackError(f"{path}: write id, title and version on lines of their own, and it can be copied")
    return text


def _small_head(name: str, system: System) -> str:
    return "\n".join([*_own_head(name, system), *_choice_lines(system), ""])


def _own_head(name: str, system: System) -> tuple[str, ...]:
    """How the `system.yaml` of a pack begins that extends a system."""
    return (
        f"# What is not said here is as in {system.head.title}.",
        f"id: {name}",
        f"extends: {system.head.id}",
        f'title: "{title_of(name)}"',
        f'version: "{VERSION}"',
    )


def house_rules(name: str, base: Pack, system: System) -> dict[str, bytes]:
    """The files of a small pack that extends another: the switches and numbers that a system has otherwise.

    Raises UsageError where nothing differs.
    """
    before = base.system
    chosen = {switch: _quoted(value) for switch, value in system.settings if value != before.setting(switch)}
    figures = {key: value for key, value in system.numbers.items() if before.numbers.get(key) != value}
    if not (chosen or figures):
        raise UsageError("nothing is set otherwise: say what is, such as --set NAME=VALUE")
    lines = [*_own_head(name, before)]
    for key, entries in (("rulings", chosen), ("procedure", figures)):
        lines += [f"{key}:", *(f"  {one}: {value}" for one, value in entries.items())] if entries else []
    return _small({"system.yaml": "\n".join([*lines, ""])}, base)


def _choice_lines(system: System) -> Iterator[str]:
    """House rules as they stand, to be changed, with what else could be chosen."""
    if not system.switches:
        return
    yield ""
    yield "# House rules. Each stands as it is by default; what else there is follows it."
    yield "rulings:"
    for name, switch in system.switches.items():
        chosen = system.setting(name) or switch.default
        others = ", ".join(option for option in switch.options if option != chosen)
        yield f"  {name}: {_quoted(chosen)}  # or {others}"


def _quoted(option: str) -> str:
    """An option that no reader of YAML, however old, takes for something else."""
    return option if option.isidentifier() and option not in ("on", "off", "yes", "no") else f'"{option}"'


def _bare(noun: Any) -> dict[str, Any]:
    """A card or a row as an author writes it: nothing that goes without saying."""
    usual = {field.name: field.default for field in msgspec.structs.fields(noun)}
    told = {
        key: value
        for key, value in plain_value(noun).items()
        if (value or (value == 0 and value is not False)) and value != usual[key]
    }
    return {key: int(value) if key == "at" and str(value).isdigit() else value for key, value in told.items()}


def _dumped(value: Any) -> str:
    text: str = yaml.safe_dump(value, sort_keys=False, allow_unicode=True, default_flow_style=None, width=110)
    return text


# --- the page on how to go on ----------------------------------------------------------------------------------------


def _copied_says(base: Pack, texts: dict[str, str]) -> str:
    system = base.system
    name = read_text(texts["system.yaml"], "system.yaml")[0]["id"]
    about = (
        f"All of {system.head.title} as it was, to be changed. Give your source and your title in `system.yaml`, then\n"
        "edit whatever you like: every number, card, table and panel is in these files."
    )
    return _readme(name, about, texts)


def _extending_says(base: Pack, texts: dict[str, str]) -> str:
    name = read_text(texts["system.yaml"], "system.yaml")[0]["id"]
    about = (
        f"This pack changes {base.system.head.title} and holds only what is different. A card takes the place of the\n"
        "card with the same code, a row of a table that of the rows it covers; of everything else the same key is\n"
        "replaced. An entry stands for itself: a card here does what it says here and nothing more. To take a\n"
        "condition, a statistic or a part out, write `null` after its name. Any other file, such as `screen.yaml`,\n"
        "takes the place of the whole file."
    )
    return _readme(name, about, texts)


def _readme(name: str, about: str, texts: dict[str, str]) -> str:
    rows = "\n".join(f"| `{file}` | {_SAYS[file]} |" for file in texts)
    return f"""# {title_of(name)}

{about}

| file | what to edit there |
|---|---|
{rows}
| `schemas/` | nothing: they let an editor that speaks YAML complete keys and mark faults |

In this folder:

```
hackjack check .
hackjack print {name} --pack .
hackjack serve --preview .
hackjack list --pack .
hackjack play {name} --pack .
hackjack pack .
```

The check says for every fault its file, line and column, and what would be right. `serve --preview` shows cards and
faults in a browser while you write. Put the folder into the packs folder (the last line of `hackjack list` names it),
and its name alone will do: `hackjack print {name}`. `pack` makes one file
to give away, which `--pack` takes in place of the folder.
"""
