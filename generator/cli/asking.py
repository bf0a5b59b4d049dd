"""Questions at the prompt: luck and choices that a command needs, and what may be said in place of an answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from generator.cli import terminal
from generator.cli.completion import TabKey
from generator.games import Mark
from generator.games.face import AnyGame
from generator.play.chance import CardNeed, ChoiceNeed, Need, RollNeed
from generator.session import prompt
from generator.session.party import Table

ELSE = "? explains, show shows the table, undo takes the last answer back, cancel the whole command"
"""What may be said in place of an answer."""

INSTEAD = ("show", "undo", "cancel", "help")
"""The same as words; `?` is help."""

Ask = Callable[[Need, Sequence[str], Mapping[str, Mark], Table], str | None]
"""Asks the table for luck, after the lines that it should know for that; None where the command is taken back."""


class UndoneError(Exception):
    """The last answer is taken back, and asked for again; where there was none, the command."""


def asker(show: Callable[[], Sequence[str]], left: Callable[[], Sequence[str]], tab: TabKey) -> Ask:
    """Questions on the terminal; `show` says how the table stands, `left` which cards are in the deck.

    An empty answer lets a roll wait, where it can; otherwise it takes the command back, as `cancel`, Ctrl-C and Ctrl-D
    do. Raises UndoneError for `undo`.
    """

    def ask(need: Need, known: Sequence[str], marks: Mapping[str, Mark], table: Table) -> str | None:
        terminal.tell(*known, *offered(need, table.game), marks=marks)
        while True:
            try:
                with tab.answering(answers(need, left())):
                    answer = input(prompt.question(need, table)).strip()
            except (EOFError, KeyboardInterrupt):
                terminal.tell("")
                return None
            match answer.casefold():
                case "?" | "help":
                    terminal.tell(*explained(need, table), *offered(need, table.game))
                case "show":
                    terminal.tell(*show())
                case "cancel":
                    return None
                case "undo":
                    raise UndoneError
                case _:
                    return answer

    return ask


def answers(need: Need, left: Sequence[str]) -> list[str]:
    """What the tab key completes in a question: cards or options, and what may be said in their place."""
    match need:
        case CardNeed():
            known = dict.fromkeys(left)
        case ChoiceNeed(options):
            known = dict.fromkeys(options)
        case _:
            known = {}
    return [*known, *INSTEAD]


def offered(need: Need, game: AnyGame) -> list[str]:
    """The options of a choice as numbered lines, each with what it does."""
    if not isinstance(need, ChoiceNeed):
        return []
    says = need.says or tuple(map(game.option_says, need.options))
    return terminal.numbered(zip(need.options, says, strict=True))


def explained(need: Need, table: Table) -> list[str]:
    """What is asked, why, and what an answer looks like."""
    match need:
        case CardNeed():
            what = [f"A card is drawn. Type the one that the table drew, such as {prompt.sample(table)}."]
            if table.deck and not table.virtual:
                what.append("The tab key lists the cards that are left in the deck.")
        case RollNeed():
            dice = prompt.rolled(need)
            what = [f"{dice} is rolled for this: {need.reason}. Type what each die shows, from 1 to {need.dice.faces}."]
            if need.can_wait:
                what.append("An empty answer leaves the roll for later.")
        case ChoiceNeed():
            what = ["You choose. Type the number in front of an option, or its name."]
    return [*what, f"Or: {ELSE}."]
