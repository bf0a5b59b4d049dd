"""A new pack: the texts of its files, made from a system that there is already."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import yaml
from msgspec import Struct, inspect
from msgspec.structs import replace

from generator.base.cards import FULL_DECK
from generator.base.errors import ContentError, HackjackError, UsageError
from generator.base.files import first_bytes, limited_text, path_in
from generator.base.zip_files import MAX_OF_ONE
from generator.language.event_writer import write_event
from generator.language.splice import with_texts
from generator.model.rules import DIGITS, FILE_KINDS, PANELS_ENDING, TAKEN, Span, System, Table, plain_value, type_of
from generator.model.themes import Theme
from generator.pack import themes
from generator.pack.founding import PackName
from generator.pack.load import Pack
from generator.pack.pack_locations import holder, other_files
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
    "page.yaml": "what the page at the table shows first",
    "theme.yaml": "colours, fonts and shapes of what is printed",
    "mixed.yaml": "cards of any systems, to print on the same sheets",
}
_MODELINE = re.compile(r"\A# yaml-language-server: \$schema=(?:[^\s]*/)?([\w-]+\.schema\.json)[^\n]*\n")


def copied(name: PackName, base: Pack) -> dict[str, bytes]:
    """Return the files (path -> bytes) of a pack that holds all content of another under its own name.

    Raises HackjackError if the other pack cannot be read, or its name cannot be changed.
    """
    texts, folder = {}, base.system.folder or base.folder
    own = (path.name for path in sorted(folder.glob(f"[!.]*{PANELS_ENDING}")))
    for file in (*FILE_KINDS, *own):
        if (path := folder / file).is_file():
            texts[file] = with_schema(_text(path), file)
    texts["system.yaml"] = _renamed(texts["system.yaml"], name, base)
    about = (
        f"All of {base.system.head.title} as it was, to be changed. Give your source and your title in `system.yaml`,\n"
        "then edit anything: every number, card, table and panel is in these files."
    )
    return _complete(name, texts, about) | _pictures(base.system)


def extending(name: PackName, base: Pack) -> dict[str, bytes]:
    """Return the files of a small pack that extends another, with a first entry of each kind to change."""
    system = base.system
    lines = _extending_head(name, system)
    if system.switches:
        lines += ["", "# House rules: the current choice of each, then the others.", "rulings:"]
    for key, switch in system.switches.items():
        chosen = system.setting(key) or switch.default
        others = ", ".join(option for option in switch.options if option != chosen)
        lines.append(f"  {key}: {_quoted(chosen)}  # or {others}")
    texts = {"system.yaml": "\n".join([*lines, ""])}
    if system.deck and "deck.yaml" in base.marks:
        note = f"# A card here takes the place of the one in {system.head.title} with the same code."
        texts["deck.yaml"] = f"{note}\n{_dumped({'cards': [_bare(system.deck.in_order[0])]})}"
    if system.tables and "tables.yaml" in base.marks:
        table = system.tables[0]
        note = "# A row here takes the place of the rows whose results it covers, or of the row of the same name."
        row = {"id": table.id, "rows": [_bare(table.rows[0])]}
        texts["tables.yaml"] = f"{note}\n{_dumped({'tables': [row]})}"
    return _extension(name, texts, system)


def house_rules(name: PackName, base: Pack, system: System) -> dict[str, bytes]:
    """Return the files of a small pack that extends another and sets the switches and numbers that differ in `system`.

    Raises UsageError if nothing differs.
    """
    before = base.system
    chosen = {switch: _quoted(value) for switch, value in system.settings if value != before.setting(switch)}
    figures = {key: value for key, value in system.numbers.items() if before.numbers.get(key) != value}
    if not (chosen or figures):
        raise UsageError(f"Nothing differs from {before.head.title}. Change a rule with --set NAME=VALUE.")
    lines = _extending_head(name, before)
    for key, entries in (("rulings", chosen), ("procedure", figures)):
        lines += [f"{key}:", *(f"  {one}: {value}" for one, value in entries.items())] if entries else []
    return _extension(name, {"system.yaml": "\n".join([*lines, ""])}, before)


def taking(name: PackName, base: Pack, texts: Mapping[str, str]) -> dict[str, bytes]:
    """Return the files of a small pack that extends another and has some files of its own, such as `mixed.yaml`."""
    head = "\n".join([*_extending_head(name, base.system), ""])
    return _extension(name, {"system.yaml": head, **texts}, base.system)


def file_text(noun: Struct) -> str:
    """Return a file of content as an author writes it, without defaults."""
    return _dumped(plain_value(noun))


def _extending_head(name: PackName, system: System) -> list[str]:
    return [
        f"# What is not here is as in {system.head.title}.",
        f"id: {name.id}",
        f"extends: {system.head.id}",
        f"title: {_in_quotes(name.title)}",
        f'version: "{VERSION}"',
    ]


def _extension(name: PackName, texts: Mapping[str, str], system: System) -> dict[str, bytes]:
    about = (
        f"This pack changes {system.head.title} and holds only what is different. A card takes the place of the\n"
        "card with the same code, a row of a table that of the rows it covers; of everything else the same key is\n"
        "replaced. An entry stands for itself: a card here does what it says here and nothing more. To take a\n"
        "condition, a statistic or a part out, write `null` after its name. Any other file, such as `screen.yaml`,\n"
        "takes the place of the whole file."
    )
    return complete(name, texts, about, joined=True)


def blank(name: PackName, tables: Sequence[Mapping[str, Any]] = ()) -> dict[str, bytes]:
    """Return the files of a pack that holds tables (by default a first one) and an event that rolls on each."""
    tables = list(tables) or [_FIRST_TABLE]
    events = {}
    for table in tables:
        if event := event_for(table):
            events["roll" if len(tables) == 1 else table["id"]] = event
    blocks = [{"block": "event", "title": "What to roll", "event": event} for event in list(events)[:1]]
    blocks += [{"block": "table", "title": table["title"], "table": table["id"]} for table in tables]
    # Until there is a condition, nothing is printed of this.
    blocks.append({"block": "conditions", "title": "What they mean"})
    cards = [{"name": table["id"], "from": {"table": table["id"]}} for table in tables if fits_cards(table)]
    texts = {
        "system.yaml": _dumped({"procedure": {"kind": "steps"}})
        + "".join(_dumped({key: each}) for key, each in (("events", events), ("cards", cards)) if each),
        "tables.yaml": _dumped({"tables": [dict(table) for table in tables]}),
        "screen.yaml": _dumped({"title": "GM screen", "panels": [{"title": name.title, "blocks": blocks}]}),
        "sheet.yaml": _dumped({"title": "Sheet", "panels": [{"title": name.title}]}),
    }
    about = "A table is printed, rolled and counted; your own events do the rest, step by step."
    return _skeleton(name, texts, f"{about}\ndocs/events.md lists the steps.")


def numbers_alone(name: PackName, base: Pack) -> dict[str, bytes]:
    """Return the files of a pack of the same kind as another: its numbers with their meanings, no sentences."""
    head, tables = base.system.head, base.system.tables
    lines = ["procedure:", f"  kind: {head.procedure.__struct_config__.tag}"]
    words = meanings(type(head.procedure))
    for key, value in plain_value(head.procedure).items():
        if key in words and key != "incapable":  # which conditions incapacitate; a skeleton has none
            lines.append(f"  {key}: {_flow(value)}  # {words[key]}")
    more: dict[str, Any] = {}
    if head.suits:
        more["suits"] = [_bare(suit) | {"means": "What it stands for."} for suit in head.suits]
    if tracks := sorted({table.by for table in tables if table.by}):
        more["tracks"] = {track: {"name": head.tracks[track].name, "means": "What it counts."} for track in tracks}
    texts = {"system.yaml": "\n".join([*lines, _dumped(more) if more else ""])}
    if base.system.deck:
        cards = [{"code": code, "name": f"Card {code}"} for code in FULL_DECK]
        texts["deck.yaml"] = _dumped({"title": name.title, "cards": cards})
    if tables:
        texts["tables.yaml"] = _dumped({"tables": [_without_sentences(table) for table in tables]})
    return _skeleton(
        name, texts, "The numbers of this kind of rules, to be changed, and cards and tables without words."
    )


def _skeleton(name: PackName, texts: dict[str, str], about: str) -> dict[str, bytes]:
    title = _in_quotes(name.title)
    head = (
        f'id: {name.id}\ntitle: {title}\nversion: "{VERSION}"\nabout: What these rules are for, in a sentence.\n'
        f"source: {{title: {title}, author: yours, licence: yours}}\n"
    )
    texts["system.yaml"] = head + texts["system.yaml"]
    return complete(name, texts, about)


_SHORT_NAME = 36
"""A name of so many letters fits on a card unless most of them are wide."""

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


def fits_cards(table: Mapping[str, Any]) -> bool:
    """Whether the rows may be cards: short names, no columns, and no product that is called like the table."""
    short = all(len(row.get("name", table["title"])) <= _SHORT_NAME for row in table["rows"])
    return short and table["id"] not in TAKEN and not table.get("columns")


def event_for(table: Mapping[str, Any]) -> str | None:
    """The event that comes to a row of a table, as text; None where rows are known by their names alone."""
    look = {"do": "look_up", "table": table["id"]}
    takes: dict[str, Any] = {}
    if "covers" not in table:
        return None
    if "roll" in table:
        label = "roll on the table"
    elif by := DIGITS.get(Span.parse(table["covers"])):
        label, look["by"] = "roll the dice, a digit each", by
    else:
        span = Span.parse(table["covers"])
        label, look["by"] = "look the number up", "number"
        takes["number"] = {"least": span.low} | ({} if span.high is None else {"most": span.high})
    if columns := [*table.get("columns", ())]:
        # Events share the names of what they take, and so a name is that of one table.
        look["column"] = f"column_{table['id'][-33:]}"
        takes[look["column"]] = {"says": "the column", "of": columns}
    return "\n".join(write_event({"says": label, "takes": takes, "do": [look]})) + "\n"


def _flow(value: Any) -> str:
    text: str = yaml.safe_dump(value, sort_keys=False, allow_unicode=True, default_flow_style=True, width=10_000)
    return text.removesuffix("\n").removesuffix("\n...")


def _without_sentences(table: Table) -> dict[str, Any]:
    rows = []
    for row in table.rows:
        cells = {name: cell for name, cell in row.cells.items() if not isinstance(cell, tuple) and "{" not in str(cell)}
        rows.append(_bare(replace(row, first=(), effects=(), note=None, written_cells=cells)))
    entries = plain_value(table).items()
    return {key: value for key, value in entries if value and key not in ("note", "rulings", "every")} | {"rows": rows}


def themed(files: dict[str, bytes], name: PackName, theme: Theme) -> dict[str, bytes]:
    """Add a `theme.yaml` to the files of a new pack: one of our themes, each value with what it means."""
    lines = "\n".join([f"id: {name.id}", *_described(Theme, theme, ("id", "like", "about"))])
    head = re.sub(rb"^theme:[^\n]*\n", b"", files["system.yaml"], flags=re.MULTILINE)
    before = b"| `schemas/` |"
    page = files["README.md"].replace(before, f"| `{themes.FILE}` | {_SAYS[themes.FILE]} |\n".encode() + before)
    text = with_schema(f"{lines}\n", themes.FILE)
    return {**files, "system.yaml": head, "README.md": page, themes.FILE: text.encode()}


def _described(kind: type, struct: Struct, without: Sequence[str] = (), indent: str = "") -> Iterator[str]:
    shape = type_of(kind)
    assert isinstance(shape, inspect.StructType)
    for field in shape.fields:
        value = getattr(struct, field.name)
        if field.name in without:
            continue
        if isinstance(value, Struct):
            yield f"{indent}{field.encode_name}:"
            yield from _described(type(value), value, indent=f"{indent}  ")
        else:
            inner = field.type.type if isinstance(field.type, inspect.Metadata) else field.type
            choices = inner.values if isinstance(inner, inspect.LiteralType) else ()
            others = "".join(f"or {other}; " for other in choices if other != value)
            yield f"{indent}{field.encode_name}: {_flow(value)}  # {others}{wanted(field.type)}"


# --- files -----------------------------------------------------------------------------------------------------------


def _text(path: Path) -> str:
    text = limited_text(path, str(path), larger="it is no file of a pack")
    return text.replace("\r\n", "\n")


def _pictures(system: System) -> dict[str, bytes]:
    """Return the pictures and spreadsheets that a system names, from whichever pack holds them."""
    files = {}
    for name in other_files(system):
        folder = holder(system, name)
        if folder is not None and (path := path_in(folder, name)).is_file():
            files[name] = first_bytes(path, name, MAX_OF_ONE)
    return files


def with_schema(text: str, file: str, *, joined: bool = False) -> str:
    """Return the text with a first line that names its schema in the new pack."""
    match = _MODELINE.match(text)
    name = "sheet" if file.endswith(PANELS_ENDING) else file.removesuffix(".yaml")
    name = f"{'extending-' if joined and file in JOINED else ''}{name}.schema.json"
    schema, rest = (match[1], text[match.end() :]) if match else (name, text)
    return f"# yaml-language-server: $schema=schemas/{schema}\n{rest}"


def _renamed(text: str, name: PackName, base: Pack) -> str:
    """Return `system.yaml` with the new pack's name, title and version."""
    head = {"id": name.id, "title": name.title, "version": VERSION}
    for key, value in reversed(head.items()):
        line = f"{key}: {value if key == 'id' else _in_quotes(value)}"
        escaped = line.replace("\\", "\\\\")
        text, count = re.subn(rf"^{key}:[^\n]*$", escaped, text, count=1, flags=re.MULTILINE)
        if not count:
            text = text.replace("\n", f"\n{line}\n", 1)
    try:
        written, _ = read_text(text, "system.yaml")
    except ContentError:
        written = None
    if not isinstance(written, dict) or {key: written.get(key) for key in head} != head:
        path = (base.system.folder or base.folder) / "system.yaml"
        raise HackjackError(f"{path}: write id, title and version on lines of their own, and it can be copied")
    return text


def _in_quotes(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _quoted(option: str) -> str:
    """An option that no reader of YAML, however old, takes for something else."""
    return option if option.isidentifier() and option not in ("on", "off", "yes", "no") else f'"{option}"'


def _bare(noun: Any) -> dict[str, Any]:
    """Return a card or row as an author writes it, without defaults."""
    defaults = {field.encode_name: field.default for field in msgspec.structs.fields(noun)}
    return {
        key: int(value) if key == "at" and str(value).isdigit() else with_texts(value)
        for key, value in plain_value(noun).items()
        if (value or (value == 0 and value is not False)) and value != defaults[key]
    }


class _Dumper(yaml.SafeDumper):
    """Writes texts of several lines below |."""

    def represent_mapping(self, tag: str, mapping: Any, flow_style: bool | None = None) -> Any:
        """Return a mapping, between braces only if no text in it has several lines."""
        is_long = any("\n" in value for value in mapping.values() if isinstance(value, str))
        return super().represent_mapping(tag, mapping, False if is_long else flow_style)


_Dumper.add_representer(
    str,
    lambda dumper, text: dumper.represent_scalar("tag:yaml.org,2002:str", text, style="|" if "\n" in text else None),
)


def _dumped(value: Any) -> str:
    return yaml.dump(value, Dumper=_Dumper, sort_keys=False, allow_unicode=True, default_flow_style=None, width=110)


def complete(name: PackName, texts: Mapping[str, str], about: str, *, joined: bool = False) -> dict[str, bytes]:
    """Return the files of a pack from their texts: with schemas, and a README on how to go on."""
    return _complete(name, {file: with_schema(text, file, joined=joined) for file, text in texts.items()}, about)


def _complete(name: PackName, texts: dict[str, str], about: str) -> dict[str, bytes]:
    """Return the files with the schemas that they name and a README on how to go on."""
    named = {match[1] for text in texts.values() if (match := _MODELINE.match(text))}
    schemas = {f"schemas/{file}": text for file, text in all_schemas().items() if file in named}
    rows = "\n".join(f"| `{file}` | {_SAYS.get(file, 'panels that are a product of their own')} |" for file in texts)
    files = texts | schemas | {"README.md": _README.format(name=name.id, title=name.title, about=about, rows=rows)}
    return {path: text.encode() for path, text in files.items()}


_README = """\
# {title}

{about}

| file | what to edit there |
|---|---|
{rows}
| `schemas/` | nothing: they let an editor that speaks YAML complete keys and mark errors |

In this folder:

```
hackjack check .
hackjack print {name} --pack .
hackjack serve --preview .
hackjack list --pack .
hackjack play {name} --pack .
hackjack pack .
```

`check` names the file, line and column of each mistake, and suggests a fix. `serve --preview` opens the studio with
your pack, which shows cards and mistakes while you write. Move the folder into the packs folder (the last line of
`hackjack list` names it), and its name is enough: `hackjack print {name}`. `pack` makes one file to share, which
`--pack` reads like the folder.
"""
