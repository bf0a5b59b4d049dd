"""One deck for two systems: each card says what it does in the one, and below that what it does in the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from generator.layout import card_elements as elements
from generator.words.wording import capitalised


def merged_faces(
    first: Sequence[elements.Face], second: Sequence[elements.Face], titles: tuple[str, str]
) -> tuple[elements.Face, ...]:
    """Return both decks on the cards of the first. A card that only one of them has stays as it is there.

    Lines of colour and pictures give way to rules; what the second system counts stands in a sentence, so that no
    figure at the foot can be taken for one of the other system.
    """
    below = {face.code: face for face in second}
    codes = {face.code for face in first}
    alone = (face for face in second if face.code not in codes)
    return (*(_joined(face, below.get(face.code), titles) for face in first), *alone)


def _joined(face: elements.Face, other: elements.Face | None, titles: tuple[str, str]) -> elements.Face:
    if other is None:
        return face
    parts: list[elements.Part] = []
    for part in face.parts:
        match part:
            case elements.Rule():
                parts.append(elements.Rule(titles[0]))
            case elements.Flavour() | elements.CardArt() | elements.Short() | elements.Badge():
                continue
            case _:
                parts.append(part)
    parts += _second_parts(other, titles[1])
    parts.append(
        elements.Short(
            "; ".join(filter(None, (elements.short_form(face), f"{titles[1]}: {elements.short_form(other)}")))
        )
    )
    parts += [part for part in face.parts if isinstance(part, elements.Badge)]
    return elements.Face(face.code, face.suit, tuple(parts), face.yields)


def _second_parts(face: elements.Face, title: str) -> Iterator[elements.Part]:
    """Yield a card's parts in the other system: the system and name, its sentences, its counts."""
    name = next((part.text for part in face.parts if isinstance(part, elements.Title)), face.code)
    yield elements.CardEffect(name, "", title)
    yield from (
        part
        for part in face.parts
        if isinstance(part, elements.CardEffect | elements.Scale | elements.Blank | elements.CardTrack)
    )
    counts = [
        " ".join(filter(None, (part.caption, part.number))) for part in face.parts if isinstance(part, elements.Badge)
    ]
    figures = ", ".join(counts)
    if figures.casefold() not in ("", name.casefold()):
        yield elements.CardEffect(capitalised(figures), "")
