"""Writing in the studio, in a real browser: what somebody does who has never seen YAML."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from browsing import CONTROL, FORMS, IN_A_BROWSER, Page, check_sights
from helpers import run
from PIL import Image
from studios import AnyStudio, opened

pytestmark = IN_A_BROWSER


def packs_in(home: Path) -> None:
    """Make a pack of one's own for each test that changes one."""
    for name, words in (
        *((name, ["--blank"]) for name in ("cells", "rows", "pasted", "drawn", "tabs", "seen")),
        ("mine", ["--extends"]),
        ("glogs", ["--from", "glog", "--extends"]),
    ):
        assert run("new", name, home / "packs" / name, *words).code == 0
    (home / "packs" / "drawn" / "decks.yaml").write_text(
        "decks:\n  - id: tricks\n    title: Tricks\n    cards:\n      - {code: A1, name: First}\n", encoding="utf-8"
    )


PICK = "[data-key='pick-{}']"


def cell(row: int, name: str) -> str:
    return f"[data-cell='{row}/{name}']"


def value(page: Page, selector: str) -> str:
    return str(page.see(selector).get_property("value"))


def typed(page: Page, selector: str, text: str) -> None:
    """Replace what a cell says, as a person does, and leave it."""
    page.see(selector).send_keys(CONTROL, "a")
    page.see(selector).send_keys(f"{text}\t")


def chosen(page: Page, selector: str, file: Path) -> None:
    """Choose a file, as somebody does in the dialog of the system."""

    def sent() -> bool:
        page.one(selector).send_keys(str(file))
        return True

    page.until(sent, selector)


def written(page: Page, studio: AnyStudio, file: Path, text: str) -> None:
    page.until(lambda: text in studio.text(file), f"{text} is not written")


def test_a_cell_is_saved_its_error_is_beside_it_and_it_is_undone(page: Page, studio: AnyStudio, home: Path) -> None:
    file = home / "packs" / "cells" / "tables.yaml"
    opened(page, studio, "cells/write")
    before = studio.text(file)
    page.see(".card-beside img")
    typed(page, cell(0, "name"), "A nick: small")
    written(page, studio, file, 'name: "A nick: small"')
    page.until(lambda: page.see(".card-beside img").get_attribute("alt") == "A nick: small", "the card is drawn again")
    typed(page, cell(1, "at"), "5")
    page.says("no row covers 4: let this row begin at 4", "tr[data-row='1']")
    assert page.see(cell(1, "at")).get_attribute("aria-invalid") == "true"
    page.says("Drawn again once the errors are fixed.", "aside")
    typed(page, cell(1, "at"), "4-5")
    page.until(lambda: page.see(cell(1, "at")).get_attribute("aria-invalid") == "false", "it is mended")
    for _ in range(3):
        page.until(lambda: not page.script("return document.querySelector('main').ariaBusy === 'true'"), "busy")
        page.tap("[data-key=undo]:enabled")
        page.script("document.activeElement.blur()")
    page.until(lambda: studio.text(file) == before, "all is as it was")
    page.until(lambda: value(page, cell(0, "name")) == "A scratch", "the page says so")
    page.says("50.0 %", "tr[data-row='0']")


def test_what_happens_is_chosen_from_sentences(page: Page, studio: AnyStudio, home: Path) -> None:
    opened(page, studio, "mine/write/deck")
    page.says("from hackjack", PICK.format(1))
    page.tap(PICK.format(1), "[data-effects='1/effects']", says="Roll d20 over your death-score", at="dialog legend")
    page.tap(".effects > div > .more-effects option[value=drop]")
    page.says("You drop the weapons you hold.", "dialog [data-effect=drop] legend")
    page.tap("dialog [data-effect=drop] [name=what] option[value=hand]", "[data-key=effects-done]")
    page.says("You drop what that hand holds.", ".form")
    written(page, studio, home / "packs" / "mine" / "deck.yaml", ", drop hand]")
    page.says("copied into your pack", ".told")
    assert "from hackjack" not in page.see(PICK.format(1)).text, "the card is this pack's own now"
    page.tap("[data-effects='1/effects']", "dialog [data-effect=drop] > button", "[data-key=effects-done]")
    page.lacks("You drop what that hand", ".form")
    page.tap("[data-effects='1/effects']", "dialog .effect [name=until] option[value=…]")
    page.write("dialog .effect [name=until-span]", "2d6 daze")
    page.says("daze is not a unit of time", "dialog .effect:has([name=until]) legend")
    page.write("dialog .effect [name=until-span]", "2d6 days")
    page.says("2d6 days", "dialog .effect:has([name=until]) legend")
    page.tap("[data-key=effects-done]", says="2d6 days", at=".form")
    page.tap("[data-key=undo]:enabled")
    page.lacks("2d6 days", ".form")


def test_a_card_is_sought_in_the_list_and_gets_an_emblem_by_its_picture(
    page: Page, studio: AnyStudio, home: Path
) -> None:
    opened(page, studio, "mine/write/deck")
    page.write("[name=filter]", "old wound")
    page.until(lambda: page.script("return document.querySelectorAll('.list li:not([hidden])').length") == 1, "one")
    page.tap(".list li:not([hidden]) button", ".form [data-kind=emblem] button", "dialog [data-emblem=burn]")
    written(page, studio, home / "packs" / "mine" / "deck.yaml", "emblem: burn")
    page.see(".form [data-kind=emblem] svg")


def test_a_deck_gets_a_back(page: Page, studio: AnyStudio, home: Path) -> None:
    opened(page, studio, "mine/write/deck")
    page.tap(PICK.format(-1), ".form select option[value=stars]")
    written(page, studio, home / "packs" / "mine" / "system.yaml", "pattern: stars")
    typed(page, cell(-1, "back/title"), "Our wounds")
    written(page, studio, home / "packs" / "mine" / "system.yaml", "title: Our wounds")
    page.until(lambda: page.see(".card-beside img").get_attribute("alt") == "The back", "it is drawn")


def test_an_event_is_written_as_text_and_judged_line_by_line(page: Page, studio: AnyStudio, home: Path) -> None:
    opened(page, studio, "cells/write/events")
    page.says("Roll d6 on Results.", "aside")
    page.says("3 A scratch", "aside .chart")
    typed(page, "#event", '"Roll"\nfoo bar')
    page.says('Line 2: no statement begins with foo: did you mean "for"?', "#event-faults")
    page.says("no statement begins with foo", ".code pre")
    typed(page, "#event", '"Roll"\nlook up results')
    page.lacks("Line 2", ".form")
    page.tap("details summary")
    page.script(
        "[...document.querySelectorAll('.form .acts button')].find((each) => each.textContent === 'die').click()"
    )
    page.until(lambda: "results\ndie" in value(page, "#event"), "the statement is there")
    page.see("#event").send_keys("\t")
    written(page, studio, home / "packs" / "cells" / "system.yaml", "    look up results\n    die\n")
    page.says("You die.", "aside")
    page.tap("[data-key=event-new]")
    page.write("#new-part", "A fall")
    page.tap("dialog [type=submit]", says="A fall", at=".list")
    assert '"A fall"' in value(page, "#event")


def test_a_card_brings_a_condition_of_ones_own(page: Page, studio: AnyStudio, home: Path) -> None:
    opened(page, studio, "mine/write/conditions")
    page.see("[data-draft=says]").send_keys("Your fingers are numb")
    page.see("[data-draft=name]").send_keys("Frost-bitten\n")
    written(page, studio, home / "packs" / "mine" / "system.yaml", "frost_bitten:")
    page.see("[readonly][data-cell$='/id']")
    page.script("location.hash = 'mine/write/deck'")
    page.says("Swollen eyes", ".list")
    page.tap(
        PICK.format(2),
        "[data-effects='2/effects']",
        ".effects > div > .more-effects option[value=suffer]",
        "dialog fieldset:last-of-type [name=condition] option[value=frost_bitten]",
    )
    page.says("Frost-bitten", "dialog fieldset:last-of-type legend")
    page.tap("[data-key=effects-done]", says="Frost-bitten", at=".form")
    studio.save()
    assert run("check", "mine").code == 0


def test_rows_are_added_moved_and_removed_and_the_keyboard_alone_is_enough(
    page: Page, studio: AnyStudio, home: Path
) -> None:
    opened(page, studio, "rows/write")
    page.see(cell(0, "name")).send_keys(CONTROL, "a")
    page.see(cell(0, "name")).send_keys("One\n")
    page.driver.switch_to.active_element.send_keys(" more\n")
    page.until(lambda: value(page, cell(1, "name")) == "A gash more", "Enter goes down the column")
    page.until(
        lambda: page.script(
            "const undo = document.querySelector('[data-key=undo]:enabled'); undo?.focus(); return Boolean(undo)"
        ),
        "there is something to undo",
    )
    page.driver.switch_to.active_element.send_keys("\n")
    page.until(lambda: value(page, cell(1, "name")) == "A gash", "undone")
    page.until(lambda: page.focus() == "undo", "the focus stays")
    page.see("[data-draft=at]").send_keys("7")
    page.see("[data-draft=name]").send_keys("Dead\n")
    page.until(lambda: value(page, cell(3, "name")) == "Dead", "a row more")
    page.tap("[data-key=insert-1]")
    page.see("dialog #new-name").send_keys("Between\n")
    page.until(lambda: value(page, cell(1, "name")) == "Between", "a row in between")
    page.tap("[data-key=drop-1]")
    page.until(lambda: value(page, cell(1, "name")) == "A gash", "a row less")
    page.tap("[data-key=move-up-3]")
    page.until(lambda: value(page, cell(2, "name")) == "Dead", "it has moved")
    text = studio.text(home / "packs" / "rows" / "tables.yaml")
    assert text.index("Dead") < text.index("A break")


def test_a_table_is_pasted_rolled_and_filled_from_a_spreadsheet(page: Page, studio: AnyStudio) -> None:
    opened(page, studio, "pasted/write")
    page.tap("[data-key=paste]")
    page.see("#pasted").send_keys("Humours")
    page.tap("[data-key=read]", says="no table in it", at="main")
    page.see("#pasted").send_keys(" d4\n1-2 | Glad | You hum.\n3-4 | Sad | You sigh.")
    page.write("#table-name", "Moods")
    page.tap("[data-key=read]", says="Moods", at=".choose")
    page.until(lambda: value(page, cell(0, "name")) == "Glad", "the table is there")

    def rolled() -> bool:
        """A tap on a button that is just drawn anew goes nowhere: tap it again."""
        page.tap("[data-key=roll]")
        return "d4 shows" in page.one(".luck").text

    page.until(rolled, "no row is rolled")
    paste = (
        "const data = new DataTransfer(); data.setData('text/plain', arguments[1]);"
        "const event = new ClipboardEvent('paste', {clipboardData: data, bubbles: true, cancelable: true});"
        "arguments[0].dispatchEvent(event)"
    )
    page.script(paste, page.see(cell(1, "at")), "3\tGrim\n4\tMad\n")
    page.until(lambda: value(page, cell(2, "name")) == "Mad" and value(page, cell(1, "at")) == "3", "cells and a row")
    page.tap("[data-key=screen]")
    page.drawn(".screen-beside img")
    page.tap(".beside-row summary", ".odds-form option[value=humours_d4]", ".odds-form button", ".counted summary")
    page.says("Grim", ".counted")


def test_a_picture_and_a_spreadsheet_are_chosen(page: Page, studio: AnyStudio, home: Path, tmp_path: Path) -> None:
    pack = home / "packs" / "drawn"
    Image.new("RGB", (400, 300), "#205080").save(tmp_path / "sea.png")
    (tmp_path / "lies.png").write_text("<svg/>", encoding="utf-8")
    (tmp_path / "more.csv").write_text("code,name\nB1,Second\n", encoding="utf-8")
    opened(page, studio, "drawn/write/decks/tricks")
    page.see(cell(0, "name"))
    chosen(page, "[data-upload='0/art']", tmp_path / "lies.png")
    page.says("is not a valid picture", ".told")
    chosen(page, "[data-upload='0/art']", tmp_path / "sea.png")
    page.until(lambda: value(page, cell(0, "art")).startswith("art/decks-tricks-"), "the picture has a name")
    chosen(page, "[data-upload=csv]", tmp_path / "more.csv")
    page.says("Second", "dialog")
    page.tap("dialog [type=submit]", says="from tricks.csv", at=PICK.format(1))
    page.says("Refresh tricks.csv", "main")
    studio.write(pack / "tricks.csv", "code,name\nB1,Changed\nB2,Third\n")
    page.says("Third", PICK.format(2))


def test_two_tabs_and_an_editor(page: Page, studio: AnyStudio, home: Path) -> None:
    file = home / "packs" / "tabs" / "tables.yaml"
    opened(page, studio, "tabs/write")
    page.driver.switch_to.new_window("tab")
    opened(page, studio, "tabs/write")
    typed(page, cell(0, "name"), "From the second tab")
    page.to_tab(0)
    page.until(lambda: value(page, cell(0, "name")) == "From the second tab", "the first tab follows")
    page.see(cell(1, "name")).send_keys(" and more")
    whole = file.read_text(encoding="utf-8")
    file.write_text(whole.replace("A break", "From an editor"), encoding="utf-8")
    page.until(lambda: value(page, cell(2, "name")) == "From an editor", "it follows the editor")
    assert value(page, cell(1, "name")) == "A gash and more", "what is being typed stays"
    page.see(cell(1, "name")).send_keys("\t")
    written(page, studio, file, "A gash and more")
    file.write_text("tables: [\n", encoding="utf-8")
    page.says("this is not YAML", ".rest")
    file.write_text(whole, encoding="utf-8")
    page.until(lambda: value(page, cell(2, "name")) == "A break", "and back")


def test_a_pack_is_started_from_the_shelf(page: Page, studio: AnyStudio) -> None:
    opened(page, studio, "play")
    page.tap("[data-key=home]", "[data-key=start]")
    page.write("#pack", "hackjack")
    page.tap("[data-key=way-blank]")
    page.tap(".begin [type=submit]", says="a system that ships", at="main")
    page.write("#pack", "Our Weather")
    page.tap(".begin [type=submit]")
    page.until(lambda: value(page, cell(2, "name")) == "A break", "its table")
    page.tap("[data-key=paste]")
    page.see("#pasted").send_keys("Fumbles\n1. You drop it\n2-4. You stumble")
    page.tap("[data-key=read]")
    page.until(lambda: value(page, cell(0, "name")) == "You drop it", "a list without dice")
    page.tap("[data-key=rename]", says="Rename the table “Fumbles”", at="dialog h2")
    page.write("#new-title", "Élan: the 2nd table")
    page.tap("dialog [type=submit]", says="Élan: the 2nd table", at="nav.choose")
    page.tap("[data-key=remove]", says="Delete the table “Élan: the 2nd table”?", at="dialog h2")
    page.tap("dialog [type=submit]")
    page.lacks("Élan", "nav.choose")
    page.tap("[data-key=undo]", says="Élan: the 2nd table", at="nav.choose")
    page.tap("[data-key=rename-pack]")
    page.write("#new-title", "Nick's weather")
    page.tap("dialog [type=submit]", says="Write: Nick's weather", at="h1")
    page.tap("[data-key=home]", says="Nick's weather", at="[data-system=our_weather]")
    opened(page, studio, "our_weather/write", says="Nick's weather")
    page.tap("[data-key=delete-pack]", "dialog [type=submit]", says="The shelf", at="h1")
    assert page.every("[data-system=our_weather]") == []
    opened(page, studio, "glog")
    page.tap("[data-key=tab-Write]", says="Start a pack", at="h1")
    assert value(page, "#base") == "glog"
    page.tap("[data-key=tab-Look]")
    page.see("#p-severity")


def sights(page: Page, studio: AnyStudio) -> Iterator[str]:
    opened(page, studio, "seen/write")
    page.see(".card-beside img")
    typed(page, cell(1, "at"), "5")
    page.says("no row covers 4", "tr[data-row='1']")
    yield "a grid with an error"
    page.tap("[data-key=undo]:enabled", "[data-key=paste]", says="Name of the table", at="main")
    yield "pasting a table"
    opened(page, studio, "glogs/write/tables/body")
    page.see("[data-effects='0/cells/arm']")
    yield "a table with columns"
    page.tap("[data-effects='0/cells/arm']", says="Disarmed", at="dialog legend")
    page.tap("dialog details summary")
    yield "what happens"
    opened(page, studio, "glogs/write/conditions")
    page.tap(PICK.format(1), ".form [data-kind=emblem] button")
    yield "emblems"
    opened(page, studio, "glogs/write/events")
    page.see("#event").send_keys("foo bar\n")
    page.says("no statement begins with foo", "#event-faults")
    page.tap(".form summary")
    yield "an event with an error"
    opened(page, studio, "start")
    page.tap("[data-key=way-blank]")
    yield "a pack to start"


@pytest.mark.parametrize(("size", "dark"), FORMS)
def test_everybody_can_use_it(page: Page, studio: AnyStudio, size: tuple[int, int], dark: bool) -> None:
    check_sights(page, sights(page, studio), size, dark)
