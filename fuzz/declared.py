"""Watches what steps change: `watch()` lets each that is played raise AssertionError where its type does not say so.

The tests and the fuzz targets call it. Play at the table does not: it takes as much time as the engine itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import wraps
from typing import Any

from generator.games.steps.engine import EventRun
from generator.games.steps.kinds import PLAYS
from generator.games.steps.leads import Item, items
from generator.model.rules import AnyEffect, System, effect_formulas, given_names
from generator.play.apply_effects import EffectApplier

Play = Callable[[Any, Any, EffectApplier], Any]
Watched = tuple[AnyEffect, EffectApplier, dict[str, Any]]
"""A step that is being played, what applies it, and the names of the moment as it began."""


class _Watch:
    """What one run has come to, and the steps that it is in, each inside the one before."""

    def __init__(self, run: EventRun) -> None:
        self.run = run
        self.inside: list[Watched] = []
        self.last: dict[str, Any] = {}

    def begin(self, effect: AnyEffect, applier: EffectApplier) -> None:
        """A step begins: whatever has changed until now is of the step that it is in."""
        now = self._settle()
        self.inside.append((effect, applier, self.run.names))
        self.last = now | _parts_of(applier)

    def end(self) -> None:
        """A step ends."""
        now = self._settle()
        effect, _, names = self.inside.pop()
        if names is not self.run.names and any(word.startswith("event ") for word in effect.leads_to):
            _judge(effect, self.run, {("name", name) for name in _differing(names, self.run.names)})
        self.last = now | _parts_of(self.inside[-1][1]) if self.inside else {}

    def _settle(self) -> dict[str, Any]:
        """Judge what the step has changed that is being played; return what there is now."""
        now = _parts(self.run)
        if self.inside:
            effect, applier, _ = self.inside[-1]
            if now | _parts_of(applier) != self.last:
                _judge(effect, self.run, set(_changed(self.last, now | _parts_of(applier))))
        return now


def _parts(run: EventRun) -> dict[str, Any]:
    """Return all of a run that steps may change, by the words of their types."""
    there = run.conditions
    return {
        "number": {**run.values},
        "name": (id(run.names), {**run.names}),
        "pile": {name: (*pile,) for name, pile in run.piles.items()},
        "conditions": (*there.held,),
        "coming": (*there.coming,),
        "lost": (*there.lost,),
        "saves": (*there.saves,),
        "death": run.dead,
        "decks": ((*run.out,), len(run.drawn)),
        "card": (id(run.card), run.at_hand),
        "met": sum(map(len, run.met.values())),
        "suffered": len(run.suffered),
    }


def _parts_of(applier: EffectApplier) -> dict[str, Any]:
    """Return all that steps may change of what applies them."""
    return {"place": (applier.hurt, applier.placed), "span": applier.lasts}


def _differing(one: dict[str, Any], other: dict[str, Any]) -> Iterator[str]:
    return (name for name in {**one, **other} if name not in one or name not in other or one[name] != other[name])


def _changed(before: dict[str, Any], now: dict[str, Any]) -> Iterator[Item]:
    for kind, there in now.items():
        if (was := before[kind]) == there:
            continue
        if kind in ("number", "pile"):
            yield from ((kind, name) for name in _differing(was, there))
        elif kind == "name":
            # The names of another event are its own.
            yield from (("name", name) for name in (_differing(was[1], there[1]) if was[0] == there[0] else ()))
        else:
            yield ("life", "life") if kind == "death" and was else (kind, kind)


def _judge(effect: AnyEffect, run: EventRun, changed: set[Item]) -> None:
    if undeclared := changed - _declared(effect, run):
        told = ", ".join(sorted(name for _, name in undeclared))
        raise AssertionError(f"{effect.do} changes {told}, and its type does not say so: {effect}")


def _declared(effect: AnyEffect, run: EventRun) -> frozenset[Item]:
    """Return what a step may change now."""
    declared = _said(effect, run.system)
    if run.dead and any(kind == "death" for kind, _ in declared):
        declared |= {(part, part) for part in ("conditions", "coming", "saves")} | _all_numbers(run.system)
    return declared


_known: dict[tuple[int, int], tuple[AnyEffect, System, frozenset[Item]]] = {}
"""What steps may change, by their places in memory; they are kept beside it, so that no other takes the place."""


def _said(effect: AnyEffect, system: System) -> frozenset[Item]:
    """Return what a step may change: what its type says, and what its formulas roll for."""
    key = id(effect), id(system)
    if key not in _known:
        if len(_known) > 5000:
            _known.clear()
        declared = {*items(effect, effect.changes, system), *(("name", name) for name in given_names(effect))}
        kinds = {kind for kind, _ in declared}
        if "clock" in kinds:
            declared |= {("number", tick.counts) for tick in system.steps.clock.values() if tick.counts}
        if any(node.kind == "left" for _, formula in effect_formulas(effect) for node in formula.walk()):
            # Whoever asks how long something lasts has its dice rolled.
            declared.add(("conditions", "conditions"))
        declared |= {("number", name) for kind, name in declared if kind == "hidden"}
        _known[key] = effect, system, frozenset(declared)
    return _known[key][2]


def _all_numbers(system: System) -> set[Item]:
    return {("number", name) for name in (*system.steps.numbers, *system.steps.words)}


def _watched(play: Play) -> Play:
    @wraps(play)
    def played(run: Any, effect: AnyEffect, applier: EffectApplier) -> Any:
        if not isinstance(run, EventRun):
            return play(run, effect, applier)
        watch = vars(run).get("watch_of_changes")
        if watch is None or watch.run is not run:
            # One that is tried on a copy of a run is watched by itself.
            watch = vars(run)["watch_of_changes"] = _Watch(run)
        watch.begin(effect, applier)
        leads = play(run, effect, applier)
        if leads is not None:
            return _through(watch, leads)
        watch.end()
        return None

    return played


def _through(watch: _Watch, leads: Iterator[Any]) -> Iterator[Any]:
    yield from leads
    watch.end()


def watch() -> None:
    """Let every step that is played be watched, once for the whole process."""
    for kind, play in PLAYS.items():
        if not hasattr(play, "__wrapped__"):
            PLAYS[kind] = _watched(play)
