"""Short commands at the table: the list, how they are parsed, and how missing luck is requested.

A game's own commands come from its EVENTS, QUESTIONS and NEWCOMER; the rest is the same for every game.
"""

import re
from collections.abc import Mapping, Sequence
from itertools import chain
from textwrap import wrap

import msgspec

from generator.base.cards import is_code, read_code
from generator.base.errors import UsageError, did_you_mean
from generator.base.text_input import find_name as find_person
from generator.base.text_input import in_any_case, plain_text, read_name, read_number
from generator.games.face import AnyGame
from generator.play.event_spec import LUCK, ArgumentReading, is_pair, read_pairs
from generator.play.piles import find_name
from generator.session.corrections import CORRECTIONS, names_at_table
from generator.session.deeds import MAX_WORD_LENGTH, Command, Deed, sent_deeds
from generator.session.party import TABLE, Party, PartyTable

READING = ("show", "next", "odds", "log", "why", "chronicle", "export")
"""The commands that change nothing and may run beside another session."""
ALONE = ("next", "why", "chronicle", "export", "quit")
WORDS = {"exit": "quit", "?": "help"}
MAX_NUMBERS = 400
MAX_HITS = 1000
MAX_TURNS = 1000
"""Undone or done again at once."""
MAX_NOTED = 2000
DIE = re.compile(r"[dD]([2-9]|10)")
"""A die that might be taken for a card with its suit in front: at the prompt it is neither, unless somebody says so."""
Commands = dict[str, tuple[str, str]]
"""Each command with how it is written, and what it does."""


def commands(game: AnyGame) -> Commands:
    """Return the commands of a table that plays a game."""
    joining: Commands = {}
    if not game.SHARED:
        joining["add"] = (game.NEWCOMER.usage("add NAME"), game.NEWCOMER.says)
        draws = any("cards" in spec.luck for spec in game.EVENTS.values())
        cards = "; their cards stay out until the deck runs out" if draws else ""
        joining["remove"] = ("remove NAME", f"somebody leaves{cards}")
    return {
        **joining,
        **{name: (spec.usage(command_head(name, game)), spec.says) for name, spec in game.EVENTS.items()},
        "show": ("show" if game.SHARED else "show [NAME]", "how everybody is, and the cards that are left, if any"),
        "next": ("next", "what usually follows now, and what cannot be done, with the reason"),
        **({"odds": _odds_usage(game)} if game.QUESTIONS else {}),
        "set": (f"set {'[NAME]' if game.SHARED else 'NAME'} WHAT VALUE ...", "what was told wrong is put right"),
        "rename": ("rename NAME NEW", "somebody is called otherwise"),
        "note": ("note [NAME] TEXT ...", "a note for the log"),
        "undo": ("undo [N]", "take the last command back, or the last N; their cards go back too"),
        "redo": ("redo [N]", "do again what was undone"),
        "mend": ("mend N [yes] COMMAND ...", "another command in the place of entry N of the log, or remove"),
        "log": ("log [N]", "what happened in the last N commands (10)"),
        "session": ("session NAME ...", "a new session begins: a chapter of the chronicle"),
        "chronicle": ("chronicle", "what has become of everybody, by sessions"),
        "why": ("why", "the rulings that the last command followed"),
        "import": ("import FILE", "an export: begin its campaign again, or bring its characters into this one"),
        "export": ("export", "the whole session as JSON, for import"),
        "help": ("help [COMMAND]", "this list, or one command"),
        "quit": ("quit", "leave; everything is kept"),
    }


def command_head(name: str, game: AnyGame) -> str:
    """Return how a command about somebody begins."""
    if game.SHARED:
        return name
    return f"{name} [NAME]" if name in game.EVENTS and game.EVENTS[name].time else f"{name} NAME"


def _odds_usage(game: AnyGame) -> tuple[str, str]:
    first, *others = game.QUESTIONS
    also = f"; or of {', '.join(others)}, named before the rest" if others else ""
    return game.QUESTIONS[first].usage(_asking(first, game)), f"the chances of {first}{also}"


def _asking(name: str, game: AnyGame) -> str:
    """Return how a question begins."""
    return f"odds {name}" if game.SHARED else f"odds NAME {'' if name == next(iter(game.QUESTIONS)) else name}".strip()


def read_command(word: str, game: AnyGame) -> str:
    """Return the command that a first word names. Raises UsageError with a suggestion."""
    name, names = WORDS.get(word.lower(), word.lower()), commands(game)
    if name in names:
        return name
    if why := game.untyped_event(name):
        raise UsageError(why)
    raise UsageError(f'there is no command "{word[:40]}"{did_you_mean(name, names) or "; try help"}')


def only_looks(name: str, game: AnyGame) -> bool:
    """Return whether a command changes nothing."""
    return name in READING or name in game.LOOKS


def usage(name: str, words: Sequence[str], minimum: int, maximum: int, game: AnyGame) -> None:
    """Raise UsageError unless the words after a command are as many as it takes."""
    if not minimum <= len(words) <= maximum:
        what = (
            "there is too little"
            if len(words) < minimum
            else f'"{words[maximum][:40]}" is one value too many for {name}'
        )
        raise UsageError(f"{what}: write {commands(game)[name][0]}")


def read_deed(name: str, words: Sequence[str], table: PartyTable, party: Party) -> Deed:
    """Return a command that changes something. Raises UsageError."""
    game = table.game
    if name in ALONE:
        usage(name, words, 0, 0, game)
        return Deed(name)
    if name in ("undo", "redo"):
        usage(name, words, 0, 1, game)
        return Deed(name, words=tuple(str(read_number(name, word, 1, MAX_TURNS)) for word in words))
    if name in CORRECTIONS:
        return _correction(name, words, table, party)
    if game.SHARED:
        return _event(name, TABLE, words, table)
    if not words:
        raise UsageError(f"{name} needs a name: write {commands(game)[name][0]}")
    if name == "add":
        game.newcomer(words[1:])
        return Deed("add", _read_newcomer(words[0]), tuple(words[1:]))
    who, rest = party.find(words[0]), words[1:]
    if name == "remove":
        usage(name, words, 1, 1, game)
        return Deed(name, who)
    return _event(name, who, rest, table)


def _read_newcomer(typed: str) -> str:
    """Return the name of somebody new. Raises UsageError for a word that introduces cards, dice or choices."""
    if typed.casefold() in LUCK:
        raise UsageError(f'"{typed}" would be taken for the word {typed.casefold()}: take another name')
    return read_name(typed)


def check_no_setting(name: str, words: Sequence[str]) -> None:
    """Raise UsageError for `set limit=18`: what is set at the table are states, and nothing that content settles."""
    if name == "set" and words and is_pair(words[0]):
        raise UsageError("rulings are settled when a campaign begins: hackjack play --campaign NAME --set NAME=VALUE")


def _correction(name: str, words: Sequence[str], table: PartyTable, party: Party) -> Deed:
    """Read `set bryn hp 12`, `rename bryn Brynhild`, `note bryn owes the smith`. Raises UsageError."""
    game, names = table.game, names_at_table(table, party)
    check_no_setting(name, words)
    usage(
        name,
        words,
        {"set": 2, "rename": 2, "note": 1, "session": 1}[name],
        2 if name == "rename" else MAX_NUMBERS,
        game,
    )
    if name == "rename":
        return Deed(name, words=(find_person(words[0], names), _read_newcomer(words[1])))
    if name == "set":
        return Deed(name, words=tuple(words)) if game.SHARED else Deed(name, party.find(words[0]), tuple(words[1:]))
    person = in_any_case(words[0], names) if len(words) > 1 and name == "note" else ""
    who = person if person in names else ""
    text = plain_text(" ".join(words[1:] if who else words))
    if len(text) > MAX_NOTED:
        raise UsageError(f"a {name} has {MAX_NOTED:,} letters at most, and this one has {len(text):,}")
    return Deed(name, who, tuple(wrap(text, MAX_WORD_LENGTH)))


def _event(name: str, who: str, words: Sequence[str], table: PartyTable) -> Deed:
    """Read `9 critical QS 4H dice 4 6 choose 1`: arguments, then cards, then other luck."""
    before, luck = split_luck(words)
    at, typed = read_pairs(before, {})
    if "cards" in table.game.EVENTS[name].luck:
        typed = [part for word in typed for part in word.split(",") if part]
    taken = _taken(name, typed, at, table.game)
    for argument in table.game.EVENTS[name].takes:
        if argument.kind == "name" and isinstance(newcomer := taken.values.get(argument.name), str):
            _read_newcomer(newcomer)
    cards = taken.rest
    if all(map(is_code, table.deck)) and (die := next(filter(DIE.fullmatch, cards), None)):
        raise UsageError(f'"{die}" is a die: write dice and the face that it shows, or {read_code(die)} for the card')
    by_name = {word for argument in taken.waiting if argument.option for word in argument.words}
    if cards and cards[0] in by_name and not find_name(cards[0], table.deck) and (fault := taken.surplus):
        raise fault
    deed = Deed(name, who, tuple(typed[: len(typed) - len(cards)]), at=at)
    expected = [word for argument in taken.waiting for word in argument.words]
    return _lucky(deed, ["cards", *cards, *luck], expected, table.deck)


def with_pairs(words: Sequence[str], at: Mapping[str, str]) -> tuple[str, ...]:
    """Return the words of a command with its `--at` pairs: after a name, before luck."""
    place = min(1, len(split_luck(words)[0]))
    return (*words[:place], *(f"{name}={value}" for name, value in at.items()), *words[place:])


def split_luck(words: Sequence[str]) -> tuple[tuple[str, ...], list[str]]:
    """Return the words before the luck, and the luck, which begins with `cards`, `dice` or `choose`."""
    place = next((place for place, word in enumerate(words) if word in LUCK), len(words))
    return tuple(words[:place]), [part for word in words[place:] for part in word.split(",") if part]


def _taken(name: str, words: Sequence[str], at: Mapping[str, str], game: AnyGame) -> ArgumentReading:
    """Read the words of an event; the words left over are its cards. Raises UsageError."""
    if len(words) > MAX_NUMBERS:
        raise UsageError(f"{len(words)} words are too many")
    spec = game.EVENTS[name]
    taken = ArgumentReading(spec, words, at, game.READERS, command_head(name, game))
    if fault := taken.fault or ("cards" not in spec.luck and taken.surplus):
        raise fault
    return taken


def typed_command(command: Command, table: PartyTable) -> str:
    """Return the deeds of a command as they are typed: `hit Bryn,Cara 4 KH 2S` where they are alike."""
    if command.mends:
        return str(command)
    deeds = sent_deeds(command.deeds)
    first = deeds[0]
    alike = {(deed.do, deed.words, *deed.at.items()) for deed in deeds}
    if len(deeds) > 1 and len(alike) == 1 and all(deed.who for deed in deeds):
        names = ",".join(deed.who for deed in deeds)
        luck = {kind: tuple(chain.from_iterable(getattr(deed, kind) for deed in deeds)) for kind in _KINDS}
        return _written(msgspec.structs.replace(first, who=names, **luck), table)
    return "; ".join(_written(deed, table) for deed in deeds)


_KINDS = ("cards", "dice", "choices")
"""The fields of a deed that hold luck that is typed."""


def _written(deed: Deed, table: PartyTable) -> str:
    """Return a deed as it can be typed again: `luck bryn QH cards 3D`, for 3D alone would be a word."""
    if not deed.cards or not deed.words:
        return str(deed)
    try:
        taken = _taken(deed.do, (*deed.words, *deed.cards), deed.at, table.game)
    except UsageError:
        # A word that the event refuses, such as the ace of spades of a luck draw, which nobody may name.
        return deed.typed(marked=True)
    return deed.typed(marked=tuple(taken.rest) != deed.cards)


def read_question(words: Sequence[str], table: PartyTable) -> tuple[tuple[str, ...], dict[str, str], int | None]:
    """Return a question's words with its name, its pairs, and how many hits in a row. Raises UsageError."""
    game, rest, hits = table.game, list(words), None
    usage = commands(game)["odds"][0]
    begin = 1 if "hits" in game.QUESTIONS else 0
    if "hits" in rest[begin:]:
        place = rest.index("hits", begin)
        if place != len(rest) - 2:
            raise UsageError(f"how many hits? write {usage}")
        hits = read_number("hits", rest[-1], 1, MAX_HITS)
        rest = rest[:place]
    at, typed = read_pairs(rest, {})
    first = next(iter(game.QUESTIONS))
    question_words = (*typed,) if typed and typed[0] in game.QUESTIONS else (first, *typed)
    ArgumentReading(
        game.QUESTIONS[question_words[0]], question_words[1:], at, game.READERS, _asking(question_words[0], game)
    ).whole()
    return question_words, at, hits


def _lucky(deed: Deed, words: Sequence[str], known: Sequence[str], deck: Sequence[str]) -> Deed:
    """Return a deed with its luck: `cards QS dice 4 6 choose 1`. Raises UsageError."""
    cards: list[str] = []
    numbers: dict[str, list[int]] = {"dice": [], "choose": []}
    kind = ""
    for word in words:
        if word in LUCK:
            kind = word
        elif kind == "cards":
            cards.append(read_card(word, deck, [*known, "dice", "choose"]))
        else:
            numbers[kind].append(read_number(kind, word, 1, 1000))
    if len(words) > MAX_NUMBERS:
        raise UsageError(f"{len(words)} cards and dice are too many")
    luck = {"cards": tuple(cards), "dice": tuple(numbers["dice"]), "choices": tuple(numbers["choose"])}
    return msgspec.structs.replace(deed, **luck)


def read_card(text: str, deck: Sequence[str], known: Sequence[str] = ()) -> str:
    """Return the card that was typed, of a deck; a code that several decks have stays as it is. Raises UsageError."""
    if not all(map(is_code, deck)):
        codes = {name.rpartition(":")[2].casefold() for name in deck}
        if found := find_name(text, deck) or (text if text.casefold() in codes else None):
            return found
        raise UsageError(f'"{text[:40]}" is not a card of the decks{did_you_mean(text, [*deck, *known])}')
    try:
        return read_code(text)
    except ValueError as error:
        hint = did_you_mean(text, known) if known else ""
        if hint.startswith(":"):
            raise UsageError(f'"{text[:40]}" is not understood{hint}') from error
        raise UsageError(str(error)) from error
