"""The browser's tests of the studio run against both: the program that serves it, and the page that is built of it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from studios import AnyStudio

PROGRAM_ALONE = {
    "test_a_link_is_needed": "asks the server: the page has no key",
    "test_screens_and_sheets_are_drawn_when_somebody_comes_to_them": "stops a process",
    "test_the_old_file_is_not_offered_while_pages_are_made": "stops a process",
    "test_a_system_that_takes_long_to_read_does_not_hold_up_the_blocks_of_others": "asks the server",
    "test_a_table_is_begun_opened_and_removed_and_a_fight_is_there_to_try": "opens tabs; tests/web has the table",
    "test_a_pack_that_is_changed_outside_is_drawn_again_with_its_errors_beside_its_cards": "writes in a second tab",
    "test_two_tabs_and_an_editor": "writes in two tabs: one alone writes in the page",
}
"""Tests that the page does not pass, each with the reason."""
EVERY_TIME = (
    "test_the_shelf_leads_to_a_card_in_the_large_and_is_searched",
    "test_a_cell_is_saved_its_error_is_beside_it_and_it_is_undone",
    "test_a_card_brings_a_condition_of_ones_own",
)
"""Tests that run against the page with `--slow`; the others wait for `--weekly`, and `tests/web` has some in short."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Let each test in a browser run against the program and, where it can, against the page."""
    if not {"page", "studio"} <= set(metafunc.fixturenames):
        return
    from browsing import NO_NPM

    name = metafunc.definition.name
    marks = [NO_NPM] if name in EVERY_TIME else [NO_NPM, pytest.mark.weekly]
    built = [] if name in PROGRAM_ALONE else [pytest.param("page", marks=marks)]
    metafunc.parametrize("studio", ["program", *built], indirect=True, scope="module")


@pytest.fixture(scope="module")
def studio(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[AnyStudio]:
    """The studio with the packs that a file of tests makes with `packs_in`."""
    from studios import program, web_page

    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HACKJACK_HOME", str(home))
        request.module.packs_in(home)
        if request.param == "program":
            with program(home) as studio:
                yield studio
        else:
            built: Path = request.getfixturevalue("built")
            with web_page(home, request.getfixturevalue("browser"), built) as studio:
                yield studio


@pytest.fixture(scope="module")
def home(studio: AnyStudio) -> Path:
    """The folder with those packs. What is written in the page is there once it is asked for."""
    assert os.environ["HACKJACK_HOME"] == str(studio.home)
    return studio.home
