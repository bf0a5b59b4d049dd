"""What was told wrong is put right in a form of all that can be corrected of somebody."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from helpers import ROOT, fiftytwo
from served import Served, serving

from generator.pack.load import load_pack


def fields(served: Served, name: str) -> Mapping[str, Any]:
    """The form of somebody, by the names of its fields."""
    status, found, _ = served.gm.ask("/api/settable", {"name": name})
    assert status == 200, found
    return {each["name"]: each for each in found}


def test_a_form_has_every_value_with_its_kind(party: Served) -> None:
    found = fields(party, "Bryn")
    assert (found["hp"]["kind"], found["hp"]["title"], found["hp"]["value"]) == ("number", "HP", 0)
    assert (found["holding"]["kind"], found["holding"]["value"]) == ("tick", False)
    assert (found["pile"]["kind"], found["pile"]["asks"]) == ("cards", "score")
    assert found["pile"]["entries"][0]["words"] == ["-10C"]
    assert found["wounds"]["kind"] == "cards"
    assert party.gm.ask("/api/settable", {"name": "Nobody"})[0] == 400
    assert party.player("Bryn").ask("/api/settable", {"name": "Bryn"})[0] == 403


@pytest.mark.parametrize("folder", ["docs/examples/criticals", "content/deadlands", "content/jackrealms"])
def test_whatever_a_form_offers_can_be_set(tmp_path: Path, folder: str) -> None:
    system = load_pack(ROOT / folder).system
    seated = folder == "content/jackrealms"
    with serving(tmp_path, system, [] if seated else ["Ada"]) as served:
        if seated:
            served.told("sit Ada 10")
        found = fields(served, "Ada")
        front = ["Ada"] if seated else []
        for name, each in found.items():
            for entry in each["adds"][:2]:
                deed = {"do": "set", "who": "" if seated else "Ada", "words": [*front, name, *entry["words"]]}
                assert served.gm.send(deed=deed)[0] == 200, deed
                entries = fields(served, "Ada")[name]["entries"]
                assert entries, f"{name} says what is in it"
                deed["words"] = [*front, name, *entries[-1]["words"]]
                status, told = served.gm.send(deed=deed)
                assert status == 200, told
        assert {"number", "tick", "word", "list"} & {each["kind"] for each in found.values()}


def test_conditions_of_a_pack_are_offered_with_what_ends_them(tmp_path: Path) -> None:
    with serving(tmp_path, load_pack(ROOT / "content" / "glog").system, ["Ada"]) as served:
        offered = {entry["says"]: entry["words"] for entry in fields(served, "Ada")["conditions"]["adds"]}
        assert offered["Prone (until stand)"] == ["+prone", "until=stand"]
        assert fields(served, "Ada")["kind"]["words"] == ["monster", "npc", "pc"]


def test_a_player_moves_their_own_card_of_surprise_and_sees_nobody_elses(tmp_path: Path) -> None:
    with serving(tmp_path, fiftytwo()) as served:
        figures = "hp=9 weapon=stick normal=1 critical=2"
        ours = (f"join {name} side=allies surprise=yes {figures}" for name in ("Ann", "Bob"))
        for typed in (*ours, f"join Gru side=enemies {figures}", "initiative dice 6 4 1", "lay 9H 8S / 3C 4C"):
            status, told = served.gm.do(*typed.split())
            assert status == 200, told
        ann = served.player("Ann")
        taps = [tap for tap in ann.state()["board"]["moves"] if tap["words"][0] == "ambush"]
        assert [tap["words"] for tap in taps] == [["ambush", "Ann", card] for card in ("3C", "9H", "4C", "8S")]
        assert taps[0]["says"] == "Ann takes the 3 of clubs" and taps[0]["free"]
        deed = {"do": "ambush", "words": taps[0]["words"][1:]}
        assert ann.send(deed=deed)[0] == 403
        assert served.gm.ask("/api/settings", {"events": ["ambush"]})[0] == 200
        assert ann.send(deed={"do": "ambush", "words": ["Bob", "3C"]})[0] == 403
        assert ann.send(deed=deed)[0] == 200
        assert not [tap for tap in ann.state()["board"]["moves"] if tap["words"][0] == "ambush"]
        assert served.gm.state()["state"]["columns"][0] == ["9H"]
