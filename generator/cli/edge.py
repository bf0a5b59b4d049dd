"""What comes in and goes out: JSON is UTF-8 always, and text keeps to the signs that the other side can show."""

import codecs
import io
import os
import sys
import unicodedata

import click

_SIGNS = {
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u00b7", "-"),  # hyphens, dashes, minus, middle dot
    **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032", "'"),
    **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb", '"'),
    **dict.fromkeys("\u2039\u203a", "'"),
    **dict.fromkeys("\u2020\u2021\u2022", "*"),  # daggers and the bullet
    **dict.fromkeys("\u2663\u2667", "C"),
    **dict.fromkeys("\u2660\u2664", "S"),
    **dict.fromkeys("\u2666\u2662", "D"),
    **dict.fromkeys("\u2665\u2661", "H"),
    **dict.fromkeys("\u2044\u00f7\u2215", "/"),
    "\u00d7": "x",
    "\u00b1": "+-",
    "\u2190": "<-",
    "\u2192": "->",
    "\u2248": "~",
    "\u2260": "!=",
    "\u2264": "<=",
    "\u2265": ">=",
    "\u00df": "ss",
    "\u00e6": "ae",
    "\u00c6": "AE",
    "\u0153": "oe",
    "\u0152": "OE",
    "\u00f8": "o",
    "\u00d8": "O",
}
"""Signs that old code pages lack, and what stands for them; letters with accents lose those."""

_PLAIN = "hackjack-plain"
_ASCII = "hackjack-ascii"


def prepare() -> None:
    """Let standard output and error say in plain signs what they could not show, and input never fail on a byte."""
    _open_closed_streams()
    codecs.register_error(_PLAIN, _in_plain_signs)
    codecs.register(_ascii)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            ascii_alone = codecs.lookup(stream.encoding).name == "ascii"
            stream.reconfigure(encoding=_ASCII if ascii_alone else stream.encoding, errors=_PLAIN)
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")


def _open_closed_streams() -> None:
    """Send standard output and error that the caller has closed (`2>&-`) to nowhere.

    Otherwise the next file that opens, such as a campaign, would get the number of standard output.
    """
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            # Takes the lowest number that is free, which is the closed stream's own.
            nowhere = os.open(os.devnull, os.O_RDWR)
            setattr(sys, name, os.fdopen(nowhere, "w", encoding="utf-8"))


def write_utf8(text: str) -> None:
    """Write a line to standard output in UTF-8, even if the terminal has another encoding."""
    stream = sys.stdout
    if isinstance(stream, io.TextIOWrapper) and codecs.lookup(stream.encoding).name != "utf-8":
        click.echo(text.encode(errors="replace"))
    else:
        click.echo(text)


def plain_signs(text: str) -> str:
    """The text in ASCII: the sign that is most like each of its signs, and a question mark where there is none."""
    return "".join(map(_plain_sign, text))


def _plain_sign(sign: str) -> str:
    if unicodedata.category(sign) in ("Mn", "Me", "Cf"):
        return ""
    letters = (_SIGNS.get(part, part) for part in _SIGNS.get(sign) or unicodedata.normalize("NFKD", sign))
    letters_alone = "".join(part for part in letters if not unicodedata.combining(part[0]))
    return letters_alone if letters_alone and letters_alone.isascii() else "?"


def _in_plain_signs(error: UnicodeError) -> tuple[str, int]:
    """What an encoder writes for signs that it does not have."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return plain_signs(error.object[error.start : error.end]), error.end


def _ascii(name: str) -> codecs.CodecInfo | None:
    """ASCII by another name: click takes a stream of the usual name for a mistake and writes UTF-8 to it."""
    if name.replace("_", "-") != _ASCII:
        return None
    from encodings.ascii import getregentry

    codec = getregentry()
    codec.name = _ASCII
    return codec
