"""The cards of Deadlands 1876: the injury deck, the fate deck, both on one card, and tokens of fortune."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from helpers import reader, run, squeezed, text_in
from test_deadlands import deadlands, play

from generator.base.cards import ALL_CODES, name_of
from generator.games import card_products as cardsets
from generator.layout.card_elements import Badge, Blank, Effect, Face, Title, Track
from generator.pack import content
from generator.words.wording import DAGGER

TOKENS = """
tokens:
  - {kind: marker, name: Cullen Bohannon, die: d8}
  - {kind: charm, name: Horseshoe, trait: soaking}
  - {kind: burn, name: Suicide King, card: KH, says: it replaces a deuce}
  - {kind: hole, name: The old pioneer, die: d6, trait: Survival}
  - {kind: kicker, name: A book on engines, bonus: 1, trait: Repair, copies: 2}
"""


def faces(name: str) -> dict[str, Face]:
    return {face.code: face for face in cardsets.card_set(deadlands(), name).faces}


def said(face: Face) -> str:
    return " ".join(f"{part.label}: {part.says} {part.until}" for part in face.parts if isinstance(part, Effect))


def figures(face: Face) -> dict[str, str]:
    return {part.caption: part.number for part in face.parts if isinstance(part, Badge)}


# --- injuries --------------------------------------------------------------------------------------------------------


def test_the_injury_deck_has_54_cards_of_two_readings_each() -> None:
    assert sorted(deadlands().cards) == sorted(ALL_CODES)
    for card in deadlands().cards.values():
        assert card.effects and card.for_good, card.code
    assert len({card.name for card in deadlands().cards.values()}) == 54


def test_all_of_it_is_marked_as_reconstructed() -> None:
    for face in faces("deck").values():
        title = next(part.text for part in face.parts if isinstance(part, Title))
        assert title.endswith(DAGGER)


def test_both_readings_stand_on_the_card() -> None:
    text = said(faces("deck")["QS"])
    assert "For a while: You mumble through a bad jaw" in text
    assert "For good: People stare at the scar" in text


def test_jokers_are_in_the_deck_without_being_asked_for() -> None:
    assert cardsets.card_set(deadlands(), "deck").spare == frozenset()


def test_a_card_tells_both_readings() -> None:
    shape = json.loads(run("card", "deadlands", "9C", "--json").out)
    assert shape["text"][0] == "You limp and cannot run until you recover."
    assert shape["for_good"]["text"][0] == "You lose a toe for good."
    assert "For good: You lose a toe." in run("card", "deadlands", "9C").out


def test_the_red_joker_is_no_injury_and_the_black_one_two_or_a_permanent_one() -> None:
    assert play("injury temporary d6", cards=["RJ"])[0]["injuries"] == []
    plain, _ = play("injury temporary d6", cards=["BJ", "4C"])
    assert [(one["card"], one["permanent"]) for one in plain["injuries"]] == [("4C", True)]
    plain, _ = play("injury permanent", cards=["BJ", "4C", "BJ", "5C", "RJ"])
    assert [one["card"] for one in plain["injuries"]] == ["4C", "5C"]


def test_an_injury_counts_on_rolls_of_its_trait() -> None:
    hurt = {"traits": {"shooting": "d8", "climb": "d8"}, "injuries": [{"card": "KC", "permanent": True}]}
    plain, text = play("trait shooting", state=hurt, dice=[5, 1])
    assert plain["last"]["total"] == 3 and "Ruined gun hand costs 2" in text
    assert play("trait climb", state=hurt, dice=[5, 1])[0]["last"]["total"] == 5
    for_a_while = hurt | {"injuries": [{"card": "AC", "days": 3}]}
    assert play("trait vigor", state=for_a_while | {"traits": {"vigor": "d6"}}, dice=[5, 1])[0]["last"]["total"] == 3


# --- fate ------------------------------------------------------------------------------------------------------------


def test_the_fate_deck_says_what_each_card_means() -> None:
    fate = faces("fate")
    assert list(fate) == list(ALL_CODES)
    for code in ALL_CODES:
        target = play("fate d6", cards=[code], dice=[2, 1])[0]["last"]["target"] if code not in ("RJ", "BJ") else None
        if target is not None:
            assert figures(fate[code])["target number"] == str(target)
    assert "a critical success" in said(fate["RJ"]) and "a critical failure" in said(fate["BJ"])


def test_luck_on_the_fate_deck() -> None:
    fate = faces("fate")
    assert "bad luck, whatever was named" in said(fate["AS"])
    assert figures(faces("fate-injuries")["AS"])["luck"] == "unlucky"
    assert "lucky, whatever was named" in said(fate["RJ"])
    assert "lucky if it was named" in said(fate["QH"])
    assert "goes before the red one" in said(fate["BJ"])


def test_fate_and_injury_share_a_card() -> None:
    both, alone = faces("fate-injuries"), faces("deck")
    for code in ALL_CODES:
        assert both[code].parts[: len(alone[code].parts)] == alone[code].parts
        assert set(figures(both[code])) == {"fate", "luck"}


# --- tokens ----------------------------------------------------------------------------------------------------------


def test_blank_tokens_fill_a_sheet() -> None:
    blank = faces("tokens")
    assert len(blank) == 9
    assert {code.partition("-")[0] for code in blank} == {"charm", "burn", "hole", "kicker", "marker"}
    assert not any(part.value for face in blank.values() for part in face.parts if isinstance(part, Blank))


def test_a_marker_steps_down_from_d12_to_d4() -> None:
    track = next(part for part in faces("tokens")["marker-1"].parts if isinstance(part, Track))
    assert track == Track(("d12", "d10", "d8", "d6", "d4"))


def test_tokens_are_filled_from_a_list(tmp_path: Path) -> None:
    path = tmp_path / "tokens.yaml"
    path.write_text(TOKENS, encoding="utf-8")
    for extra in ((), ("--card", "index"), ("--card", "business"), ("--target", "business")):
        ran = run("print", "deadlands", "tokens", "--tokens", path, "-o", tmp_path, *extra)
        assert ran.code == 0, ran.err
        if "--target" in extra:
            continue  # the cards lie on their side there: their text is read in another order
        pdf = Path(ran.out.strip()).read_bytes()
        text = "".join(squeezed(text_in(pdf, number, 0, 0, 300, 300)) for number in range(len(reader(pdf).pages)))
        for words in ("Connection marker", "Cullen Bohannon", "King of hearts", "Only if it replaces a deuce"):
            assert squeezed(words) in text
        assert text.count(squeezed("A book on engines")) == 2
    marker = content.read_tokens(path)[0][0]
    assert marker.die is not None and marker.die.spoken == "d8"


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("{kind: gun}", 'tokens.yaml:2:12: "gun" is not known here'),
        ("{kind: marker, die: d7}", "2:25: d7 is no trait die: the dice are d4, d6, d8, d10, d12"),
        ("{kind: marker, bonus: 2}", "a marker has no bonus"),
        ("{kind: burn, card: RJ}", "a burn card cannot be a joker"),
        ("{kind: burn, card: XX}", '"XX" is no card'),
        ("{kind: kicker, bonus: 0}", "0 is out of range"),
        ("{kind: charm, copies: 99}", "99 is out of range"),
        ("{kind: charm, colour: red}", 'unknown key "colour"'),
    ],
)
def test_a_faulty_list_is_answered_with_file_line_and_column(tmp_path: Path, line: str, says: str) -> None:
    path = tmp_path / "tokens.yaml"
    path.write_text(f"tokens:\n  - {line}\n", encoding="utf-8")
    ran = run("print", "deadlands", "tokens", "--tokens", path, "-o", tmp_path)
    assert ran.code == 1 and says in ran.err and "tokens.yaml:2:" in ran.err


def test_systems_without_tokens_refuse_a_list(tmp_path: Path) -> None:
    ran = run("print", "hackjack", "--tokens", tmp_path / "x.yaml", "-o", tmp_path)
    assert ran.code == 2 and "has no tokens" in ran.err


def test_a_text_edition_tells_labels_lines_and_boxes(tmp_path: Path) -> None:
    ran = run("print", "deadlands", "deck", "tokens", "fate", "--format", "md", "-o", tmp_path)
    deck, tokens, fate = (Path(path).read_text(encoding="utf-8") for path in ran.out.split())
    assert "- For good: You lose a toe." in deck
    assert "d12, d10, d8, d6, d4" in tokens and "Only for:" in tokens
    assert f"{name_of('AS')[:1]}{name_of('AS')[1:]}" in fate and "Luck draw: bad luck" in fate
