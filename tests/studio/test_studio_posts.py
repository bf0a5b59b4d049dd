"""A post in the studio: what is pasted becomes a pack, and what is decided about its sentences is kept beside it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from generator.base.errors import HackjackError
from generator.products.looking_over import faults_of_files
from generator.prose.post import Answers, Decision
from generator.studio.posts import PostChange, Posts, StatementRequest
from generator.studio.wishes import CellChange, GridChange, PackChange
from generator.studio.writing import Writing

POST = """\
The Hexed Finger, or worse

d4 | Name | What happens
--|--|--
1 | Cut | You fall prone. A nasty smell for 2 days.
2 | Gash | A nasty smell for 5 days. -2 to Strength for 3 days.
3 | Hex | It stinks.
4 | Nothing | It stinks.
"""
FIRST = "a nasty smell for 2 days"


@pytest.fixture
def posts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Posts:
    """Posts in a home of their own."""
    monkeypatch.setenv("HACKJACK_HOME", str(tmp_path))
    return Posts(Writing())


def sentences(told: dict[str, Any]) -> dict[str, tuple[str, list[str]]]:
    """The sentences of a post: what became of each, and its statements."""
    return {each["key"]: (each["state"], each["statements"]) for row in told["rows"] for each in row["sentences"]}


def files(home: Path, pack: str) -> dict[str, bytes]:
    """The files of a pack."""
    return {path.name: path.read_bytes() for path in (home / "packs" / pack).iterdir() if path.is_file()}


def test_a_pasted_post_is_a_pack_with_each_sentence_at_its_place(posts: Posts, tmp_path: Path) -> None:
    told = posts.write(PostChange(text=POST))
    assert (told["pack"], told["title"], told["problems"]) == ("the_hexed_finger", "The Hexed Finger", [])
    rows = [(row["part"].split("/")[0], row["row"], row["code"], row["name"]) for row in told["rows"]]
    assert rows[1:3] == [("tables", 1, "2", "Gash"), ("tables", 2, "3", "Hex")]
    for row in told["rows"]:
        for each in row["sentences"]:
            begin, end = each["at"]
            assert told["text"][begin:end].lower().strip(" .") == each["key"]
    assert sentences(told)["you fall prone"] == ("does", ["suffer prone until stand"])
    assert sentences(told)["it stinks"] == ("words", [])
    made = files(tmp_path, told["pack"])
    assert made["post.txt"].decode() == POST and faults_of_files(made) == ()
    assert posts.look(told["pack"]) == told


def test_a_decision_is_kept_beside_the_text_and_outlives_a_corrected_one(posts: Posts, tmp_path: Path) -> None:
    pack = posts.write(PostChange(text=POST))["pack"]
    answers = Answers(
        author="Ann",
        sentences={"it stinks": Decision("rule", "suffer prone for 1 day"), "you fall prone": Decision("words")},
    )
    told = posts.write(PostChange(pack=pack, answers=answers))
    assert sentences(told)["it stinks"] == ("does", ["suffer prone for 1 day"])
    assert sentences(told)["you fall prone"][0] == "words"
    assert b"author: Ann" in files(tmp_path, pack)["system.yaml"]
    assert msgspec.json.decode(files(tmp_path, pack)["post.json"], type=Answers) == answers
    corrected = POST.replace("5 days", "6 days")
    told = posts.write(PostChange(pack=pack, text=corrected, answers=msgspec.convert(told["answers"], Answers)))
    assert sentences(told)["it stinks"] == ("does", ["suffer prone for 1 day"]) and told["text"] == corrected
    anew = Posts(Writing()).look(pack)
    assert sentences(anew) == sentences(told), "another studio finds the same"


def test_a_table_is_asked_for_its_name(posts: Posts, tmp_path: Path) -> None:
    told = posts.write(PostChange(text=POST))
    (table,) = told["asks"]["titles"]
    told = posts.write(
        PostChange(pack=told["pack"], title="Hexes", answers=Answers(titles={table: "Fingers & thumbs"}))
    )
    assert told["title"] == "Hexes" and told["asks"]["titles"] == {table: "Fingers & thumbs"}
    assert b"title: Fingers & thumbs" in files(tmp_path, told["pack"])["tables.yaml"]


def test_a_statement_is_judged_while_it_is_typed_and_offered_where_the_same_is_said(posts: Posts) -> None:
    pack = posts.write(PostChange(text=POST))["pack"]
    told = posts.statement(StatementRequest(pack, FIRST, "penalty 1 to charisma for 2 days"))
    assert told["errors"] == [] and told["says"] == ["\u22121 to charisma for two days."]
    (other,) = told["alike"]
    assert (other["key"], other["rule"]) == ("a nasty smell for 5 days", "penalty 1 to charisma for 5 days")
    assert posts.statement(StatementRequest(pack, FIRST, "suffer prone for 1 day"))["alike"] == [], "2 is not said"
    rules = {FIRST: Decision("rule", "penalty 1 to charisma for 2 days"), other["key"]: Decision("rule", other["rule"])}
    written = posts.write(PostChange(pack=pack, answers=Answers(sentences=rules)))
    assert sentences(written)[other["key"]] == ("does", [other["rule"]]) and written["problems"] == []
    wrong = posts.statement(StatementRequest(pack, FIRST, "suffer smelly"))
    assert "how long is missing here" in wrong["errors"][0] and wrong["says"] == []
    assert posts.statement(StatementRequest(pack, FIRST, "die\nfly away"))["errors"][0].startswith(
        "Line 2: no statement"
    )
    chosen = posts.statement(StatementRequest(pack, FIRST, effects=[{"do": "die"}]))
    assert chosen["rule"] == "die"


def test_a_statement_that_cannot_be_played_leaves_its_row_as_words_and_says_why(posts: Posts) -> None:
    pack = posts.write(PostChange(text=POST))["pack"]
    decided = Answers(sentences={"it stinks": Decision("rule", "look up nowhere")})
    told = posts.write(PostChange(pack=pack, answers=decided))
    assert told["problems"] == [] and [row["fault"] for row in told["rows"]][:2] == ["", ""]
    assert 'unknown table "nowhere"' in told["rows"][2]["fault"]
    assert sentences(told)["it stinks"][0] == "words"


def test_what_was_changed_elsewhere_is_not_written_over_in_silence(posts: Posts, tmp_path: Path) -> None:
    writing = Writing()
    pack = posts.write(PostChange(text=POST))["pack"]
    grid = writing.grid(pack, "")
    cells = (CellChange(("name",), "Nick"),)
    writing.write(PackChange(pack, grid["part"], grid["seen"], GridChange("cells", cells)))
    assert posts.look(pack)["changed"]
    decided = Answers(sentences={"it stinks": Decision("words")})
    with pytest.raises(HackjackError, match="changed elsewhere"):
        posts.write(PostChange(pack=pack, answers=decided))
    assert b"Nick" in files(tmp_path, pack)["tables.yaml"]
    assert not posts.write(PostChange(pack=pack, answers=decided, replace=True))["changed"]
    assert b"Nick" not in files(tmp_path, pack)["tables.yaml"]


def test_a_text_without_rows_makes_no_pack(posts: Posts, tmp_path: Path) -> None:
    with pytest.raises(HackjackError, match="no table in it"):
        posts.write(PostChange(text="Once upon a time."))
    assert not (tmp_path / "packs").exists()
    with pytest.raises(HackjackError, match="There is no pack"):
        posts.look("nothing")
