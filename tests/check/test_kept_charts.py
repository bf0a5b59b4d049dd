"""Charts are kept on disk: the same content gives the same chart without counting, any other content its own.

Those of the systems that ship, which take long, lie beside their rules.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import msgspec
import pytest
from helpers import ROOT

from generator.check import kept_charts, quoted_odds
from generator.model.blocks import OddsBlock
from generator.model.procedures import Steps
from generator.model.rules import System
from generator.pack.load import load_pack
from generator.pack.pack_locations import shipped, user_folder
from generator.pack.settings import with_settings


@pytest.fixture(autouse=True)
def _own_charts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here charts are kept where the user's are, and not with those of the other tests."""
    monkeypatch.setattr(kept_charts, "user_folder", user_folder)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HACKJACK_HOME", str(tmp_path))
    monkeypatch.setattr(kept_charts, "shipped_charts", dict)
    return tmp_path / kept_charts.FOLDER


def charts_of(*settings: tuple[str, str]) -> tuple[System, list[OddsBlock]]:
    system = load_pack(ROOT / "content" / "glog", settings).system
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


def test_a_rule_that_is_chosen_as_it_is_by_default_has_the_same_chart() -> None:
    plain, (block, *_) = charts_of()
    usual = tuple((name, switch.default) for name, switch in plain.switches.items())
    at_a_table = with_settings(plain, usual)
    assert at_a_table.settings != plain.settings
    assert kept_charts.chart_key(at_a_table, block) == kept_charts.chart_key(plain, block)


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
        system = load_pack(pack).system
        blocks = [b for _, file in system.panels for panel in file.panels for b in panel.blocks]
        charts = [block for block in blocks if isinstance(block, OddsBlock) and block.in_a_row is None]
        quoted_odds.exact_counts(min(charts, key=lambda block: block.size), system)
        return len([*folder.glob("*.json")])

    assert kept(deck) == 1
    screen = (pack / "screen.yaml").read_text()
    (pack / "screen.yaml").write_text(screen.replace("per cent; full deck", "per cent; whole deck"))
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


# --- charts that ship ------------------------------------------------------------------------------------------------

STALE = "a chart that ships is not that of the content any more: run `python docs/make_charts.py`"


def shipped_blocks() -> Iterator[tuple[str, OddsBlock, System]]:
    """Every chart of the systems that ship, with its key."""
    for name in shipped():
        system = load_pack(ROOT / "content" / name).system
        blocks = (block for _, file in system.panels for panel in file.panels for block in panel.blocks)
        for block in blocks:
            if isinstance(block, OddsBlock):
                yield kept_charts.chart_key(system, block), block, system


def test_keys_that_nobody_wrote_are_no_part_of_a_chart() -> None:
    """So a key that comes new to a type makes no chart stale."""
    assert kept_charts._counted((Steps(), Steps(by_card=True))) == [{"": "Steps"}, {"": "Steps", "by_card": True}]


def test_no_chart_that_ships_is_stale() -> None:
    keys = {key for key, _, _ in shipped_blocks()}
    files = [*(ROOT / "content").glob(f"*/{kept_charts.SHIPPED}")]
    assert files
    assert all(kept_charts.read_charts(path).keys() <= keys for path in files), STALE


def test_a_chart_that_ships_is_not_counted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """And what is played in a row is played often enough, whose quickest answer would be 300 plays."""
    monkeypatch.setenv("HACKJACK_HOME", str(tmp_path))
    monkeypatch.setattr(quoted_odds, "_counts", lambda *_: pytest.fail(STALE))
    monkeypatch.setattr(quoted_odds, "_played", lambda *_: pytest.fail(STALE))
    system = load_pack(ROOT / "content" / "hackjack").system
    blocks = (block for _, file in system.panels for panel in file.panels for block in panel.blocks)
    counts = [quoted_odds.chart_counts(block, system) for block in blocks if isinstance(block, OddsBlock)]
    assert [each.plays for each in counts] == [0, quoted_odds.SHIPPED_PLAYS]
    assert not [*tmp_path.iterdir()]


@pytest.mark.slow
def test_charts_that_ship_are_those_that_are_counted() -> None:
    """One bar of each is counted again; what was played out is played less often, and is near."""
    for key, block, system in shipped_blocks():
        if (chart := kept_charts.shipped_charts().get(key)) is None:
            continue
        place = len(chart.fields) // 2
        bar = msgspec.structs.replace(
            block, across=msgspec.structs.replace(block.across, least=place, below=None, upto=place)
        )
        counts = (
            quoted_odds._played(bar, system, 10**8, 3_000) if chart.plays else quoted_odds._counts(bar, system, 10**8)
        )
        (counted,) = counts.fields.values()
        for name, share in kept_charts.read_shares(chart.fields[place]).items():
            off = float(share) - float(counted[name])
            assert abs(off) < 5 * counts.error if chart.plays else share == counted[name]


def test_a_pack_brings_no_charts_of_its_own(tmp_path: Path) -> None:
    """Whoever wrote it could say anything in them."""
    pack = Path(shutil.copytree(ROOT / "content" / "hackjack", tmp_path / "mine"))
    (pack / kept_charts.SHIPPED).write_text('{"0": {"fields": [{"die": "1/7"}]}}')
    system = load_pack(pack).system
    assert system.head.id == "hackjack"
    assert "0" not in kept_charts.shipped_charts()
