"""One deck for two systems: each card says what it does in the one, and below that what it does in the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from generator.layout.card_elements import (
    Art,
    Badge,
    Blank,
    Effect,
    Face,
    Flavour,
    Part,
    Rule,
    Scale,
    Short,
    Title,
    Track,
    short_form,
)
from generator.words.wording import capitalised


def together(first: Sequence[Face], second: Sequence[Face], titles: tuple[str, str]) -> tuple[Face, ...]:
    """Both decks on the cards of the first. A card that only one of them has stays as it is there.

    Lines of colour and pictures give way to rules; what the second system counts stands in a sentence, so that no
    figure at the foot can be taken for one of the other system.
    """
    below = {face.code: face for face in second}
    known = {face.code for face in first}
    alone = (face for face in second if face.code not in known)
    return (*(_joined(face, below.get(face.code), titles) for face in first), *alone)


def _joined(face: Face, other: Face | None, titles: tuple[str, str]) -> Face:
    if other is None:
        return face
    parts: list[Part] = []
    for part in face.parts:
        match part:
            case Rule():
                parts.append(Rule(titles[0]))
            case Flavour() | Art() | Short() | Badge():
                continue
            case _:
                parts.append(part)
    parts += _told(other, titles[1])
    parts.append(Short("; ".join(filter(None, (short_form(face), f"{titles[1]}: {short_form(other)}")))))
    parts += [part for part in face.parts if isinstance(part, Badge)]
    return Face(face.code, face.suit, tuple(parts), face.yields)


def _told(face: Face, title: str) -> Iterator[Part]:
    """What a card does in another system: the system and the name, then its sentences, then what it counts."""
    name = next((part.text for part in face.parts if isinstance(part, Title)), face.code)
    yield Effect(name, "", title)
    yield from (part for part in face.parts if isinstance(part, Effect | Scale | Blank | Track))
    counts = [" ".join(filter(None, (part.caption, part.number))) for part in face.parts if isinstance(part, Badge)]
    said = ", ".join(counts)
    if said.casefold() not in ("", name.casefold()):
        yield Effect(capitalised(said), "")
