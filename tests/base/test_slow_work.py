"""Work on a thread of its own can be stopped wherever it is, even in a finalizer, which swallows what it raises."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

import pytest

from generator.serve.slow_work import SlowWork


def _steps_for(seconds: float) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pass


class _DiesSlowly:
    def __del__(self) -> None:
        _steps_for(0.08)


def _mostly_finalizers() -> None:
    while True:
        _DiesSlowly()
        _steps_for(0.02)


def _only_steps() -> None:
    while True:
        pass


@pytest.mark.parametrize("endless", [_mostly_finalizers, _only_steps])
def test_what_nobody_waits_for_any_more_ends_and_lets_the_next_job_begin(endless: Callable[[], None]) -> None:
    async def stop_and_go_on() -> list[int]:
        slow = SlowWork("test")
        answers = []
        for number in range(3):
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(slow.do(endless), 0.05)
            answers.append(await asyncio.wait_for(slow.do(lambda: number), 20))  # noqa: B023
        return answers

    assert asyncio.run(stop_and_go_on()) == [0, 1, 2]
