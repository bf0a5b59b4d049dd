"""Journals as the first version of sessions wrote them: kept here as they were, for they lie on people's disks."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from helpers import ROOT, hackjack, run

from generator.base.cards import FULL_DECK
from generator.pack import content
from generator.session.campaigns import campaign_file
from generator.session.deeds import Deed
from generator.session.journal_lines import read_journal, seal
from generator.session.party import Table
from generator.session.session import advance, begin, new_campaign

REAL = (
    r'{"version":1,"system":"hackjack","content":"1.0","rulings":{"massive_damage":"over_13","first_draw":'
    r'"below_zero","twenty_one":"after_the_hit","jack_of_clubs":"present_only","jokers":"out","critical_dr'
    r'aw":"on","pass_out":"hit_die_over_trauma"},"deck":"real","seed":null,"order":[],"crc":"b94da06f"}'
    "\n"
    r'{"do":"add","who":"bryn","amount":7,"crc":"abc048ed"}'
    "\n"
    r'{"do":"add","who":"Ötzi","crc":"d009fe49"}'
    "\n"
    r'{"do":"hit","who":"bryn","amount":22,"cards":["7C","KH","2H"],"choices":[2],"crc":"3f7d818b"}'
    "\n"
    r'{"do":"hit","who":"Ötzi","amount":9,"word":"critical","cards":["9S","2D"],"dice":[3,4],"crc":"8f6816e1"}'
    "\n"
    r'{"do":"undo","crc":"e89d0e37"}'
    "\n"
    r'{"do":"redo","crc":"4af68d00"}'
    "\n"
    r'{"do":"heal","who":"bryn","amount":3,"crc":"3554ee4c"}'
    "\n"
    r'{"do":"rest","who":"Ötzi","word":"comfort","crc":"d01b7c25"}'
    "\n"
    r'{"do":"act","who":"Ötzi","word":"1d8","dice":[8],"crc":"b0269a34"}'
    "\n"
    r'{"do":"poison","who":"bryn","amount":1,"crc":"92f2df65"}'
    "\n"
)
VIRTUAL = (
    r'{"version":1,"system":"hackjack","content":"1.0","rulings":{"massive_damage":"over_13","first_draw":'
    r'"below_zero","twenty_one":"after_the_hit","jack_of_clubs":"present_only","jokers":"out","critical_dr'
    r'aw":"off","pass_out":"off"},"deck":"virtual","seed":7,"order":["10C","4S","6D","3C","KC","10D","QH",'
    r'"4D","2S","4C","QC","JS","9S","8D","QD","AS","AH","10S","9H","8C","AC","7D","5D","6C","9C","5H","4H"'
    r',"QS","7C","7S","10H","6H","9D","8H","3D","JC","2H","7H","3S","2C","KD","5S","AD","KS","8S","6S","JH'
    r'","2D","KH","3H","5C","JD"],"crc":"ed57a6e1"}'
    "\n"
    r'{"do":"add","who":"bryn","amount":7,"crc":"f9a609a2"}'
    "\n"
    r'{"do":"hit","who":"bryn","amount":22,"cards":["10C"],"dice":[1],"crc":"ed6f948b"}'
    "\n"
    r'{"do":"hit","who":"bryn","amount":2,"cards":["4S"],"dice":[2,3],"crc":"d669713d"}'
    "\n"
    r'{"do":"undo","crc":"0382526f"}'
    "\n"
    r'{"do":"heal","who":"bryn","amount":30,"crc":"002573e4"}'
    "\n"
)


def test_what_was_played_with_real_cards() -> None:
    now = read_journal(REAL.encode(), hackjack(), "old.jsonl").session
    assert now is not None
    assert [str(moment.command.deeds[0]) for moment in now.moments()][::-1] == [
        "add bryn hp 7",
        "add Ötzi",
        "hit bryn 22 7C KH 2H choose 2",
        "hit Ötzi 9 critical 9S 2D dice 3 4",
        "heal bryn 3",
        "rest Ötzi comfort",
        "act Ötzi 1d8 dice 8",
        "poison bryn 1",
    ]
    game = now.table.game
    lines = [game.state_line(game.plain_state(now.party.state(name))) for name in now.party.names]
    assert lines == [
        "death-score 13 (6 as tokens), Blood 0, Trauma 0",
        "death-score 11, Blood 7, Trauma 4",
    ]
    assert now.party.drawn == ("7C", "KH", "2H", "9S", "2D")


def test_what_was_played_with_a_virtual_deck() -> None:
    now = read_journal(VIRTUAL.encode(), hackjack(), "old.jsonl").session
    assert now is not None
    assert now.party.state("bryn").hp == 14
    assert (now.party.drawn, now.party.order[0], now.party.met) == (("10C",), "4S", 52)


RULINGS = {
    "massive_damage": "over_13",
    "first_draw": "below_zero",
    "twenty_one": "after_the_hit",
    "jack_of_clubs": "present_only",
    "jokers": "out",
    "critical_draw": "off",
    "pass_out": "off",
}


def journal(*deeds: dict[str, object], deck: str = "real", **campaign: object) -> bytes:
    """A journal as it was written before the rulings H30 to H34."""
    head = {"version": 2, "system": "hackjack", "content": "1.0", "rulings": RULINGS, "deck": deck, "seed": None}
    lines, checksum = [], 0
    for body in ({**head, "order": [], **campaign}, *deeds):
        line, checksum = seal(json.dumps(body, separators=(",", ":")).encode(), checksum)
        lines.append(line)
    return b"".join(lines)


def deed(text: str, cards: str = "", dice: tuple[int, ...] = ()) -> dict[str, object]:
    do, who, *words = text.split()
    return {"do": do, "who": who, "words": words, "cards": cards.split(), "dice": dice}


def test_an_old_campaign_goes_on_by_the_rules_that_it_was_begun_with() -> None:
    """Holding lasted, wounds did not pass with a night, and who was healed to 0 HP did not fall anew."""
    raw = journal(
        deed("add bryn hp 5"),
        deed("hit bryn 7", "QC"),
        deed("heal bryn 10"),
        deed("hit bryn 9", "2H"),
        deed("hit bryn 2", "AS"),
        deed("hold bryn"),
        deed("rest bryn"),
    )
    now = read_journal(raw, hackjack(), "old.jsonl").session
    assert now is not None
    state = now.party.state("bryn")
    assert (state.score, state.holding, [wound.card for wound in state.wounds]) == (3, True, ["AS"])
    assert now.table.system.house_rules == (
        ("holding", "released"),
        ("new_descent", "from_above"),
        ("short_wounds", "when_told"),
    )
    fresh = begin(Table(hackjack(), new_campaign(hackjack())))
    assert fresh.table.campaign.rulings["new_descent"] == "from_zero"


@pytest.mark.parametrize("deck", ["real", "virtual"])
def test_an_old_journal_lacks_the_dice_of_a_recovery_and_holds_them_later(deck: str) -> None:
    order = [*FULL_DECK[12:], *FULL_DECK[:12]]
    campaign = {"seed": 7, "order": order} if deck == "virtual" else {}
    deeds = [deed("add bryn"), deed("hit bryn 7", "KC"), deed("heal bryn 30"), deed("rest bryn")]
    raw = journal(*deeds, deed("recover bryn", dice=(3, 4)), deck=deck, **campaign)
    now = read_journal(raw, hackjack(), "old.jsonl").session
    assert now is not None
    assert (now.party.state("bryn").trauma, now.party.state("bryn").recovery) == (0, None)
    before = read_journal(journal(*deeds, deck=deck, **campaign), hackjack(), "old.jsonl").session
    assert before is not None
    assert str(before.party.state("bryn").recovery) == "2d6 weeks"
    dice = () if deck == "virtual" else (3, 4)
    after = advance(before, Deed("rest", "bryn", dice=dice)).session
    recovery = str(after.party.state("bryn").recovery)
    assert recovery == "7 weeks" if deck == "real" else "d" not in recovery


def test_an_old_campaign_goes_on_and_opens_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HACKJACK_HOME", str(tmp_path))
    path = campaign_file("old")
    path.parent.mkdir(parents=True)
    path.write_text(VIRTUAL, encoding="utf-8")
    first = run("play", "--campaign", "old", "hit", "bryn", "16")
    assert (first.code, first.err) == (0, "")
    assert "Drawn: 4S" in first.out
    assert path.read_text(encoding="utf-8").startswith(VIRTUAL)
    assert '"words":["16"]' in path.read_text(encoding="utf-8").splitlines()[-1]
    assert run("play", "--campaign", "old", "show", "bryn").out.splitlines()[0] == first.out.splitlines()[-1]


# --- Deadlands, before a round had one deck and before the fallen lay still ------------------------------------------

SAVED = ROOT / "tests" / "saved_0_1"
POSSES = {
    "deadlands-posse": {
        "webb": "Veteran, Grit 2, 3 of 3 wounds, bleeding out, 2 Fate Chips, Eye put out (AS) for good, Broken nose "
        "(6S) for good, Winded (3D) for good, Winded (3D) for good",
        "ann": "Novice, 0 of 3 wounds, action card KH, 1 Fate Chip",
        "mallory": "a Face Card, 0 of 3 wounds, Shaken, action card 5C",
    },
    "deadlands-posse-virtual": {
        "webb": "Veteran, Grit 2, 3 of 3 wounds, Shaken, action card 4D, 3 Fate Chips, Cold sweat (3H) for 12 days, "
        "bomb 3/5",
        "ann": "Novice, 0 of 3 wounds, action card 5S, 1 Fate Chip",
    },
}


@pytest.mark.parametrize("name", POSSES)
def test_a_posse_of_the_first_version_goes_on_as_it_was_begun(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same card dealt twice, a roll by somebody incapacitated, first aid that leaves the bleeding: all as it was.

    What such a campaign goes by is said with its rulings; a new campaign has the readings of today.
    """
    system = content.load(ROOT / "content" / "deadlands").system
    now = read_journal((SAVED / f"{name}.jsonl").read_bytes(), system, name).session
    assert now is not None
    game = now.table.game
    lines = {who: game.state_line(game.plain_state(now.party.state(who))) for who in now.party.names}
    assert lines == POSSES[name]
    monkeypatch.setenv("HACKJACK_HOME", str(tmp_path))
    (tmp_path / "campaigns").mkdir()
    (tmp_path / "campaigns" / "old.jsonl").write_bytes((SAVED / f"{name}.jsonl").read_bytes())
    assert run("play", "--campaign", "old", "chips", "ann", "1", "given").code == 0
    assert run("play", "--campaign", "old", "show", "ann").out.startswith("ann: Novice")
    assert run("play", "--campaign", "new", "deadlands", "add", "x").code == 0
    begun = json.loads((tmp_path / "campaigns" / "new.jsonl").read_bytes().splitlines()[0])
    assert begun["rulings"] == {name: switch.default for name, switch in system.switches.items()}


OLD_STATE = """
{"kind":"wild_card","levels":3,"wounds":1,"shaken":false,"standing":"up","chips":1,"traits":{"climbing":"d8"},"xp":47,
"rank":"Veteran","grit":2,"spent":9,"raised":["Novice"],"injuries":[{"card":"AS","permanent":true,"days":null}],
"tokens":[],"tasks":[],"action":"KH","healers":["ann"],"tended":false,"healed":false,"late":false,"earned":false,
"last":{"event":"wound","result":"x","total":null,"target":null,"raises":0}}
"""


def test_a_state_of_the_first_version_is_read(tmp_path: Path) -> None:
    """As `resolve --json` wrote it: without the cards dealt and without fresh wounds."""
    state = tmp_path / "state.json"
    state.write_text(OLD_STATE)
    ran = run("resolve", "deadlands", "wound", "2", "--state", state, "--json")
    assert ran.code == 0, ran.err
    after = json.loads(ran.out)["state"]
    assert (after["wounds"], after["action"], after["dealt"]) == (3, "KH", ["KH"])
    assert after["traits"] == {"climb": "d8"}
