"""What has to be known before each step: steps are looked through backwards until nothing more is asked."""

from __future__ import annotations

from collections.abc import Callable
from sys import intern
from typing import Any, NamedTuple

from generator.games.steps.counting.distribution import StepSeries
from generator.games.steps.counting.keys import GOES_ON, NONE, KeySet, StepContext
from generator.games.steps.counting.state_slots import Play
from generator.model import rules
from generator.play.every_way import spend_work

Effects = tuple[rules.AnyEffect, ...]


class Plan(NamedTuple):
    """A step that something can tell: what has to be known before it, and what makes it ready."""

    before: KeySet
    make: Callable[[], Play]
    does: str = ""
    """What it does, where that is less than it says: steps that do the same are one."""


class PlannedStep(NamedTuple):
    """A step in a row, with what has to be known before and after it."""

    effect: rules.AnyEffect
    before: KeySet
    after: KeySet
    make: Callable[[], Play]


class Block:
    """Steps in a row: what has to be known before them for what is asked after them, and those that can be told."""

    def __init__(self, effects: Effects, after: KeySet, context: StepContext, place: int = 0) -> None:
        self.effects, self.after, self.context, self.place = effects, after, context, place
        self.before = after
        self.users: dict[Block | None, None] = {}
        self.uses: dict[Block, None] = {}
        self.parts: list[PlannedStep] = []
        self.does: tuple[str, ...] = ()
        self.play: StepSeries | None = None
        """What they do, made ready when it is first needed."""
        self.making = False

    @property
    def alive(self) -> bool:
        """Return True if anything can tell that these steps happen."""
        return bool(self.parts)


class Liveness:
    """The blocks of steps that a question leads to, each looked through again where what follows it asks more."""

    def __init__(self, plan: Callable[[rules.AnyEffect, KeySet, StepContext], Plan | None]) -> None:
        self._plan = plan
        self._written: dict[Any, tuple[Effects, tuple[str, ...]]] = {}
        self.blocks: dict[Any, Block] = {}
        self._alike: dict[Any, list[Block]] = {}
        self._inside: list[Block] = []
        self._stale: dict[Block, None] = {}
        self.work = 0
        """How much work it took to look through the steps."""

    def settle_all(self, plan: Callable[[], None]) -> None:
        """Plan the whole event until nothing more is asked of any step."""
        while True:
            for block in self.blocks.values():
                block.users.pop(None, None)
            plan()
            if not self._settle(0):
                return

    def drop_needless(self) -> set[Block]:
        """Drop what was looked through for what turned out to be too little, and nothing leads to; return the rest."""
        needed, waiting = set[Block](), [block for block in self.blocks.values() if None in block.users]
        while waiting:
            if (block := waiting.pop()) not in needed:
                needed.add(block)
                waiting += block.uses
        self.blocks = {key: block for key, block in self.blocks.items() if block in needed}
        self._alike.clear()
        for block in needed:
            block.uses, block.users = {}, {}
        return needed

    @property
    def lists(self) -> list[Effects]:
        """All lists of effects that were looked at."""
        return [effects for effects, _ in self._written.values()]

    def _settle(self, place: int) -> bool:
        """Look through stale blocks, from a place on, until there is none; return whether there was any."""
        there = False
        while stale := [block for block in self._stale if block.place >= place and block.users]:
            # What lies deepest first, for whatever leads to it is looked through for what it asks in the end.
            self._look_through(max(stale, key=lambda block: block.place))
            there = True
        return there

    def block(self, effects: Effects, after: KeySet, context: StepContext) -> Block:
        """Return steps in a row for what is asked after them."""
        if not effects:
            return Block((), after, context)
        # What is asked is told apart again at each of the steps.
        self._look(after)
        key = self.written(effects), after, context
        block = self.blocks.get(key)
        if block is None:
            block = self.blocks[key] = Block(effects, after, context, len(self.blocks))
            alike = self._alike.setdefault((key[0], context), [])
            # Where less is asked after the same steps, no more is asked before them.
            block.before |= next((other.before for other in reversed(alike) if other.after <= after), NONE)
            alike.append(block)
            self.using(block)
            self._look_through(block)
            # Before anything is built on what it asks, that is sure, as far as it does not hang on what led here.
            self._settle(block.place)
        return self.using(block)

    def looped(self, after: KeySet, before: Callable[[KeySet], KeySet]) -> KeySet:
        """Return what has to be known before and after each time of steps that are repeated."""
        after |= {GOES_ON}
        while not (more := before(after)) <= after:
            after |= more
        return after

    def _look(self, asked: KeySet) -> None:
        """Pay for a look at a step for what is asked."""
        self.pay(1 + len(asked) // 20)

    def pay(self, work: int) -> None:
        """Pay for looking through steps."""
        self.work += work
        spend_work(work)

    def using(self, block: Block) -> Block:
        """Return a block that the steps being looked through lead to: they are looked through again if it changes."""
        user = self._inside[-1] if self._inside else None
        block.users[user] = None
        if user is not None:
            user.uses[block] = None
        return block

    def _look_through(self, block: Block) -> None:
        """Look through steps backwards; what has looked at them before is looked through again where they ask more."""
        self._stale.pop(block, None)
        for used in block.uses:
            used.users.pop(block, None)
        block.uses.clear()
        self._inside.append(block)
        now, parts, does = block.after, list[PlannedStep](), list[str]()
        for effect in reversed(block.effects):
            self._look(now)
            plan = self._plan(effect, now, block.context)
            if plan is not None:
                does.append(plan.does or self.written((effect,))[0])
                parts.append(PlannedStep(effect, plan.before, now, plan.make))
                now = plan.before | {GOES_ON}
        self._inside.pop()
        if now != block.before or len(parts) != len(block.parts):
            self._stale |= {user: None for user in block.users if user is not None}
        block.before, block.parts, block.does = now, parts, tuple(does)

    def written(self, effects: Effects) -> tuple[str, ...]:
        """Return effects as they are written: figured once, for the steps are looked through again and again."""
        same = tuple(map(id, effects))
        if same not in self._written:
            self._written[same] = effects, tuple(intern(repr(effect)) for effect in effects)
        return self._written[same][1]
