"""Templates of a pack's own: refused, and with --trust used in a sandbox in which nothing is in reach."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import pypdf
import pytest
from helpers import CONTENT, ROOT, copy_pack, hackjack, run
from msgspec.structs import astuple

from generator.games import card_products
from generator.model.rules import Written
from generator.pack import content

OURS = (ROOT / "templates" / "card.j2").read_text(encoding="utf-8")
SMALL = """\
index\t{{ card.rank }}\t{{ card.suit }}
title\t{{ card.name | upper }}
{% for each in card.sentences %}
effect\t{{ each.says }}\t{{ each.until }}\t{{ each.label }}
{% endfor %}
short\t{{ card.short }}
"""


def with_template(folder: Path, text: str, name: str = "card.j2") -> Path:
    pack = copy_pack(folder)
    (pack / "templates").mkdir()
    (pack / "templates" / name).write_text(text, encoding="utf-8")
    return pack


def printed(pack: Path, out: Path, *more: str) -> str:
    ran = run("print", "hackjack", "deck", "--only", "QS", "--pack", pack, "-o", out, *more)
    assert ran.code == 0, ran.err
    return pypdf.PdfReader(out / "hackjack-deck.pdf").pages[0].extract_text()


@pytest.mark.parametrize(
    "words",
    [
        ("check",),
        ("list",),
        ("card", "hackjack", "QS"),
        ("print", "hackjack", "deck"),
        ("resolve", "hackjack", "hit", "3", "--seed", "1"),
    ],
    ids=lambda words: words[0],
)
def test_templates_are_refused(words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with_template(tmp_path, SMALL)
    ran = run(*words, "--pack", "pack")
    assert (ran.code, ran.out) == (1, "pack: 1 error\n" if words[0] == "check" else "")
    says = "templates of a pack are used with --trust alone: read them first, or take this folder away"
    assert ran.faults == [f"pack/templates: {says}"]
    assert run(*words, "--pack", "pack", "--trust").code == 0


def test_our_template_chooses_the_very_parts_that_cards_have_without_it() -> None:
    for name in content.shipped():
        system = content.load(content.find(name)).system
        templated = replace(system, templates=(Written("card.j2", "templates/card.j2", OURS),))
        for product in card_products.card_set_names(system):
            ours, plain = (card_products.card_set(each, product) for each in (templated, system))
            assert [*map(astuple, ours.faces)] == [*map(astuple, plain.faces)], product


def test_with_trust_a_template_of_ones_own_is_printed(tmp_path: Path) -> None:
    name = hackjack().cards["QS"].name
    plain = printed(CONTENT, tmp_path / "plain")
    assert printed(with_template(tmp_path, OURS), tmp_path / "ours", "--trust") == plain
    (tmp_path / "pack" / "templates" / "card.j2").write_text(SMALL, encoding="utf-8")
    own = printed(tmp_path / "pack", tmp_path / "own", "--trust")
    assert own != plain
    assert name.upper() in own
    assert name in plain
    assert run("check", "--pack", tmp_path / "pack", "--trust").code == 0
    assert printed(CONTENT, tmp_path / "after") == plain, "trust ends with the command"


LOOPS = "{% for a in 'abc' %}{% for b in 'abc' %}{% for c in 'abc' %}{% endfor %}{% endfor %}{% endfor %}"
LONG = "{% for a in card.name %}" + "{{ card.name }} and so on and on " * 500 + "{% endfor %}"
NOT_ALLOWED = {
    "{{ card.__class__ }}": "it cannot be filled: access to attribute '__class__' of 'dict' object is unsafe.",
    "{{ ''.__class__.__mro__ }}": "it cannot be filled: access to attribute '__class__' of 'str' object is unsafe.",
    "{{ card.name.format(1) }}": "card.j2:1:1: call is not allowed here",
    "{{ range(999999999) }}": "card.j2:1:1: call is not allowed here",
    "{{ 'x' * 999999999 }}": "card.j2:1:1: mul is not allowed here",
    "{{ 9 ** 99999999 }}": "card.j2:1:1: pow is not allowed here",
    "{{ '%999999999d' % 1 }}": "card.j2:1:1: mod is not allowed here",
    "{{ card.name ~ card.name }}": "card.j2:1:1: concat is not allowed here",
    "{% set x = 1 %}": "card.j2:1:1: assign is not allowed here",
    "\n{% include 'card.j2' %}": "card.j2:2:1: include is not allowed here",
    "{% import '/etc/passwd' as x %}": "card.j2:1:1: import is not allowed here",
    "{% extends 'card.j2' %}": "card.j2:1:1: extends is not allowed here",
    "{% macro m() %}{{ m() }}{% endmacro %}": "card.j2:1:1: macro is not allowed here",
    "{{ card.name | center(999999999) }}": 'card.j2:1:1: unknown filter "center"',
    "{{ card.name | attr('__class__') }}": 'card.j2:1:1: unknown filter "attr"',
    LOOPS: "loops can be nested at most 2 deep",
    "{{ card.nothing.more }}": "it cannot be filled: 'dict object' has no attribute 'nothing'",
    "{{ card.score < card.name }}": "it cannot be filled: '<' not supported",
    "{% if %}": "card.j2:1:1: Expected an expression",
    "{{": "card.j2:1:1: ",
    "no such part": 'card.j2: no part reads "no such part"',
    "yields\tscore": 'card.j2: "score" cannot give way',
    LONG: "more than 20,000 ",
}


@pytest.mark.parametrize("text", NOT_ALLOWED)
def test_what_a_template_may_not_do(text: str, tmp_path: Path) -> None:
    pack = with_template(tmp_path, text)
    begun = time.monotonic()
    ran = run("print", "hackjack", "deck", "--pack", pack, "--trust", "-o", tmp_path / "out")
    assert (ran.code, ran.out, len(ran.faults)) == (1, "", 1), ran
    assert NOT_ALLOWED[text] in ran.err
    assert time.monotonic() - begun < 10
    assert not (tmp_path / "out").exists()


def test_templates_are_files_of_the_pack_with_known_names(tmp_path: Path) -> None:
    pack = with_template(tmp_path, OURS, "cards.j2")
    (pack / "templates" / "card.j2").symlink_to(ROOT / "templates" / "card.j2")
    ran = run("check", "--pack", pack, "--trust")
    assert ran.code == 1
    assert 'cards.j2: nothing reads this template: did you mean "card.j2"?' in ran.err
    assert "templates/card.j2: templates/card.j2 is outside the pack" in ran.err


@pytest.mark.parametrize(
    ("raw", "says"), [(b"\xff", "not UTF-8 text"), (b" " * 20_001, "20,000 bytes are no template")]
)
def test_templates_are_short_texts(raw: bytes, says: str, tmp_path: Path) -> None:
    pack = with_template(tmp_path, "")
    (pack / "templates" / "card.j2").write_bytes(raw)
    ran = run("check", "--pack", pack, "--trust")
    assert (ran.code, len(ran.faults)) == (1, 1)
    assert says in ran.err
