"""Every effect is known to every reader of effects."""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_args, get_type_hints

import effect_readers
import pytest

from generator.games import game_of, plain_entry
from generator.model import rules
from generator.pack.load import load_pack
from generator.play.chance import Given
from generator.words import effect_words
from generator.words.wording import DURATIONS

KINDS: tuple[type[Any], ...] = rules.KINDS


@pytest.mark.parametrize("kind", KINDS, ids=[str(kind.__struct_config__.tag) for kind in KINDS])
def test_every_reader_knows_every_effect(kind: type[Any]) -> None:
    assert [*effect_readers.lacking(kind)] == []


def test_every_word_of_until_is_worded() -> None:
    assert set(DURATIONS) == set(rules.LASTING)


def test_what_begins_or_recurs_has_both_forms() -> None:
    begins, events = get_type_hints(rules.Suffer)["begins"], get_type_hints(rules.Whenever)["event"]
    assert set(effect_words._BEGINS) == set(get_args(begins))
    assert set(effect_words._EVENTS) == set(get_args(events))


# --- gains -----------------------------------------------------------------------------------------------------------

GAINS = {
    "hackjack": ("bonus 1d4 to dexterity until recovery", "hit 3", {}, "+3 to Dexterity until you recover."),
    "deadlands": (
        "bonus 2 to guts until recovery",
        "trait guts",
        {"traits": {"guts": "d8"}, "injuries": [{"card": "2C", "days": 3}]},
        "A gain adds 2.",
    ),
}
"""For a kind: a card's effect, an event, the state before it, and what the log says."""


@pytest.mark.parametrize("name", GAINS)
def test_a_bonus_is_told_and_counts(name: str, tmp_path: Path) -> None:
    effect, event, state, says = GAINS[name]
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/system.yaml").write_text(f"id: mine\nextends: {name}\n")
    (tmp_path / "mine/deck.yaml").write_text(f"cards: [{{code: 2C, name: A gain, effects: [{effect}]}}]\n")
    game = game_of(load_pack(tmp_path / "mine").system)
    cards = ("2C",) if event.startswith("hit") else ()
    luck = Given(cards, (3, 3)[: 1 if cards else 2])
    _, log = game.step(game.read_state(state), game.read_event(event.split(), {}), luck)
    assert says in [plain_entry(entry, game.system)["text"].strip() for entry in log]
