"""The trial of endurance: a short one finds nothing, and what would be lost is noticed."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import pytest
from helpers import ROOT, write_campaign

pytest.importorskip("resource", reason="limits and forks of POSIX")

from endure import COLUMNS, Row, rows
from forked import Forked, forked
from mutations import spoilt_pages, spoilt_text
from trials import OLD, Prints, Told, _kept


@pytest.mark.slow
def test_one_of_each_trial_loses_nothing(tmp_path: Path) -> None:
    command = [sys.executable, "fuzz/endure.py", "--minutes", "0", "--seed", "11"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    head, _, *lines, _, how = done.stdout.splitlines()
    assert [cell.strip() for cell in head.strip("|").split("|")] == ["what", *COLUMNS]
    table = {name.strip(): cells for name, *cells in (line.strip("|").split("|") for line in lines)}
    assert [*table] == [row.said for row in rows(tmp_path).values()]
    for name, (tried, *counts, slowest, memory) in table.items():
        assert int(tried) >= 1, name
        assert all(count.strip() in ("0", "-") for count in counts), name
        assert float(slowest.strip().removesuffix(" s")) < 5, name
        assert 20 < float(memory.strip().removesuffix(" MB")) < 1000, name
    assert "kills. Made on" in how and "seed 11" in how


def test_the_guide_shows_a_full_trial_that_lost_nothing(tmp_path: Path) -> None:
    guide = (ROOT / "docs" / "faults.md").read_text(encoding="utf-8")
    _, below = guide.split(f"| what | {' | '.join(COLUMNS)} |\n")
    lines, _, how = below.partition("\n\n")
    table = {name.strip(): cells for name, *cells in (line.strip("|").split("|") for line in lines.splitlines()[1:])}
    full = rows(tmp_path)
    assert [*table] == [row.said for row in full.values()]
    for row in full.values():
        tried, *counts, slowest, memory = (cell.strip().replace(",", "") for cell in table[row.said])
        assert int(tried) >= row.full, row.said
        assert set(counts) <= {"0", "-"}, row.said
        assert float(slowest.removesuffix(" s")) < 5 and int(memory.removesuffix(" MB")) < 1000, row.said
    assert sum(row.full for row in full.values() if row.said.endswith("killed")) >= 1000
    assert re.match(r"[\d,]+ kills\. Made on 20\d\d-\d\d-\d\d in \d+ minutes, seed \d+, Python 3", how)


def test_a_name_that_is_none_is_told() -> None:
    command = [sys.executable, "fuzz/endure.py", "--only", "nothing"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 2 and "name one of journals, commands, page, " in done.stderr


# --- what would be lost is noticed -----------------------------------------------------------------------------------


def test_a_command_that_vanishes_or_stands_twice_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "a.hackjack"
    write_campaign(path, *(json.dumps({"id": id}).encode() for id in ("", "a", "b", "b")))
    told = Told()
    _kept(told, path, {"a", "b", "c"}, "now")
    assert told.faults == ["lost: c, now", "lost: a command stands twice in the journal, now"]


@pytest.mark.parametrize(
    ("held", "swept", "says"),
    [
        ({"a.pdf": b"whole", "b.pdf": OLD}, True, []),
        ({"a.pdf": b"who", "b.pdf": OLD}, True, ["a.pdf is half a file of 3 bytes"]),
        ({"a.pdf": b"whole"}, True, ["the old b.pdf is gone"]),
        ({"b.pdf": OLD, ".a.pdf.12345678": b"w"}, False, []),
        ({"b.pdf": OLD, ".a.pdf.12345678": b"w"}, True, [".a.pdf.12345678 lies about"]),
        ({"b.pdf": OLD, "a.tmp": b"w"}, False, ["a.tmp lies about"]),
    ],
)
def test_half_a_file_is_noticed(held: dict[str, bytes], swept: bool, says: list[str], tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    for name, data in held.items():
        (tmp_path / "out" / name).write_bytes(data)
    told = Told()
    Prints(tmp_path).judge(told, tmp_path, {"a.pdf": b"whole", "b.pdf": b"new"}, {"b.pdf": OLD}, swept=swept)
    assert told.faults == [f"lost: {said}" for said in says]
    assert told.lost == len(says)


def _raise() -> int:
    raise ValueError("nobody foresaw this")


def _abort() -> int:
    os.kill(os.getpid(), signal.SIGTRAP)
    return 0


def _hang() -> int:
    time.sleep(60)
    return 0


# Newer versions of Python warn of forks beside threads, of which the runner of the tests has some.
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_process_that_fails_aborts_or_hangs_is_noticed(tmp_path: Path) -> None:
    told = Told(tried=4)
    assert told.ended(forked(lambda: 3, tmp_path)).status == 3
    assert told.faults == []
    for work, fault in ((_raise, "status 70: "), (_abort, "aborted: SIGTRAP"), (_hang, "hung")):
        process: Forked = forked(work, tmp_path)
        end = told.ended(process, patience=0.5)
        assert told.faults[-1].startswith(fault), end
    assert "ValueError: nobody foresaw this" in told.faults[0]
    row = Row("something", lambda *_: told, 1)
    # What runs the tests may have grown large by now, and its forks begin as large.
    faults = [fault for fault in row.add(0, told, "something")[1:] if "memory" not in fault]
    assert faults == ["something 0: aborted: SIGTRAP", "something 0: hung"]
    assert row.cells()[:6] == ["4", "0", "1", "1", "1", "-"]


def test_the_same_seed_does_the_same_damage() -> None:
    tables = (ROOT / "content" / "glog" / "tables.yaml").read_bytes()
    for spoil, data in ((spoilt_text, tables), (spoilt_pages, bytes(range(256)) * 64)):
        made = [spoil(Random(seed), data) for seed in range(20)]
        assert made == [spoil(Random(seed), data) for seed in range(20)]
        assert len({*made, data}) > 15
