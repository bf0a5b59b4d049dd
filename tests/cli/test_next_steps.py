"""Refusals that a newcomer meets: each names the next step."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers import pack_head, run

from generator.layout.targets import targets_by_name
from generator.session.campaigns import campaigns_folder

pytestmark = pytest.mark.usefixtures("here")

OWN_WORDS = (
    'for words of your own write effects: [say "You howl."]; '
    "outside the kind steps write a condition with says, and suffer it"
)
NO_STATEMENT = 'no statement ends with a full stop: write words of your own as say "You howl."'

FORM = {
    "text: You howl.": f'26: unknown key "text": {OWN_WORDS}',
    "effects: You howl.": f"43: {NO_STATEMENT}",
    "effects: [You howl.]": f"44: {NO_STATEMENT}",
    "effects: [{says: You howl.}]": f'36: the key "do" is missing: {OWN_WORDS}',
}
FONT = {
    "flavour: By the ḵ.": (
        '35: the printed font has no ḵ (U+1E35) in italics, as in "By the ḵ.": write it in another way, choose another '
        "font in theme.yaml, or use --format html"
    ),
    "flavour: A wolf 🐺": (
        '35: the printed font has no 🐺 (U+1F43A), as in "A wolf 🐺": emoji are not printed, so leave '
        "it out or choose an emblem"
    ),
}
HEAD = "id: mine\nextends: hackjack\ntitle: Mine\nversion: '1.0'\n"


@pytest.mark.parametrize("cards", [FORM, pytest.param(FONT, marks=pytest.mark.slow)], ids=["form", "font"])
def test_cards_that_cannot_be_say_what_to_write(cards: dict[str, str]) -> None:
    pack = Path("mine")
    pack.mkdir()
    (pack / "system.yaml").write_text(HEAD, encoding="utf-8")
    lines = [f"- {{code: {rank}S, name: Howl, {written}}}" for rank, written in zip("QKJ98", cards, strict=False)]
    (pack / "deck.yaml").write_text("\n".join(["cards:", *lines, ""]), encoding="utf-8")
    checked = run("check", pack)
    assert checked.faults == [f"mine/deck.yaml:{at}:{says}" for at, says in enumerate(cards.values(), 2)]
    assert checked.out.splitlines()[-1] == f"mine: {len(cards)} errors", "the verdict comes last"


def test_what_the_refusals_advise_works() -> None:
    pack = Path("mine")
    pack.mkdir()
    hit = "procedure: {kind: steps}\nevents: {hit: {says: hit, do: [draw from howls]}}\n"
    (pack / "system.yaml").write_text(pack_head("mine") + hit, encoding="utf-8")
    card = '{code: "1", name: Howl, effects: [say "You howl."]}'
    decks = f"decks: [{{id: howls, title: Howls, cards: [{card}]}}]\n"
    (pack / "decks.yaml").write_text(decks, encoding="utf-8")
    assert run("check", pack).out.endswith("mine: sound\n")
    assert run("card", "mine", "1", "--pack", pack).out.splitlines()[1:] == ["    You howl."]


CALLS = {
    "play fight show": 'there is no command and no system "fight": did you mean --campaign fight?',
    "play red-keep": 'there is no command and no system "red-keep": did you mean --campaign red-keep?',
    "play glog add Mira": (
        'this campaign plays "hackjack", not "glog": begin another one with --campaign NAME for glog'
    ),
    "print hackjack sheet --from Bryn": '"Bryn" is a character, not a campaign: write --from table:Bryn',
    "print hackjack sheet --from nobody": 'there is no campaign "nobody": there are red-keep, table',
    "play --campaign Red show": 'there is no campaign "Red"; known: red-keep, table',
    "print hackjack deck --target cricut": (
        'there is no target "cricut": use --target silhouette, which also writes the cut lines as SVG and DXF'
    ),
    "print hackjack deck --target Cameo": (
        'there is no target "Cameo": use --target silhouette, which also writes the cut lines as SVG and DXF'
    ),
    "print hackjack deck --target tabletop": ('there is no target "tabletop": use --target tts for Tabletop Simulator'),
    "list tragets": '"tragets" cannot be listed: did you mean "targets"?',
}


@pytest.fixture
def campaigns(here: Path) -> None:
    del here
    assert run("play", "add", "Bryn").code == 0
    assert run("play", "--campaign", "red-keep", "add", "Cara,Dag").code == 0


@pytest.mark.usefixtures("campaigns")
@pytest.mark.parametrize("call", CALLS)
def test_a_call_that_cannot_be_says_what_to_type(call: str) -> None:
    ran = run(*call.split())
    assert ran.code in (1, 2) and ran.out == ""
    (fault,) = ran.faults
    assert fault.endswith(CALLS[call])


@pytest.mark.usefixtures("campaigns")
def test_campaigns_are_listed_with_their_system_and_people() -> None:
    assert run("play", "jackrealms", "--campaign", "duel", "sit", "Ann", "6").code == 0
    (campaigns_folder() / "torn.hackjack").write_bytes(b"no campaign")
    assert run("list", "campaigns").out.splitlines() == [
        "duel        jackrealms: Ann",
        "red-keep    hackjack: Cara, Dag",
        "table       hackjack: Bryn",
        "torn        unreadable: nobody yet",
    ]


def test_one_system_is_listed_by_its_name() -> None:
    assert run("list", "GLOG").out.splitlines()[0] == "glog: Death and dismemberment tables 1.0"
    assert "hackjack:" not in run("list", "glog").out


def test_without_campaigns_the_list_says_how_to_begin_one() -> None:
    assert run("list", "campaigns").out == "No campaigns yet. Begin one: hackjack play --campaign NAME\n"


def test_every_export_says_where_its_files_go() -> None:
    exports = {name for name, target in targets_by_name().items() if target.after}
    assert exports == {"silhouette", "mpc", "tgc", "drivethru", "tts", "csv", "json", "roll20", "foundry", "pcio"}
