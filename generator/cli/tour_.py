"""`hackjack tour`: a fight to try the prompt with, step by step."""

import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import click

from generator.base.errors import HackjackError
from generator.base.text_input import split_words
from generator.cli import asking, echo, lines_of
from generator.cli.play_ import asker_at_terminal, do_line
from generator.cli.terminal import tell
from generator.pack import content
from generator.pack.pack_locations import USUAL_SYSTEM
from generator.session import short_forms
from generator.session.journal import Journal
from generator.session.session import new_campaign

SEED = 3
"""Shuffles a deck in which the fight below goes from a first wound to a death in three cards."""


class TourStep(NamedTuple):
    """What is said, and the command that is to be typed then."""

    says: str
    types: str


STEPS = (
    TourStep("Bryn joins the table with a few HP. Names are yours to choose.", "add Bryn hp 6"),
    TourStep("An orc hits Bryn for 4. As long as HP are left, no card is drawn.", "hit bryn 4"),
    TourStep(
        "The next hit takes Bryn below 0 HP, so a card is drawn: here by the program, at your table by you. "
        "The lines after its name say what is printed on it.",
        "hit bryn 9",
    ),
    TourStep("Look at the table: who is hurt, and which cards are still in the deck. Looking changes nothing.", "show"),
    TourStep("The beginning of each word is enough. Bryn is hit again.", "hi b 3"),
    TourStep(
        "How dangerous is another hit for 6? The odds are exact, from the cards that are really left.", "odds bryn 6"
    ),
    TourStep("Bryn stays and fights.", "hit bryn 6"),
    TourStep("Was it a mistake, or the wrong number? undo takes it back, and says where the card goes.", "undo"),
    TourStep("Bryn is bandaged instead.", "heal bryn 5"),
    TourStep("Why is that so? Each line has its ruling, and hackjack rules lists those that you can change.", "why"),
    TourStep("The chronicle tells the evening: who got which wound, from which card, and until when.", "chronicle"),
)
"""The fight. It plays in the system that a new campaign plays when nobody says otherwise."""

AFTER = (
    "That was the tour; nothing of it is kept. What you could do next:",
    "  hackjack play --campaign NAME   begin a table of your own, with your own cards and dice",
    "  hackjack serve --campaign NAME  the same on a page for every phone at the table",
    "  hackjack print hackjack         the deck, a screen and sheets as PDF files",
    "  hackjack new NAME --extends     house rules and cards of your own",
)


@click.command("tour")
def command() -> None:
    """Take a tour of two minutes: a fight at the real prompt, with what to type next.

    Press Enter to have it typed for you, or type what you like; quit or Ctrl-D ends the tour. The cards are always the
    same, and nothing is kept. Where nobody can type, the tour plays itself.
    """
    system = content.load(content.find(USUAL_SYSTEM)).system
    with tempfile.TemporaryDirectory(prefix="hackjack-tour-") as folder:
        journal = Journal(Path(folder) / "tour.hackjack", system, new_campaign(system, "virtual", SEED, None))
        tell(f"A fight in {len(STEPS)} steps. Enter types the next command for you; quit ends the tour.")
        if sys.stdin is not None and sys.stdin.isatty():
            finished = _played(journal, _typed, asker_at_terminal(journal))
        else:
            finished = _played(journal, _shown, None)
    tell("", *(AFTER if finished else ("The tour ends here; hackjack tour begins it again.",)))


def _typed(step: TourStep) -> str:
    """Return the typed line, or the step's own command after Enter alone. Raises EOFError."""
    line = f"Next: {step.types}"
    tell(line, marks={line: "card"})
    return input("> ").strip() or _shown(step)


def _shown(step: TourStep) -> str:
    """Return the command of the step, shown as if somebody had typed it."""
    echo(f"> {step.types}")
    return step.types


def _played(journal: Journal, typed: Callable[[TourStep], str], ask: asking.Ask | None) -> bool:
    """Go through the steps; return whether the reader stayed to the end."""
    for step in STEPS:
        tell("", step.says)
        done = False
        while not done:
            try:
                line = typed(step)
            except EOFError:
                echo()
                return False
            # Whatever else somebody tries is done too, and the step waits.
            done = line == step.types or _meant(line, journal) == _meant(step.types, journal)
            try:
                if do_line(journal, split_words(line), None, ask, as_json=False) == "quit":
                    return False
            except HackjackError as error:
                tell(*lines_of(error), err=True)
    return True


def _meant(line: str, journal: Journal) -> Sequence[str]:
    """Return a line as the prompt reads it, in full words and small letters; as it stands where it cannot be read."""
    try:
        read = short_forms.read_line(split_words(line), journal.session)
    except HackjackError:
        return (line,)
    return [word.casefold() for word in (read.name, *read.words)]
