"""A sheet filled from a campaign, for characters whose names no code page of the west holds."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pytest
from helpers import page_texts, run
from pypdf import PdfReader

NAMES = ("Жанна Øst", "Łukasz", "Ελένη")


@pytest.fixture
def campaign(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A session in which each of them was hit once."""
    monkeypatch.setenv("HACKJACK_HOME", str(tmp_path / "home"))
    for name, card in zip(NAMES, ("KC", "6S", "2H"), strict=True):
        for words in (("add", name, "hp", "3"), ("hit", name, "9", card)):
            done = run("play", "hackjack", "--campaign", "north", *words)
            assert (done.code, done.err) == (0, "")
    return tmp_path


@pytest.mark.parametrize("name", NAMES)
def test_the_name_stands_in_its_field(name: str, campaign: Path) -> None:
    done = run("print", "hackjack", "sheet", "--from", f"north:{name}", "-o", campaign)
    assert (done.code, done.err) == (0, "")
    fields = PdfReader(BytesIO(Path(done.out.strip()).read_bytes())).get_fields() or {}
    assert name in [field.value for field in fields.values()]


def test_plain_sheets_have_all_of_them_in_ink(campaign: Path) -> None:
    done = run("print", "hackjack", "sheet", "--from", "north", "--plain", "-o", campaign)
    assert (done.code, done.err) == (0, "")
    files = [Path(line) for line in done.out.splitlines()]
    texts = [page for file in files for page in page_texts(file.read_bytes())]
    assert len(texts) == len(NAMES)
    assert all(any(name in text for text in texts) for name in NAMES)


@pytest.mark.slow
def test_a_name_that_cannot_be_printed_is_told_at_the_end_and_stops_nobody(campaign: Path) -> None:
    for name in ("美咲", "محمد", "Zed"):
        assert run("play", "hackjack", "--campaign", "north", "add", name, "hp", "3").code == 0
    done = run("print", "hackjack", "sheet", "--from", "north", "--plain", "-o", campaign)
    assert (done.code, len(done.out.splitlines())) == (1, len(NAMES) + 1)
    missing, joined = done.faults
    assert "美" in missing and "text in Arabic is not set in its direction" in joined
    assert run("print", "hackjack", "sheet", "--from", "north", "-o", campaign).code == 0, (
        "the viewer has fonts for all"
    )
    told = run("play", "--campaign", "north", "chronicle", "--format", "pdf", "--output", campaign / "story.pdf")
    assert told.code == 1 and "美" in told.err and not (campaign / "story.pdf").exists()
    assert "美咲" in run("play", "--campaign", "north", "chronicle", "--format", "html").out
