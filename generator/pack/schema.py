"""What a content file may say: every departure from a type as a sentence, and the JSON Schema for editors.

msgspec judges and converts; it stops at its first complaint. This module walks the same type description beside the
value and names everything that is wrong, so that an author mends a file in one round.
"""

import json
import re
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from inspect import cleandoc
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from msgspec import inspect

from generator.base.dice import Dice
from generator.base.errors import FREE_TEXT, closest, did_you_mean, shown
from generator.base.fields import COLOUR, EMBLEM, FONT, OWN_UNIT, PICTURE, TITLE, UNIT_LENGTH
from generator.base.files import written_whole
from generator.model.formulas import MAX_LENGTH, Formula
from generator.model.rules import FILE_KINDS, LASTING, UNITS, Span, Until, read_custom, type_of
from generator.model.themes import FORMER_KEYS, FORMER_KEYS_TOLD, Theme
from generator.pack.pack_locations import find, shipped
from generator.pack.strict_yaml import Trail, read_file, unknown_key

_CUSTOM = {
    Dice: "a number or dice",
    Until: "how long it lasts, such as permanent or 1d4 days",
    Span: "3, 1-4 or 13+",
    Formula: "a number or a formula such as d6 + over",
}


class SchemaFault(NamedTuple):
    """Where, what is wrong, and whether the key rather than its value is meant; `missing`: keys that are not there."""

    trail: Trail
    message: str
    key: bool = False
    missing: bool = False


_PATTERNS = {
    r"^#[0-9a-fA-F]{6}$(?!\n)": 'a colour such as "#1a4794": red, green and blue in two figures each',
    r"^[a-z][a-z0-9_]{0,39}$(?!\n)": "a short name in lower case (letters, digits, _)",
    r"^[a-z0-9][a-z0-9_]{0,39}$(?!\n)": "a short name in lower case (letters, digits, _)",
    r"^[^\W\d_][\w' .-]{0,38}$(?!\n)": "a name: it begins with a letter, then letters, digits, spaces and ' . -",
    r"^[^\n]*$(?!\n)": "a single line: take the line breaks out",
    OWN_UNIT: "a unit of time in the singular, such as watch: letters, digits, _",
    UNIT_LENGTH: "so many of our units: write 15 minutes, 6 hours or 10 rounds",
    TITLE: "a title: write one line with something to be seen in it",
    r"^[a-z][a-z0-9_]{0,39}/[a-z][a-z0-9_-]{0,39}$(?!\n)": "a product of a system: write SYSTEM/PRODUCT",
    r"^[A-Z]{1,2}[0-9]{1,3}$(?!\n)": "a ruling's number such as H7",
    r"^-?[0-9]{1,4}(\+|-[0-9]{1,4})?$(?!\n)": "what dice show: 3, 1-4 or 6+",
    r"^[0-9]{1,6}(\.[0-9]{1,6}){1,2}$(?!\n)": 'a version such as "1.0"',
    r"^[^\W_][\w-]{0,11}$(?!\n)": "a card's code: up to 12 letters, digits, _ and -; it begins with a letter or digit",
    COLOUR: "a colour: write # and six figures or letters from a to f, in quotes",
    FONT: "a font: name one of ours, such as SourceSansPro-Bold, or a file that ends in .ttf",
    r"^[A-Za-z0-9_][A-Za-z0-9_./ -]{0,110}\.[cC][sS][vV]$(?!\n)": "a CSV file in the pack's folder: cards.csv",
    PICTURE: "a picture in the pack's folder, .svg, .png, .jpg, .jpeg or .webp: art/back.png",
    EMBLEM: "the name of an emblem, or a picture in the pack's folder: eye, art/eye.svg",
}


def faults(value: Any, kind: Any) -> Iterator[SchemaFault]:
    """Everything in `value` that the type does not allow."""
    yield from _walk(value, type_of(kind), ())


def fits(value: Any, kind: inspect.Type) -> bool:
    """Return whether a value has no fault."""
    return next(_walk(value, kind, ()), None) is None


def file_schema(kind: type[msgspec.Struct], title: str) -> str:
    """The JSON Schema (2020-12) of one kind of content file, as the text of a file."""
    schema = msgspec.json.schema(kind, schema_hook=_custom_schema)
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": title}
    written = _with_texts(_dedented(head | schema))
    return json.dumps(_without_unused(written), indent=1, ensure_ascii=False) + "\n"


_TEXT = {"type": "string", "description": "rules as text"}


def _with_texts(value: Any) -> Any:
    """Return a schema that takes text, or a list of statements, for each list of effects, and text for an event."""
    if isinstance(value, list):
        return [_with_texts(inner) for inner in value]
    if not isinstance(value, dict):
        return value
    if value == {"$ref": "#/$defs/Happening"}:
        return {"anyOf": [_TEXT, value]}
    items = value.get("items")
    if isinstance(items, dict) and items.get("discriminator", {}).get("propertyName") == "do":
        return {"anyOf": [_TEXT, {"type": "array", "items": _TEXT}]} | _described(value)
    return {key: _with_texts(inner) for key, inner in value.items()}


def _described(value: Mapping[str, Any]) -> dict[str, Any]:
    return {"description": value["description"]} if "description" in value else {}


def _without_unused(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a schema without the definitions that nothing refers to, such as the shapes of effects."""
    shapes, used = schema.get("$defs", {}), set[str]()
    waiting = [json.dumps({key: value for key, value in schema.items() if key != "$defs"})]
    while waiting:
        new = set(re.findall(r'"#/\$defs/(\w+)"', waiting.pop())) - used
        used |= new
        waiting += [json.dumps(shapes[name]) for name in new]
    return schema | ({"$defs": {name: shape for name, shape in shapes.items() if name in used}} if shapes else {})


def _dedented(value: Any) -> Any:
    """A schema whose descriptions are the same under every Python: 3.13 takes the indentation off docstrings."""
    if isinstance(value, dict):
        return {
            key: cleandoc(inner) if key == "description" and isinstance(inner, str) else _dedented(inner)
            for key, inner in value.items()
        }
    return [_dedented(inner) for inner in value] if isinstance(value, list) else value


@cache
def all_schemas() -> Mapping[str, str]:
    """The schema files by name: `deck.schema.json` and so on, and those for packs that extend another."""
    whole = {
        f"{name.removesuffix('.yaml')}.schema.json": file_schema(kind, f"Hackjack content: {name}")
        for name, kind in FILE_KINDS.items()
    }
    joined = {name: f"{name.removesuffix('.yaml')}.schema.json" for name in JOINED}
    return whole | {f"extending-{file}": _extending_schema(whole[file], name) for name, file in joined.items()}


JOINED = ("system.yaml", "deck.yaml", "decks.yaml", "tables.yaml")
"""The files of which a pack that extends another holds a part only, and that have a schema of their own for it."""
_PARTIAL = ("SystemFile", "DeckFile", "TablesFile", "Blackjack", "Field", "Traits", "Steps")
_NAMED = ("tracks", "statistics", "conditions", "parts")


def _extending_schema(whole: str, name: str) -> str:
    """The schema of a file in a pack that extends another: of what is joined key by key, no key is missed."""
    schema = json.loads(whole)
    schema["title"] = f"Hackjack content: {name} of a pack that extends another"
    definitions = schema["$defs"]
    for part in _PARTIAL:
        definitions.get(part, {}).pop("required", None)
    if "Steps" in definitions:
        definitions["Steps"]["properties"] |= _named_alone()
    for part in ("Table", "OwnDeck"):
        if part in definitions:
            definitions[part]["required"] = ["id"]
    if head := definitions.get("SystemFile"):
        head["required"] = ["extends"]
        for key in _NAMED:
            named = head["properties"][key]
            named["additionalProperties"] = {"anyOf": [named["additionalProperties"], {"type": "null"}]}
        ruling = json.loads(json.dumps(definitions["Ruling"]))
        ruling["required"].remove("id")
        del ruling["properties"]["id"]
        choice = {"type": ["string", "integer"], "description": "the option of its switch that is chosen"}
        chosen = {"type": "object", "additionalProperties": {"anyOf": [choice, ruling]}, "maxProperties": 200}
        head["properties"]["rulings"] = {"anyOf": [chosen, head["properties"]["rulings"]]}
    return json.dumps(schema, indent=1, ensure_ascii=False) + "\n"


def _named_alone() -> dict[str, Any]:
    """What may stand without the list that it is in, since its author has named it: `per_injury: 3`.

    An editor does not know which system a pack extends: these are the names of all that ship.
    """
    renamed: dict[str, Any] = {}
    for name in shipped():
        head, _ = read_file(find(name) / "system.yaml", name)
        if head["procedure"]["kind"] == "steps":
            renamed |= dict.fromkeys(head["procedure"].get("constants", ()), _custom_schema(Dice))
            kinds = {"type": "object", "additionalProperties": {"$ref": "#/$defs/Aim"}}
            renamed |= dict.fromkeys(head["procedure"].get("aims", ()), kinds)
    return renamed


def _custom_schema(kind: type) -> dict[str, Any]:
    if kind is Dice:
        pattern = r"^([0-9]*[dD][0-9]+)?([+-]?[0-9]+)?$"
        return {"description": "a number or dice: 3, 1d4, 2d6+1", "type": ["integer", "string"], "pattern": pattern}
    if kind is Until:
        spans = rf"^([0-9]*[dD]?[0-9]+([+-][0-9]+)?) ({'|'.join(UNITS)})s?$"
        words = {"enum": list(LASTING), "description": "; ".join(f"{word}: {says}" for word, says in LASTING.items())}
        own = {
            "type": "string",
            "pattern": rf"^([a-z][a-z0-9_]{{0,39}}|.{{1,{MAX_LENGTH}}} [a-z][a-z0-9_]{{0,40}})$",
            "description": "of the kind steps: an event, or a span by a formula: d10 - grit rounds",
        }
        return {"anyOf": [words, {"type": "string", "pattern": spans}, own], "description": "how long it lasts"}
    if kind is Span:
        return {"type": ["integer", "string"], "pattern": r"^-?[0-9]{1,4}(\+|-[0-9]{1,4})?$"}
    if kind is Formula:
        return {
            "type": ["integer", "string"],
            "maxLength": MAX_LENGTH,
            "description": "a number or a formula: d6 + over",
        }
    raise NotImplementedError(kind)


def _walk(value: Any, kind: inspect.Type, trail: Trail) -> Iterator[SchemaFault]:
    match kind:
        case inspect.Metadata():
            described = str((kind.extra_json_schema or {}).get("description", ""))
            yield from _name(value, kind, described, trail) if described else _walk(value, kind.type, trail)
        case inspect.UnionType():
            yield from _union(value, kind, trail)
        case inspect.StructType():
            yield from _struct(value, kind, trail)
        case inspect.VarTupleType():
            yield from _list(value, kind, trail)
        case inspect.DictType():
            yield from _mapping(value, kind, trail)
        case inspect.CustomType():
            yield from _custom(value, kind, trail)
        case _:
            yield from _leaf(value, kind, trail)


def _struct(value: Any, kind: inspect.StructType, trail: Trail) -> Iterator[SchemaFault]:
    if not isinstance(value, dict):
        yield SchemaFault(trail, f"expected keys and values, not {shown(value)}{_keyed(value, kind)}")
        return
    fields = {field.encode_name: field for field in kind.fields}
    known_keys = ([kind.tag_field] if kind.tag_field else []) + list(fields)
    for key in value:
        if key not in known_keys:
            yield SchemaFault((*trail, key), _misplaced(key, kind, value) or unknown_key(key, known_keys), key=True)
    for name, field in fields.items():
        if name in value:
            yield from _walk(value[name], field.type, (*trail, name))
    misspelt = {closest(key, known_keys) for key in value if key not in known_keys}
    gone = {
        name: wanted(field.type)
        for name, field in fields.items()
        if field.required and name not in value and name not in misspelt
    }
    if len(gone) == 1:
        name, what = gone.popitem()
        yield SchemaFault(trail, f'the key "{name}" is missing: {what}', missing=True)
    elif gone:
        keys = "; ".join(f"{name} ({what})" for name, what in gone.items())
        yield SchemaFault(trail, f"these keys are missing: {keys}", missing=True)


_TEXT_KEYS = ("text", "says", "note", "description", "rule", "rules", "effect_text")
"""Keys that people expect to hold a plain text on a card."""


def _misplaced(key: str, kind: inspect.StructType, value: dict[str, Any]) -> str:
    """The sentence for a key that belongs one level further in: `limit`, which stands under `procedure`."""
    if key in _TEXT_KEYS and any(field.encode_name == "effects" for field in kind.fields):
        return f'unknown key "{key}": {FREE_TEXT}'
    if kind.cls is Theme and key in FORMER_KEYS:
        return f'unknown key "{key}": {FORMER_KEYS_TOLD}'
    for field in kind.fields:
        inner = _chosen(field.type, value.get(field.encode_name))
        if inner is not None and key in {each.encode_name for each in inner.fields}:
            return f'unknown key "{key}": write it under "{field.encode_name}"'
    return ""


def _chosen(kind: inspect.Type, value: Any) -> inspect.StructType | None:
    """The keys and values that a field holds: of several kinds the one that its value names."""
    kind = bare_type(kind)
    options = kind.types if isinstance(kind, inspect.UnionType) else (kind,)
    structs = [option for option in map(bare_type, options) if isinstance(option, inspect.StructType)]
    if len(structs) > 1 and isinstance(value, dict):
        structs = [each for each in structs if each.tag_field and each.tag == value.get(each.tag_field)]
    return structs[0] if len(structs) == 1 else None


def _keyed(value: Any, kind: inspect.StructType) -> str:
    """How a plain value is written with its key, where only one key can be meant: ": write {name: Charisma}"."""
    required = [field for field in kind.fields if field.required]
    if len(required) != 1 or isinstance(value, list) or any(_walk(value, required[0].type, ())):
        return ""
    return f": write {{{required[0].encode_name}: {shown(value)}}}"


def _union(value: Any, kind: inspect.UnionType, trail: Trail) -> Iterator[SchemaFault]:
    options = [option for option in kind.types if not isinstance(option, inspect.NoneType)]
    if value is None and len(options) < len(kind.types):
        return
    structs = {option.tag: option for option in options if isinstance(option, inspect.StructType)}
    if not structs:
        yield from _walk(value, _likely(value, options), trail)
    elif None in structs:
        others = [option for option in options if not isinstance(option, inspect.StructType)]
        keys = {field.encode_name for field in structs[None].fields}
        if others and not (isinstance(value, dict) and (not value or keys & {*value})):
            yield from _walk(value, _likely(value, others), trail)
        else:
            yield from _struct(value, structs[None], trail)
    else:
        yield from _tagged(value, structs, trail)


def _likely(value: Any, options: list[inspect.Type]) -> inspect.Type:
    """Of several plain types the one that an author meant: the one without a fault, or else of the same shape."""
    if len(options) == 1:
        return options[0]
    for option in options:
        if not any(_walk(value, option, ())):
            return option
    if (value is None or isinstance(value, str)) and (
        texts := [option for option in options if isinstance(bare_type(option), inspect.StrType)]
    ):
        return texts[0]
    if isinstance(value, dict) and (
        mappings := [option for option in options if isinstance(bare_type(option), inspect.DictType)]
    ):
        return mappings[0]
    listed = isinstance(value, list | dict)
    return next(
        (option for option in options if isinstance(bare_type(option), inspect.VarTupleType) == listed), options[0]
    )


def bare_type(kind: inspect.Type) -> inspect.Type:
    """Return a type without its metadata."""
    return bare_type(kind.type) if isinstance(kind, inspect.Metadata) else kind


def _tagged(value: Any, structs: dict[Any, inspect.StructType], trail: Trail) -> Iterator[SchemaFault]:
    field = next(iter(structs.values())).tag_field or ""
    tags = [str(tag) for tag in structs]
    if not isinstance(value, dict):
        cure = f": {FREE_TEXT}" if field == "do" and isinstance(value, str) else ""
        yield SchemaFault(trail, f"expected keys and values, not {shown(value)}{cure}")
    elif field == "do" and field not in value and not value.keys().isdisjoint(_TEXT_KEYS):
        yield SchemaFault(trail, f'the key "do" is missing: {FREE_TEXT}', missing=True)
    elif field not in value:
        known = "write text, such as hp -= 2" if field == "do" else f"known: {', '.join(tags)}"
        yield SchemaFault(trail, f'the key "{field}" is missing; {known}', missing=True)
    elif value[field] not in tags:
        hint = did_you_mean(str(value[field]), tags)
        yield SchemaFault((*trail, field), f'unknown {field} "{shown(value[field])}"{hint}')
    else:
        yield from _struct(value, structs[value[field]], trail)


def _list(value: Any, kind: inspect.VarTupleType, trail: Trail) -> Iterator[SchemaFault]:
    if not isinstance(value, list):
        cure = ": begin each entry with a dash, or put [ ] around them" if isinstance(value, dict | str) else ""
        if isinstance(value, str) and trail[-1:] == ("effects",):
            cure = f": {FREE_TEXT}"
        yield SchemaFault(trail, f"expected a list, not {shown(value)}{cure}")
        return
    yield from _size(len(value), kind.min_length, kind.max_length, "entries", trail)
    for place, item in enumerate(value[: kind.max_length]):
        yield from _walk(item, kind.item_type, (*trail, place))


def _mapping(value: Any, kind: inspect.DictType, trail: Trail) -> Iterator[SchemaFault]:
    if not isinstance(value, dict):
        cure = ": give each a name with a colon after it, without dashes or [ ]" if isinstance(value, list) else ""
        yield SchemaFault(trail, f"expected keys and values, not {shown(value)}{cure}")
        return
    yield from _size(len(value), kind.min_length, kind.max_length, "entries", trail)
    for key, item in value.items():
        for fault in _walk(key, kind.key_type, trail):
            yield SchemaFault((*trail, key), fault.message, key=True)
        yield from _walk(item, kind.value_type, (*trail, key))


def _custom(value: Any, kind: inspect.CustomType, trail: Trail) -> Iterator[SchemaFault]:
    try:
        read_custom(kind.cls, value)
    except ValueError as error:
        yield SchemaFault(trail, str(error))


def _name(value: Any, kind: inspect.Metadata, meaning: str, trail: Trail) -> Iterator[SchemaFault]:
    """The faults of what has a meaning, which is told where a figure would be no name with quotes either."""
    bare = bare_type(kind)
    pattern = bare.pattern if isinstance(bare, inspect.StrType) else None
    if pattern and isinstance(value, int | float) and not re.search(pattern, shown(value)):
        yield SchemaFault(trail, f"expected text, not {shown(value)}: {meaning}")
    else:
        yield from _walk(value, kind.type, trail)


def _leaf(value: Any, kind: inspect.Type, trail: Trail) -> Iterator[SchemaFault]:
    match kind:
        case inspect.StrType():
            if not isinstance(value, str):
                yield SchemaFault(trail, f"expected text, not {shown(value)}{_quotes(value)}")
                return
            sizes = [*_size(len(value), kind.min_length, kind.max_length, "characters", trail)]
            yield from sizes
            if not sizes and kind.pattern and not re.search(kind.pattern, value):
                yield SchemaFault(trail, f'"{shown(value)}" is not {_PATTERNS[kind.pattern]}')
        case inspect.IntType():
            if isinstance(value, bool) or not isinstance(value, int):
                quoted = isinstance(value, str) and value.removeprefix("-").isdecimal()
                cure = ": take the quotes off" if quoted else ""
                yield SchemaFault(trail, f"expected a whole number, not {shown(value)}{cure}")
            elif (kind.ge is not None and value < kind.ge) or (kind.le is not None and value > kind.le):
                yield SchemaFault(trail, f"{value:,} is out of range: {_range(kind)}")
        case inspect.FloatType():
            if isinstance(value, bool) or not isinstance(value, int | float):
                yield SchemaFault(trail, f"expected a number, not {shown(value)}")
        case inspect.BoolType():
            if not isinstance(value, bool):
                yield SchemaFault(trail, f"expected true or false, not {shown(value)}")
        case inspect.LiteralType():
            if value not in kind.values:
                hint = did_you_mean(str(value), map(str, kind.values))
                yield SchemaFault(trail, f'"{shown(value)}" is not known here{hint}')
        case inspect.AnyType():
            return


def _size(size: int, least: int | None, most: int | None, what: str, trail: Trail) -> Iterator[SchemaFault]:
    if least is not None and size < least:
        few = "one alone is" if size == 1 else f"{size:,} {what} are"
        yield SchemaFault(trail, f"{few} too few: {least:,} at least")
    if most is not None and size > most:
        yield SchemaFault(trail, f"{size:,} {what} are too many: {most:,} at most")


def _range(kind: inspect.IntType) -> str:
    if kind.le is None:
        return f"{kind.ge:,} or more"
    return f"from {kind.ge:,} to {kind.le:,}" if kind.ge is not None else f"{kind.le:,} at most"


def bounds(kind: type[msgspec.Struct], name: str) -> str:
    """The values that a field may have which holds a whole number or dice: `from 1 to 30`, `a number or dice`."""
    shape = type_of(kind)
    assert isinstance(shape, inspect.StructType)
    field_type = next(field.type for field in shape.fields if field.encode_name == name)
    while isinstance(field_type, inspect.Metadata):
        field_type = field_type.type
    return _range(field_type) if isinstance(field_type, inspect.IntType) else wanted(field_type)


@cache
def meanings(kind: type[msgspec.Struct]) -> Mapping[str, str]:
    """What belongs in each field of a struct, in a few words."""
    shape = type_of(kind)
    assert isinstance(shape, inspect.StructType)
    return {field.encode_name: wanted(field.type) for field in shape.fields}


def wanted(kind: inspect.Type) -> str:
    """A few words on what belongs in a missing key."""
    while isinstance(kind, inspect.Metadata):
        described = (kind.extra_json_schema or {}).get("description")
        if described:
            return str(described)
        kind = kind.type
    match kind:
        case inspect.VarTupleType():
            return "a list"
        case inspect.UnionType():
            options = [option for option in kind.types if not isinstance(option, inspect.NoneType)]
            tagged = [option for option in options if isinstance(option, inspect.StructType) and option.tag]
            if not tagged:
                return wanted(options[0])
            return f"keys and values, {tagged[0].tag_field} among them: {', '.join(str(kind.tag) for kind in tagged)}"
        case inspect.StructType():
            needed = [field.encode_name for field in kind.fields if field.required]
            return f"keys and values: {', '.join(needed)}" if needed else "keys and values"
        case inspect.DictType():
            return "keys and values"
        case inspect.IntType():
            return "a whole number"
        case inspect.CustomType():
            return _CUSTOM[kind.cls]
        case inspect.LiteralType():
            return " or ".join(map(str, kind.values))
    return "a text"


def _quotes(value: Any) -> str:
    return f': write "{shown(value)}" in quotes' if isinstance(value, int | float | bool) else ""


def main(folder: str) -> None:
    """Write the schema files into a folder: `python -m generator.pack.schema content/schemas`."""
    for name, text in all_schemas().items():
        with written_whole(Path(folder) / name) as stream:
            stream.write(text.encode())


if __name__ == "__main__":
    main(sys.argv[1])
