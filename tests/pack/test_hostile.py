"""Packs from strangers: nothing runs, nothing outside is read, and whatever grows meets its limit in a sentence."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from textwrap import indent
from typing import Any

import pytest
from helpers import ROOT, Ran, run
from msgspec import inspect

from generator import cli
from generator.base.errors import HackjackError
from generator.check import claims
from generator.cli.options import print_json
from generator.model.rules import FILE_KINDS
from generator.pack import strict_yaml as source
from generator.pack.merge import MAX_FILES
from generator.play import every_way

Change = Callable[[dict[str, Any]], None]


def pack(folder: Path, base: str = "hackjack", /, **changes: Change) -> Path:
    """A pack without claims, some of its files changed as data."""
    made = Path(shutil.copytree(ROOT / "content" / base, folder / "pack"))
    (made / "claims.yaml").unlink()
    for name, change in changes.items():
        data, _ = source.read_file(made / f"{name}.yaml", name)
        change(data)
        (made / f"{name}.yaml").write_text(json.dumps(data), encoding="utf-8")
    return made


def effects(*written: str, **keys: Any) -> Change:
    """Every card of the deck does just that."""

    def change(deck: dict[str, Any]) -> None:
        for card in deck["cards"]:
            for key in ("rulings", "says", "for_good_says"):
                card.pop(key, None)
            card.update(effects=list(written), **keys)

    return change


def numbers(**values: Any) -> Change:
    """Other numbers in the procedure; those that its author has named stand among its constants."""

    def change(head: dict[str, Any]) -> None:
        constants = head["procedure"].get("constants", {})
        for name, value in values.items():
            (constants if name in constants else head["procedure"])[name] = value

    return change


def refused(ran: Ran, *says: str) -> None:
    """Exit 1, and one line that says why; the verdict of a check may follow."""
    assert ran.code == 1 and re.fullmatch(r"(\S+: \d+ errors?\n)?", ran.out), ran
    for text in says:
        assert text in ran.err, ran.err


# --- what content may hold -------------------------------------------------------------------------------------------


def _unbounded(kind: inspect.Type, where: str, seen: set[type]) -> Iterator[str]:
    match kind:
        case inspect.Metadata():
            yield from _unbounded(kind.type, where, seen)
        case inspect.UnionType():
            for option in kind.types:
                yield from _unbounded(option, where, seen)
        case inspect.StructType():
            if kind.cls not in seen:
                seen.add(kind.cls)
                for field in kind.fields:
                    yield from _unbounded(field.type, f"{kind.cls.__name__}.{field.name}", seen)
        case inspect.VarTupleType():
            if kind.max_length is None:
                yield f"{where}: a list of any length"
            yield from _unbounded(kind.item_type, where, seen)
        case inspect.DictType():
            if kind.max_length is None:
                yield f"{where}: keys and values without end"
            yield from _unbounded(kind.key_type, where, seen)
            yield from _unbounded(kind.value_type, where, seen)
        case inspect.IntType():
            if kind.ge is None or kind.le is None:
                yield f"{where}: a number of any size"
        case inspect.StrType():
            if kind.max_length is None and not kind.pattern:
                yield f"{where}: a text of any length"
            if kind.pattern and kind.pattern.endswith("$"):
                yield f"{where}: a pattern that lets a line break follow"
        case _:
            return


def test_all_that_content_holds_has_an_end() -> None:
    for name, kind in FILE_KINDS.items():
        assert not list(_unbounded(inspect.type_info(kind), name, set()))


BIG = {
    "unknown keys": "".join(f"k{number}: 1\n" for number in range(90_000)),
    "bad cards": "title: x\ncards:\n" + "- a\n" * 240_000,
    "one key many times": "a: 1\n" * 198_000,
    "aliases": "a: [" + "*a," * 320_000 + "]\n",
    "empty lists": "a: [" + "[]," * 320_000 + "]\n",
    "brackets": "[" * 990_000,
    "one long text": "title: " + "x" * 990_000 + "\n",
    "unseen characters": 'a: ["' + '","'.join(["\\a"] * 160_000) + '"]\n',
    "stairs": "".join(" " * step + "a:\n" for step in range(1300)),
}


@pytest.mark.parametrize("name", BIG)
def test_a_million_bytes_of_anything_meet_a_hundred_sentences_at_most(name: str, tmp_path: Path) -> None:
    folder = pack(tmp_path)
    (folder / "deck.yaml").write_text(BIG[name], encoding="utf-8")
    ran = run("check", folder)
    assert ran.code == 1
    assert 1 <= len(ran.faults) <= source.MAX_PROBLEMS + 2
    assert all("deck.yaml:" in fault for fault in ran.faults)


# --- what content may lead to ----------------------------------------------------------------------------------------

DRAW = "draw 5 with score"
REPEAT = "repeat or draw 3 times 3"


@pytest.mark.parametrize("effect", [
    pytest.param(DRAW, marks=pytest.mark.slow, id="all"),
    pytest.param(f"{DRAW} choose one", marks=pytest.mark.weekly, id="choice"),
    pytest.param(REPEAT, marks=pytest.mark.slow, id="repeat"),
])  # fmt: skip
def test_a_deck_of_cards_that_all_draw_ends(effect: str, tmp_path: Path) -> None:
    def all_but_one(deck: dict[str, Any]) -> None:
        effects(effect)(deck)
        # Hackjack's events know cards by this effect, which some card must have.
        deck["cards"][0]["effects"].append("whenever red_card until recovery blood 1")

    folder = pack(tmp_path, deck=all_but_one)
    assert run("resolve", "hackjack", "hit", "3", "--seed", "1", "--pack", folder).code in (0, 1)
    checked = run("check", folder)
    # A card that only repeats has nothing to repeat in such a deck, and ends (H20).
    assert checked.code == (effect is not REPEAT) and ("cannot be played" in checked.err or effect is REPEAT)


def test_injuries_that_lead_to_injuries_end(tmp_path: Path) -> None:
    again = "again times 3"
    folder = pack(tmp_path, "deadlands", deck=effects(again, for_good=[again]))
    refused(run("check", folder), "every card draws another in its place: drawing would never end")

    def all_but_one(deck: dict[str, Any]) -> None:
        effects(again, for_good=[again])(deck)
        deck["cards"][0].update(effects=["spare"], for_good=["spare"])

    shutil.rmtree(folder)
    folder = pack(tmp_path, "deadlands", deck=all_but_one)
    refused(run("resolve", "deadlands", "injury", "--seed", "1", "--pack", folder), "100 cards are drawn for one")


def chain(times: int, length: int = 60) -> Change:
    """Conditions that each bring the next one, so many times."""

    def change(head: dict[str, Any]) -> None:
        for number in range(length):
            brings = [f"suffer k{number + 1} at once"] if number + 1 < length else []
            head["conditions"][f"k{number}"] = {"says": "You are so", "brief": "so", "implies": brings * times}

    return change


@pytest.mark.parametrize(("system", "times"), [("glog", 2), pytest.param("hackjack", 12, marks=pytest.mark.slow)])
def test_conditions_that_bring_conditions_end(times: int, system: str, tmp_path: Path) -> None:
    refused(run("check", pack(tmp_path, system, system=chain(times))), "things; the limit is 60")


def circle(head: dict[str, Any]) -> None:
    chain(1, 5)(head)
    head["conditions"]["k4"]["implies"] = ["suffer k2 at once"]


PROCEDURES: list[tuple[str, dict[str, Any], str]] = [
    ("glog", {"severity_die": "100d1000"}, "100d1000: the limit here is 10 dice of 100 faces"),
    ("glog", {"trauma_die": "2d200"}, "2d200: the limit here is 10 dice of 100 faces"),
    ("deadlands", {"wild": "d1000"}, "1d1000: the limit here is 10 dice of 30 faces"),
    ("deadlands", {"ladder": ["d4", "2d6"]}, "2d6 is not a single die"),
    ("deadlands", {"levels": 1000}, "1,000 is too much for this procedure: at most 100"),
    ("fiftytwo", {"padding": 1000}, "1,000 is too much for this procedure: at most 100"),
    ("jackrealms", {"target": 30, "dealer_stands": 30, "court": 1}, "a hand could hold 22 cards without a bust"),
    ("jackrealms", {"target": 2, "dealer_stands": 1, "court": 2, "ace_low": 2}, "a hand could hold 1 cards without"),
]


@pytest.mark.parametrize(("system", "values", "says"), PROCEDURES)
def test_numbers_of_procedures_stay_playable(system: str, values: dict[str, Any], says: str, tmp_path: Path) -> None:
    refused(run("check", pack(tmp_path, system, system=numbers(**values))), "system.yaml:", says)


LONG = "penalty 1 to all_rolls for 100d1000 days"
ENDLESS: list[tuple[dict[str, Change], str]] = [
    ({"system": circle}, "endlessly: k2 -> k3 -> k4 -> k2"),
    ({"system": numbers(limit=1000)}, '"death-score" has 51 values: from 1 to 50 can be printed'),
    ({"deck": effects(LONG)}, '"100d1000 days" can be more than 1,000 days'),
]


@pytest.mark.parametrize(("changes", "says"), ENDLESS)
def test_what_has_no_end_is_refused(changes: dict[str, Change], says: str, tmp_path: Path) -> None:
    refused(run("check", pack(tmp_path, **changes)), says)


def test_a_fraction_of_thousands_of_digits_is_refused() -> None:
    ran = run("odds", "glog", "breakdown", "--at", "characters=1000", "--at", "points=7")
    assert ran.code in (0, 1, 2)
    assert len(ran.out + ran.err) < 9000


# --- where a pack may reach ------------------------------------------------------------------------------------------


OUT = "tables.yaml: the file is outside the pack"


@pytest.mark.parametrize(
    ("leads_to", "says"),
    [("../secret.yaml", OUT), ("/etc/passwd", OUT), ("/dev/zero", OUT), ("tables.yaml", "tables.yaml: ")],
)
def test_links_stay_inside_the_pack(leads_to: str, says: str, tmp_path: Path) -> None:
    folder = pack(tmp_path)
    (tmp_path / "secret.yaml").write_text("password: 1\n", encoding="utf-8")
    (folder / "tables.yaml").unlink()
    (folder / "tables.yaml").symlink_to(leads_to)
    ran = run("check", folder)
    refused(ran, says)
    assert "password" not in ran.err


def test_the_claims_of_a_pack_name_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "secret.yaml").write_text("combatants: the password\n", encoding="utf-8")
    os.mkfifo(tmp_path / "pipe")

    def claims(path: str) -> dict[str, Any]:
        event = {"event": f"initiative {path}", "expect": {"round": 1}}
        return {"claims": [{"id": "z", "about": "event", "where": "t", "says": "A.", **event}]}

    for path in ("secret.yaml", "pipe", "pack/combatants.yaml"):
        folder = pack(tmp_path, "fiftytwo")
        (folder / "claims.yaml").write_text(json.dumps(claims(path)), encoding="utf-8")
        ran = run("check", folder)
        assert ran.code == 1
        assert any("a pack or a journal may not" in line for line in ran.faults), ran.err
        assert "password" not in ran.out + ran.err
        shutil.rmtree(folder)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    folder = pack(tmp_path)
    (folder / "tables.yaml").unlink()
    os.mkfifo(folder / "tables.yaml")
    refused(run("check", folder), "tables.yaml: this is not a regular file")


def test_a_folder_of_anything_is_no_pack(tmp_path: Path) -> None:
    folder = pack(tmp_path)
    for number in range(MAX_FILES):
        (folder / f"{number}.yaml").touch()
    refused(run("check", folder), "more than 500 files are here: name a folder that holds a pack")


@pytest.mark.parametrize(("number", "says"), [(5, "Input/output error"), (13, "Permission denied")])
def test_content_that_cannot_be_read(number: int, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, opened = pack(tmp_path), Path.open

    def torn(path: Path, *arguments: Any, **options: Any) -> Any:
        if path.name == "tables.yaml":
            raise OSError(number, says)
        return opened(path, *arguments, **options)

    monkeypatch.setattr(Path, "open", torn)
    refused(run("check", folder), f"tables.yaml: cannot be read: {says}")


def test_nothing_asks_the_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no(*_: Any, **__: Any) -> None:
        raise AssertionError("the network is asked")

    for name in ("socket", "create_connection", "getaddrinfo"):
        monkeypatch.setattr(socket, name, no)
    folder = pack(tmp_path)
    assert run("check", folder).code == 0
    assert run("print", "hackjack", "reference", "--pack", folder, "-o", tmp_path / "out").code == 0


def test_what_text_looks_like_is_what_is_printed(tmp_path: Path) -> None:
    """Markup, templates, formats and paths in names are letters like any others."""
    name = "<b>{{ 7*7 }}</b> %s {0} &lt; ../x"

    def rename(deck: dict[str, Any]) -> None:
        deck["cards"][0]["name"] = name

    ran = run("card", "hackjack", "AC", "--pack", pack(tmp_path, deck=rename))
    assert ran.code == 0
    assert name in ran.out


# --- what reaches the terminal ---------------------------------------------------------------------------------------


def test_a_value_with_line_breaks_forges_no_line(tmp_path: Path) -> None:
    """Whatever stands in a pack, a line that we did not end is no line of ours."""
    forged = "a.\nhackjack: sound\nb"
    folder = pack(tmp_path)
    claim = {"id": "z", "about": "number", "where": "t", "says": forged, "number": "limit", "expect": 21}
    (folder / "claims.yaml").write_text(json.dumps({"claims": [claim]}), encoding="utf-8")
    ran = run("check", folder, "-v")
    assert ran.code == 0
    assert ran.out.splitlines() == [r"pack: claim z holds: a.\nhackjack: sound\nb", "pack: sound"]
    (folder / "claims.yaml").unlink()
    deck, _ = source.read_file(folder / "deck.yaml", "deck.yaml")
    deck["cards"][0]["name"] = forged
    (folder / "deck.yaml").write_text(json.dumps(deck), encoding="utf-8")
    for arguments, told in ((("check", folder), "pack: 1 error\n"), (("card", "hackjack", "AC", "--pack", folder), "")):
        ran = run(*arguments)
        assert (ran.code, ran.out) == (1, told)
        assert len(ran.faults) == 1, ran.err
        assert r"\nhackjack: sound\n" in ran.err


def test_json_holds_nothing_that_a_terminal_obeys(capsys: pytest.CaptureFixture[str]) -> None:
    text = "a\x1bb\x9bc\u202ed\u2028e é \U0001f3b2"
    print_json({"text": text})
    print_json({"text": text}, short=True)
    written = capsys.readouterr().out
    assert not any(sign in written for sign in "\x1b\x9b\u202e\u2028")
    first, second = written.rsplit("\n", 2)[:2]
    assert json.loads(first) == json.loads(second) == {"text": text}
    assert "é \U0001f3b2" in second


def test_signs_that_only_part_letters_are_printed_as_they_are() -> None:
    parted = "100\N{NO-BREAK SPACE}km, 5\N{NARROW NO-BREAK SPACE}€, \u0645\u06cc\u200c"
    assert cli.printable(parted) == parted
    assert cli.printable("a\x1b[0m\x9b\u202e\n\t") == r"a\x1b[0m\x9b\u202e\n\t"


# --- what cannot be looked at ----------------------------------------------------------------------------------------


def test_a_pack_that_cannot_be_read_is_told_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, looked = pack(tmp_path), Path.iterdir

    def iterdir(path: Path) -> Iterator[Path]:
        if path == folder:
            raise PermissionError(13, "Permission denied", str(path))
        return looked(path)

    # As root one may look into any folder.
    monkeypatch.setattr(Path, "iterdir", iterdir)
    for arguments in (("check", folder), ("card", "hackjack", "AC", "--pack", folder)):
        refused(run(*arguments), f"{folder}: cannot be read: Permission denied")
    ran = run("check", folder, "--json")
    assert json.loads(ran.out)["checked"][0]["problems"][0]["message"] == "cannot be read: Permission denied"


def test_a_fault_without_a_place_is_one_of_the_faults(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever a step of the check stumbles over, the document is whole and the other packs are looked at."""
    folder = pack(tmp_path)

    def stumble(*_: Any) -> None:
        raise HackjackError("this cannot be counted")

    monkeypatch.setattr("generator.check.quoted_odds.problems", stumble)
    ran = run("check", folder, "--json")
    assert (ran.code, ran.err) == (1, "")
    (only,) = json.loads(ran.out)["checked"]
    assert only["problems"] == [{"file": str(folder), "line": 0, "column": 0, "message": "this cannot be counted"}]


# --- letters that nobody sees ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("where", "title"),
    [
        ("block", "   "),
        ("panel", "\N{NO-BREAK SPACE}"),
        ("block", "\N{COMBINING ACUTE ACCENT}"),
        ("panel", "\u200b\u0301"),
    ],
)
def test_a_title_in_which_nothing_is_seen(where: str, title: str, tmp_path: Path) -> None:
    def change(screen: dict[str, Any]) -> None:
        panel = screen["panels"][0]
        (panel["blocks"][0] if where == "block" else panel)["title"] = title

    folder = pack(tmp_path, screen=change)
    for arguments in (("check", folder), ("print", "hackjack", "screen", "--pack", folder, "-o", tmp_path / "out")):
        refused(run(*arguments), "screen.yaml:1:", "is not a title: write one line with something to be seen in it")


# --- what would take hours, or all memory ----------------------------------------------------------------------------

HEAD = """\
id: nasty
title: Nasty
version: "1.0"
about: A pack that tests write.
source: {title: Nasty, author: us, licence: ours}
procedure: {kind: steps, numbers: {hp: {name: HP, start: 3}}}
conditions:
  sore: {says: You are sore, name: Sore}
  bleeding: {says: You bleed, name: Bleeding, each: {round: [hp -= d6]}}
events:
"""
CHART = """\
title: Screen
panels:
  - title: Hits
    blocks:
      - {block: odds, title: Hits, asks: hit, counts: dead, across: {name: n, title: N, upto: 20}}
"""
DIES = "if hp < -99999: die"
SORE = "suffer sore for good"


def _hit(*steps: str) -> str:
    lines = indent("\n".join(('"x"', *steps, DIES)), "    ")
    return f"  hit: |\n{lines}\n"


def _doubled(times: int) -> str:
    """Events that call one another twice each."""
    calls = (f"[e{at + 1}(), e{at + 1}()]" for at in range(times))
    steps = [*calls, "[hp -= 1]"]
    return "".join(f"  e{at}: {{says: x, do: {each}}}\n" for at, each in enumerate(steps))


def _tables(rows: int, *effects: str) -> str:
    """A table for each of some effects, which all its rows have."""
    tables = "tables:\n"
    for at, effect in enumerate(effects):
        each = ", ".join(f"{{at: {row}, name: R{row}, effects: [{effect}]}}" for row in range(1, rows + 1))
        tables += f"  - {{id: t{at}, title: T{at}, roll: d{rows}, covers: 1-{rows}, rows: [{each}]}}\n"
    return tables


def _whens(deep: int) -> str:
    if not deep:
        return "hp -= d6"
    inner = indent(_whens(deep - 1), "  ")
    return f"if d6 > 3:\n{inner}\nelse:\n{inner}"


def _misspelt(event: int) -> str:
    steps = (f"suffer c{event}x{nth} at once" for nth in range(30))
    return f"  e{event}: {{says: x, do: [{', '.join(steps)}]}}\n"


def _checks(deep: int) -> str:
    inner = _checks(deep - 1) if deep else "hp -= d6"
    return f'check "N" d20 at most hp:\n  fails:\n{indent(inner, "    ")}\n  passes: hp += 1'


PLAYED = "this chart is too large to count: it is played out; print --rulings says how far off it is"
NOTHING_ASKED = ""
"""The chart asks about nothing that its steps can tell, and is counted; all the odds of the event are too large."""
TOO_MUCH = "this takes more dice, cards and steps than can be counted: ask about fewer at a time"
NASTY: dict[str, tuple[str, dict[str, str], str]] = {
    "rows in a row": (_hit(*["look up t0 times 20"] * 3), {"tables": _tables(20, "hp -= d1000 * d1000")}, PLAYED),
    "tables within tables": (
        _hit("look up t0"),
        {"tables": _tables(20, *(f"look up t{at} times 2" for at in range(1, 11)), SORE)},
        NOTHING_ASKED,
    ),
    "thousands of dice": (_hit(*["hp -= 100d1000 + 99d1000 + 98d1000"] * 20), {}, PLAYED),
    "dice that ace": (
        _hit("throw x: 12d100 aces at most 1000", "hp -= x"),
        {},
        "12 dice of 100 faces that come to 1,000 are too many to count",
    ),
    "a thousand rounds": (_hit("suffer bleeding for 1000 rounds", "pass 1000 rounds"), {}, PLAYED),
    "steps within steps": (
        _hit(_whens(9)),
        {"screen": CHART + "      - {block: event, event: hit}\n"},
        'the block "block 2" does not fit',
    ),
    "misspelt names": (
        "".join(_misspelt(event) for event in range(12)),
        {},
        "there are more problems than these: mend them first",
    ),
    "rows that take long": (
        _hit("look up t0") + _doubled(13),
        {"tables": _tables(100, "e0()")},
        "this pack cannot be checked: to play all of it once takes more than 200,000 steps",
    ),
    "claims that take long": (
        _hit("e0()") + _doubled(12),
        {"claims": "claims:\n" + "  - {about: event, id: ID, says: x, where: x, event: hit, expect: {}}\n" * 30},
        TOO_MUCH,
    ),
    "charts without number": (
        _hit("hp -= d6"),
        {
            "screen": CHART
            + CHART.splitlines(keepends=True)[-1].replace("}}", "}, down: {name: m, title: M, upto: 24}}") * 11
        },
        "this pack asks for 5,300 chances in all; at most 5,000 are counted",
    ),
}


SHORT = {"misspelt names", "tables within tables", "dice that ace"}
LONGEST = {"claims that take long", "rows in a row", "rows that take long"}


def nasty_pack(folder: Path, events: str, files: dict[str, str]) -> Path:
    for file, text in {"screen": CHART, **files, "system": HEAD + events}.items():
        numbered = "".join(line.replace("ID", f"c{at}") for at, line in enumerate(text.splitlines(keepends=True)))
        (folder / f"{file}.yaml").write_text(numbered, encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[] if name in SHORT else pytest.mark.weekly if name in LONGEST else pytest.mark.slow)
        for name in NASTY
    ],
)
def test_what_would_take_hours_is_checked_or_refused_soon(name: str, tmp_path: Path) -> None:
    events, files, says = NASTY[name]
    ran = run("check", nasty_pack(tmp_path, events, files))
    assert says in ran.err, ran.err[:2000]
    if says in (PLAYED, NOTHING_ASKED):
        assert ran.code == 0
        with every_way.work_budget(20_000):
            ran = run("odds", "--pack", tmp_path, "nasty", "hit", "--exact")
        assert (ran.code, ran.err) == (1, f"{TOO_MUCH}\n")


def test_no_more_is_played_than_the_limit_of_a_check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(claims, "MAX_TRIED_WORK", 1_000)
    rows = {"tables": _tables(20, "e0()")}
    ran = run("check", nasty_pack(tmp_path, _hit("look up t0") + _doubled(8), rows))
    assert "to play all of it once takes more than 1,000 steps" in ran.err, ran.err[:2000]


DYING = "if hp < 0: die"


def _dying(*steps: str) -> str:
    return _hit(*steps).replace(DIES, DYING)


def _both(times: int, call: str, last: str) -> str:
    """Events that call the next one twice each, and the last."""
    calls = (call.replace("NEXT", f"e{at + 1}") for at in range(times))
    return "".join(f"  e{at}: {{says: x, do: [{each}]}}\n" for at, each in enumerate((*calls, last)))


def _conditions(each: str) -> str:
    """Two conditions that both do something each round, for three rounds."""
    does = indent(each, "        ")
    ill = "".join(f"  c{at}:\n    says: You ail\n    name: C{at}\n    each:\n      round: |\n{does}\n" for at in (1, 2))
    head = HEAD.replace("start: 3}", "start: 300}").replace("events:\n", ill + "events:\n")
    return head + _dying("suffer c1 for 1d6 rounds", "suffer c2 for 2d6 rounds", "pass 3 rounds")


def _drawing(cards: int, more: int) -> str:
    """A deck of which every other card draws more."""
    draw = f", draw {more} from d"
    effects = (f"hp -= {at % 11}{draw if at % 2 else ''}" for at in range(cards))
    written = "".join(f"      - {{code: C{at}, name: N{at}, effects: [{each}]}}\n" for at, each in enumerate(effects))
    return f"decks:\n  - id: d\n    title: D\n    cards:\n{written}"


_TWICE = "NEXT(), NEXT()"
_ROLLED = "NEXT(), hp -= d6, NEXT()"
_HURT = "hp -= 1"
_CALLED = _dying("e0()")
_DRAWN = _dying("draw 3 from d")
_TESTED = 'check "N" d20 at most 10:\n  fails: hp -= 9d8'
ASKED: dict[str, dict[str, str]] = {
    "events that call the next twice": {"system": HEAD + _CALLED + _both(41, _TWICE, _HURT)},
    "events that roll between": {"system": HEAD + _CALLED + _both(41, _ROLLED, _HURT)},
    "two conditions that roll": {"system": _conditions("hp -= 9d8")},
    "two conditions that test": {"system": _conditions(f"{_TESTED}\n{_TESTED}")},
    "cards that draw a card": {"system": HEAD + _DRAWN, "decks": _drawing(200, 1)},
    "cards that draw two": {"system": HEAD + _DRAWN, "decks": _drawing(200, 2)},
}


def _pack_of(files: dict[str, str], folder: Path) -> Path:
    for file, text in files.items():
        (folder / f"{file}.yaml").write_text(text, encoding="utf-8")
    return folder


@pytest.mark.parametrize("name", [each for each in ASKED if "cards" not in each])
def test_a_question_that_would_take_hours_is_refused_soon(name: str, tmp_path: Path) -> None:
    with every_way.work_budget(2_000):
        ran = run("odds", "--pack", _pack_of(ASKED[name], tmp_path), "nasty", "hit", "--exact")
    assert (ran.code, ran.err) == (1, f"{TOO_MUCH}\n")


_MEASURED = """
import sys
from resource import RLIMIT_CPU, RUSAGE_SELF, getrusage, setrlimit
from generator import cli
setrlimit(RLIMIT_CPU, (30, 30))
try:
    cli.main(sys.argv[1:])
finally:
    used = getrusage(RUSAGE_SELF)
    # ru_maxrss begins with what the process that started this one held.
    [peak] = (line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM"))
    print(used.ru_utime + used.ru_stime, int(peak) / 1024, file=sys.stderr)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="memory is measured otherwise elsewhere")
@pytest.mark.parametrize(
    ("name", "command"),
    [
        pytest.param(name, command, marks=pytest.mark.weekly if at % 2 else pytest.mark.slow)
        for first, name in enumerate(ASKED)
        for at, command in enumerate(("odds", "check"), first)
    ],
)
def test_any_question_and_check_end_within_ten_seconds_and_300_megabytes(
    name: str, command: str, tmp_path: Path
) -> None:
    folder = _pack_of({"screen": CHART, **ASKED[name]}, tmp_path)
    arguments = ["check", str(folder)] if command == "check" else ["odds", "--pack", str(folder), "nasty", "hit"]
    ran = subprocess.run([sys.executable, "-c", _MEASURED, *arguments], capture_output=True, text=True, check=False)
    *told, measured = ran.stderr.splitlines()
    seconds, megabytes = map(float, measured.split())
    assert ran.returncode in (0, 1), told
    # A busy machine counts more slowly.
    assert (seconds < 20, megabytes < 300) == (True, True), (seconds, megabytes)


def test_panels_that_say_too_much_are_refused(tmp_path: Path) -> None:
    panels = "".join(f"  - title: P{at}\n    blocks:\n" + "      - {block: table, table: t0}\n" * 60 for at in range(8))
    rows = _tables(40, "hp -= d6")
    files = {"system": HEAD + _hit("look up t0"), "tables": rows, "screen": f"title: S\npanels:\n{panels}"}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("generator.products.panels.MAX_SAID", 1_000)
        pack = _pack_of(files, tmp_path)
        ran, printed = run("check", pack), run("print", "nasty", "screen", "--pack", pack, "-o", tmp_path / "out")
    refused(ran, "screen.yaml:3:3: the panels of this pack say too much to be laid out")
    refused(printed, "the panels of this pack say too much to be laid out")


@pytest.mark.parametrize("badge", [False, True])
def test_cards_need_no_odds(badge: bool, tmp_path: Path) -> None:
    """What brings more than can be counted is a card all the same; only its badge is left out, and `check` says so."""
    rows = _tables(3, "hp -= 9d100 * d100, " + SORE)
    system = HEAD + _hit("look up t0")
    system += (
        f"cards:\n- {{name: injuries, from: {{table: t0}}{', badge: {number: hp, caption: HP}' if badge else ''}}}\n"
    )
    folder = _pack_of({"system": system, "tables": rows}, tmp_path)
    ran = run("check", folder)
    assert ran.code == 0
    says = "warning: the card of this row in the set injuries has no badge: its dice and checks are too many to count"
    assert ran.err.count(says) == (3 if badge else 0), ran.err
    assert "tables.yaml:2:" in ran.err or not badge
    assert run("print", "nasty", "injuries", "--pack", folder, "-o", tmp_path / "out").code == 0


def test_checks_within_checks_are_worded_once(tmp_path: Path) -> None:
    """Their sentences double where each side is worded to know whether it is silent, and once more to be printed."""
    (tmp_path / "system.yaml").write_text(HEAD + _hit(_checks(8)), encoding="utf-8")
    screen = CHART + "      - {block: event, event: hit}\n" * 3
    (tmp_path / "screen.yaml").write_text(screen, encoding="utf-8")
    assert run("check", tmp_path).err == ""


def test_a_claim_is_computed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scars = shutil.copytree(ROOT / "docs" / "examples" / "scars", tmp_path / "scars")
    counted = []

    def verdict(claim: Any, system: Any) -> Any:
        counted.append(claim.id)
        return judged(claim, system)

    judged = claims.verdict
    monkeypatch.setattr(claims, "verdict", verdict)
    assert run("check", scars).code == 0
    assert counted
    assert len(counted) == len(set(counted))


# --- the last resort -------------------------------------------------------------------------------------------------


def test_what_nobody_foresaw_is_one_line_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(_: list[str] | None) -> int:
        raise ZeroDivisionError("division\nby zero")

    monkeypatch.setattr(cli, "_run", broken)
    monkeypatch.delenv("HACKJACK_TRACEBACK", raising=False)
    with pytest.raises(SystemExit) as stopped:
        cli.main(["list"])
    assert stopped.value.code == 70
    captured = capsys.readouterr()
    says = "ZeroDivisionError: division\\nby zero (HACKJACK_TRACEBACK=1 shows where)"
    assert captured.err.splitlines() == [f"unforeseen, a fault of hackjack itself: {says}"]
    monkeypatch.setenv("HACKJACK_TRACEBACK", "1")
    with pytest.raises(ZeroDivisionError):
        cli.main(["list"])
