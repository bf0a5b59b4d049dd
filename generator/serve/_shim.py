from __future__ import annotations

from typing import Any

from generator.base.errors import HackjackError
from generator.session.session import Deed, Journal, Session, Step


class Shim:
    def __init__(self, journal: Journal) -> None:
        self._j = journal
        self.lines = sum(1 for _ in journal.session.moments())
        self.by = ""
        self._ids: dict[str, Step] = {}

    @property
    def session(self) -> Session:
        return self._j.session

    def catch_up(self) -> Any:
        return ()

    def known(self, id: str) -> bool:
        return id in self._ids

    def do(self, deed: Deed, *, id: str, by: str, on: int | None, asking: bool) -> Step:
        if id in self._ids:
            return self._ids[id]
        step = self._j.do(deed, asking=asking)
        if on is not None and on != self.lines and (step.deed.cards or step.deed.dice or step.deed.choices):
            raise HackjackError("stale")
        self.lines += 1
        self.by = by
        self._ids[id] = step
        return step
