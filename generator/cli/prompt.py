"""Short commands at the table: which there are, how they are read, and how luck that is missing is asked for.

A game's own commands come from its EVENTS, LUCK and QUESTIONS; the rest is the same for every game.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import msgspec

from generator.base.cards import find_code, read_code
from generator.base.errors import HackjackError, UsageError, did_you_mean
from generator.base.text_input import quoted, read_name, read_number, split_words
from generator.games import wanted
from generator.games.face import AnyGame
from generator.play.chance import CardNeed, Need, RollNeed
from generator.session.session import TABLE, Deed, MissingError, Party, Session, Table, left_in

READING = ("show", "odds", "log", "why", "export")
"""The commands that change nothing and may run beside another session."""
ALONE = ("undo", "redo", "why", "export", "quit")
WORDS = {"exit": "quit", "?": "help"}
LUCK = {"cards": "[CARD ...]", "dice": "[dice N ...]", "choose": "[choose N ...]"}
MOST_NUMBERS = 400
MOST_HITS = 1000
_PAIR = re.compile(r"([a-z][a-z0-9_-]*)=(.+)")
_DIE = re.compile(r"[dD]([2-9]|10)")
"""A die that might be taken for a card with its suit in front: at the prompt it is neither, unless somebody says so."""
_MARK = re.compile(r"(?<![A-Za-z0-9])[a-z][a-z_-]+=?")
_VALUE = re.compile(r"=[^\s\]]+")

Commands = dict[str, tuple[str, str]]
"""Each command with how it is written, and what it does."""


def commands(game: AnyGame) -> Commands:
    """The commands of a table that plays a game."""
    joining: Commands = {}
    if not game.SHARED:
        usage, _, says = game.NEWCOMER.partition(":")
        joining["add"] = (f"add NAME {usage}".strip(), says.strip())
        cards = "; their cards stay out until the deck runs out" if "cards" in " ".join(game.LUCK.values()) else ""
        joining["remove"] = ("remove NAME", f"somebody leaves{cards}")
    return {
        **joining,
        **{name: _event_usage(game, name) for name in game.EVENTS},
        "show": ("show" if game.SHARED else "show [NAME]", "how everybody is, and the cards that are left, if any"),
        **({"odds": _odds_usage(game)} if game.QUESTIONS else {}),
        "undo": ("undo", "take the last command back; its cards go back too"),
        "redo": ("redo", "do again what was undone"),
        "log": ("log [N]", "what happened in the last N commands (10)"),
        "why": ("why", "the rulings that the last command followed"),
        "export": ("export", "the whole session as JSON"),
        "help": ("help [COMMAND]", "this list, or one command"),
        "quit": ("quit", "leave; everything is kept"),
    }


def _written(text: str) -> tuple[str, str]:
    """What a game says of an event: what follows its name, as the prompt takes it, and what it is."""
    usage, _, says = text.partition(": ")
    return usage.partition(" ")[2].replace("--at ", "").replace("--hits", "hits"), says


def _event_usage(game: AnyGame, name: str) -> tuple[str, str]:
    follows, says = _written(game.EVENTS[name])
    luck = [LUCK[kind] for kind in game.LUCK.get(name, "").split()]
    return " ".join(part for part in (name, "" if game.SHARED else "NAME", follows, *luck) if part), says


def _odds_usage(game: AnyGame) -> tuple[str, str]:
    first, *others = game.QUESTIONS
    follows, _ = _written(game.QUESTIONS[first])
    usage = f"odds {first} {follows}" if game.SHARED else f"odds NAME {follows}"
    also = f"; or of {', '.join(others)}, named before the rest" if others else ""
    return usage.strip(), f"the chances of {first}{also}"


def read_command(word: str, game: AnyGame) -> str:
    """The command that a first word names. Raises UsageError with a suggestion."""
    name, known = WORDS.get(word.lower(), word.lower()), commands(game)
    if name in known:
        return name
    if name == "set":
        raise UsageError("rulings are settled when a campaign begins: hackjack play --campaign NAME --set NAME=VALUE")
    raise UsageError(f'there is no command "{word[:40]}"{did_you_mean(name, known) or "; try help"}')


def only_looks(name: str, game: AnyGame) -> bool:
    """Whether a command changes nothing."""
    return name in READING or name in game.LOOKS


def usage(name: str, words: Sequence[str], least: int, most: int, game: AnyGame) -> None:
    """Raise UsageError unless the words after a command are as many as it takes."""
    if not least <= len(words) <= most:
        what = "there is too little" if len(words) < least else f'"{words[most][:40]}" is too much'
        raise UsageError(f"{what}: write {commands(game)[name][0]}")


def read_deed(name: str, words: Sequence[str], table: Table, party: Party) -> Deed:
    """A command that changes something. Raises UsageError."""
    game = table.game
    if name in ALONE:
        usage(name, words, 0, 0, game)
        return Deed(name)
    if game.SHARED:
        return _event(name, TABLE, words, table)
    if not words:
        raise UsageError(f"{name} needs a name: write {commands(game)[name][0]}")
    if name == "add":
        game.newcomer(words[1:])
        return Deed("add", read_name(words[0]), tuple(words[1:]))
    who, rest = party.find(words[0]), words[1:]
    if name == "remove":
        usage(name, words, 1, 1, game)
        return Deed(name, who)
    return _event(name, who, rest, table)


def _event(name: str, who: str, words: Sequence[str], table: Table) -> Deed:
    """`9 critical QS 4H dice 4 6 choose 1`: what an event takes, then cards, then other luck."""
    before, luck = _parted(words)
    at, before = read_pairs(before)
    said, cards = _with_cards(name, before, at, table)
    if die := next(filter(_DIE.fullmatch, cards), None):
        raise UsageError(f'"{die}" is a die: write dice and the face that it shows, or {read_code(die)} for the card')
    deed = Deed(name, who, said, at=at)
    return _lucky(deed, ["cards", *cards, *luck], _marks(table.game.EVENTS[name]))


def with_pairs(words: Sequence[str], at: Mapping[str, str]) -> tuple[str, ...]:
    """The words of a command with what `--at` said of it, where the prompt may have it: after a name, before luck."""
    place = min(1, len(_parted(words)[0]))
    return (*words[:place], *(f"{name}={value}" for name, value in at.items()), *words[place:])


def _parted(words: Sequence[str]) -> tuple[tuple[str, ...], list[str]]:
    """The words before the luck, and the luck, which begins with `cards`, `dice` or `choose`."""
    place = next((place for place, word in enumerate(words) if word in LUCK), len(words))
    return tuple(words[:place]), [part for word in words[place:] for part in word.split(",") if part]


def read_pairs(words: Sequence[str]) -> tuple[dict[str, str], tuple[str, ...]]:
    """`type=fire` apart from other words. Raises UsageError for a name that is given twice."""
    pairs: dict[str, str] = {}
    rest = []
    for word in words:
        match = _PAIR.fullmatch(word)
        if not match:
            rest.append(word)
        elif match[1] in pairs:
            raise UsageError(f"{match[1]} is given twice")
        else:
            pairs[match[1]] = match[2]
    return pairs, tuple(rest)


def _with_cards(
    name: str, words: Sequence[str], at: dict[str, str], table: Table
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The words of an event, as many as it takes, and the cards drawn that follow. Raises UsageError."""
    if len(words) > MOST_NUMBERS:
        raise UsageError(f"{len(words)} words are too many")
    if "cards" not in table.game.LUCK.get(name, ""):
        _tried(name, words, at, table)
        return tuple(words), ()
    words = [part for word in words for part in word.split(",") if part]
    fault: UsageError | None = None
    for count in range(len(words), -1, -1):
        try:
            _tried(name, words[:count], at, table)
        except UsageError as error:
            # The words that are surely no cards say best what is wrong.
            fault = error if fault is None or _is_card(words[count]) else fault
        else:
            return tuple(words[:count]), tuple(words[count:])
    raise fault or UsageError(f"{name} is not understood")


def written(deed: Deed, table: Table) -> str:
    """A deed as it can be typed again: `luck bryn QH cards 3D`, for there the 3 of diamonds would be one more word."""
    if not deed.cards or not deed.words:
        return str(deed)
    said, _ = _with_cards(deed.do, (*deed.words, *deed.cards), deed.at, table)
    return deed.typed(marked=said != deed.words)


def _is_card(word: str) -> bool:
    return find_code(word) is not None and not _DIE.fullmatch(word)


def read_question(words: Sequence[str], table: Table) -> tuple[tuple[str, ...], dict[str, str], int | None]:
    """What odds are asked of: words with the question's name, pairs, and how many in a row. Raises UsageError."""
    game, rest, hits = table.game, list(words), None
    usage = commands(game)["odds"][0]
    if "hits" in rest[1:]:
        place = rest.index("hits", 1)
        if place != len(rest) - 2:
            raise UsageError(f"how many hits? write {usage}")
        hits = read_number(rest[-1], 1, MOST_HITS, "hits")
        rest = rest[:place]
    at, said = read_pairs(rest)
    first = next(iter(game.QUESTIONS))
    asked = said if said and said[0] in game.QUESTIONS else (first, *said)
    try:
        game.read_question(asked, at)
    except UsageError as error:
        written = game.EVENTS.get(asked[0]) or game.QUESTIONS[asked[0]]
        raise UsageError(prompted(str(error), asked[0], written, usage)) from error
    return asked, at, hits


def _tried(name: str, words: Sequence[str], at: dict[str, str], table: Table) -> None:
    """Let the game read an event. Raises UsageError, in the words of the prompt."""
    game = table.game
    try:
        game.read_event((name, *words), at)
    except UsageError as error:
        raise UsageError(prompted(str(error), name, game.EVENTS.get(name, ""), commands(game)[name][0])) from error


def prompted(text: str, name: str, written: str, usage: str) -> str:
    """What a game says is wrong with an event, with how that is written at the prompt."""
    for known in (f"write {written}", written, f"write {written.partition(': ')[0]}"):
        if written and known in text:
            return text.replace(known, f"write {usage}")
    return text.replace(f"{name} takes no --at", f"{name} takes no")


def _lucky(deed: Deed, words: Sequence[str], known: Sequence[str]) -> Deed:
    """A deed with its luck: `cards QS dice 4 6 choose 1`. Raises UsageError."""
    cards: list[str] = []
    numbers: dict[str, list[int]] = {"dice": [], "choose": []}
    kind = ""
    for word in words:
        if word in LUCK:
            kind = word
        elif kind == "cards":
            cards.append(_card(word, known))
        else:
            numbers[kind].append(read_number(word, 1, 1000, f'what follows "{kind}"'))
    if len(words) > MOST_NUMBERS:
        raise UsageError(f"{len(words)} cards and dice are too many")
    luck = {"cards": tuple(cards), "dice": tuple(numbers["dice"]), "choices": tuple(numbers["choose"])}
    return msgspec.structs.replace(deed, **luck)


def _card(text: str, known: Sequence[str]) -> str:
    try:
        return read_code(text)
    except ValueError as error:
        hint = did_you_mean(text, [*known, "dice", "choose"])
        if hint.startswith(":"):
            raise UsageError(f'"{text[:40]}" is not understood{hint}') from error
        raise UsageError(str(error)) from error


# --- asking for luck -------------------------------------------------------------------------------------------------


def question(need: Need) -> str:
    """What to ask the table."""
    if isinstance(need, CardNeed):
        return "which card was drawn? (QS) "
    if isinstance(need, RollNeed):
        return f"roll {_rolled(need)} ({need.reason}{'; leave it empty to roll later' if need.can_wait else ''}): "
    return f"choose: {' '.join(f'{place} {option}' for place, option in enumerate(need.options, 1))} "


def wanting(missing: MissingError, deed: Deed, table: Table) -> HackjackError:
    """The error for those who cannot be asked: what is needed, and where to write it."""
    need, text = missing.need, wanted(missing, table.system)
    if isinstance(need, CardNeed):
        example = msgspec.structs.replace(deed, cards=(*deed.cards, "QS"))
        return HackjackError(f"{text}: write the card after the command, as in {written(example, table)}")
    if isinstance(need, RollNeed):
        return HackjackError(f"{text}: write dice and every face after the cards, as in dice {need.dice.faces}")
    return HackjackError(f"{text}: write choose and the number at the end, as in choose 1")


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
    named = [place for place, option in enumerate(need.options, 1) if option.casefold() == text.strip().casefold()]
    place = named[0] if named else read_number(text.strip(), 1, len(need.options), "the choice")
    return msgspec.structs.replace(deed, choices=(*deed.choices, place))


def _answer_card(word: str) -> str:
    try:
        return read_code(word)
    except ValueError as error:
        raise UsageError(str(error)) from error


# --- completion ------------------------------------------------------------------------------------------------------


def completions(line: str, begun: str, session: Session) -> list[str]:
    """What the word that was begun at the end of a line may become; a name with a space comes in quotes.

    `begun` is what readline takes for that word: in quotes the part after the last space.
    """
    place = len(line) - len(begun)
    start = line.rindex('"') if line.count('"') % 2 else place
    written = line[start:].lstrip('"')
    known = _known(split_words(line[:start]), session)
    found = [word for word in known if word.casefold().startswith(written.casefold())]
    return [f'"{word}"'[place - start :] if line[start:].startswith('"') else quoted(word) for word in found]


def _known(words: Sequence[str], session: Session) -> list[str]:
    """What may stand after these words."""
    game = session.table.game
    name = words[0].lower() if words else ""
    if not words or name == "help":
        return list(commands(game))
    if name in (*ALONE, "log"):
        return []
    if len(words) == 1 and not game.SHARED:
        return [] if name == "add" else list(session.party.names)
    return _later(name, words, session)


def _later(name: str, words: Sequence[str], session: Session) -> list[str]:
    """Words after the name."""
    table, game = session.table, session.table.game
    who = list(game.seats(game.plain_state(session.party.state()))) if game.SHARED else []
    if name == "odds":
        begun = 1 if game.SHARED else 2
        first = list(game.QUESTIONS) if len(words) == begun else []
        asked = words[begun] if len(words) > begun and words[begun] in game.QUESTIONS else next(iter(game.QUESTIONS))
        return [*first, *_marks(game.QUESTIONS[asked]), *who]
    if name == "add" and not game.SHARED:
        return [*_marks(f"add {game.NEWCOMER}")] if len(words) == 2 else []
    if name not in game.EVENTS:
        return []
    luck = game.LUCK.get(name, "").split()
    cards = left_in(session) if "cards" in luck and not table.virtual else ()
    about_card = not game.SHARED and len(words) == 2 and "CARD" in _written(game.EVENTS[name])[0]
    own = sorted(game.held(session.party.state(session.party.find(words[1])))) if about_card else []
    first = [] if "dice" in words else [*_marks(game.EVENTS[name]), *who, *own]
    return [*first, *(word for word in luck if word != "cards"), *cards]


def _marks(written: str) -> tuple[str, ...]:
    """The small words of an event as a game writes it: `critical`, `pass`, `type=`."""
    follows, _ = _written(written)
    return tuple(dict.fromkeys(_MARK.findall(_VALUE.sub("=", follows))))
