"""kill -9 between two halves of one write: at every place of a line, in real processes, with nothing told lost."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from helpers import ROOT, hackjack

from generator.session.deeds import Deed
from generator.session.journal import open_journal, read_file
from generator.session.session import new_campaign

WRITER = """
import os, sys, time
from pathlib import Path
from generator.pack import content
from generator.session.deeds import Deed
from generator.session.journal import open_journal
from generator.session.session import new_campaign

path, cut = Path(sys.argv[1]), int(sys.argv[2])
system = content.load(content.find("hackjack")).system
write = os.write

def in_two(handle, data):
    # The kernel has the first part of the line; the rest never comes.
    if handle < 3 or b'"poison"' not in data:
        return write(handle, data)
    write(handle, data[:cut])
    write(1, b"half\\n")
    time.sleep(60)

journal = open_journal(path, system, new_campaign(system))
for deed in (Deed("add", "bryn", ("hp", "7")), Deed("hold", "bryn"), Deed("release", "bryn")):
    write(1, f"{journal.do(deed).command}\\n".encode())
os.write = in_two
print(journal.do(Deed("poison", "bryn", ("3",))).command, flush=True)
"""
TOLD = ["add bryn hp 7", "hold bryn", "release bryn"]
LENGTH = len(
    '{"deeds":[{"do":"poison","who":"bryn","words":["3"]}],"id":"0123456789abcdef","time":1795388715,"crc":"00000000"}\n'
)


@pytest.mark.parametrize("cut", [1, 9, 42, 90, LENGTH - 12, LENGTH - 2, LENGTH - 1])
def test_a_process_that_is_killed_in_the_middle_of_a_write(cut: int, tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    command = [sys.executable, "-c", WRITER, str(path), str(cut)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, encoding="utf-8") as writer:
        assert writer.stdout is not None
        told = [writer.stdout.readline().strip() for _ in range(4)]
        assert told == [*TOLD, "half"], "the last deed is never told"
        writer.send_signal(signal.SIGKILL)
        assert writer.stdout.read() == ""
        assert writer.wait() == -signal.SIGKILL
    reading = read_file(path, hackjack())
    assert reading.session is not None
    assert [str(moment.command.deeds[0]) for moment in reading.session.moments()][::-1][:3] == TOLD
    whole = cut == LENGTH - 1
    assert len(reading.torn) == (0 if whole else cut), "a line that lacks only its end is whole"
    assert reading.session.party.state("bryn").score == (3 if whole else 0)
    campaign = new_campaign(hackjack())
    journal = open_journal(path, hackjack(), campaign)
    assert [str(moment.command.deeds[0]) for moment in journal.session.moments()][::-1][:3] == TOLD
    assert len(journal.notices) == (0 if whole else 1)
    journal.do(Deed("drain", "bryn", ("2",)))
    lines = path.read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["deeds"][0]["do"] for line in lines[1:4]] == ["add", "hold", "release"]
    assert read_file(path, hackjack()).torn == b""


def test_a_process_that_is_killed_between_the_line_and_the_disk(tmp_path: Path) -> None:
    """The line is written, the answer is not: it is kept, and nobody was told otherwise."""
    program = WRITER.replace("write(handle, data[:cut])", "write(handle, data)")
    path = tmp_path / "t.jsonl"
    command = [sys.executable, "-c", program, str(path), "0"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, encoding="utf-8") as writer:
        assert writer.stdout is not None
        assert [writer.stdout.readline().strip() for _ in range(4)] == [*TOLD, "half"]
        os.kill(writer.pid, signal.SIGKILL)
        writer.wait()
    reading = read_file(path, hackjack())
    assert reading.session is not None
    assert reading.torn == b""
    assert reading.session.party.state("bryn").score == 3
