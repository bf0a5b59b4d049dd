"""Many devices at one table: nothing is lost, nothing is done twice, and everybody stands at the same state."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from helpers import hackjack
from served import Device, Served, serving

DEVICES, EACH = 50, 4
PATIENCE = 20.0


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


def sends(served: Served, who: int) -> Sequence[int]:
    """What one device does: each command is sent again until it is answered; one is sent twice."""
    statuses = []
    for number in (*range(EACH), 0):
        while (status := served.gm.do("hit", "cara", "1", id=f"{who}-{number}")[0]) in (429, 503):
            time.sleep(0.05)
        statuses.append(status)
    return statuses


def test_of_many_commands_by_many_devices_none_is_lost_and_none_done_twice(tmp_path: Path) -> None:
    with serving(tmp_path, hackjack(), ["Cara hp 900"]) as served:
        end = served.gm.state()["on"] + DEVICES * EACH
        onlookers = [Onlooker(served.gm, end) for _ in range(DEVICES)]
        with ThreadPoolExecutor(DEVICES) as devices:
            answers = list(devices.map(lambda who: sends(served, who), range(DEVICES)))
        for onlooker in onlookers:
            onlooker.join(PATIENCE)
        assert {status for each in answers for status in each} == {200}
        assert all(each.seen[-1] == end and each.seen == sorted(set(each.seen)) for each in onlookers)
        state = served.gm.state()
        assert state["on"] == end and state["people"][0]["gauges"][0]["value"] == 900 - DEVICES * EACH
    ids = [json.loads(line).get("id", "") for line in served.path.read_text(encoding="utf-8").splitlines()]
    expected = {f"{who}-{number}" for who in range(DEVICES) for number in range(EACH)}
    assert sorted(each for each in ids if each in expected) == sorted(expected)


def test_an_address_that_asks_too_much_is_let_in_again_although_it_goes_on_asking(tmp_path: Path) -> None:
    with serving(tmp_path, hackjack()) as served, ThreadPoolExecutor(8) as devices:
        asked = devices.map(lambda _: served.gm.ask("/api/links"), range(900))
        refused = [each[1] for each in asked if each[0] == 429]
        assert refused and all(each == {"error": "too many requests: wait a little"} for each in refused)
        end = time.monotonic() + PATIENCE
        while served.gm.ask("/api/links")[0] == 429:
            assert time.monotonic() < end
