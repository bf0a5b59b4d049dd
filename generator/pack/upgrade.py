"""Packs of earlier versions: written anew, as content of today. What is named here is all that reads otherwise by now.

Keys that have other names are renamed. A kind of procedure that became content is a system that ships: a pack of that
kind gets its events from there, and keeps its own numbers, tables, conditions and words. What is kept stays as it was
written, comments too.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from generator.base.archives import is_archive
from generator.base.errors import HackjackError
from generator.pack import strict_yaml
from generator.pack.pack_locations import find
from generator.pack.strict_yaml import Trail

if TYPE_CHECKING:
    from ruamel.yaml import YAML

PANELS = ("screen.yaml", "sheet.yaml", "reference.yaml")


@dataclass(frozen=True)
class _Kind:
    """A kind that is no more: the system that has its events, and what its own keys have become there.

    `names`: keys that named a condition or table, with that name in the system. `lists`: keys that listed, for an
    event, the conditions which hinder it. `adds` and `charts`: conditions that events bring, and the titles of the
    pictures that charts by name have become.
    """

    system: str
    names: Mapping[str, str]
    lists: str
    adds: tuple[str, ...]
    charts: Mapping[str, str]


_KINDS = {
    "injuries": _Kind(
        "glog",
        {"slain": "slain", "dying": "dying", "breakdown_table": "breakdowns", "madness_table": "madness"},
        "barred",
        ("breakdown", "mad"),
        {
            "stable_by_rounds": "Chance to stabilise",
            "severity_by_damage": "By lethal damage",
            "severity_by_injuries": "By injuries",
            "slain_by_damage": "Chance to be slain",
            "breakdown_by_characters": "Somebody breaks down",
        },
    )
}
GONE = tuple(_KINDS)
"""The kinds of procedure that are no more, and can be written anew."""
_RENAMED = {"sign": "emblem", "signs": "emblems"}
"""Keys of the blocks of `cards`, and what they are called now."""
_NAMING = ("condition", "coming", "of", "table", "row", "deadly")
"""Keys whose value, or each value of whose list, names a condition or a table."""
_PLAYED = ("again", "each", "ends", "row")
"""What a condition says for events that are content."""


def upgraded(folder: Path) -> dict[str, tuple[str, str]]:
    """The files of a pack that change, by name: how each reads, and how it would. Empty where there is nothing to do.

    Raises ContentError, HackjackError for files that cannot be read.
    """
    if is_archive(folder):
        raise HackjackError(f"{folder}: an archive is not written anew: unpack it, and name the folder")
    before = {name: _text(folder, name) for name in ("system.yaml", *PANELS) if (folder / name).is_file()}
    if "system.yaml" not in before:
        raise HackjackError(f"{folder}: there is no system.yaml, so this is no pack")
    yaml = _reader()
    head = yaml.load(before["system.yaml"])
    renamed = _renew_cards(head)
    procedure = head.get("procedure") if isinstance(head, dict) else None
    kind = _KINDS.get(str(procedure.get("kind"))) if isinstance(procedure, dict) else None
    if kind is None or procedure is None:
        return {"system.yaml": (before["system.yaml"], _written(head, yaml))} if renamed else {}
    changed = _extending(head, procedure, kind) if "extends" in head else _system(head, procedure, kind, yaml)
    after = {"system.yaml": _written(changed, yaml)}
    for name in (name for name in PANELS if name in before):
        file = yaml.load(before[name])
        if isinstance(file, dict) and _panels(file, kind, yaml):
            after[name] = _written(file, yaml)
    return {name: (before[name], text) for name, text in after.items() if text != before[name]}


def _old_keys(head: Any) -> Iterator[tuple[int, str]]:
    """The blocks of `cards` and their keys that have other names by now."""
    for place, block in enumerate(_listed(head, "cards")):
        yield from ((place, key) for key in _RENAMED if isinstance(block, dict) and key in block)


def _renew_cards(head: Any) -> bool:
    """Rename keys of `cards`, each where it stands. Gives whether there were any."""
    found = [*_old_keys(head)]
    for place, key in found:
        block = head["cards"][place]
        at = [*block].index(key)
        block.insert(at, _RENAMED[key], block.pop(key))
    return bool(found)


def _shaped(held: Any, key: str, shape: type[Any]) -> Any:
    """What stands under a key, an empty one where nothing does. Raises HackjackError for another shape."""
    found = held.setdefault(key, shape()) if held.get(key) is not None else shape()
    if not isinstance(found, shape):
        raise HackjackError(f"{key} is no {'list' if shape is list else 'keys and values'}: mend that first")
    held[key] = found
    return found


def _text(folder: Path, name: str) -> str:
    """A file, within the limits of content. Raises ContentError."""
    path = folder / name
    strict_yaml.read_file(path, str(path))
    return path.read_text(encoding="utf-8")


def _reader() -> YAML:
    from ruamel.yaml import YAML

    yaml = YAML()
    yaml.preserve_quotes = True
    yaml.brace_single_entry_mapping_in_flow_sequence = True
    yaml.width = 10_000
    yaml.indent(mapping=2, sequence=4, offset=2)
    return yaml


def _written(value: Any, yaml: YAML) -> str:
    stream = io.StringIO()
    yaml.dump(value, stream)
    return stream.getvalue()


def in_present_words(base: Any, own: Any) -> tuple[Any, Any]:
    """`system.yaml` of a system and of a pack that extends it in words of a kind that is no more, as plain values.

    The pack may put tables of its own in place of those that events of the system name, and say what hinders an event.
    Both files are given back as they would be written today.
    """
    kind = next((kind for kind in _KINDS.values() if isinstance(base, dict) and base.get("id") == kind.system), None)
    procedure = own.get("procedure") if isinstance(own, dict) else None
    if kind is None or not isinstance(procedure, dict):
        return base, own
    told = {
        key: procedure[key]
        for key, now in kind.names.items()
        if isinstance(procedure.get(key), str) and (procedure[key] == now or now not in base["conditions"])
    }
    lists = procedure.get(kind.lists, {})
    if not isinstance(lists, dict) or not (told or lists):
        return base, own
    changed = _renamed(deepcopy(base), _others(told, kind))
    _hinder(changed["events"], lists)
    return changed, {**own, "procedure": {key: procedure[key] for key in procedure if key not in (*told, kind.lists)}}


def _others(told: Mapping[str, Any], kind: _Kind) -> dict[str, str]:
    """The conditions and tables of the system in whose place a pack has put others, with those."""
    return {now: str(told[key]) for key, now in kind.names.items() if told.get(key, now) != now}


def _hinder(events: Any, lists: Mapping[str, Any]) -> None:
    """Events that somebody in one of these conditions cannot do."""
    for event, hindered in lists.items():
        for need in events.get(event, {}).get("needs", ()):
            if "free_of" in need:
                need["free_of"] = hindered


# --- system.yaml -----------------------------------------------------------------------------------------------------


def _extending(head: Any, procedure: Any, kind: _Kind) -> Any:
    """A pack that extends the system has its events from there: its numbers may stand as they are."""
    for key in ("kind", *(key for key, now in kind.names.items() if procedure.get(key) == now)):
        procedure.pop(key, None)
    if not procedure:
        del head["procedure"]
    return head


def _system(head: Any, procedure: Any, kind: _Kind, yaml: YAML) -> Any:
    """`system.yaml` with the events of the system, and what they need of numbers, conditions, rulings and cards."""
    told = {key: str(procedure[key]) for key in kind.names if key in procedure}
    model = _renamed(yaml.load((find(kind.system) / "system.yaml").read_text(encoding="utf-8")), _others(told, kind))
    known = _shaped(head, "conditions", dict)
    place = [*head].index("procedure")
    head["procedure"] = _numbers(model["procedure"], procedure)
    _hinder(model["events"], _shaped(procedure, kind.lists, dict))
    for happening in model["events"].values():
        for need in happening.get("needs", ()):
            if "free_of" in need:
                need["free_of"] = [name for name in need["free_of"] if name in known]
    for at, key in enumerate(("events", "questions"), place + 1):
        if key in model:
            head.insert(at, key, model[key])
    _conditions(known, model["conditions"], kind, told.get("slain", "slain"))
    _rulings(head, model)
    cards = _shaped(head, "cards", list)
    there = {str(block.get("name")) for block in cards if isinstance(block, dict)}
    cards += [block for block in model["cards"] if block["name"] not in there]
    return head


def _renamed(value: Any, names: Mapping[str, str], key: Any = "") -> Any:
    """The system's values with other conditions and tables in place of some, wherever one is named."""
    if isinstance(value, dict):
        for each in [*value]:
            value[each] = _renamed(value[each], names, each)
        for name in names.keys() & value.keys() if key in ("conditions", "boxes") else ():
            value[names[name]] = value.pop(name)
    elif isinstance(value, list):
        value[:] = [_renamed(each, names, key) for each in value]
    elif isinstance(value, str):
        if key in _NAMING:
            return names.get(value, value)
        return re.sub(r"(?<=\()\w+(?=\))", lambda found: names.get(found[0], found[0]), value)
    return value


def _numbers(model: Any, own: Mapping[str, Any]) -> Any:
    """The system's procedure with a pack's numbers and kinds in it."""
    for key, value in own.items():
        for name in ("constants", "aims"):
            if key in model.get(name, {}):
                model[name][key] = value
    return model


def _conditions(known: Any, model: Mapping[str, Any], kind: _Kind, slain: str) -> None:
    """What events need of conditions, and those that they bring."""
    for name, condition in model.items():
        if name in known and isinstance(known[name], dict):
            for key in (*_PLAYED, "implies"):
                if key in condition and key not in known[name]:
                    known[name][key] = deepcopy(condition[key])
        elif name in kind.adds:
            known[name] = condition
    _let_kill(slain, known)


def _let_kill(slain: str, known: Any) -> None:
    """Whoever is slain dies, where the condition does not say so by itself."""
    if isinstance(known.get(slain), dict) and not _kills(slain, known, ()):
        steps = _shaped(known[slain], "implies", list)
        steps.append({"do": "die", "says": "", "log": {"quiet": True}})


def _kills(name: str, known: Mapping[str, Any], above: tuple[str, ...]) -> bool:
    """Whether a condition is death, or brings one that is."""
    condition = known.get(name)
    steps = condition.get("implies") if isinstance(condition, dict) and name not in above else ()
    return any(
        step.get("do") == "die"
        or (step.get("do") == "suffer" and _kills(step.get("condition", ""), known, (*above, name)))
        for step in (steps if isinstance(steps, list) else ())
        if isinstance(step, dict)
    )


def _rulings(head: Any, model: Any) -> None:
    """The rulings that steps follow, and the switches that they ask for."""
    rulings = _shaped(head, "rulings", list)
    places = {str(ruling.get("id")): at for at, ruling in enumerate(rulings) if isinstance(ruling, dict)}
    for ruling in model["rulings"]:
        at = places.get(ruling["id"])
        if at is None:
            rulings.append(ruling)
        elif "switch" in ruling and "switch" not in rulings[at]:
            rulings[at] = ruling


# --- panels ----------------------------------------------------------------------------------------------------------


def _panels(file: Any, kind: _Kind, yaml: YAML) -> bool:
    """Charts by name become pictures that say what they count. Gives whether there was any."""
    model = yaml.load((find(kind.system) / "screen.yaml").read_text(encoding="utf-8"))
    drawn = {block.get("title"): block for block in _blocks(model) if block.get("block") == "odds"}
    found = False
    for block in _blocks(file):
        title = kind.charts.get(str(block.get("shows"))) if block.get("block") == "chart" else None
        if title in drawn:
            kept = {key: value for key, value in block.items() if key not in ("block", "shows")}
            block.clear()
            block.update({**{key: value for key, value in deepcopy(drawn[title]).items() if key != "column"}, **kept})
            block.fa.set_block_style()
            found = True
    return found


def _blocks(file: Any) -> Iterator[Any]:
    """Every block of a file of panels, as far as it has the shape of one."""
    for panel in _listed(file, "panels"):
        yield from (block for block in _listed(panel, "blocks") if isinstance(block, dict))


def _listed(held: Any, key: str) -> list[Any]:
    """The list under a key; an empty one where there is none."""
    found = held.get(key) if isinstance(held, dict) else None
    return found if isinstance(found, list) else []


def refusals(head: Any, folder: Path) -> Iterator[tuple[Trail, str]]:
    """What in `system.yaml` is written as in an earlier version: where it stands, and what to do about it."""
    way = f"write hackjack check --upgrade {folder}"
    procedure = head.get("procedure") if isinstance(head, dict) else None
    if isinstance(procedure, dict) and procedure.get("kind") in GONE:
        yield ("procedure", "kind"), f'the kind "{procedure["kind"]}" is content now: {way}'
    for place, key in _old_keys(head):
        yield ("cards", place, key), f'the key "{key}" is called "{_RENAMED[key]}" now: {way}'
