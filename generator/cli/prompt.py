"""Short commands at the table: which there are, how they are read, and how luck that is missing is asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from generator.cards import read_code
from generator.chance import CardNeed, Need, RollNeed
from generator.dice import Dice
from generator.engine import harm
from generator.errors import HackjackError, UsageError, did_you_mean
from generator.session import Deed, MissingError, Party, Session, left_in, read_name

COMMANDS: dict[str, tuple[str, str]] = {
    "add": ("add NAME [hp N]", "somebody joins, with 0 HP unless you say more"),
    "remove": ("remove NAME", "somebody leaves; their cards stay out until the deck runs out"),
    "hit": ("hit NAME N [critical] [CARD ...] [dice N ...] [choose N ...]", "damage; below 0 HP it draws a card"),
    "draw": ("draw NAME [CARD ...] [dice N ...] [choose N ...]", "a card, for whatever reason"),
    "heal": ("heal NAME N", "Blood first, then death-score, then HP"),
    "hold": ("hold NAME", "keep the Blood in; walk or defend and nothing else"),
    "release": ("release NAME", "stop holding"),
    "poison": ("poison NAME N", "death-score without a card"),
    "bleed": ("bleed NAME N", "Blood without a card"),
    "drain": ("drain NAME N", "a direct attack on the death-score"),
    "rest": ("rest NAME [comfort]", "a night's rest"),
    "recover": ("recover NAME [dice N ...]", "the recovery time passes"),
    "act": ("act NAME [DIE] [dice N]", "do more than walk, where the pass_out ruling asks for a roll"),
    "show": ("show [NAME]", "everybody, their wounds, and the cards that are left"),
    "odds": ("odds NAME N [critical] [hits K]", "the chance to die of a hit, with the cards really left"),
    "undo": ("undo", "take the last command back; its cards go back too"),
    "redo": ("redo", "do again what was undone"),
    "log": ("log [N]", "what happened in the last N commands (10)"),
    "why": ("why", "the rulings that the last command followed"),
    "export": ("export", "the whole session as JSON"),
    "help": ("help [COMMAND]", "this list, or one command"),
    "quit": ("quit", "leave; everything is kept"),
}
READING = ("show", "odds", "log", "why", "export")
"""The commands that change nothing and may run beside another session."""
ALONE = ("undo", "redo", "why", "export", "quit")
WORDS = {"exit": "quit", "?": "help"}
NUMBERED = ("hit", "heal", "poison", "bleed", "drain")
MARKS = {"hit": "critical", "rest": "comfort"}
MOST_NUMBERS = 400

Read = Callable[[str], str]


def read_command(word: str) -> str:
    """The command that a first word names. Raises UsageError with a suggestion."""
    name = WORDS.get(word.lower(), word.lower())
    if name == "set":
        raise UsageError("rulings are settled when a campaign begins: hackjack play --campaign NAME --set RULING=VALUE")
    if name not in COMMANDS:
        raise UsageError(f'there is no command "{word[:40]}"{did_you_mean(name, COMMANDS) or "; try help"}')
    return name


def usage(name: str, words: Sequence[str], least: int, most: int) -> None:
    """Raise UsageError unless the words after a command are as many as it takes."""
    if not least <= len(words) <= most:
        what = "there is too little" if len(words) < least else f'"{words[most][:40]}" is too much'
        raise UsageError(f"{what}: write {COMMANDS[name][0]}")


def read_number(text: str, least: int, most: int, what: str) -> int:
    """A whole number within bounds. Raises UsageError."""
    if text.isascii() and text.isdigit() and len(text) <= 9 and least <= int(text) <= most:
        return int(text)
    raise UsageError(f'{what} is a whole number from {least} to {most:,}, not "{text[:40]}"')


def read_deed(name: str, words: Sequence[str], party: Party) -> Deed:
    """A command that changes something. Raises UsageError."""
    if name in ALONE:
        usage(name, words, 0, 0)
        return Deed(name)
    if not words:
        raise UsageError(f"{name} needs a name: write {COMMANDS[name][0]}")
    if name == "add":
        return _addition(words)
    who, rest = party.find(words[0]), words[1:]
    if name == "remove":
        usage(name, words, 1, 1)
        return Deed(name, who)
    return _event(name, who, rest)


def _addition(words: Sequence[str]) -> Deed:
    usage("add", words, 1, 3)
    if len(words) == 1:
        return Deed("add", read_name(words[0]))
    if words[1] != "hp" or len(words) == 2:
        raise UsageError(f'"{words[1][:40]}" is not understood: write {COMMANDS["add"][0]}')
    return Deed("add", read_name(words[0]), read_number(words[2], 0, harm.MOST, "hp"))


def _event(name: str, who: str, words: Sequence[str]) -> Deed:
    """`9 critical QS 4H dice 4 6 choose 1`: what an event takes, then cards, then other luck."""
    typed = [name]
    rest = [part for word in words for part in word.split(",") if part]
    if name in NUMBERED:
        if not rest:
            raise UsageError(f"{name} needs a number: write {COMMANDS[name][0]}")
        typed.append(rest.pop(0))
    if rest and rest[0].lower() == MARKS.get(name):
        typed.append(rest.pop(0).lower())
    elif rest and name == "act" and rest[0] != "dice":
        typed.append(_die(rest.pop(0)))
    event = harm.read_event(typed)
    luck = _luck(name, rest)
    return Deed(name, who, event.amount, event.word, *luck)


def _die(text: str) -> str:
    try:
        return str(Dice.parse(text))
    except ValueError as error:
        raise UsageError(f"act takes a hit die such as d8: {error}") from error


def _luck(name: str, words: Sequence[str]) -> tuple[tuple[str, ...], tuple[int, ...], tuple[int, ...]]:
    cards: list[str] = []
    numbers: dict[str, list[int]] = {"dice": [], "choose": []}
    kind = "cards"
    for word in words:
        if word in numbers:
            kind = word
        elif kind == "cards":
            cards.append(_card(name, word))
        else:
            numbers[kind].append(read_number(word, 1, 1000, f'what follows "{kind}"'))
    if len(words) > MOST_NUMBERS:
        raise UsageError(f"{len(words)} cards and dice are too many")
    return tuple(cards), tuple(numbers["dice"]), tuple(numbers["choose"])


def _card(name: str, text: str) -> str:
    try:
        return read_code(text)
    except ValueError as error:
        hint = did_you_mean(text, [*([MARKS[name]] if name in MARKS else []), "dice", "choose"])
        if hint.startswith(":"):
            raise UsageError(f'"{text[:40]}" is not understood{hint}') from error
        raise UsageError(str(error)) from error


# --- asking for luck -------------------------------------------------------------------------------------------------


def question(need: Need) -> str:
    """What to ask the table."""
    if isinstance(need, CardNeed):
        return "which card was drawn? (QS) "
    if isinstance(need, RollNeed):
        return f"roll {_rolled(need)} ({need.reason}): "
    return f"choose: {' '.join(f'{place} {option}' for place, option in enumerate(need.options, 1))} "


def wanting(missing: MissingError) -> HackjackError:
    """The error for those who cannot be asked: what is needed, and where to write it."""
    need = missing.need
    if isinstance(need, CardNeed):
        return HackjackError(f"{missing}: write the card after the command, as in hit NAME 9 QS")
    if isinstance(need, RollNeed):
        return HackjackError(f"{missing}: write dice and every face after the cards, as in dice {need.dice.faces}")
    return HackjackError(f"{missing}: write choose and the number at the end, as in choose 1")


def _rolled(need: RollNeed) -> str:
    count, faces = need.dice.count, need.dice.faces
    return f"{count}d{faces}" if count > 1 else f"d{faces}"


def answered(deed: Deed, need: Need, text: str) -> Deed:
    """The deed with the luck that was asked for. Raises UsageError when the answer is none."""
    words = text.replace(",", " ").split()
    if isinstance(need, CardNeed):
        return msgspec.structs.replace(deed, cards=(*deed.cards, *(_answer_card(word) for word in words)))
    if isinstance(need, RollNeed):
        faces = [read_number(word, 1, need.dice.faces, f"the face of a d{need.dice.faces}") for word in words]
        if len(faces) != need.dice.count:
            raise UsageError(f"write the {need.dice.count} faces of {_rolled(need)}, such as 3 5")
        return msgspec.structs.replace(deed, dice=(*deed.dice, *faces))
    named = [place for place, option in enumerate(need.options, 1) if option == text.strip().upper()]
    place = named[0] if named else read_number(text.strip(), 1, len(need.options), "the choice")
    return msgspec.structs.replace(deed, choices=(*deed.choices, place))


def _answer_card(word: str) -> str:
    try:
        return read_code(word)
    except ValueError as error:
        raise UsageError(str(error)) from error


# --- completion ------------------------------------------------------------------------------------------------------


def completions(line: str, begun: str, session: Session) -> list[str]:
    """What the word that was begun at the end of a line may become."""
    words = line[: len(line) - len(begun)].split()
    name = words[0].lower() if words else ""
    if not words:
        known: list[str] = list(COMMANDS)
    elif name == "help":
        known = list(COMMANDS)
    elif len(words) == 1:
        known = [] if name in (*ALONE, "add", "log") else list(session.party.characters)
    else:
        known = _later(name, words, session)
    return [word for word in known if word.casefold().startswith(begun.casefold())]


def _later(name: str, words: Sequence[str], session: Session) -> list[str]:
    """Words after the name."""
    if name == "add":
        return ["hp"] if len(words) == 2 else []
    if name == "odds":
        return ["critical", "hits"]
    if name not in harm.EVENTS:
        return []
    marks = [MARKS[name]] if name in MARKS and "dice" not in words else []
    return [*marks, "dice", "choose", *([] if session.table.virtual else left_in(session))]
