"""Questions at the prompt: luck and choices that a command needs, and what may be said in place of an answer."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import msgspec

from generator.base.errors import HackjackError, UsageError
from generator.cli import terminal
from generator.cli.completion import TabKey
from generator.games import Mark, marks_of
from generator.model.log import Log
from generator.play.chance import CardNeed, ChoiceNeed, Need, RollNeed
from generator.session import prompt, replies
from generator.session.deeds import Command, Deed
from generator.session.journal import StaleError
from generator.session.luck import MissingError
from generator.session.party import PartyTable
from generator.session.questions import question_of, with_answer
from generator.session.replies import Reply
from generator.session.session import TableStep

ELSE = "? explains, show shows the table, back takes the last answer back, cancel the whole command"
"""What may be said in place of an answer."""

INSTEAD = ("show", "back", "cancel", "help")
"""The same as words; `?` is help, and `undo` is `back`."""

Ask = Callable[[str, Need, Sequence[str], Mapping[str, Mark], PartyTable], str | None]
"""Asks the table for luck, after the lines that it should know for that; None where the command is taken back.

First comes for whom it is, where the command befalls several people.
"""


class UndoneError(Exception):
    """Take back the last answer and ask again; without an answer, take back the command."""


def asker(show: Callable[[], Sequence[str]], left: Callable[[], Sequence[str]], tab: TabKey) -> Ask:
    """Return the function that asks on the terminal; `show` gives the table's state, `left` the deck's cards.

    An empty answer lets a roll wait, where it can; otherwise it takes the command back, as `cancel`, Ctrl-C and Ctrl-D
    do. Raises UndoneError for `back`.
    """

    def ask(who: str, need: Need, known: Sequence[str], marks: Mapping[str, Mark], table: PartyTable) -> str | None:
        question = question_of(need, table)
        terminal.tell(*known, *terminal.numbered(question.lines), marks=marks)
        while True:
            try:
                with tab.answering(possible_answers(need, left())):
                    answer = input((f"{who}: " if who else "") + question.text).strip()
            except (EOFError, KeyboardInterrupt):
                terminal.tell("")
                return None
            match answer.casefold():
                case "?" | "help":
                    terminal.tell(*question.help, f"Or: {ELSE}.", *terminal.numbered(question.lines))
                case "show":
                    terminal.tell(*show())
                case "cancel":
                    return None
                case "back" | "undo":
                    raise UndoneError
                case _:
                    return answer

    return ask


def possible_answers(need: Need, left: Sequence[str]) -> list[str]:
    """Return the words that Tab completes in a question: cards or options, and commands."""
    words = left if isinstance(need, CardNeed) else need.options if isinstance(need, ChoiceNeed) else ()
    return [*dict.fromkeys(words), *INSTEAD]


@dataclass(frozen=True)
class Answered:
    """A command done with the requested luck, and the lines that were not shown before."""

    step: TableStep
    reply: Reply


def do_with_luck(
    command: Command,
    do: Callable[..., TableStep],
    ask: Ask,
    table: PartyTable,
    renew: Callable[[], object] | None = None,
) -> Answered | None:
    """Do a command by `do`, and ask for the luck that it turns out to need. None when the table does not answer.

    What has happened until a question is said before it, and not again when all is done. Nobody waits meanwhile. If
    others play before the answer is there, `renew` tells that, and all questions are asked again; without it, or if
    the luck was typed with the command, the command is refused.
    """
    deeds = sound = command.deeds
    need: Need | None = None
    place, whose = 0, ""
    lines_so_far: list[str] = []
    said: Sequence[Log] = ()
    earlier: list[tuple[tuple[Deed, ...], frozenset[int]]] = []
    waiting: frozenset[int] = frozenset()
    while True:
        known: Sequence[str] = ()
        marks: Mapping[str, Mark] = {}
        try:
            step = do(msgspec.structs.replace(command, deeds=deeds), asking=True, waiting=waiting)
            reply = replies.headed_reply(step, said)
            return Answered(step, reply if command.mends else replace(reply, lines=_news(reply.lines, lines_so_far)))
        except MissingError as missing:
            sound, place, need, whose = deeds, missing.place, missing.need, missing.whose
            lines = replies.log_lines(missing.deeds, missing.logs, table)
            known, marks, lines_so_far = _news(lines, lines_so_far), marks_of(missing.so_far, table.system), lines
            said = missing.logs
        except StaleError as error:
            if renew is None or need is None or command.lucky:
                raise
            terminal.tell(str(error).partition(": look")[0] + ": answer once more", err=True)
            renew()
            deeds, lines_so_far, said, earlier, waiting = command.deeds, [], (), [], frozenset()
            continue
        except HackjackError as error:
            if need is None:
                raise
            terminal.tell(str(error), err=True)
        who = whose
        if isinstance(need, CardNeed) and not need.place and sound[place].cards:
            who = ", ".join(filter(None, (who, f"after {sound[place].cards[-1]}")))
        try:
            answer = _understood(sound, place, need, partial(ask, who, need), known, marks, table)
        except UndoneError:
            if not earlier:
                return None
            deeds, waiting = earlier.pop()
            continue
        if answer is None:
            return None
        earlier.append((sound, waiting))
        waiting |= {place} if answer is sound else frozenset()
        deeds = answer


def _still_asked(deeds: tuple[Deed, ...], need: Need, table: PartyTable) -> str:
    """Return why another command has to wait."""
    kind = question_of(need, table).plain["kind"]
    return f'"{prompt.typed_command(Command(deeds), table)}" waits for a {kind}: answer first, or type back or cancel'


def _news(lines: Sequence[str], before: Sequence[str]) -> list[str]:
    """Return the lines from the first one on that was not said before."""
    pairs = enumerate(zip(lines, before, strict=False))
    return [*lines[next((place for place, (line, old) in pairs if line != old), min(len(lines), len(before))) :]]


def _understood(
    deeds: tuple[Deed, ...],
    place: int,
    need: Need,
    ask: Callable[[Sequence[str], Mapping[str, Mark], PartyTable], str | None],
    known: Sequence[str],
    marks: Mapping[str, Mark],
    table: PartyTable,
) -> tuple[Deed, ...] | None:
    """Return the deeds with the answer; as they are where the roll is to wait; None where they are taken back."""
    while text := ask(known, marks, table):
        known = ()
        try:
            return with_answer(deeds, place, need, text, table)
        except UsageError as error:
            command = text.split()[0].casefold() in prompt.commands(table.game)
            terminal.tell(_still_asked(deeds, need, table) if command else str(error), err=True)
    return deeds if text is not None and isinstance(need, RollNeed) and need.can_wait else None
