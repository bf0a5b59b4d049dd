"""Rolls that are repeated: serial rolls and dramatic tasks (rulings D6, D12, D26)."""

from collections.abc import Mapping

from msgspec.structs import astuple, replace

from generator.base.dice import Dice
from generator.base.errors import HackjackError, UsageError, did_you_mean
from generator.base.fields import MAX_HELD
from generator.games.deadlands import log as said
from generator.games.deadlands.dice import RollVerdict, TraitRules
from generator.games.deadlands.events import MAX_TRIES, TraitsEvent
from generator.games.deadlands.rolls import draw_action
from generator.games.deadlands.state import MAX_THINGS, Task, Token, TraitsState
from generator.games.deadlands.table import TraitsTable, things_named

DEFAULT_NEEDS = 5
"""The successes of a dramatic task, where nobody says how many: the source's own example has as many."""


def after_attempt(task: Task, verdict: RollVerdict, rules: TraitRules) -> Task:
    """Return a task after one more roll.

    A critical failure ends a serial roll for everybody (D6) and takes successes from a dramatic task (D26). A failed
    compound roll is harder the next time, and at the last chance there is no next time (D6).
    """
    tries = task.tries + 1
    out_of_rounds = bool(task.rounds) and tries >= task.rounds
    if task.kind in ("serial", "compound"):
        if verdict.succeeds:
            return replace(task, tries=tries, successes=1, ends="done")
        if verdict.result == "critical_failure":
            return replace(task, tries=tries, ends="jammed")
        if task.kind == "serial":
            return replace(task, tries=tries, ends="failed" if out_of_rounds else "")
        if task.target >= rules.numbers.last_chance:
            return replace(task, tries=tries, ends="failed")
        harder = min(task.target + rules.numbers.harder, rules.numbers.last_chance)
        return replace(task, tries=tries, target=harder)
    successes = task.successes + (verdict.steps if rules.raises_count else int(verdict.succeeds))
    if verdict.result == "critical_failure":
        successes = 0 if rules.setback is None else max(0, successes - rules.setback)
    ends = "done" if successes >= task.needs else "failed" if out_of_rounds else ""
    return replace(task, tries=tries, successes=successes, ends=ends)


def new_task(name: str, event: TraitsEvent, kind: str, table: TraitsTable) -> Task:
    """Return a task with the options of its event. Raises UsageError for options that its kind does not take."""
    dramatic = kind in ("attempts", "actions")
    needs = event.number("needs", DEFAULT_NEEDS if dramatic else 1)
    if not dramatic and event.get("needs") not in (None, "1"):
        raise UsageError(f"a {kind} roll needs one success: leave needs out")
    if kind == "compound" and event.get("rounds"):
        raise UsageError("a compound serial roll ends at its last chance: leave rounds out")
    rounds = event.number("rounds", event.number("tries", 0))
    if kind == "actions" and not rounds:
        raise UsageError("an action-based task has so many rounds: say rounds=5, for one")
    return Task(name=name, kind=kind, target=table.target(), needs=needs, rounds=rounds)  # type: ignore[arg-type]


def play_out_task(table: TraitsTable) -> None:
    """Play a serial roll or an attempt-based task from beginning to end (D6, D12)."""
    task = new_task(table.event.name, table.event, table.event.name, table)
    while not task.ends:
        if task.tries >= MAX_TRIES:
            raise HackjackError(f"after {MAX_TRIES:,} tries there is no end to this: name a number of tries or rounds")
        task = _attempted(table, task, table.event.words[0])
        table.next_round()
    if table.state.last:
        table.change(last=replace(table.state.last, result=task.ends, total=task.tries, raises=0))


def begin_task(table: TraitsTable) -> None:
    """Begin a task that is rolled for step by step (D6, D12)."""
    name, kind = table.event.words
    if any(task.name == name for task in table.state.tasks):
        raise HackjackError(f'there is a task "{name}" already: drop it first')
    if len(table.state.tasks) >= MAX_THINGS:
        raise HackjackError(f"this character already has {MAX_THINGS} tasks (the maximum): drop one first")
    task = new_task(name, table.event, kind, table)
    table.note(said.TaskFact(*astuple(task)), "D12" if kind in ("attempts", "actions") else "D6")
    table.change(tasks=(*table.state.tasks, task))


def roll_for_task(table: TraitsTable) -> None:
    """Roll once for a task that has begun (D6, D12)."""
    name, word = table.event.words
    before, task = task_at_hand(table, name)
    after = _attempted(table, task, word)
    table.change(tasks=tuple(after if one is before else one for one in table.state.tasks))


def task_at_hand(table: TraitsTable, name: str) -> tuple[Task, Task]:
    """Return a task as the character has it, and with this roll's target number. Raises HackjackError if it is over.

    The Marshal sets the target number of each roll, but for a compound one, which sets its own (D6, D12).
    """
    near = things_named(name, table.state.tasks)
    if len(near) != 1:
        names = [task.name for task in table.state.tasks]
        hint = did_you_mean(name, names) if names else ": begin it with task NAME KIND"
        raise UsageError(f'there is no task "{name}"{hint}')
    (task,) = near
    if task.ends:
        raise HackjackError(f'the task "{task.name}" is over: {ENDINGS[task.ends]}')
    target = table.event.number("tn", task.target)
    if target != task.target and task.kind == "compound":
        raise UsageError("a compound serial roll sets its own target number: leave tn out")
    return task, replace(task, target=target)


def jam_tasks(states: Mapping[str, TraitsState], who: str, event: TraitsEvent) -> Mapping[str, TraitsState]:
    """Return a critical failure ends a serial roll for everybody who rolls for it, or would like to (D6).

    Whose task has the same name rolls for the same thing. Raises HackjackError for a task that begins jammed.
    """
    mine = things_named(event.words[0], states[who].tasks)[0]
    if mine.kind not in ("serial", "compound"):
        return states

    def same(task: Task) -> bool:
        return task.name.casefold() == mine.name.casefold() and task.kind in ("serial", "compound")

    others = {other: state for other, state in states.items() if other != who}
    for other, state in others.items() if event.name == "task" else ():
        if any(same(task) and task.ends == "jammed" for task in state.tasks):
            raise HackjackError(
                f'"{mine.name}" is over for everybody, by a critical failure of {other}: for something else take '
                f"another name, or drop {other}'s first"
            )
    if mine.ends != "jammed":
        return states

    return dict(states) | {
        other: replace(
            state,
            tasks=tuple(replace(task, ends="jammed") if same(task) and not task.ends else task for task in state.tasks),
        )
        for other, state in others.items()
    }


def drop_thing(table: TraitsTable) -> None:
    """Put a task or token away."""
    name = table.event.words[0]
    things: tuple[Task | Token, ...] = (*table.state.tasks, *table.state.tokens)
    gone = next((thing for thing in things if thing.name.casefold() == name.casefold()), None)
    if gone is None:
        hint = did_you_mean(name, [thing.name for thing in things]) if things else ""
        raise UsageError(f'there is no task or token "{name}"{hint}')
    table.note(said.Dropped(gone.name))
    if isinstance(gone, Task):
        table.change(tasks=tuple(task for task in table.state.tasks if task is not gone))
    else:
        table.spend_token(gone)


ENDINGS = {"done": "it has succeeded", "failed": "it has failed", "jammed": "a critical failure ended it for everybody"}


def _attempted(table: TraitsTable, task: Task, word: str) -> Task:
    """Roll once: the round's harm, the action card if the task has them, then the trait."""
    if written := table.event.get("harm"):
        dice = Dice.parse(written)
        total = table.damage(dice, "what the round does")
        table.note(said.Harm(dice.spoken, total), "D12")
        task = replace(task, harm=min(MAX_HELD, task.harm + total))
    if task.kind == "actions":
        begin_round(table)
        draw_action(table)
    verdict = table.roll(table.plan(word, task.target))
    after = after_attempt(task, verdict, table.rules)
    table.note(said.Attempt(*astuple(after)), "D12" if task.kind in ("attempts", "actions") else "D6")
    if verdict.result == "critical_failure" and after.successes < task.successes:
        table.note(said.Setback(task.successes - after.successes), "D26")
    return after


def begin_round(table: TraitsTable) -> None:
    """Give the card of the round before back: each roll of an action-based task is a round (D12, D27)."""
    table.change(dealt=())
