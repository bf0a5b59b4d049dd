"""What is wrong with the form and the meaning of a pack, as far as that is known without drawing or counting."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from generator.base.errors import Problem
from generator.check import content_checks as checks
from generator.pack import mending
from generator.pack.content import Judged
from generator.pack.strict_yaml import Marks, Trail

Placed = tuple[str, Trail, str]
"""A fault: its file, its place there, and the sentence."""


def faults(judged: Judged) -> tuple[set[Problem], list[Placed]]:
    """Return every fault of form and meaning, and those of meaning with their places.

    What has a fault of form is judged no further. A pack that nothing could be made of has faults of form alone.
    """
    if judged.pack is None:
        return {*judged.problems}, []
    marks = judged.pack.marks
    parts = {(file, _spoilt_part(judged, marks[file], file, trail)) for file, trail in judged.faults}
    meant = [
        fault for fault in checks.placed(judged.pack.system, marks) if not any(_within(fault, part) for part in parts)
    ]
    said = {marks[file].problem(trail, says) for file, trail, says in _once(meant, judged.faults)}
    return {*judged.problems, *said}, meant


def _spoilt_part(judged: Judged, marks: Marks, file: str, trail: Trail) -> Trail:
    """Return the part of a file that a fault of its form makes unknown."""
    misspelt = {written for plain, (_, written) in marks.grafts.items() if plain != written}
    return mending.spoilt_part(trail, judged.written.files[file].value, misspelt)


def _within(fault: tuple[str, Trail, str], part: tuple[str, Trail]) -> bool:
    return fault[0] == part[0] and fault[1][: len(part[1])] == part[1]


def _once(
    faults: Sequence[tuple[str, Trail, str]], spoilt: Sequence[tuple[str, Trail]]
) -> Iterator[tuple[str, Trail, str]]:
    """Leave out of the faults those of a list whose entries have no right name: what it lacks follows from that."""
    places = {*spoilt, *((file, trail) for file, trail, _ in faults)}
    misnamed = {(file, trail[:-2]) for file, trail in places if trail and trail[-1] in mending.NAMES}
    misnamed |= {(file, (*trail[:-1], "covers")) for file, trail in misnamed}
    # What a whole lacks may stand in a part of it that cannot be read.
    holders = {(file, trail[:length]) for file, trail in spoilt for length in range(len(trail))}
    # An entry whose name cannot be read may be the very one that is looked for.
    nameless = {str(trail[-3]).removesuffix("s") for _, trail in spoilt if trail[2:] and trail[-1] in mending.NAMES}
    lost = tuple(f"unknown {noun} " for noun in nameless)
    yield from (fault for fault in faults if fault[:2] not in misnamed | holders and not fault[2].startswith(lost))
