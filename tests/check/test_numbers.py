"""Numbers of the procedure: changed by a pack or by `--set`, kept by a campaign, named in the margin, never typed."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pypdfium2
import pytest
from helpers import ROOT, fiftytwo, run
from msgspec.structs import replace

from generator.base.errors import UsageError
from generator.check import content_checks as checks
from generator.games import card_products as cardsets
from generator.games import game_of
from generator.games.fiftytwo.order import initiative_die
from generator.layout import reading, sheets
from generator.layout.panel_elements import Bars
from generator.model.blocks import OddsBlock
from generator.model.rules import System
from generator.orders.editions import markdown_page
from generator.pack import pack_locations
from generator.pack.load import load_pack
from generator.pack.pack_locations import find
from generator.pack.settings import with_settings
from generator.paper.panel_options import PanelOptions
from generator.products import panels
from generator.products.panel_content import page
from generator.words import wording

SYSTEMS = pack_locations.shipped()


@cache
def shipped(name: str) -> System:
    return load_pack(find(name)).system


# --- what is printed -------------------------------------------------------------------------------------------------

_WORDS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "half", "third")
_CANDIDATES = (*range(61, 100), *range(22, 31), *range(11, 20), *range(4, 11))


def changed(system: System) -> System:
    """A system in which no number of the procedure is as it was, nor like another one that was."""
    before = set(system.numbers.values())
    for name, value in system.numbers.items():
        for candidate in _CANDIDATES:
            written = str(candidate) if value.isdigit() else f"d{candidate}"
            if written in before or written in system.numbers.values():
                continue
            try:
                system = checks.under(system, (), {name: written})
                break
            except UsageError:
                continue
        assert system.numbers[name] not in before, name
    return system


def printed(system: System) -> Iterator[str]:
    """The lines of all panels without their charts, of the sets of cards, and of the rulings with all their options."""
    blank = {name: lambda system: Bars(("0",), (0.0,), False, system.head.title) for name in game_of(system).CHARTS}
    panels = [panel for _, file in system.panels for panel in file.panels]
    bare = [
        replace(panel, blocks=tuple(each for each in panel.blocks if not isinstance(each, OddsBlock)))
        for panel in panels
    ]
    texts = [reading.panels_reading(system, "", [page(panel, system, lambda _: blank)]) for panel in bare]
    texts += [
        reading.cards_reading(system, name, cardsets.card_set(system, name).faces) for name in _plain_sets(system)
    ]
    for text in texts:
        yield from markdown_page(replace(text, line="")).replace("\\", "").splitlines()
    for ruling in system.head.rulings:
        yield f"{wording.fill_placeholders(ruling.point, system)}: {wording.in_force(ruling, system)}"
        yield from (
            wording.fill_placeholders(said, system)
            for said in (ruling.switch.options.values() if ruling.switch else ())
        )
    yield from (wording.fill_placeholders(track.means, system) for track in system.head.tracks.values())


def _plain_sets(system: System) -> list[str]:
    """The sets of cards that say what the procedure does, and neither who fights nor what effects and tables do."""
    others = ("deck", "fate", "fate-injuries", "initiative", "severity", "madness")
    return [name for name in cardsets.card_set_names(system) if name not in others]


_OF_SOMETHING_ELSE = {
    "": (
        r"^\d+\. ",  # a step
        r"^\*Picture: .*\*$|^[A-Z]\w+ \d+\.$",  # what an emblem shows, and the number of a card
        r"\[[A-Z]\d+\*?\]|\*\*[A-Z]\d+ |^\| [A-Z]\d+ ",  # a ruling
        r"\*Source: .*\*",
        r"^\|.* (of (clubs|spades|diamonds|hearts)|joker) \|.*",  # a wound in the compact table
        r"[+\N{MINUS SIGN}]\d+ ",  # what an effect takes or gives
    ),
    # A penalty of one half, applied twice.
    "hackjack": (r"^Three of hearts", r"^\| \d \| (\dd6|d6) (days|weeks)", r"a half becomes a quarter"),
    "deadlands": (
        r"a d8 means 8(, a d12 means 12)?|(?i:tails 1, heads 2)|20 hours with a d12 are 8 to 19|two dice",
        r"over \+2, announced|d6 \| Biology|^\| \d+(-\d+|\+) \| \w+ \| \d \||^\d$",
        r"d4, d6, d8, d10, d12|d12, d10, d8, d6, d4|d12 \| d10 \| d8 \| d6 \| d4|after a d4 it is gone",
        r"Grit, not 2, to recover",  # what the edge gives in the rulebook
    ),
    "fiftytwo": (
        r"(?i)five-foot|half the body|half plate|all five|two new rolls|gets two|exactly two",
        r"(?i)two of a rank|two critical|(two|three) (hearts|diamonds|queens|cards)|third card|no two combatants",
        r"higher up(,| \|) 2|^Points: 2",
        r"^\|[\w ]*\| \d \| (crushing|piercing|slashing) \|",
        r"for Alan one hit less against weapons below \+2",  # the magic of a weapon in the source's own fight
    ),
    "glog": (
        r"d4: 1 arm, 2 leg, 3 torso, 4 head|d2 says which.*|d2, as the body's own columns count.*",
        r"a d4 for where.*|^1, 2, 3, 4, 5, 6, 7, 8|^\| [d\d-]+ \|.*|^\| Severity / d4 \|.*",
        r"Two injuries that lower",  # one and one more
        r"\d+ % (are slain|Dying)|three injuries|On 1.\d+ of d10.*|\(\d\)|A save is a d20|They gain .*",
    ),
    "jackrealms": (r"2 to 10|10 boxes|Bet 10|^Stakes: 10", r"A hand that cannot bust hits.*|From 12 to 17 stand.*"),
}
"""What a number that is one of the procedure's means besides."""


def residue(system: System) -> list[str]:
    """The printed lines that still have an old number of the procedure when all of them are other ones."""
    old = {value for value in system.numbers.values() if value not in ("0", "1")}
    old |= {_WORDS[int(value) - 2] for value in old if value.isdigit() and 2 <= int(value) <= 10} | {"half", "third"}
    found = []
    for line in dict.fromkeys(printed(changed(system))):
        left = line
        for pattern in (*_OF_SOMETHING_ELSE[""], *_OF_SOMETHING_ELSE.get(system.head.id, ())):
            left = re.sub(pattern, "", left)
        if old & set(re.findall(r"(?<![\w.])[a-z]*\d+(?!\w)|[a-z]+", left.lower())):
            found.append(line)
    return found


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] * (name in ("deadlands", "glog"))) for name in SYSTEMS]
)
def test_no_number_of_the_procedure_is_typed_by_hand(name: str) -> None:
    assert residue(shipped(name)) == []


@pytest.mark.parametrize(("name", "quoted", "typed"), [
    ("hackjack", "more than {instant} below 0", "below \N{MINUS SIGN}21"),
    pytest.param("glog", "their Tal divided by {stabilise_part}", "half their Tal", marks=pytest.mark.slow),
])  # fmt: skip
def test_a_number_typed_by_hand_would_be_found(name: str, quoted: str, typed: str, tmp_path: Path) -> None:
    pack = Path(shutil.copytree(find(name), tmp_path / name))
    text = (pack / "system.yaml").read_text(encoding="utf-8")
    assert quoted in text
    (pack / "system.yaml").write_text(text.replace(quoted, typed), encoding="utf-8")
    assert residue(load_pack(pack).system)


def test_a_ruling_that_quotes_what_there_is_not_is_a_fault(tmp_path: Path) -> None:
    pack = Path(shutil.copytree(ROOT / "content" / "hackjack", tmp_path / "pack"))
    text = (pack / "system.yaml").read_text(encoding="utf-8").replace("point: Exactly {limit}", "point: Exactly {limt}")
    (pack / "system.yaml").write_text(text, encoding="utf-8")
    done = run("list", "--pack", pack)
    assert (
        run("card", "hackjack", "QS", "--pack", pack)
        .err.strip()
        .endswith('there is no number "{limt}" in the procedure: did you mean "limit"?')
    ), done


# --- set by the call -------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_number_is_set_wherever_a_ruling_is() -> None:
    for call, says in {
        "odds hackjack draw --set limit=18 --set first_draw=at_zero": "death-score 17 ",
        "odds hackjack hit 6 --set limit=18": "death-score 17 ",
        "card hackjack KC --set limit=18": "Beaten to ruin",
        "table fiftytwo actions --set row_critical=6": "from 6 on, one is critical",
        "table jackrealms values --set court=9": "jack, queen, king",
        "odds glog hit 3 --set severity_die=d20": "severity   13+  55.0000% = 11/20",
        "resolve deadlands trait d8 --dice 3,3 --set target=3": "a success",
    }.items():
        done = run(*call.split())
        assert (done.code, done.err) == (0, ""), call
        assert says in done.out, call
        assert "death-score 18" not in done.out, "exactly 18, then 0"


def test_what_is_set_is_played(tmp_path: Path) -> None:
    state = tmp_path / "state.json"
    state.write_text(json.dumps({"score": 12}))
    done = run("resolve", "hackjack", "hit", "5", "--cards", "6S", "--state", state, "--set", "limit=18")
    assert "Exactly 18: the death-score starts again at 0." in done.out
    done = run("resolve", "hackjack", "hit", "5", "--cards", "7S", "--state", state, "--set", "limit=18")
    assert "A death-score of 19 is over 18: dead." in done.out
    state.write_text(json.dumps({"score": 18}))
    refused = run("resolve", "hackjack", "hit", "5", "--state", state, "--set", "limit=18")
    assert (refused.code, refused.out) == (1, "") and "(limit 18)" in refused.err


def test_the_die_of_initiative_is_the_number_unless_the_switch_says_otherwise() -> None:
    def die(*settings: tuple[str, str]) -> str:
        return initiative_die(with_settings(fiftytwo(), settings)).spoken

    assert [die(), die(("initiative_die", "3d6")), die(("initiative_die", "d12"))] == ["d20", "3d6", "d12"]
    assert die(("initiative_die", "d12"), ("initiative_die", "d6")) == "d6"


@pytest.mark.parametrize(("call", "says"), [
    ("card hackjack QS --set limt=18", 'hackjack has no ruling switch and no number "limt": did you mean "limit"?'),
    ("card hackjack QS --set limit=0", 'limit cannot be "0": write a whole number from 1 to 1,000'),
    ("card hackjack QS --set limit=1001", 'limit cannot be "1001": write a whole number from 1 to 1,000'),
    ("card hackjack QS --set limit=2d6", 'limit cannot be "2d6": write a whole number from 1 to 1,000'),
    ("card hackjack QS --set limit=many", 'limit cannot be "many": write a whole number from 1 to 1,000'),
    ("card hackjack QS --set limit=1e9", 'limit cannot be "1e9": write a whole number from 1 to 1,000'),
    ("card hackjack QS --set limit=", 'limit cannot be "": write a whole number from 1 to 1,000'),
    ("card hackjack QS --set scores=3", 'hackjack has no ruling switch and no number "scores"'),
    ("card hackjack QS --set pass_out_die=d1", 'pass_out_die: "d1": roll 1 to 100 dice'),
    ("odds jackrealms hand --set target=12", "jackrealms cannot be played with target 12: the dealer would stand"),
    ("odds deadlands trait d8 --set wild=2d6", "deadlands cannot be played with wild 2d6: 2d6 is not a single die"),
    ("odds glog hit 3 --set hour_upto=30", "glog cannot be played with hour_upto 30: "),
    ("table fiftytwo actions --set depth=x", 'depth cannot be "x": choose 5 or 4 or 4_then_5 or 4_then_5_late, or'),
    ("play --set limit=0 add bryn", 'limit cannot be "0": write a whole number from 1 to 1,000'),
    ("play jackrealms --set target=12 scene 3", "jackrealms cannot be played with target 12: "),
])  # fmt: skip
def test_a_number_that_cannot_be(call: str, says: str, home: Path) -> None:
    done = run(*call.split())
    assert (done.code, done.out) == (2, "") and done.err.startswith(says), done.err
    assert len(done.faults) == 1 and not list(home.rglob("*.hackjack"))


# --- kept by a campaign ----------------------------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home for campaigns with nothing in it."""
    monkeypatch.setenv("HACKJACK_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def play(line: str) -> list[str]:
    done = run("play", "--campaign", "red", *line.split())
    assert (done.code, done.err) == (0, ""), (line, done.err)
    return done.out.splitlines()


def test_a_campaign_keeps_its_numbers(tmp_path: Path) -> None:
    pack = _grim(tmp_path, "procedure: {limit: 18}")
    assert run("play", "--campaign", "red", "--pack", pack, "grim", "add", "Bryn").code == 0
    pack = _grim(tmp_path, "procedure: {limit: 12}")

    def here(line: str) -> str:
        return run("play", "--campaign", "red", "--pack", pack, *line.split()).out

    assert "Exactly 18" in here("hit bryn 18 2D")
    assert json.loads(here("export"))["numbers"]["limit"] == "18"


def test_a_campaign_is_begun_with_a_number_and_asked_for_no_other() -> None:
    play("hackjack --set limit=18 add Bryn")
    assert play("--set limit=18 show")[0] == "Bryn: death-score 0, Blood 0, Trauma 0"
    assert json.loads("".join(play("show --json")))["numbers"]["limit"] == "18"
    done = run("play", "--campaign", "red", "--set", "limit=21", "show")
    assert (done.code, done.err) == (
        2,
        'the campaign "red" was begun with another --set limit (18): leave it out, or begin a new one\n',
    )


def test_a_sheet_is_filled_by_the_rules_of_its_campaign(tmp_path: Path) -> None:
    play("hackjack --set limit=18 add Bryn")
    assert run("print", "hackjack", "sheet", "--from", "red:bryn", "-o", tmp_path).code == 0
    said = text((tmp_path / "hackjack-sheet-bryn.pdf").read_bytes())
    assert "Over 18 you die; on exactly 18" in said and "Hackjack 1.0, limit: 18" in said
    refused = run("print", "hackjack", "sheet", "--from", "red:bryn", "--set", "limit=20", "-o", tmp_path)
    assert (refused.code, refused.err) == (2, "--from uses the campaign's house rules: leave --set out\n")


# --- named in the margin ---------------------------------------------------------------------------------------------


def text(pdf: bytes) -> str:
    document = pypdfium2.PdfDocument(pdf)
    try:
        return " ".join(" ".join(page.get_textpage().get_text_bounded() for page in document).split())
    finally:
        document.close()


def _grim(folder: Path, line: str) -> Path:
    pack = folder / "grim"
    pack.mkdir(exist_ok=True)
    head = f'id: grim\nextends: hackjack\ntitle: Grim\nversion: "0.1"\n{line}\n'
    (pack / "system.yaml").write_text(head, encoding="utf-8")
    return pack


@pytest.mark.parametrize("product", ["deck", "sheet"])
def test_every_margin_names_a_changed_number(product: str, tmp_path: Path) -> None:
    call = ("print", "hackjack", product, "--set", "limit=18", "--set", "jokers=out", "-o", tmp_path)
    assert run(*call, *(("--only", "AS") if product == "deck" else ())).code == 0
    assert "Hackjack 1.0, limit: 18" in text((tmp_path / f"hackjack-{product}.pdf").read_bytes())


def test_a_pack_is_told_by_what_it_changes(tmp_path: Path) -> None:
    lines = {
        "procedure: {limit: 18}": "Grim 0.1, limit: 18",
        "procedure: {limit: 21, scores: {J: 11}}": "Grim 0.1, scores J: 11",
        "procedure: {pass_out_die: 1d12}\nrulings: {pass_out: d20_over_score}": (
            "Grim 0.1, pass_out: d20_over_score, pass_out_die: d12"
        ),
        "procedure: {pass_out_die: 1d20}": "Grim 0.1",
    }
    for written, line in lines.items():
        assert wording.product_line(load_pack(_grim(tmp_path, written)).system) == line
    pack = _grim(tmp_path, "procedure: {limit: 18}")
    upper = tmp_path / "grimmer"
    upper.mkdir()
    upper.joinpath("system.yaml").write_text(
        'id: grimmer\nextends: grim\ntitle: Grimmer\nversion: "1.0"\nprocedure: {massive: 10}\n', encoding="utf-8"
    )
    assert wording.product_line(load_pack(upper).system) == "Grimmer 1.0, limit: 18, massive: 10"
    assert run("print", "grim", "reference", "--format", "md", "--pack", pack, "-o", tmp_path).code == 0
    assert "limit: 18" in (tmp_path / "grim-reference.md").read_text(encoding="utf-8")


def test_many_changed_numbers_keep_to_the_margin() -> None:
    numbers = {name: "33" for name, value in fiftytwo().numbers.items() if value.isdigit()}
    for name in ("columns", "depth", "shallow", "one_deck", "row_attack"):
        del numbers[name]
    system = checks.under(fiftytwo(), (), numbers)
    assert wording.product_line(system).endswith(f", and {len(numbers) - 12} numbers more")
    document = pypdfium2.PdfDocument(panels.reference(system, PanelOptions(sheets.paper_sizes()["a4"])))
    try:
        printed_page = document[0].get_textpage()
        boxes = [printed_page.get_charbox(at) for at in range(printed_page.count_chars())]
        assert min(left for left, *_ in boxes) > 20 and max(right for _, _, right, _ in boxes) < 575
    finally:
        document.close()
