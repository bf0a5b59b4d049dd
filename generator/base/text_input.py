"""Text that comes in: composed at every door; names of those at the table, numbers, and words in quotes."""

import re
import unicodedata
from collections.abc import Callable, Iterable
from math import inf

from generator.base.errors import HackjackError, UsageError, did_you_mean
from generator.base.late import late_pattern

MAX_NAME_LENGTH = 40
_INVISIBLE = frozenset(map(chr, (0x34F, 0x115F, 0x1160, 0x17B4, 0x17B5, *range(0x180B, 0x1810), 0x3164, 0xFFA0))) | {
    *map(chr, range(0xFE00, 0xFE10))
}
"""Letters and marks of Unicode that show nothing."""
_LOOKS_LIKE = str.maketrans(
    "АВЕКМНОРСТУХІЈЅаеорсухіјѕԁԛԝһᴏΑΒΕΖΗΙΚΜΝΟΡΤΥΧονρ01ӀǀƖι",  # noqa: RUF001
    "ABEKMHOPCTYXIJSaeopcyxijsdqwhoABEZHIKMNOPTYXovpOlllli",
)
"""Cyrillic and Greek letters and figures, each with the Latin letter that it looks like."""


def composed(text: str) -> str:
    """Return text as every door takes it: accents on their letters (NFC), suits as plain signs."""
    if text.isascii():
        return text
    return _AS_EMOJI.sub("", unicodedata.normalize("NFC", text))


_AS_EMOJI = late_pattern("(?<=[\u2660-\u2667])[\ufe0e\ufe0f]")
"""What asks for the picture of a suit, or for its plain sign."""


def decoded(raw: bytes) -> str:
    """Return the text that bytes hold, without a byte order mark. Raises UsageError if they are no UTF-8."""
    try:
        return composed(raw.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise UsageError("this is not UTF-8 text: save it as UTF-8") from error


def name_key(name: str) -> str:
    """Return a text that is the same for names that are one: phones type curly apostrophes, computers straight ones."""
    return composed(name).replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").casefold()


def read_name(typed: str) -> str:
    """A name in good order: letters of any script, digits, - _ ' . and single spaces inside. Raises UsageError."""
    name = composed(typed)
    if not 1 <= len(name) <= MAX_NAME_LENGTH:
        raise UsageError(f"a name has 1 to {MAX_NAME_LENGTH} letters")
    if what := _fault(name):
        raise UsageError(
            f'"{name}" is not a valid name for a character: {what}' if name.isprintable() else f"no name: {what}"
        )
    return name


def _fault(name: str) -> str:
    """What is wrong with a name; empty when nothing is."""
    stray = (letter for letter in name if unicodedata.category(letter)[0] not in "LMN" and letter not in "-_'\u2019. ")
    if letter := next(stray, ""):
        return f"{letter!a} cannot be in it"
    if letter := next((letter for letter in name if letter in _INVISIBLE), ""):
        return f"{letter!a} in it is invisible"
    if unicodedata.category(name[0])[0] != "L":
        return "it begins with a letter"
    return "single spaces stand between its words, and nowhere else" if name != " ".join(name.split()) else ""


def check_free_name(name: str, names: Iterable[str]) -> None:
    """Raise HackjackError if somebody has this name already, or one that looks the same in another alphabet."""
    for other in names:
        if name_key(other) == name_key(name):
            raise HackjackError(f"{other} is at the table already: take another name")
        if _looks(other) == _looks(name):
            raise HackjackError(f"{name} looks like {other}, who is at the table already: take another name")


def _looks(name: str) -> str:
    """Return a text that is the same for names that look the same."""
    return unicodedata.normalize("NFKC", name).translate(_LOOKS_LIKE).casefold()


_SPELLED_OUT = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "æ": "ae", "ø": "oe", "å": "aa", "'": "", "\u2019": ""}
)
MAX_ID = 36


def id_from(title: str) -> str:
    """Return the id that is made of a title: a letter, then a-z, 0-9 and _; a number of its own in other scripts."""
    letters = unicodedata.normalize("NFKD", unicodedata.normalize("NFC", title).lower().translate(_SPELLED_OUT))
    plain = "".join(letter for letter in letters if not unicodedata.combining(letter))
    plain = re.sub("[^a-z0-9]+", "_", plain).strip("_")
    if not plain:
        # Only here, because few titles have none of these letters.
        from hashlib import blake2b

        plain = blake2b(title.encode(), digest_size=4).hexdigest()
    return (plain if plain[0].isalpha() else f"n{plain}")[:MAX_ID].strip("_")


def free_id(title: str, is_taken: Callable[[str], bool]) -> str:
    """Return the id that is made of a title, with a number behind it while it is taken."""
    return numbered_id(id_from(title), is_taken)


def numbered_id(name: str, is_taken: Callable[[str], bool]) -> str:
    """Return an id, with a number behind it while it is taken."""
    numbered = (f"{name[:MAX_ID]}_{number}" for number in range(2, 999))
    return next(free for free in (name, *numbered) if not is_taken(free))


def plain_text(typed: str) -> str:
    """Return a text in single spaces without control characters and signs that turn writing round."""
    controls = ("Cc", "Zl", "Zp")
    typed = composed(typed)
    letters = (" " if unicodedata.category(letter) in controls or letter in _TURNS else letter for letter in typed)
    return " ".join("".join(letters).split())


_TURNS = frozenset(map(chr, (0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A), 0xFEFF)))


def find_name(typed: str, names: Iterable[str]) -> str:
    """Return the one whom a name or the beginning of one means, in either case. Raises UsageError with a suggestion."""
    sought = name_key(typed)
    folded = {name_key(name): name for name in names}
    if sought in folded:
        return folded[sought]
    near = [name for key, name in folded.items() if sought and key.startswith(sought)]
    if len(near) == 1:
        return near[0]
    if near:
        raise UsageError(f'"{typed[:40]}" could be {" or ".join(near[:8])}: write more of the name')
    hint = did_you_mean(typed, folded.values()) if folded else ": add somebody first (add NAME)"
    raise UsageError(f'nobody here is called "{typed[:40]}"{hint}')


def in_any_case(typed: str, words: Iterable[str]) -> str:
    """Return the known word that was typed, whatever the case of its letters; what was typed where there is none."""
    folded = {name_key(word): word for word in words}
    return folded.get(name_key(typed), typed)


def quoted_word(word: str) -> str:
    """A word as it is typed among others: in double quotes when it holds a space."""
    return f'"{word}"' if " " in word else word


def split_words(line: str) -> list[str]:
    """Return a line as words; a part in double quotes keeps its spaces. Raises UsageError for an open quote."""
    line = composed(line)
    if line.count('"') % 2:
        raise UsageError(f"a quotation mark is not closed: {line.strip()[:60]}")
    return [part.replace('"', "") for part in re.findall(r'(?:[^\s"]|"[^"]*")+', line)]


def read_number(what: str, text: str, least: float = -inf, most: float = inf, *, plus: bool = False) -> int:
    """A whole number, within bounds where there are any; `plus`: it may have that sign too. Raises UsageError."""
    if not re.fullmatch(r"[+-]?[0-9]{1,40}" if plus else r"-?[0-9]{1,40}", text):
        raise UsageError(f'{what} takes a whole number, not "{text[:40]}"')
    number = int(text)
    if not least <= number <= most:
        raise UsageError(f"{what} {number:,}: write a number from {least:,} to {most:,}")
    return number
