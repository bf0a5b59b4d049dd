"""Themes: what a pack may say of its look, and that every print in any of them is sound."""

from __future__ import annotations

import itertools
import re
import shutil
import subprocess
import sys
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import font_source_sans_pro
import preflight
import pytest
from helpers import ROOT, chars, few_quick, operations, reader, run, shipped, squeezed, text_in
from hypothesis import given
from hypothesis import strategies as st
from ink_coverage import coverage

from generator.base.errors import HackjackError
from generator.check.theme_checks import too_faint
from generator.games.card_products import card_set
from generator.layout.sheets import card_sizes
from generator.layout.targets import (
    BleedTarget,
    CuttingTarget,
    FoldTarget,
    FullLabelTarget,
    LabelTarget,
    SheetTarget,
    ShopTarget,
    SingleTarget,
    StockTarget,
    targets_by_name,
)
from generator.model.themes import Palette, Theme
from generator.orders.order import order_of
from generator.pack import themes
from generator.pack.load import load_pack
from generator.pack.pack_locations import find
from generator.paper.document import Looks
from generator.products import products_of

THEMES = list(themes.shipped())
SETS = {"hackjack": "deck", "jackrealms": "scenes", "deadlands": "fate", "fiftytwo": "initiative", "glog": "madness"}
MIRE = ROOT / "docs" / "examples" / "mire"


def family(target: object) -> str:
    """What targets have in common that are made alike."""
    match target:
        case SheetTarget() | BleedTarget() | FoldTarget() | CuttingTarget() | StockTarget():
            return "sheets"
        case LabelTarget() | FullLabelTarget():
            return "stickers"
        case SingleTarget() | ShopTarget():
            return "singles"
        case _:
            return "pictures"


def rotation() -> list[tuple[str, str, str]]:
    """Every target once, every theme on each family of targets, and every system in turn."""
    families: dict[str, list[str]] = {}
    for name, target in targets_by_name().items():
        families.setdefault(family(target), []).append(name)
    pairs = [
        pair
        for known in families.values()
        for pair in islice(zip(cycle(THEMES), cycle(known), strict=False), max(len(THEMES), len(known)))
    ]
    return [(system, theme, target) for system, (theme, target) in zip(cycle(SETS), pairs, strict=False)]


QUICK = {"home", "l7160", "drivethru", "png", "json"}
"""A target of each kind, printed in the first theme whose turn it is."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Print a few quickly, in turns if slowly, and every week all systems in all themes for all targets."""
    if "theme" not in metafunc.fixturenames or "target" not in metafunc.fixturenames:
        return
    turns, left, cases = rotation(), set(QUICK), []
    for case in turns:
        cases.append(pytest.param(*case, marks=() if case[2] in left else pytest.mark.slow))
        left.discard(case[2])
    if metafunc.config.getoption("--weekly"):
        every = itertools.product(SETS, THEMES, targets_by_name())
        cases += [pytest.param(*case, marks=pytest.mark.weekly) for case in every if case not in turns]
    metafunc.parametrize(("system", "theme", "target"), cases)


def test_the_rotation_has_every_target_and_every_theme_on_each_family() -> None:
    turns = rotation()
    assert {target for _, _, target in turns} == set(targets_by_name())
    met = {(family(targets_by_name()[target]), theme) for _, theme, target in turns}
    assert met == {(kind, theme) for kind in ("sheets", "stickers", "singles", "pictures") for theme in THEMES}
    assert {system for system, _, _ in turns} == set(SETS)


def test_it_is_looked_over_and_printed(system: str, theme: str, target: str, tmp_path: Path) -> None:
    loaded = load_pack(find(system)).system
    every = [face.code for face in card_set(loaded, SETS[system]).faces]
    codes = ",".join(every if family(targets_by_name()[target]) == "stickers" else every[:3])
    call = ("print", system, SETS[system], "--target", target, "--only", codes, "-o", tmp_path, "--theme", theme)
    done = run(*call)
    if "does not fit on a sticker of 44.45 x 12.7 mm" in done.err:
        return  # The smallest of all stickers hold no long names and sentences, and say so.
    assert (done.code, done.err) == (0, "")
    usual = targets_by_name()[target].theme
    ending = "" if theme == usual or target in ("csv", "json") else f"-{theme}"
    name = f"{system}-{SETS[system]}{'' if target == 'home' else f'-{target}'}{ending}"
    assert {path.stem.removesuffix("-ORDER") for path in tmp_path.iterdir()} == {name}


@pytest.mark.parametrize(
    ("system", "look"),
    [
        pytest.param(system, look, marks=pytest.mark.slow if number == at else pytest.mark.weekly)
        for number, system in enumerate(SETS)
        for at, look in enumerate(THEMES)
    ],
)
def test_every_product_in_every_theme_keeps_to_its_page(
    system: str, look: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Preflight: sizes of pages, embedded fonts, small type, safe lines, coarse pictures."""
    loaded = load_pack(find(system)).system
    for product in products_of(loaded):
        order = order_of({"theme": look}, loaded, product)
        assert preflight.order_findings(order, monkeypatch) == [], product


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(rotation())))
def test_every_target_gets_what_it_demands(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    system, theme, target = rotation()[number]
    loaded = load_pack(find(system)).system
    order = order_of({"theme": theme, "target": target}, loaded, SETS[system])
    try:
        assert preflight.order_findings(order, monkeypatch) == []
    except HackjackError as error:
        assert "does not fit on a sticker of 44.45 x 12.7 mm" in str(error)


@pytest.mark.parametrize(("system", "theme"), few_quick(2, zip(SETS, THEMES, strict=True)))
def test_pages_are_printed_in_every_theme(system: str, theme: str, tmp_path: Path) -> None:
    made = {"sheet", "reference", "tokens"} & set(products_of(load_pack(find(system)).system))
    done = run("print", system, *sorted(made), "--theme", theme, "-o", tmp_path)
    assert (done.code, done.err) == (0, "")
    for path in tmp_path.iterdir():
        # A page to be written on has the ground of its paper, whatever the cards have.
        assert "tokens" in path.name or max(coverage_of(path)) < 15, path.name


@pytest.mark.parametrize(
    ("call", "name"),
    [
        ("sheet --theme night", "hackjack-sheet.pdf"),
        ("sheet --theme parchment", "hackjack-sheet-parchment.pdf"),
        ("sheet --theme mono --ink mono", "hackjack-sheet-mono.pdf"),
        ("tables --theme poster --target csv", "hackjack-tables-csv.csv"),
        ("box --theme night", "hackjack-box-night.pdf"),
    ],
)
def test_a_theme_names_the_file_that_it_changes(call: str, name: str, tmp_path: Path) -> None:
    assert run("print", "hackjack", *call.split(), "-o", tmp_path).code == 0
    assert [path.name for path in tmp_path.iterdir()] == [name]


TOO_WIDE = {"a sentence of the smallest stickers": ("glog", "conditions", "--target", "5167")}


@pytest.mark.parametrize("call", TOO_WIDE.values(), ids=TOO_WIDE)
def test_text_that_does_not_fit_in_a_themes_own_font_is_set_in_ours(call: tuple[str, ...], tmp_path: Path) -> None:
    done = run("print", *call, "--theme", "parchment", "-o", tmp_path)
    assert (done.code, done.err) == (0, "")
    (path,) = tmp_path.iterdir()
    resources: Any = reader(path.read_bytes()).pages[0]["/Resources"]
    fonts = {font.get_object()["/BaseFont"].partition("+")[2] for font in resources["/Font"].values()}
    assert "SourceSansPro-Regular" in fonts and "SourceSerifPro-Regular" not in fonts


@pytest.mark.slow
def test_what_one_theme_has_measured_is_not_taken_for_anothers(tmp_path: Path) -> None:
    call = ("print", "glog", "reference", "-o", str(tmp_path))
    assert run(*call, "--theme", "plain").code == run(*call, "--theme", "parchment").code == 0
    path = tmp_path / "glog-reference-parchment.pdf"
    after_plain = path.read_bytes()
    subprocess.run([sys.executable, "-m", "generator", *call, "--theme", "parchment"], check=True, timeout=60)
    assert path.read_bytes() == after_plain


def coverage_of(path: Path) -> list[float]:
    """The ink on each page, in per cent of its area."""
    import pypdfium2

    document = pypdfium2.PdfDocument(path.read_bytes())
    try:
        return list(coverage(list(document)))
    finally:
        document.close()


def test_a_long_wound_keeps_its_emblem_on_a_small_card(tmp_path: Path) -> None:
    call = ("--card", "mini", "--only", "10H", "--target", "single", "--backs", "none")
    assert run("print", "hackjack", "deck", *call, "-o", tmp_path).code == 0
    (path,) = tmp_path.iterdir()
    assert "engraving" in " ".join(str(operands) for operands, _ in operations(path.read_bytes(), 0))


# --- full cards ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("theme", few_quick(2, ["mire", *THEMES]))
def test_the_fullest_cards_fit_in_every_theme(theme: str, tmp_path: Path) -> None:
    """Names of two lines, no picture, nine lines and more: nothing is cut, too small or too near to the edge."""
    done = run(
        "print", "mire", "--pack", MIRE, "--theme", theme, "--target", "single", "--backs", "none", "-o", tmp_path
    )
    assert (done.code, done.err) == (0, "")
    (path,) = tmp_path.iterdir()
    pdf, system = path.read_bytes(), load_pack(MIRE).system
    edge, poker = 3.175, card_sizes()["poker"]
    for page, card in enumerate(system.piles["omens"].cards):
        letters = chars(pdf, page)
        inside = [one for one in letters if edge < one.x < edge + poker.width and edge < one.y < edge + poker.height]
        said = squeezed("".join(one.text for one in inside))
        for text in (card.name, card.note, card.flavour):
            assert text is not None and squeezed(text) in said, (theme, card.code)
        assert min(one.size for one in inside) >= 6.5
        assert min(one.left for one in inside) >= edge + 2.9
        assert max(one.right for one in inside) <= edge + poker.width - 2.9
        lines = {round(one.y, 1) for one in inside if one.size <= 13.01}
        assert len(lines) >= 9, (theme, card.code)


# --- ink and contrast ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("theme", THEMES)
def test_letters_stand_out_by_the_numbers(theme: str) -> None:
    assert list(too_faint(themes.shipped()[theme].palette)) == []


def palettes() -> st.SearchStrategy[Palette]:
    colour = st.integers(0, 0xFFFFFF).map(lambda number: f"#{number:06x}")
    return st.builds(Palette, **dict.fromkeys(Palette.__struct_fields__, colour))


@pytest.mark.slow
@given(palettes(), st.sampled_from(["saver", "mono"]), st.sampled_from(["on_card", "on_paper"]))
def test_what_is_printed_in_less_ink_can_be_read_whatever_the_palette(palette: Palette, ink: str, where: str) -> None:
    looks = Looks(theme=Theme(id="any", palette=palette), ink=ink)  # type: ignore[arg-type]
    printed: Palette = getattr(looks, where)
    faint = [trail[1] for trail, _ in too_faint(printed)]
    assert set(faint) <= ({"ink", "pattern"} if ink == "saver" else set()), "text on a tint, and a back's own lines"


@pytest.mark.parametrize("theme", few_quick(1, ["night", *(name for name in THEMES if name != "night")]))
def test_saved_ink_is_saved_in_every_theme(theme: str, tmp_path: Path) -> None:
    for ink in ("full", "saver"):
        call = ("--ink", ink, "--theme", theme, "--only", "AH,9C,KS,7D")
        assert run("print", "hackjack", "deck", *call, "-o", tmp_path / ink).code == 0
    (full,), (saver,) = (list((tmp_path / ink).iterdir()) for ink in ("full", "saver"))
    saved = coverage_of(saver)
    assert sum(saved) < 0.5 * sum(coverage_of(full)) and max(saved) < 20


@pytest.mark.parametrize("theme", few_quick(2, THEMES))
def test_one_ink_is_black_alone_on_both_sides(theme: str, tmp_path: Path) -> None:
    call = ("--ink", "mono", "--suits", "four", "--theme", theme, "--only", "AH,9C,KS,7D", "--jokers")
    assert run("print", "hackjack", "deck", *call, "-o", tmp_path).code == 0
    (path,) = tmp_path.iterdir()
    assert {len(set(colour)) for colour in colours(path.read_bytes())} == {1}
    assert run("print", "hackjack", "tokens", "--ink", "mono", "--theme", theme, "-o", tmp_path / "chips").code == 0
    (path,) = (tmp_path / "chips").iterdir()
    assert {len(set(colour)) for colour in colours(path.read_bytes())} == {1}


def colours(pdf: bytes) -> set[tuple[float, ...]]:
    """All colours that pages and what they repeat are painted in."""
    found, streams = set(), []
    for page in reader(pdf).pages:
        resources: Any = page["/Resources"]
        streams.append(page.get_contents().get_data())
        streams += [form.get_object().get_data() for form in resources.get("/XObject", {}).values()]
    for stream in streams:
        for parts in re.findall(rb"([\d.]+) ([\d.]+) ([\d.]+) (?:rg|RG)\b", stream):
            found.add(tuple(float(part) for part in parts))
    return found


@pytest.mark.parametrize("theme", few_quick(1, (name for name in THEMES if name != "mono")))
def test_face_down_decks_are_told_apart_by_colour(theme: str, tmp_path: Path) -> None:
    found = []
    for product, card in (("deck", "AC"), ("fate", "AC")):
        assert run("print", "deadlands", product, "--only", card, "--theme", theme, "-o", tmp_path / product).code == 0
        (path,) = (tmp_path / product).iterdir()
        found.append(colours(path.read_bytes()))
    assert found[0] - found[1] and found[1] - found[0]


@pytest.mark.parametrize(("system", "theme"), few_quick(2, zip(SETS, reversed(THEMES), strict=True)))
def test_a_deck_stays_small_in_every_theme(system: str, theme: str, tmp_path: Path) -> None:
    product = {"hackjack": "deck", "jackrealms": "deck", "deadlands": "deck"}.get(system, SETS[system])
    assert run("print", system, product, "--theme", theme, "-o", tmp_path).code == 0
    (path,) = tmp_path.iterdir()
    assert path.stat().st_size < 350_000


# --- a pack's own ----------------------------------------------------------------------------------------------------


@pytest.fixture
def pack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the example that has a look of its own."""
    monkeypatch.chdir(tmp_path)
    return Path(shutil.copytree(MIRE, "mire"))


FAULTS = {
    "like: night\n": '1:1: the key "id" is missing: what --theme calls it, and the files that are printed with it',
    "id: plain\nwindow: filled\n": '1:5: "plain" is a built-in theme: give this one another name, such as id: mire',
    "id: mire\nlike: bold\n": "2:7: the theme bold is now called poster",
    "id: mire\nlike: nihgt\n": '2:7: unknown theme "nihgt": did you mean "night"?',
    "id: mire\npalete: {}\n": '2:1: unknown key "palete": did you mean "palette"?',
    "id: mire\npalette: {ground: white}\n": '2:19: "white" is not a colour: write # and six figures or',
    "id: mire\nwindow: triple\n": '2:9: "triple" is not known here; known: filled, lines',
    "id: mire\nframe: line\n": '2:1: unknown key "frame": write window: lines or window: filled',
    "id: mire\nlike: poster\npalette: {clubs: '#222222'}\n": "3:18: clubs #222222 and spades #17171c have a",
    "id: mire\nlike: poster\npalette: {hearts: '#cc8080'}\n": "3:10: bone #f2e6cc on hearts #cc8080 or",
    "id: mire\npalette:\n  red: '#ff8888'\n": "3:8: red #ff8888 on ground #ffffff has a contrast of 2.3:1, and",
    "id: mire\nlike: night\npalette: {back: '#aaaaaa'}\n": "3:10: pattern #f2efe6 on back #aaaaaa has a contrast of",
    "id: mire\npalette: {ink: '#767676'}\n": "2:16: ink #767676 on a tint of red has a contrast of 3.7:1, and 4.5:1 is",
    "id: mire\nfonts: {text: Gone.ttf}\n": "2:15: Gone.ttf is not there: name a file in the pack's folder",
    "id: mire\nfonts: {text: a.otf}\n": '2:15: "a.otf" is not a font: name one of ours, such as SourceSansPro-Bold, ',
    "id: mire\nfonts: {text: SourceSansPro-Blck}\n": '2:15: there is not a font "SourceSansPro-Blck": did you mean',
}


@pytest.mark.parametrize("text", FAULTS)
def test_a_fault_of_a_theme_is_told_with_its_place(text: str, pack: Path) -> None:
    (pack / "theme.yaml").write_text(text)
    done = run("check", pack)
    assert done.code == 1
    (told,) = done.faults
    assert told.startswith(f"mire/theme.yaml:{FAULTS[text]}")


def test_a_letter_that_the_packs_font_lacks_is_told_at_the_card(pack: Path) -> None:
    files = Path(font_source_sans_pro.__file__).parent / "files"
    shutil.copy(files / "SourceSansPro-Light.ttf", pack / "own.ttf")
    theme = pack / "theme.yaml"
    theme.write_text(theme.read_text().replace("fonts:\n", "fonts:\n  text: own.ttf\n"))
    assert run("check", pack).code == 0
    done = run("print", "mire", "omens", "--pack", pack, "-o", "out")
    pdf = Path("out/mire-omens-mire.pdf").read_bytes()
    assert (done.code, "SourceSansPro-Light" in str(fonts_of(pdf))) == (0, True)
    deck = pack / "decks.yaml"
    deck.write_text(deck.read_text().replace("A light goes", "\u2c00 light goes"), encoding="utf-8")
    told = run("check", pack).faults
    assert told and all(re.match(r"mire/decks.yaml:7:\d+: the printed font has no ", each) for each in told), told


def fonts_of(pdf: bytes) -> set[str]:
    """The names of the fonts on the first page, as the file has them."""
    resources: Any = reader(pdf).pages[0]["/Resources"]
    return {str(font.get_object()["/BaseFont"]) for font in resources["/Font"].values()}


def test_system_yaml_may_name_a_theme_of_ours(pack: Path) -> None:
    head = pack / "system.yaml"
    written = head.read_text()
    head.write_text(f"{written}theme: night\n")
    (told,) = run("check", pack).faults
    assert "theme.yaml says how this looks: write like there, and take theme out here" in told
    (pack / "theme.yaml").unlink()
    assert run("check", pack).code == 0
    assert run("print", "mire", "omens", "--pack", pack, "-o", "out").out.splitlines() == ["out/mire-omens-night.pdf"]
    head.write_text(f"{written}theme: nigth\n")
    (told,) = run("check", pack).faults
    line = len(written.splitlines()) + 1
    assert told == f'mire/system.yaml:{line}:8: unknown theme "nigth": did you mean "night"?'


def test_a_pack_has_the_look_of_the_one_that_it_extends_or_another(pack: Path) -> None:
    child = Path("moor")
    child.mkdir()
    head = 'id: moor\nextends: mire\ntitle: The Moor\nversion: "1.0"\n'
    (child / "system.yaml").write_text(head)

    def theme() -> Theme:
        assert run("check", child).code == 0
        return load_pack(child).system.theme

    own = load_pack(pack).system.theme
    assert theme() == own
    (child / "theme.yaml").write_text('id: moor\npalette: {back: "#302030"}\n')
    assert (theme().palette.back, theme().palette.ground) == ("#302030", own.palette.ground)
    (child / "theme.yaml").write_text("id: moor\nlike: poster\n")
    assert theme().palette == themes.shipped()["poster"].palette
    (child / "theme.yaml").unlink()
    (child / "system.yaml").write_text(f"{head}theme: mono\n")
    assert theme().palette == themes.shipped()["mono"].palette


@pytest.mark.parametrize("target", ["home", "single", "mpc", "tgc", "drivethru", "png"])
def test_shops_get_filled_cards_unless_a_theme_is_named(target: str) -> None:
    shop = target not in ("home", "png")
    usual, named = (
        order_of({"target": target} | theme, shipped("hackjack"), "deck") for theme in ({}, {"theme": "mono"})
    )
    assert (usual.system.theme.id, named.system.theme.id) == ("poster" if shop else "plain", "mono")


def test_a_theme_is_asked_for_by_its_name_or_the_nearest_is_told(pack: Path) -> None:
    done = run("print", "mire", "omens", "--pack", pack, "--theme", "NIGHT", "-o", "out")
    assert done.out.splitlines() == ["out/mire-omens-night.pdf"]
    done = run("print", "mire", "omens", "--pack", pack, "--theme", "nigth", "-o", "out")
    assert (done.code, done.faults) == (
        2,
        ['there is no theme "nigth": did you mean "night"?: there is mire, plain, mono, night, parchment, poster'],
    )
    done = run("print", "mire", "omens", "--pack", pack, "--theme", "xyz", "-o", "out")
    assert done.faults == ['there is no theme "xyz"; known: mire, plain, mono, night, parchment, poster']
    done = run("print", "mire", "omens", "--pack", pack, "--theme", "bold", "-o", "out")
    assert done.faults == ["the theme bold is now called poster: write --theme poster"]
    assert [line.split()[0] for line in run("list", "themes").out.splitlines()] == THEMES


@pytest.mark.parametrize("how", [(), ("--extends",), ("--blank",), ("--from", "glog")])
@pytest.mark.parametrize("theme", ["parchment", "poster"])
def test_a_new_pack_begins_with_the_look_of_a_theme(
    how: tuple[str, ...], theme: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("new", "fen", *how, "--theme", theme).code == 0
    made, ours = load_pack(tmp_path / "fen").system.theme, themes.shipped()[theme]
    assert (made.palette, made.fonts, made.window) == (ours.palette, ours.fonts, ours.window)
    assert (made.id, made.texture, made.suits) == ("fen", ours.texture, ours.suits)
    assert "| `theme.yaml` |" in (tmp_path / "fen" / "README.md").read_text()
    if how == ("--blank",):
        assert run("check", "fen").code == 0
        assert run("new", "bog", "--theme", "nigt").err.startswith('there is no theme "nigt": did you mean "night"?')


def test_the_words_of_a_card_are_the_same_in_every_theme(tmp_path: Path) -> None:
    said = set()
    for theme in THEMES:
        call = ("--theme", theme, "--only", "QS", "--target", "single", "--backs", "none", "--marks", "none")
        done = run("print", "hackjack", "deck", *call, "-o", tmp_path)
        said.add(squeezed(text_in(Path(done.out.strip()).read_bytes(), 0, 0, 0, 200, 200)))
    assert len(said) == 1
