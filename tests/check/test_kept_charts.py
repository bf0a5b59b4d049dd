"""Charts are kept on disk: the same content gives the same chart without counting, any other content its own."""

from __future__ import annotations

import json
import re
import shutil
from fractions import Fraction
from pathlib import Path

import pytest
from helpers import ROOT

from generator.check import kept_charts, quoted_odds
from generator.model.blocks import OddsBlock
from generator.model.rules import System
from generator.pack import content
from generator.pack.pack_locations import user_folder


@pytest.fixture(autouse=True)
def _own_charts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here charts are kept where the user's are, and not with those of the other tests."""
    monkeypatch.setattr(kept_charts, "user_folder", user_folder)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HACKJACK_HOME", str(tmp_path))
    return tmp_path / kept_charts.FOLDER


def charts_of(*settings: tuple[str, str]) -> tuple[System, list[OddsBlock]]:
    system = content.load(ROOT / "content" / "glog", settings).system
    blocks = (block for _, file in system.panels for panel in file.panels for block in panel.blocks)
    return system, [block for block in blocks if isinstance(block, OddsBlock)]


def test_a_chart_is_counted_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    system, (block, *_) = charts_of()
    counted = quoted_odds.chart_counts(block, system)
    assert all(isinstance(share, Fraction) for each in counted.fields.values() for share in each.values())
    (kept,) = folder.glob("*.json")
    monkeypatch.setattr(quoted_odds, "_counts", lambda *_: pytest.fail("it was counted before"))
    again, (block, *_) = charts_of()
    assert quoted_odds.chart_counts(block, again) == counted
    # What stands in the file is what is shown: nobody writes it but this program.
    plain = json.loads(kept.read_text())
    plain["fields"][0] = dict.fromkeys(plain["fields"][0], "1/7")
    kept.write_text(json.dumps(plain))
    assert {*next(iter(quoted_odds.chart_counts(block, again).fields.values())).values()} == {Fraction(1, 7)}


def test_other_rules_have_charts_of_their_own(folder: Path) -> None:
    for number, settings in enumerate([(), (("per_injury", "4"),), (("severity_die", "d20"),)], 1):
        system, (block, *_) = charts_of(*settings)
        quoted_odds.chart_counts(block, system)
        assert len([*folder.glob("*.json")]) == number


@pytest.mark.slow
def test_a_picture_and_a_sentence_of_colour_leave_a_chart_as_it_is(folder: Path, tmp_path: Path) -> None:
    pack = Path(shutil.copytree(ROOT / "content" / "hackjack", tmp_path / "mine"))
    deck = (pack / "deck.yaml").read_text()

    def kept(text: str) -> int:
        (pack / "deck.yaml").write_text(text)
        system = content.load(pack).system
        blocks = [b for _, file in system.panels for panel in file.panels for b in panel.blocks]
        charts = [block for block in blocks if isinstance(block, OddsBlock) and block.in_a_row is None]
        quoted_odds.exact_counts(min(charts, key=lambda block: block.size), system)
        return len([*folder.glob("*.json")])

    assert kept(deck) == 1
    assert kept(re.sub("flavour: .*", "flavour: Another sentence.", re.sub("emblem: .*", "emblem: skull", deck))) == 1
    assert kept(deck.replace("trauma: 2", "trauma: 3", 1)) == 2


@pytest.mark.parametrize("text", ["", "{", '{"fields": 3}', '{"fields": [{"die": "1/2"}], "colour": 1}', "\0" * 90])
def test_what_is_no_chart_is_counted_anew(folder: Path, text: str) -> None:
    system, (block, *_) = charts_of()
    counted = quoted_odds.chart_counts(block, system)
    (kept,) = folder.glob("*.json")
    kept.write_text(text)
    assert quoted_odds.chart_counts(block, system) == counted
    assert kept.read_text() != text


@pytest.mark.parametrize("share", ["1/0", "many", "1/2/3"])
def test_a_share_that_is_none_is_counted_anew(folder: Path, share: str) -> None:
    system, (block, *_) = charts_of()
    counted = quoted_odds.chart_counts(block, system)
    (kept,) = folder.glob("*.json")
    plain = json.loads(kept.read_text())
    plain["fields"][0] = dict.fromkeys(plain["fields"][0], share)
    kept.write_text(json.dumps(plain))
    assert quoted_odds.chart_counts(block, system) == counted


def test_the_oldest_charts_go(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_charts, "MAX_KEPT", 1)
    for settings in ((), (("per_injury", "4"),)):
        system, (block, *_) = charts_of(*settings)
        quoted_odds.chart_counts(block, system)
    assert len([*folder.glob("*.json")]) == 1


def test_without_a_folder_charts_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("no folder")
    for home in (str(tmp_path / "file"), None):
        monkeypatch.setenv("HACKJACK_HOME", home) if home else monkeypatch.delenv("HACKJACK_HOME")
        for name in ("XDG_DATA_HOME", "LOCALAPPDATA", "HOME"):
            monkeypatch.setenv(name, "")
        system, (block, *_) = charts_of()
        assert quoted_odds.chart_counts(block, system).fields
