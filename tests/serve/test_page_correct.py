"""What was told wrong is put right on the page, in a form of all that can be corrected of somebody."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from browsing import IN_A_BROWSER, PHONE, Page, check_size, link
from helpers import ROOT, fiftytwo
from served import Served, serving

from generator.pack import content


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
    system = content.load(ROOT / folder).system
    seated = folder == "content/jackrealms"
    with serving(tmp_path, system, [] if seated else ["Ada"]) as served:
        if seated:
            assert served.gm.do("sit", "Ada", "10")[0] == 200
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
    with serving(tmp_path, content.load(ROOT / "content" / "glog").system, ["Ada"]) as served:
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


class TestOnThePage:
    """The same in a browser."""

    pytestmark = IN_A_BROWSER

    def test_numbers_ticks_and_cards_are_put_right_at_once(self, page: Page, party: Served) -> None:
        page.open(link(party))
        page.tap("[data-person=Cara]")
        page.tap("[data-key=correct]")
        page.tap("[data-value=hp] [aria-label='HP: one more']")
        page.tap("[data-value=hp] [aria-label='HP: one more']")
        page.tap("[data-value=blood] [aria-label='Blood: one more']")
        page.tap("[data-value=holding] input")
        page.tap("fieldset[data-value=wounds] summary")
        page.tap("fieldset[data-value=wounds] [data-card=QD]")
        page.tap("fieldset[data-value=wounds] [data-card=KS]")
        page.tap("[data-key=put-right]")
        page.says("set Cara hp 7 blood 1 holding yes wounds +QD; set Cara wounds +KS", ".answer")
        cara = party.gm.state()["characters"][1]["state"]
        assert (cara["hp"], cara["blood"], cara["holding"]) == (7, 1, True)
        assert [wound["card"] for wound in cara["wounds"]] == ["QD", "KS", "KS"]
        page.tap("[data-key=undo]")
        page.says("Back into the deck: Q♦ K♠", ".panel")
        assert party.gm.state()["characters"][1]["state"]["hp"] == 5, "one undo takes all of it back"

    def test_what_the_rules_refuse_is_told_in_the_form(self, page: Page, party: Served) -> None:
        page.sized(PHONE)
        page.open(link(party))
        page.tap("[data-key=correct]")
        check_size(page, "the form")
        page.tap("[data-key=whose-Bryn]")
        page.write("[data-value=score] input", "99")
        page.tap("[data-key=put-right]")
        page.says("nobody lives with a death-score", "dialog .notice")
        page.tap("[data-key=whose-Cara]")
        page.see("[data-key=whose-Cara][aria-pressed=true]")

    def test_a_spell_works_on_those_whose_damage_is_said(self, page: Page, tmp_path: Path) -> None:
        with serving(tmp_path, fiftytwo(), deck="virtual", seed=7) as served:
            typed = ["enter everybody", "initiative", "deal 5", "set Able casting done"]
            for words in typed:
                status, told = served.gm.do(*words.split())
                assert status == 200, told
            before = {each["name"]: each["gauges"][0]["value"] for each in served.gm.state()["people"]}
            page.open(link(served))
            page.tap("[data-tap='deliver Able']")
            page.write("[data-value=Evans] input", "30")
            page.tap("[data-value=Alan] [aria-label='Damage to Alan: one more']")
            page.tap("[data-key=strike]")
            page.says("Evans", ".answer")
            after = {each["name"]: each["gauges"][0]["value"] for each in served.gm.state()["people"]}
            changed = {name: before[name] - after[name] for name in before if before[name] != after[name]}
            assert changed == {"Evans": 30, "Alan": 1}
            assert not [tap for tap in served.gm.state()["board"]["commands"] if tap["words"][0] == "deliver"]

    def test_cards_that_surprise_gives_are_moved_on_the_field(self, page: Page, tmp_path: Path) -> None:
        with serving(tmp_path, fiftytwo()) as served:
            foe = "side=enemies hp=9 surprise=yes weapon=stick normal=1 critical=2"
            typed = ["enter Alan", f"join Gru {foe}", "initiative dice 6 1", "lay 9H 8S / 3C 4C"]
            for words in typed:
                status, told = served.gm.do(*words.split())
                assert status == 200, told
            page.open(link(served))
            page.tap(".adds[data-place^='0.']")
            page.says("Gru adds a card to column 1", ".table-cards")
            page.tap("[data-tap='ambush Gru 1']")
            page.tap(".panel[aria-busy=false] .pad-card[data-card=QS]")
            page.says("Gru puts QS on column 1.", ".answer")
            assert served.gm.state()["state"]["columns"][0] == ["3C", "9H", "QS"]
            assert not [tap for tap in served.gm.state()["board"]["moves"] if tap["words"][0] == "ambush"]
