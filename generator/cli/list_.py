"""`hackjack list`: what there is."""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from generator.base.cards import FULL_DECK
from generator.base.errors import ContentError, HackjackError, UsageError, did_you_mean
from generator.base.text_input import in_any_case
from generator.cli import echo
from generator.cli.options import json_option, print_json
from generator.games import content_of
from generator.games.card_products import card_set_names
from generator.model.rules import System
from generator.pack.load import Pack, load_pack
from generator.pack.pack_locations import find, installed, pack_folders, packs_folder, shipped, systems_folder
from generator.products import bundles_of, products_of
from generator.words.wording import fill_placeholders


@click.command("list")
@click.argument("what", required=False, metavar="[SYSTEM|targets|themes|campaigns]")
@click.option(
    "--pack",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="List only the pack in DIR or FILE.zip.",
)
@json_option
def command(what: str | None, pack: Sequence[Path], as_json: bool) -> None:
    """List systems with their products, decks, tables, events and rulings; or targets, themes or your campaigns.

    Packs in your packs folder come after the shipped systems.
    """
    named = in_any_case(what, (*_LISTS, *shipped(), *installed())) if what and what.casefold() != "systems" else ""
    if named in _LISTS:
        _LISTS[named](as_json)
        return
    if pack:
        shapes = [_shape(load_pack(pack_folders(pack)[0]))]
    elif named:
        if named not in (*shipped(), *installed()):
            hint = did_you_mean(named, (*_LISTS, *shipped(), *installed()))
            raise UsageError(f'"{what}" cannot be listed{hint}')
        shapes = [_own(named)]
    else:
        # What ships is sound.
        shapes = [_shape(load_pack(find(name), to_play=True)) for name in shipped()]
        shapes += [_own(name) for name in installed()]
    if as_json:
        print_json({"systems": shapes})
        return
    for place, shape in enumerate(shapes):
        echo(*([""] if place else []), *_text(shape))
    if not pack and not named:
        with suppress(HackjackError):
            echo("", f"packs of your own: {packs_folder()}")


def _own(name: str) -> dict[str, Any]:
    """Return the shape of a pack by its name; one that cannot be read must not hide the others."""
    try:
        return _shape(load_pack(find(name)))
    except ContentError:
        return {"system": name, "pack": str(find(name)), "sound": False}


def _shape(pack: Pack) -> dict[str, Any]:
    system, head = pack.system, pack.system.head
    own = {} if pack.folder.parent == systems_folder() else {"pack": str(pack.folder), "sound": True}
    return own | {
        "system": head.id,
        "title": head.title,
        "version": head.version,
        "extends": head.extends,
        "needs": head.needs,
        "about": _filled(head.about, system),
        "products": [*products_of(system), *bundles_of(system)],
        "decks": _decks(system),
        "tables": [{"id": table.id, "title": table.title} for table in system.tables],
        "events": list(content_of(system).table_events()),
        "rulings": [
            {
                "id": ruling.id,
                "point": _filled(ruling.point, system),
                "switch": ruling.switch.name if ruling.switch else None,
                "default": ruling.switch.default if ruling.switch else None,
                "options": list(ruling.switch.options) if ruling.switch else [],
            }
            for ruling in head.rulings
        ],
    }


def _filled(text: str, system: System) -> str:
    """A text with the procedure's numbers; as it stands where it quotes what there is not, which the check tells."""
    try:
        return fill_placeholders(text, system)
    except KeyError:
        return text


def _decks(system: System) -> list[dict[str, Any]]:
    """The deck of `deck.yaml`, or else the one that the kind of procedure plays with; and those of `decks.yaml`."""
    decks: list[dict[str, Any]] = []
    if system.deck:
        decks = [{"title": system.deck.title, "cards": sum(card.copies for card in system.deck.cards)}]
    elif "deck" in card_set_names(system):
        decks = [{"title": "Standard deck", "cards": len(FULL_DECK)}]
    own = ((deck, sum(card.copies for card in deck.cards)) for deck in system.decks)
    return decks + [{"id": deck.id, "title": deck.title, "cards": count} for deck, count in own]


def _text(shape: dict[str, Any]) -> list[str]:
    if not shape.get("sound", True):
        return [f"{shape['system']}: has faults, which hackjack check {shape['system']} lists"]
    switches = [f"{item['switch']} ({' | '.join(item['options'])})" for item in shape["rulings"] if item["switch"]]
    rows = {
        "pack": shape.get("pack", ""),
        "extends": shape["extends"] or "",
        "needs": f"Hackjack {shape['needs']} or later" if shape["needs"] else "",
        "products": ", ".join(shape["products"]),
        "deck": ", ".join(f"{deck['title']}, {deck['cards']} cards" for deck in shape["decks"]),
        "tables": ", ".join(table["id"] for table in shape["tables"]),
        "events": ", ".join(shape["events"]),
        "rulings": ", ".join(item["id"] for item in shape["rulings"]),
        "switches": "".join(switches[:1]),
    }
    lines = [f"{shape['system']}: {shape['title']} {shape['version']}"]
    lines += [f"  {name:<9} {text}" for name, text in rows.items() if text]
    lines += [f"{'':12}{switch}" for switch in switches[1:]]
    return lines


def _targets(as_json: bool) -> None:
    from generator.layout.targets import targets_by_name

    all_targets = targets_by_name()
    if as_json:
        rows = [
            {"id": name, "says": target.says, "source": target.source, "checked": target.checked}
            for name, target in all_targets.items()
        ]
        print_json({"targets": rows})
        return
    for name, target in all_targets.items():
        echo(f"{name:<11} {target.says}")


def _themes(as_json: bool) -> None:
    from generator.pack import themes

    all_themes = themes.shipped()
    if as_json:
        print_json({"themes": [{"id": name, "says": one.about} for name, one in all_themes.items()]})
        return
    for name, one in all_themes.items():
        echo(f"{name:<11} {one.about}")


def _campaigns(as_json: bool) -> None:
    from generator.session import campaigns

    all_campaigns = campaigns.summaries(campaigns.campaigns())
    if as_json:
        rows = [
            {
                "id": each.name,
                "title": campaigns.title_of(each.name),
                "system": each.system or None,
                "people": each.people,
            }
            for each in all_campaigns
        ]
        print_json({"campaigns": rows})
        return
    for each in all_campaigns:
        title = campaigns.title_of(each.name)
        called = each.name if title == each.name else f"{each.name} ({title})"
        echo(f"{called:<11} {each.system or 'unreadable'}: {', '.join(each.people) or 'nobody yet'}")
    if not all_campaigns:
        echo("No campaigns yet. Begin one: hackjack play --campaign NAME")


_LISTS = {"targets": _targets, "themes": _themes, "campaigns": _campaigns}
