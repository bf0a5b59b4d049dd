"""What was printed before: read when cards are to be compared with it, and kept after each print."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from generator.base.errors import HackjackError, UsageError
from generator.base.files import first_bytes, written_whole
from generator.cli import echo, warn
from generator.cli.options import codes
from generator.games import card_products
from generator.layout.targets import WHOLE, RecordsTarget, targets
from generator.model.rules import System
from generator.pack.pack_locations import user_folder
from generator.products import ledger
from generator.products.ledger import Ledger
from generator.products.odds_figures import figures

FOLDER = "printed"
"""Of the ledgers in the user's folder, one for each system."""


def check_options(
    *, since_last: bool, since: Path | None, kept_in: Path | None, watch: bool, system: bool, options: Mapping[str, Any]
) -> None:
    """Raises UsageError for options that do not go together."""
    asked = "--since-last" if since_last else "--since" if since else "--ledger" if kept_in else ""
    if since_last and since:
        raise UsageError("--since-last and --since FILE each name a print to compare with: leave one of them out")
    if not asked:
        return
    if watch:
        raise UsageError(f"--watch prints to be looked at, and keeps nothing: leave {asked} out")
    if not system and (since or kept_in):
        raise UsageError(f"{asked} names the prints of one system: write hackjack print SYSTEM {asked} FILE")
    if options["form"] != "pdf":
        raise UsageError(f"--format {options['form']} is for reading: leave {asked} out, which is for paper")
    if (since_last or since) and options["campaign"]:
        raise UsageError(f"{asked} compares what the content says, and --from prints a campaign: leave one of them out")
    if (since_last or since) and options["extras"]:
        raise UsageError(f"{asked} compares the cards of a set, and --extras are none: leave one of them out")


class PrintedBefore:
    """What was printed of a system before, and what this call prints of it.

    `since` is a file to compare with, `since_last` says to compare with what is kept; that lies in the file `kept_in`
    or else in the user's folder. Raises HackjackError for a file of theirs that cannot be read.
    """

    def __init__(
        self, system: System, *, since_last: bool = False, since: Path | None = None, kept_in: Path | None = None
    ) -> None:
        self.compares = since_last or since is not None
        self._system, self._chosen = system, kept_in
        self._since = since
        self._before = ledger.empty(system)
        if since is not None:
            self._before = self._read(since)
        elif since_last:
            self._before = self._read(self._path, new=True)
        elif kept_in is not None:
            # A file that is something else is not written over.
            self._read(kept_in, new=True)
        self._compared: dict[str, ledger.Change] = {}
        self._printed: dict[str, ledger.Cards] = {}
        # For several targets the same cards are printed again and again.
        self._described: dict[tuple[str, tuple[str, ...], bool], ledger.Cards] = {}

    @cached_property
    def _path(self) -> Path:
        """The ledger's file. Raises HackjackError where there is no home directory."""
        return self._chosen or user_folder() / FOLDER / f"{self._system.head.id}.json"

    def _read(self, path: Path, *, new: bool = False) -> Ledger:
        """A ledger; with `new` an empty one where there is no file. Raises HackjackError."""
        if new and not path.exists():
            return ledger.empty(self._system)
        data = first_bytes(path, str(path), ledger.MOST_BYTES)
        try:
            return ledger.read(data, str(path), self._system)
        except HackjackError as error:
            cure = "take it away, and the next print begins a new one" if new else "name a file that a print has kept"
            raise HackjackError(f"{error}: {cure}") from error

    # --- comparing

    def narrowed(self, product: str, asked: Mapping[str, Any]) -> dict[str, Any] | None:
        """The options with those cards alone that changed, which are told; None where none did."""
        if product not in self._compared:
            self._compared[product] = self._change(product, asked)
            self._tell(product, self._compared[product], asked)
        change = self._compared[product]
        return {**asked, "only": tuple(change.prints), "counts": change.prints} if change.prints else None

    def _change(self, product: str, asked: Mapping[str, Any]) -> ledger.Change:
        printed = card_products.card_set(self._system, product)
        now = self._now(product, asked)
        known = [face.code for face in printed.faces]
        return ledger.changed(self._before.sets.get(product, {}), now, known)

    def _now(self, product: str, asked: Mapping[str, Any]) -> ledger.Cards:
        only = codes(asked["only"], card_products.card_set(self._system, product))
        key = (product, only, asked["jokers"])
        if key not in self._described:
            self._described[key] = ledger.printed_now(self._system, product, only, asked["jokers"])
        return self._described[key]

    def _tell(self, product: str, change: ledger.Change, asked: Mapping[str, Any]) -> None:
        called = f"{self._system.head.id} {product}"
        if product not in self._before.sets:
            self.say(f"{called}: no print of it is kept yet, so all of its cards are new", asked)
            return
        count = len(change.prints)
        of_these = "no card has" if not count else "1 card has" if count == 1 else f"{count} cards have"
        self.say(f"{called}: {of_these} changed since {self._since or 'the last print'}", asked)
        for line in change.lines:
            self.say(f"  {line}", asked)

    def tell_odds(self, asked: Mapping[str, Any]) -> None:
        """Tell which figures of the odds are others than they were."""
        if not self._before.odds or self._before.counted == ledger.counted_from(self._system):
            return
        if lines := ledger.moved(self._before.odds, self._figures):
            self.say("the odds that moved:", asked)
            for line in lines:
                self.say(f"  {line}", asked)

    @staticmethod
    def say(line: str, asked: Mapping[str, Any]) -> None:
        """Tell a line; where standard output is a document for programs, on standard error."""
        echo(line, err=bool(asked.get("as_json")))

    # --- keeping

    def printed(self, product: str, target: str, asked: Mapping[str, Any]) -> None:
        """Note what was printed. Files of data are no print, and what a campaign fills is printed for one evening."""
        if asked["form"] != "pdf" or asked["campaign"] or isinstance(targets().get(target.casefold()), RecordsTarget):
            return
        sets = card_products.card_set_names(self._system)
        for name in sets if product == WHOLE else [product] if product in sets else []:
            if not asked["only"] or codes(asked["only"], card_products.card_set(self._system, name)):
                self._printed[name] = {**self._printed.get(name, {}), **self._now(name, asked)}

    def close(self) -> None:
        """Keep what was printed. Raises HackjackError for a file that was named and cannot be written."""
        # What another file tells of is not struck out here.
        told = self._compared.items() if self._since is None else ()
        gone = {name: change.gone for name, change in told if change.gone}
        if not self._printed and not gone:
            return
        try:
            self._keep(gone)
        except HackjackError as error:
            if self._chosen is not None:
                raise
            warn(f"warning: what was printed is not kept: {error}")

    def _keep(self, gone: Mapping[str, tuple[str, ...]]) -> None:
        try:
            path = self._path
        except HackjackError:
            # Without a home directory there is nowhere to keep it, and nobody has asked for it.
            return
        # A damaged one, or one of a newer program, is not written over.
        after = before = self._read(path, new=True)
        for name in {**self._printed, **gone}:
            after = ledger.with_printed(after, name, self._printed.get(name, {}), gone.get(name, ()))
        if (counted := ledger.counted_from(self._system)) != after.counted:
            after = ledger.with_odds(after, self._figures, counted)
        if after == before:
            return
        with written_whole(path) as stream:
            stream.write(ledger.written(after))

    @cached_property
    def _figures(self) -> Mapping[str, Mapping[str, str]]:
        return figures(self._system)
