"""Cards of several systems on one sheet, and a screen made of blocks of several systems, both kept in a pack."""

from __future__ import annotations

from pathlib import Path

import pypdfium2
import pytest
from helpers import few_quick, page_texts, run, shipped

from generator.games.card_products import card_set, card_set_names
from generator.layout.card_elements import Emblem
from generator.layout.sheets import card_sizes, paper_sizes
from generator.paper.card_body import body_of
from generator.products import deck

MIXED = """title: Cards for tonight
cards:
  - {from: hackjack/deck, card: QS}
  - {from: glog/severity, card: arm-5, copies: 2}
  - {from: deadlands/fate, card: AC}
  - {from: mine/deck, card: AC}
"""
SCREEN = """title: Our screen
panels:
  - title: Wounds and fear
    columns: 2
    blocks:
      - {block: taken, from: glog/screen, panel: Death and dismemberment, takes: Weapons and blows, wide: true}
      - {block: taken, from: deadlands/screen, panel: Rolls, takes: Contested roll}
      - {block: taken, title: Ours, from: hackjack/screen, panel: 1, takes: 1, column: true}
      - {block: taken, from: glog/tables, takes: madness, below: true}
      - {block: text, title: Remember, text: [Bread and water.]}
"""


@pytest.fixture
def pack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A pack that takes cards and blocks from four systems, one of which is a pack of the user's."""
    monkeypatch.setenv("HACKJACK_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    packs = tmp_path / "home" / "packs"
    assert (
        run("new", "mine", packs / "mine", "--extends").code
        == run("new", "tonight", packs / "tonight", "--blank").code
        == 0
    )
    (packs / "tonight" / "mixed.yaml").write_text(MIXED, encoding="utf-8")
    (packs / "tonight" / "screen.yaml").write_text(SCREEN, encoding="utf-8")
    return packs / "tonight"


def pages(path: Path) -> list[str]:
    """The text of each page."""
    return [page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(path)]


def test_chosen_cards_of_several_systems_share_a_sheet_each_with_its_own_back(pack: Path, tmp_path: Path) -> None:
    del pack
    assert run("print", "tonight", "mixed", "-o", tmp_path / "out").code == 0
    fronts, backs = pages(tmp_path / "out" / "tonight-mixed.pdf")
    names = ("Carved", "Disabled", "Cruel fate", "Winded")
    assert [fronts.count(name) for name in names] == [1, 2, 1, 1]
    line = page_texts((tmp_path / "out" / "tonight-mixed.pdf").read_bytes())[0]
    assert "Hackjack 1.0" in line and "Deadlands 1876 1.0" in line and "Mine 0.1" in line
    for title, count in (("Severity", 2), ("Fate", 1), ("Mine", 1), ("Hackjack", 1)):
        letters = "".join(backs.split())
        assert letters.count(title) == 2 * count, "a back has its title twice"


def test_small_sets_of_a_system_share_sheets_each_card_with_its_own_back(tmp_path: Path) -> None:
    # 74 cards are 9 sheets of 9, and 11 where each set begins one of its own.
    glog, options = shipped("glog"), deck.Options(paper_sizes()["a4"], card_sizes()["poker"])
    assert deck.sheet_count(glog, options, "sets") == 9
    assert sum(deck.sheet_count(glog, options, name) for name in card_set_names(glog)) == 11
    # A card without an index has no corner for one, though others on its sheet do.
    small = card_set(glog, "sets")
    setting = deck.setting_of(small, card_sizes()["poker"])
    assert {body_of(face).settled(setting).notch[0] > 0 for face in small.faces if "conditions-" in face.code} == {
        False
    }
    assert run("print", "fiftytwo", "sets", "-o", tmp_path).code == 0
    backs = pages(tmp_path / "fiftytwo-sets.pdf")[5]
    letters = "".join(sorted("".join(backs.split())))
    assert letters == "".join(sorted(4 * (5 * "Actions" + 3 * "Piles"))), "its title twice, and each back laid twice"
    none = run("print", "hackjack", "sets")
    assert (none.code, 'hackjack has no product "sets"' in none.err) == (2, True)


@pytest.mark.slow
def test_a_card_without_a_picture_bears_the_sign_of_its_set_on_shared_sheets() -> None:
    shared = {face.code: face for face in card_set(shipped("fiftytwo"), "sets").faces}
    ally, pool = shared["initiative-alan"], shared["piles-pile-pool"]
    assert [[part.name for part in face.parts if isinstance(part, Emblem)] for face in (ally, pool)] == [
        ["time"],
        ["cards"],
    ]


def test_its_sheets_are_those_of_any_deck(pack: Path, tmp_path: Path) -> None:
    del pack
    fold = run("print", "tonight", "mixed", "--target", "fold", "--only", "glog-severity-arm-5", "-o", tmp_path / "out")
    assert fold.code == 0
    (page,) = pages(tmp_path / "out" / "tonight-mixed-fold.pdf")
    assert page.count("Disabled") == 2 and "Carved" not in page
    shop = run("print", "tonight", "mixed", "--target", "mpc")
    assert (shop.code, "mixed is printed at home: leave --target out" in shop.err) == (2, True)
    assert run("print", "tonight", "--target", "png", "--dpi", "36", "-o", tmp_path / "png").code == 0
    made = [path.name for path in (tmp_path / "png").iterdir()]
    assert made and not [name for name in made if "mixed" in name], "its cards have several backs"


def test_a_screen_is_made_of_blocks_of_any_systems(pack: Path, tmp_path: Path) -> None:
    assert run("print", "tonight", "screen", "--rulings", "-o", tmp_path / "out").code == 0
    text = "\n".join(pages(tmp_path / "out" / "tonight-screen.pdf"))
    for words in (
        "Weapons and blows",
        "Disabled",
        "Contested roll",
        "Ours",
        "Madness",
        "Madness",
        "Bread and water.",
        "Deadlands 1876 1.0",
    ):
        assert words in text, words
    assert run("print", "tonight", "screen", "--format", "md", "-o", tmp_path / "out").code == 0
    read = (tmp_path / "out" / "tonight-screen.md").read_text(encoding="utf-8")
    assert "## Weapons and blows" in read.replace("###", "##") and "Bread and water" in read
    checked = run("check", "tonight")
    assert checked.code == 0, checked.err
    # What it takes is as it stands there today.
    other = pack.parent / "mine" / "deck.yaml"
    other.write_text(other.read_text(encoding="utf-8").replace("Winded", "Out of breath"), encoding="utf-8")
    assert run("print", "tonight", "mixed", "-o", tmp_path / "out").code == 0
    assert "Out of breath" in pages(tmp_path / "out" / "tonight-mixed.pdf")[0]


@pytest.mark.parametrize(
    ("file", "old", "new", "says"),
    few_quick(3, [
        ("screen", "glog/screen", "glog/scren", 'screen.yaml:6:9: glog has no panels "scren": did you mean "screen"?'),
        ("screen", "panel: 1", "panel: 9", "hackjack/screen has no panel 9: there are 5"),
        ("mixed", "arm-5", "arm-55", 'mixed.yaml:4:5: glog/severity has no card "arm-55": did you mean "arm-5"?'),
        ("mixed", "glog/severity", "glog/sevrity", 'glog has no set of cards "sevrity": did you mean "severity"?'),
        ("mixed", "glog/severity", "glob/severity", 'there is no system "glob" to take from: did you mean "glog"?'),
        ("mixed", "glog/severity", "glog", "write SYSTEM/PRODUCT"),
        ("mixed", "hackjack/deck, card: QS", "tonight/mixed, card: x", 'tonight has no set of cards "mixed"'),
        ("screen", "Weapons and blows", "Weapons", 'has no block "Weapons"'),
        ("screen", "takes: madness", "takes: madnes", 'glog has no table "madnes": did you mean "madness"?'),
        ("screen", "panel: Rolls, ", "", "the panel is missing: write its title or its number"),
        ("screen", "panel: Rolls", "panel: Rools", 'deadlands/screen has no panel "Rools": did you mean "Rolls"?'),
        ("screen", "hackjack/screen", "tonight/screen", "is glog's: take it from there"),
    ]),
)  # fmt: skip
def test_what_is_not_there_is_told_with_its_place(pack: Path, file: str, old: str, new: str, says: str) -> None:
    path = pack / f"{file}.yaml"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    checked = run("check", "tonight")
    assert checked.code == 1 and says in checked.err + checked.out, checked.err
    assert says in run("print", "tonight", file).err


def test_a_pack_with_errors_gives_nothing_and_is_named(pack: Path) -> None:
    (pack.parent / "mine" / "deck.yaml").write_text("cards: [{code: AC}]\n", encoding="utf-8")
    checked = run("check", "tonight")
    assert checked.code == 1 and "mixed.yaml:6:5: mine has errors of its own: " in checked.err + checked.out
