"""Many devices at one table: nothing is lost, nothing is done twice, and everybody stands at the same state."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from helpers import hackjack, lines_of_campaign
from served import Device, Served, serving

from generator.serve import app

PATIENCE = 60.0


class Onlooker(threading.Thread):
    """A device that follows the table until it has seen a line of the journal."""

    def __init__(self, device: Device, until: int) -> None:
        super().__init__(daemon=True)
        self.device, self.until, self.seen = device, until, list[int]()
        self.start()

    def run(self) -> None:
        """Follow."""
        with self.device.following() as events:
            for name, state in events:
                if name == "state":
                    self.seen.append(state["on"])
                    if state["on"] >= self.until:
                        return


def sends(served: Served, who: int, commands: int) -> Sequence[int]:
    """What one device does: each command is sent again until it is answered; one is sent twice."""
    statuses = []
    for number in (*range(commands), 0):
        while (status := served.gm.do("hit", "cara", "1", id=f"{who}-{number}")[0]) in (429, 503):
            time.sleep(0.05)
        statuses.append(status)
    return statuses


@pytest.mark.parametrize(("many", "each"), [(5, 6), pytest.param(20, 12, marks=pytest.mark.slow)])
def test_of_many_commands_by_many_devices_none_is_lost_and_none_done_twice(
    tmp_path: Path, many: int, each: int
) -> None:
    with serving(tmp_path, hackjack(), ["Cara hp 9000"]) as served:
        end = served.gm.state()["on"] + many * each
        onlookers = [Onlooker(served.gm, end) for _ in range(many)]
        with ThreadPoolExecutor(many) as devices:
            answers = list(devices.map(lambda who: sends(served, who, each), range(many)))
        for onlooker in onlookers:
            onlooker.join(PATIENCE)
        assert {status for one in answers for status in one} == {200}
        assert all(one.seen[-1] == end and one.seen == sorted(one.seen) for one in onlookers)
        state = served.gm.state()
        assert state["on"] == end and state["people"][0]["gauges"][0]["value"] == 9000 - many * each
    ids = [line.get("id", "") for line in lines_of_campaign(served.path)]
    expected = {f"{who}-{number}" for who in range(many) for number in range(each)}
    assert sorted(one for one in ids if one in expected) == sorted(expected)


def test_whoever_asks_too_much_is_let_in_again_although_they_go_on_asking(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app, "RATE", 20.0)
    monkeypatch.setattr(app, "BURST", 40.0)
    with serving(tmp_path, hackjack()) as served:
        answers = [served.gm.ask("/api/state")[:2] for _ in range(100)]
        refused = [told for status, told in answers if status == 429]
        assert refused and all(told == {"error": "too many requests: wait a little"} for told in refused)
        end = time.monotonic() + 5
        while served.gm.ask("/api/state")[0] == 429:
            assert time.monotonic() < end, "it is let in again"
