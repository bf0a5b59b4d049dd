"""Journals that a newer program wrote: every command says so in one sentence, and touches nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from helpers import ROOT, run

from generator.session.campaigns import campaign_file
from generator.session.deeds import VERSION, Campaign, Command, Continuation, Deed, Later
from generator.session.journal_lines import seal

SAVED = ROOT / "tests" / "saved_0_2" / "journals" / "hackjack-real.jsonl"
FIELDS = {
    4: {
        Campaign: "version system content rulings deck seed order numbers checksum dice",
        Continuation: "version content checksum",
        Command: "deeds id by time mends later",
        Later: "line deeds",
        Deed: "do who words cards dice choices order at given",
    }
}
"""What each kind of line holds, by the version of the journal."""


def test_what_lines_hold_has_a_version() -> None:
    """An older program refuses keys that it does not know; only by the version can it say why."""
    held = {kind: " ".join(kind.__struct_fields__) for kind in FIELDS[VERSION]}
    assert held == FIELDS[VERSION], "count VERSION up, and add what its lines hold"


def newer(name: str) -> bytes:
    """A journal that a newer program began, or in which it has gone on."""
    told = {"version": VERSION + 1, "of": {"system": "hackjack"}, "seal": "sha256"}
    if name == "begun":
        return seal(json.dumps(told).encode(), 0)[0] + b'{"deed":"of another kind"}\n'
    return SAVED.read_bytes() + json.dumps(told).encode() + b"\n" + b'{"deed":"of another kind"}\n'


@pytest.mark.parametrize("name", ["begun", "gone_on"])
@pytest.mark.parametrize(
    "words",
    [
        "play --campaign NAME show",
        "play --campaign NAME undo",
        "play --campaign NAME export",
        "play --campaign NAME --format md --output OUT/told.md chronicle",
        "serve --campaign NAME",
        "print hackjack sheet --from NAME -o OUT",
    ],
)
def test_every_command_names_a_newer_journal(
    words: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HACKJACK_HOME", str(tmp_path / "home"))
    path = campaign_file(name)
    path.parent.mkdir(parents=True)
    path.write_bytes(newer(name))
    ran = run(*words.replace("NAME", name).replace("OUT", str(tmp_path / "out")).split())
    line = 1 if name == "begun" else len(SAVED.read_bytes().splitlines()) + 1
    since = "" if name == "begun" else "from here on "
    assert (ran.code, ran.out) == (1, "")
    assert ran.faults == [
        f"{path}:{line}: {since}the journal is of version {VERSION + 1}, and this program reads 1 to {VERSION}: play "
        "on with the newer hackjack that wrote it"
    ]
    assert path.read_bytes() == newer(name)
    assert not (tmp_path / "out").exists()
