"""The content of a journal: the campaign's settings, and commands, each with its deeds and their luck."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from generator.base.text_input import MAX_NAME_LENGTH, quoted_word
from generator.check import content_checks as checks
from generator.model.rules import System

VERSION = 1
"""Of campaign files. A program refuses files of a newer version."""
GIVEN = "given"
"""The name under which a game reads again what a file held: the file may be gone by then."""
MAX_GIVEN = 16_000
MAX_DEEDS = 100
"""In one command: the whole table acts at once."""
MAX_LATER = 1000
"""So many commands may come out differently when one is mended."""
MAX_SEED = 2**53 - 1
LATEST = 2**53 - 1
"""Of times, in seconds."""

Code = Annotated[str, Meta(max_length=53)]
"""A card by its name, with its deck before it where there are several."""
Face = Annotated[int, Meta(ge=1, le=1000)]
MAX_WORD_LENGTH = 200
Word = Annotated[str, Meta(max_length=MAX_WORD_LENGTH)]
Order = Annotated[tuple[Code, ...], Meta(max_length=1000)]
DeckKind = Literal["real", "virtual"]
"""Whose luck it is: the table's own deck and dice, or the program's."""
Sender = Literal["terminal", "gm", "player"]
"""Where a command was entered. Players have a name beside it, so that no character's name is mistaken for a sender."""


class Deed(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One thing that the table does, and the luck that it met: an event, `add`, `remove`, a correction, `undo`, `redo`.

    `who` is the character whom it befalls, empty at a shared table; `words` and `at` say more, as they were typed.
    `caused` marks what the deed before it, that was sent, brought about for somebody else.
    `hidden` are dice that the program rolled under a cup, sealed.
    `order` is the new order of a shuffled virtual deck, the top card first, when the deck was shuffled in this deed;
    one after the other when it was shuffled more than once. `given` is what a file held that the words name.
    """

    do: Annotated[str, Meta(max_length=40)]
    who: Annotated[str, Meta(max_length=MAX_NAME_LENGTH)] = ""
    words: Annotated[tuple[Word, ...], Meta(max_length=60)] = ()
    cards: Annotated[tuple[Code, ...], Meta(max_length=200)] = ()
    dice: Annotated[tuple[Face, ...], Meta(max_length=400)] = ()
    choices: Annotated[tuple[Face, ...], Meta(max_length=200)] = ()
    order: Order = ()
    at: Annotated[dict[Word, Word], Meta(max_length=20)] = {}
    given: Annotated[str, Meta(max_length=MAX_GIVEN)] = ""
    caused: bool = False
    hidden: Annotated[str, Meta(max_length=4000)] = ""

    def __str__(self) -> str:
        return self.typed()

    def typed(self, *, marked: bool = False) -> str:
        """Return the deed as typed; `marked` writes `cards` before cards that would be taken for words."""
        words = [self.do, quoted_word(self.who), *map(quoted_word, self.words)]
        words += [quoted_word(f"{name}={value}") for name, value in self.at.items()]
        words += ["cards"] if marked and self.cards else []
        words += self.cards
        words += ["dice", *map(str, self.dice)] if self.dice else []
        words += ["choose", *map(str, self.choices)] if self.choices else []
        return " ".join(word for word in words if word)


class LaterDeed(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """How a command comes out after one before it was mended; without deeds it can happen no more and is left out.

    `line` is where it stands in the journal. Commands that come out as before are not named.
    """

    line: Annotated[int, Meta(ge=2)]
    deeds: Annotated[tuple[Deed, ...], Meta(max_length=MAX_DEEDS)] = ()


class Command(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="line", tag="command"):
    """A command as it was sent: deeds that happen together or not at all, and that one undo takes back.

    `id` tells a command that is sent twice from two commands; `sender` is where it was entered, and `by` the character
    whose player sent it; `time` is when it was written down, in seconds since 1970 (UTC). `mends` is the line of
    another command, far back, which these deeds replace from now on; without deeds that command is removed. `later` are
    the commands since then that come out differently.
    """

    deeds: Annotated[tuple[Deed, ...], Meta(max_length=MAX_DEEDS)]
    id: Annotated[str, Meta(pattern=r"^[a-zA-Z0-9_-]{1,64}$(?!\n)")] = ""
    sender: Sender = "terminal"
    by: Annotated[str, Meta(max_length=MAX_NAME_LENGTH)] = ""
    time: Annotated[int, Meta(ge=0, le=LATEST)] = 0
    mends: Annotated[int, Meta(ge=0)] = 0
    later: Annotated[tuple[LaterDeed, ...], Meta(max_length=MAX_LATER)] = ()

    def __str__(self) -> str:
        typed = "; ".join(map(str, self.deeds))
        return f"mend of line {self.mends}: {typed or 'taken out'}" if self.mends else typed

    @property
    def sent_by(self) -> str:
        """The sender's name as people read it: a character's name, `gm` or `terminal`."""
        return self.by if self.sender == "player" else self.sender

    def is_from(self, player: str) -> bool:
        """Return whether the player of this character sent it."""
        return self.sender == "player" and self.by == player

    @property
    def turns(self) -> bool:
        """Whether it is an undo or a redo."""
        return any(deed.do in ("undo", "redo") for deed in self.deeds)

    @property
    def lucky(self) -> bool:
        """Whether it holds luck or choices."""
        return any(deed.cards or deed.dice or deed.choices or deed.order for deed in self.deeds)

    def repeats(self, first: "Command") -> bool:
        """Return whether this is `first` sent once more; `first` may hold luck that the program drew for it."""
        alike = all(getattr(self, name) == getattr(first, name) for name in ("sender", "by", "mends"))
        done = sent_deeds(first.deeds)
        pairs = zip(self.deeds, done, strict=False)
        return alike and len(self.deeds) == len(done) and all(_same(deed, other) for deed, other in pairs)


def sent_deeds(deeds: tuple[Deed, ...]) -> tuple[Deed, ...]:
    """Return deeds as they were sent: without those that they caused, whose luck was given with them."""
    sent: list[Deed] = []
    for deed in deeds:
        if deed.caused and sent:
            both = {name: getattr(sent[-1], name) + getattr(deed, name) for name in ("cards", "dice", "choices")}
            sent[-1] = msgspec.structs.replace(sent[-1], **both)
        else:
            sent.append(deed)
    return tuple(sent)


def _same(first: Deed, done: Deed) -> bool:
    if (first.do, first.who, first.words, first.at) != (done.do, done.who, done.words, done.at):
        return False
    return all(getattr(first, luck) in ((), getattr(done, luck)) for luck in ("cards", "dice", "choices", "order"))


class Campaign(Struct, frozen=True, forbid_unknown_fields=True, tag_field="line", tag="campaign"):
    """What is settled when a campaign begins: the first line of its journal.

    `checksum` is that of the content that the campaign is played with; it is empty for content that is no pack.
    """

    system: str
    content: str
    rulings: dict[str, str]
    deck: DeckKind
    seed: Annotated[int, Meta(ge=0, le=MAX_SEED)] | None = None
    order: Order = ()
    numbers: dict[str, str] = {}
    checksum: Annotated[str, Meta(max_length=64)] = ""
    dice: Annotated[
        DeckKind | None, Meta(description="whose dice they are; as with the deck where nothing is said")
    ] = None

    def of(self, system: System) -> System:
        """Return the system under the campaign's rulings and numbers. Raises UsageError."""
        return checks.under(system, self.rulings.items(), self.numbers)


class Continuation(Struct, frozen=True, forbid_unknown_fields=True, tag_field="line", tag="content"):
    """A line that names the content from here on. It stands where content was changed on purpose."""

    content: Annotated[str, Meta(max_length=100)]
    checksum: Annotated[str, Meta(max_length=64)] = ""


Line = Campaign | Continuation | Command
