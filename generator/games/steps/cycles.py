"""Events, tables, conditions and decks that lead back to themselves, found step by step."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from generator.games.steps.definitions import StepList
from generator.games.steps.leads import leads, led_to
from generator.model import rules
from generator.pack.strict_yaml import Trail

_KINDS = {"events": "event", "tables": "table", "conditions": "condition", "decks": "deck", "cards": "deck"}


class _Node(NamedTuple):
    """What steps may lead to; of a table without the rows `but`."""

    kind: str
    name: str
    but: tuple[rules.Span, ...] = ()

    def __str__(self) -> str:
        return f"{self.kind} {self.name}"


_Leads = list[tuple[_Node, str, Trail]]
"""What something leads to at once, each with the file and the place of the step that does."""


def first_cycle(step_lists: Iterable[StepList], system: rules.System) -> tuple[str, Trail, str] | None:
    """Return a cycle: the file and place of a step in it, and the sentence; None if there is none.

    Nothing leads on that ends by itself: time, a deck without return, and rows that `but` leaves out. Tables that send
    straight back to themselves and conditions that bring each other are told by their own checks.
    """
    cycles = _Cycles(system)
    for file, trail, effects in step_lists:
        if trail[0] != "watches" and not (trail[0] == "conditions" and trail[2] != "implies"):
            cycles.lists.setdefault(cycles.node_at(trail), []).append((file, trail, effects))
    for start in [*cycles.lists]:
        way = cycles.way_back(start) if start not in cycles.done else []
        if way and any(node.kind != "condition" for node, _, _ in way):
            _, file, trail = way[0]
            nodes = [way[-1][0], *(node for node, _, _ in way)]
            return file, trail, f"this leads back to itself without an end: {' -> '.join(map(str, nodes))}"
    return None


class _Cycles:
    def __init__(self, system: rules.System) -> None:
        self.system = system
        self.lists: dict[_Node, list[StepList]] = {}
        self.done: set[_Node] = set()

    def node_at(self, trail: Trail) -> _Node:
        """What a list of steps belongs to."""
        kind, name = _KINDS[str(trail[0])], str(trail[1])
        if trail[0] == "tables":
            name = self.system.tables[int(trail[1])].id
        elif kind == "deck":
            name = self.system.decks[int(trail[1])].id if trail[0] == "decks" else "deck"
        return _Node(kind, name)

    def way_back(self, start: _Node) -> _Leads:
        """Return the leads of the first cycle that a thing leads into; empty if it leads into none."""
        way: _Leads = [(start, "", ())]
        waiting = [self._leads(start)]
        while waiting:
            lead = next(waiting[-1], None)
            if lead is None:
                self.done.add(way.pop()[0])
                waiting.pop()
            elif lead[0] in (passed := [node for node, _, _ in way]):
                return [*way[passed.index(lead[0]) + 1 :], lead]
            elif lead[0] not in self.done:
                way.append(lead)
                waiting.append(self._leads(lead[0]))
        return []

    def _leads(self, node: _Node) -> Iterator[tuple[_Node, str, Trail]]:
        for file, trail, effects in self.lists.get(node._replace(but=()), ()):
            row = self.system.tables[int(trail[1])].rows[int(trail[3])] if trail[2:3] == ("rows",) else None
            if row is not None and row.at in node.but:
                continue
            for way, effect in self._undrawn(effects):
                for target in self._targets(effect):
                    # A table that sends to itself says itself what it must leave out.
                    if node.kind != "table" or (target.kind, target.name) != (node.kind, node.name):
                        yield target, file, (*trail, *way)

    def _undrawn(self, effects: tuple[rules.AnyEffect, ...]) -> Iterator[tuple[Trail, rules.AnyEffect]]:
        """Yield effects and those inside them, but for draws from decks that come to their end, which end a circle."""
        ending: list[Trail] = []
        for way, effect in rules.walk_effects(effects):
            decks = (self.system.piles.get(name) for name in led_to(effect, "deck", self.system))
            if any(deck is not None and not deck.returns for deck in decks):
                ending.append(way)
            if not any(way[: len(outer)] == outer for outer in ending):
                yield way, effect

    def _targets(self, effect: rules.AnyEffect) -> Iterator[_Node]:
        """What a step leads to at once."""
        for kind, name in leads(effect, self.system) if not effect.later else ():
            if kind in _KINDS.values():
                yield _Node(kind, name, getattr(effect, "but", ()))
