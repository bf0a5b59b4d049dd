"""Numbers under a cup: they count as what they are, and nobody reads them where they are written.

A sealed text keeps a number from eyes that only look: it is no lock, since this program opens it.
"""

import re
from collections.abc import Sequence

PATTERN = r"^hidden-[0-9a-f]{8}([0-9a-f]{8}){1,400}$(?!\n)"
_WORD = 4
"""Bytes of a number, and of the salt before the first."""


class Hidden(int):
    """A number that nobody is told: it is figured with like any other, and written as `hidden`."""

    def __repr__(self) -> str:
        return "hidden"

    __str__ = __repr__

    def __format__(self, how: str, /) -> str:
        return "hidden"


def seal(numbers: Sequence[int], about: bytes) -> str:
    """Return numbers of up to 31 bits as a text that `unseal` reads; `about` makes equal numbers look different."""
    salt = _digest(about)[:_WORD]
    words = (int(number).to_bytes(_WORD, "big", signed=True) for number in numbers)
    return f"hidden-{salt.hex()}{b''.join(_turned(word, salt, at) for at, word in enumerate(words)).hex()}"


def reseal(value: object, about: bytes) -> object:
    """Return a sealed text under another salt, so that equal numbers of two people look different."""
    if not (isinstance(value, str) and re.match(PATTERN, value)):
        return value
    return seal(unseal(value), about + value.encode())


def unseal(text: str) -> tuple[int, ...]:
    """Return the numbers of a sealed text. Raises ValueError."""
    if not re.match(PATTERN, text):
        raise ValueError("this is not a sealed number")
    raw = bytes.fromhex(text.removeprefix("hidden-"))
    salt, *words = (raw[at : at + _WORD] for at in range(0, len(raw), _WORD))
    return tuple(int.from_bytes(_turned(word, salt, at), "big", signed=True) for at, word in enumerate(words))


def _digest(data: bytes) -> bytes:
    # Only here, because few events hide a number.
    from hashlib import sha256

    return sha256(data).digest()


def _turned(word: bytes, salt: bytes, at: int) -> bytes:
    key = _digest(salt + at.to_bytes(_WORD, "big"))
    return bytes(one ^ other for one, other in zip(word, key, strict=False))
