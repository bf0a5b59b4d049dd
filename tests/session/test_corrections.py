"""What was told wrong is put right: values, names, notes, several undone at once, and an entry far back."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from helpers import ROOT, hackjack, lines_of_campaign, run, write_campaign

from generator.base.errors import HackjackError
from generator.games import game_of
from generator.pack.load import load_pack
from generator.pack.pack_locations import find
from generator.serve.log_words import LogInWords
from generator.serve.views import Shown, player_view
from generator.session import prompt
from generator.session.campaigns import campaign_file
from generator.session.deeds import Command, Deed
from generator.session.journal import Journal, StaleError, read_file
from generator.session.journal_lines import encode
from generator.session.session import Session, new_campaign

MINUS = "\u2212"


pytestmark = pytest.mark.usefixtures("home")


def said(*words: str) -> list[str]:
    """A command that must go well: its lines."""
    ran = run("play", *words)
    assert (ran.code, ran.err) == (0, ""), words
    return ran.out.splitlines()


def done(line: str, *options: str) -> list[str]:
    return said(*options, *line.split())


def refused(line: str, *options: str) -> str:
    """What is said of a command that cannot be done, which leaves the campaign as it was."""
    before = [path.read_bytes() for path in sorted(campaign_file("table").parent.glob("*.hackjack"))]
    ran = run("play", *options, *line.split())
    assert ran.code in (1, 2)
    assert [path.read_bytes() for path in sorted(campaign_file("table").parent.glob("*.hackjack"))] == before
    return ran.faults[-1]


def session() -> Session:
    """The campaign as it is read from its file."""
    now = read_file(campaign_file("table"), hackjack())
    assert now is not None
    return now


def state(name: str, *options: str) -> dict[str, Any]:
    value = json.loads(run("play", "--json", *options, "show", name).out)
    found: dict[str, Any] = value["state"]
    return found


# --- values ----------------------------------------------------------------------------------------------------------


def test_a_number_that_was_told_wrong_is_put_right_and_can_be_undone() -> None:
    done("add bryn hp 7")
    assert done("set bryn hp 12") == ["bryn: 12 HP, death-score 0, Blood 0, Trauma 0"]
    assert done("set b blood 2 trauma 1") == ["bryn: 12 HP, death-score 0, Blood 2, Trauma 1"]
    assert done("set bryn holding yes")[0].endswith("holding")
    assert said("set", "bryn", "recovery", "2d6 weeks")[-1] == "    Recovering: 2d6 weeks, not rolled yet"
    assert state("bryn")["recovery"] == "2d6 weeks"
    assert done("undo 3")[:3] == [
        'Undone: set bryn recovery "2d6 weeks"',
        "Undone: set bryn holding yes",
        "Undone: set bryn blood 2 trauma 1",
    ]
    assert done("log 1") == ["2. set bryn hp 12"]


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("set bryn hp abc", "hp abc cannot be set: write a whole number"),
        ("set bryn hp +3", "+3: write the new number, such as 8"),
        ("set bryn hp 7", "hp 7: nothing would change"),
        ("set bryn holding 3", "holding 3 cannot be set: write yes or no"),
        ("set bryn hitpoints 3", 'there is no "hitpoints"; known: hp, score, '),
        ("set bryn hpp 3", 'there is no "hpp": did you mean "hp"?'),
        ("set bryn hp", "Say which value to set: set bryn hp 2"),
        ("set bryn hp 5 trauma", "trauma needs a value: set bryn hp 2"),
        ("set bryn hp 5 hp 6", "hp is changed twice: use one set for each change"),
        ("set frida hp 5", 'nobody here is called "frida"; known: bryn, cara'),
        ("set bryn score 30", "score 30 cannot be set: invalid state: nobody lives with a death-score"),
        ("set bryn pile -QS", 'pile: the list has no "QS" to remove'),
        ("set bryn pile.1.score 3", "pile.1.score: the list has 0 entries"),
        ("set bryn hp.x 3", "hp is a single value: nothing is inside it"),
        ("set bryn wounds 3", "wounds 3 cannot be set: this is a list: write + before what to add"),
        ("set bryn hp 3 place=arm", "place=arm belongs to an entry of a list, as in conditions +burned"),
        ("set limit=18", "rulings are settled when a campaign begins: hackjack play --campaign NAME --set NAME=VALUE"),
        ("set cara pile +KH score=10", "pile +KH score=10 cannot be set: KH is held by somebody else"),
    ],
)
def test_what_cannot_be_set_is_refused_in_a_sentence(line: str, says: str) -> None:
    done("add bryn,cara hp 7")
    if "KH" in line:
        done("hit bryn 9 KH")
    assert refused(line).startswith(says)


def test_cards_that_are_set_leave_the_deck_and_go_back() -> None:
    done("add bryn,cara hp 7")
    assert done("set bryn permanent +Q♣")[0] == "Out of the deck: QC"
    assert done("set bryn pile +kh score=10")[:2] == [
        "Out of the deck: KH",
        "bryn: 7 HP, death-score 10, Blood 0, Trauma 0",
    ]
    assert session().party.drawn == ("QC", "KH")
    assert done("set bryn score 14")[0] == "bryn: 7 HP, death-score 14 (4 as tokens), Blood 0, Trauma 0"
    assert done("set bryn pile.KH.score 9")[0] == "bryn: 7 HP, death-score 13 (4 as tokens), Blood 0, Trauma 0"
    assert done("set bryn pile -KH")[:2] == [
        "Back into the deck: KH",
        "bryn: 7 HP, death-score 4 (4 as tokens), Blood 0, Trauma 0",
    ]
    assert done("set cara drawn +QS")[0] == "Out of the deck: QS"
    assert session().party.drawn == ("QC", "QS")
    assert done("undo")[1] == "Back into the deck: QS"


def test_a_virtual_deck_is_shuffled_again_after_a_card_was_set() -> None:
    options = ("--deck", "virtual", "--seed", "3")
    done("add bryn", *options)
    done("hit bryn 3")
    first = session().party.drawn
    done(f"set bryn pile -{first[0]}")
    done("hit bryn 3")
    assert session().party == session().party
    assert "log" in json.loads(run("play", "--json", "undo").out)


def test_conditions_of_a_pack_of_ones_own() -> None:
    options = ("--pack", str(ROOT / "docs/examples/criticals"), "--campaign", "crit")
    done("add bryn", *options)
    assert done("set bryn conditions +bleeding until=bandage level=2", *options)[0].endswith("Bleeding 2")
    assert done("set bryn hp 9 kind mook", *options)[0].startswith("bryn: HP 9")
    assert refused("set bryn kind dragon", *options).startswith("kind dragon cannot be set: write hero, mook")
    assert refused("set bryn conditions +blooding", *options).endswith('did you mean "bleeding"?')
    assert "Bleeding" not in done("set bryn conditions -bleeding", *options)[0]


def test_conditions_of_a_state_in_its_contents_words() -> None:
    """Such a state names no deck."""
    done("glog --campaign crypt add ada hp 3")
    options = ("--campaign", "crypt")
    assert "Prone" in " ".join(done("set ada conditions +prone until=stand", *options))
    assert state("ada", *options)["conditions"] == [{"condition": "prone", "until": "stand"}]
    assert refused("set ada conditions +prone until=never", *options).startswith("conditions +prone until=never cannot")
    done("set ada conditions -prone", *options)
    assert state("ada", *options)["conditions"] == []


def test_a_shared_table_is_set_with_or_without_a_name() -> None:
    options = ("--campaign", "fight")
    people = str(ROOT / "content/fiftytwo/combatants.yaml")
    said(*options, "fiftytwo", "initiative", people, "dice", *map(str, range(1, 10)))
    assert "       7  Alan: 2 HP" in done("set alan hp 2", *options)
    assert refused("join \u0410lan dice 7", *options).startswith("\u0410lan looks like Alan")
    assert done("set alice initiative 30", *options)[1] == "      30  Alice: 83 HP"
    assert done("set round 3", *options)[0] == "round 3"
    assert "       7  Alannah: 2 HP" in done("rename alan Alannah", *options)
    assert done("undo", *options)[0] == "Undone: rename Alan Alannah"
    assert refused("set nobody hp 3", *options).startswith('nobody here is called "nobody"')


def test_chips_and_action_cards_are_set() -> None:
    cards = ("--campaign", "cards")
    said(*cards, "jackrealms", "sit", "bryn", "6")
    assert "bryn" in done("set bryn effort 9", *cards)[0]
    lookalike = "\u0412ryn looks like bryn, who is at the table already: take another name"
    assert refused("sit \u0412ryn 3", *cards) == lookalike
    assert "bryn" not in " ".join(done("rename bryn Berta", *cards)).replace("bryn is called", "")
    posse = ("--campaign", "posse")
    said(*posse, "deadlands", "add", "bryn")
    assert "1 of 3 wounds" in done("set bryn wounds 1", *posse)[0]


# --- names and notes -------------------------------------------------------------------------------------------------


def test_somebody_is_renamed_in_their_place() -> None:
    done("add bryn,cara,dora hp 5")
    assert done("rename cara Carla") == ["cara is called Carla now.", "Carla: 5 HP, death-score 0, Blood 0, Trauma 0"]
    assert session().party.names == ("bryn", "Carla", "dora")
    assert done("hit carla 2")[-1].startswith("Carla: 3 HP")
    assert refused("rename carla Dora") == "dora is at the table already: take another name"
    assert refused("rename carla Carla") == "Carla already has that name"
    assert done("rename carla CARLA")[0] == "Carla is called CARLA now."
    done("undo 3")
    assert session().party.names == ("bryn", "cara", "dora")


def test_notes_stand_in_the_log_and_change_nothing() -> None:
    done("add bryn hp 5")
    before = session().party
    assert said("note", "bryn", "owes", "the", "smith") == ["Noted of bryn: owes the smith"]
    assert said("note", "The bridge is out") == ["Noted: The bridge is out"]
    assert session().party == before
    assert done("log")[-2:] == ['2. note bryn "owes the smith"', '3. note "The bridge is out"']
    assert run("play", "--json", "note", "bryn", "limps").out == '{\n  "note": "limps",\n  "who": "bryn"\n}\n'
    assert said("note", "a\x1b[2Jb \u202ec\td") == ["Noted: a [2Jb c d"], "no control characters"
    done("undo")
    assert refused("note " + "x" * 2001) == "a note has 2,000 letters at most, and this one has 2,001"
    assert done("undo")[0] == "Undone: note bryn limps"


# --- undo ------------------------------------------------------------------------------------------------------------


def test_several_commands_are_undone_at_once_with_the_cards_to_put_back() -> None:
    done("add bryn,cara hp 1")
    done("hit bryn 4 KH")
    done("hit cara 4 2S")
    assert done("undo 2") == [
        "Undone: hit cara 4 2S",
        "Undone: hit bryn 4 KH",
        "Back into the deck: KH 2S",
        "cara: 1 HP, death-score 0, Blood 0, Trauma 0",
        "bryn: 1 HP, death-score 0, Blood 0, Trauma 0",
    ]
    assert refused("undo 2") == "only 1 can be undone"
    assert refused("undo 0") == "undo 0: write a number from 1 to 1,000"
    assert done("redo 2")[:3] == [
        "Done again: hit bryn 4 KH",
        "Done again: hit cara 4 2S",
        "Out of the deck again: KH 2S",
    ]
    assert refused("redo").startswith("there is nothing to redo")


# --- one entry far back ----------------------------------------------------------------------------------------------


@pytest.fixture
def fight(home: Path) -> None:  # noqa: ARG001 - its campaign lies there
    """An hour of a fight: bryn was hit for 12, and it should have been 3."""
    done("add bryn,cara hp 9")
    done("hit bryn 12 10C dice 3")
    done("hit cara 11 KH")
    done("hold bryn")


@pytest.mark.usefixtures("fight")
def test_an_entry_far_back_is_mended_and_all_after_it_replayed() -> None:
    assert done("mend 2")[0] == "2. hit bryn 12 10C dice 3"
    assert done("mend 2 yes hit bryn 3") == [
        "2. hit bryn 12 10C dice 3",
        "    becomes",
        "2. hit bryn 3",
        "    A hit for 3; 6 HP are left.",
        "Back into the deck: 10C",
        "bryn: 6 HP, death-score 0, Blood 0, Trauma 0, holding",
        "Mended.",
    ]
    assert [line for line in done("log") if line[0].isdigit()] == [
        "1. add bryn,cara hp 9",
        "2. hit bryn 3",
        "3. hit cara 11 KH",
        "4. hold bryn",
    ]
    assert session().party.drawn == ("KH",)
    assert done("undo") == [
        "Undone: mend 2 hit bryn 3",
        "Out of the deck again: 10C",
        "bryn: death-score 10, Blood 3, Trauma 0, holding",
    ]
    assert done("redo")[0] == "Done again: mend 2 hit bryn 3"
    assert done("mend 2 yes remove")[:2] == ["2. hit bryn 3", "    is taken out."]
    assert state("bryn")["hp"] == 9


@pytest.mark.usefixtures("fight")
def test_nothing_is_mended_unasked() -> None:
    before = campaign_file("table").read_bytes()
    ran = run("play", "mend", "2", "hit", "bryn", "3")
    assert ran.code == 2
    assert "    A hit for 3; 6 HP are left." in ran.out
    assert ran.faults == ["nothing is saved yet: write mend 2 yes hit bryn 3 to save this"]
    assert campaign_file("table").read_bytes() == before
    ran = run("play", "mend", "2", "note", "bryn", "owes money")
    assert ran.faults == ['nothing is saved yet: write mend 2 yes note bryn "owes money" to save this']


@pytest.mark.usefixtures("fight")
def test_what_comes_out_differently_is_told_and_what_cannot_happen_any_more_too() -> None:
    done("hit bryn 4 5C")
    lines = done("mend 3 yes hit cara 11 5C")
    assert "5. hit bryn 4 5C" in lines
    assert "    cannot happen any more: 5C has been drawn already and is not in the deck; it is left out." in lines
    assert lines[-2].startswith("cara: ") and lines[-1] == "Mended."
    done("undo")
    lines = done("mend 2 yes hit bryn 2")
    where = lines.index("5. hit bryn 4")
    assert lines[where + 1 : where + 3] == ["    comes out differently:", "    A hit for 4; 3 HP are left."]
    assert "Back into the deck: 10C 5C" in lines
    lines = done("mend 2 yes hit bryn 8")
    assert any(line.startswith("    cannot happen any more: needs a card") for line in lines)


@pytest.mark.usefixtures("fight")
def test_what_is_mended_stays_so_when_it_is_read_again_and_goes_on() -> None:
    done("mend 2 yes hit bryn 3")
    done("hit bryn 1")
    kept = session()
    assert state("bryn")["hp"] == 5
    assert next(str(moment.command) for moment in kept.moments()) == "hit bryn 1"
    done("mend 5 yes hit bryn 2")
    done("mend 1 yes add bryn hp 20")
    assert state("bryn")["hp"] == 15
    assert session().party.names == ("bryn",)
    assert [line for line in done("log") if line[0].isdigit()] == [
        "1. add bryn hp 20",
        "2. hit bryn 3",
        "3. hold bryn",
        "4. hit bryn 2",
    ]
    done("undo 3")
    assert session().party.names == ("bryn", "cara")


@pytest.mark.usefixtures("fight")
def test_names_are_those_of_the_time_of_the_entry() -> None:
    done("rename bryn Brynhild")
    assert refused("mend 2 yes hit brynhild 3") == 'nobody here is called "brynhild": did you mean "bryn"?'
    done("mend 2 yes hit bryn 3")
    assert state("Brynhild")["hp"] == 6


@pytest.mark.usefixtures("fight")
def test_what_cannot_be_mended() -> None:
    assert refused("mend 9 remove") == "mend 9: write a number from 1 to 4"
    assert refused("mend 2 show") == "show is not an entry of the log: write a command that does something, or remove"
    assert refused("mend 2 undo") == "undo is not an entry of the log: write a command that does something, or remove"
    assert refused("mend 2 hit bryn 12") == ("needs a card: write the card after the command, as in hit bryn 12 QS")
    assert refused("mend") == "there is too little: write mend N [yes] COMMAND ..."


def test_a_virtual_deck_deals_anew_what_comes_after() -> None:
    options = ("--deck", "virtual", "--seed", "3")
    done("add bryn,cara hp 1", *options)
    done("hit bryn 4")
    done("hit cara 4")
    first, second = session().party.drawn
    lines = done("mend 2 yes heal bryn 3")
    assert session().party.drawn == (first,)
    assert f"Back on top of the deck: {second}" in lines
    assert any(line.startswith(f"3. hit cara 4 {first}") for line in lines)
    done("undo")
    assert session().party.drawn == (first, second)


@pytest.mark.usefixtures("fight")
def test_at_the_prompt_it_is_asked_for_luck_and_whether_to_keep_it(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def answers(*given: str) -> str:
        left = list(given)

        def answer(question: str = "") -> str:
            asked.append(question)
            if not left:
                raise EOFError
            return left.pop(0)

        monkeypatch.setattr("builtins.input", answer)
        monkeypatch.setattr(sys.stdin, "isatty", lambda: True)
        return run("play").out

    before = campaign_file("table").read_bytes()
    out = answers("mend 2 hit bryn 12", "KD", "no")
    assert asked == ["> ", "which card was drawn? (QS) ", "Keep this? (yes or no) ", "> "]
    assert "Nothing is changed." in out
    assert campaign_file("table").read_bytes() == before
    out = answers("mend 2 hit bryn 12", "KD", "yes")
    assert "Mended." in out
    assert session().party.drawn == ("KD", "KH")


@pytest.mark.usefixtures("fight")
def test_json_of_a_mend() -> None:
    value = json.loads(run("play", "--json", "mend", "2", "yes", "hit", "bryn", "3").out)
    assert value["mended"] == {"number": 2, "deed": {"do": "hit", "who": "bryn", "words": ["3"]}}
    assert (value["differ"], value["left_out"]) == ([], [])
    assert value["characters"][0]["state"]["hp"] == 6


@pytest.mark.usefixtures("fight")
def test_one_of_two_terminals_mends_what_the_other_has_gone_on_from() -> None:
    path = campaign_file("table")
    one, two = (Journal(path, hackjack(), new_campaign(hackjack())) for _ in range(2))
    on = two.lines
    one.do(Deed("hit", "bryn", ("1",), ("3C",)))
    mend = Command((Deed("hit", "bryn", ("3",)),), id="m1", sender="gm", mends=3)
    with pytest.raises(StaleError, match="others have played in the meantime"):
        two.do(mend, on)
    done = two.do(mend, two.lines)
    assert two.do(mend).session is done.session, "a known id is answered and not done again"
    assert [str(step.command) for step in one.catch_up()][-1] == "mend of line 3: hit bryn 3"
    assert one.session.party == two.session.party == session().party


@pytest.mark.usefixtures("fight")
@pytest.mark.parametrize(
    ("body", "says"),
    [
        (Command((), mends=99), "there is no command that counts on line 99 of the journal"),
        (Command((Deed("undo"),), mends=3), "mend cannot change undo and redo: use undo and redo"),
        (Command((Deed("hit", "bryn", ("3",), ("KD",)),), mends=3), "nothing needs the last card given (KD)"),
        (Command((), mends=2), 'nobody here is called "bryn"'),
        (Command((Deed("set", "bryn", ("hp", "x")),)), "hp x cannot be set: write a whole number"),
        (Command((Deed("set", "nobody", ("hp", "3")),)), 'nobody here is called "nobody"'),
        (Command((Deed("set", "bryn", ("hp", "3"), ("KD",)),)), "set uses no cards or dice: leave them out"),
        (Command((Deed("rename", words=("x", "y")),)), 'nobody here is called "x"'),
        (Command((Deed("import", "bryn", given="[" * 9000),)), "the state of bryn is not valid JSON"),
        (Command((Deed("undo", words=("99999",)),)), "only 4 can be undone"),
    ],
)
def test_a_line_that_cannot_be_done_is_told_with_its_number(body: Command, says: str) -> None:
    path = campaign_file("table")
    write_campaign(path, *map(encode, lines_of_campaign(path)), encode(body))
    with pytest.raises(HackjackError) as caught:
        session()
    assert f": line 6: {says}" in str(caught.value)


# --- from one campaign to another ------------------------------------------------------------------------------------


def test_what_was_exported_is_imported_with_its_rulings_and_its_deck(tmp_path: Path) -> None:
    done("add bryn,cara hp 3", "--set", "limit=18", "--deck", "virtual", "--seed", "2")
    done("hit all 7")
    file = tmp_path / "party.json"
    file.write_text(run("play", "export").out)
    shown = done("show")
    assert [line.split(":")[0] for line in said("--campaign", "next", "import", str(file)) if line[0] != " "][:2] == [
        "bryn",
        "cara",
    ]
    assert done("show", "--campaign", "next") == shown
    assert done("undo", "--campaign", "next")[0].startswith("Undone: hit bryn,cara 7 "), "what happened is there too"


def test_an_export_is_imported_into_a_table_where_nobody_has_that_name(tmp_path: Path) -> None:
    done("add bryn,cara hp 3")
    file = tmp_path / "party.json"
    file.write_text(run("play", "export").out)
    done("add dora", "--campaign", "third")
    assert [line.split(":")[0] for line in said("--campaign", "third", "import", str(file)) if line[0] != " "][:2] == [
        "bryn",
        "cara",
    ]
    assert refused(f"import {tmp_path}/nothing").endswith("No such file or directory")
    assert refused(f"import {file}") == "import bryn: bryn is at the table already: take another name"
    assert "is of hackjack: name the system" in refused(f"deadlands import {file}", "--campaign", "posse")
    file.write_text("[]")
    assert "this file was not written by export" in refused(f"import {file}")


def test_a_shared_table_is_imported(tmp_path: Path) -> None:
    said("--campaign", "one", "jackrealms", "sit", "bryn", "6")
    file = tmp_path / "table.json"
    file.write_text(run("play", "--campaign", "one", "export").out)
    said("--campaign", "two", "jackrealms", "import", str(file))
    assert done("show", "--campaign", "two") == done("show", "--campaign", "one")
    done("add bryn")
    assert "is of jackrealms" in refused(f"hackjack import {file}", "--campaign", "new")


# --- what players see ------------------------------------------------------------------------------------------------


def test_players_are_told_neither_notes_nor_what_befell_others() -> None:
    done("add bryn,cara hp 1")
    done("hit bryn,cara 4 KH 2S")
    done("note cara is a spy")
    (joined, hit) = player_view(Shown(session(), LogInWords()), "cara", ())["log"]
    assert joined["typed"] == "add cara hp 1"
    assert hit["typed"] == "hit cara 4 2S"
    assert list(hit["cards"]) == ["2S"]
    assert "KH" not in str(hit)
    assert [each["typed"] for each in LogInWords().of(session())][-1] == 'note cara "is a spy"'


@pytest.mark.parametrize("system", ["hackjack", "deadlands", "fiftytwo", "glog", "jackrealms"])
def test_no_event_of_a_game_that_ships_hides_a_command(system: str) -> None:
    commands = set(prompt.commands(game_of(hackjack()))) - set(game_of(hackjack()).EVENTS) - {"remove"}
    assert commands & set(game_of(load_pack(find(system)).system).EVENTS) == set()


def test_an_entry_is_mended_in_deadlands() -> None:
    west = ("--campaign", "west")
    run("play", *west, "deadlands", "add", "Webb", "vigor", "d8")
    done("wound webb 1", *west)
    assert "    becomes" in done("mend 2 yes wound webb 2", *west)
    assert done("show", *west)[0] == "Webb: Novice, 2 of 3 wounds, Shaken"
