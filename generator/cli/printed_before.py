"""What was printed before: read when cards are to be compared with it, and kept after each print."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

from msgspec.structs import replace

from generator.base.errors import HackjackError, UsageError
from generator.base.files import first_bytes, save_file
from generator.cli import echo, warn
from generator.games import card_products
from generator.layout.targets import WHOLE, RecordsTarget, targets_by_name
from generator.model.rules import System
from generator.orders import ledger
from generator.orders.ledger import Ledger
from generator.orders.options import Choices
from generator.orders.order import Order, codes
from generator.pack.pack_locations import user_folder

FOLDER = "printed"
"""Of the ledgers in the user's folder, one for each system."""


def check_options(choices: Choices, campaign: str | None) -> None:
    """Raises UsageError for options that do not go with --since-last."""
    if choices.format != "pdf":
        raise UsageError(f"--format {choices.format} is for reading: leave --since-last out, which is for paper")
    if campaign:
        raise UsageError(
            "--since-last compares what the content says, and --from prints a campaign: leave one of them out"
        )
    if choices.extras:
        raise UsageError("--since-last compares the cards of a set, and --extras are none: leave one of them out")


class PrintedBefore:
    """What was printed of a system before, and what this call prints of it.

    Raises HackjackError for a ledger that cannot be read, if cards are compared with it.
    """

    def __init__(self, system: System, *, since_last: bool, as_json: bool) -> None:
        self.compares, self._as_json = since_last, as_json
        self._system = system
        self._before = self._read(self._path) if since_last else ledger.empty_ledger(system)
        self._compared: dict[str, ledger.Change] = {}
        self._printed: dict[str, ledger.Cards] = {}
        # For several targets the same cards are printed again and again.
        self._described: dict[tuple[str, tuple[str, ...], bool], ledger.Cards] = {}

    @cached_property
    def _path(self) -> Path:
        """The ledger's file. Raises HackjackError without a home directory."""
        return user_folder() / FOLDER / f"{self._system.head.id}.json"

    def _read(self, path: Path) -> Ledger:
        """A ledger; an empty one where there is no file. Raises HackjackError."""
        if not path.exists():
            return ledger.empty_ledger(self._system)
        data = first_bytes(path, str(path), ledger.MAX_BYTES)
        try:
            return ledger.read_ledger(data, str(path), self._system)
        except HackjackError as error:
            raise HackjackError(f"{error}: take it away, and the next print begins a new one") from error

    def narrowed(self, order: Order) -> Order | None:
        """Return the order with those cards alone that changed, which are told; None where none did."""
        product = order.product
        if product not in self._compared:
            before, now = self._before.sets.get(product, {}), self._now(order)
            known = [face.code for face in card_products.card_set(self._system, product).faces]
            self._compared[product] = ledger.compare_cards(before, now, known)
            self._tell(product, self._compared[product])
        prints = self._compared[product].prints
        if not prints:
            return None
        return replace(order, choices=replace(order.choices, only=tuple(prints)), counts=prints)

    def _now(self, order: Order) -> ledger.Cards:
        product, chosen = order.product, order.choices
        only = codes(chosen.only, card_products.card_set(self._system, product))
        key = (product, only, chosen.jokers)
        if key not in self._described:
            self._described[key] = ledger.printed_now(self._system, product, only, chosen.jokers)
        return self._described[key]

    def _tell(self, product: str, change: ledger.Change) -> None:
        count = len(change.prints)
        cards = "no card has" if not count else "1 card has" if count == 1 else f"{count} cards have"
        lines = [f"{cards} changed since the last print", *(f"  {line}" for line in change.lines)]
        if product not in self._before.sets:
            lines = ["no print of it is kept yet, so all of its cards are new"]
        # Where standard output is a document for programs, they go to standard error.
        echo(f"{self._system.head.id} {product}: {lines[0]}", *lines[1:], err=self._as_json)

    def printed(self, order: Order) -> None:
        """Note what was printed. Files to read and files of data are no print."""
        chosen, sets = order.choices, card_products.card_set_names(self._system)
        if chosen.format != "pdf" or isinstance(targets_by_name()[chosen.target], RecordsTarget):
            return
        for name in sets if order.product == WHOLE else [order.product] if order.product in sets else []:
            if not chosen.only or codes(chosen.only, card_products.card_set(self._system, name)):
                self._printed[name] = {**self._printed.get(name, {}), **self._now(replace(order, product=name))}

    def close(self) -> None:
        """Save what was printed; warn if that is not possible."""
        gone = {name: change.gone for name, change in self._compared.items() if change.gone}
        if not self._printed and not gone:
            return
        try:
            path = self._path
        except HackjackError:
            # Without a home directory there is nowhere to keep it, and nobody has asked for it.
            return
        try:
            # A damaged one, or one of a newer program, is not written over.
            after = before = self._read(path)
            for name in {**self._printed, **gone}:
                after = ledger.with_printed(after, name, self._printed.get(name, {}), gone.get(name, ()))
            if after != before:
                save_file(ledger.ledger_bytes(after), path)
        except HackjackError as error:
            warn(f"warning: the record of this print was not saved: {error}")
