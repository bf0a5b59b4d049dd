"""`hackjack print`: decks, screens and sheets into a folder."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from generator import cardsets, content, sheets
from generator.cards import read_code
from generator.cli.options import open_pack, pack_options
from generator.errors import HackjackError, UsageError
from generator.filling import Filling
from generator.products import products_of
from generator.rules import System
from generator.typed import find_name

if TYPE_CHECKING:
    from generator.session import Session


@click.command("print")
@click.argument("system", required=False)
@click.argument("products", nargs=-1, metavar="[PRODUCT]...")
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), default=Path("output"), show_default=True, metavar="DIR"
)
@click.option("--paper", default="a4", show_default=True, metavar="a4|letter")
@click.option("--target", default="home", show_default=True, metavar="NAME", help="See hackjack list targets.")
@click.option("--dpi", type=click.IntRange(36, 1200), help="Resolution of the png target.  [default: 300]")
@click.option("--backs", type=click.Choice(["none", "duplex"]), default="duplex", show_default=True)
@click.option("--nudge", default="0,0", show_default=True, metavar="X,Y", help="Move the backs, mm right and up.")
@click.option(
    "--marks",
    type=click.Choice(["cut", "crop", "none"]),
    default="cut",
    show_default=True,
    help="Lines to cut along, marks in the margin alone, or nothing.",
)
@click.option("--ink", type=click.Choice(["full", "saver"]), default="full", show_default=True)
@click.option("--suits", type=click.Choice(["two", "four"]), default="two", show_default=True, help="Suit colours.")
@click.option("--only", metavar="CODE,...", help="Print these cards alone: QS,KH.")
@click.option("--jokers", is_flag=True, help="Print the jokers too.")
@click.option("--plain", is_flag=True, help="A sheet without form fields, for the print shop.")
@click.option("--from", "campaign", metavar="CAMPAIGN[:NAME]", help="Fill a sheet from a session.")
@pack_options
def command(system: str | None, products: tuple[str, ...], output: Path, **options: Any) -> None:
    """Print the products of a system, or of every system, into DIR (one line per file)."""
    pack: Path | None = options.pop("pack")
    settings: tuple[str, ...] = options.pop("settings")
    for name in [system] if system else _every_system(pack):
        loaded = open_pack(name, pack, settings).system
        chosen = _chosen(products, loaded)
        if options["campaign"] and chosen != ("sheet",):
            raise UsageError("--from fills a sheet: write hackjack print SYSTEM sheet --from CAMPAIGN:NAME")
        for product in chosen:
            if product in cardsets.names_of(loaded):
                kind = sheets.named(sheets.targets(), options["target"], "target").kind
                _DECKS[kind](loaded, product, output, options)
            else:
                _panels(loaded, product, output, options)


def _every_system(pack: Path | None) -> tuple[str, ...]:
    return (content.load(pack).system.head.id,) if pack else content.shipped()


def _chosen(products: tuple[str, ...], system: System) -> tuple[str, ...]:
    known = products_of(system)
    for product in products:
        if product not in known:
            raise UsageError(f'{system.head.id} has no product "{product[:40]}": there is {", ".join(known)}')
    return products or known


def _deck_options(options: dict[str, Any]) -> Any:
    from generator.products.deck import Options

    return Options(
        paper=sheets.named(sheets.papers(), options["paper"], "paper"),
        card=sheets.cards()["poker"],
        backs=options["backs"],
        nudge=_nudge(options["nudge"]),
        marks=options["marks"],
        ink=options["ink"],
        suits=options["suits"],
        only=_codes(options["only"]),
        jokers=options["jokers"],
    )


def _deck_sheets(system: System, product: str, output: Path, options: dict[str, Any]) -> None:
    """One PDF of sheets for home printing."""
    from generator.paper.document import save
    from generator.preflight import demands_of, passed
    from generator.products import deck

    chosen = _deck_options(options)
    demands = demands_of(options["target"], sheets.targets()[options["target"]], chosen.card, chosen.paper)
    path = output / f"{system.head.id}-{product}.pdf"
    with _progress(path, deck.sheet_count(system, chosen, product)) as step:
        data = deck.sheets(system, chosen, step, product)
    save(passed(data, demands, path.name), path)
    click.echo(str(path))


def _deck_pictures(system: System, product: str, output: Path, options: dict[str, Any]) -> None:
    """One PNG a card, and one of the back."""
    from generator.exports import png
    from generator.paper.document import save
    from generator.products import deck

    chosen = _deck_options(options)
    dpi = options["dpi"] or sheets.targets()[options["target"]].dpi
    codes = [face.code for face in deck.faces(cardsets.card_set(system, product), chosen.only, chosen.jokers)]
    names = [*codes, *(["back"] if chosen.backs != "none" else [])]
    folder = output / f"{system.head.id}-{product}-{options['target']}"
    paths = [folder / f"{name}.png" for name in names]
    with _progress(folder, len(paths)) as step:
        for path, picture in zip(paths, png.pages(deck.singles(system, chosen, product), dpi), strict=True):
            save(png.encoded(picture, dpi), path)
            step()
    for path in paths:
        click.echo(str(path))


def _panels(system: System, product: str, output: Path, options: dict[str, Any]) -> None:
    """One PDF of panels; with `--from`, one for each character."""
    from generator.paper.document import save
    from generator.preflight import OUR_DEMANDS, passed
    from generator.products import panels

    panel = {"screen": panels.screen, "sheet": panels.sheet, "reference": panels.reference}
    make = panel[product] if product in panel else import_module(f"generator.products.{product}").pages
    for ending, filling in _fillings(system, options["campaign"]):
        path = output / f"{system.head.id}-{product}{ending}.pdf"
        chosen = panels.Options(
            paper=sheets.named(sheets.papers(), options["paper"], "paper"),
            ink=options["ink"],
            suits=options["suits"],
            fillable=product == "sheet" and not options["plain"],
            filling=filling,
        )
        with _progress(path, 1) as step:
            data = make(system, chosen)
            step()
        save(passed(data, OUR_DEMANDS, path.name), path)
        click.echo(str(path))


def _fillings(system: System, campaign: str | None) -> list[tuple[str, Filling | None]]:
    """The characters to fill sheets with, and the end of each file's name."""
    if not campaign:
        return [("", None)]
    from generator import session

    name, _, character = campaign.partition(":")
    found = session.look(session.campaign_file(name), system).session
    if found is None:
        known = ", ".join(session.campaigns()) or "none yet"
        raise HackjackError(f'there is no campaign "{name}": there are {known}')
    states = _states_of(found)
    names = [find_name(character, states)] if character else list(states)
    if not names:
        raise HackjackError(f'nobody plays in the campaign "{name}" yet: add somebody with hackjack play')
    return [(f"-{_slug(who, place)}", Filling(who, states[who])) for place, who in enumerate(names, 1)]


def _states_of(found: Session) -> dict[str, Mapping[str, Any]]:
    """Who is at the table, each with what fills a sheet."""
    game, party = found.table.game, found.party
    if game.SHARED:
        return dict(game.seats(game.plain_state(party.state())))
    return {who: game.plain_state(party.state(who)) for who in party.names}


def _slug(name: str, place: int) -> str:
    """A name as part of a file's name: plain letters and digits, or its number where it has none."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or str(place)


_DECKS: dict[str, Callable[[System, str, Path, dict[str, Any]], None]] = {
    "sheet": _deck_sheets,
    "png": _deck_pictures,
}


@contextmanager
def _progress(path: Path, length: int) -> Iterator[Callable[[], None]]:
    """A bar on standard error where that is a terminal; elsewhere nothing."""
    if not sys.stderr.isatty():
        yield lambda: None
        return
    with click.progressbar(length=length, label=path.name, file=sys.stderr) as bar:
        yield lambda: bar.update(1)


def _codes(written: str | None) -> tuple[str, ...]:
    try:
        return tuple(read_code(code) for code in (written or "").split(",") if code.strip())
    except ValueError as error:
        raise UsageError(f"--only: {error}") from error


def _nudge(written: str) -> tuple[float, float]:
    try:
        x, y = (float(part) for part in written.split(","))
    except ValueError as error:
        raise UsageError(f'--nudge "{written[:40]}": write two lengths in mm, such as 0.5,-1') from error
    if not (abs(x) <= 20 and abs(y) <= 20):
        raise UsageError(f"--nudge {written[:40]}: 20 mm either way is the most")
    return x, y
