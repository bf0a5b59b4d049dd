"""`hackjack print`: decks, screens and sheets into a folder."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, redirect_stderr, redirect_stdout
from dataclasses import replace
from functools import partial
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from generator.base import archives
from generator.base.errors import (
    ContentError,
    DiskError,
    FaceError,
    HackjackError,
    NamedError,
    UsageError,
    did_you_mean,
)
from generator.base.side_by_side import in_order, usual_jobs
from generator.base.text_input import find_name, in_any_case
from generator.check import content_checks as checks
from generator.cli import echo, lines_of, printed_before
from generator.cli import shell_completion as complete
from generator.cli.manifest import Manifest
from generator.cli.options import check_only, codes, one_of, open_pack, pack_options, progress, quiet_option
from generator.cli.printed_before import PrintedBefore
from generator.games import card_products, content_of, game_of
from generator.layout import sheets
from generator.layout.sheet_data import Filling
from generator.layout.targets import WHOLE, Target, products_besides, targets
from generator.model.rules import System, together
from generator.pack import content, themes
from generator.pack.pack_locations import files_of, find, pack_folders
from generator.pack.strict_yaml import Marks
from generator.products import BOX, PANELS, STARTER, bundles_of, products_of
from generator.words.wording import joined

if TYPE_CHECKING:
    from generator.paper.panel_options import PanelOptions
    from generator.session.session import Session

CALIBRATION = "calibration"
TOKENS = "tokens"
COMBATANTS = "combatants"
EVERY_TARGET = "all"
MAT = "mat"

_FOR_CARDS = {"only": (), "jokers": False, "extras": False}
_FOR_PRINTED_CARDS = {
    "target": "home",
    "text": "normal",
    "fill": False,
    **dict.fromkeys(("card", "dpi", "backs", "nudge", "marks", "start", "copies", "base_url", "registration")),
}
_FOR_PAPER = {
    "paper": None,
    "theme": None,
    "ink": "full",
    "suits": "two",
    "contrast": "normal",
    "plain": False,
    "columns": None,
    "rows": None,
    "thickness": None,
    "panels": "landscape",
}
"""Options with the value that they have when nobody gives them: whom they are for."""
_FOR_BOXES = {"card", "text", "jokers", "extras", "thickness"}
"""Those that a box heeds besides what all paper does."""


@click.command("print")
@click.argument("system", required=False, shell_complete=complete.systems)
@click.argument("products", nargs=-1, metavar="[PRODUCT]...", shell_complete=complete.products)
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), default=Path("output"), show_default=True, metavar="DIR"
)
@click.option("--paper", shell_complete=complete.papers, metavar="a4|letter", help="[default: a4]")
@click.option(
    "--target",
    default="home",
    show_default=True,
    metavar="NAME",
    help="See hackjack list targets; all: each in a folder of its own.",
    shell_complete=complete.targets,
)
@click.option(
    "--card",
    shell_complete=complete.card_sizes,
    metavar="NAME|WxH",
    help="poker, bridge, tarot, mini ... or 70x120 (mm), 2.5x3.5in.",
)
@click.option(
    "--format",
    "form",
    type=one_of("pdf", "md", "html"),
    default="pdf",
    show_default=True,
    help="md and html: the same content to be read, or read aloud; SYSTEM-PRODUCT.md or .html.",
)
@click.option("--dpi", type=click.IntRange(36, 1200), help="Resolution of the png target.  [default: 300]")
@click.option(
    "--backs",
    type=one_of("none", "duplex", "fold"),
    help="[default: duplex, where there are backs]",
)
@click.option(
    "--nudge",
    metavar="[save=]X,Y",
    help="Move the backs, or on labels everything, mm right and up; save= keeps that for the target and paper.",
)
@click.option(
    "--marks",
    type=one_of("cut", "crop", "none"),
    help="Lines to cut along, marks in the margin alone, or nothing.  [default: as the target needs]",
)
@click.option(
    "--registration",
    metavar="L,T,I",
    help="Length, thickness and inset of the silhouette target's marks, mm.  [default: the target's own]",
)
@click.option("--start", type=click.IntRange(1), metavar="N", help="Begin at the Nth place of a used sheet.")
@click.option("--copies", type=click.IntRange(1, 100), metavar="N", help="Print all of the cards N times.")
@click.option("--fill", is_flag=True, help="Fill the last sheet up with the same cards again.")
@click.option("--text", type=one_of("normal", "large"), default="normal", show_default=True)
@click.option(
    "--jobs",
    type=click.IntRange(1, 64),
    metavar="N",
    help="So many products, targets or PNG files at a time.  [default: as many as processors, 4 at most]",
)
@click.option("--base-url", metavar="URL", help="Where the folders of the tts target will lie on the web.")
@click.option("--theme", shell_complete=complete.themes, metavar="NAME", help="See hackjack list themes.")
@click.option(
    "--ink",
    type=one_of("full", "saver", "mono"),
    default="full",
    show_default=True,
    help="saver: outlines, no filled areas; mono: black alone.",
)
@click.option(
    "--suits",
    type=one_of("two", "four"),
    default="two",
    show_default=True,
    help="Suit colours.",
)
@click.option(
    "--contrast",
    type=one_of("normal", "high"),
    default="normal",
    show_default=True,
    help="high: black letters on white, no pale pictures behind them.",
)
@click.option("--only", multiple=True, metavar="CODE,...", help="Print these cards alone: QS,KH.")
@click.option("--jokers", is_flag=True, help="Print the jokers too.")
@click.option("--extras", is_flag=True, help="Print the cards that explain the others too: how to read one, the rules.")
@click.option("--thickness", type=click.FloatRange(0.05, 3), metavar="MM", help="Of a card in its box.  [default: 0.3]")
@click.option("--plain", is_flag=True, help="A sheet without form fields, for the print shop.")
@click.option("--tokens", type=click.Path(path_type=Path), metavar="FILE", help="Print the tokens that a file lists.")
@click.option(
    "--combatants", type=click.Path(path_type=Path), metavar="FILE", help="Print for the combatants of a file."
)
@click.option(
    "--panels",
    type=one_of("landscape", "portrait"),
    default="landscape",
    show_default=True,
    help="How the panels of a screen stand.",
)
@click.option(
    "--columns", type=click.IntRange(1, 40), metavar="N", help="Of the mat.  [default: 2 and one for each ally]"
)
@click.option(
    "--rows", type=click.IntRange(1, 20), metavar="N", help="Of the mat.  [default: as deep as a column becomes]"
)
@click.option(
    "--from",
    "campaign",
    shell_complete=complete.campaigns,
    metavar="CAMPAIGN[:NAME]",
    help="Fill a sheet from a campaign.",
)
@click.option("--json", "as_json", is_flag=True, help="One manifest of all that was written instead of a line each.")
@click.option("--since-last", is_flag=True, help="Print the cards alone that changed since you printed them last.")
@click.option(
    "--since",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Print the cards alone that changed since the print that a ledger keeps.",
)
@click.option(
    "--ledger",
    "kept_in",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Keep in this file what is printed.  [default: in your hackjack folder]",
)
@click.option("--watch", is_flag=True, help="Print anew what changes while you write, until Ctrl-C.")
@pack_options
@quiet_option
def command(system: str | None, products: tuple[str, ...], output: Path, **options: Any) -> int:
    """Print the products of a system, or of every system, into DIR (one line per file).

    What cannot be printed is listed at the end, and all else is printed. A target that is for cards prints cards alone.
    `hackjack print calibration --target NAME` prints a page to measure a printer by.
    """
    if system is not None and system.casefold() == CALIBRATION:
        if products:
            raise UsageError("one calibration page serves all products: write hackjack print calibration --target NAME")
        from generator.cli.by_target import print_calibration

        print_calibration(output, options)
        return 0
    pack: Sequence[Path] = options.pop("pack")
    settings: tuple[str, ...] = options.pop("settings")
    watch: bool = options.pop("watch")
    since: dict[str, Any] = {name: options.pop(name) for name in ("since_last", "since", "kept_in")}
    printed_before.check_options(**since, watch=watch, system=bool(system or pack), options=options)
    if settings and options["campaign"]:
        raise UsageError("--from prints by the rules that the campaign has settled: leave --set out")
    if watch:
        _watch(system, products, output, pack, settings, options)
        return 0
    if system is None and not pack and options["only"]:
        raise UsageError("--only names cards of one system: write hackjack print SYSTEM --only QS")
    manifest = Manifest(options["as_json"])
    failed = False
    try:
        for name in [system] if system else _every_system(pack):
            loaded = _opened(name, pack, settings, options)
            before = PrintedBefore(loaded, **since)
            failed |= _printed(_orders(products, loaded, output, options, before), manifest, before)
    finally:
        manifest.close()
    return int(failed)


class _Order(NamedTuple):
    """One product to print for one target, into a folder, with the options that the target heeds."""

    system: System
    product: str
    output: Path
    options: dict[str, Any]
    named: bool
    whatever_fits: bool

    @property
    def target(self) -> str:
        target: str = self.options["target"]
        return target


def _printed(orders: Sequence[_Order], manifest: Manifest, before: PrintedBefore) -> bool:
    """Print what can be printed; gives whether anything failed that should not. Raises UsageError, DiskError."""
    try:
        return _each_printed(orders, manifest, before)
    finally:
        before.close()


def _each_printed(orders: Sequence[_Order], manifest: Manifest, before: PrintedBefore) -> bool:
    failed = False
    full: DiskError | None = None
    unwritten: list[_Order] = []
    with closing(_attempts(orders, manifest)) as attempts:
        for order, error in zip(orders, attempts, strict=True):
            match error:
                case None:
                    for product in _products_in(order):
                        before.printed(product, order.target, order.options)
                case DiskError():
                    # What runs beside it may have had room: only the end of all tells what is missing.
                    full = full or error
                    unwritten.append(order)
                case ContentError() | NamedError():
                    failed = True
                    manifest.left(order.product, order.target, lines_of(error))
                case UsageError() if not order.whatever_fits:
                    raise error
                case _:
                    failed |= not order.whatever_fits
                    place = f"{order.target}: " if order.whatever_fits else ""
                    manifest.left(order.product, order.target, [place + line for line in lines_of(error)])
    if full:
        raise DiskError(f"{full}{_missing(unwritten, manifest)}") from full
    # Where no card has changed, there is nothing to print, and nothing failed.
    return failed or (not manifest.files and (bool(orders) or not before.compares))


def _products_in(order: _Order) -> tuple[str, ...]:
    """What an order prints: the product, or the parts of a starter."""
    if order.product != STARTER or STARTER not in bundles_of(order.system):
        return (order.product,)
    return _parts(order.system, _target(order.options))


class _Done(NamedTuple):
    """What came of an order that was printed apart: what is to be told, its files, and what speaks against it."""

    out: str
    err: str
    files: list[dict[str, Any]]
    error: HackjackError | None


def _attempts(orders: Sequence[_Order], manifest: Manifest) -> Generator[HackjackError | None, None, None]:
    """Print each; gives what speaks against it, or None. What the first loads and measures serves all others.

    The others are printed side by side, and told of in their order.
    """
    yield from (_attempt(order, manifest) for order in orders[:1])
    if others := orders[1:]:
        jobs = others[0].options["jobs"] or usual_jobs()
        hands = {"jobs": max(1, jobs // len(others))}
        calls = [partial(_apart, each._replace(options=each.options | hands), manifest.as_json) for each in others]
        for done in in_order(calls, jobs):
            for text, err in ((done.out, False), (done.err, True)):
                if text:
                    echo(*text.removesuffix("\n").split("\n"), err=err)
            manifest.files += done.files
            yield done.error


def _attempt(order: _Order, manifest: Manifest) -> HackjackError | None:
    """Print one product; gives what speaks against it."""
    try:
        _print(order, manifest)
    except HackjackError as error:
        return error
    return None


def _apart(order: _Order, as_json: bool) -> _Done:
    """Print one product, and keep for later what is to be told of it."""
    manifest = Manifest(as_json)
    with redirect_stdout(StringIO()) as out, redirect_stderr(StringIO()) as err:
        error = _attempt(order, manifest)
    return _Done(out.getvalue(), err.getvalue(), manifest.files, error)


def _missing(orders: Sequence[_Order], manifest: Manifest) -> str:
    """The end of a sentence: what is missing, in whole or in part, beside the file that it names."""
    missing = []
    for at, each in enumerate(orders):
        begun = manifest.has(each.product, each.target)
        # What could not be written first is named already.
        if begun or at:
            rest = "the rest of " if begun else ""
            missing.append(f"{rest}{each.system.head.id} {each.product} for {each.target}")
    return f"; missing too: {', '.join(missing)}" if missing else ""


def _orders(
    products: tuple[str, ...], system: System, output: Path, options: dict[str, Any], before: PrintedBefore
) -> list[_Order]:
    """What to print; of cards that are compared with what was printed before, those that changed. Raises UsageError."""
    if not before.compares:
        return _all_orders(products, system, output, options)
    sets = card_products.card_set_names(system)
    if not sets:
        raise UsageError(f"{system.head.id} has no cards to print")
    known = (*products_of(system), *bundles_of(system))
    products = tuple(in_any_case(product, known) for product in _without_all(products, system))
    if others := [product for product in products if product in known and product not in sets]:
        raise UsageError(f"sets of cards are compared with what was printed before: leave {', '.join(others)} out")
    asked = _all_orders(products or sets, system, output, options)
    found = [(order, before.narrowed(order.product, order.options)) for order in asked]
    before.tell_odds(options)
    return [order._replace(options=narrowed) for order, narrowed in found if narrowed is not None]


def _all_orders(products: tuple[str, ...], system: System, output: Path, options: dict[str, Any]) -> list[_Order]:
    """What to print: for the one target that is asked for, or for each, in a folder of its own. Raises UsageError."""
    products = _without_all(products, system)
    named = bool(products)
    if options["target"].casefold() != EVERY_TARGET:
        chosen = _chosen(products, system, options)
        return [_Order(system, product, output, options, named, whatever_fits=False) for product in chosen]
    if options["form"] != "pdf":
        raise UsageError(f"--format {options['form']} is for reading: leave --target out, which is for paper")
    from generator.cli.by_target import heeded

    orders: list[_Order] = []
    for name, target in targets().items():
        mine = heeded(target, options) | {"target": name}
        chosen = products
        if name != "home":
            # What is no set of cards is the same on every paper.
            known = (*card_products.card_set_names(system), *products_besides(target))
            chosen = tuple(each for each in products or _usual(system, target) if in_any_case(each, known) in known)
        if chosen or not products:
            each_chosen = _chosen(chosen, system, mine)
            orders += [_Order(system, each, output / name, mine, named, whatever_fits=True) for each in each_chosen]
    return orders


def _opened(name: str, pack: Sequence[Path], settings: tuple[str, ...], options: Mapping[str, Any]) -> System:
    """A system with what the options put in place of its own. Raises ContentError, UsageError."""
    if "+" in name:
        loaded = _together(name, pack, settings)
    else:
        loaded, _ = _with_tokens(open_pack(name, pack, settings).system, options["tokens"])
        loaded = _with_combatants(loaded, options["combatants"])
    return replace(loaded, theme=themes.named(options["theme"], loaded.theme)) if options["theme"] else loaded


def _together(name: str, pack: Sequence[Path], settings: tuple[str, ...]) -> System:
    """The deck of two systems, named as `first+second`. A house rule goes to whichever has such a switch or number."""
    names = name.split("+")
    if pack:
        raise UsageError("--pack means one system: put your packs into the packs folder and name them, first+second")
    if len(names) != 2 or names[0] == names[1]:
        raise UsageError(f'"{name[:60]}": a deck serves two different systems, such as hackjack+deadlands')
    both = [open_pack(each, (), ()).system for each in names]
    for system in both:
        if "deck" not in card_products.card_set_names(system):
            raise UsageError(f"{system.head.id} has no deck to put on the same cards")
    chosen = content.read_settings(settings)
    known = [rule for system in both for rule in (*system.switches, *system.numbers)]
    for rule, _ in chosen:
        if rule not in known:
            hint = did_you_mean(rule, known)
            raise UsageError(f'neither of {name} has a ruling switch or a number "{rule[:60]}"{hint}')
    first, second = (
        checks.under(system, [pair for pair in chosen if pair[0] in (*system.switches, *system.numbers)])
        for system in both
    )
    return together(first, second)


def _print(order: _Order, manifest: Manifest) -> None:
    """One product, as a file or several. Raises HackjackError where it cannot be printed."""
    from generator.paper.themed import set_to_fit, themed

    system, product, output, options, named, _ = order
    if options["form"] != "pdf":
        with themed(system.theme, system):
            _text(system, product, output, options, manifest, named=named)
    elif product == STARTER and STARTER in bundles_of(system):
        from generator.cli.by_target import print_starter

        with _named(system, product):
            looks = _panel_options(system, "sheet", options)
            set_to_fit(system, partial(print_starter, system, looks, output, options, manifest))
    elif product in card_products.card_set_names(system) or products_besides(_target(options)):
        from generator.cli.by_target import print_cards

        listed = options["tokens"] if product == TOKENS else None
        ending = ""
        if options["campaign"]:
            system, ending = _at_table(system, product, options["campaign"])
        with _named(system, product), _placed(content.read_tokens(listed)[1] if listed else None, system):
            set_to_fit(system, partial(print_cards, system, product, output, options, manifest, ending))
    else:
        _panels(system, product, output, options, manifest)


@contextmanager
def _named(system: System, product: str) -> Iterator[None]:
    """What does not fit is told with system and product; faults of a file, of the call and of the disk as they are."""
    try:
        yield
    except (UsageError, ContentError, DiskError, NamedError):
        raise
    except HackjackError as error:
        raise HackjackError(f"{system.head.id} {product}: {error}") from error


def _watch(
    system: str | None,
    products: tuple[str, ...],
    output: Path,
    pack: Sequence[Path],
    settings: tuple[str, ...],
    options: dict[str, Any],
) -> None:
    """Print anew whatever changes while somebody writes, until Ctrl-C. Raises UsageError."""
    from generator.cli import following

    if options.pop("as_json"):
        raise UsageError("--watch never ends, and --json tells all at the end: leave one of them out")
    if options["target"].casefold() == EVERY_TARGET:
        raise UsageError("--watch prints for one target: name it, or leave --target out")
    if system is None and not pack:
        raise UsageError("--watch follows one system: write hackjack print SYSTEM --watch, or --pack DIR")
    folder, *others = pack_folders(pack) if pack else [find(name) for name in str(system).split("+")]
    if not archives.is_dir(folder):
        content.load(folder)
    following.follow(
        folder,
        [path for path in (options["tokens"], options["combatants"]) if path is not None] + files_of(others),
        opened=lambda: _opened(system or content.load_named(pack).system.head.id, pack, settings, options),
        chosen=lambda loaded: _chosen(products, loaded, options),
        build=lambda loaded, product: _print(
            _Order(loaded, product, output, options, bool(_without_all(products, loaded)), whatever_fits=False),
            Manifest(),
        ),
    )


def _with_tokens(system: System, path: Path | None) -> tuple[System, Marks | None]:
    """The system with the tokens of a file for its own, and the places in that. Raises ContentError, UsageError."""
    if path is None:
        return system, None
    if TOKENS not in card_products.card_set_names(system):
        raise UsageError(f"{system.head.id} has no tokens to print: leave --tokens out")
    tokens, marks = content.read_tokens(path)
    filled = replace(system, tokens=tokens)
    if found := [marks.problem(trail, message) for trail, message in content_of(filled).token_faults()]:
        raise ContentError(found)
    return filled, marks


@contextmanager
def _placed(marks: Marks | None, system: System) -> Iterator[None]:
    """Faults of tokens are told where they stand in their file."""
    try:
        yield
    except FaceError as fault:
        if marks is None:
            raise
        trails = card_products.card_set(system, TOKENS).trails or {}
        raise ContentError([marks.problem(trails[fault.code], fault.reason)]) from fault


def _with_combatants(system: System, path: Path | None) -> System:
    """The system with the combatants of a file in place of its own. Raises ContentError, UsageError."""
    if path is None:
        return system
    if COMBATANTS not in products_of(system):
        raise UsageError(f"{system.head.id} has no combatants to print: leave --combatants out")
    from generator.games.combatant_files import with_combatants

    return with_combatants(system, path)


def _without_all(products: tuple[str, ...], system: System) -> tuple[str, ...]:
    """The products that are named one by one; none where all are asked for, as when nothing is named."""
    everything = WHOLE not in products_of(system) and WHOLE in map(str.casefold, products)
    return () if everything else products


def _every_system(pack: Sequence[Path]) -> tuple[str, ...]:
    return (content.load_named(pack).system.head.id,) if pack else content.shipped()


def _chosen(products: tuple[str, ...], system: System, options: Mapping[str, Any]) -> tuple[str, ...]:
    """The products to print: those that are named, or all that the target is for. Raises UsageError.

    A set of cards that has none of those that `--only` names is left out.
    """
    target = _target(options)
    besides = products_besides(target)
    known, sets = (*products_of(system), *besides), card_products.card_set_names(system)
    named = tuple(dict.fromkeys((*known, *bundles_of(system))))
    products = tuple(in_any_case(product, named) for product in _without_all(products, system))
    for product in products:
        if product not in named:
            cure = f"; for a {product} write {product}.yaml, as docs/panels.md says" if product in PANELS else ""
            raise UsageError(f'{system.head.id} has no product "{product[:40]}": there is {", ".join(named)}{cure}')
    chosen = tuple(dict.fromkeys(products)) or (_usual(system, target) if target.cards_alone else known)
    if not chosen:
        raise UsageError(f"{system.head.id} has no cards to print")
    if options["campaign"]:
        chosen = _filled(chosen if products else (), system)
    shown = (*chosen, *sets) if WHOLE in chosen else chosen
    if STARTER in chosen and STARTER not in known:
        shown += _parts(system, target)
    _check_heeded(shown, system, options)
    if not options["only"]:
        return chosen
    printed = {name: card_products.card_set(system, name) for name in shown if name in sets}
    check_only(options["only"], tuple(printed.values()))
    return tuple(
        name
        for name in chosen
        if (codes(options["only"], printed[name]) if name in printed else name == WHOLE or name not in besides)
    )


def _parts(system: System, target: Target) -> tuple[str, ...]:
    """The products in a starter. Raises UsageError for a target that is for cards alone."""
    from generator.products import starter

    if target.cards_alone:
        fitting = ", ".join(name for name, other in targets().items() if not other.cards_alone)
        raise UsageError(f"a starter is printed at home: leave --target out, or choose one of {fitting}")
    return starter.parts_of(system)


def _filled(chosen: tuple[str, ...], system: System) -> tuple[str, ...]:
    """What a session fills: what is chosen, or unless anything is, what shows the whole table. Raises UsageError."""
    known = game_of(system).FILLED
    if not chosen:
        return tuple(name for name in known if name != "sheet") or known
    if others := [name for name in chosen if name not in known]:
        if known == ("sheet",):
            raise UsageError("--from fills a sheet: write hackjack print SYSTEM sheet --from CAMPAIGN:NAME")
        raise UsageError(f"--from fills {joined(known)}: leave {joined(others)} out")
    return chosen


def _usual(system: System, target: Target) -> tuple[str, ...]:
    """What a target for cards makes of a system unless something is named."""
    besides = products_besides(target)
    if WHOLE in besides:
        return (WHOLE,)
    return (*card_products.card_set_names(system), *(besides if system.tables and not system.both else ()))


def _target(options: Mapping[str, Any]) -> Target:
    """The target that is asked for. Raises UsageError."""
    return sheets.named(targets(), in_any_case(options["target"], targets()), "target")


def _check_heeded(products: tuple[str, ...], system: System, options: Mapping[str, Any]) -> None:
    """Raises UsageError for an option that nothing heeds of what is asked for."""
    form, asked = options["form"], ", ".join(products)
    besides = products_besides(_target(options))
    given = [
        (option, known)
        for known in (_FOR_CARDS, _FOR_PRINTED_CARDS, _FOR_PAPER)
        for option, without in known.items()
        if options[option] != without
    ]
    for option, known in given:
        if form != "pdf" and known is not _FOR_CARDS:
            raise UsageError(f"--format {form} is for reading: leave --{option} out, which is for paper")
        if option in _FOR_BOXES and BOX in products:
            continue
        if option == "target" and (WHOLE in besides or {*products} & {*besides}):
            continue
        if option == "thickness":
            raise UsageError(f"--thickness means nothing for {asked}: it is for a box")
        if known is not _FOR_PAPER and not {*products} & {*card_products.card_set_names(system)}:
            raise UsageError(f"--{option} means nothing for {asked}: it is for sets of cards")
        if option == "plain" and "sheet" not in products:
            raise UsageError(f"--plain means nothing for {asked}: it is for a sheet")
        if option == "panels" and "screen" not in products:
            raise UsageError(f"--panels means nothing for {asked}: it is for a screen")
        if option in ("columns", "rows") and MAT not in products:
            raise UsageError(f"--{option} means nothing for {asked}: it is for a mat")


def _panels(system: System, product: str, output: Path, options: dict[str, Any], manifest: Manifest) -> None:
    """One PDF of panels; with `--from`, one for each character."""
    from generator.cli.by_target import theme_ending
    from generator.paper.document import save
    from generator.paper.themed import set_to_fit
    from generator.preflight import OUR_DEMANDS, passed
    from generator.products import panels

    system, found = _fillings(system, options["campaign"], whole=product in (COMBATANTS, MAT))
    for ending, filling in found:
        path = output / f"{system.head.id}-{product}{ending}{theme_ending(system)}.pdf"
        chosen = _panel_options(system, product, options, filling)
        with _named(system, product):
            with progress(path, 1) as step:
                data = set_to_fit(system, partial(panels.pages, system, product, chosen))
                step()
            save(passed(data, OUR_DEMANDS, path.name), path)
        manifest.wrote_pdf(path, product, options["target"], data, OUR_DEMANDS)


def _panel_options(
    system: System, product: str, options: Mapping[str, Any], filling: Filling | None = None
) -> PanelOptions:
    """How panels are printed, as asked for. Raises UsageError."""
    from generator.paper.panel_options import PanelOptions

    return PanelOptions(
        paper=sheets.named(sheets.papers(), options["paper"] or "a4", "paper"),
        fillable=product == "sheet" and not options["plain"],
        filling=filling,
        theme=system.theme,
        card=sheets.card_size(options["card"]) if options["card"] else None,
        **{name: options[name] for name in ("ink", "suits", "contrast", "columns", "rows", "panels")},
        **{name: options[name] for name in ("text", "jokers", "extras")},
        **({"thickness": options["thickness"]} if options["thickness"] else {}),
    )


def _text(
    system: System, product: str, output: Path, options: dict[str, Any], manifest: Manifest, *, named: bool
) -> None:
    """One file to read, Markdown or HTML. A product that is all drawing has none; it is left out unless named."""
    from generator.exports.html import html_page
    from generator.exports.markdown import markdown_page
    from generator.layout import reading
    from generator.paper.document import save
    from generator.products.panel_content import page

    write = {"md": markdown_page, "html": html_page}[options["form"]]
    laid_out = system.laid_out(product)
    system, fillings = _fillings(system, options["campaign"])
    for ending, filling in fillings:
        if product in card_products.card_set_names(system):
            from generator.products import deck, extras

            printed = card_products.card_set(system, product)
            chosen = deck.faces(printed, codes(options["only"], printed), options["jokers"])
            if options["extras"]:
                # The other one explains what stands where on paper.
                chosen += extras.rules(system, sheets.cards()["poker"], "normal")
            read = reading.cards(system, product, chosen)
        elif laid_out is not None:
            pages = [page(panel, system, game_of(system).charts(), filling) for panel in laid_out.panels]
            read = reading.panels(system, laid_out.title, pages)
        elif named:
            raise UsageError(f"{product} is made for paper alone and has no text to read: print it as a pdf")
        else:
            return
        path = output / f"{system.head.id}-{product}{ending}.{options['form']}"
        save(write(read).encode(), path)
        manifest.wrote(path, product, options["target"])


_Fillings = tuple[System, list[tuple[str, Filling | None]]]
"""A system under the rules of its campaign, if one is named; what fills each sheet, and how the file's name ends."""


def _at_table(system: System, product: str, campaign: str) -> tuple[System, str]:
    """The system with those who sit at a table, and how the names of its files end. Raises HackjackError."""
    if ":" in campaign:
        raise UsageError(f"--from CAMPAIGN:NAME fills one sheet: leave :NAME out for {product}")
    system, ((ending, filling),) = _fillings(system, campaign, whole=True)
    assert filling is not None
    return replace(game_of(system).at_table(filling.state), theme=system.theme), ending


def _session(name: str, system: System) -> Session:
    """A campaign as it stands. Raises HackjackError."""
    from generator.session import campaigns, journal

    found = journal.read_file(campaigns.campaign_file(name), system).session
    if found is None:
        known = ", ".join(campaigns.campaigns()) or "none yet"
        raise HackjackError(campaigns.nothing_whole(name) or f'there is no campaign "{name}": there are {known}')
    return found


def _fillings(system: System, campaign: str | None, *, whole: bool = False) -> _Fillings:
    """The characters to fill sheets with; `whole`: the table's state for one file, of all or of the one that is named.

    Raises HackjackError.
    """
    if not campaign:
        return system, [("", None)]
    name, _, character = campaign.partition(":")
    found = _session(name, system)
    game, party = found.table.game, found.party
    if whole:
        state = game.plain_state(party.state())
        who = find_name(character, list(game.seats(state))) if character else ""
        return found.table.system, [(f"-{_slug(who or name, 1)}", Filling(who, state))]
    states: Mapping[str, Mapping[str, Any]]
    if game.SHARED:
        states = game.seats(game.plain_state(party.state()))
    else:
        states = {who: game.plain_state(party.state(who)) for who in party.names}
    names = [find_name(character, states)] if character else list(states)
    if not names:
        raise HackjackError(f'nobody plays in the campaign "{name}" yet: add somebody with hackjack play')
    fillings: list[tuple[str, Filling | None]] = [
        (f"-{_slug(who, place)}", Filling(who, game.sheet(dict(states[who])))) for place, who in enumerate(names, 1)
    ]
    return found.table.system, fillings


def _slug(name: str, place: int) -> str:
    """A name as part of a file's name: plain letters and digits, or its number where it has none."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or str(place)
