"""Waiting until files that somebody writes have settled."""

from __future__ import annotations

import os
from pathlib import Path

from generator.base import watching
from generator.base.watching import PATIENCE, POLL, Stamp, settled

A, B = Path("a"), Path("b")


class Clock:
    """Time that passes only while somebody sleeps, and files that change at set moments."""

    def __init__(self, *changes: tuple[float, dict[Path, int]]) -> None:
        self.time = 0.0
        self.changes = changes

    def sleep(self, seconds: float) -> None:
        self.time += seconds
        assert self.time < 60, "it waits for ever"

    def look(self) -> Stamp:
        past = [files for moment, files in self.changes if moment <= self.time + 1e-9]
        return {path: (stamp, 1, 1) for path, stamp in past[-1].items()}

    def wait(self) -> dict[Path, int]:
        seen = settled(self.look(), self.look, self.sleep, lambda: self.time)
        return {path: stamp[0] for path, stamp in seen.items()}


def test_a_change_is_taken_up_once_it_has_settled() -> None:
    clock = Clock((0, {A: 1}), (1.0, {A: 2}))
    assert clock.wait() == {A: 2}
    assert clock.time <= 1.0 + 3 * POLL


def test_a_file_written_in_steps_is_taken_up_once() -> None:
    steps = [(1.0 + 0.6 * POLL * step, {A: 2 + step}) for step in range(6)]
    clock = Clock((0, {A: 1}), *steps)
    assert clock.wait() == {A: 7}


def test_a_file_that_is_away_for_a_moment_was_not_taken_away() -> None:
    clock = Clock((0, {A: 1, B: 1}), (1.0, {B: 1}), (1.3, {A: 2, B: 1}))
    assert clock.wait() == {A: 2, B: 1}
    assert clock.time < 1.3 + 3 * POLL


def test_a_file_that_stays_away_is_gone() -> None:
    clock = Clock((0, {A: 1, B: 1}), (1.0, {B: 1}))
    assert clock.wait() == {B: 1}
    assert 1.0 + PATIENCE <= clock.time < 1.0 + PATIENCE + 4 * POLL


def test_what_was_put_back_as_it_was_has_not_changed() -> None:
    clock = Clock((0, {A: 1}), (1.0, {}), (1.2, {A: 1}), (3.0, {A: 2}))
    assert clock.wait() == {A: 2}
    assert clock.time >= 3.0


def test_the_stamp_of_a_file_tells_another_file_of_the_same_time_and_length(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).write_text(name)
        os.utime(tmp_path / name, ns=(5, 5))
    before = watching.stamped([tmp_path / "one", tmp_path / "gone", tmp_path / "one\0"])
    (tmp_path / "two").replace(tmp_path / "one")
    assert before.keys() == {tmp_path / "one"}
    assert watching.stamped([tmp_path / "one"]) != before


# --- one round after the other ---------------------------------------------------------------------------------------
