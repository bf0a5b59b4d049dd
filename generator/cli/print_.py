"""`hackjack print`: reads words, has the orders made that they mean, and writes the files."""

from __future__ import annotations

import sys
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import closing, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from functools import partial
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click
from click.core import ParameterSource
from msgspec.structs import replace as replaced

from generator.base.errors import ContentError, DiskError, FaceError, HackjackError, NamedError, UsageError
from generator.base.files import save_file
from generator.base.parallel import default_jobs, run_in_order
from generator.base.text_input import in_any_case
from generator.cli import echo, lines_of, note, nudges, warn
from generator.cli.fillings import filled_orders
from generator.cli.options import one_of, open_pack, pack_options, print_json, progress, quiet_option
from generator.games import card_products, content_of
from generator.layout.targets import products_besides, targets_by_name
from generator.model.rules import System
from generator.orders.options import EVERY_TARGET, HOME, OPTIONS, Choices, Option, choices_of
from generator.orders.order import Order, chosen_products, in_theme, usual_products, without_all
from generator.pack import pack_locations
from generator.pack.carried import CarriedOrder, read_order
from generator.pack.load import read_tokens
from generator.pack.pack_locations import shipped
from generator.products import products_of

if TYPE_CHECKING:
    from generator.orders.job import File, Job

CALIBRATION = "calibration"
TOKENS = "tokens"
COMBATANTS = "combatants"

Command = TypeVar("Command", bound=Any)


@dataclass
class Manifest:
    """The files of one call. For people each is told when it is written; for programs (`as_json`) all at the end."""

    as_json: bool = False
    files: list[dict[str, Any]] = field(default_factory=list)
    left_out: list[dict[str, str]] = field(default_factory=list)

    def wrote(self, path: Path, product: str, target: str, made: File | None = None) -> None:
        """Tell of a file that is written: its size (mm) and pages where it has any."""
        if not self.as_json:
            note(str(path))
        size = made.size if made else None
        self.files.append(
            {
                "file": str(path),
                "product": product,
                "target": target,
                "bytes": path.stat().st_size,
                "size": [round(size.width, 2), round(size.height, 2)] if size else None,
                "pages": made.pages if made else None,
            }
        )

    def has(self, order: Order) -> bool:
        """Whether some file of that product is written for that target."""
        wanted = (order.product, order.choices.target)
        return any((file["product"], file["target"]) == wanted for file in self.files)

    def left(self, order: Order, why: Iterable[str]) -> None:
        """Note what is not made, and why."""
        self.left_out += [{"product": order.product, "target": order.choices.target, "why": line} for line in why]

    def close(self) -> None:
        """At the end: the manifest, or what was left out."""
        if self.as_json:
            print_json({"files": self.files, "left_out": self.left_out})
        for each in self.left_out:
            echo(each["why"], err=True)


def _order_options(command: Command) -> Command:
    """Every option of an order, as click reads it."""
    for option in reversed(OPTIONS):
        command = _click_option(option)(command)
    return command


def _click_option(option: Option) -> Any:
    # None lets the program tell what was given from what is usual; help shows the usual values of choices.
    default = option.usual if option.kind == "one" or option.name == "target" else None
    more: dict[str, Any] = {"default": default, "show_default": bool(default), "metavar": option.shown}
    match option.kind:
        case "tick":
            more = {"is_flag": True}
        case "one":
            more["type"] = one_of(*option.values)
        case "number":
            more["type"] = click.IntRange(int(option.least), None if option.most is None else int(option.most))
        case "length":
            more["type"] = click.FloatRange(option.least, option.most)
        case "codes":
            more["multiple"] = True
    return click.option(option.flag, option.name, help=option.says or None, **more)


class _Call(NamedTuple):
    """What was typed besides the options of an order."""

    output: Path
    jobs: int | None
    tokens: Path | None
    combatants: Path | None
    campaign: str | None
    nudge: str | None
    as_json: bool
    counts: Mapping[str, int]


def _is_typed(name: str) -> bool:
    return click.get_current_context().get_parameter_source(name) is not ParameterSource.DEFAULT


@click.command("print")
@click.argument("system", required=False)
@click.argument("products", nargs=-1, metavar="[PRODUCT]...")
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), default=Path("output"), show_default=True, metavar="DIR"
)
@_order_options
@click.option(
    "--jobs",
    type=click.IntRange(1, 64),
    metavar="N",
    help="Print up to N products, targets or PNG files in parallel.  [default: one per processor, at most 4]",
)
@click.option("--tokens", type=click.Path(path_type=Path), metavar="FILE", help="Print the tokens in a file.")
@click.option(
    "--combatants", type=click.Path(path_type=Path), metavar="FILE", help="Print for the combatants in a file."
)
@click.option("--from", "campaign", metavar="CAMPAIGN[:NAME]", help="Fill a sheet from a campaign.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document about all files.")
@pack_options
@quiet_option
def command(
    system: str | None,
    products: tuple[str, ...],
    output: Path,
    jobs: int | None,
    tokens: Path | None,
    combatants: Path | None,
    campaign: str | None,
    as_json: bool,
    pack: Sequence[Path],
    settings: tuple[str, ...],
    **written: str | int | float | bool | tuple[str, ...] | None,
) -> int:
    """Print the products of a system, or of every system, into DIR (one line per file).

    What cannot be printed is listed at the end; the rest is printed. A target for cards prints only cards.
    `hackjack print calibration --target NAME` prints a page to measure your printer.
    """
    carried, nudge = read_order(*pack_locations.pack_folders(pack)) if pack else CarriedOrder(), written["nudge"]
    typed = {name: value for name, value in written.items() if _is_typed(name)}
    if carried.product and not (products or "target" in typed or "format" in typed):
        # A PDF is printed again as it was, but for what is typed.
        products, typed = (carried.product,), {**carried.options, **typed}
    else:
        carried = CarriedOrder()
    choices = choices_of(typed)
    nudged = nudge if isinstance(nudge, str) else None
    call = _Call(output, jobs, tokens, combatants, campaign, nudged, as_json, carried.counts)
    if system is not None and system.casefold() == CALIBRATION:
        if products:
            raise UsageError("one calibration page serves all products: write hackjack print calibration --target NAME")
        _print_calibration(choices, call)
        return 0
    if settings and campaign:
        raise UsageError("--from uses the campaign's house rules: leave --set out")
    if system is None and not pack and choices.only:
        raise UsageError("--only names cards of one system: write hackjack print SYSTEM --only QS")
    manifest = Manifest(as_json)
    failed = False
    try:
        for name in (system,) if system or pack else shipped():
            loaded = _opened(name, pack, settings, call)
            failed |= _each_printed(_prints(products, loaded, choices, call), manifest)
    finally:
        manifest.close()
    if system is None and not (as_json or failed):
        note(f"next: print {manifest.files[0]['file']} at 100 %, or open the studio: hackjack studio", err=True)
    return int(failed)


class _Print(NamedTuple):
    """An order, the call that it is part of, the folder that it is written into, and how strictly it is meant."""

    order: Order
    call: _Call
    output: Path
    named: bool
    whatever_fits: bool


def _prints(products: tuple[str, ...], system: System, choices: Choices, call: _Call) -> list[_Print]:
    """List what to print for the target, or for each target in a folder of its own. Raises UsageError."""
    products = without_all(products, system)
    is_for_all = choices.target == EVERY_TARGET
    if is_for_all and choices.format != "pdf":
        raise UsageError(f"--format {choices.format} is for reading: leave --target out, which is for paper")
    prints: list[_Print] = []
    for name in targets_by_name() if is_for_all else (choices.target,):
        chosen, fitting, output = products, choices, call.output
        if is_for_all:
            fitting, output = choices.fitting(name), call.output / name
        if is_for_all and name != HOME:
            # Only sets of cards differ from target to target.
            target = targets_by_name()[name]
            names_there = (*card_products.card_set_names(system), *products_besides(target))
            chosen = tuple(
                each
                for each in products or usual_products(system, target)
                if in_any_case(each, names_there) in names_there
            )
            if products and not chosen:
                continue
        place, themed = output.resolve().as_uri(), in_theme(system, fitting)
        for product in chosen_products(chosen, system, fitting, filled=bool(call.campaign)):
            order = Order(system=themed, product=product, choices=fitting, place=place, counts=call.counts)
            prints.append(_Print(order, call, output, bool(products), is_for_all))
    return prints


def _opened(name: str | None, pack: Sequence[Path], settings: tuple[str, ...], call: _Call) -> System:
    """Return a system with what the options put in place of its own. Raises ContentError, UsageError."""
    system = open_pack(name, pack, settings).system
    if call.tokens:
        if TOKENS not in card_products.card_set_names(system):
            raise UsageError(f"{system.head.id} has no tokens to print: leave --tokens out")
        tokens, marks = read_tokens(call.tokens)
        system = system.with_side_files(tokens=tokens)
        if problems := [marks.problem(trail, message) for trail, message in content_of(system).token_faults()]:
            raise ContentError(problems)
    if call.combatants:
        if COMBATANTS not in products_of(system):
            raise UsageError(f"{system.head.id} has no combatants to print: leave --combatants out")
        from generator.games import with_combatants

        system = with_combatants(system, call.combatants)
    return system


def _each_printed(prints: Sequence[_Print], manifest: Manifest) -> bool:
    """Print what can be printed; return whether anything failed that should not. Raises UsageError, DiskError."""
    failed = False
    full: DiskError | None = None
    unwritten: list[_Print] = []
    with closing(_attempts(prints, manifest)) as attempts:
        for each, error in zip(prints, attempts, strict=True):
            match error:
                case None:
                    pass
                case DiskError():
                    # What runs beside it may have had room: only the end of all tells what is missing.
                    full = full or error
                    unwritten.append(each)
                case ContentError() | NamedError():
                    failed = True
                    manifest.left(each.order, lines_of(error))
                case UsageError() if not each.whatever_fits:
                    raise error
                case _:
                    failed |= not each.whatever_fits
                    place = f"{each.order.choices.target}: " if each.whatever_fits else ""
                    manifest.left(each.order, [place + line for line in lines_of(error)])
    if full:
        raise DiskError(f"{full}{_missing(unwritten, manifest)}") from full
    return failed or not manifest.files


class _Done(NamedTuple):
    """Output of an order that was printed apart: its lines, its files, and its error."""

    out: str
    err: str
    manifest: Manifest
    error: HackjackError | None


def _attempts(prints: Sequence[_Print], manifest: Manifest) -> Generator[HackjackError | None, None, None]:
    """Print each; gives what speaks against it, or None. What the first loads and measures serves all others.

    The others are printed side by side, and told of in their order.
    """
    hands = prints[0].call.jobs or default_jobs() if prints else 1
    yield from (_attempt(each, manifest, hands) for each in prints[:1])
    if others := prints[1:]:
        calls = [partial(_apart, each, manifest.as_json, max(1, hands // len(others))) for each in others]
        for done in run_in_order(calls, hands):
            for text, err in ((done.out, False), (done.err, True)):
                if text:
                    echo(*text.removesuffix("\n").split("\n"), err=err)
            manifest.files += done.manifest.files
            manifest.left_out += done.manifest.left_out
            yield done.error


def _attempt(print_: _Print, manifest: Manifest, jobs: int) -> HackjackError | None:
    """Print one product; gives what speaks against it."""
    try:
        _print(print_, manifest, jobs)
    except HackjackError as error:
        return error
    return None


def _apart(print_: _Print, as_json: bool, jobs: int) -> _Done:
    """Print one product, and keep for later what is to be told of it."""
    manifest = Manifest(as_json)
    with redirect_stdout(StringIO()) as out, redirect_stderr(StringIO()) as err:
        error = _attempt(print_, manifest, jobs)
    return _Done(out.getvalue(), err.getvalue(), manifest, error)


def _missing(prints: Sequence[_Print], manifest: Manifest) -> str:
    """The end of a sentence: what is missing, in whole or in part, beside the file that it names."""
    missing = []
    for at, each in enumerate(prints):
        begun = manifest.has(each.order)
        # What could not be written first is named already.
        if begun or at:
            rest, order = "the rest of " if begun else "", each.order
            missing.append(f"{rest}{order.system.head.id} {order.product} for {order.choices.target}")
    return f"; missing too: {', '.join(missing)}" if missing else ""


def _print(print_: _Print, manifest: Manifest, jobs: int) -> None:
    """Make the files of an order and write them. Raises HackjackError if it cannot be printed.

    If it is filled from a campaign, a character that cannot be printed stops no other.
    """
    errors: list[HackjackError] = []
    for order in filled_orders(print_.order, print_.call.campaign):
        try:
            _print_filled(order, print_, manifest, jobs)
        except (DiskError, UsageError):
            raise
        except HackjackError as error:
            errors.append(error)
    if errors:
        for each in errors[:-1]:
            manifest.left(print_.order, lines_of(each))
        raise errors[-1]


def _print_filled(order: Order, print_: _Print, manifest: Manifest, jobs: int) -> None:
    """Make the files of an order for one character, or for nobody, and write them. Raises HackjackError."""
    from generator.orders.build import advice, files_of
    from generator.orders.job import Job, is_for_target

    nudge = nudges.nudge_of(order.choices, print_.call.nudge) if is_for_target(order) else nudges.Nudge()
    job = Job(replaced(order, nudge=nudge.mm), progress, jobs)
    try:
        files = files_of(job)
    except HackjackError as error:
        raise _placed(error, print_.call.tokens, order) from error
    warn(*(f"warning: {each}" for each in job.warnings))
    written = _written(job, files, print_.output, manifest)
    if not written and print_.named:
        raise UsageError(job.left_out[0])
    if nudge.kept and written:
        echo(nudge.note(order.choices), err=True)
    if sys.stderr.isatty():
        note(*advice(order, written), err=True)


def _written(job: Job, files: Iterable[File], output: Path, manifest: Manifest) -> list[File]:
    """Write files, each whole or not at all, and note which; gives them without what they hold. Raises DiskError."""
    written: list[File] = []
    try:
        for file in files:
            save_file(file.data, output / file.name)
            manifest.wrote(output / file.name, job.product, job.target_name, file)
            written.append(replaced(file, data=b""))
    finally:
        if isinstance(files, Generator):
            files.close()
    return written


def _placed(error: HackjackError, tokens: Path | None, order: Order) -> HackjackError:
    """A fault of a token of a file, told where it stands in that; other errors as they are."""
    fault = error.__cause__
    if tokens is None or order.product != TOKENS or not isinstance(fault, FaceError):
        return error
    _, marks = read_tokens(tokens)
    trails = card_products.card_set(order.system, TOKENS).trails or {}
    return ContentError([marks.problem(trails[fault.code], fault.reason)])


def _print_calibration(choices: Choices, call: _Call) -> None:
    """Print the calibration page of a target. Raises UsageError where nothing lies on a sheet."""
    from generator.orders.build import calibration_page

    nudge = nudges.nudge_of(choices, call.nudge)
    file = calibration_page(choices, nudge.mm)
    path = call.output / file.name
    save_file(file.data, path)
    note(str(path))
    if nudge.kept:
        echo(nudge.note(choices), err=True)
