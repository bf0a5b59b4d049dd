"""One journal and several hands: commands of several deeds, and what happens when others play at the same time."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from helpers import commands_of, copy_pack, hackjack, lines_of_campaign, run

from generator.base.errors import HackjackError, UsageError
from generator.games import log_lines
from generator.model.rules import System
from generator.pack.load import load_pack
from generator.pack.pack_locations import find
from generator.pack.settings import with_settings
from generator.play.chance import CardNeed, ChoiceNeed
from generator.session import session
from generator.session.deeds import Command, DeckKind, Deed
from generator.session.journal import Journal, StaleError
from generator.session.luck import MissingError
from generator.session.session import Session, TableStep, content_checksum, new_campaign, undo_of_own


def opened(path: Path, deck: DeckKind = "real", system: System | None = None, *, accept: bool = False) -> Journal:
    system = system or hackjack()
    new = new_campaign(system, deck, 7 if deck == "virtual" else None)
    return Journal(path, system, new, accept_content=accept)


@pytest.fixture
def two(tmp_path: Path) -> tuple[Journal, Journal]:
    """Two who have one campaign open, with Bryn and Cara at the table."""
    one = opened(tmp_path / "t.hackjack")
    one.do(Command((Deed("add", "bryn"), Deed("add", "cara"))))
    return one, opened(tmp_path / "t.hackjack")


def hit(who: str, number: int, *cards: str, choices: tuple[int, ...] = ()) -> Deed:
    return Deed("hit", who, (str(number),), cards, choices=choices)


def told(steps: tuple[TableStep, ...]) -> list[str]:
    return [str(step.command) for step in steps]


# --- commands of several deeds ---------------------------------------------------------------------------------------


def test_cards_are_dealt_to_the_deeds_in_their_order(two: tuple[Journal, Journal]) -> None:
    """Bryn draws a second card; Cara takes the next one of those that were given."""
    journal, _ = two
    step = journal.do(Command((hit("bryn", 3, "7C", "KH", "2H", "6C", choices=(2,)), hit("cara", 3))))
    assert [deed.cards for deed in step.command.deeds] == [("7C", "KH", "2H"), ("6C",)]
    assert step.session.party.drawn == ("7C", "KH", "2H", "6C")
    with pytest.raises(UsageError, match=r"hit cara 3 KD 2D: nothing needs the last card given \(2D\)"):
        journal.do(Command((hit("bryn", 3, "4C"), hit("cara", 3, "KD", "2D"))))
    with pytest.raises(UsageError, match=r"add dora: nothing needs the last card given \(KD\)"):
        journal.do(Command((hit("bryn", 3, "4C", "KD"), Deed("add", "dora"))))


@pytest.mark.parametrize(
    ("deeds", "place", "need", "says"),
    [
        ((hit("bryn", 3), hit("cara", 3)), 0, CardNeed, "bryn: needs a card"),
        ((hit("bryn", 3, "KH"), hit("cara", 3)), 1, CardNeed, "cara: needs a card"),
        (
            (hit("bryn", 3, "KH"), hit("cara", 3, "7C", "AS", "2H")),
            1,
            ChoiceNeed,
            "cara: needs a choice: 1 Floored 2 Crushed throat",
        ),
    ],
)
def test_what_is_missing_is_asked_for_with_a_name_and_nothing_has_happened(
    deeds: tuple[Deed, ...], place: int, need: type, says: str, two: tuple[Journal, Journal]
) -> None:
    journal, _ = two
    before = journal.session
    with pytest.raises(MissingError) as caught:
        journal.do(Command(deeds))
    assert (str(caught.value), caught.value.place, type(caught.value.need)) == (says, place, need)
    assert journal.session is before
    drawn = [line.split()[1].strip(",") for line in log_lines(caught.value.so_far, hackjack()) if "Drawn" in line]
    assert drawn == [card for deed in deeds for card in deed.cards], "what came before is known"


# --- others play meanwhile -------------------------------------------------------------------------------------------


def test_what_others_did_is_read_before_the_next_command(two: tuple[Journal, Journal]) -> None:
    one, other = two
    assert told(other.catch_up()) == []
    one.do(hit("bryn", 3, "KH"))
    (news,) = other.catch_up()
    assert (str(news.command), news.session.party.drawn, news.before.party.drawn) == ("hit bryn 3 KH", ("KH",), ())
    assert news.log
    one.do(Deed("hold", "bryn"))
    other.do(Deed("hold", "cara"))
    assert told(other.catch_up()) == ["hold bryn"], "what is one's own is no news, and what came before it is"
    assert other.catch_up() == ()
    assert told(one.catch_up()) == ["hold cara"]
    assert one.session.party == other.session.party
    with pytest.raises(HackjackError, match="KH has been drawn already"):
        other.do(hit("cara", 3, "KH"))


@pytest.mark.parametrize(
    ("deed", "stale"),
    [
        (hit("cara", 3, "2H"), True),
        (hit("cara", 3), True),
        (Deed("undo"), True),
        (Deed("redo"), True),
        (Deed("hold", "cara"), False),
        (Deed("poison", "cara", ("2",)), False),
    ],
)
def test_luck_choices_and_undo_hold_for_the_line_that_they_were_made_on(
    deed: Deed, stale: bool, two: tuple[Journal, Journal]
) -> None:
    one, other = two
    on = other.lines
    one.do(Command((Deed("hold", "bryn"),), sender="gm"))
    if not stale:
        assert str(other.do(deed, on).command) == str(deed)
        return
    with pytest.raises(StaleError) as caught:
        other.do(deed, on)
    assert str(caught.value) == (
        "others have played in the meantime (gm: hold bryn): look at the table, and send the command again"
    )
    assert told(caught.value.steps) == ["hold bryn"]
    assert caught.value.steps[0].log
    assert other.lines == one.lines == 3
    if deed.cards:
        assert other.do(deed, other.lines).session.party.drawn == ("2H",)


def test_a_virtual_deck_is_dealt_from_as_it_lies_now(tmp_path: Path) -> None:
    one = opened(tmp_path / "t.hackjack", "virtual")
    order = one.session.party.order
    one.do(Command((Deed("add", "bryn"), Deed("add", "cara"))))
    other, on = opened(tmp_path / "t.hackjack", "virtual"), one.lines
    assert one.do(hit("bryn", 3)).session.party.drawn == order[:1]
    with pytest.raises(StaleError):
        other.do(hit("cara", 3), on)
    assert other.do(hit("cara", 3)).session.party.drawn == order[:2]


def test_a_command_that_is_sent_twice_happens_once(two: tuple[Journal, Journal], tmp_path: Path) -> None:
    one, other = two
    command = Command((hit("bryn", 3, "KH"),), "phone-1", "player", "bryn")
    first = one.do(command)
    one.do(Deed("hold", "bryn"))
    again = opened(tmp_path / "t.hackjack")
    for journal in (one, other, again):
        second = journal.do(command, on=2)
        assert (second.command, second.log) == (first.command, first.log)
        assert second.session.party == first.session.party
        assert journal.lines == 4
    undo = Command((Deed("undo"),), "phone-2", "player", "bryn")
    assert one.do(undo).session.party == other.do(undo).session.party
    for changed in (
        Command((hit("bryn", 4, "KH"),), "phone-1", "player", "bryn"),
        Command(command.deeds, "phone-1", "player", "cara"),
    ):
        with pytest.raises(HackjackError, match='the id "phone-1" was used for another command'):
            again.do(changed)


def test_a_command_that_the_program_dealt_to_is_known_again(tmp_path: Path) -> None:
    command = Command((Deed("add", "bryn"), hit("bryn", 3)), "a")
    first = opened(tmp_path / "t.hackjack", "virtual").do(command)
    assert first.command.deeds[1].cards
    assert opened(tmp_path / "t.hackjack", "virtual").do(command).command == first.command


def test_an_id_that_could_not_be_read_again_is_not_written(two: tuple[Journal, Journal]) -> None:
    for name in ("a b", "x" * 65, "ä", "a\n"):
        with pytest.raises(HackjackError, match="cannot be read"):
            two[0].do(Command((Deed("hold", "bryn"),), name))
    assert two[0].lines == 2


# --- undo of a certain command ---------------------------------------------------------------------------------------


def test_undo_may_name_the_command_that_it_takes_back(two: tuple[Journal, Journal]) -> None:
    journal, other = two
    journal.do(Command((Deed("hold", "bryn"),), "one"))
    journal.do(Command((Deed("hold", "cara"),), "two"))
    for named in ({"id": "one"}, {"line": "3"}, {"id": "nothing"}):
        with pytest.raises(HackjackError, match="is not the last command that counts, which is hold cara on line 4"):
            other.do(Deed("undo", at=named))
    assert not other.do(Deed("undo", at={"line": "4"})).session.party.state("cara").values["holding"]
    other.do(Deed("undo", at={"id": "one"}))
    assert journal.catch_up()[-1].session.party == other.session.party
    for wrong in (Deed("undo", at={"who": "bryn"}), Deed("redo", at={"line": "3"})):
        with pytest.raises(HackjackError, match="is written alone"):
            journal.do(wrong)


def test_players_take_back_their_own_last_command_alone(two: tuple[Journal, Journal]) -> None:
    journal, other = two
    journal.do(Command((Deed("hold", "bryn"),), "one", "player", "bryn"))
    own = undo_of_own(journal.session, "bryn")
    assert own == Deed("undo", at={"id": "one"})
    with pytest.raises(HackjackError, match="cara can take back only their own command"):
        undo_of_own(journal.session, "cara")
    other.do(Command((Deed("hold", "cara"),), "two", "gm"))
    with pytest.raises(HackjackError, match="id one is not the last command that counts"):
        journal.do(Command((own,), "three", "player", "bryn"))
    with pytest.raises(HackjackError, match="bryn can take back only"):
        undo_of_own(journal.session, "bryn")
    with pytest.raises(HackjackError, match="can take back only"):
        undo_of_own(session.new_session(journal.session.table), "bryn")
    for name in ("gm", "terminal"):
        journal.do(Command((Deed("note", words=("x",)),), sender=name))
        with pytest.raises(HackjackError, match="can take back only"):
            undo_of_own(journal.session, name)  # A character of that name is not the sender.


# --- who begins, and with what ---------------------------------------------------------------------------------------


def test_a_second_beginner_who_wants_another_campaign_is_refused(tmp_path: Path) -> None:
    def real(session: Session) -> None:
        if session.table.virtual:
            raise HackjackError("it is virtual")

    path = tmp_path / "t.hackjack"
    one = opened(path, "virtual")
    other = Journal(path, hackjack(), new_campaign(hackjack()), agreed=real)
    one.do(Deed("add", "bryn"))
    acts: tuple[Callable[[], object], ...] = (other.catch_up, lambda: other.do(Deed("add", "cara")))
    for act in acts:
        with pytest.raises(HackjackError, match="it is virtual"):
            act()
    assert commands_of(path) == [[{"do": "add", "who": "bryn"}]]


def changed_pack(folder: Path) -> Path:
    """Our Hackjack, with another name on the King of hearts."""
    deck = copy_pack(folder) / "deck.yaml"
    text = deck.read_text(encoding="utf-8")
    deck.write_text(text.replace("name: Ruin within", "name: Ruined"), encoding="utf-8")
    return deck.parent


def test_other_content_is_refused_until_somebody_accepts_it(tmp_path: Path) -> None:
    path = tmp_path / "t.hackjack"
    ours = opened(path)
    ours.do(Deed("add", "bryn"))
    other = load_pack(changed_pack(tmp_path)).system
    with pytest.raises(HackjackError, match=r"played with other content of hackjack than .* add --accept-content"):
        opened(path, system=other)
    journal = opened(path, system=other, accept=True)
    assert len(lines_of_campaign(path)) == 2, "opening writes nothing"
    journal.do(Deed("hold", "bryn"))
    assert lines_of_campaign(path)[2] == {"line": "content", "content": "1.0", "checksum": content_checksum(other)}
    assert journal.lines == 4
    assert opened(path, system=other).session.party.state("bryn").values["holding"]
    for act in (ours.catch_up, lambda: ours.do(Deed("release", "bryn")), lambda: opened(path)):
        with pytest.raises(HackjackError, match="played with other content of hackjack than what is here"):
            act()


def test_what_makes_no_difference_at_the_table_is_no_other_content(tmp_path: Path) -> None:
    pack = copy_pack(tmp_path)
    system = load_pack(pack).system
    first = content_checksum(system)
    assert first == content_checksum(hackjack()) != content_checksum(load_pack(find("glog")).system)
    with_rules = with_settings(system, [("jokers", "lucky_break")])
    assert content_checksum(with_rules) == first, "a campaign keeps its rulings by itself"
    head = pack / "system.yaml"
    head.write_text(head.read_text(encoding="utf-8").replace('version: "1', 'version: "7', 1), encoding="utf-8")
    (pack / "reference.yaml").unlink(missing_ok=True)
    assert content_checksum(load_pack(pack).system) == first


def test_the_gm_says_that_content_was_changed_on_purpose(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HACKJACK_HOME", str(tmp_path / "home"))
    pack = ("--pack", changed_pack(tmp_path))
    assert run("play", "add", "bryn").code == 0
    refused = run("play", *pack, "hit", "bryn", "3", "KH")
    assert (refused.code, refused.out) == (1, "")
    assert "add --accept-content to go on with this" in refused.err
    looked = run("play", *pack, "show")
    assert looked.code == 0 and "played with other content" in looked.err
    assert "Ruined" in run("play", *pack, "--accept-content", "hit", "bryn", "3", "KH").out
    assert run("play", *pack, "release", "bryn").err == ""


# --- the prompt ------------------------------------------------------------------------------------------------------


def test_a_prompt_tells_what_others_did_and_holds_a_question_to_its_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HACKJACK_HOME", str(tmp_path))
    run("play", "add", "bryn")
    run("play", "add", "cara")

    class Terminal:
        @staticmethod
        def isatty() -> bool:
            return True

    asked: list[str] = []

    def answer(prompt: str = "") -> str:
        asked.append(prompt)
        match len(asked):
            case 1:
                run("play", "hold", "bryn")
                return "hold cara"
            case 2:
                return "hit bryn 3"
            case 3:
                run("play", "poison", "cara", "2")
                return "KH"
            case 4:
                return "KH"
        raise EOFError

    monkeypatch.setattr("sys.stdin", Terminal())
    monkeypatch.setattr("builtins.input", answer)
    said = run("play")
    lines = said.out.splitlines()
    assert lines[1:6] == [
        "terminal: hold bryn",
        "    You hold your wounds: walk or defend, nothing else.",
        "    bryn: death-score 0, Blood 0, Trauma 0, holding",
        "You hold your wounds: walk or defend, nothing else.",
        "cara: death-score 0, Blood 0, Trauma 0, holding",
    ]
    assert said.err == "others have played in the meantime (terminal: poison cara 2): answer once more\n"
    assert lines.index("terminal: poison cara 2") < lines.index("Drawn: KH, Ruin within.")
    assert asked == ["> ", "> ", "which card was drawn? (QS) ", "which card was drawn? (QS) ", "> "]
