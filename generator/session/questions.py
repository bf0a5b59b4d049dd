"""Questions for luck and choices that a command needs: worded once, for the prompt, for scripts and for the page."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from generator.base.errors import HackjackError, UsageError
from generator.base.text_input import read_number
from generator.games import missing_luck
from generator.play.chance import CardNeed, Need, RollNeed
from generator.play.piles import card_of
from generator.session import prompt
from generator.session.deeds import Command, Deed
from generator.session.luck import MissingError
from generator.session.party import PartyTable
from generator.session.session import TableStep
from generator.words.wording import capitalised


@dataclass(frozen=True)
class Question:
    """A question: `text` asks it at the prompt, `help` explains it, and `written` says how a command has the answer.

    `lines` are the options of a choice, each with what it does. `plain` is the question for the page, with a `title`.
    """

    text: str
    help: Sequence[str]
    written: str
    plain: Mapping[str, Any]
    lines: Sequence[tuple[str, str]] = ()


def question_of(need: Need, table: PartyTable) -> Question:
    """Return the question for luck or a choice that a table needs."""
    plain: dict[str, Any]
    if isinstance(need, CardNeed):
        sample, place = _sample_card(need), need.place
        which = f"which card lies at {place}?" if place else "which card was drawn?"
        help_lines = [f"A card is drawn. Type the one that the table drew, such as {sample}."]
        if place:
            help_lines = [f"The next card lies at {place}. Type it, or several in the order in which they are dealt."]
        if table.deck and not table.virtual:
            help_lines.append("The tab key lists the cards that are left in the deck.")
        plain = {"kind": "card", "title": capitalised(which), "cards": list(dict.fromkeys(need.left))}
        write = "write the card after the command, as in"
        return Question(f"{which} ({sample}) ", help_lines, write, plain)
    if isinstance(need, RollNeed):
        dice, faces, wait = need.typed, need.dice.faces, "; leave it empty to roll later" if need.can_wait else ""
        help_lines = [f"{dice} is rolled for this: {need.reason}. Type what each die shows, from 1 to {faces}."]
        help_lines += ["An empty answer leaves the roll for later."] if need.can_wait else []
        reason = "one for each" if need.whose else need.reason
        plain = {"kind": "roll", "title": f"Roll {dice}: {reason}".removesuffix(": "), "count": need.dice.count}
        plain |= {"faces": faces, **({"whose": need.whose} if need.whose else {}), "can_wait": need.can_wait}
        write = f"write dice and every face after the cards, as in dice {faces}"
        return Question(f"roll {dice} ({need.reason}{wait}): ", help_lines, write, plain)
    lines = tuple(zip(need.options, need.says or map(table.game.option_says, need.options), strict=True))
    plain = {"kind": "choice", "title": "Choose"}
    plain["options"] = [_plain_option(option, does, table) for option, does in lines]
    help_lines = ["You choose. Type the number in front of an option, or its name."]
    write, text = "write choose and the number at the end, as in choose 1", f"choose 1 to {len(need.options)}: "
    return Question(text, help_lines, write, plain, lines)


def _plain_option(option: str, sentence: str, table: PartyTable) -> dict[str, str]:
    """Return an option for the page: what it does, and the card that it is, by its code or by its name."""
    cards = {option} & {*table.deck} or {
        name for name in table.deck if (match := card_of(name, table.system)) and match[1].name == option
    }
    card = cards.pop() if len(cards) == 1 else ""
    return {"text": option, **({"says": sentence} if sentence else {}), **({"card": card} if card else {})}


def _sample_card(need: CardNeed) -> str:
    """Return a card that can be drawn, for an example."""
    return "QS" if "QS" in need.left else need.left[0]


def missing_luck_error(missing: MissingError, command: Command, table: PartyTable) -> HackjackError:
    """Return the error for those who cannot be asked: what is needed, and where to write it."""
    text, how = missing_luck(missing, table.system), question_of(missing.need, table).written
    if isinstance(missing.need, CardNeed):
        deeds = with_luck(command.deeds, missing.place, cards=(_sample_card(missing.need),))
        how += f" {prompt.typed_command(replace(command, deeds=deeds, mends=0), table)}"
    return HackjackError(f"{text}: {how}")


def do_with_given_luck(do: Callable[[Command], TableStep], command: Command, table: PartyTable) -> TableStep:
    """Do a command with the luck that it brings. Raises HackjackError when more is needed, with where to write it."""
    try:
        return do(command)
    except MissingError as missing:
        raise missing_luck_error(missing, command, table) from missing


def with_luck(
    deeds: tuple[Deed, ...],
    place: int,
    cards: tuple[str, ...] = (),
    dice: tuple[int, ...] = (),
    choices: tuple[int, ...] = (),
) -> tuple[Deed, ...]:
    """Return the deeds of a command, the one at a place with more luck."""
    deed = deeds[place]
    deed = replace(deed, cards=deed.cards + cards, dice=deed.dice + dice, choices=deed.choices + choices)
    return (*deeds[:place], deed, *deeds[place + 1 :])


def with_answer(deeds: tuple[Deed, ...], place: int, need: Need, text: str, table: PartyTable) -> tuple[Deed, ...]:
    """Return deeds with the luck that was asked for at one of them. Raises UsageError when the answer is none."""
    words = text.replace(",", " ").split()
    if isinstance(need, CardNeed):
        return with_luck(deeds, place, cards=tuple(prompt.read_card(word, table.deck) for word in words))
    if isinstance(need, RollNeed):
        count, faces = need.dice.count, need.dice.faces
        if stray := next((word for word in words if not re.fullmatch(r"-?[0-9]{1,40}", word)), None):
            raise UsageError(f'"{stray[:40]}" is not a face of d{faces}')
        dice = tuple(read_number(f"d{faces}", word, 1, faces) for word in words)
        if len(dice) != count:
            what = f"the {count} faces" if count > 1 else "the one face"
            sample = " ".join(str(min((3, 5)[number % 2], faces)) for number in range(count))
            raise UsageError(f"write {what} of {need.typed}, such as {sample}")
        return with_luck(deeds, place, dice=dice)
    named = [number for number, option in enumerate(need.options, 1) if option.casefold() == text.strip().casefold()]
    choice = named[0] if named else read_number("choice", text.strip(), 1, len(need.options))
    return with_luck(deeds, place, choices=(choice,))
