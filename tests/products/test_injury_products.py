"""What is printed of severity tables, read back: screen, sheet, reference, cards for every target, and the charts."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from io import BytesIO
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any

import pytest
from helpers import (
    MM,
    ROOT,
    Char,
    annotations_of,
    as_typed,
    chars,
    few_quick,
    opened,
    operations,
    pictures,
    product_pdf,
    run,
    squeezed,
    text_of,
)
from hypothesis import given
from hypothesis import strategies as st
from injured import glog, happen, injury, owed, until
from pypdf import PdfReader

from generator.base.dice import Dice
from generator.check import quoted_odds as quoting
from generator.games import game_of
from generator.games.card_products import card_set, card_set_names
from generator.layout import sheets
from generator.layout.card_elements import Badge, Blank, CardEffect, CardTrack, Emblem, Face, Index, Rule, Short, Title
from generator.layout.sheet_data import Filling
from generator.paper.body import PARTS, draw_silhouette
from generator.paper.document import close_document, open_document
from generator.paper.panel_options import PanelOptions
from generator.play.chance import RollNeed, Seeded
from generator.products import panels, products_of
from generator.words.chances import chance_percent
from generator.words.effects import condition_sentences
from generator.words.wording import MINUS

A4 = sheets.paper_sizes()["a4"]
SETS = ("conditions", "severity", "breakdowns", "madness")
BANDS = ("1-4", "5-6", "7-8", "9-10", "11-12", "13+")
WORST = {"1-4": 4, "5-6": 6, "7-8": 8, "9-10": 10, "11-12": 12, "13+": 14}
"""The highest severity of each band that is tried."""
BODY, OTHER = ("arm", "leg", "torso", "head"), ("nonlethal", "fire", "fall")
NAMES_OF_SOURCE = (
    *("Blinded", "Burned", "Concussed", "Cracked", "Crushed", "Dazed", "Dead", "Disabled"),
    *("Disarmed", "Dying", "Gored", "KO'd", "Prone", "Ruined", "Winded"),
)


def screen(paper: str = "a4") -> bytes:
    return product_pdf("glog", "screen", paper=paper, rulings=True)


@cache
def pages(pdf: bytes) -> tuple[str, ...]:
    """The text of each page, its white space as single spaces."""
    found = []
    with opened(pdf) as document:
        for number in range(len(document)):
            with text_of(document, number) as text:
                found.append(as_typed(re.sub(r"\s+", " ", text.get_text_bounded())))
    return tuple(found)


@cache
def cards(name: str) -> tuple[tuple[Face, str], ...]:
    """Every card of a set, each with the text of its own printed page."""
    printed = card_set(glog(), name)
    pdf = product_pdf("glog", name, single=True, backs="none")
    return tuple(zip(printed.faces, map(squeezed, pages(pdf)), strict=True))


# --- the severity tables on the screen -------------------------------------------------------------------------------


def rows_of(pdf: bytes, number: int) -> list[list[str]]:
    """What stands beside each other on a page, from the top: letters far apart belong to different cells.

    A line without a first cell goes on with the cells of the row above it.
    """
    letters = sorted(chars(pdf, number), key=lambda char: (-round(char.y * 2), char.x))
    rows = [cells_of(list(row)) for _, row in groupby(letters, key=lambda char: round(char.y * 2))]
    found: list[list[tuple[float, str]]] = []
    for row in rows:
        above = found[-1] if found and found[-1][0][1] in BANDS else []
        others = range(1, len(above))
        if (
            others
            and row[0][1] not in BANDS
            and all(min(abs(left - above[at][0]) for at in others) < 15 for left, _ in row)
        ):
            for left, said in row:
                place = min(others, key=lambda cell: abs(above[cell][0] - left))
                above[place] = (above[place][0], f"{above[place][1]} {said}")
        else:
            found.append(row)
    return [[said for _, said in row] for row in found]


def cells_of(row: list[Char]) -> list[tuple[float, str]]:
    """Where each cell of a line begins, mm, and what it says."""
    cells, last = [(row[0].left, "")], row[0]
    for char in row:
        if char.left - last.right > 3:
            cells.append((char.left, ""))
        left, said = cells[-1]
        cells[-1] = left, said + (" " if char.spaced and said else "") + char.text
        last = char
    return cells


@cache
def printed_cells(paper: str) -> Mapping[tuple[str, str], str]:
    """Both severity tables as they stand on the screen: place or kind and band -> the cell."""
    found: dict[tuple[str, str], str] = {}
    tables = [row for row in rows_of(screen(paper), 1) if row[0] in BANDS and len(row) > 1][:12]
    assert [row[0] for row in tables] == [*BANDS, *BANDS]
    for columns, rows in ((BODY, tables[:6]), (OTHER, tables[6:])):
        for band, *cells in rows:
            # Arm and leg share a cell where they suffer alike, and one cell stands for all who are slain.
            shared = [cells[0]] * (len(columns) - len(cells) + 1)
            shared = [cell.replace("\N{DAGGER}", "") for cell in (*shared, *cells[1:])]
            found |= {(column, band): cell for column, cell in zip(columns, shared, strict=True)}
    return found


DAYS = {"day": 1, "days": 1, "weeks": 7}


def as_read(cell: str, place: str) -> tuple[list[int], dict[str, Any]]:
    """What somebody at the table does with a printed cell: the dice they roll (all ones), and what they write down."""
    dice: list[int] = []
    after: dict[str, Any] = {"injuries": [], "conditions": [], "coming": [], "dying": False, "dead": False, "saves": []}
    local = place if place in BODY else ""

    def rolled(amount: str) -> int:
        if "d" not in amount:
            return int(amount)
        count = int(amount.partition("d")[0] or 1)
        dice.extend([1] * count)
        return count

    for item in cell.split("; "):
        if item == "d2 which limb":
            dice.append(1)
            local = "arm"
            continue
        match = re.fullmatch(
            r"(No injury|[A-Z][\w']+)(?: in (\S+) rounds)?(?: until [a-z ]+| (for good|(\S+) (\w+)))?", item
        )
        assert match, item
        name, soon, ends, amount, unit = match.groups()
        match name:
            case "No injury" | "Disarmed":
                pass
            case "Prone":
                after["conditions"].append(until("prone", "stand"))
            case "Winded":
                after["conditions"].append(until("winded", "breath"))
            case "Dazed":
                after["conditions"].append(until("dazed", f"{amount} {unit}"))
            case "KO'd":
                many = rolled(amount)
                lasts = f"{many} {unit}" if many > 1 else f"{many} {unit.removesuffix('s')}"
                after["conditions"].append(until("ko", lasts))
            case "Burned" | "Blinded" | "Gored" | "Concussed" | "Disabled":
                days = 0 if ends == "for good" else rolled(amount) * DAYS[unit]
                after["injuries"].append(injury(name.lower(), days, local))
                extra = {"Gored": until("winded", "breath"), "Concussed": until("dazed", "1 round")}
                if name == "Disabled" and local == "leg":
                    after["conditions"].append(until("prone", "stand"))
                if ends == "for good":
                    after["saves"].append(name.lower())
                after["conditions"] += [extra[name]] if name in extra else []
            case "Ruined":
                after["saves"].append("ruined")
            case "Crushed" | "Cracked":
                inner = {"Crushed": ("gored", "winded", "breath"), "Cracked": ("concussed", "dazed", "1 round")}[name]
                after["injuries"].append(injury(inner[0], rolled("2d6") * 7, local))
                after["conditions"].append(until(inner[1], inner[2]))
                after["saves"].append(name.lower())
                dice.append(10)
            case "Dying" if soon:
                many = rolled(soon)
                after["coming"].append({"condition": "dying", "after": f"{many} round" + ("s" if many > 1 else "")})
            case "Dying":
                after["dying"] = True
            case "Slain":
                after["dead"] = True
            case _:
                raise AssertionError(f"nobody knows {item}")
    return dice, after


@pytest.mark.parametrize("place", [*BODY, *OTHER])
def test_whoever_reads_the_printed_cell_does_what_the_engine_does(place: str) -> None:
    looked_up = run("table", "glog", "body" if place in BODY else "special").out
    for band, severity in WORST.items():
        cell = printed_cells("a4")[place, band]
        assert cell == printed_cells("letter")[place, band]
        assert cell in looked_up
        at: dict[str, Any] = {"location": place} if place in BODY else {"type": place}
        lethal = max(severity - 12, 1)
        dice, wanted = as_read(cell, place)
        if wanted["dead"]:
            at.pop("location", None)
        state, log = happen(f"hit {lethal}", dice=[severity - lethal, *dice], **at)
        if not wanted["dead"]:
            assert state["injuries"] == wanted["injuries"]
            assert sorted(map(str, state["conditions"])) == sorted(map(str, wanted["conditions"]))
        for key in ("coming", "dying", "dead"):
            assert state[key] == wanted[key], key
        assert [save["of"] for save in state["saves"]] == wanted["saves"]
        lines = " ".join(entry["text"] for entry in log)
        assert all(name in lines for name in re.findall(r"\b[A-Z][\w']+", cell) if name != "No")


SWITCHED = {
    ("sides", "on"): "House rule: A further d2 says which arm or leg",
    ("permanent_injuries", "do_not_count"): "Permanent injuries do not count.",
    ("magic_heals", "one_injury"): "House rule: Magic heals the injury you choose, or else the longest",
    ("lowered_hp", "once"): "House rule: Of several injuries that lower maximum HP, the worst alone does",
}


@pytest.mark.slow
def test_the_screen_says_what_switches_say() -> None:
    switched = pages(product_pdf("glog", "screen", settings=tuple(SWITCHED), rulings=True))
    plain = " ".join(pages(screen()))
    for (name, option), says in SWITCHED.items():
        assert says not in plain and says in " ".join(switched)
        assert f"{name}: {option}" in switched[0]


# --- the rest of the screen ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_the_screen_holds_every_condition_with_all_that_comes_with_it(paper: str) -> None:
    system, said = glog(), squeezed("".join(pages(screen(paper))))
    named = [condition for condition in system.head.conditions.values() if condition.name]
    assert {condition.name for condition in named} >= set(NAMES_OF_SOURCE)
    for condition in named:
        text = " ".join(map(str, condition_sentences(condition, system)))
        assert squeezed(f"{condition.name}: {text}") in said, condition.name


def test_the_screen_holds_breakdowns_madness_and_every_ruling() -> None:
    system, said = glog(), squeezed("".join(pages(screen())))
    for table in ("breakdowns", "madness"):
        found = system.table(table)
        assert found is not None
        for row in found.rows:
            assert squeezed(f"{row.at} {row.name}") in said
            assert squeezed(row.note or "") in said
    for ruling in system.head.rulings:
        assert squeezed(f"{ruling.id} {ruling.point}:") in said, ruling.id
        assert "The same" not in ruling.ours, "a ruling stands alone on the screen"


# --- chances within sentences ----------------------------------------------------------------------------------------


@given(st.fractions(0, 1), st.integers(0, 4))
def test_per_cents_are_rounded_but_never_to_what_cannot_be(share: Fraction, decimals: int) -> None:
    said = chance_percent(share, decimals)
    number = Fraction(said.strip("<>"))
    assert abs(number - share * 100) <= Fraction(1, 10**decimals) / (1 if said[0] in "<>" else 2)
    steps = share * 100 * 10**decimals
    assert (said[0] == "<") == (0 < steps < Fraction(1, 2))
    assert (said[0] == ">") == (share < 1 and steps >= 100 * 10**decimals - Fraction(1, 2))
    assert len(said.partition(".")[2]) == decimals


def test_half_a_per_cent_is_rounded_up() -> None:
    """On matrices, bars and in sentences alike: 12.5 % is 13 %."""
    shares = (Fraction(1, 8), Fraction(3, 8), 0.125, Fraction(1, 200), Fraction(199, 200))
    assert [chance_percent(share) for share in shares] == ["13", "38", "13", "1", ">99"]
    assert chance_percent(Fraction(1, 800), 1) == "0.1" and chance_percent(Fraction(1, 16), 1) == "6.3"


GLOG = ROOT / "content" / "glog"


def pack(folder: Path, *changes: tuple[str, str]) -> Path:
    """A copy of the pack with other sentences on its screen."""
    for path in GLOG.glob("*.yaml"):
        text = path.read_text(encoding="utf-8")
        for old, new in changes if path.name == "screen.yaml" else ():
            assert text.count(old) == 1
            text = text.replace(old, new)
        (folder / path.name).write_text(text, encoding="utf-8")
    return folder


# What is written in place of what, and what `check` says at that line. What stands together is told together: names
# that are not there and questions that cannot be asked come before chances that cannot be counted.
FAULTS = (
    (
        ("table: special, even", "table: specal, even", 'did you mean "special"?'),
        ("block: conditions, title", "only: [winde], block: conditions, title", 'did you mean "winded"?'),
        ("{success} are alive", "{success} are alive [G99]", "G99"),
        ("asks: conditions 1", "asks: condition 1", 'condition has no odds: did you mean "conditions"?'),
        ("state: {dying: true}", "state: {dyng: true}", 'the state has an unknown key "dyng": did you mean "dying"?'),
        ('points: "2,1"', 'points: "2,x"', '--at points takes a whole number, not "x"'),
        ("most: trauma_most", "most: trauma_mots", 'did you mean "trauma_most"?'),
    ),
    (("asks: hour", "asks: hit", "these odds cannot be counted: hit needs a number"),),
    (
        ("{slain} are slain, {dying}", "{slian} are slain, {dying}", 'has no "{slian}": did you mean "slain"?'),
        ("{success} are alive", "most are alive", 'quotes no chance: the answer to "hour" has success'),
        ("name: tal", "name: talent", '"tal" is not a number here: the axes have rounds, talent'),
        ("upto: 20", "upto: 40", '"lethal damage" has 40 values: from 1 to 24 can be printed'),
    ),
    (
        ("state: {dying: true}", "state: {dead: true}", "the character is dead: there is nothing left to count"),
        ('{tal * stabilise_part}"', '{tal * stabilise_die}"', '"stabilise_die" is not a number here'),
    ),
    (('{tal * stabilise_part}"', '{tal * d6}"', "d6 would be rolled"),),
    (('{tal * stabilise_part}"', '{tal * }"', "braces hold a formula"),),
    (("counts: success", "counts: succes", 'has no "succes": did you mean "success"?'),),
)


@pytest.mark.parametrize("faults", few_quick(2, ((faults,) for faults in FAULTS)), ids=lambda faults: faults[0][1])
def test_a_chance_that_cannot_be_counted_is_a_fault_at_its_line(
    faults: tuple[tuple[str, str, str], ...], tmp_path: Path
) -> None:
    done = run("check", pack(tmp_path, *((old, new) for old, new, _ in faults)))
    assert done.code == 1 and "Traceback" not in done.err
    before = (GLOG / "screen.yaml").read_text(encoding="utf-8")
    for old, _, says in faults:
        fault = next((line for line in done.faults if says in line), "")
        assert (found := re.search(r"screen\.yaml:(\d+):", fault)), (says, done.err)
        assert abs(int(found[1]) - before[: before.index(old)].count("\n") - 1) <= 12, says


def test_every_sentence_quotes_what_the_odds_command_says() -> None:
    panel_file = dict(glog().panels)["screen"]
    asked = [
        chance for panel in panel_file.panels for block in panel.blocks for chance in getattr(block, "chances", ())
    ]
    assert len(asked) >= 6
    said = squeezed("".join(pages(screen())))
    for chance in asked:
        at = [part for name, value in chance.at.items() for part in ("--at", f"{name}={value}")]
        state = ["--state", json.dumps(chance.state)] if chance.state else []
        path = None
        if state:
            path = state.pop()
            answer = quoting.answer(glog(), chance.asks, chance.at, json.loads(path))
        else:
            done = run("odds", "glog", *chance.asks.split(), *at, "--json")
            assert done.code == 0, done.err
            answer = json.loads(done.out)
        text = chance.says
        for name, share in answer.items():
            if "p" in share:
                text = text.replace(f"{{{name}}}", f"{share['p'] * 100:.{chance.decimals}f} %")
        assert squeezed(text) in said, text


# --- charts ----------------------------------------------------------------------------------------------------------


def low_high(band: str) -> tuple[int, int]:
    low, _, high = band.rstrip("+").partition("-")
    return int(low), int(high or (1000 if band.endswith("+") else low))


def number(name: str, numbers: Mapping[str, str]) -> int:
    """A number of the procedure, or how many faces a die has."""
    return int((numbers.get(name) or glog().numbers[name]).removeprefix("d"))


# --- cards -----------------------------------------------------------------------------------------------------------


def part(face: Face, kind: type) -> Any:
    return next((found for found in face.parts if isinstance(found, kind)), None)


def test_every_condition_has_its_card_with_its_name_and_text() -> None:
    system = glog()
    named = {name: condition for name, condition in system.head.conditions.items() if condition.name}
    assert [face.code for face, _ in cards("conditions")] == list(named)
    for face, said in cards("conditions"):
        condition = named[face.code]
        assert squeezed(condition.name or "") in said
        for sentence in condition_sentences(condition, system):
            assert squeezed(str(sentence)) in said, face.code


def test_injuries_say_what_they_add_and_have_a_line_for_their_days() -> None:
    counted = {"disabled", "gored", "concussed", "burned", "blinded"}
    for face, _ in cards("conditions"):
        lines = [found.label for found in face.parts if isinstance(found, Blank)]
        badges = [(found.number, found.caption) for found in face.parts if isinstance(found, Badge)]
        assert ("Days left" in lines) == (face.code in counted)
        assert ("Saves on day" in lines) == (face.code in {"coma", "paraplegia", "quadriplegia"})
        assert (("+2", "on your next severity") in badges) == (
            "Saves on day" in lines or face.code in {*counted, "one_eyed"}
        )
        assert ("Where" in lines) == (face.code == "disabled")
        assert (("", "for good") in badges) == (face.code == "one_eyed")
        assert (part(face, CardTrack) is not None) == (face.code == "dying")


def test_a_figure_shows_where_it_hurts_and_a_skull_is_death() -> None:
    shown = {face.code: part(face, Emblem) for face, _ in cards("conditions") if part(face, Emblem)}
    assert {code: emblem.rank for code, emblem in shown.items() if not emblem.name} == dict.fromkeys(
        ("disabled", "ruined"), "arm leg"
    )
    wanted = {
        "disarmed": "weapon", "prone": "prone", "gored": "gash", "concussed": "mind", "unconscious": "unconscious",
    }  # fmt: skip
    assert {code: shown[code].name for code in wanted} == wanted
    assert {shown["slain"].name, shown["dead"].name} == {"death", "skull"}
    for face, _ in cards("severity"):
        sign, column = part(face, Emblem), face.code.partition("-")[0]
        slain = face.code in ("body-13", "fire-13", "fall-13")
        kinds = {"nonlethal": "stun", "fire": "burn", "fall": "arm leg"}
        # The place on the body is seen; without one, what it brings.
        assert (sign.rank, sign.name, sign.figure) == (
            (column, "", True)
            if column in PARTS
            else ("", "skull" if slain else sign.name, False)
            if slain or sign.name
            else (kinds[column], "", False)
        ), face.code
        # And how far up the six bands of severity, by which the row is looked up.
        low = int(face.code.partition("-")[2])
        bands = (1, 5, 7, 9, 11, 13)
        gauge = next(found.number for found in face.parts if isinstance(found, Badge) and found.kind == "gauge")
        assert gauge == f"{bands.index(low) + 1} of 6", face.code


def test_a_figure_and_a_gauge_are_drawn_on_every_severity_card_of_a_part() -> None:
    pdf = product_pdf("glog", "severity", single=True, backs="none")
    for number, (face, _) in enumerate(cards("severity")):
        drawn = operations(pdf, number)
        hurt = [str(operands) for operands, operator in drawn if operator == "Do" and "hurt-" in str(operands)]
        assert hurt or face.code.partition("-")[0] not in PARTS, face.code
        boxes = [
            after
            for (operands, operator), (_, after) in pairwise(drawn)
            if operator == "re" and float(operands[3]) == pytest.approx(3.2 * MM, abs=0.01)
        ]
        gauge = next(found.number for found in face.parts if isinstance(found, Badge) and found.kind == "gauge")
        assert f"{sum(after.startswith(('B', 'b')) for after in boxes)} of {len(boxes)}" == gauge


PROBES = {"head": (0, 700), "torso": (30, 500), "arm": (110, 470), "leg": (45, 200)}
"""A place well inside each part of the figure, which is 750 high."""


@pytest.mark.parametrize("hurt", [("arm",), ("leg",), ("torso",), ("head",), ("arm", "leg")])
def test_the_parts_that_are_hurt_are_dark_on_both_sides(hurt: tuple[str, ...]) -> None:
    canvas = open_document(300, 750, title="x", subject="x")
    draw_silhouette(canvas, 150, 0, 750, ((0.9, 0.9, 0.9), (0.5, 0.5, 0.5)), hurt)
    canvas.showPage()
    picture = pictures(close_document(canvas), 72)[0].convert("L")
    assert set(PROBES) == PARTS
    for part_of_body, (x, y) in PROBES.items():
        for side in (-1, 1):
            shade = picture.getpixel((150 + side * x, 750 - y))
            assert shade == (128 if part_of_body in hurt else 230), (part_of_body, side)
    assert picture.getpixel((5, 375)) == 255
    seam = [picture.getpixel((150, 750 - y)) for y in range(390, 605)]
    assert len(set(seam)) == 1, "no line between the halves"


TITLES = {
    "arm": "Arm", "leg": "Leg", "torso": "Torso", "head": "Head", "nonlethal": "Non-lethal", "fire": "Fire or acid",
    "fall": "Falls",
}  # fmt: skip


@pytest.mark.parametrize("place", TITLES)
def test_every_result_has_one_card_that_says_its_cell(place: str) -> None:
    heads = [TITLES[place], *(["Weapons and blows"] if place in BODY else [])]
    for band, severity in ((band, severity) for band, worst in WORST.items() for severity in (worst - 1, worst)):
        fitting = [
            (face, printed)
            for face, printed in cards("severity")
            if part(face, Rule).word in heads and severity in range(*_half_open(part(face, Index).rank))
        ]
        ((face, printed),) = fitting
        # A sticker lies far from the ruling that says what the faces of a d2 mean.
        where, _, short = part(face, Short).text.partition(": ")
        assert where == part(face, Rule).word
        assert short.replace(" (1 arm, 2 leg)", "") == printed_cells("a4")[place, band]
        assert all(name.casefold() in printed.casefold() for name in re.findall(r"[A-Z][\w']+", short))
        for sentence in (found for found in face.parts if isinstance(found, CardEffect)):
            assert squeezed(f"{sentence.says} {sentence.until}".strip() + ".") in printed


def _half_open(band: str) -> tuple[int, int]:
    low, high = low_high(band)
    return low, high + 1


def counted(plain: Mapping[str, Any], *, for_good: bool) -> int:
    """How many injuries somebody has who counts them on the sheet: a ruined limb is one before its save (G7)."""
    lasting = [injury for injury in plain["injuries"] if for_good or not injury["permanent"]]
    before = [owed for owed in plain["saves"] if owed["of"] == "ruined"]
    return len(lasting) + len(before)


def counts_in_play(column: str, settings: tuple[tuple[str, str], ...]) -> dict[str, set[int]]:
    """How many injuries count after blows there, by the lowest severity of the row: at once, and after every save."""
    game, for_good = game_of(glog(*settings)), ("permanent_injuries", "count") in settings
    at = {"location": column} if column in BODY else {"type": column}
    found: dict[str, set[int]] = {}
    for seed in range(250):
        luck = Seeded(seed)
        after, log = game.step(game.read_state({}), game.read_event(["hit", "4"], at), luck)
        row = next(str(entry.facts["at"]) for entry in log if entry.kind == "row")
        met = found.setdefault(row.split("-")[0], set())
        while True:
            plain = game.plain_state(after)
            met.add(counted(plain, for_good=for_good))
            if not plain["saves"]:
                break
            word = ("pass", "fail")[luck.roll(RollNeed(Dice(1, 2), ""))[0] - 1]
            after, _ = game.step(after, game.read_event(["save", word], {}), luck)
    return found


@pytest.mark.parametrize("counts", ["count"])
@pytest.mark.parametrize("column", [*BODY, *OTHER])
def test_a_severity_card_adds_what_the_engine_counts(column: str, counts: str) -> None:
    """G7: fire and acid may burn and blind, and a crushed trunk may paralyse: each is one injury."""
    settings = (("permanent_injuries", counts),)
    faces = {face.code: face for face in card_set(glog(*settings), "severity").faces}
    for low, seen in counts_in_play(column, settings).items():
        face = faces.get(f"{column}-{low}")
        if face is None:
            # One card serves all columns, or rows with the same cell.
            continue
        badges = [found.number for found in face.parts if isinstance(found, Badge) and found.kind == "score"]
        assert badges == ([f"+{2 * injuries}" for injuries in sorted(seen)] if max(seen) else []), face.code


@pytest.mark.parametrize(("code", "lines", "badges"), [
    ("arm-7", ["Days left"], ["+2 on your next severity"]),
    ("arm-11", ["Days left"], ["+2 on your next severity"]),
    ("torso-7", ["Dying in", "Days left"], ["+2 on your next severity"]),
    ("torso-11", ["Gored, days left", "Saves on day"], ["+2 or", "+4 on your next severity"]),
    ("head-11", ["Concussed, days left", "Saves on day"], ["+2 or", "+4 on your next severity"]),
    ("fire-7", ["Days left"], ["+2 on your next severity"]),
    ("fire-9", ["Burned, days left", "Blinded, days left"], ["+4 on your next severity"]),
    ("fire-11", ["Burned, days left"], ["+4 on your next severity"]),
    ("nonlethal-7", [], []),
    ("fire-13", [], []),
    ("fall-11", ["Days left"], ["+2 on your next severity"]),
])  # fmt: skip
def test_a_severity_card_has_a_line_for_every_span(code: str, lines: list[str], badges: list[str]) -> None:
    (face, said) = next((face, said) for face, said in cards("severity") if face.code == code)
    assert [found.label for found in face.parts if isinstance(found, Blank)] == lines
    shown = [found for found in face.parts if isinstance(found, Badge)]
    assert [f"{found.number} {found.caption}" for found in shown if found.kind == "score"] == badges
    assert all(squeezed(line) in said for line in lines)


@pytest.mark.parametrize(("name", "table"), [("breakdowns", "breakdowns"), ("madness", "madness")])
def test_breakdowns_and_madnesses(name: str, table: str) -> None:
    found = glog().table(table)
    assert found is not None and len(found.rows) == len(cards(name)) == found.roll.faces
    for row, (face, said) in zip(found.rows, cards(name), strict=True):
        assert part(face, Title).text == row.name
        assert squeezed(f"{row.at} {row.name}") in said
        assert squeezed(row.note or "") in said
        if name == "breakdowns":
            assert squeezed("It lasts d20 rounds.") in said and "Roundsleft" in said
        else:
            assert part(face, Badge).kind == "permanent"
            assert ("Which" in said) == (row.name in ("Addiction", "Alien Hand Syndrome"))


def test_stickers_hold_every_card(tmp_path: Path) -> None:
    """On the smallest stickers there are, whatever a card says in short."""
    for name in SETS:
        assert run("print", "glog", name, "--target", "5167", "-o", tmp_path).code == 0
        said = squeezed("".join(pages((tmp_path / f"glog-{name}-5167.pdf").read_bytes())))
        for face, _ in cards(name):
            assert squeezed(part(face, Title).text) in said and squeezed(part(face, Short).text) in said


@pytest.mark.parametrize(("name", "says"), [
    ("Winded", "\N{MINUS SIGN}2 Attack, Defense; a round's breath ends it"),
    ("Prone", "You are on the ground; getting up costs a turn"),
    ("Blinded", "You cannot see; save if for good (passed: no longer blind; One-eyed for good)"),
    ("Coma", "You do not wake; save after d6 days, d6 weeks"),
])  # fmt: skip
def test_a_sticker_says_what_a_condition_does_and_what_ends_it(name: str, says: str) -> None:
    (face,) = (face for face, _ in cards("conditions") if part(face, Title).text == name)
    assert part(face, Short).text == says


# --- all products ----------------------------------------------------------------------------------------------------


def test_print_glog_prints_all_and_list_shows_them(tmp_path: Path) -> None:
    wanted = (*SETS, "screen", "sheet", "reference", "reference-cards", "tokens", "box")
    assert products_of(glog()) == wanted and card_set_names(glog()) == SETS
    done = run("print", "glog", "--format", "md", "-o", tmp_path)
    assert (done.code, done.err) == (0, "")
    assert {Path(line).name for line in done.out.splitlines()} <= {f"glog-{name}.md" for name in wanted}
    said = (tmp_path / "glog-screen.md").read_text(encoding="utf-8")
    assert "22.6 %" in said and "Quadriplegia" in said and "KO'd 2d6 minutes" in said
    listed = json.loads(run("list", "--json").out)
    assert next(found for found in listed["systems"] if found["system"] == "glog")["products"] == [
        *wanted,
        "sets",
        "starter",
        "all",
    ]


# --- the sheet -------------------------------------------------------------------------------------------------------


def fields(pdf: bytes) -> dict[str, Any]:
    return {name: field.value for name, field in (PdfReader(BytesIO(pdf)).get_fields() or {}).items()}


def written_in(pdf: bytes) -> dict[str, Any]:
    """The fields that are not empty."""
    return {name: value for name, value in fields(pdf).items() if value not in (None, "", "/Off")}


def filled(state: Mapping[str, Any], *, fillable: bool = True, name: str = "Bryn") -> bytes:
    game = game_of(glog())
    plain = game.plain_state(game.read_state(dict(state)))
    filling = Filling(name, game.sheet(plain))
    return panels.sheet(glog(), PanelOptions(A4, fillable=fillable, filling=filling))


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_a_blank_sheet_has_fields_of_different_names_and_nothing_in_them(paper: str) -> None:
    pdf = product_pdf("glog", "sheet", paper=paper, fillable=True)
    reader = PdfReader(BytesIO(pdf))
    assert len(reader.pages) == 1
    annotations = annotations_of(reader.pages[0])
    names = [found["/T"] for found in annotations]
    assert len(set(names)) == len(names) == len(fields(pdf)) > 80
    assert all(found["/TU"].strip() for found in annotations)
    wanted = {"name", "hp", "max_hp", "lowered", "hd", "dead", "dying", "rounds_dying_8", "trauma_20"}
    wanted |= {"injuries_5_name", "injuries_5_days", "injuries_5_permanent", "injuries_1_saves", "conditions_2_until"}
    assert wanted | {"breakdown", "breakdown_rounds", "madness_2_does", "saves_2_name", "lost_2_by"} <= set(names)
    assert written_in(pdf) == {}
    said = pages(pdf)[0]
    assert "d4: 1 arm, 2 leg, 3 torso, 4 head" in said


def test_a_sheet_shows_exactly_the_state_it_is_filled_with() -> None:
    state = {
        "hp": 1,
        "max_hp": 9,
        "hd": 2,
        "day": 5,
        "injuries": [injury("disabled", 12, "left arm"), injury("gored", 20), injury("one_eyed"),
            injury("coma", chances=(3, 21))],
        "conditions": [until("prone", "stand"), until("ko", "3 rounds")],
        "coming": [{"condition": "dying", "after": "6 rounds"}],
        "lost": [{"statistic": "charisma", "by": 1}],
        "trauma": 3,
        "breakdown": {"name": "Hide", "rounds": 5},
        "madness": [{"name": "Addiction", "detail": "alcohol"}, {"name": "Twitches"}],
        "saves": [owed("ruined", "leg")],
    }  # fmt: skip
    found = written_in(filled(state))
    does = "Seek it out wherever it can be had, unless a Wil check succeeds."
    assert found == {
        "sum_charisma": "\u22121",
        "name": "Bryn",
        "hp": "1",
        "max_hp": "9",
        "hd": "2",
        "lowered": f"{MINUS}2",
        "injuries_1_name": "Disabled",
        "injuries_1_place": "left arm",
        "injuries_1_days": "12",
        "injuries_1_does": f"arm: Disarmed; leg: Prone until up; leg: {MINUS}6 Movement",
        "injuries_2_name": "Gored",
        "injuries_2_place": "torso",
        "injuries_2_days": "20",
        "injuries_2_does": f"Winded until rested a round; {MINUS}1 max HP/HD",
        "injuries_3_name": "One-eyed",
        "injuries_3_permanent": "/Yes",
        "injuries_3_does": "You see again with one eye",
        "injuries_4_name": "Coma",
        "injuries_4_does": "You do not wake; save after d6 days, d6 weeks",
        "injuries_4_saves": "3, 21",
        # A ruined limb counts before its save.
        "added": "+10",
        "conditions_1_name": "Prone",
        "conditions_1_until": "until you stand up",
        "conditions_1_does": "You are on the ground; getting up costs a turn",
        "conditions_2_name": "KO'd",
        "conditions_2_until": "3 rounds",
        "conditions_2_does": "Unconscious",
        "conditions_3_name": "Dying",
        "conditions_3_until": "comes in 6 rounds, unless treated",
        "conditions_3_does": "You bleed out, unconscious",
        "lost_1_name": "Charisma",
        "lost_1_by": f"{MINUS}1",
        **{f"trauma_{at}": "/Yes" for at in (1, 2, 3)},
        "breakdown": "Hide",
        "breakdown_rounds": "5",
        "madness_1_name": "Addiction (alcohol)",
        "madness_1_does": does,
        "madness_2_name": "Twitches",
        "madness_2_does": f"{MINUS}1 to Dex-Attack and fitting Skill checks for good.",
        "saves_1_name": "Ruined (leg)",
    }
    plain = pages(filled(state, fillable=False))[0]
    assert not fields(filled(state, fillable=False))
    for words in ("Disabled", "left arm", "12", "comes in 6 rounds, unless treated", "Addiction (alcohol)", "+10"):
        assert words in plain


def test_the_dying_and_the_dead() -> None:
    found = written_in(filled({"dying": True, "rounds_dying": 4}))
    assert found == {
        "name": "Bryn", "hp": "0", "hd": "1", "dying": "/Yes",
        **{f"rounds_dying_{at}": "/Yes" for at in range(1, 5)},
    }  # fmt: skip
    assert written_in(filled({"dead": True}))["dead"] == "/Yes"
    assert written_in(filled({"kind": "npc", "hp": -2, "dying": True})) == {
        "name": "Bryn", "hp": "-2", "hd": "1", "dying": "/Yes",
    }  # fmt: skip


def test_more_injuries_than_lines_take_more_lines() -> None:
    many = [injury("burned", days) for days in range(1, 12)]
    found = written_in(filled({"injuries": many}))
    assert [found[f"injuries_{at}_days"] for at in range(1, 12)] == [str(days) for days in range(1, 12)]
    assert found["added"] == "+22"


def test_the_reference_stands_on_quarters_and_cards() -> None:
    pdf = product_pdf("glog", "reference")
    found = pages(pdf)
    assert [text.count("When you are hit") for text in found] == [4]
    (cards,) = pages(product_pdf("glog", "reference-cards"))
    assert all(text.count("When you are hit") == 1 for text in (cards,))
    assert all(number in text for number in ("d12", "d20", "d10") for text in (*found, cards))
